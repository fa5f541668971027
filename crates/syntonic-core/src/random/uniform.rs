//! Raw words and uniform floats.

use super::block::{Draw, Stream, Words};

/// One word per value.
#[derive(Clone, Copy)]
pub(super) struct Bits32;

/// Two words per value, the first one low.
#[derive(Clone, Copy)]
pub(super) struct Bits64;

/// `[0, 1)` in steps of 2⁻²⁴: the upper 24 bits of one word.
#[derive(Clone, Copy)]
pub(super) struct Uniform32;

/// `[0, 1)` in steps of 2⁻⁵³: the upper 53 bits of two words.
#[derive(Clone, Copy)]
pub(super) struct Uniform64;

/// Two words as one integer, the first one low.
#[inline(always)]
pub(super) fn join(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

/// One value from each word.
#[inline(always)]
fn each_word<T>(words: &Words, out: &mut [T], value: impl Fn(u32) -> T) {
    let (blocks, _) = out.as_chunks_mut::<4>();
    let [w0, w1, w2, w3] = words;
    for (block, (((a, b), c), d)) in blocks.iter_mut().zip(w0.iter().zip(w1).zip(w2).zip(w3)) {
        *block = [value(*a), value(*b), value(*c), value(*d)];
    }
}

/// One value from each pair of words.
#[inline(always)]
pub(super) fn each_pair<T>(words: &Words, out: &mut [T], value: impl Fn(u32, u32) -> T) {
    let (blocks, _) = out.as_chunks_mut::<2>();
    let [w0, w1, w2, w3] = words;
    for (block, (((a, b), c), d)) in blocks.iter_mut().zip(w0.iter().zip(w1).zip(w2).zip(w3)) {
        *block = [value(*a, *b), value(*c, *d)];
    }
}

impl Draw for Bits32 {
    type Value = u32;
    const PER_BLOCK: usize = 4;
    const STREAM: Stream = Stream::Bits32;

    #[inline(always)]
    fn emit(self, words: &Words, out: &mut [u32]) {
        each_word(words, out, |w| w);
    }
}

impl Draw for Bits64 {
    type Value = u64;
    const PER_BLOCK: usize = 2;
    const STREAM: Stream = Stream::Bits64;

    #[inline(always)]
    fn emit(self, words: &Words, out: &mut [u64]) {
        each_pair(words, out, join);
    }
}

impl Draw for Uniform32 {
    type Value = f32;
    const PER_BLOCK: usize = 4;
    const STREAM: Stream = Stream::Uniform32;

    #[inline(always)]
    fn emit(self, words: &Words, out: &mut [f32]) {
        const STEP: f32 = 1.0 / (1u32 << 24) as f32;
        // 24 bits fit a signed word, whose conversion every instruction set has.
        each_word(words, out, |w| (w >> 8) as i32 as f32 * STEP);
    }
}

impl Draw for Uniform64 {
    type Value = f64;
    const PER_BLOCK: usize = 2;
    const STREAM: Stream = Stream::Uniform64;

    #[inline(always)]
    fn emit(self, words: &Words, out: &mut [f64]) {
        each_pair(words, out, |low, high| {
            // 32 + 21 bits, each part and the sum exact.
            const HIGH: f64 = 1.0 / (1u64 << 32) as f64;
            const STEP: f64 = 1.0 / (1u64 << 53) as f64;
            f64::from(high) * HIGH + f64::from((low >> 11) as i32) * STEP
        });
    }
}
