//! What the decompositions do with their operands and results: types, shapes, numbers that are not finite, and what a kernel
//! says of each matrix.

use crate::device::{Arg, Device, Kernel};
use crate::dtype::DType;
use crate::error::{Error, Result, Unfit, way_out};
use crate::fuse::Prim;
use crate::layout::{Dims, count};
use crate::ops::create::{arange, eye};
use crate::ops::elementwise::apply;
use crate::ops::moves::{self, arg};
use crate::ops::reduce::{self, Over};
use crate::room;
use crate::scalar::Scalar;
use crate::tensor::{Tensor, describe, same_device};
use std::sync::Arc;

/// The type in which these operands are decomposed: their common one, `float64` for integers and `bool`.
///
/// Errors where they are on different devices, or the type has half the digits that decompositions are made with.
pub(super) fn field_of(op: &'static str, operands: &[&Tensor]) -> Result<DType> {
    same_device(op, operands)?;
    let common = operands.iter().map(|t| t.dtype()).reduce(DType::promote);
    let dtype = common.unwrap_or(DType::F64).to_inexact();
    if dtype.is_half() {
        return Err(Error::DType {
            op,
            operands: describe(operands),
            hint: format!("{}, for instance to float32", way_out::CONVERT),
        });
    }
    Ok(dtype)
}

/// The operand as a stack of matrices of a type that has decompositions: `[.., m, n]`.
pub(super) fn matrices(op: &'static str, x: &Tensor) -> Result<Tensor> {
    let dtype = field_of(op, &[x])?;
    if x.ndim() < 2 {
        return Err(Error::Shape {
            op,
            operands: describe(&[x]),
            hint: "a matrix has two axes, behind those of a stack".into(),
        });
    }
    x.cast(dtype)
}

/// As [`matrices`], of square ones: `[.., n, n]`.
pub(super) fn squares(op: &'static str, x: &Tensor) -> Result<Tensor> {
    let out = matrices(op, x)?;
    let (rows, cols) = sides(x);
    if rows != cols {
        return Err(Error::Shape {
            op,
            operands: describe(&[x]),
            hint: format!("the last two axes have lengths {rows} and {cols}, which must agree"),
        });
    }
    Ok(out)
}

/// Rows and columns of a stack of matrices.
pub(super) fn sides(x: &Tensor) -> (usize, usize) {
    let shape = x.shape();
    (shape[shape.len() - 2], shape[shape.len() - 1])
}

/// The leading lengths of a stack of matrices.
pub(super) fn lead(x: &Tensor) -> &[usize] {
    &x.shape()[..x.ndim() - 2]
}

/// Leading lengths, followed by those of each member.
pub(super) fn shape_of(lead: &[usize], own: &[usize]) -> Dims {
    // few: an axis each.
    lead.iter().chain(own).copied().collect()
}

/// Memory for a stack of matrices, each of whose columns lies without gaps: so the libraries have them.
pub(super) fn columns(
    op: &'static str,
    lead: &[usize],
    (rows, cols): (usize, usize),
    dtype: DType,
    device: &Arc<dyn Device>,
) -> Result<Tensor> {
    Tensor::uninit(op, &shape_of(lead, &[cols, rows]), dtype, device)?.transpose(-2, -1)
}

/// The identity, for every place of the stack.
pub(super) fn identities(
    op: &'static str,
    lead: &[usize],
    n: usize,
    dtype: DType,
    device: &Arc<dyn Device>,
) -> Result<Tensor> {
    let shape = shape_of(lead, &[n, n]);
    count(op, &shape)?;
    eye(n, n, 0, dtype, device)?.broadcast_to(&shape)?.copy()
}

/// The conjugate transposes of a stack of matrices; a view of real ones.
pub(crate) fn adjoint(x: &Tensor) -> Result<Tensor> {
    conj(&x.transpose(-2, -1)?)
}

/// The complex conjugate; a real tensor is its own.
pub(crate) fn conj(x: &Tensor) -> Result<Tensor> {
    if x.dtype().is_complex() {
        apply(Prim::Conj, &[x.into()])
    } else {
        Ok(x.clone())
    }
}

/// Square matrices with the real parts of their diagonals, which are all that a Hermitian matrix has there: libraries differ in
/// whether they read the rest.
pub(super) fn real_diagonal(x: &Tensor) -> Result<Tensor> {
    if !x.dtype().is_complex() {
        return Ok(x.clone());
    }
    let (n, _) = sides(x);
    let row = arange(
        Scalar::Int(0),
        Scalar::Int(n as i128),
        Scalar::Int(1),
        Some(DType::I64),
        x.device(),
    )?;
    let on = apply(Prim::Eq, &[(&row).into(), (&row.expand_dims(&[1])?).into()])?;
    let real = x.real()?.cast(x.dtype())?;
    apply(Prim::Select, &[(&on).into(), (&real).into(), x.into()])
}

/// Matrices that kernels are given, which are finite.
pub(super) struct Finite {
    /// The matrices; the identity in place of each that is not finite.
    pub(super) given: Tensor,
    /// Which of them are, where not all are.
    kept: Option<Tensor>,
}

