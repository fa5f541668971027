//! Conversions: the frequent ones lane by lane at once, every other by way of an exact value.

use super::each::table;
use super::float::{canon, flush};
use super::half::{bf16_of, f16_of, f16_to_f32};
use super::rounding::{Direction, to_single};
use crate::machine::context::Context;
use crate::machine::op::Op;
use crate::machine::rows::LANES;
use crate::machine::vector::vector;
use crate::ptx::{Kind, Scalar};

table! {
    /// Conversions without options, `narrow` and `extend` being the lowering's own.
    fn find;
    "cvt.u64.u32" | "cvt.s64.u32" | "cvt.b64.b32": (a: u32) -> u64 = u64::from(a);
    "cvt.s64.s32" | "cvt.u64.s32": (a: i32) -> i64 = i64::from(a);
    "cvt.u32.u64" | "cvt.s32.u64" | "cvt.u32.s64" | "cvt.s32.s64" | "cvt.b32.b64": (a: u64) -> u32 = a as u32;
    "cvt.u16.u32" | "cvt.s16.s32" | "cvt.u16.s32" | "cvt.s16.u32" | "cvt.b16.b32": (a: u32) -> u16 = a as u16;
    "cvt.u16.u64" | "cvt.s16.s64" | "cvt.u16.s64" | "cvt.s16.u64" | "cvt.b16.b64": (a: u64) -> u16 = a as u16;
    "cvt.u32.u16" | "cvt.s32.u16" | "cvt.b32.b16": (a: u16) -> u32 = u32::from(a);
    "cvt.s32.s16" | "cvt.u32.s16": (a: i16) -> i32 = i32::from(a);
    "cvt.u64.u16" | "cvt.s64.u16" | "cvt.b64.b16": (a: u16) -> u64 = u64::from(a);
    "cvt.s64.s16" | "cvt.u64.s16": (a: i16) -> i64 = i64::from(a);
    "cvt.s16.s8" | "cvt.u16.s8": (a: u16) -> i16 = i16::from(a as i8);
    "cvt.u16.u8" | "cvt.s16.u8": (a: u16) -> u16 = a & 0xFF;
    "cvt.f32.f32": (a: f32) -> f32 = a;
    "cvt.f64.f64": (a: f64) -> f64 = a;
    "cvt.f64.f32": (a: f32) -> f64 = f64::from(a);
    "cvt.rn.f32.f64": (a: f64) -> f32 = canon(a as f32);
    "cvt.f32.f16": (a: u16) -> f32 = canon(f16_to_f32(a));
    "cvt.f32.bf16": (a: u16) -> f32 = canon(f32::from_bits(u32::from(a) << 16));
    "cvt.rn.f16.f32": (a: f32) -> u16 = super::half::f16_of_f32(a);
    "cvt.rn.bf16.f32": (a: f32) -> u16 = super::half::bf16_of_f32(a);
    "cvt.rn.f32.s32": (a: i32) -> f32 = a as f32;
    "cvt.rn.f32.u32": (a: u32) -> f32 = a as f32;
    "cvt.rn.f32.s16": (a: i16) -> f32 = f32::from(a);
    "cvt.rn.f32.u16": (a: u16) -> f32 = f32::from(a);
    "cvt.rn.f32.s64": (a: i64) -> f32 = a as f32;
    "cvt.rn.f32.u64": (a: u64) -> f32 = a as f32;
    "cvt.rn.f64.s32" | "cvt.f64.s32": (a: i32) -> f64 = f64::from(a);
    "cvt.rn.f64.u32" | "cvt.f64.u32": (a: u32) -> f64 = f64::from(a);
    "cvt.rn.f64.s64": (a: i64) -> f64 = a as f64;
    "cvt.rn.f64.u64": (a: u64) -> f64 = a as f64;
    "cvt.rzi.f32.f32": (a: f32) -> f32 = canon(a.trunc());
    "cvt.rni.f32.f32": (a: f32) -> f32 = canon(a.round_ties_even());
    "cvt.rmi.f32.f32": (a: f32) -> f32 = canon(a.floor());
    "cvt.rpi.f32.f32": (a: f32) -> f32 = canon(a.ceil());
    "cvt.rzi.f64.f64": (a: f64) -> f64 = a.trunc();
    "cvt.rni.f64.f64": (a: f64) -> f64 = a.round_ties_even();
    "cvt.rmi.f64.f64": (a: f64) -> f64 = a.floor();
    "cvt.rpi.f64.f64": (a: f64) -> f64 = a.ceil();
    "cvt.rzi.s32.f32": (a: f32) -> i32 = a as i32;
    "cvt.rzi.u32.f32": (a: f32) -> u32 = a as u32;
    "cvt.rni.s32.f32": (a: f32) -> i32 = a.round_ties_even() as i32;
    "cvt.rzi.s32.f64": (a: f64) -> i32 = a as i32;
    "cvt.rzi.s64.f64": (a: f64) -> i64 = a as i64;
}

