//! The operators on vectors of coefficients as kernels: their CPU versions, and the contracts that a device's versions keep.

use super::arithmetic::Operation;
use super::error::{NO_FAULT, refused};
use super::share::share;
use super::{GoldenTensor, GoldenTensorError};
use crate::exact::snap::snap_slice;
use crate::exact::{ExactError, Golden};
use std::cmp::Ordering;
use std::sync::atomic::{AtomicU64, Ordering as Memory};
use syntonic_core::cpu::threads::{count, share_ranges};
use syntonic_core::device::{Arg, ByName, Kernel, Launch, NamedKernel};
use syntonic_core::interrupt::poll;
use syntonic_core::{DType, Result, Tensor, room};

pub(super) use syntonic_core::ops::vectors::{Operands, run_named};
use syntonic_core::ops::vectors::{Places, Results, read};

/// An output as a launch asks for it: its name, its shape and its type.
pub(super) type Output<'a> = (&'static str, &'a [usize], DType);

/// The output for a fault.
pub(super) const FAULT: Output<'_> = ("fault", &[1], DType::U64);

/// The outputs of kernels that give points of a shape.
pub(super) fn points(shape: &[usize]) -> [Output<'_>; 3] {
    [
        ("out_a", shape, DType::I64),
        ("out_b", shape, DType::I64),
        FAULT,
    ]
}

/// The operands of kernels that take pairs of points.
pub(super) fn pairs<'a>(
    x: &'a GoldenTensor,
    y: &'a GoldenTensor,
) -> [(&'static str, &'a Tensor); 4] {
    [("a", &x.a), ("b", &x.b), ("c", &y.a), ("d", &y.b)]
}

/// The points that a kernel gave, or the error of the first element without one.
pub(super) fn checked(
    mut made: Results,
    error: impl FnOnce(usize) -> Result<ExactError>,
) -> std::result::Result<GoldenTensor, GoldenTensorError> {
    let (a, b) = (made.take("out_a")?, made.take("out_b")?);
    refused(&made.take("fault")?, a.shape(), error)?;
    Ok(GoldenTensor { a, b })
}

/// Elements that one thread does in one go.
const PIECE: usize = 1 << 14;

/// Coefficients of two points, and of the points that come of them with the place of a fault.
const PAIR: [&str; 4] = ["a", "b", "c", "d"];
const POINTS: [&str; 3] = ["out_a", "out_b", "fault"];

/// An operation by the element. Inputs: `a, b, c, d` of `a + b φ` and `c + d φ`, where the operation takes one operand the second
/// is not read. Outputs: both coefficients, `out_a` and `out_b`, and the `fault`, one place, `uint64`, with the index of the first element that
/// overflows, `u64::MAX` where none does. Number: that of the `operation`. All vectors are `int64` of one length.
pub static MAP: NamedKernel = NamedKernel {
    kernel: Kernel {
        name: "golden_map",
        cpu: map,
    },
    inputs: &PAIR,
    outputs: &POINTS,
    numbers: &["operation"],
    lists: &[],
};

/// The exact order. Inputs: `a, b, c, d`. Output: `signs`, -1, 0 or 1. All vectors are `int64` of one length.
pub static COMPARE: NamedKernel = NamedKernel {
    kernel: Kernel {
        name: "golden_compare",
        cpu: compare,
    },
    inputs: &PAIR,
    outputs: &["signs"],
    numbers: &[],
    lists: &[],
};

/// Norms `a² + a b - b²`. Inputs: `a, b`. Outputs: the norms, `integers`, and the `fault` as of [`MAP`]. All vectors are `int64` of one length.
pub static NORMS: NamedKernel = NamedKernel {
    kernel: Kernel {
        name: "golden_norms",
        cpu: norms,
    },
    inputs: &["a", "b"],
    outputs: &["integers", "fault"],
    numbers: &[],
    lists: &[],
};

/// The largest integers at or below. Inputs: `a, b`. Outputs: the `integers`, and the `fault` as of [`MAP`]. All vectors are
/// `int64` of one length.
pub static FLOOR: NamedKernel = NamedKernel {
    kernel: Kernel {
        name: "golden_floor",
        cpu: floor,
    },
    inputs: &["a", "b"],
    outputs: &["integers", "fault"],
    numbers: &[],
    lists: &[],
};

