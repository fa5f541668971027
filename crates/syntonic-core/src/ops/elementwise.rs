//! Element-wise operators: any primitive over tensors and numbers, lazy unless small.

mod beside;
mod few;
mod half;
mod kinds;
mod power;
mod range;
mod single;

pub use few::{apply_in_place, fill_in_place};
pub(crate) use few::{copy_few, fold_few};
pub use range::clip;
pub use single::{One, apply_single};

use crate::cpu::lanes;
use crate::device::DeviceId;
use crate::dtype::DType;
use crate::error::{Error, Result, way_out};
use crate::float8;
use crate::fuse::{Builder, NodeId, Precision, Prim, Program, Role, Yield, known, lower};
use crate::grad;
use crate::graph::is_capturing;
use crate::layout::{Dims, broadcast_pair, count};
use crate::lazy::{Operand, Operation, defer, hangs_on_halves, reach};
use crate::run;
use crate::scalar::{Element, Scalar};
use crate::tensor::{Single, Source, Tensor, describe, same_device_of_formula};
use crate::with_element;
use beside::beside;
use smallvec::SmallVec;
use std::sync::Arc;

/// An operand: a tensor, or a number that takes the type of what it meets.
#[derive(Clone, Copy, Debug)]
pub enum Arg<'a> {
    /// A tensor.
    Tensor(&'a Tensor),
    /// A number without a width.
    Number(Scalar),
}

impl<'a> From<&'a Tensor> for Arg<'a> {
    fn from(t: &'a Tensor) -> Arg<'a> {
        Arg::Tensor(t)
    }
}

impl<T: Into<Scalar>> From<T> for Arg<'_> {
    fn from(x: T) -> Self {
        Arg::Number(x.into())
    }
}

/// A primitive over operands that broadcast together: shapes `a, b, ... -> broadcast(a, b, ...)`.
///
/// Integers without a width take the type of the tensors they meet. Compared with integers that this type cannot hold, the
/// elements are what they are: smaller, or larger.
///
/// Errors where these are not as many operands as the primitive takes, the shapes do not broadcast, the devices differ, the
/// primitive is not defined for the common type, or no operand is a tensor; [`Error::Range`] for an integer that the type cannot hold, where nothing is
/// compared.
///
/// ```
/// use syntonic_core::fuse::Prim;
/// use syntonic_core::ops::elementwise::apply;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([1.0, -4.0]);
/// let y = apply(Prim::Max, &[(&x).into(), 0.into()])?;
/// assert_eq!(y.to_vec::<f64>()?, [1.0, 0.0]);
/// assert!(apply(Prim::Add, &[(&x).into(), (&Tensor::from([1, 2, 3])).into()]).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn apply(prim: Prim, args: &[Arg<'_>]) -> Result<Tensor> {
    if args.len() != prim.arity() {
        return Err(other_number(prim, args.len()));
    }
    if let Some(rounded) = half::rounded(prim, args) {
        return apply(prim, &rounded);
    }
    if let Some(out) = power::in_other_words(prim, args) {
        return out;
    }
    if is_tracked(args) {
        return grad::primitive(prim, args);
    }
    if args.iter().any(range::is_wide)
        && let Some(out) = range::beyond(prim, args)
    {
        return out;
    }
    // A graph takes down what the device is asked, and the device is not asked there.
    if !is_capturing(DeviceId::Cpu)
        && let Some(out) = at_once(prim, args).or_else(|| few::at_once(prim, args))
    {
        return out;
    }
    if let Some(out) = kinds::in_other_words(prim, args) {
        return out;
    }
    let tensors = tensors(args);
    let device = match same_device_of_formula(prim.name(), &tensors) {
        Ok(device) => device,
        Err(e) => return beside(args, |args| apply(prim, args))?.ok_or(e),
    };
    let shape = common_shape(prim.name(), &tensors)?;
    let dtype = result_dtype(prim, args, &tensors)?;
    let out = defer(Operation::Prim(prim), operands(args), dtype, shape, &device)?;
    Ok(out)
}

