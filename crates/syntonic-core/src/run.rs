//! Running programs over tensors: index space, strides, outputs.

mod each;
mod results;
mod space;

pub use each::{Group, map_each, total_each};
pub(crate) use results::{map_into, map_over};
pub use results::{map_to, rows_to};

use crate::device::Device;
use crate::dtype::DType;
use crate::error::{Error, Operand, Result};
use crate::float8::bits;
use crate::fuse::{
    Builder, Indices, Op, Precision, Program, Role, Slot, Task, Typed, Yield, known, lower_with,
};
use crate::grad;
use crate::layout::Dims;
use crate::profile;
use crate::scalar::Scalar;
use crate::tensor::{Tensor, all_recorded, describe, same_device};
use smallvec::SmallVec;
use space::Space;
use std::borrow::Cow;
use std::sync::Arc;

/// Which of these tensors have no memory.
fn indices(inputs: &[&Tensor]) -> Indices {
    let inputs = inputs.iter().enumerate();
    Indices::of(
        inputs
            .filter(|(_, t)| t.as_index().is_some())
            .map(|(k, _)| k),
    )
}

/// The slot of the tensor input `k`, over an index space in which it has exactly `outer` then `row` axes.
fn read_slot(typed: &Typed, k: usize, t: &Tensor, outer: &[usize], row: &[usize]) -> Result<Slot> {
    let lies = typed.nodes.iter().any(|n| n.op == Op::Input(k as u16));
    // What became memory since the program was made for it is still the same numbers.
    match t.affine().filter(|_| !lies) {
        Some(index) => {
            let of = |axes: &[usize]| axes.iter().map(|&a| index.strides[a]).collect();
            Ok(Slot::index(index.start, of(outer), of(row)))
        }
        None => slot(t, outer, row),
    }
}

/// A tensor's slot over an index space in which it has exactly `outer` then `row` axes.
fn slot(t: &Tensor, outer: &[usize], row: &[usize]) -> Result<Slot> {
    let base = t.buffer()?.address();
    let strides = t.strides();
    Ok(Slot {
        address: base.wrapping_add(t.layout().offset() * t.dtype().size()),
        outer: outer.iter().map(|&a| strides[a]).collect(),
        row: row.iter().map(|&a| strides[a]).collect(),
    })
}

/// Runs a program without folds over `shape`; inputs broadcast to it. One new tensor per output.
///
/// # Errors
/// As [`lower`](crate::fuse::lower); [`Error::Device`] where an input is not on `device`, [`Error::Shape`] where one does not broadcast to `shape`, and
/// [`Error::Value`] where the program folds or sums rows, or other numbers are given than it takes.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_core::{fuse, run};
///
/// fuse! { HYPOTENUSE(a: element, b: element) -> (element) { sqrt(a * a + b * b) } }
/// let (a, b) = (Tensor::from([3.0, 5.0]), Tensor::from([4.0, 12.0]));
/// let c = run::map(&HYPOTENUSE, &[&a, &b], &[], a.shape(), a.device())?;
/// assert_eq!(c[0].to_vec::<f64>()?, [5.0, 13.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn map(
    program: &Program,
    inputs: &[&Tensor],
    numbers: &[Scalar],
    shape: &[usize],
    device: &Arc<dyn Device>,
) -> Result<Vec<Tensor>> {
    if grad::tracks(inputs) {
        return grad::map(program, inputs, numbers, shape, device);
    }
    program.check_elementwise()?;
    program.check_numbers(numbers)?;
    beside(inputs, shape, device)?;
    let typed = lower_with(
        program,
        &inputs.iter().map(|t| t.dtype()).collect::<Vec<_>>(),
        indices(inputs),
    )?;
    map_typed(&typed, inputs, numbers, shape, device)
}

/// An error unless all inputs are on the device of a result of this shape.
fn beside(inputs: &[&Tensor], shape: &[usize], device: &Arc<dyn Device>) -> Result<()> {
    let id = device.id();
    if inputs.iter().all(|t| t.device_id() == id) {
        return all_recorded("map", inputs, device);
    }
    let mut operands = describe(inputs);
    // The result may be all that is elsewhere.
    operands.0.push(Operand {
        dtype: inputs[0].dtype(),
        shape: shape.to_vec(),
        device: id,
    });
    Err(Error::Device {
        op: "map",
        operands,
    })
}

