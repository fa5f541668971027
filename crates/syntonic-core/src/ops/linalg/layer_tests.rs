//! The builder and the linear layer against separate operators in double precision.

use super::tests::{LAYOUTS, Lies, bound, operand, values};
use super::*;
use crate::fuse::notation::trace;
use crate::fuse::{Role, Yield};
use crate::random::Generator;
use crate::run;
use crate::{DType, Error, Tensor};

/// The activation of a value in double precision, by the reference of its formula.
fn activated(a: Activation, x: f64) -> f64 {
    match a {
        Activation::None => x,
        Activation::Relu => x.max(0.0),
        Activation::Gelu => {
            let inner = (2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x.powi(3));
            0.5 * x * (inner.tanh() + 1.0)
        }
        Activation::GeluErf => {
            let t = Tensor::scalar(-x / 2f64.sqrt(), DType::F64).unwrap();
            let erfc = trace("erfc", &[("x", Role::Element)], &[Yield::Element], |s| {
                vec![crate::fuse::notation::erfc(s[0])]
            });
            let out = run::map(&erfc, &[&t], &[], &[], t.device()).unwrap();
            0.5 * x * out[0].item().unwrap().to_f64()
        }
        Activation::Silu => x / (1.0 + (-x).exp()),
        Activation::Sigmoid => 1.0 / (1.0 + (-x).exp()),
        Activation::Tanh => x.tanh(),
    }
}

const FLOATS: [DType; 4] = [DType::F16, DType::BF16, DType::F32, DType::F64];

#[test]
fn everything_at_once_follows_the_formula() {
    let mut g = Generator::new(1);
    let (m, k, n) = (9, 17, 13);
    for dtype in FLOATS {
        for lies in LAYOUTS {
            for activation in Activation::ALL {
                let mut make = |shape: &[usize]| operand(dtype, shape, lies, &mut g);
                let (a, b) = (make(&[m, k]), make(&[k, n]));
                let (rows, cols) = (make(&[m]), make(&[n]));
                let (c, bias, residual) = (make(&[m, n]), make(&[n]), make(&[m, n]));
                let got = Product::new(&a, &b)
                    .alpha(0.25)
                    .row_scale(&rows)
                    .column_scale(&cols)
                    .beta(-0.5, &c)
                    .bias(&bias)
                    .activation(activation)
                    .residual(&residual, 3.0)
                    .run()
                    .unwrap();
                assert_eq!((got.dtype(), got.shape()), (dtype, &[m, n][..]));
                let [a, b, rows, cols, c, bias, residual, got] =
                    [&a, &b, &rows, &cols, &c, &bias, &residual, &got].map(values);
                for at in 0..m * n {
                    let (i, j) = (at / n, at % n);
                    let scale = 0.25 * rows[i].re * cols[j].re;
                    let terms = (0..k).map(|l| a[i * k + l].re * b[l * n + j].re);
                    let size: f64 = terms.clone().map(f64::abs).sum::<f64>() * scale.abs()
                        + 0.5 * c[at].re.abs()
                        + bias[j].re.abs()
                        + 3.0 * residual[at].re.abs();
                    let inner = terms.sum::<f64>() * scale - 0.5 * c[at].re + bias[j].re;
                    let want = activated(activation, inner) + 3.0 * residual[at].re;
                    // The sum's bound, times 2 for the steepest activation, and some roundings of the other steps.
                    let limit = 2.0 * bound(dtype, k + 10, size + 1.0, want.abs());
                    assert!(
                        (got[at].re - want).abs() <= limit,
                        "{dtype} {lies:?} {activation:?} at {at}: {} for {want}",
                        got[at].re
                    );
                }
            }
        }
    }
}

#[test]
fn a_layer_is_the_product_and_its_end_and_keeps_nan() {
    let mut g = Generator::new(2);
    let x = operand(DType::F32, &[2, 70, 40], Lies::RowMajor, &mut g);
    let w = operand(DType::F32, &[40, 90], Lies::Transposed, &mut g);
    let bias = operand(DType::F32, &[90], Lies::RowMajor, &mut g);
    for activation in Activation::ALL {
        let got = linear(&x, &w, Some(&bias), activation).unwrap();
        let end = trace(
            "end",
            &[("x", Role::Element), ("b", Role::Element)],
            &[Yield::Element],
            |s| vec![activation.over(s[0] + s[1])],
        );
        let product = matmul(&x, &w).unwrap();
        let want = run::map(&end, &[&product, &bias], &[], product.shape(), x.device()).unwrap();
        assert_eq!(values(&got), values(&want[0]), "{activation:?}");
    }
    let nan = Tensor::full(&[3, 40], f64::NAN, DType::F32).unwrap();
    let out = linear(&nan, &w, Some(&bias), Activation::Relu).unwrap();
    assert!(values(&out).iter().all(|z| z.re.is_nan()));
    let huge = Tensor::full(&[3, 40], f64::INFINITY, DType::F32).unwrap();
    let out = linear(
        &huge,
        &Tensor::ones(&[40, 2], DType::F32).unwrap(),
        None,
        Activation::Relu,
    );
    assert!(values(&out.unwrap()).iter().all(|z| z.re == f64::INFINITY));
    let row = x.select(0, 0).unwrap().select(0, 0).unwrap();
    assert_eq!(
        linear(&row, &w, None, Activation::None).unwrap().shape(),
        [90]
    );
}

