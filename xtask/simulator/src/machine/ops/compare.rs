//! Comparisons, choices and the logic of predicates.

use super::each::{test1, test2};
use crate::machine::context::Context;
use crate::machine::op::{Form, Op};
use crate::machine::rows::{LANES, Lane};
use crate::machine::vector::vector;
use crate::ptx::Kind;

/// One comparison of one type.
macro_rules! comparison {
    ($type:ty, |$a:ident, $b:ident| $e:expr) => {{
        vector! {
            fn exec(context: &mut Context, op: &Op) {
                test2::<$type>(context, op, #[inline(always)] |$a, $b| $e);
            }
        }
        Form {
            exec,
            defs: &[Kind::Predicate],
            uses: &[<$type as Lane>::KIND, <$type as Lane>::KIND],
        }
    }};
}

macro_rules! integers {
    ($comparison:expr, $type:ty) => {
        match $comparison {
            "eq" => comparison!($type, |a, b| a == b),
            "ne" => comparison!($type, |a, b| a != b),
            "lt" | "lo" => comparison!($type, |a, b| a < b),
            "le" | "ls" => comparison!($type, |a, b| a <= b),
            "gt" | "hi" => comparison!($type, |a, b| a > b),
            "ge" | "hs" => comparison!($type, |a, b| a >= b),
            _ => return None,
        }
    };
}

macro_rules! floats {
    ($comparison:expr, $type:ty) => {
        match $comparison {
            "eq" => comparison!($type, |a, b| a == b),
            "ne" => comparison!($type, |a, b| a < b || a > b),
            "lt" => comparison!($type, |a, b| a < b),
            "le" => comparison!($type, |a, b| a <= b),
            "gt" => comparison!($type, |a, b| a > b),
            "ge" => comparison!($type, |a, b| a >= b),
            "equ" => comparison!($type, |a, b| !(a < b || a > b)),
            "neu" => comparison!($type, |a, b| a != b),
            "ltu" => comparison!($type, |a, b| !(a >= b)),
            "leu" => comparison!($type, |a, b| !(a > b)),
            "gtu" => comparison!($type, |a, b| !(a <= b)),
            "geu" => comparison!($type, |a, b| !(a < b)),
            "num" => comparison!($type, |a, b| a == a && b == b),
            "nan" => comparison!($type, |a, b| a != a || b != b),
            _ => return None,
        }
    };
}

/// What runs `setp` with this comparison of this type.
#[allow(
    clippy::eq_op,
    clippy::neg_cmp_op_on_partial_ord,
    clippy::double_comparisons
)]
pub(crate) fn comparison(comparison: &str, of: &str) -> Option<Form> {
    Some(match of {
        "u16" | "b16" => integers!(comparison, u16),
        "s16" => integers!(comparison, i16),
        "u32" | "b32" => integers!(comparison, u32),
        "s32" => integers!(comparison, i32),
        "u64" | "b64" => integers!(comparison, u64),
        "s64" => integers!(comparison, i64),
        "f32" => floats!(comparison, f32),
        "f64" => floats!(comparison, f64),
        _ => return None,
    })
}

macro_rules! test {
    ($type:ty, |$a:ident| $e:expr) => {{
        vector! {
            fn exec(context: &mut Context, op: &Op) {
                test1::<$type>(context, op, #[inline(always)] |$a| $e);
            }
        }
        Form {
            exec,
            defs: &[Kind::Predicate],
            uses: &[<$type as Lane>::KIND],
        }
    }};
}

macro_rules! choice {
    ($type:ty) => {{
        vector! {
            fn exec(context: &mut Context, op: &Op) {
                let a = context.row::<$type>(op.r[1]);
                let b = context.row::<$type>(op.r[2]);
                let chosen = context.predicate(op.r[3]);
                let mut d = [0; LANES];
                for lane in 0..LANES {
                    d[lane] = if chosen >> lane & 1 != 0 { a.at(lane) } else { b.at(lane) };
                }
                context.put(op.r[0], d);
            }
        }
        const KIND: Kind = <$type as Lane>::KIND;
        Form {
            exec,
            defs: &[KIND],
            uses: &[KIND, KIND, Kind::Predicate],
        }
    }};
}

macro_rules! logic {
    (|$a:ident, $b:ident| $e:expr) => {{
        fn exec(context: &mut Context, op: &Op) {
            let ($a, $b) = (context.predicate(op.r[1]), context.predicate(op.r[2]));
            context.put_predicate(op.r[0], $e);
        }
        Form {
            exec,
            defs: &[Kind::Predicate],
            uses: &[Kind::Predicate, Kind::Predicate],
        }
    }};
    (|$a:ident| $e:expr) => {{
        fn exec(context: &mut Context, op: &Op) {
            let $a = context.predicate(op.r[1]);
            context.put_predicate(op.r[0], $e);
        }
        Form {
            exec,
            defs: &[Kind::Predicate],
            uses: &[Kind::Predicate],
        }
    }};
}

/// Choices, tests of a float's class, and logic of predicates.
pub(crate) fn find(name: &str) -> Option<Form> {
    Some(match name {
        "selp.b16" | "selp.u16" | "selp.s16" | "selp.f16" | "selp.bf16" => choice!(u16),
        "selp.b32" | "selp.u32" | "selp.s32" | "selp.f32" | "selp.f16x2" => choice!(u32),
        "selp.b64" | "selp.u64" | "selp.s64" | "selp.f64" => choice!(u64),
        "and.pred" => logic!(|a, b| a & b),
        "or.pred" => logic!(|a, b| a | b),
        "xor.pred" => logic!(|a, b| a ^ b),
        "not.pred" => logic!(|a| !a),
        "mov.pred" => logic!(|a| a),
        "testp.finite.f32" => test!(f32, |a| a.is_finite()),
        "testp.infinite.f32" => test!(f32, |a| a.is_infinite()),
        "testp.number.f32" => test!(f32, |a| !a.is_nan()),
        "testp.notanumber.f32" => test!(f32, |a| a.is_nan()),
        "testp.normal.f32" => test!(f32, |a| a.is_normal()),
        "testp.subnormal.f32" => test!(f32, |a| a.is_subnormal()),
        "testp.finite.f64" => test!(f64, |a| a.is_finite()),
        "testp.infinite.f64" => test!(f64, |a| a.is_infinite()),
        "testp.number.f64" => test!(f64, |a| !a.is_nan()),
        "testp.notanumber.f64" => test!(f64, |a| a.is_nan()),
        "testp.normal.f64" => test!(f64, |a| a.is_normal()),
        "testp.subnormal.f64" => test!(f64, |a| a.is_subnormal()),
        _ => return None,
    })
}
