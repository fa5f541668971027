//! Every primitive and every composite.

use crate::difference::{Problem, values};
use num_complex::Complex;
use syntonic_core::fuse::{Builder, NodeId, Precision, Prim, Program, Role, Yield};
use syntonic_core::ops::composites::{self, Composite};
use syntonic_core::{DType, Element, Tensor};

/// `out = build(inputs)` over single elements.
fn program(
    name: &'static str,
    roles: &[Role],
    build: impl FnOnce(&mut Builder, &[NodeId]) -> NodeId,
) -> Program {
    let mut b = Builder::new();
    let args: Vec<NodeId> = roles.iter().map(|&r| b.input("x", r)).collect();
    let out = build(&mut b, &args);
    b.output(out, Yield::Element);
    b.finish(name, Precision::Wide)
}

fn of_prim(prim: Prim) -> Program {
    let roles = vec![Role::Element; prim.arity()];
    program(prim.name(), &roles, |b, args| b.apply(prim, args))
}

fn problem<T: Element>(program: Program, columns: &[&[T]]) -> Problem {
    let tensors = columns
        .iter()
        .map(|c| Tensor::from_slice(c, &[c.len()]).unwrap());
    Problem {
        program,
        tensors: tensors.collect(),
        numbers: Vec::new(),
        axes: Vec::new(),
    }
}

/// Points inside the domain and away from corners, one column per operand.
fn points(prim: Prim) -> [&'static [f64]; 3] {
    let a: &[f64] = match prim {
        Prim::Sqrt | Prim::Rsqrt | Prim::Log | Prim::Log2 | Prim::Log10 => {
            &[0.4, 0.9, 1.6, 3.2, 7.0]
        }
        Prim::Log1p => &[-0.6, -0.2, 0.1, 1.4, 5.0],
        Prim::Asin | Prim::Acos | Prim::Atanh => &[-0.7, -0.3, 0.1, 0.4, 0.6],
        Prim::Tan => &[-2.5, -0.8, 0.6, 0.9, 2.7],
        Prim::Acosh => &[1.4, 1.7, 2.2, 3.0, 5.0],
        Prim::Pow => &[0.4, 0.8, 1.3, 2.1, 3.3],
        _ => &[-2.3, -0.8, 0.6, 1.3, 2.7],
    };
    [
        a,
        &[1.1, -2.2, 0.9, -0.7, 1.6],
        &[0.3, 0.5, -1.5, 2.5, -0.4],
    ]
}

#[test]
fn every_primitive_of_real_numbers() {
    for &prim in Prim::ALL {
        let columns = points(prim);
        if prim.operand_dtype(DType::F64).is_some() {
            problem(of_prim(prim), &columns[..prim.arity()]).check();
        } else {
            let bits: &[i64] = &[5, -3, 2];
            let whole = problem(of_prim(prim), &[bits, &[1, 2, 3], bits][..prim.arity()]);
            for g in whole.gradient().run() {
                assert!(
                    values(&g).iter().all(|z| z.norm() == 0.0),
                    "{}",
                    prim.name()
                );
            }
        }
    }
}

#[test]
fn every_primitive_of_complex_numbers() {
    let z = |re: f64, im: f64| Complex::new(re, im);
    // In all quadrants; no branch cut lies within a step.
    let columns = [
        [z(0.6, 0.8), z(-1.2, 0.6), z(0.4, -0.9), z(-0.7, -0.8)],
        [z(1.1, -0.4), z(0.5, 0.7), z(-0.8, 1.2), z(1.3, 0.2)],
        [z(-0.2, 0.9), z(0.7, 0.1), z(1.2, 0.6), z(-0.5, 0.8)],
    ];
    let columns: Vec<&[Complex<f64>]> = columns.iter().map(|c| &c[..]).collect();
    let mut complex = 0;
    for &prim in Prim::ALL {
        if prim.operand_dtype(DType::C128) == Some(DType::C128) {
            problem(of_prim(prim), &columns[..prim.arity()]).check();
            complex += 1;
        }
    }
    assert!(complex > 30, "{complex} primitives take complex numbers");
}

