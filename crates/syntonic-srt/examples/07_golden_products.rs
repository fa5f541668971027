//! Products of matrices with powers of φ in them. `cargo run -p syntonic-srt --example 07_golden_products`

use syntonic_core::prelude::*;
use syntonic_srt::constants::PHI;
use syntonic_srt::golden::{mm, mm_phi, phi_antibracket, phi_bracket};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut generator = Generator::new(9);
    let a = Tensor::rand(&[20, 20], DType::F64, &mut generator)?;
    let b = Tensor::rand(&[20, 20], DType::F64, &mut generator)?;
    let largest = |x: Tensor| x.abs()?.max(..)?.to_scalar::<f64>();

    // A factor φⁿ costs nothing beside the product.
    let scaled = mm_phi(&a, &b, 3)?;
    assert!(largest(scaled - mm(&a, &b)? * PHI.powi(3))? < 1e-12);

    // The φ-bracket AB - BA/φ, and its sum of both orders, are two products and no pass more.
    let bracket = phi_bracket(&a, &b)?;
    let by_hand = mm(&a, &b)? - mm(&b, &a)? / PHI;
    assert!(largest(&bracket - by_hand)? < 1e-12);
    let sum = phi_antibracket(&a, &b)?;
    assert!(largest((sum + bracket) / 2.0 - mm(&a, &b)?)? < 1e-12);
    Ok(())
}

#[test]
fn its_assertions_hold() -> Result<(), Box<dyn std::error::Error>> {
    main()
}
