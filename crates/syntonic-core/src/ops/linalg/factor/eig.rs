//! Eigenvalues and eigenvectors of any square matrices.

use super::eigh::Eigen;
use super::field::{Field, Part, Scaled, workspace};
use super::operand::{Finite, Verdicts, columns, launch, lead, shape_of, sides, squares};
use super::range::Ranged;
use super::stack::{Member, Stack};
use crate::device::{Kernel, Launch};
use crate::dtype::DType;
use crate::error::{Error, Result, Unfit};
use crate::fuse::Prim;
use crate::grad;
use crate::ops::elementwise::apply;
use crate::ops::moves::arg;
use crate::ops::rearrange::roll;
use crate::tensor::Tensor;
use faer::diag::DiagMut;
use faer::dyn_stack::MemStack;
use faer::linalg::evd::{self as library, ComputeEigenvectors as Vectors, EvdError};
use faer::{MatMut, MatRef, Par, Spec};
use num_complex::Complex;

/// `a v = v diag(w)` for square matrices.
///
/// Input `a: [.., n, n]` of a floating type of at least 32 bits, any strides, finite. Outputs:
///
/// - the eigenvalues: for complex matrices `[.., n]` of their type, for real ones `[.., 2, n]` of theirs, the real parts
///   and then the imaginary ones; row-major. Of a pair of complex eigenvalues of a real matrix, which are neighbours, that with
///   the positive imaginary part comes first;
/// - what is wrong, `int32`, `[..]` row-major: 0, or not 0 where the iteration came to no end;
/// - if the vectors are wanted, `[.., n, n]` of the type of `a`, each column without gaps, of length 1. Of a pair of
///   eigenvalues, the first column has the real part of the first one's vector, and the second its imaginary part.
pub static EIG: Kernel = Kernel {
    name: "eig",
    cpu: run,
};

/// # Safety
/// As [`EIG`] says.
unsafe fn run(launch: &Launch) -> Result<()> {
    // SAFETY: the caller's promise, for the element type that the operands have.
    unsafe {
        match launch.inputs[0].dtype {
            DType::F32 => decompositions::<f32>(launch),
            DType::F64 => decompositions::<f64>(launch),
            DType::C64 => decompositions::<Complex<f32>>(launch),
            DType::C128 => decompositions::<Complex<f64>>(launch),
            other => Err(Error::value(
                "eig",
                format!("the kernel does not take {other}"),
            )),
        }
    }
}

/// An element type whose matrices have eigenvalues.
trait Eigenvalues: Field {
    /// Numbers that an eigenvalue is told in.
    const NUMBERS: usize;

    /// Decomposes one matrix.
    fn decompose(
        a: MatRef<'_, Self>,
        values: &mut [Self],
        vectors: Option<MatMut<'_, Self>>,
        memory: &mut MemStack,
    ) -> std::result::Result<(), EvdError>;

