//! The modes of results, by the rule that [`States`](super::States) tells.

use super::states::Join;
use super::{ResonantError, Result, Spectrum};
use std::sync::Arc;
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::{Result as Made, Tensor, room, same_device};

impl Spectrum {
    /// The modes of the elements of states of `shape` where `of` puts them.
    pub(super) fn placed(
        &self,
        shape: &[usize],
        of: impl Fn(&Tensor) -> Made<Tensor>,
    ) -> Result<Spectrum> {
        self.each(|t| row(&of(&t.broadcast_to(shape)?)?), false)
    }

    /// The modes of values that states with the modes `one` were broadcast to.
    pub(super) fn spread(
        one: &Arc<Spectrum>,
        op: &'static str,
        values: &Tensor,
    ) -> Result<Arc<Spectrum>> {
        if one.check(op, values).is_ok() {
            return Ok(one.clone());
        }
        // A hint of the modes where the values do not even go together with them.
        if one.norms.broadcast_to(values.shape()).is_err() {
            one.check(op, values)?;
        }
        Ok(Arc::new(one.placed(values.shape(), |t| Ok(t.clone()))?))
    }

    /// The modes of values that came of two, element by element.
    pub(super) fn agreed(
        op: &'static str,
        one: &Arc<Spectrum>,
        other: &Arc<Spectrum>,
        values: &Tensor,
    ) -> Result<Arc<Spectrum>> {
        if !alike(op, one, other, values.shape())? {
            return Err(ResonantError::Modes { op });
        }
        Spectrum::spread(one, op, values)
    }

    /// The modes of states that were joined, each of a shape, `along` the last axis of the result or along another one.
    pub(super) fn joined(
        all: &[(&Arc<Spectrum>, &[usize])],
        join: Join,
        along: bool,
    ) -> Result<Arc<Spectrum>> {
        let Some((first, _)) = all.first() else {
            return Err(ResonantError::Modes { op: "join" });
        };
        let rows = all.iter().all(|(modes, _)| modes.norms.ndim() == 1);
        let op = "join";
        if rows && !along {
            let mut same = true;
            for (modes, _) in &all[1..] {
                let shape = first.norms.shape();
                same &= modes.norms.shape() == shape && alike(op, first, modes, shape)?;
            }
            if same {
                return Ok((*first).clone());
            }
        }
        let part = |of: fn(&Spectrum) -> &Tensor| -> Result<Tensor> {
            let spread = |(modes, shape): &(&Arc<Spectrum>, &[usize])| match (rows, along, join) {
                // Rows behind rows are one row.
                (true, true, Join::Concat(_)) => Ok(of(modes).clone()),
                _ => of(modes).broadcast_to(shape),
            };
            let parts = all.iter().map(spread);
            let parts = parts.collect::<Made<Vec<Tensor>>>()?; // few: as many as were listed.
            let parts = room::collected(parts.iter())?;
            Ok(match (rows, along, join) {
                (true, true, Join::Concat(_)) => Tensor::concat(&parts, 0)?.eval()?,
                _ => row(&join.of(&parts)?)?,
            })
        };
        Ok(Arc::new(Spectrum {
            norms: part(|s| &s.norms)?,
            lengths: part(|s| &s.lengths)?,
            weights: part(|s| &s.weights)?,
            damping: part(|s| &s.damping)?,
            usual: false,
        }))
    }
}

/// True where both say the same of states of a shape.
fn alike(
    op: &'static str,
    one: &Arc<Spectrum>,
    other: &Arc<Spectrum>,
    shape: &[usize],
) -> Result<bool> {
    let (x, y) = (&one.norms, &other.norms);
    let same_shape = x.shape() == y.shape();
    if Arc::ptr_eq(one, other) || (one.usual && other.usual && same_shape) {
        return Ok(true);
    }
    same_device(op, &[x, y])?;
    let differ = match same_shape {
        true => apply(Prim::Ne, &[Arg::Tensor(x), Arg::Tensor(y)])?,
        false => {
            let (x, y) = (x.broadcast_to(shape)?, y.broadcast_to(shape)?);
            apply(Prim::Ne, &[Arg::Tensor(&x), Arg::Tensor(&y)])?
        }
    };
    Ok(!reduce::any(&differ, &Over::all())?.to_scalar::<bool>()?)
}

/// A mode for each element as one for each of a row, where rows repeat one in memory; otherwise in memory of its own.
fn row(t: &Tensor) -> Made<Tensor> {
    let leading = t.ndim().saturating_sub(1);
    let axes = t.shape().iter().zip(t.strides()).take(leading);
    let mut repeated = axes.clone().all(|(&n, &stride)| n == 1 || stride == 0);
    repeated &= leading > 0 && t.numel() > 0 && !t.is_pending();
    match repeated {
        true => {
            let mut one = t.clone();
            for _ in 0..leading {
                one = one.select(0, 0)?;
            }
            one.copy()
        }
        // A view of modes that another spectrum holds stays one: nobody writes them.
        false => t.eval(),
    }
}
