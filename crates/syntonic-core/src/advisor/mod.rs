//! Which of several ways to do the same work is the quickest on this machine: measured once, kept on disk.
//!
//! The same request can be a plain launch, a captured [`Graph`](crate::Graph), a loop resident on the device, a leased service, or a
//! product in less exact arithmetic. Which of them is best depends on sizes, card and driver. An [`Advisor`] measures it:
//!
//! ```
//! use syntonic_core::advisor::{Advisor, Runner, Workload, numbers_apart};
//! use syntonic_core::{Graph, Tensor, cpu};
//!
//! let x = Tensor::linspace(0.0, 1.0, 1000)?.eval()?;
//! let work = |x: &Tensor| -> syntonic_core::Result<Tensor> { x.sin()?.sum(..) };
//! let workload = Workload::new("sum of sines", &cpu(), |a: &f64, b: &f64| {
//!     Ok(numbers_apart(&[*a], &[*b]))
//! })
//! .operands(&[&x])
//! .choice("plain", 1e-12, move |_: &Tensor| {
//!     Ok(Runner::new(move |x: &Tensor| work(x)?.to_scalar()))
//! })
//! .choice("captured", 1e-12, move |x: &Tensor| {
//!     let graph = Graph::capture(&[x], |own| Ok(vec![work(own[0])?]))?;
//!     Ok(Runner::new(move |x: &Tensor| graph.replay(&[x])?[0].to_scalar()))
//! });
//!
//! let mut chosen = Advisor::in_memory().choose(workload, &x)?;
//! println!("{}", chosen.advice);
//! assert!((chosen.run(&x)? - 459.7).abs() < 1.0);
//! # Ok::<(), syntonic_core::Error>(())
//! ```
//!
//! **What is chosen from.** A choice promises an error. Where that is larger than the tolerance of the workload, the choice is left out;
//! so is one that cannot be prepared on this device or that fails, with its reason in the [`Advice`]. Nothing takes its place in silence:
//! where no choice is left, that is [`Error::NoChoice`](crate::Error::NoChoice), or the error of the first where all of them failed in one way. The first result of each is compared with that of the most precise one. If
//! they are further apart than both promise together, there is no advice: [`Error::Disagreement`](crate::Error::Disagreement) names the choice.
//!
//! **How it is measured.** Each choice is warmed up, then all take turns in rounds, so that a slow moment of the machine meets
//! all of them. The median of the rounds counts. Rounds go on until every choice has been timed for some milliseconds or the budget is
//! used up; a choice that takes more than twice as long as the best is not asked again. Requests follow each other without a pause.
//! Of choices within 5 % of the best the first one listed is picked, so list the simplest first.
//!
//! **What is kept.** Advice is kept under all that it depends on: the workload with its operands, choices, promises and tolerance, and
//! the device's [identity](crate::Device::identity). Asked again, on this day or another, an advisor of the same folder prepares what was
//! picked and measures nothing. A folder that cannot be read or written changes nothing but that: advice then lives in memory, and
//! `tracing` says so.
//!
//! Ready workloads: [`product`] by its tolerance, [`pipeline`] by its modes, and more in `syntonic_srt::advice`.

mod advice;
mod agreement;
mod clock;
mod measure;
mod pipelines;
mod products;
mod shelf;
#[cfg(test)]
mod tests;
mod workload;

pub use advice::{Advice, LeftOut, Measured, Origin};
pub use agreement::{apart, numbers_apart};
pub use clock::{Clock, HostTime};
pub use pipelines::pipeline;
pub use products::{precision_of, product};
pub use workload::{Runner, Workload};

use crate::error::Result;
use crate::graph;
use advice::Refused;
use measure::{Candidate, Rounds};
use shelf::{Kept, Shelf};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use workload::Choice;

/// The operation in errors.
const OP: &str = "advise";
/// The environment variable that names the folder of advice; where it is empty, advice lives in memory.
pub const FOLDER: &str = "SYNTONIC_ADVICE";

/// Measures which choice of a workload is the quickest, and remembers it, see [the module](self).
#[derive(Debug)]
pub struct Advisor {
    shelf: Shelf,
    clock: Arc<dyn Clock>,
    budget: Duration,
}

/// What an advisor has picked, ready to run.
#[derive(Debug)]
pub struct Chosen<'a, I: ?Sized, O> {
    /// What was picked, and why.
    pub advice: Advice,
    runner: Runner<'a, I, O>,
}

