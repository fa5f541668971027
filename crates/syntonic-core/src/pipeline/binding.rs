//! What the symbols of a plan stand for in one run.

use super::plan::{Extent, Plan};
use crate::error::{Error, Result};
use crate::tensor::{Tensor, describe, same_device};
use std::collections::HashMap;

/// The name of runs in errors.
pub(super) const OP: &str = "pipeline";

/// The extents of one run.
#[derive(Debug)]
pub(super) struct Extents<'a>(HashMap<&'a str, usize>);

impl Extents<'_> {
    /// A shape in numbers.
    pub(super) fn shape(&self, shape: &[Extent]) -> Vec<usize> {
        let number = |extent: &Extent| match extent {
            Extent::Number(n) => *n,
            // A plan that was checked has no other symbols than its inputs.
            Extent::Symbol(name) => self.0.get(&**name).copied().unwrap_or(0),
        };
        // few: axes.
        shape.iter().map(number).collect()
    }
}

impl Plan {
    /// The extents that these inputs say.
    ///
    /// Errors for another number of inputs or axes, for types that are no real floats, for several devices, and where a symbol
    /// would be two extents.
    pub(super) fn bind<'a>(&'a self, inputs: &[&Tensor]) -> Result<Extents<'a>> {
        if inputs.len() != self.inputs.len() {
            // few: inputs of a plan.
            let names: Vec<&str> = self.inputs.iter().map(|input| &*input.name).collect();
            let what = format!(
                "{} takes {} inputs ({}), {} were given; hint: give one each",
                self.name,
                names.len(),
                names.join(", "),
                inputs.len()
            );
            return Err(Error::value(OP, what));
        }
        if let Some(odd) = inputs.iter().position(|t| !t.dtype().is_float()) {
            let hint = format!(
                "{} takes real floats, also as {}",
                self.name, self.inputs[odd].name
            );
            return Err(Error::DType {
                op: OP,
                operands: describe(inputs),
                hint,
            });
        }
        same_device(OP, inputs)?;
        let mut bound: HashMap<&str, usize> = HashMap::new();
        for (input, t) in self.inputs.iter().zip(inputs) {
            if t.ndim() != input.shape.len() {
                let hint = format!(
                    "the input {} of {} has the shape {input}",
                    input.name, self.name
                );
                return Err(Error::Shape {
                    op: OP,
                    operands: describe(&[t]),
                    hint,
                });
            }
            for (axis, (extent, &given)) in input.shape.iter().zip(t.shape()).enumerate() {
                let wanted = match extent {
                    Extent::Number(n) => *n,
                    Extent::Symbol(name) => *bound.entry(name).or_insert(given),
                };
                if wanted != given {
                    return Err(Error::Extent {
                        plan: self.name.to_string().into(),
                        input: input.name.to_string().into(),
                        axis,
                        symbol: extent.to_string().into(),
                        bound: wanted,
                        given,
                    });
                }
            }
        }
        Ok(Extents(bound))
    }
}
