//! The singular value decomposition.

use super::field::{Field, Scaled, with_field, workspace};
use super::operand::{
    Finite, Verdicts, adjoint, columns, identities, launch, lead, matrices, shape_of, sides,
};
use super::pinv::named;
use super::qr::Columns;
use super::range::Ranged;
use super::stack::{Member, Stack};
use crate::device::{Kernel, Launch};
use crate::error::{Result, Unfit};
use crate::grad;
use crate::ops::moves::arg;
use crate::room;
use crate::tensor::Tensor;
use faer::diag::DiagMut;
use faer::dyn_stack::MemStack;
use faer::linalg::svd::{self as library, ComputeSvdVectors as Vectors};
use faer::{Par, Spec};

/// `a = U diag(s) V^H` with orthonormal columns in U and V, and `s` descending.
///
/// Input `a: [.., m, n]` of a floating type of at least 32 bits, any strides, finite. Outputs: `s: [.., k]`, real, row-major,
/// with k the smaller of m and n; what is wrong, `int32`, `[..]` row-major: 0, or not 0 where the iteration came to no end; and,
/// if the vectors are wanted, `U: [.., m, p]` and `V: [.., n, q]` of the type of `a`, each column without gaps, where p is m
/// and q is n, or both are k.
pub static SVD: Kernel = Kernel {
    name: "svd",
    cpu: run,
};

/// The factors of [`svd`].
#[derive(Clone, Debug)]
pub struct Svd {
    /// The left singular vectors, as columns: `[.., m, p]`.
    pub u: Tensor,
    /// The singular values, descending, real: `[.., k]`.
    pub s: Tensor,
    /// The right singular vectors, as conjugated rows: `[.., q, n]`.
    pub vh: Tensor,
}

/// # Safety
/// As [`SVD`] says.
unsafe fn run(launch: &Launch) -> Result<()> {
    // SAFETY: the caller's promise, for the element type that the operands have.
    with_field!("svd", launch.inputs[0].dtype, T => unsafe { factors::<T>(launch) })
}

/// # Safety
/// As [`SVD`] says, with elements of type `T`.
unsafe fn factors<T: Field>(launch: &Launch) -> Result<()> {
    let a = &launch.inputs[0];
    let shape = a.layout.shape();
    let (m, n) = (shape[shape.len() - 2], shape[shape.len() - 1]);
    let k = m.min(n);
    let mut results = vec![
        (&launch.outputs[0], Member::Vector),
        (&launch.outputs[1], Member::Number),
    ];
    results.extend(launch.outputs[2..].iter().map(|v| (v, Member::Matrix)));
    let stack = Stack::of(&[(a, Member::Matrix)], &results);
    let vectors = launch.outputs.len() > 2;
    let kind = |v: usize, side: usize| match launch.outputs.get(v) {
        None => Vectors::No,
        Some(v) if v.layout.shape()[v.layout.ndim() - 1] == side && side != k => Vectors::Full,
        Some(_) => Vectors::Thin,
    };
    let (left, right) = (kind(2, m), kind(3, n));
    let work = m * n * k * if vectors { 8 } else { 2 };
    stack.for_each(work, move |stack, at| {
        // SAFETY: the members of this place, of which only this call has those of the outputs.
        let (a, s) = unsafe { (stack.matrix::<T>(0, at), stack.vector::<T::Real>(1, at)) };
        let (mut u, mut v) = if vectors {
            // SAFETY: as above.
            unsafe {
                (
                    Some(stack.matrix_mut::<T>(3, at)),
                    Some(stack.matrix_mut::<T>(4, at)),
                )
            }
        } else {
            (None, None)
        };
        // Beside the vectors that belong to values the library reads what is there, and means zeros.
        for (side, vectors) in [(left, &mut u), (right, &mut v)] {
            if let (Vectors::Full, Some(vectors)) = (side, vectors) {
                vectors.as_mut().fill(T::zero_impl());
            }
        }
        let scaled = Scaled::of(a)?;
        let mut values = room::filled(k, T::zero_impl())?;
        let wanted = library::svd_scratch::<T>(m, n, left, right, Par::Seq, Spec::default());
        let mut memory = workspace::<T>(wanted, m, n)?;
        let outcome = library::svd(
            scaled.matrix(),
            DiagMut::from_slice_mut(&mut values),
            u,
            v,
            Par::Seq,
            MemStack::new(&mut memory),
            Spec::default(),
        );
        for (s, value) in s.iter_mut().zip(values) {
            *s = scaled.back(value.part());
        }
        // SAFETY: the number of this place.
        unsafe { stack.put(2, at, i32::from(outcome.is_err())) };
        Ok(())
    })
}

