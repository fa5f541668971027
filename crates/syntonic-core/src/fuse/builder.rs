//! Building a graph: equal nodes are one node, and constants are folded.

use super::Prim;
use super::program::{Fold, Input, Node, NodeId, Output, Precision, Program, Role, Yield};
use crate::dtype::DType;
use crate::scalar::Scalar;
use std::borrow::Cow;

/// Collects nodes; asking twice for the same node gives the same one.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    inputs: Vec<Input>,
    nodes: Vec<Node>,
    outputs: Vec<Output>,
}

impl Builder {
    /// An empty graph.
    ///
    /// ```
    /// use syntonic_core::fuse::{Builder, Precision, Prim, Role, Yield};
    /// use syntonic_core::prelude::*;
    /// use syntonic_core::run;
    ///
    /// let mut builder = Builder::new();
    /// let x = builder.input("x", Role::Element);
    /// let two = builder.constant(2);
    /// let y = builder.apply(Prim::Mul, &[x, two]);
    /// builder.output(y, Yield::Element);
    /// let double = builder.finish("double", Precision::Wide);
    /// let x = Tensor::from([1.5, 4.0]);
    /// let y = run::map(&double, &[&x], &[], x.shape(), x.device())?;
    /// assert_eq!(y[0].to_vec::<f64>()?, [3.0, 8.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn new() -> Builder {
        Builder::default()
    }

    /// A new operand.
    ///
    /// ```
    /// use syntonic_core::fuse::{Builder, Role};
    ///
    /// let mut builder = Builder::new();
    /// let (x, y) = (builder.input("x", Role::Element), builder.input("y", Role::Row));
    /// assert!(x != y && builder.existing_input(1) == y);
    /// ```
    pub fn input(&mut self, name: impl Into<Cow<'static, str>>, role: Role) -> NodeId {
        self.inputs.push(Input {
            name: name.into(),
            role,
        });
        self.existing_input(self.inputs.len() - 1)
    }

    /// The node of the operand declared `k`-th; where there is none, running the program is an error.
    ///
    /// ```
    /// use syntonic_core::fuse::{Builder, Role};
    ///
    /// let mut builder = Builder::new();
    /// let x = builder.input("x", Role::Element);
    /// assert_eq!(builder.existing_input(0), x);
    /// ```
    pub fn existing_input(&mut self, k: usize) -> NodeId {
        // A program of so many inputs is refused.
        self.node(Node::Input(u16::try_from(k).unwrap_or(u16::MAX)))
    }

    /// A number.
    ///
    /// ```
    /// use syntonic_core::fuse::{Builder, Node};
    /// use syntonic_core::prelude::*;
    ///
    /// let mut builder = Builder::new();
    /// let half = builder.constant(0.5);
    /// assert_eq!(builder.get(half), Some(Node::Const(Scalar::Float(0.5))));
    /// ```
    pub fn constant(&mut self, value: impl Into<Scalar>) -> NodeId {
        self.node(Node::Const(value.into()))
    }

    /// The number of elements of the row.
    ///
    /// ```
    /// use syntonic_core::fuse::{Builder, Fold, Precision, Prim, Role, Yield};
    /// use syntonic_core::prelude::*;
    /// use syntonic_core::run::{self, Axes};
    ///
    /// let mut builder = Builder::new();
    /// let x = builder.input("x", Role::Element);
    /// let (sum, n) = (builder.fold(Fold::Sum, x), builder.count());
    /// let mean = builder.apply(Prim::Div, &[sum, n]);
    /// builder.output(mean, Yield::RowScalar);
    /// let mean = builder.finish("mean", Precision::Wide);
    /// let y = run::rows(&mean, &[&Tensor::from([1.0, 2.0, 6.0])], &[], &[0], Axes::Drop)?;
    /// assert_eq!(y[0].to_scalar::<f64>()?, 3.0);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn count(&mut self) -> NodeId {
        self.node(Node::Count)
    }

    /// A primitive over `args`, whose number is the primitive's arity. With another number of them, or with one that is no node
    /// of this builder, running the program is an error.
    ///
    /// ```
    /// use syntonic_core::fuse::{Builder, Prim, Role};
    ///
    /// let mut builder = Builder::new();
    /// let x = builder.input("x", Role::Element);
    /// let (one, same) = (builder.apply(Prim::Sin, &[x]), builder.apply(Prim::Sin, &[x]));
    /// // What is there already is not made again.
    /// assert_eq!(one, same);
    /// ```
    pub fn apply(&mut self, prim: Prim, args: &[NodeId]) -> NodeId {
        if args.len() != prim.arity() || args.iter().any(|a| a.index() >= self.nodes.len()) {
            return self.node(Node::Apply(prim, [NodeId::NONE; 3]));
        }
        if let Some(value) = self.fold_constants(prim, args) {
            return self.constant(value);
        }
        if let Some(same) = self.undone(prim, args) {
            return same;
        }
        let at = |i: usize| *args.get(i).unwrap_or(&args[0]);
        self.node(Node::Apply(prim, [at(0), at(1), at(2)]))
    }

    /// A conversion.
    ///
    /// ```
    /// use syntonic_core::fuse::{Builder, Node, Role};
    /// use syntonic_core::prelude::*;
    ///
    /// let mut builder = Builder::new();
    /// let x = builder.input("x", Role::Element);
    /// let wide = builder.cast(DType::F64, x);
    /// assert!(matches!(builder.get(wide), Some(Node::Cast(DType::F64, _))));
    /// ```
    pub fn cast(&mut self, dtype: DType, arg: NodeId) -> NodeId {
        self.node(Node::Cast(dtype, arg))
    }

    /// `value` converted to the type of `model`; see [`Node::Like`].
    ///
    /// ```
    /// use syntonic_core::fuse::{Builder, Node, Role};
    ///
    /// let mut builder = Builder::new();
    /// let (x, y) = (builder.input("x", Role::Element), builder.input("y", Role::Element));
    /// let cast = builder.like(x, y);
    /// assert!(matches!(builder.get(cast), Some(Node::Like(..))));
    /// ```
    pub fn like(&mut self, value: NodeId, model: NodeId) -> NodeId {
        match self.nodes.get(value.index()) {
            Some(&Node::Like([_, same])) if same == model => value,
            _ => self.node(Node::Like([value, model])),
        }
    }

    /// `arg` as it is, but a constant to the gradient.
    ///
    /// ```
    /// use syntonic_core::fuse::{Builder, Role};
    ///
    /// let mut builder = Builder::new();
    /// let x = builder.input("x", Role::Element);
    /// assert_ne!(builder.stop(x), x);
    /// ```
    pub fn stop(&mut self, arg: NodeId) -> NodeId {
        match self.nodes.get(arg.index()) {
            Some(Node::Const(_) | Node::Count | Node::Stop(_)) => arg,
            _ => self.node(Node::Stop(arg)),
        }
    }

    /// `value`, to whose derivative `slope` is added as that along `x`; see [`with_slope`](super::notation::with_slope).
    ///
    /// ```
    /// use syntonic_core::fuse::{Builder, Node, Role};
    ///
    /// let mut builder = Builder::new();
    /// let (x, two) = (builder.input("x", Role::Element), builder.constant(2.0));
    /// let held = builder.stop(x);
    /// let steep = builder.with_slope(held, x, two);
    /// assert!(matches!(builder.get(steep), Some(Node::WithSlope(..))));
    /// // A number has no derivative.
    /// assert_eq!(builder.with_slope(held, two, two), held);
    /// ```
    pub fn with_slope(&mut self, value: NodeId, x: NodeId, slope: NodeId) -> NodeId {
        match self.nodes.get(x.index()) {
            Some(Node::Const(_) | Node::Count | Node::Stop(_)) => value,
            _ => self.node(Node::WithSlope([value, x, slope])),
        }
    }

    /// The copy of a node of another graph, of whose operands `at` says where they are in this one.
    pub(crate) fn copy(&mut self, node: &Node, at: impl Fn(NodeId) -> NodeId) -> NodeId {
        match *node {
            Node::Input(k) => self.existing_input(usize::from(k)),
            Node::Const(value) => self.constant(value),
            Node::Count => self.count(),
            Node::Apply(prim, args) => self.apply(prim, &args.map(at)[..prim.arity()]),
            Node::Cast(dtype, arg) => self.cast(dtype, at(arg)),
            Node::Like(args) => {
                let [value, model] = args.map(at);
                self.like(value, model)
            }
            Node::Stop(arg) => self.stop(at(arg)),
            Node::WithSlope(args) => {
                let [value, x, slope] = args.map(at);
                self.with_slope(value, x, slope)
            }
            Node::Fold(fold, arg) => self.fold(fold, at(arg)),
        }
    }

    /// A reduction over the row.
    ///
    /// ```
    /// use syntonic_core::fuse::{Builder, Fold, Precision, Role, Yield};
    ///
    /// let mut builder = Builder::new();
    /// let x = builder.input("x", Role::Element);
    /// let most = builder.fold(Fold::Max, x);
    /// builder.output(most, Yield::RowScalar);
    /// assert!(builder.finish("most", Precision::Wide).has_folds());
    /// ```
    pub fn fold(&mut self, fold: Fold, arg: NodeId) -> NodeId {
        self.node(Node::Fold(fold, arg))
    }

    /// Declares a result.
    ///
    /// ```
    /// use syntonic_core::fuse::{Builder, Precision, Role, Yield};
    ///
    /// let mut builder = Builder::new();
    /// let x = builder.input("x", Role::Element);
    /// builder.output(x, Yield::Element);
    /// assert_eq!(builder.finish("same", Precision::Wide).outputs.len(), 1);
    /// ```
    pub fn output(&mut self, node: NodeId, role: Yield) {
        self.outputs.push(Output { node, role });
    }

    /// Number of nodes so far.
    ///
    /// ```
    /// use syntonic_core::fuse::{Builder, Role};
    ///
    /// let mut builder = Builder::new();
    /// builder.input("x", Role::Element);
    /// assert_eq!(builder.len(), 1);
    /// ```
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True before the first node.
    ///
    /// ```
    /// use syntonic_core::fuse::Builder;
    ///
    /// assert!(Builder::new().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The operands declared so far.
    pub(super) fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// True with a reduction among the nodes.
    pub(crate) fn has_folds(&self) -> bool {
        self.nodes.iter().any(|n| matches!(n, Node::Fold(..)))
    }

    /// True where the node's value varies along the row, as the inputs do of which `lane` says so.
    pub(crate) fn varies(&self, node: NodeId, lane: impl Fn(u16) -> bool) -> bool {
        let mut varies: Vec<bool> = Vec::with_capacity(self.nodes.len());
        // What is no node of this graph is refused when the program is run.
        let at = |varies: &[bool], id: &NodeId| varies.get(id.index()).copied().unwrap_or(true);
        for n in self.nodes.iter().take(node.index().saturating_add(1)) {
            let here = match n {
                Node::Input(k) => lane(*k),
                Node::Fold(..) => false,
                other => other.sources().iter().any(|a| at(&varies, a)),
            };
            varies.push(here);
        }
        at(&varies, &node)
    }

    /// The inputs that a node is computed from, if that takes at most `most` operations like an addition, or as much, and no fold.
    pub(crate) fn reads(&self, node: NodeId, most: usize) -> Option<Vec<u16>> {
        // few: nodes of one program.
        let mut seen: Vec<NodeId> = Vec::new();
        let (mut reads, mut operations) = (Vec::new(), 0);
        let mut stack = vec![node];
        while let Some(id) = stack.pop() {
            if seen.contains(&id) {
                continue;
            }
            seen.push(id);
            let node = self.get(id)?;
            match node {
                Node::Input(k) => reads.push(k),
                Node::Fold(..) => return None,
                Node::Apply(prim, _) => operations += prim.operations(),
                _ => {}
            }
            if operations > most {
                return None;
            }
            stack.extend(node.sources());
        }
        reads.sort_unstable();
        reads.dedup();
        Some(reads)
    }

    /// The node behind an id of this builder.
    ///
    /// ```
    /// use syntonic_core::fuse::{Builder, Node, Role};
    ///
    /// let mut builder = Builder::new();
    /// let x = builder.input("x", Role::Element);
    /// assert_eq!(builder.get(x), Some(Node::Input(0)));
    /// ```
    pub fn get(&self, id: NodeId) -> Option<Node> {
        self.nodes.get(id.index()).copied()
    }

    /// The node behind an id that this builder gave.
    pub(super) fn at(&self, id: NodeId) -> Node {
        self.nodes[id.index()]
    }

    /// The node that says the same, if there is one.
    pub(super) fn find(&self, node: Node) -> Option<NodeId> {
        let at = self.nodes.iter().position(|n| *n == node);
        at.map(|k| NodeId(k as u32))
    }

    /// The finished program.
    ///
    /// ```
    /// use syntonic_core::fuse::{Builder, Precision, Role, Yield};
    ///
    /// let mut builder = Builder::new();
    /// let x = builder.input("x", Role::Element);
    /// builder.output(x, Yield::Element);
    /// let same = builder.finish("same", Precision::Wide);
    /// assert_eq!((&*same.name, &*same.inputs[0].name), ("same", "x"));
    /// ```
    pub fn finish(self, name: impl Into<Cow<'static, str>>, precision: Precision) -> Program {
        Program {
            name: name.into(),
            inputs: self.inputs,
            nodes: self.nodes,
            outputs: self.outputs,
            precision,
        }
    }

    fn node(&mut self, node: Node) -> NodeId {
        let same = |n: &Node| match (n, &node) {
            // Float equality would merge 0.0 with -0.0 and never NaN with NaN.
            (Node::Const(a), Node::Const(b)) => same_bits(*a, *b),
            (a, b) => a == b,
        };
        let at = self.nodes.iter().rposition(same).unwrap_or_else(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        });
        NodeId(at as u32)
    }

    /// The operand of the operand, where the second of two operations takes back the first.
    fn undone(&self, prim: Prim, args: &[NodeId]) -> Option<NodeId> {
        match (prim, self.at(args[0])) {
            (Prim::Neg, Node::Apply(Prim::Neg, inner)) => Some(inner[0]),
            (Prim::Conj, Node::Apply(Prim::Conj, inner)) => Some(inner[0]),
            (Prim::Conj | Prim::Real, Node::Apply(Prim::Real | Prim::Imag, _)) => Some(args[0]),
            _ => None,
        }
    }

    /// Exactly rounded arithmetic on real constants is done here; anything else is left to run time.
    fn fold_constants(&self, prim: Prim, args: &[NodeId]) -> Option<Scalar> {
        let number = |k: usize| match self.at(*args.get(k)?) {
            Node::Const(Scalar::Float(x)) => Some(x),
            Node::Const(Scalar::Int(x)) => Some(x as f64),
            _ => None,
        };
        let a = number(0)?;
        Some(Scalar::Float(match prim {
            Prim::Neg => -a,
            Prim::Conj | Prim::Real => a,
            Prim::Sqrt => a.sqrt(),
            Prim::Add => a + number(1)?,
            Prim::Sub => a - number(1)?,
            Prim::Mul => a * number(1)?,
            Prim::Div => a / number(1)?,
            _ => return None,
        }))
    }
}

fn same_bits(a: Scalar, b: Scalar) -> bool {
    match (a, b) {
        (Scalar::Float(x), Scalar::Float(y)) => x.to_bits() == y.to_bits(),
        (Scalar::Complex(x), Scalar::Complex(y)) => {
            x.re.to_bits() == y.re.to_bits() && x.im.to_bits() == y.im.to_bits()
        }
        (a, b) => a == b,
    }
}
