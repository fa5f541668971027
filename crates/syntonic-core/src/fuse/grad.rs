//! Reverse mode on programs: the gradient of a formula is a formula.

use super::derivative::{chain, derivative};
use super::notation::{self, Sym, over};
use super::program::{Fold, Input, Node, NodeId, Program, Role, Yield};
use super::{Builder, Prim, Yields};
use crate::error::{Error, Result};
use crate::scalar::Scalar;
use std::borrow::Cow;

impl Program {
    /// The program of the gradients with respect to the inputs `wrt`.
    ///
    /// Its inputs are this program's inputs, then one cotangent per output of this program (the
    /// derivative of a real loss by that output): `Element` for an `Element` output, `RowScalar` for
    /// `RowScalar`, `Row` for `RowSum`. Its outputs are, in the order of `wrt`:
    ///
    /// | input | gradient |
    /// |---|---|
    /// | `Element` | `Element`: over the common shape; the caller sums the axes over which the input was broadcast |
    /// | `Row` | `RowSum`: summed over all rows |
    /// | `RowScalar` | `RowScalar`: summed over the row |
    /// | `Number` | `RowScalar`: one part per row; the caller sums them |
    ///
    /// A gradient has its input's element type; that of an integer input is the float it has an effect on.
    /// The cotangent of a complex number is dL/dx + i dL/dy. At corners the choice is PyTorch's: the
    /// elements that tie for a `min` or `max` share its gradient equally. Argument folds,
    /// comparisons and [`stop_gradient`](super::notation::stop_gradient) let nothing through.
    ///
    /// Errors as [`Program::check`], where `wrt` names no input, or where an output that should be one per row varies within it.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_core::{fuse, run};
    ///
    /// fuse! { PRODUCT(a: element, b: element) -> (element) { a * b } }
    /// let gradients = PRODUCT.grad(&[0, 1])?;
    /// let (a, b, cotangent) = (Tensor::from([2.0]), Tensor::from([5.0]), Tensor::from([1.0]));
    /// let found = run::map(&gradients, &[&a, &b, &cotangent], &[], &[1], &cpu())?;
    /// assert_eq!((found[0].to_vec::<f64>()?, found[1].to_vec::<f64>()?), (vec![5.0], vec![2.0]));
    /// assert!(PRODUCT.grad(&[2]).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn grad(&self, wrt: &[usize]) -> Result<Program> {
        let all: Vec<usize> = (0..self.outputs.len()).collect();
        let reverse = Reverse::run(self, wrt, &all)?;
        let (program, _) = reverse.finish(format!("{}_grad", self.name));
        Ok(program.without_dead_nodes())
    }
}

/// The state of one reverse pass. Vectors are by node of the program, node ids by the new graph.
pub(super) struct Reverse<'a> {
    program: &'a Program,
    /// The program's own nodes, then those of its gradient.
    graph: Builder,
    /// Where each node of the program is in the graph.
    copies: Vec<NodeId>,
    /// Which nodes depend on an input that is asked for.
    active: Vec<bool>,
    /// Which nodes of the program differ from element to element of a row.
    lanes: Vec<bool>,
    /// The same for the nodes of the graph.
    graph_lanes: Vec<bool>,
    /// What has been found of each node's cotangent.
    cotangents: Vec<Option<NodeId>>,
}

