//! A softmax with golden weights. `cargo run -p syntonic-srt --example 03_syntonic_softmax`

use syntonic_core::prelude::*;
use syntonic_srt::nn::{Softmax, Weights, syntonic_softmax};
use syntonic_srt::resonant::{golden_weights, mode_norms};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let logits = Tensor::from([[2.0, 1.0, 0.0, -1.0], [0.0, 0.0, 0.0, 0.0]]);
    let norms = mode_norms(4)?;

    // p_i = w_i e^(x_i) / sum w_j e^(x_j) with w_i = e^(-|n_i|²/φ): high modes need more evidence.
    let p = syntonic_softmax(&logits, Weights::ModeNorms(&norms), Softmax::default())?;
    println!("{p}");
    assert!((p.sum(-1)? - 1.0).abs()?.max(..)?.to_scalar::<f64>()? < 1e-15);

    // Level logits give the weights themselves.
    let weights = golden_weights(&norms)?;
    let level = &weights / weights.sum(..)?;
    let off = (p.index(1)? - level).abs()?.max(..)?;
    assert!(off.to_scalar::<f64>()? < 1e-15);

    // Without weights it is the softmax of everybody.
    let plain = syntonic_softmax(&logits, Weights::Identity, Softmax::default())?;
    let off = (plain - logits.softmax(-1)?).abs()?.max(..)?;
    assert_eq!(off.to_scalar::<f64>()?, 0.0);
    Ok(())
}

#[test]
fn its_assertions_hold() -> Result<(), Box<dyn std::error::Error>> {
    main()
}
