//! Half types within expressions: their values are `float32` and are rounded where the text stores them.
//!
//! What the text stores is what somebody reads: the elements of a result, an operand of what is no expression, a view that is more
//! than repetition or axes of length 1. What we compute early for reasons of our own, such as the length of an expression or the memory
//! that it keeps, is no part of the text: it is a temporary of `float32`, and the expression goes on as one over it. So how far
//! an expression was computed at some moment changes no bit of what comes of it.

use super::{
    Operand, Operation, Pending, Plan, Size, Stands, Use, defer, is_eager, lock, space, unread,
};
use crate::dtype::DType;
use crate::error::Result;
use crate::fuse::{Builder, NodeId};
use crate::grad;
use crate::layout::{Layout, row_major};
use crate::scalar::Scalar;
use crate::tensor::{Source, Tensor};
use smallvec::SmallVec;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, Weak};

/// Where expressions over half types round.
///
/// ```
/// use syntonic_core::lazy::{Rounding, set_rounding};
/// use syntonic_core::prelude::*;
///
/// // Beside 256 a bfloat16 has no place for 0.5.
/// let x = Tensor::full(&[4], 0.5, DType::BF16)?;
/// let back = |x: &Tensor| (x + 256.0 - 256.0).to_vec::<f32>();
/// assert_eq!(back(&x)?, [0.5; 4]);
/// let before = set_rounding(Rounding::Each);
/// assert_eq!(back(&x)?, [0.0; 4]);
/// set_rounding(before);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// Where a result is stored, and at conversions to a half type.
    Stored,
    /// The result of each operator as well.
    Each,
    /// As [`set_default_rounding`] says: what threads do that have chosen nothing.
    Default,
}

/// What is computed of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// A temporary for those that go on from it: as `float32` where it is of a half type.
    Temporary,
    /// What somebody reads, in its type.
    Result,
    /// What somebody reads, and a temporary for those that were made of it before.
    Both,
}

impl Goal {
    /// Which of them are temporaries, in the order in which a program writes them.
    pub(super) fn are_temporary(self) -> &'static [bool] {
        match self {
            Goal::Temporary => &[true],
            Goal::Result => &[false],
            Goal::Both => &[true, false],
        }
    }
}

thread_local! {
    static ROUNDING: Cell<Rounding> = const { Cell::new(Rounding::Default) };
}

/// Whether threads that have chosen nothing round the result of each operator.
static EACH_BY_DEFAULT: AtomicBool = AtomicBool::new(false);

/// Chooses for the process where expressions round half types that threads make from now on which have chosen nothing themselves;
/// returns the former choice. [`Rounding::Default`] is what a process begins with: where a result is stored.
///
/// ```
/// use syntonic_core::lazy::{Rounding, set_default_rounding, set_rounding};
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::full(&[4], 0.5, DType::BF16)?;
/// let back = |x: &Tensor| (x + 256.0 - 256.0).to_vec::<f32>();
/// assert_eq!(set_default_rounding(Rounding::Each), Rounding::Stored);
/// assert_eq!(back(&x)?, [0.0; 4]);
/// set_rounding(Rounding::Stored);
/// assert_eq!(back(&x)?, [0.5; 4]);
/// assert_eq!(set_default_rounding(Rounding::Default), Rounding::Each);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn set_default_rounding(rounding: Rounding) -> Rounding {
    match EACH_BY_DEFAULT.swap(rounding == Rounding::Each, Ordering::Relaxed) {
        true => Rounding::Each,
        false => Rounding::Stored,
    }
}

/// Chooses for this thread where the expressions that it makes from now on round half types; returns the former choice.
///
/// ```
/// use syntonic_core::lazy::{Rounding, set_rounding};
///
/// let before = set_rounding(Rounding::Each);
/// assert_eq!(set_rounding(before), Rounding::Each);
/// ```
pub fn set_rounding(rounding: Rounding) -> Rounding {
    ROUNDING.replace(rounding)
}

