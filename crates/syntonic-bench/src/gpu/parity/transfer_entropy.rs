//! Information by distances to neighbours: the counts and the bits of the CPU.

use super::Check;
use crate::gpu::{Exactness, Gpu, compare};
use anyhow::{Context, Result, ensure};
use syntonic_core::{DType, Tensor};
use syntonic_srt::transfer_entropy::{
    Estimator, Histories, Information, Jitter, Past, Scaling, Scheme, Surrogates, TransferEntropy,
    Wanted, ksg_counts, ksg_distances, mutual_information, transfer_entropy,
    transfer_entropy_matrix,
};

/// Samples: as few as k allows, less than a block, one past it, several tiles.
const LENGTHS: [usize; 5] = [14, 33, 34, 258, 2100];

pub(super) fn checks() -> Vec<Check> {
    let mut all = Vec::new();
    for dtype in [DType::F32, DType::F64] {
        let name = format!("transfer_entropy/histories/{dtype}");
        all.push(Check::new(name, move |gpu| {
            let settings = [(1, 0), (4, 5), (5, 0), (32, 2)];
            let each = settings
                .into_iter()
                .flat_map(|(k, window)| LENGTHS.map(|n| (n, (k, window))));
            each.filter(|(n, (k, window))| *n > k + 2 * window + 4)
                .try_for_each(|(n, asked)| histories(gpu, n, asked, dtype))
        }));
        all.push(Check::new(
            format!("transfer_entropy/prepared/{dtype}"),
            move |gpu| prepared(gpu, dtype),
        ));
        all.push(Check::new(
            format!("transfer_entropy/other forms/{dtype}"),
            move |gpu| forms(gpu, dtype),
        ));
    }
    all
}

/// Numbers with ties: of 997 different ones.
fn drawn(k: usize, shape: &[usize], dtype: DType) -> Result<Tensor> {
    let value = |i: usize| ((i * i * 31 + i * 7919 + 37 * k) % 997) as f64 / 997.0 - 0.5;
    let all: Vec<f64> = (0..shape.iter().product()).map(value).collect();
    Ok(Tensor::from_vec(all, shape)?.cast(dtype)?.eval()?)
}

/// Bits do not depend on the device where series are taken as they are: the mean of a standardised one hangs on the order of a sum.
fn estimator(k: usize, window: usize) -> Estimator {
    Estimator {
        k,
        window,
        scaling: Scaling::AsGiven,
        jitter: None,
        wanted: Wanted::LOCAL.and(Wanted::COUNTS).and(Wanted::DISTANCES),
        surrogates: None,
    }
}

fn histories(gpu: &Gpu, n: usize, (k, window): (usize, usize), dtype: DType) -> Result<()> {
    let (x, y) = (drawn(1, &[n], dtype)?, drawn(2, &[n], dtype)?);
    let there = |x: &Tensor| x.to(&gpu.device);
    for (source, target) in [(1, 1), (2, 2), (3, 3), (2, 1)] {
        let past = |length| Past {
            length,
            ..Past::default()
        };
        let histories = Histories {
            source: past(source),
            target: past(target),
            ..Histories::default()
        };
        let estimator = estimator(k, window);
        let one = transfer_entropy(&x, &y, None, histories, &estimator)?;
        let other = transfer_entropy(&there(&x)?, &there(&y)?, None, histories, &estimator)?;
        same(&other, &one).with_context(|| format!("{n} samples, {source} and {target}"))?;
    }
    Ok(())
}

fn same(there: &Information, here: &Information) -> Result<()> {
    let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    ensure!(
        bits(&there.values) == bits(&here.values),
        "{:?}, not {:?}",
        there.values,
        here.values
    );
    ensure!(
        bits(&there.surrogates) == bits(&here.surrogates),
        "surrogates differ"
    );
    ensure!(there.p_values == here.p_values, "p-values differ");
    ensure!(there.scheme == here.scheme, "schemes differ");
    ensure!(
        there.ties == here.ties,
        "ties are {:?}, not {:?}",
        there.ties,
        here.ties
    );
    ensure!(
        there.zero_distances == here.zero_distances,
        "zero distances differ"
    );
    let kept = |of: &Information| [of.local.clone(), of.counts.clone(), of.distances.clone()];
    for (there, here) in kept(there).into_iter().zip(kept(here)) {
        if let (Some(there), Some(here)) = (there, here) {
            compare(&there, &here, Exactness::Same)?;
        }
    }
    Ok(())
}

