//! A capture in progress.

use super::replay::{Held, Replay};
use crate::block_counters::BYTES;
use crate::context::Context;
use crate::context::gpu::{Cuda, open};
use crate::driver::fault::Checked;
use crate::streams::order::Access;
use cudarc::driver::CudaStream;
use cudarc::driver::sys::{self, CUgraph, CUstream, CUstreamCaptureMode};
use std::any::Any;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::marker::PhantomData;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use syntonic_core::device::{Capture, Recorded};
use syntonic_core::fork::{Locked, lock};
use syntonic_core::graph::{is_capturing, loops_around, refuse};
use syntonic_core::{DeviceId, Result};

/// Captures of all threads, to be asked where every launch comes by.
static OPEN: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// The capture of this thread.
    static HERE: RefCell<Option<(DeviceId, Arc<Taking>)>> = const { RefCell::new(None) };
}

/// Bytes from the host that a capture may have: a number, which becomes a part of the graph.
const NUMBER: usize = 16;

/// The captures of all threads on one GPU, counted.
#[derive(Debug, Default)]
pub(crate) struct Captures(Mutex<usize>);

impl Captures {
    fn lock(&self) -> Locked<'_, usize> {
        lock(&self.0)
    }

    /// Does `work` if there is no capture, and lets none begin meanwhile.
    pub(crate) fn unless_open<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        let open = self.lock();
        (*open == 0).then(work)
    }
}

/// What a capture uses of the GPU.
#[derive(Debug)]
pub(crate) struct Taking {
    /// They are captured, and run nothing: that of the graph, and one for each loop that is begun, the outermost one first.
    streams: Mutex<Vec<Arc<CudaStream>>>,
    /// What has to be done at once is done here.
    side: Arc<CudaStream>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// Blocks by how they are used, for the order of streams.
    uses: BTreeMap<u64, Access>,
    /// Scratch memory that waits, by its size, and the size of each.
    free: HashMap<usize, Vec<u64>>,
    sizes: HashMap<u64, usize>,
    /// Sets of block counters that wait.
    counters: Vec<u64>,
    held: Held,
}

impl Taking {
    /// The capture that this thread is in on a GPU, unless it has left it for a moment.
    #[inline]
    pub(crate) fn here(device: DeviceId) -> Option<Arc<Taking>> {
        if OPEN.load(Ordering::Relaxed) == 0 || !is_capturing(device) {
            return None;
        }
        let look = |here: &RefCell<Option<(DeviceId, Arc<Taking>)>>| {
            let here = here.borrow();
            let found = here.as_ref().filter(|(d, _)| *d == device);
            found.map(|(_, taking)| taking.clone())
        };
        HERE.try_with(look).ok().flatten()
    }

    fn state(&self) -> Locked<'_, State> {
        lock(&self.state)
    }

    /// The stream that takes what this thread asks for.
    pub(crate) fn stream(&self) -> CUstream {
        self.stream_in(loops_around())
    }

    /// The stream of the last loop that is begun, or of the graph.
    pub(super) fn innermost(&self) -> CUstream {
        self.stream_in(usize::MAX)
    }

    /// The stream within so many loops.
    fn stream_in(&self, loops: usize) -> CUstream {
        let streams = lock(&self.streams);
        let at = loops.min(streams.len() - 1);
        streams[at].cu_stream()
    }

    /// A loop begins, whose turn is captured from this stream.
    pub(super) fn push(&self, stream: &Arc<CudaStream>) {
        lock(&self.streams).push(stream.clone()); // few: loops within loops.
    }

    /// The last one has ended.
    pub(super) fn pop(&self) {
        lock(&self.streams).pop();
    }

    /// Notes that the captured work uses a block.
    pub(crate) fn note(&self, block: u64, access: Access) {
        let mut state = self.state();
        let known = state.uses.entry(block).or_insert(access);
        if access == Access::Write {
            *known = access;
        }
    }

    /// A block of the pool, which the captured work may use. Who had it before is waited for at each replay.
    pub(crate) fn allocate(&self, context: &Context, bytes: usize) -> Result<u64> {
        let block = match context.pool.waiting(bytes) {
            Some(block) => block,
            None => {
                context.bind()?;
                let side = self.side.cu_stream();
                // SAFETY: the context is current and the stream is its own.
                let block = unsafe { context.pool.allocate(bytes, side, &|| context.idle())? };
                self.settle(context)
                    .inspect_err(|_| context.pool.release(block))?;
                block
            }
        };
        self.note(block, Access::Write);
        Ok(block)
    }

    /// Keeps what a captured launch needs as long as the graph.
    pub(crate) fn keep(&self, code: Arc<dyn Any + Send + Sync>) {
        let kept = &mut self.state().held.code;
        if !kept.iter().any(|other| Arc::ptr_eq(other, &code)) {
            kept.push(code);
        }
    }

    /// Waits for the second stream.
    fn settle(&self, context: &Context) -> Result<()> {
        // SAFETY: the stream is alive and not captured.
        let code = unsafe { sys::cuStreamSynchronize(self.side.cu_stream()) };
        context.check("capture", code)
    }

    /// Scratch memory of the graph.
    pub(crate) fn scratch(&self, context: &Context, bytes: usize) -> Result<u64> {
        let waiting = self.state().free.get_mut(&bytes).and_then(Vec::pop);
        if let Some(block) = waiting {
            return Ok(block);
        }
        let block = self.allocate(context, bytes)?;
        let mut state = self.state();
        state.sizes.insert(block, bytes);
        state.held.scratch.push(block);
        Ok(block)
    }

    /// Takes scratch memory back, for the work that is captured next.
    pub(crate) fn give_scratch(&self, block: u64) {
        let mut state = self.state();
        if let Some(&bytes) = state.sizes.get(&block) {
            state.free.entry(bytes).or_default().push(block);
        }
    }

    /// A set of block counters of the graph's own: nobody else may have it between two replays.
    pub(crate) fn counters(&self, context: &Context) -> Result<u64> {
        let waiting = self.state().counters.pop();
        if let Some(address) = waiting {
            return Ok(address);
        }
        let address = match context.block_counters.pop() {
            Some(address) => address,
            None => {
                let address = context.new_words(BYTES)?;
                let side = self.side.cu_stream();
                // SAFETY: the context is current, and the memory is new and has room.
                context.check("fill", unsafe {
                    sys::cuMemsetD8Async(address, 0, BYTES, side)
                })?;
                self.settle(context)?;
                address
            }
        };
        self.state().held.counters.push(address);
        self.note(address, Access::Write);
        Ok(address)
    }

    /// Takes a set back, for the work that is captured next.
    pub(crate) fn give_counters(&self, address: u64) {
        self.state().counters.push(address);
    }
}

