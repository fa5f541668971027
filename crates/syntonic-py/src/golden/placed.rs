//! Where a search of RES lives: here, or on a device.

use crate::operand::Operand;
use pyo3::prelude::*;
use std::ops::Deref;
use std::sync::Arc;
use syntonic_core::{Device, Tensor};
use syntonic_srt::evolve::device::DeviceRes;
use syntonic_srt::evolve::{EvolveError, Limits, Res, ResConfig, Shape, Strategy};

/// A search, and where its candidates are drawn.
pub(super) enum Placed {
    Here(Box<Res>),
    There(Box<DeviceRes>),
}

/// What is counted and recorded, wherever the candidates are drawn.
impl Deref for Placed {
    type Target = Res;

    fn deref(&self) -> &Res {
        match self {
            Placed::Here(res) => res,
            Placed::There(there) => there.res(),
        }
    }
}

/// The configuration that a device takes: "auto" is the shape that it has.
pub(super) fn there(mut config: ResConfig) -> ResConfig {
    if config.strategy == Strategy::Recombine(Shape::Auto) {
        config.strategy = Strategy::Recombine(Shape::Full);
    }
    config
}

impl Placed {
    pub(super) fn of(res: Res, device: Option<&Arc<dyn Device>>) -> Result<Placed, EvolveError> {
        Ok(match device {
            None => Placed::Here(Box::new(res)),
            Some(device) => Placed::There(Box::new(DeviceRes::new(res, device)?)),
        })
    }

    /// The device that was asked for.
    pub(super) fn device(&self) -> Option<&Arc<dyn Device>> {
        match self {
            Placed::Here(_) => None,
            Placed::There(there) => Some(there.device()),
        }
    }

    /// With its matrix.
    pub(super) fn whole(&mut self) -> Result<&Res, EvolveError> {
        match self {
            Placed::Here(res) => Ok(res),
            Placed::There(there) => there.whole(),
        }
    }

    pub(super) fn ask(&mut self) -> Result<Tensor, EvolveError> {
        match self {
            Placed::Here(res) => {
                let population = res.ask()?;
                let shape = [population.rows(), population.cols()];
                Ok(Tensor::from_slice(population.as_slice(), &shape)?)
            }
            Placed::There(there) => there.ask(),
        }
    }

    pub(super) fn tell(&mut self, values: &Values) -> Result<(), EvolveError> {
        match (self, values) {
            (Placed::Here(res), Values::Here(values)) => res.tell(values),
            (Placed::There(there), Values::There(values)) => there.tell(values),
            // Values are read for the search that they are told.
            _ => Err(EvolveError::NothingAsked),
        }
    }

    pub(super) fn tell_points(&mut self, x: &[f64], values: &[f64]) -> Result<(), EvolveError> {
        match self {
            Placed::Here(res) => res.tell_points(x, values),
            Placed::There(there) => there.tell_points(x, values),
        }
    }

    pub(super) fn inject(&mut self, x: &[f64]) -> Result<(), EvolveError> {
        match self {
            Placed::Here(res) => res.inject(x),
            Placed::There(there) => there.inject(x),
        }
    }

    pub(super) fn restart(&mut self) -> Result<bool, EvolveError> {
        match self {
            Placed::Here(res) => res.restart(),
            Placed::There(there) => there.restart(),
        }
    }

    pub(super) fn set_limits(&mut self, limits: Limits) -> Result<(), EvolveError> {
        match self {
            Placed::Here(res) => res.set_limits(limits),
            Placed::There(there) => there.set_limits(limits),
        }
    }
}

/// Values of candidates, where their search takes them.
pub(super) enum Values {
    Here(Vec<f64>),
    There(Tensor),
}

impl Values {
    pub(super) fn read(
        given: &Bound<'_, PyAny>,
        device: Option<&Arc<dyn Device>>,
    ) -> PyResult<Values> {
        Ok(match device {
            None => Values::Here(super::res_options::vector(given, "values")?),
            Some(device) => Values::There(Operand::from_any(given)?.into_tensor_on(device)?),
        })
    }
}
