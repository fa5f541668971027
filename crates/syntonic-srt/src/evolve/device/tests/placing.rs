//! RES with a matrix on a device ends, begins again and is saved as it does without.

use super::*;
use crate::evolve::{
    Bounds, EvolveError, Goal, NoiseHandling, Outcome, Population, Reason, Res, ResConfig,
    Restarts, Sampling, Shape, Strategy, Survivors, SyntonyWeight,
};
use std::convert::Infallible;
use std::time::Duration;
use syntonic_core::cpu::cpu;

fn there(n: usize, config: ResConfig) -> Result<DeviceRes, EvolveError> {
    DeviceRes::new(Res::new(&vec![3.0; n], config)?, &cpu())
}

/// What [`Res::run`] does.
fn run(there: &mut DeviceRes, f: fn(&[f64]) -> f64) -> Result<Reason, EvolveError> {
    loop {
        if let Some(reason) = there.res().finished(Duration::ZERO) {
            if reason.ends_an_attempt() && there.restart()? {
                continue;
            }
            return Ok(reason);
        }
        let n = there.res().dimension();
        let values = there.ask()?.to_vec::<f64>()?;
        let values: Vec<f64> = values.chunks(n).map(f).collect();
        there.tell(&Tensor::from_slice(&values, &[values.len()])?)?;
    }
}

/// Where a search stands, to the bit.
fn standing(res: &Res) -> Vec<u64> {
    let best = res.best().unwrap_or_default();
    let numbers = [res.sigma(), res.best_value().unwrap_or(f64::NAN)];
    let parts = [res.centre(), best, &numbers].concat();
    let counts = [
        res.generation(),
        res.evaluations(),
        u64::from(res.restarts()),
        res.population() as u64,
    ];
    let bits = parts.iter().map(|x| x.to_bits());
    counts.into_iter().chain(bits).collect()
}

#[test]
fn runs_end_where_those_of_res_do() -> Tested {
    let sphere = |x: &[f64]| Function::Sphere.of(x);
    let rastrigin = |x: &[f64]| Function::Rastrigin.of(x);
    let worst = |x: &[f64]| match x[0] > 3.0 {
        true => f64::NAN,
        false => -Function::Rosenbrock.of(x),
    };
    let base = || ResConfig::new().sigma(1.0).seed(5);
    type Case = (ResConfig, fn(&[f64]) -> f64);
    let cases: [Case; 5] = [
        (base(), sphere),
        (base().evaluations(6000).population(10), rastrigin),
        (
            base().restarts(Restarts::Growing).generations(300),
            rastrigin,
        ),
        (base().goal(Goal::Maximise).target(-1e-6), worst),
        (
            base()
                .scales(vec![0.5, 1.0, 0.25, 1.0, 1.0])
                .generations(40),
            sphere,
        ),
    ];
    for (config, f) in cases {
        let mut here = Res::new(&[3.0; 5], config.clone())?;
        let values =
            |population: &Population| Ok::<_, Infallible>(population.iter().map(f).collect());
        let Outcome { reason, .. } = here.run(values, |_| crate::evolve::Flow::Continue)?;
        let mut there = there(5, config)?;
        assert_eq!(run(&mut there, f)?, reason);
        assert_eq!(standing(there.whole()?), standing(&here), "{reason:?}");
        assert_eq!(there.whole()?.covariance()?, here.covariance()?);
        assert_eq!(here.history(), there.res().history());
        assert_eq!(here.deviations()?, there.res().deviations()?);
    }
    Ok(())
}

#[test]
fn a_file_goes_on_here_and_there() -> Tested {
    let config = ResConfig::new().seed(3).generations(20);
    let mut first = there(6, config)?;
    run(&mut first, |x| Function::Ellipsoid.of(x))?;
    first.ask()?;
    let text = first.whole()?.to_json()?;
    let mut here = Res::from_json(&text)?;
    let mut again = DeviceRes::new(Res::from_json(&text)?, &cpu())?;
    for _ in 0..20 {
        let asked = again.ask()?;
        assert_eq!(asked.to_vec::<f64>()?, here.ask()?.as_slice());
        assert_eq!(asked.to_vec::<f64>()?, first.ask()?.to_vec::<f64>()?);
        let values = asked.square()?.sum(-1)?;
        again.tell(&values)?;
        first.tell(&values)?;
        here.tell(&values.to_vec::<f64>()?)?;
    }
    assert_eq!(standing(again.whole()?), standing(&here));
    assert_eq!(first.whole()?.to_json()?, again.whole()?.to_json()?);
    Ok(())
}

