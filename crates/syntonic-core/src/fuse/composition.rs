//! Programs of programs.

use super::program::{Input, Node, NodeId, Program};
use crate::error::{Error, Result};

impl Program {
    /// The program whose operand `k` is the first result of `inner`, whose operands stand in its place.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_core::{fuse, run};
    ///
    /// fuse! {
    ///     MOVED(p: element, g: element) -> (element) { p - g }
    ///     SCALED(g: element, factor: element) -> (element) { g * factor }
    /// }
    /// let (p, g, factor) = (Tensor::from([1.0]), Tensor::from([4.0]), Tensor::from([0.5]));
    /// let clipped = MOVED.after(1, &SCALED)?;
    /// let moved = run::map(&clipped, &[&p, &g, &factor], &[], p.shape(), p.device())?;
    /// assert_eq!(moved[0].to_vec::<f64>()?, [-1.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    ///
    /// Errors: [`Error::Value`](crate::Error::Value) where either is no program, `inner` has no result, or there is no operand `k`.
    pub fn after(&self, k: usize, inner: &Program) -> Result<Program> {
        self.check()?;
        inner.check()?;
        let (Some(result), true) = (inner.outputs.first(), k < self.inputs.len()) else {
            let what = format!(
                "{} has no operand {k}, or {} no result",
                self.name, inner.name
            );
            return Err(Error::value("run", what));
        };
        let shift = inner.inputs.len();
        let inputs: Vec<Input> = (self.inputs[..k].iter())
            .chain(&inner.inputs)
            .chain(&self.inputs[k + 1..])
            .cloned()
            .collect();
        let place = |at: usize| u16::try_from(at).unwrap_or(u16::MAX);
        let mut nodes: Vec<Node> = inner.nodes.clone();
        for node in &mut nodes {
            if let Node::Input(at) = node {
                *at = place(usize::from(*at) + k);
            }
        }
        // Where each node of the outer program is now.
        let mut places: Vec<NodeId> = Vec::new();
        for node in &self.nodes {
            let mut node = *node;
            for id in node.operands_mut() {
                *id = places[id.index()];
            }
            if let Node::Input(at) = &mut node {
                let from = usize::from(*at);
                if from == k {
                    places.push(result.node);
                    continue;
                }
                *at = place(if from < k { from } else { from + shift - 1 });
            }
            places.push(NodeId(nodes.len() as u32));
            nodes.push(node);
        }
        let mut outputs = self.outputs.clone();
        for output in &mut outputs {
            output.node = places[output.node.index()];
        }
        let program = Program {
            name: self.name.clone(),
            inputs,
            nodes,
            outputs,
            precision: self.precision,
        };
        program.check()?;
        Ok(program)
    }
}
