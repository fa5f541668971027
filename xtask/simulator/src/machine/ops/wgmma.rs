//! Products of a warpgroup. Each of its warps has 16 rows of the result, which it computes when it issues the instruction: one
//! of the times at which they may be. Where a warp waits for products, it waits for the others to have issued them.

use super::descriptor;
use super::product::{Number, multiply};
use crate::machine::context::Context;
use crate::machine::fault::Trouble;
use crate::machine::op::{NONE, Op};
use crate::machine::rows::{ALL, LANES};
use crate::machine::scratch::{DEPTH, HEIGHT};
use crate::machine::vector::vector;

/// What an instruction says besides its operands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) a: Number,
    pub(crate) b: Number,
    pub(crate) columns: usize,
    /// Whether products have the other sign.
    pub(crate) negates: bool,
    /// Whether operands are MN-major.
    pub(crate) transposes: [bool; 2],
}

impl Shape {
    /// As a number of an instruction.
    pub(crate) fn pack(self) -> u64 {
        self.a as u64
            | (self.b as u64) << 4
            | (self.columns as u64) << 8
            | u64::from(self.negates) << 20
            | u64::from(self.transposes[0]) << 21
            | u64::from(self.transposes[1]) << 22
    }

    fn of(op: &Op) -> Self {
        Self {
            a: Number::coded(op.imm & 15),
            b: Number::coded(op.imm >> 4 & 15),
            columns: (op.imm >> 8 & 0xFFF) as usize,
            negates: op.imm >> 20 & 1 != 0,
            transposes: [op.imm >> 21 & 1 != 0, op.imm >> 22 & 1 != 0],
        }
    }
}

fn unsupported(context: &mut Context, op: &Op, what: &str) {
    let lane = context.first();
    context.fail(op, lane, Trouble::Unsupported(what.to_owned()));
}

/// Runs once all lanes of a warp came that are left: they have to be all.
pub(crate) fn whole(context: &mut Context, op: &Op) {
    if context.mask != ALL {
        unsupported(context, op, "an instruction for whole warps, by some lanes");
    }
}

/// Looks whether accumulators may be used: `r` are the number of the group that writes them and that of the last one that is
/// complete.
pub(crate) fn look(context: &mut Context, op: &Op) {
    let lane = context.first();
    let (issued, completed) = (
        context.lane::<u32>(op.r[0], lane),
        context.lane::<u32>(op.r[1], lane),
    );
    if context.mask != 0 && issued as i32 > completed as i32 {
        context.fail(op, lane, Trouble::InFlight);
    }
}

/// Leaves the rows of the first operand that lanes have in `r`, four registers.
pub(crate) fn rows(context: &mut Context, op: &Op) {
    super::mma::rows(context, op);
}

vector! {
    /// The product of a warp's rows. `r`: the descriptors of both operands, of which the first may be in the scratch, and
    /// whether accumulators are added.
    pub(crate) fn product(context: &mut Context, op: &Op) {
        let shape = Shape::of(op);
        let (warp, threads) = (context.warp as usize, context.shape.threads() as usize);
        if (warp / 4 + 1) * 4 * LANES > threads {
            return unsupported(context, op, "an instruction for four warps in a block that ends before");
        }
        let adds = context.predicate(op.r[2]);
        if adds != 0 && adds != ALL {
            return unsupported(context, op, "lanes of which some add to their accumulators");
        }
        context.scratch.adds = adds != 0;
        if op.r[0] != NONE {
            let Some(a) = descriptor::read(context, op, op.r[0]) else { return };
            if !a.gather(context, op, warp % 4 * HEIGHT, HEIGHT, shape.transposes[0]) {
                return;
            }
        }
        context.scratch.set_a(shape.a, shape.negates);
        let Some(b) = descriptor::read(context, op, op.r[1]) else { return };
        if !b.gather(context, op, 0, shape.columns, shape.transposes[1]) {
            return;
        }
        context.scratch.set_b(shape.b, shape.columns);
        multiply(&mut context.scratch, shape.columns, DEPTH / shape.a.bytes());
    }
}