/// A conversion as its modifiers say.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conversion {
    /// What comes in.
    pub(crate) from: Scalar,
    /// What goes out.
    pub(crate) to: Scalar,
    /// How a float that does not fit is rounded.
    pub(crate) rounding: Direction,
    /// Whether a float becomes integral, `rounding` saying to which integer.
    pub(crate) integral: bool,
    /// Whether the result is held within its type's bounds, or a float's within 0 and 1.
    pub(crate) saturate: bool,
    /// Whether negative results become zero.
    pub(crate) relu: bool,
    /// Whether subnormals of single precision are zero.
    pub(crate) flush: bool,
}

/// A value as exact as any operand.
#[derive(Clone, Copy)]
enum Exact {
    Integer(i128),
    Float(f64),
}

const TYPES: [Scalar; 12] = [
    Scalar::Unsigned(1),
    Scalar::Unsigned(2),
    Scalar::Unsigned(4),
    Scalar::Unsigned(8),
    Scalar::Signed(1),
    Scalar::Signed(2),
    Scalar::Signed(4),
    Scalar::Signed(8),
    Scalar::F16,
    Scalar::Bf16,
    Scalar::F32,
    Scalar::F64,
];
const ROUNDINGS: [Direction; 4] = [
    Direction::Nearest,
    Direction::Zero,
    Direction::Down,
    Direction::Up,
];

impl Conversion {
    /// The conversion as a number, which `general` reads.
    pub(crate) fn pack(self) -> Option<u64> {
        let place = |scalar| TYPES.iter().position(|&of| of == scalar);
        let rounding = ROUNDINGS.iter().position(|&of| of == self.rounding)?;
        let options = [self.integral, self.saturate, self.relu, self.flush];
        let options = options
            .iter()
            .enumerate()
            .map(|(bit, &on)| u64::from(on) << bit)
            .sum::<u64>();
        Some(
            place(self.from)? as u64
                | (place(self.to)? as u64) << 8
                | (rounding as u64) << 16
                | options << 24,
        )
    }

    fn unpack(packed: u64) -> Self {
        let at = |shift: u32| (packed >> shift & 0xFF) as usize;
        let on = |bit: u32| packed >> (24 + bit) & 1 != 0;
        Self {
            from: TYPES[at(0) % TYPES.len()],
            to: TYPES[at(8) % TYPES.len()],
            rounding: ROUNDINGS[at(16) % ROUNDINGS.len()],
            integral: on(0),
            saturate: on(1),
            relu: on(2),
            flush: on(3),
        }
    }

    fn apply(self, bits: u64) -> u64 {
        let value = self.rounded(self.decode(bits));
        match (self.to, value) {
            (Scalar::Unsigned(_) | Scalar::Signed(_), value) => self.to_integer(value),
            (_, Exact::Integer(value)) => self.integer_to_float(value),
            (_, Exact::Float(value)) => self.encode(value),
        }
    }

    fn decode(self, bits: u64) -> Exact {
        match self.from {
            Scalar::Unsigned(bytes) => Exact::Integer(i128::from(bits & mask(bytes))),
            Scalar::Signed(bytes) => {
                let unused = 64 - 8 * u32::from(bytes);
                Exact::Integer(i128::from((bits << unused) as i64 >> unused))
            }
            Scalar::F16 => Exact::Float(f64::from(f16_to_f32(bits as u16))),
            Scalar::Bf16 => Exact::Float(f64::from(f32::from_bits((bits as u32) << 16))),
            Scalar::F32 => {
                let value = f32::from_bits(bits as u32);
                Exact::Float(f64::from(if self.flush { flush(value) } else { value }))
            }
            _ => Exact::Float(f64::from_bits(bits)),
        }
    }

    fn rounded(self, value: Exact) -> Exact {
        match value {
            Exact::Float(value) if self.integral => Exact::Float(match self.rounding {
                Direction::Nearest => value.round_ties_even(),
                Direction::Zero => value.trunc(),
                Direction::Down => value.floor(),
                Direction::Up => value.ceil(),
            }),
            other => other,
        }
    }

