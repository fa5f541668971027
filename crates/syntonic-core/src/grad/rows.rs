//! Programs of rows and reductions: the gradient of a program over rows is one over the same rows.

use super::node::{Back, Cotangents, Keep, record};
use crate::dtype::DType;
use crate::error::Result;
use crate::fuse::Prim;
use crate::fuse::{Fold, Program, Yield};
use crate::lazy::Reduction;
use crate::ops::create::zeros;
use crate::ops::elementwise::apply;
use crate::ops::join::narrow;
use crate::ops::linalg::conj;
use crate::ops::reduce::{Moment, fold_formula};
use crate::ops::scan::{Initial, cumulative_prod};
use crate::run::{self, Axes};
use crate::scalar::Scalar;
use crate::tensor::Tensor;
use smallvec::SmallVec;

/// A program of rows over operands some of which are tracked: each output on its own.
pub(crate) fn rows(
    program: &Program,
    inputs: &[&Tensor],
    numbers: &[Scalar],
    axes: &[isize],
    keep: Axes,
) -> Result<Vec<Tensor>> {
    let plain: Vec<Tensor> = inputs.iter().map(|t| t.stop_gradient()).collect();
    let plain: Vec<&Tensor> = plain.iter().collect();
    let values = run::rows(program, &plain, numbers, axes, keep)?;
    let fixed = program.with_numbers(numbers);
    let each = values.into_iter().enumerate().map(|(k, value)| {
        let program = fixed.with_one_output(k);
        let axes: SmallVec<[isize; 6]> = axes.into();
        record("rows", inputs, Keep::Operands, value, move |back| {
            cotangents(&program, back, &axes, keep)
        })
    });
    each.collect()
}

/// A reduction of what is tracked.
pub(crate) fn reduction(reduction: Reduction, x: &Tensor, keep: Axes) -> Result<Tensor> {
    let value = reduction.on_tape().over(&x.stop_gradient(), keep)?;
    let program = reduction.program();
    let axes = reduction.list(x.ndim());
    let is = |other: &Program| std::ptr::eq(program, other);
    let mean = Moment::Mean.is(program);
    if is(fold_formula(Fold::Sum)) || mean {
        return record("sum", &[x], Keep::Nothing, value, move |back| {
            spread(back, &axes, keep, mean)
        });
    }
    if is(fold_formula(Fold::Prod)) {
        return record("prod", &[x], Keep::Operands, value, move |back| {
            of_factors(back, &axes, keep)
        });
    }
    let program = program.with_numbers(reduction.number());
    let op = fold_name(&program);
    record(op, &[x], Keep::Operands, value, move |back| {
        cotangents(&program, back, &axes, keep)
    })
}

/// The operation as it is called; formulas of the reductions have its name in capitals.
fn fold_name(program: &Program) -> &'static str {
    let fold = Fold::ALL.iter().find(|f| f.name() == program.name);
    fold.map_or("reduction", |f| f.name())
}

/// The cotangent of a sum is that of each of its terms, as a view.
fn spread(back: &Back<'_>, axes: &[isize], keep: Axes, mean: bool) -> Result<Cotangents> {
    let shape = back.shape(0);
    let g = match keep {
        Axes::Keep => back.cotangent().clone(),
        Axes::Drop => back.cotangent().expand_dims(axes)?,
    };
    let g = match mean {
        true => {
            let row = axes.iter().map(|&axis| shape[axis as usize]);
            let count = Scalar::Float(row.product::<usize>() as f64);
            apply(Prim::Div, &[(&g).into(), count.into()])?
        }
        false => g,
    };
    Ok(SmallVec::from_iter([Some(g.broadcast_to(shape)?)]))
}

/// The cotangent of each factor: that of the product times the factors before it and those behind it. No division, so that zeros
/// are elements as any other, for derivatives of any order, and in more digits than the factors have, as the product itself.
fn of_factors(back: &Back<'_>, axes: &[isize], keep: Axes) -> Result<Cotangents> {
    let x = conj(&back.operand(0)?)?;
    let g = match keep {
        Axes::Keep => back.cotangent().clone(),
        Axes::Drop => back.cotangent().expand_dims(axes)?,
    };
    if x.numel() == 0 {
        return Ok(SmallVec::from_iter([Some(zeros(
            x.shape(),
            x.dtype(),
            x.device(),
        )?)]));
    }
    let wide = match x.dtype().is_complex() {
        true => DType::C128,
        false => DType::F64,
    };
    // The factors of a product along the last axis, and back.
    let gone = |axis: &isize| axes.contains(axis);
    let ndim = x.ndim() as isize;
    let order: Vec<isize> = (0..ndim)
        .filter(|axis| !gone(axis))
        .chain((0..ndim).filter(gone))
        .collect();
    let mut back_again = order.clone();
    for (at, &axis) in order.iter().enumerate() {
        back_again[axis as usize] = at as isize;
    }
    let turned = x.cast(wide)?.permute(&order)?;
    // few: an axis each.
    let lengths: Vec<isize> = turned.shape().iter().map(|&len| len as isize).collect();
    let kept = lengths.len() - axes.len();
    let n: isize = lengths[kept..].iter().product();
    let factors = turned.reshape(&[&lengths[..kept], &[n][..]].concat())?;
    let ahead = |x: &Tensor| {
        let products = cumulative_prod(x, Some(-1), None, Initial::Include)?;
        narrow(&products, kept, 0, n as usize)
    };
    let before = ahead(&factors)?;
    let behind = ahead(&factors.flip(&[-1])?)?.flip(&[-1])?;
    let others = apply(Prim::Mul, &[(&before).into(), (&behind).into()])?;
    let others = others.reshape(&lengths)?.permute(&back_again)?;
    let made = apply(Prim::Mul, &[(&others).into(), (&g.cast(wide)?).into()])?;
    Ok(SmallVec::from_iter([Some(made.cast(x.dtype())?)]))
}

/// The cotangents of the operands of a program with one output, whose inputs they are.
fn cotangents(
    program: &Program,
    back: &Back<'_>,
    axes: &[isize],
    keep: Axes,
) -> Result<Cotangents> {
    let inputs = program.inputs.len();
    // few: the operands of one operation.
    let wanted: Vec<usize> = (0..inputs).filter(|&k| back.wants(k)).collect();
    let gradient = program.grad(&wanted)?;
    let per_row = program.outputs[0].role == Yield::RowScalar;
    let g = match keep {
        Axes::Keep if per_row => back.cotangent().squeeze(axes)?,
        _ => back.cotangent().clone(),
    };
    let operands: Vec<Tensor> = (0..inputs)
        .map(|k| back.operand(k))
        .collect::<Result<_>>()?;
    let given: Vec<&Tensor> = operands.iter().chain([&g]).collect();
    let made = run::rows(&gradient, &given, &[], axes, Axes::Drop)?;
    let mut all: Cotangents = (0..inputs).map(|_| None).collect();
    for (k, g) in wanted.into_iter().zip(made) {
        all[k] = Some(g);
    }
    Ok(all)
}
