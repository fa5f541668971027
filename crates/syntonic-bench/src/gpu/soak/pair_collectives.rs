//! What a group of two GPUs of one process does with tensors, beside a definition on the host.

use super::pair::Both;
use crate::gpu::{Exactness, compare, sample};
use anyhow::{Context, Result, bail, ensure};
use std::sync::Arc;
use syntonic_core::{DType, Device, DeviceId, Error, Tensor, cpu};
use syntonic_cuda::collectives::{DeviceGroup, Reduction, Transport};
use syntonic_cuda::{Cuda, copies, open, peer_access};

const REDUCTIONS: [Reduction; 5] = [
    Reduction::Sum,
    Reduction::Mean,
    Reduction::Prod,
    Reduction::Max,
    Reduction::Min,
];
/// Shapes with no element, one, few, and more than one GPU's least share.
const SHAPES: [&[usize]; 6] = [&[], &[0], &[1], &[5, 7], &[3, 0, 2], &[129, 401]];

fn typed(device: &Arc<dyn Device>) -> Result<Arc<Cuda>> {
    match device.id() {
        DeviceId::Cuda(ordinal) => Ok(open(ordinal)?),
        other => bail!("{other} is no GPU"),
    }
}

fn group(both: &Both, transport: Transport) -> Result<DeviceGroup> {
    let gpus = [typed(&both.second)?, typed(&both.first)?];
    Ok(DeviceGroup::new(&gpus, transport)?)
}

fn devices(both: &Both) -> [&Arc<dyn Device>; 2] {
    [&both.second, &both.first]
}

/// Values of a shape on both GPUs, in the order of the group, and the same on the host.
fn parts(both: &Both, dtype: DType, shape: &[usize]) -> Result<(Vec<Tensor>, Vec<Tensor>)> {
    let host = vec![sample(dtype, shape, 3)?, sample(dtype, shape, 5)?];
    let there = host.iter().zip(devices(both)).map(|(x, d)| Ok(x.to(d)?));
    Ok((there.collect::<Result<_>>()?, host))
}

/// Results are on their GPUs and have the values.
fn all_are(both: &Both, got: &[Tensor], want: &[Tensor]) -> Result<()> {
    ensure!(got.len() == 2, "{} results", got.len());
    for (k, (x, device)) in got.iter().zip(devices(both)).enumerate() {
        ensure!(x.device_id() == device.id(), "{x:?} for {}", device.id());
        let want = &want[k.min(want.len() - 1)];
        compare(&x.to(&cpu())?, want, Exactness::Same).with_context(|| format!("result {k}"))?;
    }
    Ok(())
}

/// `x0` and `x1` joined as the operators join two.
fn defined(x: &[Tensor], reduction: Reduction) -> Result<Tensor> {
    let dtype = x[0].dtype();
    let wide = if dtype.is_half() { DType::F32 } else { dtype };
    let (a, b) = (x[0].cast(wide)?, x[1].cast(wide)?);
    let joined = match reduction {
        Reduction::Sum => a.try_add(&b)?,
        Reduction::Mean => a.try_add(&b)?.try_div(2.0)?,
        Reduction::Prod => a.try_mul(&b)?,
        Reduction::Max => a.maximum(&b)?,
        Reduction::Min => a.minimum(&b)?,
    };
    Ok(joined.cast(dtype)?.eval()?)
}

fn exists(reduction: Reduction, dtype: DType) -> bool {
    match reduction {
        Reduction::Mean => dtype.is_inexact(),
        Reduction::Max | Reduction::Min => !dtype.is_complex() && !dtype.is_bool(),
        Reduction::Sum | Reduction::Prod => true,
    }
}

pub(super) fn to_all(both: &Both) -> Result<()> {
    let group = group(both, Transport::Copies)?;
    for dtype in DType::every() {
        for shape in SHAPES {
            let (there, host) = parts(both, dtype, shape)?;
            all_are(both, &group.broadcast(&there[0])?, &host[..1])?;
            all_are(both, &group.broadcast(&there[1])?, &host[1..])?;
            all_are(both, &group.broadcast(&host[1])?, &host[1..])?;
        }
    }
    // A view, and an expression that is pending.
    let (there, host) = parts(both, DType::F32, &[129, 401])?;
    let view = |x: &Tensor| -> Result<Tensor> { Ok(x.transpose(0, 1)?.flip(&[0])?) };
    all_are(
        both,
        &group.broadcast(&view(&there[1])?)?,
        &[view(&host[1])?],
    )?;
    let sum = |x: &Tensor| -> Result<Tensor> { Ok(x.try_add(x)?) };
    all_are(both, &group.broadcast(&sum(&there[0])?)?, &[sum(&host[0])?])
}

