//! Comparisons of integers that no type holds together.

use super::{Lowering, Value};
use crate::dtype::{DType, Kind};
use crate::fuse::Prim;
use crate::scalar::Scalar;

impl Lowering<'_> {
    /// A comparison of unsigned 64-bit integers with signed ones, which no type holds together: exact, by the sign of the latter and
    /// then as unsigned numbers.
    pub(super) fn whole_comparison(&mut self, prim: Prim, values: &[Value]) -> Option<Value> {
        let &[Value::Node(a), Value::Node(b)] = values else {
            return None;
        };
        let kind = |id: u32| {
            let dtype = self.nodes[id as usize].dtype;
            (dtype == DType::U64, dtype.kind() == Kind::Signed)
        };
        let (unsigned, signed, prim) = match (kind(a), kind(b)) {
            ((true, _), (_, true)) => (a, b, prim),
            ((_, true), (true, _)) => (b, a, prim.mirrored()?),
            _ => return None,
        };
        // A negative number is smaller, and different.
        let (sign, join) = match prim {
            Prim::Eq | Prim::Lt | Prim::Le => (Prim::Ge, Prim::And),
            Prim::Ne | Prim::Gt | Prim::Ge => (Prim::Lt, Prim::Or),
            _ => return None,
        };
        let signed = self.cast(signed, DType::I64);
        let zero = self.constant(Scalar::Int(0), DType::I64);
        let sign = self.primitive(sign, &[signed, zero]);
        let wrapped = self.cast(signed, DType::U64);
        let rest = self.primitive(prim, &[unsigned, wrapped]);
        Some(Value::Node(self.primitive(join, &[sign, rest])))
    }
}
