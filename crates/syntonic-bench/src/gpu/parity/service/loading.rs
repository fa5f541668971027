//! Kernels that are loaded, made and given back while a lease is live: our own code asks it to end first, so that nothing waits for it.

use super::{echo_one, start, typed};
use crate::gpu::{Exactness, Gpu, compare};
use anyhow::{Result, ensure};
use std::time::{Duration, Instant};
use syntonic_core::ops::order::{Direction, sort};
use syntonic_core::{DType, Tensor};
use syntonic_cuda::JitMode;
use syntonic_cuda::service::{Ending, Service, Settings};

/// A lease that nobody asks to end stays so long without work.
const STAYS: Duration = Duration::from_secs(30);
/// What loading or making a kernel may take: a driver assembles one in some tenths of a second, in a queue with those of sixteen processes.
const LOADED: Duration = Duration::from_secs(15);

/// Does `work` while a lease is live; it takes less than the lease would, whose end is a wish.
fn beside_a_lease(gpu: &Gpu, work: impl FnOnce(&Service) -> Result<()>) -> Result<()> {
    let settings = Settings {
        idle: STAYS,
        lifetime: STAYS,
        ..Settings::default()
    };
    let service = start(gpu, settings)?;
    echo_one(&service, 1.0)?;
    ensure!(service.report()?.live, "no lease began");
    let begun = Instant::now();
    work(&service)?;
    gpu.device.synchronize()?;
    let took = begun.elapsed();
    ensure!(took < LOADED, "it took {took:?}");
    let report = service.report()?;
    ensure!(report.ending == Some(Ending::Asked), "{report:?}");
    echo_one(&service, 2.0)
}

/// A kernel that was compiled ahead of time, at its first use.
pub(super) fn first_use(gpu: &Gpu) -> Result<()> {
    let host = Tensor::from_vec((0..3000u16).map(|k| k * 7919 % 3001).collect(), &[3000])?;
    let there = gpu.take(&host)?;
    let sorted = |x: &Tensor| sort(x, 0, Direction::Descending)?.eval();
    let cuda = typed(gpu)?;
    let known = cuda.context().kernels_used().len();
    let mut loaded = 0;
    let work = |_: &Service| -> Result<()> {
        let got = sorted(&there)?;
        loaded = cuda.context().kernels_used().len() - known;
        compare(&got, &sorted(&host)?, Exactness::Same)
    };
    if cuda
        .context()
        .kernels_used()
        .iter()
        .any(|(_, name)| name.contains("sort") && name.contains("16"))
    {
        // Another check of this process was first: there is nothing left to load.
        return Ok(());
    }
    beside_a_lease(gpu, work)?;
    ensure!(loaded > 0, "no kernel was loaded");
    Ok(())
}

/// A kernel that is made at run time: for rows at the first call, for maps by another thread.
pub(super) fn made(gpu: &Gpu) -> Result<()> {
    let cuda = typed(gpu)?;
    let host = Tensor::from_vec((0..64 * 96).map(|k| (k % 13) as f64).collect(), &[64, 96])?;
    let there = gpu.take(&host)?;
    // No other check has this formula; sums of small whole numbers are exact in any order.
    let rows = |x: &Tensor| -> syntonic_core::Result<Tensor> {
        let twice = x.try_mul(x)?.try_add(x)?.try_sub(3.0)?;
        let most = twice.max(-1)?.expand_dims(&[-1])?;
        most.try_sub(&twice)?.try_mul(x)?.sum(-1)?.eval()
    };
    beside_a_lease(gpu, |_| {
        compare(&rows(&there)?, &rows(&host)?, Exactness::Same)
    })?;

    let map = |x: &Tensor| -> syntonic_core::Result<Tensor> {
        let once = x.try_mul(3.0)?.try_sub(5.0)?.try_mul(x)?;
        once.maximum(&x.try_add(2.0)?)?
            .try_sub(x)?
            .try_mul(7.0)?
            .eval()
    };
    let before = cuda.wait_for_jit().there;
    cuda.set_jit_mode(JitMode::Always);
    let done = beside_a_lease(gpu, |_| {
        compare(&map(&there)?, &map(&host)?, Exactness::Same)?;
        let there_now = cuda.wait_for_jit().there;
        ensure!(there_now > before, "no kernel was made");
        Ok(())
    });
    cuda.set_jit_mode(JitMode::Auto);
    done
}

/// Page-locked memory, which the driver waits for the whole GPU to give and to take back.
pub(super) fn pages(gpu: &Gpu) -> Result<()> {
    let cuda = typed(gpu)?;
    beside_a_lease(gpu, |service| {
        // Of a size that nobody else had.
        let x = syntonic_cuda::pinned::zeros(&cuda, &[7_654_321], DType::U8)?;
        ensure!(service.report()?.ending == Some(Ending::Asked));
        echo_one(service, 3.0)?;
        drop(x);
        gpu.device.trim();
        Ok(())
    })
}
