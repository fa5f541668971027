//! Reductions, as functions and as methods. They take what NumPy's take, in the order of NumPy's methods.

use crate::arguments::parameter;
use crate::dtype;
use crate::enter::enter;
use crate::errors::{Class, error};
use crate::masked::{self, Narrowed};
use crate::memory::object;
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::{DType, Error, Tensor};

type Object<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// Which reduction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Reduction {
    Sum,
    Prod,
    Mean,
    /// With what is subtracted from the number of elements.
    Var(f64),
    /// As `Var`.
    Std(f64),
    Min,
    Max,
    Any,
    All,
    ArgMin,
    ArgMax,
    LogSumExp,
    CountNonzero,
}

/// What a call says besides the operand: everything that any of NumPy's reductions takes.
#[derive(Default)]
struct Asked<'a, 'py> {
    axis: Object<'a, 'py>,
    dtype: Object<'a, 'py>,
    out: Object<'a, 'py>,
    keepdims: Object<'a, 'py>,
    initial: Object<'a, 'py>,
    r#where: Object<'a, 'py>,
    correction: Object<'a, 'py>,
}

/// Axes and what becomes of them.
fn over(op: &'static str, axis: Object<'_, '_>, keepdims: Object<'_, '_>) -> PyResult<Over> {
    parameter(op, "axis").over(axis, keepdims)
}

/// A real number, or what it is where none is given.
fn number(
    op: &'static str,
    name: &'static str,
    given: Object<'_, '_>,
    default: f64,
) -> PyResult<f64> {
    given.map_or(Ok(default), |x| parameter(op, name).real(x))
}

/// The reduction of a whole operand.
pub(crate) fn whole(
    reduction: Reduction,
    t: &Tensor,
    over: &Over,
    dtype: Option<DType>,
) -> Result<Tensor, Error> {
    let cast = || dtype.map_or_else(|| Ok(t.clone()), |dtype| t.cast(dtype));
    match reduction {
        Reduction::Sum => reduce::sum(t, over, dtype),
        Reduction::Prod => reduce::prod(t, over, dtype),
        Reduction::Mean => {
            let mean = reduce::mean(&cast()?, over)?;
            // As in NumPy, a mean that is asked for as an integer drops its fraction.
            match dtype {
                Some(whole) if !whole.is_inexact() => mean.cast(whole),
                _ => Ok(mean),
            }
        }
        Reduction::Var(correction) => reduce::var(&cast()?, over, correction),
        Reduction::Std(correction) => reduce::std(&cast()?, over, correction),
        Reduction::Min => reduce::min(t, over),
        Reduction::Max => reduce::max(t, over),
        Reduction::Any => reduce::any(t, over),
        Reduction::All => reduce::all(t, over),
        Reduction::ArgMin => reduce::argmin(t, over),
        Reduction::ArgMax => reduce::argmax(t, over),
        Reduction::LogSumExp => reduce::logsumexp(t, over),
        Reduction::CountNonzero => reduce::count_nonzero(t, over),
    }
}

fn reduced<'py>(
    py: Python<'py>,
    op: &'static str,
    reduction: Reduction,
    t: &Tensor,
    asked: Asked<'_, 'py>,
) -> PyResult<Bound<'py, State>> {
    let over = over(op, asked.axis, asked.keepdims)?;
    if t.dtype().is_complex()
        && let Some(found) = extreme(py, op, reduction, t, &asked)?
    {
        return Ok(found);
    }
    let dtype = dtype::parse_optional(asked.dtype)?;
    let reduction = match (reduction, asked.correction) {
        (Reduction::Var(_), Some(c)) => Reduction::Var(parameter(op, "correction").real(c)?),
        (Reduction::Std(_), Some(c)) => Reduction::Std(parameter(op, "correction").real(c)?),
        (other, _) => other,
    };
    if asked.out.is_none() && asked.initial.is_none() && asked.r#where.is_none() {
        return object::new(
            py,
            enter(py, t.numel(), || whole(reduction, t, &over, dtype))?,
        );
    }
    let out = State::target(op, asked.out)?;
    let narrowed = Narrowed {
        mask: asked
            .r#where
            .map(|m| operand::tensor_beside(m, t))
            .transpose()?,
        initial: asked.initial.map(|i| initial(op, i)).transpose()?,
    };
    let made = enter(py, t.numel(), || {
        masked::reduce(op, reduction, t, &over, dtype, &narrowed)
    })?;
    State::deliver(py, op, made, out)
}

