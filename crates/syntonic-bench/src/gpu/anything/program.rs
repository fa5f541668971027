//! A random program as data: operands as they lie in memory, and statements over them.

use std::sync::Arc;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use syntonic_core::fuse::Prim;
use syntonic_core::num_complex::Complex;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::ops::random::uniform;
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::random::Generator;
use syntonic_core::{DType, Device, Scalar, Tensor};

use super::class::Class;

/// What is computed, over index spaces of one shape.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Program {
    pub(super) class: Class,
    /// The lengths of the whole index space.
    pub(super) shape: Vec<usize>,
    pub(super) operands: Vec<Operand>,
    /// The last one is the result.
    pub(super) statements: Vec<Statement>,
    /// Whether the result is the gradient of its mean for every operand of floats.
    pub(super) gradient: bool,
}

/// Values between two bounds, and how they lie.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Operand {
    /// Its name, as the array libraries have it.
    pub(super) dtype: String,
    pub(super) low: f64,
    pub(super) high: f64,
    /// By axis of the index space, outermost first.
    pub(super) axes: Vec<Axis>,
    /// Axes of the index space in the order in which they lie in memory.
    pub(super) order: Vec<usize>,
}

/// Which elements of memory an operand has along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(super) enum Axis {
    /// All.
    Whole,
    /// One for all places.
    Repeated,
    /// All but the first `n` of as many more.
    Behind(usize),
    /// Every other one.
    Every2nd,
}

/// One operation.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) enum Statement {
    /// A primitive by name.
    Apply(String, Vec<Value>),
    /// A reduction whose axes stay with length 1.
    Fold(Kind, Value, Vec<usize>),
}

/// What is taken by a statement.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(super) enum Value {
    Operand(usize),
    /// The result of an earlier statement.
    Earlier(usize),
    Number(f64),
}

/// A reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(super) enum Kind {
    Sum,
    Mean,
    Max,
    Min,
}

impl Axis {
    /// Elements that memory has along an axis of `n` places.
    pub(super) fn length(self, n: usize) -> usize {
        match self {
            Axis::Whole => n,
            Axis::Repeated => 1,
            Axis::Behind(more) => n + more,
            Axis::Every2nd => 2 * n,
        }
    }
}

impl Operand {
    pub(super) fn dtype(&self) -> Result<DType> {
        DType::from_name(&self.dtype).with_context(|| format!("no type {}", self.dtype))
    }

    /// The shape that it has in the program.
    pub(super) fn lengths(&self, shape: &[usize]) -> Vec<usize> {
        let each = self.axes.iter().zip(shape);
        each.map(|(&axis, &n)| if axis == Axis::Repeated { 1 } else { n })
            .collect()
    }

    /// The shape of its memory.
    pub(super) fn memory(&self, shape: &[usize]) -> Vec<usize> {
        let lengths = self.order.iter();
        lengths.map(|&k| self.axes[k].length(shape[k])).collect()
    }

    /// Values that depend on the seed, laid out so.
    pub(super) fn draw(
        &self,
        shape: &[usize],
        seed: u64,
        device: &Arc<dyn Device>,
    ) -> Result<Tensor> {
        let (dtype, memory) = (self.dtype()?, self.memory(shape));
        let mut generator = Generator::new(seed);
        let kind = if dtype.is_bool() || dtype.is_integer() {
            DType::F32
        } else {
            dtype.real()
        };
        let mut part = || uniform(&memory, self.low, self.high, kind, &mut generator, device);
        let x = if dtype.is_bool() {
            let middle = (self.low + self.high) / 2.0;
            apply(Prim::Lt, &[(&part()?).into(), Arg::from(middle)])?
        } else if dtype.is_complex() {
            let turned = part()?.cast(dtype)?.try_mul(Complex::new(0.0, 1.0))?;
            part()?.cast(dtype)?.try_add(&turned)?
        } else {
            part()?.cast(dtype)?
        };
        self.view(&x.eval()?, shape)
    }

