//! Logic, shifts and the finding, moving and counting of bits.

use super::each::table;

table! {
    /// Logic, shifts and bit fields.
    fn find;
    "and.b16": (a: u16, b: u16) -> u16 = a & b;
    "and.b32": (a: u32, b: u32) -> u32 = a & b;
    "and.b64": (a: u64, b: u64) -> u64 = a & b;
    "or.b16": (a: u16, b: u16) -> u16 = a | b;
    "or.b32": (a: u32, b: u32) -> u32 = a | b;
    "or.b64": (a: u64, b: u64) -> u64 = a | b;
    "xor.b16": (a: u16, b: u16) -> u16 = a ^ b;
    "xor.b32": (a: u32, b: u32) -> u32 = a ^ b;
    "xor.b64": (a: u64, b: u64) -> u64 = a ^ b;
    "not.b16": (a: u16) -> u16 = !a;
    "not.b32": (a: u32) -> u32 = !a;
    "not.b64": (a: u64) -> u64 = !a;
    "cnot.b16": (a: u16) -> u16 = u16::from(a == 0);
    "cnot.b32": (a: u32) -> u32 = u32::from(a == 0);
    "cnot.b64": (a: u64) -> u64 = u64::from(a == 0);
    "shl.b16": (a: u16, n: u32) -> u16 = if n > 15 { 0 } else { a << (n & 15) };
    "shl.b32": (a: u32, n: u32) -> u32 = if n > 31 { 0 } else { a << (n & 31) };
    "shl.b64": (a: u64, n: u32) -> u64 = if n > 63 { 0 } else { a << (n & 63) };
    "shr.u16" | "shr.b16": (a: u16, n: u32) -> u16 = if n > 15 { 0 } else { a >> (n & 15) };
    "shr.u32" | "shr.b32": (a: u32, n: u32) -> u32 = if n > 31 { 0 } else { a >> (n & 31) };
    "shr.u64" | "shr.b64": (a: u64, n: u32) -> u64 = if n > 63 { 0 } else { a >> (n & 63) };
    "shr.s16": (a: i16, n: u32) -> i16 = a >> n.min(15);
    "shr.s32": (a: i32, n: u32) -> i32 = a >> n.min(31);
    "shr.s64": (a: i64, n: u32) -> i64 = a >> n.min(63);
    "shf.l.wrap.b32": (a: u32, b: u32, n: u32) -> u32 = (join(a, b) << (n & 31) >> 32) as u32;
    "shf.l.clamp.b32": (a: u32, b: u32, n: u32) -> u32 = (join(a, b) << n.min(32) >> 32) as u32;
    "shf.r.wrap.b32": (a: u32, b: u32, n: u32) -> u32 = (join(a, b) >> (n & 31)) as u32;
    "shf.r.clamp.b32": (a: u32, b: u32, n: u32) -> u32 = (join(a, b) >> n.min(32)) as u32;
    "popc.b32": (a: u32) -> u32 = a.count_ones();
    "popc.b64": (a: u64) -> u32 = a.count_ones();
    "clz.b32": (a: u32) -> u32 = a.leading_zeros();
    "clz.b64": (a: u64) -> u32 = a.leading_zeros();
    "brev.b32": (a: u32) -> u32 = a.reverse_bits();
    "brev.b64": (a: u64) -> u64 = a.reverse_bits();
    "bfind.u32": (a: u32) -> u32 = highest(u64::from(a));
    "bfind.u64": (a: u64) -> u32 = highest(a);
    "bfind.s32": (a: i32) -> u32 = highest((a ^ a >> 31) as u64 & 0xFFFF_FFFF);
    "bfind.s64": (a: i64) -> u32 = highest((a ^ a >> 63) as u64);
    "bfind.shiftamt.u32": (a: u32) -> u32 = distance(highest(u64::from(a)), 31);
    "bfind.shiftamt.u64": (a: u64) -> u32 = distance(highest(a), 63);
    "bfind.shiftamt.s32": (a: i32) -> u32 = distance(highest((a ^ a >> 31) as u64 & 0xFFFF_FFFF), 31);
    "bfind.shiftamt.s64": (a: i64) -> u32 = distance(highest((a ^ a >> 63) as u64), 63);
    "fns.b32": (a: u32, base: u32, n: i32) -> u32 = nth_set(a, base, n);
    "bfe.u32": (a: u32, p: u32, n: u32) -> u32 = field(u64::from(a), p, n, 32, false) as u32;
    "bfe.u64": (a: u64, p: u32, n: u32) -> u64 = field(a, p, n, 64, false);
    "bfe.s32": (a: u32, p: u32, n: u32) -> u32 = field(u64::from(a), p, n, 32, true) as u32;
    "bfe.s64": (a: u64, p: u32, n: u32) -> u64 = field(a, p, n, 64, true);
    "bfi.b32": (a: u32, b: u32, p: u32, n: u32) -> u32 = insert(u64::from(a), u64::from(b), p, n) as u32;
    "bfi.b64": (a: u64, b: u64, p: u32, n: u32) -> u64 = insert(a, b, p, n);
    "szext.wrap.u32": (a: u32, n: u32) -> u32 = extend(a, n & 31, false);
    "szext.wrap.s32": (a: u32, n: u32) -> u32 = extend(a, n & 31, true);
    "szext.clamp.u32": (a: u32, n: u32) -> u32 = extend(a, n.min(32), false);
    "szext.clamp.s32": (a: u32, n: u32) -> u32 = extend(a, n.min(32), true);
    "bmsk.wrap.b32": (p: u32, n: u32) -> u32 = (ones(n & 31) << (p & 31)) as u32;
    "bmsk.clamp.b32": (p: u32, n: u32) -> u32 = (ones(n.min(32)) << p.min(32)) as u32;
    "prmt.b32": (a: u32, b: u32, s: u32) -> u32 = permute(join(a, b), s);
    "prmt.b32.f4e": (a: u32, b: u32, s: u32) -> u32 = permute(join(a, b), spread(s, [0, 1, 2, 3]));
    "prmt.b32.b4e": (a: u32, b: u32, s: u32) -> u32 = permute(join(a, b), spread(s, [0, 7, 6, 5]));
    "prmt.b32.rc8": (a: u32, b: u32, s: u32) -> u32 = permute(join(a, b), (s & 3) * 0x1111);
    "prmt.b32.ecl": (a: u32, b: u32, s: u32) -> u32 = permute(join(a, b), edge(s, u32::max));
    "prmt.b32.ecr": (a: u32, b: u32, s: u32) -> u32 = permute(join(a, b), edge(s, u32::min));
    "prmt.b32.rc16": (a: u32, b: u32, s: u32) -> u32 = permute(join(a, b), if s & 1 == 0 { 0x1010 } else { 0x3232 });
    "lop3.b32": (a: u32, b: u32, c: u32, table: u32) -> u32 = lookup(a, b, c, table);
    "copysign.f32": (a: u32, b: u32) -> u32 = a & 1 << 31 | b & !(1 << 31);
    "copysign.f64": (a: u64, b: u64) -> u64 = a & 1 << 63 | b & !(1 << 63);
    "mov.b16": (a: u16) -> u16 = a;
    "mov.b32": (a: u32) -> u32 = a;
    "mov.b64": (a: u64) -> u64 = a;
    "join.16x2": (a: u16, b: u16) -> u32 = u32::from(a) | u32::from(b) << 16;
    "join.32x2": (a: u32, b: u32) -> u64 = join(a, b);
    "low.32": (a: u32) -> u16 = a as u16;
    "high.32": (a: u32) -> u16 = (a >> 16) as u16;
    "low.64": (a: u64) -> u32 = a as u32;
    "high.64": (a: u64) -> u32 = (a >> 32) as u32;
}