/// Conditions, pairs, all pairs, surrogates, mutual information, constant series, and the two stages alone.
fn forms(gpu: &Gpu, dtype: DType) -> Result<()> {
    let there = |x: &Tensor| x.to(&gpu.device);
    let series = drawn(3, &[3, 300], dtype)?;
    let row = |k: isize| series.slice(0, Some(k), Some(k + 1), 1)?.reshape(&[-1]);
    let (x, y, z) = (row(0)?, row(1)?, row(2)?);
    let (gx, gy, gz) = (there(&x)?, there(&y)?, there(&z)?);
    let plain = estimator(4, 0);
    let histories = Histories::default();
    same(
        &transfer_entropy(&gx, &gy, Some(&gz), histories, &plain)?,
        &transfer_entropy(&x, &y, Some(&z), histories, &plain)?,
    )?;
    for scheme in [Scheme::Auto, Scheme::Permutation, Scheme::Blocks(11)] {
        let surrogates = Some(Surrogates {
            count: 5,
            scheme,
            seed: 8,
        });
        let asked = Estimator {
            surrogates,
            ..plain
        };
        same(
            &transfer_entropy(&gx, &gy, None, histories, &asked)?,
            &transfer_entropy(&x, &y, None, histories, &asked)?,
        )?;
    }
    let reversed = |x: &Tensor| x.slice(0, None, None, -1);
    same(
        &transfer_entropy(&reversed(&gx)?, &gy, None, histories, &plain)?,
        &transfer_entropy(&reversed(&x)?, &y, None, histories, &plain)?,
    )?;
    same(
        &transfer_entropy_matrix(&there(&series)?, histories, &plain)?,
        &transfer_entropy_matrix(&series, histories, &plain)?,
    )?;
    let ones = Tensor::full_on(&[300], 1.0, dtype, x.device())?;
    same(
        &transfer_entropy(&there(&ones)?, &there(&ones)?, None, histories, &plain)?,
        &transfer_entropy(&ones, &ones, None, histories, &plain)?,
    )?;
    for window in [0, 3] {
        let asked = estimator(4, window);
        same(
            &mutual_information(&gx, &gy, None, &asked)?,
            &mutual_information(&x, &y, None, &asked)?,
        )?;
        same(
            &mutual_information(&gx, &gy, Some(&gz), &asked)?,
            &mutual_information(&x, &y, Some(&z), &asked)?,
        )?;
        let far = ksg_distances(&x, &y, Some(&z), 3, window)?;
        let gpu_far = ksg_distances(&gx, &gy, Some(&gz), 3, window)?;
        compare(&gpu_far, &far, Exactness::Same)?;
        compare(
            &ksg_counts(&gx, &gy, Some(&gz), &gpu_far, window)?,
            &ksg_counts(&x, &y, Some(&z), &far, window)?,
            Exactness::Same,
        )?;
    }
    Ok(())
}

/// Several delays and variables, noise, and graphs; a series that is not finite is NaN on the device.
fn prepared(gpu: &Gpu, dtype: DType) -> Result<()> {
    let there = |x: &Tensor| x.to(&gpu.device);
    let (x, y) = (
        drawn(1, &[2, 2, 150], dtype)?,
        drawn(2, &[2, 3, 150], dtype)?,
    );
    let (gx, gy) = (there(&x)?, there(&y)?);
    let asked = Estimator {
        jitter: Some(Jitter {
            level: 1e-3,
            seed: 5,
        }),
        // The noise is of the deviation, which hangs on the order of a sum, so distances have other last places.
        wanted: Wanted::LOCAL.and(Wanted::COUNTS),
        ..estimator(4, 1)
    };
    let histories = Histories::default();
    let prepare =
        |x: &Tensor, y: &Tensor| TransferEntropy::prepare(x, y, None, histories, &[1, 3], &asked);
    let wanted = prepare(&x, &y)?.run(&x, &y, None)?.read()?;
    same(&prepare(&gx, &gy)?.run(&gx, &gy, None)?.read()?, &wanted)?;
    let captured = prepare(&gx, &gy)?.capture(&gx, &gy, None)?;
    same(&captured.run(&gx, &gy, None)?.read()?, &wanted)?;
    // A graph over other series, and again over the first.
    let other = drawn(7, &[2, 2, 150], dtype)?;
    let wanted_other = prepare(&x, &y)?.run(&other, &y, None)?.read()?;
    same(
        &captured.run(&there(&other)?, &gy, None)?.read()?,
        &wanted_other,
    )?;
    same(&captured.run(&gx, &gy, None)?.read()?, &wanted)?;
    let broken = gx.try_div(0.0)?.eval()?;
    let values = captured
        .run(&broken, &gy, None)?
        .values()?
        .to_vec::<f64>()?;
    ensure!(values.iter().all(|v| v.is_nan()), "{values:?} of no number");
    Ok(())
}
