//! What the operands of an end are to the kernel, and where they lie.

use super::kernel::{Kind, Store};
use super::params::{Lies, MOST};
use super::{Shapes, has_boxes, lies};
use crate::blas::Matrix;
use crate::codegen::form::{Form, Step};
use crate::plan::operand::with_factor;
use syntonic_core::DType;
use syntonic_core::device::End;
use syntonic_core::fuse::Op;

/// The operands of an end.
pub(super) struct Operands {
    pub(super) kinds: Vec<Kind>,
    pub(super) lie: [Lies; MOST],
    /// Which of [`End::operands`] is brought to shared memory.
    pub(super) brought: Option<usize>,
    pub(super) store: Store,
}

impl Operands {
    /// Nothing where the kernel has no text for such an end.
    pub(super) fn of(form: &Form, end: &End, shapes: &Shapes) -> Option<Operands> {
        let out = &shapes.matrices[2];
        let dtype = end.program.outputs.first()?.dtype;
        let mut found = Operands {
            kinds: Vec::new(),
            lie: [Lies::default(); MOST],
            brought: None,
            store: match has_boxes(out, dtype) {
                true => Store::Brought,
                false => Store::Each {
                    pairs: in_pairs(out, dtype),
                },
            },
        };
        for (i, (_, node, dtype)) in form.leaves().enumerate() {
            let lies_at = found.lie.get_mut(i)?;
            let kind = match end.program.nodes[node as usize].op {
                Op::Input(0) => Kind::Sums,
                Op::Input(k) => {
                    let at = usize::from(k) - 1;
                    let m = shapes.matrices.get(3 + at)?;
                    *lies_at = lies(m, dtype);
                    let brings = found.brought.is_none_or(|other| other == at);
                    match kind(m, dtype) {
                        Kind::Each { .. } if brings && has_boxes(m, dtype) => {
                            found.brought = Some(at);
                            Kind::Brought
                        }
                        other => other,
                    }
                }
                Op::Const(value) => {
                    let [low, high] = with_factor(value.cast(dtype), dtype);
                    (lies_at.first, lies_at.row) = (low, high as i64);
                    Kind::Number
                }
                _ => return None,
            };
            found.kinds.push(kind);
        }
        is_written(form, &found.kinds).then_some(found)
    }
}

/// What an operand in memory is.
fn kind(m: &Matrix, dtype: DType) -> Kind {
    let varies = |len: usize, stride: isize| len > 1 && stride != 0;
    match (varies(m.rows, m.row), varies(m.cols, m.col)) {
        (_, false) => Kind::Rows,
        (false, true) => Kind::Columns {
            pairs: in_pairs(m, dtype),
        },
        (true, true) => Kind::Each {
            pairs: in_pairs(m, dtype),
        },
    }
}

/// True where two columns from an even one on are side by side, and never across the end of a row.
fn in_pairs(m: &Matrix, dtype: DType) -> bool {
    let even = |stride: isize| stride % 2 == 0;
    m.col == 1
        && m.cols.is_multiple_of(2)
        && m.first.is_multiple_of(2 * dtype.size() as u64)
        && (m.rows == 1 || even(m.row))
        && even(m.batch)
}

/// True for a form that the text says: of real numbers, over the product.
fn is_written(form: &Form, kinds: &[Kind]) -> bool {
    let real = form.values.iter().all(|v| !v.dtype.is_complex());
    let mut results = form.outputs.iter().map(|&o| form.values[o as usize].step);
    // Registers of another operand as it is are shared by rows.
    let computed = results.all(|step| !matches!(step, Step::Leaf(_))) || form.values.len() == 1;
    real && computed && kinds.contains(&Kind::Sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strides_say_what_an_operand_is() {
        let of = |row, col| kind(&Matrix::single(256, 6, 8, row, col), DType::BF16);
        assert_eq!(of(0, 0), Kind::Rows);
        assert_eq!(of(1, 0), Kind::Rows);
        assert_eq!(of(0, 1), Kind::Columns { pairs: true });
        assert_eq!(of(0, 2), Kind::Columns { pairs: false });
        assert_eq!(of(8, 1), Kind::Each { pairs: true });
        assert_eq!(of(9, 1), Kind::Each { pairs: false });
        assert_eq!(of(1, 6), Kind::Each { pairs: false });
    }
}
