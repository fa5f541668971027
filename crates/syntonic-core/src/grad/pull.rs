//! The way back over a tape: each operation once, the newest first.

use super::node::{Back, Cotangents, Node, Reads};
use super::refusal::independent;
use super::view::{fitted, whole};
use crate::error::{Error, Result};
use crate::fuse::Prim;
use crate::lazy::{is_unrounded, together};
use crate::ops::create::zeros;
use crate::ops::elementwise::apply;
use crate::tensor::{Tensor, describe};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A node, by where it lies.
type Place = usize;

fn place(node: &Arc<Node>) -> Place {
    Arc::as_ptr(node).addr()
}

/// What some values were computed from.
pub(super) struct Past {
    /// The nodes, the oldest first.
    nodes: Vec<Arc<Node>>,
    /// Those that lead to one of the variables.
    lead: HashSet<Place>,
    /// Whether some value hangs on a variable of somebody around.
    pub(super) has_others: bool,
}

impl Past {
    /// Everything behind `outputs`, as far as the variables.
    pub(super) fn of(outputs: &[&Tensor], variables: &[Arc<Node>]) -> Past {
        let ours: HashSet<Place> = variables.iter().map(place).collect();
        let mut seen: HashSet<Place> = HashSet::new();
        // few: a node of the tape each, which holds more than this does.
        let mut nodes: Vec<Arc<Node>> = Vec::new();
        let mut left: Vec<Arc<Node>> = outputs.iter().filter_map(|t| t.node().cloned()).collect();
        let mut has_others = false;
        while let Some(node) = left.pop() {
            if !seen.insert(place(&node)) {
                continue;
            }
            let is_ours = ours.contains(&place(&node));
            has_others |= match is_ours {
                true => node.rule.is_some(),
                false => node.is_open(),
            };
            if !is_ours {
                left.extend(node.operands.iter().filter_map(|o| o.node.clone()));
            }
            nodes.push(node);
        }
        nodes.sort_by_key(|node| node.age);
        let mut lead: HashSet<Place> = HashSet::new();
        for node in &nodes {
            let mut operands = node.operands.iter().filter_map(|o| o.node.as_ref());
            if ours.contains(&place(node)) || operands.any(|o| lead.contains(&place(o))) {
                lead.insert(place(node));
            }
        }
        Past {
            nodes,
            lead,
            has_others,
        }
    }
}

/// Rounds what a rule will read in memory where other operands are given the same: they read the same memory, and no wider copy is
/// written for them.
fn store_shared(node: &Node, wanted: &[bool], slopes: &mut Cotangents) -> Result<()> {
    let mut stored: Cotangents = Cotangents::new();
    for ((operand, wanted), slope) in node.operands.iter().zip(wanted).zip(slopes.iter()) {
        let stores = |node: &Arc<Node>| *wanted && node.reads == Reads::Stored;
        let whole = |g: &&Tensor| is_unrounded(g) && g.shape() == operand.layout.shape();
        if operand.node.as_ref().is_some_and(stores) {
            stored.push(slope.as_ref().filter(whole).cloned());
        }
    }
    for slope in stored.into_iter().flatten() {
        let same = |g: &&mut Tensor| g.storage() == slope.storage() && g.layout() == slope.layout();
        if slopes.iter_mut().flatten().filter(same).count() > 1 {
            let rounded = slope.cast(slope.dtype())?;
            let given = slopes.iter_mut().flatten().filter(same);
            given.for_each(|g| *g = rounded.clone());
        }
    }
    Ok(())
}

/// The cotangents of the variables from those of the outputs; zeros for a variable that no output hangs on.
///
/// Where an output hangs on variables of somebody around as well, what is computed here is tracked for them. The tape is let go of on
/// the way, as far as nobody else holds it: what a rule reads is in memory no longer than somebody waits for it.
pub(super) fn pull(
    op: &'static str,
    outputs: Vec<Tensor>,
    cotangents: &[&Tensor],
    variables: &[Tensor],
) -> Result<Vec<Tensor>> {
    // few: the variables of one call.
    let ours: Vec<Arc<Node>> = variables.iter().filter_map(|t| t.node().cloned()).collect();
    // few: the results of one call.
    let ends: Vec<&Tensor> = outputs.iter().collect();
    let Past {
        mut nodes,
        lead,
        has_others,
    } = Past::of(&ends, &ours);
    if lead.is_empty() {
        return Err(independent(op));
    }
    let tracked = has_others || cotangents.iter().any(|g| g.is_tracked());
    let mut found: HashMap<Place, Tensor> = HashMap::new();
    for (y, g) in outputs.iter().zip(cotangents) {
        if g.shape() != y.shape() {
            return Err(Error::Shape {
                op,
                operands: describe(&[y, g]),
                hint: "a cotangent has the shape of its output".into(),
            });
        }
        if let Some(node) = y.node() {
            let g = whole(&fitted(g, y.shape(), y.dtype())?, y.layout(), node)?;
            add(&mut found, node, g)?;
        }
    }
    drop(outputs);
    let is_ours: HashSet<Place> = ours.iter().map(place).collect();
    while let Some(node) = nodes.pop() {
        if !lead.contains(&place(&node)) || is_ours.contains(&place(&node)) {
            continue;
        }
        if let (Some(g), Some(rule)) = (found.remove(&place(&node)), &node.rule) {
            // All that the rule makes of it is made of one rounding.
            let g = match node.reads {
                Reads::Unrounded => g,
                Reads::Stored => g.cast(g.dtype())?,
            };
            // few: the operands of one operation.
            let wanted: Vec<bool> = (node.operands.iter())
                .map(|o| o.node.as_ref().is_some_and(|n| lead.contains(&place(n))))
                .collect();
            let back = Back {
                node: &node,
                cotangent: g,
                wanted: &wanted,
                tracked,
            };
            let mut slopes = rule(&back)?;
            store_shared(&node, &wanted, &mut slopes)?;
            for ((operand, wanted), g) in node.operands.iter().zip(&wanted).zip(slopes) {
                if let (true, Some(parent), Some(g)) = (*wanted, &operand.node, g) {
                    let g = fitted(&g, operand.layout.shape(), operand.dtype)?;
                    add(&mut found, parent, whole(&g, &operand.layout, parent)?)?;
                }
            }
        }
    }
    // few: the variables of one call.
    let mut all: Vec<Tensor> = Vec::new();
    let mut taken: HashSet<usize> = cotangents.iter().map(|c| c.storage()).collect();
    for x in variables {
        let g = match x.node().and_then(|node| found.get(&place(node))) {
            // A result as that of any function: rounded to its type.
            Some(g) => g.cast(g.dtype())?,
            None => zeros(x.shape(), x.dtype(), x.device())?,
        };
        // And with memory of its own: what is passed on as it is belongs to the caller, or to another variable as well.
        let own = taken.insert(g.storage()) && g.is_writable();
        all.push(if own { g } else { g.copy()? });
    }
    // The slopes of one call are read together.
    together(&all);
    Ok(all)
}

fn add(found: &mut HashMap<Place, Tensor>, node: &Arc<Node>, g: Tensor) -> Result<()> {
    let sum = match found.get(&place(node)) {
        Some(other) => apply(Prim::Add, &[other.into(), (&g).into()])?,
        None => g,
    };
    found.insert(place(node), sum);
    Ok(())
}
