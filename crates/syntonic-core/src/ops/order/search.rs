//! Looking elements up in a sorted vector.

use super::rank::{Direction, Ordered, with_order};
use super::sort::{ranks, sort};
use crate::cpu::threads::{self, share_chunks};
use crate::device::{Arg as Operand, Kernel, Launch};
use crate::dtype::{DType, Kind};
use crate::error::{Error, Result};
use crate::fuse::Prim;
use crate::interrupt::Outcome;
use crate::ops::elementwise::{Arg, apply};
use crate::ops::gather::take;
use crate::ops::lines::Lines;
use crate::ops::moves::{arg, launch};
use crate::scalar::Scalar;
use crate::tensor::{Tensor, describe, same_device};

/// Where each element would go into a sorted vector.
///
/// Inputs: a vector in ascending order, and elements of the same dtype in a row-major vector of any
/// length; output `int64`, row-major, of that length. Parameter: whether a place after equal
/// elements is asked for.
pub static SEARCH_SORTED: Kernel = Kernel {
    name: "searchsorted",
    cpu: run,
};

/// Which place among equal elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Before the first.
    Left,
    /// After the last.
    Right,
}

/// The place of each value in a sorted vector, `sorted[i - 1] < value <= sorted[i]` for
/// [`Side::Left`] and `sorted[i - 1] <= value < sorted[i]` for [`Side::Right`]: `[n]` and any shape
/// `-> int64` of that shape. NaN counts as larger than every number.
///
/// With a `sorter`, `sorted` is taken in its order. Errors where `sorted` is no vector, or the
/// sorter has not its length or holds no integers.
///
/// ```
/// use syntonic_core::ops::order::{Side, searchsorted};
/// use syntonic_core::prelude::*;
///
/// let sorted = Tensor::from([10, 20, 20, 30]);
/// let values = Tensor::from([5, 20, 99]);
/// let place = |side| searchsorted(&sorted, &values, side, None)?.to_vec::<i64>();
/// assert_eq!(place(Side::Left)?, [0, 1, 4]);
/// assert_eq!(place(Side::Right)?, [0, 3, 4]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn searchsorted(
    sorted: &Tensor,
    values: &Tensor,
    side: Side,
    sorter: Option<&Tensor>,
) -> Result<Tensor> {
    const OP: &str = "searchsorted";
    // Positions are constants.
    let (sorted, values) = (&sorted.stop_gradient(), &values.stop_gradient());
    let device = same_device(OP, &[sorted, values])?;
    let fits = sorter.is_none_or(|s| s.shape() == sorted.shape());
    if sorted.ndim() != 1 || !fits {
        return Err(Error::Shape {
            op: OP,
            operands: describe(
                &[sorted, values]
                    .into_iter()
                    .chain(sorter)
                    .collect::<Vec<_>>(),
            ),
            hint: "the sorted operand is a vector, and a sorter has its length".into(),
        });
    }
    if let Some((low, high)) = apart(sorted.dtype(), values.dtype()) {
        return searchsorted_apart(sorted, values, side, sorter, [low, high]);
    }
    let dtype = sorted.dtype().promote(values.dtype());
    let table = match sorter {
        Some(order) => take(sorted, order, Some(0))?,
        None => sorted.to_read()?.into_owned(),
    };
    let wanted = values.to_read()?.cast(dtype)?.reshape(&[-1])?;
    let table = table.cast(dtype)?;
    let wanted = wanted.contiguous()?;
    let out = Tensor::uninit(OP, values.shape(), DType::I64, &device)?;
    if out.numel() == 0 {
        return Ok(out);
    }
    let inputs = vec![arg(&table)?, arg(&wanted)?];
    let params = vec![Scalar::Bool(side == Side::Right)];
    let flat = out.reshape(&[-1])?;
    // SAFETY: the operands are live and of the types and lengths that the kernel asks for.
    unsafe { launch(&SEARCH_SORTED, &out, inputs, vec![arg(&flat)?], params)? };
    Ok(out)
}

/// The ends of the type of the elements in a sorted vector, where those looked up are integers that no type holds together with
/// them: of 64 bits without a sign, and of any with one.
fn apart(sorted: DType, values: DType) -> Option<(i128, i128)> {
    let mixed = (sorted == DType::U64 && values.kind() == Kind::Signed)
        || (values == DType::U64 && sorted.kind() == Kind::Signed);
    mixed.then(|| sorted.integers()).flatten()
}

/// [`searchsorted`] of what no type holds together with the elements of the vector: the values are taken to its type, and the place
/// of those beyond an end of it is that end.
fn searchsorted_apart(
    sorted: &Tensor,
    values: &Tensor,
    side: Side,
    sorter: Option<&Tensor>,
    [low, high]: [i128; 2],
) -> Result<Tensor> {
    let compare = |prim, end: i128| apply(prim, &[values.into(), Arg::Number(Scalar::Int(end))]);
    let choose = |which: &Tensor, a: i128, b: &Tensor| {
        apply(
            Prim::Select,
            &[which.into(), Arg::Number(Scalar::Int(a)), b.into()],
        )
    };
    // Conversions wrap, and what they make of the values beyond an end is not looked at.
    let place = searchsorted(sorted, &values.cast(sorted.dtype())?, side, sorter)?;
    let place = choose(&compare(Prim::Lt, low)?, 0, &place)?;
    choose(&compare(Prim::Gt, high)?, sorted.numel() as i128, &place)
}

