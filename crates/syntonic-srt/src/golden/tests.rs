//! Identities that hold for all matrices, edges, and what is refused.

use super::oracle_tests::{C, drawn, unit};
use super::*;
use crate::constants::{INV_PHI, PHI, Q};
use proptest::prelude::*;
use syntonic_core::{DType, Error, Scalar, Tensor};

const DTYPES: [DType; 4] = [DType::F32, DType::F64, DType::C64, DType::C128];

fn values(x: &Tensor) -> Vec<C> {
    x.to_vec::<C>().unwrap()
}

/// The largest sum of magnitudes that an element of a product of n terms can have: parts are below 2, so both are below 8.
fn close(dtype: DType, n: usize, got: &[C], want: &[C], scale: f64) {
    // A handful of products of n terms each, a complex term being two sums of two.
    let limit = 8.0 * (n + 4) as f64 * unit(dtype) * 8.0 * n as f64 * scale;
    for (got, want) in got.iter().zip(want) {
        assert!((got - want).norm() <= limit, "{dtype}: {got} for {want}");
    }
}

fn sum(x: &[C], y: &[C], by: f64) -> Vec<C> {
    x.iter().zip(y).map(|(x, y)| x + y * by).collect()
}

fn times(x: &[C], by: f64) -> Vec<C> {
    x.iter().map(|x| x * by).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn brackets_take_products_apart(n in 1usize..20, seed in 0u64..1000, which in 0usize..4) {
        let dtype = DTYPES[which];
        let [a, b, c] = [0, 1, 2].map(|k| drawn(dtype, &[n, n], 3 * seed + k));
        let less = values(&phi_bracket(&a, &b).unwrap());
        let more = values(&phi_antibracket(&a, &b).unwrap());
        let (ab, ba) = (values(&mm(&a, &b).unwrap()), values(&mm(&b, &a).unwrap()));
        close(dtype, n, &sum(&more, &less, 1.0), &times(&ab, 2.0), 2.0);
        close(dtype, n, &sum(&more, &less, -1.0), &times(&ba, 2.0 * INV_PHI), 2.0);
        let own = values(&phi_bracket(&a, &a).unwrap());
        close(dtype, n, &own, &times(&values(&mm(&a, &a).unwrap()), INV_PHI * INV_PHI), 2.0);
        let turned = values(&phi_bracket(&b, &a).unwrap());
        close(dtype, n, &sum(&turned, &less, PHI), &ab, 4.0);
        // Bilinear: 2A + C and 2B + C are exact.
        let mixed = |x: &Tensor| mm_add(x, &Tensor::from_slice(&eye(n), &[n, n]).unwrap().cast(dtype).unwrap(), &c, 2, 1).unwrap();
        let left = values(&phi_bracket(&mixed(&a), &b).unwrap());
        close(dtype, n, &left, &sum(&values(&phi_bracket(&c, &b).unwrap()), &less, 2.0), 6.0);
        let right = values(&phi_antibracket(&a, &mixed(&b)).unwrap());
        close(dtype, n, &right, &sum(&values(&phi_antibracket(&a, &c).unwrap()), &more, 2.0), 6.0);
    }

    #[test]
    fn powers_of_phi_multiply_and_recur(n in -700i64..700, seed in 0u64..1000, which in 0usize..4) {
        let dtype = DTYPES[which];
        let n = if unit(dtype) > 1e-10 { n / 8 } else { n };
        let one = Tensor::from_slice(&eye(5), &[5, 5]).unwrap().cast(dtype).unwrap();
        let a = drawn(dtype, &[5, 5], seed);
        let there = mm_phi(&a, &one, n).unwrap();
        close(dtype, 5, &values(&mm_phi(&there, &one, -n).unwrap()), &values(&a), 1.0);
        let steps = [-1, 0, 1].map(|k| values(&mm_phi(&a, &one, n + k).unwrap()));
        close(dtype, 5, &steps[2], &sum(&steps[1], &steps[0], 1.0), phi_power(n + 1));
    }

    #[test]
    fn phases_lie_on_the_circle_and_turn_back(n in any::<i64>(), seed in 0u64..1000) {
        let z = golden_phase(n);
        // Each part is off by at most a unit in the last place.
        prop_assert!((z.norm() - 1.0).abs() <= 2.0 * f64::EPSILON);
        if n != i64::MIN {
            prop_assert_eq!(golden_phase(-n), z.conj());
        }
        let next = golden_phase(n.wrapping_add(1));
        if n != i64::MAX {
            prop_assert!((next - z * golden_phase(1)).norm() <= 8.0 * f64::EPSILON);
        }
        let one = Tensor::from_slice(&eye(4), &[4, 4]).unwrap();
        let a = drawn(DType::C128, &[4, 4], seed);
        let back = mm_golden_phase(&mm_golden_phase(&a, &one, n / 2).unwrap(), &one, -(n / 2)).unwrap();
        close(DType::C128, 4, &values(&back), &values(&a), 1.0);
    }

    #[test]
    fn factors_are_one_and_a_part(n in 0.1f64..1e6, more in 1.001f64..10.0) {
        let of = |n, sign| factor(n, sign).unwrap();
        let (plus, minus) = (of(n, Sign::Plus), of(n, Sign::Minus));
        prop_assert!((plus * minus - (1.0 - (Q / n) * (Q / n))).abs() <= 4.0 * f64::EPSILON);
        prop_assert!(of(n * more, Sign::Plus) < plus && of(n * more, Sign::Minus) > minus);
        prop_assert_eq!(compound([n], [n]).unwrap(), plus * minus);
        prop_assert_eq!(ratio(n, n * more).unwrap(), plus / of(n * more, Sign::Plus));
    }
}

