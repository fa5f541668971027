//! Reading elements from where offsets point.

use super::Shared;
use super::walk::Walk;
use crate::cpu::exec::parallel::{Work, for_ranges};
use crate::device::{Kernel, Launch};
use crate::error::Result;
use crate::interrupt::Outcome;
use crate::scalar::with_bits;

/// `out[p] = source[p · strides + offsets[p]]`.
///
/// Inputs: the source and `int64` offsets; output: `out` of the source's type. All have the shape of
/// the index space; the output overlaps no input.
pub static GATHER: Kernel = Kernel {
    name: "gather",
    cpu: gather,
};

unsafe fn gather(args: &Launch) -> Result<()> {
    // SAFETY: the caller's promise; elements are moved as bits of their size.
    with_bits!(args.outputs[0].dtype.size(), T => unsafe { gather_as::<T>(args)? });
    Ok(())
}

unsafe fn gather_as<T: Copy>(args: &Launch) -> Outcome {
    let (source, offsets, out) = (&args.inputs[0], &args.inputs[1], &args.outputs[0]);
    let walk = Walk::over(&[out, source, offsets]);
    let (to, from, index) = (
        Shared::<T>::of(out),
        Shared::<T>::of(source),
        Shared::<i64>::of(offsets),
    );
    let steps = [walk.step(0), walk.step(1), walk.step(2)];
    let work = Work {
        items: walk.len(),
        tenths_of_ns: 10,
        at_least: 4096,
    };
    for_ranges(work, |first, end| {
        walk.runs(first, end, |at, len| {
            let (to, from, index) = (to.at(at[0]), from.at(at[1]), index.at(at[2]));
            // SAFETY: the run lies in the index space; threads write disjoint runs of the output.
            unsafe { run(to, from, index, steps, len) };
        });
    })
}

/// One run; `steps` are those of output, source and offsets.
#[inline(always)]
unsafe fn run<T: Copy>(
    to: *mut T,
    from: *const T,
    index: *const i64,
    steps: [isize; 3],
    len: usize,
) {
    // SAFETY: the caller vouches for `len` elements of each operand along its step, and that each
    // offset leads to an element of the source.
    unsafe {
        match steps {
            [1, 1, 0] => std::ptr::copy_nonoverlapping(from.offset(*index as isize), to, len),
            [1, 0, 1] => {
                for j in 0..len {
                    to.add(j).write(*from.offset(*index.add(j) as isize));
                }
            }
            [a, b, c] => {
                for j in 0..len as isize {
                    let jump = *index.offset(j * c) as isize;
                    to.offset(j * a).write(*from.offset(j * b + jump));
                }
            }
        }
    }
}
