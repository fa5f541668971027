//! The linear layer, forward and backward.

use super::activation::Activation;
use super::fused::Product;
use super::matmul::product_type;
use super::{matmul, matrix_transpose};
use crate::error::{Error, Result};
use crate::fork::Lazy;
use crate::fuse::notation::{Sym, gt, select, square, trace};
use crate::fuse::{Precision, Program, Role, Yield};
use crate::layout::count;
use crate::ops::reduce::{Over, sum};
use crate::run;
use crate::tensor::{Tensor, describe, same_device};

/// `activation(x @ w + bias)`, rounded once: `x [.., k]`, `w [k, n]`, `bias [n] -> [.., n]`.
///
/// ```
/// use syntonic_core::Tensor;
/// use syntonic_core::ops::linalg::{Activation, linear};
/// let x = Tensor::from_slice(&[1.0f32, -2.0], &[1, 2])?;
/// let w = Tensor::from_slice(&[1.0f32, 0.0, 0.0, 1.0], &[2, 2])?;
/// let y = linear(&x, &w, None, Activation::Relu)?;
/// assert_eq!(y.to_vec::<f32>()?, [1.0, 0.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
///
/// Errors where `w` has not two axes, its rows are not as many as `x` has columns, `bias` does not broadcast to the result, and
/// as [`Product`].
pub fn linear(
    x: &Tensor,
    w: &Tensor,
    bias: Option<&Tensor>,
    activation: Activation,
) -> Result<Tensor> {
    const OP: &str = "linear";
    check_weights(OP, x, w)?;
    let rows = if x.ndim() == 1 {
        x.expand_dims(&[0])?
    } else {
        x.clone()
    };
    let product = Product::new(&rows, w).named(OP).activation(activation);
    let product = match bias {
        Some(bias) => product.bias(bias),
        None => product,
    };
    let out = product.run()?;
    if x.ndim() == 1 {
        return out.squeeze(&[0]);
    }
    Ok(out)
}

fn check_weights(op: &'static str, x: &Tensor, w: &Tensor) -> Result<()> {
    let fits = x.ndim() >= 1 && w.ndim() == 2 && x.shape().last() == w.shape().first();
    if fits {
        return Ok(());
    }
    Err(Error::Shape {
        op,
        operands: describe(&[x, w]),
        hint: "x is [.., k] and w is [k, n]; transpose weights that are [n, k]".into(),
    })
}

