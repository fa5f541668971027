//! Shared memory, barriers, functions and the thread's own memory.

use super::bench::{Bench, each, text, threads};

fn numbers(count: u64) -> Vec<u64> {
    (0..count).collect()
}

#[test]
fn a_block_turns_its_values_around() {
    let variables = ".shared .align 8 .b8 room[1024];";
    let body = "mov.u32 %r2, room;\nshl.b32 %r3, %r1, 3;\nadd.u32 %r4, %r2, %r3;\nst.shared.u64 [%r4], %d1;\nbar.sync 0;\n\
                mov.u32 %r5, %ntid.x;\nsub.u32 %r5, %r5, %r1;\nshl.b32 %r5, %r5, 3;\nadd.u32 %r4, %r2, %r5;\n\
                ld.shared.u64 %d2, [%r4+-8];";
    assert_eq!(
        threads(variables, body, &numbers(100)).unwrap(),
        (0..100).rev().collect::<Vec<u64>>()
    );
}

#[test]
fn shared_memory_has_generic_addresses() {
    let variables = ".shared .align 8 .b8 room[512];";
    let body = "mov.u64 %d3, room;\ncvta.shared.u64 %d3, %d3;\nmul.wide.u32 %d4, %r1, 8;\nadd.s64 %d4, %d3, %d4;\n\
                st.u64 [%d4], %d1;\nbar.sync 0;\ncvta.to.shared.u64 %d5, %d4;\nld.shared.u64 %d2, [%d5];\n\
                isspacep.shared %p1, %d4;\n@!%p1 mov.u64 %d2, 0;";
    assert_eq!(threads(variables, body, &numbers(64)).unwrap(), numbers(64));
}

#[test]
fn dynamic_shared_memory_comes_after_static() {
    let bench = Bench::new();
    let b = bench.upload(&[0, 0, 0]);
    let body = "ld.param.u64 %d1, [b];\nmov.u32 %r1, %dynamic_smem_size;\nmov.u32 %r2, many;\nmov.u32 %r3, few;\n\
                sub.u32 %r2, %r2, %r3;\nst.shared.u32 [many+4], %r1;\nst.shared.u32 [few], %r2;\nld.shared.u32 %r4, [many+4];\n\
                st.global.u32 [%d1], %r4;\nld.shared.u32 %r5, [few];\nst.global.u32 [%d1+4], %r5;\nret;";
    let variables = ".extern .shared .align 16 .b8 many[];\n.shared .align 4 .b8 few[20];";
    bench
        .launch(&text(variables, body), 1, 1, 1, 64, (0, b, 0))
        .unwrap();
    assert_eq!(bench.download(b)[0], 64 | 32 << 32);
}

#[test]
fn named_barriers_count_threads_and_votes() {
    // The second warp produces, the first consumes.
    let variables = ".shared .align 8 .u64 value;";
    let body = "setp.lt.u32 %p1, %r1, 32;\n@%p1 bra CONSUME;\nmov.u64 %d3, 42;\nst.shared.u64 [value], %d3;\n\
                bar.arrive 3, 64;\nmov.u64 %d2, 1;\nbra JOIN;\nCONSUME:\nbar.sync 3, 64;\nld.shared.u64 %d2, [value];\nJOIN:\n\
                setp.gt.u64 %p2, %d1, 59;\nbar.red.popc.u32 %r5, 0, %p2;\ncvt.u64.u32 %d4, %r5;\nmul.lo.u64 %d4, %d4, 100;\n\
                add.u64 %d2, %d2, %d4;\nbar.red.or.pred %p3, 0, %p2;\n@!%p3 mov.u64 %d2, 0;";
    let all = threads(variables, body, &numbers(64)).unwrap();
    assert_eq!((all[0], all[31], all[32], all[63]), (442, 442, 401, 401));
}

#[test]
fn some_warps_of_a_block_meet_by_any_name_of_a_barrier() {
    // The first two warps meet, whose values a third one waits for; the fourth one goes by.
    let variables = ".shared .align 8 .b8 room[512];";
    for (sync, arrive) in [
        ("bar.sync", "bar.arrive"),
        ("barrier.sync", "barrier.arrive"),
        ("barrier.cta.sync", "barrier.cta.arrive"),
        ("barrier.cta.sync.aligned", "barrier.cta.arrive.aligned"),
        ("bar.cta.sync", "bar.cta.arrive"),
    ] {
        let body = format!(
            "mov.u64 %d2, 7;\nmov.u32 %r2, room;\nshl.b32 %r3, %r1, 3;\nadd.u32 %r3, %r3, %r2;\nsetp.ge.u32 %p1, %r1, 96;\n\
             @%p1 bra DONE;\nmov.u32 %r6, 15;\nsetp.ge.u32 %p2, %r1, 64;\n@%p2 bra LATE;\nst.shared.u64 [%r3], %d1;\n\
             {sync} %r6, 64;\nxor.b32 %r4, %r3, 256;\nld.shared.u64 %d2, [%r4];\n{arrive} 14, 96;\nbra DONE;\n\
             LATE:\n{sync} 14, 96;\nld.shared.u64 %d2, [%r3+-512];\nld.shared.u64 %d3, [%r3+-256];\nadd.u64 %d2, %d2, %d3;"
        );
        let found = threads(variables, &body, &numbers(128)).unwrap();
        let expected: Vec<u64> = (0..128)
            .map(|n| match n {
                0..64 => n ^ 32,
                64..96 => (n - 64) + (n - 32),
                _ => 7,
            })
            .collect();
        assert_eq!(found, expected, "{sync}");
    }
}

