//! How long operators take on the GPU, measured by the device's own clock and checked in the same process.

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, anyhow};
use serde::{Deserialize, Serialize};
use syntonic_core::{Device, Tensor, profile};
use syntonic_cuda::Cuda;

use super::bench_case::Case;

/// One row of the list that the peers read as well.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    /// The suite over which ratios are averaged.
    pub suite: String,
    /// Its name.
    pub case: String,
    /// Which computation: `map`, `graph` of steps that are launched one by one, or an operator.
    pub kind: String,
    /// Element type of the inputs.
    pub dtype: String,
    /// Shape of each input; of a product `[.., m, k, n]`.
    pub size: Vec<usize>,
    /// Operands of a map.
    #[serde(default)]
    pub inputs: usize,
    /// Steps of a map: a primitive, and which operands or earlier steps it takes.
    #[serde(default)]
    pub steps: Vec<Vec<serde_json::Value>>,
    /// What the peers run of a row operator, in Python: of a module with NumPy's names and the operands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    /// What PyTorch runs of a row operator: of `torch.nn.functional` and the operands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub torch: Option<String>,
    /// Bytes that have to be moved.
    pub bytes: u64,
    /// Arithmetic operations that the formula names, where they decide.
    #[serde(default)]
    pub flops: u64,
    /// Generations of a call, of a search.
    #[serde(default, skip_serializing_if = "is_none")]
    pub generations: u64,
}

/// Whether a row says nothing of generations.
fn is_none(generations: &u64) -> bool {
    *generations == 0
}

