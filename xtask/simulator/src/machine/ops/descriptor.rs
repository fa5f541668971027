//! Matrices in shared memory as `wgmma` sees them: a descriptor says where their 16-byte units lie.
//!
//! The layouts are those of the PTX manual's section on the shared memory layout of asynchronous warpgroup matrices, read with
//! the canonical layouts that comments of CUTLASS write down (`cute/atom/mma_traits_sm90_gmma.hpp`). The manual calls a matrix
//! K-major whose rows run along K, and MN-major one whose rows run along M or N.

use crate::machine::context::Context;
use crate::machine::fault::Trouble;
use crate::machine::op::Op;
use crate::machine::reach::{Deed, SHARED_START, Strength, Touch, flags};
use crate::machine::scratch::DEPTH;
use crate::machine::swizzle::Swizzle;

/// Bytes of a unit, which no layout takes apart.
const UNIT: u64 = 16;
/// Bits that mean nothing.
const RESERVED: u64 = 3 << 14 | 3 << 30 | 7 << 46 | 0x3FF << 52;

/// A matrix in shared memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Descriptor {
    start: u64,
    /// The leading dimension's byte offset.
    leading: u64,
    /// The stride dimension's byte offset.
    stride: u64,
    swizzle: Swizzle,
}

impl Descriptor {
    /// What these bits describe.
    pub(crate) fn of(bits: u64) -> Result<Self, &'static str> {
        if bits & RESERVED != 0 {
            return Err("bits of a descriptor that mean nothing");
        }
        if bits >> 49 & 7 != 0 {
            return Err("a descriptor with a base offset");
        }
        let field = |at: u32| (bits >> at & 0x3FFF) << 4;
        Ok(Self {
            start: field(0),
            leading: field(16),
            stride: field(32),
            swizzle: match bits >> 62 {
                0 => Swizzle::None,
                1 => Swizzle::Of128,
                2 => Swizzle::Of64,
                _ => Swizzle::Of32,
            },
        })
    }

    /// Of a K-major matrix: where half `half` of the 32 bytes of row `row` lies.
    ///
    /// Eight rows follow each other, as wide as the swizzle; eight more come after the stride offset. Without a swizzle rows are
    /// units, and the second half is the leading offset away.
    fn along_k(self, row: u64, half: u64) -> u64 {
        let across = match self.swizzle {
            Swizzle::None => self.leading,
            _ => UNIT,
        };
        let linear = row % 8 * self.swizzle.span() + row / 8 * self.stride + half * across;
        self.swizzle.place(self.start + linear)
    }

    /// Of an MN-major matrix of 16-bit elements: where, at step `k`, the unit `unit` of eight rows lies.
    ///
    /// Eight steps follow each other, each as wide as the swizzle. With a swizzle, eight more steps come after the stride offset,
    /// and more rows after the leading one; without, it is the other way around.
    fn across_k(self, k: u64, unit: u64) -> u64 {
        let units = self.swizzle.span() / UNIT;
        let (steps, rows) = match self.swizzle {
            Swizzle::None => (self.leading, self.stride),
            _ => (self.stride, self.leading),
        };
        let inside = k % 8 * self.swizzle.span() + unit % units * UNIT;
        let linear = inside + k / 8 * steps + unit / units * rows;
        self.swizzle.place(self.start + linear)
    }

    /// Leaves rows `first..first + count`, which are multiples of eight, in the scratch; whether they are all there.
    #[inline(always)]
    pub(crate) fn gather(
        self,
        context: &mut Context,
        op: &Op,
        first: usize,
        count: usize,
        is_transposed: bool,
    ) -> bool {
        if !is_transposed {
            for row in 0..count {
                for half in 0..2 {
                    let at = self.along_k((first + row) as u64, half as u64);
                    let Some(unit) = unit(context, op, at) else {
                        return false;
                    };
                    context.scratch.rows[row][16 * half..16 * half + 16].copy_from_slice(&unit);
                }
            }
            return true;
        }
        for k in 0..DEPTH / 2 {
            for eight in 0..count / 8 {
                let at = self.across_k(k as u64, (first / 8 + eight) as u64);
                let Some(unit) = unit(context, op, at) else {
                    return false;
                };
                for (row, element) in unit.chunks_exact(2).enumerate() {
                    context.scratch.rows[8 * eight + row][2 * k..2 * k + 2]
                        .copy_from_slice(element);
                }
            }
        }
        true
    }
}

/// The unit at this offset of shared memory.
#[inline(always)]
fn unit(context: &mut Context, op: &Op, at: u64) -> Option<[u8; 16]> {
    let window = context.windows[context.rank];
    let inside = at >= u64::from(SHARED_START) && at + UNIT <= window.end;
    let base = if inside && !context.shadow.checks_shared() {
        window.base.wrapping_add(at as usize)
    } else {
        let touch = Touch {
            bytes: UNIT as u32,
            align: UNIT as u32,
            deed: Deed::Load,
            strength: Strength::Weak,
        };
        let lane = context.first();
        context.place_asynchronously(op, lane, flags::SHARED, at, touch)?
    };
    // SAFETY: the bytes were just found to be within the block's shared memory.
    Some(unsafe { base.cast::<[u8; 16]>().read() })
}

/// The descriptor in the row at `row`, which is the same for all lanes.
pub(crate) fn read(context: &mut Context, op: &Op, row: u32) -> Option<Descriptor> {
    let all = context.get::<u64>(row);
    let found = if all.iter().all(|one| *one == all[0]) {
        Descriptor::of(all[0])
    } else {
        Err("lanes with different descriptors")
    };
    match found {
        Ok(descriptor) => Some(descriptor),
        Err(what) => {
            let lane = context.first();
            context.fail(op, lane, Trouble::Unsupported(what.to_owned()));
            None
        }
    }
}
