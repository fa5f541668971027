//! What a launch has to know of a program, worked out once for each thread: it takes longer than a small launch.

use super::shape::Way;
use super::stream::Streams;
use super::variance::root_of_variance;
use crate::codegen::{Parted, Passing, RowProgram};
use crate::images::has_entry;
use std::cell::RefCell;
use std::rc::Rc;
use syntonic_core::DType;
use syntonic_core::fuse::Typed;

/// How many programs a thread remembers; each is about a kilobyte.
const MOST: usize = 64;

/// A program that was run.
#[derive(Debug)]
pub(super) struct Known {
    program: Typed,
    /// Whether the root is taken, if it is a variance.
    pub(super) root_of_variance: Option<bool>,
    /// Its own kernels, if there are any.
    pub(super) kernel: Option<Kernel>,
}

/// The kernels of a program, and what their launch depends on.
#[derive(Clone, Debug)]
pub(super) struct Kernel {
    pub(super) family: &'static str,
    /// The entry that holds rows in registers, which not every program has.
    pub(super) held_entry: String,
    pub(super) has_held: bool,
    /// The entry that has rows in shared memory and reads whole vectors.
    pub(super) vectors: String,
    /// The entry that reads element by element.
    pub(super) single: String,
    /// The entries for rows in parts, along memory and across it, which not every program has.
    pub(super) parts: Option<PartedKernel>,
    pub(super) columns: Option<PartedKernel>,
    /// The entries for parts that stay in the shared memory of all blocks, and of a cluster; and of all blocks, across memory.
    pub(super) ring: Option<PartedKernel>,
    pub(super) cluster: Option<PartedKernel>,
    pub(super) column_ring: Option<PartedKernel>,
    /// True where that for rows across takes its operands but the first from what all rows share.
    pub(super) shares_others: bool,
    /// The entry that holds rows that lie across in registers, and the elements that a thread has there, which few
    /// programs have.
    pub(super) across: Option<(String, usize)>,
    /// The entry that has a few rows in the registers of clusters, and the vectors that a thread has there.
    pub(super) few: Option<(String, usize)>,
    /// The entries for rows that stream by, which few programs have.
    pub(super) streams: Streams,
    /// The entry for rows that fit no cluster, which not every program has.
    pub(super) passes_entry: String,
    pub(super) has_passes: bool,
    pub(super) passing: Passing,
    /// The one that reads element by element, of programs that only fold.
    pub(super) single_passes: Option<String>,
    /// How often all elements are gone through before they are written.
    pub(super) passes: usize,
    /// Vectors of a row that a thread holds in registers.
    pub(super) held: usize,
    /// True where a warp that has a row is a block of its own.
    pub(super) holds_deep: bool,
    /// True where elements without a place may be read again in each pass.
    pub(super) reads_again: bool,
    /// Elements of a vector.
    pub(super) lanes: usize,
    /// For each operand, the inputs first, whether it varies along the row.
    pub(super) varies: Vec<bool>,
    pub(super) dtypes: Vec<DType>,
    /// Bytes of an element in each region of shared memory.
    pub(super) regions: Vec<usize>,
    /// The outputs that are summed over the rows, and the bytes of an element in which each sum is kept.
    pub(super) sums: Vec<(usize, usize)>,
    /// The first input that varies along the row.
    pub(super) first_input: usize,
    /// Bit k: the place of input `k` is taken by a kept value later on.
    pub(super) replaced: u32,
    /// Bytes in which a warp hands on what its lanes folded.
    pub(super) room: usize,
    /// True where each element comes of itself and of values of its row: a row may be any piece of one.
    pub(super) maps_elements: bool,
}

/// A kernel of rows in parts.
#[derive(Clone, Debug)]
pub(super) struct PartedKernel {
    pub(super) entry: String,
    pub(super) form: Parted,
}

