//! What goes wrong is found and named.

use super::bench::{Bench, text, threads};
use crate::{Fault, Trouble};

fn fault(variables: &str, body: &str, inputs: &[u64]) -> Fault {
    threads(variables, body, inputs).unwrap_err()
}

#[test]
fn an_access_past_the_end_is_found() {
    let found = fault(
        "",
        "ld.global.u32 %r2, [%d10+8];\ncvt.u64.u32 %d2, %r2;",
        &[0; 40],
    );
    assert_eq!(found.thread, [39, 0, 0]);
    assert!(
        found.text.contains("ld.global.u32 %r2, [%d10+8];"),
        "{found}"
    );
    assert!(
        matches!(
            found.trouble,
            Trouble::OutOfBounds {
                space: "global",
                bytes: 4,
                ..
            }
        ),
        "{found}"
    );
    let found = fault(
        ".shared .align 4 .b8 room[16];",
        "mov.u32 %r2, room;\nst.shared.u32 [%r2+16], %r1;",
        &[0],
    );
    assert!(
        matches!(
            found.trouble,
            Trouble::OutOfBounds {
                space: "shared",
                ..
            }
        ),
        "{found}"
    );
    let found = fault(
        "",
        ".local .b8 t[16];\nmov.u64 %d3, t;\nst.local.u64 [%d3+16], %d1;",
        &[0],
    );
    assert!(
        matches!(found.trouble, Trouble::OutOfBounds { space: "local", .. }),
        "{found}"
    );
}

#[test]
fn what_the_guard_holds_back_may_go_anywhere() {
    let body = "setp.lt.u32 %p1, %r1, 3;\nmov.u64 %d2, 5;\nmov.u64 %d3, 12;\nselp.b64 %d3, %d10, %d3, %p1;\n\
                @%p1 ld.global.u64 %d2, [%d3];";
    assert_eq!(threads("", body, &[1, 2, 3, 4]).unwrap(), [1, 2, 3, 5]);
}

#[test]
fn a_misaligned_access_is_found() {
    let found = fault("", "ld.global.u64 %d2, [%d10+4];", &[0; 2]);
    assert!(
        matches!(found.trouble, Trouble::Misaligned { align: 8, .. }),
        "{found}"
    );
}

#[test]
fn a_trap_ends_the_launch() {
    let found = fault("", "setp.eq.u64 %p1, %d1, 7;\n@%p1 trap;", &[5, 7]);
    assert_eq!((found.thread, found.trouble), ([1, 0, 0], Trouble::Trap));
}

#[test]
fn a_barrier_that_never_completes_is_found() {
    let found = fault(
        "",
        "setp.lt.u32 %p1, %r1, 32;\n@%p1 bra DONE;\nbar.sync 1, 96;",
        &[0; 64],
    );
    assert!(matches!(found.trouble, Trouble::Deadlock(_)), "{found}");
    assert!(found.text.contains("bar.sync 1, 96;"), "{found}");
}

#[test]
fn lanes_that_never_meet_are_found() {
    let body = "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra OTHER;\nbar.warp.sync 0xfffffffe;\nshfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;\n\
                bra DONE;\nOTHER:\nredux.sync.add.u32 %r3, %r1, -1;";
    let found = fault("", body, &[0; 32]);
    assert!(matches!(found.trouble, Trouble::Deadlock(_)), "{found}");
}

#[test]
fn blocks_that_wait_for_nobody_are_found() {
    let bench = Bench::new();
    let b = bench.upload(&[0]);
    let body = "ld.param.u64 %d1, [b];\nSPIN:\nld.volatile.global.u32 %r1, [%d1];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra SPIN;\nret;";
    let found = bench
        .launch(&text("", body), 5, 32, 1, 0, (0, b, 0))
        .unwrap_err();
    assert!(matches!(found.trouble, Trouble::Deadlock(_)), "{found}");
}

#[test]
fn unknown_instructions_are_named() {
    let found = fault("", "frobnicate.b32 %r2, %r3;", &[0]);
    assert!(
        matches!(&found.trouble, Trouble::Unsupported(what) if what.contains("frobnicate.b32")),
        "{found}"
    );
    assert!(found.line > 0);
}

#[test]
fn launches_that_no_card_starts_are_refused() {
    let bench = Bench::new();
    for (grid, block, cluster, shared) in [
        (1, 2000, 1, 0),
        (0, 1, 1, 0),
        (3, 1, 2, 0),
        (1, 1, 1, 300_000),
    ] {
        let found = bench
            .launch(&text("", "ret;"), grid, block, cluster, shared, (0, 0, 0))
            .unwrap_err();
        assert!(matches!(found.trouble, Trouble::Launch(_)), "{found}");
    }
}

fn checked(variables: &str, body: &str, threads: u32, init: bool, race: bool) -> Result<(), Fault> {
    let mut bench = Bench::new();
    bench.card.checks = crate::Checks {
        init,
        race,
        ..crate::Checks::default()
    };
    let room = bench.memory.allocate(256);
    bench.launch(&text(variables, body), 1, threads, 1, 0, (room, 0, 0))
}

