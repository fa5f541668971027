//! States that own floats.

use super::forms::syntony_of;
use super::values::owned;
use super::{Crystallized, Result, Spectrum};
use crate::constants::{INV_PHI, INV_PHI_SQUARED};
use crate::exact::snap_tensor;
use std::sync::Arc;
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::ops::random;
use syntonic_core::random::Generator;
use syntonic_core::{DType, Device, Error, Tensor, describe, same_device};

/// Floats that visit the lattice: `float64` states `[.., n]`, which move until they crystallize.
#[derive(Clone, Debug)]
pub struct Flux {
    values: Tensor,
    spectrum: Arc<Spectrum>,
}

/// The noise of a D phase: standard normal numbers, a function of seed and place. The next draw of the same seed begins at `offset` plus
/// the number of elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stir {
    /// Which numbers.
    pub seed: u64,
    /// Where they begin.
    pub offset: u64,
    /// Their scale.
    pub strength: f64,
}

fn times(x: &Tensor, y: &Tensor) -> syntonic_core::Result<Tensor> {
    apply(Prim::Mul, &[Arg::Tensor(x), Arg::Tensor(y)])
}

fn scaled(x: &Tensor, factor: f64) -> syntonic_core::Result<Tensor> {
    apply(Prim::Mul, &[Arg::Tensor(x), Arg::from(factor)])
}

fn more(x: &Tensor, term: f64) -> syntonic_core::Result<Tensor> {
    apply(Prim::Add, &[Arg::Tensor(x), Arg::from(term)])
}

/// `1 - x`.
fn rest(x: &Tensor) -> syntonic_core::Result<Tensor> {
    apply(Prim::Sub, &[Arg::from(1.0), Arg::Tensor(x)])
}

