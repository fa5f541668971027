//! Random numbers by element index: a draw is a function of seed, offset and shape, on any device.

use crate::arguments::lengths;
use crate::device;
use crate::dtype;
use crate::enter::enter;
use crate::state::State;
use pyo3::prelude::*;
use std::sync::Arc;
use syntonic_core::ops::random;
use syntonic_core::random::Generator;
use syntonic_core::{DType, Device, Error, Tensor, layout};

/// Elements `offset..offset + size` of the stream of `seed`.
fn draw(
    py: Python<'_>,
    shape: &[usize],
    (seed, offset): (u64, u64),
    device: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&mut Generator, &Arc<dyn Device>) -> Result<Tensor, Error> + Send,
) -> PyResult<State> {
    let device = device::parse(py, device)?;
    let mut generator = Generator::new(seed);
    generator.offset = offset;
    let size = layout::count("random", shape).unwrap_or(usize::MAX);
    Ok(enter(py, size, || work(&mut generator, &device))?.into())
}

/// Uniform numbers in [0, 1).
#[pyfunction]
#[pyo3(signature = (shape, dtype, seed, offset, device=None))]
pub(crate) fn random_uniform(
    py: Python<'_>,
    shape: &Bound<'_, PyAny>,
    dtype: &Bound<'_, PyAny>,
    seed: u64,
    offset: u64,
    device: Option<&Bound<'_, PyAny>>,
) -> PyResult<State> {
    let (shape, dtype) = (lengths(shape)?, dtype::parse(dtype)?);
    draw(py, &shape, (seed, offset), device, |generator, device| {
        random::uniform(&shape, 0.0, 1.0, dtype, generator, device)
    })
}

/// Normal numbers of mean 0 and variance 1.
#[pyfunction]
#[pyo3(signature = (shape, dtype, seed, offset, device=None))]
pub(crate) fn random_normal(
    py: Python<'_>,
    shape: &Bound<'_, PyAny>,
    dtype: &Bound<'_, PyAny>,
    seed: u64,
    offset: u64,
    device: Option<&Bound<'_, PyAny>>,
) -> PyResult<State> {
    let (shape, dtype) = (lengths(shape)?, dtype::parse(dtype)?);
    draw(py, &shape, (seed, offset), device, |generator, device| {
        random::normal(&shape, 0.0, 1.0, dtype, generator, device)
    })
}

/// Integers of low..high.
#[pyfunction]
#[pyo3(signature = (shape, low, high, seed, offset, device=None))]
pub(crate) fn random_integers(
    py: Python<'_>,
    shape: &Bound<'_, PyAny>,
    low: i64,
    high: i64,
    seed: u64,
    offset: u64,
    device: Option<&Bound<'_, PyAny>>,
) -> PyResult<State> {
    let shape = lengths(shape)?;
    draw(py, &shape, (seed, offset), device, |generator, device| {
        random::integers(&shape, low, high, DType::I64, generator, device)
    })
}

/// A permutation of 0..n.
#[pyfunction]
#[pyo3(signature = (n, seed, offset, device=None))]
pub(crate) fn random_permutation(
    py: Python<'_>,
    n: usize,
    seed: u64,
    offset: u64,
    device: Option<&Bound<'_, PyAny>>,
) -> PyResult<State> {
    draw(py, &[n], (seed, offset), device, |generator, device| {
        random::permutation(n, generator, device)
    })
}

/// The seed of an independent stream.
#[pyfunction]
pub(crate) fn random_fork(seed: u64, index: u64) -> u64 {
    Generator::new(seed).fork(index).seed
}
