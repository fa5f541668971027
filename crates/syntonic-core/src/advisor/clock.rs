//! What an advisor measures time with.

use std::fmt;
use std::time::{Duration, Instant};

/// A clock that never goes back.
pub trait Clock: fmt::Debug + Send + Sync {
    /// The time since a fixed moment.
    fn now(&self) -> Duration;
}

/// The host's own clock.
#[derive(Clone, Copy, Debug)]
pub struct HostTime {
    begun: Instant,
}

impl Default for HostTime {
    fn default() -> HostTime {
        HostTime {
            begun: Instant::now(),
        }
    }
}

impl Clock for HostTime {
    fn now(&self) -> Duration {
        self.begun.elapsed()
    }
}
