//! A program with element types: every operand is converted where it must be, and every node knows
//! whether it is uniform, one per row, or one per element.

mod indices;
mod kept;
mod live;
mod lower;
mod neighbour;
mod power;
mod whole;

pub use indices::Indices;
pub(crate) use lower::lower_to;
pub use lower::{lower, lower_with};
pub(crate) use power::{is_short_power, power_as_primitive};

use super::Prim;
use super::program::{Fold, Node, NodeId, Precision, Program, Role, Yield};
use super::refusal::{refuse, refuse_stored};
use crate::dtype::{DType, Kind};
use crate::error::{Error, Result};
use crate::scalar::Scalar;
use std::collections::HashMap;

/// How often a node's value changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// Never.
    Uniform,
    /// With the row.
    Row,
    /// With every element.
    Lane,
}

/// What a typed node computes. Operands have exactly the type the operation runs in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    /// Operand of the program.
    Input(u16),
    /// Operand of the program that has no memory: an `int64` that is where it lies, as its [`Slot`](super::Slot) says.
    Index(u16),
    /// Run-time number, by its position among the `Number` inputs.
    Param(u16),
    /// A constant, already of the node's type.
    Const(Scalar),
    /// The number of elements of the row.
    Count,
    /// A primitive.
    Apply(Prim, [u32; 3]),
    /// A conversion to the node's type.
    Cast(u32),
    /// A reduction over the row.
    Fold(Fold, u32),
}

/// A node with its type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TypedNode {
    /// What it computes.
    pub op: Op,
    /// The type of its value.
    pub dtype: DType,
    /// How often it changes.
    pub level: Level,
}

/// A typed output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TypedOutput {
    /// The node it takes its value from.
    pub node: u32,
    /// What it varies over.
    pub role: Yield,
    /// Its type: the node's.
    pub dtype: DType,
}

/// A program lowered to element types; what a device runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Typed {
    /// The program's name.
    pub name: String,
    /// Nodes in evaluation order.
    pub nodes: Vec<TypedNode>,
    /// Results.
    pub outputs: Vec<TypedOutput>,
    /// Types of the tensor inputs (`Number` inputs are not counted).
    pub inputs: Vec<DType>,
}

impl TypedNode {
    /// The operands, in order.
    pub fn operands(&self) -> &[u32] {
        match &self.op {
            Op::Apply(prim, args) => &args[..prim.arity()],
            Op::Cast(arg) | Op::Fold(_, arg) => std::slice::from_ref(arg),
            _ => &[],
        }
    }

    /// The operands, to be changed; all three of a primitive, since unused ones repeat the first.
    fn operands_mut(&mut self) -> &mut [u32] {
        match &mut self.op {
            Op::Apply(_, args) => args,
            Op::Cast(arg) | Op::Fold(_, arg) => std::slice::from_mut(arg),
            Op::Input(_) | Op::Index(_) | Op::Param(_) | Op::Const(_) | Op::Count => &mut [],
        }
    }
}

/// A value during lowering: a typed node, or a number that still has no width.
#[derive(Clone, Copy, Debug)]
enum Value {
    Node(u32),
    /// A `float32` node that stands for a value of this half type, not rounded.
    Kept(u32, DType),
    /// Computed from numbers only: a node in the widest type of its kind.
    Wide(u32),
    Number(Scalar),
    Param(u16),
    Count,
}

struct Lowering<'a> {
    program: &'a Program,
    without_memory: Indices,
    nodes: Vec<TypedNode>,
    seen: HashMap<(u8, [u32; 3], DType), u32>,
    /// By input of the program.
    inputs: Vec<Value>,
    /// By node of the program.
    values: Vec<Value>,
}

