//! Reductions: formulas over a row, where the row is any set of axes.
//!
//! Sums and products of floats accumulate in double precision, whatever the element type; sums first add
//! eight neighbours in the element's own type, as a tree. The order of accumulation
//! depends on shape, strides and type alone, so results repeat exactly.
//!
//! A reduction along rows stays an expression until it is read, as element-wise results do, and is one program with what is
//! made of the same rows before and after it: see [`lazy`](mod@crate::lazy). Its terms are then the same, and so is how the
//! result is rounded; only the order of a sum or product may be another, and which of two zeros is the smallest or largest.

mod logsumexp;
mod moments;

pub use logsumexp::logsumexp;
pub(crate) use moments::{Moment, usable};

use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::fork::Lazy;
use crate::fuse;
use crate::fuse::{Fold, Prim, Program};
use crate::lazy::{Reduction, as_type};
use crate::ops::elementwise::{apply, fold_few};
use crate::ops::index::count_true;
use crate::run::{Axes, fold_program};
use crate::scalar::Scalar;
use crate::tensor::{Tensor, describe};

fuse! {
    /// An infinite maximum is not subtracted: inf - inf would be NaN.
    LOGSUMEXP(x: element) -> (row_scalar) {
        let m = max(x);
        let shift = stop_gradient(select(lt(abs(m), f64::INFINITY), m, 0.0));
        log(sum(exp(x - shift))) + shift
    }

    /// Scaled by the largest magnitude, so that squares neither overflow nor vanish.
    NORM_2(x: element) -> (row_scalar) {
        let scale = stop_gradient(usable(max(abs(x))));
        root(sum(moments::squared_size(x / scale))) * scale
    }

    NORM_1(x: element) -> (row_scalar) { sum(abs(x)) }

    NORM_MAX(x: element) -> (row_scalar) { max(abs(x)) }

    NORM_MIN(x: element) -> (row_scalar) { min(abs(x)) }

    NORM_0(x: element) -> (row_scalar) { sum(ne(x, 0.0)) }

    /// Scaled by what counts most, so that no power but of what vanishes beside it overflows or vanishes. Elements that are zero have
    /// no slope, and neither has a norm that is.
    NORM_P(x: element, p: number) -> (row_scalar) {
        let size = abs(x);
        let scale = stop_gradient(usable(select(gt(p, 0.0), max(size), min(size))));
        let zero = eq(size, 0.0);
        let power_of_zero = select(gt(p, 0.0), 0.0, f64::INFINITY);
        let powers = select(zero, power_of_zero, pow(select(zero, 1.0, size) / scale, p));
        let total = sum(powers);
        let nothing = eq(total, 0.0);
        let of_nothing = select(gt(p, 0.0), 0.0, f64::INFINITY);
        select(nothing, of_nothing, pow(select(nothing, 1.0, total), recip(p)) * scale)
    }

    COUNT_NONZERO(x: element) -> (row_scalar) { sum(not(not(x))) }
}

/// Every formula of the reductions for elements of a type, for whoever walks them all; single folds are [`Fold::ALL`].
///
/// ```
/// use syntonic_core::ops::reduce;
/// use syntonic_core::prelude::*;
///
/// assert!(reduce::formulas(DType::F32).iter().any(|formula| &*formula.name == "MEAN"));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn formulas(dtype: DType) -> Vec<&'static Program> {
    let all: [&Lazy<Program>; 8] = [
        &LOGSUMEXP,
        &NORM_2,
        &NORM_1,
        &NORM_MAX,
        &NORM_MIN,
        &NORM_0,
        &NORM_P,
        &COUNT_NONZERO,
    ];
    let moments = [Moment::Mean, Moment::Variance, Moment::Deviation];
    let moments = moments.map(|moment| moment.formula(dtype));
    // few: those above.
    moments.into_iter().chain(all.map(|p| &**p)).collect()
}

/// The formula of a fold over rows.
pub(crate) fn fold_formula(kind: Fold) -> &'static Program {
    &FOLDS[kind as usize]
}

static FOLDS: Lazy<Vec<Program>> =
    Lazy::new(|| Fold::ALL.iter().map(|&f| fold_program(f)).collect());

