//! Layers of golden networks.

use anyhow::Result;
use syntonic_core::Tensor;
use syntonic_srt::constants::{INV_PHI, PHI};
use syntonic_srt::nn::{
    Activation, BatchNorm, Channels, GOLDEN_GELU, LayerNorm, Mode, Softmax, Weights, batch_norm,
    layer_norm, phi_residual, phi_residual_layer_norm, syntonic_softmax,
};
use syntonic_srt::resonant;

use super::elementwise::{compose, gelu_value, pointwise};
use super::{Prepared, compensated, depth, dtype, normal, positive, tensor};
use crate::list::Row;
use crate::oracle::{Oracle, numbers};

const EPS: f64 = 1e-5;

pub(super) fn maker(case: &str) -> Option<fn(&Row) -> Result<Prepared>> {
    Some(match case {
        "syntonic_softmax" => softmax,
        "golden_batch_norm" => golden_batch,
        "phi_residual_layer_norm" => residual_norm,
        "phi_residual" => residual,
        "phi_residual_gelu" => residual_gelu,
        "golden_layer_norm" => golden_layer,
        "golden_gelu" => golden_gelu,
        "syntony" => syntony,
        _ => return None,
    })
}

fn softmax(row: &Row) -> Result<Prepared> {
    let kind = dtype(row)?;
    let width = row.size[1];
    let values = super::normal_values(row.size.iter().product(), 1);
    let x = tensor(
        values.into_iter().map(|v| 3.0 * v).collect(),
        &row.size,
        kind,
    )?;
    let norms = tensor(
        (0..width).map(|k| (k * 7 % 12) as f64).collect(),
        &[width],
        kind,
    )?;
    let weights = numbers(&norms, None)?;
    let (mut expected, mut scale) = (Vec::new(), Vec::new());
    for x in numbers(&x, None)?.chunks(width) {
        let z: Vec<f64> = x
            .iter()
            .zip(&weights)
            .map(|(x, n)| x - n * INV_PHI)
            .collect();
        let top = z.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let total = compensated(z.iter().map(|z| (z - top).exp()));
        for z in z {
            let p = (z - top).exp() / total;
            expected.push(p);
            scale.push(p * (1.0 + (z - top).abs()));
        }
    }
    let oracle = Oracle::close(expected, scale, depth(width) + 24.0);
    let work = |x: &[Tensor]| {
        let weights = Weights::ModeNorms(&x[1]);
        Ok(syntonic_softmax(&x[0], weights, Softmax::default())?)
    };
    Ok(Prepared::new(vec![x, norms], work, oracle))
}

/// Value and scale of `rate (y - mean) gamma + beta` for the elements of one group.
fn normed(y: &[f64], target: f64) -> Vec<(f64, f64)> {
    let n = y.len() as f64;
    let mean = compensated(y.iter().copied()) / n;
    let var = compensated(y.iter().map(|v| (v - mean) * (v - mean))) / n;
    let rate = (target / (var + EPS)).sqrt();
    let one = |v: &f64| ((v - mean) * rate, (v.abs() + mean.abs()) * rate);
    y.iter().map(one).collect()
}

/// The norm of rows with an affine map that is given by column.
fn rows_normed(y: &[f64], target: f64, gamma: &[f64], beta: &[f64]) -> Oracle {
    let width = gamma.len();
    let (mut values, mut scale) = (Vec::new(), Vec::new());
    for row in y.chunks(width) {
        for (k, (value, size)) in normed(row, target).into_iter().enumerate() {
            values.push(value * gamma[k] + beta[k]);
            scale.push(size * gamma[k].abs() + beta[k].abs());
        }
    }
    Oracle::close(values, scale, 4.0 * depth(width) + 16.0)
}

fn golden_batch(row: &Row) -> Result<Prepared> {
    let kind = dtype(row)?;
    let &[batch, channels, height, width] = &row.size[..] else {
        anyhow::bail!("batch norm takes four axes");
    };
    let plane = height * width;
    let inputs = vec![
        normal(&row.size, kind, 1)?,
        positive(&[channels], kind, 2)?,
        normal(&[channels], kind, 3)?,
    ];
    let x = numbers(&inputs[0], None)?;
    let (gamma, beta) = (numbers(&inputs[1], None)?, numbers(&inputs[2], None)?);
    let (mut values, mut scale) = (vec![0.0; x.len()], vec![0.0; x.len()]);
    for c in 0..channels {
        let place = |k: usize| (k / plane * channels + c) * plane + k % plane;
        let group: Vec<f64> = (0..batch * plane).map(|k| x[place(k)]).collect();
        for (k, (value, size)) in normed(&group, INV_PHI).into_iter().enumerate() {
            values[place(k)] = value * gamma[c] + beta[c];
            scale[place(k)] = size * gamma[c].abs() + beta[c].abs();
        }
    }
    let oracle = Oracle::close(values, scale, 4.0 * depth(batch * plane) + 16.0);
    let work = |x: &[Tensor]| {
        let settings = BatchNorm::golden(Channels::Planes);
        Ok(batch_norm(&x[0], Some((&x[1], &x[2])), settings)?.0)
    };
    Ok(Prepared::new(inputs, work, oracle))
}

