//! Known values and laws of states on the lattice.

use super::{
    Attractors, Crystallized, Flux, ResonantError, Stir, golden_recursion, golden_recursion_inverse,
};
use crate::constants::{INV_PHI, PHI, Q};
use crate::exact::{ExactError, Golden, GoldenTensor};
use syntonic_core::ops::random;
use syntonic_core::random::Generator;
use syntonic_core::{DType, Error, Tensor, cpu};

type Tested = Result<(), Box<dyn std::error::Error>>;

fn vector(x: &[f64]) -> Result<Tensor, Error> {
    Tensor::from_slice(x, &[x.len()])
}

/// Computed with mpmath in 40 digits: ψ = [1, 2, 3, 4], norms 0, 1, 4, 9.
#[test]
fn phases_have_their_known_values() -> Tested {
    let flux = Flux::new(&vector(&[1.0, 2.0, 3.0, 4.0])?, None)?;
    let s = flux.syntony()?;
    assert!((s.item()?.to_f64() - 0.132_569_678_663_144_04).abs() < 1e-16);
    let spread = flux.differentiate(&s, None)?;
    let drawn = spread.harmonize(&s)?;
    for (got, want) in [
        (
            spread.values(),
            [
                1.0,
                2.662_657_799_756_871_7,
                4.987_973_399_270_615,
                7.975_946_798_541_23,
            ],
        ),
        (
            drawn.values(),
            [
                1.0,
                2.562_087_454_787_366_4,
                4.613_790_102_205_587,
                7.324_966_343_898_677,
            ],
        ),
    ] {
        for (got, want) in got.to_vec::<f64>()?.into_iter().zip(want) {
            assert!(
                (got - want).abs() <= 8.0 * f64::EPSILON * want,
                "{got} is not {want}"
            );
        }
    }
    let after = drawn.syntony()?.item()?.to_f64();
    assert!((after - 0.079_277_718_395_589_31).abs() < 1e-16);
    Ok(())
}

#[test]
fn a_cycle_is_its_phases_and_a_snap() -> Tested {
    let x = Tensor::from_slice(
        &(0..60).map(|k| f64::from(k % 13) - 6.0).collect::<Vec<_>>(),
        &[3, 4, 5],
    )?;
    let state = Crystallized::from_floats(&x, None, 1000)?;
    let stir = Some(Stir {
        seed: 3,
        offset: 100,
        strength: 0.5,
    });
    let cycled = state.cycle(stir, 0)?;
    let s = state.syntony()?;
    let flux = state.wake()?.differentiate(&s, stir)?.harmonize(&s)?;
    let (by_hand, residual) = flux.crystallize(1000)?;
    assert_eq!(
        cycled.state.points().to_points()?,
        by_hand.points().to_points()?
    );
    assert_eq!(cycled.residual, residual);
    assert_eq!(cycled.before.to_vec::<f64>()?, s.to_vec::<f64>()?);
    assert_eq!(cycled.after.shape(), [3, 4]);
    // The same seed and place give the same integers, others do not.
    let again = state.cycle(stir, 0)?.state.points().to_points()?;
    assert_eq!(again, cycled.state.points().to_points()?);
    let other = stir.map(|stir| Stir { seed: 4, ..stir });
    assert_ne!(state.cycle(other, 0)?.state.points().to_points()?, again);
    // Of a stack each state moves as it does alone.
    let row = x.slice(0, Some(1), Some(2), 1)?.reshape(&[4, 5])?;
    let alone = Crystallized::from_floats(&row, None, 1000)?.cycle(None, 0)?;
    let whole = state.cycle(None, 0)?;
    assert_eq!(
        alone.state.points().to_points()?,
        whole.state.points().to_points()?[20..40]
    );
    Ok(())
}

#[test]
fn a_longer_dwell_is_no_farther_from_the_floats() -> Tested {
    let x = vector(&[0.3, -1.7, 2.9, 0.01, 5.5])?;
    let state = Crystallized::from_floats(&x, None, 100)?;
    let mut last = f64::INFINITY;
    for dwell in 0..20 {
        let residual = state.cycle(None, dwell)?.residual;
        assert!(residual <= last, "{dwell}");
        last = residual;
    }
    assert!(last < 1e-5);
    assert!(matches!(
        state.cycle(None, 100),
        Err(ResonantError::Bound { steps: 100, .. })
    ));
    Ok(())
}

/// Normal states of all sizes with the usual modes, which grow by up to `1 + φ⁻² n` in each cycle.
#[test]
fn normal_states_stay_in_range_for_as_long_as_they_move() -> Tested {
    for (n, cycles) in [(1, 50), (10, 200), (100, 50), (1000, 50), (100_000, 20)] {
        let mut generator = Generator::new(n as u64);
        let shape = [(3000 / n).clamp(1, 3), n];
        let x = random::normal(&shape, 0.0, 1.0, DType::F64, &mut generator, &cpu())?;
        let mut state = Crystallized::from_floats(&x, None, 100)?;
        let mut divided = 0;
        for seed in 0..cycles {
            let stir = (seed % 2 == 1).then_some(Stir {
                seed,
                offset: 0,
                strength: 0.01,
            });
            let moved = state.cycle(stir, 0)?;
            divided += moved.powers.to_vec::<i64>()?.iter().sum::<i64>();
            state = moved.state;
        }
        assert_eq!(divided > 0, n > 1, "{n}");
    }
    Ok(())
}

