//! Graphs on the CPU: a list of what was run, with the addresses that it was run over.

use super::exec;
use crate::device::{Capture, DeviceId, Kernel, Launch, Recorded, Updated};
use crate::error::Result;
use crate::fuse::{Slot, Task, Typed};
use crate::graph::is_capturing;
use crate::interrupt;
use crate::layout::Dims;
use crate::room;
use crate::scalar::Scalar;
use std::cell::RefCell;

thread_local! {
    /// What this thread's capture has run so far.
    static TAPE: RefCell<Vec<Step>> = const { RefCell::new(Vec::new()) };
}

/// One thing that was asked of the device.
#[derive(Debug)]
enum Step {
    Program(Box<Program>),
    Kernel(Kernel, Box<Launch>),
    /// Bytes of the host, as they were then.
    Upload(*mut u8, Vec<u8>),
}

/// A task that owns its program.
#[derive(Debug)]
struct Program {
    typed: Typed,
    outer: Dims,
    row: Dims,
    inputs: Vec<Slot>,
    outputs: Vec<Slot>,
    params: Vec<Scalar>,
}

fn note(make: impl FnOnce() -> Result<Step>) -> Result<()> {
    if !is_capturing(DeviceId::Cpu) {
        return Ok(());
    }
    let step = make()?;
    TAPE.with_borrow_mut(|tape| room::push(tape, step))
}

/// Takes a program down that was run.
pub(super) fn program(task: &Task<'_>) -> Result<()> {
    note(|| {
        Ok(Step::Program(Box::new(Program {
            typed: task.program.clone(),
            outer: task.outer.clone(),
            row: task.row.clone(),
            inputs: task.inputs.clone(),
            outputs: task.outputs.clone(),
            params: task.params.to_vec(), // few: as many as the formula has numbers.
        })))
    })
}

/// Takes a kernel down that was launched.
pub(super) fn kernel(kernel: &Kernel, args: &Launch) -> Result<()> {
    note(|| Ok(Step::Kernel(kernel.clone(), Box::new(args.clone()))))
}

/// Takes bytes down that came from the host.
pub(super) fn upload(to: *mut u8, from: &[u8]) -> Result<()> {
    note(|| Ok(Step::Upload(to, room::copied(from)?)))
}

/// A capture of this thread.
#[derive(Debug)]
struct Taking {
    /// That of the capture around it, in which a function from outside runs; none once it is back in its place.
    around: Option<Vec<Step>>,
}

/// Begins one.
pub(super) fn begin() -> Box<dyn Capture> {
    Box::new(Taking {
        around: Some(TAPE.take()),
    })
}

impl Capture for Taking {
    fn finish(mut self: Box<Self>) -> Result<Box<dyn Recorded>> {
        let around = self.around.take().unwrap_or_default();
        Ok(Box::new(Tape(TAPE.replace(around))))
    }
}

impl Drop for Taking {
    fn drop(&mut self) {
        if let Some(around) = self.around.take() {
            let _ = TAPE.try_with(|tape| tape.replace(around));
        }
    }
}

/// What was run, in order.
#[derive(Debug)]
struct Tape(Vec<Step>);

// SAFETY: addresses are followed in `replay` alone, by one thread at a time, as its contract says.
unsafe impl Send for Tape {}
// SAFETY: as above.
unsafe impl Sync for Tape {}

impl Recorded for Tape {
    fn launches(&self) -> usize {
        self.0.len()
    }

    /// It is ready as it is.
    fn prepare(&mut self) -> Result<()> {
        Ok(())
    }

    fn replace(&mut self, _earlier: &mut dyn Recorded) -> Result<Updated> {
        Ok(Updated::InPlace)
    }

    unsafe fn replay(&self) -> Result<()> {
        for step in &self.0 {
            interrupt::at_launch()?;
            match step {
                Step::Program(p) => {
                    let task = Task {
                        program: &p.typed,
                        outer: p.outer.clone(),
                        row: p.row.clone(),
                        inputs: p.inputs.clone(),
                        outputs: p.outputs.clone(),
                        params: &p.params,
                    };
                    // SAFETY: the task ran over this memory, which is live and nobody else's.
                    let done = unsafe { exec::run(&task) };
                    done.map_err(|e| e.named(&p.typed.name))?;
                }
                Step::Kernel(kernel, args) => {
                    // SAFETY: as above.
                    let done = unsafe { (kernel.cpu)(args) };
                    done.map_err(|e| e.named(kernel.name))?;
                }
                // SAFETY: as above: there was room for these bytes.
                Step::Upload(to, bytes) => unsafe {
                    std::ptr::copy_nonoverlapping(bytes.as_ptr(), *to, bytes.len());
                },
            }
        }
        Ok(())
    }
}
