//! Systems of linear equations and inverses.

use super::field::{Field, with_field, workspace};
use super::lu::Rows;
use super::operand::{
    Finite, Verdicts, columns, field_of, identities, launch, lead, shape_of, sides, squares,
};
use super::stack::{Member, Stack};
use crate::device::{Kernel, Launch};
use crate::error::{Error, Result, Unfit};
use crate::grad;
use crate::layout::{Dims, broadcast_pair};
use crate::ops::moves::arg;
use crate::room;
use crate::tensor::{Tensor, describe};
use faer::dyn_stack::MemStack;
use faer::linalg::lu::partial_pivoting::solve as by_factors;
use faer::{MatMut, Par};

/// `a x = b` for square matrices `a`, by LU with partial pivoting.
///
/// Inputs `a: [.., n, n]`, finite, and `b: [.., n, k]`; outputs `x: [.., n, k]`, each column without gaps, and what is wrong,
/// `int32`, `[..]` row-major: 0, or which pivot is 0, counted from 1; `x` is arbitrary there. The first three have one
/// floating type of at least 32 bits, and all the same leading lengths; inputs have any strides.
pub static SOLVE: Kernel = Kernel {
    name: "solve",
    cpu: run,
};

/// # Safety
/// As [`SOLVE`] says.
unsafe fn run(launch: &Launch) -> Result<()> {
    // SAFETY: the caller's promise, for the element type that the operands have.
    with_field!("solve", launch.inputs[0].dtype, T => unsafe { solutions::<T>(launch) })
}

/// # Safety
/// As [`SOLVE`] says, with elements of type `T`.
unsafe fn solutions<T: Field>(launch: &Launch) -> Result<()> {
    let (a, b) = (&launch.inputs[0], &launch.inputs[1]);
    let (x, info) = (&launch.outputs[0], &launch.outputs[1]);
    let shape = x.layout.shape();
    let (n, k) = (shape[shape.len() - 2], shape[shape.len() - 1]);
    let stack = Stack::of(
        &[(a, Member::Matrix), (b, Member::Matrix)],
        &[(x, Member::Matrix), (info, Member::Number)],
    );
    stack.for_each(n * n * (n / 3 + k), move |stack, at| {
        // SAFETY: the members of this place, of which only this call has those of the outputs.
        let (a, b, mut x) = unsafe {
            (
                stack.matrix::<T>(0, at),
                stack.matrix::<T>(1, at),
                stack.matrix_mut::<T>(2, at),
            )
        };
        let mut factors = room::filled(n * n, T::zero_impl())?;
        let mut lu = MatMut::from_column_major_slice_mut(&mut factors, n, n);
        lu.copy_from(a);
        x.copy_from(b);
        let mut rows = Rows::new(n)?;
        rows.eliminate(lu.as_mut())?;
        let zero = (0..n).position(|i| lu[(i, i)] == T::zero_impl());
        if zero.is_none() {
            let wanted = by_factors::solve_in_place_scratch::<usize, T>(n, k, Par::Seq);
            let mut memory = workspace::<T>(wanted, n, k)?;
            by_factors::solve_in_place(
                lu.as_ref(),
                lu.as_ref(),
                rows.order(),
                x,
                Par::Seq,
                MemStack::new(&mut memory),
            );
        }
        // SAFETY: the number of this place.
        unsafe { stack.put(3, at, zero.map_or(0, |i| i as i32 + 1)) };
        Ok(())
    })
}

