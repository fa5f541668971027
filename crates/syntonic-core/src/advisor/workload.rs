//! A workload: what is to be done, and the ways to do it.

use super::OP;
use crate::device::{Device, DeviceId};
use crate::error::{Error, Operands, Result};
use crate::tensor::{Tensor, describe};
use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::sync::Arc;

/// A kind of requests with several ways to answer them. `I` is a request, `O` its result.
///
/// Errors of all choices have one unit, that of the workload's distance; for [`apart`](super::apart) they are relative.
pub struct Workload<'a, I: ?Sized, O> {
    name: String,
    pub(super) device: DeviceId,
    pub(super) identity: String,
    operands: Operands,
    pub(super) tolerance: f64,
    pub(super) distance: Box<Distance<'a, O>>,
    pub(super) choices: Vec<Choice<'a, I, O>>,
}

/// How far a result is from one that is more precise.
pub(super) type Distance<'a, O> = dyn FnMut(&O, &O) -> Result<f64> + Send + 'a;
type Run<'a, I, O> = dyn FnMut(&I) -> Result<O> + Send + 'a;
type Rest<'a> = dyn FnMut() -> Result<()> + Send + 'a;
type Prepare<'a, I, O> = dyn FnOnce(&I) -> Result<Runner<'a, I, O>> + Send + 'a;

/// One way to do it.
pub(super) struct Choice<'a, I: ?Sized, O> {
    pub(super) name: String,
    pub(super) promised: f64,
    pub(super) prepare: Box<Prepare<'a, I, O>>,
}

/// A choice that is ready: each run is one request from its beginning to a result that nothing has to be waited for any more.
pub struct Runner<'a, I: ?Sized, O> {
    run: Box<Run<'a, I, O>>,
    rest: Option<Box<Rest<'a>>>,
}

impl<'a, I: ?Sized, O> Runner<'a, I, O> {
    /// A runner of a function, which reads its result to the host or synchronises.
    ///
    /// ```
    /// use syntonic_core::advisor::Runner;
    /// use syntonic_core::prelude::*;
    ///
    /// let mut runner = Runner::new(|x: &Tensor| x.sum(..)?.to_scalar::<f64>());
    /// assert_eq!(runner.run(&Tensor::from([1.0, 2.0]))?, 3.0);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn new(run: impl FnMut(&I) -> Result<O> + Send + 'a) -> Self {
        Runner {
            run: Box::new(run),
            rest: None,
        }
    }

    /// The same, with what ends its turn: where it holds something that would slow others down, it lets go of it.
    ///
    /// ```
    /// use syntonic_core::advisor::Runner;
    /// use syntonic_core::prelude::*;
    ///
    /// let mut runner = Runner::new(|x: &f64| Ok(x + 1.0)).resting(|| Ok(()));
    /// assert_eq!(runner.run(&1.0)?, 2.0);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[must_use]
    pub fn resting(mut self, rest: impl FnMut() -> Result<()> + Send + 'a) -> Self {
        self.rest = Some(Box::new(rest));
        self
    }

    /// One request.
    ///
    /// # Errors
    /// Those of the function.
    ///
    /// ```
    /// use syntonic_core::advisor::Runner;
    /// use syntonic_core::prelude::*;
    ///
    /// let mut calls = 0;
    /// let mut runner = Runner::new(|x: &i32| {
    ///     calls += 1;
    ///     Ok(x * calls)
    /// });
    /// assert_eq!((runner.run(&10)?, runner.run(&10)?), (10, 20));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn run(&mut self, input: &I) -> Result<O> {
        (self.run)(input)
    }

    /// Lets go of what it holds.
    pub(super) fn rest(&mut self) -> Result<()> {
        self.rest.as_mut().map_or(Ok(()), |rest| rest())
    }
}

