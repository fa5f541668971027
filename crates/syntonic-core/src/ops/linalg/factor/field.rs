//! The numbers that decompositions are made of, and the room that they work in.

use crate::cpu::cpu;
use crate::error::Result;
use crate::ops::linalg::dense::{packing, ready};
use crate::room;
use crate::scalar::Element;
use faer::dyn_stack::{MemBuffer, StackReq};
use faer::traits::{ComplexField, RealField};
use faer::{MatMut, MatRef};
use num_complex::Complex;

/// An element type with decompositions.
pub(super) trait Field: Element + ComplexField<Real: Part> {
    /// The larger magnitude of its parts.
    fn size(self) -> f64;

    /// The number times a real one.
    fn times(self, by: f64) -> Self;

    /// Its real part.
    fn part(self) -> Self::Real;
}

/// A real one of them.
pub(super) trait Part: Element + RealField {
    /// Numbers between two to the power of minus this and of this have squares that neither vanish nor overflow, in
    /// any sum that fits into memory.
    const SQUARES: i32;

    /// As `f64`, exactly.
    fn wide(self) -> f64;

    /// The nearest to a wider number.
    fn rounded(x: f64) -> Self;
}

macro_rules! fields {
    ($($t:ident $squares:literal;)*) => {$(
        impl Part for $t {
            const SQUARES: i32 = $squares;
            fn wide(self) -> f64 {
                f64::from(self)
            }
            fn rounded(x: f64) -> $t {
                x as $t
            }
        }
        impl Field for $t {
            fn size(self) -> f64 {
                f64::from(self.abs())
            }
            fn times(self, by: f64) -> $t {
                (f64::from(self) * by) as $t
            }
            fn part(self) -> $t {
                self
            }
        }
        impl Field for Complex<$t> {
            fn size(self) -> f64 {
                f64::from(self.re.abs()).max(f64::from(self.im.abs()))
            }
            fn times(self, by: f64) -> Complex<$t> {
                Complex::new(self.re.times(by), self.im.times(by))
            }
            fn part(self) -> $t {
                self.re
            }
        }
    )*};
}
fields! {
    f32 40;
    f64 400;
}

/// Runs `$body` with `$T` bound to the type of `$dtype`, which is one of those that decompositions have.
macro_rules! with_field {
    ($op:expr, $dtype:expr, $T:ident => $body:expr) => {
        match $dtype {
            $crate::DType::F32 => {
                type $T = f32;
                $body
            }
            $crate::DType::F64 => {
                type $T = f64;
                $body
            }
            $crate::DType::C64 => {
                type $T = ::num_complex::Complex<f32>;
                $body
            }
            $crate::DType::C128 => {
                type $T = ::num_complex::Complex<f64>;
                $body
            }
            other => Err($crate::Error::value(
                $op,
                format!("the kernel does not take {other}"),
            )),
        }
    };
}
pub(super) use with_field;

/// Room for a call of the library on matrices of this size. What it packs operands into comes on top, which it asks for in
/// a way that cannot fail: that of one call is seen to be there.
pub(super) fn workspace<T: Field>(wanted: StackReq, rows: usize, cols: usize) -> Result<MemBuffer> {
    ready();
    let bytes = wanted.unaligned_bytes_required();
    let attempt = || MemBuffer::try_new(wanted).ok();
    let found = attempt().or_else(|| {
        cpu().trim();
        attempt()
    });
    let found = found.ok_or_else(|| room::refused(bytes))?;
    let (short, long) = (rows.min(cols), rows.max(cols));
    let packed = packing(long, long, short, size_of::<T>());
    if packed > SMALL {
        room::probe(packed)?;
    }
    Ok(found)
}

/// Bytes that are taken without a look whether they are there.
const SMALL: usize = 64 << 10;

/// A matrix whose squares neither vanish nor overflow: the given one, or a copy times a power of 2.
pub(super) struct Scaled<'a, T> {
    given: MatRef<'a, T>,
    copy: Option<Vec<T>>,
    factor: f64,
}

impl<'a, T: Field> Scaled<'a, T> {
    /// As it is, unless its largest number is too large or too small. Its numbers are finite.
    pub(super) fn of(given: MatRef<'a, T>) -> Result<Scaled<'a, T>> {
        let (rows, cols) = given.shape();
        let mut largest = 0f64;
        for j in 0..cols {
            for i in 0..rows {
                largest = largest.max(given[(i, j)].size());
            }
        }
        let most = T::Real::SQUARES;
        let exponent = if largest > 0.0 {
            largest.log2().floor() as i32
        } else {
            0
        };
        let mut scaled = Scaled {
            given,
            copy: None,
            factor: 1.0,
        };
        if exponent.abs() > most {
            scaled.factor = 2f64.powi((-exponent).min(1000));
            let mut copy = room::empty(rows * cols)?;
            for j in 0..cols {
                copy.extend((0..rows).map(|i| given[(i, j)].times(scaled.factor)));
            }
            scaled.copy = Some(copy);
        }
        Ok(scaled)
    }

    /// The matrix to decompose.
    pub(super) fn matrix(&self) -> MatRef<'_, T> {
        let (rows, cols) = self.given.shape();
        match &self.copy {
            Some(copy) => MatRef::from_column_major_slice(copy, rows, cols),
            None => self.given,
        }
    }

    /// A value of the scaled matrix as that of the given one.
    pub(super) fn back(&self, value: T::Real) -> T::Real {
        if self.factor == 1.0 {
            value
        } else {
            T::Real::rounded(value.wide() / self.factor)
        }
    }
}

/// Zeros, and ones on the diagonal.
pub(super) fn identity<T: Field>(mut to: MatMut<'_, T>) {
    to.fill(T::zero_impl());
    let n = to.nrows().min(to.ncols());
    for i in 0..n {
        to[(i, i)] = T::one_impl();
    }
}
