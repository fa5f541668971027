//! Lane kernels against tables of sixty-digit values, against double precision, and against the
//! reference definitions, on every instruction set of this machine.

use num_complex::Complex;
use std::f64::consts::LN_2;
use syntonic_core::cpu::lanes::{
    ArgFold, Begun, Fold, FoldKernel, Level, Place, Term, across_at, arg_fold, cast_at, fold_at,
    kernel_at, kernel_beside_at, sum_at,
};
use syntonic_core::fuse::{Prim, reference};
use syntonic_core::{DType, Element, Scalar, with_element};

/// Elements as memory, aligned for every type.
struct Lanes {
    words: Vec<u64>,
    dtype: DType,
    len: usize,
}

impl Lanes {
    fn zeroed(dtype: DType, len: usize) -> Lanes {
        Lanes {
            words: vec![0; (len * dtype.size()).div_ceil(8) + 2],
            dtype,
            len,
        }
    }

    fn new(dtype: DType, values: &[Scalar]) -> Lanes {
        let mut lanes = Lanes::zeroed(dtype, values.len());
        with_element!(dtype, T => for (i, &value) in values.iter().enumerate() {
            // SAFETY: `i` is below the length the memory was made for.
            unsafe { lanes.words.as_mut_ptr().cast::<T>().add(i).write(T::from_scalar(value)) }
        });
        lanes
    }

    fn values(&self) -> Vec<Scalar> {
        with_element!(self.dtype, T => (0..self.len)
            // SAFETY: `i` is below the length, and every element was written.
            .map(|i| unsafe { self.words.as_ptr().cast::<T>().add(i).read() }.to_scalar())
            .collect())
    }

    fn bytes(&self) -> *const u8 {
        self.words.as_ptr().cast()
    }

    fn bytes_mut(&mut self) -> *mut u8 {
        self.words.as_mut_ptr().cast()
    }
}

/// `prim` over all lanes, out of place.
fn run(level: Level, prim: Prim, operand: DType, args: &[Vec<Scalar>]) -> Option<Vec<Scalar>> {
    let kernel = kernel_at(level, prim, operand)?;
    let n = args[0].len();
    let lanes: Vec<Lanes> = (0..3)
        .map(|i| {
            let dtype = if prim == Prim::Select && i == 0 {
                DType::Bool
            } else {
                operand
            };
            Lanes::new(dtype, args.get(i).map_or(&[], |a| a.as_slice()))
        })
        .collect();
    let mut out = Lanes::zeroed(prim.result_dtype(operand), n);
    let pointer = |i: usize| {
        if i < prim.arity() {
            lanes[i].bytes()
        } else {
            std::ptr::null()
        }
    };
    // SAFETY: each used operand and the result have `n` elements.
    unsafe { kernel(out.bytes_mut(), pointer(0), pointer(1), pointer(2), n) };
    Some(out.values())
}

/// A small generator: the tests need spread, not quality.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 ^ (self.0 >> 29)
    }

    fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Numbers of every size, ordinary ones, and the edges.
    fn float(&mut self, largest_exponent: f64) -> f64 {
        const EDGES: [f64; 16] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            -0.5,
            2.0,
            3.0,
            -3.0,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            1e-40,
            -1e-40,
            1e30,
            -1e30,
        ];
        match self.bits() >> 60 {
            0 | 1 => EDGES[(self.bits() >> 60) as usize],
            2..5 => {
                let size = 2f64.powf(largest_exponent * (2.0 * self.unit() - 1.0));
                if self.unit() < 0.5 { -size } else { size }
            }
            5..8 => 2.0 * self.unit() - 1.0,
            _ => 40.0 * self.unit() - 20.0,
        }
    }

    fn value(&mut self, dtype: DType) -> Scalar {
        let value = match dtype {
            _ if dtype.is_bool() => Scalar::Bool(self.unit() < 0.5),
            _ if dtype.is_integer() && self.unit() < 0.5 => {
                Scalar::Int((self.unit() * 20.0) as i128 - 8)
            }
            _ if dtype.is_integer() => Scalar::Int(i128::from(self.bits())),
            DType::F16 | DType::BF16 | DType::F32 => Scalar::Float(self.float(120.0)),
            DType::F64 => Scalar::Float(self.float(1000.0)),
            _ => Scalar::Complex(Complex::new(
                8.0 * self.unit() - 4.0,
                8.0 * self.unit() - 4.0,
            )),
        };
        value.cast(dtype)
    }
}

/// The spacing of numbers of `dtype` at `x`.
fn ulp(x: f64, dtype: DType) -> f64 {
    let (digits, smallest) = if dtype.real() == DType::F64 {
        (52, -1022)
    } else {
        (23, -126)
    };
    let exponent = if x == 0.0 {
        smallest
    } else {
        (x.abs().log2().floor() as i32).max(smallest)
    };
    if exponent - digits < -1022 {
        f64::from_bits(1)
    } else {
        2f64.powi(exponent - digits)
    }
}

/// The distance from `want` in units of the last place; infinite where a special value is missed.
fn distance(got: Scalar, want: Scalar, dtype: DType) -> f64 {
    match (got, want) {
        (Scalar::Complex(g), Scalar::Complex(w)) => {
            if g.re.is_finite() && g.im.is_finite() && w.re.is_finite() && w.im.is_finite() {
                (g - w).norm() / ulp(w.norm(), dtype)
            } else {
                distance(g.re.into(), w.re.into(), dtype).max(distance(
                    g.im.into(),
                    w.im.into(),
                    dtype,
                ))
            }
        }
        (Scalar::Float(g), Scalar::Float(w)) => {
            if g.is_nan() && w.is_nan() || g == w {
                return 0.0;
            }
            let largest = if dtype.real() == DType::F64 {
                f64::MAX
            } else {
                f64::from(f32::MAX)
            };
            if g.is_infinite() && w.abs() >= largest || w.is_infinite() && g.abs() >= largest {
                return 1.0;
            }
            let distance = (g - w).abs() / ulp(w, dtype);
            if distance.is_nan() {
                f64::INFINITY
            } else {
                distance
            }
        }
        (g, w) => {
            if g == w {
                0.0
            } else {
                f64::INFINITY
            }
        }
    }
}

