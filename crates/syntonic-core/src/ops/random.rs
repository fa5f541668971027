//! Tensors of random numbers, from a generator whose state the caller holds.
//!
//! Element `i` of a draw is element `offset + i` of a stream of [`crate::random`], so every device,
//! number of threads and way of cutting gives the same bits. The elements are taken after all that can be refused was
//! checked and before the first is drawn, so that threads that share a generator never draw one twice.

use super::elementwise::{Arg, apply, clip};
use super::gather::take;
use super::moves;
use crate::device::{Device, Kernel, Launch};
use crate::dtype::DType;
use crate::error::{Error, Operand, Operands, Result};
use crate::fuse::Prim;
use crate::interrupt;
use crate::layout::{count, normalize_axis};
use crate::random::{
    Source, fill_integers, fill_normal_f32, fill_normal_f64, fill_uniform_f32, fill_uniform_f64,
    permutation as permuted,
};
use crate::scalar::Scalar;
use crate::tensor::Tensor;
use half::{bf16, f16};
use std::sync::Arc;

/// `out[i]` = uniform number `offset + i` of `[0, 1)`. Output: contiguous `float32` or `float64`;
/// parameters: seed and offset.
pub static RANDOM_UNIFORM: Kernel = Kernel {
    name: "random_uniform",
    cpu: cpu_uniform,
};

#[cfg(test)]
mod tests;

/// `out[i]` = standard normal number `offset + i`. Output: contiguous `float32` or `float64`;
/// parameters: seed and offset.
pub static RANDOM_NORMAL: Kernel = Kernel {
    name: "random_normal",
    cpu: cpu_normal,
};

/// `out[i]` = integer `offset + i` of `low..high`. Output: contiguous `int64`; parameters: seed,
/// offset, low and high.
pub static RANDOM_INTEGERS: Kernel = Kernel {
    name: "random_integers",
    cpu: cpu_integers,
};

/// A permutation of `0..n`, as [`crate::random::permutation`]. Output: contiguous `int64` of `n`
/// elements; parameters: seed and offset.
pub static RANDOM_PERMUTATION: Kernel = Kernel {
    name: "random_permutation",
    cpu: cpu_permutation,
};

fn word(args: &Launch, at: usize) -> u64 {
    args.params.get(at).map_or(0, |p| p.to_i128() as u64)
}

/// The output of a launch as a slice.
///
/// # Safety
/// It is contiguous, holds values of `T`, and belongs to this launch alone.
unsafe fn output<'a, T>(args: &Launch) -> &'a mut [T] {
    let out = &args.outputs[0];
    // SAFETY: the caller's promise; any bits are a number.
    unsafe { std::slice::from_raw_parts_mut(out.address().cast(), out.layout.numel()) }
}

unsafe fn cpu_uniform(args: &Launch) -> Result<()> {
    let (seed, offset) = (word(args, 0), word(args, 1));
    // SAFETY: the kernel's contract, with the type the output has.
    unsafe {
        match args.outputs[0].dtype {
            DType::F32 => fill_uniform_f32(output(args), seed, offset),
            _ => fill_uniform_f64(output(args), seed, offset),
        }
    }
    Ok(interrupt::check()?)
}

unsafe fn cpu_normal(args: &Launch) -> Result<()> {
    let (seed, offset) = (word(args, 0), word(args, 1));
    // SAFETY: the kernel's contract, with the type the output has.
    unsafe {
        match args.outputs[0].dtype {
            DType::F32 => fill_normal_f32(output(args), seed, offset),
            _ => fill_normal_f64(output(args), seed, offset),
        }
    }
    Ok(interrupt::check()?)
}

unsafe fn cpu_integers(args: &Launch) -> Result<()> {
    let [low, high] = [2, 3].map(|k| word(args, k) as i64);
    // SAFETY: the kernel's contract.
    let out = unsafe { output(args) };
    fill_integers(out, low, high, word(args, 0), word(args, 1))
        .map_err(|e| Error::value("random_integers", e.to_string()))?;
    Ok(interrupt::check()?)
}

