//! Arithmetic on the nodes of a graph over real numbers, which leaves out what does nothing.
//!
//! The rules are those of real numbers: a result may differ from the plain one by roundings. Gradients are made
//! shorter with them; formulas as written are not.

use super::program::{Fold, Node, NodeId};
use super::{Builder, Prim};
use crate::scalar::Scalar;

/// A graph, and which of its nodes belong to the formula itself and stay as they are.
pub(super) struct Algebra {
    pub(super) graph: Builder,
    /// By node: it differs from element to element of a row.
    lanes: Vec<bool>,
    /// By node: it is the formula's.
    fixed: Vec<bool>,
}

/// A value as a product of what is there once per row and the rest.
#[derive(Clone, Copy)]
struct Split {
    factor: Option<NodeId>,
    divisor: Option<NodeId>,
    rest: NodeId,
}

impl Algebra {
    pub(super) fn new(graph: Builder) -> Algebra {
        Algebra {
            graph,
            lanes: Vec::new(),
            fixed: Vec::new(),
        }
    }

    /// Says that a node is the formula's.
    pub(super) fn fix(&mut self, id: NodeId) {
        if self.fixed.len() <= id.index() {
            self.fixed.resize(id.index() + 1, false);
        }
        self.fixed[id.index()] = true;
    }

    fn is_fixed(&self, id: NodeId) -> bool {
        self.fixed.get(id.index()).copied().unwrap_or(false)
    }

    /// True for a value that differs from element to element of a row.
    fn is_lane(&mut self, id: NodeId) -> bool {
        for k in self.lanes.len()..=id.index() {
            let node = self.graph.at(NodeId(k as u32));
            let lane = super::grad::is_lane(&node, self.graph.inputs(), &self.lanes);
            self.lanes.push(lane);
        }
        self.lanes[id.index()]
    }

    fn is_number(&self, id: NodeId, x: f64) -> bool {
        match self.graph.at(id) {
            Node::Const(c @ (Scalar::Int(_) | Scalar::Float(_))) => c.to_f64() == x,
            _ => false,
        }
    }

    /// The operands, where the node is this primitive and not the formula's.
    fn of(&self, id: NodeId, prim: Prim) -> Option<[NodeId; 2]> {
        match self.graph.at(id) {
            Node::Apply(p, [a, b, _]) if p == prim && !self.is_fixed(id) => Some([a, b]),
            _ => None,
        }
    }

    /// The condition and both sides of a choice that is not the formula's.
    fn choice(&self, id: NodeId) -> Option<[NodeId; 3]> {
        match self.graph.at(id) {
            Node::Apply(Prim::Select, sides) if !self.is_fixed(id) => Some(sides),
            _ => None,
        }
    }

    /// `c`, `x` and `y`, where one operand is `x` if `c` and else 0, and the other one 0 and `y`: what a choice hands back to
    /// its sides comes together again so.
    fn sides(&self, x: NodeId, y: NodeId) -> Option<[NodeId; 3]> {
        let ([c, x, zero], [d, nothing, y]) = (self.choice(x)?, self.choice(y)?);
        let apart = self.is_number(zero, 0.0) && self.is_number(nothing, 0.0);
        (c == d && apart).then_some([c, x, y])
    }

    pub(super) fn neg(&mut self, a: NodeId) -> NodeId {
        if let Some([x, y]) = self.of(a, Prim::Sub) {
            return self.sub(y, x);
        }
        if let Some([x, y]) = self.of(a, Prim::Div) {
            let x = self.neg(x);
            return self.div(x, y);
        }
        if let Some([x, y]) = self.of(a, Prim::Mul) {
            // The sign goes to what is there once per row.
            let (x, y) = if self.is_lane(x) { (x, y) } else { (y, x) };
            if self.is_lane(x) && !self.is_lane(y) {
                let y = self.neg(y);
                return self.graph.apply(Prim::Mul, &[x, y]);
            }
        }
        self.graph.apply(Prim::Neg, &[a])
    }

    pub(super) fn add(&mut self, a: NodeId, b: NodeId) -> NodeId {
        if self.is_number(a, 0.0) {
            return b;
        }
        if self.is_number(b, 0.0) {
            return a;
        }
        match (self.of(a, Prim::Neg), self.of(b, Prim::Neg)) {
            (_, Some([b, _])) => return self.sub(a, b),
            (Some([a, _]), _) => return self.sub(b, a),
            _ => {}
        }
        if let (Some([x, t]), Some([y, u])) = (self.of(a, Prim::Div), self.of(b, Prim::Div))
            && t == u
        {
            let both = self.add(x, y);
            return self.div(both, t);
        }
        if let Some(sides) = self.sides(a, b).or_else(|| self.sides(b, a)) {
            return self.graph.apply(Prim::Select, &sides);
        }
        self.graph.apply(Prim::Add, &[a, b])
    }

    pub(super) fn sub(&mut self, a: NodeId, b: NodeId) -> NodeId {
        if a == b {
            return self.graph.constant(0.0);
        }
        if self.is_number(b, 0.0) {
            return a;
        }
        if self.is_number(a, 0.0) {
            return self.neg(b);
        }
        if let Some([b, _]) = self.of(b, Prim::Neg) {
            return self.add(a, b);
        }
        if let Some([c, x, y]) = self.sides(a, b) {
            let y = self.neg(y);
            return self.graph.apply(Prim::Select, &[c, x, y]);
        }
        if let Some([c, y, x]) = self.sides(b, a) {
            let y = self.neg(y);
            return self.graph.apply(Prim::Select, &[c, y, x]);
        }
        self.graph.apply(Prim::Sub, &[a, b])
    }

