//! Every gradient against differences of the forward run in double precision, and against `Program::grad`.

use super::super::batch_norm::BATCH_NORM;
use super::super::layer_norm::LAYER_NORM;
use super::super::residual::{ACTIVATIONS, MODES};
use super::super::*;
use super::{Operands, batch_norm::AFFINE as BATCH_AFFINE, layer_norm::AFFINE as LAYER_AFFINE};
use syntonic_core::DType;
use syntonic_core::fuse::Role;

/// Numbers between -1.6 and 1.6, all different from each other.
fn values(n: usize, seed: usize) -> Vec<f64> {
    let value = |i: usize| ((i * 7919 + seed * 104_729) % 10_007) as f64 / 3200.0 - 1.6;
    (0..n).map(value).collect()
}

fn tensor(shape: &[usize], seed: usize) -> Tensor {
    Tensor::from_vec(values(shape.iter().product(), seed), shape).unwrap()
}

fn vec(t: &Tensor) -> Vec<f64> {
    t.contiguous().unwrap().to_vec().unwrap()
}

/// The operand with element `at` moved by `h`.
fn moved(t: &Tensor, at: usize, h: f64) -> Tensor {
    let mut v = vec(t);
    v[at] += h;
    Tensor::from_vec(v, t.shape()).unwrap()
}

/// Compares `gradient` of operand `which` with differences of fourth order of the sum of `grad * forward`: the step
/// leaves out 1e-10 of a fifth derivative, and rounding adds 1e-11.
fn agrees(
    operands: &[Tensor],
    which: usize,
    grad: &Tensor,
    gradient: &Tensor,
    forward: &dyn Fn(&[Tensor]) -> Tensor,
) {
    assert_eq!(gradient.shape(), operands[which].shape());
    let g = vec(grad);
    let n = operands[which].numel();
    for at in [0, n / 3, n / 2, n - 1] {
        let loss = |h: f64| -> f64 {
            let mut moving = operands.to_vec();
            moving[which] = moved(&operands[which], at, h);
            let y = vec(&forward(&moving));
            y.iter().zip(&g).map(|(y, g)| y * g).sum()
        };
        let h = 1.0 / 512.0;
        let want = (8.0 * (loss(h) - loss(-h)) - (loss(2.0 * h) - loss(-2.0 * h))) / (12.0 * h);
        let got = vec(gradient)[at];
        assert!(
            (got - want).abs() < 2e-8 * (1.0 + want.abs()),
            "operand {which} at {at}: {got} is not {want}"
        );
    }
}

#[test]
fn residuals() {
    let shape = [3, 7];
    let (x, r, g) = (tensor(&shape, 1), tensor(&shape, 2), tensor(&shape, 3));
    for mode in MODES {
        for activation in ACTIVATIONS {
            let got = phi_residual_backward(&g, &x, &r, mode, activation).unwrap();
            let forward = |t: &[Tensor]| phi_residual(&t[0], &t[1], mode, activation).unwrap();
            let operands = [x.clone(), r.clone()];
            agrees(&operands, 0, &g, &got.x, &forward);
            agrees(&operands, 1, &g, &got.residual, &forward);
        }
    }
}

#[test]
fn the_slope_of_relu_at_0_is_0_and_nan_stays() {
    let x = Tensor::from_slice(&[0.0, -1.0, 2.0, f64::NAN], &[4]).unwrap();
    let r = Tensor::zeros(&[4], DType::F64).unwrap();
    let g = Tensor::from_slice(&[3.0, 4.0, 5.0, 6.0], &[4]).unwrap();
    let got = phi_residual_backward(&g, &x, &r, Mode::Phi, Activation::Relu).unwrap();
    assert_eq!(vec(&got.x), [0.0, 0.0, 5.0, 6.0]);
    let scaled = 5.0 * crate::constants::INV_PHI;
    assert_eq!(vec(&got.residual)[2], scaled);
}

#[test]
fn golden_gelus() {
    let (x, g) = (tensor(&[11], 1), tensor(&[11], 2));
    let forward = |t: &[Tensor]| {
        let operand = [(&t[0]).into()];
        syntonic_core::ops::elementwise::composite(GOLDEN_GELU.name, GOLDEN_GELU.build, &operand)
            .unwrap()
    };
    let got = golden_gelu_backward(&g, &x).unwrap();
    agrees(std::slice::from_ref(&x), 0, &g, &got, &forward);
}

