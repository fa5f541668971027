//! Formulas of stages with their conversions written out, so that they mean the same alone and within a longer program.

use super::plan::{Precision, Reduce};
use crate::dtype::DType;
use crate::fuse::{self, Builder, Fold, Node, NodeId, Prim, Program, Role, Yield};
use crate::lazy::Reduction;
use crate::ops::reduce::Moment;

/// The types of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Types {
    /// Of its value.
    pub(super) value: DType,
    /// In which it computes.
    pub(super) compute: DType,
}

/// What follows a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Nothing: it is rounded to the type of the value.
    Rounded,
    /// Something that goes on in the type of the computation.
    Open,
    /// A reduction over the row to one number; its result is rounded.
    Reduced(Reduce),
}

impl Types {
    /// Those of a stage with operands of these types.
    pub(super) fn of(precision: Precision, operands: impl IntoIterator<Item = DType>) -> Types {
        let common = operands.into_iter().reduce(DType::promote);
        let common = common.unwrap_or(DType::F64);
        match precision {
            Precision::Single => Types::alike(DType::F32),
            Precision::Double => Types::alike(DType::F64),
            Precision::Stepwise => Types::alike(common),
            Precision::Operands => Types {
                value: common,
                compute: common.compute(),
            },
        }
    }

    /// True where each step is rounded to a half type, which an expression does at its end.
    pub(super) fn rounds_each_step(self) -> bool {
        self.compute.is_half()
    }

    fn alike(dtype: DType) -> Types {
        Types {
            value: dtype,
            compute: dtype,
        }
    }
}

/// The formula in these types, with what follows it.
pub(super) fn explicit(formula: &Program, types: Types, end: End) -> Program {
    let mut b = Builder::new();
    // few: operands and nodes of one formula.
    let inputs: Vec<NodeId> = formula
        .inputs
        .iter()
        .map(|input| b.input(input.name.clone(), Role::Element))
        .collect();
    let mut nodes: Vec<NodeId> = Vec::with_capacity(formula.nodes.len());
    for node in &formula.nodes {
        let at = |id: NodeId| nodes[id.index()];
        let made = match *node {
            Node::Input(k) => b.cast(types.compute, inputs[usize::from(k)]),
            // A formula that is widened goes on in the type that it computes in.
            Node::Cast(dtype, arg) if types.compute != types.value => {
                let rounded = b.cast(dtype, at(arg));
                b.cast(dtype.compute(), rounded)
            }
            _ => b.copy(node, at),
        };
        nodes.push(made);
    }
    let out = nodes[formula.outputs[0].node.index()];
    let out = b.cast(types.compute, out);
    let (out, role) = match end {
        End::Open => (out, Yield::Element),
        End::Rounded => (b.cast(types.value, out), Yield::Element),
        End::Reduced(reduce) => (reduced(&mut b, out, reduce, types), Yield::RowScalar),
    };
    b.output(out, role);
    b.finish(formula.name.clone(), fuse::Precision::Stepwise)
}

/// The reduction of a node of the type that is computed in, rounded to that of the value.
pub(super) fn reduced(b: &mut Builder, of: NodeId, reduce: Reduce, types: Types) -> NodeId {
    let folded = match (reduce, reduce.fold()) {
        (_, Some(fold)) => b.fold(fold, of),
        (Reduce::Count, _) => {
            let zero = b.constant(0.0);
            let other = b.apply(Prim::Ne, &[of, zero]);
            let one = b.cast(types.compute, other);
            b.fold(Fold::Sum, one)
        }
        _ => {
            let mean = Reduction::new(Moment::Mean.formula(types.compute), None, &[]);
            mean.build(b, of, types.compute, types.compute)
        }
    };
    b.cast(types.value, folded)
}