impl PartedKernel {
    fn entry(kernel: &Option<PartedKernel>) -> &str {
        kernel.as_ref().map_or("", |kernel| &kernel.entry)
    }
}

impl Kernel {
    fn of(program: RowProgram<'_>) -> Option<Kernel> {
        let entry = program.entry();
        let name = |variant: &str| format!("{entry}_{variant}");
        let [held_entry, vectors, single] = ["held", "vectors", "single"].map(name);
        let mut families = program.families();
        let family = families.find(|family| has_entry(family, &single))?;
        let folds = program.folds_alone().then(|| name("passes_single"));
        let parted = |variant: &str, form: Option<Parted>| {
            let (entry, form) = (name(variant), form?);
            has_entry(family, &entry).then_some(PartedKernel { entry, form })
        };
        Some(Kernel {
            family,
            has_held: program.holds(),
            held_entry,
            vectors,
            single,
            parts: parted("parts", program.parts()),
            columns: parted("columns", program.columns()),
            ring: parted("ring", program.ring()),
            cluster: parted("cluster", program.cluster()),
            column_ring: parted("column_ring", program.column_ring()),
            shares_others: program.shares_others(),
            across: program
                .across()
                .map(|held| (name("across"), held))
                .filter(|(entry, _)| has_entry(family, entry)),
            few: program
                .few()
                .map(|held| (name("few"), held))
                .filter(|(entry, _)| has_entry(family, entry)),
            streams: Streams::of(program, |entry| has_entry(family, entry)),
            has_passes: program.passes_again() && has_entry(family, &name("passes")),
            passes_entry: name("passes"),
            passing: program.passing(),
            single_passes: folds.filter(|entry| has_entry(family, entry)),
            passes: program.passes().len(),
            held: program.held(),
            holds_deep: program.holds_deep(),
            reads_again: program.reads_again(),
            lanes: program.lanes(),
            varies: program.varies(),
            dtypes: program.dtypes(),
            regions: program.regions(),
            sums: program
                .summed_outputs()
                .into_iter()
                .zip(program.sum_sizes())
                .collect(),
            first_input: usize::from(program.first_input().unwrap_or(0)),
            replaced: program.replaced(),
            room: program.room(),
            maps_elements: program.maps_elements(),
        })
    }

    /// The entry of a way.
    pub(super) fn entry(&self, way: Way) -> &str {
        match way {
            Way::Held => &self.held_entry,
            Way::Shared => &self.vectors,
            Way::Single => &self.single,
            Way::Parts => PartedKernel::entry(&self.parts),
            Way::Columns => PartedKernel::entry(&self.columns),
            Way::Ring => PartedKernel::entry(&self.ring),
            Way::Cluster => PartedKernel::entry(&self.cluster),
            Way::ColumnRing => PartedKernel::entry(&self.column_ring),
            Way::Across => self.across.as_ref().map_or("", |(entry, _)| entry),
            Way::Few => self.few.as_ref().map_or("", |(entry, _)| entry),
            Way::Stream(kind) => self.streams.entry(kind),
            Way::Passes => &self.passes_entry,
            Way::SinglePasses => self.single_passes.as_deref().unwrap_or_default(),
        }
    }
}

thread_local! {
    static KNOWN: RefCell<Vec<Rc<Known>>> = const { RefCell::new(Vec::new()) };
}

/// What is known of a program.
pub(super) fn known(program: &Typed) -> Rc<Known> {
    let found = KNOWN.with_borrow(|known| known.iter().find(|k| k.program == *program).cloned());
    if let Some(found) = found {
        return found;
    }
    let form = RowProgram::of(program);
    let known = Rc::new(Known {
        program: program.clone(),
        root_of_variance: form.and_then(root_of_variance),
        kernel: form.and_then(Kernel::of),
    });
    KNOWN.with_borrow_mut(|all| {
        if all.len() >= MOST {
            all.remove(0);
        }
        all.push(known.clone());
    });
    known
}
