//! Comparison, extremes, logic and choice.

use super::LaneFn;
use super::lane::{lanes, offer};
use super::level::Level;
use super::number::Real;
use crate::dtype::DType;
use crate::fuse::Prim;

/// A truth value; a trait only so that logic is declared like the rest.
trait Truth: Copy + 'static {
    fn holds(self) -> bool;
}

impl Truth for bool {
    #[inline(always)]
    fn holds(self) -> bool {
        self
    }
}

/// Anything that can be compared for equality.
trait Comparable: Copy + PartialEq + 'static {}
impl<T: Copy + PartialEq + 'static> Comparable for T {}

lanes! {
    Not [T: Truth] (a: T) -> bool |L| !a.holds();
}

lanes! {
    Min [T: Real] (a: T, b: T) -> T |L| a.smaller(b);
    Max [T: Real] (a: T, b: T) -> T |L| a.larger(b);
    Eq [T: Comparable] (a: T, b: T) -> bool |L| a == b;
    Ne [T: Comparable] (a: T, b: T) -> bool |L| a != b;
    Lt [T: Real] (a: T, b: T) -> bool |L| a < b;
    Le [T: Real] (a: T, b: T) -> bool |L| a <= b;
    Gt [T: Real] (a: T, b: T) -> bool |L| a > b;
    Ge [T: Real] (a: T, b: T) -> bool |L| a >= b;
    And [T: Truth] (a: T, b: T) -> bool |L| a.holds() & b.holds();
    Or [T: Truth] (a: T, b: T) -> bool |L| a.holds() | b.holds();
    Xor [T: Truth] (a: T, b: T) -> bool |L| a.holds() ^ b.holds();
}

lanes! {
    Select [T: Comparable] (a: u8, b: T, c: T) -> T |L| if a != 0 { b } else { c };
}

/// The kernels of this family.
pub(super) fn kernel(level: Level, prim: Prim, dtype: DType) -> Option<LaneFn> {
    match prim {
        Prim::Min => offer!(level, dtype, Min, signed unsigned floats),
        Prim::Max => offer!(level, dtype, Max, signed unsigned floats),
        Prim::Eq => offer!(level, dtype, Eq, bool signed unsigned floats complex),
        Prim::Ne => offer!(level, dtype, Ne, bool signed unsigned floats complex),
        Prim::Lt => offer!(level, dtype, Lt, signed unsigned floats),
        Prim::Le => offer!(level, dtype, Le, signed unsigned floats),
        Prim::Gt => offer!(level, dtype, Gt, signed unsigned floats),
        Prim::Ge => offer!(level, dtype, Ge, signed unsigned floats),
        Prim::Not => offer!(level, dtype, Not, bool),
        Prim::And => offer!(level, dtype, And, bool),
        Prim::Or => offer!(level, dtype, Or, bool),
        Prim::Xor => offer!(level, dtype, Xor, bool),
        Prim::Select => offer!(level, dtype, Select, bool signed unsigned floats complex),
        _ => None,
    }
}
