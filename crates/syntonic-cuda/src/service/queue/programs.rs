//! The programs of a queue: plans and functions, as steps of one thread block.

use super::super::{Result, ServiceError};
use super::ring::{ALIGNED, MOVES};
use crate::context::gpu::Cuda;
use crate::rows::jit::steps::lanes;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use syntonic_core::device::{self, Frame, Steps};
use syntonic_core::pipeline::Plan;
use syntonic_core::{DType, Device, Error, Tensor};

/// Where arguments and results of a program begin: at multiples of so many bytes.
pub(super) const GRAIN: usize = 16;
const OP: &str = "programs of a queue";

/// An operand of a program.
#[derive(Clone, Copy, Debug)]
pub enum Operand<'a> {
    /// Comes with each request: its shape and type.
    Spec(&'a [usize], DType),
    /// Stays on the GPU, and is the same for every request: a copy is made where it is elsewhere.
    Kept(&'a Tensor),
}

/// An operand as a program has it.
#[derive(Clone, Debug)]
pub(super) enum Input {
    /// Its shape and type, and where it begins in the arguments, in bytes.
    Spec(Vec<usize>, DType, usize),
    Kept(Tensor),
}

/// A program that was registered.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) code: lanes::Program,
    pub(super) inputs: Vec<Input>,
    pub(super) frame: Frame,
    /// Where each result begins, in bytes, and the bytes of all.
    pub(super) places: Vec<usize>,
    pub(super) results: usize,
    /// Bytes of the arguments.
    pub(super) arguments: usize,
}

impl Entry {
    /// What comes with each request: bytes, and where they begin in the arguments.
    pub(super) fn sent(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.inputs.iter().filter_map(|input| match input {
            Input::Spec(shape, dtype, at) => Some((bytes(shape, *dtype), *at)),
            Input::Kept(_) => None,
        })
    }
}

/// A program of a queue, by which requests name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Program {
    pub(super) owner: u64,
    pub(super) number: u32,
}

/// The programs that a queue will have.
#[derive(Debug)]
pub struct Programs {
    pub(super) gpu: Arc<Cuda>,
    pub(super) owner: u64,
    pub(super) all: Vec<Entry>,
}

impl Programs {
    /// None yet, for a queue on this GPU.
    ///
    /// ```
    /// use syntonic_cuda::service::{Programs, Queue, Settings};
    ///
    /// if syntonic_cuda::device_count() > 0 {
    ///     let none = Programs::new(&syntonic_cuda::open(0)?);
    ///     // A queue has one at least.
    ///     assert!(Queue::start(none, 1, Settings::default()).is_err());
    /// }
    /// # Ok::<(), syntonic_cuda::service::ServiceError>(())
    /// ```
    pub fn new(gpu: &Arc<Cuda>) -> Programs {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Programs {
            gpu: gpu.clone(),
            owner: NEXT.fetch_add(1, Ordering::Relaxed),
            all: Vec::new(),
        }
    }

