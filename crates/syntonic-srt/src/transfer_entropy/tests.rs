//! The fast path against plain loops, and against known values.

use super::*;
use syntonic_core::ops::rearrange::roll;
use syntonic_core::random::Generator;
use syntonic_core::{DType, Error, Tensor};

type Tested = Result<(), Box<dyn std::error::Error>>;

const ALL: Estimator = Estimator {
    k: 4,
    window: 0,
    scaling: Scaling::AsGiven,
    jitter: None,
    wanted: Wanted::LOCAL,
    surrogates: None,
};

fn all(k: usize, window: usize) -> Estimator {
    Estimator {
        k,
        window,
        wanted: Wanted::LOCAL.and(Wanted::COUNTS).and(Wanted::DISTANCES),
        ..ALL
    }
}

fn histories(length: usize) -> Histories {
    let past = Past {
        length,
        ..Past::default()
    };
    Histories {
        source: past,
        target: past,
        condition: Past::default(),
    }
}

/// Numbers of a congruential generator, less one half.
fn numbers(seed: u64, n: usize) -> Vec<f64> {
    let mut s = seed;
    let next = |_| {
        s = s
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (s >> 11) as f64 * 2f64.powi(-53) - 0.5
    };
    (0..n).map(next).collect()
}

fn row(values: &[f64]) -> Tensor {
    Tensor::from_slice(values, &[values.len()]).unwrap()
}

/// Values that another program, and the definition in NumPy, give for this series.
#[test]
fn a_series_of_integer_arithmetic_has_its_known_values() -> Tested {
    let (x, e, z) = (numbers(1, 256), numbers(2, 256), numbers(3, 256));
    let driven = |b: f64| -> Vec<f64> {
        (0..256)
            .map(|t| if t == 0 { e[0] } else { b * x[t - 1] + e[t] })
            .collect()
    };
    let (half, y) = (driven(0.5), driven(0.6));
    for (source, target, length, window, want, sums) in [
        (
            &x,
            &half,
            1,
            0,
            0.158_004_195_078_564,
            Some([3195, 3737, 14432]),
        ),
        (
            &x,
            &y,
            1,
            0,
            0.214_152_331_397_671,
            Some([2981, 3633, 13995]),
        ),
        (
            &x,
            &y,
            1,
            5,
            0.210_694_317_741_363,
            Some([2951, 3594, 13625]),
        ),
        (
            &x,
            &y,
            3,
            0,
            0.125_851_144_945_185,
            Some([3602, 1654, 7622]),
        ),
        (
            &x,
            &y,
            3,
            5,
            0.127_261_491_291_408,
            Some([3521, 1640, 7427]),
        ),
        (&y, &x, 1, 0, -0.012_932_064_343_151, None),
        (&z, &x, 1, 0, -0.007_553_455_674_083, None),
        (&z, &x, 3, 0, 0.019_556_473_505_056, None),
    ] {
        let found = transfer_entropy(
            &row(source),
            &row(target),
            None,
            histories(length),
            &all(4, window),
        )?;
        assert!(
            (found.values[0] - want).abs() < 1e-12,
            "{length} {window}: {}",
            found.values[0]
        );
        let n = 256 - length;
        let counts = found.counts.ok_or("counts are wanted")?.to_vec::<i32>()?;
        if let Some(sums) = sums {
            let got: Vec<i32> = counts.chunks(n).map(|c| c.iter().sum()).collect();
            assert_eq!(got, sums);
        }
        if sums == Some([3195, 3737, 14432]) {
            let eps = found
                .distances
                .ok_or("distances are wanted")?
                .to_vec::<f64>()?;
            assert_eq!(eps[0], 0.161_478_652_107_530_48);
        }
    }
    Ok(())
}

/// Counts and distances by their definition.
fn plain(
    x: &[f64],
    y: &[f64],
    length: usize,
    k: usize,
    window: usize,
) -> (Vec<f64>, Vec<[i32; 3]>) {
    let n = x.len() - length;
    let apart = |a: &[f64], i: usize, j: usize| {
        (0..length).fold(0.0f64, |far, d| far.max((a[i + d] - a[j + d]).abs()))
    };
    let mut made = (Vec::new(), Vec::new());
    for i in 0..n {
        let others = || (0..n).filter(|j| j.abs_diff(i) > window);
        let parts = |j: usize| {
            let next = (y[i + length] - y[j + length]).abs();
            (apart(x, i, j), next, apart(y, i, j))
        };
        let mut far: Vec<f64> = others()
            .map(|j| {
                let (x, y, z) = parts(j);
                x.max(y).max(z)
            })
            .collect();
        far.sort_by(f64::total_cmp);
        let eps = far[k - 1];
        let mut counts = [0; 3];
        for j in others() {
            let (x, y, z) = parts(j);
            for (count, far) in counts.iter_mut().zip([y.max(z), x.max(z), z]) {
                *count += i32::from(far < eps);
            }
        }
        made.0.push(eps);
        made.1.push(counts);
    }
    made
}

