//! Composites: element-wise functions written over the primitives, one formula each. They reach every
//! device, and the gradient, through it.

use crate::fuse::notation::{Sym, inline};
use crate::fuse::{Builder, NodeId};
use std::f64::consts::LOG2_E;

/// The declaration of a composite.
#[derive(Clone, Copy, Debug)]
pub struct Composite {
    /// The name users call it by.
    pub name: &'static str,
    /// Names of its operands, in order.
    pub args: &'static [&'static str],
    /// The formula, for people.
    pub doc: &'static str,
    /// Makes its nodes over those of the operands.
    pub build: fn(&mut Builder, &[NodeId]) -> NodeId,
}

impl Composite {
    /// The composite as part of a larger formula.
    ///
    /// ```
    /// use syntonic_core::ops::composites::SIGMOID;
    /// use syntonic_core::prelude::*;
    /// use syntonic_core::{fuse, run};
    ///
    /// fuse! { SWISH(x: element) -> (element) { x * SIGMOID.over(&[x]) } }
    /// let x = Tensor::from([0.0, 1000.0]);
    /// let y = run::map(&SWISH, &[&x], &[], x.shape(), x.device())?;
    /// assert_eq!(y[0].to_vec::<f64>()?, [0.0, 1000.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn over(&self, args: &[Sym]) -> Sym {
        inline(self.build, args)
    }
}

/// Declares composites: a constant each, and the table `ALL` of them in order.
///
/// `NAME "name" (args) "doc" => expression over Sym`.
///
/// ```
/// use syntonic_core::Tensor;
/// use syntonic_core::ops::elementwise::composite;
///
/// syntonic_core::composites! {
///     CUBE "cube" (x) "x^3." => x * square(x);
///     GAP "gap" (a, b) "|a - b|." => abs(a - b);
/// }
///
/// let (x, y) = (Tensor::from([2.0, -3.0]), Tensor::from([5.0, -7.0]));
/// assert_eq!(composite(CUBE.name, CUBE.build, &[(&x).into()])?.to_vec::<f64>()?, [8.0, -27.0]);
/// assert_eq!(composite(GAP.name, GAP.build, &[(&x).into(), (&y).into()])?.to_vec::<f64>()?, [3.0, 4.0]);
/// assert_eq!(ALL.len(), 2);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
#[macro_export]
macro_rules! composites {
    ($($name:ident $text:literal ($($arg:ident),+) $doc:literal => $body:expr;)*) => {
        $(
            #[doc = $doc]
            pub const $name: $crate::ops::composites::Composite = $crate::ops::composites::Composite {
                name: $text,
                args: &[$(stringify!($arg)),+],
                doc: $doc,
                build: |builder, nodes| {
                    #[allow(unused_imports)]
                    use $crate::fuse::notation::*;
                    $crate::fuse::notation::over(builder, nodes, |[$($arg),+]| $body)
                },
            };
        )*

        /// Every composite of this table, in order.
        pub const ALL: &[$crate::ops::composites::Composite] = &[$($name),*];
    };
}

/// What [`GELU`] takes the logistic function of is `t = x (GELU_FIRST + GELU_THIRD x^2)`: twice the argument of its tanh.
const GELU_FIRST: f64 = 2.0 * 0.797_884_560_802_865_4;
const GELU_THIRD: f64 = 0.044715 * GELU_FIRST;
/// The two for `t log2(e)`.
const GELU_POWER: [f64; 2] = [GELU_FIRST * LOG2_E, GELU_THIRD * LOG2_E];

/// `1/2 (1 + tanh(t/2))` is `1 / (1 + e^-t)`: no sum cancels far below 0, where the tanh is nearly -1.
fn gelu(x: Sym) -> Sym {
    use crate::fuse::notation::{stop_gradient, with_slope};
    let [first, third] = GELU_POWER;
    let value = x * Logistic::of_power(x * (third * x * x + first)).value;
    with_slope(stop_gradient(value), x, gelu_slope(x))
}

