//! Picking and placing against their definitions.

use super::*;
use crate::ops::samples::{
    Dice, INTEGERS, Table, assert_defined, flat, ints, positions, scattered, shape, with,
};

fn wrap(i: i64, n: usize) -> usize {
    (if i < 0 { i + n as i64 } else { i }) as usize
}

/// Random indices of `0..n` under `shape`, negative ones among them if the type has any.
fn indices(dice: &mut Dice, shape: &[usize], n: usize) -> Tensor {
    let dtype = dice.pick(&INTEGERS);
    let signed = dtype.kind() == crate::dtype::Kind::Signed;
    let at: Vec<i64> = (0..shape.iter().product())
        .map(|_| {
            dice.below(n) as i64
                - if signed && dice.below(2) == 0 {
                    n as i64
                } else {
                    0
                }
        })
        .collect();
    Tensor::from_vec(at, shape).unwrap().cast(dtype).unwrap()
}

#[test]
fn take_follows_the_definition() {
    for seed in 0..500 {
        let mut dice = Dice::new(seed);
        let ndim = dice.below(4) + 1;
        let mut own = shape(&mut dice, ndim);
        let axis = dice.below(own.len());
        own[axis] = own[axis].max(1);
        let dtype = dice.pick(&DType::ALL[1..]);
        let x = scattered(&mut dice, &own, dtype);
        let inner: Vec<usize> = (0..dice.below(3)).map(|_| dice.below(4)).collect();
        let at = indices(&mut dice, &inner, own[axis]);
        let (table, chosen) = (Table::of(&x), Table::of(&at));
        let mut out = own[..axis].to_vec();
        out.extend(&inner);
        out.extend(&own[axis + 1..]);
        let got = take(&x, &at, Some(axis as isize - own.len() as isize)).unwrap();
        let (from, to) = (axis, axis + inner.len());
        assert_defined(&got, &out, &format!("seed {seed}"), |p| {
            let i = wrap(chosen.at(&p[from..to]), own[axis]);
            let mut q = p[..from].to_vec();
            q.push(i);
            q.extend(&p[to..]);
            table.at(&q)
        });
        if x.numel() > 0 {
            let at = indices(&mut dice, &inner, x.numel());
            let chosen = Table::of(&at);
            let got = take(&x, &at, None).unwrap();
            assert_defined(&got, &inner, &format!("flat, seed {seed}"), |p| {
                table.values[wrap(chosen.at(p), x.numel())]
            });
        }
    }
}

/// A tensor, an axis, and indices for [`take_along_axis`] whose other axes may have length 1.
fn along(dice: &mut Dice) -> (Tensor, usize, Tensor) {
    let ndim = dice.below(4) + 1;
    let mut own = shape(dice, ndim);
    let axis = dice.below(own.len());
    own[axis] = own[axis].max(1);
    let dtype = dice.pick(&[DType::I32, DType::F64, DType::C128, DType::U8, DType::BF16]);
    let x = scattered(dice, &own, dtype);
    let n = dice.below(6);
    let mut inner = with(&own, axis, n);
    for (a, n) in inner.iter_mut().enumerate() {
        if a != axis && dice.below(4) == 0 {
            *n = 1;
        }
    }
    let at = indices(dice, &inner, own[axis]);
    (x, axis, at)
}

#[test]
fn take_along_axis_follows_the_definition() {
    for seed in 0..500 {
        let (x, axis, at) = along(&mut Dice::new(seed));
        let out = with(x.shape(), axis, at.shape()[axis]);
        let (table, chosen) = (Table::of(&x), Table::of(&at));
        let got = take_along_axis(&x, &at, axis as isize).unwrap();
        assert_defined(&got, &out, &format!("seed {seed}"), |p| {
            let q: Vec<usize> = p
                .iter()
                .zip(at.shape())
                .map(|(&i, &n)| if n == 1 { 0 } else { i })
                .collect();
            table.at(&with(p, axis, wrap(chosen.at(&q), x.shape()[axis])))
        });
    }
}

#[test]
fn scatter_and_scatter_add_follow_their_definitions() {
    for seed in 0..500 {
        let (x, axis, at) = along(&mut Dice::new(seed));
        let x = x.cast(DType::F32).unwrap();
        let space = with(x.shape(), axis, at.shape()[axis]);
        let n: usize = space.iter().product();
        let values = Tensor::from_vec((0..n as i64).collect(), &space).unwrap();
        let at = at.broadcast_to(&space).unwrap();
        let chosen = Table::of(&at);
        let (mut last, mut sum) = (x.to_vec::<i64>().unwrap(), x.to_vec::<i64>().unwrap());
        for (k, p) in positions(&space).iter().enumerate() {
            let i = wrap(chosen.at(p), x.shape()[axis]);
            let place = flat(&with(p, axis, i), x.shape());
            last[place] = k as i64;
            sum[place] += k as i64;
        }
        let (mut a, mut b) = (x.clone(), x.clone());
        scatter(&mut a, axis as isize, &at, &values).unwrap();
        scatter_add(&mut b, axis as isize, &at, &values).unwrap();
        assert_eq!(a.to_vec::<i64>().unwrap(), last, "seed {seed}");
        assert_eq!(b.to_vec::<i64>().unwrap(), sum, "seed {seed}");
    }
}

