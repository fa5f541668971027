//! How element types and primitives are spelled in CUDA C++.

use syntonic_core::DType;
use syntonic_core::fuse::{Accepts, Prim};

/// The C++ type of an element in memory.
pub(super) fn memory(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "bool",
        DType::I8 => "int8_t",
        DType::I16 => "int16_t",
        DType::I32 => "int32_t",
        DType::I64 => "int64_t",
        // No program has a type of storage: its elements are bytes.
        DType::U8 | DType::F8E4M3 | DType::F8E5M2 => "uint8_t",
        DType::U16 => "uint16_t",
        DType::U32 => "uint32_t",
        DType::U64 => "uint64_t",
        DType::F16 => "syn::f16",
        DType::BF16 => "syn::bf16",
        DType::F32 => "float",
        DType::F64 => "double",
        DType::C64 => "syn::c64",
        DType::C128 => "syn::c128",
    }
}

/// The function of `kernels/include` that computes a primitive: it has the name that users call it by.
pub(super) fn function(prim: Prim) -> &'static str {
    prim.name()
}

/// The byte of a primitive in a fingerprint.
pub(crate) fn code(prim: Prim) -> u8 {
    prim as u8
}

/// Whether a primitive is defined for operands of exactly this type.
pub(crate) fn is_defined(prim: Prim, dtype: DType) -> bool {
    prim.operand_dtype(dtype) == Some(dtype) && !dtype.is_half()
}

/// True for a primitive of so many instructions that it is worth a function and a kernel of its own.
pub(crate) fn is_long(prim: Prim, dtype: DType) -> bool {
    use Prim::*;
    if dtype.is_complex() {
        return !matches!(
            prim,
            Neg | Square
                | Add
                | Sub
                | Mul
                | Eq
                | Ne
                | Round
                | IsNan
                | IsInf
                | IsFinite
                | Real
                | Imag
                | Conj
                | Complex
                | Select
        );
    }
    if dtype.is_integer() {
        return matches!(prim, FloorDiv | Rem | Pow);
    }
    let function = matches!(prim.row().accepts, Accepts::Inexact | Accepts::Float)
        && !matches!(
            prim,
            Sqrt | Recip | Div | Fma | CopySign | SignBit | Complex
        );
    match prim {
        FloorDiv | Rem | Pow => true,
        Exp | Log | Exp2 | Log2 | Rsqrt => dtype == DType::F64,
        _ => function,
    }
}

/// Instructions that a primitive over operands of this type takes, roughly.
pub(crate) fn instructions(prim: Prim, dtype: DType) -> usize {
    let double = dtype.real().size() == 8;
    let function = matches!(prim.row().accepts, Accepts::Inexact | Accepts::Float);
    let of_parts = match (is_long(prim, dtype), function, double) {
        (true, _, false) => 20,
        (true, _, true) => 60,
        (false, true, false) => 8,
        (false, true, true) => 25,
        (false, false, _) => 3,
    };
    of_parts * if dtype.is_complex() { 2 } else { 1 }
}
