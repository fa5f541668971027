//! The machine: what it is called, how many processors and how much cache it has, and pinned workers.

use std::fs;
use std::panic::resume_unwind;
use std::sync::OnceLock;
use std::thread;

use anyhow::{Result, ensure};
use core_affinity::CoreId;
use serde::{Deserialize, Serialize};

const FALLBACK_CACHE: u64 = 32 << 20;

/// What results depend on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// The processor's name for itself.
    pub cpu: String,
    /// Processors this process may use.
    pub threads: usize,
    /// Size of the last-level cache.
    pub cache_bytes: u64,
    /// Operating system and architecture.
    pub system: String,
}

impl Machine {
    /// The one we run on.
    pub fn here() -> Machine {
        Machine {
            cpu: cpu_name().unwrap_or_else(|| "unknown".into()),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            cache_bytes: last_level_cache().unwrap_or(FALLBACK_CACHE),
            system: format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH),
        }
    }
}

fn cpu_name() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split(':').nth(1)?.trim().to_owned())
}

/// The largest cache of the first processor, as Linux describes it.
fn last_level_cache() -> Option<u64> {
    let caches = fs::read_dir("/sys/devices/system/cpu/cpu0/cache").ok()?;
    caches
        .flatten()
        .filter_map(|entry| parse_size(&fs::read_to_string(entry.path().join("size")).ok()?))
        .max()
}

/// `32768K` in bytes.
fn parse_size(text: &str) -> Option<u64> {
    let text = text.trim();
    let (digits, unit) = match text.strip_suffix('K') {
        Some(digits) => (digits, 1 << 10),
        None => match text.strip_suffix('M') {
            Some(digits) => (digits, 1 << 20),
            None => (text, 1),
        },
    };
    digits.parse::<u64>().ok().map(|n| n * unit)
}

/// The processors of this process, found before any thread has one for itself.
static PROCESSORS: OnceLock<Vec<CoreId>> = OnceLock::new();

/// Gives each of the engine's helpers its processor: floating threads run at one or two times the speed of one
/// on a machine of two virtual processors, from run to run.
pub fn pin_workers() -> Result<()> {
    PROCESSORS.get_or_init(|| core_affinity::get_core_ids().unwrap_or_default());
    ensure!(
        syntonic_core::cpu::when_helpers_start(pin),
        "the engine's helpers were started before they could be pinned"
    );
    Ok(())
}

/// Runs `work` on a thread that has the first processor to itself. Not on the caller's: the processes it
/// starts would inherit the place.
pub fn on_first_processor<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let pinned = || {
        pin(0);
        work()
    };
    let done = thread::scope(|scope| scope.spawn(pinned).join());
    done.unwrap_or_else(|panic| resume_unwind(panic))
}

fn pin(number: usize) {
    if let Some(&processor) = PROCESSORS.get().and_then(|all| all.get(number)) {
        core_affinity::set_for_current(processor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_as_linux_writes_them() {
        assert_eq!(parse_size("32768K\n"), Some(32 << 20));
        assert_eq!(parse_size("8M"), Some(8 << 20));
        assert_eq!(parse_size("512"), Some(512));
        assert_eq!(parse_size("many"), None);
    }

    #[test]
    fn this_machine_has_processors_and_a_cache() {
        let here = Machine::here();
        assert!(here.threads >= 1 && here.cache_bytes >= 1 << 10);
    }
}
