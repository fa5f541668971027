//! Element-wise functions by name: every primitive and every composite of the engine's tables.

use crate::enter::enter;
use crate::errors::{Class, error, raise};
use crate::operand::{self, Compares, Operand};
use crate::pipeline::formula as symbol;
use crate::singles;
use crate::state::State;
use pyo3::prelude::*;
use smallvec::SmallVec;
use syntonic_core::fuse::Prim;
use syntonic_core::ops::composites::{self, Composite};
use syntonic_core::ops::elementwise::{Arg, apply, composite};
use syntonic_core::{Scalar, Tensor, cpu};

/// One row of a table.
#[derive(Clone, Copy)]
pub(crate) enum Formula {
    Prim(Prim),
    Composite(&'static Composite),
}

impl Formula {
    fn named(name: &str) -> Option<Formula> {
        let prim = Prim::ALL
            .iter()
            .find(|p| p.name() == name)
            .map(|&p| Formula::Prim(p));
        let mut composites = composites::ALL.iter().chain(syntonic_srt::nn::ACTIVATIONS);
        prim.or_else(|| composites.find(|c| c.name == name).map(Formula::Composite))
    }

    pub(crate) fn arity(self) -> usize {
        match self {
            Formula::Prim(p) => p.arity(),
            Formula::Composite(c) => c.args.len(),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Formula::Prim(p) => p.name(),
            Formula::Composite(c) => c.name,
        }
    }
}

/// The formula over operands that broadcast together.
pub(crate) fn call(py: Python<'_>, formula: Formula, operands: &[Operand<'_>]) -> PyResult<Tensor> {
    let size = operands.iter().map(Operand::numel).max().unwrap_or(0);
    let rare = |o: &Operand<'_>| matches!(o, Operand::Listed(_) | Operand::Huge(_));
    if operands.iter().any(rare) {
        return call_beside(py, formula, operands, size);
    }
    compute(py, formula, operands, size)
}

/// As [`call`], with lists or integers that no type holds among the operands, which have to look at the others first.
#[cold]
fn call_beside(
    py: Python<'_>,
    formula: Formula,
    operands: &[Operand<'_>],
    size: usize,
) -> PyResult<Tensor> {
    let device = operand::common(operands).cloned().unwrap_or_else(cpu);
    let compares = match formula {
        Formula::Prim(prim) => Compares::of(prim),
        Formula::Composite(_) => Compares::No,
    };
    let common = operand::common_dtype(operands);
    let moved: Vec<Operand<'_>> = operands
        .iter()
        .map(|operand| operand.among(formula.name(), compares, &device, common))
        .collect::<PyResult<_>>()?;
    compute(py, formula, &moved, size)
}

fn compute(
    py: Python<'_>,
    formula: Formula,
    operands: &[Operand<'_>],
    size: usize,
) -> PyResult<Tensor> {
    let mut args = [Arg::Number(Scalar::Bool(false)); 3];
    for (arg, operand) in args.iter_mut().zip(operands) {
        *arg = operand.arg();
    }
    let args = &mut args[..operands.len()];
    let lone;
    if let Some(x) = only_numbers(args) {
        lone = operand::alone(x).map_err(raise)?;
        args[0] = Arg::Tensor(&lone);
    }
    let args = &*args;
    enter(py, size, || match formula {
        Formula::Prim(prim) => apply(prim, args),
        Formula::Composite(c) => composite(c.name, c.build, args),
    })
}

/// The first number, where there is nothing but numbers.
fn only_numbers(args: &[Arg<'_>]) -> Option<Scalar> {
    let mut first = None;
    for arg in args {
        match arg {
            Arg::Tensor(_) => return None,
            Arg::Number(x) => first = first.or(Some(*x)),
        }
    }
    first
}

/// An element-wise function of the engine.
#[pyclass(frozen, name = "Elementwise", module = "syntonic._core")]
pub(crate) struct Elementwise(Formula);

#[pymethods]
impl Elementwise {
    /// The function of this name.
    #[new]
    fn new(name: &str) -> PyResult<Elementwise> {
        let formula = Formula::named(name);
        let missing = || {
            error(
                Class::Argument,
                format!("no element-wise function is called {name:?}"),
            )
        };
        formula.map(Elementwise).ok_or_else(missing)
    }

    /// Applies it to one, two or three operands; the result goes to `out` if that is a State.
    // Separate parameters cost less than a tuple of them, and this is called for every small array.
    #[pyo3(signature = (out, a, b=None, c=None, /), text_signature = "($self, out, *operands)")]
    fn call<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        a: &Bound<'py, PyAny>,
        b: Option<&Bound<'py, PyAny>>,
        c: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let given = 1 + usize::from(b.is_some()) + usize::from(c.is_some());
        if given != self.0.arity() {
            let (name, wanted) = (self.0.name(), self.0.arity());
            return Err(error(
                Class::Argument,
                format!("{name}: takes {wanted} operands, {given} given"),
            ));
        }
        let operands: SmallVec<[&Bound<'py, PyAny>; 3]> =
            [Some(a), b, c].into_iter().flatten().collect();
        if out.is_none_or(|out| out.is_none())
            && let Some(symbol) = symbol::applied(py, self.0, &operands)?
        {
            return Ok(symbol);
        }
        if let (Formula::Prim(prim), None, true) = (self.0, c, out.is_none_or(|out| out.is_none()))
            && let Some(made) = singles::function(py, prim, a, b)
        {
            return Ok(made?.into_any());
        }
        let out = State::target(self.0.name(), out)?;
        let a = Operand::from_any(a)?;
        let result = match (b, c) {
            (Some(b), Some(c)) => call(
                py,
                self.0,
                &[a, Operand::from_any(b)?, Operand::from_any(c)?],
            )?,
            (Some(b), None) => call(py, self.0, &[a, Operand::from_any(b)?])?,
            _ => call(py, self.0, &[a])?,
        };
        // As in NumPy, a result is repeated along the axes of `out`.
        let result = match &out {
            Some(out) => {
                let shape = out.get().tensor.shape();
                result.broadcast_to(shape).unwrap_or(result)
            }
            None => result,
        };
        Ok(State::deliver(py, self.0.name(), result, out)?.into_any())
    }
}
