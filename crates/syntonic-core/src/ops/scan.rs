//! Running sums and products along an axis.
//!
//! Sums and products of `float32` and of the half types run in `float64` (complex ones in
//! `complex128`), so each result is within half a unit in the last place of the rounded exact prefix, plus `n` roundings of `float64`. A
//! long line is cut into chunks of fixed length: the result depends on shape and dtype, not on threads.

use super::lines::Lines;
use super::moves::{arg, launch};
use crate::cpu::exec::parallel::try_ranges;
use crate::cpu::threads::{self, share, share_chunks};
use crate::device::{Kernel, Launch};
use crate::dtype::{DType, Kind};
use crate::error::{Error, Result};
use crate::float8;
use crate::grad;
use crate::interrupt::{self, Pace};
use crate::layout::normalize_axis;
use crate::room;
use crate::scalar::{Scalar, round_to_odd};
use crate::tensor::{Tensor, describe};
use half::{bf16, f16};
use num_complex::Complex;

/// `out[i] = x[0] + .. + x[i]` along the last axis.
///
/// Input `x` and output of one numeric dtype with the same leading lengths, any strides. Parameter: whether the output begins with 0.
pub static CUMULATIVE_SUM: Kernel = Kernel {
    name: "cumulative_sum",
    cpu: sums,
};

/// As [`CUMULATIVE_SUM`], with products.
pub static CUMULATIVE_PROD: Kernel = Kernel {
    name: "cumulative_prod",
    cpu: products,
};

/// Where a running sum begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initial {
    /// With the first element: as many results as elements.
    Leave,
    /// With the identity: one result more.
    Include,
}

/// The running sum along `axis`, which may be left out for a vector: `[.., n, ..] -> [.., n, ..]`,
/// or `n + 1` with [`Initial::Include`].
///
/// Integers and `bool` narrower than 64 bits are summed in 64 bits unless `dtype` says otherwise;
/// integers wrap. Errors where `axis` is out of range, or left out for a tensor that is no vector.
///
/// ```
/// use syntonic_core::ops::scan::{Initial, cumulative_sum};
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([1, 2, 3]);
/// let running = |initial| cumulative_sum(&x, None, None, initial)?.to_vec::<i64>();
/// assert_eq!(running(Initial::Leave)?, [1, 3, 6]);
/// assert_eq!(running(Initial::Include)?, [0, 1, 3, 6]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn cumulative_sum(
    x: &Tensor,
    axis: Option<isize>,
    dtype: Option<DType>,
    initial: Initial,
) -> Result<Tensor> {
    scan(&CUMULATIVE_SUM, x, axis, dtype, initial)
}

/// The running product along `axis`; as [`cumulative_sum`].
///
/// ```
/// use syntonic_core::ops::scan::{Initial, cumulative_prod};
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([[1, 2, 3], [4, 5, 6]]);
/// let y = cumulative_prod(&x, Some(0), None, Initial::Leave)?;
/// assert_eq!(y.to_vec::<i64>()?, [1, 2, 3, 4, 10, 18]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn cumulative_prod(
    x: &Tensor,
    axis: Option<isize>,
    dtype: Option<DType>,
    initial: Initial,
) -> Result<Tensor> {
    scan(&CUMULATIVE_PROD, x, axis, dtype, initial)
}

