//! Sorting along an axis.

use super::rank::{Direction, Ordered, Rank, with_order};
use crate::device::{Arg, Kernel, Launch};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::float8;
use crate::interrupt::{Interrupted, Pace, collected, in_pieces};
use crate::layout::normalize_axis;
use crate::ops::gather::take_along_axis;
use crate::ops::lines::Lines;
use crate::ops::moves::{arg, launch};
use crate::ops::scan::last_order;
use crate::scalar::Scalar;
use crate::tensor::{Tensor, describe};

/// The elements of each line along the last axis in order.
///
/// Input `x` and output of one dtype and shape, any strides. Parameter: whether large comes first.
pub static SORT: Kernel = Kernel {
    name: "sort",
    cpu: run_sort,
};

/// The positions that put each line along the last axis in order; equal elements keep theirs.
///
/// Input `x` of any dtype, output `int64` of its shape, any strides. Parameter as for [`SORT`].
pub static ARGSORT: Kernel = Kernel {
    name: "argsort",
    cpu: run_argsort,
};

/// The elements along `axis` in order, NaN last in both directions: the same shape and dtype.
///
/// Among zeros of both signs the order is that of the direction. Errors where `axis` is out of range.
///
/// ```
/// use syntonic_core::ops::order::{Direction, sort};
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([3.0, f64::NAN, 2.0]);
/// let down = sort(&x, 0, Direction::Descending)?.to_vec::<f64>()?;
/// assert!(down[..2] == [3.0, 2.0] && down[2].is_nan());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn sort(x: &Tensor, axis: isize, direction: Direction) -> Result<Tensor> {
    if x.is_tracked() {
        return take_along_axis(x, &argsort(x, axis, direction)?, axis);
    }
    along(&SORT, x, axis, x.dtype(), direction)
}

/// The positions along `axis` that put the elements in order, NaN last in both directions: the same
/// shape, `int64`. Equal elements, zeros of both signs among them, keep their order.
///
/// Errors where `axis` is out of range or has 2^32 elements or more.
///
/// ```
/// use syntonic_core::ops::order::{Direction, argsort};
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([[3, 1, 3], [6, 5, 4]]);
/// assert_eq!(argsort(&x, 1, Direction::Ascending)?.to_vec::<i64>()?, [1, 0, 2, 2, 1, 0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn argsort(x: &Tensor, axis: isize, direction: Direction) -> Result<Tensor> {
    // Positions are constants.
    let x = &x.stop_gradient();
    along(&ARGSORT, x, axis, DType::I64, direction)
}

fn along(
    kernel: &'static Kernel,
    x: &Tensor,
    axis: isize,
    dtype: DType,
    direction: Direction,
) -> Result<Tensor> {
    let op = kernel.name;
    float8::check(op, &[x])?;
    let axis = normalize_axis(op, axis, x.ndim())?;
    check_length(op, x, axis)?;
    let out = Tensor::uninit(op, x.shape(), dtype, x.device())?;
    if out.numel() == 0 {
        return Ok(out);
    }
    let x = x.to_read()?;
    let order = last_order(axis, x.ndim());
    let (from, to) = (x.permute(&order)?, out.permute(&order)?);
    let params = vec![descending(direction)];
    // SAFETY: both operands are live and of one shape, and the output is fresh.
    unsafe { launch(kernel, &out, vec![arg(&from)?], vec![arg(&to)?], params)? };
    Ok(out)
}

/// Positions are kept in 32 bits.
pub(super) fn check_length(op: &'static str, x: &Tensor, axis: usize) -> Result<()> {
    if x.shape()[axis] <= u32::MAX as usize {
        return Ok(());
    }
    Err(Error::Shape {
        op,
        operands: describe(&[x]),
        hint: format!("axis {axis} must have fewer than 2^32 elements"),
    })
}

/// Elements that are taken before the caller is asked whether to go on: few, since each may be the first of its page.
const UNASKED: usize = 1 << 12;

/// The direction as a parameter of a kernel.
pub(super) fn descending(direction: Direction) -> Scalar {
    Scalar::Bool(direction == Direction::Descending)
}

