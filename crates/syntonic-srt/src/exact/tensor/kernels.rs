//! The operators on vectors of coefficients as kernels: their CPU versions, and the contracts that a device's versions keep.

use super::arithmetic::Operation;
use super::error::{NO_FAULT, refused};
use super::share::share;
use super::{GoldenTensor, GoldenTensorError};
use crate::exact::snap::snap_slice;
use crate::exact::{ExactError, Golden, golden::product};
use std::cmp::Ordering;
use std::sync::atomic::{AtomicU64, Ordering as Memory};
use syntonic_core::cpu::threads::{count, share_ranges};
use syntonic_core::device::{Arg, Kernel, Launch};
use syntonic_core::interrupt::poll;
use syntonic_core::{DType, Result, Tensor, room};

pub(super) use syntonic_core::ops::vectors::run;
use syntonic_core::ops::vectors::{Places, read};

/// The output for a fault.
pub(super) const FAULT: (&[usize], DType) = (&[1], DType::U64);

/// The outputs of kernels that give points of a shape.
pub(super) fn points(shape: &[usize]) -> [(&[usize], DType); 3] {
    [(shape, DType::I64), (shape, DType::I64), FAULT]
}

/// The points that a kernel gave, or the error of the first element without one.
pub(super) fn checked(
    outputs: Vec<Tensor>,
    error: impl FnOnce(usize) -> Result<ExactError>,
) -> std::result::Result<GoldenTensor, GoldenTensorError> {
    let [a, b, fault] = &outputs[..] else {
        unreachable!("points have three outputs");
    };
    refused(fault, a.shape(), error)?;
    Ok(GoldenTensor {
        a: a.clone(),
        b: b.clone(),
    })
}

/// Elements that one thread does in one go.
const PIECE: usize = 1 << 14;

/// An operation by the element. Inputs: `a, b, c, d` of `a + b φ` and `c + d φ`, where the operation takes one operand the second
/// is not read. Outputs: both coefficients, and one place, `uint64`, with the index of the first element that overflows, `u64::MAX` where none
/// does.
/// Numbers: the operation's. All vectors are `int64` of one length.
pub static MAP: Kernel = Kernel {
    name: "golden_map",
    cpu: map,
};

/// The exact order. Inputs: `a, b, c, d`. Output: -1, 0 or 1. All vectors are `int64` of one length.
pub static COMPARE: Kernel = Kernel {
    name: "golden_compare",
    cpu: compare,
};

/// Norms `a² + a b - b²`. Inputs: `a, b`. Outputs: the norms, and one place as of [`MAP`]. All vectors are `int64` of one length.
pub static NORMS: Kernel = Kernel {
    name: "golden_norms",
    cpu: norms,
};

/// The largest integers at or below. Inputs: `a, b`. Outputs: the integers, and one place as of [`MAP`]. All vectors are `int64` of one
/// length.
pub static FLOOR: Kernel = Kernel {
    name: "golden_floor",
    cpu: floor,
};

/// Syntony of rows, added in an order that is the same on every device. Inputs: `float64` rows `[r, n]` and weights `[n]`. Output:
/// `float64` `[r]`.
pub static SHARE: Kernel = Kernel {
    name: "golden_share",
    cpu: shares,
};

/// Values. Inputs: `a, b`, `int64`. Output: `float64` of their length.
pub static FLOATS: Kernel = Kernel {
    name: "golden_floats",
    cpu: floats,
};

/// Products of stacks of row-major matrices. Inputs: `a, b` of `[s, m, k]` and `c, d` of `[s, k, n]`. Outputs: both coefficients of
/// `[s, m, n]`, and one place as of [`MAP`]. Numbers: `s, m, k, n`. All are `int64`.
pub static PRODUCT: Kernel = Kernel {
    name: "golden_product",
    cpu: matrices,
};