fn scan(
    kernel: &'static Kernel,
    x: &Tensor,
    axis: Option<isize>,
    dtype: Option<DType>,
    initial: Initial,
) -> Result<Tensor> {
    let op = kernel.name;
    float8::check(op, &[x])?;
    if x.ndim() == 0 || (axis.is_none() && x.ndim() != 1) {
        return Err(Error::Shape {
            op,
            operands: describe(&[x]),
            hint: "name the axis; only a vector has one alone".into(),
        });
    }
    let axis = normalize_axis(op, axis.unwrap_or(0), x.ndim())?;
    let dtype = dtype.unwrap_or(widened(x.dtype()));
    if dtype.is_bool() {
        return Err(Error::DType {
            op,
            operands: describe(&[x]),
            hint: "a running result of bool is not a number; ask for an integer dtype".into(),
        });
    }
    let x = crate::lazy::as_type(x, dtype)?;
    if x.is_tracked() {
        return match std::ptr::eq(kernel, &CUMULATIVE_SUM) {
            true => grad::running_sums(&x, axis, initial),
            false => grad::running_products(&x, axis, initial),
        };
    }
    let mut shape = x.shape().to_vec();
    shape[axis] += usize::from(initial == Initial::Include);
    let out = Tensor::uninit(op, &shape, dtype, x.device())?;
    if out.numel() == 0 {
        return Ok(out);
    }
    let last = |t: &Tensor| t.permute(&last_order(axis, t.ndim()));
    let (from, to) = (arg(&last(&x)?)?, arg(&last(&out)?)?);
    let params = vec![Scalar::Bool(initial == Initial::Include)];
    // SAFETY: both operands are live and of one dtype, the output fresh, with the lengths that the
    // kernel asks for.
    unsafe { launch(kernel, &out, vec![from], vec![to], params)? };
    Ok(out)
}

/// The type running results have by default.
fn widened(dtype: DType) -> DType {
    match dtype.kind() {
        Kind::Bool | Kind::Signed => DType::I64,
        Kind::Unsigned => DType::U64,
        _ => dtype,
    }
}

/// The order of axes that puts `axis` last.
pub(crate) fn last_order(axis: usize, ndim: usize) -> Vec<isize> {
    let others = (0..ndim).filter(|&a| a != axis);
    // few: the axes.
    others.chain([axis]).map(|a| a as isize).collect()
}

/// # Safety
/// As [`CUMULATIVE_SUM`] says.
unsafe fn sums(launch: &Launch) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe { any::<Sum>(launch) }
}

/// # Safety
/// As [`CUMULATIVE_PROD`] says.
unsafe fn products(launch: &Launch) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe { any::<Product>(launch) }
}

/// An associative operation with an identity.
trait Join {
    const NAME: &'static str;
    const IDENTITY: u8;
    fn join<A: Accumulator>(a: A, b: A) -> A;
}

struct Sum;
struct Product;

impl Join for Sum {
    const NAME: &'static str = "cumulative_sum";
    const IDENTITY: u8 = 0;
    #[inline(always)]
    fn join<A: Accumulator>(a: A, b: A) -> A {
        a.plus(b)
    }
}

impl Join for Product {
    const NAME: &'static str = "cumulative_prod";
    const IDENTITY: u8 = 1;
    #[inline(always)]
    fn join<A: Accumulator>(a: A, b: A) -> A {
        a.times(b)
    }
}

/// What a running result is kept in.
trait Accumulator: Copy + Send + Sync + From<u8> {
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
}

macro_rules! accumulators {
    ($($t:ty => $plus:expr, $times:expr);* $(;)?) => {$(
        impl Accumulator for $t {
            #[inline(always)]
            fn plus(self, other: $t) -> $t {
                $plus(self, other)
            }
            #[inline(always)]
            fn times(self, other: $t) -> $t {
                $times(self, other)
            }
        }
    )*};
}
accumulators!(
    u64 => u64::wrapping_add, u64::wrapping_mul;
    f64 => |a, b| a + b, |a, b| a * b;
    Wide => |a: Wide, b: Wide| Wide(a.0 + b.0), |a: Wide, b: Wide| Wide(a.0 * b.0);
);

/// A complex number of doubles.
#[derive(Clone, Copy)]
struct Wide(Complex<f64>);

impl From<u8> for Wide {
    fn from(value: u8) -> Wide {
        Wide(Complex::new(f64::from(value), 0.0))
    }
}

/// An element and what its running results are kept in.
trait Running: Copy + Send + Sync + 'static {
    type In: Accumulator;
    fn widen(self) -> Self::In;
    fn narrow(value: Self::In) -> Self;
}

