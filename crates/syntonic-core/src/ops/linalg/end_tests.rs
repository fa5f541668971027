//! Ends against their definition: the slow reference of the formula over the values of the plain product.

use super::job::Job;
use super::matmul::product_shape;
use super::tests::{LAYOUTS, Lies, operand, values};
use super::*;
use crate::device::{Arithmetic, End};
use crate::fuse::notation::{Sym, trace};
use crate::fuse::{Precision, Program, Role, Yield};
use crate::ops::elementwise::{Arg, composite};
use crate::ops::moves::arg;
use crate::random::Generator;
use crate::run;
use crate::{DType, Scalar, Tensor};

fn program(operands: usize, body: impl Fn(&[Sym]) -> Sym) -> Program {
    let inputs = vec![("x", Role::Element); operands + 1];
    trace("end", &inputs, &[Yield::Element], |s| vec![body(s)])
}

fn with_end(a: &Tensor, b: &Tensor, end: &Program, operands: &[Tensor], dtype: DType) -> Tensor {
    let shape = product_shape("test", a, b).unwrap();
    let out = Tensor::uninit("test", &shape, dtype, a.device()).unwrap();
    let job = Job {
        alpha: Scalar::Int(2),
        end: Some((end, operands)),
        ..Job::default()
    };
    job.run(a, b, &out).unwrap();
    out
}

/// The sums as the kernel makes them, then the program over them as a pass of its own.
fn in_two_steps(
    a: &Tensor,
    b: &Tensor,
    end: &Program,
    operands: &[Tensor],
    dtype: DType,
) -> Tensor {
    let sums = if a.dtype().is_half() {
        let same = program(0, |s| s[0]);
        with_end(a, b, &same, &[], DType::F32)
    } else {
        matmul_times(2, a, b).unwrap()
    };
    let inputs: Vec<&Tensor> = std::iter::once(&sums).chain(operands).collect();
    let out = run::map(end, &inputs, &[], sums.shape(), a.device()).unwrap();
    out[0].cast(dtype).unwrap()
}

fn bits(x: &Tensor) -> Vec<u8> {
    let x = x.copy().unwrap().eval().unwrap();
    let n = x.numel() * x.dtype().size();
    let from = x.buffer().unwrap().address();
    // SAFETY: a fresh copy is contiguous, and its memory is the host's.
    unsafe { std::slice::from_raw_parts(from, n) }.to_vec()
}

#[test]
fn sums_of_halves_are_not_rounded_before_the_end() {
    let mut g = Generator::new(1);
    for dtype in [DType::F16, DType::BF16] {
        let a = operand(dtype, &[9, 40], Lies::RowMajor, &mut g);
        let b = operand(dtype, &[40, 11], Lies::RowMajor, &mut g);
        let wide = |x: &Tensor| x.cast(DType::F32).unwrap();
        let want = matmul_times(2, &wide(&a), &wide(&b)).unwrap();
        let same = program(0, |s| s[0]);
        let got = with_end(&a, &b, &same, &[], DType::F32);
        assert_eq!(bits(&got), bits(&want), "{dtype}");
    }
}

#[test]
fn an_end_gives_the_bits_of_a_pass_of_its_own() {
    let mut g = Generator::new(2);
    for dtype in DType::ALL.into_iter().filter(|d| !d.is_bool()) {
        for (x, y) in LAYOUTS.into_iter().zip([
            Lies::Transposed,
            Lies::RowMajor,
            Lies::Repeated,
            Lies::Strided,
            Lies::Reversed,
        ]) {
            for (m, k, n) in [
                (7, 13, 9),
                (1, 1, 1),
                (65, 30, 129),
                (300, 20, 210),
                (5, 0, 4),
            ] {
                let a = operand(dtype, &[m, k], x, &mut g);
                let b = operand(dtype, &[k, n], y, &mut g);
                let row = operand(dtype, &[n], Lies::Strided, &mut g);
                let column = operand(dtype, &[m, 1], Lies::Reversed, &mut g);
                let full = operand(dtype, &[m, n], y, &mut g);
                let end = program(3, |s| s[0] * s[2] + s[1] - s[3]);
                for output in [dtype, DType::F32, DType::C128] {
                    if dtype.is_complex() && !output.is_complex() {
                        continue;
                    }
                    let operands = [row.clone(), column.clone(), full.clone()];
                    let got = with_end(&a, &b, &end, &operands, output);
                    let want = in_two_steps(&a, &b, &end, &operands, output);
                    let what = format!("{dtype} {x:?} {m} {k} {n} {output}");
                    assert_eq!((got.dtype(), got.shape()), (output, want.shape()), "{what}");
                    assert!(bits(&got) == bits(&want), "{what}");
                }
            }
        }
    }
}

