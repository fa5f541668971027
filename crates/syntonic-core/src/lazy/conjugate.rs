//! Conjugates that undo each other.

use super::{Operand, Operation, Use};
use crate::fork::lock;
use crate::fuse::Prim;
use crate::layout::Layout;
use crate::tensor::{Source, Tensor};

/// The tensor that `t` is the conjugate of, while that is still to be computed and is a plain view.
pub(crate) fn conjugate_of(t: &Tensor) -> Option<Tensor> {
    let Source::Pending(p) = t.source() else {
        return None;
    };
    let plan = lock(&p.plan);
    let plan = plan.as_ref()?;
    let (Operation::Prim(Prim::Conj), Use(Operand::Tensor(x))) =
        (&plan.operation, plan.operands.first()?)
    else {
        return None;
    };
    if x.dtype() != t.dtype() || x.shape() != &p.shape[..] {
        return None;
    }
    let whole = Layout::contiguous("conj", &p.shape).ok()?;
    if *t.layout() == whole {
        return Some(x.clone());
    }
    let from = x.layout().offset() + t.layout().offset();
    let view = Layout::from_parts(t.shape(), t.strides(), from);
    x.is_contiguous().then(|| x.with_layout(view))
}
