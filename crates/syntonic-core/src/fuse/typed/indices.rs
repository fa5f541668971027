//! Operands without memory.

use super::{DType, Error, Op, Program, Result, Typed};

/// Which tensor inputs of a program have no memory: the value of such an `int64` at a position is where it lies there, the start of
/// its slot and its strides. Of the first 64 inputs any may be one; all others are in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Indices(u64);

impl Indices {
    /// These inputs, counted without numbers; those from 64 on are left out.
    ///
    /// ```
    /// use syntonic_core::fuse::Indices;
    ///
    /// assert!(Indices::of([0, 2]).has(2) && !Indices::of([0, 2]).has(1));
    /// assert_eq!(Indices::of([64]), Indices::default());
    /// ```
    pub fn of(inputs: impl IntoIterator<Item = usize>) -> Indices {
        let bit = |k: usize| 1u64.checked_shl(u32::try_from(k).unwrap_or(u32::MAX));
        Indices(
            inputs
                .into_iter()
                .filter_map(bit)
                .fold(0, |all, bit| all | bit),
        )
    }

    /// True for an input that has no memory.
    ///
    /// ```
    /// assert!(!syntonic_core::fuse::Indices::default().has(0));
    /// ```
    pub fn has(self, input: usize) -> bool {
        input < 64 && (self.0 >> input) & 1 == 1
    }

    /// How the program comes by an input.
    pub(super) fn op(self, input: u16) -> Op {
        match self.has(usize::from(input)) {
            true => Op::Index(input),
            false => Op::Input(input),
        }
    }
}

/// An error unless all indices are `int64`.
pub(super) fn check(program: &Program, dtypes: &[DType], indices: Indices) -> Result<()> {
    let other = |&(k, dtype): &(usize, &DType)| indices.has(k) && *dtype != DType::I64;
    match dtypes.iter().enumerate().find(other) {
        Some((k, dtype)) => {
            let what = format!("{}: tensor {k} is an index, and {dtype}", program.name);
            Err(Error::value(
                "run",
                format!("{what}; hint: an index is int64"),
            ))
        }
        None => Ok(()),
    }
}

impl Typed {
    /// True for a tensor input that has no memory.
    ///
    /// ```
    /// use syntonic_core::fuse::lower;
    /// use syntonic_core::prelude::*;
    ///
    /// syntonic_core::fuse! { TWICE(x: element) -> (element) { x + x } }
    /// assert!(!lower(&TWICE, &[DType::I64])?.is_index(0));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn is_index(&self, input: usize) -> bool {
        let is_it = |op: Op| matches!(op, Op::Index(k) if usize::from(k) == input);
        self.nodes.iter().any(|node| is_it(node.op))
    }

    /// Which tensor inputs have no memory.
    ///
    /// ```
    /// use syntonic_core::fuse::{Indices, lower};
    /// use syntonic_core::prelude::*;
    ///
    /// syntonic_core::fuse! { TWICE(x: element) -> (element) { x + x } }
    /// assert_eq!(lower(&TWICE, &[DType::I64])?.indices(), Indices::default());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn indices(&self) -> Indices {
        Indices::of(self.nodes.iter().filter_map(|node| match node.op {
            Op::Index(k) => Some(usize::from(k)),
            _ => None,
        }))
    }
}
