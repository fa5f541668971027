//! Which values of elements are stored between phases: those that cost more to compute again.

use super::Plan;
use crate::fuse::Prim;
use crate::fuse::Yield;
use crate::fuse::typed::{Level, Op};
use std::collections::BTreeSet;

impl Plan<'_> {
    /// Values of elements that later phases need, that this round computes, and that cost more to compute again than to store.
    pub(super) fn of_elements(&self, round: usize) -> BTreeSet<u32> {
        let mut stored = BTreeSet::new();
        let mut seen = BTreeSet::new();
        // few: nodes of one program.
        let mut stack: Vec<u32> = self
            .left
            .iter()
            .map(|&o| self.program.outputs[o].node)
            .collect();
        while let Some(k) = stack.pop() {
            if self.placed[k as usize].is_some() || !seen.insert(k) {
                continue;
            }
            if !self.is_made(k) || self.ready[k as usize] > round {
                stack.extend(self.node(k).operands());
                continue;
            }
            let uses = self.uses(k, round);
            if uses * self.cost(k) <= self.moving(k, uses) {
                continue;
            }
            let heart = self.heart(k);
            stored.insert(heart);
            seen.insert(heart);
            if heart != k {
                stack.extend(self.node(k).operands());
            }
        }
        stored
    }

    /// True for a value of elements that is computed.
    fn is_made(&self, k: u32) -> bool {
        let node = self.node(k);
        node.level == Level::Lane && self.placed[k as usize].is_none()
    }

    /// What computing a value of elements takes, from what is in memory.
    fn cost(&self, k: u32) -> f64 {
        let met = self.needed(std::iter::once(k), |k| self.node(k).level != Level::Lane);
        let step = |k: u32| match self.node(k).op {
            Op::Apply(prim, args) if self.is_made(k) => {
                let at = usize::from(prim == Prim::Select);
                (self.costs.step)(prim, self.node(args[at]).dtype)
            }
            _ => 0.0,
        };
        met.into_iter().map(step).sum()
    }

    /// How many phases after this round need a value of elements.
    fn uses(&self, k: u32, round: usize) -> f64 {
        let needs = |roots: Vec<u32>| {
            let met = self.needed(roots.into_iter(), |k| self.node(k).level != Level::Lane);
            met.contains(&k)
        };
        let nodes = self.program.nodes.iter().enumerate();
        let folds = |at: usize| -> Vec<u32> {
            let of = nodes.clone().filter(|(k, _)| self.ready[*k] == at + 1);
            of.filter_map(|(_, node)| match node.op {
                Op::Fold(_, of) => Some(of),
                _ => None,
            })
            .collect()
        };
        let later = (round + 1..self.rounds()).filter(|&at| needs(folds(at)));
        let outputs = self.left.iter().map(|&o| self.program.outputs[o]);
        let left = outputs.filter(|o| o.role != Yield::RowScalar);
        let last = needs(left.map(|o| o.node).collect());
        (later.count() + usize::from(last)).max(1) as f64
    }

    /// What writing a value of elements and reading it so often takes.
    fn moving(&self, k: u32, uses: f64) -> f64 {
        (1.0 + uses) * self.node(k).dtype.size() as f64 * self.costs.byte
    }

    /// The operand, however far down, that most of the cost of `k` goes to, and that is no wider.
    fn heart(&self, mut k: u32) -> u32 {
        let mut cost = self.cost(k);
        loop {
            let size = self.node(k).dtype.size();
            let operands = self.node(k).operands().iter().copied();
            let made = operands.filter(|&a| self.is_made(a));
            let dearest = made.max_by(|&a, &b| self.cost(a).total_cmp(&self.cost(b)));
            match dearest {
                Some(a) if self.cost(a) > 0.75 * cost && self.node(a).dtype.size() <= size => {
                    (k, cost) = (a, self.cost(a));
                }
                _ => return k,
            }
        }
    }
}
