//! The kernels and their CPU implementations, which gather blocks of lines into a buffer small enough for the cache.

use super::Direction;
use super::plans::{Form, LONG, Plan, Real, plan};
use crate::cpu::exec::parallel::try_ranges;
use crate::cpu::threads;
use crate::device::{Kernel, Launch};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::interrupt::{self, Outcome, abandonable, in_pieces};
use crate::ops::lines::Lines;
use crate::room;
use num_complex::Complex;

/// `y[k] = scale Σ_j x[j] e^(∓2πi j k / n)` along the last axis.
///
/// Input `x` and output `y` of one complex type and one shape `[.., n]`, any strides; the output is apart from the input, or has its
/// memory and strides. Parameters: `scale`, and whether the exponent is positive.
pub static FFT: Kernel = Kernel {
    name: "fft",
    cpu: complex,
};

/// As [`FFT`] with a negative exponent, of real numbers, for `k` from 0 to n/2.
///
/// Input `x: [.., n]`, real, any strides; output `y: [.., n/2 + 1]` of its complex type, any strides, apart from it. Parameter:
/// `scale`.
pub static RFFT: Kernel = Kernel {
    name: "rfft",
    cpu: forward,
};

/// `x[j] = scale Σ_k y[k] e^(2πi j k / n)`, with `y[n - k]` the conjugate of `y[k]`, which is given for `k` from 0 to n/2.
///
/// Input `y: [.., n/2 + 1]`, complex, any strides, which is left as it is; output `x: [.., n]` of its real type, any strides, apart
/// from it. The imaginary part of `y[0]` counts as 0, and of `y[n/2]` where n is even. Parameter: `scale`.
pub static IRFFT: Kernel = Kernel {
    name: "irfft",
    cpu: inverse,
};

/// # Safety
/// As [`FFT`] says.
unsafe fn complex(launch: &Launch) -> Result<()> {
    let form = match launch.params[1].to_bool() {
        true => Form::Complex(Direction::Inverse),
        false => Form::Complex(Direction::Forward),
    };
    // SAFETY: the caller's promise, for the element type that the operands have.
    unsafe { of_type("fft", form, launch) }
}

/// # Safety
/// As [`RFFT`] says.
unsafe fn forward(launch: &Launch) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe { of_type("rfft", Form::Forward, launch) }
}

/// # Safety
/// As [`IRFFT`] says.
unsafe fn inverse(launch: &Launch) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe { of_type("irfft", Form::Inverse, launch) }
}

/// # Safety
/// As the kernel of the form says.
unsafe fn of_type(op: &'static str, form: Form, launch: &Launch) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe {
        match launch.inputs[0].dtype.real() {
            DType::F32 => lines::<f32>(form, launch),
            DType::F64 => lines::<f64>(form, launch),
            other => Err(Error::value(
                op,
                format!("the kernel does not take {other}"),
            )),
        }
    }
}

/// Bytes of the lines that are transformed together, so that they stay in the second cache.
const BLOCK: usize = 128 << 10;
/// Lines that are transformed together at most: enough for whole lines of memory.
const WIDEST: usize = 32;
/// Nanoseconds of work that one task has at least; handing it over costs about ten thousand.
const PIECE: usize = 30_000;
/// Nanoseconds of work that one task has at most where it is several blocks: work is told to stop between two tasks.
const LONGEST: usize = 2_000_000;