/// # Safety
/// As [`SEARCH_SORTED`] says.
unsafe fn run(launch: &Launch) -> Result<()> {
    // SAFETY: the caller's promise, for the element type that the inputs have.
    with_order!(launch.inputs[0].dtype, T => unsafe { find::<T>(launch) })
}

/// # Safety
/// As [`SEARCH_SORTED`] says, with elements of type `T`.
unsafe fn find<T: Ordered>(launch: &Launch) -> Result<()> {
    let length = |a: &Operand| a.layout.numel();
    let (table, wanted, out) = (&launch.inputs[0], &launch.inputs[1], &launch.outputs[0]);
    let rank = |x: T| x.plain().rank(Direction::Ascending);
    // SAFETY: both vectors are live.
    let (table, wanted) = unsafe {
        (
            ranks::<T>(&Lines::of(&[table]), 0, length(table), rank)?,
            std::slice::from_raw_parts(wanted.address().cast::<T>(), length(wanted)),
        )
    };
    // SAFETY: the output has the length of the wanted elements, and is apart from them.
    let out = unsafe { std::slice::from_raw_parts_mut(out.address().cast::<i64>(), wanted.len()) };
    let right = launch.params.first().is_some_and(|p| p.to_bool());
    if right {
        each(out, wanted, |x| {
            let x = rank(x);
            table.partition_point(|&y| y <= x)
        })?;
    } else {
        each(out, wanted, |x| {
            let x = rank(x);
            table.partition_point(|&y| y < x)
        })?;
    }
    Ok(())
}

/// Elements that one thread looks up in one go.
const LONGEST: usize = 1 << 16;

/// Fills `out` with the place of each wanted element.
fn each<T: Ordered>(out: &mut [i64], wanted: &[T], place: impl Fn(T) -> usize + Sync) -> Outcome {
    let write = |(to, &x): (&mut i64, &T)| *to = place(x) as i64;
    if wanted.len() < 4096 {
        out.iter_mut().zip(wanted).for_each(write);
        return Ok(());
    }
    let fair = wanted.len().div_ceil(4 * threads::count());
    share_chunks(out, fair.clamp(1024, LONGEST), |start, out| {
        out.iter_mut().zip(&wanted[start..]).for_each(write);
    })
}

/// Which answer [`isin`] gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Membership {
    /// True for elements of the set.
    Inside,
    /// True for all others.
    Outside,
}

/// Whether each element of `x` is among `set`, of any shape: `bool` of the shape of `x`. NaN is in no
/// set.
///
/// Errors where the devices differ.
///
/// ```
/// use syntonic_core::ops::order::{Membership, isin};
/// use syntonic_core::prelude::*;
///
/// let (x, set) = (Tensor::from([1, 2, 3]), Tensor::from([3, 1]));
/// assert_eq!(isin(&x, &set, Membership::Inside)?.to_vec::<bool>()?, [true, false, true]);
/// assert_eq!(isin(&x, &set, Membership::Outside)?.to_vec::<bool>()?, [false, true, false]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn isin(x: &Tensor, set: &Tensor, membership: Membership) -> Result<Tensor> {
    let device = same_device("isin", &[x, set])?;
    let outside = membership == Membership::Outside;
    if set.numel() == 0 {
        return Tensor::full_on(x.shape(), Scalar::Bool(outside), DType::Bool, &device);
    }
    // Integers that no type holds together are compared as they are.
    let (x, set) = match apart(set.dtype(), x.dtype()) {
        Some(_) => (x.clone(), set.clone()),
        None => {
            let dtype = x.dtype().promote(set.dtype());
            (x.cast(dtype)?, set.cast(dtype)?)
        }
    };
    let dtype = set.dtype();
    let mut set = set.reshape(&[-1])?;
    if dtype.is_complex() {
        // Sorting tells zeros of both signs apart and the search does not: a part that is -0 becomes 0, lest
        // what follows it be out of order.
        let zero = Arg::Number(Scalar::Int(0));
        set = apply(Prim::Add, &[(&set).into(), zero])?;
    }
    let sorted = sort(&set, 0, Direction::Ascending)?;
    let place = searchsorted(&sorted, &x, Side::Left, None)?;
    // An element larger than all others is compared with the last one.
    let last = Scalar::Int(sorted.numel() as i128 - 1);
    let place = apply(Prim::Min, &[(&place).into(), Arg::Number(last)])?;
    let found = take(&sorted, &place, Some(0))?;
    let prim = if outside { Prim::Ne } else { Prim::Eq };
    apply(prim, &[(&x).into(), (&found).into()])
}
