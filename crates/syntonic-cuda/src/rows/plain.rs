//! Programs that are one fold of one input.

use syntonic_core::DType;
use syntonic_core::fuse::{Fold, Op, Typed, Yield};

/// The fold that the program is, if it is one: `input -> [wider] -> fold -> [narrower] -> one per row`.
pub(super) fn plain_fold(program: &Typed) -> Option<Fold> {
    let [output] = &program.outputs[..] else {
        return None;
    };
    let node = |at: u32| &program.nodes[at as usize];
    let last = node(output.node);
    // The fold of a half type is rounded to it.
    let (fold, of) = match last.op {
        Op::Fold(fold, of) => (fold, of),
        Op::Cast(wide) => match node(wide).op {
            Op::Fold(fold, of) => (fold, of),
            _ => return None,
        },
        _ => return None,
    };
    let (input, stored) = stored_input(program, of)?;
    let right = output.role == Yield::RowScalar
        && program.inputs.len() == 1
        && input == 0
        && fold.result_dtype(stored) == Some(output.dtype);
    right.then_some(fold)
}

/// The input that node `at` is, with its type: the input itself, or a half type widened.
fn stored_input(program: &Typed, at: u32) -> Option<(u16, DType)> {
    let node = &program.nodes[at as usize];
    match node.op {
        Op::Input(k) => Some((k, node.dtype)),
        Op::Cast(from) => {
            let from = &program.nodes[from as usize];
            match from.op {
                Op::Input(k) if from.dtype.compute() == node.dtype => Some((k, from.dtype)),
                _ => None,
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntonic_core::fuse::{Builder, Precision, Prim, Role, lower};

    #[test]
    fn single_folds_are_seen_and_others_are_not() {
        for fold in Fold::ALL {
            for precision in [Precision::Wide, Precision::Stepwise] {
                let mut b = Builder::new();
                let x = b.input("x", Role::Element);
                let y = b.fold(fold, x);
                b.output(y, Yield::RowScalar);
                let program = b.finish("fold", precision);
                for dtype in DType::ALL {
                    if let Ok(typed) = lower(&program, &[dtype]) {
                        assert_eq!(plain_fold(&typed), Some(fold), "{fold:?} {dtype:?}");
                    }
                }
            }
        }
        let mut b = Builder::new();
        let x = b.input("x", Role::Element);
        let y = b.apply(Prim::Square, &[x]);
        let y = b.fold(Fold::Sum, y);
        b.output(y, Yield::RowScalar);
        let program = b.finish("sum of squares", Precision::Wide);
        let typed = lower(&program, &[DType::F32]).unwrap();
        assert_eq!(plain_fold(&typed), None);
    }
}
