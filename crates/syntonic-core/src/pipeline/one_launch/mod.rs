//! A plan in one launch: its values are grouped into tasks, the tasks become steps, and a device that can runs all of them at once.
//!
//! A task is a space, folds over its rows and formulas over what they give (`groups`); what it computes is one program (`programs`).
//! Values that no other task reads never reach memory. A loop is a list of tasks whose places take turns (`assembly`).

mod assembly;
mod file;
mod groups;
mod programs;
#[cfg(test)]
pub(super) mod tests;
mod values;

use super::binding::Extents;
use super::plan::Plan;
use crate::device::{Device, Frame, OneLaunch, Steps, remainder};
use crate::dtype::DType;
use crate::error::Result;
use crate::fork::lock;
use crate::grad;
use crate::profile;
use crate::tensor::Tensor;
use assembly::Assembled;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex};
use values::Values;

/// Shapes and layouts that a plan remembers.
const MOST: usize = 16;

/// What an input of a run is like.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Given {
    dtype: DType,
    shape: Vec<usize>,
    strides: Vec<isize>,
    /// Bytes from where its buffer begins to its first element.
    remainder: usize,
}

/// What the inputs of a run are like.
#[derive(Clone, Debug, PartialEq)]
struct Kind {
    device: usize,
    inputs: Vec<Given>,
}

/// A plan that is ready for inputs of one kind.
#[derive(Debug)]
pub(super) struct Ready {
    kind: Kind,
    /// The launch; nothing where its device has another way.
    launch: Option<(Frame, Box<dyn OneLaunch>)>,
    /// Whether a file said it: that is never forgotten.
    is_loaded: bool,
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
    /// The outputs over these inputs by one launch, if their device has one. Where it has none, what is pending stays so.
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
        let mut ready = self.ready(inputs, extents)?;
        if ready.launch.is_some() && inputs.iter().any(|t| t.is_pending()) {
            for input in inputs {
                input.buffer()?;
            }
            // What is computed now may begin elsewhere than was supposed.
            ready = self.ready(inputs, extents)?;
        }
        let Some((frame, launch)) = &ready.launch else {
            return Ok(None);
        };
        let run = |buffers: &[*mut u8]| {
            // SAFETY: inputs are live and of the kind that the steps were made for, results and what is between are fresh and have
            // the room that was planned.
            let work = || unsafe { launch.run(buffers) };
            let (shape, dtype) = &frame.results[0];
            let moved = (*dtype, &shape[..], frame.bytes);
            profile::steps(inputs[0].device(), &frame.name, moved, work)
        };
        let outputs = match site {
            Some(site) => {
                let site = format!("{site}{}", frame.name);
                profile::with_site(site, || frame.over(inputs, run))
            }
            None => frame.over(inputs, run),
        };
        outputs.map(Some)
    }

    /// What is ready for inputs like these.
    fn ready(&self, inputs: &[&Tensor], extents: &Extents<'_>) -> Result<Arc<Ready>> {
        let kind = Kind::of(inputs);
        let same = |ready: &&Arc<Ready>| ready.kind == kind;
        if let Some(found) = lock(&self.known.0).iter().find(same) {
            return Ok(found.clone());
        }
        // Not under the lock: it may wait for an assembly.
        let launch = match self.assembled(inputs, extents)? {
            Some(assembled) => {
                let launch = inputs[0].device().one_launch(&assembled.steps)?;
                launch.map(|launch| (assembled.frame, launch))
            }
            None => None,
        };
        let ready = Arc::new(Ready {
            kind,
            launch,
            is_loaded: false,
        });
        self.remember(ready.clone());
        Ok(ready)
    }

    /// Takes what is ready in the place of what is known of such inputs. Of what no file said, the oldest goes where there is too much.
    fn remember(&self, ready: Arc<Ready>) {
        let mut known = lock(&self.known.0);
        known.retain(|other| other.kind != ready.kind);
        let own = |ready: &Arc<Ready>| !ready.is_loaded;
        if known.iter().filter(|ready| own(ready)).count() >= MOST
            && let Some(oldest) = known.iter().position(own)
        {
            known.remove(oldest);
        }
        known.push(ready);
    }

    /// The plan as steps over inputs of these shapes, types and layouts, and the buffers of a run; nothing where some stage is no step (a formula
    /// that folds within itself), or a value has no elements.
    ///
    /// # Errors
    /// As [`Plan::run`].
    ///
    /// ```
    /// use syntonic_core::{DType, Tensor, stages};
    ///
    /// stages! {
    ///     struct Energy(a: [m, n], x: [n]) -> (e) {
    ///         #[stage(1)] y: [m] = product(a, x);
    ///         #[stage(2, reduction = sum)] e: [] = |y| y * y;
    ///     }
    /// }
    /// let (a, x) = (Tensor::from([[1.0, 2.0], [3.0, 4.0]]), Tensor::from([1.0, 1.0]));
    /// let (steps, frame) = Energy::plan().steps(&[&a, &x])?.expect("both stages are steps");
    /// assert_eq!((steps.tasks().count(), &frame.results[..]), (2, &[(vec![], DType::F64)][..]));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn steps(&self, inputs: &[&Tensor]) -> Result<Option<(Steps, Frame)>> {
        let extents = self.bind(inputs)?;
        let assembled = self.assembled(inputs, &extents)?;
        Ok(assembled.map(|Assembled { steps, frame }| (steps, frame)))
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
    fn of(inputs: &[&Tensor]) -> Kind {
        let each = inputs.iter().map(|t| Given {
            dtype: t.dtype(),
            shape: t.shape().to_vec(),
            strides: t.strides().to_vec(),
            remainder: remainder(t),
        });
        Kind {
            device: address(inputs[0].device()),
            // few: inputs of a plan.
            inputs: each.collect(),
        }
    }
}

/// By which kinds tell devices apart.
fn address(device: &Arc<dyn Device>) -> usize {
    Arc::as_ptr(device).cast::<u8>() as usize
}
