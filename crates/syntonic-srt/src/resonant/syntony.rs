//! Syntony: how much of a state's energy lies in low modes.

use super::modes::Modes;
use syntonic_core::fuse::Program;
use syntonic_core::fuse::notation::{Sym, abs, eq, gt, max, select, square, stop_gradient, sum};
use syntonic_core::run::{self, Axes};
use syntonic_core::{Error, Result, Tensor, fuse};

/// sum |psi_i|^2 w_i / sum |psi_i|^2, scaled by the largest magnitude, so that it does not depend on the scale of the state.
pub(super) fn share(psi: Sym, w: Sym) -> Sym {
    let m = max(abs(psi));
    let scale = stop_gradient(select(gt(m, 0.0), m, 1.0));
    let energy = square(abs(psi) / scale);
    let total = sum(energy);
    sum(energy * w) / select(eq(total, 0.0), 1.0, total)
}

fuse! {
    /// The part of a state's energy that its weights let through.
    SYNTONY(psi: element, w: row) -> (row_scalar) {
        share(psi, w)
    }
}

pub(super) fn formulas() -> Vec<&'static Program> {
    vec![&SYNTONY]
}

/// `S = sum |psi_i|^2 w_i / sum |psi_i|^2` over the last axis: `[..., n], [n] -> [...]`, in `float64`
/// for `float64` and `complex128` states, else in `float32`. A state of zeros has syntony 0.
///
/// Errors where the norms' shape is not that of the last axis, or the state is not a real or complex float. Whoever
/// measures many states by the same norms makes [`Modes`] of them once.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::resonant::{mode_norms, syntony};
///
/// let psi = Tensor::from([[3.0, 0.0], [0.0, 3.0], [0.0, 0.0]]);
/// let s = syntony(&psi, &mode_norms(2)?)?.to_vec::<f64>()?;
/// // The first mode is in tune, the second has the weight e^(-1/φ), and nothing has none.
/// assert!(s[0] == 1.0 && (s[1] - (-0.618033988749895f64).exp()).abs() < 1e-15 && s[2] == 0.0);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn syntony(psi: &Tensor, norms: &Tensor) -> Result<Tensor> {
    Modes::of("syntony", norms, psi)?.syntony(psi)
}

