//! Room in the host's memory for data of any size, or an error.
//!
//! The collections of the standard library end the process where the system has no memory left. Whatever grows with the
//! data of a call is therefore made here, and memory that is refused is an [`Error::OutOfMemory`] as it is for tensors.
//! What a cache of the device holds is given back before anything is refused.

use crate::cpu::cpu;
use crate::error::{Error, Result};
use crate::interrupt;
use bytemuck::Zeroable;
use std::io::Write;

/// Values that are written before the caller is asked whether to go on: some megabytes.
const fn part<T>() -> usize {
    match size_of::<T>() {
        0 => usize::MAX,
        size => (4 << 20) / size + 1,
    }
}

/// An empty vector with room for `n` values.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_core::room;
///
/// let values: Vec<f64> = room::empty(100)?;
/// assert!(values.is_empty() && values.capacity() >= 100);
/// assert!(room::empty::<f64>(usize::MAX).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn empty<T>(n: usize) -> Result<Vec<T>> {
    let mut room = Vec::new();
    more(&mut room, n)?;
    Ok(room)
}

/// Room for `n` more values in `vec`, and no more than that.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_core::room;
///
/// let mut values = vec![1, 2];
/// room::more(&mut values, 100)?;
/// assert!(values.len() == 2 && values.capacity() >= 102);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
#[inline]
pub fn more<T>(vec: &mut Vec<T>, n: usize) -> Result<()> {
    if vec.capacity() - vec.len() >= n || vec.try_reserve_exact(n).is_ok() {
        return Ok(());
    }
    again(n.saturating_mul(size_of::<T>()), || {
        vec.try_reserve_exact(n).is_ok()
    })
}

/// Room for `n` more values in `vec`, and for about as many as there are, where more will follow.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_core::room;
///
/// let mut values = vec![1; 100];
/// room::grow(&mut values, 1)?;
/// assert!(values.capacity() > 100);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
#[inline]
pub fn grow<T>(vec: &mut Vec<T>, n: usize) -> Result<()> {
    if vec.capacity() - vec.len() >= n || vec.try_reserve(n).is_ok() {
        return Ok(());
    }
    let wanted = vec.len().saturating_add(n).saturating_mul(size_of::<T>());
    again(wanted, || vec.try_reserve_exact(n).is_ok())
}

/// One more value at the end of `vec`, where how many there will be is not known.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_core::room;
///
/// let mut values = vec![1];
/// room::push(&mut values, 2)?;
/// assert_eq!(values, [1, 2]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
#[inline]
pub fn push<T>(vec: &mut Vec<T>, value: T) -> Result<()> {
    grow(vec, 1)?;
    vec.push(value);
    Ok(())
}

/// `n` times the value.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_core::room;
///
/// assert_eq!(room::filled(3, 'a')?, ['a'; 3]);
/// assert!(room::filled(usize::MAX, 1u64).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn filled<T: Clone>(n: usize, value: T) -> Result<Vec<T>> {
    let mut room = empty(n)?;
    resize(&mut room, n, value)?;
    Ok(room)
}

/// `n` zeros, of memory that the system hands out as such.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_core::room;
///
/// assert_eq!(room::zeros::<f32>(3)?, [0.0; 3]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn zeros<T: Zeroable>(n: usize) -> Result<Vec<T>> {
    if let Ok(zeros) = bytemuck::allocation::try_zeroed_vec(n) {
        return Ok(zeros);
    }
    let mut found = None;
    again(n.saturating_mul(size_of::<T>()), || {
        found = bytemuck::allocation::try_zeroed_vec(n).ok();
        found.is_some()
    })?;
    Ok(found.unwrap_or_default())
}

/// The length of `vec` becomes `n`: cut, or with the value behind it.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_core::room;
///
/// let mut values = vec![1, 2, 3];
/// room::resize(&mut values, 2, 0)?;
/// room::resize(&mut values, 4, 9)?;
/// assert_eq!(values, [1, 2, 9, 9]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn resize<T: Clone>(vec: &mut Vec<T>, n: usize, value: T) -> Result<()> {
    more(vec, n.saturating_sub(vec.len()))?;
    let former = vec.len();
    while n > vec.len().saturating_add(part::<T>()) {
        vec.resize(vec.len() + part::<T>(), value.clone());
        if let Err(stopped) = interrupt::poll() {
            vec.truncate(former);
            return Err(stopped.into());
        }
    }
    vec.resize(n, value);
    Ok(())
}

/// The values in a vector of their own.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_core::room;
///
/// assert_eq!(room::copied(&[1, 2, 3])?, [1, 2, 3]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn copied<T: Clone>(values: &[T]) -> Result<Vec<T>> {
    let mut room = empty(values.len())?;
    for part in values.chunks(part::<T>()) {
        if !room.is_empty() {
            interrupt::poll()?;
        }
        room.extend_from_slice(part);
    }
    Ok(room)
}

