use crate::error::Error;
use crate::fuse::Prim;
use crate::ops::elementwise::apply;
use crate::ops::gather::take;
use crate::ops::linalg::matmul;
use crate::ops::order::{Direction, sort};
use crate::ops::reduce::{Over, sum};
use crate::{DType, Element, F8E4M3, F8E5M2, Scalar, Tensor};
use half::f16;

/// Every code, in order.
fn codes() -> Vec<u8> {
    (0..=u8::MAX).collect()
}

fn stored(dtype: DType, codes: &[u8]) -> Tensor {
    let shape = [codes.len()];
    match dtype {
        DType::F8E4M3 => Tensor::from_vec(codes.iter().map(|&c| F8E4M3(c)).collect(), &shape),
        _ => Tensor::from_vec(codes.iter().map(|&c| F8E5M2(c)).collect(), &shape),
    }
    .unwrap()
}

fn codes_of(x: &Tensor) -> Vec<u8> {
    let x = x.contiguous().unwrap();
    match x.dtype() {
        DType::F8E4M3 => x
            .host_slice::<F8E4M3>()
            .unwrap()
            .iter()
            .map(|c| c.0)
            .collect(),
        _ => x
            .host_slice::<F8E5M2>()
            .unwrap()
            .iter()
            .map(|c| c.0)
            .collect(),
    }
}

/// What the table of the definition says: the value, with one NaN.
fn defined(dtype: DType, code: u8) -> f64 {
    match dtype {
        DType::F8E4M3 => F8E4M3(code).to_scalar().to_f64(),
        _ => F8E5M2(code).to_scalar().to_f64(),
    }
}

fn code_defined(dtype: DType, x: f64) -> u8 {
    match dtype {
        DType::F8E4M3 => F8E4M3::from_scalar(Scalar::Float(x)).0,
        _ => F8E5M2::from_scalar(Scalar::Float(x)).0,
    }
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

/// Values of the specification's tables: smallest subnormal, largest subnormal, smallest normal, one, largest.
#[test]
fn known_codes() {
    for (dtype, table) in [
        (
            DType::F8E4M3,
            [
                (0x01, 0.001953125),
                (0x07, 0.013671875),
                (0x08, 0.015625),
                (0x38, 1.0),
                (0x7e, 448.0),
                (0xfe, -448.0),
                (0x7f, f64::NAN),
                (0xff, f64::NAN),
            ],
        ),
        (
            DType::F8E5M2,
            [
                (0x01, 1.52587890625e-5),
                (0x03, 4.57763671875e-5),
                (0x04, 6.103515625e-5),
                (0x3c, 1.0),
                (0x7b, 57344.0),
                (0xfc, f64::NEG_INFINITY),
                (0x7c, f64::INFINITY),
                (0x7d, f64::NAN),
            ],
        ),
    ] {
        for (code, value) in table {
            let got = defined(dtype, code);
            assert!(same(got, value), "{dtype} {code:#x}: {got}");
        }
        assert!(same(defined(dtype, 0x80), -0.0));
    }
}

/// The upper byte of a `float16` is an `e5m2`: `half` is the other opinion.
#[test]
fn e5m2_is_half_of_a_half() {
    for code in codes() {
        let half = f16::from_bits(u16::from(code) << 8).to_f64();
        assert!(same(defined(DType::F8E5M2, code), half), "{code:#x}");
    }
}

#[test]
fn every_code_is_widened_as_defined() {
    for dtype in DType::STORED {
        let x = stored(dtype, &codes());
        for to in [DType::F16, DType::BF16, DType::F32, DType::F64] {
            let got = x.cast(to).unwrap().to_vec::<f64>().unwrap();
            for (code, got) in codes().into_iter().zip(got) {
                let want = defined(dtype, code);
                assert!(
                    same(got, want),
                    "{dtype} {code:#x} as {to}: {got}, not {want}"
                );
            }
        }
    }
}

#[test]
fn every_code_comes_back() {
    for dtype in DType::STORED {
        for through in [DType::F16, DType::F32, DType::F64] {
            let x = stored(dtype, &codes());
            let back = codes_of(&x.cast(through).unwrap().cast(dtype).unwrap());
            for (code, back) in codes().into_iter().zip(back) {
                let nan = defined(dtype, code).is_nan();
                let want = if nan { 0x7f } else { code };
                assert_eq!(back, want, "{dtype} {code:#x} through {through}");
            }
        }
    }
}

#[test]
fn every_float16_is_rounded_as_defined() {
    let halves: Vec<f16> = (0..=u16::MAX).map(f16::from_bits).collect();
    let x = Tensor::from_slice(&halves, &[halves.len()]).unwrap();
    for dtype in DType::STORED {
        let got = codes_of(&x.cast(dtype).unwrap());
        for (h, got) in halves.iter().zip(got) {
            assert_eq!(got, code_defined(dtype, h.to_f64()), "{h} as {dtype}");
        }
    }
}

/// Halfway between two codes, and next to it on both sides: there a second rounding would show.
#[test]
fn ties_go_to_the_even_code_in_one_rounding() {
    for dtype in DType::STORED {
        let beyond = if dtype == DType::F8E4M3 { 0x7e } else { 0x7b };
        for code in 0..beyond {
            let (low, high) = (defined(dtype, code), defined(dtype, code + 1));
            let tie = (low + high) / 2.0;
            let even = if code % 2 == 0 { code } else { code + 1 };
            let wide = [tie.next_down(), tie, tie.next_up(), -tie];
            let want = [code, even, code + 1, even | 0x80];
            let x = Tensor::from_slice(&wide, &[4])
                .unwrap()
                .cast(dtype)
                .unwrap();
            assert_eq!(
                codes_of(&x),
                want,
                "{dtype}: {code:#x} and the next, from float64"
            );
            let tie = tie as f32;
            let single = [tie.next_down(), tie, tie.next_up(), -tie];
            let x = Tensor::from_slice(&single, &[4])
                .unwrap()
                .cast(dtype)
                .unwrap();
            assert_eq!(
                codes_of(&x),
                want,
                "{dtype}: {code:#x} and the next, from float32"
            );
        }
    }
}

#[test]
fn what_rounds_beyond_the_largest_number_is_nan_or_infinity() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    for (dtype, values, want) in [
        (
            DType::F8E4M3,
            [464.0, 464.1, 480.0, 1e300, -inf, nan],
            [0x7e, 0x7f, 0x7f, 0x7f, 0xff, 0x7f],
        ),
        (
            DType::F8E5M2,
            [61439.0, 61440.0, 65536.0, 1e300, -inf, -nan],
            [0x7b, 0x7c, 0x7c, 0x7c, 0xfc, 0x7f],
        ),
    ] {
        let x = Tensor::from_slice(&values, &[6]).unwrap();
        assert_eq!(
            codes_of(&x.cast(dtype).unwrap()),
            want,
            "{dtype} from float64"
        );
        let x = x.cast(DType::F32).unwrap();
        assert_eq!(
            codes_of(&x.cast(dtype).unwrap()),
            want,
            "{dtype} from float32"
        );
        let defined: Vec<u8> = values.iter().map(|&x| code_defined(dtype, x)).collect();
        assert_eq!(defined, want, "{dtype} by the definition");
    }
}

