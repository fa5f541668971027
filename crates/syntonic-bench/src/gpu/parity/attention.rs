//! Attention and its slopes on tensor cores, beside the definition in `float64`: types, lengths off the tile, widths, grouped heads, layouts and
//! scores.
//!
//! With `u` the unit roundoff of the half type, each weight is rounded once before it meets its value, and so is each slope of a score; the mean of
//! a row's slopes is made of a rounded result. So a result is within `2 u` of the weighted sum of magnitudes, and a slope within that of its own
//! terms; both are rounded once more.

use super::Check;
use super::products::small;
use crate::gpu::{Gpu, compare_each};
use anyhow::Result;
use syntonic_core::ops::attention::{Attention, Positions, attention_scored};
use syntonic_core::{DType, Error, Tensor, grad};

/// A score of one's own.
#[derive(Clone, Copy, Debug)]
enum Score {
    Plain,
    /// ALiBi: nearer keys count more, in each head by another slope.
    Slopes,
    /// Bent, so that no score is above 3.
    Capped,
    /// Keys within 40 of the query.
    Window,
    /// Keys of the query's own document.
    Documents,
    /// Something for each pair, and something for each key.
    Biases,
    /// A mask of which some rows have no key.
    Mask,
}

const SCORES: [Score; 7] = [
    Score::Plain,
    Score::Slopes,
    Score::Capped,
    Score::Window,
    Score::Documents,
    Score::Biases,
    Score::Mask,
];

/// Batch, heads, heads of keys, queries, keys, and the widths of queries and values.
type Lens = [usize; 7];

/// Whole tiles, ragged ones, one query, grouped heads, and widths that no copy engine walks or that take two launches.
const LENS: [Lens; 7] = [
    [1, 2, 2, 128, 128, 64, 64],
    [2, 4, 2, 150, 300, 64, 64],
    [1, 2, 1, 200, 130, 128, 128],
    [1, 1, 1, 65, 200, 80, 96],
    [1, 2, 2, 1, 77, 32, 16],
    [1, 1, 1, 33, 150, 20, 7],
    [1, 1, 1, 140, 90, 256, 200],
];

pub(super) fn checks() -> Vec<Check> {
    let mut all = Vec::new();
    for dtype in [DType::F16, DType::BF16] {
        for (k, lens) in LENS.into_iter().enumerate() {
            for score in SCORES
                .into_iter()
                .filter(|s| k < 2 || matches!(s, Score::Plain))
            {
                for causal in [false, true] {
                    let form = if causal { "causal" } else { "whole" };
                    all.push(Check::new(
                        format!("attention/{score:?}/{dtype}/{lens:?}/{form}"),
                        move |gpu| {
                            agrees(
                                gpu,
                                Case {
                                    dtype,
                                    lens,
                                    score,
                                    causal,
                                    turned: k % 2 == 1,
                                },
                            )
                        },
                    ));
                }
            }
        }
    }
    all
}

#[derive(Clone, Copy, Debug)]
struct Case {
    dtype: DType,
    lens: Lens,
    score: Score,
    causal: bool,
    /// Whether heads and rows are exchanged in memory, as in a layer's projection.
    turned: bool,
}

impl Case {
    /// Rows over batch and heads, between -1 and 1.
    fn rows(&self, heads: usize, rows: usize, cols: usize, seed: u64) -> Result<Tensor> {
        let batch = self.lens[0];
        let x = match self.turned {
            true => small(self.dtype, &[batch, rows, heads, cols], seed)?.transpose(1, 2)?,
            false => small(self.dtype, &[batch, heads, rows, cols], seed)?,
        };
        Ok((x * 0.2).cast(self.dtype)?.eval()?)
    }

