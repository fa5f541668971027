//! Programs with folds that have a compiled kernel of their own: one launch, every operand read once.

use super::arrange::take_axis;
use super::known::Kernel;
use super::params::{Operand, Params, PassesParams, REGIONS};
use super::passes::{self, Waves};
use super::run::packed;
use super::shape::{DeviceLimits, Rows, Schedule, Shape};
use super::sums::{MOST, Partials};
use super::{across, cluster, column_ring, few, parts, ring, stream};
use crate::context::Blocks;
use crate::context::Geometry;
use crate::plan::{Carrier, Launch, Pass, Words};
use crate::walk::{Divisor32, Space};
use syntonic_core::fuse::Task;
use syntonic_core::{Result, Scalar};

/// The fewest vectors of a piece of a row that is launched as a row, where nothing is folded.
const PIECE: usize = 64;
/// A task as its kernel sees it.
struct Fused<'a> {
    kernel: &'a Kernel,
    task: &'a Task<'a>,
    outer: Space,
    inner: usize,
    steps: Vec<isize>,
    segment: Space,
    numbers: [f64; 4],
}

/// How the rows are spread, and the launches.
struct Placed<'a> {
    shape: Shape,
    pass: Pass<'a>,
}

/// Runs the task by its own kernel, if that suits the layout; says whether it did.
///
/// # Safety
/// As [`syntonic_core::Device::run`].
pub(super) unsafe fn run<C: Carrier>(
    carrier: &C,
    task: &Task<'_>,
    kernel: &Kernel,
) -> Result<bool> {
    let Some(fused) = Fused::new(kernel, task) else {
        return Ok(false);
    };
    let Some(placed) = fused.placed(carrier)? else {
        return Ok(false);
    };
    macro_rules! launch {
        ($($k:literal)*) => {
            match kernel.varies.len() {
                // SAFETY: the caller's promise.
                $($k => unsafe { fused.launch::<_, $k>(carrier, &placed) },)*
                _ => return Ok(false),
            }
        };
    }
    launch!(2 3 4 5 6 7 8)?;
    Ok(true)
}

impl<'a> Fused<'a> {
    fn new(kernel: &'a Kernel, task: &'a Task<'a>) -> Option<Fused<'a>> {
        let over_outer: Vec<&[isize]> = task.slots().map(|s| &s.outer[..]).collect();
        let over_row: Vec<&[isize]> = task.slots().map(|s| &s.row[..]).collect();
        let outer = Space::new(&task.outer, &over_outer);
        let row = Space::new(&task.row, &over_row);
        let (inner, steps, segment) = take_axis(&row, row.dims.len() - 1);
        let cut = kernel.maps_elements && inner >= PIECE * kernel.lanes;
        let pieces = cut.then(|| segment.times(&outer));
        let (outer, segment) = match pieces.filter(|p| p.dims.len() <= 2) {
            Some(pieces) => (pieces, Space::point(steps.len())),
            None => (outer, segment),
        };
        let mut numbers = [0.0; 4];
        for (to, number) in numbers.iter_mut().zip(task.params) {
            *to = plain(*number)?;
        }
        let narrow = |s: &isize| i32::try_from(*s).is_ok();
        let walked = outer.dims.len() <= 2
            && segment.dims.len() <= 1
            && segment.strides.iter().all(|s| s.iter().all(narrow));
        let some = outer.len() > 0 && row.len() > 0 && kernel.regions.len() <= REGIONS;
        let short = outer.len() < 1 << 30 && row.len() < 1 << 30;
        (walked && some && short && adds_up(kernel, task)).then_some(Fused {
            kernel,
            task,
            outer,
            inner,
            steps,
            segment,
            numbers,
        })
    }

    fn length(&self) -> usize {
        self.inner * self.segment.len()
    }

    /// How the rows are spread on a card. Asks the driver how many large clusters are co-resident, where the shape has them.
    fn placed<C: Carrier>(&self, card: &C) -> Result<Option<Placed<'a>>> {
        let mut limits = DeviceLimits::of(card.limits());
        loop {
            let Some(mut shape) = self.shape(limits) else {
                return Ok(None);
            };
            if shape.schedule == Schedule::Cluster {
                let at_once = card.clusters(&self.first(shape), shape.blocks as u32)?;
                if at_once == 0 {
                    // Part of a card may not fit a cluster of this size.
                    limits.widest = shape.blocks / 2;
                    continue;
                }
                shape.grid = shape.grid.min(at_once as usize * shape.blocks);
            }
            let pass = self.pass(shape);
            return Ok(Some(Placed { shape, pass }));
        }
    }

