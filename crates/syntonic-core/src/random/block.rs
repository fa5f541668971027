//! Groups of Philox blocks, and what a draw makes of them.

use super::philox::philox4x32_10;

/// Philox blocks computed together: enough to keep wide registers busy, few enough to stay in the
/// first cache.
pub(super) const LANES: usize = 128;

/// Words of up to [`LANES`] consecutive blocks, word by word: `words[w][j]` is word `w` of block `j`.
pub(super) type Words = [[u32; LANES]; 4];

/// Which stream of a seed a draw reads: the third word of the Philox counter, the same on every device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Stream {
    /// Raw words of 32 bits: with the fourth word zero this is plain Philox over the block index.
    Bits32 = 0,
    /// Raw words of 64 bits.
    Bits64 = 1,
    /// Uniform `float32` in [0, 1).
    Uniform32 = 2,
    /// Uniform `float64` in [0, 1).
    Uniform64 = 3,
    /// Standard normal `float32`.
    Normal32 = 4,
    /// Standard normal `float64`.
    Normal64 = 5,
    /// Integers of a range.
    Integer = 6,
    /// Ranks that make a permutation.
    Permutation = 7,
    /// Seeds of further generators.
    Fork = 8,
}

/// A kind of random value: how many a block yields, and how.
pub(super) trait Draw: Copy + Send + Sync {
    /// The value drawn.
    type Value: Copy + Default + Send;
    /// Values made from one block of four words.
    const PER_BLOCK: usize;
    /// The stream read.
    const STREAM: Stream;

    /// Turns blocks `0..out.len() / PER_BLOCK` of `words` into values, in order.
    fn emit(self, words: &Words, out: &mut [Self::Value]);
}

/// The key of a seed.
#[inline(always)]
pub(super) fn key(seed: u64) -> [u32; 2] {
    [seed as u32, (seed >> 32) as u32]
}

/// The counter of a block of a stream.
#[inline(always)]
pub(super) fn counter(block: u64, stream: Stream) -> [u32; 4] {
    [block as u32, (block >> 32) as u32, stream as u32, 0]
}

/// Values of whole blocks from `first` on; `out` holds at most [`LANES`] blocks.
#[expect(
    clippy::needless_range_loop,
    reason = "this form becomes vector code; iterators over four rows do not, at a sixth of the speed"
)]
#[inline(always)]
pub(super) fn draw_blocks<D: Draw>(draw: D, seed: u64, first: u64, out: &mut [D::Value]) {
    let mut words = [[0; LANES]; 4];
    let count = (out.len() / D::PER_BLOCK).min(LANES);
    let key = key(seed);
    for j in 0..count {
        // Elements wrap at 2⁶⁴, hence blocks at 2⁶⁴ / PER_BLOCK.
        let block = first.wrapping_add(j as u64) & (u64::MAX / D::PER_BLOCK as u64);
        let [a, b, c, d] = philox4x32_10(counter(block, D::STREAM), key);
        words[0][j] = a;
        words[1][j] = b;
        words[2][j] = c;
        words[3][j] = d;
    }
    draw.emit(&words, out);
}
