//! The matrix product as a kernel: its contract, and the cut of a stack of products into tasks.

use super::dense::Multiply;
use crate::cpu::exec::parallel::try_ranges;
use crate::cpu::threads;
use crate::device::{Arg, Kernel, Launch};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::interrupt;
use crate::layout::{Dims, Strides, collapse};
use crate::room;
use crate::scalar::{Element, Scalar};
use num_complex::Complex;

/// `out = alpha op(a) op(b) + beta out` for stacks of matrices, where `op` may conjugate.
///
/// Inputs `a: [.., m, k]` and `b: [.., k, n]`, output `out: [.., m, n]`, all of one numeric dtype and
/// with the same leading lengths; any strides. Parameters: `alpha`, `beta` (with 0, `out` is not
/// read), then two booleans, whether `a` and `b` are conjugated. The half types accumulate in
/// `float32`, which `alpha` and `beta` are then too, and are rounded once; integers wrap. The order of summation depends on the shape and
/// the strides, not on the number of threads.
pub static MATMUL: Kernel = Kernel {
    name: "matmul",
    cpu: run,
};

/// A matrix in memory: its first element and the strides of rows and columns, in elements.
#[derive(Clone, Copy)]
pub(super) struct Matrix<T> {
    pub(super) first: *mut T,
    pub(super) row: isize,
    pub(super) col: isize,
}

impl<T> Matrix<T> {
    /// The submatrix that begins at row `i` and column `j`.
    pub(super) fn at(self, i: usize, j: usize) -> Matrix<T> {
        let by = i as isize * self.row + j as isize * self.col;
        Matrix {
            first: self.first.wrapping_offset(by),
            ..self
        }
    }

    fn shifted(self, by: isize) -> Matrix<T> {
        Matrix {
            first: self.first.wrapping_offset(by),
            ..self
        }
    }
}

/// One product `c = alpha op(a) op(b) + beta c`, with factors of the type that it is summed in.
#[derive(Clone, Copy)]
pub(super) struct Product<T, F = T> {
    pub(super) m: usize,
    pub(super) n: usize,
    pub(super) k: usize,
    pub(super) a: Matrix<T>,
    pub(super) b: Matrix<T>,
    pub(super) c: Matrix<T>,
    pub(super) alpha: F,
    pub(super) beta: F,
    pub(super) conj_a: bool,
    pub(super) conj_b: bool,
}

// SAFETY: a product only names memory; the kernel's contract makes it valid for the whole launch, and
// tasks that run at the same time write disjoint parts of `c`.
unsafe impl<T: Send, F: Send> Send for Product<T, F> {}
// SAFETY: as above.
unsafe impl<T: Sync, F: Sync> Sync for Product<T, F> {}

/// A stack of products: leading lengths, and the strides of `a`, `b` and `c` along them.
struct Stack<T: Multiply> {
    dims: Dims,
    strides: Vec<Strides>,
    first: Product<T, T::Factor>,
}

/// # Safety
/// As [`MATMUL`] says: live memory that fits the layouts, the output apart from the inputs.
unsafe fn run(launch: &Launch) -> Result<()> {
    let dtype = launch.outputs[0].dtype;
    // SAFETY: the caller's promise, for the element type that the operands have.
    unsafe {
        match dtype {
            DType::I8 => typed::<i8>(launch),
            DType::I16 => typed::<i16>(launch),
            DType::I32 => typed::<i32>(launch),
            DType::I64 => typed::<i64>(launch),
            DType::U8 => typed::<u8>(launch),
            DType::U16 => typed::<u16>(launch),
            DType::U32 => typed::<u32>(launch),
            DType::U64 => typed::<u64>(launch),
            DType::F16 => typed::<::half::f16>(launch),
            DType::BF16 => typed::<::half::bf16>(launch),
            DType::F32 => typed::<f32>(launch),
            DType::F64 => typed::<f64>(launch),
            DType::C64 => typed::<Complex<f32>>(launch),
            DType::C128 => typed::<Complex<f64>>(launch),
            DType::Bool => Err(Error::value(
                "matmul",
                "the kernel has no product of bool; hint: cast to an integer type",
            )),
        }
    }
}

/// # Safety
/// As [`run`], with operands of element type `T`.
unsafe fn typed<T: Multiply>(launch: &Launch) -> Result<()> {
    let stack = Stack::<T>::new(launch);
    let Product { m, n, .. } = stack.first;
    let (rows, cols) = bounded(&stack.first);
    let (down, across) = (m.div_ceil(rows), n.div_ceil(cols));
    let tiles = down * across;
    let count = stack.dims.iter().product::<usize>();
    let task = |index: usize| {
        let (at, tile) = (index / tiles, index % tiles);
        let whole = stack.product(at);
        let (i, j) = (tile / across * rows, tile % across * cols);
        let part = Product {
            m: rows.min(m - i),
            n: cols.min(n - j),
            a: whole.a.at(i, 0),
            b: whole.b.at(0, j),
            c: whole.c.at(i, j),
            ..whole
        };
        // SAFETY: the part lies inside the launch's operands, and no two parts share an element of `c`.
        unsafe { T::multiply(&part) }
    };
    let (one, all) = (T::cost(&stack.first) / tiles.max(1), count * tiles);
    let alone = all < 2 || one.saturating_mul(all) < WORTH_IT;
    let threads = if alone { 1 } else { all.min(threads::count()) };
    let piece = Product {
        m: rows.min(m),
        n: cols.min(n),
        ..stack.first
    };
    let working = T::working(&piece).saturating_mul(threads);
    if working > SMALL {
        // The library that multiplies takes its memory without asking, so that of all pieces under way is seen to be there.
        room::probe(working)?;
    }
    if alone {
        (0..all).try_for_each(task)?;
        return Ok(interrupt::check()?);
    }
    let least = (SMALLEST_TASK / one.max(1)).max(1);
    try_ranges(all, least, |from, to| (from..to).try_for_each(task))
}

