//! The gradient of every operator on the tape, beside central differences. An operator without a row fails the last test.

mod attention;
mod difference;
mod discrete;
mod elements;
mod factors;
mod fourier;
mod golden;
mod moves;
mod products;
#[path = "../public/mod.rs"]
mod public;
mod spectra;

use difference::Row;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

fn differentiable() -> Vec<Row> {
    [
        attention::rows(),
        elements::rows(),
        moves::rows(),
        products::rows(),
        factors::rows(),
        spectra::rows(),
        fourier::rows(),
        golden::rows(),
        discrete::rows(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn refusing() -> Vec<Row> {
    [
        factors::refusals(),
        spectra::refusals(),
        golden::refusals(),
        discrete::refusals(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[test]
fn gradients_are_those_of_differences() {
    // All of them, so that one look shows every operator that is wrong.
    let wrong: Vec<String> = differentiable()
        .iter()
        .filter_map(|row| {
            let outcome = catch_unwind(AssertUnwindSafe(|| row.check()));
            outcome
                .err()
                .map(|e| format!("{:?}", e.downcast_ref::<String>()))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_has_no_gradient_refuses_what_is_tracked() {
    for row in refusing() {
        row.check_refusal();
    }
}

/// Public functions whose results are constants, or that take no floats, and functions that are no operators.
const CONSTANTS: [&str; 72] = [
    // Made of numbers.
    "arange",
    "empty",
    "empty_like",
    "fftfreq",
    "rfftfreq",
    "eye",
    "full",
    "full_like",
    "integers",
    "linspace",
    "normal",
    "ones",
    "ones_like",
    "permutation",
    "uniform",
    "zeros",
    "zeros_like",
    "e8_roots",
    "e8_simple_roots",
    "mode_norms",
    "policies",
    "winding_weights",
    "windings",
    // A formula's part, and a sort of numbers of Rust.
    "interpolated",
    "sort_by",
    // Truths, counts and positions.
    "all",
    "any",
    "argmax",
    "argmin",
    "argsort",
    "choose_action",
    "cone_mask",
    "count_nonzero",
    "golden_generations",
    "isin",
    "matrix_rank",
    "nonzero",
    "sample_action",
    "searchsorted",
    // Numbers of Rust, and integers.
    "fibonacci",
    "fibonacci_tensor",
    "golden_recursion",
    "golden_recursion_inverse",
    "heat_kernel",
    "lucas",
    "lucas_tensor",
    "snap",
    "squared_index_norms",
    "theta",
    "theta_derivative",
    "winding_count",
    "winding_zeta",
    "promised_error",
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
    // Formulas, and parts of formulas.
    "formulas",
    "gradients",
    "maps",
    "logistic",
    "normalized",
    "gradient_of",
    // States in files.
    "load",
    // Over rows of `float8`.
    "scaled_matmul",
    // Over numbers, which are on no tape.
    "apply_single",
];

#[test]
fn every_public_operator_has_a_row() {
    let public = public::functions();
    let rows: Vec<Row> = differentiable().into_iter().chain(refusing()).collect();
    let known: BTreeSet<&str> = rows.iter().map(|row| row.name).chain(CONSTANTS).collect();
    let missing: Vec<&String> = public
        .iter()
        .filter(|name| !known.contains(name.as_str()))
        .collect();
    assert!(missing.is_empty(), "no row for {missing:?}");
    let gone: Vec<&&str> = CONSTANTS
        .iter()
        .filter(|name| !public.contains(**name))
        .collect();
    assert!(gone.is_empty(), "there is no {gone:?}");
}
