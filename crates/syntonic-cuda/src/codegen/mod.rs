//! CUDA C++ from programs: the text that `cargo xtask kernels` compiles. It needs no driver and no images.

mod aot;
mod bytecode;
mod casts;
pub(crate) mod form;
pub(crate) mod parts;
mod spelling;

pub(crate) use aot::{MOST, Schedule, entry, families};
pub(crate) use bytecode::{CLASSES, family as bytecode_family, is_in_class};
pub(crate) use spelling::{code, instructions};

use syntonic_core::fuse::Program;
use syntonic_core::ops::composites::Composite;

/// A generated source: a family of kernels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The family's name.
    pub family: String,
    /// CUDA C++.
    pub text: String,
}

/// What is compiled ahead of time beside core's own formulas.
#[derive(Clone, Debug, Default)]
pub struct Named {
    /// Formulas over single elements, in one pass.
    pub maps: Vec<&'static Program>,
    /// Element-wise functions, as users call them one by one.
    pub composites: Vec<Composite>,
}

/// Every source that is generated, in order of their names.
#[doc(hidden)]
pub fn sources(named: &Named) -> Vec<Source> {
    let mut all = bytecode::sources();
    all.extend(aot::sources());
    all.extend(aot::layers(named));
    all.extend(parts::sources());
    all.push(casts::source());
    all.sort_by(|a, b| a.family.cmp(&b.family));
    all
}
