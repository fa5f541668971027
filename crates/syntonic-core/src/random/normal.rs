//! Normal numbers: the Box-Muller transform with our own logarithm, sine and cosine.
//!
//! `z₀ = √(-2 ln u₁) cos 2πu₂` and `z₁ = √(-2 ln u₁) sin 2πu₂` with `u₁` in `(0, 1)`. The upper two bits
//! of the angle word say by which quarter turn and reflection the point is moved, so the polynomials
//! see `[-π/4, π/4]` only. Polynomials are minimax fits of the remainders named beside them; the comment
//! gives the error of the whole function before rounding, relative to its value. The logarithm in double precision
//! takes most of its argument from a table: its polynomial would else be the longest part of a number by far.
//!
//! Every step that can be is a fused multiply-add, written out: it is rounded once on every device, and
//! a GPU is bound by the number of instructions here. Processors without the instruction (x86-64 before
//! 2013) get the same bits from the library's function, slowly.

use super::block::{Draw, Stream, Words};
use super::logarithms::{INVERSES, LEAST, LOGARITHMS, PARTS};

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
    // The float before 2⁻³², so that no word gives 1, whose logarithm is 0.
    const STEP: f32 = UNIT * (1.0 - 0.5 * f32::EPSILON);
    let u = (radius as f32).mul_add(STEP, 0.5 * UNIT);
    let r = minus_two_ln_f32(u).sqrt();
    let (x, y) = unit_point_f32(angle);
    (r * x, r * y)
}

/// Two normals from a radius and an angle of two words each, low word first.
#[inline(always)]
pub(super) fn pair_f64(radius: [u32; 2], angle: [u32; 2]) -> (f64, f64) {
    const STEP: f64 = UNIT_HIGH * (1.0 - 0.5 * f64::EPSILON);
    let low = f64::from(radius[0]).mul_add(UNIT_LOW, 0.5 * UNIT_LOW);
    let u = f64::from(radius[1]).mul_add(STEP, low);
    let r = minus_two_ln_f64(u).sqrt();
    let (x, y) = unit_point_f64(angle);
    (r * x, r * y)
}

const UNIT_HIGH: f64 = 1.0 / (1u64 << 32) as f64;
const UNIT_LOW: f64 = UNIT_HIGH * UNIT_HIGH;

/// `-2 ln x` for normal positive `x`: `x = 2ᵉ(1 + f)` with `1 + f` in `[√½, √2)`.
#[inline(always)]
pub(super) fn minus_two_ln_f32(x: f32) -> f32 {
    const SQRT_HALF: u32 = 0x3F35_04F3;
    const EXPONENT: u32 = 0xFF80_0000;
    // -2 ln(1+f) / f, 2⁻²⁵.
    const P: [f32; 9] = [
        -2.0,
        0.999_999_76,
        -0.666_683_73,
        0.500_041_4,
        -0.399_136_57,
        0.331_248_37,
        -0.299_046_8,
        0.287_334_1,
        -0.174_439_7,
    ];
    // -2 ln 2, over the 2²³ by which the exponent is too large where it stands.
    const STEP: f32 = (-2.0 * std::f64::consts::LN_2 / 8_388_608.0) as f32;
    let e = x.to_bits().wrapping_sub(SQRT_HALF) & EXPONENT;
    let f = f32::from_bits(x.to_bits().wrapping_sub(e)) - 1.0;
    let mut p = P[8];
    p = p.mul_add(f, P[7]);
    p = p.mul_add(f, P[6]);
    p = p.mul_add(f, P[5]);
    p = p.mul_add(f, P[4]);
    p = p.mul_add(f, P[3]);
    p = p.mul_add(f, P[2]);
    p = p.mul_add(f, P[1]);
    p = p.mul_add(f, P[0]);
    (e as i32 as f32).mul_add(STEP, f * p)
}

