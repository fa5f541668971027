//! What each shape of RES needs for more than a few unknowns, and what a generation costs.
//!
//! `cargo run --release -p syntonic-srt --example res_shapes [-- SEEDS [UNKNOWNS ...]]`; the times come without unknowns, or with 0. Beyond 1,000
//! unknowns a matrix of low rank takes the place of the full one.

mod functions;

use functions::{Function, ellipsoid, rastrigin, rosenbrock, sphere};
use std::error::Error;
use std::time::{Duration, Instant};
use syntonic_srt::core::random::fill_normal_f64;
use syntonic_srt::evolve::{Res, ResConfig, Restarts, Shape, Stagnation, Strategy};

/// The functions, and whether the coordinates are turned.
const FUNCTIONS: [(&str, Function, bool); 8] = [
    ("sphere", sphere, false),
    ("ellipsoid 1e6", |x| ellipsoid(x, 1e6), false),
    ("turned ellipsoid 1e4", |x| ellipsoid(x, 1e4), true),
    ("turned ellipsoid 1e6", |x| ellipsoid(x, 1e6), true),
    ("turned cigar", cigar, true),
    ("turned discus", discus, true),
    ("rosenbrock", rosenbrock, false),
    ("turned rastrigin", rastrigin, true),
];

const SHAPES: [(&str, Shape); 4] = [
    ("default", Shape::Auto),
    ("separable", Shape::Separable),
    ("full", Shape::Full),
    ("low rank", Shape::LowRank),
];

/// Unknowns up to which the full matrix is measured, with most evaluations of each unknown there and beyond.
const FULL: usize = 1000;
const MOST: [u64; 2] = [5000, 200];

/// Unknowns whose generations are timed.
const TIMED: [usize; 9] = [32, 65, 100, 200, 500, 700, 1000, 1400, 2000];

fn main() -> Result<(), Box<dyn Error>> {
    let numbers: Result<Vec<u64>, _> = std::env::args().skip(1).map(|n| n.parse()).collect();
    let numbers = numbers?;
    let seeds = numbers.first().copied().unwrap_or(3);
    let counted = match numbers.get(1..) {
        Some(given) if !given.is_empty() => given.iter().map(|n| *n as usize).collect(),
        _ => vec![65, 100, 200, 0],
    };
    println!(
        "Evaluations of an unknown to 1e-8, or the best value after {} of them, {} beyond {FULL} unknowns; medians of {seeds} seeds.\n",
        MOST[0], MOST[1]
    );
    println!(
        "| function, unknowns | default | another from | separable | full or low rank |\n|---|---|---|---|---|"
    );
    for n in counted.iter().copied().filter(|n| *n > 1) {
        for (name, f, turned) in FUNCTIONS {
            let turns = if turned { turns(n) } else { Vec::new() };
            let cell = |shape| measure(n, &|x| f(&turned_by(&turns, x)), shape, seeds);
            let (default, from) = cell(Shape::Auto)?;
            let other = if n <= FULL {
                Shape::Full
            } else {
                Shape::LowRank
            };
            let ((separable, _), (other, _)) = (cell(Shape::Separable)?, cell(other)?);
            println!("| {name}, {n} | {default} | {from} | {separable} | {other} |");
        }
    }
    if !counted.contains(&0) {
        return Ok(());
    }
    println!("\nMicroseconds of a generation on the sphere, the least of some.\n");
    println!(
        "| unknowns, population | {} |",
        SHAPES.map(|s| s.0).join(" | ")
    );
    println!("|---{}|", "|---".repeat(SHAPES.len()));
    for n in TIMED {
        let population = ResConfig::new().population_for(n);
        let cells = SHAPES.map(|(_, shape)| time(n, shape));
        let cells = cells.into_iter().collect::<Result<Vec<_>, _>>()?;
        println!("| {n}, {population} | {} |", cells.join(" | "));
    }
    Ok(())
}