pub(super) fn of_all(both: &Both) -> Result<()> {
    let group = group(both, Transport::Copies)?;
    for dtype in DType::every() {
        for shape in SHAPES.into_iter().filter(|shape| !shape.is_empty()) {
            let (there, host) = parts(both, dtype, shape)?;
            let want = Tensor::concat(&[&host[0], &host[1]], 0)?;
            all_are(both, &group.all_gather(&there)?, &[want])?;
        }
    }
    // First axes of their own, one of them reversed.
    let (there, host) = parts(both, DType::F64, &[129, 4])?;
    let few = |x: &Tensor| -> Result<Tensor> { Ok(x.slice(0, None, Some(3), 1)?.flip(&[1])?) };
    let want = Tensor::concat(&[&host[0], &few(&host[1])?], 0)?;
    let got = group.all_gather(&[there[0].clone(), few(&there[1])?])?;
    all_are(both, &got, &[want])
}

pub(super) fn reduced(both: &Both) -> Result<()> {
    let group = group(both, Transport::Copies)?;
    for dtype in DType::ALL {
        for reduction in REDUCTIONS.into_iter().filter(|&r| exists(r, dtype)) {
            for shape in SHAPES {
                let (there, host) = parts(both, dtype, shape)?;
                let want = defined(&host, reduction)?;
                let what = || format!("{reduction:?} of {dtype}{shape:?}");
                let got = group.all_reduce(&there, reduction)?;
                all_are(both, &got, std::slice::from_ref(&want)).with_context(what)?;
                if let Some(&rows) = shape.first() {
                    let middle = rows.div_ceil(2) as isize;
                    let halves = [
                        want.slice(0, None, Some(middle), 1)?,
                        want.slice(0, Some(middle), None, 1)?,
                    ];
                    let got = group.reduce_scatter(&there, reduction)?;
                    all_are(both, &got, &halves).with_context(what)?;
                }
            }
        }
    }
    // Views, and the same bits in every run.
    let (there, host) = parts(both, DType::F32, &[129, 401])?;
    let view = |x: &Tensor| x.transpose(0, 1);
    let [a, b] = [view(&there[0])?, view(&there[1])?];
    let want = defined(&[view(&host[0])?, view(&host[1])?], Reduction::Sum)?;
    for _ in 0..10 {
        let got = group.all_reduce(&[a.clone(), b.clone()], Reduction::Sum)?;
        all_are(both, &got, std::slice::from_ref(&want))?;
    }
    Ok(())
}

pub(super) fn there_and_back(both: &Both) -> Result<()> {
    let group = group(both, Transport::Copies)?;
    for shape in [&[5usize, 7][..], &[1, 3], &[129, 401]] {
        let x = sample(DType::F32, shape, 3)?;
        for axis in [0, 1, -1] {
            let at = if axis == 0 { 0 } else { 1 };
            let middle = shape[at].div_ceil(2) as isize;
            let halves = [
                x.slice(axis, None, Some(middle), 1)?,
                x.slice(axis, Some(middle), None, 1)?,
            ];
            for from in [x.clone(), x.to(&both.first)?, x.to(&both.second)?] {
                let sent = group.scatter(&from, axis)?;
                all_are(both, &sent, &halves)?;
                let gpu = typed(&both.first)?;
                let back = group.gather(&sent, axis, &gpu)?;
                ensure!(back.device_id() == gpu.id());
                compare(&back.to(&cpu())?, &x, Exactness::Same)?;
            }
        }
    }
    Ok(())
}

