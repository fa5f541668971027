//! Products of matrices with the golden ratio in them: powers of φ and phases as factors, the φ-brackets, golden weights
//! along the inner axis, sums of projections, and the correction factors `1 ± q/N`.
//!
//! All take stacks of matrices, `[.., m, k]` and `[.., k, n]`, whose leading axes broadcast, of every numeric dtype on every
//! device. Integers stay integers, and wrap, where all factors are integers; a factor that is no integer makes `float64` of
//! them. Transposed and strided operands are read as they lie. A factor is part of the product, and a sum of products is
//! added up in the memory of its first: neither costs a pass of its own.
//!
//! Half types are multiplied in `float32`, factors included, and every product is rounded to the half type when it is
//! complete. A bracket and a sum of projections therefore round once for each of their products.

mod bracket;
mod correction;
mod corrections;
mod gemm;
mod level;
mod operands;
mod phase;
mod power;
mod projection;
mod scaled;
mod structure;
mod weighted;

pub use bracket::{phi_antibracket, phi_bracket};
pub use correction::{Sign, compound, deficit, factor, ratio};
pub use corrections::{compounds, deficits, factors, ratios};
pub use gemm::{Op, mm, mm_add, mm_gemm, mm_hn, mm_nh, mm_nt, mm_tn, mm_tt};
pub use level::{LEVELS, Level};
pub use phase::{golden_phase, mm_golden_phase};
pub use power::phi_power;
pub use projection::projection_sum;
pub use scaled::{mm_corrected, mm_phi, mm_q_corrected};
pub use structure::Structure;
pub use syntonic_core::ops::linalg::bmm;
pub use weighted::{golden_weight, mm_golden_weighted};

#[cfg(test)]
mod known_tests;
#[cfg(test)]
mod oracle_tests;
#[cfg(test)]
mod tests;