unsafe fn cpu_permutation(args: &Launch) -> Result<()> {
    // SAFETY: the kernel's contract.
    let out: &mut [i64] = unsafe { output(args) };
    let order = permuted(out.len(), word(args, 0), word(args, 1))?;
    Ok(interrupt::copy(out, &order)?)
}

/// New memory filled by `kernel`. The generator moves on once the memory is there, and back if the device fails.
fn draw(
    kernel: &Kernel,
    shape: &[usize],
    dtype: DType,
    generator: &mut impl Source,
    more: &[Scalar],
    device: &Arc<dyn Device>,
) -> Result<Tensor> {
    let out = Tensor::uninit(kernel.name, shape, dtype, device)?;
    if out.numel() == 0 {
        return Ok(out);
    }
    let to = moves::arg(&out)?;
    let taken = generator.take(out.numel());
    let state = [taken.seed, taken.offset].map(Scalar::from);
    let params = state.iter().chain(more).copied().collect();
    // SAFETY: the output is fresh, contiguous, and of a type the kernel knows.
    let drawn = unsafe { moves::launch(kernel, &out, vec![], vec![to], params) };
    if let Err(e) = drawn {
        generator.put_back(taken, out.numel());
        return Err(e);
    }
    Ok(out)
}

/// The type a draw of real numbers is made in: `float32` for the half types.
fn drawn(
    op: &'static str,
    shape: &[usize],
    dtype: DType,
    device: &Arc<dyn Device>,
) -> Result<DType> {
    if dtype.is_float() {
        return Ok(dtype.compute());
    }
    Err(Error::DType {
        op,
        operands: Operands(vec![Operand {
            dtype,
            shape: shape.to_vec(),
            device: device.id(),
        }]),
        hint: "real random numbers are float16, bfloat16, float32 or float64".into(),
    })
}

/// `scale · x + shift`, in the type of `x`.
fn affine(x: Tensor, scale: f64, shift: f64) -> Result<Tensor> {
    let x = if scale == 1.0 {
        x
    } else {
        apply(Prim::Mul, &[(&x).into(), scale.into()])?
    };
    if shift == 0.0 {
        Ok(x)
    } else {
        apply(Prim::Add, &[(&x).into(), shift.into()])
    }
}

/// Uniform numbers `low + (high - low) · u` with `u` in `[0, 1)`, a multiple of 2⁻²⁴ (`float32`), 2⁻⁵³
/// (`float64`), 2⁻¹¹ (`float16`) or 2⁻⁸ (`bfloat16`). None is less than `low` or reaches `high`, whatever rounding does;
/// where the type has no number between them, all are its number nearest to `low`. With `low > high` it is the other way
/// round: `low` is reached and `high` is not.
///
/// Errors: [`Error::DType`] unless `dtype` is a real float, [`Error::Value`] unless the ends and their
/// distance are finite, and the ends are within the type's range. On an error the generator stays where it is.
///
/// ```
/// use syntonic_core::ops::random::uniform;
/// use syntonic_core::prelude::*;
///
/// let x = uniform(&[1000], -1.0, 3.0, DType::F64, &mut Generator::new(7), &cpu())?;
/// assert!(x.min(..)?.to_scalar::<f64>()? >= -1.0 && x.max(..)?.to_scalar::<f64>()? <= 3.0);
/// assert!((x.mean(..)?.to_scalar::<f64>()? - 1.0).abs() < 0.2);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn uniform(
    shape: &[usize],
    low: f64,
    high: f64,
    dtype: DType,
    generator: &mut impl Source,
    device: &Arc<dyn Device>,
) -> Result<Tensor> {
    let wide = drawn("random_uniform", shape, dtype, device)?;
    if !(high - low).is_finite() {
        return Err(Error::value(
            "random_uniform",
            format!("the range from {low} to {high} is not finite"),
        ));
    }
    let largest = largest(dtype);
    if let Some(end) = [low, high].into_iter().find(|end| end.abs() > largest) {
        return Err(Error::value(
            "random_uniform",
            format!("{dtype} ends at {largest:e} and does not hold {end}; hint: a wider dtype"),
        ));
    }
    let u = draw(&RANDOM_UNIFORM, shape, wide, generator, &[], device)?;
    // Rounding a `float32` to a half would make 1 of what is just below it.
    let u = match dtype {
        DType::F16 => floor_to(u, 2048.0)?,
        DType::BF16 => floor_to(u, 256.0)?,
        _ => u,
    };
    if (low, high) == (0.0, 1.0) {
        return u.cast(dtype);
    }
    let spread = match wide {
        // The distance of the ends may leave the range where neither end does: half of it does not.
        DType::F32 if (high - low).abs() > f64::from(f32::MAX) => {
            affine(affine(u, 0.5 * (high - low), 0.5 * low)?, 2.0, 0.0)?
        }
        _ => affine(u, high - low, low)?,
    };
    let (first, last) = within(dtype, low, high);
    let [first, last] = [first, last].map(|end| Some(Arg::Number(Scalar::Float(end))));
    clip(&spread.cast(dtype)?, first, last)
}

