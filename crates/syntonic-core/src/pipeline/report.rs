//! What a run of a plan launches, beside the same plan with every stage by itself.

use super::binding::OP;
use super::executors::Mode;
use super::plan::Plan;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::profile::{self, Footprint, Line};
use crate::tensor::Tensor;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Launches of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The program or kernel. A program is called by the stages whose formulas it has, joined by ` + `.
    pub name: String,
    /// The stages that it is known to cover: those of its name; else the stage that asked for it.
    pub stages: Vec<String>,
    /// The type of the result.
    pub dtype: DType,
    /// The index space of a formula, the shape of a kernel's result.
    pub shape: String,
    /// How often.
    pub launches: usize,
    /// Bytes that one launch moves: each operand once.
    pub bytes: usize,
    /// Microseconds of all of them together.
    pub microseconds: f64,
    /// The kernels of one of them on a GPU, with registers and occupancy; those of other libraries are not known.
    pub kernels: Vec<Footprint>,
}

/// What a run of a plan launched.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The plan.
    pub plan: String,
    /// How it ran. Rows of a captured run are those of the fused run that is captured.
    pub mode: Mode,
    /// Its launches, the longest first.
    pub rows: Vec<Row>,
    /// Those of the same plan with every stage by itself.
    pub unfused: Vec<Row>,
    /// Launches that one replay of the graph has, of a captured run.
    pub replayed: Option<usize>,
}

impl Report {
    /// Launches of the run.
    ///
    /// ```
    /// use syntonic_core::pipeline::Mode;
    /// use syntonic_core::prelude::*;
    /// use syntonic_core::stages;
    ///
    /// stages! {
    ///     struct Twice(x: [n]) -> (z) {
    ///         #[stage(1)] y: [n] = |x| x + 1.0;
    ///         #[stage(2)] z: [n] = |y| y * y;
    ///     }
    /// }
    /// let x = Tensor::ones(&[20_000], DType::F32)?;
    /// let report = Twice::plan().report(&[&x], Mode::Fused)?;
    /// assert_eq!((report.launches(), report.unfused_launches()), (1, 2));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn launches(&self) -> usize {
        launches(&self.rows)
    }

    /// Bytes that the run moved.
    ///
    /// ```
    /// use syntonic_core::pipeline::Mode;
    /// use syntonic_core::prelude::*;
    /// use syntonic_core::stages;
    ///
    /// stages! {
    ///     struct Twice(x: [n]) -> (z) {
    ///         #[stage(1)] y: [n] = |x| x + 1.0;
    ///         #[stage(2)] z: [n] = |y| y * y;
    ///     }
    /// }
    /// let x = Tensor::ones(&[20_000], DType::F32)?;
    /// // `x` is read and `z` is written.
    /// assert_eq!(Twice::plan().report(&[&x], Mode::Fused)?.bytes(), 2 * 4 * 20_000);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn bytes(&self) -> usize {
        bytes(&self.rows)
    }

    /// Launches with every stage by itself.
    ///
    /// ```
    /// use syntonic_core::pipeline::Mode;
    /// use syntonic_core::prelude::*;
    /// use syntonic_core::stages;
    ///
    /// stages! {
    ///     struct Twice(x: [n]) -> (z) {
    ///         #[stage(1)] y: [n] = |x| x + 1.0;
    ///         #[stage(2)] z: [n] = |y| y * y;
    ///     }
    /// }
    /// let x = Tensor::ones(&[20_000], DType::F32)?;
    /// assert_eq!(Twice::plan().report(&[&x], Mode::Fused)?.unfused_launches(), 2);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn unfused_launches(&self) -> usize {
        launches(&self.unfused)
    }

    /// Bytes moved with every stage by itself.
    ///
    /// ```
    /// use syntonic_core::pipeline::Mode;
    /// use syntonic_core::prelude::*;
    /// use syntonic_core::stages;
    ///
    /// stages! {
    ///     struct Twice(x: [n]) -> (z) {
    ///         #[stage(1)] y: [n] = |x| x + 1.0;
    ///         #[stage(2)] z: [n] = |y| y * y;
    ///     }
    /// }
    /// let x = Tensor::ones(&[20_000], DType::F32)?;
    /// // `y` is written and read again.
    /// assert_eq!(Twice::plan().report(&[&x], Mode::Fused)?.unfused_bytes(), 4 * 4 * 20_000);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn unfused_bytes(&self) -> usize {
        bytes(&self.unfused)
    }

    /// Bytes that need not be moved since stages run together.
    ///
    /// ```
    /// use syntonic_core::pipeline::Mode;
    /// use syntonic_core::prelude::*;
    /// use syntonic_core::stages;
    ///
    /// stages! {
    ///     struct Twice(x: [n]) -> (z) {
    ///         #[stage(1)] y: [n] = |x| x + 1.0;
    ///         #[stage(2)] z: [n] = |y| y * y;
    ///     }
    /// }
    /// let x = Tensor::ones(&[20_000], DType::F32)?;
    /// assert_eq!(Twice::plan().report(&[&x], Mode::Fused)?.bytes_saved(), 2 * 4 * 20_000);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn bytes_saved(&self) -> usize {
        self.unfused_bytes().saturating_sub(self.bytes())
    }
}

