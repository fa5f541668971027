//! Attention beside its definition in `float64`.

use super::{Attention, Positions, attention, attention_scored};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::grad::{grad, value_and_grad};
use crate::lazy::{Evaluation, set_evaluation};
use crate::tensor::Tensor;

type Score<'a> = &'a dyn Fn(&Tensor, &Positions, &[Tensor]) -> Result<Tensor>;

const PLAIN: Score<'_> = &|s, _, _| Ok(s.clone());

/// Numbers between -1 and 1 that repeat nowhere near.
fn numbers(shape: &[usize], seed: usize, dtype: DType) -> Tensor {
    let count: usize = shape.iter().product();
    let value = |k: usize| ((k * 7919 + seed * 104_729 + 13) % 2003) as f64 / 1001.0 - 1.0;
    let all: Vec<f64> = (0..count).map(value).collect();
    let signed: Vec<isize> = shape.iter().map(|&n| n as isize).collect();
    let all = Tensor::try_from(all).unwrap().reshape(&signed).unwrap();
    all.cast(dtype).unwrap()
}

/// Each head of keys as often as it serves heads of queries.
fn repeated(x: &Tensor, heads: usize) -> Result<Tensor> {
    let shape = x.shape().to_vec();
    let group = heads / shape[1];
    let [b, g, k, d] = [0, 1, 2, 3].map(|i| shape[i] as isize);
    let spread = x.expand_dims(&[2])?;
    let spread = spread.broadcast_to(&[shape[0], shape[1], group, shape[2], shape[3]])?;
    spread.reshape(&[b, g * group as isize, k, d])
}

/// The definition, over whole matrices.
fn defined(
    [q, k, v]: [&Tensor; 3],
    f: Score<'_>,
    operands: &[Tensor],
    settings: Attention<'_>,
) -> Result<Tensor> {
    let [q, k, v] = [
        q.cast(DType::F64)?,
        k.cast(DType::F64)?,
        v.cast(DType::F64)?,
    ];
    let heads = q.shape()[1];
    let (k, v) = (repeated(&k, heads)?, repeated(&v, heads)?);
    let (b, rows, keys) = (q.shape()[0], q.shape()[2], k.shape()[2]);
    let scale = settings.scale.unwrap_or(1.0 / (q.shape()[3] as f64).sqrt());
    let scores = q.matmul(&k.permute(&[0, 1, 3, 2])?)?.try_mul(scale)?;
    let along = |n: usize, shape: [isize; 4]| {
        let all: Vec<i64> = (0..n as i64).collect();
        Tensor::try_from(all).unwrap().reshape(&shape)
    };
    let at = Positions {
        batch: along(b, [-1, 1, 1, 1])?,
        head: along(heads, [1, -1, 1, 1])?,
        query: along(rows, [1, 1, -1, 1])?,
        key: along(keys, [1, 1, 1, -1])?,
    };
    let mut scores = f(&scores, &at, operands)?;
    let never = Tensor::full(&[], f64::NEG_INFINITY, DType::F64)?;
    match settings.mask {
        Some(mask) if mask.dtype() == DType::Bool => scores = mask.where_cond(&scores, &never)?,
        Some(mask) => scores = scores.try_add(&mask.cast(DType::F64)?)?,
        None => {}
    }
    if settings.causal {
        scores = at.key.less_equal(&at.query)?.where_cond(&scores, &never)?;
    }
    let top = scores.max(-1)?.expand_dims(&[-1])?;
    let top = top
        .is_finite()?
        .where_cond(&top, &Tensor::zeros(&[], DType::F64)?)?;
    let e = scores.try_sub(&top.stop_gradient())?.exp()?;
    let total = e.sum(-1)?.expand_dims(&[-1])?;
    let one = Tensor::ones(&[], DType::F64)?;
    let total = total.equal(0.0)?.where_cond(&one, &total)?;
    e.try_div(&total)?.matmul(&v)
}

fn largest(x: &Tensor) -> f64 {
    let all = x.cast(DType::F64).unwrap().to_vec::<f64>().unwrap();
    all.into_iter().fold(0.0, |a, b| a.max(b.abs()))
}

/// The largest unit in the last place of numbers up to 1.
fn eps(dtype: DType) -> f64 {
    match dtype {
        DType::F16 => 2f64.powi(-11),
        DType::BF16 => 2f64.powi(-8),
        DType::F32 => 2f64.powi(-24),
        _ => 2f64.powi(-53),
    }
}