impl<'a, I: ?Sized, O> Chosen<'a, I, O> {
    /// One request, end to end.
    ///
    /// # Errors
    /// Those of the choice.
    ///
    /// ```
    /// use syntonic_core::advisor::{Advisor, Runner, Workload, numbers_apart};
    /// use syntonic_core::prelude::*;
    ///
    /// let workload = Workload::new("double", &cpu(), |a: &f64, b: &f64| Ok(numbers_apart(&[*a], &[*b])))
    ///     .choice("plain", 0.0, |_: &f64| Ok(Runner::new(|x: &f64| Ok(2.0 * x))));
    /// let mut chosen = Advisor::in_memory().choose(workload, &1.0)?;
    /// assert_eq!(chosen.run(&21.0)?, 42.0);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn run(&mut self, input: &I) -> Result<O> {
        self.runner.run(input)
    }

    /// The runner of the picked choice by itself.
    ///
    /// ```
    /// use syntonic_core::advisor::{Advisor, Runner, Workload, numbers_apart};
    /// use syntonic_core::prelude::*;
    ///
    /// let workload = Workload::new("double", &cpu(), |a: &f64, b: &f64| Ok(numbers_apart(&[*a], &[*b])))
    ///     .choice("plain", 0.0, |_: &f64| Ok(Runner::new(|x: &f64| Ok(2.0 * x))));
    /// let mut runner = Advisor::in_memory().choose(workload, &1.0)?.into_runner();
    /// assert_eq!(runner.run(&21.0)?, 42.0);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn into_runner(self) -> Runner<'a, I, O> {
        self.runner
    }
}

impl Default for Advisor {
    /// An advisor with the folder that [`FOLDER`] names, else `syntonic/advice` in the user's folder for caches.
    fn default() -> Advisor {
        Advisor::with(shelf::usual_folder())
    }
}

impl Advisor {
    /// An advisor that keeps its advice in a folder, which is made when there is something to keep.
    ///
    /// ```
    /// use syntonic_core::advisor::{Advisor, Origin, Runner, Workload, numbers_apart};
    /// use syntonic_core::prelude::*;
    ///
    /// let folder = std::env::temp_dir().join(format!("syntonic-new-{}", std::process::id()));
    /// std::fs::create_dir_all(&folder).unwrap();
    /// let double = || {
    ///     Workload::new("double", &cpu(), |a: &f64, b: &f64| Ok(numbers_apart(&[*a], &[*b])))
    ///         .choice("plain", 0.0, |_: &f64| Ok(Runner::new(|x: &f64| Ok(2.0 * x))))
    /// };
    /// let first = Advisor::new(&folder).choose(double(), &1.0)?;
    /// let again = Advisor::new(&folder).choose(double(), &1.0)?;
    /// assert_eq!((first.advice.origin, again.advice.origin), (Origin::Measured, Origin::Disk));
    /// # std::fs::remove_dir_all(&folder).unwrap();
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn new(folder: impl Into<PathBuf>) -> Advisor {
        Advisor::with(Some(folder.into()))
    }

