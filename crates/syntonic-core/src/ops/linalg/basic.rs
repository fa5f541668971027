//! Products that are a matrix product after a change of view, and sums along diagonals.

use super::matmul::{common_type, multiply};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::fuse::Prim;
use crate::layout::{Dims, broadcast_pair, check_ndim, count, normalize_axis};
use crate::ops::elementwise::apply;
use crate::ops::reduce::{Over, sum};
use crate::tensor::{Tensor, describe};

/// A stack of matrix products: `[b, m, k], [b, k, n] -> [b, m, n]`, without broadcasting.
///
/// Errors where an operand has not exactly three axes, the lengths differ, and as
/// [`super::matmul`].
///
/// ```
/// use syntonic_core::ops::linalg::bmm;
/// use syntonic_core::prelude::*;
///
/// let a = Tensor::from([[[1, 2]], [[3, 4]]]);
/// let b = Tensor::from([[[10], [1]], [[1], [10]]]);
/// let c = bmm(&a, &b)?;
/// assert_eq!((c.shape(), c.to_vec::<i32>()?), (&[2, 1, 1][..], vec![12, 43]));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn bmm(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let (a, b) = common_type("bmm", a, b)?;
    if a.ndim() != 3 || b.ndim() != 3 || a.shape()[0] != b.shape()[0] {
        return Err(Error::Shape {
            op: "bmm",
            operands: describe(&[&a, &b]),
            hint: "bmm takes [b, m, k] and [b, k, n]; matmul broadcasts".into(),
        });
    }
    multiply("bmm", &a, &b)
}

/// A matrix times a vector, `[m, k], [k] -> [m]`. Errors for other numbers of axes and as
/// [`super::matmul`].
///
/// ```
/// use syntonic_core::ops::linalg::gemv;
/// use syntonic_core::prelude::*;
///
/// let a = Tensor::from([[1.0, 2.0], [3.0, 4.0]]);
/// assert_eq!(gemv(&a, &Tensor::from([10.0, 1.0]))?.to_vec::<f64>()?, [12.0, 34.0]);
/// assert!(gemv(&a, &a).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn gemv(a: &Tensor, x: &Tensor) -> Result<Tensor> {
    if a.ndim() != 2 || x.ndim() != 1 {
        return Err(Error::Shape {
            op: "gemv",
            operands: describe(&[a, x]),
            hint: "gemv takes [m, k] and [k]; matmul takes stacks".into(),
        });
    }
    super::matmul(a, x)
}

/// The inner products `sum_i conj(a_i) b_i` along `axis`: `[.., k], [.., k] -> [..]`; the other
/// axes broadcast.
///
/// Errors where the lengths along `axis` differ or an operand lacks it, and as [`super::matmul`].
///
/// ```
/// use syntonic_core::ops::linalg::vecdot;
/// use syntonic_core::prelude::*;
///
/// let a = Tensor::from([[1, 2], [3, 4]]);
/// assert_eq!(vecdot(&a, &Tensor::from([10, 1]), -1)?.to_vec::<i32>()?, [12, 34]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn vecdot(a: &Tensor, b: &Tensor, axis: isize) -> Result<Tensor> {
    const OP: &str = "vecdot";
    let (a, b) = common_type(OP, a, b)?;
    let ndim = a.ndim().max(b.ndim());
    // Counted from the end, an axis is the same one of both operands.
    let axis = normalize_axis(OP, axis, ndim)? as isize - ndim as isize;
    let (i, j) = (
        normalize_axis(OP, axis, a.ndim())?,
        normalize_axis(OP, axis, b.ndim())?,
    );
    let fits = broadcast_pair(a.shape(), b.shape()).is_some();
    if a.shape()[i] != b.shape()[j] || !fits {
        return Err(Error::Shape {
            op: OP,
            operands: describe(&[&a, &b]),
            hint: format!("axis {axis} must have one length in both, the others must broadcast"),
        });
    }
    let a = if a.dtype().is_complex() {
        apply(Prim::Conj, &[(&a).into()])?
    } else {
        a
    };
    let row = to_end(&a, i)?.expand_dims(&[-2])?;
    let column = to_end(&b, j)?.expand_dims(&[-1])?;
    multiply(OP, &row, &column)?.squeeze(&[-2, -1])
}

