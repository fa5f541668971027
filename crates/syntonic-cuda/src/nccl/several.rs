//! Calls for all GPUs of one process by one thread, in the order of their communicators.

use super::communicator::{Communicator, fault};
use super::exchange::Exchange;
use super::library::{At, Comm, Functions, IN_PROGRESS, SUCCESS, UINT8};
use super::reduction::{Reduction, kind};
use crate::context::gpu::Cuda;
use cudarc::driver::sys::CUstream;
use std::ffi::c_int;
use syntonic_core::{Error, Result, Tensor, describe};

/// Has NCCL begin several calls together.
pub(super) fn together(
    gpu: &Cuda,
    functions: &Functions,
    work: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let checked = |code| match code {
        SUCCESS | IN_PROGRESS => Ok(()),
        code => Err(fault(gpu, "nccl", functions.text(code))),
    };
    // SAFETY: the function takes nothing; the end below closes the group on this thread.
    checked(unsafe { (functions.group_start)() })?;
    let done = work();
    // SAFETY: as above.
    let ended = checked(unsafe { (functions.group_end)() });
    done.and(ended)
}

/// The first communicator, where there is one for each rank in order, and a tensor of one type and shape for each: every one of them
/// reads as many elements as the first has.
fn first<'a>(
    op: &'static str,
    all: &'a [Communicator],
    parts: &[&Tensor],
) -> Result<&'a Communicator> {
    let (Some(first), true) = (all.first(), all.len() == parts.len()) else {
        let (tensors, gpus) = (parts.len(), all.len());
        let text = format!("{tensors} tensors for {gpus} GPUs: one for each");
        return Err(Error::value(op, text));
    };
    in_order(op, all)?;
    alike(op, parts)?;
    Ok(first)
}

/// An error unless these are all ranks of their communicator, in order.
fn in_order(op: &'static str, all: &[Communicator]) -> Result<()> {
    let is = |(k, one): (usize, &Communicator)| one.rank() == k && one.size() == all.len();
    if all.iter().enumerate().all(is) {
        return Ok(());
    }
    let ranks: Vec<usize> = all.iter().map(Communicator::rank).collect();
    let text =
        format!("the communicators of ranks {ranks:?}: hint: give those of all ranks, in order");
    Err(Error::value(op, text))
}

/// An error unless all tensors have one type and shape.
fn alike(op: &'static str, parts: &[&Tensor]) -> Result<()> {
    let one = |t: &&Tensor| t.dtype() == parts[0].dtype() && t.shape() == parts[0].shape();
    if parts.iter().all(one) {
        return Ok(());
    }
    Err(Error::Shape {
        op,
        operands: describe(parts),
        hint: "all ranks give a tensor of one type and shape".into(),
    })
}

/// Begins all of them together, and waits for each. `call` is that of [`Exchange::begin`].
fn settled(
    first: &Communicator,
    begun: Vec<Exchange<'_>>,
    call: impl Fn(At, At, usize, Comm, CUstream) -> c_int,
) -> Result<Vec<Tensor>> {
    together(first.gpu(), first.functions(), || {
        begun.iter().try_for_each(|one| one.begin(&call))
    })?;
    begun.into_iter().map(|one| one.done(&|| Ok(()))).collect()
}

/// As [`Communicator::all_gather`] for all GPUs of one process, by one thread: a tensor on each, in the order of communicators.
///
/// Errors: as there, and another number of tensors than communicators.
///
/// ```
/// use syntonic_core::group::TIMEOUT;
/// use syntonic_core::prelude::*;
/// use syntonic_cuda::nccl::{Communicator, all_gather_each};
///
/// let gpus = (0..syntonic_cuda::device_count() as u32).map(syntonic_cuda::open);
/// let gpus = gpus.collect::<Result<Vec<_>, _>>()?;
/// let Ok(all) = Communicator::of_devices(&gpus, TIMEOUT) else {
///     return Ok(()); // there is no GPU here, or no NCCL
/// };
/// let parts = (0..gpus.len() as u32).map(|k| Tensor::from([f64::from(k), 1.0]).to(&syntonic_cuda::device(k)?));
/// let parts = parts.collect::<Result<Vec<_>, _>>()?;
/// for whole in all_gather_each(&all, &parts.iter().collect::<Vec<_>>())? {
///     assert_eq!(whole.shape(), [gpus.len(), 2]);
///     assert_eq!(whole.sum(0)?.to_vec::<f64>()?[1], gpus.len() as f64);
/// }
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn all_gather_each(all: &[Communicator], parts: &[&Tensor]) -> Result<Vec<Tensor>> {
    const OP: &str = "all_gather";
    let first = first(OP, all, parts)?;
    let pairs = all.iter().zip(parts);
    let begun = pairs.map(|(one, x)| {
        let shape = [&[one.size()], x.shape()].concat();
        Exchange::new(one, OP, x, &shape)
    });
    let begun: Result<Vec<Exchange<'_>>> = begun.collect();
    settled(first, begun?, |from, to, bytes, comm, stream| {
        // SAFETY: `Exchange::begin`.
        unsafe { (first.functions().all_gather)(from, to, bytes, UINT8, comm, stream) }
    })
}

