//! Lanes that go different ways, and what they do together.

use super::bench::{each, threads};

fn numbers(count: u64) -> Vec<u64> {
    (0..count).collect()
}

#[test]
fn lanes_leave_a_loop_when_they_are_done() {
    let body = "mov.u64 %d2, 0;\nmov.u64 %d3, 0;\nLOOP:\nsetp.ge.u64 %p1, %d3, %d1;\n@%p1 bra DONE;\n\
                add.u64 %d2, %d2, %d3;\nadd.u64 %d3, %d3, 1;\nbra LOOP;";
    let expected: Vec<u64> = (0..50).map(|n: u64| n * n.saturating_sub(1) / 2).collect();
    assert_eq!(each(body, &numbers(50)), expected);
}

#[test]
fn branches_nest() {
    let body = "and.b64 %d3, %d1, 1;\nsetp.eq.u64 %p1, %d3, 0;\nand.b64 %d4, %d1, 2;\nsetp.eq.u64 %p2, %d4, 0;\n\
                @%p1 bra EVEN;\n@%p2 bra ODD1;\nmov.u64 %d2, 3;\nbra JOIN;\nODD1:\nmov.u64 %d2, 1;\nbra JOIN;\n\
                EVEN:\n@%p2 bra EVEN0;\nmov.u64 %d2, 2;\nbra JOIN;\nEVEN0:\nmov.u64 %d2, 0;\nJOIN:\nadd.u64 %d2, %d2, 10;";
    let expected: Vec<u64> = (0..40).map(|n| n % 4 + 10).collect();
    assert_eq!(each(body, &numbers(40)), expected);
}

#[test]
fn tables_of_labels_are_followed() {
    let body = "cvt.u32.u64 %r2, %d1;\nand.b32 %r2, %r2, 1;\nTABLE: .branchtargets ZERO, ONE;\n\
                brx.idx %r2, TABLE;\nZERO:\nmov.u64 %d2, 7;\nbra DONE;\nONE:\nmov.u64 %d2, 9;";
    assert_eq!(each(body, &[0, 1, 2, 3]), [7, 9, 7, 9]);
}

#[test]
fn shuffles_move_values_between_lanes() {
    let shuffle = |name: &str, distance: u32, clamp: u32| {
        let body = format!(
            "cvt.u32.u64 %r2, %d1;\nshfl.sync.{name}.b32 %r3|%p1, %r2, {distance}, {clamp}, -1;\n\
             selp.b32 %r4, 0, 1000, %p1;\nadd.u32 %r3, %r3, %r4;\ncvt.u64.u32 %d2, %r3;"
        );
        each(&body, &numbers(32))
    };
    let expect = |f: fn(u64) -> u64| (0..32).map(f).collect::<Vec<_>>();
    assert_eq!(shuffle("bfly", 1, 31), expect(|n| n ^ 1));
    assert_eq!(
        shuffle("up", 1, 0),
        expect(|n| if n == 0 { 1000 } else { n - 1 })
    );
    assert_eq!(
        shuffle("down", 2, 31),
        expect(|n| if n > 29 { n + 1000 } else { n + 2 })
    );
    assert_eq!(shuffle("idx", 5, 31), expect(|_| 5));
    // Segments of eight lanes: the upper bits of the clamp are what lanes of a segment share.
    assert_eq!(shuffle("idx", 1, 0x181F), expect(|n| n / 8 * 8 + 1));
    assert_eq!(
        shuffle("up", 1, 0x1800),
        expect(|n| if n % 8 == 0 { n + 1000 } else { n - 1 })
    );
}

#[test]
fn lanes_wait_for_the_others_of_their_mask() {
    // Odd lanes come to the shuffle by another way than even ones.
    let body = "cvt.u32.u64 %r2, %d1;\nand.b32 %r3, %r2, 1;\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra MEET;\n\
                add.u32 %r2, %r2, 100;\nMEET:\nshfl.sync.bfly.b32 %r4, %r2, 1, 31, 0xffffffff;\ncvt.u64.u32 %d2, %r4;";
    let expected: Vec<u64> = (0..32)
        .map(|n| if n % 2 == 0 { n + 101 } else { n - 1 })
        .collect();
    assert_eq!(each(body, &numbers(32)), expected);
}

