//! A matrix times a vector, what is added to it, and one number of the result, in one pass over the matrix.

use crate::cpu::threads::share_chunks;
use crate::device::{Kernel, Launch};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::grad;
use crate::interrupt;
use crate::ops::moves::{arg, launch};
use crate::room;
use crate::scalar::{Element, Scalar};
use crate::tensor::{Tensor, describe, same_device};
use half::{bf16, f16};

/// `y = alpha A x + beta y0`, `z = a y + b w` and `r`, a number of z.
///
/// Inputs `A: [m, n]`, `x: [n]`, `y0: [m]`, `w: [m]` and `v: [m]`, any strides, but A with a stride of 1 along an axis that is
/// longer than 1. All are `float32` or all `float64`; A may be of a half type where the others are `float32`. What is not read
/// may be any operand. Parameters: `alpha`, `beta`, `a`, `b`, which number of z ([`Reduce`]'s code, 0 for none), whether y and whether z
/// are kept. With `beta` 0, y0 is not read, with `b` 0 not w, and v only for the inner product. Outputs, as far as wanted and in this
/// order: y and z, row-major vectors, and r, one element. `m` is at least 1. The order of summation depends on shape and strides alone.
pub static GEMV_CHAIN: Kernel = Kernel {
    name: "gemv_chain",
    cpu: run,
};

/// One number of a vector z.
#[derive(Clone, Copy, Debug)]
pub enum Reduce<'a> {
    /// `sum_i z_i`
    Sum,
    /// `sum_i z_i^2`
    SumOfSquares,
    /// `max_i |z_i|`, 0 of no elements; NaN if any is NaN.
    MaxAbs,
    /// `sum_i z_i v_i`
    Dot(&'a Tensor),
}

impl Reduce<'_> {
    /// How the kernel calls it.
    fn code(self) -> i128 {
        match self {
            Reduce::Sum => SUM,
            Reduce::SumOfSquares => SUM_OF_SQUARES,
            Reduce::MaxAbs => MAX_ABS,
            Reduce::Dot(_) => DOT,
        }
    }
}

const SUM: i128 = 1;
const SUM_OF_SQUARES: i128 = 2;
const MAX_ABS: i128 = 3;
const DOT: i128 = 4;

/// Which vectors of a chain are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Only the number.
    Neither,
    /// `y`
    Y,
    /// `z`
    Z,
    /// Both.
    Both,
}

/// The terms of a chain: `y = alpha A x + beta y0`, `z = a y + b w`, `r = reduce(z)`. A term without its vector is 0.
#[derive(Clone, Copy, Debug)]
pub struct Chain<'a> {
    /// Factor of the product.
    pub alpha: f64,
    /// Factor of `y0`; with 0 it is not read.
    pub beta: f64,
    /// Added to the product, `[m]`.
    pub y0: Option<&'a Tensor>,
    /// Factor of y.
    pub a: f64,
    /// Factor of `w`; with 0 it is not read.
    pub b: f64,
    /// Added to y, `[m]`.
    pub w: Option<&'a Tensor>,
    /// The number of z that is wanted.
    pub reduce: Option<Reduce<'a>>,
    /// The vectors that are wanted.
    pub keep: Keep,
}

impl Default for Chain<'_> {
    /// `y = A x` and nothing else: factors are 1, terms are left out, y is kept.
    fn default() -> Self {
        Chain {
            alpha: 1.0,
            beta: 1.0,
            y0: None,
            a: 1.0,
            b: 1.0,
            w: None,
            reduce: None,
            keep: Keep::Y,
        }
    }
}

/// What a chain gives, as far as it was asked for.
#[derive(Clone, Debug)]
pub struct Chained {
    /// `alpha A x + beta y0`, `[m]`
    pub y: Option<Tensor>,
    /// `a y + b w`, `[m]`
    pub z: Option<Tensor>,
    /// The number of z, `[]`
    pub r: Option<Tensor>,
}

