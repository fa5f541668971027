//! What a formula says of its own derivative.

use super::{Sym, with_graph};

/// `x`, taken as a constant by [`Program::grad`](crate::fuse::Program::grad).
///
/// It is exact, for gradients of gradients too, where the formula does not depend on the value at all:
/// the shift of a softmax, the scale of a norm. A mean inside a variance is no such value.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_core::{fuse, run};
///
/// fuse! { HELD(x: element) -> (element) { x * stop_gradient(x) } }
/// let slope = HELD.grad(&[0])?;
/// let (x, one) = (Tensor::from([5.0]), Tensor::from([1.0]));
/// let y = run::map(&slope, &[&x, &one], &[], &[1], &cpu())?;
/// // x * c with c = x, where x * x has the slope 10.
/// assert_eq!(y[0].to_vec::<f64>()?, [5.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn stop_gradient(x: Sym) -> Sym {
    with_graph(|b| b.stop(x.0))
}

/// `value`, to whose derivative `slope` is added as that along `x`: `value + slope * (x - x)` with the last `x` held constant.
/// With a value that [`stop_gradient`] holds, a formula states its derivative in closed form, along each of its operands by one
/// call; that is shorter, or more exact, than what the rules of its parts give. Derivatives of higher order are those of `slope`.
///
/// The slope is real, or that of a holomorphic function. Whatever does not ask for a derivative does not compute it.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_core::{fuse, run};
///
/// fuse! { ROUNDED(x: element) -> (element) {
///     // A rounding that gradients pass by as if it were not there.
///     with_slope(stop_gradient(round(x)), x, 1.0.sym())
/// } }
/// let (x, g) = (Tensor::from([0.4, 1.6]), Tensor::from([5.0, 7.0]));
/// let slope = run::map(&ROUNDED.grad(&[0])?, &[&x, &g], &[], x.shape(), x.device())?;
/// assert_eq!(slope[0].to_vec::<f64>()?, [5.0, 7.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn with_slope(value: Sym, x: Sym, slope: Sym) -> Sym {
    with_graph(|b| b.with_slope(value.0, x.0, slope.0))
}
