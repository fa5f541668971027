//! Tensors on all GPUs of one process: a gradient of which each has a part of the data.
//! `cargo run -p syntonic-cuda --example 08_several_gpus`

use std::sync::Arc;
use syntonic_core::Result;
use syntonic_core::prelude::*;
use syntonic_cuda::collectives::{DeviceGroup, Reduction, Transport};
use syntonic_cuda::{copies, open, peer_access};

const SAMPLES: usize = 1000;
const FEATURES: usize = 12;
/// With it the error halves in each step at least: twice the eigenvalues of the samples' second moments lie between 0.48 and 0.84.
const RATE: f64 = 2.0;
const STEPS: usize = 40;

fn main() -> Result<()> {
    if let Some(reason) = syntonic_cuda::why_unavailable() {
        println!("{reason}");
        return Ok(());
    }
    let count = syntonic_cuda::device_count() as u32;
    let gpus = (0..count).map(open).collect::<Result<Vec<_>>>()?;
    for (from, to) in (0..count).flat_map(|from| (0..from).map(move |to| (from, to))) {
        println!("cuda:{from} reaches cuda:{to}: {}", peer_access(from, to)?);
    }

    // Copies need no library. NCCL is another choice, never a silent one.
    let group = DeviceGroup::new(&gpus, Transport::Copies)?;
    let x = Tensor::from_vec(
        (0..SAMPLES * FEATURES)
            .map(|k| ((k * k * 31 + k * 7) % 257) as f64 / 128.0 - 1.0)
            .collect(),
        &[SAMPLES, FEATURES],
    )?;
    let truth = Tensor::arange(0.0, FEATURES as f64, 1.0)?;
    let target = (&x * &truth).sum(-1)?;

    // Nearly equal parts of the samples, one on each GPU, and the weights on all.
    let (xs, targets) = (group.scatter(&x, 0)?, group.scatter(&target, 0)?);
    let mut weights = group.broadcast(&Tensor::zeros(&[FEATURES], DType::F64)?)?;
    for _ in 0..STEPS {
        let parts = xs.iter().zip(&targets).zip(&weights);
        let gradients = parts.map(|((x, target), w)| {
            // The products wait for nobody: every GPU is asked before the first one is done.
            let error = (x * w).sum(-1)? - target;
            (x * error.expand_dims(&[-1])?)
                .sum(0)?
                .try_div(SAMPLES as f64)
        });
        let gradients = gradients.collect::<Result<Vec<_>>>()?;
        // The same bits on all GPUs: so the weights are, too.
        let summed = group.all_reduce(&gradients, Reduction::Sum)?;
        for (w, gradient) in weights.iter_mut().zip(&summed) {
            *w = (&*w - gradient * RATE).eval()?;
        }
    }
    let first = weights[0].to_vec::<f64>()?;
    for w in &weights {
        assert_eq!(w.to_vec::<f64>()?, first);
    }
    for (found, want) in first.iter().zip(0..FEATURES) {
        assert!((found - want as f64).abs() < 1e-6, "{first:?}");
    }

    // One tensor of the parts again, on one GPU.
    let last = gpus.last().unwrap_or(&gpus[0]);
    let whole = group.gather(&xs, 0, last)?;
    assert_eq!(whole.to_vec::<f64>()?, x.to_vec::<f64>()?);

    // A single copy that overlaps what both GPUs do meanwhile.
    let device: Arc<dyn Device> = gpus[0].clone();
    let y = (x.to(&device)? * 2.0).eval()?;
    let there = copies::upload(last, &y)?;
    assert_eq!(there.device_id(), last.id());
    assert_eq!(
        (there + 1.0).to_vec::<f64>()?,
        (&x * 2.0 + 1.0).to_vec::<f64>()?
    );
    println!("{count} GPUs found {:.3?}", &first[..3]);
    Ok(())
}

#[test]
fn its_assertions_hold() -> Result<()> {
    main()
}