impl Lowering<'_> {
    fn inputs(&mut self, dtypes: &[DType]) {
        let mut tensors = 0u16;
        let mut params = 0u16;
        for input in &self.program.inputs {
            let value = if input.role == Role::Number {
                params += 1;
                Value::Param(params - 1)
            } else {
                let level = if input.role == Role::RowScalar {
                    Level::Row
                } else {
                    Level::Lane
                };
                let dtype = dtypes[tensors as usize];
                let id = self.push(self.without_memory.op(tensors), dtype, level);
                tensors += 1;
                Value::Node(if self.program.precision == Precision::Wide {
                    self.cast(id, dtype.compute())
                } else {
                    id
                })
            };
            self.inputs.push(value);
        }
    }

    fn node(&mut self, node: &Node) -> Result<Value> {
        Ok(match *node {
            Node::Input(k) => self.inputs[usize::from(k)],
            Node::Const(value) => Value::Number(value),
            Node::Count => Value::Count,
            Node::Apply(prim, args) => self.apply(prim, &args[..prim.arity()])?,
            Node::Cast(dtype, _) if dtype.is_stored() => {
                return Err(refuse_stored(self.program, &[dtype]));
            }
            Node::Cast(dtype, arg) => {
                let id = self.typed(self.value(arg), dtype);
                // What is rounded goes on as `float32`; the types of the outputs are those of the inputs.
                let wide = self.program.precision == Precision::Wide;
                Value::Node(self.cast(id, if wide { dtype.compute() } else { dtype }))
            }
            Node::Like([value, model]) => self.like(self.value(value), self.value(model)),
            Node::Stop(arg) | Node::WithSlope([arg, ..]) => self.value(arg),
            Node::Fold(fold, arg) => match self.value(arg) {
                Value::Kept(id, half) => self.fold(fold, id, half)?,
                Value::Node(id) | Value::Wide(id) => self.fold_node(fold, id)?,
                other => {
                    let id = self.typed(other, DType::F64);
                    self.fold_node(fold, id)?
                }
            },
        })
    }

    /// The operand itself where `prim` has nothing to do for real numbers.
    fn already_real(&self, prim: Prim, values: &[Value]) -> Option<Value> {
        let real = match values[0] {
            Value::Node(id) | Value::Wide(id) => {
                let dtype = self.nodes[id as usize].dtype;
                dtype.is_float() || dtype.is_integer()
            }
            Value::Kept(..) => true,
            Value::Number(x) => matches!(x, Scalar::Int(_) | Scalar::Float(_)),
            Value::Param(_) | Value::Count => true,
        };
        (real && matches!(prim, Prim::Conj | Prim::Real)).then_some(values[0])
    }

    fn value(&self, id: NodeId) -> Value {
        self.values[id.index()]
    }

    fn apply(&mut self, prim: Prim, args: &[NodeId]) -> Result<Value> {
        let values: Vec<Value> = args.iter().map(|&a| self.value(a)).collect();
        if let Some(value) = self.already_real(prim, &values) {
            return Ok(value);
        }
        let typed_part = if prim == Prim::Select {
            &values[1..]
        } else {
            &values[..]
        };
        if let Some(exact) = self.whole_comparison(prim, &values) {
            return Ok(exact);
        }
        let common = self.common(typed_part);
        let operand = prim
            .operand_dtype(common)
            .ok_or_else(|| refuse(prim.name(), &[common]))?;
        let mut ids = [0u32; 3];
        for (k, &value) in values.iter().enumerate() {
            let want = if prim == Prim::Select && k == 0 {
                DType::Bool
            } else {
                operand.compute()
            };
            if let Value::Number(x) = value {
                x.check_fit(prim.name(), want)?;
            }
            ids[k] = self.typed(value, want);
        }
        if prim == Prim::NextAfter && operand.is_half() {
            // The neighbours of a number of the type: operands and result are such.
            for (id, &value) in ids.iter_mut().zip(&values) {
                if let Value::Kept(kept, half) = value {
                    let narrow = self.cast(kept, half);
                    *id = self.cast(narrow, half.compute());
                }
            }
            let next = self.next_half(operand, ids[0], ids[1]);
            return Ok(Value::Node(self.cast(next, operand)));
        }
        let id = match prim {
            Prim::Pow => self.power(ids[0], ids[1], values[1]),
            _ => self.primitive(prim, &ids[..args.len()]),
        };
        let numbers = values
            .iter()
            .all(|v| !matches!(v, Value::Node(_) | Value::Kept(..)));
        Ok(match numbers {
            true => Value::Wide(id),
            false => self.made(id, prim.result_dtype(operand)),
        })
    }

    /// A primitive of nodes of the type it runs in; the condition of a choice comes first and is a `bool`.
    fn primitive(&mut self, prim: Prim, args: &[u32]) -> u32 {
        let mut ids = [args[0]; 3];
        ids[..args.len()].copy_from_slice(args);
        let node = |id: u32| self.nodes[id as usize];
        let level = args.iter().map(|&id| node(id).level).max();
        let operand = node(args[args.len() - 1]).dtype;
        self.push(
            Op::Apply(prim, ids),
            prim.result_dtype(operand),
            level.unwrap_or(Level::Uniform),
        )
    }

    /// The common type of the operands; numbers only raise the kind.
    fn common(&self, values: &[Value]) -> DType {
        let mut dtype: Option<DType> = None;
        for value in values {
            if let Some(d) = self.dtype(*value) {
                dtype = Some(dtype.map_or(d, |c| c.promote(d)));
            }
        }
        let mut common = dtype.unwrap_or(DType::Bool);
        for value in values {
            common = match value {
                Value::Node(_) | Value::Kept(..) => common,
                Value::Number(x) => x.promote_with(common),
                Value::Wide(id) => self.kind(*id).promote_with(common),
                Value::Param(_) | Value::Count => Scalar::Float(0.0).promote_with(common),
            };
        }
        common
    }

    /// A number of the node's kind.
    fn kind(&self, id: u32) -> Scalar {
        match self.nodes[id as usize].dtype.kind() {
            Kind::Bool => Scalar::Bool(false),
            Kind::Signed | Kind::Unsigned => Scalar::Int(0),
            Kind::Float => Scalar::Float(0.0),
            Kind::Complex => Scalar::Complex(Default::default()),
            Kind::Stored => Scalar::Float(0.0),
        }
    }

    /// The value as a node of type `dtype`.
    fn typed(&mut self, value: Value, dtype: DType) -> u32 {
        match value {
            Value::Node(id) | Value::Wide(id) | Value::Kept(id, _) => self.cast(id, dtype),
            Value::Number(x) => self.constant(x.cast(dtype), dtype),
            Value::Param(k) => self.push(Op::Param(k), dtype, Level::Uniform),
            Value::Count => self.push(Op::Count, dtype, Level::Uniform),
        }
    }

    fn cast(&mut self, id: u32, dtype: DType) -> u32 {
        let node = self.nodes[id as usize];
        if node.dtype == dtype {
            return id;
        }
        // A half value widened right after it was rounded must stay rounded: no shortcut here.
        self.push(Op::Cast(id), dtype, node.level)
    }

    fn constant(&mut self, value: Scalar, dtype: DType) -> u32 {
        self.nodes.push(TypedNode {
            op: Op::Const(value),
            dtype,
            level: Level::Uniform,
        });
        self.nodes.len() as u32 - 1
    }

    fn push(&mut self, op: Op, dtype: DType, level: Level) -> u32 {
        let key = match op {
            Op::Input(k) => Some((0, [u32::from(k), 0, 0])),
            Op::Index(k) => Some((4, [u32::from(k), 0, 0])),
            Op::Param(k) => Some((1, [u32::from(k), 0, 0])),
            Op::Count => Some((2, [0; 3])),
            Op::Cast(a) => Some((3, [a, 0, 0])),
            Op::Const(_) => None,
            Op::Fold(f, a) => Some((8 + f as u8, [a, 0, 0])),
            Op::Apply(p, args) => Some((32 + p as u8, args)),
        };
        if let Some((tag, args)) = key
            && let Some(&id) = self.seen.get(&(tag, args, dtype))
        {
            return id;
        }
        self.nodes.push(TypedNode { op, dtype, level });
        let id = self.nodes.len() as u32 - 1;
        if let Some((tag, args)) = key {
            self.seen.insert((tag, args, dtype), id);
        }
        id
    }

    /// Outputs; wide programs round back to the half type all half inputs share.
    fn outputs(&mut self, dtypes: &[DType], asked: Option<&[DType]>) -> Result<Vec<TypedOutput>> {
        let narrow = dtypes
            .iter()
            .copied()
            .reduce(DType::promote)
            .filter(|d| d.is_half());
        let mut out = Vec::new();
        for (at, output) in self.program.outputs.iter().enumerate() {
            let mut id = match self.value(output.node) {
                Value::Node(id) | Value::Wide(id) => id,
                Value::Kept(id, half) => match asked {
                    Some(_) => id,
                    None => self.cast(id, half),
                },
                Value::Number(Scalar::Bool(b)) => self.constant(Scalar::Bool(b), DType::Bool),
                Value::Number(Scalar::Int(i)) => self.constant(Scalar::Int(i), DType::I64),
                Value::Number(Scalar::Complex(z)) => self.constant(Scalar::Complex(z), DType::C128),
                other => self.typed(other, DType::F64),
            };
            // A sum over rows is rounded once, when all rows are in it.
            if let Some(dtypes) = asked {
                id = self.cast(id, dtypes[at]);
            } else if self.program.precision == Precision::Wide
                && output.role != Yield::RowSum
                && let Some(half) = narrow
                && self.nodes[id as usize].dtype == DType::F32
            {
                id = self.cast(id, half);
            }
            if output.role == Yield::RowScalar && self.nodes[id as usize].level == Level::Lane {
                let what = format!(
                    "an output of {} has one value per row, but its formula varies along the row; hint: fold it",
                    self.program.name
                );
                return Err(Error::value("run", what));
            }
            out.push(TypedOutput {
                node: id,
                role: output.role,
                dtype: self.nodes[id as usize].dtype,
            });
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuse::Builder;

    #[test]
    fn calls_that_do_not_fit_are_errors() {
        let mut b = Builder::new();
        let x = b.input("x", Role::Element);
        let none = b.clone().finish("none", Precision::Wide);
        assert!(matches!(
            lower(&none, &[DType::F32]),
            Err(Error::Value { .. })
        ));
        let y = b.apply(Prim::Exp, &[x]);
        b.output(y, Yield::RowScalar);
        let program = b.finish("varies", Precision::Wide);
        assert!(matches!(lower(&program, &[]), Err(Error::Value { .. })));
        let error = lower(&program, &[DType::F32]).unwrap_err().to_string();
        assert!(error.contains("varies along the row"), "{error}");
    }
}
