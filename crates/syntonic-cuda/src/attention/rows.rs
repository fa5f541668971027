//! Queries, keys and values as the copy engine walks them; what it does not walk is copied.

use super::kernel::{ACROSS, WIDEST};
use crate::blas::{Boxes, Matrix, TensorMap, Values, copy};
use crate::context::{Context, Scratch};
use syntonic_core::device::Arg;
use syntonic_core::{DType, Result};

/// What addresses and strides of a tensor map are multiples of, in bytes.
const UNIT: usize = 16;

/// Matrices of a half type over batch and heads.
pub(super) struct Rows<'a> {
    dtype: DType,
    first: u64,
    /// Batch, heads, rows and columns.
    lens: [usize; 4],
    /// In elements; 0 where an axis repeats.
    strides: [isize; 4],
    /// The copy that it is, if one was made.
    _copy: Option<Scratch<'a>>,
}

impl<'a> Rows<'a> {
    /// Several operands; nothing where rows of one are wider than a kernel takes.
    ///
    /// # Safety
    /// They are live.
    pub(super) unsafe fn all<const N: usize>(
        context: &'a Context,
        args: [&Arg; N],
    ) -> Result<Option<[Rows<'a>; N]>> {
        let mut all = Vec::with_capacity(N); // few: operands.
        for arg in args {
            // SAFETY: the caller's promise.
            match unsafe { Rows::new(context, arg)? } {
                Some(rows) => all.push(rows),
                None => return Ok(None),
            }
        }
        Ok(all.try_into().ok())
    }

    /// Nothing where rows are wider than a kernel takes.
    ///
    /// # Safety
    /// The operand is live.
    unsafe fn new(context: &'a Context, arg: &Arg) -> Result<Option<Rows<'a>>> {
        let (shape, of_arg) = (arg.layout.shape(), arg.layout.strides());
        let (mut lens, mut strides) = ([0; 4], [0; 4]);
        for axis in 0..4 {
            lens[axis] = shape[axis];
            strides[axis] = if shape[axis] > 1 { of_arg[axis] } else { 0 };
        }
        if lens[3] == 0 || lens[3] > WIDEST {
            return Ok(None);
        }
        let rows = Rows {
            dtype: arg.dtype,
            first: arg.address() as u64,
            lens,
            strides,
            _copy: None,
        };
        if rows.is_walked() {
            return Ok(Some(rows));
        }
        // SAFETY: the caller's promise.
        unsafe { rows.copied(context) }.map(Some)
    }

    /// True where the copy engine takes them as they lie. Rows that repeat are copied.
    fn is_walked(&self) -> bool {
        let size = self.dtype.size() as isize;
        let even = |stride: isize| stride >= 0 && (stride * size) % UNIT as isize == 0;
        let side_by_side = self.lens[3] == 1 || self.strides[3] == 1;
        let rows = self.lens[2] == 1 || self.strides[2] > 0;
        side_by_side
            && rows
            && self.first.is_multiple_of(UNIT as u64)
            && self.strides[..3].iter().all(|&stride| even(stride))
    }

    /// The same matrices, one after the other.
    ///
    /// # Safety
    /// They are live.
    unsafe fn copied(self, context: &'a Context) -> Result<Rows<'a>> {
        let size = self.dtype.size();
        let pitch = self.lens[3].next_multiple_of(UNIT / size);
        // What repeats is copied once.
        let mut lens = self.lens;
        for (len, stride) in lens.iter_mut().zip(&self.strides[..2]) {
            if *stride == 0 {
                *len = 1;
            }
        }
        let [batch, heads, rows, cols] = lens;
        let room = context.scratch(batch * heads * rows * pitch * size)?;
        let each = (rows * pitch) as isize;
        for b in 0..batch {
            let from = Matrix {
                first: self
                    .first
                    .wrapping_add_signed(b as i64 * self.strides[0] as i64 * size as i64),
                rows,
                cols,
                row: self.strides[2],
                col: self.strides[3],
                batch: self.strides[1],
            };
            let to = Matrix {
                first: room.address() + (b * heads * rows * pitch * size) as u64,
                row: pitch as isize,
                col: 1,
                batch: each,
                ..from
            };
            // SAFETY: the caller's promise; the copy has room for the matrices.
            unsafe { copy(context, self.dtype, &from, &to, heads, Values::Same)? };
        }
        let of = |len: usize, stride: isize| if len > 1 { stride } else { 0 };
        Ok(Rows {
            first: room.address(),
            strides: [
                of(batch, heads as isize * each),
                of(heads, each),
                of(rows, pitch as isize),
                1,
            ],
            lens: [self.lens[0], self.lens[1], rows, cols],
            _copy: Some(room),
            ..self
        })
    }

    /// Whether there is a matrix for each of the batch, and for each head.
    pub(super) fn vary(&self) -> [u32; 2] {
        [0, 1].map(|axis| u32::from(self.strides[axis] != 0))
    }

    /// Their boxes: `rows` of them, as wide as the swizzle.
    pub(super) fn map(&self, context: &Context, rows: usize) -> Result<TensorMap> {
        let size = self.dtype.size();
        let [mut batch, mut heads, lines, cols] = self.lens;
        let mut bytes = [0; 4];
        // Of an axis of one any stride will do.
        let mut next = (cols * size).next_multiple_of(UNIT);
        for (to, axis) in [2, 1, 0].into_iter().enumerate() {
            bytes[to] = match self.strides[axis] {
                0 => next,
                stride => stride.unsigned_abs() * size,
            };
            next = bytes[to];
        }
        for (len, axis) in [(&mut batch, 0), (&mut heads, 1)] {
            if self.strides[axis] == 0 {
                *len = 1;
            }
        }
        let boxes = Boxes {
            first: self.first,
            lens: [cols, lines, heads, batch],
            of_box: [ACROSS, rows],
            strides: bytes,
        };
        TensorMap::new(context, "attention", self.dtype, &boxes)
    }
}
