//! How a program is drawn: statements whose values stay within bounds that are followed along, so that each is a number that its
//! element type holds, and each error is known.

mod operators;

use anyhow::{Context, Result, ensure};
use syntonic_core::DType;

use super::chance::Chance;
use super::class::Class;
use super::program::{Axis, Kind, Operand, Program, Statement, Value};

/// Element-wise operators of a program at least and at most.
const STATEMENTS: (usize, usize) = (5, 30);
/// Operands at most.
const OPERANDS: usize = 5;

/// Where the values of a statement lie: real parts and imaginary ones.
#[derive(Clone, Debug)]
pub(super) struct Range {
    low: f64,
    high: f64,
    /// What values they are.
    sort: Sort,
    /// Which axes of the index space it has; it is one value along the others.
    axes: Vec<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Mask,
    Integer,
    Real,
    Complex,
}

/// The program of a seed.
///
/// # Errors
/// Where a draw has no meaning, which is a defect.
pub(super) fn program(class: Class, seed: u64) -> Result<Program> {
    let mut chance = Chance::new(seed);
    let dtypes = class.dtypes();
    let dtype = dtypes[chance.below(dtypes.len())];
    let shape = shape(class, dtype, &mut chance);
    let mut drawn = Drawn {
        class,
        dtype,
        chance,
        program: Program {
            class,
            shape,
            operands: Vec::new(),
            statements: Vec::new(),
            gradient: class == Class::Gradients,
        },
        ranges: Vec::new(),
        waiting: Vec::new(),
    };
    drawn.operands();
    drawn.statements()?;
    Ok(drawn.program)
}

/// Lengths of the axes, so that a whole operand has a number of bytes that is uniform in its logarithm.
fn shape(class: Class, dtype: DType, chance: &mut Chance) -> Vec<usize> {
    let (least, most) = class.bytes();
    let bytes = least * (most / least).powf(chance.unit());
    let elements = bytes / dtype.size() as f64;
    let least_rank = if matches!(class, Class::Plain | Class::Strided | Class::Small) {
        1
    } else {
        2
    };
    let rank = least_rank + chance.below(5 - least_rank);
    // Parts of the logarithm; a last axis is never very short.
    let mut parts: Vec<f64> = (0..rank).map(|_| 0.15 + chance.unit()).collect();
    parts[rank - 1] += 0.3;
    let all: f64 = parts.iter().sum();
    let mut lengths: Vec<usize> = parts
        .iter()
        .map(|part| elements.powf(part / all).round().max(2.0) as usize)
        .collect();
    // Half of the programs have lengths as networks have them.
    if chance.one_of(2) {
        for n in lengths.iter_mut().filter(|n| **n > 48) {
            *n = n.div_ceil(32) * 32;
        }
    }
    lengths
}

/// A program in the making.
struct Drawn {
    class: Class,
    dtype: DType,
    chance: Chance,
    program: Program,
    /// Of the operands and then of the statements.
    ranges: Vec<Range>,
    /// Values that nothing has taken yet.
    waiting: Vec<usize>,
}

impl Drawn {
    fn operands(&mut self) {
        let count = 1 + self.chance.below(OPERANDS - 1);
        for k in 0..count {
            self.operand(k == 0, self.dtype);
        }
        let masked = self.class == Class::Halves || self.chance.one_of(6);
        if masked && self.class != Class::Gradients {
            self.operand(false, DType::Bool);
        }
    }

    /// One of them has every axis, so that the result has the whole shape.
    fn operand(&mut self, whole: bool, dtype: DType) {
        let rank = self.program.shape.len();
        let mut axes = vec![Axis::Whole; rank];
        if !whole && rank > 1 && self.chance.one_of(2) {
            // Repeated along some axes, as a bias, a row's mean or a mask of positions is.
            let kept = self.chance.below(rank);
            let behind = self.chance.one_of(2);
            for (k, axis) in axes.iter_mut().enumerate() {
                if (behind && k < kept) || (!behind && k > kept) {
                    *axis = Axis::Repeated;
                }
            }
        }
        let last = rank - 1;
        match self.class {
            Class::Strided => {
                let at = self.chance.below(rank);
                let view = match self.chance.below(3) {
                    0 => Axis::Behind(1),
                    1 => Axis::Behind(1 + self.chance.below(7)),
                    _ => Axis::Every2nd,
                };
                let at = if self.chance.one_of(2) { last } else { at };
                if axes[at] == Axis::Whole {
                    axes[at] = view;
                }
            }
            Class::OtherFolds | Class::Halves | Class::Gradients
                if self.chance.one_of(8) && axes[last] == Axis::Whole =>
            {
                axes[last] = Axis::Behind(1);
            }
            _ => {}
        }
        let mut order: Vec<usize> = (0..rank).collect();
        let turned = match self.class {
            Class::Transposed => !whole,
            Class::Halves | Class::Gradients => !whole && self.chance.one_of(6),
            _ => false,
        };
        if turned && rank > 1 {
            let other = self.chance.below(last);
            order.swap(other, last);
        }
        let (low, high) = match dtype {
            DType::I32 | DType::I64 => (1.0, 100.0),
            _ if dtype.is_bool() => (0.0, 1.0),
            _ => [(0.5, 1.5), (-1.0, 1.0), (0.1, 4.0)][self.chance.below(3)],
        };
        let has = axes.iter().map(|&axis| axis != Axis::Repeated).collect();
        let sort = match dtype {
            _ if dtype.is_bool() => Sort::Mask,
            _ if dtype.is_integer() => Sort::Integer,
            _ if dtype.is_complex() => Sort::Complex,
            _ => Sort::Real,
        };
        self.waiting.push(self.ranges.len());
        self.ranges.push(Range {
            low,
            high,
            sort,
            axes: has,
        });
        self.program.operands.push(Operand {
            dtype: dtype.name().into(),
            low,
            high,
            axes,
            order,
        });
    }

