//! Evaluations that RES needs on functions with known minima, as a table in Markdown.
//!
//! `cargo run --release -p syntonic-srt --example res_functions [-- 100]`: the number of unknowns,
//! 10 if not given. Every search starts at 3 in each coordinate with step size 2, ends at a value
//! of 1e-8 or a budget of 2,000 evaluations a coordinate, and is repeated with five seeds.

mod functions;

use functions::{Function, ellipsoid, rastrigin, rosenbrock, sphere};
use std::convert::Infallible;
use std::f64::consts::{E, TAU};
use syntonic_srt::evolve::{Flow, Population, Res, ResConfig, Shape, Stagnation, Strategy};

const FUNCTIONS: [(&str, Function); 5] = [
    ("sphere", sphere),
    ("ellipsoid", |x| ellipsoid(x, 1e6)),
    ("rosenbrock", rosenbrock),
    ("rastrigin", rastrigin),
    ("ackley", ackley),
];

const SEEDS: u64 = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n = match std::env::args().nth(1) {
        Some(text) => text.parse()?,
        None => 10,
    };
    let default = ResConfig::new().population_for(n);
    let strategies = [
        ("default", Strategy::default(), default),
        ("default, population x 8", Strategy::default(), 8 * default),
        ("separable", Strategy::Recombine(Shape::Separable), default),
        ("isotropic", Strategy::Recombine(Shape::Isotropic), default),
        ("elitist", Strategy::Elitist, default),
    ];
    println!("Median evaluations to 1e-8 (hits), or the median best value; n = {n}.\n");
    println!(
        "| strategy | {} |",
        FUNCTIONS.map(|(name, _)| name).join(" | ")
    );
    println!("|---{}|", "|---".repeat(FUNCTIONS.len()));
    for (name, strategy, population) in strategies {
        let cells = FUNCTIONS.map(|(_, f)| measure(f, n, strategy, population));
        let cells = cells.into_iter().collect::<Result<Vec<_>, _>>()?;
        println!("| {name} ({population}) | {} |", cells.join(" | "));
    }
    Ok(())
}

/// One cell of the table.
fn measure(
    f: Function,
    n: usize,
    strategy: Strategy,
    population: usize,
) -> Result<String, Box<dyn std::error::Error>> {
    let (mut hits, mut values) = (Vec::new(), Vec::new());
    for seed in 0..SEEDS {
        let config = ResConfig::new()
            .seed(seed)
            .sigma(2.0)
            .strategy(strategy)
            .population(population)
            .target(1e-8)
            .generations(u64::MAX)
            .evaluations(2000 * n as u64)
            .stagnation(Stagnation::Off);
        let mut res = Res::new(&vec![3.0; n], config)?;
        let objective =
            |candidates: &Population| Ok::<_, Infallible>(candidates.iter().map(f).collect());
        let outcome = res.run(objective, |_| Flow::Continue)?;
        let value = outcome.value.unwrap_or(f64::NAN);
        values.push(value);
        if value <= 1e-8 {
            hits.push(outcome.evaluations);
        }
    }
    hits.sort_unstable();
    values.sort_by(f64::total_cmp);
    Ok(match hits.get(hits.len() / 2) {
        Some(evaluations) => format!("{evaluations} ({}/{SEEDS})", hits.len()),
        None => format!("{:.2e}", values[values.len() / 2]),
    })
}

fn ackley(x: &[f64]) -> f64 {
    let n = x.len() as f64;
    let radius = (sphere(x) / n).sqrt();
    let waves = x.iter().map(|v| (TAU * v).cos()).sum::<f64>() / n;
    -20.0 * (-0.2 * radius).exp() - waves.exp() + 20.0 + E
}
