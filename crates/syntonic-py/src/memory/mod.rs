//! Memory that is shared: with other libraries, and between the views of one State.

pub(crate) mod cuda_array;
pub(crate) mod dlpack;
mod export;
pub(crate) mod foreign;
pub(crate) mod held;
pub(crate) mod launch;
pub(crate) mod made;
pub(crate) mod object;
mod plain;
pub(crate) mod streams;
pub(crate) mod writing;

use syntonic_core::{Error, Tensor};

/// The result of a function that makes something new: a copy where the engine hands back an operand, since values may share
/// memory and arrays that may be written may not.
pub(crate) fn apart(result: Tensor, operands: &[&Tensor]) -> Result<Tensor, Error> {
    match operands.iter().any(|t| result.shares_storage(t)) {
        true => result.copy(),
        false => Ok(result),
    }
}
