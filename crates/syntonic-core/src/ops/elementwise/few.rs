//! Operators over few elements in host memory: operands that do not lie as the result will are laid out so, and the kernel is called
//! once. That costs less than a plan.

use super::{Arg, common_dtype, power};
use crate::buffer::Buffer;
use crate::cpu::lanes::{self, LaneFn, Level, Place};
use crate::device::{Device, DeviceId};
use crate::dtype::{DType, Kind};
use crate::error::Result;
use crate::fuse::{Fold, Prim};
use crate::graph::is_capturing;
use crate::layout::{Dims, broadcast_pair};
use crate::profile;
use crate::tensor::{Single, Tensor, shares};
use smallvec::SmallVec;
use std::sync::Arc;

/// Elements up to which laying operands out anew costs less than walking them as they lie.
const FEW: usize = 1024;

/// Bytes of elements in a row, at addresses that every type can have; those of short rows take no allocation.
type Row = SmallVec<[u64; 64]>;

/// True where what the device is asked is taken down, by a graph or a profile: nothing is computed beside it then.
fn is_watched() -> bool {
    is_capturing(DeviceId::Cpu) || profile::is_active()
}

/// Room for `n` elements of `dtype`, whose bytes are whatever they are.
fn row(n: usize, dtype: DType) -> Row {
    // few: elements of one small operand.
    SmallVec::from_elem(0, (n * dtype.size()).div_ceil(size_of::<u64>()))
}

/// The memory of a tensor that the host may read as it pleases, and where the first element lies.
fn at_hand<'a>(t: &'a Tensor, device: &Arc<dyn Device>) -> Option<(&'a Arc<Buffer>, *mut u8)> {
    let buffer = t.source().in_memory()?;
    let plain = buffer.is_host()
        && Arc::ptr_eq(buffer.device(), device)
        && !buffer.is_busy()
        && !t.has_strange_truths();
    let first = t.layout().offset() * t.dtype().size();
    plain.then(|| (buffer, buffer.address().wrapping_add(first)))
}

/// Runs `step` over each run of a walk along its last axis, with its distance in elements from the first one, its stride and its length.
fn runs(shape: &[usize], strides: &[isize], mut step: impl FnMut(isize, isize, usize)) {
    let Some((&len, outer)) = shape.split_last() else {
        return step(0, 0, 1);
    };
    let stride = strides[outer.len()];
    let mut index: Dims = SmallVec::from_elem(0, outer.len());
    let mut at = 0;
    loop {
        step(at, stride, len);
        let mut axis = outer.len();
        loop {
            let Some(next) = axis.checked_sub(1) else {
                return;
            };
            axis = next;
            index[axis] += 1;
            // Of an axis of one the stride may be any number.
            at = at.wrapping_add(strides[axis]);
            if index[axis] < outer[axis] {
                break;
            }
            at = at.wrapping_sub(strides[axis].wrapping_mul(outer[axis] as isize));
            index[axis] = 0;
        }
    }
}

/// Lays elements out row by row.
///
/// # Safety
/// The walk from `from` reaches live elements of `size` bytes; `to` has room for all of them and is apart from them.
unsafe fn gather(from: *const u8, shape: &[usize], strides: &[isize], size: usize, to: *mut u8) {
    let mut to = to;
    runs(shape, strides, |at, stride, len| {
        // SAFETY: the caller's promise, for one run.
        unsafe {
            let from = from.offset(at * size as isize);
            lanes::gather(to, from, stride.wrapping_mul(size as isize), size, len);
            to = to.add(len * size);
        }
    });
}

/// The reverse of [`gather`].
///
/// # Safety
/// As there.
unsafe fn scatter(to: *mut u8, shape: &[usize], strides: &[isize], size: usize, from: *const u8) {
    let mut from = from;
    runs(shape, strides, |at, stride, len| {
        // SAFETY: the caller's promise, for one run.
        unsafe {
            let to = to.offset(at * size as isize);
            lanes::scatter(to, stride.wrapping_mul(size as isize), from, size, len);
            from = from.add(len * size);
        }
    });
}

/// An operand as the kernel reads it.
#[allow(
    clippy::large_enum_variant,
    reason = "it lies on the stack for the length of one call"
)]
enum Laid {
    /// Where it lies.
    There(*const u8),
    /// In memory of its own.
    Here(Row),
    /// One number for all elements, where the kernel takes that.
    One(Single),
}