/// A bound of the error of weights: that of a score, which is a sum of `d` products of numbers up to 1 and what a formula of a few operations
/// makes of it, twice, and that of a sum over `keys`.
fn bound(q: &Tensor, keys: usize, top: f64) -> f64 {
    let d = q.shape()[q.ndim() - 1] as f64;
    let unit = eps(q.dtype().compute());
    unit * (2.0 * (d + 16.0) * (d.sqrt() + 4.0 * top) + keys as f64 + 32.0)
}

fn agree(tensors: [&Tensor; 3], f: Score<'_>, operands: &[&Tensor], settings: Attention<'_>) {
    let settings = Attention {
        operands,
        ..settings
    };
    let [q, k, v] = tensors;
    let found = attention_scored(q, k, v, f, settings).unwrap();
    let wide: Vec<Tensor> = operands
        .iter()
        .map(|x| match x.dtype().is_float() {
            true => x.cast(DType::F64).unwrap(),
            false => (*x).clone(),
        })
        .collect();
    let wanted = defined(tensors, f, &wide, settings).unwrap();
    assert_eq!((found.dtype(), found.shape()), (q.dtype(), wanted.shape()));
    let top = operands.iter().map(|x| largest(x)).fold(1.0, f64::max);
    let limit = bound(q, k.shape()[2], top) * largest(v) + eps(q.dtype()) * largest(&wanted);
    let far = found.cast(DType::F64).unwrap().try_sub(&wanted).unwrap();
    let far = largest(&far);
    assert!(far <= limit, "{far} of {limit} for {:?}", q.describe());
    assert!(
        wanted.numel() < 8 || largest(&wanted) > 10.0 * limit,
        "zeros would pass"
    );
}

const TYPES: [DType; 4] = [DType::F16, DType::BF16, DType::F32, DType::F64];

#[test]
fn types_lengths_and_widths_agree_with_the_definition() {
    let cases = [
        ([1, 1, 1, 1], 1, [16, 16]),
        ([2, 2, 65, 130], 1, [16, 24]),
        ([1, 4, 64, 256], 2, [80, 96]),
        ([1, 3, 67, 300], 3, [64, 64]),
        ([2, 2, 3, 700], 2, [256, 16]),
    ];
    for dtype in TYPES {
        for ([b, h, rows, keys], g, [d, e]) in cases {
            let q = numbers(&[b, h, rows, d], 1, dtype);
            let k = numbers(&[b, g, keys, d], 2, dtype);
            let v = numbers(&[b, g, keys, e], 3, dtype);
            for causal in [false, true] {
                let settings = Attention {
                    causal,
                    ..Attention::default()
                };
                agree([&q, &k, &v], PLAIN, &[], settings);
            }
        }
    }
}

#[test]
fn layouts_and_leading_axes_do_not_matter() {
    for dtype in [DType::BF16, DType::F32] {
        // [batch, length, heads, width], as projections leave them.
        let lies = |len: usize, seed| {
            let x = numbers(&[2, len, 3, 32], seed, dtype);
            x.permute(&[0, 2, 1, 3]).unwrap()
        };
        let (q, k, v) = (lies(70, 1), lies(129, 2), lies(129, 3));
        agree([&q, &k, &v], PLAIN, &[], Attention::default());
        let whole = attention(&q, &k, &v, Attention::default()).unwrap();
        let same = |other: &Tensor, shape: &[usize]| {
            assert_eq!(other.shape(), shape);
            assert_eq!(
                other.to_vec::<f32>().unwrap(),
                whole.to_vec::<f32>().unwrap()
            );
        };
        let turned = |x: &Tensor| x.expand_dims(&[0]).unwrap();
        let more = attention(&turned(&q), &k, &turned(&v), Attention::default()).unwrap();
        same(&more, &[1, 2, 3, 70, 32]);
    }
    let x = numbers(&[5, 8], 1, DType::F64);
    let one = attention(&x, &x, &x, Attention::default()).unwrap();
    let three = x.expand_dims(&[0]).unwrap();
    let three = attention(&three, &three, &three, Attention::default()).unwrap();
    assert_eq!(one.to_vec::<f64>().unwrap(), three.to_vec::<f64>().unwrap());
}

