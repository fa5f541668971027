//! Copies and fills.

use std::ffi::c_void;
use std::mem::size_of;

use super::code::Code;
use super::context::usable;
use super::exports::{Answer, exports};
use super::graph;
use super::handles::Handle;
use super::raw;
use super::state::{Device, driver};
use super::stream::device_of;

/// Which memory an address of a copy is in.
#[derive(Clone, Copy)]
enum Side {
    /// A card's, or the host's that the driver gave.
    Card(u64),
    /// The caller's own.
    Host(u64),
    /// The driver finds out.
    Any(u64),
}

/// The card that holds a range; nothing where it is host memory that the driver gave.
fn holder(address: u64, bytes: usize) -> Answer<Option<&'static Device>> {
    let driver = driver()?;
    let mut pinned = driver
        .pinned()
        .range(..=address)
        .next_back()
        .map(|(s, b)| s + *b as u64);
    if pinned
        .take_if(|end| address + bytes as u64 <= *end)
        .is_some()
    {
        return Ok(None);
    }
    let found = driver.devices.iter().find(|d| d.holds(address, bytes));
    found.map(Some).ok_or(Code::InvalidValue)
}

impl Side {
    /// Its address, if so many bytes may be used from there on, and the card that holds them.
    fn place(self, bytes: usize) -> Answer<(u64, Option<&'static Device>)> {
        match self {
            Side::Host(0) => Err(Code::InvalidValue),
            Side::Host(at) => Ok((at, None)),
            Side::Card(at) => Ok((at, holder(at, bytes)?)),
            Side::Any(0) => Err(Code::InvalidValue),
            Side::Any(at) => {
                let on_card = driver()?
                    .devices
                    .iter()
                    .find(|d| d.memory.size_of(at).is_some());
                match on_card {
                    Some(device) if !device.holds(at, bytes) => Err(Code::InvalidValue),
                    other => Ok((at, other)),
                }
            }
        }
    }
}

/// Copies bytes in the turn of a card.
///
/// # Safety
/// The caller's own sides have so many bytes.
unsafe fn copy(device: &Device, to: Side, from: Side, bytes: usize) -> Answer {
    if bytes == 0 {
        return Ok(());
    }
    let ((to, owner), (from, source)) = (to.place(bytes)?, from.place(bytes)?);
    let _turn = device.turn();
    // SAFETY: both sides have so many bytes: the driver's are blocks that it knows, the others the caller's promise.
    unsafe { raw::copy(to as *mut u8, from as *const u8, bytes) };
    match (owner.filter(|d| d.card.checks.init), source) {
        (Some(owner), Some(source)) if owner.ordinal == source.ordinal => {
            owner.memory.mark_copied(from, to, bytes);
        }
        (Some(owner), _) => owner.memory.mark_written(to..to + bytes as u64),
        (None, _) => {}
    }
    Ok(())
}

/// Fills elements in the turn of a card.
fn fill<T: Copy>(device: &Device, to: u64, value: T, count: usize) -> Answer {
    let bytes = count
        .checked_mul(size_of::<T>())
        .ok_or(Code::InvalidValue)?;
    if bytes == 0 {
        return Ok(());
    }
    if !to.is_multiple_of(size_of::<T>() as u64) {
        return Err(Code::InvalidValue);
    }
    let owner = holder(to, bytes)?;
    let _turn = device.turn();
    // SAFETY: the range lies in a block that the driver gave.
    unsafe { raw::fill(to, value, count) };
    if let Some(owner) = owner.filter(|d| d.card.checks.init) {
        owner.memory.mark_written(to..to + bytes as u64);
    }
    Ok(())
}

fn here() -> Answer<&'static Device> {
    usable()?.1.device()
}

