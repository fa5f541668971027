//! From a driver's answers to the error that a caller gets, with drivers made for it: good, bad, half and none. A process asks
//! its driver once, so each has a process of its own: this test starts itself again.
#![cfg(target_os = "linux")]

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use syntonic_core::Error;
use syntonic_cuda::{
    DRIVER_FUNCTIONS, Reason, device, device_count, driver, is_available, why_unavailable,
};

/// What answers with the numbers of the environment; the other functions all refuse.
const PROBED: &str = r#"
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
    number("FAKE_VERSION_CODE")
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetCount(out: *mut i32) -> i32 {
    unsafe { *out = number("FAKE_COUNT") };
    number("FAKE_COUNT_CODE")
}
"#;

/// What lies where the driver's library should be.
#[derive(Clone, Copy)]
enum File {
    /// A driver with every function.
    Driver,
    /// One without this function.
    Without(&'static str),
    /// A file of these bytes.
    Bytes(&'static [u8]),
}

/// A driver's answers, and what callers are told.
struct Scene {
    name: &'static str,
    file: File,
    init: i32,
    /// The version, and the code that its question is answered with; likewise the number of GPUs.
    version: (i32, i32),
    count: (i32, i32),
    /// Nothing where the driver is good.
    said: &'static [&'static str],
}

impl Scene {
    fn hides(&self) -> bool {
        self.name == "hidden" || matches!(self.file, File::Bytes(_))
    }
}

const GOOD: Scene = Scene {
    name: "two GPUs",
    file: File::Driver,
    init: 0,
    version: (13000, 0),
    count: (2, 0),
    said: &[],
};

macro_rules! scenes {
    ($($name:literal $said:expr, { $($field:ident: $value:expr),* };)*) => {
        [GOOD, $(Scene { name: $name, said: &$said, $($field: $value,)* ..GOOD },)*]
    };
}

/// The first bytes of an ELF file for 64-bit PowerPC.
const POWER: &[u8] = b"\x7fELF\x02\x02\x01\0\0\0\0\0\0\0\0\0\0\x03\0\x15\0\0\0\x01";

fn all() -> Vec<Scene> {
    Vec::from(scenes! {
        "too old" ["CUDA 12.2", "12.3 is the oldest", "update"], { version: (12020, 0) };
        "much too old" ["CUDA 9.0", "update"], { version: (9000, 0), file: File::Without("cuMemAllocAsync") };
        "no GPU" ["shows no GPU", "nvidia-smi"], { count: (0, 0) };
        "fewer than none" ["shows no GPU"], { count: (-1, 0) };
        "hidden" ["shows no GPU", "CUDA_VISIBLE_DEVICES is \"-1\"", "unset"], { init: 100 };
        "a stub" ["cuInit", "code 34", "stub", "install the NVIDIA driver"], { init: 34 };
        "not initialised" ["cuInit", "code 3 ", "container"], { init: 3 };
        "insufficient" ["code 35", "update the NVIDIA driver"], { init: 35 };
        "held" ["code 46", "another process"], { init: 46 };
        "no memory" ["code 2 ", "memory"], { init: 2 };
        "no system" ["code 304", "container"], { init: 304 };
        "not ready" ["code 802", "fabric manager"], { init: 802 };
        "two versions" ["code 803", "reboot"], { init: 803 };
        "compatibility" ["code 804", "library path"], { init: 804 };
        "unknown" ["code 999", "kernel module"], { init: 999 };
        "unheard of" ["code -7", "CUresult"], { init: -7 };
        "no version" ["cuDriverGetVersion", "code 999"], { version: (13000, 999) };
        "no count" ["cuDeviceGetCount", "code 999"], { count: (1, 999) };
        "no count, no GPU" ["shows no GPU"], { count: (1, 100) };
        "no cuInit" ["lacks the function cuInit", "install NVIDIA's driver"], { file: File::Without("cuInit") };
        "half" ["lacks the function cuLaunchKernelEx", "install NVIDIA's driver"], { file: File::Without("cuLaunchKernelEx") };
        "half, of cudarc's" ["lacks the function cuCtxSetCurrent"], { file: File::Without("cuCtxSetCurrent") };
        "a text" ["could be opened", "libcuda.so.1: ", "install NVIDIA's driver"], { file: File::Bytes(b"no library, only words\n") };
        "nothing" ["could be opened", "libcuda.so.1: "], { file: File::Bytes(b"") };
        "another machine's" ["could be opened", "libcuda.so.1: "], { file: File::Bytes(POWER) };
    })
}

#[test]
fn each_driver_has_its_answer() {
    match std::env::var("FAKE_SCENE") {
        Ok(name) => look(all().iter().find(|scene| scene.name == name).unwrap()),
        Err(_) => start_each(),
    }
}

fn start_each() {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fake_driver");
    let whole = build(&root.join("whole"), "");
    for scene in all() {
        let folder = match scene.file {
            File::Driver => whole.clone(),
            File::Without(function) => build(&root.join(function), function),
            File::Bytes(bytes) => {
                let folder = root.join(scene.name);
                fs::create_dir_all(&folder).unwrap();
                fs::write(folder.join("libcuda.so.1"), bytes).unwrap();
                folder
            }
        };
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "each_driver_has_its_answer", "--nocapture"])
            .env("LD_LIBRARY_PATH", &folder)
            .env_remove("CUDA_VISIBLE_DEVICES")
            .envs(scene.hides().then_some(("CUDA_VISIBLE_DEVICES", "-1")))
            .env("FAKE_SCENE", scene.name)
            .env("FAKE_INIT", scene.init.to_string())
            .env("FAKE_VERSION", scene.version.0.to_string())
            .env("FAKE_VERSION_CODE", scene.version.1.to_string())
            .env("FAKE_COUNT", scene.count.0.to_string())
            .env("FAKE_COUNT_CODE", scene.count.1.to_string())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&child.stderr).into_owned();
        assert!(child.status.success(), "{}: {said}", scene.name);
        assert!(!said.contains("panicked"), "{}: {said}", scene.name);
        let ran = String::from_utf8_lossy(&child.stdout).into_owned();
        assert!(ran.contains("1 passed"), "{}: {ran}", scene.name);
    }
}

