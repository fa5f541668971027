//! Logarithms of sums of powers of e.

use super::{LOGSUMEXP, Over, inexact, max, reduce, sum};
use crate::error::Result;
use crate::fuse::Prim;
use crate::ops::elementwise::apply;
use crate::tensor::Tensor;

/// `ln sum e^x` without overflow; minus infinity over no elements.
///
/// ```
/// use syntonic_core::ops::reduce;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([1000.0, 1000.0]);
/// let y = reduce::logsumexp(&x, &Over::all())?.to_scalar::<f64>()?;
/// assert!((y - (1000.0 + 2f64.ln())).abs() < 1e-12);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn logsumexp(x: &Tensor, over: &Over) -> Result<Tensor> {
    if x.numel() == 0 {
        let nothing = sum(&inexact(x)?, over, None)?;
        return apply(Prim::Log, &[(&nothing).into()]);
    }
    if x.dtype().is_complex() {
        return complex_logsumexp(x, over);
    }
    reduce("logsumexp", &LOGSUMEXP, &inexact(x)?, None, over)
}

/// Of complex numbers the largest real part is taken off, unless it is infinite.
fn complex_logsumexp(x: &Tensor, over: &Over) -> Result<Tensor> {
    let largest = max(&x.real()?, &over.clone().keep())?;
    let usable = apply(Prim::IsFinite, &[(&largest).into()])?;
    let shift = apply(
        Prim::Select,
        &[(&usable).into(), (&largest).into(), 0.0.into()],
    )?;
    let terms = apply(
        Prim::Exp,
        &[(&apply(Prim::Sub, &[x.into(), (&shift).into()])?).into()],
    )?;
    let log = apply(Prim::Log, &[(&sum(&terms, over, None)?).into()])?;
    apply(
        Prim::Add,
        &[(&log).into(), (&shift.reshape(&lengths(&log))?).into()],
    )
}

/// The shape of a tensor as `reshape` takes it.
fn lengths(t: &Tensor) -> Vec<isize> {
    // few: as many as there are axes.
    t.shape().iter().map(|&n| n as isize).collect()
}