#[test]
fn trees_find_what_plain_loops_find() -> Tested {
    let mut generator = Generator::new(5);
    for n in [12, 33, 34, 35, 64, 66, 130, 500] {
        for (length, k, window) in [(1, 1, 0), (1, 4, 2), (3, 3, 1), (2, 32, 0), (6, 4, 0)] {
            // Many ties, some, none, and a source that does not move.
            for steps in [2.0, 10.0, 1e9, 0.0] {
                if n - length < k + 1 + 2 * window {
                    continue;
                }
                let mut values = vec![0.0; 2 * n];
                generator.normal_f64(&mut values);
                let (x, y) = values.split_at_mut(n);
                x.iter_mut()
                    .for_each(|x| *x = (*x * steps).round() / f64::max(steps, 1.0));
                y.iter_mut()
                    .for_each(|y| *y = (*y * f64::max(steps, 3.0)).round());
                let (eps, counts) = plain(x, y, length, k, window);
                let found =
                    transfer_entropy(&row(x), &row(y), None, histories(length), &all(k, window))?;
                let what = format!("{n} {length} {k} {window} {steps}");
                assert_eq!(
                    found.distances.clone().ok_or("wanted")?.to_vec::<f64>()?,
                    eps,
                    "{what}"
                );
                let got = found.counts.clone().ok_or("wanted")?.to_vec::<i32>()?;
                let points = n - length;
                for (i, want) in counts.iter().enumerate() {
                    let got = [0, 1, 2].map(|row| got[row * points + i]);
                    assert_eq!(got, *want, "{what} at {i}");
                }
                let zeros = eps.iter().filter(|eps| **eps == 0.0).count();
                assert_eq!(found.zero_distances[0], zeros);
            }
        }
    }
    Ok(())
}

#[test]
fn pairs_and_matrices_are_the_single_calls() -> Tested {
    let series = Tensor::randn(&[4, 150], DType::F32, &mut Generator::new(2))?;
    let matrix = transfer_entropy_matrix(&series, histories(2), &all(3, 0))?;
    let mut at = 0;
    for target in 0..4 {
        for source in (0..4).filter(|s| *s != target) {
            let (x, y) = (series.select(0, source)?, series.select(0, target)?);
            let one = transfer_entropy(&x, &y, None, histories(2), &all(3, 0))?;
            assert_eq!(one.values[0].to_bits(), matrix.values[at].to_bits());
            at += 1;
        }
    }
    let back = series.flip(&[0])?;
    let pairs = transfer_entropy(&series, &back, None, histories(2), &all(3, 0))?;
    // Targets come first: from row 0 to row 3 is the first of the last three.
    assert_eq!(pairs.values[0].to_bits(), matrix.values[9].to_bits());
    Ok(())
}

#[test]
fn surrogates_tell_coupling_from_none() -> Tested {
    let values = numbers(4, 600);
    let (x, e) = values.split_at(300);
    let y: Vec<f64> = (0..300)
        .map(|t| if t == 0 { 0.0 } else { x[t - 1] + e[t] })
        .collect();
    for scheme in [Scheme::Permutation, Scheme::Shift] {
        let surrogates = Surrogates {
            count: 49,
            scheme,
            seed: 7,
        };
        let estimator = Estimator {
            surrogates: Some(surrogates),
            ..Estimator::default()
        };
        let run = || transfer_entropy(&row(x), &row(&y), None, Histories::default(), &estimator);
        let (one, again) = (run()?, run()?);
        assert_eq!(one.surrogates, again.surrogates);
        assert_eq!(one.p_values, [1.0 / 50.0], "{scheme:?}");
        let back = transfer_entropy(&row(e), &row(x), None, Histories::default(), &estimator)?;
        assert!(back.p_values[0] > 1.0 / 50.0);
    }
    Ok(())
}

