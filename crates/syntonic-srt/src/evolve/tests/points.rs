//! Where candidates may be, how far they go at first, and points of the user's among them.

use super::*;

fn bounds(n: usize, lower: f64, upper: f64) -> Bounds {
    Bounds {
        lower: vec![lower; n],
        upper: vec![upper; n],
    }
}

/// The least value lies at a bound, in a corner, or inside.
#[test]
fn candidates_stay_between_bounds_and_find_a_minimum_at_one() {
    for strategy in STRATEGIES {
        for (lower, upper) in [(1.0, 5.0), (2.5, f64::INFINITY), (-1.0, 3.5)] {
            let config = ResConfig::new().strategy(strategy).evaluations(20_000);
            let config = config
                .restarts(Restarts::Off)
                .bounds(bounds(4, lower, upper));
            let mut res = search(4, config);
            let objective = |population: &Population| {
                let inside = |x: &f64| (lower..=upper).contains(x);
                assert!(population.as_slice().iter().all(inside));
                Ok::<_, Infallible>(population.iter().map(sphere).collect())
            };
            let outcome = res.run(objective, |_| Flow::Continue).unwrap();
            let least = lower.max(0.0);
            let error = outcome.value.unwrap() - 4.0 * least * least;
            assert!(error < 1e-6, "{strategy:?} {lower}: {error}");
            assert!(res.centre().iter().all(|x| (lower..=upper).contains(x)));
        }
    }
}

/// A reflected centre, with a row of its matrix turned, draws the reflected candidates of the centre that went beyond.
#[test]
fn a_reflected_centre_changes_no_candidate() {
    let full = Strategy::Recombine(Shape::Full);
    let config = ResConfig::new().strategy(full).seed(9);
    let limits = bounds(3, 2.0, f64::INFINITY);
    let mut res = search(3, config.bounds(limits.clone()));
    let mut reflected = 0;
    for _ in 0..40 {
        let mut free = res.clone();
        free.config.bounds = None;
        free.ask().unwrap();
        let values: Vec<f64> = res.ask().unwrap().iter().map(sphere).collect();
        res.tell(&values).unwrap();
        free.tell(&values).unwrap();
        reflected += usize::from(free.centre() != res.centre());
        let mut images = free.ask().unwrap().clone();
        limits.reflect(&mut images).unwrap();
        let pairs = images.as_slice().iter().zip(res.ask().unwrap().as_slice());
        for (a, b) in pairs {
            assert!((a - b).abs() <= 1e-12 * a.abs(), "{a} {b}");
        }
    }
    assert!(reflected > 0);
}

#[test]
fn bounds_are_checked() {
    let new =
        |start: f64, bounds| Res::new(&[start; 2], ResConfig::new().bounds(bounds)).map(|_| ());
    assert!(new(1.0, bounds(2, 1.0, 2.0)).is_ok());
    let error = new(0.5, bounds(2, 1.0, 2.0)).unwrap_err();
    assert!(
        matches!(error, EvolveError::OutOfBounds { index: 0, .. }),
        "{error}"
    );
    let error = new(0.5, bounds(3, 0.0, 2.0)).unwrap_err();
    assert!(
        matches!(error, EvolveError::Length { found: 3, .. }),
        "{error}"
    );
    for (lower, upper) in [(1.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0), (0.0, f64::NAN)] {
        let error = new(1.0, bounds(2, lower, upper)).unwrap_err();
        assert!(matches!(error, EvolveError::OutOfRange { .. }), "{error}");
    }
}

#[test]
fn the_first_steps_have_the_scales_that_are_given() {
    let scales = vec![1.0, 0.1, 1e-3];
    for shape in [Shape::Separable, Shape::Full, Shape::LowRank] {
        let config = ResConfig::new().strategy(Strategy::Recombine(shape));
        let mut res = search(3, config.scales(scales.clone()));
        assert_eq!(res.deviations().unwrap(), [2.0, 0.2, 2e-3]);
        assert_eq!(res.covariance().unwrap()[4], 0.2 * 0.2);
        assert!((res.axis_ratio().unwrap() - 1000.0).abs() < 1e-9);
        let reach = |k: usize, res: &mut Res| {
            let widths = res.ask().unwrap().iter().map(|x| (x[k] - 3.0).abs());
            widths.fold(0.0, f64::max)
        };
        assert!(reach(1, &mut res) < 1.0 && reach(2, &mut res) < 1e-2);
        // Other starts have them too.
        res.config.restarts = Restarts::Growing;
        assert!(res.restart().unwrap());
        assert!((res.centre()[2] - 3.0).abs() < 1e-2 && res.centre()[2] != 3.0);
        assert_eq!(res.deviations().unwrap(), [2.0, 0.2, 2e-3]);
    }
    for strategy in [Strategy::Elitist, Strategy::Recombine(Shape::Isotropic)] {
        let config = ResConfig::new().strategy(strategy).scales(scales.clone());
        let error = Res::new(&[3.0; 3], config).unwrap_err();
        assert!(matches!(error, EvolveError::Ignored { .. }), "{error}");
    }
    for wrong in [0.0, -1.0, 2.0, f64::NAN] {
        let error = Res::new(&[3.0], ResConfig::new().scales(vec![wrong])).unwrap_err();
        assert!(
            matches!(
                error,
                EvolveError::OutOfRange {
                    field: "scales",
                    ..
                }
            ),
            "{error}"
        );
    }
}

