//! Recordings of launches, and the lines of the user's program that they come from.

use crate::enter::enter;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::Mutex;
use syntonic_core::fork::lock;
use syntonic_core::profile::{self, Profile};

/// A recording that goes on until it is finished.
#[pyclass(frozen, name = "Recording", module = "syntonic._core")]
pub(crate) struct PyRecording(Mutex<Option<profile::Recording>>);

/// Name, dtype, shape, device, place, calls, microseconds of all calls, bytes of a call, fraction of a copy.
type Row = (
    String,
    &'static str,
    String,
    String,
    Option<String>,
    usize,
    f64,
    usize,
    Option<f64>,
);
/// Device, bytes at most, the line that reached it, bytes of each line then, and bytes from before.
type Peak = (String, usize, Option<String>, Vec<(String, usize)>, usize);
/// Lines, seconds, peaks, allocations by place, and the table.
type Report = (
    Vec<Row>,
    f64,
    Vec<Peak>,
    Vec<(String, usize, usize)>,
    String,
);

#[pymethods]
impl PyRecording {
    #[new]
    fn start() -> PyRecording {
        PyRecording(Mutex::new(Some(profile::start())))
    }

    /// Ends the recording.
    fn finish(&self, py: Python<'_>) -> PyResult<Report> {
        let recording = lock(&self.0).take();
        let Some(recording) = recording else {
            return Err(PyRuntimeError::new_err(
                "profile: this recording has ended; begin another with `syntonic.profile()`",
            ));
        };
        enter(py, usize::MAX, || recording.finish()).map(report)
    }
}

fn report(profile: Profile) -> Report {
    let table = profile.to_string();
    let rows = profile.lines.into_iter().map(|line| {
        (
            line.name,
            line.dtype.name(),
            line.shape,
            line.device.to_string(),
            line.site,
            line.calls,
            line.total_us,
            line.bytes,
            line.copy_fraction,
        )
    });
    let peaks = profile.peaks.into_iter().map(|peak| {
        let before = peak.before();
        let held = peak.held.into_iter().map(|held| (held.site, held.bytes));
        let device = peak.device.to_string();
        (device, peak.bytes, peak.site, held.collect(), before)
    });
    (
        rows.collect(),
        profile.wall.as_secs_f64(),
        peaks.collect(),
        profile.allocations,
        table,
    )
}

/// The innermost line of Python outside of the package, such as `train.py:12`.
pub(crate) fn site(py: Python<'_>) -> Option<String> {
    let mut frame = py.import("sys").ok()?.call_method0("_getframe").ok()?;
    while !frame.is_none() {
        let code = frame.getattr("f_code").ok()?;
        let file: String = code.getattr("co_filename").ok()?.extract().ok()?;
        let module = frame.getattr("f_globals").ok()?.get_item("__name__");
        let module: String = module.and_then(|name| name.extract()).unwrap_or_default();
        if module != "syntonic" && !module.starts_with("syntonic.") {
            let line: usize = frame.getattr("f_lineno").ok()?.extract().ok()?;
            let name = file.rsplit(['/', '\\']).next().unwrap_or(&file);
            return Some(format!("{name}:{line}"));
        }
        frame = frame.getattr("f_back").ok()?;
    }
    None
}
