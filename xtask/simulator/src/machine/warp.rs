//! Warps: 32 lanes, each with its own program counter.
//!
//! The lanes at the smallest counter run; the others wait there where they went, and join when the counter comes by.

mod gather;

use super::context::{Context, Window, lanes};
use super::hall::{BARRIERS, ClusterHall, Hall, NAMED};
use super::op::NONE;
use super::rows::{ALL, LANES, Line, Rows, lines};
use crate::code::{Code, Exit, Meeting, Reduction};

/// Why a warp stopped running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pause {
    /// All its lanes wait for others.
    Blocked,
    /// A barrier was completed: those who wait there may go on.
    Met,
    /// It ran for as long as it may at once, or would rather have others run.
    Turn,
    /// Something went wrong.
    Failed,
}

/// The barriers that a warp may come to.
pub(crate) struct Halls<'a> {
    pub(crate) block: &'a mut Hall,
    pub(crate) cluster: &'a mut ClusterHall,
}

/// The state of a warp.
pub(crate) struct Warp {
    registers: Box<[Line]>,
    local: Box<[Line]>,
    number: u32,
    /// Lanes that did not end.
    live: u32,
    /// Lanes that run, and where.
    active: u32,
    pc: u32,
    /// Lanes that may run and where, those at the smallest counter last.
    waiting: Vec<(u32, u32)>,
    /// Where lanes are that may not.
    at: [u32; LANES],
    /// The smallest counter among them, for which running lanes look out.
    next: u32,
    /// Lanes that wait for other lanes of the warp.
    together: u32,
    /// Lanes that wait at each barrier of the block.
    meeting: [u32; BARRIERS],
    /// Lanes that wait for the cluster, and the phase in which each came there.
    cluster: u32,
    arrived: [u32; LANES],
    /// Where the lanes ran that had the last turn of their own.
    favoured: u32,
}

impl Warp {
    /// A warp of a block with so many threads.
    pub(crate) fn new(number: u32, threads: u32, code: &Code) -> Self {
        let mut warp = Self {
            registers: lines(code.register_bytes as usize),
            local: lines(code.local_bytes as usize * LANES),
            number,
            live: 0,
            active: 0,
            pc: 0,
            waiting: Vec::new(),
            at: [0; LANES],
            next: u32::MAX,
            together: 0,
            meeting: [0; BARRIERS],
            cluster: 0,
            arrived: [0; LANES],
            favoured: 0,
        };
        warp.restart(threads);
        warp
    }

    /// Puts all lanes to the start. Registers keep what they have.
    pub(crate) fn restart(&mut self, threads: u32) {
        let count = threads
            .saturating_sub(self.number * LANES as u32)
            .min(LANES as u32);
        self.live = if count == LANES as u32 {
            ALL
        } else {
            (1 << count) - 1
        };
        self.active = self.live;
        self.pc = 0;
        self.waiting.clear();
        self.next = u32::MAX;
        self.together = 0;
        self.meeting = [0; BARRIERS];
        self.cluster = 0;
    }

    /// Whether all lanes ended.
    pub(crate) fn is_done(&self) -> bool {
        self.live == 0
    }

    /// Whether a lane may run, or the warp has to see whether one may.
    pub(crate) fn is_ready(&self) -> bool {
        self.active != 0 || !self.waiting.is_empty()
    }

    /// The lanes that wait at a barrier of the block may go on.
    pub(crate) fn release(&mut self, id: usize) {
        let released = std::mem::take(&mut self.meeting[id]);
        self.let_go(released);
    }

    /// Lanes that came before `phase` of the cluster's barrier may go on.
    pub(crate) fn release_cluster(&mut self, phase: u32) {
        let released = lanes(self.cluster)
            .filter(|&lane| self.arrived[lane] != phase)
            .map(|lane| 1 << lane)
            .sum::<u32>();
        self.cluster &= !released;
        self.let_go(released);
    }

    /// Lanes that waited in the stretch where they are go on to the next.
    fn let_go(&mut self, released: u32) {
        let mut left = released;
        while left != 0 {
            let pc = self.at[left.trailing_zeros() as usize % LANES];
            let same = self.held_at(pc) & left;
            self.wait_at(pc + 1, same);
            left &= !same;
        }
    }

