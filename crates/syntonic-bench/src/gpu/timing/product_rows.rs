//! The measured products: operands, calls, and what must come out.

use anyhow::{Context, Result, ensure};
use syntonic_core::fuse::Prim;
use syntonic_core::ops::composites::GELU;
use syntonic_core::ops::elementwise::{Arg, apply, composite};
use syntonic_core::ops::gather::take;
use syntonic_core::ops::linalg::{
    Activation, Chain, Keep, Precision, Product, Reduce, gemv, gemv_chain, linear, matmul,
    matmul_as,
};
use syntonic_core::{DType, Scalar, Tensor, cpu};
use syntonic_srt::constants::{INV_PHI, PHI, Q};
use syntonic_srt::golden::{Sign, Structure, mm_corrected, mm_phi, mm_tn, phi_bracket};

use super::factor_rows::FactorRow;
use super::scaled_rows::ScaledRow;
use crate::gpu::bounds::{magnitudes, rounding};
use crate::gpu::compare_each;

/// A product that is measured. A row's size is `[.., m, k, n]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ProductRow {
    /// `a @ b`, stacks and thin matrices as well.
    Matmul(Precision),
    /// A matrix times a vector.
    Gemv,
    /// `activation(x @ w + bias)`.
    Linear(Activation, Precision),
    /// The same as a person writes it: the product, plus the bias, and a function of that.
    Written(Activation),
    /// A product of 8-bit numbers with a scale for each row and column.
    Scaled(ScaledRow),
    /// Four layers with ReLU.
    Mlp,
    /// `z = 1.5 (A x + y0 / 2) - w` and the sum of its squares.
    GemvChain,
    /// `AB - BA/phi`.
    PhiBracket,
    /// `AB` and `BA`: what a bracket is compared with.
    TwoProducts,
    /// `phi AB`.
    MmPhi,
    /// The product of a transpose.
    MmTn,
    /// `(1 + q/8) AB`.
    MmCorrected,
    /// What is no product, but made of them.
    Factor(FactorRow),
}

/// Layers of the perceptron.
const LAYERS: usize = 4;
/// Lines of a result that are compared, at its beginning, its end, and between.
const LINES: usize = 4;
/// How far a product at [`Precision::High`] is off at most, in units of the sum of magnitudes: 24 roundings however long the sums are.
const HIGH: f64 = 24.0;

/// What must come out in double precision, and how far each element may be off.
pub(super) struct Wanted {
    pub(super) values: Tensor,
    pub(super) limits: Vec<f64>,
}

/// `z = 1.5 (A x + y0 / 2) - w` and the sum of its squares, of `A`, `x`, `y0` and `w`.
pub(crate) fn vector_chain(x: &[Tensor]) -> syntonic_core::Result<Vec<Tensor>> {
    let chain = Chain {
        beta: 0.5,
        y0: Some(&x[2]),
        a: 1.5,
        b: -1.0,
        w: Some(&x[3]),
        reduce: Some(Reduce::SumOfSquares),
        keep: Keep::Z,
        ..Chain::default()
    };
    let made = gemv_chain(&x[0], &x[1], &chain)?;
    Ok(made.z.into_iter().chain(made.r).collect())
}

impl ProductRow {
    /// The product of a kind of rows.
    pub(super) fn of(kind: &str) -> Option<ProductRow> {
        let native = Precision::Highest;
        Some(match kind {
            "matmul" | "bmm" | "thin" => ProductRow::Matmul(native),
            "matmul_high" | "bmm_high" => ProductRow::Matmul(Precision::High),
            "tf32" => ProductRow::Matmul(Precision::Medium),
            "gemv" => ProductRow::Gemv,
            "linear_gelu" => ProductRow::Linear(Activation::Gelu, native),
            "biased" => ProductRow::Written(Activation::None),
            "biased_gelu" => ProductRow::Written(Activation::Gelu),
            "linear_relu_high" => ProductRow::Linear(Activation::Relu, Precision::High),
            "scaled_int8" => ProductRow::Scaled(ScaledRow::INT8),
            "scaled_fp8" => ProductRow::Scaled(ScaledRow::FP8),
            "mlp" => ProductRow::Mlp,
            "gemv_chain" => ProductRow::GemvChain,
            "phi_bracket" => ProductRow::PhiBracket,
            "two_products" => ProductRow::TwoProducts,
            "mm_phi" => ProductRow::MmPhi,
            "mm_tn" => ProductRow::MmTn,
            "mm_corrected" => ProductRow::MmCorrected,
            _ => return FactorRow::of(kind).map(ProductRow::Factor),
        })
    }