#[test]
fn mistakes_are_errors() -> Tested {
    let x = row(&numbers(1, 20));
    let run = |x: &Tensor, y: &Tensor, length, estimator: &Estimator| {
        transfer_entropy(x, y, None, histories(length), estimator).unwrap_err()
    };
    for (length, k, window) in [
        (1, 0, 0),
        (1, 19, 0),
        (1, 5, 7),
        (1, 33, 0),
        (20, 1, 0),
        (0, 1, 0),
    ] {
        let error = run(&x, &x, length, &all(k, window));
        assert!(matches!(error, Error::Value { .. }), "{error}");
    }
    let whole = x.cast(DType::I32)?;
    assert!(matches!(run(&whole, &whole, 1, &ALL), Error::DType { .. }));
    assert!(matches!(
        run(&x, &row(&[1.0; 19]), 1, &ALL),
        Error::Shape { .. }
    ));
    for wrong in [f64::NAN, f64::INFINITY] {
        let mut values = numbers(2, 20);
        values[3] = wrong;
        for scaling in [Scaling::AsGiven, Scaling::Standardised] {
            let error = run(&x, &row(&values), 1, &Estimator { scaling, ..ALL });
            assert!(error.to_string().contains("NaN or an infinity"), "{error}");
        }
    }
    // A constant source tells nothing, and stays as it is.
    let still = row(&[3.0; 200]);
    let y = row(&numbers(1, 200));
    let found = transfer_entropy(&still, &y, None, histories(1), &Estimator::default())?;
    assert!(found.values[0].abs() < 1e-14);
    assert_eq!(found.ties, [200, 0]);
    let without = Estimator {
        jitter: None,
        ..Estimator::default()
    };
    let both = transfer_entropy(&still, &still, None, histories(1), &without)?;
    assert_eq!(both.zero_distances, [199]);
    let parted = transfer_entropy(&still, &still, None, histories(1), &Estimator::default())?;
    assert_eq!(
        (parted.zero_distances, parted.ties),
        (vec![0], vec![200, 200])
    );
    Ok(())
}

/// I(x; y) of two normal variables of correlation r is -ln(1 - r^2) / 2; and the stages give what the whole gives.
#[test]
fn mutual_information_and_its_stages() -> Tested {
    let made = Tensor::randn(&[3, 2000], DType::F64, &mut Generator::new(3))?;
    let [x, e, z] = [0, 1, 2].map(|row| made.select(0, row));
    let (x, e, z) = (x?, e?, z?);
    let y = x.try_add(&e)?;
    let found = mutual_information(&x, &y, None, &all(4, 0))?;
    // r^2 = 1/2. Local values have a spread near 1, so that six standard errors of their mean are 6/sqrt(2000) = 0.134.
    assert!(
        (found.values[0] - 0.5 * 2f64.ln()).abs() < 0.134,
        "{:?}",
        found.values
    );
    let free = mutual_information(&x, &z, None, &all(4, 0))?;
    assert!(free.values[0].abs() < 0.134);
    for (condition, window) in [(None, 0), (Some(&z), 0), (Some(&z), 3), (None, 2)] {
        let whole = mutual_information(&x, &y, condition, &all(4, window))?;
        let eps = ksg_distances(&x, &y, condition, 4, window)?;
        let counts = ksg_counts(&x, &y, condition, &eps, window)?;
        let want = whole.counts.ok_or("wanted")?.to_vec::<i32>()?;
        assert_eq!(counts.to_vec::<i32>()?, want);
        assert_eq!(
            eps.to_vec::<f64>()?,
            whole.distances.ok_or("wanted")?.to_vec::<f64>()?
        );
    }
    let wide = made.slice(0, None, Some(2), 1)?;
    assert_eq!(mutual_information(&wide, &z, None, &ALL)?.values.len(), 1);
    Ok(())
}

