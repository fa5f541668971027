//! One program over many groups of tensors, such as the parameters of a model, in as few launches as the device has for that.

use super::{Axes, Space, beside, indices, map_task, map_to, read_over, rows_to, run_each};
use crate::device::Device;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::fuse::{Indices, Program, Slot, Task, Typed, Yield, lower_to};
use crate::grad;
use crate::layout::{Dims, Strides};
use crate::ops::join::concat;
use crate::scalar::Scalar;
use crate::tensor::Tensor;
use smallvec::SmallVec;
use std::borrow::Cow;
use std::sync::Arc;

/// One run of a program among those of [`map_each`].
#[derive(Clone, Debug)]
pub struct Group<'a> {
    /// The program's tensor inputs, in order; they broadcast to the shape.
    pub inputs: Vec<&'a Tensor>,
    /// The type of each result.
    pub dtypes: Vec<DType>,
    /// The shape of the results.
    pub shape: &'a [usize],
}

/// [`map_to`] of each group with the same numbers: the results of each, with the bits that a run of its own would have. A GPU runs what lies in
/// one linear order in one launch, however many groups there are.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_core::run::{self, Group};
///
/// syntonic_core::fuse! { STEP(p: element, g: element, rate: number) -> (element) { p - rate * g } }
/// let all = [Tensor::from([1.0, 2.0]), Tensor::from([[3.0]])];
/// let groups: Vec<Group<'_>> = all
///     .iter()
///     .map(|p| Group { inputs: vec![p, p], dtypes: vec![p.dtype()], shape: p.shape() })
///     .collect();
/// let moved = run::map_each(&STEP, &groups, &[0.5.into()], all[0].device())?;
/// assert_eq!((moved[0][0].to_vec::<f64>()?, moved[1][0].to_vec::<f64>()?), (vec![0.5, 1.0], vec![1.5]));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
///
/// Errors: as of [`map_to`], for any of the groups; nothing is written then.
pub fn map_each(
    program: &Program,
    groups: &[Group<'_>],
    numbers: &[Scalar],
    device: &Arc<dyn Device>,
) -> Result<Vec<Vec<Tensor>>> {
    program.check_elementwise()?;
    program.check_numbers(numbers)?;
    let mut programs = Programs::new(program);
    let mut each = Vec::new();
    for group in groups {
        beside(&group.inputs, group.shape, device)?;
        each.push(programs.of(&group.inputs, &group.dtypes)?);
    }
    if groups.iter().any(|group| grad::tracks(&group.inputs)) {
        return groups
            .iter()
            .map(|g| map_to(program, &g.inputs, numbers, &g.dtypes, g.shape, device))
            .collect();
    }
    let mut results = Vec::new();
    let mut read = Vec::new();
    for group in groups {
        let made = group.dtypes.iter();
        let made = made.map(|&dtype| Tensor::uninit("eval", group.shape, dtype, device));
        results.push(made.collect::<Result<Vec<Tensor>>>()?);
        let inputs = group.inputs.iter().map(|t| read_over(t, group.shape));
        read.push(inputs.collect::<Result<SmallVec<[Cow<'_, Tensor>; 4]>>>()?);
    }
    let mut tasks = Vec::new();
    for (((group, at), inputs), outputs) in groups.iter().zip(each).zip(&read).zip(&results) {
        if !group.shape.contains(&0) {
            let typed = programs.at(at);
            tasks.push(map_task(typed, inputs, numbers, group.shape, outputs)?);
        }
    }
    run_each(device, &tasks)?;
    Ok(results)
}

/// The one row scalar of a program, over all elements of each group of tensors: as many elements of this type as there are groups, in memory side
/// by side. A GPU runs sums of what lies in one linear order in one launch, however many groups there are.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_core::run;
///
/// syntonic_core::fuse! { SQUARES(x: element) -> (row_scalar) { sum(x * x) } }
/// let all = [Tensor::from([3.0, 4.0]), Tensor::from([[1.0], [2.0]])];
/// let groups: Vec<Vec<&Tensor>> = all.iter().map(|x| vec![x]).collect();
/// let squares = run::total_each(&SQUARES, &groups, &[], DType::F64, all[0].device())?;
/// assert_eq!(squares.to_vec::<f64>()?, [25.0, 5.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
///
/// Errors: as of [`rows_to`], for any of the groups; [`Error::Value`] for a program with other results than one row scalar.
pub fn total_each(
    program: &Program,
    groups: &[Vec<&Tensor>],
    numbers: &[Scalar],
    dtype: DType,
    device: &Arc<dyn Device>,
) -> Result<Tensor> {
    const OP: &str = "total_each";
    program.check_numbers(numbers)?;
    if !matches!(&program.outputs[..], [o] if o.role == Yield::RowScalar) {
        let what = format!("{} has other results than one row scalar", program.name);
        return Err(Error::value(OP, what));
    }
    if groups.iter().any(|group| grad::tracks(group)) {
        let mut totals = Vec::new();
        for group in groups {
            let axes: Vec<isize> = (0..group[0].ndim() as isize).collect();
            let total = rows_to(program, group, numbers, &[dtype], &axes, Axes::Drop)?;
            totals.push(total[0].reshape(&[1])?);
        }
        return concat(&totals.iter().collect::<Vec<_>>(), Some(0));
    }
    let totals = Tensor::uninit(OP, &[groups.len()], dtype, device)?;
    let base = totals.buffer()?.address();
    let mut programs = Programs::new(program);
    let mut each = Vec::new();
    for group in groups {
        let axes: SmallVec<[isize; 6]> = match group.first() {
            Some(first) => (0..first.ndim() as isize).collect(),
            None => return Err(Error::value(OP, "a group has no tensor")),
        };
        let space = Space::new(program, group, &axes)?;
        beside(group, &space.shape, device)?;
        let at = programs.of(group, &[dtype])?;
        super::check_identities(programs.at(at), &space, group)?;
        let read: SmallVec<[Cow<'_, Tensor>; 4]> =
            group.iter().map(|t| t.to_read()).collect::<Result<_>>()?;
        each.push((at, space, read));
    }
    let mut tasks = Vec::new();
    for (k, (at, space, read)) in each.iter().enumerate() {
        let (typed, row) = (programs.at(*at), space.row_shape());
        tasks.push(Task {
            program: typed,
            outer: Dims::new(),
            inputs: space.slots(program, typed, read)?,
            outputs: vec![Slot {
                address: base.wrapping_add(k * dtype.size()),
                outer: Strides::new(),
                row: row.iter().map(|_| 0).collect(),
            }],
            row,
            params: numbers,
        });
    }
    run_each(device, &tasks)?;
    Ok(totals)
}

/// A program for the types that it was asked for, each once.
struct Programs<'a> {
    program: &'a Program,
    known: Vec<(Vec<DType>, Indices, Typed)>,
}

impl<'a> Programs<'a> {
    fn new(program: &'a Program) -> Programs<'a> {
        Programs {
            program,
            known: Vec::new(),
        }
    }

    /// The place of the program for operands and results like these.
    fn of(&mut self, inputs: &[&Tensor], outputs: &[DType]) -> Result<usize> {
        let without_memory = indices(inputs);
        let dtypes = || inputs.iter().map(|t| t.dtype());
        let same = |(known, indices, _): &(Vec<DType>, Indices, Typed)| {
            let all = dtypes().chain(outputs.iter().copied());
            *indices == without_memory && known.iter().copied().eq(all)
        };
        if let Some(at) = self.known.iter().position(same) {
            return Ok(at);
        }
        // few: the operands of a formula.
        let given: Vec<DType> = dtypes().collect();
        let typed = lower_to(self.program, &given, outputs, without_memory)?;
        let all = [&given[..], outputs].concat();
        self.known.push((all, without_memory, typed));
        Ok(self.known.len() - 1)
    }

    fn at(&self, at: usize) -> &Typed {
        &self.known[at].2
    }
}
