//! Every product beside its definition: the triple loop, over all numeric dtypes, layouts, and shapes with odd ends.

use super::*;
use syntonic_core::layout::broadcast_pair;
use syntonic_core::num_complex::Complex;
use syntonic_core::{DType, Result, Scalar, Tensor};

pub(super) type C = Complex<f64>;

/// How an operand lies in memory.
#[derive(Clone, Copy, Debug)]
pub(super) enum Lies {
    RowMajor,
    Transposed,
    Strided,
    Negative,
    Repeated,
}

pub(super) const LAYOUTS: [Lies; 5] = [
    Lies::RowMajor,
    Lies::Transposed,
    Lies::Strided,
    Lies::Negative,
    Lies::Repeated,
];

/// Multiples of 1/8 between -2 and 2, which every floating type holds; whole numbers for integers.
pub(super) fn drawn(dtype: DType, shape: &[usize], seed: u64) -> Tensor {
    let part = |i: usize, by: u64| {
        let mixed = (i as u64 + 1).wrapping_mul(seed * 2 + by);
        let number = (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) % 33;
        (number as f64 - 16.0) / if dtype.is_integer() { 1.0 } else { 8.0 }
    };
    let count: usize = shape.iter().product();
    let all: Vec<C> = (0..count).map(|i| C::new(part(i, 1), part(i, 7))).collect();
    let x = Tensor::from_vec(all, shape).unwrap();
    let x = if dtype.is_complex() {
        x
    } else {
        x.real().unwrap()
    };
    x.cast(dtype).unwrap().eval().unwrap()
}

/// A stack of matrices of this shape that lies in this way.
pub(super) fn operand(dtype: DType, shape: &[usize], lies: Lies, seed: u64) -> Tensor {
    let mut stored = shape.to_vec();
    let last = stored.len() - 1;
    match lies {
        Lies::RowMajor => drawn(dtype, shape, seed),
        Lies::Transposed => {
            stored.swap(last - 1, last);
            drawn(dtype, &stored, seed).transpose(-1, -2).unwrap()
        }
        Lies::Strided => {
            stored[last] *= 2;
            stored[last - 1] *= 3;
            let x = drawn(dtype, &stored, seed);
            x.slice(-1, None, None, 2)
                .unwrap()
                .slice(-2, None, None, 3)
                .unwrap()
        }
        Lies::Negative => drawn(dtype, shape, seed).flip(&[-2, -1]).unwrap(),
        Lies::Repeated => {
            stored[last - 1] = stored[last - 1].min(1);
            drawn(dtype, &stored, seed).broadcast_to(shape).unwrap()
        }
    }
}

/// One product in a sum of products.
#[derive(Clone, Copy)]
struct Term {
    by: C,
    ops: [Op; 2],
    /// BA in place of AB.
    swapped: bool,
    weighted: bool,
}

fn term(by: impl Into<C>) -> Term {
    Term {
        by: by.into(),
        ops: [Op::None; 2],
        swapped: false,
        weighted: false,
    }
}

/// What becomes of the dtype of the operands.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Same,
    Inexact,
    Complex,
}

struct Case {
    name: &'static str,
    run: fn(&Tensor, &Tensor) -> Result<Tensor>,
    kind: Kind,
    terms: Vec<Term>,
}