impl<'a> Reverse<'a> {
    /// The reverse pass of a loss that depends on the outputs `from`.
    pub(super) fn run(program: &'a Program, wrt: &[usize], from: &[usize]) -> Result<Reverse<'a>> {
        program.check()?;
        if let Some(k) = wrt.iter().find(|&&k| k >= program.inputs.len()) {
            let what = format!(
                "{} has inputs 0..{}, none at {k}",
                program.name,
                program.inputs.len()
            );
            return Err(Error::value("grad", what));
        }
        let mut reverse = Reverse::new(program, wrt);
        reverse.seed(from)?;
        for k in (0..program.nodes.len()).rev() {
            if let (true, Some(g)) = (reverse.active[k], reverse.cotangents[k]) {
                reverse.back(k, g);
            }
        }
        for &k in wrt {
            reverse.output(k);
        }
        Ok(reverse)
    }

    /// The program of the gradients, dead nodes included, and where the formula's own nodes are in it.
    pub(super) fn finish(self, name: impl Into<Cow<'static, str>>) -> (Program, Vec<NodeId>) {
        let program = self.graph.finish(name, self.program.precision);
        (program, self.copies)
    }

    fn new(program: &'a Program, wrt: &[usize]) -> Reverse<'a> {
        let mut graph = Builder::new();
        for input in &program.inputs {
            graph.input(input.name.clone(), input.role);
        }
        let mut copies: Vec<NodeId> = Vec::new();
        let mut active: Vec<bool> = Vec::new();
        let mut lanes: Vec<bool> = Vec::new();
        for node in &program.nodes {
            copies.push(graph.copy(node, |a| copies[a.index()]));
            active.push(match node {
                Node::Input(k) => wrt.contains(&(*k as usize)),
                Node::Stop(_) => false,
                Node::WithSlope([value, x, _]) => active[value.index()] || active[x.index()],
                other => other.operands().iter().any(|a| active[a.index()]),
            });
            lanes.push(is_lane(node, &program.inputs, &lanes));
        }
        Reverse {
            program,
            graph,
            cotangents: vec![None; copies.len()],
            copies,
            active,
            lanes,
            graph_lanes: Vec::new(),
        }
    }

    /// One more input for each of these outputs: its cotangent.
    fn seed(&mut self, from: &[usize]) -> Result<()> {
        for &k in from {
            let output = &self.program.outputs[k];
            let role = match output.role {
                Yield::Element => Role::Element,
                Yield::RowScalar => Role::RowScalar,
                Yield::RowSum => Role::Row,
            };
            if role == Role::RowScalar && self.lanes[output.node.index()] {
                let what = format!(
                    "output {k} of {} should be one value per row but differs within it; fold it first",
                    self.program.name
                );
                return Err(Error::value("grad", what));
            }
            let g = self.graph.input(format!("cotangent_{k}"), role);
            let per = if role == Role::RowScalar {
                Per::Row
            } else {
                Per::Element
            };
            self.pass(output.node, g, per, Type::Own);
        }
        Ok(())
    }

    /// Passes the cotangent `g` of node `k` to its operands.
    fn back(&mut self, k: usize, g: NodeId) {
        let per = if self.lanes[k] {
            Per::Element
        } else {
            Per::Row
        };
        match self.program.nodes[k] {
            Node::Input(_) | Node::Const(_) | Node::Count | Node::Stop(_) => {}
            Node::Cast(dtype, arg) => {
                if dtype.is_inexact() {
                    self.pass(arg, g, per, Type::Operand);
                }
            }
            Node::Like([value, _]) => self.pass(value, g, per, Type::Operand),
            Node::WithSlope([value, x, slope]) => {
                self.pass(value, g, per, Type::Own);
                if self.active[x.index()] {
                    let copy = self.copies[slope.index()];
                    let term = over(&mut self.graph, &[g, copy], |[g, s]| chain(g, s));
                    let per = match self.lanes[slope.index()] {
                        true => Per::Element,
                        false => per,
                    };
                    self.pass(x, term, per, Type::Operand);
                }
            }
            Node::Fold(fold, arg) => {
                let x = self.copies[arg.index()];
                let nodes = [x, self.copies[k], g];
                if let Some(term) = through_fold(&mut self.graph, fold, nodes) {
                    self.pass(arg, term, Per::Element, Type::Own);
                }
            }
            Node::Apply(prim, args) => self.back_apply(k, prim, args, g, per),
        }
    }

    fn back_apply(&mut self, k: usize, prim: Prim, args: [NodeId; 3], g: NodeId, per: Per) {
        let at = |a: NodeId| self.copies[a.index()];
        let nodes = [at(args[0]), at(args[1]), at(args[2]), self.copies[k], g];
        let mut terms = [None; 3];
        over(&mut self.graph, &nodes, |[a, b, c, v, g]| {
            terms = derivative(prim, [a, b, c], v, g);
            v
        });
        for (&arg, term) in args[..prim.arity()].iter().zip(terms) {
            if let Some(term) = term {
                self.pass(arg, term.node(), per, self.type_of_term(prim, args, arg));
            }
        }
    }

    /// Whether the cotangent of `arg` needs a conversion: where another operand has widened the
    /// result, or the result is not of the operands' type.
    fn type_of_term(&self, prim: Prim, args: [NodeId; 3], arg: NodeId) -> Type {
        let plain = |&a: &NodeId| match self.program.nodes[a.index()] {
            Node::Const(c) => !matches!(c, Scalar::Complex(_)),
            Node::Count => true,
            Node::Input(k) => self.program.inputs[k as usize].role == Role::Number,
            _ => false,
        };
        let others_fit = args[..prim.arity()].iter().all(|a| *a == arg || plain(a));
        if others_fit && prim.row().yields == Yields::Same && !plain(&arg) {
            Type::Own
        } else {
            Type::Operand
        }
    }

    /// Adds `term`, which is there once `per` element or row, to the cotangent of `to`.
    fn pass(&mut self, to: NodeId, term: NodeId, per: Per, convert: Type) {
        let at = to.index();
        if !self.active[at] {
            return;
        }
        let term = match per {
            Per::Element if !self.lanes[at] => self.sum_over_row(term),
            _ => term,
        };
        let term = match convert {
            Type::Own => term,
            Type::Operand => self.graph.like(term, self.copies[at]),
        };
        self.cotangents[at] = Some(match self.cotangents[at] {
            None => term,
            Some(sum) => self.graph.apply(Prim::Add, &[sum, term]),
        });
    }

    /// The sum over the row of a term that may be the same for all its elements.
    fn sum_over_row(&mut self, term: NodeId) -> NodeId {
        for k in self.graph_lanes.len()..self.graph.len() {
            let node = self.graph.at(NodeId(k as u32));
            let lane = is_lane(&node, self.graph.inputs(), &self.graph_lanes);
            self.graph_lanes.push(lane);
        }
        if self.graph_lanes[term.index()] {
            return self.graph.fold(Fold::Sum, term);
        }
        let n = self.graph.count();
        self.graph.apply(Prim::Mul, &[term, n])
    }

    /// Declares the gradient of input `k`; 0 where nothing depends on it.
    fn output(&mut self, k: usize) {
        let input = Node::Input(k as u16);
        // A program may read an input at several nodes, though one of a builder does not.
        let nodes = self.program.nodes.iter().zip(&self.cotangents);
        let found = nodes.filter_map(|(node, g)| g.filter(|_| *node == input));
        let sum = found.reduce(|a, b| self.graph.apply(Prim::Add, &[a, b]));
        let g = sum.unwrap_or_else(|| self.graph.constant(0.0));
        let x = self.graph.existing_input(k);
        let g = self.graph.like(g, x);
        let role = match self.program.inputs[k].role {
            Role::Element => Yield::Element,
            Role::Row => Yield::RowSum,
            Role::RowScalar | Role::Number => Yield::RowScalar,
        };
        self.graph.output(g, role);
    }
}

/// The element type of a term of a cotangent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    /// It has the type of what it is passed to, or the sum of all terms is converted later.
    Own,
    /// It is converted to the type of what it is passed to.
    Operand,
}

/// How often a term of a cotangent is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Per {
    /// Once per element: to reach something that is one per row, it is summed over the row.
    Element,
    /// Once per row.
    Row,
}

