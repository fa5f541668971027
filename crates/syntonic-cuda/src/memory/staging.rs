//! Copies between the host and the GPU.
//!
//! The driver copies pageable memory piece by piece through a small buffer of its own. Large copies go through a ring of
//! page-locked pieces instead: several threads fill one while the GPU transfers another. Memory that is page-locked itself needs
//! neither: the GPU copies from and to it.

use crate::context::Context;
use crate::driver::fault::Checked;
use crate::graph::write_number;
use crate::memory::pinned;
use cudarc::driver::sys::{self, CUstream};
use std::sync::Mutex;
use syntonic_core::cpu::threads::share_ranges;
use syntonic_core::fork::{Turn, lock};
use syntonic_core::graph::{check, is_capturing};
use syntonic_core::{Result, interrupt};

/// Bytes of one piece of the ring.
const PIECE: usize = 8 << 20;
/// Pieces of the ring.
const PIECES: usize = 4;
/// Copies below this are left to the driver.
const WORTH_IT: usize = 2 << 20;
/// What one thread copies at a time.
const SHARE: usize = 512 << 10;

/// Page-locked memory that the GPU accesses by DMA; kept until the process ends.
#[derive(Debug)]
struct Ring {
    pieces: [*mut u8; PIECES],
    done: [sys::CUevent; PIECES],
}

// SAFETY: the addresses and handles are used by one thread at a time, under the lock around the ring.
unsafe impl Send for Ring {}

/// Copies from the GPU of at most this many bytes come through a page of their own: for single numbers the driver's own
/// buffer costs more than the copy.
const SMALL: usize = 4 << 10;

/// A page-locked page that nobody uses at the moment.
#[derive(Debug)]
struct Page(*mut u8);

// SAFETY: the address is used by whoever took the page out of its list.
unsafe impl Send for Page {}

impl Page {
    fn new(context: &Context) -> Result<Page> {
        let mut memory = std::ptr::null_mut();
        // The driver waits for the whole GPU.
        context.leases.ask_to_leave();
        // SAFETY: the context is current, and the driver writes one address.
        unsafe { sys::cuMemHostAlloc(&mut memory, SMALL, sys::CU_MEMHOSTALLOC_PORTABLE) }
            .during("page-locked memory", context.device)?;
        Ok(Page(memory.cast()))
    }
}

/// What copies of one GPU go through; kept until the process ends.
#[derive(Debug, Default)]
pub(crate) struct Staging {
    /// Made by the first large copy.
    ring: Turn<Option<Ring>>,
    /// As many as there were small copies at the same time.
    pages: Mutex<Vec<Page>>,
}

impl Ring {
    fn new(context: &Context) -> Result<Ring> {
        context.leases.ask_to_leave();
        let mut ring = Ring {
            pieces: [std::ptr::null_mut(); PIECES],
            done: [std::ptr::null_mut(); PIECES],
        };
        for k in 0..PIECES {
            let mut memory = std::ptr::null_mut();
            // SAFETY: the context is current, and the driver writes an address and a handle.
            unsafe {
                sys::cuMemHostAlloc(&mut memory, PIECE, sys::CU_MEMHOSTALLOC_PORTABLE)
                    .during("page-locked memory", context.device)?;
                let flags = sys::CUevent_flags::CU_EVENT_DISABLE_TIMING as u32;
                sys::cuEventCreate(&mut ring.done[k], flags).during("event", context.device)?;
            }
            ring.pieces[k] = memory.cast();
        }
        Ok(ring)
    }

    /// Waits until the GPU is done with piece `k`, also with what somebody asked who has stopped since.
    fn wait(&self, context: &Context, k: usize) -> Result<()> {
        // SAFETY: the handle is alive.
        let query = || unsafe { sys::cuEventQuery(self.done[k]) };
        // SAFETY: as above.
        let wait = || unsafe { sys::cuEventSynchronize(self.done[k]) };
        context.until("copy", query, wait)
    }

    fn mark(&self, context: &Context, k: usize, stream: CUstream) -> Result<()> {
        // SAFETY: both handles are alive.
        context.check("copy", unsafe { sys::cuEventRecord(self.done[k], stream) })
    }
}

/// Copies by several threads.
///
/// # Safety
/// Both sides have `bytes` bytes, apart from each other.
unsafe fn spread(to: *mut u8, from: *const u8, bytes: usize) {
    let (to, from) = (to as usize, from as usize);
    let copy = |first: usize, end: usize| {
        let (source, target) = ((from + first) as *const u8, (to + first) as *mut u8);
        // SAFETY: shares are disjoint and lie inside both sides.
        unsafe { std::ptr::copy_nonoverlapping(source, target, end - first) };
    };
    // The ring is locked, and a piece of it is soon copied.
    let done = interrupt::regardless(|| share_ranges(bytes, SHARE, copy));
    debug_assert!(done.is_ok(), "nobody could stop it");
}

