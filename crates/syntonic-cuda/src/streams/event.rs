//! Events: points in the work of a stream, to wait for and to measure time between.

use crate::context::Context;
use crate::context::gpu::Cuda;
use crate::driver::fault::{Checked, fault};
use crate::driver::library;
use cudarc::driver::sys::{self, CUevent, CUresult, CUstream};
use std::sync::{Arc, Mutex};
use syntonic_core::Result;
use syntonic_core::fork::lock;
use syntonic_core::profile::Stopwatch;

/// An event of the driver.
#[derive(Debug)]
pub(crate) struct Raw(CUevent);

// SAFETY: an event handle is an opaque number, and the driver accepts it from any thread.
unsafe impl Send for Raw {}
// SAFETY: as above.
unsafe impl Sync for Raw {}

impl Raw {
    /// A new event, which measures time only if `flags` says so. The context must be current.
    fn new(context: &Context, flags: sys::CUevent_flags) -> Result<Raw> {
        let mut event = std::ptr::null_mut();
        // SAFETY: the context is current, and the driver writes one handle.
        unsafe { sys::cuEventCreate(&mut event, flags as u32) }.during("event", context.device)?;
        Ok(Raw(event))
    }

    /// Records the event at the end of `stream`'s work so far.
    fn record(&self, context: &Context, stream: CUstream) -> Result<()> {
        // SAFETY: both handles are alive.
        unsafe { sys::cuEventRecord(self.0, stream) }.during("event", context.device)
    }

    /// Waits for it on the host.
    fn wait(&self, context: &Context) -> Result<()> {
        // SAFETY: the handle is alive.
        unsafe { sys::cuEventSynchronize(self.0) }.during("wait", context.device)
    }

    /// As [`Raw::wait`], for a caller that may want to stop.
    fn settle(&self, op: &str, context: &Context) -> Result<()> {
        // SAFETY: the handle is alive.
        let query = || unsafe { sys::cuEventQuery(self.0) };
        // SAFETY: as above.
        let wait = || unsafe { sys::cuEventSynchronize(self.0) };
        context.until(op, query, wait)
    }

    /// Makes later work of `stream` wait for this event.
    pub(crate) fn hold(&self, context: &Context, stream: CUstream) -> Result<()> {
        // SAFETY: both handles are alive.
        unsafe { sys::cuStreamWaitEvent(stream, self.0, 0) }.during("wait", context.device)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        // SAFETY: the handle has no other user; the driver keeps pending waits alive. At process exit the driver may be gone
        // already, which is no error of ours.
        let _ = unsafe { sys::cuEventDestroy_v2(self.0) };
    }
}

/// Free list of events: creating one costs more than recording it.
#[derive(Debug, Default)]
pub(crate) struct Spares(Arc<Mutex<Vec<Raw>>>);

/// An event that work of other streams may have to wait for.
#[derive(Debug)]
pub(crate) struct Point {
    raw: Option<Raw>,
    home: Arc<Mutex<Vec<Raw>>>,
}

impl Spares {
    /// An event at the end of `stream`'s work so far. The context must be current.
    pub(crate) fn point(&self, context: &Context, stream: CUstream) -> Result<Point> {
        let spare = lock(&self.0).pop();
        let raw = match spare {
            Some(raw) => raw,
            None => Raw::new(context, sys::CUevent_flags::CU_EVENT_DISABLE_TIMING)?,
        };
        raw.record(context, stream)?;
        Ok(Point {
            raw: Some(raw),
            home: self.0.clone(),
        })
    }
}

impl Point {
    /// Whether the work before this point is done. The context must be current.
    pub(crate) fn is_done(&self) -> bool {
        // SAFETY: the handle is alive.
        let done = |raw: &Raw| unsafe { sys::cuEventQuery(raw.0) } == CUresult::CUDA_SUCCESS;
        self.raw.as_ref().is_none_or(done)
    }

    /// Waits for this point on the host.
    pub(crate) fn wait(&self, context: &Context) -> Result<()> {
        self.raw.as_ref().map_or(Ok(()), |raw| raw.wait(context))
    }

