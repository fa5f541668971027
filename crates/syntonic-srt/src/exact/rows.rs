//! Axes that are folded, as rows.

use syntonic_core::layout::normalize_axes;
use syntonic_core::ops::reduce::Over;
use syntonic_core::run::Axes;
use syntonic_core::{Result, Tensor};

/// Rows that are folded to an element each, and what becomes of their shape.
pub(super) struct Rows {
    order: Vec<isize>,
    /// Elements of a row.
    pub(super) length: usize,
    /// The shape of the result, which has as many places as there are rows.
    pub(super) shape: Vec<usize>,
}

impl Rows {
    pub(super) fn of(op: &'static str, lengths: &[usize], over: &Over) -> Result<Rows> {
        let n = lengths.len();
        let folded: Vec<usize> = match &over.axes {
            None => (0..n).collect(), // few: axes.
            Some(axes) => normalize_axes(op, axes, n)?.to_vec(),
        };
        let (mut order, mut shape) = (Vec::new(), Vec::new()); // few: axes.
        for (axis, &length) in lengths.iter().enumerate() {
            match (folded.contains(&axis), over.keep) {
                (false, _) => {
                    order.push(axis as isize);
                    shape.push(length);
                }
                (true, Axes::Keep) => shape.push(1),
                (true, Axes::Drop) => {}
            }
        }
        order.extend(folded.iter().map(|&axis| axis as isize));
        Ok(Rows {
            order,
            length: folded.iter().map(|&axis| lengths[axis]).product(),
            shape,
        })
    }

    /// How many rows there are.
    pub(super) fn count(&self) -> usize {
        self.shape.iter().product()
    }

    /// A tensor of the lengths that these rows are of, as `[rows, length]`.
    pub(super) fn flat(&self, t: &Tensor) -> Result<Tensor> {
        t.permute(&self.order)?
            .reshape(&[self.count() as isize, self.length as isize])
    }
}
