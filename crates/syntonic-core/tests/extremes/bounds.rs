//! Where the numbers of a distribution end.

use crate::{FLOATS, largest, values};
use syntonic_core::ops::random::{integers, normal, uniform};
use syntonic_core::random::Generator;
use syntonic_core::{DType, cpu};

#[test]
fn uniform_numbers_stay_in_their_half_open_interval() {
    for dtype in FLOATS {
        let most = largest(dtype);
        for (low, high) in [
            (0.0, 1.0),
            (1.0, 2.0),
            (1000.0, 1001.0),
            (-1.0, 1.0),
            (0.7, 0.9),
            (-0.9, -0.7),
            (2.0, 1.0),
            (-6e4, 6e4),
            (-0.5 * most, 0.5 * most),
            (1e-7, 2e-7),
        ] {
            let mut generator = Generator::new(3);
            let x = uniform(&[40_000], low, high, dtype, &mut generator, &cpu()).unwrap();
            let inside = |x: f64| match low < high {
                true => low <= x && x < high,
                false => high < x && x <= low,
            };
            let beyond = values(&x).into_iter().find(|&x| !inside(x));
            assert!(beyond.is_none(), "{dtype} {low}..{high}: {beyond:?}");
        }
        if dtype != DType::F64 {
            let all = uniform(
                &[40_000],
                -most,
                most,
                dtype,
                &mut Generator::new(3),
                &cpu(),
            );
            let all = values(&all.unwrap());
            assert!(all.iter().all(|x| x.is_finite()) && all.iter().any(|x| *x > 0.5 * most));
            let far = uniform(&[2], 0.0, 2.0 * most, dtype, &mut Generator::new(3), &cpu());
            assert!(far.unwrap_err().to_string().contains("does not hold"));
        }
        // No number of a half type is between these.
        let narrow = (1.0 + 1e-9, 1.0 + 2e-9);
        let x = uniform(
            &[5],
            narrow.0,
            narrow.1,
            dtype,
            &mut Generator::new(3),
            &cpu(),
        )
        .unwrap();
        let inside = |&x: &f64| narrow.0 <= x && x < narrow.1;
        let values = values(&x);
        assert!(
            values.iter().all(|&x| x == 1.0) || values.iter().all(inside),
            "{dtype} {values:?}"
        );
        let same = uniform(&[5], 0.5, 0.5, dtype, &mut Generator::new(3), &cpu()).unwrap();
        assert_eq!(crate::values(&same), [0.5; 5]);
    }
}

#[test]
fn normal_numbers_are_finite_and_half_types_round_once() {
    for dtype in FLOATS {
        let mut generator = Generator::new(5);
        let z = normal(&[100_000], 0.0, 1.0, dtype, &mut generator, &cpu()).unwrap();
        assert!(values(&z).iter().all(|z| z.is_finite() && z.abs() < 10.0));
        let wide = normal(
            &[1000],
            100.0,
            3.0,
            dtype.compute(),
            &mut Generator::new(5),
            &cpu(),
        );
        let half = normal(&[1000], 100.0, 3.0, dtype, &mut Generator::new(5), &cpu()).unwrap();
        let rounded = wide.unwrap().cast(dtype).unwrap();
        assert_eq!(values(&half), values(&rounded));
    }
}

#[test]
fn integers_reach_both_ends_of_their_types() {
    for dtype in DType::ALL.into_iter().filter(|d| d.is_integer()) {
        let (low, high) = dtype.integers().unwrap();
        let (low, high) = (
            low.max(i64::MIN.into()) as i64,
            high.min(i64::MAX.into()) as i64,
        );
        let draw = |low, high| integers(&[3000], low, high, dtype, &mut Generator::new(9), &cpu());
        for (low, high) in [(low, low + 2), (high - 2, high), (low, high)] {
            let x = draw(low, high).unwrap().cast(DType::I64).unwrap();
            let x = x.to_vec::<i64>().unwrap();
            assert!(
                x.iter().all(|x| (low..high).contains(x)),
                "{dtype} {low}..{high}"
            );
        }
    }
}
