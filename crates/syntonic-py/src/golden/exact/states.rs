//! What states of both kinds do in Python: operators, indices, shapes, joins and files.

use super::array::PyGoldenArray;
use super::lattice::{PyCrystallized, PyFlux, long, refuse};
use super::number::Number;
use super::scalars::PyGoldenRational;
use crate::arguments::{Integers, parameter};
use crate::device;
use crate::errors::{Class, error};
use crate::operand::{self, Operand};
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::cell::RefCell;
use std::path::PathBuf;
use syntonic_core::{Error, Tensor};
use syntonic_srt::exact::GoldenTensor;
use syntonic_srt::resonant::lattice::{self, Crystallized, Flux, ResonantError, Saved, States};

/// A kind of states as Python has it.
trait Kind: States + Send + Sync {
    /// A tensor that lies as the values do.
    fn shown(&self) -> &Tensor;
    /// The Python object of states.
    fn object(py: Python<'_>, states: Self) -> PyResult<Bound<'_, PyAny>>;
    /// The states that an object is, if it is of this kind.
    fn of(obj: &Bound<'_, PyAny>) -> Option<Self>;
    /// What stands beside states in `op`, and is none: values that broadcast with theirs.
    fn beside(&self, op: &'static str, obj: &Bound<'_, PyAny>) -> PyResult<Option<Self::Values>>;
    /// How many elements there are of such values.
    fn length(values: &Self::Values) -> usize;
    /// Values alone as Python has them.
    fn numbers(py: Python<'_>, values: Self::Values) -> PyResult<Bound<'_, PyAny>>;
    fn add(x: &Self::Values, y: &Self::Values) -> Result<Self::Values, ResonantError>;
    fn subtract(x: &Self::Values, y: &Self::Values) -> Result<Self::Values, ResonantError>;
    fn multiply(x: &Self::Values, y: &Self::Values) -> Result<Self::Values, ResonantError>;
}

impl Kind for Crystallized {
    fn shown(&self) -> &Tensor {
        self.points().a()
    }

    fn object(py: Python<'_>, states: Crystallized) -> PyResult<Bound<'_, PyAny>> {
        Ok(Bound::new(py, PyCrystallized(states))?.into_any())
    }

    fn of(obj: &Bound<'_, PyAny>) -> Option<Crystallized> {
        Some(obj.cast::<PyCrystallized>().ok()?.get().0.clone())
    }

    fn beside(&self, op: &'static str, obj: &Bound<'_, PyAny>) -> PyResult<Option<GoldenTensor>> {
        if let Ok(array) = obj.cast::<PyGoldenArray>() {
            return Ok(Some(array.get().0.clone()));
        }
        let float = obj.is_instance_of::<pyo3::types::PyFloat>();
        let fraction = obj.is_instance_of::<PyGoldenRational>();
        let point = match Number::of(obj)? {
            Some(Number::Whole(point)) => Some(point),
            Some(Number::Fraction(x)) => x.whole(),
            None => None,
        };
        let point = match point {
            Some(point) => point.point()?,
            None => {
                let floats = float || fraction || obj.is_instance_of::<PyFlux>();
                return match floats || Operand::try_from_any(obj)?.is_some() {
                    true => Err(asleep(op, obj)),
                    false => Ok(None),
                };
            }
        };
        let one = GoldenTensor::from_points(&[point], &[]).map_err(super::raise)?;
        let there = one.to(self.points().device());
        Ok(Some(there.map_err(super::raise)?))
    }

    fn length(values: &GoldenTensor) -> usize {
        values.numel()
    }

    fn numbers(py: Python<'_>, values: GoldenTensor) -> PyResult<Bound<'_, PyAny>> {
        Ok(Bound::new(py, PyGoldenArray(values))?.into_any())
    }

    fn add(x: &GoldenTensor, y: &GoldenTensor) -> Result<GoldenTensor, ResonantError> {
        Ok(x.plus(y)?)
    }

    fn subtract(x: &GoldenTensor, y: &GoldenTensor) -> Result<GoldenTensor, ResonantError> {
        Ok(x.minus(y)?)
    }

    fn multiply(x: &GoldenTensor, y: &GoldenTensor) -> Result<GoldenTensor, ResonantError> {
        Ok(x.times(y)?)
    }
}

/// What a Crystallized says to floats.
fn asleep(op: &str, obj: &Bound<'_, PyAny>) -> PyErr {
    let text = format!(
        "{op}: a Crystallized owns integers, and stands beside states of integers, GoldenArray, GoldenInt and int, not {}; hint: wake() gives the Flux, which takes floats",
        crate::arguments::shown(obj)
    );
    error(Class::ArgumentType, text)
}

impl Kind for Flux {
    fn shown(&self) -> &Tensor {
        self.values()
    }

    fn object(py: Python<'_>, states: Flux) -> PyResult<Bound<'_, PyAny>> {
        Ok(Bound::new(py, PyFlux(states))?.into_any())
    }

    fn of(obj: &Bound<'_, PyAny>) -> Option<Flux> {
        Some(obj.cast::<PyFlux>().ok()?.get().0.clone())
    }

    fn beside(&self, op: &'static str, obj: &Bound<'_, PyAny>) -> PyResult<Option<Tensor>> {
        if obj.is_instance_of::<PyCrystallized>() {
            let text = format!(
                "{op}: a Flux owns floats, a Crystallized integers; hint: wake() the one, or crystallize() the other"
            );
            return Err(error(Class::ArgumentType, text));
        }
        if let Ok(array) = obj.cast::<PyGoldenArray>() {
            let values = array.get().0.to_floats();
            return Ok(Some(values.map_err(super::raise)?));
        }
        let golden = match obj.is_instance_of::<PyGoldenRational>()
            || obj.is_instance_of::<super::scalars::PyGoldenInt>()
        {
            true => Number::of(obj)?,
            false => None,
        };
        if let Some(number) = golden {
            let value = Tensor::from_slice(&[number.fraction().float()?], &[]);
            let there = value.and_then(|t| t.to(self.values().device()));
            return Ok(Some(there.map_err(crate::errors::raise)?));
        }
        let Some(found) = Operand::try_from_any(obj)? else {
            return Ok(None);
        };
        Ok(Some(found.into_tensor_on(self.values().device())?))
    }

    fn length(values: &Tensor) -> usize {
        values.numel()
    }

    fn numbers(py: Python<'_>, values: Tensor) -> PyResult<Bound<'_, PyAny>> {
        Ok(Bound::new(py, State::from(values))?.into_any())
    }

    fn add(x: &Tensor, y: &Tensor) -> Result<Tensor, ResonantError> {
        Ok(x.try_add(y)?)
    }

    fn subtract(x: &Tensor, y: &Tensor) -> Result<Tensor, ResonantError> {
        Ok(x.try_sub(y)?)
    }

    fn multiply(x: &Tensor, y: &Tensor) -> Result<Tensor, ResonantError> {
        Ok(x.try_mul(y)?)
    }
}

/// `of(x, other)`, or `of(other, x)` where it is turned; `NotImplemented` beside what nobody knows.
fn with<'py, S: Kind, F>(
    x: &S,
    op: &'static str,
    other: &Bound<'py, PyAny>,
    of: F,
    turned: bool,
) -> PyResult<Bound<'py, PyAny>>
where
    S::Values: Send + Sync,
    F: Fn(&S::Values, &S::Values) -> Result<S::Values, ResonantError> + Send + Sync,
{
    let py = other.py();
    let size = x.shown().numel();
    let made = match S::of(other) {
        Some(y) => long(py, size.max(y.shown().numel()), || x.zipped(op, &y, of))?,
        None => {
            let Some(y) = x.beside(op, other)? else {
                return Ok(py.NotImplemented().into_bound(py));
            };
            let work = || match turned {
                false => x.mapped(|x| of(x, &y)),
                true => x.mapped(|x| of(&y, x)),
            };
            long(py, size.max(S::length(&y)), work)?
        }
    };
    S::object(py, made)
}

/// A flux over another one, over floats or numbers, or these over it.
pub(super) fn divided<'py>(
    x: &Flux,
    other: &Bound<'py, PyAny>,
    turned: bool,
) -> PyResult<Bound<'py, PyAny>> {
    with(x, "divide", other, |x, y| Ok(x.try_div(y)?), turned)
}

/// Products with what is no state, or with the values of states.
fn product<'py, S: Kind>(x: &S, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>>
where
    S::Values: Send + Sync,
{
    let py = other.py();
    let size = x.shown().numel();
    let made = match S::of(other) {
        Some(y) => long(py, size.max(y.shown().numel()), || x.matmul_of(&y))?,
        None => {
            let Some(y) = x.beside("matmul", other)? else {
                return Ok(py.NotImplemented().into_bound(py));
            };
            long(py, size.max(S::length(&y)), || x.matmul(&y))?
        }
    };
    S::object(py, made)
}

/// The elements that an index names, with their modes; one alone is a number.
fn indexed<'py, S: Kind>(x: &S, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = index.py();
    let failed = RefCell::new(None);
    let part = |t: &Tensor| -> syntonic_core::Result<Tensor> {
        let item = || -> PyResult<Tensor> {
            let state = Bound::new(py, State::from(t.clone()))?;
            operand::tensor(&state.as_any().get_item(index)?)
        };
        item().map_err(|e| {
            failed.replace(Some(e));
            Error::value("index", "was refused")
        })
    };
    let told = |e: ResonantError| failed.take().unwrap_or_else(|| refuse(e));
    let alone = part(x.shown()).map_err(|e| told(e.into()))?.ndim() == 0;
    match alone {
        true => S::numbers(py, x.values_placed(part).map_err(told)?),
        false => S::object(py, x.placed(part).map_err(told)?),
    }
}

/// The axes in the order that was asked for, or reversed.
fn permuted<'py, S: Kind>(x: &S, axes: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
    let order = match axes.len() {
        0 => (0..x.shown().ndim() as isize).rev().collect::<Integers>(),
        _ => parameter("transpose", "axes").spread(axes)?,
    };
    S::object(axes.py(), x.permute(&order).map_err(refuse)?)
}

macro_rules! operators {
    ($($class:ident of $states:ident),*) => {$(
        #[pymethods]
        impl $class {
            /// Lengths of the axes.
            #[getter]
            fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                Ok(PyTuple::new(py, self.0.shown().shape())?.into_any())
            }

            #[getter]
            fn ndim(&self) -> usize {
                self.0.shown().ndim()
            }

            #[getter]
            pub(super) fn size(&self) -> usize {
                self.0.shown().numel()
            }

            /// The squared mode norms, `[n]`, or one for each element.
            #[getter]
            fn norms(&self) -> PyResult<State> {
                let norms = self.0.spectrum().norms().copy();
                Ok(norms.map_err(crate::errors::raise)?.into())
            }

            /// Syntony of each state.
            fn syntony(&self, py: Python<'_>) -> PyResult<State> {
                Ok(long(py, self.size(), || self.0.syntony())?.into())
            }

            /// The same states on another device.
            fn to(&self, device: &Bound<'_, PyAny>) -> PyResult<$class> {
                let py = device.py();
                let device = device::parse(py, Some(device))?;
                long(py, self.size(), || self.0.to(&device)).map($class)
            }

            /// The same elements with other modes: squared norms `[n]`, or one for each element.
            fn with_norms(&self, norms: &Bound<'_, PyAny>) -> PyResult<$class> {
                let py = norms.py();
                let norms = operand::tensor_beside(norms, self.0.shown())?;
                // What is written to the operand later is not seen.
                let work = || self.0.with_norms(&norms.copy()?);
                long(py, norms.numel(), work).map($class)
            }

            /// The same elements in another shape of as many, each with its mode.
            #[pyo3(signature = (*shape))]
            fn reshape(&self, shape: &Bound<'_, PyTuple>) -> PyResult<$class> {
                let py = shape.py();
                let shape = parameter("reshape", "shape").spread(shape)?;
                long(py, self.size(), || self.0.reshape(&shape)).map($class)
            }

            /// The axes in a new order, or reversed without arguments. Each element keeps its mode.
            #[pyo3(signature = (*axes))]
            fn transpose<'py>(&self, axes: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
                permuted(&self.0, axes)
            }

            /// The axes reversed.
            #[getter(T)]
            fn transposed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                permuted(&self.0, &PyTuple::empty(py))
            }

            /// Writes the states to a file whose name ends in .npz or .safetensors; `resonant.load` reads it.
            fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
                long(py, usize::MAX, || self.0.save(&path))
            }

            fn __len__(&self) -> usize {
                self.0.shown().shape().first().copied().unwrap_or(0)
            }

            /// The elements that an index names, as of a State, each with its mode. One element alone is a number.
            fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
                indexed(&self.0, index)
            }