#[test]
fn other_types_go_through_floats() {
    let x = Tensor::from_slice(&[0i64, 3, -17, i64::MAX, i64::MIN], &[5]).unwrap();
    let x = x.cast(DType::F8E4M3).unwrap();
    assert_eq!(codes_of(&x), [0x00, 0x44, 0xd8, 0x7f, 0xff]);
    assert_eq!(
        x.cast(DType::I32).unwrap().to_vec::<i32>().unwrap(),
        [0, 3, -16, 0, 0]
    );
    assert_eq!(
        codes_of(&x.cast(DType::F8E5M2).unwrap())[..3],
        [0x00, 0x42, 0xcc]
    );
}

/// Layouts that a cast meets: strided, broadcast, empty, one element, and one that is long enough to stay an expression.
#[test]
fn casts_of_any_layout() {
    for dtype in DType::STORED {
        let x = stored(dtype, &codes()).reshape(&[16, 16]).unwrap();
        let turned = x.transpose(0, 1).unwrap();
        let wide = turned.cast(DType::F32).unwrap();
        let want = x
            .cast(DType::F32)
            .unwrap()
            .transpose(0, 1)
            .unwrap()
            .copy()
            .unwrap();
        for (a, b) in wide
            .to_vec::<f64>()
            .unwrap()
            .into_iter()
            .zip(want.to_vec::<f64>().unwrap())
        {
            assert!(same(a, b), "{dtype}");
        }
        let one = stored(dtype, &[0x30]);
        let spread = one.broadcast_to(&[20_000]).unwrap();
        let value = one.cast(DType::F64).unwrap().item().unwrap().to_f64();
        assert_eq!(
            spread.cast(DType::F64).unwrap().to_vec::<f64>().unwrap(),
            vec![value; 20_000]
        );
        let narrow = Tensor::full(&[20_000], value, DType::F32)
            .unwrap()
            .cast(dtype)
            .unwrap();
        assert_eq!(codes_of(&narrow), vec![0x30; 20_000]);
        assert_eq!(stored(dtype, &[]).cast(DType::F32).unwrap().shape(), [0]);
    }
}

#[test]
fn storage_is_moved() {
    for dtype in DType::STORED {
        let x = stored(dtype, &[1, 2, 0x81, 0x7f]);
        let at = Tensor::from_slice(&[3i64, 0], &[2]).unwrap();
        assert_eq!(codes_of(&take(&x, &at, None).unwrap()), [0x7f, 1]);
        let pairs = x.reshape(&[2, 2]).unwrap().transpose(0, 1).unwrap();
        assert_eq!(codes_of(&pairs.copy().unwrap()), [1, 0x81, 2, 0x7f]);
        let mut y = Tensor::ones(&[3], dtype).unwrap();
        y.assign(&Tensor::scalar(-2.0, DType::F64).unwrap())
            .unwrap();
        assert_eq!(y.to_vec::<f32>().unwrap(), [-2.0; 3]);
    }
}

#[test]
fn operators_refuse_storage() {
    for dtype in DType::STORED {
        let x = stored(dtype, &[1, 2, 3, 4]).reshape(&[2, 2]).unwrap();
        let refused = |e: Error| {
            let text = e.to_string();
            assert!(matches!(e, Error::DType { .. }), "{text}");
            assert!(text.contains("cast to float16 first"), "{text}");
        };
        for prim in Prim::ALL {
            let args = vec![(&x).into(); prim.arity()];
            refused(apply(*prim, &args).unwrap_err());
        }
        let y = Tensor::ones(&[2, 2], DType::F32).unwrap();
        refused(apply(Prim::Add, &[(&x).into(), (&y).into()]).unwrap_err());
        refused(apply(Prim::Mul, &[2.0.into(), (&x).into()]).unwrap_err());
        refused(sum(&x, &Over::all(), None).unwrap_err());
        refused(sum(&y, &Over::all(), Some(dtype)).unwrap_err());
        refused(matmul(&x, &x).unwrap_err());
        refused(matmul(&x, &y).unwrap_err());
        refused(sort(&x, -1, Direction::Ascending).unwrap_err());
    }
}
