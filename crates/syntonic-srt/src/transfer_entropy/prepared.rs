//! Tasks over series of one shape with all that a run needs besides the series, and what a run leaves on the device.

use super::digamma::digamma;
use super::error::refused;
use super::estimate::{Estimator, Information};
use super::kernel::{Asked, Form, KSG, MAX_COORDINATES, MAX_NEIGHBOURS, Wanted};
use super::standard::{Scaling, scaled};
use super::surrogates::Scheme;
use super::ties::tied;
use std::sync::Arc;
use syntonic_core::ops::vectors::{Operands, run_named};
use syntonic_core::{DType, Device, Result, Tensor, room};

/// Points of several tasks: the coordinates of x, y and z of each, as rows of the series and where they begin.
pub(super) struct Tasks {
    pub(super) points: usize,
    pub(super) widths: [usize; 3],
    pub(super) form: Form,
    pub(super) coordinates: Vec<[i32; 2]>,
}

impl Tasks {
    /// Coordinates of a point.
    fn width(&self) -> usize {
        self.widths.iter().sum()
    }

    fn count(&self) -> usize {
        self.coordinates.len() / self.width().max(1)
    }
}

/// What is known of series before their samples are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind<'a> {
    /// `[M, L]`.
    pub(super) shape: [usize; 2],
    pub(super) dtype: DType,
    pub(super) device: &'a Arc<dyn Device>,
}

impl Kind<'_> {
    /// That of these, `[M, L]`.
    pub(super) fn of(series: &Tensor) -> Kind<'_> {
        Kind {
            shape: [series.shape()[0], series.shape()[1]],
            dtype: series.dtype(),
            device: series.device(),
        }
    }
}

/// What is said of series whose distances are no numbers.
pub(super) const NOT_FINITE: &str = "a series has a NaN or an infinity, or samples that are further apart than its type can say; hint: look where isfinite is false, or let the series be standardised";

/// What a launch needs besides the series, where they are.
#[derive(Debug)]
pub(super) struct Prepared {
    op: &'static str,
    asked: Asked,
    scaling: Scaling,
    noise: Option<Tensor>,
    coordinates: Tensor,
    orders: Tensor,
    which: Tensor,
    psi: Tensor,
    /// Estimates of a task: its own, and those of its surrogates.
    each: usize,
    scheme: Option<Scheme>,
}

/// What a run leaves on the device of the series.
#[derive(Debug)]
pub struct Estimates {
    op: &'static str,
    /// Means and how many distances are 0, `[T (1 + S), 2]`, then the tied samples of each series, `[M]`: `float64`, one behind the other, so
    /// that one copy reads them.
    summary: Tensor,
    /// `T (1 + S)`.
    rows: usize,
    each: usize,
    scheme: Option<Scheme>,
    kept: [Option<Tensor>; 3],
}

impl Prepared {
    /// For series of this kind.
    pub(super) fn new(
        op: &'static str,
        series: &Kind<'_>,
        tasks: &Tasks,
        estimator: &Estimator,
    ) -> Result<Prepared> {
        let asked = checked(op, tasks, estimator)?;
        counted(op, "series", series.shape[0])?;
        let device = series.device;
        let n = tasks.points;
        let noise = match estimator.jitter {
            Some(jitter) => jitter
                .check(op)
                .and_then(|()| jitter.noise(series))
                .map(Some)?,
            None => None,
        };
        let surrogates = estimator.surrogates.map_or(0, |s| s.count);
        counted(op, "surrogates", surrogates)?;
        let each = 1 + surrogates;
        let orders = match estimator.surrogates {
            Some(surrogates) => surrogates.orders(op, n, device)?,
            None => Tensor::zeros_on(&[0, n], DType::I32, device)?,
        };
        let [coordinates, which] = placed(tasks, each, device)?;
        Ok(Prepared {
            op,
            asked,
            scaling: estimator.scaling,
            noise,
            coordinates,
            orders,
            which,
            psi: table(n, device)?,
            each,
            scheme: estimator.surrogates.map(|s| s.scheme_of(n)),
        })
    }

    /// Estimates of these very series, `[M, L]`.
    pub(super) fn once(
        op: &'static str,
        series: &Tensor,
        tasks: &Tasks,
        estimator: &Estimator,
    ) -> Result<Information> {
        Prepared::new(op, &Kind::of(series), tasks, estimator)?
            .run(series)?
            .read()
    }

