//! Products of one warp, whose operands are all in registers.

use super::product::{Accumulator, Number, multiply};
use crate::machine::context::Context;
use crate::machine::op::{Exec, NONE, Op};
use crate::machine::rows::LANES;
use crate::machine::vector::vector;

/// Puts a register of each lane where its four bytes are in rows along K: of row `lane / 4`, and of each half along K.
fn spread(context: &mut Context, row: u32, down: usize, half: usize) {
    let words = context.get::<u32>(row);
    for (lane, word) in words.into_iter().enumerate() {
        let at = lane % 4 * 4 + half * 16;
        context.scratch.rows[lane / 4 + down][at..at + 4].copy_from_slice(&word.to_le_bytes());
    }
}

vector! {
    /// Takes the first operand, of type `imm`, from up to four registers: rows of the upper and the lower half in turn.
    pub(crate) fn first(context: &mut Context, op: &Op) {
        rows(context, op);
        context.scratch.set_a(Number::coded(op.imm), false);
    }
}

/// Leaves the rows of a first operand in the scratch.
pub(super) fn rows(context: &mut Context, op: &Op) {
    for part in (0..4).filter(|part| op.r[*part] != NONE) {
        spread(context, op.r[part], part % 2 * 8, part / 2);
    }
}

vector! {
    /// Takes the second operand, of type `imm & 15`, from one or two registers, and multiplies along `imm >> 4` steps.
    pub(crate) fn second(context: &mut Context, op: &Op) {
        for half in (0..2).filter(|half| op.r[*half] != NONE) {
            spread(context, op.r[half], 0, half);
        }
        context.scratch.set_b(Number::coded(op.imm & 15), 8);
        multiply(&mut context.scratch, 8, (op.imm >> 4) as usize);
    }
}

/// Takes what the product is added to from up to four registers.
pub(crate) fn third(context: &mut Context, op: &Op) {
    context.scratch.adds = true;
    for part in (0..4).filter(|part| op.r[*part] != NONE) {
        context.scratch.old[part] = context.get::<u32>(op.r[part]);
    }
}

/// Puts the sum into up to four registers.
#[inline(always)]
fn result<T: Accumulator>(context: &mut Context, op: &Op) {
    for part in (0..4).filter(|part| op.r[*part] != NONE) {
        let old = context.scratch.old[part].map(T::of_bits);
        let new = super::product::added(&context.scratch, old, part);
        context.put(op.r[part], new);
    }
}

vector! {
    fn result_f32(context: &mut Context, op: &Op) {
        result::<f32>(context, op);
    }
}
vector! {
    fn result_f16(context: &mut Context, op: &Op) {
        result::<u32>(context, op);
    }
}
vector! {
    fn result_s32(context: &mut Context, op: &Op) {
        result::<i32>(context, op);
    }
}
vector! {
    fn result_s32_saturating(context: &mut Context, op: &Op) {
        result::<super::product::Saturating>(context, op);
    }
}

/// What gives results of the type that a modifier names.
pub(crate) fn giving(of: &str, saturates: bool) -> Option<Exec> {
    Some(match (of, saturates) {
        ("f32", false) => result_f32 as Exec,
        ("f16", false) => result_f16,
        ("s32", false) => result_s32,
        ("s32", true) => result_s32_saturating,
        _ => return None,
    })
}

vector! {
    /// The product of 8 by 4 and 4 by 8 doubles: `r` are two results, both operands, and what is added.
    pub(crate) fn doubles(context: &mut Context, op: &Op) {
        let a = context.get::<f64>(op.r[2]);
        let b = context.get::<f64>(op.r[3]);
        let mut sum = [context.get::<f64>(op.r[4]), context.get::<f64>(op.r[5])];
        for (right, sum) in sum.iter_mut().enumerate() {
            for (lane, sum) in sum.iter_mut().enumerate() {
                let column = lane % 4 * 2 + right;
                for k in 0..4 {
                    *sum = a[lane / 4 * 4 + k].mul_add(b[column * 4 + k], *sum);
                }
            }
        }
        context.put(op.r[0], sum[0]);
        context.put(op.r[1], sum[1]);
    }
}

/// The words of matrices of 8 by 8 elements of 16 bits, when lane `lane` has two neighbours of row `lane / 4`, from their rows.
pub(super) fn words(rows: &[[u16; 8]; 8], is_transposed: bool) -> [u32; LANES] {
    std::array::from_fn(|lane| {
        let (row, column) = (lane / 4, lane % 4 * 2);
        let element = |right: usize| {
            u32::from(if is_transposed {
                rows[column + right][row]
            } else {
                rows[row][column + right]
            })
        };
        element(0) | element(1) << 16
    })
}

/// The rows of such a matrix, from the words that lanes have.
pub(super) fn matrix(words: &[u32; LANES], is_transposed: bool) -> [[u16; 8]; 8] {
    std::array::from_fn(|row| {
        std::array::from_fn(|column| {
            let (row, column) = if is_transposed {
                (column, row)
            } else {
                (row, column)
            };
            (words[row * 4 + column / 2] >> (column % 2 * 16)) as u16
        })
    })
}

/// `movmatrix`: `r[0]` takes the transposed matrix of `r[1]`.
pub(crate) fn transpose(context: &mut Context, op: &Op) {
    let rows = matrix(&context.get::<u32>(op.r[1]), false);
    context.put(op.r[0], words(&rows, true));
}
