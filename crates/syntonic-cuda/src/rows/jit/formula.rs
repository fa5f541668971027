//! A program of rows, normalised for its kernel: without names, numbers and dead nodes. What is left says which values vary
//! along a row, which folds depend on which, and what is written.

use super::fold::Accumulator;
use crate::codegen::form::{Form, Step, Value};
use crate::codegen::instructions;
use crate::codegen::ranges::Ranges;
use crate::jit::Sharing;
use std::collections::HashMap;
use syntonic_core::fuse::{Fold, Op, Prim, Typed, Yield};
use syntonic_core::{DType, Scalar};

/// What a leaf of the form is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Leaf {
    /// An operand in memory, by its position among the inputs.
    Operand(u16),
    /// A number passed at launch, by its position among those.
    Number(u16),
    /// The result of a fold.
    Fold(u16),
}

/// A fold over the row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Folded {
    pub(super) fold: Fold,
    /// The value that is folded.
    pub(super) of: u32,
    /// The leaf that takes the result.
    pub(super) to: u32,
    /// How many rounds of folds it depends on.
    pub(super) round: usize,
    pub(super) accumulator: Accumulator,
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Output {
    pub(super) value: u32,
    pub(super) role: Yield,
}

impl Output {
    /// True for a result per element.
    pub(super) fn is_each(self) -> bool {
        self.role == Yield::Element
    }

    /// True for one that is summed over all rows.
    pub(super) fn is_summed(self) -> bool {
        self.role == Yield::RowSum
    }
}

/// The formula of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Formula {
    /// The values; results of folds are leaves.
    pub(super) form: Form,
    /// What each leaf of the form is, by its value.
    pub(super) leaves: Vec<(u32, Leaf)>,
    /// For each value, whether it varies along the row.
    pub(super) varies: Vec<bool>,
    pub(super) folds: Vec<Folded>,
    pub(super) outputs: Vec<Output>,
    /// How many rounds of folds there are.
    pub(super) rounds: usize,
    /// For each value, how many rounds of folds it depends on.
    pub(super) ready: Vec<usize>,
    /// A bit for each input that is an index and has no memory.
    pub(super) indices: u32,
}

/// A number of a formula: its node in the program, and its type.
pub(super) type Number = (Op, DType);

impl Formula {
    /// The formula of a program whose input `k` varies along the row where `varies(k)`, and its numbers; nothing where no kernel
    /// can be made of it, or where it folds nothing.
    pub(super) fn of(
        program: &Typed,
        varies: impl Fn(u16) -> bool,
    ) -> Option<(Formula, Vec<Number>)> {
        Formula::of_any(program, varies).filter(|(formula, _)| formula.rounds > 0)
    }

    /// As [`Formula::of`], also of a program that folds nothing.
    pub(super) fn of_any(
        program: &Typed,
        varies: impl Fn(u16) -> bool,
    ) -> Option<(Formula, Vec<Number>)> {
        let mut walk = Walk {
            program,
            ranges: Ranges::of(program),
            formula: Formula {
                form: Form {
                    values: Vec::new(),
                    outputs: Vec::new(),
                },
                leaves: Vec::new(),
                varies: Vec::new(),
                folds: Vec::new(),
                outputs: Vec::new(),
                rounds: 0,
                ready: Vec::new(),
                indices: 0,
            },
            numbers: Vec::new(),
            places: HashMap::new(),
        };
        for output in &program.outputs {
            let role = output.role;
            let value = match role {
                Yield::RowSum => walk.summed(output.node, &varies)?,
                _ => walk.visit(output.node, &varies)?,
            };
            walk.formula.outputs.push(Output { value, role });
        }
        let Walk {
            mut formula,
            numbers,
            ..
        } = walk;
        let rounds = formula.folds.iter().map(|f| f.round + 1);
        formula.rounds = rounds.max().unwrap_or(0);
        Some((formula, numbers))
    }

    pub(super) fn dtype(&self, k: u32) -> DType {
        self.form.values[k as usize].dtype
    }

    pub(super) fn is_lane(&self, k: u32) -> bool {
        self.varies[k as usize]
    }

    /// Instructions for each element, roughly.
    pub(super) fn work(&self) -> usize {
        let lane = (0..self.form.values.len() as u32).filter(|&k| self.is_lane(k));
        lane.map(|k| match self.form.values[k as usize].step {
            Step::Leaf(_) => 0,
            Step::Apply(prim, _) => instructions(prim, self.form.operand_dtype(k)),
            Step::Cast(_) => 2,
        })
        .sum()
    }

