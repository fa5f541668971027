//! What the phases take of the mode norms.

use super::Result;
use crate::constants::INV_PHI;
use crate::resonant::{golden_weights, mode_norms};
use std::sync::Arc;
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::{DType, Device, Error, Tensor, cpu, describe, same_device};

/// The modes of states, as `float64` on one device: vectors `[n]` where all states have the same along their last axis, else a mode for
/// each element. They are computed on the host and moved, so that every device has the same bits.
#[derive(Clone, Debug)]
pub struct Spectrum {
    /// Squared norms `|n|²`.
    pub(super) norms: Tensor,
    /// Norms.
    pub(super) lengths: Tensor,
    /// Golden weights `e^(-|n|²/φ)`.
    pub(super) weights: Tensor,
    /// How far noise reaches, `e^(-|n|²/(4φ))`.
    pub(super) damping: Tensor,
    /// True where the norms are known to be 0, 1, 4, ...
    pub(super) usual: bool,
}

impl Spectrum {
    /// The modes of squared norms `[n]`, on their device. Errors where they are no vector of real numbers.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::Spectrum;
    ///
    /// let modes = Spectrum::new(&Tensor::from([0, 2, 5]))?;
    /// assert_eq!(modes.norms().to_vec::<f64>()?, [0.0, 2.0, 5.0]);
    /// assert!(Spectrum::new(&Tensor::from([[1.0]])).is_err());
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn new(norms: &Tensor) -> Result<Spectrum> {
        const OP: &str = "spectrum";
        if norms.dtype().is_complex() || norms.ndim() != 1 {
            return Err(Error::Shape {
                op: OP,
                operands: describe(&[norms]),
                hint: "one real squared norm for each mode: a vector".into(),
            }
            .into());
        }
        Spectrum::made(norms)
    }

    /// The modes of real norms of any shape.
    fn made(norms: &Tensor) -> Result<Spectrum> {
        let there = norms.device().clone();
        let norms = norms.to(&cpu())?.cast(DType::F64)?.eval()?;
        let scaled = apply(
            Prim::Mul,
            &[Arg::Tensor(&norms), Arg::from(-0.25 * INV_PHI)],
        )?;
        let damping = apply(Prim::Exp, &[Arg::Tensor(&scaled)])?;
        let lengths = apply(Prim::Sqrt, &[Arg::Tensor(&norms)])?;
        let weights = golden_weights(&norms)?;
        let moved = |t: Tensor| t.eval()?.to(&there);
        Ok(Spectrum {
            lengths: moved(lengths)?,
            weights: moved(weights)?,
            damping: moved(damping)?,
            norms: moved(norms)?,
            usual: false,
        })
    }

    /// The usual modes: squared norms 0, 1, 4, 9, ..., (n-1)².
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::Spectrum;
    ///
    /// assert_eq!(Spectrum::usual(4, &cpu())?.norms().to_vec::<f64>()?, [0.0, 1.0, 4.0, 9.0]);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn usual(n: usize, device: &Arc<dyn Device>) -> Result<Spectrum> {
        Ok(Spectrum {
            usual: true,
            ..Spectrum::made(&mode_norms(n)?.to(device)?)?
        })
    }

    /// The modes that states have: those of `norms`, or the usual ones. Where there is no state, modes take no memory, however many they
    /// are.
    pub(super) fn of(
        op: &'static str,
        states: &Tensor,
        norms: Option<&Tensor>,
    ) -> Result<Spectrum> {
        let n = states.shape().last().copied().unwrap_or(0);
        let made = match norms {
            // One for each element, and not only for each of a row.
            Some(norms) if norms.ndim() > 1 && !norms.dtype().is_complex() => {
                Spectrum::made(norms)?
            }
            Some(norms) => Spectrum::new(norms)?,
            None if states.numel() > 0 => Spectrum::usual(n, states.device())?,
            None => {
                let none = Tensor::full_on(&[1], 0.0, DType::F64, states.device())?.eval()?;
                let none = none.broadcast_to(&[n])?;
                Spectrum {
                    norms: none.clone(),
                    lengths: none.clone(),
                    weights: none.clone(),
                    damping: none,
                    usual: true,
                }
            }
        };
        made.check(op, states)?;
        same_device(op, &[states, &made.norms])?;
        Ok(made)
    }

    /// The squared norms, `float64`.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::Spectrum;
    ///
    /// assert_eq!(Spectrum::usual(3, &cpu())?.norms().dtype(), DType::F64);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn norms(&self) -> &Tensor {
        &self.norms
    }

    /// The same modes on another device.
    pub(super) fn to(&self, device: &Arc<dyn Device>) -> Result<Spectrum> {
        self.each(|t| t.to(device), self.usual)
    }

    /// What `of` makes of each part.
    pub(super) fn each(
        &self,
        of: impl Fn(&Tensor) -> syntonic_core::Result<Tensor>,
        usual: bool,
    ) -> Result<Spectrum> {
        Ok(Spectrum {
            norms: of(&self.norms)?,
            lengths: of(&self.lengths)?,
            weights: of(&self.weights)?,
            damping: of(&self.damping)?,
            usual,
        })
    }

    /// True where these are the modes of each row of such states.
    pub(super) fn is_row_of(&self, states: &Tensor) -> bool {
        let last = &states.shape()[states.ndim().saturating_sub(1)..];
        states.ndim() > 0 && self.norms.shape() == last
    }

    /// These modes are those of the last axis of states, or of each of their elements.
    pub(super) fn check(&self, op: &'static str, states: &Tensor) -> Result<()> {
        let all = states.ndim() > 0 && states.shape() == self.norms.shape();
        if all || self.is_row_of(states) {
            return Ok(());
        }
        Err(Error::Shape {
            op,
            operands: describe(&[states, &self.norms]),
            hint: "one squared norm for each element of the last axis, or for each element".into(),
        }
        .into())
    }
}
