//! The published updates by hand, chunks, and minima that are found.

mod adapting;
mod keeping;
mod placing;
mod restarting;
mod sharing;

use super::*;
use crate::evolve::elementary::ln;
use syntonic_core::random::fill_normal_f64;
use syntonic_core::{DType, Error, Tensor};

type Tested = Result<(), Box<dyn std::error::Error>>;

fn start(n: usize, dtype: DType) -> Result<Tensor, Error> {
    Tensor::full(&[n], 3.0, dtype)?.eval()
}

const OPEN_AI: Rule = Rule::OpenAi { rate: 0.1 };
const RULES: [Rule; 5] = [
    Rule::Snes,
    OPEN_AI,
    Rule::Separable,
    Rule::SeparableCma,
    Rule::Res,
];

/// The rules for so many unknowns.
fn rules(n: usize) -> impl Iterator<Item = Rule> {
    RULES
        .into_iter()
        .filter(move |rule| rule.check(n, 4).is_ok())
}

/// The noise of a generation: it begins a block index of its own upper word, with two values a block.
fn noise(count: usize, seed: u64, generation: u64) -> Vec<f64> {
    let mut z = vec![0.0; count];
    fill_normal_f64(&mut z, seed, generation << 33);
    z
}

#[test]
fn candidates_are_scored_as_they_are_and_in_any_chunks() -> Tested {
    for (n, dtype) in [
        (1, DType::F32),
        (7, DType::F64),
        (1030, DType::F32),
        (40_000, DType::F32),
    ] {
        for rule in rules(n) {
            let mut search = DeviceSearch::new(&start(n, dtype)?, 0.5, 6, rule, 3)?;
            search.run(Function::Sphere, 1, None)?;
            let whole = search.candidates(0, 6)?.to_vec::<f64>()?;
            let mut parts = search.candidates(0, 2)?.to_vec::<f64>()?;
            parts.extend(search.candidates(2, 2)?.to_vec::<f64>()?);
            parts.extend(search.candidates(2, 6)?.to_vec::<f64>()?);
            assert_eq!(whole, parts);
            for each in [1, 3, 4, 5] {
                let cut = (0..6).step_by(each);
                let cut =
                    cut.map(|from| search.candidates(from, 6.min(from + each))?.to_vec::<f64>());
                assert_eq!(
                    cut.collect::<Result<Vec<_>, _>>()?.concat(),
                    whole,
                    "{each}"
                );
            }
            if rule.is_mirrored() {
                let mean = search.mean()?.to_vec::<f64>()?;
                // Both are rounded to the type once.
                let bound = if dtype == DType::F32 { 2e-6 } else { 1e-14 };
                for j in 0..n {
                    assert!((whole[j] + whole[n + j] - 2.0 * mean[j]).abs() < bound);
                }
            }
            for function in Function::ALL {
                let scores = search.scores(function)?.to_vec::<f64>()?;
                for (row, score) in whole.chunks(n).zip(scores) {
                    let want = function.of(row);
                    // Terms in the search's type, each off by a few roundings of its largest part.
                    let size: f64 = row.iter().map(|x| 100.0 * (x.powi(4) + 10.0)).sum::<f64>()
                        * function.weight(n - 1, n).max(function.weight(0, n));
                    let rounding = if dtype == DType::F32 { 6e-8 } else { 1.2e-16 };
                    let bound = match function {
                        Function::Ackley => 64.0 * rounding * 30.0 + 1e-11,
                        _ => 64.0 * rounding * size,
                    };
                    assert!(
                        (score - want).abs() <= bound,
                        "{function:?} {n}: {score} {want}"
                    );
                }
            }
        }
    }
    Ok(())
}