/// The view with `axis` moved to the end.
fn to_end(x: &Tensor, axis: usize) -> Result<Tensor> {
    let others = (0..x.ndim()).filter(|&a| a != axis);
    let order: Vec<isize> = others.chain([axis]).map(|a| a as isize).collect();
    x.permute(&order)
}

/// The products of all pairs, `out[i, j] = a[i] b[j]`: `[m], [n] -> [m, n]`.
///
/// Errors where an operand has not exactly one axis, and as multiplication.
///
/// ```
/// use syntonic_core::ops::linalg::outer;
/// use syntonic_core::prelude::*;
///
/// let y = outer(&Tensor::from([1, 2]), &Tensor::from([3, 4, 5]))?;
/// assert_eq!((y.shape(), y.to_vec::<i32>()?), (&[2, 3][..], vec![3, 4, 5, 6, 8, 10]));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn outer(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    if a.ndim() != 1 || b.ndim() != 1 {
        return Err(Error::Shape {
            op: "outer",
            operands: describe(&[a, b]),
            hint: "outer takes two vectors; reshape with -1 flattens".into(),
        });
    }
    let (column, row) = (a.expand_dims(&[1])?, b.expand_dims(&[0])?);
    apply(Prim::Mul, &[(&column).into(), (&row).into()])
}

/// The Kronecker product `out[i p + k, ..] = a[i, ..] b[k, ..]` with `p` the length of `b`; shapes
/// are multiplied axis by axis, after the shorter one gets leading axes of length 1.
///
/// Errors as multiplication.
///
/// ```
/// use syntonic_core::ops::linalg::kron;
/// use syntonic_core::prelude::*;
///
/// let y = kron(&Tensor::from([1, 10]), &Tensor::from([3, 4]))?;
/// assert_eq!(y.to_vec::<i32>()?, [3, 4, 30, 40]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn kron(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let ndim = a.ndim().max(b.ndim());
    // Between the factors and the result lies a tensor with the axes of both.
    check_ndim("kron", 2 * ndim)?;
    let padded = |x: &Tensor| {
        let lead = vec![1isize; ndim - x.ndim()];
        let all: Vec<isize> = lead
            .into_iter()
            .chain(x.shape().iter().map(|&d| d as isize))
            .collect();
        x.reshape(&all)
    };
    let (a, b) = (padded(a)?, padded(b)?);
    let shape: Dims = (0..ndim)
        .map(|i| a.shape()[i].saturating_mul(b.shape()[i]))
        .collect();
    count("kron", &shape)?;
    let shape: Vec<isize> = shape.iter().map(|&len| len as isize).collect();
    let odd: Vec<isize> = (0..ndim as isize).map(|i| 2 * i + 1).collect();
    let even: Vec<isize> = (0..ndim as isize).map(|i| 2 * i).collect();
    let (a, b) = (a.expand_dims(&odd)?, b.expand_dims(&even)?);
    apply(Prim::Mul, &[(&a).into(), (&b).into()])?.reshape(&shape)
}

/// Which axes [`tensordot`] sums over.
#[derive(Clone, Copy, Debug)]
pub enum Contract<'a> {
    /// The last so many of the first operand with the first so many of the second.
    Last(usize),
    /// These of the first operand with those of the second, pair by pair.
    Pairs(&'a [isize], &'a [isize]),
}

