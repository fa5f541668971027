//! The order of work between our streams and those of other libraries that share a GPU's memory.
//!
//! Nothing here waits on the host: one stream is made to wait for another.

use std::sync::Arc;
use syntonic_core::{Buffer, DeviceId, Error};
use syntonic_cuda::guest::{Host, Visit};
use syntonic_cuda::{Cuda, Stream};

/// A stream by the driver's number for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handle(usize);

impl Handle {
    /// The legacy default stream, which most libraries work on unless they are told otherwise.
    pub(crate) const LEGACY: Handle = Handle(1);

    /// What a consumer or a producer says its stream is. The protocols make it promise that the stream
    /// belongs to the GPU's primary context and is alive.
    pub(crate) fn of_consumer(number: usize) -> Handle {
        Handle(number)
    }

    pub(crate) fn number(self) -> usize {
        self.0
    }
}

/// The GPU that holds a buffer; `None` for the host.
fn gpu(device: DeviceId) -> Result<Option<Arc<Cuda>>, Error> {
    match device {
        DeviceId::Cuda(ordinal) => syntonic_cuda::open(ordinal).map(Some),
        _ => Ok(None),
    }
}

/// This thread's stream on a device; `None` for the host, which has none.
pub(crate) fn ours(device: DeviceId) -> Result<Option<Handle>, Error> {
    // The protocols number the legacy default stream 1, not 0.
    Ok(gpu(device)?.map(|gpu| Handle(gpu.current_stream().handle().max(1))))
}

/// Makes a consumer's stream wait for everything that ours were asked to do with the buffer.
pub(crate) fn hand_over(buffer: &Buffer, consumer: Handle) -> Result<(), Error> {
    let Some(gpu) = gpu(buffer.device().id())? else {
        return Ok(());
    };
    // SAFETY: the consumer promises that the stream is one of this GPU.
    unsafe { gpu.lend(buffer.address() as u64, consumer.0) }
}

/// Makes our streams wait for what a producer's stream was asked so far, before they use the buffer. Without
/// a stream the producer has seen to it that this thread's stream waits.
pub(crate) fn accept(buffer: &Buffer, producer: Option<Handle>) -> Result<(), Error> {
    let Some(gpu) = gpu(buffer.device().id())? else {
        return Ok(());
    };
    // SAFETY: the producer promises that the stream is one of this GPU.
    unsafe { gpu.reclaim(buffer.address() as u64, producer.map(|p| p.0)) }
}

/// A consumer has let go of memory that goes back to our pool: whoever gets it next waits for the legacy
/// default stream. A consumer that worked on another stream of its own has to make that one wait, since
/// the stream it named may be gone by now.
pub(crate) fn take_back(buffer: &Buffer) {
    // At the end of the process, or in a forked child, there is nobody left to order.
    let _ = accept(buffer, Some(Handle::LEGACY));
}

/// The memory goes back to its producer, whose pool hands it out in the order of the legacy default stream.
pub(crate) fn give_back(device: DeviceId) {
    if let Ok(Some(gpu)) = gpu(device) {
        // No address of ours: all memory of others is one to the order of streams.
        // SAFETY: the handle is the driver's own. An error means that the context is gone, and the work with it.
        let _ = unsafe { gpu.lend(0, Handle::LEGACY.0) };
    }
}

/// A stream of another library as one of ours. Whoever gives the number keeps the stream alive.
pub(crate) fn adopt(gpu: &Arc<Cuda>, handle: usize) -> Result<Stream, Error> {
    // SAFETY: the caller of the Python function names a stream of this GPU, whose object the new one keeps.
    unsafe { Stream::adopt(gpu, handle) }
}

/// Begins a visit to another library, whose stream `handle` is current now.
pub(crate) fn visit(ordinal: u32, handle: usize, host: Arc<dyn Host>) -> Result<Visit, Error> {
    let gpu = syntonic_cuda::open(ordinal)?;
    // SAFETY: the library says that the stream is its own for this GPU, and keeps it; its allocator gives memory of this GPU.
    unsafe { gpu.visit(handle, host) }
}
