//! States that own integers.

use super::flux::{Flux, Stir};
use super::forms::syntony_of;
use super::{ResonantError, Result, Spectrum};
use crate::constants::{PHI, Q};
use crate::exact::{Golden, GoldenTensor, points_of};
use std::sync::Arc;
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::{Device, Tensor};

/// States on the golden lattice, `[.., n]`: each row along the last axis is one state, whose elements are exact integers `a + b φ`.
///
/// ```
/// use syntonic_core::Tensor;
/// use syntonic_srt::resonant::lattice::{Crystallized, Stir};
///
/// let x = Tensor::from_slice(&[1.0, 2.0, 3.0, 4.0], &[4])?;
/// let state = Crystallized::from_floats(&x, None, 100)?;
/// // 1, 2, 3 and 4 lie on the lattice, so this is the syntony of these numbers.
/// assert!((state.syntony()?.item()?.to_f64() - 0.13256967866314404).abs() < 1e-15);
/// let moved = state.cycle(Some(Stir { seed: 7, offset: 0, strength: 0.01 }), 0)?;
/// assert_eq!(moved.state.points().shape(), [4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Crystallized {
    points: GoldenTensor,
    spectrum: Arc<Spectrum>,
    bound: u32,
}

/// What a cycle gives.
#[derive(Clone, Debug)]
pub struct Cycled {
    /// The states after D, H and snapping.
    pub state: Crystallized,
    /// The syntony that the phases moved each state at, `[..]`.
    pub before: Tensor,
    /// The syntony of each state after.
    pub after: Tensor,
    /// The Euclidean distance that snapping moved all states by.
    pub residual: f64,
    /// The power of φ that each state was divided by before it was snapped, `int64`, `[..]`: 0 but where it would have left the range,
    /// see [`Flux::fitted`].
    pub powers: Tensor,
}

