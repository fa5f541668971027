//! Objectives that are sums over coordinates: terms in the search's own type, sums in double precision. Every operation rounds once, in
//! an order that is the same on every device.

use crate::evolve::elementary::exp;
use std::f64::consts::E;

/// An objective with kernels of its own, so that candidates are scored without being stored. All have the minimum 0.
///
/// Source: Hansen et al., *Real-Parameter Black-Box Optimization Benchmarking 2009: Noiseless Functions Definitions*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// `Σ x²`.
    Sphere,
    /// `Σ 10^(6 j/(n-1)) x_j²`.
    Ellipsoid,
    /// `x_0² + 10⁶ Σ x_j²` over the others.
    Cigar,
    /// `10⁶ x_0² + Σ x_j²` over the others.
    Discus,
    /// `10 n + Σ (x² - 10 cos 2πx)`.
    Rastrigin,
    /// `20 - 20 exp(-0.2 sqrt(Σ x²/n)) + e - exp(Σ cos 2πx / n)`.
    Ackley,
    /// `Σ 100 (x_(j+1) - x_j²)² + (1 - x_j)²`; its minimum is at 1.
    Rosenbrock,
}

/// How the kernels know a function: several are weighted sums of squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i64)]
pub(super) enum Form {
    Sphere = 0,
    Weighted = 1,
    Rastrigin = 2,
    Ackley = 3,
    Rosenbrock = 4,
}

impl Form {
    pub(super) const ALL: [Form; 5] = [
        Form::Sphere,
        Form::Weighted,
        Form::Rastrigin,
        Form::Ackley,
        Form::Rosenbrock,
    ];
}

impl Function {
    /// Every function.
    pub const ALL: [Function; 7] = [
        Function::Sphere,
        Function::Ellipsoid,
        Function::Cigar,
        Function::Discus,
        Function::Rastrigin,
        Function::Ackley,
        Function::Rosenbrock,
    ];

    pub(super) fn form(self) -> Form {
        match self {
            Function::Sphere => Form::Sphere,
            Function::Ellipsoid | Function::Cigar | Function::Discus => Form::Weighted,
            Function::Rastrigin => Form::Rastrigin,
            Function::Ackley => Form::Ackley,
            Function::Rosenbrock => Form::Rosenbrock,
        }
    }

    /// The weight of a coordinate, where squares have one.
    pub(super) fn weight(self, j: usize, n: usize) -> f64 {
        match self {
            Function::Ellipsoid if n > 1 => {
                exp(6.0 * std::f64::consts::LN_10 * (j as f64 / (n - 1) as f64))
            }
            Function::Cigar if j > 0 => 1e6,
            Function::Discus if j == 0 => 1e6,
            _ => 1.0,
        }
    }

    /// The value from the sums of all terms.
    pub(super) fn finish(self, totals: [f64; 2], n: usize) -> f64 {
        let n = n as f64;
        match self {
            Function::Rastrigin => 10.0 * n + totals[0],
            Function::Ackley => {
                20.0 - 20.0 * exp(-0.2 * (totals[0] / n).sqrt()) + E - exp(totals[1] / n)
            }
            _ => totals[0],
        }
    }

    /// The value of one candidate, by the same operations as a population's: the slow and obvious definition.
    ///
    /// ```
    /// use syntonic_srt::evolve::device::Function;
    /// assert_eq!(Function::Sphere.of(&[1.0, 2.0]), 5.0);
    /// assert_eq!(Function::Rastrigin.of(&[0.0; 10]), 0.0);
    /// assert_eq!(Function::Rosenbrock.of(&[1.0; 10]), 0.0);
    /// ```
    pub fn of(self, x: &[f64]) -> f64 {
        let n = x.len();
        let mut totals = [0.0; 2];
        for (j, &value) in x.iter().enumerate() {
            let next = x.get(j + 1).copied();
            term(self.form(), &mut totals, value, next, self.weight(j, n));
        }
        self.finish(totals, n)
    }
}

