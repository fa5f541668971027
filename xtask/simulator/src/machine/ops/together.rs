//! What the lanes of a mask do together: shuffles, votes, matches, reductions.
//!
//! The warp calls these once all lanes of the mask have come; they are in `Context::mask`.

use crate::machine::context::{Context, lanes};
use crate::machine::op::{Exec, Form, Op};
use crate::machine::rows::LANES;
use crate::machine::vector::vector;
use crate::ptx::Kind::{self, Double, Predicate, Word};

/// `r`: the result, whether the source lane was in range, the value, the distance, the clamp.
#[inline(always)]
fn shuffle(context: &mut Context, op: &Op, pick: impl Fn(u32, u32, u32, u32) -> (u32, bool)) {
    let value = context.get::<u32>(op.r[2]);
    let distance = context.get::<u32>(op.r[3]);
    let clamp = context.get::<u32>(op.r[4]);
    let mut result = [0; LANES];
    let mut found = 0u32;
    for lane in 0..LANES as u32 {
        let segment = clamp[lane as usize] >> 8 & 31;
        let low = lane & segment;
        let high = low | clamp[lane as usize] & 31 & !segment;
        let (from, inside) = pick(
            lane,
            distance[lane as usize] & 31,
            high,
            low | distance[lane as usize] & 31 & !segment,
        );
        let from = if inside { from } else { lane };
        result[lane as usize] = value[from as usize & 31];
        found |= u32::from(inside) << lane;
    }
    context.put(op.r[0], result);
    context.put_predicate(op.r[1], found);
}

