//! Residuals that grow by φ a layer at most. `cargo run -p syntonic-srt --example 01_phi_residual`

use syntonic_core::prelude::*;
use syntonic_srt::constants::{INV_PHI, PHI};
use syntonic_srt::nn::{Activation, Mode, phi_residual};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let x = Tensor::from([[1.0, -2.0, 3.0], [0.0, 4.0, -1.0]]);
    let r = Tensor::from([[0.5, 1.0, -8.0], [2.0, 0.0, 1.0]]);

    // x + r/φ, and an activation in the same pass.
    let y = phi_residual(&x, &r, Mode::Phi, Activation::Relu)?;
    let by_hand = (&x + &r * INV_PHI).relu()?;
    assert_eq!(y.to_vec::<f64>()?, by_hand.to_vec::<f64>()?);
    println!("{y}");

    // A stack whose branches return their input grows by 1 + 1/φ = φ a layer, where x + r doubles.
    let (mut golden, mut plain) = (x.clone(), x.clone());
    for _ in 0..10 {
        golden = phi_residual(&golden, &golden, Mode::Phi, Activation::None)?;
        plain = phi_residual(&plain, &plain, Mode::Standard, Activation::None)?;
    }
    let first = |y: &Tensor| y.index((0, 0))?.to_scalar::<f64>();
    assert!((first(&golden)? / PHI.powi(10) - 1.0).abs() < 1e-14);
    assert_eq!(first(&plain)?, 1024.0);
    Ok(())
}

#[test]
fn its_assertions_hold() -> Result<(), Box<dyn std::error::Error>> {
    main()
}
