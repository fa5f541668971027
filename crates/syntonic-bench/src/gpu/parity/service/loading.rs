//! Kernels that are loaded, made and given back while a lease is live: our own code asks it to end first, so that nothing waits for it.

use super::waits::SOON;
use super::{echo_one, start, typed};
use crate::gpu::{Exactness, Gpu, compare};
use anyhow::{Result, ensure};
use std::thread;
use std::time::{Duration, Instant};
use syntonic_core::ops::order::{Direction, sort};
use syntonic_core::{DType, Tensor};
use syntonic_cuda::service::{Ending, Service, Settings};

/// How long a lease stays resident without requests.
const STAYS: Duration = Duration::from_secs(30);
/// What loading or making a kernel may take: a driver assembles one in some tenths of a second, in a queue with those of sixteen processes.
const LOADED: Duration = Duration::from_secs(15);

/// Does `work` while a lease is live, in less time than the lease would last, and says how the lease ended then, if it has.
fn beside_a_lease(gpu: &Gpu, work: impl FnOnce(&Service) -> Result<()>) -> Result<Option<Ending>> {
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
    let ending = soon_over(&service)?;
    echo_one(&service, 2.0)?;
    Ok(ending)
}

/// How the last lease ended; one that was asked to end does so within microseconds, on a loaded host later.
fn soon_over(service: &Service) -> Result<Option<Ending>> {
    let begun = Instant::now();
    loop {
        let report = service.report()?;
        if !report.live || begun.elapsed() > SOON {
            return Ok(report.ending);
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// A kernel that was compiled ahead of time, at its first use: this process has none that sorts keys of two bytes in blocks.
pub(super) fn first_use(gpu: &Gpu) -> Result<()> {
    let numbers = (0..3000u32).map(|k| (k * 7919 % 3001) as u16);
    let host = Tensor::from_vec(numbers.collect(), &[3000])?;
    let there = gpu.take(&host)?;
    let sorted = |x: &Tensor| sort(x, 0, Direction::Descending)?.eval();
    let cuda = typed(gpu)?;
    let known = cuda.context().kernels_used().len();
    let mut loaded = 0;
    let ending = beside_a_lease(gpu, |_| {
        let got = sorted(&there)?;
        loaded = cuda.context().kernels_used().len() - known;
        compare(&got, &sorted(&host)?, Exactness::Same)
    })?;
    // Where another check of the process was first, nothing is loaded, and the lease may stay.
    let asked = ending == Some(Ending::Asked);
    ensure!(asked || loaded == 0, "{loaded} loaded, {ending:?}");
    Ok(())
}

/// Kernels that are made at run time, at their first calls.
pub(super) fn made(gpu: &Gpu) -> Result<()> {
    let host = Tensor::from_vec(
        (0..64 * 1024).map(|k| (k % 13) as f64).collect(),
        &[64, 1024],
    )?;
    let there = gpu.take(&host)?;
    // No other check has this formula; sums of small whole numbers are exact in any order.
    let rows = |x: &Tensor| -> syntonic_core::Result<Tensor> {
        let twice = x.try_mul(x)?.try_add(x)?.try_sub(3.0)?;
        let most = twice.max(-1)?.expand_dims(&[-1])?;
        most.try_sub(&twice)?.try_mul(x)?.sum(-1)?.eval()
    };
    // The page that small results come through is locked by the first of them.
    gpu.fetch(
        &there
            .slice(0, None, Some(1), 1)?
            .slice(1, None, Some(64), 1)?,
    )?;
    let ending = beside_a_lease(gpu, |_| {
        compare(&rows(&there)?, &rows(&host)?, Exactness::Same)
    })?;
    ensure!(ending == Some(Ending::Asked), "rows: {ending:?}");

    let map = |x: &Tensor| -> syntonic_core::Result<Tensor> {
        let once = x.try_mul(3.0)?.try_sub(5.0)?.try_mul(x)?;
        once.maximum(&x.try_add(2.0)?)?
            .try_sub(x)?
            .try_mul(7.0)?
            .eval()
    };
    let made = || syntonic_cuda::kernel_sources().made;
    let before = made();
    let done = beside_a_lease(gpu, |_| {
        compare(&map(&there)?, &map(&host)?, Exactness::Same)?;
        ensure!(made() > before, "no kernel was made");
        Ok(())
    });
    let ending = done?;
    ensure!(ending == Some(Ending::Asked), "maps: {ending:?}");
    Ok(())
}

/// Page-locked memory, which the driver waits for the whole GPU to give and to take back.
pub(super) fn pages(gpu: &Gpu) -> Result<()> {
    let cuda = typed(gpu)?;
    beside_a_lease(gpu, |service| {
        // Of a size that nobody else had.
        let x = syntonic_cuda::pinned::zeros(&cuda, &[7_654_321], DType::U8)?;
        ensure!(soon_over(service)? == Some(Ending::Asked));
        echo_one(service, 3.0)?;
        drop(x);
        gpu.device.trim();
        Ok(())
    })?;
    Ok(())
}
