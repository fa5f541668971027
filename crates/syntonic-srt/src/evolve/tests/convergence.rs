//! What a search reaches, and that its numbers stay numbers.

use super::*;

#[test]
fn the_sphere_is_solved_within_two_thousand_evaluations() {
    for seed in 0..5 {
        let mut res = search(
            10,
            ResConfig::new().seed(seed).target(1e-8).evaluations(2000),
        );
        let outcome = res.run(batched(sphere), |_| Flow::Continue).unwrap();
        assert_eq!(
            outcome.reason,
            Reason::Target,
            "seed {seed}: {:?}",
            outcome.value
        );
        assert!(outcome.evaluations <= 2000 && sphere(&outcome.best) <= 1e-8);
        assert_eq!(outcome.value, Some(sphere(&outcome.best)));
    }
}

#[test]
fn every_strategy_solves_the_sphere_and_its_mirror_image() {
    for strategy in STRATEGIES {
        let config = ResConfig::new()
            .strategy(strategy)
            .target(1e-8)
            .evaluations(3000);
        let down = search(10, config)
            .run(batched(sphere), |_| Flow::Continue)
            .unwrap();
        assert_eq!(down.reason, Reason::Target, "{strategy:?}");
        let config = ResConfig::new().strategy(strategy).goal(Goal::Maximise);
        let config = config.target(-1e-8).evaluations(3000);
        let up = search(10, config)
            .run(batched(|x| -sphere(x)), |_| Flow::Continue)
            .unwrap();
        assert_eq!(up.best, down.best, "maximising -f walks the same path");
        assert_eq!(up.value, down.value.map(|v| -v));
    }
}

#[test]
fn a_curved_valley_is_followed_to_its_end() {
    for seed in 0..5 {
        let config = ResConfig::new().seed(seed).target(1e-8).evaluations(8000);
        let outcome = search(10, config)
            .run(batched(rosenbrock), |_| Flow::Continue)
            .unwrap();
        assert_eq!(
            outcome.reason,
            Reason::Target,
            "seed {seed}: {:?}",
            outcome.value
        );
    }
}

#[test]
fn a_valley_for_each_axis_is_learnt_by_the_diagonal() {
    let ellipsoid = |x: &[f64]| -> f64 {
        x.iter()
            .enumerate()
            .map(|(i, v)| 10f64.powi(i as i32 % 7) * v * v)
            .sum()
    };
    for (shape, solves) in [(Shape::Separable, true), (Shape::Isotropic, false)] {
        let config = ResConfig::new().strategy(Strategy::Recombine(shape));
        let config = config.target(1e-8).evaluations(12_000);
        let outcome = search(20, config)
            .run(batched(ellipsoid), |_| Flow::Continue)
            .unwrap();
        assert_eq!(
            outcome.reason == Reason::Target,
            solves,
            "{shape:?}: {:?}",
            outcome.value
        );
    }
}

/// One direction across all coordinates is a thousand times as long as the others.
#[test]
fn a_valley_across_all_axes_is_learnt_by_low_rank() {
    let cigar = |x: &[f64]| -> f64 {
        let along = x.iter().sum::<f64>() / (x.len() as f64).sqrt();
        1e6 * (sphere(x) - along * along) + along * along
    };
    for (shape, solves) in [(Shape::LowRank, true), (Shape::Separable, false)] {
        for seed in 0..2 {
            let config = ResConfig::new().strategy(Strategy::Recombine(shape));
            let config = config.seed(seed).target(1e-8).evaluations(100 * 600);
            let config = config.restarts(Restarts::Off);
            let outcome = search(100, config)
                .run(batched(cigar), |_| Flow::Continue)
                .unwrap();
            let of = (outcome.evaluations, outcome.value);
            assert_eq!(
                outcome.reason == Reason::Target,
                solves,
                "{shape:?}: {of:?}"
            );
        }
    }
}

/// All finite, for every strategy, 50,000 evaluations past any improvement that matters.
#[test]
fn nothing_turns_nan_long_after_convergence() {
    for strategy in STRATEGIES {
        let config = ResConfig::new()
            .strategy(strategy)
            .stagnation(Stagnation::Off);
        let mut res = search(10, config.generations(u64::MAX).evaluations(300_000));
        let outcome = res.run(batched(sphere), |_| Flow::Continue).unwrap();
        assert_eq!(outcome.reason, Reason::Evaluations);
        assert!(
            outcome.value.unwrap() < 1e-200,
            "{strategy:?}: {:?}",
            outcome.value
        );
        let small = res.history().iter().find(|r| r.best < 1e-200).unwrap();
        assert!(
            outcome.evaluations - small.evaluations > 50_000,
            "{strategy:?}"
        );
        assert!(res.centre().iter().all(|v| v.is_finite()));
        assert!(
            res.history()
                .iter()
                .all(|r| r.sigma >= 1e-150 && r.mean.is_finite())
        );
    }
}

/// No minimum, flat, and constant infinity: the state stays a state.
#[test]
fn hopeless_objectives_leave_finite_numbers() {
    let hopeless: [fn(&[f64]) -> f64; 5] = [
        |x| x.iter().sum(),
        |_| 1.0,
        |_| f64::INFINITY,
        |_| f64::NAN,
        |x| {
            if x[0] > 3.0 {
                f64::NEG_INFINITY
            } else {
                f64::NAN
            }
        },
    ];
    for config in varied_configs() {
        for f in hopeless {
            let mut res = search(4, config.clone());
            (0..3000).for_each(|_| step(&mut res, f));
            assert!(res.centre().iter().all(|v| v.is_finite()), "{config:?}");
            assert!(res.sigma().is_finite() && res.sigma() > 0.0, "{config:?}");
            assert!(
                res.ask().unwrap().as_slice().iter().all(|v| v.is_finite()),
                "{config:?}"
            );
        }
    }
}

#[test]
fn the_best_is_monotone_and_evaluations_count_survivors() {
    for config in varied_configs() {
        let survivors = config.survivors_for(6);
        let mut res = search(6, config);
        for generation in 1..=40 {
            assert_eq!(res.ask().unwrap().rows(), survivors);
            assert_eq!(res.ask().unwrap().cols(), 6);
            step(&mut res, rosenbrock);
            assert_eq!(res.evaluations(), generation * survivors as u64);
        }
        assert!(res.history().windows(2).all(|w| w[1].best <= w[0].best));
        assert_eq!(res.best_value().unwrap(), rosenbrock(res.best().unwrap()));
    }
}
