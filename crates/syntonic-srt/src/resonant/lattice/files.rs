//! States in files.

use super::states::sealed::Parts;
use super::{Crystallized, Flux, Result};
use crate::exact::GoldenTensor;
use std::collections::BTreeMap;
use std::path::Path;
use syntonic_core::{DType, Error, Tensor, cpu, io};

/// What a file holds.
#[derive(Clone, Debug)]
pub enum Saved {
    /// States of integers.
    Crystallized(Crystallized),
    /// States of floats.
    Flux(Flux),
}

/// The kinds of files, by the ends of their names.
#[derive(Clone, Copy)]
enum Kind {
    Npz,
    Safetensors,
}

impl Kind {
    fn of(op: &'static str, path: &Path) -> Result<Kind> {
        let end = path.extension().and_then(|end| end.to_str());
        match end.map(str::to_ascii_lowercase).as_deref() {
            Some("npz") => Ok(Kind::Npz),
            Some("safetensors") => Ok(Kind::Safetensors),
            _ => {
                let what = "hint: the name of states in a file ends in .npz or .safetensors";
                Err(refused(op, path, what).into())
            }
        }
    }
}

fn refused(op: &'static str, path: &Path, what: impl Into<String>) -> Error {
    Error::File {
        op,
        path: path.display().to_string(),
        what: what.into(),
    }
}

/// Writes tensors by name. Norms of states without elements take no memory, and are left out.
fn write<S: Parts>(path: &Path, states: &S, mut all: Vec<(&'static str, Tensor)>) -> Result<()> {
    let kind = Kind::of("save", path)?;
    let norms = states.modes().norms();
    if all.iter().all(|(_, t)| t.numel() > 0) {
        all.push(("norms", norms.clone()));
    }
    let here = |(name, t): &(&'static str, Tensor)| -> syntonic_core::Result<_> {
        Ok((*name, t.to(&cpu())?.contiguous()?.eval()?))
    };
    let all = all.iter().map(here);
    let all = all.collect::<syntonic_core::Result<Vec<_>>>()?; // few: four at most.
    match kind {
        Kind::Npz => io::save_npz(path, &all)?,
        Kind::Safetensors => io::save_safetensors(path, &all, &BTreeMap::new())?,
    }
    Ok(())
}

impl Crystallized {
    /// Writes the states to a file whose name ends in .npz or .safetensors: coefficients `a` and `b`, squared mode `norms`, and the `bound`.
    /// [`load`] reads it. The file appears when it is complete.
    ///
    /// Errors: another ending, and those of the file.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::{Crystallized, Saved, load};
    ///
    /// let path = std::env::temp_dir().join(format!("syntonic-states-{}.npz", std::process::id()));
    /// let state = Crystallized::from_floats(&Tensor::from([2.0, 1.618]), None, 10)?;
    /// state.save(&path)?;
    /// let Saved::Crystallized(same) = load(&path)? else { panic!() };
    /// assert_eq!((same.points().to_points()?, same.bound()), (state.points().to_points()?, 10));
    /// # std::fs::remove_file(&path).unwrap();
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let bound = Tensor::scalar(i64::from(self.bound()), DType::I64)?;
        let all = vec![
            ("a", self.points().a().clone()),
            ("b", self.points().b().clone()),
            ("bound", bound),
        ]; // few: three.
        write(path.as_ref(), self, all)
    }
}

impl Flux {
    /// Writes the states to a file whose name ends in .npz or .safetensors: `values` and squared mode `norms`. [`load`] reads it. Errors
    /// as of [`Crystallized::save`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::{Flux, Saved, load};
    ///
    /// let path = std::env::temp_dir().join(format!("syntonic-flux-{}.safetensors", std::process::id()));
    /// Flux::new(&Tensor::from([2.0, 1.618]), None)?.save(&path)?;
    /// let Saved::Flux(same) = load(&path)? else { panic!() };
    /// assert_eq!(same.values().to_vec::<f64>()?, [2.0, 1.618]);
    /// # std::fs::remove_file(&path).unwrap();
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        write(path.as_ref(), self, vec![("values", self.values().clone())]) // few: one.
    }
}

/// The states in a file that [`Crystallized::save`] or [`Flux::save`] wrote, on the CPU.
///
/// Errors: a file that is damaged or holds something else, and those of the system.
///
/// ```
/// use syntonic_srt::resonant::lattice::load;
///
/// let path = std::env::temp_dir().join(format!("syntonic-damaged-{}.npz", std::process::id()));
/// std::fs::write(&path, b"no states").unwrap();
/// assert!(load(&path).is_err());
/// # std::fs::remove_file(&path).unwrap();
/// ```
pub fn load(path: impl AsRef<Path>) -> Result<Saved> {
    const OP: &str = "load";
    let path = path.as_ref();
    let mut all = match Kind::of(OP, path)? {
        Kind::Npz => io::load_npz(path)?,
        Kind::Safetensors => io::load_safetensors(path)?.0,
    };
    let norms = all.remove("norms");
    if let Some(norms) = norms.as_ref().filter(|t| t.dtype() != DType::F64) {
        return Err(refused(OP, path, format!("norms of {}, not float64", norms.dtype())).into());
    }
    let mut take = |name| all.remove(name);
    match (take("a"), take("b"), take("bound"), take("values")) {
        (Some(a), Some(b), Some(bound), None) if all.is_empty() => {
            if a.dtype() != DType::I64 || b.dtype() != DType::I64 || bound.numel() != 1 {
                let what = "coefficients of states are int64, with one bound";
                return Err(refused(OP, path, what).into());
            }
            let bound = bound.item()?.to_f64();
            if !(bound >= 0.0 && bound <= f64::from(u32::MAX) && bound.fract() == 0.0) {
                let what = format!("a bound of {bound} is no integer of 32 bits");
                return Err(refused(OP, path, what).into());
            }
            let points = GoldenTensor::new(&a, &b)?;
            let made = Crystallized::new(points, norms.as_ref(), bound as u32)?;
            Ok(Saved::Crystallized(made))
        }
        (None, None, None, Some(values)) if all.is_empty() => {
            if values.dtype() != DType::F64 {
                let what = format!("values of {}, not float64", values.dtype());
                return Err(refused(OP, path, what).into());
            }
            Ok(Saved::Flux(Flux::new(&values, norms.as_ref())?))
        }
        _ => {
            let what = "no states: those of integers are a, b, bound and norms, those of floats values and norms";
            Err(refused(OP, path, what).into())
        }
    }
}
