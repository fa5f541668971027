//! Ahead-of-time kernels of named programs over contiguous operands: where bytecode does not reach the speed of memory.

use super::spelling::{function, is_long, memory};
use super::{Named, Source};
use crate::codegen::form::{Form, Step};
use crate::ptx::name::short;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use syntonic_core::fuse::{
    Accepts, Builder, Node, NodeId, Precision, Prim, Program, Role, Yield, lower,
};
use syntonic_core::ops::composites;
use syntonic_core::{DType, Scalar};

/// The element types with kernels of their own.
const DTYPES: [DType; 6] = [
    DType::F16,
    DType::BF16,
    DType::F32,
    DType::F64,
    DType::C64,
    DType::C128,
];

/// The most operands of such a kernel.
pub(crate) const MOST: usize = 10;
/// The most operands where numbers may be operands too, which cost a few instructions each; those of half types cost none.
/// The gradient of golden GELU has eight, and took 208 us of 64 Mi f32 for 186 of its JIT kernel.
const FEW: usize = 7;

/// The name of the kernel of a form.
pub(crate) fn entry(form: &Form) -> String {
    format!("map_{:016x}", form.fingerprint())
}

/// The families that may have the kernel of a form.
pub(crate) fn families(form: &Form) -> impl Iterator<Item = &'static str> {
    [family(form), layer_family(form)].into_iter().flatten()
}

/// The family of the kernels of layers.
fn layer_family(form: &Form) -> Option<&'static str> {
    let (_, _, first) = form.leaves().next()?;
    Some(match first {
        DType::F16 => "layers_map_f16",
        DType::BF16 => "layers_map_bf16",
        DType::F32 => "layers_map_f32",
        DType::F64 => "layers_map_f64",
        _ => return None,
    })
}

/// The family of the kernel of a form, if forms of its first operand's type have any.
fn family(form: &Form) -> Option<&'static str> {
    let mut leaves = form.leaves();
    let (_, _, first) = leaves.next()?;
    let alone = leaves.next().is_none();
    Some(match (first, alone) {
        (DType::F16, true) => "map_f16_alone",
        (DType::F16, false) => "map_f16_joint",
        (DType::BF16, true) => "map_bf16_alone",
        (DType::BF16, false) => "map_bf16_joint",
        (DType::F32, true) => "map_f32_alone",
        (DType::F32, false) => "map_f32_joint",
        (DType::F64, true) => "map_f64_alone",
        (DType::F64, false) => "map_f64_joint",
        (DType::C64, true) => "map_c64_alone",
        (DType::C64, false) => "map_c64_joint",
        (DType::C128, true) => "map_c128_alone",
        (DType::C128, false) => "map_c128_joint",
        _ => return None,
    })
}

/// Which operands of a program are tensors; the others are numbers.
fn operand_kinds(arity: usize) -> Vec<Vec<bool>> {
    // All tensors, and the first with numbers: a form of its own for the half types alone, whose numbers are wider.
    let mut kinds = vec![vec![true; arity]];
    if arity > 1 {
        kinds.push((0..arity).map(|k| k == 0).collect());
    }
    kinds
}

fn program(
    name: &'static str,
    tensors: &[bool],
    build: impl Fn(&mut Builder, &[NodeId]) -> NodeId,
) -> Program {
    let mut b = Builder::new();
    let operands: Vec<NodeId> = tensors
        .iter()
        .map(|&tensor| {
            if tensor {
                b.input("x", Role::Element)
            } else {
                // Any number without a meaning of its own.
                b.constant(Scalar::Float(0.5))
            }
        })
        .collect();
    let result = build(&mut b, &operands);
    b.output(result, Yield::Element);
    b.finish(name, Precision::Stepwise)
}

/// True where bytecode alone misses the speed of memory.
fn is_wanted(prim: Prim, dtype: DType) -> bool {
    use Prim::*;
    let plain = matches!(
        prim,
        Neg | Abs | Square | Sqrt | Recip | Add | Sub | Mul | Div | Min | Max
    );
    prim.operand_dtype(dtype) == Some(dtype)
        && prim != Complex
        && (plain || is_function(prim) || (is_long(prim, dtype) && !dtype.is_half()))
}

/// A function of one number, exponentials and logarithms included.
fn is_function(prim: Prim) -> bool {
    let inexact = matches!(prim.row().accepts, Accepts::Inexact | Accepts::Float);
    prim.arity() == 1 && inexact && prim != Prim::SignBit
}

