//! Operators at the ends of their types, beside their definitions in `float64` or in closed form.

use crate::constants::{INV_PHI, PHI};
use crate::exact::{Golden, GoldenTensor};
use crate::geometry::{
    Weighting, golden_generations, heat_kernel, theta, theta_derivative, winding_count,
    winding_weights, winding_zeta, windings,
};
use crate::infer::discrete::{policy_posterior, sample_action};
use crate::infer::{accuracy, categorical_free_energy, categorical_kl_divergence, kl_divergence};
use crate::nn::{
    Activation, AllMasked, BatchNorm, Channels, LayerNorm, Mode, Running, Softmax, Weights,
    batch_norm, batch_norm_eval, golden_gelu, layer_norm, phi_residual, syntonic_softmax,
};
use crate::resonant::lattice::{Crystallized, Flux, golden_recursion, golden_recursion_inverse};
use crate::resonant::{Modes, mode_norms};
use syntonic_core::prelude::*;

type Tested = Result<(), Box<dyn std::error::Error>>;

const FLOATS: [DType; 4] = [DType::F16, DType::BF16, DType::F32, DType::F64];

/// The largest number, the smallest normal one and the smallest of all, and what an operation rounds by.
fn ends(dtype: DType) -> [f64; 4] {
    let two = |power: i32| 2f64.powi(power / 2) * 2f64.powi(power - power / 2);
    match dtype {
        DType::F16 => [65504.0, two(-14), two(-24), two(-11)],
        DType::BF16 => [(2.0 - two(-7)) * two(127), two(-126), two(-133), two(-8)],
        DType::F32 => [f64::from(f32::MAX), two(-126), two(-149), two(-24)],
        _ => [f64::MAX, two(-1022), two(-1074), two(-53)],
    }
}

/// Finite numbers of both signs, from the least to the largest.
fn finite(dtype: DType) -> Vec<f64> {
    let [most, normal, least, _] = ends(dtype);
    let all = [
        0.0,
        least,
        3.0 * least,
        normal,
        1e-3,
        0.5,
        1.0,
        7.0,
        300.0,
        most / 4.0,
        most,
    ];
    all.iter().flat_map(|x| [*x, -x]).collect()
}

fn made(values: &[f64], dtype: DType) -> syntonic_core::Result<Tensor> {
    Tensor::from_slice(values, &[values.len()])?
        .cast(dtype)?
        .eval()
}

/// An error unless each is within so many roundings of what it should be, or a unit of the least number, or both are NaN.
fn close(what: &str, dtype: DType, got: &Tensor, want: &[f64], roundings: f64) -> Tested {
    let [most, _, least, rounding] = ends(dtype);
    for (k, (got, want)) in got.to_vec::<f64>()?.iter().zip(want).enumerate() {
        let bound = roundings * rounding * want.abs() + roundings * least;
        let beyond = want.abs() > most * (1.0 - roundings * rounding);
        let same = got.is_nan() && want.is_nan()
            || *got == *want
            || (got - want).abs() <= bound
            || beyond && got.abs() >= most * (1.0 - roundings * rounding) && got * want > 0.0;
        if !same {
            return Err(format!("{what} {dtype} at {k}: {got}, not {want}").into());
        }
    }
    Ok(())
}