/// What came of a row.
#[derive(Debug, Serialize)]
pub struct Measured {
    suite: String,
    case: String,
    dtype: String,
    size: Vec<usize>,
    #[serde(rename = "impl")]
    implementation: &'static str,
    bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    median_us: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min_us: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tflops: Option<f64>,
    /// Microseconds of a generation.
    #[serde(skip_serializing_if = "Option::is_none")]
    generation_us: Option<f64>,
    /// Coordinates of candidates, or numbers that are snapped, in 10^9 a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    giga_numbers: Option<f64>,
    /// Bytes that a call needs beside what it is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    call_bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Calls before the clock runs.
const WARM: usize = 3;
/// Timed samples.
const SAMPLES: usize = 21;
/// About how long a sample takes, in calls one after the other.
const SAMPLE_US: f64 = 500.0;
/// Calls of a sample at most.
const MOST_REPEATS: f64 = 16.0;
/// A call that takes longer is a sample of its own, and there are fewer of them.
const SLOW_US: f64 = 2e5;
/// About how long the samples of such a call take together.
const SLOW_SAMPLES_US: f64 = 6e6;
/// Samples at least: the median is none of the ends.
const FEWEST: f64 = 3.0;
/// Inputs together are larger than four times the second-level cache of any GPU today.
const PAST_CACHE: u64 = 256 << 20;

/// Measures the rows of a suite, or of all if it has no name, whose own name contains `case`. A row that fails says so and the others go on.
///
/// # Errors
/// Where the list has another form than the committed one.
pub fn bench(gpu: &Arc<Cuda>, list: &str, suite: &str, case: &str) -> Result<Vec<Measured>> {
    let rows: Vec<Row> = serde_json::from_str(list).context("the list of rows")?;
    let of_suite = rows
        .iter()
        .filter(|row| suite.is_empty() || row.suite == suite);
    let chosen = of_suite.filter(|row| row.case.contains(case));
    Ok(chosen.map(|row| one(gpu, row)).collect())
}

fn one(gpu: &Arc<Cuda>, row: &Row) -> Measured {
    let measured = times(gpu, row);
    let call_bytes = measured.as_ref().ok().map(|(_, bytes)| *bytes);
    let times = measured.map(|(times, _)| times);
    let micros = times.as_ref().ok().map(|t| t[t.len() / 2]);
    let measured = Measured {
        suite: row.suite.clone(),
        case: row.case.clone(),
        dtype: row.dtype.clone(),
        size: row.size.clone(),
        implementation: "syntonic",
        bytes: row.bytes,
        median_us: micros,
        min_us: times.as_ref().ok().map(|t| t[0]),
        tflops: micros
            .filter(|_| row.flops > 0)
            .map(|t| row.flops as f64 / t / 1e6),
        generation_us: micros
            .filter(|_| row.generations > 0)
            .map(|t| t / row.generations as f64),
        giga_numbers: micros
            .zip(Case::numbers(row))
            .map(|(t, numbers)| numbers as f64 / t / 1e3),
        call_bytes: call_bytes.filter(|_| row.generations > 0),
        error: times.err().map(|e| format!("{e:#}")),
    };
    println!(
        "{:12} {:10} {:?} {:.1} us {}{}",
        measured.case,
        measured.dtype,
        measured.size,
        measured.median_us.unwrap_or(0.0),
        of_numbers(&measured),
        measured.error.as_deref().unwrap_or("")
    );
    gpu.trim();
    measured
}

/// What is said of a row that counts generations or numbers.
fn of_numbers(measured: &Measured) -> String {
    let generation = measured.generation_us;
    let generation = generation.map(|t| format!("{t:.2} us a generation, "));
    let speed = measured.giga_numbers.map(|g| format!("{g:.3} G/s "));
    let bytes = measured
        .call_bytes
        .map(|b| format!("{:.1} MB ", b as f64 / 1e6));
    [generation, speed, bytes].into_iter().flatten().collect()
}

/// Microseconds of each call, sorted, and the bytes that one needs beside its operands. The result of the last one is right.
fn times(gpu: &Arc<Cuda>, row: &Row) -> Result<(Vec<f64>, usize)> {
    let device: Arc<dyn Device> = gpu.clone();
    let case = Case::new(row)?;
    let sets = PAST_CACHE.div_ceil(row.bytes.max(1)).clamp(1, 8);
    let sets: Vec<Vec<Tensor>> = (0..sets)
        .map(|seed| case.inputs(seed, &device))
        .collect::<Result<_>>()?;
    let mut about = 0.0;
    for turn in 0..WARM {
        let start = Instant::now();
        case.work(&sets[turn % sets.len()], &device)?;
        gpu.synchronize()?;
        about = start.elapsed().as_secs_f64() * 1e6;
        // The first call loads kernels.
        if turn > 0 && about > SLOW_US {
            break;
        }
    }
    let slow = about > SLOW_US && !case.by_the_host();
    if !slow {
        case.work(&sets[0], &device)?;
        gpu.synchronize()?;
    }
    let mut micros = if case.by_the_host() {
        host_times(gpu, &case, &sets)?
    } else if slow {
        samples(gpu, &case, &sets, (slow_samples(about), 1))?
    } else {
        device_times(gpu, &case, &sets)?
    };
    // Of one more call, off the clock: the most that is in use while it runs, less what was before.
    let before = gpu.stats().in_use;
    let recording = profile::start();
    let result = case.work(&sets[0], &device)?;
    gpu.synchronize()?;
    let peaks = recording.finish()?.peaks;
    let peak = peaks.iter().find(|peak| peak.device == device.id());
    let bytes = peak.map_or(0, |peak| peak.bytes.saturating_sub(before));
    case.check(&sets[0], &result).context("a wrong result")?;
    micros.sort_by(f64::total_cmp);
    Ok((micros, bytes))
}

/// How many samples there are of a call of so many microseconds.
fn slow_samples(about: f64) -> usize {
    (SLOW_SAMPLES_US / about).clamp(FEWEST, SAMPLES as f64) as usize
}

/// A call's share of each sample between two events of the stream. Two events with a short call between them would cost more
/// than a tenth of it, which no program pays. The calls are asked for ahead, so the GPU does not wait for the host.
fn device_times(gpu: &Arc<Cuda>, case: &Case, sets: &[Vec<Tensor>]) -> Result<Vec<f64>> {
    let once = samples(gpu, case, sets, (3, 1))?;
    let once = once.into_iter().fold(f64::INFINITY, f64::min);
    let repeats = (SAMPLE_US / once).ceil().clamp(1.0, MOST_REPEATS) as usize;
    samples(gpu, case, sets, (SAMPLES, repeats))
}

/// Microseconds of a call in each of `count` samples of `repeats` calls.
fn samples(
    gpu: &Arc<Cuda>,
    case: &Case,
    sets: &[Vec<Tensor>],
    (count, repeats): (usize, usize),
) -> Result<Vec<f64>> {
    let device: Arc<dyn Device> = gpu.clone();
    let stream = gpu.current_stream();
    let mut turns = sets.iter().cycle();
    let mut events = vec![stream.record()?];
    for _ in 0..count {
        for set in turns.by_ref().take(repeats) {
            case.work(set, &device)?;
        }
        events.push(stream.record()?);
    }
    let pairs = events.windows(2);
    pairs
        .map(|pair| Ok(f64::from(pair[1].elapsed_ms(&pair[0])?) * 1e3 / repeats as f64))
        .collect()
}

/// By the host's clock, until the data has arrived.
fn host_times(gpu: &Arc<Cuda>, case: &Case, sets: &[Vec<Tensor>]) -> Result<Vec<f64>> {
    let device: Arc<dyn Device> = gpu.clone();
    (0..5)
        .map(|turn| {
            let start = Instant::now();
            let result = case.work(
                sets.get(turn % sets.len())
                    .ok_or_else(|| anyhow!("no inputs"))?,
                &device,
            )?;
            gpu.synchronize()?;
            let micros = start.elapsed().as_secs_f64() * 1e6;
            drop(result);
            Ok(micros)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_row_takes_seconds_and_no_minutes() {
        assert_eq!(slow_samples(SLOW_US), SAMPLES);
        assert_eq!(slow_samples(1e6), 6);
        assert_eq!(slow_samples(1.8e6), 3);
        assert_eq!(slow_samples(1e9), 3);
    }
}