    /// Points the context at this warp.
    fn enter(&mut self, context: &mut Context, code: &Code) {
        context.rows = Rows::new(&mut self.registers, &code.pool);
        context.local = Window {
            base: self.local.as_mut_ptr().cast(),
            end: u64::from(code.local_bytes),
        };
        context.warp = self.number;
        context.live = self.live;
    }

    /// Runs until lanes cannot, or `budget` instructions ran.
    pub(crate) fn run(
        &mut self,
        context: &mut Context,
        code: &Code,
        halls: &mut Halls<'_>,
        budget: u32,
    ) -> Pause {
        self.enter(context, code);
        let mut left = i64::from(budget);
        loop {
            if self.active == 0 && !self.choose() {
                return self.stuck(context, code);
            }
            let block = &code.blocks[self.pc as usize];
            context.mask = self.active;
            for op in &code.ops[block.start as usize..block.end as usize] {
                // SAFETY: `run` of the grid made sure that the processor has what `vector!` needs, and the emitter gave
                // this instruction rows of this code, at which `enter` pointed the context.
                unsafe { (op.exec)(context, op) };
            }
            let length = block.end - block.start + 1;
            left -= i64::from(length);
            context.clock += u64::from(length);
            context.lanes_run += u64::from(length * self.active.count_ones());
            if context.failure.is_some() {
                return Pause::Failed;
            }
            if let Some(pause) = self.leave(context, &block.exit, halls) {
                return pause;
            }
            if context.yields || left <= 0 {
                context.yields = false;
                self.end_turn();
                return Pause::Turn;
            }
        }
    }

    /// Does what comes after a stretch.
    #[inline(always)]
    fn leave(
        &mut self,
        context: &mut Context,
        exit: &Exit,
        halls: &mut Halls<'_>,
    ) -> Option<Pause> {
        match exit {
            Exit::Next => self.go(self.pc + 1),
            Exit::Jump(target) => self.go(*target),
            Exit::Branch {
                predicate,
                flip,
                target,
            } => {
                let taken = (context.predicate(*predicate) ^ flip) & self.active;
                if taken == self.active {
                    self.go(*target);
                } else if taken == 0 {
                    self.go(self.pc + 1);
                } else {
                    self.split(taken, *target);
                }
            }
            Exit::Together(op, mask) => self.gather(context, op, *mask),
            Exit::Meet(meeting) => return self.meet(context, meeting, halls),
            _ => return self.leave_rarely(context, exit, halls),
        }
        None
    }

    fn leave_rarely(
        &mut self,
        context: &mut Context,
        exit: &Exit,
        halls: &mut Halls<'_>,
    ) -> Option<Pause> {
        match exit {
            Exit::Table(index, targets) => self.scatter(context, *index, targets),
            Exit::End => {
                self.live &= !self.active;
                context.live = self.live;
                context.progress = true;
                let ended = self.active.count_ones();
                self.active = 0;
                halls.cluster.leave(ended);
                if halls.block.leave(ended) {
                    return Some(Pause::Met);
                }
            }
            Exit::ClusterArrive => {
                for lane in lanes(self.active) {
                    self.arrived[lane] = halls.cluster.phase;
                }
                let met = halls.cluster.arrive(self.active.count_ones());
                context.progress = true;
                self.go(self.pc + 1);
                if met {
                    context.shadow.met_all();
                    self.end_turn();
                    return Some(Pause::Met);
                }
            }
            Exit::ClusterWait => {
                let phase = halls.cluster.phase;
                let held = lanes(self.active)
                    .filter(|&lane| self.arrived[lane] == phase)
                    .map(|lane| 1 << lane)
                    .sum();
                self.park(held);
                self.cluster |= held;
                if self.active != 0 {
                    self.go(self.pc + 1);
                }
            }
            _ => {}
        }
        None
    }

    /// The running lanes go to `target`, unless others are at a smaller counter.
    #[inline(always)]
    fn go(&mut self, target: u32) {
        self.pc = target;
        if target >= self.next {
            self.rejoin();
        }
    }

    #[cold]
    fn rejoin(&mut self) {
        self.yield_lanes();
        self.choose();
    }

    /// Lanes may run at `pc` later.
    fn wait_at(&mut self, pc: u32, mask: u32) {
        let index = self.waiting.partition_point(|(other, _)| *other > pc);
        match self.waiting.get_mut(index) {
            Some((other, there)) if *other == pc => *there |= mask,
            _ => self.waiting.insert(index, (pc, mask)),
        }
        self.next = self.waiting.last().map_or(u32::MAX, |(pc, _)| *pc);
    }

