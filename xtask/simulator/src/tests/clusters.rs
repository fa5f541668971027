//! Clusters, barriers in shared memory and bulk copies.

use super::bench::{Bench, text, threads};

#[test]
fn blocks_of_a_cluster_read_each_others_shared_memory() {
    let bench = Bench::new();
    let b = bench.upload(&[0; 8]);
    let body = "ld.param.u64 %d1, [b];\nmov.u32 %r1, %cluster_ctarank;\nmov.u32 %r2, %cluster_nctarank;\n\
                mov.u32 %r3, %ctaid.x;\nmov.u32 %r4, room;\nadd.u32 %r5, %r3, 100;\nst.shared.u32 [%r4], %r5;\n\
                barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;\nadd.u32 %r6, %r1, 1;\n\
                rem.u32 %r6, %r6, %r2;\nmapa.shared::cluster.u32 %r7, %r4, %r6;\nld.shared::cluster.u32 %r8, [%r7];\n\
                st.shared::cluster.u32 [%r7+4], %r3;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\n\
                ld.shared.u32 %r9, [room+4];\nmul.wide.u32 %d2, %r3, 8;\nadd.s64 %d1, %d1, %d2;\nmov.b64 %d3, {%r8, %r9};\n\
                st.global.u64 [%d1], %d3;\nret;";
    bench
        .launch(
            &text(".shared .align 4 .b8 room[8];", body),
            8,
            33,
            4,
            0,
            (0, b, 0),
        )
        .unwrap();
    let expected: Vec<u64> = (0..8u64)
        .map(|block| {
            let (cluster, rank) = (block / 4 * 4, block % 4);
            (cluster + (rank + 1) % 4 + 100) | (cluster + (rank + 3) % 4) << 32
        })
        .collect();
    assert_eq!(bench.download(b), expected);
}

#[test]
fn a_bulk_copy_reports_to_a_barrier() {
    let variables = ".shared .align 128 .b8 room[512];\n.shared .align 8 .u64 full;";
    let body = "mov.u32 %r2, full;\nmov.u32 %r3, room;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra READY;\n\
                mbarrier.init.shared::cta.b64 [%r2], 1;\nfence.mbarrier_init.release.cluster;\nREADY:\nbar.sync 0;\n@%p1 bra WAIT;\n\
                ld.param.u64 %d20, [a];\nmbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 512;\n\
                cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3], [%d20], 256, [%r2];\n\
                cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3+256], [%d20+256], 256, [%r2];\n\
                WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 %p2, [%r2], 0;\n@!%p2 bra WAIT;\nshl.b32 %r4, %r1, 3;\n\
                add.u32 %r4, %r4, %r3;\nld.shared.u64 %d2, [%r4];\nadd.u64 %d2, %d2, 1;\nst.shared.u64 [%r4], %d2;\n\
                fence.proxy.async.shared::cta;\nbar.sync 0;\n@%p1 bra DONE;\nld.param.u64 %d21, [b];\n\
                cp.async.bulk.global.shared::cta.bulk_group [%d21], [%r3], 512;\ncp.async.bulk.commit_group;\n\
                cp.async.bulk.wait_group.read 0;\nmbarrier.inval.shared.b64 [%r2];\nbra DONE;";
    let inputs: Vec<u64> = (0..64).map(|n| n * n).collect();
    let all = threads(variables, body, &inputs).unwrap();
    assert_eq!(all, (0..64).map(|n| n * n + 1).collect::<Vec<u64>>());
}

#[test]
fn a_ring_of_barriers_passes_work_between_warps() {
    // Warp 1 fills a slot ten times, warp 0 empties it: each phase of one barrier follows one of the other.
    let variables = ".shared .align 8 .b8 bars[16];\n.shared .align 8 .u64 slot;";
    let body = "mov.u32 %r2, bars;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 mbarrier.init.shared.b64 [%r2], 32;\n\
                @%p1 mbarrier.init.shared.b64 [%r2+8], 32;\nbar.sync 0;\nmov.u32 %r3, 0;\nmov.u64 %d2, 0;\n\
                setp.ge.u32 %p2, %r1, 32;\n@%p2 bra FILL;\nTAKE:\nand.b32 %r4, %r3, 1;\n\
                W1: mbarrier.test_wait.parity.shared.b64 %p3, [%r2], %r4;\n@!%p3 bra W1;\nld.shared.u64 %d3, [slot];\n\
                add.u64 %d2, %d2, %d3;\nmbarrier.arrive.shared.b64 %d9, [%r2+8];\nadd.u32 %r3, %r3, 1;\n\
                setp.lt.u32 %p4, %r3, 10;\n@%p4 bra TAKE;\nbra DONE;\nFILL:\nsetp.eq.u32 %p5, %r3, 0;\n@%p5 bra PUT;\n\
                sub.u32 %r4, %r3, 1;\nand.b32 %r4, %r4, 1;\nW2: mbarrier.try_wait.parity.shared.b64 %p3, [%r2+8], %r4, 100;\n\
                @!%p3 bra W2;\nPUT:\ncvt.u64.u32 %d3, %r3;\nst.shared.u64 [slot], %d3;\nmbarrier.arrive.shared.b64 _, [%r2];\n\
                add.u32 %r3, %r3, 1;\nsetp.lt.u32 %p4, %r3, 10;\n@%p4 bra FILL;";
    let all = threads(variables, body, &vec![0; 64]).unwrap();
    assert_eq!((all[0], all[31], all[32]), (45, 45, 0));
}

#[test]
fn small_copies_fill_the_rest_with_zeros() {
    let variables = ".shared .align 16 .b8 room[16];";
    let body = "mov.u32 %r2, room;\ncp.async.ca.shared.global [%r2], [%d10], 8, 4;\ncp.async.commit_group;\n\
                cp.async.wait_group 0;\nld.shared.u64 %d2, [%r2];";
    assert_eq!(
        threads(variables, body, &[u64::MAX]).unwrap(),
        [0xFFFF_FFFF]
    );
}
