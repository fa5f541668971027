//! Mutual information, with and without a condition, and the two stages of its estimate by themselves.

use super::error::{fit, refused};
use super::estimate::{Estimator, Information};
use super::kernel::{Form, KSG_COUNTS, Wanted};
use super::prepared::{NOT_FINITE, Prepared, Tasks, counted};
use super::standard::{Scaling, checked};
use syntonic_core::ops::vectors::{Operands, run_named};
use syntonic_core::{DType, Error, Result, Tensor, describe};

/// Mutual information `I(x; y)` in nats, or `I(x; y | condition)`: of `n` samples each, `[n]`, or `[d, n]` for samples of `d` coordinates.
/// One value.
///
/// The estimator is KSG 1 (Kraskov et al., Phys. Rev. E 69, 066138), or that of Frenzel and Pompe (Phys. Rev. Lett. 99, 204101) with a condition.
/// With a window, the number of samples in the formula is that of what the window leaves to each point.
///
/// Errors: types other than `float32` and `float64` or several of them, devices or lengths that differ, samples that are not finite, `k` out of range, and more than 32
/// coordinates in all.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::transfer_entropy::{Estimator, mutual_information};
///
/// let mut generator = Generator::new(7);
/// let x = Tensor::randn(&[500], DType::F64, &mut generator)?;
/// let noise = Tensor::randn(&[500], DType::F64, &mut generator)?;
/// let estimator = Estimator::default();
/// let shared = mutual_information(&x, &(&x + 0.1 * &noise).eval()?, None, &estimator)?.values[0];
/// let none = mutual_information(&x, &noise, None, &estimator)?.values[0];
/// // Half the logarithm of one plus the ratio of variances is 2.31.
/// assert!((shared - 2.31).abs() < 0.3 && none.abs() < 0.15);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn mutual_information(
    x: &Tensor,
    y: &Tensor,
    condition: Option<&Tensor>,
    estimator: &Estimator,
) -> Result<Information> {
    const OP: &str = "mutual_information";
    let (series, tasks) = samples(OP, x, y, condition)?;
    Prepared::once(OP, &series, &tasks, estimator)
}

/// The first stage alone: for each sample the distance to its `k`-th neighbour, `[n]`, in the type of the operands, which are taken as they are
/// and otherwise as of [`mutual_information`]. No `i, j` with `|i - j| <= window` are neighbours.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::transfer_entropy::ksg_distances;
///
/// let x = Tensor::from([0.0, 1.0, 3.0, 7.0]);
/// // The nearest neighbours are 1, 1, 2 and 4 away in both coordinates.
/// assert_eq!(ksg_distances(&x, &x, None, 1, 0)?.to_vec::<f64>()?, [1.0, 1.0, 2.0, 4.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn ksg_distances(
    x: &Tensor,
    y: &Tensor,
    condition: Option<&Tensor>,
    k: usize,
    window: usize,
) -> Result<Tensor> {
    const OP: &str = "ksg_distances";
    let (series, tasks) = samples(OP, x, y, condition)?;
    let estimator = Estimator {
        k,
        window,
        scaling: Scaling::AsGiven,
        jitter: None,
        wanted: Wanted::DISTANCES,
        ..Estimator::default()
    };
    let found = Prepared::once(OP, &series, &tasks, &estimator)?;
    let made = found.distances.map(|t| t.reshape(&[-1]));
    made.unwrap_or_else(|| Err(refused(OP, "the distances are missing")))
}

