//! The same source compiled for wider registers, chosen by the level of instructions that the process runs at.
//!
//! The compiler never contracts floating-point operations by itself, and the fused multiply-adds that
//! are written out are rounded once at every level, so every level gives the same bits.

use super::block::{self, Draw};
use crate::cpu::lanes::Level;

/// [`block::draw_blocks`] compiled for a level that this processor has.
pub(super) fn draw_blocks<D: Draw>(
    level: Level,
    draw: D,
    seed: u64,
    first: u64,
    out: &mut [D::Value],
) {
    match level {
        // SAFETY: callers have the level of `Level::current` or `Level::available`, which this processor has.
        #[cfg(target_arch = "x86_64")]
        Level::V4 => unsafe { draw_blocks_v4(draw, seed, first, out) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::V3 => unsafe { draw_blocks_v3(draw, seed, first, out) },
        _ => block::draw_blocks(draw, seed, first, out),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn draw_blocks_v3<D: Draw>(draw: D, seed: u64, first: u64, out: &mut [D::Value]) {
    block::draw_blocks(draw, seed, first, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,fma")]
fn draw_blocks_v4<D: Draw>(draw: D, seed: u64, first: u64, out: &mut [D::Value]) {
    block::draw_blocks(draw, seed, first, out);
}
