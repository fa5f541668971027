//! Every transform beside its definition, and results that are known.

use super::samples::{C, LENGTHS, bound, forward, inverse, near, normal, values};
use super::*;
use crate::{DType, Error, Tensor};
use std::f64::consts::TAU;

const NORMS: [Norm; 3] = [Norm::Backward, Norm::Ortho, Norm::Forward];
const TYPES: [DType; 4] = [DType::F32, DType::F64, DType::C64, DType::C128];

/// The first half of a transform.
fn half(mut whole: Vec<C>) -> Vec<C> {
    whole.truncate(whole.len() / 2 + 1);
    whole
}

/// The whole transform of which this is the first half.
fn whole(half: &[C], n: usize) -> Vec<C> {
    let mut out = half.to_vec();
    out[0].im = 0.0;
    if n.is_multiple_of(2) {
        out[n / 2].im = 0.0;
    }
    out.extend((half.len()..n).map(|k| half[n - k].conj()));
    out
}

#[test]
fn every_length_type_and_factor_is_as_defined() {
    for n in LENGTHS {
        for dtype in TYPES {
            let (x, units) = (normal(&[n], dtype, n as u64), bound(n, dtype));
            let numbers = values(&x);
            for norm in NORMS {
                let what = format!("{n} {dtype} {norm:?}");
                let got = fft(&x, None, -1, norm).unwrap();
                assert_eq!(
                    (got.dtype(), got.shape()),
                    (dtype.complex(), &[n][..]),
                    "{what}"
                );
                near(&values(&got), &forward(&numbers, norm), units, &what);
                let got = ifft(&x, None, 0, norm).unwrap();
                near(&values(&got), &inverse(&numbers, norm), units, &what);
                let (halves, long) = (irfft(&x, Some(n), 0, norm).unwrap(), n / 2 + 1);
                assert_eq!(
                    (halves.dtype(), halves.shape()),
                    (dtype.real(), &[n][..]),
                    "{what}"
                );
                let spectrum = whole(&numbers[..long], n);
                near(&values(&halves), &inverse(&spectrum, norm), units, &what);
                let got = hfft(&x, Some(n), 0, norm).unwrap();
                near(&values(&got), &forward(&spectrum, norm), units, &what);
                if dtype.is_complex() {
                    continue;
                }
                let got = rfft(&x, None, -1, norm).unwrap();
                assert_eq!(
                    (got.dtype(), got.shape()),
                    (dtype.complex(), &[long][..]),
                    "{what}"
                );
                near(&values(&got), &half(forward(&numbers, norm)), units, &what);
                let got = ihfft(&x, None, -1, norm).unwrap();
                near(&values(&got), &half(inverse(&numbers, norm)), units, &what);
            }
        }
    }
}

/// Lines along every axis, with lengths cut and filled up, of tensors that lie in memory in every way.
#[test]
fn every_axis_layout_and_length_is_as_the_line_alone() {
    let base = normal(&[6, 10, 7], DType::C128, 5);
    let layouts = [
        base.clone(),
        base.permute(&[2, 0, 1]).unwrap(),
        base.slice(1, None, None, -2).unwrap(),
        base.slice(0, Some(1), Some(5), 3).unwrap(),
        base.select(1, 4).unwrap().broadcast_to(&[3, 6, 7]).unwrap(),
    ];
    for x in &layouts {
        for axis in 0..3 {
            let m = x.shape()[axis];
            for n in [m, m - 1, m + 3, 1] {
                let got = fft(x, Some(n), axis as isize, Norm::Ortho).unwrap();
                let lines = |t: &Tensor| {
                    let last = crate::ops::rearrange::moveaxis(t, &[axis as isize], &[-1]).unwrap();
                    let len = last.shape()[2];
                    let all = values(&last);
                    all.chunks(len).map(<[C]>::to_vec).collect::<Vec<_>>()
                };
                assert!(got.layout().is_contiguous());
                let pairs = lines(x).into_iter().zip(lines(&got));
                for (mut line, got) in pairs {
                    line.resize(n, C::new(0.0, 0.0));
                    let want = forward(&line, Norm::Ortho);
                    near(
                        &got,
                        &want,
                        bound(n, DType::C128),
                        &format!("{:?} {axis} {n}", x.shape()),
                    );
                }
            }
        }
    }
}

