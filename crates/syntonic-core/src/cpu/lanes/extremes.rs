//! Where the extreme of a block is.

use super::fold::{FoldFn, values};
use super::folding::{Max, Min};
use super::level::Level;
use super::number::Real;
use crate::dtype::DType;

/// Which extreme an [`ArgFoldFn`] looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArgFold {
    /// The smallest.
    Min,
    /// The largest.
    Max,
}

/// Writes the extreme of the `n >= 1` elements at `a` and the index of its first occurrence; the first
/// NaN wins.
///
/// # Safety
/// `a` must be valid for `n` elements, `n >= 1`, `out_value` for one element and `out_index` for one `i64`.
pub type ArgFoldFn = unsafe fn(out_value: *mut u8, out_index: *mut i64, a: *const u8, n: usize);

/// # Safety
/// As [`ArgFoldFn`], with the fold of an extreme of the element type `T`.
#[inline(always)]
unsafe fn locate<T: Real>(
    extreme: FoldFn,
    out_value: *mut u8,
    out_index: *mut i64,
    a: *const u8,
    n: usize,
) {
    // SAFETY: the caller promises `n >= 1` elements at `a` and one value and one index of room; the
    // fold keeps the element type.
    unsafe {
        extreme(out_value, a, std::ptr::null(), n);
        let best = out_value.cast::<T>().read_unaligned();
        let items = std::slice::from_raw_parts(a.cast::<T>(), n);
        let found = items.iter().position(|&x| x == best || x.is_nan());
        *out_index = found.unwrap_or(0) as i64;
    }
}

/// # Safety
/// As [`ArgFoldFn`].
unsafe fn locate_min<T: Real>(out_value: *mut u8, out_index: *mut i64, a: *const u8, n: usize) {
    // SAFETY: the caller's promise is the same.
    unsafe {
        locate::<T>(
            values::<Min<T>>(Level::current()).whole,
            out_value,
            out_index,
            a,
            n,
        )
    }
}

/// # Safety
/// As [`ArgFoldFn`].
unsafe fn locate_max<T: Real>(out_value: *mut u8, out_index: *mut i64, a: *const u8, n: usize) {
    // SAFETY: the caller's promise is the same.
    unsafe {
        locate::<T>(
            values::<Max<T>>(Level::current()).whole,
            out_value,
            out_index,
            a,
            n,
        )
    }
}

/// The kernel that finds an extreme and where it is; `None` for `bool`, half types and complex numbers.
pub fn arg_fold(kind: ArgFold, dtype: DType) -> Option<ArgFoldFn> {
    macro_rules! by_type {
        ($locate:ident) => {
            match dtype {
                DType::I8 => Some($locate::<i8>),
                DType::I16 => Some($locate::<i16>),
                DType::I32 => Some($locate::<i32>),
                DType::I64 => Some($locate::<i64>),
                DType::U8 => Some($locate::<u8>),
                DType::U16 => Some($locate::<u16>),
                DType::U32 => Some($locate::<u32>),
                DType::U64 => Some($locate::<u64>),
                DType::F32 => Some($locate::<f32>),
                DType::F64 => Some($locate::<f64>),
                _ => None,
            }
        };
    }
    match kind {
        ArgFold::Min => by_type!(locate_min),
        ArgFold::Max => by_type!(locate_max),
    }
}
