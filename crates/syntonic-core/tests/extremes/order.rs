//! Comparisons of integers that no type holds together, and what lies between two elements.

use crate::{tensor, values};
use syntonic_core::fuse::Prim;
use syntonic_core::ops::composites::LERP;
use syntonic_core::ops::elementwise::{apply, composite};
use syntonic_core::ops::order::{Membership, Method, Side, isin, median, quantile, searchsorted};
use syntonic_core::ops::reduce::Over;
use syntonic_core::{DType, Scalar, Tensor};

/// Integers about every end of the types, and past those that floats hold.
const WHOLE: [i128; 19] = [
    i64::MIN as i128,
    i64::MIN as i128 + 1,
    -(1 << 53) - 1,
    -(1 << 53),
    -129,
    -2,
    -1,
    0,
    1,
    127,
    (1 << 24) + 1,
    1 << 53,
    (1 << 53) + 1,
    i64::MAX as i128 - 1,
    i64::MAX as i128,
    i64::MAX as i128 + 1,
    i64::MAX as i128 + 2,
    u64::MAX as i128 - 1,
    u64::MAX as i128,
];

/// Those of the integers that the type holds.
fn held(dtype: DType) -> (Vec<i128>, Tensor) {
    let (low, high) = dtype.integers().unwrap();
    let all: Vec<i128> = WHOLE
        .into_iter()
        .filter(|&k| low <= k && k <= high)
        .collect();
    let made: Vec<Tensor> = all
        .iter()
        .map(|&k| Tensor::scalar(Scalar::Int(k), dtype).unwrap())
        .collect();
    let made: Vec<&Tensor> = made.iter().collect();
    let made = syntonic_core::ops::join::stack(&made, 0).unwrap();
    (all, made)
}

const SIGNED: [DType; 4] = [DType::I8, DType::I16, DType::I32, DType::I64];

#[test]
fn unsigned_and_signed_integers_are_compared_as_they_are() {
    type Compare = fn(i128, i128) -> bool;
    let comparisons: [(Prim, Compare); 6] = [
        (Prim::Eq, |a, b| a == b),
        (Prim::Ne, |a, b| a != b),
        (Prim::Lt, |a, b| a < b),
        (Prim::Le, |a, b| a <= b),
        (Prim::Gt, |a, b| a > b),
        (Prim::Ge, |a, b| a >= b),
    ];
    for signed in SIGNED {
        let ((us, u), (ss, s)) = (held(DType::U64), held(signed));
        let column = u.expand_dims(&[-1]).unwrap();
        // At once, and within an expression.
        let wide = column.broadcast_to(&[us.len(), ss.len() * 2000]).unwrap();
        let many = syntonic_core::ops::rearrange::tile(&s, &[2000]).unwrap();
        for (prim, compare) in comparisons {
            let got = |a: &Tensor, b: &Tensor| {
                let made = apply(prim, &[a.into(), b.into()]).unwrap();
                made.to_vec::<bool>().unwrap()
            };
            let (there, back) = (got(&column, &s), got(&s, &column));
            let later = got(&wide, &many);
            for (i, &x) in us.iter().enumerate() {
                for (j, &y) in ss.iter().enumerate() {
                    let at = i * ss.len() + j;
                    assert_eq!(there[at], compare(x, y), "{x} {prim:?} {y} of {signed}");
                    assert_eq!(back[at], compare(y, x), "{y} {prim:?} {x} of {signed}");
                    assert_eq!(
                        later[i * ss.len() * 2000 + j],
                        compare(x, y),
                        "{x} {prim:?} {y}"
                    );
                }
            }
        }
        for (xs, x, set, table) in [(&us, &u, &ss, &s), (&ss, &s, &us, &u)] {
            let inside = isin(x, table, Membership::Inside).unwrap();
            let outside = isin(x, table, Membership::Outside).unwrap();
            let found: Vec<bool> = xs.iter().map(|k| set.contains(k)).collect();
            let missed: Vec<bool> = found.iter().map(|f| !f).collect();
            assert_eq!(inside.to_vec::<bool>().unwrap(), found);
            assert_eq!(outside.to_vec::<bool>().unwrap(), missed);
            for side in [Side::Left, Side::Right] {
                let place = searchsorted(table, x, side, None).unwrap();
                let want = |k: &i128| {
                    let before = |y: &i128| if side == Side::Left { y < k } else { y <= k };
                    set.iter().filter(|y| before(y)).count() as i64
                };
                let want: Vec<i64> = xs.iter().map(want).collect();
                assert_eq!(place.to_vec::<i64>().unwrap(), want, "{side:?} {signed}");
            }
        }
    }
}

