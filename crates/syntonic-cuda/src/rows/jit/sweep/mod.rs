//! Sweeps: one round of folds over operands in any layout, in one reading.
//!
//! Any set of axes may be folded. Threads side by side lie along the axis where most bytes are neighbours: they share rows, or each has
//! rows of its own. Where there are too few rows to fill the card, blocks fold parts of them, and the last block of each group of rows
//! joins the parts (a two-phase reduction). The order of a sum depends on formula, layout and card only.

mod join;
mod layout;
mod params;
mod smallest;
mod steps;
mod text;

pub(super) use join::{shared, told};
pub(super) use layout::{Reach, Side};
pub(super) use steps::sharing;
pub(super) use text::{write, write_part};

use super::body::WARP;
use super::formula::{Formula, Leaf, Number, Output};
use super::kernel::Kernel;
use super::params::{NUMBERS, OPERANDS};
use super::{Schedule, VALUES, number_bits};
use crate::block_counters::BLOCK_COUNTERS;
use crate::context::{Blocks, Context, Geometry};
use crate::modules::function::Function;
use crate::walk::{AXES, Divisor32};
use layout::Layout;
use params::Params;
pub(super) use params::place;
use syntonic_core::fuse::{Task, Yield};
use syntonic_core::{DType, Result, Scalar};

/// Threads per block.
pub(super) const THREADS: usize = 256;
/// The fewest items per thread in a part of a row.
const WORTH: usize = 8;
/// Values times elements of a thread at most: more make a text that takes long to assemble.
const UNROLLED: usize = 512;
/// Totals of a thread at most: each is in double precision.
const TOTALS: usize = 16;
/// Items of a thread at least, before more threads share a row.
const ITEMS: usize = 4;
/// Threads that share a row at most, where an operand's neighbours are those of other rows.
const TURNED: usize = 16;
/// Neighbouring rows, or vectors of them, that a block of short rows has at least, where there are as many.
const BESIDE: usize = 8;
/// Threads that fill a multiprocessor.
const RESIDENT: usize = 2048;

/// A schedule, with all that its text depends on besides the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Sweep {
    pub(super) side: Side,
    /// Elements per vector.
    pub(super) lanes: usize,
    /// Items in flight per thread.
    pub(super) vectors: usize,
    /// Threads of a block that share rows, a power of two.
    pub(super) team: usize,
    /// Resident blocks per multiprocessor.
    pub(super) at_once: usize,
    /// Kept axes.
    pub(super) kept: u8,
    /// Folded axes.
    pub(super) folded: u8,
    /// How many of the smallest elements of a row are its result; 0 where folds are.
    pub(super) smallest: u8,
    /// How every operand and result lies.
    pub(super) reach: [Reach; OPERANDS],
}

impl Sweep {
    /// Neighbouring rows of a thread.
    fn rows_of_thread(self) -> usize {
        match self.side {
            Side::Kept => self.lanes,
            Side::Folded => 1,
        }
    }
}

/// The launch of a sweep, but for its addresses and numbers.
pub(super) struct Launch {
    function: Function,
    params: Params,
    /// Bytes from where each operand and result is to where its walk begins.
    offsets: Vec<i64>,
    numbers: Vec<Number>,
    /// Elements of a row.
    count: usize,
    groups: usize,
    parts: usize,
    /// Bytes of partial values.
    scratch: usize,
}

impl Launch {
    /// The sweep of a task, if its formula and layout suit one. Waits until its kernel is assembled.
    pub(super) fn of(context: &Context, task: &Task<'_>) -> Result<Option<Launch>> {
        let Some(plan) = Plan::of(task, context.limits().multiprocessors as usize) else {
            return Ok(None);
        };
        let Some(function) = plan.kernel(task).function(context)? else {
            return Ok(None);
        };
        let begins = plan.layout.addresses.iter().zip(task.slots());
        Ok(Some(Launch {
            function,
            params: plan.params(),
            offsets: begins
                .map(|(&begin, slot)| begin.wrapping_sub(slot.address as u64) as i64)
                .collect(),
            count: task.row.iter().product(),
            groups: plan.groups,
            parts: plan.parts,
            scratch: plan.scratch(),
            numbers: plan.numbers,
        }))
    }

