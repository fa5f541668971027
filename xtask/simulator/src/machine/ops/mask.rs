//! Guards: instructions that only lanes with a predicate run.

use crate::machine::context::Context;
use crate::machine::op::Op;

/// Holds back lanes whose predicate `r[0]` is not as `imm` says: 0 for true, all ones for false.
pub(crate) fn guard(context: &mut Context, op: &Op) {
    context.unguarded = context.mask;
    context.mask &= context.predicate(op.r[0]) ^ op.imm as u32;
}

/// Ends what `guard` began.
pub(crate) fn unguard(context: &mut Context, _op: &Op) {
    context.mask = context.unguarded;
}
