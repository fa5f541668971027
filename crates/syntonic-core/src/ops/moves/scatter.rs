//! Writing elements to where offsets point.

use super::Shared;
use super::walk::Walk;
use crate::cpu::exec::parallel::{Work, for_ranges};
use crate::device::{Kernel, Launch};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::interrupt::in_pieces;
use crate::scalar::{with_bits, with_number};
use half::{bf16, f16};
use num_complex::Complex;

/// `target[p · strides + offsets[p]] = values[p]`, as if in row-major order of `p`: of several values
/// for one element the last stays.
///
/// Inputs: the values, of the target's type, and `int64` offsets; output: the target. All have the
/// shape of the index space. Along an axis where the target's stride is not 0, different positions
/// never meet. The target overlaps no input.
pub static SCATTER: Kernel = Kernel {
    name: "scatter",
    cpu: scatter,
};

/// `target[p · strides + offsets[p]] += values[p]`, as if in row-major order of `p`, rounded to the
/// target's type after each addition. Not defined for `bool`. Operands as for [`SCATTER`].
pub static SCATTER_ADD: Kernel = Kernel {
    name: "scatter_add",
    cpu: scatter_add,
};

/// Positions that one thread takes in order before it asks whether to go on.
const PIECE: usize = 1 << 20;

unsafe fn scatter(args: &Launch) -> Result<()> {
    with_bits!(args.outputs[0].dtype.size(), T => {
        // SAFETY: the caller's promise; elements are moved as bits of their size.
        unsafe { scatter_as::<T>(args, |_, new| new) }
    })
}

unsafe fn scatter_add(args: &Launch) -> Result<()> {
    if args.outputs[0].dtype == DType::Bool {
        return Err(Error::value("scatter_add", "bool has no addition"));
    }
    with_number!(args.outputs[0].dtype, T => {
        // SAFETY: the caller's promise; the type is the target's.
        unsafe { scatter_as::<T>(args, Sum::plus) }
    })
}

unsafe fn scatter_as<T: Copy>(
    args: &Launch,
    combine: impl Fn(T, T) -> T + Copy + Sync,
) -> Result<()> {
    let (values, offsets, target) = (&args.inputs[0], &args.inputs[1], &args.outputs[0]);
    let walk = Walk::over(&[target, values, offsets]);
    let all = walk.len();
    if all == 0 {
        return Ok(());
    }
    let (to, from, index) = (
        Shared::<T>::of(target),
        Shared::<T>::of(values),
        Shared::<i64>::of(offsets),
    );
    let part = |first: [isize; 3], walk: &Walk, (begin, end): (usize, usize)| {
        let steps = [walk.step(0), walk.step(1), walk.step(2)];
        walk.runs(begin, end, |at, len| {
            let to = to.at(first[0] + at[0]);
            let (from, index) = (from.at(first[1] + at[1]), index.at(first[2] + at[2]));
            // SAFETY: the run lies in the index space; threads own different positions of an axis
            // along which targets never meet.
            unsafe { run(to, from, index, steps, len, combine) };
        });
    };
    // Only along such an axis may the work be cut: elsewhere the order decides which value stays.
    let safe = (0..walk.dims().len()).filter(|&a| walk.stride(a, 0) != 0);
    let Some(axis) = safe.max_by_key(|&a| walk.dims()[a]) else {
        let all_of_it = |from, to| part([0; 3], &walk, (from, to));
        return Ok(in_pieces(all, PIECE, all_of_it)?);
    };
    let work = Work {
        items: walk.dims()[axis],
        tenths_of_ns: 15 * (all / walk.dims()[axis]),
        at_least: 1,
    };
    for_ranges(work, |first, end| {
        let start = [0, 1, 2].map(|k| first as isize * walk.stride(axis, k));
        let cut = walk.cut(axis, end - first);
        // Short along this axis means long along the others.
        Ok(in_pieces(cut.len(), PIECE, |begin, end| {
            part(start, &cut, (begin, end));
        })?)
    })
}

/// One run; `steps` are those of target, values and offsets.
#[inline(always)]
unsafe fn run<T: Copy>(
    to: *mut T,
    from: *const T,
    index: *const i64,
    [a, b, c]: [isize; 3],
    len: usize,
    combine: impl Fn(T, T) -> T,
) {
    for j in 0..len as isize {
        // SAFETY: the caller vouches for `len` elements of each operand along its step, and that
        // each offset leads to an element of the target.
        unsafe {
            let place = to.offset(j * a + *index.offset(j * c) as isize);
            place.write(combine(place.read(), from.offset(j * b).read()));
        }
    }
}

/// Addition in the element's own type.
trait Sum: Copy {
    fn plus(self, other: Self) -> Self;
}

macro_rules! sums {
    ($($t:ty: $a:ident, $b:ident => $sum:expr);* $(;)?) => {$(
        impl Sum for $t {
            fn plus(self, other: Self) -> Self {
                let ($a, $b) = (self, other);
                $sum
            }
        }
    )*};
}
sums!(
    bool: a, b => a | b;
    i8: a, b => a.wrapping_add(b);
    i16: a, b => a.wrapping_add(b);
    i32: a, b => a.wrapping_add(b);
    i64: a, b => a.wrapping_add(b);
    u8: a, b => a.wrapping_add(b);
    u16: a, b => a.wrapping_add(b);
    u32: a, b => a.wrapping_add(b);
    u64: a, b => a.wrapping_add(b);
    f16: a, b => f16::from_f32(a.to_f32() + b.to_f32());
    bf16: a, b => bf16::from_f32(a.to_f32() + b.to_f32());
    f32: a, b => a + b;
    f64: a, b => a + b;
    Complex<f32>: a, b => a + b;
    Complex<f64>: a, b => a + b;
);
