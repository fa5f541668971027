//! How long a lease lasts, and how long a request waits.

use super::board::MOST;
use std::time::Duration;
use syntonic_core::{Error, Result};

/// What holds of a service. Times are at least 1 µs, and a lease at most a minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// A lease ends after this time without a request. It bounds how long the GPU stays taken once the host asks no more.
    pub idle: Duration,
    /// A lease ends at this age also if requests come all the time. With the longest command it bounds what others wait who
    /// synchronise with the whole GPU.
    pub lifetime: Duration,
    /// A lease ends after so many requests.
    pub most_commands: u64,
    /// A request that has no answer after this time is an error, and ends the service. A command stops by itself after twice the time.
    pub deadline: Duration,
    /// Doubles of arguments or answers of a request.
    pub most_doubles: usize,
}

impl Default for Settings {
    /// 100 ms without work, 1 s of age, 2^20 requests; a second for an answer; 8192 doubles.
    fn default() -> Settings {
        Settings {
            idle: Duration::from_millis(100),
            lifetime: Duration::from_secs(1),
            most_commands: 1 << 20,
            deadline: Duration::from_secs(1),
            most_doubles: 8192,
        }
    }
}

impl Settings {
    /// The longest that a lease can last: its lifetime, and a command that came at its end.
    ///
    /// ```
    /// use std::time::Duration;
    /// use syntonic_cuda::service::Settings;
    ///
    /// // Whoever waits for the whole GPU shall wait for a tenth of a second at most.
    /// let second = Duration::from_secs(1);
    /// let settings = Settings { lifetime: second / 20, deadline: second / 40, ..Settings::default() };
    /// assert_eq!(settings.longest_lease(), second / 10);
    /// assert_eq!(Settings::default().longest_lease(), 3 * second);
    /// ```
    pub fn longest_lease(&self) -> Duration {
        self.lifetime + 2 * self.deadline
    }

    /// An error where a setting makes no sense.
    pub(super) fn check(&self) -> Result<()> {
        let shortest = Duration::from_micros(1);
        let longest = Duration::from_secs(60);
        let times = [
            ("idle", self.idle),
            ("lifetime", self.lifetime),
            ("deadline", self.deadline),
        ];
        for (name, time) in times {
            if !(shortest..=longest).contains(&time) {
                let text = format!("{name} is 1 µs to 60 s, not {time:?}: a lease has to end");
                return Err(Error::value("Service", text));
            }
        }
        if self.most_commands == 0 {
            let text = "most_commands is 1 or more: a lease that takes none answers nothing";
            return Err(Error::value("Service", text));
        }
        if self.most_doubles == 0 || self.most_doubles > MOST {
            let text = format!(
                "most_doubles is 1 to {MOST}, not {}; hint: larger work is worth a launch",
                self.most_doubles
            );
            return Err(Error::value("Service", text));
        }
        Ok(())
    }
}

/// Nanoseconds; every time that was checked fits.
pub(super) fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_refused() {
        let usual = Settings::default();
        assert!(usual.check().is_ok());
        assert_eq!(usual.longest_lease(), Duration::from_secs(3));
        let wrong = [
            Settings {
                idle: Duration::MAX,
                ..usual
            },
            Settings {
                lifetime: Duration::ZERO,
                ..usual
            },
            Settings {
                deadline: Duration::from_secs(61),
                ..usual
            },
            Settings {
                most_commands: 0,
                ..usual
            },
            Settings {
                most_doubles: MOST + 1,
                ..usual
            },
        ];
        for settings in wrong {
            assert!(settings.check().is_err(), "{settings:?}");
        }
    }
}
