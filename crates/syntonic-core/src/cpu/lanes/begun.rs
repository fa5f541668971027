//! A fold in progress.

use super::folding::NEAR;
use super::moves::LINE;
use std::mem::MaybeUninit;

/// Bytes of the partial values of all lanes, of the widest type.
const LANES: usize = 128;
/// Bytes of a group of items less one, of the widest type, and one more.
const REST: usize = NEAR * LINE;

/// A fold in progress: the lanes, and the last terms, which are too few for a group.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Begun {
    pub(super) lanes: [MaybeUninit<u8>; LANES],
    pub(super) rest: [MaybeUninit<u8>; REST],
    /// Terms in `rest`.
    pub(super) held: usize,
    pub(super) empty: bool,
}

impl Begun {
    /// Nothing taken yet.
    pub fn new() -> Begun {
        Begun {
            lanes: [MaybeUninit::uninit(); LANES],
            rest: [MaybeUninit::uninit(); REST],
            held: 0,
            empty: true,
        }
    }
}

impl Default for Begun {
    fn default() -> Begun {
        Begun::new()
    }
}
