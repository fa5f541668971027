//! Discrete Fourier transforms, along one axis or several.
//!
//! ```text
//! forward   y[k] =       Σ_j x[j] e^(-2πi j k / n)
//! inverse   x[j] = 1/n · Σ_k y[k] e^(+2πi j k / n)
//! ```
//!
//! with the factor where [`Norm`] puts it. A transform is a kernel, so a device that has a library for it supplies that one: the
//! host has `rustfft` and `realfft`, GPUs have cuFFT. All lengths are transformed in O(n log n), primes too.
//!
//! Operands may lie in memory as they like; results are row-major. Numbers are `float32`, `float64` and their complex types;
//! integers and `bool` are taken as `float64`, and types with half the digits are refused, as decompositions refuse them.

mod axes;
mod frequencies;
mod kernel;
mod line;
mod operand;
mod plans;

pub use axes::{Extent, fftn, ifftn, irfftn, rfftn};
pub use frequencies::{fftfreq, fftshift, ifftshift, rfftfreq};
pub use kernel::{FFT, IRFFT, RFFT};
pub use line::{fft, hfft, ifft, ihfft, irfft, rfft};

/// Where the factor of a pair of transforms goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Norm {
    /// 1/n with the inverse.
    #[default]
    Backward,
    /// 1/√n with both, which are unitary then.
    Ortho,
    /// 1/n with the forward transform.
    Forward,
}

/// The sign of the exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// e^(-2πi j k / n).
    Forward,
    /// e^(+2πi j k / n).
    Inverse,
}

impl Norm {
    /// The factor of a transform of `n` numbers.
    fn factor(self, direction: Direction, n: f64) -> f64 {
        match (self, direction) {
            (Norm::Ortho, _) => n.sqrt().recip(),
            (Norm::Backward, Direction::Inverse) | (Norm::Forward, Direction::Forward) => n.recip(),
            (Norm::Backward, Direction::Forward) | (Norm::Forward, Direction::Inverse) => 1.0,
        }
    }

    /// The one with which the other direction has the same factor.
    pub(crate) fn turned(self) -> Norm {
        match self {
            Norm::Backward => Norm::Forward,
            Norm::Ortho => Norm::Ortho,
            Norm::Forward => Norm::Backward,
        }
    }
}

#[cfg(test)]
mod known_tests;
#[cfg(test)]
mod law_tests;
#[cfg(test)]
mod samples;
