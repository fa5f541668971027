//! The hash of Fowler, Noll and Vo, variant 1a: the same in every build.

use std::hash::Hasher;

/// A hash, over what was hashed before.
pub(crate) struct Fnv(pub(crate) u64);

/// Over nothing.
impl Default for Fnv {
    fn default() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    pub(crate) fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }

    pub(crate) fn number(&mut self, number: u32) {
        self.write(&number.to_le_bytes());
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.write(text.as_bytes());
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.byte(byte));
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
