//! States that are moved by differentiation and harmonization. `cargo run -p syntonic-srt --example 04_syntony`

use syntonic_core::prelude::*;
use syntonic_srt::resonant::{Modes, mode_norms};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut generator = Generator::new(5);
    let mut psi = Tensor::randn(&[8, 32], DType::F64, &mut generator)?;
    // Norms and weights of the modes are made once for many calls.
    let modes = Modes::new(&mode_norms(32)?, DType::F64)?;

    // Syntony is the share of the energy in low modes: 1 where all of it is in the lowest.
    let before = modes.syntony(&psi)?;
    let lowest = Tensor::eye(32, DType::F64)?.index(0)?;
    assert_eq!(modes.syntony(&lowest)?.to_scalar::<f64>()?, 1.0);

    // A cycle is D, then H, both at the syntony before, in one pass; it returns the new state with its syntony.
    let (next, s) = modes.cycle(&psi, None)?;
    let off = (&s - modes.syntony(&next)?).abs()?.max(..)?;
    assert!(off.to_scalar::<f64>()? < 1e-14);
    let by_steps = modes.harmonize(&modes.differentiate(&psi, &before, None)?, &before)?;
    let off = (&next - by_steps).abs()?.max(..)?;
    assert!(off.to_scalar::<f64>()? < 1e-12);

    for _ in 0..20 {
        psi = modes.cycle(&psi, None)?.0;
    }
    println!("syntony before {:.3}", before.mean(..)?);
    println!("and after 20 cycles {:.3}", modes.syntony(&psi)?.mean(..)?);
    Ok(())
}

#[test]
fn its_assertions_hold() -> Result<(), Box<dyn std::error::Error>> {
    main()
}
