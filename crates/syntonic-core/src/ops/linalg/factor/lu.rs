//! LU with partial pivoting, and determinants, which are read off it.

use super::field::{Field, with_field, workspace};
use super::operand::{Finite, columns, launch, lead, shape_of, sides, squares};
use super::stack::{Member, Stack};
use crate::device::{Kernel, Launch};
use crate::dtype::DType;
use crate::error::Result;
use crate::fuse::Prim;
use crate::grad;
use crate::ops::create::arange;
use crate::ops::elementwise::apply;
use crate::ops::moves::arg;
use crate::ops::reduce::{self, Over};
use crate::room;
use crate::run::Axes;
use crate::scalar::Scalar;
use crate::tensor::Tensor;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::lu::partial_pivoting::factor;
use faer::perm::PermRef;
use faer::{MatMut, Par, Spec};

/// `P a = L U` by rows: the factors of square matrices.
///
/// Input `a: [.., n, n]` of a floating type of at least 32 bits, any strides, finite. Outputs: `lu: [.., n, n]` of its type,
/// each column without gaps, with U on and above the diagonal and L, whose diagonal is 1, below it; `pivots: [.., n]`,
/// `int64`, row-major: in step `i` the rows `i` and `pivots[i] - 1` were exchanged. A singular matrix has a 0 on the
/// diagonal, behind which there may be anything.
pub static LU: Kernel = Kernel {
    name: "lu",
    cpu: run,
};

/// # Safety
/// As [`LU`] says.
unsafe fn run(launch: &Launch) -> Result<()> {
    // SAFETY: the caller's promise, for the element type that the operands have.
    with_field!("lu", launch.inputs[0].dtype, T => unsafe { factors::<T>(launch) })
}

/// # Safety
/// As [`LU`] says, with elements of type `T`.
unsafe fn factors<T: Field>(launch: &Launch) -> Result<()> {
    let (a, lu, pivots) = (&launch.inputs[0], &launch.outputs[0], &launch.outputs[1]);
    let n = a.layout.shape()[a.layout.ndim() - 1];
    let stack = Stack::of(
        &[(a, Member::Matrix)],
        &[(lu, Member::Matrix), (pivots, Member::Vector)],
    );
    stack.for_each(n * n * n / 3, move |stack, at| {
        // SAFETY: the members of this place, of which only this call has those of the outputs.
        let (from, mut to, pivots) = unsafe {
            (
                stack.matrix::<T>(0, at),
                stack.matrix_mut::<T>(1, at),
                stack.vector::<i64>(2, at),
            )
        };
        to.copy_from(from);
        let mut rows = Rows::new(n)?;
        rows.eliminate(to)?;
        rows.pivots(pivots)
    })
}

/// The order of the rows after an elimination.
pub(super) struct Rows {
    forward: Vec<usize>,
    inverse: Vec<usize>,
}

impl Rows {
    pub(super) fn new(n: usize) -> Result<Rows> {
        Ok(Rows {
            forward: room::zeros(n)?,
            inverse: room::zeros(n)?,
        })
    }

    /// Replaces a square matrix by its factors.
    pub(super) fn eliminate<T: Field>(&mut self, a: MatMut<'_, T>) -> Result<()> {
        let n = a.nrows();
        let wanted = factor::lu_in_place_scratch::<usize, T>(n, n, Par::Seq, Spec::default());
        let mut memory: MemBuffer = workspace::<T>(wanted, n, n)?;
        factor::lu_in_place(
            a,
            &mut self.forward,
            &mut self.inverse,
            Par::Seq,
            MemStack::new(&mut memory),
            Spec::default(),
        );
        Ok(())
    }

    /// The order as the library takes it.
    pub(super) fn order(&self) -> PermRef<'_, usize> {
        PermRef::new_checked(&self.forward, &self.inverse, self.forward.len())
    }

    /// The order as exchanges of two rows, counted from 1.
    fn pivots(&self, to: &mut [i64]) -> Result<()> {
        // Which row is where, and where each is, while they are exchanged.
        let mut here = room::collected(0..to.len())?;
        let mut place = room::collected(0..to.len())?;
        for (i, pivot) in to.iter_mut().enumerate() {
            let (row, j) = (self.forward[i], place[self.forward[i]]);
            let other = here[i];
            (here[i], here[j]) = (row, other);
            (place[row], place[other]) = (i, j);
            *pivot = j as i64 + 1;
        }
        Ok(())
    }
}

/// The sign of a determinant and the logarithm of its magnitude.
#[derive(Clone, Debug)]
pub struct Slogdet {
    /// 1, -1 or 0; a complex number of magnitude 1, or 0: `[..]`.
    pub sign: Tensor,
    /// `ln |det a|`, real: `[..]`; minus infinity where the determinant is 0.
    pub logabsdet: Tensor,
}

