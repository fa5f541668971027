//! Formulas over rows, with what they read and the numbers they take: one launch each.

use syntonic_core::fuse::Program;
use syntonic_core::run::{self, Axes};
use syntonic_core::{Error, Result, Scalar, Tensor};

/// The outputs of a formula over the rows along `axis`.
pub(super) fn several<const N: usize>(
    program: &Program,
    inputs: &[&Tensor],
    numbers: &[f64],
    axis: isize,
) -> Result<[Tensor; N]> {
    let numbers: Vec<Scalar> = numbers.iter().map(|x| Scalar::from(*x)).collect(); // few: rates.
    let made = run::rows(program, inputs, &numbers, &[axis], Axes::Drop)?;
    <[Tensor; N]>::try_from(made)
        .map_err(|made| Error::value("evolve", format!("{} outputs, not {N}", made.len())))
}

/// The only output of a formula over the rows along `axis`.
pub(super) fn one(
    program: &Program,
    inputs: &[&Tensor],
    numbers: &[f64],
    axis: isize,
) -> Result<Tensor> {
    let [made] = several(program, inputs, numbers, axis)?;
    Ok(made)
}

/// The only output of a formula over elements; operands broadcast to the first.
pub(super) fn map(program: &Program, inputs: &[&Tensor], numbers: &[f64]) -> Result<Tensor> {
    let numbers: Vec<Scalar> = numbers.iter().map(|x| Scalar::from(*x)).collect(); // few: rates.
    let mut made = run::map(
        program,
        inputs,
        &numbers,
        inputs[0].shape(),
        inputs[0].device(),
    )?;
    Ok(made.swap_remove(0))
}
