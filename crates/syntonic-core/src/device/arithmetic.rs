//! In which arithmetic a device multiplies, and what it says of that afterwards.

use crate::scalar::Scalar;
use std::sync::{Arc, OnceLock};

/// The arithmetic of the products within a matrix product, from the cheapest to the most exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Arithmetic {
    /// Factors rounded to the 8 bits of `bfloat16`, sums as in the type.
    Low = 3,
    /// Factors rounded to the 11 bits of TF32, sums as in the type.
    Medium = 2,
    /// Results as exact as those of the type's own arithmetic, by whichever way the device finds quicker: sums of several
    /// products of shorter numbers, or three real products for a complex one.
    High = 1,
    /// The arithmetic of the type itself.
    #[default]
    Native = 0,
}

impl Arithmetic {
    /// Every level, the most exact first.
    pub const ALL: [Arithmetic; 4] = [
        Arithmetic::Native,
        Arithmetic::High,
        Arithmetic::Medium,
        Arithmetic::Low,
    ];

    /// The name users call it by.
    ///
    /// ```
    /// use syntonic_core::device::Arithmetic;
    ///
    /// assert_eq!(Arithmetic::ALL.map(Arithmetic::name), ["native", "high", "medium", "low"]);
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Arithmetic::Native => "native",
            Arithmetic::High => "high",
            Arithmetic::Medium => "medium",
            Arithmetic::Low => "low",
        }
    }

    /// The level as a parameter of a launch.
    #[doc(hidden)]
    pub fn to_scalar(self) -> Scalar {
        Scalar::Int(self as i128)
    }

    /// The level that a parameter stands for; without one, or for one that is none, the native one.
    #[doc(hidden)]
    pub fn from_scalar(value: Option<Scalar>) -> Arithmetic {
        let at = value.map_or(0, Scalar::to_i128);
        let found = Arithmetic::ALL.into_iter().find(|&a| a as i128 == at);
        found.unwrap_or_default()
    }
}

/// Where a device notes in which arithmetic it ran a launch. Clones are the same note.
#[derive(Clone, Debug, Default)]
pub struct Account(Arc<OnceLock<Arithmetic>>);

impl Account {
    /// Notes what was used; of several notes the first stays.
    #[doc(hidden)]
    pub fn note(&self, used: Arithmetic) {
        let _ = crate::fork::set(&self.0, used);
    }

    /// What was used; the native arithmetic where nobody noted anything.
    #[doc(hidden)]
    pub fn used(&self) -> Arithmetic {
        self.0.get().copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_survives_the_way_through_a_launch() {
        for level in Arithmetic::ALL {
            assert_eq!(Arithmetic::from_scalar(Some(level.to_scalar())), level);
        }
        assert_eq!(Arithmetic::from_scalar(None), Arithmetic::Native);
        let unknown = Some(Scalar::Int(9));
        assert_eq!(Arithmetic::from_scalar(unknown), Arithmetic::Native);
    }

    #[test]
    fn the_first_note_stays() {
        let account = Account::default();
        assert_eq!(account.used(), Arithmetic::Native);
        account.clone().note(Arithmetic::Medium);
        account.note(Arithmetic::Low);
        assert_eq!(account.used(), Arithmetic::Medium);
    }
}
