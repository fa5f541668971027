//! Filling slices: whole blocks straight into place, ragged ends through a small buffer, long
//! slices in parallel. Where the caller [stops](crate::interrupt) the work, a part of a slice stays as it was, and
//! `interrupt::check` says so.

use super::block::{Draw, LANES};
use super::integer::{EmptyRange, Integers};
use super::level::draw_blocks;
use super::normal::{Normal32, Normal64};
use super::uniform::{Bits32, Bits64, Uniform32, Uniform64};
use crate::cpu::lanes::Level;
use crate::cpu::threads::share_chunks;
use crate::interrupt::Outcome;

/// Values a thread fills at a time.
const PIECE: usize = 1 << 15;

/// No draw makes more values of one block.
const MAX_PER_BLOCK: usize = 4;

/// Fills `out` with elements `offset..offset + out.len()` of the stream of `draw`; of work that is stopped, only a part.
pub(super) fn fill<D: Draw>(draw: D, out: &mut [D::Value], seed: u64, offset: u64) -> Outcome {
    let level = Level::current();
    if out.len() <= PIECE {
        fill_at(level, draw, out, seed, offset);
        return Ok(());
    }
    share_chunks(out, PIECE, |start, piece| {
        let start = offset.wrapping_add(start as u64);
        fill_at(level, draw, piece, seed, start);
    })
}

/// [`fill`] on this thread, with a chosen instruction set.
pub(super) fn fill_at<D: Draw>(
    level: Level,
    draw: D,
    out: &mut [D::Value],
    seed: u64,
    offset: u64,
) {
    let per_block = D::PER_BLOCK as u64;
    let mut at = offset;
    let mut rest = out;
    while !rest.is_empty() {
        let skip = (at % per_block) as usize;
        let whole = rest.len() - rest.len() % D::PER_BLOCK;
        let taken = if skip == 0 && whole > 0 {
            let taken = whole.min(LANES * D::PER_BLOCK);
            draw_blocks(level, draw, seed, at / per_block, &mut rest[..taken]);
            taken
        } else {
            fill_ragged(level, draw, rest, seed, at)
        };
        rest = &mut rest[taken..];
        at = at.wrapping_add(taken as u64);
    }
}

/// Fills the part of `out` that lies in the block of element `at`; returns its length.
fn fill_ragged<D: Draw>(level: Level, draw: D, out: &mut [D::Value], seed: u64, at: u64) -> usize {
    let per_block = D::PER_BLOCK;
    let skip = (at % per_block as u64) as usize;
    let taken = out.len().min(per_block - skip);
    let mut block = [D::Value::default(); MAX_PER_BLOCK];
    draw_blocks(
        level,
        draw,
        seed,
        at / per_block as u64,
        &mut block[..per_block],
    );
    out[..taken].copy_from_slice(&block[skip..skip + taken]);
    taken
}

/// Fills `out` with random words: element `offset + i` of the 32-bit stream of `seed`.
///
/// ```
/// use syntonic_core::random::fill_bits_u32;
///
/// let (mut all, mut end) = ([0; 8], [0; 3]);
/// fill_bits_u32(&mut all, 7, 0);
/// fill_bits_u32(&mut end, 7, 5);
/// assert_eq!(end, all[5..]);
/// ```
pub fn fill_bits_u32(out: &mut [u32], seed: u64, offset: u64) {
    let _ = fill(Bits32, out, seed, offset);
}

/// Fills `out` with random words: element `offset + i` of the 64-bit stream of `seed`.
///
/// ```
/// use syntonic_core::random::fill_bits_u64;
///
/// let (mut all, mut end) = ([0; 8], [0; 3]);
/// fill_bits_u64(&mut all, 7, 0);
/// fill_bits_u64(&mut end, 7, 5);
/// assert_eq!(end, all[5..]);
/// ```
pub fn fill_bits_u64(out: &mut [u64], seed: u64, offset: u64) {
    let _ = fill(Bits64, out, seed, offset);
}

/// Fills `out` with uniform numbers in `[0, 1)`, multiples of 2⁻²⁴.
///
/// ```
/// use syntonic_core::random::fill_uniform_f32;
///
/// let mut u = [0.0; 100];
/// fill_uniform_f32(&mut u, 7, 0);
/// assert!(u.iter().all(|u| (0.0..1.0).contains(u)));
/// ```
pub fn fill_uniform_f32(out: &mut [f32], seed: u64, offset: u64) {
    let _ = fill(Uniform32, out, seed, offset);
}

/// Fills `out` with uniform numbers in `[0, 1)`, multiples of 2⁻⁵³.
///
/// ```
/// use syntonic_core::random::fill_uniform_f64;
///
/// let mut u = [0.0; 100];
/// fill_uniform_f64(&mut u, 7, 0);
/// assert!(u.iter().all(|u| (0.0..1.0).contains(u)));
/// ```
pub fn fill_uniform_f64(out: &mut [f64], seed: u64, offset: u64) {
    let _ = fill(Uniform64, out, seed, offset);
}

/// Fills `out` with normal numbers of mean 0 and variance 1; `|z| < 6.77`.
///
/// ```
/// use syntonic_core::random::fill_normal_f32;
///
/// let mut z = [0f32; 10_000];
/// fill_normal_f32(&mut z, 7, 0);
/// assert!((z.iter().sum::<f32>() / 1e4).abs() < 0.05);
/// ```
pub fn fill_normal_f32(out: &mut [f32], seed: u64, offset: u64) {
    let _ = fill(Normal32, out, seed, offset);
}

/// Fills `out` with normal numbers of mean 0 and variance 1; `|z| < 9.50`.
///
/// ```
/// use syntonic_core::random::fill_normal_f64;
///
/// let mut z = [0f64; 10_000];
/// fill_normal_f64(&mut z, 7, 0);
/// assert!((z.iter().map(|z| z * z).sum::<f64>() / 1e4 - 1.0).abs() < 0.06);
/// ```
pub fn fill_normal_f64(out: &mut [f64], seed: u64, offset: u64) {
    let _ = fill(Normal64, out, seed, offset);
}

/// Fills `out` with integers of `low..high`; probabilities are equal to within 2⁻⁶⁴.
///
/// # Errors
/// [`EmptyRange`] unless `low < high`; `out` is then unchanged.
///
/// ```
/// use syntonic_core::random::fill_integers;
///
/// let mut dice = [0; 100];
/// fill_integers(&mut dice, 1, 7, 42, 0).unwrap();
/// assert!(dice.iter().all(|n| (1..7).contains(n)));
/// assert!(fill_integers(&mut dice, 7, 7, 42, 0).is_err());
/// ```
pub fn fill_integers(
    out: &mut [i64],
    low: i64,
    high: i64,
    seed: u64,
    offset: u64,
) -> Result<(), EmptyRange> {
    let _ = fill(Integers::new(low, high)?, out, seed, offset);
    Ok(())
}
