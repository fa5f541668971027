//! The leased service: answers equal the CPU's, no request is lost, leases end by themselves, and nothing waits without end.

mod answers;
mod loading;
mod queue;
mod waits;

use super::Check;
use crate::gpu::Gpu;
use anyhow::{Result, bail, ensure};
use std::sync::Arc;
use std::time::Duration;
use syntonic_core::DeviceId;
use syntonic_cuda::Cuda;
use syntonic_cuda::service::{Service, Settings};

pub(super) fn checks() -> Vec<Check> {
    type Answers = fn(&Gpu, Settings) -> Result<()>;
    let answers: [(&str, Answers); 12] = [
        ("echo", answers::echoes),
        ("sum_and_affine", answers::sums),
        ("free_energy", answers::energies),
        ("belief_update", answers::updates),
        ("refusals", answers::refusals),
        ("queue_answers", queue::answers),
        ("queue_chains", queue::chains),
        ("queue_threads", queue::threads),
        ("queue_plans", queue::plans),
        ("queue_layers", queue::layers),
        ("queue_forgotten", queue::forgotten),
        ("queue_refusals", queue::refusals),
    ];
    let mut all = Vec::new(); // few: some twenty.
    for (name, answers) in answers {
        // A request is posted before its lease is launched, so these hold also where a kernel runs within its launch.
        let brief = Settings {
            idle: Duration::from_micros(1),
            deadline: Duration::from_secs(20),
            ..Settings::default()
        };
        all.push(Check::new(format!("lease/{name}"), move |gpu| {
            answers(gpu, brief)
        }));
        let usual = Settings::default();
        all.push(Check::new(format!("service/{name}"), move |gpu| {
            answers(gpu, usual)
        }));
    }
    all.extend([
        Check::new("service/many_requests", waits::many),
        Check::new("service/queue_many", queue::many),
        Check::new("service/leases_end", waits::leases_end),
        Check::new("service/stopped_in_the_middle", waits::stopped),
        Check::new("service/deadline", waits::late),
        Check::new("service/two_at_once", waits::two),
        Check::new("service/threads_take_turns", waits::threads),
        Check::new("service/others_synchronise", waits::others),
        Check::new("service/captures_refuse", waits::captures),
        Check::new("service/first_use_of_a_kernel", loading::first_use),
        Check::new("service/kernels_are_made", loading::made),
        Check::new("service/page_locked_memory", loading::pages),
    ]);
    all
}

pub(super) fn typed(gpu: &Gpu) -> Result<Arc<Cuda>> {
    match gpu.device.id() {
        DeviceId::Cuda(ordinal) => Ok(syntonic_cuda::open(ordinal)?),
        other => bail!("{other} has no services"),
    }
}

pub(super) fn start(gpu: &Gpu, settings: Settings) -> Result<Service> {
    Ok(Service::start(&typed(gpu)?, settings)?)
}

/// Numbers between -0.5 and 0.5.
pub(super) fn drawn(k: usize, n: usize) -> Vec<f64> {
    let value = |i: usize| ((i * 7919 + 31 * k) % 1009) as f64 / 1009.0 - 0.5;
    (0..n).map(value).collect() // few: a request.
}

pub(super) fn echo_one(service: &Service, x: f64) -> Result<()> {
    let mut answer = [0.0];
    service.echo(&[x], &mut answer)?;
    ensure!(answer == [x], "{answer:?}");
    Ok(())
}