impl Finite {
    /// The matrices of a stack. For operators whose result is NaN where the matrix has one.
    pub(super) fn or_nan(x: &Tensor) -> Result<Finite> {
        let Some(kept) = strangers(x)? else {
            return Ok(Finite {
                given: x.clone(),
                kept: None,
            });
        };
        let (rows, cols) = sides(x);
        let harmless = eye(rows, cols, 0, x.dtype(), x.device())?;
        let mask = kept.expand_dims(&[-2, -1])?;
        let given = apply(
            Prim::Select,
            &[(&mask).into(), x.into(), (&harmless).into()],
        )?;
        Ok(Finite {
            given,
            kept: Some(kept),
        })
    }

    /// The matrices of a stack, or an error: for operators whose result means nothing where a number is missing.
    pub(super) fn or_error(op: &'static str, x: &Tensor) -> Result<Tensor> {
        let Some(kept) = strangers(x)? else {
            return Ok(x.clone());
        };
        let first = kept.to_vec::<bool>()?.iter().position(|&k| !k);
        Err(Error::Matrix {
            op,
            operand: x.describe(),
            at: place(first.unwrap_or(0), lead(x)),
            unfit: Unfit::NotFinite,
        })
    }

    /// What was computed of the matrices, with `own` axes for each: NaN where one was not finite.
    pub(super) fn mark(&self, result: Tensor, own: usize) -> Result<Tensor> {
        let Some(kept) = &self.kept else {
            return Ok(result);
        };
        let axes: Vec<isize> = (1..=own as isize).map(|k| -k).collect();
        let mask = kept.expand_dims(&axes)?;
        apply(
            Prim::Select,
            &[(&mask).into(), (&result).into(), f64::NAN.into()],
        )
    }
}

/// Whether each matrix of a stack is finite.
pub(super) fn are_finite(x: &Tensor) -> Result<Tensor> {
    let finite = apply(Prim::IsFinite, &[x.into()])?;
    reduce::all(&finite, &Over::axes(&[-2, -1]))
}

/// Which matrices of a stack are finite; nothing where all are.
fn strangers(x: &Tensor) -> Result<Option<Tensor>> {
    if x.numel() == 0 {
        return Ok(None);
    }
    let kept = are_finite(x)?;
    let all = if kept.ndim() == 0 {
        kept.item()?
    } else {
        reduce::all(&kept, &Over::all())?.item()?
    };
    Ok((!all.to_bool()).then_some(kept))
}

/// The place in a stack of what is `at` in row-major order.
fn place(mut at: usize, lead: &[usize]) -> Vec<usize> {
    // few: an axis each.
    let mut out = vec![0; lead.len()];
    for (place, &len) in out.iter_mut().zip(lead).rev() {
        *place = at % len.max(1);
        at /= len.max(1);
    }
    out
}

/// What a kernel says of each matrix: 0, or what is wrong with it. To be read once for a whole stack.
pub(super) struct Verdicts(Tensor);

/// What stands for a matrix that is not finite.
const NOT_FINITE: i32 = i32::MIN;

impl Verdicts {
    /// One for each place of the stack.
    pub(super) fn new(op: &'static str, lead: &[usize], device: &Arc<dyn Device>) -> Result<Self> {
        Ok(Verdicts(Tensor::uninit(op, lead, DType::I32, device)?))
    }

    /// As an operand of the kernel.
    pub(super) fn arg(&self) -> Result<Arg> {
        arg(&self.0)
    }

    /// The same, where a matrix that is not finite is wrong for that: for devices that look at both at once.
    pub(super) fn of_finite(&self, finite: &Tensor) -> Result<Self> {
        let otherwise = Scalar::Int(i128::from(NOT_FINITE));
        let all = apply(
            Prim::Select,
            &[finite.into(), (&self.0).into(), otherwise.into()],
        )?;
        Ok(Verdicts(all))
    }

    /// The error of the first matrix of `operand` that something is wrong with. Its stack may have been broadcast.
    pub(super) fn judge(
        &self,
        op: &'static str,
        operand: &Tensor,
        unfit: impl Fn(usize) -> Unfit,
    ) -> Result<()> {
        let all = self.0.host_slice::<i32>()?;
        let Some(first) = all.iter().position(|&info| info != 0) else {
            return Ok(());
        };
        let at = place(first, self.0.shape());
        let own = lead(operand);
        let at = &at[at.len() - own.len()..];
        let at = at.iter().zip(own).map(|(&i, &len)| i.min(len - 1));
        Err(Error::Matrix {
            op,
            operand: operand.describe(),
            // few: an axis each.
            at: at.collect(),
            unfit: match all[first] {
                NOT_FINITE => Unfit::NotFinite,
                other => unfit(other.unsigned_abs() as usize),
            },
        })
    }
}

/// Runs a kernel over stacks, unless there is nothing in them.
///
/// # Safety
/// As the kernel's contract says; the tensors behind the arguments live until this returns.
pub(super) unsafe fn launch(
    kernel: &Kernel,
    on: &Tensor,
    inputs: Vec<Arg>,
    outputs: Vec<Arg>,
) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe { moves::launch(kernel, on, inputs, outputs, vec![]) }
}

/// The values of a tensor of real numbers as they lie, on the host.
pub(super) fn on_host(x: &Tensor) -> Result<Vec<f64>> {
    room::copied(&x.cast(DType::F64)?.host_slice::<f64>()?)
}