/// # Safety
/// As the kernel of the form says, with numbers of type `T`.
unsafe fn lines<T: Real>(form: Form, launch: &Launch) -> Result<()> {
    let (x, y) = (&launch.inputs[0], &launch.outputs[0]);
    let last = |of: &crate::device::Arg| of.layout.shape()[of.layout.ndim() - 1];
    let (from, to) = (last(x), last(y));
    let n = from.max(to);
    let plan = plan::<T>(form, n)?;
    let mut all = Lines::of(&[x, y]);
    let step = [all.steps[0], all.steps[1]];
    let beside = all.take_neighbours().map(|(n, s)| (n, [s[0], s[1]]));
    let (width, side) = beside.unwrap_or((1, [0, 0]));
    let most = (BLOCK / (n * 2 * size_of::<T>())).clamp(1, WIDEST);
    let parts = width.div_ceil(most);
    let scale = launch.params[0].to_f64();
    let lengths = [from, to];
    let blocks = all.count() * parts;
    // Some two nanoseconds a point and doubling.
    let cost = (n * most.min(width)).saturating_mul(n.ilog2() as usize + 2);
    let body = |begin: usize, end: usize| {
        let mut work = Work::<T>::new(&plan, lengths, most.min(width))?;
        for at in begin..end {
            let (at, first) = (at / parts, at % parts * most);
            let place = |k: usize| Place {
                first: all.start::<u8>(k, at).cast::<()>(),
                step: step[k],
                side: side[k],
                skip: first,
            };
            // SAFETY: the lines of this block, which only this call writes.
            unsafe { work.block(&plan, place(0), place(1), (width - first).min(most), scale)? };
        }
        Ok(())
    };
    let least = (PIECE / cost.max(1)).max(1);
    if blocks < 2 || blocks / least < 2 || threads::count() < 2 && blocks * cost < LONGEST {
        body(0, blocks)?;
        return Ok(interrupt::check()?);
    }
    let fair = blocks.div_ceil(8 * threads::count());
    let longest = (LONGEST / cost.max(1)).max(1);
    try_ranges(blocks, fair.min(longest).max(least), body)
}

/// Elements of a line that are moved before the caller is asked whether to go on.
const UNASKED: usize = 1 << 18;

/// Where the lines of a block lie, in elements of their own type.
#[derive(Clone, Copy)]
struct Place {
    first: *mut (),
    /// Along a line.
    step: isize,
    /// To the next line.
    side: isize,
    /// Lines before the first one.
    skip: usize,
}

impl Place {
    /// Copies `lines` lines of `len` elements, one after the other, into `room`.
    ///
    /// # Safety
    /// The lines are live and of type `E`.
    unsafe fn gather<E: Copy>(self, len: usize, lines: usize, room: &mut [E]) -> Outcome {
        let at = |line: usize, j: usize| {
            let by = (self.skip + line) as isize * self.side + j as isize * self.step;
            // SAFETY: an element of a line, by the caller's promise.
            unsafe { *self.first.cast::<E>().cast_const().wrapping_offset(by) }
        };
        if self.side.unsigned_abs() < self.step.unsigned_abs() {
            in_pieces(len, UNASKED, |from, to| {
                for j in from..to {
                    for line in 0..lines {
                        room[line * len + j] = at(line, j);
                    }
                }
            })?;
        } else {
            for (line, room) in room.chunks_exact_mut(len).take(lines).enumerate() {
                in_pieces(len, UNASKED, |from, to| {
                    for (j, room) in room[from..to].iter_mut().enumerate() {
                        *room = at(line, from + j);
                    }
                })?;
            }
        }
        Ok(())
    }

    /// Writes what [`Place::gather`] reads.
    ///
    /// # Safety
    /// As there, and nobody else uses the lines meanwhile.
    unsafe fn scatter<E: Copy>(self, len: usize, lines: usize, room: &[E]) -> Outcome {
        let put = |line: usize, j: usize, value: E| {
            let by = (self.skip + line) as isize * self.side + j as isize * self.step;
            // SAFETY: an element of a line, by the caller's promise.
            unsafe { *self.first.cast::<E>().wrapping_offset(by) = value }
        };
        if self.side.unsigned_abs() < self.step.unsigned_abs() {
            in_pieces(len, UNASKED, |from, to| {
                for j in from..to {
                    for line in 0..lines {
                        put(line, j, room[line * len + j]);
                    }
                }
            })?;
        } else {
            for (line, room) in room.chunks_exact(len).take(lines).enumerate() {
                in_pieces(len, UNASKED, |from, to| {
                    for (j, &value) in room[from..to].iter().enumerate() {
                        put(line, from + j, value);
                    }
                })?;
            }
        }
        Ok(())
    }
}

/// Memory of one thread: lines of real numbers and of complex ones, and what the library works in.
struct Work<T> {
    real: Vec<T>,
    complex: Vec<Complex<T>>,
    scratch: Vec<Complex<T>>,
    /// Elements of a line read, and of one written.
    lengths: [usize; 2],
}

