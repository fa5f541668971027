//! Values that are made once, when they are first wanted.

use super::inside;
use std::fmt;
use std::ops::Deref;
use std::sync::OnceLock;

/// A value of the process that is made when it is first read; a child never finds it half made.
///
/// ```
/// use syntonic_core::fork::Lazy;
///
/// static SQUARES: Lazy<Vec<u64>> = Lazy::new(|| (0..10).map(|k| k * k).collect());
///
/// assert_eq!(SQUARES[3], 9);
/// ```
pub struct Lazy<T> {
    value: OnceLock<T>,
    make: fn() -> T,
}

impl<T> Lazy<T> {
    /// The value that `make` makes.
    ///
    /// ```
    /// use syntonic_core::fork::Lazy;
    ///
    /// assert_eq!(*Lazy::new(|| 1 + 1), 2);
    /// ```
    pub const fn new(make: fn() -> T) -> Lazy<T> {
        Lazy {
            value: OnceLock::new(),
            make,
        }
    }
}

impl<T> Deref for Lazy<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        get_or_init(&self.value, self.make)
    }
}

impl<T: fmt::Debug> fmt::Debug for Lazy<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value.get() {
            Some(value) => value.fmt(f),
            None => f.write_str("<not made yet>"),
        }
    }
}

/// The value, made now if it is not there. Whoever makes it waits for no thread that may come inside later.
///
/// ```
/// use std::sync::OnceLock;
/// use syntonic_core::fork::get_or_init;
///
/// let value = OnceLock::new();
/// assert_eq!((*get_or_init(&value, || 7), *get_or_init(&value, || 8)), (7, 7));
/// ```
#[inline]
pub fn get_or_init<T>(value: &OnceLock<T>, make: impl FnOnce() -> T) -> &T {
    #[cold]
    fn first<T>(value: &OnceLock<T>, make: impl FnOnce() -> T) -> &T {
        let _inside = inside();
        value.get_or_init(make)
    }
    match value.get() {
        Some(value) => value,
        None => first(value, make),
    }
}

/// Gives the value, or gives it back where there is one.
///
/// # Errors
/// The value that is not needed.
///
/// ```
/// use std::sync::OnceLock;
/// use syntonic_core::fork::set;
///
/// let value = OnceLock::new();
/// assert_eq!((set(&value, 7), set(&value, 8)), (Ok(()), Err(8)));
/// ```
#[inline]
pub fn set<T>(cell: &OnceLock<T>, value: T) -> Result<(), T> {
    let _inside = inside();
    cell.set(value)
}
