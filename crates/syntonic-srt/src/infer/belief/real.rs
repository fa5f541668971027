//! The types that beliefs are computed in.

use std::ops::{Add, Mul, Sub};

/// `f32` or `f64`; each operation is rounded on its own.
pub(super) trait Real:
    Copy
    + Default
    + Send
    + Sync
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
{
    const NAN: Self;

    fn narrow(x: f64) -> Self;
    fn wide(self) -> f64;

    /// A precision: a negative one is none.
    fn precision(self) -> Self {
        if self >= Self::default() {
            self
        } else {
            Self::NAN
        }
    }
}

impl Real for f32 {
    const NAN: f32 = f32::NAN;

    fn narrow(x: f64) -> f32 {
        x as f32
    }

    fn wide(self) -> f64 {
        self.into()
    }
}

impl Real for f64 {
    const NAN: f64 = f64::NAN;

    fn narrow(x: f64) -> f64 {
        x
    }

    fn wide(self) -> f64 {
        self
    }
}
