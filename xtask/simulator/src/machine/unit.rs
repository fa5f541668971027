//! Clusters: blocks that run together on one host thread. Without clusters each has one block.

use super::context::{Context, Window};
use super::fault::{Fault, Trouble};
use super::hall::{BARRIERS, ClusterHall, Hall, NAMED};
use super::reach::SHARED_START;
use super::rows::{LANES, Line, lines};
use super::shadow::{Checks, Shadow};
use super::shape::Shape;
use super::warp::{Halls, Pause, Warp};
use crate::code::Code;

/// Instructions that a warp may run before others have their turn.
const TURN: u32 = 20_000;
/// Rounds in which no warp changes anything, after which a cluster is given up if nothing else could help it.
const PATIENCE: u32 = 1 << 17;
/// What shared memory holds before anything is written to it.
const PATTERN: u8 = 0xFF;

/// How a cluster's run ended.
pub(crate) enum Outcome {
    /// All its threads ended.
    Done,
    /// It waits for what other blocks do.
    Waiting,
    /// Something went wrong.
    Failed(Box<Fault>),
}

/// A block of a cluster.
struct Block {
    shared: Box<[Line]>,
    warps: Vec<Warp>,
    hall: Hall,
    at: [u32; 3],
}

/// A cluster.
pub(crate) struct Unit {
    blocks: Vec<Block>,
    hall: ClusterHall,
    shared_bytes: u32,
    checks: Checks,
    /// What is known of the shared memory of each block, while the cluster does not run.
    shadows: Vec<Shadow>,
    /// How often it ran in vain, and at which count of changes.
    pub(crate) vain: u32,
    pub(crate) seen: u64,
    /// Whether its last run changed memory.
    pub(crate) changed: bool,
}

impl Unit {
    /// Room for a cluster of this launch.
    pub(crate) fn new(code: &Code, shape: &Shape, checks: Checks) -> Self {
        let threads = shape.threads();
        let count = shape.cluster.iter().product::<u32>();
        let shared_bytes = shape.total_shared + SHARED_START;
        let blocks = (0..count).map(|_| Block {
            shared: lines(shared_bytes as usize),
            warps: (0..threads.div_ceil(LANES as u32))
                .map(|warp| Warp::new(warp, threads, code))
                .collect(),
            hall: Hall::default(),
            at: [0; 3],
        });
        Self {
            blocks: blocks.collect(),
            hall: ClusterHall::default(),
            shared_bytes,
            checks,
            shadows: Vec::new(),
            vain: 0,
            seen: 0,
            changed: false,
        }
    }

    /// Puts cluster number `index` of the grid to its start.
    pub(crate) fn start(&mut self, index: u64, shape: &Shape) {
        let threads = shape.threads();
        let [x, y, _] = shape.clusters().map(|extent| u64::from(extent.max(1)));
        let cluster = [index % x, index / x % y, index / x / y];
        let [w, h, _] = shape.cluster;
        let count = self.blocks.len() as u32;
        for (rank, block) in self.blocks.iter_mut().enumerate() {
            let rank = rank as u32;
            let inside = [rank % w, rank / w % h, rank / w / h];
            block.at = std::array::from_fn(|axis| {
                cluster[axis] as u32 * shape.cluster[axis] + inside[axis]
            });
            block.shared.fill(Line([PATTERN; 64]));
            block.hall = Hall::new(threads);
            for warp in &mut block.warps {
                warp.restart(threads);
            }
        }
        self.hall = ClusterHall::new(threads * count);
        self.shadows.clear();
        if self.checks != Checks::default() {
            let bytes = self.shared_bytes as usize;
            self.shadows
                .extend((0..count).map(|_| Shadow::new(self.checks, bytes)));
        }
        self.vain = 0;
    }

    /// Points the context at this cluster.
    fn enter(&mut self, context: &mut Context) {
        context.windows.clear();
        for block in &mut self.blocks {
            let base = block.shared.as_mut_ptr().cast();
            context.windows.push(Window {
                base,
                end: u64::from(self.shared_bytes),
            });
        }
    }

    /// Runs until all threads ended, or all that could run wait for other blocks.
    pub(crate) fn run(&mut self, context: &mut Context, code: &Code) -> Outcome {
        self.enter(context);
        std::mem::swap(&mut self.shadows, &mut context.shadow.blocks);
        let outcome = self.rounds(context, code);
        std::mem::swap(&mut self.shadows, &mut context.shadow.blocks);
        outcome
    }

