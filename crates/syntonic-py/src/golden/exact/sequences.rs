//! Powers of φ, and Fibonacci and Lucas numbers.

use super::array::long;
use super::grown::{Int, work};
use super::refuse;
use super::scalars::PyGoldenInt;
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::Tensor;
use syntonic_srt::exact::{self, BigInt, ExactError, Golden, GoldenBig, GoldenTensorError};

/// φ^n, exactly.
#[pyfunction]
pub(crate) fn phi_power(py: Python<'_>, n: i64) -> PyResult<PyGoldenInt> {
    let small = i32::try_from(n).ok().map(Golden::phi_power);
    if let Some(Ok(power)) = small {
        return Ok(PyGoldenInt(Int::Small(power)));
    }
    let size = n.unsigned_abs() as usize;
    let power = work(py, size, || GoldenBig::phi_power(n))?;
    Ok(PyGoldenInt(Int::of(power)))
}

/// The n-th Fibonacci number; of an array by the element, up to 92.
#[pyfunction]
pub(crate) fn fibonacci<'py>(n: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let large = |power: &GoldenBig| power.b().clone();
    sequence(n, exact::fibonacci, large, exact::fibonacci_tensor)
}

/// The n-th Lucas number; of an array by the element, up to 90.
#[pyfunction]
pub(crate) fn lucas<'py>(n: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let large = |power: &GoldenBig| power.a() * 2 + power.b();
    sequence(n, exact::lucas, large, exact::lucas_tensor)
}

/// The numbers of `n`: one in 64 bits, `large` of φ^n = F(n-1) + F(n) φ where it does not fit, and `each` of an array.
fn sequence<'py>(
    n: &Bound<'py, PyAny>,
    one: fn(u32) -> Result<i64, ExactError>,
    large: fn(&GoldenBig) -> BigInt,
    each: fn(&Tensor) -> Result<Tensor, GoldenTensorError>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = n.py();
    // Arrays and lists have a length, but for arrays without axes, which are integers in their own way.
    if n.extract::<u32>().is_err() && (n.is_instance_of::<State>() || n.hasattr("__len__")?) {
        let n = operand::tensor(n)?;
        let made = long(py, n.numel(), || each(&n))?;
        return Ok(Bound::new(py, State::from(made))?.into_any());
    }
    let n: u32 = n.extract()?;
    match one(n) {
        Err(ExactError::Overflow { .. }) => {
            let power = work(py, n as usize, || GoldenBig::phi_power(i64::from(n)))?;
            Ok(large(&power).into_pyobject(py)?.into_any())
        }
        made => Ok(made.map_err(refuse)?.into_pyobject(py)?.into_any()),
    }
}
