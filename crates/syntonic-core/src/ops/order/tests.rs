//! Order against sorting pairs by comparison.

use super::*;
use crate::cpu::threads::Threads;
use crate::ops::reduce::Over;
use crate::random::Generator;
use crate::{DType, Error, Scalar, Tensor};
use num_complex::Complex;
use std::cmp::Ordering;

type C = Complex<f64>;
use Direction::{Ascending, Descending};

/// Few different values, zeros of both signs, infinities and NaN.
fn awkward(n: usize, seed: u64) -> Vec<f64> {
    let mut draws = vec![0i64; n];
    Generator::new(seed).integers(&mut draws, -20, 24).unwrap();
    let special = |d: i64| match d {
        20 => f64::NAN,
        21 => f64::INFINITY,
        22 => f64::NEG_INFINITY,
        23 => -0.0,
        d => d as f64 / 4.0,
    };
    draws.into_iter().map(special).collect()
}

/// NaN last, the rest by value in this direction.
fn compare(a: f64, b: f64, direction: Direction) -> Ordering {
    match (a.is_nan(), b.is_nan()) {
        (true, true) => Ordering::Equal,
        (true, false) => Ordering::Greater,
        (false, true) => Ordering::Less,
        _ if direction == Ascending => a.partial_cmp(&b).unwrap(),
        _ => b.partial_cmp(&a).unwrap(),
    }
}

fn by_definition(x: &[f64], direction: Direction) -> Vec<i64> {
    let mut order: Vec<i64> = (0..x.len() as i64).collect();
    order.sort_by(|&i, &j| compare(x[i as usize], x[j as usize], direction));
    order
}

fn floats(x: &Tensor) -> Vec<f64> {
    x.to_vec().unwrap()
}

fn longs(x: &Tensor) -> Vec<i64> {
    x.to_vec().unwrap()
}

fn same(a: &[f64], b: &[f64], what: &str) {
    let equal = |(x, y): (&f64, &f64)| x == y || (x.is_nan() && y.is_nan());
    assert!(
        a.len() == b.len() && a.iter().zip(b).all(equal),
        "{what}: {a:?} for {b:?}"
    );
}

#[test]
fn every_dtype_sorts_stably() {
    for dtype in DType::ALL {
        // Around the change from comparisons to digits.
        for n in [1usize, 2, 77, 1499, 1500, 5000] {
            let x = Tensor::from_vec(awkward(n, n as u64), &[n]).unwrap();
            let x = x.cast(dtype).unwrap().eval().unwrap();
            let values = floats(&x);
            for direction in [Ascending, Descending] {
                let want = by_definition(&values, direction);
                let what = format!("{dtype} {n} {direction:?}");
                assert_eq!(longs(&argsort(&x, 0, direction).unwrap()), want, "{what}");
                let sorted: Vec<f64> = want.iter().map(|&i| values[i as usize]).collect();
                let got = sort(&x, 0, direction).unwrap();
                assert_eq!(got.dtype(), dtype);
                same(&floats(&got), &sorted, &what);
            }
        }
    }
}

#[test]
fn full_range_integers_and_floats_use_every_digit() {
    let n = 4000;
    let mut words = vec![0u64; n];
    Generator::new(5).bits_u64(&mut words);
    let x = Tensor::from_slice(&words, &[n]).unwrap();
    let got = sort(&x, 0, Ascending).unwrap().to_vec::<u64>().unwrap();
    words.sort_unstable();
    assert_eq!(got, words);
    let mut normal = vec![0f32; n];
    Generator::new(6).normal_f32(&mut normal);
    let x = Tensor::from_slice(&normal, &[n]).unwrap();
    let got = sort(&x, 0, Descending).unwrap().to_vec::<f32>().unwrap();
    normal.sort_unstable_by(|a, b| b.total_cmp(a));
    assert_eq!(got, normal);
}

