//! Copies that bring a matrix into the form a product wants.

use super::Matrix;
use crate::context::{Context, Geometry};
use crate::contract::{Contract, contract};
use syntonic_core::{DType, Result};

contract! {
    "matmul":
    /// A matrix becomes row-major.
    #[derive(Debug, Default)]
    pub(crate) struct Pack as "Pack" {
        from: u64,
        to: u64,
        rows: i64,
        cols: i64,
        from_row: i64,
        from_col: i64,
        from_batch: i64,
        to_row: i64,
        to_col: i64,
        to_batch: i64,
        batch: i64,
        conjugate: u32,
        /// 1 where the source's rows are its neighbours in memory.
        across: u32,
    }
}

/// Whether a copy conjugates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Values {
    /// As they are.
    Same,
    /// Conjugated.
    Conjugated,
}

/// Copies `batch` matrices of `dtype`.
///
/// # Safety
/// Both sides name live memory that fits, apart from each other.
pub(crate) unsafe fn copy(
    context: &Context,
    dtype: DType,
    from: &Matrix,
    to: &Matrix,
    batch: usize,
    values: Values,
) -> Result<()> {
    let entry = format!("pack_b{}", dtype.size());
    let tiles = from.rows.div_ceil(32) * from.cols.div_ceil(32) * batch;
    if tiles == 0 {
        return Ok(());
    }
    let params = Pack {
        from: from.first,
        to: to.first,
        rows: from.rows as i64,
        cols: from.cols as i64,
        from_row: from.row as i64,
        from_col: from.col as i64,
        from_batch: from.batch as i64,
        to_row: to.row as i64,
        to_col: to.col as i64,
        to_batch: to.batch as i64,
        batch: batch as i64,
        conjugate: u32::from(values == Values::Conjugated && dtype.is_complex()),
        across: u32::from(from.row.unsigned_abs() < from.col.unsigned_abs()),
    };
    // SAFETY: the struct is the kernel's own, and the memory is the caller's promise.
    unsafe { params.launch(context, &entry, Geometry::line(tiles as u64, 256)) }
}
