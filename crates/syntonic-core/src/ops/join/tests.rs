//! Joining and splitting against their definitions.

use super::*;
use crate::ops::samples::{
    Dice, Table, assert_defined, ints, scattered, shape, shares_buffer, with,
};

#[test]
fn concat_and_stack_follow_their_definitions() {
    for seed in 0..300 {
        let mut dice = Dice::new(seed);
        let ndim = dice.below(4) + 1;
        let own = shape(&mut dice, ndim);
        let axis = dice.below(own.len());
        let parts: Vec<Tensor> = (0..dice.below(4) + 1)
            .map(|_| {
                let n = dice.below(4);
                let dtype = dice.pick(&[DType::U8, DType::I32, DType::F32, DType::F16]);
                scattered(&mut dice, &with(&own, axis, n), dtype)
            })
            .collect();
        let refs: Vec<&Tensor> = parts.iter().collect();
        let tables: Vec<Table> = refs.iter().map(|t| Table::of(t)).collect();
        let total = parts.iter().map(|t| t.shape()[axis]).sum();
        let got = concat(&refs, Some(axis as isize)).unwrap();
        assert_eq!(got.dtype(), common_dtype(&refs).unwrap());
        assert_defined(
            &got,
            &with(&own, axis, total),
            &format!("seed {seed}"),
            |p| {
                let mut i = p[axis];
                let mut k = 0;
                while i >= tables[k].shape[axis] {
                    i -= tables[k].shape[axis];
                    k += 1;
                }
                tables[k].at(&with(p, axis, i))
            },
        );
        let flat: Vec<i64> = tables.iter().flat_map(|t| t.values.clone()).collect();
        assert_eq!(concat(&refs, None).unwrap().to_vec::<i64>().unwrap(), flat);

        let same: Vec<Tensor> = (0..3)
            .map(|_| scattered(&mut dice, &own, DType::I32))
            .collect();
        let at = dice.below(own.len() + 1);
        let mut out = own.clone();
        out.insert(at, 3);
        let tables: Vec<Table> = same.iter().map(Table::of).collect();
        let got = stack(&same.iter().collect::<Vec<_>>(), at as isize).unwrap();
        assert_defined(&got, &out, &format!("seed {seed}"), |p| {
            let mut q = p.to_vec();
            let k = q.remove(at);
            tables[k].at(&q)
        });
    }
}

#[test]
fn parts_are_views_that_join_to_the_whole() {
    let mut dice = Dice::new(1);
    let x = scattered(&mut dice, &[4, 6, 2], DType::F32);
    let thirds = split(&x, 3, 1).unwrap();
    assert!(
        thirds
            .iter()
            .all(|t| t.shape() == [4, 2, 2] && shares_buffer(t, &x))
    );
    let uneven = split_at(&x, &[1, -2, 100], -2).unwrap();
    let lengths: Vec<usize> = uneven.iter().map(|t| t.shape()[1]).collect();
    assert_eq!(lengths, [1, 3, 2, 0]);
    let rows = unstack(&x, 0).unwrap();
    assert!(
        rows.len() == 4
            && rows
                .iter()
                .all(|t| t.shape() == [6, 2] && shares_buffer(t, &x))
    );
    let want = x.to_vec::<f32>().unwrap();
    for whole in [
        concat(&thirds.iter().collect::<Vec<_>>(), Some(1)),
        concat(&uneven.iter().collect::<Vec<_>>(), Some(1)),
        stack(&rows.iter().collect::<Vec<_>>(), 0),
    ] {
        assert_eq!(whole.unwrap().to_vec::<f32>().unwrap(), want);
    }
}

#[test]
fn grids_vary_along_one_axis_each() {
    let (a, b, c) = (ints(&[1, 2, 3]), ints(&[10, 20]), ints(&[7]));
    let grid = meshgrid(&[&a, &b, &c], Indexing::Ij).unwrap();
    for (k, want) in [[1, 2, 3].as_slice(), &[10, 20], &[7]].iter().enumerate() {
        assert_defined(&grid[k], &[3, 2, 1], "ij", |p| want[p[k]]);
    }
    let grid = meshgrid(&[&a, &b, &c], Indexing::Xy).unwrap();
    assert_defined(&grid[0], &[2, 3, 1], "xy", |p| [1, 2, 3][p[1]]);
    assert_defined(&grid[1], &[2, 3, 1], "xy", |p| [10, 20][p[0]]);
    let alone = meshgrid(&[&a], Indexing::Xy).unwrap();
    assert_defined(&alone[0], &[3], "xy alone", |p| [1, 2, 3][p[0]]);
    let x = Tensor::zeros(&[2, 1], DType::F32).unwrap();
    let both = broadcast_arrays(&[&x, &a]).unwrap();
    assert!(both[0].shape() == [2, 3] && both[1].shape() == [2, 3]);
    assert!(shares_buffer(&both[0], &x) && shares_buffer(&both[1], &a));
}

#[test]
fn mistakes_are_typed() {
    let (a, b) = (ints(&[1, 2, 3]), ints(&[1, 2]));
    let square = Tensor::zeros(&[2, 2], DType::F32).unwrap();
    let shape = |r: Result<Tensor>| matches!(r, Err(Error::Shape { .. }));
    assert!(shape(concat(&[&a, &square], Some(0))));
    assert!(shape(stack(&[&a, &b], 0)));
    assert!(shape(split(&a, 2, 0).map(|mut v| v.remove(0))));
    assert!(shape(split(&a, 0, 0).map(|mut v| v.remove(0))));
    assert!(shape(broadcast_arrays(&[&a, &b]).map(|mut v| v.remove(0))));
    assert!(shape(
        meshgrid(&[&square], Indexing::Ij).map(|mut v| v.remove(0))
    ));
    assert!(matches!(concat(&[], Some(0)), Err(Error::Value { .. })));
    assert!(matches!(
        concat(&[&a, &b], Some(1)),
        Err(Error::Axis { .. })
    ));
    assert!(matches!(stack(&[&a], 2), Err(Error::Axis { .. })));
    assert!(matches!(unstack(&a, 1), Err(Error::Axis { .. })));
}
