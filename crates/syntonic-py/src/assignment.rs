//! What is written into a State: `x[key] = values`.

use crate::comparisons;
use crate::construct;
use crate::enter::enter;
use crate::errors::{of_elements, raise};
use crate::memory::{object, writing};
use crate::operand::{Compares, Operand};
use crate::singles;
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::apply;
use syntonic_core::ops::index::IndexItem;
use syntonic_core::{DType, Scalar, Tensor};

/// Writes whatever `value` stands for into every element of `target`.
pub(crate) fn assign(target: &Tensor, value: &Bound<'_, PyAny>) -> PyResult<()> {
    if let Ok(state) = value.cast::<State>()
        && state.get().tensor.single().is_none()
        && is_at_hand(target, &state.get().tensor)
    {
        // What `a[i] += b` has written already.
        return target.check_writable("set_item").map_err(raise);
    }
    if let Some(x) = singles::written(value, target.dtype())
        && writing::fill(value.py(), target, x)?
    {
        return Ok(());
    }
    let values = values(target, "set_item", value)?;
    match object::is_temporary(value) {
        // Nobody has it but the statement: it is computed where it goes.
        true => writing::assign_last(value.py(), target, &values, 2),
        false => writing::assign(value.py(), target, &values),
    }
}

impl State {
    /// Writes whatever `value` stands for where the items point.
    pub(crate) fn put(&self, items: &[IndexItem], value: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, values) = (value.py(), self.values("set_item", value)?);
        if let [IndexItem::Mask(mask)] = items
            && mask.shape() == self.tensor.shape()
            && values.ndim() == 0
            && values.dtype() == self.tensor.dtype()
            && !(mask.is_contiguous() && self.tensor.is_contiguous())
        {
            // One value for all places needs no list of them: two passes in order.
            let t: &Tensor = &self.tensor;
            let mixed = enter(py, t.numel(), || {
                apply(Prim::Select, &[mask.into(), (&values).into(), t.into()])?.eval()
            })?;
            return self.write(py, &mixed);
        }
        writing::put(py, &self.tensor, items, &values)
    }

    /// What `value` stands for, as a tensor that can be written into this State.
    pub(crate) fn values(&self, op: &'static str, value: &Bound<'_, PyAny>) -> PyResult<Tensor> {
        values(&self.tensor, op, value)
    }
}

/// What `value` stands for, as a tensor that can be written into `target`. As in NumPy, leading axes of length 1 say nothing,
/// also where the place has fewer axes.
fn values(target: &Tensor, op: &'static str, value: &Bound<'_, PyAny>) -> PyResult<Tensor> {
    let (py, dtype) = (value.py(), target.dtype());
    let converted;
    let given = match Operand::try_from_any(value) {
        // Texts and objects are read as numbers of the type that they are written as.
        Err(e) if of_elements(py, &e) => {
            converted = by_numpy(value, dtype).ok_or(e)?;
            Operand::from_any(&converted)?
        }
        Err(e) => return Err(e),
        Ok(Some(given)) => given,
        Ok(None) if comparisons::is_exact(value)? => {
            Operand::Number(comparisons::written(op, value, dtype)?)
        }
        Ok(None) => return Err(construct::unfit(value)),
    };
    if let Operand::Listed(list) = &given
        && list.dtype().is_integer()
    {
        // The numbers of a list have no type of their own: each is one that was written here.
        let fit = |x: Scalar| x.check_fit(op, dtype);
        crate::convert::scalars(list)?
            .into_iter()
            .try_for_each(fit)
            .map_err(raise)?;
    }
    match given.among(op, Compares::No, target.device(), Some(dtype))? {
        Operand::Number(x) => {
            let dtype = x.promote_with(dtype);
            let device = target.device();
            enter(py, 0, || {
                x.check_fit(op, dtype)?;
                Tensor::scalar(x, dtype)?.to(device)
            })
        }
        other => {
            let values = other.into_tensor_on(target.device())?;
            let lead = values.shape().iter().take_while(|&&n| n == 1).count();
            if lead == 0 {
                return Ok(values);
            }
            let rest: Vec<isize> = values.shape()[lead..].iter().map(|&n| n as isize).collect(); // few: axes
            values.reshape(&rest).map_err(raise)
        }
    }
}

/// An array of texts or objects, or a list of these, as NumPy makes numbers of them; none where it cannot.
#[cold]
fn by_numpy<'py>(value: &Bound<'py, PyAny>, dtype: DType) -> Option<Bound<'py, PyAny>> {
    let numpy = value.py().import("numpy").ok()?;
    let array = numpy.call_method1("asarray", (value,)).ok()?;
    let kind: String = array
        .getattr("dtype")
        .ok()?
        .getattr("kind")
        .ok()?
        .extract()
        .ok()?;
    match matches!(&*kind, "O" | "U" | "S") {
        true => array.call_method1("astype", (dtype.name(),)).ok(),
        false => None,
    }
}

/// True where both are the same elements of the same memory.
fn is_at_hand(target: &Tensor, values: &Tensor) -> bool {
    let alike = target.dtype() == values.dtype() && target.layout() == values.layout();
    alike && !values.is_pending() && target.shares_storage(values)
}
