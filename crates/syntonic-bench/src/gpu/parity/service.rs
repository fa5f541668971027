//! The leased service: answers equal the CPU's, no request is lost, leases end by themselves, and nothing waits without end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::Check;
use crate::gpu::{Exactness, Gpu, bounds, compare};
use anyhow::{Context, Result, bail, ensure};
use syntonic_core::{DType, DeviceId, Error, Graph, Tensor, interrupt};
use syntonic_cuda::Cuda;
use syntonic_cuda::service::{
    Beliefs, Ending, Linear, Model, Operation, Service, ServiceError, Settings, Status, Steps,
};
use syntonic_srt::infer::{self, Evidence, History, Prior, Stepping};

/// Requests of which none is lost.
const MANY: u64 = 100_000;
/// The most steps of a command: minutes.
const ENDLESS: u32 = (1 << 24) - 1;
/// What a stopped command may take to end, and the lease behind it: the kernel looks every 100 us, and a loaded host is slow.
const SOON: Duration = Duration::from_millis(500);

pub(super) fn checks() -> Vec<Check> {
    type Answers = fn(&Gpu, Settings) -> Result<()>;
    let answers: [(&str, Answers); 5] = [
        ("echo", echoes),
        ("sum_and_affine", sums),
        ("free_energy", energies),
        ("belief_update", updates),
        ("refusals", refusals),
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
        Check::new("service/many_requests", many),
        Check::new("service/leases_end", leases_end),
        Check::new("service/stopped_in_the_middle", stopped),
        Check::new("service/deadline", late),
        Check::new("service/two_at_once", two),
        Check::new("service/threads_take_turns", threads),
        Check::new("service/others_synchronise", others),
        Check::new("service/captures_refuse", captures),
    ]);
    all
}

fn typed(gpu: &Gpu) -> Result<Arc<Cuda>> {
    match gpu.device.id() {
        DeviceId::Cuda(ordinal) => Ok(syntonic_cuda::open(ordinal)?),
        other => bail!("{other} has no services"),
    }
}

fn start(gpu: &Gpu, settings: Settings) -> Result<Service> {
    Ok(Service::start(&typed(gpu)?, settings)?)
}

/// Numbers between -0.5 and 0.5.
fn drawn(k: usize, n: usize) -> Vec<f64> {
    let value = |i: usize| ((i * 7919 + 31 * k) % 1009) as f64 / 1009.0 - 0.5;
    (0..n).map(value).collect() // few: a request.
}

/// The same, positive.
fn positive(k: usize, n: usize) -> Vec<f64> {
    drawn(k, n).iter().map(|x| x + 1.0).collect() // few: a request.
}

fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect() // few: a request.
}

/// Lengths of no vector, parts of one, of the shared memory and beyond it.
fn echoes(gpu: &Gpu, settings: Settings) -> Result<()> {
    let service = start(gpu, settings)?;
    for n in [0, 1, 2, 3, 511, 900, 4095, 4096, 4097, 8191, 8192] {
        let mut x = drawn(n, n);
        if let Some(first) = x.first_mut() {
            *first = f64::from_bits(0x7ff8_0000_dead_beef);
        }
        let mut answer = vec![0.0; n];
        service.echo(&x, &mut answer)?;
        ensure!(bits(&answer) == bits(&x), "{n} doubles");
    }
    let one_too_many = service.echo(&vec![0.0; 8193], &mut vec![0.0; 8193]);
    ensure!(
        matches!(one_too_many, Err(ServiceError::TooLarge { .. })),
        "{one_too_many:?}"
    );
    ensure!(service.report()?.commands == 11, "{:?}", service.report());
    Ok(())
}

/// The sum in the order of the kernel: 512 sums, each warp's and then the warps' in halves.
fn ordered(x: &[f64]) -> f64 {
    fn halved(sums: &mut [f64]) -> f64 {
        let mut half = sums.len() / 2;
        while half > 0 {
            for k in 0..half {
                sums[k] += sums[k + half];
            }
            half /= 2;
        }
        sums[0]
    }
    let mut sums = [0.0; 512];
    for (k, x) in x.iter().enumerate() {
        sums[k % 512] += x;
    }
    let mut warps = [0.0; 16];
    for (warp, lanes) in warps.iter_mut().zip(sums.chunks_mut(32)) {
        *warp = halved(lanes);
    }
    halved(&mut warps)
}

fn sums(gpu: &Gpu, settings: Settings) -> Result<()> {
    let service = start(gpu, settings)?;
    for n in [0, 1, 33, 513, 900, 5000] {
        let x = drawn(n + 1, n);
        let (got, want) = (service.sum(&x)?, ordered(&x));
        ensure!(got.to_bits() == want.to_bits(), "sum of {n}: {got} {want}");
        let mut answer = vec![0.0; n];
        service.affine([1.1, -0.3], &x, &mut answer)?;
        let want: Vec<f64> = x.iter().map(|x| 1.1 * x + -0.3).collect(); // few: a request.
        ensure!(bits(&answer) == bits(&want), "affine of {n}");
    }
    Ok(())
}

