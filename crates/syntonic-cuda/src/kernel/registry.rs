//! Operators from outside: their version for GPUs, by name.

use super::{missing, of};
use crate::context::gpu::{Cuda, open};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use syntonic_core::device::{Kernel, Launch};
use syntonic_core::fork::{Lazy, lock};
use syntonic_core::{DeviceId, Error, Result};

/// The GPU's version of an operator from outside: it launches kernels over the operands and results of the launch, with
/// [`Argument::Input`](crate::foreign::Argument::Input) and [`Argument::Output`](crate::foreign::Argument::Output), and keeps its code in a
/// [`Code`](crate::foreign::Code). In a capture its launches become a part of the graph.
///
/// # Safety
/// The launch is as the kernel's contract says, and all memory belongs to the GPU.
pub type Adapter = unsafe fn(&Arc<Cuda>, &Launch) -> Result<()>;

static REGISTERED: Lazy<Mutex<HashMap<&'static str, Adapter>>> = Lazy::new(Mutex::default);

/// Makes a kernel from outside run on GPUs, by its name. Again with the same adapter it does nothing.
///
/// # Errors
/// [`Error::Value`] for the name of an operator of ours, and for one that is registered with another adapter.
///
/// ```
/// use std::sync::Arc;
/// use syntonic_core::device::{Kernel, Launch};
/// use syntonic_core::Result;
/// use syntonic_cuda::Cuda;
///
/// static NOTHING: Kernel = Kernel { name: "nothing", cpu: on_cpu };
/// unsafe fn on_cpu(_: &Launch) -> Result<()> { Ok(()) }
/// unsafe fn on_gpu(_: &Arc<Cuda>, _: &Launch) -> Result<()> { Ok(()) }
///
/// syntonic_cuda::register(&NOTHING, on_gpu)?;
/// let ours = Kernel { name: "matmul", cpu: on_cpu };
/// assert!(syntonic_cuda::register(&ours, on_gpu).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn register(kernel: &Kernel, adapter: Adapter) -> Result<()> {
    let refuse = |what: &str| {
        let name = kernel.name;
        let text = format!(
            "an operator {name} {what}; hint: give yours another name, with that of its library in front"
        );
        Err(Error::value("register", text))
    };
    if of(kernel.name).is_some() {
        return refuse("is one of this library's");
    }
    let mut registered = lock(&REGISTERED);
    match registered.get(kernel.name) {
        Some(known) if !std::ptr::fn_addr_eq(*known, adapter) => {
            refuse("is registered with another adapter")
        }
        _ => {
            registered.insert(kernel.name, adapter);
            Ok(())
        }
    }
}

/// The adapter of a kernel that is none of ours.
fn find(name: &str) -> Option<Adapter> {
    #[cfg(test)]
    LOOKED.with(|looked| looked.set(looked.get() + 1));
    lock(&REGISTERED).get(name).copied()
}

#[cfg(test)]
thread_local! {
    /// How often this thread has looked here.
    static LOOKED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Runs an operator from outside. What it launches is ordered launch by launch, on whatever stream.
///
/// # Safety
/// As [`syntonic_core::Device::launch`].
pub(crate) unsafe fn launch(device: DeviceId, kernel: &Kernel, args: &Launch) -> Result<()> {
    let (Some(adapter), DeviceId::Cuda(ordinal)) = (find(kernel.name), device) else {
        return Err(missing(device, kernel.name));
    };
    let gpu = open(ordinal)?;
    // SAFETY: the caller's promise is the kernel's contract.
    unsafe { adapter(&gpu, args) }
}

#[cfg(test)]
mod tests {
    use super::super::ADAPTERS;
    use super::*;

    unsafe fn on_cpu(_: &Launch) -> Result<()> {
        Ok(())
    }
    unsafe fn refuses(_: &Arc<Cuda>, _: &Launch) -> Result<()> {
        Err(Error::value("refuses", "always"))
    }
    unsafe fn passes(_: &Arc<Cuda>, launch: &Launch) -> Result<()> {
        match launch.inputs.len() {
            0 => Ok(()),
            n => Err(Error::value("passes", format!("{n} operands"))),
        }
    }

    #[test]
    fn a_name_is_registered_once_and_is_none_of_ours() {
        let kernel = |name| Kernel { name, cpu: on_cpu };
        assert!(find("outside_once").is_none());
        register(&kernel("outside_once"), refuses).unwrap();
        register(&kernel("outside_once"), refuses).unwrap();
        let text = register(&kernel("outside_once"), passes)
            .unwrap_err()
            .to_string();
        assert!(
            text.contains("outside_once is registered with another"),
            "{text}"
        );
        for (name, _) in ADAPTERS {
            let text = register(&kernel(name), passes).unwrap_err().to_string();
            assert!(text.contains("one of this library's"), "{text}");
        }
        assert!(find("outside_once").is_some());
    }

    #[test]
    fn a_launch_of_ours_looks_here_never() {
        let before = LOOKED.with(std::cell::Cell::get);
        assert!(ADAPTERS.iter().all(|(name, _)| of(name).is_some()));
        assert_eq!(LOOKED.with(std::cell::Cell::get), before);
        let kernel = Kernel {
            name: "outside_unknown",
            cpu: on_cpu,
        };
        // SAFETY: nothing is launched under this name.
        let unknown = unsafe { launch(DeviceId::Cuda(0), &kernel, &Launch::default()) };
        let text = unknown.unwrap_err().to_string();
        assert!(
            text.contains("outside_unknown failed on cuda:0") && text.contains("hint"),
            "{text}"
        );
        assert_eq!(LOOKED.with(std::cell::Cell::get), before + 1);
    }
}
