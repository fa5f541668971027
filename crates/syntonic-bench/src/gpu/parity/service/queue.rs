//! A queue for user-defined programs: results are the CPU's, whoever asks, in whatever order, and requests that read others' results do so on
//! the device.

use super::super::pipelines::{near, sampled, within};
use super::typed;
use crate::gpu::queue::{STATES, THREADS, queue, softmax};
use crate::gpu::{Gpu, compare_each, finite, unit};
use anyhow::{Context, Result, ensure};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use syntonic_core::pipeline::Mode;
use syntonic_core::pipeline::samples::Sample;
use syntonic_core::{DType, Tensor, stages};
use syntonic_cuda::service::{
    Argument, Operand, Program, Programs, Queue, Request, ServiceError, Settings,
};

stages! {
    /// Steps down the slope of a squared error, until one is short: what is believed, and what is left of the error.
    struct Descent(jacobian: [m, n], mean: [n], seen: [m]) -> (next, energy) {
        repeat 20 until done carrying (mean <- next) {
            #[stage(1)] predicted: [m] = product(jacobian, mean);
            #[stage(2)] error: [m] = |seen, predicted| seen - predicted;
            #[stage(3)] slope: [n] = product(transposed jacobian, error);
            #[stage(4)] next: [n] = |mean, slope| mean + 0.01 * slope;
            #[stage(5, reduction = max)] longest: [] = |slope| abs(slope);
            #[stage(6)] done: [] = |longest| select(lt(longest, 0.05), 1.0, 0.0);
        }
        #[stage(7, reduction = sum)] energy: [] = |error| 0.5 * (error * error);
    }
}

/// Sizes of the model.
const SIZES: [usize; 2] = [7, STATES];
/// Requests of a thread.
const EACH: usize = 24;
/// Random plans.
const PLANS: u64 = 40;
/// The first inputs of a random plan, which are matrices.
const MATRICES: usize = 4;
/// Why a random plan may be no program of a queue.
const REFUSED: [&str; 3] = [
    "folds within a formula, or a value without elements",
    "has no schedule for one thread block",
    "bytes of shared memory",
];

/// A queue with a plan and a function, whose matrix it keeps.
struct Made {
    queue: Queue,
    jacobian: Tensor,
    descent: Program,
    softmax: Program,
}

impl Made {
    fn of(gpu: &Gpu, dtype: DType, lanes: usize, settings: Settings) -> Result<Made> {
        let [m, n] = SIZES;
        let mut programs = Programs::new(&typed(gpu)?);
        let jacobian = finite(dtype, &SIZES, 1)?;
        let descent = programs.plan(
            Descent::plan(),
            &[
                Operand::Kept(&jacobian),
                Operand::Spec(&[n], dtype),
                Operand::Spec(&[m], dtype),
            ],
        )?;
        let softmax = programs.function("softmax", &[Operand::Spec(&[n], dtype)], softmax)?;
        Ok(Made {
            queue: Queue::start(programs, lanes, settings)?,
            jacobian,
            descent,
            softmax,
        })
    }

    fn submitted(&self, seed: u64) -> Result<([Tensor; 2], Request)> {
        let [m, n] = SIZES;
        let dtype = self.jacobian.dtype();
        let given = [finite(dtype, &[n], seed)?, finite(dtype, &[m], seed + 1)?];
        let [mean, seen] = &given;
        let sent = [Argument::Tensor(mean), Argument::Tensor(seen)];
        let request = self.queue.submit(&self.descent, &sent)?;
        Ok((given, request))
    }

    /// What a request gave is what the plan gives on the CPU in double precision.
    fn check(&self, [mean, seen]: &[Tensor; 2], got: &[Tensor]) -> Result<()> {
        let given = [&self.jacobian, mean, seen];
        let want = Descent::plan().run(&given, Mode::Reference)?;
        let [m, n] = SIZES;
        // Twenty rounds of sums of n and m numbers of about 1.
        let bound = 20.0 * 4.0 * (m + n) as f64 * unit(1.0, mean.dtype());
        for (got, want) in got.iter().zip(&want) {
            ensure!(got.dtype() == mean.dtype(), "{got:?}");
            near(got, want, bound)?;
        }
        ensure!(got.len() == 2);
        Ok(())
    }
}

/// Requests of one thread, all submitted before one is waited for, and waited for from the last one on.
pub(super) fn answers(gpu: &Gpu, settings: Settings) -> Result<()> {
    for dtype in [DType::F32, DType::F64] {
        let made = Made::of(gpu, dtype, 4, settings)?;
        let all = (0..EACH).map(|k| made.submitted(100 + 2 * k as u64));
        let all = all.collect::<Result<Vec<_>>>()?; // few: EACH.
        for (given, request) in all.iter().rev() {
            made.check(given, &request.wait()?)?;
            ensure!(request.is_done());
        }
        let x = finite(dtype, &[SIZES[1]], 5)?;
        let got = made
            .queue
            .submit(&made.softmax, &[Argument::Tensor(&x)])?
            .wait()?;
        let want = softmax(&[x.cast(DType::F64)?])?;
        let roundings = 8.0 + SIZES[1] as f64;
        for (got, want) in got.iter().zip(&want) {
            let bounds = vec![roundings * unit(1.0, dtype); want.numel()]; // few: a small operand's.
            compare_each(&got.cast(DType::F64)?, want, &bounds)?;
        }
        let report = made.queue.report()?;
        ensure!(
            report.commands == EACH as u64 + 1 && !report.poisoned,
            "{report:?}"
        );
    }
    Ok(())
}

