//! How much memory long chains of ordinary lines take at once, and what is written over an operand that nobody else will read. A process of
//! its own: what is in use is counted for all threads.

use std::sync::{Mutex, MutexGuard, PoisonError};
use syntonic_core::interrupt::{Answer, heeding};
use syntonic_core::prelude::*;
use syntonic_core::{grad, profile};

const SIDE: usize = 512;
const STEPS: usize = 50;

/// What is in use counts for all: one test after the other.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn row(first: f32) -> Vec<f32> {
    (0..SIDE).map(|k| first + k as f32 / 1000.0).collect()
}

/// Numbers in memory that nobody else has.
fn numbers() -> Tensor {
    let row = Tensor::from_slice(&row(0.1), &[SIDE]).unwrap();
    row.broadcast_to(&[SIDE, SIDE]).unwrap().copy().unwrap()
}

fn address(x: &Tensor) -> usize {
    x.buffer().unwrap().address().addr()
}

fn values(x: &Tensor) -> Vec<f32> {
    x.to_vec().unwrap()
}

/// The most memory in use during `work`, in tensors of the size of its operand, itself included.
fn units(work: impl FnOnce(Tensor) -> Tensor) -> f64 {
    let x = numbers();
    let before = cpu().stats().in_use - 4 * SIDE * SIDE;
    let recording = profile::start();
    let result = work(x).eval().unwrap();
    let profile = recording.finish().unwrap();
    drop(result);
    let peaks = profile.peaks.iter();
    // Where nothing was asked for, the operand is all there was.
    let own = before + 4 * SIDE * SIDE;
    let peak = peaks.map(|peak| peak.bytes).max().unwrap_or(0).max(own);
    (peak - before) as f64 / (4 * SIDE * SIDE) as f64
}

type Line = Box<dyn Fn(&Tensor) -> Tensor>;

fn lines() -> Vec<(&'static str, Line)> {
    let rows = [row(0.9), row(0.2)].map(|r| Tensor::from_slice(&r, &[SIDE]).unwrap());
    vec![
        ("numbers", Box::new(|x| x * 0.9 + 0.1)),
        ("rows", Box::new(move |x| x * &rows[0] + &rows[1])),
        ("x sin x", Box::new(|x| x * x.sin().unwrap() + 0.5)),
        (
            "two lines",
            Box::new(|x| {
                let y = x.tanh().unwrap();
                x * 0.9 + y * 0.1
            }),
        ),
        (
            "both sides",
            Box::new(|x| x.sin().unwrap() * 0.5 + x.cos().unwrap() * 0.4),
        ),
        (
            "four lines",
            Box::new(|x| {
                let y = (x * 0.5).tanh().unwrap();
                let z = (&y * &y - x).square().unwrap();
                let w = z + y;
                w * 0.3
            }),
        ),
    ]
}

fn chain(line: &Line, mut x: Tensor) -> Tensor {
    for _ in 0..STEPS {
        x = line(&x);
    }
    x
}

#[test]
fn a_long_chain_takes_two_tensors() {
    let _alone = alone();
    for (name, line) in &lines() {
        // Step by step, in memory of its own each time.
        let mut want = numbers();
        for _ in 0..STEPS {
            want = line(&want).eval().unwrap();
        }
        let want = values(&want);
        let x = numbers();
        let got = values(&chain(line, x.clone()));
        let near = |(a, b): (&f32, &f32)| (a - b).abs() <= 1e-5 * (1.0 + a.abs());
        assert!(want.iter().zip(&got).all(near), "{name}");
        assert_eq!(values(&x), values(&numbers()), "{name}");
        drop(x);
        let held = units(|x| {
            let y = chain(line, x.clone()).eval().unwrap();
            drop(x);
            y
        });
        let dying = units(|x| chain(line, x));
        println!("{name}: {held:.2} tensors, {dying:.2} where the first one dies");
        assert!(held <= 2.2 && dying <= 2.2, "{name}: {held} {dying}");
    }
}

