//! Leases of a queue: one launch of its kernel, on a stream that nothing else uses.

use super::super::board::Board;
use super::super::engine::place;
use super::super::lease::{Begin, Engine};
use super::super::leases::Place;
use super::super::settings::{Settings, nanoseconds};
use super::programs::{Entry, GRAIN, Input, Programs};
use super::ring::{ALIGNED, ENTRIES, Ring, Sizes};
use crate::context::gpu::Cuda;
use crate::context::{Context, Geometry};
use crate::modules::function::Function;
use crate::rows::jit::steps::lanes::{Known, LANE, Lanes, Parameter};
use std::mem::ManuallyDrop;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use syntonic_core::device::{Place as At, Word};
use syntonic_core::{DType, Device, Error, Result, Tensor};

const OP: &str = "queue";
/// Bytes by which lanes know of each other: why the lease ends, the request that was answered last, and how many lanes have left.
const CONTROL: usize = 256;
/// What an input's buffer is a multiple of, as places of steps suppose.
const BASE: u64 = 16;

/// Where things lie: in the memory on the card, in bytes from its start, and in the shared memory of a lane.
#[derive(Clone, Copy, Debug)]
struct Plan {
    done: usize,
    /// Results of requests, for those that read them.
    mirror: usize,
    /// Words of programs, so many of each, and their flags.
    table: usize,
    words: usize,
    flags: usize,
    bytes: usize,
    /// In shared memory, behind the words: arguments, results, what is between, partial values, counters.
    work: usize,
    results: usize,
    between: usize,
    partial: usize,
    counters: usize,
    shared: usize,
}

/// The GPU, and what leases use on it.
#[derive(Debug)]
pub(super) struct Launcher {
    gpu: Arc<Cuda>,
    function: Function,
    pub(super) lanes: usize,
    settings: Settings,
    plan: Plan,
    pub(super) ring: Ring,
    /// The number of the next request.
    next: Arc<AtomicU64>,
    /// Left alone where a lease may still use it.
    place: ManuallyDrop<Place>,
    memory: ManuallyDrop<Tensor>,
    programs: ManuallyDrop<Arc<Programs>>,
}

impl Launcher {
    /// What leases need, with the kernel loaded. Requests have `next` as their numbers.
    pub(super) fn new(
        programs: &Arc<Programs>,
        lanes: usize,
        settings: Settings,
        sizes: Sizes,
        next: &Arc<AtomicU64>,
    ) -> Result<Launcher> {
        let gpu = &programs.gpu;
        let context = gpu.context();
        context.bind()?;
        // What follows may wait for the whole GPU.
        context.leases.ask_to_leave();
        let plan = Plan::of(&programs.all, sizes);
        let words = words(&programs.all, &plan)?;
        let function = function(context, &programs.all, &words)?;
        let most = context
            .shared_limit()
            .saturating_sub(function.entry().declared) as usize;
        if plan.shared > most {
            let text = format!(
                "these programs take {} bytes of shared memory, and a thread block has {most}; hint: smaller programs, or an ordinary launch",
                plan.shared
            );
            return Err(Error::value(OP, text));
        }
        let geometry = geometry(lanes, &plan);
        let together = match context.limits().has_clusters() && lanes > 1 {
            true => context.clusters_at_once(&function, geometry, lanes as u32)? > 0,
            false => context.resident(&function, LANE, geometry.shared)? > 0,
        };
        if !together {
            let text =
                format!("{lanes} lanes, and this GPU does not have as many at once; hint: fewer");
            return Err(Error::value(OP, text));
        }
        let device: Arc<dyn Device> = gpu.clone();
        let memory = Tensor::zeros_on(&[plan.bytes], DType::U8, &device)?.eval()?;
        let first = memory.buffer()?.address() as u64;
        let table = table(&words, &plan)?;
        // SAFETY: the memory has as many bytes from there on, and nobody else knows it.
        unsafe { gpu.upload((first + plan.table as u64) as *mut u8, &table)? };
        context.synchronize(OP)?;
        let place = place(context, Ring::bytes(sizes))?;
        // SAFETY: the memory has as many bytes, at the start of a page; it is left alone or kept for the next service, never freed.
        let ring = unsafe { Ring::new(place.memory, sizes) };
        Ok(Launcher {
            gpu: gpu.clone(),
            function,
            lanes,
            settings,
            plan,
            ring,
            next: next.clone(),
            place: ManuallyDrop::new(place),
            memory: ManuallyDrop::new(memory),
            programs: ManuallyDrop::new(programs.clone()),
        })
    }

    /// Where the results of areas begin on the card.
    pub(super) fn mirrors(&self) -> Result<u64> {
        Ok(self.memory.buffer()?.address() as u64 + self.plan.mirror as u64)
    }

    /// Gives back what leases used. To be called once none runs any more, and once.
    pub(super) fn give_back(&mut self) {
        // SAFETY: nobody uses them afterwards, as the caller says.
        let (place, memory, programs) = unsafe {
            (
                ManuallyDrop::take(&mut self.place),
                ManuallyDrop::take(&mut self.memory),
                ManuallyDrop::take(&mut self.programs),
            )
        };
        self.gpu.context().leases.keep(place);
        drop((memory, programs));
    }
}

/// A block for each lane.
fn geometry(lanes: usize, plan: &Plan) -> Geometry {
    Geometry {
        shared: plan.shared as u32,
        ..Geometry::line(lanes as u64, LANE)
    }
}

