//! States that others are drawn to.

use super::flux::Flux;
use super::{Crystallized, Result};
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::{Error, Tensor, describe};

/// Single states `[n]` of high syntony, each with a weight that fades: `decay^age S²`.
#[derive(Clone, Debug)]
pub struct Attractors {
    capacity: usize,
    least: f64,
    decay: f64,
    kept: Vec<Kept>, // few: `capacity`.
}

#[derive(Clone, Debug)]
struct Kept {
    values: Tensor,
    syntony: f64,
    age: u32,
}

impl Kept {
    fn weight(&self, decay: f64) -> f64 {
        let age = i32::try_from(self.age).unwrap_or(i32::MAX);
        decay.powi(age) * self.syntony * self.syntony
    }
}

impl Attractors {
    /// A store of at most `capacity` states, each of a syntony of at least `least`, whose weights fall by the factor `decay` with each
    /// [`Attractors::age`]. Errors where there is no room, or the numbers are not between 0 and 1.
    ///
    /// ```
    /// use syntonic_srt::resonant::lattice::Attractors;
    ///
    /// assert!(Attractors::new(16, 0.5, 0.9)?.is_empty());
    /// assert!(Attractors::new(0, 0.5, 0.9).is_err());
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn new(capacity: usize, least: f64, decay: f64) -> Result<Attractors> {
        let share = |x: f64| (0.0..=1.0).contains(&x);
        if capacity == 0 || capacity > 1 << 16 || !share(least) || !share(decay) {
            let text = format!(
                "capacity {capacity}, least syntony {least}, decay {decay}: a capacity from 1 to 65536, and numbers from 0 to 1"
            );
            return Err(Error::value("attractors", text).into());
        }
        Ok(Attractors {
            capacity,
            least,
            decay,
            kept: Vec::new(),
        })
    }

    /// How many states there are.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::{Attractors, Crystallized};
    ///
    /// let mut kept = Attractors::new(16, 0.5, 0.9)?;
    /// kept.offer(&Crystallized::from_floats(&Tensor::from([3.0, 0.0]), None, 10)?)?;
    /// assert_eq!(kept.len(), 1);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// True where there are none.
    ///
    /// ```
    /// use syntonic_srt::resonant::lattice::Attractors;
    ///
    /// assert!(Attractors::new(16, 0.5, 0.9)?.is_empty());
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Keeps a state, if its syntony is high enough and there is room, or one whose weight is lower, which goes. True where it stays.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::{Attractors, Crystallized};
    ///
    /// let mut kept = Attractors::new(16, 0.9, 0.9)?;
    /// // The first mode is in tune, the second is not.
    /// assert!(kept.offer(&Crystallized::from_floats(&Tensor::from([3.0, 0.0]), None, 10)?)?);
    /// assert!(!kept.offer(&Crystallized::from_floats(&Tensor::from([0.0, 3.0]), None, 10)?)?);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn offer(&mut self, state: &Crystallized) -> Result<bool> {
        let values = state.values()?;
        if values.ndim() != 1 {
            return Err(Error::Shape {
                op: "attractors",
                operands: describe(&[&values]),
                hint: "an attractor is one state, a vector".into(),
            }
            .into());
        }
        let syntony = state.syntony()?.item()?.to_f64();
        if syntony < self.least {
            return Ok(false);
        }
        let new = Kept {
            values,
            syntony,
            age: 0,
        };
        if self.kept.len() < self.capacity {
            self.kept.push(new);
            return Ok(true);
        }
        let weights = self.kept.iter().map(|kept| kept.weight(self.decay));
        let lowest = weights.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        match lowest {
            Some((at, weight)) if weight < new.weight(self.decay) => {
                self.kept[at] = new;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Lets a generation pass.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::{Attractors, Crystallized};
    ///
    /// let mut kept = Attractors::new(1, 0.0, 0.5)?;
    /// let (tuned, less) = (Tensor::from([3.0, 0.0]), Tensor::from([3.0, 1.0]));
    /// kept.offer(&Crystallized::from_floats(&tuned, None, 10)?)?;
    /// // What has faded for long enough gives way.
    /// assert!(!kept.offer(&Crystallized::from_floats(&less, None, 10)?)?);
    /// (0..10).for_each(|_| kept.age());
    /// assert!(kept.offer(&Crystallized::from_floats(&less, None, 10)?)?);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn age(&mut self) {
        for kept in &mut self.kept {
            kept.age = kept.age.saturating_add(1);
        }
    }

    /// States of a flux drawn to the attractors: `(1 - pull) ψ + pull Σ w A / Σ w`. Where there are none, they stay.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::{Attractors, Crystallized, Flux};
    ///
    /// let mut kept = Attractors::new(16, 0.5, 0.9)?;
    /// kept.offer(&Crystallized::from_floats(&Tensor::from([4.0, 0.0]), None, 10)?)?;
    /// let drawn = kept.blend(&Flux::new(&Tensor::from([0.0, 2.0]), None)?, 0.5)?;
    /// assert_eq!(drawn.values().to_vec::<f64>()?, [2.0, 1.0]);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn blend(&self, flux: &Flux, pull: f64) -> Result<Flux> {
        if !(0.0..=1.0).contains(&pull) {
            let text = format!("a pull of {pull}: it is a number from 0 to 1");
            return Err(Error::value("attractors", text).into());
        }
        let weights = self.kept.iter().map(|kept| kept.weight(self.decay));
        let total: f64 = weights.clone().sum();
        if total == 0.0 {
            return Ok(flux.clone());
        }
        let scaled = |x: &Tensor, by: f64| apply(Prim::Mul, &[Arg::Tensor(x), Arg::from(by)]);
        let mut sum = scaled(flux.values(), 1.0 - pull)?;
        for (kept, weight) in self.kept.iter().zip(weights) {
            as_long(flux.values(), &kept.values)?;
            let part = scaled(&kept.values, pull * weight / total)?;
            sum = apply(Prim::Add, &[Arg::Tensor(&sum), Arg::Tensor(&part)])?;
        }
        Ok(flux.with(sum.eval()?))
    }
}

/// An attractor has as many elements as the states that it draws.
fn as_long(states: &Tensor, kept: &Tensor) -> Result<()> {
    if states.shape().last() == kept.shape().first() {
        return Ok(());
    }
    Err(Error::Shape {
        op: "attractors",
        operands: describe(&[states, kept]),
        hint: "attractors have as many elements as the states that they draw".into(),
    }
    .into())
}
