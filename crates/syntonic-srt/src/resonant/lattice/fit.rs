//! States that grow out of the lattice's range, brought back into it.

use super::{Flux, Result};
use crate::constants::{INV_PHI, PHI};
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::{DType, Tensor, room};

impl Flux {
    /// The states that a lattice of this bound has room for, and the power of φ that each was divided by, `[.., n] -> [.., n], [..]`,
    /// `float64` and `int64`.
    ///
    /// A state whose largest element lies beyond `bound φ²`, where no point is, is divided by the least power of φ with which it lies
    /// within `bound / φ`, where points are dense. Others stay as they are, with the power 0. Syntony and both phases do not
    /// depend on the scale of a state, so its course goes on as before. What is not finite stays, and so does every state for a bound of 0.
    ///
    /// Errors: those of reading the largest elements, which every state takes.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::Flux;
    ///
    /// let flux = Flux::new(&Tensor::from([[1.0, 2.0], [0.0, 1000.0]]), None)?;
    /// // 1000 is beyond 100 φ² = 261.8, and over φ⁶ = 17.9 below 100 / φ = 61.8.
    /// let (fitted, powers) = flux.fitted(100)?;
    /// assert_eq!(powers.to_vec::<i64>()?, [0, 6]);
    /// let values = fitted.values().to_vec::<f64>()?;
    /// assert!(values[..3] == [1.0, 2.0, 0.0] && (values[3] - 55.728090000841214).abs() < 1e-12);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn fitted(&self, bound: u32) -> Result<(Flux, Tensor)> {
        let values = self.values();
        let (states, device) = (&values.shape()[..values.ndim() - 1], values.device());
        let none = |dtype| {
            let one = Tensor::full_on(&vec![1; states.len()], 0, dtype, device)?; // few: axes.
            one.broadcast_to(states)
        };
        if values.numel() == 0 || bound == 0 {
            return Ok((self.clone(), none(DType::I64)?));
        }
        let size = apply(Prim::Abs, &[Arg::Tensor(&values.stop_gradient())])?;
        let largest = reduce::max(&size, &Over::from(-1))?.to_vec::<f64>()?;
        let bound = f64::from(bound);
        let (limit, room) = (bound + bound * PHI, bound * INV_PHI);
        if !largest.iter().any(|&x| x > limit && x.is_finite()) {
            return Ok((self.clone(), none(DType::I64)?));
        }
        let divided = largest.iter().map(|&x| match x > limit && x.is_finite() {
            true => power(x, room),
            false => (0, 1.0),
        });
        let divided: Vec<(i64, f64)> = room::collected(divided)?;
        let powers = room::collected(divided.iter().map(|&(power, _)| power))?;
        let scales = room::collected(divided.iter().map(|&(_, scale)| scale))?;
        let powers = Tensor::from_vec(powers, states)?.to(device)?;
        let scales = Tensor::from_vec(scales, states)?.to(device)?;
        let scales = scales.expand_dims(&[-1])?;
        let fitted = apply(Prim::Mul, &[Arg::Tensor(values), Arg::Tensor(&scales)])?;
        Ok((self.with(fitted.eval()?), powers))
    }
}

/// The least k with `x φ^-k` at most `room`, which is not 0, and `φ^-k`. Products alone, so that every host has the same.
fn power(x: f64, room: f64) -> (i64, f64) {
    let (mut k, mut scale) = (0, 1.0);
    while x * scale > room {
        k += 1;
        scale *= INV_PHI;
    }
    (k, scale)
}
