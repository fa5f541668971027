//! How fast the machine is. Says so when asked: `cargo test -p syntonic-simulator speed -- --ignored --nocapture`.

use std::time::Instant;

use super::bench::{Bench, text};
use crate::{Launch, Module, run_counted};

/// Seconds that this thread had a processor, where the system tells.
fn on_processor() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ')
        .next()
        .and_then(|first| first.parse::<f64>().ok())
        .unwrap_or(0.0)
        / 1e9
}

fn measure(name: &str, variables: &str, body: &str) {
    let bench = Bench::new();
    let values = vec![0; 1 << 16];
    let (a, b) = (bench.upload(&values), bench.upload(&values));
    let module = Module::parse(&text(variables, body), &bench.memory).unwrap();
    let entry = module.entry("k").unwrap();
    let mut params = Vec::new();
    params.extend_from_slice(&a.to_le_bytes());
    params.extend_from_slice(&b.to_le_bytes());
    params.extend_from_slice(&1000u32.to_le_bytes());
    for grid in [1, 64] {
        let launch = Launch {
            entry,
            grid: [grid, 1, 1],
            block: [256, 1, 1],
            cluster: [1; 3],
            shared: 0,
            params: &params,
        };
        let (start, before) = (Instant::now(), on_processor());
        let lanes = run_counted(&module, &launch, &bench.memory, &bench.card).unwrap();
        let seconds = start.elapsed().as_secs_f64();
        let busy = on_processor() - before;
        println!(
            "{name}, {grid} blocks: {:.2} G lane instructions/s, {:.1} us; this thread {:.1} us, {:.1} ns a warp's instruction",
            lanes as f64 / seconds / 1e9,
            seconds * 1e6,
            busy * 1e6,
            busy * 1e9 * 32.0 / lanes as f64,
        );
    }
}

const INDEX: &str = "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmad.lo.u32 %r1, %r2, 256, %r1;\nld.param.u64 %d1, [a];\n\
                     ld.param.u64 %d2, [b];\nld.param.u32 %r3, [n];\nmul.wide.u32 %d3, %r1, 8;\nadd.s64 %d1, %d1, %d3;\n\
                     add.s64 %d2, %d2, %d3;\nmov.u32 %r4, 0;\n";

#[test]
#[ignore = "measures"]
fn speed() {
    measure(
        "singles",
        "",
        &format!(
            "{INDEX}mov.f32 %f1, 0f3F800000;\nmov.f32 %f2, %f1;\nL:\nfma.rn.f32 %f1, %f1, 0f3F000000, %f2;\n\
         mul.rn.f32 %f2, %f1, 0f3F400000;\nfma.rn.f32 %f1, %f1, %f2, 0f3F000000;\nadd.rn.f32 %f2, %f2, %f1;\n\
         add.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, %r3;\n@%p1 bra L;\nst.global.f32 [%d2], %f1;\nret;"
        ),
    );
    measure(
        "words",
        "",
        &format!(
            "{INDEX}L:\nmad.lo.u32 %r5, %r4, %r1, %r5;\nxor.b32 %r5, %r5, %r1;\nshl.b32 %r6, %r5, 3;\nadd.u32 %r5, %r5, %r6;\n\
         add.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, %r3;\n@%p1 bra L;\nst.global.u32 [%d2], %r5;\nret;"
        ),
    );
    measure(
        "doubles",
        "",
        &format!(
            "{INDEX}mov.u64 %d5, 1;\nL:\nmul.lo.u64 %d5, %d5, %d3;\nmul.hi.u64 %d6, %d5, %d3;\nadd.u64 %d5, %d5, %d6;\nshr.u64 %d6, %d5, 7;\n\
         add.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, %r3;\n@%p1 bra L;\nst.global.u64 [%d2], %d5;\nret;"
        ),
    );
    measure(
        "loads and stores",
        "",
        &format!(
            "{INDEX}L:\nld.global.u32 %r5, [%d1];\nadd.u32 %r5, %r5, 1;\nst.global.u32 [%d2], %r5;\n\
         add.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, %r3;\n@%p1 bra L;\nret;"
        ),
    );
    measure(
        "shared memory and shuffles",
        ".shared .align 8 .b8 room[2048];",
        &format!(
            "{INDEX}mov.u32 %r7, %tid.x;\nshl.b32 %r7, %r7, 2;\nmov.u32 %r8, room;\nadd.u32 %r7, %r7, %r8;\nL:\nst.shared.u32 [%r7], %r4;\n\
         bar.sync 0;\nld.shared.u32 %r5, [%r7];\nshfl.sync.bfly.b32 %r6, %r5, 1, 31, -1;\nbar.sync 0;\n\
         add.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, %r3;\n@%p1 bra L;\nst.global.u32 [%d2], %r6;\nret;"
        ),
    );
    measure(
        "divergent branches",
        "",
        &format!(
            "{INDEX}L:\nand.b32 %r5, %r1, 1;\nsetp.eq.u32 %p2, %r5, 0;\n@%p2 bra E;\nadd.u32 %r6, %r6, 3;\nbra J;\nE:\nadd.u32 %r6, %r6, 1;\n\
         J:\nadd.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, %r3;\n@%p1 bra L;\nst.global.u32 [%d2], %r6;\nret;"
        ),
    );
    measure(
        "exponentials",
        "",
        &format!(
            "{INDEX}cvt.rn.f32.u32 %f1, %r1;\nmul.f32 %f1, %f1, 0f38000000;\nL:\nex2.approx.ftz.f32 %f2, %f1;\nadd.f32 %f1, %f1, 0f38000000;\n\
         add.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, %r3;\n@%p1 bra L;\nst.global.f32 [%d2], %f2;\nret;"
        ),
    );
}
