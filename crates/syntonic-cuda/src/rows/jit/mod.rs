//! JIT row kernels: any formula over rows becomes one launch at its first call. A schedule is written as PTX around the
//! compiled pieces of the formula's primitives, and the driver assembles it; no compiler is needed.
//!
//! | Schedule | When | Reads |
//! |---|---|---|
//! | [`held`] | register-resident rows, of a block or of a cluster: they are contiguous, or neighbouring rows are (strided) | once |
//! | [`sweep`] | all else: one launch for each round of folds, over operands in any layout ([`phased`]) | once a round, and once more for elements |
//!
//! What has no pieces is split into maps and folds. The schedule, and with it the order of sums, depends on formula, layout and card
//! only.

mod body;
pub(crate) mod fold;
mod formula;
mod held;
mod join;
mod kernel;
mod made;
mod params;
mod phased;
mod prepared;
mod samples;
mod shape;
mod spread;
mod stages;
pub(crate) mod steps;
mod stock;
mod summed;
mod sweep;
#[cfg(test)]
mod tests;

pub(crate) use kernel::Kernel;
pub(crate) use prepared::PreparedTasks;
pub(crate) use stock::stock;

use crate::context::Context;
use crate::jit::Kernel as _;
use crate::plan::operand::with_factor;
use formula::Number;
use shape::Schedule;
use syntonic_core::fuse::{Op, Task};
use syntonic_core::{Result, Scalar};

/// Texts of more values take too long to assemble.
const VALUES: usize = 320;
/// Vectors of a long row.
const LONG: usize = 2048;

/// Texts of JIT row kernels by name, as the driver of a card gets them: formulas as users write them, in every schedule.
pub(crate) fn texts(capability: (u32, u32)) -> Vec<(String, String)> {
    let kernels = samples::all()
        .into_iter()
        .flat_map(|program| samples::kernels(&program, capability));
    let text = |kernel: &Kernel| Some(kernel.begun(capability)?.0);
    kernels
        .map(|kernel| (kernel.name(), text(&kernel).unwrap_or_default()))
        .collect()
}

/// Runs the task by a JIT kernel, if there can be one; says whether it did.
///
/// # Safety
/// As [`syntonic_core::Device::run`].
pub(crate) unsafe fn run(context: &Context, task: &Task<'_>) -> Result<bool> {
    if task.outer.contains(&0) || task.row.contains(&0) {
        return Ok(false);
    }
    let Some(prepared) = context.prepared.of(context, task, phased::overlaps(task))? else {
        return Ok(false);
    };
    context.bind()?;
    // SAFETY: the caller's promise; it was prepared for such a task.
    unsafe { prepared.launch(context, task)? };
    Ok(true)
}

/// The bits of a number of a formula over rows of `count` elements as a kernel's parameter.
fn number_bits((op, dtype): Number, params: &[Scalar], count: usize) -> [u64; 2] {
    let number = match op {
        Op::Param(k) => params.get(usize::from(k)).copied(),
        Op::Const(value) => Some(value),
        _ => Some(Scalar::Int(count as i128)),
    };
    with_factor(number.unwrap_or(Scalar::Int(0)).cast(dtype), dtype)
}