/// Which axes are reduced, and whether they stay.
#[derive(Clone, Debug)]
pub struct Over {
    /// The axes; `None` is all of them.
    pub axes: Option<Vec<isize>>,
    /// Whether reduced axes stay with length 1.
    pub keep: Axes,
}

impl Over {
    /// All axes; the result has none.
    ///
    /// ```
    /// use syntonic_core::ops::reduce;
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([[1, 2], [3, 4]]);
    /// assert_eq!(reduce::sum(&x, &Over::all(), None)?.to_scalar::<i64>()?, 10);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn all() -> Over {
        Over {
            axes: None,
            keep: Axes::Drop,
        }
    }

    /// These axes, which go.
    ///
    /// ```
    /// use syntonic_core::ops::reduce;
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::ones(&[2, 3, 4], DType::F64)?;
    /// assert_eq!(reduce::sum(&x, &Over::axes(&[0, -1]), None)?.to_vec::<f64>()?, [8.0; 3]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn axes(axes: &[isize]) -> Over {
        Over {
            axes: Some(axes.to_vec()),
            keep: Axes::Drop,
        }
    }

    /// The same with the reduced axes kept with length 1.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([[1.0, 3.0], [2.0, 6.0]]);
    /// let mean = x.mean(Over::axes(&[1]).keep())?;
    /// assert_eq!(mean.shape(), [2, 1]);
    /// assert_eq!((&x - &mean).to_vec::<f64>()?, [-1.0, 1.0, -2.0, 2.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn keep(self) -> Over {
        Over {
            keep: Axes::Keep,
            ..self
        }
    }

    fn list(&self, ndim: usize) -> Vec<isize> {
        self.axes
            .clone()
            .unwrap_or_else(|| (0..ndim as isize).collect())
    }
}

/// All axes, written `..`.
impl From<std::ops::RangeFull> for Over {
    fn from(_: std::ops::RangeFull) -> Over {
        Over::all()
    }
}

/// One axis, which goes; negative counts from the end.
impl From<isize> for Over {
    fn from(axis: isize) -> Over {
        Over::axes(&[axis])
    }
}

/// These axes, which go.
impl<const N: usize> From<[isize; N]> for Over {
    fn from(axes: [isize; N]) -> Over {
        Over::axes(&axes)
    }
}

/// These axes, which go.
impl<const N: usize> From<&[isize; N]> for Over {
    fn from(axes: &[isize; N]) -> Over {
        Over::axes(axes)
    }
}

/// These axes, which go.
impl From<&[isize]> for Over {
    fn from(axes: &[isize]) -> Over {
        Over::axes(axes)
    }
}

impl From<&Over> for Over {
    fn from(over: &Over) -> Over {
        over.clone()
    }
}

fn reduce(
    op: &'static str,
    program: &'static Program,
    x: &Tensor,
    number: Option<f64>,
    over: &Over,
) -> Result<Tensor> {
    let axes = crate::layout::normalize_axes(op, &over.list(x.ndim()), x.ndim())?;
    Reduction::new(program, number.map(Scalar::Float), &axes)
        .over(x, over.keep)
        .map_err(|e| named(e, op, x))
}

/// The error with the operator's own name and operand.
fn named(e: Error, op: &'static str, x: &Tensor) -> Error {
    match e {
        Error::DType { hint, .. } => Error::DType {
            op,
            operands: describe(&[x]),
            hint,
        },
        Error::EmptyReduction { .. } => Error::EmptyReduction {
            op,
            operands: describe(&[x]),
        },
        other => other,
    }
}

/// Any fold: `x[..., row, ...] -> [...]`.
///
/// `min`, `max`, `argmin` and `argmax` are an error over no elements, and over complex numbers.
///
/// ```
/// use syntonic_core::fuse::Fold;
/// use syntonic_core::ops::reduce::fold;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([[3, 1], [2, 6]]);
/// assert_eq!(fold(Fold::Max, &x, &Over::axes(&[1]))?.to_vec::<i32>()?, [3, 6]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn fold(kind: Fold, x: &Tensor, over: &Over) -> Result<Tensor> {
    if over.axes.is_none()
        && over.keep == Axes::Drop
        && let Some(out) = fold_few(kind, x)
    {
        return out;
    }
    reduce(kind.name(), &FOLDS[kind as usize], x, None, over)
}

