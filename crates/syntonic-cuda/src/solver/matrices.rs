//! Stacks of matrices: as an operand has them, and by columns, as the library takes them.

use crate::blas::{Matrix, Values, copy};
use crate::context::{Context, Scratch};
use crate::moves::address;
use syntonic_core::device::Arg;
use syntonic_core::layout::{Strides, collapse, row_major};
use syntonic_core::{DType, Error, Result};

/// Rows and columns of the matrices of an operand.
pub(super) fn sides(arg: &Arg) -> (usize, usize) {
    let shape = arg.layout.shape();
    (shape[shape.len() - 2], shape[shape.len() - 1])
}

/// How many matrices an operand has.
pub(super) fn count(arg: &Arg) -> usize {
    let shape = arg.layout.shape();
    shape[..shape.len() - 2].iter().product()
}

/// What of a matrix is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    /// It.
    Same,
    /// Its conjugate transpose.
    Adjoint,
}

impl View {
    fn of(self, matrix: Matrix) -> (Matrix, Values) {
        match self {
            View::Same => (matrix, Values::Same),
            View::Adjoint => (matrix.turned(), Values::Conjugated),
        }
    }
}

/// Matrices of one type and size in GPU memory, each by columns without gaps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    pub(super) first: u64,
    pub(super) dtype: DType,
    pub(super) rows: usize,
    pub(super) cols: usize,
    /// Elements from one column to the next.
    pub(super) leading: usize,
    /// Elements from one matrix to the next.
    pub(super) apart: usize,
}

impl Columns {
    /// Those of an output, which core lays out so.
    pub(super) fn output(op: &'static str, arg: &Arg) -> Result<Columns> {
        let ndim = arg.layout.ndim();
        let mut order: Vec<usize> = (0..ndim).collect();
        order.swap(ndim - 2, ndim - 1);
        if !arg.layout.permute(&order)?.is_contiguous() {
            return Err(Error::value(
                op,
                "the kernel writes matrices by columns, one after the other",
            ));
        }
        let (rows, cols) = sides(arg);
        Ok(Columns {
            first: address(arg),
            dtype: arg.dtype,
            rows,
            cols,
            leading: rows,
            apart: rows * cols,
        })
    }

    /// Memory for so many of them.
    pub(super) fn scratch(
        context: &Context,
        dtype: DType,
        (rows, cols): (usize, usize),
        count: usize,
    ) -> Result<(Columns, Scratch<'_>)> {
        let memory = context.scratch(rows * cols * count * dtype.size())?;
        let columns = Columns {
            first: memory.address(),
            dtype,
            rows,
            cols,
            leading: rows,
            apart: rows * cols,
        };
        Ok((columns, memory))
    }

    /// The address of matrix `k`.
    pub(super) fn at(&self, k: usize) -> u64 {
        self.first + (k * self.apart * self.dtype.size()) as u64
    }

    /// Their first columns, or rows.
    pub(super) fn part(&self, rows: usize, cols: usize) -> Columns {
        Columns {
            rows,
            cols,
            ..*self
        }
    }

    fn matrix(&self, k: usize) -> Matrix {
        Matrix {
            first: self.at(k),
            rows: self.rows,
            cols: self.cols,
            row: 1,
            col: self.leading as isize,
            batch: self.apart as isize,
        }
    }

    /// Copies all matrices of `from` here.
    ///
    /// # Safety
    /// Both are live; the views of the operand's matrices have the size of these, and there is room for as many.
    pub(super) unsafe fn fill(&self, context: &Context, from: &Arg, view: View) -> Result<()> {
        for (source, at, batch) in self.groups(from, view) {
            let (source, values) = source;
            let target = self.matrix(at);
            // By columns of the source, so that neighbours are written together.
            let (source, target) = (source.turned(), target.turned());
            // SAFETY: the caller's promise.
            unsafe { copy(context, self.dtype, &source, &target, batch, values)? };
        }
        Ok(())
    }

    /// The operand's matrices in groups that are evenly apart: the first of each, its number, and how many there are.
    fn groups(&self, from: &Arg, view: View) -> Vec<((Matrix, Values), usize, usize)> {
        let lead = from.layout.ndim() - 2;
        let shape = &from.layout.shape()[..lead];
        let (mut dims, mut strides) =
            collapse(shape, &[&from.layout.strides()[..lead], &row_major(shape)]);
        let batch = dims.pop().unwrap_or(1);
        let steps: Vec<isize> = strides.iter_mut().map(|s| s.pop().unwrap_or(0)).collect();
        let size = from.dtype.size() as isize;
        let group = |mut at: usize| {
            let mut by = [0isize; 2];
            for axis in (0..dims.len()).rev() {
                let here = (at % dims[axis]) as isize;
                at /= dims[axis];
                let walked: &[Strides] = &strides;
                by = [0, 1].map(|k| by[k] + here * walked[k][axis]);
            }
            let mut matrix = Matrix::new(from);
            matrix.first = matrix.first.wrapping_add_signed((by[0] * size) as i64);
            matrix.batch = steps[0];
            (view.of(matrix), by[1] as usize, batch)
        };
        (0..dims.iter().product()).map(group).collect()
    }

