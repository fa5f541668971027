//! The checksum of checkpoints.

use crc32fast::Hasher;

/// CRC-32 of what `add` adds, as eight digits.
pub(super) fn sum(add: impl FnOnce(&mut Hasher)) -> String {
    let mut sum = Hasher::new();
    add(&mut sum);
    format!("{:08x}", sum.finalize())
}
