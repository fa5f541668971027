//! When a sweep computes each value, and which elements share its registers.

use super::super::formula::{Formula, Leaf};
use super::Sweep;
use super::layout::Side;
use crate::jit::Sharing;
use crate::plan::walked::Access;

/// How the registers of each value are shared, in a sweep of this shape.
pub(in super::super) fn sharing(formula: &Formula, sweep: &Sweep) -> Vec<Sharing> {
    let mut sharing: Vec<Sharing> = Vec::new();
    for k in 0..formula.form.values.len() as u32 {
        let operands = formula.form.operands(k);
        let one = operands
            .iter()
            .all(|&a| sharing[a as usize] == Sharing::One);
        let kept = sweep.side == Side::Kept;
        sharing.push(match formula.leaf(k) {
            Some(Leaf::Number(_)) => Sharing::One,
            Some(Leaf::Operand(o)) => {
                let reach = sweep.reach[usize::from(o)];
                match (formula.is_lane(k), reach.access) {
                    (true, Access::Splat) => Sharing::Vectors,
                    (true, _) => Sharing::Each,
                    (false, Access::Splat | Access::Point) => Sharing::One,
                    (false, _) if kept => Sharing::Lanes,
                    (false, _) => Sharing::One,
                }
            }
            Some(Leaf::Fold(_)) if kept => Sharing::Lanes,
            Some(Leaf::Fold(_)) => Sharing::One,
            None if formula.is_lane(k) => Sharing::Each,
            None if one => Sharing::One,
            None => Sharing::Lanes,
        });
    }
    sharing
}

/// When values are computed.
pub(super) struct Steps {
    /// Values of the row before the loop.
    pub(super) before: Vec<u32>,
    /// Values of elements.
    pub(super) each: Vec<u32>,
    /// Values of the row that folds, or only results, need.
    pub(super) after: Vec<u32>,
}

impl Steps {
    pub(super) fn of(formula: &Formula) -> Steps {
        let count = formula.form.values.len() as u32;
        let mut early = vec![false; count as usize];
        let folded = formula.folds.iter().map(|f| f.of);
        let written = formula
            .outputs
            .iter()
            .filter(|o| o.is_each())
            .map(|o| o.value);
        for root in folded.chain(written) {
            early[root as usize] = true;
        }
        for k in (0..count).rev() {
            if early[k as usize] || formula.is_lane(k) {
                for &a in formula.form.operands(k) {
                    early[a as usize] = true;
                }
            }
        }
        let is_fold = |k: &u32| matches!(formula.leaf(*k), Some(Leaf::Fold(_)));
        let of_rows = || {
            (0..count)
                .filter(|&k| !formula.is_lane(k))
                .filter(|k| !is_fold(k))
        };
        Steps {
            before: of_rows().filter(|&k| early[k as usize]).collect(),
            each: (0..count).filter(|&k| formula.is_lane(k)).collect(),
            after: of_rows().filter(|&k| !early[k as usize]).collect(),
        }
    }
}
