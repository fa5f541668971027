//! CUDA C++ of the primitives: the text that `cargo xtask kernels` compiles. It needs no driver and no images.

pub(crate) mod form;
pub(crate) mod parts;
mod spelling;

pub(crate) use spelling::{code, instructions, is_long};

/// A generated source: a family of kernels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The family's name.
    pub family: String,
    /// CUDA C++.
    pub text: String,
}

/// Every source that is generated, in order of their names.
#[doc(hidden)]
pub fn sources() -> Vec<Source> {
    let mut all = parts::sources();
    all.sort_by(|a, b| a.family.cmp(&b.family));
    all
}
