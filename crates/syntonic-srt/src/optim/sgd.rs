//! Stochastic gradient descent.

use super::update::Formula;
use super::{part, positive};
use syntonic_core::Result;
use syntonic_core::fuse;

/// How steps remember those before.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Momentum {
    /// They do not.
    #[default]
    None,
    /// `v' = m v + d`, and a step along v'. Polyak, 1964.
    Heavy(f64),
    /// `v' = m v + d`, and a step along `d + m v'`. Nesterov, 1983, as Sutskever et al. wrote it, 2013.
    Nesterov(f64),
}

/// `p' = p - rate d` with `d = g + weight_decay p`, where d may have momentum.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sgd {
    /// How steps remember those before.
    pub momentum: Momentum,
    /// The part of the parameter that is added to its gradient.
    pub weight_decay: f64,
}

fuse! {
    PLAIN(p: element, g: element, rate: number, decay: number) -> (element) {
        p - rate * (g + decay * p)
    }

    HEAVY(p: element, g: element, v: element, rate: number, decay: number, m: number) -> (element, element) {
        let next = m * v + (g + decay * p);
        [p - rate * next, next]
    }

    NESTEROV(p: element, g: element, v: element, rate: number, decay: number, m: number) -> (element, element) {
        let d = g + decay * p;
        let next = m * v + d;
        [p - rate * (d + m * next), next]
    }
}

impl Sgd {
    pub(super) fn formula(&self, rate: f64) -> Result<Formula> {
        positive("sgd", "the weight decay", self.weight_decay)?;
        let mut numbers = vec![rate, self.weight_decay];
        let program = match self.momentum {
            Momentum::None => &PLAIN,
            Momentum::Heavy(_) => &HEAVY,
            Momentum::Nesterov(_) => &NESTEROV,
        };
        if let Momentum::Heavy(m) | Momentum::Nesterov(m) = self.momentum {
            part("sgd", "the momentum", m)?;
            numbers.push(m);
        }
        Ok(Formula { program, numbers })
    }
}
