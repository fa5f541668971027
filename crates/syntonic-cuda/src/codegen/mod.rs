//! CUDA C++ from programs: the text that `cargo xtask kernels` compiles. It needs no driver and no images.

mod aot;
mod bytecode;
mod casts;
pub(crate) mod form;
pub(crate) mod parts;
pub(crate) mod plain;
mod row_divided;
mod row_kept;
mod row_kernels;
mod row_measures;
mod row_settled;
mod row_streams;
mod row_summed;
mod row_text;
mod rows;
mod spelling;
pub(crate) mod variance;

pub(crate) use aot::{MOST, Schedule, entry, families};
pub(crate) use bytecode::{CLASSES, family as bytecode_family, is_in_class};
pub(crate) use plain::plain_fold;
pub(crate) use row_measures::Parted;
pub(crate) use row_streams::{Passing, SINGLES, Streamed};
pub(crate) use rows::RowProgram;
pub(crate) use spelling::{code, instructions};
pub(crate) use variance::root_of_variance;

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
    /// Formulas over rows.
    pub rows: Vec<&'static Program>,
    /// Their gradients.
    pub gradients: Vec<&'static Program>,
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
    all.extend(rows::sources(&named.rows, &named.gradients));
    all.push(casts::source());
    all.sort_by(|a, b| a.family.cmp(&b.family));
    all
}