/// Counts and distances by their definition, of coordinates `[D][N]`, of which the first are x, then y, then z.
fn plainly(points: &[Vec<f64>], [dx, dy]: [usize; 2], k: usize) -> (Vec<f64>, Vec<[i32; 3]>) {
    let n = points[0].len();
    let apart = |c: std::ops::Range<usize>, i: usize, j: usize| {
        c.fold(0.0f64, |far, c| {
            far.max((points[c][i] - points[c][j]).abs())
        })
    };
    let mut made = (Vec::new(), Vec::new());
    for i in 0..n {
        let others = || (0..n).filter(|j| *j != i);
        let parts = |j: usize| {
            let end = points.len();
            [
                apart(0..dx, i, j),
                apart(dx..dx + dy, i, j),
                apart(dx + dy..end, i, j),
            ]
        };
        let mut far: Vec<f64> = others()
            .map(|j| parts(j).into_iter().fold(0.0, f64::max))
            .collect();
        far.sort_by(f64::total_cmp);
        let eps = far[k - 1];
        let counted =
            |near: fn([f64; 3]) -> f64| others().filter(|j| near(parts(*j)) < eps).count() as i32;
        made.1.push([
            counted(|[_, y, z]| y.max(z)),
            counted(|[x, _, z]| x.max(z)),
            counted(|[_, _, z]| z),
        ]);
        made.0.push(eps);
    }
    made
}

/// Sources of two variables with two samples of each, a target of three with one, a condition of one with two.
#[test]
fn series_of_several_variables_are_taken_together() -> Tested {
    let n = 90;
    let made =
        |rows: usize, seed| Tensor::randn(&[2, rows, n], DType::F64, &mut Generator::new(seed));
    let (x, y, c) = (made(2, 1)?, made(3, 2)?, made(1, 3)?);
    let past = |length, delay| Past {
        length,
        delay,
        ..Past::default()
    };
    let histories = Histories {
        source: past(2, 3),
        target: past(1, 1),
        condition: past(2, 1),
    };
    let found = transfer_entropy(&x, &y, Some(&c), histories, &all(3, 0))?;
    let start = 4;
    for pair in 0..2 {
        let row = |t: &Tensor, at: i64, back: usize| -> Vec<f64> {
            let row = t.select(0, pair).and_then(|t| t.select(0, at)).unwrap();
            row.to_vec::<f64>().unwrap()[start - back..n - back].to_vec()
        };
        let points: Vec<Vec<f64>> = [
            (0..2)
                .flat_map(|v| [row(&x, v, 3), row(&x, v, 4)])
                .collect::<Vec<_>>(),
            (0..3).map(|v| row(&y, v, 0)).collect(),
            (0..3).map(|v| row(&y, v, 1)).collect(),
            vec![row(&c, 0, 1), row(&c, 0, 2)],
        ]
        .concat();
        let (eps, counts) = plainly(&points, [4, 3], 3);
        let kept = |t: &Option<Tensor>| t.as_ref().unwrap().select(0, pair);
        assert_eq!(kept(&found.distances)?.to_vec::<f64>()?, eps);
        let got = kept(&found.counts)?.to_vec::<i32>()?;
        for (i, want) in counts.iter().enumerate() {
            assert_eq!([0, 1, 2].map(|at| got[at * (n - start) + i]), *want);
        }
    }
    Ok(())
}

#[test]
fn delays_are_compared_over_the_same_points() -> Tested {
    let x = Tensor::randn(&[400], DType::F64, &mut Generator::new(6))?;
    let noise = Tensor::randn(&[400], DType::F64, &mut Generator::new(7))?;
    let y = roll(&x, &[3], Some(&[0]))?.try_add(&noise)?.eval()?;
    let delays = [1, 2, 3, 4];
    let histories = Histories::default();
    let prepared = TransferEntropy::prepare(&x, &y, None, histories, &delays, &all(4, 0))?;
    let found = prepared.run(&x, &y, None)?.read()?;
    let best = (0..4).max_by(|a, b| found.values[*a].total_cmp(&found.values[*b]));
    assert_eq!(best, Some(2));
    for (at, delay) in delays.into_iter().enumerate() {
        // The same points by a call of its own, over the samples from the first that all delays have.
        let source = x.slice(0, Some(4 - delay as isize), Some(400 - delay as isize), 1)?;
        let (source, target) = (source.eval()?, y.slice(0, Some(3), None, 1)?.eval()?);
        let back = Past {
            delay: 1,
            ..Past::default()
        };
        let one = Histories {
            source: back,
            ..histories
        };
        let lone = Tensor::concat(&[&source, &Tensor::zeros(&[1], DType::F64)?], 0)?;
        let single = transfer_entropy(&lone, &target, None, one, &all(4, 0))?;
        assert_eq!(
            single.values[0].to_bits(),
            found.values[at].to_bits(),
            "{delay}"
        );
    }
    let none = TransferEntropy::prepare(&x, &y, None, histories, &[], &ALL).unwrap_err();
    assert!(none.to_string().contains("no delay"), "{none}");
    Ok(())
}

