//! Fourier transforms beside the CPU's in double precision.
//!
//! A transform by factors is a product of log2 n sparse unitary matrices at most, each of which adds a few roundings (Higham 2002,
//! section 24.1): with twiddles good to one ulp, less than 6 eps log2 n in the length of the result. Bluestein's algorithm, by which
//! lengths with large prime factors go, is three transforms of up to 4 n numbers, hence 18 eps (log2 n + 2); and the CPU's transform,
//! which we compare with, errs as much in its own precision, hence the factor 2 for double.

use super::Check;
use crate::gpu::{Gpu, finite, unit};
use anyhow::{Result, ensure};
use syntonic_core::num_complex::Complex;
use syntonic_core::ops::fft::{
    Extent, Norm, fft, fftfreq, fftn, fftshift, hfft, ifft, ifftn, ifftshift, ihfft, irfft, irfftn,
    rfft, rfftfreq, rfftn,
};
use syntonic_core::{DType, Tensor};

/// The types with transforms.
const FIELDS: [DType; 4] = [DType::F32, DType::F64, DType::C64, DType::C128];
const NORMS: [Norm; 3] = [Norm::Backward, Norm::Ortho, Norm::Forward];

/// None and one of every small prime, powers of 2 and their neighbours, and primes for which Bluestein's algorithm is there.
const LENGTHS: [usize; 21] = [
    1, 2, 3, 4, 5, 7, 16, 30, 127, 128, 129, 512, 1000, 1009, 1024, 4096, 5000, 8192, 10_007,
    65_536, 262_144,
];

type Look = fn(&Gpu, DType) -> Result<()>;

pub(super) fn checks() -> Vec<Check> {
    let looks: [(&str, Look); 8] = [
        ("lengths", lengths),
        ("axes", axes),
        ("several_axes", several_axes),
        ("batches", batches),
        ("round_trips", round_trips),
        ("operands_stay", operands_stay),
        ("without_meaning", without_meaning),
        ("many_plans", many_plans),
    ];
    let mut checks = Vec::new();
    for (name, look) in looks {
        for dtype in FIELDS {
            let name = format!("fourier/{name}/{dtype}");
            checks.push(Check::new(name, move |gpu| look(gpu, dtype)));
        }
    }
    // These need no library.
    checks.push(Check::new("frequencies/as_the_cpu", frequencies));
    checks
}

/// What may be between two transforms of `n` numbers, in units of the length of the result.
fn bound(n: usize, dtype: DType) -> f64 {
    let eps = match dtype.real() {
        DType::F64 => 2.0 * unit(1.0, dtype),
        _ => unit(1.0, dtype),
    };
    18.0 * eps * ((n as f64).log2() + 2.0)
}

fn wide(gpu: &Gpu, x: &Tensor) -> Result<Vec<Complex<f64>>> {
    Ok(gpu.fetch(x)?.cast(DType::C128)?.to_vec()?)
}

/// The tensor in double precision, where it is.
fn doubled(x: &Tensor) -> Result<Tensor> {
    let dtype = match x.dtype().is_complex() {
        true => DType::C128,
        false => DType::F64,
    };
    Ok(x.cast(dtype)?.eval()?)
}

fn length(x: &[Complex<f64>]) -> f64 {
    x.iter().map(|z| z.norm_sqr()).sum::<f64>().sqrt()
}

/// The GPU's tensor is near the CPU's, each line for itself where there are several.
fn near(gpu: &Gpu, got: &Tensor, want: &Tensor, units: f64, what: &str) -> Result<()> {
    ensure!(
        got.shape() == want.shape(),
        "{what}: {:?}, not {:?}",
        got.shape(),
        want.shape()
    );
    ensure!(
        got.device_id() == gpu.device.id(),
        "{what}: on {}",
        got.device_id()
    );
    let (got, want) = (wide(gpu, got)?, wide(gpu, want)?);
    let apart: Vec<_> = got.iter().zip(&want).map(|(a, b)| a - b).collect();
    let (apart, most) = (length(&apart), units * length(&want));
    ensure!(apart <= most, "{what}: {apart:e} apart, {most:e} allowed");
    Ok(())
}

/// A transform along an axis, of so many numbers.
type Line = fn(&Tensor, Option<usize>, isize, Norm) -> syntonic_core::Result<Tensor>;