/// The sum. Integers and `bool` are summed in 64 bits unless `dtype` says otherwise.
///
/// ```
/// use syntonic_core::ops::reduce;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([[100u8, 200], [1, 2]]);
/// assert_eq!(reduce::sum(&x, &Over::axes(&[1]), None)?.to_vec::<u64>()?, [300, 3]);
/// assert_eq!(reduce::sum(&x, &Over::axes(&[1]), Some(DType::U8))?.to_vec::<u8>()?, [44, 3]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn sum(x: &Tensor, over: &Over, dtype: Option<DType>) -> Result<Tensor> {
    fold(Fold::Sum, &as_type(x, dtype.unwrap_or(x.dtype()))?, over)?.cast_if(dtype)
}

/// The product. Integers and `bool` are multiplied in 64 bits unless `dtype` says otherwise.
///
/// ```
/// use syntonic_core::ops::reduce;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([[1, 2], [3, 4]]);
/// assert_eq!(reduce::prod(&x, &Over::axes(&[0]), None)?.to_vec::<i64>()?, [3, 8]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn prod(x: &Tensor, over: &Over, dtype: Option<DType>) -> Result<Tensor> {
    fold(Fold::Prod, &as_type(x, dtype.unwrap_or(x.dtype()))?, over)?.cast_if(dtype)
}

/// The smallest element; NaN if any is.
///
/// ```
/// use syntonic_core::ops::reduce;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([[3, 1], [2, 6]]);
/// assert_eq!(reduce::min(&x, &Over::axes(&[1]))?.to_vec::<i32>()?, [1, 2]);
/// assert!(reduce::min(&Tensor::zeros(&[0], DType::F64)?, &Over::all()).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn min(x: &Tensor, over: &Over) -> Result<Tensor> {
    fold(Fold::Min, x, over)
}

/// The largest element; NaN if any is.
///
/// ```
/// use syntonic_core::ops::reduce;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([[3.0, 1.0], [2.0, f64::NAN]]);
/// let most = reduce::max(&x, &Over::axes(&[1]))?.to_vec::<f64>()?;
/// assert!(most[0] == 3.0 && most[1].is_nan());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn max(x: &Tensor, over: &Over) -> Result<Tensor> {
    fold(Fold::Max, x, over)
}

/// True if any element is not zero.
///
/// ```
/// use syntonic_core::ops::reduce;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([[0, 0], [0, 7]]);
/// assert_eq!(reduce::any(&x, &Over::axes(&[1]))?.to_vec::<bool>()?, [false, true]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn any(x: &Tensor, over: &Over) -> Result<Tensor> {
    fold(Fold::Any, x, over)
}

/// True if all elements are not zero.
///
/// ```
/// use syntonic_core::ops::reduce;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([[0, 7], [7, 7]]);
/// assert_eq!(reduce::all(&x, &Over::axes(&[1]))?.to_vec::<bool>()?, [false, true]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn all(x: &Tensor, over: &Over) -> Result<Tensor> {
    fold(Fold::All, x, over)
}

/// Position of the first smallest element (or the first NaN) along the axes, in row-major order.
///
/// ```
/// use syntonic_core::ops::reduce;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([[3, 1, 1], [6, 5, 4]]);
/// assert_eq!(reduce::argmin(&x, &Over::axes(&[1]))?.to_vec::<i64>()?, [1, 2]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn argmin(x: &Tensor, over: &Over) -> Result<Tensor> {
    fold(Fold::ArgMin, x, over)
}

/// Position of the first largest element (or the first NaN) along the axes, in row-major order.
///
/// ```
/// use syntonic_core::ops::reduce;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([[3, 1, 2], [6, 5, 4]]);
/// assert_eq!(reduce::argmax(&x, &Over::all())?.to_scalar::<i64>()?, 3);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn argmax(x: &Tensor, over: &Over) -> Result<Tensor> {
    fold(Fold::ArgMax, x, over)
}