fn cases() -> Vec<Case> {
    use Kind::{Inexact, Same};
    use Op::{Adjoint, None, Transpose};
    let case = |name, run, kind, terms| Case {
        name,
        run,
        kind,
        terms,
    };
    let one = |ops| vec![Term { ops, ..term(1.0) }];
    let phi = 1.618_033_988_749_894_9f64;
    let swapped = |by: f64| Term {
        swapped: true,
        ..term(by)
    };
    let angle = 5.0 * std::f64::consts::PI / phi;
    vec![
        case("mm", mm, Same, one([None, None])),
        case("mm_tn", mm_tn, Same, one([Transpose, None])),
        case("mm_nt", mm_nt, Same, one([None, Transpose])),
        case("mm_tt", mm_tt, Same, one([Transpose, Transpose])),
        case("mm_hn", mm_hn, Same, one([Adjoint, None])),
        case("mm_nh", mm_nh, Same, one([None, Adjoint])),
        case(
            "mm_gemm of whole factors",
            |a, b| mm_gemm(a, b, Adjoint, Transpose, 2, 7, Option::None),
            Same,
            vec![Term {
                ops: [Adjoint, Transpose],
                ..term(2.0)
            }],
        ),
        case(
            "mm_gemm",
            |a, b| mm_gemm(a, b, Transpose, Adjoint, 0.25, 0, Option::None),
            Inexact,
            vec![Term {
                ops: [Transpose, Adjoint],
                ..term(0.25)
            }],
        ),
        case(
            "mm_phi",
            |a, b| mm_phi(a, b, 3),
            Inexact,
            vec![term(phi.powi(3))],
        ),
        case(
            "mm_phi of a negative power",
            |a, b| mm_phi(a, b, -7),
            Inexact,
            vec![term(phi.powi(-7))],
        ),
        case(
            "phi_bracket",
            phi_bracket,
            Inexact,
            vec![term(1.0), swapped(-1.0 / phi)],
        ),
        case(
            "phi_antibracket",
            phi_antibracket,
            Inexact,
            vec![term(1.0), swapped(1.0 / phi)],
        ),
        case(
            "mm_corrected",
            |a, b| mm_corrected(a, b, Structure::E8Rank, Sign::Minus),
            Inexact,
            vec![term(0.996_575_606_635_038)],
        ),
        case(
            "mm_q_corrected",
            |a, b| mm_q_corrected(a, b, 0.5, Sign::Plus),
            Inexact,
            vec![term(1.0 + 2.0 * 0.027_395_146_919_696_147)],
        ),
        case(
            "mm_golden_phase",
            |a, b| mm_golden_phase(a, b, 5),
            Kind::Complex,
            vec![term(C::new(angle.cos(), angle.sin()))],
        ),
        case(
            "mm_golden_weighted",
            mm_golden_weighted,
            Inexact,
            vec![Term {
                weighted: true,
                ..term(1.0)
            }],
        ),
    ]
}

/// Shapes of A and B: odd ends, single elements, nothing, no inner axis, stacks that broadcast, panels.
const SHAPES: [([usize; 4], [usize; 4]); 8] = [
    ([1, 1, 5, 5], [1, 1, 5, 5]),
    ([1, 1, 1, 1], [1, 1, 1, 1]),
    ([1, 1, 0, 0], [1, 1, 0, 0]),
    ([2, 1, 4, 4], [1, 3, 4, 4]),
    ([1, 1, 37, 37], [1, 1, 37, 37]),
    ([1, 1, 5, 7], [1, 1, 7, 3]),
    ([1, 1, 3, 0], [1, 1, 0, 2]),
    ([2, 1, 2, 60], [1, 1, 60, 9]),
];

/// `op(x)`, as its elements in row-major order for each matrix of a stack broadcast to `lead`.
fn elements(x: &Tensor, op: Op, lead: &[usize]) -> Vec<C> {
    let x = match op {
        Op::None => x.clone(),
        Op::Transpose | Op::Adjoint => x.transpose(-1, -2).unwrap(),
    };
    let mut shape = lead.to_vec();
    shape.extend_from_slice(&x.shape()[x.ndim() - 2..]);
    let all = x.broadcast_to(&shape).unwrap().to_vec::<C>().unwrap();
    match op {
        Op::Adjoint => all.iter().map(|z| z.conj()).collect(),
        _ => all,
    }
}

