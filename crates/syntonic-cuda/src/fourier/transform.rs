//! The transforms of core, by the library's.

use super::library::{FORWARD, INVERSE};
use super::pass::{Part, Place, cleared, scaled};
use super::plans::Form;
use crate::context::{Context, Scratch};
use std::ffi::c_int;
use syntonic_core::device::Launch;
use syntonic_core::{Error, Result};

/// The GPU's version of core's `fft`.
///
/// # Safety
/// As the kernel's contract says.
pub(crate) unsafe fn complex(context: &Context, launch: &Launch) -> Result<()> {
    let (x, y, scale) = operands(launch);
    let direction = match launch.params[1].to_bool() {
        true => INVERSE,
        false => FORWARD,
    };
    // SAFETY: the caller's promise.
    unsafe {
        if length(&x) == 1 {
            return scaled(context, &x, &y, scale);
        }
        lines(context, "fft", &x, &y, scale, direction)
    }
}

/// The GPU's version of core's `rfft`.
///
/// # Safety
/// As the kernel's contract says.
pub(crate) unsafe fn forward(context: &Context, launch: &Launch) -> Result<()> {
    let (x, y, scale) = operands(launch);
    // SAFETY: the caller's promise.
    unsafe {
        if length(&x) == 1 {
            scaled(context, &x, &y.part(Part::Real), scale)?;
            return cleared(context, &y.part(Part::Imaginary));
        }
        lines(context, "rfft", &x, &y, scale, FORWARD)
    }
}

/// The GPU's version of core's `irfft`.
///
/// # Safety
/// As the kernel's contract says.
pub(crate) unsafe fn inverse(context: &Context, launch: &Launch) -> Result<()> {
    let (y, x, scale) = operands(launch);
    let n = length(&x);
    // SAFETY: the caller's promise; the library may write over the copy, which is ours.
    unsafe {
        if n == 1 {
            return scaled(context, &y.part(Part::Real), &x, scale);
        }
        let (half, _memory) = copy(context, &y)?;
        // Imaginary parts that have no meaning, which the library may read.
        cleared(context, &half.column(0).part(Part::Imaginary))?;
        if n.is_multiple_of(2) {
            cleared(context, &half.column(n / 2).part(Part::Imaginary))?;
        }
        lines(context, "irfft", &half, &x, scale, INVERSE)
    }
}

/// Input, output and factor.
fn operands(launch: &Launch) -> (Place, Place, f64) {
    let (x, y) = (&launch.inputs[0], &launch.outputs[0]);
    (Place::of(x), Place::of(y), launch.params[0].to_f64())
}

/// Elements of a line.
fn length(place: &Place) -> usize {
    place.shape.last().copied().unwrap_or(0)
}

/// The lines without gaps, in memory of their own.
///
/// # Safety
/// They are live.
unsafe fn copy<'a>(context: &'a Context, x: &Place) -> Result<(Place, Scratch<'a>)> {
    let (own, memory) = Place::scratch(context, x.dtype, &x.shape)?;
    // SAFETY: the scratch has room for the lines; the rest is the caller's promise.
    unsafe { scaled(context, x, &own, 1.0)? };
    Ok((own, memory))
}

/// Transforms lines of `x` into those of `y`, of at least two numbers.
///
/// # Safety
/// As the kernels' contracts say; where the result is real, `x` may be written.
unsafe fn lines(
    context: &Context,
    op: &'static str,
    x: &Place,
    y: &Place,
    scale: f64,
    direction: c_int,
) -> Result<()> {
    let form = Form::of(x.dtype, y.dtype).ok_or_else(|| {
        Error::value(
            op,
            format!("the kernel does not take {} into {}", x.dtype, y.dtype),
        )
    })?;
    let n = length(x).max(length(y));
    let count = y.shape[..y.shape.len() - 1].iter().product();
    // SAFETY: the caller's promise; each scratch has room for its lines and lives until what reads it is in the stream.
    unsafe {
        let read = match x.is_plain() {
            true => None,
            false => Some(copy(context, x)?),
        };
        let from = read.as_ref().map_or(x, |(place, _)| place);
        let written = match (y.is_plain(), form) {
            (true, _) => None,
            // A copy of complex numbers is transformed where it lies.
            (false, Form::C2c | Form::Z2z) if read.is_some() => None,
            (false, _) => Some(Place::scratch(context, y.dtype, &y.shape)?),
        };
        let to = match (&written, y.is_plain()) {
            (Some((place, _)), _) => place,
            (None, true) => y,
            (None, false) => from,
        };
        let mut session = context.fourier.session(context, op)?;
        session.run(form, (n, count), direction, from.address, to.address)?;
        drop(session);
        if to.address != y.address || scale != 1.0 {
            scaled(context, to, y, scale)?;
        }
    }
    Ok(())
}
