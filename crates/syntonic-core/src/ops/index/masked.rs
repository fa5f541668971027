//! A mask over all axes of a tensor in host memory, both row-major: elements are read and written in one walk over both, without a list of
//! places.

use super::IndexItem;
use crate::cpu::exec::parallel::{Work, for_ranges};
use crate::device::DeviceId;
use crate::dtype::DType;
use crate::error::Result;
use crate::graph::is_capturing;
use crate::profile;
use crate::room;
use crate::scalar::with_bits;
use crate::tensor::{Tensor, shares};

/// Positions that are counted together, and that a thread takes at once.
const BLOCK: usize = 1 << 14;
/// Positions that are looked at together: as many bytes as a register has.
const WORD: usize = size_of::<u64>();
/// A word of a mask that is true everywhere.
const ALL: u64 = u64::from_ne_bytes([1; WORD]);
/// Elements that are put together before they are written.
const CHUNK: usize = 256;

/// An address that crosses threads, each of which has a range of its own.
#[derive(Clone, Copy)]
struct Address(*mut u8);

// SAFETY: threads read, and write to disjoint ranges.
unsafe impl Send for Address {}
// SAFETY: as above.
unsafe impl Sync for Address {}

impl Address {
    /// Where the elements of a tensor begin that the host may read as it pleases, row-major.
    fn of(t: &Tensor) -> Result<Option<Address>> {
        let plain = t.device_id() == DeviceId::Cpu && t.is_contiguous() && !t.is_tracked();
        if !plain {
            return Ok(None);
        }
        let first = t.layout().offset() * t.dtype().size();
        Ok(Some(Address(t.buffer()?.address().wrapping_add(first))))
    }

    fn at<T>(self, element: usize) -> *mut T {
        self.0.cast::<T>().wrapping_add(element)
    }
}

/// The mask, where it is all of the items and stands for all axes of `x`.
fn mask_of<'a>(x: &Tensor, items: &'a [IndexItem]) -> Option<&'a Tensor> {
    let [IndexItem::Mask(mask)] = items else {
        return None;
    };
    let whole = mask.dtype() == DType::Bool && mask.shape() == x.shape() && mask.numel() > 0;
    let watched = is_capturing(DeviceId::Cpu) || profile::is_active();
    (whole && !watched && !x.has_strange_truths()).then_some(mask)
}

/// How many of the bytes are not 0.
fn count(truths: &[u8]) -> usize {
    // A byte holds the count of 255, and bytes are added many at once.
    let few = |some: &[u8]| some.iter().map(|&b| u8::from(b != 0)).sum::<u8>();
    truths.chunks(255).map(|some| usize::from(few(some))).sum()
}

/// Runs `body(block)` for blocks of `n` positions, where each takes so long.
fn for_blocks(
    n: usize,
    tenths_of_ns: usize,
    body: impl Fn(usize, std::ops::Range<usize>) + Sync,
) -> Result<()> {
    let work = Work {
        items: n.div_ceil(BLOCK),
        tenths_of_ns: n.min(BLOCK) * tenths_of_ns,
        at_least: 1,
    };
    for_ranges(work, |first, end| {
        for block in first..end {
            body(block, block * BLOCK..((block + 1) * BLOCK).min(n));
        }
        Ok(())
    })
}

/// The truths of a range.
///
/// # Safety
/// The mask has so many bytes.
unsafe fn truths<'a>(mask: Address, range: &std::ops::Range<usize>) -> &'a [u8] {
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(mask.at::<u8>(range.start), range.len()) }
}

/// How many positions before each block are true, and then how many in all.
fn starts(mask: Address, n: usize) -> Result<Vec<usize>> {
    let mut starts: Vec<usize> = room::empty(n.div_ceil(BLOCK) + 1)?;
    // few: for as many there is room.
    starts.resize(n.div_ceil(BLOCK) + 1, 0);
    let to = Address(starts.as_mut_ptr().cast());
    for_blocks(n, 1, |block, range| {
        // SAFETY: the range lies in the mask; each block has a place of its own, behind that of all before it.
        unsafe { to.at::<usize>(block + 1).write(count(truths(mask, &range))) };
    })?;
    for block in 1..starts.len() {
        starts[block] += starts[block - 1];
    }
    Ok(starts)
}

/// How many elements of a `bool` tensor are true; none where the host does not read it row by row as it pleases.
pub(crate) fn count_true(mask: &Tensor) -> Result<Option<usize>> {
    let watched = is_capturing(DeviceId::Cpu) || profile::is_active();
    if !mask.dtype().is_bool() || mask.is_pending() || watched || mask.numel() == 0 {
        return Ok(None);
    }
    let Some(address) = Address::of(mask)? else {
        return Ok(None);
    };
    Ok(starts(address, mask.numel())?.last().copied())
}

