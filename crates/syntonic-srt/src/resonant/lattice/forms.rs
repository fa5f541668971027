//! Functions of a flux: its syntony with a gradient, and the gradient that snapping stands for.

use super::states::sealed::Parts;
use super::{Crystallized, Flux, Result, Spectrum};
use crate::exact::shares;
use crate::nn::{Softmax, Weights, syntonic_softmax};
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::{Error, Tensor, describe, room};

fn both(prim: Prim, x: &Tensor, y: &Tensor) -> syntonic_core::Result<Tensor> {
    apply(prim, &[Arg::Tensor(x), Arg::Tensor(y)])
}

/// Syntony of each state by its modes, whose bits are the same on every device. On a tape it has the gradient of the formula.
pub(super) fn syntony_of(values: &Tensor, modes: &Spectrum) -> Result<Tensor> {
    let exact = by_rows(&values.stop_gradient(), &modes.weights)?;
    if !values.is_tracked() || values.numel() == 0 {
        return Ok(exact);
    }
    let formula = slope(values, &modes.weights)?;
    // The formula less itself is 0: what is added is its gradient alone.
    let nothing = both(Prim::Sub, &formula, &formula.stop_gradient())?;
    Ok(both(Prim::Add, &exact, &nothing)?)
}

/// Where states have modes of their own, one state after the other.
fn by_rows(values: &Tensor, weights: &Tensor) -> Result<Tensor> {
    let [states @ .., n] = values.shape() else {
        return Ok(shares(values, weights)?);
    };
    if weights.ndim() == 1 || values.numel() == 0 {
        return Ok(shares(values, weights)?);
    }
    let rows: usize = states.iter().product();
    let flat = [rows as isize, *n as isize];
    let (values, weights) = (values.reshape(&flat)?, weights.reshape(&flat)?);
    let of = |row| {
        let (values, weights) = (values.select(0, row)?, weights.select(0, row)?);
        shares(&values, &weights)
    };
    let mut made = room::empty(rows)?;
    for row in 0..rows as i64 {
        made.push(of(row)?);
    }
    let made = room::collected(made.iter())?;
    let states = room::collected(states.iter().map(|&n| n as isize))?;
    Ok(Tensor::stack(&made, 0)?.reshape(&states)?.eval()?)
}

/// `sum ψ² w / sum ψ²` as a formula that a tape follows, over the largest magnitude, so that nothing overflows.
fn slope(values: &Tensor, weights: &Tensor) -> syntonic_core::Result<Tensor> {
    let last = Over::from(-1);
    let size = apply(Prim::Abs, &[Arg::Tensor(&values.stop_gradient())])?;
    let scale = not_zero(&reduce::max(&size, &last)?)?.expand_dims(&[-1])?;
    let x = both(Prim::Div, values, &scale)?;
    let energy = both(Prim::Mul, &x, &x)?;
    let part = reduce::sum(&both(Prim::Mul, &energy, weights)?, &last, None)?;
    let whole = not_zero(&reduce::sum(&energy, &last, None)?)?;
    both(Prim::Div, &part, &whole)
}

/// 1 where it is 0.
fn not_zero(x: &Tensor) -> syntonic_core::Result<Tensor> {
    let zero = apply(Prim::Eq, &[Arg::Tensor(x), Arg::from(0.0)])?;
    let arguments = [Arg::Tensor(&zero), Arg::from(1.0), Arg::Tensor(x)];
    apply(Prim::Select, &arguments)
}

impl Flux {
    /// What snapping to `state` would move each element by, `(a + b φ) - ψ`, and where `weighted` by its golden weight `e^(-|n|²/φ)`, so that low
    /// modes count most: `[.., n]`, `float64`.
    ///
    /// Errors: states of another shape, whose modes differ, or on another device.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::{Crystallized, Flux};
    ///
    /// let flux = Flux::new(&Tensor::from([1.5, 2.5, 3.5]), None)?;
    /// let state = Crystallized::from_floats(&Tensor::from([2.0, 2.0, 4.0]), None, 100)?;
    /// assert_eq!(flux.snap_gradient(&state, false)?.to_vec::<f64>()?, [0.5, -0.5, 0.5]);
    /// let weighted = flux.snap_gradient(&state, true)?.to_vec::<f64>()?;
    /// assert!(weighted[0] == 0.5 && (weighted[1] + 0.5 * 0.5390030827240446).abs() < 1e-15);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn snap_gradient(&self, state: &Crystallized, weighted: bool) -> Result<Tensor> {
        const OP: &str = "snap_gradient";
        if self.values().shape() != state.points().shape() {
            return Err(Error::Shape {
                op: OP,
                operands: describe(&[self.values(), state.points().a()]),
                hint: "a state of the shape of the flux".into(),
            }
            .into());
        }
        let moved = both(Prim::Sub, &state.values()?, self.values())?;
        Spectrum::agreed(OP, self.modes(), state.modes(), &moved)?;
        Ok(match weighted {
            true => both(Prim::Mul, &moved, &self.spectrum().weights)?,
            false => moved,
        })
    }

    /// The syntonic softmax of each state by its own modes: `w_i e^(ψ_i) / Σ w_j e^(ψ_j)` along the last axis, with golden weights
    /// `w = e^(-|n|²/φ)`. Errors as of [`syntonic_softmax`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::Flux;
    ///
    /// let made = Flux::new(&Tensor::from([1.0, 1.0]), None)?.syntonic_softmax()?;
    /// // 1 / (1 + e^(-1/φ)).
    /// assert!((made.values().to_vec::<f64>()?[0] - 0.6497712780600764).abs() < 1e-15);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn syntonic_softmax(&self) -> Result<Flux> {
        let modes = self.spectrum();
        let weights = match modes.norms.ndim() {
            1 => Weights::ModeNorms(&modes.norms),
            _ => Weights::Provided(&modes.weights),
        };
        let made = syntonic_softmax(self.values(), weights, Softmax::default())?;
        self.rebuilt(made, self.modes().clone())
    }
}