    /// The running lanes may run later.
    fn yield_lanes(&mut self) {
        if self.active != 0 {
            self.wait_at(self.pc, self.active);
            self.active = 0;
        }
    }

    /// Running lanes stay where they are and may not run.
    fn park(&mut self, held: u32) {
        for lane in 0..LANES {
            self.at[lane] = if held >> lane & 1 != 0 {
                self.pc
            } else {
                self.at[lane]
            };
        }
        self.active &= !held;
    }

    /// The lanes that were at `pc` when they last stopped.
    fn held_at(&self, pc: u32) -> u32 {
        (0..LANES).fold(0, |mask, lane| {
            mask | if self.at[lane] == pc { 1 << lane } else { 0 }
        })
    }

    /// Lets the lanes at the smallest counter run; whether there are any.
    fn choose(&mut self) -> bool {
        let Some((pc, mask)) = self.waiting.pop() else {
            return false;
        };
        self.pc = pc;
        self.active = mask;
        self.next = self.waiting.last().map_or(u32::MAX, |(pc, _)| *pc);
        true
    }

    /// Ends a turn. Where lanes are apart, the next turn belongs to others than the last, so that none starves.
    fn end_turn(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        self.yield_lanes();
        // The groups are in falling order: the last one above the favoured counter is the next after it.
        match self.waiting.iter().rposition(|(pc, _)| *pc > self.favoured) {
            Some(index) => {
                let (pc, mask) = self.waiting.remove(index);
                self.favoured = pc;
                self.pc = pc;
                self.active = mask;
                // These lanes keep going wherever they go.
                self.next = u32::MAX;
            }
            None => {
                self.favoured = 0;
                self.choose();
            }
        }
    }

    fn split(&mut self, taken: u32, target: u32) {
        let stay = self.active & !taken;
        self.active = 0;
        self.wait_at(target, taken);
        self.wait_at(self.pc + 1, stay);
        self.choose();
    }

    fn scatter(&mut self, context: &Context, index: u32, targets: &[u32]) {
        let index = context.get::<u32>(index);
        let last = targets.len().saturating_sub(1);
        for lane in lanes(std::mem::take(&mut self.active)) {
            let target = targets
                .get((index[lane] as usize).min(last))
                .copied()
                .unwrap_or(self.pc + 1);
            self.wait_at(target, 1 << lane);
        }
        self.choose();
    }

    fn meet(
        &mut self,
        context: &mut Context,
        meeting: &Meeting,
        halls: &mut Halls<'_>,
    ) -> Option<Pause> {
        let lane = self.active.trailing_zeros() as usize;
        let id = match meeting.id {
            NONE => NAMED + self.number as usize / 4,
            id => context.lane::<u32>(id, lane) as usize % NAMED,
        };
        let expected =
            (meeting.threads != NONE).then(|| context.lane::<u32>(meeting.threads, lane));
        let votes = match meeting.reduction {
            Reduction::None => 0,
            _ => (context.predicate(meeting.vote) & self.active).count_ones(),
        };
        // A warp counts as a whole where the number of threads is given.
        let whole = expected.is_some() && self.active == self.live;
        let count = if whole {
            LANES as u32
        } else {
            self.active.count_ones()
        };
        context.progress = true;
        let met = halls
            .block
            .arrive(id, count, expected, votes, meeting.reduction);
        if meeting.waits {
            let held = self.active;
            self.park(held);
            self.meeting[id] |= held;
        } else {
            self.go(self.pc + 1);
        }
        if met {
            self.end_turn_after_meeting();
            return Some(Pause::Met);
        }
        None
    }

    fn end_turn_after_meeting(&mut self) {
        if self.active != 0 {
            self.end_turn();
        }
    }

    /// Where a lane of this warp is that waits, and which.
    pub(crate) fn place(&self) -> Option<(usize, u32)> {
        let held = self
            .meeting
            .iter()
            .fold(self.cluster | self.together, |all, one| all | one)
            & self.live;
        if self.active != 0 {
            return Some((self.active.trailing_zeros() as usize, self.pc));
        }
        if let Some((pc, mask)) = self.waiting.last() {
            return Some((mask.trailing_zeros() as usize, *pc));
        }
        let lane = held.trailing_zeros() as usize;
        (held != 0).then(|| (lane, self.at[lane]))
    }

    /// The block that runs.
    pub(crate) fn pc(&self) -> u32 {
        self.pc
    }
}