/// The singular value decomposition: `[.., m, n] -> [.., m, p], [.., k], [.., q, n]`, `a = U diag(s) V^H` with `s` real and
/// descending, k the smaller of m and n. Complete factors have p = m and q = n, reduced ones p = q = k.
///
/// Integers and `bool` are taken as `float64`.
///
/// On a tape, pairs of left and right vectors have a sign, and complex ones a phase, that is nowhere said: only a loss that does not hang on
/// it has a gradient that means something. Where singular values are equal, and where one is zero beside a longer side, the gradient
/// of the vectors is infinite or NaN; that of the values is finite. Complete factors have a gradient where they are square.
///
/// Errors: [`Error::Matrix`](crate::Error::Matrix) with the first matrix that is not finite, or for which the iteration came to
/// no end; [`Error::Gradient`](crate::Error::Gradient) as said; [`Error::Shape`](crate::Error::Shape) for fewer than two axes;
/// [`Error::DType`](crate::Error::DType) for `float16` and `bfloat16`.
///
/// ```
/// use syntonic_core::ops::linalg::{Columns, svd};
/// use syntonic_core::prelude::*;
///
/// let a = Tensor::from([[0.0, 2.0], [3.0, 0.0], [0.0, 0.0]]);
/// let found = svd(&a, Columns::Reduced)?;
/// let off = (&found.s - Tensor::from([3.0, 2.0])).abs()?;
/// assert!(off.max(..)?.to_scalar::<f64>()? < 1e-14);
/// let back = (&found.u * &found.s).matmul(&found.vh)?;
/// assert!((back - &a).abs()?.max(..)?.to_scalar::<f64>()? < 1e-14);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn svd(a: &Tensor, mode: Columns) -> Result<Svd> {
    const OP: &str = "svd";
    let a = matrices(OP, a)?;
    if a.is_tracked() {
        return grad::svd(&a, mode);
    }
    let ((m, n), dtype, device) = (sides(&a), a.dtype(), a.device());
    let (p, q) = match mode {
        Columns::Reduced => (m.min(n), m.min(n)),
        Columns::Complete => (m, n),
    };
    if m.min(n) == 0 {
        // No singular values; the vectors of complete factors may be any.
        let any = |side: usize, count: usize| match count {
            0 => columns(OP, lead(&a), (side, count), dtype, device),
            _ => identities(OP, lead(&a), side, dtype, device),
        };
        return Ok(Svd {
            u: any(m, p)?,
            s: values_of(OP, &a)?,
            vh: any(n, q)?.transpose(-2, -1)?,
        });
    }
    let u = columns(OP, lead(&a), (m, p), dtype, device)?;
    let v = columns(OP, lead(&a), (n, q), dtype, device)?;
    let s = decompose(OP, &a, Some((&u, &v)))?;
    let vh = adjoint(&v)?;
    Ok(Svd { u, s, vh })
}

/// The singular values, real and descending: `[.., m, n] -> [.., k]`. Errors as [`svd`].
///
/// ```
/// use syntonic_core::ops::linalg::svdvals;
/// use syntonic_core::prelude::*;
///
/// let a = Tensor::from([[0.0, -2.0], [3.0, 0.0]]);
/// let off = (svdvals(&a)? - Tensor::from([3.0, 2.0])).abs()?;
/// assert!(off.max(..)?.to_scalar::<f64>()? < 1e-14);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn svdvals(a: &Tensor) -> Result<Tensor> {
    const OP: &str = "svdvals";
    let a = matrices(OP, a)?;
    if a.is_tracked() {
        let plain = a.stop_gradient();
        return grad::singular_values(&a, &named(svd(&plain, Columns::Reduced), OP)?);
    }
    decompose(OP, &a, None)
}

/// Memory for the singular values of a stack.
fn values_of(op: &'static str, a: &Tensor) -> Result<Tensor> {
    let (m, n) = sides(a);
    let shape = shape_of(lead(a), &[m.min(n)]);
    Tensor::uninit(op, &shape, a.dtype().real(), a.device())
}

/// The singular values of matrices; their vectors are written to what is given.
fn decompose(op: &'static str, a: &Tensor, vectors: Option<(&Tensor, &Tensor)>) -> Result<Tensor> {
    let s = values_of(op, a)?;
    if s.numel() == 0 {
        return Ok(s);
    }
    let a = Finite::or_error(op, a)?;
    let ranged = Ranged::of(&a)?;
    let verdicts = Verdicts::new(op, lead(&a), a.device())?;
    let mut outputs = vec![arg(&s)?, verdicts.arg()?];
    if let Some((u, v)) = vectors {
        outputs.extend([arg(u)?, arg(v)?]);
    }
    // SAFETY: the input is a stack of finite matrices, the outputs are fresh and have the lengths that belong to it.
    unsafe { launch(&SVD, &s, vec![arg(&ranged.given)?], outputs)? };
    verdicts.judge(op, &a, |_| Unfit::NoConvergence)?;
    ranged.restore(s, 1)
}
