//! Atomic operations: one lane after another, each truly atomic among host threads.

use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};

use crate::machine::context::{Context, lanes};
use crate::machine::op::{Exec, Op};
use crate::machine::reach::{At, Deed, Reach, Strength, Touch};
use crate::machine::rows::{LANES, Lane};
use crate::machine::vector::vector;

/// Bits that change in one step.
pub(crate) trait Word: Lane + PartialEq {
    /// Replaces what is at `at` by `f` of it; returns what was there.
    ///
    /// # Safety
    ///
    /// `at` is aligned memory that lives throughout.
    unsafe fn update(at: *mut Self, f: impl FnMut(Self) -> Self) -> Self;
}

macro_rules! words {
    ($($type:ident $atomic:ident;)*) => {$(
        impl Word for $type {
            #[inline(always)]
            unsafe fn update(at: *mut Self, mut f: impl FnMut(Self) -> Self) -> Self {
                // SAFETY: the caller vouches for `at`.
                let atomic = unsafe { $atomic::from_ptr(at) };
                let mut old = atomic.load(Ordering::SeqCst);
                loop {
                    match atomic.compare_exchange_weak(old, f(old), Ordering::SeqCst, Ordering::SeqCst) {
                        Ok(old) => return old,
                        Err(seen) => old = seen,
                    }
                }
            }
        }
    )*};
}
words! {
    u16 AtomicU16;
    u32 AtomicU32;
    u64 AtomicU64;
}

/// `r`: the old value, two operands, nothing, the address, its flags.
#[inline(always)]
fn update<T: Word>(context: &mut Context, op: &Op, f: impl Fn(T, T, T) -> T) {
    let bytes = size_of::<T>() as u32;
    let before = context.progress;
    context.watched = true;
    let reach = context.reach(
        op,
        At::of(op),
        Touch {
            bytes,
            align: bytes,
            deed: Deed::Atomic,
            strength: Strength::Strong,
        },
    );
    if reach == Reach::Nothing {
        return;
    }
    // Only what changes memory is progress: a lock that is not had is none.
    context.progress = before;
    let b = context.get::<T>(op.r[1]);
    let c = context.get::<T>(op.r[2]);
    let mut old = [T::default(); LANES];
    for lane in lanes(context.mask) {
        let at = context.host_at(reach, lane, bytes) as *mut T;
        let mut changed = false;
        // SAFETY: `reach` found the address within a live allocation, and aligned.
        old[lane] = unsafe {
            T::update(at, |value| {
                let new = f(value, b[lane], c[lane]);
                changed = new != value;
                new
            })
        };
        context.progress |= changed;
    }
    context.put_some(op.r[0], old);
}

macro_rules! atomics {
    ($($($name:literal)|+: $type:ty => |$a:ident, $b:ident, $c:ident| $e:expr;)*) => {
        /// What runs the atomic operation of this name and type, such as `add.u32`.
        pub(crate) fn find(name: &str) -> Option<Exec> {
            Some(match name {
                $($($name)|+ => {
                    vector! {
                        fn exec(context: &mut Context, op: &Op) {
                            update::<$type>(context, op, #[inline(always)] |$a, $b, $c| $e);
                        }
                    }
                    exec
                })*
                _ => return None,
            })
        }
    };
}

atomics! {
    "add.u32" | "add.s32": u32 => |a, b, _c| a.wrapping_add(b);
    "add.u64" | "add.s64": u64 => |a, b, _c| a.wrapping_add(b);
    "add.f32": u32 => |a, b, _c| (f32::from_bits(a) + f32::from_bits(b)).to_bits();
    "add.f64": u64 => |a, b, _c| (f64::from_bits(a) + f64::from_bits(b)).to_bits();
    "add.f16": u16 => |a, b, _c| add_f16(a, b);
    "add.bf16": u16 => |a, b, _c| add_bf16(a, b);
    "add.f16x2": u32 => |a, b, _c| pair(a, b, add_f16);
    "add.bf16x2": u32 => |a, b, _c| pair(a, b, add_bf16);
    "min.u32": u32 => |a, b, _c| a.min(b);
    "min.s32": u32 => |a, b, _c| (a as i32).min(b as i32) as u32;
    "min.u64": u64 => |a, b, _c| a.min(b);
    "min.s64": u64 => |a, b, _c| (a as i64).min(b as i64) as u64;
    "max.u32": u32 => |a, b, _c| a.max(b);
    "max.s32": u32 => |a, b, _c| (a as i32).max(b as i32) as u32;
    "max.u64": u64 => |a, b, _c| a.max(b);
    "max.s64": u64 => |a, b, _c| (a as i64).max(b as i64) as u64;
    "inc.u32": u32 => |a, b, _c| if a >= b { 0 } else { a + 1 };
    "dec.u32": u32 => |a, b, _c| if a == 0 || a > b { b } else { a - 1 };
    "exch.b16": u16 => |_a, b, _c| b;
    "exch.b32": u32 => |_a, b, _c| b;
    "exch.b64": u64 => |_a, b, _c| b;
    "cas.b16": u16 => |a, b, c| if a == b { c } else { a };
    "cas.b32": u32 => |a, b, c| if a == b { c } else { a };
    "cas.b64": u64 => |a, b, c| if a == b { c } else { a };
    "and.b32": u32 => |a, b, _c| a & b;
    "and.b64": u64 => |a, b, _c| a & b;
    "or.b32": u32 => |a, b, _c| a | b;
    "or.b64": u64 => |a, b, _c| a | b;
    "xor.b32": u32 => |a, b, _c| a ^ b;
    "xor.b64": u64 => |a, b, _c| a ^ b;
}

fn add_f16(a: u16, b: u16) -> u16 {
    super::half::f16_of_f32(super::half::f16_to_f32(a) + super::half::f16_to_f32(b))
}

fn add_bf16(a: u16, b: u16) -> u16 {
    let wide = |bits: u16| f32::from_bits(u32::from(bits) << 16);
    super::half::bf16_of_f32(wide(a) + wide(b))
}

fn pair(a: u32, b: u32, f: impl Fn(u16, u16) -> u16) -> u32 {
    u32::from(f(a as u16, b as u16)) | u32::from(f((a >> 16) as u16, (b >> 16) as u16)) << 16
}