    /// What the score reads.
    fn operands(&self) -> Result<Vec<Tensor>> {
        let [_, heads, _, queries, keys, ..] = self.lens;
        let numbers = |shape: &[usize], seed: u64| small(DType::F32, shape, seed);
        Ok(match self.score {
            Score::Plain | Score::Capped | Score::Window => Vec::new(),
            Score::Slopes => vec![(numbers(&[heads, 1, 1], 11)? * 0.01).eval()?],
            Score::Documents => {
                let of = |len: usize| -> Result<Tensor> {
                    Ok((Tensor::arange(0, len as i64, 1)?.try_div(50.0)?)
                        .floor()?
                        .eval()?)
                };
                vec![
                    shaped(&of(queries)?, &[queries, 1])?,
                    shaped(&of(keys)?, &[1, keys])?,
                ]
            }
            Score::Biases => vec![
                (numbers(&[heads, queries, keys], 12)? * 0.1)
                    .cast(DType::BF16)?
                    .eval()?,
                (numbers(&[keys], 13)? * 0.1).eval()?,
            ],
            Score::Mask => {
                let some = numbers(&[queries, keys], 14)?.greater(-3.0)?;
                let rows = numbers(&[queries, 1], 15)?.greater(-5.0)?;
                vec![some.logical_and(&rows)?.eval()?]
            }
        })
    }

    fn score(
        &self,
        s: &Tensor,
        at: &Positions,
        operands: &[Tensor],
    ) -> syntonic_core::Result<Tensor> {
        let apart = || at.key.try_sub(&at.query);
        let none = || Tensor::scalar(f64::NEG_INFINITY, s.dtype())?.to(s.device());
        match self.score {
            Score::Plain => Ok(s.clone()),
            Score::Slopes => s.try_add(&operands[0].cast(s.dtype())?.try_mul(&apart()?)?),
            Score::Capped => s.try_div(3.0)?.tanh()?.try_mul(3.0),
            Score::Window => apart()?.abs()?.less_equal(40)?.where_cond(s, &none()?),
            Score::Documents => operands[0].equal(&operands[1])?.where_cond(s, &none()?),
            Score::Biases => s
                .try_add(&operands[0].cast(s.dtype())?)?
                .try_sub(&operands[1].cast(s.dtype())?),
            Score::Mask => operands[0].where_cond(s, &none()?),
        }
    }
}

/// Results, slopes of queries, keys and values, and how far each may be off.
struct Defined {
    values: [Tensor; 4],
    bounds: [Tensor; 4],
}

fn shaped(x: &Tensor, shape: &[usize]) -> Result<Tensor> {
    let shape: Vec<isize> = shape.iter().map(|&len| len as isize).collect();
    Ok(x.reshape(&shape)?)
}

fn turned(x: &Tensor) -> Result<Tensor> {
    Ok(x.transpose(-1, -2)?)
}