/// The determinants of square matrices: `[.., n, n] -> [..]`, 1 for n = 0. NaN where a matrix is not finite.
///
/// The product of U's diagonal, with the sign of the order of the rows. Integers and `bool` give `float64`.
///
/// Errors where the last two axes differ, and for `float16` and `bfloat16`.
///
/// ```
/// use syntonic_core::ops::linalg::det;
/// use syntonic_core::prelude::*;
///
/// let a = Tensor::from([[[2.0, 0.0], [1.0, 4.0]], [[0.0, 1.0], [1.0, 0.0]]]);
/// assert_eq!(det(&a)?.to_vec::<f64>()?, [8.0, -1.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn det(a: &Tensor) -> Result<Tensor> {
    if a.is_tracked() {
        return grad::det(&squares("det", a)?);
    }
    let factors = Factors::of("det", a)?;
    let product = reduce::prod(&factors.diagonal, &Over::axes(&[-1]), None)?;
    let signed = apply(Prim::Mul, &[(&product).into(), (&factors.sign).into()])?;
    factors.finite.mark(signed, 0)
}

/// The determinants of square matrices as their sign and the logarithm of their magnitude, which do not overflow:
/// `[.., n, n] -> [..]` twice. NaN where a matrix is not finite.
///
/// Errors as [`det`].
///
/// ```
/// use syntonic_core::ops::linalg::slogdet;
/// use syntonic_core::prelude::*;
///
/// let a = Tensor::from([[0.0, 1e200], [1e200, 0.0]]);
/// let found = slogdet(&a)?;
/// assert_eq!(found.sign.to_scalar::<f64>()?, -1.0);
/// assert!((found.logabsdet.to_scalar::<f64>()? - 400.0 * 10f64.ln()).abs() < 1e-10);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn slogdet(a: &Tensor) -> Result<Slogdet> {
    if a.is_tracked() {
        return grad::slogdet(&squares("slogdet", a)?);
    }
    let factors = Factors::of("slogdet", a)?;
    let over = Over::axes(&[-1]);
    let units = apply(Prim::Sign, &[(&factors.diagonal).into()])?;
    let unit = reduce::prod(&units, &over, None)?;
    let sign = apply(Prim::Mul, &[(&unit).into(), (&factors.sign).into()])?;
    let sizes = apply(Prim::Abs, &[(&factors.diagonal).into()])?;
    let logabsdet = reduce::sum(&apply(Prim::Log, &[(&sizes).into()])?, &over, None)?;
    Ok(Slogdet {
        sign: factors.finite.mark(sign, 0)?,
        logabsdet: factors.finite.mark(logabsdet, 0)?,
    })
}

/// What determinants are made of.
struct Factors {
    /// That of U: `[.., n]`.
    diagonal: Tensor,
    /// 1, or -1 where the order of the rows is odd: `[..]`.
    sign: Tensor,
    finite: Finite,
}

impl Factors {
    fn of(op: &'static str, a: &Tensor) -> Result<Factors> {
        let a = squares(op, a)?;
        let (n, _) = sides(&a);
        let (lead, device) = (lead(&a), a.device());
        let finite = Finite::or_nan(&a)?;
        let lu = columns(op, lead, (n, n), a.dtype(), device)?;
        let pivots = Tensor::uninit(op, &shape_of(lead, &[n]), DType::I64, device)?;
        if lu.numel() > 0 {
            let outputs = vec![arg(&lu)?, arg(&pivots)?];
            // SAFETY: the input is a stack of finite square matrices, the outputs are fresh and have its lengths.
            unsafe { launch(&LU, &lu, vec![arg(&finite.given)?], outputs)? };
        }
        let still = arange(
            Scalar::Int(1),
            Scalar::Int(n as i128 + 1),
            Scalar::Int(1),
            Some(DType::I64),
            device,
        )?;
        let moved = apply(Prim::Ne, &[(&pivots).into(), (&still).into()])?;
        let turn = apply(
            Prim::Select,
            &[
                (&moved).into(),
                Scalar::Int(-1).into(),
                Scalar::Int(1).into(),
            ],
        )?;
        let sign = reduce::prod(&turn, &Over::axes(&[-1]), None)?;
        Ok(Factors {
            diagonal: settled(&lu.diagonal(0, -2, -1)?)?,
            sign: sign.cast(a.dtype())?,
            finite,
        })
    }
}

/// The diagonals of factors `[.., n]`, all zeros where the matrix is singular: behind a pivot of 0 an elimination divides by it,
/// and what comes then may be anything.
fn settled(diagonal: &Tensor) -> Result<Tensor> {
    let over = Over {
        axes: Some(vec![-1]),
        keep: Axes::Keep,
    };
    let regular = apply(Prim::Ne, &[diagonal.into(), 0.0.into()])?;
    let regular = reduce::all(&regular, &over)?;
    apply(
        Prim::Select,
        &[(&regular).into(), diagonal.into(), 0.0.into()],
    )
}
