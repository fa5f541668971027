#![doc = include_str!("../README.md")]

pub mod advice;
pub mod constants;
pub mod evolve;
pub mod exact;
pub mod geometry;
pub mod golden;
pub mod infer;
pub mod nn;
pub mod optim;
mod refusal;
pub mod resonant;
pub mod transfer_entropy;
