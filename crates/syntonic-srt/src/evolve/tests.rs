use super::*;
use proptest::{prop_assert, prop_assert_eq, proptest};
use std::convert::Infallible;
use std::time::Duration;

fn sphere(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

fn rosenbrock(x: &[f64]) -> f64 {
    x.windows(2)
        .map(|w| 100.0 * (w[1] - w[0] * w[0]).powi(2) + (1.0 - w[0]).powi(2))
        .sum()
}

/// A batched objective that cannot fail.
fn batched(f: impl Fn(&[f64]) -> f64) -> impl FnMut(&Population) -> Result<Vec<f64>, Infallible> {
    move |population| Ok(population.iter().map(&f).collect())
}

/// A search from 3 in every coordinate.
fn search(n: usize, config: ResConfig) -> Res {
    Res::new(&vec![3.0; n], config.sigma(2.0)).unwrap()
}

fn step(res: &mut Res, f: impl Fn(&[f64]) -> f64) {
    let values: Vec<f64> = res.ask().unwrap().iter().map(f).collect();
    res.tell(&values).unwrap();
}

const STRATEGIES: [Strategy; 4] = [
    Strategy::Elitist,
    Strategy::Recombine(Shape::Isotropic),
    Strategy::Recombine(Shape::Separable),
    Strategy::Recombine(Shape::Full),
];

/// Configurations that differ in everything which touches the trajectory.
fn varied_configs() -> Vec<ResConfig> {
    let mut configs: Vec<ResConfig> = Vec::new();
    for strategy in STRATEGIES {
        let base = ResConfig::new().strategy(strategy).seed(5).population(12);
        configs.push(base.clone());
        configs.push(base.clone().sampling(Sampling::Independent));
        configs.push(base.clone().population(7));
        configs.push(base.clone().prefilter(0.25).population(24));
        configs.push(
            base.clone()
                .survivors(5)
                .syntony(SyntonyWeight::Absolute(0.5)),
        );
        configs.push(base.syntony(SyntonyWeight::Spread(1.0)));
    }
    configs
}

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

/// All finite, for every strategy, 50,000 evaluations past the last possible improvement.
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
        assert!(
            outcome.evaluations - 10 * res.state.improved > 50_000,
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

#[test]
fn the_same_seed_gives_the_same_bits_and_another_seed_others() {
    for config in varied_configs() {
        let mut runs = [5, 5, 6].map(|seed| search(6, config.clone().seed(seed)));
        for res in &mut runs {
            (0..30).for_each(|_| step(res, rosenbrock));
        }
        assert_eq!(runs[0].state, runs[1].state);
        assert_ne!(runs[0].state, runs[2].state);
    }
}

/// Large enough that noise, steps and sums are shared between threads.
#[test]
fn the_number_of_threads_does_not_matter() {
    for shape in [Shape::Separable, Shape::Full] {
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| {
                let config = ResConfig::new().strategy(Strategy::Recombine(shape));
                let mut res = search(700, config.population(128));
                (0..3).for_each(|_| step(&mut res, rosenbrock));
                res.state
            })
        };
        assert_eq!(run(1), run(4), "{shape:?}");
    }
}

#[test]
fn a_resumed_run_equals_an_uninterrupted_one_at_every_generation() {
    for config in varied_configs() {
        let mut whole = search(5, config.clone());
        let mut saved = vec![whole.to_json().unwrap()];
        for _ in 0..30 {
            step(&mut whole, rosenbrock);
            saved.push(whole.to_json().unwrap());
        }
        for (generation, text) in saved.iter().enumerate() {
            let mut resumed = Res::from_json(text).unwrap();
            assert_eq!(resumed.generation(), generation as u64);
            (generation..30).for_each(|_| step(&mut resumed, rosenbrock));
            assert_eq!(resumed.state, whole.state, "from {generation}");
            assert_eq!(resumed.to_json().unwrap(), saved[30]);
        }
    }
}