macro_rules! running {
    ($($t:ty => $wide:ty, $widen:expr, $narrow:expr);* $(;)?) => {$(
        impl Running for $t {
            type In = $wide;
            #[inline(always)]
            fn widen(self) -> $wide {
                $widen(self)
            }
            #[inline(always)]
            fn narrow(value: $wide) -> $t {
                $narrow(value)
            }
        }
    )*};
}
// Integers wrap, so 64 bits modulo the narrower width are right for all of them.
running!(
    i8 => u64, |x| x as u64, |x| x as i8;
    i16 => u64, |x| x as u64, |x| x as i16;
    i32 => u64, |x| x as u64, |x| x as i32;
    i64 => u64, |x| x as u64, |x| x as i64;
    u8 => u64, u64::from, |x| x as u8;
    u16 => u64, u64::from, |x| x as u16;
    u32 => u64, u64::from, |x| x as u32;
    u64 => u64, |x| x, |x| x;
    f16 => f64, f16::to_f64, |x| f16::from_f32(round_to_odd(x));
    bf16 => f64, bf16::to_f64, |x| bf16::from_f32(round_to_odd(x));
    f32 => f64, f64::from, |x| x as f32;
    f64 => f64, |x| x, |x| x;
    Complex<f32> => Wide,
        |z: Complex<f32>| Wide(Complex::new(z.re.into(), z.im.into())),
        |w: Wide| Complex::new(w.0.re as f32, w.0.im as f32);
    Complex<f64> => Wide, Wide, |w: Wide| w.0;
);

/// # Safety
/// As [`CUMULATIVE_SUM`] says.
unsafe fn any<J: Join>(launch: &Launch) -> Result<()> {
    // SAFETY: the caller's promise, for the element type that the operands have.
    unsafe {
        match launch.outputs[0].dtype {
            DType::I8 => typed::<i8, J>(launch),
            DType::I16 => typed::<i16, J>(launch),
            DType::I32 => typed::<i32, J>(launch),
            DType::I64 => typed::<i64, J>(launch),
            DType::U8 => typed::<u8, J>(launch),
            DType::U16 => typed::<u16, J>(launch),
            DType::U32 => typed::<u32, J>(launch),
            DType::U64 => typed::<u64, J>(launch),
            DType::F16 => typed::<f16, J>(launch),
            DType::BF16 => typed::<bf16, J>(launch),
            DType::F32 => typed::<f32, J>(launch),
            DType::F64 => typed::<f64, J>(launch),
            DType::C64 => typed::<Complex<f32>, J>(launch),
            DType::C128 => typed::<Complex<f64>, J>(launch),
            dtype @ (DType::Bool | DType::F8E4M3 | DType::F8E5M2) => Err(Error::value(
                J::NAME,
                format!("the kernel has no version for {dtype}"),
            )),
        }
    }
}

/// Some lines side by side, or a part of one: where they are and how to walk them, in elements.
#[derive(Clone, Copy)]
struct Bundle<T> {
    from: *const T,
    to: *mut T,
    /// Steps along a line.
    step: [isize; 2],
    /// Steps to the neighbouring line.
    side: [isize; 2],
    len: usize,
    lines: usize,
}

// SAFETY: a bundle only names memory; tasks write disjoint bundles.
unsafe impl<T> Send for Bundle<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Bundle<T> {}

/// Elements of a chunk of a long line.
const CHUNK: usize = 1 << 15;
/// Neighbouring lines walked together, so that whole cache lines are used.
const BUNDLE: usize = 128;
/// Elements that one task has at most where it is several bundles.
const LONGEST: usize = 1 << 20;
/// Steps of a long bundle before the caller is asked whether to go on.
const UNASKED: usize = 1 << 14;

