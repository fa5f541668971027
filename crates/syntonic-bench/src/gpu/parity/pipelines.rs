//! Plans on a GPU: every mode has the numbers of the reference, and the report says what the kernels take of the card.

use super::Check;
use crate::gpu::{Gpu, compare_each, finite, unit};
use anyhow::{Result, ensure};
use syntonic_core::pipeline::{Mode, Plan};
use syntonic_core::{DType, Tensor, cpu, stages};

stages! {
    /// Softmax of each row.
    struct Softmax(x: [n, m]) -> (p) {
        #[stage(1, reduction = max)] top: [n, 1] = |x| x;
        #[stage(2)] e: [n, m] = |x, top| exp(x - top);
        #[stage(3, reduction = sum)] total: [n, 1] = |e| e;
        #[stage(4)] p: [n, m] = |e, total| e / total;
    }
}

stages! {
    /// A layer: the formula is the end of the product.
    struct Layer(x: [n, k], w: [k, m], bias: [m]) -> (y) {
        #[stage(1)] product: [n, m] = product(x, w);
        #[stage(2)] y: [n, m] = |product, bias| maximum(product + bias, 0.0);
    }
}

/// The modes beside the reference.
const MODES: [Mode; 3] = [Mode::Unfused, Mode::Fused, Mode::Captured];

pub(super) fn checks() -> Vec<Check> {
    // few: four.
    let mut all = Vec::new();
    for dtype in [DType::F32, DType::F64] {
        all.push(Check::new(
            format!("pipelines/softmax/{dtype}"),
            move |gpu| softmax(gpu, dtype),
        ));
        all.push(Check::new(format!("pipelines/layer/{dtype}"), move |gpu| {
            layer(gpu, dtype)
        }));
    }
    all
}

/// Every mode has what the reference has, to within `bound`.
fn agree(plan: &Plan, inputs: &[&Tensor], bound: f64) -> Result<()> {
    let want = plan.run(inputs, Mode::Reference)?.remove(0);
    let want = want.to(&cpu())?;
    for mode in MODES {
        // The reference is in float64.
        let got = plan.run(inputs, mode)?.remove(0).cast(DType::F64)?;
        compare_each(&got, &want, &vec![bound; want.numel()])?; // few: a small operand's.
    }
    Ok(())
}

/// Entries are at most 1: each has two roundings of `exp`, one for each level of a sum, and those of a difference and a quotient.
fn softmax(gpu: &Gpu, dtype: DType) -> Result<()> {
    for [n, m] in [[1, 1], [3, 257], [64, 1025]] {
        let x = gpu.take(&finite(dtype, &[n, m], 1)?)?;
        let roundings = 8.0 + m as f64;
        agree(Softmax::plan(), &[&x], roundings * unit(1.0, dtype))?;
    }
    let x = gpu.take(&finite(dtype, &[64, 1025], 1)?)?;
    let report = Softmax::plan().report(&[&x], Mode::Fused)?;
    ensure!(report.launches() == 1, "{report}");
    let row = &report.rows[0];
    ensure!(!row.kernels.is_empty(), "{report}");
    for kernel in &row.kernels {
        let held = kernel.occupancy > 0.0 && kernel.occupancy <= 1.0;
        ensure!(
            held && kernel.registers > 0 && kernel.blocks > 0,
            "{kernel}"
        );
        ensure!(report.to_string().contains(&kernel.to_string()), "{report}");
    }
    Ok(())
}

/// Sums of `k` products of numbers below 1.
fn layer(gpu: &Gpu, dtype: DType) -> Result<()> {
    for [n, k, m] in [[1, 1, 1], [33, 65, 17], [128, 64, 130]] {
        let x = gpu.take(&finite(dtype, &[n, k], 1)?)?;
        let w = gpu.take(&finite(dtype, &[k, m], 2)?)?;
        let bias = gpu.take(&finite(dtype, &[m], 3)?)?;
        let roundings = (k * (k + 2)) as f64;
        agree(
            Layer::plan(),
            &[&x, &w, &bias],
            roundings * unit(1.0, dtype),
        )?;
    }
    Ok(())
}