    /// Floats are held within the type's bounds, integers only where that is asked for.
    fn to_integer(self, value: Exact) -> u64 {
        let (low, high) = match self.to {
            Scalar::Signed(bytes) => (-(1i128 << (8 * bytes - 1)), (1i128 << (8 * bytes - 1)) - 1),
            other => (0, i128::from(mask(other.bytes()))),
        };
        match value {
            Exact::Float(value) if value.is_nan() => 0,
            Exact::Float(value) => (value as i128).clamp(low, high) as u64,
            Exact::Integer(value) if self.saturate => value.clamp(low, high) as u64,
            // The register's upper part takes the sign of the narrow result.
            Exact::Integer(value) => {
                let unused = 64 - 8 * u32::from(self.to.bytes());
                let bits = (value as u64) << unused;
                if self.to.is_signed() {
                    (bits as i64 >> unused) as u64
                } else {
                    bits >> unused
                }
            }
        }
    }

    fn integer_to_float(self, value: i128) -> u64 {
        let near = value as f64;
        let missing = value - near as i128;
        match self.to {
            Scalar::F64 if missing != 0 => {
                let toward_zero = if value > 0 {
                    Direction::Down
                } else {
                    Direction::Up
                };
                let direction = if self.rounding == Direction::Zero {
                    toward_zero
                } else {
                    self.rounding
                };
                let stepped = match direction {
                    Direction::Up if missing > 0 => near.next_up(),
                    Direction::Down if missing < 0 => near.next_down(),
                    _ => near,
                };
                stepped.to_bits()
            }
            Scalar::F32 => u64::from(to_single(near, missing as f64, self.rounding).to_bits()),
            _ => self.encode(near),
        }
    }

    fn encode(self, value: f64) -> u64 {
        let value = if self.relu && value < 0.0 { 0.0 } else { value };
        let value = match self.saturate {
            true if value > 0.0 => value.min(1.0),
            true => 0.0,
            false => value,
        };
        match self.to {
            Scalar::F64 => value.to_bits(),
            Scalar::F32 => {
                let single = canon(to_single(value, 0.0, self.rounding));
                u64::from(if self.flush { flush(single) } else { single }.to_bits())
            }
            Scalar::F16 => u64::from(short(
                value,
                f16_of(value),
                |bits| f64::from(f16_to_f32(bits)),
                self.rounding,
            )),
            _ => {
                let back = |bits: u16| f64::from(f32::from_bits(u32::from(bits) << 16));
                u64::from(short(value, bf16_of(value), back, self.rounding))
            }
        }
    }
}

/// The 16-bit float for `value` in `direction`, given the nearest one.
fn short(value: f64, near: u16, back: impl Fn(u16) -> f64, direction: Direction) -> u16 {
    let found = back(near);
    if value.is_nan() || found == value || value.is_infinite() {
        return near;
    }
    // The bits of floats of one sign are in the order of their magnitudes.
    let smaller = if near & 0x7FFF == 0 { near } else { near - 1 };
    let negative = value < 0.0;
    let to_zero = direction == Direction::Zero
        || direction == Direction::Down && !negative
        || direction == Direction::Up && negative;
    match direction {
        Direction::Nearest => near,
        _ if to_zero => {
            if found.abs() > value.abs() {
                smaller
            } else {
                near
            }
        }
        _ => {
            if found.abs() < value.abs() {
                near + 1
            } else {
                near
            }
        }
    }
}

fn mask(bytes: u8) -> u64 {
    u64::MAX >> (64 - 8 * u32::from(bytes))
}

fn width(code: u32) -> Kind {
    [Kind::Half, Kind::Word, Kind::Double][code as usize % 3]
}

/// The number of a width in the operands of `general`.
pub(crate) fn width_code(kind: Kind) -> u32 {
    match kind {
        Kind::Half | Kind::Predicate => 0,
        Kind::Word => 1,
        Kind::Double => 2,
    }
}

vector! {
    /// Any conversion: `imm` says which, `r[2]` and `r[3]` how wide result and source are.
    pub(crate) fn general(context: &mut Context, op: &Op) {
        let conversion = Conversion::unpack(op.imm);
        let mut bits = [0u64; LANES];
        match width(op.r[3]) {
            Kind::Half | Kind::Predicate => bits = context.get::<u16>(op.r[1]).map(u64::from),
            Kind::Word => bits = context.get::<u32>(op.r[1]).map(u64::from),
            Kind::Double => bits.copy_from_slice(&context.get::<u64>(op.r[1])),
        }
        let bits = bits.map(|bits| conversion.apply(bits));
        match width(op.r[2]) {
            Kind::Half | Kind::Predicate => context.put(op.r[0], bits.map(|bits| bits as u16)),
            Kind::Word => context.put(op.r[0], bits.map(|bits| bits as u32)),
            Kind::Double => context.put(op.r[0], bits),
        }
    }
}
