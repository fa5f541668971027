//! Resonant states on the golden lattice. A state either owns integers or floats, and its type says which: [`Crystallized`] ones are
//! exact, and wake to a [`Flux`], which moves and crystallizes again.
//!
//! One seed gives the same integers on every device: syntony is added in a fixed order, weights come from the host, noise is a
//! function of seed and index, and the rest are single operations that round in one way.

mod attractors;
mod crystallized;
mod files;
mod fit;
mod flux;
mod forms;
mod modes;
mod recursion;
mod spectrum;
mod states;
mod values;

pub use attractors::Attractors;
pub use crystallized::{Crystallized, Cycled};
pub use files::{Saved, load};
pub use flux::{Flux, Stir};
pub use recursion::{golden_recursion, golden_recursion_inverse};
pub use spectrum::Spectrum;
pub use states::States;

use crate::exact::{ExactError, GoldenTensorError};
use syntonic_core::Error;

/// An error of a resonant state. Operands are unchanged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResonantError {
    /// An element has no place on the lattice, or no exact result.
    #[error(transparent)]
    Lattice(#[from] GoldenTensorError),
    /// What the engine says about shapes, types, devices and memory.
    #[error(transparent)]
    Tensor(#[from] Error),
    /// States whose modes differ, where each element of the result would have one.
    #[error(
        "{op}: the modes of the states differ; give one the modes of the other with `with_norms`"
    )]
    Modes {
        /// The operation.
        op: &'static str,
    },
    /// A bound that no integer of 32 bits holds.
    #[error(
        "{op}: a bound of {bound} after {steps} steps is above 2^32 - 1; take fewer steps or a smaller bound"
    )]
    Bound {
        /// The operation.
        op: &'static str,
        /// The bound of the first step.
        bound: u32,
        /// How many steps were asked for.
        steps: u32,
    },
}

impl ResonantError {
    /// What is wrong with an element, and where it is.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::ExactError;
    /// use syntonic_srt::resonant::lattice::Crystallized;
    ///
    /// let refused = Crystallized::from_floats(&Tensor::from([1.0, f64::NAN]), None, 10).unwrap_err();
    /// assert!(matches!(refused.element(), Some((ExactError::NotFinite { .. }, [1]))));
    /// ```
    pub fn element(&self) -> Option<(ExactError, &[usize])> {
        match self {
            ResonantError::Lattice(GoldenTensorError::Element { error, at }) => Some((*error, at)),
            _ => None,
        }
    }
}

type Result<T> = std::result::Result<T, ResonantError>;

#[cfg(test)]
mod states_tests;
#[cfg(test)]
mod tests;
