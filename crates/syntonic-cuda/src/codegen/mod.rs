//! CUDA C++ from programs: the text that `cargo xtask kernels` compiles. It needs no driver and no images.

mod aot;
mod bytecode;
mod casts;
mod row_text;
mod rows;
mod spelling;

pub(crate) use aot::{MOST, Schedule, entry, family};
pub(crate) use bytecode::{CLASSES, family as bytecode_family, is_in_class};
pub(crate) use rows::RowProgram;
pub(crate) use spelling::code;

use syntonic_core::fuse::Program;

/// A generated source: a family of kernels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The family's name.
    pub family: String,
    /// CUDA C++.
    pub text: String,
}

/// Every source that is generated, in order of their names. Core's formulas over rows and `layers` get kernels.
pub fn sources(layers: &[&Program]) -> Vec<Source> {
    let mut all = bytecode::sources();
    all.extend(aot::sources());
    all.extend(rows::sources(layers));
    all.push(casts::source());
    all.sort_by(|a, b| a.family.cmp(&b.family));
    all
}
