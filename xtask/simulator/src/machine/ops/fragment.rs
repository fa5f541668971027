//! Matrices of 8 by 8 elements of 16 bits, between shared memory and the registers of a warp.

use super::copy::address;
use super::mma::{matrix, words};
use crate::machine::context::Context;
use crate::machine::op::Op;
use crate::machine::reach::{Deed, Strength, Touch, flags};

/// How many matrices, and whether they are transposed, as a number of an instruction.
pub(crate) fn code(count: usize, is_transposed: bool) -> u64 {
    count as u64 | u64::from(is_transposed) << 8
}

/// The host address of a row, which is the one that a lane says.
fn row(context: &mut Context, op: &Op, lane: usize, deed: Deed) -> Option<*mut [u16; 8]> {
    let at = address(context, op.r[4], op.r[5], lane);
    let touch = Touch {
        bytes: 16,
        align: 16,
        deed,
        strength: Strength::Weak,
    };
    let found = context.place(op, lane, op.r[5] & flags::SPACE, at, touch)?;
    Some(found.cast())
}

/// `ldmatrix`: up to four results, and addresses of rows: those of the first matrix in the first eight lanes, and so on.
pub(crate) fn load(context: &mut Context, op: &Op) {
    let count = (op.imm & 7) as usize;
    // A result may lie where the addresses do.
    let mut matrices = [[[0; 8]; 8]; 4];
    for lane in 0..count * 8 {
        let Some(found) = row(context, op, lane, Deed::Load) else {
            return;
        };
        // SAFETY: `place` found 16 bytes there, in live memory, aligned.
        matrices[lane / 8][lane % 8] = unsafe { found.read() };
    }
    for (number, rows) in matrices.iter().enumerate().take(count) {
        context.put(op.r[number], words(rows, op.imm >> 8 != 0));
    }
}

/// `stmatrix`: up to four sources, and addresses of rows.
pub(crate) fn store(context: &mut Context, op: &Op) {
    for number in 0..(op.imm & 7) as usize {
        let rows = matrix(&context.get::<u32>(op.r[number]), op.imm >> 8 != 0);
        for (place, from) in rows.into_iter().enumerate() {
            let Some(found) = row(context, op, number * 8 + place, Deed::Store) else {
                return;
            };
            // SAFETY: `place` found 16 bytes there, in live memory, aligned.
            unsafe { found.write(from) };
        }
    }
}
