//! Steps of recorded functions give what the functions give.

use crate::cpu::cpu;
use crate::device::{Device, DeviceId, record};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::fuse::{Prim, Task};
use crate::ops::create::arange;
use crate::ops::elementwise::apply;
use crate::ops::linalg::matmul;
use crate::ops::rearrange::{tril, triu};
use crate::run;
use crate::scalar::Scalar;
use crate::tensor::Tensor;
use num_complex::Complex;
use std::sync::Arc;

/// What the steps of a function give over these inputs on the CPU, one after the other.
fn by_steps(
    inputs: &[&Tensor],
    f: impl FnOnce(&[Tensor]) -> Result<Vec<Tensor>>,
) -> Result<Vec<Tensor>> {
    let like: Vec<(&[usize], DType)> = inputs.iter().map(|t| (t.shape(), t.dtype())).collect();
    let (steps, frame) = record("product", DeviceId::Cpu, &like, f)?;
    let device = cpu();
    frame.over(inputs, |buffers| {
        // SAFETY: the places of the steps lie in these buffers, which are live.
        let run = |task: &Task<'_>, _| unsafe { device.run(task) };
        steps.each(buffers, run, |_, _| Ok(false))
    })
}

/// Whole numbers from -4 to 4: products and sums of a few of them are exact in every type.
fn numbers(shape: &[usize], dtype: DType, seed: i64) -> Result<Tensor> {
    let count: usize = shape.iter().product();
    let values: Vec<i64> = (0..count as i64).map(|k| (k * 7 + seed) % 9 - 4).collect();
    Tensor::from_vec(values, shape)?.cast(dtype)?.eval()
}

fn agree(shapes: [&[usize]; 2], dtype: DType, f: fn(&[Tensor]) -> Result<Vec<Tensor>>) {
    let [a, b] = [0, 1].map(|k| numbers(shapes[k], dtype, k as i64 + 1).unwrap());
    let got = by_steps(&[&a, &b], f).unwrap();
    let want = f(&[a, b]).unwrap();
    for (got, want) in got.iter().zip(&want) {
        assert_eq!(got.dtype(), want.dtype());
        let [left, right] = [got, want].map(|t| {
            let wide = t.cast(DType::C128).unwrap();
            wide.to_vec::<Complex<f64>>().unwrap()
        });
        assert_eq!(left, right, "{shapes:?} {dtype}");
    }
    assert_eq!(got.len(), want.len());
}

#[test]
fn products_are_those_of_the_library() {
    let types = [DType::F32, DType::F64, DType::BF16, DType::I32, DType::C64];
    for dtype in types {
        for shapes in [
            [&[3, 5][..], &[5, 4]],
            [&[5], &[5, 4]],
            [&[3, 5], &[5]],
            [&[5], &[5]],
            [&[2, 1, 3, 5], &[4, 5, 2]],
            [&[3, 1], &[1, 4]],
        ] {
            agree(shapes, dtype, |x| Ok(vec![matmul(&x[0], &x[1])?.eval()?]));
        }
        agree([&[5, 3], &[4, 5]], dtype, |x| {
            let [a, b] = [0, 1].map(|k| x[k].transpose(0, 1));
            Ok(vec![matmul(&a?, &b?)?.eval()?])
        });
    }
}

#[test]
fn what_follows_a_product_is_a_step_too() {
    // The smaller product is computed at once where the library is asked; the larger one waits for its end there as well.
    for (shapes, dtype) in [
        ([&[6, 7][..], &[7, 5]], DType::F32),
        ([&[96, 7], &[7, 96]], DType::F64),
    ] {
        agree(shapes, dtype, |x| {
            let y = matmul(&x[0], &x[1])?;
            Ok(vec![(&y.abs()? + 1.0).eval()?, y.sum(-1)?.eval()?])
        });
    }
    agree([&[3, 5], &[5, 4]], DType::C64, |x| {
        Ok(vec![matmul(&x[0].conj()?, &x[1])?.eval()?])
    });
}

