//! Where coordinates depend on each other, and where they do not.

use super::*;
use syntonic_core::random::fill_normal_f64;

type Function<'a> = &'a dyn Fn(&[f64]) -> f64;

/// An ellipsoid, turned in pairs of coordinates 1, 2, 4, ... apart, so that each depends on all others.
struct Ellipsoid {
    condition: f64,
    /// Cosine and sine for each coordinate and distance.
    turns: Vec<(f64, f64)>,
}

impl Ellipsoid {
    fn turned(n: usize, condition: f64) -> Ellipsoid {
        let mut angles = vec![0.0; 2 * n * (n.ilog2() as usize + 1)];
        fill_normal_f64(&mut angles, 1, 0);
        let turns = angles.iter().map(|a| (4.0 * a).sin_cos()).collect();
        Ellipsoid { condition, turns }
    }

    fn along_axes(condition: f64) -> Ellipsoid {
        let turns = Vec::new();
        Ellipsoid { condition, turns }
    }

    fn value(&self, x: &[f64]) -> f64 {
        let n = x.len();
        let mut y = x.to_vec();
        for (stage, turns) in self.turns.chunks_exact(n).enumerate() {
            let apart = 1 << (stage % (n.ilog2() as usize + 1));
            for i in (0..n - apart).filter(|i| (i / apart).is_multiple_of(2)) {
                let (s, c) = turns[i];
                let (a, b) = (y[i], y[i + apart]);
                (y[i], y[i + apart]) = (c * a - s * b, s * a + c * b);
            }
        }
        let last = (n - 1) as f64;
        let weight = |i: usize| self.condition.powf(i as f64 / last);
        y.iter().enumerate().map(|(i, y)| weight(i) * y * y).sum()
    }
}

fn shape(res: &Res) -> Shape {
    match res.strategy() {
        Strategy::Recombine(shape) => shape,
        Strategy::Elitist => panic!("the default is not elitist"),
    }
}

/// Runs to so many evaluations of each unknown; the strategy at the end, and where it changed.
fn watched(mut res: Res, f: Function<'_>, most: u64) -> (Shape, u64) {
    let mut changed = 0;
    while res.evaluations() < most * res.dimension() as u64 {
        step(&mut res, f);
        if changed == 0 && shape(&res) != Shape::Separable {
            changed = res.evaluations() / res.dimension() as u64;
        }
    }
    (shape(&res), changed)
}

#[test]
fn a_turned_ellipsoid_is_solved_by_the_default() {
    for (n, condition, seeds, most) in [(65, 1e4, 3, 1100), (65, 1e6, 1, 2300), (100, 1e4, 1, 1500)]
    {
        let f = Ellipsoid::turned(n, condition);
        for seed in 0..seeds {
            let config = ResConfig::new().seed(seed).target(1e-8);
            let mut res = search(n, config.evaluations(most * n as u64));
            let outcome = res.run(batched(|x| f.value(x)), |_| Flow::Continue);
            let outcome = outcome.unwrap();
            let of = (n, condition, seed, outcome.evaluations, outcome.value);
            assert_eq!(outcome.reason, Reason::Target, "{of:?}");
            assert_eq!(outcome.strategy, Strategy::Recombine(Shape::Full), "{of:?}");
            assert_eq!(res.restarts(), 0, "{of:?}");
        }
    }
}

#[test]
fn dependence_is_seen_soon_however_the_search_samples() {
    let base = ResConfig::new;
    let configs = [
        base(),
        base().sampling(Sampling::Independent),
        base().population(200),
        base().population(40).prefilter(0.5),
        base().goal(Goal::Maximise),
    ];
    for n in [65, 200] {
        let f = Ellipsoid::turned(n, 1e6);
        for (k, config) in configs.iter().enumerate() {
            let sign = if config.goal == Goal::Maximise {
                -1.0
            } else {
                1.0
            };
            let res = search(n, config.clone().seed(k as u64));
            let (shape, changed) = watched(res, &|x| sign * f.value(x), 160);
            assert_eq!(shape, Shape::Full, "{n}, {k}");
            assert!(changed <= 155, "{n}, {k}: {changed}");
        }
    }
}