/// Nearest points. Input: `float64` or `float32`. Outputs: both coefficients, `int64` of its length, and one place, `uint64`, with the index of the
/// first element that has no point, `u64::MAX` where all have. Numbers: the bound, of 32 bits.
pub static SNAP: Kernel = Kernel {
    name: "golden_snap",
    cpu: snaps,
};

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
    let number = launch.params[0].to_i128() as usize;
    let operation = Operation::ALL[number];
    // SAFETY: the caller's promise.
    let [a, b, c, d] = [0, 1, 2, 3].map(|k| unsafe { read::<i64>(&launch.inputs[k]) });
    let (out_a, out_b) = (
        Places::of(&launch.outputs[0]),
        Places::of(&launch.outputs[1]),
    );
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
    unsafe { first.write(&launch.outputs[2]) };
    Ok(())
}

/// # Safety
/// As [`COMPARE`] says.
unsafe fn compare(launch: &Launch) -> Result<()> {
    // SAFETY: the caller's promise.
    let [a, b, c, d] = [0, 1, 2, 3].map(|k| unsafe { read::<i64>(&launch.inputs[k]) });
    let out = Places::<i64>::of(&launch.outputs[0]);
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
    // SAFETY: the caller's promise.
    let [a, b] = [0, 1].map(|k| unsafe { read::<i64>(&launch.inputs[k]) });
    let out = Places::<i64>::of(&launch.outputs[0]);
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
    unsafe { first.write(&launch.outputs[1]) };
    Ok(())
}

/// # Safety
/// As [`SHARE`] says.
unsafe fn shares(launch: &Launch) -> Result<()> {
    // SAFETY: the caller's promise.
    let [psi, weights] = [0, 1].map(|k| unsafe { read::<f64>(&launch.inputs[k]) });
    let out = Places::<f64>::of(&launch.outputs[0]);
    let (rows, length) = (launch.outputs[0].layout.numel(), weights.len());
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
    // SAFETY: the caller's promise.
    let [a, b] = [0, 1].map(|k| unsafe { read::<i64>(&launch.inputs[k]) });
    let out = Places::<f64>::of(&launch.outputs[0]);
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
    let [_, m, k, n] = [0, 1, 2, 3].map(|at| launch.params[at].to_i128() as usize);
    // SAFETY: the caller's promise.
    let [a, b, c, d] = [0, 1, 2, 3].map(|k| unsafe { read::<i64>(&launch.inputs[k]) });
    let (out_a, out_b) = (
        Places::of(&launch.outputs[0]),
        Places::of(&launch.outputs[1]),
    );
    let elements = launch.outputs[0].layout.numel();
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
    unsafe { first.write(&launch.outputs[2]) };
    Ok(())
}

/// Terms that are added before the caller is asked whether to go on.
const UNASKED: usize = 1 << 18;

/// The sum of products, if neither it nor a sum on the way leaves its bits.
fn dot(terms: impl Iterator<Item = ((i64, i64), (i64, i64))>) -> Option<(i64, i64)> {
    let (mut a, mut b) = (0i128, 0i128);
    for (done, (x, y)) in terms.enumerate() {
        // Nobody reads what is left of work that is told to stop.
        if done % UNASKED == UNASKED - 1 && poll().is_err() {
            return None;
        }
        let wide = |(a, b): (i64, i64)| (i128::from(a), i128::from(b));
        let (term_a, term_b) = product(wide(x), wide(y))?;
        (a, b) = (a.checked_add(term_a)?, b.checked_add(term_b)?);
    }
    Some((i64::try_from(a).ok()?, i64::try_from(b).ok()?))
}

/// # Safety
/// As [`SNAP`] says.
unsafe fn snaps(launch: &Launch) -> Result<()> {
    let bound = launch.params[0].to_i128() as u32;
    let x = &launch.inputs[0];
    let (out_a, out_b) = (
        Places::<i64>::of(&launch.outputs[0]),
        Places::<i64>::of(&launch.outputs[1]),
    );
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
    unsafe { first.write(&launch.outputs[2]) };
    Ok(())
}