    /// A value of the scaled matrix as that of the given one.
    fn back(self, scaled: &Scaled<'_, Self>) -> Self;

    /// Brings pairs into order, and every vector to length 1.
    fn arrange(values: &mut [Self], vectors: Option<MatMut<'_, Self>>);
}

macro_rules! eigenvalues {
    ($($t:ident)*) => {$(
        impl Eigenvalues for $t {
            const NUMBERS: usize = 2;

            fn decompose(
                a: MatRef<'_, $t>,
                values: &mut [$t],
                vectors: Option<MatMut<'_, $t>>,
                memory: &mut MemStack,
            ) -> std::result::Result<(), EvdError> {
                let (re, im) = values.split_at_mut(a.nrows());
                let (re, im) = (DiagMut::from_slice_mut(re), DiagMut::from_slice_mut(im));
                library::evd_real(a, re, im, None, vectors, Par::Seq, memory, Spec::default())
            }

            fn back(self, scaled: &Scaled<'_, $t>) -> $t {
                scaled.back(self)
            }

            fn arrange(values: &mut [$t], vectors: Option<MatMut<'_, $t>>) {
                pairs(values, vectors);
            }
        }

        impl Eigenvalues for Complex<$t> {
            const NUMBERS: usize = 1;

            fn decompose(
                a: MatRef<'_, Complex<$t>>,
                values: &mut [Complex<$t>],
                vectors: Option<MatMut<'_, Complex<$t>>>,
                memory: &mut MemStack,
            ) -> std::result::Result<(), EvdError> {
                let values = DiagMut::from_slice_mut(values);
                library::evd_cplx(a, values, None, vectors, Par::Seq, memory, Spec::default())
            }

            fn back(self, scaled: &Scaled<'_, Complex<$t>>) -> Complex<$t> {
                Complex::new(scaled.back(self.re), scaled.back(self.im))
            }

            fn arrange(_: &mut [Complex<$t>], vectors: Option<MatMut<'_, Complex<$t>>>) {
                if let Some(mut vectors) = vectors {
                    for j in 0..vectors.ncols() {
                        normalise(&mut vectors, j, 1);
                    }
                }
            }
        }
    )*};
}
eigenvalues!(f32 f64);

/// Of each pair of eigenvalues of a real matrix the one with the positive imaginary part first; vectors of length 1.
fn pairs<T: Field>(values: &mut [T], mut vectors: Option<MatMut<'_, T>>) {
    let (_, im) = values.split_at_mut(values.len() / 2);
    let mut j = 0;
    while j < im.len() {
        let columns = if im[j] == T::zero_impl() || j + 1 == im.len() {
            1
        } else {
            2
        };
        if columns == 2 && im[j].part().wide() < 0.0 {
            im.swap(j, j + 1);
            // The vector of the other one is the conjugate.
            if let Some(vectors) = &mut vectors {
                for i in 0..vectors.nrows() {
                    vectors[(i, j + 1)] = vectors[(i, j + 1)].times(-1.0);
                }
            }
        }
        if let Some(vectors) = &mut vectors {
            normalise(vectors, j, columns);
        }
        j += columns;
    }
}

/// Brings a vector to length 1 that has its parts in this many columns from `j` on.
fn normalise<T: Field>(vectors: &mut MatMut<'_, T>, j: usize, columns: usize) {
    let all = || (j..j + columns).flat_map(|j| (0..vectors.nrows()).map(move |i| (i, j)));
    let largest = all().fold(0f64, |most, at| most.max(vectors[at].size()));
    if largest == 0.0 {
        return;
    }
    // Twice, since the reciprocal of a number at the edge of the range is beyond it.
    let by = 2f64.powi(-(largest.log2().floor() as i32).clamp(-1000, 1000));
    let squares = all().map(|at| {
        let x = vectors[at].times(by);
        let parts = x.to_scalar().to_complex();
        parts.norm_sqr()
    });
    let length = squares.sum::<f64>().sqrt();
    for j in j..j + columns {
        for i in 0..vectors.nrows() {
            vectors[(i, j)] = vectors[(i, j)].times(by).times(1.0 / length);
        }
    }
}

/// # Safety
/// As [`EIG`] says, with elements of type `T`.
unsafe fn decompositions<T: Eigenvalues>(launch: &Launch) -> Result<()> {
    let a = &launch.inputs[0];
    let n = a.layout.shape()[a.layout.ndim() - 1];
    // Both rows of the parts lie one after the other.
    let values = match T::NUMBERS {
        2 => Member::Matrix,
        _ => Member::Vector,
    };
    let mut results = vec![
        (&launch.outputs[0], values),
        (&launch.outputs[1], Member::Number),
    ];
    results.extend(launch.outputs[2..].iter().map(|v| (v, Member::Matrix)));
    let stack = Stack::of(&[(a, Member::Matrix)], &results);
    let (vectors, times) = match launch.outputs.len() {
        2 => (Vectors::No, 10),
        _ => (Vectors::Yes, 25),
    };
    stack.for_each(n * n * n * times, move |stack, at| {
        // SAFETY: the members of this place, of which only this call has those of the outputs.
        let (a, w) = unsafe {
            (
                stack.matrix::<T>(0, at),
                stack.run::<T>(1, at, T::NUMBERS * n),
            )
        };
        let mut v = match vectors {
            Vectors::No => None,
            // SAFETY: as above.
            Vectors::Yes => Some(unsafe { stack.matrix_mut::<T>(3, at) }),
        };
        let scaled = Scaled::of(a)?;
        let wanted = library::evd_scratch::<T>(n, Vectors::No, vectors, Par::Seq, Spec::default());
        let mut memory = workspace::<T>(wanted, n, n)?;
        w.fill(T::zero_impl());
        let outcome = T::decompose(
            scaled.matrix(),
            w,
            v.as_mut().map(|v| v.as_mut()),
            MemStack::new(&mut memory),
        );
        w.iter_mut().for_each(|w| *w = w.back(&scaled));
        T::arrange(w, v);
        // SAFETY: the number of this place.
        unsafe { stack.put(2, at, i32::from(outcome.is_err())) };
        Ok(())
    })
}

/// The eigenvalues and eigenvectors of square matrices, complex and in no order: `[.., n, n] -> [.., n], [.., n, n]`,
/// `a v = v diag(w)`, where each column of `v` has length 1.
///
/// A matrix that cannot be diagonalised has columns that depend on each other, as rounding errors leave them. Integers and
/// `bool` are taken as `float64`.
///
/// Errors: [`Error::Matrix`] with the first matrix that is not finite, or for which the iteration came to no end;
/// [`Error::Shape`] where the last two axes differ; [`Error::DType`] for `float16` and `bfloat16`.
///
/// ```
/// use syntonic_core::ops::linalg::eig;
/// use syntonic_core::prelude::*;
///
/// // A quarter turn has the eigenvalues i and -i.
/// let turn = Tensor::from([[0.0, -1.0], [1.0, 0.0]]);
/// let found = eig(&turn)?;
/// let product = turn.matmul(&found.eigenvectors)?;
/// let off = (product - &found.eigenvectors * &found.eigenvalues).abs()?;
/// assert!(off.max(..)?.to_scalar::<f64>()? < 1e-14);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn eig(a: &Tensor) -> Result<Eigen> {
    const OP: &str = "eig";
    grad::refuse(OP, &[a])?;
    let a = squares(OP, a)?;
    let (n, _) = sides(&a);
    let v = columns(OP, lead(&a), (n, n), a.dtype(), a.device())?;
    let (eigenvalues, parts) = decompose(OP, &a, Some(&v))?;
    let eigenvectors = match parts {
        Some(im) => unpacked(&v, &im)?,
        None => v.cast(a.dtype().complex())?,
    };
    Ok(Eigen {
        eigenvalues,
        eigenvectors,
    })
}

/// The eigenvalues of square matrices, complex and in no order: `[.., n, n] -> [.., n]`. Errors as [`eig`].
///
/// ```
/// use syntonic_core::ops::linalg::eigvals;
/// use syntonic_core::prelude::*;
///
/// let turn = Tensor::from([[0.0, -1.0], [1.0, 0.0]]);
/// let found = eigvals(&turn)?;
/// assert_eq!(found.dtype(), DType::C128);
/// assert!((found.prod(..)? - 1.0).abs()?.to_scalar::<f64>()? < 1e-14);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn eigvals(a: &Tensor) -> Result<Tensor> {
    const OP: &str = "eigvals";
    grad::refuse(OP, &[a])?;
    Ok(decompose(OP, &squares(OP, a)?, None)?.0)
}

