//! Points of the user's with values of their own.

use super::*;

/// A generation of candidates that were moved, and their values.
fn step_moved(res: &mut Res, moved: impl Fn(f64) -> f64, f: impl Fn(&[f64]) -> f64) {
    let n = res.dimension();
    let asked = res.ask().unwrap().as_slice().iter();
    let points: Vec<f64> = asked.map(|x| moved(*x)).collect();
    let values: Vec<f64> = points.chunks(n).map(f).collect();
    res.tell_points(&points, &values).unwrap();
}

/// As good as their grid allows, by every strategy.
#[test]
fn repaired_candidates_lead_to_the_minimum() {
    for strategy in STRATEGIES {
        for sampling in [Sampling::Antithetic, Sampling::Independent] {
            let config = ResConfig::new().strategy(strategy).sampling(sampling);
            let mut res = search(5, config.population(12).prefilter(0.5).seed(4));
            while res.best_value().is_none_or(|best| best > 1e-6) {
                assert!(
                    res.generation() < 2000,
                    "{strategy:?} {:?}",
                    res.best_value()
                );
                step_moved(&mut res, |x| (x * 1e4).round() / 1e4, sphere);
            }
            assert_eq!(res.evaluations(), 6 * res.generation());
            let best = res.best().unwrap();
            assert!(best.iter().all(|x| (x * 1e4).round() / 1e4 == *x));
        }
    }
}

/// Whatever else is told in between: other generations, restarts, and points that no step leads to.
#[test]
fn a_resumed_search_goes_on_with_the_same_bits() {
    for config in varied_configs() {
        if config.lattice.is_some() {
            continue;
        }
        let mut whole = search(4, config);
        let count = whole.survivors();
        for generation in 0..24 {
            let mut resumed = Res::from_json(&whole.to_json().unwrap()).unwrap();
            for res in [&mut whole, &mut resumed] {
                match generation % 4 {
                    0 => step(res, rosenbrock),
                    1 if res.survivors() == res.ask().unwrap().rows() => {
                        step_moved(res, |x| x + 0.5, rosenbrock);
                    }
                    2 => {
                        let points = res.centre().repeat(count);
                        res.tell_points(&points, &vec![1.0; count]).unwrap();
                    }
                    _ => {
                        let mut points = vec![1e200; 4 * count];
                        points[0] = 0.0;
                        res.tell_points(&points, &vec![f64::NAN; count]).unwrap();
                    }
                }
            }
            // As text, in which NaN is NaN.
            assert_eq!(resumed.to_json().unwrap(), whole.to_json().unwrap());
            assert!(whole.centre().iter().all(|x| x.is_finite()));
            assert_eq!(
                resumed.ask().unwrap().as_slice(),
                whole.ask().unwrap().as_slice()
            );
        }
    }
}

/// One far point moves the search by a long step of its own at most.
#[test]
fn a_far_point_is_no_longer_than_a_long_step() {
    let config = ResConfig::new()
        .population(8)
        .strategy(Strategy::Recombine(Shape::Full));
    let mut res = search(3, config);
    let mut points = vec![3.0; 24];
    points[..3].fill(1e6);
    let values: Vec<f64> = (0..8).map(f64::from).collect();
    res.tell_points(&points, &values).unwrap();
    let far = res
        .centre()
        .iter()
        .map(|x| (x - 3.0) * (x - 3.0))
        .sum::<f64>()
        .sqrt();
    let long = 3f64.sqrt() + 6.0 / 5.0;
    assert!(far > 0.5 && far <= 2.0 * long, "{far}");
    assert_eq!(res.best(), Some(&[1e6; 3][..]));
}

#[test]
fn points_that_cannot_be_told_are_refused() {
    let sides = Bounds {
        lower: vec![0.0; 3],
        upper: vec![5.0; 3],
    };
    let mut res = search(3, ResConfig::new().population(4).bounds(sides));
    let before = res.clone();
    let good = [1.0; 12];
    let mut beyond = good;
    beyond[11] = 6.0;
    let mut endless = good;
    endless[5] = f64::INFINITY;
    let refusals = [
        res.tell_points(&good[..9], &[1.0; 4]),
        res.tell_points(&good, &[1.0; 3]),
        res.tell_points(&beyond, &[1.0; 4]),
        res.tell_points(&endless, &[1.0; 4]),
    ];
    for (refused, named) in refusals.into_iter().zip(["12", "4", "[2] is 6", "finite"]) {
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains(named), "{refused}");
    }
    res.inject(&[1.0; 3]).unwrap();
    let refused = res.tell_points(&good, &[1.0; 4]).unwrap_err().to_string();
    assert!(refused.contains("that wait"), "{refused}");
    step(&mut res, sphere);
    res.tell_points(&good, &[1.0; 4]).unwrap();
    assert_eq!(before.generation() + 2, res.generation());
    let noisy = ResConfig::new().population(4).noise(NoiseHandling::Auto);
    let refused = search(3, noisy).tell_points(&good, &[1.0; 4]);
    assert!(
        matches!(refused, Err(EvolveError::Ignored { .. })),
        "{refused:?}"
    );
}

/// The probe looks at what the search draws alone.
#[test]
fn a_probe_does_not_see_them() {
    let mut res = search(70, ResConfig::new().population(14));
    for _ in 0..80 {
        step_moved(&mut res, |x| x, rosenbrock);
    }
    assert_eq!(res.strategy(), Strategy::Recombine(Shape::Separable));
}
