//! Integers of exact numbers as Python asks for them: `floor`, `ceil`, `round`, `//`, `%`.

use super::number::Number;
use super::operation::{Side, give};
use super::refuse;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use syntonic_srt::exact::{ExactError, Golden, GoldenFraction};

/// The nearest integer, or with a number of digits the nearest multiple of a power of ten, as `fractions.Fraction` has them.
pub(super) fn rounded<'py>(
    py: Python<'py>,
    x: Number,
    digits: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let Some(digits) = digits.filter(|digits| !digits.is_none()) else {
        let nearest = x.fraction().round_ties_even();
        return Ok(nearest.into_pyobject(py)?.into_any());
    };
    let digits: i64 = digits
        .call_method0("__index__")
        .map_err(|_| {
            let shown = crate::arguments::shown(digits);
            PyTypeError::new_err(format!(
                "round wants an integer number of digits, not {shown}"
            ))
        })?
        .extract()?;
    let made = nearest_multiple(x.fraction(), digits).map_err(refuse)?;
    give(py, Number::Fraction(made))
}

/// The multiple of 10^-digits that is nearest.
fn nearest_multiple(x: GoldenFraction, digits: i64) -> Result<GoldenFraction, ExactError> {
    let overflow = ExactError::Overflow { op: "round" };
    let power = u32::try_from(digits.unsigned_abs()).ok();
    let power = power.and_then(|n| 10i64.checked_pow(n)).ok_or(overflow)?;
    let power = GoldenFraction::from(Golden::from(power));
    let unit = match digits < 0 {
        true => power,
        false => GoldenFraction::from(Golden::ONE).over(power)?,
    };
    let times = i64::try_from(x.over(unit)?.round_ties_even()).map_err(|_| overflow)?;
    GoldenFraction::from(Golden::from(times)).times(unit)
}

/// What division with a remainder is asked for.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Asked {
    Quotient,
    Rest,
    Both,
}

/// `x // y`, `x % y` or `divmod(x, y)`; `NotImplemented` beside what is no exact number. The quotient is an integer, rounded down, and what
/// is left is whole where both operands are.
pub(super) fn divided<'py>(
    x: Number,
    other: &Bound<'py, PyAny>,
    side: Side,
    asked: Asked,
) -> PyResult<Bound<'py, PyAny>> {
    let py = other.py();
    let Some(y) = Number::of(other)? else {
        return Ok(py.NotImplemented().into_bound(py));
    };
    let (x, y) = match side {
        Side::Right => (x, y),
        Side::Left => (y, x),
    };
    let quotient = || -> PyResult<Bound<'py, PyAny>> {
        let whole = x.fraction().floor_over(y.fraction()).map_err(refuse)?;
        Ok(whole.into_pyobject(py)?.into_any())
    };
    let rest = || -> PyResult<Bound<'py, PyAny>> {
        let rest = x.fraction().remainder(y.fraction()).map_err(refuse)?;
        match (x, y) {
            (Number::Whole(_), Number::Whole(_)) => give(py, Number::Whole(rest.numerator())),
            _ => give(py, Number::Fraction(rest)),
        }
    };
    match asked {
        Asked::Quotient => quotient(),
        Asked::Rest => rest(),
        Asked::Both => Ok((quotient()?, rest()?).into_pyobject(py)?.into_any()),
    }
}
