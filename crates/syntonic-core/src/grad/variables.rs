//! Variables, and the functions that differentiate with respect to them.

use super::node::{Node, variable};
use super::pull::{Past, pull};
use crate::error::{Error, Result, way_out};
use crate::ops::create::ones;
use crate::tensor::{Tensor, describe};
use std::sync::Arc;

/// Tensors that gradients are taken with respect to, for a caller that runs the function itself.
///
/// ```
/// use syntonic_core::{Tensor, grad::Variables};
///
/// let x = Variables::new("slope", &[&Tensor::from([1.0, 2.0])])?;
/// let y = x.tensors()[0].square()?;
/// let slope = x.pull(&[&y], &[&Tensor::from([1.0, 10.0])])?;
/// assert_eq!(slope[0].to_vec::<f64>()?, [2.0, 40.0]);
/// assert_eq!(x.release(&y).to_vec::<f64>()?, [1.0, 4.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Variables {
    op: &'static str,
    tensors: Vec<Tensor>,
}

impl Variables {
    /// Tracked tensors with the values of `inputs`; errors name `op`.
    ///
    /// Errors: [`Error::DType`] for an input that is neither a real nor a complex float.
    ///
    /// ```
    /// use syntonic_core::{Error, Tensor, grad::Variables};
    ///
    /// let x = Variables::new("my_step", &[&Tensor::from([1.0, 2.0])])?;
    /// assert!(x.tensors()[0].is_tracked());
    /// assert!(matches!(Variables::new("my_step", &[&Tensor::from([1, 2])]), Err(Error::DType { .. })));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn new(op: &'static str, inputs: &[&Tensor]) -> Result<Variables> {
        if inputs.iter().any(|x| !x.dtype().is_inexact()) {
            return Err(Error::DType {
                op,
                operands: describe(inputs),
                hint: format!("only floats have gradients; {}", way_out::CONVERT),
            });
        }
        // few: the arguments of one call.
        let tensors = inputs.iter().map(|x| variable(x)).collect::<Result<_>>()?;
        Ok(Variables { op, tensors })
    }

    /// The tracked tensors, in the order of the inputs.
    ///
    /// ```
    /// use syntonic_core::{Tensor, grad::Variables};
    ///
    /// let given = Variables::new("my_step", &[&Tensor::from([3.0]), &Tensor::from([4.0])])?;
    /// let [x, y] = given.tensors() else { unreachable!("two were given") };
    /// assert_eq!(given.gradient(&x.try_mul(y)?)?[0].to_vec::<f64>()?, [4.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn tensors(&self) -> &[Tensor] {
        &self.tensors
    }

    /// The cotangents of the variables from those of `outputs`, one each of their shapes: for a real loss that hangs on the
    /// outputs alone, its gradient. Zeros for a variable that no output hangs on.
    ///
    /// Errors: [`Error::Shape`] where a cotangent has not the shape of its output, [`Error::Gradient`] where no output hangs
    /// on a variable or an operand was written in place meanwhile, and those of the operations on the way back.
    ///
    /// ```
    /// use syntonic_core::{DType, Tensor, grad::Variables};
    ///
    /// let x = Variables::new("my_step", &[&Tensor::from([1.0, 2.0])])?;
    /// let (squares, total) = (x.tensors()[0].square()?, x.tensors()[0].sum(..)?);
    /// let cotangents = [Tensor::from([1.0, 10.0]), Tensor::scalar(100.0, DType::F64)?];
    /// let slope = x.pull(&[&squares, &total], &[&cotangents[0], &cotangents[1]])?;
    /// assert_eq!(slope[0].to_vec::<f64>()?, [102.0, 140.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn pull(&self, outputs: &[&Tensor], cotangents: &[&Tensor]) -> Result<Vec<Tensor>> {
        if outputs.len() != cotangents.len() {
            let text = format!(
                "{} cotangents for {} outputs; give one each",
                cotangents.len(),
                outputs.len()
            );
            return Err(Error::value(self.op, text));
        }
        // few: the results of one call.
        let outputs = outputs.iter().map(|&y| y.clone()).collect();
        pull(self.op, outputs, cotangents, &self.tensors)
    }

    /// The gradient of `loss`, which is one real number.
    ///
    /// Errors as [`Variables::pull`], and [`Error::Shape`] or [`Error::DType`] for a loss that is none.
    ///
    /// ```
    /// use syntonic_core::{Error, Tensor, grad::Variables};
    ///
    /// let x = Variables::new("my_step", &[&Tensor::from([1.0, 2.0])])?;
    /// let squares = x.tensors()[0].square()?;
    /// assert_eq!(x.gradient(&squares.sum(..)?)?[0].to_vec::<f64>()?, [2.0, 4.0]);
    /// assert!(matches!(x.gradient(&squares), Err(Error::Shape { .. }))); // two numbers are no loss
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn gradient(&self, loss: &Tensor) -> Result<Vec<Tensor>> {
        self.gradient_of(loss.clone())
    }

    /// [`Variables::gradient`] of a loss whose tape nobody else may hold.
    fn gradient_of(&self, loss: Tensor) -> Result<Vec<Tensor>> {
        if loss.numel() != 1 {
            return Err(Error::Shape {
                op: self.op,
                operands: describe(&[&loss]),
                hint: "a gradient is that of one number; reduce the result with sum or mean, or use vjp".into(),
            });
        }
        if !loss.dtype().is_float() {
            return Err(Error::DType {
                op: self.op,
                operands: describe(&[&loss]),
                hint:
                    "a gradient is that of a real float; take abs, real or imag of a complex result"
                        .into(),
            });
        }
        let one = ones(loss.shape(), loss.dtype(), loss.device())?;
        pull(self.op, vec![loss], &[&one], &self.tensors)
    }

    /// `x` without the tape of these variables. It stays tracked where it hangs on variables of somebody around.
    ///
    /// ```
    /// use syntonic_core::{Tensor, grad::Variables};
    ///
    /// let x = Variables::new("my_step", &[&Tensor::from([3.0])])?;
    /// let y = x.tensors()[0].square()?;
    /// assert!(y.to_vec::<f64>().is_err()); // reading is no part of a gradient
    /// assert_eq!(x.release(&y).to_vec::<f64>()?, [9.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn release(&self, x: &Tensor) -> Tensor {
        // few: the variables of one call.
        let ours: Vec<Arc<Node>> = self
            .tensors
            .iter()
            .filter_map(|t| t.node().cloned())
            .collect();
        match Past::of(&[x], &ours).has_others {
            true => x.clone(),
            false => x.stop_gradient(),
        }
    }
}

