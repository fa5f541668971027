//! Plans as text, and what identifies them.

use super::plan::{
    Block, Extent, Factor, Input, Plan, Precision, Reduce, Stage, TensorCores, Work,
};
use sha2::{Digest as _, Sha256};
use std::fmt::{self, Write as _};

/// What the digest is of, before the text.
const FORM: &str = "syntonic pipeline 1\n";

impl Plan {
    /// The plan as text: its stages in the order in which they run, with their formulas, a node a line.
    ///
    /// ```
    /// syntonic_core::stages! {
    ///     struct Half(x: [n]) -> (y) {
    ///         #[stage(1, precision = double)] y: [n] = |x| 0.5 * x;
    ///     }
    /// }
    /// let text = Half::plan().source();
    /// assert!(text.starts_with("pipeline Half(x: [n]) -> (y)\n"));
    /// assert!(text.contains("stage 1  y: [n] = formula(x), precision = double\n"));
    /// ```
    pub fn source(&self) -> String {
        self.to_string()
    }

    /// SHA-256 of the text in hexadecimal digits: the same for equal plans, whatever the shapes, types and devices of a run.
    ///
    /// ```
    /// syntonic_core::stages! {
    ///     struct Half(x: [n]) -> (y) {
    ///         #[stage(1)] y: [n] = |x| 0.5 * x;
    ///     }
    /// }
    /// assert_eq!(Half::plan().digest().len(), 64);
    /// ```
    pub fn digest(&self) -> String {
        let hash = Sha256::new().chain_update(FORM).chain_update(self.source());
        let mut text = String::new();
        for byte in hash.finalize() {
            let _ = write!(text, "{byte:02x}");
        }
        text
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pipeline {}(", self.name)?;
        for (k, input) in self.inputs.iter().enumerate() {
            let comma = if k > 0 { ", " } else { "" };
            write!(f, "{comma}{}: {input}", input.name)?;
        }
        writeln!(f, ") -> ({})", self.outputs.join(", "))?;
        self.in_order()
            .into_iter()
            .try_for_each(|block| block.write(f))
    }
}

impl Block {
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let indent = if self.is_loop() {
            write!(f, "  repeat {}", self.times)?;
            if let Some(until) = &self.until {
                write!(f, " until {until}")?;
            }
            for (k, carried) in self.carried.iter().enumerate() {
                let word = if k > 0 { ", " } else { " carrying " };
                write!(f, "{word}{} <- {}", carried.name, carried.from)?;
            }
            writeln!(f)?;
            "    "
        } else {
            "  "
        };
        for stage in self.in_order() {
            writeln!(f, "{indent}{stage}")?;
            if let Some(formula) = stage.work.formula() {
                for line in formula.to_string().lines() {
                    writeln!(f, "{indent}  {line}")?;
                }
            }
        }
        Ok(())
    }

    /// True unless it is a single stage that runs once.
    fn is_loop(&self) -> bool {
        self.times != 1
            || self.stages.len() != 1
            || !self.carried.is_empty()
            || self.until.is_some()
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "stage {}  {}: {} = ",
            self.number,
            self.name,
            Shape(&self.shape)
        )?;
        match &self.work {
            Work::Elements(_) => write!(f, "formula({})", self.work.reads().join(", "))?,
            Work::Reduction(reduce, _) => {
                write!(f, "{}", reduce.name())?;
                if let Reduce::Smallest(k) = reduce {
                    write!(f, " {k}")?;
                }
                write!(f, " of formula({})", self.work.reads().join(", "))?;
            }
            Work::Product(a, b) => write!(f, "product({a}, {b})")?,
        }
        let precision = match self.precision {
            Precision::Operands => "",
            Precision::Single => ", precision = single",
            Precision::Double => ", precision = double",
            Precision::Stepwise => ", precision = stepwise",
        };
        let cores = match self.tensor_cores {
            TensorCores::AsSet => "",
            TensorCores::Allowed => ", tensor_cores = allowed",
            TensorCores::Forbidden => ", tensor_cores = forbidden",
        };
        write!(f, "{precision}{cores}")
    }
}

impl fmt::Display for Factor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.transposed { "transposed " } else { "" };
        write!(f, "{word}{}", self.name)
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Extent::Symbol(name) => f.write_str(name),
            Extent::Number(n) => write!(f, "{n}"),
        }
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Shape(&self.shape))
    }
}

struct Shape<'a>(&'a [Extent]);

impl fmt::Display for Shape<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('[')?;
        for (k, extent) in self.0.iter().enumerate() {
            let comma = if k > 0 { ", " } else { "" };
            write!(f, "{comma}{extent}")?;
        }
        f.write_char(']')
    }
}
