//! Products of `float32` from tensor cores, as exact as the native ones: both operands are split into three bf16 parts each, and six
//! products of parts are added up (`kernels/split_product.cu`). For cards of compute capability 9.0.

use super::operand::{dense, row_major};
use super::pack::{self, Values};
use super::{Matrix, Product};
use crate::context::{Context, Geometry, Scratch};
use crate::contract::{Contract, contract};
use syntonic_core::{DType, Result};

/// Rows and columns (K) of a packed tile, its parts, and its bytes with all of them.
pub(super) const ROWS: usize = 128;
pub(super) const COLS: usize = 32;
pub(super) const PARTS: usize = 3;
const TILE: usize = PARTS * ROWS * COLS * 2;
/// Threads of a block of the product, its stages, and their shared memory with their barriers, aligned by hand.
pub(super) const THREADS: u32 = 384;
pub(super) const STAGES: usize = 4;
const SHARED: u32 = (STAGES * (2 * TILE + 16) + 1024) as u32;
/// Row tiles that concurrent blocks share: both operands of a group stay in L2.
const GROUP: u32 = 8;

/// Which number of a complex element is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum Field {
    /// The real part, or the whole element where it is real.
    Real = 0,
    /// The imaginary part.
    Imaginary = 1,
    /// Their sum.
    Sum = 2,
}

contract! {
    "split":
    /// An operand: rows of the result by K, strides in floats.
    #[derive(Debug)]
    pub(crate) struct Source as "SplitSource" {
        first: u64,
        rows: i64,
        cols: i64,
        row: i64,
        col: i64,
        batch: i64,
        /// Of complex elements.
        field: u32,
        /// 1: the imaginary part with the other sign.
        conjugate: u32,
    }
}

contract! {
    "split_pack":
    /// Both operands are split into tiles.
    #[derive(Debug)]
    pub(crate) struct Pack as "SplitPack" {
        from: [Source; 2],
        to: [u64; 2],
        tiles: u64,
        /// 1 where the source's rows are its neighbours in memory.
        across: [u32; 2],
    }
}

contract! {
    "split_product":
    /// The product of split tiles.
    #[derive(Debug)]
    pub(crate) struct Multiply as "SplitProduct" {
        a: u64,
        b: u64,
        c: u64,
        /// The operands themselves, for elements of c that infinities or NaN reach; with address 0 those stay NaN.
        from_a: Source,
        from_b: Source,
        m: i64,
        n: i64,
        k: i64,
        /// In floats; columns are neighbours.
        c_row: i64,
        c_batch: i64,
        /// Of tiles, from one matrix of a batch to the next; 0 where all share one.
        a_step: i64,
        b_step: i64,
        batch: u64,
        factor: f32,
        keep: f32,
        /// Tiles of rows that blocks work on together.
        group: u32,
        padding: u32,
    }
}

/// Upper bound of the split product's microseconds for real matrices, and lower bound of the native one's, on an H100 or
/// H200. The model was fitted to measurements (kernels/notes/split_products.md): waves of tiles, each at the rate of one
/// multiprocessor; packing at the speed of memory; and the vector units' rate.
pub(super) fn costs(context: &Context, p: &Product) -> (f64, f64) {
    let [m, n, k, batch] = [p.c.rows, p.c.cols, p.a.cols, p.batch].map(|len| len as f64);
    let tiles = batch * (m / ROWS as f64).ceil() * (n / ROWS as f64).ceil();
    let waves = (tiles / f64::from(context.multiprocessors().max(1))).ceil();
    let shared = |matrix: &Matrix| if matrix.batch == 0 { 1.0 } else { batch };
    let packed = m * k * shared(&p.a) + k * n * shared(&p.b);
    let split = 7.0 + waves * (2.0 + 0.033 * k) + packed * 4.1e-6;
    let native = 4.0 + batch * 2.0 * m * n * k / 51e6;
    (split, native)
}

/// True where a card has the instructions.
pub(super) fn runs_on(context: &Context) -> bool {
    context.capability() == (9, 0)
}

/// `c = alpha a b + beta c` for real operands.
///
/// # Safety
/// As [`super::matmul`], for `float32`, on a card that [`runs_on`] names.
pub(super) unsafe fn multiply(context: &Context, p: &Product) -> Result<()> {
    let fits = row_major(&p.c).filter(|_| p.batch == 1 || p.c.batch != 0);
    let operands = Operands::new(context, p)?;
    // SAFETY: the caller's promise; the copy has the result's own size.
    unsafe {
        operands.pack(context, p, Field::Real)?;
        if fits.is_some() {
            return operands.multiply(context, p, &p.c);
        }
        let (target, _copy) = dense(context, DType::F32, &p.c, p.batch)?;
        if p.beta.to_bool() {
            pack::copy(context, DType::F32, &p.c, &target, p.batch, Values::Same)?;
        }
        operands.multiply(context, p, &target)?;
        pack::copy(context, DType::F32, &target, &p.c, p.batch, Values::Same)
    }
}

