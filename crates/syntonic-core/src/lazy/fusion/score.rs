//! Formulas over stand-ins, taken apart: the program, and what it reads.

use super::super::{Goal, Part, Pending};
use super::{Fusion, Space, unread};
use crate::error::Result;
use crate::fuse::{Level, Program, Yield};
use crate::tensor::Tensor;
use std::sync::Arc;

impl Fusion {
    /// The program of `root` alone: nobody else's results are written by it.
    pub(in crate::lazy) fn formula(root: &Arc<Pending>) -> Result<Fusion> {
        let space = Space::new(&root.shape, 0);
        let mut fusion = Fusion::root(space, root, Level::Lane, Goal::Result)?;
        let node = fusion.outputs[0].node;
        fusion.builder.output(node, Yield::Element);
        Ok(fusion)
    }

    /// The program of a stand-in.
    pub(in crate::lazy) fn itself(x: &Tensor, root: &Arc<Pending>) -> Result<Fusion> {
        let mut fusion = Fusion::none(Space::new(x.shape(), 0), root);
        let node = fusion.leaf(x.clone(), Level::Lane, None);
        fusion.builder.output(node, Yield::Element);
        Ok(fusion)
    }

    /// What has to be in memory before.
    pub(in crate::lazy) fn wanted(&self) -> Vec<Tensor> {
        let leaves = self.inputs.iter().map(|leaf| &leaf.tensor);
        let waits = |t: &&Tensor| unread(t).is_some_and(|p| !p.is_stand_in());
        // few: operands of one program.
        self.first
            .iter()
            .chain(leaves.filter(waits))
            .cloned()
            .collect()
    }

    /// The program and the tensors that it reads.
    pub(in crate::lazy) fn into_parts(self) -> (Program, Vec<Part>) {
        let program = self.program(None);
        let parts = self.inputs.into_iter();
        // few: operands of one program.
        let parts = parts
            .map(|leaf| Part {
                tensor: leaf.tensor,
            })
            .collect();
        (program, parts)
    }
}