/// The transforms that take numbers of a type.
fn lines(dtype: DType) -> Vec<(&'static str, Line)> {
    let mut all: Vec<(&str, Line)> = vec![
        ("fft", fft),
        ("ifft", ifft),
        ("irfft", irfft),
        ("hfft", hfft),
    ];
    if !dtype.is_complex() {
        let real: [(&str, Line); 2] = [("rfft", rfft), ("ihfft", ihfft)];
        all.extend(real);
    }
    all
}

/// Every transform of every length, with its factor.
fn lengths(gpu: &Gpu, dtype: DType) -> Result<()> {
    for (k, n) in LENGTHS.into_iter().enumerate() {
        let x = finite(dtype, &[n], n as u64)?;
        let there = gpu.take(&x)?;
        for (name, line) in lines(dtype) {
            let norm = NORMS[k % 3];
            let got = line(&there, Some(n), -1, norm)?;
            let want = line(&doubled(&x)?, Some(n), -1, norm)?;
            ensure!(
                got.dtype().real() == dtype.real(),
                "{name}: {}",
                got.dtype()
            );
            near(gpu, &got, &want, bound(n, dtype), &format!("{name} of {n}"))?;
        }
    }
    Ok(())
}

/// Along every axis, cut and filled up, of operands that lie in memory in every way.
fn axes(gpu: &Gpu, dtype: DType) -> Result<()> {
    let base = finite(dtype, &[6, 10, 7], 5)?;
    let views: [fn(&Tensor) -> syntonic_core::Result<Tensor>; 6] = [
        |x| Ok(x.clone()),
        |x| x.permute(&[2, 0, 1]),
        |x| x.slice(1, None, None, -2),
        |x| x.slice(0, Some(1), Some(5), 3),
        // One element on: the library wants other addresses.
        |x| x.slice(2, Some(1), None, 1)?.slice(1, Some(1), None, 1),
        |x| x.select(1, 4)?.broadcast_to(&[3, 6, 7]),
    ];
    let there = gpu.take(&base)?;
    for (k, view) in views.into_iter().enumerate() {
        let (here, there) = (doubled(&view(&base)?)?, view(&there)?);
        for axis in 0..3 {
            let m = here.shape()[axis];
            for n in [m, m - 1, m + 3, 1] {
                for (name, line) in lines(dtype) {
                    let got = line(&there, Some(n), axis as isize, Norm::Ortho)?;
                    let want = line(&here, Some(n), axis as isize, Norm::Ortho)?;
                    let what = format!("{name} of view {k}, axis {axis}, {n}");
                    near(gpu, &got, &want, bound(n, dtype), &what)?;
                }
            }
        }
    }
    Ok(())
}

fn several_axes(gpu: &Gpu, dtype: DType) -> Result<()> {
    let x = finite(dtype, &[4, 9, 10], 3)?;
    let (here, there) = (doubled(&x)?, gpu.take(&x)?);
    let extents = [
        Extent::default(),
        Extent {
            axes: Some(&[0, -1]),
            lengths: None,
        },
        Extent {
            axes: Some(&[2, 0]),
            lengths: Some(&[Some(6), Some(7)]),
        },
        Extent {
            axes: None,
            lengths: Some(&[Some(8), None]),
        },
        Extent {
            axes: Some(&[1]),
            lengths: None,
        },
    ];
    for extent in extents {
        for norm in NORMS {
            let what = format!("{extent:?} {norm:?}");
            let units = 3.0 * bound(16, dtype);
            let (got, want) = (fftn(&there, extent, norm)?, fftn(&here, extent, norm)?);
            near(gpu, &got, &want, units, &what)?;
            let (got, want) = (ifftn(&there, extent, norm)?, ifftn(&here, extent, norm)?);
            near(gpu, &got, &want, units, &what)?;
            let (got, want) = (irfftn(&there, extent, norm)?, irfftn(&here, extent, norm)?);
            near(gpu, &got, &want, units, &what)?;
            if !dtype.is_complex() {
                let (got, want) = (rfftn(&there, extent, norm)?, rfftn(&here, extent, norm)?);
                near(gpu, &got, &want, units, &what)?;
            }
        }
    }
    Ok(())
}

/// One line, many short ones, and more than a grid has blocks along one axis.
fn batches(gpu: &Gpu, dtype: DType) -> Result<()> {
    for (count, n) in [(1, 4096), (7, 1000), (1000, 12), (70_000, 5), (70_000, 1)] {
        let x = finite(dtype, &[count, n], n as u64)?;
        let (here, there) = (doubled(&x)?, gpu.take(&x)?);
        for (name, line) in lines(dtype) {
            let got = line(&there, Some(n), 1, Norm::Backward)?;
            let want = line(&here, Some(n), 1, Norm::Backward)?;
            near(
                gpu,
                &got,
                &want,
                bound(n, dtype),
                &format!("{name} of {count} times {n}"),
            )?;
        }
    }
    let none = gpu.take(&finite(dtype, &[0, 8], 1)?)?;
    ensure!(fft(&none, None, 1, Norm::Backward)?.shape() == [0, 8]);
    Ok(())
}

