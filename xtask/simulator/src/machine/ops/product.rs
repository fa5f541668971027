//! Products of small matrices: exact products, added up in double precision and rounded once.
//!
//! Double precision holds each product of two such elements exactly, and every sum of products of integers.

// Rows and columns are counted: several arrays are indexed alike.
#![allow(clippy::needless_range_loop)]

use super::float::canon;
use super::half::{f16_of, f16_to_f32};
use crate::machine::context::Context;
use crate::machine::op::{Exec, NONE, Op};
use crate::machine::rows::{LANES, Lane};
use crate::machine::scratch::{DEPTH, HEIGHT, Scratch, WIDTH};
use crate::machine::vector::vector;

/// The type of an operand's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    F16,
    Bf16,
    Tf32,
    E4m3,
    E5m2,
    S8,
    U8,
}

const ALL: [(&str, Number); 7] = [
    ("f16", Number::F16),
    ("bf16", Number::Bf16),
    ("tf32", Number::Tf32),
    ("e4m3", Number::E4m3),
    ("e5m2", Number::E5m2),
    ("s8", Number::S8),
    ("u8", Number::U8),
];

impl Number {
    /// The type that a modifier names.
    pub(crate) fn named(name: &str) -> Option<Self> {
        ALL.iter().find(|(of, _)| *of == name).map(|(_, it)| *it)
    }

    /// The type with this number.
    pub(crate) fn coded(code: u64) -> Self {
        ALL[code as usize % ALL.len()].1
    }

    /// Bytes of an element.
    pub(crate) fn bytes(self) -> usize {
        match self {
            Self::F16 | Self::Bf16 => 2,
            Self::Tf32 => 4,
            _ => 1,
        }
    }

    /// The elements of a row along K.
    #[inline(always)]
    fn decode(self, row: &[u8; DEPTH]) -> [f64; DEPTH] {
        match self {
            Self::F16 => halves(row, |bits| f64::from(f16_to_f32(bits))),
            Self::Bf16 => halves(row, |bits| f64::from(f32::from_bits(u32::from(bits) << 16))),
            Self::Tf32 => {
                let mut all = [0.0; DEPTH];
                for k in 0..DEPTH / 4 {
                    let bytes = [row[4 * k], row[4 * k + 1], row[4 * k + 2], row[4 * k + 3]];
                    // The low bits of the mantissa are not looked at.
                    let bits = u32::from_le_bytes(bytes) & !0x1FFF;
                    all[k] = f64::from(f32::from_bits(bits));
                }
                all
            }
            Self::E4m3 => row.map(|bits| E4M3[bits as usize]),
            Self::E5m2 => row.map(|bits| E5M2[bits as usize]),
            Self::S8 => row.map(|bits| f64::from(bits as i8)),
            Self::U8 => row.map(f64::from),
        }
    }
}

#[inline(always)]
fn halves(row: &[u8; DEPTH], f: impl Fn(u16) -> f64) -> [f64; DEPTH] {
    let mut all = [0.0; DEPTH];
    for k in 0..DEPTH / 2 {
        all[k] = f(u16::from_le_bytes([row[2 * k], row[2 * k + 1]]));
    }
    all
}

/// Floats of four bits of exponent and three of mantissa: no infinities, and one NaN of each sign.
static E4M3: [f64; 256] = floats(3, 7, f64::NAN, 0x7F);
/// Floats of five bits of exponent and two of mantissa, with the infinities and NaN of larger ones.
static E5M2: [f64; 256] = floats(2, 15, f64::INFINITY, 0x7C);

/// All floats of a byte with so many bits of mantissa and this bias of the exponent. What is not finite starts at `odd` with
/// `first`, and goes on with NaN.
const fn floats(digits: u32, bias: u64, first: f64, odd: u64) -> [f64; 256] {
    let mut all = [0.0; 256];
    let mut bits = 0;
    while bits < 256 {
        let magnitude = bits as u64 & 0x7F;
        // Multiplying shifts the exponent, which gets the subnormals right as well.
        let shift = f64::from_bits((2046 - bias) << 52);
        let finite = f64::from_bits(magnitude << (52 - digits)) * shift;
        let value = if magnitude < odd {
            finite
        } else if magnitude == odd {
            first
        } else {
            f64::NAN
        };
        all[bits] = if bits < 128 { value } else { -value };
        bits += 1;
    }
    all
}