/// Dividing by φ^k changes neither syntony nor the course, and only states that would leave the range are divided.
#[test]
fn states_are_fitted_by_the_least_power() -> Tested {
    let flux = Flux::new(
        &Tensor::from([[1.0, -261.8], [0.0, -262.0], [1e300, 1.0], [f64::NAN, 1e9]]),
        None,
    )?;
    let (fitted, powers) = flux.fitted(100)?;
    // 262 φ^-4 = 38.2 and 262 φ^-3 = 61.85, where 100 / φ = 61.80.
    let powers = powers.to_vec::<i64>()?;
    assert_eq!((powers[0], powers[1], powers[3]), (0, 4, 0));
    let largest = 1e300 * PHI.powi(-(powers[2] as i32));
    assert!(largest <= 100.0 / PHI && largest * PHI > 100.0 / PHI);
    let values = fitted.values().to_vec::<f64>()?;
    assert_eq!(values[..2], [1.0, -261.8]);
    assert!((values[3] + 262.0 * PHI.powi(-4)).abs() < 1e-13);
    assert_eq!((values[6].is_nan(), values[7]), (true, 1e9));
    let (before, after) = (flux.syntony()?, fitted.syntony()?);
    assert!((before.to_vec::<f64>()?[1] - after.to_vec::<f64>()?[1]).abs() < 1e-15);
    // A bound of 0 has room for 0 alone.
    assert_eq!(flux.fitted(0)?.1.to_vec::<i64>()?, [0; 4]);
    // One cycle that divides is D, H, a division and a snap.
    let state = Crystallized::from_floats(&vector(&[0.0, 1.0, 200.0])?, None, 100)?;
    let s = state.syntony()?;
    let moved = state.cycle(None, 0)?;
    let flux = state.wake()?.differentiate(&s, None)?.harmonize(&s)?;
    assert!(matches!(
        flux.crystallize(100),
        Err(ResonantError::Lattice(_))
    ));
    let (fitted, powers) = flux.fitted(100)?;
    assert_eq!(moved.powers.to_vec::<i64>()?, powers.to_vec::<i64>()?);
    assert_eq!(
        moved.state.points().to_points()?,
        fitted.crystallize(100)?.0.points().to_points()?
    );
    Ok(())
}

/// Syntony rises where what has no part in tune goes; by values alone nothing is as small as `q / 248`.
#[test]
fn pruning_a_normal_state_drops_its_high_modes() -> Tested {
    let x = random::normal(
        &[1000],
        0.0,
        1.0,
        DType::F64,
        &mut Generator::new(5),
        &cpu(),
    )?;
    let state = Crystallized::from_floats(&x, None, 100)?;
    let pruned = state.prune(248.0, true)?;
    let (before, after) = (
        state.values()?.to_vec::<f64>()?,
        pruned.values()?.to_vec::<f64>()?,
    );
    for (n, (x, kept)) in before.iter().zip(&after).enumerate() {
        let weight = (-((n * n) as f64) * INV_PHI).exp();
        let want = if x.abs() * weight < Q / 248.0 {
            0.0
        } else {
            *x
        };
        assert_eq!(*kept, want, "mode {n}");
    }
    assert!(after[5..].iter().all(|&x| x == 0.0) && after[..3] == before[..3]);
    let of = |state: &Crystallized| {
        state
            .syntony()?
            .to_scalar::<f64>()
            .map_err(ResonantError::from)
    };
    assert!(of(&pruned)? > 10.0 * of(&state)?);
    assert_eq!(
        state.prune(248.0, false)?.points().to_points()?,
        state.points().to_points()?
    );
    Ok(())
}

#[test]
fn states_wake_prune_and_recur() -> Tested {
    let points = [
        Golden::new(3, -1),
        Golden::new(-8, 5),
        Golden::new(0, 0),
        Golden::new(-2, -1),
    ];
    let lattice = GoldenTensor::from_points(&points, &[4])?;
    let state = Crystallized::new(lattice, None, 100)?;
    assert_eq!(
        state.wake()?.crystallize(100)?.0.points().to_points()?,
        points
    );
    assert_eq!(state.recur()?.unrecur()?.points().to_points()?, points);
    assert_eq!(state.recur()?.points().to_points()?[0], Golden::new(-1, 2));
    // -8 + 5φ = 0.0902 is above q = 0.0274 and below q / 0.25.
    assert_eq!(state.prune(1.0, false)?.points().to_points()?, points);
    let pruned = state.prune(0.25, false)?.points().to_points()?;
    assert_eq!(pruned, [points[0], Golden::ZERO, Golden::ZERO, points[3]]);
    let positive = state.relu()?.points().to_points()?;
    assert_eq!(positive, [points[0], points[1], Golden::ZERO, Golden::ZERO]);
    Ok(())
}

