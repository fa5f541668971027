//! The phi-residual connection, with an activation and layer norm in the same pass.

use crate::constants::INV_PHI;
use syntonic_core::fork::Lazy;
use syntonic_core::fuse::notation::{Sym, trace};
use syntonic_core::fuse::{Program, Role, Yield};
use syntonic_core::ops::composites::{Composite, GELU, GELU_ERF, RELU};
use syntonic_core::run::{self, Axes};
use syntonic_core::{Error, Result, Tensor, describe, same_device};

use super::{check_eps, check_real};

/// How the residual joins the identity.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
pub enum Mode {
    /// `x + r/phi`: a stack of L layers grows at most as phi^L.
    #[default]
    Phi,
    /// `(x + r)/phi`.
    PhiSymmetric,
    /// `x + r`.
    Standard,
}

/// The activation after the sum.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
pub enum Activation {
    /// None.
    #[default]
    None,
    /// `max(y, 0)`; NaN stays NaN.
    Relu,
    /// GELU in its tanh form.
    Gelu,
    /// GELU by the error function.
    GeluErf,
}

pub(super) const MODES: [Mode; 3] = [Mode::Phi, Mode::PhiSymmetric, Mode::Standard];
pub(super) const ACTIVATIONS: [Activation; 4] = [
    Activation::None,
    Activation::Relu,
    Activation::Gelu,
    Activation::GeluErf,
];

/// The formula of the sum and activation.
fn joined(x: Sym, r: Sym, mode: Mode, activation: Activation) -> Sym {
    let y = match mode {
        Mode::Phi => x + r * INV_PHI,
        Mode::PhiSymmetric => (x + r) * INV_PHI,
        Mode::Standard => x + r,
    };
    let composite: Composite = match activation {
        Activation::None => return y,
        Activation::Relu => RELU,
        Activation::Gelu => GELU,
        Activation::GeluErf => GELU_ERF,
    };
    composite.over(&[y])
}

pub(super) fn plain(mode: Mode, activation: Activation) -> Program {
    trace(
        "phi_residual",
        &[("x", Role::Element), ("r", Role::Element)],
        &[Yield::Element],
        |s| vec![joined(s[0], s[1], mode, activation)],
    )
}

pub(super) fn normed(mode: Mode, activation: Activation) -> Program {
    let inputs = [
        ("x", Role::Element),
        ("r", Role::Element),
        ("gamma", Role::Row),
        ("beta", Role::Row),
        ("eps", Role::Number),
    ];
    trace("phi_residual_layer_norm", &inputs, &[Yield::Element], |s| {
        use syntonic_core::fuse::notation::{mean, rsqrt, square};
        let y = joined(s[0], s[1], mode, activation);
        let centred = y - mean(y);
        let scale = rsqrt(mean(square(centred)) + s[4]);
        vec![centred * scale * s[2] + s[3]]
    })
}

pub(super) fn table(make: fn(Mode, Activation) -> Program) -> Vec<Program> {
    MODES
        .iter()
        .flat_map(|&m| ACTIVATIONS.iter().map(move |&a| make(m, a)))
        .collect()
}

static PLAIN: Lazy<Vec<Program>> = Lazy::new(|| table(plain));
static NORMED: Lazy<Vec<Program>> = Lazy::new(|| table(normed));

/// The formulas with folds.
pub(super) fn formulas() -> Vec<&'static Program> {
    NORMED.iter().collect()
}

/// The formulas over single elements.
pub(super) fn maps() -> Vec<&'static Program> {
    PLAIN.iter().collect()
}

pub(super) fn index(mode: Mode, activation: Activation) -> usize {
    mode as usize * ACTIVATIONS.len() + activation as usize
}

pub(super) fn check(op: &'static str, x: &Tensor, r: &Tensor) -> Result<()> {
    same_device(op, &[x, r])?;
    check_real(op, &[x, r])?;
    if x.shape() != r.shape() {
        return Err(Error::Shape {
            op,
            operands: describe(&[x, r]),
            hint: "identity and residual have the same shape; nothing is broadcast".into(),
        });
    }
    Ok(())
}