/// The definition with its largest exponent taken out, in double precision; a sum of few terms and two exponentials, whose operands are rounded.
#[test]
fn syntonic_softmax_of_every_magnitude() -> Tested {
    for dtype in FLOATS {
        let [most, _, least, _] = ends(dtype);
        let rows = [
            [0.0, 0.0, 0.0],
            [most, most, -most],
            [most, 0.0, f64::NEG_INFINITY],
            [-most, -most, f64::NEG_INFINITY],
            [least, -least, 0.0],
            [1.0, 2.0, -3.0],
        ];
        let norms = [0.0, 1.0, most.min(1e30)];
        for row in rows {
            let x = made(&row, dtype)?;
            let n = made(&norms, dtype)?;
            let n_held = n.to_vec::<f64>()?;
            let slow = |log_w: &dyn Fn(usize) -> f64| -> Vec<f64> {
                let z: Vec<f64> = (0..3).map(|k| row[k] + log_w(k)).collect();
                let top = z.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let e: Vec<f64> = z.iter().map(|z| (z - top).exp()).collect();
                let total: f64 = e.iter().sum();
                e.iter().map(|e| e / total).collect()
            };
            let plain = syntonic_softmax(&x, Weights::Identity, Softmax::default())?;
            close("softmax", dtype, &plain, &slow(&|_| 0.0), 16.0)?;
            let weighed = syntonic_softmax(&x, Weights::ModeNorms(&n), Softmax::default())?;
            let log_w = |k: usize| -n_held[k] * INV_PHI;
            close("mode norms", dtype, &weighed, &slow(&log_w), 32.0)?;
            // A weight of 0, the least and the largest.
            let given = made(&[0.0, least, most], dtype)?;
            let weighed = syntonic_softmax(&x, Weights::Provided(&given), Softmax::default())?;
            let log_w = |k: usize| [0.0, least, most][k].ln();
            let want = slow(&log_w);
            // Logarithms of up to 745 are rounded by as many units.
            close(
                "weights",
                dtype,
                &weighed,
                &want,
                if dtype == DType::F64 { 2000.0 } else { 400.0 },
            )?;
        }
        let masked = made(&[f64::NEG_INFINITY; 3], dtype)?;
        let zero = Softmax {
            all_masked: AllMasked::Zero,
            ..Softmax::default()
        };
        let zeros = syntonic_softmax(&masked, Weights::Identity, zero)?;
        assert_eq!(zeros.to_vec::<f64>()?, [0.0; 3]);
    }
    Ok(())
}

#[test]
fn activations_and_residuals_of_every_magnitude() -> Tested {
    for dtype in FLOATS {
        let values = finite(dtype);
        let x = made(&values, dtype)?;
        let held = x.to_vec::<f64>()?;
        let want: Vec<f64> = held.iter().map(|x| x / (1.0 + (-PHI * x).exp())).collect();
        // The exponent is rounded before it is taken e to: by up to 90 units of float32 where the result is a number, 745 of float64.
        let roundings = if dtype == DType::F64 { 2000.0 } else { 300.0 };
        close("golden_gelu", dtype, &golden_gelu(&x)?, &want, roundings)?;
        let [most, ..] = ends(dtype);
        for r in &values {
            // What is beyond the type on its way there is so at its end.
            let pairs: Vec<f64> = held.iter().map(|_| *r).collect();
            let r = made(&pairs, dtype)?;
            let of = |f: fn(f64, f64) -> f64| -> Vec<f64> {
                let pairs = held.iter().zip(&pairs);
                pairs
                    .map(|(x, r)| {
                        if (x + r).abs() > most {
                            f64::NAN
                        } else {
                            f(*x, *r)
                        }
                    })
                    .collect()
            };
            type Slow = fn(f64, f64) -> f64;
            let modes: [(Mode, Slow); 3] = [
                (Mode::Phi, |x, r| x + r * INV_PHI),
                (Mode::PhiSymmetric, |x, r| (x + r) * INV_PHI),
                (Mode::Standard, |x, r| x + r),
            ];
            for (mode, slow) in modes {
                let got = phi_residual(&x, &r, mode, Activation::None)?.to_vec::<f64>()?;
                // The product is rounded before the sum, which may cancel it.
                let [.., least, rounding] = ends(dtype);
                for ((got, want), x) in got.iter().zip(of(slow)).zip(&held) {
                    let bound = 4.0 * rounding * (x.abs() + pairs[0].abs()) + 4.0 * least;
                    let same = want.is_nan() || *got == want || (got - want).abs() <= bound;
                    assert!(same, "{mode:?} {dtype} {x} {}: {got}, {want}", pairs[0]);
                }
            }
        }
    }
    Ok(())
}

