//! Products within a tolerance: the cheapest arithmetic that should keep it, and a dearer one where it did not.

use super::job::Job;
use super::matmul::product_shape;
use super::precision::Precision;
use super::probe::Probe;
use crate::device::{Account, Arithmetic};
use crate::dtype::DType;
use crate::error::Result;
use crate::scalar::Scalar;
use crate::tensor::Tensor;

/// In which arithmetic a product was computed, from the cheapest to the most exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Factors rounded to the 8 bits of `bfloat16`.
    Low,
    /// Factors rounded to the 11 bits of TF32.
    Medium,
    /// As exact as the type's own arithmetic, by another way.
    High,
    /// The type's own arithmetic.
    Native,
    /// Double precision, rounded to the type at the end.
    Double,
}

impl Level {
    /// The name users call it by.
    ///
    /// ```
    /// use syntonic_core::ops::linalg::Level;
    ///
    /// assert_eq!((Level::Medium.name(), Level::Double.name()), ("medium", "float64"));
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Level::Low => "low",
            Level::Medium => "medium",
            Level::High => "high",
            Level::Native => "native",
            Level::Double => "float64",
        }
    }

    fn of(arithmetic: Arithmetic) -> Level {
        match arithmetic {
            Arithmetic::Low => Level::Low,
            Arithmetic::Medium => Level::Medium,
            Arithmetic::High => Level::High,
            Arithmetic::Native => Level::Native,
        }
    }

    fn arithmetic(self) -> Arithmetic {
        match self {
            Level::Low => Arithmetic::Low,
            Level::Medium => Arithmetic::Medium,
            Level::High => Arithmetic::High,
            Level::Native | Level::Double => Arithmetic::Native,
        }
    }

    /// The levels that a product of this type may be computed in, the cheapest first.
    fn all(dtype: DType) -> &'static [Level] {
        match dtype {
            DType::F32 | DType::C64 => &[
                Level::Low,
                Level::Medium,
                Level::High,
                Level::Native,
                Level::Double,
            ],
            DType::F64 | DType::C128 => &[Level::High, Level::Native],
            _ => &[Level::Native],
        }
    }

    /// What the error of a product should be in the units of [`Precision::Tolerance`], with `k` terms in each sum: rounded
    /// factors, or the roundings of a sum, which grow like the root of their number.
    fn model(self, dtype: DType, k: usize) -> f64 {
        let long = (k.max(1) as f64).sqrt();
        let unit = match dtype.real() {
            DType::F64 => 2f64.powi(-53),
            _ => 2f64.powi(-24),
        };
        match self {
            Level::Low => 2f64.powi(-8),
            Level::Medium => 2f64.powi(-11),
            Level::High | Level::Native => unit * long,
            Level::Double => unit,
        }
    }
}

/// What became of a product.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// What was asked for.
    pub asked: Precision,
    /// The arithmetic of the result.
    pub chosen: Level,
    /// The estimate of `|result - a @ b|` in units of `| |a| @ |b| |`, Frobenius norms both. For the half types the rounding of
    /// the result is part of it. None where factors are not finite, and for integers, which are exact.
    pub estimated_error: Option<f64>,
    /// How often the product was computed again, more exactly.
    pub retries: u32,
}

/// Whether somebody wants to know the error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Check {
    /// It is measured where an arithmetic of the device's own choice may be too coarse.
    WhereNeeded,
    /// It is measured always.
    Always,
}

