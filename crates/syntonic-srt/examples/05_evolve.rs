//! RES finds a minimum without gradients, and goes on with the same bits after a stop.
//! `cargo run -p syntonic-srt --example 05_evolve`

use std::convert::Infallible;
use syntonic_srt::evolve::{Flow, Population, Res, ResConfig};

/// Rosenbrock's valley; 0 where all coordinates are 1.
fn valley(population: &Population) -> Result<Vec<f64>, Infallible> {
    let value = |x: &[f64]| {
        let steps = x.windows(2);
        steps
            .map(|w| 100.0 * (w[1] - w[0] * w[0]).powi(2) + (1.0 - w[0]).powi(2))
            .sum()
    };
    Ok(population.iter().map(value).collect())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let config = || ResConfig::new().sigma(0.5).seed(7).target(1e-8);
    let mut res = Res::new(&[0.0; 6], config())?;
    let outcome = res.run(valley, |_| Flow::Continue)?;
    println!(
        "{:?} after {} evaluations",
        outcome.value,
        res.evaluations()
    );
    assert!(outcome.value.is_some_and(|value| value <= 1e-8));
    assert!(
        res.best()
            .is_some_and(|x| x.iter().all(|v| (v - 1.0).abs() < 1e-3))
    );

    // The same in two parts: ask and tell are the wheel that run turns, and a checkpoint between them changes no bit.
    let mut first = Res::new(&[0.0; 6], config())?;
    for _ in 0..25 {
        let values = valley(first.ask()?)?;
        first.tell(&values)?;
    }
    let mut second = Res::from_json(&first.to_json()?)?;
    second.run(valley, |_| Flow::Continue)?;
    assert_eq!(second.best(), res.best());
    assert_eq!(second.evaluations(), res.evaluations());
    Ok(())
}

#[test]
fn its_assertions_hold() -> Result<(), Box<dyn std::error::Error>> {
    main()
}