/// A composite of primitives over operands that broadcast together; `build` makes its nodes. Of half types it is computed in
/// `float32`, as an expression or a part of one.
///
/// Errors as [`apply`]; a comparison within the formula refuses integers that its type cannot hold.
///
/// ```
/// use syntonic_core::ops::composites::LERP;
/// use syntonic_core::ops::elementwise::composite;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([0.0, 10.0]);
/// let y = composite(LERP.name, LERP.build, &[(&x).into(), 20.into(), 0.25.into()])?;
/// assert_eq!(y.to_vec::<f64>()?, [5.0, 12.5]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn composite(
    name: &'static str,
    build: fn(&mut Builder, &[NodeId]) -> NodeId,
    args: &[Arg<'_>],
) -> Result<Tensor> {
    if is_tracked(args) {
        return grad::composite(name, build, args);
    }
    let dtypes: SmallVec<[DType; 3]> = tensors(args).iter().map(|t| t.dtype()).collect();
    let result = |dtypes: &[DType]| {
        let program = composite_program(name, build, args);
        Ok(lower(&program, dtypes)?.outputs[0].dtype)
    };
    match kinds::float_of_whole(&dtypes, result) {
        Some(float) => kinds::floating(args, float, |floats| composite(name, build, floats)),
        None => composite_of_these(name, build, args),
    }
}

/// [`composite`] over the operands as they are, also where whole numbers become floats: a formula over the bits of a number.
pub(crate) fn composite_of_these(
    name: &'static str,
    build: fn(&mut Builder, &[NodeId]) -> NodeId,
    args: &[Arg<'_>],
) -> Result<Tensor> {
    let tensors = tensors(args);
    let device = match same_device_of_formula(name, &tensors) {
        Ok(device) => device,
        Err(e) => return beside(args, |args| composite_of_these(name, build, args))?.ok_or(e),
    };
    let shape = common_shape(name, &tensors)?;
    let dtypes: SmallVec<[DType; 3]> = tensors.iter().map(|t| t.dtype()).collect();
    let lower = || {
        let program = composite_program(name, build, args);
        lower(&program, &dtypes).map_err(|e| named(e, name, &tensors))
    };
    if tensors.len() < args.len() {
        // Numbers are part of the program, so it is not worth remembering.
        let dtype = lower()?.outputs[0].dtype;
        return defer(
            Operation::Composite(build),
            operands(args),
            dtype,
            shape,
            &device,
        );
    }
    let typed = known::built(build as usize, &dtypes, lower)?;
    let far = tensors.iter().map(|t| reach(t)).max().unwrap_or(0);
    let small = shape.iter().product::<usize>().max(far) <= device.eager_elements();
    let is_half = |t: &&Tensor| t.dtype().is_half() || hangs_on_halves(t);
    if small && !tensors.iter().any(is_half) {
        return Ok(run::map_typed(&typed, &tensors, &[], &shape, &device)?.remove(0));
    }
    let dtype = typed.outputs[0].dtype;
    defer(
        Operation::Composite(build),
        operands(args),
        dtype,
        shape,
        &device,
    )
}

#[inline]
#[cold]
fn other_number(prim: Prim, given: usize) -> Error {
    let what = format!("takes {} operands, got {given}", prim.arity());
    Error::value(prim.name(), what)
}

fn is_tracked(args: &[Arg<'_>]) -> bool {
    args.iter()
        .any(|a| matches!(a, Arg::Tensor(t) if t.is_tracked()))
}

fn tensors<'a>(args: &[Arg<'a>]) -> SmallVec<[&'a Tensor; 3]> {
    args.iter()
        .filter_map(|a| {
            if let Arg::Tensor(t) = a {
                Some(*t)
            } else {
                None
            }
        })
        .collect()
}

