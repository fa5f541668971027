//! Loops of graphs beside loops of the host.

use super::{Graph, fori_loop, session, while_loop};
use crate::error::{Error, Result};
use crate::prelude::*;
use std::cell::Cell;

fn wave(n: usize, step: f64) -> Tensor {
    let values: Vec<f64> = (0..n * n).map(|k| (k as f64 * step).sin()).collect();
    Tensor::from_slice(&values, &[n, n]).unwrap()
}

fn bits(x: &Tensor) -> Vec<u64> {
    let values = x.to_vec::<f64>().unwrap();
    values.iter().map(|v| v.to_bits()).collect()
}

/// Four neighbours of each inner element, whose mean takes its place.
fn smooth(from: &Tensor, into: &Tensor) -> Result<()> {
    let part = |a: isize, b: isize| {
        let end = |k: isize| (k != 0).then_some(k);
        from.slice(0, Some(1 + a), end(a - 1), 1)?
            .slice(1, Some(1 + b), end(b - 1), 1)
    };
    let sum = &(&part(-1, 0)? + &part(1, 0)?) + &(&part(0, -1)? + &part(0, 1)?);
    let inner = into
        .slice(0, Some(1), Some(-1), 1)?
        .slice(1, Some(1), Some(-1), 1)?;
    // SAFETY: no other thread has it.
    unsafe { inner.assign_last(&(&sum * 0.25), 1) }
}

#[test]
fn a_counted_loop_has_the_bits_of_one_of_the_host() {
    for (n, turns) in [(5, 0), (5, 1), (130, 9)] {
        let (a, b) = (wave(n, 0.3), wave(n, 0.7));
        let (x, y) = (a.copy().unwrap(), b.copy().unwrap());
        for _ in 0..turns {
            smooth(&x, &y).unwrap();
            smooth(&y, &x).unwrap();
        }
        let calls = Cell::new(0);
        let turn = |_: &Tensor, own: &[&Tensor]| {
            calls.set(calls.get() + 1);
            smooth(own[0], own[1])?;
            smooth(own[1], own[0])?;
            Ok(vec![])
        };
        let end = fori_loop(3..3 + turns, &[&a, &b], turn).unwrap();
        assert_eq!((bits(&end[0]), bits(&end[1])), (bits(&x), bits(&y)));
        assert_eq!(
            calls.get(),
            usize::from(turns > 0),
            "a turn is captured once"
        );
        assert_eq!(
            bits(&a),
            bits(&wave(n, 0.3)),
            "the caller's are as they were"
        );
    }
}

#[test]
fn the_number_of_a_turn_is_a_tensor_and_states_may_change_places() {
    let (a, b) = (wave(100, 0.3), wave(100, 0.7));
    let turn = |k: &Tensor, own: &[&Tensor]| Ok(vec![own[1].clone(), own[0] + k]);
    let (mut x, mut y) = (a.clone(), b.clone());
    for k in -2..5 {
        (x, y) = (y, &x + k as f64);
    }
    let end = fori_loop(-2..5, &[&a, &b], turn).unwrap();
    assert_eq!((bits(&end[0]), bits(&end[1])), (bits(&x), bits(&y)));
    assert!(fori_loop(5..5, &[&a], |_, _| Err(Error::value("test", "no turn"))).is_ok());
}

#[test]
fn a_condition_is_asked_before_each_turn() {
    let x = wave(40, 0.3);
    let large = |x: &[&Tensor]| x[0].abs()?.max(..)?.greater(0.1);
    let half = |x: &[&Tensor]| Ok(vec![x[0] * 0.5]);
    let (mut want, mut turns) = (x.clone(), 0);
    while large(&[&want]).unwrap().to_scalar::<bool>().unwrap() {
        want *= 0.5;
        turns += 1;
    }
    assert_eq!(turns, 4);
    assert_eq!(
        bits(&while_loop(&[&x], large, half).unwrap()[0]),
        bits(&want)
    );
    let small = &x * 0.01;
    assert_eq!(
        bits(&while_loop(&[&small], large, half).unwrap()[0]),
        bits(&small)
    );
}