fn function(context: &Context, all: &[Entry], words: &[Vec<Known>]) -> Result<Function> {
    let codes = all.iter().map(|entry| &entry.code);
    let kernel = Lanes::of(codes.zip(words.iter().cloned()));
    let made = context
        .jit
        .lanes
        .assembled(context, kernel.fingerprint(), &kernel)?;
    made.ok_or_else(|| {
        let text = "these programs together are too long for a kernel, or have operations that have no piece; hint: several queues";
        Error::value(OP, text)
    })
}

impl Plan {
    fn of(all: &[Entry], sizes: Sizes) -> Plan {
        let most = |of: fn(&Entry) -> usize| all.iter().map(of).max().unwrap_or(0);
        let aligned = |bytes: usize| bytes.next_multiple_of(ALIGNED);
        let words = most(|e| e.code.words.len()).next_multiple_of(2);
        let done = CONTROL;
        let mirror = done + aligned(8 * ENTRIES as usize);
        let table = mirror + sizes.areas * sizes.results;
        let flags = table + aligned(8 * words * all.len());
        let work = 8 * words * all.len();
        let results = work + sizes.arguments;
        let between = results + most(|e| e.results);
        let partial = between + most(|e| e.frame.between);
        let counters = partial + most(|e| e.code.partial);
        Plan {
            done,
            mirror,
            table,
            words,
            flags,
            bytes: flags + aligned(words * all.len()),
            work,
            results,
            between,
            partial,
            counters,
            shared: (counters + 4 * most(|e| e.code.counters)).next_multiple_of(GRAIN),
        }
    }
}

/// The words of every program, and behind them whether each is a place in shared memory: those of all words first.
fn table(words: &[Vec<Known>], plan: &Plan) -> Result<Vec<u8>> {
    let mut bytes = syntonic_core::room::filled(plan.bytes - plan.table, 0u8)?;
    for (number, words) in words.iter().enumerate() {
        for (k, word) in words.iter().enumerate() {
            let (value, is_shared) = match *word {
                Known::Number(value) | Known::Address(value) => (value, false),
                Known::Shared(at) => (at, true),
            };
            let at = number * plan.words + k;
            bytes[8 * at..8 * at + 8].copy_from_slice(&value.to_ne_bytes());
            bytes[plan.flags - plan.table + at] = is_shared.into();
        }
    }
    Ok(bytes)
}

/// The words of every program.
fn words(all: &[Entry], plan: &Plan) -> Result<Vec<Vec<Known>>> {
    let of = |entry: &Entry| -> Result<Vec<Known>> {
        let words = entry.code.words.iter();
        words.map(|word| known(*word, entry, plan)).collect() // few: words of a program.
    };
    all.iter().map(of).collect() // few: programs of a queue.
}

/// A word of a program.
fn known(word: Word, entry: &Entry, plan: &Plan) -> Result<Known> {
    let [inputs, results] = [entry.inputs.len(), entry.places.len()];
    let at = match word {
        Word::Same(bits) => return Ok(Known::Number(bits)),
        Word::Partial(offset) => plan.partial + offset,
        Word::Counter(first) => plan.counters + 4 * first,
        Word::At(At { buffer, offset }) => {
            let begins = match entry.inputs.get(buffer) {
                Some(Input::Spec(_, _, at)) => plan.work + at,
                Some(Input::Kept(tensor)) => {
                    let first = crate::foreign::address(tensor)?;
                    return Ok(Known::Address(first - first % BASE + offset as u64));
                }
                None if buffer < inputs + results => plan.results + entry.places[buffer - inputs],
                None => plan.between,
            };
            begins + offset
        }
    };
    Ok(Known::Shared(at as u64))
}

impl Engine for Launcher {
    fn begin(&mut self, _board: &Board, begin: Begin) -> Result<()> {
        self.ring
            .resume(self.next.load(Ordering::Acquire), self.lanes);
        let [board, cells, moves, answered] = self.ring.addresses();
        let first = self.memory.buffer()?.address() as u64;
        let plan = &self.plan;
        let parameter = Parameter {
            board,
            cells,
            moves,
            answered,
            done: first + plan.done as u64,
            control: first,
            table: first + plan.table as u64,
            flags: first + plan.flags as u64,
            words: (plan.words * self.programs.all.len()) as u64,
            work: plan.work as u64,
            results: (plan.results - plan.work) as u64,
            lease: begin.number,
            idle: nanoseconds(self.settings.idle),
            lifetime: nanoseconds(self.settings.lifetime),
            most: self.settings.most_commands,
            stride: 8 * plan.words as u64,
            bytes: (plan.shared - plan.work) as u64,
            arguments: self.ring.arguments(0) as u64,
            room: self.ring.sizes.arguments as u64,
            given: self.ring.results(0) as u64,
            given_room: self.ring.sizes.given() as u64,
            mirror: self.mirrors()?,
            mirror_room: self.ring.sizes.results as u64,
        };
        let context = self.gpu.context();
        let geometry = geometry(self.lanes, plan);
        let stream = self.place.stream.cu_stream();
        // SAFETY: the struct is the kernel's; ring, memory and kept operands live until no lease runs, which `give_back` waits for.
        unsafe { context.launch_cluster(&self.function, geometry, stream, &parameter) }
    }

    fn is_over(&self) -> Result<bool> {
        self.place.is_over(OP, self.gpu.context())
    }
}
