//! From a driver's answers to the error that a caller gets, with a driver made for it. A process asks its driver once, so each
//! answer has a process of its own: this test starts itself again.
#![cfg(target_os = "linux")]

use std::path::PathBuf;
use std::process::Command;

use syntonic_core::Error;
use syntonic_cuda::{Reason, device, device_count, driver, is_available, why_unavailable};

/// Answers with the numbers of the environment.
const DRIVER: &str = r#"
fn number(name: &str) -> i32 {
    std::env::var(name).unwrap().parse().unwrap()
}
#[unsafe(no_mangle)]
pub extern "C" fn cuInit(_flags: u32) -> i32 {
    number("FAKE_INIT")
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDriverGetVersion(out: *mut i32) -> i32 {
    unsafe { *out = number("FAKE_VERSION") };
    0
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetCount(out: *mut i32) -> i32 {
    unsafe { *out = number("FAKE_COUNT") };
    0
}
"#;

/// A name, and what the driver answers to `cuInit`, `cuDriverGetVersion` and `cuDeviceGetCount`.
const SCENES: [(&str, i32, i32, i32); 4] = [
    ("too old", 0, 12020, 1),
    ("no GPU", 0, 13000, 0),
    ("a stub", 34, 13000, 1),
    ("two GPUs", 0, 13000, 2),
];

#[test]
fn each_driver_has_its_answer() {
    match std::env::var("FAKE_SCENE") {
        Ok(scene) => look(&scene),
        Err(_) => start_each(),
    }
}

fn start_each() {
    let folder = build();
    for (scene, init, version, count) in SCENES {
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "each_driver_has_its_answer", "--nocapture"])
            .env("LD_LIBRARY_PATH", &folder)
            .env("FAKE_SCENE", scene)
            .env("FAKE_INIT", init.to_string())
            .env("FAKE_VERSION", version.to_string())
            .env("FAKE_COUNT", count.to_string())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&child.stderr).into_owned();
        assert!(child.status.success(), "{scene}: {said}");
        let ran = String::from_utf8_lossy(&child.stdout).into_owned();
        assert!(ran.contains("1 passed"), "{scene}: {ran}");
    }
}

/// The folder that holds the driver as `libcuda.so.1`.
fn build() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fake_driver");
    std::fs::create_dir_all(&folder).unwrap();
    let source = folder.join("driver.rs");
    std::fs::write(&source, DRIVER).unwrap();
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let built = Command::new(compiler)
        .args(["--edition", "2024", "--crate-type", "cdylib", "-o"])
        .arg(folder.join("libcuda.so.1"))
        .arg(&source)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&built.stderr).into_owned();
    assert!(built.status.success(), "{said}");
    folder
}

/// What a GPU that cannot be had says.
fn refusal(ordinal: u32) -> String {
    match device(ordinal) {
        Err(error @ Error::NoDevice { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

fn look(scene: &str) {
    let reason = why_unavailable();
    assert_eq!(is_available(), reason.is_none());
    match scene {
        "too old" => {
            assert!(
                matches!(reason, Some(Reason::DriverTooOld { .. })),
                "{reason:?}"
            );
            let text = refusal(0);
            for part in ["cuda:0", "CUDA 12.2", "12.3 is the oldest", "update"] {
                assert!(text.contains(part), "{text}");
            }
        }
        "no GPU" => {
            assert_eq!(reason, Some(Reason::NoGpu));
            assert!(refusal(0).contains("shows no GPU"), "{}", refusal(0));
        }
        "a stub" => {
            assert!(
                matches!(reason, Some(Reason::Refused { code: 34, .. })),
                "{reason:?}"
            );
            assert!(refusal(3).contains("stub"), "{}", refusal(3));
        }
        "two GPUs" => {
            assert_eq!(driver().map(|d| d.devices), Ok(2));
            assert_eq!(device_count(), 2);
            for ordinal in [2, 63, 64, u32::MAX] {
                let text = refusal(ordinal);
                assert!(
                    text.contains(&format!("cuda:{ordinal}")) && text.contains("2 GPU"),
                    "{text}"
                );
            }
        }
        other => panic!("no scene {other}"),
    }
    if scene != "two GPUs" {
        assert_eq!(device_count(), 0);
    }
}
