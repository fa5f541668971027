//! Instruction sets: the same source compiled for wider registers, chosen when the program runs.
//!
//! The compiler never contracts floating-point operations by itself, and the fused multiply-adds that
//! are written out are rounded once at every level, so every level gives the same bits.

use super::block::{Draw, draw_blocks};

/// An instruction set the block kernels are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// Whatever the build targets.
    Baseline,
    /// 256-bit integer and floating-point registers, with fused multiply-add.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// 512-bit registers.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// The widest level this processor has.
    pub(super) fn detect() -> Level {
        #[cfg(target_arch = "x86_64")]
        {
            if Level::has_avx512() {
                return Level::Avx512;
            }
            if Level::has_avx2() {
                return Level::Avx2;
            }
        }
        Level::Baseline
    }

    /// Every level this processor has, narrowest first.
    #[cfg(test)]
    pub(super) fn available() -> Vec<Level> {
        #[allow(unused_mut)]
        let mut levels = vec![Level::Baseline];
        #[cfg(target_arch = "x86_64")]
        {
            if Level::has_avx2() {
                levels.push(Level::Avx2);
            }
            if Level::has_avx512() {
                levels.push(Level::Avx512);
            }
        }
        levels
    }

    #[cfg(target_arch = "x86_64")]
    fn has_avx2() -> bool {
        is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
    }

    #[cfg(target_arch = "x86_64")]
    fn has_avx512() -> bool {
        Level::has_avx2()
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
    }

    /// [`draw_blocks`] compiled for this level.
    pub(super) fn draw_blocks<D: Draw>(self, draw: D, seed: u64, first: u64, out: &mut [D::Value]) {
        match self {
            Level::Baseline => draw_blocks(draw, seed, first, out),
            // SAFETY: `detect` and `available` make these values only where the processor has the
            // features.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { draw_blocks_avx2(draw, seed, first, out) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { draw_blocks_avx512(draw, seed, first, out) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn draw_blocks_avx2<D: Draw>(draw: D, seed: u64, first: u64, out: &mut [D::Value]) {
    draw_blocks(draw, seed, first, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,fma")]
fn draw_blocks_avx512<D: Draw>(draw: D, seed: u64, first: u64, out: &mut [D::Value]) {
    draw_blocks(draw, seed, first, out);
}
