//! Checks of the checks: a device whose results are wrong has to fail every one of them.
//!
//! `Mutant` runs on the host and calls itself a GPU. Where it is told to, it puts something else in the place of what each program
//! and kernel computed. A check that still holds is too weak to be of use on a real GPU.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use syntonic_core::device::{Arg, Device, DeviceId, Kernel, Launch, MemoryStats};
use syntonic_core::fuse::Task;
use syntonic_core::{DType, Result, Tensor, cpu};

use super::{Check, Choice, Need, run_one};
use crate::gpu::Gpu;

/// Kernels whose results say where others read and write, as they are: what replaced them would be followed out of memory.
const PLACES: [&str; 3] = ["index_offsets", "mask_count", "mask_offsets"];

/// What a result is replaced by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutation {
    /// Zeros.
    Zeros,
    /// The operation's first operand, converted, and begun again where it is too short.
    FirstOperand,
    /// Each element by the one before it.
    Neighbour,
}

impl Mutation {
    /// Each of them.
    pub const ALL: [Mutation; 3] = [Mutation::Zeros, Mutation::FirstOperand, Mutation::Neighbour];
}

impl fmt::Display for Mutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mutation::Zeros => "zeros",
            Mutation::FirstOperand => "the first operand",
            Mutation::Neighbour => "a neighbour's value",
        })
    }
}

/// What a wrong result did to a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It failed, as it should.
    Caught,
    /// It held although a result was changed: a fault of the check.
    Missed,
    /// The mutation changed no result, as zeros do not change zeros.
    Unchanged,
    /// The check fails with right results here: it needs a real GPU.
    NeedsGpu,
}

/// Makes each check of a choice with right results and, where it holds, once for each mutation. `tell` hears of each at once.
pub fn survey(choice: &Choice, mut tell: impl FnMut(&str, Mutation, Finding)) {
    for check in choice.checks() {
        if Need::of(&check.name).is_some_and(|need| choice.without.contains(&need)) {
            continue;
        }
        let holds = run_one(&check, &Mutant::gpu(None).0).is_ok();
        for mutation in Mutation::ALL {
            let finding = if holds {
                beside(&check, mutation)
            } else {
                Finding::NeedsGpu
            };
            tell(&check.name, mutation, finding);
        }
    }
}

fn beside(check: &Check, mutation: Mutation) -> Finding {
    let (gpu, mutant) = Mutant::gpu(Some(mutation));
    let held = run_one(check, &gpu).is_ok();
    match (held, mutant.changed.load(Ordering::Relaxed)) {
        (_, false) => Finding::Unchanged,
        (false, true) => Finding::Caught,
        (true, true) => Finding::Missed,
    }
}

/// The host as a GPU whose results are wrong.
#[derive(Debug)]
struct Mutant {
    host: Arc<dyn Device>,
    mutation: Option<Mutation>,
    /// Whether any result was changed.
    changed: AtomicBool,
}

/// Where elements lie: an address on the host and a walk from there, in elements.
struct Place {
    address: *mut u8,
    dtype: DType,
    shape: Vec<usize>,
    strides: Vec<isize>,
}

impl Place {
    fn of(arg: &Arg) -> Place {
        Place {
            address: arg.address(),
            dtype: arg.dtype,
            shape: arg.layout.shape().to_vec(),
            strides: arg.layout.strides().to_vec(),
        }
    }

    /// All of a computed tensor.
    fn whole(x: &Tensor) -> Result<Place> {
        let offset = x.layout().offset() * x.dtype().size();
        Ok(Place {
            address: x.buffer()?.address().wrapping_add(offset),
            dtype: x.dtype(),
            shape: x.shape().to_vec(),
            strides: x.layout().strides().to_vec(),
        })
    }

    /// Operand `k` of a task, inputs first. What it shares over an axis counts once.
    fn of_task(task: &Task<'_>, k: usize) -> Place {
        let slot = task.slot(k);
        let dtype = match k.checked_sub(task.inputs.len()) {
            None => task.program.inputs[k],
            Some(output) => task.program.outputs[output].dtype,
        };
        let strides: Vec<isize> = slot.outer.iter().chain(&slot.row).copied().collect();
        let shape = task.outer.iter().chain(&task.row).zip(&strides);
        Place {
            address: slot.address,
            dtype,
            shape: shape
                .map(|(&n, &s)| if s == 0 { n.min(1) } else { n })
                .collect(),
            strides,
        }
    }

    fn numel(&self) -> usize {
        self.shape.iter().product()
    }

    /// The address of each element, in row-major order.
    fn addresses(&self) -> impl Iterator<Item = *mut u8> + '_ {
        (0..self.numel()).map(|mut i| {
            let mut at = 0isize;
            for (&n, &stride) in self.shape.iter().zip(&self.strides).rev() {
                at += (i % n) as isize * stride;
                i /= n;
            }
            self.address
                .wrapping_offset(at * self.dtype.size() as isize)
        })
    }

    /// # Safety
    /// The memory is live and fits the walk.
    unsafe fn read(&self) -> Vec<u8> {
        let size = self.dtype.size();
        let mut bytes = vec![0u8; self.numel() * size];
        for (to, from) in bytes.chunks_exact_mut(size).zip(self.addresses()) {
            // SAFETY: an element of the walk, which the caller vouches for; a new vector overlaps nothing.
            unsafe { std::ptr::copy_nonoverlapping(from, to.as_mut_ptr(), size) };
        }
        bytes
    }

    /// # Safety
    /// As [`Place::read`], and nobody else uses the memory.
    unsafe fn write(&self, bytes: &[u8]) {
        let size = self.dtype.size();
        for (from, to) in bytes.chunks_exact(size).zip(self.addresses()) {
            // SAFETY: an element of the walk, which the caller vouches for.
            unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), to, size) };
        }
    }
}

