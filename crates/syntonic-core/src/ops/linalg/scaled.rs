//! Products of 8-bit numbers, scaled.

use super::product::MATMUL;
use crate::cpu::exec;
use crate::device::{Arg, Arithmetic, End, Kernel, Launch};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::float8::{self, Width};
use crate::fuse::{Builder, Precision, Prim, Role, Task, Typed, Yield, lower};
use crate::interrupt::in_pieces;
use crate::layout::Layout;
use crate::ops::moves::arg;
use crate::profile;
use crate::room;
use crate::scalar::{Element, Scalar};
use crate::tensor::{Tensor, describe, same_device};
use crate::{F8E4M3, F8E5M2};
use bytemuck::Zeroable;

#[cfg(test)]
mod tests;

const OP: &str = "scaled_matmul";

/// `out = alpha row column (a @ b)` for 8-bit floats or `int8`, `a: [m, k]` and `b: [k, n]` in any strides, rounded once to the type of
/// `out: [m, n]`: `float32`, `float16` or `bfloat16`. Sums of floats are `float32`, those of `int8` are `int32`. `row` and `column` are `float32`
/// over the shape of `out`, constant along a row or a column, or both are not there. Parameter: `alpha`. [`ScaledProduct`] reads a launch.
pub static SCALED_MATMUL: Kernel = Kernel { name: OP, cpu: run };

/// The types a scaled product is written in.
const RESULTS: [DType; 3] = [DType::F32, DType::F16, DType::BF16];
/// The longest sums of `int8` that are within `int32` whatever the numbers are.
const LONGEST: usize = i32::MAX as usize >> 14;

/// What stands for a number's true size: one for a whole factor, or one for each row of the first and each column of the second.
#[derive(Clone, Copy, Debug)]
pub enum Scale<'a> {
    /// One for all, known to the host.
    Number(f32),
    /// `float32` on the operands' device: `[]` for all; for the rows of the first factor `[m]` or `[m, 1]`, for the columns of the second `[n]` or
    /// `[1, n]`.
    Each(&'a Tensor),
}

impl From<f32> for Scale<'_> {
    fn from(scale: f32) -> Self {
        Scale::Number(scale)
    }
}

impl<'a> From<&'a Tensor> for Scale<'a> {
    fn from(scales: &'a Tensor) -> Self {
        Scale::Each(scales)
    }
}

