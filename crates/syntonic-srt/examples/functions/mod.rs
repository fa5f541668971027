//! Functions with the least value 0, which the examples about RES minimise.

use std::f64::consts::TAU;

/// A function of a vector.
pub(crate) type Function = fn(&[f64]) -> f64;

pub(crate) fn sphere(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

/// Axes whose squared lengths have this ratio.
pub(crate) fn ellipsoid(x: &[f64], condition: f64) -> f64 {
    let last = (x.len() - 1).max(1) as f64;
    let term = |(i, v): (usize, &f64)| condition.powf(i as f64 / last) * v * v;
    x.iter().enumerate().map(term).sum()
}

pub(crate) fn rosenbrock(x: &[f64]) -> f64 {
    let term = |w: &[f64]| 100.0 * (w[1] - w[0] * w[0]).powi(2) + (1.0 - w[0]).powi(2);
    x.windows(2).map(term).sum()
}

pub(crate) fn rastrigin(x: &[f64]) -> f64 {
    x.iter()
        .map(|v| v * v - 10.0 * (TAU * v).cos() + 10.0)
        .sum()
}
