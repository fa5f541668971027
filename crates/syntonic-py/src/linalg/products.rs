//! Products of vectors and matrices.

use crate::arguments::parameter;
use crate::dtype;
use crate::enter::enter;
use crate::errors::{Class, error, raise};
use crate::memory::apart;
use crate::operand::{self, Operand};
use crate::precision;
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::fuse::Prim;
use syntonic_core::layout::normalize_axis;
use syntonic_core::ops::elementwise::apply;
use syntonic_core::ops::linalg::{self, Activation, Chain, Contract, Keep, Kept, Reduce, Scale};
use syntonic_core::{Error, Scalar, Tensor};

/// The work of a product in elements, roughly: enough to decide whether the interpreter waits.
fn work(a: &Tensor, b: &Tensor) -> usize {
    a.numel()
        .saturating_mul(b.shape().last().copied().unwrap_or(1))
}

fn product(py: Python<'_>, a: &Tensor, b: &Tensor) -> PyResult<Tensor> {
    enter(py, work(a, b), || linalg::matmul(a, b))
}

/// `matmul(a, b, out, precision)`.
#[pyfunction]
#[pyo3(signature = (a, b, out=None, precision=None))]
pub(crate) fn matmul<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, PyAny>>,
    precision: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, State>> {
    let py = a.py();
    let out = State::target("matmul", out)?;
    let (a, b) = (operand::tensor(a)?, operand::tensor(b)?);
    let made = match precision {
        None => product(py, &a, &b)?,
        Some(asked) => {
            let asked = precision::parse("matmul", asked)?;
            enter(py, work(&a, &b), || linalg::matmul_as(&a, &b, asked))?
        }
    };
    State::deliver(py, "matmul", made, out)
}

/// `scaled_matmul(a, b, scale_a, scale_b, out_dtype)`.
#[pyfunction]
pub(crate) fn scaled_matmul(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    scale_a: &Bound<'_, PyAny>,
    scale_b: &Bound<'_, PyAny>,
    out_dtype: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let py = a.py();
    let (scale_a, scale_b) = (scale("scale_a", scale_a)?, scale("scale_b", scale_b)?);
    let out = dtype::parse(out_dtype)?;
    let (a, b) = (operand::tensor(a)?, operand::tensor(b)?);
    let run = || linalg::scaled_matmul(&a, &b, scale_a.given(), scale_b.given(), out);
    Ok(enter(py, work(&a, &b), run)?.into())
}

/// A number of the host, or scales of rows or columns.
enum Scales {
    Number(f32),
    Each(Tensor),
}

impl Scales {
    fn given(&self) -> Scale<'_> {
        match self {
            Scales::Number(number) => Scale::Number(*number),
            Scales::Each(scales) => Scale::Each(scales),
        }
    }
}

fn scale(name: &'static str, given: &Bound<'_, PyAny>) -> PyResult<Scales> {
    if let Ok(state) = given.cast::<State>() {
        return Ok(Scales::Each(state.get().tensor.clone()));
    }
    match operand::number("scaled_matmul", given, None)? {
        Some(Scalar::Float(x)) => Ok(Scales::Number(x as f32)),
        Some(Scalar::Int(x)) => Ok(Scales::Number(x as f32)),
        _ => Err(error(
            Class::ArgumentType,
            format!(
                "scaled_matmul: {name} is a real number or a State of float32; hint: asarray({name}, dtype=\"float32\")"
            ),
        )),
    }
}

/// `linear(x, w, bias, activation)`.
#[pyfunction]
pub(crate) fn linear(
    x: &Bound<'_, PyAny>,
    w: &Bound<'_, PyAny>,
    bias: Option<&Bound<'_, PyAny>>,
    activation: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let py = x.py();
    let activation = parse_activation("linear", activation)?;
    let (x, w) = (operand::tensor(x)?, operand::tensor(w)?);
    let bias = bias.map(|b| operand::tensor_beside(b, &x)).transpose()?;
    let run = || linalg::linear(&x, &w, bias.as_ref(), activation);
    Ok(enter(py, work(&x, &w), run)?.into())
}

/// `linear_backward(grad, x, w, kept, which, activation)`: of `x`, of `w` and of the bias.
#[pyfunction]
pub(crate) fn linear_backward(
    grad: &Bound<'_, PyAny>,
    x: &Bound<'_, PyAny>,
    w: &Bound<'_, PyAny>,
    inner: Option<&Bound<'_, PyAny>>,
    output: Option<&Bound<'_, PyAny>>,
    activation: &Bound<'_, PyAny>,
) -> PyResult<(State, State, State)> {
    const OP: &str = "linear_backward";
    let py = x.py();
    let activation = parse_activation(OP, activation)?;
    let (x, w) = (operand::tensor(x)?, operand::tensor(w)?);
    let grad = operand::tensor_beside(grad, &x)?;
    let beside = |t: &Bound<'_, PyAny>| operand::tensor_beside(t, &x);
    let (inner, output) = (
        inner.map(beside).transpose()?,
        output.map(beside).transpose()?,
    );
    let kept = match (&inner, &output) {
        (Some(z), _) => Kept::Input(z),
        (None, Some(y)) => Kept::Output(y),
        (None, None) if activation == Activation::None => Kept::Output(&grad),
        (None, None) => {
            let what = "needs inner=x @ w + bias, or output";
            return Err(raise(Error::value(OP, what)));
        }
    };
    let run = || linalg::linear_backward(&grad, &x, &w, kept, activation);
    let made = enter(py, work(&x, &w), run)?;
    Ok((made.x.into(), made.w.into(), made.bias.into()))
}

