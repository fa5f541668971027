//! Random numbers by element index: the bits that the CPU makes.

use crate::context::{Context, Geometry};
use crate::contract::{Contract, contract};
use crate::sorting;
use std::{array, iter};
use syntonic_core::device::Launch;
use syntonic_core::random::Stream;
use syntonic_core::{DType, Error, Result};

contract! {
    "random":
    /// Random numbers of Philox.
    #[derive(Debug, Default, PartialEq, Eq)]
    pub(crate) struct Params as "RandomParams" {
        /// Address of the first element.
        out: u64,
        /// Elements.
        n: u64,
        /// The place of element 0 in Philox block 0.
        skip: u32,
        /// Thread blocks whose Philox blocks are stored whole, at multiples of 16 bytes.
        whole: u32,
        /// Integers from `low` up to, not including, `low + size`.
        low: i64,
        size: u64,
        keys: [u32; 20],
    }
}

/// Threads per block.
const THREADS: u32 = 256;

/// Philox blocks with one upper word.
const CARRY: u64 = 1 << 32;

/// Elements of a stream in a Philox block of 16 bytes.
fn held(stream: Stream) -> u64 {
    match stream {
        Stream::Uniform32 | Stream::Normal32 => 4,
        _ => 2,
    }
}

/// Philox blocks of a stream for a block of threads: each thread makes `TURNS` of random.cu.
fn made_together(stream: Stream) -> u64 {
    let turns = match stream {
        Stream::Normal32 | Stream::Normal64 => 8,
        _ => 2,
    };
    turns * u64::from(THREADS)
}

/// The product of two words: its upper word and its lower.
fn product(a: u32, b: u32) -> [u32; 2] {
    let both = u64::from(a) * u64::from(b);
    [(both >> 32) as u32, both as u32]
}

const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];

/// The keys of the ten rounds of a seed's Philox, two words each. Those keys have in them what the stream adds to the first two rounds; the
/// first is what the upper word of a block meets in the first round.
pub(crate) fn open_keys(seed: u64, stream: Stream) -> [u32; 20] {
    const STEPS: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];
    let start = [seed as u32, (seed >> 32) as u32];
    let mut keys: [u32; 20] =
        array::from_fn(|k| start[k % 2].wrapping_add(STEPS[k % 2].wrapping_mul(k as u32 / 2)));
    let odd = product(MULTIPLIERS[1], stream as u32);
    keys[0] ^= odd[0];
    keys[2] ^= odd[1];
    keys
}

/// [`open_keys`] for blocks from `first` on that have its upper word, with what that word adds to the first three rounds, where one of the
/// two products is the same for all of these blocks; the first is the lower word of `first` instead.
pub(crate) fn keys(seed: u64, stream: Stream, first: u64) -> [u32; 20] {
    let mut keys = open_keys(seed, stream);
    let even = product(MULTIPLIERS[0], keys[0] ^ (first >> 32) as u32);
    keys[0] = first as u32;
    keys[3] ^= even[0];
    keys[5] ^= even[1];
    keys
}

impl Params {
    /// As many of the elements `offset..offset + n` of a stream of `seed` as lie in Philox blocks of one upper word.
    fn new(out: u64, n: u64, seed: u64, offset: u64, stream: Stream) -> Params {
        let held = held(stream);
        let (block, skip) = (offset / held, offset % held);
        let n = n.min((CARRY - block % CARRY) * held - skip);
        let stored_whole = skip == 0 && out.is_multiple_of(16);
        let whole = n / (held * made_together(stream));
        Params {
            out,
            n,
            skip: skip as u32,
            whole: if stored_whole { whole as u32 } else { 0 },
            keys: keys(seed, stream, block),
            ..Params::default()
        }
    }

    fn blocks(&self, held: u64) -> u64 {
        (self.n + u64::from(self.skip)).div_ceil(held)
    }
}

