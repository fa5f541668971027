//! Grids: which clusters run when, and on which host thread.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::context::{Context, Window};
use super::fault::Fault;
use super::hall::BARRIERS;
use super::reach::Regions;
use super::rows::{LANES, Line, Rows};
use super::scratch::Scratch;
use super::shadow::{Checks, Shadows};
use super::shape::Shape;
use super::unit::{Outcome, Unit};
use crate::code::Code;
use crate::memory::{Memory, Region};

/// How often a cluster may run in vain, nothing having changed anywhere, before it counts as stuck.
const VAIN: u32 = 32;
/// A launch that one host thread ends within this time has no second one.
const ALONE: Duration = Duration::from_micros(200);

/// A launch that runs.
pub(crate) struct Grid<'a> {
    code: &'a Code,
    shape: Shape,
    params: Arc<[Line]>,
    regions: Arc<[Region]>,
    checks: Checks,
    /// Clusters of the grid.
    total: u64,
    /// Clusters that a card would hold at once.
    most: usize,
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    /// The next cluster to start.
    next: u64,
    /// Clusters that started and did not end.
    resident: usize,
    /// Those of them that wait for others.
    parked: VecDeque<Unit>,
    /// Room of clusters that ended.
    spare: Vec<Unit>,
    /// Counts changes of memory that clusters may wait for.
    changes: u64,
    /// Clusters that ran in vain so often that they count as stuck, since the last change.
    stuck: usize,
    fault: Option<Box<Fault>>,
    lanes_run: u64,
}

/// What a host thread does next.
enum Next {
    Run(Unit),
    Wait,
    End,
}

fn host_threads() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

impl<'a> Grid<'a> {
    /// A launch of `code`, of which a card would hold `most` clusters at once.
    pub(crate) fn new(
        code: &'a Code,
        shape: Shape,
        params: Arc<[Line]>,
        memory: &Memory,
        checks: Checks,
        most: usize,
    ) -> Self {
        let total = shape
            .clusters()
            .iter()
            .map(|extent| u64::from(*extent))
            .product();
        let queue = Mutex::default();
        let regions = memory.list();
        Self {
            code,
            shape,
            params,
            regions,
            checks,
            total,
            most,
            queue,
            changed: Condvar::new(),
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs it all; the number of instructions that lanes ran.
    pub(crate) fn run(&self) -> Result<u64, Box<Fault>> {
        let mut context = self.context();
        let start = Instant::now();
        if !self.work(&mut context, Some(start + ALONE)) {
            let left = self.total - self.queue().next;
            let helpers = (host_threads() - 1).min(usize::try_from(left).unwrap_or(usize::MAX));
            std::thread::scope(|scope| {
                for _ in 0..helpers {
                    scope.spawn(|| self.work(&mut self.context(), None));
                }
                self.work(&mut context, None);
            });
        }
        let mut queue = self.queue();
        match queue.fault.take() {
            Some(fault) => Err(fault),
            None => Ok(queue.lanes_run),
        }
    }

    fn context(&self) -> Context {
        let params = Region::foreign(self.params.as_ptr() as u64, self.code.param_bytes as usize);
        Context {
            mask: 0,
            unguarded: 0,
            rows: Rows::none(),
            host: [0; LANES],
            regions: Regions::new(Arc::clone(&self.regions), params),
            windows: Vec::new(),
            rank: 0,
            local: Window {
                base: std::ptr::null_mut(),
                end: 0,
            },
            params: Arc::clone(&self.params),
            shape: self.shape,
            warp: 0,
            live: 0,
            failure: None,
            progress: false,
            watched: false,
            yields: false,
            clock: 0,
            lanes_run: 0,
            reduced: [0; BARRIERS],
            scratch: Scratch::new(),
            shadow: Shadows::new(self.checks),
        }
    }

    /// Runs clusters until none is left, or until `deadline`; whether none is left.
    fn work(&self, context: &mut Context, deadline: Option<Instant>) -> bool {
        loop {
            let next = self.next();
            match next {
                Next::End => {
                    self.queue().lanes_run += std::mem::take(&mut context.lanes_run);
                    return true;
                }
                Next::Wait => {
                    let queue = self.queue();
                    let wait = Duration::from_millis(1);
                    drop(
                        self.changed
                            .wait_timeout(queue, wait)
                            .unwrap_or_else(PoisonError::into_inner),
                    );
                }
                Next::Run(mut unit) => {
                    let outcome = unit.run(context, self.code);
                    self.after(unit, outcome, context);
                }
            }
            if deadline.is_some_and(|deadline| Instant::now() > deadline) {
                return false;
            }
        }
    }

    fn next(&self) -> Next {
        let mut queue = self.queue();
        if queue.fault.is_some() || queue.next == self.total && queue.resident == 0 {
            self.changed.notify_all();
            return Next::End;
        }
        let may_start = queue.next < self.total && queue.resident < self.most;
        // A cluster that waits is worth another try if something changed meanwhile, or if none else can be had.
        let changes = queue.changes;
        let worth = queue
            .parked
            .front()
            .is_some_and(|unit| unit.seen != changes || !may_start);
        if worth && let Some(unit) = queue.parked.pop_front() {
            return Next::Run(unit);
        }
        if !may_start {
            return Next::Wait;
        }
        let index = queue.next;
        queue.next += 1;
        queue.resident += 1;
        let spare = queue.spare.pop();
        drop(queue);
        let mut unit = spare.unwrap_or_else(|| Unit::new(self.code, &self.shape, self.checks));
        unit.start(index, &self.shape);
        Next::Run(unit)
    }

    fn after(&self, mut unit: Unit, outcome: Outcome, context: &mut Context) {
        let mut queue = self.queue();
        match outcome {
            Outcome::Done => {
                queue.resident -= 1;
                queue.changes += 1;
                queue.stuck = 0;
                queue.spare.push(unit);
            }
            Outcome::Waiting => {
                // What it did in earlier rounds of this run may be what others wait for.
                if unit.changed {
                    queue.changes += 1;
                    queue.stuck = 0;
                }
                unit.vain = if unit.seen == queue.changes {
                    unit.vain + 1
                } else {
                    0
                };
                unit.seen = queue.changes;
                if unit.vain == VAIN {
                    queue.stuck += 1;
                }
                let full = queue.next == self.total || queue.resident >= self.most;
                if queue.stuck >= queue.resident && full {
                    let what = "every block on the card waits for something that no block does";
                    queue.fault = Some(unit.deadlock(context, self.code, what));
                }
                queue.parked.push_back(unit);
            }
            Outcome::Failed(fault) => {
                queue.resident -= 1;
                queue.fault.get_or_insert(fault);
            }
        }
        self.changed.notify_one();
    }
}