#[test]
fn norms_of_constant_rows_are_zeros_at_every_offset() -> Tested {
    for dtype in FLOATS {
        // Sums of 64 are numbers of the type.
        let most = ends(dtype)[0] / 1024.0;
        for value in [0.0, 1.0, 300.0, most, -most, ends(dtype)[2]] {
            let x = Tensor::full(&[4, 64], value, dtype)?;
            for y in [
                layer_norm(&x, None, LayerNorm::default())?,
                batch_norm(&x, None, BatchNorm::golden(Channels::Features))?.0,
            ] {
                // 64 equal numbers have an exact mean.
                assert!(
                    y.to_vec::<f64>()?.iter().all(|y| *y == 0.0),
                    "{dtype} {value}"
                );
            }
        }
    }
    Ok(())
}

/// Half types hold deviations up to 65504, and not their squares.
#[test]
fn statistics_of_half_types_are_wider_than_they() -> Tested {
    for dtype in [DType::F16, DType::BF16] {
        let rows: Vec<f64> = (0..64)
            .map(|k| if k % 2 == 0 { 3e4 } else { -3e4 })
            .collect();
        let x = Tensor::from_slice(&rows, &[64, 1])?.cast(dtype)?.eval()?;
        let held = x.to_vec::<f64>()?[0];
        let settings = BatchNorm::golden(Channels::Features);
        let (y, stats) = batch_norm(&x, None, settings)?;
        assert_eq!((y.dtype(), stats.var.dtype()), (dtype, DType::F32));
        let var = stats.var.to_vec::<f64>()?[0];
        assert!((var - held * held).abs() <= 4.0 * 2f64.powi(-24) * held * held);
        let mut running = Running::new(1, dtype)?;
        running.momentum = 1.0;
        running.update(&stats)?;
        let eval = batch_norm_eval(&x, (&running.mean, &running.var), None, settings)?;
        let want: Vec<f64> = rows
            .iter()
            .map(|x| x.signum() * INV_PHI.sqrt() * (63f64 / 64.0).sqrt())
            .collect();
        assert_eq!(eval.dtype(), dtype);
        close("batch norm", dtype, &eval, &want, 4.0)?;
    }
    Ok(())
}

/// Syntony has no scale: a power of two of the state changes no bit.
#[test]
fn syntony_of_every_scale() -> Tested {
    for (dtype, powers) in [
        (DType::F32, [-149, -126, -80, 60, 120]),
        (DType::F64, [-1074, -1022, -600, 500, 1018]),
    ] {
        let psi = [3.0, -1.0, 4.0, 1.0, -5.0, 9.0];
        let modes = Modes::new(&mode_norms(6)?, dtype)?;
        let want = modes.syntony(&made(&psi, dtype)?)?.to_scalar::<f64>()?;
        let exact = |psi: &[f64]| -> Result<f64, Box<dyn std::error::Error>> {
            let flux = Flux::new(&made(psi, DType::F64)?, None)?;
            Ok(flux.syntony()?.to_scalar::<f64>()?)
        };
        for power in powers {
            let half = power / 2;
            let scaled = psi.map(|x| x * 2f64.powi(half) * 2f64.powi(power - half));
            let got = modes.syntony(&made(&scaled, dtype)?)?.to_scalar::<f64>()?;
            assert!(
                (got - want).abs() <= 8.0 * ends(dtype)[3],
                "{dtype} 2^{power}: {got}, {want}"
            );
            assert_eq!(exact(&scaled)?, exact(&psi)?);
        }
    }
    Ok(())
}