/// Every program that gets a kernel, with the forms it takes for tensors of `dtype`.
fn catalogue(dtype: DType) -> Vec<(&'static str, Form)> {
    let mut all = Vec::new();
    let mut add = |name: &'static str, program: Program| {
        let tensors = program.inputs.len();
        // What goes by the real part of complex numbers is rare enough for bytecode.
        let by_parts = |n: &Node| matches!(n, Node::Apply(Prim::Real, _));
        let rare = dtype.is_complex() && program.nodes.iter().any(by_parts);
        if !rare
            && let Ok(typed) = lower(&program, &vec![dtype; tensors])
            && let Some(form) = Form::of(&typed)
            && form.leaves().count() <= FEW
        {
            all.push((name, form));
        }
    };
    for &prim in Prim::ALL.iter().filter(|&&p| is_wanted(p, dtype)) {
        for kinds in operand_kinds(prim.arity()) {
            let apply = |b: &mut Builder, x: &[NodeId]| b.apply(prim, x);
            add(prim.name(), program(prim.name(), &kinds, apply));
        }
    }
    let fitting = |arity: usize| arity == 1 || !dtype.is_half();
    for composite in composites::ALL.iter().filter(|c| fitting(c.args.len())) {
        for kinds in operand_kinds(composite.args.len()) {
            add(
                composite.name,
                program(composite.name, &kinds, composite.build),
            );
        }
    }
    all
}

pub(super) fn sources() -> Vec<Source> {
    let forms = DTYPES.into_iter().flat_map(catalogue);
    texts(forms, family, &header())
}

/// The sources of the layers' maps. Forms of single primitives and copies are left out: their kernels would never run.
pub(super) fn layers(named: &Named) -> Vec<Source> {
    let mut forms: Vec<(&'static str, Form)> = Vec::new();
    let mut add = |name: &'static str, program: &Program, dtype: DType| {
        let tensors = program.inputs.len();
        let most = if dtype.is_half() { MOST } else { FEW };
        if let Ok(typed) = lower(program, &vec![dtype; tensors])
            && let Some(form) = Form::of(&typed)
            && form.leaves().count() <= most
            && form.outputs.len() <= 2
        {
            forms.push((name, form));
        }
    };
    for dtype in DTYPES.into_iter().filter(|d| d.is_float()) {
        for program in &named.maps {
            let name = if program.outputs.len() == 1 {
                "a layer"
            } else {
                "two results of a layer"
            };
            add(name, program, dtype);
        }
        for composite in &named.composites {
            for kinds in operand_kinds(composite.args.len()) {
                let program = program(composite.name, &kinds, composite.build);
                add(composite.name, &program, dtype);
            }
        }
    }
    let plain = DTYPES.into_iter().flat_map(catalogue);
    let plain: BTreeSet<String> = plain.map(|(_, form)| entry(&form)).collect();
    forms.retain(|(_, form)| form.values.len() > 1 && !plain.contains(&entry(form)));
    texts(
        forms.into_iter(),
        layer_family,
        &(header() + "#include \"map_pair.cuh\"\n"),
    )
}

/// The families of some forms. Several programs may share a form; the first gives its name.
fn texts(
    forms: impl Iterator<Item = (&'static str, Form)>,
    family: fn(&Form) -> Option<&'static str>,
    header: &str,
) -> Vec<Source> {
    let mut families: BTreeMap<&'static str, BTreeMap<String, String>> = BTreeMap::new();
    for (name, form) in forms {
        if let Some(family) = family(&form) {
            let kernels = families.entry(family).or_default();
            kernels
                .entry(entry(&form))
                .or_insert_with_key(|entry| kernel(name, entry, &form));
        }
    }
    families
        .into_iter()
        .map(|(family, kernels)| Source {
            family: family.to_owned(),
            text: header.to_owned() + &kernels.into_values().collect::<String>(),
        })
        .collect()
}

fn header() -> String {
    "// Generated from named programs by examples/generate_kernels.rs.\n\
     // One kernel a program, over contiguous operands, single elements and numbers.\n\n\
     #include \"half.cuh\"\n\
     #include \"map.cuh\"\n"
        .to_owned()
}

/// Vectors per thread for one half operand beside numbers: more elements amortise the cost per thread.
const BESIDE_NUMBERS: usize = 2;
/// The same for several half operands, with numbers or without; and where exponentials and quotients are the only long steps.
const AMONG_HALVES: usize = 1;
const AMONG_HALVES_OF_EXPONENTIALS: usize = 2;
/// Resident blocks for halves beside numbers or other halves: 32 registers per thread are enough.
const BLOCKS_OF_HALVES: usize = 16;

/// How the kernel of a form is launched. Measured: kernels/notes/maps.md.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Schedule {
    /// 16-byte vectors of the widest operand or result per thread.
    pub(crate) vectors: usize,
    /// Threads per block.
    pub(crate) threads: usize,
    /// The minimum of resident blocks per multiprocessor (launch bounds), which caps the registers per thread.
    blocks: usize,
}

