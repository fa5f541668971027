//! Batches on their way in, at work and on their way out at the same time, on three streams.
//! `cargo run -p syntonic-cuda --example 06_copies_that_do_not_wait`

use syntonic_core::Result;
use syntonic_core::prelude::*;
use syntonic_cuda::{Prefetch, Priority, Stream, copies, pinned};

const BATCHES: usize = 8;
const ROWS: usize = 1 << 16;

/// A batch as it comes from a file or the net.
fn batch(k: usize) -> Result<Vec<Tensor>> {
    Ok(vec![Tensor::full(&[ROWS], k as f64, DType::F32)?])
}

fn main() -> Result<()> {
    if let Some(reason) = syntonic_cuda::why_unavailable() {
        println!("{reason}");
        return Ok(());
    }
    let gpu = syntonic_cuda::open(0)?;
    let work = Stream::new(&gpu)?;
    // Small copies out go ahead of large work.
    let out = Stream::with_priority(&gpu, Priority::High)?;

    let mut results = Vec::new();
    // Two batches are copied in, on a stream of the loader's, while a third is worked on.
    for batch in Prefetch::new(&gpu, (0..BATCHES).map(batch), 2)? {
        let y = {
            let _entered = work.enter();
            (&batch?[0] * 2.0 + 1.0).eval()?
        };
        let _entered = out.enter();
        results.push(copies::download(&y)?);
    }
    // Nobody has waited so far; who reads a result waits for its copy.
    for (k, y) in results.iter().enumerate() {
        assert!(pinned::is_pinned(y));
        assert_eq!(y.to_vec::<f32>()?, vec![2.0 * k as f32 + 1.0; ROWS]);
    }

    // The same by hand: what is in the air stays as it was, whoever writes or drops its source.
    let mut x = pinned::zeros(&gpu, &[ROWS], DType::F32)?;
    let mut sent = Vec::new();
    for k in 0..4 {
        x.assign(&Tensor::full(&[ROWS], k, DType::F32)?)?;
        sent.push(copies::upload(&gpu, &x)?);
    }
    drop(x);
    for (k, y) in sent.iter().enumerate() {
        assert_eq!(y.to_vec::<f32>()?, vec![k as f32; ROWS]);
    }
    println!("{BATCHES} batches of {ROWS} rows went in and out");
    Ok(())
}

#[test]
fn its_assertions_hold() -> Result<()> {
    main()
}