            fn __add__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
                with(&self.0, "add", other, $states::add, false)
            }

            fn __radd__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
                with(&self.0, "add", other, $states::add, true)
            }

            fn __sub__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
                with(&self.0, "subtract", other, $states::subtract, false)
            }

            fn __rsub__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
                with(&self.0, "subtract", other, $states::subtract, true)
            }

            fn __mul__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
                with(&self.0, "multiply", other, $states::multiply, false)
            }

            fn __rmul__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
                with(&self.0, "multiply", other, $states::multiply, true)
            }

            fn __matmul__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
                product(&self.0, other)
            }

            fn __neg__(&self, py: Python<'_>) -> PyResult<$class> {
                long(py, self.size(), || self.0.negated()).map($class)
            }
        }
    )*};
}

operators! { PyCrystallized of Crystallized, PyFlux of Flux }

/// States that are joined, of one kind.
fn joined<'py, S: Kind>(
    op: &'static str,
    items: &[Bound<'py, PyAny>],
    py: Python<'py>,
    join: fn(&[&S], isize) -> Result<S, ResonantError>,
    axis: isize,
) -> PyResult<Bound<'py, PyAny>> {
    let one = |item: &Bound<'py, PyAny>| {
        S::of(item).ok_or_else(|| {
            let wanted = "of the kind of the first: all Crystallized or all Flux";
            parameter(op, "states").refuse(Class::ArgumentType, item, wanted)
        })
    };
    let all = items.iter().map(one).collect::<PyResult<Vec<S>>>()?; // few: as many as were listed.
    let elements = all.iter().map(|s| s.shown().numel()).sum();
    let parts: Vec<&S> = all.iter().collect(); // few: as many.
    S::object(py, long(py, elements, || join(&parts, axis))?)
}

