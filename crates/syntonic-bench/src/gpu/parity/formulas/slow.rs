//! What each formula gives for one row, number by number, and how far a device may be from it.

use super::Formula;
use super::estimate::Estimate;
use super::written::{CUBIC, EPS, ROOT_2_OVER_PI};

impl Formula {
    /// The results of one row, from its numbers in each operand; of a mean over all rows, what this one adds to it. `None`
    /// where the row is empty or an operand is missing.
    pub(super) fn row(self, operands: &[&[Estimate]]) -> Option<Vec<Estimate>> {
        let (&x, more) = operands.split_first()?;
        let all = |f: &dyn Fn(Estimate) -> Estimate| x.iter().map(|&x| f(x)).collect::<Vec<_>>();
        let pairs = |y: &'_ [Estimate]| {
            let both = x.iter().copied().zip(y.iter().copied());
            both.collect::<Vec<_>>()
        };
        Some(match self {
            Formula::Softmax => softmax(x)?,
            Formula::MaskedSoftmax => {
                let kept = |(x, mask): (Estimate, Estimate)| match mask.value {
                    0.0 => Estimate::exact(f64::NEG_INFINITY, x.dtype()),
                    _ => x,
                };
                softmax(
                    &pairs(more.first()?)
                        .into_iter()
                        .map(kept)
                        .collect::<Vec<_>>(),
                )?
            }
            Formula::RmsNorm => {
                let square = Estimate::mean(x.iter().map(|&x| x * x))?;
                let root = (square + square.number(EPS)).sqrt();
                pairs(more.first()?)
                    .iter()
                    .map(|&(x, w)| x / root * w)
                    .collect()
            }
            Formula::LayerNorm => {
                let &[gamma, beta] = more else { return None };
                let affine = gamma.iter().zip(beta);
                normed(x)?
                    .iter()
                    .zip(affine)
                    .map(|(&n, (&g, &b))| n * g + b)
                    .collect()
            }
            Formula::StandardRows | Formula::StandardColumns => {
                let mean = Estimate::mean(x.iter().copied())?;
                let deviation = deviation(x)?;
                all(&|x| (x - mean) / deviation)
            }
            Formula::Loss => {
                let m = Estimate::max(x.iter().copied())?;
                let total = Estimate::sum(x.iter().map(|&x| (x - m).exp()))?;
                vec![total.ln() + m - *more.first()?.first()?]
            }
            Formula::SquaredError => {
                let squares = pairs(more.first()?)
                    .into_iter()
                    .map(|(x, y)| (x - y) * (x - y));
                squares.collect()
            }
            Formula::Distances => {
                let c = pairs(more.first()?);
                vec![Estimate::sum(
                    c.into_iter().map(|(x, c)| (x - c) * (x - c)),
                )?]
            }
            Formula::Cosine => {
                let &y = more.first()?;
                let product = Estimate::sum(pairs(y).into_iter().map(|(x, y)| x * y))?;
                vec![product / (length(x)? * length(y)?)]
            }
            Formula::GeluOfNorm => {
                let gelu = |n: Estimate| {
                    let inner = n + n * n * n * n.number(CUBIC);
                    let slope = (inner * n.number(ROOT_2_OVER_PI)).tanh();
                    n * n.number(0.5) * (slope + n.number(1.0))
                };
                normed(x)?.into_iter().map(gelu).collect()
            }
            Formula::Entropy => {
                let p = softmax(x)?;
                vec![-Estimate::sum(p.into_iter().map(|p| p * p.ln()))?]
            }
        })
    }
}

fn softmax(x: &[Estimate]) -> Option<Vec<Estimate>> {
    let m = Estimate::max(x.iter().copied())?;
    let e: Vec<Estimate> = x.iter().map(|&x| (x - m).exp()).collect();
    let total = Estimate::sum(e.iter().copied())?;
    Some(e.into_iter().map(|e| e / total).collect())
}

fn normed(x: &[Estimate]) -> Option<Vec<Estimate>> {
    let mean = Estimate::mean(x.iter().copied())?;
    let d: Vec<Estimate> = x.iter().map(|&x| x - mean).collect();
    let variance = Estimate::mean(d.iter().map(|&d| d * d))?;
    let root = (variance + variance.number(EPS)).sqrt();
    Some(d.into_iter().map(|d| d / root).collect())
}

/// The standard deviation: one reduction, rounded once.
fn deviation(x: &[Estimate]) -> Option<Estimate> {
    let mean = Estimate::mean(x.iter().map(|x| x.wide()))?;
    let squares = x.iter().map(|x| x.wide() - mean).map(|d| d * d);
    Some(Estimate::mean(squares)?.sqrt().cast(x.first()?.dtype()))
}

fn length(x: &[Estimate]) -> Option<Estimate> {
    Some(Estimate::sum(x.iter().map(|&x| x * x))?.sqrt())
}