#[test]
fn put_counts_in_row_major_order() {
    for seed in 0..300 {
        let mut dice = Dice::new(seed);
        let ndim = dice.below(4);
        let own: Vec<usize> = (0..ndim).map(|_| dice.below(4) + 1).collect();
        let mut x = scattered(&mut dice, &own, DType::I16);
        let n = dice.below(6);
        let at = indices(&mut dice, &[n], x.numel());
        let mut want = x.to_vec::<i64>().unwrap();
        for (k, i) in at.to_vec::<i64>().unwrap().into_iter().enumerate() {
            want[wrap(i, x.numel())] = k as i64 + 100;
        }
        let values: Vec<i64> = (0..n as i64).map(|k| k + 100).collect();
        let (before, old) = (x.clone(), x.to_vec::<i64>().unwrap());
        put(&mut x, &at, &ints(&values)).unwrap();
        assert_eq!(x.shape(), own);
        assert_eq!(x.to_vec::<i64>().unwrap(), want, "seed {seed}");
        assert_eq!(before.to_vec::<i64>().unwrap(), old);
    }
}

#[test]
fn nonzero_and_select_where_list_positions_in_order() {
    for seed in 0..300 {
        let mut dice = Dice::new(seed);
        let ndim = dice.below(4) + 1;
        let own = shape(&mut dice, ndim);
        let dtype = dice.pick(&DType::ALL);
        let n: usize = own.iter().product();
        let values: Vec<i64> = (0..n).map(|_| dice.below(3) as i64).collect();
        let x = scattered(&mut dice, &own, dtype);
        x.overwrite(&Tensor::from_vec(values.clone(), &own).unwrap())
            .unwrap();
        let found: Vec<Vec<usize>> = positions(&own)
            .into_iter()
            .zip(&values)
            .filter(|p| *p.1 != 0)
            .map(|p| p.0)
            .collect();
        let got = nonzero(&x).unwrap();
        assert_eq!(got.len(), ndim);
        for (a, t) in got.iter().enumerate() {
            let want: Vec<i64> = found.iter().map(|p| p[a] as i64).collect();
            assert_eq!(t.dtype(), DType::I64);
            assert_eq!(t.to_vec::<i64>().unwrap(), want, "seed {seed}");
        }
        let mask = x.cast(DType::Bool).unwrap();
        let chosen = select_where(&x, &mask).unwrap().to_vec::<i64>().unwrap();
        let one = |v: &i64| if dtype.is_bool() { (*v).min(1) } else { *v };
        let want: Vec<i64> = values.iter().filter(|v| **v != 0).map(one).collect();
        assert_eq!(chosen, want, "seed {seed}");
    }
}

#[test]
fn nan_is_not_zero_and_negative_zero_is() {
    let x = Tensor::from_slice(&[0.0, f64::NAN, -0.0, 2.0], &[4]).unwrap();
    assert_eq!(nonzero(&x).unwrap()[0].to_vec::<i64>().unwrap(), [1, 3]);
}

#[test]
fn mistakes_are_typed_and_change_nothing() {
    let mut x = Tensor::from_vec((0..6i64).collect(), &[2, 3]).unwrap();
    let at = ints(&[3]).reshape(&[1, 1]).unwrap();
    let index = |r: Result<Tensor>| {
        matches!(
            r,
            Err(Error::Index {
                index: 3,
                axis: 1,
                len: 3,
                ..
            })
        )
    };
    assert!(index(take(&x, &at, Some(1))));
    assert!(index(take_along_axis(&x, &at, 1)));
    let one = Tensor::scalar(1, DType::I64).unwrap();
    let two_rows = at.broadcast_to(&[2, 1]).unwrap();
    assert!(index(
        scatter(&mut x, 1, &two_rows, &one).map(|()| one.clone())
    ));
    assert!(index(
        scatter_add(&mut x, 1, &two_rows, &one).map(|()| one.clone())
    ));
    let e = put(&mut x, &ints(&[0, 6]), &one).unwrap_err();
    assert!(
        matches!(
            e,
            Error::Index {
                index: 6,
                len: 6,
                ..
            }
        ),
        "{e}"
    );
    let half = Tensor::zeros(&[1, 1], DType::F16).unwrap();
    assert!(matches!(take(&x, &half, Some(0)), Err(Error::DType { .. })));
    assert!(matches!(
        take_along_axis(&x, &half, 0),
        Err(Error::DType { .. })
    ));
    assert!(matches!(take(&x, &at, Some(2)), Err(Error::Axis { .. })));
    assert!(matches!(
        take_along_axis(&x, &ints(&[0]), 0),
        Err(Error::Shape { .. })
    ));
    let zero = ints(&[0]).reshape(&[1, 1]).unwrap();
    let wide = zero.broadcast_to(&[3, 2]).unwrap();
    assert!(matches!(
        take_along_axis(&x, &wide, 1),
        Err(Error::Shape { .. })
    ));
    let mut line = Tensor::zeros(&[1, 3], DType::F32).unwrap();
    let stretched = scatter(&mut line, 1, &zero.broadcast_to(&[2, 1]).unwrap(), &one);
    assert!(matches!(stretched, Err(Error::Shape { .. })));
    assert!(matches!(nonzero(&one), Err(Error::Shape { .. })));
    let mask = Tensor::zeros(&[3], DType::Bool).unwrap();
    assert!(matches!(
        select_where(&x, &mask),
        Err(Error::Indices { .. })
    ));
    assert_eq!(x.to_vec::<i64>().unwrap(), [0, 1, 2, 3, 4, 5]);
}
