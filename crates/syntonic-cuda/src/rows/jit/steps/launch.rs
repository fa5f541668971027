//! The launch of a kernel of several passes.

use super::order::{Order, Word};
use super::{Kernel, WORDS};
use crate::context::gpu::Cuda;
use crate::context::{Blocks, Geometry};
use crate::jit;
use crate::modules::function::Function;
use crate::streams::order::Access;
use std::collections::HashSet;
use std::sync::Arc;
use syntonic_core::Result;
use syntonic_core::device::OneLaunch;

use super::super::sweep::THREADS;

/// The parameter.
#[derive(Clone, Copy)]
#[repr(C)]
struct Parameter([u64; WORDS]);

/// A kernel that is ready, and what its parameter is made of.
#[derive(Debug)]
pub(super) struct Launch {
    gpu: Arc<Cuda>,
    function: Function,
    geometry: Geometry,
    words: Vec<Word>,
    partial: usize,
    /// The buffers that it writes.
    written: HashSet<usize>,
    name: String,
    text: String,
}

impl Launch {
    /// The launch of a kernel; nothing where it has no text. Waits until it is assembled.
    pub(super) fn of(gpu: &Arc<Cuda>, order: Order) -> Result<Option<Launch>> {
        let context = gpu.context();
        let Order {
            kernel,
            words,
            partial,
            blocks,
            written,
        } = order;
        let capability = context.capability();
        let (hash, is) = (kernel.fingerprint(), |known: &Kernel| *known == kernel);
        let steps = &context.jit.steps;
        let about = |made: &Kernel| {
            let text = jit::Kernel::begun(made, capability).map(|(text, _)| text);
            (jit::Kernel::name(made), text.unwrap_or_default())
        };
        let made = steps.function(context, hash, is, || kernel.clone(), about)?;
        let Some((function, (name, text))) = made else {
            return Ok(None);
        };
        let resident = context.resident(&function, THREADS)?;
        let at_once = context.limits().multiprocessors as usize * resident;
        Ok((at_once > 0).then(|| Launch {
            gpu: gpu.clone(),
            function,
            geometry: Geometry::line(blocks.min(at_once) as u64, THREADS as u32),
            words,
            partial,
            written,
            name,
            text,
        }))
    }

    /// What the run touches, of buffers at these addresses.
    fn used<'a>(&'a self, buffers: &'a [*mut u8]) -> impl Iterator<Item = (u64, Access)> + 'a {
        let access = |k: &usize| match self.written.contains(k) {
            true => Access::Write,
            false => Access::Read,
        };
        let each = buffers.iter().enumerate();
        each.map(move |(k, at)| (*at as u64, access(&k)))
    }
}

impl OneLaunch for Launch {
    unsafe fn run(&self, buffers: &[*mut u8]) -> Result<()> {
        let context = self.gpu.context();
        let run = || {
            let counters = context.block_counters()?;
            let partial = match self.partial {
                0 => None,
                bytes => Some(context.scratch(bytes)?),
            };
            let from = partial.as_ref().map_or(0, |memory| memory.address());
            let mut parameter = Parameter([0; WORDS]);
            for (to, word) in parameter.0.iter_mut().zip(&self.words) {
                *to = match word {
                    Word::Same(bits) => *bits,
                    Word::At(place) => buffers[place.buffer] as u64 + place.offset as u64,
                    Word::Partial(offset) => from + *offset as u64,
                    Word::Counter(first) => counters.address() + 4 * *first as u64,
                };
            }
            // SAFETY: kernels of steps take this parameter; the caller vouches for the memory, and all blocks are resident, as a
            // cooperative launch demands.
            unsafe {
                context.launch_blocks(&self.function, self.geometry, Blocks::Together, &parameter)
            }
        };
        context.in_order(self.used(buffers), run)
    }

    fn text(&self) -> Option<(String, String)> {
        Some((self.name.clone(), self.text.clone()))
    }
}
