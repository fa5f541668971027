//! What becomes of a panic, which is a fault of this package: an `InternalError` in words of ours, whichever door it came to.
//!
//! `enter` catches what panics in the engine. What panics elsewhere is caught by PyO3, which raises a class of its own with
//! the text of the panic; making an object of that class gives ours instead. Rust's report on stderr is left out, as the
//! exception is the report, unless `RUST_BACKTRACE` asks for it. All of this is this library's alone: others that are written
//! in Rust have their own runtime and their own class.

use crate::errors::{Class, error};
use pyo3::panic::PanicException;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::panic::{self, PanicHookInfo};
use std::sync::Mutex;
use syntonic_core::fork::lock;

/// Where in the source a panic began: the beginning of the file's name, and the line. Nothing is allocated for it, since
/// there may be no memory left.
#[derive(Clone, Copy)]
struct Place {
    name: [u8; 48],
    length: usize,
    line: u32,
}

/// That of the latest panic. It stays: the interpreter makes an exception more than once.
static LATEST: Mutex<Option<Place>> = Mutex::new(None);

/// What PyO3 says where the interpreter gave it no object.
const NO_OBJECT: &str = "PyObject pointer is null";

/// The exception for a panic.
#[cold]
pub(crate) fn fault() -> PyErr {
    let latest = *lock(&LATEST);
    let place = latest.map_or_else(String::new, |place| {
        let name = String::from_utf8_lossy(&place.name[..place.length]);
        format!(" ({name}, line {})", place.line)
    });
    error(
        Class::Internal,
        format!(
            "syntonic failed in a way it should not{place}; hint: please report this, with the call that it came from"
        ),
    )
}

fn note(about: &PanicHookInfo<'_>) {
    let Some(at) = about.location() else { return };
    let name = at.file().rsplit(['/', '\\']).next().unwrap_or_default();
    let mut place = Place {
        name: [0; 48],
        length: name.len().min(48),
        line: at.line(),
    };
    place.name[..place.length].copy_from_slice(&name.as_bytes()[..place.length]);
    if let Ok(mut latest) = LATEST.try_lock() {
        *latest = Some(place);
    }
}

/// In place of `PanicException.__new__`: an exception of ours.
#[pyfunction]
#[pyo3(signature = (class, *about))]
fn exception<'py>(
    class: &Bound<'py, PyAny>,
    about: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    let said = about.get_item(0).and_then(|text| text.extract::<String>());
    let ours = if said.is_ok_and(|text| text == NO_OBJECT) {
        error(
            Class::OutOfMemory,
            "syntonic: Python has no memory left for an object",
        )
    } else {
        fault()
    };
    Ok(ours
        .into_value(class.py())
        .into_bound(class.py())
        .into_any())
}

/// Fails as a fault of ours would, in the engine or before it: so that what becomes of it can be seen.
#[pyfunction]
#[pyo3(signature = (door=true))]
pub(crate) fn _fault(py: Python<'_>, door: bool) -> PyResult<()> {
    if door {
        return crate::enter::enter(py, usize::MAX, || panic!("a text of Rust's"));
    }
    panic!("a text of Rust's")
}

/// Makes the two changes, when the module is made.
pub(crate) fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let ours = wrap_pyfunction!(exception, module)?;
    let theirs = module.py().get_type::<PanicException>();
    theirs.setattr("__new__", ours)?;
    let loud = std::env::var_os("RUST_BACKTRACE").is_some_and(|wish| wish != "0");
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |about| {
        note(about);
        if loud {
            before(about);
        }
    }));
    Ok(())
}
