//! Leases and their ends, requests that are stopped or late, and who is beside a lease.

use super::answers::Whole;
use super::{drawn, echo_one, start, typed};
use crate::gpu::Gpu;
use anyhow::{Context, Result, bail, ensure};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use syntonic_core::{DType, Error, Graph, Tensor, interrupt};
use syntonic_cuda::service::{Ending, Model, Service, ServiceError, Settings, Steps};

/// Requests of which none is lost.
const MANY: u64 = 100_000;
/// The most steps of a command: minutes.
const ENDLESS: u32 = (1 << 24) - 1;
/// What a stopped command may take to end, and the lease behind it: the kernel looks every 100 us, and a loaded host is slow.
pub(super) const SOON: Duration = Duration::from_millis(500);

pub(super) fn many(gpu: &Gpu) -> Result<()> {
    let service = start(gpu, Settings::default())?;
    for k in 0..MANY {
        let x = [k as f64, -(k as f64), 0.5, k as f64 + 0.25];
        let mut answer = [0.0; 4];
        service.echo(&x, &mut answer)?;
        ensure!(answer == x, "request {k}: {answer:?}");
    }
    let report = service.report()?;
    ensure!(report.commands == MANY && !report.poisoned, "{report:?}");
    Ok(())
}

fn wait_until(what: &str, holds: impl Fn() -> Result<bool>) -> Result<()> {
    let begun = Instant::now();
    while !holds()? {
        ensure!(
            begun.elapsed() < Duration::from_secs(10),
            "{what} never came"
        );
        thread::sleep(Duration::from_millis(1));
    }
    Ok(())
}

pub(super) fn leases_end(gpu: &Gpu) -> Result<()> {
    let usual = Settings {
        idle: Duration::from_millis(50),
        ..Settings::default()
    };
    let service = start(gpu, usual)?;
    ensure!(service.report()?.leases == 0);
    echo_one(&service, 1.0)?;
    let first = service.report()?;
    ensure!(first.leases == 1 && first.live, "{first:?}");
    wait_until("the end of a lease without work", || {
        Ok(!service.report()?.live)
    })?;
    let ended = service.report()?;
    ensure!(
        ended.ending == Some(Ending::Idle) && ended.heartbeat >= 20,
        "{ended:?}"
    );
    thread::sleep(Duration::from_millis(30));
    ensure!(
        service.report()?.heartbeat == ended.heartbeat,
        "it polls on"
    );
    echo_one(&service, 2.0)?;
    let second = service.report()?;
    ensure!(second.leases == 2 && second.live, "{second:?}");
    let begun = Instant::now();
    service.pause()?;
    ensure!(begun.elapsed() < SOON, "a pause took {:?}", begun.elapsed());
    ensure!(service.report()?.ending == Some(Ending::Asked));

    let few = Settings {
        most_commands: 10,
        ..usual
    };
    let service = start(gpu, few)?;
    (0..95).try_for_each(|k| echo_one(&service, f64::from(k)))?;
    ensure!(service.report()?.leases >= 10, "{:?}", service.report());
    let short = Settings {
        lifetime: Duration::from_millis(20),
        ..usual
    };
    let (service, begun) = (start(gpu, short)?, Instant::now());
    while begun.elapsed() < Duration::from_millis(300) {
        echo_one(&service, 3.0)?;
    }
    ensure!(service.report()?.leases >= 5, "{:?}", service.report());
    // At the moment when a lease ends.
    let brief = Settings {
        idle: Duration::from_micros(50),
        ..usual
    };
    let service = start(gpu, brief)?;
    for k in 0..500_u32 {
        thread::sleep(Duration::from_micros((k % 60).into()));
        echo_one(&service, k.into())?;
    }
    ensure!(service.report()?.commands == 500);
    let begun = Instant::now();
    drop(service);
    ensure!(begun.elapsed() < SOON, "a drop took {:?}", begun.elapsed());
    Ok(())
}

/// A service with a model whose updates take minutes.
fn with_long(gpu: &Gpu, deadline: Duration) -> Result<(Service, Model)> {
    let settings = Settings {
        deadline,
        ..Settings::default()
    };
    let service = start(gpu, settings)?;
    let size = match service.blocks() {
        1 => [7, 40],
        _ => [100, 900],
    };
    let model = service.register(Whole::new(size)?.linear(true))?;
    Ok((service, model))
}

fn update(service: &Service, model: &Model, most: u32) -> Result<(), ServiceError> {
    let steps = Steps {
        rate: 1e-4,
        most,
        tolerance: 0.0,
    };
    let [m, n] = model.sizes();
    let mut mean = drawn(1, n);
    let done = service.belief_update(model, &mut mean, &drawn(2, m), steps);
    done.map(|_| ())
}

pub(super) fn stopped(gpu: &Gpu) -> Result<()> {
    fn stop() -> interrupt::Answer {
        interrupt::Answer::Stop
    }
    let (service, model) = with_long(gpu, Duration::from_secs(20))?;
    update(&service, &model, 10)?;
    for _ in 0..3 {
        let begun = Instant::now();
        let result = interrupt::heeding(stop, || update(&service, &model, ENDLESS));
        let text = result.err().context("it was not stopped")?.to_string();
        ensure!(text.contains("interrupted"), "{text}");
        // The caller is asked after a tenth of a second.
        let took = begun.elapsed();
        ensure!(took < Duration::from_millis(100) + SOON, "{took:?}");
        ensure!(service.report()?.ending == Some(Ending::Aborted));
        update(&service, &model, 10)?;
    }
    Ok(())
}

