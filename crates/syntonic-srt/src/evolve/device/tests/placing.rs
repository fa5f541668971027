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
        let (mut found, mut same) = (here.history().to_vec(), there.res().history().to_vec());
        for record in found.iter_mut().chain(&mut same) {
            // Rounded on its way.
            record.deviation_ratio = 1.0;
        }
        assert_eq!(found, same);
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

#[test]
fn what_a_device_does_not_do_is_an_error_that_names_it() -> Tested {
    let base = ResConfig::new;
    let bounds = Bounds {
        lower: vec![0.0; 4],
        upper: vec![9.0; 4],
    };
    let full = base().strategy(Strategy::Recombine(Shape::Full));
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
        (base().bounds(bounds), "bounds"),
        (full.noise(NoiseHandling::Auto), "noise"),
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
