//! Runs small kernels, and reads every kernel of Syntonic.

mod arithmetic;
mod bench;
mod blocks;
mod clusters;
mod convert;
mod faults;
mod flights;
mod float;
mod grids;
mod images;
mod matrices;
mod mma;
mod pipelines;
mod proxies;
mod tensors;
mod warps;
mod wgmma;
