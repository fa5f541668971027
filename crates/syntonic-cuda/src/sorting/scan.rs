//! Running sums and products.

use crate::context::{Context, Geometry, Scratch};
use crate::contract::{Contract, contract};
use crate::moves::{BLOCK, address, blocks, further, summed_as};
use crate::plan::{self, Carrier};
use crate::ptx::name::entry_name;
use crate::walk::{Space, Wide};
use syntonic_core::device::Launch;
use syntonic_core::{DType, Error, Result};

contract! {
    "cumulative_*":
    /// Lines of neighbours, scanned in pieces.
    pub(crate) struct ScanLines as "ScanLines" {
        /// Input, output.
        lines: Wide<2>,
        /// Of lines.
        count: u64,
        from: u64,
        to: u64,
        len: u64,
        from_step: i64,
        to_step: i64,
        /// 1: a line of the output begins with the identity.
        lead: u64,
        /// For a piece.
        lanes: u64,
        /// Elements of a piece.
        chunk: u64,
        /// Of a line.
        chunks: u64,
        /// Of chunks, all of a line together; running ones when results are asked for.
        totals: u64,
    }
}

contract! {
    "cumulative_*":
    /// Short lines, which a thread scans, however they are strided.
    pub(crate) struct ScanColumns as "ScanColumns" {
        /// Input, output.
        lines: Wide<2>,
        /// Of lines.
        count: u64,
        from: u64,
        to: u64,
        len: u64,
        from_step: i64,
        to_step: i64,
        /// 1: a line of the output begins with the identity.
        lead: u64,
        /// Elements of a chunk.
        chunk: u64,
        /// Of a line.
        chunks: u64,
        /// Of chunks, all of a line together; running ones when results are asked for.
        totals: u64,
    }
}

/// Lines up to this length are a thread's work, wherever they lie.
const SHORT: usize = 8;
/// Lines that some lanes of a warp scan; longer ones are cut into tiles.
const MEDIUM: usize = 2048;
/// From this many lines on, those of any length are.
const MANY: usize = 2048;
/// Longer lines that are fewer are cut into about this many chunks together, each of at least
/// [`PIECE`] elements.
const PIECES: usize = 1 << 14;
const PIECE: usize = 1 << 10;
/// Columns of at least this length, if this many, are scanned in strips of [`STRIP`], a block each.
const TALL: usize = 512;
const WIDE: usize = 4096;
/// Columns of a strip, and threads of its block.
const STRIP: usize = 32;
const STRIP_THREADS: u32 = 512;
/// Elements of a half type per vector, and of lines worth vectorised loads.
const VECTOR: usize = 8;
const SHORTEST_EVEN: usize = 256;
/// Columns are cut where there are fewer than this, into chunks of at least [`CHUNK`] elements. None of
/// it depends on the GPU, so that the order of additions does not either.
const COLUMNS: usize = 1 << 18;
const CHUNK: usize = 64;

/// `out[i] = x[0] + .. + x[i]` along the last axis.
///
/// # Safety
/// As [`syntonic_core::ops::scan::CUMULATIVE_SUM`] says.
pub(crate) unsafe fn cumulative_sum(context: &Context, args: &Launch) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe { scan(context, Join::Sum, args) }
}

/// As [`cumulative_sum`], with products.
///
/// # Safety
/// As [`syntonic_core::ops::scan::CUMULATIVE_PROD`] says.
pub(crate) unsafe fn cumulative_prod(context: &Context, args: &Launch) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe { scan(context, Join::Product, args) }
}

/// How elements are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Join {
    Sum,
    Product,
}

/// One call: what runs over which lines.
struct Scan {
    join: Join,
    dtype: DType,
    lines: Space,
    from: u64,
    to: u64,
    len: usize,
    steps: [isize; 2],
    lead: bool,
}

/// Which kernel walks the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Route {
    /// A thread per chunk of a line.
    Columns,
    /// A block per 32 contiguous lines.
    Strips,
    /// A warp per line of a half type, vectorised.
    EvenLines,
    /// A block per 64 contiguous lines of a half type.
    EvenStrips,
    /// Some lanes of a warp per line.
    Lines,
    /// A warp per chunk of a line.
    Chunks,
}

