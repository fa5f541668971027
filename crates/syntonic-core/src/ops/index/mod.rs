//! NumPy's indexing: integers, slices, ellipsis, new axes, boolean masks and integer arrays.
//!
//! Without arrays and masks an index is a view. With them the result is a copy: the index arrays
//! broadcast to one shape `B`, whose axes stand where the indexed axes stood if those are
//! neighbours, else in front; an integer next to arrays counts as one of them.

mod masked;
mod offsets;
mod plan;
#[cfg(test)]
mod tests;

pub(crate) use masked::count_true;
pub(crate) use offsets::{along_axis, nonzero_offsets};
pub(crate) use plan::Plan;

use crate::dtype::DType;
use crate::error::{Error, Operands, Result, way_out};
use crate::float8::{bits, refuse as refuse_stored};
use crate::grad;
use crate::ops::moves::{self, GATHER, Kind};
use crate::tensor::{Tensor, describe, shares};

/// One item between the brackets of `x[...]`.
#[derive(Clone, Debug)]
pub enum IndexItem {
    /// One position along an axis, which disappears; negative counts from the end.
    Int(i64),
    /// `start:stop:step` along an axis, with Python's rules.
    Slice {
        /// First position; `None` for the end where the step starts.
        start: Option<isize>,
        /// One past the last position; `None` for the other end.
        stop: Option<isize>,
        /// Distance between positions, not 0.
        step: isize,
    },
    /// As many full slices as are missing; at most one.
    Ellipsis,
    /// A new axis of length 1.
    NewAxis,
    /// Where a `bool` tensor is true; it stands for as many axes as it has, with their lengths.
    Mask(Tensor),
    /// Positions along one axis, as a tensor of any integer type; negative counts from the end.
    Array(Tensor),
}

impl IndexItem {
    /// `:`, every position of an axis.
    pub const ALL: IndexItem = IndexItem::Slice {
        start: None,
        stop: None,
        step: 1,
    };
}

/// `x[items]`: a view where no item is a mask or an array, else a copy.
///
/// Errors: [`Error::Index`] for a position outside its axis; [`Error::Shape`] for more items than
/// axes, a mask whose lengths are not those of its axes, or arrays that do not broadcast together;
/// [`Error::DType`] for arrays that are not integers; [`Error::Device`] for those elsewhere.
///
/// ```
/// use syntonic_core::ops::index::index;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([[1, 2, 3], [4, 5, 6]]);
/// let last = index(&x, &[IndexItem::Ellipsis, IndexItem::Int(-1)])?;
/// assert_eq!(last.to_vec::<i32>()?, [3, 6]);
/// assert!(index(&x, &[IndexItem::Int(2)]).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn index(x: &Tensor, items: &[IndexItem]) -> Result<Tensor> {
    if let Some(found) = masked::read("index", x, items)? {
        return Ok(found);
    }
    let plan = Plan::new("index", x, items)?;
    if x.is_tracked() && plan.offsets.is_some() {
        return grad::read_at(x, items);
    }
    plan.read(x)
}

/// `x[items] = values`, broadcast and cast. If others share the memory of `x`, it gets memory of its
/// own first, so they do not change. Of several values for one element the last stays.
///
/// Errors as [`index`], and where the values do not broadcast to the selected shape or are complex
/// while `x` is real; `x` is then unchanged.
///
/// ```
/// use syntonic_core::ops::index::set;
/// use syntonic_core::prelude::*;
///
/// let mut x = Tensor::from([[1, 2, 3], [4, 5, 6]]);
/// set(&mut x, &[IndexItem::ALL, IndexItem::Int(0)], &Tensor::from([10, 40]))?;
/// assert_eq!(x.to_vec::<i32>()?, [10, 2, 3, 40, 5, 6]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn set(x: &mut Tensor, items: &[IndexItem], values: &Tensor) -> Result<()> {
    if grad::tracks(&[x, values]) {
        return grad::written_at(x, items, values, Kind::Replace);
    }
    let plan = Plan::new("set_item", x, items)?;
    write(
        x,
        plan,
        |x| Plan::new("set_item", x, items),
        values,
        Kind::Replace,
    )
}

