//! Nested lists of numbers and arrays.

use crate::enter::{Turns, enter};
use crate::errors::{Class, error, raise};
use crate::operand::{self, default_dtype};
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::sync::Arc;
use syntonic_core::ops::create;
use syntonic_core::ops::join::stack;
use syntonic_core::{
    DType, Device, DeviceId, Element, Error, Scalar, Tensor, interrupt, room, with_element,
};

/// Deeper nesting is taken for a list that contains itself.
const MAX_DEPTH: usize = 64;

/// The types met in a nest.
#[derive(Default)]
struct Types {
    /// The type asked for.
    wanted: Option<DType>,
    /// The widest plain number, and the common type of the typed ones.
    plain: Option<DType>,
    typed: Option<DType>,
}

const EVEN: &str = "every list at one depth needs one length";

/// What is known of the nest so far.
#[derive(Default)]
struct Nest {
    shape: Vec<usize>,
    /// Depth of the numbers, once one was met.
    bottom: Option<usize>,
    leaves: Vec<Scalar>,
    types: Types,
    turns: Turns,
}

/// Why numbers are not gathered to the end.
enum Stop {
    /// There is an array on this GPU.
    OnGpu(Arc<dyn Device>),
    Wrong(PyErr),
}

impl From<PyErr> for Stop {
    fn from(error: PyErr) -> Stop {
        Stop::Wrong(error)
    }
}

/// A tensor with the numbers of nested lists or tuples; all at one depth must have one length. Where arrays on a GPU are among
/// them, it is made there.
pub(crate) fn tensor(obj: &Bound<'_, PyAny>, dtype: Option<DType>) -> PyResult<Tensor> {
    let types = || Types {
        wanted: dtype,
        ..Types::default()
    };
    let mut nest = Nest {
        types: types(),
        ..Nest::default()
    };
    match nest.gather(obj, 0) {
        Ok(()) => {}
        Err(Stop::Wrong(error)) => return Err(error),
        Err(Stop::OnGpu(device)) => {
            let mut types = types();
            let tree = Tree::of(obj, 0, &mut types, &mut Turns::new())?;
            let dtype = types.dtype();
            return enter(obj.py(), usize::MAX, || tree.stacked(dtype, &device));
        }
    }
    let wanted = nest.types.dtype();
    let (leaves, shape) = (nest.leaves, nest.shape);
    enter(obj.py(), leaves.len(), || {
        for some in leaves.chunks(UNASKED) {
            interrupt::poll()?;
            some.iter().try_for_each(|x| x.check_fit("State", wanted))?;
        }
        with_element!(wanted, T => {
            let values = room::collected(leaves.into_iter().map(<T as Element>::from_scalar))?;
            Tensor::from_vec(values, &shape)
        })
    })
}

/// Numbers that are looked at before somebody is asked whether to go on.
const UNASKED: usize = 1 << 16;

impl Nest {
    fn gather(&mut self, obj: &Bound<'_, PyAny>, depth: usize) -> Result<(), Stop> {
        self.turns.take(obj.py())?;
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
        match operand::number("State", obj, self.types.wanted)? {
            Some(x) => {
                self.types.number(x);
                Ok(self.leaf(x, depth)?)
            }
            None => self.array(obj, depth),
        }
    }

    /// A list of `len` items at `depth`.
    fn enter(&mut self, len: usize, depth: usize) -> PyResult<()> {
        check_depth(depth)?;
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
        room::push(&mut self.leaves, x).map_err(raise)
    }

    /// An array inside a list: its numbers, and its type.
    fn array(&mut self, obj: &Bound<'_, PyAny>, depth: usize) -> Result<(), Stop> {
        let t = array(obj)?;
        if t.device_id() != DeviceId::Cpu {
            return Err(Stop::OnGpu(t.device().clone()));
        }
        self.types.array(t.dtype())?;
        let values = enter(obj.py(), t.numel(), || {
            with_element!(t.dtype(), T => {
                let slice = t.host_slice::<T>()?;
                room::collected(slice.iter().map(|x| x.to_scalar()))
            })
        })?;
        for (k, &len) in t.shape().iter().enumerate() {
            self.enter(len, depth + k)?;
        }
        let bottom = depth + t.ndim();
        for x in values {
            self.turns.take(obj.py())?;
            self.leaf(x, bottom)?;
        }
        Ok(())
    }
}

