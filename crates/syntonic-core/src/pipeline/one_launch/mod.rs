//! A plan in one launch: its values are grouped into tasks, the tasks become steps, and a device that can runs all of them at once.
//!
//! A task is a space, folds over its rows and formulas over what they give (`groups`); what it computes is one program (`programs`).
//! Values that no other task reads never reach memory. A loop is a list of tasks whose places take turns (`assembly`).

mod assembly;
mod groups;
mod programs;
mod values;

use super::binding::Extents;
use super::plan::Plan;
use crate::device::{OneLaunch, Steps};
use crate::dtype::DType;
use crate::error::Result;
use crate::fork::lock;
use crate::grad;
use crate::layout::{Dims, Strides};
use crate::profile;
use crate::tensor::Tensor;
use assembly::{Assembled, BASE, remainder};
use std::sync::{Arc, Mutex};
use values::Values;

/// Shapes and layouts that a plan remembers.
const MOST: usize = 16;

/// What the inputs of a run are like.
#[derive(Clone, Debug, PartialEq)]
struct Kind {
    device: usize,
    inputs: Vec<(DType, Dims, Strides, usize)>,
}

/// A plan that is ready for inputs of one kind.
#[derive(Debug)]
pub(super) struct Ready {
    kind: Kind,
    name: String,
    bytes: usize,
    results: Vec<(Vec<usize>, DType)>,
    outputs: Vec<usize>,
    between: usize,
    /// Nothing where the device has another way.
    launch: Option<Box<dyn OneLaunch>>,
}

/// What a plan remembers of its runs; plans are equal whatever that is.
#[derive(Debug, Default)]
pub(super) struct Known(Mutex<Vec<Arc<Ready>>>);

impl Clone for Known {
    fn clone(&self) -> Known {
        Known::default()
    }
}

impl PartialEq for Known {
    fn eq(&self, _other: &Known) -> bool {
        true
    }
}

impl Plan {
    /// The outputs over these inputs by one launch, if their device has one.
    ///
    /// # Errors
    /// What the device meets.
    pub(super) fn in_one_launch(
        &self,
        inputs: &[&Tensor],
        extents: &Extents<'_>,
        site: Option<&str>,
    ) -> Result<Option<Vec<Tensor>>> {
        if grad::tracks(inputs) {
            return Ok(None);
        }
        let ready = self.ready(inputs, extents)?;
        match &ready.launch {
            Some(launch) => ready.run(&**launch, inputs, site).map(Some),
            None => Ok(None),
        }
    }

    /// What is ready for inputs like these.
    fn ready(&self, inputs: &[&Tensor], extents: &Extents<'_>) -> Result<Arc<Ready>> {
        let kind = Kind::of(inputs)?;
        let same = |ready: &&Arc<Ready>| ready.kind == kind;
        if let Some(found) = lock(&self.known.0).iter().find(same) {
            return Ok(found.clone());
        }
        // Not under the lock: it may wait for an assembly.
        let ready = Arc::new(Ready::of(self, inputs, extents, kind)?);
        let mut known = lock(&self.known.0);
        if known.len() >= MOST {
            known.remove(0);
        }
        known.push(ready.clone());
        Ok(ready)
    }

    /// The plan over these inputs as steps; nothing where it has a stage that no step has, or a value without elements.
    fn assembled(&self, inputs: &[&Tensor], extents: &Extents<'_>) -> Result<Option<Assembled>> {
        match Values::of(self, inputs, extents) {
            Some(values) => Assembled::of(&values, inputs),
            None => Ok(None),
        }
    }
}

impl Kind {
    fn of(inputs: &[&Tensor]) -> Result<Kind> {
        let each = inputs.iter().map(|t| {
            t.buffer()?;
            Ok((
                t.dtype(),
                t.shape().into(),
                t.strides().into(),
                remainder(t),
            ))
        });
        let device = Arc::as_ptr(inputs[0].device()).cast::<u8>() as usize;
        Ok(Kind {
            device,
            // few: inputs of a plan.
            inputs: each.collect::<Result<_>>()?,
        })
    }
}

impl Ready {
    fn of(plan: &Plan, inputs: &[&Tensor], extents: &Extents<'_>, kind: Kind) -> Result<Ready> {
        let assembled = plan.assembled(inputs, extents)?;
        let Some(Assembled {
            steps,
            results,
            outputs,
            between,
        }) = assembled
        else {
            return Ok(Ready {
                kind,
                name: String::new(),
                bytes: 0,
                results: Vec::new(),
                outputs: Vec::new(),
                between: 0,
                launch: None,
            });
        };
        let size =
            |(shape, dtype): &(Vec<usize>, DType)| shape.iter().product::<usize>() * dtype.size();
        let read = inputs.iter().map(|t| t.numel() * t.dtype().size());
        let bytes = read.sum::<usize>() + results.iter().map(size).sum::<usize>();
        let launch = inputs[0].device().one_launch(&steps)?;
        let Steps { name, .. } = steps;
        Ok(Ready {
            kind,
            name,
            bytes,
            results,
            outputs,
            between,
            launch,
        })
    }

