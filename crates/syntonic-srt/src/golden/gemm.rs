//! `alpha op(A) op(B) + beta C`, and its forms that have names of their own.

use super::operands;
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::apply;
use syntonic_core::ops::linalg::{matmul_scaled, matmul_times, matrix_transpose};
use syntonic_core::{Error, Result, Scalar, Tensor, describe};

/// What is done to an operand before it is multiplied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Op {
    /// Nothing: A.
    #[default]
    None,
    /// The transpose Aᵀ of the last two axes.
    Transpose,
    /// The adjoint A†, the complex conjugate of the transpose. For real matrices it is the transpose.
    Adjoint,
}

impl Op {
    /// How a message writes it.
    pub(super) fn of(self, name: &str) -> String {
        match self {
            Op::None => name.to_owned(),
            Op::Transpose => format!("{name}ᵀ"),
            Op::Adjoint => format!("{name}†"),
        }
    }

    /// The matrices as the product reads them: a view, and the conjugate is left to the product where it is large.
    fn apply(self, x: &Tensor) -> Result<Tensor> {
        match self {
            Op::None => Ok(x.clone()),
            Op::Adjoint if x.dtype().is_complex() => {
                matrix_transpose(&apply(Prim::Conj, &[x.into()])?)
            }
            Op::Transpose | Op::Adjoint => matrix_transpose(x),
        }
    }
}

/// `alpha op_a(a) op_b(b)`, plus `beta c` where `c` is given, under the name `op`.
pub(super) fn gemm(
    op: &'static str,
    (a, op_a): (&Tensor, Op),
    (b, op_b): (&Tensor, Op),
    alpha: Scalar,
    sum: Option<(Scalar, &Tensor)>,
) -> Result<Tensor> {
    let (all, factors) = match sum {
        Some((beta, c)) => (vec![a, b, c], vec![alpha, beta]),
        None => (vec![a, b], vec![alpha]),
    };
    let dtype = operands::dtype(op, &all, &factors)?;
    let shape = operands::shape(op, (a, op_a), (b, op_b))?;
    let x = op_a.apply(&a.cast(dtype)?)?;
    let y = op_b.apply(&b.cast(dtype)?)?;
    let Some((beta, c)) = sum else {
        return matmul_times(alpha, &x, &y);
    };
    if c.layout().broadcast_to(&shape).is_none() {
        return Err(Error::Shape {
            op,
            operands: describe(&[a, b, c]),
            hint: format!(
                "c must broadcast to the shape of the product, {:?}",
                &shape[..]
            ),
        });
    }
    matmul_scaled(alpha, &x, &y, beta, c)
}

fn plain(op: &'static str, a: (&Tensor, Op), b: (&Tensor, Op)) -> Result<Tensor> {
    gemm(op, a, b, Scalar::Int(1), None)
}

/// AB: `[.., m, k], [.., k, n] -> [.., m, n]`, in the common dtype.
///
/// Errors, as of every product here, where an operand has fewer than two axes, the inner lengths differ, the leading axes do
/// not broadcast, all operands are `bool`, or the devices differ.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::golden::mm;
///
/// let a = Tensor::from([[1.0, 2.0], [3.0, 4.0]]);
/// assert_eq!(mm(&a, &a)?.to_vec::<f64>()?, [7.0, 10.0, 15.0, 22.0]);
/// assert!(mm(&a, &Tensor::from([1.0, 2.0])).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn mm(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    plain("mm", (a, Op::None), (b, Op::None))
}