/// Terms in double precision. Logarithms are rounded by their own size, up to 745, and terms are added.
#[test]
fn divergences_with_zeros_and_tiny_probabilities() -> Tested {
    for dtype in FLOATS {
        let [_, normal, least, rounding] = ends(dtype);
        let rows = [
            ([1.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
            ([0.5, 0.5, 0.0], [0.5, 0.25, 0.25]),
            ([1.0, least, 0.0], [least, 1.0, 0.0]),
            ([normal, 1.0, least], [1.0, normal, normal]),
            ([least, least, least], [least, least, least]),
            ([0.5, 0.5, 0.0], [1.0, 0.0, 0.0]),
            ([0.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
        ];
        for (q, p) in rows {
            let term = |q: f64, p: f64| match (q == 0.0, p == 0.0) {
                (true, _) => 0.0,
                (false, true) => f64::INFINITY,
                _ => q * (q.ln() - p.ln()),
            };
            let (q_, p_) = (made(&q, dtype)?, made(&p, dtype)?);
            let terms: Vec<f64> = q.iter().zip(&p).map(|(q, p)| term(*q, *p)).collect();
            let want: f64 = terms.iter().sum();
            let got = categorical_kl_divergence(&q_, &p_)?.to_scalar::<f64>()?;
            let size: f64 = q
                .iter()
                .zip(&p)
                .map(|(q, p)| {
                    if *q > 0.0 && *p > 0.0 {
                        q * (q.ln().abs() + p.ln().abs())
                    } else {
                        0.0
                    }
                })
                .sum();
            let bound = 8.0 * rounding * size + 4.0 * least;
            assert!(
                got == want || (got - want).abs() <= bound,
                "{dtype} {q:?} {p:?}: {got}, {want}"
            );
            let log = made(&[-1.0, f64::NEG_INFINITY, 0.0], dtype)?;
            let parts = categorical_free_energy(&q_, &p_, &log)?;
            let seen: f64 = (0..3)
                .map(|k| {
                    if q[k] == 0.0 {
                        0.0
                    } else {
                        q[k] * [-1.0, f64::NEG_INFINITY, 0.0][k]
                    }
                })
                .sum();
            let got = parts.accuracy.to_scalar::<f64>()?;
            assert!(got == seen || (got - seen).abs() <= 8.0 * rounding * seen.abs() + 4.0 * least);
        }
    }
    for dtype in [DType::F32, DType::F64] {
        let [most, normal, least, rounding] = ends(dtype);
        let large = most.sqrt() / 4.0;
        // A mean far off, a variance that is far off, both.
        for (m, vq, vp) in [
            (large, 1.0, 1.0),
            (0.0, normal, 1.0),
            (0.0, 1.0, most),
            (1.0, least, 1.0),
            (1.0, 1.0, most),
            (0.0, normal, normal),
            (normal, 1.0, 1.0),
        ] {
            let t = |x: f64| made(&[x], dtype);
            let got = kl_divergence(&t(m)?, &t(0.0)?, &t(vq)?, &t(vp)?)?.to_scalar::<f64>()?;
            let want = 0.5 * (vq / vp - 1.0 - (vq.ln() - vp.ln()) + m * m / vp);
            let size = vq / vp + 1.0 + vq.ln().abs() + vp.ln().abs() + m * m / vp;
            let bound = 8.0 * rounding * size;
            assert!(
                (got - want).abs() <= bound,
                "{dtype} {m} {vq} {vp}: {got}, {want}"
            );
        }
        for (d, precision) in [
            (large, 1.0),
            (normal, most),
            (0.0, most),
            (1.0, normal),
            (large, normal),
        ] {
            let t = |x: f64| made(&[x], dtype);
            let got = accuracy(&t(d)?, &t(0.0)?, &t(precision)?)?.to_scalar::<f64>()?;
            let two_pi: f64 = 2.0 * std::f64::consts::PI;
            let want = -0.5 * (precision * d * d - precision.ln() + two_pi.ln());
            let size = precision * d * d + precision.ln().abs() + 2.0;
            assert!(
                (got - want).abs() <= 8.0 * rounding * size,
                "{dtype} {d} {precision}: {got}, {want}"
            );
        }
    }
    Ok(())
}

/// The best of the policies that are allowed has all, whatever the product of its value and gamma is.
#[test]
fn choices_of_every_confidence() -> Tested {
    for dtype in [DType::F32, DType::F64] {
        let values = made(&[-3.0, -1.0, -2.0], dtype)?;
        for gamma in [1e30, 1e38, 1e300, f64::MAX] {
            let got = policy_posterior(&values, gamma, None)?.to_vec::<f64>()?;
            assert_eq!(got, [0.0, 1.0, 0.0], "{dtype} {gamma}");
            let prior = made(&[0.5, 0.0, 0.5], dtype)?;
            let got = policy_posterior(&values, gamma, Some(&prior))?.to_vec::<f64>()?;
            assert_eq!(got, [0.0, 0.0, 1.0], "{dtype} {gamma}");
        }
        let none = made(&[f64::NEG_INFINITY; 3], dtype)?;
        let got = policy_posterior(&none, 1e300, None)?.to_vec::<f64>()?;
        assert!(got.iter().all(|p| (p - 1.0 / 3.0).abs() < 1e-7));
        let tiny = made(&[0.0, ends(dtype)[2], 0.0], dtype)?;
        let drawn = sample_action(&[tiny], 1e6, &mut Generator::new(1))?;
        assert_eq!(drawn.to_vec::<i64>()?, [1]);
        let wrong = made(&[f64::INFINITY, 1.0, 0.0], dtype)?;
        assert!(sample_action(&[wrong], 1.0, &mut Generator::new(1)).is_err());
    }
    Ok(())
}

/// Θ(t) is 1 with nothing behind it for small t and t² for large ones, as plain sums are by Poisson's formula.
#[test]
fn sums_over_windings_of_every_temperature() -> Tested {
    let near = |got: f64, want: f64| got == want || (got - want).abs() <= 1e-13 * want.abs();
    for t in [5e-324, 1e-310, 1e-200, 1e-160, 1e-100, 1e-3] {
        for weights in [Weighting::Plain, Weighting::Golden] {
            assert_eq!(theta(t, weights)?, 1.0, "{t}");
            let slope = theta_derivative(t, weights)?;
            assert!(slope == 0.0, "{t}: {slope}");
        }
    }
    for t in [1e3, 1e50, 1e100, 1e103, 1e150, 1e200, 1e300, f64::MAX] {
        assert!(near(theta(t, Weighting::Plain)?, t * t), "{t}");
        assert!(near(theta_derivative(t, Weighting::Plain)?, 2.0 * t), "{t}");
        // Weights keep the sum below that of all weights, to which it comes as 1/t does.
        let (all, slope) = (
            theta(t, Weighting::Golden)?,
            theta_derivative(t, Weighting::Golden)?,
        );
        assert!((all - 25.838_983_763_8).abs() < 0.5 && slope >= 0.0 && slope.is_finite());
        assert!(t < 1e150 || slope == 0.0 || slope < 1e-290, "{t}: {slope}");
    }
    for t in [5e-324, 1e-200, 1e-3] {
        // (4π t)^-2, by Poisson's formula.
        let want = (4.0 * std::f64::consts::PI * t).powi(-2);
        assert!(near(heat_kernel(t, Weighting::Plain)?, want), "{t}");
    }
    for t in [1e3, 1e300, f64::MAX] {
        assert_eq!(heat_kernel(t, Weighting::Plain)?, 1.0);
    }
    let square = 4.0 * std::f64::consts::PI * std::f64::consts::PI;
    // Past the first eight windings, whose squared norm is 1, all are below 24/8 2^-s.
    for s in [60.0, 64.0, 65.0, 100.0, 190.0] {
        let want = 8.0 * square.powf(-s);
        assert!((winding_zeta(s)? / want - 1.0).abs() < 1e-12, "{s}");
    }
    for s in [1e3, 1e35, 1e100, f64::MAX] {
        assert_eq!(winding_zeta(s)?, 0.0, "{s}");
    }
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(
            theta(bad, Weighting::Plain).is_err() && heat_kernel(bad, Weighting::Plain).is_err()
        );
        assert!(theta_derivative(bad, Weighting::Golden).is_err() && winding_zeta(bad).is_err());
    }
    for most in [0, 1, 2, 3, 4, 5, 12, 40] {
        assert_eq!(winding_count(most), windings(most)?.shape()[0], "{most}");
    }
    // The volume of a ball of four dimensions, and at once.
    let volume = std::f64::consts::PI.powi(2) / 2.0;
    for most in [1_000_000, 1 << 30] {
        let want = volume * f64::from(most) * f64::from(most);
        assert!((winding_count(most) as f64 / want - 1.0).abs() < 1e-4);
    }
    assert_eq!(winding_count(u32::MAX), usize::MAX);
    Ok(())
}

#[test]
fn whole_numbers_at_the_ends_of_their_types() -> Tested {
    let ends = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX];
    let wide = |x: i64| i128::from(x);
    let one = |a: i64, b: i64| GoldenTensor::from_points(&[Golden::new(a, b)], &[1]);
    // A result that no pair of int64 holds is an error; any other is exact.
    let check = |what: &str, got: Result<GoldenTensor, _>, (a, b): (i128, i128)| {
        let held = i64::try_from(a).is_ok() && i64::try_from(b).is_ok();
        match got {
            Ok(made) => {
                let made: GoldenTensor = made;
                let point = made.to_points().unwrap()[0];
                assert!(held, "{what}: {point:?} stands for {a}, {b}");
                assert_eq!(point, Golden::new(a as i64, b as i64), "{what}");
            }
            Err(crate::exact::GoldenTensorError::Tensor(e)) => panic!("{what}: {e}"),
            Err(_) => assert!(!held, "{what}: {a}, {b} is held"),
        }
    };
    for a in ends {
        for b in ends {
            let x = one(a, b)?;
            let (wa, wb) = (wide(a), wide(b));
            check("negated", x.negated(), (-wa, -wb));
            check("conjugate", x.conjugate(), (wa + wb, -wb));
            check("times_phi", x.times_phi(), (wb, wa + wb));
            check("over_phi", x.over_phi(), (wb - wa, wa));
            for c in ends {
                let y = one(c, 1)?;
                let wc = wide(c);
                check("plus", x.plus(&y), (wa + wc, wb + 1));
                check("minus", x.minus(&y), (wa - wc, wb - 1));
                // (a + bφ)(c + φ), whose parts are below 2^127.
                check("times", x.times(&y), (wa * wc + wb, wa + wb * wc + wb));
            }
        }
        let n = Tensor::from([a]);
        match golden_recursion(&n) {
            Ok(made) => {
                let back = golden_recursion_inverse(&made)?;
                assert_eq!(back.to_vec::<i64>()?, [a]);
            }
            Err(_) => assert!(a.unsigned_abs() > (i64::MAX as f64 / PHI) as u64 - 2),
        }
        let four = Tensor::from([a, 0, 0, 0]);
        let generation = golden_generations(&four);
        match a {
            i64::MIN => assert!(generation.is_err()),
            _ => {
                let size = a.unsigned_abs() as f64;
                let want = if a == 0 {
                    0
                } else {
                    1 + (size.ln() / PHI.ln()).floor() as i64
                };
                assert_eq!(generation?.to_vec::<i64>()?, [want], "{a}");
            }
        }
        let weight = winding_weights(&four)?.to_scalar::<f64>()?;
        let want = (-(a as f64) * (a as f64) * INV_PHI).exp();
        assert!((weight - want).abs() <= 4.0 * f64::EPSILON * want);
    }
    let large = Tensor::from_slice(&[u64::MAX, 0, 0, 0], &[4])?;
    assert!(golden_generations(&large).is_err());
    // A lattice of floats beyond it.
    for x in [f64::MAX, 1e300, f64::NAN, f64::INFINITY] {
        assert!(Crystallized::from_floats(&Tensor::from([x, 1.0]), None, 100).is_err());
    }
    Ok(())
}
