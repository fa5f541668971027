//! The first few in order, without sorting the rest.

use super::radix::sort_by;
use super::rank::{Direction, Ordered, Rank, with_order};
use super::sort::{check_length, descending, direction, ranks};
use crate::device::{Arg, Kernel, Launch};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::interrupt::{Interrupted, Pace, in_pieces};
use crate::layout::normalize_axis;
use crate::ops::gather::take_along_axis;
use crate::ops::lines::Lines;
use crate::ops::moves::{arg, launch};
use crate::ops::scan::last_order;
use crate::room;
use crate::scalar::Scalar;
use crate::tensor::{Tensor, describe};

/// The first `k` elements of each line along the last axis, and their positions.
///
/// Input `x`; outputs of its leading lengths and `k`: values of its dtype, positions `int64`; any
/// strides. Parameters: whether large comes first; whether the result is in order, or in the order
/// of the positions.
pub static TOPK: Kernel = Kernel {
    name: "topk",
    cpu: run,
};

/// Which end of the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extreme {
    /// The largest elements.
    Largest,
    /// The smallest elements.
    Smallest,
}

/// How the selected elements are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranked {
    /// The most extreme first.
    InOrder,
    /// As they come along the axis.
    InPlace,
}

/// The `k` most extreme elements along `axis` and their positions: `[.., n, ..] -> [.., k, ..]`
/// twice, the dtype of `x` and `int64`. Among equal elements the first ones are taken; NaN last.
///
/// Errors where `axis` is out of range, or `k` is more than its length.
///
/// ```
/// use syntonic_core::ops::order::{Extreme, Ranked, topk};
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([5, 9, 1, 7]);
/// let (values, at) = topk(&x, 2, 0, Extreme::Largest, Ranked::InOrder)?;
/// assert_eq!((values.to_vec::<i32>()?, at.to_vec::<i64>()?), (vec![9, 7], vec![1, 3]));
/// assert!(topk(&x, 5, 0, Extreme::Largest, Ranked::InOrder).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn topk(
    x: &Tensor,
    k: usize,
    axis: isize,
    extreme: Extreme,
    ranked: Ranked,
) -> Result<(Tensor, Tensor)> {
    const OP: &str = "topk";
    let axis = normalize_axis(OP, axis, x.ndim())?;
    check_length(OP, x, axis)?;
    if k > x.shape()[axis] {
        return Err(Error::Shape {
            op: OP,
            operands: describe(&[x]),
            hint: format!(
                "k = {k} is more than the {} elements of the axis",
                x.shape()[axis]
            ),
        });
    }
    if x.is_tracked() {
        let (_, positions) = topk(&x.stop_gradient(), k, axis as isize, extreme, ranked)?;
        return Ok((take_along_axis(x, &positions, axis as isize)?, positions));
    }
    let mut shape = x.shape().to_vec();
    shape[axis] = k;
    let values = Tensor::uninit(OP, &shape, x.dtype(), x.device())?;
    let positions = Tensor::uninit(OP, &shape, DType::I64, x.device())?;
    if values.numel() == 0 {
        return Ok((values, positions));
    }
    let x = x.to_read()?;
    let order = last_order(axis, x.ndim());
    let view = |t: &Tensor| arg(&t.permute(&order)?);
    let way = match extreme {
        Extreme::Largest => Direction::Descending,
        Extreme::Smallest => Direction::Ascending,
    };
    let params = vec![descending(way), Scalar::Bool(ranked == Ranked::InOrder)];
    let outputs = vec![view(&values)?, view(&positions)?];
    // SAFETY: the operands are live, the outputs fresh, with the lengths that the kernel asks for.
    unsafe { launch(&TOPK, &values, vec![view(&x)?], outputs, params)? };
    Ok((values, positions))
}

/// # Safety
/// As [`TOPK`] says.
unsafe fn run(launch: &Launch) -> Result<()> {
    let in_order = launch.params.get(1).is_some_and(|p| p.to_bool());
    let (x, way) = (&launch.inputs[0], direction(launch));
    // SAFETY: the caller's promise, for the element type that the input has.
    with_order!(x.dtype, T => unsafe { select::<T>(x, &launch.outputs, way, in_order) })
}

/// # Safety
/// As [`TOPK`] says, with elements of type `T`.
unsafe fn select<T: Ordered>(
    x: &Arg,
    outputs: &[Arg],
    way: Direction,
    in_order: bool,
) -> Result<()> {
    let lines = Lines::of(&[x, &outputs[0], &outputs[1]]);
    let last = |a: &Arg| a.layout.shape().last().copied().unwrap_or(0);
    let (n, k) = (last(x), last(&outputs[0]));
    lines.for_each(n * 4, |at| {
        // SAFETY: the line lies in the input.
        let ranks = unsafe { ranks::<T>(&lines, at, n, |x| x.plain().rank(way))? };
        // With its position each rank is different, so that the first of equal elements are taken.
        let mut pairs = first(&ranks, k)?;
        if in_order {
            sort_by(&mut pairs, Ord::cmp)?;
        } else {
            sort_by(&mut pairs, |a, b| a.1.cmp(&b.1))?;
        }
        let mut pace = Pace::new(0, PART);
        let from = lines.start::<T>(0, at);
        let (values, positions) = (lines.start::<T>(1, at), lines.start::<i64>(2, at));
        for (i, (_, position)) in pairs.into_iter().enumerate() {
            if pace.stops(i) {
                return Err(Interrupted.into());
            }
            let i = i as isize;
            // SAFETY: `position` is one of the input's line, `i` one of the outputs'.
            unsafe {
                *values.wrapping_offset(i * lines.steps[1]) =
                    *from.wrapping_offset(position as isize * lines.steps[0]);
                *positions.wrapping_offset(i * lines.steps[2]) = i64::from(position);
            }
        }
        Ok(())
    })
}

/// Ranks that are looked at before the caller is asked whether to go on.
const PART: usize = 1 << 18;

/// The `k` first of the ranks, in any order, each with its position.
fn first<R: Rank>(ranks: &[R], k: usize) -> Result<Vec<(R, u32)>> {
    let numbered = |from: usize, to: usize| ranks[from..to].iter().copied().zip(from as u32..);
    if ranks.len() > PART && k > PART {
        // Too many to choose from a part and those before it.
        let mut pairs = room::collected(numbered(0, ranks.len()))?;
        sort_by(&mut pairs, Ord::cmp)?;
        pairs.truncate(k);
        return Ok(pairs);
    }
    let mut pairs = room::empty(ranks.len().min(k + PART))?;
    in_pieces(ranks.len(), PART, |from, to| {
        pairs.extend(numbered(from, to));
        if k < pairs.len() {
            pairs.select_nth_unstable(k);
            pairs.truncate(k);
        }
    })?;
    Ok(pairs)
}
