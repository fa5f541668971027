//! Where a mask is true.

use super::walk::Walk;
use super::{Shared, integer};
use crate::cpu::exec::parallel::{Work, for_ranges};
use crate::device::{Kernel, Launch};
use crate::error::Result;

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
/// Inputs: the mask, and contiguous `int64` starts: how many positions before each block are true.
/// Outputs: contiguous `int64`, each as long as there are true positions. Parameters: the strides of
/// the first output over the mask's axes, then those of the next, and so on.
pub static MASK_OFFSETS: Kernel = Kernel {
    name: "mask_offsets",
    cpu: mask_offsets,
};

/// Runs `body(block, from, to)` for each block of `n` positions, in parallel where it is worth it.
fn for_blocks(n: usize, body: impl Fn(usize, usize, usize) + Sync) {
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
    });
}

unsafe fn mask_count(args: &Launch) -> Result<()> {
    let walk = Walk::over(&[&args.inputs[0]]);
    let mask = Shared::<u8>::of(&args.inputs[0]);
    let out = Shared::<i64>::of(&args.outputs[0]);
    let step = walk.step(0);
    for_blocks(walk.len(), |block, from, to| {
        let mut count = 0;
        walk.runs(from, to, |at, len| {
            let first = mask.at(at[0]);
            for j in 0..len as isize {
                // SAFETY: the run lies in the mask.
                count += i64::from(unsafe { *first.offset(j * step) } != 0);
            }
        });
        // SAFETY: one count a block, each written once.
        unsafe { out.at(block as isize).write(count) };
    });
    Ok(())
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
        // SAFETY: one start a block.
        let mut at = unsafe { *starts.at(block as isize) } as isize;
        walk.runs(from, to, |first, len| {
            let truth = mask.at(first[0]);
            for j in 0..len as isize {
                // SAFETY: the run lies in the mask.
                if unsafe { *truth.offset(j * walk.step(0)) } == 0 {
                    continue;
                }
                for (k, out) in out.iter().enumerate() {
                    let offset = first[k + 1] + j * walk.step(k + 1);
                    // SAFETY: the starts leave each block room for its true positions.
                    unsafe { out.at(at).write(offset as i64) };
                }
                at += 1;
            }
        });
    });
    Ok(())
}
