//! Schedules values into stages, one between any two rounds of folds. Each per-element value is computed in the first stage
//! that needs it. Later stages read it from registers, or recompute it where that is as cheap.

use super::formula::{Formula, Leaf, is_cheap};
use crate::codegen::form::Step;
use syntonic_core::DType;

/// The work before a round of folds, or before the results.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Stage {
    /// Values of the row, computed once per thread.
    pub(super) row: Vec<u32>,
    /// Operands along the row that this stage loads first.
    pub(super) loads: Vec<u32>,
    /// Per-element values.
    pub(super) lane: Vec<u32>,
    /// The folds of the round.
    pub(super) folds: Vec<usize>,
    /// 16-bit halves of registers per element that stay live after this stage.
    pub(super) kept: usize,
}

/// The stages of a formula: one for each round of folds, and the results.
pub(super) fn stages(formula: &Formula) -> Vec<Stage> {
    let count = formula.form.values.len();
    let mut plan = Plan {
        formula,
        first: vec![usize::MAX; count],
        last: vec![0; count],
        stages: vec![Stage::default(); formula.rounds + 1],
    };
    for at in 0..=formula.rounds {
        plan.stage(at);
    }
    plan.again();
    plan.finish()
}

struct Plan<'a> {
    formula: &'a Formula,
    /// The stage that computes or loads each value first.
    first: Vec<usize>,
    /// The last stage that uses each value.
    last: Vec<usize>,
    stages: Vec<Stage>,
}

impl Plan<'_> {
    fn stage(&mut self, at: usize) {
        let formula = self.formula;
        let folds = formula.folds.iter().enumerate();
        self.stages[at].folds = folds
            .filter(|(_, f)| f.round == at)
            .map(|(k, _)| k)
            .collect();
        let mut roots: Vec<u32> = self.stages[at]
            .folds
            .iter()
            .map(|&k| formula.folds[k].of)
            .collect();
        if at == formula.rounds {
            roots.extend(formula.outputs.iter().map(|o| o.value));
        }
        let mut stack: Vec<u32> = roots;
        while let Some(k) = stack.pop() {
            let value = k as usize;
            self.last[value] = self.last[value].max(at);
            if self.first[value] != usize::MAX {
                continue;
            }
            self.first[value] = at;
            stack.extend(formula.form.operands(k));
        }
    }

    /// True if stage `at` computes or reads the per-element value `k`.
    fn uses(&self, k: u32, at: usize) -> bool {
        let formula = self.formula;
        let root = self.stages[at]
            .folds
            .iter()
            .any(|&f| formula.folds[f].of == k)
            || (at == formula.rounds && formula.outputs.iter().any(|o| o.value == k));
        root || self.stages[at]
            .lane
            .iter()
            .any(|&v| formula.form.operands(v).contains(&k))
    }

    /// Values that a later stage recomputes: floats widened from halves, which are half as large, and what is cheap to make
    /// from values that stay live anyway.
    fn again(&mut self) {
        let formula = self.formula;
        let count = formula.form.values.len() as u32;
        for at in 0..self.stages.len() {
            let lane = (0..count).filter(|&k| formula.is_lane(k) && self.first[k as usize] == at);
            let (loads, lane) = lane.partition(|&k| formula.leaf(k).is_some());
            (self.stages[at].loads, self.stages[at].lane) = (loads, lane);
        }
        for k in (0..count).rev().filter(|&k| formula.is_lane(k)) {
            let (first, last) = (self.first[k as usize], self.last[k as usize]);
            if first == usize::MAX || last <= first {
                continue;
            }
            let step = formula.form.values[k as usize].step;
            let operands = formula.form.operands(k).iter().copied();
            let lanes: Vec<u32> = operands.filter(|&a| formula.is_lane(a)).collect();
            let widens = matches!(step, Step::Cast(a) if formula.dtype(a).is_half());
            let free = is_cheap(step) && lanes.iter().all(|&a| self.last[a as usize] >= last);
            if !widens && !free {
                continue;
            }
            for at in first + 1..=last {
                if self.uses(k, at) {
                    self.stages[at].lane.push(k);
                    self.stages[at].lane.sort_unstable();
                    for &a in &lanes {
                        self.last[a as usize] = self.last[a as usize].max(at);
                    }
                }
            }
            self.last[k as usize] = first;
        }
    }

    fn finish(mut self) -> Vec<Stage> {
        let formula = self.formula;
        let count = formula.form.values.len() as u32;
        for k in (0..count).filter(|&k| !formula.is_lane(k) && self.first[k as usize] != usize::MAX)
        {
            let is_fold = matches!(formula.leaf(k), Some(Leaf::Fold(_)));
            if !is_fold {
                // As soon as its folds are ready, so that it is computed once.
                self.stages[formula.ready[k as usize]].row.push(k);
            }
        }
        for at in 0..self.stages.len() {
            let kept = (0..count).filter(|&k| {
                formula.is_lane(k) && self.first[k as usize] <= at && self.last[k as usize] > at
            });
            self.stages[at].kept = kept.map(|k| halves(formula.dtype(k))).sum();
        }
        self.stages
    }
}

/// 16-bit halves of registers that an element of this type takes.
pub(super) fn halves(dtype: DType) -> usize {
    if dtype.is_half() {
        1
    } else {
        dtype.size().max(4) / 2
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    fn of(program: &syntonic_core::fuse::Typed) -> (Formula, Vec<Stage>) {
        let (formula, _) = Formula::of(program, |_| true).expect("it has folds");
        let stages = stages(&formula);
        (formula, stages)
    }

    #[test]
    fn a_softmax_keeps_one_word_an_element() {
        let (_, stages) = of(&samples::softmax(DType::F32));
        assert_eq!(stages.len(), 3);
        let shape: Vec<_> = stages
            .iter()
            .map(|s| (s.loads.len(), s.folds.len(), s.kept))
            .collect();
        assert_eq!(shape, [(1, 1, 2), (0, 1, 2), (0, 0, 0)]);
    }

    #[test]
    fn halves_are_kept_as_halves() {
        let (formula, stages) = of(&samples::softmax(DType::BF16));
        assert_eq!(stages.iter().map(|s| s.kept).collect::<Vec<_>>(), [1, 1, 0]);
        let widens = |k: &u32| matches!(formula.form.values[*k as usize].step, Step::Cast(a) if formula.dtype(a).is_half());
        assert!(stages.iter().all(|s| s.lane.iter().any(widens)));
    }

    #[test]
    fn every_value_is_computed_before_it_is_used() {
        for program in samples::all() {
            let (formula, stages) = of(&program);
            let mut there = vec![false; formula.form.values.len()];
            for (at, stage) in stages.iter().enumerate() {
                for &k in stage.row.iter().chain(&stage.loads).chain(&stage.lane) {
                    let operands = formula.form.operands(k).iter();
                    assert!(
                        operands.clone().all(|&a| there[a as usize]),
                        "{}: {k}",
                        program.name
                    );
                    there[k as usize] = true;
                }
                for &f in &stage.folds {
                    assert!(
                        there[formula.folds[f].of as usize],
                        "{}: fold {f}",
                        program.name
                    );
                    assert_eq!(formula.folds[f].round, at);
                    there[formula.folds[f].to as usize] = true;
                }
            }
            assert!(
                formula.outputs.iter().all(|o| there[o.value as usize]),
                "{}",
                program.name
            );
        }
    }
}