#[test]
fn residuals_with_layer_norm() {
    let shape = [4, 9];
    let (x, r, g) = (tensor(&shape, 1), tensor(&shape, 2), tensor(&shape, 3));
    let (gamma, beta) = (tensor(&[9], 4), tensor(&[9], 5));
    for mode in MODES {
        for activation in ACTIVATIONS {
            let got = phi_residual_layer_norm_backward(&g, &x, &r, mode, activation, &gamma, 1e-3)
                .unwrap();
            let forward = |t: &[Tensor]| {
                phi_residual_layer_norm(&t[0], &t[1], mode, activation, &t[2], &t[3], 1e-3).unwrap()
            };
            let operands = [x.clone(), r.clone(), gamma.clone(), beta.clone()];
            let all = [&got.x, &got.residual, &got.gamma, &got.beta];
            for (which, gradient) in all.into_iter().enumerate() {
                agrees(&operands, which, &g, gradient, &forward);
            }
        }
    }
}

#[test]
fn layer_norms() {
    let (x, g) = (tensor(&[3, 2, 5], 1), tensor(&[3, 2, 5], 2));
    for axes in [1, 2] {
        let settings = LayerNorm {
            axes,
            ..LayerNorm::default()
        };
        let row = &[2, 5][2 - axes..];
        let (gamma, beta) = (tensor(row, 3), tensor(row, 4));
        let plain = |t: &[Tensor]| layer_norm(&t[0], None, settings).unwrap();
        let got = layer_norm_backward(&g, &x, None, settings).unwrap();
        assert!(got.affine.is_none());
        agrees(std::slice::from_ref(&x), 0, &g, &got.x, &plain);
        let affine = |t: &[Tensor]| layer_norm(&t[0], Some((&t[1], &t[2])), settings).unwrap();
        let got = layer_norm_backward(&g, &x, Some(&gamma), settings).unwrap();
        let (of_gamma, of_beta) = got.affine.unwrap();
        let operands = [x.clone(), gamma, beta];
        for (which, gradient) in [&got.x, &of_gamma, &of_beta].into_iter().enumerate() {
            agrees(&operands, which, &g, gradient, &affine);
        }
    }
}

#[test]
fn batch_norms_with_and_without_kept_statistics() {
    let (features, planes) = ([6usize, 3], [2usize, 3, 2, 3]);
    for (channels, shape) in [
        (Channels::Features, &features[..]),
        (Channels::Planes, &planes[..]),
    ] {
        let settings = BatchNorm::golden(channels);
        let (x, g) = (tensor(shape, 1), tensor(shape, 2));
        let (gamma, beta) = (tensor(&[3], 3), tensor(&[3], 4));
        let (_, stats) = batch_norm(&x, None, settings).unwrap();
        for stats in [None, Some(&stats)] {
            let plain = |t: &[Tensor]| batch_norm(&t[0], None, settings).unwrap().0;
            let got = batch_norm_backward(&g, &x, None, stats, settings).unwrap();
            assert!(got.affine.is_none());
            agrees(std::slice::from_ref(&x), 0, &g, &got.x, &plain);
            let affine =
                |t: &[Tensor]| batch_norm(&t[0], Some((&t[1], &t[2])), settings).unwrap().0;
            let got = batch_norm_backward(&g, &x, Some(&gamma), stats, settings).unwrap();
            let (of_gamma, of_beta) = got.affine.unwrap();
            let operands = [x.clone(), gamma.clone(), beta.clone()];
            for (which, gradient) in [&got.x, &of_gamma, &of_beta].into_iter().enumerate() {
                agrees(&operands, which, &g, gradient, &affine);
            }
        }
    }
}