/// Room for the parts of both operands.
pub(super) struct Operands<'a> {
    a: Scratch<'a>,
    b: Scratch<'a>,
}

impl<'a> Operands<'a> {
    pub(super) fn new(context: &'a Context, p: &Product) -> Result<Operands<'a>> {
        let bytes = |rows, batch: isize| tiles(rows, p.a.cols) * copies(batch, p.batch) * TILE;
        Ok(Operands {
            a: context.scratch(bytes(p.a.rows, p.a.batch))?,
            b: context.scratch(bytes(p.b.cols, p.b.batch))?,
        })
    }

    /// Splits a field of both operands.
    ///
    /// # Safety
    /// As [`super::matmul`], for `float32` or complex numbers of it.
    pub(super) unsafe fn pack(&self, context: &Context, p: &Product, field: Field) -> Result<()> {
        let entry = match p.dtype {
            DType::C64 => "split_pack_c64",
            _ => "split_pack_f32",
        };
        let from = sources(p, field);
        let [a, b] = from.map(|from| {
            let each = tiles(from.rows as usize, p.a.cols);
            (each * copies(from.batch as isize, p.batch)) as u64
        });
        let params = Pack {
            from,
            to: [self.a.address(), self.b.address()],
            tiles: a,
            across: from.map(|from| u32::from(from.row.unsigned_abs() < from.col.unsigned_abs())),
        };
        // SAFETY: the struct is the kernel's own, the room was made for as many tiles, and the operands are live.
        unsafe { params.launch(context, entry, Geometry::line(a + b, 256)) }
    }

    /// Multiplies what was split into `c`, which lies row-major.
    ///
    /// # Safety
    /// As [`super::matmul`]; `c` has the product's lengths, in `float32`.
    pub(super) unsafe fn multiply(&self, context: &Context, p: &Product, c: &Matrix) -> Result<()> {
        let entry = "split_product_f32";
        let [mut from_a, from_b] = sources(p, Field::Real);
        if p.dtype == DType::C64 {
            // NaN here is recomputed where the products are joined.
            from_a.first = 0;
        }
        let step = |rows, batch: isize| {
            let each = tiles(rows, p.a.cols) as i64;
            if batch == 0 { 0 } else { each }
        };
        let params = Multiply {
            a: self.a.address(),
            b: self.b.address(),
            c: c.first,
            from_a,
            from_b,
            m: c.rows as i64,
            n: c.cols as i64,
            k: p.a.cols as i64,
            c_row: row_major(c).unwrap_or(c.cols as i64),
            c_batch: c.batch as i64,
            a_step: step(p.a.rows, p.a.batch),
            b_step: step(p.b.cols, p.b.batch),
            batch: p.batch as u64,
            factor: p.alpha.to_complex().re as f32,
            keep: p.beta.to_complex().re as f32,
            group: GROUP,
            padding: 0,
        };
        let all = p.batch * c.rows.div_ceil(ROWS) * c.cols.div_ceil(ROWS);
        let geometry = Geometry {
            shared: SHARED,
            ..Geometry::line(
                (all as u64).min(u64::from(context.multiprocessors())),
                THREADS,
            )
        };
        // SAFETY: the struct is the kernel's own; the rest is the caller's promise.
        unsafe { params.launch(context, entry, geometry) }
    }
}

/// Tiles of an operand with as many rows.
fn tiles(rows: usize, cols: usize) -> usize {
    rows.div_ceil(ROWS) * cols.div_ceil(COLS)
}

/// Matrices of an operand that lie in memory.
fn copies(stride: isize, batch: usize) -> usize {
    if stride == 0 { 1 } else { batch }
}

/// `a` by its rows, `b` by its columns.
fn sources(p: &Product, field: Field) -> [Source; 2] {
    let each = if p.dtype == DType::C64 { 2 } else { 1 };
    let source = |m: &Matrix, [rows, cols]: [usize; 2], [row, col]: [isize; 2], conjugate| Source {
        first: m.first,
        rows: rows as i64,
        cols: cols as i64,
        row: each * row as i64,
        col: each * col as i64,
        batch: each * m.batch as i64,
        field: field as u32,
        conjugate: u32::from(conjugate),
    };
    [
        source(&p.a, [p.a.rows, p.a.cols], [p.a.row, p.a.col], p.conj_a),
        source(&p.b, [p.b.cols, p.b.rows], [p.b.col, p.b.row], p.conj_b),
    ]
}
