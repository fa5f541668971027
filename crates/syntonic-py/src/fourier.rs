//! Fourier transforms.

use crate::arguments::{Parameter, parameter};
use crate::device;
use crate::dtype;
use crate::enter::enter;
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use std::sync::Arc;
use syntonic_core::device::Device;
use syntonic_core::ops::fft::{self as transforms, Extent, Norm};
use syntonic_core::{DType, Error, Tensor};

type Object<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// Where the factor goes, by name.
const NORMS: [(&str, Norm); 3] = [
    ("backward", Norm::Backward),
    ("ortho", Norm::Ortho),
    ("forward", Norm::Forward),
];

/// The work of a transform in elements, roughly: enough to decide whether the interpreter waits.
fn work(x: &Tensor) -> usize {
    x.numel().saturating_mul(8)
}

/// Lengths of a transform, of which -1 keeps the operand's own.
fn lengths(named: Parameter, given: &Bound<'_, PyAny>) -> PyResult<Vec<Option<usize>>> {
    let own = |n: isize| match n {
        -1 => Ok(None),
        n => named.size(n.into_pyobject(given.py())?.as_any()).map(Some),
    };
    named.integers(given)?.into_iter().map(own).collect()
}

/// Transforms along one axis.
macro_rules! along_one_axis {
    ($($name:ident)*) => {$(
        #[doc = concat!("`", stringify!($name), "(x, n, axis, norm)`.")]
        #[pyfunction]
        #[pyo3(signature = (x, n, axis, norm))]
        pub(crate) fn $name(
            x: &Bound<'_, PyAny>,
            n: Object<'_, '_>,
            axis: &Bound<'_, PyAny>,
            norm: &Bound<'_, PyAny>,
        ) -> PyResult<State> {
            let op = stringify!($name);
            let n = n.map(|n| parameter(op, "n").size(n)).transpose()?;
            let axis = parameter(op, "axis").integer(axis)?;
            let norm = parameter(op, "norm").word(norm, &NORMS)?;
            let t = operand::tensor(x)?;
            Ok(enter(x.py(), work(&t).max(n.unwrap_or(0)), || transforms::$name(&t, n, axis, norm))?.into())
        }
    )*};
}
along_one_axis!(fft ifft rfft irfft hfft ihfft);

/// Transforms along several axes.
macro_rules! along_several_axes {
    ($($name:ident)*) => {$(
        #[doc = concat!("`", stringify!($name), "(x, s, axes, norm)`.")]
        #[pyfunction]
        #[pyo3(signature = (x, s, axes, norm))]
        pub(crate) fn $name(
            x: &Bound<'_, PyAny>,
            s: Object<'_, '_>,
            axes: Object<'_, '_>,
            norm: &Bound<'_, PyAny>,
        ) -> PyResult<State> {
            let op = stringify!($name);
            let lengths = s.map(|s| lengths(parameter(op, "s"), s)).transpose()?;
            let axes = axes.map(|axes| parameter(op, "axes").integers(axes)).transpose()?;
            let norm = parameter(op, "norm").word(norm, &NORMS)?;
            let t = operand::tensor(x)?;
            let all = lengths.iter().flatten().flatten().fold(1usize, |all, &n| all.saturating_mul(n));
            let out = enter(x.py(), work(&t).max(all), || {
                transforms::$name(&t, Extent { axes: axes.as_deref(), lengths: lengths.as_deref() }, norm)
            })?;
            Ok(out.into())
        }
    )*};
}
along_several_axes!(fftn ifftn rfftn irfftn);

/// Frequencies of `n` numbers.
fn frequencies(
    op: &'static str,
    n: &Bound<'_, PyAny>,
    d: &Bound<'_, PyAny>,
    dtype: Object<'_, '_>,
    device: Object<'_, '_>,
    run: impl FnOnce(usize, f64, Option<DType>, &Arc<dyn Device>) -> Result<Tensor, Error> + Send,
) -> PyResult<State> {
    let n = parameter(op, "n").size(n)?;
    let distance = parameter(op, "d").real(d)?;
    let dtype = dtype::parse_optional(dtype)?;
    let device = device::parse(d.py(), device)?;
    Ok(enter(d.py(), n, || run(n, distance, dtype, &device))?.into())
}

/// `fftfreq(n, d, dtype, device)`.
#[pyfunction]
#[pyo3(signature = (n, d, dtype, device))]
pub(crate) fn fftfreq(
    n: &Bound<'_, PyAny>,
    d: &Bound<'_, PyAny>,
    dtype: Object<'_, '_>,
    device: Object<'_, '_>,
) -> PyResult<State> {
    frequencies("fftfreq", n, d, dtype, device, transforms::fftfreq)
}

/// `rfftfreq(n, d, dtype, device)`.
#[pyfunction]
#[pyo3(signature = (n, d, dtype, device))]
pub(crate) fn rfftfreq(
    n: &Bound<'_, PyAny>,
    d: &Bound<'_, PyAny>,
    dtype: Object<'_, '_>,
    device: Object<'_, '_>,
) -> PyResult<State> {
    frequencies("rfftfreq", n, d, dtype, device, transforms::rfftfreq)
}

/// The origin moved along these axes.
fn shifted(
    op: &'static str,
    x: &Bound<'_, PyAny>,
    axes: Object<'_, '_>,
    run: impl FnOnce(&Tensor, Option<&[isize]>) -> Result<Tensor, Error> + Send,
) -> PyResult<State> {
    let axes = axes
        .map(|axes| parameter(op, "axes").integers(axes))
        .transpose()?;
    let t = operand::tensor(x)?;
    Ok(enter(x.py(), t.numel(), || run(&t, axes.as_deref()))?.into())
}

/// `fftshift(x, axes)`.
#[pyfunction]
#[pyo3(signature = (x, axes))]
pub(crate) fn fftshift(x: &Bound<'_, PyAny>, axes: Object<'_, '_>) -> PyResult<State> {
    shifted("fftshift", x, axes, transforms::fftshift)
}

/// `ifftshift(x, axes)`.
#[pyfunction]
#[pyo3(signature = (x, axes))]
pub(crate) fn ifftshift(x: &Bound<'_, PyAny>, axes: Object<'_, '_>) -> PyResult<State> {
    shifted("ifftshift", x, axes, transforms::ifftshift)
}
