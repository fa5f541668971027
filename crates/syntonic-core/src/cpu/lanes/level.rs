//! The instruction sets the kernels are compiled for, and the choice made once per process.

use std::sync::OnceLock;

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
    /// The best level of this processor, lowered by the environment variable `SYNTONIC_SIMD`
    /// (`base`, `v3` or `v4`).
    pub fn current() -> Level {
        static CURRENT: OnceLock<Level> = OnceLock::new();
        *CURRENT.get_or_init(|| {
            let wanted = match std::env::var("SYNTONIC_SIMD").as_deref() {
                Ok("base") => Level::Base,
                Ok("v3") => Level::V3,
                _ => Level::V4,
            };
            wanted.min(detect())
        })
    }

    /// The levels this process can run, lowest first.
    pub fn available() -> impl Iterator<Item = Level> {
        [Level::Base, Level::V3, Level::V4]
            .into_iter()
            .filter(|&level| level <= Level::current())
    }
}

#[cfg(target_arch = "x86_64")]
fn detect() -> Level {
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
pub(super) struct WithFma;

impl Isa for Base {
    // Every 64-bit ARM processor has the instruction.
    const FMA: bool = cfg!(any(target_feature = "fma", target_arch = "aarch64"));
}
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
