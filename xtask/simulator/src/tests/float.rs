//! Floats: roundings, NaN, zeros and subnormals.

use super::bench::{each, singles, words};

const NAN: u32 = 0x7FFF_FFFF;

#[test]
fn extremes_prefer_numbers_and_order_zeros() {
    let nan = f32::NAN;
    let inputs = [
        (nan, 1.0),
        (1.0, nan),
        (nan, nan),
        (0.0, -0.0),
        (-0.0, 0.0),
        (2.0, 3.0),
    ];
    let low: Vec<u32> = singles("min.f32 %f3, %f1, %f2;", &inputs)
        .into_iter()
        .map(f32::to_bits)
        .collect();
    assert_eq!(
        low,
        [
            1f32.to_bits(),
            1f32.to_bits(),
            NAN,
            1 << 31,
            1 << 31,
            2f32.to_bits()
        ]
    );
    let high: Vec<u32> = singles("max.f32 %f3, %f1, %f2;", &inputs)
        .into_iter()
        .map(f32::to_bits)
        .collect();
    assert_eq!(
        high,
        [1f32.to_bits(), 1f32.to_bits(), NAN, 0, 0, 3f32.to_bits()]
    );
    let strict = singles("max.NaN.f32 %f3, %f1, %f2;", &inputs);
    assert!(strict[0].is_nan() && strict[1].is_nan() && strict[3].to_bits() == 0);
}

#[test]
fn invalid_operations_give_the_one_nan() {
    let inputs = [(0.0, f32::INFINITY)];
    assert_eq!(singles("mul.f32 %f3, %f1, %f2;", &inputs)[0].to_bits(), NAN);
    assert_eq!(singles("sub.f32 %f3, %f2, %f2;", &inputs)[0].to_bits(), NAN);
    assert_eq!(
        singles("sqrt.rn.f32 %f3, %f1;", &[(-1.0, 0.0)])[0].to_bits(),
        NAN
    );
}

#[test]
fn fused_products_round_once() {
    let tiny = 1.0 + 3.0 * f32::EPSILON;
    let fused = singles("fma.rn.f32 %f3, %f1, %f1, %f2;", &[(tiny, -1.0)])[0];
    assert_eq!(fused, tiny.mul_add(tiny, -1.0));
    assert_ne!(fused, tiny * tiny - 1.0);
    assert_eq!(
        singles(
            "mul.rn.f32 %f3, %f1, %f1;\nadd.rn.f32 %f3, %f3, %f2;",
            &[(tiny, -1.0)]
        )[0],
        tiny * tiny - 1.0
    );
}

#[test]
fn only_flushing_forms_flush() {
    let tiny = f32::from_bits(1);
    assert_eq!(singles("add.f32 %f3, %f1, %f2;", &[(tiny, 0.0)]), [tiny]);
    assert_eq!(singles("add.ftz.f32 %f3, %f1, %f2;", &[(tiny, 0.0)]), [0.0]);
    assert_eq!(
        singles("mul.ftz.f32 %f3, %f1, %f2;", &[(-f32::MIN_POSITIVE, 0.5)])[0].to_bits(),
        1 << 31
    );
    assert_eq!(
        singles(
            "add.sat.f32 %f3, %f1, %f2;",
            &[(0.75, 0.75), (-1.0, 0.5), (f32::NAN, 0.0)]
        ),
        [1.0, 0.0, 0.0]
    );
}

#[test]
fn directed_roundings_bracket() {
    let inputs = [(1.0, f32::from_bits(1))];
    assert_eq!(singles("add.rz.f32 %f3, %f1, %f2;", &inputs), [1.0]);
    assert_eq!(
        singles("add.rp.f32 %f3, %f1, %f2;", &inputs),
        [1.0f32.next_up()]
    );
    assert_eq!(
        singles(
            "fma.rm.f32 %f3, %f1, -1.0, %f2;",
            &[(1.0, -f32::from_bits(1))]
        ),
        [(-1.0f32).next_down()]
    );
}

#[test]
fn approximations_are_close_and_right_at_the_ends() {
    assert_eq!(
        singles("ex2.approx.ftz.f32 %f3, %f1;", &[(3.0, 0.0), (-200.0, 0.0)]),
        [8.0, 0.0]
    );
    assert_eq!(
        singles("lg2.approx.ftz.f32 %f3, %f1;", &[(8.0, 0.0), (0.0, 0.0)]),
        [3.0, f32::NEG_INFINITY]
    );
    assert_eq!(
        singles("rsqrt.approx.f32 %f3, %f1;", &[(4.0, 0.0), (0.0, 0.0)]),
        [0.5, f32::INFINITY]
    );
    assert_eq!(
        singles("rcp.approx.ftz.f32 %f3, %f1;", &[(4.0, 0.0), (-0.0, 0.0)]),
        [0.25, f32::NEG_INFINITY]
    );
    let coarse = each(
        "mov.b64 %e1, %d1;\nrcp.approx.ftz.f64 %e2, %e1;\nmov.b64 %d2, %e2;",
        &[3f64.to_bits()],
    )[0];
    assert_eq!(coarse & 0xFFFF_FFFF, 0);
    assert!((f64::from_bits(coarse) - 1.0 / 3.0).abs() < 1e-6);
}

#[test]
fn comparisons_know_unordered_values() {
    let inputs = [(f32::NAN, 1.0), (1.0, 1.0), (1.0, 2.0)];
    let flag = |name: &str| {
        singles(
            &format!("setp.{name}.f32 %p1, %f1, %f2;\nselp.f32 %f3, 1.0, 0.0, %p1;"),
            &inputs,
        )
    };
    assert_eq!(flag("eq"), [0.0, 1.0, 0.0]);
    assert_eq!(flag("ne"), [0.0, 0.0, 1.0]);
    assert_eq!(flag("neu"), [1.0, 0.0, 1.0]);
    assert_eq!(flag("ltu"), [1.0, 0.0, 1.0]);
    assert_eq!(flag("ge"), [0.0, 1.0, 0.0]);
    assert_eq!(flag("num"), [0.0, 1.0, 1.0]);
    assert_eq!(flag("nan"), [1.0, 0.0, 0.0]);
}

#[test]
fn pairs_of_short_floats_are_computed_apart() {
    // 1.5 and 2 as f16, 1 and 0.5.
    let (a, b) = (0x3E00_4000, 0x3C00_3800);
    assert_eq!(words("add.f16x2 %r4, %r2, %r3;", &[(a, b)]), [0x4100_4100]);
    assert_eq!(
        words("fma.rn.f16x2 %r4, %r2, %r3, %r3;", &[(a, b)]),
        [0x4100_3E00]
    );
    assert_eq!(
        words("neg.bf16x2 %r4, %r2;", &[(0x3F80_BF80, 0)]),
        [0xBF80_3F80]
    );
    assert_eq!(
        words("mul.bf16x2 %r4, %r2, %r3;", &[(0x4000_3F80, 0x4040_4040)]),
        [0x40C0_4040]
    );
    assert_eq!(
        words("max.f16x2 %r4, %r2, %r3;", &[(0x7E00_3C00, 0x3C00_7E00)]),
        [0x3C00_3C00]
    );
}

#[test]
fn signs_are_copied_from_the_first_operand() {
    assert_eq!(
        singles("copysign.f32 %f3, %f1, %f2;", &[(-0.0, 3.0), (1.0, -3.0)]),
        [-3.0, 3.0]
    );
}
