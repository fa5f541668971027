//! Golden products of matrices.

use crate::arguments::{Parameter, parameter};
use crate::enter::enter;
use crate::errors::{Class, raise};
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyString};
use syntonic_core::{DType, Error, Scalar, Tensor};
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

/// A factor: a Python number, one of another library or in a State without axes, or what turns into a float. A large integer
/// that no type holds is the nearest float.
fn number(op: &'static str, name: &'static str, obj: &Bound<'_, PyAny>) -> PyResult<Scalar> {
    if let Some(x) = operand::untyped(op, obj, Some(DType::F64))? {
        return Ok(x);
    }
    // Before it is asked for a float, which of a complex number would be half of it.
    if let Ok(t) = operand::tensor(obj)
        && t.ndim() == 0
    {
        return t.item().map_err(raise);
    }
    let refuse = |_| parameter(op, name).refuse(Class::ArgumentType, obj, "a number");
    obj.extract().map(Scalar::Float).map_err(refuse)
}

fn sign(op: &'static str, given: &Bound<'_, PyAny>) -> PyResult<Sign> {
    let named = parameter(op, "sign");
    match named.integer::<i64>(given)? {
        1 => Ok(Sign::Plus),
        -1 => Ok(Sign::Minus),
        _ => Err(named.refuse(Class::Argument, given, "1 or -1")),
    }
}

fn op(name: &'static str, given: &Bound<'_, PyAny>) -> PyResult<Op> {
    let words = [
        ("none", Op::None),
        ("transpose", Op::Transpose),
        ("adjoint", Op::Adjoint),
    ];
    parameter("mm_gemm", name).word(given, &words)
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
    op_a: &Bound<'_, PyAny>,
    op_b: &Bound<'_, PyAny>,
    alpha: &Bound<'_, PyAny>,
    beta: &Bound<'_, PyAny>,
    c: Option<&Bound<'_, PyAny>>,
) -> PyResult<State> {
    let x = operand::tensor(a)?;
    let c = c.map(|c| operand::tensor_beside(c, &x)).transpose()?;
    let (alpha, added) = (
        number("mm_gemm", "alpha", alpha)?,
        number("mm_gemm", "beta", beta)?,
    );
    let nothing = [
        Scalar::Int(0),
        Scalar::Int(1),
        Scalar::Float(0.0),
        Scalar::Float(1.0),
    ];
    if c.is_none() && !nothing.contains(&added) {
        let wanted = "left out where there is no C; hint: give c";
        return Err(parameter("mm_gemm", "beta").refuse(Class::Argument, beta, wanted));
    }
    let (op_a, op_b) = (op("op_a", op_a)?, op("op_b", op_b)?);
    pair(a, b, |x, y| {
        golden::mm_gemm(x, y, op_a, op_b, alpha, added, c.as_ref())
    })
}

/// `mm_phi(a, b, n)`.
#[pyfunction]
pub(crate) fn mm_phi(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    n: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let n = parameter("mm_phi", "n").integer::<i64>(n)?;
    pair(a, b, |x, y| golden::mm_phi(x, y, n))
}

/// `mm_corrected(a, b, structure, sign)`.
#[pyfunction]
pub(crate) fn mm_corrected(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    structure: &Bound<'_, PyAny>,
    sign: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let structure = structure_of("mm_corrected", structure)?;
    let sign = self::sign("mm_corrected", sign)?;
    pair(a, b, |x, y| golden::mm_corrected(x, y, structure, sign))
}

/// `mm_q_corrected(a, b, n, sign)`.
#[pyfunction]
pub(crate) fn mm_q_corrected(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    n: &Bound<'_, PyAny>,
    sign: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let n = parameter("mm_q_corrected", "n").real(n)?;
    let sign = self::sign("mm_q_corrected", sign)?;
    pair(a, b, |x, y| golden::mm_q_corrected(x, y, n, sign))
}

/// `mm_golden_phase(a, b, n)`.
#[pyfunction]
pub(crate) fn mm_golden_phase(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    n: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let n = parameter("mm_golden_phase", "n").integer::<i64>(n)?;
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
    let projectors = parameter("projection_sum", "projectors").tensors(projectors)?;
    let named = parameter("projection_sum", "coefficients");
    let coefficients: Vec<Scalar> = items(named, coefficients, "a sequence of numbers")?
        .map(|x| number("projection_sum", "a coefficient", &x?))
        .collect::<PyResult<_>>()?;
    let sizes = projectors
        .iter()
        .map(|p| p.numel().saturating_mul(psi.numel()));
    let work = sizes.fold(psi.numel(), usize::saturating_add);
    let run = || golden::projection_sum(&psi, &projectors, &coefficients);
    Ok(enter(py, work, run)?.into())
}

