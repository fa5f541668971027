//! What an operation says that has no gradient.

use crate::error::{Error, Result, way_out};
use crate::tensor::{Tensor, describe};

fn error(op: &'static str, what: String) -> Error {
    let what = what.into_boxed_str();
    Error::Gradient { op, what }
}

/// [`Error::Gradient`] of the operation `op`, which has no gradient, where an operand is tracked; for operations written
/// elsewhere that read elements without one of ours.
///
/// ```
/// use syntonic_core::{Error, Result, Tensor, grad};
///
/// /// Something of your own that reads the elements.
/// fn largest(x: &Tensor) -> Result<f64> {
///     grad::refuse("largest", &[x])?;
///     Ok(x.to_vec::<f64>()?.into_iter().fold(f64::NEG_INFINITY, f64::max))
/// }
///
/// assert_eq!(largest(&Tensor::from([1.0, 3.0, 2.0]))?, 3.0);
/// let refused = grad::grad(|v| Ok(Tensor::from([largest(&v[0])?])), &[&Tensor::from([1.0])]);
/// assert!(matches!(refused, Err(Error::Gradient { op: "largest", .. })));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn refuse(op: &'static str, operands: &[&Tensor]) -> Result<()> {
    if operands.iter().any(|t| t.is_tracked()) {
        return Err(instead(op, operands, way_out::STOP));
    }
    Ok(())
}

/// The error of an operation without a gradient, and what to do instead.
pub(super) fn instead(op: &'static str, operands: &[&Tensor], hint: &str) -> Error {
    let text = format!(
        "has no gradient, and its operands depend on a variable: {}; hint: {hint}",
        describe(operands),
    );
    error(op, text)
}

/// What reading elements says where no rule has taken them out of the tape.
pub(crate) fn unfollowed(x: &Tensor) -> Error {
    let text = format!(
        "reads the elements of {}, which depend on a variable, and no gradient would follow; hint: {}",
        x.describe(),
        way_out::STOP
    );
    error("read", text)
}

/// What a write in place says to a tracked target, or to tracked values for a target that others see.
pub(crate) fn in_place(op: &'static str, operands: &[&Tensor]) -> Result<()> {
    if !operands.iter().any(|t| t.is_tracked()) {
        return Ok(());
    }
    let text = format!(
        "writes in place, where no gradient follows: {}; hint: make a new tensor, with where or concat for a part, or {}",
        describe(operands),
        way_out::STOP
    );
    Err(error(op, text))
}

pub(super) fn overwritten(op: &'static str, x: &Tensor) -> Error {
    let text = format!(
        "its operand {} was written in place, or lent to another library, before its gradient was taken; hint: {}",
        x.describe(),
        way_out::COPY
    );
    error(op, text)
}

pub(super) fn independent(op: &'static str) -> Error {
    let text = "the result depends on no variable, so it has no gradient; hint: operations that give numbers of Python or Rust, integers or comparisons end it";
    error(op, text.to_owned())
}