/// Nearer keys count more, by another slope in each head, and no score leaves -5 .. 5.
fn slopes_and_a_cap(s: &Tensor, at: &Positions, operands: &[Tensor]) -> Result<Tensor> {
    let near = operands[0].try_mul(&at.key.try_sub(&at.query)?)?;
    s.try_add(&near)?.try_div(5.0)?.tanh()?.try_mul(5.0)
}

#[test]
fn scores_masks_and_documents() {
    let never = |s: &Tensor| Tensor::full(&[], f64::NEG_INFINITY, s.dtype());
    for dtype in TYPES {
        let q = numbers(&[2, 4, 65, 16], 1, dtype);
        let k = numbers(&[2, 2, 130, 16], 2, dtype);
        let v = numbers(&[2, 2, 130, 16], 3, dtype);
        let slopes = Tensor::from([[[0.5f32]], [[0.25]], [[0.125]], [[0.0625]]]);
        agree(
            [&q, &k, &v],
            &slopes_and_a_cap,
            &[&slopes],
            Attention::default(),
        );
        let causal = Attention {
            causal: true,
            ..Attention::default()
        };
        agree([&q, &k, &v], &slopes_and_a_cap, &[&slopes], causal);
        let window = |s: &Tensor, at: &Positions, _: &[Tensor]| {
            let far = at.query.try_sub(&at.key)?.abs()?;
            far.less(9)?.where_cond(s, &never(s)?)
        };
        // Of 65 queries, the last key that counts is 73.
        agree([&q, &k, &v], &window, &[], Attention::default());
        // Documents by position, picked from a list.
        let of: Vec<i64> = (0..130).map(|k| k / 23).collect();
        let of = Tensor::try_from(of).unwrap();
        let documents = |s: &Tensor, at: &Positions, _: &[Tensor]| {
            let (mine, other) = (of.take(&at.query, 0)?, of.take(&at.key, 0)?);
            mine.equal(&other)?.where_cond(s, &never(s)?)
        };
        agree([&q, &k, &v], &documents, &[], Attention::default());
        let mask = numbers(&[2, 1, 65, 130], 5, DType::F32);
        let seen = mask.greater(0.0).unwrap();
        for mask in [&mask, &seen] {
            let settings = Attention {
                mask: Some(mask),
                scale: Some(0.3),
                ..causal
            };
            agree([&q, &k, &v], PLAIN, &[], settings);
        }
    }
}

#[test]
fn eager_evaluation_and_small_tensors_are_no_other_way() {
    let q = numbers(&[1, 2, 3, 4], 1, DType::F32);
    let slopes = Tensor::from([[[0.5f32]], [[0.25]]]);
    let run = || {
        let settings = Attention {
            operands: &[&slopes],
            ..Attention::default()
        };
        let y = attention_scored(&q, &q, &q, slopes_and_a_cap, settings);
        y.unwrap().to_vec::<f32>().unwrap()
    };
    let lazy = run();
    let before = set_evaluation(Evaluation::Eager);
    let eager = run();
    set_evaluation(before);
    assert_eq!(lazy, eager);
}

#[test]
fn a_row_without_keys_is_zero_and_nan_stays() {
    let q = numbers(&[1, 1, 70, 16], 1, DType::F32);
    let k = numbers(&[1, 1, 300, 16], 2, DType::F32);
    let seen: Vec<bool> = (0..70).map(|i| i % 3 != 0).collect();
    let seen = Tensor::try_from(seen).unwrap().reshape(&[70, 1]).unwrap();
    let settings = Attention {
        mask: Some(&seen),
        ..Attention::default()
    };
    agree([&q, &k, &k], PLAIN, &[], settings);
    let y = attention(&q, &k, &k, settings)
        .unwrap()
        .to_vec::<f32>()
        .unwrap();
    assert!(y[..16].iter().all(|&x| x == 0.0));
    let loss = |x: &[Tensor]| attention(&x[0], &x[1], &x[2], settings)?.sum(..);
    for g in grad(loss, &[&q, &k, &k]).unwrap() {
        assert!(g.to_vec::<f32>().unwrap().iter().all(|x| x.is_finite()));
    }
    let none = numbers(&[1, 1, 0, 16], 2, DType::F32);
    let y = attention(&q, &none, &none, Attention::default()).unwrap();
    assert_eq!(y.to_vec::<f32>().unwrap(), vec![0.0; 70 * 16]);
    let strange = |s: &Tensor, at: &Positions, _: &[Tensor]| {
        let nan = Tensor::full(&[], f64::NAN, DType::F32)?;
        at.query.equal(&at.key.try_sub(280)?)?.where_cond(&nan, s)
    };
    let y = attention_scored(&q, &k, &k, strange, Attention::default()).unwrap();
    let y = y.to_vec::<f32>().unwrap();
    assert!(y[..16].iter().all(|x| x.is_nan()) && y[30 * 16..].iter().all(|x| x.is_finite()));
}