/// The chain `y = alpha A x + beta y0`, `z = a y + b w`, `r = reduce(z)`: `A: [m, n]`, `x: [n]` and vectors `[m] -> y: [m]`,
/// `z: [m]`, `r: []`. The matrix is read once, and what is not kept is never written.
///
/// Real floats. The vectors and the results have the common dtype of all operands, at least `float32`; a matrix of a half type
/// stays as it is beside vectors of `float32`. `r` is gathered in `float64`. Transposed matrices are views: `a.transpose(0, 1)`.
///
/// Errors where the shapes do not fit, an operand is no real float, nothing is asked for, or the devices differ.
///
/// ```
/// use syntonic_core::Tensor;
/// use syntonic_core::ops::linalg::{Chain, Keep, Reduce, gemv_chain};
///
/// let a = Tensor::from_vec(vec![1.0f32, 2.0, 3.0, 4.0], &[2, 2])?;
/// let (x, w) = (Tensor::from_vec(vec![1.0f32, 1.0], &[2])?, Tensor::from_vec(vec![1.0f32, -1.0], &[2])?);
/// let chain = Chain { b: 2.0, w: Some(&w), reduce: Some(Reduce::Sum), keep: Keep::Z, ..Chain::default() };
/// let out = gemv_chain(&a, &x, &chain)?;
/// assert_eq!(out.z.unwrap().to_vec::<f32>()?, [5.0, 5.0]);
/// assert_eq!(out.r.unwrap().to_vec::<f32>()?, [10.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn gemv_chain(a: &Tensor, x: &Tensor, chain: &Chain<'_>) -> Result<Chained> {
    const OP: &str = "gemv_chain";
    let v = match chain.reduce {
        Some(Reduce::Dot(v)) => Some(v),
        _ => None,
    };
    // few: three.
    let added: Vec<&Tensor> = [chain.y0, chain.w, v].into_iter().flatten().collect();
    // few: five.
    let all: Vec<&Tensor> = [a, x].into_iter().chain(added.iter().copied()).collect();
    same_device(OP, &all)?;
    grad::refuse(OP, &all)?;
    if all.iter().any(|t| !t.dtype().is_float()) {
        return Err(Error::DType {
            op: OP,
            operands: describe(&all),
            hint: "the chain takes real floats; cast integers, or use matmul".into(),
        });
    }
    let fits = a.ndim() == 2
        && x.shape() == &a.shape()[1..]
        && added.iter().all(|t| t.shape() == &a.shape()[..1]);
    if !fits {
        return Err(Error::Shape {
            op: OP,
            operands: describe(&all),
            hint: "the chain takes [m, n], a vector [n], and vectors [m] for what is added".into(),
        });
    }
    let keeps = |which: Keep| chain.keep == which || chain.keep == Keep::Both;
    if chain.keep == Keep::Neither && chain.reduce.is_none() {
        return Err(Error::value(
            OP,
            "nothing is asked for; hint: keep y or z, or name a reduction",
        ));
    }
    let dtype = all
        .iter()
        .fold(DType::F32, |dtype, t| dtype.promote(t.dtype()));
    let m = a.shape()[0];
    let made = |wanted: bool, shape: &[usize]| {
        wanted
            .then(|| Tensor::uninit(OP, shape, dtype, a.device()))
            .transpose()
    };
    let mut out = Chained {
        y: made(keeps(Keep::Y), &[m])?,
        z: made(keeps(Keep::Z), &[m])?,
        r: made(chain.reduce.is_some(), &[])?,
    };
    if m == 0 {
        if out.r.is_some() {
            out.r = Some(Tensor::zeros(&[], dtype)?.to(a.device())?);
        }
        return Ok(out);
    }
    let a = along_memory(&if a.dtype().is_half() && dtype == DType::F32 {
        a.clone()
    } else {
        a.cast(dtype)?
    })?;
    let x = x.cast(dtype)?.contiguous()?;
    let term = |t: Option<&Tensor>, factor: f64| match t {
        Some(t) if factor != 0.0 => Ok::<_, Error>((t.cast(dtype)?, factor)),
        _ => Ok((x.clone(), 0.0)),
    };
    let ((y0, beta), (w, b)) = (term(chain.y0, chain.beta)?, term(chain.w, chain.b)?);
    let (v, _) = term(v, 1.0)?;
    let inputs = [&a, &x, &y0, &w, &v]
        .into_iter()
        .map(arg)
        // few: five.
        .collect::<Result<Vec<_>>>()?;
    let outputs = [&out.y, &out.z, &out.r]
        .into_iter()
        .flatten()
        .map(arg)
        // few: three.
        .collect::<Result<Vec<_>>>()?;
    let numbers = [chain.alpha, beta, chain.a, b].map(Scalar::Float);
    let code = Scalar::Int(chain.reduce.map_or(0, Reduce::code));
    let flags = [keeps(Keep::Y), keeps(Keep::Z)].map(Scalar::Bool);
    // few: seven.
    let params = numbers.into_iter().chain([code]).chain(flags).collect();
    // SAFETY: the operands are live and of the types and lengths that the kernel asks for; the outputs are fresh.
    unsafe { launch(&GEMV_CHAIN, &a_result(&out)?, inputs, outputs, params)? };
    Ok(out)
}