/// Copies host bytes to the GPU; they may be changed as soon as this returns.
///
/// # Safety
/// `to` has room for them.
pub(crate) unsafe fn upload(context: &Context, to: u64, from: &[u8]) -> Result<()> {
    if is_capturing(context.device) {
        // SAFETY: the caller's promise.
        return unsafe { write_number(context, to, from) };
    }
    if from.len() < WORTH_IT || pinned::is_locked(from.as_ptr() as usize, from.len()) {
        // SAFETY: the caller's promise.
        return unsafe { context.upload(to, from) };
    }
    with_ring(context, |ring, stream| {
        for (at, part) in from.chunks(PIECE).enumerate() {
            let k = at % PIECES;
            ring.wait(context, k)?;
            let target = to + (at * PIECE) as u64;
            // SAFETY: the piece is free and holds the part; the room is the caller's promise.
            let code = unsafe {
                spread(ring.pieces[k], part.as_ptr(), part.len());
                sys::cuMemcpyHtoDAsync_v2(target, ring.pieces[k].cast(), part.len(), stream)
            };
            context.check("upload", code)?;
            ring.mark(context, k, stream)?;
        }
        context.wait_for("upload", stream)
    })
}

/// Copies bytes from the GPU, after all earlier work of this thread's stream.
///
/// # Safety
/// `from` has that many initialised bytes.
pub(crate) unsafe fn download(context: &Context, to: &mut [u8], from: u64) -> Result<()> {
    check("download", context.device)?;
    if to.len() <= SMALL {
        // SAFETY: the caller's promise.
        return unsafe { download_small(context, to, from) };
    }
    if to.len() < WORTH_IT || pinned::is_locked(to.as_ptr() as usize, to.len()) {
        // SAFETY: the caller's promise.
        return unsafe { context.download(to, from) };
    }
    let ask = |ring: &Ring, stream: CUstream, at: usize, bytes: usize| {
        let k = at % PIECES;
        ring.wait(context, k)?;
        let source = from + (at * PIECE) as u64;
        // SAFETY: the piece is free and has room; the source is the caller's promise.
        let code =
            unsafe { sys::cuMemcpyDtoHAsync_v2(ring.pieces[k].cast(), source, bytes, stream) };
        context.check("download", code)?;
        ring.mark(context, k, stream)
    };
    with_ring(context, |ring, stream| {
        let sizes: Vec<usize> = to.chunks(PIECE).map(<[u8]>::len).collect();
        for (at, &bytes) in sizes.iter().enumerate().take(PIECES) {
            ask(ring, stream, at, bytes)?;
        }
        for (at, part) in to.chunks_mut(PIECE).enumerate() {
            ring.wait(context, at % PIECES)?;
            // SAFETY: the GPU is done with the piece, which holds the part.
            unsafe { spread(part.as_mut_ptr(), ring.pieces[at % PIECES], part.len()) };
            if let Some(&bytes) = sizes.get(at + PIECES) {
                ask(ring, stream, at + PIECES, bytes)?;
            }
        }
        Ok(())
    })
}

/// Copies at most a page.
///
/// # Safety
/// `from` has that many initialised bytes.
unsafe fn download_small(context: &Context, to: &mut [u8], from: u64) -> Result<()> {
    if to.is_empty() {
        return Ok(());
    }
    context.bind()?;
    let pages = &context.staging.pages;
    let free = lock(pages).pop();
    let page = match free.map_or_else(|| Page::new(context), Ok) {
        Ok(page) => page,
        // The system gives no more page-locked memory.
        // SAFETY: the caller's promise.
        Err(_) => return unsafe { context.download(to, from) },
    };
    let stream = context.stream();
    // SAFETY: the page is ours and has room; the source is the caller's promise.
    let code = unsafe { sys::cuMemcpyDtoHAsync_v2(page.0.cast(), from, to.len(), stream) };
    // On an error the page is left alone: the GPU may still write it.
    context.check("download", code)?;
    context.wait_for("download", stream)?;
    // SAFETY: the GPU is done with the page, and both sides have as many bytes.
    unsafe { std::ptr::copy_nonoverlapping(page.0, to.as_mut_ptr(), to.len()) };
    lock(pages).push(page);
    Ok(())
}

fn with_ring(context: &Context, work: impl FnOnce(&Ring, CUstream) -> Result<()>) -> Result<()> {
    context.bind()?;
    let mut place = context.staging.ring.take("copy", "the ring of pages")?;
    let ring = match place.take() {
        Some(ring) => ring,
        None => Ring::new(context)?,
    };
    work(place.insert(ring), context.stream())
}
