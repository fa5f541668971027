//! Operators of states, the rule of modes, gradients, and files.

use super::{Crystallized, Flux, ResonantError, Saved, States, load};
use crate::exact::{Golden, GoldenTensor};
use crate::nn::{LayerNorm, Mode, layer_norm, phi_residual};
use crate::resonant::{mode_norms, syntony};
use std::path::PathBuf;
use syntonic_core::grad::grad;
use syntonic_core::{DType, Error, Tensor};

type Tested = Result<(), Box<dyn std::error::Error>>;

fn crystal(values: &[f64], shape: &[usize]) -> Result<Crystallized, ResonantError> {
    Crystallized::from_floats(&Tensor::from_slice(values, shape)?, None, 100)
}

fn flux(values: &[f64], shape: &[usize]) -> Result<Flux, ResonantError> {
    Flux::new(&Tensor::from_slice(values, shape)?, None)
}

fn norms<S: States>(of: &S) -> Result<Vec<f64>, Error> {
    of.modes().norms().to_vec()
}

#[test]
fn arithmetic_is_that_of_the_values() -> Tested {
    let (x, y) = (
        crystal(&[3.0, -2.0, 5.0], &[3])?,
        crystal(&[1.0, 4.0, -1.0], &[3])?,
    );
    assert_eq!(
        x.plus(&y)?.points().to_points()?,
        x.points().plus(y.points())?.to_points()?
    );
    assert_eq!(x.minus(&y)?.values()?.to_vec::<f64>()?, [2.0, -6.0, 6.0]);
    assert_eq!(x.negated()?.values()?.to_vec::<f64>()?, [-3.0, 2.0, -5.0]);
    let cube = GoldenTensor::from_points(&[Golden::PHI.power(3)?], &[])?;
    let grown = x.times(&cube)?;
    assert_eq!(
        grown.points().to_points()?,
        x.recur()?.recur()?.recur()?.points().to_points()?
    );
    assert_eq!((grown.bound(), norms(&grown)?), (100, vec![0.0, 1.0, 4.0]));
    let w = GoldenTensor::from_points(
        &[
            Golden::ONE,
            Golden::PHI,
            Golden::ZERO,
            Golden::ONE,
            Golden::PHI,
            Golden::ZERO,
        ],
        &[3, 2],
    )?;
    let made = x.matmul(&w)?;
    assert_eq!(
        made.points().to_points()?,
        [Golden::new(3, 5), Golden::new(-2, 3)]
    );
    assert_eq!(norms(&made)?, [0.0, 1.0]);
    // Floats do the same, and states times states of the same modes are products by the element.
    let (x, y) = (x.wake()?, y.wake()?);
    let product = x.matmul(&w.to_floats()?)?.values().to_vec::<f64>()?;
    let each = product.iter().zip(made.values()?.to_vec::<f64>()?);
    for (got, want) in each {
        // Three products of numbers below 9, in an order of the processor's.
        assert!(
            (got - want).abs() <= 6.0 * 27.0 * f64::EPSILON,
            "{got} {want}"
        );
    }
    let product = x.zipped("times", &y, |x, y| x.try_mul(y))?;
    assert_eq!(product.values().to_vec::<f64>()?, [3.0, -8.0, -5.0]);
    let rows = flux(&[1.0, 2.0, 3.0, 4.0], &[2, 2])?.matmul(&Tensor::from([[2.0], [1.0]]))?;
    assert_eq!(
        (rows.values().shape(), norms(&rows)?),
        (&[2, 1][..], vec![0.0])
    );
    assert!(x.matmul(&Tensor::from([1.0, 2.0, 3.0])).is_err());
    Ok(())
}

#[test]
fn a_failed_operation_leaves_its_operands() -> Tested {
    let large = GoldenTensor::from_points(&[Golden::new(i64::MAX, 0), Golden::ONE], &[2])?;
    let x = Crystallized::new(large.clone(), None, 100)?;
    let error = x.plus(&x).err();
    assert!(error.as_ref().and_then(ResonantError::element).is_some());
    assert_eq!(x.points().to_points()?, large.to_points()?);
    Ok(())
}

