//! Products of 8-bit floats, scaled.

use super::product::MATMUL;
use crate::device::{Arg, Arithmetic, End, Kernel, Launch};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::float8::{self, Width};
use crate::fuse::{Builder, Precision, Role, Typed, Yield, lower};
use crate::interrupt::in_pieces;
use crate::layout::Layout;
use crate::ops::moves::arg;
use crate::profile;
use crate::room;
use crate::scalar::{Element, Scalar};
use crate::tensor::{Tensor, describe, same_device};
use crate::{F8E4M3, F8E5M2};

#[cfg(test)]
mod tests;

const OP: &str = "scaled_matmul";

/// `out = alpha a @ b` for 8-bit floats `a: [m, k]` and `b: [k, n]` in any strides, summed in `float32` and rounded once to
/// the type of `out: [m, n]`: `float32`, `float16` or `bfloat16`. Parameter: `alpha`. [`ScaledProduct`] reads a launch.
pub static SCALED_MATMUL: Kernel = Kernel { name: OP, cpu: run };

/// The types a scaled product is written in.
const RESULTS: [DType; 3] = [DType::F32, DType::F16, DType::BF16];

/// `scale_a · scale_b · (a @ b)` for 8-bit floats: `[m, k]`, `[k, n] -> [m, n]` of `out_dtype`, which is `float32`, `float16` or
/// `bfloat16`.
///
/// `a` and `b` are `float8_e4m3fn` or `float8_e5m2`, but not both of them `float8_e5m2`: cards have no such product, and what
/// runs on one device runs on the other. The scales are multiplied in `float32` and with the sums, which are rounded to
/// `out_dtype` once. A CPU multiplies the values in `float32`, which holds every product of two exactly. A GPU of compute
/// capability 8.9 or newer multiplies the codes themselves where `k` and `n` are multiples of 16, `b` best being the transpose
/// of a row-major matrix; its tensor cores add with fewer bits than `float32` has (on 9.0 with some 14) and carry the sums
/// over into `float32` now and then. Other cards and lengths go through `float16`, which holds every 8-bit float, with sums in
/// `float32`.
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
/// # Ok::<(), syntonic_core::Error>(())
/// ```
///
/// Formats and rounding: OCP 8-bit Floating Point Specification 1.0; the use of scales: Micikevicius et al., FP8 Formats for
/// Deep Learning (2022).
///
/// Errors: [`Error::DType`] for other types of operands or of the result, [`Error::Shape`] unless both are matrices whose inner
/// lengths agree, [`Error::Device`] where they are on different devices.
pub fn scaled_matmul(
    a: &Tensor,
    b: &Tensor,
    scale_a: f32,
    scale_b: f32,
    out_dtype: DType,
) -> Result<Tensor> {
    let device = same_device(OP, &[a, b])?;
    let refuse = |hint: &str| Error::DType {
        op: OP,
        operands: describe(&[a, b]),
        hint: hint.to_owned(),
    };
    if !a.dtype().is_stored() || !b.dtype().is_stored() {
        return Err(refuse(
            "both operands are float8_e4m3fn or float8_e5m2; matmul multiplies the others",
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
            a,
            b,
            "both operands are matrices; reshape first",
        ));
    };
    if k != l {
        return Err(shape_error(
            a,
            b,
            "the columns of the first operand are the rows of the second",
        ));
    }
    let out = Tensor::uninit(OP, &[*m, *n], out_dtype, &device)?;
    if out.numel() == 0 {
        return Ok(out);
    }
    let launch = Launch {
        inputs: vec![arg(a)?, arg(b)?],
        outputs: vec![arg(&out)?],
        params: vec![Scalar::Float(f64::from(scale_a * scale_b))],
        ..Launch::default()
    };
    // SAFETY: the operands are live matrices whose lengths were checked, and the output is fresh memory of this device.
    let run = || unsafe { device.launch(&SCALED_MATMUL, &launch) };
    profile::kernel(&device, &SCALED_MATMUL, &launch, run)?;
    Ok(out)
}

