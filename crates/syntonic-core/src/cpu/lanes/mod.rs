//! Lane kernels: one primitive over a short contiguous block, in the widest instructions the
//! processor has.
//!
//! A primitive is a branch-free scalar body (`lane::Lane`); `lane` loops it over memory three times, once
//! per instruction set of `level`, and the compiler turns each loop into vectors. Everything else here
//! is bodies, one file per family, each with the table that says which element types it offers.

mod across;
pub(crate) mod annex_g;
mod arithmetic;
mod begun;
mod cast;
mod compare;
mod complex;
mod division;
mod error_function;
mod exponential;
mod extremes;
mod fold;
mod folding;
mod hyperbolic;
mod integer;
mod lane;
mod level;
mod moves;
mod number;
mod number_lane;
mod polynomials;
mod power;
mod terms;
mod trigonometric;

use crate::dtype::DType;
use crate::fuse::Prim;

pub use across::{AcrossFn, across_at};
pub use begun::Begun;
pub use cast::{cast, cast_at};
pub use extremes::{ArgFold, ArgFoldFn, arg_fold};
pub use fold::{CloseFn, FeedFn, Fold, FoldFn, FoldKernel, fold, fold_at, sum_at};
pub use level::Level;
pub(crate) use moves::{LINE, fetch};
pub use moves::{fill, gather, scatter};
pub use number_lane::Place;
pub use terms::Term;

/// A kernel over `n` contiguous lanes: `out[i] = f(a[i], b[i], c[i])`; unused operands are null.
///
/// # Safety
/// Every used pointer must be valid for `n` elements of its type (no alignment is required to be
/// more than the element's own), and `out` must not overlap an operand unless it is exactly it, with
/// elements of the same size.
pub type LaneFn = unsafe fn(out: *mut u8, a: *const u8, b: *const u8, c: *const u8, n: usize);

/// The kernel of `prim` for operands of type `operand` (the type after [`Prim::operand_dtype`]).
///
/// For [`Prim::Select`] the first operand is the condition, bytes that count as true unless 0, and
/// `operand` is the type of the branches. `None` where the table of primitives does not accept the
/// type, and for the half types, which are computed in `float32` between two casts.
pub fn kernel(prim: Prim, operand: DType) -> Option<LaneFn> {
    kernel_at(Level::current(), prim, operand)
}

/// As [`kernel`], in the instructions of `level` or fewer.
pub fn kernel_at(level: Level, prim: Prim, operand: DType) -> Option<LaneFn> {
    let level = level.min(Level::current());
    arithmetic::kernel(level, prim, operand)
        .or_else(|| compare::kernel(level, prim, operand))
        .or_else(|| exponential::kernel(level, prim, operand))
        .or_else(|| trigonometric::kernel(level, prim, operand))
        .or_else(|| hyperbolic::kernel(level, prim, operand))
        .or_else(|| error_function::kernel(level, prim, operand))
        .or_else(|| power::kernel(level, prim, operand))
        .or_else(|| division::kernel(level, prim, operand))
        .or_else(|| integer::kernel(level, prim, operand))
        .or_else(|| complex::kernel(level, prim, operand))
}

/// As [`kernel`], where the operand at `place` is one number for all lanes, with the bits of [`kernel`] over that number
/// repeated. `None` where there is none: for all but sums, differences, products and quotients of `float32` and `float64`.
pub fn kernel_beside_at(level: Level, prim: Prim, operand: DType, place: Place) -> Option<LaneFn> {
    arithmetic::kernel_beside(level.min(Level::current()), prim, operand, place)
}