    pub(super) fn mul(&mut self, a: NodeId, b: NodeId) -> NodeId {
        for (a, b) in [(a, b), (b, a)] {
            if self.is_number(a, 0.0) {
                return a;
            }
            if self.is_number(a, 1.0) {
                return b;
            }
            let taken = self.is_lane(a) || !self.is_lane(b);
            if let Some([x, _]) = self.of(a, Prim::Neg).filter(|_| taken) {
                let product = self.mul(x, b);
                return self.neg(product);
            }
            if let Node::Apply(Prim::Div, [x, t, _]) = self.graph.at(a) {
                if self.graph.at(t) == Node::Count && self.graph.at(b) == Node::Count {
                    return x;
                }
                // (x/t) b is (b/t) x, where b/t is there already. Of two quotients that are ours the earlier one stays, or each would
                // be written as the other without end.
                if !self.is_fixed(a)
                    && let Some(known) = self.graph.find(Node::Apply(Prim::Div, [b, t, b]))
                    && (self.is_fixed(known) || known.index() < a.index())
                {
                    return self.mul(known, x);
                }
            }
        }
        let (a, b) = if self.is_lane(a) { (a, b) } else { (b, a) };
        if self.is_lane(a) && !self.is_lane(b) {
            let split = self.split(a);
            if split.rest != a {
                let factor = self.scaled(b, split);
                return self.graph.apply(Prim::Mul, &[split.rest, factor]);
            }
        }
        self.graph.apply(Prim::Mul, &[a, b])
    }

    pub(super) fn div(&mut self, a: NodeId, b: NodeId) -> NodeId {
        if self.is_number(a, 0.0) || self.is_number(b, 1.0) {
            return a;
        }
        if self.is_lane(a)
            && !self.is_lane(b)
            && let Some([x, y]) = self.of(a, Prim::Mul)
        {
            let (x, y) = if self.is_lane(x) { (x, y) } else { (y, x) };
            if !self.is_lane(y) {
                let y = self.div(y, b);
                return self.mul(x, y);
            }
        }
        self.graph.apply(Prim::Div, &[a, b])
    }

    /// The sum over the row. Sums are taken apart, and what is there once per row is taken out.
    pub(super) fn total(&mut self, a: NodeId) -> NodeId {
        if !self.is_lane(a) {
            let n = self.graph.count();
            return self.mul(a, n);
        }
        if let Node::Apply(prim @ (Prim::Add | Prim::Sub), [x, y, _]) = self.graph.at(a) {
            let (sx, sy) = (self.total(x), self.total(y));
            let parts = if prim == Prim::Add {
                self.add(sx, sy)
            } else {
                self.sub(sx, sy)
            };
            // The sum of distances from the mean is 0; otherwise the formula's sums stay whole.
            if !self.is_fixed(a) || self.is_number(parts, 0.0) {
                return parts;
            }
        }
        if let Some([x, _]) = self.of(a, Prim::Neg) {
            let sum = self.total(x);
            return self.neg(sum);
        }
        let split = self.split(a);
        if split.rest == a {
            return self.graph.fold(Fold::Sum, a);
        }
        let sum = self.total(split.rest);
        self.scaled(sum, split)
    }

    /// `a` times the factor of a split, over its divisor.
    fn scaled(&mut self, a: NodeId, split: Split) -> NodeId {
        let times = split.factor.map_or(a, |f| self.mul(a, f));
        split.divisor.map_or(times, |d| self.div(times, d))
    }

    /// A value that differs along the row, less what is there once per row.
    fn split(&mut self, a: NodeId) -> Split {
        let whole = Split {
            factor: None,
            divisor: None,
            rest: a,
        };
        if let Some([x, y]) = self.of(a, Prim::Div) {
            if self.is_lane(y) {
                return whole;
            }
            let inner = self.split(x);
            let divisor = self.product(inner.divisor, Some(y));
            return Split { divisor, ..inner };
        }
        let Some([x, y]) = self.of(a, Prim::Mul) else {
            return whole;
        };
        match (self.is_lane(x), self.is_lane(y)) {
            (true, true) => {
                let (sx, sy) = (self.split(x), self.split(y));
                if sx.rest == x && sy.rest == y {
                    return whole;
                }
                Split {
                    factor: self.product(sx.factor, sy.factor),
                    divisor: self.product(sx.divisor, sy.divisor),
                    rest: self.graph.apply(Prim::Mul, &[sx.rest, sy.rest]),
                }
            }
            (lane, _) => {
                let (x, y) = if lane { (x, y) } else { (y, x) };
                let inner = self.split(x);
                let factor = self.product(inner.factor, Some(y));
                Split { factor, ..inner }
            }
        }
    }

    fn product(&mut self, a: Option<NodeId>, b: Option<NodeId>) -> Option<NodeId> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.mul(a, b)),
            (a, b) => a.or(b),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuse::Role;

    /// Both quotients of a product are there: the earlier one is used, whichever the product was written with.
    #[test]
    fn a_product_has_the_earlier_of_two_quotients() {
        let mut graph = Builder::new();
        let [x, y] = ["x", "y"].map(|name| graph.input(name, Role::Element));
        let t = graph.input("t", Role::RowScalar);
        let mut algebra = Algebra::new(graph);
        let (first, second) = (algebra.div(x, t), algebra.div(y, t));
        let (one, other) = (algebra.mul(first, y), algebra.mul(second, x));
        assert_eq!(one, other);
        let product = algebra.graph.at(one);
        assert!(
            matches!(product, Node::Apply(Prim::Mul, [a, b, _]) if a == first && b == y),
            "{product:?}"
        );
    }
}
