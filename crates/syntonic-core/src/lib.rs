#![doc = include_str!("../README.md")]

pub mod advisor;
mod buffer;
pub mod cpu;
pub mod custom;
pub mod device;
mod dtype;
mod error;
mod float8;
pub mod fork;
pub mod fuse;
pub mod grad;
pub mod graph;
pub mod group;
pub mod interrupt;
pub mod io;
pub mod layout;
pub mod lazy;
pub mod ops;
pub mod pipeline;
pub mod prelude;
pub mod profile;
pub mod random;
pub mod room;
pub mod run;
mod scalar;
mod tensor;

pub use buffer::{Buffer, Keeper, Use};
pub use cpu::cpu;
pub use device::{Device, DeviceId};
pub use dtype::{DType, Kind};
pub use error::{Error, Operand, Operands, Result, Unfit, way_out};
pub use float8::{F8E4M3, F8E5M2};
pub use graph::Graph;
pub use layout::Layout;
pub use scalar::{Element, Scalar};
pub use tensor::{
    AxisIter, Ellipsis, HostSlice, IndexedIter, Iter, Key, NewAxis, Single, Tensor, Words,
    describe, same_device,
};

#[doc(hidden)]
pub use {half, num_complex};
