//! The host's side of a service: posts commands, waits for answers, begins leases and ends them. What starts a lease is a parameter, so
//! that tests put a thread in the kernel's place.

use super::board::{self, ABORT, Board, Ending, HEART, LEAVE, SLOTS};
use super::error::{ServiceError, Status};
use super::settings::Settings;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use syntonic_core::{DeviceId, Result, interrupt};

/// What a lease begins with, beside what stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Begin {
    /// Its number, from 1 on.
    pub(super) number: u64,
    /// The command that was answered last.
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
}

impl Door {
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
struct Waiting {
    begun: Instant,
    until: Instant,
}

/// Spins so long, then yields so long, and sleeps from there on.
const SPIN: Duration = Duration::from_micros(200);
const YIELD: Duration = Duration::from_millis(2);
const NAP: Duration = Duration::from_micros(50);

/// What a turn of a wait says.
enum Turn {
    Again,
    Late,
}

impl Waiting {
    fn until(until: Instant) -> Waiting {
        Waiting {
            begun: Instant::now(),
            until,
        }
    }

    fn turn(&self) -> std::result::Result<Turn, interrupt::Interrupted> {
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

/// How a request ended that has no answer.
enum Missed {
    Late,
    Interrupted,
    Failed(syntonic_core::Error),
}

/// A line to the device, which one thread uses at a time.
#[derive(Debug)]
pub(super) struct Line<E> {
    engine: E,
    device: DeviceId,
    settings: Settings,
    door: Arc<Door>,
    /// The command that was answered last.
    done: u64,
    commands: u64,
    poisoned: bool,
}

impl<E: Engine> Line<E> {
    /// A line over a board on which command `done` was answered last.
    pub(super) fn new(
        engine: E,
        device: DeviceId,
        settings: Settings,
        board: Board,
        done: u64,
    ) -> Line<E> {
        let lease = AtomicU64::new(0);
        Line {
            engine,
            device,
            settings,
            door: Arc::new(Door { board, lease }),
            done,
            commands: 0,
            poisoned: false,
        }
    }

    pub(super) fn door(&self) -> &Arc<Door> {
        &self.door
    }

    pub(super) fn engine(&mut self) -> &mut E {
        &mut self.engine
    }

    fn board(&self) -> &Board {
        &self.door.board
    }

    fn lease(&self) -> u64 {
        self.door.lease.load(Ordering::Relaxed)
    }

    /// Whether no lease was begun that has not said that it ends.
    fn has_ended(&self) -> bool {
        let lease = self.lease();
        lease == 0 || self.board().ended(lease).is_some()
    }

    fn begin(&mut self) -> Result<()> {
        let number = self.lease() + 1;
        self.door.lease.store(number, Ordering::Release);
        let begin = Begin {
            number,
            done: self.done,
        };
        self.engine.begin(&self.door.board, begin).inspect_err(|_| {
            // There is no such lease.
            self.door.lease.store(number - 1, Ordering::Release);
        })
    }

    /// An error where nothing is taken any more.
    pub(super) fn check(&self, op: &'static str) -> std::result::Result<(), ServiceError> {
        match self.poisoned {
            true => Err(ServiceError::Poisoned {
                op,
                device: self.device,
            }),
            false => Ok(()),
        }
    }

    /// Carries a command out: `arguments`, one part after the other, and then the `answers`. A lease is begun where none runs, and
    /// again where one ends before it takes the command.
    pub(super) fn call(
        &mut self,
        op: &'static str,
        opcode: u8,
        arguments: &[&[f64]],
        answers: &mut [&mut [f64]],
    ) -> std::result::Result<(), ServiceError> {
        self.check(op)?;
        let most = self.settings.most_doubles;
        let asked = arguments.iter().map(|part| part.len()).sum::<usize>();
        let answered = answers.iter().map(|part| part.len()).sum::<usize>();
        if asked.max(answered) > most {
            return Err(ServiceError::TooLarge {
                op,
                asked: asked.max(answered),
                most,
                limit: board::MOST,
            });
        }
        let until = Instant::now() + self.settings.deadline;
        let number = self.done.wrapping_add(1);
        let board = self.door.board;
        let length = board.write(number, arguments);
        let text = board::text(number, opcode, board.offset(number), length);
        board.post(number, text);
        match self.wait(number, until) {
            Ok(word) => {
                self.answered(number);
                if let Some(status) = Status::of(word) {
                    return Err(ServiceError::Rejected { op, status });
                }
                board.read(number, answers);
                Ok(())
            }
            Err(missed) => Err(self.give_up(op, number, missed)),
        }
    }

    fn answered(&mut self, number: u64) {
        self.done = number;
        self.commands += 1;
    }

    fn wait(&mut self, number: u64, until: Instant) -> std::result::Result<u64, Missed> {
        let waiting = Waiting::until(until);
        loop {
            if let Some(word) = self.board().answer(number) {
                return Ok(word);
            }
            if self.has_ended() {
                // A lease answers before it says that it ends, and takes nothing afterwards.
                if let Some(word) = self.board().answer(number) {
                    return Ok(word);
                }
                self.begin().map_err(Missed::Failed)?;
            }
            match waiting.turn() {
                Ok(Turn::Again) => {}
                Ok(Turn::Late) => return Err(Missed::Late),
                Err(interrupt::Interrupted) => return Err(Missed::Interrupted),
            }
        }
    }

    /// Ends the lease that has not answered. Where it does not end, or nobody can know, the service is of no use any more.
    fn give_up(&mut self, op: &'static str, number: u64, missed: Missed) -> ServiceError {
        let error = match missed {
            // The lease was refused: the command was never taken, and the next one has its number.
            Missed::Failed(error) => return ServiceError::Other(error),
            Missed::Late => {
                self.poisoned = true;
                ServiceError::TimedOut {
                    op,
                    device: self.device,
                    waited: self.settings.deadline,
                }
            }
            Missed::Interrupted => {
                ServiceError::Other(syntonic_core::Error::from(interrupt::Interrupted).named(op))
            }
        };
        let lease = self.lease();
        self.board().word(ABORT).store(lease, Ordering::Release);
        if !self.wait_for_end() {
            self.poisoned = true;
        } else if self.board().answer(number).is_some() {
            self.answered(number);
        }
        error
    }

    /// Waits until no lease runs, at most as long as one can last, and says whether that is so.
    fn wait_for_end(&self) -> bool {
        let until = Instant::now() + self.settings.longest_lease();
        let waiting = Waiting::until(until);
        // What ends a lease must not be left half done.
        interrupt::regardless(|| {
            loop {
                if self.has_ended() {
                    match self.engine.is_over() {
                        Ok(true) => return true,
                        Ok(false) => {}
                        // The GPU is lost: nobody knows what still runs.
                        Err(_) => return false,
                    }
                }
                match waiting.turn() {
                    Ok(Turn::Again) => {}
                    _ => return self.has_ended() && matches!(self.engine.is_over(), Ok(true)),
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
        self.poisoned = true;
        Err(ServiceError::TimedOut {
            op,
            device: self.device,
            waited: self.settings.longest_lease(),
        })
    }

    pub(super) fn report(&self) -> Report {
        let lease = self.lease();
        let ending = self.board().ended(lease).filter(|_| lease > 0).flatten();
        Report {
            leases: lease,
            commands: self.commands,
            live: !self.has_ended(),
            heartbeat: self.board().word(HEART).load(Ordering::Relaxed),
            ending,
            poisoned: self.poisoned,
        }
    }
}

// Numbers of commands that follow each other have slots of their own, also where they wrap.
const _: () = assert!(SLOTS.is_power_of_two());

#[cfg(test)]
#[path = "line_tests.rs"]
mod tests;
