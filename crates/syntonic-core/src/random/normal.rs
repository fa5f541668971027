//! Normal numbers: the Box-Muller transform with our own logarithm, sine and cosine.
//!
//! `z₀ = √(-2 ln u₁) cos 2πu₂` and `z₁ = √(-2 ln u₁) sin 2πu₂` with `u₁` in `(0, 1]`. The angle is
//! reduced to a quarter turn on the integer, so its polynomials see `[-π/4, π/4]` only. Polynomials
//! are minimax fits of the remainders named beside them; the comment gives the error of the whole
//! function before rounding, relative to its value.

use super::block::{Draw, Stream, Words};

/// Two words make two values: `u₁` has 32 bits, so `|z| <= √(66 ln 2) < 6.77`.
#[derive(Clone, Copy)]
pub(super) struct Normal32;

/// Four words make two values: `u₁` has 64 bits, so `|z| <= √(130 ln 2) < 9.50`.
#[derive(Clone, Copy)]
pub(super) struct Normal64;

impl Draw for Normal32 {
    type Value = f32;
    const PER_BLOCK: usize = 4;
    const STREAM: Stream = Stream::Normal32;

    #[inline(always)]
    fn emit(self, words: &Words, out: &mut [f32]) {
        let (blocks, _) = out.as_chunks_mut::<4>();
        let [w0, w1, w2, w3] = words;
        for (block, (((a, b), c), d)) in blocks.iter_mut().zip(w0.iter().zip(w1).zip(w2).zip(w3)) {
            let (z0, z1) = pair_f32(*a, *b);
            let (z2, z3) = pair_f32(*c, *d);
            *block = [z0, z1, z2, z3];
        }
    }
}

impl Draw for Normal64 {
    type Value = f64;
    const PER_BLOCK: usize = 2;
    const STREAM: Stream = Stream::Normal64;

    #[inline(always)]
    fn emit(self, words: &Words, out: &mut [f64]) {
        let (blocks, _) = out.as_chunks_mut::<2>();
        let [w0, w1, w2, w3] = words;
        for (block, (((a, b), c), d)) in blocks.iter_mut().zip(w0.iter().zip(w1).zip(w2).zip(w3)) {
            let (z0, z1) = pair_f64([*a, *b], [*c, *d]);
            *block = [z0, z1];
        }
    }
}

/// Two normals from a radius word and an angle word.
#[inline(always)]
pub(super) fn pair_f32(radius: u32, angle: u32) -> (f32, f32) {
    const UNIT: f32 = 1.0 / (1u64 << 32) as f32;
    const HALF_STEP: f32 = 0.5 * UNIT;
    let u = radius as f32 * UNIT + HALF_STEP;
    let r = (-2.0 * ln_f32(u)).sqrt();
    let (cos, sin) = cos_sin_turn_f32(angle);
    (r * cos, r * sin)
}

/// Two normals from a radius and an angle of two words each, low word first.
#[inline(always)]
pub(super) fn pair_f64(radius: [u32; 2], angle: [u32; 2]) -> (f64, f64) {
    // Both parts are exact; their sum rounds once.
    let u = f64::from(radius[1]) * UNIT_HIGH + (f64::from(radius[0]) + 0.5) * UNIT_LOW;
    let r = (-2.0 * ln_f64(u)).sqrt();
    let (cos, sin) = cos_sin_turn_f64(angle);
    (r * cos, r * sin)
}

const UNIT_HIGH: f64 = 1.0 / (1u64 << 32) as f64;
const UNIT_LOW: f64 = UNIT_HIGH * UNIT_HIGH;

/// `ln x` for normal positive `x`: `x = 2ᵉ(1 + f)` with `1 + f` in `[√½, √2)`.
#[inline(always)]
pub(super) fn ln_f32(x: f32) -> f32 {
    const SQRT_HALF: u32 = 0x3F35_04F3;
    // (ln(1+f) - f + f²/2) / f³, 2⁻²⁷.
    const P: [f32; 8] = [
        0.333_333_17,
        -0.250_008_1,
        0.200_022_86,
        -0.166_245_54,
        0.141_811_92,
        -0.131_287_55,
        0.128_816_51,
        -0.078_596_18,
    ];
    // ln 2 = HIGH + LOW; HIGH has ten bits, so its product with an exponent is exact.
    const LN2_HIGH: f32 = 0.693_359_4;
    const LN2_LOW: f32 = -2.121_944_4e-4;
    let shifted = x.to_bits().wrapping_sub(SQRT_HALF);
    let e = (shifted as i32 >> 23) as f32;
    let f = f32::from_bits((shifted & 0x007F_FFFF).wrapping_add(SQRT_HALF)) - 1.0;
    let f2 = f * f;
    let mut p = P[7];
    p = p * f + P[6];
    p = p * f + P[5];
    p = p * f + P[4];
    p = p * f + P[3];
    p = p * f + P[2];
    p = p * f + P[1];
    p = p * f + P[0];
    let tail = (f * f2) * p + e * LN2_LOW - 0.5 * f2;
    (f + tail) + e * LN2_HIGH
}

