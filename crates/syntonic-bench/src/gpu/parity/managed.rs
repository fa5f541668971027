//! Tensors in unified memory are tensors like any other, wherever their pages lie.

use super::Check;
use super::service::typed;
use crate::gpu::{Exactness, Gpu, compare, sample};
use anyhow::{Result, ensure};
use syntonic_core::{DType, Device, DeviceId, Error, Graph, Tensor};
use syntonic_cuda::managed::{self, Advice};

/// Elements of a tensor of some pages, and of a part of one that the card has no room for.
const SOME: usize = 300_007;
const PART: usize = 1 << 28;

pub(super) fn checks() -> Vec<Check> {
    let mut all = Vec::new(); // few: some forty.
    for dtype in DType::ALL {
        for n in [0, 1, 4097] {
            let name = format!("managed/values/{dtype}/{n}");
            all.push(Check::new(name, move |gpu| values(gpu, dtype, n)));
        }
    }
    type Look = fn(&Gpu) -> Result<()>;
    let looks: [(&str, Look); 6] = [
        ("managed/views", views),
        ("managed/written_in_place", written_in_place),
        ("managed/pages_move", pages_move),
        ("managed/in_a_graph", in_a_graph),
        ("managed/refusals", refusals),
        (
            "large/managed_more_than_the_card_has",
            more_than_the_card_has,
        ),
    ];
    let looks = looks.into_iter();
    all.extend(looks.map(|(name, look)| Check::new(name, look)));
    all
}

fn values(gpu: &Gpu, dtype: DType, n: usize) -> Result<()> {
    let (cuda, x) = (typed(gpu)?, sample(dtype, &[n], 7)?);
    let there = managed::from_tensor(&cuda, &x)?;
    ensure!(managed::is_managed(&there) && there.device_id() == gpu.device.id());
    compare(&there, &x, Exactness::Same)?;
    compare(
        &managed::from_tensor(&cuda, &gpu.take(&x)?)?,
        &x,
        Exactness::Same,
    )?;
    let zeros = managed::zeros(&cuda, &[n], dtype)?;
    compare(&zeros, &Tensor::zeros(&[n], dtype)?, Exactness::Same)
}

/// Views of one, ones of views, and what is computed from both.
fn views(gpu: &Gpu) -> Result<()> {
    let (cuda, x) = (typed(gpu)?, sample(DType::F32, &[35, 17], 7)?);
    let there = managed::from_tensor(&cuda, &x)?;
    for view in [
        |x: &Tensor| x.transpose(0, 1),
        |x: &Tensor| x.slice(1, Some(3), Some(12), 1),
        |x: &Tensor| x.flip(&[0]),
    ] {
        let want = view(&x)?;
        compare(&view(&there)?, &want, Exactness::Same)?;
        compare(&managed::from_tensor(&cuda, &want)?, &want, Exactness::Same)?;
        compare(&(&view(&there)? * 2.0), &(&want * 2.0), Exactness::Same)?;
    }
    ensure!(!managed::is_managed(&(&there * 2.0).eval()?));
    Ok(())
}

fn written_in_place(gpu: &Gpu) -> Result<()> {
    let (cuda, x) = (typed(gpu)?, sample(DType::F32, &[SOME], 7)?);
    let mut there = managed::zeros(&cuda, &[SOME], DType::F32)?;
    let at = there.buffer()?.address();
    there.assign(&gpu.take(&x)?)?;
    ensure!(there.buffer()?.address() == at, "it was given other memory");
    let before = there.clone();
    there.assign(&gpu.take(&(&x * 2.0))?)?;
    ensure!(managed::is_managed(&there), "a copy of it lies elsewhere");
    compare(&before, &x, Exactness::Same)?;
    compare(&there, &(&x * 2.0), Exactness::Same)
}

