//! Our own speed on a machine that others use too: the time of a row in units of a plain loop that takes turns with it.
//!
//! Rows are shrunk to fit the second cache, and one thread computes them: neither the memory nor a second thread decides, which waits
//! for a processor as long as another program uses it. Of each side the quickest of many short samples counts: one that another
//! program interrupts is not the quickest. What makes the processor slower for long slows both.

use std::collections::BTreeSet;
use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::Result;
use syntonic_core::cpu::threads::Threads;

use crate::baseline::Baseline;
use crate::cases::{self, Prepared};
use crate::list::{RUST, Row};
use crate::verdict::{Status, Verdict};

/// The name of the loop among the peers of a baseline.
pub const YARDSTICK: &str = "yardstick";

/// Elements of a shrunk row, or multiplications of a product.
const MOST_ELEMENTS: usize = 1 << 15;
/// Numbers that the loop goes through, 32 KiB of them.
const LOOP: usize = 8192;
/// Passes through them that are one unit: about 100 us, so that ratios are numbers one can read.
const PASSES: f64 = 256.0;
/// A sample repeats a short call for this long: far less than the system lets a thread run before it runs another.
const SAMPLE: Duration = Duration::from_micros(300);
/// Samples of a row, unless they take longer than `LONGEST`.
const SAMPLES: usize = 150;
const LONGEST: Duration = Duration::from_millis(600);
/// How often a row that seems slow is measured before it is called slow.
const ATTEMPTS: usize = 3;

/// The rows of this side at sizes for one thread, each once.
pub fn shrunk(rows: Vec<Row>) -> Vec<Row> {
    let mut seen = BTreeSet::new();
    let ours = rows
        .into_iter()
        .filter(|row| row.impls.iter().any(|i| i == RUST));
    ours.map(small)
        .filter(|row| seen.insert(row.key()))
        .collect()
}

/// The longest axes are halved until the row is small.
fn small(mut row: Row) -> Row {
    while row.size.iter().product::<usize>() > MOST_ELEMENTS {
        let longest = row.size.iter_mut().max();
        // A product above the limit has an axis.
        let Some(longest) = longest else { break };
        *longest = longest.div_ceil(2);
    }
    row
}

/// Measures a row. A wrong result is a failure and no time.
pub fn run(row: &Row) -> Verdict {
    let alone = || cases::prepare(row).and_then(|prepared| measure(&prepared));
    let ratio = Threads::new(1).install(alone);
    let mut verdict = Verdict {
        key: row.key(),
        median_us: None,
        rust_us: None,
        ratios: Default::default(),
        required: String::new(),
        status: Status::Ok,
    };
    match ratio {
        Ok((ratio, us)) => {
            verdict.rust_us = Some(us);
            verdict.ratios.insert(YARDSTICK.to_owned(), ratio);
        }
        Err(complaint) => verdict.status = Status::Failed(format!("{complaint:#}")),
    }
    verdict
}

/// Compares with a baseline; a row that lost is measured again, and its best attempt counts. A line for each that lost.
pub fn losses(
    rows: &[Row],
    baseline: &Baseline,
    verdicts: &mut [Verdict],
    again: impl Fn(&Row) -> Verdict,
) -> Vec<String> {
    let lost = |verdict: &Verdict| {
        !baseline
            .losses(std::slice::from_ref(verdict), &[])
            .is_empty()
    };
    for _ in 1..ATTEMPTS {
        for (row, verdict) in rows.iter().zip(verdicts.iter_mut()) {
            if lost(verdict) {
                let fresh = again(row);
                if fresh.best_peer().map(|p| p.1) > verdict.best_peer().map(|p| p.1) {
                    *verdict = fresh;
                }
            }
        }
    }
    baseline.losses(verdicts, &[])
}

/// Time of a unit of the loop over time of a call, and the latter in microseconds.
fn measure(prepared: &Prepared) -> Result<(f64, f64)> {
    let numbers: Vec<f32> = (0..LOOP).map(|k| k as f32 * 1e-3).collect(); // few: LOOP
    let yardstick = || {
        black_box(dot(black_box(&numbers)));
        Ok(())
    };
    let call = || {
        black_box((prepared.work)(black_box(&prepared.inputs))?.eval()?);
        Ok(())
    };
    let result = (prepared.work)(&prepared.inputs)?.eval()?;
    prepared.oracle.whole(&result, prepared.rounding)?;
    let (ours, theirs) = (repeats(&call)?, repeats(&yardstick)?);
    let (mut quickest, mut unit) = (f64::INFINITY, f64::INFINITY);
    let begun = Instant::now();
    for sample in 0..SAMPLES {
        if sample > 2 && begun.elapsed() > LONGEST {
            break;
        }
        unit = unit.min(timed(theirs, &yardstick)?);
        quickest = quickest.min(timed(ours, &call)?);
    }
    Ok((PASSES * unit / quickest, quickest))
}