/// # Safety
/// As [`CUMULATIVE_SUM`] says, with elements of type `T`.
unsafe fn typed<T: Running, J: Join>(launch: &Launch) -> Result<()> {
    let (x, y) = (&launch.inputs[0], &launch.outputs[0]);
    let include = launch.params.first().is_some_and(|p| p.to_bool());
    let len = x.layout.shape().last().copied().unwrap_or(0);
    let mut lines = Lines::of(&[x, y]);
    let step = [lines.steps[0], lines.steps[1]];
    // Lines that lie closer together than their elements are walked side by side.
    let beside = lines.take_neighbours().map(|(n, s)| (n, [s[0], s[1]]));
    let (width, side) = beside.unwrap_or((1, [0, 0]));
    let wide = side[1].unsigned_abs() < step[1].unsigned_abs();
    let most = if wide { BUNDLE } else { 1 };
    let bundles = width.div_ceil(most);
    let all = Bundles { lines, bundles };
    all.for_each(len * most.min(width), |at, part| {
        let first = part * most;
        let by = |k: usize| first as isize * side[k];
        let bundle = Bundle {
            from: all
                .lines
                .start::<T>(0, at)
                .cast_const()
                .wrapping_offset(by(0)),
            to: all.lines.start::<T>(1, at).wrapping_offset(by(1)),
            step,
            side,
            len,
            lines: most.min(width - first),
        };
        // SAFETY: the bundle is part of the operands, and no two share a line.
        unsafe { bundle.run::<J>(include) }
    })
}

/// Bundles of neighbouring lines.
struct Bundles {
    lines: Lines,
    bundles: usize,
}

impl Bundles {
    fn for_each(
        &self,
        cost: usize,
        body: impl Fn(usize, usize) -> Result<()> + Sync,
    ) -> Result<()> {
        let count = self.lines.count() * self.bundles;
        let task = |i: usize| body(i / self.bundles, i % self.bundles);
        let least = (CHUNK / cost.max(1)).max(1);
        if count / least < 2 {
            (0..count).try_for_each(task)?;
            return Ok(interrupt::check()?);
        }
        let fair = count.div_ceil(8 * threads::count());
        let most = (LONGEST / cost.max(1)).max(1);
        try_ranges(count, fair.min(most).max(least), |from, to| {
            (from..to).try_for_each(task)
        })
    }
}

impl<T: Running> Bundle<T> {
    /// # Safety
    /// The addresses are live for `lines` lines of `len` elements, and one more in the output where
    /// the identity is included.
    unsafe fn run<J: Join>(mut self, include: bool) -> Result<()> {
        if include {
            for line in 0..self.lines as isize {
                let to = self.to.wrapping_offset(line * self.side[1]);
                // SAFETY: the first element of a line of the output.
                unsafe { *to = T::narrow(J::IDENTITY.into()) };
            }
            self.to = self.to.wrapping_offset(self.step[1]);
        }
        // SAFETY: the caller's promise, with the identity written.
        unsafe {
            if self.lines > 1 {
                self.side_by_side::<J>();
            } else if self.len < 2 * CHUNK {
                self.walk::<J>(J::IDENTITY.into());
            } else {
                self.chunked::<J>()?;
            }
        }
        Ok(())
    }

    /// # Safety
    /// As [`Bundle::run`], without room for the identity.
    unsafe fn side_by_side<J: Join>(self) {
        let mut totals = [T::In::from(J::IDENTITY); BUNDLE];
        let mut pace = Pace::new(0, UNASKED);
        for i in 0..self.len as isize {
            if pace.stops(i as usize) {
                return;
            }
            let from = self.from.wrapping_offset(i * self.step[0]);
            let to = self.to.wrapping_offset(i * self.step[1]);
            for (line, total) in totals[..self.lines].iter_mut().enumerate() {
                let line = line as isize;
                // SAFETY: element `i` of this line of both operands.
                unsafe {
                    *total = J::join(*total, (*from.wrapping_offset(line * self.side[0])).widen());
                    *to.wrapping_offset(line * self.side[1]) = T::narrow(*total);
                }
            }
        }
    }

    /// # Safety
    /// As [`Bundle::side_by_side`], for one line.
    unsafe fn walk<J: Join>(self, mut total: T::In) {
        for i in 0..self.len as isize {
            // SAFETY: element `i` of the line of both operands.
            unsafe {
                total = J::join(
                    total,
                    (*self.from.wrapping_offset(i * self.step[0])).widen(),
                );
                *self.to.wrapping_offset(i * self.step[1]) = T::narrow(total);
            }
        }
    }

