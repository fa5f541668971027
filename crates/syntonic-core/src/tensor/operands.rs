//! Several tensors as the operands of one operation.

use super::Tensor;
use crate::device::Device;
use crate::error::{Error, Operands, Result};
use std::sync::Arc;

/// Operands of a failed operation, for its message.
///
/// ```
/// use syntonic_core::describe;
/// use syntonic_core::prelude::*;
///
/// let (a, b) = (Tensor::from([1, 2]), Tensor::from([0.5]));
/// assert!(describe(&[&a, &b]).to_string().contains("float64"));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn describe(tensors: &[&Tensor]) -> Operands {
    Operands(tensors.iter().map(|t| t.describe()).collect())
}

/// The one device all tensors live on, or an error that names them.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_core::same_device;
///
/// let (a, b) = (Tensor::from([1]), Tensor::from([2.0]));
/// assert_eq!(same_device("add", &[&a, &b])?.id(), DeviceId::Cpu);
/// assert!(same_device("add", &[]).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn same_device(op: &'static str, tensors: &[&Tensor]) -> Result<Arc<dyn Device>> {
    let Some(first) = tensors.first() else {
        return Err(Error::value(op, "needs at least one tensor"));
    };
    let device = first.device();
    let others = tensors.iter().map(|t| t.device());
    if others.clone().all(|other| Arc::ptr_eq(other, device)) {
        return Ok(device.clone());
    }
    let id = device.id();
    if others.clone().any(|other| other.id() != id) {
        return Err(Error::Device {
            op,
            operands: describe(tensors),
        });
    }
    all_recorded(op, tensors, device)?;
    Ok(device.clone())
}

/// An error where some of these tensors have no values, since a function is recorded, and others, or the result on `device`, have.
pub(crate) fn all_recorded(
    op: &'static str,
    tensors: &[&Tensor],
    device: &Arc<dyn Device>,
) -> Result<()> {
    let mut others = tensors.iter().map(|t| t.device());
    if others
        .all(|other| Arc::ptr_eq(other, device) || !(other.is_recorder() || device.is_recorder()))
    {
        return Ok(());
    }
    Err(Error::Capture {
        op: op.to_owned(),
        what: format!(
            "of {} some have no values, since a function is recorded, and others have; hint: give each as an operand of the function",
            describe(tensors)
        ),
    })
}

/// [`same_device`] for a formula, which needs no memory of ranges: one on the device of a recorded function is part of it.
pub(crate) fn same_device_of_formula(
    op: &'static str,
    tensors: &[&Tensor],
) -> Result<Arc<dyn Device>> {
    let Some(last) = tensors.iter().rfind(|t| !t.is_range()) else {
        return same_device(op, tensors);
    };
    let device = last.device();
    let joins = |t: &Tensor| {
        Arc::ptr_eq(t.device(), device)
            || t.is_range() && t.device_id() == device.id() && device.is_recorder()
    };
    match tensors.iter().all(|t| joins(t)) {
        true => Ok(device.clone()),
        false => same_device(op, tensors),
    }
}