impl Schedule {
    pub(crate) fn of(form: &Form) -> Schedule {
        let any = |wanted: &dyn Fn(Prim, DType) -> bool| {
            form.values.iter().enumerate().any(|(k, v)| {
                matches!(v.step, Step::Apply(prim, _) if wanted(prim, form.operand_dtype(k as u32)))
            })
        };
        let long = any(&is_long);
        // A quotient is the shortest of the long steps.
        let longer = any(&|prim, dtype| prim != Prim::Div && is_long(prim, dtype));
        let beyond = |prim, dtype| !matches!(prim, Prim::Exp | Prim::Div) && is_long(prim, dtype);
        let exponential = any(&|prim, _| prim == Prim::Exp) && !any(&beyond);
        let has = |dtype: DType| form.values.iter().any(|v| v.dtype == dtype);
        let joint = form.leaves().count() > 1;
        let half = form.values.iter().any(|v| v.dtype.is_half());
        let halves = form.leaves().filter(|(_, _, d)| d.is_half()).count();
        let (vectors, threads, blocks) = if half {
            match (halves, joint) {
                (1, false) => (2, 128, 16),
                (1, true) => (BESIDE_NUMBERS, 128, BLOCKS_OF_HALVES),
                _ if exponential => (AMONG_HALVES_OF_EXPONENTIALS, 128, BLOCKS_OF_HALVES),
                _ => (AMONG_HALVES, 128, BLOCKS_OF_HALVES),
            }
        } else if has(DType::C128) && long {
            if joint && longer {
                (1, 256, 6)
            } else {
                (1, 128, 16)
            }
        } else if long && (has(DType::C64) || has(DType::F64) && !joint) {
            (2, 128, 1)
        } else {
            (1, 256, 1)
        };
        Schedule {
            vectors,
            threads,
            blocks,
        }
    }

    /// Elements per vector: 16 bytes of the widest operand or result. Beside results of half types, wider operands usually
    /// are numbers, and the vector is one of halves: map.cuh reads everything else in shorter ones.
    pub(crate) fn lanes(self, form: &Form) -> usize {
        let results = form.outputs.iter().map(|&o| form.values[o as usize].dtype);
        if results.clone().all(DType::is_half) {
            return 8;
        }
        let all = form.leaves().map(|(_, _, d)| d).chain(results);
        16 / all.map(DType::size).max().unwrap_or(16)
    }

    /// Elements per block.
    pub(crate) fn elements(self, form: &Form) -> usize {
        self.lanes(form) * self.vectors * self.threads
    }
}

/// The function that computes value `k`: a shorter one where only half types see the result.
fn spelled(form: &Form, k: u32, prim: Prim) -> String {
    let quick = form.values[k as usize].dtype == DType::F32
        && match prim {
            Prim::Exp => is_blurred(form, k),
            // A correctly rounded quotient stays exact when rounded to a half type.
            Prim::Div => !is_seen_by_halves(form, k) && is_blurred(form, k),
            _ => has_half(prim) && is_seen_by_halves(form, k),
        };
    match quick {
        true => format!("half::{}", function(prim)),
        false => function(prim).to_owned(),
    }
}

/// The functions of half.cuh.
fn has_half(prim: Prim) -> bool {
    is_function(prim) && !matches!(prim, Prim::Erf | Prim::Erfc)
}

/// The values that value `k` is an operand of.
fn users(form: &Form, k: u32) -> impl Iterator<Item = u32> + '_ {
    (0..form.values.len() as u32).filter(move |&j| form.operands(j).contains(&k))
}

fn is_narrowed(form: &Form, j: u32) -> bool {
    let value = form.values[j as usize];
    matches!(value.step, Step::Cast(_)) && value.dtype.is_half()
}

