//! What NumPy changes of an array itself, and not of its elements: its shape, whether it can be written, and how many elements it has.

use crate::arguments::parameter;
use crate::enter::enter;
use crate::errors::{Class, error, raise};
use crate::state::State;
use crate::views::{LENGTHS, whole};
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use syntonic_core::ops::index::{self, IndexItem};
use syntonic_core::{Scalar, Tensor};

/// A switch that was given.
fn switch(name: &'static str, given: Option<&Bound<'_, PyAny>>) -> PyResult<Option<bool>> {
    let given = given.filter(|given| !given.is_none());
    given
        .map(|given| parameter("setflags", name).flag(given))
        .transpose()
}

impl State {
    /// Whether the elements can be written from now on, through this State. What could not be written when the State was made never can.
    pub(crate) fn set_writable(&self, writable: bool) -> PyResult<()> {
        let t: &Tensor = &self.tensor;
        if writable == t.is_writable() {
            return Ok(());
        }
        if !writable {
            self.tensor.replace(t.clone().read_only());
            return Ok(());
        }
        let freed = t.clone().with_access_of(self.tensor.original());
        if !freed.is_writable() {
            return Err(error(
                Class::Argument,
                "cannot set WRITEABLE flag to True of this array: its elements share memory with each other, or with those of the view it was taken from; hint: .copy()",
            ));
        }
        self.tensor.replace(freed);
        Ok(())
    }
}

/// The first elements in row-major order under another shape, and zeros behind them.
fn resized(t: &Tensor, shape: &[usize]) -> Result<Tensor, syntonic_core::Error> {
    let made = Tensor::full_on(shape, Scalar::Int(0), t.dtype(), t.device())?;
    let both = t.numel().min(made.numel());
    if both == 0 {
        return Ok(made);
    }
    let first = [IndexItem::Slice {
        start: None,
        stop: Some(both as isize),
        step: 1,
    }];
    let mut line = made.reshape(&[-1])?;
    drop(made);
    index::set(
        &mut line,
        &first,
        &index::index(&t.reshape(&[-1])?, &first)?,
    )?;
    let shape: Vec<isize> = shape.iter().map(|&n| n as isize).collect(); // few: axes
    line.reshape(&shape)
}

#[pymethods]
impl State {
    /// Gives the State itself another shape over the same memory, where that takes no copy; one length may be -1. States that were
    /// taken from it before keep theirs.
    #[setter]
    fn set_shape(&self, py: Python<'_>, shape: &Bound<'_, PyAny>) -> PyResult<()> {
        let lengths = LENGTHS.integers(shape)?;
        let t: &Tensor = &self.tensor;
        let fits =
            whole(t.numel(), &lengths).filter(|shape| shape.iter().product::<usize>() == t.numel());
        let Some(shape) = fits else {
            // The error of a shape that holds another number of elements.
            let made = enter(py, 0, || t.reshape(&lengths))?;
            self.tensor.replace(made);
            return Ok(());
        };
        let Some(layout) = t.layout().reshape(&shape) else {
            return Err(PyAttributeError::new_err(format!(
                "{} cannot take the shape {lengths:?} without a copy; hint: .reshape() makes one",
                t.describe()
            )));
        };
        self.tensor
            .replace(t.relayout(layout).map_err(raise)?.with_access_of(t));
        Ok(())
    }

    /// Says whether the elements can be written through this State. `align` and `uic` are NumPy's: all elements are aligned, and there is
    /// no copy to be written back.
    #[pyo3(signature = (write=None, align=None, uic=None))]
    fn setflags(
        &self,
        write: Option<&Bound<'_, PyAny>>,
        align: Option<&Bound<'_, PyAny>>,
        uic: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        switch("align", align)?;
        if switch("uic", uic)? == Some(true) {
            return Err(error(
                Class::Argument,
                "cannot set WRITEBACKIFCOPY flag to True: there is no copy to be written back",
            ));
        }
        match switch("write", write)? {
            Some(writable) => self.set_writable(writable),
            None => Ok(()),
        }
    }

    /// Gives the State itself another shape, of more elements or fewer: those in row-major order stay, and zeros come behind them. A State whose
    /// memory others see is refused. `refcheck` is NumPy's, which counts names; here they see the new elements.
    #[pyo3(signature = (*new_shape, refcheck=None), text_signature = "($self, *new_shape, refcheck=True)")]
    fn resize(
        &self,
        py: Python<'_>,
        new_shape: &Bound<'_, PyTuple>,
        refcheck: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        if let Some(given) = refcheck {
            parameter("resize", "refcheck").flag(given)?;
        }
        if new_shape.is_empty() || new_shape.get_item(0)?.is_none() {
            return Ok(());
        }
        let lengths = parameter("resize", "new_shape").spread(new_shape)?;
        let shape: Option<Vec<usize>> = lengths.iter().map(|&n| usize::try_from(n).ok()).collect(); // few: axes
        let Some(shape) = shape else {
            return Err(error(
                Class::Argument,
                format!("resize: all lengths of {lengths:?} must be non-negative"),
            ));
        };
        let t: &Tensor = &self.tensor;
        if !t.is_contiguous() {
            return Err(error(
                Class::Argument,
                "resize only works on single-segment arrays; hint: numpy.resize makes a new one",
            ));
        }
        let same = syntonic_core::layout::count("resize", &shape).map_err(raise)? == t.numel();
        if !same && self.tensor.is_shared() {
            return Err(error(
                Class::Argument,
                "cannot resize an array that references or is referenced by another array in this way; hint: numpy.resize makes a new one",
            ));
        }
        let made = match same {
            true => t.reshape(&lengths).map_err(raise)?,
            false => enter(py, t.numel(), || resized(t, &shape))?,
        };
        self.tensor.replace(made);
        Ok(())
    }
}