fn operands(args: &[Arg<'_>]) -> SmallVec<[Operand; 3]> {
    args.iter()
        .map(|a| match a {
            Arg::Tensor(t) => Operand::Tensor((*t).clone()),
            Arg::Number(x) => Operand::Number(*x),
        })
        .collect()
}

/// The shape all operands broadcast to.
fn common_shape(op: &'static str, tensors: &[&Tensor]) -> Result<Dims> {
    let mut shape = Dims::new();
    for t in tensors {
        shape = broadcast_pair(&shape, t.shape()).ok_or_else(|| Error::Shape {
            op,
            operands: describe(tensors),
            hint: "aligned from the right, each pair of lengths must be equal or 1".into(),
        })?;
    }
    count(op, &shape)?;
    Ok(shape)
}

/// The type `prim` yields over these operands.
fn result_dtype(prim: Prim, args: &[Arg<'_>], tensors: &[&Tensor]) -> Result<DType> {
    let common = common_dtype(prim, args);
    float8::check(prim.name(), tensors)?;
    let operand = prim.operand_dtype(common).ok_or_else(|| Error::DType {
        op: prim.name(),
        operands: describe(tensors),
        hint: format!(
            "{} takes {}; {}",
            prim.name(),
            accepted(prim),
            way_out::CONVERT
        ),
    })?;
    Ok(prim.result_dtype(operand))
}

/// The type that the operands of `prim` have together.
fn common_dtype(prim: Prim, args: &[Arg<'_>]) -> DType {
    let typed = if prim == Prim::Select {
        &args[1..]
    } else {
        args
    };
    let mut common: Option<DType> = None;
    for a in typed {
        if let Arg::Tensor(t) = a {
            common = Some(common.map_or(t.dtype(), |c| c.promote(t.dtype())));
        }
    }
    let mut common = common.unwrap_or(DType::Bool);
    for a in typed {
        if let Arg::Number(x) = a {
            common = x.promote_with(common);
        }
    }
    common
}

fn accepted(prim: Prim) -> &'static str {
    use crate::fuse::Accepts::*;
    match prim.row().accepts {
        Any | Truth => "every dtype",
        Numeric => "every dtype but bool",
        Real => "integers and real floats",
        Float => "real numbers",
        Inexact => "real and complex numbers",
        Integer => "integers",
        Bits => "bool and integers",
    }
}

/// The composite as a program of its own: tensors are inputs, numbers constants.
fn composite_program(
    name: &'static str,
    build: fn(&mut Builder, &[NodeId]) -> NodeId,
    args: &[Arg<'_>],
) -> Program {
    let mut b = Builder::new();
    let nodes: SmallVec<[NodeId; 3]> = args
        .iter()
        .map(|a| match a {
            Arg::Tensor(_) => b.input("x", Role::Element),
            Arg::Number(x) => b.constant(*x),
        })
        .collect();
    let out = build(&mut b, &nodes);
    b.output(out, Yield::Element);
    b.finish(name, Precision::Stored)
}

/// An error about types with the composite's own name and operands.
fn named(e: Error, op: &'static str, tensors: &[&Tensor]) -> Error {
    match e {
        Error::DType { hint, .. } => Error::DType {
            op,
            operands: describe(tensors),
            hint,
        },
        Error::Range { value, dtype, .. } => Error::Range { op, value, dtype },
        other => other,
    }
}

/// Small contiguous operands of one type in host memory need no plan: one call of the kernel.
fn at_once(prim: Prim, args: &[Arg<'_>]) -> Option<Result<Tensor>> {
    let first = args.iter().find_map(|a| {
        if let Arg::Tensor(t) = a {
            Some(*t)
        } else {
            None
        }
    })?;
    let (dtype, n) = (first.dtype(), first.numel());
    // A device that takes down what it is asked computes nothing at once: it has no elements.
    if n > first.device().eager_elements()
        || n == 0
        || prim == Prim::Select
        || prim.operand_dtype(dtype) != Some(dtype)
        || power::is_short(prim, args)
    {
        return None;
    }
    let mut kernel = lanes::kernel(prim, dtype)?;
    let mut number = None;
    let mut numbers: SmallVec<[Vec<u8>; 2]> = SmallVec::new();
    let mut addresses = [std::ptr::null::<u8>(); 3];
    for (k, a) in args.iter().enumerate() {
        addresses[k] = match a {
            Arg::Tensor(t) => {
                if t.dtype() != dtype || t.shape() != first.shape() || !t.is_contiguous() {
                    return None;
                }
                let buffer = t.source().in_memory()?;
                if !buffer.is_host()
                    || !Arc::ptr_eq(buffer.device(), first.device())
                    || buffer.is_busy()
                    || t.has_strange_truths()
                {
                    return None;
                }
                buffer
                    .address()
                    .wrapping_add(t.layout().offset() * dtype.size())
            }
            Arg::Number(x) => {
                if x.promote_with(dtype) != dtype {
                    return None;
                }
                if let Some(beside) = few::beside(prim, dtype, k) {
                    kernel = beside;
                    number.insert(Single::new(*x, dtype)).address()
                } else {
                    numbers.push(repeat(*x, dtype, n));
                    numbers.last()?.as_ptr()
                }
            }
        };
    }
    let out = match first.uninit_beside(prim.result_dtype(dtype)) {
        Ok(out) => out,
        Err(e) => return Some(Err(e)),
    };
    let to = match out.source() {
        Source::Stored(buffer) => buffer.address(),
        Source::Pending(_) | Source::Ramp(_) => return None,
    };
    // SAFETY: every operand is a contiguous block of `n` elements of `dtype` in live host memory, or one where the kernel takes one,
    // the output is fresh, and the kernel was chosen for this type.
    unsafe { kernel(to, addresses[0], addresses[1], addresses[2], n) };
    Some(Ok(out))
}

/// `n` copies of a number as bytes of `dtype`.
fn repeat(x: Scalar, dtype: DType, n: usize) -> Vec<u8> {
    // few: no more than are computed at once.
    let mut bytes = vec![0u8; n * dtype.size()];
    with_element!(dtype, T => {
        let value = <T as Element>::from_scalar(x);
        // SAFETY: the bytes have room for `n` elements, and `fill` needs no alignment beyond bytes.
        unsafe { lanes::fill(bytes.as_mut_ptr(), (&raw const value).cast(), size_of::<T>(), n) }
    });
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(values: &[f32]) -> Tensor {
        Tensor::from_slice(values, &[values.len()]).unwrap()
    }

    #[test]
    fn small_and_large_agree_with_plain_arithmetic() {
        for n in [1usize, 3, 100, 8192, 8193, 100_000] {
            let a: Vec<f32> = (0..n).map(|i| i as f32 * 0.5 - 7.0).collect();
            let (x, y) = (vector(&a), vector(&a));
            let z = apply(Prim::Mul, &[(&x).into(), (&y).into()]).unwrap();
            let z = apply(Prim::Add, &[(&z).into(), Arg::Number(Scalar::Float(1.25))]).unwrap();
            let want: Vec<f32> = a.iter().map(|v| v * v + 1.25).collect();
            assert_eq!(z.to_vec::<f32>().unwrap(), want, "n = {n}");
        }
    }

    #[test]
    fn broadcasting_and_strides() {
        let a: Vec<f64> = (0..300 * 200).map(f64::from).collect();
        let x = Tensor::from_vec(a.clone(), &[300, 200]).unwrap();
        let row = Tensor::from_vec((0..300).map(f64::from).collect::<Vec<_>>(), &[300]).unwrap();
        let t = x.transpose(0, 1).unwrap();
        let z = apply(Prim::Sub, &[(&t).into(), (&row).into()]).unwrap();
        assert!(z.is_pending());
        let got = z.to_vec::<f64>().unwrap();
        for i in 0..200 {
            for j in 0..300 {
                assert_eq!(got[i * 300 + j], a[j * 200 + i] - j as f64);
            }
        }
    }

    #[test]
    fn mistakes_name_the_operands() {
        let (a, b) = (vector(&[1.0, 2.0]), vector(&[1.0, 2.0, 3.0]));
        let e = apply(Prim::Add, &[(&a).into(), (&b).into()])
            .unwrap_err()
            .to_string();
        assert!(
            e.contains("add") && e.contains("float32[2] on cpu") && e.contains("float32[3] on cpu"),
            "{e}"
        );
        let c = Tensor::zeros(&[2], DType::C64).unwrap();
        let e = apply(Prim::Lt, &[(&c).into(), (&c).into()]).unwrap_err();
        assert!(matches!(e, Error::DType { .. }), "{e}");
    }

    #[test]
    fn a_result_two_expressions_wait_for_is_written_once() {
        let x = vector(&vec![2.0; 20_000]);
        let y = apply(Prim::Exp, &[(&x).into()]).unwrap();
        let a = apply(Prim::Add, &[(&y).into(), 1.0.into()]).unwrap();
        let b = apply(Prim::Mul, &[(&y).into(), 2.0.into()]).unwrap();
        a.buffer().unwrap();
        assert!(
            !y.is_pending(),
            "y was written along with a, because b waits for it"
        );
        assert_eq!(
            b.to_vec::<f32>().unwrap()[7],
            2.0 * y.to_vec::<f32>().unwrap()[7]
        );
    }

    #[test]
    fn a_pending_expression_keeps_what_it_was_built_from() {
        let x = vector(&vec![1.0; 20_000]);
        let y = apply(Prim::Add, &[(&x).into(), 1.0.into()]).unwrap();
        assert!(y.is_pending());
        // SAFETY: this test is the only user of the memory.
        unsafe {
            x.assign_aliased(&Tensor::scalar(5.0, DType::F32).unwrap())
                .unwrap()
        };
        assert_eq!(y.to_vec::<f32>().unwrap()[0], 2.0);
        assert_eq!(x.to_vec::<f32>().unwrap()[0], 5.0);
    }

    #[test]
    fn values_are_copied_on_write() {
        let x = vector(&[1.0, 2.0, 3.0]);
        let mut y = x.clone();
        y.assign(&Tensor::scalar(9.0, DType::F32).unwrap()).unwrap();
        assert_eq!(x.to_vec::<f32>().unwrap(), [1.0, 2.0, 3.0]);
        assert_eq!(y.to_vec::<f32>().unwrap(), [9.0; 3]);
    }
}