/// [`map`] of a program that is written anew at every call.
pub(crate) fn map_again(
    program: &Program,
    inputs: &[&Tensor],
    shape: &[usize],
    device: &Arc<dyn Device>,
) -> Result<Vec<Tensor>> {
    if grad::tracks(inputs) {
        return grad::map(program, inputs, &[], shape, device);
    }
    let dtypes: SmallVec<[DType; 8]> = inputs.iter().map(|t| t.dtype()).collect();
    let typed = known::relowered(program, &dtypes, indices(inputs))?;
    map_typed(&typed, inputs, &[], shape, device)
}

/// [`map`] of a program that is lowered already.
pub(crate) fn map_typed(
    typed: &Typed,
    inputs: &[&Tensor],
    numbers: &[Scalar],
    shape: &[usize],
    device: &Arc<dyn Device>,
) -> Result<Vec<Tensor>> {
    let outputs: Vec<Tensor> = typed
        .outputs
        .iter()
        .map(|o| Tensor::uninit("eval", shape, o.dtype, device))
        .collect::<Result<_>>()?;
    run_map(typed, inputs, numbers, shape, &outputs)?;
    Ok(outputs)
}

fn run_map(
    typed: &Typed,
    inputs: &[&Tensor],
    numbers: &[Scalar],
    shape: &[usize],
    outputs: &[Tensor],
) -> Result<()> {
    run_map_where(|_| true, typed, inputs, numbers, shape, outputs).map(drop)
}

/// Runs the program unless `suits` refuses the task; says whether it ran.
fn run_map_where(
    suits: impl FnOnce(&Task<'_>) -> bool,
    typed: &Typed,
    inputs: &[&Tensor],
    numbers: &[Scalar],
    shape: &[usize],
    outputs: &[Tensor],
) -> Result<bool> {
    if shape.contains(&0) {
        return Ok(true);
    }
    let _span = tracing::debug_span!("map", program = %typed.name, ?shape).entered();
    let inputs: SmallVec<[Cow<'_, Tensor>; 4]> = inputs
        .iter()
        .map(|t| read_over(t, shape))
        .collect::<Result<_>>()?;
    let task = map_task(typed, &inputs, numbers, shape, outputs)?;
    if !suits(&task) {
        return Ok(false);
    }
    // SAFETY: inputs are live tensors of this shape, outputs fresh or exclusively held ones; one that is in the place of an operand has
    // its elements in the same order.
    let run = || unsafe { outputs[0].device().run(&task) };
    profile::program(outputs[0].device(), &task, run)?;
    Ok(true)
}

/// What a program reads of a tensor that broadcasts to `shape`.
fn read_over<'a>(t: &'a Tensor, shape: &[usize]) -> Result<Cow<'a, Tensor>> {
    let t = t.to_read()?;
    match t.shape() == shape {
        true => Ok(t),
        false => t.broadcast_to(shape).map(Cow::Owned),
    }
}

/// A run of a program of elements over operands and results of one shape.
fn map_task<'a>(
    typed: &'a Typed,
    inputs: &[Cow<'_, Tensor>],
    numbers: &'a [Scalar],
    shape: &[usize],
    outputs: &[Tensor],
) -> Result<Task<'a>> {
    let axes: Dims = (0..shape.len()).collect();
    let inputs = inputs.iter().enumerate();
    let outputs = outputs.iter();
    Ok(Task {
        program: typed,
        outer: shape.into(),
        row: Dims::new(),
        inputs: inputs
            .map(|(k, t)| read_slot(typed, k, t, &axes, &[]))
            .collect::<Result<_>>()?,
        outputs: outputs
            .map(|t| slot(t, &axes, &[]))
            .collect::<Result<_>>()?,
        params: numbers,
    })
}