impl Laid {
    fn address(&self) -> *const u8 {
        match self {
            Laid::There(address) => *address,
            Laid::Here(row) => row.as_ptr().cast(),
            Laid::One(x) => x.address(),
        }
    }
}

/// A tensor, broadcast to `shape` of `n` elements and cast to `dtype`, row by row; where it lies if that is it and `may_stay`.
fn laid(
    t: &Tensor,
    device: &Arc<dyn Device>,
    shape: &[usize],
    n: usize,
    dtype: DType,
    may_stay: bool,
) -> Option<Laid> {
    let (_, first) = at_hand(t, device)?;
    let from = t.dtype();
    let in_order = t.shape() == shape && t.is_contiguous();
    if in_order && from == dtype && may_stay {
        return Some(Laid::There(first));
    }
    let gathered = if in_order && from != dtype {
        Laid::There(first)
    } else {
        let layout = t.layout().broadcast_to(shape)?;
        let mut gathered = row(n, from);
        let to = gathered.as_mut_ptr().cast();
        // SAFETY: the tensor's elements are live host memory, and the row has room for `n` of them.
        unsafe { gather(first, shape, layout.strides(), from.size(), to) };
        Laid::Here(gathered)
    };
    if from == dtype {
        return Some(gathered);
    }
    let mut cast = row(n, dtype);
    let (to, none) = (cast.as_mut_ptr().cast(), std::ptr::null());
    // SAFETY: `n` elements of `from` in a row, and room for as many of `dtype`.
    unsafe { lanes::cast(from, dtype)(to, gathered.address(), none, none, n) };
    Some(Laid::Here(cast))
}

/// The kernel of `prim` whose operand `k` of two is one number, if there is one.
pub(super) fn beside(prim: Prim, dtype: DType, k: usize) -> Option<LaneFn> {
    let place = if k == 0 { Place::First } else { Place::Second };
    lanes::kernel_beside_at(Level::current(), prim, dtype, place)
}

/// A number as operand `k` for a kernel over `n` elements, and the kernel that takes it so.
fn number(prim: Prim, k: usize, x: Single, n: usize, kernel: &mut LaneFn) -> Laid {
    match beside(prim, x.dtype(), k) {
        Some(beside) => {
            *kernel = beside;
            Laid::One(x)
        }
        None => repeated(x, n),
    }
}

/// `n` copies of a number.
fn repeated(x: Single, n: usize) -> Laid {
    let size = x.dtype().size();
    let mut all = row(n, x.dtype());
    // SAFETY: the row has room for `n` elements of this size.
    unsafe { lanes::fill(all.as_mut_ptr().cast(), x.address(), size, n) };
    Laid::Here(all)
}

/// True for unsigned integers of 64 bits beside signed ones: no type holds both, and comparisons of them are exact.
pub(super) fn have_no_type(dtypes: impl Iterator<Item = DType>) -> bool {
    let (mut unsigned, mut signed) = (false, false);
    for dtype in dtypes {
        unsigned |= dtype == DType::U64;
        signed |= dtype.kind() == Kind::Signed;
    }
    unsigned && signed
}

