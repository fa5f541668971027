//! Modes: their squared norms, and what the formulas take of them.

use crate::constants::INV_PHI;
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::{DType, Error, Result, Tensor, describe, room, same_device};

/// The default mode norms of `n` modes: 0, 1, 4, 9, ..., (n-1)^2.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::resonant::mode_norms;
///
/// assert_eq!(mode_norms(4)?.to_vec::<f64>()?, [0.0, 1.0, 4.0, 9.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn mode_norms(n: usize) -> Result<Tensor> {
    let norms = room::collected((0..n).map(|i| (i as f64) * (i as f64)))?;
    Tensor::from_vec(norms, &[n])
}

/// Golden weights `w = e^(-|n|^2/phi)` of mode norms, in their type.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::resonant::{golden_weights, mode_norms};
///
/// let w = golden_weights(&mode_norms(3)?)?.to_vec::<f64>()?;
/// assert!(w[0] == 1.0 && (w[2] - (-4.0f64 * 0.618033988749895).exp()).abs() < 1e-15);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn golden_weights(norms: &Tensor) -> Result<Tensor> {
    let scaled = apply(Prim::Mul, &[norms.into(), Arg::from(-INV_PHI)])?;
    apply(Prim::Exp, &[(&scaled).into()])
}

/// The modes of states of one type: squared norms `[n]` and golden weights `[n]`, made once for many calls.
#[derive(Clone, Debug)]
pub struct Modes {
    pub(super) norms: Tensor,
    pub(super) weights: Tensor,
    /// Roots of the norms. Pending until a cycle first takes them.
    pub(super) lengths: Tensor,
}

impl Modes {
    /// The modes of squared norms `[n]`, for states of `dtype`. Weights are computed in double precision and rounded once.
    ///
    /// Errors where the norms are complex or no vector, or the states no real or complex floats.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::{Modes, mode_norms};
    ///
    /// let modes = Modes::new(&mode_norms(3)?, DType::F64)?;
    /// assert_eq!(modes.syntony(&Tensor::from([5.0, 0.0, 0.0]))?.to_scalar::<f64>()?, 1.0);
    /// assert!(Modes::new(&mode_norms(3)?, DType::I64).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn new(norms: &Tensor, dtype: DType) -> Result<Modes> {
        let op = "modes";
        if !dtype.is_inexact() || norms.dtype().is_complex() {
            return Err(Error::DType {
                op,
                operands: describe(&[norms]),
                hint: format!("norms are real, states real or complex floats, not {dtype}"),
            });
        }
        if norms.ndim() != 1 {
            return Err(Error::Shape {
                op,
                operands: describe(&[norms]),
                hint: "one norm per mode: a vector".into(),
            });
        }
        let compute = dtype.real().compute();
        let weights = golden_weights(&norms.cast(DType::F64)?)?;
        Modes::both(norms.cast(compute)?.eval()?, weights.cast(compute)?.eval()?)
    }

    /// Modes whose weights are given: `norms` and `weights` are vectors of one length, both in the type that states are
    /// computed in, `float32` or `float64`.
    ///
    /// Errors where they are not.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::{Modes, mode_norms};
    ///
    /// let modes = Modes::with_weights(&mode_norms(2)?, &Tensor::from([1.0, 0.5]))?;
    /// // Equal parts of weights 1 and 1/2.
    /// assert_eq!(modes.syntony(&Tensor::from([2.0, 2.0]))?.to_scalar::<f64>()?, 0.75);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn with_weights(norms: &Tensor, weights: &Tensor) -> Result<Modes> {
        let op = "modes";
        same_device(op, &[norms, weights])?;
        let dtype = norms.dtype();
        if dtype != weights.dtype() || !matches!(dtype, DType::F32 | DType::F64) {
            return Err(Error::DType {
                op,
                operands: describe(&[norms, weights]),
                hint: "norms and weights are both float32 or both float64".into(),
            });
        }
        if norms.ndim() != 1 || norms.shape() != weights.shape() {
            return Err(Error::Shape {
                op,
                operands: describe(&[norms, weights]),
                hint: "one norm and one weight per mode: two vectors of one length".into(),
            });
        }
        Modes::both(norms.clone(), weights.clone())
    }

    fn both(norms: Tensor, weights: Tensor) -> Result<Modes> {
        Ok(Modes {
            lengths: apply(Prim::Sqrt, &[(&norms).into()])?,
            norms,
            weights,
        })
    }

    /// The modes of norms for one state.
    pub(super) fn of(op: &'static str, norms: &Tensor, psi: &Tensor) -> Result<Modes> {
        check(op, norms, psi)?;
        Modes::new(norms, psi.dtype())
    }

    /// True where there are no modes.
    pub(super) fn is_empty(&self) -> bool {
        self.norms.numel() == 0
    }

    /// These modes are those of the state's last axis, and of its type.
    pub(super) fn check(&self, op: &'static str, psi: &Tensor) -> Result<()> {
        check(op, &self.norms, psi)?;
        if psi.dtype().real().compute() == self.norms.dtype() {
            return Ok(());
        }
        Err(Error::DType {
            op,
            operands: describe(&[psi, &self.norms]),
            hint: "the modes were made for states of another type".into(),
        })
    }
}

pub(super) fn check(op: &'static str, norms: &Tensor, psi: &Tensor) -> Result<()> {
    same_device(op, &[psi, norms])?;
    if !psi.dtype().is_inexact() || norms.dtype().is_complex() {
        return Err(Error::DType {
            op,
            operands: describe(&[psi, norms]),
            hint: "the state is a real or complex float, the norms are real".into(),
        });
    }
    if psi.ndim() == 0 || norms.shape() != &psi.shape()[psi.ndim() - 1..] {
        return Err(Error::Shape {
            op,
            operands: describe(&[psi, norms]),
            hint: "one norm per mode: the norms have the length of the state's last axis".into(),
        });
    }
    Ok(())
}
