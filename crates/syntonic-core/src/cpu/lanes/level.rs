//! The instruction sets the kernels are compiled for, and the choice made once per process.

use crate::error::{Error, Result};
use crate::fork::Lazy;

/// The environment variable that lowers the level.
const VARIABLE: &str = "SYNTONIC_SIMD";

/// A set of vector instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// What every processor of the architecture has (SSE2 on x86-64).
    Base,
    /// x86-64-v3: AVX2, FMA and F16C.
    V3,
    /// x86-64-v4: the AVX-512 of servers.
    V4,
}

impl Level {
    /// Every level by its name, lowest first.
    const NAMES: [(&str, Level); 3] = [("base", Level::Base), ("v3", Level::V3), ("v4", Level::V4)];

    /// The best level of this processor, lowered by the environment variable `SYNTONIC_SIMD`
    /// (`base`, `v3` or `v4`).
    pub fn current() -> Level {
        match chosen() {
            Ok(level) => *level,
            Err(_) => detect(),
        }
    }

    /// As [`Level::current`].
    ///
    /// Errors: [`Error::Value`] where `SYNTONIC_SIMD` names no level. Whoever allocates on the CPU asks, so that nothing is
    /// computed at a level that nobody chose.
    pub fn checked() -> Result<Level> {
        match chosen() {
            Ok(level) => Ok(*level),
            Err(given) => Err(unknown(given)),
        }
    }

    /// The level that a value of `SYNTONIC_SIMD` asks for; an empty one asks for the best.
    fn asked(value: &str) -> std::result::Result<Level, String> {
        let found = Level::NAMES.iter().find(|(name, _)| *name == value);
        match found {
            Some((_, level)) => Ok(*level),
            None if value.is_empty() => Ok(Level::V4),
            None => Err(value.to_owned()),
        }
    }

    /// The levels this process can run, lowest first.
    pub fn available() -> impl Iterator<Item = Level> {
        [Level::Base, Level::V3, Level::V4]
            .into_iter()
            .filter(|&level| level <= Level::current())
    }
}

/// The level of this process, or a name that is none; read once.
fn chosen() -> &'static std::result::Result<Level, String> {
    static CHOSEN: Lazy<std::result::Result<Level, String>> = Lazy::new(|| {
        let value = std::env::var_os(VARIABLE).unwrap_or_default();
        Ok(Level::asked(&value.to_string_lossy())?.min(detect()))
    });
    &CHOSEN
}

#[cold]
fn unknown(given: &str) -> Error {
    let names = Level::NAMES.map(|(name, _)| name).join(", ");
    Error::value(
        VARIABLE,
        format!("{given:?} is no level of instructions; hint: one of {names}, or leave it unset"),
    )
}

#[cfg(target_arch = "x86_64")]
fn detect() -> Level {
    // An interpreter has the plain instructions alone.
    if cfg!(miri) {
        return Level::Base;
    }
    let v3 = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("f16c")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt");
    let v4 = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512cd")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl");
    match (v3, v4) {
        (true, true) => Level::V4,
        (true, false) => Level::V3,
        _ => Level::Base,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn detect() -> Level {
    Level::Base
}

/// What a body must know of the instructions it is compiled for.
pub(super) trait Isa {
    /// True if `mul_add` is one instruction; elsewhere it would be a call into the C library, thirty
    /// times slower than a product and a sum.
    const FMA: bool;

    /// `a * b + c`, rounded once where that is one instruction and twice elsewhere.
    #[inline(always)]
    fn mul_add<T: Fused>(a: T, b: T, c: T) -> T {
        if Self::FMA { a.fused(b, c) } else { a * b + c }
    }
}

/// The instructions of [`Level::Base`].
pub(super) struct Base;
/// The instructions of [`Level::V3`] and [`Level::V4`].
#[cfg(target_arch = "x86_64")]
pub(super) struct WithFma;

impl Isa for Base {
    // Every 64-bit ARM processor has the instruction.
    const FMA: bool = cfg!(any(target_feature = "fma", target_arch = "aarch64"));
}
#[cfg(target_arch = "x86_64")]
impl Isa for WithFma {
    const FMA: bool = true;
}

/// A float with a fused multiply-add.
pub(super) trait Fused:
    Copy + std::ops::Mul<Output = Self> + std::ops::Add<Output = Self>
{
    /// `self * b + c`, rounded once.
    fn fused(self, b: Self, c: Self) -> Self;
}

impl Fused for f32 {
    #[inline(always)]
    fn fused(self, b: f32, c: f32) -> f32 {
        self.mul_add(b, c)
    }
}
impl Fused for f64 {
    #[inline(always)]
    fn fused(self, b: f64, c: f64) -> f64 {
        self.mul_add(b, c)
    }
}

/// `c[0] + c[1] x + c[2] x^2 + ...` by Horner's rule.
#[inline(always)]
pub(super) fn polynomial<L: Isa, T: Fused, const N: usize>(x: T, c: &[T; N]) -> T {
    let mut sum = c[N - 1];
    let mut k = N - 1;
    while k > 0 {
        k -= 1;
        sum = L::mul_add(sum, x, c[k]);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_levels_are_errors_that_list_the_known_ones() {
        for (name, level) in Level::NAMES {
            assert_eq!(Level::asked(name), Ok(level));
        }
        assert_eq!(Level::asked(""), Ok(Level::V4));
        for wrong in ["avx2", "V3", "v3 ", "0"] {
            let error = unknown(&Level::asked(wrong).unwrap_err()).to_string();
            assert!(
                error.contains("SYNTONIC_SIMD") && error.contains(wrong),
                "{error}"
            );
            assert!(error.contains("base, v3, v4"), "{error}");
        }
        assert_eq!(Level::checked().unwrap(), Level::current());
    }
}
