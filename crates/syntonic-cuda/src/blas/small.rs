//! Small products by kernels of our own: they take less time than a call of the library.

use super::{Matrix, Product, parts};
use crate::context::{Context, Geometry};
use crate::contract::{Contract, contract};
use crate::ptx::name::entry_name;
use syntonic_core::Result;

/// Threads per block, rows and columns of its tile.
pub(super) const THREADS: usize = 256;
pub(super) const ROWS: usize = 32;
pub(super) const COLUMNS: usize = 8;
/// Bytes of a vector.
const VECTOR: usize = 16;
/// The most fused multiply-adds of all products, and the most tiles: about what the GPU does during one call of the library.
const MOST_WORK: usize = 1 << 23;
const MOST_TILES: usize = 512;
/// Rows and columns, and inner length, of the matrices of a stack at most, and how many there are at least.
const STACK_SIDE: usize = 16;
const STACK_INNER: usize = 32;
const STACK_LEAST: usize = 64;

contract! {
    "small_product":
    /// A small product with its end. Strides count elements.
    #[derive(Debug)]
    pub(crate) struct Params as "SmallProduct" {
        a: u64,
        b: u64,
        c: u64,
        /// One number a column, or 0.
        bias: u64,
        rows: u64,
        columns: u64,
        inner: u64,
        batch: u64,
        a_row: i64,
        a_column: i64,
        b_row: i64,
        b_column: i64,
        c_row: i64,
        c_column: i64,
        a_batch: i64,
        b_batch: i64,
        c_batch: i64,
        conj_a: u32,
        conj_b: u32,
        relu: u32,
        unused: u32,
        alpha: [f64; 2],
        beta: [f64; 2],
    }
}

/// Which kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Small {
    /// A block per tile of the result.
    Tiles,
    /// A thread per element of the result.
    Stack,
}

/// The epilogue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Epilogue {
    /// Address of a number for each column, of the type of the result; 0 where there is none.
    pub(super) bias: u64,
    /// The activation.
    pub(super) rectifier: Rectifier,
}

/// Whether negative numbers become 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Rectifier {
    /// They stay.
    #[default]
    None,
    /// They become 0; NaN stays NaN.
    Relu,
}

impl Small {
    /// The kernel of a product of floats, if it is small.
    pub(super) fn of(p: &Product) -> Option<Small> {
        let (rows, columns, inner) = (p.c.rows, p.c.cols, p.a.cols);
        if !p.dtype.is_inexact() || p.sums != p.dtype {
            return None;
        }
        let of_stack = rows.max(columns) <= STACK_SIDE && inner <= STACK_INNER;
        if of_stack && p.batch >= STACK_LEAST {
            return Some(Small::Stack);
        }
        let tiles = p
            .batch
            .checked_mul(rows.div_ceil(ROWS) * columns.div_ceil(COLUMNS))?;
        let work = rows.checked_mul(columns)?.checked_mul(inner)?;
        let work = work.checked_mul(p.batch)?;
        (tiles <= MOST_TILES && work <= MOST_WORK).then_some(Small::Tiles)
    }
}

/// Whether both operands lie in whole vectors.
fn is_even(p: &Product) -> bool {
    let vector = VECTOR / p.dtype.size();
    let whole = |m: &Matrix| {
        let batch = m.batch.unsigned_abs().is_multiple_of(vector) || p.batch == 1;
        let rows = m.row.unsigned_abs().is_multiple_of(vector) || m.rows == 1;
        m.col == 1 && batch && rows && m.first.is_multiple_of(VECTOR as u64)
    };
    let lengths = p.a.cols.is_multiple_of(vector) && p.c.cols.is_multiple_of(COLUMNS);
    lengths && whole(&p.a) && whole(&p.b)
}

