//! Searches of a few unknowns that every test can follow.

mod convergence;
mod given;
mod lattice;
mod limits;
mod noise;
mod points;
mod probing;
mod restarts;
mod resume;
mod selection;

use super::*;
use std::convert::Infallible;

fn sphere(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

fn rosenbrock(x: &[f64]) -> f64 {
    x.windows(2)
        .map(|w| 100.0 * (w[1] - w[0] * w[0]).powi(2) + (1.0 - w[0]).powi(2))
        .sum()
}

/// A batched objective that cannot fail.
fn batched(f: impl Fn(&[f64]) -> f64) -> impl FnMut(&Population) -> Result<Vec<f64>, Infallible> {
    move |population| Ok(population.iter().map(&f).collect())
}

/// A search from 3 in every coordinate.
fn search(n: usize, config: ResConfig) -> Res {
    Res::new(&vec![3.0; n], config.sigma(2.0)).unwrap()
}

fn step(res: &mut Res, f: impl Fn(&[f64]) -> f64) {
    let values: Vec<f64> = res.ask().unwrap().iter().map(f).collect();
    res.tell(&values).unwrap();
}

const STRATEGIES: [Strategy; 5] = [
    Strategy::Elitist,
    Strategy::Recombine(Shape::Isotropic),
    Strategy::Recombine(Shape::Separable),
    Strategy::Recombine(Shape::Full),
    Strategy::Recombine(Shape::LowRank),
];

/// Configurations that differ in everything which touches the trajectory.
fn varied_configs() -> Vec<ResConfig> {
    let mut configs: Vec<ResConfig> = Vec::new();
    for strategy in STRATEGIES {
        let base = ResConfig::new().strategy(strategy).seed(5).population(12);
        configs.push(base.clone());
        configs.push(base.clone().sampling(Sampling::Independent));
        configs.push(base.clone().population(7));
        configs.push(base.clone().lattice(Lattice::golden(20)));
        let some = Lattice::integers().only(vec![0]);
        configs.push(base.clone().lattice(some).population(7));
        configs.push(base.clone().prefilter(0.25).population(24));
        configs.push(
            base.clone()
                .survivors(5)
                .syntony(SyntonyWeight::Absolute(0.5)),
        );
        configs.push(base.syntony(SyntonyWeight::Spread(1.0)));
    }
    configs
}
