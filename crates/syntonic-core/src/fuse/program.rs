//! A formula as data: a graph over the primitives, with inputs, folds over a row, and outputs.

use super::Prim;
use crate::dtype::DType;
use crate::scalar::Scalar;
use std::borrow::Cow;

/// A node of a [`Program`], by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The position in the program's node list.
    ///
    /// ```
    /// use syntonic_core::fuse::{Builder, Role};
    ///
    /// assert_eq!(Builder::new().input("x", Role::Element).index(), 0);
    /// ```
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a row of values becomes one: a reduction over the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fold {
    /// The sum; 0 for an empty row. Integers are summed in 64 bits.
    Sum,
    /// The product; 1 for an empty row. Integers are multiplied in 64 bits.
    Prod,
    /// The smallest; NaN if any is NaN.
    Min,
    /// The largest; NaN if any is NaN.
    Max,
    /// True if any is non-zero.
    Any,
    /// True if all are non-zero.
    All,
    /// Position of the first smallest, or of the first NaN.
    ArgMin,
    /// Position of the first largest, or of the first NaN.
    ArgMax,
}

impl Fold {
    /// Every fold.
    pub const ALL: [Fold; 8] = [
        Fold::Sum,
        Fold::Prod,
        Fold::Min,
        Fold::Max,
        Fold::Any,
        Fold::All,
        Fold::ArgMin,
        Fold::ArgMax,
    ];

    /// The name users call it by.
    ///
    /// ```
    /// use syntonic_core::fuse::Fold;
    ///
    /// assert_eq!(Fold::ArgMax.name(), "argmax");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Fold::Sum => "sum",
            Fold::Prod => "prod",
            Fold::Min => "min",
            Fold::Max => "max",
            Fold::Any => "any",
            Fold::All => "all",
            Fold::ArgMin => "argmin",
            Fold::ArgMax => "argmax",
        }
    }

    /// The type it yields over values of type `dtype`; `None` where it is not defined.
    ///
    /// ```
    /// use syntonic_core::fuse::Fold;
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!(Fold::Sum.result_dtype(DType::I8), Some(DType::I64));
    /// assert_eq!(Fold::ArgMax.result_dtype(DType::F32), Some(DType::I64));
    /// assert_eq!(Fold::Max.result_dtype(DType::C64), None);
    /// ```
    pub fn result_dtype(self, dtype: DType) -> Option<DType> {
        use crate::dtype::Kind::*;
        match (self, dtype.kind()) {
            (_, Stored) => None,
            (Fold::Sum | Fold::Prod, Bool | Signed) => Some(DType::I64),
            (Fold::Sum | Fold::Prod, Unsigned) => Some(DType::U64),
            (Fold::Sum | Fold::Prod, Float | Complex) => Some(dtype),
            (Fold::Any | Fold::All, _) => Some(DType::Bool),
            (_, Complex) => None,
            (Fold::Min | Fold::Max, _) => Some(dtype),
            (Fold::ArgMin | Fold::ArgMax, _) => Some(DType::I64),
        }
    }

    /// The type it accumulates in: sums and products of floats run in double precision.
    ///
    /// ```
    /// use syntonic_core::fuse::Fold;
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!((Fold::Sum.accumulator(DType::F32), Fold::Max.accumulator(DType::F32)), (DType::F64, DType::F32));
    /// ```
    pub fn accumulator(self, dtype: DType) -> DType {
        match self {
            Fold::Sum | Fold::Prod if dtype.is_float() => DType::F64,
            Fold::Sum | Fold::Prod if dtype.is_complex() => DType::C128,
            Fold::Min | Fold::Max | Fold::ArgMin | Fold::ArgMax => dtype,
            other => other.result_dtype(dtype).unwrap_or(dtype),
        }
    }

    /// Its value over no elements, where it has one.
    ///
    /// ```
    /// use syntonic_core::fuse::Fold;
    ///
    /// assert_eq!(Fold::Prod.identity().unwrap().to_f64(), 1.0);
    /// assert!(Fold::ArgMax.identity().is_none());
    /// ```
    pub fn identity(self) -> Option<Scalar> {
        match self {
            Fold::Sum => Some(Scalar::Int(0)),
            Fold::Prod => Some(Scalar::Int(1)),
            Fold::Any => Some(Scalar::Bool(false)),
            Fold::All => Some(Scalar::Bool(true)),
            _ => None,
        }
    }
}

