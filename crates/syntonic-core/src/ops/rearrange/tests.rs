//! Rearranging against its definitions.

use super::*;
use crate::ops::samples::{Dice, Table, assert_defined, ints, positions, scattered, shape, with};

fn sample(seed: u64) -> (Dice, Tensor, Table) {
    let mut dice = Dice::new(seed);
    let ndim = dice.below(4);
    let own = shape(&mut dice, ndim);
    let dtype = dice.pick(&DType::ALL[1..]);
    let x = scattered(&mut dice, &own, dtype);
    let table = Table::of(&x);
    (dice, x, table)
}

#[test]
fn tile_and_repeat_follow_their_definitions() {
    for seed in 0..400 {
        let (mut dice, x, table) = sample(seed);
        let times: Vec<usize> = (0..dice.below(5)).map(|_| dice.below(4)).collect();
        let ndim = times.len().max(x.ndim());
        let padded = |v: &[usize]| {
            let mut out = vec![1; ndim - v.len()];
            out.extend(v);
            out
        };
        let (own, by) = (padded(x.shape()), padded(&times));
        let out: Vec<usize> = own.iter().zip(&by).map(|(a, b)| a * b).collect();
        let got = tile(&x, &times).unwrap();
        assert_defined(&got, &out, &format!("seed {seed}"), |p| {
            let q: Vec<usize> = p.iter().zip(&own).map(|(i, n)| i % n).collect();
            table.at(&q[ndim - x.ndim()..])
        });
        let n = dice.below(4);
        let flat: Vec<i64> = table.values.iter().flat_map(|&v| vec![v; n]).collect();
        let got = repeat(&x, n, None).unwrap().to_vec::<i64>().unwrap();
        assert_eq!(got, flat, "seed {seed}");
        if x.ndim() == 0 {
            continue;
        }
        let axis = dice.below(x.ndim());
        let len = x.shape()[axis];
        let got = repeat(&x, n, Some(axis as isize)).unwrap();
        assert_defined(&got, &with(x.shape(), axis, len * n), "repeat", |p| {
            table.at(&with(p, axis, p[axis] / n))
        });
        let counts: Vec<i64> = (0..len).map(|_| dice.below(3) as i64).collect();
        let from: Vec<usize> = (0..len).flat_map(|i| vec![i; counts[i] as usize]).collect();
        let got = repeat_each(&x, &ints(&counts), Some(axis as isize)).unwrap();
        assert_defined(&got, &with(x.shape(), axis, from.len()), "counts", |p| {
            table.at(&with(p, axis, from[p[axis]]))
        });
    }
}

#[test]
fn roll_follows_the_definition() {
    for seed in 0..400 {
        let (mut dice, x, table) = sample(seed);
        let axes: Vec<isize> = (0..dice.below(4))
            .filter(|_| x.ndim() > 0)
            .map(|_| dice.below(2 * x.ndim().max(1)) as isize - x.ndim() as isize)
            .collect();
        let shifts: Vec<i64> = axes.iter().map(|_| dice.below(30) as i64 - 15).collect();
        let got = roll(&x, &shifts, Some(&axes)).unwrap();
        assert_defined(&got, x.shape(), &format!("seed {seed}"), |p| {
            let mut q: Vec<i64> = p.iter().map(|&i| i as i64).collect();
            for (&a, &s) in axes.iter().zip(&shifts) {
                q[a.rem_euclid(x.ndim() as isize) as usize] -= s;
            }
            let q: Vec<usize> = q
                .iter()
                .zip(x.shape())
                .map(|(i, &n)| i.rem_euclid(n as i64) as usize)
                .collect();
            table.at(&q)
        });
        let n = table.values.len();
        let flat = roll(&x, &[3], None).unwrap().to_vec::<i64>().unwrap();
        let want: Vec<i64> = (0..n).map(|i| table.values[(i + 3 * n - 3) % n]).collect();
        assert_eq!(flat, want, "seed {seed}");
    }
    let ends = roll(&ints(&[1, 2, 3]), &[i64::MIN, i64::MAX], Some(&[0, 0])).unwrap();
    assert_eq!(
        ends.to_vec::<i64>().unwrap(),
        [2, 3, 1],
        "shifts add up to -1"
    );
}