/// Errors above `bound`, as a list of sentences.
fn check(
    what: &str,
    args: &[Vec<Scalar>],
    got: &[Scalar],
    want: &[Scalar],
    dtype: DType,
    bound: f64,
) -> Vec<String> {
    let mut worst = (0.0, 0);
    for i in 0..got.len() {
        let d = distance(got[i], want[i], dtype);
        if d > worst.0 {
            worst = (d, i);
        }
    }
    let (d, i) = worst;
    if std::env::var_os("LANES_REPORT").is_some() {
        println!("{what:40} {d:.2} of {bound}");
    }
    if d <= bound {
        return vec![];
    }
    let operands: Vec<Scalar> = args.iter().map(|a| a[i]).collect();
    vec![format!(
        "{what}{operands:?} = {:?}, not {:?}: {d:.2} ulp, allowed {bound}",
        got[i], want[i]
    )]
}

fn assert_none(failures: Vec<String>) {
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Whether the table of primitives takes operands of this type as they are.
fn accepted(prim: Prim, dtype: DType) -> bool {
    prim.operand_dtype(dtype) == Some(dtype) && !dtype.is_half()
}

#[test]
fn every_accepted_pair_has_a_kernel_and_no_other() {
    for level in Level::available() {
        for &prim in Prim::ALL {
            for dtype in DType::ALL {
                let has = kernel_at(level, prim, dtype).is_some();
                assert_eq!(has, accepted(prim, dtype), "{} of {dtype}", prim.name());
            }
        }
    }
}

/// The lines of the table of one kind: name, operands, results.
fn known(kind: &str, operands: usize) -> Vec<(Prim, Vec<f64>, Vec<f64>)> {
    let number = |word: &str| f64::from_bits(u64::from_str_radix(word, 16).expect("hexadecimal"));
    include_str!("data/known_values.txt")
        .lines()
        .map(|line| line.split(' ').collect::<Vec<_>>())
        .filter(|words| words[0] == kind)
        .map(|words| {
            let prim = Prim::ALL
                .iter()
                .find(|p| p.name() == words[1])
                .expect("a primitive");
            let numbers: Vec<f64> = words[2..].iter().map(|w| number(w)).collect();
            (
                *prim,
                numbers[..operands].to_vec(),
                numbers[operands..].to_vec(),
            )
        })
        .collect()
}

/// Half a unit for the rounding of the table itself.
#[test]
fn doubles_match_sixty_digits() {
    let mut failures = vec![];
    for (kind, arity) in [("real", 1), ("pair", 2)] {
        let rows = known(kind, arity);
        for &prim in Prim::ALL {
            let rows: Vec<_> = rows.iter().filter(|r| r.0 == prim).collect();
            if rows.is_empty() {
                continue;
            }
            let args: Vec<Vec<Scalar>> = (0..arity)
                .map(|k| rows.iter().map(|r| r.1[k].into()).collect())
                .collect();
            let want: Vec<Scalar> = rows.iter().map(|r| r.2[0].into()).collect();
            for level in Level::available() {
                let got = run(level, prim, DType::F64, &args).expect("a kernel");
                let what = format!("{level:?} {} float64", prim.name());
                let bound = f64::from(prim.row().ulp) + 0.5;
                failures.extend(check(&what, &args, &got, &want, DType::F64, bound));
            }
        }
    }
    assert_none(failures);
}

/// Results near 0 are as exact as 1. From sixty digits.
#[test]
fn logaddexp_near_zero() {
    let cases = [
        (-LN_2, -LN_2, 2.3190468138462996e-17),
        (-0.75, -0.639, 1.8651554711624635e-4),
        (-0.25, -1.508691549844874, -8.822352614615974e-11),
        (-1.0, -0.45867514538708193, -2.3623976347736157e-17),
        (-3.0, -0.05106918, 8.957672394151411e-10),
    ];
    let bound = f64::from(Prim::LogAddExp.row().ulp) * f64::EPSILON;
    for (a, b, want) in cases {
        let (a, b) = ([Scalar::Float(a); 17], [Scalar::Float(b); 17]);
        for level in Level::available() {
            let args = [a.to_vec(), b.to_vec()];
            for got in run(level, Prim::LogAddExp, DType::F64, &args).expect("a kernel") {
                let got = got.to_f64();
                assert!(
                    (got - want).abs() <= bound,
                    "{level:?}: {got:e}, not {want:e}"
                );
            }
        }
    }
}

/// Relative to |result|, twice the bound of the real function.
#[test]
fn complex_numbers_match_sixty_digits() {
    let mut failures = vec![];
    let rows = known("complex", 2);
    for &prim in Prim::ALL {
        let rows: Vec<_> = rows.iter().filter(|r| r.0 == prim).collect();
        if rows.is_empty() {
            continue;
        }
        let pair = |x: &[f64]| Scalar::Complex(Complex::new(x[0], x[1]));
        let args = [rows.iter().map(|r| pair(&r.1)).collect::<Vec<_>>()];
        let want: Vec<Scalar> = rows.iter().map(|r| pair(&r.2)).collect();
        let got = run(Level::Base, prim, DType::C128, &args).expect("a kernel");
        let bound = 2.0 * f64::from(prim.row().ulp) + 1.0;
        failures.extend(check(prim.name(), &args, &got, &want, DType::C128, bound));
    }
    assert_none(failures);
}

/// Single precision against double, whose own error vanishes beside it; double against the library's
/// double, which may be off by two units itself; everything else must be equal.
#[test]
fn lanes_match_the_reference() {
    let mut failures = vec![];
    let mut random = Random(7);
    for &prim in Prim::ALL {
        for dtype in DType::ALL.into_iter().filter(|&d| accepted(prim, d)) {
            let args: Vec<Vec<Scalar>> = (0..prim.arity())
                .map(|k| {
                    let dtype = if prim == Prim::Select && k == 0 {
                        DType::Bool
                    } else {
                        dtype
                    };
                    (0..3001).map(|_| random.value(dtype)).collect()
                })
                .collect();
            let want: Vec<Scalar> = (0..3001)
                .map(|i| {
                    let operands: Vec<Scalar> = args.iter().map(|a| a[i]).collect();
                    reference::apply(prim, &operands, dtype)
                })
                .collect();
            let ulp = f64::from(prim.row().ulp);
            let bound = match dtype {
                DType::F64 if ulp > 0.0 => ulp + 2.0,
                DType::C64 | DType::C128 => ulp + 1.0,
                _ => ulp,
            };
            for level in Level::available() {
                let got = run(level, prim, dtype, &args).expect("a kernel");
                let what = format!("{level:?} {} {dtype}", prim.name());
                failures.extend(check(&what, &args, &got, &want, dtype, bound));
            }
        }
    }
    assert_none(failures);
}

#[test]
fn results_may_replace_an_operand() {
    let mut random = Random(3);
    let values: Vec<Scalar> = (0..1000).map(|_| random.value(DType::F32)).collect();
    for level in Level::available() {
        for prim in [Prim::Add, Prim::Sin, Prim::Exp, Prim::Pow] {
            let want = run(level, prim, DType::F32, &vec![values.clone(); prim.arity()])
                .expect("a kernel");
            let mut lanes = Lanes::new(DType::F32, &values);
            let at = lanes.bytes_mut();
            let kernel = kernel_at(level, prim, DType::F32).expect("a kernel");
            // SAFETY: all operands are the same 1000 elements, and so is the result.
            unsafe { kernel(at, at, at, std::ptr::null(), 1000) };
            for (got, want) in lanes.values().into_iter().zip(want) {
                assert_eq!(distance(got, want, DType::F32), 0.0, "{}", prim.name());
            }
        }
    }
}

#[test]
fn special_values_are_those_of_c99() {
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
    const INF: f64 = f64::INFINITY;
    const NAN: f64 = f64::NAN;
    let cases: &[(Prim, &[f64], f64)] = &[
        (Prim::Exp, &[-INF], 0.0),
        (Prim::Exp, &[INF], INF),
        (Prim::Exp, &[NAN], NAN),
        (Prim::Exp, &[-0.0], 1.0),
        (Prim::Exp, &[1e30], INF),
        (Prim::Exp, &[-1e30], 0.0),
        (Prim::Exp2, &[10.0], 1024.0),
        (Prim::Exp2, &[-INF], 0.0),
        (Prim::Expm1, &[-0.0], -0.0),
        (Prim::Expm1, &[-INF], -1.0),
        (Prim::Expm1, &[INF], INF),
        (Prim::Expm1, &[NAN], NAN),
        (Prim::Log, &[0.0], -INF),
        (Prim::Log, &[-0.0], -INF),
        (Prim::Log, &[-1.0], NAN),
        (Prim::Log, &[INF], INF),
        (Prim::Log, &[1.0], 0.0),
        (Prim::Log, &[NAN], NAN),
        (Prim::Log2, &[8.0], 3.0),
        (Prim::Log10, &[1000.0], 3.0),
        (Prim::Log2, &[0.0], -INF),
        (Prim::Log10, &[-INF], NAN),
        (Prim::Log2, &[INF], INF),
        (Prim::Log10, &[INF], INF),
        (Prim::Log1p, &[-1.0], -INF),
        (Prim::Log1p, &[-0.0], -0.0),
        (Prim::Log1p, &[INF], INF),
        (Prim::Log1p, &[-2.0], NAN),
        (Prim::Log1p, &[NAN], NAN),
        (Prim::LogAddExp, &[INF, INF], INF),
        (Prim::LogAddExp, &[-INF, -INF], -INF),
        (Prim::LogAddExp, &[-INF, 1.0], 1.0),
        (Prim::LogAddExp, &[NAN, 1.0], NAN),
        (Prim::LogAddExp, &[1.0, NAN], NAN),
        (Prim::Sin, &[-0.0], -0.0),
        (Prim::Sin, &[INF], NAN),
        (Prim::Cos, &[-INF], NAN),
        (Prim::Cos, &[0.0], 1.0),
        (Prim::Tan, &[-0.0], -0.0),
        (Prim::Tan, &[INF], NAN),
        (Prim::Sin, &[NAN], NAN),
        (Prim::Asin, &[-0.0], -0.0),
        (Prim::Asin, &[1.5], NAN),
        (Prim::Asin, &[1.0], FRAC_PI_2),
        (Prim::Acos, &[1.0], 0.0),
        (Prim::Acos, &[-1.0], PI),
        (Prim::Acos, &[-1.5], NAN),
        (Prim::Atan, &[-0.0], -0.0),
        (Prim::Atan, &[-INF], -FRAC_PI_2),
        (Prim::Atan2, &[0.0, -0.0], PI),
        (Prim::Atan2, &[-0.0, -0.0], -PI),
        (Prim::Atan2, &[-0.0, 0.0], -0.0),
        (Prim::Atan2, &[INF, INF], FRAC_PI_4),
        (Prim::Atan2, &[-INF, -INF], -3.0 * FRAC_PI_4),
        (Prim::Atan2, &[1.0, -INF], PI),
        (Prim::Atan2, &[1.0, INF], 0.0),
        (Prim::Atan2, &[-INF, 1.0], -FRAC_PI_2),
        (Prim::Atan2, &[NAN, 1.0], NAN),
        (Prim::Atan2, &[-1.0, 0.0], -FRAC_PI_2),
        (Prim::Atan2, &[0.0, 3.0], 0.0),
        (Prim::Sinh, &[-0.0], -0.0),
        (Prim::Sinh, &[-INF], -INF),
        (Prim::Cosh, &[-INF], INF),
        (Prim::Tanh, &[-INF], -1.0),
        (Prim::Tanh, &[-0.0], -0.0),
        (Prim::Tanh, &[NAN], NAN),
        (Prim::Asinh, &[-INF], -INF),
        (Prim::Asinh, &[-0.0], -0.0),
        (Prim::Acosh, &[1.0], 0.0),
        (Prim::Acosh, &[0.5], NAN),
        (Prim::Acosh, &[INF], INF),
        (Prim::Atanh, &[1.0], INF),
        (Prim::Atanh, &[-1.0], -INF),
        (Prim::Atanh, &[1.5], NAN),
        (Prim::Atanh, &[-0.0], -0.0),
        (Prim::Erf, &[-0.0], -0.0),
        (Prim::Erf, &[INF], 1.0),
        (Prim::Erf, &[-INF], -1.0),
        (Prim::Erf, &[NAN], NAN),
        (Prim::Erfc, &[INF], 0.0),
        (Prim::Erfc, &[-INF], 2.0),
        (Prim::Erfc, &[0.0], 1.0),
        (Prim::Erfc, &[NAN], NAN),
        (Prim::Hypot, &[-INF, NAN], INF),
        (Prim::Hypot, &[3.0, 4.0], 5.0),
        (Prim::Hypot, &[NAN, 1.0], NAN),
        (Prim::Pow, &[0.0, 0.0], 1.0),
        (Prim::Pow, &[NAN, 0.0], 1.0),
        (Prim::Pow, &[1.0, NAN], 1.0),
        (Prim::Pow, &[-2.0, 3.0], -8.0),
        (Prim::Pow, &[-2.0, 0.5], NAN),
        (Prim::Pow, &[-0.0, -3.0], -INF),
        (Prim::Pow, &[-0.0, 2.0], 0.0),
        (Prim::Pow, &[-1.0, INF], 1.0),
        (Prim::Pow, &[0.5, -INF], INF),
        (Prim::Pow, &[-INF, 3.0], -INF),
        (Prim::FloorDiv, &[-7.0, 2.0], -4.0),
        (Prim::FloorDiv, &[1.0, 0.0], INF),
        (Prim::FloorDiv, &[0.0, 0.0], NAN),
        (Prim::FloorDiv, &[1.0, -INF], -1.0),
        (Prim::FloorDiv, &[-0.0, 2.0], -0.0),
        (Prim::FloorDiv, &[INF, 2.0], INF),
        (Prim::Rem, &[-7.0, 2.0], 1.0),
        (Prim::Rem, &[7.0, -2.0], -1.0),
        (Prim::Rem, &[1.0, -INF], -INF),
        (Prim::Rem, &[1.0, INF], 1.0),
        (Prim::Rem, &[-4.0, 2.0], 0.0),
        (Prim::Rem, &[4.0, -2.0], -0.0),
        (Prim::Rem, &[1.0, 0.0], NAN),
        (Prim::Rem, &[INF, 2.0], NAN),
        (Prim::Min, &[NAN, 1.0], NAN),
        (Prim::Max, &[1.0, NAN], NAN),
        (Prim::Sign, &[NAN], NAN),
        (Prim::Sign, &[-3.0], -1.0),
        (Prim::Round, &[2.5], 2.0),
        (Prim::Round, &[-0.5], -0.0),
        (Prim::Floor, &[-0.5], -1.0),
        (Prim::Ceil, &[-0.5], -0.0),
        (Prim::Trunc, &[-1.5], -1.0),
        (Prim::NextAfter, &[1.0, 1.0], 1.0),
        (Prim::NextAfter, &[NAN, 1.0], NAN),
    ];
    for level in Level::available() {
        for dtype in [DType::F32, DType::F64] {
            for &(prim, args, want) in cases {
                let operands: Vec<Vec<Scalar>> =
                    args.iter().map(|&x| vec![Scalar::Float(x); 17]).collect();
                let want = Scalar::Float(want).cast(dtype).to_f64();
                for got in run(level, prim, dtype, &operands).expect("a kernel") {
                    let got = got.to_f64();
                    let close =
                        distance(got.into(), want.into(), dtype) <= f64::from(prim.row().ulp);
                    let same_zero = want != 0.0
                        || got == 0.0 && got.is_sign_negative() == want.is_sign_negative();
                    assert!(
                        close && same_zero,
                        "{level:?} {} {args:?} {dtype}: {got}, not {want}",
                        prim.name()
                    );
                }
            }
        }
    }
}

#[test]
fn complex_special_values_are_those_of_annex_g() {
    const INF: f64 = f64::INFINITY;
    const NAN: f64 = f64::NAN;
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
    type Case = (Prim, (f64, f64), (f64, f64));
    let cases: &[Case] = &[
        (Prim::Sqrt, (-4.0, 0.0), (0.0, 2.0)),
        (Prim::Sqrt, (-4.0, -0.0), (0.0, -2.0)),
        (Prim::Sqrt, (NAN, INF), (INF, INF)),
        (Prim::Sqrt, (-INF, 1.0), (0.0, INF)),
        (Prim::Sqrt, (INF, -1.0), (INF, -0.0)),
        (Prim::Sqrt, (-0.0, 0.0), (0.0, 0.0)),
        (Prim::Exp, (-INF, 3.0), (-0.0, 0.0)),
        (Prim::Exp, (INF, 0.0), (INF, 0.0)),
        (Prim::Exp, (0.0, INF), (NAN, NAN)),
        (Prim::Exp, (INF, INF), (INF, NAN)),
        (Prim::Exp, (NAN, 0.0), (NAN, 0.0)),
        (Prim::Log, (-0.0, 0.0), (-INF, PI)),
        (Prim::Log, (0.0, 0.0), (-INF, 0.0)),
        (Prim::Log, (-INF, INF), (INF, 3.0 * FRAC_PI_4)),
        (Prim::Log, (NAN, INF), (INF, NAN)),
        (Prim::Log, (-1.0, -0.0), (0.0, -PI)),
        (Prim::Sinh, (0.0, INF), (0.0, NAN)),
        (Prim::Sinh, (INF, INF), (INF, NAN)),
        (Prim::Cosh, (INF, INF), (INF, NAN)),
        (Prim::Cosh, (0.0, 0.0), (1.0, 0.0)),
        (Prim::Tanh, (INF, 1.0), (1.0, 0.0)),
        (Prim::Tanh, (1.0, INF), (NAN, NAN)),
        (Prim::Asin, (2.0, 0.0), (FRAC_PI_2, 1.316_957_896_924_816_6)),
        (
            Prim::Asin,
            (2.0, -0.0),
            (FRAC_PI_2, -1.316_957_896_924_816_6),
        ),
        (Prim::Acos, (2.0, 0.0), (0.0, -1.316_957_896_924_816_6)),
        (Prim::Acos, (-INF, 1.0), (PI, -INF)),
        (Prim::Acos, (INF, INF), (FRAC_PI_4, -INF)),
        (Prim::Acosh, (0.0, 0.0), (0.0, FRAC_PI_2)),
        (Prim::Acosh, (-INF, 1.0), (INF, PI)),
        (Prim::Acosh, (-2.0, -0.0), (1.316_957_896_924_816_6, -PI)),
        (Prim::Asinh, (INF, INF), (INF, FRAC_PI_4)),
        (Prim::Asinh, (1.0, INF), (INF, FRAC_PI_2)),
        (Prim::Asinh, (NAN, 0.0), (NAN, 0.0)),
        (
            Prim::Asinh,
            (0.0, 2.0),
            (1.316_957_896_924_816_6, FRAC_PI_2),
        ),
        (Prim::Atanh, (1.0, 0.0), (INF, 0.0)),
        (Prim::Atanh, (INF, 1.0), (0.0, FRAC_PI_2)),
        (Prim::Atanh, (0.0, INF), (0.0, FRAC_PI_2)),
        (Prim::Recip, (INF, 1.0), (0.0, 0.0)),
        (Prim::Sign, (0.0, 0.0), (0.0, 0.0)),
        (Prim::Sign, (3.0, 4.0), (0.6, 0.8)),
        (
            Prim::Sqrt,
            (1e308, 1e308),
            (1.098_684_113_467_809_9e154, 4.550_898_605_622_274e153),
        ),
    ];
    for &(prim, (x, y), (u, v)) in cases {
        let got = run(
            Level::Base,
            prim,
            DType::C128,
            &[vec![Scalar::Complex(Complex::new(x, y))]],
        )
        .expect("a kernel")[0]
            .to_complex();
        for (got, want) in [(got.re, u), (got.im, v)] {
            let near = distance(got.into(), want.into(), DType::F64) <= 2.0;
            assert!(
                near && (want.is_nan() || got.is_sign_negative() == want.is_sign_negative()),
                "{}({x}, {y}) has {got}, not {want}",
                prim.name()
            );
        }
    }
}

/// Zeros, limits and ties of every type.
fn cast_edges(from: DType) -> Vec<Scalar> {
    let floats = [
        0.0,
        -0.0,
        0.5,
        1.0,
        -1.0,
        1.5,
        2.5,
        -2.5,
        127.5,
        128.0,
        255.9,
        256.0,
        -128.9,
        -129.0,
        32767.5,
        65504.0,
        65519.9,
        65520.0,
        65536.0,
        2147483647.0,
        2147483648.0,
        -2147483649.0,
        4294967296.0,
        9.3e18,
        1.9e19,
        -9.3e18,
        1e30,
        3.4e38,
        3.5e38,
        1e300,
        1e-3,
        6.1e-5,
        6.0e-8,
        2.98e-8,
        2.9e-8,
        1e-40,
        1e-310,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        1.0 + 1.0 / 2048.0,
        1.0 + 3.0 / 2048.0,
        1.0 + 1.0 / 2048.0 + 1e-12,
        1.0 + 1.0 / 256.0,
        1.0 + 3.0 / 256.0,
        1.0 + 1.0 / 256.0 + 1e-13,
        1.0 + 1.0 / 256.0 - 1e-13,
        16777217.0,
        0.1,
    ];
    let integers = [
        0,
        1,
        -1,
        2,
        127,
        128,
        -128,
        255,
        256,
        32767,
        -32768,
        65535,
        65536,
        2147483647,
        -2147483648,
        4294967295,
        16777217,
        9007199254740993,
        9223372036854775807,
        -9223372036854775808,
        18446744073709551615,
        36028799166447617,
    ];
    let kinds = floats
        .map(Scalar::Float)
        .into_iter()
        .chain(integers.map(Scalar::Int));
    let complex = floats
        .iter()
        .map(|&y| Scalar::Complex(Complex::new(0.0, y)));
    kinds.chain(complex).map(|x| x.cast(from)).collect()
}

#[test]
fn casts_agree_with_scalars_on_all_pairs() {
    let mut random = Random(11);
    for from in DType::ALL {
        let mut values = cast_edges(from);
        values.extend((0..500).map(|_| random.value(from)));
        for to in DType::ALL {
            for level in Level::available() {
                let source = Lanes::new(from, &values);
                let mut target = Lanes::zeroed(to, values.len());
                let none = std::ptr::null();
                // SAFETY: both sides have one element for each value.
                unsafe {
                    cast_at(level, from, to)(
                        target.bytes_mut(),
                        source.bytes(),
                        none,
                        none,
                        values.len(),
                    )
                };
                for (value, got) in values.iter().zip(target.values()) {
                    let want = value.cast(to);
                    let same = distance(got, want, to) == 0.0;
                    assert!(
                        same,
                        "{level:?} {from} {value:?} to {to}: {got:?}, not {want:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn folds_agree_with_plain_loops_and_between_levels() {
    let mut random = Random(5);
    for dtype in DType::ALL.into_iter().filter(|d| !d.is_half()) {
        for n in [1, 2, 31, 32, 33, 100, 1000, 2500] {
            let values: Vec<Scalar> = (0..n)
                .map(|_| {
                    if dtype.is_integer() {
                        random.value(dtype)
                    } else {
                        Scalar::Float(random.unit() + 0.5).cast(dtype)
                    }
                })
                .collect();
            let lanes = Lanes::new(dtype, &values);
            for (kind, prim) in [
                (Fold::Sum, Prim::Add),
                (Fold::Prod, Prim::Mul),
                (Fold::Min, Prim::Min),
                (Fold::Max, Prim::Max),
            ] {
                let partial = match (kind, dtype.kind()) {
                    (Fold::Min | Fold::Max, _) => dtype,
                    (_, syntonic_core::Kind::Unsigned) => DType::U64,
                    (_, syntonic_core::Kind::Float) => DType::F64,
                    (_, syntonic_core::Kind::Complex) => DType::C128,
                    _ => DType::I64,
                };
                let mut first = None;
                for level in Level::available() {
                    let Some(fold) = fold_at(level, kind, dtype) else {
                        assert!(
                            matches!(kind, Fold::Min | Fold::Max)
                                && (dtype.is_bool() || dtype.is_complex())
                        );
                        continue;
                    };
                    let mut out = Lanes::zeroed(partial, 1);
                    // SAFETY: `n >= 1` elements to read and room for one partial value.
                    unsafe { (fold.whole)(out.bytes_mut(), lanes.bytes(), std::ptr::null(), n) };
                    let got = out.values()[0];
                    let want = values[1..].iter().fold(values[0].cast(partial), |acc, &x| {
                        reference::apply(prim, &[acc, x.cast(partial)], partial)
                    });
                    // Both sides round up to n times, and sums three times as narrow as the items, which
                    // in single precision is half a unit of 2^29 of the partial value's.
                    let narrow = matches!(dtype, DType::F32 | DType::C64) && kind == Fold::Sum;
                    let bound = match (partial.is_inexact(), narrow) {
                        (true, true) => 2.0 * n as f64 + 3.0 * f64::from(1 << 29),
                        (true, false) => 2.0 * n as f64,
                        (false, _) => 0.0,
                    };
                    assert!(
                        distance(got, want, partial) <= bound,
                        "{kind:?} {dtype} {n}: {got:?}, not {want:?}"
                    );
                    assert_eq!(
                        *first.get_or_insert(got),
                        got,
                        "{kind:?} {dtype} {n} at {level:?}"
                    );
                }
            }
            for level in Level::available() {
                for kind in [Fold::Any, Fold::All] {
                    let fold = fold_at(level, kind, dtype).expect("a fold");
                    let mut out = Lanes::zeroed(DType::Bool, 1);
                    // SAFETY: as above.
                    unsafe { (fold.whole)(out.bytes_mut(), lanes.bytes(), std::ptr::null(), n) };
                    let want = match kind {
                        Fold::Any => values.iter().any(|v| v.to_bool()),
                        _ => values.iter().all(|v| v.to_bool()),
                    };
                    assert_eq!(out.values()[0], Scalar::Bool(want), "{kind:?} {dtype} {n}");
                }
            }
        }
    }
}

/// The partial value of a fold whose terms come in pieces of these lengths.
fn in_pieces(fold: FoldKernel, a: &Lanes, b: &Lanes, pieces: &[usize], partial: DType) -> Scalar {
    let (mut begun, mut out) = (Begun::new(), Lanes::zeroed(partial, 1));
    let mut at = 0;
    for &n in pieces {
        let element = |lanes: &Lanes| lanes.bytes().wrapping_add(at * lanes.dtype.size());
        // SAFETY: the pieces together are all the elements.
        unsafe { (fold.feed)(&mut begun, element(a), element(b), n) };
        at += n;
    }
    // SAFETY: room for one partial value, and something was fed.
    unsafe { (fold.close)(&begun, out.bytes_mut()) };
    out.values()[0]
}

#[test]
fn a_fold_in_pieces_has_the_bits_of_the_whole() {
    let mut random = Random(13);
    let pieces: [&[usize]; 6] = [
        &[1],
        &[1, 127, 1],
        &[128, 128, 5],
        &[100, 27, 200, 1, 1, 300],
        &[784, 784, 784],
        &[5, 4096, 33],
    ];
    for dtype in DType::ALL.into_iter().filter(|d| !d.is_half()) {
        for pieces in pieces {
            let n = pieces.iter().sum();
            let values: Vec<Scalar> = (0..n)
                .map(|_| Scalar::Float(random.unit() - 0.5).cast(dtype))
                .collect();
            let lanes = Lanes::new(dtype, &values);
            for level in Level::available() {
                for kind in [
                    Fold::Sum,
                    Fold::Prod,
                    Fold::Min,
                    Fold::Max,
                    Fold::Any,
                    Fold::All,
                ] {
                    let Some(fold) = fold_at(level, kind, dtype) else {
                        continue;
                    };
                    let partial = match partial_size(kind, dtype) {
                        1 => DType::U8,
                        size if size == dtype.size() => dtype,
                        16 => DType::C128,
                        _ if dtype.is_float() => DType::F64,
                        _ => DType::I64,
                    };
                    let mut whole = Lanes::zeroed(partial, 1);
                    // SAFETY: `n >= 1` elements to read and room for one partial value.
                    unsafe {
                        (fold.whole)(whole.bytes_mut(), lanes.bytes(), std::ptr::null(), n);
                    }
                    let got = in_pieces(fold, &lanes, &lanes, pieces, partial);
                    assert_eq!(
                        got,
                        whole.values()[0],
                        "{kind:?} {dtype} {pieces:?} at {level:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn sums_of_terms_have_the_bits_of_their_steps() {
    let mut random = Random(9);
    let none = std::ptr::null();
    let terms = [
        Term::Value,
        Term::Product,
        Term::SquaredDifference,
        Term::SquaredDeviation,
        Term::Deviation,
        Term::Multiple,
    ];
    let beside_number = |term| {
        use Term::{Deviation, Multiple, SquaredDeviation};
        [SquaredDeviation, Deviation, Multiple].contains(&term)
    };
    for dtype in [DType::F32, DType::F64] {
        for n in [1, 7, 16, 100, 784, 3000] {
            let mut draw = || -> Vec<Scalar> { (0..n).map(|_| random.value(dtype)).collect() };
            let (a, b) = (Lanes::new(dtype, &draw()), draw());
            let centres = Lanes::new(dtype, &vec![b[0]; n]);
            let b = Lanes::new(dtype, &b);
            for (level, term) in Level::available().flat_map(|l| terms.map(|t| (l, t))) {
                let mut steps = Lanes::zeroed(dtype, n);
                let mut sums = [DType::F64; 2].map(|d| Lanes::zeroed(d, 1));
                let kernel = |prim| kernel_at(level, prim, dtype).expect("a kernel");
                let [joined, stepped] = &mut sums;
                let joint = sum_at(level, term, dtype).expect("a kernel");
                let plain = fold_at(level, Fold::Sum, dtype).expect("a fold");
                let other = if beside_number(term) { &centres } else { &b };
                let to = steps.bytes_mut();
                // SAFETY: `n` elements on each side and room for one partial value.
                unsafe {
                    (joint.whole)(joined.bytes_mut(), a.bytes(), other.bytes(), n);
                    match term {
                        Term::Value => to.copy_from_nonoverlapping(a.bytes(), n * dtype.size()),
                        Term::Product | Term::Multiple => {
                            kernel(Prim::Mul)(to, a.bytes(), other.bytes(), none, n);
                        }
                        Term::Deviation => kernel(Prim::Sub)(to, a.bytes(), other.bytes(), none, n),
                        _ => {
                            kernel(Prim::Sub)(to, a.bytes(), other.bytes(), none, n);
                            kernel(Prim::Square)(to, to, none, none, n);
                        }
                    }
                    (plain.whole)(stepped.bytes_mut(), to, none, n);
                }
                let (got, want) = (joined.values()[0], stepped.values()[0]);
                let same = distance(got, want, DType::F64) == 0.0;
                let what = format!("{term:?} {dtype} {n} at {level:?}");
                assert!(same, "{what}: {got:?}, not {want:?}");
                if !beside_number(term) {
                    let halves = [n / 2, n - n / 2];
                    let pieces = if n > 1 { &halves[..] } else { &[1] };
                    let pieced = in_pieces(joint, &a, other, pieces, DType::F64);
                    assert!(
                        distance(pieced, got, DType::F64) == 0.0,
                        "{what}, in pieces"
                    );
                }
            }
        }
    }
    assert!(sum_at(Level::current(), Term::Product, DType::C64).is_none());
}

#[test]
fn a_number_beside_elements_is_that_number_repeated() {
    let mut random = Random(17);
    let none = std::ptr::null();
    for dtype in [DType::F32, DType::F64] {
        for (prim, n) in [Prim::Add, Prim::Sub, Prim::Mul, Prim::Div]
            .into_iter()
            .flat_map(|p| [1, 7, 64, 333].map(|n| (p, n)))
        {
            let values: Vec<Scalar> = (0..n).map(|_| random.value(dtype)).collect();
            let number = random.value(dtype);
            let elements = Lanes::new(dtype, &values);
            let numbers = Lanes::new(dtype, &vec![number; n]);
            for level in Level::available() {
                let kernel = kernel_at(level, prim, dtype).expect("a kernel");
                for place in [Place::First, Place::Second] {
                    let beside = kernel_beside_at(level, prim, dtype, place).expect("a kernel");
                    let (a, b) = match place {
                        Place::First => (&numbers, &elements),
                        Place::Second => (&elements, &numbers),
                    };
                    let mut got = Lanes::zeroed(dtype, n);
                    let mut want = Lanes::zeroed(dtype, n);
                    // SAFETY: `n` elements on each side.
                    unsafe {
                        beside(got.bytes_mut(), a.bytes(), b.bytes(), none, n);
                        kernel(want.bytes_mut(), a.bytes(), b.bytes(), none, n);
                    }
                    for (k, (got, want)) in got.values().into_iter().zip(want.values()).enumerate()
                    {
                        let same = distance(got, want, dtype) == 0.0;
                        assert!(
                            same,
                            "{prim:?} {dtype} {place:?} {k}: {got:?}, not {want:?}"
                        );
                    }
                }
            }
        }
    }
    let none = kernel_beside_at(Level::current(), Prim::Exp, DType::F32, Place::First);
    assert!(none.is_none());
}

#[test]
fn extremes_are_found_first_and_nan_wins() {
    for (kind, values, value, index) in [
        (ArgFold::Max, vec![1.0, 7.0, 3.0, 7.0], 7.0, 1),
        (ArgFold::Min, vec![1.0, 7.0, 1.0], 1.0, 0),
        (
            ArgFold::Max,
            vec![1.0, f64::NAN, 9.0, f64::NAN],
            f64::NAN,
            1,
        ),
        (ArgFold::Min, vec![f64::INFINITY; 70], f64::INFINITY, 0),
    ] {
        for dtype in [DType::F32, DType::F64] {
            let scalars: Vec<Scalar> = values.iter().map(|&x| x.into()).collect();
            let lanes = Lanes::new(dtype, &scalars);
            let mut out = Lanes::zeroed(dtype, 1);
            let mut at = -1i64;
            // SAFETY: room for one value and one index; as many elements as there are values.
            unsafe {
                arg_fold(kind, dtype).expect("a fold")(
                    out.bytes_mut(),
                    &mut at,
                    lanes.bytes(),
                    values.len(),
                )
            };
            assert_eq!(at, index);
            assert_eq!(distance(out.values()[0], Scalar::Float(value), dtype), 0.0);
        }
    }
    assert!(arg_fold(ArgFold::Min, DType::C64).is_none());
}

/// Rows side by side, around the number that are taken at once: exact values, so that every order agrees.
#[test]
fn folds_across_rows_match_folds_of_columns() {
    let mut random = Random(11);
    let folds = [
        Fold::Sum,
        Fold::Prod,
        Fold::Min,
        Fold::Max,
        Fold::Any,
        Fold::All,
    ];
    for level in Level::available() {
        for dtype in DType::ALL.into_iter().filter(|d| !d.is_half()) {
            for kind in folds {
                let Some(across) = across_at(level, kind, dtype) else {
                    assert!(fold_at(level, kind, dtype).is_none());
                    continue;
                };
                let column = fold_at(level, kind, dtype).expect("a kernel of both kinds");
                for (steps, n, gap) in [(0, 3, 0), (1, 70, 0), (7, 33, 5), (8, 64, 0), (29, 19, 2)]
                {
                    let width = n + gap;
                    let values: Vec<Scalar> = (0..steps * width)
                        .map(|_| Scalar::Int(i128::from(random.bits() % 2)))
                        .collect();
                    let rows = Lanes::new(dtype, &values);
                    let mut got = start(kind, dtype, n);
                    // SAFETY: `steps` rows of `n` elements, `width` apart, and `n` partial values.
                    unsafe {
                        across(
                            got.as_mut_ptr().cast(),
                            rows.bytes(),
                            (width * dtype.size()) as isize,
                            steps,
                            n,
                        )
                    };
                    for lane in 0..n {
                        let mut one = vec![Scalar::Int(neutral(kind))];
                        one.extend((0..steps).map(|s| values[s * width + lane]));
                        let one_column = Lanes::new(dtype, &one);
                        let mut want = [0u128; 1];
                        // SAFETY: at least one element, and room for one partial value.
                        unsafe {
                            (column.whole)(
                                want.as_mut_ptr().cast(),
                                one_column.bytes(),
                                std::ptr::null(),
                                one.len(),
                            );
                        }
                        let size = partial_size(kind, dtype);
                        let bytes = |at: &[u128], k: usize| -> Vec<u8> {
                            // SAFETY: partial value `k` lies inside the slice.
                            unsafe {
                                std::slice::from_raw_parts(
                                    at.as_ptr().cast::<u8>().add(k * size),
                                    size,
                                )
                            }
                            .to_vec()
                        };
                        assert_eq!(
                            bytes(&got, lane),
                            bytes(&want, 0),
                            "{level:?} {kind:?} {dtype}, {steps} steps, lane {lane}"
                        );
                    }
                }
            }
        }
    }
}

/// An element that changes none of the folds' results over zeros and ones.
fn neutral(kind: Fold) -> i128 {
    i128::from(matches!(kind, Fold::Prod | Fold::Min | Fold::All))
}

fn partial_size(kind: Fold, dtype: DType) -> usize {
    let fold = match kind {
        Fold::Sum => syntonic_core::fuse::Fold::Sum,
        Fold::Prod => syntonic_core::fuse::Fold::Prod,
        Fold::Min | Fold::Max => return dtype.size(),
        Fold::Any | Fold::All => return 1,
    };
    fold.accumulator(dtype).size()
}

/// `n` partial values of the neutral element, packed.
fn start(kind: Fold, dtype: DType, n: usize) -> Vec<u128> {
    let size = partial_size(kind, dtype);
    let mut all = vec![0u128; (n * size).div_ceil(16)];
    let one = Lanes::new(dtype, &[Scalar::Int(neutral(kind))]);
    let column = fold_at(Level::Base, kind, dtype).expect("a kernel");
    for lane in 0..n {
        // SAFETY: one element, and room for partial value `lane`.
        unsafe {
            (column.whole)(
                all.as_mut_ptr().cast::<u8>().add(lane * size),
                one.bytes(),
                std::ptr::null(),
                1,
            )
        };
    }
    all
}
