//! What the driver knows of an address.

use std::ffi::{c_int, c_uint, c_void};

use super::code::Code;
use super::exports::{Answer, exports};
use super::raw::put;
use super::state::driver;

/// Whose memory an address is in.
struct Known {
    /// The number of the card.
    ordinal: usize,
    start: u64,
    bytes: usize,
    /// Whether it is host memory that the driver gave.
    pinned: bool,
    /// Whether cards and host share it.
    managed: bool,
}

fn known(address: u64) -> Answer<Known> {
    let driver = driver()?;
    let below = driver
        .pinned()
        .range(..=address)
        .next_back()
        .map(|(s, b)| (*s, *b));
    if let Some((start, bytes)) = below.filter(|(s, b)| address - s < *b as u64) {
        return Ok(Known {
            ordinal: 0,
            start,
            bytes,
            pinned: true,
            managed: false,
        });
    }
    let owner = driver.devices.iter().find_map(|device| {
        let (start, bytes) = device.memory.size_of(address)?;
        Some(Known {
            ordinal: device.ordinal,
            start,
            bytes,
            pinned: false,
            managed: driver.managed().contains_key(&start),
        })
    });
    owner.ok_or(Code::InvalidValue)
}

exports! {
    /// One thing about an address; one that no card knows has none.
    fn cuPointerGetAttribute(out: *mut c_void, attribute: c_int, address: u64) {
        let known = known(address)?;
        let wanted = |c: &super::context::Context| c.is_primary_of(known.ordinal);
        let context = driver()?.contexts.find(wanted).unwrap_or(0);
        // SAFETY: the caller's promise: there is room for the attribute's type.
        unsafe {
            match attribute {
                1 => put(out, context),
                2 => put(out, if known.pinned { 1 as c_uint } else { 2 }),
                3 => put(out, address),
                4 if known.pinned => put(out, address),
                6 => put(out, 0 as c_uint),
                7 => put(out, known.start),
                8 => put(out, c_uint::from(known.managed)),
                9 => put(out, known.ordinal as c_int),
                11 => put(out, known.start),
                12 => put(out, known.bytes),
                13 => put(out, 1 as c_uint),
                _ => Err(Code::InvalidValue),
            }
        }
    }
}