    /// The operand of such memory.
    pub(super) fn view(&self, memory: &Tensor, shape: &[usize]) -> Result<Tensor> {
        let mut back = vec![0; self.order.len()];
        for (place, &axis) in self.order.iter().enumerate() {
            back[axis] = place as isize;
        }
        let mut x = memory.permute(&back)?;
        for (k, axis) in self.axes.iter().enumerate() {
            let (at, n) = (k as isize, shape[k] as isize);
            x = match *axis {
                Axis::Whole | Axis::Repeated => x,
                Axis::Behind(more) => x.slice(at, Some(more as isize), None, 1)?,
                Axis::Every2nd => x.slice(at, None, Some(2 * n), 2)?,
            };
        }
        Ok(x)
    }
}

impl Program {
    /// The operands for one seed.
    pub(super) fn draw(
        &self,
        shape: &[usize],
        seed: u64,
        device: &Arc<dyn Device>,
    ) -> Result<Vec<Tensor>> {
        let each = self.operands.iter().enumerate();
        each.map(|(k, x)| x.draw(shape, seed.wrapping_mul(64) + k as u64, device))
            .collect()
    }

    /// The results, as somebody asks for them who writes the statements down.
    pub(super) fn run(&self, operands: &[Tensor]) -> Result<Vec<Tensor>> {
        if !self.gradient {
            return Ok(vec![self.value(operands)?.eval()?]);
        }
        let (varied, at) = self.varied(operands);
        let slopes = syntonic_core::grad::grad(
            |floats| {
                let mut all = operands.to_vec();
                for (x, &k) in floats.iter().zip(&at) {
                    all[k] = x.clone();
                }
                let value = self
                    .value(&all)
                    .map_err(|e| syntonic_core::Error::value("anything", format!("{e:#}")))?;
                reduce::mean(&value, &Over::all())
            },
            &varied,
        )?;
        Ok(slopes
            .iter()
            .map(Tensor::eval)
            .collect::<syntonic_core::Result<_>>()?)
    }

    /// Operands that a gradient is taken for, and their places.
    fn varied<'a>(&self, operands: &'a [Tensor]) -> (Vec<&'a Tensor>, Vec<usize>) {
        let each = operands.iter().enumerate();
        each.filter(|(_, x)| x.dtype().is_float())
            .map(|(k, x)| (x, k))
            .unzip()
    }

    fn value(&self, operands: &[Tensor]) -> Result<Tensor> {
        let mut made: Vec<Tensor> = Vec::new();
        for statement in &self.statements {
            let next = statement.of(operands, &made)?;
            made.push(next);
        }
        made.pop().context("a program without statements")
    }
}

impl Statement {
    /// What it takes.
    pub(super) fn takes(&self) -> &[Value] {
        match self {
            Statement::Apply(_, values) => values,
            Statement::Fold(_, value, _) => std::slice::from_ref(value),
        }
    }

    fn of(&self, operands: &[Tensor], made: &[Tensor]) -> Result<Tensor> {
        let arg = |value: &Value| match *value {
            Value::Operand(k) => Arg::Tensor(&operands[k]),
            Value::Earlier(k) => Arg::Tensor(&made[k]),
            Value::Number(x) if x.fract() == 0.0 => Arg::Number(Scalar::Int(x as i128)),
            Value::Number(x) => Arg::Number(Scalar::Float(x)),
        };
        match self {
            Statement::Apply(name, values) => {
                let args: Vec<Arg<'_>> = values.iter().map(arg).collect();
                Ok(apply(primitive(name)?, &args)?)
            }
            Statement::Fold(kind, value, axes) => {
                let Arg::Tensor(x) = arg(value) else {
                    anyhow::bail!("a reduction of a number");
                };
                kind.of(x, axes)
            }
        }
    }
}

impl Kind {
    pub(super) fn of(self, x: &Tensor, axes: &[usize]) -> Result<Tensor> {
        let axes: Vec<isize> = axes.iter().map(|&k| k as isize).collect();
        let over = Over::axes(&axes).keep();
        Ok(match self {
            Kind::Sum => reduce::sum(x, &over, None)?,
            Kind::Mean => reduce::mean(x, &over)?,
            Kind::Max => reduce::max(x, &over)?,
            Kind::Min => reduce::min(x, &over)?,
        })
    }
}

/// The primitive of a name.
pub(super) fn primitive(name: &str) -> Result<Prim> {
    let mut all = Prim::ALL.iter().copied();
    all.find(|prim| prim.name() == name)
        .with_context(|| format!("no primitive {name}"))
}