    /// The launch of the program's kernel.
    fn first(&self, shape: Shape) -> Launch<'a> {
        let blocks = match shape.schedule {
            Schedule::Parts | Schedule::Columns | Schedule::Passes | Schedule::SinglePasses => {
                Blocks::Apart
            }
            Schedule::Ring | Schedule::ColumnRing => Blocks::Together,
            _ => Blocks::Clusters(shape.blocks as u32),
        };
        let (family, entry) = (self.kernel.family, self.kernel.entry(shape.schedule));
        Launch {
            blocks,
            ..Launch::apart(family, entry, geometry(shape))
        }
    }

    /// The launches of a shape.
    fn pass(&self, shape: Shape) -> Pass<'a> {
        let alone = Pass::alone(self.first(shape));
        let (scratch, words) = match shape.schedule {
            Schedule::Passes | Schedule::SinglePasses => {
                let bytes = passes::bytes(self.kernel, shape, self.outer.len());
                (bytes, Words::BlockCounters)
            }
            Schedule::Parts | Schedule::Columns => {
                (parts::bytes(self.kernel, shape), Words::BlockCounters)
            }
            Schedule::Ring | Schedule::ColumnRing => (0, Words::Mailbox),
            _ => match self.partials(shape) {
                Some(partials) => {
                    return Pass {
                        scratch: partials.bytes(),
                        join: Some(partials.joined()),
                        ..alone
                    };
                }
                None => return alone,
            },
        };
        Pass {
            scratch,
            words,
            ..alone
        }
    }

    /// The partial sums per block, of programs with sums over rows.
    fn partials(&self, shape: Shape) -> Option<Partials> {
        let sums = &self.kernel.sums;
        let (_, size) = sums.first()?;
        Some(Partials {
            sums: sums.len(),
            groups: shape.grid / shape.blocks,
            length: self.length(),
            size: *size,
        })
    }

    /// # Safety
    /// An earlier launch in the stream writes the partial sums from `from` on.
    unsafe fn finish_sums<C: Carrier>(
        &self,
        carrier: &C,
        launch: &Launch<'_>,
        (partials, from): (Partials, u64),
    ) -> Result<()> {
        let outputs = self.kernel.sums.iter().map(|sum| sum.0);
        let to: Vec<u64> = outputs
            .clone()
            .map(|o| self.task.outputs[o].address as u64)
            .collect();
        let mut dtypes = outputs.map(|o| self.task.program.outputs[o].dtype);
        // SAFETY: the caller's promise.
        dtypes.next().map_or(Ok(()), |dtype| unsafe {
            partials.join(carrier, launch, (from, &to), dtype)
        })
    }

    /// Operands, after the first, that every row shares.
    fn shared(&self) -> u32 {
        let varies = &self.kernel.varies;
        let shared = |k: &usize| varies[*k] && self.outer.repeats(*k) && self.outer.len() > 1;
        let inputs = (0..self.task.inputs.len()).filter(|&k| k != self.kernel.first_input);
        inputs.filter(shared).fold(0, |bits, k| bits | 1 << k)
    }

    /// Shared operands that are read through the cache.
    fn direct(&self) -> u32 {
        self.shared() & !self.kernel.replaced
    }

    /// Operands that no bulk copy loads, as a bit mask.
    fn aside(&self) -> u32 {
        stream::aside(self.kernel, self.shared())
    }

    /// Bytes per element in the rings.
    fn ring(&self) -> usize {
        let direct = self.direct();
        let held = self.kernel.regions.iter().enumerate();
        held.filter(|(k, _)| direct >> k & 1 == 0)
            .map(|(_, size)| size)
            .sum()
    }

    /// How the rows are spread; nothing where they do not fit, or where another schedule is better.
    fn shape(&self, limits: DeviceLimits) -> Option<Shape> {
        let across = self.is_strided();
        let rows = Rows {
            rows: self.outer.len(),
            length: self.length(),
            run: self.inner,
            bytes: self.ring(),
            vectors: match across {
                false => self.reads_vectors(),
                true => self.reads_columns(),
            },
        };
        if !across {
            let stream = || stream::shape(self.kernel, rows, self.shared(), limits);
            let streams = self.begins_in_whole_copies().then(stream).flatten();
            let shape = streams.or_else(|| Shape::of(self.kernel, rows, limits))?;
            let held = few::shape(self.kernel, rows, shape, limits);
            if let Some(few) = held.filter(|_| self.lies_near()) {
                return Some(few);
            }
            let stays = shape.schedule == Schedule::Parts && self.begins_in_whole_copies();
            let cluster = || cluster::shape(self.kernel, rows, self.aside(), limits);
            let ring = || ring::shape(self.kernel, rows, self.aside(), limits);
            let once = || cluster().or_else(ring);
            stays.then(once).flatten().or(Some(shape))
        } else if self.neighbours_are_rows() {
            let held = || across::shape(self.kernel, rows, limits);
            let held = across::walks(&self.steps).then(held).flatten();
            held.or_else(|| column_ring::shape(self.kernel, rows, limits))
                .or_else(|| Shape::across(self.kernel, rows, limits))
        } else {
            None
        }
    }

    /// # Safety
    /// As [`run`]; the program has `K` operands.
    unsafe fn launch<C: Carrier, const K: usize>(
        &self,
        carrier: &C,
        placed: &Placed<'_>,
    ) -> Result<()> {
        let (shape, pass) = (placed.shape, &placed.pass);
        let memory = carrier.pass_memory(pass)?;
        let mut rows = self.params::<K>(shape);
        if matches!(shape.schedule, Schedule::Passes | Schedule::SinglePasses) {
            rows.partial = memory.scratch();
            let params = PassesParams {
                rows,
                waves: Waves::new(memory.words(), shape, self.outer.len()),
            };
            // SAFETY: the parameter is the entry's; the rest is the caller's promise.
            return unsafe { carrier.start(&pass.launch, &params) };
        }
        match shape.schedule {
            Schedule::Parts | Schedule::Columns => {
                (rows.partial, rows.counters) = (memory.scratch(), memory.words());
            }
            Schedule::Ring | Schedule::ColumnRing => rows.partial = memory.words(),
            _ => {}
        }
        let sums = pass.join.as_ref().zip(self.partials(shape));
        if let Some((_, partials)) = sums {
            for (k, (output, _)) in self.kernel.sums.iter().enumerate() {
                let operand = &mut rows.operand[self.task.inputs.len() + output];
                operand.address = partials.address(memory.scratch(), k);
            }
        }
        // SAFETY: the parameter is the entry's; the rest is the caller's promise. The launch writes the partial sums, which are
        // added up into outputs of the caller's.
        unsafe {
            carrier.start(&pass.launch, &rows)?;
            match sums {
                Some((launch, partials)) => {
                    self.finish_sums(carrier, launch, (partials, memory.scratch()))
                }
                None => Ok(()),
            }
        }
    }

    /// True if 32-bit signed offsets reach every element of the rows.
    fn lies_near(&self) -> bool {
        let varies = &self.kernel.varies;
        let near = |k: usize| {
            let runs = self.segment.dims.iter().zip(&self.segment.strides[k]);
            let apart = runs.map(|(n, s)| (n - 1).saturating_mul(s.unsigned_abs()));
            apart.fold(self.inner, usize::saturating_add) < 1 << 31
        };
        (0..varies.len()).filter(|&k| varies[k]).all(near)
    }

    /// True if some operand has a smaller stride along a kept axis than along the row.
    fn is_strided(&self) -> bool {
        let varies = &self.kernel.varies;
        (0..varies.len()).filter(|&k| varies[k]).any(|k| {
            let axes = self.outer.dims.iter().zip(&self.outer.strides[k]);
            let mut closest = axes
                .filter(|(n, s)| **n > 1 && **s != 0)
                .map(|(_, s)| s.unsigned_abs());
            let step = self.steps[k].unsigned_abs();
            step > 1 && closest.any(|s| s < step)
        })
    }

    /// True if every operand that varies with both is contiguous from row to row, so that a warp may read many rows.
    fn neighbours_are_rows(&self) -> bool {
        let varies = &self.kernel.varies;
        let beside = |k: usize| {
            let step = self.outer.strides[k].last().map_or(0, |s| s.unsigned_abs());
            step == 1 || self.outer.repeats(k)
        };
        (0..varies.len()).filter(|&k| varies[k]).all(beside)
    }

    /// True if every operand that varies along the row can be read by whole vectors.
    fn reads_vectors(&self) -> bool {
        let lanes = self.kernel.lanes;
        let (varies, dtypes) = (&self.kernel.varies, &self.kernel.dtypes);
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

    /// True if every operand that varies along the row can be read by vectors of neighbouring rows.
    fn reads_columns(&self) -> bool {
        let Some(columns) = &self.kernel.columns else {
            return false;
        };
        let lanes = columns.form.lanes;
        let (varies, dtypes) = (&self.kernel.varies, &self.kernel.dtypes);
        let whole = |s: &isize| s.unsigned_abs().is_multiple_of(lanes);
        let fits = |k: usize| {
            let address = self.task.slot(k).address as usize;
            let aligned = address.is_multiple_of(lanes * dtypes[k].size());
            let (beside, beyond) = match self.outer.strides[k].split_last() {
                Some((beside, beyond)) => (*beside == 1, beyond.iter().all(whole)),
                None => (false, false),
            };
            let walks = whole(&self.steps[k]) && self.segment.strides[k].iter().all(whole);
            let shared = self.kernel.shares_others
                && k < self.task.inputs.len()
                && k != self.kernel.first_input;
            match shared {
                true => self.outer.repeats(k),
                false => aligned && beside && beyond && walks,
            }
        };
        let inner = self.outer.dims.last().copied().unwrap_or(1);
        inner.is_multiple_of(lanes) && (0..varies.len()).filter(|&k| varies[k]).all(fits)
    }

    /// The operands without a region of shared memory, as a bit mask; the offsets of the other regions; and where they end.
    fn places(&self, shape: Shape) -> (u32, [u32; REGIONS], usize) {
        let mut region = [0; REGIONS];
        if let Schedule::Stream(_) = shape.schedule {
            let aside = self.aside();
            let (places, end) = stream::regions(self.kernel, shape, aside);
            region[..places.len()].copy_from_slice(&places);
            return (aside, region, end as usize);
        }
        if matches!(shape.schedule, Schedule::Ring | Schedule::Cluster) {
            let aside = self.aside();
            let slot = ring::regions(self.kernel, shape, aside, &mut region);
            return (aside, region, shape.chunk * slot);
        }
        if shape.schedule == Schedule::ColumnRing {
            let slot = column_ring::regions(self.kernel, shape, &mut region);
            return (0, region, shape.ahead * slot);
        }
        let direct = self.direct();
        let mut at = 0;
        for (k, size) in self.kernel.regions.iter().enumerate() {
            region[k] = at as u32;
            if direct >> k & 1 == 0 && shape.schedule.shares() {
                at += size * shape.lanes * shape.block * shape.turns;
            }
        }
        (direct, region, at)
    }

    /// True if rows of every operand are aligned for a bulk copy.
    fn begins_in_whole_copies(&self) -> bool {
        let whole = |k: usize| {
            let (address, size) = (
                self.task.slot(k).address as usize,
                self.kernel.dtypes[k].size(),
            );
            let mut steps = self.outer.strides[k].iter();
            address.is_multiple_of(stream::BULK)
                && steps.all(|s| (s.unsigned_abs() * size).is_multiple_of(stream::BULK))
        };
        let varies = &self.kernel.varies;
        let inputs = 0..self.task.inputs.len();
        inputs.filter(|&k| varies[k]).all(whole)
    }

    fn params<const K: usize>(&self, shape: Shape) -> Params<K> {
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
        let (direct, region, at) = self.places(shape);
        Params {
            rows: self.outer.len() as u32,
            length: self.length() as u32,
            threads: shape.threads as u32,
            blocks: shape.blocks as u32,
            across: shape.across as u32,
            turns: shape.turns as u32,
            chunk: shape.chunk as u32,
            direct,
            vectors: (self.length() / shape.lanes) as u32,
            exchange: at as u32,
            inner: Divisor32::new(self.outer.dims.last().map_or(1, |&n| n as u32)),
            run: Divisor32::new((self.inner / shape.lanes) as u32),
            region,
            operand,
            number: self.numbers,
            single: self.numbers.map(|number| number as f32),
            partial: 0,
            counters: 0,
            parts: Divisor32::new(shape.blocks as u32),
            ahead: shape.ahead as u32,
        }
    }
}

/// The geometry of a shape. Multi-pass kernels declare their shared memory statically.
fn geometry(shape: Shape) -> Geometry {
    Geometry {
        shared: shape.shared as u32,
        ..Geometry::line(shape.grid as u64, shape.block as u32)
    }
}

/// True if the sums over rows, if any, have the layout that one kernel writes and one type.
fn adds_up(kernel: &Kernel, task: &Task<'_>) -> bool {
    let dtype = |k: usize| task.program.outputs[kernel.sums[k].0].dtype;
    let same = |k: usize| kernel.sums[k].1 == kernel.sums[0].1 && dtype(k) == dtype(0);
    let lies = |k: usize| task.outputs[kernel.sums[k].0].row == packed(&task.row, 1);
    kernel.sums.len() <= MOST && (0..kernel.sums.len()).all(|k| same(k) && lies(k))
}

/// A run-time number that a double represents exactly.
fn plain(number: Scalar) -> Option<f64> {
    match number {
        Scalar::Float(x) => Some(x),
        Scalar::Int(i) if i.unsigned_abs() < 1 << 53 => Some(i as f64),
        Scalar::Bool(b) => Some(f64::from(u8::from(b))),
        _ => None,
    }
}
