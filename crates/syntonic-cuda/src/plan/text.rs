//! Plans as they are read and compared.

use super::{Launch, Plan, Step};
use std::fmt::{Display, Formatter, Result};

impl Display for Plan {
    /// The steps in a line; of several that are the same, how many there are.
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for (at, alike) in self.steps.chunk_by(PartialEq::eq).enumerate() {
            let between = if at == 0 { "" } else { "; " };
            write!(f, "{between}{}", alike[0])?;
            if alike.len() > 1 {
                write!(f, " ({} times)", alike.len())?;
            }
        }
        Ok(())
    }
}

impl Display for Step {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Step::Memory(bytes) => write!(f, "memory {bytes}"),
            Step::BlockCounters => write!(f, "block_counters"),
            Step::Launch(launch) => write!(f, "{launch}"),
        }
    }
}

impl Display for Launch<'_> {
    /// `family/entry grid*threads +bytes of shared memory`. A family of one entry has its name.
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(self.family)?;
        if self.entry != self.family {
            write!(f, "/{}", self.entry)?;
        }
        f.write_str(" ")?;
        match self.geometry.grid {
            [x, 1, 1] => write!(f, "{x}")?,
            [x, y, 1] => write!(f, "{x}x{y}")?,
            [x, y, z] => write!(f, "{x}x{y}x{z}")?,
        }
        write!(f, "*{}", self.geometry.block)?;
        if self.geometry.shared > 0 {
            write!(f, " +{}", self.geometry.shared)?;
        }
        Ok(())
    }
}
