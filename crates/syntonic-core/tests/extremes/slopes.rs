//! Gradients where values are zero, huge or tied, of every order that is asked for.

use crate::{FLOATS, every_number, largest, tensor, unit, values};
use syntonic_core::fuse::Prim;
use syntonic_core::grad::grad;
use syntonic_core::ops::composites;
use syntonic_core::ops::elementwise::{apply, composite};
use syntonic_core::ops::linalg::{self, MatrixNorm};
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::ops::scan::{Initial, cumulative_prod};
use syntonic_core::run::Axes;
use syntonic_core::{DType, Result, Tensor};

fn vector(values: &[f64]) -> Tensor {
    Tensor::from_slice(values, &[values.len()]).unwrap()
}

/// The derivative with respect to the elements at `at`, one after the other, of a function of a vector.
fn derivative(f: &dyn Fn(&Tensor) -> Result<Tensor>, at: &[usize], x: &Tensor) -> Result<Tensor> {
    let Some((&last, rest)) = at.split_last() else {
        return f(x);
    };
    let slope = grad(|v| derivative(f, rest, &v[0]), &[x])?.remove(0);
    slope.reshape(&[-1])?.select(0, last as i64)
}

/// The derivative of the product of some factors: of each that it is taken by once, the others' product, else 0.
fn of_product(x: &[f64], at: &[usize]) -> f64 {
    let mut left = vec![true; x.len()];
    for &k in at {
        if !std::mem::replace(&mut left[k], false) {
            return 0.0;
        }
    }
    x.iter()
        .zip(&left)
        .filter(|(_, l)| **l)
        .map(|(x, _)| x)
        .product()
}

/// Places of as many derivatives, each of `n`.
fn places(n: usize, order: usize) -> Vec<Vec<usize>> {
    let all = 0..n.pow(order as u32);
    let digits = |k: usize| (0..order).map(|d| k / n.pow(d as u32) % n).collect();
    all.map(digits).collect()
}

#[test]
fn products_with_zeros_have_every_derivative() {
    let rows = [
        [0.5, -2.0, 3.0, 1.5],
        [0.5, 0.0, 3.0, 1.5],
        [0.0, -2.0, 0.0, 1.5],
        [0.0, 0.0, 3.0, 0.0],
        [0.0; 4],
    ];
    let whole = |x: &Tensor| reduce::prod(x, &Over::all(), None);
    let square = |x: &Tensor| reduce::prod(&x.reshape(&[2, 2])?, &Over::axes(&[1, 0]), None);
    let columns = |x: &Tensor| {
        let two = reduce::prod(&x.reshape(&[2, 2])?, &Over::axes(&[0]).keep(), None)?;
        reduce::prod(&two, &Over::all(), None)
    };
    let running = |x: &Tensor| cumulative_prod(x, Some(0), None, Initial::Leave)?.select(0, 3);
    type Form<'a> = (&'a str, &'a dyn Fn(&Tensor) -> Result<Tensor>);
    let forms: [Form<'_>; 4] = [
        ("prod", &whole),
        ("prod of two axes", &square),
        ("prod along an axis", &columns),
        ("cumulative_prod", &running),
    ];
    for row in rows {
        for order in 1..=3 {
            for at in places(4, order) {
                let want = of_product(&row, &at);
                for (name, f) in forms {
                    let got = derivative(f, &at, &vector(&row)).unwrap();
                    let got = got.to_scalar::<f64>().unwrap();
                    // Products of at most three factors, added to exact zeros.
                    assert!(
                        (got - want).abs() <= 8.0 * f64::EPSILON * want.abs(),
                        "{name} of {row:?} by {at:?}: {got}, not {want}"
                    );
                }
            }
        }
    }
}

#[test]
fn products_as_formulas_over_rows_have_them_too() {
    syntonic_core::fuse! { PRODUCT(x: element) -> (row_scalar) { prod(x) } }
    let f =
        |x: &Tensor| Ok(syntonic_core::run::rows(&PRODUCT, &[x], &[], &[0], Axes::Drop)?.remove(0));
    for row in [
        [0.5, -2.0, 3.0],
        [0.0, -2.0, 3.0],
        [0.0, 0.0, 3.0],
        [0.0; 3],
    ] {
        for order in 1..=3 {
            for at in places(3, order) {
                let got = derivative(&f, &at, &vector(&row)).unwrap();
                let (got, want) = (got.to_scalar::<f64>().unwrap(), of_product(&row, &at));
                // Quotients of products, whose parts cancel where a factor is taken twice.
                assert!(
                    (got - want).abs() <= 1e-14,
                    "{row:?} by {at:?}: {got}, not {want}"
                );
            }
        }
    }
}

