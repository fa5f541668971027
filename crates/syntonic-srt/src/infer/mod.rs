//! The sums that active inference is made of: how far a belief has moved from its prior, and how well its prediction
//! fits what was observed. Their difference is the variational free energy, `complexity - accuracy`.
//!
//! Beliefs are diagonal Gaussians, or categorical. Formulas: S. Kullback, *Information Theory and Statistics* (1959);
//! K. Friston, "The free-energy principle: a unified brain theory?", *Nature Reviews Neuroscience* 11 (2010).

mod accuracy;
mod belief;
pub mod discrete;
mod divergence;
mod free_energy;

pub use accuracy::{accuracy, expected_accuracy};
pub use belief::kernel::BELIEF_UPDATE;
pub use belief::{BeliefUpdate, Ending, History, Model, Prior, Stepping, belief_update};
pub use divergence::{categorical_kl_divergence, kl_divergence};
pub use free_energy::{Evidence, FREE_ENERGY, FreeEnergy, categorical_free_energy, free_energy};

use crate::refusal::not_real;
use syntonic_core::fuse::Program;
use syntonic_core::layout::{Dims, broadcast_pair};
use syntonic_core::run::{self, Axes};
use syntonic_core::{DType, Error, Result, Tensor, describe, same_device};

/// The formulas over rows behind the operators.
///
/// ```
/// use syntonic_srt::infer;
///
/// assert!(infer::formulas().iter().all(|formula| formula.has_folds()));
/// ```
pub fn formulas() -> Vec<&'static Program> {
    [divergence::formulas(), accuracy::formulas()].concat()
}

/// The type that all operands promote to, and the one that they are computed in: half types in `float32`.
fn types_of(operands: &[&Tensor]) -> (DType, DType) {
    let promoted = operands.iter().map(|t| t.dtype()).reduce(DType::promote);
    let dtype = promoted.unwrap_or(DType::F32);
    (dtype, if dtype.is_half() { DType::F32 } else { dtype })
}

/// One number for each row of the operands, which are real floats of shapes that broadcast, with at least one axis.
fn sum_of_rows(op: &'static str, program: &Program, operands: &[&Tensor]) -> Result<Tensor> {
    same_device(op, operands)?;
    if operands.iter().any(|t| !t.dtype().is_float()) {
        return Err(not_real(op, operands));
    }
    let mut shapes = operands.iter().map(|t| t.shape());
    let shape = shapes.try_fold(Dims::new(), |all, shape| broadcast_pair(&all, shape));
    if shape.is_none_or(|shape| shape.is_empty()) {
        return Err(Error::Shape {
            op,
            operands: describe(operands),
            hint: "the operands broadcast together, and their last axis is what is summed over"
                .into(),
        });
    }
    let made = run::rows(program, operands, &[], &[-1], Axes::Drop)?;
    made.into_iter()
        .next()
        .ok_or_else(|| Error::value(op, "the program has an output"))
}

/// An operand as rows that follow each other: of shape `own` where all share one, else `[rows..., own...]`.
fn rows_of(operand: &Tensor, rows: &[usize], own: &[usize]) -> Result<Tensor> {
    // As most are.
    if operand.shape() == own && operand.is_contiguous() {
        return operand.eval();
    }
    let (before, last) = operand
        .shape()
        .split_at(operand.ndim().saturating_sub(own.len()));
    let shared = before.iter().all(|&len| len == 1);
    let full: Dims = match shared {
        true => own.into(),
        false => rows.iter().chain(own).copied().collect(),
    };
    let last: Vec<isize> = last.iter().map(|&len| len as isize).collect(); // few: axes.
    let operand = match shared {
        true => operand.reshape(&last)?,
        false => operand.clone(),
    };
    operand.broadcast_to(&full)?.contiguous()?.eval()
}