    /// True for an input that is an index, and has no memory.
    pub(super) fn is_index(&self, operand: usize) -> bool {
        operand < 32 && (self.indices >> operand) & 1 == 1
    }

    /// What the leaf `k` is.
    pub(super) fn leaf(&self, k: u32) -> Option<Leaf> {
        let found = self.leaves.iter().find(|(value, _)| *value == k);
        found.map(|(_, leaf)| *leaf)
    }

    /// How elements share registers: values of the row, and numbers, have one for all.
    pub(super) fn sharing(&self) -> Vec<Sharing> {
        let each = self.varies.iter();
        each.map(|varies| Sharing::of_uniform(!varies)).collect()
    }

    /// A hash that is the same for equal formulas, in every build.
    pub(super) fn fingerprint(&self) -> u64 {
        let mut hash = self.form.fingerprint();
        let mut add = |x: u64| hash = (hash ^ x).wrapping_mul(0x0000_0100_0000_01b3);
        for &(k, leaf) in &self.leaves {
            add(u64::from(k) << 1 | u64::from(self.is_lane(k)));
            match leaf {
                Leaf::Operand(o) => add(u64::from(o) << 2),
                Leaf::Number(n) => add(u64::from(n) << 2 | 1),
                Leaf::Fold(f) => add(u64::from(f) << 2 | 2),
            }
        }
        for fold in &self.folds {
            add((fold.fold as u64) << 32 | u64::from(fold.of));
        }
        for output in &self.outputs {
            add(u64::from(output.value) << 2 | output.role as u64);
        }
        if self.indices != 0 {
            add(u64::from(self.indices) << 8 | 3);
        }
        hash
    }
}

struct Walk<'a> {
    program: &'a Typed,
    ranges: Ranges,
    formula: Formula,
    numbers: Vec<Number>,
    places: HashMap<u32, u32>,
}