impl Scan {
    /// Launches a variant, of the family that has it.
    ///
    /// # Safety
    /// As [`Contract::launch`].
    unsafe fn launch<P: Contract>(
        &self,
        context: &Context,
        variant: &str,
        geometry: Geometry,
        params: &P,
    ) -> Result<()> {
        let (op, lines, columns) = match self.join {
            Join::Sum => (
                "cumulative_sum",
                "cumulative_sum_lines",
                "cumulative_sum_columns",
            ),
            Join::Product => (
                "cumulative_prod",
                "cumulative_prod_lines",
                "cumulative_prod_columns",
            ),
        };
        let family = match variant {
            "warp" | "chunks" | "even" => lines,
            _ => columns,
        };
        let entry = entry_name(op, &[self.dtype], variant);
        // SAFETY: the caller's promise.
        unsafe { context.start(&plan::Launch::new(family, entry, geometry), params) }
    }

    fn route(&self) -> Route {
        let side = self.lines.strides[1].last().copied().unwrap_or(0);
        let beside = self.lines.len() > 1 && side.unsigned_abs() < self.steps[1].unsigned_abs();
        if self.lies_even() {
            Route::EvenLines
        } else if self.stands_even() {
            Route::EvenStrips
        } else if beside && self.len >= TALL && self.lines.len() >= WIDE {
            Route::Strips
        } else if beside || self.len <= SHORT {
            Route::Columns
        } else if self.len <= MEDIUM || self.lines.len() >= MANY {
            Route::Lines
        } else {
            Route::Chunks
        }
    }
}

impl Scan {
    /// Whether it is a sum that the kernels of half types have a version of.
    fn is_half_sum(&self) -> bool {
        self.join == Join::Sum && self.dtype.is_half() && !self.lead
    }

    /// Whether enough lines are whole vectors.
    fn lies_even(&self) -> bool {
        let all = self.lines.strides.iter().flat_map(|s| s.iter());
        self.is_half_sum()
            && self.steps == [1, 1]
            && self.len >= SHORTEST_EVEN
            && self.len.is_multiple_of(VECTOR)
            && self.lines.len() >= MANY
            && [self.from, self.to].iter().all(|a| a.is_multiple_of(16))
            && all.clone().all(|s| s.unsigned_abs().is_multiple_of(VECTOR))
    }

    /// Whether enough lines are contiguous neighbours, in pairs.
    fn stands_even(&self) -> bool {
        let lines = &self.lines;
        self.is_half_sum()
            && lines.dims.len() == 1
            && lines.strides.iter().all(|s| s[0] == 1)
            && lines.len() >= WIDE
            && lines.len().is_multiple_of(2)
            && self.len >= TALL
            && [self.from, self.to].iter().all(|a| a.is_multiple_of(4))
            && self
                .steps
                .iter()
                .all(|s| s.unsigned_abs().is_multiple_of(2))
    }
}

unsafe fn scan(context: &Context, join: Join, args: &Launch) -> Result<()> {
    let (x, y) = (&args.inputs[0], &args.outputs[0]);
    if y.dtype.is_bool() {
        return Err(Error::value("scan", "the kernel has no version for bool"));
    }
    let lead = x.layout.ndim() - 1;
    let outer = [x, y].map(|a| &a.layout.strides()[..lead]);
    let scan = Scan {
        join,
        dtype: summed_as(y.dtype),
        lines: Space::sorted(&y.layout.shape()[..lead], &outer, 1),
        from: address(x),
        to: address(y),
        len: x.layout.shape()[lead],
        steps: [x, y].map(|a| a.layout.strides()[lead]),
        lead: args.params.first().is_some_and(|p| p.to_bool()),
    };
    if scan.lines.len() == 0 || scan.len + usize::from(scan.lead) == 0 {
        return Ok(());
    }
    for piece in scan.lines.pieces() {
        let size = scan.dtype.size();
        let part = Scan {
            from: further(scan.from, piece.bases[0], size),
            to: further(scan.to, piece.bases[1], size),
            lines: piece,
            ..scan
        };
        // SAFETY: the caller's promise, for some of the lines.
        unsafe {
            match scan.route() {
                Route::Columns => columns(context, &part)?,
                Route::Strips => strips(context, &part, "strip", STRIP)?,
                Route::EvenStrips => strips(context, &part, "tall", 2 * STRIP)?,
                Route::EvenLines => even_lines(context, &part)?,
                Route::Lines => lines(context, &part)?,
                Route::Chunks => chunked(context, &part)?,
            }
        }
    }
    Ok(())
}

/// The type that totals of `dtype` are kept in.
fn total_of(dtype: DType) -> DType {
    if dtype.is_complex() {
        DType::C128
    } else if dtype.is_integer() {
        DType::U64
    } else {
        DType::F64
    }
}

