//! Parts: every primitive and conversion as a function of its own, the building blocks of JIT kernels.

use super::Source;
use super::spelling::{function, is_defined, memory};
use crate::ptx::name::short;
use std::fmt::Write;
use syntonic_core::DType;
use syntonic_core::fuse::Prim;

/// A part: its family, and the name of its function there.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Part {
    /// The family whose image has it.
    pub(crate) family: &'static str,
    /// The function's name.
    pub(crate) name: String,
}

/// The families by the type that they are about.
pub(crate) fn family(dtype: DType) -> Option<&'static str> {
    Some(match dtype {
        DType::Bool => "parts_bool",
        DType::I8 => "parts_i8",
        DType::I16 => "parts_i16",
        DType::I32 => "parts_i32",
        DType::I64 => "parts_i64",
        DType::U8 => "parts_u8",
        DType::U16 => "parts_u16",
        DType::U32 => "parts_u32",
        DType::U64 => "parts_u64",
        DType::F16 => "parts_f16",
        DType::BF16 => "parts_bf16",
        DType::F32 => "parts_f32",
        DType::F64 => "parts_f64",
        DType::C64 => "parts_c64",
        DType::C128 => "parts_c128",
        DType::F8E4M3 | DType::F8E5M2 => return None,
    })
}

fn part(dtype: DType, name: String) -> Option<Part> {
    let family = family(dtype)?;
    Some(Part { family, name })
}

/// The part that computes a primitive whose operands have type `dtype`.
pub(crate) fn primitive(prim: Prim, dtype: DType) -> Option<Part> {
    let there = is_defined(prim, dtype) && prim != Prim::Select;
    there.then(|| part(dtype, format!("part_{}_{}", short(dtype), prim.name())))?
}

/// The part that selects between two registers of elements of so many bytes.
pub(crate) fn choice(bytes: usize) -> Option<Part> {
    part(
        DType::Bool,
        format!("part_where_b{}", if bytes >= 8 { 8 } else { 4 }),
    )
}

/// The part that selects between two words of halves, each half by a condition of its own.
pub(crate) fn choice_of_halves() -> Option<Part> {
    part(DType::Bool, "part_where_halves".to_owned())
}

/// The part that rounds two floats to the halves of a word.
pub(crate) fn halves(half: DType) -> Option<Part> {
    let name = format!("part_{}_both", short(half));
    half.is_half().then(|| part(half, name))?
}

/// The part that widens the low or the high half of a word to a float.
pub(crate) fn widened(half: DType, lane: usize) -> Option<Part> {
    let which = if lane.is_multiple_of(2) {
        "low"
    } else {
        "high"
    };
    let name = format!("part_{}_{which}", short(half));
    half.is_half().then(|| part(half, name))?
}

/// The part that converts one element.
pub(crate) fn conversion(from: DType, to: DType) -> Option<Part> {
    let owner = owner(from, to)?;
    part(owner, format!("part_{}_from_{}", short(to), short(from)))
}

/// The type whose family has a conversion: a half type, a complex one, or the one that is made. So only the families of half types
/// differ between architectures.
fn owner(from: DType, to: DType) -> Option<DType> {
    // Halves become floats, and floats halves, two at once.
    let halves = |a: DType, b: DType| a.is_half() && (b.is_half() || b == DType::F32);
    if from == to || halves(from, to) || halves(to, from) {
        return None;
    }
    let find = |fits: &dyn Fn(DType) -> bool| [to, from].into_iter().find(|&d| fits(d));
    find(&|d| d.is_half())
        .or(find(&|d| d == DType::C128))
        .or(find(&|d| d.is_complex()))
        .or(find(&|d| !d.is_bool()))
}

pub(super) fn sources() -> Vec<Source> {
    let all = DType::ALL.into_iter();
    all.filter_map(|dtype| family(dtype).map(|family| source(dtype, family)))
        .collect()
}

fn source(dtype: DType, family: &str) -> Source {
    let mut text = format!(
        "// Generated from the table of primitives by examples/generate_kernels.rs.\n\
         // What kernels made at run time compute with {dtype}.\n\
         // arch: 75 80\n\n#include \"{}\"\n\n",
        if dtype == DType::F32 {
            "part_turn.cuh"
        } else {
            "part.cuh"
        }
    );
    if dtype.is_half() {
        let names = [halves(dtype), widened(dtype, 0), widened(dtype, 1)];
        let names: Vec<String> = names.into_iter().flatten().map(|p| p.name).collect();
        let _ = writeln!(
            text,
            "SYN_PART_HALVES({}, {})",
            memory(dtype),
            names.join(", ")
        );
    }
    for &prim in Prim::ALL {
        if let Some(Part { name, .. }) = primitive(prim, dtype) {
            let t = memory(dtype);
            let _ = match prim.arity() {
                1 if dtype == DType::F32 && matches!(prim, Prim::Sin | Prim::Cos | Prim::Tan) => {
                    writeln!(text, "SYN_PART_TURN({name}, {})", function(prim))
                }
                1 => writeln!(text, "SYN_PART_ONE({name}, {t}, {})", function(prim)),
                2 => writeln!(text, "SYN_PART_TWO({name}, {t}, {})", function(prim)),
                _ => writeln!(text, "SYN_PART_FMA({name}, {t})"),
            };
        }
    }
    if dtype.is_bool() {
        for (bytes, t) in [(4, "uint32_t"), (8, "uint64_t")] {
            if let Some(Part { name, .. }) = choice(bytes) {
                let _ = writeln!(text, "SYN_PART_WHERE({name}, {t})");
            }
        }
        if let Some(Part { name, .. }) = choice_of_halves() {
            let _ = writeln!(text, "SYN_PART_WHERE_HALVES({name})");
        }
    }
    for (from, to) in pairs().filter(|&(from, to)| owner(from, to) == Some(dtype)) {
        if let Some(Part { name, .. }) = conversion(from, to) {
            let _ = writeln!(
                text,
                "SYN_PART_CAST({name}, {}, {})",
                memory(to),
                memory(from)
            );
        }
    }
    Source {
        file: format!("{family}.cu"),
        text,
    }
}

fn pairs() -> impl Iterator<Item = (DType, DType)> {
    let all = DType::ALL.into_iter();
    all.flat_map(|from| DType::ALL.into_iter().map(move |to| (from, to)))
}