#[test]
fn moved_elements_keep_their_modes() -> Tested {
    let x = flux(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3])?;
    let part = x.placed(|t| t.slice(1, Some(1), None, 1))?;
    assert_eq!(
        (part.values().shape(), norms(&part)?),
        (&[2, 2][..], vec![1.0, 4.0])
    );
    let row = x.placed(|t| t.select(0, 1))?;
    assert_eq!(
        (row.values().to_vec::<f64>()?, norms(&row)?),
        (vec![4.0, 5.0, 6.0], vec![0.0, 1.0, 4.0])
    );
    let column = x.placed(|t| t.select(1, 2))?;
    assert_eq!(
        (column.values().to_vec::<f64>()?, norms(&column)?),
        (vec![3.0, 6.0], vec![4.0, 4.0])
    );
    // There and back, by elements.
    let flat = x.reshape(&[-1])?;
    assert_eq!(norms(&flat)?, [0.0, 1.0, 4.0, 0.0, 1.0, 4.0]);
    let back = flat.reshape(&[2, 3])?;
    assert_eq!(norms(&back)?, norms(&flat)?);
    assert_eq!(
        back.syntony()?.to_vec::<f64>()?,
        x.syntony()?.to_vec::<f64>()?
    );
    assert_eq!(
        back.plus(&x)?.values().to_vec::<f64>()?,
        x.plus(&x)?.values().to_vec::<f64>()?
    );
    let turned = x.permute(&[1, 0])?;
    assert_eq!(norms(&turned)?, [0.0, 0.0, 1.0, 1.0, 4.0, 4.0]);
    // Rows of one mode have its weight.
    let s = turned.syntony()?.to_vec::<f64>()?;
    for (s, norm) in s.iter().zip([0.0, 1.0, 4.0f64]) {
        assert!((s - (-norm / crate::constants::PHI).exp()).abs() < 1e-15);
    }
    assert_eq!(norms(&x.reshape(&[2, 1, 3])?)?, [0.0, 1.0, 4.0]);
    // Joined, elements keep modes too, and rows stay rows where all are alike.
    let other = flux(&[7.0, 8.0, 9.0], &[1, 3])?;
    let tall = Flux::concat(&[&x, &other], 0)?;
    assert_eq!(
        (tall.values().shape(), norms(&tall)?),
        (&[3, 3][..], vec![0.0, 1.0, 4.0])
    );
    let wide = Flux::concat(&[&x, &part], -1)?;
    assert_eq!(norms(&wide)?, [0.0, 1.0, 4.0, 1.0, 4.0]);
    let stacked = Flux::stack(&[&row, &row.with_norms(&Tensor::from([1.0, 1.0, 1.0]))?], 0)?;
    assert_eq!(norms(&stacked)?, [0.0, 1.0, 4.0, 1.0, 1.0, 1.0]);
    let pairs = Flux::stack(&[&row, &row], 1)?;
    assert_eq!(
        (pairs.values().shape(), norms(&pairs)?),
        (&[3, 2][..], vec![0.0, 0.0, 1.0, 1.0, 4.0, 4.0])
    );
    Ok(())
}

#[test]
fn what_makes_no_state_is_told() -> Tested {
    let x = flux(&[1.0, 2.0], &[2])?;
    let number = x.placed(|t| t.select(0, 0));
    assert!(matches!(
        number,
        Err(ResonantError::Tensor(Error::Shape { op: "placed", .. }))
    ));
    assert!(Flux::stack(&[], 0).is_err());
    let other = x.with_norms(&Tensor::from([1.0, 0.0]))?;
    assert!(matches!(
        x.plus(&other),
        Err(ResonantError::Modes { op: "plus" })
    ));
    assert!(x.plus(&other.with_norms(x.spectrum().norms())?).is_ok());
    assert!(x.with_norms(&Tensor::from([1.0])).is_err());
    assert!(matches!(
        x.mapped(|x| Ok::<_, ResonantError>(x.cast(DType::C128)?)),
        Err(ResonantError::Tensor(Error::DType { .. }))
    ));
    Ok(())
}

