//! The built-in functions as formulas over the rows of stored candidates, computed in `float64` whatever the candidates' type.

use super::rows;
use crate::evolve::device::function::{Form, Function};
use std::f64::consts::{E, PI};
use syntonic_core::fuse::notation::{Sym, round, sin, square};
use syntonic_core::{DType, Result, Tensor, fuse, room};

/// `sin²(πx)`, by the difference to the nearest integer.
fn squared_sine(x: Sym) -> Sym {
    square(sin((x - round(x)) * PI))
}

fuse! {
    /// `Σ x²`.
    SPHERE(x: element) -> (row_scalar) { sum(square(cast(DType::F64, x))) }

    /// `Σ w x²`.
    WEIGHTED(x: element, weight: row) -> (row_scalar) { sum(square(cast(DType::F64, x)) * weight) }

    /// `Σ x² + 20 sin²(πx)`.
    RASTRIGIN(x: element) -> (row_scalar) {
        let x = cast(DType::F64, x);
        sum(square(x) + squared_sine(x) * 20.0)
    }

    /// `20 - 20 exp(-0.2 sqrt(mean x²)) + e - exp(mean cos 2πx)`, where `cos 2πx` is `1 - 2 sin²(πx)`.
    ACKLEY(x: element) -> (row_scalar) {
        let x = cast(DType::F64, x);
        let radius = sqrt(mean(square(x)));
        let waves = mean(squared_sine(x));
        (20.0 - exp(radius * -0.2) * 20.0) + (E - exp(1.0 - waves * 2.0))
    }

    /// `Σ 100 (b - a²)² + (1 - a)²` of neighbours `a` and `b`.
    ROSENBROCK(a: element, b: element) -> (row_scalar) {
        let (a, b) = (cast(DType::F64, a), cast(DType::F64, b));
        sum(square(b - square(a)) * 100.0 + square(1.0 - a))
    }
}

/// What a function reads besides candidates of n numbers: the weights of its squares, `float64` `[n]`, or nothing.
pub(super) fn weights(function: Function, beside: &Tensor, n: usize) -> Result<Option<Tensor>> {
    if function.form() != Form::Weighted {
        return Ok(None);
    }
    let weights = room::collected((0..n).map(|j| function.weight(j, n)))?;
    Ok(Some(Tensor::from_vec(weights, &[n])?.to(beside.device())?))
}

/// The values of the rows of `x`: `[k, n]` of any float to `float64` `[k]`.
pub(super) fn values(function: Function, x: &Tensor, weights: Option<&Tensor>) -> Result<Tensor> {
    let program = match function.form() {
        Form::Sphere => &SPHERE,
        Form::Rastrigin => &RASTRIGIN,
        Form::Ackley => &ACKLEY,
        Form::Weighted => match weights {
            Some(weights) => return rows::one(&WEIGHTED, &[x, weights], &[], -1),
            None => &SPHERE,
        },
        Form::Rosenbrock => {
            let first = x.slice(1, None, Some(-1), 1)?;
            let next = x.slice(1, Some(1), None, 1)?;
            return rows::one(&ROSENBROCK, &[&first, &next], &[], -1);
        }
    };
    rows::one(program, &[x], &[], -1)
}