#[test]
fn what_is_captured_gives_the_bits_of_a_run() -> Tested {
    let made = |seed| Tensor::randn(&[300], DType::F32, &mut Generator::new(seed));
    let (x, y, other) = (made(1)?, made(2)?, made(3)?);
    let surrogates = Surrogates {
        count: 5,
        scheme: Scheme::Shift,
        seed: 1,
    };
    let estimator = Estimator {
        jitter: Some(Jitter {
            level: 1e-3,
            seed: 4,
        }),
        scaling: Scaling::Standardised,
        surrogates: Some(surrogates),
        ..all(4, 0)
    };
    let prepare = || TransferEntropy::prepare(&x, &y, None, Histories::default(), &[1], &estimator);
    let (plain, captured) = (prepare()?, prepare()?.capture(&x, &y, None)?);
    for source in [&x, &other] {
        let [a, b] = [&plain, &captured].map(|te| te.run(source, &y, None));
        let (a, b) = (a?.read()?, b?.read()?);
        assert_eq!((a.values, a.surrogates), (b.values, b.surrogates));
        let counts = |t: Option<Tensor>| t.unwrap().to_vec::<i32>();
        assert_eq!(counts(a.counts)?, counts(b.counts)?);
    }
    let wrong = captured
        .run(&x, &made(4)?.slice(0, None, Some(299), 1)?, None)
        .unwrap_err();
    assert!(wrong.to_string().contains("prepared for"), "{wrong}");
    // On the device a series that is not finite is a NaN, and an error where it is read.
    let broken = other.try_div(0.0)?.eval()?;
    let found = captured.run(&broken, &y, None)?;
    assert!(found.values()?.to_vec::<f64>()?.iter().all(|v| v.is_nan()));
    assert!(found.read().is_err());
    Ok(())
}

#[test]
fn a_little_noise_parts_what_is_alike() -> Tested {
    // Numbers of two values: no distance is above 0.
    let whole = |seed| -> Result<Tensor, Box<dyn std::error::Error>> {
        let made = Tensor::randn(&[400], DType::F64, &mut Generator::new(seed))?;
        Ok(made.sign()?.eval()?)
    };
    let (x, y) = (whole(1)?, whole(2)?);
    let run = |level| {
        let jitter = Some(Jitter { level, seed: 9 });
        let estimator = Estimator {
            jitter,
            ..all(4, 0)
        };
        transfer_entropy(&x, &y, None, Histories::default(), &estimator)
    };
    assert!(run(0.0)?.zero_distances[0] > 300);
    assert_eq!(run(1e-8)?.zero_distances, [0]);
    assert_eq!(run(1e-8)?.values, run(1e-8)?.values);
    assert!(run(-1.0).is_err() && run(f64::NAN).is_err());
    Ok(())
}

#[test]
fn shuffled_blocks_are_whole() -> Tested {
    let cpu = row(&[0.0]).device().clone();
    let surrogates = Surrogates {
        count: 20,
        scheme: Scheme::Blocks(7),
        seed: 3,
    };
    let orders = surrogates
        .orders("transfer_entropy", 24, &cpu)?
        .to_vec::<i32>()?;
    let mut different = std::collections::HashSet::new();
    for order in orders.chunks(24) {
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        assert!(sorted.iter().copied().eq(0..24));
        // Each point but the last of a block is followed by the next.
        for pair in order.windows(2) {
            assert!(
                pair[0] % 7 == 6 || pair[0] == 23 || pair[1] == pair[0] + 1,
                "{order:?}"
            );
        }
        different.insert(order.to_vec());
    }
    assert!(different.len() > 5);
    for length in [0, 24, 25] {
        let wrong = Surrogates {
            scheme: Scheme::Blocks(length),
            ..surrogates
        };
        assert!(wrong.orders("transfer_entropy", 24, &cpu).is_err());
    }
    Ok(())
}

