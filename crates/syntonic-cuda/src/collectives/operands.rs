//! What the tensors of a call must have in common.

use super::reduction::Reduction;
use crate::context::gpu::Cuda;
use std::sync::Arc;
use syntonic_core::{Device, DeviceId, Error, Operand, Operands, Result, Tensor, describe};

/// An error unless there is one tensor for each GPU, on it, and all have one type.
pub(super) fn one_each(op: &'static str, gpus: &[Arc<Cuda>], parts: &[Tensor]) -> Result<()> {
    if parts.len() != gpus.len() {
        let what = format!(
            "{} tensors for {}; hint: one for each, in the order of the group",
            parts.len(),
            names(gpus)
        );
        return Err(Error::value(op, what));
    }
    for (gpu, x) in gpus.iter().zip(parts) {
        on(op, gpu.id(), x)?;
    }
    if parts.iter().any(|x| x.dtype() != parts[0].dtype()) {
        return Err(Error::DType {
            op,
            operands: described(parts),
            hint: "all have one type; convert with .cast(dtype)".into(),
        });
    }
    Ok(())
}

/// An error unless all have one shape.
pub(super) fn one_shape(op: &'static str, parts: &[Tensor], hint: &str) -> Result<()> {
    if parts.iter().any(|x| x.shape() != parts[0].shape()) {
        return Err(Error::Shape {
            op,
            operands: described(parts),
            hint: hint.into(),
        });
    }
    Ok(())
}

/// An error unless the tensors differ along axis 0 alone.
pub(super) fn one_row_shape(op: &'static str, parts: &[Tensor]) -> Result<()> {
    let fits = |x: &Tensor| x.ndim() > 0 && x.shape()[1..] == parts[0].shape()[1..];
    if parts.iter().all(fits) {
        return Ok(());
    }
    Err(Error::Shape {
        op,
        operands: described(parts),
        hint: "at least one axis, and all but the first as long as each other; a number is reshaped to [1] first".into(),
    })
}

/// An error unless the type has the reduction.
pub(super) fn reducible(op: &'static str, parts: &[Tensor], reduction: Reduction) -> Result<()> {
    match reduction.objection(parts[0].dtype()) {
        None => Ok(()),
        Some(hint) => Err(Error::DType {
            op,
            operands: described(parts),
            hint: hint.into(),
        }),
    }
}

fn on(op: &'static str, device: DeviceId, x: &Tensor) -> Result<()> {
    if x.device_id() == device {
        return Ok(());
    }
    let wanted = Operand {
        device,
        ..x.describe()
    };
    Err(Error::Device {
        op,
        operands: Operands(vec![x.describe(), wanted]),
    })
}

fn described(parts: &[Tensor]) -> Operands {
    // few: one for each GPU.
    describe(&parts.iter().collect::<Vec<_>>())
}

/// The GPUs of a group, as a message has them.
pub(super) fn names(gpus: &[Arc<Cuda>]) -> String {
    // few: one for each GPU.
    let names: Vec<String> = gpus.iter().map(|gpu| gpu.id().to_string()).collect();
    format!("{} GPUs ({})", gpus.len(), names.join(", "))
}
