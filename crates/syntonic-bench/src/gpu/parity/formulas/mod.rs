//! Formulas over rows that nobody has named: written out from elements, sums and means, they are one program when they are
//! read. Measured, and compared with slow definitions.

mod estimate;
mod slow;
mod written;

use anyhow::{Context, Result, ensure};
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::{DType, Tensor, cpu};

use crate::gpu::layouts::made_of;
use crate::gpu::parity::Check;
use crate::gpu::{Gpu, compare_each};
use estimate::Estimate;

/// A formula that is written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Formula {
    /// Softmax of rows.
    Softmax,
    /// Softmax of the elements of a row where a mask is true.
    MaskedSoftmax,
    /// A row over its root mean square, times a weight for each place.
    RmsNorm,
    /// Layer norm with a factor and a term for each place.
    LayerNorm,
    /// Rows less their mean, over their standard deviation.
    StandardRows,
    /// Columns less their mean, over their standard deviation.
    StandardColumns,
    /// The mean of logsumexp of each row less the logit of its target.
    Loss,
    /// The mean squared difference of two matrices.
    SquaredError,
    /// Squared distances of rows from one row.
    Distances,
    /// Cosines between the rows of two matrices.
    Cosine,
    /// GELU, by a hyperbolic tangent, of a row that was normalised.
    GeluOfNorm,
    /// Entropy of the softmax of each row.
    Entropy,
}

/// What an operand has for the rows of the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operand {
    /// A row for each.
    Rows,
    /// Truths, a row for each.
    Mask,
    /// One row for all.
    Row,
    /// A number for each.
    Numbers,
}

/// What comes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gives {
    /// As many numbers as went in.
    Elements,
    /// A number for each row.
    Numbers,
    /// One number: a mean over all rows.
    Mean,
}

/// Rows of a sample, from each of three places.
const LINES: isize = 4;
/// Where logits and other numbers are drawn from.
pub(crate) const BETWEEN: (f64, f64) = (-2.0, 2.0);
/// The mask is true of what is drawn above.
const MASKED_BELOW: f64 = -1.0;

impl Formula {
    const ALL: [Formula; 12] = [
        Formula::Softmax,
        Formula::MaskedSoftmax,
        Formula::RmsNorm,
        Formula::LayerNorm,
        Formula::StandardRows,
        Formula::StandardColumns,
        Formula::Loss,
        Formula::SquaredError,
        Formula::Distances,
        Formula::Cosine,
        Formula::GeluOfNorm,
        Formula::Entropy,
    ];

    /// The formula of a kind of rows.
    pub(crate) fn of(kind: &str) -> Option<Formula> {
        Formula::ALL.into_iter().find(|f| f.kind() == kind)
    }

