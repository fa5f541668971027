//! Arguments that come in several shapes: axes, lengths, sequences of States.

use crate::operand;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyTuple};
use smallvec::SmallVec;
use syntonic_core::Tensor;
use syntonic_core::ops::reduce::Over;
use syntonic_core::run::Axes;

/// A few integers: lengths or axes.
pub(crate) type Integers = SmallVec<[isize; 8]>;

/// One integer or a sequence of them.
pub(crate) fn integers(obj: &Bound<'_, PyAny>) -> PyResult<Integers> {
    if let Ok(tuple) = obj.cast::<PyTuple>() {
        return tuple
            .iter_borrowed()
            .map(|item| item.extract::<isize>())
            .collect();
    }
    if obj.is_instance_of::<PyInt>() {
        return Ok(Integers::from_slice(&[obj.extract()?]));
    }
    match obj.extract::<isize>() {
        Ok(one) => Ok(Integers::from_slice(&[one])),
        Err(_) => Ok(Integers::from_vec(obj.extract::<Vec<isize>>()?)),
    }
}

/// Lengths of axes: one integer or a sequence of them, none negative.
pub(crate) fn lengths(obj: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
    integers(obj)?.into_iter().map(length).collect()
}

fn length(n: isize) -> PyResult<usize> {
    usize::try_from(n).map_err(|_| {
        crate::errors::error(
            crate::errors::Class::Shape,
            format!("the length {n} of an axis is negative"),
        )
    })
}

/// `f(3, 4)` and `f((3, 4))` alike.
pub(crate) fn spread(args: &Bound<'_, PyTuple>) -> PyResult<Integers> {
    if args.len() == 1 {
        return integers(&args.get_item(0)?);
    }
    integers(args.as_any())
}

/// The axes of a reduction.
pub(crate) fn over(axis: Option<&Bound<'_, PyAny>>, keepdims: bool) -> PyResult<Over> {
    let axes = axis.filter(|a| !a.is_none()).map(integers).transpose()?;
    let axes = axes.map(Integers::into_vec);
    Ok(Over {
        axes,
        keep: if keepdims { Axes::Keep } else { Axes::Drop },
    })
}

/// Tensors of every item.
pub(crate) fn tensors(items: &Bound<'_, PyAny>) -> PyResult<Vec<Tensor>> {
    items
        .try_iter()?
        .map(|item| operand::tensor(&item?))
        .collect()
}
