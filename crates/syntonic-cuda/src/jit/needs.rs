//! The parts that a form needs.

use crate::codegen::form::{Form, Step};
use crate::codegen::parts::{self, Part};
use std::collections::BTreeSet;
use syntonic_core::DType;
use syntonic_core::fuse::Prim;

/// The parts that the values of a form need; nothing where some operation has none.
pub(crate) fn parts(form: &Form) -> Option<BTreeSet<Part>> {
    let all = (0..form.values.len() as u32).map(|k| of_value(form, k));
    Some(
        all.collect::<Option<Vec<_>>>()?
            .into_iter()
            .flatten()
            .collect(),
    )
}

/// The parts of one value: none for an operand.
fn of_value(form: &Form, k: u32) -> Option<Vec<Part>> {
    let to = form.values[k as usize].dtype;
    match form.values[k as usize].step {
        Step::Leaf(_) => Some(Vec::new()),
        Step::Cast(a) => of_cast(form.values[a as usize].dtype, to),
        Step::Apply(Prim::Select, _) => Some(vec![of_choice(to)?]),
        Step::Apply(prim, _) => Some(vec![parts::primitive(prim, form.operand_dtype(k))?]),
    }
}

/// The part that chooses between two values of this type.
pub(super) fn of_choice(dtype: DType) -> Option<Part> {
    if dtype.is_half() {
        parts::choice_of_halves()
    } else {
        parts::choice(dtype.size())
    }
}

fn widened(half: DType) -> Option<Vec<Part>> {
    Some(vec![parts::widened(half, 0)?, parts::widened(half, 1)?])
}

fn of_cast(from: DType, to: DType) -> Option<Vec<Part>> {
    Some(match (from, to) {
        _ if from == to => return None,
        (DType::F32, _) if to.is_half() => vec![parts::halves(to)?],
        (_, DType::F32) if from.is_half() => widened(from)?,
        // By way of float32, which has every value of either.
        _ if from.is_half() && to.is_half() => [widened(from)?, vec![parts::halves(to)?]].concat(),
        _ => vec![parts::conversion(from, to)?],
    })
}