/// An ill-scaled function is no harder where the scales are known.
#[test]
fn known_scales_save_evaluations() {
    let scales = [1.0, 1e-2, 1e-4];
    let f = move |x: &[f64]| -> f64 {
        let terms = x
            .iter()
            .zip(scales)
            .map(|(x, s)| ((x - 3.0) / s - 1.0).powi(2));
        terms.sum()
    };
    let evaluations = |config: ResConfig| {
        let config = config.target(1e-8).evaluations(20_000);
        let outcome = search(3, config)
            .run(batched(f), |_| Flow::Continue)
            .unwrap();
        assert_eq!(outcome.reason, Reason::Target);
        outcome.evaluations
    };
    let known = evaluations(ResConfig::new().scales(scales.to_vec()));
    let unknown = evaluations(ResConfig::new());
    assert!(2 * known < unknown, "{known} {unknown}");
}

#[test]
fn an_injected_point_is_among_the_candidates_and_draws_the_search() {
    for strategy in STRATEGIES {
        for sampling in [Sampling::Antithetic, Sampling::Independent] {
            let config = ResConfig::new().strategy(strategy).sampling(sampling);
            let config = config.population(12).prefilter(0.5).seed(4);
            let mut res = search(5, config);
            let point = [0.1, -0.2, 0.0, 0.1, 0.2];
            res.inject(&point).unwrap();
            let has = |res: &mut Res| res.ask().unwrap().iter().any(|x| x == point);
            assert!(has(&mut res));
            // Asked for already: the next one has it too.
            res.inject(&point).unwrap();
            step(&mut res, sphere);
            assert_eq!(res.best(), Some(&point[..]), "{strategy:?}");
            assert!(has(&mut res));
            step(&mut res, sphere);
            assert!(!has(&mut res));
            assert!(res.centre().iter().all(|x| x.is_finite()));
            assert!(sphere(res.centre()) < sphere(&[3.0; 5]));
        }
    }
}

/// The centre itself has no direction, and a far point would drown all others: neither breaks the search.
#[test]
fn odd_points_leave_the_search_as_able_as_it_was() {
    for strategy in STRATEGIES {
        for far in [0.0, 1e9, 1e300] {
            let config = ResConfig::new().strategy(strategy).target(1e-8);
            let mut res = search(5, config.evaluations(20_000));
            for _ in 0..20 {
                let point: Vec<f64> = res.centre().iter().map(|x| x + far).collect();
                res.inject(&point).unwrap();
                step(&mut res, sphere);
            }
            let outcome = res.run(batched(sphere), |_| Flow::Continue).unwrap();
            assert_eq!(outcome.reason, Reason::Target, "{strategy:?} {far}");
        }
    }
}

#[test]
fn points_that_cannot_be_injected_are_refused() {
    let config = ResConfig::new().population(8).bounds(bounds(3, 0.0, 5.0));
    let mut res = search(3, config);
    assert!(matches!(
        res.inject(&[1.0]),
        Err(EvolveError::Length { .. })
    ));
    let error = res.inject(&[1.0, f64::NAN, 1.0]).unwrap_err();
    assert!(matches!(error, EvolveError::OutOfRange { .. }), "{error}");
    let error = res.inject(&[1.0, 1.0, 6.0]).unwrap_err();
    assert!(
        matches!(error, EvolveError::OutOfBounds { index: 2, .. }),
        "{error}"
    );
    (0..4).for_each(|_| res.inject(&[1.0; 3]).unwrap());
    let error = res.inject(&[1.0; 3]).unwrap_err();
    assert!(error.to_string().contains("at most half"), "{error}");
    step(&mut res, sphere);
    res.inject(&[1.0; 3]).unwrap();
}

#[test]
fn bounds_scales_and_injected_points_are_resumed_to_the_bit() {
    for shape in [Shape::Separable, Shape::Full, Shape::LowRank] {
        let config = ResConfig::new()
            .strategy(Strategy::Recombine(shape))
            .seed(3);
        let config = config.bounds(bounds(4, 2.5, f64::INFINITY));
        let mut whole = search(4, config.scales(vec![1.0, 0.5, 0.25, 1.0]));
        let mut saved = vec![];
        for generation in 0..30 {
            whole.inject(&[3.0, 2.75, 2.5, 4.0]).unwrap();
            if generation % 2 == 0 {
                whole.ask().unwrap();
                whole.inject(&[2.5; 4]).unwrap();
            }
            saved.push(whole.to_json().unwrap());
            step(&mut whole, rosenbrock);
        }
        for text in &saved {
            let mut resumed = Res::from_json(text).unwrap();
            let generation = resumed.generation();
            step(&mut resumed, rosenbrock);
            let next = saved.get(generation as usize + 1);
            let next = next.map_or(whole.clone(), |next| Res::from_json(next).unwrap());
            assert_eq!(resumed.centre(), next.centre(), "from {generation}");
        }
    }
    let mut res = search(2, ResConfig::new());
    res.inject(&[1.0, 2.0]).unwrap();
    let text = res.to_json().unwrap();
    let wrong = text.replacen("\"generation\":0,\"x\"", "\"generation\":7,\"x\"", 1);
    assert_ne!(wrong, text);
    assert!(Res::from_json(&text).is_ok() && Res::from_json(&wrong).is_err());
}