/// dx of x = 1, 2, 3, 4 with g = 1, 0, 0, 0, by hand: var 1.25, n = (x - 2.5)/sqrt(1.25), mean(g) = 1/4,
/// mean(g n) = -1.5/sqrt(1.25)/4, so that g - 1/4 - n mean(g n) is 0.3, -0.4, -0.1, 0.2.
#[test]
fn known_values_of_the_batch_norm() {
    let x = Tensor::from_slice(&[1.0, 2.0, 3.0, 4.0], &[4, 1]).unwrap();
    let g = Tensor::from_slice(&[1.0, 0.0, 0.0, 0.0], &[4, 1]).unwrap();
    let settings = BatchNorm {
        eps: 0.0,
        target: TargetVariance::Standard,
        ..BatchNorm::golden(Channels::Features)
    };
    let got = batch_norm_backward(&g, &x, None, None, settings).unwrap();
    for (got, want) in vec(&got.x).iter().zip([0.3, -0.4, -0.1, 0.2]) {
        assert!((got - want / 1.25f64.sqrt()).abs() < 1e-15, "{got}");
    }
}

#[test]
fn half_types_take_no_rounded_statistics() {
    let half = |t: Tensor| t.cast(DType::BF16).unwrap();
    let (x, g) = (half(tensor(&[64, 2], 1)), half(tensor(&[64, 2], 2)));
    let settings = BatchNorm::golden(Channels::Features);
    let (_, stats) = batch_norm(&x, None, settings).unwrap();
    let kept = batch_norm_backward(&g, &x, None, Some(&stats), settings).unwrap();
    let wide = |t: &Tensor| t.cast(DType::F32).unwrap();
    let want = batch_norm_backward(&wide(&g), &wide(&x), None, None, settings).unwrap();
    let want = want.x.cast(DType::BF16).unwrap();
    assert_eq!(
        kept.x.to_vec::<f32>().unwrap(),
        want.to_vec::<f32>().unwrap()
    );
}

#[test]
fn softmaxes() {
    let shape = [3, 5];
    let (x, g) = (tensor(&shape, 1), tensor(&shape, 2));
    let one = tensor(&[5], 3);
    let positive: Vec<f64> = values(15, 4).iter().map(|v| v + 2.0).collect();
    let provided = Tensor::from_vec(positive, &shape).unwrap();
    let settings = Softmax {
        scale: 0.7,
        ..Softmax::default()
    };
    type Weighting = for<'a> fn(&'a Tensor) -> Weights<'a>;
    let weightings: [(Weighting, &Tensor); 4] = [
        (|_| Weights::Identity, &one),
        (|w| Weights::ModeNorms(w), &one),
        (|w| Weights::Log(w), &one),
        (|w| Weights::Provided(w), &provided),
    ];
    for (weights, w) in weightings {
        let forward = |t: &[Tensor]| syntonic_softmax(&t[0], weights(&t[1]), settings).unwrap();
        let scaled = |t: &[Tensor]| {
            let scale = vec(&t[2])[0];
            syntonic_softmax(&t[0], weights(&t[1]), Softmax { scale, ..settings }).unwrap()
        };
        let scale = Tensor::scalar(0.7, DType::F64).unwrap();
        let operands = [x.clone(), w.clone(), scale];
        let p = forward(&operands);
        let dx = syntonic_softmax_backward(&g, &p, -1).unwrap();
        agrees(&operands, 0, &g, &dx, &forward);
        let got = syntonic_softmax_gradients(&g, &p, weights(w), settings).unwrap();
        agrees(&operands, 0, &g, &got.x, &forward);
        agrees(&operands, 2, &g, &got.scale, &scaled);
        match weights(w) {
            Weights::Identity => assert!(got.weights.is_none()),
            _ => agrees(&operands, 1, &g, &got.weights.unwrap(), &forward),
        }
    }
}

#[test]
fn a_class_that_is_ruled_out_has_no_gradient() {
    let g = Tensor::from_slice(&[1.0, 2.0, 4.0], &[3]).unwrap();
    let x = Tensor::from_slice(&[0.1, 0.2, 0.3], &[3]).unwrap();
    let logs = Tensor::from_slice(&[0.0, f64::NEG_INFINITY, -1.0], &[3]).unwrap();
    let weights = Tensor::from_slice(&[1.0, 0.0, 0.5], &[3]).unwrap();
    for weights in [Weights::Log(&logs), Weights::Provided(&weights)] {
        let p = syntonic_softmax(&x, weights, Softmax::default()).unwrap();
        let got = syntonic_softmax_gradients(&g, &p, weights, Softmax::default()).unwrap();
        assert_eq!(vec(&got.x)[1], 0.0);
        assert_eq!(vec(&got.weights.unwrap())[1], 0.0);
        assert!(vec(&got.scale)[0].is_finite());
    }
}

