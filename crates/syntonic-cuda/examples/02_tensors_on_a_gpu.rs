//! Tensors on a GPU: operators are those of the CPU. `cargo run -p syntonic-cuda --example 02_tensors_on_a_gpu`

use syntonic_core::prelude::*;
use syntonic_core::{Result, lazy::explain};

fn main() -> Result<()> {
    if let Some(reason) = syntonic_cuda::why_unavailable() {
        println!("{reason}");
        return Ok(());
    }
    let gpu = syntonic_cuda::device(0)?;
    let x = Tensor::randn(&[64, 1024], DType::F32, &mut Generator::new(2))?;
    let there = x.to(&gpu)?;

    // A softmax written out is one launch, of a kernel that is put together at the first call.
    let last = Over::from(-1).keep();
    let e = (&there - there.max(&last)?).exp()?;
    let p = &e / e.sum(&last)?;
    let plan = explain(&p)?;
    println!("{plan}");
    assert!(plan.contains("one program over the rows"));
    let off = (p.to(&cpu())? - x.softmax(-1)?).abs()?.max(..)?;
    assert!(off.to_scalar::<f32>()? < 1e-6);

    // Operands of two devices are an error that says what to do; nothing is copied behind your back.
    let error = there.try_add(&x).unwrap_err();
    println!("{error}");
    assert!(matches!(error, syntonic_core::Error::Device { .. }));
    Ok(())
}

#[test]
fn its_assertions_hold() -> Result<()> {
    main()
}