/// `alpha a @ b` of one dtype, as exact as is asked.
pub(super) fn keep(
    op: &'static str,
    asked: Precision,
    check: Check,
    (alpha, a, b): (Scalar, &Tensor, &Tensor),
) -> Result<(Tensor, Report)> {
    let dtype = a.dtype();
    let k = a.shape()[a.ndim() - 1];
    let (tolerance, levels) = match asked {
        Precision::Tolerance(t) => (t, from_model(dtype, k, t)),
        other => (f64::INFINITY, vec![Level::of(other.arithmetic())]),
    };
    let run = |level: Level| run(op, level, alpha, a, b);
    let probe = || Probe::new(alpha, a, b);
    let enough = |level: Level| level >= Level::High && level.model(dtype, k) <= tolerance;
    let measured = dtype.is_inexact() && a.numel() > 0 && b.numel() > 0;
    escalate(asked, tolerance, &levels, run, |level, out, found| {
        if !measured || (check == Check::WhereNeeded && enough(level)) {
            return Ok(Verdict::Unmeasured);
        }
        if found.is_none() {
            *found = Some(probe()?);
        }
        match found {
            Some(probe) if probe.is_finite()? => Ok(Verdict::Error(probe.error(out)?)),
            _ => Ok(Verdict::NotFinite),
        }
    })
}

/// The levels to try, from the cheapest that should do.
fn from_model(dtype: DType, k: usize, tolerance: f64) -> Vec<Level> {
    let all = Level::all(dtype);
    let fits = |l: &Level| l.model(dtype, k) <= tolerance;
    let first = all.iter().position(fits).unwrap_or(all.len() - 1);
    // few: as many as there are levels.
    all[first..].to_vec()
}

/// What a look at a result says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Verdict {
    Unmeasured,
    Error(f64),
    /// Nothing can be said, and coarse arithmetic must not be trusted.
    NotFinite,
}

/// Runs the levels in order until one keeps the tolerance, or none is left.
pub(super) fn escalate<P>(
    asked: Precision,
    tolerance: f64,
    levels: &[Level],
    mut run: impl FnMut(Level) -> Result<(Tensor, Level)>,
    mut look: impl FnMut(Level, &Tensor, &mut Option<P>) -> Result<Verdict>,
) -> Result<(Tensor, Report)> {
    let mut found = None;
    let mut retries = 0;
    let mut at = 0;
    loop {
        let level = levels.get(at).copied().unwrap_or(Level::Native);
        let (out, chosen) = run(level)?;
        let verdict = look(chosen, &out, &mut found)?;
        let estimated_error = match verdict {
            Verdict::Error(error) => Some(error),
            _ => None,
        };
        let report = Report {
            asked,
            chosen,
            estimated_error,
            retries,
        };
        let over = |e: f64| e.is_nan() || e > tolerance;
        let next = match verdict {
            // A device that computed more exactly than it was asked has done what the levels between would do.
            Verdict::Error(e) if over(e) => (at + 1..levels.len()).find(|&k| levels[k] > chosen),
            Verdict::NotFinite if chosen < Level::Native && tolerance.is_finite() => {
                let (out, chosen) = run(Level::Native)?;
                let report = Report {
                    chosen,
                    retries: retries + 1,
                    ..report
                };
                return Ok((out, report));
            }
            _ => None,
        };
        let Some(next) = next else {
            return Ok((out, report));
        };
        at = next;
        retries += 1;
    }
}

/// The product at one level, and the level that the device says it had.
fn run(
    op: &'static str,
    level: Level,
    alpha: Scalar,
    a: &Tensor,
    b: &Tensor,
) -> Result<(Tensor, Level)> {
    let dtype = a.dtype();
    let shape = product_shape(op, a, b)?;
    if level == Level::Double {
        let wide = if dtype.is_complex() {
            DType::C128
        } else {
            DType::F64
        };
        let (out, _) = run(op, Level::Native, alpha, &a.cast(wide)?, &b.cast(wide)?)?;
        return Ok((out.cast(dtype)?.eval()?, Level::Double));
    }
    let out = Tensor::uninit(op, &shape, dtype, a.device())?;
    let account = Account::default();
    let job = Job {
        alpha,
        arithmetic: level.arithmetic(),
        account: Some(account.clone()),
        ..Job::default()
    };
    job.run(a, b, &out)?;
    Ok((out, Level::of(account.used())))
}
