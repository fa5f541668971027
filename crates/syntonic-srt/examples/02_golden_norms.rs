//! Rows normed to a variance of 1/φ, with their gradients. `cargo run -p syntonic-srt --example 02_golden_norms`

use syntonic_core::prelude::*;
use syntonic_srt::constants::INV_PHI;
use syntonic_srt::nn::{LayerNorm, TargetVariance, layer_norm, layer_norm_backward};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut generator = Generator::new(1);
    let x = Tensor::randn(&[64, 256], DType::F64, &mut generator)? * 3.0 + 5.0;

    // A golden norm has the variance 1/φ, a standard one 1; both have the mean 0.
    let golden = layer_norm(&x, None, LayerNorm::default())?;
    let settings = LayerNorm {
        target: TargetVariance::Standard,
        ..LayerNorm::default()
    };
    let standard = layer_norm(&x, None, settings)?;
    for (y, variance) in [(&golden, INV_PHI), (&standard, 1.0)] {
        let off = (y.var(-1, 0.0)? - variance).abs()?.max(..)?;
        assert!(off.to_scalar::<f64>()? < 1e-5);
        assert!(y.mean(-1)?.abs()?.max(..)?.to_scalar::<f64>()? < 1e-14);
    }

    // Its gradient is that of its own formula: moving a whole row changes nothing, so each row's gradients sum to 0.
    let gamma = Tensor::rand(&[256], DType::F64, &mut generator)? + 0.5;
    let ones = Tensor::ones(&[64, 256], DType::F64)?;
    let gradients = layer_norm_backward(&ones, &x, Some(&gamma), LayerNorm::default())?;
    let sums = gradients.x.sum(-1)?.abs()?.max(..)?.to_scalar::<f64>()?;
    assert!(sums < 1e-12);
    println!("row sums of the gradient: at most {sums:.1e}");
    Ok(())
}

#[test]
fn its_assertions_hold() -> Result<(), Box<dyn std::error::Error>> {
    main()
}
