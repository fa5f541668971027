//! The passes of steps in their order: which words each has, and where blocks must meet.

use super::super::phased::{self, Temporaries};
use super::super::sweep::{self, place};
use super::{At, Item, Kernel, PASSES, Pass, Repeated, WORDS, text};
use crate::block_counters::BLOCK_COUNTERS;
use crate::plan::Limits;
use std::collections::{HashMap, HashSet};
use syntonic_core::DType;
use syntonic_core::device::{Loop, Place, Step, StepTask, Steps, Word};
use syntonic_core::fuse::{Slot, Task};

/// Block counters at the end of a set, by which all blocks of a launch meet.
pub(super) const MEETING: usize = 2;
/// Bytes that passes may read again where they do not fit into the second-level cache.
const AGAIN: f64 = 0.25;
/// Bytes that a second-level cache has, whatever a driver says.
const SMALL: usize = 1 << 20;
/// Products that a matrix of products may take: more are a library's.
const PRODUCTS: usize = 1 << 21;

/// What every place in memory for partial values is a multiple of.
const ALIGNED: usize = 256;
/// Stands for the memory of partial values among the buffers of a run.
const PARTIAL: usize = 1 << 14;
/// Where it says why steps are several launches.
const TARGET: &str = "syntonic::steps";

/// A kernel and its launch.
pub(super) struct Order {
    pub(super) kernel: Kernel,
    pub(super) words: Vec<Word>,
    /// Bytes of partial values, and block counters.
    pub(super) partial: usize,
    pub(super) counters: usize,
    /// Blocks that the widest pass is spread over.
    pub(super) blocks: usize,
    /// The buffers that it writes.
    pub(super) written: HashSet<usize>,
}

/// What passes since the last meeting have touched.
#[derive(Default)]
struct Touched {
    read: HashSet<Place>,
    written: HashSet<Place>,
}

struct Making {
    /// Multiprocessors that passes are planned for.
    processors: usize,
    passes: Vec<Pass>,
    words: Vec<Word>,
    partial: usize,
    counters: usize,
    blocks: usize,
    written: HashSet<usize>,
    touched: Touched,
}

impl Order {
    /// The kernel of these steps on a card with these limits; nothing where some task has no sweep, there is too much, or several launches
    /// take less.
    pub(super) fn of(steps: &Steps, limits: &Limits) -> Option<Order> {
        match is_worth_it(steps, limits) {
            true => Order::over(steps, limits.multiprocessors as usize),
            false => None,
        }
    }

    /// The kernel of these steps for so many multiprocessors; nothing where some task has no sweep, or there is too much.
    pub(super) fn over(steps: &Steps, processors: usize) -> Option<Order> {
        let mut making = Making {
            processors,
            passes: Vec::new(),
            words: vec![Word::Counter(BLOCK_COUNTERS - MEETING)],
            partial: 0,
            counters: 0,
            blocks: 1,
            written: HashSet::new(),
            touched: Touched::default(),
        };
        let mut items = Vec::new();
        for step in &steps.steps {
            match step {
                Step::Task(task) => making.pass([task], &mut [Vec::new()], &mut items)?,
                Step::Loop(repeated) => making.repeat(repeated, &mut items)?,
            }
        }
        let words = making.words;
        let fits = words.len() <= WORDS
            && making.passes.len() <= PASSES
            && making.counters <= BLOCK_COUNTERS - MEETING;
        fits.then_some(Order {
            kernel: Kernel {
                passes: making.passes,
                items,
                words: words.len(),
            },
            words,
            partial: making.partial,
            counters: making.counters,
            blocks: making.blocks,
            written: making.written,
        })
    }
}

impl Making {
    /// A pass over a task, of which a loop has one for each kind of rounds; `rounds` has the words that differ.
    fn pass<const N: usize>(
        &mut self,
        tasks: [&StepTask; N],
        rounds: &mut [Vec<Word>; N],
        items: &mut Vec<Item>,
    ) -> Option<()> {
        let smallest = tasks[0].smallest;
        let given = tasks.map(planned);
        let processors = self.processors;
        if let Some(plan) = sweep::Plan::keeping(&given[0], smallest, processors) {
            return self.sweep(&plan, &given, smallest, (rounds, items));
        }
        // Several rounds of folds are several passes, with values of rows between them.
        let (phases, _) = phased::phases(&given[0], false).filter(|(_, more)| !more)?;
        let mut partial = self.partial;
        let between = Temporaries::at(&given[0], &phases.temporaries, |bytes| {
            let place = Place {
                buffer: PARTIAL,
                offset: partial,
            };
            partial += bytes.next_multiple_of(ALIGNED);
            place.address() as u64
        })?;
        self.partial = partial;
        for phase in &phases.phases {
            let given = given.each_ref().map(|task| between.task(task, phase));
            let plan = sweep::Plan::keeping(&given[0], None, processors);
            let Some(plan) = plan else {
                tracing::debug!(target: TARGET, task = given[0].program.name, "has no sweep");
                return None;
            };
            self.sweep(&plan, &given, None, (rounds, items))?;
        }
        Some(())
    }