#[test]
fn the_second_derivative_of_one_minus() {
    let f = |a: &Tensor| {
        let rest = apply(Prim::Sub, &[1.0.into(), a.into()])?;
        reduce::prod(&rest, &Over::all(), None)
    };
    let x = vector(&[1.0, 0.5, 0.2]);
    for (i, row) in [[0.0, 0.8, 0.5], [0.8, 0.0, 0.0], [0.5, 0.0, 0.0]]
        .iter()
        .enumerate()
    {
        for (j, want) in row.iter().enumerate() {
            let got = derivative(&f, &[i, j], &x)
                .unwrap()
                .to_scalar::<f64>()
                .unwrap();
            assert!((got - want).abs() <= 1e-15, "{i} {j}: {got}");
        }
    }
}

#[test]
fn small_factors_lose_nothing() {
    let f = |x: &Tensor| reduce::prod(x, &Over::all(), None);
    let x = vector(&[1e-300, 1e-300]);
    assert_eq!(
        values(&grad(|v| f(&v[0]), &[&x]).unwrap()[0]),
        [1e-300, 1e-300]
    );
}

#[test]
fn second_derivatives_of_norms_and_variances() {
    // At [3, 4, 0]: (1 - x x^T / 25) / 5.
    let x = [3.0, 4.0, 0.0];
    let norm = |x: &Tensor| reduce::norm(x, 2.0, &Over::all());
    // The variance of [1, 2, 3], whose middle is the mean: 2/3 (1 - 1/3) on the diagonal, -2/9 beside it.
    let var = |x: &Tensor| reduce::var(x, &Over::all(), 0.0);
    for at in places(3, 2) {
        let one = f64::from(at[0] == at[1]);
        let want = (one - x[at[0]] * x[at[1]] / 25.0) / 5.0;
        let got = derivative(&norm, &at, &vector(&x))
            .unwrap()
            .to_scalar::<f64>()
            .unwrap();
        assert!(
            (got - want).abs() <= 1e-15,
            "norm {at:?}: {got}, not {want}"
        );
        let want = 2.0 / 3.0 * (one - 1.0 / 3.0);
        let got = derivative(&var, &at, &vector(&[1.0, 2.0, 3.0])).unwrap();
        let got = got.to_scalar::<f64>().unwrap();
        assert!((got - want).abs() <= 1e-15, "var {at:?}: {got}, not {want}");
    }
}

#[test]
fn norms_of_zeros_have_slope_zero() {
    for dtype in FLOATS {
        let x = Tensor::zeros(&[2, 2], dtype).unwrap();
        let slope = |f: &dyn Fn(&Tensor) -> Result<Tensor>| {
            let g = grad(|v| reduce::sum(&f(&v[0])?, &Over::all(), None), &[&x]);
            values(&g.unwrap()[0])
        };
        for p in [0.5, 1.0, 1.5, 2.0, 3.0, 7.0, f64::INFINITY] {
            let g = slope(&|x| reduce::norm(x, p, &Over::all()));
            assert_eq!(g, [0.0; 4], "{dtype} {p}");
        }
        assert_eq!(
            slope(&|x| reduce::std(x, &Over::all(), 0.0)),
            [0.0; 4],
            "{dtype} std"
        );
        assert_eq!(
            slope(&|x| reduce::var(x, &Over::all(), 1.0)),
            [0.0; 4],
            "{dtype} var"
        );
        let hypot = |x: &Tensor| apply(Prim::Hypot, &[x.into(), x.into()]);
        assert_eq!(slope(&hypot), [0.0; 4], "{dtype} hypot");
        if !dtype.is_half() {
            use MatrixNorm::{Frobenius, Infinity, MinusOne, One};
            for norm in [Frobenius, One, Infinity, MinusOne] {
                let g = slope(&|x| linalg::matrix_norm(x, norm, Axes::Drop));
                assert_eq!(g, [0.0; 4], "{dtype} {norm:?}");
            }
        }
    }
    // One element that is zero.
    let x = vector(&[0.0, 2.0]);
    for p in [0.5, 1.5, 3.0] {
        let g = grad(|v| reduce::norm(&v[0], p, &Over::all()), &[&x]).unwrap();
        assert_eq!(values(&g[0]), [0.0, 1.0], "{p}");
    }
}

