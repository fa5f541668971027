//! Integers in a range, and permutations.

use super::block::{Draw, Stream, Words};
use super::fill::fill;
use super::uniform::{each_pair, join};
use crate::error::Result;
use crate::interrupt::collected;
use crate::ops::order::radix_sort;
use crate::room;

/// A range `low..high` that holds no integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("random integers: the range {low}..{high} is empty; high must exceed low")]
pub struct EmptyRange {
    /// Smallest integer asked for.
    pub low: i64,
    /// First integer above the range.
    pub high: i64,
}

/// `low + ⌊w · size / 2⁶⁴⌋` for a 64-bit word `w`: the probability of an integer differs from
/// `1/size` by less than 2⁻⁶⁴, and no word is ever rejected, so the index decides the value.
#[derive(Clone, Copy)]
pub(super) struct Integers {
    low: i64,
    size: u64,
}

impl Integers {
    pub(super) fn new(low: i64, high: i64) -> std::result::Result<Integers, EmptyRange> {
        if low >= high {
            return Err(EmptyRange { low, high });
        }
        Ok(Integers {
            low,
            size: high.wrapping_sub(low) as u64,
        })
    }
}

impl Draw for Integers {
    type Value = i64;
    const PER_BLOCK: usize = 2;
    const STREAM: Stream = Stream::Integer;

    #[inline(always)]
    fn emit(self, words: &Words, out: &mut [i64]) {
        each_pair(words, out, |low, high| {
            let scaled = (u128::from(join(low, high)) * u128::from(self.size)) >> 64;
            self.low.wrapping_add(scaled as i64)
        });
    }
}

/// 64-bit sorting keys, from a stream of their own.
#[derive(Clone, Copy)]
struct Keys;

impl Draw for Keys {
    type Value = u64;
    const PER_BLOCK: usize = 2;
    const STREAM: Stream = Stream::Permutation;

    #[inline(always)]
    fn emit(self, words: &Words, out: &mut [u64]) {
        each_pair(words, out, join);
    }
}

/// A permutation of `0..n`: the order that sorts `n` random 64-bit keys, equal keys by index.
///
/// It reads elements `offset..offset + n` of the permutation stream of `seed`.
///
/// # Errors
/// [`Error::OutOfMemory`](crate::Error::OutOfMemory) where `n` numbers and their keys have no room,
/// [`Error::Interrupted`](crate::Error::Interrupted) where the caller [stops](crate::interrupt) the work.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_core::random::permutation;
///
/// let mut order = permutation(5, 7, 0)?;
/// assert_eq!(order, permutation(5, 7, 0)?);
/// order.sort();
/// assert_eq!(order, [0, 1, 2, 3, 4]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn permutation(n: usize, seed: u64, offset: u64) -> Result<Vec<i64>> {
    let mut keys = room::zeros(n)?;
    fill(Keys, &mut keys, seed, offset)?;
    let mut order = collected(n, UNASKED, |i| (keys[i], i as i64))?;
    drop(keys);
    // Equal keys keep their order.
    radix_sort(&mut order, u64::BITS, |&(key, _)| key)?;
    collected(n, UNASKED, |i| order[i].1)
}

/// Elements that are copied before the caller is asked whether to go on.
const UNASKED: usize = 1 << 18;