impl<'a, I: ?Sized, O> Workload<'a, I, O> {
    /// A workload on a device. Its name says the operation and what else decides how long it takes, such as a number of steps.
    /// `distance` tells how far a result is from one of a choice that is at least as precise, see [`apart`](super::apart).
    ///
    /// ```
    /// use syntonic_core::advisor::{Advisor, Runner, Workload, numbers_apart};
    /// use syntonic_core::prelude::*;
    ///
    /// let workload = Workload::new("double", &cpu(), |a: &f64, b: &f64| Ok(numbers_apart(&[*a], &[*b])))
    ///     .choice("plain", 0.0, |_: &f64| Ok(Runner::new(|x: &f64| Ok(2.0 * x))));
    /// assert_eq!(Advisor::in_memory().choose(workload, &1.0)?.run(&2.0)?, 4.0);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn new(
        name: impl Into<String>,
        device: &Arc<dyn Device>,
        distance: impl FnMut(&O, &O) -> Result<f64> + Send + 'a,
    ) -> Self {
        Workload {
            name: name.into(),
            device: device.id(),
            identity: device.identity(),
            operands: Operands::default(),
            tolerance: f64::INFINITY,
            distance: Box::new(distance),
            choices: Vec::new(),
        }
    }

    /// The same for operands like these: their types and shapes are part of what advice is kept under.
    ///
    /// ```
    /// use syntonic_core::advisor::Workload;
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([1.0, 2.0]);
    /// let named = |x: &Tensor| Workload::<f64, f64>::new("sum", &cpu(), |_, _| Ok(0.0)).operands(&[x]);
    /// assert_ne!(named(&x).key(), named(&Tensor::from([1.0])).key());
    /// ```
    #[must_use]
    pub fn operands(mut self, operands: &[&Tensor]) -> Self {
        self.operands = describe(operands);
        self
    }

    /// The same with choices left out that promise less than this. Without a tolerance none is.
    ///
    /// ```
    /// use syntonic_core::advisor::Workload;
    /// use syntonic_core::prelude::*;
    ///
    /// let workload = || Workload::<f64, f64>::new("sum", &cpu(), |_, _| Ok(0.0));
    /// assert_ne!(workload().key(), workload().within(1e-6).key());
    /// ```
    #[must_use]
    pub fn within(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// The same with one choice more. It promises an error, 0 for an exact result, and is prepared for a sample only if it may be
    /// picked. Of choices that are about as quick the one added first is picked.
    ///
    /// ```
    /// use syntonic_core::advisor::{Advisor, Runner, Workload, numbers_apart};
    /// use syntonic_core::prelude::*;
    ///
    /// let workload = Workload::new("double", &cpu(), |a: &f64, b: &f64| Ok(numbers_apart(&[*a], &[*b])))
    ///     .choice("broken", 0.0, |_: &f64| Err(syntonic_core::Error::value("prepare", "not here")))
    ///     .choice("plain", 0.0, |_: &f64| Ok(Runner::new(|x: &f64| Ok(2.0 * x))));
    /// let advice = Advisor::in_memory().choose(workload, &1.0)?.advice;
    /// assert_eq!((&*advice.picked, &*advice.left_out[0].choice), ("plain", "broken"));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[must_use]
    pub fn choice(
        mut self,
        name: impl Into<String>,
        promised: f64,
        prepare: impl FnOnce(&I) -> Result<Runner<'a, I, O>> + Send + 'a,
    ) -> Self {
        self.choices.push(Choice {
            name: name.into(),
            promised,
            prepare: Box::new(prepare),
        }); // few: choices.
        self
    }

    /// The workload as advice shows it.
    pub(super) fn title(&self) -> String {
        match self.operands.0.is_empty() {
            true => format!("{} on {}", self.name, self.device),
            false => format!("{} of {}", self.name, self.operands),
        }
    }

    /// An error for choices without a name of their own, and for numbers that are no errors.
    pub(super) fn check(&self) -> Result<()> {
        let wrong = |what: String| Err(Error::value(OP, format!("{}: {what}", self.name)));
        if self.choices.is_empty() {
            return wrong("there is no choice; hint: add one or more".into());
        }
        if self.tolerance.is_nan() || self.tolerance < 0.0 {
            return wrong(format!(
                "a tolerance is a number of at least 0, not {}",
                self.tolerance
            ));
        }
        let mut names = BTreeSet::new();
        for choice in &self.choices {
            if choice.name.is_empty() || !names.insert(&choice.name) {
                return wrong(format!(
                    "{:?} is the name of two choices, or empty; hint: give each its own",
                    choice.name
                ));
            }
            if !(choice.promised >= 0.0 && choice.promised.is_finite()) {
                return wrong(format!(
                    "{} promises an error of {}; hint: errors are finite and at least 0",
                    choice.name, choice.promised
                ));
            }
        }
        Ok(())
    }

    /// All that advice depends on, as text: what it is kept under. Names are quoted, so that no two workloads have one key.
    ///
    /// ```
    /// use syntonic_core::advisor::Workload;
    /// use syntonic_core::prelude::*;
    ///
    /// let workload = |name: &str| Workload::<f64, f64>::new(name, &cpu(), |_, _| Ok(0.0));
    /// assert_eq!(workload("sum").key(), workload("sum").key());
    /// assert_ne!(workload("sum").key(), workload("product").key());
    /// ```
    pub fn key(&self) -> String {
        let mut key = format!(
            "{:?} on {:?}\noperands {}\ntolerance {:e}\n",
            self.name, self.identity, self.operands, self.tolerance
        );
        for choice in &self.choices {
            let _ = writeln!(key, "choice {:?} {:e}", choice.name, choice.promised);
        }
        key
    }
}

impl<I: ?Sized, O> fmt::Debug for Workload<'_, I, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.choices.iter().map(|choice| &choice.name);
        write!(f, "Workload({}: ", self.title())?;
        f.debug_list().entries(names).finish()?;
        f.write_str(")")
    }
}

impl<I: ?Sized, O> fmt::Debug for Runner<'_, I, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Runner")
    }
}
