//! Means, variances and standard deviations: as exact as the elements whatever offset they share, and without an overflow inside.
//!
//! A mean is rounded to the type in which the formula computes, which is much beside a small spread. What it has left over is taken
//! off the squares again, so no wider type is needed, which a GPU would convert each element to. What leaves the range is scaled by a
//! power of two. Half types compute in `float32`: the sums and squares of `float16` are in its range, and a mean of `bfloat16` has as
//! many digits more than its elements as their squares need.

use crate::dtype::DType;
use crate::fuse;
use crate::fuse::Program;
use crate::fuse::notation::{
    IntoSym, Sym, abs, and, conj, count, exp2, floor, gt, is_finite, log2, lt, max, maximum,
    minimum, real, root, select, stop_gradient, sum,
};

/// A formula over the rows of one operand whose kind depends on the elements' type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    /// The mean.
    Mean,
    /// The variance; its number is the correction.
    Variance,
    /// The standard deviation; its number is the correction.
    Deviation,
}

impl Moment {
    /// The formula for elements of a type.
    pub(crate) fn formula(self, dtype: DType) -> &'static Program {
        match (self, dtype) {
            (Moment::Mean, DType::F64) => &MEAN_OF_DOUBLES,
            (Moment::Variance, DType::F64) => &VAR_OF_DOUBLES,
            (Moment::Deviation, DType::F64) => &STD_OF_DOUBLES,
            (Moment::Mean, DType::F16) => &MEAN_OF_HALVES,
            (Moment::Variance, DType::F16) => &VAR_OF_HALVES,
            (Moment::Deviation, DType::F16) => &STD_OF_HALVES,
            (Moment::Variance, DType::BF16) => &VAR_OF_BFLOATS,
            (Moment::Deviation, DType::BF16) => &STD_OF_BFLOATS,
            (Moment::Mean, d) if d.is_complex() => &MEAN_OF_COMPLEX,
            (Moment::Variance, d) if d.is_complex() => &VAR_OF_COMPLEX,
            (Moment::Deviation, d) if d.is_complex() => &STD_OF_COMPLEX,
            (Moment::Mean, _) => &MEAN,
            (Moment::Variance, _) => &VAR,
            (Moment::Deviation, _) => &STD,
        }
    }

    /// Whether it is this formula, for some type.
    pub(crate) fn is(self, program: &Program) -> bool {
        let kinds = [DType::F16, DType::BF16, DType::F32, DType::F64, DType::C64];
        let mut kinds = kinds.into_iter();
        kinds.any(|dtype| std::ptr::eq(program, self.formula(dtype)))
    }
}

fuse! {
    MEAN(x: element) -> (row_scalar) { mean_within(x, SINGLE) }

    MEAN_OF_HALVES(x: element) -> (row_scalar) { mean(x) }

    MEAN_OF_DOUBLES(x: element) -> (row_scalar) { mean_within(x, DOUBLE) }

    MEAN_OF_COMPLEX(x: element) -> (row_scalar) { like(mean(cast(DType::C128, x)), x) }

    VAR(x: element, correction: number) -> (row_scalar) { squares(x - mean_within(x, SINGLE)) / divisor(correction) }

    VAR_OF_HALVES(x: element, correction: number) -> (row_scalar) { squares(x - mean(x)) / divisor(correction) }

    VAR_OF_BFLOATS(x: element, correction: number) -> (row_scalar) {
        sum(square(x - mean_within(x, SINGLE))) / divisor(correction)
    }

    VAR_OF_DOUBLES(x: element, correction: number) -> (row_scalar) {
        squares(x - mean_within(x, DOUBLE)) / divisor(correction)
    }

    VAR_OF_COMPLEX(x: element, correction: number) -> (row_scalar) {
        let wide = cast(DType::C128, x);
        like(squares(wide - mean(wide)) / divisor(correction), real(x))
    }

    STD(x: element, correction: number) -> (row_scalar) { deviation_within(x, squares, correction, SINGLE) }

    STD_OF_HALVES(x: element, correction: number) -> (row_scalar) {
        root(squares(x - mean(x)) / divisor(correction))
    }

    STD_OF_BFLOATS(x: element, correction: number) -> (row_scalar) {
        deviation_within(x, |apart| sum(square(apart)), correction, SINGLE)
    }

    STD_OF_DOUBLES(x: element, correction: number) -> (row_scalar) { deviation_within(x, squares, correction, DOUBLE) }

    STD_OF_COMPLEX(x: element, correction: number) -> (row_scalar) {
        let wide = cast(DType::C128, x);
        like(root(squares(wide - mean(wide)) / divisor(correction)), real(x))
    }
}

/// How far the numbers of the type go in which a formula computes.
#[derive(Clone, Copy)]
struct Reach {
    /// The largest.
    most: f64,
    /// A power of two that is a number, as is its inverse, beyond which the square of an element times it neither overflows nor vanishes.
    power: f64,
}

/// Of `float32`, in which half types compute, too.
const SINGLE: Reach = Reach {
    most: f32::MAX as f64,
    power: 100.0,
};

const DOUBLE: Reach = Reach {
    most: f64::MAX,
    power: 1000.0,
};

/// What the squares are divided by.
fn divisor(correction: Sym) -> Sym {
    maximum(count() - correction, 0.0)
}

/// The mean; where the sum leaves the range, that of the elements times 2^-64, which is exact for all that count beside a
/// number so large.
fn mean_within(x: Sym, reach: Reach) -> Sym {
    const UP: f64 = (1u128 << 64) as f64;
    let plain = sum(x);
    let scaled = sum(x * (1.0 / UP)) / count();
    select(is_finite(plain), plain / count(), raised(scaled, UP, reach))
}

/// The deviation by a sum of squared distances, measured in units of a power of two near the largest magnitude: distances that vanish beside it are none, since the
/// elements have no digits there.
fn deviation_within(x: Sym, squares: fn(Sym) -> Sym, correction: Sym, reach: Reach) -> Sym {
    let power = floor(log2(usable(max(abs(x)))));
    let power = stop_gradient(minimum(maximum(power, -reach.power), reach.power));
    let (down, up) = (exp2(-power), exp2(power));
    let centre = mean_within(x, reach) * down;
    raised(
        root(squares(x * down - centre) / divisor(correction)),
        up,
        reach,
    )
}

/// `x up`, where that is no larger than an element: rounding may not carry it out of the range.
fn raised(x: Sym, up: impl IntoSym, reach: Reach) -> Sym {
    let raised = x * up;
    let held = maximum(minimum(raised, reach.most), -reach.most);
    select(is_finite(x), held, raised)
}

/// The sum of the squared distances from the mean, where `apart` are those from a rounded mean: their own mean is off by
/// what rounding took, and no formula depends on it.
fn squares(apart: Sym) -> Sym {
    let off = squared_size(sum(apart)) / count();
    let off = stop_gradient(select(is_finite(off), off, 0.0));
    maximum(sum(squared_size(apart)) - off, 0.0)
}

/// A magnitude by which others can be divided: 1 in the place of 0, of infinity and of NaN.
pub(crate) fn usable(m: Sym) -> Sym {
    select(and(gt(m, 0.0), lt(m, f64::INFINITY)), m, 1.0)
}

/// `|x|^2`, smooth at 0 where `|x|` has a corner.
pub(super) fn squared_size(x: Sym) -> Sym {
    real(x * conj(x))
}