/// A draw: `n` elements of a stream of a seed from `offset` on.
#[derive(Clone, Copy)]
struct Draw {
    stream: Stream,
    n: u64,
    seed: u64,
    offset: u64,
    low: i64,
    size: u64,
}

impl Draw {
    /// What a launch asks for, without a range.
    fn new(stream: Stream, n: u64, args: &Launch) -> Draw {
        let (seed, offset) = (word(args, 0), word(args, 1));
        Draw {
            stream,
            n,
            seed,
            offset,
            low: 0,
            size: 0,
        }
    }

    /// The launches that fill memory at `out`: a new one where the lower word of the Philox block carries.
    fn launches(self, out: u64) -> impl Iterator<Item = Params> {
        let size = 16 / held(self.stream);
        let mut done = 0;
        iter::from_fn(move || {
            let (left, at) = (self.n - done, self.offset.wrapping_add(done));
            let part = Params::new(out + done * size, left, self.seed, at, self.stream);
            done += part.n;
            (part.n > 0).then_some(Params {
                low: self.low,
                size: self.size,
                ..part
            })
        })
    }
}

fn word(args: &Launch, at: usize) -> u64 {
    args.params.get(at).map_or(0, |p| p.to_i128() as u64)
}

/// Fills memory at `out` with a draw.
///
/// # Safety
/// There is room for its elements.
unsafe fn fill(context: &Context, entry: &str, draw: Draw, out: u64) -> Result<()> {
    for params in draw.launches(out) {
        let blocks = params.blocks(held(draw.stream));
        let geometry = Geometry::line(blocks.div_ceil(made_together(draw.stream)), THREADS);
        // SAFETY: the parameters are the kernel's, with a part of the room that the caller promises.
        unsafe { params.launch(context, entry, geometry)? };
    }
    Ok(())
}

/// A launch of values of real numbers, whose output is `float32` or `float64`.
///
/// # Safety
/// As the kernel's contract says.
unsafe fn real(context: &Context, args: &Launch, ways: [(&str, Stream); 2]) -> Result<()> {
    let out = &args.outputs[0];
    let (entry, stream) = ways[usize::from(out.dtype != DType::F32)];
    let draw = Draw::new(stream, out.layout.numel() as u64, args);
    // SAFETY: the output is contiguous and of that type.
    unsafe { fill(context, entry, draw, out.address() as u64) }
}

/// # Safety
/// As the kernel's contract says.
pub(crate) unsafe fn uniform(context: &Context, args: &Launch) -> Result<()> {
    let ways = [
        ("random_uniform_f32", Stream::Uniform32),
        ("random_uniform_f64", Stream::Uniform64),
    ];
    // SAFETY: the caller's promise.
    unsafe { real(context, args, ways) }
}

/// # Safety
/// As the kernel's contract says.
pub(crate) unsafe fn normal(context: &Context, args: &Launch) -> Result<()> {
    let ways = [
        ("random_normal_f32", Stream::Normal32),
        ("random_normal_f64", Stream::Normal64),
    ];
    // SAFETY: the caller's promise.
    unsafe { real(context, args, ways) }
}

/// # Safety
/// As the kernel's contract says.
pub(crate) unsafe fn integers(context: &Context, args: &Launch) -> Result<()> {
    let out = &args.outputs[0];
    let (low, high) = (word(args, 2) as i64, word(args, 3) as i64);
    if low >= high {
        let what = format!("the range {low}..{high} is empty; high must exceed low");
        return Err(Error::value("random_integers", what));
    }
    let draw = Draw {
        low,
        size: high.wrapping_sub(low) as u64,
        ..Draw::new(Stream::Integer, out.layout.numel() as u64, args)
    };
    // SAFETY: the output is contiguous and `int64`.
    unsafe { fill(context, "random_integers_i64", draw, out.address() as u64) }
}

