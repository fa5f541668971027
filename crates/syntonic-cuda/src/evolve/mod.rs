//! Evolution strategies whose noise is made anew: the kernels of `kernels/evolve.cu`, and of `kernels/res.cu`.

mod res;

use crate::context::{Blocks, Context, Geometry};
use crate::contract::{Contract, Declaration, contract};
use crate::moves::{BLOCK, address, address_or_null};
use crate::ptx::name::entry_name;
use crate::random::open_keys;
use syntonic_core::device::{ByName, Launch};
use syntonic_core::random::Stream;
use syntonic_core::{DType, Result};

pub(crate) use res::adapt;

/// The parameters of the kernels here.
pub(crate) fn contracts() -> Vec<Declaration> {
    vec![Evolve::declaration(), res::Res::declaration()] // few: two.
}

contract! {
    "evolve":
    /// Generations of evolution strategies, or their candidates.
    #[derive(Default)]
    struct Evolve as "Evolve" {
        /// `f64 [runs, stride]`.
        before: u64,
        /// As before.
        state: u64,
        /// Scores, `f64 [runs, population]`, where they are not computed here.
        given: u64,
        /// `i64 [runs, population]`, best first, where ranks are not counted here.
        order: u64,
        /// `f64 [population]`: weights of ranks.
        utilities: u64,
        /// Their sums up to each.
        prefixes: u64,
        /// Of the search's type: weights of the function, `[n]`.
        factors: u64,
        /// Of the search's type: least and largest, `[2, n]`, or null.
        bounds: u64,
        /// `u32 [2]`, 0.
        arrived: u64,
        /// `f64 [runs, population]`.
        scores: u64,
        /// `f64 [runs, generations]`.
        history: u64,
        /// `u64 [runs, 3, population]`.
        keys_of: u64,
        /// Of the search's type: `[runs, population]`.
        weights: u64,
        /// Of the search's type: `[runs, planes, tiles, population]`.
        parts: u64,
        /// `f64 [runs, planes, groups, population]`.
        groups: u64,
        /// Of the search's type: `[runs, 4, segments, n]`.
        steps: u64,
        /// `f64 [runs, 2, n]`.
        sums: u64,
        /// `f64 [runs, ceil(n / 32)]`.
        lengths: u64,
        /// Candidates.
        out: u64,
        n: u64,
        stride: u64,
        population: u64,
        draws: u64,
        tiles: u64,
        grouped: u64,
        segments: u64,
        /// Draws that are scored or made, or tiles that are learnt.
        from: u64,
        to: u64,
        segment: u32,
        runs: u32,
        generations: u32,
        mirrored: u32,
        stages: u32,
        rule: u32,
        centred: u32,
        unused: u32,
        base: f64,
        target: f64,
        rates: [f64; 12],
        keys: [u32; 20],
    }
}

/// Blocks of noise of a tile, and tiles of a group, as the kernels have them.
const TILE: u64 = 32;
const GROUP: u64 = 64;
/// Blocks of threads that a multiprocessor holds for certain, if it has shared memory for them: each has less than so many bytes.
const HELD_AT_ONCE: u32 = 2;
const SHARED: u32 = 43 * 1024;
/// Warps of a block, and candidates that each block can rank.
const WARPS: u32 = BLOCK / 32;
const CLOSE: u64 = 1024;
/// The functions of `syntonic_srt::evolve::device`, by their numbers.
const FUNCTIONS: [&str; 5] = ["sphere", "weighted", "rastrigin", "ackley", "rosenbrock"];

/// Normal numbers of a block of noise, for a search of this type.
fn held_by_block(dtype: DType) -> u64 {
    match dtype {
        DType::F32 => 4,
        _ => 2,
    }
}

/// What all launches have in common, for a search of this type.
fn asked(named: &ByName<'_>, dtype: DType) -> Result<Evolve> {
    let stream = match dtype {
        DType::F32 => Stream::Normal32,
        _ => Stream::Normal64,
    };
    let runs = named.whole("runs")?;
    let [n, population] = named.wholes::<u64, 2>(["n", "population"])?;
    let mirrored = named.whole("mirrored")?;
    let segment = named.whole("segment")?;
    let draws = population / (1 + u64::from(mirrored));
    let tiles = n.div_ceil(held_by_block(dtype) * TILE);
    Ok(Evolve {
        n,
        population,
        draws,
        tiles,
        grouped: tiles.div_ceil(GROUP),
        segments: draws.div_ceil(u64::from(segment)),
        segment,
        runs,
        mirrored,
        stages: named.whole("stages")?,
        rule: named.whole("update")?,
        keys: open_keys(named.whole("seed")?, stream),
        generations: named.whole("generations")?,
        from: named.whole("from")?,
        to: named.whole("to")?,
        centred: named.whole("centred")?,
        base: named.real("base")?,
        target: named.real("target")?,
        rates: named.list("rates")?,
        ..Evolve::default()
    })
}