/// Rows and columns of a piece: those of the type, halved where `k` is so long that a piece would take long. The sums
/// of an element do not depend on which piece it is in.
fn bounded<T: Multiply>(p: &Product<T, T::Factor>) -> (usize, usize) {
    let (mut m, mut n) = T::tile(p);
    let cost = |m: usize, n: usize| {
        let (m, n) = (m.min(p.m), n.min(p.n));
        T::cost(&Product { m, n, ..*p })
    };
    while cost(m, n) > LARGEST_TASK && m.max(n) > NARROWEST {
        let long = if m.min(p.m) >= n.min(p.n) {
            &mut m
        } else {
            &mut n
        };
        *long = (*long / 2).next_multiple_of(16);
    }
    (m, n)
}

/// Multiply-adds of a piece at most, some tenths of a second on a slow processor: work is told to stop between pieces.
const LARGEST_TASK: usize = 2 << 30;
/// Pieces whose longer side is no longer than this stay whole.
const NARROWEST: usize = 64;

/// Below this many multiply-adds, about 40 microseconds of work, waking the pool is assumed to cost
/// more than it brings; an estimate, not a measurement of this code.
const WORTH_IT: usize = 6 << 20;
/// Working memory up to this is taken without a look whether it is there, as any small block is.
const SMALL: usize = 64 << 10;
/// Multiply-adds that one task has at least.
const SMALLEST_TASK: usize = 1 << 20;

impl<T: Multiply> Stack<T> {
    fn new(launch: &Launch) -> Stack<T> {
        let (a, b, c) = (&launch.inputs[0], &launch.inputs[1], &launch.outputs[0]);
        let lead = c.layout.ndim() - 2;
        let shape = c.layout.shape();
        let strides = [a, b, c].map(|arg| &arg.layout.strides()[..lead]);
        let (dims, strides) = collapse(&shape[..lead], &strides);
        let number = |at: usize| launch.params.get(at).copied();
        let flag = |at: usize| number(at).is_some_and(Scalar::to_bool);
        let first = Product {
            m: shape[lead],
            n: shape[lead + 1],
            k: a.layout.shape()[lead + 1],
            a: matrix(a),
            b: matrix(b),
            c: matrix(c),
            alpha: T::Factor::from_scalar(number(0).unwrap_or(Scalar::Int(1))),
            beta: T::Factor::from_scalar(number(1).unwrap_or(Scalar::Int(0))),
            conj_a: flag(2),
            conj_b: flag(3),
        };
        let mut stack = Stack {
            dims,
            strides,
            first,
        };
        stack.join_rows();
        stack
    }

    /// A stack of `a` times one `b` is one product with more rows, where the rows follow evenly.
    fn join_rows(&mut self) {
        let Some(&len) = self.dims.last() else {
            return;
        };
        let last = self.dims.len() - 1;
        let [a, b, c] = [0, 1, 2].map(|k| self.strides[k][last]);
        let p = &mut self.first;
        let m = p.m as isize;
        let even = a == m * p.a.row && c == m * p.c.row;
        if b != 0 || !(even || p.m == 1) {
            return;
        }
        if p.m == 1 {
            (p.a.row, p.c.row) = (a, c);
        }
        p.m *= len;
        self.dims.pop();
        self.strides.iter_mut().for_each(|s| {
            s.pop();
        });
    }

    /// The product at position `at` of the stack, counted row-major.
    fn product(&self, mut at: usize) -> Product<T, T::Factor> {
        let mut by = [0isize; 3];
        for axis in (0..self.dims.len()).rev() {
            let i = (at % self.dims[axis]) as isize;
            at /= self.dims[axis];
            for (k, offset) in by.iter_mut().enumerate() {
                *offset += i * self.strides[k][axis];
            }
        }
        let p = self.first;
        Product {
            a: p.a.shifted(by[0]),
            b: p.b.shifted(by[1]),
            c: p.c.shifted(by[2]),
            ..p
        }
    }
}

/// The last two axes of an operand as a matrix.
fn matrix<T: Element>(arg: &Arg) -> Matrix<T> {
    let strides = arg.layout.strides();
    let lead = strides.len() - 2;
    Matrix {
        first: arg.address().cast(),
        row: strides[lead],
        col: strides[lead + 1],
    }
}
