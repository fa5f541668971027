//! Per-element values kept from one pass to another, and their regions of shared memory.

use super::rows::RowProgram;
use super::spelling::is_long;
use std::collections::{BTreeMap, BTreeSet};
use syntonic_core::DType;
use syntonic_core::fuse::{Level, Op, Prim};

/// The most of them.
const KEPT: usize = 4;

/// A per-element value kept from one pass to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kept {
    /// The node.
    pub(super) node: u32,
    /// Its region of shared memory: that of an input, or one behind them.
    pub(super) region: usize,
}

impl RowProgram<'_> {
    /// Regions of inputs and kept values.
    pub(super) fn kept_regions(&self) -> usize {
        let kept = self.kept().into_iter().map(|kept| kept.region + 1);
        kept.max().unwrap_or(0)
    }

    /// Bit k: a later value reuses the region of input `k`.
    pub(crate) fn replaced(&self) -> u32 {
        let inputs = self.typed().inputs.len();
        let taken = self.kept().into_iter().map(|kept| kept.region);
        taken
            .filter(|&k| k < inputs)
            .fold(0, |bits, k| bits | 1 << k)
    }

    /// Values that a later stage needs again and that are expensive, or join several operands: then those are read only once.
    /// Each takes over the region of a dead input or kept value of its size, if there is one.
    pub(super) fn kept(&self) -> Vec<Kept> {
        let none = BTreeSet::new();
        let roots = self.roots();
        let stages: Vec<BTreeSet<u32>> = roots
            .iter()
            .map(|roots| self.lane_nodes(roots.iter().copied(), &none))
            .collect();
        let first = |k: u32| stages.iter().position(|s| s.contains(&k)).unwrap_or(0);
        let all = 0..self.typed().nodes.len() as u32;
        let dear: BTreeSet<u32> = all.clone().filter(|&k| self.is_dear(k)).collect();
        let mut joints: BTreeSet<u32> = all.filter(|&k| self.is_joint(k)).collect();
        loop {
            let wanted: BTreeMap<u32, usize> =
                dear.union(&joints).map(|&k| (k, first(k))).collect();
            let again = self.needed_again(&wanted);
            let chosen: BTreeMap<u32, usize> = again.into_iter().take(KEPT).collect();
            let kept = self.placed(&chosen);
            // Only an expensive value gets memory of its own.
            let inputs = self.typed().inputs.len();
            let lavish = kept
                .iter()
                .find(|kept| kept.region >= inputs && !dear.contains(&kept.node));
            match lavish {
                Some(kept) => joints.remove(&kept.node),
                None => return kept,
            };
        }
    }

    /// True for steps that take many instructions.
    pub(super) fn is_dear(&self, k: u32) -> bool {
        match self.node(k).op {
            Op::Apply(prim, args) => is_dear(prim, self.node(args[0]).dtype),
            _ => false,
        }
    }

    /// True for a value that joins several operands and is no larger than the first: in the first stage, or in a later one by
    /// the joining step itself. What follows such a step is cheaper to recompute than to keep, and a value with a single
    /// later stage is not worth its region.
    fn is_joint(&self, k: u32) -> bool {
        let node = self.node(k);
        let inputs = |k: u32| {
            let below = self.lane_nodes(std::iter::once(k), &BTreeSet::new());
            let inputs = below.into_iter().filter_map(|n| match self.node(n).op {
                Op::Input(input) => Some(input),
                _ => None,
            });
            inputs.collect::<BTreeSet<u16>>()
        };
        let size = self
            .first_input()
            .map(|i| self.typed().inputs[usize::from(i)].size());
        node.level == Level::Lane
            && (self.rounds()[k as usize] == 0 || self.is_joining(k) && self.takers(k) > 2)
            && size == Some(node.dtype.size())
            && inputs(k).len() > 1
    }

    /// True for a step with several per-element operands.
    fn is_joining(&self, k: u32) -> bool {
        let Op::Apply(prim, args) = self.node(k).op else {
            return false;
        };
        let lanes = args[..prim.arity()]
            .iter()
            .filter(|&&a| self.node(a).level == Level::Lane);
        lanes.collect::<BTreeSet<_>>().len() > 1
    }

    /// How many stages use a value, where nothing is kept.
    fn takers(&self, k: u32) -> usize {
        let none = BTreeSet::new();
        let stages = self.roots().into_iter();
        stages
            .filter(|roots| self.lane_nodes(roots.iter().copied(), &none).contains(&k))
            .count()
    }

    /// Those of the values, with their first stages, that a later stage uses if the others are kept.
    fn needed_again(&self, wanted: &BTreeMap<u32, usize>) -> BTreeMap<u32, usize> {
        let roots = self.roots();
        let needed = |k: u32, at: usize| {
            let others = wanted.iter().filter(|(d, first)| **d != k && **first < at);
            let known = others.map(|(d, _)| *d).collect();
            self.lane_nodes(roots[at].iter().copied(), &known)
                .contains(&k)
        };
        let again = wanted
            .iter()
            .filter(|(k, first)| (**first + 1..roots.len()).any(|at| needed(**k, at)));
        again.map(|(k, first)| (*k, *first)).collect()
    }

    /// The region of each of the values, with their first stages.
    fn placed(&self, chosen: &BTreeMap<u32, usize>) -> Vec<Kept> {
        let roots = self.roots();
        let inputs = self.typed().inputs.len();
        let needed_after = |at: usize| -> BTreeSet<u32> {
            let stages = (at + 1..roots.len()).map(|t| {
                let known = chosen.iter().filter(|(_, first)| **first < t);
                self.lane_nodes(roots[t].iter().copied(), &known.map(|(k, _)| *k).collect())
            });
            stages.flatten().collect()
        };
        // The contents and the size of each region.
        let nodes = self.typed().nodes.iter().enumerate();
        let mut regions: BTreeMap<usize, (u32, usize)> = nodes
            .filter(|(_, n)| n.level == Level::Lane)
            .filter_map(|(k, n)| match n.op {
                Op::Input(input) => Some((usize::from(input), (k as u32, n.dtype.size()))),
                _ => None,
            })
            .collect();
        let mut order: Vec<(u32, usize)> = chosen.iter().map(|(k, at)| (*k, *at)).collect();
        order.sort_by_key(|&(k, at)| (at, k));
        let mut kept = Vec::new();
        let mut next = inputs;
        for (node, at) in order {
            let size = self.node(node).dtype.size();
            let needed = needed_after(at);
            let free = regions
                .iter()
                .find(|(_, (there, bytes))| *bytes == size && !needed.contains(there));
            let region = match free {
                Some((region, _)) => *region,
                None => {
                    next += 1;
                    next - 1
                }
            };
            regions.insert(region, (node, size));
            kept.push(Kept { node, region });
        }
        kept
    }
}

