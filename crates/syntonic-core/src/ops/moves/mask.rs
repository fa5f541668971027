//! Where a mask is true.

use super::walk::Walk;
use super::{Shared, integer};
use crate::cpu::exec::parallel::{Work, for_ranges};
use crate::device::{Kernel, Launch};
use crate::error::Result;
use smallvec::SmallVec;

/// Positions of a mask that are counted together.
pub const MASK_BLOCK: usize = 1 << 14;

/// `out[b]` = how many of the positions `b · MASK_BLOCK..(b + 1) · MASK_BLOCK`, row-major, are true.
///
/// Input: the mask; output: contiguous `int64`, one for each block.
pub static MASK_COUNT: Kernel = Kernel {
    name: "mask_count",
    cpu: mask_count,
};

/// For each true position `p` in row-major order the offsets `p · strides_k`, one output for each `k`.
///
/// Inputs: the mask, and contiguous `int64` starts: how many positions before each block are true, and then how many in all.
/// Outputs: contiguous `int64`, each as long as there are true positions. Others may write the mask after it was counted: a block
/// writes as many offsets as were counted in it, of the first that are true, and 0 for those that are missing. Parameters: the strides of
/// the first output over the mask's axes, then those of the next, and so on.
pub static MASK_OFFSETS: Kernel = Kernel {
    name: "mask_offsets",
    cpu: mask_offsets,
};

/// Runs `body(block, from, to)` for each block of `n` positions, in parallel where it is worth it.
fn for_blocks(n: usize, body: impl Fn(usize, usize, usize) + Sync) -> Result<()> {
    let work = Work {
        items: n.div_ceil(MASK_BLOCK),
        tenths_of_ns: MASK_BLOCK * 8,
        at_least: 1,
    };
    for_ranges(work, |first, end| {
        for block in first..end {
            let from = block * MASK_BLOCK;
            body(block, from, (from + MASK_BLOCK).min(n));
        }
        Ok(())
    })
}

unsafe fn mask_count(args: &Launch) -> Result<()> {
    let walk = Walk::over(&[&args.inputs[0]]);
    let mask = Shared::<u8>::of(&args.inputs[0]);
    let out = Shared::<i64>::of(&args.outputs[0]);
    let step = walk.step(0);
    for_blocks(walk.len(), |block, from, to| {
        let mut count = 0;
        walk.runs(from, to, |at, len| {
            // SAFETY: the run lies in the mask.
            count += unsafe { count_run(mask.at(at[0]), step, len) };
        });
        // SAFETY: one count a block, each written once.
        unsafe { out.at(block as isize).write(count) };
    })
}

/// How many of `len` bytes at distances of `step` are not 0.
unsafe fn count_run(first: *const u8, step: isize, len: usize) -> i64 {
    if step == 1 {
        // SAFETY: the caller vouches for `len` bytes.
        let run = unsafe { std::slice::from_raw_parts(first, len) };
        return run.iter().map(|&b| i64::from(b != 0)).sum();
    }
    // SAFETY: as above, at this distance.
    let at = |j| unsafe { *first.offset(j * step) };
    (0..len as isize).map(|j| i64::from(at(j) != 0)).sum()
}

/// Positions that are gathered before they are written out together.
const CHUNK: usize = 256;

/// Writes `offset + j · stride` for each true `j` to `out`, and returns how many there were. Every
/// position is stored and only true ones are kept: no branch depends on the mask. More than `room` are left out.
unsafe fn compress(
    (truth, step): (*const u8, isize),
    (offset, stride): (isize, isize),
    len: usize,
    (out, room): (*mut i64, usize),
) -> usize {
    let mut found = [0i64; CHUNK];
    let mut total = 0;
    for start in (0..len).step_by(CHUNK) {
        let mut n = 0;
        for j in start..(start + CHUNK).min(len) {
            found[n] = (offset + j as isize * stride) as i64;
            // SAFETY: the caller vouches for `len` bytes of the mask.
            n += usize::from(unsafe { *truth.offset(j as isize * step) } != 0);
        }
        let n = n.min(room - total);
        // SAFETY: the caller vouches for this room.
        unsafe { std::ptr::copy_nonoverlapping(found.as_ptr(), out.add(total), n) };
        total += n;
    }
    total
}

unsafe fn mask_offsets(args: &Launch) -> Result<()> {
    let mask = &args.inputs[0];
    let ndim = mask.layout.ndim();
    let outputs = args.outputs.len();
    let strides: Vec<Vec<isize>> = (0..outputs)
        .map(|k| {
            (0..ndim)
                .map(|a| integer(args, k * ndim + a) as isize)
                .collect()
        })
        .collect();
    let mut operands = vec![mask.layout.strides()];
    operands.extend(strides.iter().map(Vec::as_slice));
    let walk = Walk::new(mask.layout.shape(), &operands);
    let (mask, starts) = (Shared::<u8>::of(mask), Shared::<i64>::of(&args.inputs[1]));
    let out: Vec<Shared<i64>> = args.outputs.iter().map(Shared::of).collect();
    for_blocks(walk.len(), |block, from, to| {
        // SAFETY: one start a block, and the end of the last.
        let [first, end] = [0, 1].map(|k| unsafe { *starts.at(block as isize + k) } as isize);
        // How far each output is: they may have seen different masks.
        let mut at: SmallVec<[isize; 8]> = SmallVec::from_elem(first, outputs);
        walk.runs(from, to, |place, len| {
            let truth = (mask.at(place[0]).cast_const(), walk.step(0));
            for (k, (out, at)) in out.iter().zip(&mut at).enumerate() {
                let line = (place[k + 1], walk.step(k + 1));
                let room = (out.at(*at), (end - *at) as usize);
                // SAFETY: the run lies in the mask, and the outputs reach to the end of the last block.
                *at += unsafe { compress(truth, line, len, room) } as isize;
            }
        });
        for (out, at) in out.iter().zip(at) {
            // SAFETY: as above.
            unsafe { out.at(at).write_bytes(0, (end - at) as usize) };
        }
    })
}
