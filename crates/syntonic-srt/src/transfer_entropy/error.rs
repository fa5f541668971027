//! What the estimators refuse, in one way on every device.

use syntonic_core::{DType, Error, Result, Tensor, describe, grad, same_device, way_out};

/// An argument that makes no sense.
pub(super) fn refused(op: &'static str, what: impl Into<String>) -> Error {
    Error::value(op, what)
}

/// Checks that all are `float32` or all `float64`, of one device, and constants: neighbours that are counted have no gradient.
pub(super) fn fit(op: &'static str, series: &[&Tensor]) -> Result<()> {
    same_device(op, series)?;
    let dtype = series.first().map_or(DType::F64, |t| t.dtype());
    let known = matches!(dtype, DType::F32 | DType::F64);
    if !known || series.iter().any(|t| t.dtype() != dtype) {
        return Err(Error::DType {
            op,
            operands: describe(series),
            hint: format!(
                "series are all float32 or all float64; {}",
                way_out::CONVERT
            ),
        });
    }
    grad::refuse(op, series)
}
