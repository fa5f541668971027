//! What the kernels of the way back have in common: a tile of weights and slopes, made again from what was saved.

use super::cpu::{QUERIES, beyond, end_of};
use super::walk::{Reader, Tile, Walked, over};
use crate::device::{Arg, Launch};
use crate::error::Result;
use crate::fuse::Typed;
use crate::interrupt;
use crate::ops::linalg::{Lies, Real};

/// Keys of a tile.
pub(super) const KEYS: usize = 128;

/// A launch, for the type of its sums.
pub(super) struct Pass<'a, T> {
    q: Walked,
    k: Walked,
    v: Walked,
    dout: Walked,
    lse: Walked,
    delta: Walked,
    program: &'a Typed,
    operands: Vec<Walked>,
    reader: Reader,
    pub(super) scale: T,
    causal: bool,
    pub(super) batches: usize,
    pub(super) heads: usize,
    /// Heads that a key head serves.
    pub(super) group: usize,
    pub(super) rows: usize,
    pub(super) keys: usize,
    pub(super) d: usize,
    pub(super) e: usize,
}

/// What one thread works in: a tile of each.
pub(super) struct Room<T> {
    q: Tile<T>,
    k: Tile<T>,
    v: Tile<T>,
    dout: Tile<T>,
    products: Tile<T>,
    slopes: Tile<T>,
    /// The results of the program.
    pub(super) results: Vec<Tile<T>>,
}

/// A tile: batch and head, its first query and first key, and how many of both.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) b: usize,
    pub(super) h: usize,
    pub(super) query: usize,
    pub(super) key: usize,
    pub(super) m: usize,
    pub(super) n: usize,
}

/// The matrices of a tile.
pub(super) struct Matrices<T> {
    pub(super) q: Lies<T>,
    pub(super) k: Lies<T>,
    pub(super) dout: Lies<T>,
}

impl<'a, T: Real> Pass<'a, T> {
    pub(super) fn new(launch: &'a Launch) -> Result<Pass<'a, T>> {
        let named = launch.by_name()?;
        let [q, k, v, dout, lse, delta] = named.inputs(["q", "k", "v", "dout", "lse", "delta"])?;
        let end = end_of(launch)?;
        let len = |x: &Arg, axis: usize| x.layout.shape()[axis];
        Ok(Pass {
            q: Walked::of(q),
            k: Walked::of(k),
            v: Walked::of(v),
            dout: Walked::of(dout),
            lse: Walked::of(lse),
            delta: Walked::of(delta),
            program: &end.program,
            operands: Walked::of_end(end),
            reader: Reader::new::<T>(q.dtype)?,
            scale: T::from(named.real("scale")?).unwrap_or_else(T::nan),
            causal: named.whole::<u8>("causal")? != 0,
            batches: len(q, 0),
            heads: len(q, 1),
            group: len(q, 1) / len(k, 1),
            rows: len(q, 2),
            keys: len(k, 2),
            d: len(q, 3),
            e: len(v, 3),
        })
    }

    pub(super) fn room(&self) -> Result<Room<T>> {
        let (rows, keys) = (QUERIES.min(self.rows), KEYS.min(self.keys.max(1)));
        let copied = |rows: usize, width: usize| {
            Tile::new(if self.reader.copies() { rows } else { 0 }, width)
        };
        // few: the results of one program.
        let results = self.program.outputs.iter().map(|_| Tile::new(rows, keys));
        Ok(Room {
            q: copied(rows, self.d)?,
            k: copied(keys, self.d)?,
            v: copied(keys, self.e)?,
            dout: copied(rows, self.e)?,
            products: Tile::new(rows, keys)?,
            slopes: Tile::new(rows, keys)?,
            results: results.collect::<Result<_>>()?,
        })
    }

    /// The first keys of the tiles that the queries of a tile may attend to.
    pub(super) fn keys_of(&self, query: usize) -> impl Iterator<Item = usize> + use<T> {
        let end = match self.causal {
            true => self.keys.min(query + QUERIES),
            false => self.keys,
        };
        (0..end).step_by(KEYS)
    }

    /// The first queries of the tiles that may attend to the keys of a tile.
    pub(super) fn queries_of(&self, key: usize) -> impl Iterator<Item = usize> + use<T> {
        let first = match self.causal {
            true => key / QUERIES * QUERIES,
            false => 0,
        };
        (first..self.rows).step_by(QUERIES)
    }

    /// The tile from this query and key on.
    pub(super) fn place(&self, [b, h, query, key]: [usize; 4]) -> Place {
        Place {
            b,
            h,
            query,
            key,
            m: QUERIES.min(self.rows - query),
            n: KEYS.min(self.keys - key),
        }
    }

    /// Computes the results of the program over a tile.
    ///
    /// # Safety
    /// The launch is one of the kernels that [the module](super) describes, over live memory.
    pub(super) unsafe fn tile(&self, room: &mut Room<T>, at: Place) -> Result<Matrices<T>> {
        interrupt::poll()?;
        let Place {
            b,
            h,
            query,
            key,
            m,
            n,
        } = at;
        let g = h / self.group;
        let (row, place) = ([b, h, query, 0], [b, h, query, key]);
        // SAFETY: the caller's promise; the tiles have room for so many rows and columns, and are this thread's.
        unsafe {
            let q = self.reader.read(&self.q, [b, h, query], m, &mut room.q)?;
            let k = self.reader.read(&self.k, [b, g, key], n, &mut room.k)?;
            let v = self.reader.read(&self.v, [b, g, key], n, &mut room.v)?;
            let dout = self
                .reader
                .read(&self.dout, [b, h, query], m, &mut room.dout)?;
            let (products, slopes) = (room.products.lies(), room.slopes.lies());
            T::multiply(
                [m, n, self.d],
                self.scale,
                [q, k.turned()],
                T::zero(),
                products,
            )?;
            T::multiply(
                [m, n, self.e],
                T::one(),
                [dout, v.turned()],
                T::zero(),
                slopes,
            )?;
            let mut inputs = vec![room.products.slot(), room.slopes.slot()];
            inputs.extend([self.lse.slot(row), self.delta.slot(row)]);
            inputs.extend(self.operands.iter().map(|x| x.slot(place)));
            let outputs = room.results.iter_mut().map(Tile::slot).collect();
            over(self.program, [m, n], inputs, outputs)?;
            if self.causal {
                for result in &mut room.results {
                    beyond(result, [query, key], [m, n], T::zero());
                }
            }
            Ok(Matrices { q, k, dout })
        }
    }
}
