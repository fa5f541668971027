//! The elements of one tensor in another order, repeated or masked.

use super::create::arange;
use super::elementwise::{Arg, apply};
use super::gather::{index_vector, take};
use super::join::narrow;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::fuse::Prim;
use crate::grad;
use crate::layout::{Dims, count, normalize_axis};
use crate::scalar::Scalar;
use crate::tensor::{Tensor, describe, same_device};

#[cfg(test)]
mod tests;

/// The axes `source` moved to the positions `destination`, the others in their order; a view.
///
/// Errors: [`Error::Axis`] for an axis out of range or named twice, [`Error::Value`] for unequal
/// numbers of axes.
///
/// ```
/// use syntonic_core::ops::rearrange::moveaxis;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::zeros(&[2, 3, 4], DType::F32)?;
/// assert_eq!(moveaxis(&x, &[0], &[-1])?.shape(), [3, 4, 2]);
/// assert!(moveaxis(&x, &[0, 0], &[1, 2]).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn moveaxis(x: &Tensor, source: &[isize], destination: &[isize]) -> Result<Tensor> {
    let op = "moveaxis";
    if source.len() != destination.len() {
        return Err(Error::value(
            op,
            format!("{source:?} to {destination:?}: name as many axes as positions"),
        ));
    }
    let mut order: Vec<Option<usize>> = vec![None; x.ndim()];
    let mut moved = vec![false; x.ndim()];
    for (&from, &to) in source.iter().zip(destination) {
        let (a, b) = (
            normalize_axis(op, from, x.ndim())?,
            normalize_axis(op, to, x.ndim())?,
        );
        if moved[a] || order[b].is_some() {
            let axis = if moved[a] { from } else { to };
            let ndim = x.ndim();
            return Err(Error::Axis { op, axis, ndim });
        }
        moved[a] = true;
        order[b] = Some(a);
    }
    let mut rest = (0..x.ndim()).filter(|&a| !moved[a]);
    let order: Vec<isize> = order
        .into_iter()
        .filter_map(|a| a.or_else(|| rest.next()))
        .map(|a| a as isize)
        .collect();
    x.permute(&order)
}

/// The tensor laid out `repetitions[a]` times along each axis; the shorter of shape and repetitions
/// gets ones in front.
///
/// ```
/// use syntonic_core::ops::rearrange::tile;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([1, 2]);
/// assert_eq!(tile(&x, &[2])?.to_vec::<i32>()?, [1, 2, 1, 2]);
/// assert_eq!(tile(&x, &[3, 1])?.shape(), [3, 2]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn tile(x: &Tensor, repetitions: &[usize]) -> Result<Tensor> {
    let ndim = x.ndim().max(repetitions.len());
    let times = |a: usize| {
        (a + repetitions.len())
            .checked_sub(ndim)
            .map(|i| repetitions[i])
    };
    let len = |a: usize| (a + x.ndim()).checked_sub(ndim).map(|i| x.shape()[i]);
    // Each axis of several elements that repeats becomes a pair: which copy, and where in it.
    let mut pairs = Dims::new();
    let mut single = Dims::new();
    let mut shape = Dims::new();
    for a in 0..ndim {
        let (r, n) = (times(a).unwrap_or(1), len(a).unwrap_or(1));
        if r != 1 && n != 1 {
            single.push(1);
            pairs.push(r);
        }
        single.push(n);
        pairs.push(if n == 1 { r } else { n });
        shape.push(r.saturating_mul(n));
    }
    count("tile", &shape)?;
    let spread = x.reshape(&signed(&single))?.broadcast_to(&pairs)?;
    copied(x, spread)?.reshape(&signed(&shape))
}

/// A copy where `spread` repeats elements, so that results never share memory by accident.
fn copied(x: &Tensor, spread: Tensor) -> Result<Tensor> {
    if spread.numel() == x.numel() {
        Ok(spread)
    } else {
        spread.copy()
    }
}

fn signed(shape: &[usize]) -> Vec<isize> {
    shape.iter().map(|&d| d as isize).collect()
}

