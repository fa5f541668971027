//! Fourier transforms.

use crate::difference::{Row, complex, row, spread};
use syntonic_core::Tensor;
use syntonic_core::ops::difference;
use syntonic_core::ops::fft::{
    Extent, Norm, fft, fftn, fftshift, hfft, ifft, ifftn, ifftshift, ihfft, irfft, irfftn, rfft,
    rfftn,
};

const NORMS: [Norm; 3] = [Norm::Backward, Norm::Ortho, Norm::Forward];

pub(crate) fn rows() -> Vec<Row> {
    let mut all = Vec::new();
    let turned = |x: Tensor| x.transpose(0, 1).unwrap();
    for norm in NORMS {
        // Even, odd, cut off, with zeros behind, strided, one element, none.
        let lengths = [(4, None), (5, None), (6, Some(4)), (3, Some(6)), (1, None)];
        for (n, len) in lengths {
            let (x, z) = (spread(&[2, n], 1), complex(&[2, n], 2));
            all.push(row("fft", vec![z.clone()], move |v| {
                fft(&v[0], len, -1, norm)
            }));
            all.push(row("fft", vec![x.clone()], move |v| {
                fft(&v[0], len, -1, norm)
            }));
            all.push(row("ifft", vec![turned(z.clone())], move |v| {
                ifft(&v[0], len, 0, norm)
            }));
            all.push(row("rfft", vec![x.clone()], move |v| {
                rfft(&v[0], len, -1, norm)
            }));
            all.push(row("rfft", vec![turned(x.clone())], move |v| {
                rfft(&v[0], len, 0, norm)
            }));
            all.push(row("ihfft", vec![x], move |v| ihfft(&v[0], len, -1, norm)));
            for whole in [2 * n - 1, 2 * n] {
                let (a, b) = (z.clone(), turned(z.clone()));
                all.push(row("irfft", vec![a.clone()], move |v| {
                    irfft(&v[0], Some(whole), -1, norm)
                }));
                all.push(row("irfft", vec![b], move |v| {
                    irfft(&v[0], Some(whole), 0, norm)
                }));
                all.push(row("hfft", vec![a], move |v| {
                    hfft(&v[0], Some(whole), -1, norm)
                }));
            }
        }
        let (x, z) = (spread(&[2, 3, 4], 3), complex(&[2, 3, 4], 4));
        let all_axes = Extent::default;
        all.push(row("fftn", vec![z.clone()], move |v| {
            fftn(&v[0], all_axes(), norm)
        }));
        all.push(row("ifftn", vec![z.clone()], move |v| {
            ifftn(&v[0], all_axes(), norm)
        }));
        all.push(row("rfftn", vec![x], move |v| {
            rfftn(&v[0], all_axes(), norm)
        }));
        all.push(row("irfftn", vec![z], move |v| {
            irfftn(&v[0], all_axes(), norm)
        }));
    }
    let x = || vec![spread(&[3, 4], 5)];
    all.push(row("fft", vec![spread(&[0, 4], 5)], |v| {
        fft(&v[0], None, -1, Norm::Backward)
    }));
    all.push(row("fftshift", x(), |v| fftshift(&v[0], None)));
    all.push(row("ifftshift", x(), |v| ifftshift(&v[0], None)));
    all.push(row("diff", x(), |v| {
        difference::diff(&v[0], 2, -1, None, None)
    }));
    all
}
