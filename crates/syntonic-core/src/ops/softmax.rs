//! Softmax along an axis, and its logarithm.

use crate::error::{Error, Result};
use crate::fuse;
use crate::fuse::Program;
use crate::fuse::notation::{Sym, exp, max, stop_gradient, sum};
use crate::layout::normalize_axis;
use crate::lazy::as_type;
use crate::run::{self, Axes};
use crate::tensor::{Tensor, describe};

/// `e^(z - max z)` over its sum, which is the same for every shift, as part of a formula over rows.
///
/// ```
/// use syntonic_core::fuse;
/// use syntonic_core::ops::softmax::normalized;
/// use syntonic_core::prelude::*;
/// use syntonic_core::run::{self, Axes};
///
/// fuse! { COOLED(x: element) -> (element) { normalized(0.5 * x) } }
/// let x = Tensor::from([[0.0, 0.0], [7.0, 7.0]]);
/// let p = run::rows(&COOLED, &[&x], &[], &[-1], Axes::Drop)?;
/// assert_eq!(p[0].to_vec::<f64>()?, [0.5; 4]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn normalized(z: Sym) -> Sym {
    let e = exp(z - stop_gradient(max(z)));
    e / sum(e)
}

fuse! {
    /// Softmax along the row.
    pub SOFTMAX(x: element) -> (element) { normalized(x) }

    /// The logarithm of the softmax along the row, which does not lose what is far below the largest.
    pub LOG_SOFTMAX(x: element) -> (element) {
        let shifted = x - stop_gradient(max(x));
        shifted - log(sum(exp(shifted)))
    }
}

/// `e^(x_i) / sum of e^(x_j)` along `axis`: `[.., n, ..] -> [.., n, ..]`, with the largest taken off first.
///
/// Integers give `float64`. Plus infinity or NaN in a row gives NaN there, and so does a row of nothing but minus infinities.
/// Errors: [`Error::Axis`] where there is no such axis, [`Error::DType`] for complex numbers.
///
/// ```
/// use syntonic_core::ops::softmax::softmax;
/// use syntonic_core::prelude::*;
///
/// let p = softmax(&Tensor::from([0.0, 3f64.ln()]), -1)?.to_vec::<f64>()?;
/// assert!((p[0] - 0.25).abs() < 1e-15 && (p[1] - 0.75).abs() < 1e-15);
/// let even = softmax(&Tensor::from([1000, 1000]), -1)?;
/// assert_eq!(even.to_vec::<f64>()?, [0.5, 0.5]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn softmax(x: &Tensor, axis: isize) -> Result<Tensor> {
    along("softmax", &SOFTMAX, x, axis)
}

/// `x_i - ln sum of e^(x_j)` along `axis`, the logarithm of [`softmax`].
///
/// Errors as [`softmax`].
///
/// ```
/// use syntonic_core::ops::softmax::log_softmax;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([0.0, 0.0, -1000.0]);
/// let p = log_softmax(&x, 0)?.to_vec::<f64>()?;
/// assert!((p[0] + 2f64.ln()).abs() < 1e-15 && (p[2] + 1000.0 + 2f64.ln()).abs() < 1e-12);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn log_softmax(x: &Tensor, axis: isize) -> Result<Tensor> {
    along("log_softmax", &LOG_SOFTMAX, x, axis)
}

fn along(op: &'static str, program: &Program, x: &Tensor, axis: isize) -> Result<Tensor> {
    let axis = normalize_axis(op, axis, x.ndim())?;
    let real = as_type(x, x.dtype().to_inexact())?;
    if x.numel() == 0 {
        return Ok(real);
    }
    let out = run::rows(program, &[&real], &[], &[axis as isize], Axes::Keep);
    match out {
        Ok(mut out) => Ok(out.remove(0)),
        Err(Error::DType { hint, .. }) => Err(Error::DType {
            op,
            operands: describe(&[x]),
            hint,
        }),
        Err(other) => Err(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DType;

    #[test]
    fn rows_are_probabilities_and_their_logarithms() {
        // ln(e^0 / (e^0 + e^ln 3)) = -ln 4; shifts do not change it.
        let x = Tensor::from_slice(&[0.0, 3f64.ln(), 1000.0, 1000.0 + 3f64.ln()], &[2, 2]).unwrap();
        let p = softmax(&x, 1).unwrap().to_vec::<f64>().unwrap();
        let l = log_softmax(&x, -1).unwrap().to_vec::<f64>().unwrap();
        // 1000 + ln 3 has lost thirteen bits of ln 3: 1000 * 2^-53.
        for (k, want) in [0.25f64, 0.75, 0.25, 0.75].into_iter().enumerate() {
            assert!((p[k] - want).abs() < 2e-13, "{p:?}");
            assert!((l[k] - want.ln()).abs() < 3e-13, "{l:?}");
        }
        let column = softmax(&x, 0).unwrap().to_vec::<f64>().unwrap();
        assert_eq!(column, [0.0, 0.0, 1.0, 1.0]);
    }

    #[test]
    fn what_it_does_not_take_is_named() {
        let x = Tensor::zeros(&[2, 3], DType::C64).unwrap();
        let e = softmax(&x, 0).unwrap_err();
        assert!(matches!(e, Error::DType { op: "softmax", .. }), "{e}");
        let e = log_softmax(&x.real().unwrap(), 2).unwrap_err();
        assert!(
            matches!(
                e,
                Error::Axis {
                    op: "log_softmax",
                    ..
                }
            ),
            "{e}"
        );
        let none = Tensor::zeros(&[2, 0], DType::I32).unwrap();
        let none = softmax(&none, 1).unwrap();
        assert_eq!((none.shape(), none.dtype()), (&[2, 0][..], DType::F64));
    }
}