/// The sum of products over pairs of axes: the free axes of `a`, then those of `b`, remain.
///
/// Errors where the pairs differ in number or length, an axis is out of range or named twice, and as
/// [`super::matmul`].
///
/// ```
/// use syntonic_core::ops::linalg::{Contract, tensordot};
/// use syntonic_core::prelude::*;
///
/// let a = Tensor::ones(&[2, 3, 4], DType::F64)?;
/// let b = Tensor::ones(&[3, 4, 5], DType::F64)?;
/// let c = tensordot(&a, &b, Contract::Last(2))?;
/// assert_eq!((c.shape(), c.index((0, 0))?.to_scalar::<f64>()?), (&[2, 5][..], 12.0));
/// assert_eq!(tensordot(&a, &b, Contract::Pairs(&[1], &[0]))?.shape(), [2, 4, 4, 5]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn tensordot(a: &Tensor, b: &Tensor, over: Contract<'_>) -> Result<Tensor> {
    const OP: &str = "tensordot";
    let (a, b) = common_type(OP, a, b)?;
    let fail = |hint: String| Error::Shape {
        op: OP,
        operands: describe(&[&a, &b]),
        hint,
    };
    let (left, right) = match over {
        Contract::Last(n) if n > a.ndim().min(b.ndim()) => {
            return Err(fail(format!(
                "{n} axes to sum over are more than there are"
            )));
        }
        Contract::Last(n) => ((a.ndim() - n..a.ndim()).collect(), (0..n).collect()),
        Contract::Pairs(l, r) => (in_order(OP, l, a.ndim())?, in_order(OP, r, b.ndim())?),
    };
    let lengths =
        |x: &Tensor, axes: &[usize]| -> Vec<usize> { axes.iter().map(|&i| x.shape()[i]).collect() };
    let (p, q) = (lengths(&a, &left), lengths(&b, &right));
    if p != q {
        return Err(fail(format!(
            "the summed axes have lengths {p:?} and {q:?}, which must agree"
        )));
    }
    let (free_a, free_b) = (others(&left, a.ndim()), others(&right, b.ndim()));
    let k = p.iter().product::<usize>();
    let rows: usize = lengths(&a, &free_a).iter().product();
    let cols: usize = lengths(&b, &free_b).iter().product();
    let x = gathered(&a, &[&free_a, &left], &[rows, k])?;
    let y = gathered(&b, &[&right, &free_b], &[k, cols])?;
    let mut shape = lengths(&a, &free_a);
    shape.extend(lengths(&b, &free_b));
    let shape: Vec<isize> = shape.iter().map(|&d| d as isize).collect();
    multiply(OP, &x, &y)?.reshape(&shape)
}

/// Axes as indices in the order given, each once.
fn in_order(op: &'static str, axes: &[isize], ndim: usize) -> Result<Vec<usize>> {
    crate::layout::normalize_axes(op, axes, ndim)?;
    axes.iter().map(|&a| normalize_axis(op, a, ndim)).collect()
}

fn others(axes: &[usize], ndim: usize) -> Vec<usize> {
    (0..ndim).filter(|i| !axes.contains(i)).collect()
}

/// The groups of axes one after the other, each group joined to one axis of the given length.
pub(super) fn gathered(x: &Tensor, groups: &[&[usize]], lengths: &[usize]) -> Result<Tensor> {
    let order: Vec<isize> = groups.concat().iter().map(|&a| a as isize).collect();
    let shape: Vec<isize> = lengths.iter().map(|&d| d as isize).collect();
    x.permute(&order)?.reshape(&shape)
}

/// The last two axes exchanged: `[.., m, n] -> [.., n, m]`, a view. Errors below two axes.
///
/// ```
/// use syntonic_core::ops::linalg::matrix_transpose;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::zeros(&[5, 2, 3], DType::F32)?;
/// assert_eq!(matrix_transpose(&x)?.shape(), [5, 3, 2]);
/// assert!(matrix_transpose(&Tensor::from([1, 2])).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn matrix_transpose(x: &Tensor) -> Result<Tensor> {
    check_matrix("matrix_transpose", x)?;
    x.transpose(-2, -1)
}

/// The sum of diagonal `k` of the last two axes: `[.., m, n] -> [..]`.
///
/// Integers are summed in 64 bits unless `dtype` says otherwise. Errors below two axes.
///
/// ```
/// use syntonic_core::ops::linalg::trace;
/// use syntonic_core::prelude::*;
///
/// let a = Tensor::from([[1, 2], [3, 4]]);
/// assert_eq!(trace(&a, 0, None)?.to_scalar::<i64>()?, 5);
/// assert_eq!(trace(&a, 1, None)?.to_scalar::<i64>()?, 2);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn trace(x: &Tensor, k: isize, dtype: Option<DType>) -> Result<Tensor> {
    check_matrix("trace", x)?;
    sum(&x.diagonal(k, -2, -1)?, &Over::axes(&[-1]), dtype)
}

fn check_matrix(op: &'static str, x: &Tensor) -> Result<()> {
    if x.ndim() >= 2 {
        return Ok(());
    }
    Err(Error::Shape {
        op,
        operands: describe(&[x]),
        hint: "a matrix has two axes; expand_dims gives a vector a second one".into(),
    })
}
