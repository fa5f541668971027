//! How long a tiny request takes, from the call to its result on the host: a service, a graph's replay, and plain launches.
//! `cargo run --release -p syntonic-cuda --example service_latency`
//!
//! All three are given numbers of the host and leave numbers on the host: what a loop needs that decides by the result. A column of its
//! own has replays of a graph whose inputs lie on the GPU and whose result stays there, ended by a wait: what a graph is better at.

use std::hint::black_box;
use std::time::Instant;
use syntonic_core::prelude::*;
use syntonic_core::{Graph, Result};
use syntonic_cuda::service::{Beliefs, Linear, Service, Settings, Steps};
use syntonic_srt::infer::{self, Evidence, History, Model, Stepping};

/// Requests that are timed, and that are not, first.
const TIMED: usize = 20_000;
const WARM: usize = 2_000;
const STATES: usize = 900;
const ROWS: usize = 100;

/// Prints the median, the 99th of a hundred and the longest, in microseconds.
fn time(name: &str, requests: usize, mut request: impl FnMut() -> Result<()>) -> Result<()> {
    for _ in 0..requests / 10 + 1 {
        request()?;
    }
    let mut taken: Vec<f64> = Vec::with_capacity(requests);
    for _ in 0..requests {
        let begun = Instant::now();
        request()?;
        taken.push(begun.elapsed().as_secs_f64() * 1e6);
    }
    taken.sort_by(f64::total_cmp);
    let at = |part: f64| taken[((requests - 1) as f64 * part) as usize];
    println!(
        "{name:<44} p50 {:8.2} us   p99 {:8.2} us   longest {:9.2} us",
        at(0.5),
        at(0.99),
        at(1.0)
    );
    Ok(())
}

fn drawn(k: usize, n: usize) -> Vec<f64> {
    let value = |i: usize| ((i * 7919 + 31 * k) % 1009) as f64 / 1009.0 + 0.25;
    (0..n).map(value).collect()
}

fn vector(x: &[f64]) -> Result<Tensor> {
    Tensor::from_slice(x, &[x.len()])
}

/// A request of a service as the engine's error.
fn ask<T>(answer: syntonic_cuda::service::Result<T>) -> Result<T> {
    Ok(answer?)
}

fn main() -> Result<()> {
    if let Some(reason) = syntonic_cuda::why_unavailable() {
        println!("{reason}");
        return Ok(());
    }
    let (timed, steps) = match std::env::args().any(|a| a == "--short") {
        true => (WARM, 4),
        false => (TIMED, 16),
    };
    let gpu = syntonic_cuda::open(0)?;
    let device = syntonic_cuda::device(0)?;
    let service = ask(Service::start(&gpu, Settings::default()))?;
    let blocks = service.blocks();
    println!(
        "{}, {blocks} blocks, {timed} requests each",
        gpu.context().name()?
    );

    let x = drawn(0, STATES);
    let mut answer = vec![0.0; STATES];
    time("echo 900, service", timed, || {
        ask(service.echo(&x, &mut answer))
    })?;
    let here = vector(&x)?;
    let there = here.to(&device)?;
    let copy = Graph::capture(&[&there], |i| Ok(vec![i[0].copy()?]))?;
    time("echo 900, graph, host to host", timed, || {
        let replayed = copy.replay(&[&here.to(&device)?])?;
        black_box(replayed[0].to_vec::<f64>()?);
        Ok(())
    })?;
    time("echo 900, graph, on the GPU, and a wait", timed, || {
        black_box(copy.replay(&[&there])?);
        device.synchronize()
    })?;
    time("echo 900, plain, host to host", timed, || {
        black_box(here.to(&device)?.copy()?.to_vec::<f64>()?);
        Ok(())
    })?;

    let [mean_q, mean_p, var_q, var_p] = [0, 1, 2, 3].map(|k| drawn(k, STATES));
    let [seen, told, sure] = [4, 5, 6].map(|k| drawn(k, ROWS));
    let beliefs = Beliefs {
        mean: [&mean_q, &mean_p],
        variance: [&var_q, &var_p],
        observation: [&seen, &told],
        precision: &sure,
    };
    time("free energy 900 x 100, service", timed, || {
        black_box(ask(service.free_energy(beliefs))?);
        Ok(())
    })?;
    let parts = [&mean_q, &mean_p, &var_q, &var_p, &seen, &told, &sure];
    let hosts = parts
        .iter()
        .map(|x| vector(x))
        .collect::<Result<Vec<_>>>()?;
    let there = hosts
        .iter()
        .map(|x| x.to(&device))
        .collect::<Result<Vec<_>>>()?;
    let energy = |x: &[&Tensor]| -> Result<Tensor> {
        let evidence = Evidence {
            observation: x[4],
            prediction: x[5],
            precision: x[6],
            jacobian: None,
        };
        Ok(infer::free_energy(x[0], x[1], x[2], x[3], evidence)?.free_energy)
    };
    let operands: Vec<&Tensor> = there.iter().collect();
    let replayed = Graph::capture(&operands, |i| Ok(vec![energy(i)?]))?;
    // One argument moves at each request, as in a loop that has a new belief each time.
    time("free energy 900 x 100, graph, host to host", timed, || {
        let moved = hosts[0].to(&device)?;
        let mut now = operands.clone();
        now[0] = &moved;
        black_box(replayed.replay(&now)?[0].to_scalar::<f64>()?);
        Ok(())
    })?;
    time(
        "free energy 900 x 100, graph, on the GPU, and a wait",
        timed,
        || {
            black_box(replayed.replay(&operands)?);
            device.synchronize()
        },
    )?;
    time("free energy 900 x 100, plain, host to host", timed, || {
        let moved = hosts[0].to(&device)?;
        let mut now = operands.clone();
        now[0] = &moved;
        black_box(energy(&now)?.to_scalar::<f64>()?);
        Ok(())
    })?;

    let jacobian = Tensor::from_slice(&drawn(7, ROWS * STATES), &[ROWS, STATES])?;
    let linear = Linear {
        jacobian: &jacobian,
        precision: &hosts[6],
        reference: None,
        prior: None,
    };
    let model = ask(service.register(linear))?;
    let stepping = Steps {
        rate: 1e-6,
        most: steps,
        tolerance: 0.0,
    };
    let mut mean = mean_q.clone();
    time(
        &format!("belief update, {steps} steps, service"),
        timed,
        || {
            mean.copy_from_slice(&mean_q);
            black_box(ask(
                service.belief_update(&model, &mut mean, &seen, stepping)
            )?);
            Ok(())
        },
    )?;
    let jacobian = jacobian.to(&device)?;
    let update = |start: &Tensor, seen: &Tensor, sure: &Tensor| -> Result<Tensor> {
        let model = Model {
            jacobian: &jacobian,
            reference: None,
            prior: None,
        };
        let stepping = Stepping {
            rate: 1e-6,
            steps: steps as usize,
            tolerance: 0.0,
            history: History::Last,
        };
        Ok(infer::belief_update(start, seen, sure, model, stepping)?.mean)
    };
    time(
        &format!("belief update, {steps} steps, plain, host to host"),
        timed,
        || {
            let moved = hosts[0].to(&device)?;
            black_box(update(&moved, &there[4], &there[6])?.to_vec::<f64>()?);
            Ok(())
        },
    )?;
    println!("{:?}", ask(service.report())?);
    Ok(())
}
