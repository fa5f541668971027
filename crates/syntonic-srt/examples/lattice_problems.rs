//! Closest vectors and exact weights: RES on a lattice, and RES on a function that rounds.
//!
//! `cargo run --release -p syntonic-srt --example lattice_problems [-- SEEDS]`

use std::error::Error;
use syntonic_srt::constants::PHI;
use syntonic_srt::core::Tensor;
use syntonic_srt::core::ops::linalg::{Columns, qr};
use syntonic_srt::core::random::{fill_normal_f64, fill_uniform_f64};
use syntonic_srt::evolve::{
    Flow, Lattice, Points, Population, Res, ResConfig, Restarts, SyntonyWeight,
};
use syntonic_srt::exact::snap;

/// `|A z - y|²` of `A` `[rows, n]`, least at a point that was planted there.
struct Problem {
    name: String,
    rows: Vec<Vec<f64>>,
    y: Vec<f64>,
    planted: Vec<f64>,
    lattice: Lattice,
    reach: f64,
}

impl Problem {
    fn plant(&mut self, planted: Vec<f64>, (noise, seed): (f64, u64)) {
        let noises = normal(4 * seed + 3, self.rows.len());
        let exact = |row: &Vec<f64>| row.iter().zip(&planted).map(|(a, z)| a * z).sum::<f64>();
        let rows = self.rows.iter().zip(&noises);
        self.y = rows.map(|(row, e)| exact(row) + noise * e).collect();
        self.planted = planted;
    }

    fn value(&self, z: &[f64]) -> f64 {
        let product = |row: &[f64]| row.iter().zip(z).map(|(a, z)| a * z).sum::<f64>();
        let rows = self.rows.iter().zip(&self.y);
        rows.map(|(row, y)| (product(row) - y).powi(2)).sum()
    }
}

fn normal(seed: u64, len: usize) -> Vec<f64> {
    let mut out = vec![0.0; len];
    fill_normal_f64(&mut out, seed, 0);
    out
}

/// Points of a lattice up to half its reach.
fn points(seed: u64, n: usize, points: Points) -> (Vec<f64>, f64) {
    let mut u = vec![0.0; 2 * n];
    fill_uniform_f64(&mut u, seed, 0);
    let integer = |u: f64, most: f64| ((2.0 * most + 1.0) * u).floor() - most;
    match points {
        Points::Integers => (u[..n].iter().map(|u| integer(*u, 5.0)).collect(), 10.0),
        Points::Golden { bound } => {
            let most = f64::from(bound.div_ceil(2));
            let pair = |k: usize| integer(u[k], most) + integer(u[n + k], most) * PHI;
            ((0..n).map(pair).collect(), f64::from(bound) * PHI)
        }
    }
}

/// A matrix with singular values from one to `condition`, of determinant 1, between two random rotations.
fn closest(
    n: usize,
    condition: f64,
    lattice: Lattice,
    seed: u64,
) -> Result<Problem, Box<dyn Error>> {
    let turn = |seed| {
        qr(
            &Tensor::from_vec(normal(seed, n * n), &[n, n])?,
            Columns::Reduced,
        )
    };
    let (left, right) = (turn(4 * seed)?.q, turn(4 * seed + 1)?.q);
    let last = (n - 1) as f64;
    let axes = (0..n).map(|k| condition.powf(k as f64 / last - 0.5));
    let axes = Tensor::from_vec(axes.collect::<Vec<_>>(), &[n, 1])?;
    let a = left.matmul(&right.try_mul(&axes)?)?.to_vec::<f64>()?;
    let rows = a.chunks(n).map(<[f64]>::to_vec).collect();
    let kind = match lattice.points {
        Points::Integers => "integers",
        Points::Golden { bound } => &format!("golden, bound {bound}"),
    };
    let name = format!("closest vector, {kind}, n = {n}, condition {condition}");
    Ok(planted((name, rows), (0.02, lattice), seed))
}

/// Weights of a linear model of normal data.
fn weights(n: usize, bound: u32, seed: u64) -> Problem {
    let rows = normal(4 * seed, 3 * n * n);
    let rows = rows.chunks(n).map(<[f64]>::to_vec).collect();
    let name = format!("weights a + b φ, bound {bound}, n = {n}");
    planted((name, rows), (0.1, Lattice::golden(bound)), seed)
}

fn planted(
    (name, rows): (String, Vec<Vec<f64>>),
    (noise, lattice): (f64, Lattice),
    seed: u64,
) -> Problem {
    let (planted, reach) = points(4 * seed + 2, rows[0].len(), lattice.points);
    let mut problem = Problem {
        name,
        rows,
        y: Vec::new(),
        planted: Vec::new(),
        lattice,
        reach,
    };
    problem.plant(planted, (noise, seed));
    problem
}

fn nearest(x: f64, points: Points) -> f64 {
    match points {
        Points::Integers => x.round(),
        Points::Golden { bound } => {
            let most = f64::from(bound) * PHI * PHI;
            snap(x.clamp(-most, most), bound).map_or(x, |z| z.to_f64())
        }
    }
}