fn vector(x: &[f64]) -> Result<Tensor> {
    Ok(Tensor::from_slice(x, &[x.len()])?)
}

fn energies(gpu: &Gpu, settings: Settings) -> Result<()> {
    let service = start(gpu, settings)?;
    for [n, m] in [
        [1, 1],
        [0, 5],
        [5, 0],
        [31, 33],
        [900, 0],
        [900, 100],
        [1500, 600],
    ] {
        let means = [drawn(0, n), drawn(1, n)];
        let variances = [positive(2, n), positive(3, n)];
        let seen = [drawn(4, m), drawn(5, m)];
        let precision = positive(6, m);
        let got = service.free_energy(Beliefs {
            mean: [&means[0], &means[1]],
            variance: [&variances[0], &variances[1]],
            observation: [&seen[0], &seen[1]],
            precision: &precision,
        })?;
        let evidence = Evidence {
            observation: &vector(&seen[0])?,
            prediction: &vector(&seen[1])?,
            precision: &vector(&precision)?,
            jacobian: None,
        };
        let [mean_q, mean_p] = [vector(&means[0])?, vector(&means[1])?];
        let [var_q, var_p] = [vector(&variances[0])?, vector(&variances[1])?];
        let want = infer::free_energy(&mean_q, &mean_p, &var_q, &var_p, evidence)?;
        // As `infer/free_energy`: n and m terms below 8, in another order.
        let close = Exactness::Within {
            relative: 64.0 * bounds::rounding(DType::F64),
            scale: 8.0 * (n + m) as f64,
        };
        let same = |got: f64, want: &Tensor| -> Result<()> {
            compare(&Tensor::from_slice(&[got], &[])?, want, close)
                .with_context(|| format!("{n} states, {m} observations"))
        };
        same(got.complexity, &want.complexity)?;
        same(got.accuracy, &want.accuracy)?;
        same(got.free_energy, &want.free_energy)?;
        ensure!(got.free_energy.to_bits() == (got.complexity - got.accuracy).to_bits());
    }
    Ok(())
}

/// A model with everything, and what the CPU needs of it.
struct Whole {
    jacobian: Tensor,
    precision: Tensor,
    reference: Tensor,
    prior: [Tensor; 2],
}

impl Whole {
    fn new([m, n]: [usize; 2]) -> Result<Whole> {
        Ok(Whole {
            jacobian: Tensor::from_slice(&drawn(3, m * n), &[m, n])?,
            precision: vector(&positive(2, m))?,
            reference: vector(&drawn(6, m))?,
            prior: [vector(&drawn(4, n))?, vector(&positive(5, n))?],
        })
    }

    fn linear(&self, all: bool) -> Linear<'_> {
        Linear {
            jacobian: &self.jacobian,
            precision: &self.precision,
            reference: all.then_some(&self.reference),
            prior: all.then_some([&self.prior[0], &self.prior[1]]),
        }
    }

    /// Compares a service's steps with the CPU's, to the bit.
    fn same(&self, service: &Service, model: &Model, all: bool, steps: Steps) -> Result<u64> {
        let [m, n] = model.sizes();
        let (start, seen) = (drawn(7, n), drawn(8, m));
        let mut mean = start.clone();
        let got = service.belief_update(model, &mut mean, &seen, steps)?;
        let prior = Prior {
            mean: &self.prior[0],
            precision: &self.prior[1],
        };
        let linear = infer::Model {
            jacobian: &self.jacobian,
            reference: all.then_some(&self.reference),
            prior: all.then_some(prior),
        };
        let stepping = Stepping {
            rate: steps.rate,
            steps: steps.most as usize,
            tolerance: steps.tolerance,
            history: History::Last,
        };
        let (start, seen) = (vector(&start)?, vector(&seen)?);
        let want = infer::belief_update(&start, &seen, &self.precision, linear, stepping)?;
        let case = || format!("{m} x {n}, {steps:?}, prior {all}");
        compare(&vector(&mean)?, &want.mean, Exactness::Same).with_context(case)?;
        let numbers = [got.change, got.free_energy];
        let wanted = [&want.change, &want.free_energy];
        for (got, want) in numbers.into_iter().zip(wanted) {
            compare(&Tensor::from_slice(&[got], &[])?, want, Exactness::Same).with_context(case)?;
        }
        let counted = [got.steps as i64, got.ending as i64];
        let wanted = [
            want.steps.to_vec::<i64>()?[0],
            want.ending.to_vec::<i64>()?[0],
        ];
        ensure!(counted == wanted, "{counted:?} {wanted:?}: {}", case());
        Ok(got.ending)
    }
}