#[test]
fn moveaxis_is_a_permutation() {
    let x = Tensor::zeros(&[2, 3, 4, 5], DType::F32).unwrap();
    // Shapes as NumPy gives them.
    for (from, to, want) in [
        (vec![0], vec![-1], [3, 4, 5, 2]),
        (vec![-1], vec![0], [5, 2, 3, 4]),
        (vec![0, 1], vec![-1, -2], [4, 5, 3, 2]),
        (vec![3, 0], vec![0, 1], [5, 2, 3, 4]),
        (vec![], vec![], [2, 3, 4, 5]),
    ] {
        assert_eq!(moveaxis(&x, &from, &to).unwrap().shape(), want);
    }
    assert!(matches!(
        moveaxis(&x, &[0, 0], &[1, 2]),
        Err(Error::Axis { .. })
    ));
    assert!(matches!(
        moveaxis(&x, &[0, 1], &[2, 2]),
        Err(Error::Axis { .. })
    ));
    assert!(matches!(moveaxis(&x, &[4], &[0]), Err(Error::Axis { .. })));
    assert!(matches!(
        moveaxis(&x, &[0], &[0, 1]),
        Err(Error::Value { .. })
    ));
}

#[test]
fn triangles_keep_their_side() {
    for seed in 0..200 {
        let mut dice = Dice::new(seed);
        let ndim = 2 + dice.below(2);
        let own = shape(&mut dice, ndim);
        let dtype = dice.pick(&DType::ALL[1..]);
        let x = scattered(&mut dice, &own, dtype);
        let table = Table::of(&x);
        let k = dice.pick(&[-3, -1, 0, 1, 2, i64::MIN, i64::MAX]);
        let (lower, upper) = (tril(&x, k).unwrap(), triu(&x, k).unwrap());
        assert_eq!(lower.dtype(), dtype);
        let side = |p: &[usize]| p[ndim - 1] as i128 - p[ndim - 2] as i128 - i128::from(k);
        assert_defined(&lower, &own, "tril", |p| {
            if side(p) <= 0 { table.at(p) } else { 0 }
        });
        assert_defined(&upper, &own, "triu", |p| {
            if side(p) >= 0 { table.at(p) } else { 0 }
        });
    }
}

#[test]
fn results_do_not_share_memory_between_elements() {
    let x = ints(&[1, 2]);
    for got in [tile(&x, &[3]).unwrap(), repeat(&x, 3, Some(0)).unwrap()] {
        assert!(!got.layout().may_overlap());
        assert_eq!(positions(got.shape()).len(), 6);
    }
}

#[test]
fn mistakes_are_typed() {
    let x = ints(&[1, 2, 3]);
    let huge = usize::MAX / 2;
    assert!(matches!(tile(&x, &[huge]), Err(Error::SizeOverflow { .. })));
    assert!(matches!(
        repeat(&x, huge, None),
        Err(Error::SizeOverflow { .. })
    ));
    assert!(matches!(repeat(&x, 2, Some(1)), Err(Error::Axis { .. })));
    let each = |counts: &Tensor| repeat_each(&x, counts, Some(0)).unwrap_err();
    assert!(matches!(each(&ints(&[1, 2])), Error::Shape { .. }));
    assert!(matches!(each(&ints(&[1, -2, 0])), Error::Value { .. }));
    assert!(matches!(
        each(&ints(&[i64::MAX; 3])),
        Error::SizeOverflow { .. }
    ));
    assert!(matches!(
        each(&x.cast(DType::F32).unwrap()),
        Error::DType { .. }
    ));
    assert!(matches!(
        roll(&x, &[1, 2], Some(&[0])),
        Err(Error::Value { .. })
    ));
    assert!(matches!(
        roll(&x, &[1], Some(&[1])),
        Err(Error::Axis { .. })
    ));
    assert!(matches!(tril(&x, 0), Err(Error::Shape { .. })));
}
