//! Few elements against a program over them.

use super::*;
use crate::fuse::{Builder, Precision, Role, Yield};
use crate::ops::elementwise::{One, apply, apply_single};
use crate::run;
use crate::scalar::Scalar;

/// What the operator gives as a program.
fn by_program(prim: Prim, operands: &[&Tensor], shape: &[usize]) -> Result<Tensor> {
    let mut b = Builder::new();
    let inputs: Vec<_> = ["x", "y"][..operands.len()]
        .iter()
        .map(|&name| b.input(name, Role::Element))
        .collect();
    let out = b.apply(prim, &inputs);
    b.output(out, Yield::Element);
    let program = b.finish("one", Precision::Stored);
    Ok(run::map(&program, operands, &[], shape, operands[0].device())?.remove(0))
}

fn bytes(t: &Tensor) -> Vec<u8> {
    let (t, device) = (t.copy().unwrap(), crate::cpu());
    let (_, at) = at_hand(&t, &device).unwrap();
    // SAFETY: the bytes of a tensor that was copied, and so lies in a row.
    unsafe { std::slice::from_raw_parts(at, t.numel() * t.dtype().size()) }.to_vec()
}

/// Numbers of a type, its ends among them, at every second place of memory.
fn samples(dtype: DType) -> Tensor {
    let ends = dtype.integers().unwrap_or((-3, 90));
    let whole = [0, 1, 2, 3, 7, ends.0, ends.1, ends.1 - 1, 63].map(Scalar::Int);
    let real = [
        0.0,
        -0.0,
        1.5,
        -2.5,
        1e30,
        f64::NAN,
        f64::INFINITY,
        0.5,
        3.0,
    ]
    .map(Scalar::Float);
    let values = if dtype.is_inexact() { real } else { whole };
    let wide = Tensor::zeros(&[values.len(), 2], dtype).unwrap();
    for (k, value) in values.into_iter().enumerate() {
        // SAFETY: this test is the only user of the memory.
        assert!(unsafe { wide.put_single(&[k as i64, 0], Single::new(value, dtype)) }.unwrap());
    }
    wide.select(1, 0).unwrap()
}

#[test]
fn few_elements_have_the_bits_of_a_program() {
    let mut done = 0;
    for (x, y) in DType::ALL
        .into_iter()
        .flat_map(|x| DType::ALL.map(|y| (x, y)))
    {
        let (a, b) = (samples(x), samples(y).flip(&[0]).unwrap());
        let n = a.numel();
        let square = [n, n];
        let b = b.reshape(&[n as isize, 1]).unwrap();
        for &prim in Prim::ALL.iter().filter(|p| p.arity() == 2) {
            let Some(got) = at_once(prim, &[Arg::Tensor(&a), Arg::Tensor(&b)]) else {
                continue;
            };
            let (got, want) = (got.unwrap(), by_program(prim, &[&a, &b], &square).unwrap());
            assert_eq!(got.dtype(), want.dtype());
            assert_eq!(bytes(&got), bytes(&want), "{prim:?} of {x} and {y}");
            done += 1;
            for k in (0..n as i64).filter(|_| prim != Prim::Pow) {
                let one = |t: &Tensor, at: &[i64]| One::Single(t.single(at).unwrap().unwrap());
                let got = apply_single(prim, &[one(&a, &[k]), one(&b, &[n as i64 - 1 - k, 0])]);
                let want = want.single(&[n as i64 - 1 - k, k]).unwrap();
                assert_eq!(
                    got.map(Single::bits),
                    want.map(Single::bits),
                    "{prim:?} of {x} and {y}"
                );
            }
        }
    }
    assert!(done > 2000, "{done}");
}

#[test]
fn integers_that_no_type_holds_together_are_compared_as_they_are() {
    let most = Single::new(Scalar::Int(i128::from(u64::MAX)), DType::U64);
    let least = Single::new(Scalar::Int(-1), DType::I64);
    for prim in [Prim::Eq, Prim::Lt, Prim::Add] {
        assert!(apply_single(prim, &[One::Single(most), One::Single(least)]).is_none());
    }
    let equal = apply(
        Prim::Eq,
        &[(&most.to_tensor()).into(), (&least.to_tensor()).into()],
    );
    assert_eq!(equal.unwrap().item().unwrap(), Scalar::Bool(false));
}