/// The folder that holds a driver without one function as `libcuda.so.1`.
fn build(folder: &Path, without: &str) -> PathBuf {
    fs::create_dir_all(folder).unwrap();
    let mut text = PROBED.replace(&format!("fn {without}("), &format!("fn not_{without}("));
    for name in DRIVER_FUNCTIONS {
        if *name != without && !PROBED.contains(&format!("fn {name}(")) {
            let refusal = format!("pub extern \"C\" fn {name}() -> i32 {{ 999 }}");
            writeln!(text, "#[unsafe(no_mangle)]\n{refusal}").unwrap();
        }
    }
    let source = folder.join("driver.rs");
    fs::write(&source, text).unwrap();
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let built = Command::new(compiler)
        .args([
            "--edition",
            "2024",
            "--crate-type",
            "cdylib",
            "-A",
            "warnings",
            "-o",
        ])
        .arg(folder.join("libcuda.so.1"))
        .arg(&source)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&built.stderr).into_owned();
    assert!(built.status.success(), "{said}");
    folder.to_path_buf()
}

/// What a GPU that cannot be had says.
fn refusal(ordinal: u32) -> String {
    match device(ordinal) {
        Err(error @ Error::NoDevice { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

fn look(scene: &Scene) {
    let reason = why_unavailable();
    assert_eq!(is_available(), reason.is_none());
    let Some(reason) = reason else {
        return look_at_a_good_one(scene);
    };
    assert_eq!(device_count(), 0);
    assert_eq!(driver(), Err(&reason));
    let told = [reason.to_string(), refusal(0), refusal(63)];
    // A driver that is installed is found after a file that is none, with its GPUs hidden.
    let said = match reason {
        Reason::NoGpu if matches!(scene.file, File::Bytes(_)) => &["shows no GPU"][..],
        _ => scene.said,
    };
    for text in &told {
        assert!(!said.is_empty(), "{text}");
        for part in said {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
    assert!(told[1].contains("cuda:0") && told[2].contains("cuda:63"));
    let kind = match scene.name {
        "too old" | "much too old" => matches!(reason, Reason::DriverTooOld { .. }),
        _ => !matches!(reason, Reason::DriverTooOld { .. }),
    };
    assert!(kind, "{reason:?}");
}

/// Two GPUs that a driver shows and then refuses.
fn look_at_a_good_one(scene: &Scene) {
    assert_eq!(scene.name, GOOD.name);
    assert_eq!(driver().map(|d| d.devices), Ok(2));
    assert_eq!(device_count(), 2);
    for ordinal in [2, 63, 64, u32::MAX] {
        let text = refusal(ordinal);
        assert!(
            text.contains(&format!("cuda:{ordinal}")) && text.contains("2 GPU"),
            "{text}"
        );
    }
    for ordinal in [0, 1, 0] {
        match device(ordinal) {
            Err(error @ Error::Fault { .. }) => {
                assert!(
                    error.to_string().contains(&format!("cuda:{ordinal}")),
                    "{error}"
                );
            }
            other => panic!("{other:?}"),
        }
    }
}
