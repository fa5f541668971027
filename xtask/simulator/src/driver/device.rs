//! The driver itself and its cards: what there is, and what it can do.

use std::ffi::{c_char, c_int, c_uint};

use super::code::Code;
use super::exports::{Out, exports, give};
use super::handles::Handle;
use super::raw::put_text;
use super::state::{driver, start};

/// The version of CUDA whose driver this stands in for.
pub(super) const VERSION: c_int = 13000;

/// Sixteen bytes that tell a card from others.
#[repr(C)]
pub(super) struct Uuid([u8; 16]);

fn uuid(ordinal: c_int, out: Out<'_, Uuid>) -> Result<(), Code> {
    let device = driver()?.device(ordinal)?;
    let mut bytes = *b"syntonic-simulat";
    bytes[15] = device.ordinal as u8;
    give(out, Uuid(bytes))
}

exports! {
    /// Makes the driver ready, as the environment has it.
    fn cuInit(flags: c_uint) {
        if flags != 0 {
            return Err(Code::InvalidValue);
        }
        start()
    }

    /// The version of CUDA.
    fn cuDriverGetVersion(out: Out<'_, c_int>) {
        give(out, VERSION)
    }

    /// How many cards there are.
    fn cuDeviceGetCount(out: Out<'_, c_int>) {
        give(out, driver()?.devices.len() as c_int)
    }

    /// A card by its number, which is its handle too.
    fn cuDeviceGet(out: Out<'_, c_int>, ordinal: c_int) {
        driver()?.device(ordinal)?;
        give(out, ordinal)
    }

    /// The name of a card.
    fn cuDeviceGetName(name: *mut c_char, room: c_int, ordinal: c_int) {
        driver()?.device(ordinal)?;
        let room = usize::try_from(room).map_err(|_| Code::InvalidValue)?;
        // SAFETY: the caller's promise: there is so much room.
        unsafe { put_text(name, room, driver()?.model()?.name) }
    }

    /// Bytes of a card's memory.
    fn cuDeviceTotalMem_v2(out: Out<'_, usize>, ordinal: c_int) {
        give(out, driver()?.device(ordinal)?.total)
    }

    /// A number about a card.
    fn cuDeviceGetAttribute(out: Out<'_, c_int>, attribute: c_int, ordinal: c_int) {
        let device = driver()?.device(ordinal)?;
        let number = match attribute {
            // The place on the bus tells cards apart.
            33 => Some(device.ordinal as c_int + 1),
            _ => driver()?.model()?.attribute(attribute, device.card.processors),
        };
        give(out, number.ok_or(Code::InvalidValue)?)
    }

    /// The compute capability of a card.
    fn cuDeviceComputeCapability(major: Out<'_, c_int>, minor: Out<'_, c_int>, ordinal: c_int) {
        let (high, low) = driver()?.device(ordinal)?.card.capability;
        give(major, high as c_int)?;
        give(minor, low as c_int)
    }

    /// What tells a card from others.
    fn cuDeviceGetUuid(out: Out<'_, Uuid>, ordinal: c_int) {
        uuid(ordinal, out)
    }

    /// As `cuDeviceGetUuid`.
    fn cuDeviceGetUuid_v2(out: Out<'_, Uuid>, ordinal: c_int) {
        uuid(ordinal, out)
    }

    /// Where a card is on the bus, as a text.
    fn cuDeviceGetPCIBusId(name: *mut c_char, room: c_int, ordinal: c_int) {
        let device = driver()?.device(ordinal)?;
        let room = usize::try_from(room).map_err(|_| Code::InvalidValue)?;
        let place = format!("0000:{:02X}:00.0", device.ordinal + 1);
        // SAFETY: the caller's promise: there is so much room.
        unsafe { put_text(name, room, &place) }
    }

    /// Whether one card reaches the memory of another: as the environment says, for copies alone.
    fn cuDeviceCanAccessPeer(out: Out<'_, c_int>, ordinal: c_int, peer: c_int) {
        let (here, there) = (driver()?.device(ordinal)?, driver()?.device(peer)?);
        give(out, c_int::from(here.reaches(there)))
    }

    /// What two cards can do together: nothing beyond copies.
    fn cuDeviceGetP2PAttribute(out: Out<'_, c_int>, _attribute: c_int, ordinal: c_int, peer: c_int) {
        driver()?.device(ordinal)?;
        driver()?.device(peer)?;
        give(out, 0)
    }

    /// The pool that a card's memory comes from.
    fn cuDeviceGetDefaultMemPool(out: Out<'_, Handle>, ordinal: c_int) {
        give(out, super::memory::pool_of(driver()?.device(ordinal)?))
    }

    /// As `cuDeviceGetDefaultMemPool`, since there is one pool a card.
    fn cuDeviceGetMemPool(out: Out<'_, Handle>, ordinal: c_int) {
        give(out, super::memory::pool_of(driver()?.device(ordinal)?))
    }

    /// Takes the pool that there is.
    fn cuDeviceSetMemPool(ordinal: c_int, pool: Handle) {
        let known = super::memory::pool_of(driver()?.device(ordinal)?);
        if pool == known { Ok(()) } else { Err(Code::InvalidValue) }
    }
}
