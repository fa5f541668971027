//! Pipelines by their modes.

use super::OP;
use super::agreement::apart;
use super::workload::{Runner, Workload};
use crate::error::Result;
use crate::pipeline::{Mode, Plan};
use crate::tensor::{Tensor, same_device};

/// A [`Plan`] over inputs like these, stage by stage, fused and as a graph: the request is the list of inputs in the plan's order, the
/// results are in memory when a run ends.
///
/// `promised` is how far a result of each mode may be from the exact one, relative as [`apart`] says; what it is depends on the stages.
/// Modes compute the same formulas in the same types, and differ in the order of sums alone, which for `n` terms of one sign is at
/// most `n` times half the spacing of floats around 1. A plan without reductions and products promises 0.
///
/// # Errors
/// Inputs on several devices; shapes and types are looked at when the first choice runs.
///
/// ```
/// use syntonic_core::advisor::{Advisor, pipeline};
/// use syntonic_core::{Tensor, stages};
///
/// stages! {
///     struct Wave(x: [n]) -> (y) {
///         #[stage(1)] s: [n] = |x| sin(x);
///         #[stage(2)] y: [n] = |s| s * s;
///     }
/// }
/// let x = Tensor::linspace(0.0, 1.0, 20_000)?.eval()?;
/// let plan = Wave::plan();
/// let workload = pipeline(plan, &[&x], 0.0)?;
/// let mut chosen = Advisor::in_memory().choose(workload, &[x.clone()][..])?;
/// let y = chosen.run(&[x])?.remove(0);
/// assert_eq!(y.shape(), [20_000]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn pipeline<'a>(
    plan: &'a Plan,
    inputs: &[&Tensor],
    promised: f64,
) -> Result<Workload<'a, [Tensor], Vec<Tensor>>> {
    let device = same_device(OP, inputs)?;
    let name = format!("pipeline {} {}", plan.name(), plan.digest());
    let distance = |a: &Vec<Tensor>, b: &Vec<Tensor>| apart(a, b);
    let by = |mode: Mode| {
        move |_: &[Tensor]| {
            Ok(Runner::new(move |inputs: &[Tensor]| {
                done(plan.run(&listed(inputs), mode)?)
            }))
        }
    };
    Ok(Workload::new(name, &device, distance)
        .operands(inputs)
        .choice("unfused", promised, by(Mode::Unfused))
        .choice("fused", promised, by(Mode::Fused))
        .choice("captured", promised, move |inputs: &[Tensor]| {
            let captured = plan.capture(&listed(inputs))?;
            Ok(Runner::new(move |inputs: &[Tensor]| {
                done(captured.replay(&listed(inputs))?)
            }))
        }))
}

fn listed(inputs: &[Tensor]) -> Vec<&Tensor> {
    inputs.iter().collect() // few: inputs of a plan.
}

/// Results that nothing has to be waited for.
fn done(results: Vec<Tensor>) -> Result<Vec<Tensor>> {
    if let Some(first) = results.first() {
        first.device().synchronize()?;
    }
    Ok(results)
}
