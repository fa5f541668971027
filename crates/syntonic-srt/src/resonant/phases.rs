//! The D phase spreads a state towards high modes, the H phase draws it back; one after the other is
//! a cycle. Both act at the syntony the state has before.

use super::modes::{Modes, check};
use super::syntony::share;
use crate::constants::{INV_PHI, INV_PHI_SQUARED};
use syntonic_core::fuse::Program;
use syntonic_core::fuse::notation::{Sym, exp};
use syntonic_core::run::{self, Axes};
use syntonic_core::{Error, Result, Tensor, describe, fuse};

/// psi_i (1 + alpha |n_i|), alpha = (1 - S)/phi^2.
fn spread(psi: Sym, lengths: Sym, s: Sym) -> Sym {
    psi * ((1.0 - s) * INV_PHI_SQUARED * lengths + 1.0)
}

/// strength (1 - S) e^(-|n_i|^2/(4 phi)) xi_i.
fn stirred(norms: Sym, s: Sym, xi: Sym, strength: Sym) -> Sym {
    strength * (1.0 - s) * exp(norms * (-0.25 * INV_PHI)) * xi
}

/// psi_i (1 - (S/phi)(1 - w_i)).
fn drawn(psi: Sym, w: Sym, s: Sym) -> Sym {
    psi * (1.0 - s * INV_PHI * (1.0 - w))
}

fuse! {
    /// d_i = 1 + alpha |n_i|, alpha = (1 - S)/phi^2.
    DIFFERENTIATE(psi: element, norms: row, s: row_scalar) -> (element) {
        spread(psi, sqrt(norms), s)
    }

    /// The same with noise: + strength (1 - S) e^(-|n_i|^2/(4 phi)) xi_i.
    DIFFERENTIATE_NOISY(psi: element, norms: row, s: row_scalar, xi: element, strength: number) -> (element) {
        spread(psi, sqrt(norms), s) + stirred(norms, s, xi, strength)
    }

    /// h_i = 1 - (S/phi)(1 - w_i).
    HARMONIZE(psi: element, w: row, s: row_scalar) -> (element) {
        drawn(psi, w, s)
    }

    /// The syntony before, D, H, and the syntony after, in one pass. Roots are taken once for all states, not for each.
    CYCLE(psi: element, lengths: row, w: row) -> (element, row_scalar) {
        let s = share(psi, w);
        let next = drawn(spread(psi, lengths, s), w, s);
        [next, share(next, w)]
    }

    /// The same with the noise of the D phase.
    CYCLE_NOISY(psi: element, norms: row, w: row, xi: element, strength: number) -> (element, row_scalar) {
        let s = share(psi, w);
        let next = drawn(spread(psi, sqrt(norms), s) + stirred(norms, s, xi, strength), w, s);
        [next, share(next, w)]
    }
}

pub(super) fn formulas() -> Vec<&'static Program> {
    vec![
        &DIFFERENTIATE,
        &DIFFERENTIATE_NOISY,
        &HARMONIZE,
        &CYCLE,
        &CYCLE_NOISY,
    ]
}

/// Noise of the D phase.
#[derive(Clone, Copy, Debug)]
pub struct Noise<'a> {
    /// Standard normal numbers of the state's shape.
    pub values: &'a Tensor,
    /// Their scale.
    pub strength: f64,
}

impl Noise<'_> {
    fn check(&self, op: &'static str, psi: &Tensor) -> Result<()> {
        if self.values.shape() == psi.shape() {
            return Ok(());
        }
        Err(Error::Shape {
            op,
            operands: describe(&[psi, self.values]),
            hint: "one noise value per element of the state".into(),
        })
    }
}

/// The D phase at syntony `s` (one value per state): `[..., n], [n], [...] -> [..., n]`,
/// `psi_i (1 + alpha |n_i|) + strength (1 - S) e^(-|n_i|^2/(4 phi)) xi_i` with `alpha = (1 - S)/phi^2`.
///
/// Real and complex floats; half types are computed in `float32` and rounded once. Errors where shapes, types or
/// devices do not fit. Whoever moves many states by the same norms makes [`Modes`] of them once.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::resonant::{differentiate, mode_norms};
///
/// let (psi, norms) = (Tensor::from([1.0, 1.0]), mode_norms(2)?);
/// // A state of full syntony stays as it is; in one of none, mode 1 grows by 1/φ².
/// let full = differentiate(&psi, &norms, &Tensor::scalar(1, DType::F64)?, None)?;
/// assert_eq!(full.to_vec::<f64>()?, [1.0, 1.0]);
/// let none = differentiate(&psi, &norms, &Tensor::scalar(0, DType::F64)?, None)?.to_vec::<f64>()?;
/// assert!(none[0] == 1.0 && (none[1] - 1.381966011250105).abs() < 1e-14);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn differentiate(
    psi: &Tensor,
    norms: &Tensor,
    s: &Tensor,
    noise: Option<Noise<'_>>,
) -> Result<Tensor> {
    check("differentiate", norms, psi)?;
    spread_by(&norms.cast(psi.dtype().real().compute())?, psi, s, noise)
}

