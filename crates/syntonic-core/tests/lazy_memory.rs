//! Reductions that wait do not keep more memory than they may. A process of its own: what waits is counted for all threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use syntonic_core::fuse::Prim;
use syntonic_core::lazy::{KEPT_BYTES, explain};
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::{Buffer, DType, Layout, Tensor, cpu};

/// What other threads keep counts as well: one test after the other.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn last() -> Over {
    Over::axes(&[-1]).keep()
}

fn one(prim: Prim, a: &Tensor) -> Tensor {
    apply(prim, &[a.into()]).unwrap()
}

fn number(prim: Prim, a: &Tensor, x: f64) -> Tensor {
    apply(prim, &[a.into(), Arg::from(x)]).unwrap()
}

fn values(t: &Tensor) -> Vec<f64> {
    t.to_vec::<f64>().unwrap()
}

/// Memory that counts itself.
fn counted(shape: &[usize], alive: &Arc<AtomicUsize>) -> Tensor {
    struct Owner(
        #[expect(dead_code, reason = "kept alive")] Vec<f64>,
        Arc<AtomicUsize>,
    );
    impl Drop for Owner {
        fn drop(&mut self) {
            self.1.fetch_sub(1, Ordering::SeqCst);
        }
    }
    let n: usize = shape.iter().product();
    let mut values = vec![1.0; n];
    alive.fetch_add(1, Ordering::SeqCst);
    let address = values.as_mut_ptr().cast();
    let owner = Box::new(Owner(values, alive.clone()));
    // SAFETY: the vector owns the bytes and lives in the buffer.
    let buffer = unsafe { Buffer::foreign(&cpu(), address, 8 * n, owner) };
    let layout = Layout::contiguous("test", shape).unwrap();
    // SAFETY: the elements were written above and nobody else has them.
    unsafe { Tensor::from_buffer(DType::F64, layout, Arc::new(buffer)) }.unwrap()
}

#[test]
fn losses_do_not_keep_what_they_were_made_of() {
    let _alone = alone();
    const ROW: usize = 4096;
    let alive = Arc::new(AtomicUsize::new(0));
    let most = KEPT_BYTES / (8 * 128 * ROW) + 1;
    let (mut losses, mut sums) = (Vec::new(), Vec::new());
    for _ in 0..100 {
        let x = counted(&[128, ROW], &alive);
        losses.push(reduce::mean(&one(Prim::Square, &x), &Over::axes(&[-1])).unwrap());
        assert!(alive.load(Ordering::SeqCst) <= most + 1);
    }
    for _ in 0..100 {
        let x = counted(&[128, ROW], &alive);
        sums.push(reduce::sum(&x, &Over::all(), None).unwrap());
        drop(x);
        assert!(alive.load(Ordering::SeqCst) <= most + 1);
    }
    drop(losses.split_off(50));
    assert!(losses.iter().all(|t| values(t) == vec![1.0; 128]));
    assert!(sums.iter().all(|t| values(t) == [(128 * ROW) as f64]));
    assert_eq!(alive.load(Ordering::SeqCst), 0);
}

#[test]
fn many_small_rows_wait_no_longer_than_a_few() {
    let _alone = alone();
    let alive = Arc::new(AtomicUsize::new(0));
    let mut rows = Vec::new();
    for k in 0..200 {
        let x = counted(&[100, 100], &alive);
        let top = reduce::max(&number(Prim::Mul, &x, f64::from(k)), &last()).unwrap();
        rows.push(one(Prim::Neg, &top));
        assert!(alive.load(Ordering::SeqCst) <= 34);
    }
    for (k, row) in rows.iter().enumerate() {
        assert_eq!(values(row), vec![-(k as f64); 100]);
    }
    assert_eq!(alive.load(Ordering::SeqCst), 0);
}

fn two(prim: Prim, a: &Tensor, b: &Tensor) -> Tensor {
    apply(prim, &[a.into(), b.into()]).unwrap()
}

fn row_sums(x: &Tensor) -> Tensor {
    reduce::sum(x, &Over::axes(&[-1]), None).unwrap()
}