impl Scratch {
    /// Takes the first rows as the first operand.
    #[inline(always)]
    pub(crate) fn set_a(&mut self, of: Number, negates: bool) {
        for row in 0..HEIGHT {
            self.a[row] = of.decode(&self.rows[row]);
            if negates {
                self.a[row] = self.a[row].map(|value| -value);
            }
        }
    }

    /// Takes so many rows, a multiple of eight, as columns of the second operand.
    #[inline(always)]
    pub(crate) fn set_b(&mut self, of: Number, columns: usize) {
        let steps = DEPTH / of.bytes();
        for first in (0..columns.min(WIDTH)).step_by(8) {
            // Eight at a time, so that a line of the processor's cache is written at once.
            let all: [[f64; DEPTH]; 8] =
                std::array::from_fn(|place| of.decode(&self.rows[first + place]));
            for k in 0..steps {
                for place in 0..8 {
                    self.b[k][first + place] = all[place][k];
                }
            }
        }
    }
}

vector! {
    /// The product of both operands: so many columns, a multiple of eight, and so many steps.
    pub(crate) fn multiply(scratch: &mut Scratch, columns: usize, steps: usize) {
        const ROWS: usize = 4;
        const COLUMNS: usize = 8;
        let columns = columns.min(WIDTH);
        let steps = steps.min(DEPTH);
        for column in (0..columns).step_by(COLUMNS) {
            for row in (0..HEIGHT).step_by(ROWS) {
                // These stay in registers of the processor.
                let mut sum = [[0.0f64; COLUMNS]; ROWS];
                for k in 0..steps {
                    let b = &scratch.b[k][column..column + COLUMNS];
                    for i in 0..ROWS {
                        let a = scratch.a[row + i][k];
                        for j in 0..COLUMNS {
                            sum[i][j] = a.mul_add(b[j], sum[i][j]);
                        }
                    }
                }
                for i in 0..ROWS {
                    scratch.sum[row + i][column..column + COLUMNS].copy_from_slice(&sum[i]);
                }
            }
        }
    }
}

/// What a product is added to.
pub(crate) trait Accumulator: Lane {
    /// Elements in a register.
    const ELEMENTS: usize;

    /// The register with these bits.
    fn of_bits(bits: u32) -> Self;

    /// The register after adding these to it.
    fn add(self, sum: [f64; 2], adds: bool) -> Self;
}

impl Accumulator for f32 {
    const ELEMENTS: usize = 1;

    #[inline(always)]
    fn of_bits(bits: u32) -> Self {
        f32::from_bits(bits)
    }

    #[inline(always)]
    fn add(self, sum: [f64; 2], adds: bool) -> Self {
        let before = if adds { f64::from(self) } else { 0.0 };
        canon((before + sum[0]) as f32)
    }
}

impl Accumulator for u32 {
    const ELEMENTS: usize = 2;

    #[inline(always)]
    fn of_bits(bits: u32) -> Self {
        bits
    }

    #[inline(always)]
    fn add(self, sum: [f64; 2], adds: bool) -> Self {
        let one = |bits: u16, sum: f64| {
            let before = if adds {
                f64::from(f16_to_f32(bits))
            } else {
                0.0
            };
            u32::from(f16_of(before + sum))
        };
        one(self as u16, sum[0]) | one((self >> 16) as u16, sum[1]) << 16
    }
}

impl Accumulator for i32 {
    const ELEMENTS: usize = 1;

    #[inline(always)]
    fn of_bits(bits: u32) -> Self {
        bits as i32
    }

    #[inline(always)]
    fn add(self, sum: [f64; 2], adds: bool) -> Self {
        (if adds { self } else { 0 }).wrapping_add(sum[0] as i32)
    }
}

