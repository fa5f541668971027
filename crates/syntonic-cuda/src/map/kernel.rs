//! A kernel of a map: a form, how its operands lie, and how it is spread over a GPU.

use super::each::{Each, Launched};
use super::schedule::Schedule;
use super::{straight_text, walk_text};
use crate::codegen::form::Form;
use crate::context::Geometry;
use crate::jit;
use crate::plan::straight::{Kind, MADE, OUTPUTS, Straight};
use crate::plan::walked::{Walk, Walked};
use syntonic_core::DType;

/// Texts of more values, or of primitives that take more instructions, take too long to assemble.
const VALUES: usize = 512;
const INSTRUCTIONS: usize = 8192;
/// With more values times elements per thread, a thread serves one vector only.
const UNROLLED: usize = 384;
/// With more values times elements per vector, vectors are shorter.
const LONG: usize = 1280;
/// Elements of a thread that folds all elements of a group, at most 64: so many are added in their own type.
const FOLDED: usize = 32;
/// Threads per block of a kernel over operands in any layout.
pub(super) const THREADS: usize = 256;

/// A kernel: all that its text depends on, besides the card.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Kernel {
    /// What it computes.
    pub(crate) form: Form,
    /// How its operands lie.
    pub(crate) layout: Layout,
    /// How it is spread, which follows from the two.
    spread: Spread,
}

/// How the operands of a kernel lie.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Layout {
    /// In one linear order, one element, or numbers.
    Straight(Vec<Kind>),
    /// Anyhow, over an index space of several axes.
    Walked(Walk),
    /// In one linear order, in each of many groups.
    Each(Each),
}

/// The operands of a launch.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operands<'a> {
    /// In one linear order.
    Straight(&'a Straight),
    /// Anyhow.
    Walked(&'a Walked),
    /// In one linear order, in each of many groups.
    Each(&'a Launched),
}

impl Operands<'_> {
    fn layout(self) -> Layout {
        match self {
            Operands::Straight(straight) => Layout::Straight(straight.kinds().collect()),
            Operands::Walked(walked) => Layout::Walked(walked.walk.clone()),
            Operands::Each(launched) => Layout::Each(launched.each.clone()),
        }
    }

    /// The kernel of a form over these operands.
    pub(crate) fn kernel(self, form: &Form) -> Kernel {
        Kernel::new(form.clone(), self.layout())
    }

    /// As [`Kernel::fingerprint`] of that kernel.
    pub(crate) fn fingerprint(self, form: &Form) -> u64 {
        match self {
            Operands::Straight(straight) => fingerprint(form, straight.kinds().map(|k| k as u64)),
            Operands::Walked(walked) => fingerprint(form, words(&walked.walk)),
            Operands::Each(launched) => fingerprint(form, launched.each.words()),
        }
    }

    /// The blocks and threads of a launch of the kernel of these operands.
    pub(crate) fn geometry(self, kernel: &Kernel) -> Geometry {
        let spread = kernel.spread;
        let (count, elements) = match self {
            Operands::Straight(straight) => (straight.count, spread.elements()),
            Operands::Walked(walked) => (walked.units, spread.threads * spread.vectors),
            Operands::Each(launched) => {
                return Geometry::line(launched.blocks, spread.threads as u32);
            }
        };
        Geometry::line(count.div_ceil(elements) as u64, spread.threads as u32)
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

    /// How it is spread, within the text length that assembles quickly.
    fn of(form: &Form, layout: &Layout) -> Spread {
        let kinds = match layout {
            Layout::Straight(kinds) => kinds,
            Layout::Each(each) => &each.kinds,
            Layout::Walked(walk) => {
                return Spread {
                    lanes: walk.lanes,
                    vectors: walk.vectors,
                    threads: THREADS,
                };
            }
        };
        let results = form.outputs.iter().map(|&o| form.values[o as usize].dtype);
        let read = form.leaves().zip(kinds);
        let read = read
            .filter(|(_, kind)| **kind == Kind::Vector)
            .map(|((_, _, d), _)| d);
        let widest = read.chain(results).map(DType::size).max().unwrap_or(16);
        let (mut lanes, schedule) = (16 / widest, Schedule::of(form));
        while lanes > 2 && form.values.len() * lanes > LONG {
            lanes /= 2;
        }
        // A block of a fold writes once, and looks up once what it is for.
        let vectors = match layout {
            Layout::Each(each) if each.total.is_some() => (FOLDED / lanes).max(schedule.vectors),
            _ => schedule.vectors,
        };
        let unrolled = form.values.len() * lanes * vectors;
        Spread {
            lanes,
            vectors: if unrolled > UNROLLED { 1 } else { vectors },
            threads: schedule.threads,
        }
    }
}

impl Kernel {
    pub(super) fn new(form: Form, layout: Layout) -> Kernel {
        Kernel {
            spread: Spread::of(&form, &layout),
            form,
            layout,
        }
    }

    pub(super) fn spread(&self) -> Spread {
        self.spread
    }

    /// True if it is the kernel of this form over these operands.
    pub(crate) fn is(&self, form: &Form, operands: Operands<'_>) -> bool {
        let same = match (&self.layout, operands) {
            (Layout::Straight(kinds), Operands::Straight(o)) => kinds.iter().copied().eq(o.kinds()),
            (Layout::Walked(walk), Operands::Walked(o)) => *walk == o.walk,
            (Layout::Each(each), Operands::Each(o)) => *each == o.each,
            _ => false,
        };
        same && self.form == *form
    }

    /// A hash that is the same for equal kernels.
    fn fingerprint(&self) -> u64 {
        match &self.layout {
            Layout::Straight(kinds) => fingerprint(&self.form, kinds.iter().map(|&k| k as u64)),
            Layout::Walked(walk) => fingerprint(&self.form, words(walk)),
            Layout::Each(each) => fingerprint(&self.form, each.words()),
        }
    }
}

impl jit::Kernel for Kernel {
    fn name(&self) -> String {
        format!("map_{:016x}", self.fingerprint())
    }

    fn text(&self, capability: (u32, u32)) -> Option<String> {
        match &self.layout {
            Layout::Straight(kinds) => straight_text::text(self, kinds, None, capability),
            Layout::Each(each) => straight_text::text(self, &each.kinds, Some(each), capability),
            Layout::Walked(walk) => walk_text::text(self, walk, capability),
        }
    }
}

/// True for a form that one kernel computes; others are split ([`super::parts`]).
pub(super) fn is_whole(form: &Form) -> bool {
    let leaves = form.leaves().count();
    form.values.len() <= VALUES
        && leaves <= MADE
        && (1..=OUTPUTS).contains(&form.outputs.len())
        && leaves + form.instructions() <= INSTRUCTIONS
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