/// One of the results, for the device that it is on.
fn a_result(out: &Chained) -> Result<Tensor> {
    let some = [&out.y, &out.z, &out.r].into_iter().flatten().next();
    some.cloned()
        .ok_or_else(|| Error::value("gemv_chain", "nothing is asked for"))
}

/// The matrix with neighbours along an axis: itself, or a copy.
fn along_memory(a: &Tensor) -> Result<Tensor> {
    let there = a.eval()?;
    let (shape, strides) = (there.shape(), there.layout().strides());
    if (0..2).any(|axis| shape[axis] > 1 && strides[axis] == 1) || shape.iter().all(|&n| n <= 1) {
        return Ok(there);
    }
    there.contiguous()
}

/// A real number, as the CPU's sums take it.
trait Real: Element {
    fn wide(self) -> f64;
    fn narrow(x: f64) -> Self;
}
macro_rules! real {
    ($($t:ty: $wide:expr, $narrow:expr);*) => {$(
        impl Real for $t {
            fn wide(self) -> f64 {
                ($wide)(self)
            }
            fn narrow(x: f64) -> $t {
                ($narrow)(x)
            }
        }
    )*};
}
real!(f32: f64::from, |x| x as f32; f64: |x| x, |x| x;
    f16: f16::to_f64, f16::from_f64; bf16: bf16::to_f64, bf16::from_f64);

/// # Safety
/// As [`GEMV_CHAIN`] says.
unsafe fn run(launch: &Launch) -> Result<()> {
    // SAFETY: the caller's promise, for the types that the operands have.
    unsafe {
        match (launch.inputs[0].dtype, launch.inputs[1].dtype) {
            (DType::F16, _) => typed::<f16, f32>(launch),
            (DType::BF16, _) => typed::<bf16, f32>(launch),
            (DType::F32, _) => typed::<f32, f32>(launch),
            _ => typed::<f64, f64>(launch),
        }
    }
}

/// Rows of a piece at most, products of one that are worth another thread, and those after which the caller is asked.
const ROWS: usize = 64;
const WORTH_IT: usize = 1 << 17;
const UNASKED: usize = 1 << 20;

/// An operand that threads may share.
#[derive(Clone, Copy)]
struct Line<T> {
    first: *mut T,
    step: isize,
}
// SAFETY: lines only name memory; those that are written are written by one piece for each element.
unsafe impl<T> Send for Line<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Line<T> {}

impl<T: Real> Line<T> {
    /// Whole vectors, and the first row of a matrix.
    fn of(arg: &crate::device::Arg) -> Line<T> {
        Line {
            first: arg.address().cast(),
            step: arg.layout.strides().last().copied().unwrap_or(0),
        }
    }

    /// The line that begins so many elements further on.
    fn shifted(self, by: isize) -> Line<T> {
        Line {
            first: self.first.wrapping_offset(by),
            ..self
        }
    }

    /// # Safety
    /// Element `i` is live.
    unsafe fn get(self, i: usize) -> f64 {
        // SAFETY: the caller's promise.
        unsafe { (*self.first.wrapping_offset(i as isize * self.step)).wide() }
    }

    /// # Safety
    /// Element `i` may be written, and nobody else uses it.
    unsafe fn set(self, i: usize, x: T) {
        // SAFETY: the caller's promise.
        unsafe { *self.first.wrapping_offset(i as isize * self.step) = x }
    }
}