/// What operands of these types are computed in, and how; none where they go another way: half types, whose values wait in an expression,
/// powers that are another formula, choices, and types that the primitive does not take.
fn kernel_of(prim: Prim, args: &[Arg<'_>]) -> Option<(DType, LaneFn)> {
    let dtypes = args.iter().filter_map(|arg| match arg {
        Arg::Tensor(t) => Some(t.dtype()),
        Arg::Number(_) => None,
    });
    if prim == Prim::Select || power::is_short(prim, args) || have_no_type(dtypes) {
        return None;
    }
    let dtype = prim.operand_dtype(common_dtype(prim, args))?;
    Some((dtype, lanes::kernel(prim, dtype)?))
}

/// The shape that all tensors broadcast to, and its number of elements; none where there are too many, or none.
fn space(args: &[Arg<'_>]) -> Option<(Dims, usize)> {
    let mut shape = Dims::new();
    for arg in args {
        if let Arg::Tensor(t) = arg {
            shape = broadcast_pair(&shape, t.shape())?;
        }
    }
    let n = shape
        .iter()
        .try_fold(1usize, |n, &len| n.checked_mul(len))?;
    ((1..=FEW).contains(&n)).then_some((shape, n))
}

/// The operator over few elements, computed at once; none where it takes more than that.
pub(super) fn at_once(prim: Prim, args: &[Arg<'_>]) -> Option<Result<Tensor>> {
    let mut tensors = args.iter().filter_map(|arg| match arg {
        Arg::Tensor(t) => Some(*t),
        Arg::Number(_) => None,
    });
    let device = tensors.next()?.device();
    if device.id() != DeviceId::Cpu || device.eager_elements() == 0 || is_watched() {
        return None;
    }
    let (shape, n) = space(args)?;
    let (dtype, mut kernel) = kernel_of(prim, args)?;
    let mut operands: SmallVec<[Laid; 2]> = SmallVec::new();
    for (k, arg) in args.iter().enumerate() {
        operands.push(match arg {
            Arg::Tensor(t) => laid(t, device, &shape, n, dtype, true)?,
            Arg::Number(x) => number(prim, k, Single::new(*x, dtype), n, &mut kernel),
        });
    }
    let out = match Tensor::uninit(prim.name(), &shape, prim.result_dtype(dtype), device) {
        Ok(out) => out,
        Err(e) => return Some(Err(e)),
    };
    let (_, to) = at_hand(&out, device)?;
    let address = |k: usize| operands.get(k).map_or(std::ptr::null(), Laid::address);
    // SAFETY: every operand is `n` elements of `dtype` in a row, or one where the kernel takes one; the output is fresh, and the kernel was chosen for this type.
    unsafe { kernel(to, address(0), address(1), address(2), n) };
    Some(Ok(out))
}

/// `target = prim(target, other)` through the memory itself, of few elements in host memory. False, and nothing has happened, where it takes
/// more than that: [`apply`](super::apply) and [`Tensor::assign_aliased`] are the way then, with their errors.
///
/// Errors: those of expressions that read the memory, and are computed first.
///
/// # Safety
/// As of [`Tensor::assign_aliased`].
///
/// ```
/// use syntonic_core::fuse::Prim;
/// use syntonic_core::ops::elementwise::apply_in_place;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([[1.0, 2.0], [3.0, 4.0]]);
/// let column = x.index((.., 1))?;
/// // SAFETY: no other thread has the memory.
/// assert!(unsafe { apply_in_place(Prim::Mul, &column, 10.into())? });
/// assert_eq!(x.to_vec::<f64>()?, [1.0, 20.0, 3.0, 40.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub unsafe fn apply_in_place(prim: Prim, target: &Tensor, other: Arg<'_>) -> Result<bool> {
    let tracked = target.is_tracked() || matches!(other, Arg::Tensor(t) if t.is_tracked());
    let wide = matches!(other, Arg::Number(x) if !x.fits(target.dtype()));
    let other_way = tracked || wide || prim.arity() != 2 || prim == Prim::Pow || is_watched();
    if other_way || !target.is_writable() {
        return Ok(false);
    }
    let args = [Arg::Tensor(target), other];
    let (Some((dtype, mut kernel)), Some((shape, n))) = (kernel_of(prim, &args), space(&args))
    else {
        return Ok(false);
    };
    let device = target.device();
    let alike = dtype == target.dtype() && prim.result_dtype(dtype) == dtype;
    if !alike || shape[..] != *target.shape() || device.eager_elements() == 0 {
        return Ok(false);
    }
    let Some((buffer, to)) = at_hand(target, device) else {
        return Ok(false);
    };
    let operand = match other {
        Arg::Number(x) => Some(number(prim, 1, Single::new(x, dtype), n, &mut kernel)),
        Arg::Tensor(t) => {
            let apart = t.source().in_memory().is_some() && !shares(t, target)?;
            laid(t, device, &shape, n, dtype, apart)
        }
    };
    let Some(operand) = operand else {
        return Ok(false);
    };
    buffer.settle_for_write()?;
    let none = std::ptr::null();
    if target.is_contiguous() {
        // SAFETY: `n` elements of `dtype` in a row on both sides, or one number where the kernel takes one; the result goes where the first operand is, of the same type, and the
        // other is apart. That nobody else uses the memory is the caller's promise.
        unsafe { kernel(to, to, operand.address(), none, n) };
        return Ok(true);
    }
    let (strides, size) = (target.strides(), dtype.size());
    let mut values = row(n, dtype);
    let at: *mut u8 = values.as_mut_ptr().cast();
    // SAFETY: as above, by way of a row with room for all of them.
    unsafe {
        gather(to, &shape, strides, size, at);
        kernel(at, at, operand.address(), none, n);
        scatter(to, &shape, strides, size, at);
    }
    Ok(true)
}

/// Writes a number over few elements in host memory, cast as it is, through the memory itself. False, and nothing has happened, where it takes
/// more than that.
///
/// Errors: those of expressions that read the memory, and are computed first.
///
/// # Safety
/// As of [`Tensor::assign_aliased`].
///
/// ```
/// use syntonic_core::ops::elementwise::fill_in_place;
/// use syntonic_core::prelude::*;
/// use syntonic_core::Single;
///
/// let x = Tensor::from([[1, 2], [3, 4]]);
/// let column = x.index((.., 1))?;
/// // SAFETY: no other thread has the memory.
/// assert!(unsafe { fill_in_place(&column, Single::new(Scalar::Float(9.9), DType::F64))? });
/// assert_eq!(x.to_vec::<i32>()?, [1, 9, 3, 9]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub unsafe fn fill_in_place(target: &Tensor, value: Single) -> Result<bool> {
    let (n, dtype, device) = (target.numel(), target.dtype(), target.device());
    let (Some(value), false) = (value.written_as(dtype), is_watched()) else {
        return Ok(false);
    };
    if !(1..=FEW).contains(&n) || target.is_tracked() || !target.is_writable() {
        return Ok(false);
    }
    if device.id() != DeviceId::Cpu || device.eager_elements() == 0 {
        return Ok(false);
    }
    let Some((buffer, to)) = at_hand(target, device) else {
        return Ok(false);
    };
    buffer.settle_for_write()?;
    let size = dtype.size();
    runs(target.shape(), target.strides(), |at, stride, len| {
        let (steps, many) = if stride == 1 { (1, len) } else { (len, 1) };
        for k in 0..steps as isize {
            let to = to.wrapping_offset((at + k * stride) * size as isize);
            // SAFETY: the walk reaches elements of live host memory; that nobody else uses it is the caller's promise.
            unsafe { lanes::fill(to, value.address(), size, many) };
        }
    });
    Ok(true)
}

/// Copies few elements from host memory to host memory apart from it, broadcast and cast. False, and nothing has happened, where it takes more than that.
pub(crate) fn copy_few(target: &Tensor, values: &Tensor) -> bool {
    let n = target.numel();
    let (from, dtype) = (values.dtype(), target.dtype());
    let plain = |d: DType| !d.is_half() && !d.is_stored();
    let same = from == dtype || (plain(from) && plain(dtype));
    let device = target.device();
    if !(1..=FEW).contains(&n)
        || !same
        || device.id() != DeviceId::Cpu
        || device.eager_elements() == 0
        || target.is_tracked()
        || values.is_tracked()
        || is_watched()
    {
        return false;
    }
    let shape = target.shape();
    let (Some((_, to)), Some(values)) = (
        at_hand(target, device),
        laid(values, device, shape, n, dtype, true),
    ) else {
        return false;
    };
    // SAFETY: the values are `n` elements of `dtype` in a row, apart from the target, which the caller may write.
    unsafe { scatter(to, shape, target.strides(), dtype.size(), values.address()) };
    true
}

/// The fold of all of few elements that lie in a row, at once; none where it takes more than that. Its order is that of any row.
pub(crate) fn fold_few(kind: Fold, x: &Tensor) -> Option<Result<Tensor>> {
    let fold = match kind {
        Fold::Sum => lanes::Fold::Sum,
        Fold::Prod => lanes::Fold::Prod,
        Fold::Min => lanes::Fold::Min,
        Fold::Max => lanes::Fold::Max,
        _ => return None,
    };
    let (n, dtype, device) = (x.numel(), x.dtype(), x.device());
    let in_order = x.is_contiguous() || x.ndim() == 1;
    let plain = device.id() == DeviceId::Cpu && device.eager_elements() > 0;
    let other_way = !in_order || !plain || x.is_tracked() || dtype.is_half() || dtype.is_stored();
    if !(1..=FEW).contains(&n) || other_way || is_watched() {
        return None;
    }
    let kernel = lanes::fold(fold, dtype)?;
    let result = kind.result_dtype(dtype)?;
    let accumulator = kind.accumulator(dtype);
    let elements = laid(x, device, x.shape(), n, dtype, true)?;
    let (mut total, mut out) = (Single::zero(accumulator), Single::zero(result));
    let none = std::ptr::null();
    // SAFETY: `n` elements of `dtype` in a row, and room for one number of the accumulator's type and one of the result's.
    unsafe {
        (kernel.whole)(total.address_mut(), elements.address(), none, n);
        lanes::cast(accumulator, result)(out.address_mut(), total.address(), none, none, 1);
    }
    Some(Tensor::scalar(out.value(), result))
}

#[cfg(test)]
mod tests;
