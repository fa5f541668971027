//! Every estimate at every scale: a power of two changes no bit, an offset no deviation, and what is no number is refused.

use super::*;
use syntonic_core::{DType, Error, Result, Tensor};

type Tested = std::result::Result<(), Box<dyn std::error::Error>>;

const N: usize = 90;

/// Whole numbers up to 1000 of a congruential generator, the second row driven by the first, so that scales and offsets are exact in both types.
fn whole() -> [Vec<f64>; 3] {
    let mut s = 7u64;
    let mut row = || -> Vec<f64> {
        let next = |_| {
            s = s
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (s >> 33) as f64 % 1001.0 - 500.0
        };
        (0..N).map(next).collect()
    };
    let (x, e, z) = (row(), row(), row());
    let y = (0..N).map(|t| {
        if t == 0 {
            e[0]
        } else {
            x[t - 1] + (e[t] / 2.0).floor()
        }
    });
    [x.clone(), y.collect(), z]
}

fn made(values: &[f64], dtype: DType) -> Result<Tensor> {
    Tensor::from_slice(values, &[values.len()])?
        .cast(dtype)?
        .eval()
}

/// What an estimate is: all values, then those of surrogates.
type Form = fn([&Tensor; 3], &Estimator) -> Result<Information>;

const FORMS: [(&str, Form); 7] = [
    ("transfer", |[x, y, _], e| {
        transfer_entropy(x, y, None, Histories::default(), e)
    }),
    ("conditional", |[x, y, z], e| {
        transfer_entropy(x, y, Some(z), Histories::default(), e)
    }),
    ("pairs", |[x, y, z], e| {
        let (a, b) = (Tensor::stack(&[x, z], 0)?, Tensor::stack(&[y, x], 0)?);
        transfer_entropy(&a, &b, None, Histories::default(), e)
    }),
    ("delays", |[x, y, _], e| {
        TransferEntropy::prepare(x, y, None, Histories::default(), &[1, 2], e)?
            .run(x, y, None)?
            .read()
    }),
    ("matrix", |[x, y, z], e| {
        transfer_entropy_matrix(&Tensor::stack(&[x, y, z], 0)?, Histories::default(), e)
    }),
    ("mutual", |[x, y, _], e| mutual_information(x, y, None, e)),
    ("conditional mutual", |[x, y, z], e| {
        mutual_information(x, y, Some(z), e)
    }),
];

fn surrogates() -> Option<Surrogates> {
    Some(Surrogates {
        count: 3,
        scheme: Scheme::Permutation,
        seed: 5,
    })
}

fn bits(found: &Information) -> Vec<u64> {
    let all = found.values.iter().chain(&found.surrogates);
    all.map(|x| x.to_bits()).collect()
}

/// Powers of two by which whole numbers up to 1000 stay exact: at the least they are subnormal, at the largest a step from infinity.
fn powers(dtype: DType) -> Vec<i32> {
    match dtype {
        DType::F32 => vec![-149, -140, -126, -90, -75, -62, -40, 20, 37, 60, 90, 117],
        _ => vec![
            -1074, -1060, -1022, -900, -500, -460, -90, 60, 400, 480, 900, 1013,
        ],
    }
}

/// `x * 2^power`, where 2^power itself may be beyond the type.
fn times(x: f64, power: i32) -> f64 {
    let half = power / 2;
    x * 2f64.powi(half) * 2f64.powi(power - half)
}

#[test]
fn a_power_of_two_changes_no_bit_of_an_estimate() -> Tested {
    for dtype in [DType::F32, DType::F64] {
        let rows = whole();
        let unit = rows.clone().map(|row| made(&row, dtype));
        let [x, y, z] = unit;
        let (x, y, z) = (x?, y?, z?);
        for (name, form) in FORMS {
            let estimator = Estimator {
                surrogates: surrogates(),
                ..Estimator::default()
            };
            let want = form([&x, &y, &z], &estimator)?;
            assert!(want.values.iter().all(|v| v.is_finite() && *v != 0.0));
            // Noise of 1e-8 of a deviation has no digits among the least of numbers.
            let given = Estimator {
                scaling: Scaling::AsGiven,
                jitter: None,
                ..estimator
            };
            let want_given = form([&x, &y, &z], &given)?;
            for power in powers(dtype) {
                let scaled = |row: &[f64], power| {
                    let row: Vec<f64> = row.iter().map(|v| times(*v, power)).collect();
                    made(&row, dtype)
                };
                let [a, b, c] = [0, 1, 2].map(|k| scaled(&rows[k], power));
                let (a, b, c) = (a?, b?, c?);
                let found = form([&a, &b, &c], &estimator)?;
                assert_eq!(bits(&found), bits(&want), "{name} {dtype} 2^{power}");
                assert_eq!(found.zero_distances, want.zero_distances);
                let found = form([&a, &b, &c], &given)?;
                assert_eq!(
                    bits(&found),
                    bits(&want_given),
                    "{name} {dtype} 2^{power}, as given"
                );
                // Each variable in units of its own, as far as the other way reaches.
                let most = if dtype == DType::F32 { 117 } else { 1013 };
                let other = scaled(&rows[1], (-power).min(most))?;
                let found = form([&a, &other, &z], &estimator)?;
                assert_eq!(bits(&found), bits(&want), "{name} {dtype} 2^{power}, mixed");
            }
        }
    }
    Ok(())
}

