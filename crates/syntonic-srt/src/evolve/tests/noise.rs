//! Searches of objectives that are noisy.

use super::*;
use syntonic_core::random::fill_normal_f64;

fn ellipsoid(x: &[f64]) -> f64 {
    let last = (x.len() - 1) as f64;
    let weighted = x.iter().enumerate();
    weighted
        .map(|(k, v)| 10_f64.powf(4.0 * k as f64 / last) * v * v)
        .sum()
}

/// Values with the noise of a seed: the k-th evaluation has the k-th number.
struct Noisy {
    f: fn(&[f64]) -> f64,
    /// What a value becomes by a number that is normal.
    noise: fn(f64, f64) -> f64,
    seed: u64,
    evaluations: u64,
}

impl Noisy {
    fn values(&mut self, population: &Population) -> Vec<f64> {
        let mut noise = vec![0.0; population.rows()];
        fill_normal_f64(&mut noise, self.seed, self.evaluations);
        self.evaluations += noise.len() as u64;
        let values = population.iter().zip(noise);
        values.map(|(x, z)| (self.noise)((self.f)(x), z)).collect()
    }
}

fn additive(value: f64, z: f64) -> f64 {
    value + z
}

fn multiplicative(value: f64, z: f64) -> f64 {
    value * (1.0 + 0.5 * z)
}

/// Larger than the value: what it falls with it does not help.
fn larger(value: f64, z: f64) -> f64 {
    value * (1.0 + 2.0 * z)
}

/// The true value of the centre after 20,000 evaluations, the median of five seeds.
fn reached(f: fn(&[f64]) -> f64, noise: fn(f64, f64) -> f64, handling: NoiseHandling) -> f64 {
    let mut found = Vec::from_iter((0..5).map(|seed| {
        let config = ResConfig::new().seed(seed).evaluations(20_000);
        let config = config.noise(handling).stagnation(Stagnation::Off);
        let mut res = search(5, config.restarts(Restarts::Off));
        let mut noisy = Noisy {
            f,
            noise,
            seed: seed + 100,
            evaluations: 0,
        };
        let objective = |population: &Population| Ok::<_, Infallible>(noisy.values(population));
        let outcome = res.run(objective, |_| Flow::Continue).unwrap();
        assert!(outcome.evaluations <= 20_000);
        assert_eq!(res.repeats() > 1, handling == NoiseHandling::Auto);
        f(res.centre())
    }));
    found.sort_by(f64::total_cmp);
    found[2]
}

#[test]
fn means_get_closer_where_noise_dominates() {
    type Case = (fn(&[f64]) -> f64, fn(f64, f64) -> f64);
    let cases: [Case; 4] = [
        (sphere, additive),
        (sphere, larger),
        (ellipsoid, additive),
        (ellipsoid, multiplicative),
    ];
    for (k, (f, noise)) in cases.into_iter().enumerate() {
        let [off, auto] = [NoiseHandling::Off, NoiseHandling::Auto].map(|h| reached(f, noise, h));
        assert!(auto < 0.6 * off, "{k}: {auto} for {off}");
    }
}

#[test]
fn a_function_without_noise_is_evaluated_once() {
    let config = ResConfig::new().noise(NoiseHandling::Auto).target(1e-8);
    let mut res = search(5, config);
    let outcome = res.run(batched(sphere), |_| Flow::Continue).unwrap();
    assert_eq!((outcome.reason, res.repeats()), (Reason::Target, 1));
}

/// A search that does not handle noise is the one that older programs know.
#[test]
fn a_file_without_noise_is_of_the_format_before() {
    let mut res = search(5, ResConfig::new());
    step(&mut res, sphere);
    let text = res.to_json().unwrap();
    assert!(text.starts_with("{\"format\":5"));
    assert!(!text.contains("noise") && !text.contains("repeats"));
    assert!(
        !Res::from_json(&text)
            .unwrap()
            .to_json()
            .unwrap()
            .contains("noise")
    );
}

#[test]
fn a_noisy_search_goes_on_where_it_was_saved() {
    let noisy = |evaluations| Noisy {
        f: sphere,
        noise: additive,
        seed: 3,
        evaluations,
    };
    let step = |res: &mut Res| {
        // Numbers depend on the evaluations alone, as those of a resumed search must.
        let mut noisy = noisy(res.evaluations());
        let values = noisy.values(res.ask().unwrap());
        res.tell(&values).unwrap();
    };
    let mut whole = search(3, ResConfig::new().noise(NoiseHandling::Auto));
    let mut saved = vec![whole.to_json().unwrap()];
    for _ in 0..60 {
        // In the middle of a generation: its rows are asked for and not yet told.
        whole.ask().unwrap();
        saved.push(whole.to_json().unwrap());
        step(&mut whole);
        saved.push(whole.to_json().unwrap());
    }
    assert!(whole.repeats() > 1);
    for text in &saved {
        let mut resumed = Res::from_json(text).unwrap();
        while resumed.generation() < 60 {
            step(&mut resumed);
        }
        assert_eq!(&resumed.to_json().unwrap(), saved.last().unwrap());
    }
}

#[test]
fn repeats_that_no_search_has_are_damage() {
    let mut res = search(3, ResConfig::new().noise(NoiseHandling::Auto));
    for _ in 0..9 {
        let rows = res.ask().unwrap().rows();
        let values: Vec<f64> = (0..rows).map(|row| (row * row % 5) as f64).collect();
        res.tell(&values).unwrap();
    }
    let text = res.to_json().unwrap();
    assert!(text.starts_with("{\"format\":6"));
    for (from, to) in [
        ("\"repeats\":", "\"repeats\":-"),
        ("\"repeats\":", "\"repeats\":9999"),
        ("\"noise\":\"Auto\"", "\"noise\":\"Off\""),
    ] {
        let broken = text.replacen(from, to, 1);
        assert_ne!(broken, text, "{from}");
        assert!(Res::from_json(&broken).is_err(), "{to}");
    }
}

#[test]
fn a_value_that_is_no_number_is_counted_and_makes_its_candidate_the_worst() {
    let config = ResConfig::new().population(8).noise(NoiseHandling::Auto);
    let mut res = search(3, config);
    let third = res.ask().unwrap().row(2).to_vec();
    let mut values: Vec<f64> = (0..10).map(f64::from).collect();
    // The first candidate has a value the first time alone.
    (values[8], values[1], values[2]) = (f64::NAN, f64::NAN, 0.5);
    res.tell(&values).unwrap();
    assert_eq!(
        (res.best(), res.best_value()),
        (Some(&third[..]), Some(0.5))
    );
    assert_eq!((res.state.nan, res.history()[0].nan), (2, 2));
}

#[test]
fn values_that_are_missing_are_an_error() {
    let mut res = search(3, ResConfig::new().population(8).noise(NoiseHandling::Auto));
    let rows = res.ask().unwrap().rows();
    let told = res.tell(&[0.0; 8]).unwrap_err();
    assert!(matches!(told, EvolveError::Length { found: 8, expected, .. } if expected == rows));
    let elitist = ResConfig::new().strategy(Strategy::Elitist);
    let refused = Res::new(&[1.0], elitist.noise(NoiseHandling::Auto)).unwrap_err();
    assert!(matches!(refused, EvolveError::Ignored { .. }));
}
