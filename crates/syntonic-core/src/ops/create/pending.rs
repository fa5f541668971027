//! Ranges as expressions over positions, which no program has to read.

use crate::device::Device;
use crate::dtype::DType;
use crate::error::Result;
use crate::fuse::{Builder, Precision, Prim, Role, Yield};
use crate::lazy::{self, is_eager};
use crate::ops::elementwise::apply;
use crate::scalar::Scalar;
use crate::tensor::Tensor;
use std::sync::Arc;

/// Integers that floats have exactly.
const EXACT: i128 = 1 << 53;

/// True where so many numbers are rather written at once than left to an expression.
fn is_now(n: usize, device: &Arc<dyn Device>) -> bool {
    is_eager() || n <= device.eager_elements()
}

/// `n` numbers `start + i · step` that are pending; nothing where they are to be written at once.
pub(super) fn ramp(
    n: usize,
    start: Scalar,
    step: Scalar,
    dtype: DType,
    device: &Arc<dyn Device>,
) -> Result<Option<Tensor>> {
    let (Scalar::Int(a), Scalar::Int(b)) = (start, step) else {
        return line(n, start, step, None, dtype, device);
    };
    if dtype == DType::I64 {
        // It costs nothing, so how many there are is nothing to ask.
        return match is_eager() {
            true => Ok(None),
            false => Tensor::ramp(a, b, n, device),
        };
    }
    let converts = dtype.is_integer() || matches!(dtype, DType::F32 | DType::F64);
    if !converts || is_now(n, device) {
        return Ok(None);
    }
    match Tensor::ramp(a, b, n, device)? {
        Some(whole) => lazy::cast(&whole, dtype).map(Some),
        None => Ok(None),
    }
}

/// As [`ramp`], of floats, with another number in the last place if so asked: the formula of [`RAMP`](crate::ops::moves::RAMP).
pub(super) fn line(
    n: usize,
    start: Scalar,
    step: Scalar,
    last: Option<Scalar>,
    dtype: DType,
    device: &Arc<dyn Device>,
) -> Result<Option<Tensor>> {
    let (Scalar::Float(a), Scalar::Float(b)) = (start, step) else {
        return Ok(None);
    };
    let last = match last {
        Some(Scalar::Int(x)) if x.abs() > EXACT => return Ok(None),
        other => other.map(|x| x.to_f64()),
    };
    if !dtype.is_float() || is_now(n, device) {
        return Ok(None);
    }
    let Some(positions) = Tensor::ramp(0, 1, n, device)? else {
        return Ok(None);
    };
    let mut builder = Builder::new();
    let i = builder.input("i", Role::Element);
    let real = builder.cast(DType::F64, i);
    let [start, step] = [a, b].map(|x| builder.constant(Scalar::Float(x)));
    let way = builder.apply(Prim::Mul, &[real, step]);
    let mut value = builder.apply(Prim::Add, &[start, way]);
    if let Some(last) = last {
        let end = builder.constant(Scalar::Int(n as i128 - 1));
        let there = builder.apply(Prim::Eq, &[i, end]);
        let last = builder.constant(Scalar::Float(last));
        value = builder.apply(Prim::Select, &[there, last, value]);
    }
    let value = builder.cast(dtype, value);
    builder.output(value, Yield::Element);
    let program = builder.finish("ramp", Precision::Stored);
    lazy::formula(program, &[positions], dtype, &[n]).map(Some)
}

/// Ones on diagonal `k`, pending; nothing where they are to be written at once.
pub(super) fn eye(
    rows: usize,
    cols: usize,
    k: isize,
    dtype: DType,
    device: &Arc<dyn Device>,
) -> Result<Option<Tensor>> {
    if dtype.is_stored() || is_now(rows.saturating_mul(cols), device) {
        return Ok(None);
    }
    // Diagonals beyond a corner are all alike, and nearer ones cannot overflow.
    let k = (k as i128).clamp(-(rows as i128), cols as i128);
    let lines = [(0, rows), (-k, cols)].map(|(from, n)| Tensor::ramp(from, 1, n, device));
    let [Some(row), Some(col)] = lines.map(Result::ok).map(Option::flatten) else {
        return Ok(None);
    };
    let on = apply(Prim::Eq, &[(&col).into(), (&row.expand_dims(&[1])?).into()])?;
    on.cast(dtype).map(Some)
}