/// What a forward run kept for the way back.
#[derive(Clone, Copy, Debug)]
pub enum Kept<'a> {
    /// `x @ w + bias`.
    Input(&'a Tensor),
    /// The result. Enough for none, ReLU, sigmoid and the hyperbolic tangent.
    Output(&'a Tensor),
}

/// The gradients of [`linear`].
#[derive(Clone, Debug)]
pub struct LinearGrad {
    /// That of `x`, in its shape.
    pub x: Tensor,
    /// That of `w`, in its shape.
    pub w: Tensor,
    /// That of a bias `[n]`.
    pub bias: Tensor,
}

/// The gradients of [`linear`] over real floats, from that of its result, `grad [.., n]`: with `d` the gradient of
/// `x @ w + bias`, they are `d @ wT`, `xT @ d` and the sum of `d` over its rows.
///
/// Errors where the shapes are not those of a forward run, where the activation needs its input and only the output was kept,
/// for other types than real floats, and on different devices.
///
/// ```
/// use syntonic_core::ops::linalg::{Activation, Kept, linear_backward};
/// use syntonic_core::prelude::*;
///
/// let (x, w) = (Tensor::from([[1.0, 2.0]]), Tensor::from([[3.0], [4.0]]));
/// let (grad, inner) = (Tensor::from([[10.0]]), x.matmul(&w)?);
/// let back = linear_backward(&grad, &x, &w, Kept::Input(&inner), Activation::None)?;
/// assert_eq!(back.x.to_vec::<f64>()?, [30.0, 40.0]);
/// assert_eq!(back.w.to_vec::<f64>()?, [10.0, 20.0]);
/// assert_eq!(back.bias.to_vec::<f64>()?, [10.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn linear_backward(
    grad: &Tensor,
    x: &Tensor,
    w: &Tensor,
    kept: Kept<'_>,
    activation: Activation,
) -> Result<LinearGrad> {
    const OP: &str = "linear_backward";
    let (Kept::Input(saved) | Kept::Output(saved)) = kept;
    let all = [grad, x, w, saved];
    same_device(OP, &all)?;
    check_weights(OP, x, w)?;
    let mut shape = x.shape().to_vec();
    shape[x.ndim() - 1] = w.shape()[1];
    if grad.shape() != shape || saved.shape() != shape {
        return Err(Error::Shape {
            op: OP,
            operands: describe(&all),
            hint: format!("the gradient and what was kept have the shape of the result, {shape:?}"),
        });
    }
    if !product_type(OP, &all)?.is_float() || all.iter().any(|t| !t.dtype().is_float()) {
        return Err(Error::DType {
            op: OP,
            operands: describe(&all),
            hint: "gradients are real floats".into(),
        });
    }
    let inner = before(OP, grad, kept, activation)?;
    let rows = |t: &Tensor| {
        let last = t.shape()[t.ndim() - 1] as isize;
        let first = count(OP, &t.shape()[..t.ndim() - 1])?;
        t.reshape(&[first as isize, last])
    };
    let flat = rows(&inner)?;
    let dx = matmul(&inner, &matrix_transpose(w)?)?;
    Ok(LinearGrad {
        x: dx.cast(x.dtype())?,
        w: matmul(&matrix_transpose(&rows(x)?)?, &flat)?.cast(w.dtype())?,
        bias: sum(&flat, &Over::axes(&[0]), None)?,
    })
}

/// The gradient of what the activation was taken of.
fn before(
    op: &'static str,
    grad: &Tensor,
    kept: Kept<'_>,
    activation: Activation,
) -> Result<Tensor> {
    if activation == Activation::None {
        return Ok(grad.clone());
    }
    let (program, saved) = match kept {
        Kept::Input(z) => (&BY_INPUT[activation as usize], z),
        Kept::Output(y) => (&BY_OUTPUT[activation as usize], y),
    };
    let Some(program) = program else {
        let what = format!(
            "the slope of {} does not follow from its result; hint: keep x @ w + bias, as Kept::Input",
            activation.name()
        );
        return Err(Error::value(op, what));
    };
    let program = &run::map(program, &[saved, grad], &[], grad.shape(), grad.device())?;
    program[0].cast(grad.dtype())
}

type Table = Lazy<Vec<Option<Program>>>;

/// The gradient of each activation from its operand and the gradient of its result.
static BY_INPUT: Table = Lazy::new(|| {
    let forward = |a: Activation| {
        trace(a.name(), &[("z", Role::Element)], &[Yield::Element], |s| {
            vec![a.over(s[0])]
        })
    };
    let backward = Activation::ALL.iter().map(|&a| forward(a).grad(&[0]).ok());
    backward.collect()
});

/// The same from its result, where that is enough.
static BY_OUTPUT: Table = Lazy::new(|| {
    let inputs = [("y", Role::Element), ("grad", Role::Element)];
    let slope = |a: Activation, formula: fn(Sym, Sym) -> Sym| {
        let mut program = trace(a.name(), &inputs, &[Yield::Element], |s| {
            vec![formula(s[0], s[1])]
        });
        program.precision = Precision::Wide;
        Some(program)
    };
    let backward = Activation::ALL.iter().map(|&a| match a {
        Activation::Relu => slope(a, |y, g| select(gt(y, 0.0), g, 0.0)),
        Activation::Sigmoid => slope(a, |y, g| g * y * (1.0 - y)),
        Activation::Tanh => slope(a, |y, g| g * (1.0 - square(y))),
        _ => None,
    });
    backward.collect()
});
