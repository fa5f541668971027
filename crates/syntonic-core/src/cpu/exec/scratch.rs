//! Working memory of one thread: aligned, grown once, reused by every later run.

use crate::cpu::memory::ALIGN;
use crate::error::Result;
use crate::room;
use std::cell::RefCell;

/// One aligned line of memory.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; ALIGN]);

thread_local! {
    static SPARE: RefCell<Vec<Vec<Line>>> = const { RefCell::new(Vec::new()) };
}

/// A piece of working memory; goes back to its thread when dropped.
pub(crate) struct Scratch(Vec<Line>);

impl Scratch {
    /// At least `bytes` bytes with arbitrary (but initialised) contents. An error where the system has none left.
    pub(crate) fn take(bytes: usize) -> Result<Scratch> {
        let mut lines = SPARE.with(|s| s.borrow_mut().pop()).unwrap_or_default();
        let need = bytes.div_ceil(ALIGN);
        if lines.len() < need {
            room::resize(&mut lines, need, Line([0; ALIGN]))?;
        }
        Ok(Scratch(lines))
    }

    /// Address of the first byte.
    pub(crate) fn address(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // More than a few megabytes are not worth keeping per thread.
        if self.0.len() <= (4 << 20) / ALIGN {
            let lines = std::mem::take(&mut self.0);
            SPARE.with(|s| s.borrow_mut().push(lines));
        }
    }
}

/// Bytes rounded up to whole lines.
pub(crate) fn lines(bytes: usize) -> usize {
    bytes.div_ceil(ALIGN) * ALIGN
}