fn residual_norm(row: &Row) -> Result<Prepared> {
    let kind = dtype(row)?;
    let last = &row.size[row.size.len() - 1..];
    let inputs = vec![
        normal(&row.size, kind, 1)?,
        normal(&row.size, kind, 2)?,
        positive(last, kind, 3)?,
        normal(last, kind, 4)?,
    ];
    let (x, r) = (numbers(&inputs[0], None)?, numbers(&inputs[1], None)?);
    let y: Vec<f64> = x.iter().zip(&r).map(|(x, r)| x + r * INV_PHI).collect();
    let (gamma, beta) = (numbers(&inputs[2], None)?, numbers(&inputs[3], None)?);
    let oracle = rows_normed(&y, 1.0, &gamma, &beta);
    let work = |x: &[Tensor]| {
        let none = Activation::None;
        let y = phi_residual_layer_norm(&x[0], &x[1], Mode::Phi, none, &x[2], &x[3], EPS)?;
        Ok(y)
    };
    Ok(Prepared::new(inputs, work, oracle))
}

fn golden_layer(row: &Row) -> Result<Prepared> {
    let kind = dtype(row)?;
    let last = &row.size[row.size.len() - 1..];
    let inputs = vec![
        normal(&row.size, kind, 1)?,
        positive(last, kind, 3)?,
        normal(last, kind, 4)?,
    ];
    let (gamma, beta) = (numbers(&inputs[1], None)?, numbers(&inputs[2], None)?);
    let oracle = rows_normed(&numbers(&inputs[0], None)?, INV_PHI, &gamma, &beta);
    let work = |x: &[Tensor]| {
        Ok(layer_norm(
            &x[0],
            Some((&x[1], &x[2])),
            LayerNorm::default(),
        )?)
    };
    Ok(Prepared::new(inputs, work, oracle))
}

fn residual(row: &Row) -> Result<Prepared> {
    let kind = dtype(row)?;
    let inputs = vec![normal(&row.size, kind, 1)?, normal(&row.size, kind, 2)?];
    let formula = |x: &[f64]| (x[0] + x[1] * INV_PHI, x[0].abs() + x[1].abs());
    let oracle = pointwise(&inputs, formula, 4.0)?;
    let work = |x: &[Tensor]| Ok(phi_residual(&x[0], &x[1], Mode::Phi, Activation::None)?);
    Ok(Prepared::new(inputs, work, oracle))
}

fn residual_gelu(row: &Row) -> Result<Prepared> {
    let kind = dtype(row)?;
    let inputs = vec![normal(&row.size, kind, 1)?, normal(&row.size, kind, 2)?];
    let formula = |x: &[f64]| (gelu_value(x[0] + x[1] * INV_PHI), x[0].abs() + x[1].abs());
    let oracle = pointwise(&inputs, formula, 12.0)?;
    let work = |x: &[Tensor]| Ok(phi_residual(&x[0], &x[1], Mode::Phi, Activation::Gelu)?);
    Ok(Prepared::new(inputs, work, oracle))
}

fn golden_gelu(row: &Row) -> Result<Prepared> {
    let inputs = vec![normal(&row.size, dtype(row)?, 1)?];
    let formula = |x: &[f64]| {
        let value = x[0] / (1.0 + (-x[0] * PHI).exp());
        (value, value.abs() * (1.0 + x[0].abs()))
    };
    let oracle = pointwise(&inputs, formula, 12.0)?;
    let work = |x: &[Tensor]| compose(&GOLDEN_GELU, &[&x[0]]);
    Ok(Prepared::new(inputs, work, oracle))
}

fn syntony(row: &Row) -> Result<Prepared> {
    let kind = dtype(row)?;
    let width = row.size[1];
    let x = normal(&row.size, kind, 1)?;
    let norms = resonant::mode_norms(width)?.cast(kind)?.eval()?;
    let weights: Vec<f64> = numbers(&norms, None)?
        .iter()
        .map(|n| (-n * INV_PHI).exp())
        .collect();
    let value = |row: &[f64]| {
        let weighted = compensated(row.iter().zip(&weights).map(|(x, w)| x * x * w));
        weighted / compensated(row.iter().map(|x| x * x))
    };
    let values: Vec<f64> = numbers(&x, None)?.chunks(width).map(value).collect();
    let oracle = Oracle::close(values.clone(), values, 2.0 * depth(width) + 24.0);
    let work = |x: &[Tensor]| Ok(resonant::syntony(&x[0], &x[1])?);
    Ok(Prepared::new(vec![x, norms], work, oracle))
}
