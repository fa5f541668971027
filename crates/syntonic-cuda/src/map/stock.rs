//! The stock of maps: single primitives, conversions, and functions and layers with a name, over contiguous operands and numbers. A wheel
//! brings them along as machine code, so that their first call waits for no JIT.

use super::kernel::{Kernel, Layout, is_whole};
use crate::codegen::form::Form;
use crate::codegen::is_long;
use crate::jit::{Kernel as _, Stocked};
use crate::plan::straight::Kind;
use crate::ptx::name::short;
use std::collections::HashSet;
use syntonic_core::fuse::{
    Accepts, Builder, NodeId, Op, Precision, Prim, Program, Role, Typed, Yield, lower,
};
use syntonic_core::ops::composites::{self, Composite};
use syntonic_core::{DType, Scalar};

const USUAL: &[DType] = &[DType::F16, DType::BF16, DType::F32, DType::F64, DType::C64];
const FLOATS: &[DType] = &[DType::F16, DType::BF16, DType::F32, DType::F64];
const WHOLE: &[DType] = &[DType::I32, DType::I64];
const CONVERTED: &[DType] = &[
    DType::Bool,
    DType::U8,
    DType::I32,
    DType::I64,
    DType::F16,
    DType::BF16,
    DType::F32,
    DType::F64,
];
/// The most operands of what is in the stock.
const MOST: usize = 10;

/// What crates above name: formulas over single elements in one pass, and functions that users call one by one.
#[derive(Clone, Debug, Default)]
pub struct Named {
    /// Formulas over single elements, in one pass.
    pub maps: Vec<&'static Program>,
    /// Element-wise functions, as users call them one by one.
    pub composites: Vec<Composite>,
}

/// The stock for cards of `capability`; nothing where a kernel has no text.
pub(crate) fn stock(named: &Named, capability: (u32, u32)) -> Option<Vec<Stocked>> {
    let (mut known, mut stock) = (HashSet::new(), Vec::new());
    for (name, typed) in catalogue(named) {
        let Some(kernel) = kernel(&typed) else {
            continue;
        };
        if known.insert(kernel.name()) {
            let (key, text) = kernel.filed(capability)?;
            let kind = format!("{name}_{}", short(typed.outputs[0].dtype));
            stock.push(Stocked { kind, key, text });
        }
    }
    Some(stock)
}

/// The kernel of a program whose inputs are contiguous; nothing where there would be several, or a mere copy.
fn kernel(typed: &Typed) -> Option<Kernel> {
    let form = Form::of(typed)?;
    let kind = |node: u32| match typed.nodes[node as usize].op {
        Op::Input(_) => Kind::Vector,
        _ => Kind::Number,
    };
    let kinds: Vec<Kind> = form.leaves().map(|(_, node, _)| kind(node)).collect();
    let wanted = form.values.len() > kinds.len() && kinds.len() <= MOST && is_whole(&form);
    wanted.then_some(Kernel::new(form, Layout::Straight(kinds)))
}

fn catalogue(named: &Named) -> Vec<(&'static str, Typed)> {
    let mut all = Vec::new();
    let mut add = |name: &'static str, program: &Program, dtypes: &[DType]| {
        for &dtype in dtypes {
            let inputs = vec![dtype; program.inputs.len()];
            all.extend(lower(program, &inputs).ok().map(|typed| (name, typed)));
        }
    };
    for &prim in Prim::ALL {
        let dtypes: Vec<DType> = [USUAL, WHOLE].concat();
        let dtypes: Vec<DType> = dtypes.into_iter().filter(|&d| is_usual(prim, d)).collect();
        for tensors in operand_kinds(prim.arity()) {
            let apply = |b: &mut Builder, x: &[NodeId]| b.apply(prim, x);
            add(prim.name(), &program(prim.name(), &tensors, apply), &dtypes);
        }
    }
    for &to in CONVERTED {
        let cast = |b: &mut Builder, x: &[NodeId]| b.cast(to, x[0]);
        add("cast", &program("cast", &[true], cast), CONVERTED);
    }
    for composite in composites::ALL.iter().chain(&named.composites) {
        for tensors in operand_kinds(composite.args.len()) {
            let program = program(composite.name, &tensors, composite.build);
            add(composite.name, &program, FLOATS);
        }
    }
    for program in &named.maps {
        add(&program.name, program, FLOATS);
    }
    all
}

/// Which operands are tensors; the others are numbers: none of them, those after the first, or the first of two.
fn operand_kinds(arity: usize) -> Vec<Vec<bool>> {
    let mut kinds = vec![vec![true; arity]];
    if arity > 1 {
        kinds.push((0..arity).map(|k| k == 0).collect());
    }
    if arity == 2 {
        kinds.push(vec![false, true]);
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

/// Arithmetic, comparisons and functions of one number.
fn is_usual(prim: Prim, dtype: DType) -> bool {
    use Prim::*;
    let plain = matches!(
        prim,
        Neg | Abs
            | Square
            | Sqrt
            | Recip
            | Add
            | Sub
            | Mul
            | Div
            | Min
            | Max
            | Eq
            | Ne
            | Lt
            | Le
            | Gt
            | Ge
    );
    let inexact = matches!(prim.row().accepts, Accepts::Inexact | Accepts::Float);
    let function = prim.arity() == 1 && inexact && prim != SignBit;
    prim.operand_dtype(dtype) == Some(dtype)
        && prim != Complex
        && (plain || function || (is_long(prim, dtype) && !dtype.is_half()))
}

#[cfg(all(test, feature = "images"))]
mod tests {
    use super::*;

    #[test]
    fn usual_first_calls_are_in_the_stock() {
        let stock = stock(&Named::default(), (9, 0)).expect("all have texts");
        assert!((300..900).contains(&stock.len()), "{}", stock.len());
        for kind in [
            "add_f32",
            "add_bf16",
            "exp_f16",
            "gelu_f32",
            "cast_f64",
            "sin_c64",
            "less_bool",
        ] {
            assert!(stock.iter().any(|s| s.kind == kind), "{kind}");
        }
    }

    #[test]
    fn a_sum_with_a_number_is_a_kernel_of_its_own() {
        let add = |b: &mut Builder, x: &[NodeId]| b.apply(Prim::Add, x);
        let name = |tensors: &[bool]| {
            let program = program("add", tensors, add);
            let inputs = vec![DType::F32; program.inputs.len()];
            kernel(&lower(&program, &inputs).unwrap()).unwrap().name()
        };
        let names: HashSet<String> = [[true, true], [true, false], [false, true]]
            .iter()
            .map(|tensors| name(tensors))
            .collect();
        assert_eq!(names.len(), 3);
    }
}