    /// Makes `stream` wait for this point.
    pub(crate) fn hold(&self, context: &Context, stream: CUstream) -> Result<()> {
        self.raw
            .as_ref()
            .map_or(Ok(()), |raw| raw.hold(context, stream))
    }
}

impl Drop for Point {
    fn drop(&mut self) {
        let mut home = lock(&self.home);
        home.extend(self.raw.take());
    }
}

/// A point in the work of a stream, for programs: [`crate::Stream::record`] makes one.
#[derive(Debug)]
pub struct Event {
    raw: Raw,
    gpu: Arc<Cuda>,
}

impl Event {
    /// An event at the end of `stream`'s work so far; measures time.
    pub(crate) fn record(gpu: &Arc<Cuda>, stream: CUstream) -> Result<Event> {
        gpu.context().bind()?;
        let raw = Raw::new(gpu.context(), sys::CUevent_flags::CU_EVENT_DEFAULT)?;
        raw.record(gpu.context(), stream)?;
        Ok(Event {
            raw,
            gpu: gpu.clone(),
        })
    }

    pub(crate) fn raw(&self) -> &Raw {
        &self.raw
    }

    /// Waits until the work before this point is done.
    ///
    /// ```
    /// if syntonic_cuda::device_count() > 0 {
    ///     let event = syntonic_cuda::open(0)?.current_stream().record()?;
    ///     event.synchronize()?;
    ///     assert!(event.is_done()?);
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn synchronize(&self) -> Result<()> {
        let context = self.gpu.context();
        context.bind()?;
        self.raw.settle("synchronize", context)
    }

    /// Whether the work before this point is done.
    ///
    /// ```
    /// if syntonic_cuda::device_count() > 0 {
    ///     let stream = syntonic_cuda::open(0)?.current_stream();
    ///     let event = stream.record()?;
    ///     stream.synchronize()?;
    ///     assert!(event.is_done()?);
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn is_done(&self) -> Result<bool> {
        let context = self.gpu.context();
        context.bind()?;
        // SAFETY: the handle is alive.
        match unsafe { sys::cuEventQuery(self.raw.0) } {
            CUresult::CUDA_SUCCESS => Ok(true),
            CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            code => Err(fault("event", context.device, code)),
        }
    }

    /// Milliseconds from `earlier` to this point; waits for both.
    ///
    /// ```
    /// if syntonic_cuda::device_count() > 0 {
    ///     let stream = syntonic_cuda::open(0)?.current_stream();
    ///     let (begun, ended) = (stream.record()?, stream.record()?);
    ///     assert!(ended.elapsed_ms(&begun)? >= 0.0);
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn elapsed_ms(&self, earlier: &Event) -> Result<f32> {
        earlier.synchronize()?;
        self.synchronize()?;
        let mut milliseconds = 0.0;
        // SAFETY: both handles are alive and both points are reached.
        let code = unsafe { library::elapsed_time(&mut milliseconds, earlier.raw.0, self.raw.0) };
        code.during("elapsed time", self.gpu.context().device)?;
        Ok(milliseconds)
    }
}

/// The time that a stream takes for its work between two events.
#[derive(Debug)]
pub(crate) struct Interval {
    gpu: Arc<Cuda>,
    stream: CUstream,
    begun: Event,
    ended: Option<Event>,
}

// SAFETY: a stream handle is an opaque number, and the driver accepts it from any thread.
unsafe impl Send for Interval {}

impl Interval {
    /// Starts with the later work of the current stream.
    pub(crate) fn start(gpu: &Arc<Cuda>) -> Result<Interval> {
        let stream = gpu.context().stream();
        Ok(Interval {
            begun: Event::record(gpu, stream)?,
            gpu: gpu.clone(),
            stream,
            ended: None,
        })
    }
}

impl Stopwatch for Interval {
    fn stop(&mut self) -> Result<()> {
        self.ended = Some(Event::record(&self.gpu, self.stream)?);
        Ok(())
    }

    fn microseconds(&self) -> Result<f64> {
        match &self.ended {
            Some(ended) => Ok(f64::from(ended.elapsed_ms(&self.begun)?) * 1e3),
            None => Ok(0.0),
        }
    }
}
