//! Random expression graphs: element-wise work, reductions, views, writes in place, failures and threads. What is read later
//! and together is what one call after another gives, and what each call means.
//!
//! `SYNTONIC_LAZY_GRAPHS` says how many graphs there are, `SYNTONIC_LAZY_SEED` which is the first.

mod device;
mod graph;

use graph::play::OVER_ROWS;
use graph::{Stage, complaint, script};
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};
use syntonic_core::fuse::Prim;
use syntonic_core::lazy::{Fusing, explain};
use syntonic_core::ops::elementwise::apply;
use syntonic_core::ops::linalg;
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::{DType, Tensor};

/// Graphs of a usual run.
const GRAPHS: u64 = 250;

fn variable(name: &str, otherwise: u64) -> u64 {
    let given = std::env::var(name).ok();
    given
        .and_then(|text| text.parse().ok())
        .unwrap_or(otherwise)
}

/// One test at a time: how expressions are evaluated is chosen for the whole process.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn what_is_read_later_is_what_each_call_gives() {
    let _alone = alone();
    let first = variable("SYNTONIC_LAZY_SEED", 0);
    let graphs = variable("SYNTONIC_LAZY_GRAPHS", GRAPHS);
    let stages = [Fusing::WRITING, device::AGAIN].map(|fusing| Stage {
        device: device::shaky(fusing),
        make: device::tensor,
        fail: device::failing,
        hesitate: device::hesitate,
    });
    let mut wrong = Vec::new();
    let mut products = 0;
    for seed in first..first + graphs {
        let (steps, models) = script(seed);
        products += u64::from(steps.multiplies());
        let stage = &stages[seed as usize % stages.len()];
        if let Some(text) = complaint(&steps, &models, stage, seed) {
            println!("graph {seed}: {text}\n{steps}");
            wrong.push(seed);
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {graphs} graphs are wrong: {wrong:?}",
        wrong.len()
    );
    let fused = OVER_ROWS.load(Ordering::Relaxed) as u64;
    assert!(
        graphs < 100 || products > graphs / 20,
        "{products} graphs with products"
    );
    assert!(
        graphs < 100 || fused > graphs / 4,
        "{fused} programs over rows in {graphs} graphs"
    );
}

/// What is written by one thread after an expression was made is not what another one, which reads it at that moment, sees.
#[test]
fn memory_that_is_written_while_it_is_read_was_read_before() {
    let _alone = alone();
    let device = device::shaky(Fusing::WRITING);
    let leaf = |v: f64, shape: [usize; 2]| {
        device::tensor(&vec![v; shape[0] * shape[1]], &shape, DType::F64, &device)
    };
    let two = |prim, a: &Tensor, b: &Tensor| apply(prim, &[a.into(), b.into()]).unwrap();
    let rows = Over::axes(&[-1]);
    for read in 0..4 {
        let y = leaf(3.0, [100, 100]);
        let (other, p) = match read {
            2 => (leaf(2.0, [100, 100]), linalg::matmul(&y, &y).unwrap()),
            _ => (
                leaf(2.0, [100, 100]),
                two(Prim::Mul, &y, &leaf(2.0, [100, 1])),
            ),
        };
        let (result, want) = match read {
            0 => (two(Prim::Add, &p, &other), 8.0),
            1 => (
                reduce::max(&two(Prim::Add, &p, &other), &rows).unwrap(),
                8.0,
            ),
            2 => (two(Prim::Add, &p, &other), 902.0),
            // A part that somebody else waits for is written along.
            _ => (reduce::sum(&p, &rows, None).unwrap(), 600.0),
        };
        let waits = two(Prim::Sub, &p, &other);
        let waits = (read == 3).then_some(waits);
        drop(p);
        let written = y.clone();
        device::meanwhile(move || {
            let zero = Tensor::scalar(0.0, DType::F64).unwrap();
            // SAFETY: no call that reads this memory was made since the last result of it was.
            let writes = move || unsafe { written.assign_aliased(&zero) }.unwrap();
            std::thread::spawn(writes).join().unwrap();
        });
        let got = result.to_vec::<f64>().unwrap();
        assert!(
            got.iter().all(|&v| v == want),
            "{read}: {} is not {want}",
            got[0]
        );
        assert!(
            y.to_vec::<f64>().unwrap().iter().all(|&v| v == 0.0),
            "{read}"
        );
        let late = waits.map(|t| t.to_vec::<f64>().unwrap());
        assert!(late.is_none_or(|v| v.iter().all(|&v| v == 4.0)), "{read}");
    }
}

