//! Products of a large `float32` matrix with a few columns or rows: the matrix is read once.

use super::gemv::Spread;
use super::{Matrix, Product};
use crate::context::{Context, Geometry};
use crate::contract::{Contract, contract};
use crate::ptx::name::entry_name;
use syntonic_core::{DType, Result};

/// Columns at most, rows of a tile and threads of a block.
pub(super) const COLUMNS: usize = 16;
pub(super) const ROWS: usize = 64;
pub(super) const THREADS: u32 = 256;
/// Bytes of a tile along the inner length, and of a vector.
const DEPTH: usize = 256;
const VECTOR: usize = 16;
/// Smaller matrices are left to the library.
const SHORTEST: usize = 256;
/// The grid size at which split-K aims, the fewest tiles per part, and the most parts. None depends on the GPU, so the order
/// of additions does not either.
const BLOCKS: usize = 528;
const TILES: usize = 4;
const PARTS: usize = 64;

contract! {
    "thin":
    /// A product with a thin factor.
    #[derive(Debug)]
    pub(crate) struct Params as "Thin" {
        a: u64,
        b: u64,
        c: u64,
        partials: u64,
        counters: u64,
        rows: u64,
        columns: u64,
        inner: u64,
        /// From row to row of A, or from one k to the next.
        lead: i64,
        b_row: i64,
        b_column: i64,
        c_row: i64,
        c_column: i64,
        part: u64,
        parts: u32,
        unused: u32,
        alpha: f64,
        beta: f64,
    }
}

/// `c = alpha a b + beta c`, where `b` and `c` have few columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thin {
    a: Matrix,
    b: Matrix,
    c: Matrix,
    /// Whether the inner length is contiguous in `a`, rather than its rows.
    along: bool,
}

impl Thin {
    /// The product as a thin one, where it is one: a single one of `float32`, whose large matrix has a stride of 1. A wide
    /// product is a tall one of transposes. For the other types the library is as fast or faster (kernels/notes/products.md).
    pub(super) fn of(p: &Product) -> Option<Thin> {
        let plain = p.dtype == DType::F32 && p.batch == 1;
        let (a, b, c) = if p.c.cols <= COLUMNS {
            (p.a, p.b, p.c)
        } else {
            (p.b.turned(), p.a.turned(), p.c.turned())
        };
        let large = a.rows >= SHORTEST && a.cols >= SHORTEST;
        let thin = Thin {
            a,
            b,
            c,
            along: a.col == 1,
        };
        (plain && large && c.cols <= COLUMNS && (a.col == 1 || a.row == 1)).then_some(thin)
    }

    /// The leading dimension of the matrix, in elements.
    fn lead(&self) -> isize {
        if self.along { self.a.row } else { self.a.col }
    }

    /// Whether the matrix has only whole vectors of this many elements.
    fn is_even(&self, vector: usize) -> bool {
        let length = if self.along { self.a.cols } else { self.a.rows };
        self.a.first.is_multiple_of(VECTOR as u64)
            && self.lead().unsigned_abs().is_multiple_of(vector)
            && length.is_multiple_of(vector)
    }
}

/// The length of a part of the inner length, and how many there are.
fn parts(rows: usize, inner: usize, size: usize) -> (usize, usize) {
    let depth = DEPTH / size;
    let most = (inner / (TILES * depth)).min(PARTS);
    let wanted = (BLOCKS / rows.div_ceil(ROWS)).min(most).max(1);
    let part = inner.div_ceil(wanted).next_multiple_of(depth);
    (part, inner.div_ceil(part))
}

