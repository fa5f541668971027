//! From tasks over series to information: checks, orders, one launch, and what is read back.

use super::digamma::digamma;
use super::error::refused;
use super::kernel::{Asked, Form, KSG, MAX_COORDINATES, MAX_NEIGHBOURS, Wanted};
use super::standard::{Scaling, scaled};
use super::surrogates::Surrogates;
use std::sync::Arc;
use syntonic_core::ops::vectors;
use syntonic_core::{DType, Device, Result, Tensor, room};

/// How information is estimated, whatever of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimator {
    /// The neighbour whose distance is taken, from 1 to 32.
    pub k: usize,
    /// The Theiler window: points with `|i - j|` up to this are no neighbours.
    pub window: usize,
    /// What becomes of the series first.
    pub scaling: Scaling,
    /// What is kept besides the means.
    pub wanted: Wanted,
    /// Estimates of a source in other orders, for a p-value.
    pub surrogates: Option<Surrogates>,
}

impl Default for Estimator {
    fn default() -> Estimator {
        Estimator {
            k: 4,
            window: 0,
            scaling: Scaling::Standardised,
            wanted: Wanted::default(),
            surrogates: None,
        }
    }
}

/// Estimates of one or several tasks `T`, in nats. They may be negative: the estimator has a bias and a spread, and is not cut off.
#[derive(Clone, Debug)]
pub struct Information {
    /// One for each task.
    pub values: Vec<f64>,
    /// How many points of each task have a distance of 0 to their k-th neighbour, which makes its estimate worthless.
    pub zero_distances: Vec<usize>,
    /// Those of the surrogates, `[T, S]` row by row; empty without.
    pub surrogates: Vec<f64>,
    /// `(1 + #{T_s >= T}) / (1 + S)` for each task; empty without surrogates.
    pub p_values: Vec<f64>,
    /// Local values, `float64` `[T, N]`, where they are wanted.
    pub local: Option<Tensor>,
    /// Counts `n_yz, n_xz, n_z`, `int32` `[T, 3, N]`, where they are wanted.
    pub counts: Option<Tensor>,
    /// Distances to the k-th neighbours, `[T, N]`, where they are wanted.
    pub distances: Option<Tensor>,
}

/// Points of several tasks: the coordinates of x, y and z of each, as rows of the series and where they begin.
pub(super) struct Tasks {
    pub(super) points: usize,
    pub(super) widths: [usize; 3],
    pub(super) form: Form,
    pub(super) coordinates: Vec<[i32; 2]>,
}

impl Tasks {
    fn count(&self) -> usize {
        self.coordinates.len() / self.widths.iter().sum::<usize>().max(1)
    }
}

