//! Series of mean 0 and standard deviation 1, and whether all their samples are finite: one program over the rows.

use super::error::refused;
use syntonic_core::fuse::Program;
use syntonic_core::fuse::notation::{
    Sym, abs, count, eq, gt, is_finite, lt, max, maximum, min, select, sqrt, sum,
};
use syntonic_core::run::{self, Axes};
use syntonic_core::{DType, Result, Scalar, Tensor, fuse};

/// What becomes of the series before distances are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scaling {
    /// The mean is subtracted, and the rest divided by the standard deviation (with `n - 1`), of whatever magnitude the samples are; a
    /// constant series becomes zeros.
    #[default]
    Standardised,
    /// They are taken as they are.
    AsGiven,
}

/// Magnitudes of a row between which its deviations can be squared and added, and powers of two that bring other rows there, by two steps at
/// most: from `low` on the square of a last place is a normal number, and up to `high` 2^32 squares have a finite sum.
struct Bounds {
    low: f64,
    high: f64,
    up: f64,
    down: f64,
}

impl Bounds {
    /// A power of two is exact, so standardised series have the same bits at every scale that is one, as long as no sample loses digits.
    fn of(dtype: DType) -> Bounds {
        let two = |power: i32| 2f64.powi(power);
        match dtype {
            // A last place of 2^-40 is 2^-63, whose square is 2^-126; 2^32 squares of 2^47 are 2^126.
            DType::F32 => Bounds {
                low: two(-40),
                high: two(46),
                up: two(84),
                down: two(-84),
            },
            // A last place of 2^-450 is 2^-502, whose square is 2^-1004; 2^32 squares of 2^481 are 2^994.
            _ => Bounds {
                low: two(-450),
                high: two(480),
                up: two(900),
                down: two(-900),
            },
        }
    }

    fn numbers(&self) -> [Scalar; 4] {
        [self.low, self.high, self.up, self.down].map(Scalar::Float)
    }
}

/// The factor that brings a magnitude between the bounds, or nearer to them.
fn factor(magnitude: Sym, [low, high, up, down]: [Sym; 4]) -> Sym {
    let lesser = select(lt(magnitude, low), up, 1.0);
    select(gt(magnitude, high), down, lesser)
}

/// A row's deviations from its mean by a power of two, their standard deviation by the same, and the inverse of that power in two steps.
struct Spread {
    apart: Sym,
    deviation: Sym,
    back: [Sym; 2],
}

impl Spread {
    fn of(x: Sym, bounds: [Sym; 4]) -> Spread {
        let (least, most) = (min(x), max(x));
        let largest = maximum(abs(least), abs(most));
        let once = factor(largest, bounds);
        let twice = factor(largest * once, bounds);
        // From the least on, so that no digits of the deviations are lost to an offset that all samples have.
        let above = (x * once) * twice - (least * once) * twice;
        let apart = above - sum(above) / count();
        Spread {
            apart,
            deviation: sqrt(sum(apart * apart) / (count() - 1.0)),
            back: [1.0 / twice, 1.0 / once],
        }
    }
}

/// (x - mean) / sd, 0 where it is constant.
fn standardised(x: Sym, bounds: [Sym; 4]) -> Sym {
    let Spread {
        apart, deviation, ..
    } = Spread::of(x, bounds);
    select(eq(min(x), max(x)), 0.0, apart / deviation)
}

/// Whether distances within a row are numbers.
fn has_distances(x: Sym) -> Sym {
    is_finite(max(x) - min(x))
}

fuse! {
    /// The standardised row; and whether all of the row is finite.
    STANDARDISE(x: element, low: number, high: number, up: number, down: number) -> (element, row_scalar) {
        [standardised(x, [low, high, up, down]), is_finite(maximum(abs(min(x)), abs(max(x))))]
    }

    /// The same with noise, in standard deviations.
    STANDARDISE_NOISY(x: element, noise: element, low: number, high: number, up: number, down: number) -> (element, row_scalar) {
        let made = standardised(x, [low, high, up, down]);
        [made + noise, is_finite(maximum(abs(min(x)), abs(max(x))))]
    }

    /// x with noise, in standard deviations; and whether distances within it are numbers.
    NOISY(x: element, noise: element, low: number, high: number, up: number, down: number) -> (element, row_scalar) {
        let Spread { deviation, back: [once, twice], .. } = Spread::of(x, [low, high, up, down]);
        let made = x + ((noise * deviation) * once) * twice;
        [made, has_distances(made)]
    }

    /// x; and whether distances within it are numbers.
    CHECK(x: element) -> (element, row_scalar) {
        [x, has_distances(x)]
    }
}

/// The rows as they are compared, and for each whether distances within it are numbers, to be read with the result: one program.
pub(super) fn scaled(
    series: &Tensor,
    scaling: Scaling,
    noise: Option<&Tensor>,
) -> Result<[Tensor; 2]> {
    let numbers = Bounds::of(series.dtype()).numbers();
    let run = |program: &Program, operands: &[&Tensor]| {
        both(run::rows(program, operands, &numbers, &[-1], Axes::Drop)?)
    };
    match (scaling, noise) {
        (Scaling::Standardised, None) => run(&STANDARDISE, &[series]),
        (Scaling::Standardised, Some(noise)) => run(&STANDARDISE_NOISY, &[series, noise]),
        (Scaling::AsGiven, Some(noise)) => run(&NOISY, &[series, noise]),
        (Scaling::AsGiven, None) => checked(series),
    }
}

/// The rows as they are, and for each whether distances within it are numbers.
pub(super) fn checked(series: &Tensor) -> Result<[Tensor; 2]> {
    both(run::rows(&CHECK, &[series], &[], &[-1], Axes::Drop)?)
}

fn both(made: Vec<Tensor>) -> Result<[Tensor; 2]> {
    <[Tensor; 2]>::try_from(made).map_err(|_| refused("standardise", "the program has two outputs"))
}
