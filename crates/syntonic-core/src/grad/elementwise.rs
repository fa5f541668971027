//! Element-wise operations: the gradient of a formula is a formula, which stays pending as any other.

use super::node::{Back, Cotangents, Keep, record};
use crate::device::Device;
use crate::dtype::DType;
use crate::error::Result;
use crate::fuse::{Builder, Node, NodeId, Precision, Prim, Program, Role, Yield};
use crate::layout::Dims;
use crate::lazy;
use crate::ops::elementwise::{self, Arg};
use crate::run;
use crate::scalar::Scalar;
use crate::tensor::Tensor;
use smallvec::SmallVec;
use std::sync::Arc;

/// A primitive over operands some of which are tracked.
pub(crate) fn primitive(prim: Prim, args: &[Arg<'_>]) -> Result<Tensor> {
    let value = with_plain(args, |plain| elementwise::apply(prim, plain))?;
    let keep = match prim {
        Prim::Add | Prim::Sub | Prim::Neg | Prim::Conj | Prim::Real | Prim::Imag => Keep::Nothing,
        Prim::Complex => Keep::Nothing,
        // The slope of a multiple is the number.
        Prim::Mul | Prim::Div if matches!(args, [Arg::Tensor(_), Arg::Number(_)]) => Keep::Nothing,
        Prim::Mul if matches!(args, [Arg::Number(_), Arg::Tensor(_)]) => Keep::Nothing,
        // Numbers are no operands, so the condition is the first tensor if it is one.
        Prim::Select if matches!(args[0], Arg::Tensor(_)) => Keep::These(1),
        _ => Keep::Operands,
    };
    let numbers = numbers(args);
    let program = move || {
        let build = |b: &mut Builder, nodes: &[NodeId]| b.apply(prim, nodes);
        of_arguments(prim.name(), &numbers, build)
    };
    recorded(prim.name(), args, keep, value, program)
}

/// A composite over operands some of which are tracked.
pub(crate) fn composite(
    name: &'static str,
    build: fn(&mut Builder, &[NodeId]) -> NodeId,
    args: &[Arg<'_>],
) -> Result<Tensor> {
    let value = with_plain(args, |plain| elementwise::composite(name, build, plain))?;
    let numbers = numbers(args);
    let program = move || of_arguments(name, &numbers, build);
    recorded(name, args, Keep::Operands, value, program)
}

/// A formula of elements with one output over operands some of which are tracked.
pub(crate) fn formula(
    program: Program,
    operands: &[Tensor],
    dtype: DType,
    shape: &[usize],
) -> Result<Tensor> {
    let plain: Vec<Tensor> = operands.iter().map(Tensor::stop_gradient).collect();
    let value = lazy::formula(program.clone(), &plain, dtype, shape)?;
    let all: Vec<&Tensor> = operands.iter().collect();
    record("formula", &all, Keep::Operands, value, move |back| {
        cotangents(&program, back)
    })
}

/// A program of elements over operands some of which are tracked: each output on its own.
pub(crate) fn map(
    program: &Program,
    inputs: &[&Tensor],
    numbers: &[Scalar],
    shape: &[usize],
    device: &Arc<dyn Device>,
) -> Result<Vec<Tensor>> {
    let plain: Vec<Tensor> = inputs.iter().map(|t| t.stop_gradient()).collect();
    let plain: Vec<&Tensor> = plain.iter().collect();
    let values = run::map(program, &plain, numbers, shape, device)?;
    let fixed = program.with_numbers(numbers);
    let each = values.into_iter().enumerate().map(|(k, value)| {
        let (program, reads) = fixed.of_output(k);
        let operands: Vec<&Tensor> = reads.iter().map(|&i| inputs[i]).collect();
        record("map", &operands, Keep::Operands, value, move |back| {
            cotangents(&program, back)
        })
    });
    each.collect()
}

/// What a number is among the arguments; a tensor is none.
type Numbers = SmallVec<[Option<Scalar>; 3]>;

fn numbers(args: &[Arg<'_>]) -> Numbers {
    let number = |arg: &Arg<'_>| match arg {
        Arg::Number(x) => Some(*x),
        Arg::Tensor(_) => None,
    };
    args.iter().map(number).collect()
}

fn with_plain(
    args: &[Arg<'_>],
    compute: impl FnOnce(&[Arg<'_>]) -> Result<Tensor>,
) -> Result<Tensor> {
    let plain: SmallVec<[Option<Tensor>; 3]> = args
        .iter()
        .map(|arg| match arg {
            Arg::Tensor(t) => Some(t.stop_gradient()),
            Arg::Number(_) => None,
        })
        .collect();
    let given: SmallVec<[Arg<'_>; 3]> = args
        .iter()
        .zip(&plain)
        .map(|(arg, plain)| plain.as_ref().map_or(*arg, Arg::Tensor))
        .collect();
    compute(&given)
}

fn recorded(
    op: &'static str,
    args: &[Arg<'_>],
    keep: Keep,
    value: Tensor,
    program: impl Fn() -> Program + Send + Sync + 'static,
) -> Result<Tensor> {
    let operands: SmallVec<[&Tensor; 3]> = args
        .iter()
        .filter_map(|arg| match arg {
            Arg::Tensor(t) => Some(*t),
            Arg::Number(_) => None,
        })
        .collect();
    record(op, &operands, keep, value, move |back| {
        cotangents(&program(), back)
    })
}

/// The formula over tensors as inputs and numbers as constants.
fn of_arguments(
    name: &'static str,
    numbers: &[Option<Scalar>],
    build: impl FnOnce(&mut Builder, &[NodeId]) -> NodeId,
) -> Program {
    let mut b = Builder::new();
    let nodes: SmallVec<[NodeId; 3]> = numbers
        .iter()
        .map(|number| match number {
            Some(x) => b.constant(*x),
            None => b.input("x", Role::Element),
        })
        .collect();
    let out = build(&mut b, &nodes);
    b.output(out, Yield::Element);
    b.finish(name, Precision::Stepwise)
}

/// The cotangents of the operands of a formula with one output, whose inputs they are.
pub(super) fn cotangents(program: &Program, back: &Back<'_>) -> Result<Cotangents> {
    let wanted: SmallVec<[usize; 3]> = (0..program.inputs.len())
        .filter(|&k| back.wants(k))
        .collect();
    let gradient = program.grad(&wanted)?;
    // A program that is widened gives slopes in the type that it computes in, as part of an expression.
    let widened = |t: Tensor| match program.precision {
        Precision::Wide => t.cast(t.dtype().compute()),
        Precision::Stepwise | Precision::Stored => Ok(t),
    };
    let mut all: Cotangents = program.inputs.iter().map(|_| None).collect();
    for (at, &k) in wanted.iter().enumerate() {
        let (formula, mut reads) = gradient.of_output(at);
        let last = program.inputs.len();
        let formula = match back.tracked {
            true => formula,
            false => {
                let dtype = |i: usize| match i == last {
                    true => back.cotangent().dtype(),
                    false => back.dtype(i),
                };
                // Slopes of half types are not rounded on their way.
                // few: the operands of one formula.
                let dtypes: Vec<DType> = reads.iter().map(|&i| dtype(i).compute()).collect();
                let (formula, left) = formula.without_models(&dtypes);
                reads = left.into_iter().map(|k| reads[k]).collect();
                formula
            }
        };
        if let Some(g) = passed_on(&formula, &reads, last, back, k)? {
            all[k] = Some(g);
            continue;
        }
        let operands: Vec<Tensor> = reads
            .iter()
            .map(|&i| match i == last {
                true => widened(back.cotangent().clone()),
                false => widened(back.operand(i)?),
            })
            .collect::<Result<_>>()?;
        let made = evaluated(formula, &operands, back.cotangent())?;
        all[k] = match made {
            Some(g) if back.dtype(k).is_half() => Some(lazy::as_type(&g, back.dtype(k))?),
            made => made,
        };
    }
    Ok(all)
}

/// The cotangent itself, where the slope of operand `k` is that and no more: a sum passes it on to both of its terms.
fn passed_on(
    formula: &Program,
    reads: &[usize],
    last: usize,
    back: &Back<'_>,
    k: usize,
) -> Result<Option<Tensor>> {
    let (g, dtype) = (back.cotangent(), back.dtype(k));
    let mut node = formula.outputs[0].node;
    // Slopes of half types are float32 on their way, and it is rounded to the operand's type below.
    while let Node::Cast(to, value) = formula.nodes[node.index()]
        && to == dtype.compute()
    {
        node = value;
    }
    let is_cotangent = match formula.nodes[node.index()] {
        Node::Input(i) => reads.get(usize::from(i)) == Some(&last),
        _ => false,
    };
    let fits = g.dtype().compute() == dtype.compute() && dtype.is_inexact();
    match is_cotangent && fits && !back.tracked {
        true => lazy::as_type(g, dtype).map(Some),
        false => Ok(None),
    }
}

/// A formula over what broadcasts to the shape of `model`; none for the constant 0.
pub(super) fn evaluated(
    formula: Program,
    operands: &[Tensor],
    model: &Tensor,
) -> Result<Option<Tensor>> {
    let mut last = formula.outputs[0].node;
    while let Node::Like([value, _]) = formula.nodes[last.index()] {
        last = value;
    }
    if formula.nodes[last.index()] == Node::Const(Scalar::Float(0.0)) {
        return Ok(None);
    }
    let dtypes: SmallVec<[DType; 4]> = operands.iter().map(Tensor::dtype).collect();
    let shape: Dims = model.shape().into();
    let wide = formula.precision == Precision::Wide && dtypes.iter().any(|d| d.is_half());
    if wide || operands.is_empty() {
        let refs: Vec<&Tensor> = operands.iter().collect();
        let mut made = run::map(&formula, &refs, &[], &shape, model.device())?;
        return Ok(Some(made.remove(0)));
    }
    let dtype = run::output_dtypes(&formula, &dtypes)?[0];
    lazy::formula(formula, operands, dtype, &shape).map(Some)
}
