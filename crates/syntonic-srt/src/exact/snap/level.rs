//! Nearest points of slices, compiled for wider registers and chosen by the level of instructions that the process runs at. There are
//! no contracted operations, so every level gives the same points.

use super::lanes::{BLOCK, MOST, Points, nearest};
use super::snap;
use crate::exact::{ExactError, Golden};
use syntonic_core::cpu::lanes::Level;

/// The nearest point to each number, into `a` and `b` of the same length. Errors as [`snap`], with the first place that has one.
pub(in crate::exact) fn snap_slice(
    x: &[f64],
    bound: u32,
    a: &mut [i64],
    b: &mut [i64],
) -> Result<(), (usize, ExactError)> {
    let level = Level::current();
    let blocks = x
        .chunks(BLOCK)
        .zip(a.chunks_mut(BLOCK).zip(b.chunks_mut(BLOCK)));
    for (k, (x, (a, b))) in blocks.enumerate() {
        let whole: Result<&[f64; BLOCK], _> = x.try_into();
        let points = match whole {
            Ok(x) if f64::from(bound) <= MOST => Some(at(level, x, f64::from(bound))),
            _ => None,
        };
        for i in 0..x.len() {
            let point = match &points {
                Some(points) if points.told[i] => Golden::new(points.a[i], points.b[i]),
                _ => snap(x[i], bound).map_err(|error| (k * BLOCK + i, error))?,
            };
            (a[i], b[i]) = (point.a, point.b);
        }
    }
    Ok(())
}

/// [`nearest`] compiled for a level that this processor has.
fn at(level: Level, x: &[f64; BLOCK], bound: f64) -> Points {
    match level {
        // SAFETY: the level is that of `Level::current`, which this processor has.
        #[cfg(target_arch = "x86_64")]
        Level::V4 => unsafe { nearest_v4(x, bound) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::V3 => unsafe { nearest_v3(x, bound) },
        _ => nearest(x, bound),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn nearest_v3(x: &[f64; BLOCK], bound: f64) -> Points {
    nearest(x, bound)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,fma")]
fn nearest_v4(x: &[f64; BLOCK], bound: f64) -> Points {
    nearest(x, bound)
}