/// By the definition, with all scores in memory.
fn defined(case: &Case, [q, k, v, slope]: &[Tensor; 4], operands: &[Tensor]) -> Result<Defined> {
    let [batch, heads, shared, queries, keys, depth, width] = case.lens;
    let wide = |x: &Tensor| x.cast(DType::F64);
    let spread = |x: &Tensor, cols: usize| -> Result<Tensor> {
        let each = heads / shared;
        let x = shaped(&wide(x)?, &[batch, shared, 1, keys, cols])?;
        let x = x.broadcast_to(&[batch, shared, each, keys, cols])?;
        Ok(shaped(&x, &[batch, heads, keys, cols])?.eval()?)
    };
    let (q, slope) = (wide(q)?, wide(slope)?);
    let (k, v) = (spread(k, depth)?, spread(v, width)?);
    let scale = 1.0 / (depth as f64).sqrt();
    let product = (q.matmul(&turned(&k)?)? * scale).eval()?;
    let along = |axis: usize, len: usize| -> Result<Tensor> {
        let mut shape = [1; 4];
        shape[axis] = len;
        shaped(&Tensor::arange(0, len as i64, 1)?, &shape)
    };
    let at = Positions {
        batch: along(0, batch)?,
        head: along(1, heads)?,
        query: along(2, queries)?,
        key: along(3, keys)?,
    };
    let scored = |s: &Tensor| case.score(s, &at, operands);
    let scores = scored(&product)?.eval()?;
    let bent = grad::grad(|x| scored(&x[0])?.sum(..), &[&product])?.remove(0);
    let none = Tensor::scalar(f64::NEG_INFINITY, DType::F64)?;
    let scores = match case.causal {
        true => at
            .key
            .less_equal(&at.query)?
            .where_cond(&scores, &none)?
            .eval()?,
        false => scores,
    };
    let most = scores.max(-1)?.expand_dims(&[-1])?.maximum(-1e300)?;
    let weights = scores.try_sub(&most)?.exp()?.eval()?;
    let sums = weights.sum(-1)?.expand_dims(&[-1])?;
    let weights = weights.try_div(&sums.maximum(1e-300)?)?.eval()?;
    let out = weights.matmul(&v)?.eval()?;
    let by_weight = slope.matmul(&turned(&v)?)?.eval()?;
    let mean = (&slope * &out).sum(-1)?.expand_dims(&[-1])?.eval()?;
    let off = by_weight.try_sub(&mean)?.eval()?;
    let by_score = (&(&weights * &off) * &bent).eval()?;
    let joined = |x: &Tensor, cols: usize| -> Result<Tensor> {
        let each = heads / shared;
        Ok(shaped(x, &[batch, shared, each, keys, cols])?
            .sum(2)?
            .eval()?)
    };
    // Magnitudes of what is rounded.
    let mean_off = (slope.abs()? * &out.abs()?)
        .sum(-1)?
        .expand_dims(&[-1])?
        .eval()?;
    let rounded = (&(&weights * &(&off.abs()? + &mean_off)) * &bent.abs()?).eval()?;
    let dq = (by_score.matmul(&k)? * scale).eval()?;
    let dk = joined(&(turned(&by_score)?.matmul(&q)? * scale), depth)?;
    let dv = joined(&turned(&weights)?.matmul(&slope)?, width)?;
    let sums = [
        weights.matmul(&v.abs()?)?.eval()?,
        (rounded.matmul(&k.abs()?)? * scale).eval()?,
        joined(&(turned(&rounded)?.matmul(&q.abs()?)? * scale), depth)?,
        joined(&turned(&weights)?.matmul(&slope.abs()?)?, width)?,
    ];
    let unit = if case.dtype == DType::F16 {
        2f64.powi(-11)
    } else {
        2f64.powi(-8)
    };
    let bound = |sum: &Tensor, x: &Tensor| -> Result<Tensor> {
        Ok(((sum * (2.0 * unit)) + &(x.abs()? * unit) + 1e-6).eval()?)
    };
    let values = [out, dq, dk, dv];
    let bounds = [
        bound(&sums[0], &values[0])?,
        bound(&sums[1], &values[1])?,
        bound(&sums[2], &values[2])?,
        bound(&sums[3], &values[3])?,
    ];
    Ok(Defined { values, bounds })
}

fn agrees(gpu: &Gpu, case: Case) -> Result<()> {
    let [_, heads, shared, queries, keys, depth, width] = case.lens;
    let given = [
        case.rows(heads, queries, depth, 1)?,
        case.rows(shared, keys, depth, 2)?,
        case.rows(shared, keys, width, 3)?,
        case.rows(heads, queries, width, 4)?,
    ];
    let operands = case.operands()?;
    let want = defined(&case, &given, &operands)?;
    let there = |x: &Tensor| x.to(&gpu.device);
    let [q, k, v, slope] = [
        there(&given[0])?,
        there(&given[1])?,
        there(&given[2])?,
        there(&given[3])?,
    ];
    let operands = operands
        .iter()
        .map(there)
        .collect::<Result<Vec<_>, Error>>()?;
    let attended = |x: &[Tensor]| {
        let settings = Attention {
            operands: &operands.iter().collect::<Vec<_>>(),
            causal: case.causal,
            ..Attention::default()
        };
        attention_scored(
            &x[0],
            &x[1],
            &x[2],
            |s, at, o| case.score(s, at, o),
            settings,
        )
    };
    let out = attended(&[q.clone(), k.clone(), v.clone()])?;
    let slopes = grad::grad(
        |x| {
            attended(x)?
                .cast(DType::F32)?
                .try_mul(&slope.cast(DType::F32)?)?
                .sum(..)
        },
        &[&q, &k, &v],
    )?;
    let found = [out, slopes[0].clone(), slopes[1].clone(), slopes[2].clone()];
    for ((found, want), bound) in found.iter().zip(&want.values).zip(&want.bounds) {
        let bounds = bound.to_vec::<f64>()?;
        compare_each(&found.cast(DType::F64)?, want, &bounds)?;
    }
    Ok(())
}
