//! Accumulators of products that are still on their way.

use super::wgmma::PLAIN;
use crate::{Checks, Trouble};

#[test]
fn accumulators_are_used_only_after_waiting_for_them() {
    let text = PLAIN.text();
    let run = |text: &str| PLAIN.run(text, Checks::default());
    let wait = "wgmma.wait_group.sync.aligned 0;\n";
    let commit = "wgmma.commit_group.sync.aligned;\n";
    // An older group than all those that may be left is complete.
    let others = commit.repeat(3) + &wait.replace('0', "3");
    run(&text.replace(wait, &others)).unwrap();
    let double = "add.f32 %a3, %a3, %a3;\n";
    let guarded = format!("setp.gt.u32 %p1, %r1, 900;\n@%p1 {double}");
    let early = [
        text.replace(wait, ""),
        text.replace(wait, &wait.replace('0', "1")),
        text.replace(wait, &others.replace('3', "4")),
        // What is not in a group is not waited for.
        text.replace(commit, ""),
        text.replace(wait, &format!("{guarded}{double}{wait}")),
    ];
    for text in early {
        let found = run(&text).unwrap_err();
        assert_eq!(found.trouble, Trouble::InFlight, "{found}");
    }
    // Lanes that a guard holds back use nothing, and copies are let pass.
    let held = format!("{guarded}mov.f32 %a3, %a3;\n{wait}");
    run(&text.replace(wait, &held)).unwrap();
}

#[test]
fn a_warp_that_leaves_its_warpgroup_is_waited_for_in_vain() {
    let wait = "wgmma.wait_group.sync.aligned 0;";
    let text = PLAIN.text();
    let alone = format!("setp.ge.u32 %p1, %r1, 96;\n@%p1 bra AWAY;\n{wait}\nAWAY:");
    let found = PLAIN
        .run(&text.replace(wait, &alone), Checks::default())
        .unwrap_err();
    // The warp that went away used its accumulators at once.
    assert_eq!(found.trouble, Trouble::InFlight, "{found}");
    let gone = alone.replace("bra AWAY", "ret");
    let found = PLAIN
        .run(&text.replace(wait, &gone), Checks::default())
        .unwrap_err();
    assert!(matches!(found.trouble, Trouble::Deadlock(_)), "{found}");
}
