//! The leased service for a long time: no request is lost, and commands that are stopped again and again leave nothing behind.

use super::long::Outcome;
use anyhow::{Context, Result, ensure};
use std::sync::Arc;
use std::time::{Duration, Instant};
use syntonic_core::{DType, Tensor, interrupt};
use syntonic_cuda::Cuda;
use syntonic_cuda::service::{Ending, Linear, Service, Settings, Steps};

/// Requests one after the other.
const REQUESTS: u64 = 1_000_000;
/// What they may take: a round trip is about 10 us, and other stages use the host meanwhile.
const MOST: Duration = Duration::from_secs(200);
/// Commands that are stopped.
const STOPPED: usize = 30;
/// The most steps of a command: minutes.
const ENDLESS: u32 = (1 << 24) - 1;
/// What one of them may take: the caller is asked after a tenth of a second, the kernel looks every 100 us, and a loaded host is slow.
const SOON: Duration = Duration::from_millis(600);

/// Each answer is that of its own request, and the service's count is ours.
pub(super) fn requests(gpu: &Arc<Cuda>, outcome: &mut Outcome) -> Result<()> {
    let settings = Settings {
        // Some ten leases end at this and others at their age while requests come.
        most_commands: 100_000,
        deadline: Duration::from_secs(10),
        ..Settings::default()
    };
    let service = Service::start(gpu, settings)?;
    let begun = Instant::now();
    for number in 0..REQUESTS {
        let asked = [number as f64, f64::from_bits(number ^ 0x5555_5555)];
        let mut answer = [0.0; 2];
        service.echo(&asked, &mut answer)?;
        let same = answer.map(f64::to_bits) == asked.map(f64::to_bits);
        ensure!(same, "request {number}: {answer:?}");
        outcome.requests = number + 1;
    }
    outcome.requests_seconds = begun.elapsed().as_secs_f64();
    let report = service.report()?;
    ensure!(
        report.commands == REQUESTS && !report.poisoned && report.leases >= REQUESTS / 100_000,
        "{report:?}"
    );
    ensure!(
        outcome.requests_seconds < MOST.as_secs_f64(),
        "{REQUESTS} requests took {} s",
        outcome.requests_seconds
    );
    Ok(())
}

/// A command is stopped, and the next request is answered, again and again.
pub(super) fn stopped(gpu: &Arc<Cuda>, _: &mut Outcome) -> Result<()> {
    fn stop() -> interrupt::Answer {
        interrupt::Answer::Stop
    }
    let settings = Settings {
        deadline: Duration::from_secs(20),
        ..Settings::default()
    };
    let service = Service::start(gpu, settings)?;
    let (m, n) = (7, 40);
    let jacobian = Tensor::full(&[m, n], 0.01, DType::F64)?;
    let precision = Tensor::ones(&[m], DType::F64)?;
    let model = service.register(Linear {
        jacobian: &jacobian,
        precision: &precision,
        reference: None,
        prior: None,
    })?;
    let observation = [1.0; 7];
    for turn in 0..STOPPED {
        let mut mean = [0.5; 40];
        let mut update = |most| {
            let steps = Steps {
                rate: 1e-4,
                most,
                tolerance: 0.0,
            };
            service.belief_update(&model, &mut mean, &observation, steps)
        };
        let begun = Instant::now();
        let error = interrupt::heeding(stop, || update(ENDLESS)).err();
        let text = error.context("it was not stopped")?.to_string();
        ensure!(text.contains("interrupted"), "turn {turn}: {text}");
        let took = begun.elapsed();
        ensure!(took < SOON, "turn {turn}: {took:?} to stop a command");
        ensure!(service.report()?.ending == Some(Ending::Aborted));
        ensure!(update(10)?.steps == 10);
        ensure!(service.sum(&[turn as f64, 0.5])? == turn as f64 + 0.5);
    }
    ensure!(!service.report()?.poisoned);
    Ok(())
}
