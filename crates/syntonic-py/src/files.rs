//! Tensors in files: safetensors, npy, npz.

use crate::enter::enter;
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use std::path::PathBuf;
use syntonic_core::io::{self, Selection};
use syntonic_core::{Error, Tensor};

/// Reading and writing takes longer than any wait for the interpreter.
const LONG: usize = usize::MAX;

/// Named tensors of a dictionary, in its order.
fn named(tensors: &Bound<'_, PyDict>) -> PyResult<Vec<(String, Tensor)>> {
    tensors
        .iter()
        .map(|(name, value)| Ok((name.extract::<String>()?, operand::tensor(&value)?)))
        .collect()
}

fn states(tensors: BTreeMap<String, Tensor>) -> BTreeMap<String, State> {
    tensors
        .into_iter()
        .map(|(name, t)| (name, t.into()))
        .collect()
}

fn save<T: Send>(
    tensors: &Bound<'_, PyDict>,
    work: impl FnOnce(&[(&str, Tensor)]) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let all = named(tensors)?;
    enter(tensors.py(), LONG, || {
        let borrowed: Vec<(&str, Tensor)> = all
            .iter()
            .map(|(name, t)| (name.as_str(), t.clone()))
            .collect();
        work(&borrowed)
    })
}

/// `save_safetensors(path, tensors, metadata)`.
#[pyfunction]
pub(crate) fn save_safetensors(
    path: PathBuf,
    tensors: &Bound<'_, PyDict>,
    metadata: BTreeMap<String, String>,
) -> PyResult<()> {
    save(tensors, |all| io::save_safetensors(&path, all, &metadata))
}

/// Runs `load` with what is wanted of a file.
fn select<T: Send>(
    py: Python<'_>,
    names: Option<Vec<String>>,
    most_bytes: Option<u64>,
    load: impl FnOnce(&Selection<'_>) -> Result<T, Error> + Send,
) -> PyResult<T> {
    enter(py, LONG, || {
        let names: Option<Vec<&str>> = names
            .as_ref()
            .map(|names| names.iter().map(String::as_str).collect());
        load(&Selection {
            names: names.as_deref(),
            most_bytes,
        })
    })
}

/// `load_safetensors(path, names)`: tensors and metadata.
#[pyfunction]
#[pyo3(signature = (path, names=None))]
pub(crate) fn load_safetensors(
    py: Python<'_>,
    path: PathBuf,
    names: Option<Vec<String>>,
) -> PyResult<(BTreeMap<String, State>, BTreeMap<String, String>)> {
    let load = |wanted: &Selection<'_>| io::load_safetensors_with(&path, wanted);
    let (tensors, metadata) = select(py, names, None, load)?;
    Ok((states(tensors), metadata))
}

/// `save_npz(path, tensors)`.
#[pyfunction]
pub(crate) fn save_npz(path: PathBuf, tensors: &Bound<'_, PyDict>) -> PyResult<()> {
    save(tensors, |all| io::save_npz(&path, all))
}

/// `load_npz(path, names, most_bytes)`.
#[pyfunction]
#[pyo3(signature = (path, names=None, most_bytes=None))]
pub(crate) fn load_npz(
    py: Python<'_>,
    path: PathBuf,
    names: Option<Vec<String>>,
    most_bytes: Option<u64>,
) -> PyResult<BTreeMap<String, State>> {
    let load = |wanted: &Selection<'_>| io::load_npz_with(&path, wanted);
    Ok(states(select(py, names, most_bytes, load)?))
}

/// `save_npy(path, x)`.
#[pyfunction]
pub(crate) fn save_npy(path: PathBuf, x: &Bound<'_, PyAny>) -> PyResult<()> {
    let t = operand::tensor(x)?;
    enter(x.py(), LONG, || io::save_npy(&path, &t))
}

/// `load_npy(path)`.
#[pyfunction]
pub(crate) fn load_npy(py: Python<'_>, path: PathBuf) -> PyResult<State> {
    Ok(enter(py, LONG, || io::load_npy(&path))?.into())
}
