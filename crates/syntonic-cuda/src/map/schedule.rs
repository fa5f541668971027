//! How many elements a thread of a map over contiguous operands takes. Measured: kernels/notes/maps.md.

use crate::codegen::form::{Form, Step};
use crate::codegen::is_long;
use syntonic_core::DType;
use syntonic_core::fuse::Prim;

/// Vectors per thread for one half operand beside numbers: more elements amortise the cost per thread.
const BESIDE_NUMBERS: usize = 2;
/// The same for several half operands, with numbers or without; and where exponentials and quotients are the only long steps.
const AMONG_HALVES: usize = 1;
const AMONG_HALVES_OF_EXPONENTIALS: usize = 2;

/// How the kernel of a form is launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Schedule {
    /// 16-byte vectors of the widest operand or result per thread.
    pub(crate) vectors: usize,
    /// Threads per block.
    pub(crate) threads: usize,
}

impl Schedule {
    pub(crate) fn of(form: &Form) -> Schedule {
        let any = |wanted: &dyn Fn(Prim, DType) -> bool| {
            form.values.iter().enumerate().any(|(k, v)| {
                matches!(v.step, Step::Apply(prim, _) if wanted(prim, form.operand_dtype(k as u32)))
            })
        };
        let long = any(&is_long);
        // A quotient is the shortest of the long steps.
        let longer = any(&|prim, dtype| prim != Prim::Div && is_long(prim, dtype));
        let beyond = |prim, dtype| !matches!(prim, Prim::Exp | Prim::Div) && is_long(prim, dtype);
        let exponential = any(&|prim, _| prim == Prim::Exp) && !any(&beyond);
        let has = |dtype: DType| form.values.iter().any(|v| v.dtype == dtype);
        let joint = form.leaves().count() > 1;
        let half = form.values.iter().any(|v| v.dtype.is_half());
        let halves = form.leaves().filter(|(_, _, d)| d.is_half()).count();
        let (vectors, threads) = if half {
            let vectors = match (halves, joint) {
                (1, false) => 2,
                (1, true) => BESIDE_NUMBERS,
                _ if exponential => AMONG_HALVES_OF_EXPONENTIALS,
                _ => AMONG_HALVES,
            };
            (vectors, 128)
        } else if has(DType::C128) && long {
            (1, if joint && longer { 256 } else { 128 })
        } else if long && (has(DType::C64) || has(DType::F64) && !joint) {
            (2, 128)
        } else {
            (1, 256)
        };
        Schedule { vectors, threads }
    }
}
