//! The key of a JIT kernel: a form, the kinds of its operands, and how it is spread over a GPU.

use crate::codegen::Schedule;
use crate::codegen::form::Form;
use crate::codegen::parts::Part;
use crate::jit;
use crate::plan::straight::{INPUTS, Kind, OUTPUTS, Straight};
use std::collections::BTreeSet;
use syntonic_core::DType;

/// Texts of more values take too long to assemble.
const VALUES: usize = 160;
/// With more values times elements per thread, a thread serves one vector only.
const UNROLLED: usize = 384;

/// The key of a JIT kernel.
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
    /// Elements per vector of 16 bytes of the widest operand or result.
    pub(crate) lanes: usize,
    /// Vectors per thread.
    pub(crate) vectors: usize,
    /// Threads per block.
    pub(crate) threads: usize,
}

impl Spread {
    /// Elements per block.
    pub(crate) fn elements(self) -> usize {
        self.lanes * self.vectors * self.threads
    }
}

impl Program {
    /// True if it is the program of this form over these operands.
    pub(super) fn is(&self, form: &Form, operands: &Straight) -> bool {
        self.form == *form && self.kinds.iter().copied().eq(operands.kinds())
    }

    /// A hash that is the same for equal programs.
    pub(super) fn fingerprint(&self) -> u64 {
        fingerprint(&self.form, self.kinds.iter().copied())
    }

    /// The kernel's name.
    pub(super) fn name(&self) -> String {
        format!("made_{:016x}", self.fingerprint())
    }

    /// How its kernel is spread: like kernels compiled ahead of time, within the text length that assembles quickly.
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

    /// The parts of its kernel; nothing where some operation has none, or where there is nothing to compute.
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
