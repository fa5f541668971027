//! From index items to where the selected elements lie.

use super::IndexItem;
use super::offsets::{array_offsets, nonzero_offsets};
use crate::error::{Error, Result};
use crate::fuse::Prim;
use crate::layout::{Dims, Layout, Span, Strides, broadcast_pair, check_ndim};
use crate::ops::elementwise;
use crate::tensor::{Tensor, describe, same_device};

/// Where the selected elements of a tensor lie: a layout over the selected shape, and what masks and
/// arrays add to it. It holds no memory of the tensor, which may therefore still be its only holder.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The operation, for errors.
    pub(crate) op: &'static str,
    /// The selected shape; stride 0 where offsets decide.
    pub(crate) layout: Layout,
    /// Broadcast to the selected shape, in elements.
    pub(crate) offsets: Option<Tensor>,
}

/// Masks and arrays in one index, as many as NumPy takes.
const MOST_ARRAYS: usize = 63;

/// Where the axes of masks and arrays go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// No such item yet.
    None,
    /// All so far are neighbours, starting at this axis of the result.
    Open(usize),
    /// As before, and something else has followed.
    Closed(usize),
    /// They are apart: the axes go in front.
    Front,
}

/// The state of reading items from left to right.
struct Reader<'a> {
    op: &'static str,
    x: &'a Tensor,
    /// The next axis of the tensor.
    axis: usize,
    shape: Dims,
    strides: Strides,
    offset: isize,
    place: Place,
    offsets: Vec<Tensor>,
}

impl Plan {
    pub(crate) fn new(op: &'static str, x: &Tensor, items: &[IndexItem]) -> Result<Plan> {
        let missing = missing_axes(op, x, items)?;
        let advanced = items.iter().any(|i| axes_of_array(i).is_some());
        let mut reader = Reader {
            op,
            x,
            axis: 0,
            shape: Dims::new(),
            strides: Strides::new(),
            offset: x.layout().offset() as isize,
            place: Place::None,
            offsets: Vec::new(),
        };
        for item in items {
            match item {
                IndexItem::Int(i) => {
                    if advanced {
                        reader.mark();
                    }
                    reader.int(*i)?;
                }
                IndexItem::Mask(t) | IndexItem::Array(t) => {
                    reader.mark();
                    reader.array(item, t)?;
                }
                _ => {
                    reader.close();
                    reader.basic(item, missing)?;
                }
            }
        }
        while reader.axis < x.ndim() {
            reader.keep();
        }
        reader.finish()
    }
}

/// The axes that a mask or array stands for.
fn axes_of_array(item: &IndexItem) -> Option<usize> {
    match item {
        IndexItem::Mask(t) => Some(t.ndim()),
        IndexItem::Array(t) if t.dtype().is_bool() => Some(t.ndim()),
        IndexItem::Array(_) => Some(1),
        _ => None,
    }
}

/// How many axes an ellipsis stands for.
fn missing_axes(op: &'static str, x: &Tensor, items: &[IndexItem]) -> Result<usize> {
    let (mut used, mut dots, mut arrays) = (0, 0, 0);
    for item in items {
        arrays += usize::from(axes_of_array(item).is_some());
        match item {
            IndexItem::Int(_) | IndexItem::Slice { .. } => used += 1,
            IndexItem::Ellipsis => dots += 1,
            IndexItem::NewAxis => {}
            array => used += axes_of_array(array).unwrap_or(0),
        }
    }
    if dots > 1 {
        return Err(Error::Indices {
            op,
            operands: describe(&[x]),
            hint: "an index can only have a single ellipsis ('...'), which stands for the missing axes"
                .into(),
        });
    }
    if arrays > MOST_ARRAYS {
        return Err(Error::Indices {
            op,
            operands: describe(&[x]),
            hint: format!("{arrays} masks and index arrays; an index has at most {MOST_ARRAYS}")
                .into(),
        });
    }
    x.ndim().checked_sub(used).ok_or_else(|| Error::Indices {
        op,
        operands: describe(&[x]),
        hint: format!(
            "too many indices: {used} axes are indexed, the tensor has {}",
            x.ndim()
        )
        .into(),
    })
}

