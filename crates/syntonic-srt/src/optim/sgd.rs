//! Stochastic gradient descent.

use super::{Formula, part, positive};
use syntonic_core::Result;
use syntonic_core::fuse;
use syntonic_core::fuse::notation::Sym;

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

fn plain([p, g]: [Sym; 2], [rate, decay]: [Sym; 2]) -> Sym {
    p - rate * (g + decay * p)
}

fn heavy([p, g, v]: [Sym; 3], [rate, decay, m]: [Sym; 3]) -> [Sym; 2] {
    let next = m * v + (g + decay * p);
    [p - rate * next, next]
}

fn nesterov([p, g, v]: [Sym; 3], [rate, decay, m]: [Sym; 3]) -> [Sym; 2] {
    let d = g + decay * p;
    let next = m * v + d;
    [p - rate * (d + m * next), next]
}

fuse! {
    PLAIN(p: element, g: element, rate: number, decay: number) -> (element) {
        plain([p, g], [rate, decay])
    }

    HEAVY(p: element, g: element, v: element, rate: number, decay: number, m: number) -> (element, element) {
        heavy([p, g, v], [rate, decay, m])
    }

    NESTEROV(p: element, g: element, v: element, rate: number, decay: number, m: number) -> (element, element) {
        nesterov([p, g, v], [rate, decay, m])
    }

    /// The parameter twice, as it is used, and its master copy; so below.
    PLAIN_MASTER(p: element, g: element, rate: number, decay: number) -> (element, element) {
        let after = plain([p, g], [rate, decay]);
        [after, after]
    }

    HEAVY_MASTER(
        p: element, g: element, v: element, rate: number, decay: number, m: number
    ) -> (element, element, element) {
        let [after, next] = heavy([p, g, v], [rate, decay, m]);
        [after, after, next]
    }

    NESTEROV_MASTER(
        p: element, g: element, v: element, rate: number, decay: number, m: number
    ) -> (element, element, element) {
        let [after, next] = nesterov([p, g, v], [rate, decay, m]);
        [after, after, next]
    }
}

impl Sgd {
    pub(super) fn formula(&self, rate: f64) -> Result<Formula> {
        positive("sgd", "the weight decay", self.weight_decay)?;
        let formula = |plain, master, numbers| Formula {
            plain,
            master,
            numbers,
        };
        let numbers = |m| vec![rate, self.weight_decay, m];
        match self.momentum {
            Momentum::None => {
                let numbers = vec![rate, self.weight_decay];
                Ok(formula(&PLAIN, &PLAIN_MASTER, numbers))
            }
            Momentum::Heavy(m) => {
                part("sgd", "the momentum", m)?;
                Ok(formula(&HEAVY, &HEAVY_MASTER, numbers(m)))
            }
            Momentum::Nesterov(m) => {
                part("sgd", "the momentum", m)?;
                Ok(formula(&NESTEROV, &NESTEROV_MASTER, numbers(m)))
            }
        }
    }
}