fn is_dear(prim: Prim, dtype: DType) -> bool {
    use Prim::*;
    is_long(prim, dtype) || matches!(prim, Exp | Log | Exp2 | Log2 | Rsqrt | Sqrt | Div | Recip)
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntonic_core::fuse::{Builder, Fold, Precision, Role, Yield, lower};

    #[test]
    fn what_two_later_stages_take_of_several_operands_is_kept() {
        for again in [false, true] {
            let mut b = Builder::new();
            let (x, w) = (b.input("x", Role::Element), b.input("w", Role::Row));
            let m = b.fold(Fold::Max, x);
            let part = b.apply(Prim::Sub, &[x, m]);
            let next = b.apply(Prim::Mul, &[part, w]);
            let size = b.apply(Prim::Abs, &[next]);
            let total = b.fold(Fold::Sum, size);
            b.output(next, Yield::Element);
            if again {
                let less = b.apply(Prim::Sub, &[next, total]);
                let most = b.fold(Fold::Max, less);
                b.output(most, Yield::RowScalar);
            }
            let typed = lower(&b.finish("next", Precision::Wide), &[DType::F32; 2]).unwrap();
            let program = RowProgram::of(&typed).unwrap();
            // In the region of the first operand, which is dead by then.
            let regions: Vec<usize> = program.kept().iter().map(|kept| kept.region).collect();
            assert_eq!(regions, if again { vec![0] } else { vec![] });
        }
    }
}