#[test]
fn stacks_have_ends_too_and_threads_change_nothing() {
    let mut g = Generator::new(3);
    for (a, b, bias) in [
        (vec![3, 1, 20, 30], vec![5, 30, 40], vec![5, 1, 40]),
        (vec![6, 50, 80], vec![80, 30], vec![30]),
        (vec![6, 50, 80], vec![80, 30], vec![6, 50, 1]),
        (vec![6, 1, 80], vec![80, 30], vec![30]),
        (vec![4000, 6, 6], vec![4000, 6, 6], vec![6]),
        (vec![2, 400, 6, 6], vec![6, 6], vec![400, 1, 6]),
        (vec![700, 300], vec![300, 650], vec![650]),
    ] {
        for dtype in [DType::F32, DType::BF16, DType::I32] {
            let (a, b) = (
                operand(dtype, &a, Lies::RowMajor, &mut g),
                operand(dtype, &b, Lies::RowMajor, &mut g),
            );
            let bias = operand(dtype, &bias, Lies::RowMajor, &mut g);
            let end = program(1, |s| Activation::Relu.over(s[0] + s[1]));
            let operands = [bias];
            let want = bits(&in_two_steps(&a, &b, &end, &operands, dtype));
            for threads in [1, 3] {
                let pool = crate::cpu::threads::Threads::new(threads);
                let got = pool.install(|| bits(&with_end(&a, &b, &end, &operands, dtype)));
                assert!(got == want, "{dtype} {:?} {threads}", a.shape());
            }
        }
    }
}

#[test]
fn beta_adds_what_is_there_before_the_end_and_zero_reads_nothing() {
    let mut g = Generator::new(4);
    let a = operand(DType::F32, &[40, 50], Lies::RowMajor, &mut g);
    let b = operand(DType::F32, &[50, 60], Lies::RowMajor, &mut g);
    let end = program(0, |s| Activation::Relu.over(s[0]));
    let run = |beta: f64, c: &Tensor| {
        let out = c.copy().unwrap().eval().unwrap();
        let job = Job {
            beta: beta.into(),
            end: Some((&end, &[])),
            ..Job::default()
        };
        job.run(&a, &b, &out).unwrap();
        out
    };
    let c = operand(DType::F32, &[40, 60], Lies::RowMajor, &mut g);
    let plain = matmul_scaled(1, &a, &b, 0.5, &c).unwrap();
    let want = composite(
        "relu",
        crate::ops::composites::RELU.build,
        &[Arg::from(&plain)],
    )
    .unwrap();
    assert_eq!(bits(&run(0.5, &c)), bits(&want));
    let nan = Tensor::full(&[40, 60], f64::NAN, DType::F32).unwrap();
    assert!(values(&run(0.0, &nan)).iter().all(|z| z.re.is_finite()));
    assert!(values(&run(1.0, &nan)).iter().all(|z| z.re.is_nan()));
}

/// What an end over a 4 by 6 product of `dtype` is recognised as.
fn known(end: &Program, operands: &[Tensor], dtype: DType, output: DType) -> Option<KnownEnd> {
    let args = operands
        .iter()
        .map(|t| arg(&t.broadcast_to(&[4, 6]).unwrap()).unwrap());
    let end = End::new(end, dtype, args.collect(), output).unwrap();
    end.recognise()
}