/// A sum of squares with enough partial sums to keep the processor's units busy, as the loops it is compared with do.
fn dot(numbers: &[f32]) -> f32 {
    let mut sums = [0.0f32; 32];
    for chunk in numbers.chunks_exact(32) {
        for (sum, x) in sums.iter_mut().zip(chunk) {
            *sum += x * x;
        }
    }
    sums.iter().sum()
}

/// Calls of a sample; the first ones, which bring code and data in, do not count.
fn repeats(call: &impl Fn() -> Result<()>) -> Result<usize> {
    timed(3, call)?;
    let us = timed(3, call)?.max(1e-3);
    Ok((SAMPLE.as_secs_f64() * 1e6 / us).max(1.0) as usize)
}

/// Microseconds of a call among `repeats`.
fn timed(repeats: usize, call: &impl Fn() -> Result<()>) -> Result<f64> {
    let start = Instant::now();
    for _ in 0..repeats {
        call()?;
    }
    Ok(start.elapsed().as_secs_f64() * 1e6 / repeats as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list::rows;

    fn committed() -> Baseline {
        serde_json::from_str(include_str!("../yardstick.json")).unwrap()
    }

    /// The verdicts of a baseline's own ratios, with one row's time multiplied.
    fn verdicts(baseline: &Baseline, rows: &[Row], slow: &str, factor: f64) -> Vec<Verdict> {
        let of = |row: &Row| {
            let key = row.key();
            let factor = if key == slow { factor } else { 1.0 };
            let ratio = baseline.rows[&key].ratio / factor;
            Verdict {
                key,
                median_us: None,
                rust_us: None,
                ratios: [(YARDSTICK.to_owned(), ratio)].into(),
                required: String::new(),
                status: Status::Ok,
            }
        };
        rows.iter().map(of).collect()
    }

    fn quick() -> Vec<Row> {
        shrunk(rows().unwrap().into_iter().filter(|r| r.quick).collect())
    }

    #[test]
    fn the_committed_baseline_has_every_quick_row() {
        let baseline = committed();
        let keys: Vec<String> = quick().iter().map(Row::key).collect();
        assert!(keys.iter().all(|key| baseline.rows.contains_key(key)));
        assert_eq!(keys.len(), baseline.rows.len());
    }

    #[test]
    fn any_row_at_twice_its_time_is_a_loss_and_the_only_one() {
        let (baseline, rows) = (committed(), quick());
        for slow in rows.iter().map(Row::key) {
            let again = |row: &Row| {
                let all = verdicts(&baseline, &rows, &slow, 2.0);
                all.into_iter().find(|v| v.key == row.key()).unwrap()
            };
            let mut measured = verdicts(&baseline, &rows, &slow, 2.0);
            let lost = losses(&rows, &baseline, &mut measured, again);
            assert!(lost.len() == 1 && lost[0].starts_with(&slow), "{lost:?}");
        }
    }

    #[test]
    fn one_disturbed_attempt_is_no_loss() {
        let (baseline, rows) = (committed(), quick());
        let slow = rows[0].key();
        let again = |_: &Row| verdicts(&baseline, &rows, "", 1.0).swap_remove(0);
        let mut measured = verdicts(&baseline, &rows, &slow, 5.0);
        assert_eq!(losses(&rows, &baseline, &mut measured, again), [""; 0]);
    }

    #[test]
    fn work_done_thrice_takes_longer_in_units_of_the_loop() {
        let row = quick().swap_remove(0);
        let once = cases::prepare(&row).unwrap();
        let mut thrice = cases::prepare(&row).unwrap();
        let work = cases::prepare(&row).unwrap().work;
        thrice.work = Box::new(move |x| {
            black_box(work(x)?.eval()?);
            black_box(work(x)?.eval()?);
            work(x)
        });
        let (quick, slow) = (measure(&once).unwrap(), measure(&thrice).unwrap());
        assert!(quick.0 > 1.5 * slow.0, "{quick:?} {slow:?}");
    }
}
