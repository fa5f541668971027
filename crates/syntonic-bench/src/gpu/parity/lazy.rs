//! Random expression graphs of core's tests, on the GPU: read later and fused, computed at once, and as a slow model says.

#[path = "../../../../syntonic-core/tests/lazy_random/graph/mod.rs"]
mod graph;

use anyhow::{Result, bail, ensure};
use graph::{Stage, complaint, script};
use std::sync::Arc;
use syntonic_core::fuse::Prim;
use syntonic_core::lazy::explain;
use syntonic_core::ops::elementwise::apply;
use syntonic_core::{DType, Device, Tensor};

use super::Check;
use crate::gpu::Gpu;

/// Graphs of a check.
const GRAPHS: u64 = 10;
/// Checks of graphs with and without products of matrices.
const CHECKS: u64 = 20;

pub(super) fn checks() -> Vec<Check> {
    let mut all = vec![Check::new("lazy/a short chain waits", short_chain)];
    for k in 0..CHECKS {
        all.push(Check::new(format!("lazy/random program {k}"), move |gpu| {
            graphs(gpu, k, Products::Without)
        }));
    }
    for k in 0..CHECKS / 4 {
        let name = format!("lazy/products/random program {k}");
        all.push(Check::new(name, move |gpu| graphs(gpu, k, Products::With)));
    }
    all
}

/// Six operations on a thousand elements are one launch, with the values of six.
fn short_chain(gpu: &Gpu) -> Result<()> {
    let values: Vec<f32> = (0..1000).map(|k| k as f32 / 256.0 - 1.0).collect();
    let chain = |x: &Tensor| -> syntonic_core::Result<Tensor> {
        let one = |prim, x: &Tensor| apply(prim, &[x.into()]);
        let by = |prim, x: &Tensor, number: f64| apply(prim, &[x.into(), number.into()]);
        let scaled = by(Prim::Add, &by(Prim::Mul, x, 3.0)?, 0.25)?;
        one(
            Prim::Square,
            &by(Prim::Sub, &one(Prim::Abs, &one(Prim::Neg, &scaled)?)?, 2.0)?,
        )
    };
    let here = Tensor::from_vec(values, &[1000])?;
    let there = chain(&here.to(&gpu.device)?)?;
    let plan = explain(&there)?;
    ensure!(plan.contains("6 expressions fused"), "{plan}");
    ensure!(there.to_vec::<f32>()? == chain(&here)?.to_vec::<f32>()?);
    Ok(())
}

/// Which graphs a check takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Products {
    With,
    Without,
}

fn graphs(gpu: &Gpu, k: u64, products: Products) -> Result<()> {
    let stage = Stage {
        device: gpu.device.clone(),
        make: tensor,
        // A GPU does not fail when it is told to.
        fail: |_, work| work(),
        hesitate: |_| (),
    };
    let drawn = (k << 32..).map(|seed| (seed, script(seed)));
    let chosen = drawn.filter(|(_, drawn)| drawn.0.multiplies() == (products == Products::With));
    for (seed, (steps, models)) in chosen.take(GRAPHS as usize) {
        if let Some(text) = complaint(&steps, &models, &stage, seed) {
            bail!("graph {seed}: {text}\n{steps}");
        }
    }
    Ok(())
}

fn tensor(values: &[f64], shape: &[usize], dtype: DType, device: &Arc<dyn Device>) -> Tensor {
    let made = Tensor::from_slice(values, shape).and_then(|t| t.cast(dtype)?.to(device)?.eval());
    made.expect("a small tensor")
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntonic_core::cpu;

    /// The CPU beside itself: drawing, playing and comparing fit together here, too.
    #[test]
    fn graphs_are_played_on_the_cpu() {
        let here = Gpu { device: cpu() };
        graphs(&here, 0, Products::Without).unwrap();
        graphs(&here, 0, Products::With).unwrap();
    }
}
