//! The index space of a program of rows, and where operands lie in it.

use super::{Axes, fold_program, read_slot, rows, slot};
use crate::error::{Error, Result};
use crate::fuse::{Fold, Program, Role, Slot, Typed};
use crate::layout::{Dims, broadcast_pair, count, normalize_axes};
use crate::tensor::{Tensor, describe};
use smallvec::SmallVec;
use std::borrow::Cow;

/// The index space of a program of rows.
pub(super) struct Space {
    pub(super) op: &'static str,
    pub(super) shape: Dims,
    pub(super) outer: SmallVec<[usize; 6]>,
    pub(super) row: SmallVec<[usize; 6]>,
}

impl Space {
    pub(super) fn new(program: &Program, inputs: &[&Tensor], axes: &[isize]) -> Result<Space> {
        let op = "rows";
        let mut shape = Dims::new();
        let roles = program
            .inputs
            .iter()
            .map(|i| i.role)
            .filter(|r| *r != Role::Number);
        for (t, role) in inputs.iter().zip(roles) {
            if role == Role::Element {
                shape = broadcast_pair(&shape, t.shape()).ok_or_else(|| Error::Shape {
                    op,
                    operands: describe(inputs),
                    hint: format!(
                        "{}: the element operands must broadcast together",
                        program.name
                    ),
                })?;
            }
        }
        count(op, &shape)?;
        let row = normalize_axes(op, axes, shape.len())?;
        let outer = (0..shape.len()).filter(|a| !row.contains(a)).collect();
        Ok(Space {
            op,
            shape,
            outer,
            row,
        })
    }

    pub(super) fn outer_shape(&self) -> Dims {
        self.outer.iter().map(|&a| self.shape[a]).collect()
    }

    pub(super) fn row_shape(&self) -> Dims {
        self.row.iter().map(|&a| self.shape[a]).collect()
    }

    /// The slot of a tensor over the kept axes only.
    pub(super) fn kept_slot(&self, t: &Tensor) -> Result<Slot> {
        self.over_kept(t, slot)
    }

    fn over_kept(
        &self,
        t: &Tensor,
        slot: impl Fn(&Tensor, &[usize], &[usize]) -> Result<Slot>,
    ) -> Result<Slot> {
        let all: Dims = (0..self.outer.len()).collect();
        let mut s = slot(t, &all, &[])?;
        s.row = SmallVec::from_elem(0, self.row.len());
        Ok(s)
    }

    /// The slot of a tensor over the row's axes only.
    pub(super) fn row_slot(&self, t: &Tensor) -> Result<Slot> {
        self.over_row(t, slot)
    }

    fn over_row(
        &self,
        t: &Tensor,
        slot: impl Fn(&Tensor, &[usize], &[usize]) -> Result<Slot>,
    ) -> Result<Slot> {
        let all: Dims = (0..self.row.len()).collect();
        let mut s = slot(t, &[], &all)?;
        s.outer = SmallVec::from_elem(0, self.outer.len());
        Ok(s)
    }

    pub(super) fn slots(
        &self,
        program: &Program,
        typed: &Typed,
        inputs: &[Cow<'_, Tensor>],
    ) -> Result<Vec<Slot>> {
        let roles = program
            .inputs
            .iter()
            .map(|i| i.role)
            .filter(|r| *r != Role::Number);
        inputs
            .iter()
            .zip(roles)
            .enumerate()
            .map(|(k, (t, role))| {
                let read =
                    |t: &Tensor, outer: &[usize], row: &[usize]| read_slot(typed, k, t, outer, row);
                match role {
                    Role::Row => self.over_row(&t.broadcast_to(&self.row_shape())?, read),
                    Role::RowScalar => self.over_kept(&t.broadcast_to(&self.outer_shape())?, read),
                    _ => read(&t.broadcast_to(&self.shape)?, &self.outer, &self.row),
                }
            })
            .collect()
    }

    /// The sum over the kept axes, with the row's shape.
    pub(super) fn sum_outer(&self, t: &Tensor) -> Result<Tensor> {
        let axes: Vec<isize> = self.outer.iter().map(|&a| a as isize).collect();
        if axes.is_empty() {
            return Ok(t.clone());
        }
        let dtype = t.dtype();
        let program = fold_program(Fold::Sum);
        rows(&program, &[t], &[], &axes, Axes::Drop)?
            .remove(0)
            .cast(dtype)
    }
}
