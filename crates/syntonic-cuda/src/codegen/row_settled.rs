//! Programs whose first pass finds a scale for the sums of the second. The scale guards against overflow and underflow, and
//! in range the results do not depend on it: then one reading does both passes.

use super::row_text::{Text, short_type};
use super::rows::RowProgram;
use syntonic_core::DType;
use syntonic_core::fuse::{Fold, Level, Op, Prim, Yield};

/// A program's scaled sums.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Scaled {
    /// The largest magnitude.
    top: u32,
    /// The divisor of magnitudes: the largest, or 1 where that is 0.
    scale: u32,
    /// The folds of the second pass.
    sums: Vec<u32>,
}

impl RowProgram<'_> {
    /// True where one reading may do both passes.
    pub(super) fn settles(&self) -> bool {
        self.scaled().is_some()
    }

    /// The scale of sums over elements relative to their largest magnitude, if no output depends on it.
    fn scaled(&self) -> Option<Scaled> {
        let passes = self.passes();
        let [first, second] = &passes[..] else {
            return None;
        };
        let [(top, Fold::Max, size)] = first[..] else {
            return None;
        };
        let float = matches!(self.node(top).dtype, DType::F32 | DType::F64);
        if !float || !self.folds_alone() || second.iter().any(|f| f.1 != Fold::Sum) {
            return None;
        }
        let nodes = &self.typed().nodes;
        let scale = (0..nodes.len() as u32).find(|&k| self.is_top_or_one(k, top))?;
        let mut degrees = Degrees {
            program: *self,
            scale,
            size,
            of: Vec::new(),
        };
        for k in 0..nodes.len() as u32 {
            let degree = degrees.degree(k);
            degrees.of.push(degree);
        }
        let free = |output: &u32| degrees.of[*output as usize] == Some(0);
        let outputs = &self.typed().outputs;
        let all = outputs
            .iter()
            .all(|o| o.role == Yield::RowScalar && free(&o.node));
        (all && self.divisors().contains(&scale)).then(|| Scaled {
            top,
            scale,
            sums: second.iter().map(|f| f.0).collect(),
        })
    }

    /// True if `k` is `top` where that is more than 0, and 1 elsewhere.
    fn is_top_or_one(&self, k: u32, top: u32) -> bool {
        let Op::Apply(Prim::Select, [some, of, other]) = self.node(k).op else {
            return false;
        };
        let Op::Apply(Prim::Gt, [left, right, _]) = self.node(some).op else {
            return false;
        };
        of == top && left == top && self.is_constant(right, 0.0) && self.is_constant(other, 1.0)
    }
}

/// The power of the scale by which each value grows without it; nothing where it is no such product.
struct Degrees<'a> {
    program: RowProgram<'a>,
    scale: u32,
    size: u32,
    of: Vec<Option<u32>>,
}

impl Degrees<'_> {
    fn degree(&self, k: u32) -> Option<u32> {
        let of = |k: u32| self.of[k as usize];
        let node = self.program.node(k);
        match node.op {
            Op::Input(_) | Op::Param(_) | Op::Const(_) | Op::Count => Some(0),
            // The largest magnitude serves the scale alone.
            Op::Fold(Fold::Max, _) => None,
            Op::Fold(_, value) | Op::Cast(value) => of(value),
            Op::Apply(Prim::Div, [size, scale, _]) if (size, scale) == (self.size, self.scale) => {
                Some(1)
            }
            Op::Apply(Prim::Square, [x, ..]) => of(x).map(|d| 2 * d),
            Op::Apply(Prim::Mul, [a, b, _]) => Some(of(a)? + of(b)?),
            Op::Apply(Prim::Div, [a, b, _]) => of(a)?.checked_sub(of(b)?),
            Op::Apply(prim, args) => {
                let plain = args[..prim.arity()].iter().all(|&a| of(a) == Some(0));
                plain.then_some(0).or_else(|| self.kept_from_zero(k))
            }
        }
    }

    /// The degree of a sum that is replaced by 1 where it is 0: then all that it divides is 0, too.
    fn kept_from_zero(&self, k: u32) -> Option<u32> {
        let Op::Apply(Prim::Select, [none, one, sum]) = self.program.node(k).op else {
            return None;
        };
        let Op::Apply(Prim::Eq, [left, right, _]) = self.program.node(none).op else {
            return None;
        };
        let (program, level) = (self.program, self.program.node(k).level);
        let kept = level != Level::Lane
            && left == sum
            && program.is_constant(right, 0.0)
            && program.is_constant(one, 1.0);
        kept.then(|| self.of[sum as usize]).flatten()
    }
}