impl Types {
    fn number(&mut self, x: Scalar) {
        let dtype = default_dtype(x);
        self.plain = Some(self.plain.map_or(dtype, |have| widest(have, dtype)));
    }

    fn array(&mut self, dtype: DType) -> PyResult<()> {
        let mixed = self.typed.filter(|&have| have != dtype);
        if mixed.is_some_and(|have| have.is_stored() || dtype.is_stored()) {
            return Err(error(
                Class::DType,
                "State: a list of 8-bit floats and of other arrays has no common type; hint: cast to float16 first",
            ));
        }
        self.typed = Some(self.typed.map_or(dtype, |have| have.promote(dtype)));
        Ok(())
    }

    /// The type of the whole.
    fn dtype(&self) -> DType {
        match (self.wanted, self.typed, self.plain) {
            (Some(wanted), _, _) => wanted,
            (None, Some(typed), Some(plain)) if plain.kind() > typed.kind() => typed.promote(plain),
            (None, Some(typed), _) => typed,
            (None, None, plain) => plain.unwrap_or(DType::F64),
        }
    }
}

/// A nest with arrays on a GPU among its items.
enum Tree {
    List(Vec<Tree>),
    Number(Scalar),
    Array(Tensor),
}

impl Tree {
    fn of(
        obj: &Bound<'_, PyAny>,
        depth: usize,
        types: &mut Types,
        turns: &mut Turns,
    ) -> PyResult<Tree> {
        turns.take(obj.py())?;
        if let Ok(list) = obj.cast::<PyList>() {
            return Tree::list(list.iter(), depth, types, turns);
        }
        if let Ok(tuple) = obj.cast::<PyTuple>() {
            return Tree::list(tuple.iter(), depth, types, turns);
        }
        if let Some(x) = operand::number("State", obj, types.wanted)? {
            types.number(x);
            return Ok(Tree::Number(x));
        }
        let t = array(obj)?;
        types.array(t.dtype())?;
        Ok(Tree::Array(t))
    }

    fn list<'py>(
        items: impl Iterator<Item = Bound<'py, PyAny>>,
        depth: usize,
        types: &mut Types,
        turns: &mut Turns,
    ) -> PyResult<Tree> {
        check_depth(depth)?;
        let mut trees = Vec::new();
        for item in items {
            room::push(&mut trees, Tree::of(&item, depth + 1, types, turns)?).map_err(raise)?;
        }
        Ok(Tree::List(trees))
    }

    /// The nest as a tensor on the device that its arrays are on; numbers go there.
    fn stacked(&self, dtype: DType, device: &Arc<dyn Device>) -> syntonic_core::Result<Tensor> {
        match self {
            Tree::Number(x) => {
                x.check_fit("State", dtype)?;
                Tensor::scalar(*x, dtype)?.to(device)
            }
            Tree::Array(t) => t.cast(dtype),
            Tree::List(trees) if trees.is_empty() => create::zeros(&[0], dtype, device),
            Tree::List(trees) => {
                let mut parts = Vec::new();
                for tree in trees {
                    room::push(&mut parts, tree.stacked(dtype, device)?)?;
                }
                let parts = room::gathered(parts.iter().map(Ok::<_, Error>))?;
                let op = "State";
                stack(&parts, 0).map_err(|error| match error {
                    Error::Shape { operands, .. } => Error::Shape {
                        op,
                        operands,
                        hint: EVEN.into(),
                    },
                    Error::Device { operands, .. } => Error::Device { op, operands },
                    other => other,
                })
            }
        }
    }
}

/// An array inside a list.
fn array(obj: &Bound<'_, PyAny>) -> PyResult<Tensor> {
    match obj.cast::<State>() {
        Ok(state) => Ok(state.get().tensor.clone()),
        Err(_) if crate::construct::is_array_like(obj)? => crate::construct::tensor(obj, None),
        Err(_) => Err(crate::construct::unfit(obj)),
    }
}

fn check_depth(depth: usize) -> PyResult<()> {
    if depth < MAX_DEPTH {
        return Ok(());
    }
    Err(error(
        Class::Argument,
        format!("State: lists nested deeper than {MAX_DEPTH}"),
    ))
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
        format!("State: lists of different lengths or depths after shape {shape:?}; hint: {EVEN}"),
    )
}