#[test]
fn loads_of_what_nothing_wrote_are_found() {
    let load = "ld.param.u64 %d1, [a];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %d2, %r1, 4;\nadd.s64 %d2, %d1, %d2;\n\
                setp.lt.u32 %p1, %r1, 30;\n@%p1 st.global.u32 [%d2], %r1;\nld.global.u32 %r2, [%d2];\n\
                st.global.u32 [%d2+128], %r2;\nret;";
    let found = checked("", load, 32, true, false).unwrap_err();
    assert_eq!(found.thread, [30, 0, 0]);
    assert!(
        matches!(
            found.trouble,
            Trouble::Uninitialised {
                space: "global",
                bytes: 4,
                ..
            }
        ),
        "{found}"
    );
    checked("", load, 32, false, true).unwrap();
    checked("", load, 30, true, true).unwrap();
    let load = "mov.u32 %r1, 1;\nst.shared.u16 [room], 5;\nld.shared.u32 %r2, [room];\nst.shared.u32 [room+4], %r2;\nret;";
    let found = checked(".shared .align 4 .b8 room[16];", load, 1, true, false).unwrap_err();
    assert!(
        matches!(
            found.trouble,
            Trouble::Uninitialised {
                space: "shared",
                ..
            }
        ),
        "{found}"
    );
}

const PASS: &str = "mov.u32 %r1, %tid.x;\nmov.u32 %r2, room;\nshl.b32 %r3, %r1, 2;\nadd.u32 %r3, %r2, %r3;\n\
                    st.shared.u32 [%r3], %r1;\nSYNC\nxor.b32 %r4, %r1, LANE;\nshl.b32 %r4, %r4, 2;\nadd.u32 %r4, %r4, %r2;\n\
                    ld.shared.u32 %r5, [%r4];\nst.shared.u32 [%r3+512], %r5;\nret;";

#[test]
fn races_on_shared_memory_are_found() {
    let run = |sync: &str, lane: &str| {
        let body = PASS.replace("SYNC", sync).replace("LANE", lane);
        checked(".shared .align 4 .b8 room[1024];", &body, 64, true, true)
    };
    run("bar.sync 0;", "33").unwrap();
    // Within a warp a barrier of the warp will do, between warps it will not.
    run("bar.warp.sync -1;", "1").unwrap();
    run("bar.warp.sync -1;", "0").unwrap();
    let found = run("", "1").unwrap_err();
    assert!(matches!(found.trouble, Trouble::Race { .. }), "{found}");
    let body = PASS
        .replace("SYNC", "bar.sync 0;")
        .replace("LANE", "33")
        .replace("+512", "");
    let found = checked(".shared .align 4 .b8 room[1024];", &body, 64, true, true).unwrap_err();
    assert!(matches!(found.trouble, Trouble::Race { .. }), "{found}");
}

#[test]
fn atomics_do_not_race_with_each_other() {
    let body = "mov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 0;\nmov.u32 %r2, 0;\n@%p1 st.shared.u32 [room], %r2;\nbar.sync 0;\n\
                atom.shared.add.u32 %r3, [room], 1;\nSYNC\nld.shared.u32 %r4, [room];\nret;";
    let variables = ".shared .align 4 .b8 room[16];";
    checked(
        variables,
        &body.replace("SYNC", "bar.sync 0;"),
        64,
        true,
        true,
    )
    .unwrap();
    let found = checked(variables, &body.replace("SYNC", ""), 64, true, true).unwrap_err();
    assert!(matches!(found.trouble, Trouble::Race { .. }), "{found}");
}

#[test]
fn strong_accesses_do_not_race_with_each_other() {
    // All threads read; the last one writes, and its warp reads again; then all read what an atomic operation of it changes.
    let run = |before: &str, store: &str, after: &str| {
        let body = format!(
            "mov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 63;\n@%p1 st.shared.u64 [room], 0;\nbar.sync 0;\n\
             {before} %r2, [room];\n@%p1 {store} [room], %r1;\n{after} %r3, [room];\n\
             @%p1 atom.shared.add.u32 %r4, [room], 1;\n{after} %r5, [room];\nret;"
        );
        checked(".shared .align 8 .b8 room[16];", &body, 64, true, true)
    };
    let (load, store) = ("ld.relaxed.gpu.shared.u32", "st.relaxed.gpu.shared.u32");
    run(load, store, load).unwrap();
    run(
        "ld.volatile.shared.u32",
        "st.release.cta.shared.u32",
        "ld.acquire.cta.shared.u32",
    )
    .unwrap();
    run(load, "st.volatile.shared.u32", load).unwrap();
    let weak = "ld.shared.u32";
    for (before, store, after) in [
        (weak, store, load),
        // A strong read of the same byte does not hide the weak one.
        (
            "ld.shared.u32 %r2, [room];\nld.relaxed.cta.shared.u32",
            store,
            load,
        ),
        (load, "st.shared.u32", load),
        (load, store, weak),
    ] {
        let found = run(before, store, after).unwrap_err();
        assert!(matches!(found.trouble, Trouble::Race { .. }), "{found}");
    }
    // A strong store writes what it says, and no more.
    let body = "mov.u32 %r1, 1;\nst.relaxed.cta.shared.u32 [room], %r1;\nld.relaxed.cta.shared.u32 %r2, [room];\n\
                ld.relaxed.cta.shared.u32 %r2, [room+4];\nret;";
    let found = checked(".shared .align 8 .b8 room[16];", body, 1, true, true).unwrap_err();
    assert!(found.text.contains("[room+4]"), "{found}");
    assert!(
        matches!(found.trouble, Trouble::Uninitialised { .. }),
        "{found}"
    );
}
