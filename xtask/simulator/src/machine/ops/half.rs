//! Arithmetic of the two 16-bit floats, alone and in pairs.
//!
//! Single precision holds every product of two and rounds to the same 16 bits as the exact result does.

use half::{bf16, f16};

use super::each::table;

table! {
    /// Arithmetic of `f16`, `bf16` and pairs of them.
    fn find;
    "add.f16": (a: u16, b: u16) -> u16 = f2(a, b, |a, b| a + b);
    "sub.f16": (a: u16, b: u16) -> u16 = f2(a, b, |a, b| a - b);
    "mul.f16": (a: u16, b: u16) -> u16 = f2(a, b, |a, b| a * b);
    "min.f16": (a: u16, b: u16) -> u16 = f2(a, b, |a, b| extreme(a, b, a < b, true));
    "max.f16": (a: u16, b: u16) -> u16 = f2(a, b, |a, b| extreme(a, b, a > b, false));
    "min.NaN.f16": (a: u16, b: u16) -> u16 = f2(a, b, |a, b| strict(a, b, a < b, true));
    "max.NaN.f16": (a: u16, b: u16) -> u16 = f2(a, b, |a, b| strict(a, b, a > b, false));
    "fma.f16": (a: u16, b: u16, c: u16) -> u16 = f3(a, b, c);
    "neg.f16" | "neg.bf16": (a: u16) -> u16 = a ^ 0x8000;
    "abs.f16" | "abs.bf16": (a: u16) -> u16 = a & 0x7FFF;
    "ex2.approx.f16": (a: u16) -> u16 = f1(a, f64::exp2);
    "tanh.approx.f16": (a: u16) -> u16 = f1(a, f64::tanh);
    "add.bf16": (a: u16, b: u16) -> u16 = b2(a, b, |a, b| a + b);
    "sub.bf16": (a: u16, b: u16) -> u16 = b2(a, b, |a, b| a - b);
    "mul.bf16": (a: u16, b: u16) -> u16 = b2(a, b, |a, b| a * b);
    "min.bf16": (a: u16, b: u16) -> u16 = b2(a, b, |a, b| extreme(a, b, a < b, true));
    "max.bf16": (a: u16, b: u16) -> u16 = b2(a, b, |a, b| extreme(a, b, a > b, false));
    "min.NaN.bf16": (a: u16, b: u16) -> u16 = b2(a, b, |a, b| strict(a, b, a < b, true));
    "max.NaN.bf16": (a: u16, b: u16) -> u16 = b2(a, b, |a, b| strict(a, b, a > b, false));
    "fma.bf16": (a: u16, b: u16, c: u16) -> u16 = b3(a, b, c);
    "ex2.approx.bf16": (a: u16) -> u16 = b1(a, f64::exp2);
    "tanh.approx.bf16": (a: u16) -> u16 = b1(a, f64::tanh);
    "add.f16x2": (a: u32, b: u32) -> u32 = both(a, b, |a, b| f2(a, b, |a, b| a + b));
    "sub.f16x2": (a: u32, b: u32) -> u32 = both(a, b, |a, b| f2(a, b, |a, b| a - b));
    "mul.f16x2": (a: u32, b: u32) -> u32 = both(a, b, |a, b| f2(a, b, |a, b| a * b));
    "min.f16x2": (a: u32, b: u32) -> u32 = both(a, b, |a, b| f2(a, b, |a, b| extreme(a, b, a < b, true)));
    "max.f16x2": (a: u32, b: u32) -> u32 = both(a, b, |a, b| f2(a, b, |a, b| extreme(a, b, a > b, false)));
    "min.NaN.f16x2": (a: u32, b: u32) -> u32 = both(a, b, |a, b| f2(a, b, |a, b| strict(a, b, a < b, true)));
    "max.NaN.f16x2": (a: u32, b: u32) -> u32 = both(a, b, |a, b| f2(a, b, |a, b| strict(a, b, a > b, false)));
    "fma.f16x2": (a: u32, b: u32, c: u32) -> u32 = three(a, b, c, f3);
    "neg.f16x2" | "neg.bf16x2": (a: u32) -> u32 = a ^ 0x8000_8000;
    "abs.f16x2" | "abs.bf16x2": (a: u32) -> u32 = a & 0x7FFF_7FFF;
    "ex2.approx.f16x2": (a: u32) -> u32 = both(a, a, |a, _| f1(a, f64::exp2));
    "tanh.approx.f16x2": (a: u32) -> u32 = both(a, a, |a, _| f1(a, f64::tanh));
    "add.bf16x2": (a: u32, b: u32) -> u32 = both(a, b, |a, b| b2(a, b, |a, b| a + b));
    "sub.bf16x2": (a: u32, b: u32) -> u32 = both(a, b, |a, b| b2(a, b, |a, b| a - b));
    "mul.bf16x2": (a: u32, b: u32) -> u32 = both(a, b, |a, b| b2(a, b, |a, b| a * b));
    "min.bf16x2": (a: u32, b: u32) -> u32 = both(a, b, |a, b| b2(a, b, |a, b| extreme(a, b, a < b, true)));
    "max.bf16x2": (a: u32, b: u32) -> u32 = both(a, b, |a, b| b2(a, b, |a, b| extreme(a, b, a > b, false)));
    "min.NaN.bf16x2": (a: u32, b: u32) -> u32 = both(a, b, |a, b| b2(a, b, |a, b| strict(a, b, a < b, true)));
    "max.NaN.bf16x2": (a: u32, b: u32) -> u32 = both(a, b, |a, b| b2(a, b, |a, b| strict(a, b, a > b, false)));
    "fma.bf16x2": (a: u32, b: u32, c: u32) -> u32 = three(a, b, c, b3);
    "ex2.approx.bf16x2": (a: u32) -> u32 = both(a, a, |a, _| b1(a, f64::exp2));
    "tanh.approx.bf16x2": (a: u32) -> u32 = both(a, a, |a, _| b1(a, f64::tanh));
    "relu.f16" | "relu.bf16": (a: u16) -> u16 = relu(a);
    "relu.f16x2" | "relu.bf16x2": (a: u32) -> u32 = both(a, a, |a, _| relu(a));
    "sat.f16": (a: u16) -> u16 = f1(a, |a| if a > 0.0 { a.min(1.0) } else { 0.0 });
    "sat.f16x2": (a: u32) -> u32 = both(a, a, |a, _| f1(a, |a| if a > 0.0 { a.min(1.0) } else { 0.0 }));
    "f32.f16": (a: u16) -> f32 = super::float::canon(f16_to_f32(a));
    "f32.bf16": (a: u16) -> f32 = super::float::canon(f32::from_bits(u32::from(a) << 16));
    "f16.f32": (a: f32) -> u16 = f16_of_f32(a);
    "bf16.f32": (a: f32) -> u16 = bf16_of_f32(a);
    "f16x2.f32": (a: f32, b: f32) -> u32 = u32::from(f16_of_f32(b)) | u32::from(f16_of_f32(a)) << 16;
    "bf16x2.f32": (a: f32, b: f32) -> u32 = u32::from(bf16_of_f32(b)) | u32::from(bf16_of_f32(a)) << 16;
}

