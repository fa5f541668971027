//! A seed with a place in its streams.

use super::block::{Stream, counter, key};
use super::integer::{EmptyRange, permutation};
use super::philox::philox4x32_10;
use super::uniform::join;
use super::{fill, integer};
use crate::error::Result;
use crate::graph::session;
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
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let generator = Generator::new(7);
    /// assert_eq!((generator.seed, generator.offset), (7, 0));
    /// ```
    pub const fn new(seed: u64) -> Generator {
        Generator { seed, offset: 0 }
    }

    /// Takes `n` elements: returns where they start and moves the offset past them.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let mut generator = Generator::new(7);
    /// assert_eq!((generator.advance(10), generator.advance(5), generator.offset), (0, 10, 15));
    /// ```
    pub fn advance(&mut self, n: usize) -> u64 {
        session::draw();
        let start = self.offset;
        self.offset = start.wrapping_add(n as u64);
        start
    }

    /// An independent generator for part `index` of a job: its seed is the Philox image of the
    /// index under this seed. The offset of `self` plays no part.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let generator = Generator::new(7);
    /// assert_eq!(generator.fork(3), generator.fork(3));
    /// assert_ne!(generator.fork(3).seed, generator.fork(4).seed);
    /// ```
    pub fn fork(&self, index: u64) -> Generator {
        let words = philox4x32_10(counter(index, Stream::Fork), key(self.seed));
        Generator::new(join(words[0], words[1]))
    }

    /// Random 32-bit words.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let (mut one, mut two) = ([0; 4], [0; 4]);
    /// let mut generator = Generator::new(7);
    /// generator.bits_u32(&mut one);
    /// generator.bits_u32(&mut two);
    /// assert!(one != two && generator.offset == 8);
    /// ```
    pub fn bits_u32(&mut self, out: &mut [u32]) {
        let start = self.advance(out.len());
        fill::fill_bits_u32(out, self.seed, start);
    }

    /// Random 64-bit words.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let (mut one, mut again) = ([0; 4], [0; 4]);
    /// Generator::new(7).bits_u64(&mut one);
    /// Generator::new(7).bits_u64(&mut again);
    /// assert_eq!(one, again);
    /// ```
    pub fn bits_u64(&mut self, out: &mut [u64]) {
        let start = self.advance(out.len());
        fill::fill_bits_u64(out, self.seed, start);
    }

    /// Uniform numbers in `[0, 1)`, multiples of 2⁻²⁴.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let mut u = [0.0; 100];
    /// Generator::new(7).uniform_f32(&mut u);
    /// assert!(u.iter().all(|u| (0.0..1.0).contains(u)));
    /// ```
    pub fn uniform_f32(&mut self, out: &mut [f32]) {
        let start = self.advance(out.len());
        fill::fill_uniform_f32(out, self.seed, start);
    }

    /// Uniform numbers in `[0, 1)`, multiples of 2⁻⁵³.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let mut u = [0.0; 100];
    /// Generator::new(7).uniform_f64(&mut u);
    /// assert!(u.iter().all(|u| (0.0..1.0).contains(u)));
    /// ```
    pub fn uniform_f64(&mut self, out: &mut [f64]) {
        let start = self.advance(out.len());
        fill::fill_uniform_f64(out, self.seed, start);
    }

    /// Normal numbers of mean 0 and variance 1.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let mut z = [0f32; 10_000];
    /// Generator::new(7).normal_f32(&mut z);
    /// assert!((z.iter().sum::<f32>() / 1e4).abs() < 0.05);
    /// ```
    pub fn normal_f32(&mut self, out: &mut [f32]) {
        let start = self.advance(out.len());
        fill::fill_normal_f32(out, self.seed, start);
    }

    /// Normal numbers of mean 0 and variance 1.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let mut z = [0f64; 10_000];
    /// Generator::new(7).normal_f64(&mut z);
    /// assert!((z.iter().map(|z| z * z).sum::<f64>() / 1e4 - 1.0).abs() < 0.06);
    /// ```
    pub fn normal_f64(&mut self, out: &mut [f64]) {
        let start = self.advance(out.len());
        fill::fill_normal_f64(out, self.seed, start);
    }

    /// Integers of `low..high`.
    ///
    /// # Errors
    /// [`EmptyRange`] unless `low < high`; the generator and `out` are then unchanged.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let mut dice = [0; 100];
    /// let mut generator = Generator::new(7);
    /// generator.integers(&mut dice, 1, 7).unwrap();
    /// assert!(dice.iter().all(|n| (1..7).contains(n)));
    /// assert!(generator.integers(&mut dice, 7, 1).is_err() && generator.offset == 100);
    /// ```
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
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let mut order = Generator::new(7).permutation(5)?;
    /// order.sort();
    /// assert_eq!(order, [0, 1, 2, 3, 4]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn permutation(&mut self, n: usize) -> Result<Vec<i64>> {
        let order = permutation(n, self.seed, self.offset)?;
        self.advance(n);
        Ok(order)
    }
}