/// More lines than one task has, and lines longer than a block: pieces meet without a gap.
#[test]
fn many_lines_and_long_ones_are_those_of_their_own() {
    for (shape, axis) in [
        ([3000, 12], 1),
        ([12, 3000], 0),
        ([3, 20_000], 1),
        ([20_000, 3], 0),
    ] {
        let x = normal(&shape, DType::F64, 9);
        let got = rfft(&x, None, axis, Norm::Backward).unwrap();
        let other = 1 - axis;
        for at in (0..shape[other as usize] as i64).step_by(997) {
            let line = x.select(other, at).unwrap();
            let want = values(&rfft(&line, None, 0, Norm::Backward).unwrap());
            assert_eq!(
                values(&got.select(other, at).unwrap()),
                want,
                "{shape:?} {at}"
            );
        }
        let back = irfft(&got, Some(shape[axis as usize]), axis, Norm::Backward).unwrap();
        near(
            &values(&back),
            &values(&x),
            2.0 * bound(20_000, DType::F64),
            "back",
        );
    }
}

/// A wave of k turns is one number, n at place k; a step in one place is a wave.
#[test]
fn waves_and_pulses_are_each_others() {
    for n in LENGTHS {
        let k = n / 3;
        let wave: Vec<C> = (0..n)
            .map(|j| C::from_polar(1.0, TAU * ((j * k) % n) as f64 / n as f64))
            .collect();
        let mut pulse = vec![C::new(0.0, 0.0); n];
        pulse[k] = C::new(1.0, 0.0);
        let tensor = |v: &[C]| Tensor::from_slice(v, &[n]).unwrap();
        let units = bound(n, DType::C128);
        let got = values(&fft(&tensor(&wave), None, 0, Norm::Forward).unwrap());
        near(&got, &pulse, units, "a wave");
        let got = values(&ifft(&tensor(&pulse), None, 0, Norm::Forward).unwrap());
        near(&got, &wave, units, "a pulse");
        let ones = Tensor::from_slice(&vec![1.0; n], &[n]).unwrap();
        let mut first = vec![C::new(0.0, 0.0); n / 2 + 1];
        first[0] = C::new(n as f64, 0.0);
        near(
            &values(&rfft(&ones, None, 0, Norm::Backward).unwrap()),
            &first,
            units,
            "a constant",
        );
    }
}