/// Syntony of rows, added in an order that is the same on every device. Inputs: rows `psi`, `float64` `[r, n]`, and
/// `weights`, `[n]`. Output: `syntony`, `float64` `[r]`.
pub static SHARE: NamedKernel = NamedKernel {
    kernel: Kernel {
        name: "golden_share",
        cpu: shares,
    },
    inputs: &["psi", "weights"],
    outputs: &["syntony"],
    numbers: &[],
    lists: &[],
};

/// Values. Inputs: `a, b`, `int64`. Output: `values`, `float64` of their length.
pub static FLOATS: NamedKernel = NamedKernel {
    kernel: Kernel {
        name: "golden_floats",
        cpu: floats,
    },
    inputs: &["a", "b"],
    outputs: &["values"],
    numbers: &[],
    lists: &[],
};

/// Products of stacks of row-major matrices. Inputs: `a, b` of `[s, m, k]` and `c, d` of `[s, k, n]`. Outputs: `out_a` and `out_b` of
/// `[s, m, n]`, and the `fault` as of [`MAP`]. Numbers: `stacks`, which is `s`, and `m, k, n`. All are `int64`.
pub static PRODUCT: NamedKernel = NamedKernel {
    kernel: Kernel {
        name: "golden_product",
        cpu: matrices,
    },
    inputs: &PAIR,
    outputs: &POINTS,
    numbers: &["stacks", "m", "k", "n"],
    lists: &[],
};

/// Nearest points. Input: `x`, `float64` or `float32`. Outputs: `out_a` and `out_b`, `int64` of its length, and the `fault`, `uint64`, with the
/// index of the first element that has no point, `u64::MAX` where all have. Number: the `bound`, of 32 bits.
pub static SNAP: NamedKernel = NamedKernel {
    kernel: Kernel {
        name: "golden_snap",
        cpu: snaps,
    },
    inputs: &["x"],
    outputs: &POINTS,
    numbers: &["bound"],
    lists: &[],
};

/// The coefficients of the points that are read.
///
/// # Safety
/// They are live row-major operands of `int64`.
unsafe fn coefficients<'a, const N: usize>(
    named: &ByName<'a>,
    names: [&str; N],
) -> Result<[&'a [i64]; N]> {
    // SAFETY: passed on.
    Ok(named.inputs(names)?.map(|x| unsafe { read(x) }))
}

/// How many elements a thread does in one go, of so many.
fn piece(count_: usize) -> usize {
    count_.div_ceil(4 * count()).clamp(256, PIECE)
}

/// The first place that was told of.
struct First(AtomicU64);

impl First {
    fn new() -> First {
        First(AtomicU64::new(NO_FAULT))
    }

    fn meet(&self, place: usize) {
        self.0.fetch_min(place as u64, Memory::Relaxed);
    }

    /// # Safety
    /// The output is a live place of `uint64` that nobody else has.
    unsafe fn write(self, to: &Arg) {
        // SAFETY: passed on.
        unsafe { to.address().cast::<u64>().write(self.0.into_inner()) };
    }
}

/// # Safety
/// As [`MAP`] says.
unsafe fn map(launch: &Launch) -> Result<()> {
    let named = launch.by_name()?;
    let operation = Operation::ALL[named.whole::<usize>("operation")?];
    // SAFETY: the caller's promise.
    let [a, b, c, d] = unsafe { coefficients(&named, ["a", "b", "c", "d"])? };
    let [out_a, out_b, fault] = named.outputs(["out_a", "out_b", "fault"])?;
    let (out_a, out_b) = (Places::of(out_a), Places::of(out_b));
    let first = First::new();
    share_ranges(a.len(), piece(a.len()), |from, to| {
        // SAFETY: ranges are disjoint and lie inside the outputs, which are as long as the inputs.
        let (out_a, out_b) = unsafe {
            (
                &mut *out_a.range(from, to - from),
                &mut *out_b.range(from, to - from),
            )
        };
        for (i, (out_a, out_b)) in (from..to).zip(out_a.iter_mut().zip(out_b)) {
            match operation.of(Golden::new(a[i], b[i]), Golden::new(c[i], d[i])) {
                Ok(point) => (*out_a, *out_b) = (point.a, point.b),
                Err(_) => first.meet(i),
            }
        }
    })?;
    // SAFETY: the caller's promise.
    unsafe { first.write(fault) };
    Ok(())
}