    /// Other tasks, over as many points of as many coordinates.
    pub(super) fn take(&mut self, tasks: &Tasks) -> Result<()> {
        [self.coordinates, self.which] = placed(tasks, self.each, self.which.device())?;
        Ok(())
    }

    /// Elements that a task with its surrogates is, and that a launch leaves of it.
    pub(super) fn elements(&self) -> usize {
        let Asked { points, wanted, .. } = self.asked;
        let lengths = [
            (Wanted::LOCAL, points),
            (Wanted::COUNTS, 3 * points),
            (Wanted::DISTANCES, points),
        ];
        let kept = lengths.map(|(part, n)| wanted.length(part, n));
        // Coordinates are two numbers each, and so is the summary.
        let all = kept.iter().sum::<usize>() + 2 * self.asked.width() + 3;
        all.saturating_mul(self.each)
    }

    /// One launch, some before it for the scaling and the ties, and one that joins what is read. Nothing waits for the device.
    pub(super) fn run(&self, series: &Tensor) -> Result<Estimates> {
        self.launch(&self.compared(series)?)
    }

    /// The series as they are compared, for each whether it is finite, and how many of its samples are tied before there is noise.
    pub(super) fn compared(&self, series: &Tensor) -> Result<[Tensor; 3]> {
        // Others may write the caller's memory, and what is compared are the numbers that were found finite.
        let series = series.copy()?;
        let ties = tied(&series)?;
        let [series, finite] = scaled(&series, self.scaling, self.noise.as_ref())?;
        Ok([series.contiguous()?.eval()?, finite, ties])
    }

    /// The launch over what [`Prepared::compared`] made.
    pub(super) fn launch(&self, [series, finite, ties]: &[Tensor; 3]) -> Result<Estimates> {
        let (n, rows, wanted) = (self.asked.points, self.which.numel(), self.asked.wanted);
        let lengths = [Wanted::LOCAL, Wanted::COUNTS, Wanted::DISTANCES];
        let [local, counts, distances] = lengths.map(|part| wanted.length(part, n));
        let operands = Operands {
            inputs: &[
                ("series", series),
                ("coordinates", &self.coordinates),
                ("orders", &self.orders),
                ("which", &self.which),
                ("psi", &self.psi),
                ("finite", finite),
            ],
            outputs: &[
                ("summary", &[rows, 2], DType::F64),
                ("local", &[rows, local], DType::F64),
                ("counts", &[rows, 3, counts], DType::I32),
                ("distances", &[rows, distances], series.dtype()),
            ],
            numbers: &self.asked.numbers(),
            lists: &[],
        };
        // SAFETY: shapes, types and numbers are those of the contract, and rows and places lie inside the series.
        let mut made = unsafe { run_named(&KSG, &operands)? };
        // Those of the series themselves, without their surrogates.
        let mut own = |name: &str, part: Wanted| match wanted.has(part) {
            false => Ok(None),
            true => {
                let all = made.take(name)?;
                all.slice(0, None, None, self.each as isize).map(Some)
            }
        };
        let kept = [
            own("local", Wanted::LOCAL)?,
            own("counts", Wanted::COUNTS)?,
            own("distances", Wanted::DISTANCES)?,
        ];
        let summary = made.take("summary")?.reshape(&[-1])?;
        Ok(Estimates {
            op: self.op,
            summary: Tensor::concat(&[&summary, ties], 0)?.eval()?,
            rows,
            each: self.each,
            scheme: self.scheme,
            kept,
        })
    }
}