/// Two words as one, the first below.
fn join(a: u32, b: u32) -> u64 {
    u64::from(a) | u64::from(b) << 32
}

/// The place of the highest set bit, or all ones.
fn highest(a: u64) -> u32 {
    if a == 0 { u32::MAX } else { a.ilog2() }
}

/// How far left the found bit has to go to be the top.
fn distance(found: u32, top: u32) -> u32 {
    if found == u32::MAX {
        found
    } else {
        top - found
    }
}

/// So many ones at the bottom.
fn ones(n: u32) -> u64 {
    if n > 63 { u64::MAX } else { (1 << n) - 1 }
}

fn nth_set(mask: u32, base: u32, n: i32) -> u32 {
    let base = base.min(31) as i32;
    if n == 0 {
        return if mask >> base & 1 == 1 {
            base as u32
        } else {
            u32::MAX
        };
    }
    let (step, mut left) = if n > 0 { (1, n - 1) } else { (-1, -n - 1) };
    let mut at = base;
    while (0..32).contains(&at) {
        if mask >> at & 1 == 1 {
            if left == 0 {
                return at as u32;
            }
            left -= 1;
        }
        at += step;
    }
    u32::MAX
}

fn field(a: u64, position: u32, length: u32, width: u32, signed: bool) -> u64 {
    let (position, length) = (position & 255, length & 255);
    if length == 0 {
        return 0;
    }
    let found = a.checked_shr(position).unwrap_or(0) & ones(length);
    let sign_at = (position + length - 1).min(width - 1);
    if signed && a >> sign_at & 1 == 1 {
        // Bits past the top are copies of the sign as well.
        let valid = sign_at.saturating_sub(position) + 1;
        let valid = if position > sign_at { 0 } else { valid };
        return found | !ones(valid);
    }
    found
}

