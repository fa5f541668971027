//! Programs without folds: blocks of lanes that stay in the first-level cache.

use super::ahead::Ahead;
use super::code::{Instruction, Step, compile};
use super::parallel::{Work, for_ranges};
use super::scratch::{Scratch, lines};
use super::space::{Run, Space};
use crate::cpu::{lanes, threads};
use crate::error::Result;
use crate::fork::lock;
use crate::fuse::{Slot, Task};
use crate::interrupt::{Interrupted, Pace};
use std::sync::Mutex;

/// Bytes of registers a block may use; the first-level cache also holds the operands' blocks.
const REGISTER_BYTES: usize = 24 << 10;
/// Lanes per block where no register is needed.
const LONGEST: usize = 16384;
/// Blocks before the caller is asked whether to go on. Where operands lie in small pieces, so are blocks, and take longer than
/// an estimate says.
const UNASKED: usize = 32;

/// Operands are asked for ahead where they are of more bytes than a cache holds, and each of them has so many kernels that the processor's
/// own prefetching forgets it meanwhile: a `gelu` of 80 MB takes 31 ms for 34. Elsewhere asking costs up to half of the time.
const AHEAD_BYTES: usize = 32 << 20;
const AHEAD_KERNELS: usize = 4;

/// Where a node's block is found.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// In a register at this byte of the scratch memory.
    Register(usize),
    /// Straight in the memory of an output.
    Output(usize),
}

/// The longest that a program may take which writes over an operand, in tenths of a nanosecond: half a second, in which nobody is asked
/// whether it shall go on.
const LONGEST_UNASKED: usize = 5_000_000_000;

struct Map<'a> {
    task: &'a Task<'a>,
    code: Vec<Instruction>,
    space: Space,
    /// True for nodes that are the same everywhere: computed once per thread.
    uniform: Vec<bool>,
    places: Vec<Place>,
    block: usize,
    scratch: usize,
    /// Nodes whose memory is asked for a block ahead: inputs read in place, outputs written in place.
    streams: Vec<usize>,
}

/// Runs a program without folds.
///
/// # Safety
/// As [`crate::Device::run`].
pub(crate) unsafe fn run(task: &Task<'_>) -> Result<()> {
    let map = Map::new(task)?;
    let reserve = map.reserve()?;
    for_ranges(map.work(), |from, to| {
        let scratch = match lock(&reserve).pop() {
            Some(scratch) => scratch,
            None => Scratch::take(map.scratch)?,
        };
        // SAFETY: ranges are disjoint, so no two threads write the same element; the rest is the
        // caller's promise.
        let scratch = unsafe { map.run_range(from, to, scratch)? };
        if map.is_over() {
            lock(&reserve).push(scratch);
        }
        Ok(())
    })
}

/// As [`crate::Device::overwrites`], of a program without folds.
pub(crate) fn overwrites(task: &Task<'_>) -> bool {
    let Ok(map) = Map::new(task) else {
        return false;
    };
    let Work {
        items,
        tenths_of_ns,
        ..
    } = map.work();
    let time = items.saturating_mul(tenths_of_ns) / threads::count();
    // A result among several may be written before another one is computed from the operand.
    task.outputs.len() == 1 && time <= LONGEST_UNASKED
}

/// As [`run`], on the calling thread.
///
/// # Safety
/// As [`crate::Device::run`].
pub(crate) unsafe fn run_here(task: &Task<'_>) -> Result<()> {
    let map = Map::new(task)?;
    let scratch = Scratch::take(map.scratch)?;
    // SAFETY: the caller's promise.
    unsafe { map.run_range(0, map.space.len(), scratch).map(drop) }
}