/// Values of the sum, and of the sum of magnitudes.
fn definition(terms: &[Term], a: &Tensor, b: &Tensor) -> Vec<(C, f64)> {
    let lead = broadcast_pair(&a.shape()[..a.ndim() - 2], &b.shape()[..b.ndim() - 2]).unwrap();
    let mut sums: Vec<(C, f64)> = Vec::new();
    for t in terms {
        let (left, right) = if t.swapped { (b, a) } else { (a, b) };
        let (x, y) = (
            elements(left, t.ops[0], &lead),
            elements(right, t.ops[1], &lead),
        );
        let side = |m: &Tensor, op: Op| {
            let ends = [m.shape()[m.ndim() - 2], m.shape()[m.ndim() - 1]];
            if op == Op::None {
                ends
            } else {
                [ends[1], ends[0]]
            }
        };
        let ([m, k], [_, n]) = (side(left, t.ops[0]), side(right, t.ops[1]));
        let stack: usize = lead.iter().product();
        sums.resize(stack * m * n, (C::default(), 0.0));
        for (at, sum) in sums.iter_mut().enumerate() {
            let (s, i, j) = (at / (m * n), at / n % m, at % n);
            for l in 0..k {
                let weight = if t.weighted { golden_weight(l) } else { 1.0 };
                let product = t.by * x[(s * m + i) * k + l] * y[(s * k + l) * n + j] * weight;
                *sum = (sum.0 + product, sum.1 + product.norm());
            }
        }
    }
    sums
}

/// Half a unit in the last place of 1.
pub(super) fn unit(dtype: DType) -> f64 {
    match dtype.real() {
        DType::F16 => 2f64.powi(-11),
        DType::BF16 => 2f64.powi(-8),
        DType::F32 => 2f64.powi(-24),
        _ => 2f64.powi(-53),
    }
}

/// (K + 2) u Σ|A||B| for a product of K terms with a factor, in the type it is computed in; two for each complex product, and
/// two more for a phase of which each part is rounded. Golden weights end in subnormal numbers, whose roundings are half of
/// the smallest one, times what they are multiplied by. Half types round each of at most two products, by half a unit or half
/// the smallest number.
fn bound(dtype: DType, k: usize, size: f64) -> f64 {
    let terms = if dtype.is_complex() { 2 * k + 4 } else { k } + 2;
    let least = match dtype.compute().real() {
        DType::F32 => 2f64.powi(-149),
        _ => f64::from_bits(1),
    };
    let sum = terms as f64 * (2f64.sqrt() * unit(dtype.compute()) * size + 1024.0 * least);
    if dtype.is_half() {
        sum + 2.0 * (unit(dtype) * size + 2f64.powi(-25))
    } else {
        sum
    }
}

fn check(case: &Case, a: &Tensor, b: &Tensor, what: &str) {
    let got = (case.run)(a, b).unwrap_or_else(|e| panic!("{what}: {e}"));
    let dtype = match case.kind {
        Kind::Same => a.dtype(),
        Kind::Inexact => a.dtype().to_inexact(),
        Kind::Complex => a.dtype().to_inexact().complex(),
    };
    assert_eq!(got.dtype(), dtype, "{what}");
    let want = definition(&case.terms, a, b);
    let got = got.to_vec::<C>().unwrap();
    assert_eq!(got.len(), want.len(), "{what}");
    let k = a.shape()[a.ndim() - 1].max(a.shape()[a.ndim() - 2]);
    for (got, (want, size)) in got.iter().zip(want) {
        if dtype.is_integer() {
            let wrapped = Scalar::Int(want.re as i128).cast(dtype).to_f64();
            assert_eq!(got.re, wrapped, "{what}");
            continue;
        }
        let limit = bound(dtype, k, size);
        assert!(
            (got - want).norm() <= limit,
            "{what}: {got} for {want}, within {limit:e}"
        );
    }
}

/// The operand shapes with which `op` gives a matrix of this shape.
fn before(op: Op, shape: [usize; 4]) -> [usize; 4] {
    let [s, t, m, n] = shape;
    if op == Op::None { shape } else { [s, t, n, m] }
}

