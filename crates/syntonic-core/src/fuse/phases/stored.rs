//! Which values of elements are stored between phases: those that save more time in later phases than writing and reading them takes.
//!
//! What a phase moves and what it computes go on at the same time, so storing costs little beside much arithmetic, and computing again
//! costs little beside much memory.

use super::Plan;
use crate::fuse::typed::{Level, Op};
use crate::fuse::{Prim, Yield};
use std::collections::BTreeSet;

/// A stored value saves at least this part of the time that is left: the estimate is no better than that.
const WORTH: f64 = 0.03;
/// The part of the shorter of moving and computing that is not hidden behind the longer.
const UNHIDDEN: f64 = 0.25;

impl Plan<'_> {
    /// Values of elements that this round computes beside `given`, which it writes in any case, and that later phases had better read.
    pub(super) fn of_elements(&self, round: usize, given: &[u32]) -> BTreeSet<u32> {
        let mut stored: BTreeSet<u32> = given.iter().copied().collect();
        let mut least = self.time(round, &stored);
        loop {
            // few: values of one program, and those that are stored.
            let candidates: Vec<u32> = self.candidates(round, &stored).collect();
            let times = candidates.into_iter().map(|k| {
                stored.insert(k);
                let time = self.time(round, &stored);
                stored.remove(&k);
                (k, time)
            });
            match times.min_by(|a, b| a.1.total_cmp(&b.1)) {
                Some((k, time)) if time < least * (1.0 - WORTH) => {
                    stored.insert(k);
                    least = time;
                }
                _ => break,
            }
        }
        stored.retain(|k| !given.contains(k));
        stored
    }

    /// Computed values of elements that this round has, and that are not stored.
    fn candidates<'s>(
        &'s self,
        round: usize,
        stored: &'s BTreeSet<u32>,
    ) -> impl Iterator<Item = u32> + 's {
        let nodes = 0..self.program.nodes.len() as u32;
        nodes.filter(move |&k| {
            self.is_made(k) && self.ready[k as usize] <= round && !stored.contains(&k)
        })
    }

    /// True for a value of elements that is computed.
    fn is_made(&self, k: u32) -> bool {
        let node = self.node(k);
        let computed = !matches!(
            node.op,
            Op::Input(_) | Op::Index(_) | Op::Const(_) | Op::Param(_)
        );
        node.level == Level::Lane && computed && self.placed[k as usize].is_none()
    }

    /// What this round and all phases after it take for each element, if `stored` is written by this one.
    fn time(&self, round: usize, stored: &BTreeSet<u32>) -> f64 {
        let mut all = 0.0;
        for at in round..self.rounds() {
            let nodes = self.program.nodes.iter().enumerate();
            let folded = nodes.filter_map(|(k, node)| match node.op {
                Op::Fold(_, of) if self.ready[k] == at + 1 => Some(of),
                _ => None,
            });
            let mut roots: Vec<u32> = folded.collect();
            if at == round {
                roots.extend(stored);
            }
            let none = BTreeSet::new();
            let known = if at == round { &none } else { stored };
            let writes = if at == round { stored } else { &none };
            all += self.phase_time(&roots, known, writes.iter().copied());
        }
        let left = self.left.iter().map(|&o| self.program.outputs[o]);
        for role in [Yield::RowSum, Yield::Element] {
            let of_role = left.clone().filter(|o| o.role == role);
            let roots: Vec<u32> = of_role.map(|o| o.node).collect();
            let writes = (role == Yield::Element).then_some(&roots);
            let writes = writes.into_iter().flatten().copied();
            all += self.phase_time(&roots, stored, writes);
        }
        all
    }

    /// What a phase takes for each element that computes `roots` from what is in memory and from `known`.
    fn phase_time(
        &self,
        roots: &[u32],
        known: &BTreeSet<u32>,
        writes: impl Iterator<Item = u32>,
    ) -> f64 {
        let size = |k: u32| self.node(k).dtype.size() as f64;
        let (mut computed, mut bytes) = (0.0, writes.map(size).sum::<f64>());
        let mut seen = vec![false; self.program.nodes.len()];
        let mut stack = roots.to_vec();
        while let Some(k) = stack.pop() {
            let node = self.node(k);
            if node.level != Level::Lane || std::mem::replace(&mut seen[k as usize], true) {
                continue;
            }
            if known.contains(&k) || !self.is_made(k) {
                if !matches!(node.op, Op::Index(_)) {
                    bytes += size(k);
                }
                continue;
            }
            if let Op::Apply(prim, args) = node.op {
                let at = usize::from(prim == Prim::Select);
                computed += (self.costs.step)(prim, self.node(args[at]).dtype);
            }
            stack.extend(node.operands());
        }
        let moved = bytes * self.costs.byte;
        moved.max(computed) + UNHIDDEN * moved.min(computed)
    }
}
