//! How one number is made of those of all ranks, and of which types.

use std::ffi::c_int;
use syntonic_core::{DType, Error, Result, Tensor, describe};

/// How [`Communicator::all_reduce`](super::Communicator::all_reduce) makes one number of those of all ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// The sum. Its order is NCCL's, so floats may differ from those of another number of ranks.
    Sum,
    /// The product, with the same reserve.
    Product,
    /// The largest.
    Max,
    /// The smallest.
    Min,
}

impl Reduction {
    /// The library's number.
    pub(super) fn number(self) -> c_int {
        match self {
            Reduction::Sum => 0,
            Reduction::Product => 1,
            Reduction::Max => 2,
            Reduction::Min => 3,
        }
    }
}

/// The library's number for the type of a tensor that it has sums of.
pub(super) fn kind(op: &'static str, x: &Tensor) -> Result<c_int> {
    Ok(match x.dtype() {
        DType::I8 => 0,
        DType::U8 => 1,
        DType::I32 => 2,
        DType::U32 => 3,
        DType::I64 => 4,
        DType::U64 => 5,
        DType::F16 => 6,
        DType::F32 => 7,
        DType::F64 => 8,
        DType::BF16 => 9,
        _ => {
            return Err(Error::DType {
                op,
                operands: describe(&[x]),
                hint: "cast it to a real type of 32 or 64 bits".into(),
            });
        }
    })
}