#[test]
fn every_product_is_its_definition() {
    let numeric = DType::ALL.into_iter().filter(|d| !d.is_bool());
    for dtype in numeric {
        for case in &cases() {
            let [x, y] = case.terms[0].ops;
            for (count, (first, second)) in SHAPES.into_iter().enumerate() {
                let square = first[2] == first[3] && second[2] == second[3];
                if case.terms.len() > 1 && !square {
                    assert!(
                        (case.run)(&drawn(dtype, &first, 1), &drawn(dtype, &second, 2)).is_err()
                    );
                    continue;
                }
                for (k, lies) in LAYOUTS.into_iter().enumerate() {
                    let other = LAYOUTS[(k + count) % LAYOUTS.len()];
                    let a = operand(dtype, &before(x, first), lies, 3);
                    let b = operand(dtype, &before(y, second), other, 4);
                    let what = format!(
                        "{} {dtype} {first:?} {second:?} {lies:?} {other:?}",
                        case.name
                    );
                    check(case, &a, &b, &what);
                }
            }
        }
    }
}

#[test]
fn sums_are_added_up() {
    for dtype in DType::ALL.into_iter().filter(|d| !d.is_bool()) {
        for lies in LAYOUTS {
            let a = operand(dtype, &[2, 1, 4, 6], lies, 1);
            let b = operand(dtype, &[3, 6, 5], lies, 2);
            let c = operand(dtype, &[4, 5], lies, 3);
            let got = mm_add(&a, &b, &c, 3, 2).unwrap();
            assert_eq!((got.dtype(), got.shape()), (dtype, &[2, 3, 4, 5][..]));
            let products = definition(&[term(3.0)], &a, &b);
            let c = c.to_vec::<C>().unwrap();
            for (at, (got, (sum, size))) in got
                .to_vec::<C>()
                .unwrap()
                .into_iter()
                .zip(products)
                .enumerate()
            {
                let added = c[at % 20];
                let (want, size) = (sum + added * 2.0, size + 2.0 * added.norm());
                if dtype.is_integer() {
                    assert_eq!(got.re, Scalar::Int(want.re as i128).cast(dtype).to_f64());
                } else {
                    assert!(
                        (got - want).norm() <= bound(dtype, 8, size),
                        "{dtype} {lies:?}: {got} for {want}"
                    );
                }
            }
        }
    }
}

#[test]
fn projections_are_added_up() {
    for dtype in DType::ALL.into_iter().filter(|d| d.is_inexact()) {
        for lies in LAYOUTS {
            let psi = operand(dtype, &[6, 3], lies, 1);
            let p: Vec<Tensor> = (2..5)
                .map(|seed| operand(dtype, &[2, 6, 6], lies, seed))
                .collect();
            let by = [0.5, -2.0, 0.25];
            let got = projection_sum(&psi, &p, &by.map(Scalar::Float)).unwrap();
            assert_eq!((got.dtype(), got.shape()), (dtype, &[2, 6, 3][..]));
            let start = psi.broadcast_to(&[2, 6, 3]).unwrap().to_vec::<C>().unwrap();
            let mut want: Vec<(C, f64)> = start.into_iter().map(|z| (z, z.norm())).collect();
            for (p, by) in p.iter().zip(by) {
                for (sum, one) in want.iter_mut().zip(definition(&[term(by)], p, &psi)) {
                    *sum = (sum.0 + one.0, sum.1 + one.1);
                }
            }
            for (got, (want, size)) in got.to_vec::<C>().unwrap().into_iter().zip(want) {
                // Three products of six terms and the state itself; half types round three times.
                let limit = 1.5 * bound(dtype, 19, size);
                assert!(
                    (got - want).norm() <= limit,
                    "{dtype} {lies:?}: {got} for {want}"
                );
            }
        }
    }
}