/// `x[items] += values`, where an element selected several times gets every addition, one after the
/// other in row-major order of the selection: the result does not depend on threads.
///
/// Errors as [`set`], and for `bool`.
///
/// ```
/// use syntonic_core::ops::index::add;
/// use syntonic_core::prelude::*;
///
/// let mut x = Tensor::from([0, 0, 0]);
/// let twice = IndexItem::Array(Tensor::from([1, 1]));
/// add(&mut x, &[twice], &Tensor::from([5, 6]))?;
/// assert_eq!(x.to_vec::<i32>()?, [0, 11, 0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn add(x: &mut Tensor, items: &[IndexItem], values: &Tensor) -> Result<()> {
    let op = "index_add";
    if grad::tracks(&[x, values]) {
        return grad::written_at(x, items, values, Kind::Add);
    }
    let plan = Plan::new(op, x, items)?;
    write(x, plan, |x| Plan::new(op, x, items), values, Kind::Add)
}

/// Writes through `plan` into memory that `x` alone holds; `again` makes the plan anew where that
/// memory has another layout.
pub(crate) fn write(
    x: &mut Tensor,
    plan: Plan,
    again: impl FnOnce(&Tensor) -> Result<Plan>,
    values: &Tensor,
    kind: Kind,
) -> Result<()> {
    let values = plan.prepare(x, values, kind)?.eval()?;
    let before = x.layout().clone();
    x.make_unique()?;
    let plan = if *x.layout() == before {
        plan
    } else {
        again(x)?
    };
    plan.store(x, &values, kind)
}

/// `x[items] = values` through the memory itself: every view that shares it changes too. Pending
/// expressions that read the memory are evaluated first and keep their values.
///
/// Errors as [`set`], and [`Error::Value`] unless [`Tensor::is_writable`].
///
/// # Safety
/// No other thread reads or writes the memory during the call.
///
/// ```
/// use syntonic_core::ops::index::set_aliased;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([[1, 2], [3, 4]]);
/// let row = x.index(0)?;
/// // SAFETY: no other thread has the memory.
/// unsafe { set_aliased(&row, &[IndexItem::Int(1)], &Tensor::from([20]))? };
/// assert_eq!(x.to_vec::<i32>()?, [1, 20, 3, 4]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub unsafe fn set_aliased(x: &Tensor, items: &[IndexItem], values: &Tensor) -> Result<()> {
    if masked::set_aliased(x, items, values)? {
        return Ok(());
    }
    let plan = Plan::new("set_item", x, items)?;
    // SAFETY: the caller's promise.
    unsafe { write_aliased(x, plan, values, Kind::Replace) }
}

/// `x[items] += values` as [`add`], through the memory itself as [`set_aliased`].
///
/// # Safety
/// No other thread reads or writes the memory during the call.
///
/// ```
/// use syntonic_core::ops::index::add_aliased;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([[1, 2], [3, 4]]);
/// let row = x.index(0)?;
/// // SAFETY: no other thread has the memory.
/// unsafe { add_aliased(&row, &[IndexItem::ALL], &Tensor::from([10]))? };
/// assert_eq!(x.to_vec::<i32>()?, [11, 12, 3, 4]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub unsafe fn add_aliased(x: &Tensor, items: &[IndexItem], values: &Tensor) -> Result<()> {
    let plan = Plan::new("index_add", x, items)?;
    // SAFETY: the caller's promise.
    unsafe { write_aliased(x, plan, values, Kind::Add) }
}

/// # Safety
/// No other thread reads or writes the memory of `x` during the call.
pub(crate) unsafe fn write_aliased(
    x: &Tensor,
    plan: Plan,
    values: &Tensor,
    kind: Kind,
) -> Result<()> {
    x.check_writable(plan.op)?;
    grad::in_place(plan.op, &[x, values])?;
    let values = plan.prepare(x, values, kind)?.eval()?;
    let target = x.buffer()?;
    target.settle_for_write()?;
    let values = if shares(&values, x)? {
        values.copy()?
    } else {
        values
    };
    plan.store(x, &values, kind)
}

