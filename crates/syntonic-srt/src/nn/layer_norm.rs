//! Layer norm over the last axes, with the golden target variance as an option.

use super::{TargetVariance, check_eps, check_real};
use syntonic_core::fuse::Program;
use syntonic_core::run::{self, Axes};
use syntonic_core::{Error, Result, Scalar, Tensor, describe, fuse, same_device};

fuse! {
    pub(super) LAYER_NORM(x: element, gamma: row, beta: row, scale: number, eps: number) -> (element) {
        let centred = x - mean(x);
        let rate = rsqrt(mean(square(centred)) + eps) * scale;
        centred * rate * gamma + beta
    }

    pub(super) LAYER_NORM_PLAIN(x: element, scale: number, eps: number) -> (element) {
        let centred = x - mean(x);
        centred * (rsqrt(mean(square(centred)) + eps) * scale)
    }
}

/// The formulas.
pub(super) fn formulas() -> Vec<&'static Program> {
    vec![&LAYER_NORM, &LAYER_NORM_PLAIN]
}

/// Settings of [`layer_norm`].
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct LayerNorm {
    /// How many trailing axes form the row.
    pub axes: usize,
    /// The variance of the result.
    pub target: TargetVariance,
    /// Added to the variance.
    pub eps: f64,
}

impl Default for LayerNorm {
    fn default() -> LayerNorm {
        LayerNorm {
            axes: 1,
            target: TargetVariance::Golden,
            eps: 1e-5,
        }
    }
}

/// `sqrt(v) (x - mean) / sqrt(var + eps) * gamma + beta` over the trailing axes, with `v` the target
/// variance and the variance divided by the number of elements. `x: [..., row] -> [..., row]`;
/// `gamma` and `beta` have the row's shape and come together or not at all.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::nn::{LayerNorm, TargetVariance, layer_norm};
///
/// let settings = LayerNorm { target: TargetVariance::Custom(4.0), eps: 0.0, ..LayerNorm::default() };
/// let y = layer_norm(&Tensor::from([[1.0, 3.0], [7.0, 5.0]]), None, settings)?;
/// assert_eq!(y.to_vec::<f64>()?, [-2.0, 2.0, 2.0, -2.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn layer_norm(
    x: &Tensor,
    affine: Option<(&Tensor, &Tensor)>,
    settings: LayerNorm,
) -> Result<Tensor> {
    let op = "layer_norm";
    let (axes, numbers) = check(op, x, settings)?;
    let Some((gamma, beta)) = affine else {
        return Ok(run::rows(&LAYER_NORM_PLAIN, &[x], &numbers, &axes, Axes::Drop)?.remove(0));
    };
    let row = &x.shape()[x.ndim() - settings.axes..];
    same_device(op, &[x, gamma, beta])?;
    if gamma.shape() != row || beta.shape() != row {
        return Err(Error::Shape {
            op,
            operands: describe(&[x, gamma, beta]),
            hint: format!("gamma and beta have the shape of the row, {row:?}"),
        });
    }
    Ok(run::rows(&LAYER_NORM, &[x, gamma, beta], &numbers, &axes, Axes::Drop)?.remove(0))
}

/// The axes of the row, and the factor and epsilon of the formula.
pub(super) fn check(
    op: &'static str,
    x: &Tensor,
    settings: LayerNorm,
) -> Result<(Vec<isize>, [Scalar; 2])> {
    check_eps(op, settings.eps)?;
    let scale = settings.target.value()?.sqrt();
    check_real(op, &[x])?;
    if settings.axes == 0 || settings.axes > x.ndim() {
        return Err(Error::Shape {
            op,
            operands: describe(&[x]),
            hint: format!(
                "{} trailing axes were asked for; name at least one and at most {}",
                settings.axes,
                x.ndim()
            ),
        });
    }
    let axes = (1..=settings.axes as isize).map(|k| -k).collect();
    Ok((axes, [scale.into(), settings.eps.into()]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constants::INV_PHI;

    #[test]
    fn golden_target_variance_is_met() {
        let x: Vec<f64> = (0..6 * 300).map(|i| ((i * 7) % 23) as f64).collect();
        let t = Tensor::from_vec(x, &[6, 300]).unwrap();
        let y = layer_norm(
            &t,
            None,
            LayerNorm {
                eps: 0.0,
                ..LayerNorm::default()
            },
        )
        .unwrap();
        for row in y.to_vec::<f64>().unwrap().chunks(300) {
            let mean = row.iter().sum::<f64>() / 300.0;
            let var = row.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / 300.0;
            assert!(
                mean.abs() < 1e-13 && (var - INV_PHI).abs() < 1e-12,
                "{mean} {var}"
            );
        }
    }

    #[test]
    fn last_axes_not_all_elements() {
        let t = Tensor::from_vec((0..24).map(f64::from).collect::<Vec<_>>(), &[2, 3, 4]).unwrap();
        let one = layer_norm(
            &t,
            None,
            LayerNorm {
                axes: 2,
                ..LayerNorm::default()
            },
        )
        .unwrap();
        let flat = t.reshape(&[2, 12]).unwrap();
        let two = layer_norm(&flat, None, LayerNorm::default()).unwrap();
        assert_eq!(one.to_vec::<f64>().unwrap(), two.to_vec::<f64>().unwrap());
        assert!(
            layer_norm(
                &t,
                None,
                LayerNorm {
                    axes: 4,
                    ..LayerNorm::default()
                }
            )
            .is_err()
        );
        assert!(layer_norm(&t, Some((&t, &t)), LayerNorm::default()).is_err());
    }

    #[test]
    fn constant_rows_give_beta() {
        let x = Tensor::full(&[2, 5], 3.25, syntonic_core::DType::F32).unwrap();
        let gamma = Tensor::ones(&[5], syntonic_core::DType::F32).unwrap();
        let beta = Tensor::from_slice(&[1.0f32, 2.0, 3.0, 4.0, 5.0], &[5]).unwrap();
        let y = layer_norm(&x, Some((&gamma, &beta)), LayerNorm::default()).unwrap();
        assert_eq!(
            y.to_vec::<f32>().unwrap(),
            [1.0, 2.0, 3.0, 4.0, 5.0, 1.0, 2.0, 3.0, 4.0, 5.0]
        );
    }
}
