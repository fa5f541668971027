//! Evolution strategies whose noise is made anew: the kernels of `kernels/evolve.cu`.

use crate::context::{Blocks, Context, Geometry};
use crate::contract::{Contract, contract};
use crate::moves::{BLOCK, address, address_or_null};
use crate::ptx::name::entry_name;
use crate::random::open_keys;
use syntonic_core::device::Launch;
use syntonic_core::random::Stream;
use syntonic_core::{DType, Result};

contract! {
    "evolve":
    /// Generations of evolution strategies, or their candidates.
    #[derive(Default)]
    pub(crate) struct Evolve as "Evolve" {
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

/// The numbers of a launch, in the order of `syntonic_srt::evolve::device`.
struct Asked<'a> {
    launch: &'a Launch,
    dtype: DType,
}

impl Asked<'_> {
    fn whole(&self, k: usize) -> i128 {
        self.launch.params[k].to_i128()
    }

    /// What all launches have in common.
    fn params(&self) -> Evolve {
        let real = |k: usize| self.launch.params[k].to_f64();
        let (stream, held) = match self.dtype {
            DType::F32 => (Stream::Normal32, 4),
            _ => (Stream::Normal64, 2),
        };
        let (runs, n, population) = (
            self.whole(0) as u64,
            self.whole(1) as u64,
            self.whole(2) as u64,
        );
        let mirrored = self.whole(3) as u64;
        let (segment, draws) = (self.whole(4) as u64, population / (1 + mirrored));
        let tiles = n.div_ceil(held * TILE);
        Evolve {
            n,
            population,
            draws,
            tiles,
            grouped: tiles.div_ceil(GROUP),
            segments: draws.div_ceil(segment),
            segment: segment as u32,
            runs: runs as u32,
            generations: self.whole(9) as u32,
            from: self.whole(10) as u64,
            to: self.whole(11) as u64,
            mirrored: mirrored as u32,
            stages: self.whole(5) as u32,
            rule: self.whole(6) as u32,
            centred: self.whole(12) as u32,
            base: real(13),
            target: real(14),
            rates: std::array::from_fn(|k| real(15 + k)),
            keys: open_keys(self.whole(8) as u64, stream),
            ..Evolve::default()
        }
    }
}

/// Generations in one cooperative launch.
///
/// # Safety
/// As `syntonic_srt::evolve::device::RUN` says.
pub(crate) unsafe fn run(context: &Context, args: &Launch) -> Result<()> {
    let asked = Asked {
        launch: args,
        dtype: args.outputs[6].dtype,
    };
    let mut params = asked.params();
    let inputs: [u64; 10] = std::array::from_fn(|k| address_or_null(&args.inputs[k]));
    let outputs: [u64; 10] = std::array::from_fn(|k| address_or_null(&args.outputs[k]));
    let (sums, lengths);
    [
        params.before,
        params.given,
        params.order,
        params.utilities,
        params.prefixes,
        params.factors,
        params.bounds,
        params.arrived,
        sums,
        lengths,
    ] = inputs;
    [
        params.state,
        params.scores,
        params.history,
        params.sums,
        params.lengths,
        params.keys_of,
        params.weights,
        params.parts,
        params.groups,
        params.steps,
    ] = outputs;
    // Moves that are given are read where moves that are made are written.
    if sums != 0 {
        (params.sums, params.lengths) = (sums, lengths);
    }
    params.stride = args.outputs[0].layout.numel() as u64 / u64::from(params.runs);
    let name = usize::try_from(asked.whole(7)).map_or("told", |form| FUNCTIONS[form]);
    let entry = entry_name(&format!("evolve_{name}"), &[asked.dtype], "");
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
    let asked = Asked {
        launch: args,
        dtype: args.outputs[0].dtype,
    };
    let mut params = asked.params();
    (params.state, params.bounds) = (
        address_or_null(&args.inputs[0]),
        address_or_null(&args.inputs[1]),
    );
    params.out = address(&args.outputs[0]);
    params.stride = args.inputs[0].layout.numel() as u64 / u64::from(params.runs);
    let held = if asked.dtype == DType::F32 { 4 } else { 2 };
    let threads = params.n.div_ceil(held) * (params.to - params.from) * u64::from(params.runs);
    if threads == 0 {
        return Ok(());
    }
    let most = u64::from(context.multiprocessors()) * 64;
    let entry = entry_name("evolve_candidates", &[asked.dtype], "");
    let geometry = Geometry::line(threads.div_ceil(u64::from(BLOCK)).min(most), BLOCK);
    // SAFETY: the caller's promise; the struct is the kernel's.
    unsafe { params.launch(context, &entry, geometry) }
}
