//! What a function of tensors asks of a device, as steps.

use super::frame::Frame;
use super::recorded_product as product;
use super::recorded_range::range;
use super::steps::{Place, Step, StepTask, Steps};
use super::{Device, DeviceId, Kernel, Launch, MemoryStats};
use crate::cpu::cpu;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::fork::lock;
use crate::fuse::{Op, Slot, Task};
use crate::lazy::Fusing;
use crate::ops::linalg::{Contraction, MATMUL};
use crate::ops::moves::RAMP;
use crate::tensor::Tensor;
use std::sync::{Arc, Mutex};

/// What every place in the memory between steps is a multiple of.
const ALIGNED: usize = 256;

/// A device that takes down the programs that it is asked to run, and runs none.
#[derive(Debug)]
struct Recorder {
    id: DeviceId,
    host: Arc<dyn Device>,
    /// Memory that was asked for: where it begins, and its bytes. None of it is given back before the end, so an address has one meaning.
    memory: Mutex<Vec<(usize, usize)>>,
    tasks: Mutex<Vec<StepTask>>,
}

/// The steps of a function over tensors of these shapes and types, each row-major: `f` is called once, with tensors that have no values. What it
/// asks of their device is taken down: formulas, reductions, products, and what fuses with them.
///
/// The buffers of a run are the inputs, the results, and the memory between steps.
///
/// # Errors
/// Those of `f`; [`Error::Capture`] for what is none of these: other kernels of the library, values that are read or written, other
/// devices.
///
/// ```
/// use syntonic_core::device::{self, DeviceId};
/// use syntonic_core::prelude::*;
///
/// let (steps, frame) = device::record(
///     "centred",
///     DeviceId::Cpu,
///     &[(&[3], DType::F32)],
///     |x| Ok(vec![(&x[0] - x[0].mean(..)?).eval()?]),
/// )?;
/// assert_eq!(frame.results, [(vec![3], DType::F32)]);
/// assert!(steps.tasks().count() >= 1);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn record(
    name: &str,
    device: DeviceId,
    inputs: &[(&[usize], DType)],
    f: impl FnOnce(&[Tensor]) -> Result<Vec<Tensor>>,
) -> Result<(Steps, Frame)> {
    let recorder = Arc::new(Recorder {
        id: device,
        host: cpu(),
        memory: Mutex::default(),
        tasks: Mutex::default(),
    });
    let device: Arc<dyn Device> = recorder.clone();
    let given = inputs
        .iter()
        .map(|(shape, dtype)| Tensor::uninit("record", shape, *dtype, &device))
        .collect::<Result<Vec<_>>>()?; // few: operands of a function.
    let known = given.iter().map(first).collect::<Result<Vec<_>>>()?; // few: as above.
    let outputs = f(&given)?;
    let (mut results, mut places) = (Vec::new(), Vec::new());
    let mut which = Vec::new(); // few: results of a function.
    for output in outputs {
        if !Arc::ptr_eq(output.device(), &device) {
            return Err(refused(
                "a result that is elsewhere",
                "return what was made of the operands",
            ));
        }
        let mut output = output.eval()?;
        let begins = first(&output)?;
        let is_whole = output.layout().is_contiguous() && output.layout().offset() == 0;
        if !is_whole || known.contains(&begins) || places.contains(&begins) {
            output = output.copy()?.eval()?;
        }
        places.push(first(&output)?);
        which.push(results.len());
        results.push(output);
    }
    let memory = lock(&recorder.memory).clone();
    let mut tasks = std::mem::take(&mut *lock(&recorder.tasks));
    let buffers: Vec<usize> = known.into_iter().chain(places).collect();
    let (mut between, mut begins) = (0, Vec::with_capacity(memory.len()));
    for (address, bytes) in &memory {
        let place = match buffers.iter().position(|b| b == address) {
            Some(buffer) => Place { buffer, offset: 0 },
            None => {
                let offset = between;
                between += bytes.next_multiple_of(ALIGNED);
                Place {
                    buffer: buffers.len(),
                    offset,
                }
            }
        };
        begins.push((*address, *bytes, place));
    }
    for task in &mut tasks {
        for slot in task.slots_in_memory() {
            let at = slot.address as usize;
            let holds =
                |(begin, bytes, _): &&(usize, usize, Place)| (*begin..begin + bytes).contains(&at);
            let Some((begin, _, place)) = begins.iter().find(holds) else {
                return Err(refused("memory of another tensor", "give it as an operand"));
            };
            let place = Place {
                offset: place.offset + at - begin,
                ..*place
            };
            slot.address = place.address();
        }
    }
    let size = |t: &Tensor| t.numel() * t.dtype().size();
    let frame = Frame {
        name: name.to_owned(),
        bytes: given.iter().chain(&results).map(size).sum(),
        results: results
            .iter()
            .map(|t| (t.shape().to_vec(), t.dtype()))
            .collect(),
        outputs: which,
        between,
    };
    let steps = Steps {
        name: name.to_owned(),
        steps: tasks.into_iter().map(Step::Task).collect(),
    };
    Ok((steps, frame))
}