/// The update of Wierstra et al., written out.
#[test]
fn snes_moves_as_published() -> Tested {
    let (n, p, seed) = (3, 5, 11);
    let mut search = DeviceSearch::new(&start(n, DType::F64)?, 0.7, p, Rule::Snes, seed)?;
    let (mut mean, mut sigma) = (vec![3.0; n], vec![0.7; n]);
    for generation in 0..6 {
        // Two values of a Philox block: a draw of three takes two blocks.
        let z = noise(4 * p, seed, generation);
        let rows: Vec<Vec<f64>> = z.chunks(4).map(|row| row[..n].to_vec()).collect();
        let value =
            |z: &[f64]| -> f64 { (0..n).map(|j| (mean[j] + sigma[j] * z[j]).powi(2)).sum() };
        let mut order: Vec<usize> = (0..p).collect();
        order.sort_by(|&a, &b| value(&rows[a]).total_cmp(&value(&rows[b])));
        let raw: Vec<f64> = (1..=p)
            .map(|k| (ln(p as f64 / 2.0 + 1.0) - ln(k as f64)).max(0.0))
            .collect();
        let total: f64 = raw.iter().sum();
        let eta = (3.0 + (n as f64).ln()) / (5.0 * (n as f64).sqrt());
        let (mut toward, mut wider) = (vec![0.0; n], vec![0.0; n]);
        for (rank, &member) in order.iter().enumerate() {
            let u = raw[rank] / total - 1.0 / p as f64;
            for j in 0..n {
                toward[j] += u * rows[member][j];
                wider[j] += u * (rows[member][j].powi(2) - 1.0);
            }
        }
        for j in 0..n {
            mean[j] += sigma[j] * toward[j];
            sigma[j] *= (0.5 * eta * wider[j]).exp();
        }
        search.step(Function::Sphere)?;
        for (got, want) in search.mean()?.to_vec::<f64>()?.iter().zip(&mean) {
            assert!((got - want).abs() < 1e-12, "{generation}: {got} {want}");
        }
        for (got, want) in search.deviation()?.to_vec::<f64>()?.iter().zip(&sigma) {
            assert!((got - want).abs() < 1e-12, "{generation}: {got} {want}");
        }
    }
    Ok(())
}

/// The step of Salimans et al. with centred ranks, written out.
#[test]
fn open_ai_moves_as_published() -> Tested {
    let (n, p, seed, rate) = (2, 4, 5, 0.3);
    let mut search =
        DeviceSearch::new(&start(n, DType::F64)?, 0.5, p, Rule::OpenAi { rate }, seed)?;
    let z = noise(n * p / 2, seed, 0);
    let steps = [[z[0], z[1]], [-z[0], -z[1]], [z[2], z[3]], [-z[2], -z[3]]];
    let value = |z: &[f64; 2]| z.iter().map(|z| (3.0 + 0.5 * z).powi(2)).sum::<f64>();
    let mut order = [0, 1, 2, 3];
    order.sort_by(|&a, &b| value(&steps[a]).total_cmp(&value(&steps[b])));
    let mut mean = [3.0; 2];
    for (rank, &member) in order.iter().enumerate() {
        let u = 0.5 - rank as f64 / 3.0;
        for j in 0..n {
            mean[j] += rate / (p as f64 * 0.5) * u * steps[member][j];
        }
    }
    search.step(Function::Sphere)?;
    for (got, want) in search.mean()?.to_vec::<f64>()?.iter().zip(mean) {
        assert!((got - want).abs() < 1e-14, "{got} {want}");
    }
    Ok(())
}