/// Generations in one cooperative launch.
///
/// # Safety
/// As `syntonic_srt::evolve::device::RUN` says.
pub(crate) unsafe fn run(context: &Context, args: &Launch) -> Result<()> {
    let named = args.by_name()?;
    let input = |name: &str| named.input(name).map(address_or_null);
    let output = |name: &str| named.output(name).map(address_or_null);
    let (state, dtype) = (named.output("state")?, named.output("weights")?.dtype);
    let common = asked(&named, dtype)?;
    let mut params = Evolve {
        before: input("before")?,
        given: input("given")?,
        order: input("order")?,
        utilities: input("utilities")?,
        prefixes: input("prefixes")?,
        factors: input("factors")?,
        bounds: input("bounds")?,
        arrived: input("arrived")?,
        state: address_or_null(state),
        scores: output("scores")?,
        history: output("history")?,
        sums: output("sums")?,
        lengths: output("lengths")?,
        keys_of: output("keys")?,
        weights: output("weights")?,
        parts: output("parts")?,
        groups: output("groups")?,
        steps: output("steps")?,
        stride: state.layout.numel() as u64 / u64::from(common.runs),
        ..common
    };
    // Moves that are given are read where moves that are made are written.
    let [sums, lengths] = [input("given_sums")?, input("given_lengths")?];
    if sums != 0 {
        (params.sums, params.lengths) = (sums, lengths);
    }
    // No function is scored where scores or moves are given.
    let form = usize::try_from(named.whole::<i64>("form")?).ok();
    let name = form
        .and_then(|form| FUNCTIONS.get(form))
        .map_or("told", |name| *name);
    let entry = entry_name(&format!("evolve_{name}"), &[dtype], "");
    // What one block may have is nearly all that a multiprocessor has.
    let held = (context.shared_limit() / SHARED).clamp(1, HELD_AT_ONCE);
    let most = context.multiprocessors() * held;
    // One search has all blocks that it has work for; of several, each block has searches of its own. Where the jobs have a warp each, their
    // blocks finish the scores and rank: more of them would wait for nothing.
    let jobs = params.tiles * params.segments;
    let warps = match params.population <= CLOSE && jobs <= u64::from(most * WARPS) {
        true => jobs,
        false => jobs.max(params.population / 4).max(params.n / 4),
    };
    let blocks = match params.runs {
        1 => warps.div_ceil(u64::from(WARPS)),
        runs => u64::from(runs),
    };
    let geometry = Geometry::line(blocks.clamp(1, u64::from(most)), BLOCK);
    let kind = match params.runs {
        1 => Blocks::Together,
        _ => Blocks::Apart,
    };
    // SAFETY: the caller's promise; the struct is the kernel's.
    unsafe { params.launch_blocks(context, &entry, geometry, kind) }
}

/// Candidates.
///
/// # Safety
/// As `syntonic_srt::evolve::device::CANDIDATES` says.
pub(crate) unsafe fn candidates(context: &Context, args: &Launch) -> Result<()> {
    let named = args.by_name()?;
    let [state, bounds] = named.inputs(["state", "bounds"])?;
    let out = named.output("candidates")?;
    let common = asked(&named, out.dtype)?;
    let params = Evolve {
        state: address_or_null(state),
        bounds: address_or_null(bounds),
        out: address(out),
        stride: state.layout.numel() as u64 / u64::from(common.runs),
        ..common
    };
    let blocks = params.n.div_ceil(held_by_block(out.dtype));
    let threads = blocks * (params.to - params.from) * u64::from(params.runs);
    if threads == 0 {
        return Ok(());
    }
    let most = u64::from(context.multiprocessors()) * 64;
    let entry = entry_name("evolve_candidates", &[out.dtype], "");
    let geometry = Geometry::line(threads.div_ceil(u64::from(BLOCK)).min(most), BLOCK);
    // SAFETY: the caller's promise; the struct is the kernel's.
    unsafe { params.launch(context, &entry, geometry) }
}
