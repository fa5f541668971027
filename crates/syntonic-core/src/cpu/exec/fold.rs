//! The running value of a fold over one row.

use super::code::{Block, Cell, Folding};
use crate::dtype::DType;
use crate::scalar::{Element, Scalar};
use crate::with_element;

/// What has been folded so far.
#[derive(Clone, Copy)]
pub(crate) struct Accumulator {
    folding: Folding,
    dtype: DType,
    value: Cell,
    index: i64,
    empty: bool,
}

impl Accumulator {
    /// Nothing folded yet; `dtype` is the type of the values.
    pub(crate) fn new(folding: Folding, dtype: DType) -> Accumulator {
        let value = match folding {
            Folding::Plain { start, .. } => start,
            Folding::Arg { .. } => Cell::default(),
        };
        Accumulator {
            folding,
            dtype,
            value,
            index: 0,
            empty: true,
        }
    }

    /// Takes in the block of `n >= 1` values of node `arg` that starts at position `here` of the row.
    ///
    /// # Safety
    /// `at` says where the values of every node lie that the fold reads; `n` of `arg`.
    pub(crate) unsafe fn feed(&mut self, at: &[*mut u8], arg: u32, here: usize, n: usize) {
        let block = at[arg as usize];
        let mut part = Cell::default();
        let mut index = 0;
        // SAFETY: the caller vouches for the values; a cell holds any accumulator.
        unsafe {
            match self.folding {
                Folding::Plain { block: f, .. } => match f {
                    Block::Values(f) => f(part.address(), block, n),
                    Block::Deviations(f, centre) => {
                        f(part.address(), block, at[centre as usize], n);
                    }
                },
                Folding::Arg { block: f, .. } => {
                    f(part.address(), &mut index, block, n);
                    index += here as i64;
                }
            }
        }
        self.take(part, index);
    }

    /// Takes in a later part of the same row.
    pub(crate) fn join(&mut self, part: Accumulator) {
        if !part.empty {
            self.take(part.value, part.index);
        }
    }

    fn take(&mut self, mut part: Cell, index: i64) {
        if self.empty {
            (self.value, self.index, self.empty) = (part, index, false);
            return;
        }
        match self.folding {
            Folding::Plain { join, .. } => {
                let mut mine = self.value;
                let null = std::ptr::null();
                let (out, part) = (self.value.address(), part.address());
                // SAFETY: all three are cells with one value of the accumulator's type.
                unsafe { join(out, mine.address(), part, null, 1) };
            }
            Folding::Arg { larger, .. } => {
                let (new, old) = (read(&part, self.dtype), read(&self.value, self.dtype));
                if wins(new, old, larger) {
                    (self.value, self.index) = (part, index);
                }
            }
        }
    }

    /// The fold's result, as its node's type.
    pub(crate) fn finish(&self) -> Cell {
        let mut out = Cell::default();
        let mut value = self.value;
        match self.folding {
            Folding::Plain { finish, .. } => {
                let null = std::ptr::null();
                // SAFETY: one value of the accumulator's type in, one of the node's type out.
                unsafe { finish(out.address(), value.address(), null, null, 1) };
            }
            Folding::Arg { .. } => out = Cell::new(Scalar::Int(i128::from(self.index)), DType::I64),
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
