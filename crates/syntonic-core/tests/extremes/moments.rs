//! Means, variances, deviations and norms.

use crate::{FLOATS, largest, tensor, unit, values};
use syntonic_core::num_complex::Complex;
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::ops::softmax::{log_softmax, softmax};
use syntonic_core::{DType, Tensor};

/// Small whole numbers without a pattern.
fn small(i: usize) -> i64 {
    (i * 7919 % 1009 % 5) as i64 - 2
}

/// Mean and variance of whole numbers, from exact sums.
fn exact(row: &[i64], correction: i64) -> (f64, f64) {
    let (n, sum) = (row.len() as i128, row.iter().sum::<i64>());
    let squares: i128 = row.iter().map(|&k| i128::from(k) * i128::from(k)).sum();
    let spread = n * squares - i128::from(sum) * i128::from(sum);
    let over = n * (n - i128::from(correction));
    (sum as f64 / n as f64, spread as f64 / over as f64)
}

fn close(what: &str, got: f64, want: f64, bound: f64) {
    let near = got == want || (got - want).abs() <= bound * want.abs();
    assert!(near, "{what}: {got:e}, not {want:e}");
}

/// Offsets at which a type still holds whole numbers, each.
fn offsets(dtype: DType) -> &'static [f64] {
    match dtype {
        DType::F16 => &[0.0, 1000.0, -2000.0],
        DType::BF16 => &[0.0, 100.0, -250.0],
        DType::F32 => &[0.0, 1e6, 1e7, -16_777_000.0],
        _ => &[0.0, 1e7, 1e15, -9e15],
    }
}

