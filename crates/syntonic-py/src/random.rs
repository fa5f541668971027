//! Random numbers by element index: a draw is a function of seed, offset and shape, on any device.

use crate::arguments::{Parameter, parameter};
use crate::device;
use crate::dtype;
use crate::enter::enter;
use crate::errors::{Class, error};
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::PyInt;
use std::sync::Arc;
use syntonic_core::ops::random;
use syntonic_core::random::{Generator, SharedGenerator};
use syntonic_core::{DType, Device, Error, Tensor, layout};

type Object<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// The native half of `syntonic.random.Generator`. Every draw takes its elements for itself before it draws, so threads
/// that share one never get the same.
#[pyclass(frozen, name = "SharedGenerator", module = "syntonic._core")]
pub(crate) struct PyGenerator(SharedGenerator);

/// An integer of 64 bits without a sign.
pub(crate) fn word(parameter: Parameter, obj: &Bound<'_, PyAny>) -> PyResult<u64> {
    obj.extract::<u64>().map_err(|_| {
        let whole = obj.is_instance_of::<PyInt>() || obj.hasattr("__index__").unwrap_or(false);
        let class = match whole {
            true => Class::Argument,
            false => Class::ArgumentType,
        };
        parameter.refuse(class, obj, "an integer from 0 to 2**64 - 1")
    })
}

/// A real number that is neither infinite nor NaN.
fn finite(parameter: Parameter, obj: &Bound<'_, PyAny>) -> PyResult<f64> {
    let x = parameter.real(obj)?;
    match x.is_finite() {
        true => Ok(x),
        false => Err(parameter.refuse(Class::Argument, obj, "finite")),
    }
}

impl PyGenerator {
    fn draw(
        &self,
        py: Python<'_>,
        shape: &[usize],
        device: Object<'_, '_>,
        work: impl FnOnce(&mut &SharedGenerator, &Arc<dyn Device>) -> Result<Tensor, Error> + Send,
    ) -> PyResult<State> {
        let device = device::parse(py, device)?;
        let size = layout::count("random", shape).unwrap_or(usize::MAX);
        Ok(enter(py, size, || work(&mut &self.0, &device))?.into())
    }
}

#[pymethods]
impl PyGenerator {
    #[new]
    fn new(seed: &Bound<'_, PyAny>, offset: &Bound<'_, PyAny>) -> PyResult<PyGenerator> {
        let op = "Generator";
        let mut start = Generator::new(word(parameter(op, "seed"), seed)?);
        start.offset = word(parameter(op, "offset"), offset)?;
        Ok(PyGenerator(SharedGenerator::new(start)))
    }

    /// Seed and offset, as they are at one moment.
    fn state(&self) -> (u64, u64) {
        let now = self.0.state();
        (now.seed, now.offset)
    }

    /// Changes seed, offset or both in one step; None leaves one as it is.
    fn update(&self, seed: Object<'_, '_>, offset: Object<'_, '_>) -> PyResult<()> {
        let read = |name, given: Object<'_, '_>| {
            given
                .map(|given| word(parameter("Generator", name), given))
                .transpose()
        };
        let (seed, offset) = (read("seed", seed)?, read("offset", offset)?);
        self.0.update(|now| {
            now.seed = seed.unwrap_or(now.seed);
            now.offset = offset.unwrap_or(now.offset);
        });
        Ok(())
    }

    /// Uniform numbers in [low, high).
    fn uniform(
        &self,
        py: Python<'_>,
        shape: &Bound<'_, PyAny>,
        low: &Bound<'_, PyAny>,
        high: &Bound<'_, PyAny>,
        dtype: Object<'_, '_>,
        device: Object<'_, '_>,
    ) -> PyResult<State> {
        let op = "uniform";
        let shape = parameter(op, "shape").lengths(shape)?;
        let low = finite(parameter(op, "low"), low)?;
        let high = finite(parameter(op, "high"), high)?;
        if !(high - low).is_finite() {
            return Err(error(
                Class::Argument,
                format!("{op}: the range from {low} to {high} is not finite"),
            ));
        }
        let dtype = dtype::parse_optional(dtype)?.unwrap_or(DType::F64);
        self.draw(py, &shape, device, |generator, device| {
            random::uniform(&shape, low, high, dtype, generator, device)
        })
    }

    /// Normal numbers of this mean and standard deviation.
    fn normal(
        &self,
        py: Python<'_>,
        shape: &Bound<'_, PyAny>,
        mean: &Bound<'_, PyAny>,
        std: &Bound<'_, PyAny>,
        dtype: Object<'_, '_>,
        device: Object<'_, '_>,
    ) -> PyResult<State> {
        let op = "normal";
        let shape = parameter(op, "shape").lengths(shape)?;
        let mean = finite(parameter(op, "mean"), mean)?;
        let deviation = finite(parameter(op, "std"), std)?;
        if deviation < 0.0 {
            return Err(parameter(op, "std").refuse(Class::Argument, std, "at least 0"));
        }
        let dtype = dtype::parse_optional(dtype)?.unwrap_or(DType::F64);
        self.draw(py, &shape, device, |generator, device| {
            random::normal(&shape, mean, deviation, dtype, generator, device)
        })
    }

    /// Integers of low..high.
    fn integers(
        &self,
        py: Python<'_>,
        shape: &Bound<'_, PyAny>,
        low: &Bound<'_, PyAny>,
        high: &Bound<'_, PyAny>,
        device: Object<'_, '_>,
    ) -> PyResult<State> {
        let op = "integers";
        let shape = parameter(op, "shape").lengths(shape)?;
        let low: i64 = parameter(op, "low").integer(low)?;
        let high: i64 = parameter(op, "high").integer(high)?;
        self.draw(py, &shape, device, |generator, device| {
            random::integers(&shape, low, high, DType::I64, generator, device)
        })
    }

    /// The numbers 0..n in random order.
    fn permutation(
        &self,
        py: Python<'_>,
        n: &Bound<'_, PyAny>,
        device: Object<'_, '_>,
    ) -> PyResult<State> {
        let n = parameter("permutation", "n").size(n)?;
        self.draw(py, &[n], device, |generator, device| {
            random::permutation(n, generator, device)
        })
    }

    /// The seed of an independent stream.
    fn fork(&self, index: &Bound<'_, PyAny>) -> PyResult<u64> {
        let index = word(parameter("fork", "index"), index)?;
        Ok(self.0.state().fork(index).seed)
    }
}