/// The length of a chunk and their number, for columns of `len`.
fn chunks(columns: usize, len: usize) -> (usize, usize) {
    let wanted = (COLUMNS / columns.max(1)).clamp(1, len.div_ceil(CHUNK).max(1));
    let chunk = len.div_ceil(wanted).max(1);
    (chunk, len.div_ceil(chunk).max(1))
}

fn column_params(scan: &Scan, chunk: usize, chunks: usize, totals: u64) -> ScanColumns {
    ScanColumns {
        lines: scan.lines.wide(),
        count: scan.lines.len() as u64,
        from: scan.from,
        to: scan.to,
        len: scan.len as u64,
        from_step: scan.steps[0] as i64,
        to_step: scan.steps[1] as i64,
        lead: u64::from(scan.lead),
        chunk: chunk as u64,
        chunks: chunks as u64,
        totals,
    }
}

unsafe fn strips(context: &Context, scan: &Scan, variant: &str, side: usize) -> Result<()> {
    let geometry = Geometry::line(scan.lines.len().div_ceil(side) as u64, STRIP_THREADS);
    let params = column_params(scan, scan.len, 1, 0);
    // SAFETY: the caller's promise; the struct is the kernel's.
    unsafe { scan.launch(context, variant, geometry, &params) }
}

unsafe fn columns(context: &Context, scan: &Scan) -> Result<()> {
    let count = scan.lines.len();
    let (chunk, chunks) = chunks(count, scan.len);
    let total = total_of(scan.dtype);
    let totals = (chunks > 1)
        .then(|| context.scratch(count * chunks * total.size()))
        .transpose()?;
    let params = column_params(
        scan,
        chunk,
        chunks,
        totals.as_ref().map_or(0, Scratch::address),
    );
    let geometry = blocks(count * chunks, BLOCK as usize);
    // SAFETY: the caller's promise; there is room for a total of each chunk.
    unsafe {
        if let Some(totals) = &totals {
            scan.launch(context, "totals", geometry, &params)?;
            run_totals(context, scan, totals.address(), chunks)?;
        }
        scan.launch(context, "columns", geometry, &params)
    }
}

/// Turns the totals of each line's chunks into running totals.
///
/// # Safety
/// There are `chunks` totals for each line, one after the other.
unsafe fn run_totals(context: &Context, scan: &Scan, totals: u64, chunks: usize) -> Result<()> {
    let apart = [chunks as isize];
    let running = Scan {
        join: scan.join,
        dtype: total_of(scan.dtype),
        lines: Space::new(&[scan.lines.len()], &[&apart, &apart]),
        from: totals,
        to: totals,
        len: chunks,
        steps: [1, 1],
        lead: false,
    };
    // SAFETY: the caller's promise; each piece is read before it is written.
    unsafe {
        match running.route() {
            Route::Chunks => chunked(context, &running),
            _ => lines(context, &running),
        }
    }
}

/// How a line is split over lanes and tiles.
#[derive(Clone, Copy, Debug)]
struct Shares {
    lanes: usize,
    chunk: usize,
    chunks: usize,
    totals: u64,
}

fn line_params(scan: &Scan, shares: Shares) -> ScanLines {
    ScanLines {
        lines: scan.lines.wide(),
        count: scan.lines.len() as u64,
        from: scan.from,
        to: scan.to,
        len: scan.len as u64,
        from_step: scan.steps[0] as i64,
        to_step: scan.steps[1] as i64,
        lead: u64::from(scan.lead),
        lanes: shares.lanes as u64,
        chunk: shares.chunk as u64,
        chunks: shares.chunks as u64,
        totals: shares.totals,
    }
}

/// Lanes per line, each of which takes two to eight elements at a time.
fn lanes(len: usize) -> usize {
    (len / 4).next_power_of_two().clamp(8, 32)
}

unsafe fn even_lines(context: &Context, scan: &Scan) -> Result<()> {
    let shares = Shares {
        lanes: 32,
        chunk: scan.len,
        chunks: 1,
        totals: 0,
    };
    let blocks = scan.lines.len().div_ceil(BLOCK as usize / 32) as u64;
    let params = line_params(scan, shares);
    // SAFETY: the caller's promise; the struct is the kernel's.
    unsafe { scan.launch(context, "even", Geometry::line(blocks, BLOCK), &params) }
}

unsafe fn lines(context: &Context, scan: &Scan) -> Result<()> {
    let shares = Shares {
        lanes: lanes(scan.len),
        chunk: scan.len,
        chunks: 1,
        totals: 0,
    };
    let geometry = blocks(scan.lines.len(), BLOCK as usize / shares.lanes);
    let params = line_params(scan, shares);
    // SAFETY: the caller's promise; the struct is the kernel's.
    unsafe { scan.launch(context, "warp", geometry, &params) }
}