fn insert(a: u64, b: u64, position: u32, length: u32) -> u64 {
    let (position, length) = (position & 255, length & 255);
    let mask = ones(length).checked_shl(position).unwrap_or(0);
    a.checked_shl(position).unwrap_or(0) & mask | b & !mask
}

fn extend(a: u32, bits: u32, signed: bool) -> u32 {
    let low = (u64::from(a) & ones(bits)) as u32;
    if signed && bits > 0 && a >> (bits - 1) & 1 == 1 {
        low | !(ones(bits) as u32)
    } else {
        low
    }
}

/// Picks four of eight bytes; a selector's fourth bit takes the sign in place of the byte.
fn permute(bytes: u64, selectors: u32) -> u32 {
    let mut result = 0;
    for index in 0..4 {
        let selector = selectors >> (4 * index) & 15;
        let byte = (bytes >> (8 * (selector & 7))) as u8;
        let byte = if selector & 8 == 0 {
            byte
        } else {
            ((byte as i8) >> 7) as u8
        };
        result |= u32::from(byte) << (8 * index);
    }
    result
}

/// Selectors at these distances from the first, around a circle of eight.
fn spread(first: u32, steps: [u32; 4]) -> u32 {
    (0..4)
        .map(|index| ((first & 3) + steps[index]) & 7)
        .zip([0, 4, 8, 12])
        .map(|(selector, at)| selector << at)
        .sum()
}

/// Selectors of the bytes in order, none beyond `s`.
fn edge(s: u32, bound: impl Fn(u32, u32) -> u32) -> u32 {
    (0..4).map(|index| bound(index, s & 3) << (4 * index)).sum()
}

fn lookup(a: u32, b: u32, c: u32, table: u32) -> u32 {
    let mut result = 0;
    for index in 0..8 {
        let chosen = (if index & 4 == 0 { !a } else { a })
            & (if index & 2 == 0 { !b } else { b })
            & (if index & 1 == 0 { !c } else { c });
        result |= chosen & 0u32.wrapping_sub(table >> index & 1);
    }
    result
}
