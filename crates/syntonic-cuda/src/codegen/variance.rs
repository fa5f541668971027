//! Variances and standard deviations among the programs of rows.

use super::RowProgram;
use std::collections::HashMap;
use syntonic_core::DType;
use syntonic_core::fork::Lazy;
use syntonic_core::fuse::lower;
use syntonic_core::ops::reduce;

/// Types with a kernel for their variance. Double precision is read twice, since no wider type exists.
pub(crate) const OF_VARIANCE: [DType; 3] = [DType::F16, DType::BF16, DType::F32];

/// Whether the program is a standard deviation, by its statements.
pub(crate) static KNOWN: Lazy<HashMap<u64, bool>> = Lazy::new(|| {
    let mut known = HashMap::new();
    for dtype in OF_VARIANCE {
        for program in reduce::formulas(dtype) {
            let Some(root) = named(&program.name) else {
                continue;
            };
            if let Ok(typed) = lower(program, &[dtype])
                && let Some(form) = RowProgram::of(&typed)
            {
                known.insert(form.fingerprint(), root);
            }
        }
    }
    known
});

/// Whether a formula of this name is a standard deviation, if it is a variance at all; what its elements are stands behind `_OF_`.
pub(crate) fn named(formula: &str) -> Option<bool> {
    match formula.split("_OF_").next() {
        Some("VAR") => Some(false),
        Some("STD") => Some(true),
        _ => None,
    }
}

/// Whether the program is a standard deviation, if it is a variance at all.
pub(crate) fn root_of_variance(program: RowProgram<'_>) -> Option<bool> {
    KNOWN.get(&program.fingerprint()).copied()
}