    /// Copies matrix `k` of an operand to be the first one here.
    ///
    /// # Safety
    /// As [`Columns::fill`].
    pub(super) unsafe fn take(
        &self,
        context: &Context,
        from: &Arg,
        mut k: usize,
        view: View,
    ) -> Result<()> {
        let lead = from.layout.ndim() - 2;
        let mut by = 0;
        for axis in (0..lead).rev() {
            let len = from.layout.shape()[axis];
            by += (k % len) as isize * from.layout.strides()[axis];
            k /= len;
        }
        let mut matrix = Matrix::new(from);
        let size = from.dtype.size() as isize;
        matrix.first = matrix.first.wrapping_add_signed((by * size) as i64);
        let (source, values) = view.of(matrix);
        let (source, target) = (source.turned(), self.matrix(0).turned());
        // SAFETY: the caller's promise.
        unsafe { copy(context, self.dtype, &source, &target, 1, values) }
    }

    /// Copies matrix `k` of others to be matrix `to` here: its first rows and columns, where it has more.
    ///
    /// # Safety
    /// Both are live and apart from each other.
    pub(super) unsafe fn copy(
        &self,
        context: &Context,
        to: usize,
        from: &Columns,
        k: usize,
        view: View,
    ) -> Result<()> {
        let (source, values) = view.of(from.matrix(k));
        let source = Matrix {
            rows: self.rows,
            cols: self.cols,
            ..source
        };
        let (source, target) = (source.turned(), self.matrix(to).turned());
        // SAFETY: the caller's promise.
        unsafe { copy(context, self.dtype, &source, &target, 1, values) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntonic_core::Layout;

    fn arg(layout: Layout) -> Arg {
        Arg {
            base: 4096 as *mut u8,
            dtype: DType::F64,
            layout,
        }
    }

    fn columns(rows: usize, cols: usize) -> Columns {
        Columns {
            first: 1 << 20,
            dtype: DType::F64,
            rows,
            cols,
            leading: rows,
            apart: rows * cols,
        }
    }

    #[test]
    fn outputs_by_columns_are_taken_and_others_are_not() {
        let rows = Layout::contiguous("test", &[2, 5, 3]).unwrap();
        let by_columns = rows.permute(&[0, 2, 1]).unwrap();
        let found = Columns::output("test", &arg(by_columns)).unwrap();
        assert_eq!((found.rows, found.cols, found.leading), (3, 5, 3));
        assert_eq!(found.at(1) - found.at(0), 15 * 8);
        assert!(Columns::output("test", &arg(rows)).is_err());
    }

    #[test]
    fn a_stack_that_does_not_merge_is_copied_in_groups() {
        let whole = Layout::contiguous("test", &[2, 3, 4, 5]).unwrap();
        let groups = columns(4, 5).groups(&arg(whole.clone()), View::Same);
        assert_eq!(groups.len(), 1);
        let ((first, _), at, batch) = &groups[0];
        assert_eq!((first.batch, *at, *batch), (20, 0, 6));
        // The leading axes exchanged.
        let turned = arg(whole.permute(&[1, 0, 3, 2]).unwrap());
        let groups = columns(4, 5).groups(&turned, View::Adjoint);
        let seen: Vec<(u64, usize, usize)> = groups
            .iter()
            .map(|((m, _), at, batch)| ((m.first - 4096) / 8, *at, *batch))
            .collect();
        assert_eq!(seen, [(0, 0, 2), (20, 2, 2), (40, 4, 2)]);
        let ((first, values), ..) = &groups[0];
        assert_eq!((first.row, first.col, first.batch), (5, 1, 60));
        assert_eq!(*values, Values::Conjugated);
    }

    #[test]
    fn one_matrix_for_every_place_is_read_again() {
        let one = Layout::contiguous("test", &[4, 4]).unwrap();
        let stack = arg(one.broadcast_to(&[7, 4, 4]).unwrap());
        assert_eq!((count(&stack), sides(&stack)), (7, (4, 4)));
        let groups = columns(4, 4).groups(&stack, View::Same);
        let ((first, _), at, batch) = &groups[0];
        assert_eq!((first.batch, *at, *batch), (0, 0, 7));
    }
}