fn eye(n: usize) -> Vec<f64> {
    (0..n * n)
        .map(|at| f64::from(u8::from(at / n == at % n)))
        .collect()
}

#[test]
fn a_factor_of_zero_does_not_read_the_summand() {
    let a = drawn(DType::F32, &[20, 20], 1);
    let nan = Tensor::full(&[20, 20], f64::NAN, DType::F32).unwrap();
    let want = values(&mm(&a, &a).unwrap());
    assert_eq!(values(&mm_add(&a, &a, &nan, 1, 0).unwrap()), want);
    let got = mm_gemm(&a, &a, Op::None, Op::None, 1, 0.0, Some(&nan)).unwrap();
    assert_eq!(values(&got), want);
}

#[test]
fn what_a_weight_of_zero_meets_is_not_read() {
    for (dtype, first) in [(DType::F64, 35), (DType::F32, 13), (DType::BF16, 13)] {
        let ones = |shape: &[usize]| Tensor::ones(shape, dtype).unwrap();
        let mut row = vec![1.0; first];
        row.push(f64::NAN);
        let a = Tensor::from_slice(&row, &[1, first + 1])
            .unwrap()
            .cast(dtype)
            .unwrap();
        let got = mm_golden_weighted(&a, &ones(&[first + 1, 1])).unwrap();
        let want = mm_golden_weighted(&ones(&[1, first]), &ones(&[first, 1])).unwrap();
        assert_eq!(values(&got), values(&want), "{dtype}");
        row.swap(first - 1, first);
        let a = Tensor::from_slice(&row, &[1, first + 1])
            .unwrap()
            .cast(dtype)
            .unwrap();
        let got = mm_golden_weighted(&a, &ones(&[first + 1, 1])).unwrap();
        assert!(values(&got)[0].re.is_nan(), "{dtype}");
    }
}

#[test]
fn factors_raise_the_kind_and_not_the_width() {
    let dtype = |x: Tensor| x.dtype();
    let of = |dtype| Tensor::ones(&[2, 2], dtype).unwrap();
    let (int, single) = (of(DType::I8), of(DType::F32));
    assert_eq!(dtype(mm_add(&int, &int, &int, 2, 3).unwrap()), DType::I8);
    assert!(matches!(
        mm_add(&int, &int, &int, 300, 1),
        Err(Error::Range { op: "mm_add", .. })
    ));
    let got = mm_add(&int, &int, &int, 0.5, 1).unwrap();
    assert_eq!((got.dtype(), values(&got)[0].re), (DType::F64, 2.0));
    let i = Scalar::Complex(C::new(0.0, 1.0));
    let got = mm_add(&single, &single, &int, i, 1).unwrap();
    assert_eq!(
        (got.dtype(), values(&got)[0]),
        (DType::C64, C::new(1.0, 2.0))
    );
    assert_eq!(dtype(mm_phi(&int, &single, 1).unwrap()), DType::F32);
    assert_eq!(
        dtype(mm_phi(&of(DType::Bool), &int, 0).unwrap()),
        DType::F64
    );
    assert_eq!(
        dtype(mm_golden_phase(&of(DType::F16), &of(DType::F16), 1).unwrap()),
        DType::C64
    );
    assert_eq!(dtype(projection_sum(&int, &[], &[]).unwrap()), DType::I8);
    let got = projection_sum(&int, &[of(DType::U8)], &[i]).unwrap();
    assert_eq!(
        (got.dtype(), values(&got)[0]),
        (DType::C128, C::new(1.0, 2.0))
    );
}

#[test]
fn powers_beyond_the_type_are_infinite_or_zero() {
    let one = Tensor::ones(&[1, 1], DType::F32).unwrap();
    let at = |n| values(&mm_phi(&one, &one, n).unwrap())[0].re;
    assert!(at(184).is_finite() && at(185).is_infinite() && at(-300) == 0.0);
    assert!(at(i64::MAX).is_infinite() && at(i64::MIN) == 0.0);
}

#[test]
fn no_projectors_copy_the_state() {
    let psi = drawn(DType::F64, &[3], 1);
    let mut got = projection_sum(&psi, &[], &[]).unwrap();
    got.assign(&Tensor::zeros(&[3], DType::F64).unwrap())
        .unwrap();
    assert_eq!(values(&psi), values(&drawn(DType::F64, &[3], 1)));
    let kept = drawn(DType::F64, &[3, 3], 2);
    let psi = kept.copy().unwrap();
    let sum = projection_sum(&psi, &[psi.clone(), psi.clone()], &[1.into(), 2.into()]).unwrap();
    assert_eq!(values(&psi), values(&kept));
    assert_ne!(values(&sum), values(&kept));
}