pub(super) fn late(gpu: &Gpu) -> Result<()> {
    let deadline = Duration::from_millis(60);
    let (service, model) = with_long(gpu, deadline)?;
    update(&service, &model, 10)?;
    let begun = Instant::now();
    let result = update(&service, &model, ENDLESS);
    let took = begun.elapsed();
    ensure!(
        matches!(result, Err(ServiceError::TimedOut { .. })),
        "{result:?}"
    );
    ensure!(took >= deadline && took < deadline + SOON, "{took:?}");
    let report = service.report()?;
    ensure!(report.poisoned && !report.live, "{report:?}");
    let after = service.sum(&[1.0]);
    ensure!(
        matches!(after, Err(ServiceError::Poisoned { .. })),
        "{after:?}"
    );
    drop(service);
    // Another one has its memory.
    echo_one(&start(gpu, Settings::default())?, 4.0)
}

pub(super) fn two(gpu: &Gpu) -> Result<()> {
    let (slow, model) = with_long(gpu, Duration::from_secs(20))?;
    let quick = start(gpu, Settings::default())?;
    update(&slow, &model, 10)?;
    echo_one(&quick, 1.0)?;
    let done = AtomicBool::new(false);
    let meanwhile = thread::scope(|scope| -> Result<u64> {
        let slow = scope.spawn(|| {
            let result = update(&slow, &model, 100_000);
            done.store(true, Ordering::Release);
            result
        });
        let mut answered = 0;
        while !done.load(Ordering::Acquire) {
            echo_one(&quick, answered as f64)?;
            answered += 1;
        }
        slow.join().ok().context("a thread panicked")??;
        Ok(answered)
    })?;
    // A hundred thousand steps take tenths of a second, an echo some microseconds.
    ensure!(meanwhile > 100, "{meanwhile} answers beside a long command");
    Ok(())
}

pub(super) fn threads(gpu: &Gpu) -> Result<()> {
    let service = start(gpu, Settings::default())?;
    thread::scope(|scope| {
        let all: Vec<_> = (0..4)
            .map(|k| {
                let service = &service;
                scope.spawn(move || {
                    (0..2000).try_for_each(|i| echo_one(service, f64::from(k * 10_000 + i)))
                })
            })
            .collect(); // few: four threads.
        all.into_iter()
            .try_for_each(|thread| thread.join().ok().context("a thread panicked")?)
    })?;
    ensure!(service.report()?.commands == 8000, "{:?}", service.report());
    Ok(())
}

/// Whoever waits for the whole GPU waits for a lease at most: for microseconds where we do, and else for its end.
pub(super) fn others(gpu: &Gpu) -> Result<()> {
    let settings = Settings {
        idle: Duration::from_secs(5),
        lifetime: Duration::from_secs(5),
        ..Settings::default()
    };
    let service = start(gpu, settings)?;
    echo_one(&service, 1.0)?;
    let begun = Instant::now();
    gpu.device.trim();
    ensure!(
        begun.elapsed() < SOON,
        "our own wait took {:?}",
        begun.elapsed()
    );
    ensure!(service.report()?.ending == Some(Ending::Asked));
    echo_one(&service, 1.0)?;
    let large = Tensor::full_on(&[5 << 20], 1.0, DType::F32, &gpu.device)?;
    ensure!(large.sum(..)?.to_scalar::<f32>()? == (5 << 20) as f32);
    drop(service);

    // Requests all the time, and another library that waits for everything.
    let settings = Settings {
        lifetime: Duration::from_millis(200),
        ..Settings::default()
    };
    let service = start(gpu, settings)?;
    let cuda = typed(gpu)?;
    let done = AtomicBool::new(false);
    thread::scope(|scope| -> Result<()> {
        let asks = scope.spawn(|| -> Result<()> {
            while !done.load(Ordering::Acquire) {
                echo_one(&service, 2.0)?;
            }
            Ok(())
        });
        let waits = || -> Result<()> {
            for _ in 0..5 {
                let begun = Instant::now();
                cuda.context().driver().synchronize()?;
                let took = begun.elapsed();
                ensure!(took < settings.lifetime + SOON, "another waited {took:?}");
                thread::sleep(Duration::from_millis(20));
            }
            Ok(())
        };
        let waited = waits();
        done.store(true, Ordering::Release);
        asks.join().ok().context("a thread panicked")??;
        waited
    })
}

pub(super) fn captures(gpu: &Gpu) -> Result<()> {
    let service = start(gpu, Settings::default())?;
    let x = gpu.take(&Tensor::ones(&[8], DType::F64)?)?;
    let refused = Graph::capture(&[&x], |i| {
        service.sum(&[1.0]).map_err(Error::from)?;
        Ok(vec![i[0] + 1.0])
    });
    match refused {
        Err(Error::Capture { .. }) => echo_one(&service, 1.0),
        Err(other) => bail!("another error: {other}"),
        Ok(_) => bail!("a request was captured"),
    }
}
