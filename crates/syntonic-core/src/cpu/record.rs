//! Graphs on the CPU: a list of what was run, with the addresses that it was run over.

use super::exec;
use crate::device::{Again, Capture, CapturedLoop, DeviceId, Kernel, Launch, Recorded, Updated};
use crate::error::Result;
use crate::fuse::{Slot, Task, Typed};
use crate::graph::{is_capturing, loops_around};
use crate::interrupt;
use crate::layout::Dims;
use crate::room;
use crate::scalar::Scalar;
use std::cell::RefCell;

thread_local! {
    /// What this thread's capture has run so far: around loops, and in each loop that is begun, the outermost one first.
    static TAPES: RefCell<Vec<Vec<Step>>> = const { RefCell::new(Vec::new()) };
}

/// One thing that was asked of the device.
#[derive(Debug)]
enum Step {
    Program(Box<Program>),
    Kernel(Kernel, Box<Launch>),
    /// Bytes of the host, as they were then.
    Upload(*mut u8, Vec<u8>),
    Loop(Again, Vec<Step>),
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
    TAPES.with_borrow_mut(|tapes| match tapes.get_mut(loops_around()) {
        Some(tape) => room::push(tape, step),
        None => Ok(()),
    })
}

/// True in a loop that is captured: its turns are run when it is there as a whole.
pub(super) fn is_later() -> bool {
    is_capturing(DeviceId::Cpu) && loops_around() > 0
}

/// Takes a program down that was run, or will be.
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

/// Takes a kernel down, as a program.
pub(super) fn kernel(kernel: &Kernel, args: &Launch) -> Result<()> {
    note(|| Ok(Step::Kernel(kernel.clone(), Box::new(args.clone()))))
}

/// Takes bytes of the host down, as a program.
pub(super) fn upload(to: *mut u8, from: &[u8]) -> Result<()> {
    note(|| Ok(Step::Upload(to, room::copied(from)?)))
}

/// A capture of this thread.
#[derive(Debug)]
struct Taking {
    /// Those of the capture around it, in which a function from outside runs; none once they are back in their place.
    around: Option<Vec<Vec<Step>>>,
}

/// Begins one.
pub(super) fn begin() -> Box<dyn Capture> {
    Box::new(Taking {
        around: Some(TAPES.replace(vec![Vec::new()])),
    })
}

/// Begins a loop in the capture of this thread.
pub(super) fn begin_loop(again: Again) -> Box<dyn CapturedLoop> {
    TAPES.with_borrow_mut(|tapes| tapes.push(Vec::new())); // few: loops within loops.
    Box::new(Turn(Some(again)))
}

/// A loop whose turn is taken down; nothing once it is.
#[derive(Debug)]
struct Turn(Option<Again>);

impl CapturedLoop for Turn {
    fn finish(mut self: Box<Self>) -> Result<()> {
        let steps = TAPES.with_borrow_mut(Vec::pop);
        let (Some(again), Some(turn)) = (self.0.take(), steps) else {
            return Ok(());
        };
        let step = [Step::Loop(again, turn)];
        if TAPES.with_borrow(Vec::len) == 1 {
            // SAFETY: the memory of the capture is live, and nobody else's yet.
            unsafe { run(&step)? };
        }
        let [step] = step;
        TAPES.with_borrow_mut(|tapes| match tapes.last_mut() {
            Some(tape) => room::push(tape, step),
            None => Ok(()),
        })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if self.0.is_some() {
            let _ = TAPES.try_with(|tapes| tapes.borrow_mut().pop());
        }
    }
}

impl Capture for Taking {
    fn finish(mut self: Box<Self>) -> Result<Box<dyn Recorded>> {
        let around = self.around.take().unwrap_or_default();
        Ok(Box::new(Tape(
            TAPES.replace(around).pop().unwrap_or_default(),
        )))
    }
}

impl Drop for Taking {
    fn drop(&mut self) {
        if let Some(around) = self.around.take() {
            let _ = TAPES.try_with(|tapes| tapes.replace(around));
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
        // SAFETY: the caller's promise.
        unsafe { run(&self.0) }
    }
}

/// Runs steps again.
///
/// # Safety
/// As of [`Recorded::replay`].
unsafe fn run(steps: &[Step]) -> Result<()> {
    for step in steps {
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
            // SAFETY: who began the loop promised that the memory lives as long as what was captured.
            Step::Loop(Again::While(sign), turn) => unsafe {
                while sign.read() != 0 {
                    interrupt::at_launch()?;
                    run(turn)?;
                }
            },
            // SAFETY: as above.
            Step::Loop(Again::Below(number, end), turn) => unsafe {
                while number.read() < *end {
                    run(turn)?;
                    number.write(number.read() + 1);
                }
            },
        }
    }
    Ok(())
}
