//! Operators of one's own: what they are given, their gradients, graphs and mistakes.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use syntonic_core::custom::{Form, Operator};
use syntonic_core::fuse::Prim;
use syntonic_core::grad::{grad, value_and_grad};
use syntonic_core::lazy::explain;
use syntonic_core::ops::elementwise::apply;
use syntonic_core::{DType, Error, Graph, Result, Scalar, Tensor, profile};

/// `a x + y^2` and `x y` of two float64 tensors of one shape.
fn pair() -> Operator {
    Operator::new("pair", |x, _| match x {
        [a, b] if a == b && a.dtype == DType::F64 => Ok(vec![a.clone(), b.clone()]),
        _ => Err(Error::value(
            "pair",
            "takes two float64 tensors of one shape",
        )),
    })
    .cpu(|call| {
        let a = call.numbers()[0].to_f64();
        let (x, y) = (call.input::<f64>(0)?, call.input::<f64>(1)?);
        let (p, q) = (call.output::<f64>(0)?, call.output::<f64>(1)?);
        for k in 0..x.len() {
            (p[k], q[k]) = (a * x[k] + y[k] * y[k], x[k] * y[k]);
        }
        Ok(())
    })
    .gradient(|step| {
        let ([x, y], [g, h]) = (step.inputs, step.gradients) else {
            unreachable!("two of each")
        };
        let dx = g.try_mul(step.numbers[0])?.try_add(&h.try_mul(y)?)?;
        let dy = g.try_mul(y)?.try_mul(2.0)?.try_add(&h.try_mul(x)?)?;
        Ok(vec![Some(dx), Some(dy)])
    })
}

fn wave(n: usize, step: f64) -> Tensor {
    let values: Vec<f64> = (0..n).map(|k| (k as f64 * step).sin()).collect();
    Tensor::from_vec(values, &[n]).unwrap()
}

fn values(x: &Tensor) -> Vec<f64> {
    x.to_vec().unwrap()
}

/// A number of both results that hangs on each of their elements in its own way.
fn loss(v: &[Tensor], a: f64) -> Result<Tensor> {
    let made = pair().apply(&[&v[0], &v[1]], &[Scalar::Float(a)])?;
    let bent = made[0].sin()?.try_add(&made[1].square()?)?;
    bent.sum(..)
}

#[test]
fn operands_come_row_major_whatever_they_are() {
    let x = Tensor::from_vec((0..6).map(f64::from).collect::<Vec<_>>(), &[2, 3]).unwrap();
    let flipped = x.flip(&[0, 1]).unwrap();
    let wide = Tensor::from([[1.0], [2.0]]).broadcast_to(&[2, 3]).unwrap();
    let made = pair().apply(&[&flipped, &wide], &[2.into()]).unwrap();
    assert_eq!(values(&made[0]), [11.0, 9.0, 7.0, 8.0, 6.0, 4.0]);
    assert_eq!(values(&made[1]), [5.0, 4.0, 3.0, 4.0, 2.0, 0.0]);
    // What waits is computed first.
    let (a, b) = (wave(10_000, 0.1), wave(10_000, 0.3));
    let waiting = apply(Prim::Exp, &[(&a).into()]).unwrap();
    assert!(waiting.is_pending());
    let made = pair().apply(&[&waiting, &b], &[1.into()]).unwrap();
    let want = a.exp().unwrap().try_mul(&b).unwrap();
    assert_eq!(values(&made[1]), values(&want));
    assert!(explain(&made[0]).unwrap().ends_with("in memory"));
    let none = Tensor::zeros(&[0], DType::F64).unwrap();
    assert_eq!(
        pair().apply(&[&none, &none], &[1.into()]).unwrap()[0].shape(),
        [0]
    );
}

#[test]
fn the_gradient_is_that_of_differences_and_has_one_itself() {
    let (x, y) = (wave(7, 0.9), wave(7, 1.7));
    let (_, slopes) = value_and_grad(|v| loss(v, 1.5), &[&x, &y]).unwrap();
    // Truncation h^2/6 times third derivatives below 40, and two roundings of a sum below 20 over 2h.
    let (h, bound) = (1e-5, 1e-8);
    for (operand, slope) in slopes.iter().enumerate() {
        for k in 0..7 {
            let at = |by: f64| {
                let mut all = [values(&x), values(&y)];
                all[operand][k] += by;
                let all = all.map(|v| Tensor::from_vec(v, &[7]).unwrap());
                loss(&all, 1.5).unwrap().to_scalar::<f64>().unwrap()
            };
            let want = (at(h) - at(-h)) / (2.0 * h);
            assert!(
                (values(slope)[k] - want).abs() < bound,
                "operand {operand}, element {k}"
            );
        }
    }
    // The slope of the sum of x y by x is y, and that of y's sum by y is 1.
    let product = |x: &Tensor, y: &Tensor| pair().apply(&[x, y], &[0.into()])?[1].sum(..);
    let by_x = |y: &Tensor| -> Result<Tensor> { Ok(grad(|v| product(&v[0], y), &[&x])?.remove(0)) };
    let second = grad(|v| by_x(&v[0])?.sum(..), &[&y]).unwrap();
    assert_eq!(values(&second[0]), [1.0; 7]);
}

