//! Hand-written operators of other crates: kernels over row-major operands, and how their CPU versions reach those.

mod named;

pub use named::{Operands, Results, run_named};

use super::moves::{arg, launch_of};
use crate::device::{Arg, Kernel, Launch, NamedKernel};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::scalar::Scalar;
use crate::tensor::{Tensor, describe, same_device};

/// Runs `kernel` over row-major operands of one device, and gives its outputs, new tensors of these shapes and types. Inputs that are
/// waiting are computed first.
///
/// Errors: [`Error::Device`] for operands of several devices, [`Error::Value`] for one that is not row-major and where there is none,
/// and what the device says, which may have no kernel of this name or no memory. An operator of many operands is better launched by their
/// names, with [`run_named`].
///
/// # Safety
/// Shapes, types and numbers are those that the kernel asks for, and it writes all of every output.
///
/// ```
/// use syntonic_core::device::{Kernel, Launch};
/// use syntonic_core::ops::vectors::{self, Places};
/// use syntonic_core::prelude::*;
///
/// /// `x [n] -> [n]` in `float64`: the sum of each number and all before it.
/// static RUNNING_SUM: Kernel = Kernel { name: "running_sum", cpu: running_sum };
///
/// unsafe fn running_sum(launch: &Launch) -> syntonic_core::Result<()> {
///     let (x, y) = (&launch.inputs[0], &launch.outputs[0]);
///     // SAFETY: both are live vectors of one length, as the kernel says, and nobody else has the output.
///     let (x, y) = unsafe { (vectors::read::<f64>(x), &mut *Places::of(y).range(0, y.layout.numel())) };
///     let sums = x.iter().scan(0.0, |sum, x| {
///         *sum += x;
///         Some(*sum)
///     });
///     y.iter_mut().zip(sums).for_each(|(y, sum)| *y = sum);
///     Ok(())
/// }
///
/// let x = Tensor::from([1.0, 2.0, 3.0]);
/// // SAFETY: the kernel takes a vector of float64, and writes all of another one.
/// let y = unsafe { vectors::run(&RUNNING_SUM, &[&x], &[(x.shape(), DType::F64)], vec![])? };
/// assert_eq!(y[0].to_vec::<f64>()?, [1.0, 3.0, 6.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub unsafe fn run(
    kernel: &'static Kernel,
    inputs: &[&Tensor],
    outputs: &[(&[usize], DType)],
    params: Vec<Scalar>,
) -> Result<Vec<Tensor>> {
    // SAFETY: passed on.
    unsafe { made_by(kernel, None, inputs, outputs.iter().copied(), params) }
}

/// The outputs of a launch, with the names of its parts where it has some.
///
/// # Safety
/// As that of [`run`].
unsafe fn made_by<'a>(
    kernel: &'static Kernel,
    named: Option<&'static NamedKernel>,
    inputs: &[&Tensor],
    outputs: impl Iterator<Item = (&'a [usize], DType)>,
    params: Vec<Scalar>,
) -> Result<Vec<Tensor>> {
    same_device(kernel.name, inputs)?;
    let Some(first) = inputs
        .first()
        .filter(|_| inputs.iter().all(|t| t.is_contiguous()))
    else {
        let text = format!("takes row-major operands, not {}", describe(inputs));
        return Err(Error::value(kernel.name, text));
    };
    let made =
        outputs.map(|(shape, dtype)| Tensor::uninit(kernel.name, shape, dtype, first.device()));
    let made: Vec<Tensor> = made.collect::<Result<_>>()?;
    let args = Launch {
        inputs: inputs.iter().map(|t| arg(t)).collect::<Result<_>>()?,
        outputs: made.iter().map(arg).collect::<Result<_>>()?,
        params,
        named,
        ..Launch::default()
    };
    // SAFETY: the caller's promise; outputs are new.
    unsafe { launch_of(kernel, first, &args)? };
    Ok(made)
}

/// The elements of an operand of a CPU version.
///
/// # Safety
/// It is a live row-major vector of `T`, which nobody writes meanwhile.
///
/// ```
/// use syntonic_core::device::Arg;
/// use syntonic_core::ops::vectors::read;
/// use syntonic_core::{DType, Layout};
///
/// let mut numbers = [1_u8, 2, 3];
/// let arg = Arg { base: numbers.as_mut_ptr(), dtype: DType::U8, layout: Layout::from_parts(&[2], &[1], 1) };
/// // SAFETY: the array lives, and nobody writes it.
/// assert_eq!(unsafe { read::<u8>(&arg) }, [2, 3]);
/// ```
pub unsafe fn read<T>(arg: &Arg) -> &[T] {
    // SAFETY: passed on.
    unsafe { std::slice::from_raw_parts(arg.address().cast::<T>(), arg.layout.numel()) }
}

/// The elements of an output of a CPU version, which threads write to at different places.
#[derive(Debug)]
pub struct Places<T>(*mut T);

// SAFETY: an address may cross threads; whoever follows one that `range` gives promises that nobody else has those places.
unsafe impl<T: Send> Sync for Places<T> {}

impl<T> Places<T> {
    /// Those of an output.
    ///
    /// ```
    /// use syntonic_core::device::Arg;
    /// use syntonic_core::ops::vectors::Places;
    /// use syntonic_core::{DType, Layout};
    ///
    /// let mut numbers = [0.0_f32; 3];
    /// let layout = Layout::from_parts(&[3], &[1], 0);
    /// let arg = Arg { base: numbers.as_mut_ptr().cast(), dtype: DType::F32, layout };
    /// let last = Places::of(&arg).range(2, 1);
    /// // SAFETY: the place is one of the array's, which nobody else has meanwhile.
    /// unsafe { (*last)[0] = 7.0_f32 };
    /// assert_eq!(numbers, [0.0, 0.0, 7.0]);
    /// ```
    pub fn of(arg: &Arg) -> Places<T> {
        Places(arg.address().cast())
    }

    /// Those of memory of one's own.
    pub(crate) fn to(all: &mut [T]) -> Places<T> {
        Places(all.as_mut_ptr())
    }

    /// So many places from `from` on, which nobody else may have meanwhile.
    ///
    /// ```
    /// use syntonic_core::device::Arg;
    /// use syntonic_core::ops::vectors::Places;
    /// use syntonic_core::{DType, Layout};
    ///
    /// let mut numbers = [0_i64; 6];
    /// let layout = Layout::from_parts(&[6], &[1], 0);
    /// let places = Places::<i64>::of(&Arg { base: numbers.as_mut_ptr().cast(), dtype: DType::I64, layout });
    /// std::thread::scope(|scope| {
    ///     for k in 0..3 {
    ///         let places = &places;
    ///         // SAFETY: every thread has two places of its own.
    ///         scope.spawn(move || unsafe { (*places.range(2 * k, 2)).fill(k as i64) });
    ///     }
    /// });
    /// assert_eq!(numbers, [0, 0, 1, 1, 2, 2]);
    /// ```
    pub fn range(&self, from: usize, count: usize) -> *mut [T] {
        std::ptr::slice_from_raw_parts_mut(self.0.wrapping_add(from), count)
    }
}