impl Crystallized {
    /// States of points. `norms` are squared mode norms `[n]`, or one for each element, and 0, 1, 4, 9, ... where none are given; `bound` is what
    /// coefficients are snapped to after a cycle.
    ///
    /// Errors: states without an axis, norms of another length or on another device.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    /// use syntonic_srt::resonant::lattice::Crystallized;
    ///
    /// let points = GoldenTensor::from_points(&[Golden::PHI, Golden::ZERO], &[2])?;
    /// let state = Crystallized::new(points, None, 100)?;
    /// assert_eq!(state.syntony()?.to_scalar::<f64>()?, 1.0);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn new(points: GoldenTensor, norms: Option<&Tensor>, bound: u32) -> Result<Crystallized> {
        let spectrum = Spectrum::of("crystallized", points.a(), norms)?;
        Ok(Crystallized {
            points,
            spectrum: Arc::new(spectrum),
            bound,
        })
    }

    /// The nearest states to real floats `[.., n]`. Errors as [`Crystallized::new`], and where an element has no point.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::Golden;
    /// use syntonic_srt::resonant::lattice::Crystallized;
    ///
    /// let state = Crystallized::from_floats(&Tensor::from([2.0, 1.618]), None, 10)?;
    /// assert_eq!(state.points().to_points()?, [Golden::new(2, 0), Golden::PHI]);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn from_floats(x: &Tensor, norms: Option<&Tensor>, bound: u32) -> Result<Crystallized> {
        Crystallized::new(points_of(x, bound)?, norms, bound)
    }

    pub(super) fn of(points: GoldenTensor, spectrum: Arc<Spectrum>, bound: u32) -> Crystallized {
        Crystallized {
            points,
            spectrum,
            bound,
        }
    }

    /// The integers.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::Golden;
    /// use syntonic_srt::resonant::lattice::Crystallized;
    ///
    /// let state = Crystallized::from_floats(&Tensor::from([3.0, 0.0]), None, 10)?;
    /// assert_eq!(state.points().to_points()?, [Golden::new(3, 0), Golden::ZERO]);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn points(&self) -> &GoldenTensor {
        &self.points
    }

    /// The modes.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::Crystallized;
    ///
    /// let state = Crystallized::from_floats(&Tensor::from([1.0, 2.0, 3.0]), None, 10)?;
    /// assert_eq!(state.spectrum().norms().to_vec::<f64>()?, [0.0, 1.0, 4.0]);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn spectrum(&self) -> &Spectrum {
        &self.spectrum
    }

    pub(super) fn shared_spectrum(&self) -> &Arc<Spectrum> {
        &self.spectrum
    }

    /// What coefficients are snapped to.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::Crystallized;
    ///
    /// assert_eq!(Crystallized::from_floats(&Tensor::from([1.0]), None, 10)?.bound(), 10);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn bound(&self) -> u32 {
        self.bound
    }

    /// The values, `float64`.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::Crystallized;
    ///
    /// let state = Crystallized::from_floats(&Tensor::from([3.0, -2.0]), None, 10)?;
    /// assert_eq!(state.values()?.to_vec::<f64>()?, [3.0, -2.0]);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn values(&self) -> Result<Tensor> {
        Ok(self.points.to_floats()?)
    }

    /// Syntony of each state, `[.., n] -> [..]`, as [`crate::resonant::syntony`] of the values, with the same bits on every device.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::Crystallized;
    ///
    /// let state = Crystallized::from_floats(&Tensor::from([[3.0, 0.0], [0.0, 3.0]]), None, 10)?;
    /// let s = state.syntony()?.to_vec::<f64>()?;
    /// assert!(s[0] == 1.0 && (s[1] - (-0.618033988749895f64).exp()).abs() < 1e-15);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn syntony(&self) -> Result<Tensor> {
        syntony_of(&self.values()?, &self.spectrum)
    }

    /// The same states on another device.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::Crystallized;
    ///
    /// let state = Crystallized::from_floats(&Tensor::from([3.0, 0.0]), None, 10)?;
    /// assert_eq!(state.to(&cpu())?.points().to_points()?, state.points().to_points()?);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn to(&self, device: &Arc<dyn Device>) -> Result<Crystallized> {
        Ok(Crystallized {
            points: self.points.to(device)?,
            spectrum: Arc::new(self.spectrum.to(device)?),
            bound: self.bound,
        })
    }

    /// The floats that these states are, which may move.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::Crystallized;
    ///
    /// let state = Crystallized::from_floats(&Tensor::from([3.0, -2.0]), None, 10)?;
    /// assert_eq!(state.wake()?.values().to_vec::<f64>()?, [3.0, -2.0]);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn wake(&self) -> Result<Flux> {
        Ok(Flux::of(self.values()?, self.spectrum.clone()))
    }

    /// D, then H, both at the syntony of each state, then the nearest points. `dwell` is a budget of work for the last step: the bound
    /// is `⌈φ^dwell bound⌉`, so that the distance to the floats does not grow with it.
    ///
    /// D lets mode `n` grow by up to `1 + φ⁻² |n|`, so most states outgrow every bound within a few cycles. One that would leave the range is
    /// divided by a power of φ before it is snapped, as [`Flux::fitted`] says, and [`Cycled::powers`] tells which. The phases and
    /// [`Flux::crystallize`] one by one divide nothing.
    ///
    /// Errors: an element that is not finite, and one beyond a bound of 0.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::Crystallized;
    ///
    /// let state = Crystallized::from_floats(&Tensor::from([3.0, 0.0]), None, 10)?;
    /// // The first mode alone is in tune, and at rest.
    /// let moved = state.cycle(None, 0)?;
    /// assert_eq!(moved.state.points().to_points()?, state.points().to_points()?);
    /// assert_eq!((moved.before.to_scalar::<f64>()?, moved.residual), (1.0, 0.0));
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn cycle(&self, stir: Option<Stir>, dwell: u32) -> Result<Cycled> {
        let bound = deepened("cycle", self.bound, dwell)?;
        let before = self.syntony()?;
        let flux = self.wake()?.differentiate(&before, stir)?;
        let (flux, powers) = flux.harmonize(&before)?.fitted(bound)?;
        let (state, residual) = flux.crystallize(bound)?;
        let state = Crystallized {
            bound: self.bound,
            ..state
        };
        Ok(Cycled {
            after: state.syntony()?,
            state,
            before,
            residual,
            powers,
        })
    }

    /// Times φ in exact integers: the golden recursion of values. Errors where a coefficient becomes too large.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::Golden;
    /// use syntonic_srt::resonant::lattice::Crystallized;
    ///
    /// let state = Crystallized::from_floats(&Tensor::from([3.0, 1.0]), None, 10)?;
    /// assert_eq!(state.recur()?.points().to_points()?, [Golden::new(0, 3), Golden::PHI]);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn recur(&self) -> Result<Crystallized> {
        Ok(self.with(self.points.times_phi()?))
    }

    /// Over φ in exact integers, which undoes [`Crystallized::recur`]. Errors where a coefficient becomes too large.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::Crystallized;
    ///
    /// let state = Crystallized::from_floats(&Tensor::from([3.0, 1.0]), None, 10)?;
    /// assert_eq!(state.recur()?.unrecur()?.points().to_points()?, state.points().to_points()?);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn unrecur(&self) -> Result<Crystallized> {
        Ok(self.with(self.points.over_phi()?))
    }

    /// Zero where `|x| e^(-|n|²/φ)`, what an element adds to the part in tune, is smaller than `q / divisor`, with the syntony deficit
    /// q = 0.0274. High modes go, and syntony rises. Without `weighted`, zero where `|x|` alone is smaller: no point of bound N but 0 is smaller than
    /// about `1 / N`, so such a threshold drops nothing where it is below that.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::Crystallized;
    ///
    /// let state = Crystallized::from_floats(&Tensor::from([3.0, 0.0131556, 3.0, 3.0, 2.0]), None, 100)?;
    /// // q / 248 is 0.00011, and mode 4 weighs e^(-16/φ) = 0.00005.
    /// assert_eq!(state.prune(248.0, true)?.values()?.to_vec::<f64>()?[2..], [3.0, 3.0, 0.0]);
    /// // What is below 0.0274 goes, and below a tenth of it stays.
    /// assert_eq!(state.prune(1.0, false)?.values()?.to_vec::<f64>()?, [3.0, 0.0, 3.0, 3.0, 2.0]);
    /// assert_eq!(state.prune(10.0, false)?.points().to_points()?, state.points().to_points()?);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn prune(&self, divisor: f64, weighted: bool) -> Result<Crystallized> {
        let mut size = apply(Prim::Abs, &[Arg::Tensor(&self.values()?)])?;
        if weighted {
            let weights = Arg::Tensor(&self.spectrum.weights);
            size = apply(Prim::Mul, &[Arg::Tensor(&size), weights])?;
        }
        let small = apply(Prim::Lt, &[Arg::Tensor(&size), Arg::from(Q / divisor)])?;
        let kept = |t: &Tensor| {
            let arguments = [Arg::Tensor(&small), Arg::from(0i64), Arg::Tensor(t)];
            apply(Prim::Select, &arguments)?.eval()
        };
        let points = GoldenTensor::new(&kept(self.points.a())?, &kept(self.points.b())?)?;
        Ok(self.with(points))
    }

    /// The positive part, by the exact order.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::Crystallized;
    ///
    /// let state = Crystallized::from_floats(&Tensor::from([3.0, -2.0]), None, 10)?;
    /// assert_eq!(state.relu()?.values()?.to_vec::<f64>()?, [3.0, 0.0]);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn relu(&self) -> Result<Crystallized> {
        let zero = GoldenTensor::from_points(&[Golden::ZERO], &[])?;
        let zero = zero.to(self.points.device())?;
        Ok(self.with(self.points.maximum(&zero)?))
    }

    fn with(&self, points: GoldenTensor) -> Crystallized {
        Crystallized {
            points,
            ..self.clone()
        }
    }
}

/// `⌈φ^steps bound⌉`, one step after the other.
pub(super) fn deepened(op: &'static str, bound: u32, steps: u32) -> Result<u32> {
    let mut wide = f64::from(bound);
    for _ in 0..steps {
        wide = (wide * PHI).ceil();
        if wide > f64::from(u32::MAX) {
            return Err(ResonantError::Bound { op, bound, steps });
        }
    }
    Ok(wide as u32)
}