    fn statements(&mut self) -> Result<()> {
        let (least, most) = self.class.folds();
        let folds = least + self.chance.below(most - least + 1);
        let count = STATEMENTS.0 + self.chance.below(STATEMENTS.1 - STATEMENTS.0 + 1);
        let mut places: Vec<usize> = (0..folds)
            .map(|_| 1 + self.chance.below(count - 1))
            .collect();
        places.sort_unstable();
        for k in 0..count {
            let folded = places.iter().filter(|&&place| place == k).count();
            for _ in 0..folded {
                self.fold()?;
            }
            self.apply()?;
        }
        // What nothing has taken is a part of the result.
        while self.waiting.len() > 1 {
            self.joined()?;
        }
        Ok(())
    }

    /// A value that nothing has taken yet, mostly; not a mask.
    fn value(&mut self) -> Result<usize> {
        let fresh = self.chance.below(10) < 7;
        let numbers = |k: &usize| self.ranges[*k].sort != Sort::Mask;
        let mut from: Vec<usize> = self.waiting.iter().copied().filter(numbers).collect();
        if !fresh || from.is_empty() {
            from = (0..self.ranges.len()).filter(numbers).collect();
        }
        ensure!(!from.is_empty(), "a program without numbers");
        Ok(from[self.chance.below(from.len())])
    }

    /// Another value of the same sort, where there is one: `x - x` is nobody's program.
    fn other(&mut self, a: usize) -> usize {
        let sort = self.ranges[a].sort;
        let other = |k: &usize| *k != a && self.ranges[*k].sort == sort;
        let waiting: Vec<usize> = self.waiting.iter().copied().filter(other).collect();
        let all: Vec<usize> = (0..self.ranges.len()).filter(other).collect();
        let from = if waiting.is_empty() || self.chance.one_of(2) {
            all
        } else {
            waiting
        };
        match from.len() {
            0 => a,
            n => from[self.chance.below(n)],
        }
    }

    fn apply(&mut self) -> Result<()> {
        // A mask that nothing has taken is taken soon.
        let mut mask = self.waiting.iter().copied();
        let mask = mask.rfind(|&k| self.ranges[k].sort == Sort::Mask);
        if let Some(mask) = mask
            && self.chance.one_of(2)
        {
            return self.chosen(mask);
        }
        for _ in 0..50 {
            let a = self.value()?;
            let made = match self.ranges[a].sort {
                Sort::Integer => self.of_integers(a)?,
                Sort::Complex => self.of_complex(a)?,
                _ => self.of_reals(a)?,
            };
            if made {
                return Ok(());
            }
        }
        let a = self.value()?;
        self.one("negative", a, |low, high| (-high, -low))
    }

    /// `where(mask, a, b)`.
    fn chosen(&mut self, mask: usize) -> Result<()> {
        let a = self.value()?;
        let b = self.other(a);
        let (low, high) = (
            self.ranges[a].low.min(self.ranges[b].low),
            self.ranges[a].high.max(self.ranges[b].high),
        );
        let sort = self.ranges[a].sort;
        if a == b {
            let args = vec![self.named(mask), self.named(a), Value::Number(0.0)];
            return self.made(
                "where",
                args,
                &[mask, a],
                (low.min(0.0), high.max(0.0)),
                sort,
            );
        }
        let args = vec![self.named(mask), self.named(a), self.named(b)];
        self.made("where", args, &[mask, a, b], (low, high), sort)
    }

