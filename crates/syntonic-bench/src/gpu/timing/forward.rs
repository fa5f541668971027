//! The measured layers: operands, calls, and what must come out.

use std::cell::OnceCell;

use anyhow::Result;
use syntonic_core::fuse::{Prim, Role};
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::ops::row_operators::{self, RowOperator};
use syntonic_core::{DType, Tensor, cpu};
use syntonic_srt::infer::{accuracy, kl_divergence};
use syntonic_srt::nn::{
    Activation, BatchNorm, Channels, LayerNorm, Mode, ROW_OPERATORS, Softmax, Weights, batch_norm,
    batch_norm_eval, golden_gelu, layer_norm, phi_residual, phi_residual_layer_norm,
    syntonic_softmax,
};
use syntonic_srt::resonant::{Modes, golden_weights, mode_norms};

use crate::gpu::{Exactness, bounds, compare};

/// A layer that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Forward {
    /// Phi-residual and relu.
    Residual,
    /// Phi-residual and layer norm.
    ResidualNorm,
    /// Golden layer norm.
    LayerNorm,
    /// Golden batch norm, from the statistics of the batch.
    BatchNorm(Channels),
    /// Golden batch norm of planes, from statistics that are given.
    BatchNormEval,
    /// Syntonic softmax along the last axis, or the first of two.
    Softmax(Along),
    /// Golden GELU.
    GoldenGelu,
    /// Syntony of states along the last axis.
    Syntony,
    /// The D phase.
    Differentiate,
    /// The H phase.
    Harmonize,
    /// Both, with the syntony before and after.
    Cycle,
    /// KL divergence of Gaussians along the last axis.
    KlDivergence,
    /// Accuracy along the last axis.
    Accuracy,
    /// The row operator at this place of the tables, along the last axis.
    Declared(usize),
}

/// Kinds of rows with this before the name of a row operator.
const DECLARED: &str = "row_operator/";

/// The row operator at this place of the tables.
fn declared(place: usize) -> &'static RowOperator {
    match place.checked_sub(row_operators::ALL.len()) {
        None => row_operators::ALL[place],
        Some(rest) => ROW_OPERATORS[rest],
    }
}

/// The place of the row operator of this name.
fn place_of(name: &str) -> Option<usize> {
    let mut all = row_operators::ALL.iter().chain(ROW_OPERATORS);
    all.position(|operator| operator.name == name)
}

/// The axis of a softmax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Along {
    /// The last: rows are contiguous.
    Last,
    /// The first: neighbours belong to neighbouring rows.
    First,
}

impl Along {
    pub(super) fn axis(self) -> isize {
        match self {
            Along::Last => -1,
            Along::First => 0,
        }
    }
}

/// Which part of an operand or a result a sample takes: a few places of an axis, or all of it.
type Cut = Option<isize>;

const EPS: f64 = 1e-5;

impl Forward {
    /// The layer of a kind of rows.
    pub(super) fn of(kind: &str) -> Option<Forward> {
        Some(match kind {
            "residual" => Forward::Residual,
            "residual_norm" => Forward::ResidualNorm,
            "layer_norm" => Forward::LayerNorm,
            "batch_norm" => Forward::BatchNorm(Channels::Planes),
            "batch_norm_features" => Forward::BatchNorm(Channels::Features),
            "batch_norm_eval" => Forward::BatchNormEval,
            "softmax" => Forward::Softmax(Along::Last),
            "softmax_leading" => Forward::Softmax(Along::First),
            "golden_gelu" => Forward::GoldenGelu,
            "syntony" | "syntony_rows" => Forward::Syntony,
            "differentiate" => Forward::Differentiate,
            "harmonize" => Forward::Harmonize,
            "cycle" => Forward::Cycle,
            "kl_divergence" | "kl_divergence_rows" => Forward::KlDivergence,
            "accuracy" | "accuracy_rows" => Forward::Accuracy,
            other => Forward::Declared(place_of(other.strip_prefix(DECLARED)?)?),
        })
    }

