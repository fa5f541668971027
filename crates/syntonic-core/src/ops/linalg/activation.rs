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