/// ψ' = (1 - λ) ψ + λ A: where all attractors are the state itself, it stays.
#[test]
fn attractors_draw_to_themselves() -> Tested {
    let low = Crystallized::from_floats(&vector(&[3.0, 1.0, 0.0])?, None, 100)?;
    let high = Crystallized::from_floats(&vector(&[0.0, 1.0, 3.0])?, None, 100)?;
    let mut kept = Attractors::new(2, 0.7, 0.5)?;
    assert!(kept.is_empty() && !kept.offer(&high)? && kept.offer(&low)?);
    let flux = low.wake()?;
    let stayed = kept.blend(&flux, 0.3)?.values().to_vec::<f64>()?;
    for (got, want) in stayed.iter().zip([3.0, 1.0, 0.0]) {
        assert!((got - want).abs() < 1e-15);
    }
    let pure = Crystallized::from_floats(&vector(&[2.0, 0.0, 0.0])?, None, 100)?;
    kept.age();
    assert!(kept.offer(&pure)? && kept.len() == 2);
    // Weights are S² / 2 of the first, which is a generation old, and 1 of the second.
    let s = low.syntony()?.item()?.to_f64();
    let (one, two) = (s * s / 2.0, 1.0);
    let drawn = kept.blend(&high.wake()?, 0.5)?.values().to_vec::<f64>()?;
    let want = 0.5 * (one * 3.0 + two * 2.0) / (one + two);
    assert!((drawn[0] - want).abs() < 1e-15);
    // Full: the lighter one goes.
    assert!(kept.offer(&pure)? && kept.len() == 2);
    assert!(kept.blend(&flux, 1.5).is_err() && Attractors::new(0, 0.5, 0.5).is_err());
    Ok(())
}

/// The lower Wythoff numbers, and their mirror image.
#[test]
fn recursion_of_integers_is_exact_and_can_be_undone() -> Tested {
    let n: Vec<i64> = (-6..=6)
        .chain([2584, 102_334_155, 5_000_000_000_000_000_000])
        .collect();
    let t = Tensor::from_slice(&n, &[n.len()])?;
    let mapped = golden_recursion(&t)?;
    let got = mapped.to_vec::<i64>()?;
    assert_eq!(got[..13], [-10, -9, -7, -5, -4, -2, 0, 1, 3, 4, 6, 8, 9]);
    // φ F_18 = F_19 - ψ^18, just below 4181, and of F_40 likewise: floats of 32 or 64 bits give the integer above.
    assert_eq!(got[13..15], [4180, 165_580_140]);
    assert_eq!(golden_recursion_inverse(&mapped)?.to_vec::<i64>()?, n);
    let large = Tensor::from_slice(&[0, i64::MAX], &[2])?;
    let error = golden_recursion(&large).err();
    let place = error.as_ref().and_then(ResonantError::element);
    assert_eq!(
        place,
        Some((ExactError::Overflow { op: "floor" }, &[1][..]))
    );
    Ok(())
}

#[test]
fn no_states_take_no_memory() -> Tested {
    // As many modes as no memory holds.
    let none = Tensor::zeros(&[0, 1 << 40], syntonic_core::DType::F64)?;
    let state = Crystallized::from_floats(&none, None, 100)?;
    let moved = state.cycle(None, 0)?;
    assert_eq!((moved.after.shape(), moved.residual), (&[0][..], 0.0));
    let flux = Flux::new(&none, None)?;
    assert_eq!(
        flux.harmonize(&flux.syntony()?)?.values().shape(),
        [0, 1 << 40]
    );
    Ok(())
}

#[test]
fn what_does_not_fit_is_told() -> Tested {
    let x = vector(&[1.0, f64::NAN])?;
    let error = Crystallized::from_floats(&x, None, 100).err();
    let place = error.as_ref().and_then(ResonantError::element);
    assert!(matches!(place, Some((ExactError::NotFinite { .. }, [1]))));
    let norms = vector(&[0.0, 1.0, 4.0])?;
    let short = Crystallized::from_floats(&vector(&[1.0, 2.0])?, Some(&norms), 100);
    assert!(matches!(
        short,
        Err(ResonantError::Tensor(Error::Shape { .. }))
    ));
    let flux = Flux::new(&vector(&[1.0, 2.0])?, None)?;
    assert!(flux.harmonize(&vector(&[1.0])?).is_err());
    let whole = Tensor::from_slice(&[1i64], &[1])?;
    assert!(matches!(
        Flux::new(&whole, None),
        Err(ResonantError::Tensor(Error::DType { .. }))
    ));
    let scalar = Tensor::from_slice(&[1.0], &[])?;
    assert!(
        Flux::new(&scalar, None).is_err() && Crystallized::from_floats(&scalar, None, 9).is_err()
    );
    Ok(())
}