/// Each call says what is wrong with it, and leaves its operands alone.
pub(super) fn refused(both: &Both) -> Result<()> {
    let group = group(both, Transport::Copies)?;
    let (there, host) = parts(both, DType::F32, &[5, 7])?;
    let [a, b] = [there[0].clone(), there[1].clone()];
    let says = |result: syntonic_core::Result<Vec<Tensor>>, parts: &[&str]| -> Result<()> {
        let Err(error) = result else {
            bail!("it was taken, where {parts:?} was to be said");
        };
        let text = error.to_string();
        let missing = parts.iter().find(|part| !text.contains(**part));
        ensure!(missing.is_none(), "{missing:?} is missing in {text}");
        Ok(())
    };
    let sum = |parts: &[Tensor]| group.all_reduce(parts, Reduction::Sum);
    says(
        sum(std::slice::from_ref(&a)),
        &["all_reduce", "1 tensors for 2 GPUs", "hint"],
    )?;
    let swapped = sum(&[b.clone(), a.clone()]);
    ensure!(matches!(swapped, Err(Error::Device { .. })), "{swapped:?}");
    says(
        swapped,
        &["all_reduce", "cuda:0", "cuda:1", "float32[5, 7]"],
    )?;
    says(sum(&host), &["on cpu", "cuda:"])?;
    let wide = sum(&[a.clone(), b.cast(DType::F64)?]);
    ensure!(matches!(wide, Err(Error::DType { .. })), "{wide:?}");
    says(wide, &["float32[5, 7]", "float64[5, 7]", "one type"])?;
    let turned = sum(&[a.clone(), b.transpose(0, 1)?]);
    ensure!(matches!(turned, Err(Error::Shape { .. })), "{turned:?}");
    says(turned, &["[5, 7]", "[7, 5]"])?;
    let turned = group.all_gather(&[a.clone(), b.transpose(0, 1)?]);
    says(turned, &["all_gather", "[7, 5]"])?;
    let flags = parts_of(both, DType::Bool)?;
    says(
        group.all_reduce(&flags, Reduction::Mean),
        &["bool", "mean", "cast"],
    )?;
    says(group.all_reduce(&flags, Reduction::Max), &["bool", "or"])?;
    let numbers = parts_of(both, DType::C64)?;
    says(
        group.all_reduce(&numbers, Reduction::Min),
        &["complex64", "no order"],
    )?;
    let numbers = parts_of(both, DType::F8E4M3)?;
    says(group.all_reduce(&numbers, Reduction::Sum), &["storage"])?;
    says(group.scatter(&a, 2), &["scatter", "axis 2", "2 dimensions"])?;
    let first = typed(&both.first)?;
    let alone = DeviceGroup::new(std::slice::from_ref(&first), Transport::Copies)?;
    let second = typed(&both.second)?;
    let elsewhere = alone
        .gather(std::slice::from_ref(&b), 0, &second)
        .map(|x| vec![x]);
    says(elsewhere, &["gather", "cuda:1", "none of"])?;
    for gpus in [vec![], vec![first.clone(), first.clone()]] {
        let refused = DeviceGroup::new(&gpus, Transport::Copies);
        ensure!(matches!(refused, Err(Error::Value { .. })), "{refused:?}");
    }
    // Nothing was harmed.
    compare(&a.to(&cpu())?, &host[0], Exactness::Same)?;
    compare(&b.to(&cpu())?, &host[1], Exactness::Same)
}

fn parts_of(both: &Both, dtype: DType) -> Result<Vec<Tensor>> {
    Ok(parts(both, dtype, &[5, 7])?.0)
}

/// What is copied has the values of the moment, whatever is done to either side afterwards, and nobody waits.
pub(super) fn no_wait(both: &Both) -> Result<()> {
    const MANY: usize = 4 << 20;
    let (here, there) = (typed(&both.first)?, typed(&both.second)?);
    let want = peer_access(0, 1)? == here.reaches(&there)? && peer_access(0, 0)?;
    ensure!(want, "two answers to one question");
    let host = sample(DType::F32, &[MANY], 3)?;
    let mut x = host.to(&both.first)?;
    let mut sent = Vec::new();
    for turn in 0..8 {
        // The source is written, and its memory taken again, while the copy of what was there may still be on its way.
        let passing = x.try_add(f64::from(turn))?.eval()?;
        sent.push(copies::upload(&there, &passing)?);
        drop(passing);
        x.assign(&host.to(&both.first)?)?;
    }
    for (turn, y) in sent.iter().enumerate() {
        let doubled = y.try_add(y)?.eval()?;
        let want = host.try_add(turn as f64)?;
        compare(&y.to(&cpu())?, &want, Exactness::Same)?;
        compare(&doubled.to(&cpu())?, &want.try_add(&want)?, Exactness::Same)?;
    }
    // Memory goes back to the driver while copies read it.
    let last = copies::upload(&there, &x)?;
    drop(x);
    here.trim();
    compare(&last.to(&cpu())?, &host, Exactness::Same)
}
