//! Operators from outside that bring their gradient along.

use super::node::{Back, Cotangents, Keep, record};
use crate::custom::{Gradient, Operator, Step, broken, guarded};
use crate::error::Result;
use crate::ops::create::zeros;
use crate::scalar::Scalar;
use crate::tensor::Tensor;
use std::sync::Arc;

/// Puts the results of an operator over tracked operands on the tape.
pub(crate) fn custom(
    operator: &Operator,
    gradient: &Arc<Gradient>,
    inputs: &[&Tensor],
    numbers: &[Scalar],
    made: Vec<Tensor>,
) -> Result<Vec<Tensor>> {
    let count = inputs.len();
    // few: operands and results of one call.
    let all: Vec<&Tensor> = inputs.iter().copied().chain(&made).collect();
    let numbers: Arc<[Scalar]> = numbers.into();
    let tracked = made.iter().enumerate().map(|(k, value)| {
        let step = Way {
            operator: operator.clone(),
            gradient: gradient.clone(),
            numbers: numbers.clone(),
            count,
            results: made.len(),
        };
        let rule = move |back: &Back<'_>| step.back(back, k);
        record(operator.name(), &all, Keep::Operands, value.clone(), rule)
    });
    tracked.collect()
}

/// The way back over one operator.
struct Way {
    operator: Operator,
    gradient: Arc<Gradient>,
    numbers: Arc<[Scalar]>,
    /// How many operands it has.
    count: usize,
    results: usize,
}

impl Way {
    /// From the cotangent of result `k` to those of the operands.
    fn back(&self, back: &Back<'_>, k: usize) -> Result<Cotangents> {
        let op = self.operator.name();
        let operands = (0..self.count).map(|k| back.operand(k));
        let inputs: Vec<Tensor> = operands.collect::<Result<_>>()?;
        let outputs = match back.tracked {
            // On the tape of whoever differentiates the gradient.
            true => self
                .operator
                .apply(&inputs.iter().collect::<Vec<_>>(), &self.numbers)?,
            false => {
                let results = self.count..self.count + self.results;
                results.map(|k| back.operand(k)).collect::<Result<_>>()?
            }
        };
        let slope = |(other, y): (usize, &Tensor)| match other == k {
            true => Ok(back.cotangent().clone()),
            false => zeros(y.shape(), y.dtype(), y.device()),
        };
        let gradients: Vec<Tensor> = outputs
            .iter()
            .enumerate()
            .map(slope)
            .collect::<Result<_>>()?;
        let step = Step {
            inputs: &inputs,
            outputs: &outputs,
            gradients: &gradients,
            numbers: &self.numbers,
        };
        let found = guarded(op, "gradient", || (self.gradient)(&step))?;
        if found.len() != self.count {
            let what = format!(
                "its gradient gives {} slopes for {} operands; hint: one each, none where nothing flows",
                found.len(),
                self.count
            );
            return Err(broken(op, what));
        }
        let misfit = |(x, g): (&Tensor, &Option<Tensor>)| match g {
            Some(g) => g.shape() != x.shape() || g.device_id() != x.device_id(),
            None => false,
        };
        if let Some(k) = inputs.iter().zip(&found).position(misfit) {
            let slope = found[k].as_ref().map(Tensor::describe);
            let what = format!(
                "its gradient gives {} as the slope of operand {k}, which is {}; hint: a slope has the shape and the device of its operand",
                slope.map_or_else(String::new, |s| s.to_string()),
                inputs[k].describe()
            );
            return Err(broken(op, what));
        }
        Ok(found.into_iter().collect())
    }
}
