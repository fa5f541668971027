//! The interpreters of bytecode: one family for each type that programs compute in, from the table of primitives.

use super::Source;
use super::spelling::{code, function, is_defined, is_long, memory};
use crate::ptx::name::short;
use std::fmt::Write;
use syntonic_core::DType;
use syntonic_core::fuse::{Prim, Yields};

/// The types that have an interpreter with an accumulator in registers; the general one serves the rest.
pub(crate) const CLASSES: [DType; 8] = [
    DType::F16,
    DType::BF16,
    DType::F32,
    DType::F64,
    DType::C64,
    DType::C128,
    DType::I32,
    DType::I64,
];

/// The family of the interpreter that computes in `class`.
pub(crate) fn family(class: DType) -> &'static str {
    match class {
        DType::F16 => "map_bytecode_f16",
        DType::BF16 => "map_bytecode_bf16",
        DType::F32 => "map_bytecode_f32",
        DType::F64 => "map_bytecode_f64",
        DType::C64 => "map_bytecode_c64",
        DType::C128 => "map_bytecode_c128",
        DType::I32 => "map_bytecode_i32",
        _ => "map_bytecode_i64",
    }
}

/// Whether the interpreter of `class` has `prim` as a function of its accumulator and at most one operand.
pub(crate) fn is_in_class(prim: Prim, class: DType) -> bool {
    is_defined(prim, class)
        && prim.arity() < 3
        && (prim.row().yields != Yields::Complex || class.is_complex())
}

pub(super) fn sources() -> Vec<Source> {
    CLASSES.into_iter().map(light).chain([general()]).collect()
}

/// The interpreter whose slots hold `held`: the type it computes in, or a half type.
fn light(held: DType) -> Source {
    let class = held.compute();
    let rows = |long: bool| {
        let mut text = String::new();
        for &prim in Prim::ALL {
            if is_in_class(prim, class) && is_long(prim, class) == long {
                let form = if prim.arity() == 1 { "ONE" } else { "TWO" };
                let _ = write!(text, " \\\n    {form}({}, {})", code(prim), function(prim));
            }
        }
        text
    };
    let mut text = format!(
        "// Generated from the table of primitives by examples/generate_kernels.rs.\n\
         // Programs of {held}, as bytecode.\n\n\
         // Primitives in line, and those that are called: number and function.\n\
         #define SYN_PRIMS(ONE, TWO){}\n\
         #define SYN_CALLED(ONE, TWO){}\n\
         #define SYN_WHERE {}\n\
         #define SYN_FMA {}\n",
        rows(false),
        rows(true),
        code(Prim::Select),
        code(Prim::Fma),
    );
    if is_defined(Prim::Fma, class) {
        text.push_str("#define SYN_REAL_FLOAT\n");
    }
    if is_defined(Prim::Div, class) {
        text.push_str("#define SYN_DIVIDES\n");
    }
    let _ = write!(
        text,
        "\n#include \"bytecode.cuh\"\n\nSYN_BYTECODE({}, {}, {}, {})\n",
        memory(class),
        memory(held),
        blocks(class),
        family(held)
    );
    Source {
        family: family(held).to_owned(),
        text,
    }
}

/// The minimum of resident blocks per multiprocessor, which caps the registers per thread.
fn blocks(class: DType) -> usize {
    if class.size() > 4 { 8 } else { 10 }
}

/// The interpreter for all types: every primitive of every type, by number of operands.
fn general() -> Source {
    let mut text = "// Generated from the table of primitives by examples/generate_kernels.rs.\n\
         // Programs of any types, as bytecode.\n\n\
         // The primitives of each type, by number of operands: number and function.\n"
        .to_owned();
    for dtype in DType::ALL.into_iter().filter(|d| !d.is_half()) {
        let _ = write!(text, "#define SYN_PRIMS_{}(ONE, TWO, THREE)", short(dtype));
        for &prim in Prim::ALL.iter().filter(|&&p| is_defined(p, dtype)) {
            let form = ["ONE", "TWO", "THREE"][prim.arity() - 1];
            if prim != Prim::Select {
                let _ = write!(text, " \\\n    {form}({}, {})", code(prim), function(prim));
            }
        }
        text.push('\n');
    }
    let _ = write!(
        text,
        "#define SYN_WHERE {}\n\n#include \"general.cuh\"\n\nSYN_GENERAL(map_bytecode)\n",
        code(Prim::Select)
    );
    Source {
        family: "map_bytecode".to_owned(),
        text,
    }
}
