//! Who had the memory of a device when most of it was in use.

use crate::device::DeviceId;
use std::collections::HashMap;
use std::sync::Arc;

/// A line of the user's program, or the operation where nobody named one.
pub(super) type Site = Arc<str>;

/// Blocks of one device while a recording lasts.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    /// Those that were asked for meanwhile and are still there, by address.
    live: HashMap<usize, (Site, usize)>,
    /// Their bytes by who asked for them.
    held: HashMap<Site, usize>,
    /// The most bytes in use, and who reached that.
    most: usize,
    reached: Option<Site>,
    /// Whether `held` is what it was then. It is copied when it changes, not at each step of a way up.
    is_now: bool,
    /// What `held` was then.
    then: HashMap<Site, usize>,
}

impl Blocks {
    /// A block was given, with which so many bytes are in use.
    pub(super) fn given(&mut self, site: &Site, address: usize, bytes: usize, in_use: usize) {
        let rises = in_use > self.most;
        if !rises {
            self.keep();
        }
        // What was there before under this address has gone without a word.
        self.forget(address);
        self.live.insert(address, (site.clone(), bytes));
        *self.held.entry(site.clone()).or_default() += bytes;
        if rises {
            self.most = in_use;
            self.reached = Some(site.clone());
            self.is_now = true;
        }
    }

    /// A block goes back.
    pub(super) fn taken_back(&mut self, address: usize) {
        if self.live.contains_key(&address) {
            self.keep();
            self.forget(address);
        }
    }

    fn keep(&mut self) {
        if std::mem::take(&mut self.is_now) {
            self.then = self.held.clone();
        }
    }

    fn forget(&mut self, address: usize) {
        let Some((site, bytes)) = self.live.remove(&address) else {
            return;
        };
        if let Some(held) = self.held.get_mut(&site) {
            *held -= bytes;
            if *held == 0 {
                self.held.remove(&site);
            }
        }
    }

    /// What is told of it.
    pub(super) fn peak(mut self, device: DeviceId) -> Peak {
        self.keep();
        let held = self.then.into_iter().map(|(site, bytes)| Held {
            site: site.to_string(),
            bytes,
        });
        let mut held: Vec<Held> = held.collect();
        held.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.site.cmp(&b.site)));
        Peak {
            device,
            bytes: self.most,
            site: self.reached.map(|site| site.to_string()),
            held,
        }
    }
}

/// The most memory of a device that was in use at once, and whose it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peak {
    /// The device.
    pub device: DeviceId,
    /// Bytes in use, as [`Device::stats`](crate::Device::stats) counts them: on the CPU blocks of 64 KiB and more.
    pub bytes: usize,
    /// The line that asked for the block with which it was reached, or the operation where nobody named a line.
    pub site: Option<String>,
    /// What was in use then and was asked for while the recording lasted, most bytes first.
    pub held: Vec<Held>,
}

/// Memory that one line had asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The line, such as `train.py:12`, or the operation where nobody named a line.
    pub site: String,
    /// Bytes of its blocks together.
    pub bytes: usize,
}

impl Peak {
    /// Bytes that were in use then and that no line asked for while the recording lasted: mostly tensors from before.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_core::profile::{self, with_site};
    ///
    /// let x = Tensor::ones(&[256, 1024], DType::F32)?.eval()?;
    /// let recording = profile::start();
    /// let y = with_site("train.rs:7".to_owned(), || (&x * 2.0).eval())?;
    /// let z = with_site("train.rs:8".to_owned(), || (&y + &x).eval())?;
    /// let profile = recording.finish()?;
    /// let peak = &profile.peaks[0];
    /// assert_eq!(peak.site.as_deref(), Some("train.rs:8"));
    /// let held: Vec<(&str, usize)> = peak.held.iter().map(|h| (&*h.site, h.bytes)).collect();
    /// assert_eq!(held, [("train.rs:7", 1 << 20), ("train.rs:8", 1 << 20)]);
    /// assert!(peak.before() >= 1 << 20); // `x`
    /// # drop(z);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn before(&self) -> usize {
        let held: usize = self.held.iter().map(|held| held.bytes).sum();
        self.bytes.saturating_sub(held)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peak_is_what_was_there_when_most_was() {
        let [a, b]: [Site; 2] = ["a.py:1", "b.py:2"].map(Site::from);
        let mut blocks = Blocks::default();
        blocks.given(&a, 64, 100, 1100);
        blocks.given(&b, 128, 50, 1150);
        blocks.given(&b, 192, 50, 1200);
        blocks.taken_back(128);
        blocks.taken_back(7);
        blocks.given(&a, 128, 20, 1170);
        blocks.taken_back(64);
        let peak = blocks.peak(DeviceId::Cpu);
        assert_eq!((peak.bytes, peak.site.as_deref()), (1200, Some("b.py:2")));
        let held: Vec<(&str, usize)> = peak.held.iter().map(|h| (&*h.site, h.bytes)).collect();
        assert_eq!(held, [("a.py:1", 100), ("b.py:2", 100)]);
        assert_eq!(peak.before(), 1000);
    }

    #[test]
    fn a_peak_that_still_lasts_is_told() {
        let site = Site::from("a.py:1");
        let mut blocks = Blocks::default();
        blocks.given(&site, 64, 100, 100);
        // The block at this address went back while nobody looked.
        blocks.given(&site, 64, 300, 300);
        let peak = blocks.peak(DeviceId::Cpu);
        assert_eq!((peak.bytes, peak.before()), (300, 0));
        assert_eq!(Blocks::default().peak(DeviceId::Cpu).site, None);
    }
}
