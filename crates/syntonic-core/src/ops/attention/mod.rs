//! Attention with any score: `softmax(f(scale · q kᵀ)) v`, of which the scores are never in memory.
//!
//! `f` is a formula of elements. It is called once, with a tensor that stands for the scores, the numbers of batch, head, query and key,
//! and operands; what it makes of them is a program that the kernel runs over each tile of scores while that is at hand.
//!
//! # The promise of precision
//!
//! Products of half types are summed in `float32`, and the score, its largest value, the exponentials and their sum are `float32`
//! (`float64` for `float64`). On the CPU the weights are as well when they meet `v`; a GPU rounds them to the half type there, as its
//! matrix units take no other. The result is rounded once.
//!
//! A query without a key that it attends to, because all its scores are minus infinity or there is no key, has the result 0 and gradients
//! of 0. A score of NaN makes the result of its query NaN, and so does plus infinity.
//!
//! # What a device is given
//!
//! [`ATTENTION`]: inputs `q [B, H, Q, D]`, `k [B, G, K, D]`, `v [B, G, K, E]` of one type and any strides; key head `g` serves the `H / G`
//! heads from `g · H / G` on. Outputs `out [B, H, Q, E]` of that type and `lse [B, H, Q]` of the type of the sums, row-major and both always
//! written: `lse` is the natural logarithm of the sum of the exponentials of a row's scores, minus infinity where it has none. Numbers:
//! `scale`; `causal`, which is 1 where a query attends to no key of a larger number: that is a part of the launch and not of the
//! program, so that tiles beyond the diagonal are neither read nor computed; and `plain`, which is 1 where the score is the scaled product as it is. [`Launch::end`](crate::device::Launch::end) is the score:
//! the first input of its program is the product in the type of the sums with `scale` applied, its one result is of that type, and its
//! operands have the shape `[B, H, Q, K]`, with strides of 0 where they are repeated. An operand that the program has as an
//! [index](crate::fuse::Op::Index) has no memory: its address is its value at the origin, and its strides are steps, as those of
//! [`Slot::index`](crate::fuse::Slot::index).
//!
//! [`ATTENTION_DQ`], [`ATTENTION_DKV`] and [`ATTENTION_SLOPE`] are the way back. All take `q`, `k`, `v`, the slope `dout` of `out` in its type,
//! `lse`, and `delta [B, H, Q]`, the sum of `dout · out` over each row in the type of the sums; numbers as above. The first four inputs
//! of the program are the scaled product, the product `dout · vᵀ`, and `lse` and `delta` of the row, all in the type of the sums; then come
//! the operands of the score. Its results are
//! - of `ATTENTION_DQ`, the slope `g` by the scaled product: `dq = scale · g k`, `[B, H, Q, D]`;
//! - of `ATTENTION_DKV`, the weight `p` and `g`: `dv = pᵀ dout`, `[B, G, K, E]`, and `dk = scale · gᵀ q`, `[B, G, K, D]`, each
//!   summed over the heads that the key head serves, in their order;
//! - of `ATTENTION_SLOPE`, the slope by one operand: `slope` has the shape `[B, H, Q, K]` with 1 in the place of the axes that it is
//!   to be summed over.
//!
//! Elements beyond the diagonal of a causal launch count as 0 whatever the program says. `dq`, `dk` and `dv` are of the type of `q`, or of that of the
//! sums, where they will be summed further; all sums have an order that depends on shapes alone.

mod backward;
mod cpu;
mod forms;
mod launch;
mod pass;
mod score;
mod slope;
mod walk;

#[cfg(test)]
mod tests;

pub use backward::{ATTENTION_DKV, ATTENTION_DQ, ATTENTION_SLOPE};
pub(crate) use backward::{Given, Way};
pub use launch::ATTENTION;
pub use score::Positions;

use crate::error::Result;
use crate::tensor::Tensor;
use forms::Forms;
use score::Score;

const OP: &str = "attention";