/// Numbers that no memory holds, made within the function or on the device that it stands for.
#[test]
fn ranges_are_part_of_a_formula() {
    let (x, y) = (
        numbers(&[4, 4], DType::F64, 1).unwrap(),
        numbers(&[5], DType::I64, 2).unwrap(),
    );
    let lower = |x: &[Tensor]| {
        Ok(vec![
            tril(&x[0], 0)?.eval()?,
            triu(&x[0], 1)?.sum(-1)?.eval()?,
        ])
    };
    let of_places = |x: &[Tensor]| {
        let places = Tensor::arange(10, 0, -2)?;
        Ok(vec![(&places * &x[0]).eval()?, (&x[0] - &places).eval()?])
    };
    // What follows a product reads its operands in memory.
    let causal = |x: &[Tensor]| Ok(vec![tril(&matmul(&x[0], &x[0])?, 0)?.eval()?]);
    let same = |got: Vec<Tensor>, want: Vec<Tensor>| {
        assert_eq!(got.len(), want.len());
        for (got, want) in got.iter().zip(&want) {
            let bits = |t: &Tensor| t.cast(DType::F64).unwrap().to_vec::<f64>().unwrap();
            assert_eq!(bits(got), bits(want));
        }
    };
    same(
        by_steps(&[&x], causal).unwrap(),
        causal(std::slice::from_ref(&x)).unwrap(),
    );
    let on = |device: &Arc<dyn Device>, step: Scalar| {
        arange(Scalar::Int(1), Scalar::Int(3), step, None, device)
    };
    let written = |x: &[Tensor]| {
        let steps = [Scalar::Int(1), Scalar::Float(0.25)];
        steps
            .map(|step| on(x[0].device(), step)?.eval())
            .into_iter()
            .collect()
    };
    same(
        by_steps(&[&x], written).unwrap(),
        written(std::slice::from_ref(&x)).unwrap(),
    );
    same(by_steps(&[&x], lower).unwrap(), lower(&[x]).unwrap());
    same(
        by_steps(&[&y], of_places).unwrap(),
        of_places(&[y]).unwrap(),
    );
}

#[test]
fn tensors_of_elsewhere_are_refused_on_either_side() {
    let own = Tensor::from([1.0, 2.0]);
    let matrix = Tensor::from([[1.0, 2.0], [3.0, 4.0]]);
    let refused = |f: &dyn Fn(&Tensor) -> Result<Tensor>| {
        let like: [(&[usize], DType); 1] = [(&[2], DType::F64)];
        let made = record("mixed", DeviceId::Cpu, &like, |x| {
            Ok(vec![f(&x[0])?.eval()?])
        });
        let error = made.unwrap_err();
        assert!(matches!(error, Error::Capture { .. }), "{error}");
        assert!(error.to_string().contains("as an operand"), "{error}");
    };
    let sum = |x: &Tensor, y: &Tensor| apply(Prim::Add, &[x.into(), y.into()]);
    refused(&|x| sum(x, &own));
    refused(&|x| sum(&own, x));
    refused(&|x| matmul(x, &matrix));
    refused(&|x| matmul(&matrix, x));
    refused(&|x| Tensor::concat(&[&own, x], 0));
    crate::fuse! { SUM(x: element, y: element) -> (element) { x + y } }
    let map = |x: &Tensor, y: &Tensor, on: &Tensor| {
        run::map(&SUM, &[x, y], &[], &[2], on.device()).map(|mut made| made.remove(0))
    };
    for on_own in [true, false] {
        refused(&|x| map(x, &own, if on_own { &own } else { x }));
        refused(&|x| map(&own, x, if on_own { &own } else { x }));
        refused(&|x| map(x, x, if on_own { &own } else { x }).and_then(|y| sum(&y, &own)));
    }
}