/// Scales that are no power of two round each sample once, so that distances move by some units of the last place, and a count changes where two
/// distances were that near. Of 90 * 90 / 2 distances over 2^24 places at most some ten are; one moves a local value by psi(2) - psi(1) = 1 at most,
/// and ten the mean by 10/90.
#[test]
fn any_scale_gives_nearly_the_value_at_unit_scale() -> Tested {
    for (dtype, scales) in [
        (DType::F32, vec![1e-36, 1e-27, 1e-20, 1e20, 3e35]),
        (DType::F64, vec![1e-305, 1e-200, 1e-27, 1e20, 1e160, 2e305]),
    ] {
        let rows = whole().map(|row| -> Vec<f64> {
            let apart = |(t, v): (usize, &f64)| v + 0.4 * (v + t as f64).sin();
            row.iter().enumerate().map(apart).collect()
        });
        for (name, form) in FORMS {
            let all = |scale: f64| {
                let row = |k: usize| {
                    let row: Vec<f64> = rows[k].iter().map(|v| v * scale).collect();
                    made(&row, dtype)
                };
                form([&row(0)?, &row(1)?, &row(2)?], &Estimator::default())
            };
            let want = all(1.0)?;
            for scale in &scales {
                for (got, want) in all(*scale)?.values.iter().zip(&want.values) {
                    let apart = (got - want).abs();
                    assert!(apart < 10.0 / 90.0, "{name} {dtype} {scale}: {got}, {want}");
                }
            }
        }
    }
    Ok(())
}

#[test]
fn an_offset_changes_no_bit() -> Tested {
    for (dtype, offset) in [(DType::F32, 2f64.powi(23)), (DType::F64, 2f64.powi(52))] {
        let rows = whole();
        for (name, form) in FORMS {
            let all = |offset: f64| {
                let row = |k: usize| {
                    let row: Vec<f64> = rows[k].iter().map(|v| v + 1000.0 + offset).collect();
                    made(&row, dtype)
                };
                form([&row(0)?, &row(1)?, &row(2)?], &Estimator::default())
            };
            assert_eq!(bits(&all(offset)?), bits(&all(0.0)?), "{name} {dtype}");
        }
    }
    Ok(())
}

#[test]
fn constant_series_are_zeros_at_every_magnitude() -> Tested {
    for (dtype, values) in [
        (
            DType::F32,
            [
                0.0,
                3.0,
                2f64.powi(-149),
                f64::from(f32::MAX),
                -f64::from(f32::MAX),
            ],
        ),
        (DType::F64, [0.0, 3.0, 5e-324, f64::MAX, -f64::MAX]),
    ] {
        let [x, y, z] = whole().map(|row| made(&row, dtype));
        let (x, y, z) = (x?, y?, z?);
        for value in values {
            let still = made(&[value; N], dtype)?;
            for (name, form) in FORMS {
                for scaling in [Scaling::Standardised, Scaling::AsGiven] {
                    let estimator = Estimator {
                        scaling,
                        ..Estimator::default()
                    };
                    for series in [[&still, &y, &z], [&x, &still, &z], [&still, &still, &still]] {
                        let found = form(series, &estimator)?;
                        assert!(found.values.iter().all(|v| v.is_finite()), "{name} {value}");
                    }
                }
            }
            // Noise parts what is constant, however large it is.
            let estimator = Estimator {
                jitter: Some(Jitter {
                    level: 1e-3,
                    seed: 1,
                }),
                ..Estimator::default()
            };
            let found = transfer_entropy(&still, &y, None, Histories::default(), &estimator)?;
            assert!(found.values[0].abs() < 0.5 && found.zero_distances == [0]);
        }
    }
    Ok(())
}

fn refused<T: std::fmt::Debug>(made: Result<T>, what: &str) {
    match made {
        Err(Error::Value { .. }) => {}
        other => panic!("{what}: {other:?}"),
    }
}