/// # Safety
/// As [`COMPARE`] says.
unsafe fn compare(launch: &Launch) -> Result<()> {
    let named = launch.by_name()?;
    // SAFETY: the caller's promise.
    let [a, b, c, d] = unsafe { coefficients(&named, ["a", "b", "c", "d"])? };
    let out = Places::<i64>::of(named.output("signs")?);
    share_ranges(a.len(), piece(a.len()), |from, to| {
        // SAFETY: ranges are disjoint and lie inside the output.
        let out = unsafe { &mut *out.range(from, to - from) };
        for (i, out) in (from..to).zip(out) {
            *out = match Golden::new(a[i], b[i]).cmp(&Golden::new(c[i], d[i])) {
                Ordering::Less => -1,
                Ordering::Equal => 0,
                Ordering::Greater => 1,
            };
        }
    })?;
    Ok(())
}

/// # Safety
/// As [`NORMS`] says.
unsafe fn norms(launch: &Launch) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe { to_integers(launch, Golden::norm) }
}

/// # Safety
/// As [`FLOOR`] says.
unsafe fn floor(launch: &Launch) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe { to_integers(launch, Golden::floor) }
}

/// # Safety
/// As [`NORMS`] says.
unsafe fn to_integers(launch: &Launch, of: fn(Golden) -> i128) -> Result<()> {
    let named = launch.by_name()?;
    // SAFETY: the caller's promise.
    let [a, b] = unsafe { coefficients(&named, ["a", "b"])? };
    let [out, fault] = named.outputs(["integers", "fault"])?;
    let out = Places::<i64>::of(out);
    let first = First::new();
    share_ranges(a.len(), piece(a.len()), |from, to| {
        // SAFETY: ranges are disjoint and lie inside the output.
        let out = unsafe { &mut *out.range(from, to - from) };
        for (i, out) in (from..to).zip(out) {
            match i64::try_from(of(Golden::new(a[i], b[i]))) {
                Ok(whole) => *out = whole,
                Err(_) => {
                    *out = 0;
                    first.meet(i);
                }
            }
        }
    })?;
    // SAFETY: the caller's promise.
    unsafe { first.write(fault) };
    Ok(())
}

/// # Safety
/// As [`SHARE`] says.
unsafe fn shares(launch: &Launch) -> Result<()> {
    let named = launch.by_name()?;
    // SAFETY: the caller's promise.
    let [psi, weights] = named
        .inputs(["psi", "weights"])?
        .map(|x| unsafe { read::<f64>(x) });
    let out = named.output("syntony")?;
    let (rows, length) = (out.layout.numel(), weights.len());
    let out = Places::<f64>::of(out);
    let fair = piece(rows).min((PIECE / length.max(1)).max(1));
    share_ranges(rows, fair, |from, to| {
        // SAFETY: ranges are disjoint and lie inside the output.
        let out = unsafe { &mut *out.range(from, to - from) };
        for (row, out) in (from..to).zip(out) {
            *out = share(&psi[row * length..(row + 1) * length], weights);
        }
    })?;
    Ok(())
}

/// # Safety
/// As [`FLOATS`] says.
unsafe fn floats(launch: &Launch) -> Result<()> {
    let named = launch.by_name()?;
    // SAFETY: the caller's promise.
    let [a, b] = unsafe { coefficients(&named, ["a", "b"])? };
    let out = Places::<f64>::of(named.output("values")?);
    share_ranges(a.len(), piece(a.len()), |from, to| {
        // SAFETY: ranges are disjoint and lie inside the output.
        let out = unsafe { &mut *out.range(from, to - from) };
        for (i, out) in (from..to).zip(out) {
            *out = Golden::new(a[i], b[i]).to_f64();
        }
    })?;
    Ok(())
}

