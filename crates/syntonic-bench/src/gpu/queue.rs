//! Round trips of a small program: through a queue, by an ordinary launch, and by a graph.

use std::fmt;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use anyhow::{Result, bail, ensure};
use serde::Serialize;
use syntonic_core::{DType, Device, Graph, Tensor};
use syntonic_cuda::Cuda;
use syntonic_cuda::service::{Argument, Operand, Program, Programs, Queue, Settings};

/// Numbers of a request.
pub(crate) const STATES: usize = 33;
/// Threads that ask at once.
pub(crate) const THREADS: usize = 4;
/// Round trips before any is timed.
const WARM: usize = 200;

/// `softmax` of a vector of states, and its largest entry.
///
/// # Errors
/// Those of its operations.
pub(crate) fn softmax(x: &[Tensor]) -> syntonic_core::Result<Vec<Tensor>> {
    let e = (&x[0] - x[0].max(..)?).exp()?;
    let p = (&e / e.sum(..)?).eval()?;
    let most = p.max(..)?;
    Ok(vec![p, most])
}

/// The round trips of one way.
#[derive(Clone, Debug, Serialize)]
pub struct Way {
    /// What it is called.
    pub name: &'static str,
    /// Round trips that were timed, of which each had its own answer.
    pub requests: usize,
    /// Microseconds, of the median and of the slowest hundredth.
    pub median: f64,
    /// As above.
    pub slow: f64,
    /// Requests a second, of all threads.
    pub rate: f64,
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Way {
            name,
            requests,
            median,
            slow,
            rate,
        } = self;
        write!(
            f,
            "{name:<24} {requests:>9} requests {median:>8.1} us {slow:>8.1} us at 99 % {rate:>10.0}/s"
        )
    }
}

/// A request whose answer is known: zeros but for one, at a place and of a size that tell it from others.
fn asked(number: usize) -> Result<(Tensor, f64)> {
    let top = (number % 11) as f32 * 0.25;
    let mut x = vec![0f32; STATES]; // few: STATES.
    x[number % STATES] = top;
    let top = f64::from(top).exp();
    let largest = top / (top + (STATES - 1) as f64);
    Ok((Tensor::from_vec(x, &[STATES])?, largest))
}

/// Times `requests` round trips of each of so many threads, of which `ask` makes one.
fn timed(
    name: &'static str,
    (threads, requests): (usize, usize),
    ask: impl Fn(&Tensor) -> Result<Vec<Tensor>> + Sync,
) -> Result<Way> {
    let work = |thread: usize| -> Result<Vec<f64>> {
        let mut times = Vec::with_capacity(requests);
        for turn in 0..requests + WARM {
            let (x, want) = asked(97 * thread + turn)?;
            let begun = Instant::now();
            let got = ask(&x)?;
            let took = begun.elapsed().as_secs_f64() * 1e6;
            let largest = f64::from(got[1].to_scalar::<f32>()?);
            ensure!(
                (largest - want).abs() < 64.0 * f64::from(f32::EPSILON),
                "request {turn} of thread {thread}: {largest} for {want}"
            );
            if turn >= WARM {
                times.push(took);
            }
        }
        Ok(times)
    };
    let mut all = Vec::with_capacity(threads * requests);
    let begun = Instant::now();
    thread::scope(|scope| -> Result<()> {
        let work = &work;
        // few: threads.
        let each: Vec<_> = (0..threads).map(|k| scope.spawn(move || work(k))).collect();
        for thread in each {
            match thread.join() {
                Ok(times) => all.extend(times?),
                Err(_) => bail!("a thread ended early"),
            }
        }
        Ok(())
    })?;
    let rate = (threads * (requests + WARM)) as f64 / begun.elapsed().as_secs_f64();
    all.sort_by(f64::total_cmp);
    Ok(Way {
        name,
        requests: all.len(),
        median: all[all.len() / 2],
        slow: all[all.len() * 99 / 100],
        rate,
    })
}

/// A queue of the program alone.
pub(crate) fn start(gpu: &Arc<Cuda>, lanes: usize) -> Result<(Queue, Program)> {
    let mut programs = Programs::new(gpu);
    let vector = Operand::Spec(&[STATES], DType::F32);
    let program = programs.function("softmax", &[vector], softmax)?;
    Ok((Queue::start(programs, lanes, Settings::default())?, program))
}

/// Round trips of `requests` requests, of four threads and of one: a vector of the host in, two results of the host out.
///
/// # Errors
/// Where the GPU has no queue, or an answer is not that of its request.
pub fn queue(gpu: &Arc<Cuda>, lanes: usize, requests: usize) -> Result<Vec<Way>> {
    let each = (requests / THREADS).max(1);
    let few = each.min(20_000);
    let (queue, program) = start(gpu, lanes)?;
    let by_queue = |x: &Tensor| Ok(queue.submit(&program, &[Argument::Tensor(x)])?.wait()?);
    let mut ways = vec![
        timed("queue, 4 threads", (THREADS, each), by_queue)?,
        timed("queue, 1 thread", (1, few), by_queue)?,
    ];
    let report = queue.report()?;
    ensure!(!report.poisoned, "{report:?}");
    drop(queue);
    let device: Arc<dyn Device> = gpu.clone();
    let back = |all: Vec<Tensor>| -> Result<Vec<Tensor>> {
        let host = syntonic_core::cpu();
        // few: results.
        Ok(all
            .iter()
            .map(|t| t.to(&host))
            .collect::<syntonic_core::Result<_>>()?)
    };
    let by_launch = |x: &Tensor| back(softmax(&[x.to(&device)?])?);
    ways.push(timed("launch and wait", (1, few), by_launch)?);
    let x = Tensor::zeros_on(&[STATES], DType::F32, &device)?.eval()?;
    let graph = Graph::capture(&[&x], |own| softmax(&[own[0].clone()]))?;
    let by_graph = |x: &Tensor| back(graph.replay(&[&x.to(&device)?])?);
    ways.push(timed("graph and wait", (1, few), by_graph)?);
    Ok(ways)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_of_a_request_is_known() {
        for number in [0, 7, 40] {
            let (x, want) = asked(number).unwrap();
            let got = softmax(&[x]).unwrap()[1].to_scalar::<f32>().unwrap();
            assert!((f64::from(got) - want).abs() < 1e-6);
        }
    }
}
