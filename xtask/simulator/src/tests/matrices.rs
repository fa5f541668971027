//! Matrices of the types that tensor cores take, and their product as it is defined.

use half::{bf16, f16};

/// A type, by its name in PTX.
pub(super) type Type = &'static str;

/// Bytes of an element.
pub(super) fn size(of: Type) -> usize {
    match of {
        "tf32" | "f32" | "s32" => 4,
        "f16" | "bf16" => 2,
        "f64" => 8,
        _ => 1,
    }
}

/// Numbers that look random, one after another.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(0x1405_7B7E_F767_814F);
        self.0 >> 33 ^ self.0 >> 15
    }

    /// Bits of an element with any sign and mantissa, and an exponent that keeps sums of products exact in double precision.
    pub(super) fn element(&mut self, of: Type) -> u64 {
        let any = self.next();
        let sign = any & 1;
        let bits = any >> 8;
        match of {
            "f16" => sign << 15 | (11 + any / 2 % 6) << 10 | bits & 0x3FF,
            "bf16" => sign << 15 | (123 + any / 2 % 6) << 7 | bits & 0x7F,
            // Bits that are not looked at are set as well.
            "tf32" | "f32" => sign << 31 | (123 + any / 2 % 6) << 23 | bits & 0x7F_FFFF,
            "e4m3" => sign << 7 | (any / 2 % 11) << 3 | bits & 7,
            "e5m2" => sign << 7 | (10 + any / 2 % 8) << 2 | bits & 3,
            "f64" => sign << 63 | (1020 + any / 2 % 6) << 52 | (bits & 0xF_FFFF) << 32,
            "s32" => bits & 0xFFFF_FFFF,
            _ => bits & 0xFF,
        }
    }
}

/// The value of an element's bits.
pub(super) fn value(of: Type, bits: u64) -> f64 {
    let small = |digits: u32, bias: i32| {
        let mantissa = (bits & ((1 << digits) - 1)) as f64 / f64::from(1u32 << digits);
        let exponent = (bits as i32 & 0x7F) >> digits;
        let magnitude = match exponent {
            0 => mantissa * f64::from(1 - bias).exp2(),
            _ => (1.0 + mantissa) * f64::from(exponent - bias).exp2(),
        };
        if bits & 0x80 == 0 {
            magnitude
        } else {
            -magnitude
        }
    };
    match of {
        "f16" => f16::from_bits(bits as u16).to_f64(),
        "bf16" => bf16::from_bits(bits as u16).to_f64(),
        "tf32" => f64::from(f32::from_bits(bits as u32 >> 13 << 13)),
        "f32" => f64::from(f32::from_bits(bits as u32)),
        "f64" => f64::from_bits(bits),
        "e4m3" => small(3, 7),
        "e5m2" => small(2, 15),
        "s8" => f64::from(bits as i8),
        "u8" => f64::from(bits as u8),
        _ => f64::from(bits as i32),
    }
}

/// A matrix: bits of its elements.
#[derive(Clone)]
pub(super) struct Matrix {
    pub(super) of: Type,
    pub(super) columns: usize,
    pub(super) bits: Vec<u64>,
}

impl Matrix {
    pub(super) fn new(of: Type, rows: usize, columns: usize, dice: &mut Dice) -> Self {
        let bits = (0..rows * columns).map(|_| dice.element(of)).collect();
        Self { of, columns, bits }
    }

    pub(super) fn at(&self, row: usize, column: usize) -> u64 {
        self.bits[row * self.columns + column]
    }

    pub(super) fn value(&self, row: usize, column: usize) -> f64 {
        value(self.of, self.at(row, column))
    }

    /// The bytes of an element.
    pub(super) fn bytes(&self, row: usize, column: usize) -> Vec<u8> {
        self.at(row, column).to_le_bytes()[..size(self.of)].to_vec()
    }
}

/// Bits of `old + sign * sum`, where `old` may not count.
pub(super) fn rounded(of: Type, old: Option<u64>, sum: f64, saturates: bool) -> u64 {
    let exact = old.map_or(0.0, |bits| value(of, bits)) + sum;
    match of {
        "f32" => u64::from((exact as f32).to_bits()),
        "f16" => u64::from(f16::from_f64(exact).to_bits()),
        "f64" => exact.to_bits(),
        _ if saturates => {
            u64::from(exact.clamp(f64::from(i32::MIN), f64::from(i32::MAX)) as i32 as u32)
        }
        _ => u64::from(exact as i64 as u32),
    }
}

/// `a b^T + old`, the rows of `b` being columns of the product.
pub(super) fn product(
    a: &Matrix,
    b: &Matrix,
    old: &Matrix,
    adds: bool,
    sign: f64,
    saturates: bool,
) -> Matrix {
    let mut result = old.clone();
    for (place, bits) in result.bits.iter_mut().enumerate() {
        let (row, column) = (place / old.columns, place % old.columns);
        let sum: f64 = (0..a.columns)
            .map(|k| a.value(row, k) * b.value(column, k))
            .sum();
        *bits = rounded(old.of, adds.then_some(*bits), sign * sum, saturates);
    }
    result
}