/// The mean; integers give `float64`. NaN over no elements.
///
/// ```
/// use syntonic_core::ops::reduce;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([[1, 2], [3, 6]]);
/// assert_eq!(reduce::mean(&x, &Over::axes(&[0]))?.to_vec::<f64>()?, [2.0, 4.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn mean(x: &Tensor, over: &Over) -> Result<Tensor> {
    let x = &inexact(x)?;
    reduce("mean", Moment::Mean.formula(x.dtype()), x, None, over)
}

/// The variance, `sum |x - mean|^2 / (n - correction)`. NaN or infinite where that is not defined.
///
/// ```
/// use syntonic_core::ops::reduce;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([1.0, 3.0]);
/// assert_eq!(reduce::var(&x, &Over::all(), 0.0)?.to_scalar::<f64>()?, 1.0);
/// assert_eq!(reduce::var(&x, &Over::all(), 1.0)?.to_scalar::<f64>()?, 2.0);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn var(x: &Tensor, over: &Over, correction: f64) -> Result<Tensor> {
    let x = &inexact(x)?;
    let formula = Moment::Variance.formula(x.dtype());
    reduce("var", formula, x, Some(correction), over)
}

/// The standard deviation: the root of [`var`].
///
/// ```
/// use syntonic_core::ops::reduce;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([[1.0, 5.0], [0.0, 20.0]]);
/// assert_eq!(reduce::std(&x, &Over::axes(&[1]), 0.0)?.to_vec::<f64>()?, [2.0, 10.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn std(x: &Tensor, over: &Over, correction: f64) -> Result<Tensor> {
    let x = &inexact(x)?;
    if x.numel() == 0 {
        // The largest magnitude of nothing does not exist, but its deviation does: NaN, as its variance.
        let variance = var(x, over, correction)?;
        return apply(Prim::Sqrt, &[(&variance).into()]);
    }
    let formula = Moment::Deviation.formula(x.dtype());
    reduce("std", formula, x, Some(correction), over)
}

/// The vector norm `(sum |x|^p)^(1/p)`, with its limits for `p` = 0 (how many are not zero), infinity
/// (largest) and minus infinity (smallest magnitude).
///
/// ```
/// use syntonic_core::ops::reduce::norm;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([3.0, -4.0, 0.0]);
/// assert_eq!(norm(&x, 2.0, &Over::all())?.to_scalar::<f64>()?, 5.0);
/// assert_eq!(norm(&x, 0.0, &Over::all())?.to_scalar::<f64>()?, 2.0);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn norm(x: &Tensor, p: f64, over: &Over) -> Result<Tensor> {
    let x = &inexact(x)?;
    let real = x.dtype().real();
    let unbounded = p.is_infinite();
    let out = if x.numel() == 0 && !unbounded {
        // The largest magnitude of nothing does not exist, but its norm is 0, and infinite where zeros count most.
        let zero = reduce("norm", &NORM_1, x, None, over);
        match p < 0.0 {
            true => apply(Prim::Recip, &[(&zero?).into()]),
            false => zero,
        }
    } else if p == 2.0 {
        reduce("norm", &NORM_2, x, None, over)
    } else if p == 1.0 {
        reduce("norm", &NORM_1, x, None, over)
    } else if p == f64::INFINITY {
        reduce("norm", &NORM_MAX, x, None, over)
    } else if p == f64::NEG_INFINITY {
        reduce("norm", &NORM_MIN, x, None, over)
    } else if p == 0.0 {
        reduce("norm", &NORM_0, x, None, over)
    } else {
        reduce("norm", &NORM_P, x, Some(p), over)
    };
    out?.cast(real)
}

/// How many elements are not zero.
///
/// ```
/// use syntonic_core::ops::reduce;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([[0, 2, 0], [4, 5, 6]]);
/// assert_eq!(reduce::count_nonzero(&x, &Over::axes(&[1]))?.to_vec::<i64>()?, [1, 3]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn count_nonzero(x: &Tensor, over: &Over) -> Result<Tensor> {
    if over.axes.is_none()
        && over.keep == Axes::Drop
        && let Some(count) = count_true(x)?
    {
        return Tensor::scalar(Scalar::Int(count as i128), DType::I64);
    }
    reduce("count_nonzero", &COUNT_NONZERO, x, None, over)
}

