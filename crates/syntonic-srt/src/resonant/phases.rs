//! The D phase spreads a state towards high modes, the H phase draws it back; one after the other is
//! a cycle. Both act at the syntony the state has before.

use super::syntony::{check, golden_weights, syntony};
use crate::constants::{INV_PHI, INV_PHI_SQUARED};
use syntonic_core::fuse::Program;
use syntonic_core::run::{self, Axes};
use syntonic_core::{DType, Error, Result, Tensor, describe, fuse};

fuse! {
    /// d_i = 1 + alpha |n_i|, alpha = (1 - S)/phi^2.
    DIFFERENTIATE(psi: element, norms: row, s: row_scalar) -> (element) {
        psi * ((1.0 - s) * INV_PHI_SQUARED * sqrt(norms) + 1.0)
    }

    /// The same with noise: + strength (1 - S) e^(-|n_i|^2/(4 phi)) xi_i.
    DIFFERENTIATE_NOISY(psi: element, norms: row, s: row_scalar, xi: element, strength: number) -> (element) {
        let spread = psi * ((1.0 - s) * INV_PHI_SQUARED * sqrt(norms) + 1.0);
        spread + strength * (1.0 - s) * exp(norms * (-0.25 * INV_PHI)) * xi
    }

    /// h_i = 1 - (S/phi)(1 - w_i).
    HARMONIZE(psi: element, w: row, s: row_scalar) -> (element) {
        psi * (1.0 - s * INV_PHI * (1.0 - w))
    }
}

pub(super) fn formulas() -> Vec<&'static Program> {
    vec![&DIFFERENTIATE, &DIFFERENTIATE_NOISY, &HARMONIZE]
}

/// Noise of the D phase.
#[derive(Clone, Copy, Debug)]
pub struct Noise<'a> {
    /// Standard normal numbers of the state's shape.
    pub values: &'a Tensor,
    /// Their scale.
    pub strength: f64,
}

fn first(op: &'static str, out: Vec<Tensor>) -> Result<Tensor> {
    out.into_iter()
        .next()
        .ok_or_else(|| Error::value(op, "the program has an output"))
}

/// The D phase at syntony `s` (one value per state): `[..., n], [n], [...] -> [..., n]`,
/// `psi_i (1 + alpha |n_i|) + strength (1 - S) e^(-|n_i|^2/(4 phi)) xi_i` with `alpha = (1 - S)/phi^2`.
pub fn differentiate(
    psi: &Tensor,
    norms: &Tensor,
    s: &Tensor,
    noise: Option<Noise<'_>>,
) -> Result<Tensor> {
    let op = "differentiate";
    check(op, psi, norms)?;
    let norms = norms.cast(psi.dtype().real().compute())?;
    check_syntony(op, psi, s)?;
    let Some(Noise { values, strength }) = noise else {
        return first(
            op,
            run::rows(&DIFFERENTIATE, &[psi, &norms, s], &[], &[-1], Axes::Drop)?,
        );
    };
    if values.shape() != psi.shape() {
        return Err(Error::Shape {
            op,
            operands: describe(&[psi, values]),
            hint: "one noise value per element of the state".into(),
        });
    }
    let inputs = [psi, &norms, s, values];
    first(
        op,
        run::rows(
            &DIFFERENTIATE_NOISY,
            &inputs,
            &[strength.into()],
            &[-1],
            Axes::Drop,
        )?,
    )
}

/// The H phase at syntony `s`: `psi_i (1 - (S/phi) (1 - e^(-|n_i|^2/phi)))`.
pub fn harmonize(psi: &Tensor, norms: &Tensor, s: &Tensor) -> Result<Tensor> {
    let op = "harmonize";
    check(op, psi, norms)?;
    check_syntony(op, psi, s)?;
    let w = golden_weights(&norms.cast(DType::F64)?)?.cast(psi.dtype().real().compute())?;
    first(
        op,
        run::rows(&HARMONIZE, &[psi, &w, s], &[], &[-1], Axes::Drop)?,
    )
}

