//! Gradients of functions over tensors, by reverse mode.
//!
//! A function is differentiated as it stands: [`value_and_grad`] calls it with tensors that are *tracked*, every operation over
//! a tracked tensor is recorded with the way back to its operands, and the gradient comes from walking that tape from the result
//! to the variables. There is no mode to switch on and no state to clear: what is not made of a variable is a constant, and
//! the tape goes with the last tensor that was made on it.
//!
//! ```
//! use syntonic_core::{Tensor, grad::value_and_grad};
//!
//! let w = Tensor::from([[1.0, 2.0], [3.0, 4.0]]);
//! let x = Tensor::from([1.0, -1.0]);
//! let (loss, grads) = value_and_grad(|v| v[0].matmul(&v[1])?.square()?.sum(..), &[&w, &x])?;
//! assert_eq!(loss.to_scalar::<f64>()?, 2.0);
//! assert_eq!(grads[0].to_vec::<f64>()?, [-2.0, 2.0, -2.0, 2.0]);
//! assert_eq!(grads[1].to_vec::<f64>()?, [-8.0, -12.0]);
//! # Ok::<(), syntonic_core::Error>(())
//! ```
//!
//! Gradients are functions of their operands as any other, so they have gradients themselves:
//!
//! ```
//! use syntonic_core::{Tensor, grad::grad};
//!
//! let cube = |x: &Tensor| x.try_mul(&x.square()?);
//! let slope = |x: &Tensor| Ok(grad(|v| cube(&v[0]), &[x])?.remove(0));
//! let second = grad(|v| slope(&v[0]), &[&Tensor::from([2.0])])?.remove(0);
//! assert_eq!(second.to_vec::<f64>()?, [12.0]);
//! # Ok::<(), syntonic_core::Error>(())
//! ```
//!
//! What lets nothing through is never silent. Integers, truths and positions are constants. An operation without a gradient
//! is [`Error::Gradient`](crate::Error::Gradient) when it is given a tracked tensor, and so is a write in place, and
//! [`Tensor::to_vec`], [`Tensor::item`] and others that give the elements away; [`Tensor::stop_gradient`] is the way out.
//!
//! The cotangent of a complex number z = x + iy is dL/dx + i dL/dy, for a real loss L, as in
//! [`Program::grad`](crate::fuse::Program::grad), which most rules are made by. At corners the choice is as there.

mod attention;
mod custom;
mod elementwise;
mod factors;
mod fourier;
mod linalg;
mod moves;
mod node;
mod product;
mod pull;
mod refusal;
mod rows;
mod scan;
mod variables;
mod view;

#[cfg(test)]
mod tests;

pub(crate) use attention::attended;
pub(crate) use custom::custom;
pub(crate) use elementwise::{composite, formula, map, primitive};
pub(crate) use factors::{eigh, pinv, qr, singular_values, svd};
pub(crate) use fourier::{
    from_half as transformed_half, half as half_transformed, whole as transformed,
};
pub(crate) use linalg::{cholesky, det, expm, slogdet, solved};
pub(crate) use moves::{
    along_axis, as_type, cast, concat, copied, element, moved, read_at, rolled, scattered,
    surrounded, weighed, written_at,
};
pub(crate) use node::Node;
pub(crate) use product::{added, ended, scaled};
pub use refusal::refuse;
pub(crate) use refusal::{in_place, unfollowed};
pub(crate) use rows::{reduction, rows};
pub(crate) use scan::{products as running_products, sums as running_sums};
pub use variables::{Variables, Vjp, grad, value_and_grad, vjp};

use crate::tensor::Tensor;

/// True where something is made of a variable, so that an operation over these is recorded.
#[inline]
pub(crate) fn tracks(tensors: &[&Tensor]) -> bool {
    tensors.iter().any(|t| t.is_tracked())
}
