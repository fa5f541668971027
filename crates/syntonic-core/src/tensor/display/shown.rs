//! Which elements of a tensor are shown: all of a small one, else those at the ends of its axes.

use crate::error::Result;
use crate::scalar::{Element, Scalar};
use crate::tensor::Tensor;
use crate::with_element;

/// More elements than this are summarised.
pub(super) const THRESHOLD: usize = 1000;
/// Elements shown at each end of an axis that is summarised.
const EDGE: usize = 3;
/// Elements that are shown of a tensor that is summarised.
const MOST: usize = 1 << 11;

/// Values with their brackets: a number, or the text of one, a gap, or a list of either.
pub(super) enum Shown<T> {
    Number(T),
    Gap,
    List(Vec<Shown<T>>),
}

impl<T> Shown<T> {
    /// The same with something else for each number, first number first.
    pub(super) fn map<U>(&self, each: &mut impl FnMut(&T) -> U) -> Shown<U> {
        match self {
            Shown::Number(x) => Shown::Number(each(x)),
            Shown::Gap => Shown::Gap,
            Shown::List(items) => Shown::List(items.iter().map(|item| item.map(each)).collect()), // few: what is shown.
        }
    }
}

/// Which positions of an axis are shown.
#[derive(Clone, Copy)]
pub(super) enum Part {
    All,
    /// [`EDGE`] at each end.
    Ends,
    /// The first: of many axes, even two positions each are more than anybody reads.
    First,
}

/// What is shown of each axis: everything of a small tensor, else the ends of the last axes and, once that is
/// [`MOST`] elements, one position of those before them.
pub(super) fn parts(shape: &[usize]) -> Vec<Part> {
    let count = shape.iter().try_fold(1usize, |n, &len| {
        n.checked_mul(len).filter(|&n| n <= THRESHOLD)
    });
    if count.is_some() {
        return vec![Part::All; shape.len()];
    }
    let mut shown = 1;
    let mut parts: Vec<Part> = shape
        .iter()
        .rev()
        .map(|&len| {
            let (part, kept) = match len {
                0..=1 => (Part::All, 1),
                _ if shown * len.min(2 * EDGE) > MOST => (Part::First, 1),
                _ if len <= 2 * EDGE => (Part::All, len),
                _ => (Part::Ends, 2 * EDGE),
            };
            shown *= kept;
            part
        })
        .collect();
    parts.reverse();
    parts
}

/// The elements of a row.
fn scalars(row: &Tensor) -> Result<Vec<Shown<Scalar>>> {
    with_element!(row.dtype(), T => {
        let values = row.host_slice::<T>()?;
        // few: as many as are shown.
        Ok(values.iter().map(|x| Shown::Number(x.to_scalar())).collect())
    })
}

/// The values to show; each row is read through a view of its own.
pub(super) fn pick(t: &Tensor, parts: &[Part]) -> Result<Shown<Scalar>> {
    let Some((&part, inner)) = parts.split_first() else {
        return Ok(Shown::Number(t.item()?));
    };
    // Rows of nothing may be as many as there are numbers.
    if t.numel() == 0 {
        return Ok(Shown::List(Vec::new()));
    }
    let len = t.shape()[0];
    let ranges = match part {
        Part::All => [0..len, len..len],
        Part::Ends => [0..EDGE, len - EDGE..len],
        Part::First => [0..1, len..len],
    };
    let mut items = Vec::new();
    for (k, range) in ranges.into_iter().enumerate() {
        if k == 1 && !matches!(part, Part::All) {
            items.push(Shown::Gap);
        }
        let part = t.slice(0, Some(range.start as isize), Some(range.end as isize), 1)?;
        if inner.is_empty() {
            items.extend(scalars(&part)?);
        } else {
            for k in 0..range.len() {
                items.push(pick(&part.select(0, k as i64)?, inner)?);
            }
        }
    }
    Ok(Shown::List(items))
}
