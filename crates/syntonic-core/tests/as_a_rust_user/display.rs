//! Tensors as text.

use syntonic_core::Words;
use syntonic_core::num_complex::Complex;
use syntonic_core::prelude::*;

#[test]
fn brackets_and_columns() {
    let x = Tensor::from([[1.0, -22.5], [3.25, 4.0]]);
    assert_eq!(x.to_string(), "[[   1., -22.5],\n [ 3.25,    4.]]");
    assert_eq!(
        Tensor::from([[[1], [20]], [[3], [4]]]).to_string(),
        "[[[ 1],\n  [20]],\n\n [[ 3],\n  [ 4]]]"
    );
    assert_eq!(Tensor::scalar(0.1, DType::F64).unwrap().to_string(), "0.1");
    assert_eq!(Tensor::from([0.0f64; 0]).to_string(), "[]");
    assert_eq!(
        Tensor::from([f64::NAN, f64::INFINITY, -1.0]).to_string(),
        "[nan, inf, -1.]"
    );
    assert_eq!(Tensor::from([1e-12, 1.0]).to_string(), "[1.e-12, 1.e+00]");
}

#[test]
fn the_type_is_said_where_no_literal_has_it() {
    assert_eq!(Tensor::from([1.5f32]).to_string(), "[1.5] float32");
    assert_eq!(Tensor::from([1u8]).to_string(), "[1] uint8");
    assert_eq!(Tensor::from([1i64]).to_string(), "[1]");
    assert_eq!(Tensor::from([true, false]).to_string(), "[ true, false]");
    let z = Tensor::from([Complex::new(1.0, -2.5)]);
    assert_eq!(z.to_string(), "[1.-2.5i]");
    assert_eq!(z.text(Words::Python, 0).unwrap(), "[1.-2.5j]");
    assert_eq!(
        Tensor::from([true]).text(Words::Python, 0).unwrap(),
        "[True]"
    );
}

#[test]
fn decimals_are_as_many_as_asked_for() {
    let x = Tensor::from([2.0 / 3.0, 10.0]);
    assert_eq!(format!("{x:.3}"), "[ 0.667, 10.000]");
    assert_eq!(
        format!("{:.1}", Tensor::from([1e-12, 1.0])),
        "[1.0e-12, 1.0e+00]"
    );
    assert_eq!(format!("{:.2}", x.sum(..).unwrap()), "10.67");
}

#[test]
fn large_tensors_show_their_ends() {
    let x = Tensor::arange(0, 2000, 1).unwrap();
    assert_eq!(x.to_string(), "[   0,    1,    2, ..., 1997, 1998, 1999]");
    let text = (x.reshape(&[1000, 2]).unwrap() * 1).to_string();
    assert_eq!(text.lines().count(), 7);
    assert!(
        text.contains("...") && text.ends_with("[1998, 1999]]"),
        "{text}"
    );
    let short = x.index(..1000).unwrap().to_string();
    assert!(
        !short.contains("...") && short.lines().all(|line| line.len() <= 89),
        "{short}"
    );
}

#[test]
fn expressions_are_computed_to_be_shown() {
    let y = Tensor::ones(&[100, 100], DType::F64).unwrap() + 1;
    assert!(y.is_pending());
    assert!(
        y.to_string()
            .starts_with("[[2., 2., 2., ..., 2., 2., 2.],\n"),
        "{y}"
    );
}

#[test]
fn what_cannot_be_read_prints_as_the_reason() {
    // 2^48 bytes, which no process can have.
    let one = Tensor::ones(&[1], DType::F64).unwrap();
    let y = one.broadcast_to(&[1 << 45]).unwrap() + 1;
    // Other tests hold memory at the same time, so how much is in use may differ.
    let text = y.to_string();
    let said = y.eval().unwrap_err().to_string();
    let (asked, _) = said.split_once(" bytes, ").unwrap();
    assert!(text.starts_with(&format!("<cannot be read: {asked} bytes, ")));
    assert!(text.ends_with(" bytes cached>"));
}
