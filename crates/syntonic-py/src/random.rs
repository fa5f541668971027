//! Random numbers by element index: a draw is a function of seed, offset and shape.

use crate::arguments::lengths;
use crate::enter::enter;
use crate::errors::{Class, error, raise};
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::random;
use syntonic_core::{DType, Element, Error, Tensor};

/// A fresh tensor whose elements `fill` writes.
fn filled<T: Element>(
    py: Python<'_>,
    shape: &[usize],
    fill: impl FnOnce(&mut [T]) -> Result<(), Error> + Send,
) -> PyResult<Tensor> {
    let count = syntonic_core::layout::count("random", shape).map_err(raise)?;
    enter(py, count, || {
        let mut values = Vec::new();
        values
            .try_reserve_exact(count)
            .map_err(|_| Error::SizeOverflow {
                op: "random",
                shape: shape.to_vec(),
            })?;
        values.resize(count, T::default());
        fill(&mut values)?;
        Tensor::from_vec(values, shape)
    })
}

/// A draw in single precision for the types that hold no more, else in double precision.
fn real(
    py: Python<'_>,
    shape: &[usize],
    dtype: DType,
    single: impl FnOnce(&mut [f32]) + Send,
    double: impl FnOnce(&mut [f64]) + Send,
) -> PyResult<State> {
    let drawn = match dtype {
        DType::F64 => filled(py, shape, |out| {
            double(out);
            Ok(())
        })?,
        DType::F32 | DType::F16 | DType::BF16 => filled(py, shape, |out| {
            single(out);
            Ok(())
        })?,
        other => {
            return Err(error(
                Class::DType,
                format!("random: {other} is no real floating type"),
            ));
        }
    };
    Ok(enter(py, drawn.numel(), || drawn.cast(dtype))?.into())
}

/// Uniform numbers in [0, 1): elements `offset..offset + size` of the stream of `seed`.
#[pyfunction]
pub(crate) fn random_uniform(
    py: Python<'_>,
    shape: &Bound<'_, PyAny>,
    dtype: &Bound<'_, PyAny>,
    seed: u64,
    offset: u64,
) -> PyResult<State> {
    real(
        py,
        &lengths(shape)?,
        crate::dtype::parse(dtype)?,
        |out| random::fill_uniform_f32(out, seed, offset),
        |out| random::fill_uniform_f64(out, seed, offset),
    )
}

/// Normal numbers of mean 0 and variance 1.
#[pyfunction]
pub(crate) fn random_normal(
    py: Python<'_>,
    shape: &Bound<'_, PyAny>,
    dtype: &Bound<'_, PyAny>,
    seed: u64,
    offset: u64,
) -> PyResult<State> {
    real(
        py,
        &lengths(shape)?,
        crate::dtype::parse(dtype)?,
        |out| random::fill_normal_f32(out, seed, offset),
        |out| random::fill_normal_f64(out, seed, offset),
    )
}

/// Integers of low..high.
#[pyfunction]
pub(crate) fn random_integers(
    py: Python<'_>,
    shape: &Bound<'_, PyAny>,
    low: i64,
    high: i64,
    seed: u64,
    offset: u64,
) -> PyResult<State> {
    let drawn = filled(py, &lengths(shape)?, |out| {
        random::fill_integers(out, low, high, seed, offset).map_err(|e| Error::Value {
            op: "random.integers",
            what: format!("{e}; hint: low must be below high"),
        })
    });
    Ok(drawn?.into())
}

/// A permutation of 0..n.
#[pyfunction]
pub(crate) fn random_permutation(
    py: Python<'_>,
    n: usize,
    seed: u64,
    offset: u64,
) -> PyResult<State> {
    let order = enter(py, n, || {
        Tensor::from_vec(random::permutation(n, seed, offset), &[n])
    });
    Ok(order?.into())
}

/// The seed of an independent stream.
#[pyfunction]
pub(crate) fn random_fork(seed: u64, index: u64) -> u64 {
    random::Generator::new(seed).fork(index).seed
}
