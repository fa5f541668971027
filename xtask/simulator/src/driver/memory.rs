//! Memory of cards, and of the host for cards.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ffi::{c_int, c_uint, c_void};

use super::code::Code;
use super::context::usable;
use super::exports::{Answer, Out, exports, give};
use super::handles::Handle;
use super::raw;
use super::state::{Device, driver};
use super::stream::device_of;

/// The handle of the first card's pool; the others follow.
const POOLS: Handle = 0x100;
/// Host memory that cards use begins at a page.
const PAGE: usize = 4096;

/// `CUmemAccessDesc`: a kind of place, its number, and what it may do.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Access {
    pub(super) kind: c_int,
    pub(super) ordinal: c_int,
    pub(super) flags: c_int,
}

/// The pool of a card.
pub(super) fn pool_of(device: &Device) -> Handle {
    POOLS + device.ordinal
}

/// The card of a pool.
fn device_of_pool(pool: Handle) -> Answer<&'static Device> {
    let ordinal = pool.checked_sub(POOLS).ok_or(Code::InvalidValue)?;
    driver()?.devices.get(ordinal).ok_or(Code::InvalidValue)
}

/// Gives a block back, to whichever card it belongs.
fn free(address: u64) -> Answer {
    if address == 0 {
        return Ok(());
    }
    let owner = driver()?
        .devices
        .iter()
        .find(|d| d.memory.size_of(address).is_some());
    let owner = owner.ok_or(Code::InvalidValue)?;
    driver()?.managed().remove(&address);
    let _turn = owner.turn();
    owner.free(address)
}

fn room(bytes: usize) -> Answer<Layout> {
    Layout::from_size_align(bytes, PAGE).map_err(|_| Code::OutOfMemory)
}

fn allocate_host(out: Out<'_, *mut c_void>, bytes: usize) -> Answer {
    let (_, _) = usable()?;
    if bytes == 0 {
        return Err(Code::InvalidValue);
    }
    let layout = room(bytes)?;
    // SAFETY: the layout has bytes.
    let at = unsafe { alloc_zeroed(layout) };
    if at.is_null() {
        return Err(Code::OutOfMemory);
    }
    for device in &driver()?.devices {
        device.memory.adopt(at, bytes);
    }
    driver()?.pinned().insert(at as u64, bytes);
    give(out, at.cast())
}

/// That bytes are of memory that cards and host share.
fn is_shared(first: u64, bytes: usize) -> Answer {
    let managed = driver()?.managed();
    let below = managed.range(..=first).next_back();
    let end = below.map(|(start, size)| start + *size as u64);
    match end.is_some_and(|end| bytes > 0 && first + bytes as u64 <= end) {
        true => Ok(()),
        false => Err(Code::InvalidValue),
    }
}

/// That a device is the host, -1, or a card.
fn is_place(device: c_int) -> Answer {
    match device {
        -1 => Ok(()),
        card => driver()?.device(card).map(|_| ()),
    }
}

