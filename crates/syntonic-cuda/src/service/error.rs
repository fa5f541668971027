//! What a service refuses, and how it fails.

use std::time::Duration;
use syntonic_core::{DeviceId, Error};

/// What the device says of a command that it did not carry out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// No program has this opcode.
    UnknownOpcode,
    /// The arguments lie outside of the slots.
    OutOfBounds,
    /// Arguments and sizes do not fit each other, or a number makes no sense.
    Misfit,
    /// No model has this number.
    NoModel,
    /// The host stopped it.
    Stopped,
    /// It took longer than any command may.
    TooLong,
    /// A word that this version does not know.
    Other(u64),
}

impl Status {
    /// The status that the device wrote; none for a command that was carried out.
    pub(super) fn of(word: u64) -> Option<Status> {
        match word {
            0 => None,
            1 => Some(Status::UnknownOpcode),
            2 => Some(Status::OutOfBounds),
            3 => Some(Status::Misfit),
            4 => Some(Status::NoModel),
            5 => Some(Status::Stopped),
            6 => Some(Status::TooLong),
            other => Some(Status::Other(other)),
        }
    }
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Status::UnknownOpcode => f.write_str(
                "no program has this opcode; hint: Operation has the opcodes that there are",
            ),
            Status::OutOfBounds => {
                f.write_str("the arguments lie outside of the slots; hint: ask for less at once")
            }
            Status::Misfit => f.write_str(
                "arguments and sizes do not fit each other, or a number makes no sense; hint: look at the operation's arguments",
            ),
            Status::NoModel => {
                f.write_str("no model has this number; hint: register it with this service")
            }
            Status::Stopped => f.write_str("the host stopped it; hint: ask again"),
            Status::TooLong => f.write_str(
                "it took longer than a command may; hint: fewer steps, a longer deadline, or an ordinary launch",
            ),
            Status::Other(word) => write!(f, "an unknown status {word}"),
        }
    }
}

/// An error of a [`Service`](super::Service).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServiceError {
    /// No service can run here.
    #[error("{op}: no service on {device}: {why}")]
    Refused {
        /// What was asked.
        op: &'static str,
        /// The GPU.
        device: DeviceId,
        /// Why, and the way out.
        why: String,
    },
    /// There was no answer in time. The command was told to stop, and the service takes no other one.
    #[error(
        "{op}: no answer from the service on {device} within {waited:?}, so it takes no more requests; hint: start another, with a longer deadline or for smaller requests; a GPU that others keep busy answers late"
    )]
    TimedOut {
        /// What was asked.
        op: &'static str,
        /// The GPU.
        device: DeviceId,
        /// The deadline.
        waited: Duration,
    },
    /// The requests of other threads took the whole deadline of this one, which was not begun.
    #[error(
        "{op}: requests of other threads kept the service on {device} for {waited:?}; hint: give each thread a service of its own"
    )]
    Busy {
        /// What was asked.
        op: &'static str,
        /// The GPU.
        device: DeviceId,
        /// The deadline.
        waited: Duration,
    },
    /// An earlier request timed out.
    #[error(
        "{op}: the service on {device} did not answer an earlier request, and takes no more; hint: start another"
    )]
    Poisoned {
        /// What was asked.
        op: &'static str,
        /// The GPU.
        device: DeviceId,
    },
    /// More doubles than a slot has.
    #[error(
        "{op}: {asked} doubles of arguments or answers, and the service has room for {most}; hint: Settings::most_doubles, at most {limit}, or an ordinary launch, which pays from there on"
    )]
    TooLarge {
        /// What was asked.
        op: &'static str,
        /// Doubles of the request.
        asked: usize,
        /// Doubles of a slot.
        most: usize,
        /// Doubles of the largest slot that can be asked for.
        limit: usize,
    },
    /// The device did not carry a command out.
    #[error("{op}: {status}")]
    Rejected {
        /// What was asked.
        op: &'static str,
        /// What the device says.
        status: Status,
    },
    /// Operands, settings, the driver, or an interruption.
    #[error(transparent)]
    Other(#[from] Error),
}

impl From<ServiceError> for Error {
    fn from(error: ServiceError) -> Error {
        let what = |text: String, op: &str| match text.split_once(": ") {
            Some((first, rest)) if first == op => rest.to_owned(),
            _ => text,
        };
        let text = error.to_string();
        match error {
            ServiceError::Other(error) => error,
            ServiceError::TooLarge { op, .. } | ServiceError::Rejected { op, .. } => {
                Error::value(op, what(text, op))
            }
            ServiceError::Refused { op, device, .. }
            | ServiceError::TimedOut { op, device, .. }
            | ServiceError::Busy { op, device, .. }
            | ServiceError::Poisoned { op, device } => Error::Fault {
                op: op.to_owned(),
                device,
                what: what(text, op),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_engine_name_the_operation_once_and_the_way_out() {
        let device = DeviceId::Cuda(1);
        let late = ServiceError::TimedOut {
            op: "echo",
            device,
            waited: Duration::from_millis(5),
        };
        let text = Error::from(late).to_string();
        assert!(
            text.starts_with("echo failed on cuda:1: no answer"),
            "{text}"
        );
        assert!(text.contains("5ms") && text.contains("hint"), "{text}");
        let wrong = ServiceError::Rejected {
            op: "call",
            status: Status::UnknownOpcode,
        };
        let text = Error::from(wrong).to_string();
        assert!(text.starts_with("call: no program"), "{text}");
        let own = ServiceError::from(Error::value("echo", "is wrong"));
        assert_eq!(Error::from(own).to_string(), "echo: is wrong");
    }

    #[test]
    fn every_word_of_the_device_is_a_status() {
        assert_eq!(Status::of(0), None);
        assert_eq!(Status::of(6), Some(Status::TooLong));
        assert_eq!(Status::of(99), Some(Status::Other(99)));
    }
}
