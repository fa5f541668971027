//! A product with what usually follows it, in one go.

use super::activation::Activation;
use super::job::Job;
use super::matmul::{common_type, product_shape};
use super::precision::{Precision, precision};
use super::promise::{self, Check};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::fuse::{self, Builder, NodeId, Prim, Program, Role, Yield, notation};
use crate::grad;
use crate::layout::Dims;
use crate::run;
use crate::scalar::Scalar;
use crate::tensor::{Tensor, describe, same_device};
use smallvec::SmallVec;

const OP: &str = "product";

/// `residual_factor residual + activation(row_scale column_scale alpha (a @ b) + beta c + bias)`: a product and its end.
///
/// Shapes: `a [.., m, k]`, `b [.., k, n]` and the result `[.., m, n]`, leading axes broadcast; `row_scale [.., m]`,
/// `column_scale [.., n]`; `c`, `bias` and `residual` broadcast to the result. The product has the common dtype of `a` and `b`, the
/// result the dtype that separate operators would give, or that of [`Product::cast`]. Half types are computed in `float32`
/// from the sums to the result, which is rounded once.
///
/// ```
/// use syntonic_core::Tensor;
/// use syntonic_core::ops::linalg::{Activation, Product};
/// let a = Tensor::from_slice(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2])?;
/// let bias = Tensor::from_slice(&[0.0f32, -30.0], &[2])?;
/// let y = Product::new(&a, &a).alpha(2.0).bias(&bias).activation(Activation::Relu).run()?;
/// assert_eq!(y.to_vec::<f32>()?, [14.0, 0.0, 30.0, 14.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
///
/// Errors as [`super::matmul_times`]; where an operand does not broadcast or lies on another device; for an activation other than
/// the hyperbolic tangent over complex numbers; and for a cast of complex numbers to a real type.
#[derive(Clone, Debug)]
pub struct Product<'a> {
    op: &'static str,
    a: &'a Tensor,
    b: &'a Tensor,
    alpha: Scalar,
    c: Option<(Scalar, &'a Tensor)>,
    bias: Option<&'a Tensor>,
    row_scale: Option<&'a Tensor>,
    column_scale: Option<&'a Tensor>,
    activation: Activation,
    residual: Option<(&'a Tensor, Scalar)>,
    cast: Option<DType>,
    precision: Option<Precision>,
}

impl<'a> Product<'a> {
    /// `a @ b`.
    ///
    /// ```
    /// use syntonic_core::ops::linalg::Product;
    /// use syntonic_core::prelude::*;
    ///
    /// let (a, b) = (Tensor::from([[1.0, 2.0]]), Tensor::from([[3.0], [4.0]]));
    /// assert_eq!(Product::new(&a, &b).run()?.to_vec::<f64>()?, [11.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn new(a: &'a Tensor, b: &'a Tensor) -> Product<'a> {
        Product {
            op: OP,
            a,
            b,
            alpha: Scalar::Int(1),
            c: None,
            bias: None,
            row_scale: None,
            column_scale: None,
            activation: Activation::None,
            residual: None,
            cast: None,
            precision: None,
        }
    }

    /// Under the name of another operation, for messages.
    pub(super) fn named(self, op: &'static str) -> Product<'a> {
        Product { op, ..self }
    }

    /// Times a number, which is cast to the type that the product is summed in.
    ///
    /// ```
    /// use syntonic_core::ops::linalg::Product;
    /// use syntonic_core::prelude::*;
    ///
    /// let (a, b) = (Tensor::from([[1.0, 2.0]]), Tensor::from([[3.0], [4.0]]));
    /// assert_eq!(Product::new(&a, &b).alpha(2).run()?.to_vec::<f64>()?, [22.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn alpha(self, alpha: impl Into<Scalar>) -> Product<'a> {
        Product {
            alpha: alpha.into(),
            ..self
        }
    }

    /// Plus `beta c`. With `beta` 0, `c` is not read.
    ///
    /// ```
    /// use syntonic_core::ops::linalg::Product;
    /// use syntonic_core::prelude::*;
    ///
    /// let (a, b) = (Tensor::from([[1.0, 2.0]]), Tensor::from([[3.0], [4.0]]));
    /// let c = Tensor::from([[100.0]]);
    /// assert_eq!(Product::new(&a, &b).beta(0.5, &c).run()?.to_vec::<f64>()?, [61.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn beta(self, beta: impl Into<Scalar>, c: &'a Tensor) -> Product<'a> {
        Product {
            c: Some((beta.into(), c)),
            ..self
        }
    }

    /// Plus something that broadcasts to the result: `[n]` for a bias of columns.
    ///
    /// ```
    /// use syntonic_core::ops::linalg::Product;
    /// use syntonic_core::prelude::*;
    ///
    /// let (a, b) = (Tensor::from([[1.0], [2.0]]), Tensor::from([[3.0, 4.0]]));
    /// let bias = Tensor::from([10.0, 20.0]);
    /// assert_eq!(Product::new(&a, &b).bias(&bias).run()?.to_vec::<f64>()?, [13.0, 24.0, 16.0, 28.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn bias(self, bias: &'a Tensor) -> Product<'a> {
        Product {
            bias: Some(bias),
            ..self
        }
    }

    /// Each row of the product times a number of its own.
    ///
    /// ```
    /// use syntonic_core::ops::linalg::Product;
    /// use syntonic_core::prelude::*;
    ///
    /// let (a, b) = (Tensor::from([[1.0], [2.0]]), Tensor::from([[3.0, 4.0]]));
    /// let scale = Tensor::from([10.0, 100.0]);
    /// let y = Product::new(&a, &b).row_scale(&scale).run()?;
    /// assert_eq!(y.to_vec::<f64>()?, [30.0, 40.0, 600.0, 800.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn row_scale(self, scale: &'a Tensor) -> Product<'a> {
        Product {
            row_scale: Some(scale),
            ..self
        }
    }

    /// Each column of the product times a number of its own.
    ///
    /// ```
    /// use syntonic_core::ops::linalg::Product;
    /// use syntonic_core::prelude::*;
    ///
    /// let (a, b) = (Tensor::from([[1.0], [2.0]]), Tensor::from([[3.0, 4.0]]));
    /// let scale = Tensor::from([10.0, 100.0]);
    /// let y = Product::new(&a, &b).column_scale(&scale).run()?;
    /// assert_eq!(y.to_vec::<f64>()?, [30.0, 400.0, 60.0, 800.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn column_scale(self, scale: &'a Tensor) -> Product<'a> {
        Product {
            column_scale: Some(scale),
            ..self
        }
    }

    /// The function of the sum.
    ///
    /// ```
    /// use syntonic_core::ops::linalg::{Activation, Product};
    /// use syntonic_core::prelude::*;
    ///
    /// let (a, b) = (Tensor::from([[1.0], [-2.0]]), Tensor::from([[3.0, 4.0]]));
    /// let y = Product::new(&a, &b).activation(Activation::Relu).run()?;
    /// assert_eq!(y.to_vec::<f64>()?, [3.0, 4.0, 0.0, 0.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn activation(self, activation: Activation) -> Product<'a> {
        Product { activation, ..self }
    }

    /// Plus `factor residual`, after the activation.
    ///
    /// ```
    /// use syntonic_core::ops::linalg::Product;
    /// use syntonic_core::prelude::*;
    ///
    /// let (a, b) = (Tensor::from([[1.0, 2.0]]), Tensor::from([[3.0], [4.0]]));
    /// let x = Tensor::from([[100.0]]);
    /// assert_eq!(Product::new(&a, &b).residual(&x, 0.5).run()?.to_vec::<f64>()?, [61.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn residual(self, residual: &'a Tensor, factor: impl Into<Scalar>) -> Product<'a> {
        Product {
            residual: Some((residual, factor.into())),
            ..self
        }
    }

    /// The result as this type, rounded once.
    ///
    /// ```
    /// use syntonic_core::ops::linalg::Product;
    /// use syntonic_core::prelude::*;
    ///
    /// let (a, b) = (Tensor::from([[1f32, 2.0]]), Tensor::from([[3f32], [4.0]]));
    /// let y = Product::new(&a, &b).cast(DType::BF16).run()?;
    /// assert_eq!((y.dtype(), y.to_vec::<f64>()?), (DType::BF16, vec![11.0]));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn cast(self, dtype: DType) -> Product<'a> {
        Product {
            cast: Some(dtype),
            ..self
        }
    }

    /// How exact the product is; else [`precision`] says. A [`Precision::Tolerance`] is checked on the product alone, so the
    /// end then runs as a pass of its own.
    ///
    /// ```
    /// use syntonic_core::ops::linalg::{Precision, Product};
    /// use syntonic_core::prelude::*;
    ///
    /// let (a, b) = (Tensor::from([[1f32, 2.0]]), Tensor::from([[3f32], [4.0]]));
    /// let y = Product::new(&a, &b).precision(Precision::Highest).run()?;
    /// assert_eq!(y.to_vec::<f32>()?, [11.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn precision(self, precision: Precision) -> Product<'a> {
        Product {
            precision: Some(precision),
            ..self
        }
    }

    /// Computes it.
    ///
    /// ```
    /// use syntonic_core::ops::linalg::Product;
    /// use syntonic_core::prelude::*;
    ///
    /// let a = Tensor::from([[1.0, 2.0]]);
    /// let (b, short) = (Tensor::from([[3.0], [4.0]]), Tensor::from([[3.0]]));
    /// assert_eq!(Product::new(&a, &b).alpha(10).run()?.to_vec::<f64>()?, [110.0]);
    /// assert!(Product::new(&a, &short).run().is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn run(self) -> Result<Tensor> {
        let (a, b) = common_type(self.op, self.a, self.b)?;
        let shape = product_shape(self.op, &a, &b)?;
        let (operands, program) = self.end(&shape)?;
        let dtype = self.result_dtype(&program, a.dtype(), &operands)?;
        let asked = self.precision.unwrap_or_else(precision).check(self.op)?;
        // few: the operands of one product.
        let all: Vec<&Tensor> = [&a, &b].into_iter().chain(&operands).collect();
        if grad::tracks(&all) {
            let value = self.of_constants()?;
            return grad::ended(self.op, asked, self.alpha, &all, program, value);
        }
        if let Precision::Tolerance(_) = asked
            && a.dtype().is_inexact()
            && !a.dtype().is_half()
        {
            let product = (self.alpha, &a, &b);
            let (sums, _) = promise::keep(self.op, asked, Check::WhereNeeded, product)?;
            let inputs: Vec<&Tensor> = std::iter::once(&sums).chain(&operands).collect();
            return run::map(&program, &inputs, &[], &shape, a.device())?
                .remove(0)
                .cast(dtype);
        }
        let out = Tensor::uninit(self.op, &shape, dtype, a.device())?;
        let plain =
            operands.is_empty() && self.activation == Activation::None && dtype == a.dtype();
        let job = Job {
            alpha: self.alpha,
            arithmetic: asked.arithmetic(),
            end: (!plain).then_some((&program, &operands[..])),
            ..Job::default()
        };
        job.run(&a, &b, &out)?;
        Ok(out)
    }

    /// The product of the same values as constants.
    fn of_constants(&self) -> Result<Tensor> {
        let [a, b] = [self.a, self.b].map(Tensor::stop_gradient);
        let plain = |x: Option<&Tensor>| x.map(Tensor::stop_gradient);
        let c = plain(self.c.map(|(_, c)| c));
        let (bias, residual) = (plain(self.bias), plain(self.residual.map(|(x, _)| x)));
        let (rows, columns) = (plain(self.row_scale), plain(self.column_scale));
        let product = Product {
            a: &a,
            b: &b,
            c: self.c.map(|(beta, _)| beta).zip(c.as_ref()),
            bias: bias.as_ref(),
            row_scale: rows.as_ref(),
            column_scale: columns.as_ref(),
            residual: residual.as_ref().zip(self.residual.map(|(_, by)| by)),
            ..*self
        };
        product.run()
    }

    /// The operands of the end, broadcast to `shape`, and its program.
    fn end(&self, shape: &Dims) -> Result<(Vec<Tensor>, Program)> {
        let mut end = Formula::new(self, shape);
        let mut y = end.builder.input("product", Role::Element);
        if let Some(scale) = self.row_scale {
            let scale = end.operand("row_scale", &column(scale)?)?;
            y = end.builder.apply(Prim::Mul, &[y, scale]);
        }
        if let Some(scale) = self.column_scale {
            let scale = end.operand("column_scale", &row(scale)?)?;
            y = end.builder.apply(Prim::Mul, &[y, scale]);
        }
        if let Some((beta, c)) = self.c {
            y = end.plus("c", y, c, beta)?;
        }
        if let Some(bias) = self.bias {
            y = end.plus("bias", y, bias, Scalar::Int(1))?;
        }
        y = notation::over(&mut end.builder, &[y], |[x]| self.activation.over(x));
        if let Some((residual, factor)) = self.residual {
            y = end.plus("residual", y, residual, factor)?;
        }
        end.builder.output(y, Yield::Element);
        let program = end.builder.finish(self.op, fuse::Precision::Wide);
        Ok((end.operands, program))
    }

    /// The dtype that separate operators would give, or the one that is asked for.
    fn result_dtype(&self, program: &Program, dtype: DType, operands: &[Tensor]) -> Result<DType> {
        let all: Vec<&Tensor> = [self.a, self.b].into_iter().chain(operands).collect();
        let refuse = |hint: &str| Error::DType {
            op: self.op,
            operands: describe(&all),
            hint: hint.to_owned(),
        };
        let complex = all.iter().any(|t| t.dtype().is_complex());
        let defined = matches!(self.activation, Activation::None | Activation::Tanh);
        if complex && !defined {
            return Err(refuse(&format!(
                "{} is a function of real numbers; take abs, real or imag of the product",
                self.activation.name()
            )));
        }
        let mut stepwise = program.clone();
        stepwise.precision = fuse::Precision::Stepwise;
        let mut dtypes: SmallVec<[DType; 6]> = SmallVec::from_iter([dtype]);
        dtypes.extend(operands.iter().map(Tensor::dtype));
        let own = run::output_dtypes(&stepwise, &dtypes)?[0];
        match self.cast {
            Some(to) if own.is_complex() && !to.is_complex() => Err(refuse(
                "a complex product has no value of a real type; take its real part",
            )),
            Some(to) => Ok(to),
            None => Ok(own),
        }
    }
}

