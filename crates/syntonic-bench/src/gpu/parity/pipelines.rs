//! Plans on a GPU: every mode has the numbers of the reference, and the report says what the kernels take of the card.

use super::Check;
use crate::gpu::pipelines::plans::{Inference, LinearChain, TransferEntropy, beliefs, coordinates};
use crate::gpu::{Gpu, compare_each, finite, unit};
use anyhow::{Context as _, Result, ensure};
use syntonic_core::pipeline::samples::Sample;
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

stages! {
    /// Newton's steps to square roots, until none is longer than a thousandth; and how many there were.
    struct Roots(square: [n], guess: [n], count: [1]) -> (next, rounds) {
        repeat 60 until done carrying (guess <- next, count <- rounds) {
            #[stage(1)] next: [n] = |guess, square| 0.5 * (guess + square / guess);
            #[stage(2, reduction = max)] step: [] = |guess, next| abs(next - guess);
            #[stage(3)] done: [] = |step| select(lt(step, 1e-3), 1.0, 0.0);
            #[stage(1)] rounds: [1] = |count| count + 1.0;
        }
    }
}

/// Random plans, and how many a check has.
const RANDOM: usize = 48;
const EACH: usize = 4;

/// The modes beside the reference.
const MODES: [Mode; 4] = [Mode::Unfused, Mode::Partial, Mode::Fused, Mode::Captured];