/// # Safety
/// As [`super::matmul`]; a bias is live and has a number for each column.
pub(super) unsafe fn multiply(
    context: &Context,
    p: &Product,
    small: Small,
    epilogue: Epilogue,
) -> Result<()> {
    let (rows, columns) = (p.c.rows, p.c.cols);
    let (variant, blocks) = match small {
        Small::Stack => ("stack", (p.batch * rows * columns).div_ceil(THREADS)),
        Small::Tiles => {
            let variant = if is_even(p) { "even_tiles" } else { "tiles" };
            (
                variant,
                p.batch * rows.div_ceil(ROWS) * columns.div_ceil(COLUMNS),
            )
        }
    };
    let entry = entry_name("small", &[p.dtype], variant);
    let params = Params {
        a: p.a.first,
        b: p.b.first,
        c: p.c.first,
        bias: epilogue.bias,
        rows: rows as u64,
        columns: columns as u64,
        inner: p.a.cols as u64,
        batch: p.batch as u64,
        a_row: p.a.row as i64,
        a_column: p.a.col as i64,
        b_row: p.b.row as i64,
        b_column: p.b.col as i64,
        c_row: p.c.row as i64,
        c_column: p.c.col as i64,
        a_batch: p.a.batch as i64,
        b_batch: p.b.batch as i64,
        c_batch: p.c.batch as i64,
        conj_a: u32::from(p.conj_a),
        conj_b: u32::from(p.conj_b),
        relu: u32::from(epilogue.rectifier == Rectifier::Relu),
        unused: 0,
        alpha: parts(p.alpha),
        beta: parts(p.beta),
    };
    let geometry = Geometry::line(blocks as u64, THREADS as u32);
    // SAFETY: the struct is the kernel's own; the memory is the caller's promise.
    unsafe { params.launch(context, &entry, geometry) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntonic_core::device::Arithmetic;
    use syntonic_core::{DType, Scalar};

    fn matrix(rows: usize, cols: usize) -> Matrix {
        Matrix {
            first: 4096,
            rows,
            cols,
            row: cols as isize,
            col: 1,
            batch: (rows * cols) as isize,
        }
    }

    fn product(dtype: DType, batch: usize, [m, k, n]: [usize; 3]) -> Product {
        Product {
            dtype,
            sums: dtype,
            arithmetic: Arithmetic::Native,
            a: matrix(m, k),
            b: matrix(k, n),
            c: matrix(m, n),
            batch,
            alpha: Scalar::Int(1),
            beta: Scalar::Int(0),
            conj_a: false,
            conj_b: false,
        }
    }

    #[test]
    fn what_is_small_is_found() {
        let of = |dtype, batch, lengths| Small::of(&product(dtype, batch, lengths));
        assert_eq!(of(DType::F32, 1, [32, 512, 512]), Some(Small::Tiles));
        assert_eq!(of(DType::C128, 4, [2, 0, 3]), Some(Small::Tiles));
        assert_eq!(of(DType::F64, 65_536, [4, 4, 4]), Some(Small::Stack));
        assert_eq!(of(DType::F64, 1, [512, 512, 512]), None);
        assert_eq!(of(DType::F32, 1, [4096, 16, 4096]), None);
        assert_eq!(of(DType::I32, 1, [4, 4, 4]), None);
        let wide = Product {
            sums: DType::F32,
            ..product(DType::F16, 1, [4, 4, 4])
        };
        assert_eq!(Small::of(&wide), None);
    }

    #[test]
    fn whole_vectors_are_found() {
        let even = product(DType::F32, 1, [3, 8, 16]);
        assert!(is_even(&even));
        assert!(!is_even(&product(DType::F32, 1, [3, 6, 16])));
        assert!(!is_even(&product(DType::F32, 1, [3, 8, 12])));
        let moved = Matrix {
            first: 4100,
            ..even.a
        };
        assert!(!is_even(&Product { a: moved, ..even }));
        let turned = Product {
            a: even.a.turned(),
            b: matrix(3, 8),
            ..even
        };
        assert!(!is_even(&turned));
    }
}
