//! The functions that often follow a product.

use crate::fuse::notation::Sym;
use crate::ops::composites::{Composite, GELU, GELU_ERF, RELU, SIGMOID, SILU};

/// A function of single elements after a product; each is the operator of the same name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Activation {
    /// None: `x`.
    #[default]
    None,
    /// `max(x, 0)`; NaN stays NaN.
    Relu,
    /// GELU in its tanh form.
    Gelu,
    /// GELU by the error function, `x/2 erfc(-x/sqrt(2))`.
    GeluErf,
    /// `x / (1 + e^-x)`.
    Silu,
    /// `1 / (1 + e^-x)`.
    Sigmoid,
    /// The hyperbolic tangent.
    Tanh,
}

impl Activation {
    /// Every function.
    pub const ALL: [Activation; 7] = [
        Activation::None,
        Activation::Relu,
        Activation::Gelu,
        Activation::GeluErf,
        Activation::Silu,
        Activation::Sigmoid,
        Activation::Tanh,
    ];

    /// The name users call it by: that of the operator.
    ///
    /// ```
    /// use syntonic_core::ops::linalg::Activation;
    ///
    /// assert_eq!(Activation::GeluErf.name(), "gelu_erf");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Activation::None => "none",
            Activation::Relu => "relu",
            Activation::Gelu => "gelu",
            Activation::GeluErf => "gelu_erf",
            Activation::Silu => "silu",
            Activation::Sigmoid => "sigmoid",
            Activation::Tanh => "tanh",
        }
    }

    /// The function as part of a formula.
    ///
    /// ```
    /// use syntonic_core::ops::linalg::Activation;
    /// use syntonic_core::prelude::*;
    /// use syntonic_core::{fuse, run};
    ///
    /// fuse! { TWICE(x: element) -> (element) { 2.0 * Activation::Relu.over(x) } }
    /// let x = Tensor::from([-1.0, 3.0]);
    /// let y = run::map(&TWICE, &[&x], &[], x.shape(), x.device())?;
    /// assert_eq!(y[0].to_vec::<f64>()?, [0.0, 6.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn over(self, x: Sym) -> Sym {
        let composite: &Composite = match self {
            Activation::None => return x,
            Activation::Tanh => return crate::fuse::notation::tanh(x),
            Activation::Relu => &RELU,
            Activation::Gelu => &GELU,
            Activation::GeluErf => &GELU_ERF,
            Activation::Silu => &SILU,
            Activation::Sigmoid => &SIGMOID,
        };
        composite.over(&[x])
    }
}
