//! Plans of some 350 tasks, on the cards that people have, against those that are committed: a change of structure changes none.

mod cards;
mod cases;
mod samples;

use super::{Limits, Plan, Step};
use crate::images;
use crate::kernel::planner::{MADE, plan};
use cards::Named;
use samples::Sample;
use std::fmt::Write;

/// The committed plans, one a line.
const COMMITTED: &str = include_str!("../../../tests/plans.txt");
const PLACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plans.txt");
/// Set to anything, it has the test write the plans.
const RENEW: &str = "SYNTONIC_RENEW_PLANS";
const COMMAND: &str = "SYNTONIC_RENEW_PLANS=1 cargo test -p syntonic-cuda --lib plans_are_those";

/// The plan of a sample on a card.
fn planned(sample: &Sample, limits: Limits) -> Plan {
    sample.with_task(|task| plan(limits, task).unwrap())
}

fn all() -> Vec<(Sample, Named, Plan)> {
    let cases = cases::all().into_iter();
    let with_plans = cases.map(|(sample, named)| {
        let plan = planned(&sample, named.limits);
        (sample, named, plan)
    });
    with_plans.collect()
}

/// One line for each plan.
fn text() -> String {
    let mut text = String::new();
    for (sample, named, plan) in all() {
        let _ = writeln!(text, "{sample} on {}: {plan}", named.name);
    }
    text
}

#[test]
fn plans_are_those_that_are_committed() {
    let now = text();
    if std::env::var_os(RENEW).is_some() {
        std::fs::write(PLACE, &now).unwrap();
        return;
    }
    let mut pairs = COMMITTED.lines().zip(now.lines()).enumerate();
    if let Some((at, (committed, planned))) = pairs.find(|(_, (a, b))| a != b) {
        panic!(
            "line {} of tests/plans.txt is\n  {committed}\nand the plan now is\n  {planned}\nif this is wanted, run `{COMMAND}`, \
             look at the difference and commit it",
            at + 1
        );
    }
    assert_eq!(
        COMMITTED.lines().count(),
        now.lines().count(),
        "tests/plans.txt has other tasks; run `{COMMAND}`, look at the difference and commit it"
    );
}

#[test]
fn every_kernel_of_a_plan_is_there_and_fits_the_card() {
    let most = u64::from(i32::MAX as u32);
    for (sample, named, plan) in all() {
        let limits = named.limits;
        assert!(!plan.steps.is_empty(), "{sample}");
        for step in &plan.steps {
            let Step::Launch(launch) = step else {
                continue;
            };
            let (family, entry) = (launch.family, &*launch.entry);
            let image = images::image(family, limits.capability);
            let there = image.is_ok() && images::has_entry(family, entry);
            assert!(
                there || family == MADE,
                "{sample} on {}: {launch}",
                named.name
            );
            let geometry = launch.geometry;
            let [x, y, z] = geometry.grid.map(u64::from);
            assert!(
                (1..=most).contains(&x) && (1..65_536).contains(&y) && (1..65_536).contains(&z)
            );
            assert!((1..=1024).contains(&geometry.block), "{sample}: {launch}");
            assert!(geometry.shared <= limits.shared, "{sample}: {launch}");
        }
    }
}

#[test]
fn a_plan_depends_on_the_alignment_of_addresses_and_on_nothing_else_of_them() {
    let [_, h100, ..] = cards::MEASURED;
    for (sample, ..) in cases::all() {
        let here = planned(&sample, h100.limits);
        let there = Sample {
            beyond: 4096,
            ..sample.clone()
        };
        assert_eq!(here, planned(&there, h100.limits), "{sample}");
    }
}
