//! What moves elements: joining, copies, indexing, scattering.

use super::node::{Back, Cotangents, Keep, record, same};
use crate::device::Device;
use crate::dtype::DType;
use crate::error::Result;
use crate::fuse::Prim;
use crate::lazy;
use crate::ops::create::{arange, zeros};
use crate::ops::elementwise::apply;
use crate::ops::gather;
use crate::ops::index::{self, IndexItem};
use crate::ops::join::{self, narrow};
use crate::ops::moves::Kind;
use crate::ops::order;
use crate::ops::pad::{Padding, pad};
use crate::ops::rearrange::roll;
use crate::scalar::Scalar;
use crate::tensor::Tensor;
use smallvec::SmallVec;
use std::sync::Arc;

fn one(g: Tensor) -> Result<Cotangents> {
    Ok(SmallVec::from_iter([Some(g)]))
}

/// Tracked values as another float type.
pub(crate) fn cast(x: &Tensor, dtype: DType) -> Result<Tensor> {
    let value = lazy::cast(&x.stop_gradient(), dtype)?;
    record("cast", &[x], Keep::Nothing, value, same)
}

/// Tracked values as another float type, which are not rounded to it.
pub(crate) fn as_type(x: &Tensor, dtype: DType) -> Result<Tensor> {
    let value = lazy::as_type(&x.stop_gradient(), dtype)?;
    record("cast", &[x], Keep::Nothing, value, same)
}

/// Tracked values in memory of their own.
pub(crate) fn copied(x: &Tensor) -> Result<Tensor> {
    let value = x.stop_gradient().copy()?;
    record("copy", &[x], Keep::Nothing, value, same)
}

/// One tracked element, which this tensor without axes is, apart from what is written to its memory later.
pub(crate) fn element(x: &Tensor) -> Result<Tensor> {
    let value = x.stop_gradient().apart()?;
    record("index", &[x], Keep::Nothing, value, same)
}

/// Tracked values on another device.
pub(crate) fn moved(x: &Tensor, device: &Arc<dyn Device>) -> Result<Tensor> {
    let (value, from) = (x.stop_gradient().to(device)?, x.device().clone());
    record("to", &[x], Keep::Nothing, value, move |back| {
        one(back.cotangent().to(&from)?)
    })
}

/// Tensors one after the other along `axis`.
pub(crate) fn concat(tensors: &[&Tensor], axis: usize) -> Result<Tensor> {
    // few: the operands of one call, here and below.
    let plain: Vec<Tensor> = tensors.iter().map(|t| t.stop_gradient()).collect();
    let plain: Vec<&Tensor> = plain.iter().collect();
    let value = join::concat(&plain, Some(axis as isize))?;
    let count = tensors.len();
    record("concat", tensors, Keep::Nothing, value, move |back| {
        let mut from = 0;
        let parts = (0..count).map(|k| {
            let len = back.shape(k)[axis];
            from += len;
            let part = || narrow(back.cotangent(), axis, from - len, len);
            back.wants(k).then(part).transpose()
        });
        parts.collect()
    })
}

/// Elements shifted along axes, those that leave one end coming in at the other.
pub(crate) fn rolled(x: &Tensor, shifts: &[i64], axes: &[isize]) -> Result<Tensor> {
    let value = roll(&x.stop_gradient(), shifts, Some(axes))?;
    let (shifts, axes) = (shifts.to_vec(), axes.to_vec());
    record("roll", &[x], Keep::Nothing, value, move |back| {
        let lengths = axes.iter().map(|&axis| {
            let shape = back.shape(0);
            let at = if axis < 0 {
                axis + shape.len() as isize
            } else {
                axis
            };
            shape[at as usize].max(1) as i128
        });
        let one_for_all = (shifts.len() == 1).then_some(shifts[0]);
        let each = lengths.enumerate().map(|(k, len)| {
            let shift = one_for_all.unwrap_or_else(|| shifts[k]);
            // Within one turn no shift overflows as its sign changes.
            -((i128::from(shift) % len) as i64)
        });
        let back_shifts: Vec<i64> = each.collect();
        one(roll(back.cotangent(), &back_shifts, Some(&axes))?)
    })
}

/// A tensor with a number around it.
pub(crate) fn surrounded(x: &Tensor, widths: &[(usize, usize)], value: Scalar) -> Result<Tensor> {
    let made = pad(&x.stop_gradient(), widths, Padding::Constant(value))?;
    let widths = widths.to_vec();
    record("pad", &[x], Keep::Nothing, made, move |back| {
        let mut middle = back.cotangent().clone();
        for (axis, &(before, _)) in widths.iter().enumerate() {
            middle = narrow(&middle, axis, before, back.shape(0)[axis])?;
        }
        one(middle)
    })
}

/// The arrays and masks among items, which a rule reads again.
fn arrays(items: &[IndexItem]) -> impl Iterator<Item = &Tensor> {
    items.iter().filter_map(|item| match item {
        IndexItem::Array(t) | IndexItem::Mask(t) => Some(t),
        _ => None,
    })
}

/// The items as they were, their arrays being the operands from `first` on.
fn items_then(items: &[IndexItem], back: &Back<'_>, first: usize) -> Result<Vec<IndexItem>> {
    let mut next = first;
    let mut array = || {
        next += 1;
        back.operand(next - 1)
    };
    let item = |item: &IndexItem| {
        Ok(match item {
            IndexItem::Array(_) => IndexItem::Array(array()?),
            IndexItem::Mask(_) => IndexItem::Mask(array()?),
            other => other.clone(),
        })
    };
    items.iter().map(item).collect()
}

/// Every operand from this one on.
fn keep_from(first: u32) -> Keep {
    Keep::These(u32::MAX << first)
}

