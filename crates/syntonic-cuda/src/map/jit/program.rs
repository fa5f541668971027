//! The key of a JIT kernel: a form, how its operands lie, and how it is spread over a GPU.

use crate::codegen::Schedule;
use crate::codegen::form::Form;
use crate::codegen::parts::Part;
use crate::jit;
use crate::plan::straight::{Kind, MADE, OUTPUTS, Straight};
use crate::plan::walked::{Walk, Walked};
use std::collections::BTreeSet;
use syntonic_core::DType;

/// Texts of more values take too long to assemble.
const VALUES: usize = 512;
/// With more values times elements per thread, a thread serves one vector only.
const UNROLLED: usize = 384;
/// With more values times elements per vector, vectors are shorter.
const LONG: usize = 1280;
/// Threads per block of a kernel over operands in any layout.
pub(super) const THREADS: usize = 256;

/// The key of a JIT kernel.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Program {
    /// What it computes.
    pub(crate) form: Form,
    /// How its operands lie.
    pub(crate) layout: Layout,
}

/// How the operands of a kernel lie.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Layout {
    /// In one linear order, one element, or numbers.
    Straight(Vec<Kind>),
    /// Anyhow, over an index space of several axes.
    Walked(Walk),
}

/// The operands of a launch.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operands<'a> {
    /// In one linear order.
    Straight(&'a Straight),
    /// Anyhow.
    Walked(&'a Walked),
}

impl Operands<'_> {
    fn layout(self) -> Layout {
        match self {
            Operands::Straight(straight) => Layout::Straight(straight.kinds().collect()),
            Operands::Walked(walked) => Layout::Walked(walked.walk.clone()),
        }
    }

    /// The key of a form over these operands.
    pub(super) fn program(self, form: &Form) -> Program {
        Program {
            form: form.clone(),
            layout: self.layout(),
        }
    }

    /// As [`Program::fingerprint`] of that key.
    pub(super) fn fingerprint(self, form: &Form) -> u64 {
        match self {
            Operands::Straight(straight) => fingerprint(form, straight.kinds().map(|k| k as u64)),
            Operands::Walked(walked) => fingerprint(form, words(&walked.walk)),
        }
    }
}

/// A walk as numbers, none of which is a [`Kind`] at its first place.
fn words(walk: &Walk) -> impl Iterator<Item = u64> + '_ {
    let reads = walk
        .reads
        .iter()
        .map(|&(access, moves)| (access as u64) << 8 | u64::from(moves));
    let writes = walk.writes.iter().map(|&moves| u64::from(moves));
    let sides = walk.tile.iter();
    let tile = sides.fold(0, |all, s| {
        all << 8 | (s.axis as u64) << 4 | u64::from(s.bits)
    });
    let first = [
        walk.axes as u64,
        walk.lanes as u64,
        walk.vectors as u64,
        tile,
    ]
    .map(|n| n + 64);
    first.into_iter().chain(reads).chain(writes)
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
    pub(super) fn is(&self, form: &Form, operands: Operands<'_>) -> bool {
        let same = match (&self.layout, operands) {
            (Layout::Straight(kinds), Operands::Straight(o)) => kinds.iter().copied().eq(o.kinds()),
            (Layout::Walked(walk), Operands::Walked(o)) => *walk == o.walk,
            _ => false,
        };
        same && self.form == *form
    }

    /// A hash that is the same for equal programs.
    pub(super) fn fingerprint(&self) -> u64 {
        match &self.layout {
            Layout::Straight(kinds) => fingerprint(&self.form, kinds.iter().map(|&k| k as u64)),
            Layout::Walked(walk) => fingerprint(&self.form, words(walk)),
        }
    }

    /// The kernel's name.
    pub(super) fn name(&self) -> String {
        format!("made_{:016x}", self.fingerprint())
    }

    /// How its kernel is spread: like kernels compiled ahead of time, within the text length that assembles quickly.
    pub(crate) fn spread(&self) -> Spread {
        let kinds = match &self.layout {
            Layout::Straight(kinds) => kinds,
            Layout::Walked(walk) => {
                return Spread {
                    lanes: walk.lanes,
                    vectors: walk.vectors,
                    threads: THREADS,
                };
            }
        };
        let results = self
            .form
            .outputs
            .iter()
            .map(|&o| self.form.values[o as usize].dtype);
        let read = self.form.leaves().zip(kinds);
        let read = read
            .filter(|(_, kind)| **kind == Kind::Vector)
            .map(|((_, _, d), _)| d);
        let widest = read.chain(results).map(DType::size).max().unwrap_or(16);
        let (mut lanes, schedule) = (16 / widest, Schedule::of(&self.form));
        while lanes > 2 && self.form.values.len() * lanes > LONG {
            lanes /= 2;
        }
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

    /// The parts of its kernel; nothing where some operation has none, or where elements that lie in order are only moved.
    pub(super) fn parts(&self) -> Option<BTreeSet<Part>> {
        let form = &self.form;
        let fits = form.values.len() <= VALUES
            && form.leaves().count() <= MADE
            && (1..=OUTPUTS).contains(&form.outputs.len());
        if !fits {
            return None;
        }
        let parts = jit::parts(form)?;
        let moved = match &self.layout {
            Layout::Straight(kinds) => kinds.contains(&Kind::Index),
            Layout::Walked(_) => true,
        };
        (moved || !parts.is_empty()).then_some(parts)
    }
}

/// Elements of a thread at most, for the text of a form.
pub(super) fn most_elements(form: &Form) -> usize {
    (UNROLLED / form.values.len().max(1)).max(1)
}

/// The hash of a form and of what its operands are.
fn fingerprint(form: &Form, operands: impl Iterator<Item = u64>) -> u64 {
    let mut hash = form.fingerprint();
    for word in operands {
        hash = (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash
}
