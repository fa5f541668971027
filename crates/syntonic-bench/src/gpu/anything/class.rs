//! The kinds of programs that are drawn, a tenth of them each. Whatever is added here later stands behind what is there.

use serde::{Deserialize, Serialize};
use syntonic_core::DType;

/// What a program is drawn to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub enum Class {
    /// Operands without gaps, some repeated along axes.
    Plain,
    /// Every other element, or views that begin where no vector may.
    Strided,
    /// Operands whose fastest axes differ.
    Transposed,
    /// Reductions over the last axis.
    InnerFolds,
    /// Reductions over leading axes or several.
    OtherFolds,
    /// Half types beside masks.
    Halves,
    /// Complex numbers.
    Complex,
    /// Integers, with division.
    Integers,
    /// Gradients of means, of all operands.
    Gradients,
    /// One to four megabytes.
    Small,
}

impl Class {
    /// Every class.
    pub const ALL: [Class; 10] = [
        Class::Plain,
        Class::Strided,
        Class::Transposed,
        Class::InnerFolds,
        Class::OtherFolds,
        Class::Halves,
        Class::Complex,
        Class::Integers,
        Class::Gradients,
        Class::Small,
    ];

    /// Element types of the operands that are numbers.
    pub(super) fn dtypes(self) -> &'static [DType] {
        const FLOATS: [DType; 4] = [DType::F32, DType::BF16, DType::F16, DType::F64];
        match self {
            Class::Halves => &[DType::BF16, DType::F16],
            Class::Complex => &[DType::C64, DType::C128],
            Class::Integers => &[DType::I32, DType::I64],
            _ => &FLOATS,
        }
    }

    /// Reductions at least and at most.
    pub(super) fn folds(self) -> (usize, usize) {
        match self {
            Class::Plain | Class::Strided | Class::Transposed => (0, 0),
            Class::InnerFolds | Class::OtherFolds => (1, 3),
            Class::Halves | Class::Complex | Class::Integers | Class::Gradients => (0, 1),
            Class::Small => (0, 2),
        }
    }

    /// Bytes of the largest operand at least and at most.
    pub(super) fn bytes(self) -> (f64, f64) {
        const MIB: f64 = (1 << 20) as f64;
        match self {
            Class::Small => (MIB, 4.0 * MIB),
            _ => (4.0 * MIB, 512.0 * MIB),
        }
    }
}