#[test]
fn structures_have_one_name_each() {
    for &structure in Structure::ALL {
        assert_eq!(Structure::from_name(structure.name()).unwrap(), structure);
    }
    let e = Structure::from_name("E8").unwrap_err();
    assert!(
        matches!(e, Error::Value { .. }) && e.to_string().contains("E8_dim"),
        "{e}"
    );
    let got = compound(
        [Structure::E8Dimension, Structure::E8Rank],
        [Structure::G2Rank],
    )
    .unwrap();
    let want = (1.0 + Q / 248.0) * (1.0 + Q / 8.0) * (1.0 - Q / 2.0);
    assert_eq!(got, want);
    assert_eq!(compound([0.0; 0], [0.0; 0]).unwrap(), 1.0);
    for n in [0.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(
            factor(n, Sign::Plus),
            Err(Error::Value { op: "factor", .. })
        ));
        assert!(compound([1.0], [n]).is_err() && ratio(1.0, n).is_err());
    }
    assert!(ratio(1.0, -Q).is_err());
}

type Run = fn(&Tensor, &Tensor) -> syntonic_core::Result<Tensor>;

/// Each under its name.
const ALL: [(&str, Run); 16] = [
    ("mm", mm),
    ("mm_add", |a, b| {
        mm_add(a, b, &Tensor::scalar(1, DType::I8)?, 1, 1)
    }),
    ("mm_tn", mm_tn),
    ("mm_nt", mm_nt),
    ("mm_tt", mm_tt),
    ("mm_hn", mm_hn),
    ("mm_nh", mm_nh),
    ("mm_gemm", |a, b| {
        mm_gemm(a, b, Op::None, Op::None, 1, 0, None)
    }),
    ("mm_phi", |a, b| mm_phi(a, b, 2)),
    ("phi_bracket", phi_bracket),
    ("phi_antibracket", phi_antibracket),
    ("mm_corrected", |a, b| {
        mm_corrected(a, b, Structure::E8Rank, Sign::Plus)
    }),
    ("mm_q_corrected", |a, b| {
        mm_q_corrected(a, b, 3.0, Sign::Plus)
    }),
    ("mm_golden_phase", |a, b| mm_golden_phase(a, b, 2)),
    ("mm_golden_weighted", mm_golden_weighted),
    ("projection_sum", |a, b| {
        projection_sum(b, std::slice::from_ref(a), &[1.into()])
    }),
];

#[test]
fn what_does_not_fit_is_told_by_name() {
    let of = |shape: &[usize], dtype| Tensor::ones(shape, dtype).unwrap();
    for (name, run) in ALL {
        for (a, b) in [
            (&[2, 3][..], &[4, 5][..]),
            (&[3], &[3, 3]),
            (&[3, 3], &[]),
            (&[2, 3, 3], &[4, 3, 3]),
        ] {
            match run(&of(a, DType::F32), &of(b, DType::F32)) {
                Err(Error::Shape { op, operands, .. }) => {
                    let told = operands.0.iter().map(|o| o.shape.clone());
                    let told: Vec<Vec<usize>> = told.collect();
                    assert_eq!(op, name, "{a:?} {b:?}");
                    assert!(
                        told.contains(&a.to_vec()) && told.contains(&b.to_vec()),
                        "{name}: {told:?}"
                    );
                }
                other => panic!("{name} {a:?} {b:?}: {other:?}"),
            }
        }
        let truth = of(&[2, 2], DType::Bool);
        let refused = run(&truth, &truth);
        // The summand and the factor of these two are numbers.
        if !["mm_add", "projection_sum"].contains(&name) {
            assert!(
                matches!(refused, Err(Error::DType { op, .. }) if op == name),
                "{name}: {refused:?}"
            );
        }
    }
    let square = of(&[3, 3], DType::F32);
    let e = mm_add(&square, &square, &of(&[2], DType::F32), 1, 0).unwrap_err();
    assert!(matches!(e, Error::Shape { op: "mm_add", .. }), "{e}");
    let e = phi_bracket(&of(&[2, 3], DType::F32), &of(&[3, 2], DType::F32)).unwrap_err();
    assert!(e.to_string().contains("square"), "{e}");
    let e = projection_sum(&square, std::slice::from_ref(&square), &[]).unwrap_err();
    assert!(
        e.to_string().contains("1 projectors and 0 coefficients"),
        "{e}"
    );
    let e = projection_sum(&square, &[of(&[2, 3], DType::F32)], &[1.into()]).unwrap_err();
    assert!(matches!(e, Error::Shape { .. }), "{e}");
    let e = mm_q_corrected(&square, &square, 0.0, Sign::Plus).unwrap_err();
    assert!(
        matches!(
            e,
            Error::Value {
                op: "mm_q_corrected",
                ..
            }
        ),
        "{e}"
    );
}