#[test]
fn real_operands_of_complex_results_get_real_gradients() {
    for prim in [Prim::Add, Prim::Sub, Prim::Mul, Prim::Div, Prim::Pow] {
        let mut p = problem(
            of_prim(prim),
            &[&[Complex::new(0.6, 0.8), Complex::new(-1.2, 0.5)]],
        );
        p.tensors
            .push(Tensor::from_slice(&[1.3, 0.7], &[2]).unwrap());
        p.check();
        assert_eq!(p.gradient().run()[1].dtype(), DType::F64);
        p.tensors.swap(0, 1);
        p.check();
        assert_eq!(p.gradient().run()[0].dtype(), DType::F64);
    }
}

/// The gradient of `prim` at a point with cotangent 1.
fn at(prim: Prim, args: &[f64]) -> Vec<f64> {
    let columns: Vec<[f64; 1]> = args.iter().map(|&x| [x]).collect();
    let columns: Vec<&[f64]> = columns.iter().map(|c| &c[..]).collect();
    let mut gradient = problem(of_prim(prim), &columns).gradient();
    *gradient.tensors.last_mut().unwrap() = Tensor::from_slice(&[1.0], &[1]).unwrap();
    gradient.run().iter().map(|g| values(g)[0].re).collect()
}

#[test]
fn corners_are_what_pytorch_makes_of_them() {
    assert_eq!(at(Prim::Abs, &[0.0]), [0.0]);
    assert_eq!(at(Prim::Max, &[2.0, 2.0]), [0.5, 0.5]);
    assert_eq!(at(Prim::Min, &[2.0, 2.0]), [0.5, 0.5]);
    assert_eq!(at(Prim::Max, &[f64::NAN, 2.0]), [1.0, 1.0]);
    assert_eq!(at(Prim::Pow, &[0.0, 0.0]), [0.0, 0.0]);
    assert_eq!(at(Prim::Pow, &[0.0, 2.0]), [0.0, 0.0]);
    assert_eq!(at(Prim::Sqrt, &[0.0]), [f64::INFINITY]);
    assert_eq!(at(Prim::Atan2, &[0.0, 0.0]), [0.0, 0.0]);
    assert_eq!(at(Prim::CopySign, &[0.0, 1.0]), [0.0, 0.0]);
    assert_eq!(at(Prim::Select, &[0.0, 3.0, 4.0]), [0.0, 0.0, 1.0]);
    assert_eq!(at(Prim::LogAddExp, &[f64::NEG_INFINITY, 0.0]), [0.0, 1.0]);
}

fn of_composite(c: &Composite, rest: Role) -> Problem {
    let columns: [&[f64]; 3] = [
        &[-2.3, -0.6, 0.4, 1.9],
        &[-1.1, -0.9, 0.7, -0.3],
        &[1.2, 0.8, 1.4, 0.9],
    ];
    let n = c.args.len();
    let mut roles = vec![rest; n];
    roles[0] = Role::Element;
    let tensors = if rest == Role::Number { 1 } else { n };
    let mut p = problem(program(c.name, &roles, c.build), &columns[..tensors]);
    if rest == Role::Number {
        p.numbers = [(-0.7).into(), 1.3.into()][..n - 1].to_vec();
        p.axes = vec![0];
    }
    p
}

#[test]
fn every_composite() {
    for c in composites::ALL {
        of_composite(c, Role::Element).check();
        of_composite(c, Role::Element).check_single();
        of_composite(c, Role::Number).check();
    }
}

#[test]
fn composites_that_are_smooth_at_zero_are_so_when_made_of_pieces() {
    use composites::*;
    for c in [SIGMOID, SILU, SOFTPLUS, LOG_SIGMOID, GELU, GELU_ERF, MISH] {
        let mut p = of_composite(&c, Role::Element);
        p.tensors[0] = Tensor::from_slice(&[0.0, -0.0], &[2]).unwrap();
        p.check();
    }
    let mut relu = of_composite(&RELU, Role::Element).gradient();
    relu.tensors[0] = Tensor::from_slice(&[-1.0, 0.0, -0.0, 1.0], &[4]).unwrap();
    relu.tensors[1] = Tensor::from_slice(&[1.0; 4], &[4]).unwrap();
    assert_eq!(relu.run()[0].to_vec::<f64>().unwrap(), [0.0, 0.0, 0.0, 1.0]);
}
