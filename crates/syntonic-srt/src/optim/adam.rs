//! Adam, and Adam with decoupled weight decay.

use super::update::Formula;
use super::{part, positive};
use syntonic_core::Result;
use syntonic_core::fuse;

/// How parameters decay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decay {
    /// By their gradient, to which a part of them is added.
    #[default]
    Gradient,
    /// By themselves, at the learning rate: AdamW. Loshchilov and Hutter, Decoupled Weight Decay Regularization, 2019.
    Decoupled,
}

/// `m' = b1 m + (1 - b1) g`, `v' = b2 v + (1 - b2) g^2` and `p' = p - rate m'/(1 - b1^t) / (sqrt(v'/(1 - b2^t)) + eps)` at step t.
/// Kingma and Ba, Adam: A Method for Stochastic Optimization, 2015. Squares are in the type of the moments: of `float32` and half types
/// they are infinite from a gradient of 1.8e19 on, whose steps are then 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adam {
    /// The parts of the past in the mean of gradients and in that of their squares.
    pub betas: (f64, f64),
    /// What is added to the root, so that nothing is divided by 0.
    pub eps: f64,
    /// The part of the parameter that goes.
    pub weight_decay: f64,
    /// How it goes.
    pub decay: Decay,
}

impl Default for Adam {
    fn default() -> Adam {
        Adam {
            betas: (0.9, 0.999),
            eps: 1e-8,
            weight_decay: 0.0,
            decay: Decay::Gradient,
        }
    }
}

impl Adam {
    /// AdamW with its usual decay.
    ///
    /// ```
    /// use syntonic_srt::optim::{Adam, Decay};
    ///
    /// let adam_w = Adam::decoupled();
    /// assert_eq!((adam_w.weight_decay, adam_w.decay), (0.01, Decay::Decoupled));
    /// ```
    pub fn decoupled() -> Adam {
        Adam {
            weight_decay: 1e-2,
            decay: Decay::Decoupled,
            ..Adam::default()
        }
    }
}

// `size` is `rate / (1 - b1^t)`, `unbias` is `1 / sqrt(1 - b2^t)`, and `c1` and `c2` are `1 - b1` and `1 - b2`, which have no digits left where
// a type of few of them makes them of a beta near 1.
fuse! {
    ADAM(
        p: element, g: element, m: element, v: element,
        size: number, unbias: number, c1: number, c2: number, eps: number, decay: number, shrink: number
    ) -> (element, element, element) {
        let d = g + decay * p;
        let mean = m + c1 * (d - m);
        let squares = v + c2 * (square(d) - v);
        let after = p * shrink - size * mean / (sqrt(squares) * unbias + eps);
        [after, mean, squares]
    }
}

impl Adam {
    pub(super) fn formula(&self, step: u64, rate: f64) -> Result<Formula> {
        const OP: &str = "adam";
        let (b1, b2) = self.betas;
        part(OP, "the first beta", b1)?;
        part(OP, "the second beta", b2)?;
        positive(OP, "eps", self.eps)?;
        positive(OP, "the weight decay", self.weight_decay)?;
        let (decay, shrink) = match self.decay {
            Decay::Gradient => (self.weight_decay, 1.0),
            Decay::Decoupled => (0.0, 1.0 - rate * self.weight_decay),
        };
        // Past so many steps both corrections are 1 to the last digit.
        let t = i32::try_from(step).unwrap_or(i32::MAX);
        let size = rate / (1.0 - b1.powi(t));
        let unbias = 1.0 / (1.0 - b2.powi(t)).sqrt();
        Ok(Formula {
            program: &ADAM,
            numbers: vec![size, unbias, 1.0 - b1, 1.0 - b2, self.eps, decay, shrink],
        })
    }
}