#[test]
fn several_axes_are_one_after_the_other() {
    let x = normal(&[4, 5, 6], DType::F64, 3);
    for norm in NORMS {
        let line = |x: &Tensor, axis| fft(x, None, axis, norm).unwrap();
        let want = values(&line(&line(&line(&x, 2), 1), 0));
        let got = fftn(&x, Extent::default(), norm).unwrap();
        near(&values(&got), &want, 1e-14, "all axes");
        let part = Extent {
            axes: Some(&[0, -1]),
            lengths: Some(&[Some(3), Some(8)]),
        };
        let cut = |x: &Tensor, axis, n| fft(x, Some(n), axis, norm).unwrap();
        let want = values(&cut(&cut(&x, 2, 8), 0, 3));
        let got = fftn(&x, part, norm).unwrap();
        assert_eq!(got.shape(), [3, 5, 8]);
        near(&values(&got), &want, 1e-14, "two of them");
        // The first half along the axis that is named last.
        let got = rfftn(
            &x,
            Extent {
                axes: Some(&[2, 0]),
                lengths: None,
            },
            norm,
        )
        .unwrap();
        assert_eq!(got.shape(), [3, 5, 6]);
        let want = values(&cut(&rfft(&x, None, 0, norm).unwrap(), 2, 6));
        near(&values(&got), &want, 1e-14, "half");
        let back = irfftn(
            &got,
            Extent {
                axes: Some(&[2, 0]),
                lengths: Some(&[Some(6), Some(4)]),
            },
            norm,
        )
        .unwrap();
        near(&values(&back), &values(&x), 1e-14, "and back");
        let whole = fftn(&x, Extent::default(), norm).unwrap();
        near(
            &values(&ifftn(&whole, Extent::default(), norm).unwrap()),
            &values(&x),
            1e-14,
            "back",
        );
    }
    // The last two axes, where lengths alone are given.
    let got = fftn(
        &x,
        Extent {
            axes: None,
            lengths: Some(&[Some(2), Some(3)]),
        },
        Norm::Backward,
    )
    .unwrap();
    assert_eq!(got.shape(), [4, 2, 3]);
    // An axis without a length keeps its own.
    let some = Extent {
        axes: Some(&[2, 0]),
        lengths: Some(&[None, Some(3)]),
    };
    assert_eq!(ifftn(&x, some, Norm::Backward).unwrap().shape(), [3, 5, 6]);
    assert_eq!(irfftn(&x, some, Norm::Backward).unwrap().shape(), [3, 5, 6]);
    let none = fftn(
        &x,
        Extent {
            axes: Some(&[]),
            lengths: None,
        },
        Norm::Forward,
    )
    .unwrap();
    assert_eq!(values(&none), values(&x));
}

#[test]
fn frequencies_and_shifts_are_as_named() {
    let device = crate::cpu();
    for n in [1usize, 2, 3, 4, 5, 8, 9] {
        let all: Vec<f64> = fftfreq(n, 0.25, None, &device).unwrap().to_vec().unwrap();
        let half: Vec<f64> = rfftfreq(n, 0.25, None, &device).unwrap().to_vec().unwrap();
        let step = |k: usize| k as f64 / (n as f64 * 0.25);
        assert_eq!(half, (0..=n / 2).map(step).collect::<Vec<_>>());
        let signed = |k: usize| {
            if k < n.div_ceil(2) {
                step(k)
            } else {
                step(k) - 4.0
            }
        };
        for (k, &f) in all.iter().enumerate() {
            assert!((f - signed(k)).abs() <= 4.0 * f64::EPSILON, "{n} {k}");
        }
        // In order, with 0 in the middle.
        let sorted = fftshift(&fftfreq(n, 0.25, None, &device).unwrap(), None).unwrap();
        let sorted: Vec<f64> = sorted.to_vec().unwrap();
        assert!(sorted.is_sorted());
        assert_eq!(sorted[n / 2], 0.0);
        let x = normal(&[n, 3], DType::F64, 1);
        let there = fftshift(&x, Some(&[0])).unwrap();
        assert_eq!(values(&ifftshift(&there, Some(&[0])).unwrap()), values(&x));
    }
    assert_eq!(
        fftfreq(3, 1.0, Some(DType::F32), &device).unwrap().dtype(),
        DType::F32
    );
}

#[test]
fn integers_are_doubles_and_pending_operands_are_computed() {
    let x = Tensor::from_slice(&[3i32, 1, -4, 1], &[4]).unwrap();
    let got = fft(&x, None, -1, Norm::Backward).unwrap();
    assert_eq!(
        values(&got),
        [
            C::new(1.0, 0.0),
            C::new(7.0, 0.0),
            C::new(-3.0, 0.0),
            C::new(7.0, 0.0)
        ]
    );
    let flags = Tensor::from_slice(&[true, false], &[2]).unwrap();
    assert_eq!(
        values(&rfft(&flags, None, 0, Norm::Backward).unwrap()),
        [C::new(1.0, 0.0); 2]
    );
    let big = normal(&[1 << 15], DType::F64, 8);
    let pending =
        crate::ops::elementwise::apply(crate::fuse::Prim::Add, &[(&big).into(), (&big).into()])
            .unwrap();
    let direct = fft(&pending.eval().unwrap(), None, -1, Norm::Backward).unwrap();
    let again =
        crate::ops::elementwise::apply(crate::fuse::Prim::Add, &[(&big).into(), (&big).into()])
            .unwrap();
    assert_eq!(
        values(&fft(&again, None, -1, Norm::Backward).unwrap()),
        values(&direct)
    );
}

