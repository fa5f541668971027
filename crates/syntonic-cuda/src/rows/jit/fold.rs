//! How PTX folds values: the type in which a thread accumulates a few, and the type in which all are joined. Sums and
//! products of floats are joined in double precision; a sum first adds at most 64 values in the type itself, pairwise.

use syntonic_core::DType;
use syntonic_core::fuse::Fold;

/// The type of the joined accumulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Accumulator {
    /// The sum or product of floats of this type, in double precision.
    Real(DType),
    /// The sum or product of integers or truth values, in 64 bits.
    Whole(DType),
    /// The minimum or maximum of this type.
    Extreme(DType),
    /// Whether any or all values of this type are non-zero.
    Truth(DType),
}

use Accumulator::{Extreme, Real, Truth, Whole};

impl Accumulator {
    /// The accumulator of a fold of `from` whose result is `to`; nothing where no kernel has it.
    pub(crate) fn of(fold: Fold, from: DType, to: DType) -> Option<Accumulator> {
        let float = matches!(from, DType::F32 | DType::F64);
        let whole = matches!(from, DType::Bool | DType::I32 | DType::I64);
        match fold {
            Fold::Sum | Fold::Prod if float && to == from => Some(Real(from)),
            Fold::Sum | Fold::Prod if whole && to == DType::I64 => Some(Whole(from)),
            Fold::Min | Fold::Max if (float || whole) && !from.is_bool() && to == from => {
                Some(Extreme(from))
            }
            Fold::Any | Fold::All if (float || whole) && to.is_bool() => Some(Truth(from)),
            _ => None,
        }
    }

    /// Whether it is 64 bits wide.
    pub(crate) fn is_wide(self) -> bool {
        match self {
            Real(_) | Whole(_) => true,
            Extreme(dtype) => dtype.size() == 8,
            Truth(_) => false,
        }
    }

    /// The type of its registers.
    pub(crate) fn register(self) -> &'static str {
        if self.is_wide() { "b64" } else { "b32" }
    }

    /// The type in which a thread accumulates a few values.
    pub(crate) fn run(self, fold: Fold) -> Run {
        match self {
            Real(DType::F32) if fold == Fold::Sum => Run::F32,
            Real(_) => Run::F64,
            Whole(_) => Run::I64,
            Extreme(DType::F32) => Run::F32,
            Extreme(DType::F64) => Run::F64,
            Extreme(DType::I64) => Run::I64,
            Extreme(_) => Run::I32,
            Truth(_) => Run::Truth,
        }
    }

    /// The instructions that convert a value `x` to a folded one, `to`.
    pub(crate) fn taken(self, fold: Fold, x: &str, to: &str) -> String {
        match self {
            Real(DType::F32) if fold == Fold::Prod => format!("cvt.f64.f32 {to}, {x};"),
            Whole(DType::I32) => format!("cvt.s64.s32 {to}, {x};"),
            Whole(DType::Bool) => format!("cvt.s64.u32 {to}, {x};"),
            Truth(dtype) => {
                let zero = match dtype {
                    DType::F32 => "setp.neu.f32 holds, X, 0f00000000;",
                    DType::F64 => "setp.neu.f64 holds, X, 0d0000000000000000;",
                    DType::I64 => "setp.ne.s64 holds, X, 0;",
                    _ => "setp.ne.s32 holds, X, 0;",
                };
                format!("{}\nselp.b32 {to}, 1, 0, holds;", zero.replace('X', x))
            }
            _ if self.run(fold).is_wide() => format!("mov.b64 {to}, {x};"),
            _ => format!("mov.b32 {to}, {x};"),
        }
    }

    /// The instruction that converts a thread's run `run` to the joined type.
    pub(crate) fn gathered(self, fold: Fold, run: &str, to: &str) -> String {
        match (self, self.run(fold)) {
            (Real(_), Run::F32) => format!("cvt.f64.f32 {to}, {run};"),
            _ => format!("mov.{} {to}, {run};", self.register()),
        }
    }

    /// The instruction that converts the joined value to the result `to`.
    pub(crate) fn finished(self, joined: &str, to: &str) -> String {
        match self {
            Real(DType::F32) => format!("cvt.rn.f32.f64 {to}, {joined};"),
            _ => format!("mov.{} {to}, {joined};", self.register()),
        }
    }

    /// The type in which two joined values are folded.
    pub(crate) fn joined(self, fold: Fold) -> Run {
        match self {
            Real(_) => Run::F64,
            _ => self.run(fold),
        }
    }
}

/// The type of folded values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Run {
    F32,
    F64,
    I32,
    I64,
    Truth,
}

impl Run {
    pub(crate) fn is_wide(self) -> bool {
        matches!(self, Run::F64 | Run::I64)
    }

