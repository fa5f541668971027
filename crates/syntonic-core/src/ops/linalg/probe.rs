//! How far a product is off, estimated with random vectors in `O(n^2)`.
//!
//! For a vector v of random signs, E |E v|^2 = |E|_F^2 for any matrix E. With E the error of a computed product, E v is
//! `out v - alpha a (b v)`, which needs no second product of matrices (Freivalds, "Probabilistic machines can use less
//! running time", 1977, has the idea for equality).

use super::job::Job;
use super::matmul::product_shape;
use crate::dtype::DType;
use crate::error::Result;
use crate::fuse::Prim;
use crate::ops::elementwise::{Arg, apply};
use crate::ops::reduce::{Over, sum};
use crate::random::Generator;
use crate::room;
use crate::scalar::Scalar;
use crate::tensor::Tensor;

/// Vectors of one estimate: its square is off by a factor of `1 +- sqrt(2 / VECTORS)` at the worst, in the mean square.
const VECTORS: usize = 8;
/// The vectors are the same in every run, so that results are.
const SEED: u64 = 0x0070_726f_6265;

/// What a product is compared with.
#[derive(Debug)]
pub(super) struct Probe {
    /// `[n, VECTORS]` of 1 and -1.
    signs: Tensor,
    /// `alpha a (b v)` in double precision.
    wanted: Tensor,
    /// `|alpha| | |a| |b| |_F`, estimated likewise.
    size: f64,
}

impl Probe {
    /// For `alpha a @ b`.
    pub(super) fn new(alpha: Scalar, a: &Tensor, b: &Tensor) -> Result<Probe> {
        let wide = wide(a.dtype());
        let n = b.shape()[b.ndim() - 1];
        let signs = signs(n)?.to(a.device())?.cast(wide)?.eval()?;
        let apply_to = |a: &Tensor, b: &Tensor, by: Scalar| {
            let first = product(Scalar::Int(1), b, &signs.cast(b.dtype())?)?;
            product(by, a, &first)
        };
        let wanted = apply_to(&a.cast(wide)?, &b.cast(wide)?, alpha)?;
        let magnitude = |x: &Tensor| apply(Prim::Abs, &[Arg::from(&x.cast(wide)?)]);
        let factor = alpha.to_complex().norm();
        let sizes = apply_to(&magnitude(a)?, &magnitude(b)?, Scalar::Float(factor))?;
        Ok(Probe {
            size: mean_norm(&sizes)?,
            signs,
            wanted,
        })
    }

    /// True where every factor is finite, and their products in double precision.
    pub(super) fn is_finite(&self) -> Result<bool> {
        Ok(self.size.is_finite() && mean_norm(&self.wanted)?.is_finite())
    }

    /// `|out - alpha a @ b|_F` in units of `|alpha| | |a| @ |b| |_F`.
    pub(super) fn error(&self, out: &Tensor) -> Result<f64> {
        let seen = product(Scalar::Int(1), &out.cast(self.wanted.dtype())?, &self.signs)?;
        let off = apply(Prim::Sub, &[Arg::from(&seen), Arg::from(&self.wanted)])?;
        let error = mean_norm(&off)?;
        Ok(if error == 0.0 { 0.0 } else { error / self.size })
    }
}

/// `double` with the same kind of number.
fn wide(dtype: DType) -> DType {
    if dtype.is_complex() {
        DType::C128
    } else {
        DType::F64
    }
}

fn signs(n: usize) -> Result<Tensor> {
    let mut bits = room::zeros::<u32>(n * VECTORS)?;
    Generator::new(SEED).bits_u32(&mut bits);
    let sign = |bit: &u32| if bit & 1 == 0 { 1.0 } else { -1.0 };
    let signs: Vec<f64> = room::collected(bits.iter().map(sign))?;
    Tensor::from_vec(signs, &[n, VECTORS])
}

/// A product in the arithmetic of its type.
fn product(alpha: Scalar, a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let shape = product_shape("matmul", a, b)?;
    let out = Tensor::uninit("matmul", &shape, a.dtype(), a.device())?;
    let job = Job {
        alpha,
        ..Job::default()
    };
    job.run(a, b, &out)?;
    Ok(out)
}

/// The root of the mean over the vectors of `|x v|^2`.
fn mean_norm(x: &Tensor) -> Result<f64> {
    let size = apply(Prim::Abs, &[Arg::from(x)])?;
    let squares = apply(Prim::Square, &[Arg::from(&size)])?;
    let all = sum(&squares, &Over::all(), None)?.item()?.to_f64();
    Ok((all / VECTORS as f64).sqrt())
}