/// # Safety
/// As [`run`], for a matrix of `A` and vectors of `X`.
unsafe fn typed<A: Real, X: Real>(launch: &Launch) -> Result<()> {
    let shape = launch.inputs[0].layout.shape();
    let (m, n) = (shape[0], shape[1]);
    let row = launch.inputs[0].layout.strides()[0];
    let matrix = Line::<A>::of(&launch.inputs[0]);
    let [x, y0, w, v] = [1, 2, 3, 4].map(|k| Line::<X>::of(&launch.inputs[k]));
    let number = |k: usize| X::narrow(launch.params[k].to_f64()).wide();
    let [alpha, beta, a, b] = [0, 1, 2, 3].map(number);
    let code = launch.params[4].to_i128();
    let mut outputs = launch.outputs.iter().map(Line::<X>::of);
    let mut next = |wanted: bool| wanted.then(|| outputs.next()).flatten();
    let (y_to, z_to) = (
        next(launch.params[5].to_bool()),
        next(launch.params[6].to_bool()),
    );
    let r_to = next(code != 0);
    // Pieces depend on the shape alone, and so does the order of additions.
    let rows = (UNASKED / n.max(1)).clamp(1, ROWS);
    let mut numbers = room::zeros::<f64>(m.div_ceil(rows))?;
    let chunk = (WORTH_IT / (rows * n).max(1)).max(1);
    share_chunks(&mut numbers, chunk, |start, numbers| {
        for (k, to) in numbers.iter_mut().enumerate() {
            let from = (start + k) * rows;
            let count = rows.min(m - from);
            let mut sums = [0f64; ROWS];
            let part = matrix.shifted(from as isize * row);
            // SAFETY: the rows and the vectors are live.
            unsafe { sum_rows(part, row, x, n, &mut sums[..count]) };
            if interrupt::poll().is_err() {
                return;
            }
            for (i, sum) in sums[..count].iter().enumerate() {
                let at = from + i;
                // SAFETY: every row is in one piece, and what is read only where a factor asks for it is live then.
                unsafe {
                    let old = if beta == 0.0 { 0.0 } else { beta * y0.get(at) };
                    let y = X::narrow(alpha * sum + old);
                    let other = if b == 0.0 { 0.0 } else { b * w.get(at) };
                    let z = X::narrow(a * y.wide() + other);
                    if let Some(to) = y_to {
                        to.set(at, y);
                    }
                    if let Some(to) = z_to {
                        to.set(at, z);
                    }
                    let z = z.wide();
                    *to = match code {
                        SUM => *to + z,
                        SUM_OF_SQUARES => *to + z * z,
                        MAX_ABS => larger(*to, z.abs()),
                        DOT => *to + z * v.get(at),
                        _ => 0.0,
                    };
                }
            }
        }
    })?;
    if let Some(to) = r_to {
        let joined = |x: f64, &y: &f64| if code == MAX_ABS { larger(x, y) } else { x + y };
        // SAFETY: one element, which nobody else writes.
        unsafe { to.set(0, X::narrow(numbers.iter().fold(0.0, joined))) };
    }
    Ok(())
}

/// The larger one; NaN if one is NaN.
fn larger(x: f64, y: f64) -> f64 {
    if y > x || y.is_nan() { y } else { x }
}

/// Adds `matrix[i] · x` to `sums[i]`, along whichever axis lies closer together.
///
/// # Safety
/// The rows have `n` live elements, and so has `x`.
unsafe fn sum_rows<A: Real, X: Real>(
    matrix: Line<A>,
    row: isize,
    x: Line<X>,
    n: usize,
    sums: &mut [f64],
) {
    let line = |i: usize| matrix.shifted(i as isize * row);
    for from in (0..n).step_by(UNASKED) {
        let to = (from + UNASKED).min(n);
        if from > 0 && interrupt::poll().is_err() {
            return;
        }
        // SAFETY: `i` is below the number of rows and `k` below `n`.
        unsafe {
            if matrix.step.unsigned_abs() <= row.unsigned_abs() {
                for (i, sum) in sums.iter_mut().enumerate() {
                    let line = line(i);
                    *sum = (from..to).fold(*sum, |sum, k| sum + line.get(k) * x.get(k));
                }
            } else {
                for k in from..to {
                    let factor = x.get(k);
                    for (i, sum) in sums.iter_mut().enumerate() {
                        *sum += line(i).get(k) * factor;
                    }
                }
            }
        }
    }
}
