//! Conversions: roundings and bounds.

use super::bench::{each, singles, words};

fn to_words(instruction: &str, inputs: &[f32]) -> Vec<u32> {
    let inputs: Vec<_> = inputs.iter().map(|value| (value.to_bits(), 0)).collect();
    words(&format!("mov.b32 %f1, %r2;\n{instruction}"), &inputs)
}

#[test]
fn floats_become_integers_within_bounds() {
    let inputs = [2.5, -2.5, 3.7, 1e20, -1e20, f32::NAN];
    let minus = |value: i32| value as u32;
    assert_eq!(
        to_words("cvt.rni.s32.f32 %r4, %f1;", &inputs),
        [2, minus(-2), 4, 0x7FFF_FFFF, 1 << 31, 0]
    );
    assert_eq!(
        to_words("cvt.rzi.s32.f32 %r4, %f1;", &inputs),
        [2, minus(-2), 3, 0x7FFF_FFFF, 1 << 31, 0]
    );
    assert_eq!(
        to_words("cvt.rmi.s32.f32 %r4, %f1;", &inputs),
        [2, minus(-3), 3, 0x7FFF_FFFF, 1 << 31, 0]
    );
    assert_eq!(
        to_words("cvt.rpi.u32.f32 %r4, %f1;", &inputs),
        [3, 0, 4, u32::MAX, 0, 0]
    );
    assert_eq!(
        to_words("cvt.rzi.u8.f32 %r4, %f1;", &[300.0, -1.0]),
        [255, 0]
    );
}

#[test]
fn integers_become_floats_in_every_direction() {
    let large = 0x0100_0001;
    let value = |name: &str| {
        words(
            &format!("cvt.{name}.f32.u32 %f3, %r2;\nmov.b32 %r4, %f3;"),
            &[(large, 0)],
        )[0]
    };
    assert_eq!(f32::from_bits(value("rn")), 16_777_216.0);
    assert_eq!(f32::from_bits(value("rp")), 16_777_218.0);
    assert_eq!(f32::from_bits(value("rz")), 16_777_216.0);
    let body = "cvt.rp.f64.u64 %e1, %d1;\nmov.b64 %d2, %e1;";
    assert_eq!(
        each(body, &[u64::MAX]),
        [18_446_744_073_709_551_616f64.to_bits()]
    );
    let body = "cvt.rz.f64.u64 %e1, %d1;\nmov.b64 %d2, %e1;";
    assert_eq!(
        each(body, &[u64::MAX]),
        [18_446_744_073_709_549_568f64.to_bits()]
    );
}

#[test]
fn doubles_become_singles_in_every_direction() {
    let value = 1.0 + 2f64.powi(-30);
    let to = |name: &str| {
        let body = format!(
            "mov.b64 %e1, %d1;\ncvt.{name}.f32.f64 %f1, %e1;\nmov.b32 %r2, %f1;\ncvt.u64.u32 %d2, %r2;"
        );
        f32::from_bits(each(&body, &[value.to_bits()])[0] as u32)
    };
    assert_eq!(
        [to("rn"), to("rz"), to("rm"), to("rp")],
        [1.0, 1.0, 1.0, 1.0f32.next_up()]
    );
}

#[test]
fn short_floats_round_to_even_and_overflow() {
    let half = |value| to_words("cvt.rn.f16.f32 %h1, %f1;\ncvt.u32.u16 %r4, %h1;", &[value])[0];
    assert_eq!(
        [half(1.0), half(65520.0), half(2049.0), half(5.960_464_5e-8)],
        [0x3C00, 0x7C00, 0x6800, 1]
    );
    assert_eq!(half(f32::NAN), 0x7FFF);
    let brain = |value| to_words("cvt.rn.bf16.f32 %h1, %f1;\ncvt.u32.u16 %r4, %h1;", &[value])[0];
    assert_eq!(
        [
            brain(1.0),
            brain(1.003_906_25),
            brain(f32::MAX),
            brain(f32::NAN)
        ],
        [0x3F80, 0x3F80, 0x7F80, 0x7FFF]
    );
    assert_eq!(
        to_words(
            "cvt.rz.f16.f32 %h1, %f1;\ncvt.u32.u16 %r4, %h1;",
            &[65535.0]
        ),
        [0x7BFF]
    );
    assert_eq!(
        to_words("cvt.rn.f16x2.f32 %r4, %f1, 2.0;", &[1.0]),
        [0x3C00_4000]
    );
    assert_eq!(
        to_words("cvt.rn.relu.bf16x2.f32 %r4, %f1, 2.0;", &[-1.0]),
        [0x4000]
    );
}

#[test]
fn floats_are_held_within_zero_and_one() {
    let inputs = [(2.0, 0.0), (-1.0, 0.0), (0.5, 0.0), (f32::NAN, 0.0)];
    assert_eq!(
        singles("cvt.sat.f32.f32 %f3, %f1;", &inputs),
        [1.0, 0.0, 0.5, 0.0]
    );
}

#[test]
fn signs_extend_into_wider_registers() {
    assert_eq!(
        each("cvt.s64.s8 %d2, %d1;", &[0x80, 0x7F]),
        [-128i64 as u64, 127]
    );
    assert_eq!(
        each(
            "cvt.u32.u64 %r2, %d1;\ncvt.s64.s32 %d2, %r2;",
            &[0x8000_0000]
        ),
        [0xFFFF_FFFF_8000_0000]
    );
}