/// A multiple has a number for its slope, so its way back keeps no operand.
#[test]
fn a_way_back_over_multiples_takes_three_tensors() {
    let _alone = alone();
    let (_, line) = &lines()[0];
    let slope = units(|x| {
        let loss = |v: &[Tensor]| chain(line, v[0].clone()).sum(..);
        grad::grad(loss, &[&x]).unwrap().remove(0)
    });
    assert!(slope <= 3.2, "{slope}");
}

#[test]
fn a_result_is_written_over_an_operand_that_dies() {
    let _alone = alone();
    let x = numbers();
    let (place, old) = (address(&x), values(&x));
    let y = x * 2.0 + 1.0;
    assert_eq!(address(&y), place);
    let want: Vec<f32> = old.iter().map(|v| v * 2.0 + 1.0).collect();
    assert_eq!(values(&y), want);
    // Read twice, in one way.
    let z = &y * y.sin().unwrap();
    drop(y);
    assert_eq!(address(&z), place);
    for (got, v) in values(&z).into_iter().zip(want) {
        assert!((got - v * v.sin()).abs() < 1e-6);
    }
}

#[test]
fn what_somebody_else_will_read_stays() {
    let _alone = alone();
    let old = values(&numbers());
    // The operand itself, and a view of it.
    let x = numbers();
    let y = &x * 2.0 + 1.0;
    assert_ne!(address(&y), address(&x));
    let x = numbers();
    let view = x.index(3).unwrap();
    let y = x * 2.0 + 1.0;
    values(&y);
    assert_eq!(values(&view), old[..SIDE]);
    // Other elements of it.
    let x = numbers();
    let place = address(&x);
    let y = x.t().unwrap() + &x * 2.0;
    drop(x);
    assert_ne!(address(&y), place);
    assert_eq!(values(&y)[1], old[0] + 2.0 * old[1]);
    // What is still to be computed from it.
    let x = numbers();
    let half = x * 0.5;
    let y = (&half + 1.0) * 3.0;
    values(&y);
    let want: Vec<f32> = old.iter().map(|v| v * 0.5).collect();
    assert_eq!(values(&half), want);
    // What the way back reads.
    let slope = grad::grad(|v| (&v[0] * &v[0] * 2.0).sum(..), &[&numbers()]).unwrap();
    let want: Vec<f32> = old.iter().map(|v| v * 4.0).collect();
    assert_eq!(values(&slope[0]), want);
}

#[test]
fn a_caller_who_stops_finds_the_operand_or_the_result() {
    let _alone = alone();
    let old = values(&numbers());
    for _ in 0..20 {
        let y = (numbers() * 2.0 + 1.0).sin().unwrap();
        let stopped = heeding(|| Answer::Stop, || y.to_vec::<f32>());
        drop(stopped);
        for (got, v) in values(&y).into_iter().zip(&old) {
            assert!((got - (v * 2.0 + 1.0).sin()).abs() < 1e-6);
        }
    }
}

/// One thread reads the expression, and others write what it reads, and read it as well.
#[test]
fn threads_see_what_the_expression_was_made_of() {
    let _alone = alone();
    let old = values(&numbers());
    let want: Vec<f32> = old.iter().map(|v| (v * 2.0 + v) * 0.5).collect();
    for _ in 0..50 {
        let other = numbers();
        let y = (numbers() * 2.0 + &other) * 0.5;
        let also = y.clone();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let zero = Tensor::scalar(0.0, DType::F32).unwrap();
                // SAFETY: no call that reads this memory was made since the last result of it was.
                unsafe { other.assign_aliased(&zero) }.unwrap();
            });
            scope.spawn(|| assert_eq!(values(&(&also + 0.0)), want));
            assert_eq!(values(&y), want);
        });
        assert_eq!(values(&other)[7], 0.0);
    }
}
