//! Matrices for the checks, as they may lie in memory, and what is computed of results.

use crate::gpu::Gpu;
use anyhow::{Result, ensure};
use syntonic_core::fuse::Prim;
use syntonic_core::num_complex::Complex;
use syntonic_core::ops::create::eye;
use syntonic_core::ops::elementwise::apply;
use syntonic_core::ops::linalg::matmul;
use syntonic_core::{DType, Tensor};

/// How many matrices there are, how long, and how they lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// One, row-major.
    Plain,
    /// One, column-major.
    Transposed,
    /// One, with a gap after every element.
    Strided,
    /// One, backwards.
    Negative,
    /// Six, whose leading axes do not merge.
    Stack,
    /// Many small ones.
    Many,
    /// Numbers.
    One,
    /// One that is large enough for other algorithms.
    Large,
}

impl Form {
    /// Those that an operation is checked for.
    pub(super) fn of(name: &str) -> Vec<Form> {
        use Form::*;
        match name {
            "empty" | "unfit" => vec![Plain],
            "matrix_norm" | "cond" | "matrix_rank" | "matrix_power" => vec![Plain, Stack, One],
            "expm" | "lstsq" | "pinv" => vec![Plain, Transposed, Stack, One],
            _ => vec![
                Plain, Transposed, Strided, Negative, Stack, Many, One, Large,
            ],
        }
    }

    /// The leading lengths.
    pub(super) fn lead(self) -> &'static [usize] {
        match self {
            Form::Stack => &[2, 3],
            Form::Many => &[70],
            _ => &[],
        }
    }

    /// Rows and columns.
    pub(super) fn side(self) -> usize {
        match self {
            Form::Plain => 33,
            Form::Transposed => 40,
            Form::Strided => 20,
            Form::Negative => 65,
            Form::Stack => 17,
            Form::Many => 5,
            Form::One => 1,
            Form::Large => 530,
        }
    }

    /// The shape of matrices with so many rows and columns.
    pub(super) fn shape(self, rows: usize, cols: usize) -> Vec<usize> {
        [self.lead(), &[rows, cols]].concat()
    }

    /// Values of the CPU on the GPU, where they lie so.
    pub(super) fn put(self, gpu: &Gpu, x: &Tensor) -> Result<Tensor> {
        Ok(match self {
            Form::Transposed => {
                let across = x.transpose(-2, -1)?.copy()?;
                gpu.take(&across)?.transpose(-2, -1)?
            }
            Form::Strided => {
                let shape = [x.shape(), &[2]].concat();
                let twice = x.expand_dims(&[-1])?.broadcast_to(&shape)?.copy()?;
                gpu.take(&twice)?.select(-1, 0)?
            }
            Form::Negative => {
                let turned = x.flip(&[-2, -1])?.copy()?;
                gpu.take(&turned)?.flip(&[-2, -1])?
            }
            Form::Stack => {
                let swapped = x.permute(&[1, 0, 2, 3])?.copy()?;
                gpu.take(&swapped)?.permute(&[1, 0, 2, 3])?
            }
            _ => gpu.take(x)?,
        })
    }
}