/// # Safety
/// As [`PRODUCT`] says.
unsafe fn matrices(launch: &Launch) -> Result<()> {
    let named = launch.by_name()?;
    let [m, k, n] = named.wholes::<usize, 3>(["m", "k", "n"])?;
    // SAFETY: the caller's promise.
    let [a, b, c, d] = unsafe { coefficients(&named, ["a", "b", "c", "d"])? };
    let [out_a, out_b, fault] = named.outputs(["out_a", "out_b", "fault"])?;
    let elements = out_a.layout.numel();
    let (out_a, out_b) = (Places::of(out_a), Places::of(out_b));
    let first = First::new();
    let fair = piece(elements).min((PIECE / k.max(1)).max(1));
    share_ranges(elements, fair, |from, to| {
        // SAFETY: ranges are disjoint and lie inside the outputs.
        let (out_a, out_b) = unsafe {
            (
                &mut *out_a.range(from, to - from),
                &mut *out_b.range(from, to - from),
            )
        };
        for (i, (out_a, out_b)) in (from..to).zip(out_a.iter_mut().zip(out_b)) {
            let (stack, row, column) = (i / (m * n), i / n % m, i % n);
            let terms = (0..k).map(|t| {
                let (x, y) = ((stack * m + row) * k + t, (stack * k + t) * n + column);
                ((a[x], b[x]), (c[y], d[y]))
            });
            match dot(terms) {
                Some((whole, factor)) => (*out_a, *out_b) = (whole, factor),
                None => first.meet(i),
            }
        }
    })?;
    // SAFETY: the caller's promise.
    unsafe { first.write(fault) };
    Ok(())
}

/// Terms that are added before the caller is asked whether to go on.
const UNASKED: usize = 1 << 18;

/// The sum of products, if neither it nor a sum on the way leaves its bits.
fn dot(terms: impl Iterator<Item = ((i64, i64), (i64, i64))>) -> Option<(i64, i64)> {
    let mut sum = Golden::ZERO.wide();
    for (done, (x, y)) in terms.enumerate() {
        // Nobody reads what is left of work that is told to stop.
        if done % UNASKED == UNASKED - 1 && poll().is_err() {
            return None;
        }
        let wide = |(a, b): (i64, i64)| Golden::new(a, b).wide();
        sum = sum.plus(&wide(x).times(&wide(y))?)?;
    }
    Some((i64::try_from(sum.a).ok()?, i64::try_from(sum.b).ok()?))
}

/// # Safety
/// As [`SNAP`] says.
unsafe fn snaps(launch: &Launch) -> Result<()> {
    let named = launch.by_name()?;
    let bound = named.whole::<u32>("bound")?;
    let x = named.input("x")?;
    let [out_a, out_b, fault] = named.outputs(["out_a", "out_b", "fault"])?;
    let (out_a, out_b) = (Places::<i64>::of(out_a), Places::<i64>::of(out_b));
    let first = First::new();
    let elements = x.layout.numel();
    let some = |from: usize, to: usize, x: &[f64]| {
        // SAFETY: ranges are disjoint and lie inside the outputs, which are as long as the input.
        let (a, b) = unsafe {
            (
                &mut *out_a.range(from, to - from),
                &mut *out_b.range(from, to - from),
            )
        };
        if let Err((place, _)) = snap_slice(x, bound, a, b) {
            first.meet(from + place);
        }
    };
    if x.dtype == DType::F32 {
        // SAFETY: the caller's promise.
        let x = unsafe { read::<f32>(x) };
        let wide = room::collected(x.iter().map(|&x| f64::from(x)))?;
        share_ranges(elements, piece(elements), |from, to| {
            some(from, to, &wide[from..to])
        })?;
    } else {
        // SAFETY: the caller's promise.
        let x = unsafe { read::<f64>(x) };
        share_ranges(elements, piece(elements), |from, to| {
            some(from, to, &x[from..to])
        })?;
    }
    // SAFETY: the caller's promise.
    unsafe { first.write(fault) };
    Ok(())
}
