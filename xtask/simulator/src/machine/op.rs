//! The compact form of an instruction.

use super::context::Context;
use crate::ptx::Kind;

/// Runs an instruction for the lanes of `Context::mask`.
///
/// Unsafe to call where `vector::is_supported` says no, and for operands that are no rows of the running code.
pub(crate) type Exec = unsafe fn(&mut Context, &Op);

/// Bit of an operand that says that its row is a constant's.
pub(crate) const POOL: u32 = 1 << 31;
/// An operand that is not there.
pub(crate) const NONE: u32 = u32::MAX;

/// A compact instruction: what runs it, and the rows it works on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Op {
    /// Runs it.
    pub(crate) exec: Exec,
    /// Byte offsets of rows, in the registers or the constants; or plain numbers.
    pub(crate) r: [u32; 6],
    /// A number.
    pub(crate) imm: u64,
}

/// What runs an instruction, and how wide its operands are: results first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    /// Runs it.
    pub(crate) exec: Exec,
    /// Widths of its results, which come first.
    pub(crate) defs: &'static [Kind],
    /// Widths of its sources.
    pub(crate) uses: &'static [Kind],
}
