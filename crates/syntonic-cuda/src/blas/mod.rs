//! Matrix products: cuBLASLt for floats; kernels of our own for integers, and where bf16 tensor cores or fewer real products
//! give the same accuracy.

pub(crate) mod ended;
mod epilogue;
mod float;
mod fused;
mod gemv;
mod gemv_chain;
mod integer;
mod library;
mod operand;
mod pack;
mod plan;
mod scaled;
mod small;
mod split;
mod tensor_map;
mod thin;
mod three;

pub(crate) use gemv_chain::gemv_chain;
pub(crate) use library::Blas;
pub use library::product_overrides;
pub(crate) use pack::{Values, copy};
pub(crate) use scaled::scaled_matmul;
pub(crate) use tensor_map::{Boxes, TensorMap};

use crate::context::Context;
use crate::contract::{Contract, Declaration};
use library::Launched;
use syntonic_core::device::{Arg, Arithmetic, Launch};
use syntonic_core::layout::{Dims, Strides, collapse};
use syntonic_core::ops::linalg::Contraction;
use syntonic_core::{DType, Result, Scalar};

/// A matrix in GPU memory: address of its first element, and the strides of rows and columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Matrix {
    pub(crate) first: u64,
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) row: isize,
    pub(crate) col: isize,
    /// Distance to the same matrix of the next product of a batch.
    pub(crate) batch: isize,
}