#[test]
fn long_lines_are_merged_from_halves_in_any_pool() {
    for n in [2 << 16, (2 << 16) + 1, 600_001] {
        let values = awkward(n, 9);
        let x = Tensor::from_slice(&values, &[n]).unwrap();
        let want = by_definition(&values, Descending);
        for threads in [1, 2, 3] {
            let pool = Threads::new(threads);
            let in_pool = |dtype| {
                let x = x.cast(dtype).unwrap();
                longs(&argsort(&x, 0, Descending).unwrap())
            };
            for dtype in [DType::F32, DType::F64] {
                assert!(
                    pool.install(|| in_pool(dtype)) == want,
                    "{dtype} {n} {threads}"
                );
            }
            let got =
                pool.install(|| floats(&sort(&x.cast(DType::F32).unwrap(), 0, Ascending).unwrap()));
            let up = by_definition(&values, Ascending);
            let sorted: Vec<f64> = up.iter().map(|&i| values[i as usize]).collect();
            let equal = |(a, b): (&f64, &f64)| a == b || (a.is_nan() && b.is_nan());
            assert!(got.iter().zip(&sorted).all(equal), "{n} {threads}");
        }
    }
}

#[test]
fn any_axis_and_layout() {
    let base = Tensor::from_vec(awkward(6 * 8 * 10, 7), &[6, 8, 10]).unwrap();
    let views = [
        base.clone(),
        base.permute(&[2, 0, 1]).unwrap(),
        base.flip(&[0, 2]).unwrap(),
        base.slice(1, Some(1), None, 3).unwrap(),
        base.slice(1, Some(1), Some(2), 1)
            .unwrap()
            .broadcast_to(&[6, 5, 10])
            .unwrap(),
    ];
    for x in views {
        for axis in 0..3isize {
            let order = crate::ops::scan::last_order(axis as usize, 3);
            let line = |t: &Tensor| floats(&t.permute(&order).unwrap());
            let n = x.shape()[axis as usize];
            let (values, got) = (line(&x), line(&argsort(&x, axis, Descending).unwrap()));
            let sorted = line(&sort(&x, axis - 3, Descending).unwrap());
            for at in 0..values.len() / n {
                let part = at * n..(at + 1) * n;
                let want = by_definition(&values[part.clone()], Descending);
                let order: Vec<i64> = got[part.clone()].iter().map(|&i| i as i64).collect();
                assert_eq!(order, want);
                let want: Vec<f64> = want.iter().map(|&i| values[at * n + i as usize]).collect();
                same(&sorted[part], &want, "sorted");
            }
        }
    }
}

#[test]
fn complex_numbers_compare_part_by_part_with_nan_parts_last() {
    let nan = f64::NAN;
    let x = [
        C::new(nan, nan),
        C::new(nan, 1.0),
        C::new(5.0, nan),
        C::new(1.0, 2.0),
        C::new(1.0, -2.0),
        C::new(-1.0, 9.0),
        C::new(nan, 0.0),
        C::new(-0.0, 1.0),
        C::new(0.0, 0.0),
    ];
    let x = Tensor::from_slice(&x, &[x.len()]).unwrap();
    let order = longs(&argsort(&x, 0, Ascending).unwrap());
    assert_eq!(order, [5, 8, 7, 4, 3, 2, 6, 1, 0]);
    let first = sort(&x, 0, Ascending).unwrap().to_vec::<C>().unwrap()[..2].to_vec();
    assert_eq!(first[0], C::new(-1.0, 9.0));
}

