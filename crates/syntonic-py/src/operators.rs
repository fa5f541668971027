//! Operators of State, in both orders and in place.

use crate::comparisons;
use crate::elementwise::{Formula, call};
use crate::enter::enter;
use crate::errors::raise;
use crate::memory::{foreign, object, writing};
use crate::operand::{Compares, Operand};
use crate::singles;
use crate::state::State;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::types::{PyString, PyTuple};
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::apply;
use syntonic_core::{Scalar, Tensor};

/// `prim(a, b)` as a new State, or `NotImplemented` where the other side is nothing we know.
#[inline]
fn binary(
    py: Python<'_>,
    prim: Prim,
    a: &State,
    other: &Bound<'_, PyAny>,
    order: Order,
) -> PyResult<Py<PyAny>> {
    let single = match order {
        Order::Straight => singles::binary(prim, a, other),
        Order::Reflected => singles::reflected(prim, a, other),
    };
    if let Some(made) = single {
        return Ok(object::new(py, made)?.into_any().unbind());
    }
    let b = match Operand::try_from_any(other) {
        Ok(Some(b)) => b,
        Ok(None) => return beside_object(py, prim, a, other, order),
        // It has operators of its own, and keeps its mask.
        Err(_) if foreign::is_masked(other)? => return Ok(py.NotImplemented()),
        Err(e) => match comparisons::with_objects(prim, &a.tensor, other, &e)? {
            Some(made) => return Ok(object::new(py, made)?.into_any().unbind()),
            None => return Err(e),
        },
    };
    let b = b.beside(prim, &a.tensor)?;
    let result = compute(py, prim, &a.tensor, &b, order)?;
    Ok(object::new(py, result)?.into_any().unbind())
}

/// [`binary`] of what is no number of ours.
#[cold]
fn beside_object(
    py: Python<'_>,
    prim: Prim,
    a: &State,
    other: &Bound<'_, PyAny>,
    order: Order,
) -> PyResult<Py<PyAny>> {
    let t: &Tensor = &a.tensor;
    let made = if Compares::of(prim) == Compares::Yes {
        comparisons::with_object(prim, t, other)?
    } else if t.dtype().is_inexact() && comparisons::is_fraction(other)? {
        // As Python computes with a float and a fraction.
        let b = Operand::Number(Scalar::Float(other.extract()?));
        Some(compute(py, prim, t, &b, order)?)
    } else {
        None
    };
    match made {
        Some(made) => Ok(object::new(py, made)?.into_any().unbind()),
        None => Ok(py.NotImplemented()),
    }
}

/// What an operator of `numpy.float64` asks for before a State, as of the State's own operator; none for all else, and where that is refused.
pub(crate) fn before_state(
    ufunc: &Bound<'_, PyAny>,
    inputs: &Bound<'_, PyTuple>,
) -> Option<Py<PyAny>> {
    if inputs.len() != 2 {
        return None;
    }
    let (number, state) = (inputs.get_item(0).ok()?, inputs.get_item(1).ok()?);
    let state = state.cast::<State>().ok()?.get();
    let dtype = state.tensor.dtype();
    if singles::typed(&number).is_none() || dtype.is_half() || dtype.is_stored() {
        return None;
    }
    let name = ufunc.getattr(intern!(ufunc.py(), "__name__")).ok()?;
    let prim = match &*name.cast::<PyString>().ok()?.to_string_lossy() {
        "add" => Prim::Add,
        "subtract" => Prim::Sub,
        "multiply" => Prim::Mul,
        "divide" => Prim::Div,
        "less" => Prim::Lt,
        "less_equal" => Prim::Le,
        "greater" => Prim::Gt,
        "greater_equal" => Prim::Ge,
        _ => return None,
    };
    binary(ufunc.py(), prim, state, &number, Order::Reflected).ok()
}

/// Which side the State stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Straight,
    Reflected,
}