/// `activation(x + r/phi)` (or the sum of another [`Mode`]): `[...], [...] -> [...]`.
///
/// Real floats; half types are computed in `float32` and rounded once. Errors where shapes, types or
/// devices do not fit; nothing is broadcast.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::nn::{Activation, Mode, phi_residual};
///
/// let (x, r) = (Tensor::from([1.0, -5.0]), Tensor::from([2.0, 1.0]));
/// let y = phi_residual(&x, &r, Mode::Standard, Activation::Relu)?;
/// assert_eq!(y.to_vec::<f64>()?, [3.0, 0.0]);
/// let y = phi_residual(&x, &r, Mode::Phi, Activation::None)?.to_vec::<f64>()?;
/// assert!((y[0] - (1.0 + 2.0 * 0.618033988749895)).abs() < 1e-14);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn phi_residual(x: &Tensor, r: &Tensor, mode: Mode, activation: Activation) -> Result<Tensor> {
    check("phi_residual", x, r)?;
    let program = &PLAIN[index(mode, activation)];
    Ok(run::map(program, &[x, r], &[], x.shape(), x.device())?.remove(0))
}

/// The phi-residual followed by layer norm over the last axis, in one pass:
/// `(y - mean) / sqrt(var + eps) * gamma + beta` with `y` as [`phi_residual`] gives it, the variance
/// divided by the number of elements. `x, r: [..., n]`, `gamma, beta: [n] -> [..., n]`.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::nn::{Activation, Mode, phi_residual_layer_norm};
///
/// let (x, r) = (Tensor::from([[1.0, 2.0]]), Tensor::from([[0.0, 1.0]]));
/// let (gamma, beta) = (Tensor::from([10.0, 10.0]), Tensor::from([0.5, 0.5]));
/// let y = phi_residual_layer_norm(&x, &r, Mode::Standard, Activation::None, &gamma, &beta, 0.0)?;
/// assert_eq!(y.to_vec::<f64>()?, [-9.5, 10.5]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn phi_residual_layer_norm(
    x: &Tensor,
    r: &Tensor,
    mode: Mode,
    activation: Activation,
    gamma: &Tensor,
    beta: &Tensor,
    eps: f64,
) -> Result<Tensor> {
    let op = "phi_residual_layer_norm";
    check(op, x, r)?;
    check_eps(op, eps)?;
    let last = x.shape().last().copied().unwrap_or(0);
    if x.ndim() == 0 || gamma.shape() != [last] || beta.shape() != [last] {
        return Err(Error::Shape {
            op,
            operands: describe(&[x, r, gamma, beta]),
            hint: format!("gamma and beta have the length of the last axis, [{last}]"),
        });
    }
    let program = &NORMED[index(mode, activation)];
    Ok(run::rows(
        program,
        &[x, r, gamma, beta],
        &[eps.into()],
        &[-1],
        Axes::Drop,
    )?
    .remove(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constants::PHI;
    use syntonic_core::DType;

    fn t(values: &[f64], shape: &[usize]) -> Tensor {
        Tensor::from_slice(values, shape).unwrap()
    }

    fn close(got: &Tensor, want: &[f64], ulps: f64) {
        for (g, w) in got.to_vec::<f64>().unwrap().iter().zip(want) {
            assert!(
                (g - w).abs() <= ulps * f64::EPSILON * w.abs(),
                "{g} is not {w}"
            );
        }
    }

    #[test]
    fn known_values_of_the_three_modes() {
        let (one, r) = (t(&[1.0; 4], &[4]), t(&[1.0, 2.0, 3.0, 4.0], &[4]));
        let f = |m| phi_residual(&one, &r, m, Activation::None).unwrap();
        close(
            &f(Mode::Phi),
            &[1.0, 2.0, 3.0, 4.0].map(|k| 1.0 + k / PHI),
            1.0,
        );
        close(
            &f(Mode::PhiSymmetric),
            &[1.0, 2.0, 3.0, 4.0].map(|k| (1.0 + k) / PHI),
            1.0,
        );
        close(&f(Mode::Standard), &[2.0, 3.0, 4.0, 5.0], 0.0);
        let want = [
            1.532_380_889_223_378_7,
            2.208_022_337_224_046_8,
            2.848_398_464_619_439_4,
            3.471_448_837_754_311_5,
        ];
        close(
            &phi_residual(&one, &r, Mode::Phi, Activation::Gelu).unwrap(),
            &want,
            4.0,
        );
    }

    #[test]
    fn fused_layer_norm_equals_its_definition() {
        let (rows, n) = (5, 700);
        let x: Vec<f64> = (0..rows * n)
            .map(|i| ((i * 37) % 101) as f64 / 17.0 - 2.0)
            .collect();
        let r: Vec<f64> = (0..rows * n)
            .map(|i| ((i * 53) % 97) as f64 / 13.0 - 3.0)
            .collect();
        let gamma: Vec<f64> = (0..n).map(|i| 1.0 + i as f64 / n as f64).collect();
        let beta: Vec<f64> = (0..n).map(|i| (i % 7) as f64).collect();
        let (tx, tr) = (t(&x, &[rows, n]), t(&r, &[rows, n]));
        for mode in MODES {
            for activation in ACTIVATIONS {
                let y = phi_residual(&tx, &tr, mode, activation)
                    .unwrap()
                    .to_vec::<f64>()
                    .unwrap();
                let got = phi_residual_layer_norm(
                    &tx,
                    &tr,
                    mode,
                    activation,
                    &t(&gamma, &[n]),
                    &t(&beta, &[n]),
                    1e-5,
                );
                let got = got.unwrap().to_vec::<f64>().unwrap();
                for (i, row) in y.chunks(n).enumerate() {
                    let mu = row.iter().sum::<f64>() / n as f64;
                    let var = row.iter().map(|v| (v - mu).powi(2)).sum::<f64>() / n as f64;
                    for j in 0..n {
                        let want = (row[j] - mu) / (var + 1e-5).sqrt() * gamma[j] + beta[j];
                        assert!(
                            (got[i * n + j] - want).abs() < 1e-12 * want.abs().max(1.0),
                            "{mode:?} {activation:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn half_types_are_rounded_once() {
        let x = t(&[1.0, 0.333, -2.5], &[3]).cast(DType::BF16).unwrap();
        let r = t(&[0.7, 0.123, 4.0], &[3]).cast(DType::BF16).unwrap();
        let got = phi_residual(&x, &r, Mode::Phi, Activation::Relu).unwrap();
        assert_eq!(got.dtype(), DType::BF16);
        let wide = |t: &Tensor| t.cast(DType::F32).unwrap();
        let want = phi_residual(&wide(&x), &wide(&r), Mode::Phi, Activation::Relu)
            .unwrap()
            .cast(DType::BF16)
            .unwrap();
        assert_eq!(got.to_vec::<f32>().unwrap(), want.to_vec::<f32>().unwrap());
    }

    #[test]
    fn nan_passes_through_relu_and_mistakes_are_errors() {
        let x = t(&[f64::NAN, 1.0], &[2]);
        let y = phi_residual(&x, &x, Mode::Phi, Activation::Relu)
            .unwrap()
            .to_vec::<f64>()
            .unwrap();
        assert!(y[0].is_nan());
        let short = t(&[1.0], &[1]);
        assert!(matches!(
            phi_residual(&x, &short, Mode::Phi, Activation::None),
            Err(Error::Shape { .. })
        ));
        let ints = Tensor::zeros(&[2], DType::I32).unwrap();
        assert!(matches!(
            phi_residual(&x, &ints, Mode::Phi, Activation::None),
            Err(Error::DType { .. })
        ));
        let e = phi_residual_layer_norm(&x, &x, Mode::Phi, Activation::None, &x, &x, -1.0);
        assert!(matches!(e, Err(Error::Value { .. })));
    }
}