/// `x[items]`, with arrays or masks among the items.
pub(crate) fn read_at(x: &Tensor, items: &[IndexItem]) -> Result<Tensor> {
    let value = index::index(&x.stop_gradient(), items)?;
    let operands: Vec<&Tensor> = [x].into_iter().chain(arrays(items)).collect();
    let items = items.to_vec();
    record("index", &operands, keep_from(1), value, move |back| {
        let mut out = zeros(back.shape(0), back.dtype(0), back.cotangent().device())?;
        index::add(&mut out, &items_then(&items, back, 1)?, back.cotangent())?;
        one(out)
    })
}

/// `x[items] = values` or `+=`, in a tensor that `x` becomes.
pub(crate) fn written_at(
    x: &mut Tensor,
    items: &[IndexItem],
    values: &Tensor,
    kind: Kind,
) -> Result<()> {
    let mut value = x.stop_gradient();
    let write = match kind {
        Kind::Replace => index::set,
        Kind::Add => index::add,
    };
    write(&mut value, items, &values.stop_gradient())?;
    let operands: Vec<&Tensor> = [&*x, values].into_iter().chain(arrays(items)).collect();
    let items = items.to_vec();
    let made = record("set_item", &operands, keep_from(2), value, move |back| {
        let items = items_then(&items, back, 2)?;
        let place = Place::Items(&items);
        place.cotangents(back, kind)
    })?;
    *x = made;
    Ok(())
}

/// One element for each index along `axis`.
pub(crate) fn along_axis(x: &Tensor, indices: &Tensor, axis: usize) -> Result<Tensor> {
    let value = gather::take_along_axis(&x.stop_gradient(), indices, axis as isize)?;
    let operands = [x, indices];
    record(
        "take_along_axis",
        &operands,
        keep_from(1),
        value,
        move |back| {
            let g = back.cotangent();
            let indices = back.operand(1)?.broadcast_to(g.shape())?;
            let mut shape = g.shape().to_vec();
            shape[axis] = back.shape(0)[axis];
            let mut out = zeros(&shape, g.dtype(), g.device())?;
            gather::scatter_add(&mut out, axis as isize, &indices, g)?;
            one(out)
        },
    )
}

/// Values at one index each along `axis`, in a tensor that `x` becomes.
pub(crate) fn scattered(
    x: &mut Tensor,
    axis: isize,
    indices: &Tensor,
    values: &Tensor,
    kind: Kind,
) -> Result<()> {
    let mut value = x.stop_gradient();
    let write = match kind {
        Kind::Replace => gather::scatter,
        Kind::Add => gather::scatter_add,
    };
    write(&mut value, axis, indices, &values.stop_gradient())?;
    let operands = [&*x, values, indices];
    let made = record("scatter", &operands, keep_from(2), value, move |back| {
        let indices = back.operand(2)?;
        Place::Along(axis, &indices).cotangents(back, kind)
    })?;
    *x = made;
    Ok(())
}

/// Where values were written.
enum Place<'a> {
    Items(&'a [IndexItem]),
    Along(isize, &'a Tensor),
}

impl Place<'_> {
    fn read(&self, x: &Tensor) -> Result<Tensor> {
        match self {
            Place::Items(items) => index::index(x, items),
            Place::Along(axis, indices) => gather::take_along_axis(x, indices, *axis),
        }
    }

    fn write(&self, x: &mut Tensor, values: &Tensor) -> Result<()> {
        match self {
            Place::Items(items) => index::set(x, items, values),
            Place::Along(axis, indices) => gather::scatter(x, *axis, indices, values),
        }
    }

    /// The cotangents of a tensor that was written to, and of what was written.
    fn cotangents(&self, back: &Back<'_>, kind: Kind) -> Result<Cotangents> {
        let g = back.cotangent();
        let zero = zeros(&[], g.dtype(), g.device())?;
        let before = match (back.wants(0), kind) {
            (false, _) => None,
            (true, Kind::Add) => Some(g.clone()),
            (true, Kind::Replace) => {
                let mut left = g.clone();
                self.write(&mut left, &zero)?;
                Some(left)
            }
        };
        let values = match (back.wants(1), kind) {
            (false, _) => None,
            (true, Kind::Add) => Some(self.read(g)?),
            (true, Kind::Replace) => {
                let there = self.read(g)?;
                let stays = self.last(&there, g)?;
                let args = [(&stays).into(), (&there).into(), (&zero).into()];
                Some(apply(Prim::Select, &args)?)
            }
        };
        Ok(SmallVec::from_iter([before, values]))
    }

    /// Of several values for one element the last stays: which they are.
    fn last(&self, values: &Tensor, target: &Tensor) -> Result<Tensor> {
        let (zero, end) = (Scalar::Int(0), Scalar::Int(values.numel() as i128));
        let device = values.device();
        let shape: Vec<isize> = values.shape().iter().map(|&len| len as isize).collect();
        let number =
            arange(zero, end, Scalar::Int(1), Some(DType::I64), device)?.reshape(&shape)?;
        let mut written = zeros(target.shape(), DType::I64, device)?;
        self.write(&mut written, &number)?;
        apply(
            Prim::Eq,
            &[(&self.read(&written)?).into(), (&number).into()],
        )
    }
}

/// The weights of each small integer, added up.
pub(crate) fn weighed(x: &Tensor, weights: &Tensor, minlength: usize) -> Result<Tensor> {
    let value = order::bincount(x, Some(&weights.stop_gradient()), minlength)?;
    record("bincount", &[weights, x], keep_from(1), value, |back| {
        one(gather::take(back.cotangent(), &back.operand(1)?, Some(0))?)
    })
}
