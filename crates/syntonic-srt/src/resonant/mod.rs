//! Resonant states: the syntony of a state, and the D and H phases that move it.

pub mod lattice;
mod modes;
mod phases;
mod syntony;

pub use modes::{Modes, golden_weights, mode_norms};
pub use phases::{Noise, cycle, differentiate, harmonize};
pub use syntony::syntony;

use syntonic_core::fuse::Program;

/// The formulas over rows behind the operators.
///
/// ```
/// use syntonic_srt::resonant;
///
/// assert!(!resonant::formulas().is_empty());
/// ```
pub fn formulas() -> Vec<&'static Program> {
    [phases::formulas(), syntony::formulas()].concat()
}