/// The H phase at syntony `s`: `psi_i (1 - (S/phi) (1 - e^(-|n_i|^2/phi)))`, `[..., n], [n], [...] -> [..., n]`.
///
/// Types and errors as those of [`differentiate`].
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::resonant::{harmonize, mode_norms};
///
/// let (psi, norms) = (Tensor::from([1.0, 1.0]), mode_norms(2)?);
/// let none = harmonize(&psi, &norms, &Tensor::scalar(0, DType::F64)?)?;
/// assert_eq!(none.to_vec::<f64>()?, [1.0, 1.0]);
/// // Of a state in tune the first mode stays, and others fade.
/// let full = harmonize(&psi, &norms, &Tensor::scalar(1, DType::F64)?)?.to_vec::<f64>()?;
/// assert!(full[0] == 1.0 && full[1] < 0.8);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn harmonize(psi: &Tensor, norms: &Tensor, s: &Tensor) -> Result<Tensor> {
    Modes::of("harmonize", norms, psi)?.harmonize(psi, s)
}

/// D, then H, both at the syntony before, in one pass: the new state, and its syntony. `[..., n], [n] -> [..., n], [...]`.
///
/// Types and errors as those of [`differentiate`]; the syntony is one of the state before it is rounded to a half type.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::resonant::{cycle, mode_norms};
///
/// let (next, syntony) = cycle(&Tensor::from([3.0, 0.0]), &mode_norms(2)?, None)?;
/// // The first mode alone is in tune, and at rest.
/// assert_eq!((next.to_vec::<f64>()?, syntony.to_scalar::<f64>()?), (vec![3.0, 0.0], 1.0));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn cycle(psi: &Tensor, norms: &Tensor, noise: Option<Noise<'_>>) -> Result<(Tensor, Tensor)> {
    Modes::of("cycle", norms, psi)?.cycle(psi, noise)
}

impl Modes {
    /// [`differentiate`] by these modes.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::{Modes, differentiate, mode_norms};
    ///
    /// let (psi, s) = (Tensor::from([1.0, 2.0]), Tensor::scalar(0.5, DType::F64)?);
    /// let modes = Modes::new(&mode_norms(2)?, DType::F64)?;
    /// let once = differentiate(&psi, &mode_norms(2)?, &s, None)?;
    /// assert_eq!(modes.differentiate(&psi, &s, None)?.to_vec::<f64>()?, once.to_vec::<f64>()?);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn differentiate(
        &self,
        psi: &Tensor,
        s: &Tensor,
        noise: Option<Noise<'_>>,
    ) -> Result<Tensor> {
        self.check("differentiate", psi)?;
        spread_by(&self.norms, psi, s, noise)
    }

    /// [`harmonize`] by these modes.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::{Modes, harmonize, mode_norms};
    ///
    /// let (psi, s) = (Tensor::from([1.0, 2.0]), Tensor::scalar(0.5, DType::F64)?);
    /// let modes = Modes::new(&mode_norms(2)?, DType::F64)?;
    /// let once = harmonize(&psi, &mode_norms(2)?, &s)?;
    /// assert_eq!(modes.harmonize(&psi, &s)?.to_vec::<f64>()?, once.to_vec::<f64>()?);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn harmonize(&self, psi: &Tensor, s: &Tensor) -> Result<Tensor> {
        let op = "harmonize";
        self.check(op, psi)?;
        check_syntony(op, psi, s)?;
        let made = by_rows(&HARMONIZE, &[psi, &self.weights, s], None)?;
        first(op, psi, made)
    }

    /// [`cycle`] by these modes.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::{Modes, mode_norms};
    ///
    /// let modes = Modes::new(&mode_norms(3)?, DType::F64)?;
    /// let mut psi = Tensor::from([1.0, 1.0, 1.0]);
    /// let (before, _) = (modes.syntony(&psi)?.to_scalar::<f64>()?, ());
    /// for _ in 0..100 {
    ///     psi = modes.cycle(&psi, None)?.0;
    /// }
    /// assert!(modes.syntony(&psi)?.to_scalar::<f64>()? != before);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn cycle(&self, psi: &Tensor, noise: Option<Noise<'_>>) -> Result<(Tensor, Tensor)> {
        let op = "cycle";
        self.check(op, psi)?;
        if self.is_empty() {
            return Ok((psi.copy()?, self.syntony(psi)?));
        }
        let made = match noise {
            None => by_rows(&CYCLE, &[psi, &self.lengths, &self.weights], None)?,
            Some(noise) => {
                noise.check(op, psi)?;
                let inputs = [psi, &self.norms, &self.weights, noise.values];
                by_rows(&CYCLE_NOISY, &inputs, Some(noise.strength))?
            }
        };
        let [next, after]: [Tensor; 2] = made
            .try_into()
            .map_err(|_| Error::value(op, "the program has two outputs"))?;
        Ok((next.cast(psi.dtype())?, after))
    }
}