/// y_t = b x_{t-1} + e_t of white noise: TE = ln(1 + b^2) / 2. Over 40 series of 1,000 the estimate has a standard deviation near 0.02
/// (and without coupling 0.015), so six standard errors of the mean of 40 are 0.02; the bias at k = 4 is below 0.01.
#[test]
fn coupled_noise_has_its_analytic_value_and_independent_noise_uniform_p_values() -> Tested {
    let (series, n) = (40, 1000);
    let made = |seed| Tensor::randn(&[series, n], DType::F64, &mut Generator::new(seed));
    let (x, e) = (made(10)?, made(11)?);
    let y = roll(&x, &[1], Some(&[1]))?
        .try_mul(0.6)?
        .try_add(&e)?
        .eval()?;
    let found = transfer_entropy(&x, &y, None, Histories::default(), &ALL)?;
    let mean = found.values.iter().sum::<f64>() / series as f64;
    assert!((mean - 0.5 * 1.36f64.ln()).abs() < 0.03, "{mean}");

    let short = |t: &Tensor| t.slice(1, None, Some(120), 1)?.contiguous()?.eval();
    let estimator = Estimator {
        surrogates: Some(Surrogates {
            count: 19,
            scheme: Scheme::Permutation,
            seed: 5,
        }),
        ..Estimator::default()
    };
    let (x, e) = (short(&x)?, short(&e)?);
    let p = transfer_entropy(&x, &e, None, Histories::default(), &estimator)?.p_values;
    // 20 equally probable values: the mean of 40 is 0.525 with a standard error of 0.0456.
    let mean = p.iter().sum::<f64>() / series as f64;
    assert!((mean - 0.525).abs() < 4.0 * 0.0456, "{mean}");
    assert!(p.iter().filter(|p| **p <= 0.1).count() <= 12);
    Ok(())
}

/// However a matrix is cut, it has the bits of one launch: estimates, surrogates and all that is kept.
#[test]
fn a_matrix_in_pieces_is_the_whole() -> Tested {
    let series = Tensor::randn(&[5, 40], DType::F32, &mut Generator::new(6))?;
    let surrogates = Surrogates {
        count: 4,
        scheme: Scheme::Permutation,
        seed: 8,
    };
    let jitter = Some(Jitter {
        level: 1e-3,
        seed: 2,
    });
    let bits = |values: &[f64]| -> Vec<u64> { values.iter().map(|v| v.to_bits()).collect() };
    for surrogates in [None, Some(surrogates)] {
        let estimator = Estimator {
            surrogates,
            jitter,
            ..all(3, 1)
        };
        let cut = |piece| matrix::in_pieces(&series, histories(2), &estimator, piece);
        let whole = transfer_entropy_matrix(&series, histories(2), &estimator)?;
        // Of a task there are 38 points, of 5 coordinates; its surrogates are as many again each.
        let task = (5 * 38 + 13) * (1 + surrogates.map_or(0, |s| s.count));
        for piece in [0, task, 3 * task, 7 * task + 1, 19 * task] {
            let made = cut(piece)?;
            assert_eq!(bits(&made.values), bits(&whole.values), "{piece}");
            assert_eq!(bits(&made.surrogates), bits(&whole.surrogates));
            assert_eq!(bits(&made.p_values), bits(&whole.p_values));
            assert_eq!(made.zero_distances, whole.zero_distances);
            let read = |found: &Information| -> Result<_, Error> {
                let kept = [&found.local, &found.counts, &found.distances];
                let kept = kept.map(|t| t.as_ref().ok_or("it is kept").unwrap());
                Ok((
                    kept.map(|t| t.shape().to_vec()),
                    bits(&kept[0].to_vec()?),
                    kept[1].to_vec::<i32>()?,
                    kept[2].to_vec::<f32>()?,
                ))
            };
            assert_eq!(read(&made)?, read(&whole)?, "{piece}");
        }
    }
    // One series has no pairs.
    let alone = series.slice(0, None, Some(1), 1)?;
    let none = matrix::in_pieces(&alone, histories(2), &all(3, 1), 0)?;
    assert!(none.values.is_empty());
    assert_eq!(none.local.map(|t| t.shape().to_vec()), Some(vec![0, 38]));
    // What is wrong in the last pieces is told as in the first.
    let mut values = numbers(3, 120);
    values[119] = f64::NAN;
    let wrong = Tensor::from_vec(values, &[3, 40])?;
    let error = matrix::in_pieces(&wrong, histories(1), &ALL, 0).unwrap_err();
    assert!(error.to_string().contains("NaN or an infinity"), "{error}");
    Ok(())
}