    /// The operands, from tensors of numbers of both signs.
    pub(super) fn inputs(
        self,
        size: &[usize],
        values: impl Fn(u64, &[usize]) -> Result<Tensor>,
    ) -> Result<Vec<Tensor>> {
        if let ProductRow::Factor(factor) = self {
            return factor.inputs(size, values);
        }
        let (lead, last) = size.split_at(size.len().saturating_sub(3));
        let &[m, k, n] = last else {
            anyhow::bail!("the size of a product is [.., m, k, n], not {size:?}");
        };
        let at = |rows: usize, columns: usize| [lead, &[rows, columns]].concat();
        let shapes = match self {
            ProductRow::Gemv => vec![at(m, k), vec![k]],
            ProductRow::GemvChain => vec![at(m, k), vec![k], vec![m], vec![m]],
            ProductRow::Linear(..) | ProductRow::Written(_) => vec![at(m, k), vec![k, n], vec![n]],
            ProductRow::Scaled(_) => ScaledRow::shapes([m, k, n]),
            ProductRow::Mlp => {
                let layers = (0..LAYERS).flat_map(|_| [vec![k, n], vec![n]]);
                [vec![at(m, k)], layers.collect()].concat()
            }
            ProductRow::MmTn => vec![at(k, m), at(k, n)],
            _ => vec![at(m, k), at(k, n)],
        };
        let drawn = (0..).zip(&shapes).map(|(seed, shape)| values(seed, shape));
        let drawn: Vec<Tensor> = drawn.collect::<Result<_>>()?;
        match self {
            ProductRow::Scaled(scaled) => scaled.operands(&drawn),
            _ => Ok(drawn),
        }
    }

    /// The measured call, with all its results.
    pub(super) fn work(self, x: &[Tensor]) -> Result<Vec<Tensor>> {
        let results = match self {
            ProductRow::Factor(factor) => factor.work(x)?,
            ProductRow::Matmul(Precision::Highest) => vec![matmul(&x[0], &x[1])?],
            ProductRow::Matmul(asked) => vec![matmul_as(&x[0], &x[1], asked)?],
            ProductRow::Gemv => vec![gemv(&x[0], &x[1])?],
            ProductRow::Linear(activation, Precision::Highest) => {
                vec![linear(&x[0], &x[1], Some(&x[2]), activation)?]
            }
            ProductRow::Linear(activation, asked) => {
                let product = Product::new(&x[0], &x[1]).bias(&x[2]);
                vec![product.activation(activation).precision(asked).run()?]
            }
            ProductRow::Written(activation) => {
                let product = matmul(&x[0], &x[1])?;
                let sum = apply(Prim::Add, &[(&product).into(), (&x[2]).into()])?;
                drop(product);
                vec![match activation {
                    Activation::Gelu => composite("gelu", GELU.build, &[(&sum).into()])?,
                    _ => sum,
                }]
            }
            ProductRow::Scaled(scaled) => vec![scaled.work(x)?],
            ProductRow::Mlp => {
                let mut y = x[0].clone();
                for layer in x[1..].chunks(2) {
                    y = linear(&y, &layer[0], layer.get(1), Activation::Relu)?;
                }
                vec![y]
            }
            ProductRow::GemvChain => vector_chain(x)?,
            ProductRow::PhiBracket => vec![phi_bracket(&x[0], &x[1])?],
            ProductRow::TwoProducts => vec![matmul(&x[0], &x[1])?.eval()?, matmul(&x[1], &x[0])?],
            ProductRow::MmPhi => vec![mm_phi(&x[0], &x[1], 1)?],
            ProductRow::MmTn => vec![mm_tn(&x[0], &x[1])?],
            ProductRow::MmCorrected => {
                vec![mm_corrected(&x[0], &x[1], Structure::E8Rank, Sign::Plus)?]
            }
        };
        let all = results.into_iter().map(|t| Ok(t.eval()?));
        all.collect()
    }