fn spread_by(norms: &Tensor, psi: &Tensor, s: &Tensor, noise: Option<Noise<'_>>) -> Result<Tensor> {
    let op = "differentiate";
    check_syntony(op, psi, s)?;
    let Some(noise) = noise else {
        return first(op, psi, by_rows(&DIFFERENTIATE, &[psi, norms, s], None)?);
    };
    noise.check(op, psi)?;
    let inputs = [psi, norms, s, noise.values];
    let made = by_rows(&DIFFERENTIATE_NOISY, &inputs, Some(noise.strength))?;
    first(op, psi, made)
}

fn by_rows(program: &Program, inputs: &[&Tensor], number: Option<f64>) -> Result<Vec<Tensor>> {
    let numbers: Vec<_> = number.into_iter().map(Into::into).collect();
    run::rows(program, inputs, &numbers, &[-1], Axes::Drop)
}

/// The new state, in the type of the old one: what the modes are computed in may be wider.
fn first(op: &'static str, psi: &Tensor, out: Vec<Tensor>) -> Result<Tensor> {
    let state = out.into_iter().next();
    let none = || Error::value(op, "the program has an output");
    state.ok_or_else(none)?.cast(psi.dtype())
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
    use super::super::{mode_norms, syntony};
    use super::*;
    use syntonic_core::DType;

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

    /// In one pass what four give: to the bit where every step is rounded to the same type.
    #[test]
    fn a_cycle_is_its_phases() {
        let psi: Vec<f64> = (0..60).map(|i| f64::from(i % 7) - 2.9).collect();
        let xi: Vec<f64> = (0..60).map(|i| f64::from(i % 5) - 2.0).collect();
        let (psi, xi) = (
            Tensor::from_slice(&psi, &[6, 10]).unwrap(),
            Tensor::from_slice(&xi, &[6, 10]).unwrap(),
        );
        let norms = mode_norms(10).unwrap();
        let noise = Noise {
            values: &xi,
            strength: 0.01,
        };
        for noise in [None, Some(noise)] {
            let s = syntony(&psi, &norms).unwrap();
            let spread = differentiate(&psi, &norms, &s, noise).unwrap();
            let next = harmonize(&spread, &norms, &s).unwrap();
            let after = syntony(&next, &norms).unwrap();
            let (got, got_after) = cycle(&psi, &norms, noise).unwrap();
            let read = |t: &Tensor| t.to_vec::<f64>().unwrap();
            assert_eq!(read(&got), read(&next));
            assert_eq!(read(&got_after), read(&after));
        }
    }

    #[test]
    fn modes_are_made_once() {
        let psi = Tensor::from_slice(&[1.0, 2.0, 3.0, 4.0], &[4]).unwrap();
        let norms = mode_norms(4).unwrap();
        let modes = Modes::new(&norms, DType::F64).unwrap();
        let s = modes.syntony(&psi).unwrap();
        let read = |t: &Tensor| t.to_vec::<f64>().unwrap();
        assert_eq!(read(&s), read(&syntony(&psi, &norms).unwrap()));
        let spread = modes.differentiate(&psi, &s, None).unwrap();
        assert_eq!(
            read(&modes.harmonize(&spread, &s).unwrap()),
            read(&modes.cycle(&psi, None).unwrap().0)
        );
        let narrow = psi.cast(DType::F32).unwrap();
        assert!(matches!(modes.syntony(&narrow), Err(Error::DType { .. })));
        assert!(Modes::new(&psi, DType::I32).is_err());
        let weights = super::super::golden_weights(&norms).unwrap();
        let given = Modes::with_weights(&norms, &weights).unwrap();
        assert_eq!(read(&given.syntony(&psi).unwrap()), read(&s));
        assert!(Modes::with_weights(&norms, &narrow).is_err());
        assert!(Modes::with_weights(&norms, &psi.slice(0, None, Some(2), 1).unwrap()).is_err());
        assert!(Modes::new(&s, DType::F64).is_err());
        let none = Modes::new(&mode_norms(0).unwrap(), DType::F64).unwrap();
        let (next, after) = none
            .cycle(&Tensor::zeros(&[2, 0], DType::F64).unwrap(), None)
            .unwrap();
        assert_eq!((next.shape(), read(&after)), (&[2, 0][..], vec![0.0; 2]));
    }

    /// The state is rounded to its type once, after both phases.
    #[test]
    fn half_types_are_rounded_once() {
        let wide = Tensor::from_slice(&[0.5f32, -1.25, 2.0, 0.125, 3.0, 1.0], &[2, 3]).unwrap();
        let norms = mode_norms(3).unwrap();
        let (got, s) = cycle(&wide.cast(DType::BF16).unwrap(), &norms, None).unwrap();
        let (want, want_s) = cycle(&wide, &norms, None).unwrap();
        let want = want.cast(DType::BF16).unwrap();
        assert_eq!((got.dtype(), s.dtype()), (DType::BF16, DType::F32));
        assert_eq!(got.to_vec::<f32>().unwrap(), want.to_vec::<f32>().unwrap());
        assert_eq!(s.to_vec::<f32>().unwrap(), want_s.to_vec::<f32>().unwrap());
    }
}
