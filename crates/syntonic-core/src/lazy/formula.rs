//! Formulas that are data, as expressions: one for each, however many primitives it has.

use super::{Operand, Operation, defer, hangs_on_halves, is_eager, reach};
use crate::dtype::DType;
use crate::error::Result;
use crate::fuse::{Builder, Node, NodeId, Program};
use crate::grad;
use crate::layout::Dims;
use crate::tensor::Tensor;
use smallvec::SmallVec;
use std::borrow::Cow;
use std::sync::Arc;

/// A formula of elements with one output, whose conversions are all written out.
#[derive(Clone, Debug)]
pub(crate) struct Formula(Arc<Program>);

impl Formula {
    /// What it is called where it runs.
    pub(super) fn name(&self) -> &str {
        &self.0.name
    }

    /// Its nodes over those of its operands.
    pub(super) fn build(&self, b: &mut Builder, operands: &[NodeId]) -> NodeId {
        // few: nodes of one formula.
        let mut nodes: Vec<NodeId> = Vec::with_capacity(self.0.nodes.len());
        for node in &self.0.nodes {
            let at = |id: NodeId| nodes[id.index()];
            let made = match *node {
                Node::Input(k) => operands[usize::from(k)],
                _ => b.copy(node, at),
            };
            nodes.push(made);
        }
        nodes[self.0.outputs[0].node.index()]
    }
}

/// The names of the formulas that a longer program is made of, each once.
#[derive(Debug, Default)]
pub(super) struct Names(Vec<String>);

impl Names {
    /// One more formula.
    pub(super) fn note(&mut self, formula: &Formula) {
        if !self.0.iter().any(|name| name == formula.name()) {
            // few: formulas of one expression.
            self.0.push(formula.name().to_owned());
        }
    }

    /// The name of the program; that of any chain where no part has a name.
    pub(super) fn joined(&self) -> Cow<'static, str> {
        match self.0.is_empty() {
            true => Cow::Borrowed("chain"),
            false => Cow::Owned(self.0.join(" + ")),
        }
    }
}

/// The formula over operands that broadcast to `shape`, as an expression of type `dtype`. It has no folds, no counts and no
/// numbers given at run time, and its conversions are all written out.
pub(crate) fn formula(
    program: Program,
    operands: &[Tensor],
    dtype: DType,
    shape: &[usize],
) -> Result<Tensor> {
    if operands.iter().any(Tensor::is_tracked) {
        return grad::formula(program, operands, dtype, shape);
    }
    let device = operands[0].device();
    let operands: SmallVec<[Operand; 3]> = operands.iter().cloned().map(Operand::Tensor).collect();
    let operation = Operation::Formula(Formula(Arc::new(program)));
    defer(operation, operands, dtype, Dims::from(shape), device)
}

/// Whether an element-wise result of so many elements over these operands is computed later.
pub(crate) fn waits(operands: &[Tensor], elements: usize) -> bool {
    let far = operands.iter().map(reach).fold(elements, usize::max);
    let lent = |t: &Tensor| Operand::Tensor(t.clone()).is_lent();
    let large = far > operands[0].device().eager_elements();
    !is_eager() && (large || operands.iter().any(hangs_on_halves)) && !operands.iter().any(lent)
}