/// The first or last of complex numbers, or its place, in the order that operators compare them in: along one axis, or of all.
#[cold]
fn extreme<'py>(
    py: Python<'py>,
    op: &'static str,
    reduction: Reduction,
    t: &Tensor,
    asked: &Asked<'_, 'py>,
) -> PyResult<Option<Bound<'py, State>>> {
    let ordered = matches!(
        reduction,
        Reduction::Min | Reduction::Max | Reduction::ArgMin | Reduction::ArgMax
    );
    let plain = asked.out.is_none() && asked.initial.is_none() && asked.r#where.is_none();
    if !(ordered && plain && t.numel() > 0) {
        return Ok(None);
    }
    let axis = match asked.axis.filter(|axis| !axis.is_none()) {
        None => None,
        Some(axis) => match axis.extract::<isize>() {
            Ok(axis) => Some(axis),
            Err(_) => return Ok(None),
        },
    };
    let x = object::new(py, t.clone())?;
    let found = py
        .import("syntonic._numpy_orders")?
        .call_method1("extreme", (op, x, axis, asked.keepdims))?;
    Ok(Some(found.cast_into::<State>()?))
}

/// What a reduction starts from: one number.
fn initial(op: &'static str, given: &Bound<'_, PyAny>) -> PyResult<syntonic_core::Scalar> {
    match operand::untyped(op, given, None)? {
        Some(number) => Ok(number),
        None => operand::tensor(given)?
            .item()
            .map_err(|_| parameter(op, "initial").refuse(Class::ArgumentType, given, "one number")),
    }
}

/// A function and a method: the name, the reduction, what it may be asked for, and how both signatures read.
macro_rules! reductions {
    ($($name:ident $reduction:expr, ($($arg:ident),*) $function:literal $method:literal $doc:literal;)*) => {
        $(
            #[doc = $doc]
            // Separate parameters cost less than a dictionary of them, and this is called for every small array.
            #[allow(clippy::too_many_arguments, reason = "see above")]
            #[pyfunction]
            #[pyo3(signature = (x, $($arg=None),*), text_signature = $function)]
            pub(crate) fn $name<'py>(x: &Bound<'py, PyAny>, $($arg: Object<'_, 'py>),*) -> PyResult<Bound<'py, State>> {
                let asked = Asked { $($arg,)* ..Asked::default() };
                reduced(x.py(), stringify!($name), $reduction, &operand::tensor(x)?, asked)
            }
        )*

        #[pymethods]
        impl State {
            $(
                #[doc = $doc]
                #[allow(clippy::too_many_arguments, reason = "as for the function")]
                #[pyo3(signature = ($($arg=None),*), text_signature = $method)]
                fn $name<'py>(&self, py: Python<'py>, $($arg: Object<'_, 'py>),*) -> PyResult<Bound<'py, State>> {
                    let asked = Asked { $($arg,)* ..Asked::default() };
                    reduced(py, stringify!($name), $reduction, &self.tensor, asked)
                }
            )*
        }
    };
}

