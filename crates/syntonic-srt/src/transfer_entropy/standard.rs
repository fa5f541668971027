//! Series of mean 0 and standard deviation 1, and whether all their samples are finite: one program over the rows.

use super::error::refused;
use syntonic_core::run::{self, Axes};
use syntonic_core::{Result, Tensor, fuse};

/// What becomes of the series before distances are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scaling {
    /// The mean is subtracted, and the rest divided by the standard deviation (with `n - 1`); a constant series stays as it is.
    #[default]
    Standardised,
    /// They are taken as they are.
    AsGiven,
}

fuse! {
    /// (x - mean) / sd, x where it is constant; and whether the row's range is finite.
    STANDARDISE(x: element) -> (element, row_scalar) {
        let range = max(x) - min(x);
        let apart = x - mean(x);
        let sd = sqrt(sum(apart * apart) / (count() - 1.0));
        [select(eq(range, 0.0), x, apart / sd), is_finite(range)]
    }

    /// x; and whether the row's range is finite.
    CHECK(x: element) -> (element, row_scalar) {
        [x, is_finite(max(x) - min(x))]
    }
}

/// The rows as they are compared, and for each whether it is finite, to be read with the result.
pub(super) fn scaled(series: &Tensor, scaling: Scaling) -> Result<[Tensor; 2]> {
    let program = match scaling {
        Scaling::Standardised => &STANDARDISE,
        Scaling::AsGiven => &CHECK,
    };
    let made = run::rows(program, &[series], &[], &[-1], Axes::Drop)?;
    <[Tensor; 2]>::try_from(made).map_err(|_| refused("standardise", "the program has two outputs"))
}
