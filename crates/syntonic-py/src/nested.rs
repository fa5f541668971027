//! Nested lists of numbers.

use crate::device::elsewhere;
use crate::errors::{Class, error, raise};
use crate::memory::made;
use crate::operand::{self, default_dtype};
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use syntonic_core::{DType, DeviceId, Element, Scalar, Tensor, room, with_element};

/// Deeper nesting is taken for a list that contains itself.
const MAX_DEPTH: usize = 64;

/// What is known of the nest so far.
#[derive(Default)]
struct Nest {
    shape: Vec<usize>,
    /// Depth of the numbers, once one was met.
    bottom: Option<usize>,
    leaves: Vec<Scalar>,
    /// The type asked for.
    wanted: Option<DType>,
    /// The widest plain number, and the common type of the typed ones.
    plain: Option<DType>,
    typed: Option<DType>,
}

/// A tensor with the numbers of nested lists or tuples; all at one depth must have one length.
pub(crate) fn tensor(obj: &Bound<'_, PyAny>, dtype: Option<DType>) -> PyResult<Tensor> {
    let mut nest = Nest {
        wanted: dtype,
        ..Nest::default()
    };
    nest.gather(obj, 0)?;
    let wanted = dtype.unwrap_or_else(|| nest.dtype());
    let fit = |x: &Scalar| x.check_fit("State", wanted);
    nest.leaves.iter().try_for_each(fit).map_err(raise)?;
    let (leaves, shape) = (nest.leaves, nest.shape);
    with_element!(wanted, T => {
        let values = made::vector(leaves.into_iter().map(<T as Element>::from_scalar))?;
        Tensor::from_vec(values, &shape).map_err(raise)
    })
}

impl Nest {
    fn gather(&mut self, obj: &Bound<'_, PyAny>, depth: usize) -> PyResult<()> {
        if let Ok(list) = obj.cast::<PyList>() {
            self.enter(list.len(), depth)?;
            return list
                .iter()
                .try_for_each(|item| self.gather(&item, depth + 1));
        }
        if let Ok(tuple) = obj.cast::<PyTuple>() {
            self.enter(tuple.len(), depth)?;
            return tuple
                .iter()
                .try_for_each(|item| self.gather(&item, depth + 1));
        }
        match operand::number("State", obj, self.wanted)? {
            Some(x) => self.leaf(x, depth),
            None => self.array(obj, depth),
        }
    }

    /// A list of `len` items at `depth`.
    fn enter(&mut self, len: usize, depth: usize) -> PyResult<()> {
        if depth >= MAX_DEPTH {
            return Err(error(
                Class::Argument,
                format!("State: lists nested deeper than {MAX_DEPTH}"),
            ));
        }
        if self.bottom.is_some_and(|bottom| depth >= bottom) {
            return Err(ragged(&self.shape));
        }
        if depth == self.shape.len() && self.leaves.is_empty() && !self.shape.contains(&0) {
            self.shape.push(len);
        } else if self.shape.get(depth) != Some(&len) {
            return Err(ragged(&self.shape));
        }
        Ok(())
    }

    fn leaf(&mut self, x: Scalar, depth: usize) -> PyResult<()> {
        if depth != self.shape.len() || *self.bottom.get_or_insert(depth) != depth {
            return Err(ragged(&self.shape));
        }
        let dtype = default_dtype(x);
        self.plain = Some(self.plain.map_or(dtype, |have| widest(have, dtype)));
        room::push(&mut self.leaves, x).map_err(raise)
    }

    /// An array inside a list: its numbers, and its type.
    fn array(&mut self, obj: &Bound<'_, PyAny>, depth: usize) -> PyResult<()> {
        let t = match obj.cast::<State>() {
            Ok(state) => state.get().tensor.clone(),
            Err(_) if crate::construct::is_array_like(obj)? => crate::construct::tensor(obj, None)?,
            Err(_) => return Err(crate::construct::unfit(obj)),
        };
        if t.device_id() != DeviceId::Cpu {
            return Err(elsewhere("State of a list", t.device_id()));
        }
        let dtype = t.dtype();
        let values = with_element!(dtype, T => {
            let slice = t.host_slice::<T>().map_err(raise)?;
            made::vector(slice.iter().map(|x| x.to_scalar()))?
        });
        for (k, &len) in t.shape().iter().enumerate() {
            self.enter(len, depth + k)?;
        }
        let mixed = self.typed.filter(|&have| have != dtype);
        if mixed.is_some_and(|have| have.is_stored() || dtype.is_stored()) {
            return Err(error(
                Class::DType,
                "State: a list of 8-bit floats and of other arrays has no common type; hint: cast to float16 first",
            ));
        }
        let plain = self.plain;
        values
            .into_iter()
            .try_for_each(|x| self.leaf(x, depth + t.ndim()))?;
        self.plain = plain;
        self.typed = Some(self.typed.map_or(dtype, |have| have.promote(dtype)));
        Ok(())
    }

    fn dtype(&self) -> DType {
        match (self.typed, self.plain) {
            (Some(typed), Some(plain)) if plain.kind() > typed.kind() => typed.promote(plain),
            (Some(typed), _) => typed,
            (None, plain) => plain.unwrap_or(DType::F64),
        }
    }
}

/// The type that holds both of two plain numbers' types.
fn widest(a: DType, b: DType) -> DType {
    match (a, b) {
        (DType::U64, DType::I64) | (DType::I64, DType::U64) => DType::U64,
        _ => a.promote(b),
    }
}

fn ragged(shape: &[usize]) -> PyErr {
    error(
        Class::Shape,
        format!(
            "State: lists of different lengths or depths after shape {shape:?}; hint: every list at one depth needs one length"
        ),
    )
}
