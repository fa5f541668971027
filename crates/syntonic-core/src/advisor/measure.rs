//! Choices take turns against a clock.

use super::OP;
use super::advice::{Measured, Refused};
use super::clock::Clock;
use super::workload::{Distance, Runner};
use crate::error::{Error, Result};
use crate::interrupt;
use std::time::Duration;

/// A choice is warmed up for this long: compilers of a device need some tens of milliseconds.
const WARM: Duration = Duration::from_millis(50);
/// And for no more runs than this, however short they are.
const WARM_RUNS: u32 = 2_000;
/// A turn takes about this long, which clocks measure well.
const TURN: Duration = Duration::from_micros(200);
/// Runs of a turn at most.
const TURN_RUNS: u32 = 1_000;
/// Rounds before a choice can be found slow, and before measuring can end.
const FEW_ROUNDS: usize = 3;
const ROUNDS: usize = 7;
const MOST_ROUNDS: usize = 100;
/// A choice that was timed for this long was timed enough.
const ENOUGH: Duration = Duration::from_millis(10);
/// How many times as long as the best a choice may take to be asked again.
const SLOW: f64 = 2.0;
/// Medians this close are as good as equal.
const TIE: f64 = 1.05;

/// A choice on its way.
pub(super) struct Candidate<'a, I: ?Sized, O> {
    pub(super) name: String,
    promised: f64,
    pub(super) runner: Runner<'a, I, O>,
    /// Seconds for a run, of each round.
    samples: Vec<f64>,
    /// Time of all rounds.
    timed: Duration,
    repeats: u32,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Running,
    /// Too slow to be asked again.
    Slow,
    Failed,
}

impl<'a, I: ?Sized, O> Candidate<'a, I, O> {
    pub(super) fn new(name: String, promised: f64, runner: Runner<'a, I, O>) -> Self {
        Candidate {
            name,
            promised,
            runner,
            samples: Vec::new(),
            timed: Duration::ZERO,
            repeats: 1,
            state: State::Running,
        }
    }

    pub(super) fn measured(&self) -> Measured {
        Measured {
            choice: self.name.clone(),
            promised: self.promised,
            seconds: self.median(),
            rounds: self.samples.len(),
        }
    }

    fn median(&self) -> f64 {
        let mut sorted = self.samples.clone();
        sorted.sort_by(f64::total_cmp);
        match sorted.len() {
            0 => f64::INFINITY,
            n if n % 2 == 1 => sorted[n / 2],
            n => (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0,
        }
    }

    fn is_running(&self) -> bool {
        self.state == State::Running
    }

    /// Runs until it is warm, and finds how many runs make a turn.
    fn warm_up(&mut self, clock: &dyn Clock, sample: &I) -> Result<()> {
        let begun = clock.now();
        let mut least = Duration::MAX;
        for _ in 0..WARM_RUNS {
            let before = clock.now();
            self.runner.run(sample)?;
            let after = clock.now();
            least = least.min(after.saturating_sub(before));
            if after.saturating_sub(begun) >= WARM {
                break;
            }
            poll()?;
        }
        let runs = TURN.as_nanos() / least.as_nanos().max(1);
        self.repeats = runs.clamp(1, TURN_RUNS.into()) as u32;
        self.runner.rest()
    }

    /// One turn. Where a run is short, one that nobody times goes ahead, for what the others' turns have left.
    fn turn(&mut self, clock: &dyn Clock, sample: &I) -> Result<()> {
        if self.repeats > 1 {
            self.runner.run(sample)?;
        }
        let before = clock.now();
        for _ in 0..self.repeats {
            self.runner.run(sample)?;
        }
        let took = clock.now().saturating_sub(before);
        self.timed += took;
        self.samples
            .push(took.as_secs_f64() / f64::from(self.repeats)); // few: rounds.
        self.runner.rest()
    }
}

/// How choices are compared and timed.
pub(super) struct Rounds<'r> {
    pub(super) clock: &'r dyn Clock,
    pub(super) budget: Duration,
    pub(super) refused: &'r mut Refused,
}

