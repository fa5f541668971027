//! One seed gives one trajectory, resumed or not, and a damaged checkpoint is an error.

use super::*;

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
    for shape in [Shape::Separable, Shape::Full, Shape::LowRank, Shape::Auto] {
        let run = |threads| {
            let pool = syntonic_core::cpu::threads::Threads::new(threads);
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
        ("\"attempt\":{\"number\":0", "\"attempt\":{\"number\":77"),
        (
            "\"start\":\"",
            "\"start\":\"AAAAAAAA8D8AAAAAAADwPwAAAAAAAPA/",
        ),
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
    let later = fault(&text.replacen("\"format\":5", "\"format\":7", 1));
    assert!(matches!(
        later,
        CheckpointFault::Version { found: 7, known: 6 }
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
    let old = include_str!("format_1.json");
    let mut resumed = Res::from_json(old).unwrap();
    assert_eq!((resumed.generation(), resumed.evaluations()), (13, 78));
    assert_eq!(resumed.best_value(), Some(35.65019036227218));
    assert_eq!(resumed.sigma(), 0.731859520601499);
    assert_eq!(resumed.state.start, resumed.centre());
    assert_eq!(resumed.restarts(), 0);
    let mut again = Res::from_json(&resumed.to_json().unwrap()).unwrap();
    for res in [&mut resumed, &mut again] {
        (0..200).for_each(|_| step(res, rosenbrock));
        assert!(res.best_value().unwrap() < 1e-8);
    }
    // By text, since the old records know no median.
    assert_eq!(resumed.to_json().unwrap(), again.to_json().unwrap());
}

/// Files of the second format are those of the third without attempts.
#[test]
fn the_second_format_is_read() {
    let mut res = search(3, ResConfig::new());
    (0..20).for_each(|_| step(&mut res, sphere));
    let mut stored: serde_json::Value = serde_json::from_str(&res.to_json().unwrap()).unwrap();
    stored["format"] = 2.into();
    stored["config"].as_object_mut().unwrap().remove("restarts");
    for name in ["start", "attempt"] {
        stored["state"].as_object_mut().unwrap().remove(name);
    }
    let read = Res::from_json(&stored.to_string()).unwrap();
    assert_eq!(read.state.search, res.state.search);
    assert_eq!(read.state.history, res.state.history);
    assert_eq!(read.config().restarts, Restarts::Auto);
    stored["format"] = 4.into();
    let fault = fault(&stored.to_string());
    assert!(matches!(fault, CheckpointFault::Damaged(_)), "{fault}");
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
