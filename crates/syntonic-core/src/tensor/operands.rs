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
    let id = first.device_id();
    if tensors.iter().any(|t| t.device_id() != id) {
        return Err(Error::Device {
            op,
            operands: describe(tensors),
        });
    }
    Ok(first.device().clone())
}
