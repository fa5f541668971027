//! Programs with folds that have a kernel of their own: one launch, every operand read once.

use super::arrange::take_axis;
use super::run::packed;
use super::sums::{MOST, Partials};
use crate::codegen::RowProgram;
use crate::context::{Context, Geometry};
use crate::images::has_entry;
use crate::walk::{Divisor32, Space};
use syntonic_core::fuse::Task;
use syntonic_core::{Result, Scalar};

/// Inputs and kept values that have a place in shared memory.
const REGIONS: usize = 12;
/// The most threads of a block.
const MOST_THREADS: usize = 512;
/// Threads of a block that has several rows.
const BLOCK: usize = 128;
/// Threads of a multiprocessor that the kernels' registers leave room for.
const RESIDENT: usize = 1024;
/// The vectors of a lane where a warp or less has a row, about and at most.
const WARP_TURNS: usize = 8;
/// Bytes of a row that a thread holds where a block has it, about.
const HELD: usize = 256;
/// Bytes of a row in one block, from which on more blocks share it: two such blocks fit a multiprocessor.
const LARGE: usize = 112 << 10;
/// Shared memory that is left to the cache and to the system's own use.
const LEFT: usize = 24 << 10;
/// The most blocks of a row.
const MOST_BLOCKS: usize = 8;

/// Mirrors `RowOperand` of `kernels/include/row_program.cuh`.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
struct Operand {
    address: u64,
    step: i64,
    run: i64,
    rows: [i64; 2],
}

/// Mirrors `RowProgramParams`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Params<const K: usize> {
    rows: u32,
    length: u32,
    threads: u32,
    blocks: u32,
    stages: u32,
    turns: u32,
    direct: u32,
    vectors: u32,
    room: u32,
    inner: Divisor32,
    run: Divisor32,
    region: [u32; REGIONS],
    operand: [Operand; K],
    number: [f64; 4],
}

// The same number stands beside the struct.
const _: () = assert!(size_of::<Params<2>>() == 224);

/// What the GPU offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Offer {
    processors: usize,
    /// Bytes of shared memory that one block may have.
    shared: usize,
    clusters: bool,
}

/// How a program is launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    variant: &'static str,
    /// Elements of a vector.
    lanes: usize,
    /// Of a row in one block.
    threads: usize,
    block: usize,
    /// Of a row.
    blocks: usize,
    /// Vectors of a thread in a row.
    turns: usize,
    /// Rows that a thread has places for.
    stages: usize,
    /// Bytes of shared memory of a block.
    shared: usize,
    /// Blocks in all.
    grid: usize,
}

/// A task as its kernel sees it.
struct Fused<'a> {
    program: RowProgram<'a>,
    task: &'a Task<'a>,
    outer: Space,
    inner: usize,
    steps: Vec<isize>,
    segment: Space,
    numbers: [f64; 4],
    /// Bytes of an element in shared memory, by region.
    regions: Vec<usize>,
}

/// Runs the task by its own kernel, if there is one and it suits the layout; says whether it did.
///
/// # Safety
/// As [`syntonic_core::Device::run`].
pub(super) unsafe fn run(context: &Context, task: &Task<'_>) -> Result<bool> {
    let Some(program) = RowProgram::of(task.program) else {
        return Ok(false);
    };
    let entry = program.entry();
    let Some(fused) = Fused::new(program, task) else {
        return Ok(false);
    };
    let offer = Offer {
        processors: context.multiprocessors() as usize,
        shared: context.shared_limit() as usize,
        clusters: context.capability() >= (9, 0),
    };
    let Some(shape) = fused.shape(offer) else {
        return Ok(false);
    };
    let entry = format!("{entry}_{}", shape.variant);
    let Some(family) = program.families().find(|family| has_entry(family, &entry)) else {
        return Ok(false);
    };
    let partials = fused.partials(context, shape)?;
    macro_rules! launch {
        ($($k:literal)*) => {
            match program.operands() {
                $($k => {
                    let params = fused.params::<$k>(shape, partials.as_ref());
                    let function = context.function(family, &entry)?;
                    let geometry = Geometry {
                        shared: shape.shared as u32,
                        ..Geometry::line(shape.grid as u64, shape.block as u32)
                    };
                    // SAFETY: the parameter is the entry's; the rest is the caller's promise.
                    unsafe { context.launch_clusters(&function, geometry, shape.blocks as u32, &params)? };
                    if let Some(partials) = &partials {
                        // SAFETY: the launch before writes the partial sums; the outputs are the caller's.
                        unsafe { fused.finish_sums(context, partials)? };
                    }
                    Ok(true)
                })*
                _ => Ok(false),
            }
        };
    }
    launch!(2 3 4 5 6 7 8)
}

