//! Named ranges around launches, for a profiler of the whole process.

use super::entry::Entry;
use std::fmt::Debug;
use std::sync::OnceLock;

/// A profiler's ranges. They nest within a thread, so that the one that was pushed last is popped first.
pub trait Ranges: Debug + Send + Sync {
    /// Begins a range on this thread.
    fn push(&self, name: &str);
    /// Ends the range that this thread began last.
    fn pop(&self);
}

static OF_PROFILER: OnceLock<Box<dyn Ranges>> = OnceLock::new();

/// From now on each launch is a range of the host's time with the operation, its type and its shape as its name. The first call
/// of a process counts.
///
/// ```
/// use std::sync::Mutex;
/// use syntonic_core::profile::{Ranges, set_ranges};
/// use syntonic_core::{DType, Tensor};
///
/// static SEEN: Mutex<Vec<String>> = Mutex::new(Vec::new());
///
/// /// Writes down what a profiler would show.
/// #[derive(Debug)]
/// struct Written;
///
/// impl Ranges for Written {
///     fn push(&self, name: &str) {
///         SEEN.lock().unwrap().push(name.to_owned());
///     }
///
///     fn pop(&self) {}
/// }
///
/// set_ranges(Box::new(Written));
/// (Tensor::zeros(&[997, 331], DType::F32)? * 2.0).exp()?.eval()?;
/// assert!(SEEN.lock().unwrap().iter().any(|name| name == "chain multiply exp float32 [997, 331]"));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn set_ranges(ranges: Box<dyn Ranges>) {
    let _ = crate::fork::set(&OF_PROFILER, ranges);
}

/// The profiler's ranges, where there is a profiler.
#[inline]
pub(super) fn of_profiler() -> Option<&'static dyn Ranges> {
    OF_PROFILER.get().map(|ranges| &**ranges)
}

/// Ends when it is dropped.
pub(super) struct Open(&'static dyn Ranges);

/// Begins the range of a launch, where there is a profiler.
pub(super) fn open(entry: &Entry) -> Option<Open> {
    let ranges = of_profiler()?;
    ranges.push(&format!("{} {} {}", entry.name, entry.dtype, entry.shape));
    Some(Open(ranges))
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.pop();
    }
}
