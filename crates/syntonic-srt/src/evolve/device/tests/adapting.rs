//! RES on a device is RES.

use super::*;
use crate::evolve::{EvolveError, Res, ResConfig, Shape, Strategy};

/// `Σ 10^(4 j/(n-1)) (R x)_j²` for the rotation `R` that turns all pairs of neighbours by arcs with cosine 3/5, one after the other.
fn rotated_ellipsoid(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    for j in 1..y.len() {
        let (a, b) = (y[j - 1], y[j]);
        (y[j - 1], y[j]) = (0.6 * a + 0.8 * b, 0.6 * b - 0.8 * a);
    }
    let last = (y.len() - 1).max(1) as f64;
    let scale = |j: usize| 10f64.powf(4.0 * j as f64 / last);
    y.iter().enumerate().map(|(j, y)| scale(j) * y * y).sum()
}

fn res(n: usize, sigma: f64, population: usize, seed: u64) -> Result<Res, EvolveError> {
    let config = ResConfig::new()
        .sigma(sigma)
        .population(population)
        .strategy(Strategy::Recombine(Shape::Full))
        .seed(seed);
    Res::new(&vec![3.0; n], config)
}

/// What both searches have, in bits: centre, step size, path, matrix and best.
pub(super) fn bits_of(res: &Res) -> Option<Vec<u64>> {
    let (path, missing, columns) = res.state.search.adaptation()?;
    let parts = [
        res.centre(),
        &[res.sigma(), missing],
        path,
        columns,
        res.best()?,
        &[res.best_value()?],
    ];
    Some(parts.concat().iter().map(|x| x.to_bits()).collect())
}

/// The same of a search on a device.
pub(super) fn bits_there(search: &DeviceSearch) -> Result<Vec<u64>, Error> {
    let state = search.state.to_vec::<f64>()?;
    let n = search.plan.n;
    let number = |which: usize| state[state.len() - plan::NUMBERS + which];
    let row = |row: usize, count: usize| &state[row * n..][..count * n];
    let parts = [
        row(plan::MEAN, 1),
        &[number(learning::SIGMA), number(learning::MISSING)],
        row(plan::MATRIX_PATH, 1),
        row(plan::MATRIX, n),
        row(plan::BEST, 1),
        &[number(learning::BEST_SCORE)],
    ];
    Ok(parts.concat().iter().map(|x| x.to_bits()).collect())
}

#[test]
fn trajectories_are_those_of_res() -> Tested {
    for (n, population) in [(1, 4), (2, 6), (7, 10), (10, 10), (33, 14), (70, 40)] {
        for function in [
            Function::Sphere,
            Function::Ellipsoid,
            Function::Rosenbrock,
            Function::Ackley,
        ] {
            let start = start(n, DType::F64)?;
            let mut search = DeviceSearch::new(&start, 2.0, population, Rule::Res, 11)?;
            let mut plain = res(n, 2.0, population, 11)?;
            for count in [1, 20, 39] {
                search.run(function, count, None)?;
                for _ in 0..count {
                    let values: Vec<f64> = plain.ask()?.iter().map(|x| function.of(x)).collect();
                    plain.tell(&values)?;
                }
                let (want, got) = (bits_of(&plain).ok_or("no matrix")?, bits_there(&search)?);
                assert!(want == got, "{function:?} {n} after {}", plain.generation());
            }
            let candidates = search.candidates(0, population)?.to_vec::<f64>()?;
            assert_eq!(candidates, plain.ask()?.as_slice());
        }
    }
    Ok(())
}

/// Values that are told, some of them unusable, and all of them in one generation.
#[test]
fn trajectories_of_told_values_are_those_of_res() -> Tested {
    let start = start(6, DType::F64)?;
    let mut search = DeviceSearch::new(&start, 0.5, 12, Rule::Res, 3)?;
    let mut plain = res(6, 0.5, 12, 3)?;
    for generation in 0..60 {
        let candidates = search.candidates(0, 12)?.to_vec::<f64>()?;
        assert_eq!(candidates, plain.ask()?.as_slice());
        let mut values: Vec<f64> = candidates.chunks(6).map(rotated_ellipsoid).collect();
        values[generation % 12] = f64::NAN;
        values[generation % 5] = f64::INFINITY;
        if generation == 30 {
            values.fill(f64::NAN);
        }
        plain.tell(&values)?;
        search.tell(&Tensor::from_slice(&values, &[12])?)?;
        let want = bits_of(&plain).ok_or("no matrix")?;
        assert!(want == bits_there(&search)?, "{generation}");
    }
    Ok(())
}