/// `-2 ln x` for normal positive `x`: `x = 2ᵉm` with `m` in a part of `[0.7083, 1.4167)`, and `m` times the
/// inverse of a number in that part is `1 + f` with `|f| < 2⁻⁶`.
#[inline(always)]
pub(super) fn minus_two_ln_f64(x: f64) -> f64 {
    const EXPONENT: u64 = 0xFFF0_0000 << 32;
    // -2 ln(1+f) / f, 2⁻⁵⁷.
    const P: [f64; 8] = [
        -2.0,
        1.0,
        -0.666_666_666_667_467_7,
        0.500_000_000_000_721,
        -0.399_999_983_542_966_3,
        0.333_333_318_521_904_7,
        -0.285_822_475_333_538_55,
        0.250_097_371_151_067_6,
    ];
    let t = x.to_bits().wrapping_sub(LEAST);
    let e = t & EXPONENT;
    let part = (t >> 47) as usize % PARTS;
    let m = f64::from_bits(x.to_bits().wrapping_sub(e));
    let f = m.mul_add(INVERSES[part], -1.0);
    let mut p = P[7];
    p = p.mul_add(f, P[6]);
    p = p.mul_add(f, P[5]);
    p = p.mul_add(f, P[4]);
    p = p.mul_add(f, P[3]);
    p = p.mul_add(f, P[2]);
    p = p.mul_add(f, P[1]);
    p = p.mul_add(f, P[0]);
    // The upper word holds e 2²⁰.
    const STEP: f64 = -2.0 * std::f64::consts::LN_2 / 1_048_576.0;
    f64::from((e >> 32) as u32 as i32).mul_add(STEP, f.mul_add(p, LOGARITHMS[part]))
}

/// A point of the unit circle: `(cos x, sin x)` with `x` in `[-π/4, π/4)` from the lower 30 bits, the first
/// part negative if bit 31 is set, and then both parts exchanged if bit 30 is.
#[inline(always)]
pub(super) fn unit_point_f32(angle: u32) -> (f32, f32) {
    const RADIANS: f32 = (std::f64::consts::FRAC_PI_2 / 4_294_967_296.0) as f32;
    // (sin(x)/x - 1) / x² in x², 2⁻²⁸.
    const S: [f32; 3] = [-0.166_666_55, 0.008_332_178, -1.951_729_8e-4];
    // (cos(x) - 1) / x² in x², 2⁻²⁵.
    const C: [f32; 3] = [-0.499_998_96, 0.041_656_293, -0.001_359_782_3];
    let x = (angle << 2) as i32 as f32 * RADIANS;
    let z = x * x;
    let sin = S[2].mul_add(z, S[1]).mul_add(z, S[0]).mul_add(x * z, x);
    let cos = C[2].mul_add(z, C[1]).mul_add(z, C[0]).mul_add(z, 1.0);
    let cos = f32::from_bits(cos.to_bits() ^ (angle & 1 << 31));
    if angle & 1 << 30 == 0 {
        (cos, sin)
    } else {
        (sin, cos)
    }
}

/// As [`unit_point_f32`], from 62 bits; the upper two are those of the second word.
#[inline(always)]
pub(super) fn unit_point_f64(angle: [u32; 2]) -> (f64, f64) {
    const HIGH: f64 = std::f64::consts::FRAC_PI_2 / 4_294_967_296.0;
    const LOW: f64 = HIGH / 4_294_967_296.0;
    // (sin(x)/x - 1) / x² in x², 2⁻⁵⁸.
    const S: [f64; 6] = [
        -0.166_666_666_666_666_32,
        0.008_333_333_333_322_425,
        -1.984_126_982_981_696e-4,
        2.755_731_369_502_31e-6,
        -2.505_075_865_386_234_6e-8,
        1.589_682_796_746_600_6e-10,
    ];
    // (cos(x) - 1) / x² in x², 2⁻⁶⁵.
    const C: [f64; 7] = [
        -0.5,
        0.041_666_666_666_666_49,
        -0.001_388_888_888_886_391_2,
        2.480_158_728_501_055_2e-5,
        -2.755_731_333_940_286e-7,
        2.087_560_864_842_755_2e-9,
        -1.135_452_039_783_61e-11,
    ];
    let high = (angle[1] << 2 | angle[0] >> 30) as i32;
    let x = f64::from(high).mul_add(HIGH, f64::from(angle[0] << 2) * LOW);
    let z = x * x;
    let mut s = S[5];
    s = s.mul_add(z, S[4]);
    s = s.mul_add(z, S[3]);
    s = s.mul_add(z, S[2]);
    s = s.mul_add(z, S[1]);
    s = s.mul_add(z, S[0]);
    let sin = s.mul_add(x * z, x);
    let mut c = C[6];
    c = c.mul_add(z, C[5]);
    c = c.mul_add(z, C[4]);
    c = c.mul_add(z, C[3]);
    c = c.mul_add(z, C[2]);
    c = c.mul_add(z, C[1]);
    c = c.mul_add(z, C[0]);
    let cos = c.mul_add(z, 1.0);
    let cos = f64::from_bits(cos.to_bits() ^ u64::from(angle[1] & 1 << 31) << 32);
    if angle[1] & 1 << 30 == 0 {
        (cos, sin)
    } else {
        (sin, cos)
    }
}