    pub(crate) fn register(self) -> &'static str {
        if self.is_wide() { "b64" } else { "b32" }
    }

    /// The bits of the fold's identity.
    pub(crate) fn nothing(self, fold: Fold) -> String {
        let bits: u64 = match (fold, self) {
            (Fold::Prod, Run::F64) => 1f64.to_bits(),
            (Fold::Prod, _) | (Fold::All, _) => 1,
            (Fold::Min, Run::F32) => u64::from(f32::INFINITY.to_bits()),
            (Fold::Max, Run::F32) => u64::from(f32::NEG_INFINITY.to_bits()),
            (Fold::Min, Run::F64) => f64::INFINITY.to_bits(),
            (Fold::Max, Run::F64) => f64::NEG_INFINITY.to_bits(),
            (Fold::Min, Run::I32) => i32::MAX as u64,
            (Fold::Max, Run::I32) => u64::from(i32::MIN as u32),
            (Fold::Min, _) => i64::MAX as u64,
            (Fold::Max, _) => i64::MIN as u64,
            _ => 0,
        };
        format!("{bits:#x}")
    }

    /// The instructions that fold `a` and `b` into `to`, a third register.
    pub(crate) fn fold(self, fold: Fold, [to, a, b]: [&str; 3], capability: (u32, u32)) -> String {
        let kind = match self {
            Run::F32 => "f32",
            Run::F64 => "f64",
            Run::I32 => "s32",
            Run::I64 => "s64",
            Run::Truth => "b32",
        };
        match (fold, self) {
            (Fold::Any, _) => format!("or.b32 {to}, {a}, {b};"),
            (Fold::All, _) => format!("and.b32 {to}, {a}, {b};"),
            (Fold::Sum, Run::F32 | Run::F64) => format!("add.rn.{kind} {to}, {a}, {b};"),
            (Fold::Prod, Run::F32 | Run::F64) => format!("mul.rn.{kind} {to}, {a}, {b};"),
            (Fold::Sum, _) => format!("add.{kind} {to}, {a}, {b};"),
            (Fold::Prod, _) => format!("mul.lo.{kind} {to}, {a}, {b};"),
            (Fold::Min, Run::I32 | Run::I64) => format!("min.{kind} {to}, {a}, {b};"),
            (_, Run::I32 | Run::I64) => format!("max.{kind} {to}, {a}, {b};"),
            (Fold::Min, Run::F32) if capability >= (8, 0) => format!("min.NaN.f32 {to}, {a}, {b};"),
            (_, Run::F32) if capability >= (8, 0) => format!("max.NaN.f32 {to}, {a}, {b};"),
            _ => {
                let better = if fold == Fold::Min { "lt" } else { "gt" };
                format!(
                    "setp.{better}.{kind} holds, {b}, {a};\nsetp.nan.{kind} other, {b}, {b};\n\
                     or.pred holds, holds, other;\nselp.{} {to}, {b}, {a}, holds;",
                    self.register()
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_have_the_types_of_folds_in_memory() {
        let of = Accumulator::of;
        assert_eq!(
            of(Fold::Sum, DType::F32, DType::F32),
            Some(Real(DType::F32))
        );
        assert_eq!(
            of(Fold::Sum, DType::Bool, DType::I64),
            Some(Whole(DType::Bool))
        );
        assert_eq!(
            of(Fold::Any, DType::F64, DType::Bool),
            Some(Truth(DType::F64))
        );
        for (fold, from, to) in [
            (Fold::ArgMax, DType::F32, DType::I64),
            (Fold::Sum, DType::C64, DType::C64),
            (Fold::Sum, DType::U8, DType::U64),
            (Fold::Max, DType::Bool, DType::Bool),
        ] {
            assert_eq!(of(fold, from, to), None, "{fold:?} of {from}");
        }
    }

    #[test]
    fn sums_of_floats_run_in_their_type_and_are_joined_in_double() {
        let sum = Real(DType::F32);
        assert_eq!(
            (sum.run(Fold::Sum), sum.joined(Fold::Sum)),
            (Run::F32, Run::F64)
        );
        assert_eq!((sum.run(Fold::Prod), sum.register()), (Run::F64, "b64"));
        assert_eq!(Run::F64.nothing(Fold::Prod), "0x3ff0000000000000");
        assert_eq!(Run::I32.nothing(Fold::Max), "0x80000000");
    }

    #[test]
    fn older_cards_compare() {
        let text = |card| Run::F32.fold(Fold::Max, ["c", "a", "b"], card);
        assert_eq!(text((8, 0)), "max.NaN.f32 c, a, b;");
        assert!(text((7, 5)).contains("setp.gt.f32 holds, b, a;"));
    }
}