    /// Registers a plan over operands of these shapes and types.
    ///
    /// # Errors
    /// As [`Plan::run`]; where some stage has no steps ([`Plan::steps`]), or no schedule for one block; where a request sends more than six operands.
    ///
    /// ```
    /// use syntonic_core::{DType, stages};
    /// use syntonic_cuda::service::{Operand, Programs};
    ///
    /// stages! {
    ///     struct Centred(x: [n]) -> (y) {
    ///         #[stage(1, reduction = mean)] mean: [1] = |x| x;
    ///         #[stage(2)] y: [n] = |x, mean| x - mean;
    ///     }
    /// }
    /// if syntonic_cuda::device_count() > 0 {
    ///     let mut programs = Programs::new(&syntonic_cuda::open(0)?);
    ///     let of_five = programs.plan(Centred::plan(), &[Operand::Spec(&[5], DType::F32)])?;
    ///     assert_ne!(of_five, programs.plan(Centred::plan(), &[Operand::Spec(&[7], DType::F32)])?);
    /// }
    /// # Ok::<(), syntonic_cuda::service::ServiceError>(())
    /// ```
    pub fn plan(&mut self, plan: &Plan, operands: &[Operand<'_>]) -> Result<Program> {
        let given = self.given(operands)?;
        let inputs: Vec<&Tensor> = given.iter().collect();
        let Some((steps, frame)) = plan.steps(&inputs)? else {
            let text = format!(
                "{} has a stage that folds within a formula, or a value without elements; hint: make the fold a stage of its own",
                plan.name()
            );
            return Err(Error::value(OP, text).into());
        };
        self.add(steps, frame, operands, given)
    }

    /// Registers a function of tensors, which is called once, with tensors that have no values: its formulas, reductions and products become the program.
    ///
    /// # Errors
    /// As [`device::record`], and as [`Programs::plan`].
    ///
    /// ```
    /// use syntonic_core::ops::order::Direction;
    /// use syntonic_core::prelude::*;
    /// use syntonic_cuda::service::{Operand, Programs};
    ///
    /// if syntonic_cuda::device_count() > 0 {
    ///     let mut programs = Programs::new(&syntonic_cuda::open(0)?);
    ///     let five = Operand::Spec(&[5], DType::F32);
    ///     let centred = programs.function("centred", &[five], |x| Ok(vec![&x[0] - x[0].mean(..)?]))?;
    ///     let matrix = Tensor::zeros(&[3, 5], DType::F32)?;
    ///     let layer = programs.function("layer", &[Operand::Kept(&matrix), five], |x| x[0].matmul(&x[1])?.tanh().map(|y| vec![y]))?;
    ///     assert!(programs.function("sorted", &[five], |x| Ok(vec![x[0].sort(-1, Direction::Ascending)?])).is_err());
    /// # let _ = (centred, layer);
    /// }
    /// # Ok::<(), syntonic_cuda::service::ServiceError>(())
    /// ```
    pub fn function(
        &mut self,
        name: &str,
        operands: &[Operand<'_>],
        f: impl FnOnce(&[Tensor]) -> syntonic_core::Result<Vec<Tensor>>,
    ) -> Result<Program> {
        let given = self.given(operands)?;
        let like: Vec<(&[usize], DType)> = given.iter().map(|t| (t.shape(), t.dtype())).collect();
        let (steps, frame) = device::record(name, self.gpu.id(), &like, f)?;
        self.add(steps, frame, operands, given)
    }

    /// Tensors on the GPU in the place of operands: row-major, at the start of their memory.
    fn given(&self, operands: &[Operand<'_>]) -> Result<Vec<Tensor>> {
        let device: Arc<dyn Device> = self.gpu.clone();
        let given = operands.iter().map(|operand| match operand {
            Operand::Spec(shape, dtype) => Tensor::zeros_on(shape, *dtype, &device)?.eval(),
            Operand::Kept(tensor) => tensor.to(&device)?.contiguous()?.eval(),
        });
        // few: operands of a program.
        Ok(given.collect::<syntonic_core::Result<Vec<_>>>()?)
    }

    fn add(
        &mut self,
        steps: Steps,
        frame: Frame,
        operands: &[Operand<'_>],
        given: Vec<Tensor>,
    ) -> Result<Program> {
        let Some(code) = lanes::Program::of(&steps) else {
            let text = format!(
                "{} has no schedule for one thread block; hint: fewer stages, or an ordinary launch",
                frame.name
            );
            return Err(Error::value(OP, text).into());
        };
        let mut arguments = 0;
        let inputs = operands
            .iter()
            .zip(given)
            .map(|(operand, tensor)| match operand {
                Operand::Spec(shape, dtype) => {
                    let at = arguments;
                    arguments += bytes(shape, *dtype).next_multiple_of(GRAIN);
                    Input::Spec(shape.to_vec(), *dtype, at)
                }
                Operand::Kept(_) => Input::Kept(tensor),
            });
        // few: operands of a program.
        let inputs: Vec<Input> = inputs.collect();
        let sent = inputs
            .iter()
            .filter(|i| matches!(i, Input::Spec(..)))
            .count();
        if sent > MOVES {
            let text = format!(
                "{} takes {sent} operands with each request, of at most {MOVES}; hint: join some, or keep what stays the same",
                frame.name
            );
            return Err(Error::value(OP, text).into());
        }
        let mut results = 0;
        let places = frame.results.iter().map(|(shape, dtype)| {
            let at = results;
            results += bytes(shape, *dtype).next_multiple_of(GRAIN);
            at
        });
        let places = places.collect(); // few: results of a program.
        self.all.push(Entry {
            code,
            inputs,
            frame,
            places,
            results,
            arguments,
        });
        Ok(Program {
            owner: self.owner,
            number: self.all.len() as u32 - 1,
        })
    }

    /// The most bytes of arguments and of results of any program, as areas have them.
    pub(super) fn largest(&self) -> [usize; 2] {
        let most = |of: fn(&Entry) -> usize| self.all.iter().map(of).max().unwrap_or(0);
        [most(|e| e.arguments), most(|e| e.results)]
            .map(|bytes| bytes.next_multiple_of(ALIGNED).max(ALIGNED))
    }

    /// The program that a request names.
    pub(super) fn entry(&self, program: &Program) -> std::result::Result<&Entry, ServiceError> {
        let own = program.owner == self.owner;
        let found = self.all.get(program.number as usize).filter(|_| own);
        found.ok_or_else(|| {
            let text =
                "this program is another queue's; hint: register it with this one's programs";
            Error::value("queue", text).into()
        })
    }
}

/// Bytes of a tensor.
pub(super) fn bytes(shape: &[usize], dtype: DType) -> usize {
    shape.iter().product::<usize>() * dtype.size()
}
