//! Runs small kernels, and reads every kernel of Syntonic.

mod images;
