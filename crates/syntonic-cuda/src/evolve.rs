//! Evolution strategies whose noise is made anew: the kernels of `kernels/evolve.cu`.

use crate::context::{Context, Geometry};
use crate::moves::{BLOCK, address};
use crate::random::keys;
use syntonic_core::device::Launch;
use syntonic_core::random::Stream;
use syntonic_core::{DType, Result};

/// `Evolve` of the kernel.
#[derive(Clone, Copy)]
#[repr(C)]
struct Evolve {
    mean: u64,
    deviation: u64,
    weights: u64,
    out: u64,
    other: u64,
    n: u64,
    draws: u64,
    mirrored: u32,
    first: u32,
    keys: [u32; 20],
}
const _: () = assert!(size_of::<Evolve>() == 144);

/// Coordinates that a thread block scores, and draws that a thread adds up, as the kernels have them.
const PIECE: u64 = 1 << 15;
const SEGMENT: u64 = 256;
/// The family of the kernels.
const FAMILY: &str = "evolve";
/// The functions of `syntonic_srt::evolve::device`, by their numbers.
const FUNCTIONS: [&str; 5] = ["sphere", "weighted", "rastrigin", "ackley", "rosenbrock"];

/// What all launches have in common, and the blocks of noise of a draw.
fn asked(args: &Launch, n: usize) -> (Evolve, &'static str, u64) {
    let (stream, suffix, held) = match args.inputs[0].dtype {
        DType::F32 => (Stream::Normal32, "f32", 4),
        _ => (Stream::Normal64, "f64", 2),
    };
    let number = |k: usize| args.params[k].to_i128();
    let params = Evolve {
        mean: address(&args.inputs[0]),
        deviation: 0,
        weights: 0,
        out: address(&args.outputs[0]),
        other: 0,
        n: n as u64,
        draws: number(3) as u64,
        mirrored: number(1) as u32,
        first: number(2) as u32,
        keys: keys(number(0) as u64, stream, 0),
    };
    (params, suffix, (n as u64).div_ceil(held))
}

/// Launches an entry over so many blocks of threads, as many at once as the GPU has room for several times over.
unsafe fn launch(context: &Context, entry: &str, blocks: u64, params: &Evolve) -> Result<()> {
    if blocks == 0 {
        return Ok(());
    }
    let most = u64::from(context.multiprocessors()) * 64;
    let function = context.function(FAMILY, entry)?;
    // SAFETY: the caller's promise; the struct is the kernel's.
    unsafe { context.launch(&function, Geometry::line(blocks.min(most), BLOCK), params) }
}

/// Candidates.
///
/// # Safety
/// As `syntonic_srt::evolve::device::CANDIDATES` says.
pub(crate) unsafe fn candidates(context: &Context, args: &Launch) -> Result<()> {
    let (mut params, suffix, held) = asked(args, args.inputs[0].layout.numel());
    params.deviation = address(&args.inputs[1]);
    let blocks = (held * params.draws).div_ceil(u64::from(BLOCK));
    // SAFETY: the caller's promise.
    unsafe {
        launch(
            context,
            &format!("evolve_candidates_{suffix}"),
            blocks,
            &params,
        )
    }
}

/// Partial sums of a function.
///
/// # Safety
/// As `syntonic_srt::evolve::device::SCORES` says.
pub(crate) unsafe fn scores(context: &Context, args: &Launch) -> Result<()> {
    let (mut params, suffix, _) = asked(args, args.inputs[0].layout.numel());
    params.deviation = address(&args.inputs[1]);
    params.weights = address(&args.inputs[2]);
    let function = FUNCTIONS[args.params[4].to_i128() as usize];
    let blocks = params.n.div_ceil(PIECE) * params.draws;
    // SAFETY: the caller's promise.
    unsafe {
        launch(
            context,
            &format!("evolve_{function}_{suffix}"),
            blocks,
            &params,
        )
    }
}

/// Sums over the draws.
///
/// # Safety
/// As `syntonic_srt::evolve::device::SUMS` says.
pub(crate) unsafe fn sums(context: &Context, args: &Launch) -> Result<()> {
    let (mut params, suffix, held) = asked(args, args.inputs[0].layout.numel());
    params.weights = address(&args.inputs[1]);
    params.other = address(&args.outputs[1]);
    let blocks = held.div_ceil(u64::from(BLOCK)) * params.draws.div_ceil(SEGMENT);
    // SAFETY: the caller's promise.
    unsafe { launch(context, &format!("evolve_sums_{suffix}"), blocks, &params) }
}