/// Estimates of all tasks. `series` is `[M, L]`.
pub(super) fn estimate(
    op: &'static str,
    series: &Tensor,
    tasks: &Tasks,
    estimator: &Estimator,
) -> Result<Information> {
    let asked = checked(op, tasks, estimator)?;
    let device = series.device().clone();
    let (n, count) = (tasks.points, tasks.count());
    let [series, finite] = scaled(series, estimator.scaling)?;
    let shuffled = estimator.surrogates.map_or(0, |s| s.count);
    let orders = match estimator.surrogates {
        Some(surrogates) => surrogates.orders(n, &device)?,
        None => Tensor::zeros_on(&[0, n], DType::I32, &device)?,
    };
    let each = 1 + shuffled;
    let rows = count * each;
    let mut coordinates = room::empty(rows * asked.width() * 2)?;
    let mut which = room::empty::<i32>(rows)?;
    for task in tasks.coordinates.chunks(asked.width()) {
        for surrogate in 0..each {
            coordinates.extend(task.iter().flatten().copied());
            which.push(surrogate as i32 - 1);
        }
    }
    let coordinates = Tensor::from_vec(coordinates, &[rows, asked.width(), 2])?.to(&device)?;
    let which = Tensor::from_vec(which, &[rows])?.to(&device)?;
    let psi = table(n, &device)?;
    let wanted = estimator.wanted;
    let outputs = [
        (&[rows][..], DType::F64),
        (&[rows], DType::I32),
        (&[rows, wanted.length(Wanted::LOCAL, n)], DType::F64),
        (&[rows, 3, wanted.length(Wanted::COUNTS, n)], DType::I32),
        (&[rows, wanted.length(Wanted::DISTANCES, n)], series.dtype()),
    ];
    let inputs = [&series, &coordinates, &orders, &which, &psi];
    // SAFETY: shapes, types and numbers are those of the contract, and rows and places lie inside the series.
    let made = unsafe { vectors::run(&KSG, &inputs, &outputs, asked.numbers())? };
    let [means, zeros, local, counts, distances] = <[Tensor; 5]>::try_from(made)
        .map_err(|made| refused(op, format!("{} outputs", made.len())))?;
    // Read together with the result, so that nothing waits before the launch.
    if finite.to_vec::<bool>()?.contains(&false) {
        let what = "a series has a NaN or an infinity, or a range beyond its type; hint: look where isfinite is false";
        return Err(refused(op, what));
    }
    // Those of the series themselves, without their surrogates.
    let own = |t: Tensor, part: Wanted| match wanted.has(part) {
        false => Ok(None),
        true => t.slice(0, None, None, each as isize).map(Some),
    };
    let (means, zeros) = (means.to_vec::<f64>()?, zeros.to_vec::<i32>()?);
    let mut found = Information {
        values: room::empty(count)?,
        zero_distances: room::empty(count)?,
        surrogates: room::empty(count * shuffled)?,
        p_values: room::empty(count)?,
        local: own(local, Wanted::LOCAL)?,
        counts: own(counts, Wanted::COUNTS)?,
        distances: own(distances, Wanted::DISTANCES)?,
    };
    for (means, zeros) in means.chunks(each).zip(zeros.chunks(each)) {
        found.values.push(means[0]);
        found.zero_distances.push(zeros[0] as usize);
        found.surrogates.extend_from_slice(&means[1..]);
        if shuffled > 0 {
            let reached = means[1..].iter().filter(|s| **s >= means[0]).count();
            found.p_values.push((1 + reached) as f64 / each as f64);
        }
    }
    Ok(found)
}

/// The numbers of a launch, where there can be one.
fn checked(op: &'static str, tasks: &Tasks, estimator: &Estimator) -> Result<Asked> {
    let Estimator { k, window, .. } = *estimator;
    let (n, width) = (tasks.points, tasks.widths.iter().sum::<usize>());
    let most = n.saturating_sub(window.saturating_mul(2).saturating_add(1));
    if k < 1 || k > most.min(MAX_NEIGHBOURS) {
        let what = format!(
            "k = {k} is out of range: with {n} points and a window of {window} it is from 1 to {}; hint: longer series, a shorter history or window, or a smaller k",
            most.min(MAX_NEIGHBOURS)
        );
        return Err(refused(op, what));
    }
    if width > MAX_COORDINATES {
        let what = format!(
            "a point has {width} coordinates, and at most {MAX_COORDINATES} are compared; hint: shorten the histories"
        );
        return Err(refused(op, what));
    }
    if i32::try_from(n).is_err() {
        return Err(refused(op, format!("{n} points are more than 2^31 - 1")));
    }
    Ok(Asked {
        points: n,
        k,
        window,
        widths: tasks.widths,
        form: tasks.form,
        wanted: estimator.wanted,
    })
}

/// Digamma of `0..n + 2`, NaN first.
fn table(n: usize, device: &Arc<dyn Device>) -> Result<Tensor> {
    let psi = room::collected((0..n + 2).map(digamma))?;
    Tensor::from_vec(psi, &[n + 2])?.to(device)
}