/// The value of these 16 bits, by arithmetic that works on many lanes at once.
#[inline(always)]
pub(crate) fn f16_to_f32(bits: u16) -> f32 {
    let magnitude = u32::from(bits & 0x7FFF) << 13;
    // Shifting the exponent by multiplying gets the subnormals right as well.
    let scaled = f32::from_bits(magnitude) * f32::from_bits((254 - 15) << 23);
    let special = magnitude >= 0x7C00 << 13;
    let value = if special {
        magnitude | 0x7F80_0000
    } else {
        scaled.to_bits()
    };
    f32::from_bits(value | u32::from(bits & 0x8000) << 16)
}

/// The nearest `f16` of a single, by arithmetic that works on many lanes at once.
#[inline(always)]
pub(crate) fn f16_of_f32(value: f32) -> u16 {
    let bits = value.to_bits();
    let magnitude = bits & 0x7FFF_FFFF;
    let rounded = magnitude.wrapping_add(0xFFF + (magnitude >> 13 & 1));
    let normal = rounded.wrapping_sub(112 << 23) >> 13;
    // A sum with a half has its last place where the last place of a subnormal is.
    let small = (f32::from_bits(magnitude) + 0.5)
        .to_bits()
        .wrapping_sub(0x3F00_0000);
    let finite = if magnitude < 0x3880_0000 {
        small
    } else {
        normal
    };
    let bounded = if rounded >= 0x4780_0000 {
        0x7C00
    } else {
        finite
    };
    let signed = bounded | bits >> 16 & 0x8000;
    (if magnitude > 0x7F80_0000 {
        0x7FFF
    } else {
        signed
    }) as u16
}