#[test]
fn what_is_no_formula_of_elements_says_so() {
    let x = numbers(&[1, 2, 6, 4], 1, DType::F32);
    let wide = numbers(&[6, 6], 1, DType::F64);
    let run = |f: Score<'_>| attention_scored(&x, &x, &x, f, Attention::default());
    let failing: [Score<'_>; 6] = [
        &|s, _, _| s.sum(-1),
        &|s, _, _| s.try_sub(&s.max(..)?),
        &|s, _, _| s.permute(&[0, 1, 3, 2]),
        &|s, _, _| s.try_add(&s.permute(&[0, 1, 3, 2])?),
        &|s, _, _| s.matmul(s),
        &|_, _, _| Ok(Tensor::from([1.0])),
    ];
    for (k, f) in failing.into_iter().enumerate() {
        let error = run(f).unwrap_err();
        assert!(matches!(error, Error::Value { .. }), "{k}: {error}");
        assert!(error.to_string().contains("hint"), "{k}: {error}");
    }
    // A copy is the same value.
    run(&|s, _, _| s.copy()?.cast(DType::F32)?.copy()).unwrap();
    // Positions times numbers are float64.
    run(&|s, _, _| s.try_add(&wide)).unwrap();
    assert!(
        run(&|s, _, _| {
            s.to_vec::<f32>()?;
            Ok(s.clone())
        })
        .is_err()
    );
    // One that does not hang on the product is a score as well.
    let even = run(&|s, at, _| at.key.try_mul(0)?.cast(s.dtype())?.broadcast_to(s.shape()));
    let _ = even;
    let misfits: [[&Tensor; 3]; 3] = [
        [&x, &wide, &x],
        [&x, &x.index((.., .., ..3)).unwrap(), &x],
        [&x, &x, &x.index((.., ..1)).unwrap()],
    ];
    for [q, k, v] in misfits {
        let error = attention(q, k, v, Attention::default()).unwrap_err();
        assert!(
            matches!(error, Error::Shape { .. } | Error::DType { .. }),
            "{error}"
        );
    }
}

/// Gradients of a sum with uneven weights, beside those of the definition in `float64`.
fn gradients_agree(
    tensors: [&Tensor; 3],
    f: Score<'_>,
    operands: &[&Tensor],
    settings: Attention<'_>,
) {
    let [q, k, v] = tensors;
    let mut all: Vec<&Tensor> = tensors.to_vec();
    all.extend(operands);
    let weights = numbers(
        &[q.shape()[0], q.shape()[1], q.shape()[2], v.shape()[3]],
        9,
        DType::F64,
    );
    let ours = |x: &[Tensor]| {
        let given: Vec<&Tensor> = x[3..].iter().collect();
        let settings = Attention {
            operands: &given,
            ..settings
        };
        let y = attention_scored(&x[0], &x[1], &x[2], f, settings)?;
        y.try_mul(&weights.cast(q.dtype())?)?.sum(..)
    };
    let theirs = |x: &[Tensor]| {
        let y = defined([&x[0], &x[1], &x[2]], f, &x[3..], settings)?;
        y.try_mul(&weights)?.sum(..)
    };
    let wide: Vec<Tensor> = all.iter().map(|x| x.cast(DType::F64).unwrap()).collect();
    let wide: Vec<&Tensor> = wide.iter().collect();
    let (found, wanted) = (grad(ours, &all).unwrap(), grad(theirs, &wide).unwrap());
    let (rows, keys, d) = (q.shape()[2], k.shape()[2], q.shape()[3]);
    let top = operands.iter().map(|x| largest(x)).fold(1.0, f64::max);
    for (at, (x, y)) in found.iter().zip(&wanted).enumerate() {
        assert_eq!(x.shape(), y.shape());
        // Weights are off by their bound, and the slope of a score is of two terms that are sums of so many products; the result was
        // rounded to its type, as were the slopes that it is made of.
        let terms = match at {
            0 => 1.0,
            1 | 2 => (rows * q.shape()[1] / k.shape()[1]) as f64,
            _ => (rows * q.numel() / (rows * d)) as f64,
        };
        let each = bound(q, keys, top) + 3.0 * eps(q.dtype());
        let size = largest(v) * (v.shape()[3] as f64) * terms.sqrt().max(1.0) * 4.0;
        let far = largest(&x.cast(DType::F64).unwrap().try_sub(y).unwrap());
        assert!(
            far <= each * size + 3.0 * eps(x.dtype()) * largest(y),
            "{at}: {far} of {}",
            each * size
        );
        assert!(
            largest(y) > 4.0 * far,
            "{at}: zeros would pass: {} and {far}",
            largest(y)
        );
    }
}