/// Modes of their own for each element, and cycles with them: as one state after the other.
#[test]
fn states_of_several_modes_move_as_they_do_alone() -> Tested {
    let values: Vec<f64> = (0..12).map(|k| f64::from(k % 5) - 1.5).collect();
    let whole = crystal(&values, &[12])?.reshape(&[3, 4])?;
    let moved = whole.cycle(None, 0)?;
    for row in 0..3 {
        let alone = whole.placed(|t| t.select(0, row))?;
        let squares: Vec<f64> = (4 * row..4 * row + 4).map(|k| (k * k) as f64).collect();
        assert_eq!(norms(&alone)?, squares);
        let want = alone.cycle(None, 0)?;
        let got = moved.state.placed(|t| t.select(0, row))?;
        assert_eq!(got.points().to_points()?, want.state.points().to_points()?);
        assert_eq!(
            moved.after.to_vec::<f64>()?[row as usize],
            want.after.to_scalar::<f64>()?
        );
    }
    Ok(())
}

/// dS/dψ_i = 2 ψ_i (w_i - S) / Σ ψ², and steps of a flux are on the tape.
#[test]
fn gradients_flow_through_a_flux() -> Tested {
    let x = Tensor::from([0.3, -0.7, 0.2, 0.9]);
    let seen = |r: Result<Tensor, ResonantError>| {
        r.map_err(|e| match e {
            ResonantError::Tensor(e) => e,
            other => Error::value("test", other.to_string()),
        })
    };
    let slope = grad(
        |v| seen(Flux::new(&v[0], None).and_then(|f| f.syntony())),
        &[&x],
    )?;
    let values = x.to_vec::<f64>()?;
    let s = syntony(&x, &mode_norms(4)?)?.to_scalar::<f64>()?;
    let total: f64 = values.iter().map(|v| v * v).sum();
    for (n, (got, v)) in slope[0].to_vec::<f64>()?.iter().zip(&values).enumerate() {
        let w = (-((n * n) as f64) / crate::constants::PHI).exp();
        assert!((got - 2.0 * v * (w - s) / total).abs() < 1e-15);
    }
    // Whole forms, by differences: D, H, layer norm, phi-residual, softmax and a product.
    let form = |x: &Tensor| -> Result<Tensor, ResonantError> {
        let flux = Flux::new(x, None)?;
        let s = flux.syntony()?;
        let moved = flux.differentiate(&s, None)?.harmonize(&s)?;
        let normed = moved.mapped(|x| layer_norm(x, None, LayerNorm::default()))?;
        let joined = normed.zipped("phi_residual", &flux, |x, r| {
            phi_residual(x, r, Mode::Phi, crate::nn::Activation::None)
        })?;
        let soft = joined.plus(&flux)?.syntonic_softmax()?;
        let w = Tensor::from([[1.0, 0.5], [0.2, -1.0], [0.7, 0.1], [-0.3, 2.0]]);
        let made = soft.matmul(&w)?.reshape(&[2, 1])?;
        Ok(made
            .syntony()?
            .sum(..)?
            .try_add(&made.values().square()?.sum(..)?)?)
    };
    let slope = grad(|v| seen(form(&v[0])), &[&x])?[0].to_vec::<f64>()?;
    for (k, got) in slope.iter().enumerate() {
        let at = |h: f64| -> Result<f64, ResonantError> {
            let mut moved = values.clone();
            moved[k] += h;
            Ok(form(&Tensor::from_slice(&moved, &[4])?)?.to_scalar::<f64>()?)
        };
        // The error of a central difference is h² f'''/6 and a rounding over h.
        let want = (at(1e-5)? - at(-1e-5)?) / 2e-5;
        assert!((got - want).abs() < 1e-7, "{k}: {got} is not {want}");
    }
    // On a tape the value has the same bits.
    let inside = std::cell::Cell::new(0.0);
    grad(
        |v| {
            let s = seen(Flux::new(&v[0], None).and_then(|f| f.syntony()))?;
            inside.set(s.stop_gradient().to_scalar::<f64>()?);
            Ok(s)
        },
        &[&x],
    )?;
    assert_eq!(
        inside.get(),
        Flux::new(&x, None)?.syntony()?.to_scalar::<f64>()?
    );
    Ok(())
}

