//! Indices: operands without memory. Where a kernel computes them, and where it reads numbers that were written first, a GPU has what the
//! CPU has.

use super::Check;
use crate::gpu::{Exactness, Gpu, compare, sample};
use anyhow::{Context, Result, ensure};
use std::sync::Arc;
use syntonic_core::fuse::Prim;
use syntonic_core::lazy::explain;
use syntonic_core::ops::create::{Endpoint, arange, eye, linspace};
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::ops::rearrange::{tril, triu};
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::random::Generator;
use syntonic_core::{DType, Device, Scalar, Tensor, cpu};

/// What is computed on a device, of numbers that were drawn.
type Work = fn(&Arc<dyn Device>) -> syntonic_core::Result<Vec<Tensor>>;

const CASES: &[(&str, Exactness, Work)] = &[
    ("one line", Exactness::Same, one_line),
    ("a line of each type", Exactness::Same, types),
    ("broadcast", Exactness::Same, broadcast),
    ("views", Exactness::Same, views),
    ("turned operands", Exactness::Same, turned),
    ("triangles", Exactness::Same, triangles),
    ("matrices of each type", Exactness::Same, matrices),
    ("ranges", Exactness::Same, ranges),
    ("far apart", Exactness::Same, far_apart),
    ("whole sums", Exactness::Same, whole_sums),
    ("columns", Exactness::UlpsOfOne(64.0), columns),
    ("long rows", Exactness::UlpsOfOne(64.0), long_rows),
    ("causal softmax", Exactness::UlpsOfOne(64.0), softmax),
    ("places of the largest", Exactness::Same, largest),
];

pub(super) fn checks() -> Vec<Check> {
    let each = CASES.iter().map(|&(name, exactness, work)| {
        Check::new(format!("indices/{name}"), move |gpu| {
            as_on_the_cpu(gpu, exactness, work)
        })
    });
    let mut all: Vec<Check> = each.collect();
    all.push(Check::new("indices/nothing is read", nothing_is_read));
    all
}

fn as_on_the_cpu(gpu: &Gpu, exactness: Exactness, work: Work) -> Result<()> {
    let (got, want) = (work(&gpu.device)?, work(&cpu())?);
    ensure!(got.len() == want.len());
    for (k, (got, want)) in got.iter().zip(&want).enumerate() {
        compare(got, &want.eval()?, exactness).with_context(|| format!("result {k}"))?;
    }
    Ok(())
}

fn drawn(shape: &[isize], device: &Arc<dyn Device>) -> syntonic_core::Result<Tensor> {
    let mut level = vec![0f32; shape.iter().product::<isize>() as usize];
    Generator::new(91).uniform_f32(&mut level);
    let n = level.len();
    Tensor::from_vec(level, &[n])?.reshape(shape)?.to(device)
}

fn range(
    start: i64,
    stop: i64,
    step: i64,
    device: &Arc<dyn Device>,
) -> syntonic_core::Result<Tensor> {
    arange(start.into(), stop.into(), step.into(), None, device)
}

fn up_to(n: i64, device: &Arc<dyn Device>) -> syntonic_core::Result<Tensor> {
    range(0, n, 1, device)
}

fn chosen(condition: &Tensor, a: &Tensor, b: f64) -> syntonic_core::Result<Tensor> {
    apply(Prim::Select, &[condition.into(), a.into(), Arg::from(b)])
}

fn one_line(device: &Arc<dyn Device>) -> syntonic_core::Result<Vec<Tensor>> {
    let n = 3 * 4096 + 77;
    let (x, i) = (drawn(&[n], device)?, up_to(n as i64, device)?);
    let some = apply(Prim::Lt, &[(&i).into(), Arg::from(5000)])?;
    let small = range(-5, 60, 1, device)?;
    Ok(vec![
        chosen(&some, &x, -1.0)?,
        i.try_mul(3)?,
        x.try_add(&range(7, 7 + n as i64, 1, device)?)?,
        x.try_mul(&range(2 * n as i64, 0, -2, device)?)?,
        small.try_mul(&small)?,
        i.copy()?,
    ])
}

fn types(device: &Arc<dyn Device>) -> syntonic_core::Result<Vec<Tensor>> {
    let mut all = Vec::new();
    for dtype in DType::ALL.into_iter().filter(|d| d.size() > 1) {
        let x = drawn(&[10_001], device)?.cast(dtype)?.eval()?;
        let i = up_to(10_001, device)?;
        let low = apply(Prim::Rem, &[(&i).into(), Arg::from(7)])?;
        all.push(apply(
            Prim::Add,
            &[(&x).into(), (&low.cast(dtype)?).into()],
        )?);
    }
    Ok(all)
}

