//! Reductions of rows, one number after the other, with what the order of a sum may change.

use super::errors::{Number, own, unit};
use super::script::Fold;
use syntonic_core::{DType, Scalar};

/// Numbers that a sum adds in their own type before it goes on in double precision.
const IN_A_RUN: usize = 64;

/// The results, their type, and whether every order gives the same bits; `None` where that cannot be said or there is no result.
pub(crate) fn fold(
    fold: Fold,
    rows: &[Vec<Number>],
    from: DType,
) -> Option<(DType, Vec<Number>, bool)> {
    let float = from.is_float();
    let whole = if matches!(from, DType::U8 | DType::U64) {
        DType::U64
    } else {
        DType::I64
    };
    let inexact = from.to_inexact();
    let dtype = match fold {
        Fold::Sum | Fold::Prod if !float => whole,
        Fold::Any | Fold::All => DType::Bool,
        Fold::ArgMin | Fold::ArgMax | Fold::CountNonzero => DType::I64,
        Fold::Mean | Fold::Var(_) | Fold::Std(_) | Fold::LogSumExp | Fold::NormMax => inexact,
        Fold::Sum | Fold::Prod | Fold::Min | Fold::Max => from,
    };
    let mut bits = true;
    let mut results = Vec::with_capacity(rows.len());
    for row in rows {
        let result = match fold {
            Fold::Sum | Fold::Mean => {
                let (total, exact) = total(row, inexact, float || fold == Fold::Mean)?;
                bits &= exact;
                if fold == Fold::Sum && !float {
                    total
                } else {
                    let count = if fold == Fold::Mean {
                        row.len() as f64
                    } else {
                        1.0
                    };
                    rounded(total, count, exact, dtype)
                }
            }
            Fold::Prod => product(row, from)?,
            Fold::Min | Fold::Max => {
                let result = extreme(fold, row)?.0;
                let zero = |sign: bool| {
                    let mut all = row.iter();
                    all.any(|x| x.value == 0.0 && x.value.is_sign_negative() == sign)
                };
                if result.value == 0.0 && zero(true) && zero(false) {
                    bits = false;
                    Number::zero()
                } else {
                    result
                }
            }
            Fold::NormMax => {
                let sizes: Vec<Number> = row
                    .iter()
                    .map(|x| Number {
                        value: x.value.abs(),
                        ..*x
                    })
                    .collect();
                extreme(Fold::Max, &sizes)?.0
            }
            Fold::ArgMin | Fold::ArgMax => discrete(row, extreme(fold, row)?.1 as f64),
            Fold::Any => discrete(row, f64::from(u8::from(row.iter().any(|x| x.value != 0.0)))),
            Fold::All => discrete(row, f64::from(u8::from(row.iter().all(|x| x.value != 0.0)))),
            Fold::CountNonzero => {
                discrete(row, row.iter().filter(|x| x.value != 0.0).count() as f64)
            }
            Fold::Var(less) | Fold::Std(less) => {
                bits = false;
                let var = variance(row, usize::from(less), inexact)?;
                let root = matches!(fold, Fold::Std(_));
                let result = if root { square_root(var) } else { var };
                Number {
                    error: own(result.value, result.error, 4, dtype),
                    ..result
                }
            }
            Fold::LogSumExp => {
                bits = false;
                logsumexp(row, inexact)?
            }
        };
        results.push(result);
    }
    Some((dtype, results, bits))
}

/// True where nothing has a result, too.
pub(crate) fn has_identity(fold: Fold) -> bool {
    !matches!(
        fold,
        Fold::Min | Fold::Max | Fold::ArgMin | Fold::ArgMax | Fold::LogSumExp | Fold::NormMax
    )
}

/// A sum and whether it is the same in every order.
fn total(row: &[Number], dtype: DType, float: bool) -> Option<(Number, bool)> {
    let sum = |f: &dyn Fn(&Number) -> f64| row.iter().map(f).sum::<f64>() + 0.0;
    let (value, size) = (sum(&|x| x.value), sum(&|x| x.value.abs() + x.error));
    // Whole numbers wrap in any order.
    if !float && row.iter().any(|x| x.error != 0.0) {
        return Some((Number::unknown(value), true));
    }
    let digits = 0.5 / unit(dtype.compute());
    let whole = row.iter().all(|x| x.error == 0.0 && x.value.fract() == 0.0);
    if whole && size <= digits {
        return Some((Number::known(value), true));
    }
    let (run, n) = (row.len().min(IN_A_RUN) as f64, row.len() as f64);
    let error = sum(&|x| x.error) + size * (run * unit(dtype.compute()) + n * unit(DType::F64));
    (float && error.is_finite() && value.is_finite()).then_some((Number { value, error }, false))
}

