//! Functions over tensors of any layout that fits: what they give is what they give over the same elements laid out row by row.
//! And functions of any number.

use super::{config, distance, length, parts, position};
use proptest::prelude::*;
use syntonic_core::fuse::Prim;
use syntonic_core::num_complex::Complex;
use syntonic_core::ops::elementwise::apply;
use syntonic_core::ops::index::{IndexItem, index};
use syntonic_core::ops::order::{Direction, Extreme, Ranked};
use syntonic_core::ops::pad::{Padding, pad};
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::ops::scan::Initial;
use syntonic_core::ops::{create, difference, fft, gather, join, linalg, order, rearrange, scan};
use syntonic_core::{DType, Error, Result, Scalar, Tensor, cpu, io};

/// A function of one tensor.
type Call = fn(&Tensor) -> Result<Tensor>;

const CALLS: &[(&str, Call)] = &[
    ("copy", |x| x.copy()),
    ("negative", |x| apply(Prim::Neg, &[x.into()])),
    ("sum of itself and a number", |x| {
        apply(Prim::Add, &[x.into(), 1.into()])
    }),
    ("product with its flip", |x| {
        let axes: Vec<isize> = (0..x.ndim() as isize).collect();
        apply(Prim::Mul, &[x.into(), (&x.flip(&axes)?).into()])
    }),
    ("cast", |x| x.cast(DType::F32)),
    ("reshape", |x| x.reshape(&[-1])),
    ("transpose", |x| x.transpose(0, -1)?.copy()),
    ("diagonal", |x| x.diagonal(1, 0, -1)),
    ("sum", |x| reduce::sum(x, &Over::all(), None)),
    ("sum over the first", |x| {
        reduce::sum(x, &Over::axes(&[0]), None)
    }),
    ("largest over the last", |x| {
        reduce::max(x, &Over::axes(&[-1]))
    }),
    ("position of the smallest", |x| {
        reduce::argmin(x, &Over::axes(&[-1]))
    }),
    ("running sum", |x| {
        scan::cumulative_sum(x, Some(0), None, Initial::Leave)
    }),
    ("running product, from the first", |x| {
        scan::cumulative_prod(x, Some(-1), None, Initial::Include)
    }),
    ("sort", |x| order::sort(x, -1, Direction::Ascending)),
    ("argsort of the first", |x| {
        order::argsort(x, 0, Direction::Descending)
    }),
    ("topk", |x| {
        Ok(order::topk(x, 1, -1, Extreme::Largest, Ranked::InOrder)?.0)
    }),
    ("concat", |x| join::concat(&[x, x], Some(-1))),
    ("stack", |x| join::stack(&[x, x], 1)),
    ("repeat", |x| rearrange::repeat(x, 2, Some(0))),
    ("roll", |x| rearrange::roll(x, &[1], Some(&[-1]))),
    ("tile", |x| rearrange::tile(x, &[2])),
    ("pad", |x| {
        let zero = Padding::Constant(Scalar::Int(0));
        pad(x, &vec![(1, 0); x.ndim()], zero)
    }),
    ("take", |x| {
        gather::take(x, &Tensor::from([0i64, -1]), Some(0))
    }),
    ("take along an axis", |x| {
        let at = create::zeros_like(x, Some(DType::I64))?;
        gather::take_along_axis(x, &at, -1)
    }),
    ("mask", |x| {
        let on = apply(Prim::Gt, &[x.into(), 3.into()])?;
        index(x, &[IndexItem::Mask(on)])
    }),
    ("difference", |x| difference::diff(x, 1, 0, None, None)),
    ("product of matrices", |x| {
        linalg::matmul(x, &x.transpose(-1, -2)?)
    }),
    ("product by its transpose, of floats", |x| {
        let x = x.cast(DType::F64)?;
        linalg::matmul(&x, &x.transpose(-1, -2)?)
    }),
    ("real part", |x| x.complex(x)?.real()),
    ("ndarray", |x| {
        let array = x.view_ndarray::<i64>()?.view().to_owned();
        Tensor::from_ndarray(array)
    }),
    ("elements one by one", |x| {
        let all: Vec<i64> = x.iter::<i64>()?.collect();
        Tensor::from_slice(&all, x.shape())
    }),
    ("npy", |x| io::npy_from_bytes(&io::npy_to_bytes(x)?)),
];

/// The shape and elements, or that there is no answer.
fn outcome(x: Result<Tensor>) -> Option<(DType, Vec<usize>, Vec<String>)> {
    let x = x.ok()?;
    let text = |z: Complex<f64>| z.to_string();
    let all = x.to_vec::<Complex<f64>>().ok()?.into_iter().map(text);
    Some((x.dtype(), x.shape().to_vec(), all.collect()))
}

