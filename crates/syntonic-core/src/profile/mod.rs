//! What a device was asked to run, how long each launch took and how many bytes it moved.
//!
//! ```
//! use syntonic_core::ops::reduce::{self, Over};
//! use syntonic_core::{DType, Tensor, cpu, profile};
//!
//! let x = Tensor::from_slice(&[1.0, 2.0, 3.0, 4.0], &[2, 2])?;
//! let recording = profile::start();
//! reduce::sum(&x, &Over::axes(&[-1]), None)?.eval()?;
//! let profile = recording.finish()?;
//! assert_eq!(profile.launches(), 1);
//! println!("{profile}");
//! # Ok::<(), syntonic_core::Error>(())
//! ```
//!
//! A recording takes in the launches of all threads. On a GPU a launch lies between two events of its stream: nothing waits
//! while the recording lasts, and what runs beside it on other streams counts in both. Whoever subscribes to `tracing` events
//! of the target [`LAUNCHES`] at the level `DEBUG` gets a line a launch; the device is waited for after each of them. A profiler
//! that shows named ranges is told of each launch through [`Ranges`].

mod entry;
mod footprint;
mod memory;
mod ranges;
mod report;
mod sites;
mod stopwatch;
#[cfg(test)]
mod tests;

pub use footprint::{Footprint, note_kernel};
pub use memory::{Held, Peak};
pub use ranges::{Ranges, set_ranges};
pub use report::{Line, Profile};
pub use sites::{site, with_site};
pub use stopwatch::{HostClock, Stopwatch};

use crate::device::{Device, DeviceId, Kernel, Launch};
use crate::dtype::DType;
use crate::error::Result;
use crate::fork::lock;
use crate::fuse::Task;
use crate::graph::is_capturing;
use crate::interrupt;
use entry::Entry;
use memory::{Blocks, Site};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The target of `tracing` events that tell of one launch each.
pub const LAUNCHES: &str = "syntonic::launch";

/// Recordings that go on.
static OPEN: Mutex<Vec<Arc<Mutex<Log>>>> = Mutex::new(Vec::new());
/// How many they are, to be asked at each launch.
static ACTIVE: AtomicUsize = AtomicUsize::new(0);

/// In a child nothing is recorded of what was begun in its parent: nobody might ever finish it.
#[cfg(unix)]
pub(crate) fn after_fork() {
    ACTIVE.store(0, Ordering::Relaxed);
    if let Ok(mut open) = OPEN.try_lock() {
        // What a sample of a GPU holds is the parent's.
        std::mem::forget(std::mem::take(&mut *open));
    }
}

/// True while something is recorded.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_core::profile;
///
/// let recording = profile::start();
/// assert!(profile::is_active());
/// recording.finish()?;
/// # Ok::<(), syntonic_core::Error>(())
/// ```
#[inline]
pub fn is_active() -> bool {
    ACTIVE.load(Ordering::Relaxed) > 0
}

/// A launch, and the watch that ran beside it.
#[derive(Debug)]
struct Sample {
    entry: Entry,
    kernels: Vec<Footprint>,
    device: Arc<dyn Device>,
    /// Read once; by the first recording that ends.
    watch: Mutex<Watch>,
}

#[derive(Debug)]
enum Watch {
    Stopped(Box<dyn Stopwatch>),
    Read(f64),
}

impl Sample {
    fn microseconds(&self) -> Result<f64> {
        let mut watch = lock(&self.watch);
        let read = match &*watch {
            Watch::Read(microseconds) => *microseconds,
            Watch::Stopped(stopwatch) => stopwatch.microseconds()?,
        };
        *watch = Watch::Read(read);
        Ok(read)
    }
}

/// Memory that was asked for from one place.
#[derive(Clone, Copy, Debug, Default)]
struct Asked {
    times: usize,
    bytes: usize,
}

#[derive(Debug, Default)]
struct Log {
    samples: Vec<Arc<Sample>>,
    asked: HashMap<Site, Asked>,
    memory: HashMap<DeviceId, Blocks>,
}

/// A recording that goes on until it is finished or dropped.
#[derive(Debug)]
#[must_use = "a recording ends when it is dropped"]
pub struct Recording {
    log: Arc<Mutex<Log>>,
    begun: Instant,
}

/// Begins to record. Recordings may overlap; each has what ran while it lasted, in the process that began it: a forked child has
/// what ran before the fork.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_core::profile;
///
/// let x = Tensor::ones(&[1000], DType::F32)?;
/// let recording = profile::start();
/// x.sum(..)?.eval()?;
/// let profile = recording.finish()?;
/// assert!(profile.launches() >= 1);
/// assert!(profile.to_string().contains("sum"));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn start() -> Recording {
    let log = Arc::new(Mutex::new(Log::default()));
    lock(&OPEN).push(log.clone());
    ACTIVE.fetch_add(1, Ordering::Relaxed);
    Recording {
        log,
        begun: Instant::now(),
    }
}

