//! Updates of half types beside `float64`, over gradients of every magnitude that they hold.

use super::{Adam, Leaf, Lion, Momentum, Optimizer, Sgd, Updated, clip_by_global_norm};
use std::collections::BTreeMap;
use syntonic_core::{DType, Error, Tensor, io, profile};

type Tested = Result<(), Box<dyn std::error::Error>>;

/// From the smallest subnormal number of `float16` to nearly its largest.
const MAGNITUDES: [f64; 9] = [1e-7, 1e-6, 1e-5, 1e-3, 0.5, 30.0, 300.0, 3e4, 6e4];
const STEPS: u64 = 200;
const EPS: f64 = 1e-8;

/// A step of plain numbers at a rate: `(t, rate, p, g, moments)`.
type Slow = fn(i32, f64, f64, f64, &mut [f64; 2]) -> f64;

fn adam(t: i32, rate: f64, p: f64, g: f64, m: &mut [f64; 2]) -> f64 {
    m[0] += (g - m[0]) * (1.0 - 0.9);
    m[1] += (g * g - m[1]) * (1.0 - 0.999);
    let mean = m[0] / (1.0 - 0.9f64.powi(t));
    let squares = m[1] / (1.0 - 0.999f64.powi(t));
    p - rate * mean / (squares.sqrt() + EPS)
}

/// The update of a parameter that has a master copy.
fn with_copy(
    optimizer: &Optimizer,
    (step, rate): (u64, f64),
    [parameter, master, gradient]: [&Tensor; 3],
    moments: &[Tensor],
) -> Result<Updated, Error> {
    let leaf = Leaf {
        parameter,
        master: Some(master),
        gradient,
        moments,
    };
    Ok(optimizer.update_each(step, rate, &[leaf], None)?.remove(0))
}

fn table() -> Vec<(&'static str, Optimizer, Slow)> {
    let momentum = |momentum| Sgd {
        momentum,
        ..Sgd::default()
    };
    vec![
        ("sgd", Sgd::default().into(), |_, rate, p, g, _| {
            p - rate * g
        }),
        (
            "heavy",
            momentum(Momentum::Heavy(0.9)).into(),
            |_, rate, p, g, m| {
                m[0] = 0.9 * m[0] + g;
                p - rate * m[0]
            },
        ),
        (
            "nesterov",
            momentum(Momentum::Nesterov(0.9)).into(),
            |_, rate, p, g, m| {
                m[0] = 0.9 * m[0] + g;
                p - rate * (g + 0.9 * m[0])
            },
        ),
        ("adam", Adam::default().into(), adam),
        ("adamw", Adam::decoupled().into(), |t, rate, p, g, m| {
            adam(t, rate, p - rate * 0.01 * p, g, m)
        }),
        ("lion", Lion::default().into(), |_, rate, p, g, m| {
            let along = m[0] + (g - m[0]) * (1.0 - 0.9);
            m[0] += (g - m[0]) * (1.0 - 0.99);
            p - rate * along.signum()
        }),
    ]
}

/// Half a unit of the last place of a number of this size.
fn half_unit(dtype: DType, x: f64) -> f64 {
    let (digits, least) = match dtype {
        DType::F16 => (11, -24),
        DType::BF16 => (8, -133),
        _ => (24, -149),
    };
    let exponent = x.abs().max(f64::MIN_POSITIVE).log2().floor() as i32;
    2f64.powi((exponent - digits).max(least - 1))
}

