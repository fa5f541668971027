//! Integers: what instructions give, at the borders above all.

use super::bench::{each, words};

#[test]
fn shifts_by_the_width_and_more_clear_or_fill() {
    let inputs = [
        (0x8000_0001, 31),
        (0x8000_0001, 32),
        (0x8000_0001, 400),
        (7, 0),
    ];
    assert_eq!(
        words("shl.b32 %r4, %r2, %r3;", &inputs),
        [0x8000_0000, 0, 0, 7]
    );
    assert_eq!(words("shr.u32 %r4, %r2, %r3;", &inputs), [1, 0, 0, 7]);
    assert_eq!(
        words("shr.s32 %r4, %r2, %r3;", &inputs),
        [u32::MAX, u32::MAX, u32::MAX, 7]
    );
    assert_eq!(
        words("shf.l.wrap.b32 %r4, %r2, %r2, %r3;", &inputs)[..2],
        [0xC000_0000, 0x8000_0001]
    );
    assert_eq!(
        words("shf.r.clamp.b32 %r4, 0, %r2, %r3;", &inputs)[..2],
        [2, 0x8000_0001]
    );
}

#[test]
fn division_by_zero_gives_ones() {
    assert_eq!(
        words("div.u32 %r4, %r2, %r3;", &[(7, 2), (7, 0)]),
        [3, u32::MAX]
    );
    assert_eq!(
        words(
            "div.s32 %r4, %r2, %r3;",
            &[(-7i32 as u32, 2), (1 << 31, u32::MAX)]
        ),
        [-3i32 as u32, 1 << 31]
    );
    assert_eq!(
        words("rem.s32 %r4, %r2, %r3;", &[(-7i32 as u32, 2)]),
        [-1i32 as u32]
    );
}

#[test]
fn products_have_upper_and_lower_halves() {
    assert_eq!(
        words("mul.hi.u32 %r4, %r2, %r3;", &[(u32::MAX, u32::MAX)]),
        [u32::MAX - 1]
    );
    assert_eq!(
        words("mul.hi.s32 %r4, %r2, %r3;", &[(u32::MAX, u32::MAX)]),
        [0]
    );
    assert_eq!(words("mad.lo.s32 %r4, %r2, %r3, -1;", &[(6, 7)]), [41]);
    assert_eq!(
        each("mul.hi.u64 %d2, %d1, %d1;", &[u64::MAX]),
        [u64::MAX - 1]
    );
    assert_eq!(each("mul.wide.s32 %d2, -2, 3;", &[0]), [-6i64 as u64]);
}

#[test]
fn carries_run_through_chains() {
    let body = "mov.b64 {%r2, %r3}, %d1;\nadd.cc.u32 %r4, %r2, 1;\naddc.u32 %r5, %r3, 0;\nmov.b64 %d2, {%r4, %r5};";
    assert_eq!(
        each(body, &[0xFFFF_FFFF, u64::MAX, 5]),
        [0x1_0000_0000, 0, 6]
    );
    let body = "mov.b64 {%r2, %r3}, %d1;\nsub.cc.u32 %r4, %r2, 1;\nsubc.u32 %r5, %r3, 0;\nmov.b64 %d2, {%r4, %r5};";
    assert_eq!(
        each(body, &[0x1_0000_0000, 0, 6]),
        [0xFFFF_FFFF, u64::MAX, 5]
    );
    let body = "mov.b64 {%r2, %r3}, %d1;\nmul.lo.u32 %r4, %r2, %r3;\nmad.lo.cc.u32 %r5, %r2, %r3, %r4;\n\
                madc.hi.u32 %r6, %r2, %r3, 0;\nmov.b64 %d2, {%r5, %r6};";
    assert_eq!(
        each(body, &[0xFFFF_FFFF_FFFF_FFFF]),
        [0xFFFF_FFFF * 0xFFFF_FFFF + 1]
    );
}