impl Matrix {
    pub(crate) fn new(arg: &Arg) -> Matrix {
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

    /// A single matrix, for tests of layouts.
    #[cfg(test)]
    fn single(first: u64, rows: usize, cols: usize, row: isize, col: isize) -> Matrix {
        Matrix {
            first,
            rows,
            cols,
            row,
            col,
            batch: 0,
        }
    }

    /// The transpose.
    pub(crate) fn turned(self) -> Matrix {
        Matrix {
            rows: self.cols,
            cols: self.rows,
            row: self.col,
            col: self.row,
            ..self
        }
    }
}

/// `c = alpha op(a) op(b) + beta c` for `batch` products.
#[derive(Clone, Copy, Debug)]
struct Product {
    dtype: DType,
    /// The type of `c`: that of the factors, or the one that they are summed in.
    sums: DType,
    a: Matrix,
    b: Matrix,
    c: Matrix,
    batch: usize,
    alpha: Scalar,
    beta: Scalar,
    conj_a: bool,
    conj_b: bool,
    arithmetic: Arithmetic,
}

/// A launch as batches of products: the leading axes merged, the last of them the batch.
#[derive(Debug)]
struct Stack {
    first: Product,
    dims: Dims,
    strides: Vec<Strides>,
}

impl Stack {
    fn new(asked: &Contraction<'_>) -> Stack {
        let (a, b, c) = (asked.a, asked.b, asked.out);
        let lead = c.layout.ndim() - 2;
        let leading = [a, b, c].map(|arg| &arg.layout.strides()[..lead]);
        let (mut dims, mut strides) = collapse(&c.layout.shape()[..lead], &leading);
        let mut first = Product {
            dtype: a.dtype,
            sums: c.dtype,
            a: Matrix::new(a),
            b: Matrix::new(b),
            c: Matrix::new(c),
            batch: dims.pop().unwrap_or(1),
            alpha: asked.alpha,
            beta: asked.beta,
            conj_a: asked.conj_a,
            conj_b: asked.conj_b,
            arithmetic: asked.arithmetic,
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

    /// The product, where the stack is a single one.
    fn only(&self) -> Option<Product> {
        let one = self.first.batch == 1 && self.dims.iter().all(|&len| len == 1);
        one.then_some(self.first)
    }

    /// Every batch of the stack.
    fn products(&self) -> impl Iterator<Item = Product> + '_ {
        (0..self.dims.iter().product()).map(|at| {
            let mut product = self.first;
            let sizes = [product.dtype, product.dtype, product.sums].map(|d| d.size() as isize);
            let mut rest: usize = at;
            for axis in (0..self.dims.len()).rev() {
                let here = (rest % self.dims[axis]) as isize;
                rest /= self.dims[axis];
                let matrices = [&mut product.a, &mut product.b, &mut product.c];
                let walked = self.strides.iter().zip(sizes);
                for (matrix, (strides, size)) in matrices.into_iter().zip(walked) {
                    let by = here * strides[axis] * size;
                    matrix.first = matrix.first.wrapping_add_signed(by as i64);
                }
            }
            product
        })
    }
}

impl Product {
    /// `count` products of the batch, from `first` on.
    fn part(&self, first: usize, count: usize) -> Product {
        let moved = |m: &Matrix, dtype: DType| {
            let by = first as isize * m.batch * dtype.size() as isize;
            Matrix {
                first: m.first.wrapping_add_signed(by as i64),
                ..*m
            }
        };
        Product {
            a: moved(&self.a, self.dtype),
            b: moved(&self.b, self.dtype),
            c: moved(&self.c, self.sums),
            batch: count,
            ..*self
        }
    }

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
    let asked = Contraction::of(launch)?;
    let Some(end) = asked.end else {
        // SAFETY: the caller's promise.
        return unsafe { multiply(context, &asked) };
    };
    // SAFETY: the caller's promise.
    if unsafe { fused::multiply(context, &asked, end)? } == Launched::Yes {
        asked.note(used(context, &asked));
        return Ok(());
    }
    let ended = ended::Asked {
        a: asked.a,
        b: asked.b,
        out: asked.out,
        alpha: asked.alpha,
        end,
    };
    // SAFETY: as above.
    if !asked.beta.to_bool() && unsafe { ended::multiply(context, &ended)? } == Launched::Yes {
        asked.note(Arithmetic::Native);
        return Ok(());
    }
    // SAFETY: as above.
    unsafe { epilogue::multiply(context, &asked, end) }
}

/// A factor as kernels of ours take it: its real part and its imaginary one.
fn parts(factor: Scalar) -> [f64; 2] {
    let z = factor.to_complex();
    [z.re, z.im]
}

/// The algorithm of a product. Shapes, layouts, type and card decide, so that the same call gives the same bits.
#[derive(Clone, Copy, Debug)]
enum Algorithm {
    /// Integers, which wrap, by a kernel of our own.
    Integer,
    /// With a vector on one side: the matrix is read once.
    Vector(gemv::Gemv),
    /// With few columns or rows.
    Thin(thin::Thin),
    /// Too small to pay for the library's call.
    Small(small::Small),
    /// By cuBLASLt, in the requested arithmetic.
    Library,
    /// From bf16 parts.
    Split,
    /// A complex product from three real ones.
    Three(three::Real),
}

fn algorithm(context: &Context, p: &Product) -> Algorithm {
    if p.dtype.is_integer() {
        return Algorithm::Integer;
    }
    if p.sums == p.dtype {
        if let Some(gemv) = gemv::Gemv::of(p) {
            return Algorithm::Vector(gemv);
        }
        if let Some(thin) = thin::Thin::of(p) {
            return Algorithm::Thin(thin);
        }
        if let Some(small) = small::Small::of(p) {
            return Algorithm::Small(small);
        }
    }
    if p.arithmetic != Arithmetic::High || p.a.cols == 0 {
        return Algorithm::Library;
    }
    match p.dtype {
        DType::F32 if split::runs_on(context) => {
            let (split, native) = split::costs(context, p);
            if split < 0.9 * native {
                Algorithm::Split
            } else {
                Algorithm::Library
            }
        }
        DType::C64 | DType::C128 => {
            three::worth(context, p).map_or(Algorithm::Library, Algorithm::Three)
        }
        _ => Algorithm::Library,
    }
}

/// The arithmetic of a product's algorithm.
fn used(context: &Context, asked: &Contraction<'_>) -> Arithmetic {
    match algorithm(context, &Stack::new(asked).first) {
        Algorithm::Library => {
            float::arithmetic(asked.dtype(), asked.arithmetic, context.capability())
        }
        Algorithm::Split | Algorithm::Three(_) => Arithmetic::High,
        Algorithm::Integer | Algorithm::Vector(_) | Algorithm::Thin(_) | Algorithm::Small(_) => {
            Arithmetic::Native
        }
    }
}

/// A product without an epilogue.
///
/// # Safety
/// As [`matmul`].
unsafe fn multiply(context: &Context, asked: &Contraction<'_>) -> Result<()> {
    for product in Stack::new(asked).products() {
        // SAFETY: the caller's promise, for each product of the stack.
        unsafe {
            match algorithm(context, &product) {
                Algorithm::Integer => integer::multiply(context, &product)?,
                Algorithm::Vector(gemv) => gemv::multiply(context, &product, &gemv)?,
                Algorithm::Thin(thin) => thin::multiply(context, &product, &thin)?,
                Algorithm::Small(how) => {
                    small::multiply(context, &product, how, small::Epilogue::default())?;
                }
                Algorithm::Library => float::multiply(context, &product)?,
                Algorithm::Split => split::multiply(context, &product)?,
                Algorithm::Three(real) => three::multiply(context, &product, real)?,
            }
        }
    }
    asked.note(used(context, asked));
    Ok(())
}

/// The parameters of the kernels here.
pub(crate) fn contracts() -> Vec<Declaration> {
    vec![
        // few: one a struct.
        gemv::Params::declaration(),
        gemv_chain::Params::declaration(),
        integer::Params::declaration(),
        pack::Pack::declaration(),
        small::Params::declaration(),
        split::Source::declaration(),
        split::Pack::declaration(),
        split::Multiply::declaration(),
        thin::Params::declaration(),
        three::Place::declaration(),
        three::Split::declaration(),
        three::Join::declaration(),
        Declaration::constant("gemv", "GEMV_THREADS", gemv::THREADS as u32),
        Declaration::constant("gemv", "GEMV_ROWS", gemv::ROWS as i32),
        Declaration::constant("small_product", "SMALL_THREADS", small::THREADS as u32),
        Declaration::constant("small_product", "SMALL_ROWS", small::ROWS as u32),
        Declaration::constant("small_product", "SMALL_COLUMNS", small::COLUMNS as u32),
        Declaration::constant("split", "SPLIT_ROWS", split::ROWS as u32),
        Declaration::constant("split", "SPLIT_COLS", split::COLS as u32),
        Declaration::constant("split", "SPLIT_PARTS", split::PARTS as u32),
        Declaration::constant("split_product", "SPLIT_STAGES", split::STAGES as u32),
        Declaration::constant("split_product", "SPLIT_THREADS", split::THREADS),
        Declaration::constant("thin", "THIN_THREADS", thin::THREADS),
        Declaration::constant("thin", "THIN_ROWS", thin::ROWS as i32),
        Declaration::constant("thin", "THIN_COLUMNS", thin::COLUMNS as i32),
    ]
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
        let launch = Launch {
            inputs: vec![arg(a, 1000), b],
            outputs: vec![arg(c, 3000)],
            ..Launch::default()
        };
        Stack::new(&Contraction::of(&launch).unwrap())
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
            .permute(&[1, 0, 2, 3])
            .unwrap();
        let stack = stack(&[3, 2, 6, 4], every_other, &[3, 2, 6, 5]);
        assert_eq!(stack.first.batch, 2);
        let firsts: Vec<u64> = stack.products().map(|p| p.b.first).collect();
        assert_eq!(firsts, [2000, 2000 + 4 * 20, 2000 + 4 * 40]);
    }
}