/// Runs tasks over live tensors that are broadcast to the space of each, into fresh ones.
fn run_each(device: &Arc<dyn Device>, tasks: &[Task<'_>]) -> Result<()> {
    let Some(first) = tasks.first() else {
        return Ok(());
    };
    let (program, tasks_of) = (&first.program.name, tasks.len());
    let _span = tracing::debug_span!("each", %program, tasks = tasks_of).entered();
    // SAFETY: every slot was made from a live tensor broadcast to its task's space, and the outputs are fresh.
    let work = || unsafe { device.run_each(tasks) };
    profile::programs(device, tasks, work)
}

/// Copies `values` (already broadcast) into the memory of `target`, with a cast.
pub(crate) fn copy_into(target: &Tensor, values: &Tensor) -> Result<()> {
    same_device("copy", &[target, values])?;
    let (target, values) = (&bits(target), &bits(&stored_as(values, target.dtype())?));
    let mut builder = Builder::new();
    let x = builder.input("x", Role::Element);
    let y = builder.cast(target.dtype(), x);
    builder.output(y, Yield::Element);
    let typed = lower_with(
        &builder.finish("copy", Precision::Stepwise),
        &[values.dtype()],
        indices(&[values]),
    )?;
    run_map(
        &typed,
        &[values],
        &[],
        target.shape(),
        std::slice::from_ref(target),
    )
}

/// The values as they are, unless a type of storage has to be made of them or is what they have: no program converts it.
fn stored_as(values: &Tensor, dtype: DType) -> Result<Tensor> {
    if values.dtype().is_stored() || dtype.is_stored() {
        values.cast(dtype)
    } else {
        Ok(values.clone())
    }
}

/// Whether reduced axes stay with length 1 or go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axes {
    /// They stay with length 1.
    Keep,
    /// They go.
    Drop,
}

/// Runs a program of rows: `axes` of the common shape form the row, the others are kept.
///
/// `Element` inputs broadcast to the common shape; `Row` inputs to the row's shape; `RowScalar`
/// inputs to the kept axes' shape. `Element` outputs have the common shape, `RowScalar` outputs the
/// kept axes (with length-1 row axes under [`Axes::Keep`]), `RowSum` outputs the row's shape.
///
/// # Errors
/// As [`lower`](crate::fuse::lower); [`Error::Device`] and [`Error::Shape`] where the inputs do not fit each other, [`Error::Axis`],
/// [`Error::EmptyReduction`], and [`Error::Value`] where there is no input, or other numbers are given than the program takes.
///
/// ```
/// use syntonic_core::fuse;
/// use syntonic_core::prelude::*;
/// use syntonic_core::run::{self, Axes};
///
/// fuse! { SPREAD(x: element) -> (row_scalar) { max(x) - min(x) } }
/// let x = Tensor::from([[1.0, 5.0, 3.0], [2.0, 2.0, 2.0]]);
/// let spread = run::rows(&SPREAD, &[&x], &[], &[-1], Axes::Drop)?;
/// assert_eq!(spread[0].to_vec::<f64>()?, [4.0, 0.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn rows(
    program: &Program,
    inputs: &[&Tensor],
    numbers: &[Scalar],
    axes: &[isize],
    keep: Axes,
) -> Result<Vec<Tensor>> {
    if grad::tracks(inputs) {
        return grad::rows(program, inputs, numbers, axes, keep);
    }
    program.check_numbers(numbers)?;
    same_device("rows", inputs)?;
    let space = Space::new(program, inputs, axes)?;
    let dtypes: SmallVec<[DType; 4]> = inputs.iter().map(|t| t.dtype()).collect();
    let typed = known::lowered(program, &dtypes, indices(inputs))?;
    rows_typed(program, &typed, space, inputs, numbers, keep)
}

/// [`rows`] of a program that is written anew at every call; reduced axes go.
pub(crate) fn rows_again(
    program: &Program,
    inputs: &[&Tensor],
    axes: &[isize],
) -> Result<Vec<Tensor>> {
    if grad::tracks(inputs) {
        return grad::rows(program, inputs, &[], axes, Axes::Drop);
    }
    let space = Space::new(program, inputs, axes)?;
    let dtypes: SmallVec<[DType; 8]> = inputs.iter().map(|t| t.dtype()).collect();
    let typed = known::relowered(program, &dtypes, indices(inputs))?;
    rows_typed(program, &typed, space, inputs, &[], Axes::Drop)
}