impl Walk<'_> {
    /// Adds a node after its operands; nothing where a kernel cannot have it. Deep programs would overflow the call stack, so
    /// the walk keeps its own.
    fn visit(&mut self, root: u32, varies: &impl Fn(u16) -> bool) -> Option<u32> {
        let mut stack = vec![(root, false)];
        while let Some((node, ready)) = stack.pop() {
            if self.places.contains_key(&node) {
                continue;
            }
            let operands = self.program.nodes[node as usize].operands();
            if !ready {
                stack.push((node, true));
                stack.extend(operands.iter().rev().map(|&a| (a, false)));
                continue;
            }
            self.add(node, varies)?;
        }
        self.places.get(&root).copied()
    }

    /// Adds a node that is summed over all rows: it is a float that is not rounded to a half before.
    fn summed(&mut self, node: u32, varies: &impl Fn(u16) -> bool) -> Option<u32> {
        let typed = &self.program.nodes[node as usize];
        let node = match typed.op {
            Op::Cast(wide) if typed.dtype.is_half() => wide,
            _ => node,
        };
        let value = self.visit(node, varies)?;
        matches!(self.formula.dtype(value), DType::F32 | DType::F64).then_some(value)
    }

    /// Adds the sum of complex numbers: those of their real and imaginary parts.
    fn sum_of_parts(&mut self, node: u32, of: u32) {
        let formula = &mut self.formula;
        let complex = formula.dtype(of);
        let real = complex.real();
        let (lane, waits) = (formula.varies[of as usize], formula.ready[of as usize]);
        let mut push = |step: Step, dtype: DType, lane: bool, ready: usize| -> u32 {
            formula.form.values.push(Value::new(step, dtype));
            formula.varies.push(lane);
            formula.ready.push(ready);
            formula.form.values.len() as u32 - 1
        };
        let parts = [Prim::Real, Prim::Imag]
            .map(|part| push(Step::Apply(part, [of; 3]), real, lane, waits));
        let sums = parts.map(|_| push(Step::Leaf(node), real, false, waits + 1));
        let [re, im] = sums;
        let whole = Step::Apply(Prim::Complex, [re, im, re]);
        let whole = push(whole, complex, false, waits + 1);
        for (of, to) in parts.into_iter().zip(sums) {
            let leaf = Leaf::Fold(formula.folds.len() as u16);
            formula.leaves.push((to, leaf));
            formula.folds.push(Folded {
                fold: Fold::Sum,
                of,
                to,
                round: waits,
                accumulator: Accumulator::Real(real),
            });
        }
        self.places.insert(node, whole);
    }

    /// The value that has this constant already, if it is one.
    fn known_constant(&self, op: Op, dtype: DType) -> Option<u32> {
        let bits = |op: Op| match op {
            Op::Const(Scalar::Float(x)) => Some((0, x.to_bits())),
            Op::Const(Scalar::Int(n)) => Some((1, u64::try_from(n).ok()?)),
            _ => None,
        };
        let wanted = bits(op)?;
        let same = |number: &Number| number.1 == dtype && bits(number.0) == Some(wanted);
        let at = self.numbers.iter().position(same)?;
        let leaf = Leaf::Number(at as u16);
        let leaves = &self.formula.leaves;
        Some(leaves.iter().find(|(_, known)| *known == leaf)?.0)
    }

    fn add(&mut self, node: u32, varies: &impl Fn(u16) -> bool) -> Option<()> {
        let typed = &self.program.nodes[node as usize];
        let own: Vec<u32> = typed.operands().iter().map(|a| self.places[a]).collect();
        if matches!(typed.op, Op::Fold(Fold::Sum, _)) && typed.dtype.is_complex() {
            self.sum_of_parts(node, own[0]);
            return Some(());
        }
        if let Some(known) = self.known_constant(typed.op, typed.dtype) {
            self.places.insert(node, known);
            return Some(());
        }
        let next = self.formula.form.values.len() as u32;
        let formula = &mut self.formula;
        let of_operands = own.iter().any(|&a| formula.varies[a as usize]);
        let waits = own
            .iter()
            .map(|&a| formula.ready[a as usize])
            .max()
            .unwrap_or(0);
        let mut leaf = None;
        let (step, lane, ready) = match typed.op {
            Op::Input(k) | Op::Index(k) => {
                if matches!(typed.op, Op::Index(_)) {
                    formula.indices |= 1u32.checked_shl(u32::from(k))?;
                }
                leaf = Some(Leaf::Operand(k));
                (Step::Leaf(node), varies(k), 0)
            }
            Op::Param(_) | Op::Const(_) | Op::Count => {
                leaf = Some(Leaf::Number(self.numbers.len() as u16));
                self.numbers.push((typed.op, typed.dtype));
                (Step::Leaf(node), false, 0)
            }
            Op::Apply(prim, _) => {
                let mut args = [own[0]; 3];
                args[..own.len()].copy_from_slice(&own);
                (Step::Apply(prim, args), of_operands, waits)
            }
            Op::Cast(_) => (Step::Cast(own[0]), of_operands, waits),
            Op::Fold(fold, _) => {
                let of = own[0];
                let accumulator = Accumulator::of(fold, formula.dtype(of), typed.dtype)?;
                leaf = Some(Leaf::Fold(formula.folds.len() as u16));
                formula.folds.push(Folded {
                    fold,
                    of,
                    to: next,
                    round: waits,
                    accumulator,
                });
                (Step::Leaf(node), false, waits + 1)
            }
        };
        formula.leaves.extend(leaf.map(|leaf| (next, leaf)));
        formula.form.values.push(Value {
            moderate: self.ranges.divides_moderately(typed),
            ..Value::new(step, typed.dtype)
        });
        formula.varies.push(lane);
        formula.ready.push(ready);
        self.places.insert(node, next);
        Some(())
    }
}

/// True where recomputing a value costs no more than keeping it.
pub(super) fn is_cheap(step: Step) -> bool {
    let Step::Apply(prim, _) = step else {
        return false;
    };
    matches!(prim, Prim::Add | Prim::Sub | Prim::Mul | Prim::Neg)
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn folds_wait_for_each_other() {
        let softmax = samples::softmax(DType::F32);
        let (formula, numbers) = Formula::of(&softmax, |_| true).expect("it has folds");
        assert_eq!(
            (formula.rounds, formula.folds.len(), numbers.len()),
            (2, 2, 0)
        );
        assert_eq!(
            formula.folds.iter().map(|f| f.round).collect::<Vec<_>>(),
            [0, 1]
        );
        assert!(formula.outputs[0].is_each());
        let last = formula.outputs[0].value;
        assert!(formula.is_lane(last) && formula.ready[last as usize] == 2);
    }

    #[test]
    fn numbers_are_no_part_of_a_formula() {
        let of = |epsilon: f64| {
            Formula::of(&samples::rms_norm(DType::F32, epsilon), |_| true).expect("it has folds")
        };
        let ((one, numbers), (other, others)) = (of(1e-5), of(1e-6));
        assert!(one == other && one.fingerprint() == other.fingerprint());
        assert_ne!(numbers, others);
        let (broadcast, _) =
            Formula::of(&samples::rms_norm(DType::F32, 1e-5), |k| k == 0).expect("it has folds");
        assert_ne!(one.fingerprint(), broadcast.fingerprint());
    }
}
