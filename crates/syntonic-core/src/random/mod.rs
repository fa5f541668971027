//! Random numbers by element index.
//!
//! Element `i` of a draw depends on the seed, on what is drawn, and on `offset + i`: nothing else.
//! Chunks, threads, instruction sets and devices therefore all give the same bits, and saving two
//! integers saves the state of a generator.
//!
//! The source is Philox4x32-10: a keyed bijection of 128-bit counters. The key is the seed; the
//! counter holds the block index in its low 64 bits and the kind of draw in the third word, so
//! draws of different kinds never share random bits, whatever their offsets.
//!
//! Floating-point results use additions, multiplications, fused multiply-adds and one square root, each
//! rounded as IEEE 754 says, in a fixed order. No library function is called, so no library can change
//! the bits.

mod block;
mod fill;
mod generator;
mod integer;
mod level;
mod logarithms;
mod normal;
mod philox;
mod shared;
mod uniform;

#[cfg(test)]
mod tests;

pub use block::Stream;
pub use fill::{
    fill_bits_u32, fill_bits_u64, fill_integers, fill_normal_f32, fill_normal_f64,
    fill_uniform_f32, fill_uniform_f64,
};
pub use generator::Generator;
pub use integer::{EmptyRange, permutation};
pub use philox::philox4x32_10;
pub use shared::{SharedGenerator, Source};