/// A chain of requests is posted at once; each reads what the one before gave, in another lane.
pub(super) fn chains(gpu: &Gpu, settings: Settings) -> Result<()> {
    let made = Made::of(gpu, DType::F64, 4, settings)?;
    let [m, n] = SIZES;
    let (mut mean, seen) = (finite(DType::F64, &[n], 3)?, finite(DType::F64, &[m], 4)?);
    let mut last: Option<Request> = None;
    for _ in 0..9 {
        let from = match &last {
            None => Argument::Tensor(&mean),
            Some(before) => Argument::Result(before, 0),
        };
        // What it reads from is dropped, and still there when it runs.
        last = Some(
            made.queue
                .submit(&made.descent, &[from, Argument::Tensor(&seen)])?,
        );
    }
    let got = last.context("no request")?.wait()?;
    for _ in 0..8 {
        let given = [&made.jacobian, &mean, &seen];
        mean = Descent::plan().run(&given, Mode::Reference)?.swap_remove(0);
    }
    // Bounds of a run are for one; nine add up.
    made.check(&[mean, seen], &got)
}

/// Threads ask at once, and each gets what is its own.
pub(super) fn threads(gpu: &Gpu, settings: Settings) -> Result<()> {
    let made = Made::of(gpu, DType::F32, 4, settings)?;
    let done = AtomicUsize::new(0);
    thread::scope(|scope| {
        let each = (0..THREADS).map(|k| {
            let (made, done) = (&made, &done);
            scope.spawn(move || -> Result<()> {
                for turn in 0..EACH {
                    let (given, request) = made.submitted((1000 * k + 2 * turn) as u64)?;
                    made.check(&given, &request.wait()?)?;
                    done.fetch_add(1, Ordering::Relaxed);
                }
                Ok(())
            })
        });
        let each: Vec<_> = each.collect(); // few: THREADS.
        each.into_iter().try_for_each(|thread| match thread.join() {
            Ok(outcome) => outcome,
            Err(_) => anyhow::bail!("a thread ended early"),
        })
    })?;
    ensure!(done.into_inner() == THREADS * EACH);
    Ok(())
}

/// More requests than entries are in flight by turns, and what nobody waits for is no loss.
pub(super) fn forgotten(gpu: &Gpu, settings: Settings) -> Result<()> {
    let made = Made::of(gpu, DType::F32, 2, settings)?;
    let x = finite(DType::F32, &[SIZES[1]], 5)?;
    for turn in 0..600 {
        let request = made.queue.submit(&made.softmax, &[Argument::Tensor(&x)])?;
        let next = made
            .queue
            .submit(&made.softmax, &[Argument::Result(&request, 0)])?;
        if turn % 97 == 0 {
            let most = next.wait()?[1].to_scalar::<f32>()?;
            ensure!(most > 0.0 && most < 1.0, "{most}");
        }
    }
    made.queue.pause()?;
    ensure!(!made.queue.report()?.live);
    // What was not answered then is, by the next lease.
    made.queue
        .submit(&made.softmax, &[Argument::Tensor(&x)])?
        .wait()?;
    Ok(())
}

