//! From indices to offsets, with the check that every index lies inside its axis.

use super::walk::Walk;
use super::{Shared, integer};
use crate::cpu::exec::parallel::{Work, for_ranges};
use crate::device::{Kernel, Launch};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::fork::lock;
use std::sync::Mutex;

/// `out[p] = wrap(index[p]) · stride` where `wrap` adds `len` to a negative index.
///
/// Input: indices of any integer type; output: contiguous `int64` of the same shape. Parameters:
/// `len` and `stride`. Fails with [`Error::Index`] at the first index outside `-len..len`; axis and
/// operation are for the caller to fill in. Each offset that a success leaves is of an index that was checked: others may write the
/// indices meanwhile.
pub static INDEX_OFFSETS: Kernel = Kernel {
    name: "index_offsets",
    cpu: index_offsets,
};

unsafe fn index_offsets(args: &Launch) -> Result<()> {
    // SAFETY: the caller's promise, with the type the indices have.
    unsafe {
        match args.inputs[0].dtype {
            DType::I8 => typed::<i8>(args, i64::from),
            DType::I16 => typed::<i16>(args, i64::from),
            DType::I32 => typed::<i32>(args, i64::from),
            DType::I64 => typed::<i64>(args, |i| i),
            DType::U8 => typed::<u8>(args, i64::from),
            DType::U16 => typed::<u16>(args, i64::from),
            DType::U32 => typed::<u32>(args, i64::from),
            DType::U64 => typed::<u64>(args, |i| i64::try_from(i).unwrap_or(i64::MAX)),
            other => Err(Error::value(
                "index_offsets",
                format!("{other} is no integer type"),
            )),
        }
    }
}

/// The index counted from the start of the axis.
#[inline(always)]
fn wrap(i: i64, len: i64) -> i64 {
    i.wrapping_add(len & (i >> 63))
}

/// One run; true if every index lies inside the axis. Each is read once.
#[inline(always)]
unsafe fn run<T: Copy>(
    (to, to_step): (*mut i64, isize),
    (from, step): (*const T, isize),
    n: usize,
    widen: impl Fn(T) -> i64,
    (len, stride): (i64, i64),
) -> bool {
    let mut inside = true;
    for j in 0..n as isize {
        // SAFETY: the caller vouches for `n` elements of both along their steps.
        let i = wrap(widen(unsafe { *from.offset(j * step) }), len);
        inside &= (i as u64) < len as u64;
        // SAFETY: as above.
        unsafe { to.offset(j * to_step).write(i.wrapping_mul(stride)) };
    }
    inside
}

/// [`run`] again where some index lay outside, with the first of those: its place in the run, and what it is. Others may have written the
/// indices since, and then all may lie inside; what lies outside leaves an offset of 0.
unsafe fn rerun<T: Copy>(
    (to, to_step): (*mut i64, isize),
    (from, step): (*const T, isize),
    n: usize,
    widen: impl Fn(T) -> i64,
    (len, stride): (i64, i64),
) -> Option<(usize, i64)> {
    let mut bad = None;
    for j in 0..n {
        // SAFETY: the caller vouches for `n` elements of both along their steps. Volatile: what is checked is what is written.
        let index = widen(unsafe { from.offset(j as isize * step).read_volatile() });
        let i = wrap(index, len);
        let inside = (0..len).contains(&i);
        if !inside {
            bad = bad.or(Some((j, index)));
        }
        let offset = if inside { i.wrapping_mul(stride) } else { 0 };
        // SAFETY: as above.
        unsafe { to.offset(j as isize * to_step).write(offset) };
    }
    bad
}

unsafe fn typed<T: Copy>(args: &Launch, widen: impl Fn(T) -> i64 + Copy + Sync) -> Result<()> {
    let (index, out) = (&args.inputs[0], &args.outputs[0]);
    let (len, stride) = (integer(args, 0), integer(args, 1));
    let walk = Walk::over(&[out, index]);
    let (to, from) = (Shared::<i64>::of(out), Shared::<T>::of(index));
    let (to_step, step) = (walk.step(0), walk.step(1));
    // The first index out of range, so that the message does not depend on threads.
    let bad: Mutex<Option<(usize, i64)>> = Mutex::new(None);
    let work = Work {
        items: walk.len(),
        tenths_of_ns: 10,
        at_least: 4096,
    };
    for_ranges(work, |first, end| {
        let mut at = first;
        walk.runs(first, end, |offsets, n| {
            let (to, from) = (to.at(offsets[0]), from.at(offsets[1]));
            // SAFETY: the run lies in the index space, and threads write disjoint runs.
            let inside = unsafe {
                match (to_step, step) {
                    (1, 1) => run((to, 1), (from.cast_const(), 1), n, widen, (len, stride)),
                    _ => run(
                        (to, to_step),
                        (from.cast_const(), step),
                        n,
                        widen,
                        (len, stride),
                    ),
                }
            };
            if !inside {
                let ends = ((to, to_step), (from.cast_const(), step));
                // SAFETY: as above.
                let found = unsafe { rerun(ends.0, ends.1, n, widen, (len, stride)) };
                if let Some((j, index)) = found {
                    let mut bad = lock(&bad);
                    if bad.is_none_or(|(first, _)| at + j < first) {
                        *bad = Some((at + j, index));
                    }
                }
            }
            at += n;
        });
        Ok(())
    })?;
    let found = *lock(&bad);
    found.map_or(Ok(()), |(_, index)| {
        Err(Error::Index {
            op: "index",
            index,
            axis: 0,
            len: len as usize,
        })
    })
}