/// One node of the graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Node {
    /// An operand of the program.
    Input(u16),
    /// A number without a width: it takes the type of what it meets.
    Const(Scalar),
    /// The number of elements of the row, as a number without a width.
    Count,
    /// A primitive over earlier nodes; positions past its arity repeat the first operand.
    Apply(Prim, [NodeId; 3]),
    /// A conversion.
    Cast(DType, NodeId),
    /// A conversion of the first to the type of the second, which takes no other part. Where the
    /// second is an integer, `bool` or a number without a width, only an imaginary part is dropped.
    Like([NodeId; 2]),
    /// The value as it is, but a constant to [`Program::grad`].
    Stop(NodeId),
    /// The first, to whose derivative the third is added as the slope along the second; see
    /// [`with_slope`](super::notation::with_slope).
    WithSlope([NodeId; 3]),
    /// A reduction of a lane value over the row: a row scalar.
    Fold(Fold, NodeId),
}

/// What an input varies over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Over everything.
    Element,
    /// Along the row, the same for every row.
    Row,
    /// One value per row.
    RowScalar,
    /// One number given at run time, without a width.
    Number,
}

/// What an output varies over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Yield {
    /// One value per element.
    Element,
    /// One value per row.
    RowScalar,
    /// One value per position of the row, summed over all rows (gradients of affine norms).
    RowSum,
}

/// An input's declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Its name in the formula.
    pub name: Cow<'static, str>,
    /// What it varies over.
    pub role: Role,
}

/// An output's declaration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Output {
    /// The node it takes its value from.
    pub node: NodeId,
    /// What it varies over.
    pub role: Yield,
}

/// In which type the statements run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Precision {
    /// Half types are rounded after every primitive, as separate operators would.
    Stepwise,
    /// Half types are widened to `float32` at the input and rounded once at the output.
    #[default]
    Wide,
    /// Values have the types that they have stepwise, and those of a half type are `float32`: they are rounded where the text stores
    /// them, at a conversion to a half type and at an output.
    Stored,
}

/// A formula over elements or rows. No element type, device or index appears in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// Its name, for messages and kernels.
    pub name: Cow<'static, str>,
    /// The operands, in call order.
    pub inputs: Vec<Input>,
    /// The graph; every node refers to earlier ones only, as [`Program::check`] asks.
    pub nodes: Vec<Node>,
    /// The results, in order.
    pub outputs: Vec<Output>,
    /// In which type the statements run.
    pub precision: Precision,
}

/// Where each live node goes when the others are dropped.
pub(super) fn places(live: &[bool]) -> Vec<u32> {
    let before = |next: &mut u32, &l: &bool| {
        let place = *next;
        *next += u32::from(l);
        Some(place)
    };
    live.iter().scan(0, before).collect()
}

/// Marks what live nodes are made of, too: operands stand before the node that they are of.
pub(super) fn mark_operands<'a, Id: Copy + 'a>(
    live: &mut [bool],
    operands: impl Fn(usize) -> &'a [Id],
    index: impl Fn(Id) -> usize,
) {
    for k in (0..live.len()).rev() {
        if live[k] {
            operands(k).iter().for_each(|&a| live[index(a)] = true);
        }
    }
}

impl Program {
    /// True if any node folds over the row: the domain is rows, not single elements.
    ///
    /// ```
    /// syntonic_core::fuse! {
    ///     TOTAL(x: element) -> (row_scalar) { sum(x) }
    ///     TWICE(x: element) -> (element) { x + x }
    /// }
    /// assert!(TOTAL.has_folds() && !TWICE.has_folds());
    /// ```
    pub fn has_folds(&self) -> bool {
        self.nodes.iter().any(|n| matches!(n, Node::Fold(..)))
    }

    /// True where a value hangs on its row: with folds, or with the row's length.
    pub(crate) fn looks_at_rows(&self) -> bool {
        let looks = |n: &Node| matches!(n, Node::Fold(..) | Node::Count);
        self.nodes.iter().any(looks)
    }

    /// Makes the input `k` the first one; the others stay in order.
    pub(crate) fn put_first(&mut self, k: usize) {
        let input = self.inputs.remove(k);
        self.inputs.insert(0, input);
        for node in &mut self.nodes {
            if let Node::Input(at) = node {
                *at = match usize::from(*at) {
                    here if here == k => 0,
                    here if here < k => *at + 1,
                    _ => *at,
                };
            }
        }
    }

    /// The program with these numbers in the place of its inputs that are numbers, in order.
    pub(crate) fn with_numbers(&self, numbers: &[Scalar]) -> Program {
        let mut program = self.clone();
        let mut given = numbers.iter();
        // few: the inputs of one program.
        let values: Vec<Option<Scalar>> = (self.inputs.iter())
            .map(|input| match input.role {
                Role::Number => given.next().copied(),
                _ => None,
            })
            .collect();
        for node in &mut program.nodes {
            if let Node::Input(k) = *node
                && let Some(value) = values[usize::from(k)]
            {
                *node = Node::Const(value);
            }
        }
        program.keeping_inputs(|k| values[k].is_none())
    }

