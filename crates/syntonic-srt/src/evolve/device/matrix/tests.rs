//! The published updates by hand, chunks, minima that are found, and searches that go on long after.

use super::cma::CONDITION;
use super::cr_fm_nes::inverse_h;
use super::search::State;
use super::*;
use crate::evolve::device::Function;
use syntonic_core::random::fill_normal_f64;
use syntonic_core::{DType, Error, Tensor};

mod keeping;
mod published;

type Tested = Result<(), Box<dyn std::error::Error>>;

const RULES: [MatrixRule; 2] = [MatrixRule::Cma, MatrixRule::CrFmNes];

fn start(n: usize, dtype: DType) -> Result<Tensor, Error> {
    Tensor::full(&[n], 3.0, dtype)?.eval()
}

fn list(x: &Tensor) -> Result<Vec<f64>, Error> {
    x.to_vec::<f64>()
}

/// Every number of the state.
fn numbers(search: &MatrixSearch) -> Result<Vec<f64>, Error> {
    let parts = match &search.state {
        State::Cma(s) => [&s.mean, &s.sigma, &s.path, &s.shape_path, &s.covariance].map(list),
        State::CrFmNes(s) => [&s.mean, &s.sigma, &s.path, &s.shape_path, &s.v].map(list),
    };
    let mut all = Vec::new();
    for part in parts {
        all.extend(part?);
    }
    if let State::CrFmNes(s) = &search.state {
        all.extend(list(&s.scale)?);
    }
    all.extend(list(&search.candidates(0, search.population())?)?);
    Ok(all)
}

fn assert_finite(search: &MatrixSearch) -> Tested {
    let all = numbers(search)?;
    assert!(all.iter().all(|x| x.is_finite()), "{all:?}");
    Ok(())
}

