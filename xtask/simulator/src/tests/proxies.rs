//! Fences between what threads write and what is read asynchronously.

use super::bench::{Bench, text};
use super::pipelines::{operands, product_of, ring};
use super::wgmma::PLAIN;
use crate::{Checks, Fault, Trouble};

const PROXY: Checks = Checks {
    init: false,
    race: false,
    proxy: true,
};
const FENCE: &str = "fence.proxy.async.shared::cta;";

fn is_found(found: Result<(), Fault>) {
    let found = found.unwrap_err();
    assert!(matches!(found.trouble, Trouble::Proxy { .. }), "{found}");
}

#[test]
fn a_product_of_what_threads_wrote_needs_a_fence() {
    let text = PLAIN.text();
    PLAIN.run(&text, PROXY).unwrap();
    is_found(PLAIN.run(&text.replace("fence.proxy.async;", ""), PROXY));
    // One of another state space, and one before the writes, are of no use.
    let other = text.replace("fence.proxy.async;", "fence.proxy.async.global;");
    is_found(PLAIN.run(&other, PROXY));
    let early = text
        .replace("fence.proxy.async;", "")
        .replace("FILL:", "fence.proxy.async;\nFILL:");
    is_found(PLAIN.run(&early, PROXY));
}

#[test]
fn a_store_of_a_box_needs_a_fence() {
    let (a, b) = operands();
    let stage = format!("{FENCE}\nadd.u32 %r21");
    assert!(ring().contains(&stage));
    let without = ring().replace(&stage, "add.u32 %r21");
    is_found(product_of(&without, &a, &b, PROXY).map(|_| ()));
    // What copies themselves brought needs none, as the ring's products show.
    product_of(&ring(), &a, &b, PROXY).unwrap();
}

/// Two warps write; then one thread copies all of it out.
fn copied(before: &str, after: &str) -> Result<(), Fault> {
    let mut bench = Bench::new();
    bench.card.checks = PROXY;
    let out = bench.upload(&[0; 32]);
    let body = format!(
        "mov.u32 %r1, %tid.x;\nmov.u32 %r2, room;\nshl.b32 %r3, %r1, 2;\nadd.u32 %r3, %r3, %r2;\nst.shared.u32 [%r3], %r1;\n\
         {before}\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra END;\n{after}\nld.param.u64 %d1, [a];\n\
         cp.async.bulk.global.shared::cta.bulk_group [%d1], [%r2], 256;\ncp.async.bulk.commit_group;\n\
         cp.async.bulk.wait_group 0;\nEND:\nret;"
    );
    let variables = ".shared .align 128 .b8 room[256];";
    bench.launch(&text(variables, &body), 1, 64, 1, 0, (out, 0, 0))?;
    let expected: Vec<u64> = (0..32).map(|n| (2 * n) | (2 * n + 1) << 32).collect();
    assert_eq!(bench.download(out), expected);
    Ok(())
}

#[test]
fn the_fence_may_be_before_the_barrier_or_after() {
    copied(&format!("{FENCE}\nbar.sync 0;"), "").unwrap();
    copied("bar.sync 0;", FENCE).unwrap();
    is_found(copied("bar.sync 0;", ""));
    is_found(copied("bar.sync 0;\nfence.acq_rel.cta;", ""));
    // A thread that is not the writer fences, and no barrier lies between.
    let own = format!("@%p1 {FENCE}\nbar.sync 0;");
    is_found(copied(&format!("setp.ne.u32 %p1, %r1, 7;\n{own}"), ""));
}
