//! What the operands of a score are to the kernel, and where they lie.

use super::params::{Lies, MOST};
use super::scores::Kind;
use crate::codegen::form::Form;
use crate::plan::operand::with_factor;
use syntonic_core::DType;
use syntonic_core::device::{Arg, End};
use syntonic_core::fuse::Op;

/// The operands of a score, in the order of its leaves.
pub(super) struct Operands {
    pub(super) kinds: Vec<Kind>,
    pub(super) lie: [Lies; MOST],
}

impl Operands {
    /// Nothing where the kernel has no text for such a program, whose first inputs are these.
    pub(super) fn of(form: &Form, end: &End, first: &[Kind]) -> Option<Operands> {
        let mut found = Operands {
            kinds: Vec::new(), // few: operands of a score.
            lie: [Lies::default(); MOST],
        };
        for (i, (_, node, dtype)) in form.leaves().enumerate() {
            let lies_at = found.lie.get_mut(i)?;
            let kind = match end.program.nodes[node as usize].op {
                Op::Input(k) if usize::from(k) < first.len() => first[usize::from(k)],
                Op::Input(k) => {
                    let arg = end.operands.get(usize::from(k) - first.len())?;
                    *lies_at = lies(arg, dtype.size() as i64);
                    kind(arg)
                }
                Op::Index(k) => {
                    let arg = end.operands.get(usize::from(k).checked_sub(first.len())?)?;
                    *lies_at = lies(arg, 1);
                    let (row, col) = (lies_at.row, lies_at.col);
                    Kind::Index { row, col }
                }
                Op::Const(value) => {
                    let [low, high] = with_factor(value.cast(dtype), dtype);
                    (lies_at.first, lies_at.batch) = (low, high as i64);
                    Kind::Number
                }
                _ => return None,
            };
            found.kinds.push(kind);
        }
        is_written(form).then_some(found)
    }
}

/// Where an operand over batch, head, query and key lies, by strides of so many bytes an element.
fn lies(arg: &Arg, size: i64) -> Lies {
    let (shape, strides) = (arg.layout.shape(), arg.layout.strides());
    let stride = |axis: usize| match shape[axis] {
        0 | 1 => 0,
        _ => strides[axis] as i64 * size,
    };
    Lies {
        first: arg.address() as u64,
        batch: stride(0),
        head: stride(1),
        row: stride(2),
        col: stride(3),
    }
}

/// What an operand in memory is.
fn kind(arg: &Arg) -> Kind {
    let lies = lies(arg, 1);
    match (lies.row != 0, lies.col != 0) {
        (false, false) => Kind::Head,
        (true, false) => Kind::Rows,
        (false, true) => Kind::Columns,
        (true, true) => Kind::Each,
    }
}

/// True for a form that the text says: of real numbers, with float32 as results.
fn is_written(form: &Form) -> bool {
    let real = form.values.iter().all(|v| !v.dtype.is_complex());
    let mut results = form.outputs.iter().map(|&o| &form.values[o as usize]);
    real && results.all(|result| result.dtype == DType::F32)
}