/// Separable CMA-ES as Ros and Hansen have it, with the rates of Hansen's tutorial of 2016, written out.
#[test]
fn separable_cma_moves_as_published() -> Tested {
    let (n, p, seed) = (4, 6, 3);
    let mut search = DeviceSearch::new(&start(n, DType::F64)?, 0.7, p, Rule::SeparableCma, seed)?;
    let (nf, mut sigma) = (n as f64, 0.7);
    let (mut mean, mut variance) = (vec![3.0f64; n], vec![1.0f64; n]);
    let (mut ps, mut pc) = (vec![0.0; n], vec![0.0; n]);
    let raw: Vec<f64> = (1..=3).map(|k| ln(3.5) - ln(k as f64)).collect();
    let weights: Vec<f64> = raw.iter().map(|w| w / raw.iter().sum::<f64>()).collect();
    let mu = 1.0 / weights.iter().map(|w| w * w).sum::<f64>();
    let cs = (mu + 2.0) / (nf + mu + 5.0);
    let damping = 1.0 + 2.0 * (((mu - 1.0) / (nf + 1.0)).sqrt() - 1.0).max(0.0) + cs;
    let cc = (4.0 + mu / nf) / (nf + 4.0 + 2.0 * mu / nf);
    let hurry = (nf + 2.0) / 3.0;
    let one = 2.0 / ((nf + 1.3).powi(2) + mu);
    let many = (2.0 * (0.25 + mu - 2.0 + 1.0 / mu) / ((nf + 2.0).powi(2) + mu)).min(1.0 - one);
    let (one, many) = (one * hurry, many * hurry);
    let expected = nf.sqrt() * (1.0 - 1.0 / (4.0 * nf) + 1.0 / (21.0 * nf * nf));
    for generation in 0..8 {
        let z = noise(n * p, seed, generation);
        let rows: Vec<&[f64]> = z.chunks(n).collect();
        let at = |row: &[f64], j: usize| mean[j] + sigma * variance[j].sqrt() * row[j];
        let value = |row: &&[f64]| (0..n).map(|j| at(row, j).powi(2)).sum::<f64>();
        let mut order: Vec<usize> = (0..p).collect();
        order.sort_by(|&a, &b| value(&rows[a]).total_cmp(&value(&rows[b])));
        let mixed = |f: &dyn Fn(f64) -> f64, j: usize| -> f64 {
            weights
                .iter()
                .zip(&order)
                .map(|(w, &k)| w * f(rows[k][j]))
                .sum()
        };
        let first: Vec<f64> = (0..n).map(|j| mixed(&|z| z, j)).collect();
        let second: Vec<f64> = (0..n).map(|j| mixed(&|z| z * z, j)).collect();
        for j in 0..n {
            ps[j] = (1.0 - cs) * ps[j] + (cs * (2.0 - cs) * mu).sqrt() * first[j];
        }
        let length = ps.iter().map(|p| p * p).sum::<f64>().sqrt();
        let unbiased = (1.0 - (1.0 - cs).powi(2 * (generation as i32 + 1))).sqrt();
        let steady = f64::from(length / unbiased / expected < 1.4 + 2.0 / (nf + 1.0));
        for j in 0..n {
            mean[j] += sigma * variance[j].sqrt() * first[j];
            let step = variance[j].sqrt() * first[j];
            pc[j] = (1.0 - cc) * pc[j] + steady * (cc * (2.0 - cc) * mu).sqrt() * step;
            let lost = (1.0 - steady) * cc * (2.0 - cc);
            variance[j] = (1.0 - one - many + one * lost) * variance[j]
                + one * pc[j].powi(2)
                + many * variance[j] * second[j];
        }
        sigma *= (cs / damping * (length / expected - 1.0)).exp();
        search.step(Function::Sphere)?;
        let deviation = search.deviation()?.to_vec::<f64>()?;
        for (j, mean_found) in search.mean()?.to_vec::<f64>()?.iter().enumerate() {
            assert!((mean_found - mean[j]).abs() < 1e-12, "{generation} {j}");
            let want = sigma * variance[j].sqrt();
            assert!(
                (deviation[j] - want).abs() < 1e-12,
                "{generation} {j}: {deviation:?} {want}"
            );
        }
    }
    Ok(())
}

#[test]
fn minima_are_found_and_a_seed_gives_one_trajectory() -> Tested {
    for rule in [Rule::Snes, Rule::Separable, Rule::SeparableCma, Rule::Res] {
        for dtype in [DType::F32, DType::F64] {
            let run = |seed: u64| -> Result<Vec<f64>, Error> {
                let mut search = DeviceSearch::new(&start(10, dtype)?, 2.0, 64, rule, seed)?;
                search.run(Function::Ellipsoid, 200, None)?;
                search.mean()?.to_vec::<f64>()
            };
            let (one, again, other) = (run(1)?, run(1)?, run(2)?);
            assert_eq!(one, again);
            assert_ne!(one, other);
            assert!(Function::Ellipsoid.of(&one) < 1e-3, "{rule:?} {one:?}");
        }
    }
    let mut search = DeviceSearch::new(
        &start(10, DType::F32)?,
        0.3,
        64,
        Rule::OpenAi { rate: 0.05 },
        1,
    )?;
    search.run(Function::Sphere, 400, None)?;
    assert!(Function::Sphere.of(&search.mean()?.to_vec::<f64>()?) < 0.1);
    Ok(())
}

