//! Whole programs: every role of inputs and outputs, gradients of gradients, errors.

use crate::difference::{Problem, values};
use syntonic_core::fuse::{Builder, Node, Precision, Prim, Program, Role, Yield};
use syntonic_core::{DType, Error, Tensor};

syntonic_core::fuse! {
    SOFTMAX(x: element) -> (element) {
        let e = exp(x - stop_gradient(max(x)));
        e / sum(e)
    }

    SOFTMAX_THROUGH_THE_SHIFT(x: element) -> (element) {
        let e = exp(x - max(x));
        e / sum(e)
    }

    LAYER_NORM(x: element, gamma: row, beta: row, eps: number) -> (element) {
        let mu = mean(x);
        let var = mean(square(x - mu));
        (x - mu) * rsqrt(var + eps) * gamma + beta
    }

    /// Every role at once, and results that vary less than where they are read.
    EVERYTHING(x: element, w: row, r: row_scalar, a: number) -> (element, row_scalar, row_sum) {
        let y = tanh(x * w + r * a);
        let s = logaddexp(sum(y * w), r) + count() * sin(a) * r;
        [y * s + exp(a), s * mean(w) + sum(r * r) + a * a, y * y * s + r]
    }

    /// Outputs that do not vary as their roles would let them.
    UNVARIED(x: element, r: row_scalar, a: number) -> (element, row_scalar, row_sum) {
        [r * a, a * 3.0, sum(x)]
    }

    /// A sum of something that is the same in the whole row, and a product of it.
    REPEATED(x: element, r: row_scalar) -> (row_scalar) { sum(r) * prod(r) + max(r) + 0.0 * sum(x) }

    UNUSED(x: element, w: row, r: row_scalar, a: number) -> (row_scalar) { sum(x) }
}

fn problems() -> Vec<Problem> {
    let x: &[usize] = &[3, 4];
    vec![
        Problem::new(&SOFTMAX, &[x], &[]),
        Problem::new(&SOFTMAX_THROUGH_THE_SHIFT, &[x], &[]),
        Problem::new(&LAYER_NORM, &[x, &[4], &[4]], &[0.01]),
        Problem::new(&EVERYTHING, &[x, &[4], &[3]], &[0.7]),
        Problem::new(&UNVARIED, &[x, &[3]], &[0.7]),
        Problem::new(&REPEATED, &[x, &[3]], &[]),
        Problem::new(&UNUSED, &[x, &[4], &[3]], &[0.7]),
    ]
}

#[test]
fn gradients_are_differences() {
    for p in problems() {
        p.check();
        p.check_single();
    }
}

#[test]
fn gradients_of_gradients_are_differences_of_gradients() {
    for p in problems() {
        let gradient = p.gradient();
        // `check` knows the order tensors, numbers; cotangents come last, which it follows by role.
        gradient.check();
    }
}

#[test]
fn rows_may_be_any_axes() {
    let mut p = Problem::new(&SOFTMAX, &[&[3, 2, 4]], &[]);
    p.axes = vec![0, 2];
    p.check();
    let mut p = Problem::new(&LAYER_NORM, &[&[3, 2, 4], &[3, 1], &[3, 1]], &[0.01]);
    p.axes = vec![0, 1];
    p.tensors[1] = p.tensors[1].broadcast_to(&[3, 2]).unwrap();
    p.tensors[2] = p.tensors[2].broadcast_to(&[3, 2]).unwrap();
    assert_eq!(p.gradient().run()[1].shape(), [3, 2]);
    let p = Problem::new(&EVERYTHING, &[&[300, 40], &[40], &[300]], &[0.7]);
    let shapes: Vec<Vec<usize>> = p
        .gradient()
        .run()
        .iter()
        .map(|g| g.shape().to_vec())
        .collect();
    assert_eq!(shapes, [vec![300, 40], vec![40], vec![300], vec![300]]);
}

#[test]
fn a_shift_without_gradient_makes_a_shorter_program() {
    let short = SOFTMAX.grad(&[0]).unwrap();
    let long = SOFTMAX_THROUGH_THE_SHIFT.grad(&[0]).unwrap();
    assert!(short.nodes.len() < long.nodes.len(), "{short}{long}");
}

#[test]
fn only_what_is_asked_for_is_computed() {
    let g = LAYER_NORM.grad(&[2]).unwrap();
    assert_eq!(g.outputs.len(), 1);
    assert!(
        !g.has_folds(),
        "the gradient of beta is the cotangent:\n{g}"
    );
    assert_eq!(g.inputs.len(), LAYER_NORM.inputs.len() + 1);
}

#[test]
fn types_follow_the_inputs() {
    for dtype in [DType::F16, DType::BF16, DType::F32, DType::F64] {
        let p = Problem::new(&LAYER_NORM, &[&[3, 4], &[4], &[4]], &[0.01]).cast(dtype);
        for (g, t) in p.gradient().run().iter().zip(&p.tensors) {
            assert_eq!(g.dtype(), t.dtype());
            assert_eq!(g.shape(), t.shape());
        }
    }
    let mut p = Problem::new(&EVERYTHING, &[&[3, 4], &[4], &[3]], &[0.7]);
    p.tensors[1] = p.tensors[1].cast(DType::F32).unwrap();
    let types: Vec<DType> = p.gradient().run().iter().map(Tensor::dtype).collect();
    assert_eq!(types[..3], [DType::F64, DType::F32, DType::F64]);
}

#[test]
fn casts_pass_the_cotangent_back() {
    let mut b = Builder::new();
    let x = b.input("x", Role::Element);
    let wide = b.cast(DType::F64, x);
    let whole = b.cast(DType::I32, x);
    let product = b.apply(Prim::Mul, &[wide, whole]);
    b.output(product, Yield::Element);
    let program = b.finish("casts", Precision::Stepwise);
    let mut p = Problem::new(&program, &[&[3]], &[]).cast(DType::F32);
    p.tensors[0] = Tensor::from_slice(&[1.5f32, 2.25, -3.5], &[3]).unwrap();
    let mut gradient = p.gradient();
    gradient.tensors[1] = Tensor::from_slice(&[1.0, 2.0, 3.0], &[3]).unwrap();
    let g = &gradient.run()[0];
    assert_eq!(g.to_vec::<f32>().unwrap(), [1.0, 4.0, -9.0]);
}

#[test]
fn an_integer_input_has_a_floating_gradient() {
    let mut p = Problem::new(&SOFTMAX, &[&[2, 3]], &[]);
    p.tensors[0] = Tensor::from_slice(&[1i64, 2, 3, 0, 0, 1], &[2, 3]).unwrap();
    let whole = p.gradient().run().remove(0);
    let real = p.cast(DType::F64).gradient().run().remove(0);
    assert_eq!(whole.dtype(), DType::F64);
    assert_eq!(values(&whole), values(&real));
}

#[test]
fn errors() {
    assert!(matches!(
        SOFTMAX.grad(&[1]),
        Err(Error::Value { op: "grad", .. })
    ));
    let broken = Program {
        nodes: vec![Node::Input(0)],
        outputs: vec![syntonic_core::fuse::Output {
            node: syntonic_core::fuse::NodeId(0),
            role: Yield::RowScalar,
        }],
        ..SOFTMAX.clone()
    };
    assert!(matches!(
        broken.grad(&[0]),
        Err(Error::Value { op: "grad", .. })
    ));
}