/// A type that candidates are made in.
pub(super) trait Real:
    syntonic_core::Element
    + Copy
    + Send
    + Sync
    + std::ops::Add<Output = Self>
    + std::ops::Sub<Output = Self>
    + std::ops::Mul<Output = Self>
{
    /// Normal numbers of a Philox block.
    const HELD: usize;
    const ONE: Self;
    const TEN: Self;
    const HUNDRED: Self;

    fn cosine_of_turns(self) -> Self;
    fn wide(self) -> f64;
    fn fill(out: &mut [Self], seed: u64, first: u64);
}

/// Adds the term of a coordinate; `next` is the one after it, and `weight` its own where the function has some.
#[inline(always)]
pub(super) fn term<T: Real>(form: Form, to: &mut [f64; 2], x: T, next: Option<T>, weight: f64) {
    match form {
        Form::Sphere => to[0] += (x * x).wide(),
        Form::Weighted => to[0] += x.wide() * x.wide() * weight,
        Form::Rastrigin => to[0] += (x * x - T::TEN * x.cosine_of_turns()).wide(),
        Form::Ackley => {
            to[0] += (x * x).wide();
            to[1] += x.cosine_of_turns().wide();
        }
        Form::Rosenbrock => {
            if let Some(next) = next {
                let (bend, way) = (next - x * x, T::ONE - x);
                to[0] += (T::HUNDRED * (bend * bend) + way * way).wide();
            }
        }
    }
}

impl Real for f32 {
    const HELD: usize = 4;
    const ONE: f32 = 1.0;
    const TEN: f32 = 10.0;
    const HUNDRED: f32 = 100.0;

    /// cos 2πx: `x` less the nearest integer is exact, and so is what is left of it beside the nearest quarter turn.
    fn cosine_of_turns(self) -> f32 {
        const ROUNDER: f32 = 12_582_912.0;
        let nearest = |x: f32| (x + ROUNDER) - ROUNDER;
        // Beyond 2^22 every number counts as whole; NaN and infinity give NaN.
        if self.is_nan() || self.abs() >= 4_194_304.0 {
            return self * 0.0 + 1.0;
        }
        let r = self - nearest(self);
        let quarter = nearest(r * 4.0);
        let t = (r - quarter * 0.25) * std::f32::consts::TAU;
        let z = t * t;
        let s = ((2.755_731_9e-6 * z - 1.984_127e-4) * z + 0.008_333_333) * z - 0.166_666_67;
        let c = ((2.480_158_8e-5 * z - 0.001_388_888_9) * z + 0.041_666_668) * z - 0.5;
        let (s, c) = (t + t * z * s, 1.0 + z * c);
        turned(quarter.into(), s, c)
    }

    fn wide(self) -> f64 {
        self.into()
    }

    fn fill(out: &mut [f32], seed: u64, first: u64) {
        syntonic_core::random::fill_normal_f32(out, seed, first);
    }
}

impl Real for f64 {
    const HELD: usize = 2;
    const ONE: f64 = 1.0;
    const TEN: f64 = 10.0;
    const HUNDRED: f64 = 100.0;

