//! Eigenvalues and eigenvectors of Hermitian matrices.

use super::cholesky::Triangle;
use super::field::{Field, Scaled, with_field, workspace};
use super::operand::{
    Finite, Verdicts, adjoint, columns, launch, lead, real_diagonal, shape_of, sides, squares,
};
use super::pinv::named;
use super::range::Ranged;
use super::stack::{Member, Stack};
use crate::device::{Kernel, Launch};
use crate::error::{Result, Unfit};
use crate::grad;
use crate::ops::moves::arg;
use crate::ops::rearrange::tril;
use crate::room;
use crate::tensor::Tensor;
use faer::diag::DiagMut;
use faer::dyn_stack::MemStack;
use faer::linalg::evd::{self as library, ComputeEigenvectors as Vectors};
use faer::{Par, Spec};

/// `a v = v diag(w)` for Hermitian matrices, of which the lower triangle is read; `w` ascending, `v` unitary.
///
/// Input `a: [.., n, n]` of a floating type of at least 32 bits, any strides, finite. Outputs: `w: [.., n]`, real, row-major;
/// what is wrong, `int32`, `[..]` row-major: 0, or not 0 where the iteration came to no end; and, if the vectors are wanted,
/// `v: [.., n, n]` of the type of `a`, each column without gaps.
pub static EIGH: Kernel = Kernel {
    name: "eigh",
    cpu: run,
};

/// Eigenvalues and eigenvectors.
#[derive(Clone, Debug)]
pub struct Eigen {
    /// The eigenvalues: `[.., n]`.
    pub eigenvalues: Tensor,
    /// The eigenvectors, as columns of length 1: `[.., n, n]`.
    pub eigenvectors: Tensor,
}

/// # Safety
/// As [`EIGH`] says.
unsafe fn run(launch: &Launch) -> Result<()> {
    // SAFETY: the caller's promise, for the element type that the operands have.
    with_field!("eigh", launch.inputs[0].dtype, T => unsafe { decompositions::<T>(launch) })
}

/// # Safety
/// As [`EIGH`] says, with elements of type `T`.
unsafe fn decompositions<T: Field>(launch: &Launch) -> Result<()> {
    let a = &launch.inputs[0];
    let n = a.layout.shape()[a.layout.ndim() - 1];
    let mut results = vec![
        (&launch.outputs[0], Member::Vector),
        (&launch.outputs[1], Member::Number),
    ];
    results.extend(launch.outputs[2..].iter().map(|v| (v, Member::Matrix)));
    let stack = Stack::of(&[(a, Member::Matrix)], &results);
    let (vectors, times) = match launch.outputs.len() {
        2 => (Vectors::No, 1),
        _ => (Vectors::Yes, 5),
    };
    stack.for_each(n * n * n * times, move |stack, at| {
        // SAFETY: the members of this place, of which only this call has those of the outputs.
        let (a, w) = unsafe { (stack.matrix::<T>(0, at), stack.vector::<T::Real>(1, at)) };
        let v = match vectors {
            Vectors::No => None,
            // SAFETY: as above.
            Vectors::Yes => Some(unsafe { stack.matrix_mut::<T>(3, at) }),
        };
        let scaled = Scaled::of(a)?;
        let mut values = room::filled(n, T::zero_impl())?;
        let wanted = library::self_adjoint_evd_scratch::<T>(n, vectors, Par::Seq, Spec::default());
        let mut memory = workspace::<T>(wanted, n, n)?;
        let outcome = library::self_adjoint_evd(
            scaled.matrix(),
            DiagMut::from_slice_mut(&mut values),
            v,
            Par::Seq,
            MemStack::new(&mut memory),
            Spec::default(),
        );
        for (w, value) in w.iter_mut().zip(values) {
            *w = scaled.back(value.part());
        }
        // SAFETY: the number of this place.
        unsafe { stack.put(2, at, i32::from(outcome.is_err())) };
        Ok(())
    })
}