#[test]
fn threads_that_ended_are_not_waited_for() {
    let body = "mov.u64 %d2, 5;\nsetp.lt.u32 %p1, %r1, 40;\n@%p1 bra DONE;\nbar.sync 0;\nmov.u64 %d2, 6;\nbra DONE;";
    let all = each(body, &numbers(96));
    assert_eq!((all[39], all[40], all[95]), (5, 6, 6));
}

#[test]
fn functions_take_and_return_parameters() {
    let variables = ".func (.param .align 8 .b8 out[16]) twice(.param .align 8 .b8 in[16], .param .b32 more)\n{\n\
                     .reg .b64 %x<4>;\n.reg .b32 %y<2>;\n.reg .pred %q<2>;\nld.param.u64 %x0, [in+0];\n\
                     ld.param.u64 %x1, [in+8];\nld.param.u32 %y0, [more];\nsetp.eq.u32 %q0, %y0, 0;\n@%q0 bra SAME;\n\
                     st.param.b64 [out+0], %x1;\nst.param.b64 [out+8], %x0;\nret;\nSAME:\nst.param.b64 [out+0], %x0;\n\
                     st.param.b64 [out+8], %x1;\nret;\n}\n";
    let body = "and.b32 %r2, %r1, 1;\n{\n.param .align 8 .b8 p0[16];\n.param .b32 p1;\n.param .align 8 .b8 r0[16];\n\
                st.param.b64 [p0+0], %d1;\nst.param.b64 [p0+8], 1000;\nst.param.b32 [p1+0], %r2;\n\
                call.uni (r0), twice, (p0, p1);\nld.param.b64 %d2, [r0+0];\n}";
    assert_eq!(
        threads(variables, body, &numbers(4)).unwrap(),
        [0, 1000, 2, 1000]
    );
}

#[test]
fn a_functions_parameters_may_be_read_by_address() {
    let variables = ".func (.param .b32 out) nth(.param .align 4 .b8 in[16], .param .b32 n)\n{\n.reg .b64 %x<4>;\n\
                     .reg .b32 %y<3>;\nmov.b64 %x0, in;\nld.param.u32 %y0, [n];\nmul.wide.u32 %x1, %y0, 4;\n\
                     add.s64 %x0, %x0, %x1;\nld.param.u32 %y1, [%x0];\nst.param.b32 [out], %y1;\nret;\n}\n";
    let body = "{\n.param .align 4 .b8 p0[16];\n.param .b32 p1;\n.param .b32 r0;\nst.param.v4.b32 [p0], {10, 20, 30, 40};\n\
                st.param.b32 [p1], %r1;\ncall (r0), nth, (p0, p1);\nld.param.b32 %r5, [r0];\n}\ncvt.u64.u32 %d2, %r5;";
    assert_eq!(
        threads(variables, body, &numbers(4)).unwrap(),
        [10, 20, 30, 40]
    );
}

#[test]
fn every_thread_has_memory_of_its_own() {
    let body = ".local .align 8 .b8 depot[64];\nmov.u64 %d3, depot;\ncvta.local.u64 %d4, %d3;\nst.local.u64 [%d3+8], %d1;\n\
                st.u64 [%d4+16], %d1;\nld.u64 %d5, [%d4+8];\nld.local.u64 %d6, [%d3+16];\nadd.u64 %d2, %d5, %d6;";
    assert_eq!(
        each(body, &numbers(40)),
        (0..40).map(|n| 2 * n).collect::<Vec<u64>>()
    );
}

#[test]
fn variables_of_a_module_have_initial_values() {
    let variables = ".global .align 8 .b8 bytes[8] = {1, 2, 3};\n.const .align 4 .u32 word[2] = {7, 0xFFFFFFFF};";
    let body = "ld.global.u64 %d2, [bytes];\nld.const.u32 %r2, [word+4];\ncvt.u64.u32 %d3, %r2;\nadd.u64 %d2, %d2, %d3;";
    assert_eq!(
        threads(variables, body, &[0]).unwrap(),
        [0x0003_0201 + 0xFFFF_FFFF]
    );
}

#[test]
fn vectors_are_loaded_and_stored_at_once() {
    let body = "ld.global.v4.u16 {%h1, %h2, %h3, %h4}, [%d10];\nadd.u16 %h1, %h1, %h4;\nmov.b64 %d2, {%h1, %h2, %h3, %h4};";
    assert_eq!(
        each(body, &[0x0004_0003_0002_0001]),
        [0x0004_0003_0002_0005]
    );
}

#[test]
fn scopes_hide_names_and_labels() {
    let body = "mov.u64 %d2, 0;\n{\n.reg .b64 t;\nadd.u64 t, %d1, 1;\nbra SKIP;\nmov.u64 t, 0;\nSKIP:\nadd.u64 %d2, %d2, t;\n}\n\
                {\n.reg .b64 t;\nadd.u64 t, %d1, 2;\nbra SKIP;\nmov.u64 t, 0;\nSKIP:\nadd.u64 %d2, %d2, t;\n}";
    assert_eq!(each(body, &[10]), [23]);
}
