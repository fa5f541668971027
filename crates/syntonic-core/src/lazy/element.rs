//! Elements that wait: an expression that is one number of some memory, kept apart from later writes.

use super::{Operand, Operation, Use};
use crate::device::Device;
use crate::error::Result;
use crate::fork::lock;
use crate::tensor::{Source, Tensor};
use std::sync::Arc;

/// The number that `t` still waits to be copied from memory, on another device: read where it lies, without a program that
/// copies it first. `None` where `t` is something else, or somebody wrote the memory meanwhile.
pub(crate) fn read_where_it_lies(t: &Tensor, device: &Arc<dyn Device>) -> Result<Option<Tensor>> {
    let Some(origin) = origin(t) else {
        return Ok(None);
    };
    let writes = origin.writes();
    let there = origin.to(device)?;
    // Whoever writes memory computes what waits for it and counts the write before the first byte changes.
    let untouched = t.is_pending() && origin.writes() == writes;
    Ok(untouched.then_some(there))
}

/// The element in memory that the expression behind `t` is, where it is no more than that.
fn origin(t: &Tensor) -> Option<Tensor> {
    let Source::Pending(p) = t.source() else {
        return None;
    };
    if t.ndim() > 0 || !p.shape.is_empty() {
        return None;
    }
    let plan = lock(&p.plan);
    let plan = plan.as_ref()?;
    match (&plan.operation, plan.operands.first()?) {
        (Operation::Cast(dtype), Use(Operand::Tensor(x)))
            if *dtype == x.dtype() && matches!(x.source(), Source::Stored(_)) =>
        {
            Some(x.clone())
        }
        _ => None,
    }
}