/// Has a number of the host's written within a capture, or where the turn of a loop is rehearsed for one.
///
/// # Errors
/// For more bytes than a number has: where they lie may be gone at a replay.
///
/// # Safety
/// `to` has room for them.
pub(crate) unsafe fn write_number(context: &Context, to: u64, from: &[u8]) -> Result<()> {
    if from.len() > NUMBER {
        return Err(refuse("copy from the host"));
    }
    context.bind()?;
    let stream = context.stream();
    let (words, rest) = from.as_chunks::<4>();
    for (k, word) in words.iter().enumerate() {
        let (at, word) = (to + 4 * k as u64, u32::from_le_bytes(*word));
        // SAFETY: the context is current; the room is the caller's promise, and tensors begin at a multiple of 64 bytes.
        let code = unsafe { sys::cuMemsetD32Async(at, word, 1, stream) };
        context.check("upload", code)?;
    }
    for (k, &byte) in rest.iter().enumerate() {
        let at = to + (4 * words.len() + k) as u64;
        // SAFETY: as above.
        let code = unsafe { sys::cuMemsetD8Async(at, byte, 1, stream) };
        context.check("upload", code)?;
    }
    Ok(())
}

/// Begins to capture what this thread asks of a GPU.
pub(crate) fn begin(device: DeviceId) -> Result<Box<dyn Capture>> {
    let DeviceId::Cuda(ordinal) = device else {
        return Err(refuse("capture"));
    };
    let gpu = open(ordinal)?;
    let context = gpu.context();
    context.bind()?;
    let stream = || context.driver().new_stream().during("capture", device);
    let taking = Arc::new(Taking {
        streams: Mutex::new(vec![stream()?]),
        side: stream()?,
        state: Mutex::new(State {
            uses: BTreeMap::new(),
            free: HashMap::new(),
            sizes: HashMap::new(),
            counters: Vec::new(),
            held: Held::of(&gpu),
        }),
    });
    let mode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED;
    {
        let mut open = context.captures.lock();
        // SAFETY: the context is current, and the stream is alive and this capture's own.
        let code = unsafe { sys::cuStreamBeginCapture_v2(taking.stream(), mode) };
        context.check("capture", code)?;
        *open += 1;
    }
    OPEN.fetch_add(1, Ordering::Relaxed);
    HERE.replace(Some((device, taking.clone())));
    Ok(Box::new(Begun {
        gpu,
        taking,
        ended: false,
        here: PhantomData,
    }))
}

/// The capture of this thread, until it is dropped.
#[derive(Debug)]
struct Begun {
    gpu: Arc<Cuda>,
    taking: Arc<Taking>,
    ended: bool,
    /// It is this thread's.
    here: PhantomData<*const ()>,
}

impl Begun {
    /// Ends the capture of the stream. The graph is null where the driver gives none.
    fn end(&mut self) -> Result<CUgraph> {
        self.ended = true;
        HERE.replace(None);
        OPEN.fetch_sub(1, Ordering::Relaxed);
        let context = self.gpu.context();
        let mut graph = ptr::null_mut();
        let bound = context.bind();
        let mut open = context.captures.lock();
        // SAFETY: the stream is alive and captured, and the driver writes one handle, or none.
        let code = unsafe { sys::cuStreamEndCapture(self.taking.innermost(), &mut graph) };
        *open -= 1;
        drop(open);
        bound?;
        context.check("capture", code)?;
        Ok(graph)
    }
}

impl Capture for Begun {
    fn finish(mut self: Box<Self>) -> Result<Box<dyn Recorded>> {
        let graph = self.end()?;
        let mut state = self.taking.state();
        let held = std::mem::replace(&mut state.held, Held::of(&self.gpu));
        let uses = std::mem::take(&mut state.uses);
        drop(state);
        Ok(Box::new(Replay::new(
            graph,
            held,
            uses.into_iter().collect(),
        )?))
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        if self.ended {
            return;
        }
        match self.end() {
            Ok(graph) => super::replay::destroy(graph),
            // What spoilt the capture was told where it happened.
            Err(error) => tracing::debug!(%error, "a capture that is given up"),
        }
    }
}
