//! What a made kernel is made for: a form, what its operands are, and how it is spread over a GPU.

use super::super::code::{INPUTS, OUTPUTS};
use super::super::form::Form;
use super::super::straight::{Kind, Straight};
use crate::codegen::Schedule;
use crate::codegen::parts::Part;
use crate::jit;
use std::collections::BTreeSet;
use syntonic_core::DType;

/// More values make a text that takes long to assemble.
const VALUES: usize = 160;
/// More values times elements of a thread do: then a thread serves one vector only.
const UNROLLED: usize = 384;

/// What a kernel is made for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Program {
    /// What it computes.
    pub(crate) form: Form,
    /// What each operand is.
    pub(crate) kinds: Vec<Kind>,
}

/// How a kernel is spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spread {
    /// Elements of a vector of 16 bytes of the widest operand or result.
    pub(crate) lanes: usize,
    /// Vectors of a thread.
    pub(crate) vectors: usize,
    /// Threads of a block.
    pub(crate) threads: usize,
}

impl Spread {
    /// Elements of a block.
    pub(crate) fn elements(self) -> usize {
        self.lanes * self.vectors * self.threads
    }
}

impl Program {
    /// True if it is that of this form over these operands.
    pub(super) fn is(&self, form: &Form, operands: &Straight) -> bool {
        self.form == *form && self.kinds.iter().copied().eq(operands.kinds())
    }

    /// A number that is the same for equal programs.
    pub(super) fn fingerprint(&self) -> u64 {
        fingerprint(&self.form, self.kinds.iter().copied())
    }

    /// The kernel's name.
    pub(super) fn name(&self) -> String {
        format!("made_{:016x}", self.fingerprint())
    }

    /// How its kernel is spread: as those made ahead of time, with no more of a text than assembles quickly.
    pub(crate) fn spread(&self) -> Spread {
        let results = self
            .form
            .outputs
            .iter()
            .map(|&o| self.form.values[o as usize].dtype);
        let read = self.form.leaves().zip(&self.kinds);
        let read = read
            .filter(|(_, kind)| **kind == Kind::Vector)
            .map(|((_, _, d), _)| d);
        let widest = read.chain(results).map(DType::size).max().unwrap_or(16);
        let (lanes, schedule) = (16 / widest, Schedule::of(&self.form));
        let unrolled = self.form.values.len() * lanes * schedule.vectors;
        Spread {
            lanes,
            vectors: if unrolled > UNROLLED {
                1
            } else {
                schedule.vectors
            },
            threads: schedule.threads,
        }
    }

    /// The parts it is put together of; nothing where some operation has none, or where there is none to do.
    pub(super) fn parts(&self) -> Option<BTreeSet<Part>> {
        let form = &self.form;
        let fits = form.values.len() <= VALUES
            && self.kinds.len() <= INPUTS
            && (1..=OUTPUTS).contains(&form.outputs.len())
            && form.values.iter().all(|v| !v.dtype.is_complex());
        if !fits {
            return None;
        }
        let parts = jit::parts(form)?;
        (!parts.is_empty()).then_some(parts)
    }
}

/// As [`Program::fingerprint`].
pub(super) fn fingerprint(form: &Form, kinds: impl Iterator<Item = Kind>) -> u64 {
    let mut hash = form.fingerprint();
    for kind in kinds {
        hash = (hash ^ kind as u64).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash
}
