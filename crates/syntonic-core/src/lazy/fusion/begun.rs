//! The product that a program may be the end of.

use super::super::Pending;
use super::super::explain::Cut;
use super::super::product::Multiplied;
use super::{Fusion, Gathered, Leaf};
use crate::fuse::{Level, NodeId, Role};
use crate::tensor::{Source, Tensor};
use std::sync::Arc;

/// A product whose sums the program begins with. Its tensor holds its place among the inputs.
pub(in crate::lazy) struct Begun {
    pub(in crate::lazy) product: Multiplied,
    pub(in crate::lazy) input: usize,
    pub(super) node: NodeId,
    /// How many gathered expressions use it.
    uses: u32,
}

impl Fusion {
    /// True where nobody but these expressions can read the product, nor what was made of it on the way to `root`: it is
    /// then not computed a second time.
    pub(super) fn owns(&self, begun: &Begun, root: &Arc<Pending>) -> bool {
        // Each use holds one tensor, and this gathering one more.
        let alone = |p: &Arc<Pending>, uses: u32| Arc::strong_count(p) == uses as usize + 1;
        let Source::Pending(product) = self.inputs[begun.input].tensor.source() else {
            return false;
        };
        let inner = |g: &&Gathered| g.multiplies && !Arc::ptr_eq(&g.pending, root);
        self.outputs.len() == 1
            && alone(product, begun.uses)
            && self
                .gathered
                .iter()
                .filter(inner)
                .all(|g| alone(&g.pending, g.uses))
    }

    pub(super) fn multiplies(&self, node: NodeId) -> bool {
        self.product.as_ref().is_some_and(|b| b.node == node)
            || self.gathered.iter().any(|g| g.multiplies && g.node == node)
    }

    /// True where the program can be the end of the product: it has its shape, and no rows.
    pub(super) fn ends(&self, t: &Tensor, p: &Pending) -> bool {
        !self.space.has_rows() && t.shape() == &self.space.shape[..] && p.shape == self.space.shape
    }

    /// The product as what the program begins with, if it is the first one.
    pub(super) fn begin(&mut self, t: &Tensor, product: Multiplied) -> NodeId {
        if let Some(begun) = &mut self.product {
            let same = self.inputs[begun.input].tensor.shares_storage(t);
            if same {
                begun.uses += 1;
                return begun.node;
            }
            return self.leaf(t.clone(), Level::Lane, Some(Cut::Product));
        }
        let input = self.inputs.len();
        self.inputs.push(Leaf {
            tensor: t.clone(),
            level: Level::Lane,
            cut: None,
        });
        let sums = self.builder.input("product", Role::Element);
        // What others would read is rounded.
        let node = if t.dtype().is_half() {
            self.builder.cast(t.dtype(), sums)
        } else {
            sums
        };
        self.product = Some(Begun {
            product,
            input,
            node,
            uses: 1,
        });
        node
    }
}
