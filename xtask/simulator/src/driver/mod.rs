//! The driver's functions, as C declares them.
//!
//! Everything is done in the call that asks for it, so streams and events are no more than names and times. What a caller
//! cannot see is as on a card: a kernel that faults was launched well, and everything asked of its context afterwards
//! fails with its error.

// The functions have the names of C.
#![allow(non_snake_case)]

mod code;
mod conditional;
mod context;
mod copy;
mod device;
mod event;
mod exports;
mod function;
mod graph;
mod handles;
mod launch;
mod memory;
mod model;
mod module;
mod occupancy;
mod pointer;
mod raw;
mod settings;
mod state;
mod stream;
mod symbols;
mod tensor_map;
#[cfg(test)]
mod tests;