/// A function of any number.
type Numbered = fn(&Tensor, usize, isize) -> Result<Tensor>;

fn first(all: Vec<Tensor>) -> Result<Tensor> {
    let none = || Error::value("test", "no part");
    all.into_iter().next().ok_or_else(none)
}

const NUMBERED: &[(&str, Numbered)] = &[
    ("split", |x, n, i| first(join::split(x, n, i % 3)?)),
    ("split at", |x, _, i| {
        first(join::split_at(x, &[i, i / 2], 0)?)
    }),
    ("unstack", |x, _, i| first(join::unstack(x, i)?)),
    ("tile", |x, n, _| rearrange::tile(x, &[n])),
    ("repeat", |x, n, i| rearrange::repeat(x, n, Some(i))),
    ("roll", |x, _, i| rearrange::roll(x, &[i as i64], None)),
    ("moveaxis", |x, _, i| rearrange::moveaxis(x, &[0], &[i])),
    ("pad", |x, n, _| {
        let mut widths = vec![(0, 0); x.ndim()];
        widths[0].1 = n;
        pad(x, &widths, Padding::Constant(Scalar::Int(0)))
    }),
    ("diff", |x, n, i| difference::diff(x, n, i, None, None)),
    ("topk", |x, n, i| {
        Ok(order::topk(x, n, i, Extreme::Smallest, Ranked::InOrder)?.1)
    }),
    ("eye", |_, n, i| create::eye(n, 3, i, DType::F32, &cpu())),
    ("trace", |x, _, i| linalg::trace(x, i, None)),
    ("linspace", |_, n, _| Tensor::linspace(0.0, 1.0, n)),
    ("arange", |_, _, i| Tensor::arange(i, 5, 3)),
    ("zeros", |_, n, _| Tensor::zeros(&[n, 2], DType::C128)),
    ("fft", |x, n, i| {
        fft::fft(x, Some(n), i, fft::Norm::Backward)
    }),
    ("irfft", |x, n, i| {
        fft::irfft(x, Some(n), i, fft::Norm::Ortho)
    }),
    ("fftfreq", |_, n, _| fft::fftfreq(n, 1.0, None, &cpu())),
    ("take", |x, _, i| {
        gather::take(x, &Tensor::from([i as i64]), Some(0))
    }),
    ("take along", |x, _, i| {
        let at = create::full(x.shape(), i as i64, DType::I64, &cpu())?;
        gather::take_along_axis(x, &at, i % 4)
    }),
    ("scatter", |x, _, i| {
        let mut y = x.copy()?;
        let at = create::full(x.shape(), i as i64, DType::I64, &cpu())?;
        gather::scatter(&mut y, 0, &at, x)?;
        Ok(y)
    }),
    ("bincount", |_, n, i| {
        order::bincount(&Tensor::from([1i64, i as i64]), None, n)
    }),
    ("sum", |x, _, i| reduce::sum(x, &Over::axes(&[i]), None)),
    ("full", |_, n, i| {
        Tensor::full(&[n.min(7)], i as i64, DType::I8)
    }),
    ("no such operands", |x, n, _| {
        apply(Prim::Fma, &vec![x.into(); n % 5])
    }),
];

proptest! {
    #![proptest_config(config())]

    #[test]
    fn layouts_do_not_change_what_is_computed(parts in parts()) {
        let x = Tensor::from_vec((0..12i64).map(|k| k * k % 7).collect(), &[12]).unwrap();
        let Ok(x) = x.relayout(parts.layout()) else { return Ok(()) };
        if x.numel() > 600 || x.shape().iter().any(|&d| d > 600) {
            return Ok(());
        }
        let rows = Tensor::from_vec(x.to_vec::<i64>().unwrap(), x.shape()).unwrap();
        for (name, call) in CALLS {
            let (got, want) = (outcome(call(&x)), outcome(call(&rows)));
            prop_assert_eq!(got, want, "{} of {:?}", name, parts);
        }
    }

    #[test]
    fn any_number_has_an_answer(n in prop_oneof![length(), position()], i in distance(), shape in 0usize..3) {
        let shapes: [&[usize]; 3] = [&[4], &[2, 3], &[0, 3]];
        let x = Tensor::ones(shapes[shape], DType::F64).unwrap();
        // What a computer might have room for takes long to fill.
        if (1 << 20..1 << 60).contains(&n) || (1 << 20..1 << 60).contains(&i.unsigned_abs()) {
            return Ok(());
        }
        for (_, call) in NUMBERED {
            if let Ok(y) = call(&x, n, i) {
                prop_assert!(y.numel() < 1 << 20);
                y.eval().unwrap();
            }
        }
    }
}