    fn rounds(&mut self, context: &mut Context, code: &Code) -> Outcome {
        self.changed = false;
        let mut vain = 0;
        loop {
            context.progress = false;
            context.watched = false;
            let mut ran = false;
            for rank in 0..self.blocks.len() {
                match self.round(rank, context, code) {
                    Ok(any) => ran |= any,
                    Err(fault) => return Outcome::Failed(fault),
                }
            }
            if self
                .blocks
                .iter()
                .all(|block| block.warps.iter().all(Warp::is_done))
            {
                return Outcome::Done;
            }
            if !ran {
                return Outcome::Failed(self.deadlock(
                    context,
                    code,
                    "threads wait at a barrier that never completes",
                ));
            }
            if context.progress {
                self.changed = true;
                vain = 0;
                continue;
            }
            if context.watched {
                return Outcome::Waiting;
            }
            vain += 1;
            if vain > PATIENCE {
                return Outcome::Failed(self.deadlock(
                    context,
                    code,
                    "threads run on and on and write nothing",
                ));
            }
        }
    }

    /// Gives every warp of a block a turn; whether any ran.
    fn round(
        &mut self,
        rank: usize,
        context: &mut Context,
        code: &Code,
    ) -> Result<bool, Box<Fault>> {
        let Self { blocks, hall, .. } = self;
        let block = &mut blocks[rank];
        context.rank = rank;
        context.shape.at = block.at;
        let [x, y, _] = context.shape.grid.map(u64::from);
        context.shape.index =
            u64::from(block.at[0]) + x * (u64::from(block.at[1]) + y * u64::from(block.at[2]));
        let mut ran = false;
        for index in 0..block.warps.len() {
            block.warps[index].release_cluster(hall.phase);
            if !block.warps[index].is_ready() {
                continue;
            }
            ran = true;
            context.reduced = block.hall.reduced;
            let mut halls = Halls {
                block: &mut block.hall,
                cluster: &mut *hall,
            };
            let pause = block.warps[index].run(context, code, &mut halls, TURN);
            if pause == Pause::Failed {
                return Err(failed(&block.warps[index], context, code));
            }
            let met = block.hall.take_met();
            // Products put nothing else in order.
            if met & ((1 << NAMED) - 1) != 0 {
                context.shadow.met(rank);
            }
            for id in (0..BARRIERS).filter(|id| met >> id & 1 != 0) {
                block.warps.iter_mut().for_each(|warp| warp.release(id));
            }
        }
        Ok(ran)
    }

    /// The fault of a cluster whose threads wait in vain.
    pub(crate) fn deadlock(&self, context: &mut Context, code: &Code, what: &str) -> Box<Fault> {
        for block in &self.blocks {
            for (number, warp) in block.warps.iter().enumerate() {
                if let Some((lane, pc)) = warp.place() {
                    context.shape.at = block.at;
                    context.warp = number as u32;
                    let place = code.blocks[pc as usize].place;
                    return Box::new(fault(
                        context,
                        code,
                        lane,
                        place,
                        Trouble::Deadlock(what.to_owned()),
                    ));
                }
            }
        }
        Box::new(fault(
            context,
            code,
            0,
            0,
            Trouble::Deadlock(what.to_owned()),
        ))
    }
}

/// The fault that the context has. Its line is for now where in the text it is.
fn failed(warp: &Warp, context: &mut Context, code: &Code) -> Box<Fault> {
    let Some(failure) = context.failure.take() else {
        return Box::new(fault(context, code, 0, 0, Trouble::Trap));
    };
    let first = code.ops.as_ptr() as usize;
    let index = failure.op.wrapping_sub(first) / size_of::<super::op::Op>();
    let place = match code.places.get(index) {
        Some(place) if failure.op >= first => *place,
        _ => code.blocks[warp.pc() as usize].place,
    };
    Box::new(fault(context, code, failure.lane, place, failure.trouble))
}

fn fault(context: &Context, code: &Code, lane: usize, place: u32, trouble: Trouble) -> Fault {
    let thread = context
        .shape
        .thread(context.warp * LANES as u32 + lane as u32);
    Fault {
        entry: code.name.as_str().into(),
        line: place as usize,
        text: Box::default(),
        block: context.shape.at,
        thread,
        trouble,
    }
}