/// What does not fit is refused, by name.
pub(super) fn refusals(gpu: &Gpu, settings: Settings) -> Result<()> {
    let made = Made::of(gpu, DType::F32, 1, settings)?;
    let other = Made::of(gpu, DType::F32, 1, settings)?;
    let [m, n] = SIZES;
    let (mean, seen) = (finite(DType::F32, &[n], 3)?, finite(DType::F32, &[m], 4)?);
    let there = gpu.take(&mean)?;
    let foreign = other
        .queue
        .submit(&other.softmax, &[Argument::Tensor(&mean)])?;
    let cases: [(&[Argument<'_>], &str); 6] = [
        (&[Argument::Tensor(&mean)], "takes 2 operands"),
        (&[Argument::Tensor(&seen), Argument::Tensor(&seen)], "[33]"),
        (
            &[
                Argument::Tensor(&mean.cast(DType::F64)?),
                Argument::Tensor(&seen),
            ],
            "float64",
        ),
        (
            &[Argument::Tensor(&there), Argument::Tensor(&seen)],
            "cuda:0",
        ),
        (
            &[Argument::Result(&foreign, 0), Argument::Tensor(&seen)],
            "another queue",
        ),
        (
            &[Argument::Result(&foreign, 7), Argument::Tensor(&seen)],
            "another queue",
        ),
    ];
    for (operands, part) in cases {
        let refused = made.queue.submit(&made.descent, operands).map(drop);
        let text = refused.err().context("it was taken")?.to_string();
        ensure!(text.contains(part), "{text}");
    }
    let own = made
        .queue
        .submit(&made.softmax, &[Argument::Tensor(&mean)])?;
    for (which, part) in [(1, "[]"), (2, "has 2 results")] {
        let refused = made
            .queue
            .submit(&made.softmax, &[Argument::Result(&own, which)]);
        let text = refused.err().context("it was taken")?.to_string();
        ensure!(text.contains(part), "{text}");
    }
    let refused = made
        .queue
        .submit(&other.softmax, &[Argument::Tensor(&mean)]);
    ensure!(
        matches!(refused, Err(ServiceError::Other(_))),
        "{refused:?}"
    );
    own.wait()?;
    let mut programs = Programs::new(&typed(gpu)?);
    let vector = Operand::Spec(&[4096], DType::F64);
    programs.function("twice", &[vector], |x| Ok(vec![&x[0] + &x[0]]))?;
    let small = Settings {
        most_doubles: 4000,
        ..settings
    };
    let refused = Queue::start(programs, 1, small);
    ensure!(
        matches!(refused, Err(ServiceError::TooLarge { .. })),
        "{refused:?}"
    );
    let none = Queue::start(Programs::new(&typed(gpu)?), 3, settings);
    ensure!(none.is_err());
    Ok(())
}

/// A layer of a network that is written as a function: the matrix stays on the GPU, and what follows the product is part of the program.
pub(super) fn layers(gpu: &Gpu, settings: Settings) -> Result<()> {
    let layer = |x: &[Tensor]| -> syntonic_core::Result<Vec<Tensor>> {
        let y = (x[0].matmul(&x[1])? + &x[2]).tanh()?;
        let most = y.max(-1)?;
        Ok(vec![y, most])
    };
    let (rows, [m, n]) = (3, SIZES);
    for dtype in [DType::F32, DType::F64] {
        let (matrix, bias) = (finite(dtype, &[m, n], 1)?, finite(dtype, &[n], 2)?);
        let operands = [
            Operand::Spec(&[rows, m], dtype),
            Operand::Kept(&matrix),
            Operand::Kept(&bias),
        ];
        let mut programs = Programs::new(&typed(gpu)?);
        let program = programs.function("layer", &operands, layer)?;
        let queue = Queue::start(programs, 2, settings)?;
        for seed in 0..4 {
            let x = finite(dtype, &[rows, m], 10 + seed)?;
            let got = queue.submit(&program, &[Argument::Tensor(&x)])?.wait()?;
            let wide = |t: &Tensor| t.cast(DType::F64);
            let want = layer(&[wide(&x)?, wide(&matrix)?, wide(&bias)?])?;
            // A sum of m products of about 1, of which the slope of tanh leaves no more.
            let bound = 4.0 * m as f64 * unit(1.0, dtype);
            for (got, want) in got.iter().zip(&want) {
                near(got, want, bound)?;
            }
            ensure!(got.len() == want.len());
        }
    }
    Ok(())
}

/// Random plans with loops, a queue for each: matrices stay on the GPU, the other operands come with each request, and results are the
/// reference's. A plan that folds within a formula, or that is too large for a thread block, is refused as such.
pub(super) fn plans(gpu: &Gpu, settings: Settings) -> Result<()> {
    let mut ran = 0;
    for seed in 0..PLANS {
        let Some((sample, want)) = sampled(seed)? else {
            continue;
        };
        let Sample { plan, inputs, .. } = &sample;
        // few: inputs of a plan.
        let operands: Vec<_> = inputs
            .iter()
            .enumerate()
            .map(|(k, t)| match k < MATRICES {
                true => Operand::Kept(t),
                false => Operand::Spec(t.shape(), t.dtype()),
            })
            .collect();
        let mut programs = Programs::new(&typed(gpu)?);
        let made = programs
            .plan(plan, &operands)
            .and_then(|program| Ok((Queue::start(programs, 2, settings)?, program)));
        let (queue, program) = match made {
            Ok(made) => made,
            Err(ServiceError::TooLarge { .. }) => continue,
            Err(refused) if REFUSED.iter().any(|why| refused.to_string().contains(why)) => continue,
            Err(other) => return Err(other).with_context(|| format!("plan {seed}:\n{plan}")),
        };
        let sent = inputs.iter().skip(MATRICES).map(Argument::Tensor);
        let sent: Vec<_> = sent.collect(); // few: inputs of a plan.
        // The second request finds shared memory as the first has left it; the third runs beside it.
        let requests = [(); 3].map(|()| queue.submit(&program, &sent));
        for request in requests {
            let got = request?.wait()?;
            within(&sample, &got, &want).with_context(|| format!("plan {seed}"))?;
        }
        ran += 1;
    }
    ensure!(ran * 5 >= PLANS, "{ran} of {PLANS} plans ran");
    Ok(())
}

/// Many requests of four threads: each has its own answer, and none is lost.
pub(super) fn many(gpu: &Gpu) -> Result<()> {
    for way in queue(&typed(gpu)?, 4, 100_000)? {
        ensure!(way.requests > 0, "{way}");
    }
    Ok(())
}