    /// Compares a few rows of each result with double precision.
    pub(super) fn check(self, x: &[Tensor], results: &[Tensor]) -> Result<()> {
        if let ProductRow::Factor(factor) = self {
            return factor.check(x, results);
        }
        let dtype = self.result_dtype(x);
        let result = results.first().context("a call without a result")?;
        self.compare_rows(result, self.wanted(x)?, dtype)?;
        let Some(second) = results.get(1) else {
            return Ok(());
        };
        match self {
            ProductRow::TwoProducts => {
                let turned = [x[1].clone(), x[0].clone()];
                self.compare_rows(second, self.wanted(&turned)?, dtype)
            }
            // The vector was compared: the number is that of this vector, of which each element is rounded once.
            _ => {
                ensure!(second.ndim() == 0 && second.dtype() == dtype, "no number");
                let z = result.to(&cpu())?.cast(DType::F64)?.to_vec::<f64>()?;
                let sum: f64 = z.iter().map(|z| z * z).sum();
                let want = Tensor::full(&[], sum, DType::F64)?;
                compare_each(
                    &wide(&second.to(&cpu())?)?,
                    &want,
                    &[8.0 * rounding(dtype) * sum],
                )
            }
        }
    }

    fn compare_rows(self, result: &Tensor, wanted: Wanted, dtype: DType) -> Result<()> {
        ensure!(
            result.dtype() == dtype,
            "{} instead of {dtype}",
            result.dtype()
        );
        compare_each(&wide(&lines(result)?)?, &wanted.values, &wanted.limits)
    }

    fn result_dtype(self, x: &[Tensor]) -> DType {
        match self {
            ProductRow::Scaled(_) => ScaledRow::RESULT,
            _ => x[0].dtype(),
        }
    }

    /// The first result at the places of [`lines`].
    fn wanted(self, x: &[Tensor]) -> Result<Wanted> {
        let dtype = self.result_dtype(x);
        let here = |t: &Tensor| -> Result<Tensor> { Ok(stack(t)?.contiguous()?.to(&cpu())?) };
        let terms = if dtype.is_complex() { 2 } else { 1 } * x[1].shape()[x[1].ndim().max(2) - 2];
        let unit = self.unit(dtype, terms);
        let sums = match self {
            ProductRow::Linear(activation, _) | ProductRow::Written(activation) => {
                let layer = [here(&x[1])?, here(&x[2])?];
                layers(&lines(&x[0])?, &layer, activation, unit)?
            }
            ProductRow::Scaled(_) => ScaledRow::wanted(x)?,
            ProductRow::Mlp => {
                let weights: Vec<Tensor> = x[1..].iter().map(here).collect::<Result<_>>()?;
                layers(&lines(&x[0])?, &weights, Activation::Relu, unit)?
            }
            ProductRow::GemvChain => {
                let product = product(&lines(&x[0])?, &here(&x[1])?, unit)?;
                let (y0, w) = (wide(&lines(&x[2])?)?, wide(&lines(&x[3])?)?);
                let y = plus(&product, 1.0, &y0, 0.5, dtype)?;
                plus(&y, 1.5, &w, -1.0, dtype)?
            }
            ProductRow::PhiBracket => {
                let one = product(&lines(&x[0])?, &here(&x[1])?, unit)?;
                let other = product(&lines(&x[1])?, &here(&x[0])?, unit)?;
                let sum = plus(&one, 1.0, &other.values, -INV_PHI, dtype)?;
                let passed = other.limits.iter().map(|e| INV_PHI * e);
                let limits = sum.limits.iter().zip(passed).map(|(a, b)| a + b);
                Wanted {
                    limits: limits.collect(),
                    ..sum
                }
            }
            ProductRow::MmTn => {
                let turned = lines(&x[0].transpose(-1, -2)?)?;
                product(&turned, &here(&x[1])?, unit)?
            }
            ProductRow::MmPhi | ProductRow::MmCorrected => {
                let by = match self {
                    ProductRow::MmPhi => PHI,
                    _ => 1.0 + Q / 8.0,
                };
                let product = product(&lines(&x[0])?, &here(&x[1])?, unit)?;
                let nothing = Tensor::zeros(product.values.shape(), product.values.dtype())?;
                plus(&product, by, &nothing, 0.0, dtype)?
            }
            _ => product(&lines(&x[0])?, &here(&x[1])?, unit)?,
        };
        rounded(sums, dtype)
    }