    /// The program with the output `k` alone.
    pub(crate) fn with_one_output(&self, k: usize) -> Program {
        let mut program = self.clone();
        program.outputs = vec![self.outputs[k]];
        program.without_dead_nodes()
    }

    /// The program with the output `k` alone and the inputs that it reads, and which those are.
    pub(crate) fn of_output(&self, k: usize) -> (Program, Vec<usize>) {
        let program = self.with_one_output(k);
        let reads = |k: &usize| program.nodes.contains(&Node::Input(*k as u16));
        // few: the inputs of one program.
        let read: Vec<usize> = (0..self.inputs.len()).filter(reads).collect();
        (program.without_unused_inputs(), read)
    }

    /// The program, of one output, for inputs of these types: without the inputs that it asks for nothing but their floating type, and
    /// which inputs are left.
    pub(crate) fn without_models(mut self, dtypes: &[DType]) -> (Program, Vec<usize>) {
        debug_assert_eq!(
            self.outputs.len(),
            1,
            "one output says which inputs are read"
        );
        for at in 0..self.nodes.len() {
            if let Node::Like([value, model]) = self.nodes[at]
                && let Node::Input(k) = self.nodes[model.index()]
                && let Some(dtype) = dtypes.get(usize::from(k))
                && dtype.is_inexact()
                && !dtype.is_stored()
            {
                self.nodes[at] = Node::Cast(*dtype, value);
            }
        }
        self.of_output(0)
    }

    /// The program without the nodes that no output needs. Inputs stay declared.
    pub(super) fn without_dead_nodes(mut self) -> Program {
        let mut live = vec![false; self.nodes.len()];
        for output in &self.outputs {
            live[output.node.index()] = true;
        }
        mark_operands(&mut live, |k| self.nodes[k].operands(), NodeId::index);
        let places = places(&live);
        let to = |id: &mut NodeId| id.0 = places[id.index()];
        let mut kept = live.iter();
        self.nodes.retain(|_| kept.next() == Some(&true));
        for node in &mut self.nodes {
            node.operands_mut().iter_mut().for_each(to);
        }
        for output in &mut self.outputs {
            to(&mut output.node);
        }
        self
    }

    /// The program without the inputs that no node reads.
    pub(super) fn without_unused_inputs(self) -> Program {
        // few: the inputs of one program.
        let read: Vec<bool> = (0..self.inputs.len())
            .map(|k| self.nodes.contains(&Node::Input(k as u16)))
            .collect();
        self.keeping_inputs(|k| read[k])
    }

    /// The program without the other inputs, which no node reads.
    fn keeping_inputs(mut self, keeps: impl Fn(usize) -> bool) -> Program {
        let live: Vec<bool> = (0..self.inputs.len()).map(keeps).collect();
        let places = places(&live);
        for node in &mut self.nodes {
            if let Node::Input(k) = node {
                *k = places[usize::from(*k)] as u16;
            }
        }
        let mut kept = live.iter();
        self.inputs.retain(|_| kept.next() == Some(&true));
        self
    }
}

impl Node {
    /// Every id in it, also of positions past a primitive's arity.
    pub(super) fn ids(&self) -> &[NodeId] {
        match self {
            Node::Apply(_, args) => args,
            other => other.operands(),
        }
    }

    /// The operands, in order, to be changed.
    pub(super) fn operands_mut(&mut self) -> &mut [NodeId] {
        match self {
            // Positions past the arity repeat an operand, so all three are ids.
            Node::Apply(_, args) => args,
            Node::Cast(_, arg) | Node::Stop(arg) | Node::Fold(_, arg) => std::slice::from_mut(arg),
            Node::Like(args) => args,
            Node::WithSlope(args) => args,
            Node::Input(_) | Node::Const(_) | Node::Count => &mut [],
        }
    }

    /// The operands, in order.
    ///
    /// ```
    /// syntonic_core::fuse! { TOTAL(x: element, y: element) -> (element) { x + y } }
    /// assert_eq!(TOTAL.nodes.last().unwrap().operands().len(), 2);
    /// ```
    pub fn operands(&self) -> &[NodeId] {
        match self {
            Node::Apply(prim, args) => &args[..prim.arity()],
            Node::Cast(_, arg) | Node::Stop(arg) | Node::Fold(_, arg) => std::slice::from_ref(arg),
            Node::Like(args) => args,
            Node::WithSlope(args) => args,
            Node::Input(_) | Node::Const(_) | Node::Count => &[],
        }
    }

    /// Those of the operands that its value hangs on: neither a model, which gives a type alone, nor what its slope is made of.
    pub(super) fn sources(&self) -> &[NodeId] {
        match self {
            Node::Like(args) => &args[..1],
            Node::WithSlope(args) => &args[..1],
            other => other.operands(),
        }
    }
}
