//! Programs as text: one line per node.

use super::program::{Node, Program};
use crate::scalar::Scalar;
use std::fmt;

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, node) in self.nodes.iter().enumerate() {
            match node {
                Node::Input(i) => match self.inputs.get(usize::from(*i)) {
                    Some(x) => writeln!(f, "  %{k} = {} ({:?})", x.name, x.role)?,
                    None => writeln!(f, "  %{k} = input {i}, which is not declared")?,
                },
                Node::Const(Scalar::Float(x)) => writeln!(f, "  %{k} = {x}")?,
                Node::Const(Scalar::Int(x)) => writeln!(f, "  %{k} = {x}")?,
                Node::Const(x) => writeln!(f, "  %{k} = {x:?}")?,
                Node::Count => writeln!(f, "  %{k} = count")?,
                Node::Apply(prim, _) => call(f, k, prim.name(), node)?,
                Node::Cast(dtype, _) => call(f, k, dtype.name(), node)?,
                Node::Like(_) => call(f, k, "like", node)?,
                Node::Stop(_) => call(f, k, "stop_gradient", node)?,
                Node::WithSlope(_) => call(f, k, "with_slope", node)?,
                Node::Fold(fold, _) => call(f, k, fold.name(), node)?,
            }
        }
        for output in &self.outputs {
            writeln!(f, "  return %{} ({:?})", output.node.index(), output.role)?;
        }
        Ok(())
    }
}

fn call(f: &mut fmt::Formatter<'_>, k: usize, name: &str, node: &Node) -> fmt::Result {
    write!(f, "  %{k} = {name}(")?;
    for (i, arg) in node.operands().iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        write!(f, "%{}", arg.index())?;
    }
    writeln!(f, ")")
}