/// `s + x t' s (1 - s)`, where s is the logistic function of t. From 16 on it is 1 or 0 for every type, and x stays there: `x t'`
/// overflows far out, where the rest is 0.
fn gelu_slope(x: Sym) -> Sym {
    use crate::fuse::notation::{maximum, minimum, square};
    let x = maximum(minimum(x, 16.0), -16.0);
    let ([first, third], squared) = (GELU_POWER, square(x));
    let Logistic { value, slope } = Logistic::of_power(x * (third * squared + first));
    value + x * (3.0 * GELU_THIRD * squared + GELU_FIRST) * slope
}

/// `a + weight (b - a)`, counted from the nearer end so that both ends are exact, as part of a formula. Where the distance
/// leaves the range or an end is infinite, it is `(1 - weight) a + weight b`.
///
/// ```
/// use syntonic_core::ops::composites::interpolated;
/// use syntonic_core::prelude::*;
/// use syntonic_core::{fuse, run};
///
/// fuse! { MIDDLE(a: element, b: element) -> (element) { interpolated(a, b, 0.5.sym()) } }
/// let (a, b) = (Tensor::from([1.0, -1.7e308, 2.0]), Tensor::from([4.0, 1.7e308, f64::INFINITY]));
/// let y = run::map(&MIDDLE, &[&a, &b], &[], a.shape(), a.device())?;
/// assert_eq!(y[0].to_vec::<f64>()?, [2.5, 0.0, f64::INFINITY]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn interpolated(a: Sym, b: Sym, weight: Sym) -> Sym {
    use crate::fuse::notation::{eq, is_finite, lt, real, select};
    let (gap, rest) = (b - a, 1.0 - weight);
    let upper = lt(0.5, real(weight));
    let near = select(upper, b, a) + select(upper, -rest, weight) * gap;
    let far = rest * a + weight * b;
    let far = select(eq(weight, 0.0), a, select(eq(weight, 1.0), b, far));
    select(is_finite(gap), near, far)
}

/// The logistic function `1 / (1 + e^-x)` without overflow for either sign, as part of a formula. Both
/// choices take the same side at 0, so that the slope there is right. Complex numbers go by the sign of their real part.
///
/// ```
/// use syntonic_core::ops::composites::logistic;
/// use syntonic_core::prelude::*;
/// use syntonic_core::{fuse, run};
///
/// fuse! { ODDS(x: element) -> (element) { logistic(x) / logistic(-x) } }
/// let x = Tensor::from([0.0, 2f64.ln()]);
/// let y = run::map(&ODDS, &[&x], &[], x.shape(), x.device())?;
/// assert!((&y[0] - Tensor::from([1.0, 2.0])).abs()?.max(..)?.to_scalar::<f64>()? < 1e-14);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn logistic(x: Sym) -> Sym {
    use crate::fuse::notation::{stop_gradient, with_slope};
    let Logistic { value, slope } = Logistic::of(x);
    with_slope(stop_gradient(value), x, slope)
}

/// The logistic function and its slope, of one exponential function and one reciprocal. Neither overflows or cancels.
struct Logistic {
    value: Sym,
    slope: Sym,
}

impl Logistic {
    fn of(x: Sym) -> Logistic {
        use crate::fuse::notation::{exp, ge, real, select};
        let upper = ge(real(x), 0.0);
        Logistic::of_exponential(upper, exp(select(upper, -x, x)))
    }

    /// Of the `t` of which `y` is `t log2(e)`: a power of 2 is shorter than one of e, and as good where t is rounded anyway.
    fn of_power(y: Sym) -> Logistic {
        use crate::fuse::notation::{exp2, ge, select};
        let upper = ge(y, 0.0);
        Logistic::of_exponential(upper, exp2(select(upper, -y, y)))
    }

    /// Where `e` is that of minus the distance from 0, and `upper` says on which side of it.
    fn of_exponential(upper: Sym, e: Sym) -> Logistic {
        use crate::fuse::notation::{recip, select};
        let part = recip(e + 1.0);
        let rest = e * part;
        Logistic {
            value: select(upper, part, rest),
            slope: rest * part,
        }
    }
}

/// `ln(1 + e^x)` without overflow, whose slope is the logistic function.
fn softplus(x: Sym) -> Sym {
    use crate::fuse::notation::{abs, exp, log1p, maximum, stop_gradient, with_slope};
    let value = maximum(x, 0.0) + log1p(exp(-abs(x)));
    with_slope(stop_gradient(value), x, logistic(x))
}