    fn fold(&mut self) -> Result<()> {
        let rank = self.program.shape.len();
        let axes: Vec<usize> = match self.class {
            Class::OtherFolds | Class::Gradients if rank > 1 => {
                let first = self.chance.below(rank - 1);
                match self.chance.below(4) {
                    0 => (0..rank).collect(),
                    1 => (0..=first).collect(),
                    2 => vec![first],
                    _ => (first..rank).collect(),
                }
            }
            _ => vec![rank - 1],
        };
        // Some value has all of these axes.
        let has = |r: &Range| axes.iter().all(|&k| r.axes[k]) && r.sort != Sort::Mask;
        let from: Vec<usize> = (0..self.ranges.len())
            .filter(|&k| has(&self.ranges[k]))
            .collect();
        let fresh: Vec<usize> = from
            .iter()
            .copied()
            .filter(|k| self.waiting.contains(k))
            .collect();
        let from = if fresh.is_empty() { from } else { fresh };
        if from.is_empty() {
            return Ok(());
        }
        let a = from[self.chance.below(from.len())];
        let range = self.ranges[a].clone();
        let folded: f64 = axes.iter().map(|&k| self.program.shape[k] as f64).product();
        let sum = range.low.abs().max(range.high.abs()) * folded < self.limit();
        let kind = match (range.sort, self.chance.below(4)) {
            (Sort::Integer, n) if n < 2 => [Kind::Max, Kind::Min][n],
            (Sort::Integer, _) if range.high * folded < 1e9 => Kind::Sum,
            (Sort::Integer, _) => Kind::Max,
            (Sort::Complex, n) => {
                if sum && n < 2 {
                    Kind::Sum
                } else {
                    Kind::Mean
                }
            }
            (_, 0 | 1) if sum => Kind::Sum,
            (_, n) if n < 3 || self.program.gradient => Kind::Mean,
            _ => Kind::Max,
        };
        let (low, high) = match kind {
            Kind::Sum => (range.low * folded, range.high * folded),
            _ => (range.low, range.high),
        };
        let mut left = range.axes;
        for &k in &axes {
            left[k] = false;
        }
        let value = self.named(a);
        self.program
            .statements
            .push(Statement::Fold(kind, value, axes));
        self.push(
            &[a],
            Range {
                low,
                high,
                sort: range.sort,
                axes: left,
            },
        );
        // What was folded meets its result, as in a norm or a softmax.
        if self.chance.below(4) < 3 {
            self.waiting.push(a);
        }
        Ok(())
    }

    /// The last two that wait become one.
    fn joined(&mut self) -> Result<()> {
        let (a, b) = (self.waiting[0], self.waiting[1]);
        let (x, y) = (self.ranges[a].clone(), self.ranges[b].clone());
        match (x.sort, y.sort) {
            (Sort::Mask, Sort::Mask) => {
                let args = vec![self.named(a), self.named(b)];
                self.made("logical_and", args, &[a, b], (0.0, 1.0), Sort::Mask)
            }
            (Sort::Mask, _) | (_, Sort::Mask) => {
                let (mask, x, sort) = if x.sort == Sort::Mask {
                    (a, b, y.sort)
                } else {
                    (b, a, x.sort)
                };
                let (low, high) = (self.ranges[x].low, self.ranges[x].high);
                let args = vec![self.named(mask), self.named(x), Value::Number(0.0)];
                self.made(
                    "where",
                    args,
                    &[mask, x],
                    (low.min(0.0), high.max(0.0)),
                    sort,
                )
            }
            _ => {
                let args = vec![self.named(a), self.named(b)];
                // Thirty values of the limit are within every type.
                self.made(
                    "add",
                    args,
                    &[a, b],
                    (x.low + y.low, x.high + y.high),
                    x.sort,
                )
            }
        }
    }

    fn named(&self, k: usize) -> Value {
        let operands = self.program.operands.len();
        match k.checked_sub(operands) {
            Some(earlier) => Value::Earlier(earlier),
            None => Value::Operand(k),
        }
    }

    fn one(
        &mut self,
        name: &str,
        a: usize,
        ends: impl FnOnce(f64, f64) -> (f64, f64),
    ) -> Result<()> {
        let range = self.ranges[a].clone();
        let args = vec![self.named(a)];
        self.made(name, args, &[a], ends(range.low, range.high), range.sort)
    }

    /// A value beside a number, unless it leaves its bounds.
    fn with(&mut self, name: &str, a: usize, number: f64, (low, high): (f64, f64)) -> Result<bool> {
        let sort = self.ranges[a].sort;
        if sort != Sort::Integer && low.abs().max(high.abs()) > self.limit() {
            return Ok(false);
        }
        let args = vec![self.named(a), Value::Number(number)];
        self.made(name, args, &[a], (low, high), sort)?;
        Ok(true)
    }

    fn made(
        &mut self,
        name: &str,
        args: Vec<Value>,
        taken: &[usize],
        (low, high): (f64, f64),
        sort: Sort,
    ) -> Result<()> {
        let axes = taken.iter().map(|&k| self.ranges[k].axes.clone());
        let axes = axes.reduce(|a, b| a.iter().zip(b).map(|(x, y)| *x || y).collect());
        let axes = axes.context("a statement without operands")?;
        self.program
            .statements
            .push(Statement::Apply(name.into(), args));
        self.push(
            taken,
            Range {
                low,
                high,
                sort,
                axes,
            },
        );
        Ok(())
    }

    fn push(&mut self, taken: &[usize], range: Range) {
        self.waiting.retain(|k| !taken.contains(k));
        self.waiting.push(self.ranges.len());
        self.ranges.push(range);
    }
}
