//! Sums of products named by letters: parsed, put in order, and run as matrix products.

mod contract;
mod equation;

use super::matmul::common_type;
use crate::error::{Error, Result};
use crate::lazy::as_type;
use crate::tensor::{Tensor, describe, same_device};
use contract::Term;
use equation::{Equation, Label};
use std::collections::BTreeMap;

/// The sum over all letters that the output does not name of the product of the operands.
///
/// `equation` names the axes of each operand, separated by commas, then `->` and those of the
/// result: `"ij,jk->ik"` is the matrix product. A letter twice in one operand takes its diagonal;
/// `...` stands for axes that broadcast; without `->` the result has `...` and then the letters
/// that occur once, in alphabetical order. Axes of length 1 stretch. Operands promote to a common
/// numeric dtype; pairs are contracted smallest result first, each as one batched matrix product.
///
/// Errors: [`Error::Value`] for an equation that is malformed or does not match the number of
/// operands or axes, [`Error::Shape`] where a letter has two lengths, [`Error::DType`] for `bool`.
///
/// ```
/// use syntonic_core::ops::linalg::einsum;
/// use syntonic_core::prelude::*;
///
/// let a = Tensor::from([[1, 2], [3, 4]]);
/// assert_eq!(einsum("ij,jk->ik", &[&a, &a])?.to_vec::<i32>()?, [7, 10, 15, 22]);
/// assert_eq!(einsum("ii->", &[&a])?.to_scalar::<i32>()?, 5);
/// assert_eq!(einsum("ij->ji", &[&a])?.to_vec::<i32>()?, [1, 3, 2, 4]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn einsum(equation: &str, operands: &[&Tensor]) -> Result<Tensor> {
    same_device("einsum", operands)?;
    let ndims: Vec<usize> = operands.iter().map(|t| t.ndim()).collect();
    let equation = Equation::parse(equation, &ndims)?;
    let operands = promoted(operands)?;
    let lengths = lengths(&equation, &operands)?;
    let terms: Vec<Term> = operands
        .iter()
        .zip(&equation.inputs)
        .map(|(t, labels)| Term::new(t, labels, &lengths))
        .collect::<Result<_>>()?;
    contract::all(terms, &equation.output, &lengths)
}

/// All operands in their common numeric type.
fn promoted(operands: &[&Tensor]) -> Result<Vec<Tensor>> {
    let first = operands[0];
    let mut dtype = common_type("einsum", first, first)?.0.dtype();
    for t in operands {
        dtype = common_type("einsum", t, t)?.0.dtype().promote(dtype);
    }
    operands.iter().map(|t| as_type(t, dtype)).collect()
}

/// The length of every label.
fn lengths(equation: &Equation, operands: &[Tensor]) -> Result<BTreeMap<Label, usize>> {
    let mut lengths: BTreeMap<Label, usize> = BTreeMap::new();
    for (t, labels) in operands.iter().zip(&equation.inputs) {
        for (&label, &len) in labels.iter().zip(t.shape()) {
            let known = lengths.entry(label).or_insert(len);
            match (*known, len) {
                (a, b) if a == b || b == 1 => {}
                (1, b) => *known = b,
                (a, b) => {
                    return Err(Error::Shape {
                        op: "einsum",
                        operands: describe(&operands.iter().collect::<Vec<_>>()),
                        hint: format!("{label} has length {a} in one place and {b} in another"),
                    });
                }
            }
        }
    }
    Ok(lengths)
}
