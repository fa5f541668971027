//! Lion: steps by sign.

use super::update::Formula;
use super::{part, positive};
use syntonic_core::Result;
use syntonic_core::fuse;

/// `p' = p (1 - rate weight_decay) - rate sign(b1 m + (1 - b1) g)` and `m' = b2 m + (1 - b2) g`. Chen et al., Symbolic Discovery
/// of Optimization Algorithms, 2023.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lion {
    /// The parts of the past in what is stepped along, and in what is kept.
    pub betas: (f64, f64),
    /// The part of the parameter that goes, at the learning rate.
    pub weight_decay: f64,
}

impl Default for Lion {
    fn default() -> Lion {
        Lion {
            betas: (0.9, 0.99),
            weight_decay: 0.0,
        }
    }
}

// `c1` and `c2` are `1 - b1` and `1 - b2`.
fuse! {
    LION(p: element, g: element, m: element, rate: number, shrink: number, c1: number, c2: number) -> (element, element) {
        let along = sign(m + c1 * (g - m));
        [p * shrink - rate * along, m + c2 * (g - m)]
    }
}

impl Lion {
    pub(super) fn formula(&self, rate: f64) -> Result<Formula> {
        let (b1, b2) = self.betas;
        part("lion", "the first beta", b1)?;
        part("lion", "the second beta", b2)?;
        positive("lion", "the weight decay", self.weight_decay)?;
        let shrink = 1.0 - rate * self.weight_decay;
        Ok(Formula {
            program: &LION,
            numbers: vec![rate, shrink, 1.0 - b1, 1.0 - b2],
        })
    }
}
