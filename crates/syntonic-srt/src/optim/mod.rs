//! Optimisers: how parameters move by their gradients. One update of one parameter is one formula and one launch, with the
//! parameter, its gradient and its moments in, and the new ones out.
//!
//! Moments of `float16` and `bfloat16` are `float32`: squares of their gradients are beyond `float16` from 256 on and below 2.4e-4, and a running
//! mean stands still in few digits. A parameter itself is rounded to its type at each update, so what is less than half a unit of its last place
//! moves nothing; [`Optimizer::update_master`] keeps a copy in `float32` that all updates add to.
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

pub use adam::{Adam, Decay};
pub use clip::clip_by_global_norm;
pub use lion::Lion;
pub use sgd::{Momentum, Sgd};

use crate::refusal::not_real;
use syntonic_core::fuse::Program;
use syntonic_core::{DType, Error, Result, Scalar, Tensor, describe, run, same_device};

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

/// A parameter after an update, and its moments.
#[derive(Clone, Debug)]
pub struct Updated {
    /// The new parameter, of the old one's shape and type.
    pub parameter: Tensor,
    /// The new master copy, where there is one.
    pub master: Option<Tensor>,
    /// The new moments, as many as before.
    pub moments: Vec<Tensor>,
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

    /// The update of number `step`, from 1 on, at the learning rate `rate`: `parameter`, `gradient` and moments of one shape.
    ///
    /// Real floats, each of its own type; half types are computed in `float32` and rounded once, and moments that are given in a half type
    /// come back in `float32`. Errors: [`Error::Value`] for a step of 0, a rate that is
    /// negative or not finite, settings out of their range, or another number of moments; [`Error::Shape`] where the shapes
    /// differ; [`Error::DType`] for other types.
    ///
    /// ```
    /// use syntonic_core::Tensor;
    /// use syntonic_srt::optim::{Optimizer, Sgd};
    ///
    /// let (x, slope) = (Tensor::from([1.0, 2.0]), Tensor::from([4.0, -2.0]));
    /// let after = Optimizer::from(Sgd::default()).update(1, 0.5, &x, &slope, &[])?;
    /// assert_eq!(after.parameter.to_vec::<f64>()?, [-1.0, 3.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn update(
        &self,
        step: u64,
        rate: f64,
        parameter: &Tensor,
        gradient: &Tensor,
        moments: &[Tensor],
    ) -> Result<Updated> {
        self.updated(step, rate, parameter, None, gradient, moments)
    }

    /// [`Optimizer::update`] of a parameter of type `dtype` by its master copy, which is `float32` for half types: the copy takes the update, and
    /// the new parameter is the new copy, rounded once. Begin with `parameter.cast(DType::F32)`. One launch, as without a copy.
    ///
    /// Errors: as of [`Optimizer::update`]; [`Error::Value`] for a `dtype` that is no real float.
    ///
    /// ```
    /// use syntonic_core::{DType, Tensor};
    /// use syntonic_srt::optim::{Optimizer, Sgd};
    ///
    /// // A step of 1e-4 moves no float16 near 1, whose neighbours are 5e-4 and 1e-3 away. Ten of them do.
    /// let slope = Tensor::from([1.0]).cast(DType::F16)?;
    /// let (sgd, mut master) = (Optimizer::from(Sgd::default()), Tensor::from([1f32]));
    /// let mut x = master.cast(DType::F16)?;
    /// for step in 1..=10 {
    ///     let made = sgd.update_master(step, 1e-4, &master, x.dtype(), &slope, &[])?;
    ///     (x, master) = (made.parameter, made.master.unwrap_or(master));
    /// }
    /// assert_eq!(x.to_vec::<f64>()?, [1.0 - 2f64.powi(-10)]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn update_master(
        &self,
        step: u64,
        rate: f64,
        master: &Tensor,
        dtype: DType,
        gradient: &Tensor,
        moments: &[Tensor],
    ) -> Result<Updated> {
        self.updated(step, rate, master, Some(dtype), gradient, moments)
    }

    /// An update of `parameter`, which is the master copy of one of the type `used` where that is named.
    fn updated(
        &self,
        step: u64,
        rate: f64,
        parameter: &Tensor,
        used: Option<DType>,
        gradient: &Tensor,
        moments: &[Tensor],
    ) -> Result<Updated> {
        let op = self.name();
        if step == 0 {
            return Err(Error::value(
                op,
                "step is 0; hint: updates are counted from 1",
            ));
        }
        positive(op, "the learning rate", rate)?;
        if moments.len() != self.count() {
            let text = format!(
                "{} moments where there are {}; hint: begin with those that moments() gives",
                moments.len(),
                self.count()
            );
            return Err(Error::value(op, text));
        }
        // few: four at most, here and below.
        let all: Vec<&Tensor> = [parameter, gradient].into_iter().chain(moments).collect();
        check(op, &all, used)?;
        let formula = match self {
            Optimizer::Sgd(sgd) => sgd.formula(rate)?,
            Optimizer::Adam(adam) => adam.formula(step, rate)?,
            Optimizer::Lion(lion) => lion.formula(rate)?,
        };
        let numbers: Vec<Scalar> = formula.numbers.into_iter().map(Scalar::Float).collect();
        let (program, kept) = match used {
            None => (formula.plain, parameter.dtype()),
            Some(_) => (formula.master, parameter.dtype().compute()),
        };
        let mut dtypes: Vec<DType> = used.into_iter().chain([kept]).collect();
        dtypes.extend(moments.iter().map(|m| m.dtype().compute()));
        let made = run::map_to(
            program,
            &all,
            &numbers,
            &dtypes,
            parameter.shape(),
            parameter.device(),
        )?;
        let missing = || Error::value(op, "a result is missing");
        let mut made = made.into_iter();
        Ok(Updated {
            parameter: made.next().ok_or_else(missing)?,
            master: match used {
                Some(_) => Some(made.next().ok_or_else(missing)?),
                None => None,
            },
            moments: made.collect(),
        })
    }
}

/// The formula of an update, the one with a master copy, and the numbers of both in the order of their inputs.
struct Formula {
    plain: &'static Program,
    master: &'static Program,
    numbers: Vec<f64>,
}

fn check(op: &'static str, all: &[&Tensor], used: Option<DType>) -> Result<()> {
    same_device(op, all)?;
    if all.iter().any(|t| !t.dtype().is_float()) {
        return Err(not_real(op, all));
    }
    if let Some(dtype) = used.filter(|dtype| !dtype.is_float()) {
        let what = format!("a parameter of {dtype} has no updates; hint: a real float");
        return Err(Error::value(op, what));
    }
    if all.iter().any(|t| t.shape() != all[0].shape()) {
        return Err(Error::Shape {
            op,
            operands: describe(all),
            hint: "a parameter, its gradient and its moments have one shape".into(),
        });
    }
    Ok(())
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