impl<'a> Fused<'a> {
    fn new(program: RowProgram<'a>, task: &'a Task<'a>) -> Option<Fused<'a>> {
        let over_outer: Vec<&[isize]> = task.slots().map(|s| &s.outer[..]).collect();
        let over_row: Vec<&[isize]> = task.slots().map(|s| &s.row[..]).collect();
        let outer = Space::new(&task.outer, &over_outer);
        let row = Space::new(&task.row, &over_row);
        let (inner, steps, segment) = take_axis(&row, row.dims.len() - 1);
        let mut numbers = [0.0; 4];
        for (to, number) in numbers.iter_mut().zip(task.params) {
            *to = plain(*number)?;
        }
        let regions = program.regions();
        let walked = outer.dims.len() <= 2 && segment.dims.len() <= 1;
        let some = outer.len() > 0 && row.len() > 0 && regions.len() <= REGIONS;
        let sums = program.summed_outputs();
        let dtype = |o: &usize| task.program.outputs[*o].dtype;
        let together = sums.len() <= MOST
            && sums.iter().all(|o| {
                let packed = packed(&task.row, 1) == task.outputs[*o].row;
                packed && dtype(o) == dtype(&sums[0])
            });
        let short = outer.len() < 1 << 30 && row.len() < 1 << 30;
        (walked && some && short && together).then_some(Fused {
            program,
            task,
            outer,
            inner,
            steps,
            segment,
            numbers,
            regions,
        })
    }

    fn length(&self) -> usize {
        self.inner * self.segment.len()
    }

    /// Memory for what each block adds up, where the program has sums over rows.
    fn partials<'c>(&self, context: &'c Context, shape: Shape) -> Result<Option<Partials<'c>>> {
        let sizes = self.program.sum_sizes();
        let Some(size) = sizes.first() else {
            return Ok(None);
        };
        let groups = shape.grid / shape.blocks;
        Partials::new(context, sizes.len(), groups, self.length(), *size).map(Some)
    }

    /// # Safety
    /// The partial sums are written or will be by an earlier launch.
    unsafe fn finish_sums(&self, context: &Context, partials: &Partials<'_>) -> Result<()> {
        let outputs = self.program.summed_outputs();
        let to: Vec<u64> = outputs
            .iter()
            .map(|&o| self.task.outputs[o].address as u64)
            .collect();
        let dtype = self.task.program.outputs[outputs[0]].dtype;
        // SAFETY: the caller's promise.
        unsafe { partials.finish(context, &to, dtype) }
    }

    /// Operands that every row shares, and that are not the first: they stay in the cache.
    fn direct(&self) -> u32 {
        let first = self.program.first_input().unwrap_or(0);
        let varies = self.program.varies();
        let shared = |k: &usize| varies[*k] && self.outer.repeats(*k) && self.outer.len() > 1;
        let inputs = (0..self.task.inputs.len()).filter(|&k| k != usize::from(first));
        let bits = inputs.filter(shared).fold(0, |bits, k| bits | 1 << k);
        bits & !self.program.replaced()
    }

    /// Bytes of an element that the rings hold.
    fn ring(&self) -> usize {
        let direct = self.direct();
        let held = self.regions.iter().enumerate();
        held.filter(|(k, _)| direct >> k & 1 == 0)
            .map(|(_, size)| size)
            .sum()
    }

    /// How the rows are spread; nothing where they do not fit, or where another way is better.
    fn shape(&self, offer: Offer) -> Option<Shape> {
        if self.lies_across() {
            return None;
        }
        let (variant, lanes) = if self.reads_vectors() {
            ("vectors", self.program.lanes())
        } else {
            ("single", 1)
        };
        let vectors = self.length() / lanes;
        let bytes = (self.ring() * lanes).max(1);
        let rows = self.outer.len();
        let mut shape = Shape {
            variant,
            lanes,
            threads: vectors
                .div_ceil(WARP_TURNS)
                .next_power_of_two()
                .clamp(vectors.min(4).next_power_of_two(), 32),
            block: BLOCK,
            blocks: 1,
            turns: 0,
            stages: 1,
            shared: 0,
            grid: 0,
        };
        let turns = vectors.div_ceil(shape.threads);
        let few = rows < offer.processors * 8;
        if turns > WARP_TURNS || (few && vectors > 32) {
            let turns = if few { 2 } else { (HELD / bytes).max(1) };
            let wanted = vectors.div_ceil(turns).next_power_of_two();
            shape.threads = wanted.clamp(32, MOST_THREADS);
            shape.block = if shape.threads == 32 {
                BLOCK
            } else {
                shape.threads
            };
        }
        let room = |shape: &Shape| {
            let warps = shape.blocks * shape.threads / 32;
            if shape.threads <= 32 {
                0
            } else {
                2 * warps * self.program.room()
            }
        };
        // A row that does not fit one block, or that few blocks would have to wait for, takes several.
        let most = offer.shared - 1024;
        loop {
            shape.turns = vectors.div_ceil(shape.threads * shape.blocks);
            let needed = shape.turns * shape.block * bytes + room(&shape);
            let idle = rows * shape.blocks * 2 <= offer.processors && shape.turns > 2;
            let large = needed > LARGE.min(most);
            let more = offer.clusters && shape.threads > 32 && shape.blocks < MOST_BLOCKS;
            if more && (large || idle) {
                shape.blocks *= 2;
                continue;
            }
            if needed > most {
                return None;
            }
            break;
        }
        let room = room(&shape);
        self.fill(&mut shape, offer, bytes, room);
        Some(shape)
    }

    /// As many blocks as are at work at once.
    fn fill(&self, shape: &mut Shape, offer: Offer, bytes: usize, room: usize) {
        let groups = shape.block / shape.threads;
        let items = self.outer.len().div_ceil(groups);
        let wanted = (items * shape.blocks).div_ceil(offer.processors);
        let all = offer.shared - LEFT.min(offer.shared / 4);
        let slot = shape.block * bytes;
        let smallest = shape.turns * slot + room + 1024;
        let resident = (all / smallest)
            .clamp(1, RESIDENT / shape.block)
            .min(wanted.max(1));
        shape.shared = shape.stages * shape.turns * slot + room;
        let clusters = offer.processors * resident / shape.blocks;
        shape.grid = items.min(clusters.max(1)) * shape.blocks;
    }

    /// True if some operand's steps along a kept axis are smaller than along the row.
    fn lies_across(&self) -> bool {
        let varies = self.program.varies();
        (0..varies.len()).filter(|&k| varies[k]).any(|k| {
            let axes = self.outer.dims.iter().zip(&self.outer.strides[k]);
            let mut closest = axes
                .filter(|(n, s)| **n > 1 && **s != 0)
                .map(|(_, s)| s.unsigned_abs());
            let step = self.steps[k].unsigned_abs();
            step > 1 && closest.any(|s| s < step)
        })
    }

    /// True if every operand that varies along the row may be read in whole vectors.
    fn reads_vectors(&self) -> bool {
        let lanes = self.program.lanes();
        let varies = self.program.varies();
        let dtypes = self.program.dtypes();
        let fits = |k: usize| {
            let bytes = (lanes * dtypes[k].size()).min(16);
            let whole = |s: &isize| s.unsigned_abs().is_multiple_of(lanes);
            let address = self.task.slot(k).address as usize;
            let walks = [&self.outer.strides[k], &self.segment.strides[k]];
            let aligned =
                address.is_multiple_of(bytes) && walks.iter().all(|walk| walk.iter().all(whole));
            self.steps[k] == 1 && aligned
        };
        self.inner.is_multiple_of(lanes) && (0..varies.len()).filter(|&k| varies[k]).all(fits)
    }

    fn params<const K: usize>(&self, shape: Shape, partials: Option<&Partials<'_>>) -> Params<K> {
        let mut operand = [Operand::default(); K];
        for (k, to) in operand.iter_mut().enumerate() {
            let mut rows = self.outer.strides[k].iter().rev().map(|&s| s as i64);
            *to = Operand {
                address: self.task.slot(k).address as u64,
                step: self.steps[k] as i64,
                run: self.segment.strides[k].last().map_or(0, |&s| s as i64),
                rows: [rows.next().unwrap_or(0), rows.next().unwrap_or(0)],
            };
        }
        if let Some(partials) = partials {
            for (k, output) in self.program.summed_outputs().into_iter().enumerate() {
                operand[self.task.inputs.len() + output].address = partials.address(k);
            }
        }
        let direct = self.direct();
        let mut region = [0; REGIONS];
        let mut at = 0;
        for (k, size) in self.regions.iter().enumerate() {
            region[k] = at as u32;
            if direct >> k & 1 == 0 {
                at += size * shape.lanes * shape.block * shape.stages * shape.turns;
            }
        }
        Params {
            rows: self.outer.len() as u32,
            length: self.length() as u32,
            threads: shape.threads as u32,
            blocks: shape.blocks as u32,
            stages: shape.stages as u32,
            turns: shape.turns as u32,
            direct,
            vectors: (self.length() / shape.lanes) as u32,
            room: at as u32,
            inner: Divisor32::new(self.outer.dims.last().map_or(1, |&n| n as u32)),
            run: Divisor32::new((self.inner / shape.lanes) as u32),
            region,
            operand,
            number: self.numbers,
        }
    }
}

/// A run-time number that a double holds exactly.
fn plain(number: Scalar) -> Option<f64> {
    match number {
        Scalar::Float(x) => Some(x),
        Scalar::Int(i) if i.unsigned_abs() < 1 << 53 => Some(i as f64),
        Scalar::Bool(b) => Some(f64::from(u8::from(b))),
        _ => None,
    }
}
