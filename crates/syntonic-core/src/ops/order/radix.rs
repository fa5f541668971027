//! Sorting by digits, lowest first; long lines in halves on several threads, merged from both ends.

use crate::error::Result;
use crate::room;
use bytemuck::Zeroable;

/// Items of a half that is sorted on its own.
const HALF: usize = 1 << 16;

/// Sorts by the lowest `bits` bits of `key`; equal keys keep their order, so the result is the same
/// for any number of threads.
pub(super) fn radix_sort<T: Zeroable + Copy + Send + Sync>(
    items: &mut [T],
    bits: u32,
    key: impl Fn(&T) -> u64 + Sync,
) -> Result<()> {
    let mut other = room::zeros(items.len())?;
    let depth = rayon::current_num_threads().next_power_of_two().ilog2();
    halves(items, &mut other, bits, &key, depth)
}

/// Sorts `items`, with `other` of the same length as scratch.
fn halves<T: Copy + Send + Sync>(
    items: &mut [T],
    other: &mut [T],
    bits: u32,
    key: &(impl Fn(&T) -> u64 + Sync),
    depth: u32,
) -> Result<()> {
    let middle = items.len() / 2;
    if depth == 0 || middle < HALF {
        return digits(items, other, bits, key);
    }
    let (a, b) = items.split_at_mut(middle);
    let (x, y) = other.split_at_mut(middle);
    let (first, second) = rayon::join(
        || halves(a, x, bits, key, depth - 1),
        || halves(b, y, bits, key, depth - 1),
    );
    first.and(second)?;
    let (low, high) = other.split_at_mut(middle);
    rayon::join(|| merge_low(a, b, low, key), || merge_high(a, b, high, key));
    items.copy_from_slice(other);
    Ok(())
}

/// The first `out.len()` items of the merge of `a` and `b`; there are that many in each of them.
fn merge_low<T: Copy>(a: &[T], b: &[T], out: &mut [T], key: &impl Fn(&T) -> u64) {
    let (mut i, mut j) = (0, 0);
    for to in out {
        let second = key(&b[j]) < key(&a[i]);
        *to = if second { b[j] } else { a[i] };
        i += usize::from(!second);
        j += usize::from(second);
    }
}

/// The last `out.len()` items of the merge of `a` and `b`; `b` has that many and `a` one less at most.
fn merge_high<T: Copy>(a: &[T], b: &[T], out: &mut [T], key: &impl Fn(&T) -> u64) {
    let (mut i, mut j) = (a.len(), b.len());
    for to in out.iter_mut().rev() {
        let first = j == 0 || (i > 0 && key(&a[i - 1]) > key(&b[j - 1]));
        *to = if first { a[i - 1] } else { b[j - 1] };
        i -= usize::from(first);
        j -= usize::from(!first);
    }
}

/// Digits of 11 bits for items of four bytes. Larger items reach twice as many pages at once, and
/// there passes over 256 places are faster, though more of them.
fn digits<T: Copy>(
    items: &mut [T],
    other: &mut [T],
    bits: u32,
    key: &impl Fn(&T) -> u64,
) -> Result<()> {
    if size_of::<T>() <= 4 {
        passes::<T, 11>(items, other, bits, key)
    } else {
        passes::<T, 8>(items, other, bits, key)
    }
}

/// One stable pass for each digit that not all items share.
fn passes<T: Copy, const DIGIT: u32>(
    items: &mut [T],
    other: &mut [T],
    bits: u32,
    key: &impl Fn(&T) -> u64,
) -> Result<()> {
    let places = 1usize << DIGIT;
    let place =
        |item: &T, digit: usize| (key(item) >> (digit as u32 * DIGIT)) as usize & (places - 1);
    let mut counts = room::zeros::<usize>(bits.div_ceil(DIGIT) as usize * places)?;
    for item in items.iter() {
        for (digit, counts) in counts.chunks_exact_mut(places).enumerate() {
            counts[place(item, digit)] += 1;
        }
    }
    let (mut from, mut to) = (items, other);
    let mut swapped = false;
    for (digit, counts) in counts.chunks_exact_mut(places).enumerate() {
        if counts.contains(&from.len()) {
            continue;
        }
        let mut start = 0;
        for count in counts.iter_mut() {
            (*count, start) = (start, start + *count);
        }
        for item in from.iter() {
            let at = &mut counts[place(item, digit)];
            to[*at] = *item;
            *at += 1;
        }
        std::mem::swap(&mut from, &mut to);
        swapped = !swapped;
    }
    if swapped {
        to.copy_from_slice(from);
    }
    Ok(())
}
