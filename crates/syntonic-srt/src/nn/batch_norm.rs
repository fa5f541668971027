//! Golden batch norm: statistics per channel, and a target variance of 1/phi unless told otherwise.

use super::{TargetVariance, check_eps, check_real};
use serde::{Deserialize, Serialize};
use syntonic_core::fuse::{Prim, Program};
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::run::{self, Axes};
use syntonic_core::{DType, Error, Result, Tensor, describe, fuse, same_device};

fuse! {
    /// Statistics over the row (all positions of a channel), and the normalised values.
    pub(super) BATCH_NORM(x: element, gamma: row_scalar, beta: row_scalar, scale: number, eps: number)
        -> (element, row_scalar, row_scalar) {
        let mu = mean(x);
        let var = mean(square(x - mu));
        [(x - mu) * (rsqrt(var + eps) * scale * gamma) + beta, mu, var]
    }

    pub(super) BATCH_NORM_PLAIN(x: element, scale: number, eps: number) -> (element, row_scalar, row_scalar) {
        let mu = mean(x);
        let var = mean(square(x - mu));
        [(x - mu) * (rsqrt(var + eps) * scale), mu, var]
    }

    BATCH_NORM_EVAL(x: element, mu: row_scalar, var: row_scalar, gamma: row_scalar, beta: row_scalar,
        scale: number, eps: number) -> (element) {
        (x - mu) * (rsqrt(var + eps) * scale * gamma) + beta
    }

    BATCH_NORM_EVAL_PLAIN(x: element, mu: row_scalar, var: row_scalar, scale: number, eps: number) -> (element) {
        (x - mu) * (rsqrt(var + eps) * scale)
    }
}

/// The formulas over rows.
pub(super) fn formulas() -> Vec<&'static Program> {
    vec![
        &BATCH_NORM,
        &BATCH_NORM_PLAIN,
        &BATCH_NORM_EVAL,
        &BATCH_NORM_EVAL_PLAIN,
    ]
}

/// Where the channels are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Channels {
    /// `[batch, features]`: statistics over the batch.
    Features,
    /// `[batch, channels, height, width]`: statistics over batch, height and width.
    Planes,
}

impl Channels {
    pub(super) fn axes(self) -> &'static [isize] {
        match self {
            Channels::Features => &[0],
            Channels::Planes => &[0, 2, 3],
        }
    }

    fn ndim(self) -> usize {
        match self {
            Channels::Features => 2,
            Channels::Planes => 4,
        }
    }

    fn op(self) -> &'static str {
        match self {
            Channels::Features => "golden_batch_norm_1d",
            Channels::Planes => "golden_batch_norm_2d",
        }
    }
}

/// Settings of the norm.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BatchNorm {
    /// Where the channels are.
    pub channels: Channels,
    /// The variance of the result.
    pub target: TargetVariance,
    /// Added to the variance.
    pub eps: f64,
}

impl BatchNorm {
    /// The golden norm with eps 1e-5.
    ///
    /// ```
    /// use syntonic_srt::nn::{BatchNorm, Channels, TargetVariance};
    ///
    /// let settings = BatchNorm::golden(Channels::Features);
    /// assert_eq!((settings.target, settings.eps), (TargetVariance::Golden, 1e-5));
    /// ```
    pub fn golden(channels: Channels) -> BatchNorm {
        BatchNorm {
            channels,
            target: TargetVariance::Golden,
            eps: 1e-5,
        }
    }
}

/// Statistics of one batch, one value per channel: `float32` for half types, which do not hold their variances.
#[derive(Clone, Debug)]
pub struct BatchStats {
    /// The mean.
    pub mean: Tensor,
    /// The variance, divided by the number of positions.
    pub var: Tensor,
    /// How many positions each channel has.
    pub count: usize,
}

fn check(x: &Tensor, per_channel: &[&Tensor], settings: BatchNorm) -> Result<f64> {
    check_as(settings.channels.op(), x, per_channel, settings)
}

