//! Tasks that follow each other, as data: what a device may run in one launch.

use super::image::Image;
use crate::dtype::DType;
use crate::error::Result;
use crate::fuse::{Slot, Task, Typed};
use crate::layout::Dims;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Bits of an offset in the address that stands for a place.
const ROOM: u32 = 40;

/// Where an operand of a step begins: so many bytes into one of the buffers that a run is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    /// Which buffer.
    pub buffer: usize,
    /// Bytes from its beginning.
    pub offset: usize,
}

impl Place {
    /// The place as the address of a [`Slot`] of a step. It is no memory, and is aligned as its offset is.
    ///
    /// ```
    /// use syntonic_core::device::Place;
    ///
    /// let place = Place { buffer: 3, offset: 64 };
    /// assert_eq!(Place::of(place.address()), place);
    /// ```
    pub fn address(self) -> *mut u8 {
        std::ptr::without_provenance_mut(((self.buffer + 1) << ROOM) + self.offset)
    }

    /// The place that an address of [`Place::address`] stands for.
    ///
    /// ```
    /// use syntonic_core::device::Place;
    ///
    /// let address = Place { buffer: 0, offset: 8 }.address();
    /// assert_eq!(Place::of(address).offset, 8);
    /// ```
    pub fn of(address: *const u8) -> Place {
        let bits = address as usize;
        Place {
            buffer: (bits >> ROOM).wrapping_sub(1),
            offset: bits & ((1 << ROOM) - 1),
        }
    }
}

/// A task over places: its slots have the addresses of [`Place`]s, but for [indices](crate::fuse::Op::Index), and its program takes no numbers.
#[derive(Clone, Debug)]
pub struct StepTask {
    /// The program.
    pub program: Typed,
    /// Axes that are kept.
    pub outer: Dims,
    /// Axes that folds reduce.
    pub row: Dims,
    /// The program's inputs.
    pub inputs: Vec<Slot>,
    /// The program's outputs.
    pub outputs: Vec<Slot>,
    /// How many of the smallest elements of each row are kept, in ascending order with NaN behind all numbers, of the program's one output. That
    /// is not stored then: its slot is that of the numbers kept, which lie a row's stride apart.
    pub smallest: Option<usize>,
}

impl StepTask {
    /// The task as a device plans it: over places.
    ///
    /// ```
    /// use syntonic_core::device::{Place, Step, StepTask, Steps};
    /// use syntonic_core::fuse::{Slot, lower, notation};
    /// use syntonic_core::fuse::{Role, Yield};
    /// use syntonic_core::prelude::*;
    ///
    /// let double = notation::trace("double", &[("x", Role::Element)], &[Yield::Element], |x| vec![x[0] + x[0]]);
    /// let slot = |buffer: usize| Slot {
    ///     address: Place { buffer, offset: 0 }.address(),
    ///     outer: [].as_slice().into(),
    ///     row: [1].as_slice().into(),
    /// };
    /// let task = StepTask {
    ///     program: lower(&double, &[DType::F64])?,
    ///     outer: [].as_slice().into(),
    ///     row: [3].as_slice().into(),
    ///     inputs: vec![slot(0)],
    ///     outputs: vec![slot(1)],
    ///     smallest: None,
    /// };
    /// assert_eq!(task.task().outputs[0].address, Place { buffer: 1, offset: 0 }.address());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn task(&self) -> Task<'_> {
        Task {
            program: &self.program,
            outer: self.outer.clone(),
            row: self.row.clone(),
            inputs: self.inputs.clone(),
            outputs: self.outputs.clone(),
            params: &[],
        }
    }

    /// The task over memory, from the addresses of the buffers.
    fn over<'a>(&'a self, buffers: &[*mut u8]) -> Task<'a> {
        let mut task = self.task();
        for slot in in_memory(&self.program, &mut task.inputs, &mut task.outputs) {
            let place = Place::of(slot.address);
            slot.address = buffers[place.buffer].wrapping_add(place.offset);
        }
        task
    }

    /// The slots that lie in memory: all but those of indices, whose addresses are numbers.
    pub(super) fn slots_in_memory(&mut self) -> impl Iterator<Item = &mut Slot> {
        in_memory(&self.program, &mut self.inputs, &mut self.outputs)
    }
}

/// The slots of a program that are not those of indices.
fn in_memory<'a>(
    program: &Typed,
    inputs: &'a mut [Slot],
    outputs: &'a mut [Slot],
) -> impl Iterator<Item = &'a mut Slot> {
    let indices = program.indices();
    let inputs = inputs.iter_mut().enumerate();
    let inputs = inputs.filter_map(move |(k, slot)| (!indices.has(k)).then_some(slot));
    inputs.chain(outputs)
}

/// Steps that are repeated.
#[derive(Clone, Debug)]
pub struct Loop {
    /// How often, at least once.
    pub times: usize,
    /// The steps of the first round, of the second and of the third; of all later ones, those of the second and the third in turn. They
    /// differ in places alone: what one round made, the next one reads.
    pub rounds: [Vec<StepTask>; 3],
    /// The number that ends the loop after a round that leaves it other than 0: its type, and where each of these rounds leaves it.
    pub until: Option<(DType, [Place; 3])>,
    /// Steps after the last round, by which of these rounds that was.
    pub after: [Vec<StepTask>; 3],
}

