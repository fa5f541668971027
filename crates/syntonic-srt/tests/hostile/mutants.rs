//! Damage: the same for the same seed.

/// SplitMix64.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, 0 where that is 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

/// Sizes that programs trip over.
fn size(numbers: &mut Numbers, len: usize) -> u64 {
    let len = len as u64;
    let sizes = [
        0,
        1,
        2,
        len / 2,
        len.saturating_sub(1),
        len,
        len + 1,
        0x7f,
        0x80,
        0xff,
        0x100,
        0x7fff,
        0xffff,
        0x1_0000,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
        1 << 32,
        1 << 33,
        1 << 53,
        1 << 61,
        i64::MAX as u64,
        u64::MAX,
    ];
    sizes[numbers.below(sizes.len())]
}

/// A damaged copy of `good`; `other` is a file that pieces may come from.
pub(crate) fn mutant(good: &[u8], other: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut bytes = good.to_vec();
    for _ in 0..=numbers.below(4) {
        damage(&mut bytes, other, numbers);
    }
    bytes
}

fn damage(bytes: &mut Vec<u8>, other: &[u8], numbers: &mut Numbers) {
    // Half of it where headers are, and lists at the end.
    let at = match numbers.below(4) {
        0 => numbers.below(bytes.len().min(128)),
        1 => bytes
            .len()
            .saturating_sub(1 + numbers.below(bytes.len().min(256))),
        _ => numbers.below(bytes.len()),
    };
    let rest = bytes.len() - at;
    match numbers.below(10) {
        0 => bytes.truncate(at),
        1 => bytes.extend((0..numbers.below(300)).map(|k| k as u8)),
        2 => drop(bytes.drain(at..at + numbers.below(64).min(rest))),
        3 => {
            let copy = bytes[at..at + numbers.below(256).min(rest)].to_vec();
            bytes.splice(at..at, copy);
        }
        4 => {
            let from = numbers.below(other.len());
            let piece = &other[from..from + numbers.below(256).min(other.len() - from)];
            let over = numbers.below(2) * piece.len().min(rest);
            bytes.splice(at..at + over, piece.iter().copied());
        }
        5 => {
            let width = [1, 2, 4, 8][numbers.below(4)];
            let size = size(numbers, bytes.len()).to_le_bytes();
            let end = bytes.len().min(at + width);
            bytes[at..end].copy_from_slice(&size[..end - at]);
        }
        // Numbers in text.
        6 | 7 => {
            let digit = |k: &usize| bytes[*k].is_ascii_digit();
            if let Some(first) = (at..bytes.len()).find(digit) {
                let end = (first..bytes.len())
                    .find(|k| !digit(k))
                    .unwrap_or(bytes.len());
                let text = size(numbers, bytes.len()).to_string();
                bytes.splice(first..end, text.into_bytes());
            }
        }
        8 if rest > 0 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff, b'"', b'[', b'{'][numbers.below(8)],
        _ if rest > 0 => bytes[at] ^= 1 << numbers.below(8),
        _ => {}
    }
}