/// Sums of functions of a coordinate each, whatever they are, and increasing functions of them.
#[test]
fn separable_functions_are_searched_coordinate_by_coordinate() {
    let ellipsoid = Ellipsoid::along_axes(1e6);
    let functions: [Function<'_>; 4] = [
        &sphere,
        &|x| ellipsoid.value(x),
        &|x| ellipsoid.value(x).sqrt(),
        &|x| x.iter().map(|v| v * v - 10.0 * (6.0 * v).cos()).sum(),
    ];
    for n in [65, 100] {
        for (k, f) in functions.iter().enumerate() {
            for seed in 0..3 {
                let res = search(n, ResConfig::new().seed(seed));
                let found = watched(res, f, 160);
                assert_eq!(found, (Shape::Separable, 0), "{n}, {k}, {seed}");
            }
        }
    }
}

/// In windows, between them, and after the search has become another.
#[test]
fn a_probe_is_resumed_to_the_bit() {
    let f = Ellipsoid::turned(66, 1e6);
    let mut whole = search(66, ResConfig::new().seed(4));
    let mut saved = vec![];
    while shape(&whole) == Shape::Separable || !whole.generation().is_multiple_of(40) {
        saved.push(whole.to_json().unwrap());
        step(&mut whole, |x| f.value(x));
    }
    for text in saved.iter().step_by(23) {
        let mut resumed = Res::from_json(text).unwrap();
        while resumed.generation() < whole.generation() {
            step(&mut resumed, |x| f.value(x));
        }
        // Too long for a message.
        assert!(resumed.state == whole.state);
    }
    let resumed = Res::from_json(&whole.to_json().unwrap()).unwrap();
    assert_eq!(shape(&resumed), Shape::Full);
    // What a search of this size does not have.
    let other = saved[1].replace("\"windows\":0", "\"windows\":61");
    assert!(other != saved[1] && Res::from_json(&other).is_err());
    let other = saved[1].replace("\"Auto\"", "\"Separable\"");
    assert!(other != saved[1] && Res::from_json(&other).is_err());
}

#[test]
fn attempts_begin_with_what_is_known_of_the_function() {
    let f = Ellipsoid::turned(65, 1e6);
    let config = ResConfig::new().restarts(Restarts::Growing);
    let mut res = search(65, config);
    assert!(res.restart().unwrap());
    assert_eq!(shape(&res), Shape::Separable);
    while shape(&res) == Shape::Separable {
        step(&mut res, |x| f.value(x));
        assert!(res.evaluations() < 65 * 200);
    }
    assert_eq!(
        (res.sigma(), res.deviation_ratio(&mut [0.0; 65])),
        (2.0, 1.0)
    );
    assert!(res.restart().unwrap());
    assert_eq!(shape(&res), Shape::Full);
    step(&mut res, |x| f.value(x));
}

/// What a search begins with, and what it goes over to.
#[test]
fn small_searches_are_full_and_wide_ones_separable() {
    let of = |n| shape(&search(n, ResConfig::new()));
    assert_eq!([1, 64].map(of), [Shape::Full; 2]);
    assert_eq!([65, 1000, 1001].map(of), [Shape::Separable; 3]);
    let of = |n| ResConfig::new().dependent_shape(n);
    let [full, low] = [Shape::Full, Shape::LowRank].map(Some);
    assert_eq!([64, 65, 1000, 1001].map(of), [None, full, full, low]);
}

/// Of 1,001 unknowns, and only where they depend on each other.
#[test]
fn a_wide_search_goes_over_to_long_axes() {
    let turned = Ellipsoid::turned(1001, 1e6);
    let mut res = search(1001, ResConfig::new().seed(2));
    while shape(&res) == Shape::Separable {
        step(&mut res, |x| turned.value(x));
        assert!(res.evaluations() < 1001 * 75);
    }
    assert_eq!(shape(&res), Shape::LowRank);
    assert_eq!(res.sigma(), 2.0);
    step(&mut res, |x| turned.value(x));
    let mut resumed = Res::from_json(&res.to_json().unwrap()).unwrap();
    for res in [&mut res, &mut resumed] {
        (0..3).for_each(|_| step(res, |x| turned.value(x)));
    }
    assert!(resumed.state == res.state);
    let along = Ellipsoid::along_axes(1e6);
    let res = search(1001, ResConfig::new().seed(2));
    let found = watched(res, &|x| along.value(x), 35);
    assert_eq!(found, (Shape::Separable, 0));
}