    /// How far a sum of `terms` products may be off, in units of the sum of their magnitudes. Native sums, in whatever order:
    /// `n u / (1 - n u)` (Higham, Accuracy and Stability of Numerical Algorithms, 3.5), twice where the reference is
    /// no wider. TF32 keeps 11 bits of each factor: at most 2^-10 of each is cut off.
    fn unit(self, dtype: DType, terms: usize) -> f64 {
        let asked = match self {
            ProductRow::Matmul(asked) | ProductRow::Linear(_, asked) => asked,
            _ => Precision::Highest,
        };
        let u = rounding(if dtype.is_half() { DType::F32 } else { dtype });
        let steps = (terms + 4) as f64 * u;
        let native = steps / (1.0 - steps);
        // The product that is written is a number of its type.
        let native = match self {
            ProductRow::Written(_) => native + rounding(dtype),
            _ => native,
        };
        match (asked, dtype) {
            (Precision::High, DType::F32) => HIGH * u,
            // Three real products: the third one has factors twice as large, and the others are taken from it.
            (Precision::High, DType::C64) => 4.0 * HIGH * u,
            (Precision::High, DType::C128) => 4.0 * native,
            (Precision::Medium, DType::F32) => 2f64.powi(-9) + HIGH * u,
            (_, DType::F64 | DType::C128) => 2.0 * native,
            _ => native,
        }
    }
}

/// Some places of an axis of `length`.
fn places(length: usize, lines: usize) -> Vec<i64> {
    let mut all: Vec<i64> = [0, length / 3, length.saturating_sub(lines)]
        .into_iter()
        .flat_map(|start| start..(start + lines).min(length))
        .map(|i| i as i64)
        .collect();
    all.dedup();
    all
}

/// The places of [`lines`] in an axis of `length`.
pub(super) fn places_of(length: usize) -> Vec<i64> {
    places(length, LINES)
}

/// What is at some places of an axis.
pub(super) fn at(x: &Tensor, places: Vec<i64>, axis: isize) -> Result<Tensor> {
    let count = places.len();
    let places = Tensor::from_vec(places, &[count])?.to(x.device())?;
    Ok(take(x, &places, Some(axis))?)
}

/// Three matrices of a stack.
fn stack(x: &Tensor) -> Result<Tensor> {
    match x.ndim() {
        3 => at(x, places(x.shape()[0], 1), 0),
        _ => Ok(x.clone()),
    }
}

/// A few rows of a matrix, of three matrices of a stack, or elements of a vector, on the CPU.
pub(super) fn lines(x: &Tensor) -> Result<Tensor> {
    let axis = if x.ndim() == 1 { -1 } else { -2 };
    let x = stack(x)?;
    let length = x.shape()[(x.ndim() as isize + axis) as usize];
    Ok(at(&x, places_of(length), axis)?.eval()?.to(&cpu())?)
}

/// In double precision.
pub(super) fn wide(x: &Tensor) -> Result<Tensor> {
    let dtype = match x.dtype().is_complex() {
        true => DType::C128,
        false => DType::F64,
    };
    Ok(x.cast(dtype)?.eval()?)
}

/// `a @ b`, where each sum may be off by `unit` of the sum of its magnitudes.
pub(super) fn product(a: &Tensor, b: &Tensor, unit: f64) -> Result<Wanted> {
    let values = matmul(&wide(a)?, &wide(b)?)?.eval()?;
    let sums = matmul(&magnitudes(a)?, &magnitudes(b)?)?.to_vec::<f64>()?;
    let limits = sums.iter().map(|sum| unit * sum).collect();
    Ok(Wanted { values, limits })
}

