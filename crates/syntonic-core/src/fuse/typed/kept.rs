//! Values of half types that are kept as `float32`: what is a value's type, and what rounds it.

use super::{DType, Fold, Level, Lowering, Op, Precision, Result, Value, refuse};
use crate::scalar::Scalar;

impl Lowering<'_> {
    /// The type of a value that is no number.
    pub(super) fn dtype(&self, value: Value) -> Option<DType> {
        match value {
            Value::Node(id) => Some(self.nodes[id as usize].dtype),
            Value::Kept(_, half) => Some(half),
            Value::Wide(_) | Value::Number(_) | Value::Param(_) | Value::Count => None,
        }
    }

    /// A node that was just computed, as a value of this type: not rounded to a half type where the text rounds.
    pub(super) fn made(&mut self, id: u32, dtype: DType) -> Value {
        match dtype.is_half() && self.program.precision == Precision::Stored {
            true => Value::Kept(id, dtype),
            false => Value::Node(self.cast(id, dtype)),
        }
    }

    /// `value` as one of this type, which is no conversion that the text asks for.
    fn as_type(&mut self, value: Value, dtype: DType) -> Value {
        if self.dtype(value) == Some(dtype) {
            return value;
        }
        let computed = match self.program.precision {
            Precision::Stored => dtype.compute(),
            Precision::Stepwise | Precision::Wide => dtype,
        };
        let id = self.typed(value, computed);
        self.made(id, dtype)
    }

    /// `value` in the floating type of `model`; without one, only an imaginary part goes.
    pub(super) fn like(&mut self, value: Value, model: Value) -> Value {
        if let Some(dtype) = self.dtype(model)
            && dtype.is_inexact()
        {
            return self.as_type(value, dtype);
        }
        match value {
            Value::Kept(..) => value,
            Value::Node(id) => {
                let dtype = self.nodes[id as usize].dtype.real();
                Value::Node(self.cast(id, dtype))
            }
            Value::Wide(id) => {
                let dtype = self.nodes[id as usize].dtype.real();
                Value::Wide(self.cast(id, dtype))
            }
            Value::Number(Scalar::Complex(z)) => Value::Number(Scalar::Float(z.re)),
            other => other,
        }
    }

    /// A fold of a value that is no number.
    pub(super) fn fold_node(&mut self, fold: Fold, arg: u32) -> Result<Value> {
        let dtype = self.nodes[arg as usize].dtype;
        self.fold(fold, arg, dtype)
    }

    /// A fold of a node that stands for a value of this type. Half types are folded in `float32` and rounded once, where a float comes
    /// out.
    pub(super) fn fold(&mut self, fold: Fold, arg: u32, dtype: DType) -> Result<Value> {
        let arg = self.cast(arg, dtype.compute());
        let result = |d| {
            fold.result_dtype(d)
                .ok_or_else(|| refuse(fold.name(), &[d]))
        };
        let (narrow, wide) = (result(dtype)?, result(dtype.compute())?);
        let id = self.push(Op::Fold(fold, arg), wide, Level::Row);
        Ok(self.made(id, narrow))
    }
}

#[cfg(test)]
mod tests {
    use crate::DType;
    use crate::fuse::{Builder, Fold, NodeId, Precision, Prim, Program, Role, Typed, Yield, lower};
    use crate::scalar::Scalar;

    type Build<'a> = &'a dyn Fn(&mut Builder, &[NodeId]) -> NodeId;

    fn program(inputs: usize, precision: Precision, build: Build<'_>) -> Program {
        let mut b = Builder::new();
        let inputs: Vec<NodeId> = (0..inputs).map(|_| b.input("x", Role::Element)).collect();
        let out = build(&mut b, &inputs);
        b.output(out, Yield::Element);
        b.finish("halves", precision)
    }

    fn narrow(typed: &Typed) -> usize {
        let made = typed.nodes.iter().filter(|n| !n.operands().is_empty());
        made.filter(|n| n.dtype.is_half()).count()
    }

    #[test]
    fn one_operator_is_what_it_is_stepwise() {
        for prim in [Prim::Add, Prim::Exp, Prim::Max, Prim::NextAfter, Prim::Lt] {
            let both = [Precision::Stepwise, Precision::Stored].map(|precision| {
                let build = |b: &mut Builder, x: &[NodeId]| b.apply(prim, &x[..prim.arity()]);
                let one = program(prim.arity(), precision, &build);
                lower(&one, &vec![DType::BF16; prim.arity()]).unwrap()
            });
            assert_eq!(both[0], both[1], "{}", prim.name());
        }
    }

    #[test]
    fn a_chain_rounds_where_it_stores() {
        let chain = |b: &mut Builder, x: &[NodeId]| {
            let two = b.constant(Scalar::Float(2.0));
            let sum = b.apply(Prim::Add, &[x[0], two]);
            let product = b.apply(Prim::Mul, &[sum, x[1]]);
            let top = b.fold(Fold::Max, product);
            b.apply(Prim::Sub, &[product, top])
        };
        let typed = |precision| lower(&program(2, precision, &chain), &[DType::F16; 2]).unwrap();
        assert_eq!(narrow(&typed(Precision::Stepwise)), 4);
        assert_eq!(narrow(&typed(Precision::Stored)), 1);
        assert_eq!(typed(Precision::Stored).outputs[0].dtype, DType::F16);
    }

    #[test]
    fn types_are_those_of_steps() {
        use DType::{BF16, F16, F32, F64, I32};
        let chain = |b: &mut Builder, x: &[NodeId]| {
            let half = b.constant(Scalar::Float(0.5));
            let scaled = b.apply(Prim::Mul, &[x[0], half]);
            let sum = b.apply(Prim::Add, &[scaled, x[1]]);
            b.like(sum, x[0])
        };
        let sum = |b: &mut Builder, x: &[NodeId]| b.apply(Prim::Add, &[x[0], x[1]]);
        for types in [
            [F16, F16],
            [BF16, F16],
            [BF16, F32],
            [F16, F64],
            [BF16, I32],
        ] {
            let builds: [Build<'_>; 2] = [&chain, &sum];
            for build in builds {
                let of = |precision| {
                    lower(&program(2, precision, build), &types)
                        .unwrap()
                        .outputs[0]
                        .dtype
                };
                assert_eq!(of(Precision::Stored), of(Precision::Stepwise), "{types:?}");
            }
        }
    }

    #[test]
    fn a_conversion_rounds_and_goes_on_as_float32() {
        let chain = |b: &mut Builder, x: &[NodeId]| {
            let sum = b.apply(Prim::Add, &[x[0], x[0]]);
            let rounded = b.cast(DType::BF16, sum);
            b.apply(Prim::Mul, &[rounded, x[0]])
        };
        for precision in [Precision::Stored, Precision::Wide] {
            let typed = lower(&program(1, precision, &chain), &[DType::BF16]).unwrap();
            assert_eq!(narrow(&typed), 2, "{precision:?}");
        }
    }
}
