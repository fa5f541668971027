//! CUDA C++ of the primitives: the text that `cargo xtask kernels` compiles. It needs no driver and no images.

pub(crate) mod form;
pub(crate) mod parts;
pub(crate) mod ranges;
mod spelling;

use crate::contract::{Contract, Declaration, headers};
use crate::{
    blas, evolve, exact, fill, infer, moves, random, rows, service, sorting, transfer_entropy,
};

pub(crate) use spelling::{code, instructions, is_long};

/// A generated source: a family of kernels, or a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The name of its file.
    pub file: String,
    /// CUDA C++.
    pub text: String,
}

/// Every source that is generated, in order of their names.
#[doc(hidden)]
pub fn sources() -> Vec<Source> {
    let mut all = parts::sources();
    all.extend(parameters());
    all.sort_by(|a, b| a.file.cmp(&b.file));
    all
}

/// The headers of the parameters of compiled kernels.
fn parameters() -> impl Iterator<Item = Source> {
    let headers = headers(declarations()).into_iter();
    headers.map(|(file, text)| Source { file, text })
}

/// The parameters of compiled kernels.
pub(crate) fn declarations() -> Vec<Declaration> {
    let mut all = vec![
        fill::Parameters::declaration(),
        random::Params::declaration(),
        transfer_entropy::Ksg::declaration(),
    ];
    for area in [
        blas::contracts,
        evolve::contracts,
        exact::contracts,
        infer::contracts,
        moves::contracts,
        rows::contracts,
        service::contracts,
        sorting::contracts,
    ] {
        all.extend(area());
    }
    all
}
