//! A product that a function asks of its device, as steps: sums over rows of products, and what follows them.

use super::steps::StepTask;
use super::{Arg, End};
use crate::dtype::DType;
use crate::error::Result;
use crate::fuse::{Builder, Fold, NodeId, Precision, Prim, Role, Slot, Typed, Yield, lower};
use crate::layout::{Layout, Strides};
use crate::ops::linalg::Contraction;
use crate::scalar::Scalar;

/// The sums of a product, into `sums`, which has the shape of its result: one task over the axes of the result, whose rows are the inner axis.
pub(super) fn sums(product: &Contraction<'_>, sums: &Arg) -> Result<StepTask> {
    let shape = sums.layout.shape();
    let last = shape.len() - 2;
    let inner = product.a.layout.shape()[last + 1];
    let slot = |arg: &Arg, row: usize, column: Option<usize>, folded: Option<usize>| {
        let strides = arg.layout.strides();
        let along = |axis: Option<usize>| axis.map_or(0, |axis| strides[axis]);
        let mut outer: Strides = strides[..last].into();
        outer.extend([along((row < shape.len()).then_some(row)), along(column)]);
        Slot {
            address: arg.address(),
            outer,
            row: [along(folded)].as_slice().into(),
        }
    };
    let none = shape.len();
    Ok(StepTask {
        program: fold(product, sums.dtype)?,
        outer: shape.into(),
        row: [inner].as_slice().into(),
        inputs: vec![
            slot(product.a, last, None, Some(last + 1)),
            slot(product.b, none, Some(last + 1), Some(last)),
        ],
        outputs: vec![slot(sums, last, Some(last + 1), None)],
        smallest: None,
    })
}

/// What follows the sums of a product: a program over them and the operands of the end.
pub(super) fn end(end: &End, sums: &Arg, out: &Arg) -> StepTask {
    let slot = |arg: &Arg| Slot {
        address: arg.address(),
        outer: [].as_slice().into(),
        row: arg.layout.strides().into(),
    };
    StepTask {
        program: Typed::clone(&end.program),
        outer: [].as_slice().into(),
        row: out.layout.shape().into(),
        // few: operands of an end.
        inputs: std::iter::once(sums)
            .chain(&end.operands)
            .map(slot)
            .collect(),
        outputs: vec![slot(out)],
        smallest: None,
    }
}

/// Row-major sums at an address, for a product whose end reads them.
pub(super) fn between(product: &Contraction<'_>, base: *mut u8) -> Result<Arg> {
    Ok(Arg {
        base,
        dtype: product.sum_dtype(),
        layout: Layout::contiguous("record", product.out.layout.shape())?,
    })
}

/// `alpha` times the sum of the products of a row, as `dtype`.
fn fold(product: &Contraction<'_>, dtype: DType) -> Result<Typed> {
    let mut b = Builder::new();
    let sides = [("a", product.conj_a), ("b", product.conj_b)];
    let factors: Vec<NodeId> = sides
        .map(|(name, is_conjugated)| {
            let x = b.input(name, Role::Element);
            let x = b.cast(product.sum_dtype(), x);
            match is_conjugated {
                true => b.apply(Prim::Conj, &[x]),
                false => x,
            }
        })
        .into();
    let terms = b.apply(Prim::Mul, &factors);
    let mut sum = b.fold(Fold::Sum, terms);
    if product.alpha != Scalar::Int(1) {
        let alpha = b.constant(product.alpha);
        sum = b.apply(Prim::Mul, &[sum, alpha]);
    }
    let sum = b.cast(dtype, sum);
    b.output(sum, Yield::RowScalar);
    let program = b.finish("product", Precision::Stepwise);
    lower(&program, &[product.dtype(); 2])
}