#[test]
fn bits_are_found_counted_and_moved() {
    assert_eq!(words("clz.b32 %r4, %r2;", &[(0, 0), (1, 0)]), [32, 31]);
    assert_eq!(words("popc.b32 %r4, %r2;", &[(0xF0F0, 0)]), [8]);
    assert_eq!(words("brev.b32 %r4, %r2;", &[(1, 0)]), [1 << 31]);
    assert_eq!(
        words("bfind.u32 %r4, %r2;", &[(0, 0), (0x100, 0)]),
        [u32::MAX, 8]
    );
    assert_eq!(
        words("bfind.s32 %r4, %r2;", &[(u32::MAX, 0), (-256i32 as u32, 0)]),
        [u32::MAX, 7]
    );
    assert_eq!(
        words("bfind.shiftamt.u32 %r4, %r2;", &[(0x100, 0), (0, 0)]),
        [23, u32::MAX]
    );
    assert_eq!(words("bfe.u32 %r4, %r2, 4, 8;", &[(0xABCD, 0)]), [0xBC]);
    assert_eq!(
        words("bfe.s32 %r4, %r2, 4, 8;", &[(0xABCD, 0)]),
        [0xFFFF_FFBC]
    );
    assert_eq!(
        words("bfe.s32 %r4, %r2, 28, 8;", &[(0x9000_0000, 0)]),
        [0xFFFF_FFF9]
    );
    assert_eq!(
        words("bfi.b32 %r4, %r2, %r3, 8, 4;", &[(0xA, 0xFFFF_FFFF)]),
        [0xFFFF_FAFF]
    );
    assert_eq!(
        words(
            "prmt.b32 %r4, %r2, %r3, 0x7410;",
            &[(0x3322_1100, 0x7766_5544)]
        ),
        [0x7744_1100]
    );
    assert_eq!(
        words("prmt.b32 %r4, %r2, %r3, 0x9;", &[(0x8000, 0)]),
        [0xFF]
    );
    assert_eq!(
        words("lop3.b32 %r4, %r2, %r3, 0xFF, 0x96;", &[(0xF0, 0xCC)]),
        [0xF0 ^ 0xCC ^ 0xFF]
    );
    assert_eq!(words("fns.b32 %r4, %r2, 0, 2;", &[(0b1010, 0)]), [3]);
    assert_eq!(
        words("szext.wrap.s32 %r4, %r2, 4;", &[(0x8, 0)]),
        [0xFFFF_FFF8]
    );
}

#[test]
fn bytes_are_multiplied_and_summed() {
    assert_eq!(
        words(
            "dp4a.s32.s32 %r4, %r2, %r3, 10;",
            &[(0xFF02_0101, 0x0103_0201)]
        ),
        [10 + 1 + 2 + 6 - 1]
    );
    assert_eq!(
        words(
            "dp4a.u32.u32 %r4, %r2, %r3, 0;",
            &[(0xFF00_0000, 0x0200_0000)]
        ),
        [510]
    );
}

#[test]
fn narrow_values_live_in_wider_registers() {
    assert_eq!(
        words(
            "cvt.u16.u32 %h1, %r2;\ncvt.s16.s8 %h2, %h1;\ncvt.s32.s16 %r4, %h2;",
            &[(0x80, 0)]
        ),
        [-128i32 as u32]
    );
    assert_eq!(
        words(
            "mov.b32 {%h1, %h2}, %r2;\nmov.b32 %r4, {%h2, %h1};",
            &[(0x1234_5678, 0)]
        ),
        [0x5678_1234]
    );
    assert_eq!(
        words("cvt.sat.u8.s32 %r4, %r2;", &[(300, 0), (-5i32 as u32, 0)]),
        [255, 0]
    );
}

#[test]
fn comparisons_combine_with_predicates() {
    let body = "setp.lt.u32 %p1, %r2, %r3;\nsetp.gt.and.s32 %p2|%p3, %r2, 0, %p1;\nselp.b32 %r4, 1, 0, %p2;\n\
                @%p3 add.u32 %r4, %r4, 2;\n@!%p1 add.u32 %r4, %r4, 4;";
    assert_eq!(
        words(body, &[(1, 2), (5, 2), (0, 2), (u32::MAX, 2)]),
        [1, 4, 2, 4]
    );
    assert_eq!(
        words("set.lt.u32.s32 %r4, %r2, %r3;", &[(u32::MAX, 0), (0, 0)]),
        [u32::MAX, 0]
    );
}
