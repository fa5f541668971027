//! Matrix products: cuBLAS for floats, kernels of our own for integers.

mod float;
mod handle;
mod integer;
mod pack;

pub(crate) use handle::Blas;

use crate::context::Context;
use syntonic_core::device::{Arg, Launch};
use syntonic_core::layout::{Dims, Strides, collapse};
use syntonic_core::{DType, Error, Result, Scalar};

/// A matrix in GPU memory: address of its first element, and the strides of rows and columns.
#[derive(Clone, Copy, Debug)]
struct Matrix {
    first: u64,
    rows: usize,
    cols: usize,
    row: isize,
    col: isize,
    /// Distance to the same matrix of the next product of a batch.
    batch: isize,
}

impl Matrix {
    fn new(arg: &Arg) -> Matrix {
        let (shape, strides) = (arg.layout.shape(), arg.layout.strides());
        let lead = shape.len() - 2;
        Matrix {
            first: arg.address() as u64,
            rows: shape[lead],
            cols: shape[lead + 1],
            row: strides[lead],
            col: strides[lead + 1],
            batch: 0,
        }
    }
}

/// `c = alpha op(a) op(b) + beta c` for `batch` products.
#[derive(Clone, Copy, Debug)]
struct Product {
    dtype: DType,
    a: Matrix,
    b: Matrix,
    c: Matrix,
    batch: usize,
    alpha: Scalar,
    beta: Scalar,
    conj_a: bool,
    conj_b: bool,
}

/// A launch as batches of products: the leading axes merged, the last of them the batch.
#[derive(Debug)]
struct Stack {
    first: Product,
    dims: Dims,
    strides: Vec<Strides>,
}

impl Stack {
    fn new(launch: &Launch) -> Stack {
        let (a, b, c) = (&launch.inputs[0], &launch.inputs[1], &launch.outputs[0]);
        let lead = c.layout.ndim() - 2;
        let leading = [a, b, c].map(|arg| &arg.layout.strides()[..lead]);
        let (mut dims, mut strides) = collapse(&c.layout.shape()[..lead], &leading);
        let number = |at: usize| launch.params.get(at).copied();
        let mut first = Product {
            dtype: c.dtype,
            a: Matrix::new(a),
            b: Matrix::new(b),
            c: Matrix::new(c),
            batch: dims.pop().unwrap_or(1),
            alpha: number(0).unwrap_or(Scalar::Int(1)),
            beta: number(1).unwrap_or(Scalar::Int(0)),
            conj_a: number(2).is_some_and(Scalar::to_bool),
            conj_b: number(3).is_some_and(Scalar::to_bool),
        };
        let mut last = strides.iter_mut().map(|s| s.pop().unwrap_or(0));
        for matrix in [&mut first.a, &mut first.b, &mut first.c] {
            matrix.batch = last.next().unwrap_or(0);
        }
        drop(last);
        first.join_rows();
        Stack {
            first,
            dims,
            strides,
        }
    }

    /// Every batch of the stack.
    fn products(&self) -> impl Iterator<Item = Product> + '_ {
        (0..self.dims.iter().product()).map(|at| {
            let mut product = self.first;
            let size = product.dtype.size() as isize;
            let mut rest: usize = at;
            for axis in (0..self.dims.len()).rev() {
                let here = (rest % self.dims[axis]) as isize;
                rest /= self.dims[axis];
                let matrices = [&mut product.a, &mut product.b, &mut product.c];
                for (matrix, strides) in matrices.into_iter().zip(&self.strides) {
                    let by = here * strides[axis] * size;
                    matrix.first = matrix.first.wrapping_add_signed(by as i64);
                }
            }
            product
        })
    }
}

impl Product {
    /// A batch that multiplies by one `b` is one product with more rows, where the rows follow evenly.
    fn join_rows(&mut self) {
        let m = self.a.rows as isize;
        let even = self.a.batch == m * self.a.row && self.c.batch == m * self.c.row;
        if self.batch < 2 || self.b.batch != 0 || !(even || m == 1) {
            return;
        }
        if m == 1 {
            (self.a.row, self.c.row) = (self.a.batch, self.c.batch);
        }
        for matrix in [&mut self.a, &mut self.c] {
            matrix.rows *= self.batch;
            matrix.batch = 0;
        }
        self.batch = 1;
    }
}

/// The GPU's version of core's `matmul`.
///
/// # Safety
/// As the kernel's contract says.
pub(crate) unsafe fn matmul(context: &Context, launch: &Launch) -> Result<()> {
    let stack = Stack::new(launch);
    for product in stack.products() {
        // SAFETY: the caller's promise, for each product of the stack.
        unsafe {
            match product.dtype {
                DType::Bool => {
                    return Err(Error::value(
                        "matmul",
                        "the kernel has no product of bool; hint: cast to an integer type",
                    ));
                }
                dtype if dtype.is_integer() => integer::multiply(context, &product)?,
                _ => float::multiply(context, &product)?,
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntonic_core::Layout;

    fn arg(shape: &[usize], base: usize) -> Arg {
        Arg {
            base: base as *mut u8,
            dtype: DType::F32,
            layout: Layout::contiguous("test", shape).unwrap(),
        }
    }

    fn stack(a: &[usize], b: Layout, c: &[usize]) -> Stack {
        let b = Arg {
            layout: b,
            ..arg(&[], 2000)
        };
        Stack::new(&Launch {
            inputs: vec![arg(a, 1000), b],
            outputs: vec![arg(c, 3000)],
            params: Vec::new(),
        })
    }

    #[test]
    fn a_batch_with_one_right_side_is_one_tall_product() {
        let one = Layout::contiguous("test", &[4, 5])
            .unwrap()
            .broadcast_to(&[7, 4, 5])
            .unwrap();
        let stack = stack(&[7, 3, 4], one, &[7, 3, 5]);
        let product = stack.first;
        assert_eq!((product.batch, product.a.rows, product.c.rows), (1, 21, 21));
        assert_eq!(stack.products().count(), 1);
    }

    #[test]
    fn leading_axes_that_do_not_merge_are_walked() {
        let every_other = Layout::contiguous("test", &[2, 3, 4, 5])
            .unwrap()
            .permute(&[1, 0, 2, 3]);
        let stack = stack(&[3, 2, 6, 4], every_other, &[3, 2, 6, 5]);
        assert_eq!(stack.first.batch, 2);
        let firsts: Vec<u64> = stack.products().map(|p| p.b.first).collect();
        assert_eq!(firsts, [2000, 2000 + 4 * 20, 2000 + 4 * 40]);
    }
}
