//! Products with a vector on one side, by kernels of our own: the matrix is read once, at the speed of memory.

use super::pack::{self, Values};
use super::{Matrix, Product};
use crate::block_counters::{BLOCK_COUNTERS, Taken};
use crate::context::{Context, Geometry, Scratch};
use crate::contract::{Contract, contract};
use crate::ptx::name::entry_name;
use syntonic_core::{DType, Result, Scalar};

/// Threads per block, and rows that some of them share.
pub(super) const THREADS: usize = 256;
pub(super) const ROWS: usize = 4;
/// Lanes of a warp.
const WARP: usize = 32;
/// Bytes of a vector.
const VECTOR: usize = 16;
/// Fewer contiguous lanes read less than a cache line.
const NARROWEST: usize = 8;
/// Rows of at least this many vectors per thread get a block, shorter ones a warp or less.
const VECTORS_OF_A_THREAD: usize = 2;
/// The grid size at which split-K aims, and the most parts of the inner length. Neither depends on the GPU, so the order of
/// additions does not either.
const BLOCKS_OF_ROWS: usize = 512;
const BLOCKS_OF_COLUMNS: usize = 1024;
const PARTS: usize = 128;
/// The fewest elements of a matrix for which a strided vector is copied first.
const WORTH_A_COPY: usize = 1 << 18;

contract! {
    "gemv":
    /// `y = alpha A x + beta y`.
    #[derive(Debug)]
    pub(crate) struct Params as "Gemv" {
        a: u64,
        x: u64,
        y: u64,
        /// Of all parts of a block's results together.
        partials: u64,
        /// Last-block counters, one a block of the first part, zero before and after.
        counters: u64,
        outputs: u64,
        inner: u64,
        /// From row to row, or from one row of results to the next.
        lead: i64,
        x_step: i64,
        y_step: i64,
        a_batch: i64,
        x_batch: i64,
        y_batch: i64,
        batch: u64,
        /// Of the inner length that a block takes.
        part: u64,
        /// As many.
        parts: u32,
        /// That share a row, or that lie along the columns; a power of two.
        lanes: u32,
        conj_a: u32,
        conj_x: u32,
        alpha: [f64; 2],
        beta: [f64; 2],
    }
}

/// Which elements of the matrix are contiguous.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contiguous {
    /// Those that are added up.
    Rows,
    /// Those that go to different results.
    Columns,
}

/// A vector in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vector {
    pub(super) first: u64,
    pub(super) step: isize,
    pub(super) batch: isize,
}

/// `y = alpha A x + beta y` for `batch` matrices of `outputs` by `inner` elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gemv {
    pub(super) dtype: DType,
    pub(super) contiguous: Contiguous,
    pub(super) a: u64,
    pub(super) a_batch: isize,
    pub(super) lead: isize,
    pub(super) x: Vector,
    pub(super) y: Vector,
    pub(super) outputs: usize,
    pub(super) inner: usize,
    pub(super) batch: usize,
    pub(super) conj_a: bool,
    pub(super) conj_x: bool,
}

impl Gemv {
    /// The product as matrix times vector, where it is one and a stride of the matrix is 1.
    pub(super) fn of(p: &Product) -> Option<Gemv> {
        let column = |m: &Matrix| Vector {
            first: m.first,
            step: m.row,
            batch: m.batch,
        };
        let row = |m: &Matrix| Vector {
            step: m.col,
            ..column(m)
        };
        // The matrix, and its strides along the results and along the inner length.
        let (matrix, along, inside, x, y, turned) = if p.c.cols == 1 {
            (&p.a, p.a.row, p.a.col, column(&p.b), column(&p.c), false)
        } else if p.c.rows == 1 {
            (&p.b, p.b.col, p.b.row, row(&p.a), row(&p.c), true)
        } else {
            return None;
        };
        let (outputs, inner) = (p.c.rows * p.c.cols, p.a.cols);
        let (contiguous, lead) = if inside == 1 || inner <= 1 {
            (Contiguous::Rows, along)
        } else if along == 1 || outputs == 1 {
            (Contiguous::Columns, inside)
        } else {
            return None;
        };
        let (conj_a, conj_x) = if turned {
            (p.conj_b, p.conj_a)
        } else {
            (p.conj_a, p.conj_b)
        };
        let batch = |stride: isize| if p.batch == 1 { 0 } else { stride };
        Some(Gemv {
            dtype: p.dtype,
            contiguous,
            a: matrix.first,
            a_batch: batch(matrix.batch),
            lead: if contiguous == Contiguous::Rows && outputs == 1 {
                0
            } else {
                lead
            },
            x: Vector {
                batch: batch(x.batch),
                ..x
            },
            y,
            outputs,
            inner,
            batch: p.batch,
            conj_a,
            conj_x,
        })
    }