impl Rounds<'_> {
    /// Compares the first results of all choices with that of the most precise one. Choices that fail are gone afterwards.
    pub(super) fn compare<I: ?Sized, O>(
        &mut self,
        ready: &mut Vec<Candidate<'_, I, O>>,
        sample: &I,
        distance: &mut Distance<'_, O>,
        title: &str,
    ) -> Result<()> {
        let mut order: Vec<usize> = (0..ready.len()).collect(); // few: choices.
        order.sort_by(|&a, &b| f64::total_cmp(&ready[a].promised, &ready[b].promised));
        let mut best: Option<(usize, O)> = None;
        for at in order {
            poll()?;
            let result = ready[at].runner.run(sample);
            let made = match result.and_then(|made| ready[at].runner.rest().map(|()| made)) {
                Ok(made) => made,
                Err(error) => {
                    self.fail(&mut ready[at], error)?;
                    continue;
                }
            };
            let Some((first, reference)) = &best else {
                best = Some((at, made));
                continue;
            };
            let (one, other) = (&ready[at], &ready[*first]);
            let (apart, promised) = (distance(&made, reference)?, one.promised + other.promised);
            if apart.is_nan() || apart > promised {
                return Err(Error::Disagreement {
                    workload: title.into(),
                    choice: one.name.as_str().into(),
                    other: other.name.as_str().into(),
                    apart,
                    promised,
                });
            }
        }
        ready.retain(Candidate::is_running);
        Ok(())
    }

    /// Warms all up and times them in rounds. Choices that fail are gone afterwards.
    pub(super) fn run<I: ?Sized, O>(
        &mut self,
        ready: &mut Vec<Candidate<'_, I, O>>,
        sample: &I,
    ) -> Result<()> {
        for candidate in &mut *ready {
            if let Err(error) = candidate.warm_up(self.clock, sample) {
                self.fail(candidate, error)?;
            }
        }
        let begun = self.clock.now();
        for round in 1..=MOST_ROUNDS {
            for candidate in ready.iter_mut().filter(|c| c.is_running()) {
                poll()?;
                if let Err(error) = candidate.turn(self.clock, sample) {
                    self.fail(candidate, error)?;
                }
            }
            if round >= FEW_ROUNDS {
                stop_slow(ready);
            }
            let mut running = ready.iter().filter(|c| c.is_running());
            let spent = self.clock.now().saturating_sub(begun);
            let all_timed = running.clone().all(|c| c.timed >= ENOUGH);
            let alone = running.next().is_some() && running.next().is_none();
            if spent >= self.budget
                || (round >= ROUNDS && all_timed)
                || (round >= FEW_ROUNDS && alone)
            {
                break;
            }
        }
        ready.retain(|c| c.state != State::Failed);
        Ok(())
    }

    fn fail<I: ?Sized, O>(
        &mut self,
        candidate: &mut Candidate<'_, I, O>,
        error: Error,
    ) -> Result<()> {
        candidate.state = State::Failed;
        self.refused.add(&candidate.name, error)
    }
}

/// No further turn for who is far behind.
fn stop_slow<I: ?Sized, O>(ready: &mut [Candidate<'_, I, O>]) {
    let running = ready.iter().filter(|c| c.is_running());
    let best = running.map(Candidate::median).fold(f64::INFINITY, f64::min);
    for candidate in ready.iter_mut().filter(|c| c.is_running()) {
        if candidate.median() > SLOW * best {
            candidate.state = State::Slow;
        }
    }
}

/// The place of the best choice, or of the first that is about as good; none where there is none.
pub(super) fn quickest<I: ?Sized, O>(ready: &[Candidate<'_, I, O>]) -> Option<usize> {
    let best = ready
        .iter()
        .map(Candidate::median)
        .fold(f64::INFINITY, f64::min);
    ready.iter().position(|c| c.median() <= TIE * best)
}

fn poll() -> Result<()> {
    interrupt::poll().map_err(|e| Error::from(e).named(OP))
}