fn parse_activation(op: &'static str, name: &Bound<'_, PyAny>) -> PyResult<Activation> {
    let words = Activation::ALL.map(|a| (a.name(), a));
    parameter(op, "activation").word(name, &words)
}

#[pymethods]
impl State {
    fn __matmul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Some(b) = Operand::try_from_any(other)? else {
            return Ok(py.NotImplemented());
        };
        let out = product(py, &self.tensor, &b.into_tensor()?)?;
        Ok(Py::new(py, State::from(out))?.into_any())
    }

    fn __rmatmul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Some(a) = Operand::try_from_any(other)? else {
            return Ok(py.NotImplemented());
        };
        let out = product(py, &a.into_tensor()?, &self.tensor)?;
        Ok(Py::new(py, State::from(out))?.into_any())
    }

    fn __imatmul__(&self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = other.py();
        self.tensor.check_writable("matmul").map_err(raise)?;
        let out = product(py, &self.tensor, &operand::tensor(other)?)?;
        self.check_kind("matmul", &out)?;
        self.write(py, &out)
    }
}

/// A function of two tensors.
pub(super) fn pair(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    run: impl FnOnce(&Tensor, &Tensor) -> Result<Tensor, Error> + Send,
) -> PyResult<State> {
    let (x, y) = (operand::tensor(a)?, operand::tensor(b)?);
    Ok(enter(a.py(), x.numel().saturating_mul(y.numel()), || run(&x, &y))?.into())
}