    /// The kind of its rows in the list.
    fn kind(self) -> &'static str {
        match self {
            Formula::Softmax => "written_softmax",
            Formula::MaskedSoftmax => "written_masked_softmax",
            Formula::RmsNorm => "written_rms_norm",
            Formula::LayerNorm => "written_layer_norm",
            Formula::StandardRows => "written_standard_rows",
            Formula::StandardColumns => "written_standard_columns",
            Formula::Loss => "written_loss",
            Formula::SquaredError => "written_squared_error",
            Formula::Distances => "written_distances",
            Formula::Cosine => "written_cosine",
            Formula::GeluOfNorm => "written_gelu_of_norm",
            Formula::Entropy => "written_entropy",
        }
    }

    /// The operands after the first.
    fn more(self) -> &'static [Operand] {
        match self {
            Formula::MaskedSoftmax => &[Operand::Mask],
            Formula::RmsNorm | Formula::Distances => &[Operand::Row],
            Formula::LayerNorm => &[Operand::Row, Operand::Row],
            Formula::Loss => &[Operand::Numbers],
            Formula::SquaredError | Formula::Cosine => &[Operand::Rows],
            Formula::Softmax
            | Formula::StandardRows
            | Formula::StandardColumns
            | Formula::GeluOfNorm
            | Formula::Entropy => &[],
        }
    }

    fn gives(self) -> Gives {
        match self {
            Formula::Loss | Formula::SquaredError => Gives::Mean,
            Formula::Distances | Formula::Cosine | Formula::Entropy => Gives::Numbers,
            _ => Gives::Elements,
        }
    }

    /// The axis along which one row follows the other.
    fn across(self) -> usize {
        usize::from(self == Formula::StandardColumns)
    }

    /// The operands, from tensors of numbers of [`BETWEEN`].
    pub(crate) fn inputs(
        self,
        size: &[usize],
        values: impl Fn(u64, &[usize]) -> Result<Tensor>,
    ) -> Result<Vec<Tensor>> {
        let mut all = vec![values(0, size)?];
        for (k, operand) in (1..).zip(self.more()) {
            all.push(match operand {
                Operand::Rows => values(k, size)?,
                Operand::Mask => {
                    let drawn = values(k, size)?;
                    apply(Prim::Gt, &[(&drawn).into(), Arg::from(MASKED_BELOW)])?.eval()?
                }
                Operand::Row => values(k, &size[1..])?,
                Operand::Numbers => values(k, &size[..1])?,
            });
        }
        Ok(all)
    }

    /// The measured call.
    pub(crate) fn work(self, x: &[Tensor]) -> Result<Tensor> {
        Ok(self.expression(x)?.eval()?)
    }

    /// What nobody has read yet.
    fn expression(self, x: &[Tensor]) -> Result<Tensor> {
        let result = match (self, x) {
            (Formula::Softmax, [x]) => written::softmax(x),
            (Formula::MaskedSoftmax, [x, mask]) => written::masked_softmax(x, mask),
            (Formula::RmsNorm, [x, w]) => written::rms_norm(x, w),
            (Formula::LayerNorm, [x, gamma, beta]) => written::layer_norm(x, gamma, beta),
            (Formula::StandardRows, [x]) => written::standardised(x, -1),
            (Formula::StandardColumns, [x]) => written::standardised(x, 0),
            (Formula::Loss, [x, t]) => written::loss(x, t),
            (Formula::SquaredError, [x, y]) => written::squared_error(x, y),
            (Formula::Distances, [x, c]) => written::distances(x, c),
            (Formula::Cosine, [x, y]) => written::cosine(x, y),
            (Formula::GeluOfNorm, [x]) => written::gelu_of_norm(x),
            (Formula::Entropy, [x]) => written::entropy(x),
            _ => anyhow::bail!("{} operands for {self:?}", x.len()),
        };
        Ok(result?)
    }

    /// Compares samples of a result, or a mean whole, with the slow definition.
    pub(in crate::gpu) fn check(self, x: &[Tensor], result: &Tensor) -> Result<()> {
        let dtype = x.first().context("no operand")?.dtype();
        ensure!(result.dtype() == dtype, "{} of {dtype}", result.dtype());
        if self.gives() == Gives::Mean {
            return self.check_mean(x, result);
        }
        self.samples(x)
            .into_iter()
            .try_for_each(|place| self.check_rows(x, result, place))
    }

    /// The first row and the number of rows of each sample.
    fn samples(self, x: &[Tensor]) -> Vec<(isize, isize)> {
        let rows = x[0].shape()[self.across()] as isize;
        if rows <= 3 * LINES {
            vec![(0, rows)]
        } else {
            let starts = [0, rows / 3, rows - LINES];
            starts.map(|at| (at, LINES)).to_vec()
        }
    }

    /// So many rows from row `at` on by the slow definition.
    fn slow_rows(self, x: &[Tensor], (at, count): (isize, isize)) -> Result<Vec<Vec<Estimate>>> {
        let axis = self.across() as isize;
        let parts = self.host(x, |t| Ok(t.slice(axis, Some(at), Some(at + count), 1)?))?;
        let rows = (0..count as usize).map(|row| self.row_of(&parts, row, count as usize));
        rows.collect()
    }

    /// Places of the row-major result, what comes out there, and how far from it a result may be.
    pub(crate) fn expected(self, x: &[Tensor]) -> Result<(Vec<usize>, Vec<f64>, Vec<f64>)> {
        let (mut places, mut all) = (Vec::new(), Vec::new());
        if self.gives() == Gives::Mean {
            places.push(0);
            all.push(self.slow_mean(x)?);
        } else {
            for sample in self.samples(x) {
                for (row, values) in (sample.0 as usize..).zip(self.slow_rows(x, sample)?) {
                    let (rows, each) = (x[0].shape()[self.across()], values.len());
                    let across = self.across() == 1;
                    let place = |j: usize| {
                        if across {
                            j * rows + row
                        } else {
                            row * each + j
                        }
                    };
                    places.extend((0..each).map(place));
                    all.extend(values);
                }
            }
        }
        let values = all.iter().map(|e| e.value).collect();
        Ok((places, values, all.iter().map(|e| e.error).collect()))
    }

    fn check_rows(self, x: &[Tensor], result: &Tensor, (at, count): (isize, isize)) -> Result<()> {
        let axis = self.across() as isize;
        let got = self.lines(&result.slice(axis, Some(at), Some(at + count), 1)?)?;
        let all: Vec<Estimate> = self.slow_rows(x, (at, count))?.concat();
        let want: Vec<f64> = all.iter().map(|e| e.value).collect();
        let bounds: Vec<f64> = all.iter().map(|e| e.error).collect();
        let want = Tensor::from_vec(want, got.shape())?;
        compare_each(&got, &want, &bounds).with_context(|| format!("from row {at}"))
    }

    fn slow_mean(self, x: &[Tensor]) -> Result<Estimate> {
        let parts = self.host(x, |t| Ok(t.clone()))?;
        let count = x[0].shape()[0];
        // A row that is missing would be an empty one, which the mean of nothing shows.
        let rows = (0..count).map(|row| self.row_of(&parts, row, count).unwrap_or_default());
        Estimate::mean(rows.flatten()).context("a mean of nothing")
    }

    fn check_mean(self, x: &[Tensor], result: &Tensor) -> Result<()> {
        let mean = self.slow_mean(x)?;
        let want = Tensor::from_vec(vec![mean.value], &[])?;
        let got = result.to(&cpu())?.cast(DType::F64)?;
        compare_each(&got, &want, &[mean.error])
    }

    /// The operands on the CPU, with rows along the last axis: those that have something for each row as `cut` cuts them.
    fn host(
        self,
        x: &[Tensor],
        cut: impl Fn(&Tensor) -> Result<Tensor>,
    ) -> Result<Vec<Vec<Estimate>>> {
        let part = |(k, t): (usize, &Tensor)| {
            let whole = k > 0 && self.more()[k - 1] == Operand::Row;
            let values = self.lines(&if whole { t.clone() } else { cut(t)? })?;
            let dtype = x[0].dtype();
            let values = values.to_vec::<f64>()?;
            Ok(values
                .into_iter()
                .map(|v| Estimate::exact(v, dtype))
                .collect())
        };
        x.iter().enumerate().map(part).collect()
    }

    /// In double precision on the CPU, one row after the other.
    fn lines(self, t: &Tensor) -> Result<Tensor> {
        let t = t.contiguous()?.to(&cpu())?.cast(DType::F64)?;
        let turned = if self.across() == 1 {
            t.transpose(0, 1)?
        } else {
            t
        };
        Ok(turned.eval()?.contiguous()?)
    }

    /// One of so many rows by the slow definition.
    fn row_of(self, parts: &[Vec<Estimate>], row: usize, count: usize) -> Result<Vec<Estimate>> {
        let of = |(k, part): (usize, &Vec<Estimate>)| {
            if k > 0 && self.more()[k - 1] == Operand::Row {
                return 0..part.len();
            }
            let length = part.len() / count;
            row * length..(row + 1) * length
        };
        let operands = parts.iter().enumerate();
        let operands: Vec<&[Estimate]> = operands.map(|(k, part)| &part[of((k, part))]).collect();
        self.row(&operands).context("an operand is missing")
    }
}

