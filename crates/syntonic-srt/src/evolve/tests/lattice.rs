//! Candidates on points of a lattice.

use super::*;
use crate::exact::snap;
use syntonic_core::random::{fill_normal_f64, fill_uniform_f64};

fn is_golden(x: f64, bound: u32) -> bool {
    snap(x, bound).is_ok_and(|point| point.to_f64() == x)
}

#[test]
fn candidates_lie_on_the_lattice() {
    let bounds = Bounds {
        lower: vec![-3.5; 4],
        upper: vec![3.5; 4],
    };
    for strategy in STRATEGIES {
        let base = ResConfig::new().strategy(strategy).population(12);
        let golden = base.clone().lattice(Lattice::golden(7));
        let integers = base
            .clone()
            .lattice(Lattice::integers())
            .bounds(bounds.clone());
        let some = base.lattice(Lattice::integers().only(vec![1, 3]));
        for (kind, config) in [golden, integers, some].into_iter().enumerate() {
            let mut res = search(4, config);
            for _ in 0..30 {
                for x in res.ask().unwrap().iter() {
                    let fits = match kind {
                        0 => x.iter().all(|x| is_golden(*x, 7)),
                        1 => x.iter().all(|x| x.fract() == 0.0 && x.abs() <= 3.0),
                        _ => x[1].fract() == 0.0 && x[3].fract() == 0.0,
                    };
                    assert!(fits, "{strategy:?} {kind} {x:?}");
                    // The start of the elitist strategy settles too; what is free of it stays.
                    let free = x[0].fract() != 0.0 || x[0] == 3.0;
                    assert!(kind < 2 || free, "{strategy:?} {x:?}");
                }
                step(&mut res, rosenbrock);
            }
        }
    }
}

/// `|A z - y|²` with a random `A`, against all points of a box.
#[test]
fn the_closest_vector_of_a_box_is_found() {
    let (mut found, mut by_rounding) = (0, 0);
    for seed in 0..20 {
        let (mut a, mut y) = ([0.0; 9], [0.0; 3]);
        fill_normal_f64(&mut a, seed, 0);
        fill_uniform_f64(&mut y, seed, 9);
        let y = y.map(|u| 8.0 * u - 4.0);
        let value = |z: &[f64]| {
            let product = |row: &[f64]| row.iter().zip(z).map(|(a, z)| a * z).sum::<f64>();
            let rows = a.chunks(3).zip(&y);
            rows.map(|(row, y)| (product(row) - y).powi(2)).sum::<f64>()
        };
        let side = || (-6..=6).map(f64::from);
        let all = side().flat_map(|i| side().flat_map(move |j| side().map(move |k| [i, j, k])));
        let least = all.map(|z| value(&z)).fold(f64::INFINITY, f64::min);
        let bounds = Bounds {
            lower: vec![-6.0; 3],
            upper: vec![6.0; 3],
        };
        let config = ResConfig::new().seed(seed).target(least).evaluations(3000);
        let config = config.restarts(Restarts::Growing).bounds(bounds);
        let on_lattice = config.clone().lattice(Lattice::integers());
        let mut res = search(3, on_lattice);
        let outcome = res.run(batched(value), |_| Flow::Continue).unwrap();
        found += u32::from(outcome.value == Some(least));
        let rounded = |x: &[f64]| value(&[x[0].round(), x[1].round(), x[2].round()]);
        let outcome = search(3, config).run(batched(rounded), |_| Flow::Continue);
        by_rounding += u32::from(outcome.unwrap().value == Some(least));
    }
    assert_eq!(found, 20, "by rounding: {by_rounding}");
}

/// What is learnt is the step to the point, or one as long as a long step in its direction.
#[test]
fn the_noise_leads_to_the_points() {
    let shapes = [
        Shape::Full,
        Shape::Separable,
        Shape::Isotropic,
        Shape::LowRank,
    ];
    for shape in shapes {
        let config = ResConfig::new().strategy(Strategy::Recombine(shape));
        let config = config.lattice(Lattice::golden(4)).population(16);
        let mut res = search(3, config);
        for _ in 0..10 {
            step(&mut res, rosenbrock);
        }
        let (search, config) = (&res.state.search, &res.config);
        let drawn = search.sample(config, (res.generation(), res.sizes, &[]), &[1.0; 3], None);
        let drawn = drawn.unwrap();
        let longest = 3f64.sqrt() + 6.0 / 5.0;
        let mut whole = 0;
        for (k, x) in drawn.population.iter().enumerate() {
            let z = &drawn.noise.z[3 * k..][..3];
            let length = sphere(z).sqrt();
            assert!(length <= longest * (1.0 + 1e-12), "{shape:?} {length}");
            let along = search.matrix().unwrap().apply(z).unwrap();
            if !drawn.steps.is_empty() {
                let step = &drawn.steps[3 * k..][..3];
                let pairs = step.iter().zip(&along);
                assert!(
                    pairs
                        .into_iter()
                        .all(|(a, b)| (a - b).abs() < 1e-9 * a.abs().max(1e-3))
                );
            }
            if length < longest * (1.0 - 1e-9) {
                whole += 1;
                for ((x, c), a) in x.iter().zip(&search.centre).zip(&along) {
                    let reached = c + search.sigma * a;
                    assert!(
                        (x - reached).abs() < 1e-9 * x.abs().max(1.0),
                        "{shape:?} {x} {reached}"
                    );
                }
            }
        }
        assert!(whole > 0, "{shape:?}");
    }
}

#[test]
fn what_does_not_fit_a_lattice_is_refused() {
    let base = || ResConfig::new().lattice(Lattice::integers());
    let wide = Bounds {
        lower: vec![0.0, 0.25],
        upper: vec![4.0, 0.75],
    };
    let refused = [
        base().sampling(Sampling::Antithetic),
        base().bounds(wide.clone()),
        ResConfig::new().lattice(Lattice::golden(0)),
        ResConfig::new()
            .lattice(Lattice::golden(9))
            .bounds(wide.clone()),
        ResConfig::new().lattice(Lattice::integers().only(vec![2])),
        ResConfig::new().lattice(Lattice::integers().only(vec![1, 0])),
    ];
    for config in refused {
        let error = Res::new(&[0.5; 2], config.clone()).unwrap_err();
        let fits = matches!(
            error,
            EvolveError::Ignored { .. } | EvolveError::OutOfRange { .. }
        );
        assert!(fits, "{config:?}: {error}");
    }
    // The narrow coordinate is no integer.
    let config = ResConfig::new().lattice(Lattice::integers().only(vec![0]));
    let mut res = Res::new(&[0.5; 2], config.bounds(wide)).unwrap();
    assert!(res.inject(&[1.0, 0.5]).is_ok());
    let error = res.inject(&[1.5, 0.5]).unwrap_err();
    assert!(matches!(error, EvolveError::OutOfRange { value: 1.5, .. }));
    assert_eq!(res.ask().unwrap().row(0), [1.0, 0.5]);
}

/// Numbers beyond every point go to the last one, and nothing becomes NaN.
#[test]
fn far_starts_have_points() {
    for (lattice, most) in [
        (Lattice::integers(), 2f64.powi(53)),
        (Lattice::golden(3), 8.0),
    ] {
        let config = ResConfig::new()
            .sigma(1e300_f64.min(1e100))
            .lattice(lattice);
        let mut res = Res::new(&[1e200, -1e200, 0.0], config).unwrap();
        for _ in 0..5 {
            let candidates = res.ask().unwrap();
            assert!(candidates.as_slice().iter().all(|x| x.abs() <= most));
            step(&mut res, sphere);
        }
    }
}