#[test]
fn determinants_of_singular_matrices_have_their_cofactors() {
    let cases: [(&[f64], &[f64], usize); 5] = [
        (&[1.0, 2.0, 2.0, 4.0], &[4.0, -2.0, -2.0, 1.0], 2),
        (&[0.0; 4], &[0.0; 4], 2),
        // Rank 2.
        (
            &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0],
            &[-3.0, 6.0, -3.0, 6.0, -12.0, 6.0, -3.0, 6.0, -3.0],
            3,
        ),
        // Rank 1.
        (&[1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 3.0, 6.0, 9.0], &[0.0; 9], 3),
        (&[2.0, 0.0, 0.0, 4.0], &[4.0, 0.0, 0.0, 2.0], 2),
    ];
    for (a, want, n) in cases {
        for dtype in [DType::F32, DType::F64, DType::C64, DType::C128] {
            let a = tensor(a, &[n, n], dtype);
            let g = grad(|v| linalg::det(&v[0])?.real(), &[&a])
                .unwrap()
                .remove(0);
            let got = values(&g.real().unwrap());
            // Products of at most two elements of the size of the largest singular value, 17.
            let bound = 300.0 * 8.0 * unit(dtype.real());
            for (g, w) in got.iter().zip(want) {
                assert!((g - w).abs() <= bound, "{dtype}: {got:?}, not {want:?}");
            }
        }
        // The stack has regular matrices as well, and the second derivative of a determinant of two rows is constant.
        if n == 2 {
            let f = |x: &Tensor| linalg::det(&x.reshape(&[2, 2])?);
            for at in places(4, 2) {
                let got = derivative(&f, &at, &vector(a))
                    .unwrap()
                    .to_scalar::<f64>()
                    .unwrap();
                let want = match (at[0].min(at[1]), at[0].max(at[1])) {
                    (0, 3) => 1.0,
                    (1, 2) => -1.0,
                    _ => 0.0,
                };
                assert!((got - want).abs() <= 1e-14, "{a:?} by {at:?}: {got}");
            }
        }
    }
    let both = tensor(
        &[1.0, 2.0, 2.0, 4.0, 2.0, 0.0, 0.0, 4.0],
        &[2, 2, 2],
        DType::F64,
    );
    let f = |v: &[Tensor]| reduce::sum(&linalg::det(&v[0])?, &Over::all(), None);
    let got = values(&grad(f, &[&both]).unwrap()[0]);
    for (g, w) in got.iter().zip([4.0, -2.0, -2.0, 1.0, 4.0, 0.0, 0.0, 2.0]) {
        assert!((g - w).abs() <= 1e-13, "{got:?}");
    }
    let f = |v: &[Tensor]| Ok(linalg::slogdet(&v[0])?.logabsdet);
    let a = tensor(&[1.0, 2.0, 2.0, 4.0], &[2, 2], DType::F64);
    let refused = grad(f, &[&a]).unwrap_err().to_string();
    assert!(
        refused.contains("slogdet") && refused.contains("singular"),
        "{refused}"
    );
}

/// Every activation of one operand, over every finite number of the half types.
#[test]
fn activations_of_half_types_have_the_slopes_of_double_precision() {
    for dtype in [DType::F16, DType::BF16] {
        let all = every_number(dtype);
        let x = tensor(&all, &[all.len()], dtype);
        let wide = x.cast(DType::F64).unwrap();
        for row in composites::ALL.iter().filter(|row| row.args.len() == 1) {
            let of = |x: &Tensor| composite(row.name, row.build, &[x.into()]);
            check(row.name, dtype, &all, &of, [&x, &wide]);
        }
        for prim in [
            Prim::Tanh,
            Prim::Erf,
            Prim::Erfc,
            Prim::Atan,
            Prim::Asinh,
            Prim::Abs,
        ] {
            let of = |x: &Tensor| apply(prim, &[x.into()]);
            check(prim.name(), dtype, &all, &of, [&x, &wide]);
        }
    }
}

fn check(
    name: &str,
    dtype: DType,
    all: &[f64],
    of: &dyn Fn(&Tensor) -> Result<Tensor>,
    [x, wide]: [&Tensor; 2],
) {
    let slope = |x: &Tensor| {
        let f = |v: &[Tensor]| reduce::sum(&of(&v[0])?, &Over::all(), Some(DType::F64));
        values(&grad(f, &[x]).unwrap()[0])
    };
    for (what, got, want) in [
        ("value", values(&of(x).unwrap()), values(&of(wide).unwrap())),
        ("slope", slope(x), slope(wide)),
    ] {
        for ((g, w), at) in got.iter().zip(&want).zip(all) {
            // One rounding of what `float32` has to within 2^-19 of 1, where a sum near -1 is added to 1, times the operand
            // that this is multiplied with: no such sum is left where that exceeds 16.
            let lost = 2f64.powi(-19) * at.abs().clamp(1.0, 16.0);
            let near = (g - w).abs() <= unit(dtype) * w.abs() + lost;
            let overflows = w.abs() > largest(dtype) && g.is_infinite();
            assert!(
                near || overflows,
                "{what} of {name} at {at} in {dtype}: {g}, not {w}"
            );
        }
    }
}

/// Far out no slope of an activation is NaN, for any type.
#[test]
fn activations_have_slopes_far_out() {
    for dtype in FLOATS {
        let most = largest(dtype);
        for far in [most, 0.5 * most, most.sqrt(), 300.0, 40.0, 12.0] {
            let x = tensor(&[far, -far], &[2], dtype);
            for row in composites::ALL.iter().filter(|row| row.args.len() == 1) {
                let f = |v: &[Tensor]| {
                    let y = composite(row.name, row.build, &[(&v[0]).into()])?;
                    reduce::sum(&y.cast(DType::F64)?, &Over::all(), None)
                };
                let g = values(&grad(f, &[&x]).unwrap()[0]);
                let ends = [0.0, 1.0, 0.5];
                let known = |g: f64| ends.iter().any(|end| (g - end).abs() <= 1e-3);
                assert!(
                    g.iter().all(|&g| known(g)),
                    "{} at {far:e} in {dtype}: {g:?}",
                    row.name
                );
            }
        }
    }
}
