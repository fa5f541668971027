//! Arithmetic of integers.

use super::each::table;

table! {
    /// Addition, multiplication, division and what goes with them.
    fn find;
    "add.u16" | "add.s16": (a: u16, b: u16) -> u16 = a.wrapping_add(b);
    "add.u32" | "add.s32": (a: u32, b: u32) -> u32 = a.wrapping_add(b);
    "add.u64" | "add.s64": (a: u64, b: u64) -> u64 = a.wrapping_add(b);
    "add.sat.s32": (a: i32, b: i32) -> i32 = a.saturating_add(b);
    "add.u16x2" | "add.s16x2": (a: u32, b: u32) -> u32 = pair(a, b, u16::wrapping_add);
    "sub.u16" | "sub.s16": (a: u16, b: u16) -> u16 = a.wrapping_sub(b);
    "sub.u32" | "sub.s32": (a: u32, b: u32) -> u32 = a.wrapping_sub(b);
    "sub.u64" | "sub.s64": (a: u64, b: u64) -> u64 = a.wrapping_sub(b);
    "sub.sat.s32": (a: i32, b: i32) -> i32 = a.saturating_sub(b);
    "mul.lo.u16" | "mul.lo.s16": (a: u16, b: u16) -> u16 = a.wrapping_mul(b);
    "mul.lo.u32" | "mul.lo.s32": (a: u32, b: u32) -> u32 = a.wrapping_mul(b);
    "mul.lo.u64" | "mul.lo.s64": (a: u64, b: u64) -> u64 = a.wrapping_mul(b);
    "mul.hi.u16": (a: u16, b: u16) -> u16 = ((u32::from(a) * u32::from(b)) >> 16) as u16;
    "mul.hi.s16": (a: i16, b: i16) -> i16 = ((i32::from(a) * i32::from(b)) >> 16) as i16;
    "mul.hi.u32": (a: u32, b: u32) -> u32 = high_u32(a, b);
    "mul.hi.s32": (a: i32, b: i32) -> i32 = high_s32(a, b);
    "mul.hi.u64": (a: u64, b: u64) -> u64 = high_u64(a, b);
    "mul.hi.s64": (a: i64, b: i64) -> i64 = high_s64(a, b);
    "mul.wide.u16": (a: u16, b: u16) -> u32 = u32::from(a) * u32::from(b);
    "mul.wide.s16": (a: i16, b: i16) -> i32 = i32::from(a) * i32::from(b);
    "mul.wide.u32": (a: u32, b: u32) -> u64 = u64::from(a) * u64::from(b);
    "mul.wide.s32": (a: i32, b: i32) -> i64 = i64::from(a) * i64::from(b);
    "mul24.lo.u32": (a: u32, b: u32) -> u32 = (a & 0xFF_FFFF).wrapping_mul(b & 0xFF_FFFF);
    "mul24.lo.s32": (a: i32, b: i32) -> i32 = (a << 8 >> 8).wrapping_mul(b << 8 >> 8);
    "mad.lo.u16" | "mad.lo.s16": (a: u16, b: u16, c: u16) -> u16 = a.wrapping_mul(b).wrapping_add(c);
    "mad.lo.u32" | "mad.lo.s32": (a: u32, b: u32, c: u32) -> u32 = a.wrapping_mul(b).wrapping_add(c);
    "mad.lo.u64" | "mad.lo.s64": (a: u64, b: u64, c: u64) -> u64 = a.wrapping_mul(b).wrapping_add(c);
    "mad.hi.u32": (a: u32, b: u32, c: u32) -> u32 = high_u32(a, b).wrapping_add(c);
    "mad.hi.s32": (a: i32, b: i32, c: i32) -> i32 = high_s32(a, b).wrapping_add(c);
    "mad.hi.u64": (a: u64, b: u64, c: u64) -> u64 = high_u64(a, b).wrapping_add(c);
    "mad.hi.s64": (a: i64, b: i64, c: i64) -> i64 = high_s64(a, b).wrapping_add(c);
    "mad.wide.u16": (a: u16, b: u16, c: u32) -> u32 = (u32::from(a) * u32::from(b)).wrapping_add(c);
    "mad.wide.s16": (a: i16, b: i16, c: i32) -> i32 = (i32::from(a) * i32::from(b)).wrapping_add(c);
    "mad.wide.u32": (a: u32, b: u32, c: u64) -> u64 = (u64::from(a) * u64::from(b)).wrapping_add(c);
    "mad.wide.s32": (a: i32, b: i32, c: i64) -> i64 = (i64::from(a) * i64::from(b)).wrapping_add(c);
    "sad.u32": (a: u32, b: u32, c: u32) -> u32 = a.abs_diff(b).wrapping_add(c);
    "sad.s32": (a: i32, b: i32, c: u32) -> u32 = a.abs_diff(b).wrapping_add(c);
    "div.u16": (a: u16, b: u16) -> u16 = a.checked_div(b).unwrap_or(u16::MAX);
    "div.s16": (a: i16, b: i16) -> i16 = if b == 0 { -1 } else { a.wrapping_div(b) };
    "div.u32": (a: u32, b: u32) -> u32 = a.checked_div(b).unwrap_or(u32::MAX);
    "div.s32": (a: i32, b: i32) -> i32 = if b == 0 { -1 } else { a.wrapping_div(b) };
    "div.u64": (a: u64, b: u64) -> u64 = a.checked_div(b).unwrap_or(u64::MAX);
    "div.s64": (a: i64, b: i64) -> i64 = if b == 0 { -1 } else { a.wrapping_div(b) };
    "rem.u16": (a: u16, b: u16) -> u16 = a.checked_rem(b).unwrap_or(a);
    "rem.s16": (a: i16, b: i16) -> i16 = if b == 0 { a } else { a.wrapping_rem(b) };
    "rem.u32": (a: u32, b: u32) -> u32 = a.checked_rem(b).unwrap_or(a);
    "rem.s32": (a: i32, b: i32) -> i32 = if b == 0 { a } else { a.wrapping_rem(b) };
    "rem.u64": (a: u64, b: u64) -> u64 = a.checked_rem(b).unwrap_or(a);
    "rem.s64": (a: i64, b: i64) -> i64 = if b == 0 { a } else { a.wrapping_rem(b) };
    "min.u16": (a: u16, b: u16) -> u16 = a.min(b);
    "min.s16": (a: i16, b: i16) -> i16 = a.min(b);
    "min.u32": (a: u32, b: u32) -> u32 = a.min(b);
    "min.s32": (a: i32, b: i32) -> i32 = a.min(b);
    "min.u64": (a: u64, b: u64) -> u64 = a.min(b);
    "min.s64": (a: i64, b: i64) -> i64 = a.min(b);
    "min.u16x2": (a: u32, b: u32) -> u32 = pair(a, b, u16::min);
    "min.s16x2": (a: u32, b: u32) -> u32 = pair(a, b, |a, b| (a as i16).min(b as i16) as u16);
    "max.u16": (a: u16, b: u16) -> u16 = a.max(b);
    "max.s16": (a: i16, b: i16) -> i16 = a.max(b);
    "max.u32": (a: u32, b: u32) -> u32 = a.max(b);
    "max.s32": (a: i32, b: i32) -> i32 = a.max(b);
    "max.u64": (a: u64, b: u64) -> u64 = a.max(b);
    "max.s64": (a: i64, b: i64) -> i64 = a.max(b);
    "max.u16x2": (a: u32, b: u32) -> u32 = pair(a, b, u16::max);
    "max.s16x2": (a: u32, b: u32) -> u32 = pair(a, b, |a, b| (a as i16).max(b as i16) as u16);
    "abs.s16": (a: i16) -> i16 = a.wrapping_abs();
    "abs.s32": (a: i32) -> i32 = a.wrapping_abs();
    "abs.s64": (a: i64) -> i64 = a.wrapping_abs();
    "neg.s16": (a: i16) -> i16 = a.wrapping_neg();
    "neg.s32": (a: i32) -> i32 = a.wrapping_neg();
    "neg.s64": (a: i64) -> i64 = a.wrapping_neg();
    "dp4a.u32.u32": (a: u32, b: u32, c: u32) -> u32 = c.wrapping_add(dot(a, b, |x| i32::from(x as u8), |x| i32::from(x as u8)));
    "dp4a.u32.s32": (a: u32, b: u32, c: u32) -> u32 = c.wrapping_add(dot(a, b, |x| i32::from(x as u8), |x| i32::from(x as i8)));
    "dp4a.s32.u32": (a: u32, b: u32, c: u32) -> u32 = c.wrapping_add(dot(a, b, |x| i32::from(x as i8), |x| i32::from(x as u8)));
    "dp4a.s32.s32": (a: u32, b: u32, c: u32) -> u32 = c.wrapping_add(dot(a, b, |x| i32::from(x as i8), |x| i32::from(x as i8)));
}

fn high_u32(a: u32, b: u32) -> u32 {
    ((u64::from(a) * u64::from(b)) >> 32) as u32
}

fn high_s32(a: i32, b: i32) -> i32 {
    ((i64::from(a) * i64::from(b)) >> 32) as i32
}

fn high_u64(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> 64) as u64
}

fn high_s64(a: i64, b: i64) -> i64 {
    ((i128::from(a) * i128::from(b)) >> 64) as i64
}

/// Both halves of a word, each by itself.
fn pair(a: u32, b: u32, f: impl Fn(u16, u16) -> u16) -> u32 {
    u32::from(f(a as u16, b as u16)) | u32::from(f((a >> 16) as u16, (b >> 16) as u16)) << 16
}

/// The sum of four products of bytes.
fn dot(a: u32, b: u32, of_a: impl Fn(u32) -> i32, of_b: impl Fn(u32) -> i32) -> u32 {
    (0..4)
        .map(|byte| of_a(a >> (8 * byte)).wrapping_mul(of_b(b >> (8 * byte))))
        .sum::<i32>() as u32
}