/// `ln x` for normal positive `x`, through `s = f/(2+f)`: `ln(1+f) = 2s + s³R(s²)`.
#[inline(always)]
pub(super) fn ln_f64(x: f64) -> f64 {
    const SQRT_HALF: u64 = 0x3FE6_A09E_667F_3BCD;
    const MANTISSA: u64 = 0x000F_FFFF_FFFF_FFFF;
    // (2 atanh(s)/s - 2) / s² in s², 2⁻⁵⁸.
    const R: [f64; 7] = [
        0.666_666_666_666_673_5,
        0.399_999_999_994_110_9,
        0.285_714_287_432_631_1,
        0.222_221_984_759_557_84,
        0.181_835_697_407_507,
        0.153_139_032_365_192_8,
        0.147_975_076_922_332_55,
    ];
    // ln 2 = HIGH + LOW; HIGH has 32 bits, so its product with an exponent is exact.
    const LN2_HIGH: f64 = f64::from_bits(0x3FE6_2E42_FEE0_0000);
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    let shifted = x.to_bits().wrapping_sub(SQRT_HALF);
    let f = f64::from_bits((shifted & MANTISSA).wrapping_add(SQRT_HALF)) - 1.0;
    let e = exponent(shifted);
    let s = f / (2.0 + f);
    let z = s * s;
    let mut r = R[6];
    r = r * z + R[5];
    r = r * z + R[4];
    r = r * z + R[3];
    r = r * z + R[2];
    r = r * z + R[1];
    r = r * z + R[0];
    let half = 0.5 * (f * f);
    let tail = half - (s * (half + z * r) + e * LN2_LOW);
    e * LN2_HIGH + (f - tail)
}

/// The signed exponent in the upper 12 bits, as a float. It is set into the mantissa of 2⁵²
/// because few instruction sets convert 64-bit integers.
#[inline(always)]
fn exponent(shifted: u64) -> f64 {
    const BIAS: u64 = 1 << 11;
    const TWO_52: u64 = 0x4330_0000_0000_0000;
    let biased = shifted.wrapping_add(BIAS << 52) >> 52;
    f64::from_bits(TWO_52 | biased) - (4_503_599_627_370_496.0 + BIAS as f64)
}

/// `(cos 2πt, sin 2πt)` for `t = angle / 2³²`.
#[inline(always)]
pub(super) fn cos_sin_turn_f32(angle: u32) -> (f32, f32) {
    const RADIANS: f32 = (std::f64::consts::TAU / 4_294_967_296.0) as f32;
    // (sin(x)/x - 1) / x² in x², 2⁻²⁸.
    const S: [f32; 3] = [-0.166_666_55, 0.008_332_178, -1.951_729_8e-4];
    // (cos(x) - 1 + x²/2) / x⁴ in x², 2⁻³³.
    const C: [f32; 3] = [0.041_666_646, -0.001_388_736_8, 2.443_845_2e-5];
    let quarter = angle.wrapping_add(1 << 29) >> 30;
    let x = angle.wrapping_sub(quarter << 30) as i32 as f32 * RADIANS;
    let z = x * x;
    let sin = x + (x * z) * ((S[2] * z + S[1]) * z + S[0]);
    let cos = (1.0 - 0.5 * z) + (z * z) * ((C[2] * z + C[1]) * z + C[0]);
    let (cos, sin) = if quarter & 1 == 0 {
        (cos, sin)
    } else {
        (sin, cos)
    };
    let cos_sign = (quarter.wrapping_add(1) & 2) << 30;
    let sin_sign = (quarter & 2) << 30;
    (
        f32::from_bits(cos.to_bits() ^ cos_sign),
        f32::from_bits(sin.to_bits() ^ sin_sign),
    )
}

/// `(cos 2πt, sin 2πt)` for `t = (angle[0] + 2³² angle[1]) / 2⁶⁴`.
#[inline(always)]
pub(super) fn cos_sin_turn_f64(angle: [u32; 2]) -> (f64, f64) {
    // (sin(x)/x - 1) / x² in x², 2⁻⁵⁸.
    const S: [f64; 6] = [
        -0.166_666_666_666_666_32,
        0.008_333_333_333_322_425,
        -1.984_126_982_981_696e-4,
        2.755_731_369_502_31e-6,
        -2.505_075_865_386_234_6e-8,
        1.589_682_796_746_600_6e-10,
    ];
    // (cos(x) - 1 + x²/2) / x⁴ in x², 2⁻⁶⁴.
    const C: [f64; 6] = [
        0.041_666_666_666_666_6,
        -0.001_388_888_888_887_414,
        2.480_158_728_949_181_5e-5,
        -2.755_731_435_523_906e-7,
        2.087_572_368_411_907e-9,
        -1.135_966_985_362_579_7e-11,
    ];
    let quarter = angle[1].wrapping_add(1 << 29) >> 30;
    let high = angle[1].wrapping_sub(quarter << 30) as i32;
    let turn = f64::from(high) * UNIT_HIGH + f64::from(angle[0]) * UNIT_LOW;
    let x = turn * std::f64::consts::TAU;
    let z = x * x;
    let mut s = S[5];
    s = s * z + S[4];
    s = s * z + S[3];
    s = s * z + S[2];
    s = s * z + S[1];
    s = s * z + S[0];
    let mut c = C[5];
    c = c * z + C[4];
    c = c * z + C[3];
    c = c * z + C[2];
    c = c * z + C[1];
    c = c * z + C[0];
    let sin = x + (x * z) * s;
    let cos = (1.0 - 0.5 * z) + (z * z) * c;
    let (cos, sin) = if quarter & 1 == 0 {
        (cos, sin)
    } else {
        (sin, cos)
    };
    let cos_sign = u64::from(quarter.wrapping_add(1) & 2) << 62;
    let sin_sign = u64::from(quarter & 2) << 62;
    (
        f64::from_bits(cos.to_bits() ^ cos_sign),
        f64::from_bits(sin.to_bits() ^ sin_sign),
    )
}
