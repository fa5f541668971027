//! When an attempt is over, and what comes after it.

use super::adapting::{bits_of, bits_there};
use super::keeping::bits;
use super::*;
use crate::evolve::{EvolveError, Reason, Res, ResConfig, Restarts, Shape, Strategy};
use std::collections::HashSet;
use std::time::Duration;

fn growing(n: usize, dtype: DType, rule: Rule, seed: u64) -> Result<DeviceSearch, Error> {
    DeviceSearch::new(&start(n, dtype)?, 2.0, 8, rule, seed)?.restarting(Restarts::Growing)
}

#[test]
fn growing_populations_find_the_best_of_many_minima() -> Tested {
    for rule in [Rule::Separable, Rule::SeparableCma, Rule::Snes] {
        let mut restarted = 0;
        for seed in 0..3 {
            let mut search = growing(5, DType::F64, rule, seed)?;
            let run = search.run(Function::Rastrigin, 6000, Some(1e-8))?;
            assert!(run.done < 6000, "{rule:?} {seed}");
            assert_eq!(run.history.shape(), [run.done as usize]);
            assert_eq!(search.population(), 8 << search.restarts());
            restarted += search.restarts();
            // One attempt alone stays where it is.
            let mut once = DeviceSearch::new(&start(5, DType::F64)?, 2.0, 8, rule, seed)?;
            let alone = once.run(Function::Rastrigin, 2000, Some(1e-8))?;
            assert_eq!(alone.done < 2000, search.restarts() == 0, "{rule:?} {seed}");
        }
        assert!(restarted > 0, "{rule:?}");
    }
    Ok(())
}

/// What ends an attempt of these functions are a tolerance of values, one of steps, and want of progress.
const ENDING: [fn(&[f64]) -> f64; 4] = [
    |x| Function::Rastrigin.of(x),
    |x| 1e40 * Function::Sphere.of(x),
    |x| x[0].abs().floor(),
    |x| match x[1] > 3.5 {
        true => f64::NAN,
        false => -f64::from(x[0].to_bits().count_ones()),
    },
];

/// RES with growing populations, so many generations of it or until its fourth restart, and the reasons for which its attempts ended.
pub(super) fn res_of(
    (n, generations, seed): (usize, u64, u64),
    f: impl Fn(&[f64]) -> f64,
) -> Result<(Res, HashSet<Reason>), EvolveError> {
    let config = ResConfig::new().sigma(2.0).population(8).seed(seed);
    let config = config.strategy(Strategy::Recombine(Shape::Full));
    let mut res = Res::new(&vec![3.0; n], config.restarts(Restarts::Growing))?;
    let mut reasons = HashSet::new();
    while res.generation() < generations && res.restarts() < 4 {
        if let Some(reason) = res.finished(Duration::ZERO) {
            assert!(res.restart()?);
            reasons.insert(reason);
        }
        let values: Vec<f64> = res.ask()?.iter().map(&f).collect();
        res.tell(&values)?;
    }
    Ok((res, reasons))
}

#[test]
fn attempts_are_those_of_res() -> Tested {
    let mut reasons = HashSet::new();
    for (k, f) in ENDING.into_iter().enumerate() {
        let (res, ends) = res_of((3, 900, 6), f)?;
        reasons.extend(ends);
        let mut told = growing(3, DType::F64, Rule::Res, 6)?;
        for _ in 0..res.generation() {
            told.restart()?;
            let candidates = told.candidates(0, told.population())?.to_vec::<f64>()?;
            let values: Vec<f64> = candidates.chunks(3).map(f).collect();
            told.tell(&Tensor::from_slice(&values, &[values.len()])?)?;
        }
        assert!(res.restarts() > 1, "{k}");
        assert_eq!(told.restarts(), res.restarts(), "{k}");
        assert_eq!(bits_there(&told)?, bits_of(&res).ok_or("no matrix")?, "{k}");
    }
    assert_eq!(reasons.len(), 3, "{reasons:?}");
    Ok(())
}

/// By name, cut anywhere, and captured.
#[test]
fn attempts_of_a_function_by_name_are_those_of_res() -> Tested {
    let (res, _) = res_of((3, 2000, 4), |x| Function::Sphere.of(x))?;
    let want = bits_of(&res).ok_or("no matrix")?;
    assert!(res.restarts() == 4);
    let mut search = growing(3, DType::F64, Rule::Res, 4)?;
    for count in [0, 1, 63, res.generation() - 64] {
        search.run(Function::Sphere, count, None)?;
    }
    assert_eq!(bits_there(&search)?, want);
    let (res, _) = res_of((2, 2000, 4), |x| Function::Sphere.of(x))?;
    let want = bits_of(&res).ok_or("no matrix")?;
    let mut captured = growing(2, DType::F64, Rule::Res, 4)?;
    let objective = |x: &Tensor| x.square()?.sum(-1);
    let mut generation = captured.capture(None, objective)?;
    for _ in 0..res.generation() {
        if captured.restart()? {
            generation = captured.capture(None, objective)?;
        }
        captured.replay(&generation)?;
    }
    assert_eq!(captured.restarts(), res.restarts());
    assert_eq!(bits_there(&captured)?, want);
    Ok(())
}