exports! {
    /// New memory of the current card.
    fn cuMemAlloc_v2(out: Out<'_, u64>, bytes: usize) {
        let (_, context) = usable()?;
        let device = context.device()?;
        let _turn = device.turn();
        give(out, device.allocate(bytes)?)
    }

    /// New memory of a stream's card.
    fn cuMemAllocAsync(out: Out<'_, u64>, bytes: usize, stream: Handle) {
        let device = device_of(stream)?;
        let _turn = device.turn();
        give(out, device.allocate(bytes)?)
    }

    /// New memory of a pool's card.
    fn cuMemAllocFromPoolAsync(out: Out<'_, u64>, bytes: usize, pool: Handle, stream: Handle) {
        device_of(stream)?;
        let device = device_of_pool(pool)?;
        let _turn = device.turn();
        give(out, device.allocate(bytes)?)
    }

    /// Memory that cards and host share: that of the current card, which the host reaches as it does all memory here.
    fn cuMemAllocManaged(out: Out<'_, u64>, bytes: usize, flags: c_uint) {
        let (_, context) = usable()?;
        if bytes == 0 || !(1..=2).contains(&flags) {
            return Err(Code::InvalidValue);
        }
        let device = context.device()?;
        let _turn = device.turn();
        let address = device.allocate(bytes)?;
        driver()?.managed().insert(address, bytes);
        give(out, address)
    }

    /// Moves pages of shared memory to a device: nothing moves here.
    fn cuMemPrefetchAsync(first: u64, bytes: usize, to: c_int, stream: Handle) {
        device_of(stream)?;
        is_shared(first, bytes)?;
        is_place(to)
    }

    /// Takes advice on the use of shared memory, of six kinds.
    fn cuMemAdvise(first: u64, bytes: usize, advice: c_int, device: c_int) {
        usable()?;
        is_shared(first, bytes)?;
        if !(1..=6).contains(&advice) {
            return Err(Code::InvalidValue);
        }
        is_place(device)
    }

    /// Gives memory back.
    fn cuMemFree_v2(address: u64) {
        usable()?;
        free(address)
    }

    /// Gives memory back, in a stream's turn, which is now.
    fn cuMemFreeAsync(address: u64, stream: Handle) {
        device_of(stream)?;
        free(address)
    }

    /// Bytes free and in all on the current card.
    fn cuMemGetInfo_v2(free: Out<'_, usize>, total: Out<'_, usize>) {
        let (_, context) = usable()?;
        let device = context.device()?;
        give(free, device.left())?;
        give(total, device.total)
    }

    /// The block that an address lies in.
    fn cuMemGetAddressRange_v2(start: Out<'_, u64>, bytes: Out<'_, usize>, address: u64) {
        usable()?;
        let found = driver()?.devices.iter().find_map(|d| d.memory.size_of(address));
        let (first, length) = found.ok_or(Code::NotFound)?;
        start.map_or(Ok(()), |out| give(Some(out), first))?;
        bytes.map_or(Ok(()), |out| give(Some(out), length))
    }

    /// Host memory that every card can use.
    fn cuMemHostAlloc(out: Out<'_, *mut c_void>, bytes: usize, _flags: c_uint) {
        allocate_host(out, bytes)
    }

    /// As `cuMemHostAlloc`.
    fn cuMemAllocHost_v2(out: Out<'_, *mut c_void>, bytes: usize) {
        allocate_host(out, bytes)
    }

    /// Gives host memory back.
    fn cuMemFreeHost(at: *mut c_void) {
        let bytes = driver()?.pinned().remove(&(at as u64)).ok_or(Code::InvalidValue)?;
        for device in &driver()?.devices {
            device.memory.free(at as u64);
        }
        // SAFETY: it came from `allocate_host`, with this layout, and is known no more.
        unsafe { dealloc(at.cast(), room(bytes)?) };
        Ok(())
    }

    /// The address by which cards use host memory: the same one.
    fn cuMemHostGetDevicePointer_v2(out: Out<'_, u64>, at: *mut c_void, _flags: c_uint) {
        usable()?;
        let known = driver()?.pinned().range(..=at as u64).next_back().map(|(s, b)| s + *b as u64);
        if known.is_none_or(|end| at as u64 >= end) {
            return Err(Code::InvalidValue);
        }
        give(out, at as u64)
    }

    /// A pool of one's own is not known here.
    fn cuMemPoolCreate(_out: Out<'_, Handle>, _properties: *const c_void) {
        Err(Code::NotSupported)
    }

    /// The pools of cards stay.
    fn cuMemPoolDestroy(_pool: Handle) {
        Err(Code::InvalidValue)
    }

    /// Gives back what a pool keeps: nothing.
    fn cuMemPoolTrimTo(pool: Handle, _keep: usize) {
        device_of_pool(pool).map(|_| ())
    }

    /// How a pool keeps and reuses memory, which changes nothing here.
    fn cuMemPoolSetAttribute(pool: Handle, attribute: c_int, value: *mut c_void) {
        device_of_pool(pool)?;
        if value.is_null() || !(1..=8).contains(&attribute) {
            return Err(Code::InvalidValue);
        }
        Ok(())
    }

    /// Which cards reach the memory of a pool. Only cards can be named, and only those that say they reach it may.
    fn cuMemPoolSetAccess(pool: Handle, all: *const Access, count: usize) {
        const CARD: c_int = 1;
        const NOTHING: c_int = 0;
        let owner = device_of_pool(pool)?;
        if all.is_null() && count > 0 {
            return Err(Code::InvalidValue);
        }
        for k in 0..count {
            // SAFETY: the caller's promise: there are so many.
            let Access { kind, ordinal, flags } = unsafe { all.add(k).read() };
            if kind != CARD || !matches!(flags, NOTHING | 1 | 3) {
                return Err(Code::InvalidValue);
            }
            let card = driver()?.device(ordinal)?;
            if flags != NOTHING && card.ordinal != owner.ordinal && !card.reaches(owner) {
                return Err(Code::InvalidDevice);
            }
        }
        Ok(())
    }

    /// What a pool does, and how much of its memory is in use.
    fn cuMemPoolGetAttribute(pool: Handle, attribute: c_int, value: *mut c_void) {
        let device = device_of_pool(pool)?;
        let used = (device.total - device.left()) as u64;
        // SAFETY: the caller's promise: there is room for the attribute's type.
        unsafe {
            match attribute {
                1..=3 => raw::put(value, 1 as c_int),
                4 => raw::put(value, 0u64),
                5..=8 => raw::put(value, used),
                _ => Err(Code::InvalidValue),
            }
        }
    }
}
