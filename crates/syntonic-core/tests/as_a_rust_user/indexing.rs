//! Indices as Rust writes them.

use syntonic_core::Error;
use syntonic_core::prelude::*;

fn cube() -> Tensor {
    Tensor::arange(0, 60, 1)
        .unwrap()
        .reshape(&[3, 4, 5])
        .unwrap()
}

fn whole(x: syntonic_core::Result<Tensor>) -> Vec<i64> {
    x.unwrap().to_vec().unwrap()
}

#[test]
fn ranges_of_every_form() {
    let x = Tensor::arange(0, 6, 1).unwrap();
    assert_eq!(whole(x.index(1..3)), [1, 2]);
    assert_eq!(whole(x.index(4..)), [4, 5]);
    assert_eq!(whole(x.index(..2)), [0, 1]);
    assert_eq!(whole(x.index(..=2)), [0, 1, 2]);
    assert_eq!(whole(x.index(..=-3)), [0, 1, 2, 3]);
    assert_eq!(whole(x.index(-2..)), [4, 5]);
    assert_eq!(whole(x.index(..-4)), [0, 1]);
    assert_eq!(whole(x.index(2..100)), [2, 3, 4, 5]);
    assert_eq!(whole(x.index(..=-1)), [0, 1, 2, 3, 4, 5]);
    assert_eq!(whole(x.index(-2..=-1)), [4, 5]);
    assert_eq!(whole(x.index(IndexItem::span(1, -1))), [1, 2, 3, 4]);
    assert_eq!(whole(x.index(IndexItem::span(4, 2))), [0i64; 0]);
    let (from, to) = (1usize, 3usize);
    assert_eq!(whole(x.index(from..to)), [1, 2]);
    assert_eq!(whole(x.index(from)), [1]);
    assert_eq!(whole(x.index(IndexItem::every(1.., 2))), [1, 3, 5]);
    assert_eq!(
        whole(x.index(IndexItem::every(IndexItem::span(4, 1), -1))),
        [4, 3, 2]
    );
    assert!(matches!(
        x.index(IndexItem::every(.., 0)),
        Err(Error::Value { .. })
    ));
    assert!(matches!(x.index(6), Err(Error::Index { index: 6, .. })));
    assert!(matches!(x.index(u64_beyond()), Err(Error::Index { .. })));
}

/// A position that no axis has.
fn u64_beyond() -> usize {
    usize::MAX
}

#[test]
fn several_axes() {
    let x = cube();
    assert_eq!(whole(x.index((1, 2, 3))), [33]);
    assert_eq!(whole(x.index((.., 0, -1))), [4, 24, 44]);
    assert_eq!(x.index((Ellipsis, 0)).unwrap().shape(), [3, 4]);
    assert_eq!(x.index((NewAxis, 0, .., 1..2)).unwrap().shape(), [1, 4, 1]);
    assert_eq!(
        x.index(vec![IndexItem::Int(0), IndexItem::ALL])
            .unwrap()
            .shape(),
        [4, 5]
    );
    assert!(x.index((0..2, ..)).unwrap().shares_storage(&x));
    assert!(matches!(x.index((0, 0, 0, 0)), Err(Error::Indices { .. })));
}

#[test]
fn tensors_as_indices() {
    let x = cube();
    let at = Tensor::from([2, 0]);
    assert_eq!(whole(x.index((&at, 0, 0))), [40, 0]);
    let mask = x.index((0, .., 0)).unwrap().greater(7).unwrap();
    assert_eq!(whole(x.index((0, &mask, 0))), [10, 15]);
}

#[test]
fn writing_reaches_this_tensor_alone() {
    let mut x = cube();
    let before = x.clone();
    x.set((0, 0), &Tensor::from([9, 8, 7, 6, 5])).unwrap();
    x.set((2, .., 0), -1).unwrap();
    x.add_at((&Tensor::from([1, 1]), 0, 0), 100).unwrap();
    assert_eq!(whole(x.index((0, 0))), [9, 8, 7, 6, 5]);
    assert_eq!(whole(x.index((2, .., 0))), [-1; 4]);
    assert_eq!(whole(x.index((1, 0, 0))), [220]);
    assert_eq!(whole(Ok(before)), (0..60).collect::<Vec<i64>>());

    let mut small = Tensor::from([1u8, 2]);
    assert!(matches!(small.set(0, 256), Err(Error::Range { .. })));
    let z = syntonic_core::num_complex::Complex::new(0.0, 1.0);
    assert!(matches!(small.set(0, z), Err(Error::DType { .. })));
    assert!(matches!(
        small.set(.., &Tensor::from([1, 2, 3])),
        Err(Error::Shape { .. })
    ));
    assert_eq!(small.to_vec::<u8>().unwrap(), [1, 2]);
}
