//! The Cholesky factor.

use super::field::{Field, with_field, workspace};
use super::operand::{
    Finite, Verdicts, adjoint, are_finite, columns, launch, lead, real_diagonal, sides, squares,
};
use super::stack::{Member, Stack};
use crate::device::{DeviceId, Kernel, Launch};
use crate::error::{Result, Unfit};
use crate::grad;
use crate::ops::moves::arg;
use crate::ops::rearrange::tril;
use crate::tensor::Tensor;
use faer::dyn_stack::MemStack;
use faer::linalg::cholesky::llt::factor::{self, LltError};
use faer::{Par, Spec};

/// `a = L L^H` for Hermitian positive definite matrices, of which the lower triangle is read.
///
/// Input `a: [.., n, n]` of a floating type of at least 32 bits, any strides, finite on the host. Outputs: `L: [.., n, n]` of its type,
/// each column without gaps, with zeros above the diagonal; and what is wrong, `int32`,
/// `[..]` row-major: 0, or the order of a leading minor that is not positive; `L` is arbitrary there.
pub static CHOLESKY: Kernel = Kernel {
    name: "cholesky",
    cpu: run,
};

/// One of the two triangles of a square matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Triangle {
    /// On and below the diagonal.
    Lower,
    /// On and above it.
    Upper,
}

/// # Safety
/// As [`CHOLESKY`] says.
unsafe fn run(launch: &Launch) -> Result<()> {
    // SAFETY: the caller's promise, for the element type that the operands have.
    with_field!("cholesky", launch.inputs[0].dtype, T => unsafe { factors::<T>(launch) })
}

/// # Safety
/// As [`CHOLESKY`] says, with elements of type `T`.
unsafe fn factors<T: Field>(launch: &Launch) -> Result<()> {
    let (a, l, info) = (&launch.inputs[0], &launch.outputs[0], &launch.outputs[1]);
    let n = a.layout.shape()[a.layout.ndim() - 1];
    let stack = Stack::of(
        &[(a, Member::Matrix)],
        &[(l, Member::Matrix), (info, Member::Number)],
    );
    stack.for_each(n * n * n / 6, move |stack, at| {
        // SAFETY: the members of this place, of which only this call has those of the outputs.
        let (a, mut l) = unsafe { (stack.matrix::<T>(0, at), stack.matrix_mut::<T>(1, at)) };
        l.copy_from_triangular_lower(a);
        let wanted = factor::cholesky_in_place_scratch::<T>(n, Par::Seq, Spec::default());
        let mut memory = workspace::<T>(wanted, n, n)?;
        let outcome = factor::cholesky_in_place(
            l.as_mut(),
            Default::default(),
            Par::Seq,
            MemStack::new(&mut memory),
            Spec::default(),
        );
        // The library works in the other triangle too.
        for j in 1..n {
            l.as_mut().col_mut(j).subrows_mut(0, j).fill(T::zero_impl());
        }
        // The diagonal is real; sums of products with their conjugates are so but for rounding.
        for j in 0..n {
            let pivot = &mut l[(j, j)];
            *pivot = T::from_real_impl(&T::real_part_impl(pivot));
        }
        let order = match outcome {
            Ok(_) => 0,
            Err(LltError::NonPositivePivot { index }) => index as i32 + 1,
        };
        // SAFETY: the number of this place.
        unsafe { stack.put(2, at, order) };
        Ok(())
    })
}

/// The Cholesky factors of Hermitian positive definite matrices: `[.., n, n] -> [.., n, n]`, `a = L L^H` with L lower
/// triangular, or `a = U^H U` with U upper triangular. Only that triangle of `a` is read, and the diagonal's real part.
///
/// Integers and `bool` are taken as `float64`.
///
/// Errors: [`Error::Matrix`](crate::Error::Matrix) with the first matrix that is not positive definite, or not finite;
/// [`Error::Shape`](crate::Error::Shape) where the last two axes differ; [`Error::DType`](crate::Error::DType) for `float16`
/// and `bfloat16`.
///
/// ```
/// use syntonic_core::{Tensor, ops::linalg::{Triangle, cholesky}};
///
/// let a = Tensor::from_slice(&[4.0, 2.0, 2.0, 5.0], &[2, 2])?;
/// assert_eq!(cholesky(&a, Triangle::Lower)?.to_vec::<f64>()?, [2.0, 0.0, 1.0, 2.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn cholesky(a: &Tensor, triangle: Triangle) -> Result<Tensor> {
    const OP: &str = "cholesky";
    let a = squares(OP, a)?;
    // A triangle that is not read may hold anything.
    let read = match triangle {
        Triangle::Lower => real_diagonal(&a)?,
        Triangle::Upper => real_diagonal(&adjoint(&a)?)?,
    };
    if a.is_tracked() {
        return grad::cholesky(&a, triangle);
    }
    let (n, _) = sides(&a);
    let l = columns(OP, lead(&a), (n, n), a.dtype(), a.device())?;
    if l.numel() == 0 {
        return Ok(l);
    }
    let given = tril(&read, 0)?;
    let is_host = l.device_id() == DeviceId::Cpu;
    if is_host {
        Finite::or_error(OP, &given)?;
    }
    let verdicts = Verdicts::new(OP, lead(&a), a.device())?;
    let outputs = vec![arg(&l)?, verdicts.arg()?];
    // SAFETY: the input is a stack of square matrices, with a finite triangle where the host decomposes it; the outputs are fresh and have its
    // lengths.
    unsafe { launch(&CHOLESKY, &l, vec![arg(&read)?], outputs)? };
    let not_positive = |order| Unfit::NotPositiveDefinite { order };
    // Elsewhere all is on its way before the host waits, once.
    let verdicts = match is_host {
        true => verdicts,
        false => verdicts.of_finite(&are_finite(&given)?)?,
    };
    verdicts.judge(OP, &a, not_positive)?;
    match triangle {
        Triangle::Lower => Ok(l),
        Triangle::Upper => adjoint(&l),
    }
}
