//! What a function's body consists of.

use super::lexer::Literal;
use super::types::{Kind, Scalar, Space};

/// One statement of a body.
#[derive(Clone, Debug)]
pub(crate) enum Statement<'t> {
    /// Statements between braces, with names of their own.
    Scope(Vec<Statement<'t>>),
    /// A place to go to.
    Label(&'t str),
    /// Registers, each alone or `count` of them that share a prefix.
    Registers {
        /// How wide they are.
        kind: Kind,
        /// Name or prefix, and count.
        names: Vec<(&'t str, Option<u32>)>,
    },
    /// A variable in a state space.
    Variable(Variable<'t>),
    /// The labels that `brx.idx` picks from.
    Targets(&'t str, Vec<&'t str>),
    /// An instruction.
    Instruction(Instruction<'t>),
}

/// A variable in a state space other than registers.
#[derive(Clone, Debug)]
pub(crate) struct Variable<'t> {
    /// Where it lies.
    pub(crate) space: Space,
    /// Its name.
    pub(crate) name: &'t str,
    /// The type of an element.
    pub(crate) scalar: Scalar,
    /// Bytes of all of it; 0 for an array of open length.
    pub(crate) bytes: u64,
    /// Bytes that its address is a multiple of.
    pub(crate) align: u64,
    /// Its first elements; the rest is zero.
    pub(crate) initial: Vec<Literal>,
    /// Whether the launch says how long it is.
    pub(crate) external: bool,
}

/// One instruction.
#[derive(Clone, Debug)]
pub(crate) struct Instruction<'t> {
    /// The predicate that lanes need, and whether they need it false.
    pub(crate) guard: Option<(&'t str, bool)>,
    /// Opcode with modifiers.
    pub(crate) opcode: &'t str,
    /// Operands as written.
    pub(crate) operands: Vec<Operand<'t>>,
    /// Where it starts in the text.
    pub(crate) at: usize,
}

/// One operand.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operand<'t> {
    /// A register, variable, label or function.
    Name(&'t str),
    /// A negated predicate.
    Not(&'t str),
    /// A variable's address and an offset.
    Sum(&'t str, i64),
    /// A number.
    Number(Literal),
    /// `[base + offset]`.
    Address(Option<&'t str>, i64),
    /// `[base + offset, {coordinates}]`.
    Element(Option<&'t str>, i64, Vec<Operand<'t>>),
    /// Operands between braces.
    Vector(Vec<Operand<'t>>),
    /// `first|second`.
    Pair(&'t str, &'t str),
    /// Arguments of a call.
    Group(Vec<&'t str>),
}
