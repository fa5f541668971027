//! Runs whose results have types, or memory, that the caller names.

use super::{Axes, Space, beside, indices, map_typed, rows_typed, run_map_where};
use crate::buffer::Buffer;
use crate::device::Device;
use crate::dtype::DType;
use crate::error::Result;
use crate::fuse::{Op, Program, Task, Typed, known, lower_to};
use crate::grad;
use crate::layout::Layout;
use crate::scalar::Scalar;
use crate::tensor::{Source, Tensor, same_device};
use smallvec::SmallVec;
use std::sync::Arc;

/// [`map`](super::map) with results of these types, one for each output: each is converted once, in the same pass, from the type that it is
/// computed in.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_core::{fuse, run};
///
/// fuse! { TOTAL(x: element, sum: element) -> (element, element) { [sum + x, sum + x] } }
/// let (x, sum) = (Tensor::from([0.5]).cast(DType::F16)?, Tensor::from([2048f32]));
/// let made = run::map_to(&TOTAL, &[&x, &sum], &[], &[DType::F16, DType::F32], x.shape(), x.device())?;
/// assert_eq!((made[0].to_vec::<f64>()?, made[1].to_vec::<f64>()?), (vec![2048.0], vec![2048.5]));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
///
/// Errors: as of [`map`](super::map); [`Error::Value`](crate::Error::Value) for another number of types than outputs; [`Error::DType`](crate::Error::DType) for types of storage.
pub fn map_to(
    program: &Program,
    inputs: &[&Tensor],
    numbers: &[Scalar],
    dtypes: &[DType],
    shape: &[usize],
    device: &Arc<dyn Device>,
) -> Result<Vec<Tensor>> {
    program.check_elementwise()?;
    program.check_numbers(numbers)?;
    beside(inputs, shape, device)?;
    // few: the operands of a formula.
    let given: Vec<DType> = inputs.iter().map(|t| t.dtype()).collect();
    let typed = lower_to(program, &given, dtypes, indices(inputs))?;
    if grad::tracks(inputs) {
        let made = grad::map(program, inputs, numbers, shape, device)?;
        return made.iter().zip(dtypes).map(|(t, d)| t.cast(*d)).collect();
    }
    map_typed(&typed, inputs, numbers, shape, device)
}

/// [`rows`](super::rows) with results of these types, one for each output, as [`map_to`] has them.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_core::run::{self, Axes};
///
/// syntonic_core::fuse! { SQUARES(x: element) -> (row_scalar) { sum(x * x) } }
/// let x = Tensor::from([300.0, 400.0]).cast(DType::F16)?;
/// let y = run::rows_to(&SQUARES, &[&x], &[], &[DType::F32], &[-1], Axes::Drop)?;
/// assert_eq!(y[0].to_scalar::<f32>()?, 250_000.0);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
///
/// Errors: as of [`rows`](super::rows) and [`map_to`].
pub fn rows_to(
    program: &Program,
    inputs: &[&Tensor],
    numbers: &[Scalar],
    dtypes: &[DType],
    axes: &[isize],
    keep: Axes,
) -> Result<Vec<Tensor>> {
    program.check_numbers(numbers)?;
    let space = Space::new(program, inputs, axes)?;
    same_device(space.op, inputs)?;
    // few: the operands of a formula.
    let given: Vec<DType> = inputs.iter().map(|t| t.dtype()).collect();
    let typed = lower_to(program, &given, dtypes, indices(inputs))?;
    if grad::tracks(inputs) {
        let made = grad::rows(program, inputs, numbers, axes, keep)?;
        return made.iter().zip(dtypes).map(|(t, d)| t.cast(*d)).collect();
    }
    rows_typed(program, &typed, space, inputs, numbers, keep)
}

/// True for a result that is an operand: a copy from a place to itself is none that a device knows.
fn is_copy(typed: &Typed, node: u32) -> bool {
    matches!(typed.nodes[node as usize].op, Op::Input(_) | Op::Index(_))
}

/// A program of one result that is written anew at every call, into a view of its type and shape: where `over`, an operand shows the same elements,
/// and nothing is written unless the device does that. Says whether it ran.
pub(crate) fn map_into(
    program: &Program,
    inputs: &[&Tensor],
    target: &Tensor,
    over: bool,
) -> Result<bool> {
    let dtypes: SmallVec<[DType; 8]> = inputs.iter().map(|t| t.dtype()).collect();
    let typed = known::relowered(program, &dtypes, indices(inputs))?;
    let fits = match &typed.outputs[..] {
        [output] => output.dtype == target.dtype() && !(over && is_copy(&typed, output.node)),
        _ => false,
    };
    // What is kept as words of another type, such as bool, is copied.
    if !fits || target.dtype().is_stored() {
        return Ok(false);
    }
    let suits = |task: &Task<'_>| !over || target.device().overwrites(task);
    run_map_where(
        suits,
        &typed,
        inputs,
        &[],
        target.shape(),
        std::slice::from_ref(target),
    )
}

/// A program of one result that is written anew at every call, in the place of an operand: `memory` has just the elements of one, which
/// nobody else reads. Says whether the device does that; else nothing was written.
pub(crate) fn map_over(
    program: &Program,
    inputs: &[&Tensor],
    memory: &Arc<Buffer>,
    shape: &[usize],
) -> Result<bool> {
    let dtypes: SmallVec<[DType; 8]> = inputs.iter().map(|t| t.dtype()).collect();
    let typed = known::relowered(program, &dtypes, indices(inputs))?;
    let [output] = &typed.outputs[..] else {
        return Ok(false);
    };
    if is_copy(&typed, output.node) {
        return Ok(false);
    }
    let layout = Layout::contiguous("eval", shape)?;
    let out = Tensor::from_source(output.dtype, layout, Source::Stored(memory.clone()));
    let overwrites = |task: &Task<'_>| memory.device().overwrites(task);
    run_map_where(overwrites, &typed, inputs, &[], shape, &[out])
}