/// `factor x + by other`, with a few roundings of both terms.
fn plus(x: &Wanted, factor: f64, other: &Tensor, by: f64, dtype: DType) -> Result<Wanted> {
    let times = |t: &Tensor, by: f64| -> Result<Tensor> {
        Ok(apply(Prim::Mul, &[t.into(), Arg::Number(Scalar::Float(by))])?.eval()?)
    };
    let (a, b) = (times(&x.values, factor)?, times(other, by)?);
    let values = apply(Prim::Add, &[(&a).into(), (&b).into()])?.eval()?;
    let (a, b) = (
        magnitudes(&a)?.to_vec::<f64>()?,
        magnitudes(&b)?.to_vec::<f64>()?,
    );
    let own = 4.0 * rounding(dtype);
    let limits = x.limits.iter().zip(a.iter().zip(&b));
    let limits = limits.map(|(e, (a, b))| factor.abs() * e + own * (a + b));
    Ok(Wanted {
        values,
        limits: limits.collect(),
    })
}

/// Layers of weights and biases by turns. A layer passes on what its operand is off by, and adds its own sum's share. No
/// activation is steeper than 1.2; it and the bias add some roundings of what they are taken of.
fn layers(x: &Tensor, weights: &[Tensor], activation: Activation, unit: f64) -> Result<Wanted> {
    let (mut values, mut size) = (wide(x)?, magnitudes(x)?);
    let mut off = Tensor::zeros(values.shape(), DType::F64)?;
    let sum = |a: &Tensor, b: &Tensor| -> Result<Tensor> {
        Ok(apply(Prim::Add, &[a.into(), b.into()])?.eval()?)
    };
    let times = |a: &Tensor, by: f64| -> Result<Tensor> {
        Ok(apply(Prim::Mul, &[a.into(), Arg::from(by)])?.eval()?)
    };
    for layer in weights.chunks(2) {
        let (w, bias) = (wide(&layer[0])?, wide(&layer[1])?);
        let large = sum(&size, &off)?;
        let passed = sum(&times(&large, unit)?, &off)?;
        let before = linear(&values, &w, Some(&bias), Activation::None)?;
        let own = sum(&magnitudes(&before)?, &magnitudes(&bias)?)?;
        let roundings = 16.0 * rounding(DType::F32);
        let all = sum(
            &matmul(&passed, &magnitudes(&w)?)?,
            &times(&own, roundings)?,
        )?;
        off = times(&all, 1.2)?;
        values = linear(&values, &w, Some(&bias), activation)?;
        size = magnitudes(&values)?;
    }
    Ok(Wanted {
        values,
        limits: off.to_vec::<f64>()?,
    })
}

/// The result's own rounding comes last; the others are there already where sums are of the same type.
fn rounded(sums: Wanted, dtype: DType) -> Result<Wanted> {
    let u = rounding(dtype);
    let sizes = magnitudes(&sums.values)?.to_vec::<f64>()?;
    let limits = sums.limits.iter().zip(sizes);
    let limits = limits.map(|(e, size)| e + u * (size + e)).collect();
    Ok(Wanted { limits, ..sums })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_at_both_ends_and_between() {
        assert_eq!(places(33, 4), [0, 1, 2, 3, 11, 12, 13, 14, 29, 30, 31, 32]);
        assert_eq!(places(8192, 1), [0, 2730, 8191]);
        assert_eq!(places(1, 1), [0]);
        assert!(places(0, 4).is_empty());
    }

    #[test]
    fn a_level_allows_what_it_promises() {
        let unit = |asked, terms| ProductRow::Matmul(asked).unit(DType::F32, terms);
        let u = 2f64.powi(-24);
        assert_eq!(unit(Precision::High, 8192), 24.0 * u);
        assert!((unit(Precision::Highest, 96) / (100.0 * u) - 1.0).abs() < 1e-4);
        assert!(unit(Precision::Medium, 8192) < 1.01 * 2f64.powi(-9));
    }
}
