//! How long the tests take, by variables of the environment.

use std::time::Duration;

fn number(name: &str, usual: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{name} is {text:?}, not a number")),
        Err(_) => usual,
    }
}

/// Damaged files of each format.
pub(crate) fn mutants() -> u64 {
    number("SYNTONIC_HOSTILE_MUTANTS", 1500)
}

/// Whether files of this format are damaged: all are, if no word of their names is given.
pub(crate) fn format(name: &str) -> bool {
    std::env::var("SYNTONIC_HOSTILE_FORMAT").map_or(true, |word| name.contains(&word))
}

/// Where the damage begins: other numbers, other files.
pub(crate) fn seed() -> u64 {
    number("SYNTONIC_HOSTILE_SEED", 1)
}

/// Seconds in which two processes save to one path.
pub(crate) fn contest() -> Duration {
    Duration::from_millis(number("SYNTONIC_HOSTILE_MILLISECONDS", 700))
}

/// Processes that are killed while they save, for each format.
pub(crate) fn kills() -> u64 {
    number("SYNTONIC_HOSTILE_KILLS", 8)
}
