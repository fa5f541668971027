//! What shows only after a while: threads and streams side by side, memory that comes and goes, several GPUs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::ops::linalg::matmul;
use syntonic_core::ops::order::{self, Direction};
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::{Buffer, Device, Error, Tensor};
use syntonic_cuda::{Cuda, Stream, device_count};

use super::service;
use crate::gpu::{Exactness, compare};

/// What came of it.
#[derive(Debug, Default, Serialize)]
pub struct Outcome {
    /// Results of the threads that were compared with the CPU's.
    pub compared: u64,
    /// Allocations that were made and given back.
    pub allocations: u64,
    /// Bytes of them in use at once, at most.
    pub in_use_at_most: usize,
    /// Bytes the pool holds after the first round.
    pub held_after_warm_up: usize,
    /// Bytes the pool holds at the end.
    pub held_at_the_end: usize,
    /// Bytes the driver took from the card by the end of the first round; nothing where other processes use it too.
    pub card_after_warm_up: Option<usize>,
    /// The same at the end.
    pub card_at_the_end: Option<usize>,
    /// Microseconds of taking and giving back a block that waits in the pool.
    pub cached_allocation_us: f64,
    /// Requests that a service answered, one after the other, and the seconds that they took.
    pub requests: u64,
    /// See `requests`.
    pub requests_seconds: f64,
    /// GPUs of the process; what needs two is looked at where there are two.
    pub gpus: usize,
    /// What was wrong.
    pub failed: Vec<String>,
}

/// Allocations of one round of the trace.
const ALLOCATIONS: u64 = 100_000;
/// What a process that is alone has of a card's memory before it does anything, at most, in bytes.
const LONE: usize = 4 << 30;
/// Rounds of the trace.
const ROUNDS: u64 = 10;

/// Microseconds that taking and giving back a block may take where one waits.
const CACHED_US: f64 = 0.3;

/// A part of the soak: looks, and adds what it saw to the outcome.
type Part = fn(&Arc<Cuda>, &mut Outcome) -> Result<()>;

/// Works for `length`, and then looks at memory and at pairs of GPUs.
///
/// # Errors
/// Where there is no GPU. What is wrong with one is in the outcome.
pub fn soak(length: Duration) -> Result<Outcome> {
    let gpu = syntonic_cuda::open(0)?;
    let mut outcome = Outcome {
        gpus: device_count(),
        ..Outcome::default()
    };
    let end = Instant::now() + length;
    let threads: Vec<_> = (0..2)
        .map(|seed| {
            let gpu = gpu.clone();
            std::thread::spawn(move || random_work(&gpu, seed + 1, end))
        })
        .collect();
    for thread in threads {
        match thread.join() {
            Ok(Ok(count)) => outcome.compared += count,
            Ok(Err(error)) => outcome.failed.push(format!("threads: {error:#}")),
            Err(_) => outcome.failed.push("threads: a panic".to_owned()),
        }
    }
    let parts: [(&str, Part); 6] = [
        ("pool", pool),
        ("cached allocation", cached_allocation),
        ("out of memory", out_of_memory),
        ("two GPUs", two_gpus),
        ("requests of a service", service::requests),
        ("commands that are stopped", service::stopped),
    ];
    for (name, part) in parts {
        if let Err(error) = part(&gpu, &mut outcome) {
            outcome.failed.push(format!("{name}: {error:#}"));
        }
    }
    println!("{outcome:#?}");
    Ok(outcome)
}

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % n
    }
}

/// Random operators on two streams of this thread, results of one stream being operands on the other.
fn random_work(gpu: &Arc<Cuda>, seed: u64, end: Instant) -> Result<u64> {
    let device: Arc<dyn Device> = gpu.clone();
    let streams = [Stream::new(gpu)?, Stream::new(gpu)?];
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mut compared = 0;
    while Instant::now() < end {
        let rows = 1 + dice.below(96);
        // Small whole numbers: every sum and product below is exact, so any difference is an error.
        let values: Vec<f32> = (0..rows * rows)
            .map(|_| dice.below(9) as f32 - 4.0)
            .collect();
        let mut host = Tensor::from_vec(values, &[rows, rows])?;
        let mut there = host.to(&device)?;
        for step in 0..8 {
            let _current = streams[dice.below(2)].enter();
            let operator = dice.below(OPERATORS);
            there = operate(operator, &there)?;
            host = operate(operator, &host)?;
            if step % 4 == 3 {
                compare(&there, &host, Exactness::Ulps(0.0)).with_context(|| {
                    format!("operator {operator}, {rows} rows, after {compared}")
                })?;
                compared += 1;
            }
        }
    }
    Ok(compared)
}

const OPERATORS: usize = 8;

