//! Sorting by digits, lowest first, or by comparison; long lines in halves on several threads, merged from both
//! ends.

use crate::cpu::threads::{self, join};
use crate::error::Result;
use crate::interrupt::{self, Pace, in_pieces};
use crate::room;
use bytemuck::Zeroable;
use std::cmp::Ordering;

/// Items of a half that is sorted on its own.
const HALF: usize = 1 << 16;
/// Items that are sorted by comparison in one go: work is told to stop between two such runs.
const RUN: usize = 1 << 19;
/// Items that one loop takes before the caller is asked whether to go on.
const UNASKED: usize = 1 << 20;

/// Sorts by the lowest `bits` bits of `key`; equal keys keep their order, so the result is the same
/// for any number of threads.
pub(crate) fn radix_sort<T: Zeroable + Copy + Send + Sync>(
    items: &mut [T],
    bits: u32,
    key: impl Fn(&T) -> u64 + Sync,
) -> Result<()> {
    let mut other = room::zeros(items.len())?;
    let runs = |items: &mut [T], other: &mut [T]| digits(items, other, bits, &key);
    let before = |a: &T, b: &T| key(a) < key(b);
    halves(items, &mut other, &runs, &before, depth())
}

/// Sorts by comparison; items that are equal are the same. As the standard library's, on several threads, and it may be
/// told to stop.
#[doc(hidden)]
pub fn sort_by<T: Copy + Send + Sync>(
    items: &mut [T],
    compare: impl Fn(&T, &T) -> Ordering + Sync,
) -> Result<()> {
    if items.len() < 2 * HALF {
        items.sort_unstable_by(&compare);
        return Ok(());
    }
    let mut other = room::copied(items)?;
    let runs = |items: &mut [T], _: &mut [T]| {
        interrupt::poll()?;
        items.sort_unstable_by(&compare);
        Ok(())
    };
    let before = |a: &T, b: &T| compare(a, b) == Ordering::Less;
    let deep = items.len().div_ceil(RUN).next_power_of_two().ilog2();
    halves(items, &mut other, &runs, &before, deep.max(depth()))
}

/// How often to halve so that every thread has its part.
fn depth() -> u32 {
    threads::count().next_power_of_two().ilog2()
}

/// Sorts `items`, with `other` of the same length as scratch: runs by `sort`, which are then merged by `before`.
fn halves<T: Copy + Send + Sync>(
    items: &mut [T],
    other: &mut [T],
    sort: &(impl Fn(&mut [T], &mut [T]) -> Result<()> + Sync),
    before: &(impl Fn(&T, &T) -> bool + Sync),
    depth: u32,
) -> Result<()> {
    let middle = items.len() / 2;
    if depth == 0 || middle < HALF {
        return sort(items, other);
    }
    let (a, b) = items.split_at_mut(middle);
    let (x, y) = other.split_at_mut(middle);
    let (mut first, mut second) = (Ok(()), Ok(()));
    join(
        || first = halves(a, x, sort, before, depth - 1),
        || second = halves(b, y, sort, before, depth - 1),
    )?;
    first.and(second)?;
    let (low, high) = other.split_at_mut(middle);
    join(
        || merge_low(a, b, low, before),
        || merge_high(a, b, high, before),
    )?;
    Ok(interrupt::copy(items, other)?)
}

/// The first `out.len()` items of the merge of `a` and `b`; there are that many in each of them.
fn merge_low<T: Copy>(a: &[T], b: &[T], out: &mut [T], before: &impl Fn(&T, &T) -> bool) {
    let (mut i, mut j, mut pace) = (0, 0, Pace::new(0, UNASKED));
    for part in out.chunks_mut(UNASKED) {
        if pace.stops(i + j) {
            return;
        }
        for to in part {
            let second = before(&b[j], &a[i]);
            *to = if second { b[j] } else { a[i] };
            i += usize::from(!second);
            j += usize::from(second);
        }
    }
}

/// The last `out.len()` items of the merge of `a` and `b`; `b` has that many and `a` one less at most.
fn merge_high<T: Copy>(a: &[T], b: &[T], out: &mut [T], before: &impl Fn(&T, &T) -> bool) {
    let (mut i, mut j) = (a.len(), b.len());
    let mut pace = Pace::new(0, UNASKED);
    for part in out.rchunks_mut(UNASKED) {
        if pace.stops(a.len() + b.len() - i - j) {
            return;
        }
        for to in part.iter_mut().rev() {
            let first = j == 0 || (i > 0 && before(&b[j - 1], &a[i - 1]));
            *to = if first { a[i - 1] } else { b[j - 1] };
            i -= usize::from(first);
            j -= usize::from(!first);
        }
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
    in_pieces(items.len(), UNASKED, |first, end| {
        for item in &items[first..end] {
            for (digit, counts) in counts.chunks_exact_mut(places).enumerate() {
                counts[place(item, digit)] += 1;
            }
        }
    })?;
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
        in_pieces(from.len(), UNASKED, |first, end| {
            for item in &from[first..end] {
                let at = &mut counts[place(item, digit)];
                to[*at] = *item;
                *at += 1;
            }
        })?;
        std::mem::swap(&mut from, &mut to);
        swapped = !swapped;
    }
    if swapped {
        interrupt::copy(to, from)?;
    }
    Ok(())
}
