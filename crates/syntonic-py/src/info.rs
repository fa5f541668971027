//! What this build is and what it found.

use pyo3::prelude::*;

/// Facts for a bug report: name and value.
#[pyfunction]
pub(crate) fn build_info() -> Vec<(&'static str, String)> {
    let profile = if cfg!(debug_assertions) {
        "checked"
    } else {
        "release"
    };
    let level = format!("{:?}", syntonic_core::cpu::lanes::Level::current()).to_lowercase();
    let cuda = match syntonic_cuda::driver() {
        Err(reason) => format!("not usable: {reason}"),
        Ok(found) => format!(
            "a driver for CUDA {} with {} GPU(s)",
            found.version, found.devices
        ),
    };
    let changed = syntonic_cuda::product_overrides();
    let changed: Vec<String> = changed.iter().map(|(k, v)| format!("{k}={v}")).collect();
    let products = match changed.len() {
        0 => "as promised".to_owned(),
        _ => format!("changed by the environment: {}", changed.join(", ")),
    };
    let memory = syntonic_core::cpu().stats();
    vec![
        (
            "build",
            format!(
                "{profile}, {} {}",
                std::env::consts::ARCH,
                std::env::consts::OS
            ),
        ),
        ("instructions", level),
        ("threads", syntonic_core::cpu::threads::count().to_string()),
        (
            "memory",
            format!("{} bytes in use, {} cached", memory.in_use, memory.cached),
        ),
        ("cuda", cuda),
        ("products", products),
    ]
}
