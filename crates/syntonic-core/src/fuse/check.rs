//! What a program written as data must keep, whoever wrote it: nodes read earlier ones, and operands that are declared.
//!
//! Fields of programs are public, so whatever walks one asks here first. A walk that has asked may index without looking.

use super::Prim;
use super::program::{Node, NodeId, Program, Role, Yield};
use super::typed::{Level, Op, Typed, TypedNode};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::scalar::Scalar;

/// The most inputs of a program: a node names one by 16 bits.
const MOST_INPUTS: usize = u16::MAX as usize;

impl NodeId {
    /// A node that no program has: what a builder notes where it was given none, so that the program is refused.
    pub(super) const NONE: NodeId = NodeId(u32::MAX);
}

impl Program {
    /// An error unless every node reads earlier nodes and declared inputs alone, and every output is a node. Whatever runs,
    /// lowers or differentiates a program asks this first.
    ///
    /// # Errors
    /// [`Error::Value`], which names the node.
    ///
    /// ```
    /// use syntonic_core::fuse::{Node, NodeId, Prim};
    ///
    /// syntonic_core::fuse! { NEGATED(x: element) -> (element) { -x } }
    /// assert!(NEGATED.check().is_ok());
    /// let mut itself = NEGATED.clone();
    /// itself.nodes[1] = Node::Apply(Prim::Neg, [NodeId(1); 3]);
    /// assert!(itself.check().unwrap_err().to_string().contains("node 1"));
    /// ```
    pub fn check(&self) -> Result<()> {
        if self.inputs.len() > MOST_INPUTS {
            let what = format!("has {} inputs, more than {MOST_INPUTS}", self.inputs.len());
            return Err(self.odd(&what));
        }
        for (at, node) in self.nodes.iter().enumerate() {
            match *node {
                Node::Input(k) if usize::from(k) >= self.inputs.len() => {
                    return Err(self.odd(&format!(
                        "reads at node {at} its input {k}, and declares {}",
                        self.inputs.len()
                    )));
                }
                _ => {}
            }
            // Also those past the arity of a primitive: whoever moves nodes moves them along.
            if let Some(id) = node.ids().iter().find(|id| id.index() >= at) {
                return Err(self.odd(&format!(
                    "reads at node {at} node {}, and a node reads earlier ones alone, as many as it takes",
                    id.0
                )));
            }
        }
        let none = |id: NodeId| id.index() >= self.nodes.len();
        match self.outputs.iter().position(|o| none(o.node)) {
            Some(k) => Err(self.odd(&format!(
                "yields as output {k} node {}, and has {} nodes; a formula makes one value for each output",
                self.outputs[k].node.0,
                self.nodes.len()
            ))),
            None => Ok(()),
        }
    }

    /// An error unless as many numbers are given as the program has inputs of that kind.
    pub(crate) fn check_numbers(&self, numbers: &[Scalar]) -> Result<()> {
        let numbered = |role: Role| role == Role::Number;
        let wanted = self.inputs.iter().filter(|i| numbered(i.role)).count();
        if numbers.len() == wanted {
            return Ok(());
        }
        Err(self.odd(&format!("takes {wanted} numbers, got {}", numbers.len())))
    }

    /// An error where the program is one of rows.
    pub(crate) fn check_elementwise(&self) -> Result<()> {
        if self.has_folds() || self.outputs.iter().any(|o| o.role == Yield::RowSum) {
            return Err(self.odd("reduces rows; hint: give it to run::rows"));
        }
        Ok(())
    }

    #[cold]
    fn odd(&self, what: &str) -> Error {
        Error::value("run", format!("{} {what}", self.name))
    }
}

impl Typed {
    /// As [`Program::check`]; also, no node changes less often than what it is made of.
    pub(super) fn check(&self) -> Result<()> {
        for (at, node) in self.nodes.iter().enumerate() {
            if !self.fits(at, node) {
                return Err(self.odd(&format!("its node {at} is {:?}", node.op)));
            }
        }
        for (k, output) in self.outputs.iter().enumerate() {
            let node = self.nodes.get(output.node as usize);
            let fits = node.is_some_and(|n| {
                n.dtype == output.dtype
                    && (output.role != Yield::RowScalar || n.level != Level::Lane)
            });
            if !fits {
                return Err(self.odd(&format!("its output {k} is node {}", output.node)));
            }
        }
        Ok(())
    }

    fn fits(&self, at: usize, node: &TypedNode) -> bool {
        let ids: &[u32] = match &node.op {
            Op::Apply(_, ids) => ids,
            _ => node.operands(),
        };
        if node.dtype.is_stored() || ids.iter().any(|&id| id as usize >= at) {
            return false;
        }
        let of = |id: u32| &self.nodes[id as usize];
        let above = node.operands().iter().map(|&id| of(id).level).max();
        match node.op {
            Op::Input(k) => self.inputs.get(usize::from(k)) == Some(&node.dtype),
            Op::Index(k) => {
                let declared = self.inputs.get(usize::from(k)) == Some(&DType::I64);
                declared && node.dtype == DType::I64
            }
            Op::Param(_) | Op::Const(_) | Op::Count => true,
            Op::Fold(fold, a) => {
                let result = fold.result_dtype(of(a).dtype);
                node.level >= Level::Row && result == Some(node.dtype)
            }
            Op::Cast(_) => Some(node.level) >= above,
            Op::Apply(prim, ids) => {
                let choice = prim == Prim::Select;
                let typed = &ids[usize::from(choice)..prim.arity()];
                let operand = typed.first().map(|&id| of(id).dtype);
                let alike = typed.iter().all(|&id| Some(of(id).dtype) == operand);
                let defined = operand.is_some_and(|d| {
                    prim.operand_dtype(d) == Some(d) && prim.result_dtype(d) == node.dtype
                });
                let condition = !choice || of(ids[0]).dtype.is_bool();
                alike && defined && condition && Some(node.level) >= above
            }
        }
    }

    #[cold]
    fn odd(&self, what: &str) -> Error {
        let what = format!("{} is no program that `lower` made: {what}", self.name);
        Error::value("interpret", what)
    }
}