#[test]
fn common_ends_are_recognised() {
    let ones = |shape: &[usize], dtype| Tensor::ones(shape, dtype).unwrap();
    for dtype in [DType::F32, DType::F64, DType::F16, DType::BF16] {
        let row = ones(&[6], dtype);
        let column = ones(&[4, 1], dtype);
        let full = ones(&[4, 6], dtype);
        for activation in Activation::ALL {
            for precision in [Precision::Wide, Precision::Stepwise] {
                let mut end = program(3, |s| {
                    let product = match (precision, dtype.is_half()) {
                        (Precision::Stepwise, true) => crate::fuse::notation::cast(dtype, s[0]),
                        _ => s[0],
                    };
                    let inner = product * 0.5 * s[2] + s[1] * 3.0;
                    s[3] * 0.25 + activation.over(inner)
                });
                end.precision = precision;
                let operands = [row.clone(), column.clone(), full.clone()];
                let found = known(&end, &operands, dtype, dtype)
                    .unwrap_or_else(|| panic!("{dtype} {activation:?} {precision:?}"));
                assert_eq!(found.activation, activation);
                assert_eq!(found.scale.to_f64(), 0.5);
                let spreads: Vec<_> = found.scales.iter().map(|t| t.spread).collect();
                assert_eq!(spreads, [Spread::Column]);
                let factor = |t: &Term| (t.operand, t.spread, t.factor.to_f64());
                assert_eq!(factor(&found.adds[0]), (0, Spread::Row, 3.0));
                let last = if activation == Activation::None {
                    found.adds[1]
                } else {
                    found.residual.unwrap()
                };
                assert_eq!(factor(&last), (2, Spread::Full, 0.25));
                let stepwise = precision == Precision::Stepwise && dtype.is_half();
                assert_eq!(found.rounding == Rounding::Stepwise, stepwise);
            }
        }
    }
}

#[test]
fn what_is_of_another_form_is_not_recognised() {
    let row = [Tensor::ones(&[6], DType::F32).unwrap()];
    let refused = [
        program(1, |s| crate::fuse::notation::exp(s[0])),
        program(1, |s| s[0] + s[0]),
        program(1, |s| s[0] * (s[1] + 1.0)),
        program(1, |s| crate::fuse::notation::maximum(s[0], 0.0)),
        program(1, |s| (s[0] * s[1]) * 2.0),
        program(1, |s| s[1] - s[0]),
        program(1, |s| crate::fuse::notation::cast(DType::F64, s[0]) + s[1]),
        program(1, |s| {
            crate::fuse::notation::cast(DType::F16, s[0] + s[1]) + s[1]
        }),
    ];
    for mut end in refused {
        end.precision = Precision::Stepwise;
        assert_eq!(known(&end, &row, DType::F32, DType::F32), None, "{end}");
    }
    let minus = program(1, |s| s[0] - s[1]);
    let found = known(&minus, &row, DType::F32, DType::F16).unwrap();
    assert_eq!(found.adds[0].factor.to_f64(), -1.0);
    assert_eq!(found.rounding, Rounding::Once);
}

#[test]
fn a_launch_is_read_once_for_all_and_mistakes_are_errors() {
    use crate::device::Launch;
    let a = Tensor::ones(&[4, 5], DType::F32).unwrap();
    let b = Tensor::ones(&[5, 6], DType::F32).unwrap();
    let out = Tensor::zeros(&[4, 6], DType::F32).unwrap();
    let launch = Launch {
        inputs: vec![arg(&a).unwrap(), arg(&b).unwrap()],
        outputs: vec![arg(&out).unwrap()],
        params: vec![
            2.into(),
            0.5.into(),
            true.into(),
            false.into(),
            Arithmetic::Medium.to_scalar(),
        ],
        ..Launch::default()
    };
    let read = Contraction::of(&launch).unwrap();
    assert_eq!((read.alpha, read.beta), (2.into(), 0.5.into()));
    assert_eq!((read.conj_a, read.conj_b), (true, false));
    assert_eq!(read.arithmetic, Arithmetic::Medium);
    assert!(read.in_place() && read.end.is_none());

    let row = Tensor::ones(&[6], DType::F32).unwrap();
    let end = program(1, |s| s[0] + s[1]);
    let wrong_shape = End::new(&end, DType::F32, vec![arg(&row).unwrap()], DType::F32).unwrap();
    let fits = arg(&row.broadcast_to(&[4, 6]).unwrap()).unwrap();
    let wrong_type = End::new(&end, DType::F32, vec![fits.clone()], DType::F64).unwrap();
    for end in [wrong_shape, wrong_type] {
        let launch = Launch {
            end: Some(end),
            ..launch.clone()
        };
        assert!(Contraction::of(&launch).is_err());
    }
    let good = End::new(&end, DType::F32, vec![fits], DType::F32).unwrap();
    let launch = Launch {
        end: Some(good),
        ..launch
    };
    assert!(Contraction::of(&launch).is_ok());
    let short = Launch {
        inputs: launch.inputs[..1].to_vec(),
        ..launch.clone()
    };
    assert!(Contraction::of(&short).is_err());
    let swapped = Launch {
        inputs: launch.inputs.iter().rev().cloned().collect(),
        ..launch
    };
    assert!(Contraction::of(&swapped).is_err());
}
