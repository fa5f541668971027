#![doc = include_str!("../README.md")]

pub mod baseline;
pub mod cases;
pub mod clock;
pub mod gpu;
pub mod list;
pub mod machine;
pub mod oracle;
pub mod outcome;
pub mod python;
pub mod verdict;
pub mod yardstick;