impl Text<'_> {
    /// Emits the single-reading variant of such a program.
    pub(super) fn settled(&mut self) {
        let Some(Scaled { top, scale, sums }) = self.program.scaled() else {
            return;
        };
        let kind = short_type(self.program.node(top).dtype);
        let sums: Vec<String> = sums.iter().map(|k| format!("v{k}")).collect();
        self.line(1, format!("using Settles = {kind};"));
        self.line(1, "__device__ __forceinline__ void unscaled() {");
        self.line(2, format!("v{scale} = {kind}(1);"));
        self.line(2, format!("d{scale}.set(v{scale});"));
        self.line(1, "}");
        let sums = sums.join(", ");
        self.line(1, format!("__device__ __forceinline__ bool settles() const {{ return RowSettled<{kind}>{{v{top}}}.by({sums}); }}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codegen::row_kernels::kernel;
    use syntonic_core::fuse::{Builder, Precision, Role, Typed, lower};

    /// sum(w (|x|/m)^2), over sum((|x|/m)^2) or as it is, where m is the largest |x|.
    fn energy(ratio: bool) -> Typed {
        let mut b = Builder::new();
        let (x, w) = (b.input("x", Role::Element), b.input("w", Role::Row));
        let size = b.apply(Prim::Abs, &[x]);
        let top = b.fold(Fold::Max, size);
        let (zero, one) = (b.constant(0.0), b.constant(1.0));
        let some = b.apply(Prim::Gt, &[top, zero]);
        let scale = b.apply(Prim::Select, &[some, top, one]);
        let q = b.apply(Prim::Div, &[size, scale]);
        let square = b.apply(Prim::Square, &[q]);
        let part = b.apply(Prim::Mul, &[square, w]);
        let (all, part) = (b.fold(Fold::Sum, square), b.fold(Fold::Sum, part));
        let none = b.apply(Prim::Eq, &[all, zero]);
        let divisor = b.apply(Prim::Select, &[none, one, all]);
        let share = b.apply(Prim::Div, &[part, divisor]);
        b.output(if ratio { share } else { part }, Yield::RowScalar);
        lower(&b.finish("energy", Precision::Wide), &[DType::F64; 2]).unwrap()
    }

    #[test]
    fn a_scale_that_cancels_is_left_out() {
        let share = energy(true);
        let text = kernel("share", RowProgram::of(&share).unwrap());
        assert!(text.contains("using Settles = double;"), "{text}");
        assert!(text.contains("}.by("), "{text}");
    }

    #[test]
    fn a_warp_has_a_row_whose_scale_hardly_matters() {
        let held = |program: &Typed| {
            let program = RowProgram::of(program).unwrap();
            (program.holds_deep(), program.held(), program.held_blocks())
        };
        assert_eq!(held(&energy(true)), (true, 8, (640, 1)));
        assert!(!held(&energy(false)).0);
    }

    #[test]
    fn a_scale_that_comes_out_stays() {
        let part = energy(false);
        let program = RowProgram::of(&part).unwrap();
        assert!(program.folds_alone() && program.scaled().is_none());
        assert!(!kernel("part", program).contains("Settles"));
    }
}