/// The chunk length of long lines: whole turns of a warp.
fn piece(lines: usize, len: usize) -> usize {
    let round = 256;
    (lines * len)
        .div_ceil(PIECES)
        .max(PIECE)
        .next_multiple_of(round)
}

/// Three-phase scan of long lines: chunk totals, a scan of the totals, and a scan of each chunk from its own.
unsafe fn chunked(context: &Context, scan: &Scan) -> Result<()> {
    let count = scan.lines.len();
    let chunk = piece(count, scan.len);
    let chunks = scan.len.div_ceil(chunk);
    let totals = context.scratch(count * chunks * total_of(scan.dtype).size())?;
    let shares = Shares {
        lanes: 32,
        chunk,
        chunks,
        totals: totals.address(),
    };
    let params = line_params(scan, shares);
    let geometry = blocks(count * chunks, BLOCK as usize / 32);
    // SAFETY: the caller's promise; there is room for a total of each chunk.
    unsafe {
        scan.launch(context, "chunks", geometry, &params)?;
        run_totals(context, scan, totals.address(), chunks)?;
        scan.launch(context, "warp", geometry, &params)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn over(shape: &[usize], strides: &[isize]) -> Scan {
        let lead = shape.len() - 1;
        Scan {
            join: Join::Sum,
            dtype: DType::F32,
            lines: Space::sorted(&shape[..lead], &[&strides[..lead], &strides[..lead]], 1),
            from: 0,
            to: 0,
            len: shape[lead],
            steps: [strides[lead]; 2],
            lead: false,
        }
    }

    #[test]
    fn lines_are_walked_as_they_lie() {
        assert_eq!(over(&[100, 1000], &[1000, 1]).route(), Route::Lines);
        assert_eq!(over(&[8192, 8192], &[8192, 1]).route(), Route::Lines);
        assert_eq!(over(&[8192, 8192], &[1, 8192]).route(), Route::Strips);
        assert_eq!(over(&[4096, 100], &[1, 4096]).route(), Route::Columns);
        assert_eq!(over(&[100, 8], &[8, 1]).route(), Route::Columns);
        assert_eq!(over(&[4, 100_000], &[100_000, 1]).route(), Route::Chunks);
        assert_eq!(over(&[64, 100_000], &[1, 64]).route(), Route::Columns);
        assert_eq!(over(&[100_000], &[1]).route(), Route::Chunks);
        assert_eq!(over(&[100_000], &[3]).route(), Route::Chunks);
    }

    #[test]
    fn half_types_that_lie_even_are_added_up_in_float() {
        let half = |shape: &[usize], strides: &[isize]| Scan {
            dtype: DType::BF16,
            ..over(shape, strides)
        };
        assert_eq!(half(&[8192, 8192], &[8192, 1]).route(), Route::EvenLines);
        assert_eq!(half(&[8192, 8192], &[1, 8192]).route(), Route::EvenStrips);
        assert_eq!(half(&[8192, 8192], &[8196, 1]).route(), Route::Lines);
        assert_eq!(half(&[8192, 8191], &[8192, 1]).route(), Route::Lines);
        assert_eq!(half(&[8191, 8192], &[1, 8191]).route(), Route::Strips);
        let product = Scan {
            join: Join::Product,
            ..half(&[8192, 8192], &[8192, 1])
        };
        assert_eq!(product.route(), Route::Lines);
        let lead = Scan {
            lead: true,
            ..half(&[8192, 8192], &[1, 8192])
        };
        assert_eq!(lead.route(), Route::Strips);
    }

    #[test]
    fn lanes_fit_the_length() {
        assert_eq!([9, 32, 64, 100, 2048].map(lanes), [8, 8, 16, 32, 32]);
    }

    #[test]
    fn long_lines_are_cut_into_whole_rounds() {
        assert_eq!(piece(1, 64 << 20), 4096);
        assert_eq!(piece(1, 3000), 1024);
        assert_eq!(piece(7, 10_000_001) % 256, 0);
    }

    #[test]
    fn chunks_cover_a_column() {
        for columns in [1, 7, 64, 5000, 1 << 20] {
            for len in [0, 1, 63, 64, 65, 1000, 1 << 20] {
                let (chunk, count) = chunks(columns, len);
                assert!(chunk * count >= len && chunk * (count - 1) <= len);
                assert!(count == 1 || columns * count <= COLUMNS);
            }
        }
        assert_eq!(chunks(1 << 20, 64), (64, 1));
    }
}
