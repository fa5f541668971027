//! Casts as formulas over bytes: no device needs to know the types.

use super::code::{E4M3, E5M2, Format, NAN};
use crate::dtype::DType;
use crate::error::Result;
use crate::fuse::notation::{
    IntoSym, Sym, abs, apply, cast as convert, ge, is_nan, minimum, over, round, select,
};
use crate::fuse::{Builder, NodeId, Prim};
use crate::lazy;
use crate::ops::elementwise::{composite, composite_of_these};
use crate::tensor::Tensor;

/// The same memory as elements of a type that moves alike: `uint8` for 8-bit floats, the tensor itself for all others.
pub(crate) fn bits(x: &Tensor) -> Tensor {
    x.with_dtype(x.dtype().moved())
}

/// The values as another type, where one of the two is a type of storage: through `float32`, which holds every 8-bit float,
/// and from `float64` in one rounding.
pub(crate) fn cast(x: &Tensor, dtype: DType) -> Result<Tensor> {
    let wide = match x.dtype() {
        DType::F8E4M3 => composite_of_these("cast", from_e4m3, &[(&bits(x)).into()])?,
        DType::F8E5M2 => composite_of_these("cast", from_e5m2, &[(&bits(x)).into()])?,
        DType::F32 | DType::F64 => x.clone(),
        DType::C128 => lazy::cast(x, DType::F64)?,
        _ => lazy::cast(x, DType::F32)?,
    };
    match dtype {
        DType::F8E4M3 => Ok(composite("cast", to_e4m3, &[(&wide).into()])?.with_dtype(dtype)),
        DType::F8E5M2 => {
            Ok(composite_of_these("cast", to_e5m2, &[(&wide).into()])?.with_dtype(dtype))
        }
        _ => wide.cast(dtype),
    }
}

/// A type that holds every 8-bit float.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// `float16`.
    Half,
    /// `float32`.
    Single,
}

impl Width {
    /// The type.
    pub(crate) fn dtype(self) -> DType {
        match self {
            Width::Half => DType::F16,
            Width::Single => DType::F32,
        }
    }
}

/// The `float32` of a code of type `stored` that is a `uint8` of the program.
pub(crate) fn widened(builder: &mut Builder, stored: DType, code: NodeId) -> NodeId {
    match stored {
        DType::F8E4M3 => from_e4m3(builder, &[code]),
        _ => from_e5m2(builder, &[code]),
    }
}

fn from_e4m3(builder: &mut Builder, nodes: &[NodeId]) -> NodeId {
    over(builder, nodes, |[x]| value(E4M3, x))
}

fn from_e5m2(builder: &mut Builder, nodes: &[NodeId]) -> NodeId {
    over(builder, nodes, |[x]| value(E5M2, x))
}

fn to_e4m3(builder: &mut Builder, nodes: &[NodeId]) -> NodeId {
    over(builder, nodes, |[x]| code(E4M3, x))
}

fn to_e5m2(builder: &mut Builder, nodes: &[NodeId]) -> NodeId {
    over(builder, nodes, |[x]| code(E5M2, x))
}

impl Format {
    /// By how much an exponent may lie above the smallest, in steps that find it: halves, as in a binary search.
    fn steps(self) -> impl Iterator<Item = i32> {
        let bits = 7 - self.mantissa;
        (0..bits).rev().map(|bit| 1 << bit)
    }

    /// Numbers of one exponent.
    fn parts(self) -> i32 {
        1 << self.mantissa
    }

    /// The distance between subnormal numbers.
    fn unit(self) -> f64 {
        power(self.least - self.mantissa as i32)
    }
}

fn power(exponent: i32) -> f64 {
    f64::from(exponent).exp2()
}

/// `float32` of a code. What the code's exponent is above the smallest is taken from the code, which leaves multiples of the
/// distance of subnormal numbers, and goes into a power of two. Every step is exact.
fn value(format: Format, code: Sym) -> Sym {
    let x = convert(DType::F32, apply(Prim::BitAnd, &[code, 0x7f_i64.sym()]));
    let (mut rest, mut scale) = (x, convert(DType::F32, format.unit().sym()));
    for step in format.steps() {
        let above = ge(rest, f64::from(format.parts() * (step + 1)));
        rest = select(above, rest - f64::from(format.parts() * step), rest);
        scale = select(above, scale * power(step), scale);
    }
    let mut magnitude = rest * scale;
    let mut first_nan = f64::from(format.beyond);
    if format.overflow.is_infinite() {
        magnitude = select(ge(x, first_nan), f64::INFINITY, magnitude);
        first_nan += 1.0;
    }
    let signed = select(ge(code, 0x80_i64), -magnitude, magnitude);
    // Last, since the sign of a NaN is not the same on all devices.
    select(ge(x, first_nan), f64::NAN, signed)
}

/// The code of a real float, as `uint8`. The number is brought into the range of the two smallest exponents by powers of
/// two, which is exact, and rounded there to a multiple of the distance of subnormal numbers.
fn code(format: Format, x: Sym) -> Sym {
    let (mut rest, mut first) = (abs(x), convert(DType::U8, 0_i64.sym()));
    for step in format.steps() {
        let above = ge(rest, power(format.least + step));
        rest = select(above, rest * power(-step), rest);
        first = select(above, first + i64::from(format.parts() * step), first);
    }
    let nearest = round(rest * format.unit().recip());
    // A number far beyond the largest is beyond it by any such number.
    let nearest = minimum(nearest, f64::from(2 * format.parts()));
    let code = minimum(
        first + convert(DType::U8, nearest),
        i64::from(format.beyond),
    );
    let signed = select(apply(Prim::SignBit, &[x]), code + 0x80_i64, code);
    select(is_nan(x), i64::from(NAN), signed)
}