#[test]
fn valleys_and_rotated_ellipsoids_are_solved() -> Tested {
    for seed in 0..5 {
        let new = || DeviceSearch::new(&start(10, DType::F64)?, 2.0, 10, Rule::Res, seed);
        let run = new()?.run(Function::Rosenbrock, 2000, Some(1e-8))?;
        assert!(run.done < 2000, "{seed}");
        let mut search = new()?;
        let mut best = f64::INFINITY;
        while best > 1e-8 {
            assert!(search.generation() < 2000, "{seed}: {best}");
            let candidates = search.candidates(0, 10)?.to_vec::<f64>()?;
            let values: Vec<f64> = candidates.chunks(10).map(rotated_ellipsoid).collect();
            search.tell(&Tensor::from_slice(&values, &[10])?)?;
            best = search.best()?.1.to_vec::<f64>()?[0];
        }
    }
    Ok(())
}

/// Runs of one launch are apart, and the first of one alone is that search.
#[test]
fn runs_of_a_batch_have_noise_of_their_own() -> Tested {
    let batch = |second: f64| -> Result<Vec<f64>, Error> {
        let start = Tensor::from_slice(&[3.0, 3.0, second, second, 3.0, 3.0], &[3, 2])?;
        let mut search = DeviceSearch::new(&start, 1.0, 12, Rule::Res, 8)?;
        search.run(Function::Rosenbrock, 60, None)?;
        search.mean()?.to_vec::<f64>()
    };
    let (one, other) = (batch(3.0)?, batch(-1.0)?);
    assert_eq!((&one[..2], &one[4..]), (&other[..2], &other[4..]));
    assert!(one[..2] != one[2..4] && one[..2] != one[4..]);
    Ok(())
}

/// Candidates are in the type of the start, and their values are those of the rounded numbers.
#[test]
fn narrow_candidates_are_valued_as_they_are() -> Tested {
    let edge = |x: f64| Tensor::from_slice(&[x], &[1]);
    let search = DeviceSearch::new(&start(5, DType::F32)?, 4.0, 16, Rule::Res, 1)?;
    let mut search = search.bounded(&edge(2.1)?, &edge(5.0)?)?;
    for _ in 0..20 {
        let candidates = search.candidates(0, 16)?;
        assert_eq!(candidates.dtype(), DType::F32);
        let candidates = candidates.to_vec::<f64>()?;
        let least = f64::from(2.1f32);
        assert!(candidates.iter().all(|x| (least..=5.0).contains(x)));
        let want: Vec<f64> = candidates
            .chunks(5)
            .map(|x| Function::Ellipsoid.of(x))
            .collect();
        assert_eq!(search.step(Function::Ellipsoid)?.to_vec::<f64>()?, want);
    }
    Ok(())
}

/// The deviation of a coordinate is the step size times the length of its row of the matrix.
#[test]
fn deviations_are_those_of_the_matrix() -> Tested {
    let mut search = DeviceSearch::new(&start(4, DType::F64)?, 1.0, 8, Rule::Res, 2)?;
    search.run(Function::Ellipsoid, 50, None)?;
    let state = search.state.to_vec::<f64>()?;
    let columns = &state[plan::MATRIX * 4..][..16];
    let sigma = state[state.len() - plan::NUMBERS + learning::SIGMA];
    for (i, deviation) in search.deviation()?.to_vec::<f64>()?.into_iter().enumerate() {
        let square: f64 = (0..4)
            .map(|j| columns[4 * j + i] * columns[4 * j + i])
            .sum();
        let want = sigma * square.sqrt();
        assert!(
            (deviation - want).abs() <= 1e-14 * want,
            "{deviation} {want}"
        );
    }
    Ok(())
}

/// More unknowns than a matrix has are refused with the way out.
#[test]
fn what_is_too_large_is_refused() -> Tested {
    for (n, population) in [(4097, 4), (2, 1 << 17)] {
        let refused = DeviceSearch::new(&start(n, DType::F64)?, 1.0, population, Rule::Res, 0);
        let said = refused.err().ok_or("no refusal")?.to_string();
        assert!(said.contains("separable"), "{said}");
    }
    Ok(())
}
