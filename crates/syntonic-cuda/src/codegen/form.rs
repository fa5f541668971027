//! The canonical form of a map program: without names, unused nodes, and the distinction of tensors, broadcast elements and
//! numbers.

use super::ranges::Ranges;
use super::{code, instructions};
use crate::fnv::Fnv;
use crate::ptx::name::short;
use syntonic_core::DType;
use syntonic_core::fuse::{Op, Prim, Typed};

/// What a value is computed by. Operands are values of the same form, by position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Step {
    /// An operand: the node of the program that yields it.
    Leaf(u32),
    /// A primitive.
    Apply(Prim, [u32; 3]),
    /// A conversion.
    Cast(u32),
}

/// A value of a form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Value {
    /// What it is computed by.
    pub(crate) step: Step,
    /// Its type.
    pub(crate) dtype: DType,
    /// True for a quotient or a reciprocal whose divisor is known to be moderate; see [`Ranges`].
    pub(crate) moderate: bool,
}

impl Value {
    /// A value of whose operands nothing is known.
    pub(crate) fn new(step: Step, dtype: DType) -> Value {
        Value {
            step,
            dtype,
            moderate: false,
        }
    }
}

/// A program as values in depth-first order from the outputs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Form {
    /// Values; operands come before what uses them.
    pub(crate) values: Vec<Value>,
    /// The value that each output takes.
    pub(crate) outputs: Vec<u32>,
}

impl Form {
    /// The form that moves one operand of this type to its result.
    pub(crate) fn copy(dtype: DType) -> Form {
        Form {
            values: vec![Value::new(Step::Leaf(0), dtype)],
            outputs: vec![0],
        }
    }

    /// The form of a program; nothing if it folds.
    pub(crate) fn of(program: &Typed) -> Option<Form> {
        Form::of_nodes(program, program.outputs.iter().map(|output| output.node))
    }

    /// The form that yields these nodes of a program; nothing if they fold.
    pub(crate) fn of_nodes(program: &Typed, nodes: impl IntoIterator<Item = u32>) -> Option<Form> {
        let mut form = Form {
            values: Vec::new(),
            outputs: Vec::new(),
        };
        let mut places = vec![u32::MAX; program.nodes.len()];
        let ranges = Ranges::of(program);
        for node in nodes {
            form.visit(program, node, &ranges, &mut places)?;
            form.outputs.push(places[node as usize]);
        }
        Some(form)
    }

    /// Adds a node after its operands. Deep programs would overflow the call stack, so the walk keeps its own.
    fn visit(
        &mut self,
        program: &Typed,
        root: u32,
        ranges: &Ranges,
        places: &mut [u32],
    ) -> Option<()> {
        let mut stack = vec![(root, false)];
        while let Some((node, ready)) = stack.pop() {
            if places[node as usize] != u32::MAX {
                continue;
            }
            let typed = &program.nodes[node as usize];
            if !ready {
                stack.push((node, true));
                stack.extend(typed.operands().iter().rev().map(|&a| (a, false)));
                continue;
            }
            let place = |a: u32| places[a as usize];
            let step = match typed.op {
                Op::Apply(prim, args) => {
                    // Unused positions repeat the first operand, which is never a dead node.
                    let mut own = [place(args[0]); 3];
                    for (to, &from) in own.iter_mut().zip(&args[..prim.arity()]) {
                        *to = place(from);
                    }
                    Step::Apply(prim, own)
                }
                Op::Cast(a) => Step::Cast(place(a)),
                Op::Fold(..) => return None,
                Op::Input(_) | Op::Index(_) | Op::Param(_) | Op::Const(_) | Op::Count => {
                    Step::Leaf(node)
                }
            };
            places[node as usize] = self.values.len() as u32;
            self.values.push(Value {
                moderate: ranges.divides_moderately(typed),
                ..Value::new(step, typed.dtype)
            });
        }
        Some(())
    }

