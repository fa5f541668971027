//! Arguments that are no arrays: sizes, axes, numbers, switches and words. What does not fit is refused with the name of
//! the function and of its parameter.

use crate::errors::{Class, error};
use crate::operand;
use crate::state::State;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyInt, PyList, PyString, PyTuple};
use smallvec::SmallVec;
use syntonic_core::Tensor;
use syntonic_core::ops::reduce::Over;
use syntonic_core::run::Axes;

/// A few integers: lengths or axes.
pub(crate) type Integers = SmallVec<[isize; 8]>;

/// A parameter of a function, as messages name it.
#[derive(Clone, Copy)]
pub(crate) struct Parameter {
    op: &'static str,
    name: &'static str,
}

/// The parameter `name` of the function `op`.
pub(crate) const fn parameter(op: &'static str, name: &'static str) -> Parameter {
    Parameter { op, name }
}

impl Parameter {
    /// An integer of a machine type: a Python integer, or whatever stands for one, such as a NumPy integer.
    #[inline]
    pub(crate) fn integer<'a, 'py, T>(self, obj: &'a Bound<'py, PyAny>) -> PyResult<T>
    where
        T: FromPyObject<'a, 'py, Error = PyErr>,
    {
        if self.name == "axis" {
            self.counts(obj)?;
        }
        obj.extract().map_err(|e| self.unfit(obj, e, "an integer"))
    }

    /// A truth value is no length and no axis, though Python makes a number of it.
    #[inline]
    fn counts(self, obj: &Bound<'_, PyAny>) -> PyResult<()> {
        match obj.is_exact_instance_of::<PyBool>() {
            true => Err(self.refuse(Class::ArgumentType, obj, "an integer")),
            false => Ok(()),
        }
    }

    /// An integer of at least 0.
    #[inline]
    pub(crate) fn size(self, obj: &Bound<'_, PyAny>) -> PyResult<usize> {
        self.integer::<isize>(obj)
            .and_then(|n| usize::try_from(n).map_err(|_| self.negative(n)))
    }

    /// An integer, or the nearest of a machine's where none is as large: for what is the same beyond any length.
    pub(crate) fn saturated(self, obj: &Bound<'_, PyAny>) -> PyResult<isize> {
        match obj.extract() {
            Err(e) if PyErr::is_instance_of::<PyOverflowError>(&e, obj.py()) => {
                Ok(if obj.lt(0)? { isize::MIN } else { isize::MAX })
            }
            outcome => outcome.map_err(|e| self.unfit(obj, e, "an integer")),
        }
    }

    /// A real number.
    #[inline]
    pub(crate) fn real(self, obj: &Bound<'_, PyAny>) -> PyResult<f64> {
        obj.extract()
            .map_err(|e| self.unfit(obj, e, "a real number"))
    }

    /// True or False.
    #[inline]
    pub(crate) fn flag(self, obj: &Bound<'_, PyAny>) -> PyResult<bool> {
        obj.extract()
            .map_err(|e| self.unfit(obj, e, "True or False"))
    }

    /// A text.
    pub(crate) fn text(self, obj: &Bound<'_, PyAny>) -> PyResult<String> {
        match obj.cast::<PyString>() {
            Ok(text) => Ok(text.to_string_lossy().into_owned()),
            Err(_) => Err(self.refuse(Class::ArgumentType, obj, "a string")),
        }
    }

    /// One of these words.
    pub(crate) fn word<T: Copy>(self, obj: &Bound<'_, PyAny>, words: &[(&str, T)]) -> PyResult<T> {
        let given = obj.cast::<PyString>().ok().map(|s| s.to_string_lossy());
        let found = given.and_then(|given| words.iter().find(|(word, _)| *word == given));
        found.map(|(_, value)| *value).ok_or_else(|| {
            let known: Vec<String> = words.iter().map(|(word, _)| format!("{word:?}")).collect();
            let class = match obj.is_instance_of::<PyString>() {
                true => Class::Argument,
                false => Class::ArgumentType,
            };
            self.refuse(class, obj, &format!("one of {}", known.join(", ")))
        })
    }

