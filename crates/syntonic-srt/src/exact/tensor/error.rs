//! What can go wrong with lattice points by the element.

use crate::exact::ExactError;
use syntonic_core::{Error, Tensor};

/// An error of a [`GoldenTensor`](super::GoldenTensor) or a [`GoldenBigArray`](crate::exact::GoldenBigArray). Operands are unchanged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GoldenTensorError {
    /// An element has no result; of several the first one in row-major order is told.
    #[error("{error} (at {at:?})")]
    Element {
        /// What is wrong with it.
        error: ExactError,
        /// Where it would be in the result.
        at: Vec<usize>,
    },
    /// Shapes of arrays of numbers of any size that do not go together.
    #[error("{op}: {shapes:?}; {hint}")]
    Shape {
        /// The operation.
        op: &'static str,
        /// The shapes, or what stands in the place of one.
        shapes: Vec<Vec<usize>>,
        /// The way out.
        hint: &'static str,
    },
    /// What the engine says about shapes, types, devices and memory.
    #[error(transparent)]
    Tensor(#[from] Error),
}

/// What a kernel writes where every element has a result.
pub(super) const NO_FAULT: u64 = u64::MAX;

/// The error for what a kernel wrote: the place of the first element without a result, counted in row-major order.
pub(super) fn refused(
    fault: &Tensor,
    shape: &[usize],
    error: impl FnOnce(usize) -> Result<ExactError, Error>,
) -> Result<(), GoldenTensorError> {
    let place = fault.to_vec::<u64>()?.first().copied().unwrap_or(NO_FAULT);
    if place == NO_FAULT {
        return Ok(());
    }
    let place = place as usize;
    Err(GoldenTensorError::Element {
        error: error(place)?,
        at: at(place, shape),
    })
}

/// The index of an element in row-major order.
pub(in crate::exact) fn at(place: usize, shape: &[usize]) -> Vec<usize> {
    let mut rest = place;
    let mut at: Vec<usize> = Vec::new(); // few: axes.
    for &length in shape.iter().rev() {
        at.push(rest % length.max(1));
        rest /= length.max(1);
    }
    at.reverse();
    at
}