/// `alpha A B + beta C`, where C broadcasts to the product: `[.., m, k], [.., k, n], C -> [.., m, n]`.
///
/// With `beta` 0, C is not read: NaN and infinities in it do not matter, only its shape and dtype do. Factors raise the kind
/// of the dtype: a real one makes `float64` of integers, a complex one makes complex numbers of real ones.
///
/// Errors as [`mm`], where C does not broadcast, and where a factor is an integer that an integer type cannot hold.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::golden::mm_add;
///
/// let (a, b, c) = (Tensor::from([[1.0, 2.0]]), Tensor::from([[3.0], [4.0]]), Tensor::from([[100.0]]));
/// assert_eq!(mm_add(&a, &b, &c, 2, 0.5)?.to_vec::<f64>()?, [72.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn mm_add(
    a: &Tensor,
    b: &Tensor,
    c: &Tensor,
    alpha: impl Into<Scalar>,
    beta: impl Into<Scalar>,
) -> Result<Tensor> {
    let sum = Some((beta.into(), c));
    gemm("mm_add", (a, Op::None), (b, Op::None), alpha.into(), sum)
}

/// AᵀB: `[.., k, m], [.., k, n] -> [.., m, n]`. Errors as [`mm`].
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::golden::mm_tn;
///
/// let (a, b) = (Tensor::from([[1.0], [2.0]]), Tensor::from([[3.0], [4.0]]));
/// assert_eq!(mm_tn(&a, &b)?.to_vec::<f64>()?, [11.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn mm_tn(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    plain("mm_tn", (a, Op::Transpose), (b, Op::None))
}

/// ABᵀ: `[.., m, k], [.., n, k] -> [.., m, n]`. Errors as [`mm`].
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::golden::mm_nt;
///
/// let (a, b) = (Tensor::from([[1.0, 2.0]]), Tensor::from([[3.0, 4.0], [5.0, 6.0]]));
/// assert_eq!(mm_nt(&a, &b)?.to_vec::<f64>()?, [11.0, 17.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn mm_nt(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    plain("mm_nt", (a, Op::None), (b, Op::Transpose))
}

/// AᵀBᵀ: `[.., k, m], [.., n, k] -> [.., m, n]`. Errors as [`mm`].
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::golden::mm_tt;
///
/// let (a, b) = (Tensor::from([[1.0], [2.0]]), Tensor::from([[3.0, 4.0], [5.0, 6.0]]));
/// assert_eq!(mm_tt(&a, &b)?.to_vec::<f64>()?, [11.0, 17.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn mm_tt(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    plain("mm_tt", (a, Op::Transpose), (b, Op::Transpose))
}

/// A†B: `[.., k, m], [.., k, n] -> [.., m, n]`. Errors as [`mm`].
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::golden::mm_hn;
///
/// let i = Tensor::from([[0.0]]).complex(1.0)?;
/// // The conjugate of i times i is 1.
/// assert_eq!(mm_hn(&i, &i)?.real()?.to_vec::<f64>()?, [1.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn mm_hn(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    plain("mm_hn", (a, Op::Adjoint), (b, Op::None))
}

/// AB†: `[.., m, k], [.., n, k] -> [.., m, n]`. Errors as [`mm`].
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::golden::mm_nh;
///
/// let i = Tensor::from([[0.0]]).complex(1.0)?;
/// assert_eq!(mm_nh(&i, &i)?.real()?.to_vec::<f64>()?, [1.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn mm_nh(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    plain("mm_nh", (a, Op::None), (b, Op::Adjoint))
}

/// `alpha op_a(A) op_b(B) + beta C`, one product, or `alpha op_a(A) op_b(B)` without C, where `beta` says nothing.
///
/// C, the factors and the errors are those of [`mm_add`].
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::golden::{Op, mm_gemm};
///
/// let (a, b) = (Tensor::from([[1.0], [2.0]]), Tensor::from([[3.0], [4.0]]));
/// let y = mm_gemm(&a, &b, Op::Transpose, Op::None, 10, 0, None)?;
/// assert_eq!(y.to_vec::<f64>()?, [110.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn mm_gemm(
    a: &Tensor,
    b: &Tensor,
    op_a: Op,
    op_b: Op,
    alpha: impl Into<Scalar>,
    beta: impl Into<Scalar>,
    c: Option<&Tensor>,
) -> Result<Tensor> {
    let sum = c.map(|c| (beta.into(), c));
    gemm("mm_gemm", (a, op_a), (b, op_b), alpha.into(), sum)
}
