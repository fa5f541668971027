//! How long a device works.

use crate::device::Device;
use crate::dtype::DType;
use crate::error::Result;
use crate::ops::create::zeros;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Measures from when it was made, by [`Device::stopwatch`], until it is stopped.
///
/// ```
/// use syntonic_core::Tensor;
///
/// let x = Tensor::from([1.0, 2.0]);
/// let mut watch = x.device().stopwatch()?;
/// let y = x.exp()?.eval()?;
/// watch.stop()?; // of what the device was asked for, also where it is not done yet
/// assert!(watch.microseconds()? > 0.0 && y.numel() == 2);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub trait Stopwatch: Send + fmt::Debug {
    /// Ends the interval with what the device has been asked for so far; waits for nothing.
    fn stop(&mut self) -> Result<()>;

    /// The interval in microseconds. Waits for its end.
    fn microseconds(&self) -> Result<f64>;
}

/// A watch for devices that are done when a call returns.
#[derive(Debug)]
pub struct HostClock {
    begun: Instant,
    took: Duration,
}

impl HostClock {
    /// Begins now.
    ///
    /// ```
    /// use std::time::Duration;
    /// use syntonic_core::profile::{HostClock, Stopwatch};
    ///
    /// let mut watch = HostClock::start();
    /// std::thread::sleep(Duration::from_millis(2));
    /// watch.stop()?;
    /// assert!(watch.microseconds()? >= 2000.0);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn start() -> HostClock {
        HostClock {
            begun: Instant::now(),
            took: Duration::ZERO,
        }
    }
}

impl Stopwatch for HostClock {
    fn stop(&mut self) -> Result<()> {
        self.took = self.begun.elapsed();
        Ok(())
    }

    fn microseconds(&self) -> Result<f64> {
        Ok(self.took.as_nanos() as f64 / 1e3)
    }
}

/// Bytes that a copy reads and writes: more than any cache of a GPU holds.
pub(super) const COPIED: usize = 256 << 20;
/// The first ones bring the memory in.
const COPIES: usize = 6;

/// The shortest of some copies.
pub(super) fn shortest_copy(device: &Arc<dyn Device>) -> Result<Duration> {
    // Four bytes are read and four written an element.
    let from = zeros(&[COPIED / 8], DType::F32, device)?;
    let mut to = zeros(&[COPIED / 8], DType::F32, device)?;
    let mut shortest = Duration::MAX;
    for _ in 0..COPIES {
        let mut watch = device.stopwatch()?;
        to.assign(&from)?;
        watch.stop()?;
        let took = Duration::from_secs_f64(watch.microseconds()? / 1e6);
        shortest = shortest.min(took);
    }
    Ok(shortest)
}
