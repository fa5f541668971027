//! Work on two streams, and how long it takes. `cargo run -p syntonic-cuda --example 03_streams_and_events`

use syntonic_core::Result;
use syntonic_core::prelude::*;
use syntonic_cuda::Stream;

fn main() -> Result<()> {
    if let Some(reason) = syntonic_cuda::why_unavailable() {
        println!("{reason}");
        return Ok(());
    }
    let gpu = syntonic_cuda::open(0)?;
    let device = syntonic_cuda::device(0)?;
    let x = Tensor::ones_on(&[1 << 12], DType::F32, &device)?;

    // What this thread asks for goes to its current stream: the other one until the guard is dropped.
    let other = Stream::new(&gpu)?;
    let (begun, y, ended) = {
        let _entered = other.enter();
        let begun = other.record()?;
        let y = (&x * 2.0 + 1.0).eval()?;
        (begun, y, other.record()?)
    };
    // A result may be read on any stream; the wait between them is ours to insert.
    assert_eq!((y + 1.0).sum(..)?.to_scalar::<f32>()?, 4.0 * 4096.0);

    ended.synchronize()?;
    assert!(ended.is_done()? && ended.elapsed_ms(&begun)? >= 0.0);
    println!("{:.3} ms between the events", ended.elapsed_ms(&begun)?);
    Ok(())
}

#[test]
fn its_assertions_hold() -> Result<()> {
    main()
}
