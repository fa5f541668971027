//! Layers of golden networks, each a formula of the fusion language: phi-residual, golden batch and
//! layer norm, syntonic softmax, golden GELU, attention.

mod activation;
mod attention;
mod backward;
mod batch_norm;
mod layer_norm;
mod residual;
mod row_operators;
mod softmax;

pub use activation::{
    ALL as ACTIVATIONS, EXP_GOLDEN, FMA_PHI, FMA_PHI_INV, GOLDEN_GELU, PHI_EXP, PHI_EXP_INV,
    SCALE_PHI, SCALE_PHI_INV, golden_gelu,
};
pub use attention::{Attention, Positions, attention, attention_scored, golden_attention};
pub use backward::{
    BatchNormGradients, LayerNormGradients, ResidualGradients, ResidualNormGradients,
    SoftmaxGradients, batch_norm_backward, golden_gelu_backward, layer_norm_backward,
    phi_residual_backward, phi_residual_layer_norm_backward, syntonic_softmax_backward,
    syntonic_softmax_gradients,
};
pub use batch_norm::{BatchNorm, BatchStats, Channels, Running, batch_norm, batch_norm_eval};
pub use layer_norm::{LayerNorm, layer_norm};
pub use residual::{Activation, Mode, phi_residual, phi_residual_layer_norm};
pub use row_operators::{ALL as ROW_OPERATORS, GOLDEN_RMS_NORM, golden_rms_norm};
pub use softmax::{AllMasked, Softmax, Weights, syntonic_softmax};

use crate::constants::INV_PHI;
use crate::refusal::not_real;
use syntonic_core::fuse::Program;
use syntonic_core::{Error, Result, Tensor};

/// The variance a normalisation aims at.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum TargetVariance {
    /// 1/phi.
    #[default]
    Golden,
    /// 1.
    Standard,
    /// Any positive number.
    Custom(f64),
}

impl TargetVariance {
    /// The variance as a number; an error unless it is positive and finite.
    ///
    /// ```
    /// use syntonic_srt::nn::TargetVariance;
    ///
    /// assert!((TargetVariance::Golden.value()? - 0.618033988749895).abs() < 1e-15);
    /// assert!(TargetVariance::Custom(-1.0).value().is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn value(self) -> Result<f64> {
        match self {
            TargetVariance::Golden => Ok(INV_PHI),
            TargetVariance::Standard => Ok(1.0),
            TargetVariance::Custom(v) if v > 0.0 && v.is_finite() => Ok(v),
            TargetVariance::Custom(v) => Err(Error::value(
                "golden_norm",
                format!("target variance {v} is not a positive number"),
            )),
        }
    }
}

/// The formulas over rows behind the layers.
///
/// ```
/// use syntonic_srt::nn;
///
/// assert!(nn::formulas().iter().any(|formula| formula.has_folds()));
/// ```
pub fn formulas() -> Vec<&'static Program> {
    let norms = batch_norm::formulas()
        .into_iter()
        .chain(layer_norm::formulas());
    norms
        .chain(softmax::formulas())
        .chain(residual::formulas())
        .collect()
}

/// The formulas over rows of the layers' gradients.
///
/// ```
/// use syntonic_srt::nn;
///
/// assert!(nn::gradients().iter().all(|formula| !formula.outputs.is_empty()));
/// ```
pub fn gradients() -> Vec<&'static Program> {
    backward::formulas()
}

/// The formulas over single elements: the phi-residual without a norm and golden GELU, and their gradients.
///
/// ```
/// use syntonic_srt::nn;
///
/// assert!(nn::maps().iter().all(|formula| !formula.has_folds()));
/// ```
pub fn maps() -> Vec<&'static Program> {
    residual::maps()
        .into_iter()
        .chain([activation::formula()])
        .chain(backward::maps())
        .collect()
}

/// The layers compute with real floats only.
fn check_real(op: &'static str, operands: &[&Tensor]) -> Result<()> {
    if operands.iter().all(|t| t.dtype().is_float()) {
        return Ok(());
    }
    Err(not_real(op, operands))
}

/// An epsilon must keep the root real.
fn check_eps(op: &'static str, eps: f64) -> Result<()> {
    if eps >= 0.0 && eps.is_finite() {
        Ok(())
    } else {
        Err(Error::value(
            op,
            format!("eps is {eps}; it must be finite and not negative"),
        ))
    }
}
