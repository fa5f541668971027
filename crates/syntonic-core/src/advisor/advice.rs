//! What an advisor says.

use super::shelf::Kept;
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Where advice comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Every choice was measured for this call.
    Measured,
    /// This advisor had measured them before.
    Memory,
    /// A file had it.
    Disk,
}

impl Origin {
    /// The word for it.
    ///
    /// ```
    /// use syntonic_core::advisor::Origin;
    ///
    /// assert_eq!(Origin::Disk.name(), "from disk");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Origin::Measured => "measured",
            Origin::Memory => "from memory",
            Origin::Disk => "from disk",
        }
    }
}

/// How long a choice took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The choice.
    pub choice: String,
    /// The error that it promises, in the unit of the workload.
    pub promised: f64,
    /// The median over all rounds of the seconds for a request.
    pub seconds: f64,
    /// Rounds in which it took its turn; fewer than those of the picked one where it was found to be slow.
    pub rounds: usize,
}

/// A choice that could not be picked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// The choice.
    pub choice: String,
    /// Why.
    pub reason: String,
}

/// Which choice is the quickest, and what was found of the others. As text it is a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The workload, with its operands.
    pub workload: String,
    /// The name of the choice.
    pub picked: String,
    /// What was measured, in the order in which choices are listed.
    pub measured: Vec<Measured>,
    /// Choices that were not measured, or failed.
    pub left_out: Vec<LeftOut>,
    /// Where this comes from.
    pub origin: Origin,
    /// What it is kept under.
    pub key: String,
}

impl Advice {
    pub(super) fn new(workload: String, kept: Kept, origin: Origin) -> Advice {
        Advice {
            workload,
            picked: kept.picked,
            measured: kept.measured,
            left_out: kept.left_out,
            origin,
            key: kept.key,
        }
    }

    /// The seconds that a request took by a choice; none for one that was left out.
    ///
    /// ```
    /// use syntonic_core::advisor::{Advisor, product};
    /// use syntonic_core::prelude::*;
    ///
    /// let (a, b) = (Tensor::eye(8, DType::F32)?, Tensor::eye(8, DType::F32)?);
    /// let workload = product(&a, &b, 1e-3)?;
    /// let advice = Advisor::in_memory().choose(workload, &[a, b])?.advice;
    /// assert!(advice.seconds(&advice.picked).is_some_and(|seconds| seconds > 0.0));
    /// assert_eq!(advice.seconds("no such choice"), None);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn seconds(&self, choice: &str) -> Option<f64> {
        let found = self.measured.iter().find(|m| m.choice == choice);
        found.map(|m| m.seconds)
    }
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}: {} ({})",
            self.workload,
            self.picked,
            self.origin.name()
        )?;
        let names = self.measured.iter().map(|m| &m.choice);
        let names = names.chain(self.left_out.iter().map(|l| &l.choice));
        let wide = names.map(|name| name.chars().count()).max().unwrap_or(0);
        for row in &self.measured {
            let mark = if row.choice == self.picked { '*' } else { ' ' };
            let promised = match row.promised {
                0.0 => "exact".to_owned(),
                error => format!("error <= {error:.1e}"),
            };
            let time = Time(row.seconds).to_string();
            writeln!(f, "{mark} {:wide$}  {time:>10}  {promised}", row.choice)?;
        }
        for row in &self.left_out {
            writeln!(f, "  {:wide$}    left out: {}", row.choice, row.reason)?;
        }
        Ok(())
    }
}

/// Seconds as people write them.
struct Time(f64);

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scale, unit) = match self.0 {
            s if s < 1e-3 => (1e6, "µs"),
            s if s < 1.0 => (1e3, "ms"),
            _ => (1.0, "s"),
        };
        write!(f, "{:.2} {unit}", self.0 * scale)
    }
}

/// Choices that cannot be picked.
#[derive(Debug, Default)]
pub(super) struct Refused {
    pub(super) left_out: Vec<LeftOut>,
    /// Errors of those that failed, in the order of `left_out`, which has those beyond the tolerance as well.
    errors: Vec<Error>,
}

/// Whether the reasons hold on another day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lasting {
    /// They do, for all that is known.
    Always,
    /// Memory was short, which others of the machine may have held.
    ThisProcess,
}

impl Refused {
    /// Notes a choice that failed. An interruption ends all of them.
    pub(super) fn add(&mut self, choice: &str, error: Error) -> Result<()> {
        if matches!(error, Error::Interrupted { .. }) {
            return Err(error);
        }
        self.left_out.push(LeftOut {
            choice: choice.to_owned(),
            reason: error.to_string(),
        }); // few: choices.
        self.errors.push(error); // few: choices.
        Ok(())
    }

    /// Notes a choice whose error is too large.
    pub(super) fn beyond(&mut self, choice: String, promised: f64, tolerance: f64) {
        let reason = format!("its error is up to {promised:e}, and the tolerance is {tolerance:e}");
        self.left_out.push(LeftOut { choice, reason }); // few: choices.
    }

    pub(super) fn lasting(&self) -> Lasting {
        match self.errors.iter().any(is_of_memory) {
            true => Lasting::ThisProcess,
            false => Lasting::Always,
        }
    }

    /// The error where no choice is left. Where all failed in one way, it is the request that is wrong, and the first of them
    /// says how; where memory was short, that says it.
    pub(super) fn error(mut self, title: &str) -> Error {
        if let Some(at) = self.errors.iter().position(is_of_memory) {
            return self.errors.swap_remove(at);
        }
        let kind = std::mem::discriminant::<Error>;
        let all_failed = self.errors.len() == self.left_out.len();
        let alike = self
            .errors
            .windows(2)
            .all(|two| kind(&two[0]) == kind(&two[1]));
        if all_failed && alike && !self.errors.is_empty() {
            return self.errors.swap_remove(0);
        }
        Error::NoChoice {
            workload: title.into(),
            reasons: self.to_string().into(),
        }
    }
}

fn is_of_memory(error: &Error) -> bool {
    matches!(error, Error::OutOfMemory { .. } | Error::NoRoomFor { .. })
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, row) in self.left_out.iter().enumerate() {
            let comma = if k > 0 { "; " } else { "" };
            write!(f, "{comma}{}: {}", row.choice, row.reason)?;
        }
        Ok(())
    }
}
