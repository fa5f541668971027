//! Kullback-Leibler divergences: how many nats a belief lies away from another.

use super::sum_of_rows;
use syntonic_core::fuse::Program;
use syntonic_core::fuse::notation::{Sym, log, maximum, minimum, select};
use syntonic_core::{Result, Tensor, fuse};

/// A ratio of variances below this is not divided out before its logarithm, since it might have lost digits or
/// vanished; above the inverse, the logarithm is no part of the ratio that any float would show.
const FAR: f64 = 1e-30;

/// `(r - 1) - ln r` of `r = a/b`, which is never negative: 0 where `r` is 1, infinite for `a` = 0, NaN for a negative
/// variance and for `b` = 0.
fn spread(a: Sym, b: Sym) -> Sym {
    use syntonic_core::fuse::notation::{abs, le};
    let r = a / abs(b);
    // Also where b is not positive, so that its logarithm says so.
    let apart = le(minimum(r - FAR, b), 0.0);
    let of_a = log(select(apart, a, minimum(r, 1.0 / FAR)));
    let of_b = log(select(apart, b, 1.0));
    // The small difference of two numbers that are nearly the same comes first, what is added to it later.
    maximum((r - 1.0) - (of_a - of_b), 0.0)
}

fuse! {
    /// sum of ((r - 1) - ln r + (m_q - m_p)^2 / v_p) / 2 with r = v_q / v_p.
    KL_DIVERGENCE(mean_q: element, mean_p: element, var_q: element, var_p: element) -> (row_scalar) {
        let apart = mean_q - mean_p;
        0.5 * sum(spread(var_q, var_p) + apart * (apart / var_p))
    }

    /// sum of q ln(q/p), where 0 ln(0/p) is 0.
    CATEGORICAL_KL_DIVERGENCE(q: element, p: element) -> (row_scalar) {
        let both = and(gt(q, 0.0), gt(p, 0.0));
        let term = q * (log(select(both, q, 1.0)) - log(select(both, p, 1.0)));
        let nothing = and(eq(q, 0.0), ge(p, 0.0));
        // What is neither is no probability, or has no room in p; NaN stays NaN.
        let outside = select(nothing, 0.0, f64::INFINITY + q * p);
        sum(select(both, term, outside))
    }
}

pub(super) fn formulas() -> Vec<&'static Program> {
    vec![&KL_DIVERGENCE, &CATEGORICAL_KL_DIVERGENCE]
}

/// The divergence `KL(q || p)` of diagonal Gaussians in nats, which active inference calls complexity where `p` is the
/// prior: `[..., n]` four times `-> [...]`, `1/2 sum (v_q/v_p - 1 - ln(v_q/v_p) + (m_q - m_p)^2/v_p)` over the last
/// axis, in the type that the operands promote to. Operands broadcast, so that rows may share a prior.
///
/// Equal beliefs have 0, and nearly equal ones no noise: the ratio and its logarithm are subtracted first. A point as
/// `q` (`v_q` = 0) and a flat `p` (infinite `v_p`) are infinitely far. A negative variance is NaN, and so is `v_p` = 0;
/// whoever wants a floor under variances takes `maximum(v, floor)`. A row without elements has 0.
///
/// Half types are computed in `float32` and rounded once. Errors where an operand is no real float, shapes do not broadcast, there is no axis, or devices differ.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::infer::kl_divergence;
///
/// let (zero, one, two) = (Tensor::from([0.0]), Tensor::from([1.0]), Tensor::from([2.0]));
/// assert_eq!(kl_divergence(&zero, &zero, &one, &one)?.to_scalar::<f64>()?, 0.0);
/// assert_eq!(kl_divergence(&two, &zero, &one, &one)?.to_scalar::<f64>()?, 2.0);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn kl_divergence(
    mean_q: &Tensor,
    mean_p: &Tensor,
    var_q: &Tensor,
    var_p: &Tensor,
) -> Result<Tensor> {
    let operands = [mean_q, mean_p, var_q, var_p];
    sum_of_rows("kl_divergence", &KL_DIVERGENCE, &operands)
}

