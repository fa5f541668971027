//! Streams and events of a GPU.

use crate::arguments::parameter;
use crate::cuda::gpu;
use crate::device::PyDevice;
use crate::enter::enter;
use crate::errors::{Class, error, raise};
use crate::memory::streams::adopt;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::cell::RefCell;
use std::sync::{Arc, Mutex};
use syntonic_core::Device;
use syntonic_core::fork::lock;
use syntonic_cuda::{Event, Priority, Stream};

/// A wait may take long.
const LONG: usize = usize::MAX;

/// By the names that users call them by.
const PRIORITIES: [(&str, Priority); 3] = [
    ("high", Priority::High),
    ("normal", Priority::Normal),
    ("low", Priority::Low),
];

/// An order of work on a GPU: what one stream is asked follows in order, what several are asked may run side by side.
#[pyclass(frozen, name = "Stream", module = "syntonic.cuda")]
pub(crate) struct PyStream {
    stream: Stream,
    /// The object that owns the stream of another library.
    _owner: Option<Py<PyAny>>,
}

thread_local! {
    /// The streams that were current before those that this thread has entered and not left.
    static BEFORE: RefCell<Vec<Stream>> = const { RefCell::new(Vec::new()) };
}

impl From<Stream> for PyStream {
    fn from(stream: Stream) -> PyStream {
        PyStream {
            stream,
            _owner: None,
        }
    }
}

/// The driver's number for a stream: the number itself, or what the stream's library calls it.
fn handle_of(stream: &Bound<'_, PyAny>) -> PyResult<usize> {
    if let Ok(number) = stream.extract::<usize>() {
        return Ok(number);
    }
    if stream.hasattr("__cuda_stream__")? {
        let (_, number): (i64, usize) = stream.call_method0("__cuda_stream__")?.extract()?;
        return Ok(number);
    }
    for name in ["cuda_stream", "ptr"] {
        if let Ok(number) = stream.getattr(name) {
            return number.extract();
        }
    }
    Err(error(
        Class::Argument,
        "Stream: give the driver's number of a stream, or a stream of another library",
    ))
}

#[pymethods]
impl PyStream {
    #[new]
    #[pyo3(signature = (device=None, priority=None), text_signature = "(device=None, priority='normal')")]
    fn new(
        py: Python<'_>,
        device: Option<&Bound<'_, PyAny>>,
        priority: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyStream> {
        let read = |p| parameter("Stream", "priority").word(p, &PRIORITIES);
        let priority = priority.map_or(Ok(Priority::Normal), read)?;
        let gpu = gpu(py, device)?;
        Ok(enter(py, LONG, || Stream::with_priority(&gpu, priority))?.into())
    }

    /// A stream of another library, by the driver's number or as that library's object, which is kept alive.
    /// Whoever gives a bare number keeps that stream alive: the driver looks into one that is gone, and ends the process.
    #[staticmethod]
    #[pyo3(signature = (stream, device=None))]
    fn adopt(
        py: Python<'_>,
        stream: &Bound<'_, PyAny>,
        device: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyStream> {
        let (gpu, handle) = (gpu(py, device)?, handle_of(stream)?);
        Ok(PyStream {
            stream: enter(py, LONG, || adopt(&gpu, handle))?,
            _owner: Some(stream.clone().unbind()),
        })
    }

    /// The driver's number for it.
    #[getter]
    fn handle(&self) -> usize {
        self.stream.handle()
    }

    /// How libraries tell each other their streams: a version and the driver's number.
    fn __cuda_stream__(&self) -> (u32, usize) {
        (0, self.stream.handle())
    }

    /// The GPU it belongs to.
    #[getter]
    fn device(&self) -> PyDevice {
        PyDevice(self.stream.gpu().id())
    }

    /// This thread's work on the GPU goes to the stream until the block ends.
    fn __enter__(slf: Py<Self>) -> Py<Self> {
        let before = slf.get().stream.make_current();
        BEFORE.with_borrow_mut(|all| all.push(before));
        slf
    }

    #[pyo3(signature = (kind, error, trace, /))]
    fn __exit__(
        &self,
        kind: &Bound<'_, PyAny>,
        error: &Bound<'_, PyAny>,
        trace: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let _ = (kind, error, trace);
        match BEFORE.with_borrow_mut(Vec::pop) {
            Some(before) => {
                before.make_current();
                Ok(())
            }
            None => Err(PyRuntimeError::new_err(
                "Stream: left a block that was not entered",
            )),
        }
    }

    /// Waits until everything asked of the stream is done.
    fn synchronize(&self, py: Python<'_>) -> PyResult<()> {
        enter(py, LONG, || self.stream.synchronize())
    }

    /// What is asked of the stream from now on waits for the event.
    fn wait(&self, event: &PyEvent) -> PyResult<()> {
        self.stream.wait(&*event.recorded()?).map_err(raise)
    }

    /// The end of what the stream was asked so far.
    fn record(&self) -> PyResult<PyEvent> {
        let event = self.stream.record().map_err(raise)?;
        Ok(PyEvent(Mutex::new(Some(Arc::new(event)))))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<PyStream>();
        other.is_ok_and(|o| o.get().stream.handle() == self.stream.handle())
    }

    fn __hash__(&self) -> usize {
        self.stream.handle()
    }

    fn __repr__(&self) -> String {
        let (handle, device) = (self.stream.handle(), self.stream.gpu().id());
        format!("Stream({handle:#x} on {device})")
    }
}

/// This thread's stream of a GPU.
#[pyfunction]
#[pyo3(signature = (device=None))]
pub(crate) fn cuda_current_stream(
    py: Python<'_>,
    device: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyStream> {
    Ok(gpu(py, device)?.current_stream().into())
}

/// A point in the work of a stream, to wait for and to measure time between.
#[pyclass(frozen, name = "Event", module = "syntonic.cuda")]
pub(crate) struct PyEvent(Mutex<Option<Arc<Event>>>);

impl PyEvent {
    fn recorded(&self) -> PyResult<Arc<Event>> {
        let event = lock(&self.0);
        event.clone().ok_or_else(|| {
            error(
                Class::Argument,
                "Event: nothing was recorded; hint: .record(stream) first",
            )
        })
    }
}

#[pymethods]
impl PyEvent {
    #[new]
    fn new() -> PyEvent {
        PyEvent(Mutex::default())
    }

    /// Marks the end of what a stream was asked so far; without one, this thread's current stream.
    #[pyo3(signature = (stream=None))]
    fn record(&self, py: Python<'_>, stream: Option<&PyStream>) -> PyResult<()> {
        let stream = match stream {
            Some(given) => given.stream.clone(),
            None => gpu(py, None)?.current_stream(),
        };
        let event = Arc::new(stream.record().map_err(raise)?);
        *lock(&self.0) = Some(event);
        Ok(())
    }

    /// Waits until the work before this point is done.
    fn synchronize(&self, py: Python<'_>) -> PyResult<()> {
        let event = self.recorded()?;
        enter(py, LONG, || event.synchronize())
    }

    /// Whether the work before this point is done.
    fn query(&self) -> PyResult<bool> {
        self.recorded()?.is_done().map_err(raise)
    }

    /// Milliseconds from this point to `end`; waits for both.
    fn elapsed_time(&self, py: Python<'_>, end: &PyEvent) -> PyResult<f32> {
        let (start, end) = (self.recorded()?, end.recorded()?);
        enter(py, LONG, || end.elapsed_ms(&start))
    }
}