impl Estimates {
    /// The estimates on the device, `float64` `[T, 1 + S]`: each task's own, then those of its surrogates. NaN where a series of
    /// the task has a sample that is not finite. Nothing waits, so this can be part of a [`Graph`](syntonic_core::Graph).
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::transfer_entropy::{Estimator, Histories, TransferEntropy};
    ///
    /// let x = Tensor::randn(&[200], DType::F64, &mut Generator::new(7))?;
    /// let y = Tensor::randn(&[200], DType::F64, &mut Generator::new(8))?;
    /// let prepared = TransferEntropy::prepare(&x, &y, None, Histories::default(), &[1, 2], &Estimator::default())?;
    /// assert_eq!(prepared.run(&x, &y, None)?.values()?.shape(), [2, 1]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn values(&self) -> Result<Tensor> {
        let means = self
            .summary
            .slice(0, None, Some(2 * self.rows as isize), 2)?;
        means.reshape(&[-1, self.each as isize])
    }

    /// The parts of a run, for a graph's results.
    pub(super) fn into_parts(self) -> Result<Vec<Tensor>> {
        let mut parts = room::empty(4)?;
        parts.push(self.summary);
        parts.extend(self.kept.into_iter().flatten());
        Ok(parts)
    }

    /// What the parts of a run like `prepared` are.
    pub(super) fn of_parts(prepared: &Prepared, parts: Vec<Tensor>) -> Result<Estimates> {
        let mut parts = parts.into_iter();
        let missing = || refused(prepared.op, "a result of the graph is missing");
        let summary = parts.next().ok_or_else(missing)?;
        let wanted = prepared.asked.wanted;
        let kept = [Wanted::LOCAL, Wanted::COUNTS, Wanted::DISTANCES];
        Ok(Estimates {
            op: prepared.op,
            summary,
            rows: prepared.which.numel(),
            each: prepared.each,
            scheme: prepared.scheme,
            kept: kept.map(|part| wanted.has(part).then(|| parts.next()).flatten()),
        })
    }

    /// Waits for the device and reads them.
    ///
    /// Errors: a series has a sample that is not finite.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::transfer_entropy::{Estimator, Histories, TransferEntropy};
    ///
    /// let x = Tensor::randn(&[200], DType::F64, &mut Generator::new(7))?;
    /// let y = Tensor::randn(&[200], DType::F64, &mut Generator::new(8))?;
    /// let prepared = TransferEntropy::prepare(&x, &y, None, Histories::default(), &[1], &Estimator::default())?;
    /// let found = prepared.run(&x, &y, None)?.read()?;
    /// assert!(found.values[0].abs() < 0.2 && found.zero_distances == [0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn read(self) -> Result<Information> {
        let summary = self.summary.to_vec::<f64>()?;
        let (summary, ties) = summary.split_at(2 * self.rows);
        let (summary, _) = summary.as_chunks::<2>();
        if summary.iter().any(|[mean, _]| mean.is_nan()) {
            return Err(refused(self.op, NOT_FINITE));
        }
        let (rows, each) = (summary.len(), self.each);
        let count = rows / each;
        let [local, counts, distances] = self.kept;
        let mut found = Information {
            values: room::empty(count)?,
            zero_distances: room::empty(count)?,
            ties: room::collected(ties.iter().map(|&count| count as usize))?,
            surrogates: room::empty(rows - count)?,
            p_values: room::empty(count)?,
            scheme: self.scheme,
            local,
            counts,
            distances,
        };
        for task in summary.chunks(each) {
            let [value, zeros] = task[0];
            found.values.push(value);
            found.zero_distances.push(zeros as usize);
            found.surrogates.extend(task[1..].iter().map(|s| s[0]));
            if each > 1 {
                let reached = task[1..].iter().filter(|s| s[0] >= value).count();
                found.p_values.push((1 + reached) as f64 / each as f64);
            }
        }
        Ok(found)
    }
}

/// Coordinates of all rows of a launch, and which order each is read in: of each task its own row, and those of its surrogates.
fn placed(tasks: &Tasks, each: usize, device: &Arc<dyn Device>) -> Result<[Tensor; 2]> {
    let (rows, width) = (tasks.count().saturating_mul(each), tasks.width());
    let mut coordinates = room::empty(rows.saturating_mul(width).saturating_mul(2))?;
    let mut which = room::empty::<i32>(rows)?;
    for task in tasks.coordinates.chunks(width) {
        for surrogate in 0..each {
            coordinates.extend(task.iter().flatten().copied());
            which.push(surrogate as i32 - 1);
        }
    }
    Ok([
        Tensor::from_vec(coordinates, &[rows, width, 2])?.to(device)?,
        Tensor::from_vec(which, &[rows])?.to(device)?,
    ])
}

/// An error where there are more than the kernels count.
pub(super) fn counted(op: &'static str, whose: &str, n: usize) -> Result<()> {
    match i32::try_from(n) {
        Ok(_) => Ok(()),
        Err(_) => Err(refused(op, format!("{n} {whose} are more than 2^31 - 1"))),
    }
}

/// The numbers of a launch, where there can be one.
fn checked(op: &'static str, tasks: &Tasks, estimator: &Estimator) -> Result<Asked> {
    let Estimator { k, window, .. } = *estimator;
    let (n, width) = (tasks.points, tasks.width());
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
    counted(op, "points", n)?;
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