#[inline]
fn compute(
    py: Python<'_>,
    prim: Prim,
    a: &Tensor,
    b: &Operand<'_>,
    order: Order,
) -> PyResult<Tensor> {
    let size = a.numel().max(b.numel());
    enter(py, size, || {
        let (first, second) = match order {
            Order::Straight => (a.into(), b.arg()),
            Order::Reflected => (b.arg(), a.into()),
        };
        match comparisons::orders(prim) && (a.dtype().is_complex() || b.is_complex()) {
            true => comparisons::ordered(prim, first, second),
            false => apply(prim, &[first, second]),
        }
    })
}

fn unary<'py>(py: Python<'py>, prim: Prim, x: &State) -> PyResult<Bound<'py, State>> {
    if let Some(made) = singles::unary(py, prim, x) {
        return made;
    }
    let t: &Tensor = &x.tensor;
    object::new(py, enter(py, t.numel(), || apply(prim, &[t.into()]))?)
}

/// `a = prim(a, b)` in the memory of `a`.
fn in_place(py: Python<'_>, prim: Prim, a: &State, other: &Bound<'_, PyAny>) -> PyResult<()> {
    if singles::in_place(prim, a, other) {
        return Ok(());
    }
    a.tensor.check_writable(prim.name()).map_err(raise)?;
    let b = Operand::from_any(other)?.beside(prim, &a.tensor)?;
    if writing::apply(py, prim, &a.tensor, b.arg())? {
        return Ok(());
    }
    let result = compute(py, prim, &a.tensor, &b, Order::Straight)?;
    a.check_kind(prim.name(), &result)?;
    a.write_result(py, &result)
}

// Written out, because the slots of operators cannot be made inside a macro.
#[pymethods]
impl State {
    fn __add__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(other.py(), Prim::Add, self, other, Order::Straight)
    }

    fn __radd__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(other.py(), Prim::Add, self, other, Order::Reflected)
    }

    fn __iadd__(&self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        in_place(other.py(), Prim::Add, self, other)
    }

    fn __sub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(other.py(), Prim::Sub, self, other, Order::Straight)
    }

    fn __rsub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(other.py(), Prim::Sub, self, other, Order::Reflected)
    }

    fn __isub__(&self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        in_place(other.py(), Prim::Sub, self, other)
    }

    fn __mul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(other.py(), Prim::Mul, self, other, Order::Straight)
    }

    fn __rmul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(other.py(), Prim::Mul, self, other, Order::Reflected)
    }

    fn __imul__(&self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        in_place(other.py(), Prim::Mul, self, other)
    }

    fn __truediv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(other.py(), Prim::Div, self, other, Order::Straight)
    }

    fn __rtruediv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(other.py(), Prim::Div, self, other, Order::Reflected)
    }

    fn __itruediv__(&self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        in_place(other.py(), Prim::Div, self, other)
    }

    fn __floordiv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(other.py(), Prim::FloorDiv, self, other, Order::Straight)
    }

    fn __rfloordiv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(other.py(), Prim::FloorDiv, self, other, Order::Reflected)
    }

    fn __ifloordiv__(&self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        in_place(other.py(), Prim::FloorDiv, self, other)
    }

    fn __mod__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(other.py(), Prim::Rem, self, other, Order::Straight)
    }

    fn __rmod__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(other.py(), Prim::Rem, self, other, Order::Reflected)
    }

    fn __imod__(&self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        in_place(other.py(), Prim::Rem, self, other)
    }

    fn __and__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(other.py(), Prim::BitAnd, self, other, Order::Straight)
    }

    fn __rand__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(other.py(), Prim::BitAnd, self, other, Order::Reflected)
    }

    fn __iand__(&self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        in_place(other.py(), Prim::BitAnd, self, other)
    }

    fn __or__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(other.py(), Prim::BitOr, self, other, Order::Straight)
    }

    fn __ror__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(other.py(), Prim::BitOr, self, other, Order::Reflected)
    }

    fn __ior__(&self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        in_place(other.py(), Prim::BitOr, self, other)
    }

    fn __xor__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(other.py(), Prim::BitXor, self, other, Order::Straight)
    }

    fn __rxor__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(other.py(), Prim::BitXor, self, other, Order::Reflected)
    }

    fn __ixor__(&self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        in_place(other.py(), Prim::BitXor, self, other)
    }

    fn __lshift__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(other.py(), Prim::Shl, self, other, Order::Straight)
    }

    fn __rlshift__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(other.py(), Prim::Shl, self, other, Order::Reflected)
    }

    fn __ilshift__(&self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        in_place(other.py(), Prim::Shl, self, other)
    }

    fn __rshift__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(other.py(), Prim::Shr, self, other, Order::Straight)
    }

    fn __rrshift__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(other.py(), Prim::Shr, self, other, Order::Reflected)
    }

    fn __irshift__(&self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        in_place(other.py(), Prim::Shr, self, other)
    }
}

