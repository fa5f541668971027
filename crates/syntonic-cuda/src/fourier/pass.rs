//! Lines in GPU memory, and one pass over them: a copy, a factor, a part of complex numbers.

use crate::context::{Context, Scratch};
use crate::kernel;
use syntonic_core::device::Arg;
use syntonic_core::fuse::{Builder, Precision, Prim, Role, Slot, Task, Typed, Yield, lower};
use syntonic_core::layout::{Dims, Strides, row_major};
use syntonic_core::{DType, Result};

/// Lines in GPU memory, along the last axis of a shape.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) address: u64,
    pub(super) dtype: DType,
    pub(super) shape: Dims,
    pub(super) strides: Strides,
}

/// The library asks that complex numbers of double precision begin at such addresses.
const ALIGNMENT: u64 = 16;

impl Place {
    /// Those of an operand.
    pub(super) fn of(arg: &Arg) -> Place {
        Place {
            address: arg.address() as u64,
            dtype: arg.dtype,
            shape: arg.layout.shape().into(),
            strides: arg.layout.strides().into(),
        }
    }

    /// Lines without gaps in memory for the time of the operation.
    pub(super) fn scratch<'a>(
        context: &'a Context,
        dtype: DType,
        shape: &[usize],
    ) -> Result<(Place, Scratch<'a>)> {
        let memory = context.scratch(shape.iter().product::<usize>() * dtype.size())?;
        let place = Place {
            address: memory.address(),
            dtype,
            shape: shape.into(),
            strides: row_major(shape),
        };
        Ok((place, memory))
    }

    /// Whether the library takes the lines as they lie.
    pub(super) fn is_plain(&self) -> bool {
        let walked = self.shape.iter().zip(&self.strides).rev();
        let mut want = 1;
        for (&len, &stride) in walked {
            if len > 1 && stride != want {
                return false;
            }
            want *= len as isize;
        }
        self.address.is_multiple_of(ALIGNMENT)
    }

    /// The real or the imaginary parts of complex numbers.
    pub(super) fn part(&self, which: Part) -> Place {
        let dtype = self.dtype.real();
        let skip = match which {
            Part::Real => 0,
            Part::Imaginary => dtype.size() as u64,
        };
        Place {
            address: self.address + skip,
            dtype,
            shape: self.shape.clone(),
            strides: self.strides.iter().map(|stride| 2 * stride).collect(),
        }
    }

    /// Complex numbers as pairs of real ones; others as they are.
    fn pairs(&self) -> Place {
        if !self.dtype.is_complex() {
            return self.clone();
        }
        let mut pairs = self.part(Part::Real);
        pairs.shape.push(2);
        pairs.strides.push(1);
        pairs
    }

    /// One element of each line.
    pub(super) fn column(&self, at: usize) -> Place {
        let mut column = self.clone();
        let (last, size) = (self.shape.len() - 1, self.dtype.size() as isize);
        let by = at as isize * self.strides[last] * size;
        column.address = column.address.wrapping_add_signed(by as i64);
        column.shape[last] = 1;
        column
    }

    fn slot(&self) -> Slot {
        Slot {
            address: self.address as *mut u8,
            outer: self.strides.clone(),
            row: Strides::new(),
        }
    }
}

/// A part of a complex number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Real,
    Imaginary,
}

/// `x` times a factor, of real numbers.
fn program(dtype: DType, scale: f64) -> Result<Typed> {
    let mut builder = Builder::new();
    let x = builder.input("x", Role::Element);
    let y = if scale == 1.0 {
        x
    } else {
        let scale = builder.constant(scale);
        builder.apply(Prim::Mul, &[x, scale])
    };
    builder.output(y, Yield::Element);
    lower(&builder.finish("fft", Precision::Stepwise), &[dtype])
}