/// As [`check`], in the name of `op`.
pub(super) fn check_as(
    op: &'static str,
    x: &Tensor,
    per_channel: &[&Tensor],
    settings: BatchNorm,
) -> Result<f64> {
    check_eps(op, settings.eps)?;
    let mut all = vec![x];
    all.extend(per_channel);
    same_device(op, &all)?;
    check_real(op, &[x])?;
    let fail = |hint: String| {
        Err(Error::Shape {
            op,
            operands: describe(&all),
            hint,
        })
    };
    if x.ndim() != settings.channels.ndim() {
        return fail(format!(
            "takes a tensor of {} axes, channels second",
            settings.channels.ndim()
        ));
    }
    if x.numel() == 0 {
        return fail("a batch without elements has no statistics".into());
    }
    if per_channel.iter().any(|t| t.shape() != [x.shape()[1]]) {
        return fail(format!(
            "everything per channel has the shape [{}]",
            x.shape()[1]
        ));
    }
    Ok(settings.target.value()?.sqrt())
}

/// `sqrt(v) (x - mean) / sqrt(var + eps) * gamma + beta` with the statistics of the batch itself,
/// which come back too. `v` is the target variance; the variance is divided by the number of
/// positions. `x: [B, F]` or `[B, C, H, W]`, `gamma, beta: [C]`, together or not at all.
///
/// A constant channel (or a batch of one) gives exactly `beta`. An empty batch is an error.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::nn::{BatchNorm, Channels, TargetVariance, batch_norm};
///
/// let settings = BatchNorm { channels: Channels::Features, target: TargetVariance::Standard, eps: 0.0 };
/// let x = Tensor::from([[1.0, 10.0], [3.0, 30.0]]);
/// let (y, stats) = batch_norm(&x, None, settings)?;
/// assert_eq!(y.to_vec::<f64>()?, [-1.0, -1.0, 1.0, 1.0]);
/// assert_eq!(stats.mean.to_vec::<f64>()?, [2.0, 20.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn batch_norm(
    x: &Tensor,
    affine: Option<(&Tensor, &Tensor)>,
    settings: BatchNorm,
) -> Result<(Tensor, BatchStats)> {
    let axes = settings.channels.axes();
    let outputs = match affine {
        Some((gamma, beta)) => {
            let scale = check(x, &[gamma, beta], settings)?;
            let numbers = [scale.into(), settings.eps.into()];
            run::rows(&BATCH_NORM, &[x, gamma, beta], &numbers, axes, Axes::Drop)?
        }
        None => {
            let scale = check(x, &[], settings)?;
            let numbers = [scale.into(), settings.eps.into()];
            run::rows(&BATCH_NORM_PLAIN, &[x], &numbers, axes, Axes::Drop)?
        }
    };
    let [y, mut mean, mut var] = <[Tensor; 3]>::try_from(outputs)
        .map_err(|_| Error::value(settings.channels.op(), "the program has three outputs"))?;
    if var.dtype().is_half() {
        // The program rounds them to the half type, which may not hold them. These are computed where somebody reads them.
        let (wide, over) = (x.cast(DType::F32)?, Over::axes(axes));
        (mean, var) = (reduce::mean(&wide, &over)?, reduce::var(&wide, &over, 0.0)?);
    }
    let count = x.numel() / x.shape()[1].max(1);
    Ok((y, BatchStats { mean, var, count }))
}

/// The norm with given statistics: what evaluation uses.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::nn::{BatchNorm, Channels, TargetVariance, batch_norm_eval};
///
/// let settings = BatchNorm { channels: Channels::Features, target: TargetVariance::Standard, eps: 0.0 };
/// let (mean, var) = (Tensor::from([2.0]), Tensor::from([4.0]));
/// let y = batch_norm_eval(&Tensor::from([[2.0], [6.0]]), (&mean, &var), None, settings)?;
/// assert_eq!(y.to_vec::<f64>()?, [0.0, 2.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn batch_norm_eval(
    x: &Tensor,
    (mean, var): (&Tensor, &Tensor),
    affine: Option<(&Tensor, &Tensor)>,
    settings: BatchNorm,
) -> Result<Tensor> {
    let (program, inputs) = match affine {
        Some((gamma, beta)) => (&BATCH_NORM_EVAL, vec![x, mean, var, gamma, beta]),
        None => (&BATCH_NORM_EVAL_PLAIN, vec![x, mean, var]), // few: five at most.
    };
    let scale = check(x, &inputs[1..], settings)?;
    let (axes, numbers) = (
        settings.channels.axes(),
        [scale.into(), settings.eps.into()],
    );
    let out = match x.dtype().is_half() {
        false => run::rows(program, &inputs, &numbers, axes, Axes::Drop)?,
        true => {
            // Statistics of half types are wider than what they are of.
            let like = inputs[3..].iter().map(|t| t.dtype());
            let dtype = like.fold(x.dtype(), DType::promote);
            run::rows_to(program, &inputs, &numbers, &[dtype], axes, Axes::Drop)?
        }
    };
    out.into_iter()
        .next()
        .ok_or_else(|| Error::value(settings.channels.op(), "the program has an output"))
}