impl Drop for Variables {
    fn drop(&mut self) {
        self.tensors
            .iter()
            .filter_map(Tensor::node)
            .for_each(|node| node.close());
    }
}

/// The value of `f` at `inputs`, one real number, and its gradient with respect to each of them, of their shapes and types.
///
/// Errors: [`Error::Shape`] and [`Error::DType`] for a result that is not one real float or inputs that are no floats,
/// [`Error::Gradient`] where the result depends on no input, and those of `f`.
///
/// ```
/// use syntonic_core::{Tensor, grad::value_and_grad};
///
/// // Steps down the mean square of `x w - y`, whose smallest value is at w = 2.
/// let (x, y) = (Tensor::from([1.0, 2.0, 3.0]), Tensor::from([2.0, 4.0, 6.0]));
/// let mut w = Tensor::from([0.0]);
/// for _ in 0..50 {
///     let (loss, slope) = value_and_grad(|v| (&x * &v[0] - &y).square()?.mean(..), &[&w])?;
///     w = &w - &slope[0] * 0.1;
///     assert!(loss.to_scalar::<f64>()?.is_finite());
/// }
/// assert!((w.to_vec::<f64>()?[0] - 2.0).abs() < 1e-12);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn value_and_grad<F>(f: F, inputs: &[&Tensor]) -> Result<(Tensor, Vec<Tensor>)>
where
    F: FnOnce(&[Tensor]) -> Result<Tensor>,
{
    let variables = Variables::new("value_and_grad", inputs)?;
    let tracked = f(variables.tensors())?;
    let value = variables.release(&tracked);
    Ok((value, variables.gradient_of(tracked)?))
}

