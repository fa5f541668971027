//! The shortest way from an expression to its result: one element-wise operator over what is in memory.
//!
//! There is nothing to fuse, so nothing is gathered: the program is written from the operands as they are. No other expression
//! is a part of it, so nothing is watched either: whoever writes its memory meanwhile has computed the expression before, and the
//! first result stays.

use super::halves::{Goal, as_half};
use super::{Operand, Operation, Pending, Use, lock, unread};
use crate::error::Result;
use crate::fuse::{Builder, NodeId, Precision, Role, Yield};
use crate::run;
use crate::tensor::Tensor;
use smallvec::SmallVec;
use std::borrow::Cow;

/// Names of inputs. What has more of them is gathered like a chain.
const NAMES: [&str; 3] = ["x0", "x1", "x2"];

impl Pending {
    /// True for such an operator. Asked of every expression that is read, so nothing is copied for it.
    fn is_alone(&self) -> bool {
        let waits =
            |Use(operand): &Use| matches!(operand, Operand::Tensor(t) if unread(t).is_some());
        lock(&self.plan).as_ref().is_some_and(|plan| {
            let gathers = matches!(
                plan.operation,
                Operation::Reduction(_) | Operation::Product(_) | Operation::StandIn
            );
            !gathers && !plan.operands.iter().any(waits)
        })
    }

    /// Computes it, if it is such an operator.
    pub(super) fn run_alone(&self, goal: Goal) -> Result<bool> {
        if !self.is_alone() {
            return Ok(false);
        }
        let Some((operation, operands)) = self.plan() else {
            return Ok(false);
        };
        let mut builder = Builder::new();
        let mut inputs: SmallVec<[&Tensor; 3]> = SmallVec::new();
        let mut nodes: SmallVec<[NodeId; 3]> = SmallVec::new();
        for operand in &operands {
            nodes.push(match operand {
                Operand::Number(x) => builder.constant(*x),
                Operand::Tensor(t) => match inputs.iter().position(|i| shows_the_same(i, t)) {
                    Some(k) => builder.existing_input(k),
                    None => {
                        let Some(name) = NAMES.get(inputs.len()) else {
                            return Ok(false);
                        };
                        inputs.push(t);
                        builder.input(*name, Role::Element)
                    }
                },
            });
        }
        let mut name = Cow::Borrowed("chain");
        let node = match operation {
            Operation::Prim(prim) => builder.apply(prim, &nodes),
            Operation::Cast(dtype) => builder.cast(dtype, nodes[0]),
            Operation::As(half) => as_half(&mut builder, half, nodes[0]),
            Operation::Composite(build) => build(&mut builder, &nodes),
            Operation::Formula(formula) => {
                name = Cow::Owned(formula.name().to_owned());
                formula.build(&mut builder, &nodes)
            }
            Operation::Reduction(_) | Operation::Product(_) | Operation::StandIn => {
                return Ok(false);
            }
        };
        for temporary in goal.are_temporary() {
            let node = match temporary {
                true => builder.cast(self.dtype.compute(), node),
                false => node,
            };
            builder.output(node, Yield::Element);
        }
        let program = builder.finish(name, Precision::Stored);
        let results = run::map_again(&program, &inputs, &self.shape, &self.device)?;
        for (result, temporary) in results.into_iter().zip(goal.are_temporary()) {
            match temporary {
                true => self.keep(result),
                false => self.finish(&result.buffer()?),
            }
        }
        Ok(true)
    }
}

/// True where both show the same elements, so that a program reads them once.
pub(super) fn shows_the_same(a: &Tensor, b: &Tensor) -> bool {
    match (a.as_index(), b.as_index()) {
        // Each expression has its own.
        (Some(one), Some(other)) => one == other && a.shape() == b.shape(),
        _ => a.dtype() == b.dtype() && a.layout() == b.layout() && a.shares_storage(b),
    }
}