fn updates(gpu: &Gpu, settings: Settings) -> Result<()> {
    let service = start(gpu, settings)?;
    // The shared memory of one block, on older GPUs, holds small models only.
    let sizes: &[[usize; 2]] = match service.blocks() {
        1 => &[[1, 1], [3, 5], [7, 40], [33, 9]],
        _ => &[[1, 1], [3, 5], [40, 70], [600, 33], [100, 900]],
    };
    let mut models = Vec::new(); // few: two of each size.
    for size in sizes {
        for all in [false, true] {
            let whole = Whole::new(*size)?;
            let model = service.register(whole.linear(all))?;
            models.push((whole, model, all));
        }
    }
    let mut endings = [0; 3];
    for (whole, model, all) in models.iter().chain(&models) {
        let [m, n] = model.sizes();
        let rate = 4.0 / (m * n).max(16) as f64;
        let cases = [
            (rate, 0, 0.0),
            (rate, 3, 0.0),
            (rate, 40, 1e-3),
            (1e30, 90, 0.0),
        ];
        for (rate, most, tolerance) in cases {
            let steps = Steps {
                rate,
                most,
                tolerance,
            };
            endings[whole.same(&service, model, *all, steps)? as usize] += 1;
        }
    }
    ensure!(endings.iter().all(|count| *count > 0), "{endings:?}");
    let large = Tensor::zeros(&[4000, 4000], DType::F64)?;
    let precision = Tensor::zeros(&[4000], DType::F64)?;
    let refused = service.register(Linear {
        jacobian: &large,
        precision: &precision,
        reference: None,
        prior: None,
    });
    let text = refused
        .err()
        .context("a large model was taken")?
        .to_string();
    ensure!(
        text.contains("shared memory") && text.contains("hint"),
        "{text}"
    );
    let other = start(gpu, Settings::default())?;
    let steps = Steps {
        rate: 0.1,
        most: 1,
        tolerance: 0.0,
    };
    let foreign = other.belief_update(&models[0].1, &mut [0.0], &[0.0], steps);
    let status = Status::NoModel;
    ensure!(
        matches!(foreign, Err(ServiceError::Rejected { status: s, .. }) if s == status),
        "{foreign:?}"
    );
    Ok(())
}

fn many(gpu: &Gpu) -> Result<()> {
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

fn echo_one(service: &Service, x: f64) -> Result<()> {
    let mut answer = [0.0];
    service.echo(&[x], &mut answer)?;
    ensure!(answer == [x], "{answer:?}");
    Ok(())
}

fn leases_end(gpu: &Gpu) -> Result<()> {
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

fn rejected(result: Result<(), ServiceError>, wanted: Status) -> Result<()> {
    match result {
        Err(ServiceError::Rejected { status, .. }) if status == wanted => Ok(()),
        other => bail!("{other:?} where {wanted:?} was expected"),
    }
}

fn refusals(gpu: &Gpu, settings: Settings) -> Result<()> {
    let service = start(gpu, settings)?;
    let call = |operation, x: &[f64], n: usize| service.call(operation, x, &mut vec![0.0; n]);
    for opcode in [0, 6, 77, 255] {
        rejected(
            call(Operation::Opcode(opcode), &[1.0], 1),
            Status::UnknownOpcode,
        )?;
    }
    let whole = |k: u64| f64::from_bits(k);
    for [n, m] in [[1, 1], [u64::MAX, 1], [0, 3], [1 << 62, 0]] {
        let x = [whole(n), whole(m), 1.0];
        rejected(call(Operation::FreeEnergy, &x, 3), Status::Misfit)?;
    }
    rejected(call(Operation::FreeEnergy, &[1.0], 3), Status::Misfit)?;
    rejected(call(Operation::Opcode(3), &[1.0], 0), Status::Misfit)?;
    let x = [whole(0), whole(1), 0.1, 0.0, 0.0, 0.0];
    rejected(call(Operation::BeliefUpdate, &x, 5), Status::NoModel)?;
    let model = Whole::new([3, 5])?;
    service.register(model.linear(true))?;
    for steps in [1, 1 << 24, u64::MAX] {
        let x = [whole(0), whole(steps), 0.1, 0.0, 0.0];
        rejected(call(Operation::BeliefUpdate, &x, 9), Status::Misfit)?;
    }
    ensure!(service.call(Operation::Echo, &[1.0], &mut []).is_err());
    echo_one(&service, 5.0)?;
    let report = service.report()?;
    // One before the model and one behind it, if they last.
    let last = settings.idle >= Settings::default().idle;
    ensure!(!last || report.leases == 2, "{report:?}");
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

fn stopped(gpu: &Gpu) -> Result<()> {
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

fn late(gpu: &Gpu) -> Result<()> {
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

fn two(gpu: &Gpu) -> Result<()> {
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

fn threads(gpu: &Gpu) -> Result<()> {
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
fn others(gpu: &Gpu) -> Result<()> {
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

fn captures(gpu: &Gpu) -> Result<()> {
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