#[test]
fn halves_of_a_warp_vote_by_themselves() {
    let body = "cvt.u32.u64 %r2, %d1;\nsetp.lt.u32 %p1, %r2, 16;\nselp.b32 %r3, 0xffff, 0xffff0000, %p1;\n\
                and.b32 %r4, %r2, 1;\nsetp.ne.u32 %p2, %r4, 0;\nvote.sync.ballot.b32 %r5, %p2, %r3;\ncvt.u64.u32 %d2, %r5;";
    let votes = each(body, &numbers(32));
    assert_eq!((votes[0], votes[31]), (0xAAAA, 0xAAAA_0000));
}

#[test]
fn votes_matches_and_reductions_see_all_lanes() {
    let body = "cvt.u32.u64 %r2, %d1;\nredux.sync.add.u32 %r3, %r2, -1;\nand.b32 %r4, %r2, 3;\n\
                match.any.sync.b32 %r5, %r4, -1;\nsetp.lt.u32 %p1, %r2, 40;\nvote.sync.all.pred %p2, %p1, -1;\n\
                selp.b32 %r6, 1, 0, %p2;\nelect.sync %r7|%p3, -1;\n@%p3 add.u32 %r6, %r6, 2;\n\
                shl.b32 %r6, %r6, 16;\nadd.u32 %r3, %r3, %r6;\nmov.b64 %d2, {%r3, %r5};";
    let all = each(body, &numbers(32));
    assert_eq!(all[0], ((3 << 16) + 496) | 0x1111_1111 << 32);
    assert_eq!(all[2], ((1 << 16) + 496) | 0x4444_4444 << 32);
}

#[test]
fn a_lane_that_ended_is_not_waited_for() {
    let body = "mov.u64 %d2, %d1;\nsetp.lt.u64 %p1, %d1, 4;\n@%p1 bra DONE;\ncvt.u32.u64 %r2, %d1;\n\
                bar.warp.sync 0xffffffff;\nredux.sync.max.u32 %r3, %r2, 0xfffffff0;\ncvt.u64.u32 %d2, %r3;";
    let all = each(body, &numbers(32));
    assert_eq!((all[3], all[4], all[31]), (3, 31, 31));
}

#[test]
fn lanes_that_wait_for_a_lock_do_not_starve_its_holder() {
    let variables = ".shared .align 4 .u32 lock;\n.shared .align 8 .u64 total;";
    let body = "setp.eq.u32 %p1, %r1, 0;\nmov.u64 %d3, 0;\nmov.u32 %r9, 0;\n@%p1 st.shared.u32 [lock], %r9;\n\
                @%p1 st.shared.u64 [total], %d3;\nbar.sync 0;\nTRY:\natom.shared.cas.b32 %r2, [lock], 0, 1;\n\
                setp.ne.u32 %p2, %r2, 0;\n@%p2 bra TRY;\nld.shared.u64 %d4, [total];\nadd.u64 %d4, %d4, %d1;\n\
                st.shared.u64 [total], %d4;\natom.shared.exch.b32 %r3, [lock], 0;\nbar.sync 0;\nld.shared.u64 %d2, [total];";
    assert_eq!(
        threads(variables, body, &numbers(40)).unwrap(),
        vec![780; 40]
    );
}

#[test]
fn a_barrier_of_the_warp_may_be_at_two_places() {
    let body = "setp.lt.u32 %p1, %r1, 16;\nmov.u64 %d2, 1;\n@%p1 bra LOW;\nbar.warp.sync -1;\nmov.u64 %d2, 3;\nbra JOIN;\n\
                LOW:\nbar.warp.sync -1;\nmov.u64 %d2, 2;\nJOIN:\nadd.u64 %d2, %d2, 10;";
    let all = each(body, &numbers(32));
    assert_eq!((all[0], all[31]), (12, 13));
}
