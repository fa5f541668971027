//! What a recording comes to: a table of launches, and who asked for memory.

use super::{Asked, Footprint, Log, Peak, copy_rate};
use crate::device::{Device, DeviceId};
use crate::dtype::DType;
use crate::error::Result;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Places of allocations that a table shows.
const SHOWN_PLACES: usize = 10;

/// All launches of one operator over one shape and type, from one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The operator, or a formula with the primitives it is made of.
    pub name: String,
    /// The type of the result.
    pub dtype: DType,
    /// The index space of a formula, the shape of a kernel's result.
    pub shape: String,
    /// The device.
    pub device: DeviceId,
    /// Where it was asked for, if that is known.
    pub site: Option<String>,
    /// How often.
    pub calls: usize,
    /// Microseconds of all calls together.
    pub total_us: f64,
    /// Bytes of a call: each operand once.
    pub bytes: usize,
    /// The speed as a part of that of a copy on the same device; none where that could not be measured.
    pub copy_fraction: Option<f64>,
    /// The kernels of the first call, on a GPU; those of other libraries are not known.
    pub kernels: Vec<Footprint>,
}

impl Line {
    /// Gigabytes a second.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_core::profile;
    ///
    /// let x = Tensor::ones(&[1000], DType::F32)?;
    /// let recording = profile::start();
    /// x.sum(..)?.eval()?;
    /// let profile = recording.finish()?;
    /// assert!(profile.lines.iter().all(|line| line.rate() > 0.0));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn rate(&self) -> f64 {
        (self.calls * self.bytes) as f64 / self.total_us.max(1e-3) / 1e3
    }
}

/// What was recorded.
#[derive(Clone, Debug)]
pub struct Profile {
    /// By operator, shape, type, device and place, those that took most time first.
    pub lines: Vec<Line>,
    /// From the start of the recording to its end.
    pub wall: Duration,
    /// The most memory in use at once, device by device, and which lines had asked for it.
    pub peaks: Vec<Peak>,
    /// Memory by the place that asked for it, most bytes first: place, times, bytes. The operation where nobody named a place.
    pub allocations: Vec<(String, usize, usize)>,
}

impl Profile {
    pub(super) fn of(log: Log, wall: Duration) -> Result<Profile> {
        let mut devices: Vec<Arc<dyn Device>> = Vec::new();
        let mut at: HashMap<_, usize> = HashMap::new();
        let mut lines: Vec<Line> = Vec::new();
        for sample in &log.samples {
            let (entry, device) = (&sample.entry, sample.device.id());
            let us = sample.microseconds()?;
            if !devices.iter().any(|d| d.id() == device) {
                devices.push(sample.device.clone());
            }
            let line = *at.entry((entry.clone(), device)).or_insert_with(|| {
                lines.push(Line {
                    name: entry.name.clone(),
                    dtype: entry.dtype,
                    shape: entry.shape.clone(),
                    device,
                    site: entry.site.clone(),
                    calls: 0,
                    total_us: 0.0,
                    bytes: entry.bytes,
                    copy_fraction: None,
                    kernels: sample.kernels.clone(),
                });
                lines.len() - 1
            });
            lines[line].calls += 1;
            lines[line].total_us += us;
        }
        for device in &devices {
            let Some(copy) = copy_rate(device) else {
                continue;
            };
            for line in lines.iter_mut().filter(|line| line.device == device.id()) {
                line.copy_fraction = Some(line.rate() / copy);
            }
        }
        lines.sort_by(|a, b| b.total_us.total_cmp(&a.total_us));
        let memory = log.memory.into_iter();
        let mut peaks: Vec<Peak> = memory.map(|(id, blocks)| blocks.peak(id)).collect();
        peaks.sort_by_key(|peak| peak.device.to_string());
        let asked = log.asked.into_iter();
        let mut allocations: Vec<_> = asked
            .map(|(site, Asked { times, bytes })| (site.to_string(), times, bytes))
            .collect();
        allocations.sort_by(|a, b| b.2.cmp(&a.2).then_with(|| a.0.cmp(&b.0)));
        Ok(Profile {
            lines,
            wall,
            peaks,
            allocations,
        })
    }

    /// Launches of all lines together.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_core::profile;
    ///
    /// let recording = profile::start();
    /// let profile = recording.finish()?;
    /// let calls: usize = profile.lines.iter().map(|line| line.calls).sum();
    /// assert_eq!(profile.launches(), calls);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn launches(&self) -> usize {
        self.lines.iter().map(|line| line.calls).sum()
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:>6} {:>10} {:>10} {:>9} {:>5}  what",
            "calls", "total us", "us a call", "GB/s", "copy"
        )?;
        for line in &self.lines {
            let part = line
                .copy_fraction
                .map_or_else(|| "-".to_owned(), |part| format!("{part:.2}"));
            write!(
                f,
                "{:>6} {:>10.1} {:>10.1} {:>9.1} {part:>5}  {} {} {} {}",
                line.calls,
                line.total_us,
                line.total_us / line.calls as f64,
                line.rate(),
                line.name,
                line.dtype,
                line.shape,
                line.device,
            )?;
            match &line.site {
                Some(site) => writeln!(f, "  {site}")?,
                None => writeln!(f)?,
            }
        }
        let busy: f64 = self.lines.iter().map(|line| line.total_us).sum();
        writeln!(
            f,
            "{} launches, {busy:.1} us of {:.1} us",
            self.launches(),
            self.wall.as_nanos() as f64 / 1e3
        )?;
        for peak in &self.peaks {
            let Peak {
                device,
                bytes,
                site,
                held,
            } = peak;
            write!(f, "{device}: {bytes} bytes in use at most")?;
            match site {
                Some(site) => writeln!(f, ", reached at {site}")?,
                None => writeln!(f)?,
            }
            for held in held.iter().take(SHOWN_PLACES) {
                writeln!(f, "{:>14} bytes of them  {}", held.bytes, held.site)?;
            }
            writeln!(f, "{:>14} bytes of them  from before", peak.before())?;
        }
        for (place, times, bytes) in self.allocations.iter().take(SHOWN_PLACES) {
            writeln!(f, "{times:>6} allocations of {bytes} bytes  {place}")?;
        }
        Ok(())
    }
}