/// A launch of many generations, launches of one, and generations that are scored and told apart: the same bits.
#[test]
fn a_run_is_its_generations() -> Tested {
    for rule in RULES {
        for (n, p) in [(3, 8), (700, 40)] {
            let new = || DeviceSearch::new(&start(n, DType::F32)?, 0.5, p, rule, 4);
            let (mut whole, mut single, mut told) = (new()?, new()?, new()?);
            let history = whole
                .run(Function::Ackley, 5, None)?
                .history
                .to_vec::<f64>()?;
            for best in history {
                single.run(Function::Ackley, 1, None)?;
                let scores = told.step(Function::Ackley)?.to_vec::<f64>()?;
                assert_eq!(scores.into_iter().fold(f64::INFINITY, f64::min), best);
            }
            for other in [&single, &told] {
                assert_eq!(
                    whole.state.to_vec::<f64>()?[..2 * n],
                    other.state.to_vec::<f64>()?[..2 * n],
                    "{rule:?}"
                );
                assert_eq!(
                    whole.best()?.1.to_vec::<f64>()?,
                    other.best()?.1.to_vec::<f64>()?
                );
                assert_eq!(
                    whole.best()?.0.to_vec::<f64>()?,
                    other.best()?.0.to_vec::<f64>()?
                );
                assert_eq!(other.generation(), 5);
            }
            // The best is a candidate, and has the score that was seen.
            let (x, score) = whole.best()?;
            let (value, score) = (
                Function::Ackley.of(&x.to_vec::<f64>()?),
                score.to_vec::<f64>()?[0],
            );
            assert!((value - score).abs() < 1e-4, "{value} {score}");
        }
    }
    Ok(())
}

#[test]
fn a_run_ends_at_its_target() -> Tested {
    let mut search = DeviceSearch::new(&start(6, DType::F64)?, 1.0, 20, Rule::Separable, 2)?;
    let run = search.run(Function::Sphere, 1000, Some(1e-9))?;
    assert!(run.done < 500 && run.done == search.generation());
    let history = run.history.to_vec::<f64>()?;
    assert_eq!(history.len() as u64, run.done);
    assert!(
        history.iter().rev().skip(1).all(|score| *score > 1e-9)
            && history[history.len() - 1] <= 1e-9
    );
    assert_eq!(search.run(Function::Sphere, 10, Some(1e-9))?.done, 0);
    Ok(())
}

/// Runs of one launch do not touch each other, and each has noise of its own.
#[test]
fn runs_of_a_batch_are_apart() -> Tested {
    let batch = |second: f64| -> Result<(Vec<f64>, Vec<f64>), Error> {
        let start = Tensor::from_slice(&[3.0, 3.0, second, second, 3.0, 3.0], &[3, 2])?;
        let mut search = DeviceSearch::new(&start, 1.0, 12, Rule::Separable, 8)?;
        let history = search.run(Function::Rosenbrock, 60, None)?.history;
        assert_eq!(history.shape(), [3, 60]);
        Ok((search.mean()?.to_vec::<f64>()?, history.to_vec::<f64>()?))
    };
    let ((one, history), (other, _)) = (batch(3.0)?, batch(-1.0)?);
    assert_eq!((&one[..2], &one[4..]), (&other[..2], &other[4..]));
    assert!(one[..2] != one[2..4] && one[..2] != one[4..]);
    assert!(history.chunks(60).all(|run| run[59] < run[0]));
    Ok(())
}

