//! The backward of each layer: from the cotangent of its result those of its operands.
//!
//! Every program here is the gradient of the layer's own formula, by [`Program::backward`].

mod activation;
mod batch_norm;
mod layer_norm;
mod residual;
mod softmax;

pub use activation::golden_gelu_backward;
pub use batch_norm::{BatchNormGradients, batch_norm_backward};
pub use layer_norm::{LayerNormGradients, layer_norm_backward};
pub use residual::{
    ResidualGradients, ResidualNormGradients, phi_residual_backward,
    phi_residual_layer_norm_backward,
};
pub use softmax::{SoftmaxGradients, syntonic_softmax_backward, syntonic_softmax_gradients};

use syntonic_core::fuse::{Backward, Program, Role};
use syntonic_core::run::{self, Axes};
use syntonic_core::{Error, Result, Scalar, Tensor, describe, same_device};

/// The formulas with folds.
pub(super) fn formulas() -> Vec<&'static Program> {
    let norms = batch_norm::formulas()
        .into_iter()
        .chain(layer_norm::formulas());
    norms
        .chain(softmax::formulas())
        .chain(residual::formulas())
        .collect()
}

/// The formulas over single elements.
pub(super) fn maps() -> Vec<&'static Program> {
    let mut all = residual::maps();
    all.push(activation::formula());
    all
}

/// The gradients with respect to the inputs `wrt`, of a loss that depends on the first output.
///
/// # Panics
/// Where the formula has no such input: a mistake in this module, which the tests of every formula would meet.
fn gradient(formula: &Program, wrt: &[usize], given: &[usize]) -> Program {
    let what = Backward {
        wrt,
        from: &[0],
        given,
    };
    formula.backward(what).unwrap_or_else(|e| panic!("{e}"))
}

/// Operands by the names that the program gives them.
struct Operands<'a> {
    tensors: &'a [(&'a str, &'a Tensor)],
    numbers: &'a [(&'a str, Scalar)],
}

impl<'a> Operands<'a> {
    /// Those that the program takes, in its order.
    fn of(&self, program: &Program) -> Result<(Vec<&'a Tensor>, Vec<Scalar>)> {
        let (mut tensors, mut numbers) = (Vec::new(), Vec::new());
        for input in &program.inputs {
            let missing = || {
                let text = format!("{} has no operand {}", program.name, input.name);
                Error::value("backward", text)
            };
            if input.role == Role::Number {
                let found = self.numbers.iter().find(|(name, _)| *name == input.name);
                numbers.push(found.ok_or_else(missing)?.1);
            } else {
                let found = self.tensors.iter().find(|(name, _)| *name == input.name);
                tensors.push(found.ok_or_else(missing)?.1);
            }
        }
        Ok((tensors, numbers))
    }

    fn rows(&self, program: &Program, axes: &[isize]) -> Result<Vec<Tensor>> {
        let (tensors, numbers) = self.of(program)?;
        run::rows(program, &tensors, &numbers, axes, Axes::Drop)
    }

    fn map(&self, program: &Program, like: &Tensor) -> Result<Vec<Tensor>> {
        let (tensors, numbers) = self.of(program)?;
        run::map(program, &tensors, &numbers, like.shape(), like.device())
    }
}

/// The next result, in the type of the operand whose gradient it is.
fn next(results: &mut impl Iterator<Item = Tensor>, like: &Tensor) -> Result<Tensor> {
    let found = results.next();
    let missing = || Error::value("backward", "the program has one output per gradient");
    found.ok_or_else(missing)?.cast(like.dtype())
}

/// The cotangent has the result's shape and device, and is a real float.
fn check_cotangent(op: &'static str, grad: &Tensor, x: &Tensor) -> Result<()> {
    same_device(op, &[grad, x])?;
    super::check_real(op, &[grad, x])?;
    if grad.shape() == x.shape() {
        return Ok(());
    }
    Err(Error::Shape {
        op,
        operands: describe(&[grad, x]),
        hint: "the gradient of the result has the result's shape".into(),
    })
}

#[cfg(test)]
mod tests;