fn rows_typed(
    program: &Program,
    typed: &Typed,
    space: Space,
    inputs: &[&Tensor],
    numbers: &[Scalar],
    keep: Axes,
) -> Result<Vec<Tensor>> {
    let device = inputs[0].device().clone();
    check_identities(typed, &space, inputs)?;
    let floats = typed.outputs.iter().all(|o| o.dtype.is_inexact());
    let summed = device.sums_rows() && floats && !space.shape.contains(&0);
    let mut outputs = Vec::new();
    let mut slots = Vec::new();
    for output in &typed.outputs {
        let shape: Dims = match output.role {
            Yield::RowScalar => space.outer_shape(),
            Yield::RowSum if summed => space.row_shape(),
            _ => space.shape.clone(),
        };
        let t = Tensor::uninit(space.op, &shape, output.dtype, &device)?;
        slots.push(match output.role {
            Yield::RowScalar => space.kept_slot(&t)?,
            Yield::RowSum if summed => space.row_slot(&t)?,
            _ => slot(&t, &space.outer, &space.row)?,
        });
        outputs.push(t);
    }
    let has_work = !space.outer_shape().contains(&0)
        && (!space.row_shape().contains(&0) || !outputs.is_empty());
    if has_work {
        let _span =
            tracing::debug_span!("rows", program = %typed.name, shape = ?space.shape).entered();
        let inputs: SmallVec<[Cow<'_, Tensor>; 4]> =
            inputs.iter().map(|t| t.to_read()).collect::<Result<_>>()?;
        let task = Task {
            program: typed,
            outer: space.outer_shape(),
            row: space.row_shape(),
            inputs: space.slots(program, typed, &inputs)?,
            outputs: slots,
            params: numbers,
        };
        // SAFETY: every slot was made from a live tensor broadcast to its part of the space, and the
        // outputs are fresh.
        let run = || unsafe { device.run(&task) };
        profile::program(&device, &task, run)?;
    }
    for (output, t) in typed.outputs.iter().zip(&mut outputs) {
        match output.role {
            Yield::RowScalar if keep == Axes::Keep => {
                let axes: Vec<isize> = space.row.iter().map(|&a| a as isize).collect();
                *t = t.expand_dims(&axes)?;
            }
            Yield::RowSum => {
                let sum = if summed {
                    t.clone()
                } else {
                    space.sum_outer(t)?
                };
                *t = sum.cast(rounded(program, typed, output.dtype))?;
            }
            _ => {}
        }
    }
    Ok(outputs)
}

/// The type of a sum over rows: wide programs of half types are rounded to that type once.
fn rounded(program: &Program, typed: &Typed, dtype: DType) -> DType {
    let common = typed.inputs.iter().copied().reduce(DType::promote);
    match common {
        Some(half) if half.is_half() && program.precision == Precision::Wide => match dtype {
            DType::F32 => half,
            other => other,
        },
        _ => dtype,
    }
}

/// Folds without an identity need at least one element.
fn check_identities(typed: &Typed, space: &Space, inputs: &[&Tensor]) -> Result<()> {
    if !space.row_shape().contains(&0) {
        return Ok(());
    }
    for node in &typed.nodes {
        if let Op::Fold(fold, _) = node.op
            && fold.identity().is_none()
        {
            return Err(Error::EmptyReduction {
                op: fold.name(),
                operands: describe(inputs),
            });
        }
    }
    Ok(())
}

/// `fold(x)` over the row.
pub(crate) fn fold_program(fold: crate::fuse::Fold) -> Program {
    let mut b = Builder::new();
    let x = b.input("x", Role::Element);
    let y = b.fold(fold, x);
    b.output(y, Yield::RowScalar);
    b.finish(fold.name(), Precision::Wide)
}

/// The type of each output for inputs of these types.
///
/// ```
/// use syntonic_core::fuse;
/// use syntonic_core::prelude::*;
/// use syntonic_core::run::output_dtypes;
///
/// fuse! { HALF(x: element) -> (element) { x / 2.0 } }
/// assert_eq!(output_dtypes(&HALF, &[DType::F32])?, [DType::F32]);
/// assert_eq!(output_dtypes(&HALF, &[DType::I32])?, [DType::F64]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn output_dtypes(program: &Program, dtypes: &[DType]) -> Result<Vec<DType>> {
    let typed = known::relowered(program, dtypes, Indices::default())?;
    let outputs = typed.outputs.iter();
    Ok(outputs
        .map(|o| match o.role {
            Yield::RowSum => rounded(program, &typed, o.dtype),
            _ => o.dtype,
        })
        .collect())
}