/// Reflected candidates, a reflected centre, and values that are means: the search here and the one there.
#[test]
fn bounds_and_noise_are_handled_as_they_are_here() -> Tested {
    let bounds = Bounds {
        lower: vec![2.9, -1.0, f64::NEG_INFINITY, 0.5, 2.5],
        upper: vec![3.1, 4.0, 3.2, f64::INFINITY, 1e9],
    };
    let base = || ResConfig::new().sigma(4.0).seed(2);
    for (config, turns) in [
        (base().bounds(bounds.clone()), true),
        (base().noise(NoiseHandling::Auto), false),
        (base().noise(NoiseHandling::Auto).bounds(bounds), false),
    ] {
        let mut here = Res::new(&[3.0; 5], config.clone())?;
        let mut there = there(5, config)?;
        let mut turned = false;
        for generation in 0..120u32 {
            let asked = there.ask()?.to_vec::<f64>()?;
            assert_eq!(asked, here.ask()?.as_slice());
            let noise = |k: usize| f64::from((k as u32 * 7 + generation * 13) % 11);
            let values = asked.chunks(5).enumerate();
            let values = values.map(|(k, x)| match turns {
                true => Function::Rosenbrock.of(x),
                false => Function::Sphere.of(x) + noise(k),
            });
            let values: Vec<f64> = values.collect();
            here.tell(&values)?;
            there.tell(&Tensor::from_slice(&values, &[values.len()])?)?;
            assert_eq!(standing(there.res()), standing(&here), "{generation}");
            turned |= here.centre().contains(&2.9) || here.centre()[0] < 3.0;
        }
        assert_eq!(there.res().repeats(), here.repeats());
        assert!(turns == (here.repeats() == 1) && turned);
        assert_eq!(there.res().history(), here.history());
        assert_eq!(there.whole()?.to_json()?, here_text(&here)?);
    }
    Ok(())
}

/// The text of a search, with the strategy that one on a device names.
fn here_text(here: &Res) -> Result<String, EvolveError> {
    let mut named = here.clone();
    named.config.strategy = Strategy::Recombine(Shape::Full);
    named.to_json()
}

#[test]
fn injected_points_are_drawn_here() -> Tested {
    let config = ResConfig::new()
        .sigma(0.5)
        .seed(3)
        .restarts(Restarts::Growing);
    let mut here = Res::new(&[3.0; 4], config.clone())?;
    let mut there = there(4, config)?;
    for generation in 0..60 {
        let point = [1.0 + 0.01 * f64::from(generation); 4];
        if generation % 9 == 4 {
            here.inject(&point)?;
            there.inject(&point)?;
            // Before values are told, it is for the generation after.
            assert_eq!(there.ask()?.to_vec::<f64>()?, here.ask()?.as_slice());
            here.inject(&[0.5; 4])?;
            there.inject(&[0.5; 4])?;
        }
        if generation == 30 {
            assert!(here.restart()? && there.restart()?);
        }
        let asked = there.ask()?;
        assert_eq!(asked.to_vec::<f64>()?, here.ask()?.as_slice());
        let values = asked.square()?.sum(-1)?;
        there.tell(&values)?;
        here.tell(&values.to_vec::<f64>()?)?;
        assert_eq!(standing(there.res()), standing(&here), "{generation}");
        let text = there.whole()?.to_json()?;
        assert_eq!(text, here_text(&here)?);
        if generation % 4 == 0 {
            there = DeviceRes::new(Res::from_json(&text)?, &cpu())?;
        }
    }
    let few = [there.inject(&[f64::NAN; 4]), there.inject(&[1.0; 3])];
    assert!(few.iter().all(Result::is_err));
    Ok(())
}

#[test]
fn what_a_device_does_not_do_is_an_error_that_names_it() -> Tested {
    let base = ResConfig::new;
    for (config, named) in [
        (base().strategy(Strategy::Elitist), "strategy"),
        (
            base().strategy(Strategy::Recombine(Shape::Separable)),
            "strategy",
        ),
        (base().sampling(Sampling::Independent), "sampling"),
        (base().survivors(4), "survivors"),
        (base().prefilter(0.5), "prefilter"),
        (base().syntony(SyntonyWeight::Spread(1.0)), "syntony"),
        (base().sigma_floor(1e-9), "sigma_floor"),
    ] {
        let refused = there(4, config).unwrap_err();
        assert!(
            matches!(refused, EvolveError::OnDevice { option, .. } if option.contains(named)),
            "{refused}"
        );
    }
    assert_eq!(base().survivors, Survivors::All);
    let mut search = there(4, base())?;
    let values = Tensor::from_slice(&[0.0; 8], &[8])?;
    assert!(matches!(
        search.tell(&values),
        Err(EvolveError::NothingAsked)
    ));
    search.ask()?;
    let few = search
        .tell(&values.slice(0, Some(1), None, 1)?)
        .unwrap_err();
    assert!(matches!(
        few,
        EvolveError::Length {
            found: 7,
            expected: 8,
            ..
        }
    ));
    search.tell(&values)?;
    Ok(())
}