#[test]
fn what_lies_between_two_elements() {
    use DType::{BF16, F16, F32, F64};
    let inf = f64::INFINITY;
    for (row, q, dtype, want) in [
        (&[inf, inf][..], 0.5, F64, inf),
        (&[1.0, inf], 0.5, F64, inf),
        (&[-inf, 1.0], 0.5, F64, -inf),
        (&[-inf, inf], 0.5, F64, f64::NAN),
        (&[-inf, -inf], 0.5, F32, -inf),
        (&[1.0, 2.0, inf], 0.5, F32, 2.0),
        (&[1.0, 2.0, inf], 0.25, F32, 1.5),
        (&[6e4, -6e4], 0.5, F16, 0.0),
        (&[65504.0, -65504.0], 0.25, F16, -32752.0),
        (&[3e38, -3e38], 0.5, F32, 0.0),
        (&[3e38, -3e38], 0.5, BF16, 0.0),
        (&[1.7e308, -1.7e308], 0.75, F64, 0.85e308),
        (&[1.7e308, 1.7e308], 0.5, F64, 1.7e308),
        (&[-52.4, 50.0], 0.5, F16, -1.203125),
        (&[0.1, 0.1], 0.3, F64, 0.1),
        (&[5e-324, 5e-324], 0.5, F64, 5e-324),
        (&[1.0, f64::NAN], 0.5, F64, f64::NAN),
    ] {
        let x = tensor(row, &[row.len()], dtype);
        let got = values(&quantile(&x, q, &Over::all(), Method::Linear).unwrap())[0];
        let same = got == want || (got.is_nan() && want.is_nan());
        // One rounding of a product and a sum.
        let near = (got - want).abs() <= crate::unit(dtype) * want.abs();
        assert!(same || near, "{q} of {row:?} {dtype}: {got}, not {want}");
        if q == 0.5 {
            let m = values(&median(&x, &Over::all()).unwrap())[0];
            assert!(m == got || (m.is_nan() && got.is_nan()));
            let m = values(&quantile(&x, q, &Over::all(), Method::Midpoint).unwrap())[0];
            assert!(m == got || (m.is_nan() && got.is_nan()));
        }
    }
}

#[test]
fn interpolation_has_its_ends_exactly() {
    for dtype in crate::FLOATS {
        let most = crate::largest(dtype);
        let inf = f64::INFINITY;
        let ends = [0.0, 1.0, -0.3, 1e-3, most, -most, inf, -inf];
        let ends = values(&tensor(&ends, &[8], dtype));
        for &a in &ends {
            for &b in &ends {
                let two = [tensor(&[a; 3], &[3], dtype), tensor(&[b; 3], &[3], dtype)];
                let weight = tensor(&[0.0, 1.0, 0.5], &[3], dtype);
                let args = [(&two[0]).into(), (&two[1]).into(), (&weight).into()];
                let got = values(&composite(LERP.name, LERP.build, &args).unwrap());
                assert_eq!(got[..2], [a, b], "{dtype}");
                let middle = 0.5 * a + 0.5 * b;
                let near = (got[2] - middle).abs() <= crate::unit(dtype) * a.abs().max(b.abs());
                let both_nan = got[2].is_nan() && middle.is_nan();
                assert!(
                    got[2] == middle || near || both_nan,
                    "{dtype} {a} {b}: {}",
                    got[2]
                );
            }
        }
    }
}