    /// An advisor that forgets when it is dropped.
    ///
    /// ```
    /// use syntonic_core::advisor::{Advisor, Origin, Runner, Workload, numbers_apart};
    /// use syntonic_core::prelude::*;
    ///
    /// let double = || {
    ///     Workload::new("double", &cpu(), |a: &f64, b: &f64| Ok(numbers_apart(&[*a], &[*b])))
    ///         .choice("plain", 0.0, |_: &f64| Ok(Runner::new(|x: &f64| Ok(2.0 * x))))
    /// };
    /// let advisor = Advisor::in_memory();
    /// assert_eq!(advisor.choose(double(), &1.0)?.advice.origin, Origin::Measured);
    /// assert_eq!(advisor.choose(double(), &1.0)?.advice.origin, Origin::Memory);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn in_memory() -> Advisor {
        Advisor::with(None)
    }

    fn with(folder: Option<PathBuf>) -> Advisor {
        Advisor {
            shelf: Shelf::new(folder),
            clock: Arc::new(HostTime::default()),
            budget: Duration::from_secs(2),
        }
    }

    /// The same with another bound for the time that rounds take; 2 seconds otherwise. The first round and the warm-up before it are
    /// always there.
    ///
    /// ```
    /// use std::time::Duration;
    /// use syntonic_core::advisor::{Advisor, Runner, Workload, numbers_apart};
    /// use syntonic_core::prelude::*;
    ///
    /// let workload = Workload::new("double", &cpu(), |a: &f64, b: &f64| Ok(numbers_apart(&[*a], &[*b])))
    ///     .choice("plain", 0.0, |_: &f64| Ok(Runner::new(|x: &f64| Ok(2.0 * x))));
    /// let advisor = Advisor::in_memory().with_budget(Duration::from_millis(1));
    /// assert!(advisor.choose(workload, &1.0)?.advice.measured[0].rounds >= 1);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[must_use]
    pub fn with_budget(mut self, budget: Duration) -> Advisor {
        self.budget = budget;
        self
    }

    /// The same with another clock.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use syntonic_core::advisor::{Advisor, HostTime, Runner, Workload, numbers_apart};
    /// use syntonic_core::prelude::*;
    ///
    /// let workload = Workload::new("double", &cpu(), |a: &f64, b: &f64| Ok(numbers_apart(&[*a], &[*b])))
    ///     .choice("plain", 0.0, |_: &f64| Ok(Runner::new(|x: &f64| Ok(2.0 * x))));
    /// let advisor = Advisor::in_memory().with_clock(Arc::new(HostTime::default()));
    /// assert_eq!(advisor.choose(workload, &1.0)?.advice.picked, "plain");
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Advisor {
        self.clock = clock;
        self
    }

    /// Picks the quickest choice that keeps the tolerance. `sample` is a request like those that follow: choices are prepared for it and
    /// timed with it.
    ///
    /// # Errors
    /// [`Error::Value`](crate::Error::Value) for a workload that makes no sense, [`Error::NoChoice`](crate::Error::NoChoice) or what all choices met, [`Error::Disagreement`](crate::Error::Disagreement), [`Error::Interrupted`](crate::Error::Interrupted) where
    /// the caller stops it, and [`Error::Capture`](crate::Error::Capture) within a capture.
    ///
    /// ```
    /// use syntonic_core::advisor::{Advisor, Runner, Workload, numbers_apart};
    /// use syntonic_core::prelude::*;
    ///
    /// let workload = Workload::new("root", &cpu(), |a: &f64, b: &f64| Ok(numbers_apart(&[*a], &[*b])))
    ///     .within(1e-9)
    ///     .choice("library", 1e-15, |_: &f64| Ok(Runner::new(|x: &f64| Ok(x.sqrt()))))
    ///     .choice("guess", 0.5, |_: &f64| Ok(Runner::new(|x: &f64| Ok(x / 2.0))));
    /// let mut chosen = Advisor::in_memory().choose(workload, &9.0)?;
    /// // A guess promises less than is asked for.
    /// assert_eq!(chosen.advice.picked, "library");
    /// assert_eq!(chosen.run(&16.0)?, 4.0);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn choose<'a, I: ?Sized, O>(
        &self,
        workload: Workload<'a, I, O>,
        sample: &I,
    ) -> Result<Chosen<'a, I, O>> {
        workload.check()?;
        graph::check(OP, workload.device)?;
        let key = workload.key();
        let mut workload = workload;
        let mut refused = Refused::default();
        if let Some((kept, origin)) = self.shelf.find(&key) {
            let picked = |choice: &Choice<'a, I, O>| choice.name == kept.picked;
            if let Some(at) = workload.choices.iter().position(picked) {
                let choice = workload.choices.remove(at);
                match (choice.prepare)(sample) {
                    Ok(runner) => {
                        let advice = Advice::new(workload.title(), kept, origin);
                        return Ok(Chosen { advice, runner });
                    }
                    Err(error) => {
                        let (workload, choice) = (workload.title(), &choice.name);
                        tracing::warn!(workload, choice, %error, "this choice was kept and cannot be prepared, so the others are measured");
                        refused.add(choice, error)?;
                    }
                }
            }
        }
        self.measure(workload, refused, sample, key)
    }

    /// Forgets advice by its [key](Advice::key), so that the workload is measured anew the next time.
    ///
    /// # Errors
    /// [`Error::Io`](crate::Error::Io) where a file of advice cannot be removed.
    ///
    /// ```
    /// use syntonic_core::advisor::{Advisor, Origin, Runner, Workload, numbers_apart};
    /// use syntonic_core::prelude::*;
    ///
    /// let double = || {
    ///     Workload::new("double", &cpu(), |a: &f64, b: &f64| Ok(numbers_apart(&[*a], &[*b])))
    ///         .choice("plain", 0.0, |_: &f64| Ok(Runner::new(|x: &f64| Ok(2.0 * x))))
    /// };
    /// let advisor = Advisor::in_memory();
    /// let advice = advisor.choose(double(), &1.0)?.advice;
    /// advisor.forget(&advice.key)?;
    /// assert_eq!(advisor.choose(double(), &1.0)?.advice.origin, Origin::Measured);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn forget(&self, key: &str) -> Result<()> {
        self.shelf.forget(key)
    }

    fn measure<'a, I: ?Sized, O>(
        &self,
        mut workload: Workload<'a, I, O>,
        mut refused: Refused,
        sample: &I,
        key: String,
    ) -> Result<Chosen<'a, I, O>> {
        let title = workload.title();
        let mut ready = Vec::new(); // few: choices.
        for choice in std::mem::take(&mut workload.choices) {
            let (name, promised) = (choice.name, choice.promised);
            if promised > workload.tolerance {
                refused.beyond(name, promised, workload.tolerance);
                continue;
            }
            match (choice.prepare)(sample) {
                Ok(runner) => ready.push(Candidate::new(name, promised, runner)),
                Err(error) => refused.add(&name, error)?,
            }
        }
        let mut rounds = Rounds {
            clock: &*self.clock,
            budget: self.budget,
            refused: &mut refused,
        };
        rounds.compare(&mut ready, sample, &mut workload.distance, &title)?;
        rounds.run(&mut ready, sample)?;
        let Some(at) = measure::quickest(&ready) else {
            return Err(refused.error(&title));
        };
        let lasting = refused.lasting();
        let kept = Kept {
            key,
            picked: ready[at].name.clone(),
            measured: ready.iter().map(Candidate::measured).collect(), // few: choices.
            left_out: refused.left_out,
        };
        self.shelf.keep(kept.clone(), lasting);
        let advice = Advice::new(title, kept, Origin::Measured);
        let runner = ready.swap_remove(at).runner;
        Ok(Chosen { advice, runner })
    }
}