#[test]
fn candidates_keep_to_their_bounds() -> Tested {
    let edge = |x: f64| Tensor::from_slice(&[x], &[1]);
    let search = DeviceSearch::new(&start(5, DType::F32)?, 4.0, 16, Rule::Separable, 1)?;
    let mut search = search.bounded(&edge(2.0)?, &edge(5.0)?)?;
    for _ in 0..40 {
        let x = search.candidates(0, 16)?.to_vec::<f64>()?;
        assert!(x.iter().all(|x| (2.0..=5.0).contains(x)));
        search.step(Function::Sphere)?;
    }
    let (x, score) = search.best()?;
    assert_eq!(
        (x.to_vec::<f64>()?, score.to_vec::<f64>()?),
        (vec![2.0; 5], vec![20.0])
    );
    let other = search.clone();
    assert!(matches!(
        other.bounded(&edge(1.0)?, &edge(0.0)?),
        Err(Error::Value { .. })
    ));
    assert!(matches!(
        search.bounded(&edge(f64::NAN)?, &edge(0.0)?),
        Err(Error::Value { .. })
    ));
    Ok(())
}

/// More candidates than are compared with each other are sorted: the same ranks.
#[test]
fn large_populations_are_sorted() -> Tested {
    let mut search = DeviceSearch::new(
        &start(2, DType::F32)?,
        1.0,
        plan::COUNTED + 2,
        Rule::Separable,
        1,
    )?;
    let run = search.run(Function::Sphere, 3, None)?;
    let history = run.history.to_vec::<f64>()?;
    assert!(run.done == 3 && history[2] < 0.1, "{history:?}");
    assert_eq!(
        search.best()?.1.to_vec::<f64>()?[0],
        history.into_iter().fold(f64::INFINITY, f64::min)
    );
    Ok(())
}

#[test]
fn values_that_are_missing_are_the_worst_and_leave_no_trace() -> Tested {
    let mut search = DeviceSearch::new(&start(4, DType::F64)?, 1.0, 8, Rule::Snes, 1)?;
    let mut scores = vec![f64::NAN; 8];
    scores[3] = 1.0;
    scores[5] = f64::INFINITY;
    let made = search.candidates(0, 8)?.to_vec::<f64>()?;
    search.tell(&Tensor::from_slice(&scores, &[8])?)?;
    let mean = search.mean()?.to_vec::<f64>()?;
    assert!(mean.iter().all(|x| x.is_finite()));
    // The only number draws the mean to its candidate.
    let before: f64 = made[12..16].iter().map(|x| (x - 3.0).powi(2)).sum();
    let after: f64 = made[12..16]
        .iter()
        .zip(&mean)
        .map(|(x, m)| (x - m).powi(2))
        .sum();
    assert!(after < before);
    Ok(())
}

#[test]
fn what_is_no_search_is_refused() -> Tested {
    let x = start(4, DType::F64)?;
    let new =
        |x: &Tensor, sigma, population, rule| DeviceSearch::new(x, sigma, population, rule, 0);
    let whole = Tensor::zeros(&[4], DType::I64)?;
    assert!(matches!(
        new(&whole, 1.0, 8, Rule::Snes),
        Err(Error::DType { .. })
    ));
    let cube = Tensor::zeros(&[2, 2, 2], DType::F32)?;
    assert!(matches!(
        new(&cube, 1.0, 8, Rule::Snes),
        Err(Error::Shape { .. })
    ));
    for (sigma, population, rule) in [
        (0.0, 8, Rule::Snes),
        (f64::NAN, 8, Rule::Snes),
        (1.0, 1, Rule::Snes),
        (1.0, 7, OPEN_AI),
        (1.0, 8, Rule::OpenAi { rate: -1.0 }),
        (1.0, 1 << 33, Rule::Snes),
        (1.0, 2, Rule::Separable),
    ] {
        assert!(matches!(
            new(&x, sigma, population, rule),
            Err(Error::Value { .. })
        ));
    }
    let mut search = new(&x, 1.0, 8, OPEN_AI)?;
    assert!(search.candidates(3, 2).is_err() && search.candidates(4, 10).is_err());
    let before = search.mean()?.to_vec::<f64>()?;
    assert!(search.tell(&Tensor::zeros(&[7], DType::F64)?).is_err());
    assert_eq!(search.mean()?.to_vec::<f64>()?, before);
    assert_eq!(search.generation(), 0);
    Ok(())
}