/// A sum over a count, rounded to the type once; half types by way of the type that they are computed in.
fn rounded(total: Number, count: f64, exact: bool, dtype: DType) -> Number {
    let value = Scalar::Float(total.value / count);
    let value = value.cast(dtype.compute()).cast(dtype).to_f64();
    let error = if exact {
        0.0
    } else {
        own(value, total.error / count, 4, dtype)
    };
    Number { value, error }
}

/// Of whole numbers, whose products wrap in any order, or of powers of two and zeros.
fn product(row: &[Number], from: DType) -> Option<Number> {
    let value = row.iter().map(|x| x.value).product::<f64>();
    if row.iter().any(|x| x.error != 0.0) {
        return (!from.is_float()).then_some(Number::unknown(value));
    }
    let power = |x: &Number| [0.0, 1.0, 2.0, 4.0].contains(&x.value.abs());
    if from.is_float() && !(row.iter().all(power) && value.abs() < 4096.0) {
        return None;
    }
    // Past a double's digits the model does not know how it wraps.
    Some(if value.abs() < 1e15 {
        Number::known(value)
    } else {
        Number::unknown(value)
    })
}

/// The first that no other beats, or the first NaN, and its place.
fn extreme(fold: Fold, row: &[Number]) -> Option<(Number, usize)> {
    let larger = matches!(fold, Fold::Max | Fold::ArgMax);
    let error = row.iter().map(|x| x.error).fold(0.0, f64::max);
    let mut best = 0;
    for (k, x) in row.iter().enumerate() {
        let old = row[best].value;
        let beats = if larger { x.value > old } else { x.value < old };
        if !old.is_nan() && (x.value.is_nan() || beats) {
            best = k;
        }
    }
    let value = row.get(best)?.value;
    Some((Number { value, error }, best))
}

/// A result that is known where the row is.
fn discrete(row: &[Number], value: f64) -> Number {
    if row.iter().all(|x| x.error == 0.0) {
        Number::known(value)
    } else {
        Number::unknown(value)
    }
}

/// Two passes, in the type that is computed in.
fn variance(row: &[Number], less: usize, dtype: DType) -> Option<Number> {
    let computed = dtype.compute();
    if row.len() <= less
        || row
            .iter()
            .any(|x| !x.value.is_finite() || !x.error.is_finite())
    {
        return None;
    }
    let n = row.len() as f64;
    let sum = |terms: &[Number]| {
        let value: f64 = terms.iter().map(|x| x.value).sum();
        let size: f64 = terms.iter().map(|x| x.value.abs() + x.error).sum();
        let passed: f64 = terms.iter().map(|x| x.error).sum();
        let run = terms.len().min(IN_A_RUN) as f64 * unit(computed);
        (value, passed + size * (run + n * unit(DType::F64)))
    };
    let (value, error) = sum(row);
    let mean = Number {
        value: value / n,
        error: own(value / n, error / n, 4, computed),
    };
    let square = |x: &Number| {
        let d = x.value - mean.value;
        let error = own(d, x.error + mean.error, 0, computed);
        let passed = error * (2.0 * d.abs() + error);
        Number {
            value: d * d,
            error: own(d * d, passed, 2, computed),
        }
    };
    // Squares may leave the range before they are divided.
    let range = row.iter().all(|x| x.value.abs() < 1e12);
    range.then_some(())?;
    let squares: Vec<Number> = row.iter().map(square).collect();
    let (value, error) = sum(&squares);
    let count = n - less as f64;
    Some(Number {
        value: value / count,
        error: own(value / count, error / count, 4, computed),
    })
}

fn square_root(x: Number) -> Number {
    let low = (x.value - x.error).max(0.0);
    let error = if x.value > 0.0 {
        x.error / (low.sqrt() + x.value.sqrt())
    } else {
        x.error.sqrt()
    };
    Number {
        value: x.value.sqrt(),
        error,
    }
}

/// ln sum e^x: what x is off by passes on as it is, a relative error of the sum as an absolute one.
fn logsumexp(row: &[Number], dtype: DType) -> Option<Number> {
    let (top, _) = extreme(Fold::Max, row)?;
    if row
        .iter()
        .any(|x| !x.value.is_finite() || !x.error.is_finite())
    {
        return None;
    }
    let sum: f64 = row.iter().map(|x| (x.value - top.value).exp()).sum();
    let log = sum.ln();
    let value = log + top.value;
    let u = unit(dtype.compute());
    // A term errs by the rounding of its exponent, by at most five of e^x, and by those of the sum.
    let spread: f64 = row
        .iter()
        .map(|x| (top.value - x.value) * (x.value - top.value).exp())
        .sum();
    let relative = (spread / sum + 5.0 + row.len().min(IN_A_RUN) as f64) * u
        + row.len() as f64 * unit(DType::F64);
    let passed = top.error + relative + (5.0 * log.abs() + top.value.abs()) * u;
    let value = Scalar::Float(value).cast(dtype).to_f64();
    Some(Number {
        value,
        error: own(value, passed, 1, dtype),
    })
}
