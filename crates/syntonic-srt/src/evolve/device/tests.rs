//! The published updates by hand, chunks, and minima that are found.

use super::*;
use crate::evolve::elementary::ln;
use syntonic_core::random::{Generator, fill_normal_f64};
use syntonic_core::{DType, Error, Tensor};

type Tested = Result<(), Box<dyn std::error::Error>>;

fn start(n: usize, dtype: DType) -> Result<Tensor, Error> {
    Tensor::full(&[n], 3.0, dtype)?.eval()
}

const RULES: [Rule; 2] = [Rule::Snes, Rule::OpenAi { rate: 0.1 }];

#[test]
fn candidates_are_scored_as_they_are_and_in_any_chunks() -> Tested {
    for (n, dtype) in [
        (1, DType::F32),
        (7, DType::F64),
        (1030, DType::F32),
        (40_000, DType::F32),
    ] {
        for rule in RULES {
            let mut search = DeviceSearch::new(&start(n, dtype)?, 0.5, 6, rule, 3)?;
            search.step(Function::Sphere)?;
            let whole = search.candidates(0, 6)?.to_vec::<f64>()?;
            let mut parts = search.candidates(0, 2)?.to_vec::<f64>()?;
            parts.extend(search.candidates(2, 2)?.to_vec::<f64>()?);
            parts.extend(search.candidates(2, 6)?.to_vec::<f64>()?);
            assert_eq!(whole, parts);
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
                        * function.weight(1.min(n - 1), n).max(function.weight(0, n));
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
        let mut z = vec![0.0; 4 * p];
        fill_normal_f64(&mut z, Generator::new(seed).fork(generation).seed, 0);
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
    let mut z = vec![0.0; n * p / 2];
    fill_normal_f64(&mut z, Generator::new(seed).fork(0).seed, 0);
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

#[test]
fn minima_are_found_and_a_seed_gives_one_trajectory() -> Tested {
    for dtype in [DType::F32, DType::F64] {
        let run = |seed: u64| -> Result<Vec<f64>, Error> {
            let mut search = DeviceSearch::new(&start(10, dtype)?, 2.0, 64, Rule::Snes, seed)?;
            for _ in 0..200 {
                search.step(Function::Ellipsoid)?;
            }
            search.mean()?.to_vec::<f64>()
        };
        let (one, again, other) = (run(1)?, run(1)?, run(2)?);
        assert_eq!(one, again);
        assert_ne!(one, other);
        assert!(Function::Ellipsoid.of(&one) < 1e-3, "{one:?}");
    }
    let mut search = DeviceSearch::new(
        &start(10, DType::F32)?,
        0.3,
        64,
        Rule::OpenAi { rate: 0.05 },
        1,
    )?;
    for _ in 0..400 {
        search.step(Function::Sphere)?;
    }
    assert!(Function::Sphere.of(&search.mean()?.to_vec::<f64>()?) < 0.1);
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
    let matrix = Tensor::zeros(&[2, 2], DType::F32)?;
    assert!(matches!(
        new(&matrix, 1.0, 8, Rule::Snes),
        Err(Error::Shape { .. })
    ));
    for (sigma, population, rule) in [
        (0.0, 8, Rule::Snes),
        (f64::NAN, 8, Rule::Snes),
        (1.0, 1, Rule::Snes),
        (1.0, 7, RULES[1]),
        (1.0, 8, Rule::OpenAi { rate: -1.0 }),
        (1.0, 1 << 33, Rule::Snes),
    ] {
        assert!(matches!(
            new(&x, sigma, population, rule),
            Err(Error::Value { .. })
        ));
    }
    let mut search = new(&x, 1.0, 8, RULES[1])?;
    assert!(search.candidates(0, 3).is_err() && search.candidates(4, 10).is_err());
    let before = search.mean()?.to_vec::<f64>()?;
    assert!(search.tell(&Tensor::zeros(&[7], DType::F64)?).is_err());
    assert_eq!(search.mean()?.to_vec::<f64>()?, before);
    assert_eq!(search.generation(), 0);
    Ok(())
}