#[test]
fn nothing_summed_is_the_end_of_zero_and_beta_of_zero_reads_nothing() {
    for dtype in [DType::F16, DType::F32, DType::C64, DType::I32] {
        let a = Tensor::ones(&[3, 0], dtype).unwrap();
        let b = Tensor::ones(&[0, 4], dtype).unwrap();
        let bias = Tensor::full(&[4], 2.0, dtype).unwrap();
        let y = Product::new(&a, &b).bias(&bias).run().unwrap();
        assert_eq!(y.to_vec::<f64>().unwrap(), [2.0; 12]);
        let y = Product::new(&a, &b).beta(2, &bias).run().unwrap();
        assert_eq!(y.to_vec::<f64>().unwrap(), [4.0; 12]);
    }
    let a = Tensor::ones(&[3, 5], DType::F32).unwrap();
    let b = Tensor::ones(&[5, 4], DType::F32).unwrap();
    let nan = Tensor::full(&[3, 4], f64::NAN, DType::F32).unwrap();
    let y = Product::new(&a, &b).beta(0.0, &nan).residual(&nan, 0).run();
    assert_eq!(y.unwrap().to_vec::<f32>().unwrap(), [5.0; 12]);
}

#[test]
fn types_are_those_of_separate_operators() {
    let ones = |shape: &[usize], d| Tensor::ones(shape, d).unwrap();
    let (a, b) = (ones(&[3, 5], DType::F16), ones(&[5, 4], DType::F16));
    let wide = ones(&[4], DType::F32);
    let dtype = |p: Product<'_>| p.run().unwrap().dtype();
    assert_eq!(dtype(Product::new(&a, &b)), DType::F16);
    assert_eq!(dtype(Product::new(&a, &b).bias(&wide)), DType::F32);
    assert_eq!(dtype(Product::new(&a, &b).cast(DType::F64)), DType::F64);
    let (i, j) = (ones(&[3, 5], DType::I8), ones(&[5, 4], DType::I8));
    assert_eq!(
        dtype(Product::new(&i, &j).activation(Activation::Relu)),
        DType::I8
    );
    assert_eq!(
        dtype(Product::new(&i, &j).activation(Activation::Tanh)),
        DType::F64
    );
    // 1/3 of 3 * 2048 + 1 as a half needs one rounding: 2048.33 and not 2048 + 0.5.
    let a = Tensor::full(&[1, 3], 2048.0, DType::F16).unwrap();
    let b = ones(&[3, 1], DType::F16);
    let third = Tensor::full(&[1], 1.0 / 3.0, DType::F32).unwrap();
    let y = Product::new(&a, &b)
        .row_scale(&third)
        .cast(DType::F16)
        .run();
    assert_eq!(y.unwrap().to_vec::<f32>().unwrap(), [2048.0]);
}

#[test]
fn promises_hold_before_the_end() {
    let mut g = Generator::new(3);
    let a = operand(DType::F32, &[30, 50], Lies::RowMajor, &mut g);
    let b = operand(DType::F32, &[50, 40], Lies::RowMajor, &mut g);
    let bias = operand(DType::F32, &[40], Lies::RowMajor, &mut g);
    let product = || {
        Product::new(&a, &b)
            .bias(&bias)
            .activation(Activation::Gelu)
    };
    let want = values(&product().run().unwrap());
    for asked in [
        Precision::High,
        Precision::Medium,
        Precision::Tolerance(1e-3),
    ] {
        assert_eq!(values(&product().precision(asked).run().unwrap()), want);
    }
    assert!(
        product()
            .precision(Precision::Tolerance(-1.0))
            .run()
            .is_err()
    );
}

