//! Variances and standard deviations: programs of two folds that one reading answers.

use super::fold::Variance;
use syntonic_core::Scalar;
use syntonic_core::fuse::Task;

/// The variance that a task asks for, if any; `root` says whether it is a standard deviation.
pub(super) fn of(task: &Task<'_>, root: Option<bool>) -> Option<Variance> {
    let root = root?;
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
    use crate::codegen::variance::{KNOWN, OF_VARIANCE, named};
    use crate::codegen::{RowProgram, root_of_variance};
    use syntonic_core::DType;
    use syntonic_core::fuse::{Slot, lower};
    use syntonic_core::ops::reduce;

    #[test]
    fn core_s_variances_are_known_and_others_are_not() {
        assert_eq!(KNOWN.len(), 2 * OF_VARIANCE.len());
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
            let root = RowProgram::of(&typed).and_then(root_of_variance);
            assert_eq!(of(&task, root), want, "{}", program.name);
        }
    }
}