    fn run(
        &self,
        launch: &dyn OneLaunch,
        inputs: &[&Tensor],
        site: Option<&str>,
    ) -> Result<Vec<Tensor>> {
        let run = |buffers: &[*mut u8], device: &Arc<dyn crate::Device>| {
            // SAFETY: inputs are live and of the kind that the steps were made for, results and what is between are fresh and have
            // the room that was planned.
            let work = || unsafe { launch.run(buffers) };
            let (dtype, shape) = self
                .results
                .first()
                .map_or((DType::Bool, &[][..]), |r| (r.1, &r.0));
            profile::steps(device, &self.name, (dtype, shape, self.bytes), work)
        };
        let run = |buffers: &[*mut u8], device: &Arc<dyn crate::Device>| match site {
            Some(site) => {
                profile::with_site(format!("{site}{}", self.name), || run(buffers, device))
            }
            None => run(buffers, device),
        };
        self.over(inputs, run)
    }

    /// The outputs that `run` makes of the buffers of these inputs.
    fn over(
        &self,
        inputs: &[&Tensor],
        run: impl FnOnce(&[*mut u8], &Arc<dyn crate::Device>) -> Result<()>,
    ) -> Result<Vec<Tensor>> {
        let device = inputs[0].device();
        let made = |shape: &[usize], dtype: DType| Tensor::uninit("pipeline", shape, dtype, device);
        let results = self
            .results
            .iter()
            .map(|(shape, dtype)| made(shape, *dtype));
        // few: results of a plan.
        let results = results.collect::<Result<Vec<_>>>()?;
        let between = match self.between {
            0 => None,
            bytes => Some(made(&[bytes], DType::U8)?),
        };
        let mut buffers: Vec<*mut u8> = Vec::with_capacity(inputs.len() + results.len() + 1);
        for input in inputs {
            let offset = input.layout().offset() * input.dtype().size();
            let first = input.buffer()?.address().wrapping_add(offset);
            buffers.push(first.wrapping_sub(first as usize % BASE));
        }
        for made in results.iter().chain(&between) {
            buffers.push(made.buffer()?.address());
        }
        run(&buffers, device)?;
        Ok(self.outputs.iter().map(|&k| results[k].clone()).collect())
    }
}

/// The outputs of a plan by its steps, one task after another: what every device that runs them at once must give.
#[cfg(test)]
pub(super) fn step_by_step(plan: &Plan, inputs: &[&Tensor]) -> Result<Option<Vec<Tensor>>> {
    let extents = plan.bind(inputs)?;
    let kind = Kind::of(inputs)?;
    let Some(assembled) = plan.assembled(inputs, &extents)? else {
        return Ok(None);
    };
    let Assembled {
        steps,
        results,
        outputs,
        between,
    } = assembled;
    let ready = Ready {
        kind,
        name: String::new(),
        bytes: 0,
        results,
        outputs,
        between,
        launch: None,
    };
    let outputs = ready.over(inputs, |buffers, device| {
        let run = |task: &crate::fuse::Task<'_>, smallest: Option<usize>| {
            let Some(k) = smallest else {
                // SAFETY: the places of the steps lie in these buffers, which are live.
                return unsafe { device.run(task) };
            };
            let shape: Vec<usize> = task.outer.iter().chain(&task.row).copied().collect();
            let all = Tensor::uninit("pipeline", &shape, task.program.outputs[0].dtype, device)?;
            let kept = task.outer.len();
            let strides: Strides = all.strides().into();
            let output = crate::fuse::Slot {
                address: all.buffer()?.address(),
                outer: strides[..kept].into(),
                row: strides[kept..].into(),
            };
            let whole = crate::fuse::Task {
                outer: task.outer.clone(),
                row: task.row.clone(),
                inputs: task.inputs.clone(),
                outputs: vec![output],
                ..*task
            };
            // SAFETY: as above, and the result is fresh.
            unsafe { device.run(&whole)? };
            use crate::ops::order::{Extreme, Ranked, topk};
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
        steps.each(buffers, run, read)
    })?;
    Ok(Some(outputs))
}

/// The names of a plan's tasks.
#[cfg(test)]
pub(super) fn tasks(plan: &Plan, inputs: &[&Tensor]) -> Result<Vec<String>> {
    let extents = plan.bind(inputs)?;
    let assembled = plan.assembled(inputs, &extents)?;
    let tasks = assembled.iter().flat_map(|a| a.steps.tasks());
    Ok(tasks.map(|task| task.program.name.clone()).collect())
}