impl Reader<'_> {
    /// Notes a mask or array (or an integer beside one) at this place.
    fn mark(&mut self) {
        self.place = match self.place {
            Place::None => Place::Open(self.shape.len()),
            Place::Closed(_) => Place::Front,
            open => open,
        };
    }

    /// Notes that something else stands here.
    fn close(&mut self) {
        if let Place::Open(at) = self.place {
            self.place = Place::Closed(at);
        }
    }

    fn push(&mut self, len: usize, stride: isize) {
        self.shape.push(len);
        self.strides.push(stride);
    }

    /// Starts `at` strides further on; wraps only where another axis is empty.
    fn jump(&mut self, at: i64, stride: isize) {
        let by = (at as isize).wrapping_mul(stride);
        self.offset = self.offset.wrapping_add(by);
    }

    /// The next axis as it is.
    fn keep(&mut self) {
        self.push(self.x.shape()[self.axis], self.x.strides()[self.axis]);
        self.axis += 1;
    }

    fn int(&mut self, index: i64) -> Result<()> {
        let (axis, len) = (self.axis, self.x.shape()[self.axis]);
        let at = if index < 0 {
            index.saturating_add(len as i64)
        } else {
            index
        };
        if !(0..len as i64).contains(&at) {
            return Err(Error::Index {
                op: self.op,
                index,
                axis,
                len,
            });
        }
        self.jump(at, self.x.strides()[axis]);
        self.axis += 1;
        Ok(())
    }

    fn basic(&mut self, item: &IndexItem, missing: usize) -> Result<()> {
        match item {
            IndexItem::Slice { start, stop, step } => {
                let (len, stride) = (self.x.shape()[self.axis], self.x.strides()[self.axis]);
                let span = Span::new(self.op, *start, *stop, *step, len)?;
                self.jump(span.start as i64, stride);
                self.push(span.len, stride.wrapping_mul(span.step));
                self.axis += 1;
            }
            IndexItem::Ellipsis => (0..missing).for_each(|_| self.keep()),
            _ => self.push(1, 0),
        }
        Ok(())
    }

    fn array(&mut self, item: &IndexItem, t: &Tensor) -> Result<()> {
        same_device(self.op, &[self.x, t])?;
        let offsets = if t.dtype().is_bool() {
            self.mask(t)?
        } else if let IndexItem::Mask(_) = item {
            return Err(Error::DType {
                op: self.op,
                operands: describe(&[self.x, t]),
                hint: "a mask is bool; compare to get one".into(),
            });
        } else {
            let stride = self.x.strides()[self.axis];
            array_offsets(self.op, self.x, t, self.axis, stride)?
        };
        self.axis += axes_of_array(item).unwrap_or(0);
        self.offsets.push(offsets);
        Ok(())
    }

    fn mask(&self, mask: &Tensor) -> Result<Tensor> {
        let axes = self.axis..self.axis + mask.ndim();
        // As the Array API has it, a mask without places stands for axes of any length.
        let lengths = mask.shape().iter().zip(&self.x.shape()[axes.clone()]);
        for (axis, (&own, &len)) in axes.clone().zip(lengths) {
            if own != len && own != 0 {
                return Err(Error::Indices {
                    op: self.op,
                    operands: describe(&[self.x, mask]),
                    // NumPy's words.
                    hint: format!(
                        "boolean index did not match indexed array along axis {axis}; size of axis is {len} but size of corresponding boolean axis is {own}"
                    )
                    .into(),
                });
            }
        }
        let strides = Strides::from_slice(&self.x.strides()[axes]);
        let mut out = nonzero_offsets(self.op, mask, &[strides])?;
        Ok(out.remove(0))
    }

    fn finish(mut self) -> Result<Plan> {
        let op = self.op;
        let at = match self.place {
            Place::None => {
                check_ndim(op, self.shape.len())?;
                return Ok(Plan {
                    op,
                    layout: self.layout(),
                    offsets: None,
                });
            }
            Place::Open(at) | Place::Closed(at) => at,
            Place::Front => 0,
        };
        let total = self.total()?;
        let selected = total.shape().to_vec();
        let after = self.shape.len() - at;
        for (i, &len) in selected.iter().enumerate() {
            self.shape.insert(at + i, len);
            self.strides.insert(at + i, 0);
        }
        crate::layout::count(op, &self.shape)?;
        let trailing: Vec<isize> = (0..after).map(|i| (selected.len() + i) as isize).collect();
        let offsets = total.expand_dims(&trailing)?.broadcast_to(&self.shape)?;
        Ok(Plan {
            op,
            layout: self.layout(),
            offsets: Some(offsets),
        })
    }

    /// Where nothing is selected, the offset stays where the tensor starts, inside its memory.
    fn layout(&self) -> Layout {
        let offset = if self.shape.contains(&0) {
            self.x.layout().offset()
        } else {
            self.offset as usize
        };
        Layout::from_parts(&self.shape, &self.strides, offset)
    }

    /// The sum of all offsets, broadcast together.
    fn total(&mut self) -> Result<Tensor> {
        let mut shape = Dims::new();
        for t in &self.offsets {
            shape = broadcast_pair(&shape, t.shape()).ok_or_else(|| Error::Indices {
                op: self.op,
                operands: describe(&self.offsets.iter().collect::<Vec<_>>()),
                hint: "index arrays (a mask counts as one array of its true positions) must broadcast together".into(),
            })?;
        }
        let mut rest = self.offsets.drain(..);
        let first = rest.next();
        let Some(mut total) = first else {
            return Err(Error::value(self.op, "no index array"));
        };
        for t in rest {
            total = elementwise::apply(Prim::Add, &[(&total).into(), (&t).into()])?;
        }
        Ok(total)
    }
}
