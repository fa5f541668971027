//! Every fold, at smooth points and at ties, zeros and NaN; the formulas of the reductions.

use crate::difference::{Problem, values};
use num_complex::Complex;
use syntonic_core::fuse::{Builder, Fold, Precision, Program, Role, Yield};
use syntonic_core::ops::reduce;
use syntonic_core::{DType, Tensor};

fn fold(kind: Fold) -> Program {
    let mut b = Builder::new();
    let x = b.input("x", Role::Element);
    let y = b.fold(kind, x);
    b.output(y, Yield::RowScalar);
    b.finish(kind.name(), Precision::Wide)
}

/// The gradient of a fold over one row with cotangent 1.
fn at(kind: Fold, x: &[f64]) -> Vec<f64> {
    let mut p = Problem::new(&fold(kind), &[&[1, x.len()]], &[]).gradient();
    p.tensors[0] = Tensor::from_slice(x, &[1, x.len()]).unwrap();
    p.tensors[1] = Tensor::from_slice(&[1.0], &[1]).unwrap();
    p.run()[0].to_vec().unwrap()
}

#[test]
fn every_fold() {
    for kind in Fold::ALL {
        Problem::new(&fold(kind), &[&[3, 5]], &[]).check();
        // Another axis, so that rows lie side by side.
        let mut columns = Problem::new(&fold(kind), &[&[4, 3]], &[]);
        columns.axes = vec![0];
        columns.check();
    }
    for kind in [Fold::Sum, Fold::Prod] {
        let mut p = Problem::new(&fold(kind), &[&[2, 3]], &[]);
        let z = [
            (0.6, 0.8),
            (-1.2, 0.5),
            (0.3, -1.4),
            (1.0, 0.1),
            (-0.4, 0.2),
            (0.9, -0.8),
        ];
        let z = z.map(|(re, im)| Complex::new(re, im));
        p.tensors[0] = Tensor::from_slice(&z, &[2, 3]).unwrap();
        p.check();
    }
}

#[test]
fn products_with_zeros() {
    assert_eq!(at(Fold::Prod, &[2.0, 3.0, 5.0]), [15.0, 10.0, 6.0]);
    assert_eq!(at(Fold::Prod, &[2.0, 0.0, 5.0]), [0.0, 10.0, 0.0]);
    assert_eq!(at(Fold::Prod, &[0.0, 3.0, 0.0]), [0.0, 0.0, 0.0]);
}

#[test]
fn extremes_share_among_ties() {
    assert_eq!(at(Fold::Max, &[1.0, 4.0, 4.0, 2.0]), [0.0, 0.5, 0.5, 0.0]);
    assert_eq!(
        at(Fold::Min, &[1.0, 4.0, 1.0, 1.0]),
        [1.0 / 3.0, 0.0, 1.0 / 3.0, 1.0 / 3.0]
    );
    assert!(at(Fold::Max, &[1.0, f64::NAN]).iter().all(|g| g.is_nan()));
}

/// A type for each form that a reduction's formula has.
const KINDS: [DType; 5] = [DType::F32, DType::F64, DType::C64, DType::F16, DType::BF16];

#[test]
fn every_formula_of_the_reductions() {
    for program in KINDS.into_iter().flat_map(reduce::formulas) {
        // The number is a correction or a power; 1.5 is a good one for both.
        let numbers = vec![1.5; program.inputs.len() - 1];
        let p = Problem::new(program, &[&[3, 5]], &numbers);
        p.check();
        p.check_single();
    }
}

#[test]
fn norms_and_deviations_of_nothing_have_no_slope() {
    let names = [
        "NORM_2",
        "NORM_P",
        "STD",
        "STD_OF_DOUBLES",
        "STD_OF_HALVES",
        "STD_OF_BFLOATS",
    ];
    for name in names {
        let program = (KINDS.into_iter().flat_map(reduce::formulas))
            .into_iter()
            .find(|p| p.name == name)
            .unwrap();
        let mut p =
            Problem::new(program, &[&[2, 4]], &vec![0.0; program.inputs.len() - 1]).gradient();
        p.tensors[0] = Tensor::zeros(&[2, 4], DType::F64).unwrap();
        assert!(
            values(&p.run()[0]).iter().all(|g| g.norm() == 0.0),
            "{name}"
        );
    }
}
