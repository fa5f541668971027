#![doc = include_str!("../README.md")]

use pyo3::prelude::*;

/// The native half of the package `syntonic`; the importable half is `python/syntonic`.
#[pymodule(gil_used = false)]
mod _core {
    use pyo3::prelude::*;

    /// Puts the version, which is that of the Cargo workspace, into the module.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
