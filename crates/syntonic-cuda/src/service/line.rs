//! The host's side of a service: posts commands and waits for answers.

use super::board::{self, Board, SLOTS};
use super::error::{ServiceError, Status};
use super::lease::{Engine, Leased, Report, Turn, Waiting};
use super::settings::Settings;
use std::time::Instant;
use syntonic_core::{DeviceId, interrupt};

/// How a request ended that has no answer.
enum Missed {
    Late,
    Interrupted,
    Failed(syntonic_core::Error),
}

/// A line to the device, which one thread uses at a time.
#[derive(Debug)]
pub(super) struct Line<E> {
    pub(super) leased: Leased<E>,
    settings: Settings,
    /// The command that was answered last.
    done: u64,
    commands: u64,
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
        Line {
            leased: Leased::new(engine, device, settings, board),
            settings,
            done,
            commands: 0,
        }
    }

    fn board(&self) -> &Board {
        self.leased.door().board()
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
        self.leased.check(op)?;
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
        let board = *self.board();
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
            if self.leased.door().has_ended() {
                // A lease answers before it says that it ends, and takes nothing afterwards.
                if let Some(word) = self.board().answer(number) {
                    return Ok(word);
                }
                self.leased.begin(self.done).map_err(Missed::Failed)?;
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
            Missed::Late => self.leased.late(op, self.settings.deadline),
            Missed::Interrupted => {
                ServiceError::Other(syntonic_core::Error::from(interrupt::Interrupted).named(op))
            }
        };
        self.leased.stop();
        if self.board().answer(number).is_some() {
            self.answered(number);
        }
        error
    }

    pub(super) fn report(&self) -> Report {
        self.leased.report(self.commands)
    }
}

// Numbers of commands that follow each other have slots of their own, also where they wrap.
const _: () = assert!(SLOTS.is_power_of_two());

#[cfg(test)]
#[path = "line_tests.rs"]
mod tests;