/// The eigenvalues, and for real matrices their imaginary parts alone; vectors are written to what is given.
fn decompose(
    op: &'static str,
    a: &Tensor,
    vectors: Option<&Tensor>,
) -> Result<(Tensor, Option<Tensor>)> {
    let (n, _) = sides(a);
    let own: &[usize] = if a.dtype().is_complex() {
        &[n]
    } else {
        &[2, n]
    };
    let mut w = Tensor::uninit(op, &shape_of(lead(a), own), a.dtype(), a.device())?;
    if w.numel() > 0 {
        let a = Finite::or_error(op, a)?;
        let ranged = Ranged::of(&a)?;
        let verdicts = Verdicts::new(op, lead(&a), a.device())?;
        let mut outputs = vec![arg(&w)?, verdicts.arg()?];
        if let Some(v) = vectors {
            outputs.push(arg(v)?);
        }
        // SAFETY: the input is a stack of finite square matrices, the outputs are fresh and have the lengths that belong to it.
        unsafe { launch(&EIG, &w, vec![arg(&ranged.given)?], outputs)? };
        verdicts.judge(op, &a, |_| Unfit::NoConvergence)?;
        w = ranged.restore(w, own.len())?;
    }
    if a.dtype().is_complex() {
        return Ok((w, None));
    }
    let (re, im) = (w.select(-2, 0)?, w.select(-2, 1)?);
    let both = apply(Prim::Complex, &[(&re).into(), (&im).into()])?;
    Ok((both, Some(im)))
}

/// The eigenvectors of real matrices, of which pairs share two columns.
fn unpacked(v: &Tensor, im: &Tensor) -> Result<Tensor> {
    let im = im.expand_dims(&[-2])?;
    let first = apply(Prim::Gt, &[(&im).into(), 0.0.into()])?;
    let second = apply(Prim::Lt, &[(&im).into(), 0.0.into()])?;
    let (before, after) = (roll(v, &[1], Some(&[-1]))?, roll(v, &[-1], Some(&[-1]))?);
    let choose = |mask: &Tensor, yes: &Tensor, no: &Tensor| {
        apply(Prim::Select, &[mask.into(), yes.into(), no.into()])
    };
    let re = choose(&second, &before, v)?;
    let minus = apply(Prim::Neg, &[v.into()])?;
    let behind = apply(
        Prim::Select,
        &[(&second).into(), (&minus).into(), 0.0.into()],
    )?;
    let im = choose(&first, &after, &behind)?;
    apply(Prim::Complex, &[(&re).into(), (&im).into()])
}
