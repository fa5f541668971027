//! Filling, gathering and scattering lanes: bytes are moved, numbers are not looked at.

use crate::scalar::with_bits;

/// Writes the value at `value`, an element of `size` bytes (1, 2, 4, 8 or 16), into `n` lanes at `out`.
///
/// # Safety
/// `value` must be valid for `size` bytes and `out` for `n * size`; they must not overlap.
pub unsafe fn fill(out: *mut u8, value: *const u8, size: usize, n: usize) {
    with_bits!(size, T => {
        // SAFETY: `value` holds one `T` by the caller's promise; no alignment is assumed.
        let value = unsafe { value.cast::<T>().read_unaligned() };
        for i in 0..n {
            // SAFETY: `out` is valid for `n` elements of this size.
            unsafe { out.cast::<T>().add(i).write_unaligned(value) };
        }
    })
}

/// Copies `n` lanes, `stride` bytes apart from `src` on (0 and negative strides too), to contiguous `out`.
///
/// # Safety
/// `src + i * stride` must be valid for `size` bytes for each `i < n`, `out` for `n * size` bytes, and
/// they must not overlap.
pub unsafe fn gather(out: *mut u8, src: *const u8, stride: isize, size: usize, n: usize) {
    if stride == size as isize {
        // SAFETY: contiguous lanes are `n * size` valid bytes on both sides, and do not overlap.
        return unsafe { out.copy_from_nonoverlapping(src, n * size) };
    }
    with_bits!(size, T => for i in 0..n {
        // SAFETY: `i < n`, so both addresses are within the caller's promise.
        unsafe {
            let value = src.offset(i as isize * stride).cast::<T>().read_unaligned();
            out.cast::<T>().add(i).write_unaligned(value);
        }
    })
}

/// Copies `n` contiguous lanes at `src` to addresses `stride` bytes apart from `dst` on.
///
/// # Safety
/// `dst + i * stride` must be valid for `size` bytes for each `i < n`, `src` for `n * size` bytes, and
/// they must not overlap.
pub unsafe fn scatter(dst: *mut u8, stride: isize, src: *const u8, size: usize, n: usize) {
    if stride == size as isize {
        // SAFETY: contiguous lanes are `n * size` valid bytes on both sides, and do not overlap.
        return unsafe { dst.copy_from_nonoverlapping(src, n * size) };
    }
    with_bits!(size, T => for i in 0..n {
        // SAFETY: `i < n`, so both addresses are within the caller's promise.
        unsafe {
            let value = src.cast::<T>().add(i).read_unaligned();
            dst.offset(i as isize * stride).cast::<T>().write_unaligned(value);
        }
    })
}

/// Bytes that memory hands over at once.
pub(crate) const LINE: usize = 64;

/// Asks memory for one line; nothing is read, so any address will do.
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(crate) fn fetch(address: *const u8) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a hint that never faults, of the instructions every such processor has.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
}

#[cfg(any(not(target_arch = "x86_64"), miri))]
pub(crate) fn fetch(_address: *const u8) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gather_and_scatter_are_inverse_for_every_size_and_stride() {
        let src: Vec<u8> = (0..=255).collect();
        for size in [1usize, 2, 4, 8, 16] {
            for stride in [-(size as isize) * 2, 0, size as isize, size as isize * 3] {
                let n = 5;
                let start = if stride < 0 {
                    (n - 1) * stride.unsigned_abs()
                } else {
                    0
                };
                let mut lanes = vec![0u8; n * size];
                let mut back = src.clone();
                // SAFETY: 4 steps of at most 48 bytes and an element of 16 stay within 256 bytes.
                unsafe {
                    gather(lanes.as_mut_ptr(), src.as_ptr().add(start), stride, size, n);
                    scatter(
                        back.as_mut_ptr().add(start),
                        stride,
                        lanes.as_ptr(),
                        size,
                        n,
                    );
                }
                for i in 0..n {
                    let at = (start as isize + i as isize * stride) as usize;
                    assert_eq!(
                        lanes[i * size..][..size],
                        src[at..][..size],
                        "{size} {stride}"
                    );
                }
                assert_eq!(back, src);
            }
        }
    }

    #[test]
    fn fill_repeats_the_bytes() {
        for size in [1usize, 2, 4, 8, 16] {
            let value: Vec<u8> = (1..=size as u8).collect();
            let mut out = vec![0u8; size * 7];
            // SAFETY: `out` has room for seven elements.
            unsafe { fill(out.as_mut_ptr(), value.as_ptr(), size, 7) };
            assert_eq!(out, value.repeat(7));
        }
    }
}
