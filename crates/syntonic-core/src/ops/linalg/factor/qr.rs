//! QR by Householder reflections.

use super::field::{Field, identity, with_field, workspace};
use super::operand::{Finite, columns, identities, launch, lead, matrices, sides};
use super::stack::{Member, Stack};
use crate::device::{DeviceId, Kernel, Launch};
use crate::error::Result;
use crate::grad;
use crate::ops::moves::arg;
use crate::ops::rearrange::triu;
use crate::room;
use crate::tensor::Tensor;
use faer::dyn_stack::{MemStack, StackReq};
use faer::linalg::householder::{
    apply_block_householder_sequence_on_the_left_in_place_scratch as reflections_scratch,
    apply_block_householder_sequence_on_the_left_in_place_with_conj as reflect,
};
use faer::linalg::qr::no_pivoting::factor;
use faer::{Conj, MatMut, Par, Spec};

/// `a = Q R` with orthonormal columns in Q and R upper triangular.
///
/// Input `a: [.., m, n]` of a floating type of at least 32 bits, any strides, finite. Outputs of its type, each column without
/// gaps: `Q: [.., m, p]` and `R: [.., p, n]`, where p is m or the smaller of m and n. Below the diagonal of R the host
/// writes zeros, and other devices anything.
pub static QR: Kernel = Kernel {
    name: "qr",
    cpu: run,
};

/// How many columns of an orthogonal factor are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Columns {
    /// Those that the product needs: the smaller of m and n.
    Reduced,
    /// All, so that the factor is square.
    Complete,
}

/// The factors of [`qr`].
#[derive(Clone, Debug)]
pub struct Qr {
    /// Orthonormal columns: `[.., m, p]`.
    pub q: Tensor,
    /// Upper triangular: `[.., p, n]`.
    pub r: Tensor,
}

/// # Safety
/// As [`QR`] says.
unsafe fn run(launch: &Launch) -> Result<()> {
    // SAFETY: the caller's promise, for the element type that the operands have.
    with_field!("qr", launch.inputs[0].dtype, T => unsafe { factors::<T>(launch) })
}

/// # Safety
/// As [`QR`] says, with elements of type `T`.
unsafe fn factors<T: Field>(launch: &Launch) -> Result<()> {
    let (a, q, r) = (&launch.inputs[0], &launch.outputs[0], &launch.outputs[1]);
    let shape = a.layout.shape();
    let (m, n) = (shape[shape.len() - 2], shape[shape.len() - 1]);
    let (p, least) = (q.layout.shape()[q.layout.ndim() - 1], m.min(n));
    let block = factor::recommended_block_size::<T>(m, n);
    let stack = Stack::of(
        &[(a, Member::Matrix)],
        &[(q, Member::Matrix), (r, Member::Matrix)],
    );
    stack.for_each(m * n * least + m * p * least, move |stack, at| {
        // SAFETY: the members of this place, of which only this call has those of the outputs.
        let (a, mut q, mut r) = unsafe {
            (
                stack.matrix::<T>(0, at),
                stack.matrix_mut::<T>(1, at),
                stack.matrix_mut::<T>(2, at),
            )
        };
        let mut packed = room::filled(m * n, T::zero_impl())?;
        let mut packed = MatMut::from_column_major_slice_mut(&mut packed, m, n);
        packed.copy_from(a);
        let mut blocks = room::filled(block * least, T::zero_impl())?;
        let mut blocks = MatMut::from_column_major_slice_mut(&mut blocks, block, least);
        let wanted = StackReq::any_of(&[
            factor::qr_in_place_scratch::<T>(m, n, block, Par::Seq, Spec::default()),
            reflections_scratch::<T>(m, block, p),
        ]);
        let mut memory = workspace::<T>(wanted, m, n.max(p))?;
        let memory = MemStack::new(&mut memory);
        factor::qr_in_place(
            packed.as_mut(),
            blocks.as_mut(),
            Par::Seq,
            memory,
            Spec::default(),
        );
        r.fill(T::zero_impl());
        for j in 0..n {
            for i in 0..least.min(j + 1) {
                r[(i, j)] = packed[(i, j)];
            }
        }
        identity(q.as_mut());
        let basis = packed.as_ref().submatrix(0, 0, m, least);
        reflect(basis, blocks.as_ref(), Conj::No, q, Par::Seq, memory);
        Ok(())
    })
}

/// QR factors: `[.., m, n] -> [.., m, p], [.., p, n]`, `a = Q R`, where p is the smaller of m and n for reduced factors and m
/// for complete ones.
///
/// Integers and `bool` are taken as `float64`. Where a matrix is not finite, both factors are NaN. The diagonal of R may have
/// any sign.
///
/// On a tape, the first columns, as many as there are rows, must be independent, and the phases of a complex R count as fixed. Complete
/// factors of a matrix with more rows than columns have no gradient.
///
/// Errors: [`Error::Gradient`](crate::Error::Gradient) as said; [`Error::Shape`](crate::Error::Shape) for fewer than two axes;
/// [`Error::DType`](crate::Error::DType) for `float16` and `bfloat16`.
///
/// ```
/// use syntonic_core::ops::linalg::{Columns, qr};
/// use syntonic_core::prelude::*;
///
/// let a = Tensor::from([[3.0, 1.0], [4.0, 2.0], [0.0, 2.0]]);
/// let found = qr(&a, Columns::Reduced)?;
/// assert_eq!((found.q.shape(), found.r.shape()), (&[3, 2][..], &[2, 2][..]));
/// let off = (found.q.matmul(&found.r)? - &a).abs()?;
/// assert!(off.max(..)?.to_scalar::<f64>()? < 1e-14);
/// assert!((found.r.index((0, 0))?.to_scalar::<f64>()?.abs() - 5.0).abs() < 1e-14);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn qr(a: &Tensor, mode: Columns) -> Result<Qr> {
    const OP: &str = "qr";
    let a = matrices(OP, a)?;
    if a.is_tracked() {
        return grad::qr(&a, mode);
    }
    let ((m, n), lead) = (sides(&a), lead(&a));
    let p = match mode {
        Columns::Reduced => m.min(n),
        Columns::Complete => m,
    };
    let (dtype, device) = (a.dtype(), a.device());
    let r = columns(OP, lead, (p, n), dtype, device)?;
    if r.numel() == 0 {
        // No column to reflect.
        let q = if p == m {
            identities(OP, lead, m, dtype, device)?
        } else {
            columns(OP, lead, (m, p), dtype, device)?
        };
        return Ok(Qr { q, r });
    }
    let q = columns(OP, lead, (m, p), dtype, device)?;
    let finite = Finite::or_nan(&a)?;
    // SAFETY: the input is a stack of finite matrices, the outputs are fresh and have the lengths that belong to it.
    unsafe { launch(&QR, &q, vec![arg(&finite.given)?], vec![arg(&q)?, arg(&r)?])? };
    let r = match r.device_id() {
        DeviceId::Cpu => r,
        _ => triu(&r, 0)?,
    };
    Ok(Qr {
        q: finite.mark(q, 2)?,
        r: finite.mark(r, 2)?,
    })
}