#[test]
fn the_few_most_extreme() {
    let x = Tensor::from_vec(awkward(3 * 50, 8), &[3, 50]).unwrap();
    for (extreme, direction) in [
        (Extreme::Largest, Descending),
        (Extreme::Smallest, Ascending),
    ] {
        for k in [0usize, 1, 7, 50] {
            let (values, at) = topk(&x, k, 1, extreme, Ranked::InOrder).unwrap();
            let want = argsort(&x, 1, direction).unwrap();
            let want = want.slice(1, None, Some(k as isize), 1).unwrap();
            assert_eq!(longs(&at), longs(&want));
            let all = sort(&x, 1, direction).unwrap();
            let all = all.slice(1, None, Some(k as isize), 1).unwrap();
            same(&floats(&values), &floats(&all), "values");
            let (_, loose) = topk(&x, k, 1, extreme, Ranked::InPlace).unwrap();
            let mut rows: Vec<Vec<i64>> =
                longs(&want).chunks(k.max(1)).map(<[_]>::to_vec).collect();
            rows.iter_mut().for_each(|r| r.sort_unstable());
            assert_eq!(longs(&loose), rows.concat());
        }
    }
    let (values, at) = topk(&x, 2, 0, Extreme::Largest, Ranked::InOrder).unwrap();
    assert_eq!((values.shape(), at.shape()), (&[2, 50][..], &[2, 50][..]));
    let e = topk(&x, 4, 0, Extreme::Largest, Ranked::InOrder);
    assert!(matches!(e, Err(Error::Shape { .. })));
}

#[test]
fn places_in_a_sorted_vector() {
    let sorted = Tensor::from_slice(&[1.0f32, 2.0, 2.0, 5.0, f32::NAN], &[5]).unwrap();
    let x = Tensor::from_slice(&[0.0f64, 2.0, 5.0, 6.0, f64::NAN, 1.5], &[3, 2]).unwrap();
    let left = searchsorted(&sorted, &x, Side::Left, None).unwrap();
    assert_eq!(
        (left.shape(), longs(&left)),
        (&[3, 2][..], vec![0, 1, 3, 4, 4, 1])
    );
    let right = searchsorted(&sorted, &x, Side::Right, None).unwrap();
    assert_eq!(longs(&right), [0, 3, 4, 4, 5, 1]);
    let mixed = Tensor::from_slice(&[5i32, 1, 2, 2], &[4]).unwrap();
    let order = argsort(&mixed, 0, Ascending).unwrap();
    let x = Tensor::from_slice(&[2i64, 9], &[2]).unwrap();
    let got = searchsorted(&mixed, &x, Side::Right, Some(&order)).unwrap();
    assert_eq!(longs(&got), [3, 4]);
    let back = sorted.flip(&[0]).unwrap().flip(&[0]).unwrap();
    let many = Tensor::full(&[10_000], 2.0, DType::F32).unwrap();
    assert_eq!(
        longs(&searchsorted(&back, &many, Side::Left, None).unwrap()),
        [1; 10_000]
    );
    let table = Tensor::zeros(&[2, 2], DType::F32).unwrap();
    assert!(matches!(
        searchsorted(&table, &x, Side::Left, None),
        Err(Error::Shape { .. })
    ));
    assert!(matches!(
        searchsorted(&sorted, &x, Side::Left, Some(&order)),
        Err(Error::Shape { .. })
    ));
    let none = Tensor::zeros(&[0], DType::F32).unwrap();
    assert_eq!(
        longs(&searchsorted(&none, &x, Side::Left, None).unwrap()),
        [0, 0]
    );
}

#[test]
fn membership() {
    let x = Tensor::from_slice(&[3.0f64, f64::NAN, -0.0, 8.0, 1.0, 9.0], &[2, 3]).unwrap();
    let set = Tensor::from_slice(&[8.0f64, 0.0, 3.0, f64::NAN], &[4]).unwrap();
    let inside = isin(&x, &set, Membership::Inside)
        .unwrap()
        .to_vec::<bool>()
        .unwrap();
    assert_eq!(inside, [true, false, true, true, false, false]);
    let outside = isin(&x, &set, Membership::Outside)
        .unwrap()
        .to_vec::<bool>()
        .unwrap();
    assert!(inside.iter().zip(&outside).all(|(a, b)| a != b));
    let none = Tensor::zeros(&[0], DType::F64).unwrap();
    let got = isin(&x, &none, Membership::Inside).unwrap();
    assert_eq!(got.to_vec::<bool>().unwrap(), [false; 6]);
}