/// The largest finite number of a floating type.
fn largest(dtype: DType) -> f64 {
    match dtype {
        DType::F16 => f16::MAX.to_f64(),
        DType::BF16 => bf16::MAX.to_f64(),
        DType::F32 => f64::from(f32::MAX),
        _ => f64::MAX,
    }
}

/// The smallest and the largest number of a floating type in the interval from `low`, which is part of it, to `high`, which is
/// not. Of an interval without one, twice the number nearest to `low`.
fn within(dtype: DType, low: f64, high: f64) -> (f64, f64) {
    let rounded = |x: f64| match dtype {
        DType::F16 => f16::from_f64(x).to_f64(),
        DType::BF16 => bf16::from_f64(x).to_f64(),
        DType::F32 => f64::from(x as f32),
        _ => x,
    };
    let above = |x: f64| match dtype {
        DType::F16 => f16_after(x),
        DType::BF16 => bf16_after(x),
        DType::F32 => f64::from((x as f32).next_up()),
        _ => x.next_up(),
    };
    // The first number that is not below x, and the first above it.
    let from = |x: f64| {
        Some(rounded(x))
            .filter(|&r| r >= x)
            .unwrap_or_else(|| above(rounded(x)))
    };
    let past = |x: f64| {
        Some(rounded(x))
            .filter(|&r| r > x)
            .unwrap_or_else(|| above(rounded(x)))
    };
    let (first, last) = match low <= high {
        true => (from(low), -past(-high)),
        false => (past(high), -from(-low)),
    };
    match first <= last {
        true => (first, last),
        false => (rounded(low), rounded(low)),
    }
}

/// The next larger `float16`.
fn f16_after(x: f64) -> f64 {
    f16::from_bits(after(f16::from_f64(x).to_bits())).to_f64()
}

/// The next larger `bfloat16`.
fn bf16_after(x: f64) -> f64 {
    bf16::from_bits(after(bf16::from_f64(x).to_bits())).to_f64()
}

/// The bits of the next larger number of a finite half type, whose magnitudes are in the order of their bits.
fn after(bits: u16) -> u16 {
    match bits {
        0x8000 => 1,
        _ if bits & 0x8000 != 0 => bits - 1,
        _ => bits + 1,
    }
}

/// Down to a multiple of `1 / steps`.
fn floor_to(u: Tensor, steps: f64) -> Result<Tensor> {
    let whole = apply(Prim::Mul, &[(&u).into(), steps.into()])?;
    let whole = apply(Prim::Floor, &[(&whole).into()])?;
    apply(Prim::Mul, &[(&whole).into(), (1.0 / steps).into()])
}