impl Modes {
    /// [`syntony`] by these modes.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::{Modes, mode_norms};
    ///
    /// let modes = Modes::new(&mode_norms(2)?, DType::F64)?;
    /// let (one, other) = (modes.syntony(&Tensor::from([1.0, 2.0]))?, modes.syntony(&Tensor::from([10.0, 20.0]))?);
    /// assert!((one - other).abs()?.to_scalar::<f64>()? < 1e-15);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn syntony(&self, psi: &Tensor) -> Result<Tensor> {
        let op = "syntony";
        self.check(op, psi)?;
        if self.is_empty() {
            let shape = &psi.shape()[..psi.ndim() - 1];
            return Tensor::full_on(shape, 0.0, self.norms.dtype(), psi.device());
        }
        let out = run::rows(&SYNTONY, &[psi, &self.weights], &[], &[-1], Axes::Drop)?;
        out.into_iter()
            .next()
            .ok_or_else(|| Error::value(op, "the program has an output"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::mode_norms;
    use super::*;
    use syntonic_core::num_complex::Complex;

    fn s(psi: &[f64], norms: &[f64]) -> f64 {
        let t = |v: &[f64]| Tensor::from_slice(v, &[v.len()]).unwrap();
        syntony(&t(psi), &t(norms))
            .unwrap()
            .item()
            .unwrap()
            .to_f64()
    }

    #[test]
    fn known_values() {
        let norms = [0.0, 1.0, 4.0, 9.0];
        for (psi, want) in [
            ([1.0, 1.0, 1.0, 1.0], 0.406_811_844_205_027_1),
            ([1.0, 2.0, 3.0, 4.0], 0.132_569_678_663_144_04),
            ([4.0, 3.0, 2.0, 1.0], 0.706_416_172_856_685_2),
            ([1.0, 0.0, 0.0, 0.0], 1.0),
        ] {
            assert!((s(&psi, &norms) - want).abs() < 1e-15, "{psi:?}");
        }
        let squares: Vec<f64> = (0..8).map(|i| f64::from(i * i)).collect();
        let mut low = [0.0; 8];
        low[0] = 1.0;
        low[1] = 1.0;
        assert!((s(&low, &squares) - 0.769_501_541_362_022_3).abs() < 1e-15);
        let mut high = [0.0; 8];
        high[6] = 1.0;
        high[7] = 1.0;
        assert!((s(&high, &squares) - 1.087_415_964_8e-10).abs() < 1e-20);
    }

    #[test]
    fn laws() {
        let norms = [0.0, 1.0, 4.0, 9.0];
        let psi = [0.3, -0.7, 0.2, 0.9];
        let base = s(&psi, &norms);
        for c in [1e-200, -3.0, 1e150] {
            assert!((s(&psi.map(|v| v * c), &norms) - base).abs() < 1e-15);
        }
        assert_eq!(s(&[0.0; 4], &norms), 0.0);
        assert!((s(&psi, &[0.0; 4]) - 1.0).abs() < 1e-15);
        assert!(s(&[0.3, -0.9, 0.2, 0.7], &norms) > base);
        let z: Vec<Complex<f64>> = psi.iter().map(|&v| Complex::new(0.0, v)).collect();
        let z = Tensor::from_slice(&z, &[4]).unwrap();
        let n = Tensor::from_slice(&norms, &[4]).unwrap();
        assert!((syntony(&z, &n).unwrap().item().unwrap().to_f64() - base).abs() < 1e-15);
    }

    #[test]
    fn batches_share_the_norms() {
        let x = Tensor::from_slice(&[1.0, 1.0, 0.0, 2.0, 0.0, 0.0], &[2, 3]).unwrap();
        let n = mode_norms(3).unwrap();
        let got = syntony(&x, &n).unwrap().to_vec::<f64>().unwrap();
        assert!((got[0] - 0.769_501_541_362_022_3).abs() < 1e-15 && got[1] == 1.0);
        assert!(matches!(
            syntony(&x, &mode_norms(2).unwrap()),
            Err(Error::Shape { .. })
        ));
    }

    /// dS/dpsi_i = 2 psi_i (w_i - S) / sum |psi|^2, and 0 for a state of zeros.
    #[test]
    fn gradients() {
        let c = |re: f64, im: f64| Complex::new(re, im);
        let psi = [
            c(1.0, -0.5),
            c(0.0, 2.0),
            c(0.3, 0.0),
            c(0.0, 0.0),
            c(0.0, 0.0),
            c(0.0, 0.0),
        ];
        let w = [1.0, 0.5, 0.1];
        let total: f64 = psi[..3].iter().map(|z| z.norm_sqr()).sum();
        let s = psi
            .iter()
            .zip(w)
            .map(|(z, w)| z.norm_sqr() * w)
            .sum::<f64>()
            / total;
        let grad = SYNTONY.grad(&[0]).unwrap();
        let inputs = [
            Tensor::from_slice(&psi, &[2, 3]).unwrap(),
            Tensor::from_slice(&w, &[3]).unwrap(),
            Tensor::from_slice(&[1.0, 1.0], &[2]).unwrap(),
        ];
        let inputs: Vec<&Tensor> = inputs.iter().collect();
        let got = run::rows(&grad, &inputs, &[], &[-1], Axes::Drop).unwrap();
        let got: Vec<Complex<f64>> = got[0].to_vec().unwrap();
        for i in 0..6 {
            let want = psi[i] * (2.0 * (w[i % 3] - s) / total);
            assert!((got[i] - want).norm() < 1e-15, "{} is not {want}", got[i]);
        }
    }
}