/// The items of a sequence that is no text.
fn items<'py>(
    named: Parameter,
    given: &Bound<'py, PyAny>,
    wanted: &str,
) -> PyResult<Bound<'py, PyIterator>> {
    let is_text = given.is_instance_of::<PyString>();
    let all = given.try_iter().ok().filter(|_| !is_text);
    all.ok_or_else(|| named.refuse(Class::ArgumentType, given, wanted))
}

fn structure_of(op: &'static str, given: &Bound<'_, PyAny>) -> PyResult<Structure> {
    let name = parameter(op, "structure").text(given)?;
    Structure::from_name(&name).map_err(raise)
}

/// The number N of a structure's name, or a number.
fn divisor(op: &'static str, given: &Bound<'_, PyAny>) -> PyResult<f64> {
    match given.is_instance_of::<PyString>() {
        true => Ok(structure_of(op, given)?.into()),
        false => parameter(op, "n").real(given),
    }
}

/// `golden_factor(n, sign)`.
#[pyfunction]
pub(crate) fn golden_factor(n: &Bound<'_, PyAny>, sign: &Bound<'_, PyAny>) -> PyResult<f64> {
    golden::factor(divisor("factor", n)?, self::sign("factor", sign)?).map_err(raise)
}

/// `golden_compound(plus, minus)`.
#[pyfunction]
pub(crate) fn golden_compound(plus: &Bound<'_, PyAny>, minus: &Bound<'_, PyAny>) -> PyResult<f64> {
    let all = |name, given: &Bound<'_, PyAny>| -> PyResult<Vec<f64>> {
        let named = parameter("compound", name);
        items(named, given, "a sequence of structures and numbers")?
            .map(|n| divisor("compound", &n?))
            .collect()
    };
    golden::compound(all("plus", plus)?, all("minus", minus)?).map_err(raise)
}

/// `golden_number(n)`: the number N of a structure, or a number.
#[pyfunction]
pub(crate) fn golden_number(n: &Bound<'_, PyAny>) -> PyResult<f64> {
    divisor("structure", n)
}

/// `golden_deficit(n)`.
#[pyfunction]
pub(crate) fn golden_deficit(n: &Bound<'_, PyAny>) -> PyResult<f64> {
    golden::deficit(divisor("deficit", n)?).map_err(raise)
}

/// `golden_deficits(n)`: of each element.
#[pyfunction]
pub(crate) fn golden_deficits(n: &Bound<'_, PyAny>) -> PyResult<State> {
    let t = operand::tensor(n)?;
    Ok(enter(n.py(), t.numel(), || golden::deficits(&t))?.into())
}

/// `golden_factors(n, sign)`: of each element.
#[pyfunction]
pub(crate) fn golden_factors(n: &Bound<'_, PyAny>, sign: &Bound<'_, PyAny>) -> PyResult<State> {
    let sign = self::sign("factor", sign)?;
    let t = operand::tensor(n)?;
    Ok(enter(n.py(), t.numel(), || golden::factors(&t, sign))?.into())
}

/// Numbers of two arrays, of which lists go to the device of the other.
fn of_numbers(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    run: fn(&Tensor, &Tensor) -> Result<Tensor, Error>,
) -> PyResult<State> {
    let (x, y) = match b.cast::<State>() {
        Ok(y) => (
            operand::tensor_beside(a, &y.get().tensor)?,
            operand::tensor(b)?,
        ),
        Err(_) => {
            let x = operand::tensor(a)?;
            let y = operand::tensor_beside(b, &x)?;
            (x, y)
        }
    };
    let work = x.numel().saturating_add(y.numel());
    Ok(enter(a.py(), work, || run(&x, &y))?.into())
}

/// `golden_ratios(a, b)`: of each element.
#[pyfunction]
pub(crate) fn golden_ratios(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<State> {
    of_numbers(a, b, golden::ratios)
}

/// `golden_compounds(plus, minus)`: along the last axis.
#[pyfunction]
pub(crate) fn golden_compounds(
    plus: &Bound<'_, PyAny>,
    minus: &Bound<'_, PyAny>,
) -> PyResult<State> {
    of_numbers(plus, minus, golden::compounds)
}

/// `golden_ratio(a, b)`.
#[pyfunction]
pub(crate) fn golden_ratio(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<f64> {
    golden::ratio(divisor("ratio", a)?, divisor("ratio", b)?).map_err(raise)
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
