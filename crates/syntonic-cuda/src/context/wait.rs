//! Waiting on the host for the GPU: by the driver, or by asking it and the caller in turn, so that Ctrl-C ends a wait. What
//! the GPU was asked for goes on.

use super::Context;
use cudarc::driver::sys::{self, CUresult};
use std::time::{Duration, Instant};
use syntonic_core::graph::check;
use syntonic_core::{Error, Result, interrupt};

impl Context {
    /// Waits for this thread's stream; a fault of earlier work appears here.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// if syntonic_cuda::device_count() > 0 {
    ///     let gpu = syntonic_cuda::open(0)?;
    ///     let x = Tensor::ones_on(&[1000], DType::F32, &syntonic_cuda::device(0)?)?.exp()?.eval()?;
    ///     // The work is done, and has met no fault.
    ///     assert!(gpu.context().synchronize("exp").is_ok() && x.numel() == 1000);
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn synchronize(&self, op: &str) -> Result<()> {
        self.wait_for(op, self.stream())
    }

    /// Waits for a stream; a fault of earlier work appears here.
    pub(crate) fn wait_for(&self, op: &str, stream: sys::CUstream) -> Result<()> {
        check(op, self.device)?;
        self.bind()?;
        // SAFETY: the context is current and the stream is one of its own, or one its owner keeps alive.
        let query = || unsafe { sys::cuStreamQuery(stream) };
        // SAFETY: as above.
        let wait = || unsafe { sys::cuStreamSynchronize(stream) };
        self.until(op, query, wait)
    }

    /// Where a copy may follow that nobody can leave, since it reads or writes memory of the caller's: waits for what comes
    /// before it, if that may be told to stop.
    pub(super) fn reach(&self, op: &str) -> Result<()> {
        match interrupt::is_asked() && self.taking().is_none() {
            true => self.wait_for(op, self.stream()),
            false => self.bind(),
        }
    }

    /// Waits for this thread's stream, whoever wants to stop.
    pub(super) fn settle(&self, op: &str) -> Result<()> {
        check(op, self.device)?;
        self.bind()?;
        // SAFETY: the context is current and the stream is one of its own, or one its owner keeps alive.
        let code = unsafe { sys::cuStreamSynchronize(self.stream()) };
        self.check(op, code)
    }

    /// Waits on the host until `query` says that the GPU is done: by the driver's own `wait`, or by asking the driver and the caller in
    /// turn where the caller may want to stop.
    pub(crate) fn until(
        &self,
        op: &str,
        query: impl Fn() -> CUresult,
        wait: impl FnOnce() -> CUresult,
    ) -> Result<()> {
        /// How long asking goes on without a pause, and then how long others may run in between.
        const AWAKE: Duration = Duration::from_millis(20);
        const ASLEEP: Duration = Duration::from_micros(100);
        if !interrupt::is_asked() {
            return self.check(op, wait());
        }
        let begun = Instant::now();
        loop {
            match query() {
                CUresult::CUDA_ERROR_NOT_READY => {}
                code => return self.check(op, code),
            }
            interrupt::poll().map_err(|stopped| Error::from(stopped).named(op))?;
            match begun.elapsed() < AWAKE {
                true => std::hint::spin_loop(),
                false => std::thread::sleep(ASLEEP),
            }
        }
    }
}
