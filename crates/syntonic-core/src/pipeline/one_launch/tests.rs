//! The steps of a plan task by task, for the tests of pipelines.

use crate::dtype::DType;
use crate::error::Result;
use crate::fuse::{Slot, Task};
use crate::layout::Strides;
use crate::ops::order::{Extreme, Ranked, topk};
use crate::pipeline::Plan;
use crate::tensor::Tensor;

/// The outputs of a plan by its steps, one task after another: what every device that runs them at once must give.
pub(in super::super) fn step_by_step(
    plan: &Plan,
    inputs: &[&Tensor],
) -> Result<Option<Vec<Tensor>>> {
    let extents = plan.bind(inputs)?;
    let Some(assembled) = plan.assembled(inputs, &extents)? else {
        return Ok(None);
    };
    let device = inputs[0].device();
    let outputs = assembled.frame.over(inputs, |buffers| {
        let run = |task: &Task<'_>, smallest: Option<usize>| {
            let Some(k) = smallest else {
                // SAFETY: the places of the steps lie in these buffers, which are live.
                return unsafe { device.run(task) };
            };
            let shape: Vec<usize> = task.outer.iter().chain(&task.row).copied().collect();
            let all = Tensor::uninit("pipeline", &shape, task.program.outputs[0].dtype, device)?;
            let kept = task.outer.len();
            let strides: Strides = all.strides().into();
            let output = Slot {
                address: all.buffer()?.address(),
                outer: strides[..kept].into(),
                row: strides[kept..].into(),
            };
            let whole = Task {
                outer: task.outer.clone(),
                row: task.row.clone(),
                inputs: task.inputs.clone(),
                outputs: vec![output],
                ..*task
            };
            // SAFETY: as above, and the result is fresh.
            unsafe { device.run(&whole)? };
            let (values, _) = topk(&all, k, -1, Extreme::Smallest, Ranked::InOrder)?;
            let mut bytes = vec![0; values.numel() * values.dtype().size()];
            // SAFETY: as above.
            unsafe {
                device.download(&mut bytes, values.eval()?.buffer()?.address())?;
                device.upload(task.outputs[0].address, &bytes)
            }
        };
        let read = |dtype: DType, address: *const u8| {
            let mut bytes = vec![0; dtype.size()];
            // SAFETY: as above.
            unsafe { device.download(&mut bytes, address)? };
            // A zero has no bits but that of its sign.
            let magnitude = bytes.pop().is_some_and(|last| last & 0x7f != 0);
            Ok(magnitude || bytes.iter().any(|b| *b != 0))
        };
        assembled.steps.each(buffers, run, read)
    })?;
    Ok(Some(outputs))
}

/// The names of a plan's tasks.
pub(in super::super) fn tasks(plan: &Plan, inputs: &[&Tensor]) -> Result<Vec<String>> {
    let extents = plan.bind(inputs)?;
    let assembled = plan.assembled(inputs, &extents)?;
    let tasks = assembled.iter().flat_map(|a| a.steps.tasks());
    Ok(tasks.map(|task| task.program.name.clone()).collect())
}