/// True if value `k` is rounded to half types before any other use.
fn is_seen_by_halves(form: &Form, k: u32) -> bool {
    !form.outputs.contains(&k) && users(form, k).all(|j| is_narrowed(form, j))
}

/// True if value `k` passes at most `float32` arithmetic before it is rounded to half types: an error of 2^-19 of a term is
/// then far below the rounding. No comparison or branch may depend on it.
fn is_blurred(form: &Form, k: u32) -> bool {
    use Prim::*;
    let is_arithmetic = |j: u32| {
        let value = form.values[j as usize];
        value.dtype == DType::F32
            && matches!(
                value.step,
                Step::Apply(Neg | Square | Add | Sub | Mul | Div | Select, _)
            )
    };
    !form.outputs.contains(&k)
        && users(form, k).all(|j| is_narrowed(form, j) || (is_arithmetic(j) && is_blurred(form, j)))
}

/// The value that an output takes: the kernel itself rounds to a half type, two elements at once.
fn returned(form: &Form, output: u32) -> u32 {
    let value = form.values[output as usize];
    match value.step {
        Step::Cast(a) if value.dtype.is_half() && form.values[a as usize].dtype == DType::F32 => a,
        _ => output,
    }
}

/// The text of one kernel.
fn kernel(name: &str, entry: &str, form: &Form) -> String {
    let values = &form.values;
    let arguments: Vec<String> = form
        .leaves()
        .map(|(k, _, dtype)| format!("{} v{k}", memory(dtype)))
        .collect();
    let types: Vec<&str> = form.leaves().map(|(_, _, d)| memory(d)).collect();
    let rounded = |k: u32| form.outputs.contains(&k) && returned(form, k) != k;
    let mut body = String::new();
    for (k, value) in values.iter().enumerate() {
        let right = match value.step {
            Step::Leaf(_) => continue,
            Step::Cast(_) if rounded(k as u32) => continue,
            Step::Cast(a) => format!("syn::cast<{}>(v{a})", memory(value.dtype)),
            Step::Apply(prim, args) => {
                let args: Vec<String> = args[..prim.arity()]
                    .iter()
                    .map(|a| format!("v{a}"))
                    .collect();
                format!(
                    "syn::{}({})",
                    spelled(form, k as u32, prim),
                    args.join(", ")
                )
            }
        };
        let _ = writeln!(
            body,
            "        const {} v{k} = {right};",
            memory(value.dtype)
        );
    }
    let suffix = entry.trim_start_matches("map_");
    let dtypes: Vec<&str> = form.leaves().map(|(_, _, d)| short(d)).collect();
    let Schedule {
        vectors,
        threads,
        blocks,
    } = Schedule::of(form);
    let outputs = form.outputs.iter();
    let results: Vec<&str> = outputs.map(|&o| memory(values[o as usize].dtype)).collect();
    let outputs = form.outputs.iter().map(|&o| returned(form, o));
    let yielded: Vec<(u32, &str)> = outputs
        .map(|k| (k, memory(values[k as usize].dtype)))
        .collect();
    let (shape, kind, value) = match yielded[..] {
        [(a, first), (b, second)] => (
            "SYN_MAP_PAIR",
            format!("map::Both<{first}, {second}>"),
            format!("{{v{a}, v{b}}}"),
        ),
        _ => (
            "SYN_MAP",
            yielded[0].1.to_owned(),
            format!("v{}", yielded[0].0),
        ),
    };
    format!(
        "\n// {name}({})\nstruct Formula_{suffix} {{\n    \
         SYN_INLINE static {kind} of({}) {{\n{body}        return {value};\n    }}\n}};\n\
         {shape}({entry}, {vectors}, {threads}, {blocks}, Formula_{suffix}, {}, {})\n",
        dtypes.join(", "),
        arguments.join(", "),
        results.join(", "),
        types.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_of_moderate_size_and_hold_the_named_programs() {
        let sources = sources();
        for source in &sources {
            let kernels = source.text.matches("SYN_MAP(").count();
            assert!((1..=90).contains(&kernels), "{}: {kernels}", source.family);
        }
        let all: String = sources.into_iter().map(|s| s.text).collect();
        for name in [
            "gelu(f32, ",
            "sin(c128)",
            "pow(c64, c64)",
            "add(bf16, bf16)",
        ] {
            assert!(all.contains(&format!("\n// {name}")), "{name}");
        }
    }
}