/// An operand that is repeated is a part of the program, along any axes and beside folds, but not in two ways.
#[test]
fn what_is_repeated_is_computed_with_each_element() {
    let _alone = alone();
    let device = device::shaky(device::AGAIN);
    let leaf = |from: usize, shape: &[usize]| {
        let values: Vec<f64> = (0..shape.iter().product())
            .map(|k| ((k * 7 + from) % 11) as f64 - 4.0)
            .collect();
        device::tensor(&values, shape, DType::F64, &device)
    };
    let two = |prim, a: &Tensor, b: &Tensor| apply(prim, &[a.into(), b.into()]).unwrap();
    let one = |prim, a: &Tensor| apply(prim, &[a.into()]).unwrap();
    let x = leaf(0, &[6, 5, 5]);
    let shapes: [&[usize]; 6] = [&[5], &[1, 5, 1], &[6, 1, 1], &[6, 1, 5], &[1, 1, 1], &[]];
    for shape in shapes {
        // Of two shapes: what has one is computed at once.
        let small = || one(Prim::Exp, &two(Prim::Sub, &leaf(3, shape), &leaf(1, &[1])));
        let y = two(Prim::Mul, &x, &small());
        let text = explain(&y).unwrap();
        assert!(
            text.contains("one pass over [6, 5, 5]: 3 expressions"),
            "{shape:?}: {text}"
        );
        let known = small().eval().unwrap();
        let want = two(Prim::Mul, &x, &known);
        assert_eq!(
            y.to_vec::<f64>().unwrap(),
            want.to_vec::<f64>().unwrap(),
            "{shape:?}"
        );
        for axes in [[0isize], [1], [2]] {
            let over = Over::axes(&axes).keep();
            let sum = |y: &Tensor| reduce::sum(y, &over, None).unwrap();
            let folded = |f: &Tensor| two(Prim::Add, &sum(&two(Prim::Mul, &x, f)), f);
            assert_eq!(
                folded(&small()).to_vec::<f64>().unwrap(),
                folded(&known).to_vec::<f64>().unwrap(),
                "{shape:?} {axes:?}"
            );
        }
    }
    let row = one(Prim::Exp, &leaf(2, &[5]));
    let turned = row.expand_dims(&[-1]).unwrap();
    let y = two(Prim::Add, &two(Prim::Mul, &x, &row), &turned);
    let want = {
        let row = row.clone().eval().unwrap();
        let turned = row.expand_dims(&[-1]).unwrap();
        two(Prim::Add, &two(Prim::Mul, &x, &row), &turned)
    };
    assert_eq!(y.to_vec::<f64>().unwrap(), want.to_vec::<f64>().unwrap());
}

/// A result that another program needs is computed again by it where that takes little, and else written.
#[test]
fn what_takes_several_functions_is_written_for_who_waits_for_it() {
    let _alone = alone();
    let device = device::shaky(device::AGAIN);
    // So many that none is computed at once.
    let leaf = |shape: &[usize]| device::tensor(&[0.5; 512], shape, DType::F64, &device);
    let (column, row) = (leaf(&[512, 1]), leaf(&[1, 512]));
    let chain = |prims: &[Prim]| {
        let x = apply(Prim::Mul, &[(&column).into(), (&row).into()]).unwrap();
        let each = prims.iter();
        each.fold(x, |x, &prim| apply(prim, &[(&x).into()]).unwrap())
    };
    let is_written = |prims: &[Prim]| {
        let y = chain(prims);
        let mean = reduce::mean(&y, &Over::all()).unwrap();
        let _waits = apply(Prim::Cos, &[(&y).into()]).unwrap();
        mean.eval().unwrap();
        !y.is_pending()
    };
    assert!(!is_written(&[Prim::Sin, Prim::Neg]));
    assert!(is_written(&[Prim::Sin, Prim::Exp, Prim::Tanh]));
}