/// The second stage alone: how many neighbours of each sample are strictly nearer than its distance, `[n]`: `int32` `[3, n]` with `n_yz`, `n_xz` and `n_z`,
/// without a condition `n_y`, `n_x` and 0. Operands as of [`ksg_distances`], whose samples are finite.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::transfer_entropy::{ksg_counts, ksg_distances};
///
/// let (x, y) = (Tensor::from([0.0, 1.0, 3.0, 7.0]), Tensor::from([0.0, 5.0, 5.5, 6.0]));
/// let counts = ksg_counts(&x, &y, None, &ksg_distances(&x, &y, None, 1, 0)?, 0)?;
/// assert_eq!((counts.shape(), counts.dtype()), (&[3, 4][..], DType::I32));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn ksg_counts(
    x: &Tensor,
    y: &Tensor,
    condition: Option<&Tensor>,
    distances: &Tensor,
    window: usize,
) -> Result<Tensor> {
    const OP: &str = "ksg_counts";
    fit(OP, &[x, distances])?;
    let (series, tasks) = samples(OP, x, y, condition)?;
    let n = tasks.points;
    if distances.shape() != [n] {
        return Err(Error::Shape {
            op: OP,
            operands: describe(&[x, distances]),
            hint: format!("there is one distance for each of the {n} samples"),
        });
    }
    counted(OP, "points", n)?;
    let [series, finite] = checked(&series)?;
    let answered = Tensor::concat(&[&finite, &distances.is_nan()?.logical_not()?], 0)?;
    if !answered.all(..)?.to_scalar::<bool>()? {
        let what = format!("{NOT_FINITE}; nor is a distance NaN");
        return Err(refused(OP, what));
    }
    let series = series.contiguous()?.eval()?;
    let [dx, dy, dz] = tasks.widths;
    let coordinates = Tensor::from_slice(tasks.coordinates.as_flattened(), &[1, dx + dy + dz, 2])?;
    let operands = Operands {
        inputs: &[
            ("series", &series),
            ("coordinates", &coordinates.to(x.device())?),
            ("distances", &distances.contiguous()?.eval()?),
        ],
        outputs: &[("counts", &[1, 3, n], DType::I32)],
        numbers: &[
            ("points", n.into()),
            // No two points are further apart in time.
            ("window", window.min(n).into()),
            ("dx", dx.into()),
            ("dy", dy.into()),
            ("dz", dz.into()),
        ],
        lists: &[],
    };
    // SAFETY: shapes, types and numbers are those of the contract.
    let counts = unsafe { run_named(&KSG_COUNTS, &operands)? }.take("counts")?;
    counts.reshape(&[3, n as isize])
}

/// The coordinates of all operands as rows, and the one task over them.
fn samples(
    op: &'static str,
    x: &Tensor,
    y: &Tensor,
    condition: Option<&Tensor>,
) -> Result<(Tensor, Tasks)> {
    let mut operands = vec![x, y]; // few: two or three.
    operands.extend(condition);
    fit(op, &operands)?;
    let length = |t: &Tensor| t.shape().last().copied().unwrap_or(0);
    let n = length(x);
    let alike = operands.iter().all(|t| length(t) == n);
    if !alike || operands.iter().any(|t| !(1..=2).contains(&t.ndim())) {
        return Err(Error::Shape {
            op,
            operands: describe(&operands),
            hint: "all have as many samples, [n] or [coordinates, n]".into(),
        });
    }
    let rows = |t: &&Tensor| t.reshape(&[(t.numel() / n.max(1)) as isize, n as isize]);
    let series = operands.iter().map(rows).collect::<Result<Vec<_>>>()?; // few: as above.
    let mut widths = [0; 3];
    for (width, rows) in widths.iter_mut().zip(&series) {
        *width = rows.shape()[0];
    }
    let width = widths.iter().sum::<usize>();
    if widths[0] == 0 || widths[1] == 0 || width > super::kernel::MAX_COORDINATES {
        let what = format!(
            "samples of {widths:?} coordinates; hint: one or more of each operand, and at most 32 in all"
        );
        return Err(refused(op, what));
    }
    let form = match widths[2] {
        0 => Form::Mutual,
        _ => Form::Conditional,
    };
    let series = Tensor::concat(&series.iter().collect::<Vec<_>>(), 0)?; // few: as above.
    let tasks = Tasks {
        points: n,
        widths,
        form,
        coordinates: (0..width).map(|row| [row as i32, 0]).collect(), // few: at most 32.
    };
    Ok((series.contiguous()?.eval()?, tasks))
}
