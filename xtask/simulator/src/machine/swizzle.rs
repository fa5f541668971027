//! How 16-byte units of shared memory change places, so that a column of a matrix lies in all banks.

/// A pattern of exchanged units, by the bytes within which they are exchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Swizzle {
    /// Units stay.
    #[default]
    None,
    /// Within 32 bytes.
    Of32,
    /// Within 64 bytes.
    Of64,
    /// Within 128 bytes.
    Of128,
}

impl Swizzle {
    /// Where what would lie at the offset `at` of shared memory lies: bits of the unit's number are changed by bits of the
    /// number of its 128 bytes.
    #[inline(always)]
    pub(crate) fn place(self, at: u64) -> u64 {
        let units = match self {
            Self::None => 0,
            Self::Of32 => 1,
            Self::Of64 => 3,
            Self::Of128 => 7,
        };
        at ^ (at >> 7 & units) << 4
    }

    /// The bytes within which units are exchanged; of no exchange, a unit's.
    pub(crate) fn span(self) -> u64 {
        match self {
            Self::None => 16,
            Self::Of32 => 32,
            Self::Of64 => 64,
            Self::Of128 => 128,
        }
    }
}
