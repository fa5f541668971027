//! RES by matrix adaptation: the kernels of `kernels/res.cu`.

use super::FUNCTIONS;
use crate::context::{Blocks, Context, Geometry};
use crate::contract::{Contract, contract};
use crate::moves::{BLOCK, address_or_null};
use crate::random::open_keys;
use syntonic_core::device::Launch;
use syntonic_core::random::Stream;
use syntonic_core::{DType, Result};

contract! {
    "res":
    /// Generations of RES, scores of one, or candidates; of `f64` where nothing else is said.
    #[derive(Default)]
    pub(crate) struct Res as "Res" {
        /// `[runs, stride]`.
        before: u64,
        /// As before.
        state: u64,
        /// Scores, `[runs, population]`, where they are not computed here.
        given: u64,
        /// `[2, population]`: weights of ranks, and negative weights.
        utilities: u64,
        /// `[3, population]`: sums of the weights, of their squares and of the negative weights up to each rank.
        prefixes: u64,
        /// `[n]`: weights of the function.
        factors: u64,
        /// Least and largest, `[2, n]`, or null.
        bounds: u64,
        /// `u32 [2]`, 0.
        arrived: u64,
        /// `[runs, population]`.
        scores: u64,
        /// `[runs, generations]`.
        history: u64,
        /// `[runs, members, n]`, `f32` where numbers are narrow, or null.
        candidates: u64,
        /// `[runs, draws, n]`.
        z: u64,
        /// `[runs, draws, n]`.
        steps: u64,
        /// `[runs, 2, draws]`.
        turns: u64,
        /// `[runs, 3, n]`.
        moves: u64,
        /// `u64 [runs]`.
        largest: u64,
        n: u64,
        stride: u64,
        population: u64,
        draws: u64,
        /// Draws that are scored or made.
        from: u64,
        to: u64,
        runs: u32,
        generations: u32,
        mirrored: u32,
        stages: u32,
        /// Whether candidates are rounded to `f32`.
        narrow: u32,
        unused: u32,
        target: f64,
        rates: [f64; 12],
        keys: [u32; 20],
    }
}

/// Blocks of threads that a multiprocessor holds for certain.
const HELD_AT_ONCE: u32 = 2;
/// Threads' worth of work that one block alone has done before several have waited for each other.
const ALONE: u64 = 2048;

/// Generations, scores or candidates in one cooperative launch.
///
/// # Safety
/// As `syntonic_srt::evolve::device::RES` says.
pub(crate) unsafe fn adapt(context: &Context, args: &Launch) -> Result<()> {
    let named = args.by_name()?;
    let input = |name: &str| named.input(name).map(address_or_null);
    let output = |name: &str| named.output(name).map(address_or_null);
    let [runs, mirrored] = named.wholes::<u32, 2>(["runs", "mirrored"])?;
    let [n, population] = named.wholes::<u64, 2>(["n", "population"])?;
    let draws = population / (1 + u64::from(mirrored));
    let params = Res {
        before: input("before")?,
        state: output("state")?,
        given: input("given")?,
        utilities: input("utilities")?,
        prefixes: input("prefixes")?,
        factors: input("factors")?,
        bounds: input("bounds")?,
        arrived: input("arrived")?,
        scores: output("scores")?,
        history: output("history")?,
        candidates: output("candidates")?,
        z: output("z")?,
        steps: output("steps")?,
        turns: output("turns")?,
        moves: output("moves")?,
        largest: output("largest")?,
        n,
        stride: named.input("before")?.layout.numel() as u64 / u64::from(runs),
        population,
        draws,
        from: named.whole("from")?,
        to: named.whole("to")?,
        runs,
        generations: named.whole("generations")?,
        mirrored,
        stages: named.whole("stages")?,
        narrow: u32::from(named.output("candidates")?.dtype == DType::F32),
        unused: 0,
        target: named.real("target")?,
        rates: named.list("rates")?,
        keys: open_keys(named.whole("seed")?, Stream::Normal64),
    };
    // No function is scored where scores are given or candidates are made.
    let form = usize::try_from(named.whole::<i64>("form")?).ok();
    let name = form
        .and_then(|form| FUNCTIONS.get(form))
        .map_or("told", |name| *name);
    let entry = format!("res_{name}");
    let most = u64::from(context.multiprocessors() * HELD_AT_ONCE);
    // One search has all blocks that it has work for: a thread for each number of a draw and each entry of the matrix, and a warp for each
    // candidate. Of several, each block has searches of its own.
    let threads = (draws * n).max(n * n).max(population * 32);
    let (blocks, kind) = match runs {
        1 if threads <= ALONE => (1, Blocks::Together),
        1 => (threads.div_ceil(u64::from(BLOCK)), Blocks::Together),
        runs => (u64::from(runs), Blocks::Apart),
    };
    let geometry = Geometry::line(blocks.clamp(1, most), BLOCK);
    // SAFETY: the caller's promise; the struct is the kernel's.
    unsafe { params.launch_blocks(context, &entry, geometry, kind) }
}