#[test]
fn what_is_no_number_is_refused_by_every_form() -> Tested {
    for dtype in [DType::F32, DType::F64] {
        let largest = match dtype {
            DType::F32 => f64::from(f32::MAX),
            _ => f64::MAX,
        };
        let rows = whole();
        let [x, y, z] = rows.clone().map(|row| made(&row, dtype));
        let (x, y, z) = (x?, y?, z?);
        for (name, form) in FORMS {
            for scaling in [Scaling::Standardised, Scaling::AsGiven] {
                let estimator = Estimator {
                    scaling,
                    surrogates: surrogates(),
                    ..Estimator::default()
                };
                for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                    for at in [0, 1, 40, N - 2] {
                        let mut values = rows[0].clone();
                        values[at] = wrong;
                        let x = made(&values, dtype)?;
                        refused(form([&x, &y, &z], &estimator), name);
                    }
                    let whole = made(&[wrong; N], dtype)?;
                    refused(form([&whole, &y, &z], &estimator), name);
                }
                // Ends further apart than the type can say are standardised, and otherwise no distances.
                let mut values = rows[0].clone();
                (values[1], values[2]) = (largest, -largest);
                // With noise `float32` would be compared in `float64`.
                let plain = Estimator {
                    jitter: None,
                    ..estimator
                };
                let found = form([&made(&values, dtype)?, &y, &z], &plain);
                match scaling {
                    Scaling::Standardised => assert!(found?.values.iter().all(|v| v.is_finite())),
                    Scaling::AsGiven => refused(found, name),
                }
                let jitter = Some(Jitter {
                    level: 1e308,
                    seed: 0,
                });
                let found = form(
                    [&x, &y, &z],
                    &Estimator {
                        jitter,
                        ..estimator
                    },
                );
                refused(found, name);
            }
        }
        for wrong in [f64::NAN, f64::INFINITY] {
            let mut values = rows[0].clone();
            values[3] = wrong;
            let x = made(&values, dtype)?;
            refused(ksg_distances(&x, &y, None, 3, 0), "distances");
            refused(ksg_counts(&x, &y, None, &z.abs()?, 0), "counts");
        }
        let mut far = vec![1.0; N];
        far[5] = f64::NAN;
        refused(ksg_counts(&x, &y, None, &made(&far, dtype)?, 0), "counts");
        // Infinitely far are all others.
        let all = ksg_counts(&x, &y, None, &made(&[f64::INFINITY; N], dtype)?, 0)?;
        let others = N as i32 - 1;
        assert!(all.to_vec::<i32>()?[..2 * N].iter().all(|n| *n == others));
    }
    Ok(())
}

/// Counts far beyond what there is are errors, and so is a setting that nothing looks at.
#[test]
fn numbers_out_of_range_are_errors() -> Tested {
    let [x, y, z] = whole().map(|row| made(&row, DType::F64));
    let (x, y, z) = (x?, y?, z?);
    let most = usize::MAX;
    let plain = Estimator::default();
    for (name, form) in FORMS {
        for wrong in [
            Estimator { k: most, ..plain },
            Estimator {
                window: most,
                ..plain
            },
            Estimator {
                window: most / 2,
                ..plain
            },
        ] {
            refused(form([&x, &y, &z], &wrong), name);
        }
        for scheme in [Scheme::Permutation, Scheme::Shift, Scheme::Blocks(7)] {
            for count in [most, most / 16, 1 << 40] {
                let surrogates = Some(Surrogates {
                    count,
                    scheme,
                    seed: 0,
                });
                let wrong = Estimator {
                    surrogates,
                    ..plain
                };
                assert!(
                    form([&x, &y, &z], &wrong).is_err(),
                    "{name} {scheme:?} {count}"
                );
            }
        }
    }
    let past = |length, step, delay| Past {
        length,
        step,
        delay,
    };
    for wrong in [
        past(most, 1, 1),
        past(2, most, 1),
        past(1, 1, most),
        past(most, most, most),
    ] {
        let source = Histories {
            source: wrong,
            ..Histories::default()
        };
        refused(transfer_entropy(&x, &y, None, source, &plain), "source");
        let target = Histories {
            target: wrong,
            ..Histories::default()
        };
        refused(transfer_entropy(&x, &y, None, target, &plain), "target");
        let condition = Histories {
            condition: wrong,
            ..Histories::default()
        };
        refused(
            transfer_entropy(&x, &y, Some(&z), condition, &plain),
            "condition",
        );
        refused(
            transfer_entropy(&x, &y, None, condition, &plain),
            "no condition",
        );
    }
    let late = Histories {
        target: past(1, 1, 2),
        ..Histories::default()
    };
    refused(
        transfer_entropy(&x, &y, None, late, &plain),
        "target's delay",
    );
    let counts = ksg_counts(&x, &y, None, &x.abs()?, most)?;
    assert!(counts.to_vec::<i32>()?.iter().all(|n| *n == 0));
    Ok(())
}