    /// One integer or a sequence of them.
    pub(crate) fn integers(self, obj: &Bound<'_, PyAny>) -> PyResult<Integers> {
        let each = |item: Bound<'_, PyAny>| {
            self.counts(&item)?;
            self.integer::<isize>(&item)
        };
        self.counts(obj)?;
        if let Ok(tuple) = obj.cast::<PyTuple>() {
            let mut all = Integers::new();
            for item in tuple.iter_borrowed() {
                self.counts(&item)?;
                all.push(self.integer(&item)?);
            }
            return Ok(all);
        }
        if let Ok(one) = obj.extract::<isize>() {
            return Ok(Integers::from_slice(&[one]));
        }
        let is_text = obj.is_instance_of::<PyString>() || obj.is_instance_of::<PyBytes>();
        match obj.try_iter() {
            Ok(items) if !is_text && !obj.is_instance_of::<PyInt>() => {
                items.map(|item| each(item?)).collect()
            }
            _ => match obj.extract::<isize>() {
                Ok(one) => Ok(Integers::from_slice(&[one])),
                Err(e) => Err(self.unfit(obj, e, "an integer or a sequence of integers")),
            },
        }
    }

    /// Lengths of axes: one integer or a sequence of them, none negative.
    pub(crate) fn lengths(self, obj: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
        let length = |n: isize| {
            usize::try_from(n).map_err(|_| {
                error(
                    Class::Shape,
                    format!("{}: the length {n} of an axis is negative", self.op),
                )
            })
        };
        self.integers(obj)?.into_iter().map(length).collect()
    }

    /// `f(3, 4)` and `f((3, 4))` alike.
    pub(crate) fn spread(self, args: &Bound<'_, PyTuple>) -> PyResult<Integers> {
        if args.len() == 1 {
            return self.integers(&args.get_item(0)?);
        }
        self.integers(args.as_any())
    }

    /// The axes of a reduction.
    pub(crate) fn over(
        self,
        axis: Option<&Bound<'_, PyAny>>,
        keepdims: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Over> {
        let axes = axis.map(|a| self.integers(a)).transpose()?;
        let keep = keepdims.map(|k| parameter(self.op, "keepdims").flag(k));
        let keep = match keep.transpose()?.unwrap_or(false) {
            true => Axes::Keep,
            false => Axes::Drop,
        };
        Ok(Over {
            axes: axes.map(Integers::into_vec),
            keep,
        })
    }

    /// Tensors of every item of a sequence.
    pub(crate) fn tensors(self, items: &Bound<'_, PyAny>) -> PyResult<Vec<Tensor>> {
        let is_text = items.is_instance_of::<PyString>();
        let Some(all) = items.try_iter().ok().filter(|_| !is_text) else {
            return Err(self.refuse(Class::ArgumentType, items, "a sequence of arrays"));
        };
        all.map(|item| operand::tensor(&item?)).collect()
    }

    /// A State, and nothing that could be made one.
    pub(crate) fn state<'a>(self, x: &'a Bound<'_, PyAny>) -> PyResult<&'a State> {
        match x.cast::<State>() {
            Ok(state) => Ok(state.get()),
            Err(_) => Err(self.refuse(Class::ArgumentType, x, "a State")),
        }
    }

    /// Tensors of a list that has nothing but States.
    pub(crate) fn states(self, items: &Bound<'_, PyList>) -> PyResult<Vec<Tensor>> {
        let tensor = |x: Bound<'_, PyAny>| Ok(self.state(&x)?.tensor.clone());
        items.iter().map(tensor).collect()
    }

    /// The exception for a value that is not `wanted`.
    pub(crate) fn refuse(self, class: Class, obj: &Bound<'_, PyAny>, wanted: &str) -> PyErr {
        let Parameter { op, name } = self;
        error(
            class,
            format!("{op}: {name} is {}; it must be {wanted}", shown(obj)),
        )
    }

    #[cold]
    fn negative(self, n: isize) -> PyErr {
        let Parameter { op, name } = self;
        error(
            Class::Argument,
            format!("{op}: {name} is {n}; it must not be negative"),
        )
    }

    /// The exception for an object that could not be read as `wanted`, because of `cause`.
    #[cold]
    fn unfit(self, obj: &Bound<'_, PyAny>, cause: PyErr, wanted: &str) -> PyErr {
        let py = obj.py();
        if cause.is_instance_of::<PyOverflowError>(py) {
            return self.refuse(Class::Argument, obj, &format!("{wanted} of 64 bits"));
        }
        match cause.is_instance_of::<PyTypeError>(py) {
            true => self.refuse(Class::ArgumentType, obj, wanted),
            // What an object's own conversion raised is its own affair.
            false => cause,
        }
    }
}

/// A value as a message shows it: plain ones as they are written, others by their type.
pub(crate) fn shown(obj: &Bound<'_, PyAny>) -> String {
    /// Longer texts tell no more.
    const LONGEST: usize = 40;
    let plain = obj.is_none()
        || obj.is_instance_of::<PyString>()
        || obj.is_instance_of::<PyBool>()
        || obj.is_instance_of::<PyInt>()
        || obj.is_instance_of::<PyFloat>();
    let text = plain.then(|| obj.repr().ok()).flatten();
    let text = text.map(|t| t.to_string_lossy().into_owned());
    match text.filter(|t| t.chars().count() <= LONGEST) {
        Some(text) => text,
        None => {
            let name = obj.get_type().qualname();
            let name = name.map_or_else(|_| "object".into(), |n| n.to_string());
            match plain {
                true => format!("a long {name}"),
                false => format!("of type {name}"),
            }
        }
    }
}