/// One of the operators; results are whole numbers between -4 and 4 again.
fn operate(operator: usize, x: &Tensor) -> Result<Tensor> {
    let two = |prim, a: &Tensor, b: &Tensor| apply(prim, &[Arg::Tensor(a), Arg::Tensor(b)]);
    let made = match operator {
        0 => two(Prim::Add, x, x)?,
        1 => two(Prim::Mul, x, &x.transpose(0, 1)?)?,
        2 => matmul(&x.contiguous()?, &x.contiguous()?)?,
        3 => order::sort(x, -1, Direction::Ascending)?,
        4 => x.transpose(0, 1)?.contiguous()?,
        5 => two(Prim::Sub, x, &reduce::max(x, &Over::axes(&[0]))?)?,
        6 => two(Prim::Add, x, &reduce::sum(x, &Over::axes(&[0]), None)?)?,
        _ => x.flip(&[0])?.contiguous()?,
    };
    let bound = |prim, x: &Tensor, n: f64| apply(prim, &[Arg::Tensor(x), n.into()]);
    Ok(bound(Prim::Max, &bound(Prim::Min, &made, 4.0)?, -4.0)?.eval()?)
}

/// Blocks of random sizes come and go, ten rounds of the same trace: from the second round on, the pool takes no more
/// memory from the driver, nor the driver from the card. What the first round leaves is at most half as much again as
/// was in use at once. What the card gave is looked at where this process is alone on it.
fn pool(gpu: &Arc<Cuda>, outcome: &mut Outcome) -> Result<()> {
    gpu.synchronize()?;
    gpu.trim();
    let held = || gpu.stats().in_use + gpu.stats().cached;
    let (before, total) = gpu.context().free_and_total()?;
    let alone = total - before < LONE;
    let given = || -> Result<Option<usize>> {
        let (free, _) = gpu.context().free_and_total()?;
        Ok(alone.then(|| before.saturating_sub(free)))
    };
    let mut in_use = 0;
    for round in 0..ROUNDS {
        in_use = in_use.max(trace(gpu)?);
        if round == 0 {
            outcome.held_after_warm_up = held();
            outcome.card_after_warm_up = given()?;
        }
    }
    outcome.allocations = ROUNDS * ALLOCATIONS;
    outcome.in_use_at_most = in_use;
    outcome.held_at_the_end = held();
    outcome.card_at_the_end = given()?;
    ensure!(
        outcome.held_at_the_end <= outcome.held_after_warm_up
            && outcome.card_at_the_end <= outcome.card_after_warm_up,
        "the pool grew from {} to {} bytes, and what the card gave from {:?} to {:?}",
        outcome.held_after_warm_up,
        outcome.held_at_the_end,
        outcome.card_after_warm_up,
        outcome.card_at_the_end
    );
    ensure!(
        outcome.held_at_the_end <= in_use + in_use / 2,
        "{} bytes are held for {in_use} in use at once",
        outcome.held_at_the_end
    );
    Ok(())
}

/// One round of the trace: 256 blocks, of which a random one is replaced at each step. Returns the bytes that were in use
/// at once, at most.
fn trace(gpu: &Arc<Cuda>) -> Result<usize> {
    let device: Arc<dyn Device> = gpu.clone();
    let mut dice = Dice(7);
    let mut live: Vec<Option<Buffer>> = (0..256).map(|_| None).collect();
    let mut most = 0;
    for _ in 0..ALLOCATIONS {
        let place = dice.below(live.len());
        live[place] = None;
        let bytes = (1 << dice.below(24)) + dice.below(4096);
        live[place] = Some(Buffer::allocate(&device, bytes)?);
        most = most.max(gpu.stats().in_use);
    }
    Ok(most)
}

/// Taking and giving back one size: the block waits in the pool.
fn cached_allocation(gpu: &Arc<Cuda>, outcome: &mut Outcome) -> Result<()> {
    let device: Arc<dyn Device> = gpu.clone();
    let turns = 100_000u32;
    let mut rounds: Vec<f64> = Vec::new();
    for _ in 0..7 {
        let start = Instant::now();
        for _ in 0..turns {
            drop(std::hint::black_box(Buffer::allocate(&device, 1 << 20)?));
        }
        rounds.push(start.elapsed().as_secs_f64() * 1e6 / f64::from(turns));
    }
    rounds.sort_by(f64::total_cmp);
    outcome.cached_allocation_us = rounds[rounds.len() / 2];
    ensure!(
        outcome.cached_allocation_us <= CACHED_US,
        "{} us for a block that waits, more than {CACHED_US}",
        outcome.cached_allocation_us
    );
    Ok(())
}

/// What does not fit is an error with the numbers, and what fits is served afterwards.
fn out_of_memory(gpu: &Arc<Cuda>, _: &mut Outcome) -> Result<()> {
    let device: Arc<dyn Device> = gpu.clone();
    gpu.synchronize()?;
    gpu.trim();
    let (free, total) = gpu.context().free_and_total()?;
    match Buffer::allocate(&device, total + (1 << 30)) {
        Err(Error::OutOfMemory { requested, .. }) => {
            ensure!(
                requested == total + (1 << 30),
                "{requested} bytes are named"
            );
        }
        Err(other) => bail!("another error: {other}"),
        Ok(_) => bail!("more memory than there is"),
    }
    drop(Buffer::allocate(&device, free / 2).context("half of what is free")?);
    gpu.trim();
    Ok(())
}

/// Everything that pairs of GPUs can do wrong, where there are two.
fn two_gpus(_: &Arc<Cuda>, outcome: &mut Outcome) -> Result<()> {
    if outcome.gpus >= 2 {
        outcome.failed.append(&mut super::pair::pair()?.failed);
    }
    Ok(())
}
