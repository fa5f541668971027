//! The running value of a fold over one row that comes in blocks.

use super::code::{Cell, Folding};
use crate::cpu::lanes::Begun;
use crate::dtype::DType;
use crate::scalar::{Element, Scalar};
use crate::with_element;

/// A row is folded in parts of this many elements, whose values are joined in order, in however many blocks and on however
/// many threads it is computed: so the order of a sum hangs on the length of the row and its type.
pub(crate) const PART: usize = 32 << 10;

/// What a part of a row comes to: a value, and where it is.
#[derive(Clone, Copy)]
pub(crate) struct Folded {
    value: Cell,
    index: i64,
}

/// How a fold goes on.
#[derive(Clone, Copy)]
pub(crate) struct Fold {
    pub(crate) folding: Folding,
    /// The type of the values.
    pub(crate) dtype: DType,
}

/// What has been folded so far.
pub(crate) struct Accumulator {
    fold: Fold,
    total: Option<Folded>,
    /// The part that is not complete.
    part: Begun,
    begun: bool,
}

impl Accumulator {
    /// Nothing folded yet.
    pub(crate) fn new(fold: Fold) -> Accumulator {
        Accumulator {
            fold,
            total: None,
            part: Begun::new(),
            begun: false,
        }
    }

    /// Takes in the block of `n >= 1` elements of the operands at `a` and `b` that starts at position `here` of the row, and
    /// crosses no end of a part.
    ///
    /// # Safety
    /// As [`crate::cpu::lanes::FoldFn`].
    pub(crate) unsafe fn feed(&mut self, a: *const u8, b: *const u8, here: usize, n: usize) {
        let mut block = Folded {
            value: Cell::default(),
            index: 0,
        };
        let ends = (here + n).is_multiple_of(PART);
        // SAFETY: the caller vouches for the values; a cell holds any accumulator.
        unsafe {
            match self.fold.folding {
                Folding::Plain { kernel, .. } if ends && !self.begun => {
                    (kernel.whole)(block.value.address(), a, b, n);
                }
                Folding::Plain { kernel, .. } => {
                    (kernel.feed)(&mut self.part, a, b, n);
                    self.begun = true;
                    if ends {
                        self.end_part();
                    }
                    return;
                }
                Folding::Arg { block: f, .. } => {
                    f(block.value.address(), &mut block.index, a, n);
                    block.index += here as i64;
                }
            }
        }
        self.join(block);
    }

    /// Joins what was taken of a part with what was before it.
    fn end_part(&mut self) {
        if let (Folding::Plain { kernel, .. }, true) = (self.fold.folding, self.begun) {
            let mut value = Cell::default();
            // SAFETY: elements were taken; a cell holds any accumulator.
            unsafe { (kernel.close)(&self.part, value.address()) };
            (self.part, self.begun) = (Begun::new(), false);
            self.join(Folded { value, index: 0 });
        }
    }

    /// Takes in a later part of the same row.
    pub(crate) fn join(&mut self, mut part: Folded) {
        let Some(total) = &mut self.total else {
            self.total = Some(part);
            return;
        };
        match self.fold.folding {
            Folding::Plain { join, .. } => {
                let mut mine = total.value;
                let null = std::ptr::null();
                let (out, part) = (total.value.address(), part.value.address());
                // SAFETY: all three are cells with one value of the accumulator's type.
                unsafe { join(out, mine.address(), part, null, 1) };
            }
            Folding::Arg { larger, .. } => {
                let dtype = self.fold.dtype;
                let (new, old) = (read(&part.value, dtype), read(&total.value, dtype));
                if wins(new, old, larger) {
                    *total = part;
                }
            }
        }
    }

    /// What all that was taken comes to; `None` if that is nothing.
    pub(crate) fn end(&mut self) -> Option<Folded> {
        self.end_part();
        self.total
    }

    /// The fold's result, as its node's type.
    pub(crate) fn finish(&mut self) -> Cell {
        let folded = self.end();
        let mut out = Cell::default();
        match self.fold.folding {
            Folding::Plain { finish, start, .. } => {
                let mut value = folded.map_or(start, |f| f.value);
                let null = std::ptr::null();
                // SAFETY: one value of the accumulator's type in, one of the node's type out.
                unsafe { finish(out.address(), value.address(), null, null, 1) };
            }
            Folding::Arg { .. } => {
                let index = folded.map_or(0, |f| f.index);
                out = Cell::new(Scalar::Int(i128::from(index)), DType::I64);
            }
        }
        out
    }
}

fn read(cell: &Cell, dtype: DType) -> Scalar {
    // SAFETY: the cell holds an initialised value of this type and is aligned for every type.
    with_element!(dtype, T => unsafe { cell.0.as_ptr().cast::<T>().read() }.to_scalar())
}

/// True if a later value takes the place of an earlier one: strictly better, or the first NaN.
fn wins(new: Scalar, old: Scalar, larger: bool) -> bool {
    match (new, old) {
        (Scalar::Float(a), Scalar::Float(b)) => {
            !b.is_nan() && (a.is_nan() || if larger { a > b } else { a < b })
        }
        (a, b) => {
            if larger {
                a.to_i128() > b.to_i128()
            } else {
                a.to_i128() < b.to_i128()
            }
        }
    }
}
