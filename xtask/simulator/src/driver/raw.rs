//! What is done through a caller's pointers.

use std::ffi::{CStr, c_char, c_void};

use super::code::Code;
use super::exports::Answer;

/// A name or a text that ends with a zero byte.
///
/// # Safety
/// The pointer is null, or good for reading up to a zero byte, as long as the result is in use.
pub(super) unsafe fn text<'a>(at: *const c_char) -> Answer<&'a str> {
    if at.is_null() {
        return Err(Code::InvalidValue);
    }
    // SAFETY: the caller's promise, and the pointer is not null.
    let bytes = unsafe { CStr::from_ptr(at) };
    bytes.to_str().map_err(|_| Code::InvalidValue)
}

/// Writes a text and a zero byte into `room` bytes, cut off where it does not fit.
///
/// # Safety
/// The pointer is null, or good for writing `room` bytes.
pub(super) unsafe fn put_text(at: *mut c_char, room: usize, text: &str) -> Answer {
    if at.is_null() || room == 0 {
        return Err(Code::InvalidValue);
    }
    let length = text.len().min(room - 1);
    // SAFETY: the caller's promise: there is room for these bytes and one more.
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr().cast(), at, length);
        at.add(length).write(0);
    }
    Ok(())
}

/// Copies bytes, also where both sides overlap.
///
/// # Safety
/// Both sides have `bytes` bytes.
pub(super) unsafe fn copy(to: *mut u8, from: *const u8, bytes: usize) {
    // SAFETY: the caller's promise.
    unsafe { std::ptr::copy(from, to, bytes) };
}

/// Fills `count` elements.
///
/// # Safety
/// `to` has room for them.
pub(super) unsafe fn fill<T: Copy>(to: u64, value: T, count: usize) {
    for k in 0..count {
        // SAFETY: the caller's promise. Elements may begin anywhere.
        unsafe { (to as *mut T).add(k).write_unaligned(value) };
    }
}

/// Writes a value where a caller has room for an attribute's.
///
/// # Safety
/// The pointer is null, or good for writing a `T`, however aligned.
pub(super) unsafe fn put<T>(at: *mut c_void, value: T) -> Answer {
    if at.is_null() {
        return Err(Code::InvalidValue);
    }
    // SAFETY: the caller's promise, and the pointer is not null.
    unsafe { at.cast::<T>().write_unaligned(value) };
    Ok(())
}

/// The first `count` values of a list; the rest is as by default.
///
/// # Safety
/// `from` is null or has so many.
pub(super) unsafe fn list<T: Copy + Default, const N: usize>(
    from: *const T,
    count: usize,
) -> Answer<[T; N]> {
    let mut all = [T::default(); N];
    if from.is_null() && count > 0 || count > N {
        return Err(Code::InvalidValue);
    }
    for (k, to) in all.iter_mut().take(count).enumerate() {
        // SAFETY: the caller's promise, and the pointer is not null.
        *to = unsafe { from.add(k).read() };
    }
    Ok(all)
}

/// The bytes of a kernel's parameters, each gathered from where the caller has it.
///
/// # Safety
/// `places` is null or has an address for each range, from which its bytes can be read.
pub(super) unsafe fn gather(
    places: *const *const c_void,
    ranges: &[(usize, usize)],
    bytes: usize,
) -> Answer<Vec<u8>> {
    let mut all = vec![0; bytes];
    if places.is_null() && !ranges.is_empty() {
        return Err(Code::InvalidValue);
    }
    for (k, &(offset, size)) in ranges.iter().enumerate() {
        // SAFETY: the caller's promise: there is an address for each range.
        let from = unsafe { *places.add(k) }.cast::<u8>();
        let to = all
            .get_mut(offset..offset + size)
            .ok_or(Code::InvalidValue)?;
        if from.is_null() {
            return Err(Code::InvalidValue);
        }
        // SAFETY: the caller's promise: there are so many bytes.
        unsafe { std::ptr::copy_nonoverlapping(from, to.as_mut_ptr(), size) };
    }
    Ok(all)
}

/// The bytes of a kernel's parameters as the caller laid them out: a list of pairs, of which the first says what the second
/// is, up to a zero.
///
/// # Safety
/// `extra` is such a list, whose buffer is as long as it says.
pub(super) unsafe fn packed(extra: *const *const c_void, bytes: usize) -> Answer<Vec<u8>> {
    let (mut at, mut buffer, mut length) = (extra, std::ptr::null::<u8>(), None);
    loop {
        // SAFETY: the caller's promise: the list goes on up to a zero.
        let kind = unsafe { *at } as usize;
        if kind == 0 {
            break;
        }
        // SAFETY: as above: a pair has a second part.
        let value = unsafe { *at.add(1) };
        match kind {
            1 => buffer = value.cast(),
            // SAFETY: the caller's promise: this one points to a number.
            2 => length = Some(unsafe { *value.cast::<usize>() }),
            _ => return Err(Code::InvalidValue),
        }
        // SAFETY: as above.
        at = unsafe { at.add(2) };
    }
    let given = length.ok_or(Code::InvalidValue)?.min(bytes);
    if buffer.is_null() {
        return Err(Code::InvalidValue);
    }
    let mut all = vec![0; bytes];
    // SAFETY: the caller's promise: the buffer has at least that many bytes.
    unsafe { std::ptr::copy_nonoverlapping(buffer, all.as_mut_ptr(), given) };
    Ok(all)
}
