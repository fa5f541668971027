//! Random numbers by element index: the bits that the CPU makes.

use crate::context::{Context, Geometry};
use crate::sorting;
use std::array;
use syntonic_core::device::Launch;
use syntonic_core::{DType, Error, Result};

/// `RandomParams` of random.cu.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
struct Params {
    out: u64,
    n: u64,
    block: u64,
    skip: u32,
    aligned: u32,
    low: i64,
    size: u64,
    keys: [u32; 20],
}
const _: () = assert!(size_of::<Params>() == 128);

/// Threads of a block, and Philox blocks of a thread.
const THREADS: u32 = 256;
const TURNS: u64 = 2;

/// The keys of the ten rounds of a seed's Philox, two words each.
fn keys(seed: u64) -> [u32; 20] {
    const STEPS: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];
    let first = [seed as u32, (seed >> 32) as u32];
    array::from_fn(|k| first[k % 2].wrapping_add(STEPS[k % 2].wrapping_mul(k as u32 / 2)))
}

impl Params {
    /// Elements `offset..offset + n` of a stream of `seed` whose blocks hold `held` elements of `16 / held` bytes.
    fn new(out: u64, n: u64, seed: u64, offset: u64, held: u64) -> Params {
        let skip = offset % held;
        Params {
            out,
            n,
            keys: keys(seed),
            block: offset / held,
            skip: skip as u32,
            aligned: u32::from(skip == 0 && out.is_multiple_of(16)),
            ..Params::default()
        }
    }

    fn blocks(&self, held: u64) -> u64 {
        (self.n + u64::from(self.skip)).div_ceil(held)
    }
}

fn word(args: &Launch, at: usize) -> u64 {
    args.params.get(at).map_or(0, |p| p.to_i128() as u64)
}

/// Fills `n` elements of `size` bytes.
///
/// # Safety
/// There is room for them at `params.out`.
unsafe fn fill(context: &Context, entry: &str, params: &Params, held: u64) -> Result<()> {
    let function = context.function("random", entry)?;
    let blocks = params.blocks(held).div_ceil(u64::from(THREADS) * TURNS);
    let geometry = Geometry::line(blocks, THREADS);
    // SAFETY: the parameters are the kernel's, with the room that the caller promises.
    unsafe { context.launch(&function, geometry, params) }
}

/// A launch of values of real numbers, whose output is `float32` or `float64`.
///
/// # Safety
/// As the kernel's contract says.
unsafe fn real(context: &Context, args: &Launch, entries: [&str; 2]) -> Result<()> {
    let out = &args.outputs[0];
    let (entry, held) = match out.dtype {
        DType::F32 => (entries[0], 4),
        _ => (entries[1], 2),
    };
    let (at, n) = (out.address() as u64, out.layout.numel() as u64);
    let params = Params::new(at, n, word(args, 0), word(args, 1), held);
    // SAFETY: the output is contiguous and of that type.
    unsafe { fill(context, entry, &params, held) }
}

/// # Safety
/// As the kernel's contract says.
pub(crate) unsafe fn uniform(context: &Context, args: &Launch) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe { real(context, args, ["random_uniform_f32", "random_uniform_f64"]) }
}

/// # Safety
/// As the kernel's contract says.
pub(crate) unsafe fn normal(context: &Context, args: &Launch) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe { real(context, args, ["random_normal_f32", "random_normal_f64"]) }
}

/// # Safety
/// As the kernel's contract says.
pub(crate) unsafe fn integers(context: &Context, args: &Launch) -> Result<()> {
    let out = &args.outputs[0];
    let (at, n) = (out.address() as u64, out.layout.numel() as u64);
    let (low, high) = (word(args, 2) as i64, word(args, 3) as i64);
    if low >= high {
        let what = format!("the range {low}..{high} is empty; high must exceed low");
        return Err(Error::value("random_integers", what));
    }
    let params = Params {
        low,
        size: high.wrapping_sub(low) as u64,
        ..Params::new(at, n, word(args, 0), word(args, 1), 2)
    };
    // SAFETY: the output is contiguous and `int64`.
    unsafe { fill(context, "random_integers_i64", &params, 2) }
}

/// # Safety
/// As the kernel's contract says.
pub(crate) unsafe fn permutation(context: &Context, args: &Launch) -> Result<()> {
    let out = &args.outputs[0];
    let n = out.layout.numel();
    let line = one_line(n)?;
    let keys = context.scratch(n * 8)?;
    let params = Params::new(keys.address(), n as u64, word(args, 0), word(args, 1), 2);
    // SAFETY: the scratch holds the keys, and the output is contiguous and `int64`.
    unsafe {
        fill(context, "random_permutation_u64", &params, 2)?;
        sorting::order_of_words(context, keys.address(), line, out.address() as u64)
    }
}

/// The length of a permutation, if a GPU can order that many.
fn one_line(n: usize) -> Result<u32> {
    u32::try_from(n).map_err(|_| {
        let what = format!(
            "{n} is more than the 2^32 - 1 that are ordered on a GPU at once; hint: make it on the CPU"
        );
        Error::value("random_permutation", what)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_cover_ragged_ends() {
        let params = Params::new(64, 6, 9, 7, 4);
        assert_eq!((params.block, params.skip, params.aligned), (1, 3, 0));
        // Element 3 of block 1, the four of block 2, and one of block 3.
        assert_eq!(params.blocks(4), 3);
    }

    #[test]
    fn whole_blocks_are_stored_at_once_where_memory_allows() {
        assert_eq!(Params::new(64, 8, 0, 8, 4).aligned, 1);
        assert_eq!(Params::new(72, 8, 0, 8, 4).aligned, 0);
        assert_eq!(Params::new(64, 8, 0, 1, 2).aligned, 0);
    }

    #[test]
    fn a_permutation_that_no_line_holds_is_refused() {
        assert_eq!(one_line(u32::MAX as usize).ok(), Some(u32::MAX));
        let error = one_line(1 << 32).err();
        assert!(matches!(error, Some(Error::Value { .. })), "{error:?}");
        let text = error.map(|e| e.to_string()).unwrap_or_default();
        assert!(
            text.contains("4294967296") && text.contains("CPU"),
            "{text}"
        );
    }
}
