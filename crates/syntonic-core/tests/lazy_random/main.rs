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
    let stage = Stage {
        device: device::shaky(),
        make: device::tensor,
        fail: device::failing,
        hesitate: device::hesitate,
    };
    let mut wrong = Vec::new();
    let mut products = 0;
    for seed in first..first + graphs {
        let (steps, models) = script(seed);
        products += u64::from(steps.multiplies());
        if let Some(text) = complaint(&steps, &models, &stage, seed) {
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
    let device = device::shaky();
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
