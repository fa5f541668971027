//! Sums of several words: additions, subtractions and multiplications that hand a carry on.
//!
//! The carry of every lane is one predicate, which the lowering passes as an operand.

use crate::machine::context::Context;
use crate::machine::op::{Form, NONE, Op};
use crate::machine::rows::LANES;
use crate::machine::vector::vector;
use crate::ptx::Kind::{self, Predicate};

/// `d = a · b + c + carry` with the carry out; the operands of an addition come as products with one.
macro_rules! carry {
    ($type:ty, $wide:ty, $kind:ident, |$a:ident, $b:ident| $term:expr) => {{
        vector! {
            fn exec(context: &mut Context, op: &Op) {
                let a = context.get::<$type>(op.r[2]);
                let b = context.get::<$type>(op.r[3]);
                let carry = if op.r[4] == NONE { op.imm as u32 } else { context.predicate(op.r[4]) };
                let mut d = [0; LANES];
                let mut out = 0u32;
                for lane in 0..LANES {
                    let ($a, $b) = (<$wide>::from(a[lane]), <$wide>::from(b[lane]));
                    let sum = $term + <$wide>::from(carry >> lane & 1);
                    d[lane] = sum as $type;
                    out |= u32::from(sum >> <$type>::BITS & 1 != 0) << lane;
                }
                context.put(op.r[0], d);
                context.put_predicate(op.r[1], out);
            }
        }
        const FORM: Form = Form { exec, defs: &[Kind::$kind, Predicate], uses: &[Kind::$kind, Kind::$kind, Predicate] };
        FORM
    }};
}

/// The addition or subtraction of this width; a subtraction adds the complement, so its carry is the borrow's opposite.
pub(crate) fn sum(subtract: bool, double: bool) -> Form {
    match (subtract, double) {
        (false, false) => carry!(u32, u64, Word, |a, b| a + b),
        (false, true) => carry!(u64, u128, Double, |a, b| a + b),
        (true, false) => carry!(u32, u64, Word, |a, b| a + (!b & 0xFFFF_FFFF)),
        (true, true) => carry!(u64, u128, Double, |a, b| a + (!b & 0xFFFF_FFFF_FFFF_FFFF)),
    }
}
