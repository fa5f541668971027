//! What single instructions do.

pub(crate) mod atomic;
pub(crate) mod bits;
pub(crate) mod carry;
pub(crate) mod compare;
pub(crate) mod convert;
pub(crate) mod copy;
pub(crate) mod descriptor;
pub(crate) mod each;
pub(crate) mod float;
pub(crate) mod fragment;
pub(crate) mod half;
pub(crate) mod integer;
pub(crate) mod load;
pub(crate) mod mask;
pub(crate) mod mbarrier;
pub(crate) mod mma;
pub(crate) mod product;
pub(crate) mod rounding;
pub(crate) mod special;
pub(crate) mod tensor;
pub(crate) mod together;
pub(crate) mod wgmma;

use super::op::Form;

/// What runs an instruction whose operands are rows and nothing else.
pub(crate) fn find(name: &str) -> Option<Form> {
    integer::find(name)
        .or_else(|| bits::find(name))
        .or_else(|| float::find(name))
        .or_else(|| convert::find(name))
        .or_else(|| half::find(name))
        .or_else(|| compare::find(name))
}
