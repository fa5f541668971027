//! Golden products of matrices.

use crate::arguments::tensors;
use crate::enter::enter;
use crate::errors::{Class, error, raise};
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::num_complex::Complex;
use syntonic_core::{Error, Scalar, Tensor};
use syntonic_srt::golden::{self, Op, Sign, Structure};

/// A product of two operands; the second goes to the device of the first where it has none.
fn pair(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    run: impl FnOnce(&Tensor, &Tensor) -> Result<Tensor, Error> + Send,
) -> PyResult<State> {
    let x = operand::tensor(a)?;
    let y = operand::tensor_beside(b, &x)?;
    let work = x.numel().saturating_mul(y.numel());
    Ok(enter(a.py(), work, || run(&x, &y))?.into())
}

macro_rules! pairs {
    ($($name:ident: $what:literal;)*) => {$(
        #[doc = $what]
        #[pyfunction]
        pub(crate) fn $name(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<State> {
            pair(a, b, golden::$name)
        }
    )*};
}
pairs! {
    mm: "`mm(a, b)`.";
    mm_tn: "`mm_tn(a, b)`.";
    mm_nt: "`mm_nt(a, b)`.";
    mm_tt: "`mm_tt(a, b)`.";
    mm_hn: "`mm_hn(a, b)`.";
    mm_nh: "`mm_nh(a, b)`.";
    phi_bracket: "`phi_bracket(a, b)`.";
    phi_antibracket: "`phi_antibracket(a, b)`.";
    mm_golden_weighted: "`mm_golden_weighted(a, b)`.";
}

/// A factor: a Python number, or what turns into one.
fn number(op: &str, name: &str, obj: &Bound<'_, PyAny>) -> PyResult<Scalar> {
    if let Some(x) = operand::number(obj)? {
        return Ok(x);
    }
    if let Ok(x) = obj.extract::<i128>() {
        return Ok(Scalar::Int(x));
    }
    if let Ok(x) = obj.extract::<f64>() {
        return Ok(Scalar::Float(x));
    }
    obj.extract::<Complex<f64>>()
        .map(Scalar::Complex)
        .map_err(|_| {
            let given = obj.get_type();
            error(
                Class::Argument,
                format!("{op}: {name} is {given}; hint: give a number"),
            )
        })
}

fn sign(op: &str, given: i64) -> PyResult<Sign> {
    match given {
        1 => Ok(Sign::Plus),
        -1 => Ok(Sign::Minus),
        other => Err(error(
            Class::Argument,
            format!("{op}: sign is {other}; hint: give 1 or -1"),
        )),
    }
}

fn op(given: &str) -> PyResult<Op> {
    match given {
        "none" => Ok(Op::None),
        "transpose" => Ok(Op::Transpose),
        "adjoint" => Ok(Op::Adjoint),
        other => Err(error(
            Class::Argument,
            format!(
                "mm_gemm: op {other:?} is unknown; hint: one of \"none\", \"transpose\", \"adjoint\""
            ),
        )),
    }
}

/// `mm_add(a, b, c, alpha, beta)`.
#[pyfunction]
pub(crate) fn mm_add(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    c: &Bound<'_, PyAny>,
    alpha: &Bound<'_, PyAny>,
    beta: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let c = operand::tensor_beside(c, &operand::tensor(a)?)?;
    let (alpha, beta) = (
        number("mm_add", "alpha", alpha)?,
        number("mm_add", "beta", beta)?,
    );
    pair(a, b, |x, y| golden::mm_add(x, y, &c, alpha, beta))
}

/// `mm_gemm(a, b, op_a, op_b, alpha, beta, c)`.
#[pyfunction]
pub(crate) fn mm_gemm(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    op_a: &str,
    op_b: &str,
    alpha: &Bound<'_, PyAny>,
    beta: &Bound<'_, PyAny>,
    c: Option<&Bound<'_, PyAny>>,
) -> PyResult<State> {
    let x = operand::tensor(a)?;
    let c = c.map(|c| operand::tensor_beside(c, &x)).transpose()?;
    let (alpha, beta) = (
        number("mm_gemm", "alpha", alpha)?,
        number("mm_gemm", "beta", beta)?,
    );
    let (op_a, op_b) = (op(op_a)?, op(op_b)?);
    pair(a, b, |x, y| {
        golden::mm_gemm(x, y, op_a, op_b, alpha, beta, c.as_ref())
    })
}

/// `mm_phi(a, b, n)`.
#[pyfunction]
pub(crate) fn mm_phi(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>, n: i64) -> PyResult<State> {
    pair(a, b, |x, y| golden::mm_phi(x, y, n))
}

/// `mm_corrected(a, b, structure, sign)`.
#[pyfunction]
pub(crate) fn mm_corrected(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    structure: &str,
    sign: i64,
) -> PyResult<State> {
    let structure = Structure::from_name(structure).map_err(raise)?;
    let sign = self::sign("mm_corrected", sign)?;
    pair(a, b, |x, y| golden::mm_corrected(x, y, structure, sign))
}

/// `mm_q_corrected(a, b, n, sign)`.
#[pyfunction]
pub(crate) fn mm_q_corrected(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    n: f64,
    sign: i64,
) -> PyResult<State> {
    let sign = self::sign("mm_q_corrected", sign)?;
    pair(a, b, |x, y| golden::mm_q_corrected(x, y, n, sign))
}

/// `mm_golden_phase(a, b, n)`.
#[pyfunction]
pub(crate) fn mm_golden_phase(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    n: i64,
) -> PyResult<State> {
    pair(a, b, |x, y| golden::mm_golden_phase(x, y, n))
}

/// `projection_sum(psi, projectors, coefficients)`.
#[pyfunction]
pub(crate) fn projection_sum(
    psi: &Bound<'_, PyAny>,
    projectors: &Bound<'_, PyAny>,
    coefficients: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let py = psi.py();
    let psi = operand::tensor(psi)?;
    let projectors = tensors(projectors)?;
    let coefficients: Vec<Scalar> = coefficients
        .try_iter()?
        .map(|x| number("projection_sum", "a coefficient", &x?))
        .collect::<PyResult<_>>()?;
    let sizes = projectors
        .iter()
        .map(|p| p.numel().saturating_mul(psi.numel()));
    let work = sizes.fold(psi.numel(), usize::saturating_add);
    let run = || golden::projection_sum(&psi, &projectors, &coefficients);
    Ok(enter(py, work, run)?.into())
}

/// The number N of a structure's name, or a number.
fn divisor(given: &Bound<'_, PyAny>) -> PyResult<f64> {
    match given.extract::<&str>() {
        Ok(name) => Ok(Structure::from_name(name).map_err(raise)?.into()),
        Err(_) => given.extract::<f64>(),
    }
}

/// `golden_factor(n, sign)`.
#[pyfunction]
pub(crate) fn golden_factor(n: &Bound<'_, PyAny>, sign: i64) -> PyResult<f64> {
    golden::factor(divisor(n)?, self::sign("factor", sign)?).map_err(raise)
}

/// `golden_compound(plus, minus)`.
#[pyfunction]
pub(crate) fn golden_compound(plus: &Bound<'_, PyAny>, minus: &Bound<'_, PyAny>) -> PyResult<f64> {
    let all = |given: &Bound<'_, PyAny>| -> PyResult<Vec<f64>> {
        given.try_iter()?.map(|n| divisor(&n?)).collect()
    };
    golden::compound(all(plus)?, all(minus)?).map_err(raise)
}

/// `golden_ratio(a, b)`.
#[pyfunction]
pub(crate) fn golden_ratio(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<f64> {
    golden::ratio(divisor(a)?, divisor(b)?).map_err(raise)
}

/// The structures' names and numbers.
#[pyfunction]
pub(crate) fn golden_structures() -> Vec<(&'static str, u32)> {
    Structure::ALL
        .iter()
        .map(|s| (s.name(), s.number()))
        .collect()
}

/// The correction levels' names and values.
#[pyfunction]
pub(crate) fn golden_levels() -> Vec<(&'static str, f64)> {
    golden::LEVELS.iter().map(|l| (l.name, l.value())).collect()
}
