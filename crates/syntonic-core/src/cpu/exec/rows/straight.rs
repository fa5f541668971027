//! Rows that one fold takes as they lie in memory: a call for each, and nothing to set up between two.

use super::Rows;
use crate::cpu::exec::code::{Block, Cell, Folding, Step};
use crate::cpu::lanes::{FoldFn, LaneFn};

/// The fold of rows that need nothing else.
#[derive(Clone, Copy)]
pub(super) struct Straight {
    operand: usize,
    node: usize,
    size: usize,
    block: FoldFn,
    finish: LaneFn,
}

impl Rows<'_> {
    /// The only fold, where it reads an operand that is contiguous in every row, and only numbers of the
    /// row follow from it.
    pub(super) fn straight(&self) -> Option<Straight> {
        let [pass, after] = self.phases.phases.as_slice() else {
            return None;
        };
        let ([node], [lane]) = (pass.folds.as_slice(), pass.lane_nodes.as_slice()) else {
            return None;
        };
        let number = |k: &u32| matches!(self.code[*k as usize].step, Step::Number(_));
        let outputs = pass.outputs.len() + after.outputs.len();
        if !self.single || self.row.len() == 0 || outputs > 0 || !pass.row_nodes.iter().all(number)
        {
            return None;
        }
        let node = *node as usize;
        let (Step::Input(operand), Step::Fold(folding, _)) =
            (self.code[*lane as usize].step, self.code[node].step)
        else {
            return None;
        };
        match folding {
            Folding::Plain {
                block: Block::Values(block),
                finish,
                ..
            } if self.row.step(operand) == Some(1) => Some(Straight {
                operand,
                node,
                size: self.code[*lane as usize].size,
                block,
                finish,
            }),
            _ => None,
        }
    }

    /// Folds row `at` and stores what follows from it.
    ///
    /// # Safety
    /// As [`crate::Device::run`].
    pub(super) unsafe fn straight_row(&self, fold: Straight, at: usize, cells: &mut [Cell]) {
        let from = self.first(fold.operand, at, fold.size);
        let mut value = Cell::default();
        let null = std::ptr::null();
        // SAFETY: the row is contiguous and readable, cells hold any accumulator and any element, and
        // kernels were chosen for exactly these types.
        unsafe {
            (fold.block)(value.address(), from, self.row.len());
            (fold.finish)(cells[fold.node].address(), value.address(), null, null, 1);
            self.row_values(at, &self.phases.phases[1], cells);
            self.store_row_values(at, cells);
        }
    }
}
