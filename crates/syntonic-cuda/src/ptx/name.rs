//! The one place where the name of a kernel's entry is formed.

use syntonic_core::DType;

/// The short name of an element type in entries and files: `f32`, `c128`, `bool`, ...
pub(crate) fn short(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "bool",
        DType::I8 => "i8",
        DType::I16 => "i16",
        DType::I32 => "i32",
        DType::I64 => "i64",
        DType::U8 => "u8",
        DType::U16 => "u16",
        DType::U32 => "u32",
        DType::U64 => "u64",
        DType::F16 => "f16",
        DType::BF16 => "bf16",
        DType::F32 => "f32",
        DType::F64 => "f64",
        DType::C64 => "c64",
        DType::C128 => "c128",
        DType::F8E4M3 => "f8e4m3",
        DType::F8E5M2 => "f8e5m2",
    }
}

/// `<operation>_<dtypes>[_<variant>]`.
pub(crate) fn entry_name(operation: &str, dtypes: &[DType], variant: &str) -> String {
    let mut name = operation.to_owned();
    let variant = (!variant.is_empty()).then_some(variant);
    for part in dtypes.iter().map(|&d| short(d)).chain(variant) {
        name.push('_');
        name.push_str(part);
    }
    name
}
