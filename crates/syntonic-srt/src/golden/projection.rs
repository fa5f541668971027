//! Sums of projections.

use super::gemm::Op;
use super::operands;
use syntonic_core::layout::{Dims, broadcast_pair};
use syntonic_core::ops::linalg::accumulate;
use syntonic_core::{Error, Result, Scalar, Tensor, describe};

/// `Ψ + Σ_k α_k P_k Ψ` with `psi: [.., m, n]` and `projectors` `[.., m, m]`, whose leading axes broadcast, `-> [.., m, n]`.
///
/// Costs one product for each projector, added up in the result's memory; without projectors the result is a copy of Ψ.
/// Coefficients raise the kind of the dtype as factors of [`super::mm_add`] do. Nothing asks the P to be projections.
///
/// Errors where there are not as many coefficients as projectors, a projector is no square matrix of the size of Ψ's
/// columns, the leading axes do not broadcast, all operands are `bool`, or the devices differ.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::golden::projection_sum;
///
/// let psi = Tensor::from([[3.0], [4.0]]);
/// let onto_first = Tensor::from([[1.0, 0.0], [0.0, 0.0]]);
/// let y = projection_sum(&psi, &[onto_first], &[Scalar::Float(0.5)])?;
/// assert_eq!(y.to_vec::<f64>()?, [4.5, 4.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn projection_sum(
    psi: &Tensor,
    projectors: &[Tensor],
    coefficients: &[Scalar],
) -> Result<Tensor> {
    const OP: &str = "projection_sum";
    if projectors.len() != coefficients.len() {
        return Err(Error::value(
            OP,
            format!(
                "{} projectors and {} coefficients; give one coefficient for each projector",
                projectors.len(),
                coefficients.len()
            ),
        ));
    }
    let all: Vec<&Tensor> = [psi].into_iter().chain(projectors).collect();
    let dtype = operands::dtype(OP, &all, coefficients)?;
    let mut lead = Dims::new();
    for p in projectors {
        let shape = operands::shape(OP, (p, Op::None), (psi, Op::None))?;
        let square = p.shape()[p.ndim() - 2] == p.shape()[p.ndim() - 1];
        let together = broadcast_pair(&lead, &shape[..shape.len() - 2]).filter(|_| square);
        lead = together.ok_or_else(|| Error::Shape {
            op: OP,
            operands: describe(&[p, psi]),
            hint:
                "projectors are [.., m, m] and psi is [.., m, n], with leading axes that broadcast"
                    .into(),
        })?;
    }
    if projectors.is_empty() {
        return psi.cast(dtype)?.copy();
    }
    let mut shape = lead;
    shape.extend_from_slice(&psi.shape()[psi.ndim() - 2..]);
    let psi = psi.cast(dtype)?.broadcast_to(&shape)?;
    // The first product finds Ψ held by others and writes its sum elsewhere; the next ones add to that.
    let mut terms = projectors.iter().zip(coefficients);
    terms.try_fold(psi.clone(), |sum, (p, &by)| {
        accumulate(by, &p.cast(dtype)?, &psi, 1, sum)
    })
}
