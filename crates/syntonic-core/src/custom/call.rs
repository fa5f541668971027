//! What the CPU function of an operator is given: operands to read, results to write.

use super::{Form, broken, guarded};
use crate::cpu::cpu;
use crate::device::{Arg, DeviceId, Launch};
use crate::error::{Error, Result};
use crate::graph::{is_capturing, session};
use crate::interrupt;
use crate::scalar::{Element, Scalar};
use crate::tensor::Tensor;
use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

/// The CPU function of an operator.
pub(super) type CpuFunction = dyn Fn(&Call<'_>) -> Result<()> + Send + Sync;

/// Bytes that are moved before the caller is asked whether to go on.
const UNASKED: usize = 8 << 20;

/// The CPU function of an operator from outside, as a launch carries it.
#[derive(Clone)]
pub struct Body {
    pub(super) op: &'static str,
    pub(super) cpu: Arc<CpuFunction>,
    /// The operands, where the launch runs at once and is over with it: what a graph keeps has addresses alone.
    pub(super) operands: Option<Arc<[Tensor]>>,
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Body({})", self.op)
    }
}

/// Runs the function that the launch carries.
///
/// # Safety
/// Operands and results are row-major in live memory of the host, which nobody else writes, of as many bytes as their layouts say; the results
/// overlap nothing.
pub(super) unsafe fn run(launch: &Launch) -> Result<()> {
    let Some(body) = &launch.body else {
        return Err(Error::value("launch", "the launch carries no function"));
    };
    let call = Call {
        op: body.op,
        launch,
        operands: body.operands.as_deref(),
        // few: the results of one call.
        taken: launch.outputs.iter().map(|_| Cell::new(false)).collect(),
    };
    let work = || guarded(body.op, "CPU function", || (body.cpu)(&call));
    match is_capturing(DeviceId::Cpu) {
        // A capture has the launch as a whole, and nothing of what the function asks for in it.
        true => session::outside(work)?,
        false => work()?,
    }
    match call.taken.iter().position(|taken| !taken.get()) {
        Some(k) => Err(broken(
            body.op,
            format!(
                "its CPU function did not write result {k}; hint: call output({k}) or give({k}, ..)"
            ),
        )),
        None => Ok(()),
    }
}

/// One call of the CPU function of an [`Operator`](super::Operator): its operands, to be read, and its results, each to be written once.
///
/// Operands and results are row-major. What is borrowed here is good as long as the function runs.
#[derive(Debug)]
pub struct Call<'a> {
    op: &'static str,
    launch: &'a Launch,
    operands: Option<&'a [Tensor]>,
    /// Which results were asked for.
    taken: Vec<Cell<bool>>,
}