/// The gradient of `f` at `inputs`; see [`value_and_grad`].
///
/// ```
/// use syntonic_core::{Tensor, grad::grad};
///
/// // Of x^2 y at (3, 5): 2 x y and x^2.
/// let slopes = grad(|v| v[0].square()?.try_mul(&v[1]), &[&Tensor::from([3.0]), &Tensor::from([5.0])])?;
/// assert_eq!(slopes[0].to_vec::<f64>()?, [30.0]);
/// assert_eq!(slopes[1].to_vec::<f64>()?, [9.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn grad<F>(f: F, inputs: &[&Tensor]) -> Result<Vec<Tensor>>
where
    F: FnOnce(&[Tensor]) -> Result<Tensor>,
{
    Ok(value_and_grad(f, inputs)?.1)
}

/// The values of `f` at `inputs`, and how to pull cotangents back through it.
///
/// ```
/// use syntonic_core::{Tensor, grad::vjp};
///
/// let x = Tensor::from([1.0, 2.0]);
/// let (y, back) = vjp(|v| Ok(vec![v[0].square()?]), &[&x])?;
/// assert_eq!(y[0].to_vec::<f64>()?, [1.0, 4.0]);
/// assert_eq!(back.pull(&[&Tensor::from([1.0, 0.5])])?[0].to_vec::<f64>()?, [2.0, 2.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
///
/// Errors: [`Error::DType`] for inputs that are no floats, and those of `f`.
pub fn vjp<F>(f: F, inputs: &[&Tensor]) -> Result<(Vec<Tensor>, Vjp)>
where
    F: FnOnce(&[Tensor]) -> Result<Vec<Tensor>>,
{
    let variables = Variables::new("vjp", inputs)?;
    let outputs = f(variables.tensors())?;
    let values = outputs.iter().map(|y| variables.release(y)).collect();
    Ok((values, Vjp { variables, outputs }))
}

/// The way back through a function, see [`vjp`]. It keeps the tape.
#[derive(Debug)]
pub struct Vjp {
    variables: Variables,
    outputs: Vec<Tensor>,
}

impl Vjp {
    /// The cotangents of the inputs from those of the outputs. Errors as [`Variables::pull`].
    ///
    /// ```
    /// use syntonic_core::{Result, Tensor, grad::vjp};
    ///
    /// // The rows of a Jacobian, one cotangent each: of x y and x + y.
    /// let (x, y) = (Tensor::from([3.0]), Tensor::from([5.0]));
    /// let (_, back) = vjp(|v| Ok(vec![v[0].try_mul(&v[1])?, v[0].try_add(&v[1])?]), &[&x, &y])?;
    /// let (one, zero) = (Tensor::from([1.0]), Tensor::from([0.0]));
    /// let row = |cotangents: [&Tensor; 2]| -> Result<Vec<f64>> {
    ///     back.pull(&cotangents)?.iter().map(|x| x.to_scalar::<f64>()).collect()
    /// };
    /// assert_eq!(row([&one, &zero])?, [5.0, 3.0]);
    /// assert_eq!(row([&zero, &one])?, [1.0, 1.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn pull(&self, cotangents: &[&Tensor]) -> Result<Vec<Tensor>> {
        // few: the results of one call.
        let outputs: Vec<&Tensor> = self.outputs.iter().collect();
        self.variables.pull(&outputs, cotangents)
    }
}
