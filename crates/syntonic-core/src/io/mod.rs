//! Tensors in files: safetensors, NumPy's `.npy` and `.npz`, and serde.
//!
//! A file is believed in nothing. Sizes are checked against its length before memory is asked for, and
//! a file that lies, is cut short or holds what we cannot represent is an [`Error::File`](crate::Error)
//! that says what is wrong; so is a pipe, a socket or a device, which is never waited for. What a compressed
//! archive claims to hold is unpacked once for nothing before memory is taken for more than twice its bytes.
//!
//! There is one way to write a file, [`write_file`]: beside its place, and moved there when it is complete, so
//! readers see the old one or the new one, never half of either. [`check_writable`] asks beforehand whether that
//! can succeed, and [`open_file`] is how every file is opened.

mod archive;
mod draft;
pub(crate) mod elements;
mod gathered;
mod memory;
mod npy;
mod npz;
mod safetensors;
mod selection;
mod serial;
mod slot;
mod stream;
mod target;

pub use draft::{check_writable, write_file};
pub use npy::{load_npy, npy_from_bytes, npy_to_bytes, save_npy};
pub use npz::{load_npz, load_npz_with, npz_from_bytes, npz_to_bytes, save_npz};
pub use safetensors::{
    Loaded, load_safetensors, load_safetensors_with, map_safetensors, safetensors_from_bytes,
    safetensors_to_bytes, save_safetensors,
};
pub use selection::Selection;
pub use stream::open_file;

use crate::error::{Error, Result};

/// Names of tensors to be written: each once.
fn check_names<'a>(op: &'static str, names: impl Iterator<Item = &'a str>) -> Result<()> {
    let mut seen = std::collections::BTreeSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(Error::value(
                op,
                format!("two tensors are called {name:?}; hint: give each its own name"),
            ));
        }
    }
    Ok(())
}
