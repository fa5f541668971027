//! How a function of ours becomes one of the driver's.

use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::code::{Code, Status};

/// Where a caller wants a result; nothing where it gave a null pointer.
pub(super) type Out<'a, T> = Option<&'a mut MaybeUninit<T>>;

/// What the body of a function gives.
pub(super) type Answer<T = ()> = Result<T, Code>;

/// A function of the driver by its name in C.
#[derive(Clone, Copy, Debug)]
pub(super) struct Symbol {
    pub(super) name: &'static str,
    pub(super) address: *const (),
}

/// Functions of the driver: each gives the number of its answer, and no panic leaves it.
macro_rules! exports {
    ($($(#[doc = $doc:literal])+ fn $name:ident($($arg:ident: $type:ty),* $(,)?) $body:block)+) => {
        $(
            $(#[doc = $doc])+
            ///
            /// # Safety
            /// The caller keeps to the function's declaration in C: pointers are null, or good for what is read and
            /// written through them.
            #[unsafe(no_mangle)]
            pub(super) unsafe extern "C" fn $name($($arg: $type),*) -> $crate::driver::code::Status {
                $crate::driver::exports::answer(|| $body)
            }
        )+

        /// The functions of this file.
        pub(super) const SYMBOLS: &[$crate::driver::exports::Symbol] = &[$(
            $crate::driver::exports::Symbol {
                name: stringify!($name),
                address: $name as *const (),
            },
        )+];
    };
}
pub(super) use exports;

/// The number of an answer.
pub(super) fn answer(body: impl FnOnce() -> Answer) -> Status {
    let code = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => Code::Success,
        Ok(Err(code)) => code,
        // The panic's own text went to standard error.
        Err(_) => Code::Unknown,
    };
    code as Status
}

/// Writes a result where the caller wants it.
pub(super) fn give<T>(out: Out<'_, T>, value: T) -> Answer {
    out.ok_or(Code::InvalidValue)?.write(value);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_unknown_error() {
        assert_eq!(answer(|| panic!("on purpose")), Code::Unknown as Status);
        assert_eq!(answer(|| Ok(())), 0);
        assert_eq!(
            answer(|| give::<i32>(None, 1)),
            Code::InvalidValue as Status
        );
    }
}
