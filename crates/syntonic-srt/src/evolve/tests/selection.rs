//! Which candidates are kept, and what their order decides.

use super::*;
use proptest::{prop_assert, prop_assert_eq, proptest};

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
        (0..600).for_each(|_| step(&mut res, |_| 0.0));
        let history = res.history();
        assert!(
            history[599].syntony > 0.99,
            "{strategy:?}: {}",
            history[599].syntony
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
