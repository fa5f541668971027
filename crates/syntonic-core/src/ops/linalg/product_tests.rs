//! Vector products, contractions and sums of products named by letters.

use super::tests::{LAYOUTS, operand};
use super::*;
use crate::random::Generator;
use crate::{DType, Error, Scalar, Tensor};
use num_complex::Complex;

type C = Complex<f64>;

fn ramp(shape: &[usize]) -> Tensor {
    let n: usize = shape.iter().product();
    Tensor::from_vec((0..n).map(|i| i as f64 - 3.0).collect::<Vec<_>>(), shape).unwrap()
}

fn floats(x: &Tensor) -> Vec<f64> {
    x.to_vec::<f64>().unwrap()
}

/// `einsum` by its definition: a loop over every assignment of positions to letters.
fn summed(equation: &str, lengths: &[(char, usize)], operands: &[&Tensor]) -> Vec<f64> {
    let (left, right) = equation.split_once("->").unwrap();
    let total: usize = lengths.iter().map(|l| l.1).product();
    let length = |c: char| lengths.iter().find(|l| l.0 == c).unwrap().1;
    let mut out = vec![0.0; right.chars().map(length).product()];
    let data: Vec<Vec<f64>> = operands.iter().map(|t| floats(t)).collect();
    for mut at in 0..total {
        let mut position = std::collections::HashMap::new();
        for &(c, len) in lengths {
            position.insert(c, at % len);
            at /= len;
        }
        let flat = |names: &str| names.chars().fold(0, |f, c| f * length(c) + position[&c]);
        let product: f64 = left
            .split(',')
            .zip(&data)
            .map(|(n, d)| d[flat(n)])
            .product();
        out[flat(right)] += product;
    }
    out
}

#[test]
fn equations_follow_the_definition() {
    let lengths = [('i', 3), ('j', 4), ('k', 2), ('l', 5), ('b', 2)];
    let length = |c: char| lengths.iter().find(|l| l.0 == c).unwrap().1;
    let mut g = Generator::new(11);
    for equation in [
        "ij,jk->ik",
        "ij,jk->ki",
        "ij,kj->ik",
        "ij->ji",
        "ij->",
        "ij->j",
        "ii->i",
        "ii->",
        "iji->j",
        "iij,jk->ik",
        "i,j->ij",
        "i,i->",
        "ij,ij->ij",
        "ij,ij->",
        "bij,bjk->bik",
        "ibj,jbk->kbi",
        "ij,jk,kl->il",
        "ij,jk,kl,li->",
        "bij,jl,bk->ilk",
        "ijkl,lkb->jib",
        "ij,j->i",
        "ij,j,i->",
        "b,bi,bj->bij",
        ",ij->ij",
        "ij,kl->",
    ] {
        for lies in LAYOUTS {
            let left = equation.split_once("->").unwrap().0;
            let operands: Vec<Tensor> = left
                .split(',')
                .map(|names| {
                    let shape: Vec<usize> = names.chars().map(length).collect();
                    operand(DType::F64, &shape, lies, &mut g)
                })
                .collect();
            let operands: Vec<&Tensor> = operands.iter().collect();
            let used: Vec<(char, usize)> = lengths
                .into_iter()
                .filter(|l| equation.contains(l.0))
                .collect();
            let want = summed(equation, &used, &operands);
            let got = floats(&einsum(equation, &operands).unwrap());
            assert_eq!(got.len(), want.len(), "{equation} {lies:?}");
            for (x, y) in got.iter().zip(&want) {
                // At most 120 products of four numbers below 6 each.
                assert!((x - y).abs() <= 1e-10, "{equation} {lies:?}: {x} for {y}");
            }
        }
    }
}

#[test]
fn dots_broadcast_and_the_result_may_be_left_out() {
    let (a, b) = (ramp(&[2, 1, 3, 4]), ramp(&[5, 4, 3]));
    let got = einsum("...ij,...jk->...ik", &[&a, &b]).unwrap();
    assert_eq!(got.shape(), [2, 5, 3, 3]);
    assert_eq!(floats(&got), floats(&matmul(&a, &b).unwrap()));
    let plain = einsum("ij,jk", &[&ramp(&[2, 3]), &ramp(&[3, 2])]).unwrap();
    assert_eq!(
        floats(&plain),
        floats(&matmul(&ramp(&[2, 3]), &ramp(&[3, 2])).unwrap())
    );
    assert_eq!(einsum("ba", &[&ramp(&[2, 3])]).unwrap().shape(), [3, 2]);
    assert_eq!(einsum("...i", &[&a]).unwrap().shape(), [2, 1, 3, 4]);
    assert_eq!(einsum("i ... -> ...", &[&a]).unwrap().shape(), [1, 3, 4]);
    let stretched = einsum("ij,ij->ij", &[&ramp(&[1, 3]), &ramp(&[2, 3])]).unwrap();
    assert_eq!(floats(&stretched), [9.0, 4.0, 1.0, 0.0, -2.0, -2.0]);
}