    /// Launches it over operands and results at these addresses.
    ///
    /// # Safety
    /// As [`syntonic_core::Device::run`] with a task like the one it is of, with these numbers, and operands and results at these
    /// addresses.
    pub(super) unsafe fn start(
        &self,
        context: &Context,
        addresses: impl Iterator<Item = u64>,
        numbers: &[Scalar],
    ) -> Result<()> {
        let mut params = self.params;
        let begins = addresses.zip(&self.offsets);
        for (to, (address, &offset)) in params.addresses.iter_mut().zip(begins) {
            *to = address.wrapping_add_signed(offset);
        }
        for (to, &number) in params.numbers.iter_mut().zip(&self.numbers) {
            *to = number_bits(number, numbers, self.count);
        }
        let memory = match self.parts {
            1 => None,
            _ => Some((context.scratch(self.scratch)?, context.block_counters()?)),
        };
        if let Some((scratch, block_counters)) = &memory {
            (params.scratch, params.block_counters) = (scratch.address(), block_counters.address());
        }
        let geometry = Geometry::line((self.groups * self.parts) as u64, THREADS as u32);
        // SAFETY: sweeps take this parameter, and the caller vouches for the memory.
        unsafe { context.launch_blocks(&self.function, geometry, Blocks::Apart, &params) }
    }
}

/// How a task is swept.
pub(super) struct Plan {
    formula: Formula,
    sweep: Sweep,
    numbers: Vec<Number>,
    layout: Layout,
    /// Rows, or vectors of neighbouring rows.
    units: usize,
    /// Vectors of a row, or its elements.
    items: usize,
    /// Groups of rows: a block, or several with parts of them, has one.
    groups: usize,
    parts: usize,
    /// Items of a part.
    chunk: usize,
}

impl Plan {
    /// The plan of a task, for a card with so many multiprocessors.
    pub(super) fn of(task: &Task<'_>, processors: usize) -> Option<Plan> {
        Plan::keeping(task, None, processors).filter(|plan| plan.formula.rounds > 0)
    }

    /// The plan of a task that may fold nothing, and keeps the `smallest` elements of each row, if it does; its output has no step along the
    /// row then.
    pub(super) fn keeping(
        task: &Task<'_>,
        smallest: Option<usize>,
        processors: usize,
    ) -> Option<Plan> {
        let operands = task.inputs.len() + task.outputs.len();
        let axes = task.outer.iter().chain(&task.row);
        if operands > OPERANDS || axes.clone().any(|&n| n == 0) {
            return None;
        }
        let varies = |k: u16| {
            let steps = task.row.iter().zip(&task.inputs[usize::from(k)].row);
            steps.into_iter().any(|(&n, &s)| n > 1 && s != 0)
        };
        let (mut formula, numbers) = Formula::of_any(task.program, varies)?;
        if let Some(k) = smallest {
            let [output] = &mut formula.outputs[..] else {
                return None;
            };
            // One list a row is written.
            output.role = Yield::RowScalar;
            let of = output.value;
            let dtype = formula.dtype(of);
            let whole = matches!(dtype, DType::F32 | DType::F64) && formula.is_lane(of);
            if !whole || !(1..=smallest::MOST).contains(&k) || !formula.folds.is_empty() {
                return None;
            }
        }
        let values = formula.form.values.len();
        let is_early = |o: &Output| match o.role {
            Yield::Element => formula.ready[o.value as usize] == 0,
            Yield::RowScalar => true,
            Yield::RowSum => false,
        };
        let fits = values <= VALUES
            && numbers.len() <= NUMBERS
            && formula.rounds <= 1
            && formula.outputs.iter().all(is_early);
        if !fits {
            return None;
        }
        let dtypes: Vec<DType> = (task.program.inputs.iter().copied())
            .chain(task.program.outputs.iter().map(|o| o.dtype))
            .collect();
        let most = (UNROLLED / values.max(1)).max(1);
        let beside = smallest.map(|_| Side::Folded);
        let mut layout = Layout::of(task, &dtypes, most, beside)?;
        if layout.side == Side::Kept && layout.lanes * formula.folds.len() > TOTALS {
            layout = Layout::of(task, &dtypes, (TOTALS / formula.folds.len()).max(1), None)?;
        }
        let lanes = layout.lanes;
        let (kept, folded) = (layout.kept.len(), layout.folded.len());
        let (units, items) = match layout.side {
            Side::Kept => (kept / lanes, folded),
            Side::Folded => (kept, folded / lanes),
        };
        let lane = |o: u16| {
            formula
                .leaves
                .iter()
                .any(|&(k, leaf)| leaf == Leaf::Operand(o) && formula.is_lane(k))
        };
        let in_memory = |o: &u16| !formula.is_index(usize::from(*o));
        let read = (0..task.inputs.len() as u16).filter(in_memory);
        let read = read.filter(|&o| lane(o)).count();
        let wide = if lanes == 1 { 2 } else { 1 };
        let vectors = match read {
            0 | 1 => 4 * wide,
            2 | 3 => 2 * wide,
            _ => wide,
        };
        let vectors = vectors.min((UNROLLED / (values * lanes).max(1)).max(1));
        let enough = processors * RESIDENT;
        let team = match layout.side {
            Side::Kept => {
                let mut beside = units.next_power_of_two().min(WARP);
                // Of short rows no block takes parts: more threads share one instead, as long as neighbours fill a sector.
                let is_short = |beside: usize| items < 2 * WORTH * (THREADS / beside);
                while beside > BESIDE && is_short(beside) && 2 * units * (THREADS / beside) < enough
                {
                    beside /= 2;
                }
                THREADS / beside
            }
            Side::Folded => {
                // Of what is turned, a block reads whole sectors.
                let most = match smallest {
                    // Lists are merged within a warp.
                    Some(_) => WARP,
                    None if layout.is_turned => TURNED,
                    None => THREADS,
                };
                let least = items.next_power_of_two().min(4);
                let mut team = items.div_ceil(ITEMS).next_power_of_two().clamp(least, most);
                while team < most && team < items && units * team < enough {
                    team *= 2;
                }
                team
            }
        };
        let at_once = if values * lanes * vectors > 128 { 2 } else { 4 };
        let groups = units.div_ceil(THREADS / team);
        let spread = (2 * at_once * processors).div_ceil(groups);
        let most = (items / (WORTH * team)).min(spread).max(1);
        let whole = smallest.is_some() || groups > BLOCK_COUNTERS;
        let parts = if whole { 1 } else { most };
        // Whole turns of the team, so that its reads stay as they are aligned.
        let chunk = items.div_ceil(parts).next_multiple_of(team);
        let parts = items.div_ceil(chunk);
        if groups.checked_mul(parts)? >= 1 << 31 {
            return None;
        }
        let sweep = Sweep {
            side: layout.side,
            lanes,
            vectors,
            team,
            at_once,
            kept: layout.kept.dims.len() as u8,
            folded: layout.folded.dims.len() as u8,
            smallest: smallest.unwrap_or(0) as u8,
            reach: layout.reach,
        };
        Some(Plan {
            formula,
            sweep,
            numbers,
            layout,
            units,
            items,
            groups,
            parts,
            chunk,
        })
    }

