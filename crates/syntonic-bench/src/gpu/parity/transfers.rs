//! Bytes go to the GPU and come back as they were, also where nobody waits for them.

use std::sync::Arc;

use super::Check;
use crate::gpu::{Exactness, Gpu, compare, sample};
use anyhow::{Context, Result, bail, ensure};
use syntonic_core::{DType, DeviceId, Error, Graph, Tensor};
use syntonic_cuda::{Cuda, Prefetch, Priority, Stream, copies, pinned};

/// Elements of a copy that takes a while: 32 MiB of `float32`.
const MANY: usize = 8 << 20;
/// A little more than the bytes from which on copies of other memory go through page-locked pieces.
const LARGE: usize = (2 << 20) + 48;
/// Elements of `float64` that take more pieces than there are.
const HUGE: usize = (35 << 17) + 3;
/// Turns of checks that look for what is wrong only now and then.
const TURNS: usize = 12;

pub(super) fn checks() -> Vec<Check> {
    let mut all = Vec::new();
    for dtype in DType::ALL {
        let most = if dtype == DType::F64 { HUGE } else { 3 };
        for n in [0, 1, most, 4097, LARGE / dtype.size()] {
            let mut add = |topic: &str, look: fn(&Gpu, DType, usize) -> Result<()>| {
                let name = format!("transfers/{topic}/{dtype}/{n}");
                all.push(Check::new(name, move |gpu| look(gpu, dtype, n)));
            };
            add("there_and_back", there_and_back);
            add("pinned", of_pinned);
            add("no_wait", no_wait);
        }
    }
    let mut add = |name: &str, look: fn(&Gpu) -> Result<()>| {
        all.push(Check::new(format!("transfers/{name}"), look));
    };
    add("pinned_views", views);
    add("pinned_stays_pinned", stays_pinned);
    add("pinned_memory_is_used_again", used_again);
    add("no_wait_source_is_dropped", source_is_dropped);
    add("no_wait_source_is_written", source_is_written);
    add("no_wait_result_is_read_at_once", read_at_once);
    add("no_wait_result_is_dropped", result_is_dropped);
    add("no_wait_on_several_streams", several_streams);
    add("no_wait_in_a_graph", in_a_graph);
    add("priorities", priorities);
    add("prefetch", prefetch);
    add("streams one after another", one_after_another);
    all
}

fn typed(gpu: &Gpu) -> Result<Arc<Cuda>> {
    match gpu.device.id() {
        DeviceId::Cuda(ordinal) => Ok(syntonic_cuda::open(ordinal)?),
        other => bail!("{other} has no pinned memory"),
    }
}

fn there_and_back(gpu: &Gpu, dtype: DType, n: usize) -> Result<()> {
    let x = sample(dtype, &[n], 7)?;
    compare(&gpu.fetch(&gpu.take(&x)?)?, &x, Exactness::Same)
}

fn of_pinned(gpu: &Gpu, dtype: DType, n: usize) -> Result<()> {
    let x = sample(dtype, &[n], 7)?;
    let mut here = pinned::pin(&typed(gpu)?, &x)?;
    ensure!(pinned::is_pinned(&here) && !pinned::is_pinned(&x));
    compare(&here, &x, Exactness::Same)?;
    let there = gpu.take(&here)?;
    here.assign(&Tensor::zeros(&[n], dtype)?)?;
    compare(&gpu.fetch(&there)?, &x, Exactness::Same)
}

fn no_wait(gpu: &Gpu, dtype: DType, n: usize) -> Result<()> {
    let (cuda, x) = (typed(gpu)?, sample(dtype, &[n], 7)?);
    for here in [pinned::pin(&cuda, &x)?, x.clone()] {
        let there = copies::upload(&cuda, &here)?;
        let back = copies::download(&there)?;
        ensure!(pinned::is_pinned(&back), "the result lies elsewhere");
        compare(&back, &x, Exactness::Same)?;
        compare(&there, &x, Exactness::Same)?;
    }
    Ok(())
}

fn views(gpu: &Gpu) -> Result<()> {
    let (cuda, x) = (typed(gpu)?, sample(DType::F32, &[300, 70], 7)?);
    let here = pinned::pin(&cuda, &x)?;
    for (part, want) in [
        (
            here.slice(0, Some(17), Some(217), 1)?,
            x.slice(0, Some(17), Some(217), 1)?,
        ),
        (
            here.slice(1, Some(3), Some(12), 1)?,
            x.slice(1, Some(3), Some(12), 1)?,
        ),
        (here.transpose(0, 1)?, x.transpose(0, 1)?),
        (here.flip(&[0])?, x.flip(&[0])?),
        (&here * 2.0, &x * 2.0),
    ] {
        let there = copies::upload(&cuda, &part)?;
        compare(&there, &want, Exactness::Same)?;
        compare(&copies::download(&there)?, &want, Exactness::Same)?;
        let part = gpu.take(&x)?.transpose(0, 1)?;
        compare(
            &copies::download(&part)?,
            &x.transpose(0, 1)?,
            Exactness::Same,
        )?;
    }
    Ok(())
}