/// Each element along `axis` `times` times in a row; without an axis the tensor counts as flat.
///
/// ```
/// use syntonic_core::ops::rearrange::repeat;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([[1, 2], [3, 4]]);
/// assert_eq!(repeat(&x, 2, Some(1))?.to_vec::<i32>()?, [1, 1, 2, 2, 3, 3, 4, 4]);
/// assert_eq!(repeat(&x, 2, None)?.shape(), [8]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn repeat(x: &Tensor, times: usize, axis: Option<isize>) -> Result<Tensor> {
    let Some(axis) = axis else {
        return repeat(&x.reshape(&[-1])?, times, Some(0));
    };
    let axis = normalize_axis("repeat", axis, x.ndim())?;
    let mut wide: Dims = x.shape().into();
    wide.insert(axis + 1, times);
    let mut shape: Dims = x.shape().into();
    shape[axis] = shape[axis].saturating_mul(times);
    count("repeat", &shape)?;
    let spread = x.expand_dims(&[axis as isize + 1])?.broadcast_to(&wide)?;
    copied(x, spread)?.reshape(&signed(&shape))
}

/// Element `i` along `axis` `counts[i]` times in a row; one count serves all elements. Without an
/// axis the tensor counts as flat.
///
/// Errors: [`Error::Shape`] for another number of counts, [`Error::DType`] where they are no
/// integers, [`Error::Value`] for a negative one.
///
/// ```
/// use syntonic_core::ops::rearrange::repeat_each;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([7, 8, 9]);
/// let counts = Tensor::from([0, 1, 2]);
/// assert_eq!(repeat_each(&x, &counts, None)?.to_vec::<i32>()?, [8, 9, 9]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn repeat_each(x: &Tensor, counts: &Tensor, axis: Option<isize>) -> Result<Tensor> {
    let op = "repeat";
    same_device(op, &[x, counts])?;
    let Some(axis) = axis else {
        return repeat_each(&x.reshape(&[-1])?, counts, Some(0));
    };
    let axis = normalize_axis(op, axis, x.ndim())?;
    let len = x.shape()[axis];
    if !counts.dtype().is_integer() {
        return Err(Error::DType {
            op,
            operands: describe(&[x, counts]),
            hint: "counts are integers".into(),
        });
    }
    if counts.ndim() > 1 || (counts.numel() != 1 && counts.numel() != len) {
        return Err(Error::Shape {
            op,
            operands: describe(&[x, counts]),
            hint: format!("give one count, or {len}, one for each position of axis {axis}"),
        });
    }
    let counts = counts
        .reshape(&[-1])?
        .broadcast_to(&[len])?
        .to_vec::<i64>()?;
    let mut total = 0usize;
    for (i, &n) in counts.iter().enumerate() {
        let n = usize::try_from(n)
            .map_err(|_| Error::value(op, format!("count {n} at position {i} is negative")))?;
        total = total.saturating_add(n);
    }
    let mut shape = x.shape().to_vec();
    shape[axis] = total;
    count(op, &shape)?;
    let each = counts.iter().zip(0..);
    let at = each.flat_map(|(&n, i)| std::iter::repeat_n(i, n as usize));
    let at = index_vector(op, x, total, at)?;
    take(x, &at, Some(axis as isize))
}

