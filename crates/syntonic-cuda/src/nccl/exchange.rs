//! One call of a communicator.

use super::communicator::{Check, Communicator, GRACE};
use super::library::{At, Comm};
use crate::memory::peer;
use crate::streams::order::Access;
use cudarc::driver::sys::{self, CUresult, CUstream};
use std::ffi::c_int;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
use syntonic_core::{Buffer, DType, Device, Error, Layout, Result, Tensor, describe};

/// One call: what it reads, and what it writes.
pub(super) struct Exchange<'a> {
    communicator: &'a Communicator,
    op: &'static str,
    from: Arc<Buffer>,
    at: At,
    bytes: usize,
    to: Arc<Buffer>,
    dtype: DType,
    layout: Layout,
    stream: CUstream,
}

impl<'a> Exchange<'a> {
    pub(super) fn new(
        communicator: &'a Communicator,
        op: &'static str,
        x: &Tensor,
        shape: &[usize],
    ) -> Result<Exchange<'a>> {
        let gpu = communicator.gpu();
        syntonic_core::graph::check(op, gpu.id())?;
        if x.device_id() != gpu.id() {
            return Err(Error::Device {
                op,
                operands: describe(&[x, &Tensor::zeros_on(&[0], x.dtype(), x.device())?]),
            });
        }
        let x = x.to_read()?.contiguous()?.eval()?;
        let (from, size) = (x.buffer()?, x.dtype().size());
        let layout = Layout::contiguous(op, shape)?;
        Ok(Exchange {
            communicator,
            op,
            at: from.address() as u64 + (x.layout().offset() * size) as u64,
            from,
            bytes: x.numel() * size,
            to: Arc::new(Buffer::allocate(x.device(), layout.numel() * size)?),
            dtype: x.dtype(),
            layout,
            stream: gpu.context().stream(),
        })
    }

    /// For a GPU that gives nothing: its memory for the result stands for what it would read.
    pub(super) fn receiving(
        communicator: &'a Communicator,
        op: &'static str,
        dtype: DType,
        shape: &[usize],
    ) -> Result<Exchange<'a>> {
        let gpu = communicator.gpu();
        let to = peer::empty(gpu, op, shape, dtype)?;
        let buffer = to.buffer()?;
        Ok(Exchange {
            communicator,
            op,
            at: buffer.address() as u64,
            from: buffer.clone(),
            bytes: to.numel() * dtype.size(),
            layout: to.layout().clone(),
            to: buffer,
            dtype,
            stream: gpu.context().stream(),
        })
    }

    /// Has the library begin in this thread's stream. `call` gets where it reads, where it writes, how many bytes there are to read, the
    /// communicator and the stream: memory that lives until [`Exchange::done`] is over, on a GPU whose context is current.
    pub(super) fn begin(
        &self,
        call: impl FnOnce(At, At, usize, Comm, CUstream) -> c_int,
    ) -> Result<()> {
        let one = self.communicator;
        let context = one.gpu().context();
        let used = [
            (self.at, Access::Read),
            (self.to.address() as u64, Access::Write),
        ];
        context.in_order(used.into_iter(), || {
            let held = one.held(self.op)?;
            context.bind()?;
            let code = call(
                self.at,
                self.to.address() as u64,
                self.bytes,
                held.comm(),
                self.stream,
            );
            one.checked(self.op, code)
        })
    }

    /// Whether the stream has come to its end, soon after an abort.
    fn is_idle(&self) -> bool {
        let began = Instant::now();
        loop {
            // SAFETY: the stream is one of the context's, which `begin` made current.
            let code = unsafe { sys::cuStreamQuery(self.stream) };
            if code != CUresult::CUDA_ERROR_NOT_READY || began.elapsed() > GRACE {
                return code == CUresult::CUDA_SUCCESS;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// The result, once it is there.
    pub(super) fn done(self, check: Check<'_>) -> Result<Tensor> {
        let settled = self.communicator.settle(self.op, Some(self.stream), check);
        if let Err(error) = settled {
            if !self.is_idle() {
                // A kernel that may still run must not find its memory in other hands.
                std::mem::forget((self.from, self.to));
            }
            return Err(error);
        }
        // SAFETY: fresh memory of this length, which the call has written to its end; its elements are copies, or sums, of elements.
        unsafe { Tensor::from_buffer(self.dtype, self.layout, self.to) }
    }
}