    /// A pass of this plan over tasks that differ in places.
    fn sweep<const N: usize>(
        &mut self,
        plan: &sweep::Plan,
        given: &[Task<'_>; N],
        smallest: Option<usize>,
        (rounds, items): (&mut [Vec<Word>; N], &mut Vec<Item>),
    ) -> Option<()> {
        self.meet(given, items);
        let processors = self.processors;
        let first = &given[0];
        let mut pass = Pass {
            formula: plan.formula().clone(),
            sweep: plan.sweep(),
            inputs: first.inputs.len(),
            used: Vec::new(),
        };
        pass.used = text::used(&pass)?;
        let operands = first.inputs.len() + first.outputs.len();
        // Of an index the word is its first number.
        let indices = first.program.indices();
        let addresses: Vec<usize> = (0..operands)
            .filter(|&k| !indices.has(k))
            .map(|k| place::address(k) / 8)
            .collect();
        // few: kinds of rounds.
        let mut each: Vec<Vec<u64>> = Vec::new();
        for task in given {
            let other = sweep::Plan::keeping(task, smallest, processors)?;
            // What lies otherwise in a later round would be another text.
            if other.formula() != plan.formula() || other.sweep() != plan.sweep() {
                tracing::debug!(target: TARGET, task = task.program.name, "differs from round to round");
                return None;
            }
            each.push(other.words(task.row.iter().product()));
        }
        let blocks = self.words.len();
        self.words.push(Word::Same(plan.blocks() as u64));
        let mut words = Vec::new();
        for &k in &pass.used {
            let word = |bits: u64| match k {
                _ if k == place::SCRATCH / 8 => Word::Partial(self.partial),
                _ if k == place::BLOCK_COUNTERS / 8 => Word::Counter(self.counters),
                _ if addresses.contains(&k) => match super::place(bits) {
                    Place {
                        buffer: PARTIAL,
                        offset,
                    } => Word::Partial(offset),
                    place => Word::At(place),
                },
                _ => Word::Same(bits),
            };
            if each.iter().all(|all| all[k] == each[0][k]) {
                words.push(At::Whole(self.words.len()));
                let word = word(each[0][k]);
                self.words.push(word);
            } else {
                words.push(At::Round(rounds[0].len()));
                for (all, round) in each.iter().zip(rounds.iter_mut()) {
                    round.push(word(all[k]));
                }
            }
        }
        items.push(Item::Pass {
            pass: self.passes.len(),
            blocks,
            words,
        });
        self.passes.push(pass);
        if plan.counters() > 0 {
            self.partial += plan.scratch().next_multiple_of(ALIGNED);
            self.counters += plan.counters();
        }
        self.blocks = self.blocks.max(plan.blocks());
        Some(())
    }

    fn repeat(&mut self, repeated: &Loop, items: &mut Vec<Item>) -> Option<()> {
        self.meet_all(items);
        let times = self.words.len();
        self.words.push(Word::Same(repeated.times as u64));
        let mut rounds = [(); 3].map(|()| Vec::new());
        let until = repeated.until.map(|(dtype, places)| {
            for (round, place) in rounds.iter_mut().zip(places) {
                round.push(Word::At(place));
            }
            (dtype, 0)
        });
        let (mut body, mut after) = (Vec::new(), Vec::new());
        let [first, second, third] = &repeated.rounds;
        for ((a, b), c) in first.iter().zip(second).zip(third) {
            self.pass([a, b, c], &mut rounds, &mut body)?;
        }
        let settled = &repeated.after;
        if !settled[0].is_empty() {
            self.meet_all(&mut after);
        }
        for ((a, b), c) in settled[0].iter().zip(&settled[1]).zip(&settled[2]) {
            self.pass([a, b, c], &mut rounds, &mut after)?;
        }
        items.push(Item::Loop(Repeated {
            times,
            word: self.words.len(),
            apart: rounds[0].len(),
            body,
            until,
            after,
        }));
        self.words.extend(rounds.into_iter().flatten());
        Some(())
    }

    /// A meeting before a pass that reads or writes what passes since the last one have touched.
    fn meet(&mut self, tasks: &[Task<'_>], items: &mut Vec<Item>) {
        let place = |slot: &Slot| Place::of(slot.address);
        let read: Vec<Place> = tasks
            .iter()
            .flat_map(|t| inputs_in_memory(t).map(|(slot, _)| place(slot)))
            .collect();
        let written: Vec<Place> = tasks
            .iter()
            .flat_map(|t| t.outputs.iter().map(place))
            .collect();
        let touched = &self.touched;
        let waits = read.iter().any(|place| touched.written.contains(place))
            || written
                .iter()
                .any(|place| touched.written.contains(place) || touched.read.contains(place));
        if waits {
            self.meet_all(items);
        }
        self.written
            .extend(written.iter().map(|place| place.buffer));
        self.touched.read.extend(read);
        self.touched.written.extend(written);
    }

    fn meet_all(&mut self, items: &mut Vec<Item>) {
        if !self.touched.read.is_empty() || !self.touched.written.is_empty() {
            items.push(Item::Meet);
            self.touched = Touched::default();
        }
    }
}

/// The task as it is planned: what is kept of a row lies within the row's one place of the output.
fn planned(task: &StepTask) -> Task<'_> {
    let mut given = task.task();
    if task.smallest.is_some() {
        let axes = given.row.len();
        for output in &mut given.outputs {
            output.row = (0..axes).map(|_| 0).collect();
        }
    }
    given
}

/// The inputs that are no indices, and their types.
fn inputs_in_memory<'a>(task: &'a Task<'_>) -> impl Iterator<Item = (&'a Slot, DType)> {
    let indices = task.program.indices();
    let inputs = task.inputs.iter().zip(&task.program.inputs).enumerate();
    inputs.filter_map(move |(k, (slot, dtype))| (!indices.has(k)).then_some((slot, *dtype)))
}

