//! The launch of a kernel of several passes.

use super::order::Order;
use super::{Kernel, WORDS};
use crate::context::gpu::Cuda;
use crate::context::{Blocks, Context, Geometry};
use crate::fnv::Fnv;
use crate::jit;
use crate::modules::function::Function;
use crate::streams::order::Access;
use std::collections::HashSet;
use std::sync::Arc;
use syntonic_core::Result;
use syntonic_core::device::{Image, OneLaunch, Word};

use super::super::sweep::THREADS;

/// The parameter.
#[derive(Clone, Copy)]
#[repr(C)]
struct Parameter([u64; WORDS]);

/// A kernel whose text somebody else has written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Read {
    entry: String,
    text: String,
}

impl jit::Kernel for Read {
    fn name(&self) -> String {
        self.entry.clone()
    }

    fn text(&self, _capability: (u32, u32)) -> Option<String> {
        Some(self.text.clone())
    }
}

/// Where a kernel comes from.
#[derive(Debug)]
enum Source {
    Made(Kernel),
    Read(Image),
}

/// A kernel that is ready, and what its parameter is made of.
#[derive(Debug)]
pub(super) struct Launch {
    gpu: Arc<Cuda>,
    function: Function,
    source: Source,
    geometry: Geometry,
    /// Blocks that it was planned for.
    blocks: usize,
    words: Vec<Word>,
    partial: usize,
    /// The buffers that it writes.
    written: HashSet<usize>,
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
            ..
        } = order;
        let steps = &context.jit.steps;
        let Some(function) = steps.assembled(context, kernel.fingerprint(), &kernel)? else {
            return Ok(None);
        };
        let geometry = geometry(context, &function, blocks)?;
        Ok(geometry.map(|geometry| Launch {
            gpu: gpu.clone(),
            function,
            source: Source::Made(kernel),
            geometry,
            blocks,
            words,
            partial,
            written,
        }))
    }

    /// The launch of a kernel that was written as text, by [`OneLaunch::image`]; nothing where the card is older than it.
    pub(super) fn read(gpu: &Arc<Cuda>, image: &Image) -> Result<Option<Launch>> {
        let context = gpu.context();
        let first = first(&image.target);
        if first.is_none_or(|first| first > context.capability()) || image.words.len() > WORDS {
            return Ok(None);
        }
        let kernel = Read {
            entry: image.entry.clone(),
            text: image.text.clone(),
        };
        let mut hash = Fnv::default();
        hash.text(&kernel.text);
        let Some(function) = context.jit.read.assembled(context, hash.0, &kernel)? else {
            return Ok(None);
        };
        let geometry = geometry(context, &function, image.blocks)?;
        Ok(geometry.map(|geometry| Launch {
            gpu: gpu.clone(),
            function,
            geometry,
            blocks: image.blocks,
            words: image.words.clone(),
            partial: image.partial,
            written: image.written.iter().copied().collect(),
            source: Source::Read(image.clone()),
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

/// As many of these blocks as the card has at once; nothing where that is none.
fn geometry(context: &Context, function: &Function, blocks: usize) -> Result<Option<Geometry>> {
    let resident = context.resident(function, THREADS as u32, 0)?;
    let at_once = context.limits().multiprocessors as usize * resident as usize;
    let line = || Geometry::line(blocks.min(at_once) as u64, THREADS as u32);
    Ok((at_once > 0).then(line))
}

/// The first cards that run a text, as it says itself.
fn target(text: &str) -> Option<&str> {
    text.lines().find_map(|line| line.strip_prefix(".target "))
}

/// The capability that a target stands for, whose last digit is the minor one; nothing for one of a single kind of cards.
fn first(target: &str) -> Option<(u32, u32)> {
    let digits: u32 = target.strip_prefix("sm_")?.parse().ok()?;
    Some((digits / 10, digits % 10))
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

    fn image(&self) -> Option<Image> {
        let kernel = match &self.source {
            Source::Read(image) => return Some(image.clone()),
            Source::Made(kernel) => kernel,
        };
        let capability = self.gpu.context().capability();
        let text = jit::Kernel::text(kernel, capability)?;
        let mut written: Vec<usize> = self.written.iter().copied().collect();
        written.sort_unstable();
        Some(Image {
            target: target(&text)?.to_owned(),
            entry: jit::Kernel::name(kernel),
            schedule: kernel.schedule(),
            blocks: self.blocks,
            partial: self.partial,
            written,
            words: self.words.clone(),
            text,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_capabilities() {
        assert_eq!(target(".version 8.3\n.target sm_90\n"), Some("sm_90"));
        let all = ["sm_75", "sm_120", "sm_90a", "compute_90"].map(first);
        assert_eq!(all, [Some((7, 5)), Some((12, 0)), None, None]);
    }
}