impl Recording {
    /// Waits for the launches that were recorded and reads their times. The first time a device is seen its copy bandwidth
    /// is measured, which takes some milliseconds.
    ///
    /// Errors: what the device says when it is waited for.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_core::profile;
    ///
    /// let x = Tensor::ones(&[1000], DType::F32)?;
    /// let recording = profile::start();
    /// x.sum(..)?.eval()?;
    /// let profile = recording.finish()?;
    /// let sum = profile.lines.iter().find(|line| line.name.contains("sum")).unwrap();
    /// assert!(sum.bytes >= 4000 && sum.device == DeviceId::Cpu);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn finish(self) -> Result<Profile> {
        let log = std::mem::take(&mut *lock(&self.log));
        let wall = self.begun.elapsed();
        drop(self);
        Profile::of(log, wall)
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        let mut open = lock(&OPEN);
        if let Some(at) = open.iter().position(|log| Arc::ptr_eq(log, &self.log)) {
            open.swap_remove(at);
            ACTIVE.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// Runs `work`, which runs the task on `device`: every program goes through here.
#[inline]
pub(crate) fn program(
    device: &Arc<dyn Device>,
    task: &Task<'_>,
    work: impl FnOnce() -> Result<()>,
) -> Result<()> {
    interrupt::at_launch()?;
    match is_wanted() {
        false => work(),
        true => watched(device, Entry::of_task(task), work),
    }
}

/// Runs `work`, which runs the tasks on `device`, of which there is at least one.
pub(crate) fn programs(
    device: &Arc<dyn Device>,
    tasks: &[Task<'_>],
    work: impl FnOnce() -> Result<()>,
) -> Result<()> {
    interrupt::at_launch()?;
    match is_wanted() {
        false => work(),
        true => watched(device, Entry::of_tasks(tasks), work),
    }
}

/// Runs `work`, which runs steps of this name on `device`: the type and shape of their first result, and the bytes that they move.
pub(crate) fn steps(
    device: &Arc<dyn Device>,
    name: &str,
    moved: (DType, &[usize], usize),
    work: impl FnOnce() -> Result<()>,
) -> Result<()> {
    interrupt::at_launch()?;
    match is_wanted() {
        false => work(),
        true => watched(device, Entry::of_steps(name, moved), work),
    }
}

/// Runs `work`, which launches the kernel on `device`: every kernel goes through here.
#[inline]
pub(crate) fn kernel(
    device: &Arc<dyn Device>,
    kernel: &Kernel,
    args: &Launch,
    work: impl FnOnce() -> Result<()>,
) -> Result<()> {
    interrupt::at_launch()?;
    match is_wanted() {
        false => work(),
        true => watched(device, Entry::of_launch(kernel, args), work),
    }
}

#[inline]
fn is_wanted() -> bool {
    is_timed() || ranges::of_profiler().is_some()
}

fn is_timed() -> bool {
    is_active() || is_logged()
}

fn is_logged() -> bool {
    tracing::enabled!(target: LAUNCHES, tracing::Level::DEBUG)
}

#[cold]
fn watched(
    device: &Arc<dyn Device>,
    entry: Entry,
    work: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let work = || {
        let _range = ranges::open(&entry);
        work()
    };
    // What is captured may not run now, and a watch is no part of it.
    if !is_timed() || is_capturing(device.id()) {
        return work();
    }
    let mut stopwatch = device.stopwatch()?;
    let (done, kernels) = footprint::noted(work);
    done?;
    stopwatch.stop()?;
    let sample = Arc::new(Sample {
        entry,
        kernels,
        device: device.clone(),
        watch: Mutex::new(Watch::Stopped(stopwatch)),
    });
    if is_logged() {
        let us = sample.microseconds()?;
        let Entry {
            name,
            dtype,
            shape,
            bytes,
            ..
        } = &sample.entry;
        let rate = *bytes as f64 / us.max(1e-3) / 1e3;
        tracing::debug!(
            target: LAUNCHES,
            "{name} {dtype} {shape} {} {us:.1} us {rate:.1} GB/s",
            device.id()
        );
    }
    for log in lock(&OPEN).iter() {
        lock(log).samples.push(sample.clone());
    }
    Ok(())
}

/// Takes note of memory that was given to an operation.
#[inline]
pub(crate) fn given(device: &Arc<dyn Device>, op: &'static str, address: *mut u8, bytes: usize) {
    if is_active() {
        note(device, op, address.addr(), bytes);
    }
}

#[cold]
fn note(device: &Arc<dyn Device>, op: &'static str, address: usize, bytes: usize) {
    let (id, in_use) = (device.id(), device.stats().in_use);
    let site = site().map_or_else(|| Site::from(op), Site::from);
    for log in lock(&OPEN).iter() {
        let mut log = lock(log);
        let blocks = log.memory.entry(id).or_default();
        blocks.given(&site, address, bytes, in_use);
        let asked = log.asked.entry(site.clone()).or_default();
        asked.times += 1;
        asked.bytes = asked.bytes.saturating_add(bytes);
    }
}

/// Takes note of memory that goes back, before anybody else may have it.
#[inline]
pub(crate) fn taken_back(device: &Arc<dyn Device>, address: *mut u8) {
    if is_active() {
        note_end(device, address.addr());
    }
}

#[cold]
fn note_end(device: &Arc<dyn Device>, address: usize) {
    for log in lock(&OPEN).iter() {
        if let Some(blocks) = lock(log).memory.get_mut(&device.id()) {
            blocks.taken_back(address);
        }
    }
}

/// Bytes per second, in units of 10⁹, of a copy within the device, bytes read and written; measured once a process. None where
/// there is no room for it.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_core::profile::copy_rate;
///
/// assert!(copy_rate(&cpu()).is_none_or(|gigabytes| gigabytes > 0.0));
/// ```
pub fn copy_rate(device: &Arc<dyn Device>) -> Option<f64> {
    static KNOWN: Mutex<Vec<(DeviceId, f64)>> = Mutex::new(Vec::new());
    let known =
        |rates: &[(DeviceId, f64)]| rates.iter().find(|(id, _)| *id == device.id()).copied();
    if let Some((_, rate)) = known(&lock(&KNOWN)) {
        return Some(rate);
    }
    let shortest = stopwatch::shortest_copy(device).ok()?;
    let rate = stopwatch::COPIED as f64 / shortest.max(Duration::from_nanos(1)).as_nanos() as f64;
    lock(&KNOWN).push((device.id(), rate));
    Some(rate)
}