composites! {
    RELU "relu" (x) "max(x, 0); NaN stays NaN. The slope at 0 is 0." => select(le(x, 0i64), 0i64, x);
    LEAKY_RELU "leaky_relu" (x, slope) "x where x >= 0, else slope * x." => select(ge(x, 0.0), x, slope * x);
    ELU "elu" (x, alpha) "x where x > 0, else alpha * (e^x - 1)." =>
        select(gt(x, 0.0), x, alpha * expm1(select(gt(x, 0.0), 0.0, x)));
    SIGMOID "sigmoid" (x) "1 / (1 + e^-x)." => logistic(x);
    SILU "silu" (x) "x / (1 + e^-x)." => x * logistic(x);
    SOFTPLUS "softplus" (x) "ln(1 + e^x), without overflow." => softplus(x);
    LOG_SIGMOID "log_sigmoid" (x) "-ln(1 + e^-x), without overflow." => -softplus(-x);
    GELU "gelu" (x) "x/2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 x^3))): the tanh form of GELU." =>
        gelu(x);
    GELU_ERF "gelu_erf" (x) "x/2 * erfc(-x/sqrt(2)): GELU as the normal distribution function times x." =>
        0.5 * x * erfc(x * -std::f64::consts::FRAC_1_SQRT_2);
    MISH "mish" (x) "x * tanh(ln(1 + e^x))." => x * tanh(softplus(x));
    CLIP "clip" (x, low, high) "min(max(x, low), high)." => minimum(maximum(x, low), high);
    LERP "lerp" (a, b, weight) "a + weight * (b - a), from the nearer end, without overflow between the ends." =>
        interpolated(a, b, weight);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuse::notation::trace;
    use crate::fuse::{Program, Role, Yield};
    use crate::ops::elementwise::{Arg, composite};
    use crate::{DType, Tensor, run};

    fn eval(c: &Composite, x: &[f64]) -> Vec<f64> {
        let t = Tensor::from_slice(x, &[x.len()]).unwrap();
        composite(c.name, c.build, &[Arg::Tensor(&t)])
            .unwrap()
            .to_vec()
            .unwrap()
    }

    fn close(got: &[f64], want: &[f64]) {
        for (g, w) in got.iter().zip(want) {
            assert!(
                (g - w).abs() <= 4e-15 * w.abs().max(1e-300),
                "{g} is not {w}"
            );
        }
    }

    #[test]
    fn known_values() {
        close(
            &eval(&SIGMOID, &[0.0, 1.0, -40.0]),
            &[0.5, 0.731_058_578_630_004_9, 4.248_354_255_291_589e-18],
        );
        close(&eval(&GELU, &[1.0]), &[0.841_191_990_608_275_9]);
        close(
            &eval(&GELU_ERF, &[1.0, -1.0]),
            &[0.841_344_746_068_542_9, -0.158_655_253_931_457_05],
        );
        close(
            &eval(&SOFTPLUS, &[0.0, 800.0]),
            &[std::f64::consts::LN_2, 800.0],
        );
        assert_eq!(eval(&RELU, &[-1.0, 2.0]), [0.0, 2.0]);
        assert!(eval(&RELU, &[f64::NAN])[0].is_nan());
        assert_eq!(eval(&SIGMOID, &[-1e9, 1e9]), [0.0, 1.0]);
    }

    /// The derivatives of order one and two of a formula at `x`.
    fn derivatives(program: &Program, x: &Tensor) -> [Vec<f64>; 2] {
        let ones = Tensor::ones(x.shape(), x.dtype()).unwrap();
        let first = program.grad(&[0]).unwrap();
        let second = first.grad(&[0]).unwrap();
        let run = |program: &Program, operands: &[&Tensor]| {
            let made = run::map(program, operands, &[], x.shape(), x.device()).unwrap();
            made[0].to_vec::<f64>().unwrap()
        };
        [run(&first, &[x, &ones]), run(&second, &[x, &ones, &ones])]
    }

    #[test]
    fn slopes_in_closed_form_are_those_of_the_plain_formulas() {
        crate::fuse! {
            PLAIN_SIGMOID(x: element) -> (element) { 1.0 / (exp(-x) + 1.0) }
            PLAIN_SILU(x: element) -> (element) { x / (exp(-x) + 1.0) }
            PLAIN_SOFTPLUS(x: element) -> (element) { log1p(exp(x)) }
            PLAIN_LOG_SIGMOID(x: element) -> (element) { -log1p(exp(-x)) }
            PLAIN_GELU(x: element) -> (element) {
                0.5 * x * (tanh(0.797_884_560_802_865_4 * (x + 0.044715 * x * x * x)) + 1.0)
            }
            PLAIN_MISH(x: element) -> (element) { x * tanh(log1p(exp(x))) }
        }
        let x: Vec<f64> = (-96..=96).map(|k| f64::from(k) / 16.0).collect();
        let points = Tensor::from_slice(&x, &[x.len()]).unwrap();
        for (row, plain) in [
            (SIGMOID, &PLAIN_SIGMOID),
            (SILU, &PLAIN_SILU),
            (SOFTPLUS, &PLAIN_SOFTPLUS),
            (LOG_SIGMOID, &PLAIN_LOG_SIGMOID),
            (GELU, &PLAIN_GELU),
            (MISH, &PLAIN_MISH),
        ] {
            let inputs = [("x", Role::Element)];
            let closed = trace(row.name, &inputs, &[Yield::Element], |s| vec![row.over(s)]);
            let (got, want) = (derivatives(&closed, &points), derivatives(plain, &points));
            // The sum of 1 and what is nearly -1 has the rounding of 1, and the second derivative takes it times x and the square of
            // the slope of its argument.
            let argument = |x: f64| match row.name == GELU.name {
                true => GELU_FIRST + 3.0 * GELU_THIRD * x * x,
                false => 1.0,
            };
            for (k, x) in x.iter().enumerate() {
                let bound = 4.0 * f64::EPSILON * (1.0 + x.abs() * argument(*x).powi(2));
                for (got, want) in got.iter().zip(&want) {
                    assert!(
                        (got[k] - want[k]).abs() <= bound,
                        "{} at {x}: {} is not {}",
                        row.name,
                        got[k],
                        want[k]
                    );
                }
            }
        }
    }

    #[test]
    fn slopes_far_out_are_those_of_the_asymptotes() {
        let far = [-f64::INFINITY, -1e300, -40.0, 40.0, 1e300, f64::INFINITY];
        let x = Tensor::from(far);
        for (row, low, high) in [
            (SIGMOID, 0.0, 0.0),
            (SOFTPLUS, 0.0, 1.0),
            (LOG_SIGMOID, 1.0, 0.0),
            (GELU, 0.0, 1.0),
        ] {
            let inputs = [("x", Role::Element)];
            let closed = trace(row.name, &inputs, &[Yield::Element], |s| vec![row.over(s)]);
            let [first, second] = derivatives(&closed, &x);
            for (k, slope) in first.iter().enumerate() {
                let want = if k < 3 { low } else { high };
                assert!(
                    (slope - want).abs() <= 1e-15,
                    "{} at {}: {slope}",
                    row.name,
                    far[k]
                );
            }
            assert!(
                second.iter().all(|c| c.abs() <= 1e-15),
                "{}: {second:?}",
                row.name
            );
        }
        let nan = derivatives(
            &trace("gelu", &[("x", Role::Element)], &[Yield::Element], |s| {
                vec![GELU.over(s)]
            }),
            &Tensor::from([f64::NAN]),
        );
        assert!(nan[0][0].is_nan());
    }

    #[test]
    fn integers_keep_their_type_where_the_formula_does() {
        let t = Tensor::from_slice(&[-3i32, 4], &[2]).unwrap();
        let r = composite(RELU.name, RELU.build, &[(&t).into()]).unwrap();
        assert_eq!(
            (r.dtype(), r.to_vec::<i32>().unwrap()),
            (DType::I32, vec![0, 4])
        );
        let args = [(&t).into(), Arg::from(-1i64), Arg::from(2i64)];
        let c = composite(CLIP.name, CLIP.build, &args).unwrap();
        assert_eq!(c.to_vec::<i32>().unwrap(), [-1, 2]);
    }
}