/// `scale_a · scale_b · (a @ b)` for 8-bit floats or `int8`: `[m, k]`, `[k, n] -> [m, n]` of `out_dtype`, which is `float32`, `float16` or
/// `bfloat16`. A scale is a number, or a tensor with one for each row of `a`, or for each column of `b` ([`Scale`]).
///
/// `a` and `b` are both `int8`, whose sums are exact, or `float8_e4m3fn` or `float8_e5m2`, but not both of them `float8_e5m2`: cards have no such
/// product, and what runs on one device runs on the other. Sums are multiplied by the numbers, the scales of rows and those of columns in
/// `float32`, and rounded to `out_dtype` once. A CPU multiplies floats in `float32`, which holds every product of two exactly. A GPU of compute
/// capability 8.9 or newer multiplies the codes themselves where `k` and `n` are multiples of 16, `b` best being the transpose
/// of a row-major matrix; its tensor cores add with fewer bits than `float32` has (on 9.0 with some 14) and carry the sums
/// over into `float32` now and then. Other cards and lengths go through `float16`, which holds every 8-bit float, with sums in
/// `float32`. Tensor cores of 9.0 multiply `int8`; other cards do without them.
///
/// ```
/// use syntonic_core::ops::linalg::scaled_matmul;
/// use syntonic_core::{DType, Tensor};
/// let w = Tensor::from_slice(&[100.0f32, 200.0, -300.0, 50.0], &[2, 2])?;
/// let x = Tensor::ones(&[1, 2], DType::F8E4M3)?;
/// // Codes reach to 448: what is larger is scaled before it is stored, and back here.
/// let w = w.cast(DType::F8E4M3)?;
/// let y = scaled_matmul(&x, &w, 0.5, 2.0, DType::F32)?;
/// assert_eq!(y.to_vec::<f32>()?, [96.0 - 288.0, 192.0 + 48.0]);
///
/// let (x, w) = (Tensor::from([[3i8], [5]]), Tensor::from([[2i8, 7]]));
/// let (rows, columns) = (Tensor::from([0.5f32, 0.25]), Tensor::from([1f32, 10.0]));
/// let y = scaled_matmul(&x, &w, &rows, &columns, DType::F32)?;
/// assert_eq!(y.to_vec::<f32>()?, [3.0, 105.0, 2.5, 87.5]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
///
/// Formats and rounding: OCP 8-bit Floating Point Specification 1.0; the use of scales: Micikevicius et al., FP8 Formats for
/// Deep Learning (2022); Dettmers et al., LLM.int8() (2022).
///
/// Errors: [`Error::DType`] for other types of operands, of scales or of the result, [`Error::Shape`] unless both are matrices whose inner
/// lengths agree and scales fit them, [`Error::Device`] where they are on different devices; [`Error::Value`] for `int8` with a `k` above
/// 131,071, whose sums `int32` may not hold, and for scales that a gradient is taken of.
pub fn scaled_matmul<'a>(
    a: &Tensor,
    b: &Tensor,
    scale_a: impl Into<Scale<'a>>,
    scale_b: impl Into<Scale<'a>>,
    out_dtype: DType,
) -> Result<Tensor> {
    let device = same_device(OP, &[a, b])?;
    let refuse = |hint: &str| Error::DType {
        op: OP,
        operands: describe(&[a, b]),
        hint: hint.to_owned(),
    };
    let whole = (a.dtype(), b.dtype()) == (DType::I8, DType::I8);
    if !whole && (!a.dtype().is_stored() || !b.dtype().is_stored()) {
        return Err(refuse(
            "both operands are float8_e4m3fn or float8_e5m2, or both int8; matmul multiplies the others",
        ));
    }
    if (a.dtype(), b.dtype()) == (DType::F8E5M2, DType::F8E5M2) {
        return Err(refuse(
            "one of the two is float8_e4m3fn: GPUs have no product of two float8_e5m2; cast both to float16 for matmul",
        ));
    }
    if !RESULTS.contains(&out_dtype) {
        return Err(refuse(&format!(
            "the result is float32, float16 or bfloat16, not {out_dtype}; cast it afterwards"
        )));
    }
    let ([m, k], [l, n]) = (a.shape(), b.shape()) else {
        return Err(shape_error(
            &[a, b],
            "both operands are matrices; reshape first",
        ));
    };
    if k != l {
        return Err(shape_error(
            &[a, b],
            "the columns of the first operand are the rows of the second",
        ));
    }
    if whole && *k > LONGEST {
        let what =
            format!("sums of {k} products of int8 may be beyond int32; hint: split k at {LONGEST}");
        return Err(Error::value(OP, what));
    }
    let out = Tensor::uninit(OP, &[*m, *n], out_dtype, &device)?;
    let mut alpha = 1.0;
    let scales = scales_of([a, b], [scale_a.into(), scale_b.into()], &mut alpha)?;
    if out.numel() == 0 {
        return Ok(out);
    }
    // few: four at most.
    let mut inputs = vec![arg(a)?, arg(b)?];
    for scale in scales.iter().flatten() {
        inputs.push(arg(scale)?);
    }
    let launch = Launch {
        inputs,
        outputs: vec![arg(&out)?],
        params: vec![Scalar::Float(f64::from(alpha))],
        ..Launch::default()
    };
    // SAFETY: the operands are live matrices whose lengths were checked, as are the scales over the result's shape; the output is fresh memory of
    // this device.
    let run = || unsafe { device.launch(&SCALED_MATMUL, &launch) };
    profile::kernel(&device, &SCALED_MATMUL, &launch, run)?;
    Ok(out)
}

