//! Work of several streams on the same memory happens in the order it was asked for.

use std::sync::Arc;

use crate::gpu::layouts::made_of;
use crate::gpu::parity::Check;
use crate::gpu::{Exactness, compare, sample};
use anyhow::{Context, Result};
use syntonic_core::fuse::{Prim, Program};
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::ops::linalg::matmul;
use syntonic_core::run::{Axes, rows};
use syntonic_core::{DType, Device, DeviceId, Scalar, Tensor};
use syntonic_cuda::{Cuda, Stream};
use syntonic_srt::nn;

/// Rows of the matrices: a product takes long enough for a missing wait to show.
const SIZE: usize = 1024;
/// Elements of a map whose last blocks begin long after its first.
const LONG: usize = 1 << 24;
/// Planes whose norms every block takes part in.
const PLANES: [usize; 4] = [128, 20, 56, 56];
/// How often a result changes hands.
const TURNS: usize = 30;

pub(in crate::gpu) fn checks() -> Vec<Check> {
    vec![
        Check::new("streams/a_chain_that_changes_streams", |gpu| {
            let one = chain(&gpu.device, &[])?;
            let cuda = typed(&gpu.device)?;
            let streams = [
                Stream::new(&cuda)?,
                Stream::new(&cuda)?,
                Stream::new(&cuda)?,
            ];
            compare(
                &chain(&gpu.device, &streams)?,
                &gpu.fetch(&one)?,
                Exactness::Same,
            )
        }),
        Check::new("streams/memory_given_back_by_another_stream", |gpu| {
            let cuda = typed(&gpu.device)?;
            let streams = [Stream::new(&cuda)?, Stream::new(&cuda)?];
            let a = gpu.take(&matrix(1)?)?;
            let want = gpu.fetch(&matmul(&a, &a)?)?;
            let mut kept = Vec::new();
            for turn in 0..TURNS {
                let _current = streams[turn % 2].enter();
                // The second product's memory is the first one's of the turn before, which may still be read.
                let passing = matmul(&a, &a)?.eval()?;
                kept.push(matmul(&passing, &a)?.eval()?);
                compare(&matmul(&a, &a)?, &want, Exactness::Same)?;
            }
            let first = gpu.fetch(&kept[0])?;
            kept.iter()
                .try_for_each(|x| compare(x, &first, Exactness::Same))
        }),
        Check::new("streams/a_kernel_waits_for_the_one_before", |gpu| {
            let fresh = |value: i32| -> Result<Tensor> {
                let x = Tensor::full_on(&[LONG], value, DType::I32, &gpu.device)?;
                Ok(apply(Prim::Add, &[(&x).into(), Arg::from(1)])?.eval()?)
            };
            // The last elements of a long map, whose memory had those of the turn before, by a short kernel right behind it.
            let last = (0..10 * TURNS as i32).map(|turn| {
                let end = fresh(turn)?.slice(0, Some(-8), None, 1)?;
                Ok(apply(Prim::Add, &[(&end).into(), Arg::from(1)])?.eval()?)
            });
            let last = last.collect::<Result<Vec<Tensor>>>()?;
            last.iter().zip(2..).try_for_each(|(x, value)| {
                let want = Tensor::full(&[8], value, DType::I32)?;
                compare(x, &want, Exactness::Same)
            })
        }),
        Check::new("streams/rows_whose_blocks_join_their_parts", |gpu| {
            let cuda = typed(&gpu.device)?;
            let streams = [Stream::new(&cuda)?, Stream::new(&cuda)?];
            let x = made_of(DType::F64, &PLANES, |i| (i * 7919 % 23) as f64 / 4.0)?;
            let x = gpu.take(&x)?;
            let norm = || -> Result<Tensor> {
                let all = rows(
                    plain_norm()?,
                    &[&x],
                    &[Scalar::Float(1.0); 2],
                    &[0, 2, 3],
                    Axes::Drop,
                )?;
                all.into_iter().next().context("a result")
            };
            let want = gpu.fetch(&norm()?)?;
            let mut kept = Vec::new();
            for turn in 0..4 {
                let _current = streams[turn % 2].enter();
                kept.push(norm()?);
            }
            kept.iter()
                .try_for_each(|x| compare(x, &want, Exactness::Same))
        }),
        Check::new("streams/events_measure_time", |gpu| {
            let cuda = typed(&gpu.device)?;
            let stream = Stream::new(&cuda)?;
            let _current = stream.enter();
            let a = gpu.take(&matrix(1)?)?;
            matmul(&a, &a)?.eval()?;
            let start = stream.record()?;
            for _ in 0..TURNS {
                matmul(&a, &a)?.eval()?;
            }
            let end = stream.record()?;
            let milliseconds = end.elapsed_ms(&start)?;
            // At most 60 TFLOP/s of float32, and a hundred times slower on a small card.
            let least = 2.0 * (SIZE as f32).powi(3) * TURNS as f32 / 60e12 * 1e3;
            anyhow::ensure!(
                (least..1000.0 * least).contains(&milliseconds) && end.is_done()?,
                "{milliseconds} ms"
            );
            Ok(())
        }),
        Check::new("streams/large_copies", |gpu| {
            let cuda = typed(&gpu.device)?;
            for n in [(2 << 20) - 1, 2 << 20, (8 << 20) + 1, (71 << 20) + 3] {
                let x = sample(DType::U8, &[n], 3)?;
                compare(&gpu.fetch(&gpu.take(&x)?)?, &x, Exactness::Same)?;
                let stream = Stream::new(&cuda)?;
                let _current = stream.enter();
                compare(&gpu.fetch(&gpu.take(&x)?)?, &x, Exactness::Same)?;
            }
            Ok(())
        }),
    ]
}

/// A batch norm of one operand and two numbers.
fn plain_norm() -> Result<&'static Program> {
    let mut norms = nn::formulas().into_iter();
    let norm = norms.find(|p| p.name == "BATCH_NORM_PLAIN");
    norm.context("the program of a batch norm")
}

fn typed(device: &Arc<dyn Device>) -> Result<Arc<Cuda>> {
    match device.id() {
        DeviceId::Cuda(ordinal) => Ok(syntonic_cuda::open(ordinal)?),
        other => Err(anyhow::anyhow!("{other} is no GPU")),
    }
}

fn matrix(seed: u64) -> Result<Tensor> {
    let values: Vec<f32> = (0..SIZE * SIZE)
        .map(|i| {
            let mixed = (i as u64 + seed).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            (mixed >> 40) as f32 / (1 << 24) as f32 - 0.5
        })
        .collect();
    Ok(Tensor::from_vec(values, &[SIZE, SIZE])?)
}

/// Products that depend on each other, each asked of the next stream in turn.
fn chain(device: &Arc<dyn Device>, streams: &[Stream]) -> Result<Tensor> {
    let a = matrix(1)?.to(device)?;
    let mut x = matrix(2)?.to(device)?;
    for turn in 0..TURNS {
        let _current = streams.get(turn % streams.len().max(1)).map(Stream::enter);
        x = matmul(&a, &x).and_then(|x| x.eval()).context("a product")?;
    }
    Ok(x)
}
