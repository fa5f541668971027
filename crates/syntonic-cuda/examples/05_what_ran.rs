//! What ran on the GPU, how long, and at which part of a copy's speed. `cargo run -p syntonic-cuda --example 05_what_ran`

use syntonic_core::prelude::*;
use syntonic_core::{Result, profile};

fn main() -> Result<()> {
    if let Some(reason) = syntonic_cuda::why_unavailable() {
        println!("{reason}");
        return Ok(());
    }
    let device = syntonic_cuda::device(0)?;
    let x = Tensor::ones_on(&[64, 256], DType::F32, &device)?;
    // The first call of a formula makes its kernel: measure the second.
    let work = || (&x * 0.5 + 1.0).exp()?.sum(-1)?.eval();
    work()?;

    let recording = profile::start();
    for _ in 0..3 {
        work()?;
    }
    let profile = recording.finish()?;
    println!("{profile}");
    let calls = profile
        .lines
        .iter()
        .filter(|line| line.device == device.id());
    assert!(calls.map(|line| line.calls).sum::<usize>() >= 3);
    Ok(())
}

#[test]
fn its_assertions_hold() -> Result<()> {
    main()
}