#[test]
fn a_graph_runs_the_function_at_each_replay() {
    let calls = Arc::new(AtomicUsize::new(0));
    let count = calls.clone();
    let squares = Operator::new("squares", |x, _| Ok(vec![x[0].clone()])).cpu(move |call| {
        count.fetch_add(1, Ordering::Relaxed);
        // Operations of its own are no part of the graph, and what they read may be kept.
        call.give(0, &call.tensor(0)?.square()?)
    });
    let f = |x: &Tensor| Ok(vec![squares.apply(&[&(x + 1.0)], &[])?[0].try_mul(2.0)?]);
    let (x, y) = (wave(5000, 0.1), wave(5000, 0.7));
    let graph = Graph::capture(&[&x], |own| f(own[0])).unwrap();
    let before = calls.load(Ordering::Relaxed);
    for input in [&x, &y] {
        let got = graph.replay(&[input]).unwrap();
        assert_eq!(values(&got[0]), values(&f(input).unwrap()[0]));
    }
    assert_eq!(calls.load(Ordering::Relaxed), before + 4);
}

/// What a function captures while it is captured itself is a graph of its own, and leaves the other as it is.
#[test]
fn a_function_may_capture_and_may_not_replay_its_own_graph() {
    let inner = Operator::new("inner", |x, _| Ok(vec![x[0].clone()])).cpu(|call| {
        let x = call.tensor(0)?;
        let graph = Graph::capture(&[&x], |own| Ok(vec![own[0].try_add(10.0)?]))?;
        call.give(0, &graph.replay(&[&x])?[0])
    });
    let x = Tensor::from([1.0, 2.0]);
    let work = |x: &Tensor| {
        let y = inner.apply(&[&x.try_mul(2.0)?], &[])?.remove(0);
        Ok(vec![y.try_mul(100.0)?])
    };
    let graph = Graph::capture(&[&x], |own| work(own[0])).unwrap();
    let other = Tensor::from([5.0, 6.0]);
    assert_eq!(
        values(&graph.replay(&[&other]).unwrap()[0]),
        [2000.0, 2200.0]
    );

    static OWN: OnceLock<Graph> = OnceLock::new();
    let own = Operator::new("own", |x, _| Ok(vec![x[0].clone()])).cpu(|call| {
        let x = call.tensor(0)?;
        match OWN.get() {
            Some(graph) => call.give(0, &graph.replay(&[&x])?[0]),
            None => call.give(0, &x),
        }
    });
    OWN.set(Graph::capture(&[&x], |x| own.apply(x, &[])).unwrap())
        .unwrap();
    let error = OWN.get().unwrap().replay(&[&x]).unwrap_err().to_string();
    assert!(error.contains("replays the graph itself"), "{error}");
}

#[test]
fn a_profile_has_its_name_and_bytes() {
    let x = wave(1000, 0.2);
    let recording = profile::start();
    pair().apply(&[&x, &x], &[1.into()]).unwrap();
    let profile = recording.finish().unwrap();
    let line = profile
        .lines
        .iter()
        .find(|line| line.name == "pair")
        .unwrap();
    assert_eq!(line.bytes, 4 * 8000);
}

#[test]
fn what_goes_wrong_has_the_name_of_the_operator() {
    let x = Tensor::from([1.0, 2.0]);
    let like = || Operator::new("mine", |x, _| Ok(vec![x[0].clone()]));
    let writes = || like().cpu(|call| call.give(0, &call.tensor(0)?));
    let cases: Vec<(Operator, &str)> = vec![
        (like(), "no function for cpu"),
        (Operator::new("mine", |_, _| Ok(vec![])), "no result"),
        (
            Operator::new("mine", |x, _| Ok(vec![x[7].clone()])),
            "its shapes panicked",
        ),
        (
            Operator::new("mine", |_, _| Ok(vec![Form::new([1], DType::F8E4M3)])),
            "storage",
        ),
        (like().cpu(|_| Ok(())), "did not write result 0"),
        (
            like().cpu(|_| panic!("on purpose")),
            "its CPU function panicked: on purpose",
        ),
        (
            like().cpu(|call| call.input::<f32>(0).map(|_| ())),
            "as float32, and it is float64[2]",
        ),
        (
            like().cpu(|call| call.output::<f64>(1).map(|_| ())),
            "result 1 of 1",
        ),
        (
            like().cpu(|call| call.give(0, &Tensor::from([1.0]))),
            "its CPU function gave float64[1]",
        ),
    ];
    for (operator, said) in cases {
        let error = operator.apply(&[&x], &[]).unwrap_err();
        let text = error.to_string();
        assert!(
            matches!(error, Error::Operator { op: "mine", .. }),
            "{text}"
        );
        assert!(text.starts_with("mine: ") && text.contains(said), "{text}");
    }
    let slope = |operator: Operator| {
        grad(|v| operator.apply(&[&v[0]], &[])?[0].sum(..), &[&x]).unwrap_err()
    };
    assert!(matches!(
        slope(writes()),
        Error::Gradient { op: "mine", .. }
    ));
    let wrong = [
        (writes().gradient(|_| Ok(vec![])), "0 slopes for 1 operands"),
        (
            writes().gradient(|_| Ok(vec![Some(Tensor::from([1.0]))])),
            "float64[1]",
        ),
        (
            writes().gradient(|_| panic!("on purpose")),
            "its gradient panicked",
        ),
    ];
    for (operator, said) in wrong {
        let text = slope(operator).to_string();
        assert!(text.starts_with("mine: ") && text.contains(said), "{text}");
    }
    assert_eq!(values(&x), [1.0, 2.0]);
    // The error of a function is the caller's, as it is.
    let error = pair().apply(&[&x], &[]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "pair: takes two float64 tensors of one shape"
    );
}