exports! {
    /// From the host to a card.
    fn cuMemcpyHtoD_v2(to: u64, from: *const c_void, bytes: usize) {
        // SAFETY: the caller's promise.
        unsafe { copy(here()?, Side::Card(to), Side::Host(from as u64), bytes) }
    }

    /// From the host to a card, in a stream.
    fn cuMemcpyHtoDAsync_v2(to: u64, from: *const c_void, bytes: usize, stream: Handle) {
        // SAFETY: the caller's promise.
        unsafe { copy(device_of(stream)?, Side::Card(to), Side::Host(from as u64), bytes) }
    }

    /// From a card to the host.
    fn cuMemcpyDtoH_v2(to: *mut c_void, from: u64, bytes: usize) {
        // SAFETY: the caller's promise.
        unsafe { copy(here()?, Side::Host(to as u64), Side::Card(from), bytes) }
    }

    /// From a card to the host, in a stream.
    fn cuMemcpyDtoHAsync_v2(to: *mut c_void, from: u64, bytes: usize, stream: Handle) {
        // SAFETY: the caller's promise.
        unsafe { copy(device_of(stream)?, Side::Host(to as u64), Side::Card(from), bytes) }
    }

    /// Within a card, or from one to another.
    fn cuMemcpyDtoD_v2(to: u64, from: u64, bytes: usize) {
        // SAFETY: the caller's promise.
        unsafe { copy(here()?, Side::Card(to), Side::Card(from), bytes) }
    }

    /// Within a card, or from one to another, in a stream.
    fn cuMemcpyDtoDAsync_v2(to: u64, from: u64, bytes: usize, stream: Handle) {
        // SAFETY: the caller's promise.
        unsafe { copy(device_of(stream)?, Side::Card(to), Side::Card(from), bytes) }
    }

    /// Between any two memories.
    fn cuMemcpy(to: u64, from: u64, bytes: usize) {
        // SAFETY: the caller's promise.
        unsafe { copy(here()?, Side::Any(to), Side::Any(from), bytes) }
    }

    /// Between any two memories, in a stream.
    fn cuMemcpyAsync(to: u64, from: u64, bytes: usize, stream: Handle) {
        // SAFETY: the caller's promise.
        unsafe { copy(device_of(stream)?, Side::Any(to), Side::Any(from), bytes) }
    }

    /// From one card to another.
    fn cuMemcpyPeer(to: u64, _to_context: Handle, from: u64, _from_context: Handle, bytes: usize) {
        // SAFETY: the caller's promise.
        unsafe { copy(here()?, Side::Card(to), Side::Card(from), bytes) }
    }

    /// From one card to another, in a stream.
    fn cuMemcpyPeerAsync(
        to: u64, to_context: Handle, from: u64, from_context: Handle, bytes: usize, stream: Handle,
    ) {
        for context in [to_context, from_context] {
            driver()?.contexts.get(context).ok_or(Code::InvalidContext)?.sound()?;
        }
        // SAFETY: the caller's promise.
        unsafe { copy(device_of(stream)?, Side::Card(to), Side::Card(from), bytes) }
    }

    /// Fills bytes.
    fn cuMemsetD8_v2(to: u64, value: u8, count: usize) {
        fill(here()?, to, value, count)
    }

    /// Fills bytes, in a stream.
    fn cuMemsetD8Async(to: u64, value: u8, count: usize, stream: Handle) {
        graph::on(stream, move |stream| fill(device_of(stream)?, to, value, count))
    }

    /// Fills elements of two bytes.
    fn cuMemsetD16_v2(to: u64, value: u16, count: usize) {
        fill(here()?, to, value, count)
    }

    /// Fills elements of two bytes, in a stream.
    fn cuMemsetD16Async(to: u64, value: u16, count: usize, stream: Handle) {
        graph::on(stream, move |stream| fill(device_of(stream)?, to, value, count))
    }

    /// Fills elements of four bytes.
    fn cuMemsetD32_v2(to: u64, value: u32, count: usize) {
        fill(here()?, to, value, count)
    }

    /// Fills elements of four bytes, in a stream.
    fn cuMemsetD32Async(to: u64, value: u32, count: usize, stream: Handle) {
        graph::on(stream, move |stream| fill(device_of(stream)?, to, value, count))
    }
}