#[test]
fn mistakes_are_errors() {
    let (x, short) = (tensor(&[2, 3], 1), tensor(&[2, 2], 1));
    let (gamma, two) = (tensor(&[3], 2), tensor(&[2], 2));
    let ints = Tensor::zeros(&[2, 3], DType::I32).unwrap();
    let (mode, none) = (Mode::Phi, Activation::Relu);
    let is_shape = |e: Error| assert!(matches!(e, Error::Shape { .. }), "{e}");
    is_shape(phi_residual_backward(&short, &x, &x, mode, none).unwrap_err());
    is_shape(phi_residual_backward(&x, &x, &short, mode, none).unwrap_err());
    let norm = |g, gamma, eps| phi_residual_layer_norm_backward(g, &x, &x, mode, none, gamma, eps);
    is_shape(norm(&short, &gamma, 1e-5).unwrap_err());
    is_shape(norm(&x, &two, 1e-5).unwrap_err());
    assert!(matches!(norm(&x, &gamma, -1.0), Err(Error::Value { .. })));
    assert!(matches!(
        norm(&ints, &gamma, 1e-5),
        Err(Error::DType { .. })
    ));
    let layer = LayerNorm::default();
    is_shape(layer_norm_backward(&short, &x, None, layer).unwrap_err());
    is_shape(layer_norm_backward(&x, &x, Some(&two), layer).unwrap_err());
    let batch = BatchNorm::golden(Channels::Features);
    is_shape(batch_norm_backward(&short, &x, None, None, batch).unwrap_err());
    is_shape(batch_norm_backward(&x, &x, Some(&two), None, batch).unwrap_err());
    is_shape(syntonic_softmax_backward(&short, &x, -1).unwrap_err());
    assert!(matches!(
        syntonic_softmax_backward(&x, &x, 2),
        Err(Error::Axis { .. })
    ));
    let base = Softmax::default();
    is_shape(syntonic_softmax_gradients(&x, &x, Weights::Log(&two), base).unwrap_err());
}

/// The short programs against `Program::grad`, which nothing was left out of, on a few rows.
#[test]
fn short_and_plain_gradients_agree() {
    let plain = [
        (&*LAYER_AFFINE, &*LAYER_NORM),
        (&*BATCH_AFFINE, &*BATCH_NORM),
    ];
    for (short, formula) in plain {
        let grad = formula.grad(&[0, 1, 2]).unwrap();
        assert!(short.nodes.len() < grad.nodes.len());
        let tensors: Vec<(String, Tensor)> = (grad.inputs.iter().enumerate())
            .filter(|(_, i)| i.role != Role::Number)
            .map(|(k, i)| {
                let shape: &[usize] = match (i.role, &*i.name) {
                    (Role::Element, _) => &[3, 8],
                    (Role::Row, _) => &[8],
                    _ => &[3],
                };
                let t = tensor(shape, k);
                // The statistics have no part in the loss.
                let unused = matches!(&*i.name, "cotangent_1" | "cotangent_2");
                let zero = || Tensor::zeros(shape, DType::F64).unwrap();
                (i.name.to_string(), if unused { zero() } else { t })
            })
            .collect();
        let tensors: Vec<(&str, &Tensor)> = tensors.iter().map(|(n, t)| (&**n, t)).collect();
        let operands = Operands {
            tensors: &tensors,
            numbers: &[("scale", 0.8.into()), ("eps", 1e-5.into())],
        };
        let got = operands.rows(short, &[-1]).unwrap();
        let want = operands.rows(&grad, &[-1]).unwrap();
        for (got, want) in got.iter().zip(&want) {
            for (g, w) in vec(got).iter().zip(vec(want)) {
                assert!((g - w).abs() < 1e-12, "{g} is not {w}");
            }
        }
    }
}