    /// The operands' values, in order.
    pub(crate) fn leaves(&self) -> impl Iterator<Item = (u32, u32, DType)> + '_ {
        self.values.iter().enumerate().filter_map(|(k, v)| {
            if let Step::Leaf(node) = v.step {
                Some((k as u32, node, v.dtype))
            } else {
                None
            }
        })
    }

    /// The operands of value `k`.
    pub(crate) fn operands(&self, k: u32) -> &[u32] {
        match &self.values[k as usize].step {
            Step::Leaf(_) => &[],
            Step::Apply(prim, args) => &args[..prim.arity()],
            Step::Cast(a) => std::slice::from_ref(a),
        }
    }

    /// The type that the primitive of value `k` computes in: that of its operands, for a select that of its branches.
    pub(crate) fn operand_dtype(&self, k: u32) -> DType {
        let args = self.operands(k);
        let at = match self.values[k as usize].step {
            Step::Apply(Prim::Select, _) => args[1],
            _ => args.first().copied().unwrap_or(k),
        };
        self.values[at as usize].dtype
    }

    /// Instructions for each element, roughly, without those that load operands.
    pub(crate) fn instructions(&self) -> usize {
        let of_value = |(k, value): (usize, &Value)| match value.step {
            Step::Apply(prim, _) => instructions(prim, self.operand_dtype(k as u32)),
            Step::Cast(_) => 1,
            Step::Leaf(_) => 0,
        };
        self.values.iter().enumerate().map(of_value).sum()
    }

    /// A hash that is the same for equal forms, in every build.
    pub(crate) fn fingerprint(&self) -> u64 {
        let mut hash = Fnv::default();
        for value in &self.values {
            hash.text(short(value.dtype));
            match value.step {
                Step::Leaf(_) => hash.byte(0),
                Step::Cast(a) => {
                    hash.byte(1);
                    hash.number(a);
                }
                Step::Apply(prim, args) => {
                    hash.byte(2);
                    hash.byte(code(prim));
                    if value.moderate {
                        hash.byte(4);
                    }
                    args[..prim.arity()].iter().for_each(|&a| hash.number(a));
                }
            }
        }
        hash.byte(3);
        self.outputs.iter().for_each(|&o| hash.number(o));
        hash.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntonic_core::Scalar;
    use syntonic_core::fuse::{Builder, NodeId, Precision, Role, Yield, lower};

    fn form(build: impl Fn(&mut Builder, &[NodeId]) -> NodeId, inputs: &[DType]) -> Form {
        let mut b = Builder::new();
        let x: Vec<NodeId> = inputs.iter().map(|_| b.input("x", Role::Element)).collect();
        let y = build(&mut b, &x);
        b.output(y, Yield::Element);
        Form::of(&lower(&b.finish("test", Precision::Stepwise), inputs).unwrap()).unwrap()
    }

    #[test]
    fn numbers_and_tensors_have_one_form() {
        let two = form(|b, x| b.apply(Prim::Add, x), &[DType::F32, DType::F32]);
        let one = form(
            |b, x| {
                let c = b.constant(Scalar::Float(2.0));
                b.apply(Prim::Add, &[c, x[0]])
            },
            &[DType::F32],
        );
        assert_eq!(two.fingerprint(), one.fingerprint());
        assert_eq!(two.leaves().count(), 2);
        let same = form(|b, x| b.apply(Prim::Add, &[x[0], x[0]]), &[DType::F32]);
        assert_ne!(same.fingerprint(), one.fingerprint());
        let other = form(|b, x| b.apply(Prim::Sub, x), &[DType::F32, DType::F32]);
        let wider = form(|b, x| b.apply(Prim::Add, x), &[DType::F64, DType::F64]);
        for different in [other, wider] {
            assert_ne!(different.fingerprint(), one.fingerprint());
        }
    }

    #[test]
    fn half_types_carry_their_conversions() {
        let half = form(|b, x| b.apply(Prim::Exp, x), &[DType::BF16]);
        let steps: Vec<DType> = half.values.iter().map(|v| v.dtype).collect();
        assert_eq!(steps, [DType::BF16, DType::F32, DType::F32, DType::BF16]);
        assert_eq!(half.operand_dtype(2), DType::F32);
    }
}
