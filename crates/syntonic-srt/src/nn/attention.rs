//! Attention, and golden attention: keys carry weights as the classes of syntonic softmax do.

use super::softmax::Weights;
use crate::constants::INV_PHI;
pub use syntonic_core::ops::attention::{Attention, Positions, attention, attention_scored};
use syntonic_core::{Error, Result, Tensor};

const OP: &str = "golden_attention";

/// [`attention`] whose keys carry weights: `softmax(scale · q kᵀ + power · ln w) v`, the syntonic softmax of the scores. Weights may be on a tape.
/// Mode norms `|n|²` are weights `e^(-|n|²/φ)`. Whatever the kind, they broadcast to `[B, H, Q, K]`, so `[K]` is one for each key.
///
/// Errors: as [`attention`], and where settings have operands, which are those of a score of one's own.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::nn::{Attention, Weights, golden_attention};
///
/// // Two keys of which the second counts three times.
/// let q = Tensor::zeros(&[1, 1, 4], DType::F64)?;
/// let k = Tensor::zeros(&[1, 2, 4], DType::F64)?;
/// let v = Tensor::from([[[0.0], [4.0]]]);
/// let weights = Tensor::from([1.0, 3.0]);
/// let y = golden_attention(&q, &k, &v, Weights::Provided(&weights), 1.0, Attention::default())?;
/// assert!((y.to_vec::<f64>()?[0] - 3.0).abs() < 1e-14);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn golden_attention(
    q: &Tensor,
    k: &Tensor,
    v: &Tensor,
    weights: Weights<'_>,
    power: f64,
    settings: Attention<'_>,
) -> Result<Tensor> {
    if !settings.operands.is_empty() {
        let what =
            "has a score of its own, which reads no operands; hint: attention_scored takes them";
        return Err(Error::value(OP, what));
    }
    if !power.is_finite() {
        return Err(Error::value(
            OP,
            format!("power is {power}; it must be finite"),
        ));
    }
    let (w, times) = match weights {
        Weights::Identity => return attention(q, k, v, settings),
        Weights::ModeNorms(norms) => (norms, -INV_PHI * power),
        Weights::Log(w) | Weights::Provided(w) => (w, power),
    };
    let given = matches!(weights, Weights::Provided(_));
    let score = |s: &Tensor, _: &Positions, operands: &[Tensor]| {
        let w = operands[0].cast(s.dtype())?;
        let log = if given { w.log()? } else { w };
        s.try_add(&log.try_mul(times)?)
    };
    let operands = [w];
    let settings = Attention {
        operands: &operands,
        ..settings
    };
    attention_scored(q, k, v, score, settings)
}
