//! How far two devices may be apart, element by element, where that depends on the operands.

use anyhow::{Result, bail};
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::ops::linalg::matmul;
use syntonic_core::{DType, Tensor};

/// Half a unit in the last place of 1.
pub(super) fn rounding(dtype: DType) -> f64 {
    match dtype.real() {
        DType::F16 => 2f64.powi(-11),
        DType::BF16 => 2f64.powi(-8),
        DType::F32 => 2f64.powi(-24),
        _ => 2f64.powi(-53),
    }
}

/// The smallest number of a type that is not zero.
pub(super) fn smallest(dtype: DType) -> f64 {
    match dtype.real() {
        DType::F16 => 2f64.powi(-24),
        DType::BF16 => 2f64.powi(-133),
        DType::F32 => 2f64.powi(-149),
        _ => 0.0,
    }
}

/// What a function adds, relative to its result, that errs by `ulp` units in the last place of the type that `dtype` is computed
/// in, where the result is rounded to `dtype`.
pub(super) fn own_error(dtype: DType, ulp: u32) -> f64 {
    let roundings = f64::from(2 * ulp + 1);
    let computed = dtype.compute();
    match computed == dtype {
        true => roundings * rounding(dtype),
        false => rounding(dtype) + roundings * rounding(computed),
    }
}

/// What a sum of `count` numbers errs by, relative to the sum of their magnitudes: some neighbours are added up in the type that
/// is computed in, on a CPU eight, and the rest in double precision.
pub(super) fn sum_error(dtype: DType, count: usize) -> f64 {
    const IN_A_RUN: usize = 64;
    let run = count.min(IN_A_RUN) as f64 * rounding(dtype.compute());
    run + count as f64 * rounding(DType::F64)
}

/// x in double precision, real or complex.
pub(super) fn wide(x: &Tensor) -> Result<Tensor> {
    let double = if x.dtype().is_complex() {
        DType::C128
    } else {
        DType::F64
    };
    Ok(x.cast(double)?.eval()?)
}

/// |x| in double precision.
pub(super) fn magnitudes(x: &Tensor) -> Result<Tensor> {
    Ok(apply(Prim::Abs, &[Arg::Tensor(&wide(x)?)])?.eval()?)
}

/// Bounds for both sides' products of `a` and `b`, with `more` roundings of what is done to the sums afterwards.
///
/// A sum of n products, in whatever order, errs by at most `n u / (1 - n u)` times the sum of their magnitudes (Higham,
/// Accuracy and Stability of Numerical Algorithms, 3.5); a part of a complex product is a sum of two products for each
/// term. Half types are summed in single precision and rounded once.
pub(super) fn products(a: &Tensor, b: &Tensor, more: usize) -> Result<Vec<f64>> {
    let dtype = a.dtype();
    let inner = a.shape().last().copied().unwrap_or(1);
    let terms = if dtype.is_complex() { 2 * inner } else { inner } + more;
    let (summed, last) = match dtype {
        DType::F16 | DType::BF16 => (DType::F32, rounding(dtype)),
        other => (other, 0.0),
    };
    let steps = terms as f64 * rounding(summed);
    let one_side = steps / (1.0 - steps) * (1.0 + last) + last;
    let sums = matmul(&magnitudes(a)?, &magnitudes(b)?)?.to_vec::<f64>()?;
    Ok(sums.iter().map(|sum| 2.0 * one_side * sum).collect())
}

/// A step of a map: the primitive, and which operands or earlier steps it takes.
pub(super) type Step = (Prim, Vec<usize>);

/// Bounds for a map of several steps: each step errs on both sides by what its row of the table says, and passes on what
/// its operands differ by.
pub(super) fn chain(steps: &[Step], inputs: &[Tensor], dtype: DType) -> Result<Vec<f64>> {
    let wide = if dtype.is_complex() {
        DType::C128
    } else {
        DType::F64
    };
    let mut values: Vec<Tensor> = inputs
        .iter()
        .map(|x| Ok(x.cast(wide)?.eval()?))
        .collect::<Result<_>>()?;
    let sizes = |x: &Tensor| -> Result<Vec<f64>> { Ok(magnitudes(x)?.to_vec::<f64>()?) };
    let mut size: Vec<Vec<f64>> = values.iter().map(sizes).collect::<Result<_>>()?;
    let mut apart: Vec<Vec<f64>> = size.iter().map(|s| vec![0.0; s.len()]).collect();
    for (prim, args) in steps {
        let operands: Vec<Arg<'_>> = args.iter().map(|&k| Arg::Tensor(&values[k])).collect();
        let value = apply(*prim, &operands)?.eval()?;
        let here = sizes(&value)?;
        // Both sides err, on opposite sides; a unit in the last place is at most two roundings.
        let own = 2.0 * (f64::from(prim.row().ulp) + 2.0) * rounding(dtype);
        let (a, b) = (args[0], *args.last().unwrap_or(&args[0]));
        let passed = |i: usize| -> Result<f64> {
            let (da, db) = (apart[a][i], apart[b][i]);
            Ok(match prim {
                Prim::Add | Prim::Sub => da + db,
                Prim::Mul | Prim::Square => size[a][i] * db + size[b][i] * da + da * db,
                Prim::Min | Prim::Max => da.max(db),
                Prim::Neg | Prim::Abs => da,
                other => bail!(
                    "how {} passes on a difference is not known here",
                    other.name()
                ),
            })
        };
        let new: Vec<f64> = (0..here.len())
            .map(|i| Ok(passed(i)? + own * here[i]))
            .collect::<Result<_>>()?;
        values.push(value);
        size.push(here);
        apart.push(new);
    }
    Ok(apart.pop().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_may_be_as_wrong_as_its_roundings_and_no_more() {
        let a = Tensor::from_vec(vec![1.0f32, -2.0, 3.0, 4.0], &[2, 2]).unwrap();
        let b = Tensor::from_vec(vec![5.0f32, 6.0, -7.0, 8.0], &[2, 2]).unwrap();
        let u = 2f64.powi(-24);
        let got = products(&a, &b, 0).unwrap();
        for (got, sum) in got.iter().zip([19.0, 22.0, 43.0, 50.0]) {
            assert!((got / (2.0 * 2.0 * u * sum) - 1.0).abs() < 1e-6, "{got}");
        }
        let halves = a.cast(DType::BF16).unwrap();
        let rounded = products(&halves, &b.cast(DType::BF16).unwrap(), 0).unwrap();
        assert!((rounded[0] / (2.0 * 2f64.powi(-8) * 19.0) - 1.0).abs() < 1e-3);
    }

    #[test]
    fn a_difference_is_passed_on() {
        let x = Tensor::from_vec(vec![3.0f32], &[1]).unwrap();
        let u = 2f64.powi(-24);
        let one = chain(
            &[(Prim::Mul, vec![0, 0])],
            std::slice::from_ref(&x),
            DType::F32,
        )
        .unwrap();
        assert_eq!(one[0], 8.0 * u * 9.0);
        let two = [(Prim::Mul, vec![0, 0]), (Prim::Mul, vec![1, 0])];
        let two = chain(&two, std::slice::from_ref(&x), DType::F32).unwrap();
        assert!((two[0] / (3.0 * one[0] + 8.0 * u * 27.0) - 1.0).abs() < 1e-12);
        assert!(chain(&[(Prim::Exp, vec![0])], &[x], DType::F32).is_err());
    }
}