/// True for a value that differs from element to element of a row.
pub(super) fn is_lane(node: &Node, inputs: &[Input], earlier: &[bool]) -> bool {
    match node {
        Node::Input(k) => matches!(inputs[*k as usize].role, Role::Element | Role::Row),
        Node::Fold(..) => false,
        other => other.sources().iter().any(|a| earlier[a.index()]),
    }
}

/// The cotangent of each element of x, from that of the fold's value v: `nodes` is x, v, g.
fn through_fold(graph: &mut Builder, fold: Fold, nodes: [NodeId; 3]) -> Option<NodeId> {
    let formula: fn([Sym; 3]) -> Sym = match fold {
        Fold::Sum => |[_, _, g]| g,
        Fold::Prod => through_product,
        Fold::Min | Fold::Max => through_extreme,
        Fold::Any | Fold::All | Fold::ArgMin | Fold::ArgMax => return None,
    };
    Some(over(graph, &nodes, formula))
}

/// The product of the other elements, without dividing by zero: the product of those that are not zero, less this one, times
/// that of the zeros, less this one. The latter is written as an elementary symmetric polynomial, of sums of powers, so that it
/// has slopes where its value is 0: the derivatives up to the third are right beside any number of zeros.
fn through_product([x, _, g]: [Sym; 3]) -> Sym {
    use notation::*;
    let is_zero = eq(x, 0.0);
    let zeros = sum(is_zero);
    let (filled, z) = (select(is_zero, 1.0, x), select(is_zero, x, 0.0));
    let powers = [z, z * z, z * z * z];
    let all = powers.map(sum);
    let degree = |k: i64, value: Sym, other: Sym| select(eq(zeros, k), value, other);
    let [first, second] = [all[0] - powers[0], all[1] - powers[1]];
    let without = [first, 0.5 * (first * first - second)];
    let with = [
        all[0],
        0.5 * (all[0] * all[0] - all[1]),
        (1.0 / 6.0) * (all[0] * all[0] * all[0] - 3.0 * all[0] * all[1] + 2.0 * all[2]),
    ];
    let none = 0.0.sym();
    let of_zeros = degree(2, without[0], degree(3, without[1], none));
    let of_zeros = select(le(zeros, 1i64), 1.0, of_zeros);
    let beside = degree(1, with[0], degree(2, with[1], degree(3, with[2], none)));
    let beside = degree(0, 1.0.sym(), beside);
    let rest = prod(filled) / filled;
    g * conj(rest * select(is_zero, of_zeros, beside))
}

/// Shared equally by the elements that equal the extreme; NaN for all if the extreme is NaN.
fn through_extreme([x, v, g]: [Sym; 3]) -> Sym {
    use notation::*;
    let chosen = eq(x, v);
    let share = g / sum(chosen);
    select(chosen, share, share * 0.0)
}
