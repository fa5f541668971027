//! Applies a function to every lane.

// Lanes are counted: what they do is written for one lane, and several rows are indexed alike.
#![allow(clippy::needless_range_loop)]

use crate::machine::context::Context;
use crate::machine::op::Op;
use crate::machine::rows::{LANES, Lane};

/// One source.
#[inline(always)]
pub(crate) fn each1<A: Lane, D: Lane>(context: &mut Context, op: &Op, f: impl Fn(A) -> D) {
    let a = context.row::<A>(op.r[1]);
    let mut d = [D::default(); LANES];
    for lane in 0..LANES {
        d[lane] = f(a.at(lane));
    }
    context.put(op.r[0], d);
}

/// Two sources.
#[inline(always)]
pub(crate) fn each2<A: Lane, B: Lane, D: Lane>(
    context: &mut Context,
    op: &Op,
    f: impl Fn(A, B) -> D,
) {
    let a = context.row::<A>(op.r[1]);
    let b = context.row::<B>(op.r[2]);
    let mut d = [D::default(); LANES];
    for lane in 0..LANES {
        d[lane] = f(a.at(lane), b.at(lane));
    }
    context.put(op.r[0], d);
}

/// Three sources.
#[inline(always)]
pub(crate) fn each3<A: Lane, B: Lane, C: Lane, D: Lane>(
    context: &mut Context,
    op: &Op,
    f: impl Fn(A, B, C) -> D,
) {
    let a = context.row::<A>(op.r[1]);
    let b = context.row::<B>(op.r[2]);
    let c = context.row::<C>(op.r[3]);
    let mut d = [D::default(); LANES];
    for lane in 0..LANES {
        d[lane] = f(a.at(lane), b.at(lane), c.at(lane));
    }
    context.put(op.r[0], d);
}

/// Four sources.
#[inline(always)]
pub(crate) fn each4<A: Lane, B: Lane, C: Lane, E: Lane, D: Lane>(
    context: &mut Context,
    op: &Op,
    f: impl Fn(A, B, C, E) -> D,
) {
    let a = context.row::<A>(op.r[1]);
    let b = context.row::<B>(op.r[2]);
    let c = context.row::<C>(op.r[3]);
    let e = context.row::<E>(op.r[4]);
    let mut d = [D::default(); LANES];
    for lane in 0..LANES {
        d[lane] = f(a.at(lane), b.at(lane), c.at(lane), e.at(lane));
    }
    context.put(op.r[0], d);
}

/// A comparison: a predicate of two sources.
#[inline(always)]
pub(crate) fn test2<A: Lane>(context: &mut Context, op: &Op, f: impl Fn(A, A) -> bool) {
    let a = context.row::<A>(op.r[1]);
    let b = context.row::<A>(op.r[2]);
    let mut bits = 0u32;
    for lane in 0..LANES {
        bits |= if f(a.at(lane), b.at(lane)) {
            1 << lane
        } else {
            0
        };
    }
    context.put_predicate(op.r[0], bits);
}

/// A predicate of one source.
#[inline(always)]
pub(crate) fn test1<A: Lane>(context: &mut Context, op: &Op, f: impl Fn(A) -> bool) {
    let a = context.row::<A>(op.r[1]);
    let mut bits = 0u32;
    for lane in 0..LANES {
        bits |= if f(a.at(lane)) { 1 << lane } else { 0 };
    }
    context.put_predicate(op.r[0], bits);
}

/// A table from opcodes to what runs them: each line names opcodes, sources, the result and how a lane computes it.
macro_rules! table {
    ($(#[$meta:meta])* fn $find:ident; $($($name:literal)|+: ($($a:ident: $t:ty),+) -> $d:ty = $e:expr;)*) => {
        $(#[$meta])*
        pub(crate) fn $find(name: &str) -> Option<$crate::machine::op::Form> {
            use $crate::machine::rows::Lane;
            Some(match name {
                $($($name)|+ => {
                    $crate::machine::vector::vector! {
                        fn exec(context: &mut $crate::machine::context::Context, op: &$crate::machine::op::Op) {
                            table!(@each context, op, $d, $e, $($a: $t),+);
                        }
                    }
                    $crate::machine::op::Form {
                        exec,
                        defs: &[<$d as Lane>::KIND],
                        uses: &[$(<$t as Lane>::KIND),+],
                    }
                })*
                _ => return None,
            })
        }
    };
    (@each $c:ident, $o:ident, $d:ty, $e:expr, $a:ident: $t:ty) => {
        $crate::machine::ops::each::each1::<$t, $d>($c, $o, #[inline(always)] |$a: $t| $e)
    };
    (@each $c:ident, $o:ident, $d:ty, $e:expr, $a:ident: $t:ty, $b:ident: $u:ty) => {
        $crate::machine::ops::each::each2::<$t, $u, $d>($c, $o, #[inline(always)] |$a: $t, $b: $u| $e)
    };
    (@each $c:ident, $o:ident, $d:ty, $e:expr, $a:ident: $t:ty, $b:ident: $u:ty, $x:ident: $v:ty) => {
        $crate::machine::ops::each::each3::<$t, $u, $v, $d>($c, $o, #[inline(always)] |$a: $t, $b: $u, $x: $v| $e)
    };
    (@each $c:ident, $o:ident, $d:ty, $e:expr, $a:ident: $t:ty, $b:ident: $u:ty, $x:ident: $v:ty, $y:ident: $w:ty) => {
        $crate::machine::ops::each::each4::<$t, $u, $v, $w, $d>(
            $c, $o, #[inline(always)] |$a: $t, $b: $u, $x: $v, $y: $w| $e)
    };
}

pub(crate) use table;
