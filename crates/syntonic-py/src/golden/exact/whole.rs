//! Integers of exact numbers as Python asks for them: `floor`, `ceil`, `round`, `//`, `%`.

use super::grown::{Grown, Ratio, work};
use super::number::Number;
use super::operation::{Side, give};
use super::refuse;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use syntonic_srt::exact::{ExactError, Golden, GoldenBig, GoldenBigFraction, GoldenFraction};

/// The nearest integer, or with a number of digits the nearest multiple of a power of ten, as `fractions.Fraction` has them.
pub(super) fn rounded<'py>(
    py: Python<'py>,
    x: Number,
    digits: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let x = x.fraction();
    let Some(digits) = digits.filter(|digits| !digits.is_none()) else {
        return x.integer(
            py,
            GoldenFraction::round_ties_even,
            GoldenBigFraction::round_ties_even,
        );
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
    let size = digits.unsigned_abs() as usize;
    let made = work(py, size, || nearest_multiple(&x.big(), digits))?;
    give(py, Number::Fraction(Grown::of(made)))
}

/// The multiple of 10^-digits that is nearest.
fn nearest_multiple(x: &GoldenBigFraction, digits: i64) -> Result<GoldenBigFraction, ExactError> {
    let power = GoldenBigFraction::from(GoldenBig::from(10).power(digits.unsigned_abs())?);
    let unit = match digits < 0 {
        true => power,
        false => GoldenBigFraction::from(Golden::ONE).over(&power)?,
    };
    let times = GoldenBig::new(x.over(&unit)?.round_ties_even(), 0)?;
    GoldenBigFraction::from(times).times(&unit)
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
    let whole = matches!((&x, &y), (Number::Whole(_), Number::Whole(_)));
    let (x, y) = match side {
        Side::Right => (x.fraction(), y.fraction()),
        Side::Left => (y.fraction(), x.fraction()),
    };
    let rest = || -> PyResult<Bound<'py, PyAny>> {
        let rest: Ratio = x.with(
            py,
            &y,
            GoldenFraction::remainder,
            GoldenBigFraction::remainder,
        )?;
        match whole {
            true => give(py, Number::Whole(rest.numerator())),
            false => give(py, Number::Fraction(rest)),
        }
    };
    match asked {
        Asked::Quotient => quotient(py, &x, &y),
        Asked::Rest => rest(),
        Asked::Both => Ok((quotient(py, &x, &y)?, rest()?)
            .into_pyobject(py)?
            .into_any()),
    }
}

fn quotient<'py>(py: Python<'py>, x: &Ratio, y: &Ratio) -> PyResult<Bound<'py, PyAny>> {
    if let (Grown::Small(x), Grown::Small(y)) = (x, y) {
        match x.floor_over(*y) {
            Err(ExactError::Overflow { .. }) => {}
            made => return Ok(made.map_err(refuse)?.into_pyobject(py)?.into_any()),
        }
    }
    let (x, y) = (x.big(), y.big());
    let bits = x.denominator().bits() + x.numerator().a().bits() + y.numerator().a().bits();
    let made = work(py, bits as usize, || x.floor_over(&y))?;
    Ok(made.into_pyobject(py)?.into_any())
}