impl Loop {
    /// Which of the three lists round `round` has, from 0.
    ///
    /// ```
    /// use syntonic_core::device::Loop;
    ///
    /// assert_eq!([0, 1, 2, 3, 4].map(Loop::turn), [0, 1, 2, 1, 2]);
    /// ```
    pub fn turn(round: usize) -> usize {
        match round {
            0 => 0,
            _ => 2 - round % 2,
        }
    }
}

/// A step.
#[derive(Clone, Debug)]
pub enum Step {
    /// One task, over what those before it have written.
    Task(StepTask),
    /// Tasks that are repeated.
    Loop(Loop),
}

/// Tasks that follow each other, over buffers that each run names.
#[derive(Clone, Debug, Default)]
pub struct Steps {
    /// What they are together, for people and profilers.
    pub name: String,
    /// In their order.
    pub steps: Vec<Step>,
}

/// Steps that a device has made ready to run in one launch.
pub trait OneLaunch: Send + Sync + fmt::Debug {
    /// Runs them, after what was asked of the device before.
    ///
    /// # Safety
    /// The buffers are live, as long as the places of the steps ask, and aligned to 16 bytes; nobody else
    /// writes what the steps read, or uses what they write.
    ///
    /// # Errors
    /// What the device meets.
    unsafe fn run(&self, buffers: &[*mut u8]) -> Result<()>;

    /// The launch as data, for [`Device::launch_of`](super::Device::launch_of); nothing where it has no text.
    fn image(&self) -> Option<Image> {
        None
    }
}

impl Steps {
    /// Every task once, those of a loop as they are in its first round.
    ///
    /// ```
    /// assert_eq!(syntonic_core::device::Steps::default().tasks().count(), 0);
    /// ```
    pub fn tasks(&self) -> impl Iterator<Item = &StepTask> {
        self.steps.iter().flat_map(|step| match step {
            Step::Task(task) => std::slice::from_ref(task),
            Step::Loop(repeated) => &repeated.rounds[0][..],
        })
    }

    /// Runs task after task with `run`, over these buffers, which is told how many of the smallest are kept; `read` has the number at an address, for loops that end by one.
    ///
    /// # Errors
    /// The first of `run` or `read`.
    ///
    /// ```
    /// use syntonic_core::device::{Place, Step, StepTask, Steps};
    /// use syntonic_core::fuse::{Slot, lower, notation};
    /// use syntonic_core::fuse::{Role, Yield};
    /// use syntonic_core::prelude::*;
    ///
    /// let double = notation::trace("double", &[("x", Role::Element)], &[Yield::Element], |x| vec![x[0] + x[0]]);
    /// let slot = |buffer: usize| Slot {
    ///     address: Place { buffer, offset: 0 }.address(),
    ///     outer: [].as_slice().into(),
    ///     row: [1].as_slice().into(),
    /// };
    /// let task = StepTask {
    ///     program: lower(&double, &[DType::F64])?,
    ///     outer: [].as_slice().into(),
    ///     row: [3].as_slice().into(),
    ///     inputs: vec![slot(0)],
    ///     outputs: vec![slot(1)],
    ///     smallest: None,
    /// };
    /// let steps = Steps { name: "double".to_owned(), steps: vec![Step::Task(task)] };
    /// let (x, y) = (Tensor::from([1.0, 2.0, 3.0]), Tensor::zeros(&[3], DType::F64)?);
    /// let buffers = [x.buffer()?.address(), y.buffer()?.address()];
    /// // SAFETY: both tensors are live and have three numbers, and nobody else uses the second.
    /// steps.each(&buffers, |task, _| unsafe { x.device().run(task) }, |_, _| Ok(false))?;
    /// assert_eq!(y.to_vec::<f64>()?, [2.0, 4.0, 6.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn each(
        &self,
        buffers: &[*mut u8],
        mut run: impl FnMut(&Task<'_>, Option<usize>) -> Result<()>,
        mut read: impl FnMut(DType, *const u8) -> Result<bool>,
    ) -> Result<()> {
        let mut all = |tasks: &[StepTask]| {
            let mut each = tasks.iter();
            each.try_for_each(|t| run(&t.over(buffers), t.smallest))
        };
        for step in &self.steps {
            match step {
                Step::Task(task) => all(std::slice::from_ref(task))?,
                Step::Loop(repeated) => {
                    let mut last = 0;
                    for round in 0..repeated.times {
                        last = Loop::turn(round);
                        all(&repeated.rounds[last])?;
                        if let Some((dtype, places)) = &repeated.until {
                            let Place { buffer, offset } = places[last];
                            if read(*dtype, buffers[buffer].wrapping_add(offset))? {
                                break;
                            }
                        }
                    }
                    all(&repeated.after[last])?;
                }
            }
        }
        Ok(())
    }
}