/// 200 steps of about 1e-3 from `begin`, with and without a master copy, beside float64. A moment is off by the roundings of its steps, at most 4 of
/// 2^-24 each, and so are means and steps; the parameter by half a unit at each step, of the half type or, for the master copy, of float32.
#[test]
fn half_types_keep_beside_double_precision() -> Tested {
    for dtype in [DType::F16, DType::BF16] {
        for (name, optimizer, slow) in table() {
            for magnitude in MAGNITUDES {
                for (begin, with_master) in [(0.0, false), (0.0, true), (2.0, true)] {
                    let what = format!("{name} {dtype} {magnitude} from {begin}");
                    let gradient = Tensor::from([magnitude]).cast(dtype)?.eval()?;
                    let g = gradient.to_vec::<f64>()?[0];
                    // Steps of 1e-3, whatever the gradient.
                    let rate = match optimizer {
                        Optimizer::Sgd(_) => 1e-3 / g,
                        _ => 1e-3,
                    };
                    let mut master = Tensor::from([begin as f32]);
                    let mut p = master.cast(dtype)?.eval()?;
                    let mut moments = optimizer.moments(&p)?;
                    assert!(moments.iter().all(|m| m.dtype() == DType::F32));
                    let (mut want, mut kept, mut bound) = (begin, [0.0; 2], 0.0);
                    for t in 1..=STEPS {
                        let made = match with_master {
                            true => with_copy(
                                &optimizer,
                                (t, rate),
                                [&p, &master, &gradient],
                                &moments,
                            )?,
                            false => optimizer.update(t, rate, &p, &gradient, &moments)?,
                        };
                        assert_eq!(made.master.is_some(), with_master);
                        assert_eq!(made.parameter.dtype(), dtype);
                        (p, moments) = (made.parameter, made.moments);
                        master = made.master.unwrap_or(master);
                        let next = slow(t as i32, rate, want, g, &mut kept);
                        let relative = (8 * t + 60) as f64 * 2f64.powi(-24);
                        // A product and a difference are rounded to float32, and their result to a half type once.
                        let (held, times) = if with_master {
                            (DType::F32, 2.0)
                        } else {
                            (dtype, 1.0)
                        };
                        // Of the largest number on the way; what it is off already is less than itself.
                        let largest = want.abs().max(next.abs()) + bound;
                        bound += (next - want).abs() * relative + times * half_unit(held, largest);
                        want = next;
                    }
                    let (got, moved) = (p.to_vec::<f64>()?[0], (want - begin).abs());
                    // The check says something: without a step it fails.
                    assert!(moved > 1.2 * bound, "{what}: {moved}, {bound}");
                    let off = (got - want).abs();
                    let most = bound + half_unit(dtype, want.abs() + bound);
                    assert!(off <= most, "{what}: {got}, {want}, off {off} of {most}");
                    for (moment, want) in moments.iter().zip(kept) {
                        assert_eq!(moment.dtype(), DType::F32);
                        let got = moment.to_vec::<f64>()?[0];
                        let most = want.abs() * (8 * STEPS + 60) as f64 * 2f64.powi(-24);
                        assert!((got - want).abs() <= most, "{what}: {got}, {want}");
                    }
                }
            }
        }
    }
    Ok(())
}

fn launches(profile: &profile::Profile) -> usize {
    let ours = |line: &&profile::Line| line.shape.replace(' ', "").contains("3,1,7,1,2");
    profile
        .lines
        .iter()
        .filter(ours)
        .map(|line| line.calls)
        .sum()
}

#[test]
fn every_update_is_one_launch_of_whatever_types() -> Tested {
    let all = [DType::F16, DType::BF16, DType::F32, DType::F64];
    for (name, optimizer, _) in table() {
        for p in all {
            for g in all {
                // A shape that no test beside has, whose launches are recorded as well.
                let made = |dtype, x: f64| Tensor::full(&[3, 1, 7, 1, 2], x, dtype)?.eval();
                let (parameter, gradient) = (made(p, 1.0)?, made(g, 0.25)?);
                let moments = optimizer.moments(&parameter)?;
                let moments: Vec<Tensor> =
                    moments.iter().map(|m| m.eval()).collect::<Result<_, _>>()?;
                let recording = profile::start();
                let after = optimizer.update(1, 0.5, &parameter, &gradient, &moments)?;
                let plain = launches(&recording.finish()?);
                assert_eq!(after.parameter.dtype(), p, "{name} {p} {g}");
                assert!(after.moments.iter().all(|m| m.dtype() == p.compute()));
                let copy = parameter.cast(p.compute())?.eval()?;
                let recording = profile::start();
                let all = [&parameter, &copy, &gradient];
                let with = with_copy(&optimizer, (1, 0.5), all, &moments)?;
                let master = launches(&recording.finish()?);
                assert_eq!((plain, master), (1, 1), "{name} {p} {g}");
                assert_eq!(with.master.ok_or("a master copy")?.dtype(), p.compute());
                // The first step from what a type holds is the same with and without a copy.
                assert_eq!(
                    with.parameter.to_vec::<f64>()?,
                    after.parameter.to_vec::<f64>()?
                );
            }
        }
    }
    Ok(())
}

