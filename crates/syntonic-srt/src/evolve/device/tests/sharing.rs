//! Generations of several ranks, and captured ones: the bits of one rank that runs them.

use super::adapting::{bits_of, bits_there};
use super::restarting::res_of;
use super::*;
use crate::evolve::Restarts;
use std::time::Duration;
use syntonic_core::group::{self, Group};
use syntonic_core::ops::reduce::{self, Over};

/// Mean, deviation, best and history as numbers.
fn numbers(search: &DeviceSearch) -> Result<Vec<f64>, Error> {
    let (best, score) = search.best()?;
    let mut all = search.mean()?.to_vec::<f64>()?;
    for part in [&search.deviation()?, &best, &score, &search.history()?.1] {
        all.extend(part.to_vec::<f64>()?);
    }
    all.push(search.generation() as f64);
    Ok(all)
}

fn shared(
    size: usize,
    new: &(impl Fn() -> Result<DeviceSearch, Error> + Sync),
    function: Function,
) -> Result<Vec<Vec<f64>>, Error> {
    let ranks = group::threads(size, Duration::from_secs(60));
    let work = |rank: group::Thread| {
        let mut search = new()?;
        search.run_in(&rank, function, 2, None)?;
        search.run_in(&rank, function, 3, None)?;
        numbers(&search)
    };
    std::thread::scope(|scope| {
        let running: Vec<_> = ranks
            .into_iter()
            .map(|rank| scope.spawn(|| work(rank)))
            .collect();
        running
            .into_iter()
            .map(|rank| rank.join().expect("a rank panicked"))
            .collect()
    })
}

#[test]
fn any_number_of_ranks_gives_the_same_bits() -> Tested {
    for (n, population, dtype) in [
        (1, 4, DType::F64),
        (300, 22, DType::F32),
        (1030, 6, DType::F64),
        (9000, 10, DType::F32),
    ] {
        for rule in rules(n) {
            let new = || DeviceSearch::new(&start(n, dtype)?, 0.7, population, rule, 5);
            for function in [Function::Rastrigin, Function::Ackley, Function::Rosenbrock] {
                let mut alone = new()?;
                alone.run(function, 5, None)?;
                let want = numbers(&alone)?;
                for size in [1, 2, 3, 7] {
                    for got in shared(size, &new, function)? {
                        assert!(got == want, "{rule:?} {function:?} {n}: {size} ranks");
                    }
                }
            }
        }
    }
    Ok(())
}

#[test]
fn ranks_stop_at_a_target_together_and_restart_together() -> Tested {
    let new = || {
        DeviceSearch::new(&start(2, DType::F64)?, 2.0, 4, Rule::Separable, 3)?
            .restarting(Restarts::Growing)
    };
    let mut alone = new()?;
    alone.run(Function::Rastrigin, 3000, Some(1e-6))?;
    assert!(alone.restarts() > 0, "the test is of no restart");
    let ranks = group::threads(3, Duration::from_secs(60));
    let work = |rank: group::Thread| {
        let mut search = new()?;
        search.run_in(&rank, Function::Rastrigin, 3000, Some(1e-6))?;
        numbers(&search)
    };
    let want = numbers(&alone)?;
    let all: Vec<Result<Vec<f64>, Error>> = std::thread::scope(|scope| {
        let running: Vec<_> = ranks
            .into_iter()
            .map(|rank| scope.spawn(|| work(rank)))
            .collect();
        running
            .into_iter()
            .map(|rank| rank.join().expect("a rank panicked"))
            .collect()
    });
    for got in all {
        assert_eq!(got?, want);
    }
    Ok(())
}

/// One rank and two have the attempts of RES.
#[test]
fn ranks_together_are_res() -> Tested {
    let (res, _) = res_of((3, 400, 4), |x| Function::Sphere.of(x))?;
    assert!(res.restarts() > 1);
    let want = bits_of(&res).ok_or("no matrix")?;
    for size in [1, 2] {
        let ranks = group::threads(size, Duration::from_secs(60));
        let work = |rank: group::Thread| {
            let search = DeviceSearch::new(&start(3, DType::F64)?, 2.0, 8, Rule::Res, 4)?;
            let mut search = search.restarting(Restarts::Growing)?;
            search.run_in(&rank, Function::Sphere, 150, None)?;
            search.run_in(&rank, Function::Sphere, res.generation() - 150, None)?;
            bits_there(&search)
        };
        let all: Vec<Result<Vec<u64>, Error>> = std::thread::scope(|scope| {
            let running: Vec<_> = ranks
                .into_iter()
                .map(|rank| scope.spawn(|| work(rank)))
                .collect();
            running
                .into_iter()
                .map(|rank| rank.join().expect("a rank panicked"))
                .collect()
        });
        for got in all {
            assert_eq!(got?, want, "{size} ranks");
        }
    }
    Ok(())
}

#[test]
fn runs_are_not_shared_and_a_rank_that_gives_up_is_named() -> Tested {
    let batch = start(3, DType::F32)?.broadcast_to(&[2, 3])?.copy()?;
    let mut search = DeviceSearch::new(&batch, 0.5, 4, Rule::Snes, 1)?;
    let refused = search.run_in(&group::Alone, Function::Sphere, 1, None);
    assert!(refused.unwrap_err().to_string().contains("2 runs"));

    let mut ranks = group::threads(2, Duration::from_secs(60)).into_iter();
    let (Some(one), Some(other)) = (ranks.next(), ranks.next()) else {
        return Err("two ranks".into());
    };
    other.abort("its card is gone");
    let mut search = DeviceSearch::new(&start(3, DType::F32)?, 0.5, 4, Rule::Snes, 1)?;
    let before = numbers(&search)?;
    let ended = search.run_in(&one, Function::Sphere, 4, None).unwrap_err();
    assert!(ended.to_string().contains("rank 1"), "{ended}");
    assert_eq!(numbers(&search)?, before);
    Ok(())
}

#[test]
fn a_captured_generation_is_the_generation() -> Tested {
    for rule in RULES {
        for batched in [false, true] {
            let first = match batched {
                true => start(5, DType::F32)?.broadcast_to(&[3, 5])?.copy()?,
                false => start(5, DType::F32)?,
            };
            let mut plain = DeviceSearch::new(&first, 0.7, 8, rule, 2)?;
            let mut captured = plain.clone();
            let objective = |x: &Tensor| reduce::sum(&x.try_mul(x)?, &Over::axes(&[-1]), None);
            let generation = captured.capture(Some(4), objective)?;
            for _ in 0..5 {
                let values = objective(&plain.candidates(0, 8)?)?;
                plain.tell(&values)?;
                let best = captured.replay(&generation)?;
                let want = reduce::min(&values, &Over::axes(&[-1]))?.to_vec::<f64>()?;
                assert_eq!(best.to_vec::<f64>()?, want);
            }
            assert_eq!(numbers(&plain)?, numbers(&captured)?);
            let mut other = DeviceSearch::new(&first, 0.7, 8, rule, 3)?;
            let refused = other.replay(&generation).unwrap_err().to_string();
            assert!(refused.contains("capture it again"), "{refused}");
        }
    }
    Ok(())
}
