//! Objectives that are sums over coordinates. Sines and exponentials are our own, and every sum has one order, so that all devices have the
//! same bits.

use super::real::term;
use crate::evolve::elementary::exp;
use crate::evolve::lanes;
use std::f64::consts::E;

/// An objective with kernels of its own, so that candidates are scored without being stored. All have the minimum 0.
///
/// Source: Hansen et al., *Real-Parameter Black-Box Optimization Benchmarking 2009: Noiseless Functions Definitions*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// `Σ x²`.
    Sphere,
    /// `Σ 10^(6 j/(n-1)) x_j²`.
    Ellipsoid,
    /// `x_0² + 10⁶ Σ x_j²` over the others.
    Cigar,
    /// `10⁶ x_0² + Σ x_j²` over the others.
    Discus,
    /// `10 n + Σ (x² - 10 cos 2πx)`, computed as `Σ x² + 20 sin²(πx)`, which loses no digits where the sum is small.
    Rastrigin,
    /// `20 - 20 exp(-0.2 sqrt(Σ x²/n)) + e - exp(Σ cos 2πx / n)`.
    Ackley,
    /// `Σ 100 (x_(j+1) - x_j²)² + (1 - x_j)²`; its minimum is at 1.
    Rosenbrock,
}

/// How the kernels know a function: several are weighted sums of squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i64)]
pub(super) enum Form {
    Sphere = 0,
    Weighted = 1,
    Rastrigin = 2,
    Ackley = 3,
    Rosenbrock = 4,
}

impl Form {
    pub(super) const ALL: [Form; 5] = [
        Form::Sphere,
        Form::Weighted,
        Form::Rastrigin,
        Form::Ackley,
        Form::Rosenbrock,
    ];

    /// Sums of a candidate.
    pub(super) fn planes(self) -> usize {
        1 + usize::from(self == Form::Ackley)
    }

    /// The value of a candidate, with the weight of each coordinate.
    pub(super) fn of(self, x: &[f64], weight: impl Fn(usize) -> f64) -> f64 {
        let terms = |j: usize| term(self, x[j], x.get(j + 1).copied(), weight(j));
        let first = lanes::sum((0..x.len()).map(|j| terms(j).0));
        let second = match self.planes() {
            1 => 0.0,
            _ => lanes::sum((0..x.len()).map(|j| terms(j).1)),
        };
        self.finish([first, second], x.len())
    }

    /// The value from the sums of all terms.
    pub(super) fn finish(self, totals: [f64; 2], n: usize) -> f64 {
        let n = n as f64;
        match self {
            Form::Ackley => {
                let one = 20.0 - 20.0 * exp(-0.2 * (totals[0] / n).sqrt());
                one + (E - exp(1.0 - 2.0 * (totals[1] / n)))
            }
            _ => totals[0],
        }
    }
}

impl Function {
    /// Every function.
    pub const ALL: [Function; 7] = [
        Function::Sphere,
        Function::Ellipsoid,
        Function::Cigar,
        Function::Discus,
        Function::Rastrigin,
        Function::Ackley,
        Function::Rosenbrock,
    ];

    pub(super) fn form(self) -> Form {
        match self {
            Function::Sphere => Form::Sphere,
            Function::Ellipsoid | Function::Cigar | Function::Discus => Form::Weighted,
            Function::Rastrigin => Form::Rastrigin,
            Function::Ackley => Form::Ackley,
            Function::Rosenbrock => Form::Rosenbrock,
        }
    }

    /// The weight of a coordinate, where squares have one.
    pub(super) fn weight(self, j: usize, n: usize) -> f64 {
        match self {
            Function::Ellipsoid if n > 1 => {
                exp(6.0 * std::f64::consts::LN_10 * (j as f64 / (n - 1) as f64))
            }
            Function::Cigar if j > 0 => 1e6,
            Function::Discus if j == 0 => 1e6,
            _ => 1.0,
        }
    }

    /// The value of one candidate. Term `j` is added to partial sum `j % 32`, and the partial sums as a tree whose first pairs are 16 apart:
    /// [`Rule::Res`](super::Rule::Res) has these bits on every device.
    ///
    /// ```
    /// use syntonic_srt::evolve::device::Function;
    /// assert_eq!(Function::Sphere.of(&[1.0, 2.0]), 5.0);
    /// assert_eq!(Function::Rastrigin.of(&[0.0; 10]), 0.0);
    /// assert_eq!(Function::Rosenbrock.of(&[1.0; 10]), 0.0);
    /// ```
    pub fn of(self, x: &[f64]) -> f64 {
        self.form().of(x, |j| self.weight(j, x.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values by hand: rastrigin and ackley of halves, and the minima.
    #[test]
    fn known_values() {
        assert_eq!(Function::Ellipsoid.of(&[2.0]), 4.0);
        assert_eq!(Function::Cigar.of(&[3.0, 1.0, 1.0]), 2_000_009.0);
        assert_eq!(Function::Discus.of(&[3.0, 1.0, 1.0]), 9_000_002.0);
        assert_eq!(Function::Rastrigin.of(&[0.5, -1.5]), 42.5);
        assert_eq!(Function::Rosenbrock.of(&[0.0, 0.0, 2.0]), 402.0);
        let wide = Function::Ellipsoid.of(&[1.0, 1.0, 1.0]);
        assert!((wide - 1_001_001.0).abs() < 1e-8, "{wide}");
        let ackley = Function::Ackley.of(&[0.5; 4]);
        let want = 20.0 - 20.0 * (-0.1f64).exp() + E - (-1.0f64).exp();
        assert!((ackley - want).abs() < 1e-14);
        for function in Function::ALL {
            let best = match function {
                Function::Rosenbrock => [1.0; 7],
                _ => [0.0; 7],
            };
            assert!(function.of(&best).abs() < 1e-14, "{function:?}");
        }
    }
}