/// Values stay while pages move, and whatever was said of them.
fn pages_move(gpu: &Gpu) -> Result<()> {
    let (cuda, x) = (typed(gpu)?, sample(DType::F64, &[SOME], 7)?);
    let mut there = managed::from_tensor(&cuda, &x)?;
    let card = gpu.device.id();
    let mut want = x;
    for device in [DeviceId::Cpu, card, DeviceId::Cpu] {
        managed::prefetch(&there, device)?;
        for advice in [
            Advice::ReadMostly,
            Advice::PreferredLocation(device),
            Advice::AccessedBy(device),
        ] {
            managed::advise(&there, advice)?;
            compare(&there, &want, Exactness::Same)?;
            want = (&want + 1.0).eval()?;
            let next = (&there + 1.0).eval()?;
            there.assign(&next)?;
            managed::withdraw(&there, advice)?;
            compare(&there, &want, Exactness::Same)?;
        }
    }
    let part = there.slice(0, Some(1000), Some(200_000), 1)?;
    managed::prefetch(&part, card)?;
    compare(
        &part,
        &want.slice(0, Some(1000), Some(200_000), 1)?,
        Exactness::Same,
    )
}

/// A graph reads what is written between its runs.
fn in_a_graph(gpu: &Gpu) -> Result<()> {
    let (cuda, x) = (typed(gpu)?, sample(DType::F32, &[SOME], 7)?);
    let there = managed::from_tensor(&cuda, &x)?;
    let graph = Graph::capture(&[&there], |x| Ok(vec![x[0] * 3.0]))?;
    compare(&graph.replay(&[&there])?[0], &(&x * 3.0), Exactness::Same)?;
    let refused = Graph::capture(&[&there], |x| {
        managed::zeros(&cuda, &[3], DType::F32)?;
        Ok(vec![x[0].clone()])
    });
    ensure!(matches!(refused, Err(Error::Capture { .. })), "{refused:?}");
    Ok(())
}

fn refusals(gpu: &Gpu) -> Result<()> {
    let cuda = typed(gpu)?;
    let huge = managed::zeros(&cuda, &[1 << 46], DType::F64);
    ensure!(matches!(&huge, Err(Error::NoRoomFor { .. })), "{huge:?}");
    let (there, other) = (
        managed::zeros(&cuda, &[4, 6], DType::F32)?,
        gpu.take(&Tensor::from([1.0]))?,
    );
    let columns = there.transpose(0, 1)?;
    for (x, part) in [
        (&other, "not in unified memory"),
        (&columns, "not row-major"),
    ] {
        for refused in [
            managed::prefetch(x, DeviceId::Cpu),
            managed::advise(x, Advice::ReadMostly),
        ] {
            let text = refused.err().map(|e| e.to_string()).unwrap_or_default();
            ensure!(text.contains(part), "{text}");
        }
    }
    let nowhere = managed::prefetch(&there, DeviceId::Cuda(97));
    ensure!(
        matches!(nowhere, Err(Error::NoDevice { .. })),
        "{nowhere:?}"
    );
    Ok(())
}

/// A tensor of more bytes than the card has: the card clears all of it, and reads parts.
fn more_than_the_card_has(gpu: &Gpu) -> Result<()> {
    let cuda = typed(gpu)?;
    cuda.trim();
    let (_, total) = cuda.context().free_and_total()?;
    let n = (total + total / 16) / DType::F32.size();
    let x = match managed::zeros(&cuda, &[n], DType::F32) {
        // The host has no room for the rest.
        Err(Error::NoRoomFor { .. }) => return Ok(()),
        made => made?,
    };
    // Parts at both ends: a pass over all of it would move every page twice.
    for first in [0, n - PART] {
        let part = x.slice(0, Some(first as isize), Some((first + PART) as isize), 1)?;
        let most = (&part + 3.0).max(..)?.to_scalar::<f32>()?;
        ensure!(most == 3.0, "{most} for 3 from element {first} on");
    }
    Ok(())
}
