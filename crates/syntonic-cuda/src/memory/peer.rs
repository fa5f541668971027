//! Copies from one GPU to another.

use crate::context::Context;
use crate::streams::order::Access;
use cudarc::driver::sys;
use syntonic_core::Result;
use syntonic_core::graph::check;

/// Copies bytes between GPUs, on this thread's stream of the target: after the earlier work of the source, and before later
/// work of either on the memory.
///
/// # Safety
/// `to` has room for `bytes` bytes on `target`, and `from` has as many initialised ones on `source`.
pub(crate) unsafe fn copy(
    target: &Context,
    to: u64,
    source: &Context,
    from: u64,
    bytes: usize,
) -> Result<()> {
    for context in [target, source] {
        check("copy between GPUs", context.device)?;
    }
    source.in_order(std::iter::once((from, Access::Read)), || {
        source.bind()?;
        let ready = source.order.point(source, source.stream())?;
        target.in_order(std::iter::once((to, Access::Write)), || {
            target.bind()?;
            let stream = target.stream();
            ready.hold(target, stream)?;
            // SAFETY: both contexts are alive, the stream is the target's; the memory is the caller's promise.
            let code = unsafe {
                sys::cuMemcpyPeerAsync(
                    to,
                    target.driver().cu_ctx(),
                    from,
                    source.driver().cu_ctx(),
                    bytes,
                    stream,
                )
            };
            target.check("copy between GPUs", code)?;
            // The source's memory must not be written before it is read.
            let read = target.order.point(target, stream)?;
            source.bind()?;
            read.hold(source, source.stream())
        })
    })
}