#[test]
fn what_has_no_transform_is_an_error() {
    let x = normal(&[4, 6], DType::F64, 2);
    let z = normal(&[4], DType::C64, 2);
    let n = Norm::Backward;
    let halves = x.cast(DType::F16).unwrap();
    assert!(matches!(
        fft(&halves, None, -1, n),
        Err(Error::DType { op: "fft", .. })
    ));
    assert!(matches!(
        rfft(&z, None, -1, n),
        Err(Error::DType { op: "rfft", .. })
    ));
    assert!(matches!(
        ihfft(&z, None, -1, n),
        Err(Error::DType { op: "ihfft", .. })
    ));
    assert!(matches!(
        rfftn(&z, Extent::default(), n),
        Err(Error::DType { op: "rfftn", .. })
    ));
    assert!(matches!(
        fft(&x, None, 2, n),
        Err(Error::Axis {
            op: "fft",
            axis: 2,
            ndim: 2
        })
    ));
    assert!(matches!(
        fft(&x, Some(0), 1, n),
        Err(Error::Shape { op: "fft", .. })
    ));
    let said = irfft(&x.slice(1, None, Some(1), 1).unwrap(), None, 1, n)
        .unwrap_err()
        .to_string();
    assert!(
        said.contains("irfft") && said.contains("[4, 1]") && said.contains("name a length"),
        "{said}"
    );
    let empty = x.slice(1, None, Some(0), 1).unwrap();
    assert!(matches!(
        hfft(&empty, None, 1, n),
        Err(Error::Shape { op: "hfft", .. })
    ));
    assert_eq!(fft(&empty, Some(3), 1, n).unwrap().shape(), [4, 3]);
    assert_eq!(fft(&empty, None, 0, n).unwrap().shape(), [4, 0]);
    let twice = Extent {
        axes: Some(&[0, -2]),
        lengths: None,
    };
    assert!(matches!(
        fftn(&x, twice, n),
        Err(Error::Axis { op: "fftn", .. })
    ));
    let uneven = Extent {
        axes: Some(&[0, 1]),
        lengths: Some(&[Some(3)]),
    };
    assert!(matches!(
        ifftn(&x, uneven, n),
        Err(Error::Value { op: "ifftn", .. })
    ));
    let many = Extent {
        axes: None,
        lengths: Some(&[Some(3), Some(3), Some(3)]),
    };
    assert!(matches!(ifftn(&x, many, n), Err(Error::Value { .. })));
    let none = Extent {
        axes: Some(&[]),
        lengths: None,
    };
    assert!(matches!(
        rfftn(&x, none, n),
        Err(Error::Value { op: "rfftn", .. })
    ));
    assert!(matches!(
        irfftn(&x, none, n),
        Err(Error::Value { op: "irfftn", .. })
    ));
    assert!(matches!(
        fft(&x, Some(usize::MAX), 1, n),
        Err(Error::SizeOverflow { op: "fft", .. })
    ));
    let device = crate::cpu();
    assert!(matches!(
        fftfreq(0, 1.0, None, &device),
        Err(Error::Value { op: "fftfreq", .. })
    ));
    assert!(matches!(
        rfftfreq(4, 0.0, None, &device),
        Err(Error::Value { op: "rfftfreq", .. })
    ));
    assert!(matches!(
        fftfreq(4, 1.0, Some(DType::I32), &device),
        Err(Error::DType { op: "fftfreq", .. })
    ));
    assert!(matches!(
        fftshift(&x, Some(&[2])),
        Err(Error::Axis { op: "fftshift", .. })
    ));
}
