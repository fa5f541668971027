//! Sorting by digits, lowest first.

/// Bits of a digit: a table of 2048 counts stays in the first-level cache.
const DIGIT: u32 = 11;
const BUCKETS: usize = 1 << DIGIT;

/// Sorts by the lowest `bits` bits of `key`; equal keys keep their order. Digits that all items
/// share cost nothing but the counting.
pub(super) fn radix_sort<T: Copy + Default>(
    items: &mut Vec<T>,
    bits: u32,
    key: impl Fn(&T) -> u64,
) {
    let digits = bits.div_ceil(DIGIT) as usize;
    let mut counts = vec![0usize; digits * BUCKETS];
    for item in items.iter() {
        let key = key(item);
        for (digit, counts) in counts.chunks_exact_mut(BUCKETS).enumerate() {
            counts[bucket(key, digit)] += 1;
        }
    }
    let mut other = vec![T::default(); items.len()];
    for (digit, counts) in counts.chunks_exact_mut(BUCKETS).enumerate() {
        if counts.contains(&items.len()) {
            continue;
        }
        let mut start = 0;
        for count in counts.iter_mut() {
            (*count, start) = (start, start + *count);
        }
        for item in items.iter() {
            let to = &mut counts[bucket(key(item), digit)];
            other[*to] = *item;
            *to += 1;
        }
        std::mem::swap(items, &mut other);
    }
}

fn bucket(key: u64, digit: usize) -> usize {
    (key >> (digit as u32 * DIGIT)) as usize & (BUCKETS - 1)
}