#[test]
fn a_checkpoint_survives_a_file_and_values_that_are_not_finite() {
    let folder = std::env::temp_dir().join(format!("syntonic-res-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("run.json");
    let mut res = search(3, ResConfig::new().population(4));
    res.ask().unwrap();
    res.tell(&[f64::NEG_INFINITY, f64::NAN, f64::INFINITY, 1.0])
        .unwrap();
    res.ask().unwrap();
    res.tell(&[f64::NAN; 4]).unwrap();
    res.save(&path).unwrap();
    let resumed = Res::load(&path).unwrap();
    assert_eq!(resumed.to_json().unwrap(), res.to_json().unwrap());
    assert_eq!(resumed.best_value(), Some(f64::NEG_INFINITY));
    assert_eq!(resumed.state.nan, 5);
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(matches!(Res::load(&path), Err(EvolveError::File { .. })));
}

/// What a text is refused for, in words.
fn fault(text: &str) -> CheckpointFault {
    match Res::from_json(text) {
        Err(EvolveError::Checkpoint { fault, .. }) => fault,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_damaged_checkpoint_is_an_error() {
    let mut res = search(
        3,
        ResConfig::new().strategy(Strategy::Recombine(Shape::Full)),
    );
    step(&mut res, sphere);
    let text = res.to_json().unwrap();
    let damages = [
        (
            "\"Full\":{\"columns\":\"",
            "\"Full\":{\"columns\":\"AAAAAAAA8D8AAAAAAADwPwAAAAAAAPA/",
        ),
        ("\"Full\":{\"columns\":\"", "\"Full\":{\"columns\":\"AAAA"),
        ("\"centre\":\"", "\"centre\":\"*"),
        (
            "\"centre\":\"",
            "\"centre\":\"AAAAAAAA+H8AAAAAAAD4fwAAAAAAAPh/",
        ),
        (
            "\"strategy\":{\"Recombine\":\"Full\"}",
            "\"strategy\":\"Elitist\"",
        ),
        (
            "\"strategy\":{\"Recombine\":\"Full\"}",
            "\"strategy\":{\"Recombine\":\"Separable\"}",
        ),
        (
            "\"best\":{\"x\":\"",
            "\"best\":{\"x\":\"AAAAAAAA8D8AAAAAAADwPwAAAAAAAPA/",
        ),
        ("\"improved\":1", "\"improved\":9"),
        ("\"missing\":", "\"missing\":1"),
        ("\"evaluations\":", "\"evaluations\":1844674407370955161"),
        ("{\"generation\":1,", "{\"generation\":2,"),
    ];
    for (from, to) in damages {
        assert!(text.contains(from), "{from}");
        let fault = fault(&text.replacen(from, to, 1));
        assert!(
            matches!(fault, CheckpointFault::Damaged(_)),
            "{to}: {fault}"
        );
    }
    let later = fault(&text.replacen("\"format\":2", "\"format\":3", 1));
    assert!(matches!(
        later,
        CheckpointFault::Version { found: 3, known: 2 }
    ));
    assert!(later.to_string().contains("hint"), "{later}");
    for end in [50, text.len() - 1] {
        assert!(matches!(fault(&text[..end]), CheckpointFault::Truncated(_)));
    }
    assert!(matches!(fault("{\"a\":1}"), CheckpointFault::Foreign(_)));
    let dense = format!("{{\"a\":[{}0]}}", "0,".repeat(1000));
    assert!(matches!(fault(&dense), CheckpointFault::Damaged(_)));
}

/// Sizes that are no sizes, in the text and from the constructor alike: refused before anything is allocated.
#[test]
fn sizes_are_checked_before_memory_is_asked_for() {
    let text = search(3, ResConfig::new().population(12))
        .to_json()
        .unwrap();
    for size in [1usize << 33, 1 << 61, usize::MAX] {
        let changed = text.replacen("\"population\":12", &format!("\"population\":{size}"), 1);
        assert_ne!(changed, text);
        let CheckpointFault::Refused(why) = fault(&changed) else {
            panic!("{size}");
        };
        assert!(matches!(*why, EvolveError::PopulationTooLarge { .. }));
        assert!(matches!(
            Res::new(&[1.0; 3], ResConfig::new().population(size)),
            Err(EvolveError::PopulationTooLarge { .. })
        ));
    }
    // A size that fits the address space costs nothing while nobody asks for candidates.
    let largest = text.replacen("\"population\":12", "\"population\":4294967295", 1);
    assert_eq!(
        Res::from_json(&largest).unwrap().config().population,
        Some(u32::MAX as usize)
    );
}

/// A search of 13 generations as the first format had it, written by the program that had no other.
#[test]
fn the_first_format_is_read() {
    let old = include_str!("tests/format_1.json");
    let mut resumed = Res::from_json(old).unwrap();
    assert_eq!(resumed.generation(), 13);
    let config = ResConfig::new().population(6).seed(11);
    let mut whole = search(3, config.strategy(Strategy::Recombine(Shape::Full)));
    (0..13).for_each(|_| step(&mut whole, rosenbrock));
    assert_eq!(resumed.state, whole.state);
    (0..13).for_each(|_| step(&mut whole, rosenbrock));
    (0..13).for_each(|_| step(&mut resumed, rosenbrock));
    assert_eq!(resumed.to_json().unwrap(), whole.to_json().unwrap());
}

/// The history is bounded, and with it the file; what is resumed has the same one.
#[test]
fn a_long_run_has_a_small_checkpoint() {
    let config = ResConfig::new().strategy(Strategy::Recombine(Shape::Separable));
    let mut whole = search(8, config.population(4));
    let mut at_nine_thousand = None;
    for generation in 1..=20_000 {
        step(&mut whole, sphere);
        if generation == 9_000 {
            at_nine_thousand = Some(whole.to_json().unwrap());
        }
    }
    let text = whole.to_json().unwrap();
    assert!(text.len() < 1_000_000, "{}", text.len());
    let mut resumed = Res::from_json(&at_nine_thousand.unwrap()).unwrap();
    (9_000..20_000).for_each(|_| step(&mut resumed, sphere));
    assert_eq!(resumed.to_json().unwrap(), text);
    assert_eq!(resumed.history().last().unwrap().generation, 20_000);
}

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
    let base = || ResConfig::new().stagnation(Stagnation::Off);
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

#[test]
fn the_filter_keeps_the_most_syntonic_candidates() {
    let config = ResConfig::new().population(40).seed(3);
    let all = search(6, config.clone()).ask().unwrap().clone();
    let kept = search(6, config.survivors(10)).ask().unwrap().clone();
    let norms = squared_index_norms(6).unwrap();
    let s = |x: &[f64]| syntony(x, &norms).unwrap();
    let bar = kept.iter().map(s).fold(f64::INFINITY, f64::min);
    assert_eq!(all.iter().filter(|x| s(x) >= bar).count(), 10);
    assert!(kept.iter().all(|x| all.iter().any(|y| x == y)));
}

#[test]
fn a_bonus_on_a_flat_objective_raises_syntony() {
    for strategy in STRATEGIES {
        let config = ResConfig::new().strategy(strategy).population(16);
        let mut res = search(
            8,
            config.syntony(SyntonyWeight::Absolute(crate::constants::Q)),
        );
        (0..200).for_each(|_| step(&mut res, |_| 0.0));
        let history = res.history();
        assert!(
            history[199].syntony > 0.99,
            "{strategy:?}: {}",
            history[199].syntony
        );
        assert!(history[0].syntony < 0.9);
    }
}

#[test]
fn the_elitist_strategy_begins_with_the_start_itself() {
    let config = ResConfig::new()
        .strategy(Strategy::Elitist)
        .prefilter(0.5)
        .population(8);
    let mut res = search(4, config);
    assert_eq!(res.ask().unwrap().row(0), [3.0; 4]);
    step(&mut res, sphere);
    assert_ne!(res.ask().unwrap().row(0), [3.0; 4]);
}

proptest! {
    /// Ranks alone matter, not values.
    #[test]
    fn scaling_the_objective_changes_nothing(seed in 0..1000u64, n in 1..20usize) {
        let mut plain = search(n, ResConfig::new().seed(seed));
        let mut bent = plain.clone();
        for _ in 0..20 {
            step(&mut plain, sphere);
            step(&mut bent, |x| 8.0 * sphere(x));
        }
        prop_assert_eq!(plain.centre(), bent.centre());
    }

    /// Moving the start and the optimum together moves the path.
    #[test]
    fn the_origin_is_nowhere_special(seed in 0..1000u64) {
        let shift = 64.0;
        let mut here = search(5, ResConfig::new().seed(seed));
        let config = ResConfig::new().seed(seed).sigma(2.0);
        let mut there = Res::new(&[3.0 + shift; 5], config).unwrap();
        for _ in 0..20 {
            step(&mut here, sphere);
            step(&mut there, |x| x.iter().map(|v| (v - shift) * (v - shift)).sum());
        }
        let pairs = here.centre().iter().zip(there.centre());
        prop_assert!(pairs.clone().all(|(a, b)| (a + shift - b).abs() < 1e-6));
    }
}