pub(super) fn checks() -> Vec<Check> {
    // few: plans and types.
    let mut all = Vec::new();
    for first in (0..RANDOM).step_by(EACH) {
        let name = format!("pipelines/random/{first}");
        all.push(Check::new(name, move |gpu| {
            (first..first + EACH).try_for_each(|seed| random(gpu, seed as u64))
        }));
    }
    for dtype in [DType::F32, DType::F64] {
        let name = format!("pipelines/inference/{dtype}");
        all.push(Check::new(name, move |gpu| inference(gpu, dtype)));
        let name = format!("pipelines/entropy/{dtype}");
        all.push(Check::new(name, move |gpu| entropy(gpu, dtype)));
        let name = format!("pipelines/chain/{dtype}");
        all.push(Check::new(name, move |gpu| chain(gpu, dtype)));
        let name = format!("pipelines/until/{dtype}");
        all.push(Check::new(name, move |gpu| until(gpu, dtype)));
    }
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

/// Copies of the inputs of a plan on the GPU.
pub(super) fn taken(gpu: &Gpu, given: &[&Tensor]) -> Result<Vec<Tensor>> {
    // few: inputs of a plan.
    given.iter().map(|t| gpu.take(t)).collect()
}

fn is_one_launch(plan: &Plan, there: &[&Tensor]) -> Result<()> {
    let report = plan.report(there, Mode::Fused)?;
    ensure!(report.launches() == 1, "{report}");
    Ok(())
}

/// Within `bound` times the largest magnitude, or 1 where all are smaller.
pub(super) fn near(got: &Tensor, want: &Tensor, bound: f64) -> Result<()> {
    let magnitude = want.abs()?.max(..)?.to_scalar::<f64>()?.max(1.0);
    let bounds = vec![bound * magnitude; want.numel()]; // few: a small operand's.
    compare_each(&got.cast(DType::F64)?, want, &bounds)
}

/// A random plan, and what the reference on the CPU gives; nothing for the least or largest of nothing.
pub(super) fn sampled(seed: u64) -> Result<Option<(Sample, Vec<Tensor>)>> {
    let sample = Sample::of(seed)?;
    let given: Vec<&Tensor> = sample.inputs.iter().collect();
    let want = sample.plan.run(&given, Mode::Reference).ok();
    Ok(want.map(|want| (sample, want)))
}

/// Results of a random plan have its types, and are within its bounds of the reference's.
pub(super) fn within(sample: &Sample, got: &[Tensor], want: &[Tensor]) -> Result<()> {
    for ((got, want), (bound, dtype)) in got.iter().zip(want).zip(&sample.bounds) {
        ensure!(got.dtype() == *dtype, "{got:?}");
        // few: a small operand's.
        let bounds = vec![*bound; want.numel()];
        compare_each(&got.cast(DType::F64)?, want, &bounds)
            .with_context(|| sample.plan.to_string())?;
    }
    Ok(())
}

/// A random plan has the numbers of the reference on the CPU, fused and as a graph.
fn random(gpu: &Gpu, seed: u64) -> Result<()> {
    let Some((sample, want)) = sampled(seed)? else {
        return Ok(());
    };
    let given: Vec<&Tensor> = sample.inputs.iter().collect();
    let there = taken(gpu, &given)?;
    let there: Vec<&Tensor> = there.iter().collect();
    for mode in [Mode::Fused, Mode::Captured] {
        let got = sample.plan.run(&there, mode)?;
        within(&sample, &got, &want).with_context(|| format!("plan {seed}, {mode:?}"))?;
    }
    Ok(())
}

/// The chain of inference is one launch, and its numbers are those of the reference.
fn inference(gpu: &Gpu, dtype: DType) -> Result<()> {
    let plan = Inference::plan();
    for (m, n) in [(3, 5), (100, 900), (33, 257)] {
        let given = beliefs((m, n), dtype, |seed, shape| finite(dtype, shape, seed))?;
        let given: Vec<&Tensor> = given.iter().collect();
        let want = plan.run(&given, Mode::Reference)?;
        let there = taken(gpu, &given)?;
        let there: Vec<&Tensor> = there.iter().collect();
        // Sums of n or m numbers of about 1, in twelve stages that depend on each other.
        let bound = 12.0 * (n + m) as f64 * unit(1.0, dtype);
        for mode in [Mode::Fused, Mode::Captured] {
            for (got, want) in plan.run(&there, mode)?.iter().zip(&want) {
                near(got, want, bound)?;
            }
        }
        is_one_launch(plan, &there)?;
    }
    Ok(())
}

/// A loop that the device ends by itself has as many rounds as the reference.
fn until(gpu: &Gpu, dtype: DType) -> Result<()> {
    for square in [[4.0, 4.0, 9.0], [4.0, 1e4, 2.0]] {
        let given = [
            Tensor::from(square).cast(dtype)?.eval()?,
            Tensor::from([3.0, 3.0, 3.0]).cast(dtype)?.eval()?,
            Tensor::from([0.0]).cast(dtype)?.eval()?,
        ];
        let given: Vec<&Tensor> = given.iter().collect();
        let want = Roots::plan().run(&given, Mode::Reference)?;
        let there = taken(gpu, &given)?;
        let there: Vec<&Tensor> = there.iter().collect();
        for mode in [Mode::Fused, Mode::Captured] {
            let got = Roots::plan().run(&there, mode)?;
            let [roots, rounds] = [0, 1].map(|k| (got[k].cast(DType::F64), &want[k]));
            compare_each(&roots.0?, roots.1, &[4.0 * unit(100.0, dtype); 3])?;
            compare_each(&rounds.0?, rounds.1, &[0.0])?;
        }
        is_one_launch(Roots::plan(), &there)?;
    }
    Ok(())
}

/// Transfer entropy as a plan is one launch with the counts of the reference; differences of `float32` are those of its own numbers.
fn entropy(gpu: &Gpu, dtype: DType) -> Result<()> {
    let plan = TransferEntropy::plan();
    for n in [7, 65, 260] {
        let [source, noise] = [1, 2].map(|seed| finite(dtype, &[n], seed));
        let source = source?;
        let target = (&source * 0.5 + noise?).cast(dtype)?.eval()?;
        let given = coordinates(&source, &target)?;
        let given: Vec<&Tensor> = given.iter().collect();
        let want = plan.run(&given, Mode::Unfused)?;
        let there = taken(gpu, &given)?;
        let there: Vec<&Tensor> = there.iter().collect();
        for mode in [Mode::Fused, Mode::Captured] {
            let got = plan.run(&there, mode)?;
            for (k, (got, want)) in got.iter().zip(&want).enumerate() {
                // Counts are exact; of the mean, logarithms of numbers below 2^10 are off by some units in the last place.
                let bound = if k == 0 { 64.0 * f64::EPSILON } else { 0.0 };
                compare_each(got, want, &vec![bound; want.numel()])?; // few: a small operand's.
            }
        }
        is_one_launch(plan, &there)?;
    }
    Ok(())
}

/// The chain of vectors is one launch.
fn chain(gpu: &Gpu, dtype: DType) -> Result<()> {
    for (m, n) in [(1, 1), (33, 257), (130, 64)] {
        let shapes: [&[usize]; 4] = [&[m, n], &[n], &[m], &[m]];
        let each = (1..).zip(shapes);
        let given = each.map(|(seed, shape)| finite(dtype, shape, seed));
        let given = given.collect::<Result<Vec<_>>>()?; // few: four.
        let given: Vec<&Tensor> = given.iter().collect();
        let want = LinearChain::plan().run(&given, Mode::Reference)?;
        let there = taken(gpu, &given)?;
        let there: Vec<&Tensor> = there.iter().collect();
        for mode in [Mode::Fused, Mode::Captured] {
            for (got, want) in LinearChain::plan().run(&there, mode)?.iter().zip(&want) {
                near(got, want, 4.0 * (n + m) as f64 * unit(1.0, dtype))?;
            }
        }
    }
    Ok(())
}
