//! Formulas over what only a kernel has: a score of attention is written with operators over tensors, and is a program of the kernel.
//!
//! What is not there has a *stand-in*, an expression that nobody can compute. What is made of one waits, whatever its size, until it is
//! taken apart into a program and the tensors that this reads. So whatever is no formula of elements, and so would have to be computed
//! first, is an error where it is met.

use super::fusion::Fusion;
use super::{Operand, Operation, Pending, defer, evaluation, space, unread};
use crate::device::Device;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::fuse::Program;
use crate::layout::Dims;
use crate::tensor::{Source, Tensor};
use smallvec::SmallVec;
use std::cell::Cell;
use std::sync::Arc;

/// What an expression has to do with stand-ins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stands {
    /// Nothing.
    No,
    /// It is one.
    For,
    /// It hangs on one.
    On,
}

impl Stands {
    /// Of the result of an operation. Reductions of stand-ins are refused here, where a user sees which one it is.
    pub(super) fn of(operation: &Operation, operands: &[Operand]) -> Result<Stands> {
        if matches!(operation, Operation::StandIn) {
            return Ok(Stands::For);
        }
        let hangs = |o: &Operand| matches!(o, Operand::Tensor(t) if unread(t).is_some_and(|p| p.stands != Stands::No));
        if !operands.iter().any(hangs) {
            return Ok(Stands::No);
        }
        match operation {
            Operation::Reduction(_) | Operation::Product(_) => Err(unreadable()),
            _ => Ok(Stands::On),
        }
    }
}

/// What reading a stand-in says.
fn unreadable() -> Error {
    Error::value(
        "attention",
        "a score is computed element by element within the kernel, and its elements were read before; hint: use element-wise operations of the score, of the positions and of operands alone, and compute what needs more, such as sums and rows picked by position, before the call and give it as an operand",
    )
}

thread_local! {
    static LEFT_OPEN: Cell<bool> = const { Cell::new(false) };
}

/// Whether element-wise results of this thread wait whatever their size.
pub(super) fn is_left_open() -> bool {
    LEFT_OPEN.get()
}

/// Runs `work`, whose element-wise results wait whatever their size, also in eager evaluation.
pub(crate) fn leave_open<T>(work: impl FnOnce() -> T) -> T {
    struct Former(bool);
    impl Drop for Former {
        fn drop(&mut self) {
            LEFT_OPEN.set(self.0);
        }
    }
    let _former = Former(LEFT_OPEN.replace(true));
    work()
}

/// A tensor that stands for what a kernel will have at hand.
pub(crate) fn stand_in(dtype: DType, shape: &[usize], device: &Arc<dyn Device>) -> Result<Tensor> {
    let none = SmallVec::new();
    defer(Operation::StandIn, none, dtype, Dims::from(shape), device)
}

/// True for a stand-in, and for what is made of one: nobody can read its elements or write over them.
pub(crate) fn hangs_on_stand_in(x: &Tensor) -> bool {
    matches!(x.source(), Source::Pending(p) if p.stands != Stands::No)
}

/// An operand of a program that was taken apart.
#[derive(Debug)]
pub(crate) struct Part {
    /// What is read over the space.
    pub(crate) tensor: Tensor,
}

impl Part {
    /// True where it is a view of this stand-in.
    pub(crate) fn stands_for(&self, stand_in: &Tensor) -> bool {
        self.tensor.shares_storage(stand_in)
    }
}

/// The program that `x` is, over all of its elements, and the tensors that it reads. What these hang on is computed now.
pub(crate) fn as_parts(x: &Tensor) -> Result<(Program, Vec<Part>)> {
    loop {
        let fusion = match x.source() {
            Source::Pending(root) if root.is_stand_in() => Fusion::itself(x, root)?,
            Source::Pending(root) if x.is_contiguous() && space::whole(x).is_some() => {
                Fusion::formula(root)?
            }
            _ => return Err(unreadable()),
        };
        let wanted = fusion.wanted();
        if wanted.is_empty() {
            return Ok(fusion.into_parts());
        }
        // The fusion is let go of before they run, as the operands of any other.
        drop(fusion);
        for (pending, goal) in evaluation::first(&wanted) {
            pending.compute(goal)?;
        }
    }
}

impl Pending {
    /// True for what stands for an operand.
    pub(super) fn is_stand_in(&self) -> bool {
        self.stands == Stands::For
    }

    /// An error for what nobody can compute.
    #[inline]
    pub(super) fn check_stands(&self) -> Result<()> {
        match self.stands {
            Stands::No => Ok(()),
            _ => Err(unreadable()),
        }
    }
}