/// # Safety
/// As [`super::matmul`].
pub(super) unsafe fn multiply(context: &Context, p: &Product, thin: &Thin) -> Result<()> {
    let size = p.dtype.size();
    let (rows, inner) = (thin.a.rows, thin.a.cols);
    let (part, parts) = parts(rows, inner, size);
    let variant = match (thin.along, thin.is_even(VECTOR / size)) {
        (true, false) => "rows",
        (true, true) => "even_rows",
        (false, false) => "columns",
        (false, true) => "even_columns",
    };
    let entry = entry_name("thin", &[p.dtype], variant);
    let blocks = rows.div_ceil(ROWS);
    let shared = (parts > 1)
        .then(|| Spread::share(context, blocks * parts * ROWS * COLUMNS * size))
        .transpose()?;
    let params = Params {
        a: thin.a.first,
        b: thin.b.first,
        c: thin.c.first,
        partials: shared.as_ref().map_or(0, |s| s.memory()),
        counters: shared.as_ref().map_or(0, |s| s.block_counters()),
        rows: rows as u64,
        columns: thin.c.cols as u64,
        inner: inner as u64,
        lead: thin.lead() as i64,
        b_row: thin.b.row as i64,
        b_column: thin.b.col as i64,
        c_row: thin.c.row as i64,
        c_column: thin.c.col as i64,
        part: part as u64,
        parts: parts as u32,
        unused: 0,
        alpha: p.alpha.to_f64(),
        beta: p.beta.to_f64(),
    };
    let mut geometry = Geometry::line(blocks as u64, THREADS);
    geometry.grid[1] = parts as u32;
    // SAFETY: the struct is the kernel's own; the memory is the caller's promise, and that for the parts has room for a tile
    // of each block.
    unsafe { params.launch(context, &entry, geometry) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block_counters::BLOCK_COUNTERS;
    use syntonic_core::Scalar;

    fn matrix(rows: usize, cols: usize, row: isize, col: isize) -> Matrix {
        Matrix {
            first: 4096,
            rows,
            cols,
            row,
            col,
            batch: 0,
        }
    }

    fn product(dtype: DType, a: Matrix, b: Matrix) -> Product {
        Product {
            dtype,
            sums: dtype,
            arithmetic: syntonic_core::device::Arithmetic::Native,
            a,
            b,
            c: matrix(a.rows, b.cols, b.cols as isize, 1),
            batch: 1,
            alpha: Scalar::Int(1),
            beta: Scalar::Int(0),
            conj_a: false,
            conj_b: false,
        }
    }

    #[test]
    fn a_few_columns_or_rows_beside_a_large_matrix_are_found() {
        let large = matrix(300, 512, 512, 1);
        let tall = Thin::of(&product(DType::F32, large, matrix(512, 16, 16, 1))).unwrap();
        assert!(tall.along && tall.is_even(4) && tall.lead() == 512);
        let wide = product(DType::F32, matrix(3, 300, 300, 1), large);
        let wide = Thin::of(&wide).unwrap();
        assert_eq!((wide.a.rows, wide.a.cols, wide.c.cols), (512, 300, 3));
        assert!(!wide.along && wide.is_even(4) && wide.lead() == 512);
        let none = [
            product(DType::F32, large, matrix(512, 17, 17, 1)),
            product(DType::BF16, large, matrix(512, 16, 16, 1)),
            product(DType::F64, large, matrix(512, 16, 16, 1)),
            product(DType::F32, matrix(64, 512, 512, 1), matrix(512, 2, 2, 1)),
            product(DType::F32, matrix(300, 512, 1024, 2), matrix(512, 2, 2, 1)),
        ];
        assert!(none.iter().all(|p| Thin::of(p).is_none()));
        let odd = product(DType::F32, matrix(300, 511, 511, 1), matrix(511, 2, 2, 1));
        assert!(!Thin::of(&odd).unwrap().is_even(4));
    }

    #[test]
    fn parts_cover_the_inner_length_and_counters_suffice() {
        for rows in [256, 1000, 8192, 1 << 24] {
            for inner in [256, 257, 1000, 8192, 1 << 24] {
                let (part, parts) = parts(rows, inner, 4);
                assert!(part * parts >= inner && part * (parts - 1) < inner);
                assert!(parts == 1 || rows.div_ceil(ROWS) <= BLOCK_COUNTERS);
            }
        }
        assert_eq!(parts(8192, 8192, 4), (2048, 4));
    }
}