#[test]
fn membership_of_complex_numbers_follows_the_definition() {
    let numbers = |n: usize, seed: u64| -> Vec<C> {
        let parts = awkward(n, seed).into_iter().zip(awkward(n, seed + 1));
        parts.map(|(re, im)| C::new(re, im)).collect()
    };
    let (x, set) = (numbers(2000, 31), numbers(700, 33));
    let want: Vec<bool> = x.iter().map(|a| set.contains(a)).collect();
    let tensor = |v: Vec<C>| Tensor::from_vec(v.clone(), &[v.len()]).unwrap();
    let got = isin(&tensor(x), &tensor(set), Membership::Inside).unwrap();
    assert_eq!(got.to_vec::<bool>().unwrap(), want);
    assert!(want.contains(&true) && want.contains(&false));
}

#[test]
fn different_elements() {
    let x = Tensor::from_slice(&[3i32, 1, 3, 2, 1, 3], &[2, 3]).unwrap();
    let u = unique(&x.permute(&[1, 0]).unwrap()).unwrap();
    // Row-major: 3 2 1 1 3 3.
    assert_eq!(longs(&u.values), [1, 2, 3]);
    assert_eq!(longs(&u.indices), [2, 1, 0]);
    assert_eq!(
        (u.inverse.shape(), longs(&u.inverse)),
        (&[3, 2][..], vec![2, 1, 0, 0, 2, 2])
    );
    assert_eq!(longs(&u.counts), [2, 1, 3]);
    let x = Tensor::from_slice(&[f32::NAN, 0.0, f32::NAN, -0.0], &[4]).unwrap();
    let u = unique(&x).unwrap();
    assert_eq!(longs(&u.counts), [2, 1, 1]);
    assert_eq!(longs(&u.inverse), [1, 0, 2, 0]);
    let u = unique(&Tensor::zeros(&[0, 2], DType::F32).unwrap()).unwrap();
    assert_eq!(
        (u.values.shape(), u.inverse.shape()),
        (&[0][..], &[0, 2][..])
    );
    assert_eq!(u.counts.shape(), [0]);
}

#[test]
fn quantiles_between_elements() {
    let x = Tensor::from_slice(&[4.0f32, 1.0, 3.0, 2.0], &[4]).unwrap();
    let all = Over::all();
    let at = |q, m| quantile(&x, q, &all, m).unwrap().item().unwrap().to_f64();
    assert_eq!(at(0.4, Method::Lower), 2.0);
    assert_eq!(at(0.4, Method::Higher), 3.0);
    assert_eq!(at(0.4, Method::Nearest), 2.0);
    assert_eq!(at(0.5, Method::Nearest), 3.0);
    assert_eq!(at(0.4, Method::Midpoint), 2.5);
    assert_eq!(at(0.5, Method::Linear), 2.5);
    assert!((at(0.4, Method::Linear) - 2.2).abs() < 4.0 * 2f64.powi(-23));
    assert_eq!(
        (at(0.0, Method::Linear), at(1.0, Method::Linear)),
        (1.0, 4.0)
    );
    assert_eq!(
        median(&x, &all).unwrap().item().unwrap(),
        Scalar::Float(2.5)
    );
    let ints = Tensor::from_slice(&[1i8, 2, 4], &[3]).unwrap();
    assert_eq!(median(&ints, &all).unwrap().dtype(), DType::F64);
    let several = quantiles(&x, &[0.0, 0.5, 1.0], &all, Method::Linear).unwrap();
    assert_eq!(floats(&several), [1.0, 2.5, 4.0]);
}

