//! What a tensor in global memory looks like to the unit that copies boxes of it (TMA), and its form in 128 bytes.
//!
//! The form is this simulator's own: programs must not look into it, and only what the driver made has its mark.

use super::swizzle::Swizzle;

/// Dimensions of a tensor at most.
pub(crate) const MOST: usize = 5;
/// Bytes of a map.
pub(crate) const BYTES: usize = 128;
/// The first word of a map.
const MARK: u64 = 0x7061_6D20_726E_7374;

/// The type of an element, by its number in C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Element(pub(crate) u8);

impl Element {
    /// Bytes of one; nothing for types that are not copied as they are.
    pub(crate) fn bytes(self) -> Option<u64> {
        Some(match self.0 {
            0 => 1,
            1 | 6 | 9 => 2,
            2 | 3 | 7 => 4,
            4 | 5 | 8 => 8,
            _ => return None,
        })
    }

    /// What stands for NaN; integers have none.
    pub(crate) fn nan(self) -> Option<u64> {
        Some(match self.0 {
            6 | 9 => 0x7FFF,
            7 => 0x7FFF_FFFF,
            8 => 0x7FFF_FFFF_FFFF_FFFF,
            _ => return None,
        })
    }
}

/// A tensor and the boxes in which it is copied. The first dimension is the one whose elements are neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TensorMap {
    pub(crate) address: u64,
    pub(crate) element: Element,
    pub(crate) rank: usize,
    /// Elements in each dimension.
    pub(crate) extents: [u64; MOST],
    /// Bytes from one to the next in each dimension but the first.
    pub(crate) strides: [u64; MOST - 1],
    /// Elements that a box spans.
    pub(crate) spans: [u32; MOST],
    /// Every how many of them it takes. The first dimension has them all.
    pub(crate) steps: [u32; MOST],
    pub(crate) swizzle: Swizzle,
    /// Whether what lies outside of the tensor is NaN in place of zero.
    pub(crate) nan: bool,
}

impl TensorMap {
    /// Whether it is one that CUDA's manual allows.
    pub(crate) fn is_valid(&self) -> bool {
        let Some(bytes) = self.element.bytes() else {
            return false;
        };
        if !(1..=MOST).contains(&self.rank) {
            return false;
        }
        let rank = self.rank;
        let row = u64::from(self.spans[0]) * bytes;
        self.address != 0
            && self.address.is_multiple_of(16)
            && self.extents[..rank]
                .iter()
                .all(|extent| (1..=1 << 32).contains(extent))
            && self.strides[..rank - 1]
                .iter()
                .all(|stride| stride.is_multiple_of(16) && *stride < 1 << 40)
            && self.spans[..rank]
                .iter()
                .all(|span| (1..=256).contains(span))
            && self.steps[..rank].iter().all(|step| (1..=8).contains(step))
            && row.is_multiple_of(16)
            && (self.swizzle == Swizzle::None || row <= self.swizzle.span())
            && (!self.nan || self.element.nan().is_some())
    }

    /// Elements of a box in a dimension.
    pub(crate) fn count(&self, axis: usize) -> usize {
        match axis {
            0 => self.spans[0] as usize,
            _ => self.spans[axis].div_ceil(self.steps[axis]) as usize,
        }
    }

    /// Bytes of a box's row along the first dimension.
    pub(crate) fn row_bytes(&self) -> usize {
        self.count(0) * self.element.bytes().unwrap_or(0) as usize
    }

    /// Rows of a box.
    pub(crate) fn rows(&self) -> usize {
        (1..self.rank).map(|axis| self.count(axis)).product()
    }

    /// Its form in memory.
    pub(crate) fn encode(&self) -> [u8; BYTES] {
        let mut words = [0u64; BYTES / 8];
        words[0] = MARK;
        words[1] = self.address;
        words[2] = u64::from(self.element.0)
            | (self.rank as u64) << 8
            | (self.swizzle as u64) << 16
            | u64::from(self.nan) << 24;
        words[3..8].copy_from_slice(&self.extents);
        words[8..12].copy_from_slice(&self.strides);
        for axis in 0..MOST {
            words[12] |= u64::from(self.spans[axis]) << (12 * axis);
            words[13] |= u64::from(self.steps[axis]) << (12 * axis);
        }
        words[15] = sum(&words);
        let mut bytes = [0; BYTES];
        for (to, word) in bytes.chunks_exact_mut(8).zip(words) {
            to.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// The map that has this form, if one has.
    pub(crate) fn decode(bytes: &[u8; BYTES]) -> Option<Self> {
        let mut words = [0u64; BYTES / 8];
        for (word, from) in words.iter_mut().zip(bytes.chunks_exact(8)) {
            *word = from
                .iter()
                .rev()
                .fold(0, |all, byte| all << 8 | u64::from(*byte));
        }
        if words[0] != MARK || words[15] != sum(&words) {
            return None;
        }
        let twelve = |word: u64, axis: usize| (word >> (12 * axis) & 0xFFF) as u32;
        let map = Self {
            address: words[1],
            element: Element(words[2] as u8),
            rank: (words[2] >> 8 & 0xFF) as usize,
            extents: std::array::from_fn(|axis| words[3 + axis]),
            strides: std::array::from_fn(|axis| words[8 + axis]),
            spans: std::array::from_fn(|axis| twelve(words[12], axis)),
            steps: std::array::from_fn(|axis| twelve(words[13], axis)),
            swizzle: match words[2] >> 16 & 0xFF {
                0 => Swizzle::None,
                1 => Swizzle::Of32,
                2 => Swizzle::Of64,
                _ => Swizzle::Of128,
            },
            nan: words[2] >> 24 & 1 != 0,
        };
        map.is_valid().then_some(map)
    }
}

/// A number that a change of any word changes.
fn sum(words: &[u64; BYTES / 8]) -> u64 {
    words[..15].iter().fold(MARK, |sum, word| {
        (sum.rotate_left(7) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_keeps_all_that_it_says() {
        let map = TensorMap {
            address: 0x7000_0000_0010,
            element: Element(9),
            rank: 5,
            extents: [1 << 32, 7, 1, 99, 3],
            strides: [16, 1 << 39, 48, 0],
            spans: [64, 256, 1, 2, 5],
            steps: [1, 8, 2, 3, 1],
            swizzle: Swizzle::Of128,
            nan: true,
        };
        assert!(map.is_valid());
        let bytes = map.encode();
        assert_eq!(TensorMap::decode(&bytes), Some(map));
        for byte in 0..BYTES {
            let mut other = bytes;
            other[byte] ^= 4;
            assert_eq!(TensorMap::decode(&other), None, "{byte}");
        }
    }
}