/// `bmm(a, b)`.
#[pyfunction]
pub(crate) fn bmm(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<State> {
    pair(a, b, linalg::bmm)
}

/// `outer(a, b)`.
#[pyfunction]
pub(crate) fn outer(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<State> {
    pair(a, b, linalg::outer)
}

/// `kron(a, b)`.
#[pyfunction]
pub(crate) fn kron(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<State> {
    pair(a, b, linalg::kron)
}

/// `vecdot(a, b, axis)`.
#[pyfunction]
pub(crate) fn vecdot(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    axis: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let axis = parameter("vecdot", "axis").integer(axis)?;
    pair(a, b, |x, y| linalg::vecdot(x, y, axis))
}

/// `cross(a, b, axis)`.
#[pyfunction]
pub(crate) fn cross(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    axis: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let axis = parameter("cross", "axis").integer(axis)?;
    pair(a, b, |x, y| linalg::cross(x, y, axis))
}

/// `tensordot(a, b, axes)`: a number of axes, or two sequences of them.
#[pyfunction]
pub(crate) fn tensordot(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    axes: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let named = parameter("tensordot", "axes");
    if axes.extract::<i64>().is_ok() {
        let count = named.size(axes)?;
        return pair(a, b, |x, y| linalg::tensordot(x, y, Contract::Last(count)));
    }
    let Ok((first, second)) = axes.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>() else {
        let wanted = "a number of axes, or two sequences of axes";
        return Err(named.refuse(Class::ArgumentType, axes, wanted));
    };
    let (first, second) = (named.integers(&first)?, named.integers(&second)?);
    pair(a, b, |x, y| {
        linalg::tensordot(x, y, Contract::Pairs(&first, &second))
    })
}

/// NumPy's `dot`: a product of numbers where either operand is one, else over the last axis of `a` and the one before the
/// last of `b`, or its only one.
pub(crate) fn dot(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<Tensor> {
    let x = operand::tensor(a)?;
    let y = operand::tensor_beside(b, &x)?;
    let (m, n) = (x.ndim() as isize, y.ndim() as isize);
    enter(a.py(), work(&x, &y), || {
        if m == 0 || n == 0 {
            return apply(Prim::Mul, &[(&x).into(), (&y).into()]);
        }
        if n <= 2 && m <= 2 {
            return linalg::matmul(&x, &y);
        }
        let before = if n == 1 { 0 } else { n - 2 };
        linalg::tensordot(&x, &y, Contract::Pairs(&[m - 1], &[before]))
    })
}

/// A view with these two axes last.
pub(crate) fn last_two(t: &Tensor, first: isize, second: isize) -> Result<Tensor, Error> {
    let first = normalize_axis("trace", first, t.ndim())?;
    let second = normalize_axis("trace", second, t.ndim())?;
    if first == second {
        return Err(Error::Axis {
            op: "trace",
            axis: second as isize,
            ndim: t.ndim(),
        });
    }
    let others = (0..t.ndim()).filter(|axis| ![first, second].contains(axis));
    // few: as many as there are axes.
    let order: Vec<isize> = others
        .chain([first, second])
        .map(|axis| axis as isize)
        .collect();
    t.permute(&order)
}

/// `trace(x, k, dtype)`.
#[pyfunction]
#[pyo3(signature = (x, k, dtype))]
pub(crate) fn trace(
    x: &Bound<'_, PyAny>,
    k: Option<&Bound<'_, PyAny>>,
    dtype: Option<&Bound<'_, PyAny>>,
) -> PyResult<State> {
    let k = k.map_or(Ok(0), |k| parameter("trace", "offset").integer(k))?;
    let (t, dtype) = (operand::tensor(x)?, crate::dtype::parse_optional(dtype)?);
    Ok(enter(x.py(), t.numel(), || linalg::trace(&t, k, dtype))?.into())
}

/// `einsum(equation, operands)`.
#[pyfunction]
pub(crate) fn einsum(equation: &Bound<'_, PyAny>, operands: &Bound<'_, PyAny>) -> PyResult<State> {
    let equation = parameter("einsum", "equation").text(equation)?;
    let all = parameter("einsum", "operands").tensors(operands)?;
    let refs: Vec<&Tensor> = all.iter().collect();
    let work = || apart(linalg::einsum(&equation, &refs)?, &refs);
    Ok(enter(operands.py(), usize::MAX, work)?.into())
}

/// Which number of z a chain ends in, by name.
#[derive(Clone, Copy)]
enum Number {
    Sum,
    SumOfSquares,
    MaxAbs,
    Dot,
}

/// `gemv_chain(a, x, factors, y0, w, v, reduce, keep)`: `factors` are alpha, beta, a and b.
#[pyfunction]
#[pyo3(signature = (a, x, factors, y0, w, v, reduce, keep))]
#[expect(
    clippy::too_many_arguments,
    reason = "Python has keyword arguments, which arrive here one by one"
)]
pub(crate) fn gemv_chain(
    a: &Bound<'_, PyAny>,
    x: &Bound<'_, PyAny>,
    factors: [Bound<'_, PyAny>; 4],
    y0: Option<&Bound<'_, PyAny>>,
    w: Option<&Bound<'_, PyAny>>,
    v: Option<&Bound<'_, PyAny>>,
    reduce: Option<&Bound<'_, PyAny>>,
    keep: &Bound<'_, PyAny>,
) -> PyResult<(Option<State>, Option<State>, Option<State>)> {
    const OP: &str = "gemv_chain";
    let py = a.py();
    let matrix = operand::tensor(a)?;
    let x = operand::tensor_beside(x, &matrix)?;
    let beside =
        |t: Option<&Bound<'_, PyAny>>| t.map(|t| operand::tensor_beside(t, &matrix)).transpose();
    let (y0, w, v) = (beside(y0)?, beside(w)?, beside(v)?);
    let factor = |name, k: usize| parameter(OP, name).real(&factors[k]);
    let words = [
        ("sum", Number::Sum),
        ("sum_of_squares", Number::SumOfSquares),
        ("max_abs", Number::MaxAbs),
        ("dot", Number::Dot),
    ];
    let kept = [
        ("neither", Keep::Neither),
        ("y", Keep::Y),
        ("z", Keep::Z),
        ("both", Keep::Both),
    ];
    let number = reduce
        .map(|given| parameter(OP, "reduce").word(given, &words))
        .transpose()?;
    let reduce = match (number, &v) {
        (Some(Number::Dot), Some(v)) => Some(Reduce::Dot(v)),
        (Some(Number::Dot), None) => {
            return Err(raise(Error::value(
                OP,
                "reduce is \"dot\" and there is no v to multiply with; hint: name it, v=...",
            )));
        }
        (Some(Number::Sum), _) => Some(Reduce::Sum),
        (Some(Number::SumOfSquares), _) => Some(Reduce::SumOfSquares),
        (Some(Number::MaxAbs), _) => Some(Reduce::MaxAbs),
        (None, _) => None,
    };
    let chain = Chain {
        alpha: factor("alpha", 0)?,
        beta: factor("beta", 1)?,
        y0: y0.as_ref(),
        a: factor("a", 2)?,
        b: factor("b", 3)?,
        w: w.as_ref(),
        reduce,
        keep: parameter(OP, "keep").word(keep, &kept)?,
    };
    let out = enter(py, matrix.numel(), || {
        linalg::gemv_chain(&matrix, &x, &chain)
    })?;
    Ok((
        out.y.map(State::from),
        out.z.map(State::from),
        out.r.map(State::from),
    ))
}
