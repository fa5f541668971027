//! Gradients that are no longer than they should be.

use super::positive;
use crate::refusal::not_real;
use syntonic_core::fuse::{Builder, Fold, Precision, Prim, Program, Role, Yield};
use syntonic_core::run::{Axes, Group, map_each, rows_to, total_each};
use syntonic_core::{DType, Error, Result, Tensor, fuse, same_device};

fuse! {
    SCALED(g: element, factor: element) -> (element) {
        g * factor
    }

    LENGTH(squares: element, most: number) -> (row_scalar, row_scalar) {
        let length = sqrt(sum(squares));
        [length, minimum(most / (length + 1e-6), 1.0)]
    }
}

/// How long gradients are together, and what they are multiplied by to be no longer than a bound: no axes, on their device.
pub(super) struct Bound {
    pub(super) length: Tensor,
    pub(super) factor: Tensor,
}

impl Bound {
    /// Of these gradients, of which there is at least one: real floats on one device.
    pub(super) fn of(op: &'static str, all: &[&Tensor], most: f64) -> Result<Bound> {
        positive(op, "the bound", most)?;
        let wide = match all.iter().any(|t| t.dtype() == DType::F64) {
            true => DType::F64,
            false => DType::F32,
        };
        // few: the parameters of a model.
        let groups: Vec<Vec<&Tensor>> = all.iter().map(|&g| vec![g]).collect();
        let squares = total_each(&squares(wide), &groups, &[], wide, all[0].device())?;
        let (types, numbers) = ([wide; 2], [most.into()]);
        let made = rows_to(&LENGTH, &[&squares], &numbers, &types, &[0], Axes::Drop)?;
        match <[Tensor; 2]>::try_from(made) {
            Ok([length, factor]) => Ok(Bound { length, factor }),
            Err(_) => Err(Error::value(op, "the length is missing")),
        }
    }

    /// A gradient times the factor.
    pub(super) fn program() -> &'static Program {
        &SCALED
    }
}

/// The sum of the squares in the type `wide`.
fn squares(wide: DType) -> Program {
    let mut b = Builder::new();
    let x = b.input("g", Role::Element);
    let x = b.cast(wide, x);
    let square = b.apply(Prim::Square, &[x]);
    let sum = b.fold(Fold::Sum, square);
    b.output(sum, Yield::RowScalar);
    b.finish("squares", Precision::Wide)
}

/// The gradients scaled so that all of them together are no longer than `most`, and how long they were: the root of the sum of
/// their squares, in `float32` or `float64`, without axes. `min(most / (length + 1e-6), 1)` is the factor, as PyTorch has it. Nothing
/// is read by the host.
///
/// ```
/// use syntonic_core::Tensor;
/// use syntonic_srt::optim::clip_by_global_norm;
///
/// let grads = [Tensor::from([3.0]), Tensor::from([[0.0, 4.0]])];
/// let (clipped, length) = clip_by_global_norm(&grads, 1.0)?;
/// assert_eq!(length.to_scalar::<f64>()?, 5.0);
/// assert!((clipped[1].to_vec::<f64>()?[1] - 0.8).abs() < 1e-6);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
///
/// Errors: [`Error::Value`] for no gradient, or a bound that is negative or not finite; [`Error::DType`] for other types than real
/// floats; [`Error::Device`] for gradients on two devices.
pub fn clip_by_global_norm(gradients: &[Tensor], most: f64) -> Result<(Vec<Tensor>, Tensor)> {
    const OP: &str = "clip_by_global_norm";
    positive(OP, "the bound", most)?;
    // few: the parameters of a model, here and below.
    let all: Vec<&Tensor> = gradients.iter().collect();
    if all.is_empty() {
        return Err(Error::value(OP, "needs at least one gradient"));
    }
    let device = same_device(OP, &all)?;
    if all.iter().any(|t| !t.dtype().is_float()) {
        return Err(not_real(OP, &all));
    }
    let bound = Bound::of(OP, &all, most)?;
    let groups = all.iter().map(|g| Group {
        inputs: vec![*g, &bound.factor],
        dtypes: vec![g.dtype()],
        shape: g.shape(),
    });
    let groups: Vec<Group<'_>> = groups.collect();
    let clipped = map_each(&SCALED, &groups, &[], &device)?;
    Ok((clipped.into_iter().flatten().collect(), bound.length))
}