#[test]
fn what_the_caller_holds_as_well_does_not_count() {
    let _alone = alone();
    let alive = Arc::new(AtomicUsize::new(0));
    let columns = KEPT_BYTES / (8 * 64) + 1;
    let (x, y) = (
        counted(&[64, columns], &alive),
        counted(&[64, columns], &alive),
    );
    let products = row_sums(&two(Prim::Mul, &x, &y));
    let lengths = [&x, &y].map(|t| one(Prim::Sqrt, &row_sums(&one(Prim::Square, t))));
    let cosine = two(
        Prim::Div,
        &products,
        &two(Prim::Mul, &lengths[0], &lengths[1]),
    );
    drop((products, lengths));
    let plan = explain(&cosine).unwrap();
    assert!(
        plan.contains("one program") && plan.contains("2 inputs"),
        "{plan}"
    );
    drop((x, y));
    let each = values(&cosine);
    assert!(each.iter().all(|c| (c - 1.0).abs() < 1e-12));
    assert_eq!(alive.load(Ordering::SeqCst), 0);
}

#[test]
fn rows_side_by_side_are_one_program_while_the_caller_holds_them() {
    let _alone = alone();
    let alive = Arc::new(AtomicUsize::new(0));
    let columns = KEPT_BYTES / (8 * 64) + 1;
    let all: Vec<Tensor> = (0..3).map(|_| counted(&[64, columns], &alive)).collect();
    let each: Vec<Tensor> = all.iter().map(row_sums).collect();
    let sum = two(Prim::Add, &two(Prim::Add, &each[0], &each[1]), &each[2]);
    drop(each);
    let plan = explain(&sum).unwrap();
    assert!(
        plan.contains("one program") && plan.contains("3 inputs"),
        "{plan}"
    );
    // What nobody holds any more counts.
    drop(all);
    let other = counted(&[64, columns], &alive);
    let last = row_sums(&other);
    assert_eq!(alive.load(Ordering::SeqCst), 1);
    assert!(values(&sum).iter().all(|&s| s == 3.0 * columns as f64));
    assert!(values(&last).iter().all(|&s| s == columns as f64));
}

#[test]
fn losses_that_share_a_weight_do_not_keep_the_rest() {
    let _alone = alone();
    let alive = Arc::new(AtomicUsize::new(0));
    let columns = KEPT_BYTES / (8 * 64) + 1;
    let weight = counted(&[64, columns], &alive);
    let mut losses = Vec::new();
    for _ in 0..6 {
        let x = counted(&[64, columns], &alive);
        losses.push(row_sums(&two(Prim::Mul, &x, &weight)));
        assert!(alive.load(Ordering::SeqCst) <= 3);
    }
    drop(weight);
    assert!(losses.iter().all(|t| values(t) == vec![columns as f64; 64]));
    assert_eq!(alive.load(Ordering::SeqCst), 0);
}

#[test]
fn a_sum_over_a_loop_keeps_no_more_than_a_program_reads() {
    let _alone = alone();
    let alive = Arc::new(AtomicUsize::new(0));
    let mut total = counted(&[128, 128], &alive);
    for _ in 0..40 {
        total = two(Prim::Add, &total, &counted(&[128, 128], &alive));
        assert!(alive.load(Ordering::SeqCst) <= 13);
    }
    assert_eq!(values(&total), vec![41.0; 128 * 128]);
    drop(total);
    assert_eq!(alive.load(Ordering::SeqCst), 0);
}

#[test]
fn a_chain_over_few_tensors_waits_as_long_as_before() {
    let _alone = alone();
    let alive = Arc::new(AtomicUsize::new(0));
    let (x, y) = (counted(&[128, 128], &alive), counted(&[128, 128], &alive));
    let mut chain = two(Prim::Mul, &x, &y);
    for k in 0..20 {
        chain = two(Prim::Add, &chain, if k % 2 == 0 { &x } else { &y });
    }
    let plan = explain(&chain).unwrap();
    assert!(plan.contains("21 expressions fused, 2 inputs"), "{plan}");
    assert_eq!(values(&chain), vec![21.0; 128 * 128]);
}