    /// Elements per 16-byte vector, if the matrix has only whole ones.
    pub(super) fn even(&self) -> Option<usize> {
        let vector = VECTOR / self.dtype.size();
        let whole = |n: usize| n.is_multiple_of(vector);
        let fits = vector > 1
            && self.a.is_multiple_of(VECTOR as u64)
            && whole(self.lead.unsigned_abs())
            && whole(self.a_batch.unsigned_abs())
            && (self.contiguous == Contiguous::Rows || whole(self.outputs));
        fits.then_some(vector)
    }

    /// Whether x suits vectorised loads along rows.
    pub(super) fn x_is_even(&self, vector: usize) -> bool {
        (self.x.step == 1 || self.inner <= 1)
            && self.x.first.is_multiple_of(VECTOR as u64)
            && self.x.batch.unsigned_abs().is_multiple_of(vector)
    }

    /// A copy of x that suits them, if it is needed and worth it; nothing where the scalar kernel does as well.
    fn x_in_vectors<'a>(
        &self,
        context: &'a Context,
        vector: usize,
    ) -> Result<Option<(Vector, Scratch<'a>)>> {
        if self.outputs * self.inner < WORTH_A_COPY {
            return Ok(None);
        }
        let room = self.inner.next_multiple_of(vector);
        let copies = if self.x.batch == 0 { 1 } else { self.batch };
        let memory = context.scratch(room * copies * self.dtype.size())?;
        let line = |v: &Vector| Matrix {
            first: v.first,
            rows: 1,
            cols: self.inner,
            row: 0,
            col: v.step,
            batch: v.batch,
        };
        let to = Vector {
            first: memory.address(),
            step: 1,
            batch: if copies == 1 { 0 } else { room as isize },
        };
        // SAFETY: the copy has room for the vectors, which the caller of the product vouches for.
        unsafe {
            let (from, target) = (line(&self.x), line(&to));
            pack::copy(context, self.dtype, &from, &target, copies, Values::Same)?;
        }
        Ok(Some((to, memory)))
    }
}

/// How a product is spread over lanes and blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spread {
    pub(super) lanes: usize,
    /// Length of a part of the inner length (split-K), and the count of parts.
    pub(super) part: usize,
    pub(super) parts: usize,
    pub(super) blocks: usize,
    /// Results per block, for each of which it stores the sum of a part.
    pub(super) kept: usize,
}

impl Spread {
    /// Depends on shape and dtype alone. `vector` is the elements per load of a lane.
    pub(super) fn new(
        contiguous: Contiguous,
        outputs: usize,
        inner: usize,
        batch: usize,
        vector: usize,
    ) -> Spread {
        match contiguous {
            Contiguous::Rows => Spread::rows(outputs, inner, batch, vector),
            Contiguous::Columns => Spread::columns(outputs, inner, batch, vector),
        }
    }

    fn rows(outputs: usize, inner: usize, batch: usize, vector: usize) -> Spread {
        let vectors = inner.div_ceil(vector).max(1);
        let units = outputs.div_ceil(ROWS) * batch;
        let long = vectors >= THREADS * VECTORS_OF_A_THREAD;
        let lanes = if long {
            THREADS
        } else {
            let wanted = vectors.div_ceil(VECTORS_OF_A_THREAD).next_power_of_two();
            let least = NARROWEST.min(vectors.next_power_of_two());
            wanted.clamp(least, WARP)
        };
        let most = if lanes < THREADS {
            1
        } else {
            inner / (THREADS * vector)
        };
        let (part, parts) = cut(inner, BLOCKS_OF_ROWS / units.max(1), most, vector);
        Spread {
            lanes,
            part,
            parts,
            blocks: (units * lanes).div_ceil(THREADS),
            kept: ROWS,
        }
    }

    fn columns(outputs: usize, inner: usize, batch: usize, vector: usize) -> Spread {
        let vectors = outputs.div_ceil(vector);
        let mut lanes = WARP.min(vectors.next_power_of_two());
        while lanes > NARROWEST && vectors.div_ceil(lanes) * batch < 2 * WARP {
            lanes /= 2;
        }
        let blocks = vectors.div_ceil(lanes) * batch;
        let most = inner / (THREADS / lanes * VECTORS_OF_A_THREAD * 2);
        let (part, parts) = cut(inner, BLOCKS_OF_COLUMNS / blocks.max(1), most, 1);
        Spread {
            lanes,
            part,
            parts,
            blocks,
            kept: lanes * vector,
        }
    }
}

