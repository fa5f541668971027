//! Chunks on their way in, at work and on their way out on three streams, and what of that goes on at the same time.
//! `cargo run --release -p syntonic-cuda --example 07_work_beside_copies`

use std::collections::VecDeque;
use std::sync::Arc;
use syntonic_core::Result;
use syntonic_core::prelude::*;
use syntonic_cuda::{Cuda, Stream, copies, pinned};

const CHUNKS: usize = 16;
const ELEMENTS: usize = 1 << 18;
/// Chunks whose memory stays taken. A copy into memory that work still reads would wait for that work.
const KEPT: usize = 4;

/// What is done with a chunk: it returns as soon as the GPU was asked, as everything does that gives no number to the host.
fn work(x: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    for _ in 0..8 {
        y = (&y * 0.5 + 1.0).eval()?;
    }
    Ok(y)
}

/// Which of the three a run has.
#[derive(Clone, Copy, PartialEq)]
enum Stage {
    In,
    Work,
    Out,
    All,
}

/// Milliseconds on the GPU, and the last results.
fn run(
    gpu: &Arc<Cuda>,
    [bring, at_work, take]: &[Stream; 3],
    chunks: &[Tensor],
    stage: Stage,
) -> Result<(f32, VecDeque<Tensor>)> {
    let mut x = copies::upload(gpu, &chunks[0])?;
    let mut y = work(&x)?;
    gpu.synchronize()?;
    // An event is a point in the work of a stream: two of them measure what lies between, on the GPU's own clock.
    let start = if stage == Stage::Work {
        at_work
    } else if stage == Stage::Out {
        take
    } else {
        bring
    };
    let start = start.record()?;
    let (mut kept, mut results) = (VecDeque::new(), VecDeque::new());
    for k in 0..CHUNKS {
        if matches!(stage, Stage::In | Stage::All) {
            let _entered = bring.enter();
            x = copies::upload(gpu, &chunks[k % chunks.len()])?;
        }
        if matches!(stage, Stage::Work | Stage::All) {
            let _entered = at_work.enter();
            y = work(&x)?;
        }
        if matches!(stage, Stage::Out | Stage::All) {
            let _entered = take.enter();
            results.push_back(copies::download(&y)?);
        }
        // Nobody waits for a stream here: the device orders what uses the same memory.
        kept.push_back((x.clone(), y.clone()));
        if kept.len() > KEPT {
            kept.pop_front();
        }
        if results.len() > KEPT {
            results.pop_front();
        }
    }
    let end = match stage {
        Stage::In => bring,
        Stage::Work => at_work,
        Stage::Out | Stage::All => take,
    };
    Ok((end.record()?.elapsed_ms(&start)?, results))
}

fn main() -> Result<()> {
    if let Some(reason) = syntonic_cuda::why_unavailable() {
        println!("{reason}");
        return Ok(());
    }
    let gpu = syntonic_cuda::open(0)?;
    let streams = [Stream::new(&gpu)?, Stream::new(&gpu)?, Stream::new(&gpu)?];
    let chunk = |k: usize| Tensor::full(&[ELEMENTS], k as f64, DType::F32);
    let chunks: Vec<Tensor> = (0..KEPT)
        .map(|k| pinned::pin(&gpu, &chunk(k)?))
        .collect::<Result<_>>()?;
    // The first run takes memory and loads kernels.
    run(&gpu, &streams, &chunks, Stage::All)?;
    let alone =
        [Stage::In, Stage::Work, Stage::Out].map(|stage| run(&gpu, &streams, &chunks, stage));
    let mut longest = 0.0f32;
    for (name, alone) in ["in", "work", "out"].into_iter().zip(alone) {
        let (milliseconds, _) = alone?;
        println!("{name:>8}: {milliseconds:.3} ms");
        longest = longest.max(milliseconds);
    }
    let (together, results) = run(&gpu, &streams, &chunks, Stage::All)?;
    println!(
        "together: {together:.3} ms, {:.2} of the longest",
        longest / together
    );

    for (k, y) in (CHUNKS - KEPT..).zip(&results) {
        let want = work(&chunk(k % KEPT)?)?;
        assert_eq!(y.to_vec::<f32>()?, want.to_vec::<f32>()?);
    }
    Ok(())
}

#[test]
fn its_assertions_hold() -> Result<()> {
    main()
}
