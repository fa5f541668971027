//! What most programs name: `use syntonic_core::prelude::*;`.
//!
//! [`Error`](crate::Error) and [`Result`](crate::Result) are not among it, since they would hide those of the standard library.

pub use crate::device::{Device, DeviceId};
pub use crate::dtype::DType;
pub use crate::graph::Graph;
pub use crate::ops::index::IndexItem;
pub use crate::ops::reduce::Over;
pub use crate::random::Generator;
pub use crate::scalar::{Element, Scalar};
pub use crate::tensor::{Ellipsis, NewAxis, Tensor};
pub use crate::{cpu, fuse, io};