/// The scales of rows and of columns over the shape of the result, where one of them is a tensor; numbers are multiplied into `alpha`.
fn scales_of(
    [a, b]: [&Tensor; 2],
    scales: [Scale<'_>; 2],
    alpha: &mut f32,
) -> Result<Option<[Tensor; 2]>> {
    let (m, n) = (a.shape()[0], b.shape()[1]);
    let mut each = [None, None];
    for (axis, scale) in scales.into_iter().enumerate() {
        match scale {
            Scale::Number(number) => *alpha *= number,
            Scale::Each(t) => each[axis] = Some(checked([a, b], t, axis)?),
        }
    }
    if each.iter().all(Option::is_none) {
        return Ok(None);
    }
    let mut over = |axis: usize| match each[axis].take() {
        Some(t) => t.eval()?.broadcast_to(&[m, n]),
        None => Tensor::ones_on(&[], DType::F32, a.device())?
            .eval()?
            .broadcast_to(&[m, n]),
    };
    Ok(Some([over(0)?, over(1)?]))
}

/// The scales of the rows (axis 0) or columns (axis 1) of a result, with two axes or none.
fn checked([a, b]: [&Tensor; 2], scales: &Tensor, axis: usize) -> Result<Tensor> {
    same_device(OP, &[a, scales])?;
    if scales.dtype() != DType::F32 {
        return Err(Error::DType {
            op: OP,
            operands: describe(&[a, b, scales]),
            hint: "scales are float32".into(),
        });
    }
    if scales.is_tracked() {
        let what = "no gradient is taken of scales; hint: multiply the unscaled product by them";
        return Err(Error::value(OP, what));
    }
    let len = if axis == 0 {
        a.shape()[0]
    } else {
        b.shape()[1]
    };
    match (axis, scales.shape()) {
        (_, []) | (0, [_, 1]) | (1, [1, _]) if scales.numel() == len || scales.ndim() == 0 => {
            Ok(scales.clone())
        }
        (_, [own]) if *own == len => match axis {
            0 => scales.expand_dims(&[1]),
            _ => Ok(scales.clone()),
        },
        _ => Err(shape_error(
            &[a, b, scales],
            "scales are a number, or one for each row of the first operand and each column of the second",
        )),
    }
}

fn shape_error(operands: &[&Tensor], hint: &str) -> Error {
    Error::Shape {
        op: OP,
        operands: describe(operands),
        hint: hint.to_owned(),
    }
}

/// What a launch of [`SCALED_MATMUL`] asks for, read once for every device.
#[derive(Clone, Copy, Debug)]
pub struct ScaledProduct<'a> {
    /// The left factors, `[m, k]`.
    pub a: &'a Arg,
    /// The right factors, `[k, n]`.
    pub b: &'a Arg,
    /// What is written, `[m, n]`.
    pub out: &'a Arg,
    /// The factor of the sums.
    pub alpha: f32,
    /// The scales of rows and of columns over `[m, n]`, if there are any.
    pub scales: Option<[&'a Arg; 2]>,
}

impl<'a> ScaledProduct<'a> {
    /// The launch as a product.
    ///
    /// Errors where the operands are not those that the kernel takes.
    pub fn of(launch: &'a Launch) -> Result<ScaledProduct<'a>> {
        let (a, b, scales) = match &launch.inputs[..] {
            [a, b] => (a, b, None),
            [a, b, row, column] => (a, b, Some([row, column])),
            _ => {
                return Err(Error::value(
                    OP,
                    "the kernel takes two factors, and two scales or none",
                ));
            }
        };
        let [out] = &launch.outputs[..] else {
            return Err(Error::value(OP, "the kernel has one result"));
        };
        let shapes = [a, b, out].map(|arg| arg.layout.shape());
        let fit =
            matches!(shapes, [[m, k], [l, n], [rows, cols]] if k == l && m == rows && n == cols);
        let stored = a.dtype.is_stored() && b.dtype.is_stored();
        let whole = (a.dtype, b.dtype) == (DType::I8, DType::I8);
        let mut over = scales.iter().flatten();
        let scaled = over.all(|s| s.dtype == DType::F32 && s.layout.shape() == shapes[2]);
        if !fit || !scaled || !(stored || whole) || !RESULTS.contains(&out.dtype) {
            return Err(Error::value(
                OP,
                format!(
                    "the kernel takes two matrices of 8-bit floats or of int8, and scales over the result, not {shapes:?}"
                ),
            ));
        }
        let alpha = launch.params.first().map_or(1.0, |p| p.to_f64() as f32);
        Ok(ScaledProduct {
            a,
            b,
            out,
            alpha,
            scales,
        })
    }

    /// The type that products are summed in.
    #[doc(hidden)]
    pub fn sums(&self) -> DType {
        match self.a.dtype {
            DType::I8 => DType::I32,
            _ => DType::F32,
        }
    }

    /// What becomes of the sums: `alpha` times each, times the scales, rounded once.
    ///
    /// Errors as [`End::new`].
    #[doc(hidden)]
    pub fn end(&self) -> Result<End> {
        let mut builder = Builder::new();
        let x = builder.input("x", Role::Element);
        let mut y = match self.sums() {
            DType::F32 => x,
            _ => builder.cast(DType::F32, x),
        };
        if self.alpha != 1.0 {
            let alpha = builder.constant(Scalar::Float(f64::from(self.alpha)));
            y = builder.apply(Prim::Mul, &[y, alpha]);
        }
        // few: two.
        for name in ["row", "column"]
            .into_iter()
            .take(self.scales.map_or(0, |s| s.len()))
        {
            let scale = builder.input(name, Role::Element);
            y = builder.apply(Prim::Mul, &[y, scale]);
        }
        builder.output(y, Yield::Element);
        let program = builder.finish(OP, Precision::Stepwise);
        let operands = self.scales.into_iter().flatten().cloned().collect();
        End::new(&program, self.sums(), operands, self.out.dtype)
    }

    /// The program that widens codes, given as `uint8`, to `wide`.
    ///
    /// Errors as [`lower`].
    pub fn widening(code: DType, wide: Width) -> Result<Typed> {
        let mut builder = Builder::new();
        let x = builder.input("x", Role::Element);
        let single = float8::widened(&mut builder, code, x);
        let y = builder.cast(wide.dtype(), single);
        builder.output(y, Yield::Element);
        lower(&builder.finish(OP, Precision::Stepwise), &[code.moved()])
    }

    /// The product as one of [`MATMUL`]'s, of factors that were widened to one type of floats.
    ///
    /// Errors as [`End::new`].
    pub fn widened(&self, a: Arg, b: Arg) -> Result<Launch> {
        Ok(Launch {
            inputs: vec![a, b],
            outputs: vec![self.out.clone()],
            params: plain(),
            end: Some(self.end()?),
            ..Launch::default()
        })
    }

    /// The sums as a product of [`MATMUL`]'s, of factors that were widened to `int32`.
    #[doc(hidden)]
    pub fn whole(&self, a: Arg, b: Arg, sums: Arg) -> Launch {
        Launch {
            inputs: vec![a, b],
            outputs: vec![sums],
            params: plain(),
            ..Launch::default()
        }
    }
}

/// The parameters of a product that is neither scaled nor conjugated.
fn plain() -> Vec<Scalar> {
    vec![
        Scalar::Int(1),
        Scalar::Int(0),
        Scalar::Bool(false),
        Scalar::Bool(false),
        Arithmetic::Native.to_scalar(),
    ]
}

/// # Safety
/// As [`SCALED_MATMUL`] says.
unsafe fn run(launch: &Launch) -> Result<()> {
    let product = ScaledProduct::of(launch)?;
    if product.sums() == DType::I32 {
        // SAFETY: the caller's promise.
        return unsafe { run_whole(&product) };
    }
    let table = |dtype| -> [f32; 256] {
        std::array::from_fn(|code| {
            let value = match dtype {
                DType::F8E4M3 => F8E4M3(code as u8).to_scalar(),
                _ => F8E5M2(code as u8).to_scalar(),
            };
            value.to_f64() as f32
        })
    };
    // SAFETY: the caller's promise.
    let (mut a, mut b) = unsafe {
        (
            values(product.a, &table(product.a.dtype))?,
            values(product.b, &table(product.b.dtype))?,
        )
    };
    let wide = product.widened(
        dense(DType::F32, product.a.layout.shape(), &mut a)?,
        dense(DType::F32, product.b.layout.shape(), &mut b)?,
    )?;
    // SAFETY: the vectors have the lengths of the matrices and live until this returns; the output is the caller's promise.
    unsafe { (MATMUL.cpu)(&wide) }
}

/// # Safety
/// As [`SCALED_MATMUL`] says, of `int8`.
unsafe fn run_whole(product: &ScaledProduct<'_>) -> Result<()> {
    let table: [i32; 256] = std::array::from_fn(|code| i32::from(code as u8 as i8));
    // SAFETY: the caller's promise.
    let (mut a, mut b) = unsafe { (values(product.a, &table)?, values(product.b, &table)?) };
    let shape = product.out.layout.shape();
    let mut sums = room::zeros::<i32>(product.out.layout.numel())?;
    let sums = dense(DType::I32, shape, &mut sums)?;
    let launch = product.whole(
        dense(DType::I32, product.a.layout.shape(), &mut a)?,
        dense(DType::I32, product.b.layout.shape(), &mut b)?,
        sums.clone(),
    );
    let end = product.end()?;
    // SAFETY: the vectors have the lengths of the matrices and live until this returns; the rest is the caller's promise.
    unsafe {
        (MATMUL.cpu)(&launch)?;
        let operands = [&sums].into_iter().chain(&end.operands);
        exec::run(&Task::over(&end.program, operands, product.out))
    }
}

/// A row-major matrix.
fn dense<T>(dtype: DType, shape: &[usize], values: &mut Vec<T>) -> Result<Arg> {
    Ok(Arg {
        base: values.as_mut_ptr().cast(),
        dtype,
        layout: Layout::contiguous(OP, shape)?,
    })
}

/// Elements that are widened before the caller is asked whether to go on.
const UNASKED: usize = 1 << 20;

/// The values of a matrix of bytes, row-major.
///
/// # Safety
/// The operand is live.
unsafe fn values<T: Element + Zeroable>(arg: &Arg, table: &[T; 256]) -> Result<Vec<T>> {
    let (&[rows, cols], &[row, col]) = (arg.layout.shape(), arg.layout.strides()) else {
        return Err(Error::value(OP, "the kernel takes matrices"));
    };
    let mut out = room::zeros::<T>(rows * cols)?;
    let first = arg.address().cast_const();
    in_pieces(rows * cols, UNASKED, |from, to| {
        for (value, at) in out[from..to].iter_mut().zip(from..) {
            let (i, j) = ((at / cols) as isize, (at % cols) as isize);
            // SAFETY: the element lies in the matrix, which the caller vouches for.
            let code = unsafe { *first.wrapping_offset(i * row + j * col) };
            *value = table[usize::from(code)];
        }
    })?;
    Ok(out)
}