/// Elements moved on by `shift` along each of `axes`; those pushed out come in at the other end.
/// Shifts of one axis named twice add up. Without axes the one shift moves the flat tensor.
///
/// Errors: [`Error::Value`] where shifts and axes differ in number.
///
/// ```
/// use syntonic_core::ops::rearrange::roll;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([1, 2, 3, 4]);
/// assert_eq!(roll(&x, &[1], None)?.to_vec::<i32>()?, [4, 1, 2, 3]);
/// assert_eq!(roll(&x, &[-1], Some(&[0]))?.to_vec::<i32>()?, [2, 3, 4, 1]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn roll(x: &Tensor, shifts: &[i64], axes: Option<&[isize]>) -> Result<Tensor> {
    let op = "roll";
    let Some(axes) = axes else {
        let flat = roll(&x.reshape(&[-1])?, shifts, Some(&vec![0; shifts.len()]))?;
        return flat.reshape(&signed(x.shape()));
    };
    let one = [shifts.first().copied().unwrap_or(0)];
    let shifts = if shifts.len() == 1 {
        one.repeat(axes.len())
    } else {
        shifts.to_vec()
    };
    if shifts.len() != axes.len() {
        return Err(Error::value(
            op,
            format!(
                "{} shifts for {} axes; give as many, or one",
                shifts.len(),
                axes.len()
            ),
        ));
    }
    let mut by = vec![0i128; x.ndim()];
    for (&shift, &axis) in shifts.iter().zip(axes) {
        by[normalize_axis(op, axis, x.ndim())?] += i128::from(shift);
    }
    if x.is_tracked() {
        return grad::rolled(x, &shifts, axes);
    }
    let out = Tensor::uninit(op, x.shape(), x.dtype(), x.device())?;
    roll_from(&out, x, &by, 0)?;
    Ok(out)
}

/// Writes the blocks of `x` to where they go; each axis with a shift has two.
fn roll_from(out: &Tensor, x: &Tensor, by: &[i128], axis: usize) -> Result<()> {
    if x.numel() == 0 {
        return Ok(());
    }
    let Some(&shift) = by.get(axis) else {
        return out.overwrite(x);
    };
    let len = x.shape()[axis];
    let head = shift.rem_euclid(len as i128) as usize;
    let body = len - head;
    roll_from(
        &narrow(out, axis, head, body)?,
        &narrow(x, axis, 0, body)?,
        by,
        axis + 1,
    )?;
    roll_from(
        &narrow(out, axis, 0, head)?,
        &narrow(x, axis, body, head)?,
        by,
        axis + 1,
    )
}

/// The last two axes with zeros above diagonal `k`.
///
/// Errors: [`Error::Shape`] for fewer than two axes.
///
/// ```
/// use syntonic_core::ops::rearrange::tril;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([[1, 2], [3, 4]]);
/// assert_eq!(tril(&x, 0)?.to_vec::<i32>()?, [1, 0, 3, 4]);
/// assert_eq!(tril(&x, -1)?.to_vec::<i32>()?, [0, 0, 3, 0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn tril(x: &Tensor, k: i64) -> Result<Tensor> {
    triangle("tril", x, k, Prim::Le)
}

/// The last two axes with zeros below diagonal `k`.
///
/// Errors: [`Error::Shape`] for fewer than two axes.
///
/// ```
/// use syntonic_core::ops::rearrange::triu;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([[1, 2], [3, 4]]);
/// assert_eq!(triu(&x, 0)?.to_vec::<i32>()?, [1, 2, 0, 4]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn triu(x: &Tensor, k: i64) -> Result<Tensor> {
    triangle("triu", x, k, Prim::Ge)
}

/// Keeps what `col - k` bears the relation `keep` to: the row.
fn triangle(op: &'static str, x: &Tensor, k: i64, keep: Prim) -> Result<Tensor> {
    let Some(first) = x.ndim().checked_sub(2) else {
        return Err(Error::Shape {
            op,
            operands: describe(&[x]),
            hint: "a triangle needs two axes".into(),
        });
    };
    let (rows, cols) = (x.shape()[first], x.shape()[first + 1]);
    // Diagonals beyond a corner are all alike, and nearer ones cannot overflow.
    let k = k.clamp(-(rows as i64), cols as i64);
    let line = |n: usize, from: i64| {
        let (a, b) = (i128::from(from), i128::from(from) + n as i128);
        let step = Scalar::Int(1);
        arange(
            Scalar::Int(a),
            Scalar::Int(b),
            step,
            Some(DType::I64),
            x.device(),
        )
    };
    let row = line(rows, 0)?.expand_dims(&[1])?;
    let kept = apply(keep, &[(&line(cols, -k)?).into(), (&row).into()])?;
    let zero = match x.dtype() {
        DType::Bool => Scalar::Bool(false),
        _ => Scalar::Int(0),
    };
    apply(Prim::Select, &[(&kept).into(), x.into(), Arg::Number(zero)])
}