/// `pow` takes a modulus in Python, which arrays do not have.
fn no_modulus(modulus: Option<&Bound<'_, PyAny>>) -> bool {
    modulus.is_none_or(|m| m.is_none())
}

#[pymethods]
impl State {
    fn __pow__(
        &self,
        other: &Bound<'_, PyAny>,
        modulus: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        if !no_modulus(modulus) {
            return Ok(other.py().NotImplemented());
        }
        binary(other.py(), Prim::Pow, self, other, Order::Straight)
    }

    fn __rpow__(
        &self,
        other: &Bound<'_, PyAny>,
        modulus: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        if !no_modulus(modulus) {
            return Ok(other.py().NotImplemented());
        }
        binary(other.py(), Prim::Pow, self, other, Order::Reflected)
    }

    fn __ipow__(
        &self,
        other: &Bound<'_, PyAny>,
        _modulus: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        in_place(other.py(), Prim::Pow, self, other)
    }

    fn __divmod__(&self, other: &Bound<'_, PyAny>) -> PyResult<(Py<PyAny>, Py<PyAny>)> {
        let py = other.py();
        let whole = binary(py, Prim::FloorDiv, self, other, Order::Straight)?;
        Ok((whole, binary(py, Prim::Rem, self, other, Order::Straight)?))
    }

    fn __rdivmod__(&self, other: &Bound<'_, PyAny>) -> PyResult<(Py<PyAny>, Py<PyAny>)> {
        let py = other.py();
        let whole = binary(py, Prim::FloorDiv, self, other, Order::Reflected)?;
        Ok((whole, binary(py, Prim::Rem, self, other, Order::Reflected)?))
    }

    fn __neg__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, State>> {
        unary(py, Prim::Neg, self)
    }

    fn __pos__(&self, py: Python<'_>) -> PyResult<State> {
        if let Some(x) = self.tensor.single() {
            return Ok(x.into());
        }
        Ok(enter(py, self.tensor.numel(), || self.tensor.copy())?.into())
    }

    fn __abs__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, State>> {
        unary(py, Prim::Abs, self)
    }

    fn __invert__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, State>> {
        unary(py, Prim::BitNot, self)
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let prim = match op {
            CompareOp::Lt => Prim::Lt,
            CompareOp::Le => Prim::Le,
            CompareOp::Eq => Prim::Eq,
            CompareOp::Ne => Prim::Ne,
            CompareOp::Gt => Prim::Gt,
            CompareOp::Ge => Prim::Ge,
        };
        binary(other.py(), prim, self, other, Order::Straight)
    }

    fn __contains__(&self, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        let py = value.py();
        // What is no number equals none.
        let Some(value) = Operand::try_from_any(value)? else {
            return Ok(false);
        };
        let eq = Formula::Prim(Prim::Eq);
        let found = call(py, eq, &[Operand::State(&self.tensor), value])?;
        enter(py, found.numel(), || {
            Ok(
                syntonic_core::ops::reduce::any(&found, &syntonic_core::ops::reduce::Over::all())?
                    .item()?
                    .to_bool(),
            )
        })
    }

    fn __bool__(&self) -> PyResult<bool> {
        if let Some(x) = self.tensor.single() {
            return Ok(x.value().to_bool());
        }
        Ok(self.tensor.stop_gradient().item().map_err(raise)?.to_bool())
    }
}