/// The eigenvalues, real and ascending, and the eigenvectors of Hermitian matrices: `[.., n, n] -> [.., n], [.., n, n]`,
/// `a v = v diag(w)` with `v` unitary. Only the named triangle of `a` is read, and the diagonal's real part.
///
/// Integers and `bool` are taken as `float64`.
///
/// On a tape the triangle that is read has the gradient, and the other one zeros. Eigenvectors have a sign, and complex ones a phase,
/// that is nowhere said: only a loss that does not hang on it has a gradient that means something. Where eigenvalues are equal, so may
/// be any vectors of their space, and the gradient is infinite or NaN; that of the eigenvalues is finite.
///
/// Errors: [`Error::Matrix`](crate::Error::Matrix) with the first matrix whose triangle is not finite, or for which the
/// iteration came to no end; [`Error::Shape`](crate::Error::Shape) where the last two axes differ;
/// [`Error::DType`](crate::Error::DType) for `float16` and `bfloat16`.
///
/// ```
/// use syntonic_core::ops::linalg::{Triangle, eigh};
/// use syntonic_core::prelude::*;
///
/// let a = Tensor::from([[2.0, 1.0], [1.0, 2.0]]);
/// let found = eigh(&a, Triangle::Lower)?;
/// let off = (&found.eigenvalues - Tensor::from([1.0, 3.0])).abs()?;
/// assert!(off.max(..)?.to_scalar::<f64>()? < 1e-14);
/// let v = &found.eigenvectors;
/// let off = (a.matmul(v)? - v * &found.eigenvalues).abs()?;
/// assert!(off.max(..)?.to_scalar::<f64>()? < 1e-14);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn eigh(a: &Tensor, triangle: Triangle) -> Result<Eigen> {
    const OP: &str = "eigh";
    let a = squares(OP, a)?;
    if a.is_tracked() {
        return grad::eigh(&a, triangle);
    }
    let (n, _) = sides(&a);
    let v = columns(OP, lead(&a), (n, n), a.dtype(), a.device())?;
    let w = decompose(OP, &a, triangle, Some(&v))?;
    Ok(Eigen {
        eigenvalues: w,
        eigenvectors: v,
    })
}

/// The eigenvalues of Hermitian matrices, real and ascending: `[.., n, n] -> [.., n]`. Errors as [`eigh`].
///
/// ```
/// use syntonic_core::ops::linalg::{Triangle, eigvalsh};
/// use syntonic_core::prelude::*;
///
/// let a = Tensor::from([[2.0, 1.0], [1.0, 2.0]]);
/// let off = (eigvalsh(&a, Triangle::Upper)? - Tensor::from([1.0, 3.0])).abs()?;
/// assert!(off.max(..)?.to_scalar::<f64>()? < 1e-14);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn eigvalsh(a: &Tensor, triangle: Triangle) -> Result<Tensor> {
    const OP: &str = "eigvalsh";
    let a = squares(OP, a)?;
    if a.is_tracked() {
        return Ok(named(grad::eigh(&a, triangle), OP)?.eigenvalues);
    }
    decompose(OP, &a, triangle, None)
}

/// The eigenvalues of matrices; their vectors are written to what is given.
fn decompose(
    op: &'static str,
    a: &Tensor,
    triangle: Triangle,
    vectors: Option<&Tensor>,
) -> Result<Tensor> {
    let (n, _) = sides(a);
    let shape = shape_of(lead(a), &[n]);
    let w = Tensor::uninit(op, &shape, a.dtype().real(), a.device())?;
    if w.numel() == 0 {
        return Ok(w);
    }
    // The other triangle may hold anything.
    let read = match triangle {
        Triangle::Lower => tril(a, 0)?,
        Triangle::Upper => tril(&adjoint(a)?, 0)?,
    };
    let ranged = Ranged::of(&Finite::or_error(op, &real_diagonal(&read)?)?)?;
    let verdicts = Verdicts::new(op, lead(a), a.device())?;
    let mut outputs = vec![arg(&w)?, verdicts.arg()?];
    if let Some(v) = vectors {
        outputs.push(arg(v)?);
    }
    // SAFETY: the input is a stack of square matrices with a finite triangle, the outputs are fresh and have its lengths.
    unsafe { launch(&EIGH, &w, vec![arg(&ranged.given)?], outputs)? };
    verdicts.judge(op, a, |_| Unfit::NoConvergence)?;
    ranged.restore(w, 1)
}
