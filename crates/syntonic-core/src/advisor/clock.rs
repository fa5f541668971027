//! What an advisor measures time with.

use std::fmt;
use std::time::{Duration, Instant};

/// A clock that never goes back.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
/// use std::time::Duration;
/// use syntonic_core::advisor::Clock;
///
/// /// One millisecond from each look to the next, for a test of what is chosen.
/// #[derive(Debug, Default)]
/// struct Steady(AtomicU64);
///
/// impl Clock for Steady {
///     fn now(&self) -> Duration {
///         Duration::from_millis(self.0.fetch_add(1, Relaxed))
///     }
/// }
///
/// let clock = Steady::default();
/// assert_eq!([clock.now(), clock.now()], [0, 1].map(Duration::from_millis));
/// ```
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