#[test]
fn a_loop_is_a_part_of_a_graph() {
    let (x, w) = (wave(30, 0.3), wave(30, 0.9));
    let function = |i: &[&Tensor]| {
        // What waits when the loop begins is computed before it.
        let before = i[0] * 3.0;
        let end = fori_loop(0..4, &[i[0]], |_, own| Ok(vec![own[0] * &w + &before]))?;
        Ok(vec![&end[0] + &before, before])
    };
    let graph = Graph::capture(&[&x], function).unwrap();
    for step in [0.3, 1.1] {
        let x = wave(30, step);
        let before = &x * 3.0;
        let mut want = x.clone();
        for _ in 0..4 {
            want = &want * &w + &before;
        }
        let got = graph.replay(&[&x]).unwrap();
        assert_eq!(bits(&got[0]), bits(&(&want + &before)));
        assert_eq!(bits(&got[1]), bits(&before));
    }
}

#[test]
fn what_a_graph_writes_besides_is_written_once_after_all_turns() {
    let (x, total) = (wave(20, 0.3), wave(20, 0.0));
    let add = |i: &[&Tensor]| {
        let end = fori_loop(0..3, &[i[0]], |_, own| Ok(vec![own[0] * 2.0]))?;
        // SAFETY: no other thread has it.
        unsafe { total.assign_aliased(&(&total + &end[0]))? };
        Ok(vec![])
    };
    let graph = Graph::capture(&[&x], add).unwrap();
    assert_eq!(bits(&total), bits(&(&x * 8.0)));
    graph.replay(&[&x]).unwrap();
    assert_eq!(bits(&total), bits(&(&x * 16.0)));
}

#[test]
fn loops_within_loops() {
    let x = wave(10, 0.3);
    let inner = |own: &Tensor, k: &Tensor| {
        let far = |i: &[&Tensor]| i[1].less(k);
        let step = |i: &[&Tensor]| Ok(vec![i[0] * 1.5, i[1] + 1]);
        while_loop(&[own, &Tensor::scalar(0, DType::I64)?], far, step)
    };
    let end = fori_loop(0..5, &[&x], |k, own| {
        let end = inner(own[0], k)?;
        Ok(vec![&end[0] + 1.0])
    });
    let mut want = x;
    for k in 0..5 {
        for _ in 0..k {
            want *= 1.5;
        }
        want += 1.0;
    }
    assert_eq!(bits(&end.unwrap()[0]), bits(&want));
}

#[test]
fn what_a_loop_cannot_be_is_a_typed_error() {
    let (x, outer) = (wave(10, 0.3), wave(10, 0.5));
    let kept = bits(&outer);
    let one = |own: &[&Tensor]| Ok(vec![own[0] + 1.0]);
    let says = |result: Result<Vec<Tensor>>, what: &str| {
        let text = result.unwrap_err().to_string();
        assert!(text.contains(what) && text.contains("hint"), "{text}");
        assert!(!session::is_inside());
    };
    says(
        while_loop(&[&x], |i| i[0].greater(0.0), one),
        "wants one bool[]",
    );
    says(while_loop(&[&x], |i| i[0].max(..), one), "wants one bool[]");
    says(
        fori_loop(0..2, &[&x], |_, i| Ok(vec![i[0].sum(..)?])),
        "the state is float64[10, 10]",
    );
    says(
        fori_loop(0..2, &[&x], |_, i| Ok(vec![i[0].clone(), i[0].clone()])),
        "the body gives",
    );
    says(
        fori_loop(0..2, &[&x], |_, i| {
            // SAFETY: no other thread has it.
            unsafe { outer.assign_aliased(i[0])? };
            Ok(vec![])
        }),
        "no part of the loop's state",
    );
    assert_eq!(bits(&outer), kept);
    says(
        fori_loop(0..2, &[&x], |_, i| {
            Ok(vec![i[0] * i[0].to_vec::<f64>()?[0]])
        }),
        "to_vec",
    );
    let held = Cell::new(None);
    says(
        fori_loop(0..2, &[&x], |_, i| {
            held.set(Some((i[0] * 2.0).eval()?));
            Ok(vec![])
        }),
        "held outside",
    );
    says(
        fori_loop(0..2, &[], |_, _| Ok(vec![])).map_err(|e| Error::value("hint", e.to_string())),
        "at least one",
    );
    // A function that goes on is no graph.
    let careless = |i: &[&Tensor]| {
        let _ = fori_loop(0..2, &[i[0]], |_, _| Err(Error::value("test", "mine")));
        Ok(vec![i[0] + 1.0])
    };
    says(Graph::capture(&[&x], careless).map(|_| vec![]), "fori_loop");
}