impl Plan {
    /// Runs the plan over these inputs, and once more with every stage by itself, and says what each launched.
    ///
    /// Bytes are those of [`profile`](crate::profile): what each launch reads and writes, not what a cache serves. Inputs that are still
    /// pending are computed first.
    ///
    /// # Errors
    /// As [`Plan::run`]; [`Error::Value`] for [`Mode::Reference`], which launches nothing.
    ///
    /// ```
    /// use syntonic_core::pipeline::Mode;
    /// use syntonic_core::prelude::*;
    /// use syntonic_core::stages;
    ///
    /// stages! {
    ///     struct Twice(x: [n]) -> (z) {
    ///         #[stage(1)] y: [n] = |x| x + 1.0;
    ///         #[stage(2)] z: [n] = |y| y * y;
    ///     }
    /// }
    /// let x = Tensor::ones(&[20_000], DType::F32)?;
    /// let report = Twice::plan().report(&[&x], Mode::Fused)?;
    /// assert_eq!(report.rows[0].stages, ["y", "z"]);
    /// assert!(Twice::plan().report(&[&x], Mode::Reference).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn report(&self, inputs: &[&Tensor], mode: Mode) -> Result<Report> {
        if mode == Mode::Reference {
            let what = "the reference launches nothing; hint: ask for Mode::Fused, Partial, Captured or Unfused";
            return Err(Error::value(OP, what));
        }
        for input in inputs {
            input.buffer()?;
        }
        let unfused = self.recorded(inputs, Mode::Unfused)?;
        let (rows, replayed) = match mode {
            Mode::Captured => {
                let rows = self.recorded(inputs, Mode::Fused)?;
                (rows, Some(self.capture(inputs)?.graph().launches()))
            }
            Mode::Fused | Mode::Partial => (self.recorded(inputs, mode)?, None),
            Mode::Unfused | Mode::Reference => (unfused.clone(), None),
        };
        Ok(Report {
            plan: self.name.to_string(),
            mode,
            rows,
            unfused,
            replayed,
        })
    }

    /// The launches of one run. What other threads launch meanwhile is left out.
    fn recorded(&self, inputs: &[&Tensor], mode: Mode) -> Result<Vec<Row>> {
        static RUNS: AtomicUsize = AtomicUsize::new(0);
        let run = RUNS.fetch_add(1, Ordering::Relaxed);
        let site = format!("{} run {run}: ", self.name);
        let recording = profile::start();
        self.run_for(inputs, mode, Some(&site))?;
        let profile = recording.finish()?;
        let lines = profile.lines.iter();
        let rows = lines.filter_map(|line| {
            let asked = line.site.as_deref()?.strip_prefix(&site)?;
            Some(self.row(line, asked))
        });
        // few: launches of a plan of one kind.
        Ok(rows.collect())
    }

    fn row(&self, line: &Line, asked: &str) -> Row {
        // few: stages of a plan.
        let mut stages: Vec<String> = line.name.split(" + ").map(str::to_owned).collect();
        if stages.iter().any(|name| self.stage(name).is_none()) {
            stages = vec![asked.to_owned()];
        }
        Row {
            name: line.name.clone(),
            stages,
            dtype: line.dtype,
            shape: line.shape.clone(),
            launches: line.calls,
            bytes: line.bytes,
            microseconds: line.total_us,
            kernels: line.kernels.clone(),
        }
    }
}

fn launches(rows: &[Row]) -> usize {
    rows.iter().map(|row| row.launches).sum()
}

fn bytes(rows: &[Row]) -> usize {
    let each = rows
        .iter()
        .map(|row| row.launches.saturating_mul(row.bytes));
    each.fold(0, usize::saturating_add)
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mode = match self.mode {
            Mode::Reference => "reference",
            Mode::Unfused => "unfused",
            Mode::Partial => "partial",
            Mode::Fused => "fused",
            Mode::Captured => "captured",
        };
        table(f, &self.plan, mode, &self.rows)?;
        if let Some(replayed) = self.replayed {
            writeln!(f, "one replay of the graph has {replayed} launches")?;
        }
        if self.mode != Mode::Unfused {
            table(f, &self.plan, "unfused", &self.unfused)?;
            let saved = self.unfused_launches().saturating_sub(self.launches());
            writeln!(f, "saved: {saved} launches, {} bytes", self.bytes_saved())?;
        }
        Ok(())
    }
}

fn table(f: &mut fmt::Formatter<'_>, plan: &str, mode: &str, rows: &[Row]) -> fmt::Result {
    writeln!(
        f,
        "{plan}, {mode}: {} launches, {} bytes",
        launches(rows),
        bytes(rows)
    )?;
    writeln!(
        f,
        "{:>9} {:>12} {:>10}  what",
        "launches", "bytes each", "total us"
    )?;
    for row in rows {
        writeln!(
            f,
            "{:>9} {:>12} {:>10.1}  {} {} {} [{}]",
            row.launches,
            row.bytes,
            row.microseconds,
            row.name,
            row.dtype,
            row.shape,
            row.stages.join(", "),
        )?;
        for kernel in &row.kernels {
            writeln!(f, "{:35}{kernel}", "")?;
        }
    }
    Ok(())
}