fn broadcast(device: &Arc<dyn Device>) -> syntonic_core::Result<Vec<Tensor>> {
    let mut all = Vec::new();
    for (rows, cols) in [(64, 256), (65, 131), (3, 5000), (5000, 3), (1, 4099)] {
        let x = drawn(&[rows, cols], device)?;
        let i = up_to(rows as i64, device)?.expand_dims(&[1])?;
        let j = range(-2, cols as i64 - 2, 1, device)?;
        let seen = apply(Prim::Ge, &[(&i).into(), (&j).into()])?;
        all.push(chosen(&seen, &x, f64::NEG_INFINITY)?);
        all.push(i.try_mul(&j)?);
        all.push(x.try_mul(&i)?.try_add(&j)?);
    }
    Ok(all)
}

fn views(device: &Arc<dyn Device>) -> syntonic_core::Result<Vec<Tensor>> {
    let i = range(5, 5 + 3 * 24_000, 3, device)?.reshape(&[20, 30, 40])?;
    let views = [
        i.clone(),
        i.flip(&[0, 2])?,
        i.permute(&[2, 0, 1])?,
        i.slice(2, Some(1), None, 3)?,
        i.slice(1, None, None, 2)?.flip(&[1])?,
        i.slice(0, Some(20), None, 1)?,
        i.slice(2, Some(3), Some(4), 1)?
            .broadcast_to(&[20, 30, 50])?,
    ];
    let mut all = Vec::new();
    for view in views {
        all.push(view.try_mul(2)?);
        all.push(view.cast(DType::F32)?.try_add(0.5)?);
        all.push(reduce::sum(&view, &Over::axes(&[1]), None)?);
    }
    Ok(all)
}

fn turned(device: &Arc<dyn Device>) -> syntonic_core::Result<Vec<Tensor>> {
    let x = drawn(&[96, 160], device)?.t()?;
    let i = up_to(160, device)?.expand_dims(&[1])?;
    let j = up_to(96, device)?;
    let both = up_to(160 * 96, device)?.reshape(&[96, 160])?.t()?;
    let seen = apply(Prim::Lt, &[(&i).into(), (&j).into()])?;
    Ok(vec![
        chosen(&seen, &x, 0.0)?,
        x.try_mul(&both)?,
        both.try_sub(&i)?,
    ])
}

fn triangles(device: &Arc<dyn Device>) -> syntonic_core::Result<Vec<Tensor>> {
    let x = drawn(&[3, 130, 97], device)?;
    Ok(vec![
        tril(&x, 2)?,
        triu(&x, -3)?,
        eye(130, 97, 4, DType::F32, device)?,
    ])
}

/// Triangles, and what a Hermitian matrix has on its diagonal.
fn matrices(device: &Arc<dyn Device>) -> syntonic_core::Result<Vec<Tensor>> {
    let mut all = Vec::new();
    for dtype in DType::ALL {
        for shape in [&[2, 12, 12][..], &[33, 33], &[16, 16]] {
            let x = sample(dtype, shape, 5)
                .map_err(|e| failed(&e))?
                .to(device)?;
            let turned = x.transpose(-2, -1)?;
            all.extend([tril(&x, 0)?, triu(&x, 1)?, tril(&turned, -1)?]);
            if !dtype.is_bool() {
                // An operand that waits and lies turned in a space of its own shape.
                let lower = tril(&x, 0)?.transpose(-2, -1)?;
                all.push(apply(Prim::Square, &[(&lower).into()])?);
            }
            if dtype.is_complex() {
                let row = up_to(x.shape()[x.ndim() - 1] as i64, device)?;
                let on = apply(Prim::Eq, &[(&row).into(), (&row.expand_dims(&[1])?).into()])?;
                let real = x.real()?.cast(dtype)?;
                let whole = apply(Prim::Select, &[(&on).into(), (&real).into(), (&x).into()])?;
                all.push(tril(&whole, 0)?);
                all.push(whole);
            }
        }
    }
    Ok(all)
}

fn failed(error: &anyhow::Error) -> syntonic_core::Error {
    syntonic_core::Error::value("sample", format!("{error:#}"))
}

fn ranges(device: &Arc<dyn Device>) -> syntonic_core::Result<Vec<Tensor>> {
    let mut all = Vec::new();
    for dtype in [DType::F16, DType::BF16, DType::F32, DType::F64] {
        let line = |endpoint| linspace(0.1.into(), 7.into(), 12_345, endpoint, Some(dtype), device);
        all.push(line(Endpoint::Included)?);
        all.push(line(Endpoint::Excluded)?);
        all.push(arange(
            0.25.into(),
            999.0.into(),
            0.1.into(),
            Some(dtype),
            device,
        )?);
    }
    for dtype in [DType::I16, DType::I32, DType::U32, DType::U64, DType::F32] {
        all.push(arange(
            9.into(),
            9009.into(),
            1.into(),
            Some(dtype),
            device,
        )?);
    }
    Ok(all)
}