fn stays_pinned(gpu: &Gpu) -> Result<()> {
    let (cuda, x) = (typed(gpu)?, sample(DType::F32, &[1000], 7)?);
    let mut here = pinned::zeros(&cuda, &[1000], DType::F32)?;
    compare(&here, &Tensor::zeros(&[1000], DType::F32)?, Exactness::Same)?;
    here.assign(&x)?;
    ensure!(pinned::is_pinned(&here), "its own memory was written");
    let other = here.clone();
    here.assign(&(&x * 2.0))?;
    ensure!(pinned::is_pinned(&here), "it was given memory of its own");
    compare(&other, &x, Exactness::Same)?;
    compare(&here, &(&x * 2.0), Exactness::Same)?;
    ensure!(!pinned::is_pinned(&(&here * 1.0).eval()?));
    Ok(())
}

fn used_again(gpu: &Gpu) -> Result<()> {
    let cuda = typed(gpu)?;
    gpu.device.trim();
    let place = |x: &Tensor| Ok::<_, Error>(x.buffer()?.address() as usize);
    let first = pinned::zeros(&cuda, &[123_457], DType::F64)?;
    let at = place(&first)?;
    let second = pinned::zeros(&cuda, &[123_457], DType::F64)?;
    ensure!(place(&second)? != at, "two tensors share memory");
    drop(first);
    let third = pinned::zeros(&cuda, &[123_457], DType::F64)?;
    ensure!(place(&third)? == at, "freed memory was not used again");
    drop((second, third));
    gpu.device.trim();
    let huge = pinned::zeros(&cuda, &[1 << 46], DType::F64);
    ensure!(
        matches!(&huge, Err(Error::NoRoomFor { .. } | Error::Fault { .. })),
        "half a pebibyte: {huge:?}"
    );
    compare(
        &pinned::zeros(&cuda, &[3], DType::F64)?,
        &Tensor::zeros(&[3], DType::F64)?,
        Exactness::Same,
    )
}

fn source_is_dropped(gpu: &Gpu) -> Result<()> {
    let (cuda, x) = (typed(gpu)?, sample(DType::F32, &[MANY], 7)?);
    for turn in 0..TURNS {
        let there = copies::upload(&cuda, &pinned::pin(&cuda, &x)?)?;
        // The next ones of this size must not have that memory yet.
        let next = pinned::zeros(&cuda, &[MANY], DType::F32)?;
        compare(&there, &x, Exactness::Same).with_context(|| format!("turn {turn}"))?;
        drop(next);
    }
    Ok(())
}

fn source_is_written(gpu: &Gpu) -> Result<()> {
    let (cuda, x) = (typed(gpu)?, sample(DType::F32, &[MANY], 7)?);
    let mut here = pinned::zeros(&cuda, &[MANY], DType::F32)?;
    let mut sent = Vec::new();
    for turn in 0..TURNS / 2 {
        here.assign(&(&x + turn as f64))?;
        ensure!(pinned::is_pinned(&here));
        sent.push(copies::upload(&cuda, &here)?);
    }
    for (turn, there) in sent.iter().enumerate() {
        compare(there, &(&x + turn as f64), Exactness::Same)?;
    }
    Ok(())
}

/// Work that keeps the GPU busy for a while.
fn slow(x: &Tensor) -> syntonic_core::Result<Tensor> {
    let mut y = x.clone();
    for _ in 0..20 {
        y = (&y * 1.0).eval()?;
    }
    Ok(y)
}

fn read_at_once(gpu: &Gpu) -> Result<()> {
    let x = sample(DType::F32, &[MANY], 7)?;
    let there = gpu.take(&x)?;
    for _ in 0..TURNS / 2 {
        let back = copies::download(&slow(&there)?)?;
        let twice = &back * 2.0;
        ensure!(back.host_slice::<f32>()?.len() == MANY);
        compare(&back, &x, Exactness::Same)?;
        compare(&twice, &(&x * 2.0), Exactness::Same)?;
    }
    let few = there.slice(0, None, Some(5), 1)?;
    let back = copies::download(&slow(&few)?)?;
    compare(
        &(&back + &back),
        &(&x.slice(0, None, Some(5), 1)? * 2.0),
        Exactness::Same,
    )
}

fn result_is_dropped(gpu: &Gpu) -> Result<()> {
    let cuda = typed(gpu)?;
    let (x, ones) = (
        gpu.take(&sample(DType::F32, &[MANY], 7)?)?,
        Tensor::ones(&[MANY], DType::F32)?,
    );
    for _ in 0..TURNS {
        drop(copies::download(&slow(&x)?)?);
        // Whoever has that memory next must not find the bytes of the copy in it later.
        let next = pinned::pin(&cuda, &ones)?;
        gpu.device.synchronize()?;
        compare(&next, &ones, Exactness::Same)?;
    }
    Ok(())
}