    /// The kernel of the task that it is the plan of.
    pub(super) fn kernel(&self, task: &Task<'_>) -> Kernel {
        Kernel {
            formula: self.formula.clone(),
            schedule: Schedule::Sweep(self.sweep),
            inputs: task.inputs.len(),
            axes: 0,
        }
    }

    pub(super) fn formula(&self) -> &Formula {
        &self.formula
    }

    pub(super) fn sweep(&self) -> Sweep {
        self.sweep
    }

    /// Blocks that it is spread over.
    pub(super) fn blocks(&self) -> usize {
        self.groups * self.parts
    }

    /// Block counters that it takes.
    pub(super) fn counters(&self) -> usize {
        match self.parts {
            1 => 0,
            _ => self.groups,
        }
    }

    /// The words of its parameter: numbers are those of the program, and addresses those where the walk of each operand begins.
    pub(super) fn words(&self, count: usize) -> Vec<u64> {
        let mut params = self.params();
        for (to, &address) in params.addresses.iter_mut().zip(&self.layout.addresses) {
            *to = address;
        }
        for (to, &number) in params.numbers.iter_mut().zip(&self.numbers) {
            *to = number_bits(number, &[], count);
        }
        params.words()
    }

    /// Bytes of partial values.
    pub(super) fn scratch(&self) -> usize {
        let rows = self.sweep.rows_of_thread();
        let block = self.formula.folds.len() * rows * (THREADS / self.sweep.team);
        8 * block * self.groups * self.parts
    }

    /// The parameter but for addresses and numbers.
    fn params(&self) -> Params {
        let Layout {
            kept,
            folded,
            lanes,
            side,
            ..
        } = &self.layout;
        let mut params = Params {
            units: self.units as u32,
            items: self.items as u32,
            chunk: self.chunk as u32,
            parts: Divisor32::new(self.parts as u32),
            scratch: 0,
            block_counters: 0,
            addresses: [0; OPERANDS],
            numbers: [[0; 2]; NUMBERS],
            lengths: [Divisor32::default(); 2 * AXES],
            strides: [[0; 2 * AXES]; OPERANDS],
        };
        for (from, space) in [(0, kept), (AXES, folded)] {
            for (a, &n) in space.dims.iter().rev().enumerate() {
                let vectors = a == 0 && (*side == Side::Kept) == (from == 0);
                let n = if vectors { n / lanes } else { n };
                params.lengths[from + a] = Divisor32::new(n as u32);
            }
            for (to, strides) in params.strides.iter_mut().zip(&space.strides) {
                for (to, &stride) in to[from..].iter_mut().zip(strides.iter().rev()) {
                    *to = stride as i32;
                }
            }
        }
        params
    }
}