#[test]
fn mistakes_name_what_is_wrong() {
    let ones = |shape: &[usize], d| Tensor::ones(shape, d).unwrap();
    let (x, w) = (ones(&[3, 5], DType::F32), ones(&[5, 4], DType::F32));
    let shape = |r: crate::Result<Tensor>, op: &str| {
        let e = r.unwrap_err();
        assert!(matches!(e, Error::Shape { .. }), "{e}");
        assert!(e.to_string().starts_with(op), "{e}");
    };
    shape(linear(&x, &x, None, Activation::None), "linear");
    shape(
        linear(&x, &w, Some(&ones(&[3], DType::F32)), Activation::None),
        "linear",
    );
    shape(
        Product::new(&x, &w)
            .residual(&ones(&[4, 3], DType::F32), 1)
            .run(),
        "product",
    );
    shape(
        Product::new(&x, &w)
            .row_scale(&ones(&[4], DType::F32))
            .run(),
        "product",
    );
    shape(
        Product::new(&x, &w)
            .column_scale(&ones(&[3], DType::F32))
            .run(),
        "product",
    );
    shape(
        Product::new(&ones(&[2, 3, 5], DType::F32), &ones(&[3, 5, 4], DType::F32)).run(),
        "product",
    );
    let (z, v) = (ones(&[3, 5], DType::C64), ones(&[5, 4], DType::C64));
    let dtype = |r: crate::Result<Tensor>| assert!(matches!(r, Err(Error::DType { .. })));
    dtype(linear(&z, &v, None, Activation::Relu));
    dtype(Product::new(&z, &v).cast(DType::F32).run());
    let truth = ones(&[3, 5], DType::Bool);
    dtype(linear(
        &truth,
        &ones(&[5, 4], DType::Bool),
        None,
        Activation::None,
    ));
    assert!(linear(&z, &v, None, Activation::Tanh).is_ok());
}

/// The loss `sum(grad * linear(x, w, bias))` in double precision.
fn loss(x: &[f64], w: &[f64], bias: &[f64], grad: &[f64], a: Activation) -> f64 {
    let (k, n) = (w.len() / bias.len(), bias.len());
    let cell = |at: usize| {
        let (i, j) = (at / n, at % n);
        let sum: f64 = (0..k).map(|l| x[i * k + l] * w[l * n + j]).sum();
        grad[at] * activated(a, sum + bias[j])
    };
    (0..grad.len()).map(cell).sum()
}

#[test]
fn gradients_are_central_differences() {
    let mut g = Generator::new(4);
    let x = operand(DType::F64, &[2, 3, 4], Lies::Strided, &mut g);
    let w = operand(DType::F64, &[4, 5], Lies::Transposed, &mut g);
    let bias = operand(DType::F64, &[5], Lies::RowMajor, &mut g);
    let grad = operand(DType::F64, &[2, 3, 5], Lies::Reversed, &mut g);
    let list = |t: &Tensor| t.to_vec::<f64>().unwrap();
    for a in Activation::ALL {
        let z = linear(&x, &w, Some(&bias), Activation::None).unwrap();
        let y = linear(&x, &w, Some(&bias), a).unwrap();
        let outs = [Kept::Input(&z), Kept::Output(&y)];
        for kept in outs {
            let found = linear_backward(&grad, &x, &w, kept, a);
            let needs_input =
                matches!(a, Activation::Gelu | Activation::GeluErf | Activation::Silu);
            if needs_input && matches!(kept, Kept::Output(_)) {
                assert!(matches!(found, Err(Error::Value { .. })), "{a:?}");
                continue;
            }
            let found = found.unwrap();
            let operands = [list(&x), list(&w), list(&bias)];
            for (which, got) in [&found.x, &found.w, &found.bias].into_iter().enumerate() {
                let got = list(got);
                assert_eq!(got.len(), operands[which].len());
                for (at, &got) in got.iter().enumerate() {
                    let h = 1e-5;
                    let moved = |by: f64| {
                        let mut o = operands.clone();
                        o[which][at] += by;
                        loss(&o[0], &o[1], &o[2], &list(&grad), a)
                    };
                    let want = (moved(h) - moved(-h)) / (2.0 * h);
                    // Truncation h^2 f'''/6 and cancellation 1e-16 / h, each with room for the sizes here.
                    assert!(
                        (got - want).abs() < 1e-7,
                        "{a:?} {which} {at}: {got} for {want}"
                    );
                }
            }
        }
    }
}

#[test]
fn gradients_keep_types_and_refuse_what_does_not_fit() {
    let ones = |shape: &[usize], d| Tensor::ones(shape, d).unwrap();
    for dtype in FLOATS {
        let (x, w, y) = (
            ones(&[3, 5], dtype),
            ones(&[5, 4], dtype),
            ones(&[3, 4], dtype),
        );
        let found = linear_backward(&y, &x, &w, Kept::Output(&y), Activation::Relu).unwrap();
        for (t, shape) in [
            (&found.x, &[3, 5][..]),
            (&found.w, &[5, 4]),
            (&found.bias, &[4]),
        ] {
            assert_eq!((t.dtype(), t.shape()), (dtype, shape));
        }
        let wrong = linear_backward(&x, &x, &w, Kept::Output(&y), Activation::Relu);
        assert!(matches!(wrong, Err(Error::Shape { .. })));
    }
    let (x, w, y) = (
        ones(&[3, 5], DType::C64),
        ones(&[5, 4], DType::C64),
        ones(&[3, 4], DType::C64),
    );
    let complex = linear_backward(&y, &x, &w, Kept::Output(&y), Activation::None);
    assert!(matches!(complex, Err(Error::DType { .. })));
}
