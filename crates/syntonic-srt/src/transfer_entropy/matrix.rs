//! Transfer entropy between all of many series, in launches of a bounded size.

use super::error::fit;
use super::estimate::{Estimator, Information};
use super::history::Histories;
use super::prepared::{Kind, Prepared};
use super::transfer::tasks_of;
use std::ops::Range;
use syntonic_core::{Error, Result, Tensor, describe, room};

/// Elements that the tasks of a launch are and leave, of up to eight bytes each: enough to keep every card busy.
const PIECE: usize = 1 << 23;

/// Transfer entropy between all series of `[M, n]`: `M (M - 1)` values, from each source to each target, by targets: `(source, target)` is at
/// `target (M - 1) + source`, less one where the source comes after the target.
///
/// Otherwise as [`transfer_entropy`](super::transfer_entropy()). Series may be thousands: besides them and the result, memory is taken for some
/// million elements at a time, in a launch for each. How it is cut changes no value.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::transfer_entropy::{Estimator, Histories, transfer_entropy_matrix};
///
/// let noise = Tensor::randn(&[501], DType::F64, &mut Generator::new(7))?;
/// // The second series is the first, one step later.
/// let series = Tensor::stack(&[&noise.index(1..)?, &noise.index(..500)?], 0)?;
/// let found = transfer_entropy_matrix(&series, Histories::default(), &Estimator::default())?;
/// // To the first from the second, then to the second from the first.
/// assert!(found.values.len() == 2 && found.values[1] > found.values[0] + 1.0);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn transfer_entropy_matrix(
    series: &Tensor,
    histories: Histories,
    estimator: &Estimator,
) -> Result<Information> {
    in_pieces(series, histories, estimator, PIECE)
}

/// The same in launches of about so many elements, of one task at least.
pub(super) fn in_pieces(
    series: &Tensor,
    histories: Histories,
    estimator: &Estimator,
    piece: usize,
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
    let of = |task: usize| {
        let (target, other) = (task / (count - 1), task % (count - 1));
        let source = other + usize::from(other >= target);
        [source..source + 1, target..target + 1, 0..0]
    };
    let delays = [histories.source.delay];
    let tasks = |range: Range<usize>| tasks_of(OP, n, range.map(of), histories, &delays);
    let series = series.contiguous()?.eval()?;
    let mut prepared = Prepared::new(OP, &Kind::of(&series), &tasks(0..0)?, estimator)?;
    let compared = prepared.compared(&series)?;
    let total = count.saturating_mul(count.saturating_sub(1));
    let step = (piece / prepared.elements()).max(1);
    // Random numbers are those of series and surrogates, whichever tasks they are for.
    let mut estimates = |range: Range<usize>| {
        prepared.take(&tasks(range)?)?;
        prepared.launch(&compared)?.read()
    };
    let first = estimates(0..step.min(total))?;
    if step >= total {
        return Ok(first);
    }
    let mut all = first.room(total)?;
    all.put(0, first)?;
    for from in (step..total).step_by(step) {
        all.put(from, estimates(from..total.min(from + step))?)?;
    }
    Ok(all)
}

impl Information {
    /// Nothing yet, with room for so many tasks like these.
    fn room(&self, tasks: usize) -> Result<Information> {
        let each = |values: usize| tasks.saturating_mul(values / self.values.len().max(1));
        let whole = |part: &Option<Tensor>| {
            let Some(part) = part else {
                return Ok(None);
            };
            let mut shape = part.shape().to_vec(); // few: axes.
            shape[0] = tasks;
            Tensor::zeros_on(&shape, part.dtype(), part.device()).map(Some)
        };
        Ok(Information {
            values: room::empty(tasks)?,
            zero_distances: room::empty(tasks)?,
            ties: room::collected(self.ties.iter().copied())?,
            surrogates: room::empty(each(self.surrogates.len()))?,
            p_values: room::empty(each(self.p_values.len()))?,
            scheme: self.scheme,
            local: whole(&self.local)?,
            counts: whole(&self.counts)?,
            distances: whole(&self.distances)?,
        })
    }

    /// The tasks from `from` on, which there is room for.
    fn put(&mut self, from: usize, part: Information) -> Result<()> {
        let to = from + part.values.len();
        self.values.extend(part.values);
        self.zero_distances.extend(part.zero_distances);
        self.surrogates.extend(part.surrogates);
        self.p_values.extend(part.p_values);
        let kept = [
            (&self.local, part.local),
            (&self.counts, part.counts),
            (&self.distances, part.distances),
        ];
        for (whole, part) in kept {
            if let (Some(whole), Some(part)) = (whole, part) {
                let place = whole.slice(0, Some(from as isize), Some(to as isize), 1)?;
                // SAFETY: nobody else has this memory before all of it is written.
                unsafe { place.assign_aliased(&part)? };
            }
        }
        Ok(())
    }
}
