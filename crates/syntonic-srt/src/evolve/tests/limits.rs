//! When a search stops, and what it refuses.

use super::*;
use std::time::Duration;

#[test]
fn nan_counts_as_worst_and_is_reported() {
    let config = ResConfig::new().seed(1).target(1e-8).evaluations(6000);
    let mut res = search(10, config);
    let pit = |x: &[f64]| if x[0] < 0.0 { f64::NAN } else { sphere(x) };
    let outcome = res.run(batched(pit), |_| Flow::Continue).unwrap();
    assert_eq!(outcome.reason, Reason::Target, "{:?}", outcome.value);
    assert!(outcome.nan > 0);
    assert_eq!(
        outcome.nan,
        res.history().iter().map(|r| r.nan).sum::<u64>()
    );
}

#[test]
fn tell_checks_its_values_and_changes_nothing_when_they_are_wrong() {
    let mut res = search(4, ResConfig::new().population(6));
    assert!(matches!(
        res.tell(&[0.0; 6]),
        Err(EvolveError::NothingAsked)
    ));
    let asked = res.ask().unwrap().clone();
    let before = res.state.clone();
    let error = res.tell(&[0.0; 5]).unwrap_err();
    assert!(
        matches!(
            error,
            EvolveError::Length {
                found: 5,
                expected: 6,
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(res.state, before);
    assert_eq!(*res.ask().unwrap(), asked);
    res.tell(&[0.0; 6]).unwrap();
    assert!(matches!(
        res.tell(&[0.0; 6]),
        Err(EvolveError::NothingAsked)
    ));
}

#[test]
fn a_failing_objective_leaves_the_search_as_it_was() {
    let mut whole = search(4, ResConfig::new().generations(20));
    let mut broken = whole.clone();
    let expected = whole.run(batched(sphere), |_| Flow::Continue).unwrap();
    let mut calls = 0;
    let failing = |population: &Population| {
        calls += 1;
        if calls == 8 {
            Err("no power")
        } else {
            Ok(population.iter().map(sphere).collect())
        }
    };
    let error = broken.run(failing, |_| Flow::Continue).unwrap_err();
    assert!(matches!(error, RunError::Objective("no power")));
    assert_eq!(broken.generation(), 7);
    let short = |_: &Population| Ok::<_, Infallible>(vec![0.0]);
    let error = broken.run(short, |_| Flow::Continue).unwrap_err();
    assert!(matches!(
        error,
        RunError::Evolve(EvolveError::Length { .. })
    ));
    assert_eq!(broken.generation(), 7);
    let outcome = broken.run(batched(sphere), |_| Flow::Continue).unwrap();
    assert_eq!(outcome, expected);
}

#[test]
fn every_stopping_rule_stops() {
    let reason = |config: ResConfig| {
        let flow = |record: &Record| match record.generation {
            500 => Flow::Stop,
            _ => Flow::Continue,
        };
        search(4, config.population(10))
            .run(batched(|x| 1.0 + sphere(x)), flow)
            .unwrap()
    };
    let off = Tolerance::Off;
    let base = || {
        ResConfig::new()
            .stagnation(Stagnation::Off)
            .tolfun(off)
            .tolx(off)
    };
    assert_eq!(reason(base()).reason, Reason::Stopped);
    assert_eq!(reason(base()).generations, 500);
    assert_eq!(reason(base().target(1.5)).reason, Reason::Target);
    let limited = reason(base().generations(7));
    assert_eq!(
        (limited.reason, limited.evaluations),
        (Reason::Generations, 70)
    );
    let limited = reason(base().evaluations(79));
    assert_eq!(
        (limited.reason, limited.evaluations),
        (Reason::Evaluations, 70)
    );
    assert_eq!(reason(base().seconds(0.0)).reason, Reason::Time);
    let idle = reason(base().stagnation(Stagnation::Generations(30)));
    assert_eq!(idle.reason, Reason::Stagnation);
    assert_eq!(idle.value, Some(1.0));
    for (limit, most) in [(1e-3, 1e-3), (1e-9, 1e-9)] {
        let close = reason(base().tolfun(Tolerance::Below(limit)));
        assert_eq!(close.reason, Reason::Tolfun);
        assert!(close.value.unwrap() - 1.0 < most);
        let near = reason(base().tolx(Tolerance::Below(limit)));
        assert_eq!(near.reason, Reason::Tolx);
        assert!(near.best.iter().all(|x| x.abs() < 10.0 * limit));
    }
    let nothing = reason(base().generations(0));
    assert_eq!((nothing.value, nothing.best), (None, vec![3.0; 4]));
}

#[test]
fn limits_can_be_moved_while_under_way() {
    let mut res = search(4, ResConfig::new().generations(3));
    res.run(batched(sphere), |_| Flow::Continue).unwrap();
    let limits = Limits {
        generations: Some(5),
        ..Limits::default()
    };
    res.set_limits(limits).unwrap();
    assert_eq!(res.finished(Duration::ZERO), None);
    res.run(batched(sphere), |_| Flow::Continue).unwrap();
    assert_eq!(res.generation(), 5);
    let wrong = Limits {
        target: Some(f64::NAN),
        ..limits
    };
    assert!(res.set_limits(wrong).is_err());
    assert_eq!(res.config().limits, limits);
}

#[test]
fn a_configuration_out_of_range_is_refused() {
    let new = |config: ResConfig| Res::new(&[1.0; 3], config).map(|_| ());
    let base = ResConfig::new;
    assert!(new(base()).is_ok());
    let fields = [
        ("sigma", base().sigma(0.0)),
        ("sigma", base().sigma(-1.0)),
        ("sigma", base().sigma(f64::NAN)),
        ("sigma", base().sigma(f64::INFINITY)),
        ("sigma_floor", base().sigma_floor(0.0)),
        ("sigma_floor", base().sigma_floor(1.0)),
        ("population", base().population(0)),
        ("population", base().population(1)),
        (
            "population",
            base().population(0).strategy(Strategy::Elitist),
        ),
        ("survivors", base().survivors(1)),
        ("survivors", base().prefilter(1e-9)),
        ("prefilter", base().prefilter(0.0)),
        ("prefilter", base().prefilter(1.5)),
        ("prefilter", base().prefilter(f64::NAN)),
        ("syntony", base().syntony(SyntonyWeight::Absolute(f64::NAN))),
        ("mode_norms", base().mode_norms(vec![0.0, -1.0, 4.0])),
        ("seconds", base().seconds(f64::NAN)),
        ("target", base().target(f64::NAN)),
        ("tolfun", base().tolfun(Tolerance::Below(-1.0))),
        ("tolx", base().tolx(Tolerance::Below(f64::NAN))),
    ];
    for (name, config) in fields {
        match new(config.clone()) {
            Err(EvolveError::OutOfRange { field, .. }) => assert_eq!(field, name, "{config:?}"),
            other => panic!("{config:?}: {other:?}"),
        }
    }
    let error = new(base().population(8).survivors(9)).unwrap_err();
    assert!(matches!(
        error,
        EvolveError::TooManySurvivors {
            survivors: 9,
            population: 8
        }
    ));
    let error = new(base().mode_norms(vec![0.0; 4])).unwrap_err();
    assert!(matches!(
        error,
        EvolveError::Length {
            found: 4,
            expected: 3,
            ..
        }
    ));
    let full = base().strategy(Strategy::Recombine(Shape::Full));
    let error = Res::new(&vec![0.0; 5000], full).unwrap_err();
    assert!(matches!(error, EvolveError::FullTooLarge { n: 5000, .. }));
    assert!(matches!(
        Res::new(&[], base()),
        Err(EvolveError::EmptyStart)
    ));
    let error = Res::new(&[0.0, f64::NAN], base()).unwrap_err();
    assert!(matches!(
        error,
        EvolveError::StartNotFinite { index: 1, .. }
    ));
}

#[test]
fn populations_that_no_memory_holds_are_refused_at_once() {
    for strategy in STRATEGIES {
        for population in [1 << 33, 1 << 60, 1 << 61, usize::MAX] {
            let config = ResConfig::new().strategy(strategy).population(population);
            let error = Res::new(&[3.0; 7], config).unwrap_err();
            assert!(
                matches!(error, EvolveError::PopulationTooLarge { population: p, n: 7, .. } if p == population),
                "{error}"
            );
        }
    }
    // Each number is a fair one, their product is not.
    let config = ResConfig::new().population(u32::MAX as usize);
    assert!(config.validate(1).is_ok());
    let error = config.validate(1 << 28).unwrap_err().to_string();
    assert!(
        error.contains("4294967295 candidates of 268435456 unknowns"),
        "{error}"
    );
}