fn config(shape: Shape) -> ResConfig {
    let config = ResConfig::new().sigma(2.0).generations(u64::MAX);
    config.strategy(Strategy::Recombine(shape))
}

/// The evaluations of an unknown or the value, and those after which the search was not separable any more.
fn measure(
    n: usize,
    f: &dyn Fn(&[f64]) -> f64,
    shape: Shape,
    seeds: u64,
) -> Result<(String, String), Box<dyn Error>> {
    let (mut hits, mut values, mut full) = (Vec::new(), Vec::new(), Vec::new());
    for seed in 0..seeds {
        let config = config(shape)
            .seed(seed)
            .target(1e-8)
            .restarts(Restarts::Off);
        let config = config
            .evaluations(MOST[usize::from(n > FULL)] * n as u64)
            .stagnation(Stagnation::Generations(3000));
        let mut res = Res::new(&vec![3.0; n], config)?;
        let is_other = |res: &Res| res.strategy() != Strategy::Recombine(Shape::Separable);
        let mut from = is_other(&res).then_some(0);
        while res.finished(Duration::ZERO).is_none() {
            let values: Vec<f64> = res.ask()?.iter().map(f).collect();
            res.tell(&values)?;
            let spent = res.evaluations() / n as u64;
            from = from.or(is_other(&res).then_some(spent));
        }
        full.extend(from);
        values.push(res.best_value().unwrap_or(f64::NAN));
        if values.last().is_some_and(|v| *v <= 1e-8) {
            hits.push(res.evaluations() / n as u64);
        }
    }
    hits.sort_unstable();
    values.sort_by(f64::total_cmp);
    full.sort_unstable();
    let from = full
        .get(full.len() / 2)
        .map_or("never".into(), u64::to_string);
    Ok(match hits.len() == values.len() {
        true => (hits[hits.len() / 2].to_string(), from),
        false => (
            format!("{:.1e} ({}/{seeds})", values[values.len() / 2], hits.len()),
            from,
        ),
    })
}

fn time(n: usize, shape: Shape) -> Result<String, Box<dyn Error>> {
    let mut res = Res::new(&vec![3.0; n], config(shape))?;
    let (mut least, began) = (f64::INFINITY, Instant::now());
    let mut generations = 0;
    while generations < 5 || (began.elapsed().as_secs_f64() < 0.3 && generations < 200) {
        let turn = Instant::now();
        let values: Vec<f64> = res.ask()?.iter().map(sphere).collect();
        res.tell(&values)?;
        least = least.min(turn.elapsed().as_secs_f64());
        generations += 1;
    }
    Ok(format!("{:.0}", 1e6 * least))
}

/// Cosine and sine of turns in pairs of coordinates 1, 2, 4, ... apart, twice, so that each coordinate depends on all others.
fn turns(n: usize) -> Vec<(f64, f64)> {
    let mut angles = vec![0.0; 2 * n * (n.ilog2() as usize + 1)];
    fill_normal_f64(&mut angles, 1, 0);
    angles.iter().map(|a| (4.0 * a).sin_cos()).collect()
}

fn turned_by(turns: &[(f64, f64)], x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let mut y = x.to_vec();
    for (stage, turns) in turns.chunks_exact(n).enumerate() {
        let apart = 1 << (stage % (n.ilog2() as usize + 1));
        for i in (0..n - apart).filter(|i| (i / apart).is_multiple_of(2)) {
            let (s, c) = turns[i];
            let (a, b) = (y[i], y[i + apart]);
            (y[i], y[i + apart]) = (c * a - s * b, s * a + c * b);
        }
    }
    y
}

fn cigar(x: &[f64]) -> f64 {
    x[0] * x[0] + 1e6 * x[1..].iter().map(|v| v * v).sum::<f64>()
}

fn discus(x: &[f64]) -> f64 {
    1e6 * x[0] * x[0] + x[1..].iter().map(|v| v * v).sum::<f64>()
}
