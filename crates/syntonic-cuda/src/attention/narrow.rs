//! Positions in 32 bits: they are `int64`, and what is computed of them alone takes half the instructions where it fits.

use crate::codegen::form::{Form, Step};
use syntonic_core::device::End;
use syntonic_core::fuse::{Op, Prim};
use syntonic_core::{DType, Scalar};

/// The least and the largest number that an integer may be.
type Range = (i128, i128);

/// The form with `int32` in place of all its `int64`, where none of them is a number that is none; else as it is.
pub(super) fn narrowed(form: Form, end: &End, first: usize) -> Form {
    let mut ranges = Vec::with_capacity(form.values.len()); // few: values of a score.
    for (k, value) in form.values.iter().enumerate() {
        let range = match value.dtype {
            DType::I64 => range(&form, k as u32, end, first, &ranges),
            _ => Some((0, 0)),
        };
        match range {
            Some(range) if fits(range) => ranges.push(range),
            _ => return form,
        }
    }
    let mut narrow = form;
    for value in &mut narrow.values {
        if value.dtype == DType::I64 {
            value.dtype = DType::I32;
        }
    }
    narrow
}

fn fits((least, most): Range) -> bool {
    least >= i128::from(i32::MIN) && most <= i128::from(i32::MAX)
}

/// What value `k` may be, by those of the values before it.
fn range(form: &Form, k: u32, end: &End, first: usize, before: &[Range]) -> Option<Range> {
    let args: Vec<u32> = form.operands(k).to_vec(); // few: three.
    let of = |at: usize| before[args[at] as usize];
    let hull = |all: &[i128]| Some((*all.iter().min()?, *all.iter().max()?));
    match form.values[k as usize].step {
        Step::Leaf(node) => match end.program.nodes[node as usize].op {
            Op::Const(value) => match value.cast(DType::I64) {
                Scalar::Int(x) => Some((x, x)),
                _ => None,
            },
            Op::Index(k) => {
                let arg = end.operands.get(usize::from(k).checked_sub(first)?)?;
                let start = arg.address() as i64 as i128;
                let axes = arg.layout.shape().iter().zip(arg.layout.strides());
                let mut range = (start, start);
                for (&len, &stride) in axes {
                    let last = (len.max(1) - 1) as i128 * stride as i128;
                    range = (range.0 + last.min(0), range.1 + last.max(0));
                }
                Some(range)
            }
            _ => None,
        },
        Step::Cast(a) => match form.values[a as usize].dtype {
            DType::Bool => Some((0, 1)),
            _ => None,
        },
        Step::Apply(prim, _) => match prim {
            Prim::Neg => Some((-of(0).1, -of(0).0)),
            Prim::Abs => {
                let (least, most) = of(0);
                Some((0, least.abs().max(most.abs())))
            }
            Prim::Add => Some((of(0).0 + of(1).0, of(0).1 + of(1).1)),
            Prim::Sub => Some((of(0).0 - of(1).1, of(0).1 - of(1).0)),
            Prim::Mul => {
                let (a, b) = (of(0), of(1));
                hull(&[a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1])
            }
            Prim::Min => Some((of(0).0.min(of(1).0), of(0).1.min(of(1).1))),
            Prim::Max => Some((of(0).0.max(of(1).0), of(0).1.max(of(1).1))),
            Prim::Rem => {
                let most = of(1).0.abs().max(of(1).1.abs());
                Some((-most, most))
            }
            Prim::Select => hull(&[of(1).0, of(1).1, of(2).0, of(2).1]),
            _ => None,
        },
    }
}
