//! Optimisers: how parameters move by their gradients. One update is one formula, with a parameter, its gradient and its moments in, and the
//! new ones out; [`Optimizer::update_each`] updates all parameters of a model, on a GPU in one launch for each combination of types.
//!
//! Moments of `float16` and `bfloat16` are `float32`: squares of their gradients are beyond `float16` from 256 on and below 2.4e-4, and a running
//! mean stands still in few digits. A parameter itself is rounded to its type at each update, so what is less than half a unit of its last place
//! moves nothing; a [`Leaf`] may have a master copy in `float32` that all updates add to.
//!
//! ```
//! use syntonic_core::{Tensor, grad::grad};
//! use syntonic_srt::optim::{Adam, Optimizer};
//!
//! let mut x = Tensor::from([3.0, -2.0]);
//! let adam = Optimizer::from(Adam::default());
//! let mut moments = adam.moments(&x)?;
//! for step in 1..=400 {
//!     let slope = grad(|v| v[0].square()?.sum(..), &[&x])?.remove(0);
//!     let moved = adam.update(step, 0.05, &x, &slope, &moments)?;
//!     (x, moments) = (moved.parameter, moved.moments);
//! }
//! assert!(x.abs()?.max(..)?.to_scalar::<f64>()? < 1e-2);
//! # Ok::<(), syntonic_core::Error>(())
//! ```

mod adam;
mod clip;
#[cfg(test)]
mod half_tests;
mod lion;
mod sgd;
#[cfg(test)]
mod tests;
mod update;

pub use adam::{Adam, Decay};
pub use clip::clip_by_global_norm;
pub use lion::Lion;
pub use sgd::{Momentum, Sgd};
pub use update::{Leaf, Updated};

use syntonic_core::{Error, Result, Tensor};

/// One of the optimisers. Settings are checked at each update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Optimizer {
    /// Steps against the gradient, with momentum if wanted.
    Sgd(Sgd),
    /// Steps of running means over the roots of running squares.
    Adam(Adam),
    /// Steps of one length, the sign of a running mean.
    Lion(Lion),
}

impl From<Sgd> for Optimizer {
    fn from(settings: Sgd) -> Optimizer {
        Optimizer::Sgd(settings)
    }
}

impl From<Adam> for Optimizer {
    fn from(settings: Adam) -> Optimizer {
        Optimizer::Adam(settings)
    }
}

impl From<Lion> for Optimizer {
    fn from(settings: Lion) -> Optimizer {
        Optimizer::Lion(settings)
    }
}

impl Optimizer {
    /// What messages call it.
    ///
    /// ```
    /// use syntonic_srt::optim::{Optimizer, Sgd};
    ///
    /// assert_eq!(Optimizer::from(Sgd::default()).name(), "sgd");
    /// ```
    pub fn name(&self) -> &'static str {
        match self {
            Optimizer::Sgd(_) => "sgd",
            Optimizer::Adam(_) => "adam",
            Optimizer::Lion(_) => "lion",
        }
    }

    /// How many moments a parameter has.
    ///
    /// ```
    /// use syntonic_srt::optim::{Adam, Lion, Optimizer};
    ///
    /// assert_eq!(Optimizer::from(Adam::default()).count(), 2);
    /// assert_eq!(Optimizer::from(Lion::default()).count(), 1);
    /// ```
    pub fn count(&self) -> usize {
        match self {
            Optimizer::Sgd(sgd) => usize::from(sgd.momentum != Momentum::None),
            Optimizer::Adam(_) => 2,
            Optimizer::Lion(_) => 1,
        }
    }

    /// The moments before the first update: zeros of the parameter's shape and type, `float32` for half types.
    ///
    /// ```
    /// use syntonic_core::{DType, Tensor};
    /// use syntonic_srt::optim::{Adam, Optimizer};
    ///
    /// let adam = Optimizer::from(Adam::default());
    /// let moments = adam.moments(&Tensor::from([1.0, 2.0]))?;
    /// assert_eq!(moments[1].to_vec::<f64>()?, [0.0, 0.0]);
    /// let half = Tensor::from([1.0, 2.0]).cast(DType::F16)?;
    /// assert_eq!(adam.moments(&half)?[0].dtype(), DType::F32);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn moments(&self, parameter: &Tensor) -> Result<Vec<Tensor>> {
        let dtype = parameter.dtype().compute();
        let zeros = || syntonic_core::ops::create::zeros_like(parameter, Some(dtype));
        // few: two at most.
        (0..self.count()).map(|_| zeros()).collect()
    }
}

/// An error unless a setting is a number of at least 0.
fn positive(op: &'static str, name: &str, x: f64) -> Result<()> {
    if x.is_finite() && x >= 0.0 {
        return Ok(());
    }
    Err(Error::value(
        op,
        format!("{name} is {x}; it must be at least 0, and finite"),
    ))
}

/// An error unless a setting is the part of the past in a running mean.
fn part(op: &'static str, name: &str, x: f64) -> Result<()> {
    if (0.0..1.0).contains(&x) {
        return Ok(());
    }
    Err(Error::value(
        op,
        format!("{name} is {x}; it must be at least 0, and less than 1"),
    ))
}
