//! Variances and standard deviations: programs of two folds that one reading answers.

use super::fold::Variance;
use syntonic_core::fork::Lazy;
use syntonic_core::fuse::{Task, Typed, lower};
use syntonic_core::ops::reduce;
use syntonic_core::{DType, Scalar};

/// Types with a kernel for their variance. Double precision is read twice, since no wider type exists.
pub(super) const DTYPES: [DType; 3] = [DType::F16, DType::BF16, DType::F32];

/// Core's variances of those types, and whether each is a standard deviation.
static KNOWN: Lazy<Vec<(Typed, bool)>> = Lazy::new(|| {
    let mut known = Vec::new();
    for dtype in DTYPES {
        for program in reduce::formulas(dtype) {
            let Some(root) = named(&program.name) else {
                continue;
            };
            if let Ok(typed) = lower(program, &[dtype])
                && root_of_variance(&typed, &known).is_none()
            {
                known.push((typed, root));
            }
        }
    }
    known
});

/// Whether a formula of this name is a standard deviation, if it is a variance at all; what its elements are stands behind `_OF_`.
fn named(formula: &str) -> Option<bool> {
    match formula.split("_OF_").next() {
        Some("VAR") => Some(false),
        Some("STD") => Some(true),
        _ => None,
    }
}

/// Whether the program is a standard deviation, if it is one of `known` by its statements.
fn root_of_variance(program: &Typed, known: &[(Typed, bool)]) -> Option<bool> {
    let same = |typed: &Typed| typed.nodes == program.nodes && typed.outputs == program.outputs;
    let found = known.iter().find(|(typed, _)| same(typed));
    found.map(|(_, root)| *root)
}

/// The variance that a task asks for, if any.
pub(super) fn of(task: &Task<'_>) -> Option<Variance> {
    let root = root_of_variance(task.program, &KNOWN)?;
    let correction = match task.params {
        [Scalar::Float(x)] => *x,
        [Scalar::Int(i)] => *i as f64,
        _ => return None,
    };
    let count: usize = task.row.iter().product();
    Some(Variance {
        divisor: (count as f64 - correction).max(0.0),
        root,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntonic_core::fuse::Slot;

    #[test]
    fn core_s_variances_are_known_and_others_are_not() {
        assert_eq!(KNOWN.len(), 2 * DTYPES.len());
        for program in reduce::formulas(DType::F32) {
            let numbers = [Scalar::Float(1.0)];
            let Ok(typed) = lower(program, &[DType::F32]) else {
                continue;
            };
            let slot = Slot {
                address: std::ptr::null_mut(),
                outer: vec![].into(),
                row: vec![1].into(),
            };
            let task = Task {
                program: &typed,
                outer: vec![].into(),
                row: vec![5].into(),
                inputs: vec![slot.clone()],
                outputs: vec![slot],
                params: &numbers,
            };
            let want = named(&program.name).map(|root| Variance { divisor: 4.0, root });
            assert_eq!(of(&task), want, "{}", program.name);
        }
    }
}
