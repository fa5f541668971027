//! The tape itself: what is recorded, what is refused, and what is freed. `tests/tape` of `syntonic-srt` compares every operator
//! with differences.

use super::{Variables, grad, value_and_grad, vjp};
use crate::fuse::Prim;
use crate::lazy::EAGER_ELEMENTS;
use crate::ops::elementwise::apply;
use crate::ops::index::{self, IndexItem};
use crate::ops::linalg;
use crate::ops::reduce::{self, Over};
use crate::{DType, Error, Result, Tensor};
use std::sync::Arc;

fn vector(values: &[f64]) -> Tensor {
    Tensor::from_slice(values, &[values.len()]).unwrap()
}

fn sum(x: &Tensor) -> Result<Tensor> {
    reduce::sum(x, &Over::all(), None)
}

fn values(x: &Tensor) -> Vec<f64> {
    x.to_vec().unwrap()
}

/// The gradient of a function of one tensor.
fn slope(f: impl FnOnce(&Tensor) -> Result<Tensor>, x: &Tensor) -> Result<Tensor> {
    Ok(grad(|v| f(&v[0]), &[x])?.remove(0))
}

#[test]
fn a_value_and_its_gradient_are_constants_again() {
    let x = vector(&[1.0, 2.0, 3.0]);
    let (y, g) = value_and_grad(|v| sum(&v[0].square()?), &[&x]).unwrap();
    assert!(!y.is_tracked() && !g[0].is_tracked() && !x.is_tracked());
    assert_eq!(y.to_scalar::<f64>().unwrap(), 14.0);
    assert_eq!(values(&g[0]), [2.0, 4.0, 6.0]);
}

#[test]
fn a_value_that_is_used_twice_gets_both_cotangents_and_an_unused_input_zeros() {
    let (x, y) = (vector(&[3.0]), vector(&[5.0, 6.0]));
    let f = |v: &[Tensor]| {
        let a = v[0].square()?;
        sum(&a.try_mul(&a.exp()?)?.try_add(&a)?)
    };
    let g = grad(f, &[&x, &y]).unwrap();
    let want = 6.0 * (9f64.exp() + 9.0 * 9f64.exp() + 1.0);
    assert!((values(&g[0])[0] / want - 1.0).abs() < 1e-14);
    assert_eq!(values(&g[1]), [0.0, 0.0]);
}