#[test]
fn quantiles_along_axes_with_nan_and_infinities() {
    let inf = f64::INFINITY;
    let rows = [
        1.0,
        f64::NAN,
        2.0,
        inf,
        inf,
        inf,
        -inf,
        5.0,
        0.0,
        7.0,
        3.0,
        1.0,
    ];
    let x = Tensor::from_slice(&rows, &[4, 3]).unwrap();
    let out = median(&x, &Over::axes(&[1]).keep()).unwrap();
    assert_eq!(out.shape(), [4, 1]);
    same(&floats(&out), &[f64::NAN, inf, 0.0, 3.0], "rows");
    let y = x
        .reshape(&[2, 2, 3])
        .unwrap()
        .slice(2, Some(0), Some(1), 1)
        .unwrap();
    let out = quantile(&y, 1.0, &Over::axes(&[0, 2]), Method::Linear).unwrap();
    same(&floats(&out), &[1.0, inf], "two axes");
    let none = Tensor::zeros(&[0], DType::F32).unwrap();
    assert!(matches!(
        median(&none, &Over::all()),
        Err(Error::EmptyReduction { .. })
    ));
    let rows = Tensor::zeros(&[0, 3], DType::F32).unwrap();
    assert_eq!(median(&rows, &Over::axes(&[1])).unwrap().shape(), [0]);
    let none = Tensor::zeros(&[3, 0], DType::F32).unwrap();
    assert!(matches!(
        median(&none, &Over::axes(&[1])),
        Err(Error::EmptyReduction { .. })
    ));
    assert!(matches!(
        quantile(&x, 1.5, &Over::all(), Method::Linear),
        Err(Error::Value { .. })
    ));
    assert!(matches!(
        median(&x, &Over::axes(&[2])),
        Err(Error::Axis { .. })
    ));
    assert!(matches!(
        median(&x, &Over::axes(&[1, -1])),
        Err(Error::Axis { .. })
    ));
    let z = Tensor::zeros(&[3], DType::C64).unwrap();
    assert!(matches!(median(&z, &Over::all()), Err(Error::DType { .. })));
}

#[test]
fn counts_and_weights() {
    let x = Tensor::from_slice(&[1u8, 3, 1, 0], &[4]).unwrap();
    assert_eq!(longs(&bincount(&x, None, 0).unwrap()), [1, 2, 0, 1]);
    assert_eq!(longs(&bincount(&x, None, 6).unwrap()), [1, 2, 0, 1, 0, 0]);
    let w = Tensor::from_slice(&[0.5f32, 2.0, 1.0, -1.0], &[4]).unwrap();
    assert_eq!(
        floats(&bincount(&x, Some(&w), 0).unwrap()),
        [-1.0, 1.5, 0.0, 2.0]
    );
    let none = Tensor::zeros(&[0], DType::I64).unwrap();
    assert_eq!(longs(&bincount(&none, None, 2).unwrap()), [0, 0]);
    let below = Tensor::from_slice(&[1i32, -1], &[2]).unwrap();
    assert!(matches!(
        bincount(&below, None, 0),
        Err(Error::Value { .. })
    ));
    assert!(matches!(bincount(&w, None, 0), Err(Error::DType { .. })));
    let table = x.reshape(&[2, 2]).unwrap();
    assert!(matches!(
        bincount(&table, None, 0),
        Err(Error::Shape { .. })
    ));
    assert!(matches!(
        bincount(&below, Some(&w), 0),
        Err(Error::Shape { .. })
    ));
}

#[test]
fn empty_and_wrong_axes() {
    let none = Tensor::zeros(&[2, 0], DType::F32).unwrap();
    assert_eq!(sort(&none, 1, Ascending).unwrap().shape(), [2, 0]);
    assert_eq!(argsort(&none, 0, Ascending).unwrap().dtype(), DType::I64);
    let number = Tensor::scalar(1.0, DType::F32).unwrap();
    assert!(matches!(
        sort(&number, 0, Ascending),
        Err(Error::Axis { .. })
    ));
    assert!(matches!(
        argsort(&none, 2, Ascending),
        Err(Error::Axis { .. })
    ));
    assert!(matches!(
        topk(&none, 0, 2, Extreme::Largest, Ranked::InOrder),
        Err(Error::Axis { .. })
    ));
}