/// As [`Communicator::all_reduce`] for all GPUs of one process, by one thread: a tensor on each, of one shape and type.
///
/// Errors: as there, and another number of tensors than communicators.
///
/// ```
/// use syntonic_core::group::TIMEOUT;
/// use syntonic_core::prelude::*;
/// use syntonic_cuda::nccl::{Communicator, Reduction, all_reduce_each};
///
/// let gpus = (0..syntonic_cuda::device_count() as u32).map(syntonic_cuda::open);
/// let gpus = gpus.collect::<Result<Vec<_>, _>>()?;
/// let Ok(all) = Communicator::of_devices(&gpus, TIMEOUT) else {
///     return Ok(()); // there is no GPU here, or no NCCL
/// };
/// let parts = (0..gpus.len() as u32).map(|k| Tensor::from([f64::from(k), 1.0]).to(&syntonic_cuda::device(k)?));
/// let parts = parts.collect::<Result<Vec<_>, _>>()?;
/// for most in all_reduce_each(&all, &parts.iter().collect::<Vec<_>>(), Reduction::Max)? {
///     assert_eq!(most.to_vec::<f64>()?, [gpus.len() as f64 - 1.0, 1.0]);
/// }
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn all_reduce_each(
    all: &[Communicator],
    parts: &[&Tensor],
    reduction: Reduction,
) -> Result<Vec<Tensor>> {
    const OP: &str = "all_reduce";
    let first = first(OP, all, parts)?;
    let (kind, reduction) = (kind(OP, parts[0])?, reduction.number());
    let (n, shape) = (parts[0].numel(), parts[0].shape());
    let pairs = all.iter().zip(parts);
    let begun = pairs.map(|(one, x)| Exchange::new(one, OP, x, shape));
    let begun: Result<Vec<Exchange<'_>>> = begun.collect();
    settled(first, begun?, |from, to, _, comm, stream| {
        // SAFETY: `Exchange::begin`; the type is that of the elements, of which each tensor has so many.
        unsafe { (first.functions().all_reduce)(from, to, n, kind, reduction, comm, stream) }
    })
}

/// As [`Communicator::broadcast`] for all GPUs of one process, by one thread: `x`, which is on that of communicator `root`, on each.
///
/// Errors: as there.
///
/// ```
/// use syntonic_core::group::TIMEOUT;
/// use syntonic_core::prelude::*;
/// use syntonic_cuda::nccl::{Communicator, broadcast_each};
///
/// let gpus = (0..syntonic_cuda::device_count() as u32).map(syntonic_cuda::open);
/// let gpus = gpus.collect::<Result<Vec<_>, _>>()?;
/// let Ok(all) = Communicator::of_devices(&gpus, TIMEOUT) else {
///     return Ok(()); // there is no GPU here, or no NCCL
/// };
/// let x = Tensor::from([1.0, 2.0]).to(&syntonic_cuda::device(0)?)?;
/// for there in broadcast_each(&all, &x, 0)? {
///     assert_eq!(there.to_vec::<f64>()?, [1.0, 2.0]);
/// }
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn broadcast_each(all: &[Communicator], x: &Tensor, root: usize) -> Result<Vec<Tensor>> {
    const OP: &str = "broadcast";
    let (Some(first), true) = (all.first(), root < all.len()) else {
        let text = format!("root {root} of {} GPUs", all.len());
        return Err(Error::value(OP, text));
    };
    in_order(OP, all)?;
    let begun = all
        .iter()
        .enumerate()
        .map(|(rank, one)| match rank == root {
            true => Exchange::new(one, OP, x, x.shape()),
            false => Exchange::receiving(one, OP, x.dtype(), x.shape()),
        });
    let begun: Vec<Exchange<'_>> = begun.collect::<Result<_>>()?;
    settled(first, begun, |from, to, bytes, comm, stream| {
        // SAFETY: `Exchange::begin`; a GPU that only receives does so in place.
        unsafe {
            (first.functions().broadcast)(from, to, bytes, UINT8, root as c_int, comm, stream)
        }
    })
}