    /// # Safety
    /// As [`Bundle::side_by_side`], for one line.
    unsafe fn total<J: Join>(self) -> T::In {
        // Four interleaved totals: one alone waits for itself.
        let mut totals = [T::In::from(J::IDENTITY); 4];
        for i in 0..self.len {
            let at = self.from.wrapping_offset(i as isize * self.step[0]);
            // SAFETY: element `i` of the line.
            totals[i % 4] = J::join(totals[i % 4], unsafe { *at }.widen());
        }
        let [a, b, c, d] = totals;
        J::join(J::join(a, b), J::join(c, d))
    }

    /// Part `k` of a long line.
    fn chunk(&self, k: usize) -> Bundle<T> {
        let by = (k * CHUNK) as isize;
        Bundle {
            from: self.from.wrapping_offset(by * self.step[0]),
            to: self.to.wrapping_offset(by * self.step[1]),
            len: CHUNK.min(self.len - k * CHUNK),
            ..*self
        }
    }

    /// # Safety
    /// As [`Bundle::side_by_side`], for one line.
    unsafe fn chunked<J: Join>(self) -> Result<()> {
        let mut starts = room::filled(self.len.div_ceil(CHUNK), T::In::from(J::IDENTITY))?;
        let total = |k: usize, to: &mut [T::In]| {
            // SAFETY: chunks are parts of the line.
            to[0] = unsafe { self.chunk(k).total::<J>() };
        };
        share_chunks(&mut starts, 1, total)?;
        let mut sum = T::In::from(J::IDENTITY);
        for start in &mut starts {
            (*start, sum) = (sum, J::join(sum, *start));
        }
        share(starts.len(), |k| {
            // SAFETY: chunks are disjoint parts of the line.
            unsafe { self.chunk(k).walk::<J>(starts[k]) }
        })?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Generator;

    const NUMERIC: [DType; 14] = [
        DType::I8,
        DType::I16,
        DType::I32,
        DType::I64,
        DType::U8,
        DType::U16,
        DType::U32,
        DType::U64,
        DType::F16,
        DType::BF16,
        DType::F32,
        DType::F64,
        DType::C64,
        DType::C128,
    ];

    fn random(shape: &[usize], seed: u64) -> Tensor {
        let mut values = vec![0f64; shape.iter().product()];
        Generator::new(seed).normal_f64(&mut values);
        Tensor::from_vec(values, shape).unwrap()
    }

    /// Both scans of the elements of one line, by their definition.
    fn check_line(x: &[f64], got: &[f64], product: bool, u: f64) {
        let (mut total, mut size) = (f64::from(u8::from(product)), 0.0f64);
        for (i, (&v, &g)) in x.iter().zip(got).enumerate() {
            total = if product { total * v } else { total + v };
            size += v.abs();
            let scale = if product { total.abs() } else { size };
            let limit = u * total.abs() + (i + 2) as f64 * 2f64.powi(-52) * scale + 1e-300;
            assert!((g - total).abs() <= limit, "at {i}: {g} for {total}");
        }
    }

    #[test]
    fn any_axis_and_layout_follows_the_definition() {
        for (dtype, u) in [(DType::F32, 2f64.powi(-24)), (DType::F64, 0.0)] {
            for axis in [0isize, 1, -1] {
                let base = random(&[5, 70, 6], 1).cast(dtype).unwrap();
                let views = [
                    base.clone(),
                    base.permute(&[2, 0, 1]).unwrap(),
                    base.flip(&[0, 1, 2]).unwrap(),
                    base.slice(1, Some(3), None, 2).unwrap(),
                    base.slice(0, Some(0), Some(1), 1)
                        .unwrap()
                        .broadcast_to(&[4, 70, 6])
                        .unwrap(),
                    base.slice(1, Some(0), Some(1), 1).unwrap(),
                ];
                for x in views {
                    let sum = cumulative_sum(&x, Some(axis), None, Initial::Leave).unwrap();
                    let prod = cumulative_prod(&x, Some(axis), None, Initial::Include).unwrap();
                    let at = normalize_axis("test", axis, 3).unwrap();
                    let lines = |t: &Tensor| -> Vec<f64> {
                        t.permute(&last_order(at, 3)).unwrap().to_vec().unwrap()
                    };
                    let n = x.shape()[at];
                    let (x, sum, prod) = (lines(&x), lines(&sum), lines(&prod));
                    for ((x, s), p) in x.chunks(n).zip(sum.chunks(n)).zip(prod.chunks(n + 1)) {
                        check_line(x, s, false, u);
                        assert_eq!(p[0], 1.0);
                        check_line(x, &p[1..], true, u);
                    }
                }
            }
        }
    }

    #[test]
    fn long_lines_are_cut_without_a_seam() {
        for n in [CHUNK - 1, 2 * CHUNK, 2 * CHUNK + 1, 200_001] {
            let x = random(&[n], 2);
            let out = cumulative_sum(&x, None, None, Initial::Leave).unwrap();
            check_line(
                &x.to_vec::<f64>().unwrap(),
                &out.to_vec::<f64>().unwrap(),
                false,
                0.0,
            );
        }
        let ones = Tensor::ones(&[200_001], DType::I32).unwrap();
        let out = cumulative_sum(&ones, None, None, Initial::Include).unwrap();
        let want: Vec<i64> = (0..=200_001).collect();
        assert_eq!(out.to_vec::<i64>().unwrap(), want);
    }

    #[test]
    fn every_dtype_has_known_values() {
        for dtype in NUMERIC {
            let x = Tensor::from_slice(&[3i64, 2, 5], &[3])
                .unwrap()
                .cast(dtype)
                .unwrap();
            let sum = cumulative_sum(&x, None, None, Initial::Leave).unwrap();
            let prod = cumulative_prod(&x, None, None, Initial::Leave).unwrap();
            assert_eq!(sum.dtype(), widened(dtype), "{dtype}");
            assert_eq!(sum.to_vec::<f64>().unwrap(), [3.0, 5.0, 10.0], "{dtype}");
            assert_eq!(prod.to_vec::<f64>().unwrap(), [3.0, 6.0, 30.0], "{dtype}");
        }
        let x = Tensor::from_slice(&[true, true], &[2]).unwrap();
        let out = cumulative_sum(&x, None, None, Initial::Leave).unwrap();
        assert_eq!(
            (out.dtype(), out.to_vec::<i64>().unwrap()),
            (DType::I64, vec![1, 2])
        );
        let x = Tensor::full(&[2], 100, DType::I8).unwrap();
        let out = cumulative_sum(&x, None, Some(DType::I8), Initial::Leave).unwrap();
        assert_eq!(out.to_vec::<i8>().unwrap(), [100, -56]);
    }

    #[test]
    fn float32_sums_are_rounded_once() {
        // Ten million tenths: a float32 total would be off by more than eight percent.
        let x = Tensor::full(&[10_000_000], 0.1, DType::F32).unwrap();
        let out = cumulative_sum(&x, None, None, Initial::Leave).unwrap();
        let last = out.select(0, -1).unwrap().item().unwrap().to_f64();
        assert!(
            (last - 1e7 * f64::from(0.1f32)).abs() <= 2f64.powi(-24) * 1e6 * 1.01,
            "{last}"
        );
    }

    #[test]
    fn empty_lines_and_mistakes() {
        let none = Tensor::zeros(&[2, 0], DType::F32).unwrap();
        let out = cumulative_sum(&none, Some(1), None, Initial::Leave).unwrap();
        assert_eq!(out.shape(), [2, 0]);
        let out = cumulative_prod(&none, Some(1), None, Initial::Include).unwrap();
        assert_eq!(out.to_vec::<f32>().unwrap(), [1.0, 1.0]);
        let scan = |x: &Tensor, axis| cumulative_sum(x, axis, None, Initial::Leave);
        assert!(matches!(scan(&none, None), Err(Error::Shape { .. })));
        assert!(matches!(scan(&none, Some(2)), Err(Error::Axis { .. })));
        let number = Tensor::scalar(1.0, DType::F32).unwrap();
        assert!(matches!(scan(&number, Some(0)), Err(Error::Shape { .. })));
        let out = cumulative_sum(&none, Some(1), Some(DType::Bool), Initial::Leave);
        assert!(matches!(out, Err(Error::DType { .. })));
    }
}