#[test]
fn views_send_their_cotangents_to_where_they_lie() {
    let x = Tensor::from_vec((0..12).map(f64::from).collect::<Vec<_>>(), &[3, 4]).unwrap();
    let weights = vector(&[1.0, 10.0, 100.0]);
    type Case = (&'static str, fn(&Tensor) -> Result<Tensor>, [f64; 12]);
    let cases: [Case; 5] = [
        (
            "a column",
            |x| x.select(1, 2),
            [0., 0., 1., 0., 0., 0., 10., 0., 0., 0., 100., 0.],
        ),
        (
            "a transposed part, reversed",
            |x| {
                x.transpose(0, 1)?
                    .slice(1, None, None, -1)?
                    .slice(0, Some(1), Some(2), 1)
            },
            [0., 100., 0., 0., 0., 10., 0., 0., 0., 1., 0., 0.],
        ),
        (
            "the diagonal",
            |x| x.diagonal(0, 0, 1),
            [1., 0., 0., 0., 0., 10., 0., 0., 0., 0., 100., 0.],
        ),
        (
            "every fifth of the flat value",
            |x| x.reshape(&[-1])?.slice(0, None, None, 5),
            [1., 0., 0., 0., 0., 10., 0., 0., 0., 0., 100., 0.],
        ),
        (
            "one element thrice",
            |x| x.select(0, 0)?.select(0, 3)?.broadcast_to(&[3]),
            [0., 0., 0., 111., 0., 0., 0., 0., 0., 0., 0., 0.],
        ),
    ];
    for (what, view, want) in cases {
        let g = slope(|x| sum(&view(x)?.try_mul(&weights)?), &x).unwrap();
        assert_eq!(
            (g.shape(), values(&g)),
            (&[3, 4][..], want.to_vec()),
            "{what}"
        );
    }
    // Windows that overlap: each element is in as many as reach it.
    let windows = |x: &Tensor| {
        let flat = x.reshape(&[-1])?;
        let from = flat.layout().offset();
        sum(&flat.relayout(crate::Layout::from_parts(&[10, 3], &[1, 1], from))?)
    };
    let want = [1., 2., 3., 3., 3., 3., 3., 3., 3., 3., 2., 1.];
    assert_eq!(values(&slope(windows, &x).unwrap()), want);
}

#[test]
fn inputs_may_lie_as_they_like() {
    let base = Tensor::from_vec((0..6).map(f64::from).collect::<Vec<_>>(), &[2, 3]).unwrap();
    let turned = base.transpose(0, 1).unwrap();
    let wide = vector(&[2.0]).broadcast_to(&[3, 2]).unwrap();
    let f = |v: &[Tensor]| sum(&v[0].try_mul(&v[1])?.try_mul(&v[1])?);
    let g = grad(f, &[&turned, &wide]).unwrap();
    assert_eq!(values(&g[0]), [4.0; 6]);
    assert_eq!(values(&g[1]), [0.0, 12.0, 4.0, 16.0, 8.0, 20.0]);
}

#[test]
fn gradients_have_gradients() {
    let x = vector(&[0.5, -2.0]);
    // x^3: 3 x^2, 6 x, 6.
    let cube = |x: &Tensor| sum(&apply(Prim::Pow, &[x.into(), 3.0.into()])?);
    let first = |x: &Tensor| slope(cube, x);
    let second = |x: &Tensor| slope(|x| sum(&first(x)?), x);
    let third = |x: &Tensor| slope(|x| sum(&second(x)?), x);
    assert_eq!(values(&first(&x).unwrap()), [0.75, 12.0]);
    assert_eq!(values(&second(&x).unwrap()), [3.0, -12.0]);
    assert_eq!(values(&third(&x).unwrap()), [6.0, 6.0]);
    // e^x is all of its derivatives.
    let exp = |x: &Tensor| sum(&x.exp()?);
    let twice = slope(|x| sum(&slope(exp, x)?), &x).unwrap();
    for (got, x) in values(&twice).into_iter().zip([0.5f64, -2.0]) {
        assert!((got / x.exp() - 1.0).abs() < 1e-14);
    }
}

#[test]
fn the_hessian_of_a_cross_entropy_is_that_of_its_formula() {
    let (x, v) = (
        vector(&[0.3, -1.0, 2.0, 0.1]),
        vector(&[1.0, -0.5, 0.25, 2.0]),
    );
    let loss = |x: &Tensor| x.log_softmax(-1)?.select(0, 2)?.try_neg();
    let product = slope(|x| sum(&slope(loss, x)?.try_mul(&v)?), &x).unwrap();
    let p = values(&x.softmax(-1).unwrap());
    let v = values(&v);
    let mean: f64 = p.iter().zip(&v).map(|(p, v)| p * v).sum();
    for ((got, p), v) in values(&product).into_iter().zip(&p).zip(&v) {
        // (diag(p) - p p^T) v, to some roundings of numbers of the size of 1.
        assert!((got - p * (v - mean)).abs() < 1e-15, "{got}");
    }
}

#[test]
fn an_inner_gradient_may_hang_on_an_outer_variable() {
    let (x, z) = (vector(&[2.0]), vector(&[5.0]));
    // d/dz of d/dx (x^2 z) is 2 x.
    let f = |v: &[Tensor]| sum(&slope(|x| sum(&x.square()?.try_mul(&v[0])?), &x)?);
    assert_eq!(values(&grad(f, &[&z]).unwrap()[0]), [4.0]);
    // The inner value is tracked for the outer variable, and stays what it is.
    let f = |v: &[Tensor]| {
        let (value, _) = value_and_grad(|w| sum(&w[0].try_mul(&v[0])?), &[&x])?;
        assert!(value.is_tracked());
        Ok(value)
    };
    assert_eq!(values(&grad(f, &[&z]).unwrap()[0]), [2.0]);
}

#[test]
fn pulling_twice_is_allowed_and_cotangents_are_checked() {
    let x = vector(&[1.0, 2.0]);
    let (y, back) = vjp(|v| Ok(vec![v[0].square()?, v[0].exp()?]), &[&x]).unwrap();
    assert!(!y[0].is_tracked());
    let (zero, one) = (vector(&[0.0, 0.0]), vector(&[1.0, 1.0]));
    for _ in 0..2 {
        assert_eq!(values(&back.pull(&[&one, &zero]).unwrap()[0]), [2.0, 4.0]);
    }
    let short = back.pull(&[&vector(&[1.0]), &zero]).unwrap_err();
    assert!(matches!(short, Error::Shape { op: "vjp", .. }), "{short}");
    let few = back.pull(&[&one]).unwrap_err();
    assert!(matches!(few, Error::Value { op: "vjp", .. }), "{few}");
}

fn refused(result: Result<impl std::fmt::Debug>, op: &str) {
    match result {
        Err(Error::Gradient { op: found, what }) => {
            assert_eq!(found, op, "{what}");
            assert!(what.contains("hint"), "{what}");
        }
        other => panic!("{op}: {other:?}"),
    }
}

fn complete_svd(x: &Tensor) -> Result<Tensor> {
    Ok(linalg::svd(x, linalg::Columns::Complete)?.s)
}

fn complete_qr(x: &Tensor) -> Result<Tensor> {
    Ok(linalg::qr(x, linalg::Columns::Complete)?.r)
}

#[test]
fn what_has_no_gradient_says_so() {
    let x = Tensor::from_vec(vec![4.0, 1.0, 1.0, 3.0], &[2, 2]).unwrap();
    let given = |f: fn(&Tensor) -> Result<Tensor>| slope(|x| sum(&f(x)?), &x);
    let real = |x: &Tensor| linalg::eigvals(x)?.real();
    refused(slope(|x| sum(&real(x)?), &x), "eigvals");
    let tall = x.slice(1, Some(0), Some(1), 1).unwrap();
    for (f, op) in [
        (complete_svd as fn(&Tensor) -> Result<Tensor>, "svd"),
        (complete_qr, "qr"),
    ] {
        refused(slope(|x| sum(&f(x)?), &tall), op);
    }
    refused(given(|x| x.cast(DType::F8E4M3)), "cast");
    refused(
        given(|x| Tensor::from_vec(x.to_vec::<f64>()?, &[4])),
        "read",
    );
    refused(
        given(|x| {
            Tensor::scalar(
                x.select(0, 0)?.select(0, 0)?.to_scalar::<f64>()?,
                DType::F64,
            )
        }),
        "read",
    );
    // Nothing that the result hangs on is a variable.
    refused(given(|x| x.argmax(-1)?.cast(DType::F64)), "value_and_grad");
    let stopped = given(|x| x.try_mul(&x.stop_gradient())).unwrap();
    assert_eq!(values(&stopped), values(&x));
    // SAFETY: nobody else has the memory.
    let write = |x: &Tensor| unsafe { x.assign_aliased(&x.stop_gradient()) };
    refused(slope(|x| write(x).map(|()| x.clone()), &x), "assign");
    let target = Tensor::zeros(&[2, 2], DType::F64).unwrap();
    // SAFETY: as above.
    let write = |x: &Tensor| unsafe { target.assign_aliased(x) };
    refused(slope(|x| write(x).map(|()| target.clone()), &x), "assign");
    for dtype in [DType::I64, DType::Bool] {
        let e = slope(sum, &x.cast(dtype).unwrap()).unwrap_err();
        assert!(
            matches!(
                e,
                Error::DType {
                    op: "value_and_grad",
                    ..
                }
            ),
            "{e}"
        );
    }
    let e = slope(|x| x.square(), &x).unwrap_err();
    assert!(
        matches!(
            e,
            Error::Shape {
                op: "value_and_grad",
                ..
            }
        ),
        "{e}"
    );
    let e = slope(|x| sum(&x.cast(DType::C128)?), &x).unwrap_err();
    assert!(
        matches!(
            e,
            Error::DType {
                op: "value_and_grad",
                ..
            }
        ),
        "{e}"
    );
}

#[test]
fn an_operand_that_is_overwritten_meanwhile_is_an_error_and_no_wrong_gradient() {
    let w = vector(&[1.0, 2.0]);
    let f = |x: &Tensor| {
        let y = sum(&x.try_mul(&w)?)?;
        // SAFETY: nobody else has the memory.
        unsafe { w.assign_aliased(&Tensor::scalar(7.0, DType::F64)?)? };
        Ok(y)
    };
    refused(slope(f, &vector(&[3.0, 4.0])), "multiply");
    // What others may write at any time is copied when it is recorded.
    let lent = vector(&[1.0, 2.0]);
    lent.buffer().unwrap().lend().unwrap();
    let f = |x: &Tensor| {
        let y = sum(&x.try_mul(&lent)?)?;
        // SAFETY: as above.
        unsafe { lent.assign_aliased(&Tensor::scalar(7.0, DType::F64)?)? };
        Ok(y)
    };
    assert_eq!(values(&slope(f, &vector(&[3.0, 4.0])).unwrap()), [1.0, 2.0]);
}

#[test]
fn writes_to_a_value_of_ones_own_have_gradients() {
    let (x, v) = (vector(&[1.0, 2.0, 3.0]), vector(&[10.0, 20.0, 30.0]));
    // Of three values for one element the last stays.
    let at = Tensor::from_slice(&[1i64, 2, 1], &[3]).unwrap();
    let weights = vector(&[1.0, 10.0, 100.0]);
    let f = |v: &[Tensor]| {
        let mut out = v[0].clone();
        index::set(&mut out, &[IndexItem::Array(at.clone())], &v[1])?;
        sum(&out.try_mul(&weights)?)
    };
    let g = grad(f, &[&x, &v]).unwrap();
    assert_eq!(values(&g[0]), [1.0, 0.0, 0.0]);
    assert_eq!(values(&g[1]), [0.0, 100.0, 10.0]);
    let f = |v: &[Tensor]| {
        let mut out = v[0].clone();
        out.assign(&v[1])?;
        sum(&out.try_mul(&weights)?)
    };
    let g = grad(f, &[&x, &v]).unwrap();
    assert_eq!(
        (values(&g[0]), values(&g[1])),
        (vec![0.0; 3], values(&weights))
    );
}

#[test]
fn a_long_chain_needs_no_deep_stack() {
    let x = vector(&[1.0]);
    let long = move || {
        let f = |x: &Tensor| {
            let mut y = x.clone();
            for _ in 0..10_000 {
                y = y.try_mul(1.0001)?.try_add(0.0001)?;
            }
            sum(&y)
        };
        values(&slope(f, &x).unwrap())[0]
    };
    let small = std::thread::Builder::new().stack_size(256 << 10);
    let got = small.spawn(long).unwrap().join().unwrap();
    // 10,000 factors, each with a rounding.
    let want = 1.0001f64.powi(10_000);
    assert!(
        (got / want - 1.0).abs() < 10_000.0 * 2.0 * f64::EPSILON,
        "{got}"
    );
}

#[test]
fn the_tape_goes_with_what_was_made_on_it() {
    let x = vector(&vec![1.0; 100]);
    let inner = std::cell::RefCell::new(None);
    let f = |x: &Tensor| {
        let y = x.exp()?;
        *inner.borrow_mut() = y.node().map(Arc::downgrade);
        sum(&y.square()?)
    };
    slope(f, &x).unwrap();
    let node = inner.borrow().clone().expect("a node was recorded");
    assert!(node.upgrade().is_none(), "the tape is gone");
    // Variables keep none of what was made of them, either.
    let variables = Variables::new("test", &[&x]).unwrap();
    let y = variables.tensors()[0].exp().unwrap();
    let node = Arc::downgrade(y.node().unwrap());
    drop(y);
    assert!(node.upgrade().is_none());
}

#[test]
fn gradients_of_elements_wait_and_fuse_as_values_do() {
    let n = 4 * EAGER_ELEMENTS;
    let x = Tensor::full(&[n], 0.5, DType::F64).unwrap();
    let g = slope(|x| sum(&x.exp()?.try_mul(3.0)?.sin()?), &x).unwrap();
    assert!(g.is_pending(), "nobody has read the gradient");
    let plan = crate::lazy::explain(&g).unwrap();
    assert!(plan.starts_with("one pass"), "{plan}");
    assert_eq!(
        plan.matches("exp(").count(),
        1,
        "nothing is computed twice: {plan}"
    );
    let want = 3.0 * 0.5f64.exp() * (3.0 * 0.5f64.exp()).cos();
    assert!((values(&g)[n - 1] - want).abs() < 1e-14 * want.abs());
}

#[test]
fn complex_slopes_are_those_of_the_programs() {
    use num_complex::Complex;
    let z = [Complex::new(1.0, 2.0), Complex::new(-0.5, 0.25)];
    let x = Tensor::from_slice(&z, &[2]).unwrap();
    // |z|^2 has dL/dx + i dL/dy = 2 z, and Re(z^2) has 2 conj(z).
    let g = slope(|x| sum(&x.abs()?.square()?), &x).unwrap();
    let close = |got: &[Complex<f64>], want: &dyn Fn(Complex<f64>) -> Complex<f64>| {
        for (got, z) in got.iter().zip(z) {
            assert!((got - want(z)).norm() < 1e-14, "{got} at {z}");
        }
    };
    close(&g.to_vec().unwrap(), &|z| 2.0 * z);
    let g = slope(|x| sum(&x.square()?.real()?), &x).unwrap();
    close(&g.to_vec().unwrap(), &|z| 2.0 * z.conj());
    // A real variable gets the real part.
    let g = slope(
        |x| {
            sum(&x
                .cast(DType::C128)?
                .try_mul(&x.cast(DType::C128)?)?
                .real()?)
        },
        &vector(&[3.0]),
    );
    let g = g.unwrap();
    assert_eq!((g.dtype(), values(&g)), (DType::F64, vec![6.0]));
}

#[test]
fn half_types_and_mixed_types_keep_the_type_of_each_input() {
    for dtype in [DType::F16, DType::BF16, DType::F32] {
        let x = vector(&[1.0, 2.0]).cast(dtype).unwrap();
        let y = vector(&[3.0, 4.0]);
        let f = |v: &[Tensor]| sum(&v[0].try_mul(&v[1])?);
        let g = grad(f, &[&x, &y]).unwrap();
        assert_eq!((g[0].dtype(), g[1].dtype()), (dtype, DType::F64));
        assert_eq!(
            (values(&g[0]), values(&g[1])),
            (vec![3.0, 4.0], vec![1.0, 2.0])
        );
    }
}

#[test]
fn a_captured_function_may_take_gradients() {
    let x = vector(&vec![0.25; 2 * EAGER_ELEMENTS]);
    let f = |inputs: &[&Tensor]| Ok(vec![slope(|x| sum(&x.exp()?.sin()?), inputs[0])?]);
    let graph = crate::Graph::capture(&[&x], f).unwrap();
    let got = graph.replay(&[&x]).unwrap();
    let want = slope(|x| sum(&x.exp()?.sin()?), &x).unwrap();
    assert_eq!(values(&got[0]), values(&want));
}

/// The slope of `y` reads that of `x` turned, so neither can be a part of the program of the other.
#[test]
fn slopes_that_read_each_other_turned_are_computed_one_by_one() {
    let n = 120;
    let values = |by: f64| (0..n * n).map(|k| (k as f64 * by).sin()).collect();
    let x = Tensor::from_vec(values(0.1), &[n, n]).unwrap();
    let y = Tensor::from_vec(values(0.3), &[n, n]).unwrap();
    let loss = |v: &[Tensor]| {
        let twice = apply(Prim::Mul, &[(&v[1]).into(), 2.0.into()])?.permute(&[1, 0])?;
        apply(Prim::Add, &[(&v[0]).into(), (&twice).into()])?
            .square()?
            .sum(..)
    };
    let slopes = grad(loss, &[&x, &y]).unwrap();
    for first in [0, 1] {
        let slopes = match first {
            0 => slopes.clone(),
            _ => grad(loss, &[&x, &y]).unwrap(),
        };
        slopes[first].eval().unwrap();
        let (of_x, of_y) = (values_of(&slopes[0]), values_of(&slopes[1]));
        for i in 0..n {
            for j in 0..n {
                let want = 2.0 * of_x[j * n + i];
                assert!((of_y[i * n + j] - want).abs() <= 1e-12 * want.abs());
            }
        }
        assert!(of_x.iter().any(|v| v.abs() > 1.0));
    }
}

fn values_of(x: &Tensor) -> Vec<f64> {
    x.to_vec().unwrap()
}

#[test]
fn what_a_product_has_in_memory_is_what_others_are_given() {
    let drawn = |shape: &[usize], seed| {
        let mut generator = crate::random::Generator::new(seed);
        let x = Tensor::randn(shape, DType::F32, &mut generator).unwrap();
        x.cast(DType::BF16).unwrap().eval().unwrap()
    };
    let (x, w) = (drawn(&[96, 32], 1), drawn(&[32, 128], 2));
    let (b, g) = (drawn(&[128], 3), drawn(&[96, 128], 4));
    assert!(g.numel() > EAGER_ELEMENTS);
    let inner = |v: &[Tensor]| linalg::matmul(&v[0], &v[1])?.try_add(&v[2]);
    let (_, back) = vjp(|v| Ok(vec![inner(v)?.tanh()?]), &[&x, &w, &b]).unwrap();
    let slopes = back.pull(&[&g]).unwrap();
    // The slope of the sums, as it is stored.
    let sums = inner(&[x.clone(), w.clone(), b.clone()])
        .unwrap()
        .eval()
        .unwrap();
    let (_, back) = vjp(|v| Ok(vec![v[0].tanh()?]), &[&sums]).unwrap();
    let slope = back.pull(&[&g]).unwrap().remove(0).eval().unwrap();
    let wanted = [
        linalg::matmul(&slope, &w.t().unwrap()).unwrap(),
        linalg::matmul(&x.t().unwrap(), &slope).unwrap(),
        reduce::sum(&slope, &Over::axes(&[0]), None).unwrap(),
    ];
    for (slope, wanted) in slopes.iter().zip(&wanted) {
        let wanted = values(wanted);
        assert!(wanted.iter().any(|x| x.abs() > 1.0));
        assert_eq!(values(slope), wanted);
    }
}