/// The direction that a kernel was given.
pub(super) fn direction(launch: &Launch) -> Direction {
    if launch.params.first().is_some_and(|p| p.to_bool()) {
        Direction::Descending
    } else {
        Direction::Ascending
    }
}

/// # Safety
/// As [`SORT`] says.
unsafe fn run_sort(launch: &Launch) -> Result<()> {
    let (x, out) = (&launch.inputs[0], &launch.outputs[0]);
    // SAFETY: the caller's promise, for the element type that the operands have.
    with_order!(x.dtype, T => unsafe { sort_lines::<T>(x, out, direction(launch)) })
}

/// # Safety
/// As [`SORT`] says, with elements of type `T`.
unsafe fn sort_lines<T: Ordered>(x: &Arg, out: &Arg, direction: Direction) -> Result<()> {
    let lines = Lines::of(&[x, out]);
    let n = x.layout.shape().last().copied().unwrap_or(0);
    lines.for_each(n * 10, |at| {
        // SAFETY: the line lies in the input.
        let mut ranks = unsafe { ranks::<T>(&lines, at, n, |x| x.rank(direction))? };
        T::Rank::sort(&mut ranks)?;
        let to = lines.start::<T>(1, at);
        if lines.steps[1] == 1 {
            // SAFETY: the line of the output, which lies in one piece.
            let to = unsafe { std::slice::from_raw_parts_mut(to, n) };
            return Ok(in_pieces(n, UNASKED, |first, end| {
                for (to, &rank) in to[first..end].iter_mut().zip(&ranks[first..end]) {
                    *to = T::value(rank, direction);
                }
            })?);
        }
        let mut pace = Pace::new(0, UNASKED);
        for (i, rank) in ranks.into_iter().enumerate() {
            if pace.stops(i) {
                return Err(Interrupted.into());
            }
            // SAFETY: element `i` of the line of the output.
            unsafe { *to.wrapping_offset(i as isize * lines.steps[1]) = T::value(rank, direction) };
        }
        Ok(())
    })
}

/// The ranks of line `at` of operand 0.
///
/// # Safety
/// The line is live for `n` elements of type `T`.
pub(super) unsafe fn ranks<T: Ordered>(
    lines: &Lines,
    at: usize,
    n: usize,
    rank: impl Fn(T) -> T::Rank,
) -> Result<Vec<T::Rank>> {
    let from = lines.start::<T>(0, at).cast_const();
    let step = lines.steps[0];
    if step == 1 {
        // SAFETY: the line of the input, which lies in one piece.
        let line = unsafe { std::slice::from_raw_parts(from, n) };
        return collected(n, UNASKED, |i| rank(line[i]));
    }
    collected(n, UNASKED, |i| {
        // SAFETY: element `i` of the line.
        rank(unsafe { *from.wrapping_offset(i as isize * step) })
    })
}

/// # Safety
/// As [`ARGSORT`] says.
unsafe fn run_argsort(launch: &Launch) -> Result<()> {
    let (x, out) = (&launch.inputs[0], &launch.outputs[0]);
    // SAFETY: the caller's promise, for the element type that the input has.
    with_order!(x.dtype, T => unsafe { argsort_lines::<T>(x, out, direction(launch)) })
}

/// # Safety
/// As [`ARGSORT`] says, with elements of type `T`.
unsafe fn argsort_lines<T: Ordered>(x: &Arg, out: &Arg, direction: Direction) -> Result<()> {
    let lines = Lines::of(&[x, out]);
    let n = x.layout.shape().last().copied().unwrap_or(0);
    lines.for_each(n * 15, |at| {
        // SAFETY: the line lies in the input.
        let ranks = unsafe { ranks::<T>(&lines, at, n, |x| x.plain().rank(direction))? };
        let mut pace = Pace::new(0, UNASKED);
        let to = lines.start::<i64>(1, at);
        for (i, position) in T::Rank::positions(&ranks)?.enumerate() {
            if pace.stops(i) {
                return Err(Interrupted.into());
            }
            let to = to.wrapping_offset(i as isize * lines.steps[1]);
            // SAFETY: element `i` of the line of the output.
            unsafe { *to = i64::from(position) };
        }
        Ok(())
    })
}