/// The length of a part and the count of parts: about `wanted`, at most `most` and [`PARTS`], of whole vectors.
fn cut(inner: usize, wanted: usize, most: usize, vector: usize) -> (usize, usize) {
    let parts = wanted.min(most).clamp(1, PARTS);
    let part = inner.div_ceil(parts).next_multiple_of(vector).max(1);
    (part, inner.div_ceil(part).max(1))
}

/// The scratch of a split-K launch: partial sums and last-block counters.
pub(super) struct Shared<'a> {
    memory: Scratch<'a>,
    block_counters: Taken<'a>,
}

impl Shared<'_> {
    /// Address of the partial sums.
    pub(super) fn memory(&self) -> u64 {
        self.memory.address()
    }

    /// The first counter.
    pub(super) fn block_counters(&self) -> u64 {
        self.block_counters.address()
    }
}

impl Spread {
    /// Bytes of all partial sums; a sum takes 16 at most.
    pub(super) fn bytes(&self) -> usize {
        if self.parts == 1 {
            0
        } else {
            self.blocks * self.parts * self.kept * VECTOR
        }
    }

    /// `bytes` bytes of scratch and a set of counters.
    pub(super) fn share(context: &Context, bytes: usize) -> Result<Shared<'_>> {
        Ok(Shared {
            memory: context.scratch(bytes)?,
            block_counters: context.block_counters()?,
        })
    }

    pub(super) fn geometry(&self) -> Geometry {
        let mut geometry = Geometry::line(self.blocks as u64, THREADS as u32);
        geometry.grid[1] = self.parts as u32;
        geometry
    }
}

impl Gemv {
    /// The name of the kernel for this layout, vectorised or scalar.
    pub(super) fn variant(&self, even: bool) -> &'static str {
        match (self.contiguous, even) {
            (Contiguous::Rows, false) => "rows",
            (Contiguous::Rows, true) => "even_rows",
            (Contiguous::Columns, false) => "columns",
            (Contiguous::Columns, true) => "even_columns",
        }
    }

    pub(super) fn spread(&self, vector: usize) -> Spread {
        let (outputs, inner, batch) = (self.outputs, self.inner, self.batch);
        let spread = Spread::new(self.contiguous, outputs, inner, batch, vector);
        debug_assert!(
            spread.parts == 1 || spread.blocks < BLOCK_COUNTERS,
            "{spread:?}"
        );
        spread
    }

    /// The kernel's parameter, with partial sums at `partials` and counters at `block_counters`.
    pub(super) fn params(
        &self,
        spread: &Spread,
        [partials, block_counters]: [u64; 2],
        [alpha, beta]: [Scalar; 2],
    ) -> Params {
        let factor = |x: Scalar| {
            let z = x.to_complex();
            [z.re, if self.dtype.is_complex() { z.im } else { 0.0 }]
        };
        Params {
            a: self.a,
            x: self.x.first,
            y: self.y.first,
            partials,
            counters: block_counters,
            outputs: self.outputs as u64,
            inner: self.inner as u64,
            lead: self.lead as i64,
            x_step: self.x.step as i64,
            y_step: self.y.step as i64,
            a_batch: self.a_batch as i64,
            x_batch: self.x.batch as i64,
            y_batch: self.y.batch as i64,
            batch: self.batch as u64,
            part: spread.part as u64,
            parts: spread.parts as u32,
            lanes: spread.lanes as u32,
            conj_a: u32::from(self.conj_a),
            conj_x: u32::from(self.conj_x),
            alpha: factor(alpha),
            beta: factor(beta),
        }
    }
}

