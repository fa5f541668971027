//! How far a device may be from a number of the model, and what a step makes of that.

use syntonic_core::DType;
use syntonic_core::fuse::{Prim, Yields};

/// A number and how far a device may be from it: 0 where its bits are known, infinite where nothing is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Number {
    pub(crate) value: f64,
    pub(crate) error: f64,
}

impl Number {
    pub(crate) fn known(value: f64) -> Number {
        Number { value, error: 0.0 }
    }

    /// A zero of which the sign hangs on the order of what was done.
    pub(crate) fn zero() -> Number {
        Number {
            value: 0.0,
            error: 1e-300,
        }
    }

    pub(crate) fn unknown(value: f64) -> Number {
        Number {
            value,
            error: f64::INFINITY,
        }
    }

    /// As another type, where it is `value`.
    pub(crate) fn converted(self, value: f64, from: DType, to: DType) -> Number {
        let error = match self.error {
            0.0 => 0.0,
            _ if !to.is_float() => f64::INFINITY,
            error if unit(to) > unit(from) => own(value, error, 0, to),
            error => error,
        };
        Number { value, error }
    }
}

/// Half the distance of 1 to the next number; none for whole numbers.
pub(crate) fn unit(dtype: DType) -> f64 {
    match dtype {
        DType::F16 => f64::powi(2.0, -11),
        DType::BF16 => f64::powi(2.0, -8),
        DType::F32 => f64::powi(2.0, -24),
        DType::F64 => f64::powi(2.0, -53),
        _ => 0.0,
    }
}

/// The smallest number of a type that is not zero.
fn smallest(dtype: DType) -> f64 {
    match dtype {
        DType::F16 => f64::powi(2.0, -24),
        DType::BF16 => f64::powi(2.0, -133),
        DType::F32 => f64::powi(2.0, -149),
        _ => f64::MIN_POSITIVE,
    }
}

/// The error of a result that is rounded to a type, of operands whose errors come to `passed`, by a function that errs by `ulp`
/// units in the last place of the type that is computed in. The model's own number may be rounded as well.
pub(crate) fn own(value: f64, passed: f64, ulp: u32, dtype: DType) -> f64 {
    let roundings = f64::from(2 * ulp + 1);
    let computed = dtype.compute();
    // What is computed is itself off by its operands' errors, and so is what is rounded.
    let size = value.abs() + passed;
    let rounded = if computed == dtype { 0.0 } else { unit(dtype) };
    let own = roundings * unit(computed) + rounded + unit(dtype);
    let error = passed + size * own * (1.0 + 1e-2);
    if value.is_finite() {
        error + smallest(dtype)
    } else {
        f64::INFINITY
    }
}

/// Primitives whose results are rounded exactly: whoever computes them has the reference's bits.
pub(crate) fn is_exact(prim: Prim, operand: DType) -> bool {
    let row = prim.row();
    !operand.is_float()
        || row.ulp == 0
        || row.yields == Yields::Bool
        || matches!(
            prim,
            Prim::Abs
                | Prim::Sign
                | Prim::Square
                | Prim::Sqrt
                | Prim::Recip
                | Prim::Mul
                | Prim::Div
        )
}

/// A result of a primitive over operands of a type, of which `value` is what the reference gives.
pub(crate) fn passed(prim: Prim, operand: DType, args: &[Number; 3], value: f64) -> Number {
    let [a, b, c] = *args;
    let operands = &args[..prim.arity()];
    let ulp = prim.row().ulp;
    if operands.iter().all(|x| x.error == 0.0) {
        let error = if is_exact(prim, operand) {
            0.0
        } else {
            own(value, 0.0, ulp, operand)
        };
        return Number { value, error };
    }
    let finite = |x: &Number| x.value.is_finite() && x.error.is_finite();
    let finite = operands.iter().all(finite) && value.is_finite();
    let error = match exact(prim, args) {
        Some(error) => error,
        None if finite && operand.is_float() => {
            let passed = match prim {
                Prim::Add | Prim::Sub | Prim::Hypot => a.error + b.error,
                Prim::Mul => times(a, b),
                Prim::Square => times(a, a),
                Prim::Fma => times(a, b) + c.error,
                Prim::Div => (a.error + value.abs() * b.error) / below(b),
                Prim::Recip => value.abs() * a.error / below(a),
                Prim::Exp => value * a.error.min(700.0).exp_m1(),
                Prim::Log => a.error / below(a),
                Prim::Sqrt => a.error / (below(a).sqrt() + a.value.sqrt()),
                Prim::Sin | Prim::Cos | Prim::Tanh | Prim::Atan => a.error,
                Prim::Erf => 2.0 * a.error,
                _ => f64::INFINITY,
            };
            own(value, passed, ulp, operand)
        }
        None => f64::INFINITY,
    };
    Number {
        value,
        // A quotient by what may be 0 may be anything.
        error: if error.is_nan() { f64::INFINITY } else { error },
    }
}

/// The error of what is not rounded.
fn exact(prim: Prim, [a, b, c]: &[Number; 3]) -> Option<f64> {
    Some(match prim {
        Prim::Neg | Prim::Abs => a.error,
        Prim::Min | Prim::Max => a.error.max(b.error),
        Prim::Select if a.error > 0.0 => f64::INFINITY,
        Prim::Select if a.value != 0.0 => b.error,
        Prim::Select => c.error,
        _ => return None,
    })
}

fn times(a: Number, b: Number) -> f64 {
    a.value.abs() * b.error + b.value.abs() * a.error + a.error * b.error
}

/// The smallest magnitude that the number may have.
fn below(x: Number) -> f64 {
    (x.value.abs() - x.error).max(0.0)
}
