//! The golden-ratio operators.

pub(crate) mod attention;
pub(crate) mod backward;
pub(crate) mod device_search;
pub(crate) mod discrete;
pub(crate) mod evolve;
pub(crate) mod exact;
mod exclusive;
pub(crate) mod geometry;
pub(crate) mod infer;
pub(crate) mod information;
pub(crate) mod matrix_search;
pub(crate) mod nn;
pub(crate) mod optim;
mod placed;
pub(crate) mod products;
mod res_options;
pub(crate) mod resonant;
