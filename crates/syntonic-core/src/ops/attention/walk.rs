//! Tiles of operands on the CPU: where they lie, and formulas over them.

use crate::cpu::exec;
use crate::device::{Arg, End};
use crate::dtype::DType;
use crate::error::Result;
use crate::fuse::{Indices, Slot, Task, Typed, lower_to};
use crate::layout::{Dims, Strides};
use crate::ops::linalg::{Lies, Real};
use crate::room;

crate::fuse! {
    AS_IT_IS(x: element) -> (element) { x }
}

/// An operand of up to four axes: batch, head, row, column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walked {
    address: *mut u8,
    /// Bytes of an element; those of an index count as one.
    size: usize,
    strides: [isize; 4],
}

// SAFETY: it names memory, which the kernel's contract makes valid for the whole launch; threads write disjoint parts of outputs.
unsafe impl Send for Walked {}
// SAFETY: as above.
unsafe impl Sync for Walked {}

impl Walked {
    pub(super) fn of(arg: &Arg) -> Walked {
        let mut strides = [0; 4];
        for (to, &from) in strides.iter_mut().zip(arg.layout.strides()) {
            *to = from;
        }
        Walked {
            address: arg.address(),
            size: arg.dtype.size(),
            strides,
        }
    }

    /// The operands of a program over the scores, the last of its inputs.
    pub(super) fn of_end(end: &End) -> Vec<Walked> {
        let first = end.program.inputs.len() - end.operands.len();
        let operands = end.operands.iter().enumerate().map(|(k, arg)| Walked {
            size: match end.program.is_index(first + k) {
                true => 1,
                false => arg.dtype.size(),
            },
            ..Walked::of(arg)
        });
        // few: the operands of one score.
        operands.collect()
    }

    pub(super) fn at(&self, place: [usize; 4]) -> *mut u8 {
        let moves = self.strides.iter().zip(place);
        let by: isize = moves.map(|(&s, p)| s.wrapping_mul(p as isize)).sum();
        let bytes = by.wrapping_mul(self.size as isize);
        self.address.wrapping_offset(bytes)
    }

    /// The rows and columns from `place` on.
    pub(super) fn slot(&self, place: [usize; 4]) -> Slot {
        slot(self.at(place), [self.strides[2], self.strides[3]])
    }

    pub(super) fn lies<T>(&self, place: [usize; 4]) -> Lies<T> {
        Lies {
            first: self.at(place).cast(),
            row: self.strides[2],
            col: self.strides[3],
        }
    }
}

pub(super) fn slot(address: *mut u8, strides: [isize; 2]) -> Slot {
    Slot {
        address,
        outer: Strides::from_slice(&strides),
        row: Strides::new(),
    }
}

/// A row-major matrix of one's own.
#[derive(Debug)]
pub(super) struct Tile<T> {
    values: Vec<T>,
    pub(super) width: usize,
}

impl<T: Real> Tile<T> {
    pub(super) fn new(rows: usize, width: usize) -> Result<Tile<T>> {
        Ok(Tile {
            values: room::filled(rows * width, T::zero())?,
            width,
        })
    }

    pub(super) fn lies(&mut self) -> Lies<T> {
        Lies {
            first: self.values.as_mut_ptr(),
            row: self.width as isize,
            col: 1,
        }
    }

    pub(super) fn slot(&mut self) -> Slot {
        let width = self.width as isize;
        slot(self.values.as_mut_ptr().cast(), [width, 1])
    }

    /// One value for each row.
    pub(super) fn column(&mut self) -> Slot {
        let width = self.width as isize;
        slot(self.values.as_mut_ptr().cast(), [width, 0])
    }

    pub(super) fn row(&mut self, i: usize, n: usize) -> &mut [T] {
        &mut self.values[i * self.width..][..n]
    }

    pub(super) fn fill(&mut self, value: T) {
        self.values.fill(value);
    }
}

/// How matrices of an element type are read in the type of the sums.
#[derive(Debug)]
pub(super) struct Reader(Option<Typed>);

impl Reader {
    /// Whether matrices are copied.
    pub(super) fn copies(&self) -> bool {
        self.0.is_some()
    }

    pub(super) fn new<T: Real>(dtype: DType) -> Result<Reader> {
        Ok(Reader(match dtype == T::DTYPE {
            true => None,
            false => Some(converted(dtype, T::DTYPE)?),
        }))
    }

    /// The rows from `place` on, `m` of them: where they lie, or converted into `tile`.
    ///
    /// # Safety
    /// They are live, and nobody writes them; `tile` has room for them.
    pub(super) unsafe fn read<T: Real>(
        &self,
        x: &Walked,
        place: [usize; 3],
        m: usize,
        tile: &mut Tile<T>,
    ) -> Result<Lies<T>> {
        let place = [place[0], place[1], place[2], 0];
        let Some(program) = &self.0 else {
            return Ok(x.lies(place));
        };
        // SAFETY: the caller's promise.
        unsafe {
            over(
                program,
                [m, tile.width],
                vec![x.slot(place)],
                vec![tile.slot()],
            )?
        };
        Ok(tile.lies())
    }
}

/// The conversion of elements.
pub(super) fn converted(from: DType, to: DType) -> Result<Typed> {
    lower_to(&AS_IT_IS, &[from], &[to], Indices::default())
}

/// Runs a formula over a tile on this thread.
///
/// # Safety
/// The slots lead to live elements of the program's types, and nobody else has the outputs.
pub(super) unsafe fn over(
    program: &Typed,
    [m, n]: [usize; 2],
    inputs: Vec<Slot>,
    outputs: Vec<Slot>,
) -> Result<()> {
    let task = Task {
        program,
        outer: Dims::from_slice(&[m, n]),
        row: Dims::new(),
        inputs,
        outputs,
        params: &[],
    };
    // SAFETY: the caller's promise.
    unsafe { exec::run_here(&task) }
}
