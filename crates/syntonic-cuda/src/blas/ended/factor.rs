//! A factor of a product in a layout that the copy engine walks; any other is copied.

use super::kernel::{HALF, Major, SPAN};
use crate::blas::Matrix;
use crate::blas::pack::{self, Values};
use crate::blas::tensor_map::{Boxes, TensorMap};
use crate::context::{Context, Scratch};
use syntonic_core::{DType, Result};

/// What addresses and strides of a tensor map are multiples of, in bytes.
const UNIT: usize = 16;

/// A factor: rows of the result, or columns, by K.
pub(super) struct Factor<'a> {
    lines: Matrix,
    batch: usize,
    pub(super) major: Major,
    /// Whether each product of the batch has one of its own.
    pub(super) batched: bool,
    /// The copy that it is, if one was made.
    _copy: Option<Scratch<'a>>,
}

/// Bytes from line to line and from matrix to matrix of what has its elements side by side; where there is one of them, any that a map takes.
pub(super) fn strides(m: &Matrix, dtype: DType) -> [usize; 3] {
    let line = (m.cols * dtype.size()).next_multiple_of(UNIT);
    let row = match m.rows > 1 {
        true => m.row.unsigned_abs() * dtype.size(),
        false => line,
    };
    let batch = match m.batch {
        0 => row * m.rows,
        apart => apart.unsigned_abs() * dtype.size(),
    };
    [row, batch, 0]
}

/// True where the copy engine walks a matrix along its rows.
pub(super) fn is_walked(m: &Matrix, dtype: DType) -> bool {
    let size = dtype.size() as isize;
    let even = |stride: isize| stride > 0 && (stride * size) % UNIT as isize == 0;
    let side_by_side = m.cols == 1 || m.col == 1;
    side_by_side
        && m.first.is_multiple_of(UNIT as u64)
        && (m.rows == 1 || even(m.row))
        && (m.batch == 0 || even(m.batch))
}

impl<'a> Factor<'a> {
    /// The matrices, whose rows are those of the result or its columns.
    ///
    /// # Safety
    /// The matrices are live and fit.
    pub(super) unsafe fn new(
        context: &'a Context,
        dtype: DType,
        m: &Matrix,
        batch: usize,
    ) -> Result<Factor<'a>> {
        let batched = m.batch != 0;
        // Instructions take bytes along K alone.
        let majors = [(*m, Major::K), (m.turned(), Major::Outer)];
        for (lines, major) in majors.into_iter().take(dtype.size()) {
            if is_walked(&lines, dtype) {
                return Ok(Factor {
                    lines,
                    batch,
                    major,
                    batched,
                    _copy: None,
                });
            }
        }
        let pitch = m.cols.next_multiple_of(UNIT / dtype.size());
        let copies = if batched { batch } else { 1 };
        let room = context.scratch(m.rows * pitch * copies * dtype.size())?;
        let lines = Matrix {
            first: room.address(),
            row: pitch as isize,
            col: 1,
            batch: if batched {
                (m.rows * pitch) as isize
            } else {
                0
            },
            ..*m
        };
        // SAFETY: the copy has room for the matrices.
        unsafe { pack::copy(context, dtype, m, &lines, copies, Values::Same)? };
        Ok(Factor {
            lines,
            batch,
            major: Major::K,
            batched,
            _copy: Some(room),
        })
    }

    /// Its boxes: as many bytes as a row of the swizzle has, by half the rows or columns of a tile.
    pub(super) fn map(&self, context: &Context, dtype: DType) -> Result<TensorMap> {
        let m = &self.lines;
        let lines = match self.major {
            Major::K => HALF,
            Major::Outer => SPAN / dtype.size(),
        };
        let boxes = Boxes {
            first: m.first,
            lens: [m.cols, m.rows, if self.batched { self.batch } else { 1 }],
            of_box: [SPAN / dtype.size(), lines],
            strides: strides(m, dtype),
        };
        TensorMap::new(context, "matmul", dtype, &boxes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_lies_on_units_is_walked() {
        let half = DType::BF16;
        assert!(is_walked(&Matrix::single(256, 9, 24, 24, 1), half));
        assert!(is_walked(&Matrix::single(256, 9, 7, 8, 1), half));
        assert!(is_walked(&Matrix::single(256, 1, 7, 7, 1), half));
        for wrong in [
            Matrix::single(256, 9, 7, 7, 1),
            Matrix::single(258, 9, 24, 24, 1),
            Matrix::single(256, 9, 24, -24, 1),
            Matrix::single(256, 9, 24, 0, 1),
            Matrix::single(256, 9, 24, 48, 2),
        ] {
            assert!(!is_walked(&wrong, half), "{wrong:?}");
        }
    }
}