/// The divergence `KL(q || p) = sum q_i ln(q_i/p_i)` of categorical distributions in nats: `[..., n], [..., n] -> [...]`
/// over the last axis, in the type that the operands promote to. Operands broadcast.
///
/// `0 ln(0/p)` is 0, and `q > 0` where `p = 0` is infinite, as is a negative probability. Nothing is normalised.
///
/// Half types are computed in `float32` and rounded once. Errors where an operand is no real float, shapes do not broadcast, there is no axis, or devices differ.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::infer::categorical_kl_divergence;
///
/// let (sure, even) = (Tensor::from([1.0, 0.0]), Tensor::from([0.5, 0.5]));
/// let bits = categorical_kl_divergence(&sure, &even)?.to_scalar::<f64>()? / 2f64.ln();
/// assert!((bits - 1.0).abs() < 1e-15);
/// assert_eq!(categorical_kl_divergence(&even, &sure)?.to_scalar::<f64>()?, f64::INFINITY);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn categorical_kl_divergence(q: &Tensor, p: &Tensor) -> Result<Tensor> {
    sum_of_rows(
        "categorical_kl_divergence",
        &CATEGORICAL_KL_DIVERGENCE,
        &[q, p],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntonic_core::run::{self, Axes};
    use syntonic_core::{DType, Error};

    fn t(values: &[f64]) -> Tensor {
        Tensor::from_slice(values, &[values.len()]).unwrap()
    }

    fn kl(q: (f64, f64), p: (f64, f64)) -> f64 {
        let made = kl_divergence(&t(&[q.0]), &t(&[p.0]), &t(&[q.1]), &t(&[p.1])).unwrap();
        made.item().unwrap().to_f64()
    }

    /// Exact values: to 17 digits from the formula in 50 decimals.
    #[test]
    fn known_values() {
        for (q, p, want) in [
            ((0.0, 1.0), (1.0, 1.0), 0.5),
            ((0.0, 4.0), (0.0, 1.0), 0.806_852_819_440_054_69),
            ((1.0, 0.25), (-2.0, 9.0), 1.805_648_358_116_946_9),
            ((0.0, 1e-14), (0.0, 10.0), 16.769_388_197_455_333),
            ((0.0, 1e-300), (0.0, 1e300), 690.275_527_898_213_7),
            ((1.0, 1e-20), (1.0, 1e-20), 0.0),
        ] {
            let got = kl(q, p);
            assert!(
                (got - want).abs() <= 1e-14 + 1e-14 * want,
                "{got} is not {want}"
            );
        }
        // t - ln(1 + t) of t = 1e-6, halved; what a sum in the other order would leave is noise of 1e-16.
        let near = kl((0.0, 1.0 + 1e-6), (0.0, 1.0));
        assert!((near - 2.499_998_333_334_583e-13).abs() < 1e-22, "{near}");
    }

    #[test]
    fn edges() {
        let infinite = f64::INFINITY;
        for (q, p) in [
            ((0.0, 0.0), (0.0, 1.0)),
            ((0.0, 1.0), (0.0, infinite)),
            ((0.0, infinite), (0.0, 1.0)),
            ((infinite, 1.0), (0.0, 1.0)),
            ((0.0, 1e300), (0.0, 1e-300)),
            ((0.0, -0.0), (0.0, 1.0)),
        ] {
            assert_eq!(kl(q, p), infinite, "{q:?} {p:?}");
        }
        for (q, p) in [
            ((0.0, -1.0), (0.0, 1.0)),
            ((0.0, 1.0), (0.0, -1.0)),
            ((0.0, -1.0), (0.0, -1.0)),
            ((0.0, 1.0), (0.0, 0.0)),
            ((0.0, 1.0), (1.0, 0.0)),
            ((0.0, 1.0), (1.0, -0.0)),
            ((0.0, 0.0), (0.0, 0.0)),
            ((f64::NAN, 1.0), (0.0, 1.0)),
            ((0.0, f64::NAN), (0.0, 1.0)),
            ((0.0, 1.0), (0.0, f64::NAN)),
        ] {
            assert!(kl(q, p).is_nan(), "{q:?} {p:?}");
        }
        // 690 nats from 600 decades; 60 of them do not fit a float32.
        let narrow = |v: f64| t(&[v]).cast(DType::F32).unwrap();
        let far = kl_divergence(&narrow(0.0), &narrow(0.0), &narrow(1e-30), &narrow(1e30)).unwrap();
        assert_eq!(far.dtype(), DType::F32);
        assert!((far.item().unwrap().to_f64() - 68.577_552_789_821_37).abs() < 1e-5);
    }

    #[test]
    fn never_negative() {
        for k in 0..4000 {
            let v = 1.0 + f64::from(k - 2000) * 1e-11;
            let d = kl((0.0, v), (0.0, 1.0));
            assert!((0.0..1e-15).contains(&d), "{v}: {d}");
        }
    }

    #[test]
    fn rows_share_a_prior_and_mistakes_are_errors() {
        let x = |v: f64, shape: &[usize]| Tensor::full(shape, v, DType::F32).unwrap();
        let (many, one) = (x(0.0, &[3, 5]), x(1.0, &[5]));
        let made = kl_divergence(&many, &one, &one, &one).unwrap();
        assert_eq!((made.shape(), made.dtype()), (&[3][..], DType::F32));
        assert_eq!(made.to_vec::<f32>().unwrap(), [2.5; 3]);
        let empty = x(1.0, &[2, 0]);
        let made = kl_divergence(&empty, &empty, &empty, &empty).unwrap();
        assert_eq!(made.to_vec::<f32>().unwrap(), [0.0; 2]);
        let short = x(1.0, &[4]);
        let wrong = kl_divergence(&many, &short, &one, &one);
        assert!(matches!(
            wrong,
            Err(Error::Shape {
                op: "kl_divergence",
                ..
            })
        ));
        let scalar = x(1.0, &[]);
        assert!(matches!(
            categorical_kl_divergence(&scalar, &scalar),
            Err(Error::Shape { .. })
        ));
        let whole = Tensor::zeros(&[5], DType::I32).unwrap();
        assert!(matches!(
            categorical_kl_divergence(&whole, &one),
            Err(Error::DType { .. })
        ));
    }

    #[test]
    fn half_types_are_rounded_once() {
        let x = t(&[0.3, 1.7, 2.0]).cast(DType::BF16).unwrap();
        let y = t(&[0.7, 1.1, 3.0]).cast(DType::BF16).unwrap();
        let wide = |t: &Tensor| t.cast(DType::F32).unwrap();
        let (a, b) = (wide(&x), wide(&y));
        let got = kl_divergence(&x, &y, &x, &y).unwrap();
        let want = kl_divergence(&a, &b, &a, &b).unwrap();
        assert_eq!(got.dtype(), DType::BF16);
        let want = want.cast(DType::BF16).unwrap();
        assert_eq!(got.to_vec::<f32>().unwrap(), want.to_vec::<f32>().unwrap());
        let mixed = kl_divergence(&x, &b, &x, &b).unwrap();
        assert_eq!(mixed.dtype(), DType::F32);
    }

    #[test]
    fn categories() {
        let kl = |q: &[f64], p: &[f64]| {
            let made = categorical_kl_divergence(&t(q), &t(p)).unwrap();
            made.item().unwrap().to_f64()
        };
        // ln 2 - (ln 3)/2 + ... : 0.5 ln(0.5/0.25) + 0.5 ln(0.5/0.75) = ln(2/sqrt(3)).
        assert!((kl(&[0.5, 0.5], &[0.25, 0.75]) - 0.143_841_036_225_890_46).abs() < 1e-16);
        assert_eq!(kl(&[0.0, 1.0], &[0.0, 1.0]), 0.0);
        assert_eq!(kl(&[0.0, 1.0], &[0.5, 1.0]), 0.0);
        assert_eq!(kl(&[0.5, 0.5], &[0.0, 1.0]), f64::INFINITY);
        assert_eq!(kl(&[-0.5, 1.5], &[0.5, 0.5]), f64::INFINITY);
        assert!(kl(&[f64::NAN, 1.0], &[0.5, 0.5]).is_nan());
        assert!(kl(&[0.0, 1.0], &[f64::NAN, 1.0]).is_nan());
        // Of 600 decades, without a quotient that would be infinite.
        assert!((kl(&[1e300], &[1e-300]) / 1e300 - 1_381.551_055_796_427_4).abs() < 1e-9);
    }

    /// d/dm_q = (m_q - m_p)/v_p, d/dm_p its negative, d/dv_q = (1/v_p - 1/v_q)/2, and
    /// d/dv_p = (1/v_p - v_q/v_p^2 - (m_q - m_p)^2/v_p^2)/2.
    #[test]
    fn gradients() {
        let (mq, mp) = ([0.5, -1.0, 2.0], [0.0, 1.0, 2.0]);
        let (vq, vp) = ([1.0, 0.3, 5.0], [2.0, 0.3, 0.1]);
        let grad = KL_DIVERGENCE.grad(&[0, 1, 2, 3]).unwrap();
        let one = Tensor::scalar(1.0, DType::F64).unwrap();
        let inputs = [t(&mq), t(&mp), t(&vq), t(&vp), one];
        let inputs: Vec<&Tensor> = inputs.iter().collect();
        let made = run::rows(&grad, &inputs, &[], &[-1], Axes::Drop).unwrap();
        for k in 0..3 {
            let d = mq[k] - mp[k];
            let want = [
                d / vp[k],
                -d / vp[k],
                0.5 * (1.0 / vp[k] - 1.0 / vq[k]),
                0.5 * (1.0 / vp[k] - (vq[k] + d * d) / (vp[k] * vp[k])),
            ];
            for (g, w) in made.iter().zip(want) {
                let g = g.to_vec::<f64>().unwrap()[k];
                assert!((g - w).abs() <= 1e-13 * w.abs().max(1.0), "{g} is not {w}");
            }
        }
    }
}
