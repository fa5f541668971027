//! Gradients that are no longer than they should be.

use super::positive;
use crate::refusal::not_real;
use syntonic_core::fuse;
use syntonic_core::ops::join::concat;
use syntonic_core::ops::reduce::{Over, norm};
use syntonic_core::{DType, Error, Result, Tensor, run, same_device};

fuse! {
    CLIPPED(g: element, length: element, most: number) -> (element) {
        g * minimum(most / (length + 1e-6), 1.0)
    }
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
    let wide = match all.iter().any(|t| t.dtype() == DType::F64) {
        true => DType::F64,
        false => DType::F32,
    };
    let lengths = all
        .iter()
        .map(|g| norm(&g.cast(wide)?, 2.0, &Over::all())?.reshape(&[1]));
    let lengths: Vec<Tensor> = lengths.collect::<Result<_>>()?;
    let lengths: Vec<&Tensor> = lengths.iter().collect();
    let length = norm(&concat(&lengths, Some(0))?, 2.0, &Over::all())?;
    let clipped = all.iter().map(|g| {
        let (operands, type_of) = ([*g, &length], [g.dtype()]);
        let made = run::map_to(
            &CLIPPED,
            &operands,
            &[most.into()],
            &type_of,
            g.shape(),
            &device,
        )?;
        made.into_iter()
            .next()
            .ok_or_else(|| Error::value(OP, "a gradient is missing"))
    });
    Ok((clipped.collect::<Result<_>>()?, length))
}