/// `to = scale from`, of one type and shape; both may be the same place.
///
/// # Safety
/// Both are live, and apart unless they are the same.
pub(super) unsafe fn scaled(context: &Context, from: &Place, to: &Place, scale: f64) -> Result<()> {
    // Factors are real, and one of complex numbers would take four products.
    let (from, to) = match scale == 1.0 {
        true => (from.clone(), to.clone()),
        false => (from.pairs(), to.pairs()),
    };
    let program = program(to.dtype, scale)?;
    // SAFETY: the caller's promise.
    unsafe { run(context, &program, from.slot(), &to) }
}

/// Zeros at every place.
///
/// # Safety
/// The place is live.
pub(super) unsafe fn cleared(context: &Context, to: &Place) -> Result<()> {
    let zero = context.scratch(ALIGNMENT as usize)?;
    let from = Slot {
        address: zero.address() as *mut u8,
        outer: to.strides.iter().map(|_| 0).collect(),
        row: Strides::new(),
    };
    // SAFETY: the scratch has the bytes and lives until the pass is in the stream; the rest is the caller's promise.
    unsafe {
        context.set_bytes(zero.address(), 0, ALIGNMENT as usize)?;
        run(context, &program(to.dtype, 1.0)?, from, to)
    }
}

/// # Safety
/// The slots are live over the shape of `to`.
unsafe fn run(context: &Context, program: &Typed, from: Slot, to: &Place) -> Result<()> {
    if to.shape.contains(&0) {
        return Ok(());
    }
    let task = Task {
        program,
        outer: to.shape.clone(),
        row: Dims::new(),
        inputs: vec![from],
        outputs: vec![to.slot()],
        params: &[],
    };
    // SAFETY: the caller's promise.
    unsafe { kernel::run(context, &task) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(address: u64, dtype: DType, shape: &[usize], strides: &[isize]) -> Place {
        Place {
            address,
            dtype,
            shape: shape.into(),
            strides: strides.into(),
        }
    }

    #[test]
    fn the_library_takes_lines_without_gaps_that_begin_where_it_asks() {
        let plain = |address, shape: &[usize], strides: &[isize]| {
            place(address, DType::C64, shape, strides).is_plain()
        };
        assert!(plain(256, &[3, 4], &[4, 1]));
        assert!(plain(256, &[1, 4], &[9, 1]));
        assert!(plain(256, &[4], &[1]));
        assert!(!plain(264, &[3, 4], &[4, 1]));
        assert!(!plain(256, &[3, 4], &[1, 3]));
        assert!(!plain(256, &[3, 4], &[8, 2]));
        assert!(!plain(256, &[3, 4], &[0, 1]));
        assert!(!plain(256, &[4], &[-1]));
    }

    #[test]
    fn parts_columns_and_pairs_lie_within_the_lines() {
        let lines = place(256, DType::C128, &[3, 5], &[10, 2]);
        let imaginary = lines.column(4).part(Part::Imaginary);
        assert_eq!(imaginary.address, 256 + 4 * 2 * 16 + 8);
        assert_eq!(
            (&imaginary.shape[..], &imaginary.strides[..]),
            (&[3, 1][..], &[20, 4][..])
        );
        assert_eq!(imaginary.dtype, DType::F64);
        let pairs = lines.pairs();
        assert_eq!(
            (&pairs.shape[..], &pairs.strides[..]),
            (&[3, 5, 2][..], &[20, 4, 1][..])
        );
        assert_eq!(place(256, DType::F32, &[2], &[1]).pairs().shape[..], [2]);
    }

    #[test]
    fn factors_are_programs_of_real_numbers() {
        for dtype in [DType::F32, DType::F64] {
            assert_eq!(program(dtype, 0.1).unwrap().outputs[0].dtype, dtype);
        }
        for dtype in [DType::C64, DType::C128, DType::F32] {
            let copy = program(dtype, 1.0).unwrap();
            assert_eq!((copy.nodes.len(), copy.outputs[0].dtype), (1, dtype));
        }
    }
}
