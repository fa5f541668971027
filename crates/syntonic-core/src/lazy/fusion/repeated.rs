//! Where values lie in the space. Operands that are repeated over it are computed with each element, where that takes less than writing
//! them first.

use super::super::space::{Axes, Space};
use super::super::{MAX_INPUTS, Operand, Operation, Pending};
use super::Fusion;
use crate::error::{Error, Result};
use crate::fuse::{FUNCTION, Level};
use crate::layout::{Layout, row_major};
use crate::tensor::{Source, Tensor};
use std::sync::Arc;

/// Expressions of an operand that is repeated.
const EXPRESSIONS: usize = 24;
/// What a formula of several primitives takes.
const FORMULA: usize = 4 * FUNCTION;

/// Where a value of an expression lies in the space.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Place {
    pub(super) axes: Axes,
    pub(super) level: Level,
    /// True where it is repeated along other axes of that level: then it is no result of the program.
    pub(super) repeats: bool,
}

impl Fusion {
    /// The place of a value of this shape and level, which varies along all axes of that level.
    pub(super) fn in_place(&self, shape: &[usize], level: Level) -> Result<Place> {
        let space = &self.space.shape;
        let nowhere = || Error::value("eval", format!("{shape:?} has no place in {space:?}"));
        Ok(Place {
            axes: self.space.axes(shape, level).ok_or_else(nowhere)?,
            level,
            repeats: false,
        })
    }

    /// The place of the element-wise expression behind `t`, of which `view` shows the elements over the space again and again; nothing
    /// where computing them as often takes longer than writing them first.
    pub(super) fn repeated(&self, t: &Tensor, p: &Arc<Pending>, view: &Layout) -> Option<Place> {
        let most = match self.stands {
            // There is no other way for it.
            true => usize::MAX,
            false => p.device.fusion().repeated,
        };
        if most == 0 || view.offset() != 0 || t.dtype() != p.dtype {
            return None;
        }
        let axes = self.space.repeats(&p.shape, view)?;
        let (operations, tensors) = work(p)?;
        let fits = self.inputs.len() + tensors + 1 < MAX_INPUTS;
        let kept = |axis: &Option<usize>| axis.is_none_or(|axis| !self.space.reduces(axis));
        let level = match self.space.has_rows() && axes.iter().all(kept) {
            true => Level::Row,
            false => Level::Lane,
        };
        (fits && self.space.elements().saturating_mul(operations) <= most).then_some(Place {
            axes,
            level,
            repeats: true,
        })
    }
}

impl Space {
    /// The axis of the space that each axis of a value of this shape lies along, where `view` shows its elements in order and
    /// repeats them along all other axes.
    fn repeats(&self, shape: &[usize], view: &Layout) -> Option<Axes> {
        let there = self.shape.iter().zip(view.strides());
        let moves = |&(&len, &stride): &(&usize, &isize)| len != 1 && stride != 0;
        let moving = there.clone().filter(moves).count();
        let mut axes = Axes::new();
        for (&len, whole) in shape.iter().zip(row_major(shape)) {
            axes.push(match len {
                1 => None,
                _ => Some(there.clone().position(|(&n, &s)| (n, s) == (len, whole))?),
            });
        }
        (axes.iter().flatten().count() == moving).then_some(axes)
    }
}

/// The operations of an expression and of those that it hangs on, in such that are exactly rounded, and the tensors that they read;
/// nothing where there are many, or one of them is not element-wise.
fn work(p: &Arc<Pending>) -> Option<(usize, usize)> {
    let (mut operations, mut tensors) = (0, 0);
    let mut met = vec![p.clone()];
    let mut at = 0;
    while let Some(p) = met.get(at).cloned() {
        at += 1;
        let (operation, operands) = p.plan()?;
        operations += match operation {
            Operation::Prim(prim) => prim.operations(),
            Operation::Cast(_) | Operation::As(_) => 1,
            Operation::Composite(_) | Operation::Formula(_) => FORMULA,
            Operation::Reduction(_) | Operation::Product(_) => return None,
            Operation::StandIn => 0,
        };
        for operand in &operands {
            let Operand::Tensor(t) = operand else {
                continue;
            };
            match t.source() {
                Source::Pending(q) if q.result().is_none() => {
                    if !met.iter().any(|m| Arc::ptr_eq(m, q)) {
                        met.push(q.clone());
                    }
                }
                _ => tensors += 1,
            }
        }
        if met.len() > EXPRESSIONS {
            return None;
        }
    }
    Some((operations, tensors))
}
