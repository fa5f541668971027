//! A seed with a place in its streams.

use super::block::{Stream, counter, key};
use super::integer::{EmptyRange, permutation};
use super::philox::philox4x32_10;
use super::uniform::join;
use super::{fill, integer};
use crate::error::Result;
use serde::{Deserialize, Serialize};

/// A source of random numbers: the state is two integers, so saving it is saving them.
///
/// Every draw of `n` values takes elements `offset..offset + n` and moves `offset` on by `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Generator {
    /// Which family of streams.
    pub seed: u64,
    /// The next element.
    pub offset: u64,
}

impl Generator {
    /// The start of the streams of `seed`.
    pub const fn new(seed: u64) -> Generator {
        Generator { seed, offset: 0 }
    }

    /// Takes `n` elements: returns where they start and moves the offset past them.
    pub fn advance(&mut self, n: usize) -> u64 {
        let start = self.offset;
        self.offset = start.wrapping_add(n as u64);
        start
    }

    /// An independent generator for part `index` of a job: its seed is the Philox image of the
    /// index under this seed. The offset of `self` plays no part.
    pub fn fork(&self, index: u64) -> Generator {
        let words = philox4x32_10(counter(index, Stream::Fork), key(self.seed));
        Generator::new(join(words[0], words[1]))
    }

    /// Random 32-bit words.
    pub fn bits_u32(&mut self, out: &mut [u32]) {
        let start = self.advance(out.len());
        fill::fill_bits_u32(out, self.seed, start);
    }

    /// Random 64-bit words.
    pub fn bits_u64(&mut self, out: &mut [u64]) {
        let start = self.advance(out.len());
        fill::fill_bits_u64(out, self.seed, start);
    }

    /// Uniform numbers in `[0, 1)`, multiples of 2⁻²⁴.
    pub fn uniform_f32(&mut self, out: &mut [f32]) {
        let start = self.advance(out.len());
        fill::fill_uniform_f32(out, self.seed, start);
    }

    /// Uniform numbers in `[0, 1)`, multiples of 2⁻⁵³.
    pub fn uniform_f64(&mut self, out: &mut [f64]) {
        let start = self.advance(out.len());
        fill::fill_uniform_f64(out, self.seed, start);
    }

    /// Normal numbers of mean 0 and variance 1.
    pub fn normal_f32(&mut self, out: &mut [f32]) {
        let start = self.advance(out.len());
        fill::fill_normal_f32(out, self.seed, start);
    }

    /// Normal numbers of mean 0 and variance 1.
    pub fn normal_f64(&mut self, out: &mut [f64]) {
        let start = self.advance(out.len());
        fill::fill_normal_f64(out, self.seed, start);
    }

    /// Integers of `low..high`.
    ///
    /// # Errors
    /// [`EmptyRange`] unless `low < high`; the generator and `out` are then unchanged.
    pub fn integers(
        &mut self,
        out: &mut [i64],
        low: i64,
        high: i64,
    ) -> std::result::Result<(), EmptyRange> {
        let draw = integer::Integers::new(low, high)?;
        let start = self.advance(out.len());
        let _ = fill::fill(draw, out, self.seed, start);
        Ok(())
    }

    /// A permutation of `0..n`.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory), and [`Error::Interrupted`](crate::Error::Interrupted) where the
    /// caller [stops](crate::interrupt) the work; the generator is then unchanged.
    pub fn permutation(&mut self, n: usize) -> Result<Vec<i64>> {
        let order = permutation(n, self.seed, self.offset)?;
        self.advance(n);
        Ok(order)
    }
}
