//! The CPU as a device that fails when it is told to.

use crate::graph::script::Dice;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::time::Duration;
use syntonic_core::device::{Kernel, Launch, MemoryStats};
use syntonic_core::fuse::Task;
use syntonic_core::lazy::Fusing;
use syntonic_core::{Buffer, DType, Device, DeviceId, Error, Layout, Result, Tensor, cpu};

thread_local! {
    /// How many more requests of this thread are served; all of them, where nothing is said.
    static LEFT: Cell<Option<usize>> = const { Cell::new(None) };
    /// Whether this thread's programs wait a moment now and then before they run.
    static HESITATES: RefCell<Option<Dice>> = const { RefCell::new(None) };
    /// What happens elsewhere before this thread's next program runs.
    static MEANWHILE: RefCell<Option<Box<dyn FnOnce()>>> = const { RefCell::new(None) };
}

/// From now on some of this thread's programs run a moment later than they were put together.
pub(crate) fn hesitate(seed: u64) {
    HESITATES.set(Some(Dice::new(seed)));
}

/// A moment for other threads, before a program runs.
fn wait() {
    let after = HESITATES.with_borrow_mut(|dice| {
        let dice = dice.as_mut()?;
        dice.once_in(3).then(|| dice.below(400) as u64)
    });
    if let Some(micros) = after {
        std::thread::sleep(Duration::from_micros(micros));
    }
    if let Some(work) = MEANWHILE.take() {
        work();
    }
}

/// Does something once, when this thread's next program is about to run.
pub(crate) fn meanwhile(work: impl FnOnce() + 'static) {
    MEANWHILE.set(Some(Box::new(work)));
}

/// Does something, during which the device serves so many requests of this thread and refuses one.
pub(crate) fn failing(after: usize, work: &mut dyn FnMut() -> Result<()>) -> Result<()> {
    LEFT.set(Some(after));
    let result = work();
    LEFT.set(None);
    result
}

#[derive(Debug)]
struct Shaky(Arc<dyn Device>, Fusing);

impl Shaky {
    fn serve(&self) -> Result<()> {
        match LEFT.get() {
            Some(0) => {
                LEFT.set(None);
                Err(Error::value("device", "told to fail"))
            }
            left => {
                LEFT.set(left.map(|n| n - 1));
                Ok(())
            }
        }
    }
}

impl Device for Shaky {
    fn id(&self) -> DeviceId {
        self.0.id()
    }

    fn allocate(&self, bytes: usize) -> Result<*mut u8> {
        self.serve()?;
        self.0.allocate(bytes)
    }

    unsafe fn release(&self, address: *mut u8, bytes: usize) {
        // SAFETY: the caller's promise; what was allocated here came from there.
        unsafe { self.0.release(address, bytes) }
    }

    unsafe fn upload(&self, to: *mut u8, from: &[u8]) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.0.upload(to, from) }
    }

    unsafe fn download(&self, to: &mut [u8], from: *const u8) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.0.download(to, from) }
    }

    /// As a device that starts programs slowly, so that small results wait.
    fn eager_elements(&self) -> usize {
        0
    }

    fn fusion(&self) -> Fusing {
        self.1
    }

    unsafe fn run(&self, task: &Task<'_>) -> Result<()> {
        self.serve()?;
        wait();
        // SAFETY: the caller's promise.
        unsafe { self.0.run(task) }
    }

    /// What fails here has not begun.
    fn overwrites(&self, task: &Task<'_>) -> bool {
        self.0.overwrites(task)
    }

    unsafe fn launch(&self, kernel: &Kernel, args: &Launch) -> Result<()> {
        self.serve()?;
        wait();
        // SAFETY: the caller's promise.
        unsafe { self.0.launch(kernel, args) }
    }

    fn synchronize(&self) -> Result<()> {
        self.0.synchronize()
    }

    fn stats(&self) -> MemoryStats {
        self.0.stats()
    }

    fn trim(&self) {
        self.0.trim();
    }
}

/// A device that is the CPU until it is told to fail.
pub(crate) fn shaky(fusing: Fusing) -> Arc<dyn Device> {
    Arc::new(Shaky(cpu(), fusing))
}

/// How a device fuses that computes results again rather than writing them.
pub(crate) const AGAIN: Fusing = Fusing {
    expressions: 160,
    recomputed: 24,
    repeated: usize::MAX,
};

/// A tensor on a device that is the host.
pub(crate) fn tensor(
    values: &[f64],
    shape: &[usize],
    dtype: DType,
    device: &Arc<dyn Device>,
) -> Tensor {
    let there = Tensor::from_slice(values, shape).and_then(|t| t.cast(dtype)?.eval()?.contiguous());
    let there = there.expect("a small tensor");
    let from = there.buffer().expect("it is computed");
    let bytes = there.numel() * dtype.size();
    let buffer = Buffer::allocate(device, bytes).expect("nobody told it to fail");
    let layout = Layout::contiguous("test", shape).expect("a small shape");
    // SAFETY: both blocks have these bytes, those of the first are initialised, and the second is known here alone.
    unsafe {
        std::ptr::copy_nonoverlapping(from.address(), buffer.address(), bytes);
        Tensor::from_buffer(dtype, layout, Arc::new(buffer)).expect("it lies inside")
    }
}