/// Normal numbers `mean + deviation · z`; half types are rounded from `float32`.
///
/// Errors: [`Error::DType`] unless `dtype` is a real float, [`Error::Value`] for a deviation that is
/// negative or NaN. On an error the generator stays where it is.
///
/// ```
/// use syntonic_core::ops::random::normal;
/// use syntonic_core::prelude::*;
///
/// let x = normal(&[10_000], 5.0, 0.5, DType::F64, &mut Generator::new(7), &cpu())?;
/// assert!((x.mean(..)?.to_scalar::<f64>()? - 5.0).abs() < 0.03);
/// assert!((x.std(.., 1.0)?.to_scalar::<f64>()? - 0.5).abs() < 0.03);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn normal(
    shape: &[usize],
    mean: f64,
    deviation: f64,
    dtype: DType,
    generator: &mut impl Source,
    device: &Arc<dyn Device>,
) -> Result<Tensor> {
    let wide = drawn("random_normal", shape, dtype, device)?;
    if deviation.is_nan() || deviation < 0.0 {
        return Err(Error::value(
            "random_normal",
            format!("standard deviation {deviation} must not be negative or NaN"),
        ));
    }
    let z = draw(&RANDOM_NORMAL, shape, wide, generator, &[], device)?;
    affine(z, deviation, mean)?.cast(dtype)
}

/// Integers of `low..high`, equally likely to within 2⁻⁶⁴.
///
/// Errors: [`Error::DType`] unless `dtype` is an integer type, [`Error::Value`] for an empty range or
/// one that the type cannot hold. On an error the generator stays where it is.
///
/// ```
/// use syntonic_core::ops::random::integers;
/// use syntonic_core::prelude::*;
///
/// let dice = integers(&[600], 1, 7, DType::U8, &mut Generator::new(7), &cpu())?;
/// assert_eq!(dice.min(..)?.to_scalar::<u8>()?, 1);
/// assert_eq!(dice.max(..)?.to_scalar::<u8>()?, 6);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn integers(
    shape: &[usize],
    low: i64,
    high: i64,
    dtype: DType,
    generator: &mut impl Source,
    device: &Arc<dyn Device>,
) -> Result<Tensor> {
    let op = "random_integers";
    if !dtype.is_integer() {
        return Err(Error::DType {
            op,
            operands: Operands(vec![Operand {
                dtype,
                shape: shape.to_vec(),
                device: device.id(),
            }]),
            hint: "random integers have an integer type".into(),
        });
    }
    if low >= high {
        return Err(Error::value(
            op,
            format!("the range {low}..{high} is empty; high must exceed low"),
        ));
    }
    let holds = |i: i64| Scalar::Int(i.into()).cast(dtype) == Scalar::Int(i.into());
    if !holds(low) || !holds(high - 1) {
        return Err(Error::value(
            op,
            format!("{dtype} does not hold all of {low}..{high}"),
        ));
    }
    let ends = [low, high].map(Scalar::from);
    draw(
        &RANDOM_INTEGERS,
        shape,
        DType::I64,
        generator,
        &ends,
        device,
    )?
    .cast(dtype)
}

/// A random order of `0..n`, as `int64`.
///
/// ```
/// use syntonic_core::ops::order::Direction;
/// use syntonic_core::ops::random::permutation;
/// use syntonic_core::prelude::*;
///
/// let order = permutation(5, &mut Generator::new(7), &cpu())?;
/// assert_eq!(order.sort(0, Direction::Ascending)?.to_vec::<i64>()?, [0, 1, 2, 3, 4]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn permutation(
    n: usize,
    generator: &mut impl Source,
    device: &Arc<dyn Device>,
) -> Result<Tensor> {
    count("random_permutation", &[n])?;
    draw(
        &RANDOM_PERMUTATION,
        &[n],
        DType::I64,
        generator,
        &[],
        device,
    )
}

/// `x` with the positions along `axis` in a random order.
///
/// ```
/// use syntonic_core::ops::random::shuffled;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([[1, 2], [3, 4], [5, 6]]);
/// let y = shuffled(&x, 0, &mut Generator::new(7))?;
/// assert_eq!((&y - &y.index((.., 0..1))?).to_vec::<i32>()?, [0, 1, 0, 1, 0, 1]);
/// assert_eq!(y.sum(0)?.to_vec::<i64>()?, [9, 12]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn shuffled(x: &Tensor, axis: isize, generator: &mut impl Source) -> Result<Tensor> {
    let at = normalize_axis("shuffle", axis, x.ndim())?;
    let order = permutation(x.shape()[at], generator, x.device())?;
    take(x, &order, Some(axis))
}
