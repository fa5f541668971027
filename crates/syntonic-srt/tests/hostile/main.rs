//! Files that somebody damaged, processes that die while they write, and places where nothing can be written: for every
//! format that is read and written here, checkpoints included.
//!
//! `cargo xtask hostile` runs this at length; the numbers it sets are those of [`settings`].

mod attacks;
mod coverage;
mod crashes;
mod folder;
mod formats;
mod memory;
mod mutants;
mod places;
mod settings;
