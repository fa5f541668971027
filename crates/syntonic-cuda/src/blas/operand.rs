//! Operands of a product in a layout that cuBLAS reads; any other layout is copied.
//!
//! cuBLAS is column-major. A row-major matrix is the transpose of what it reads, so it is asked for `cᵀ = bᵀ aᵀ`.

use super::Matrix;
use super::pack::{self, Values};
use super::plan::Operation;
use crate::context::{Context, Scratch};
use syntonic_core::{DType, Result};

/// An operand as cuBLAS takes it.
pub(super) struct Operand<'a> {
    pub(super) address: u64,
    pub(super) operation: Operation,
    pub(super) leading: i64,
    pub(super) batch: i64,
    /// The copy that it points into, if one was made.
    _copy: Option<Scratch<'a>>,
}

/// The distance between rows where a matrix lies row-major.
pub(super) fn row_major(m: &Matrix) -> Option<i64> {
    let fits = (m.cols <= 1 || m.col == 1) && (m.rows <= 1 || m.row >= m.cols.max(1) as isize);
    let stride = if m.rows <= 1 { m.cols as isize } else { m.row };
    fits.then(|| stride.max(m.cols as isize).max(1) as i64)
}

/// As [`row_major`], of the transpose.
fn column_major(m: &Matrix) -> Option<i64> {
    row_major(&Matrix {
        rows: m.cols,
        cols: m.rows,
        row: m.col,
        col: m.row,
        ..*m
    })
}

impl<'a> Operand<'a> {
    /// The matrices in a form that cuBLAS reads.
    ///
    /// # Safety
    /// The matrices are live and fit.
    pub(super) unsafe fn new(
        context: &'a Context,
        dtype: DType,
        m: &Matrix,
        batch: usize,
        conjugate: bool,
    ) -> Result<Operand<'a>> {
        let conjugate = conjugate && dtype.is_complex();
        let found = match (row_major(m), column_major(m)) {
            (Some(leading), _) if !conjugate => Some((Operation::Plain, leading)),
            (_, Some(leading)) if conjugate => Some((Operation::Conjugated, leading)),
            (_, Some(leading)) => Some((Operation::Transposed, leading)),
            _ => None,
        };
        if let Some((operation, leading)) = found {
            return Ok(Operand {
                address: m.first,
                operation,
                leading,
                batch: m.batch as i64,
                _copy: None,
            });
        }
        let copies = if m.batch == 0 { 1 } else { batch };
        let (target, copy) = dense(context, dtype, m, copies)?;
        let values = if conjugate {
            Values::Conjugated
        } else {
            Values::Same
        };
        // SAFETY: the copy has room for the matrices.
        unsafe { pack::copy(context, dtype, m, &target, copies, values)? };
        Ok(Operand {
            address: target.first,
            operation: Operation::Plain,
            leading: target.cols.max(1) as i64,
            batch: if m.batch == 0 { 0 } else { target.batch as i64 },
            _copy: Some(copy),
        })
    }
}

/// Memory for `batch` matrices of this size, row-major one after the other.
pub(super) fn dense<'a>(
    context: &'a Context,
    dtype: DType,
    m: &Matrix,
    batch: usize,
) -> Result<(Matrix, Scratch<'a>)> {
    let size = m.rows * m.cols;
    let copy = context.scratch(size * batch * dtype.size())?;
    let matrix = Matrix {
        first: copy.address(),
        row: m.cols as isize,
        col: 1,
        batch: size as isize,
        ..*m
    };
    Ok((matrix, copy))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: usize, cols: usize, row: isize, col: isize) -> Matrix {
        Matrix::single(0, rows, cols, row, col)
    }

    #[test]
    fn forms_that_need_no_copy_are_found() {
        assert_eq!(row_major(&matrix(3, 4, 4, 1)), Some(4));
        assert_eq!(row_major(&matrix(3, 4, 9, 1)), Some(9));
        assert_eq!(column_major(&matrix(3, 4, 1, 3)), Some(3));
        assert_eq!(row_major(&matrix(1, 4, 0, 1)), Some(4));
        assert_eq!(column_major(&matrix(3, 1, 1, 0)), Some(3));
    }

    #[test]
    fn forms_that_need_a_copy_are_found() {
        for m in [
            matrix(3, 4, -4, 1),
            matrix(3, 4, 0, 1),
            matrix(3, 4, 8, 2),
            matrix(3, 4, 3, 1),
        ] {
            assert_eq!((row_major(&m), column_major(&m)), (None, None), "{m:?}");
        }
    }
}