/// Elements as bytes, converted.
fn converted(bytes: &[u8], from: DType, to: DType) -> Result<Vec<u8>> {
    if from == to {
        return Ok(bytes.to_vec());
    }
    let n = bytes.len() / from.size();
    let x = Tensor::zeros(&[n], from)?.eval()?.contiguous()?;
    let room = Place::whole(&x)?;
    // SAFETY: a new tensor of these elements that nobody else knows.
    unsafe { room.write(bytes) };
    let y = x.cast(to)?.eval()?.contiguous()?;
    // SAFETY: a computed tensor that is alive.
    Ok(unsafe { Place::whole(&y)?.read() })
}

impl Mutant {
    fn gpu(mutation: Option<Mutation>) -> (Gpu, Arc<Mutant>) {
        let mutant = Arc::new(Mutant {
            host: cpu(),
            mutation,
            changed: AtomicBool::new(false),
        });
        let device: Arc<dyn Device> = mutant.clone();
        (Gpu { device }, mutant)
    }

    /// Does the work and spoils its results.
    ///
    /// # Safety
    /// The places are live memory of the host that fits them, and nobody else uses that of the outputs.
    unsafe fn spoil(
        &self,
        first: Option<Place>,
        outputs: Vec<Place>,
        work: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let Some(mutation) = self.mutation else {
            return work();
        };
        // The operand is read first: an output may lie in its memory.
        let operand = match (mutation, &first) {
            // SAFETY: the caller's promise.
            (Mutation::FirstOperand, Some(first)) => Some((unsafe { first.read() }, first.dtype)),
            _ => None,
        };
        work()?;
        for output in outputs {
            // SAFETY: the caller's promise.
            let right = unsafe { output.read() };
            let size = output.dtype.size();
            let wrong = match (mutation, &operand) {
                (Mutation::Zeros, _) => vec![0; right.len()],
                (Mutation::Neighbour, _) => {
                    let mut turned = right.clone();
                    turned.rotate_right(size.min(right.len()));
                    turned
                }
                (Mutation::FirstOperand, Some((bytes, dtype))) => {
                    let Ok(bytes) = converted(bytes, *dtype, output.dtype) else {
                        continue;
                    };
                    if bytes.is_empty() {
                        continue;
                    }
                    bytes.iter().copied().cycle().take(right.len()).collect()
                }
                (Mutation::FirstOperand, None) => continue,
            };
            if wrong != right {
                self.changed.store(true, Ordering::Relaxed);
                // SAFETY: the caller's promise.
                unsafe { output.write(&wrong) };
            }
        }
        Ok(())
    }
}

impl Device for Mutant {
    fn id(&self) -> DeviceId {
        DeviceId::Cuda(0)
    }

    fn allocate(&self, bytes: usize) -> Result<*mut u8> {
        self.host.allocate(bytes)
    }

    unsafe fn release(&self, address: *mut u8, bytes: usize) {
        // SAFETY: the caller's promise; what was allocated here came from there.
        unsafe { self.host.release(address, bytes) }
    }

    unsafe fn upload(&self, to: *mut u8, from: &[u8]) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.host.upload(to, from) }
    }

    unsafe fn download(&self, to: &mut [u8], from: *const u8) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.host.download(to, from) }
    }

    unsafe fn run(&self, task: &Task<'_>) -> Result<()> {
        let inputs = task.inputs.len();
        let first = (inputs > 0).then(|| Place::of_task(task, 0));
        let outputs = (inputs..inputs + task.outputs.len()).map(|k| Place::of_task(task, k));
        // SAFETY: the caller vouches for the operands, which lie on the host.
        unsafe { self.spoil(first, outputs.collect(), || self.host.run(task)) }
    }

    unsafe fn launch(&self, kernel: &Kernel, args: &Launch) -> Result<()> {
        if PLACES.contains(&kernel.name) {
            // SAFETY: the caller's promise.
            return unsafe { self.host.launch(kernel, args) };
        }
        let first = args.inputs.first().map(Place::of);
        let outputs = args.outputs.iter().map(Place::of).collect();
        // SAFETY: the caller vouches for the operands, which lie on the host.
        unsafe { self.spoil(first, outputs, || self.host.launch(kernel, args)) }
    }

    fn synchronize(&self) -> Result<()> {
        Ok(())
    }

    fn stats(&self) -> MemoryStats {
        self.host.stats()
    }

    fn trim(&self) {
        self.host.trim();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZero;

    /// Some checks of the topics that hold on the host; `syntonic-gpu mutants` goes over all.
    #[test]
    fn checks_fail_where_results_are_wrong() {
        for (topic, every) in [
            ("map/", 1500),
            ("moves/", 500),
            ("golden/", 300),
            ("ends/", 250),
            ("count/", 60),
            ("order/", 60),
            ("products/", 40),
            ("composites/", 30),
            ("layers/", 30),
            ("gemv/", 24),
        ] {
            let every = NonZero::new(every).unwrap_or(NonZero::<usize>::MIN);
            let choice = Choice {
                every,
                ..Choice::named(topic)
            };
            let (mut caught, mut missed) = (0, Vec::new());
            survey(&choice, |name, mutation, finding| match finding {
                Finding::Caught => caught += 1,
                Finding::Missed => missed.push(format!("{name} with {mutation}")),
                Finding::Unchanged | Finding::NeedsGpu => {}
            });
            assert!(caught > 0 && missed.is_empty(), "{topic}: {missed:?}");
        }
    }
}
