//! Texts that the driver assembles, and the end of the process.
//!
//! The driver loads its assembler with the first text, as a library, which takes its memory down when the process ends. A thread that has a
//! kernel assembled meanwhile would use that memory. So the end waits for assemblies in progress, and none begins after it.

use cudarc::driver::sys::CUresult;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};
use syntonic_core::fork::{Home, get_or_init};

static UNDER_WAY: AtomicUsize = AtomicUsize::new(0);
static ENDS: AtomicBool = AtomicBool::new(false);
/// The process that assembles: a child that was forked from it has none of its threads.
static HOME: OnceLock<Home> = OnceLock::new();

/// The longest wait for an assembly, and the time between two looks.
const PATIENCE: Duration = Duration::from_secs(20);
const PAUSE: Duration = Duration::from_millis(1);

/// An assembly in progress: counted until it is dropped.
struct Turn;

impl Drop for Turn {
    fn drop(&mut self) {
        UNDER_WAY.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Has the driver assemble a text. An error, and no call, where the process ends.
pub(crate) fn assembling<T>(
    assemble: impl FnOnce() -> std::result::Result<T, CUresult>,
) -> std::result::Result<T, CUresult> {
    // What is registered last is called first: before the first text, and after it once more, since the assembler registers, too.
    static BEFORE: OnceLock<()> = OnceLock::new();
    static AFTER: OnceLock<()> = OnceLock::new();
    get_or_init(&HOME, Home::here);
    get_or_init(&BEFORE, register);
    UNDER_WAY.fetch_add(1, Ordering::SeqCst);
    let _turn = Turn;
    if ENDS.load(Ordering::SeqCst) {
        return Err(CUresult::CUDA_ERROR_DEINITIALIZED);
    }
    let done = assemble();
    get_or_init(&AFTER, register);
    done
}

fn register() {
    // SAFETY: the function takes nothing, returns, and lives as long as the process.
    if unsafe { libc::atexit(at_exit) } != 0 {
        tracing::warn!("the end of the process will not wait for kernels that are being assembled");
    }
}

extern "C" fn at_exit() {
    // A child that was forked has none of the threads that assemble.
    if HOME.get().is_none_or(|home| home.is_elsewhere()) {
        return;
    }
    ENDS.store(true, Ordering::SeqCst);
    let start = Instant::now();
    while UNDER_WAY.load(Ordering::SeqCst) > 0 && start.elapsed() < PATIENCE {
        sleep(PAUSE);
    }
}
