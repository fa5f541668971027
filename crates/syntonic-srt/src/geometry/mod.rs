//! The geometry around the golden ratio: the roots of E8 and their golden projections, the winding lattice of the four-torus, and the
//! theta and heat sums over it.

mod e8;
mod theta;
mod winding;

pub use e8::{
    CONE_VECTORS, Projected, cone_mask, cone_weights, e8_roots, e8_simple_roots, project,
};
pub use theta::{Weighting, heat_kernel, theta, theta_derivative, winding_zeta};
pub use winding::{golden_generations, winding_count, winding_weights, windings};

#[cfg(test)]
mod tests;
