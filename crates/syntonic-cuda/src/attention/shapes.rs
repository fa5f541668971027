//! The lengths of attention, and how its scores are shared out to blocks.

use super::kernel::{ROWS, WIDEST};
use super::params::{Lies, MOST, Scored};
use crate::context::Context;
use syntonic_core::device::Arg;

/// Bytes of keys and values that blocks work on together: they stay in L2.
const TOGETHER: usize = 24 << 20;

#[derive(Clone, Copy, Debug)]
pub(super) struct Shapes {
    batch: usize,
    heads: usize,
    /// Heads of queries that share keys.
    sharing: usize,
    queries: usize,
    keys: usize,
    /// Elements of a query, and of a value.
    pub(super) depth: usize,
    pub(super) width: usize,
    size: usize,
}

impl Shapes {
    /// Nothing where there are no kernels: for types, cards and lengths.
    pub(super) fn of(context: &Context, [q, k, v]: [&Arg; 3]) -> Option<Shapes> {
        let lens = |arg: &Arg, axis: usize| arg.layout.shape()[axis];
        let [batch, heads, queries, depth] = [0, 1, 2, 3].map(|axis| lens(q, axis));
        let [shared, keys, width] = [lens(k, 1), lens(k, 2), lens(v, 3)];
        let counted = |len: usize| (1..1 << 30).contains(&len);
        let fits = [queries, keys].into_iter().all(counted)
            && [depth, width].iter().all(|len| (1..=WIDEST).contains(len));
        let there = context.capability() == (9, 0) && q.dtype.is_half() && fits && shared > 0;
        there.then_some(Shapes {
            batch,
            heads,
            sharing: heads / shared,
            queries,
            keys,
            depth,
            width,
            size: q.dtype.size(),
        })
    }

    /// Heads of the rows, of all the batch.
    fn pairs(&self, keys_are_rows: bool) -> usize {
        match keys_are_rows {
            true => self.batch * self.heads / self.sharing,
            false => self.batch * self.heads,
        }
    }

    fn down(&self, keys_are_rows: bool) -> usize {
        match keys_are_rows {
            true => self.keys.div_ceil(ROWS),
            false => self.queries.div_ceil(ROWS),
        }
    }

    /// Tiles of rows; nothing where there are too many.
    pub(super) fn tiles(&self, keys_are_rows: bool) -> Option<u32> {
        u32::try_from(self.pairs(keys_are_rows) * self.down(keys_are_rows)).ok()
    }

    pub(super) fn queries(&self) -> u32 {
        self.queries as u32
    }

    /// What a parameter begins with.
    pub(super) fn scored(
        &self,
        tiles: u32,
        keys_are_rows: bool,
        scale: f64,
        operands: [Lies; MOST],
    ) -> Scored {
        let pairs = self.pairs(keys_are_rows);
        let elements = self.depth + self.width;
        // Columns of one head of the rows, and how many such heads share them.
        let (cols, alike) = match keys_are_rows {
            true => (self.queries * self.sharing, 1),
            false => (self.keys, self.sharing),
        };
        let together = TOGETHER / (cols * elements * self.size).max(1);
        let (rows, cols) = match keys_are_rows {
            true => (self.keys, self.queries),
            false => (self.queries, self.keys),
        };
        Scored {
            rows: rows as u32,
            cols: cols as u32,
            scale: scale as f32,
            heads: match keys_are_rows {
                true => self.heads / self.sharing,
                false => self.heads,
            } as u32,
            pairs: pairs as u32,
            sharing: self.sharing as u32,
            down: self.down(keys_are_rows) as u32,
            group: (together.max(1) * alike).min(pairs.max(1)) as u32,
            tiles,
            operands: match keys_are_rows {
                true => operands.map(Lies::turned),
                false => operands,
            },
        }
    }
}
