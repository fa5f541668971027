//! What runs launch.

use super::{BeliefStep, Divergence, Layer, Softmax, uniform};
use crate::dtype::DType;
use crate::pipeline::{Mode, Report};
use crate::tensor::Tensor;

fn report(plan: &crate::pipeline::Plan, inputs: &[&Tensor], mode: Mode) -> Report {
    plan.report(inputs, mode).unwrap()
}

#[test]
fn a_fused_softmax_is_one_launch() {
    let (n, m) = (64, 257);
    let x = uniform(1, &[n, m], 1.0, DType::F32);
    let fused = report(Softmax::plan(), &[&x], Mode::Fused);
    assert_eq!(
        (fused.launches(), fused.unfused_launches()),
        (1, 4),
        "{fused}"
    );
    assert_eq!(fused.rows[0].stages, ["top", "e", "total", "p"], "{fused}");
    // x is read and p is written.
    assert_eq!(fused.bytes(), 2 * 4 * n * m, "{fused}");
    // Whole matrices: x, x and e, e, e and p; columns: top twice, total twice.
    assert_eq!(fused.unfused_bytes(), 4 * (6 * n * m + 4 * n), "{fused}");
    assert_eq!(fused.bytes_saved(), 4 * (4 * n * m + 4 * n));
    let text = fused.to_string();
    assert!(text.contains("Softmax, fused: 1 launches"), "{text}");
    assert!(text.contains("saved: 3 launches"), "{text}");

    let unfused = report(Softmax::plan(), &[&x], Mode::Unfused);
    let mut names: Vec<&str> = unfused.rows.iter().map(|row| &*row.name).collect();
    names.sort_unstable();
    assert_eq!(names, ["e", "p", "top", "total"]);
    let captured = report(Softmax::plan(), &[&x], Mode::Captured);
    assert_eq!(captured.launches(), 1);
    assert!(captured.replayed.is_some_and(|launches| launches >= 1));
}

#[test]
fn a_formula_over_a_large_product_is_its_end() {
    let (x, w) = (
        uniform(1, &[128, 32], 1.0, DType::F32),
        uniform(2, &[32, 130], 1.0, DType::F32),
    );
    let bias = uniform(3, &[130], 1.0, DType::F32);
    let fused = report(Layer::plan(), &[&x, &w, &bias], Mode::Fused);
    assert_eq!(
        (fused.launches(), fused.unfused_launches()),
        (1, 2),
        "{fused}"
    );
    assert!(fused.bytes() < fused.unfused_bytes(), "{fused}");
}

#[test]
fn steps_are_counted_round_by_round() {
    let inputs = super::belief();
    let given: Vec<&Tensor> = inputs.iter().collect();
    let unfused = report(BeliefStep::plan(), &given, Mode::Unfused);
    assert_eq!(unfused.launches(), 10 * 4 + 1, "{unfused}");
    // Nothing is large enough to wait on the CPU, and nothing is computed twice.
    let fused = report(BeliefStep::plan(), &given, Mode::Fused);
    assert_eq!(fused.launches(), fused.unfused_launches(), "{fused}");
}

#[test]
fn one_stage_is_one_launch_either_way_and_the_reference_none() {
    for n in [3, 300] {
        let p = uniform(1, &[n, 100], 1.0, DType::F64);
        let divergence = report(Divergence::plan(), &[&p, &p], Mode::Fused);
        assert_eq!(
            (divergence.launches(), divergence.unfused_launches()),
            (1, 1),
            "{divergence}"
        );
    }
    let p = uniform(1, &[2, 2], 1.0, DType::F64);
    assert!(
        Divergence::plan()
            .report(&[&p, &p], Mode::Reference)
            .is_err()
    );
}