/// Rows that are held in registers, are split, or are more than a GPU has at once.
const SHAPES: [[usize; 2]; 5] = [[70, 300], [600, 1024], [5, 33_000], [9000, 24], [4000, 40]];

pub(super) fn checks() -> Vec<Check> {
    let mut all = Vec::new();
    for formula in Formula::ALL {
        // Squares of a long row leave the range of `float16`.
        for dtype in [DType::F32, DType::BF16, DType::F64] {
            let name = format!("formulas/{}/{dtype}", formula.kind());
            all.push(Check::new(name, move |gpu| {
                SHAPES
                    .iter()
                    .try_for_each(|shape| everywhere(gpu, formula, dtype, shape))
            }));
        }
    }
    all
}

fn everywhere(gpu: &Gpu, formula: Formula, dtype: DType, shape: &[usize]) -> Result<()> {
    let (low, high) = BETWEEN;
    let values = |k: u64, shape: &[usize]| {
        let place = |i: usize| ((i * 7919 + 31 * k as usize) % 2003) as f64 / 2003.0;
        gpu.take(&made_of(dtype, shape, |i| low + (high - low) * place(i))?)
    };
    let x = formula.inputs(shape, values)?;
    let result = formula.work(&x)?;
    formula
        .check(&x, &result)
        .with_context(|| format!("{shape:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_their_own() {
        for formula in Formula::ALL {
            assert_eq!(Formula::of(formula.kind()), Some(formula));
        }
        assert_eq!(Formula::of("softmax"), None);
    }

    #[test]
    fn every_formula_is_one_program_over_its_rows() {
        for formula in Formula::ALL {
            let values = |_: u64, shape: &[usize]| made_of(DType::F32, shape, |i| (i % 7) as f64);
            let x = formula.inputs(&[200, 300], values).unwrap();
            let result = formula.expression(&x).unwrap();
            if formula.gives() == Gives::Mean {
                assert!(!result.is_pending(), "{formula:?}: one number is no row");
                continue;
            }
            let text = syntonic_core::lazy::explain(&result).unwrap();
            let whole = text.contains("one program over the rows") && text.contains("1 outputs");
            let inputs = format!("{} inputs", x.len());
            assert!(whole && text.contains(&inputs), "{formula:?}: {text}");
            assert!(!text.contains("computed first"), "{formula:?}: {text}");
        }
    }

    #[test]
    fn a_result_that_is_off_by_more_than_its_bound_is_found() {
        for (formula, dtype) in [
            (Formula::Softmax, DType::F32),
            (Formula::StandardColumns, DType::F64),
            (Formula::Loss, DType::F32),
            (Formula::Cosine, DType::BF16),
        ] {
            let values = |k: u64, shape: &[usize]| {
                made_of(dtype, shape, |i| {
                    ((i * 31 + k as usize * 7) % 101) as f64 / 25.0 - 2.0
                })
            };
            let x = formula.inputs(&[40, 50], values).unwrap();
            let result = formula.work(&x).unwrap();
            formula.check(&x, &result).unwrap();
            // Two sums of 64 roundings, and a few besides.
            let relative = 400.0 * crate::gpu::bounds::rounding(dtype);
            let wrong = apply(Prim::Mul, &[(&result).into(), Arg::from(1.0 + relative)]).unwrap();
            assert!(formula.check(&x, &wrong).is_err(), "{formula:?}");
            assert!(
                formula
                    .check(&x, &result.cast(DType::F16).unwrap())
                    .is_err()
            );
        }
    }
}
