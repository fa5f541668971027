use super::block::{Draw, LANES};
use super::fill::{fill, fill_at};
use super::integer::Integers;
use super::normal::{self, Normal32, Normal64};
use super::uniform::{Bits32, Bits64, Uniform32, Uniform64};
use super::*;
use crate::cpu::lanes::Level;
use proptest::prelude::*;

/// The vectors published with Random123.
#[test]
fn philox_known_answers() {
    let full = u32::MAX;
    let cases = [
        (
            [0; 4],
            [0; 2],
            [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8],
        ),
        (
            [full; 4],
            [full; 2],
            [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
        ),
        (
            [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
            [0xa4093822, 0x299f31d0],
            [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
        ),
    ];
    for (counter, key, expected) in cases {
        assert_eq!(philox4x32_10(counter, key), expected);
    }
}

#[test]
fn raw_words_are_philox_over_the_block_index() {
    let mut out = [0; 4];
    fill_bits_u32(&mut out, 0, 0);
    assert_eq!(out, [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]);
    let start = 0x85a3_08d3_243f_6a88_u64.wrapping_mul(4);
    fill_bits_u32(&mut out, 0x299f31d0_a4093822, start);
    // Multiplying by four drops the two upper bits of the block index.
    let counter = [0x243f6a88, 0x05a308d3, 0, 0];
    assert_eq!(out, philox4x32_10(counter, [0xa4093822, 0x299f31d0]));
}

/// Bits computed by a separate program from the formulas; any change of them breaks saved runs.
#[test]
fn first_values_stay_the_same() {
    let mut f = [0.0f32; 4];
    fill_uniform_f32(&mut f, 42, 0);
    assert_eq!(f.map(f32::to_bits), FIRST_UNIFORM_F32);
    fill_normal_f32(&mut f, 42, 0);
    assert_eq!(f.map(f32::to_bits), FIRST_NORMAL_F32);
    let mut d = [0.0f64; 4];
    fill_uniform_f64(&mut d, 42, 0);
    assert_eq!(d.map(f64::to_bits), FIRST_UNIFORM_F64);
    fill_normal_f64(&mut d, 42, 0);
    assert_eq!(d.map(f64::to_bits), FIRST_NORMAL_F64);
    let mut i = [0i64; 6];
    fill_integers(&mut i, -3, 4, 42, 0).unwrap();
    assert_eq!(i, FIRST_INTEGERS);
    assert_eq!(permutation(8, 42, 0).unwrap(), FIRST_PERMUTATION);
}

const FIRST_UNIFORM_F32: [u32; 4] = [0x3ecbfce0, 0x3f052e58, 0x3ed7de3a, 0x3f311de8];
const FIRST_NORMAL_F32: [u32; 4] = [0xbff652b7, 0xbdc30985, 0x4003fb74, 0xbf71114a];
const FIRST_UNIFORM_F64: [u64; 4] = [
    0x3fdc8522a4429468,
    0x3fe3240b78f72318,
    0x3fbd91b19b85a8d8,
    0x3fcfd5237354d898,
];
const FIRST_NORMAL_F64: [u64; 4] = [
    0x3fedc5c0d5f3ae1c,
    0xbfeebae3a736ec29,
    0xbfc914c6dd732e50,
    0x3fe5ed14d74f0530,
];
const FIRST_INTEGERS: [i64; 6] = [1, 2, 0, 1, -3, 2];
const FIRST_PERMUTATION: [i64; 8] = [3, 1, 2, 6, 5, 0, 4, 7];

/// The same elements at every level, for every start within two blocks and ragged lengths.
fn assert_levels_agree<D: Draw>(draw: D)
where
    D::Value: PartialEq + std::fmt::Debug,
{
    let n = 3 * LANES * D::PER_BLOCK + 5;
    for offset in [0, 1, 2, 3, 7, u64::MAX - 6] {
        let mut expected = vec![D::Value::default(); n];
        fill_at(Level::Base, draw, &mut expected, 9, offset);
        for level in Level::available() {
            let mut out = vec![D::Value::default(); n];
            fill_at(level, draw, &mut out, 9, offset);
            assert_eq!(out, expected, "{level:?} at {offset}");
        }
        for (i, value) in expected.iter().enumerate() {
            let mut one = [D::Value::default()];
            let _ = fill(draw, &mut one, 9, offset.wrapping_add(i as u64));
            assert_eq!(one[0], *value, "element {i} alone at {offset}");
        }
    }
}

#[test]
fn every_level_and_every_single_element_gives_the_same_bits() {
    assert_levels_agree(Bits32);
    assert_levels_agree(Bits64);
    assert_levels_agree(Uniform32);
    assert_levels_agree(Uniform64);
    assert_levels_agree(Normal32);
    assert_levels_agree(Normal64);
    assert_levels_agree(Integers::new(-5, 1_000_003).unwrap());
}

#[test]
fn parallel_fill_equals_serial_fill() {
    let n = 200_003;
    let mut serial = vec![0.0; n];
    fill_at(Level::current(), Normal32, &mut serial, 3, 5);
    let mut parallel = vec![0.0; n];
    fill_normal_f32(&mut parallel, 3, 5);
    assert!(
        serial
            .iter()
            .zip(&parallel)
            .all(|(a, b)| a.to_bits() == b.to_bits())
    );
}

proptest! {
    #[test]
    fn chunks_do_not_matter(seed: u64, offset: u64, n in 0..3000usize, cut in 0..3000usize) {
        let cut = cut.min(n);
        let mut whole = vec![0.0; n];
        fill_normal_f64(&mut whole, seed, offset);
        let mut parts = vec![0.0; n];
        fill_normal_f64(&mut parts[..cut], seed, offset);
        fill_normal_f64(&mut parts[cut..], seed, offset.wrapping_add(cut as u64));
        prop_assert_eq!(whole, parts);
    }

    #[test]
    fn integers_stay_in_range(seed: u64, low: i64, high: i64) {
        let mut out = [0; 64];
        let drawn = fill_integers(&mut out, low, high, seed, 0);
        if low < high {
            prop_assert!(drawn.is_ok() && out.iter().all(|x| (low..high).contains(x)));
        } else {
            prop_assert_eq!(drawn, Err(EmptyRange { low, high }));
            prop_assert_eq!(out, [0; 64]);
        }
    }
}

/// Largest distance between the empirical and the true distribution function.
fn kolmogorov(sample: &mut [f64], cdf: impl Fn(f64) -> f64) -> f64 {
    sample.sort_by(f64::total_cmp);
    let n = sample.len() as f64;
    let gap = |(i, x): (usize, &f64)| {
        let p = cdf(*x);
        (p - i as f64 / n).abs().max(((i + 1) as f64 / n - p).abs())
    };
    sample.iter().enumerate().map(gap).fold(0.0, f64::max)
}

/// The normal distribution function by the series `½ + φ(x)(x + x³/3 + x⁵/15 + ...)`.
fn normal_cdf(x: f64) -> f64 {
    let (mut term, mut sum, mut k) = (x, x, 1.0);
    while term.abs() > 1e-18 * sum.abs() {
        k += 2.0;
        term *= x * x / k;
        sum += term;
    }
    0.5 + sum * (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt()
}

/// One sample in a thousand of a right generator exceeds this; the seeds are fixed.
fn kolmogorov_limit(n: usize) -> f64 {
    1.95 / (n as f64).sqrt()
}

const SAMPLE: usize = 200_000;

#[test]
fn uniform_numbers_are_uniform() {
    let mut single = vec![0.0f32; SAMPLE];
    fill_uniform_f32(&mut single, 1, 0);
    let mut double = vec![0.0f64; SAMPLE];
    fill_uniform_f64(&mut double, 1, 0);
    for mut sample in [single.into_iter().map(f64::from).collect(), double] {
        assert!(sample.iter().all(|x| (0.0..1.0).contains(x)));
        assert!(kolmogorov(&mut sample, |x| x) < kolmogorov_limit(SAMPLE));
    }
}

#[test]
fn normal_numbers_are_normal() {
    let mut single = vec![0.0f32; SAMPLE];
    fill_normal_f32(&mut single, 1, 0);
    let mut double = vec![0.0f64; SAMPLE];
    fill_normal_f64(&mut double, 1, 0);
    for mut sample in [single.into_iter().map(f64::from).collect(), double] {
        let n = SAMPLE as f64;
        let moment = |k: i32| sample.iter().map(|x| x.powi(k)).sum::<f64>() / n;
        // Four standard errors of each moment: their variances are 1, 2, 15 and 96 over n.
        assert!(moment(1).abs() < 4.0 * (1.0 / n).sqrt());
        assert!((moment(2) - 1.0).abs() < 4.0 * (2.0 / n).sqrt());
        assert!(moment(3).abs() < 4.0 * (15.0 / n).sqrt());
        assert!((moment(4) - 3.0).abs() < 4.0 * (96.0 / n).sqrt());
        let pairs = sample.chunks_exact(2).map(|p| p[0] * p[1]).sum::<f64>() / (n / 2.0);
        assert!(
            pairs.abs() < 4.0 * (2.0 / n).sqrt(),
            "both halves of a pair correlate"
        );
        assert!(kolmogorov(&mut sample, normal_cdf) < kolmogorov_limit(SAMPLE));
    }
}

#[test]
fn extreme_words_give_finite_normals() {
    let words = [
        0,
        1,
        1 << 29,
        (1 << 29) - 1,
        1 << 31,
        u32::MAX - 1,
        u32::MAX,
    ];
    for radius in words {
        for angle in words {
            let (a, b) = normal::pair_f32(radius, angle);
            assert!(
                a.abs() < 6.77 && b.abs() < 6.77,
                "{radius} {angle}: {a} {b}"
            );
            for low in [0, u32::MAX] {
                let (a, b) = normal::pair_f64([low, radius], [low, angle]);
                assert!(
                    a.abs() < 9.50 && b.abs() < 9.50,
                    "{radius} {angle}: {a} {b}"
                );
            }
        }
    }
    let (a, _) = normal::pair_f32(0, 0);
    assert!(a > 6.76, "the smallest u must reach the tail: {a}");
    let (a, _) = normal::pair_f64([0, 0], [0, 0]);
    assert!(a > 9.49, "the smallest u must reach the tail: {a}");
}

/// Points that visit every power of two down to 2⁻⁶⁵ and crowd towards 1.
fn logarithm_points() -> impl Iterator<Item = f64> {
    (0..200_000).map(|i| {
        let t = f64::from(i) / 200_000.0;
        if i % 2 == 0 {
            (-65.0 * t).exp2()
        } else {
            1.0 - 0.5 * t * t
        }
    })
}

#[test]
fn logarithms_are_accurate() {
    for x in logarithm_points() {
        let single = (x as f32).max(f32::MIN_POSITIVE);
        let truth = -2.0 * f64::from(single).ln();
        let error = (f64::from(normal::minus_two_ln_f32(single)) - truth).abs();
        assert!(
            error <= 1.5 * f64::from(f32::EPSILON) * truth.abs(),
            "{single}: {error:e}"
        );
        let truth = -2.0 * x.ln();
        let error = (normal::minus_two_ln_f64(x) - truth).abs();
        assert!(error <= 1.5 * f64::EPSILON * truth.abs(), "{x}: {error:e}");
    }
}

#[test]
fn points_of_the_circle_are_accurate_and_go_around_it() {
    for i in 0..=65_536u64 {
        let angle = (i << 16).wrapping_sub(i & 1).min(u64::from(u32::MAX)) as u32;
        let x = std::f64::consts::FRAC_PI_2 * f64::from((angle << 2) as i32) / 4_294_967_296.0;
        let side = if angle >> 31 == 0 { 1.0 } else { -1.0 };
        let truth = match angle >> 30 & 1 {
            0 => (side * x.cos(), x.sin()),
            _ => (x.sin(), side * x.cos()),
        };
        let (a, b) = normal::unit_point_f32(angle);
        // The polynomials and three roundings near one.
        let error = (f64::from(a) - truth.0).hypot(f64::from(b) - truth.1);
        assert!(error < 1.5 * f64::from(f32::EPSILON), "{angle}: {error:e}");
        let (a, b) = normal::unit_point_f64([0, angle]);
        let error = (a - truth.0).hypot(b - truth.1);
        assert!(error < 2.0 * f64::EPSILON, "{angle}: {error:e}");
    }
}

#[test]
fn integers_are_even_over_a_small_range() {
    let mut out = vec![0; 70_000];
    fill_integers(&mut out, -3, 4, 5, 0).unwrap();
    let mut counts = [0.0; 7];
    out.iter().for_each(|x| counts[(x + 3) as usize] += 1.0);
    // Chi-square with six degrees of freedom; 22.5 is exceeded once in a thousand.
    let chi: f64 = counts.iter().map(|c| (c - 1e4_f64).powi(2) / 1e4).sum();
    assert!(chi < 22.5, "{counts:?}");
}

#[test]
fn permutations_hold_every_index_once() {
    for n in [0, 1, 2, 1000] {
        let mut order = permutation(n, 7, 0).unwrap();
        order.sort_unstable();
        assert!(order.into_iter().eq(0..n as i64));
    }
    assert_ne!(
        permutation(1000, 7, 0).unwrap(),
        permutation(1000, 7, 1).unwrap()
    );
}

#[test]
fn a_saved_generator_continues_where_it_stopped() {
    let mut generator = Generator::new(11);
    let mut first = [0.0f32; 7];
    generator.normal_f32(&mut first);
    let saved = serde_json::to_string(&generator).unwrap();
    let mut resumed: Generator = serde_json::from_str(&saved).unwrap();
    let (mut a, mut b) = ([0.0f32; 9], [0.0f32; 9]);
    generator.normal_f32(&mut a);
    resumed.normal_f32(&mut b);
    assert_eq!(a, b);
    assert_eq!(resumed.offset, 16);
    let mut whole = [0.0f32; 16];
    fill_normal_f32(&mut whole, 11, 0);
    assert_eq!(whole[7..], a);
}

#[test]
fn forks_differ_from_each_other_and_from_their_parent() {
    let parent = Generator::new(1);
    let seeds = [parent.seed, parent.fork(0).seed, parent.fork(1).seed];
    assert!(seeds[0] != seeds[1] && seeds[1] != seeds[2] && seeds[0] != seeds[2]);
    let moved = Generator {
        offset: 99,
        ..parent
    };
    assert_eq!(moved.fork(1), parent.fork(1));
}