/// Whether the result of each operator of this thread is rounded.
pub(crate) fn rounds_each() -> bool {
    match ROUNDING.get() {
        Rounding::Each => true,
        Rounding::Stored => false,
        Rounding::Default => EACH_BY_DEFAULT.load(Ordering::Relaxed),
    }
}

/// Whether the result of an operation is a number of its type within an expression, too.
pub(super) fn is_exact(operation: &Operation, dtype: DType) -> bool {
    let rounds = match operation {
        Operation::Cast(to) => to.is_half(),
        Operation::Product(_) | Operation::StandIn => true,
        _ => rounds_each(),
    };
    rounds || !dtype.is_half()
}

/// Whether `t` is still to be computed from values that are not rounded: when it is read may then change what it is.
pub(crate) fn hangs_on_halves(t: &Tensor) -> bool {
    unread(t).is_some_and(|p| p.halves)
}

/// Whether `t` shows values of an expression that are still to be rounded.
pub(crate) fn is_unrounded(t: &Tensor) -> bool {
    unread(t).is_some_and(|p| !p.exact)
}

/// Stores the operands that are views of expressions, but for repetition and axes of length 1: a view shows elements of a result. In
/// eager evaluation every operand is one.
pub(super) fn store_views(operands: &[Operand]) -> Result<()> {
    for operand in operands {
        if let Operand::Tensor(t) = operand
            && let Some(p) = unread(t)
            && !p.exact
            && p.stands == Stands::No
            && (is_eager() || space::whole(t).is_none())
        {
            p.force()?;
        }
    }
    Ok(())
}

/// The same values as another type; as a half type they go on unrounded.
pub(crate) fn as_type(x: &Tensor, dtype: DType) -> Result<Tensor> {
    if x.dtype() == dtype {
        return Ok(x.clone());
    }
    if !dtype.is_half() {
        return x.cast(dtype);
    }
    if x.is_tracked() {
        return grad::as_type(x, dtype);
    }
    let operands = SmallVec::from_iter([Operand::Tensor(x.clone())]);
    defer(
        Operation::As(dtype),
        operands,
        dtype,
        x.shape().into(),
        x.device(),
    )
}

/// The same values, those of a half type rounded as if they had been stored.
pub(crate) fn rounded(x: &Tensor) -> Result<Tensor> {
    let Some(p) = unread(x).filter(|p| !p.exact) else {
        return Ok(x.clone());
    };
    let layout = Layout::contiguous("cast", &p.shape)?;
    let whole = Tensor::from_source(p.dtype, layout, Source::Pending(p.clone()));
    let stored = super::cast(&whole, p.dtype)?;
    Ok(Tensor::from_source(
        x.dtype(),
        x.layout().clone(),
        stored.source().clone(),
    ))
}

/// The temporary that `t` shows, as `t` does, where it shows what is settled.
pub(super) fn kept(t: &Tensor) -> Option<Tensor> {
    let p = space::whole(t).filter(|p| p.is_settled())?;
    Some(p.temporary()?.with_layout(t.layout().clone()))
}

/// The node of a value as one of a half type, not rounded.
pub(super) fn as_half(b: &mut Builder, half: DType, node: NodeId) -> NodeId {
    let zero = b.constant(Scalar::Int(0));
    let model = b.cast(half, zero);
    b.like(node, model)
}

impl Pending {
    /// Computes it for those that go on from it: what somebody may read is still to be rounded.
    pub(crate) fn settle(self: &Arc<Pending>) -> Result<()> {
        self.compute(Goal::Temporary)
    }

    /// What to compute for somebody who reads it.
    pub(super) fn goal(&self) -> Goal {
        match !self.exact && !self.is_settled() && self.reader().is_some() {
            true => Goal::Both,
            false => Goal::Result,
        }
    }

    /// True while it may still read the memory that it is made of.
    pub(crate) fn waits(&self) -> bool {
        self.result.get().is_none() && !self.is_settled()
    }

