//! Reductions as expressions: what is left of a row goes back over the row, or on from it, in one program.

use super::halves::{as_half, as_type};
use super::{Operand, Operation, defer, hangs_on_halves, is_eager, reach, unread};
use crate::dtype::DType;
use crate::error::Result;
use crate::fuse::{Builder, Indices, Node, NodeId, Program, Role, known};
use crate::grad;
use crate::layout::Dims;
use crate::run::{self, Axes};
use crate::scalar::Scalar;
use crate::tensor::Tensor;
use smallvec::SmallVec;

/// A formula over the rows of one operand, one value a row. The result keeps the reduced axes with length 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reduction {
    program: &'static Program,
    /// The formula's number, where it has one.
    number: Option<Scalar>,
    /// The reduced axes, a bit each.
    axes: u64,
    /// Whether its operand is on a tape: what follows reads that again, so one element waits as well.
    on_tape: bool,
}

impl Reduction {
    /// `program` over these axes, which exist.
    pub(crate) fn new(
        program: &'static Program,
        number: Option<Scalar>,
        axes: &[usize],
    ) -> Reduction {
        Reduction {
            program,
            number,
            axes: axes.iter().fold(0, |bits, &axis| bits | (1u64 << axis)),
            on_tape: false,
        }
    }

    /// The same reduction of an operand on a tape.
    pub(crate) fn on_tape(self) -> Reduction {
        Reduction {
            on_tape: true,
            ..self
        }
    }

    /// True where a result of one element ends its expression.
    pub(super) fn ends(&self) -> bool {
        !self.on_tape
    }

    /// The formula.
    pub(crate) fn program(&self) -> &'static Program {
        self.program
    }

    /// The formula's number, where it has one.
    pub(crate) fn number(&self) -> &[Scalar] {
        self.number.as_slice()
    }

    pub(super) fn axes(&self) -> u64 {
        self.axes
    }

    fn reduces(&self, axis: usize) -> bool {
        (self.axes >> axis) & 1 == 1
    }

    /// The result over `x`, later where something may follow over the same rows.
    ///
    /// At once: what is small, what is no row, and a result of one element, which ends its expression.
    pub(crate) fn over(self, x: &Tensor, keep: Axes) -> Result<Tensor> {
        if x.is_tracked() {
            return grad::reduction(self, x, keep);
        }
        let each = x.shape().iter().enumerate();
        let length = |of: bool| {
            let axes = each.clone().filter(|&(axis, _)| self.reduces(axis) == of);
            // Beside an axis of length 0 others may be of any length.
            axes.fold(1, |count: usize, (_, &len)| count.saturating_mul(len))
        };
        let (rows, row) = (length(false), length(true));
        if !is_eager() && x.numel() > 0 && (x.dtype().is_half() || hangs_on_halves(x)) {
            return self.over_halves(x, row, keep);
        }
        let ends = rows == 1 && unread(x).is_none() && self.ends();
        let small = reach(x).max(x.numel()) <= x.device().eager_elements();
        if ends || row <= 1 || is_eager() || small {
            return self.run(x, keep);
        }
        self.deferred(x, keep)
    }

    /// The result over `x`, of which or of what it hangs on nothing is rounded: how many elements there are decides nothing.
    fn over_halves(self, x: &Tensor, row: usize, keep: Axes) -> Result<Tensor> {
        if row > 1 {
            return self.deferred(x, keep);
        }
        let result = self.run(&x.cast(x.dtype().compute())?, keep)?;
        match x.dtype().is_half() && result.dtype().is_inexact() {
            true => as_type(&result, x.dtype()),
            false => Ok(result),
        }
    }

    /// The result over `x`, as an expression whatever its size.
    pub(crate) fn deferred(self, x: &Tensor, keep: Axes) -> Result<Tensor> {
        if x.is_tracked() {
            return grad::reduction(self, x, keep);
        }
        let dtype =
            known::lowered(self.program, &[x.dtype()], Indices::default())?.outputs[0].dtype;
        let each = x.shape().iter().enumerate();
        let lengths = each.map(|(axis, &len)| if self.reduces(axis) { 1 } else { len });
        let shape: Dims = lengths.collect();
        let out = defer(
            Operation::Reduction(self),
            SmallVec::from_iter([Operand::Tensor(x.clone())]),
            dtype,
            shape,
            x.device(),
        )?;
        match keep {
            Axes::Keep => Ok(out),
            Axes::Drop => out.squeeze(&self.list(x.ndim())),
        }
    }

    /// The result over `x`, now.
    pub(super) fn run(&self, x: &Tensor, keep: Axes) -> Result<Tensor> {
        let numbers = self.number.as_slice();
        let mut out = run::rows(self.program, &[x], numbers, &self.list(x.ndim()), keep)?;
        Ok(out.remove(0))
    }

    /// The reduced axes of `ndim`.
    pub(crate) fn list(&self, ndim: usize) -> Vec<isize> {
        let reduced = (0..ndim).filter(|&axis| self.reduces(axis));
        reduced.map(|axis| axis as isize).collect()
    }

    /// The formula's nodes over `x`, of type `from`, as a value of type `to`. As alone, half types are widened first; whoever
    /// stores the result rounds it.
    pub(crate) fn build(&self, b: &mut Builder, x: NodeId, from: DType, to: DType) -> NodeId {
        let x = if from.is_half() {
            b.cast(from.compute(), x)
        } else {
            x
        };
        let mut nodes: Vec<NodeId> = Vec::with_capacity(self.program.nodes.len());
        for node in &self.program.nodes {
            let at = |id: NodeId| nodes[id.index()];
            let made = match *node {
                Node::Input(k) => match (self.program.inputs[usize::from(k)].role, self.number) {
                    (Role::Number, Some(number)) => b.constant(number),
                    _ => x,
                },
                Node::Cast(dtype, arg) => b.cast(dtype.compute(), at(arg)),
                _ => b.copy(node, at),
            };
            nodes.push(made);
        }
        let out = nodes[self.program.outputs[0].node.index()];
        match to.is_half() {
            true => as_half(b, to, out),
            false => out,
        }
    }
}
