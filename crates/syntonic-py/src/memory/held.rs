//! What a State holds: a tensor, or a number that becomes one where somebody asks for it; and later the same elements in another walk.
//!
//! A State is shared between threads, and whoever has asked for the tensor goes on reading it while another gives the State a new shape. So nothing is
//! ever changed in place: a new tensor is put before the others, which stay as long as the State.

use std::ops::Deref;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use syntonic_core::graph::is_capturing;
use syntonic_core::{DType, DeviceId, Single, Tensor};

/// What a State was made of.
enum First {
    Tensor(Tensor),
    /// The bytes of a number, and its type.
    Single([AtomicU64; 2], DType),
}

/// A tensor that came later, and those before it.
struct Later {
    tensor: Tensor,
    before: *mut Later,
}

pub(crate) struct Held {
    first: First,
    /// The newest tensor; null while it is the first.
    now: AtomicPtr<Later>,
}

impl From<Tensor> for Held {
    #[inline]
    fn from(tensor: Tensor) -> Held {
        Held {
            first: First::Tensor(tensor),
            now: AtomicPtr::new(ptr::null_mut()),
        }
    }
}

impl From<Single> for Held {
    #[inline]
    fn from(x: Single) -> Held {
        Held {
            first: First::Single(x.bits().map(AtomicU64::new), x.dtype()),
            now: AtomicPtr::new(ptr::null_mut()),
        }
    }
}

impl Held {
    /// The number, while it has no memory. In a graph that is captured it is none: its memory may be written at each replay.
    #[inline]
    pub(crate) fn single(&self) -> Option<Single> {
        match &self.first {
            First::Single(bits, dtype)
                if self.now.load(Ordering::Acquire).is_null() && !is_capturing(DeviceId::Cpu) =>
            {
                let bits = [&bits[0], &bits[1]].map(|b| b.load(Ordering::Relaxed));
                Some(Single::from_bits(bits, *dtype))
            }
            _ => None,
        }
    }

    /// Writes another number of the same type over one that has no memory; false, and nothing has happened, where it is none. The caller's
    /// care keeps other threads from it, as from any array.
    #[inline]
    pub(crate) fn set_single(&self, x: Single) -> bool {
        match &self.first {
            First::Single(bits, dtype)
                if *dtype == x.dtype() && self.now.load(Ordering::Acquire).is_null() =>
            {
                let [low, high] = x.bits();
                bits[0].store(low, Ordering::Relaxed);
                bits[1].store(high, Ordering::Relaxed);
                true
            }
            _ => false,
        }
    }

    /// The tensor that it was made of, before any other took its place.
    pub(crate) fn original(&self) -> &Tensor {
        match &self.first {
            First::Tensor(tensor) => tensor,
            First::Single(..) => self.oldest(),
        }
    }

    /// True where somebody else has the memory: those that were here before the tensor do not count.
    pub(crate) fn is_shared(&self) -> bool {
        let now: &Tensor = self;
        let mut handles = match &self.first {
            First::Tensor(first) if !self.now.load(Ordering::Acquire).is_null() => {
                1 + usize::from(first.shares_storage(now))
            }
            _ => 1,
        };
        // SAFETY: what was put here is dropped with `self` alone.
        let mut later = unsafe { self.now.load(Ordering::Acquire).as_ref() };
        while let Some(newer) = later {
            // SAFETY: as above.
            later = unsafe { newer.before.as_ref() };
            handles += usize::from(later.is_some_and(|l| l.tensor.shares_storage(now)));
        }
        now.is_held_beyond(handles)
    }

    /// The tensor that a number has become.
    #[cold]
    fn oldest(&self) -> &Tensor {
        // A number becomes a tensor first.
        let _ = self.deref();
        let mut at = self.now.load(Ordering::Acquire);
        loop {
            // SAFETY: it is not null, since the number has become a tensor; what was put here is dropped with `self` alone.
            let later = unsafe { &*at };
            if later.before.is_null() {
                return &later.tensor;
            }
            at = later.before;
        }
    }

    /// Shows this tensor from now on.
    pub(crate) fn replace(&self, tensor: Tensor) {
        // A number becomes a tensor first.
        let _ = self.deref();
        let made = Box::into_raw(Box::new(Later {
            tensor,
            before: self.now.load(Ordering::Acquire),
        }));
        loop {
            // SAFETY: nobody else has seen it yet.
            let before = unsafe { (*made).before };
            let put =
                (self.now).compare_exchange(before, made, Ordering::AcqRel, Ordering::Acquire);
            match put {
                Ok(_) => return,
                // SAFETY: as above.
                Err(newer) => unsafe { (*made).before = newer },
            }
        }
    }

    /// The number as a tensor, which it is from now on.
    #[cold]
    fn made(&self, bits: &[AtomicU64; 2], dtype: DType) -> &Tensor {
        let bits = [&bits[0], &bits[1]].map(|b| b.load(Ordering::Relaxed));
        let made = Box::into_raw(Box::new(Later {
            tensor: Single::from_bits(bits, dtype).to_tensor(),
            before: ptr::null_mut(),
        }));
        let none = ptr::null_mut();
        let put = (self.now).compare_exchange(none, made, Ordering::AcqRel, Ordering::Acquire);
        let there = match put {
            Ok(_) => made,
            Err(other) => {
                // SAFETY: another thread was earlier, and nobody has seen this one.
                drop(unsafe { Box::from_raw(made) });
                other
            }
        };
        // SAFETY: what was put here is dropped with `self` alone.
        unsafe { &(*there).tensor }
    }

    /// The tensor of an object that nobody else has seen yet.
    #[inline]
    pub(super) fn fresh(&mut self) -> Option<&mut Tensor> {
        match &mut self.first {
            First::Tensor(tensor) => Some(tensor),
            First::Single(..) => None,
        }
    }
}

impl Deref for Held {
    type Target = Tensor;

    #[inline]
    fn deref(&self) -> &Tensor {
        let now = self.now.load(Ordering::Acquire);
        if !now.is_null() {
            // SAFETY: what was put here is dropped with `self` alone.
            return unsafe { &(*now).tensor };
        }
        match &self.first {
            First::Tensor(tensor) => tensor,
            First::Single(bits, dtype) => self.made(bits, *dtype),
        }
    }
}

impl Drop for Held {
    #[inline]
    fn drop(&mut self) {
        let mut at = *self.now.get_mut();
        while !at.is_null() {
            // SAFETY: each came from a box, is here once, and nobody borrows from `self` any more.
            at = unsafe { Box::from_raw(at) }.before;
        }
    }
}