/// False where a library's products or kernels that hold their rows are better: for large matrices of products, and where passes would
/// read again what does not fit into the second-level cache.
fn is_worth_it(steps: &Steps, limits: &Limits) -> bool {
    if is_one_program(steps) {
        return false;
    }
    let mut once: HashMap<Place, usize> = HashMap::new();
    let mut all = 0usize;
    for task in steps.tasks() {
        let lengths: Vec<usize> = task.outer.iter().chain(&task.row).copied().collect();
        for (slot, dtype) in inputs_in_memory(&task.task()) {
            let strides = slot.outer.iter().chain(&slot.row);
            let moving = lengths.iter().zip(strides).filter(|(_, s)| **s != 0);
            let bytes = moving.map(|(n, _)| n).product::<usize>() * dtype.size();
            all = all.saturating_add(bytes);
            let known = once.entry(Place::of(slot.address)).or_default();
            *known = bytes.max(*known);
        }
        let is_product =
            task.outer.iter().filter(|n| **n > 1).count() > 1 && task.program.inputs.len() == 2;
        let elements = lengths.iter().fold(1usize, |n, &len| n.saturating_mul(len));
        if is_product && is_of_matrices(task) && elements > PRODUCTS {
            return false;
        }
    }
    let distinct: usize = once.values().sum();
    let fits = distinct <= (limits.cache as usize / 2).max(SMALL);
    fits || (all - distinct) as f64 <= AGAIN * distinct as f64
}

/// True for steps over one space, which are one program of rows elsewhere, with kernels that hold their rows.
fn is_one_program(steps: &Steps) -> bool {
    let is_loop = |step: &Step| matches!(step, Step::Loop(_));
    let space = |task: &StepTask| -> Vec<usize> {
        let axes = task.outer.iter().chain(&task.row);
        axes.copied().filter(|n| *n > 1).collect()
    };
    let mut tasks = steps.tasks();
    let Some(first) = tasks.next().map(space) else {
        return true;
    };
    !steps.steps.iter().any(is_loop)
        && tasks.all(|task| space(task) == first && task.smallest.is_none())
}

/// True for a task of which no operand moves along all axes: it reads them more often than once.
fn is_of_matrices(task: &StepTask) -> bool {
    let lengths = || task.outer.iter().chain(&task.row);
    !task.inputs.iter().any(|slot| {
        let strides = slot.outer.iter().chain(&slot.row);
        lengths().zip(strides).all(|(&n, &s)| n == 1 || s != 0)
    })
}