/// # Safety
/// As the kernel's contract says.
pub(crate) unsafe fn permutation(context: &Context, args: &Launch) -> Result<()> {
    let out = &args.outputs[0];
    let n = out.layout.numel();
    let line = one_line(n)?;
    let keys = context.scratch(n * 8)?;
    let draw = Draw::new(Stream::Permutation, n as u64, args);
    // SAFETY: the scratch holds the keys, and the output is contiguous and `int64`.
    unsafe {
        fill(context, "random_permutation_u64", draw, keys.address())?;
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
    use syntonic_core::random::philox4x32_10;

    #[test]
    fn blocks_cover_ragged_ends() {
        let params = Params::new(64, 6, 9, 7, Stream::Normal32);
        assert_eq!((params.keys[0], params.skip, params.whole), (1, 3, 0));
        // Element 3 of block 1, the four of block 2, and one of block 3.
        assert_eq!(params.blocks(4), 3);
    }

    #[test]
    fn whole_blocks_are_stored_at_once_where_memory_allows() {
        let whole = |out, n, offset| Params::new(out, n, 0, offset, Stream::Uniform32).whole;
        assert_eq!(whole(64, 4096, 8), 2);
        assert_eq!(whole(64, 4095, 8), 1);
        assert_eq!(whole(72, 4096, 8), 0);
        assert_eq!(whole(64, 4096, 9), 0);
    }

    #[test]
    fn a_draw_is_cut_where_the_lower_word_of_its_blocks_carries() {
        let draw = |offset, n| Draw {
            stream: Stream::Uniform64,
            n,
            seed: 5,
            offset,
            low: -1,
            size: 3,
        };
        let cut = |d: Draw| -> Vec<(u64, u64, u32, u32)> {
            let parts = d.launches(640).map(|p| {
                assert_eq!((p.low, p.size), (-1, 3));
                (p.out, p.n, p.skip, p.keys[0])
            });
            parts.collect()
        };
        assert_eq!(cut(draw(7, 0)), []);
        assert_eq!(cut(draw((1 << 33) - 8, 8)), [(640, 8, 0, u32::MAX - 3)]);
        let expected = [(640, 3, 1, u32::MAX - 1), (664, 1 << 33, 0, 0)];
        assert_eq!(cut(draw((1 << 34) - 3, (1 << 33) + 3)), expected);
        // Elements wrap where their blocks do.
        let expected = [(640, 5, 1, u32::MAX - 2), (680, 2, 0, 0)];
        assert_eq!(cut(draw(u64::MAX - 4, 7)), expected);
        let upper = Params::new(680, 2, 5, 0, Stream::Uniform64).keys;
        let last = draw(u64::MAX - 4, 7).launches(640).last();
        assert_eq!(last.map(|p| p.keys), Some(upper));
    }

    /// The ten rounds as the kernels do them.
    fn words(keys: [u32; 20], block: u32) -> [u32; 4] {
        let [hi, lo] = product(0xD251_1F53, block);
        let odd = product(0xCD9E_8D57, hi ^ keys[1]);
        let mut c = [odd[0] ^ keys[2], odd[1], lo ^ keys[3], 0];
        for k in keys[4..].chunks(2) {
            let (even, odd) = (product(0xD251_1F53, c[0]), product(0xCD9E_8D57, c[2]));
            c = [odd[0] ^ c[1] ^ k[0], odd[1], even[0] ^ c[3] ^ k[1], even[1]];
        }
        c
    }

    #[test]
    fn keys_with_constant_words_in_them_give_philox() {
        for (seed, block) in [
            (0, 0),
            (42, 7),
            (u64::MAX, u64::MAX / 4),
            (1 << 40, 3 << 32),
        ] {
            for stream in [Stream::Uniform32, Stream::Normal64, Stream::Permutation] {
                let counter = [block as u32, (block >> 32) as u32, stream as u32, 0];
                let key = [seed as u32, (seed >> 32) as u32];
                let keys = keys(seed, stream, block);
                assert_eq!(words(keys, keys[0]), philox4x32_10(counter, key));
            }
        }
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
