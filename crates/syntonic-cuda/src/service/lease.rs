//! Leases: begins them, sees that they end, and ends them. What starts one is a parameter, so that tests put a thread in the kernel's place.

use super::board::{ABORT, Board, Ending, HEART, LEAVE};
use super::error::ServiceError;
use super::settings::Settings;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use syntonic_core::{DeviceId, Result, interrupt};

/// What a lease begins with, beside what stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Begin {
    /// Its number, from 1 on.
    pub(super) number: u64,
    /// The command that was answered last, where commands follow each other.
    pub(super) done: u64,
}

/// What runs leases.
pub(super) trait Engine {
    /// Starts one, which takes commands as soon as it runs. The one before it has ended.
    fn begin(&mut self, board: &Board, begin: Begin) -> Result<()>;
    /// Whether nothing of any lease touches the board any more. Never waits.
    fn is_over(&self) -> Result<bool>;
}

/// A board and the lease that reads it, for those who want it to end and hold nothing else.
#[derive(Debug)]
pub(crate) struct Door {
    board: Board,
    lease: AtomicU64,
    /// Whether a request had no answer in time: then nothing is taken any more.
    poisoned: AtomicBool,
}

impl Door {
    /// The words that the lease and the host share.
    pub(super) fn board(&self) -> &Board {
        &self.board
    }

    /// The number of the lease that was begun last; 0 before the first.
    pub(super) fn lease(&self) -> u64 {
        self.lease.load(Ordering::Acquire)
    }

    /// Whether no lease was begun that has not said that it ends.
    pub(super) fn has_ended(&self) -> bool {
        let lease = self.lease();
        lease == 0 || self.board.ended(lease).is_some()
    }

    /// Whether nothing is taken any more.
    pub(super) fn is_poisoned(&self) -> bool {
        self.poisoned.load(Ordering::Acquire)
    }

    fn poison(&self) {
        self.poisoned.store(true, Ordering::Release);
    }

    /// Asks the lease of this moment to end as soon as it has nothing to do. Never waits.
    pub(crate) fn ask_to_leave(&self) {
        let lease = self.lease.load(Ordering::Acquire);
        self.board.word(LEAVE).store(lease, Ordering::Release);
    }
}

/// How a service has fared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Leases that were begun.
    pub leases: u64,
    /// Commands that were answered.
    pub commands: u64,
    /// Whether a lease was begun that has not ended.
    pub live: bool,
    /// Milliseconds that the last lease has polled, as it says itself.
    pub heartbeat: u64,
    /// Why the last lease ended, if it has.
    pub ending: Option<Ending>,
    /// Whether a request timed out: then nothing is taken any more.
    pub poisoned: bool,
}

/// A wait: at first it spins, later it lets others run and heeds interruptions.
pub(super) struct Waiting {
    begun: Instant,
    until: Instant,
}

/// Spins so long, then yields so long, and sleeps from there on.
const SPIN: Duration = Duration::from_micros(200);
const YIELD: Duration = Duration::from_millis(2);
const NAP: Duration = Duration::from_micros(50);

/// What a turn of a wait says.
pub(super) enum Turn {
    Again,
    Late,
}

impl Waiting {
    pub(super) fn until(until: Instant) -> Waiting {
        Waiting {
            begun: Instant::now(),
            until,
        }
    }

    pub(super) fn turn(&self) -> std::result::Result<Turn, interrupt::Interrupted> {
        let now = Instant::now();
        if now >= self.until {
            return Ok(Turn::Late);
        }
        let waited = now.duration_since(self.begun);
        if waited < SPIN {
            std::hint::spin_loop();
            return Ok(Turn::Again);
        }
        if waited < YIELD {
            std::thread::yield_now();
        } else {
            std::thread::sleep(NAP);
        }
        interrupt::poll()?;
        Ok(Turn::Again)
    }
}

/// The leases of a service, one after the other.
#[derive(Debug)]
pub(super) struct Leased<E> {
    engine: E,
    device: DeviceId,
    settings: Settings,
    door: Arc<Door>,
}

impl<E: Engine> Leased<E> {
    pub(super) fn new(engine: E, device: DeviceId, settings: Settings, board: Board) -> Leased<E> {
        let door = Door {
            board,
            lease: AtomicU64::new(0),
            poisoned: AtomicBool::new(false),
        };
        Leased {
            engine,
            device,
            settings,
            door: Arc::new(door),
        }
    }

    pub(super) fn door(&self) -> &Arc<Door> {
        &self.door
    }

    pub(super) fn engine(&mut self) -> &mut E {
        &mut self.engine
    }

    /// Begins one where none runs. Command `done` was answered last.
    pub(super) fn begin(&mut self, done: u64) -> Result<()> {
        let number = self.door.lease() + 1;
        self.door.lease.store(number, Ordering::Release);
        let begin = Begin { number, done };
        self.engine.begin(&self.door.board, begin).inspect_err(|_| {
            // There is no such lease.
            self.door.lease.store(number - 1, Ordering::Release);
        })
    }

    /// An error where nothing is taken any more.
    pub(super) fn check(&self, op: &'static str) -> std::result::Result<(), ServiceError> {
        match self.door.is_poisoned() {
            true => Err(ServiceError::Poisoned {
                op,
                device: self.device,
            }),
            false => Ok(()),
        }
    }

    /// A request had no answer in time: nothing is taken any more.
    pub(super) fn late(&mut self, op: &'static str, waited: Duration) -> ServiceError {
        self.door.poison();
        let device = self.device;
        ServiceError::TimedOut { op, device, waited }
    }

    /// Stops the lease, also in the middle of a command, and waits until it has ended. Where it does not end, or nobody can know, nothing is
    /// taken any more.
    pub(super) fn stop(&mut self) {
        let lease = self.door.lease();
        self.door.board.word(ABORT).store(lease, Ordering::Release);
        if !self.wait_for_end() {
            self.door.poison();
        }
    }

    /// Waits until no lease runs, at most as long as one can last, and says whether that is so.
    fn wait_for_end(&self) -> bool {
        let until = Instant::now() + self.settings.longest_lease();
        let waiting = Waiting::until(until);
        // What ends a lease must not be left half done.
        interrupt::regardless(|| {
            loop {
                if self.door.has_ended() {
                    match self.engine.is_over() {
                        Ok(true) => return true,
                        Ok(false) => {}
                        // The GPU is lost: nobody knows what still runs.
                        Err(_) => return false,
                    }
                }
                match waiting.turn() {
                    Ok(Turn::Again) => {}
                    _ => return self.door.has_ended() && matches!(self.engine.is_over(), Ok(true)),
                }
            }
        })
    }

    /// Ends the lease and waits for it, at most as long as one can last.
    pub(super) fn pause(&mut self, op: &'static str) -> std::result::Result<(), ServiceError> {
        self.door.ask_to_leave();
        if self.wait_for_end() {
            return Ok(());
        }
        Err(self.late(op, self.settings.longest_lease()))
    }

    /// How it has fared, with so many commands that were answered.
    pub(super) fn report(&self, commands: u64) -> Report {
        let Door { board, .. } = &*self.door;
        let lease = self.door.lease();
        let ending = board.ended(lease).filter(|_| lease > 0).flatten();
        Report {
            leases: lease,
            commands,
            live: !self.door.has_ended(),
            heartbeat: board.word(HEART).load(Ordering::Relaxed),
            ending,
            poisoned: self.door.is_poisoned(),
        }
    }
}