reductions! {
    sum Reduction::Sum, (axis, dtype, out, keepdims, initial, r#where)
        "(x, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None)"
        "($self, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None)"
        "The sum along the axes; integers and bool are summed in 64 bits.";
    prod Reduction::Prod, (axis, dtype, out, keepdims, initial, r#where)
        "(x, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None)"
        "($self, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None)"
        "The product along the axes; integers and bool are multiplied in 64 bits.";
    mean Reduction::Mean, (axis, dtype, out, keepdims, r#where)
        "(x, axis=None, dtype=None, out=None, keepdims=False, where=None)"
        "($self, axis=None, dtype=None, out=None, keepdims=False, where=None)"
        "The mean along the axes; integers give float64.";
    min Reduction::Min, (axis, out, keepdims, initial, r#where)
        "(x, axis=None, out=None, keepdims=False, initial=None, where=None)"
        "($self, axis=None, out=None, keepdims=False, initial=None, where=None)"
        "The smallest element along the axes; NaN if any is.";
    max Reduction::Max, (axis, out, keepdims, initial, r#where)
        "(x, axis=None, out=None, keepdims=False, initial=None, where=None)"
        "($self, axis=None, out=None, keepdims=False, initial=None, where=None)"
        "The largest element along the axes; NaN if any is.";
    any Reduction::Any, (axis, out, keepdims, r#where)
        "(x, axis=None, out=None, keepdims=False, where=None)"
        "($self, axis=None, out=None, keepdims=False, where=None)"
        "True where any element along the axes is not zero.";
    all Reduction::All, (axis, out, keepdims, r#where)
        "(x, axis=None, out=None, keepdims=False, where=None)"
        "($self, axis=None, out=None, keepdims=False, where=None)"
        "True where all elements along the axes are not zero.";
    argmin Reduction::ArgMin, (axis, out, keepdims)
        "(x, axis=None, out=None, keepdims=False)"
        "($self, axis=None, out=None, keepdims=False)"
        "The position of the first smallest element.";
    argmax Reduction::ArgMax, (axis, out, keepdims)
        "(x, axis=None, out=None, keepdims=False)"
        "($self, axis=None, out=None, keepdims=False)"
        "The position of the first largest element.";
    logsumexp Reduction::LogSumExp, (axis, keepdims)
        "(x, axis=None, keepdims=False)"
        "($self, axis=None, keepdims=False)"
        "ln of the sum of e^x, without overflow.";
    count_nonzero Reduction::CountNonzero, (axis, keepdims)
        "(x, axis=None, keepdims=False)"
        "($self, axis=None, keepdims=False)"
        "How many elements are not zero.";
}

/// What is subtracted from the number of elements, under either of its names.
fn either<'a, 'py>(
    op: &'static str,
    correction: Object<'a, 'py>,
    ddof: Object<'a, 'py>,
) -> PyResult<Object<'a, 'py>> {
    match (correction, ddof) {
        (Some(_), Some(_)) => Err(error(
            Class::Argument,
            format!(
                "{op}: correction and ddof are two names of one number; hint: give one of them"
            ),
        )),
        (one, other) => Ok(one.or(other)),
    }
}

/// Moments about the mean, whose correction has two names.
macro_rules! moments {
    ($($name:ident $reduction:path, $doc:literal;)*) => {
        $(
            #[doc = $doc]
            #[allow(clippy::too_many_arguments, reason = "as for the other reductions")]
            #[pyfunction]
            #[pyo3(
                signature = (x, axis=None, dtype=None, out=None, ddof=None, keepdims=None, *, r#where=None, correction=None),
                text_signature = "(x, axis=None, dtype=None, out=None, ddof=None, keepdims=False, *, where=None, correction=None)"
            )]
            pub(crate) fn $name<'py>(
                x: &Bound<'py, PyAny>,
                axis: Object<'_, 'py>,
                dtype: Object<'_, 'py>,
                out: Object<'_, 'py>,
                ddof: Object<'_, 'py>,
                keepdims: Object<'_, 'py>,
                r#where: Object<'_, 'py>,
                correction: Object<'_, 'py>,
            ) -> PyResult<Bound<'py, State>> {
                let correction = either(stringify!($name), correction, ddof)?;
                    let asked = Asked { axis, dtype, out, keepdims, r#where, correction, ..Asked::default() };
                reduced(x.py(), stringify!($name), $reduction(0.0), &operand::tensor(x)?, asked)
            }
        )*

        #[pymethods]
        impl State {
            $(
                #[doc = $doc]
                #[allow(clippy::too_many_arguments, reason = "as for the other reductions")]
                #[pyo3(
                    signature = (axis=None, dtype=None, out=None, ddof=None, keepdims=None, *, r#where=None, correction=None),
                    text_signature = "($self, axis=None, dtype=None, out=None, ddof=None, keepdims=False, *, where=None, correction=None)"
                )]
                fn $name<'py>(
                    &self,
                    py: Python<'py>,
                    axis: Object<'_, 'py>,
                    dtype: Object<'_, 'py>,
                    out: Object<'_, 'py>,
                    ddof: Object<'_, 'py>,
                    keepdims: Object<'_, 'py>,
                    r#where: Object<'_, 'py>,
                    correction: Object<'_, 'py>,
                ) -> PyResult<Bound<'py, State>> {
                    let correction = either(stringify!($name), correction, ddof)?;
                    let asked = Asked { axis, dtype, out, keepdims, r#where, correction, ..Asked::default() };
                    reduced(py, stringify!($name), $reduction(0.0), &self.tensor, asked)
                }
            )*
        }
    };
}

moments! {
    var Reduction::Var, "The variance along the axes: sum of |x - mean|^2 over n - correction.";
    std Reduction::Std, "The standard deviation along the axes: the root of the variance.";
}

/// The vector norm (sum of |x|^ord)^(1/ord) along the axes.
#[pyfunction]
#[pyo3(signature = (x, axis=None, ord=None, keepdims=None), text_signature = "(x, axis=None, ord=2.0, keepdims=False)")]
pub(crate) fn vector_norm(
    x: &Bound<'_, PyAny>,
    axis: Object<'_, '_>,
    ord: Object<'_, '_>,
    keepdims: Object<'_, '_>,
) -> PyResult<State> {
    let op = "vector_norm";
    let (t, over) = (operand::tensor(x)?, over(op, axis, keepdims)?);
    let ord = number(op, "ord", ord, 2.0)?;
    Ok(enter(x.py(), t.numel(), || reduce::norm(&t, ord, &over))?.into())
}
