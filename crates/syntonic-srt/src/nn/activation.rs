//! Element-wise golden functions.

use super::check_real;
use crate::constants::{INV_PHI, PHI};
use syntonic_core::fork::Lazy;
use syntonic_core::fuse::notation::trace;
use syntonic_core::fuse::{Program, Role, Yield};
use syntonic_core::ops::composites::logistic;
use syntonic_core::{Result, Tensor, composites, run};

/// ln(phi).
const LN_PHI: f64 = 0.481_211_825_059_603_45;

composites! {
    GOLDEN_GELU "golden_gelu" (x) "x / (1 + e^(-phi x)): GELU with the golden ratio as its slope." =>
        x * logistic(x * PHI);
    EXP_GOLDEN "exp_golden" (x) "e^(-x/phi)." => exp(x * -INV_PHI);
    PHI_EXP "phi_exp" (x) "phi^x." => exp(x * LN_PHI);
    PHI_EXP_INV "phi_exp_inv" (x) "phi^-x." => exp(x * -LN_PHI);
    SCALE_PHI "scale_phi" (x) "phi x." => x * PHI;
    SCALE_PHI_INV "scale_phi_inv" (x) "x / phi." => x * INV_PHI;
    FMA_PHI "fma_phi" (a, b) "phi a + b." => a * PHI + b;
    FMA_PHI_INV "fma_phi_inv" (a, b) "a / phi + b." => a * INV_PHI + b;
}

static FORWARD: Lazy<Program> = Lazy::new(|| {
    let inputs = [("x", Role::Element)];
    trace("golden_gelu", &inputs, &[Yield::Element], |s| {
        vec![GOLDEN_GELU.over(s)]
    })
});

/// Golden GELU as a layer's formula, which its gradient is made of.
pub(super) fn formula() -> &'static Program {
    &FORWARD
}

/// `x / (1 + e^(-phi x))`: GELU with the golden ratio as its slope, `[...] -> [...]`.
///
/// Real floats; half types are computed in `float32` and rounded once, where the composite [`GOLDEN_GELU`] of a longer
/// chain rounds after each step. An error where the operand is no real float.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::nn::golden_gelu;
///
/// let y = golden_gelu(&Tensor::from([0.0, 100.0, -100.0]))?.to_vec::<f64>()?;
/// assert!(y[0] == 0.0 && y[1] == 100.0 && y[2].abs() < 1e-60);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn golden_gelu(x: &Tensor) -> Result<Tensor> {
    check_real("golden_gelu", &[x])?;
    Ok(run::map(&FORWARD, &[x], &[], x.shape(), x.device())?.remove(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntonic_core::ops::elementwise::composite;
    use syntonic_core::{DType, Error};

    #[test]
    fn golden_gelu_known_values() {
        let x = [1.0, -1.0, 2.0, 0.5, -3.0, -0.790_134_540_837_936_9];
        let want = [
            0.834_523_814_335_826_3,
            -0.165_476_185_664_173_73,
            1.924_338_490_590_102_3,
            0.345_949_996_106_668_64,
            -0.023_208_057_030_297_51,
            -0.172_100_552_088_042_1,
        ];
        let t = Tensor::from_slice(&x, &[6]).unwrap();
        let got: Vec<f64> = composite(GOLDEN_GELU.name, GOLDEN_GELU.build, &[(&t).into()])
            .unwrap()
            .to_vec()
            .unwrap();
        for (g, w) in got.iter().zip(want) {
            // exp, a sum and a quotient: within 8 units of the last place.
            assert!(
                (g - w).abs() <= 8.0 * f64::EPSILON * f64::abs(w),
                "{g} is not {w}"
            );
        }
    }

    #[test]
    fn golden_gelu_of_half_types_is_rounded_once() {
        let x: Vec<f32> = (-64..64).map(|i| i as f32 / 16.0).collect();
        let x = Tensor::from_slice(&x, &[128]).unwrap();
        for half in [DType::F16, DType::BF16] {
            let got = golden_gelu(&x.cast(half).unwrap()).unwrap();
            let wide = golden_gelu(&x.cast(half).unwrap().cast(DType::F32).unwrap()).unwrap();
            assert_eq!(got.dtype(), half);
            let want = wide.cast(half).unwrap();
            assert_eq!(got.to_vec::<f32>().unwrap(), want.to_vec::<f32>().unwrap());
        }
        let whole = Tensor::zeros(&[2], DType::I32).unwrap();
        assert!(matches!(golden_gelu(&whole), Err(Error::DType { .. })));
    }

    #[test]
    fn golden_gelu_of_both_signs_differ_by_x() {
        let x: Vec<f64> = (-50..50).map(|i| f64::from(i) * 0.37).collect();
        let minus: Vec<f64> = x.iter().map(|v| -v).collect();
        let f = |v: &[f64]| {
            let t = Tensor::from_slice(v, &[v.len()]).unwrap();
            composite(GOLDEN_GELU.name, GOLDEN_GELU.build, &[(&t).into()])
                .unwrap()
                .to_vec::<f64>()
                .unwrap()
        };
        for ((a, b), x) in f(&x).iter().zip(f(&minus)).zip(&x) {
            assert!((a - b - x).abs() <= 8.0 * f64::EPSILON * x.abs().max(1e-300));
        }
    }

    #[test]
    fn ln_phi_is_the_logarithm_of_phi() {
        assert!((LN_PHI - PHI.ln()).abs() <= f64::EPSILON);
    }

    /// Every composite's slope against differences of fourth order: with a step of 2^-9 the rule leaves
    /// out 5e-13 of a fifth derivative, and rounding adds 1e-13 of the value.
    #[test]
    fn slopes() {
        use syntonic_core::fuse::{Builder, Precision};
        use syntonic_core::run::map;
        let points = [-1.9, -0.7, 0.0, 0.4, 2.3];
        let tensor = |h: f64| {
            let moved: Vec<f64> = points.iter().map(|x| x + h).collect();
            Tensor::from_vec(moved, &[5]).unwrap()
        };
        for c in ALL {
            let mut b = Builder::new();
            let args: Vec<_> = c.args.iter().map(|&a| b.input(a, Role::Element)).collect();
            let out = (c.build)(&mut b, &args);
            b.output(out, Yield::Element);
            let program = b.finish(c.name, Precision::Wide);
            let grad = program.grad(&[0]).unwrap();
            let run = |p: &Program, h: f64| -> Vec<f64> {
                let tensors = [
                    tensor(h),
                    tensor(0.0),
                    Tensor::from_slice(&[1.0; 5], &[5]).unwrap(),
                ];
                // The moved operand, the others, and the cotangent of a gradient.
                let which = (0..c.args.len()).chain([2]).take(p.inputs.len());
                let inputs: Vec<&Tensor> = which.map(|k| &tensors[k]).collect();
                map(p, &inputs, &[], &[5], tensors[0].device()).unwrap()[0]
                    .to_vec()
                    .unwrap()
            };
            let h = 1.0 / 512.0;
            let [near, back, far, far_back] = [h, -h, 2.0 * h, -2.0 * h].map(|h| run(&program, h));
            for (i, g) in run(&grad, 0.0).iter().enumerate() {
                let want = (8.0 * (near[i] - back[i]) - (far[i] - far_back[i])) / (12.0 * h);
                assert!(
                    (g - want).abs() < 1e-9,
                    "{} at {}: {g} is not {want}",
                    c.name,
                    points[i]
                );
            }
        }
    }
}