fn inexact(x: &Tensor) -> Result<Tensor> {
    as_type(x, x.dtype().to_inexact())
}

impl Tensor {
    fn cast_if(self, dtype: Option<DType>) -> Result<Tensor> {
        dtype.map_or_else(|| Ok(self.clone()), |d| as_type(&self, d))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp(shape: &[usize]) -> Tensor {
        let n: usize = shape.iter().product();
        Tensor::from_vec(
            (0..n)
                .map(|i| ((i * 7919) % 1009) as f64 - 300.0)
                .collect::<Vec<_>>(),
            shape,
        )
        .unwrap()
    }

    /// Sum over the middle axis, element by element.
    fn naive(x: &[f64], [a, b, c]: [usize; 3]) -> Vec<f64> {
        let mut out = vec![0.0; a * c];
        for i in 0..a {
            for j in 0..b {
                for k in 0..c {
                    out[i * c + k] += x[(i * b + j) * c + k];
                }
            }
        }
        out
    }

    #[test]
    fn every_schedule_sums_the_same() {
        // Columns, rows, short rows, chunked rows: whole numbers sum exactly in any order.
        for dims in [
            [3, 500, 70],
            [2, 300, 1],
            [5000, 3, 1],
            [1, 300_000, 1],
            [1, 50, 3000],
            [7, 1, 9],
            [4, 40, 17],
        ] {
            let x = ramp(&dims);
            let got = sum(&x, &Over::axes(&[1]), None).unwrap();
            assert_eq!(
                got.to_vec::<f64>().unwrap(),
                naive(&x.to_vec().unwrap(), dims),
                "{dims:?}"
            );
            let narrow = sum(&x.cast(DType::F32).unwrap(), &Over::axes(&[1]), None).unwrap();
            let want: Vec<f32> = naive(&x.to_vec().unwrap(), dims)
                .into_iter()
                .map(|v| v as f32)
                .collect();
            assert_eq!(narrow.to_vec::<f32>().unwrap(), want, "{dims:?} f32");
        }
    }

    #[test]
    fn positions_of_extremes() {
        for dims in [[3, 500, 70], [2, 300, 1], [1, 300_000, 1], [500, 3, 1]] {
            let x = ramp(&dims);
            let v: Vec<f64> = x.to_vec().unwrap();
            let got = argmax(&x, &Over::axes(&[1]))
                .unwrap()
                .to_vec::<i64>()
                .unwrap();
            let low = argmin(&x.cast(DType::I32).unwrap(), &Over::axes(&[1]))
                .unwrap()
                .to_vec::<i64>()
                .unwrap();
            for i in 0..dims[0] {
                for k in 0..dims[2] {
                    let at = |j: usize| v[(i * dims[1] + j) * dims[2] + k];
                    let best = (0..dims[1])
                        .rev()
                        .max_by(|&a, &b| at(a).total_cmp(&at(b)))
                        .unwrap();
                    assert_eq!(got[i * dims[2] + k], best as i64, "{dims:?}");
                    let least = (0..dims[1])
                        .min_by(|&a, &b| at(a).total_cmp(&at(b)))
                        .unwrap();
                    assert_eq!(low[i * dims[2] + k], least as i64, "{dims:?}");
                }
            }
        }
        let x = Tensor::from_slice(&[1.0, f64::NAN, 9.0, f64::NAN], &[4]).unwrap();
        assert_eq!(
            argmax(&x, &Over::all()).unwrap().item().unwrap(),
            Scalar::Int(1)
        );
        assert!(
            max(&x, &Over::all())
                .unwrap()
                .item()
                .unwrap()
                .to_f64()
                .is_nan()
        );
    }

    #[test]
    fn moments_and_norms() {
        let x = Tensor::from_slice(&[1.0, 2.0, 3.0, 4.0], &[4]).unwrap();
        let f = |t: Result<Tensor>| t.unwrap().item().unwrap().to_f64();
        let all = Over::all();
        assert_eq!(f(mean(&x, &all)), 2.5);
        assert_eq!(f(var(&x, &all, 0.0)), 1.25);
        assert_eq!(f(var(&x, &all, 1.0)), 5.0 / 3.0);
        assert_eq!(f(norm(&x, 2.0, &all)), 30f64.sqrt());
        assert_eq!(f(norm(&x, 1.0, &all)), 10.0);
        assert_eq!(f(norm(&x, 0.0, &all)), 4.0);
        assert_eq!(f(norm(&x, f64::INFINITY, &all)), 4.0);
        assert!((f(norm(&x, 3.0, &all)) - 100f64.cbrt()).abs() < 1e-14);
        assert!((f(logsumexp(&x, &all)) - 4.440_189_698_561_196).abs() < 1e-15);
        assert_eq!(f(count_nonzero(&x, &all)), 4.0);
        let none = Tensor::zeros(&[0], DType::F64).unwrap();
        assert_eq!(f(logsumexp(&none, &all)), f64::NEG_INFINITY);
        // e^i + e^-i = 2 cos 1, and 1000 is taken off before anything overflows.
        let turned = [
            num_complex::Complex::new(1000.0, 1.0),
            num_complex::Complex::new(1000.0, -1.0),
        ];
        let turned = logsumexp(&Tensor::from_slice(&turned, &[2]).unwrap(), &all).unwrap();
        let turned = turned.item().unwrap().to_complex();
        assert!(
            (turned.re - 1000.0 - (2.0 * 1f64.cos()).ln()).abs() < 1e-12 && turned.im.abs() < 1e-12
        );
        let z = Tensor::from_slice(&[f64::NEG_INFINITY; 2], &[2]).unwrap();
        assert_eq!(f(logsumexp(&z, &all)), f64::NEG_INFINITY);
        let huge = apply(crate::fuse::Prim::Mul, &[(&x).into(), 1e300.into()]).unwrap();
        assert!((f(norm(&huge, 2.0, &all)) / 1e300 - 30f64.sqrt()).abs() < 1e-14);
    }

    #[test]
    fn empty_rows() {
        let x = Tensor::zeros(&[3, 0], DType::F32).unwrap();
        assert_eq!(
            sum(&x, &Over::axes(&[1]), None)
                .unwrap()
                .to_vec::<f32>()
                .unwrap(),
            [0.0; 3]
        );
        assert_eq!(
            prod(&x, &Over::axes(&[1]), None)
                .unwrap()
                .to_vec::<f32>()
                .unwrap(),
            [1.0; 3]
        );
        assert!(matches!(
            max(&x, &Over::axes(&[1])),
            Err(Error::EmptyReduction { op: "max", .. })
        ));
        assert_eq!(max(&x, &Over::axes(&[0])).unwrap().shape(), [0]);
        assert!(
            mean(&x, &Over::axes(&[1]))
                .unwrap()
                .to_vec::<f32>()
                .unwrap()[0]
                .is_nan()
        );
    }

    #[test]
    fn shapes_and_types() {
        let x = ramp(&[2, 3, 4]);
        assert_eq!(sum(&x, &Over::axes(&[0, -1]), None).unwrap().shape(), [3]);
        assert_eq!(
            sum(&x, &Over::axes(&[0, -1]).keep(), None).unwrap().shape(),
            [1, 3, 1]
        );
        assert_eq!(
            sum(&x.cast(DType::U8).unwrap(), &Over::all(), None)
                .unwrap()
                .dtype(),
            DType::U64
        );
        assert_eq!(
            sum(&x.cast(DType::BF16).unwrap(), &Over::all(), None)
                .unwrap()
                .dtype(),
            DType::BF16
        );
        assert!(matches!(
            sum(&x, &Over::axes(&[3]), None),
            Err(Error::Axis {
                axis: 3,
                ndim: 3,
                ..
            })
        ));
        let c = x.cast(DType::C128).unwrap();
        assert!(matches!(
            max(&c, &Over::all()),
            Err(Error::DType { op: "max", .. })
        ));
        assert_eq!(var(&c, &Over::all(), 0.0).unwrap().dtype(), DType::F64);
    }
}