fn several_streams(gpu: &Gpu) -> Result<()> {
    let (cuda, x) = (typed(gpu)?, sample(DType::F32, &[MANY], 7)?);
    let here = pinned::pin(&cuda, &x)?;
    let [bring, work, take] = [(); 3].map(|()| Stream::new(&cuda));
    let (bring, work, take) = (bring?, work?, take?);
    let want = &(&x * 1.0) + 1.0;
    for _ in 0..TURNS {
        let there = {
            let _current = bring.enter();
            copies::upload(&cuda, &here)?
        };
        let done = {
            let _current = work.enter();
            (&slow(&there)? + 1.0).eval()?
        };
        let back = {
            let _current = take.enter();
            copies::download(&done)?
        };
        drop((there, done));
        compare(&back, &want, Exactness::Same)?;
    }
    Ok(())
}

fn in_a_graph(gpu: &Gpu) -> Result<()> {
    let (cuda, x) = (typed(gpu)?, sample(DType::F32, &[100], 7)?);
    let (here, there) = (pinned::pin(&cuda, &x)?, gpu.take(&x)?);
    type Function<'a> = &'a dyn Fn(&[&Tensor]) -> syntonic_core::Result<Vec<Tensor>>;
    let functions: [Function<'_>; 3] = [
        &|_| Ok(vec![copies::upload(&cuda, &here)?]),
        &|i| copies::download(i[0]).map(|_| vec![]),
        &|_| pinned::zeros(&cuda, &[3], DType::F32).map(|_| vec![]),
    ];
    for function in functions {
        // On a GPU the function runs once before it is captured, and does no harm then.
        let captured = Graph::capture(&[&there], function);
        ensure!(
            matches!(captured, Err(Error::Capture { .. })),
            "{captured:?}"
        );
    }
    compare(&copies::upload(&cuda, &here)?, &x, Exactness::Same)
}

fn priorities(gpu: &Gpu) -> Result<()> {
    let (cuda, x) = (typed(gpu)?, sample(DType::F32, &[4097], 7)?);
    let there = gpu.take(&x)?;
    for priority in [Priority::High, Priority::Normal, Priority::Low] {
        let stream = Stream::with_priority(&cuda, priority)?;
        let _current = stream.enter();
        compare(&(&there * 3.0), &(&x * 3.0), Exactness::Same)?;
    }
    Ok(())
}

fn prefetch(gpu: &Gpu) -> Result<()> {
    let cuda = typed(gpu)?;
    let batch = |k: u64| -> syntonic_core::Result<Vec<Tensor>> {
        let values = Tensor::full(&[1 << 18], k as i64, DType::F32)?;
        Ok(vec![values, Tensor::scalar(k as i64, DType::I64)?])
    };
    for depth in [1, 2, 5] {
        let mut seen = 0;
        for (k, got) in Prefetch::new(&cuda, (0..9).map(batch), depth)?.enumerate() {
            let (got, want) = (got?, batch(k as u64)?);
            ensure!(got.len() == 2 && got[0].device_id() == gpu.device.id());
            compare(&slow(&got[0])?, &want[0], Exactness::Same)?;
            compare(&got[1], &want[1], Exactness::Same)?;
            seen += 1;
        }
        ensure!(seen == 9, "{seen} batches at depth {depth}");
        let failing = (0..9).map(|k| match k {
            3 => Err(Error::value("batch", "it is not there")),
            k => batch(k),
        });
        let got: Vec<bool> = Prefetch::new(&cuda, failing, depth)?
            .map(|batch| batch.is_ok())
            .collect();
        ensure!(got == [true, true, true, false], "{got:?}");
    }
    let refused = Prefetch::new(&cuda, (0..9).map(batch), 0);
    ensure!(matches!(refused, Err(Error::Value { .. })));
    Ok(())
}

/// A stream is dropped while its copy is on its way, and memory that it writes too: who gets that memory next waits for the copy, also on a
/// stream to which the driver gave the same handle.
fn one_after_another(gpu: &Gpu) -> Result<()> {
    let cuda = typed(gpu)?;
    let batch = |k: usize| Tensor::full(&[1 << 22], k as i64, DType::F32);
    for k in 0..20 {
        let (before, after) = (batch(2 * k)?, batch(2 * k + 1)?);
        let (before, here) = (pinned::pin(&cuda, &before)?, pinned::pin(&cuda, &after)?);
        for _ in 0..3 {
            let stream = Stream::new(&cuda)?;
            let _current = stream.enter();
            drop(copies::upload(&cuda, &before)?);
        }
        let stream = Stream::new(&cuda)?;
        let _current = stream.enter();
        let there = copies::upload(&cuda, &here)?;
        compare(&gpu.fetch(&there)?, &after, Exactness::Same)?;
    }
    Ok(())
}