#[test]
fn integers_keep_their_type_and_nothing_sums_to_zero() {
    let a = ramp(&[2, 3]).cast(DType::I8).unwrap();
    let out = einsum("ij->", &[&a]).unwrap();
    assert_eq!(
        (out.dtype(), out.item().unwrap()),
        (DType::I8, Scalar::Int(-3))
    );
    let empty = Tensor::zeros(&[2, 0], DType::F32).unwrap();
    let out = einsum("ij,kj->ik", &[&empty, &empty]).unwrap();
    assert_eq!(out.to_vec::<f32>().unwrap(), [0.0; 4]);
}

#[test]
fn malformed_equations_say_why() {
    let a = ramp(&[2, 3]);
    for (equation, operands, why) in [
        ("ij,jk->ik", vec![&a], "2 operands"),
        ("ijk->i", vec![&a], "3 axes"),
        ("i->i", vec![&a], "1 axes"),
        ("ij->ik", vec![&a], "k is in the result"),
        ("ij->ii", vec![&a], "twice"),
        ("i1->i", vec![&a], "'1'"),
        ("i...->i", vec![&a], "needs it too"),
    ] {
        let e = einsum(equation, &operands).unwrap_err();
        assert!(matches!(e, Error::Value { .. }), "{e}");
        assert!(e.to_string().contains(why), "{e}");
    }
    let e = einsum("ij,jk->ik", &[&a, &a]).unwrap_err();
    assert!(
        matches!(e, Error::Shape { .. }) && e.to_string().contains("j has length"),
        "{e}"
    );
    let truth = Tensor::zeros(&[2, 2], DType::Bool).unwrap();
    assert!(matches!(
        einsum("ij->", &[&truth]),
        Err(Error::DType { .. })
    ));
    assert!(matches!(einsum("", &[]), Err(Error::Value { .. })));
}

#[test]
fn inner_products_conjugate_the_first() {
    let a = Tensor::from_slice(&[C::new(1.0, 2.0), C::new(0.0, -1.0)], &[2]).unwrap();
    let b = Tensor::from_slice(&[C::new(3.0, 0.0), C::new(2.0, 2.0)], &[2]).unwrap();
    // (1 - 2i) 3 + i (2 + 2i) = 3 - 6i + 2i - 2
    let out = vecdot(&a, &b, -1).unwrap();
    assert_eq!(out.item().unwrap(), Scalar::Complex(C::new(1.0, -4.0)));
    let (x, y) = (ramp(&[2, 3, 1]), ramp(&[3, 4]));
    let out = vecdot(&x, &y, -2).unwrap();
    assert_eq!(out.shape(), [2, 4]);
    assert_eq!(
        floats(&out),
        floats(&einsum("abx,bc->ac", &[&x, &y]).unwrap())
    );
    assert!(matches!(vecdot(&a, &x, -2), Err(Error::Axis { .. })));
    assert!(matches!(
        vecdot(&y, &ramp(&[3, 5]), 1),
        Err(Error::Shape { .. })
    ));
}

#[test]
fn contractions_traces_and_pairs() {
    let (a, b) = (ramp(&[2, 3, 4]), ramp(&[4, 3, 5]));
    let out = tensordot(&a, &b, Contract::Pairs(&[1, -1], &[1, 0])).unwrap();
    assert_eq!(
        floats(&out),
        floats(&einsum("ijk,kjl->il", &[&a, &b]).unwrap())
    );
    let out = tensordot(&a, &b, Contract::Last(1)).unwrap();
    assert_eq!(out.shape(), [2, 3, 3, 5]);
    let out = tensordot(&ramp(&[2]), &ramp(&[3]), Contract::Last(0)).unwrap();
    assert_eq!(
        floats(&out),
        floats(&outer(&ramp(&[2]), &ramp(&[3])).unwrap())
    );
    assert!(matches!(
        tensordot(&a, &b, Contract::Last(2)),
        Err(Error::Shape { .. })
    ));
    assert!(matches!(
        tensordot(&a, &b, Contract::Last(4)),
        Err(Error::Shape { .. })
    ));
    let twice = Contract::Pairs(&[1, 1], &[1, 1]);
    assert!(matches!(tensordot(&a, &b, twice), Err(Error::Axis { .. })));

    assert_eq!(
        floats(&trace(&a, 1, None).unwrap()),
        [-2.0 + 3.0 + 8.0, 10.0 + 15.0 + 20.0]
    );
    let bytes = Tensor::full(&[3, 3], 100, DType::I8).unwrap();
    assert_eq!(
        trace(&bytes, 0, None).unwrap().item().unwrap(),
        Scalar::Int(300)
    );
    assert!(trace(&ramp(&[3]), 0, None).is_err() && outer(&a, &b).is_err());
    assert!(gemv(&a, &b).is_err());
    assert_eq!(
        floats(&gemv(&ramp(&[2, 3]), &ramp(&[3])).unwrap()),
        [14.0, -4.0]
    );
    let k = kron(&ramp(&[2]), &ramp(&[2, 2])).unwrap();
    assert_eq!(k.shape(), [2, 4]);
    assert_eq!(floats(&k), [9.0, 6.0, 6.0, 4.0, 3.0, 0.0, 2.0, 0.0]);
}
