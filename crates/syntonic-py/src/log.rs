//! What the engine tells on standard error, as the variable `SYNTONIC_LOG` asks.

use std::io::{self, Write};
use syntonic_core::fork::inside;
use tracing::Level;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

const VARIABLE: &str = "SYNTONIC_LOG";

/// Standard error, whose lock no forked child finds locked.
struct Line;

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _inside = inside();
        io::stderr().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Which events each level shows.
fn shown(level: &str) -> Option<Targets> {
    let warnings = Targets::new().with_default(Level::WARN);
    let fused = warnings
        .clone()
        .with_target("syntonic::fusion", Level::INFO)
        .with_target("syntonic::kernel", Level::INFO);
    match level {
        "" | "0" => None,
        "1" => Some(fused),
        "2" => Some(fused.with_target(syntonic_core::profile::LAUNCHES, Level::DEBUG)),
        "3" => Some(Targets::new().with_default(Level::TRACE)),
        _ => Some(warnings),
    }
}

/// Shows events from now on, if the variable asks for some. Where the process has a subscriber already, that one stays.
pub(crate) fn install() {
    let Some(level) = std::env::var_os(VARIABLE) else {
        return;
    };
    let level = level.to_string_lossy();
    let Some(targets) = shown(&level) else {
        return;
    };
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(|| Line)
        .with_ansi(false)
        .without_time()
        .compact();
    let installed = tracing_subscriber::registry()
        .with(lines)
        .with(targets)
        .try_init();
    if installed.is_ok() && !["1", "2", "3"].contains(&&*level) {
        tracing::warn!(
            "{VARIABLE}={level} is no level: 1 shows what is fused and which kernels are loaded, 2 each launch with its time, 3 all"
        );
    }
}