    /// The operands, from tensors of numbers between 0.5 and 1.5.
    pub(super) fn inputs(
        self,
        size: &[usize],
        values: impl Fn(u64, &[usize]) -> Result<Tensor>,
    ) -> Result<Vec<Tensor>> {
        let x = values(0, size)?;
        let more = |shapes: &[&[usize]]| -> Result<Vec<Tensor>> {
            let rest = (1..).zip(shapes).map(|(k, shape)| values(k, shape));
            [x.clone()].into_iter().map(Ok).chain(rest).collect()
        };
        match self {
            Forward::Residual => Ok(vec![x, both_signs(&values(1, size)?)?]),
            Forward::ResidualNorm => more(&[size, &size[1..], &size[1..]]),
            Forward::LayerNorm => more(&[&size[1..], &size[1..]]),
            Forward::BatchNorm(_) => more(&[&size[1..2]; 2]),
            Forward::BatchNormEval => more(&[&size[1..2]; 4]),
            Forward::Softmax(Along::Last) => more(&[&size[1..]]),
            Forward::Softmax(Along::First) => more(&[&size[..1]]),
            Forward::GoldenGelu => Ok(vec![both_signs(&x)?]),
            Forward::Syntony | Forward::Cycle => with_modes(x, None),
            Forward::Differentiate | Forward::Harmonize => {
                let s = values(1, &size[..1])?;
                with_modes(x, Some(s))
            }
            Forward::KlDivergence => more(&[size; 3]),
            Forward::Accuracy => more(&[size; 2]),
            Forward::Declared(place) => {
                let shape = |role| match role {
                    Role::Row => &size[1..],
                    _ => size,
                };
                let rest = declared(place).operands[1..].iter();
                more(&rest.map(|operand| shape(operand.1)).collect::<Vec<_>>())
            }
        }
    }

    /// The measured call, with all its results. What is made of the norms alone is kept from the first call on, as the peers
    /// have it made before.
    pub(super) fn work(self, x: &[Tensor], kept: &OnceCell<Modes>) -> Result<Vec<Tensor>> {
        let modes = || match kept.get() {
            Some(modes) => Ok(modes),
            None => {
                let made = Modes::with_weights(&x[1], &x[2])?;
                anyhow::Ok(kept.get_or_init(|| made))
            }
        };
        let results = match self {
            Forward::Residual => vec![phi_residual(&x[0], &x[1], Mode::Phi, Activation::Relu)?],
            Forward::ResidualNorm => {
                let (mode, activation) = (Mode::Phi, Activation::None);
                let made =
                    phi_residual_layer_norm(&x[0], &x[1], mode, activation, &x[2], &x[3], EPS)?;
                vec![made]
            }
            Forward::LayerNorm => {
                vec![layer_norm(
                    &x[0],
                    Some((&x[1], &x[2])),
                    LayerNorm::default(),
                )?]
            }
            Forward::BatchNorm(channels) => {
                let golden = BatchNorm::golden(channels);
                vec![batch_norm(&x[0], Some((&x[1], &x[2])), golden)?.0]
            }
            Forward::BatchNormEval => {
                let golden = BatchNorm::golden(Channels::Planes);
                let affine = Some((&x[3], &x[4]));
                vec![batch_norm_eval(&x[0], (&x[1], &x[2]), affine, golden)?]
            }
            Forward::Softmax(along) => {
                let settings = Softmax {
                    axis: along.axis(),
                    ..Softmax::default()
                };
                vec![syntonic_softmax(&x[0], Weights::Log(&x[1]), settings)?]
            }
            Forward::GoldenGelu => vec![golden_gelu(&x[0])?],
            Forward::Declared(place) => {
                let operator = declared(place);
                let usual: Vec<f64> = operator.settings.iter().map(|s| s.1).collect();
                let operands: Vec<&Tensor> = x.iter().collect();
                vec![operator.along(-1, &operands, &usual)?]
            }
            Forward::Syntony => vec![modes()?.syntony(&x[0])?],
            Forward::Differentiate => vec![modes()?.differentiate(&x[0], &x[3], None)?],
            Forward::Harmonize => vec![modes()?.harmonize(&x[0], &x[3])?],
            Forward::Cycle => {
                let (next, after) = modes()?.cycle(&x[0], None)?;
                vec![next, after]
            }
            Forward::KlDivergence => vec![kl_divergence(&x[0], &x[1], &x[2], &x[3])?],
            Forward::Accuracy => vec![accuracy(&x[0], &x[1], &x[2])?],
        };
        let all = results.into_iter().map(|t| Ok(t.eval()?));
        all.collect()
    }

