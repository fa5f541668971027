//! Values at the ends of what the types hold: common offsets, the largest and smallest numbers, zeros, infinities, and integers past
//! those that floats hold exactly. Every function of a kind is a row of a table.

mod bounds;
mod moments;
mod order;
mod slopes;

use syntonic_core::{DType, Tensor};

/// The tensor with these values, which the type holds.
fn tensor(values: &[f64], shape: &[usize], dtype: DType) -> Tensor {
    let made = Tensor::from_slice(values, shape).unwrap();
    made.cast(dtype).unwrap()
}

fn values(x: &Tensor) -> Vec<f64> {
    x.cast(DType::F64).unwrap().to_vec().unwrap()
}

/// The distance from 1 to the next number.
fn unit(dtype: DType) -> f64 {
    match dtype {
        DType::F16 => 2f64.powi(-10),
        DType::BF16 => 2f64.powi(-7),
        DType::F32 => f64::from(f32::EPSILON),
        _ => f64::EPSILON,
    }
}

/// The largest finite number.
fn largest(dtype: DType) -> f64 {
    match dtype {
        DType::F16 => 65504.0,
        DType::BF16 => f64::from(f32::from_bits(0x7f7f_0000)),
        DType::F32 => f64::from(f32::MAX),
        _ => f64::MAX,
    }
}

/// The real floating types.
const FLOATS: [DType; 4] = [DType::F16, DType::BF16, DType::F32, DType::F64];

/// Every finite number of a half type.
fn every_number(dtype: DType) -> Vec<f64> {
    let all = (0..=u16::MAX).map(|bits| match dtype {
        DType::F16 => half::f16::from_bits(bits).to_f64(),
        _ => half::bf16::from_bits(bits).to_f64(),
    });
    all.filter(|x| x.is_finite()).collect()
}