/// Copies the elements at true positions, and no more than there is room for: others may write the mask meanwhile. Gives their number.
///
/// # Safety
/// `from` has an element for each position, and `to` room for `room`.
unsafe fn compress<T: Copy>(truths: &[u8], from: *const T, to: *mut T, room: usize) -> usize {
    let mut found = [const { std::mem::MaybeUninit::<T>::uninit() }; CHUNK];
    let mut total = 0;
    for (chunk, truths) in truths.chunks(CHUNK).enumerate() {
        // SAFETY: the caller's promise.
        let from = unsafe { from.add(chunk * CHUNK) };
        let mut n = 0;
        let mut one = |j: usize, truth: u8| {
            // SAFETY: `j` is a position of the chunk, and no more are found than were looked at. Each is stored, and only true ones are
            // kept: no branch depends on the mask.
            unsafe { found.get_unchecked_mut(n).write(*from.add(j)) };
            n += usize::from(truth != 0);
        };
        let (words, rest) = truths.as_chunks::<WORD>();
        for (w, word) in words.iter().enumerate() {
            if u64::from_ne_bytes(*word) != 0 {
                for (k, &truth) in word.iter().enumerate() {
                    one(w * WORD + k, truth);
                }
            }
        }
        for (k, &truth) in rest.iter().enumerate() {
            one(words.len() * WORD + k, truth);
        }
        let n = n.min(room - total);
        // SAFETY: so many were found, and there is room for them.
        unsafe {
            to.add(total)
                .copy_from_nonoverlapping(found.as_ptr().cast(), n)
        };
        total += n;
    }
    total
}

/// `x[mask]`; none where that is no walk over both.
pub(super) fn read(op: &'static str, x: &Tensor, items: &[IndexItem]) -> Result<Option<Tensor>> {
    let Some(mask) = mask_of(x, items) else {
        return Ok(None);
    };
    let (Some(from), Some(mask)) = (Address::of(x)?, Address::of(mask)?) else {
        return Ok(None);
    };
    let n = x.numel();
    let starts = starts(mask, n)?;
    let out = Tensor::uninit(op, &[starts[starts.len() - 1]], x.dtype(), x.device())?;
    let Some(to) = Address::of(&out)? else {
        return Ok(None);
    };
    let size = x.dtype().size();
    with_bits!(size, T => for_blocks(n, 6, |block, range| {
        let (first, end) = (starts[block], starts[block + 1]);
        // SAFETY: the range lies in the mask and in `x`, which is as long, and the output is fresh, with a part for each block.
        unsafe {
            let truths = truths(mask, &range);
            let found = compress(truths, from.at::<T>(range.start), to.at::<T>(first), end - first);
            // Where the mask has lost some since.
            to.at::<T>(first + found).write_bytes(0, end - first - found);
        }
    }))?;
    Ok(Some(out))
}

/// Runs `body` for each true position, all of a word at once where it can take them.
fn each_true(truths: &[u8], mut word: impl FnMut(usize) -> bool, mut one: impl FnMut(usize)) {
    let (words, rest) = truths.as_chunks::<WORD>();
    for (w, truths) in words.iter().enumerate() {
        let all = u64::from_ne_bytes(*truths);
        if all == 0 || all == ALL && word(w * WORD) {
            continue;
        }
        for (k, &truth) in truths.iter().enumerate() {
            if truth != 0 {
                one(w * WORD + k);
            }
        }
    }
    for (k, &truth) in rest.iter().enumerate() {
        if truth != 0 {
            one(words.len() * WORD + k);
        }
    }
}

/// Writes prepared values, one for all true positions or one for each. False, and nothing has happened, where that is no walk over both.
///
/// The memory of `x` may be written.
pub(super) fn write(x: &Tensor, mask: &Tensor, values: &Tensor) -> Result<bool> {
    if values.dtype() != x.dtype() || values.has_strange_truths() || values.ndim() > 1 {
        return Ok(false);
    }
    let (Some(to), Some(truth), Some(from)) =
        (Address::of(x)?, Address::of(mask)?, Address::of(values)?)
    else {
        return Ok(false);
    };
    if shares(x, mask)? || shares(x, values)? {
        return Ok(false);
    }
    let (n, size) = (x.numel(), x.dtype().size());
    if values.ndim() == 0 {
        x.buffer()?.settle_for_write()?;
        with_bits!(size, T => {
            // SAFETY: one element.
            let value = unsafe { from.at::<T>(0).read() };
            for_blocks(n, 4, |_, range| {
                let to = to.at::<T>(range.start);
                // SAFETY: the range lies in the mask and in `x`, and is this thread's alone.
                unsafe {
                    let set = |j: usize| to.add(j).write(value);
                    let word = |j: usize| {
                        (j..j + WORD).for_each(set);
                        true
                    };
                    each_true(truths(truth, &range), word, set);
                }
            })
        })?;
        return Ok(true);
    }
    let starts = starts(truth, n)?;
    let (found, given) = (starts[starts.len() - 1], values.numel());
    if found != given {
        return Ok(false);
    }
    x.buffer()?.settle_for_write()?;
    with_bits!(size, T => for_blocks(n, 8, |block, range| {
        let (to, end) = (to.at::<T>(range.start), starts[block + 1]);
        let next = std::cell::Cell::new(starts[block]);
        // SAFETY: the range lies in the mask and in `x`, and is this thread's alone; no more values are read than were counted.
        unsafe {
            let word = |j: usize| {
                let k = next.get();
                let fits = k + WORD <= end;
                if fits {
                    to.add(j).copy_from_nonoverlapping(from.at::<T>(k), WORD);
                    next.set(k + WORD);
                }
                fits
            };
            let one = |j: usize| {
                let k = next.get();
                if k < end {
                    to.add(j).write(from.at::<T>(k).read());
                    next.set(k + 1);
                }
            };
            each_true(truths(truth, &range), word, one);
        }
    }))?;
    Ok(true)
}