    /// How operands and results are cut into samples; what is missing in either list is cut as the last.
    fn cuts(self, x: &[Tensor]) -> (Vec<Cut>, Vec<Cut>) {
        let (first, second) = (Some(0), Some(1));
        match self {
            Forward::Residual | Forward::GoldenGelu => (vec![first], vec![first]),
            Forward::ResidualNorm => (vec![first, first, None], vec![first]),
            Forward::LayerNorm | Forward::Softmax(Along::Last) | Forward::Cycle => {
                (vec![first, None], vec![first])
            }
            Forward::BatchNorm(_) | Forward::BatchNormEval => (vec![second, first], vec![second]),
            Forward::Softmax(Along::First) => (vec![second, None], vec![second]),
            Forward::Differentiate | Forward::Harmonize => {
                (vec![first, None, None, first], vec![first])
            }
            // One state is one row: there is no part of it that the rest does not matter to.
            Forward::Syntony | Forward::KlDivergence | Forward::Accuracy if x[0].ndim() == 1 => {
                (vec![None], vec![None])
            }
            Forward::Syntony => (vec![first, None], vec![first]),
            Forward::KlDivergence | Forward::Accuracy => (vec![first], vec![first]),
            Forward::Declared(place) => {
                let operands = declared(place).operands.iter();
                let cuts = operands.map(|operand| (operand.1 != Role::Row).then_some(0));
                (cuts.collect(), vec![first])
            }
        }
    }

    /// Compares samples of the results with what the CPU makes of the same operands.
    pub(super) fn check(self, x: &[Tensor], results: &[Tensor]) -> Result<()> {
        let (of_operands, of_results) = self.cuts(x);
        let Some(axis) = of_results[0] else {
            return self.check_part(x, results, &of_operands, &of_results, 0, 0);
        };
        let count = x[0].shape()[axis as usize] as isize;
        let length = match self {
            Forward::Residual | Forward::GoldenGelu => 256,
            _ => 4,
        };
        let places = [0, count / 3, count / 2 + 1, count - length];
        places
            .into_iter()
            .try_for_each(|at| self.check_part(x, results, &of_operands, &of_results, at, length))
    }

    fn check_part(
        self,
        x: &[Tensor],
        results: &[Tensor],
        of_operands: &[Cut],
        of_results: &[Cut],
        at: isize,
        length: isize,
    ) -> Result<()> {
        let cut = |t: &Tensor, axis: Cut| -> Result<Tensor> {
            let part = match axis {
                Some(axis) => t.slice(axis, Some(at), Some(at + length), 1)?,
                None => t.clone(),
            };
            Ok(part.contiguous()?.to(&cpu())?)
        };
        let of = |cuts: &[Cut], k: usize| cuts[k.min(cuts.len() - 1)];
        let parts = x.iter().enumerate();
        let parts: Vec<Tensor> = parts
            .map(|(k, t)| cut(t, of(of_operands, k)))
            .collect::<Result<_>>()?;
        for (k, (got, want)) in results
            .iter()
            .zip(self.work(&parts, &OnceCell::new())?)
            .enumerate()
        {
            compare(&cut(got, of(of_results, k))?, &want, self.exactness(&want)?)?;
        }
        Ok(())
    }

    /// Both sides may err by a few roundings of what goes in, sums by one for each step of the tree.
    fn exactness(self, want: &Tensor) -> Result<Exactness> {
        let roundings = match self {
            Forward::Residual => return Ok(Exactness::Same),
            Forward::Softmax(_) => return Ok(Exactness::Ulps(64.0)),
            Forward::GoldenGelu => 16.0,
            // Differences from a mean of about 1, divided by a third and scaled.
            Forward::ResidualNorm
            | Forward::LayerNorm
            | Forward::BatchNorm(_)
            | Forward::BatchNormEval
            | Forward::Declared(_) => 64.0,
            Forward::Differentiate | Forward::Harmonize => 16.0,
            Forward::Syntony | Forward::Cycle => 128.0,
            // Terms are small differences of numbers of about 1.
            Forward::KlDivergence | Forward::Accuracy => 256.0,
        };
        let values = want.cast(DType::F64)?.to_vec::<f64>()?;
        let largest = values.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        Ok(Exactness::Within {
            relative: roundings * bounds::rounding(want.dtype()),
            scale: largest,
        })
    }
}

/// From 0.5 to 1.5 to what makes sums of both signs.
pub(super) fn both_signs(r: &Tensor) -> Result<Tensor> {
    Ok(apply(Prim::Sub, &[r.into(), Arg::from(2.5)])?.eval()?)
}

/// A state, its norms and weights, and the syntony that it is moved at.
fn with_modes(psi: Tensor, s: Option<Tensor>) -> Result<Vec<Tensor>> {
    let norms = mode_norms(psi.shape()[psi.ndim() - 1])?;
    let weights = golden_weights(&norms)?;
    let there =
        |t: &Tensor| -> Result<Tensor> { Ok(t.cast(psi.dtype())?.eval()?.to(psi.device())?) };
    let mut all = vec![psi.clone(), there(&norms)?, there(&weights)?];
    all.extend(s);
    Ok(all)
}
