//! Random numbers are the CPU's bits, wherever a draw begins.

use super::Check;
use crate::gpu::{Exactness, Gpu, compare};
use anyhow::{Result, ensure};
use std::sync::Arc;
use syntonic_core::ops::random;
use syntonic_core::random::Generator;
use syntonic_core::{DType, Device, Tensor, cpu};

/// Draws of several lengths one after the other, so that they begin at every place of a block.
const LENGTHS: [usize; 8] = [1, 3, 4096, 0, 5, 100_003, 1_048_576, 2];

/// Draws that many values of a type.
type Draw = fn(usize, DType, &mut Generator, &Arc<dyn Device>) -> syntonic_core::Result<Tensor>;

pub(super) fn checks() -> Vec<Check> {
    let floats = [DType::F16, DType::BF16, DType::F32, DType::F64];
    let integers = DType::ALL.into_iter().filter(|d| d.is_integer());
    let uniform: Draw = |n, dtype, g, device| random::uniform(&[n], -1.5, 4.0, dtype, g, device);
    let normal: Draw = |n, dtype, g, device| random::normal(&[n], 0.5, 3.0, dtype, g, device);
    let plain: Draw = |n, dtype, g, device| random::normal(&[n], 0.0, 1.0, dtype, g, device);
    let unit: Draw = |n, dtype, g, device| random::uniform(&[n], 0.0, 1.0, dtype, g, device);
    let whole: Draw = |n, dtype, g, device| random::integers(&[n], 1, 100, dtype, g, device);
    let order: Draw = |n, _, g, device| random::permutation(n, g, device);
    let mut all: Vec<Check> = Vec::new();
    for (name, draw) in [
        ("uniform", uniform),
        ("uniform_unit", unit),
        ("normal", normal),
        ("normal_plain", plain),
    ] {
        all.extend(floats.map(|dtype| same_bits(name, draw, dtype)));
    }
    all.extend(integers.map(|dtype| same_bits("integers", whole, dtype)));
    all.push(same_bits("permutation", order, DType::I64));
    let wide: Draw =
        |n, dtype, g, device| random::integers(&[n], i64::MIN, i64::MAX, dtype, g, device);
    all.push(same_bits("integers_wide", wide, DType::I64));
    all.push(Check::new("random/large/uniform/float32", large));
    all
}

/// The same draws on both devices; their ends have seeds whose words and blocks carry and wrap.
fn same_bits(name: &'static str, draw: Draw, dtype: DType) -> Check {
    Check::new(format!("random/{name}/{dtype}"), move |gpu| {
        for (seed, offset) in [(42, 0), (u64::MAX - 2, (1 << 34) - 9), (7, u64::MAX - 5000)] {
            let mut here = Generator { seed, offset };
            let mut there = here;
            for n in LENGTHS {
                let want = draw(n, dtype, &mut here, &cpu())?;
                let got = draw(n, dtype, &mut there, &gpu.device)?;
                compare(&got, &want, Exactness::Same)?;
            }
            ensure!(
                here == there,
                "the generators stand at {here:?} and {there:?}"
            );
        }
        Ok(())
    })
}

/// More than 2^31 elements: the end of the draw is that of the stream.
fn large(gpu: &Gpu) -> Result<()> {
    let n = (1usize << 31) + 7;
    let end = 1000;
    let x = random::uniform(
        &[n],
        0.0,
        1.0,
        DType::F32,
        &mut Generator::new(3),
        &gpu.device,
    )?;
    let mut last = Generator {
        seed: 3,
        offset: (n - end) as u64,
    };
    let want = random::uniform(&[end], 0.0, 1.0, DType::F32, &mut last, &cpu())?;
    let got = gpu.fetch(&x.slice(0, Some((n - end) as isize), None, 1)?)?;
    compare(&got, &want, Exactness::Same)
}
