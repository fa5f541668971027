//! Types that a program is not defined for.

use super::program::Program;
use crate::device::DeviceId;
use crate::dtype::DType;
use crate::error::{Error, Operand, Operands, way_out};
use crate::float8;
use std::borrow::Cow;

/// The primitive or fold `name` is not defined for these types.
pub(super) fn refuse(name: &'static str, dtypes: &[DType]) -> Error {
    if dtypes.iter().any(|d| d.is_stored()) {
        return float8::refuse(name, operands(dtypes));
    }
    Error::DType {
        op: name,
        operands: operands(dtypes),
        hint: format!("{} to a type it accepts", way_out::CONVERT),
    }
}

/// Types of storage are no types of a program: a cast to or from one is a program over its bytes.
pub(super) fn refuse_stored(program: &Program, dtypes: &[DType]) -> Error {
    let op = match program.name {
        Cow::Borrowed(name) => name,
        Cow::Owned(_) => "run",
    };
    float8::refuse(op, operands(dtypes))
}

/// Operands of which the types are all that is known.
fn operands(dtypes: &[DType]) -> Operands {
    let operand = |&dtype: &DType| Operand {
        dtype,
        shape: Vec::new(),
        device: DeviceId::Cpu,
    };
    Operands(dtypes.iter().map(operand).collect())
}