#[test]
fn gradients_agree_with_those_of_the_definition() {
    for dtype in TYPES {
        for (g, causal) in [(4, false), (2, true)] {
            let q = numbers(&[2, 4, 70, 16], 1, dtype);
            let k = numbers(&[2, g, 135, 16], 2, dtype);
            let v = numbers(&[2, g, 135, 24], 3, dtype);
            let settings = Attention {
                causal,
                ..Attention::default()
            };
            gradients_agree([&q, &k, &v], PLAIN, &[], settings);
        }
    }
}

#[test]
fn operands_get_slopes_along_what_they_are_repeated_over() {
    let q = numbers(&[2, 3, 70, 16], 1, DType::F32);
    let k = numbers(&[2, 3, 135, 16], 2, DType::F32);
    let shapes: [&[usize]; 8] = [
        &[],
        &[3, 1, 1],
        &[2, 3, 1, 1],
        &[70, 1],
        &[135],
        &[2, 1, 1, 135],
        &[70, 135],
        &[2, 3, 70, 135],
    ];
    for shape in shapes {
        for causal in [false, true] {
            let bias = numbers(shape, 7, DType::F32);
            let settings = Attention {
                causal,
                ..Attention::default()
            };
            let f: Score<'_> = &|s, _, o| s.try_mul(&o[0].exp()?)?.try_add(&o[0]);
            gradients_agree([&q, &k, &k], f, &[&bias], settings);
        }
    }
}

#[test]
fn a_mask_that_is_learned_has_a_slope_and_secrets_have_none() {
    let q = numbers(&[1, 2, 5, 4], 1, DType::F64);
    let mask = numbers(&[2, 5, 5], 3, DType::F64);
    let (_, slopes) = value_and_grad(
        |x| {
            let settings = Attention {
                mask: Some(&x[1]),
                ..Attention::default()
            };
            attention(&x[0], &x[0], &x[0], settings)?.square()?.sum(..)
        },
        &[&q, &mask],
    )
    .unwrap();
    assert!(largest(&slopes[1]) > 1e-3);
    let secret = grad(
        |x| {
            let f = |s: &Tensor, _: &Positions, _: &[Tensor]| s.try_add(&x[0]);
            attention_scored(&q, &q, &q, f, Attention::default())?.sum(..)
        },
        &[&mask],
    );
    let error = secret.unwrap_err();
    assert!(
        matches!(
            error,
            Error::Gradient {
                op: "attention",
                ..
            }
        ),
        "{error}"
    );
    assert!(
        error.to_string().contains("give it as an operand"),
        "{error}"
    );
    let twice = grad(
        |x| {
            let y = |z: &[Tensor]| {
                attention(&z[0], &q, &q, Attention::default())?
                    .square()?
                    .sum(..)
            };
            grad(y, &[&x[0]])?[0].sum(..)
        },
        &[&q],
    );
    let error = twice.unwrap_err();
    assert!(error.to_string().contains("second derivative"), "{error}");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let q = numbers(&[2, 4, 130, 32], 1, DType::F32);
    let run = || {
        let slopes = Tensor::from([[[0.5f32]], [[0.25]], [[0.125]], [[0.0625]]]);
        let loss = |x: &[Tensor]| {
            let settings = Attention {
                operands: &[&x[1]],
                causal: true,
                ..Attention::default()
            };
            attention_scored(&x[0], &x[0], &x[0], slopes_and_a_cap, settings)?
                .square()?
                .sum(..)
        };
        let g = grad(loss, &[&q, &slopes]).unwrap();
        g.iter()
            .map(|g| g.to_vec::<f32>().unwrap())
            .collect::<Vec<_>>()
    };
    let one = crate::cpu::threads::Threads::new(1).install(run);
    assert_eq!(one, crate::cpu::threads::Threads::new(3).install(run));
}