/// # Safety
/// As [`super::matmul`].
pub(super) unsafe fn multiply(context: &Context, p: &Product, gemv: &Gemv) -> Result<()> {
    let mut gemv = *gemv;
    let mut vector = gemv.even();
    let mut _copy = None;
    if let Some(whole) = vector
        && gemv.contiguous == Contiguous::Rows
        && !gemv.x_is_even(whole)
    {
        match gemv.x_in_vectors(context, whole)? {
            Some((lying, memory)) => {
                gemv.x = lying;
                _copy = Some(memory);
            }
            None => vector = None,
        }
    }
    let spread = gemv.spread(vector.unwrap_or(1));
    let entry = entry_name("gemv", &[gemv.dtype], gemv.variant(vector.is_some()));
    let shared = (spread.parts > 1)
        .then(|| Spread::share(context, spread.bytes()))
        .transpose()?;
    let at = shared
        .as_ref()
        .map_or([0; 2], |s| [s.memory(), s.block_counters()]);
    let params = gemv.params(&spread, at, [p.alpha, p.beta]);
    // SAFETY: the struct is the kernel's own; the memory is the caller's promise, and that for the parts has room for
    // what every block keeps.
    unsafe { params.launch(context, &entry, spread.geometry()) }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    fn product(a: Matrix, b: Matrix) -> Product {
        Product {
            dtype: DType::F32,
            sums: DType::F32,
            arithmetic: syntonic_core::device::Arithmetic::Native,
            a,
            b,
            c: matrix(a.rows, b.cols, b.cols as isize, 1),
            batch: 1,
            alpha: Scalar::Int(1),
            beta: Scalar::Int(0),
            conj_a: true,
            conj_b: false,
        }
    }

    #[test]
    fn a_vector_on_either_side_is_found_and_nothing_else() {
        let right = Gemv::of(&product(matrix(8, 12, 12, 1), matrix(12, 1, 3, 1))).unwrap();
        assert_eq!(
            (right.contiguous, right.lead, right.x.step),
            (Contiguous::Rows, 12, 3)
        );
        assert_eq!((right.outputs, right.inner), (8, 12));
        assert!(right.conj_a && !right.conj_x);
        let left = Gemv::of(&product(matrix(1, 12, 12, 1), matrix(12, 8, 8, 1))).unwrap();
        assert_eq!(
            (left.contiguous, left.lead, left.x.step),
            (Contiguous::Columns, 8, 1)
        );
        assert_eq!((left.outputs, left.inner), (8, 12));
        assert!(!left.conj_a && left.conj_x);
        assert!(Gemv::of(&product(matrix(8, 12, 12, 1), matrix(12, 2, 2, 1))).is_none());
        assert!(Gemv::of(&product(matrix(8, 12, 24, 2), matrix(12, 1, 1, 1))).is_none());
    }

    #[test]
    fn whole_vectors_are_found() {
        let of = |a: Matrix, cols| Gemv::of(&product(a, matrix(cols, 1, 1, 1))).unwrap();
        assert_eq!(of(matrix(8, 12, 12, 1), 12).even(), Some(4));
        assert_eq!(of(matrix(8, 11, 12, 1), 11).even(), Some(4));
        assert_eq!(of(matrix(8, 11, 11, 1), 11).even(), None);
        assert_eq!(of(matrix(1, 11, 11, 1), 11).even(), Some(4));
        assert_eq!(of(matrix(8, 12, 1, 8), 12).even(), Some(4));
        assert_eq!(of(matrix(6, 12, 1, 8), 12).even(), None);
        let askew = Matrix {
            first: 4100,
            ..matrix(8, 12, 12, 1)
        };
        assert_eq!(of(askew, 12).even(), None);
    }

    #[test]
    fn parts_cover_the_inner_length_and_counters_suffice() {
        for contiguous in [Contiguous::Rows, Contiguous::Columns] {
            for outputs in [1, 3, 5, 128, 1000, 8192, 65_536, 1 << 24] {
                for inner in [0, 1, 7, 128, 1000, 8192, 65_536, 1 << 24] {
                    for (batch, vector) in [(1, 4), (1, 1), (3, 8), (70_000, 2)] {
                        let s = Spread::new(contiguous, outputs, inner, batch, vector);
                        let what = format!("{contiguous:?} {outputs} x {inner} x {batch}: {s:?}");
                        assert!(s.part * s.parts >= inner, "{what}");
                        assert!(s.part * (s.parts - 1) <= inner, "{what}");
                        assert!(s.lanes.is_power_of_two(), "{what}");
                        assert!(s.parts == 1 || s.blocks <= BLOCK_COUNTERS, "{what}");
                        assert!(s.parts <= PARTS && s.blocks > 0, "{what}");
                        let parted = s.parts > 1 && contiguous == Contiguous::Rows;
                        assert!(!parted || s.lanes == THREADS, "{what}");
                        assert!(s.lanes == THREADS || s.lanes <= WARP, "{what}");
                    }
                }
            }
        }
    }

    #[test]
    fn shapes_that_were_aimed_at() {
        let rows = |m, n| Spread::new(Contiguous::Rows, m, n, 1, 4);
        assert_eq!((rows(8192, 8192).blocks, rows(8192, 8192).parts), (2048, 1));
        assert_eq!(
            (rows(128, 65_536).blocks, rows(128, 65_536).parts),
            (32, 16)
        );
        assert_eq!(
            (rows(65_536, 128).lanes, rows(65_536, 128).blocks),
            (16, 1024)
        );
        let columns = |m, n| Spread::new(Contiguous::Columns, m, n, 1, 4);
        assert_eq!(
            (columns(8192, 8192).blocks, columns(8192, 8192).parts),
            (64, 16)
        );
        assert_eq!(
            (columns(128, 65_536).lanes, columns(128, 65_536).parts),
            (8, 128)
        );
    }
}