vector! {
    fn up(context: &mut Context, op: &Op) {
        shuffle(context, op, #[inline(always)] |lane, distance, high, _| {
            (lane.wrapping_sub(distance), lane as i32 - distance as i32 >= high as i32)
        });
    }
}
vector! {
    fn down(context: &mut Context, op: &Op) {
        shuffle(context, op, #[inline(always)] |lane, distance, high, _| (lane + distance, lane + distance <= high));
    }
}
vector! {
    fn butterfly(context: &mut Context, op: &Op) {
        shuffle(context, op, #[inline(always)] |lane, distance, high, _| (lane ^ distance, lane ^ distance <= high));
    }
}
vector! {
    fn index(context: &mut Context, op: &Op) {
        shuffle(context, op, #[inline(always)] |_, _, high, index| (index, index <= high));
    }
}

fn vote(context: &mut Context, op: &Op, decide: impl Fn(u32, u32) -> bool) {
    let all = context.mask;
    let decided = decide(context.predicate(op.r[1]) & all, all);
    context.put_predicate(op.r[0], if decided { u32::MAX } else { 0 });
}

fn ballot(context: &mut Context, op: &Op) {
    let votes = context.predicate(op.r[1]) & context.mask;
    context.put(op.r[0], [votes; LANES]);
}

/// `r`: the result, the value.
fn reduce(context: &mut Context, op: &Op, f: impl Fn(u32, u32) -> u32) {
    let value = context.get::<u32>(op.r[1]);
    if let Some(total) = lanes(context.mask).map(|lane| value[lane]).reduce(f) {
        context.put(op.r[0], [total; LANES]);
    }
}

fn reduce_float(context: &mut Context, op: &Op, f: impl Fn(f32, f32) -> f32) {
    reduce(context, op, |a, b| {
        super::float::canon(f(f32::from_bits(a), f32::from_bits(b))).to_bits()
    });
}

fn match_any(context: &mut Context, op: &Op, same: impl Fn(usize, usize) -> bool) {
    let mut result = [0u32; LANES];
    for lane in lanes(context.mask) {
        result[lane] = lanes(context.mask)
            .filter(|&other| same(lane, other))
            .map(|other| 1 << other)
            .sum();
    }
    context.put(op.r[0], result);
}

fn match_all(context: &mut Context, op: &Op, same: impl Fn(usize, usize) -> bool) {
    let first = context.first();
    let all = lanes(context.mask).all(|lane| same(first, lane));
    context.put_some(op.r[0], [if all { context.mask } else { 0 }; LANES]);
    context.put_predicate(op.r[1], if all { u32::MAX } else { 0 });
}

fn elect(context: &mut Context, op: &Op) {
    let first = context.first() as u32;
    context.put_some(op.r[0], [first; LANES]);
    context.put_predicate(op.r[1], 1 << first);
}

/// What runs an instruction of this kind, and its operands but for the mask, which always comes last. A result that
/// is a pair has both parts among the results.
pub(crate) fn find(name: &str) -> Option<Form> {
    let form = |exec: Exec, defs: &'static [Kind], uses: &'static [Kind]| Form { exec, defs, uses };
    let shuffle = |exec| form(exec, &[Word, Predicate], &[Word, Word, Word]);
    let vote_of = |exec| form(exec, &[Predicate], &[Predicate]);
    let redux = |exec| form(exec, &[Word], &[Word]);
    Some(match name {
        "shfl.sync.up.b32" => shuffle(up as Exec),
        "shfl.sync.down.b32" => shuffle(down),
        "shfl.sync.bfly.b32" => shuffle(butterfly),
        "shfl.sync.idx.b32" => shuffle(index),
        "vote.sync.all.pred" => vote_of(|c, op| vote(c, op, |votes, all| votes == all)),
        "vote.sync.any.pred" => vote_of(|c, op| vote(c, op, |votes, _| votes != 0)),
        "vote.sync.none.pred" => vote_of(|c, op| vote(c, op, |votes, _| votes == 0)),
        "vote.sync.uni.pred" => {
            vote_of(|c, op| vote(c, op, |votes, all| votes == all || votes == 0))
        }
        "vote.sync.ballot.b32" => form(ballot, &[Word], &[Predicate]),
        "redux.sync.add.u32" | "redux.sync.add.s32" => {
            redux(|c, op| reduce(c, op, u32::wrapping_add))
        }
        "redux.sync.min.u32" => redux(|c, op| reduce(c, op, u32::min)),
        "redux.sync.max.u32" => redux(|c, op| reduce(c, op, u32::max)),
        "redux.sync.min.s32" => {
            redux(|c, op| reduce(c, op, |a, b| (a as i32).min(b as i32) as u32))
        }
        "redux.sync.max.s32" => {
            redux(|c, op| reduce(c, op, |a, b| (a as i32).max(b as i32) as u32))
        }
        "redux.sync.and.b32" => redux(|c, op| reduce(c, op, |a, b| a & b)),
        "redux.sync.or.b32" => redux(|c, op| reduce(c, op, |a, b| a | b)),
        "redux.sync.xor.b32" => redux(|c, op| reduce(c, op, |a, b| a ^ b)),
        "redux.sync.min.f32" => redux(|c, op| reduce_float(c, op, f32::min)),
        "redux.sync.max.f32" => redux(|c, op| reduce_float(c, op, f32::max)),
        "match.any.sync.b32" => form(
            |c, op| {
                let value = c.get::<u32>(op.r[1]);
                match_any(c, op, |a, b| value[a] == value[b]);
            },
            &[Word],
            &[Word],
        ),
        "match.any.sync.b64" => form(
            |c, op| {
                let value = c.get::<u64>(op.r[1]);
                match_any(c, op, |a, b| value[a] == value[b]);
            },
            &[Word],
            &[Double],
        ),
        "match.all.sync.b32" => form(
            |c, op| {
                let value = c.get::<u32>(op.r[2]);
                match_all(c, op, |a, b| value[a] == value[b]);
            },
            &[Word, Predicate],
            &[Word],
        ),
        "match.all.sync.b64" => form(
            |c, op| {
                let value = c.get::<u64>(op.r[2]);
                match_all(c, op, |a, b| value[a] == value[b]);
            },
            &[Word, Predicate],
            &[Double],
        ),
        "elect.sync" => form(elect, &[Word, Predicate], &[]),
        "bar.warp.sync" => form(super::special::nothing, &[], &[]),
        _ => return None,
    })
}
