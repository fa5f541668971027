//! Blocks that see what other blocks do.

use super::bench::{Bench, text};

#[test]
fn atomics_of_all_blocks_add_up() {
    let bench = Bench::new();
    let b = bench.upload(&[0, u64::MAX, 0, 1f64.to_bits()]);
    let body = "ld.param.u64 %d1, [b];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n\
                mad.lo.u32 %r4, %r2, %r3, %r1;\ncvt.u64.u32 %d2, %r4;\natom.global.add.u64 %d3, [%d1], %d2;\n\
                red.global.min.u64 [%d1+8], %d2;\natom.acq_rel.gpu.global.inc.u32 %r5, [%d1+16], 99;\n\
                red.relaxed.gpu.global.add.f64 [%d1+24], 0.5;\nret;";
    bench
        .launch(&text("", body), 100, 64, 1, 0, (0, b, 0))
        .unwrap();
    let all = bench.download(b);
    assert_eq!(all[..3], [6400 * 6399 / 2, 0, 0]);
    assert_eq!(f64::from_bits(all[3]), 3201.0);
}

/// Every block waits for the one before: a scan in one pass.
#[test]
fn blocks_wait_for_the_blocks_before() {
    let bench = Bench::new();
    let blocks = 500;
    let a = bench.upload(&vec![0; blocks + 1]);
    let b = bench.upload(&[0]);
    let body = "ld.param.u64 %d1, [a];\nld.param.u64 %d2, [b];\nmov.u32 %r1, %tid.x;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra OUT;\n\
                atom.global.add.u32 %r2, [%d2], 1;\nmul.wide.u32 %d3, %r2, 8;\nadd.s64 %d3, %d1, %d3;\n\
                setp.eq.u32 %p2, %r2, 0;\nmov.u64 %d4, 0;\n@%p2 bra READY;\nSPIN:\nld.relaxed.gpu.global.u64 %d4, [%d3];\n\
                setp.eq.u64 %p3, %d4, 0;\n@%p3 bra SPIN;\nREADY:\ncvt.u64.u32 %d5, %r2;\nadd.u64 %d4, %d4, %d5;\n\
                add.u64 %d4, %d4, 1;\nmembar.gl;\nst.relaxed.gpu.global.u64 [%d3+8], %d4;\nOUT:\nret;";
    bench
        .launch(&text("", body), blocks as u32, 64, 1, 0, (a, b, 0))
        .unwrap();
    let mut sum = 0;
    for (index, value) in bench.download(a).into_iter().skip(1).enumerate() {
        sum += index as u64 + 1;
        assert_eq!(value, sum);
    }
}

/// The first block waits for all later ones, more of which exist than host threads.
#[test]
fn a_block_may_wait_for_later_blocks_that_the_card_holds() {
    let bench = Bench::new();
    let b = bench.upload(&[0, 0]);
    let body = "ld.param.u64 %d1, [b];\nmov.u32 %r1, %ctaid.x;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra WAIT;\n\
                red.release.gpu.global.add.u32 [%d1], 1;\nret;\nWAIT:\nld.acquire.gpu.global.u32 %r2, [%d1];\n\
                setp.ne.u32 %p2, %r2, 40;\n@%p2 bra WAIT;\nmov.u64 %d2, 1;\nst.global.u64 [%d1+8], %d2;\nret;";
    bench
        .launch(&text("", body), 41, 1, 1, 0, (0, b, 0))
        .unwrap();
    assert_eq!(bench.download(b), [40, 1]);
}

#[test]
fn the_last_block_finds_what_the_others_wrote() {
    let bench = Bench::new();
    let a = bench.upload(&[0; 64]);
    let b = bench.upload(&[0, 0]);
    let body = "ld.param.u64 %d1, [a];\nld.param.u64 %d2, [b];\nmov.u32 %r1, %ctaid.x;\nmul.wide.u32 %d3, %r1, 8;\n\
                add.s64 %d3, %d1, %d3;\ncvt.u64.u32 %d4, %r1;\nst.global.u64 [%d3], %d4;\nmembar.gl;\n\
                atom.global.inc.u32 %r2, [%d2], 63;\nsetp.ne.u32 %p1, %r2, 63;\n@%p1 ret;\nmembar.gl;\nmov.u64 %d5, 0;\n\
                mov.u32 %r3, 0;\nSUM:\nld.global.cg.u64 %d6, [%d1];\nadd.u64 %d5, %d5, %d6;\nadd.s64 %d1, %d1, 8;\n\
                add.u32 %r3, %r3, 1;\nsetp.lt.u32 %p2, %r3, 64;\n@%p2 bra SUM;\nst.global.u64 [%d2+8], %d5;\nret;";
    bench
        .launch(&text("", body), 64, 1, 1, 0, (a, b, 0))
        .unwrap();
    assert_eq!(bench.download(b), [0, 2016]);
}

#[test]
fn special_registers_tell_the_place() {
    let bench = Bench::new();
    let b = bench.upload(&[0; 6]);
    let body = "ld.param.u64 %d1, [b];\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %nctaid.x;\nmov.u32 %r3, %laneid;\n\
                mov.u32 %r4, %warpid;\nmov.u32 %r5, %tid.x;\nsetp.ne.u32 %p1, %r5, 37;\nsetp.ne.or.u32 %p1, %r1, 2, %p1;\n\
                @%p1 ret;\nmov.b64 %d2, {%r1, %r2};\nst.global.u64 [%d1], %d2;\nmov.b64 %d2, {%r3, %r4};\n\
                st.global.u64 [%d1+8], %d2;\nmov.u32 %r6, %lanemask_lt;\nmov.u32 %r7, %ntid.y;\nmov.b64 %d2, {%r6, %r7};\n\
                st.global.u64 [%d1+16], %d2;\nmov.u64 %d3, %clock64;\nmov.u64 %d4, %globaltimer;\nret;";
    bench
        .launch(&text("", body), 3, 64, 1, 0, (0, b, 0))
        .unwrap();
    assert_eq!(
        bench.download(b)[..3],
        [2 | 3 << 32, 5 | 1 << 32, 31 | 1 << 32]
    );
}