fn shape_error(a: &Tensor, b: &Tensor, hint: &str) -> Error {
    Error::Shape {
        op: OP,
        operands: describe(&[a, b]),
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
}

impl<'a> ScaledProduct<'a> {
    /// The launch as a product.
    ///
    /// Errors where the operands are not those that the kernel takes.
    pub fn of(launch: &'a Launch) -> Result<ScaledProduct<'a>> {
        let ([a, b], [out]) = (&launch.inputs[..], &launch.outputs[..]) else {
            return Err(Error::value(
                OP,
                "the kernel takes two operands and one result",
            ));
        };
        let shapes = [a, b, out].map(|arg| arg.layout.shape());
        let fit =
            matches!(shapes, [[m, k], [l, n], [rows, cols]] if k == l && m == rows && n == cols);
        let stored = a.dtype.is_stored() && b.dtype.is_stored();
        if !fit || !stored || !RESULTS.contains(&out.dtype) {
            return Err(Error::value(
                OP,
                format!("the kernel takes two matrices of 8-bit floats, not {shapes:?}"),
            ));
        }
        let alpha = launch.params.first().map_or(1.0, |p| p.to_f64() as f32);
        Ok(ScaledProduct { a, b, out, alpha })
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

    /// The product as one of [`MATMUL`]'s, of factors that were widened to one type.
    ///
    /// Errors as [`End::new`].
    pub fn widened(&self, a: Arg, b: Arg) -> Result<Launch> {
        let mut builder = Builder::new();
        let x = builder.input("x", Role::Element);
        builder.output(x, Yield::Element);
        let rounded = builder.finish(OP, Precision::Stepwise);
        let end = End::new(&rounded, a.dtype, vec![], self.out.dtype)?;
        Ok(Launch {
            inputs: vec![a, b],
            outputs: vec![self.out.clone()],
            params: vec![
                Scalar::Float(f64::from(self.alpha)),
                Scalar::Int(0),
                Scalar::Bool(false),
                Scalar::Bool(false),
                Arithmetic::Native.to_scalar(),
            ],
            end: Some(end),
            account: None,
            body: None,
        })
    }
}

/// # Safety
/// As [`SCALED_MATMUL`] says.
unsafe fn run(launch: &Launch) -> Result<()> {
    let product = ScaledProduct::of(launch)?;
    // SAFETY: the caller's promise.
    let (mut a, mut b) = unsafe { (values(product.a)?, values(product.b)?) };
    let dense = |arg: &Arg, values: &mut Vec<f32>| -> Result<Arg> {
        Ok(Arg {
            base: values.as_mut_ptr().cast(),
            dtype: DType::F32,
            layout: Layout::contiguous(OP, arg.layout.shape())?,
        })
    };
    let wide = product.widened(dense(product.a, &mut a)?, dense(product.b, &mut b)?)?;
    // SAFETY: the vectors have the lengths of the matrices and live until this returns; the output is the caller's promise.
    unsafe { (MATMUL.cpu)(&wide) }
}

/// Elements that are widened before the caller is asked whether to go on.
const UNASKED: usize = 1 << 20;

/// The values of a matrix, row-major.
///
/// # Safety
/// The operand is live.
unsafe fn values(arg: &Arg) -> Result<Vec<f32>> {
    let table: [f32; 256] = std::array::from_fn(|code| {
        let value = match arg.dtype {
            DType::F8E4M3 => F8E4M3(code as u8).to_scalar(),
            _ => F8E5M2(code as u8).to_scalar(),
        };
        value.to_f64() as f32
    });
    let (&[rows, cols], &[row, col]) = (arg.layout.shape(), arg.layout.strides()) else {
        return Err(Error::value(OP, "the kernel takes matrices"));
    };
    let mut out = room::zeros::<f32>(rows * cols)?;
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