/// The values of register `number` of an accumulator, whose old ones are `old`: element by element from where lanes have them.
#[inline(always)]
pub(super) fn added<T: Accumulator>(
    scratch: &Scratch,
    old: [T; LANES],
    number: usize,
) -> [T; LANES] {
    // Four elements of a lane are two neighbours of a row and two of the row eight below.
    let first = number * T::ELEMENTS;
    let below = first % 4 / 2 * 8;
    let right = (first / 4 * 8 + first % 2) % WIDTH;
    let mut new = old;
    for lane in 0..LANES {
        let row = &scratch.sum[lane / 4 + below];
        let column = right + lane % 4 * 2;
        let sum = [row[column], row[(column + 1) % WIDTH]];
        new[lane] = old[lane].add(sum, scratch.adds);
    }
    new
}

/// Adds the product to six registers of an accumulator, of which the first is number `imm`.
#[inline(always)]
fn accumulate<T: Accumulator>(context: &mut Context, op: &Op) {
    for (place, row) in op.r.into_iter().enumerate() {
        if row != NONE {
            let old = context.get::<T>(row);
            let new = added(&context.scratch, old, op.imm as usize + place);
            context.put(row, new);
        }
    }
}

vector! {
    fn add_f32(context: &mut Context, op: &Op) {
        accumulate::<f32>(context, op);
    }
}
vector! {
    fn add_f16(context: &mut Context, op: &Op) {
        accumulate::<u32>(context, op);
    }
}
vector! {
    fn add_s32(context: &mut Context, op: &Op) {
        accumulate::<i32>(context, op);
    }
}
vector! {
    /// As `add_s32`, but what is beyond the largest number becomes that.
    fn add_s32_saturating(context: &mut Context, op: &Op) {
        accumulate::<Saturating>(context, op);
    }
}

/// A sum of integers, clamped to the range of `i32`: `.satfinite`.
#[derive(Clone, Copy, Default)]
#[repr(transparent)]
pub(super) struct Saturating(i32);

// SAFETY: it is an integer of this width.
unsafe impl Lane for Saturating {
    const KIND: crate::ptx::Kind = crate::ptx::Kind::Word;
}

impl Accumulator for Saturating {
    const ELEMENTS: usize = 1;

    #[inline(always)]
    fn of_bits(bits: u32) -> Self {
        Self(bits as i32)
    }

    #[inline(always)]
    fn add(self, sum: [f64; 2], adds: bool) -> Self {
        Self((if adds { self.0 } else { 0 }).saturating_add(sum[0] as i32))
    }
}

/// What adds a product to accumulators of the type that a modifier names.
pub(crate) fn adding(of: &str, saturates: bool) -> Option<Exec> {
    Some(match (of, saturates) {
        ("f32", false) => add_f32 as Exec,
        ("f16", false) => add_f16,
        ("s32", false) => add_s32,
        ("s32", true) => add_s32_saturating,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_the_floats_that_the_formats_define() {
        for bits in 0..=255u8 {
            let sign = if bits & 0x80 != 0 { -1.0 } else { 1.0 };
            let value = |exponent: i32, mantissa: u8, digits: i32, bias: i32| {
                let fraction = f64::from(mantissa) / f64::from(1 << digits);
                match exponent {
                    0 => sign * fraction * f64::from(1 - bias).exp2(),
                    _ => sign * (1.0 + fraction) * f64::from(exponent - bias).exp2(),
                }
            };
            let row = [bits; DEPTH];
            let found = Number::E4m3.decode(&row)[31];
            match bits & 0x7F {
                0x7F => assert!(found.is_nan()),
                magnitude => assert_eq!(
                    found,
                    value(i32::from(magnitude >> 3), bits & 7, 3, 7),
                    "{bits:#x}"
                ),
            }
            let found = Number::E5m2.decode(&row)[31];
            match bits & 0x7F {
                0x7C => assert_eq!(found, sign * f64::INFINITY),
                0x7D.. => assert!(found.is_nan()),
                magnitude => assert_eq!(
                    found,
                    value(i32::from(magnitude >> 2), bits & 3, 2, 15),
                    "{bits:#x}"
                ),
            }
        }
    }
}
