//! What a launch needs to know of a program, cached per thread: analysis takes longer than a small launch.

use super::shape::Schedule;
use super::stream::Streams;
use crate::codegen::{Parted, Passing, RowProgram, root_of_variance};
use crate::images::has_entry;
use std::cell::RefCell;
use std::rc::Rc;
use syntonic_core::DType;
use syntonic_core::fuse::Typed;

/// How many programs a thread remembers; each is about a kilobyte.
const MOST: usize = 64;

/// A program that has run.
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
    /// The entry with register-resident rows, if any.
    pub(super) held_entry: String,
    pub(super) has_held: bool,
    /// The entry with rows in shared memory and vectorised loads.
    pub(super) vectors: String,
    /// The entry with scalar loads.
    pub(super) single: String,
    /// The entries of the two-phase reduction, for contiguous and for strided rows, if any.
    pub(super) parts: Option<PartedKernel>,
    pub(super) columns: Option<PartedKernel>,
    /// The entries of the shared-memory rings: of all blocks, of a cluster, and of all blocks for strided rows.
    pub(super) ring: Option<PartedKernel>,
    pub(super) cluster: Option<PartedKernel>,
    pub(super) column_ring: Option<PartedKernel>,
    /// True where the strided ring's operands, but the first, are shared by all rows.
    pub(super) shares_others: bool,
    /// The entry of the strided reduction with register-resident rows, and its elements per thread, if any.
    pub(super) across: Option<(String, usize)>,
    /// The entry for few rows in the registers of clusters, and its vectors per thread.
    pub(super) few: Option<(String, usize)>,
    /// The entries for streaming rows (TMA bulk-copy pipeline), if any.
    pub(super) streams: Streams,
    /// The entry of the multi-pass grid reduction, for rows that fit no cluster, if any.
    pub(super) passes_entry: String,
    pub(super) has_passes: bool,
    pub(super) passing: Passing,
    /// The multi-pass entry with scalar loads, of programs that only fold.
    pub(super) single_passes: Option<String>,
    /// Passes over all elements before they are written.
    pub(super) passes: usize,
    /// Vectors of a row that a thread holds in registers.
    pub(super) held: usize,
    /// True where a warp that owns a row is a block of its own.
    pub(super) holds_deep: bool,
    /// True where each pass may reload elements that shared memory does not hold.
    pub(super) reads_again: bool,
    /// Elements per vector.
    pub(super) lanes: usize,
    /// For each operand, the inputs first, whether it varies along the row.
    pub(super) varies: Vec<bool>,
    pub(super) dtypes: Vec<DType>,
    /// Bytes per element of each region of shared memory.
    pub(super) regions: Vec<usize>,
    /// The outputs that are summed over the rows, and the bytes per element of each sum.
    pub(super) sums: Vec<(usize, usize)>,
    /// The first input that varies along the row.
    pub(super) first_input: usize,
    /// Bit k: a later value reuses the region of input `k`.
    pub(super) replaced: u32,
    /// Bytes of shared memory through which a warp passes on its partial values.
    pub(super) exchange: usize,
    /// True where each element depends on itself and on values of its row only: any piece of a row may be launched as a row.
    pub(super) maps_elements: bool,
}

/// A kernel that works on parts of rows.
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
            exchange: program.exchange_bytes(),
            maps_elements: program.maps_elements(),
        })
    }

    /// The entry of a schedule.
    pub(super) fn entry(&self, schedule: Schedule) -> &str {
        match schedule {
            Schedule::Held => &self.held_entry,
            Schedule::Shared => &self.vectors,
            Schedule::Single => &self.single,
            Schedule::Parts => PartedKernel::entry(&self.parts),
            Schedule::Columns => PartedKernel::entry(&self.columns),
            Schedule::Ring => PartedKernel::entry(&self.ring),
            Schedule::Cluster => PartedKernel::entry(&self.cluster),
            Schedule::ColumnRing => PartedKernel::entry(&self.column_ring),
            Schedule::Across => self.across.as_ref().map_or("", |(entry, _)| entry),
            Schedule::Few => self.few.as_ref().map_or("", |(entry, _)| entry),
            Schedule::Stream(kind) => self.streams.entry(kind),
            Schedule::Passes => &self.passes_entry,
            Schedule::SinglePasses => self.single_passes.as_deref().unwrap_or_default(),
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