/// Numbers that no offset of 32 bits reaches.
fn far_apart(device: &Arc<dyn Device>) -> syntonic_core::Result<Vec<Tensor>> {
    let step = 1i64 << 40;
    let far = range(-(step * 3000), step * 3000, step, device)?;
    let turned = far.reshape(&[60, 100])?.t()?;
    let sum = reduce::max(&turned, &Over::axes(&[0]))?;
    Ok(vec![far.try_add(1)?, turned.try_add(1)?, sum])
}

fn whole_sums(device: &Arc<dyn Device>) -> syntonic_core::Result<Vec<Tensor>> {
    let i = up_to(300, device)?.expand_dims(&[1])?;
    let j = up_to(700, device)?;
    let (both, alone) = (i.try_mul(&j)?, up_to(100_000, device)?);
    let sum = |x: &Tensor, axes: &[isize]| reduce::sum(x, &Over::axes(axes), None);
    Ok(vec![
        sum(&both, &[0])?,
        sum(&both, &[1])?,
        sum(&both, &[0, 1])?,
        sum(&alone, &[0])?,
        reduce::max(&alone.flip(&[0])?.reshape(&[100, 1000])?, &Over::axes(&[1]))?,
    ])
}

fn columns(device: &Arc<dyn Device>) -> syntonic_core::Result<Vec<Tensor>> {
    let x = drawn(&[900, 260], device)?;
    let (i, j) = (up_to(900, device)?.expand_dims(&[1])?, up_to(260, device)?);
    let seen = apply(Prim::Ge, &[(&i).into(), (&j).into()])?;
    let y = chosen(&seen, &x, 0.0)?;
    let first = || Over::axes(&[0]).keep();
    let mean = y.try_sub(&reduce::sum(&y, &first(), None)?.try_div(900.0)?)?;
    Ok(vec![reduce::sum(&y, &first(), None)?, mean])
}

fn long_rows(device: &Arc<dyn Device>) -> syntonic_core::Result<Vec<Tensor>> {
    let mut all = Vec::new();
    for (rows, cols) in [(3, 40_000), (700, 33), (64, 1024), (200, 2050)] {
        let x = drawn(&[rows, cols], device)?;
        let j = up_to(cols as i64, device)?;
        let some = apply(Prim::Lt, &[(&j).into(), Arg::from(cols as i64 / 2 + 1)])?;
        let last = || Over::axes(&[-1]).keep();
        let kept = chosen(&some, &x, 0.0)?;
        let total = reduce::sum(&kept, &last(), None)?;
        all.push(kept.try_div(&total)?);
        all.push(reduce::sum(&x.try_mul(&j.flip(&[0])?)?, &last(), None)?.try_div(1e6)?);
    }
    Ok(all)
}

fn softmax(device: &Arc<dyn Device>) -> syntonic_core::Result<Vec<Tensor>> {
    let mut all = Vec::new();
    for n in [16, 100, 512, 4200] {
        let rows = if n > 1000 { 7 } else { n };
        let x = drawn(&[2, rows, n], device)?;
        let i = range(3, 3 + rows as i64, 1, device)?.expand_dims(&[1])?;
        let seen = apply(Prim::Ge, &[(&i).into(), (&up_to(n as i64, device)?).into()])?;
        let last = || Over::axes(&[-1]).keep();
        let y = chosen(&seen, &x, f64::NEG_INFINITY)?;
        let e = y.try_sub(&reduce::max(&y, &last())?)?.exp()?;
        all.push(e.try_div(&reduce::sum(&e, &last(), None)?)?);
    }
    Ok(all)
}

fn largest(device: &Arc<dyn Device>) -> syntonic_core::Result<Vec<Tensor>> {
    let x = drawn(&[40, 3000], device)?;
    let (i, j) = (up_to(40, device)?.expand_dims(&[1])?, up_to(3000, device)?);
    let seen = apply(Prim::Gt, &[(&j).into(), (&i.try_mul(7)?).into()])?;
    let y = chosen(&seen, &x, -1.0)?;
    Ok(vec![reduce::argmax(&y, &Over::axes(&[-1]))?])
}

/// A mask moves the bytes of what it masks.
fn nothing_is_read(gpu: &Gpu) -> Result<()> {
    let x = drawn(&[500, 400], &gpu.device)?;
    let i = up_to(500, &gpu.device)?.expand_dims(&[1])?;
    let seen = apply(Prim::Ge, &[(&i).into(), (&up_to(400, &gpu.device)?).into()])?;
    let y = chosen(&seen, &x, 0.0)?;
    let plan = explain(&y)?;
    ensure!(
        plan.contains("reads 800000 bytes, writes 800000 bytes"),
        "{plan}"
    );
    y.eval()?;
    ensure!(i.is_pending(), "an index was written");
    let number: Scalar = i.index((3, 0))?.to_scalar::<i64>()?.into();
    ensure!(number.to_f64() == 3.0);
    Ok(())
}