fn first(tensor: &Tensor) -> Result<usize> {
    Ok(tensor.buffer()?.address() as usize)
}

fn refused(what: &str, hint: &str) -> Error {
    Error::Capture {
        op: "record".to_owned(),
        what: format!(
            "a function that is taken down as steps has formulas, reductions and products, not {what}; hint: {hint}"
        ),
    }
}

impl Recorder {
    /// Takes down a product, and what follows it as a step of its own.
    fn product(&self, asked: &Contraction<'_>) -> Result<()> {
        if asked.beta.to_bool() {
            return Err(refused(
                "a product that is added to in place",
                "add it in a formula",
            ));
        }
        let Some(end) = asked.end else {
            let task = product::sums(asked, asked.out)?;
            lock(&self.tasks).push(task);
            return Ok(());
        };
        let bytes = asked.out.layout.numel() * asked.sum_dtype().size();
        let sums = product::between(asked, self.allocate(bytes)?)?;
        let tasks = [
            product::sums(&asked.sums(&sums), &sums)?,
            product::end(end, &sums, asked.out),
        ];
        lock(&self.tasks).extend(tasks);
        Ok(())
    }
}

impl Device for Recorder {
    fn id(&self) -> DeviceId {
        self.id
    }

    fn allocate(&self, bytes: usize) -> Result<*mut u8> {
        let address = self.host.allocate(bytes)?;
        lock(&self.memory).push((address as usize, bytes));
        Ok(address)
    }

    unsafe fn release(&self, _address: *mut u8, _bytes: usize) {}

    unsafe fn upload(&self, _to: *mut u8, _from: &[u8]) -> Result<()> {
        Err(refused("numbers of the host", "give them as an operand"))
    }

    unsafe fn download(&self, _to: &mut [u8], _from: *const u8) -> Result<()> {
        Err(refused("values that are read", "return them"))
    }

    fn eager_elements(&self) -> usize {
        0
    }

    fn is_recorder(&self) -> bool {
        true
    }

    fn fusion(&self) -> Fusing {
        Fusing::WRITING
    }

    unsafe fn run(&self, task: &Task<'_>) -> Result<()> {
        let mut program = task.program.clone();
        for node in &mut program.nodes {
            if let Op::Param(k) = node.op {
                let number = task.params[usize::from(k)];
                node.op = Op::Const(number.cast(node.dtype));
            }
        }
        let slots = |slots: &[Slot]| slots.to_vec(); // few: operands of a program.
        let task = StepTask {
            program,
            outer: task.outer.clone(),
            row: task.row.clone(),
            inputs: slots(&task.inputs),
            outputs: slots(&task.outputs),
            smallest: None,
        };
        lock(&self.tasks).push(task);
        Ok(())
    }

    unsafe fn launch(&self, kernel: &Kernel, args: &Launch) -> Result<()> {
        if kernel.name == MATMUL.name {
            return self.product(&Contraction::of(args)?);
        }
        if kernel.name == RAMP.name
            && let Some(task) = range(args)?
        {
            lock(&self.tasks).push(task);
            return Ok(());
        }
        let what = format!("{}, a kernel of the library", kernel.name);
        Err(refused(&what, "leave it to an ordinary call"))
    }

    fn synchronize(&self) -> Result<()> {
        Ok(())
    }

    fn stats(&self) -> MemoryStats {
        self.host.stats()
    }

    fn trim(&self) {}
}

impl Drop for Recorder {
    fn drop(&mut self) {
        for (address, bytes) in lock(&self.memory).drain(..) {
            // SAFETY: the host gave it with as many bytes, nobody has given it back, and every tensor over it held this.
            unsafe { self.host.release(address as *mut u8, bytes) };
        }
    }
}