impl Flux {
    /// States of real floats `[.., n]`, taken as `float64`; `norms` as those of [`Crystallized::new`], and errors as there.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::Flux;
    ///
    /// let flux = Flux::new(&Tensor::from([3f32, 0.0]), None)?;
    /// assert_eq!(flux.values().dtype(), DType::F64);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn new(x: &Tensor, norms: Option<&Tensor>) -> Result<Flux> {
        let values = owned("flux", x)?;
        let spectrum = Spectrum::of("flux", &values, norms)?;
        Ok(Flux::of(values, Arc::new(spectrum)))
    }

    pub(super) fn of(values: Tensor, spectrum: Arc<Spectrum>) -> Flux {
        Flux { values, spectrum }
    }

    /// The floats, `float64`.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::Flux;
    ///
    /// assert_eq!(Flux::new(&Tensor::from([3.0, 0.5]), None)?.values().to_vec::<f64>()?, [3.0, 0.5]);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn values(&self) -> &Tensor {
        &self.values
    }

    /// The modes.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::Flux;
    ///
    /// let flux = Flux::new(&Tensor::from([1.0, 2.0, 3.0]), None)?;
    /// assert_eq!(flux.spectrum().norms().to_vec::<f64>()?, [0.0, 1.0, 4.0]);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn spectrum(&self) -> &Spectrum {
        &self.spectrum
    }

    pub(super) fn shared_spectrum(&self) -> &Arc<Spectrum> {
        &self.spectrum
    }

    /// The same states on another device.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::Flux;
    ///
    /// let flux = Flux::new(&Tensor::from([3.0, 0.5]), None)?;
    /// assert_eq!(flux.to(&cpu())?.values().to_vec::<f64>()?, [3.0, 0.5]);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn to(&self, device: &Arc<dyn Device>) -> Result<Flux> {
        let spectrum = self.spectrum.to(device)?;
        Ok(Flux::of(self.values.to(device)?, Arc::new(spectrum)))
    }

    pub(super) fn with(&self, values: Tensor) -> Flux {
        Flux::of(values, self.spectrum.clone())
    }

    /// Syntony of each state, `[.., n] -> [..]`, with the same bits on every device, and on a tape with its gradient.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::Flux;
    ///
    /// assert_eq!(Flux::new(&Tensor::from([0.5, 0.0]), None)?.syntony()?.to_scalar::<f64>()?, 1.0);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn syntony(&self) -> Result<Tensor> {
        syntony_of(&self.values, &self.spectrum)
    }

    /// The D phase at syntony `s` of each state, `[..]`: `ψ (1 + φ⁻² (1 - S) |n|) + strength (1 - S) e^(-|n|²/(4φ)) ξ`.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::Flux;
    ///
    /// let flux = Flux::new(&Tensor::from([1.0, 1.0]), None)?;
    /// // In a state without syntony, mode 1 grows by 1/φ².
    /// let moved = flux.differentiate(&Tensor::scalar(0, DType::F64)?, None)?;
    /// assert!((moved.values().index(1)?.to_scalar::<f64>()? - 1.381966011250105).abs() < 1e-14);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn differentiate(&self, s: &Tensor, stir: Option<Stir>) -> Result<Flux> {
        let left = rest(&self.each("differentiate", s)?)?;
        if self.values.numel() == 0 {
            return Ok(self.clone());
        }
        let rate = times(&scaled(&left, INV_PHI_SQUARED)?, &self.spectrum.lengths)?;
        let mut values = times(&self.values, &more(&rate, 1.0)?)?;
        if let Some(Stir {
            seed,
            offset,
            strength,
        }) = stir
        {
            let mut generator = Generator { seed, offset };
            let device = self.values.device();
            let shape = self.values.shape();
            let noise = random::normal(shape, 0.0, 1.0, DType::F64, &mut generator, device)?;
            let reach = times(&scaled(&left, strength)?, &self.spectrum.damping)?;
            let stirred = times(&reach, &noise)?;
            values = apply(Prim::Add, &[Arg::Tensor(&values), Arg::Tensor(&stirred)])?;
        }
        Ok(self.with(values.eval()?))
    }

    /// The H phase at syntony `s` of each state, `[..]`: `ψ (1 - (S/φ) (1 - e^(-|n|²/φ)))`.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::Flux;
    ///
    /// let flux = Flux::new(&Tensor::from([1.0, 1.0]), None)?;
    /// let moved = flux.harmonize(&Tensor::scalar(1, DType::F64)?)?.values().to_vec::<f64>()?;
    /// assert!(moved[0] == 1.0 && moved[1] < 0.8);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn harmonize(&self, s: &Tensor) -> Result<Flux> {
        let pull = scaled(&self.each("harmonize", s)?, INV_PHI)?;
        if self.values.numel() == 0 {
            return Ok(self.clone());
        }
        let loss = times(&pull, &rest(&self.spectrum.weights)?)?;
        Ok(self.with(times(&self.values, &rest(&loss)?)?.eval()?))
    }

    /// The nearest states, and the Euclidean distance to them. Errors: an element that is not finite or out of the bound's range.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::Golden;
    /// use syntonic_srt::resonant::lattice::Flux;
    ///
    /// let (state, distance) = Flux::new(&Tensor::from([2.0, 1.618]), None)?.crystallize(10)?;
    /// assert_eq!(state.points().to_points()?, [Golden::new(2, 0), Golden::PHI]);
    /// assert!((distance - 3.4e-5).abs() < 1e-6);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn crystallize(&self, bound: u32) -> Result<(Crystallized, f64)> {
        let snapped = snap_tensor(&self.values, bound)?;
        let residual = snapped.distance()?;
        let state = Crystallized::of(snapped.points, self.spectrum.clone(), bound);
        Ok((state, residual))
    }

    /// One number for each state, beside its elements.
    fn each(&self, op: &'static str, s: &Tensor) -> Result<Tensor> {
        let states = &self.values.shape()[..self.values.ndim() - 1];
        if s.shape() != states {
            return Err(Error::Shape {
                op,
                operands: describe(&[&self.values, s]),
                hint: "one syntony for each state".into(),
            }
            .into());
        }
        same_device(op, &[&self.values, s])?;
        Ok(s.cast(DType::F64)?.expand_dims(&[-1])?)
    }
}
