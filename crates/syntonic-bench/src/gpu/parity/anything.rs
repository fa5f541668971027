//! The random programs of the suite `anything`, over few elements: beside exact arithmetic, within a bound for each element.

use super::Check;
use crate::gpu::anything::holds;

/// Programs: classes take turns.
const COUNT: u64 = 80;

/// All checks of random programs.
pub(crate) fn checks() -> Vec<Check> {
    let programs = 0..COUNT;
    programs
        .map(|seed| {
            let name = format!("anything/random program {seed}");
            Check::new(name, move |gpu| holds(seed, &gpu.device))
        })
        .collect()
}
