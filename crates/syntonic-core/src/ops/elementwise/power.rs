//! Powers by a number that are another primitive, or have a short formula where they are lowered.

use super::{Arg, apply, common_dtype};
use crate::device::DeviceId;
use crate::error::Result;
use crate::fuse::{Prim, is_short_power, power_as_primitive};
use crate::graph::is_capturing;
use crate::lazy::as_type;
use crate::scalar::Scalar;
use crate::tensor::Tensor;

/// A power by a number as the primitive that it is; and by a tensor of no axes whose number can be read now as the power by that.
pub(super) fn in_other_words(prim: Prim, args: &[Arg<'_>]) -> Option<Result<Tensor>> {
    let (Prim::Pow, [Arg::Tensor(x), by]) = (prim, args) else {
        return None;
    };
    match by {
        Arg::Number(power) => {
            let dtype = x.dtype();
            let stays = prim.operand_dtype(dtype).is_some() && common_dtype(prim, args) == dtype;
            let prim = power_as_primitive(*power, dtype).filter(|_| stays)?;
            Some(apply(prim, &args[..1]))
        }
        Arg::Tensor(by) => {
            let common = prim.operand_dtype(common_dtype(prim, args))?;
            let power = at_hand(x, by)?;
            let by_number =
                |power| apply(prim, &[(&as_type(x, common)?).into(), Arg::Number(power)]);
            is_short_power(power, common).then(|| by_number(power))
        }
    }
}

/// The number in host memory that `by` is, beside `x`; to a gradient and to a graph it is no number.
fn at_hand(x: &Tensor, by: &Tensor) -> Option<Scalar> {
    let ready = by.source().in_memory().is_some();
    let host = [x, by].iter().all(|t| t.device_id() == DeviceId::Cpu);
    let is_one = by.ndim() == 0 && host && ready && !by.is_tracked();
    (is_one && !is_capturing(DeviceId::Cpu))
        .then(|| by.item().ok())
        .flatten()
}

/// True for a power by a number that is computed without `pow`.
pub(super) fn is_short(prim: Prim, args: &[Arg<'_>]) -> bool {
    match (prim, args) {
        (Prim::Pow, [_, Arg::Number(power)]) => is_short_power(*power, common_dtype(prim, args)),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
