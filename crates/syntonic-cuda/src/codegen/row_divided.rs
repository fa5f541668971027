//! Divisions of many values by one: which of them skip the correction step (`RowDivisor` in `row_program.cuh`).

use super::rows::RowProgram;
use std::collections::BTreeSet;
use syntonic_core::DType;
use syntonic_core::fuse::{Fold, Level, Op, Prim};

impl RowProgram<'_> {
    /// The per-row value by which node `k` divides a per-element value.
    pub(super) fn divisor_of(&self, k: u32) -> Option<u32> {
        let node = self.node(k);
        let float = matches!(node.dtype, DType::F32 | DType::F64);
        match node.op {
            Op::Apply(Prim::Div, [x, by, _]) if float && node.level == Level::Lane => {
                let levels = [x, by].map(|a| self.node(a).level);
                (levels[0] == Level::Lane && levels[1] != Level::Lane).then_some(by)
            }
            _ => None,
        }
    }

    /// Every such value.
    pub(super) fn divisors(&self) -> BTreeSet<u32> {
        let nodes = 0..self.typed().nodes.len() as u32;
        nodes.filter_map(|k| self.divisor_of(k)).collect()
    }

    /// True for a value that only enters sums, by products: a few roundings per term move a sum by no more than a few of the
    /// sum of magnitudes, as adding up does.
    pub(super) fn is_only_summed(&self, k: u32) -> bool {
        use Prim::{Abs, Mul, Neg, Square};
        let typed = self.typed();
        let takes = |t: &u32| match self.node(*t).op {
            Op::Apply(prim, args) => args[..prim.arity()].contains(&k),
            Op::Fold(_, of) | Op::Cast(of) => of == k,
            _ => false,
        };
        let multiplies = |t: u32| match self.node(t).op {
            Op::Apply(Abs | Mul | Neg | Square, _) => self.is_only_summed(t),
            Op::Fold(fold, _) => fold == Fold::Sum,
            _ => false,
        };
        let mut takers = (0..typed.nodes.len() as u32).filter(takes);
        !typed.outputs.iter().any(|output| output.node == k) && takers.all(multiplies)
    }
}

#[cfg(test)]
mod tests {
    use super::super::row_kernels::kernel;
    use super::*;
    use syntonic_core::fuse::{Builder, Precision, Role, Yield, lower};

    #[test]
    fn quotients_that_sums_alone_take_are_not_corrected() {
        for written in [false, true] {
            let mut b = Builder::new();
            let (x, w) = (b.input("x", Role::Element), b.input("w", Role::Row));
            let m = b.fold(Fold::Max, x);
            let part = b.apply(Prim::Div, &[x, m]);
            let energy = b.apply(Prim::Square, &[part]);
            let weighted = b.apply(Prim::Mul, &[energy, w]);
            let (all, some) = (b.fold(Fold::Sum, energy), b.fold(Fold::Sum, weighted));
            let share = b.apply(Prim::Div, &[some, all]);
            b.output(share, Yield::RowScalar);
            if written {
                b.output(energy, Yield::Element);
            }
            let typed = lower(&b.finish("share", Precision::Wide), &[DType::F64; 2]).unwrap();
            let text = kernel("share", RowProgram::of(&typed).unwrap());
            assert_eq!(
                [".near(", ".of("].map(|way| text.contains(way)),
                [!written, written]
            );
            // The sums of a pass are joined together.
            assert_eq!(text.matches("row_joined<Sum<double>>").count(), 1);
        }
    }
}