/// Moments of files that were written in a half type go on in float32, and a file has all of a state's digits.
#[test]
fn states_in_files_go_on_with_the_same_bits() -> Tested {
    let half = |x: f64| Tensor::from([x, 0.3]).cast(DType::BF16)?.eval();
    let (mut p, g) = (half(1.0)?, half(0.1)?);
    let adam = Optimizer::from(Adam::default());
    let old = adam.update(1, 1e-3, &p, &g, &[half(0.0)?, half(0.0)?])?;
    assert!(old.moments.iter().all(|m| m.dtype() == DType::F32));
    let mut moments = adam.moments(&p)?;
    for t in 1..=5 {
        let made = adam.update(t, 1e-3, &p, &g, &moments)?;
        (p, moments) = (made.parameter, made.moments);
    }
    let named = [
        ("p", p.clone()),
        ("m", moments[0].clone()),
        ("v", moments[1].clone()),
    ];
    let bytes = io::safetensors_to_bytes(&named, &BTreeMap::new())?;
    let loaded = io::safetensors_from_bytes(&bytes)?.0;
    let found = |name: &str| loaded.get(name).cloned();
    let kept = [found("m").ok_or("m")?, found("v").ok_or("v")?];
    let (one, other) = (
        adam.update(6, 1e-3, &p, &g, &moments)?,
        adam.update(6, 1e-3, &found("p").ok_or("p")?, &g, &kept)?,
    );
    assert_eq!(
        one.parameter.to_vec::<f64>()?,
        other.parameter.to_vec::<f64>()?
    );
    for (a, b) in one.moments.iter().zip(&other.moments) {
        assert_eq!(a.to_vec::<f64>()?, b.to_vec::<f64>()?);
    }
    Ok(())
}

/// The length is float32's or float64's, of the largest half numbers and of the smallest. A sum of n squares is off by n 2^-24, its root by half of it, and
/// each result is rounded to its type once.
#[test]
fn gradients_of_half_types_are_clipped_at_every_magnitude() -> Tested {
    for dtype in [DType::F16, DType::BF16] {
        for magnitude in MAGNITUDES {
            let row: Vec<f64> = (0..1000)
                .map(|k| magnitude * (0.5 + f64::from(k % 7) / 14.0))
                .collect();
            let first = Tensor::from_slice(&row, &[1000])?.cast(dtype)?.eval()?;
            let grads = [first, Tensor::from([magnitude as f32])];
            let numbers: Vec<Vec<f64>> = grads
                .iter()
                .map(|g| g.to_vec())
                .collect::<Result<_, Error>>()?;
            let squares = numbers.iter().flatten().map(|x| x * x).sum::<f64>();
            let most = 0.5 * magnitude;
            let (clipped, length) = clip_by_global_norm(&grads, most)?;
            let (got, want) = (length.to_scalar::<f64>()?, squares.sqrt());
            let relative = 1010.0 * 2f64.powi(-24);
            assert!(
                (got - want).abs() <= want * relative,
                "{dtype} {magnitude}: {got}, {want}"
            );
            let factor = (most / (want + 1e-6)).min(1.0);
            assert!(factor < 1.0);
            for (clipped, numbers) in clipped.iter().zip(&numbers) {
                for (got, x) in clipped.to_vec::<f64>()?.iter().zip(numbers) {
                    let want = x * factor;
                    let bound = want * relative + half_unit(clipped.dtype(), want);
                    assert!(
                        (got - want).abs() <= bound,
                        "{dtype} {magnitude}: {got}, {want}"
                    );
                }
            }
        }
    }
    Ok(())
}
