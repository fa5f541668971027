//! The derivative of every primitive, as a formula over primitives.
//!
//! With a real loss L and complex z = x + iy, the cotangent of z is dL/dx + i dL/dy, as in PyTorch:
//! a step against it makes the loss smaller. A holomorphic f passes `g * conj(f'(z))` back, and
//! for real types [`Prim::Conj`] and [`Prim::Real`] lower to nothing, so one formula serves both.

use super::Prim;
use super::notation::*;
use std::f64::consts::{FRAC_2_SQRT_PI, LN_2, LN_10};

/// The cotangent of each operand; `None` where the primitive does not depend on it smoothly.
pub(super) type Cotangents = [Option<Sym>; 3];

/// The cotangents of the operands `a, b, ..` of `prim`, whose value is `v` with cotangent `g`.
///
/// Where a function has a corner, the choice is PyTorch's: `|x|` has slope 0 at 0, and equal operands
/// of [`Prim::Min`] and [`Prim::Max`] get half each. Only [`Prim::Hypot`] differs: its slope at the
/// origin is 0, as that of `|x|`, and not NaN. What is constant in pieces has no gradient.
pub(super) fn derivative(prim: Prim, [a, b, _]: [Sym; 3], v: Sym, g: Sym) -> Cotangents {
    use Prim::*;
    match prim {
        // Arithmetic.
        Neg => one(-g),
        Abs => one(g * sign(a)),
        Sign => one(unit_phase(a, v, g)),
        Square => one(chain(g, 2.0 * a)),
        Sqrt => one(g / (2.0 * conj(v))),
        Rsqrt => one(g * (-0.5 * (v * v * v))),
        Recip => one(-chain(g, v * v)),
        Add => two(g, g),
        Sub => two(g, -g),
        Mul => two(chain(g, b), chain(g, a)),
        Div => {
            let q = g / conj(b);
            two(q, -chain(q, v))
        }
        Rem => two(g, -(g * floor_divide(a, b))),
        Pow => [pow_base(a, b, g), Some(pow_exponent(a, b, v, g)), None],
        Fma => [Some(chain(g, b)), Some(chain(g, a)), Some(g)],
        // Ordering.
        Min => extreme(a, b, g, gt(a, b), lt(a, b)),
        Max => extreme(a, b, g, lt(a, b), gt(a, b)),
        // Exponentials and logarithms.
        Exp => one(chain(g, v)),
        // Not v + 1, which cancels where v is nearly -1.
        Expm1 => one(chain(g, exp(a))),
        Exp2 => one(g * (v * LN_2)),
        Log => one(g / conj(a)),
        Log1p => one(g / conj(a + 1.0)),
        Log2 => one(g / conj(a * LN_2)),
        Log10 => one(g / conj(a * LN_10)),
        LogAddExp => two(g / (exp(b - a) + 1.0), g / (exp(a - b) + 1.0)),
        // Trigonometric and hyperbolic.
        Sin => one(chain(g, cos(a))),
        Cos => one(-chain(g, sin(a))),
        Tan => one(chain(g, square(v) + 1.0)),
        Asin => one(g / conj(sqrt((1.0 - a) * (1.0 + a)))),
        Acos => one(-(g / conj(sqrt((1.0 - a) * (1.0 + a))))),
        Atan => one(g / conj(square(a) + 1.0)),
        Atan2 => {
            let h = nonzero(hypot(a, b));
            let q = g / h;
            two(q * (b / h), -(q * (a / h)))
        }
        Sinh => one(chain(g, cosh(a))),
        Cosh => one(chain(g, sinh(a))),
        Tanh => one(chain(g, (1.0 - v) * (1.0 + v))),
        Asinh => one(g / conj(sqrt(square(a) + 1.0))),
        Acosh => one(g / conj(sqrt(a - 1.0) * sqrt(a + 1.0))),
        Atanh => one(g / conj((1.0 - a) * (1.0 + a))),
        Erf => one(g * (FRAC_2_SQRT_PI * exp(-square(a)))),
        Erfc => one(g * (-FRAC_2_SQRT_PI * exp(-square(a)))),
        Hypot => {
            // The quotients first: they are no larger than 1, also beside a subnormal v.
            let h = nonzero(v);
            two(g * (a / h), g * (b / h))
        }
        // Rounding and representation.
        CopySign => one(g * (sign(a) * sign(v))),
        NextAfter => one(g),
        // Complex parts.
        Real => one(g),
        Imag => one(complex(0.0, g)),
        Conj => one(conj(g)),
        Complex => two(real(g), imag(g)),
        // Choice.
        Select => [None, Some(select(a, g, 0.0)), Some(select(a, 0.0, g))],
        // Constant in pieces, or no numbers.
        FloorDiv | Floor | Ceil | Trunc | Round => NONE,
        Eq | Ne | Lt | Le | Gt | Ge | SignBit | IsNan | IsInf | IsFinite => NONE,
        Not | And | Or | Xor | BitNot | BitAnd | BitOr | BitXor | Shl | Shr => NONE,
    }
}

const NONE: Cotangents = [None; 3];

fn one(a: Sym) -> Cotangents {
    [Some(a), None, None]
}

fn two(a: Sym, b: Sym) -> Cotangents {
    [Some(a), Some(b), None]
}

/// The chain rule for a holomorphic slope.
pub(super) fn chain(g: Sym, slope: Sym) -> Sym {
    if is_number(slope, 1.0) {
        g
    } else {
        g * conj(slope)
    }
}

/// `x`, or 1 in place of 0: a denominator where the numerator is 0 too.
fn nonzero(x: Sym) -> Sym {
    select(eq(x, 0.0), 1.0, x)
}

/// Through v = z/|z|: the part of `g` across v, over |z|. A real v leaves nothing of it.
fn unit_phase(z: Sym, v: Sym, g: Sym) -> Sym {
    let across = g - v * real(conj(v) * g);
    select(eq(v, 0.0), 0.0, across / abs(z))
}

/// b * a^(b-1), and nothing for b = 0 even at a = 0. By a number it is a power by a number again.
fn pow_base(a: Sym, b: Sym, g: Sym) -> Option<Sym> {
    let slope = match real_number(b) {
        Some(0.0) => return None,
        Some(1.0) => return Some(g),
        Some(2.0) => b * a,
        Some(_) => b * pow(a, b - 1i64),
        None => select(eq(b, 0i64), 0.0, b * pow(a, b - 1i64)),
    };
    Some(chain(g, slope))
}

/// a^b * ln(a), and 0 for a = 0 where the power stays finite.
fn pow_exponent(a: Sym, b: Sym, v: Sym, g: Sym) -> Sym {
    let flat = and(eq(a, 0i64), ge(real(b), 0i64));
    chain(g, select(flat, 0.0, v * log(a)))
}

/// To the chosen operand: nothing to the one that lost, half to each of two equals.
fn extreme(a: Sym, b: Sym, g: Sym, a_lost: Sym, b_lost: Sym) -> Cotangents {
    let share = select(eq(a, b), 0.5 * g, g);
    two(select(a_lost, 0.0, share), select(b_lost, 0.0, share))
}