/// What the iterator yields.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_core::room;
///
/// assert_eq!(room::collected((0..4).map(|k| k * k))?, [0, 1, 4, 9]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn collected<T>(values: impl IntoIterator<Item = T>) -> Result<Vec<T>> {
    let mut values = values.into_iter();
    let (least, most) = values.size_hint();
    let mut room = empty(least)?;
    if most == Some(least) {
        // By parts, between which the caller is asked.
        while least - room.len() > part::<T>() {
            room.extend(values.by_ref().take(part::<T>()));
            interrupt::poll()?;
        }
        room.extend(values);
        return Ok(room);
    }
    for value in values {
        asked(&mut room, value)?;
    }
    Ok(room)
}

/// What the iterator yields, up to the first error.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_core::room;
///
/// let parsed = |text: &str| text.parse::<i32>().map_err(|_| syntonic_core::Error::value("parse", text));
/// assert_eq!(room::gathered(["1", "2"].map(parsed))?, [1, 2]);
/// assert!(room::gathered(["1", "x"].map(parsed)).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn gathered<T, E: From<Error>>(
    values: impl IntoIterator<Item = std::result::Result<T, E>>,
) -> std::result::Result<Vec<T>, E> {
    let values = values.into_iter();
    let mut room = empty(values.size_hint().0)?;
    for value in values {
        asked(&mut room, value?)?;
    }
    Ok(room)
}

/// [`push`] in a loop, which may be told to stop now and then.
#[inline]
fn asked<T>(room: &mut Vec<T>, value: T) -> Result<()> {
    push(room, value)?;
    match room.len() % LOOPED {
        0 => Ok(interrupt::poll()?),
        _ => Ok(()),
    }
}

/// Turns of such a loop before the caller is asked.
const LOOPED: usize = 1 << 16;

/// Text and bytes that are written piece by piece: a file in memory whose growth can fail, with an error of the kind that
/// the system's own have for it.
#[derive(Debug, Default)]
pub struct Draft(pub Vec<u8>);

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        grow(&mut self.0, bytes.len()).map_err(|_| std::io::ErrorKind::OutOfMemory)?;
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The error of the host's memory for `bytes` bytes that somebody else was refused.
///
/// ```
/// use syntonic_core::room::refused;
///
/// assert!(refused(1 << 40).to_string().contains("memory"));
/// ```
#[cold]
pub fn refused(bytes: usize) -> Error {
    let stats = cpu().stats();
    Error::OutOfMemory {
        device: cpu().id(),
        requested: bytes,
        in_use: stats.in_use,
        cached: stats.cached,
    }
}

/// Nothing, if `bytes` bytes can be had now: for code that asks for them in a way that cannot fail.
///
/// ```
/// use syntonic_core::room::probe;
///
/// assert!(probe(1000).is_ok());
/// assert!(probe(usize::MAX).is_err());
/// ```
pub fn probe(bytes: usize) -> Result<()> {
    empty::<u8>(bytes).map(drop)
}

/// Tries once more after the cache has been given back.
#[cold]
fn again(bytes: usize, mut attempt: impl FnMut() -> bool) -> Result<()> {
    cpu().trim();
    if attempt() {
        return Ok(());
    }
    Err(refused(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_what_the_standard_library_gives() {
        assert_eq!(filled(3, 7u8).unwrap(), [7, 7, 7]);
        assert_eq!(zeros::<f64>(2).unwrap(), [0.0, 0.0]);
        assert_eq!(copied(&[1, 2]).unwrap(), [1, 2]);
        assert_eq!(collected(1..4).unwrap(), [1, 2, 3]);
        let odd = collected((0..100).filter(|i| i % 2 == 1)).unwrap();
        assert_eq!(odd, (0..50).map(|i| 2 * i + 1).collect::<Vec<_>>());
        let mut grown = vec![1];
        resize(&mut grown, 3, 5).unwrap();
        assert_eq!(grown, [1, 5, 5]);
        resize(&mut grown, 1, 5).unwrap();
        assert_eq!(grown, [1]);
    }

    #[test]
    fn the_first_error_ends_it() {
        let values = [Ok(1), Err(Error::value("test", "second")), Ok(3)];
        let complaint = gathered::<i32, Error>(values).unwrap_err();
        assert_eq!(complaint.to_string(), "test: second");
    }

    #[test]
    fn impossible_sizes_are_refused() {
        for n in [usize::MAX, usize::MAX / 8, 1 << 60] {
            let wanted = n.saturating_mul(8);
            let refused = |e: Error| match e {
                Error::OutOfMemory { requested, .. } => assert_eq!(requested, wanted),
                other => panic!("{other}"),
            };
            refused(empty::<u64>(n).unwrap_err());
            refused(zeros::<u64>(n).unwrap_err());
            refused(filled(n, 1u64).unwrap_err());
            refused(resize(&mut vec![], n, 1u64).unwrap_err());
        }
        assert!(probe(usize::MAX).is_err() && probe(100).is_ok());
    }
}
