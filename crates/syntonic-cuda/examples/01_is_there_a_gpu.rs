//! Whether there is a GPU, and in words why not. `cargo run -p syntonic-cuda --example 01_is_there_a_gpu`

use syntonic_core::{Result, Tensor, cpu};

fn main() -> Result<()> {
    // The driver's library is opened by the first question. A machine without one is no error and no crash.
    if let Some(reason) = syntonic_cuda::why_unavailable() {
        println!("{reason}");
        assert_eq!(syntonic_cuda::device_count(), 0);
        // Whoever goes on all the same gets the same sentence as a typed error.
        let error = syntonic_cuda::device(0).unwrap_err();
        assert!(
            matches!(error, syntonic_core::Error::NoDevice { .. }),
            "{error}"
        );
        return Ok(());
    }
    let gpu = syntonic_cuda::device(0)?;
    println!("{} of {} GPUs", gpu.id(), syntonic_cuda::device_count());

    // The same program on whatever there is: nothing falls back by itself, so the choice stands here.
    let device = if syntonic_cuda::is_available() {
        gpu
    } else {
        cpu()
    };
    let x = Tensor::from([1.0, 2.0, 3.0]).to(&device)?;
    assert_eq!((x * 2.0).to_vec::<f64>()?, [2.0, 4.0, 6.0]);
    Ok(())
}

#[test]
fn its_assertions_hold() -> Result<()> {
    main()
}