/// `states_join(op, states, axis)`: "stack" or "concat".
#[pyfunction]
pub(crate) fn states_join<'py>(
    op: &Bound<'py, PyAny>,
    states: &Bound<'py, PyAny>,
    axis: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = states.py();
    let stack = parameter("states_join", "op").word(op, &[("stack", true), ("concat", false)])?;
    let op = if stack { "stack" } else { "concat" };
    let axis = parameter(op, "axis").integer(axis)?;
    let wanted = "a sequence of Crystallized or of Flux";
    let refused = || parameter(op, "states").refuse(Class::ArgumentType, states, wanted);
    let items = states.try_iter().map_err(|_| refused())?;
    let items = items.collect::<PyResult<Vec<_>>>()?; // few: as many as were listed.
    let first = items.first().ok_or_else(refused)?;
    match first.is_instance_of::<PyFlux>() {
        true if stack => joined(op, &items, py, Flux::stack, axis),
        true => joined(op, &items, py, Flux::concat, axis),
        false if stack => joined(op, &items, py, Crystallized::stack, axis),
        false => joined(op, &items, py, Crystallized::concat, axis),
    }
}

/// `states_load(path)`: what a file holds.
#[pyfunction]
pub(crate) fn states_load(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyAny>> {
    match long(py, usize::MAX, || lattice::load(&path))? {
        Saved::Crystallized(states) => Crystallized::object(py, states),
        Saved::Flux(states) => Flux::object(py, states),
    }
}
