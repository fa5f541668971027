//! Every allocation can fail: an operator under an allocator that refuses says that there is no memory, and never ends the
//! process. Each runs in a process of its own, so that one which does end it is known by name.

mod allocator;
mod engine;
mod factors;
mod files;
mod given;
mod golden;
mod products;
#[path = "../public/mod.rs"]
mod public;

use given::{Given, Row};
use std::collections::BTreeSet;
use std::env;
use std::process::{Command, Output};

/// Names the operator that a child runs.
const OPERATOR: &str = "SYNTONIC_SHORT_MEMORY";

fn rows() -> Vec<Row> {
    [
        engine::rows(),
        factors::rows(),
        files::rows(),
        golden::rows(),
        products::rows(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Calls that come to their end with so many bytes.
fn bounds() -> Vec<(Row, usize)> {
    golden::bounds()
        .into_iter()
        .chain(files::bounds())
        .collect()
}

/// What a child does: the rows of one operator, or one call that has a bound; the rows of the first one where this is run by itself.
#[test]
fn one_operator() {
    let rows = rows();
    let name = env::var(OPERATOR).unwrap_or_else(|_| rows[0].0.to_owned());
    let given = Given::new();
    let mut refused = 0;
    for (_, call) in rows.iter().filter(|row| row.0 == name) {
        refused += allocator::refusals(&name, &|| call(&given));
    }
    println!("refused {refused} times");
    for ((_, call), bytes) in bounds().iter().filter(|bound| bound.0.0 == name) {
        let outcome = allocator::within(*bytes, &|| call(&given));
        outcome.unwrap_or_else(|e| panic!("{name}: {e}"));
        println!("within {bytes} bytes");
    }
}

#[test]
fn calls_have_bounds() {
    for ((name, _), bytes) in bounds() {
        let (said, done) = child(name);
        let failure = failure(&done);
        assert!(said.contains("within"), "{name}, {bytes} bytes: {failure}");
    }
}

/// What a child says that runs [`one_operator`] for this one.
fn child(operator: &str) -> (String, Output) {
    let this = env::current_exe().expect("a test has a file");
    let mut child = Command::new(this);
    child.args([
        "--exact",
        "one_operator",
        "--nocapture",
        "--test-threads",
        "1",
    ]);
    let done = child
        .env(OPERATOR, operator)
        .output()
        .expect("a child starts");
    (String::from_utf8_lossy(&done.stdout).into_owned(), done)
}

fn failure(done: &Output) -> String {
    format!("{}\n{}", done.status, String::from_utf8_lossy(&done.stderr))
}

#[test]
fn no_operator_ends_the_process() {
    let names: BTreeSet<&str> = rows().iter().map(|row| row.0).collect();
    let (mut wrong, mut refused) = (Vec::new(), 0);
    for name in &names {
        let (said, done) = child(name);
        let often = said
            .split_once("refused ")
            .and_then(|(_, rest)| rest.split(' ').next());
        match often.map(str::parse::<usize>) {
            Some(Ok(often)) if done.status.success() => refused += usize::from(often > 0),
            _ => wrong.push(format!("{name}: {}", failure(&done))),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Most results have as many elements as the operand, so most calls can be refused.
    assert!(
        refused * 3 > names.len() * 2,
        "only {refused} of {} were refused anything",
        names.len()
    );
}

/// Public functions that take or give no tensor of any size.
const NOT_OPERATORS: [&str; 29] = [
    "interpolated",
    "sort_by",
    "promised_error",
    "formulas",
    "gradients",
    "maps",
    "logistic",
    "normalized",
    "product_type",
    "precision",
    "set_precision",
    "deficit",
    "factor",
    "compound",
    "ratio",
    "phi_power",
    "golden_phase",
    "golden_weight",
    "fibonacci",
    "lucas",
    "snap",
    "gradient_of",
    "winding_count",
    "theta",
    "theta_derivative",
    "heat_kernel",
    "winding_zeta",
    "load",
    "apply_single",
];

#[test]
fn every_public_operator_has_a_row() {
    let public = public::functions();
    let rows = rows();
    let known: BTreeSet<&str> = rows.iter().map(|row| row.0).chain(NOT_OPERATORS).collect();
    let missing: Vec<&String> = public
        .iter()
        .filter(|name| !known.contains(name.as_str()))
        .collect();
    assert!(missing.is_empty(), "no row for {missing:?}");
}