#[test]
fn candidates_are_scored_as_they_are_and_in_any_chunks() -> Tested {
    for (n, dtype) in [(1, DType::F32), (7, DType::F64), (1030, DType::F32)] {
        for rule in RULES {
            let mut search = MatrixSearch::new(&start(n, dtype)?, 0.5, 6, rule, 3)?;
            search.run(Function::Sphere, 2, None)?;
            let whole = list(&search.candidates(0, 6)?)?;
            let mut parts = list(&search.candidates(0, 2)?)?;
            parts.extend(list(&search.candidates(2, 2)?)?);
            parts.extend(list(&search.candidates(2, 6)?)?);
            assert_eq!(whole, parts);
            for each in [1, 3, 4, 5] {
                let cut = (0..6).step_by(each);
                let cut = cut.map(|from| list(&search.candidates(from, 6.min(from + each))?));
                assert_eq!(
                    cut.collect::<Result<Vec<_>, _>>()?.concat(),
                    whole,
                    "{each}"
                );
            }
            if rule.is_mirrored() {
                let mean = list(&search.mean()?)?;
                // Three roundings to the type, of numbers below 16.
                let bound = if dtype == DType::F32 { 6e-6 } else { 1e-14 };
                for j in 0..n {
                    assert!((whole[j] + whole[n + j] - 2.0 * mean[j]).abs() < bound);
                }
            }
            for function in Function::ALL {
                let scores = list(&search.scores(function)?)?;
                for (row, score) in whole.chunks(n).zip(scores) {
                    let want = function.of(row);
                    // Terms in float64, each off by a few roundings of its largest part.
                    let size: f64 = row.iter().map(|x| 100.0 * (x.powi(4) + 10.0)).sum::<f64>()
                        * function.weight(n - 1, n).max(function.weight(0, n));
                    let bound = match function {
                        Function::Ackley => 1e-11,
                        _ => 64.0 * f64::EPSILON * size,
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

#[test]
fn a_run_is_its_generations_and_a_seed_gives_one_trajectory() -> Tested {
    for rule in RULES {
        for dtype in [DType::F32, DType::F64] {
            let new = |seed| MatrixSearch::new(&start(6, dtype)?, 0.5, 10, rule, seed);
            let (mut whole, mut single, mut told, mut other) = (new(4)?, new(4)?, new(4)?, new(5)?);
            let history = list(&whole.run(Function::Ackley, 8, None)?.history)?;
            other.run(Function::Ackley, 8, None)?;
            for best in history {
                single.run(Function::Ackley, 1, None)?;
                let scores = list(&told.scores(Function::Ackley)?)?;
                told.tell(&Tensor::from_slice(&scores, &[10])?)?;
                assert_eq!(scores.into_iter().fold(f64::INFINITY, f64::min), best);
            }
            for same in [&single, &told] {
                assert_eq!(numbers(&whole)?, numbers(same)?, "{rule:?}");
                assert_eq!(list(&whole.best()?.0)?, list(&same.best()?.0)?);
                assert_eq!(list(&whole.best()?.1)?, list(&same.best()?.1)?);
                assert_eq!(same.generation(), 8);
            }
            assert_ne!(numbers(&whole)?, numbers(&other)?);
            // The best is a candidate, and has the score that was seen: in float64, of what the type holds.
            let (x, score) = whole.best()?;
            assert_eq!(x.dtype(), dtype);
            let (value, score) = (Function::Ackley.of(&list(&x)?), list(&score)?[0]);
            assert!((value - score).abs() < 1e-11, "{value} {score}");
        }
    }
    Ok(())
}

#[test]
fn a_run_ends_at_its_target() -> Tested {
    for rule in RULES {
        let mut search = MatrixSearch::new(&start(6, DType::F64)?, 1.0, 12, rule, 2)?;
        let run = search.run(Function::Ellipsoid, 3000, Some(1e-9))?;
        assert!(run.done < 1500 && run.done == search.generation());
        let history = list(&run.history)?;
        assert_eq!(history.len() as u64, run.done);
        let (last, before) = history.split_last().ok_or("no generation")?;
        assert!(before.iter().all(|score| *score > 1e-9) && *last <= 1e-9);
        assert_eq!(search.run(Function::Ellipsoid, 10, Some(1e-9))?.done, 0);
    }
    Ok(())
}

/// Ten times the evaluations that a search needs, and nothing is NaN: in the type of the start, at the last digit of which all scores are equal.
#[test]
fn nothing_is_nan_after_convergence() -> Tested {
    for rule in RULES {
        for (function, dtype) in [
            (Function::Sphere, DType::F32),
            (Function::Ellipsoid, DType::F64),
            (Function::Rosenbrock, DType::F32),
            (Function::Ackley, DType::F64),
        ] {
            let mut search = MatrixSearch::new(&start(5, dtype)?, 2.0, 10, rule, 1)?;
            let target = if dtype == DType::F32 { 1e-4 } else { 1e-8 };
            let needed = search.run(function, 5000, Some(target))?.done;
            assert!(needed < 5000, "{rule:?} {function:?}");
            search.run(function, 10 * needed, None)?;
            assert_finite(&search)?;
            let (best, reached) = (search.best()?.1.to_vec::<f64>()?[0], target);
            assert!(best <= reached, "{rule:?} {function:?}: {best}");
        }
    }
    Ok(())
}

/// A plateau, a slope without end, values that are no numbers, and scores that lead away from each minimum: the limits hold.
#[test]
fn no_scores_make_a_state_nan() -> Tested {
    type Objective = fn(&Tensor) -> Result<Tensor, Error>;
    let objectives: [(&str, Objective); 6] = [
        ("plateau", |x| {
            Tensor::full(&[x.shape()[0]], 1.0, DType::F64)
        }),
        ("slope", |x| x.select(1, 0)),
        ("no numbers", |x| {
            Tensor::full(&[x.shape()[0]], f64::NAN, DType::F64)
        }),
        ("infinite", |x| {
            Tensor::full(&[x.shape()[0]], f64::INFINITY, DType::F32)
        }),
        ("away", |x| x.square()?.sum(-1)?.try_neg()),
        ("a line", |x| x.select(1, 1)?.square()),
    ];
    for rule in RULES {
        for (name, objective) in objectives {
            for sigma in [1.0, 1e145, 1e-145] {
                let mut search = MatrixSearch::new(&start(3, DType::F64)?, sigma, 6, rule, 9)?;
                for _ in 0..250 {
                    search.tell(&objective(&search.candidates(0, 6)?)?)?;
                }
                assert_finite(&search).map_err(|e| format!("{rule:?} {name}: {e}"))?;
            }
        }
    }
    Ok(())
}

/// Narrow matrices get a floor, and scales that ran away go over to sigma, with the distribution as it was.
#[test]
fn spectra_are_kept_in_range() -> Tested {
    let search = MatrixSearch::new(&start(2, DType::F64)?, 0.5, 6, MatrixRule::Cma, 0)?;
    let State::Cma(mut state) = search.state else {
        return Err("another rule".into());
    };
    let drawing = || super::search::Drawing {
        shape: [6, 2],
        dtype: DType::F64,
        noise: syntonic_core::random::Generator::new(1),
    };
    state.covariance = Tensor::from([[1.0, 1.0], [1.0, 1.0]]);
    let floored = state.drawn(drawing(), 1)?;
    let c = list(&floored.covariance)?;
    // The least eigenvalue of these is c_00 - c_01, where the subtraction is exact; eigenvalues are off by some roundings of the largest.
    let least = c[0] - c[1];
    assert!(
        (least - 2.0 * CONDITION).abs() < 16.0 * f64::EPSILON,
        "{c:?}"
    );
    state.covariance = Tensor::from([[4e-60, 0.0], [0.0, 1e-60]]);
    let scaled = state.drawn(drawing(), 1)?;
    let c = list(&scaled.covariance)?;
    assert!(
        (c[0] - 1.0).abs() < 1e-15 && (c[3] - 0.25).abs() < 1e-15,
        "{c:?}"
    );
    assert!((list(&scaled.sigma)?[0] / 1e-30 - 1.0).abs() < 1e-15);
    Ok(())
}

#[test]
fn values_that_are_missing_are_the_worst() -> Tested {
    for rule in RULES {
        let new = || MatrixSearch::new(&start(4, DType::F64)?, 1.0, 8, rule, 1);
        let (mut missing, mut large) = (new()?, new()?);
        let mut scores = [1.0, 2.0, f64::NAN, 3.0, 5.0, 4.0, 7.0, 6.0];
        missing.tell(&Tensor::from_slice(&scores, &[8])?)?;
        // CR-FM-NES counts what is feasible.
        scores[2] = if rule == MatrixRule::Cma {
            1e300
        } else {
            f64::INFINITY
        };
        large.tell(&Tensor::from_slice(&scores, &[8])?)?;
        assert_eq!(numbers(&missing)?, numbers(&large)?);
        assert_eq!(list(&missing.best()?.1)?, [1.0]);
        scores[2] = 0.5;
        let mut other = new()?;
        other.tell(&Tensor::from_slice(&scores, &[8])?)?;
        assert_ne!(numbers(&missing)?, numbers(&other)?);
        let mut nothing = new()?;
        nothing.tell(&Tensor::full(&[8], f64::NAN, DType::F64)?)?;
        let (x, score) = nothing.best()?;
        assert_eq!(
            (list(&x)?, list(&score)?),
            (vec![3.0; 4], vec![f64::INFINITY])
        );
    }
    Ok(())
}

#[test]
fn candidates_keep_to_their_bounds() -> Tested {
    let edge = |x: f64| Tensor::from_slice(&[x], &[1]);
    for rule in RULES {
        let search = MatrixSearch::new(&start(5, DType::F32)?, 4.0, 16, rule, 1)?;
        let mut search = search.bounded(&edge(2.0)?, &edge(5.0)?)?;
        for _ in 0..60 {
            let x = list(&search.candidates(0, 16)?)?;
            assert!(x.iter().all(|x| (2.0..=5.0).contains(x)));
            search.step(Function::Sphere)?;
        }
        let (x, score) = search.best()?;
        assert_eq!((list(&x)?, list(&score)?), (vec![2.0; 5], vec![20.0]));
        for (least, most) in [(1.0, 0.0), (f64::NAN, 0.0), (0.0, f64::NAN)] {
            let refused = search.clone().bounded(&edge(least)?, &edge(most)?);
            assert!(matches!(refused, Err(Error::Value { .. })));
        }
    }
    Ok(())
}

#[test]
fn what_is_no_search_is_refused() -> Tested {
    let x = start(4, DType::F64)?;
    let whole = Tensor::zeros(&[4], DType::I64)?;
    let rows = Tensor::zeros(&[2, 2], DType::F32)?;
    let endless = Tensor::from([1.0, f64::NAN]);
    for rule in RULES {
        let new = |x: &Tensor, sigma, population| MatrixSearch::new(x, sigma, population, rule, 0);
        assert!(matches!(new(&whole, 1.0, 8), Err(Error::DType { .. })));
        assert!(matches!(new(&rows, 1.0, 8), Err(Error::Shape { .. })));
        assert!(matches!(new(&endless, 1.0, 8), Err(Error::Value { .. })));
        for (sigma, population) in [
            (0.0, 8),
            (-1.0, 8),
            (f64::NAN, 8),
            (1e200, 8),
            (1.0, 2),
            (1.0, 1 << 35),
        ] {
            assert!(matches!(
                new(&x, sigma, population),
                Err(Error::Value { .. })
            ));
        }
        let mut search = new(&x, 1.0, 8)?;
        assert!(search.candidates(4, 10).is_err() && search.candidates(4, 2).is_err());
        let before = numbers(&search)?;
        assert!(search.tell(&Tensor::zeros(&[7], DType::F64)?).is_err());
        assert!(search.tell(&Tensor::zeros(&[8], DType::C64)?).is_err());
        assert_eq!(numbers(&search)?, before);
        assert_eq!(search.generation(), 0);
    }
    let odd = MatrixSearch::new(&x, 1.0, 7, MatrixRule::CrFmNes, 0);
    assert!(matches!(odd, Err(Error::Value { .. })));
    let wide = start(2001, DType::F32)?;
    let refused = MatrixSearch::new(&wide, 1.0, 8, MatrixRule::Cma, 0);
    let said = refused.err().ok_or("2001 unknowns")?.to_string();
    assert!(
        said.contains("separable_cma") && said.contains("cr_fm_nes"),
        "{said}"
    );
    MatrixSearch::new(&wide, 1.0, 8, MatrixRule::CrFmNes, 0)?;
    Ok(())
}