impl<T: Real> Work<T> {
    fn new(plan: &Plan<T>, lengths: [usize; 2], lines: usize) -> Result<Work<T>> {
        let zero = Complex::new(T::zero(), T::zero());
        let (real, complex, scratch) = match plan {
            Plan::Complex(plan) => (0, lengths[0], plan.get_inplace_scratch_len()),
            Plan::Forward(plan) => (lengths[0], lengths[1], plan.get_scratch_len()),
            Plan::Inverse(plan) => (lengths[1], lengths[0], plan.get_scratch_len()),
        };
        Ok(Work {
            real: room::filled(real * lines, T::zero())?,
            complex: room::filled(complex * lines, zero)?,
            scratch: room::filled(scratch, zero)?,
            lengths,
        })
    }

    /// Transforms so many lines of `from` into those of `to`.
    ///
    /// # Safety
    /// Both are lines of the kernel's operands, and nobody else uses those of `to` meanwhile.
    unsafe fn block(
        &mut self,
        plan: &Plan<T>,
        from: Place,
        to: Place,
        lines: usize,
        scale: f64,
    ) -> Result<()> {
        let [read, written] = self.lengths;
        // SAFETY: the caller's promise.
        unsafe {
            match plan {
                Plan::Forward(_) => from.gather(read, lines, &mut self.real)?,
                _ => from.gather(read, lines, &mut self.complex)?,
            }
        }
        match read.max(written) < LONG {
            true => self.transform(plan, lines, scale)?,
            false => {
                let nothing = Work {
                    real: Vec::new(),
                    complex: Vec::new(),
                    scratch: Vec::new(),
                    lengths: self.lengths,
                };
                let (mut own, plan) = (std::mem::replace(self, nothing), plan.clone());
                let (own, done) = abandonable(move || {
                    let done = own.transform(&plan, lines, scale);
                    (own, done)
                })?;
                *self = own;
                done?;
            }
        }
        // SAFETY: as above.
        unsafe {
            match plan {
                Plan::Inverse(_) => to.scatter(written, lines, &self.real)?,
                _ => to.scatter(written, lines, &self.complex)?,
            }
        }
        Ok(())
    }

    /// Transforms so many lines in this memory.
    fn transform(&mut self, plan: &Plan<T>, lines: usize, scale: f64) -> Result<()> {
        let [read, written] = self.lengths;
        let (scratch, scale) = (&mut self.scratch, T::rounded(scale));
        match plan {
            Plan::Complex(plan) => {
                let room = &mut self.complex[..read * lines];
                plan.process_with_scratch(room, scratch);
                scale_all(room, scale);
            }
            Plan::Forward(plan) => {
                let pairs = self
                    .real
                    .chunks_exact_mut(read)
                    .zip(self.complex.chunks_exact_mut(written));
                for (line, half) in pairs.take(lines) {
                    plan.process_with_scratch(line, half, scratch)
                        .map_err(unfit)?;
                }
                scale_all(&mut self.complex[..written * lines], scale);
            }
            Plan::Inverse(plan) => {
                let pairs = self
                    .complex
                    .chunks_exact_mut(read)
                    .zip(self.real.chunks_exact_mut(written));
                for (half, line) in pairs.take(lines) {
                    half[0].im = T::zero();
                    if written % 2 == 0 {
                        half[read - 1].im = T::zero();
                    }
                    plan.process_with_scratch(half, line, scratch)
                        .map_err(unfit)?;
                }
                let room = &mut self.real[..written * lines];
                if scale != T::one() {
                    room.iter_mut().for_each(|x| *x = *x * scale);
                }
            }
        }
        Ok(())
    }
}

fn scale_all<T: Real>(room: &mut [Complex<T>], scale: T) {
    if scale != T::one() {
        room.iter_mut().for_each(|z| *z = z.scale(scale));
    }
}

/// The library refuses lengths that are not its plan's, which there are none of here.
#[cold]
fn unfit(error: realfft::FftError) -> Error {
    Error::value("fft", error.to_string())
}