/// A formula over the sums that is being written.
struct Formula<'a> {
    product: &'a Product<'a>,
    shape: &'a Dims,
    builder: Builder,
    operands: Vec<Tensor>,
}

impl<'a> Formula<'a> {
    fn new(product: &'a Product<'a>, shape: &'a Dims) -> Formula<'a> {
        Formula {
            product,
            shape,
            builder: Builder::new(),
            operands: Vec::new(),
        }
    }

    /// An operand of the end.
    fn operand(&mut self, name: &'static str, x: &Tensor) -> Result<NodeId> {
        self.check(name, x)?;
        self.operands.push(x.clone());
        Ok(self.builder.input(name, Role::Element))
    }

    /// An error where a tensor does not broadcast to the result, or lies elsewhere.
    fn check(&self, name: &'static str, x: &Tensor) -> Result<()> {
        let Product { op, a, b, .. } = *self.product;
        same_device(op, &[a, b, x])?;
        if x.layout().broadcast_to(self.shape).is_none() {
            return Err(Error::Shape {
                op,
                operands: describe(&[a, b, x]),
                hint: format!(
                    "{name} must broadcast to the shape of the product, {:?}",
                    &self.shape[..]
                ),
            });
        }
        Ok(())
    }

    /// `y + factor x`; without `x` where the factor is 0.
    fn plus(
        &mut self,
        name: &'static str,
        y: NodeId,
        x: &Tensor,
        factor: Scalar,
    ) -> Result<NodeId> {
        if !factor.to_bool() {
            // Checked as any other, and not read.
            return self.check(name, x).map(|()| y);
        }
        let mut x = self.operand(name, x)?;
        if factor != Scalar::Int(1) && factor != Scalar::Float(1.0) {
            let factor = self.builder.constant(factor);
            x = self.builder.apply(Prim::Mul, &[x, factor]);
        }
        Ok(self.builder.apply(Prim::Add, &[y, x]))
    }
}

/// Numbers for rows, as columns that broadcast.
fn column(scale: &Tensor) -> Result<Tensor> {
    if scale.ndim() == 0 {
        return Ok(scale.clone());
    }
    scale.expand_dims(&[-1])
}

/// Numbers for columns, as rows that broadcast.
fn row(scale: &Tensor) -> Result<Tensor> {
    if scale.ndim() < 2 {
        return Ok(scale.clone());
    }
    scale.expand_dims(&[-2])
}