/// A shape as Python writes a tuple, without spaces.
fn tuple(shape: &[usize]) -> String {
    let lengths: Vec<String> = shape.iter().map(usize::to_string).collect(); // few: axes
    match &*lengths {
        [one] => format!("({one},)"),
        lengths => format!("({})", lengths.join(",")),
    }
}

impl Plan {
    /// The selected elements: a view, or a copy where there are offsets.
    pub(crate) fn read(&self, x: &Tensor) -> Result<Tensor> {
        let Some(offsets) = &self.offsets else {
            return Ok(x.with_layout(self.layout.clone()));
        };
        // Bytes that others may have left are moved as such, and made truth values where they have arrived.
        let strange = x.has_strange_truths();
        let x = if strange { &x.as_bytes()? } else { x };
        let out = Tensor::uninit(self.op, self.layout.shape(), x.dtype(), x.device())?;
        let inputs = vec![
            moves::arg_over(&bits(x), self.layout.clone())?,
            moves::arg(offsets)?,
        ];
        // SAFETY: the offsets were checked against the axes, the layout lies in the source, and the
        // output is fresh.
        unsafe { moves::launch(&GATHER, x, inputs, vec![moves::arg(&bits(&out))?], vec![])? };
        if strange {
            return out.cast(DType::Bool)?.eval();
        }
        Ok(out)
    }

    /// The values as they will be written: of the target's type, with the selected shape.
    fn prepare(&self, x: &Tensor, values: &Tensor, kind: Kind) -> Result<Tensor> {
        crate::tensor::same_device(self.op, &[x, values])?;
        let refuse = |hint: &str| Error::DType {
            op: self.op,
            operands: describe(&[x, values]),
            hint: hint.into(),
        };
        if values.dtype().is_complex() && !x.dtype().is_complex() {
            return Err(refuse(way_out::REAL));
        }
        if kind == Kind::Add && x.dtype().is_bool() {
            return Err(refuse("bool has no addition; convert the target first"));
        }
        if kind == Kind::Add && x.dtype().is_stored() {
            return Err(refuse_stored(self.op, describe(&[x, values])));
        }
        let surplus = values.ndim().saturating_sub(self.layout.ndim());
        let leading: Vec<isize> = (0..surplus as isize).collect();
        let fits = values.shape()[..surplus].iter().all(|&d| d == 1);
        let values = if fits {
            values.squeeze(&leading)?
        } else {
            values.clone()
        };
        if values.layout().broadcast_to(self.layout.shape()).is_none() {
            return Err(Error::Shape {
                op: self.op,
                operands: Operands(vec![x.describe(), values.describe()]),
                // NumPy's words.
                hint: format!(
                    "value array of shape {} could not be broadcast to indexing result of shape {}",
                    tuple(values.shape()),
                    tuple(self.layout.shape())
                ),
            });
        }
        let values = values.to_read()?.cast(x.dtype())?;
        values.broadcast_to(self.layout.shape())
    }

    /// Writes prepared values; the memory of `x` may be written and overlaps none of them.
    fn store(&self, x: &Tensor, values: &Tensor, kind: Kind) -> Result<()> {
        match (&self.offsets, kind) {
            (None, Kind::Replace) => x.with_layout(self.layout.clone()).overwrite(values),
            (None, Kind::Add) => {
                let none = Tensor::zeros(&[], DType::I64)?.to(x.device())?;
                let none = none.broadcast_to(self.layout.shape())?;
                self.scatter(x, values, &none, kind)
            }
            (Some(offsets), _) => self.scatter(x, values, offsets, kind),
        }
    }

    fn scatter(&self, x: &Tensor, values: &Tensor, offsets: &Tensor, kind: Kind) -> Result<()> {
        let inputs = vec![moves::arg(&bits(values))?, moves::arg(offsets)?];
        let target = moves::arg_over(&bits(x), self.layout.clone())?;
        // SAFETY: the offsets were checked against the axes, the layout lies in the target, and the
        // caller has made sure that it may be written and overlaps no input.
        unsafe { moves::launch(kind.kernel(), x, inputs, vec![target], vec![]) }
    }
}