/// The solutions of `a x = b`: `[.., n, n], [.., n, k] -> [.., n, k]`, leading axes broadcast; `b` may be one vector,
/// `[.., n, n], [n] -> [.., n]`.
///
/// By LU with partial pivoting. Integers and `bool` are taken as `float64`. Where a matrix is not finite, its solutions are NaN.
///
/// Errors: [`Error::Matrix`] with the first matrix that is singular; [`Error::Shape`] where the lengths do not fit;
/// [`Error::DType`] for `float16` and `bfloat16`; [`Error::Device`].
///
/// ```
/// use syntonic_core::{Tensor, ops::linalg::solve};
///
/// let a = Tensor::from_slice(&[3.0, 1.0, 1.0, 2.0], &[2, 2])?;
/// let b = Tensor::from_slice(&[9.0, 8.0], &[2])?;
/// assert_eq!(solve(&a, &b)?.to_vec::<f64>()?, [2.0, 3.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn solve(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    const OP: &str = "solve";
    let dtype = field_of(OP, &[a, b])?;
    let (x, y) = (squares(OP, &a.cast(dtype)?)?, b.cast(dtype)?);
    let fail = |hint: &str| Error::Shape {
        op: OP,
        operands: describe(&[a, b]),
        hint: hint.to_owned(),
    };
    let vector = y.ndim() == 1;
    if y.ndim() == 0 {
        return Err(fail("the right sides are [.., n, k], or one vector [n]"));
    }
    let y = if vector { y.expand_dims(&[-1])? } else { y };
    if sides(&y).0 != sides(&x).0 {
        return Err(fail(
            "there must be as many right sides as rows: [.., n, n] and [.., n, k] or [n]",
        ));
    }
    let fits = broadcast_pair(lead(&x), lead(&y)).is_some();
    if !fits {
        return Err(fail(
            "the leading axes, aligned from the right, must be equal or 1",
        ));
    }
    let out = if x.ndim() == 2 && y.ndim() > 2 {
        side_by_side(OP, &x, &y)?
    } else {
        solved(OP, &x, &y)?
    };
    if vector { out.squeeze(&[-1]) } else { Ok(out) }
}

/// The inverses of square matrices: `[.., n, n] -> [.., n, n]`.
///
/// The solutions of `a x = 1`. Where a matrix is not finite, the inverse is NaN. Errors as [`solve`].
///
/// ```
/// use syntonic_core::ops::linalg::inv;
/// use syntonic_core::prelude::*;
///
/// let a = Tensor::from([[2.0, 0.0], [0.0, 4.0]]);
/// assert_eq!(inv(&a)?.to_vec::<f64>()?, [0.5, 0.0, 0.0, 0.25]);
/// assert!(inv(&Tensor::from([[1.0, 1.0], [1.0, 1.0]])).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn inv(a: &Tensor) -> Result<Tensor> {
    const OP: &str = "inv";
    let a = squares(OP, a)?;
    let (n, _) = sides(&a);
    let one = identities(OP, &[], n, a.dtype(), a.device())?;
    solved(OP, &a, &one)
}

/// One matrix and a stack of right sides: all of them are columns of one system.
fn side_by_side(op: &'static str, a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let last = b.ndim() as isize - 1;
    // Rows to the front, and back.
    let mut there = vec![last - 1];
    there.extend((0..last - 1).chain([last]));
    // few: an axis each.
    let mut back: Vec<isize> = (1..last).collect();
    back.extend([0, last]);
    let rows_first = b.permute(&there)?;
    let shape: Dims = rows_first.shape().into();
    let columns = rows_first.layout().numel() / shape[0].max(1);
    let wide = rows_first.reshape(&[shape[0] as isize, columns as isize])?;
    let x = solved(op, a, &wide)?;
    let shape: Vec<isize> = shape.iter().map(|&len| len as isize).collect();
    x.reshape(&shape)?.permute(&back)
}

/// The solutions for operands of one type and fitting lengths.
pub(crate) fn solved(op: &'static str, a: &Tensor, b: &Tensor) -> Result<Tensor> {
    if grad::tracks(&[a, b]) {
        return grad::solved(op, a, b);
    }
    let (n, k) = sides(b);
    let all = broadcast_pair(lead(a), lead(b)).unwrap_or_default();
    let x = columns(op, &all, (n, k), a.dtype(), a.device())?;
    if x.numel() == 0 {
        return Ok(x);
    }
    let finite = Finite::or_nan(a)?;
    let verdicts = Verdicts::new(op, &all, a.device())?;
    let left = finite.given.broadcast_to(&shape_of(&all, &[n, n]))?;
    let right = b.broadcast_to(&shape_of(&all, &[n, k]))?;
    let inputs = vec![arg(&left)?, arg(&right)?];
    // SAFETY: the inputs are stacks of one type with the lengths that were checked, the matrices are finite, the outputs are
    // fresh.
    unsafe { launch(&SOLVE, &x, inputs, vec![arg(&x)?, verdicts.arg()?])? };
    verdicts.judge(op, a, |pivot| Unfit::Singular { pivot: pivot - 1 })?;
    finite.mark(x, 2)
}