impl<'a> Call<'a> {
    /// The shapes and types of the operands.
    ///
    /// ```
    /// use syntonic_core::custom::{Form, Operator};
    /// use syntonic_core::prelude::*;
    ///
    /// let ranks = Operator::new("ranks", |_, _| Ok(vec![Form::new([1], DType::I64)]))
    ///     .cpu(|call| Ok(call.output::<i64>(0)?[0] = call.inputs()[0].shape.len() as i64));
    /// assert_eq!(ranks.apply(&[&Tensor::from([[1.0]])], &[])?[0].to_vec::<i64>()?, [2]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn inputs(&self) -> Vec<Form> {
        self.launch.inputs.iter().map(form).collect() // few: operands.
    }

    /// The shapes and types of the results.
    ///
    /// ```
    /// use syntonic_core::custom::{Form, Operator};
    /// use syntonic_core::prelude::*;
    ///
    /// let twice = Operator::new("twice", |x, _| Ok(vec![x[0].clone(), x[0].clone()])).cpu(|call| {
    ///     let x = call.tensor(0)?;
    ///     (0..call.outputs().len()).try_for_each(|k| call.give(k, &x))
    /// });
    /// assert_eq!(twice.apply(&[&Tensor::from([1, 2])], &[])?.len(), 2);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn outputs(&self) -> Vec<Form> {
        self.launch.outputs.iter().map(form).collect() // few: results.
    }

    /// The numbers of the call.
    ///
    /// ```
    /// use syntonic_core::custom::Operator;
    /// use syntonic_core::prelude::*;
    ///
    /// let fill = Operator::new("fill", |x, _| Ok(vec![x[0].clone()]))
    ///     .cpu(|call| Ok(call.output::<f64>(0)?.fill(call.numbers()[0].to_f64())));
    /// let y = fill.apply(&[&Tensor::from([1.0, 2.0])], &[7.into()])?;
    /// assert_eq!(y[0].to_vec::<f64>()?, [7.0, 7.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn numbers(&self) -> &'a [Scalar] {
        &self.launch.params
    }

    /// The elements of operand `k`.
    ///
    /// # Errors
    /// [`Error::Operator`] where there is no such operand, or its elements are of another type.
    ///
    /// ```
    /// use syntonic_core::custom::{Form, Operator};
    /// use syntonic_core::prelude::*;
    ///
    /// let dot = Operator::new("dot", |x, _| Ok(vec![Form::new([], x[0].dtype)])).cpu(|call| {
    ///     let pairs = call.input::<f64>(0)?.iter().zip(call.input::<f64>(1)?);
    ///     call.output::<f64>(0)?[0] = pairs.map(|(x, y)| x * y).sum();
    ///     Ok(())
    /// });
    /// let x = Tensor::from([1.0, 2.0]);
    /// assert_eq!(dot.apply(&[&x, &x], &[])?[0].to_scalar::<f64>()?, 5.0);
    /// assert!(dot.apply(&[&x, &Tensor::from([1, 2])], &[]).is_err()); // operand 1 is of another type
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn input<T: Element>(&self, k: usize) -> Result<&'a [T]> {
        let arg = self.find(&self.launch.inputs, "operand", k)?;
        self.check_type::<T>(arg, "operand", k)?;
        self.check_truths(arg, k)?;
        let n = arg.layout.numel();
        if n == 0 {
            return Ok(&[]);
        }
        // SAFETY: by `run`'s contract there are so many elements of this type, which nobody writes while the function runs.
        Ok(unsafe { std::slice::from_raw_parts(arg.address().cast::<T>(), n) })
    }

    /// The elements of result `k`, to be written; zeros so far. Each result is given once.
    ///
    /// # Errors
    /// [`Error::Operator`] where there is no such result, its elements are of another type, or it was given before.
    ///
    /// ```
    /// use syntonic_core::custom::Operator;
    /// use syntonic_core::prelude::*;
    ///
    /// let count = Operator::new("count", |x, _| Ok(vec![x[0].clone()])).cpu(|call| {
    ///     call.output::<i32>(0)?.iter_mut().zip(0..).for_each(|(y, k)| *y = k);
    ///     assert!(call.output::<i32>(0).is_err()); // it is borrowed as long as the function runs
    ///     Ok(())
    /// });
    /// assert_eq!(count.apply(&[&Tensor::from([5, 5, 5])], &[])?[0].to_vec::<i32>()?, [0, 1, 2]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[allow(clippy::mut_from_ref)] // each is given once
    pub fn output<T: Element>(&self, k: usize) -> Result<&'a mut [T]> {
        let arg = self.find(&self.launch.outputs, "result", k)?;
        self.check_type::<T>(arg, "result", k)?;
        self.take(k)?;
        let n = arg.layout.numel();
        if n == 0 {
            return Ok(&mut []);
        }
        let (first, size) = (arg.address(), arg.dtype.size());
        interrupt::in_pieces(n * size, UNASKED, |from, to| {
            // SAFETY: bytes of the result, which is nobody else's.
            unsafe { first.wrapping_add(from).write_bytes(0, to - from) };
        })?;
        // SAFETY: by `run`'s contract there is room for so many elements, which nobody else has, since the result was taken just now; zero
        // is a value of every element type.
        Ok(unsafe { std::slice::from_raw_parts_mut(first.cast::<T>(), n) })
    }

    /// Operand `k` as a tensor, which may be kept: the operand itself, not to be written, or a copy where a graph replays.
    ///
    /// # Errors
    /// [`Error::Operator`] where there is no such operand; where there is no memory for a copy.
    ///
    /// ```
    /// use syntonic_core::custom::Operator;
    /// use syntonic_core::prelude::*;
    ///
    /// // Written with operations that exist.
    /// let softplus = Operator::new("softplus", |x, _| Ok(vec![x[0].clone()]))
    ///     .cpu(|call| call.give(0, &call.tensor(0)?.exp()?.log1p()?));
    /// assert_eq!(softplus.apply(&[&Tensor::from([0.0])], &[])?[0].to_vec::<f64>()?, [2f64.ln()]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn tensor(&self, k: usize) -> Result<Tensor> {
        let arg = self.find(&self.launch.inputs, "operand", k)?;
        if let Some(operands) = self.operands {
            return Ok(operands[k].clone().read_only());
        }
        self.check_truths(arg, k)?;
        let out = Tensor::uninit(self.op, arg.layout.shape(), arg.dtype, &cpu())?;
        let (to, from) = (out.buffer()?.address(), arg.address());
        // SAFETY: both have the bytes of so many elements, and the new memory overlaps nothing.
        unsafe { moved(from, to, arg.layout.numel() * arg.dtype.size())? };
        Ok(out)
    }

    /// Writes result `k`, from a tensor of its shape and type on the CPU.
    ///
    /// # Errors
    /// [`Error::Operator`] where there is no such result, it was given before, or the tensor has another shape, type or device; those of
    /// computing the tensor.
    ///
    /// ```
    /// use syntonic_core::custom::Operator;
    /// use syntonic_core::prelude::*;
    ///
    /// let half = Operator::new("half", |x, _| Ok(vec![x[0].clone()])).cpu(|call| call.give(0, &(call.tensor(0)? / 2)));
    /// assert_eq!(half.apply(&[&Tensor::from([4.0])], &[])?[0].to_vec::<f64>()?, [2.0]);
    /// let refused = half.apply(&[&Tensor::from([4])], &[]); // half of an int32 is a float64
    /// assert!(refused.is_err_and(|error| error.to_string().starts_with("half: ")));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn give(&self, k: usize, values: &Tensor) -> Result<()> {
        let arg = self.find(&self.launch.outputs, "result", k)?;
        let (is, wanted) = (values.describe(), arg.describe(DeviceId::Cpu));
        if is != wanted {
            return Err(broken(
                self.op,
                format!("result {k} is {wanted} by its shapes, and its CPU function gave {is}"),
            ));
        }
        let values = values.to_read()?.contiguous()?;
        let from = values.buffer()?.address();
        let from = from.wrapping_add(values.layout().offset() * arg.dtype.size());
        self.take(k)?;
        // SAFETY: both have the bytes of so many elements; what lies in the result is nobody else's.
        unsafe { moved(from, arg.address(), arg.layout.numel() * arg.dtype.size()) }
    }

    fn find(&self, all: &'a [Arg], what: &str, k: usize) -> Result<&'a Arg> {
        all.get(k).ok_or_else(|| {
            let n = all.len();
            broken(
                self.op,
                format!("its CPU function asks for {what} {k} of {n}"),
            )
        })
    }

    fn check_type<T: Element>(&self, arg: &Arg, what: &str, k: usize) -> Result<()> {
        if arg.dtype == T::DTYPE {
            return Ok(());
        }
        Err(broken(
            self.op,
            format!(
                "its CPU function takes {what} {k} as {}, and it is {}; hint: have the shapes refuse other types, or look at inputs() first",
                T::DTYPE,
                form(arg)
            ),
        ))
    }

    /// An error where a byte of a `bool` operand is neither 0 nor 1: others had the memory since a graph was captured over it.
    fn check_truths(&self, arg: &Arg, k: usize) -> Result<()> {
        if !arg.dtype.is_bool() || arg.layout.numel() == 0 {
            return Ok(());
        }
        // SAFETY: by `run`'s contract there are so many bytes.
        let bytes = unsafe { std::slice::from_raw_parts(arg.address(), arg.layout.numel()) };
        match bytes.iter().all(|&byte| byte <= 1) {
            true => Ok(()),
            false => Err(broken(
                self.op,
                format!(
                    "operand {k} was written by another library since it was captured, with bytes that are no bool; hint: give the graph a copy"
                ),
            )),
        }
    }

    fn take(&self, k: usize) -> Result<()> {
        if self.taken[k].replace(true) {
            return Err(broken(
                self.op,
                format!("its CPU function writes result {k} twice"),
            ));
        }
        Ok(())
    }
}

fn form(arg: &Arg) -> Form {
    Form::new(arg.layout.shape(), arg.dtype)
}

/// Copies bytes.
///
/// # Safety
/// Both are live and do not overlap.
unsafe fn moved(from: *const u8, to: *mut u8, bytes: usize) -> Result<()> {
    Ok(interrupt::in_pieces(bytes, UNASKED, |begin, end| {
        let (from, to) = (from.wrapping_add(begin), to.wrapping_add(begin));
        // SAFETY: a range of both, by the caller's promise.
        unsafe { std::ptr::copy_nonoverlapping(from, to, end - begin) };
    })?)
}