/// Numbers between -1 and 1, complex where the type is.
pub(super) fn numbers(dtype: DType, shape: &[usize], seed: u64) -> Result<Tensor> {
    let n: usize = shape.iter().product();
    let part = |i: usize, by: u64| {
        let mixed = (2 * i as u64 + by + 1)
            .wrapping_add(seed << 32)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (mixed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    let values = (0..n).map(|i| Complex::new(part(i, 0), part(i, 1)));
    let x = Tensor::from_vec(values.collect::<Vec<_>>(), shape)?;
    let x = if dtype.is_complex() { x } else { x.real()? };
    Ok(x.cast(dtype)?.copy()?)
}

/// Square matrices near the identity, whose condition is below 10.
pub(super) fn tame(dtype: DType, form: Form) -> Result<Tensor> {
    let n = form.side();
    let x = numbers(dtype, &form.shape(n, n), n as u64)?;
    let one = eye(n, n, 0, dtype, x.device())?;
    let part = apply(Prim::Mul, &[(&x).into(), (0.5 / n as f64).into()])?;
    Ok(apply(Prim::Add, &[(&part).into(), (&one).into()])?.eval()?)
}

/// Hermitian matrices.
pub(super) fn hermitian(dtype: DType, form: Form) -> Result<Tensor> {
    let n = form.side();
    let x = numbers(dtype, &form.shape(n, n), 7)?;
    Ok(apply(Prim::Add, &[(&x).into(), (&adjoint(&x)?).into()])?.eval()?)
}

/// Positive definite matrices.
pub(super) fn definite(dtype: DType, form: Form) -> Result<Tensor> {
    let x = tame(dtype, form)?;
    Ok(matmul(&x, &adjoint(&x)?)?.eval()?)
}

/// The conjugate transposes.
pub(super) fn adjoint(x: &Tensor) -> Result<Tensor> {
    let x = x.transpose(-2, -1)?;
    Ok(match x.dtype().is_complex() {
        true => apply(Prim::Conj, &[(&x).into()])?.eval()?,
        false => x,
    })
}

/// On the CPU, in double precision.
pub(super) fn wide(gpu: &Gpu, x: &Tensor) -> Result<Tensor> {
    let dtype = match x.dtype().is_complex() {
        true => DType::C128,
        false => DType::F64,
    };
    Ok(gpu.fetch(x)?.cast(dtype)?.eval()?)
}

/// Product of factors that lie on the CPU.
pub(super) fn times(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    Ok(matmul(a, b)?.eval()?)
}

/// Columns of matrices, each times its number.
pub(super) fn scaled(x: &Tensor, by: &Tensor) -> Result<Tensor> {
    let by = by.expand_dims(&[-2])?;
    Ok(apply(Prim::Mul, &[x.into(), (&by).into()])?.eval()?)
}

/// The root of the sum of the squares.
pub(super) fn norm(x: &Tensor) -> Result<f64> {
    let values = x.to_vec::<Complex<f64>>()?;
    Ok(values.iter().map(|z| z.norm_sqr()).sum::<f64>().sqrt())
}

/// How far two tensors of the CPU are apart.
pub(super) fn distance(a: &Tensor, b: &Tensor) -> Result<f64> {
    ensure!(
        a.shape() == b.shape(),
        "{:?} instead of {:?}",
        a.shape(),
        b.shape()
    );
    let (a, b) = (a.to_vec::<Complex<f64>>()?, b.to_vec::<Complex<f64>>()?);
    let squares = a.iter().zip(&b).map(|(a, b)| (a - b).norm_sqr());
    Ok(squares.sum::<f64>().sqrt())
}

/// How far a decomposition of matrices of this length may be off, as a part of their norm.
pub(super) fn bound(dtype: DType, n: usize) -> f64 {
    let epsilon = 2.0 * crate::gpu::bounds::rounding(dtype);
    20.0 * (n as f64).sqrt().max(4.0) * epsilon
}

/// Complains where something is off by more than it may.
pub(super) fn within(off: f64, most: f64, what: &str) -> Result<()> {
    // A NaN is within nothing.
    ensure!(off <= most, "{what}: off by {off:e}, more than {most:e}");
    Ok(())
}

/// Complains where columns on the CPU are not orthonormal, but for this bound.
pub(super) fn orthonormal(q: &Tensor, most: f64, what: &str) -> Result<()> {
    let n = q.shape()[q.ndim() - 1];
    let product = times(&adjoint(q)?, q)?;
    let one = eye(n, n, 0, q.dtype(), q.device())?.broadcast_to(product.shape())?;
    within(distance(&product, &one)?, most, what)
}

/// Complains where a number on the wrong side of the diagonal is not exactly 0.
pub(super) fn triangular(x: &Tensor, is_upper: impl Fn(usize, usize) -> bool) -> Result<()> {
    let [rows, cols] = [2, 1].map(|k| x.shape()[x.ndim() - k]);
    for (at, value) in x.to_vec::<Complex<f64>>()?.into_iter().enumerate() {
        let (i, j) = (at / cols % rows, at % cols);
        let zero = value == Complex::new(0.0, 0.0);
        ensure!(zero || is_upper(i, j), "{value} at ({i}, {j})");
    }
    Ok(())
}

/// Complains where numbers along the last axis do not come in order.
pub(super) fn ordered(x: &Tensor, before: impl Fn(f64, f64) -> bool) -> Result<()> {
    let n = x.shape()[x.ndim() - 1];
    for line in x.to_vec::<f64>()?.chunks(n.max(1)) {
        ensure!(line.windows(2).all(|w| before(w[0], w[1])), "{line:?}");
    }
    Ok(())
}
