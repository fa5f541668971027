//! When an attempt is over, and what comes after it.

use super::*;
use std::time::Duration;

fn rastrigin(x: &[f64]) -> f64 {
    x.iter()
        .map(|v| v * v - 10.0 * (std::f64::consts::TAU * v).cos() + 10.0)
        .sum()
}

/// The loop of `run`, a generation at a time.
fn turn(res: &mut Res, f: impl Fn(&[f64]) -> f64) {
    if res
        .finished(Duration::ZERO)
        .is_some_and(Reason::ends_an_attempt)
    {
        assert!(res.restart().unwrap());
    }
    step(res, f);
}

#[test]
fn growing_populations_find_the_best_of_many_minima() {
    for seed in 0..5 {
        let config = ResConfig::new().seed(seed).target(1e-8).evaluations(60_000);
        let once = |restarts| {
            let mut res = search(5, config.clone().restarts(restarts));
            let outcome = res.run(batched(rastrigin), |_| Flow::Continue).unwrap();
            (outcome.reason, res.restarts())
        };
        let (reason, restarts) = once(Restarts::Auto);
        assert_eq!(reason, Reason::Target, "seed {seed}");
        assert_eq!(once(Restarts::Growing), (reason, restarts));
        match restarts {
            0 => assert_eq!(once(Restarts::Off), (Reason::Target, 0)),
            _ => assert_eq!(once(Restarts::Off), (Reason::Tolfun, 0)),
        }
    }
}

/// Where nothing limits the evaluations, nobody waits for attempts that have no end.
#[test]
fn without_a_limit_the_first_attempt_is_the_last() {
    let mut res = search(4, ResConfig::new());
    let outcome = res.run(batched(|x| 1.0 + sphere(x)), |_| Flow::Continue);
    assert_eq!(outcome.unwrap().reason, Reason::Tolfun);
    assert!(!res.restart().unwrap());
    assert_eq!(res.restarts(), 0);
}

#[test]
fn evaluations_are_never_exceeded_and_populations_double() {
    for strategy in STRATEGIES {
        for most in [500, 1000, 5003] {
            let config = ResConfig::new().strategy(strategy).population(10);
            let config = config.evaluations(most).restarts(Restarts::Growing);
            let config = config.prefilter(0.5).population(20);
            let mut res = search(3, config);
            let mut sizes = vec![];
            let objective = |population: &Population| {
                sizes.push(population.rows());
                Ok::<_, Infallible>(vec![1.0; population.rows()])
            };
            let outcome = res.run(objective, |_| Flow::Continue).unwrap();
            assert!(outcome.evaluations <= most);
            assert_eq!(outcome.evaluations, sizes.iter().sum::<usize>() as u64);
            sizes.dedup();
            let doubled = (0..sizes.len()).map(|k| 10 << k);
            assert_eq!(sizes, doubled.collect::<Vec<_>>());
            assert_eq!(res.restarts() as usize, sizes.len() - 1);
            assert!(most < 5000 || sizes.len() > 2, "{strategy:?}: {sizes:?}");
        }
    }
}

#[test]
fn a_search_resumed_in_any_attempt_walks_the_same_path() {
    for strategy in STRATEGIES {
        let config = ResConfig::new().strategy(strategy).seed(2);
        let config = config
            .evaluations(u64::MAX)
            .stagnation(Stagnation::Generations(4));
        let mut whole = search(3, config);
        let mut saved = vec![];
        let flat = |x: &[f64]| {
            if sphere(x) < 20.0 {
                f64::NAN
            } else {
                rastrigin(x).floor()
            }
        };
        for _ in 0..60 {
            saved.push(whole.to_json().unwrap());
            turn(&mut whole, flat);
        }
        assert!(whole.restarts() > 1, "{strategy:?}");
        for text in saved.iter().step_by(7) {
            let mut resumed = Res::from_json(text).unwrap();
            while resumed.generation() < 60 {
                turn(&mut resumed, flat);
            }
            assert_eq!(resumed.state, whole.state);
        }
    }
}

/// Rounding is no progress, neither are steps that are none; and what is asked for is forgotten with its attempt.
#[test]
fn what_has_converged_is_noticed_soon() {
    let config = || ResConfig::new().generations(5000);
    let outcome = |f: fn(&[f64]) -> f64, config| {
        search(4, config)
            .run(batched(f), |_| Flow::Continue)
            .unwrap()
    };
    let raised = outcome(|x| 1e6 + sphere(x), config());
    assert_eq!(raised.reason, Reason::Tolfun);
    assert!(raised.generations < 150, "{}", raised.generations);
    let untold = config().tolfun(Tolerance::Off);
    let plain = outcome(sphere, untold.clone());
    assert_eq!(plain.reason, Reason::Tolx);
    assert!(plain.value.unwrap() < 1e-18);
    let plain = outcome(sphere, untold.tolx(Tolerance::Off));
    assert!(plain.generations > 1000 && plain.value.unwrap() < 1e-200);
    let endless = outcome(|x| x[0], config());
    assert_eq!(endless.reason, Reason::Generations);

    let mut res = search(4, config().restarts(Restarts::Growing).population(6));
    let first = res.ask().unwrap().clone();
    assert!(res.restart().unwrap());
    assert_eq!(res.ask().unwrap().rows(), 12);
    assert_ne!(res.ask().unwrap().row(0), first.row(0));
    assert!(res.ask().unwrap().as_slice().iter().all(|v| v.is_finite()));
}

#[test]
fn a_start_at_the_end_of_all_floats_restarts_too() {
    let config = ResConfig::new().sigma(1e100).restarts(Restarts::Growing);
    let mut res = Res::new(&[f64::MAX, -f64::MAX, 0.0], config).unwrap();
    for _ in 0..5 {
        assert!(res.restart().unwrap());
        assert!(res.centre().iter().all(|v| v.is_finite()));
    }
}

/// The sphere has one minimum: three attempts say so, and no more are made of 100,000 evaluations.
#[test]
fn attempts_that_agree_end_the_run() {
    let run = |restarts, f: fn(&[f64]) -> f64| {
        let config = ResConfig::new().evaluations(100_000).restarts(restarts);
        let mut res = search(10, config);
        let outcome = res.run(batched(f), |_| Flow::Continue).unwrap();
        (outcome.reason, outcome.evaluations, res.restarts())
    };
    let (reason, evaluations, restarts) = run(Restarts::Auto, sphere);
    assert_eq!((reason, restarts), (Reason::Tolfun, 2));
    assert!(evaluations < 8000, "{evaluations}");
    let (reason, evaluations, _) = run(Restarts::Off, sphere);
    assert_eq!(reason, Reason::Tolfun);
    assert!(evaluations < 2000, "{evaluations}");
    let (reason, _, restarts) = run(Restarts::Growing, sphere);
    assert!(reason == Reason::Evaluations && restarts > 2);
    // Attempts that end elsewhere do not agree.
    let (reason, _, restarts) = run(Restarts::Auto, rastrigin);
    assert!(
        reason == Reason::Evaluations && restarts > 2,
        "{reason:?} {restarts}"
    );
}