/// The nearest `f16`.
#[inline(always)]
pub(crate) fn f16_of(value: f64) -> u16 {
    if value.is_nan() {
        0x7FFF
    } else {
        f16::from_f64(value).to_bits()
    }
}

/// The nearest `bf16`.
#[inline(always)]
pub(crate) fn bf16_of_f32(value: f32) -> u16 {
    let bits = value.to_bits();
    let rounded = bits.wrapping_add(0x7FFF + (bits >> 16 & 1)) >> 16;
    if value.is_nan() {
        0x7FFF
    } else {
        rounded as u16
    }
}

/// The nearest `bf16` of a value that single precision may not hold.
pub(crate) fn bf16_of(value: f64) -> u16 {
    if value.is_nan() {
        0x7FFF
    } else {
        bf16::from_f64(value).to_bits()
    }
}

fn f1(a: u16, f: impl Fn(f64) -> f64) -> u16 {
    f16_of(f(f64::from(f16_to_f32(a))))
}

fn f2(a: u16, b: u16, f: impl Fn(f32, f32) -> f32) -> u16 {
    f16_of_f32(f(f16_to_f32(a), f16_to_f32(b)))
}

fn f3(a: u16, b: u16, c: u16) -> u16 {
    // The product is exact in double precision.
    f16_of(f64::from(f16_to_f32(a)).mul_add(f64::from(f16_to_f32(b)), f64::from(f16_to_f32(c))))
}

fn wide(a: u16) -> f32 {
    f32::from_bits(u32::from(a) << 16)
}

fn b1(a: u16, f: impl Fn(f64) -> f64) -> u16 {
    bf16_of(f(f64::from(wide(a))))
}

fn b2(a: u16, b: u16, f: impl Fn(f32, f32) -> f32) -> u16 {
    bf16_of_f32(f(wide(a), wide(b)))
}

fn b3(a: u16, b: u16, c: u16) -> u16 {
    bf16_of(f64::from(wide(a)).mul_add(f64::from(wide(b)), f64::from(wide(c))))
}

fn extreme(a: f32, b: f32, first: bool, negative_first: bool) -> f32 {
    if first || b.is_nan() || a == b && a.is_sign_negative() == negative_first {
        a
    } else {
        b
    }
}

fn strict(a: f32, b: f32, first: bool, negative_first: bool) -> f32 {
    if a.is_nan() || b.is_nan() {
        f32::NAN
    } else {
        extreme(a, b, first, negative_first)
    }
}

/// Negative values become zero; both formats have the sign and NaN where the other has them.
fn relu(a: u16) -> u16 {
    if a == 0x7FFF || a & 0x8000 == 0 { a } else { 0 }
}

fn both(a: u32, b: u32, f: impl Fn(u16, u16) -> u16) -> u32 {
    u32::from(f(a as u16, b as u16)) | u32::from(f((a >> 16) as u16, (b >> 16) as u16)) << 16
}

fn three(a: u32, b: u32, c: u32, f: impl Fn(u16, u16, u16) -> u16) -> u32 {
    u32::from(f(a as u16, b as u16, c as u16))
        | u32::from(f((a >> 16) as u16, (b >> 16) as u16, (c >> 16) as u16)) << 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn singles_round_to_the_nearest_f16() {
        // All exponents, and mantissas around every border of rounding.
        for high in 0..=0xFFFF_u32 {
            for low in [
                0, 1, 0xFFF, 0x1000, 0x1001, 0x1FFF, 0x3000, 0xEFFF, 0xF000, 0xF001, 0xFFFF,
            ] {
                let value = f32::from_bits(high << 16 | low);
                let expected = if value.is_nan() {
                    0x7FFF
                } else {
                    f16::from_f32_const(value).to_bits()
                };
                assert_eq!(f16_of_f32(value), expected, "{value:e}");
            }
        }
    }

    #[test]
    fn every_f16_has_its_value() {
        for bits in 0..=u16::MAX {
            let (ours, theirs) = (f16_to_f32(bits), f16::from_bits(bits).to_f32());
            assert!(
                ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan(),
                "{bits:#06x}"
            );
            if !theirs.is_nan() {
                assert_eq!(f16_of(f64::from(ours)), bits);
                assert_eq!(f16_of_f32(ours), bits);
                assert_eq!(bf16_of_f32(theirs), bf16::from_f32(theirs).to_bits());
            }
        }
    }
}