/// Generations are cut into calls at will: by name, by telling, and with other candidates from one to the next.
#[test]
fn attempts_do_not_depend_on_how_generations_are_cut() -> Tested {
    for (rule, dtype) in [
        (Rule::Separable, DType::F64),
        (Rule::Snes, DType::F64),
        (Rule::Separable, DType::F32),
    ] {
        let new = || growing(2, dtype, rule, 4);
        let mut whole = new()?;
        let run = whole.run(Function::Rastrigin, 350, None)?;
        assert!(
            whole.restarts() > 1 && run.done == 350,
            "{rule:?}: {}",
            whole.restarts()
        );
        let (_, score) = whole.best()?;
        let least = run
            .history
            .to_vec::<f64>()?
            .into_iter()
            .fold(f64::INFINITY, f64::min);
        assert_eq!(score.to_vec::<f64>()?, [least]);

        let mut parts = new()?;
        let mut histories = vec![];
        for count in [1, 63, 64, 100, 28, 0, 0, 50, 1, 43] {
            let part = parts.run(Function::Rastrigin, count, None)?;
            histories.extend(part.history.to_vec::<f64>()?);
        }
        assert_eq!(histories, run.history.to_vec::<f64>()?);
        assert!(bits(&parts)? == bits(&whole)?);

        let mut told = new()?;
        let mut populations = vec![];
        while told.generation() < 350 {
            told.restart()?;
            populations.push(told.population());
            told.step(Function::Rastrigin)?;
        }
        assert!(bits(&told)? == bits(&whole)?);
        populations.dedup();
        let doubled: Vec<usize> = (0..populations.len()).map(|k| 8 << k).collect();
        assert_eq!(populations, doubled);
    }
    Ok(())
}

#[test]
fn another_attempt_begins_near_the_start_and_keeps_to_the_bounds() -> Tested {
    let edge = |x: f64| Tensor::from_slice(&[x], &[1]);
    for bounded in [false, true] {
        let mut search = growing(40, DType::F64, Rule::Separable, 3)?;
        if bounded {
            search = search.bounded(&edge(2.5)?, &edge(f64::INFINITY)?)?;
        }
        let flat = |search: &mut DeviceSearch| {
            let scores = Tensor::full(&[search.population()], 1.0, DType::F64)?;
            search.tell(&scores)
        };
        // 10 + 30 · 40 / 8 generations of one value.
        while !search.restart()? {
            flat(&mut search)?;
        }
        assert_eq!((search.generation(), search.restarts()), (160, 1));
        let mean = search.mean()?.to_vec::<f64>()?;
        let first = crate::evolve::attempt::STARTS ^ 3;
        let mut z = vec![0.0; 40];
        fill_normal_f64(&mut z, first, 40);
        for (x, z) in mean.iter().zip(z) {
            let want = 3.0 + 2.0 * z;
            assert_eq!(*x, if bounded { want.max(2.5) } else { want });
        }
        assert!(
            search
                .deviation()?
                .to_vec::<f64>()?
                .iter()
                .all(|d| *d == 2.0)
        );
        assert_eq!(search.best()?.1.to_vec::<f64>()?, [1.0]);
    }
    Ok(())
}

/// NaN and infinity alone are no progress either, and the search lives on.
#[test]
fn what_has_no_value_is_over_too() -> Tested {
    for value in [f64::NAN, f64::INFINITY] {
        let mut search = growing(2, DType::F32, Rule::Separable, 1)?;
        for _ in 0..130 {
            search.restart()?;
            let scores = Tensor::full(&[search.population()], value, DType::F64)?;
            search.tell(&scores)?;
        }
        assert!(search.restarts() > 0, "{value}");
        assert!(
            search
                .mean()?
                .to_vec::<f64>()?
                .iter()
                .all(|x| x.is_finite())
        );
    }
    Ok(())
}

/// Progress, however slow, is progress.
#[test]
fn an_attempt_that_gets_on_goes_on() -> Tested {
    let mut search = growing(2, DType::F64, Rule::Snes, 1)?;
    for k in 0..500 {
        assert!(!search.restart()?);
        let score = 1.0 - 1e-9 * f64::from(k);
        search.tell(&Tensor::full(&[8], score, DType::F64)?)?;
    }
    Ok(())
}

#[test]
fn a_target_that_is_reached_begins_nothing() -> Tested {
    let mut search = growing(3, DType::F64, Rule::Separable, 1)?;
    search.run(Function::Sphere, 10_000, Some(1e-9))?;
    let reached = search.generation();
    let before = bits(&search)?;
    let again = search.run(Function::Sphere, 1000, Some(1e-9))?;
    assert_eq!(
        (again.done, search.generation(), search.restarts()),
        (0, reached, 0)
    );
    assert!(bits(&search)? == before);
    assert_eq!(again.history.shape(), [0]);
    Ok(())
}

#[test]
fn searches_that_cannot_restart_say_so() -> Tested {
    let rows = Tensor::full(&[2, 3], 1.0, DType::F64)?;
    let batched = DeviceSearch::new(&rows, 1.0, 8, Rule::Separable, 1)?;
    let given = DeviceSearch::new(&start(3, DType::F64)?, 1.0, 8, OPEN_AI, 1)?;
    let mut under_way = DeviceSearch::new(&start(3, DType::F64)?, 1.0, 8, Rule::Separable, 1)?;
    under_way.run(Function::Sphere, 1, None)?;
    for search in [&batched, &given, &under_way] {
        let refused = search.clone().restarting(Restarts::Growing);
        assert!(matches!(refused, Err(Error::Value { .. })), "{refused:?}");
        for restarts in [Restarts::Off, Restarts::Auto] {
            let mut search = search.clone().restarting(restarts)?;
            search.run(Function::Sphere, 300, None)?;
            assert!(!search.restart()? && search.restarts() == 0);
        }
    }
    Ok(())
}