    /// True where it is an expression over a temporary of its own.
    pub(super) fn is_settled(&self) -> bool {
        self.settled.load(Ordering::Acquire)
    }

    /// How often its plan became another one of the same values.
    pub(super) fn changes(&self) -> u32 {
        self.changes.load(Ordering::Acquire)
    }

    /// Becomes an expression over these `float32` values of its own, unless another thread was faster with the same values.
    pub(super) fn keep(&self, values: Tensor) {
        // As it lies, with the axes that rows have lost.
        let layout = Layout::from_parts(&self.shape, &row_major(&self.shape), 0);
        let mut plan = Some(self.over(values.with_layout(layout)));
        let mut former = None;
        // Whoever has taken the plan gives it back, or is done with it.
        while plan.is_some() && self.waits() && self.await_turn().is_ok() {
            if let Some(here) = lock(&self.plan).as_mut()
                && !self.is_settled()
            {
                self.settled.store(true, Ordering::Release);
                self.changes.fetch_add(1, Ordering::AcqRel);
                former = plan.take().map(|plan| std::mem::replace(here, plan));
            }
        }
        // Dropped after the lock is released, because the operands' own plans may be dropped with them.
        drop(former);
    }

    /// The expression that it is over a temporary of its own.
    fn over(&self, values: Tensor) -> Plan {
        Plan {
            operation: Operation::As(self.dtype),
            operands: SmallVec::from_iter([Use::new(Operand::Tensor(values))]),
            kept: None,
        }
    }

    /// Its temporary, where it has one.
    fn temporary(&self) -> Option<Tensor> {
        let plan = lock(&self.plan);
        match &plan.as_ref()?.operands.first()?.0 {
            Operand::Tensor(values) if self.is_settled() => Some(values.clone()),
            _ => None,
        }
    }

    /// Leaves its temporary to those that wait for it, before its result is there: they were made of values that nobody had read.
    pub(super) fn leave_temporary(&self) {
        // few: what was made of one result and waits.
        let readers: Vec<Arc<Pending>> = lock(&self.readers)
            .iter()
            .filter_map(Weak::upgrade)
            .collect();
        if !readers.iter().any(|reader| reader.waits()) {
            return;
        }
        let Some(values) = self.temporary() else {
            return;
        };
        let heir = Arc::new(Pending {
            dtype: self.dtype,
            shape: self.shape.clone(),
            device: self.device.clone(),
            plan: Mutex::new(Some(self.over(values))),
            result: OnceLock::new(),
            waiting: AtomicU32::new(0),
            readers: Mutex::default(),
            size: Size::ALONE,
            passed: AtomicU32::new(0),
            together: OnceLock::new(),
            reach: self.reach,
            capture: self.capture,
            taken: AtomicU64::new(0),
            exact: false,
            halves: true,
            settled: AtomicBool::new(true),
            changes: AtomicU32::new(0),
            stands: Stands::No,
        });
        readers
            .iter()
            .for_each(|reader| reader.inherit(self, &heir));
    }

    /// Reads `heir` where it read `former`.
    fn inherit(&self, former: &Pending, heir: &Arc<Pending>) {
        // Whoever has taken the plan gives it back, or is done with it.
        while self.waits() && self.await_turn().is_ok() {
            let mut left: SmallVec<[Use; 3]> = SmallVec::new();
            let mut plan = lock(&self.plan);
            let Some(plan) = plan.as_mut() else { continue };
            for used in &mut plan.operands {
                if let Operand::Tensor(t) = &used.0
                    && let Source::Pending(p) = t.source()
                    && std::ptr::eq(Arc::as_ptr(p), former)
                {
                    let source = Source::Pending(heir.clone());
                    let t = Tensor::from_source(t.dtype(), t.layout().clone(), source);
                    left.push(std::mem::replace(used, Use::new(Operand::Tensor(t))));
                }
            }
            self.changes.fetch_add(1, Ordering::AcqRel);
            return;
        }
    }
}