/// What [`attention`] is given besides queries, keys and values.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attention<'a> {
    /// What the score reads besides positions; each broadcasts to `[B, H, Q, K]`. Those on a tape get gradients.
    pub operands: &'a [&'a Tensor],
    /// Whether query `i` attends to the keys `0..=i` alone: the corner at the first query and the first key counts, as in PyTorch's
    /// `is_causal`.
    pub causal: bool,
    /// Which keys a query attends to, as `bool`; or what is added to the score, as floats. Broadcasts to `[B, H, Q, K]`.
    pub mask: Option<&'a Tensor>,
    /// What products are multiplied by; `1 / sqrt(D)` if not given.
    pub scale: Option<f64>,
}

/// `softmax(scale · q kᵀ) v` for `q [.., H, Q, D]`, `k [.., G, K, D]` and `v [.., G, K, E]`, whose leading axes broadcast together: one
/// launch, and the scores are never in memory. Where `H` is a multiple of `G`, each key head serves `H / G` neighbouring heads.
///
/// Errors: [`Error::Shape`](crate::Error::Shape), [`Error::DType`](crate::Error::DType) and [`Error::Device`](crate::Error::Device) where operands do not fit; a device that has no
/// kernel for it says so. Second derivatives are [`Error::Gradient`](crate::Error::Gradient).
///
/// ```
/// use syntonic_core::ops::attention::{Attention, attention};
/// use syntonic_core::prelude::*;
///
/// // Two queries, of which the first may look at the first key alone.
/// let q = Tensor::ones(&[1, 2, 4], DType::F32)?;
/// let v = Tensor::from([[[1f32], [3.0]]]);
/// let y = attention(&q, &q, &v, Attention { causal: true, ..Attention::default() })?;
/// assert_eq!(y.to_vec::<f32>()?, [1.0, 2.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn attention(q: &Tensor, k: &Tensor, v: &Tensor, settings: Attention<'_>) -> Result<Tensor> {
    attention_scored(q, k, v, |score, _, _| Ok(score.clone()), settings)
}

/// [`attention`] with a score of one's own, `softmax(f(scale · q kᵀ)) v`: `f` gets the scores `[B, H, Q, K]` in `float32` (`float64` for
/// `float64`), the [numbers of batch, head, query and key](Positions), and the operands, and gives floats of that shape. It
/// is called once, and may use element-wise operations alone.
///
/// Errors: as [`attention`], [`Error::Value`](crate::Error::Value) where the score is no formula of elements, and
/// [`Error::Gradient`](crate::Error::Gradient) where it reads a tracked tensor that is none of the operands.
///
/// ```
/// use syntonic_core::ops::attention::{Attention, attention_scored};
/// use syntonic_core::prelude::*;
///
/// // Nearer keys count more, in each head by another slope.
/// let x = Tensor::linspace(0.0, 1.0, 2 * 3 * 4)?.reshape(&[2, 3, 4])?;
/// let slopes = Tensor::from([[[0.5]], [[0.25]]]);
/// let settings = Attention { operands: &[&slopes], causal: true, ..Attention::default() };
/// let nearer = |score: &Tensor, at: &syntonic_core::ops::attention::Positions, operands: &[Tensor]| {
///     score.try_add(&operands[0].try_mul(&at.key.try_sub(&at.query)?)?)
/// };
/// assert_eq!(attention_scored(&x, &x, &x, nearer, settings)?.shape(), [2, 3, 4]);
/// // A sum over keys is no formula of elements.
/// let sum = |score: &Tensor, _: &syntonic_core::ops::attention::Positions, _: &[Tensor]| score.sum(-1);
/// assert!(attention_scored(&x, &x, &x, sum, Attention::default()).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn attention_scored(
    q: &Tensor,
    k: &Tensor,
    v: &Tensor,
    score: impl FnOnce(&Tensor, &Positions, &[Tensor]) -> Result<Tensor>,
    settings: Attention<'_>,
) -> Result<Tensor> {
    let forms = Forms::of([q, k, v], &settings)?;
    let score = Score::of(&forms, score, &settings)?;
    let [q, k, v] = [
        forms.queries(q)?,
        forms.keys(k, forms.d)?,
        forms.keys(v, forms.e)?,
    ];
    let out = launch::attended([&q, &k, &v], score, &forms)?;
    forms.result(&out)
}
