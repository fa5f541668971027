//! Where the extremes of many rows side by side are.

use crate::cpu::lanes;
use crate::dtype::DType;
use crate::fuse::Prim;

/// One step of argmin or argmax: keeps the best value and its step in each lane.
///
/// # Safety
/// `best`, `index` and `mask` hold `n` values of the widest type, `value` `n` values of `dtype`.
pub(super) unsafe fn arg_step(
    dtype: DType,
    larger: bool,
    step: usize,
    value: *const u8,
    [best, index, mask]: [*mut u8; 3],
    n: usize,
) {
    let ordered = if dtype.is_bool() { DType::U8 } else { dtype };
    let kernel = |prim, at| lanes::kernel(prim, at);
    let compare = kernel(if larger { Prim::Gt } else { Prim::Lt }, ordered);
    let (Some(compare), Some(choose), Some(choose_index)) = (
        compare,
        kernel(Prim::Select, dtype),
        kernel(Prim::Select, DType::I64),
    ) else {
        return;
    };
    let null = std::ptr::null();
    let here = step as i64;
    let here = (&raw const here).cast::<u8>();
    // SAFETY: as the caller says; `mask` has 16 bytes per lane: the second half serves as two more
    // byte masks and, after them, a block of positions.
    unsafe {
        if step == 0 {
            std::ptr::copy_nonoverlapping(value, best, n * dtype.size());
            lanes::fill(index, here, 8, n);
            return;
        }
        let (other, positions) = (mask.wrapping_add(n), mask.wrapping_add(8 * n));
        compare(mask, value, best, null, n);
        if dtype.is_float()
            && let (Some(is_nan), Some(not), Some(and), Some(or)) = (
                kernel(Prim::IsNan, dtype),
                kernel(Prim::Not, DType::Bool),
                kernel(Prim::And, DType::Bool),
                kernel(Prim::Or, DType::Bool),
            )
        {
            let third = mask.wrapping_add(2 * n);
            is_nan(other, best, null, null, n);
            not(other, other, null, null, n);
            is_nan(third, value, null, null, n);
            and(third, third, other, null, n);
            or(mask, mask, third, null, n);
        }
        lanes::fill(positions, here, 8, n);
        choose(best, mask, value, best, n);
        choose_index(index, mask, positions, index, n);
    }
}