/// D, then H, both at the syntony before: the new state, and its syntony.
pub fn cycle(psi: &Tensor, norms: &Tensor, noise: Option<Noise<'_>>) -> Result<(Tensor, Tensor)> {
    let s = syntony(psi, norms)?;
    let spread = differentiate(psi, norms, &s, noise)?;
    let next = harmonize(&spread, norms, &s)?;
    let after = syntony(&next, norms)?;
    Ok((next, after))
}

fn check_syntony(op: &'static str, psi: &Tensor, s: &Tensor) -> Result<()> {
    if s.shape() == &psi.shape()[..psi.ndim() - 1] {
        return Ok(());
    }
    Err(Error::Shape {
        op,
        operands: describe(&[psi, s]),
        hint: "one syntony per state".into(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::mode_norms;
    use super::*;

    fn close(got: &Tensor, want: &[f64]) {
        for (g, w) in got.to_vec::<f64>().unwrap().iter().zip(want) {
            assert!((g - w).abs() <= 1e-13 * w.abs(), "{g} is not {w}");
        }
    }

    #[test]
    fn known_cycle() {
        let psi = Tensor::from_slice(&[1.0, 2.0, 3.0, 4.0], &[4]).unwrap();
        let norms = mode_norms(4).unwrap();
        let s = syntony(&psi, &norms).unwrap();
        let d = differentiate(&psi, &norms, &s, None).unwrap();
        close(
            &d,
            &[
                1.0,
                2.662_657_799_756_871_7,
                4.987_973_399_270_615,
                7.975_946_798_541_23,
            ],
        );
        let (h, after) = cycle(&psi, &norms, None).unwrap();
        close(
            &h,
            &[
                1.0,
                2.562_087_454_787_366_4,
                4.613_790_102_205_588,
                7.324_966_343_898_677,
            ],
        );
        close(&after, &[0.079_277_718_395_589_31]);
    }

    #[test]
    fn laws() {
        let psi = Tensor::from_slice(&[0.5, -1.0, 2.0, 0.1, 3.0, 1.0, 0.0, -0.2], &[2, 4]).unwrap();
        let norms = mode_norms(4).unwrap();
        let s = syntony(&psi, &norms).unwrap();
        let f = |t: &Tensor| syntony(t, &norms).unwrap().to_vec::<f64>().unwrap();
        let (d, h) = (
            differentiate(&psi, &norms, &s, None).unwrap(),
            harmonize(&psi, &norms, &s).unwrap(),
        );
        for ((before, spread), drawn) in f(&psi).iter().zip(f(&d)).zip(f(&h)) {
            assert!(spread <= before + 1e-15 && drawn >= before - 1e-15);
        }
        let one = Tensor::ones(&[2], DType::F64).unwrap();
        close(
            &differentiate(&psi, &norms, &one, None).unwrap(),
            &psi.to_vec::<f64>().unwrap(),
        );
        let zero = Tensor::zeros(&[2], DType::F64).unwrap();
        close(
            &harmonize(&psi, &norms, &zero).unwrap(),
            &psi.to_vec::<f64>().unwrap(),
        );
    }

    #[test]
    fn noise_is_damped_in_high_modes() {
        let psi = Tensor::zeros(&[3], DType::F64).unwrap();
        let norms = mode_norms(3).unwrap();
        let zero = Tensor::scalar(0.0, DType::F64).unwrap();
        let values = Tensor::ones(&[3], DType::F64).unwrap();
        let d = differentiate(
            &psi,
            &norms,
            &zero,
            Some(Noise {
                values: &values,
                strength: 0.5,
            }),
        )
        .unwrap();
        close(
            &d,
            &[0.5, 0.5 * (-0.25 * INV_PHI).exp(), 0.5 * (-INV_PHI).exp()],
        );
        let wrong = Noise {
            values: &zero,
            strength: 0.5,
        };
        assert!(differentiate(&psi, &norms, &zero, Some(wrong)).is_err());
    }
}