/// `x[mask] = values` through the memory itself; false, and nothing has happened, where that is no walk over both.
pub(super) fn set_aliased(x: &Tensor, items: &[IndexItem], values: &Tensor) -> Result<bool> {
    let Some(mask) = mask_of(x, items) else {
        return Ok(false);
    };
    let same = values.dtype() == x.dtype() && values.device_id() == DeviceId::Cpu;
    if !same || x.device_id() != DeviceId::Cpu || values.is_tracked() {
        return Ok(false);
    }
    x.check_writable("set_item")?;
    // An expression that reads the target is computed before the first element changes.
    write(x, &mask.eval()?, &values.eval()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuse::Prim;
    use crate::ops::elementwise::apply;
    use crate::ops::index;
    use crate::scalar::Scalar;

    /// The same elements twice: row-major, and at every second place.
    fn twice(t: &Tensor) -> [Tensor; 2] {
        let wide = Tensor::zeros(&[t.numel(), 2], t.dtype()).unwrap();
        let column = wide.select(1, 0).unwrap();
        // SAFETY: this test is the only user of the memory.
        unsafe { column.assign_aliased(t).unwrap() };
        [t.copy().unwrap(), column]
    }

    fn bytes(t: &Tensor) -> Vec<u8> {
        let row = t.copy().unwrap();
        let from = Address::of(&row).unwrap().unwrap();
        let len = row.numel() * row.dtype().size();
        // SAFETY: the bytes of the row, which is row-major.
        unsafe { std::slice::from_raw_parts(from.at::<u8>(0), len) }.to_vec()
    }

    #[test]
    fn a_walk_gives_what_a_list_of_places_gives() {
        for n in [1usize, 7, 8, 9, 300, 16_384, 40_001] {
            let count = Tensor::arange(0, n as i64, 1).unwrap();
            for period in [1i64, 2, 3, 17, 1000, 100_000] {
                let rest = apply(Prim::Rem, &[(&count).into(), period.into()]).unwrap();
                for prim in [Prim::Eq, Prim::Ne] {
                    let mask = apply(prim, &[(&rest).into(), (period - 1).into()]).unwrap();
                    let items = [IndexItem::Mask(mask)];
                    for dtype in [
                        DType::Bool,
                        DType::I8,
                        DType::F16,
                        DType::F32,
                        DType::I64,
                        DType::C128,
                    ] {
                        let [row, column] = twice(&count.cast(dtype).unwrap());
                        let read = masked(&row, &items);
                        assert_eq!(bytes(&read), bytes(&index::index(&column, &items).unwrap()));
                        let one = Tensor::scalar(Scalar::Int(1), dtype).unwrap();
                        for values in [one, read] {
                            let before = bytes(&row);
                            // SAFETY: this test is the only user of the memory.
                            let wrote = unsafe {
                                index::set_aliased(&column, &items, &values).unwrap();
                                set_aliased(&row, &items, &values).unwrap()
                            };
                            assert!(wrote || values.ndim() == 1);
                            assert_eq!(bytes(&row), if wrote { bytes(&column) } else { before });
                        }
                    }
                }
            }
        }
    }

    fn masked(x: &Tensor, items: &[IndexItem]) -> Tensor {
        read("index", x, items).unwrap().unwrap()
    }

    #[test]
    fn other_masks_go_another_way() {
        let x = Tensor::from([[1, 2], [3, 4]]);
        let mask = Tensor::from([true, false]);
        assert!(
            read("index", &x, &[IndexItem::Mask(mask)])
                .unwrap()
                .is_none()
        );
        let whole = IndexItem::Mask(Tensor::from([[true, false], [false, true]]));
        let turned = x.t().unwrap();
        assert!(
            read("index", &turned, std::slice::from_ref(&whole))
                .unwrap()
                .is_none()
        );
        // One value for several places is no list of them.
        let wrong = Tensor::from([1, 2, 3]);
        assert!(!set_aliased(&x, &[whole], &wrong).unwrap());
        assert_eq!(x.to_vec::<i32>().unwrap(), [1, 2, 3, 4]);
    }
}