/// Integer weights of a linear model that are small but for the first.
fn low_modes(n: usize, seed: u64) -> Problem {
    let rows = normal(4 * seed, 3 * n * n);
    let rows: Vec<_> = rows.chunks(n).map(<[f64]>::to_vec).collect();
    let mut problem = planted((String::new(), rows), (0.1, Lattice::integers()), seed);
    let size = norms(n).into_iter().map(|norm| 2.0 * (-norm / PHI).exp());
    let few = problem.planted.iter().zip(size);
    let few = few.map(|(z, size)| (z * size).round()).collect();
    problem.name = format!("weights of low modes, n = {n}");
    problem.plant(few, (0.1, seed));
    problem
}

/// Squared norms of modes of which three are low.
fn norms(n: usize) -> Vec<f64> {
    (0..n).map(|k| (k as f64 / 3.0).powi(2)).collect()
}

/// What a search is told of the problem.
#[derive(Clone, Copy)]
struct Told {
    lattice: bool,
    /// The D phase's damping of noise, as first deviations.
    damped: bool,
    /// The bonus of syntony, in units of the spread of values.
    bonus: f64,
    /// The part of the candidates that is evaluated, the most syntonic ones.
    filter: f64,
}

impl Told {
    const NOTHING: Told = Told {
        lattice: false,
        damped: false,
        bonus: 0.0,
        filter: 1.0,
    };
    const LATTICE: Told = Told {
        lattice: true,
        ..Told::NOTHING
    };

    fn config(self, problem: &Problem) -> ResConfig {
        let n = problem.planted.len();
        let mut config = ResConfig::new().mode_norms(norms(n));
        if self.lattice {
            config = config.lattice(problem.lattice.clone());
        }
        if self.damped {
            let damping = |norm: f64| (-norm / (4.0 * PHI)).exp().max(0.01);
            config = config.scales(norms(n).into_iter().map(damping).collect());
        }
        config = config.prefilter(self.filter);
        config.syntony(SyntonyWeight::Spread(self.bonus))
    }
}

/// Evaluations to the planted value, if it was found.
fn run(problem: &Problem, told: Told, seed: u64) -> Result<Option<u64>, Box<dyn Error>> {
    let n = problem.planted.len();
    let target = problem.value(&problem.planted) * (1.0 + 1e-9);
    let config = told
        .config(problem)
        .seed(seed)
        .sigma(0.3 * problem.reach)
        .target(target)
        .evaluations(5000 * n as u64)
        .restarts(Restarts::Growing);
    let objective = |all: &Population| -> Result<Vec<f64>, std::convert::Infallible> {
        let points = problem.lattice.points;
        let value = |x: &[f64]| {
            let z: Vec<f64> = x.iter().map(|x| nearest(*x, points)).collect();
            problem.value(&z)
        };
        Ok(all.iter().map(value).collect())
    };
    let outcome = Res::new(&vec![0.0; n], config)?.run(objective, |_| Flow::Continue)?;
    Ok(outcome
        .value
        .is_some_and(|v| v <= target)
        .then_some(outcome.evaluations))
}

type Make = Box<dyn Fn(u64) -> Result<Problem, Box<dyn Error>>>;

fn main() -> Result<(), Box<dyn Error>> {
    let seeds = std::env::args()
        .nth(1)
        .map_or(Ok(5), |n| n.parse::<u64>())?;
    println!(
        "Median evaluations to the planted point, of 5000 n, and in how many of {seeds} problems.\n"
    );
    let integers = |n, condition| move |seed| closest(n, condition, Lattice::integers(), seed);
    let golden = |n, condition| move |seed| closest(n, condition, Lattice::golden(5), seed);
    let exact = |n| move |seed| Ok(weights(n, 3, seed));
    let low = |n| move |seed| Ok(low_modes(n, seed));
    let kinds: [Make; 9] = [
        Box::new(integers(10, 1.0)),
        Box::new(integers(10, 100.0)),
        Box::new(integers(20, 10.0)),
        Box::new(integers(20, 100.0)),
        Box::new(golden(10, 100.0)),
        Box::new(golden(20, 10.0)),
        Box::new(exact(10)),
        Box::new(exact(20)),
        Box::new(exact(40)),
    ];
    println!("| problem | on the lattice | values rounded |\n|---|---|---|");
    table(&kinds, &[Told::LATTICE, Told::NOTHING], seeds)?;
    let (damped, bonus, filter) = (true, 0.3, 0.25);
    let columns = [
        Told::LATTICE,
        Told {
            damped,
            ..Told::LATTICE
        },
        Told {
            bonus,
            ..Told::LATTICE
        },
        Told {
            filter,
            ..Told::LATTICE
        },
    ];
    println!("\n| problem | plain | damped | bonus | filter |\n|---|---|---|---|---|");
    let kinds: [Make; 3] = [
        Box::new(low(20)),
        Box::new(low(40)),
        Box::new(integers(20, 10.0)),
    ];
    table(&kinds, &columns, seeds)
}

fn table(kinds: &[Make], columns: &[Told], seeds: u64) -> Result<(), Box<dyn Error>> {
    for kind in kinds {
        let (mut name, mut cells) = (String::new(), Vec::new());
        for told in columns {
            let mut found = Vec::new();
            for seed in 0..seeds {
                let problem = kind(seed)?;
                found.extend(run(&problem, *told, seed)?);
                name = problem.name;
            }
            found.sort_unstable();
            let solved = found.len();
            // Those without an answer took more than all others.
            let median = found.get(seeds as usize / 2);
            let median = median.map_or("none".into(), u64::to_string);
            cells.push(format!("{median} ({solved})"));
        }
        println!("| {name} | {} |", cells.join(" | "));
    }
    Ok(())
}
