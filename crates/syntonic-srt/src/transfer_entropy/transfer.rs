//! Transfer entropy: which tasks it is.

use super::error::{fit, refused};
use super::estimate::{Estimator, Information, Tasks, estimate};
use super::kernel::Form;
use syntonic_core::{Error, Result, Tensor, describe};

/// How much of a series' past is looked at: `length` samples `step` apart, the newest `delay` before the present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Past {
    /// How many samples.
    pub length: usize,
    /// Steps between them.
    pub step: usize,
    /// Steps from the newest of them to the present, at least 1.
    pub delay: usize,
}

impl Default for Past {
    fn default() -> Past {
        Past {
            length: 1,
            step: 1,
            delay: 1,
        }
    }
}

impl Past {
    /// Steps from the oldest sample to the present.
    fn reach(&self) -> usize {
        let back = self.length.saturating_sub(1).saturating_mul(self.step);
        back.saturating_add(self.delay)
    }

    /// Where each sample is for a point at `start`.
    fn places(self, row: usize, start: usize) -> impl Iterator<Item = [i32; 2]> {
        (0..self.length).map(move |d| [row as i32, (start - self.delay - d * self.step) as i32])
    }

    fn check(&self, op: &'static str, whose: &str) -> Result<()> {
        if self.length < 1 || self.step < 1 || self.delay < 1 {
            let what = format!(
                "length, step and delay of the {whose}'s past are at least 1, not {}, {} and {}",
                self.length, self.step, self.delay
            );
            return Err(refused(op, what));
        }
        Ok(())
    }
}

/// The pasts that transfer entropy looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Histories {
    /// Of the source; its delay is that of the transfer.
    pub source: Past,
    /// Of the target; its delay is 1.
    pub target: Past,
    /// Of the condition, where there is one.
    pub condition: Past,
}

/// Transfer entropy from `source` to `target` in nats, `[n]` and `[n]`, or by pairs `[B, n]` and `[B, n]`:
/// `I(y_t; past of x | past of y)`, given also the past of `condition` where there is one.
///
/// The estimator is KSG 1 of conditional mutual information (Kraskov et al., Phys. Rev. E 69, 066138; Frenzel and Pompe, Phys. Rev. Lett. 99,
/// 204101), with the largest difference of coordinates as distance, counts of what is strictly nearer, and series that are standardised
/// unless the estimator says otherwise. One value for each pair.
///
/// Errors: types other than `float32` and `float64` or several of them, devices or shapes that differ, samples that are not finite, series that are too short for the histories,
/// `k` out of range, and points of more than 32 coordinates.
pub fn transfer_entropy(
    source: &Tensor,
    target: &Tensor,
    condition: Option<&Tensor>,
    histories: Histories,
    estimator: &Estimator,
) -> Result<Information> {
    const OP: &str = "transfer_entropy";
    let mut operands = vec![source, target]; // few: two or three.
    operands.extend(condition);
    fit(OP, &operands)?;
    let alike = operands.iter().all(|t| t.shape() == source.shape());
    if !alike || !(1..=2).contains(&source.ndim()) {
        return Err(Error::Shape {
            op: OP,
            operands: describe(&operands),
            hint: "source, target and condition have one shape, [n] or [pairs, n]".into(),
        });
    }
    let n = source.shape()[source.ndim() - 1];
    let pairs = source.numel() / n.max(1);
    let rows = |t: &&Tensor| t.reshape(&[pairs as isize, n as isize]);
    let series = operands.iter().map(rows).collect::<Result<Vec<_>>>()?; // few: as above.
    let series = Tensor::concat(&series.iter().collect::<Vec<_>>(), 0)?; // few: as above.
    let given = condition.map(|_| 2 * pairs);
    let all = (0..pairs).map(|pair| [pair, pairs + pair, given.map_or(0, |first| first + pair)]);
    tasks_of(OP, n, all, given.is_some(), histories)
        .and_then(|tasks| estimate(OP, &series, &tasks, estimator))
}

/// Transfer entropy between all series of `[M, n]`: `M (M - 1)` values, from each source to each target, by targets: `(source, target)` is at
/// `target (M - 1) + source`, less one where the source comes after the target.
///
/// Otherwise as [`transfer_entropy`].
pub fn transfer_entropy_matrix(
    series: &Tensor,
    histories: Histories,
    estimator: &Estimator,
) -> Result<Information> {
    const OP: &str = "transfer_entropy_matrix";
    fit(OP, &[series])?;
    let &[count, n] = series.shape() else {
        return Err(Error::Shape {
            op: OP,
            operands: describe(&[series]),
            hint: "the series are the rows of [series, n]".into(),
        });
    };
    let of = |target| {
        (0..count)
            .filter(move |&source| source != target)
            .map(move |source| [source, target, 0])
    };
    let tasks = tasks_of(OP, n, (0..count).flat_map(of), false, histories)?;
    estimate(OP, &series.contiguous()?.eval()?, &tasks, estimator)
}

/// Tasks of `(source, target, condition)` rows.
fn tasks_of(
    op: &'static str,
    n: usize,
    rows: impl Iterator<Item = [usize; 3]>,
    conditioned: bool,
    histories: Histories,
) -> Result<Tasks> {
    let Histories {
        source,
        mut target,
        condition,
    } = histories;
    target.delay = 1;
    source.check(op, "source")?;
    target.check(op, "target")?;
    condition.check(op, "condition")?;
    let more = if conditioned { condition.length } else { 0 };
    let reach = source.reach().max(target.reach());
    let start = if conditioned {
        reach.max(condition.reach())
    } else {
        reach
    };
    if start >= n {
        let what = format!(
            "series of {n} samples are too short for histories that reach {start} back; hint: longer series, or shorter histories and delays"
        );
        return Err(refused(op, what));
    }
    let mut coordinates = Vec::new();
    for [x, y, c] in rows {
        let now = [[y as i32, start as i32]];
        let places = source
            .places(x, start)
            .chain(now)
            .chain(target.places(y, start));
        for place in places.chain(condition.places(c, start).take(more)) {
            syntonic_core::room::push(&mut coordinates, place)?;
        }
    }
    Ok(Tasks {
        points: n - start,
        widths: [source.length, 1, target.length + more],
        form: Form::Conditional,
        coordinates,
    })
}