/// Running statistics: means of the batches seen, weighted towards the latest.
#[derive(Clone, Debug)]
pub struct Running {
    /// The mean per channel; starts at 0.
    pub mean: Tensor,
    /// The variance per channel; starts at 1.
    pub var: Tensor,
    /// The weight of the latest batch.
    pub momentum: f64,
}

impl Running {
    /// Nothing seen yet; averages of half types are `float32`.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::nn::Running;
    ///
    /// let running = Running::new(2, DType::F64)?;
    /// assert_eq!((running.mean.to_vec::<f64>()?, running.var.to_vec::<f64>()?), (vec![0.0; 2], vec![1.0; 2]));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn new(channels: usize, dtype: DType) -> Result<Running> {
        Ok(Running {
            mean: Tensor::zeros(&[channels], dtype.compute())?,
            var: Tensor::ones(&[channels], dtype.compute())?,
            momentum: 0.1,
        })
    }

    /// Takes in a batch. As in PyTorch, the variance taken in is divided by one less than the number
    /// of positions; a batch with a single position per channel leaves the variance as it was.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::nn::{BatchNorm, Channels, Running, batch_norm};
    ///
    /// let x = Tensor::from([[10.0], [20.0]]);
    /// let (_, stats) = batch_norm(&x, None, BatchNorm::golden(Channels::Features))?;
    /// let mut running = Running::new(1, DType::F64)?;
    /// running.update(&stats)?;
    /// // A tenth of the batch's mean, 15.
    /// assert!((running.mean.to_scalar::<f64>()? - 1.5).abs() < 1e-15);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn update(&mut self, batch: &BatchStats) -> Result<()> {
        let mean = self.blend(&self.mean, &batch.mean, 1.0)?;
        if batch.count > 1 {
            let unbiased = batch.count as f64 / (batch.count as f64 - 1.0);
            self.var = self.blend(&self.var, &batch.var, unbiased)?;
        }
        self.mean = mean;
        Ok(())
    }

    fn blend(&self, old: &Tensor, new: &Tensor, factor: f64) -> Result<Tensor> {
        let kept = apply(Prim::Mul, &[old.into(), Arg::from(1.0 - self.momentum)])?;
        let taken = apply(Prim::Mul, &[new.into(), Arg::from(self.momentum * factor)])?;
        apply(Prim::Add, &[(&kept).into(), (&taken).into()])?.cast(old.dtype())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        let x = Tensor::from_slice(&[1.0, 2.0, 3.0, 4.0], &[4, 1]).unwrap();
        let (y, stats) = batch_norm(&x, None, BatchNorm::golden(Channels::Features)).unwrap();
        let want = [
            -1.054_728_533_856_731,
            -0.351_576_177_952_243_7,
            0.351_576_177_952_243_7,
            1.054_728_533_856_731,
        ];
        let got = y.to_vec::<f64>().unwrap();
        for (g, w) in got.iter().zip(want) {
            assert!((g - w).abs() < 1e-12);
        }
        let var = got.iter().map(|v| v * v).sum::<f64>() / 4.0;
        assert!((var - 0.618_029_044_517_537_4).abs() < 1e-12);
        assert_eq!(stats.var.to_vec::<f64>().unwrap(), [1.25]);
    }

    #[test]
    fn planes_equal_the_definition_in_both_precisions() {
        let (b, c, h, w) = (3, 4, 5, 150);
        let x: Vec<f64> = (0..b * c * h * w)
            .map(|i| ((i * 7919) % 2003) as f64 / 300.0 - 2.0)
            .collect();
        let gamma: Vec<f64> = (0..c).map(|i| 0.5 + i as f64).collect();
        let beta: Vec<f64> = (0..c).map(|i| i as f64 - 1.0).collect();
        let per = |v: &[f64]| Tensor::from_slice(v, &[c]).unwrap();
        let t = Tensor::from_slice(&x, &[b, c, h, w]).unwrap();
        let settings = BatchNorm {
            target: TargetVariance::Custom(2.0),
            ..BatchNorm::golden(Channels::Planes)
        };
        let (y, _) = batch_norm(&t, Some((&per(&gamma), &per(&beta))), settings).unwrap();
        let narrow = |t: &Tensor| t.cast(DType::F32).unwrap();
        let (gamma32, beta32) = (narrow(&per(&gamma)), narrow(&per(&beta)));
        let (y32, _) = batch_norm(&narrow(&t), Some((&gamma32, &beta32)), settings).unwrap();
        let (y, y32) = (y.to_vec::<f64>().unwrap(), y32.to_vec::<f64>().unwrap());
        let at = |i: usize, k: usize, p: usize| (i * c + k) * h * w + p;
        for k in 0..c {
            let all: Vec<f64> = (0..b)
                .flat_map(|i| (0..h * w).map(move |p| (i, p)))
                .map(|(i, p)| x[at(i, k, p)])
                .collect();
            let n = all.len() as f64;
            let mu = all.iter().sum::<f64>() / n;
            let var = all.iter().map(|v| (v - mu).powi(2)).sum::<f64>() / n;
            for i in 0..b {
                for p in 0..h * w {
                    let want = 2f64.sqrt() * (x[at(i, k, p)] - mu) / (var + 1e-5).sqrt() * gamma[k]
                        + beta[k];
                    assert!((y[at(i, k, p)] - want).abs() < 1e-12 * want.abs().max(1.0));
                    assert!(
                        (y32[at(i, k, p)] - want).abs()
                            < 2e-6 * want.abs().max(1.0) * gamma[k].max(1.0)
                    );
                }
            }
        }
    }

    #[test]
    fn one_element_gives_beta_and_none_is_an_error() {
        let settings = BatchNorm::golden(Channels::Features);
        let x = Tensor::from_slice(&[5.0, -7.0], &[1, 2]).unwrap();
        let (gamma, beta) = (
            Tensor::from_slice(&[2.0, 3.0], &[2]).unwrap(),
            Tensor::from_slice(&[0.5, 0.25], &[2]).unwrap(),
        );
        let (y, _) = batch_norm(&x, Some((&gamma, &beta)), settings).unwrap();
        assert_eq!(y.to_vec::<f64>().unwrap(), [0.5, 0.25]);
        let empty = Tensor::zeros(&[0, 2], DType::F32).unwrap();
        assert!(matches!(
            batch_norm(&empty, None, settings),
            Err(Error::Shape { .. })
        ));
        let wrong = BatchNorm {
            target: TargetVariance::Custom(-1.0),
            ..settings
        };
        assert!(matches!(
            batch_norm(&x, None, wrong),
            Err(Error::Value { .. })
        ));
        assert!(batch_norm(&x, Some((&x, &x)), settings).is_err());
        assert!(batch_norm(&x, None, BatchNorm::golden(Channels::Planes)).is_err());
    }

    #[test]
    fn running_statistics_follow_the_batches() {
        let settings = BatchNorm::golden(Channels::Features);
        let x = Tensor::from_slice(&[1.0, 2.0, 3.0, 4.0], &[4, 1]).unwrap();
        let (_, stats) = batch_norm(&x, None, settings).unwrap();
        let mut running = Running::new(1, DType::F64).unwrap();
        running.update(&stats).unwrap();
        assert!((running.mean.item().unwrap().to_f64() - 0.25).abs() < 1e-15);
        assert!((running.var.item().unwrap().to_f64() - (0.9 + 0.1 * 5.0 / 3.0)).abs() < 1e-15);
        let y = batch_norm_eval(&x, (&stats.mean, &stats.var), None, settings).unwrap();
        let (trained, _) = batch_norm(&x, None, settings).unwrap();
        assert_eq!(y.to_vec::<f64>().unwrap(), trained.to_vec::<f64>().unwrap());
    }
}