    fn cosine_of_turns(self) -> f64 {
        const ROUNDER: f64 = 6_755_399_441_055_744.0;
        const SINE: [f64; 7] = [
            -7.647_163_731_819_816e-13,
            1.605_904_383_682_161_3e-10,
            -2.505_210_838_544_172e-8,
            2.755_731_922_398_589_3e-6,
            -1.984_126_984_126_984e-4,
            0.008_333_333_333_333_333,
            -0.166_666_666_666_666_66,
        ];
        const COSINE: [f64; 7] = [
            4.779_477_332_387_385e-14,
            -1.147_074_559_772_972_5e-11,
            2.087_675_698_786_81e-9,
            -2.755_731_922_398_589e-7,
            2.480_158_730_158_73e-5,
            -0.001_388_888_888_888_889,
            0.041_666_666_666_666_664,
        ];
        let nearest = |x: f64| (x + ROUNDER) - ROUNDER;
        if self.is_nan() || self.abs() >= 2_251_799_813_685_248.0 {
            return self * 0.0 + 1.0;
        }
        let r = self - nearest(self);
        let quarter = nearest(r * 4.0);
        let t = (r - quarter * 0.25) * std::f64::consts::TAU;
        let z = t * t;
        let horner = |terms: &[f64]| {
            let mut sum = terms[0];
            for term in &terms[1..] {
                sum = sum * z + term;
            }
            sum
        };
        let (s, c) = (horner(&SINE), horner(&COSINE) * z - 0.5);
        let (s, c) = (t + t * z * s, 1.0 + z * c);
        turned(quarter, s, c)
    }

    fn wide(self) -> f64 {
        self
    }

    fn fill(out: &mut [f64], seed: u64, first: u64) {
        syntonic_core::random::fill_normal_f64(out, seed, first);
    }
}

/// The cosine of a sum, from a quarter turn's place and sine and cosine of the rest.
fn turned<T: std::ops::Neg<Output = T>>(quarter: f64, s: T, c: T) -> T {
    match quarter as i32 {
        0 => c,
        1 => -s,
        -1 => s,
        _ => -c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cosines_are_accurate_and_exact_at_quarters() {
        for k in -4000..=4000 {
            let x = f64::from(k) / 511.0;
            let truth = (std::f64::consts::TAU * (x - x.round())).cos();
            // The argument is off by a rounding of 2π r, the polynomial by less.
            assert!((x.cosine_of_turns() - truth).abs() < 1e-15, "{x}");
            let narrow = x as f32;
            let truth = (std::f64::consts::TAU * f64::from(narrow - narrow.round())).cos();
            assert!(
                (f64::from(narrow.cosine_of_turns()) - truth).abs() < 4e-7,
                "{x}"
            );
        }
        for k in -8i32..=8 {
            let x = f64::from(k) / 4.0;
            let want = [1.0, 0.0, -1.0, 0.0][k.rem_euclid(4) as usize];
            assert_eq!(
                (x.cosine_of_turns(), (x as f32).cosine_of_turns()),
                (want, want as f32)
            );
        }
        assert_eq!(
            (1e300.cosine_of_turns(), 1e30f32.cosine_of_turns()),
            (1.0, 1.0)
        );
        assert!(f64::NAN.cosine_of_turns().is_nan() && f32::INFINITY.cosine_of_turns().is_nan());
    }

    /// Values by hand: rastrigin and ackley of halves, and the minima.
    #[test]
    fn known_values() {
        assert_eq!(Function::Ellipsoid.of(&[2.0]), 4.0);
        assert_eq!(Function::Cigar.of(&[3.0, 1.0, 1.0]), 2_000_009.0);
        assert_eq!(Function::Discus.of(&[3.0, 1.0, 1.0]), 9_000_002.0);
        assert_eq!(Function::Rastrigin.of(&[0.5, -1.5]), 42.5);
        assert_eq!(Function::Rosenbrock.of(&[0.0, 0.0, 2.0]), 402.0);
        let wide = Function::Ellipsoid.of(&[1.0, 1.0, 1.0]);
        assert!((wide - 1_001_001.0).abs() < 1e-8, "{wide}");
        let ackley = Function::Ackley.of(&[0.5; 4]);
        let want = 20.0 - 20.0 * (-0.1f64).exp() + E - (-1.0f64).exp();
        assert!((ackley - want).abs() < 1e-14);
        for function in Function::ALL {
            let best = match function {
                Function::Rosenbrock => [1.0; 7],
                _ => [0.0; 7],
            };
            assert!(function.of(&best).abs() < 1e-14, "{function:?}");
        }
    }
}