#[test]
fn an_offset_in_common_costs_no_digits() {
    for dtype in FLOATS {
        for &offset in offsets(dtype) {
            // At once and later, rows, columns and all of it, in parts of memory and whole.
            for (rows, len) in [(1, 1000), (3, 7), (64, 1000), (700, 3), (2, 100_000)] {
                let whole: Vec<i64> = (0..rows * len).map(small).collect();
                let moved: Vec<f64> = whole.iter().map(|&k| offset + k as f64).collect();
                let x = tensor(&moved, &[rows, len], dtype);
                let turned = x.transpose(0, 1).unwrap();
                let copied = turned.copy().unwrap();
                for (x, axis, what) in [
                    (&x, 1, "rows"),
                    (&turned, 0, "turned"),
                    (&copied, 0, "columns"),
                ] {
                    let over = Over::axes(&[axis]);
                    for correction in [0.0, 1.0] {
                        let mean = values(&reduce::mean(x, &over).unwrap());
                        let var = values(&reduce::var(x, &over, correction).unwrap());
                        let std = values(&reduce::std(x, &over, correction).unwrap());
                        for (r, row) in whole.chunks_exact(len).enumerate() {
                            let what = format!("{what} of {dtype} {rows}x{len} at {offset}");
                            let (m, v) = exact(row, correction as i64);
                            // Of a mean: eight neighbours are added in the type that computes, three roundings, then in double
                            // precision, n at worst; the sum, the quotient and the result are rounded once each.
                            let sums = len as f64 * f64::EPSILON;
                            let unit_inside =
                                unit(if dtype.is_half() { DType::F32 } else { dtype });
                            let bound = 0.5 * unit(dtype) + 2.5 * unit_inside + sums;
                            close(&what, mean[r], offset + m, bound);
                            // Distances from it are exact here. Their squares are as much larger as it is off, which is taken off
                            // again: a rounding of each square, of the two sums and of their difference.
                            let off = bound * (offset.abs() + 2.0);
                            let larger = 1.0 + off * off / v;
                            let bound =
                                0.5 * unit(dtype) + 4.0 * unit_inside * larger + sums * larger;
                            close(&what, var[r], v, bound);
                            close(&what, std[r], v.sqrt(), bound);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn complex_numbers_with_an_offset() {
    for (dtype, offset) in [(DType::C64, 1e7), (DType::C128, 1e15)] {
        let whole: Vec<i64> = (0..3000).map(small).collect();
        let z: Vec<Complex<f64>> = (0..1500)
            .map(|i| Complex::new(offset + whole[i] as f64, whole[1500 + i] as f64 - offset))
            .collect();
        let z = Tensor::from_slice(&z, &[1500])
            .unwrap()
            .cast(dtype)
            .unwrap();
        let (_, re) = exact(&whole[..1500], 0);
        let (_, im) = exact(&whole[1500..], 0);
        let var = values(&reduce::var(&z, &Over::all(), 0.0).unwrap())[0];
        // As of real numbers, with a magnitude for each term.
        close(
            "var",
            var,
            re + im,
            2.0 * unit(dtype.real()) + 1500.0 * f64::EPSILON,
        );
    }
}

#[test]
fn sums_do_not_leave_the_range_on_the_way() {
    for dtype in FLOATS {
        let most = largest(dtype);
        // As of a mean: see above.
        let unit_inside = unit(if dtype.is_half() { DType::F32 } else { dtype });
        let bound = unit(dtype) + 2.5 * unit_inside + 1000.0 * f64::EPSILON;
        for shape in [[1, 1000], [20, 1000], [1000, 2]] {
            let x = Tensor::full(&shape, most, dtype).unwrap();
            let over = Over::axes(&[1]);
            let mean = values(&reduce::mean(&x, &over).unwrap());
            for m in mean {
                close("mean", m, most, bound);
            }
            // Half of the numbers are the largest, half the smallest.
            let signs: Vec<f64> = (0..shape[0] * shape[1])
                .map(|i| if i % 2 == 0 { most } else { -most })
                .collect();
            let x = tensor(&signs, &shape, dtype);
            let mean = values(&reduce::mean(&x, &over).unwrap());
            assert!(mean.iter().all(|&m| m == 0.0), "{dtype} {:e}", mean[0]);
            let std = values(&reduce::std(&x, &over, 0.0).unwrap());
            close("std", std[0], most, bound);
        }
    }
}

/// Deviations from where squares vanish to where they overflow.
#[test]
fn squares_neither_overflow_nor_vanish() {
    for (dtype, sizes) in [
        (DType::F16, &[6e-8, 1e-3, 1.0, 3e4][..]),
        (DType::BF16, &[1e-38, 1e-30, 1e-19, 1e19, 3e38]),
        (DType::F32, &[1e-44, 1e-38, 1e-30, 1e-19, 1e19, 1e30, 3e38]),
        (DType::F64, &[1e-320, 1e-300, 1e-160, 1e160, 1e300, 1.7e308]),
    ] {
        for &size in sizes {
            for n in [2, 100, 20_000] {
                let both: Vec<f64> = (0..n)
                    .map(|i| if i % 2 == 0 { size } else { -size })
                    .collect();
                let x = tensor(&both, &[n], dtype);
                let held = values(&x)[0];
                let sums = n as f64 * f64::EPSILON;
                let std = values(&reduce::std(&x, &Over::all(), 0.0).unwrap())[0];
                close(
                    &format!("std of {dtype} {size:e} x {n}"),
                    std,
                    held,
                    unit(dtype) + sums,
                );
                // A power and a root of it: within 8 units of a power near 1, of which the root takes a p-th.
                for p in [1.0, 1.5, 2.0, 3.0, 7.0, 20.0, -1.0, -3.0, -20.0] {
                    let norm = values(&reduce::norm(&x, p, &Over::all()).unwrap())[0];
                    let want = held * (n as f64).powf(1.0 / p);
                    if want > largest(dtype) {
                        continue;
                    }
                    let what = format!("norm {p} of {dtype} {size:e} x {n}");
                    let lost = 16.0 * unit(if dtype.is_half() { DType::F32 } else { dtype });
                    // Below the normal numbers a unit is that of the smallest.
                    let steps = (norm - want).abs() <= subnormal(dtype);
                    if !steps {
                        close(&what, norm, want, lost + unit(dtype) + sums);
                    }
                }
            }
        }
    }
}

/// The smallest positive number.
fn subnormal(dtype: DType) -> f64 {
    match dtype {
        DType::F16 => 2f64.powi(-24),
        DType::BF16 => 2f64.powi(-133),
        DType::F32 => 2f64.powi(-149),
        _ => f64::from_bits(1),
    }
}

#[test]
fn infinities_and_nan_go_through() {
    for dtype in FLOATS {
        let of = |x: &[f64]| {
            let x = tensor(x, &[x.len()], dtype);
            let mean = values(&reduce::mean(&x, &Over::all()).unwrap())[0];
            let var = values(&reduce::var(&x, &Over::all(), 0.0).unwrap())[0];
            let std = values(&reduce::std(&x, &Over::all(), 0.0).unwrap())[0];
            (mean, var, std)
        };
        let (mean, var, std) = of(&[1.0, f64::INFINITY]);
        assert!(
            mean == f64::INFINITY && var.is_nan() && std.is_nan(),
            "{dtype}"
        );
        let (mean, var, std) = of(&[1.0, f64::NAN]);
        assert!(mean.is_nan() && var.is_nan() && std.is_nan(), "{dtype}");
        let (mean, var, std) = of(&[]);
        assert!(mean.is_nan() && var.is_nan() && std.is_nan(), "{dtype}");
        assert_eq!(of(&[3.0]), (3.0, 0.0, 0.0));
        for (p, want) in [(1.0, 0.0), (2.0, 0.0), (3.0, 0.0), (-3.0, f64::INFINITY)] {
            let none = reduce::norm(&tensor(&[], &[0], dtype), p, &Over::all()).unwrap();
            assert_eq!(values(&none), [want], "{p}");
            let zero = reduce::norm(&tensor(&[0.0; 3], &[3], dtype), p, &Over::all()).unwrap();
            assert_eq!(values(&zero), [0.0], "{p}");
        }
    }
}

#[test]
fn exponentials_of_shifted_rows() {
    for dtype in FLOATS {
        // Multiples of a quarter, which the type holds at this offset.
        let offset = match dtype {
            DType::F16 => 128.0,
            DType::BF16 => 32.0,
            _ => 512.0,
        };
        let row: Vec<f64> = (0..50).map(|i| small(i) as f64 / 4.0).collect();
        let total: f64 = row.iter().map(|x| x.exp()).sum();
        for shift in [0.0, offset, -offset] {
            let moved: Vec<f64> = row.iter().map(|x| x + shift).collect();
            let x = tensor(&moved, &[50], dtype);
            let sum = values(&reduce::logsumexp(&x, &Over::all()).unwrap())[0];
            // One rounding of the result, and some of a logarithm of about 4.
            let bound = unit(dtype) + 4.0 * unit(if dtype.is_half() { DType::F32 } else { dtype });
            close("logsumexp", sum, total.ln() + shift, bound);
            let (p, l) = (softmax(&x, 0).unwrap(), log_softmax(&x, 0).unwrap());
            for ((p, l), x) in values(&p).into_iter().zip(values(&l)).zip(&row) {
                close("softmax", p, x.exp() / total, 4.0 * bound);
                close("log_softmax", l, x - total.ln(), 4.0 * bound);
            }
        }
    }
}
