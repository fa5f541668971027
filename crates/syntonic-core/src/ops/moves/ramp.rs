//! Evenly spaced numbers.

use super::Shared;
use crate::cpu::exec::parallel::{Work, for_ranges};
use crate::device::{Kernel, Launch};
use crate::error::Result;
use crate::scalar::{Element, Scalar};
use crate::with_element;
use num_complex::Complex;

/// `out[i] = start + i · step`, computed in the widest type of its kind and then rounded.
///
/// Output: contiguous; parameters: `start` and `step`, of one kind.
pub static RAMP: Kernel = Kernel {
    name: "ramp",
    cpu: ramp,
};

/// Element `i` of the ramp.
pub(crate) fn ramp_at(start: Scalar, step: Scalar, i: usize) -> Scalar {
    match (start, step) {
        (Scalar::Int(a), Scalar::Int(b)) => Scalar::Int(a.wrapping_add(b.wrapping_mul(i as i128))),
        (Scalar::Complex(_), _) | (_, Scalar::Complex(_)) => {
            let (a, b) = (start.to_complex(), step.to_complex());
            Scalar::Complex(a + Complex::new(b.re * i as f64, b.im * i as f64))
        }
        _ => Scalar::Float(start.to_f64() + i as f64 * step.to_f64()),
    }
}

unsafe fn ramp(args: &Launch) -> Result<()> {
    let (start, step) = (args.params[0], args.params[1]);
    let out = &args.outputs[0];
    with_element!(out.dtype, T => {
        let to = Shared::<T>::of(out);
        let work = Work { items: out.layout.numel(), tenths_of_ns: 20, at_least: 1024 };
        for_ranges(work, |first, end| for i in first..end {
            let value = <T as Element>::from_scalar(ramp_at(start, step, i));
            // SAFETY: `i` lies in the contiguous output, and ranges are disjoint.
            unsafe { to.at(i as isize).write(value) };
        })?;
    });
    Ok(())
}