fn path(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("syntonic-{}-{name}", std::process::id()))
}

#[test]
fn files_give_the_same_states() -> Tested {
    for end in ["npz", "safetensors"] {
        let at = path(&format!("states.{end}"));
        let state =
            crystal(&[1.0, -2.0, 0.5, 3.0], &[2, 2])?.with_norms(&Tensor::from([2.0, 5.0]))?;
        let own = state.reshape(&[4])?.reshape(&[2, 2])?;
        for state in [state, own] {
            state.save(&at)?;
            let Saved::Crystallized(same) = load(&at)? else {
                return Err("another kind".into());
            };
            assert_eq!(same.points().to_points()?, state.points().to_points()?);
            assert_eq!(
                (norms(&same)?, same.bound()),
                (norms(&state)?, state.bound())
            );
            assert_eq!(
                same.syntony()?.to_vec::<f64>()?,
                state.syntony()?.to_vec::<f64>()?
            );
            state.wake()?.save(&at)?;
            let Saved::Flux(same) = load(&at)? else {
                return Err("another kind".into());
            };
            assert_eq!(
                same.values().to_vec::<f64>()?,
                state.values()?.to_vec::<f64>()?
            );
            assert_eq!(norms(&same)?, norms(&state)?);
        }
        // Every part of a file that is cut short.
        let bytes = std::fs::read(&at)?;
        for length in 0..bytes.len() {
            std::fs::write(&at, &bytes[..length])?;
            assert!(load(&at).is_err(), "{end} {length}");
        }
        std::fs::remove_file(&at)?;
    }
    let none = Flux::new(&Tensor::zeros(&[0, 1 << 40], DType::F64)?, None)?;
    let at = path("none.npz");
    none.save(&at)?;
    assert!(matches!(load(&at)?, Saved::Flux(same) if same.values().shape() == [0, 1 << 40]));
    std::fs::remove_file(&at)?;
    Ok(())
}

#[test]
fn files_of_something_else_are_refused() -> Tested {
    let at = path("other.npz");
    let (a, f) = (Tensor::from([1i64]), Tensor::from([1.0]));
    for all in [
        vec![("a", a.clone())],
        vec![
            ("a", a.clone()),
            ("b", f.clone()),
            ("bound", a.clone()),
            ("norms", f.clone()),
        ],
        vec![
            ("a", a.clone()),
            ("b", a.clone()),
            ("bound", f.try_mul(0.5)?),
            ("norms", f.clone()),
        ],
        vec![("values", f.clone()), ("norms", a.clone())],
        vec![("values", a.clone()), ("norms", f.clone())],
        vec![("values", f.clone()), ("norms", Tensor::from([1.0, 2.0]))],
        vec![("values", f.clone()), ("a", a.clone())],
    ] {
        syntonic_core::io::save_npz(&at, &all)?;
        assert!(load(&at).is_err());
    }
    std::fs::remove_file(&at)?;
    assert!(load(path("absent.npz")).is_err() && load("states.txt").is_err());
    assert!(flux(&[1.0], &[1])?.save(path("states.txt")).is_err());
    Ok(())
}
