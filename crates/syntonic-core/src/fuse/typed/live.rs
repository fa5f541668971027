//! What the results of a typed program need.

use super::super::program::{mark_operands, places};
use super::{Op, Typed};

impl Typed {
    /// Drops what no output needs, such as values of which only the type was asked for. Inputs stay.
    pub(super) fn drop_dead_nodes(&mut self) {
        let mut live: Vec<bool> = self
            .nodes
            .iter()
            .map(|n| matches!(n.op, Op::Input(_) | Op::Index(_)))
            .collect();
        for output in &self.outputs {
            live[output.node as usize] = true;
        }
        mark_operands(&mut live, |k| self.nodes[k].operands(), |a| a as usize);
        if live.iter().all(|&l| l) {
            return;
        }
        let places = places(&live);
        let to = |id: &mut u32| *id = places[*id as usize];
        let mut kept = live.iter();
        self.nodes.retain(|_| kept.next() == Some(&true));
        for node in &mut self.nodes {
            node.operands_mut().iter_mut().for_each(to);
        }
        for output in &mut self.outputs {
            to(&mut output.node);
        }
    }
}