impl<'a> Map<'a> {
    fn new(task: &'a Task<'a>) -> Result<Map<'a>> {
        let strides: Vec<&[isize]> = task.slots().map(|s| &s.outer[..]).collect();
        let space = Space::new(&task.outer, &strides);
        let code = compile(task)?;
        let uniform = uniform_nodes(&code, &space);
        let mut map = Map {
            task,
            code,
            space,
            uniform,
            places: Vec::new(),
            block: 0,
            scratch: 0,
            streams: Vec::new(),
        };
        map.assign_places();
        Ok(map)
    }

    fn work(&self) -> Work {
        let cost: usize = self.code.iter().map(|i| i.cost).sum();
        Work {
            items: self.space.len(),
            tenths_of_ns: cost + 2,
            at_least: self.block.max(1024),
        }
    }

    /// True where a result is written over an operand.
    fn is_over(&self) -> bool {
        let inputs = self.task.inputs.iter().enumerate();
        let read = inputs.filter(|(k, _)| !self.task.program.is_index(*k));
        let over = |output: &Slot| {
            read.clone()
                .any(|(_, input)| input.address == output.address)
        };
        self.task.outputs.iter().any(over)
    }

    /// Working memory of every thread, where none may be missing once the first element is written.
    fn reserve(&self) -> Result<Mutex<Vec<Scratch>>> {
        let threads = if self.is_over() { threads::count() } else { 0 };
        // few: a piece for each thread.
        let all: Result<Vec<Scratch>> = (0..threads).map(|_| Scratch::take(self.scratch)).collect();
        Ok(Mutex::new(all?))
    }

    /// Gives every node a register for as long as it is needed; results go straight to the output
    /// where that is contiguous.
    fn assign_places(&mut self) {
        let n = self.code.len();
        let last = self.last_uses();
        let widest = self.code.iter().map(|i| i.size).max().unwrap_or(1);
        let mut free: Vec<usize> = Vec::new();
        let mut registers = 0;
        // few: one for each node.
        let mut slots = vec![usize::MAX; n];
        // few: as many.
        let mut places = vec![Place::Register(0); n];
        for k in 0..n {
            if let Some(o) = self.direct_output(k) {
                places[k] = Place::Output(o);
                self.streams.push(k);
            } else if self.read_in_place(k) {
                self.streams.push(k);
            } else {
                // Uniform values are computed before the first block and stay, so no block may have
                // used their register before.
                let spare = if self.uniform[k] { None } else { free.pop() };
                slots[k] = spare.unwrap_or_else(|| {
                    registers += 1;
                    registers - 1
                });
            }
            if let Step::Kernel(_, args) = self.code[k].step {
                let mut ended: Vec<u32> = args.to_vec();
                ended.dedup();
                for a in ended.into_iter().map(|a| a as usize) {
                    if last[a] == k
                        && slots[a] != usize::MAX
                        && !self.uniform[a]
                        && !free.contains(&slots[a])
                    {
                        free.push(slots[a]);
                    }
                }
            }
        }
        // Whole vectors and whole lines of memory.
        let fits = REGISTER_BYTES / (registers.max(1) * widest) / 64 * 64;
        let makes = |i: &Instruction| matches!(i.step, Step::Index(_));
        self.block = if registers <= 1 && !self.code.iter().any(makes) {
            // One long stream needs no help.
            self.streams.clear();
            LONGEST
        } else {
            fits.clamp(256, 4096)
        }
        .min(self.space.len().max(1));
        let bytes: usize = self.streams.iter().map(|&k| self.code[k].size).sum();
        let kernels = self
            .code
            .iter()
            .filter(|i| matches!(i.step, Step::Kernel(..)));
        if self.space.len().saturating_mul(bytes) < AHEAD_BYTES
            || kernels.count() < AHEAD_KERNELS * self.streams.len()
        {
            self.streams.clear();
        }
        let register_bytes = lines(self.block * widest);
        for k in 0..n {
            if slots[k] != usize::MAX {
                places[k] = Place::Register(slots[k] * register_bytes);
            }
        }
        self.places = places;
        self.scratch = registers * register_bytes;
    }

    /// The last node that reads each node; `usize::MAX` for results, which stay to the end.
    fn last_uses(&self) -> Vec<usize> {
        let mut last = vec![0; self.code.len()];
        for (k, i) in self.code.iter().enumerate() {
            if let Step::Kernel(_, args) = i.step {
                for a in args {
                    last[a as usize] = k;
                }
            }
        }
        for output in &self.task.program.outputs {
            last[output.node as usize] = usize::MAX;
        }
        last
    }

    /// The output a computed node may be written to directly, if no conversion lies between.
    fn direct_output(&self, node: usize) -> Option<usize> {
        if self.uniform[node] || !matches!(self.code[node].step, Step::Kernel(..)) {
            return None;
        }
        let o = self
            .task
            .program
            .outputs
            .iter()
            .position(|o| o.node as usize == node)?;
        let operand = self.task.inputs.len() + o;
        self.contiguous(operand).then_some(o)
    }

    /// True for an input whose every block lies in memory as kernels read it.
    fn read_in_place(&self, node: usize) -> bool {
        match self.code[node].step {
            Step::Input(i) => !self.uniform[node] && self.contiguous(i),
            _ => false,
        }
    }

    /// True if every block of the operand is contiguous.
    fn contiguous(&self, operand: usize) -> bool {
        let whole = self.space.block_end(0, usize::MAX >> 1, self.space.len());
        let null = std::ptr::null_mut();
        self.space.direct(operand, null, 1, 0, whole).is_some()
    }

    /// Computes a range with working memory, which comes back.
    unsafe fn run_range(&self, from: usize, to: usize, mut scratch: Scratch) -> Result<Scratch> {
        let base = scratch.address();
        let mut at = vec![std::ptr::null_mut::<u8>(); self.code.len()];
        let longest = self.block.min(to - from);
        let (mut run, mut next) = (Run::default(), Run::default());
        self.space.enter(&mut run, from);
        for k in 0..self.code.len() {
            if self.uniform[k] {
                // SAFETY: the caller's promise; registers hold a whole block.
                unsafe { self.compute(k, &run, from, longest, base, &mut at) };
            }
        }
        let mut ahead = Ahead::default();
        let mut here = from;
        let (mut blocks, mut pace) = (0, Pace::new(0, UNASKED));
        while here < to {
            if pace.stops(blocks) {
                return Err(Interrupted.into());
            }
            blocks += 1;
            self.space.enter(&mut run, here);
            let end = self.space.block_end_in(&run, here, self.block, to);
            self.look_ahead(&mut next, end, to, &mut ahead);
            for k in 0..self.code.len() {
                if !self.uniform[k] {
                    ahead.ask();
                    // SAFETY: as above.
                    unsafe { self.compute(k, &run, here, end - here, base, &mut at) };
                }
            }
            // SAFETY: as above; every result was just computed.
            unsafe { self.store_outputs(here, end - here, &at) };
            here = end;
        }
        Ok(scratch)
    }

    /// Notes what the block that begins at `next` reads and writes.
    fn look_ahead(&self, run: &mut Run, next: usize, to: usize, ahead: &mut Ahead) {
        if self.streams.is_empty() || next == to {
            return;
        }
        self.space.enter(run, next);
        let n = self.space.block_end_in(run, next, self.block, to) - next;
        let inputs = self.task.inputs.len();
        let spans = self.streams.iter().filter_map(|&k| {
            let operand = match (self.code[k].step, self.places[k]) {
                (Step::Input(i), _) => i,
                (_, Place::Output(o)) => inputs + o,
                _ => return None,
            };
            let (first, size) = (self.task.slot(operand).address, self.code[k].size);
            let at = self.space.direct_in(run, operand, first, size, next, n)?;
            Some((at, n * size))
        });
        let kernels = self.uniform.iter().filter(|&&uniform| !uniform).count();
        ahead.begin(kernels, spans);
    }

    /// Computes node `k` for the block `here..here + n`, which begins in `run`, and notes where it lies.
    unsafe fn compute(
        &self,
        k: usize,
        run: &Run,
        here: usize,
        n: usize,
        base: *mut u8,
        at: &mut [*mut u8],
    ) {
        let size = self.code[k].size;
        let target = match self.places[k] {
            Place::Register(byte) => base.wrapping_add(byte),
            Place::Output(o) => {
                let operand = self.task.inputs.len() + o;
                let first = self.task.outputs[o].address;
                first.wrapping_offset(self.space.offset_in(run, operand, here) * size as isize)
            }
        };
        // SAFETY: registers hold a block, outputs and inputs are live over it, and kernels were
        // chosen for exactly these types.
        unsafe {
            match self.code[k].step {
                Step::Input(i) => {
                    let address = self.task.inputs[i].address;
                    at[k] = match self.space.direct_in(run, i, address, size, here, n) {
                        Some(direct) => direct,
                        None => {
                            self.space.load(i, address, size, here, n, target);
                            target
                        }
                    };
                    return;
                }
                Step::Index(i) => {
                    let first = self.task.inputs[i].address;
                    self.space.index(i, first, here, n, target);
                }
                Step::Number(cell) => lanes::fill(target, cell.0.as_ptr(), size, n),
                Step::Kernel(f, [a, b, c]) => {
                    f(target, at[a as usize], at[b as usize], at[c as usize], n)
                }
                Step::Beside(..) | Step::Fold(..) => {}
            }
        }
        at[k] = target;
    }

    unsafe fn store_outputs(&self, here: usize, n: usize, at: &[*mut u8]) {
        for (o, output) in self.task.program.outputs.iter().enumerate() {
            let node = output.node as usize;
            if matches!(self.places[node], Place::Output(direct) if direct == o) {
                continue;
            }
            let operand = self.task.inputs.len() + o;
            // SAFETY: the output is writable over the block, and the result lies at `at[node]`.
            unsafe {
                self.space.store(
                    operand,
                    self.task.outputs[o].address,
                    self.code[node].size,
                    here,
                    n,
                    at[node],
                )
            };
        }
    }
}

/// Nodes that do not change over the space.
fn uniform_nodes(code: &[Instruction], space: &Space) -> Vec<bool> {
    let mut uniform: Vec<bool> = Vec::with_capacity(code.len());
    for i in code {
        uniform.push(match i.step {
            Step::Input(k) | Step::Index(k) => space.repeats(k),
            Step::Number(_) => true,
            Step::Kernel(_, args) => args.iter().all(|&a| uniform[a as usize]),
            Step::Beside(..) | Step::Fold(..) => false,
        });
    }
    uniform
}