fn round_trips(gpu: &Gpu, dtype: DType) -> Result<()> {
    for n in LENGTHS {
        let x = gpu.take(&finite(dtype, &[2, n], 7)?)?;
        let units = 2.0 * bound(n, dtype);
        for norm in NORMS {
            let back = ifft(&fft(&x, None, 1, norm)?, None, 1, norm)?;
            near(gpu, &back, &x, units, &format!("{n} {norm:?}"))?;
            if !dtype.is_complex() {
                let back = irfft(&rfft(&x, None, 1, norm)?, Some(n), 1, norm)?;
                near(gpu, &back, &x, units, &format!("real, {n} {norm:?}"))?;
                let back = hfft(&ihfft(&x, None, 1, norm)?, Some(n), 1, norm)?;
                near(gpu, &back, &x, units, &format!("hermitian, {n} {norm:?}"))?;
            }
        }
    }
    Ok(())
}

/// The library may write over what it makes real numbers of; that is a copy.
fn operands_stay(gpu: &Gpu, dtype: DType) -> Result<()> {
    for n in [2, 9, 128, 1009] {
        let x = gpu.take(&finite(dtype, &[3, n], 4)?)?;
        let before = wide(gpu, &x)?;
        for (name, line) in lines(dtype) {
            line(&x, None, 1, Norm::Backward)?.eval()?;
            line(&x, Some(n), 0, Norm::Ortho)?.eval()?;
            ensure!(
                wide(gpu, &x)? == before,
                "{name} of {n} writes over its operand"
            );
        }
    }
    Ok(())
}

/// Imaginary parts of the first number and of the last of an even length count as 0.
fn without_meaning(gpu: &Gpu, dtype: DType) -> Result<()> {
    let real = dtype.real();
    for n in [1usize, 2, 5, 8, 1000, 1009] {
        let half = n / 2 + 1;
        let x = doubled(&finite(real.complex(), &[3, half], 2)?)?;
        let mut clean: Vec<Complex<f64>> = x.to_vec()?;
        for line in clean.chunks_mut(half) {
            line[0].im = 0.0;
            if n.is_multiple_of(2) {
                line[half - 1].im = 0.0;
            }
        }
        let clean = Tensor::from_vec(clean, &[3, half])?;
        let there = |x: &Tensor| gpu.take(&x.cast(real.complex())?.eval()?);
        let got = irfft(&there(&x)?, Some(n), 1, Norm::Backward)?;
        let want = irfft(&there(&clean)?, Some(n), 1, Norm::Backward)?;
        ensure!(wide(gpu, &got)? == wide(gpu, &want)?, "{n}");
    }
    Ok(())
}

/// More lengths than plans are kept, and the first ones once more.
fn many_plans(gpu: &Gpu, dtype: DType) -> Result<()> {
    for n in (2..80).chain(2..10) {
        let x = finite(dtype, &[2, n], n as u64)?;
        let got = fft(&gpu.take(&x)?, None, 1, Norm::Backward)?;
        let want = fft(&doubled(&x)?, None, 1, Norm::Backward)?;
        near(gpu, &got, &want, bound(n, dtype), &format!("{n}"))?;
    }
    Ok(())
}

fn frequencies(gpu: &Gpu) -> Result<()> {
    let here = syntonic_core::cpu();
    for n in [1, 2, 7, 8, 1000] {
        for (of, name) in [
            (fftfreq as fn(_, _, _, &_) -> _, "fftfreq"),
            (rfftfreq, "rfftfreq"),
        ] {
            let (got, want) = (of(n, 0.3, None, &gpu.device)?, of(n, 0.3, None, &here)?);
            near(gpu, &got, &want, 2.0 * f64::EPSILON, name)?;
            let (got, want) = (fftshift(&got, None)?, fftshift(&want, None)?);
            near(gpu, &got, &want, 2.0 * f64::EPSILON, "fftshift")?;
            let (got, want) = (ifftshift(&got, None)?, ifftshift(&want, None)?);
            near(gpu, &got, &want, 2.0 * f64::EPSILON, "ifftshift")?;
        }
    }
    Ok(())
}
