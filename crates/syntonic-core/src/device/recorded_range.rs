//! Evenly spaced numbers that a function asks its device to write, as a step.

use super::steps::StepTask;
use super::{Arg, Launch};
use crate::dtype::DType;
use crate::error::Result;
use crate::fuse::{Builder, Indices, Precision, Prim, Role, Slot, Yield, lower_with};
use crate::scalar::Scalar;

/// The numbers that a launch of [`RAMP`](crate::ops::moves::RAMP) writes; nothing for complex ones, which no index counts.
pub(super) fn range(launch: &Launch) -> Result<Option<StepTask>> {
    let out: &Arg = &launch.outputs[0];
    let mut b = Builder::new();
    let i = b.input("i", Role::Element);
    let (value, start, step) = match (launch.params[0], launch.params[1]) {
        (Scalar::Int(start), Scalar::Int(step)) => {
            match (i64::try_from(start), isize::try_from(step)) {
                (Ok(start), Ok(step)) => (i, start, step),
                _ => return Ok(None),
            }
        }
        (Scalar::Float(start), Scalar::Float(step)) => {
            let i = b.cast(DType::F64, i);
            let [start, step] = [start, step].map(|x| b.constant(Scalar::Float(x)));
            let way = b.apply(Prim::Mul, &[i, step]);
            (b.apply(Prim::Add, &[start, way]), 0, 1)
        }
        _ => return Ok(None),
    };
    let value = b.cast(out.dtype, value);
    b.output(value, Yield::Element);
    let program = b.finish("arange", Precision::Stepwise);
    let slot = |address: *mut u8, stride: isize| Slot {
        address,
        outer: [].as_slice().into(),
        row: [stride].as_slice().into(),
    };
    Ok(Some(StepTask {
        program: lower_with(&program, &[DType::I64], Indices::of([0]))?,
        outer: [].as_slice().into(),
        row: [out.layout.numel()].as_slice().into(),
        // An index has no memory: its address is its first number.
        inputs: vec![slot(std::ptr::without_provenance_mut(start as usize), step)],
        outputs: vec![slot(out.address(), 1)],
        smallest: None,
    }))
}
