//! Gives registers rows. Registers that are never needed at once share one.

use super::blocks::Flow;
use super::liveness::liveness;
use super::step::Step;
use crate::ptx::Kind;

/// The rows of registers.
pub(crate) struct Allocation {
    /// The byte offset of each register's row.
    pub(crate) rows: Vec<u32>,
    /// Bytes of all rows.
    pub(crate) bytes: u32,
    /// 32-bit registers of a thread in use at once, at most.
    pub(crate) words: u32,
}

/// From where to where a register is needed: twice the number of a step, and one more where that writes it.
#[derive(Clone, Copy)]
struct Interval {
    start: u32,
    end: u32,
}

impl Interval {
    const NEVER: Self = Self {
        start: u32::MAX,
        end: 0,
    };

    fn grow(&mut self, at: usize) {
        self.start = self.start.min(at as u32);
        self.end = self.end.max(at as u32);
    }
}

fn intervals(steps: &[Step], flow: &Flow, registers: usize) -> Vec<Interval> {
    let live = liveness(steps, flow, registers);
    let mut all = vec![Interval::NEVER; registers];
    for (index, span) in flow.spans.iter().enumerate() {
        let range = span.steps();
        for register in live.into[index].iter() {
            all[register as usize].grow(2 * range.start);
        }
        for register in live.out_of[index].iter() {
            all[register as usize].grow(2 * range.end);
        }
        for step in range {
            for register in steps[step].uses() {
                all[register as usize].grow(2 * step);
            }
            for register in steps[step].defs() {
                all[register as usize].grow(2 * step + 1);
            }
        }
    }
    all
}

fn class(kind: Kind) -> usize {
    match kind {
        Kind::Predicate => 0,
        Kind::Half => 1,
        Kind::Word => 2,
        Kind::Double => 3,
    }
}

/// Finds rows for all registers that steps use.
pub(crate) fn allocate(steps: &[Step], flow: &Flow, kinds: &[Kind]) -> Allocation {
    let intervals = intervals(steps, flow, kinds.len());
    let mut order: Vec<usize> = (0..kinds.len())
        .filter(|&one| intervals[one].start != u32::MAX)
        .collect();
    order.sort_unstable_by_key(|&one| intervals[one].start);
    let mut free: [Vec<u32>; 4] = Default::default();
    let mut counts = [0u32; 4];
    let mut places = vec![0u32; kinds.len()];
    // Registers in use, soonest to end first.
    let mut active = std::collections::BinaryHeap::new();
    let (mut now, mut most) = (0u32, 0u32);
    const WORDS: [u32; 4] = [0, 1, 1, 2];
    for register in order {
        let Interval { start, end } = intervals[register];
        while let Some(&std::cmp::Reverse((last, other))) = active.peek() {
            if last >= start {
                break;
            }
            active.pop();
            let class: usize = class(kinds[other]);
            free[class].push(places[other]);
            now -= WORDS[class];
        }
        let class = class(kinds[register]);
        places[register] = free[class].pop().unwrap_or_else(|| {
            counts[class] += 1;
            counts[class] - 1
        });
        now += WORDS[class];
        most = most.max(now);
        active.push(std::cmp::Reverse((end, register)));
    }
    place(&places, kinds, counts, most)
}

/// The widest rows first, so that all are aligned.
fn place(places: &[u32], kinds: &[Kind], counts: [u32; 4], words: u32) -> Allocation {
    let doubles = counts[3] * Kind::Double.row_bytes();
    let words_end = doubles + counts[2] * Kind::Word.row_bytes();
    let halves_end = words_end + counts[1] * Kind::Half.row_bytes();
    let starts = [halves_end, words_end, doubles, 0];
    let row = |(place, kind): (&u32, &Kind)| starts[class(*kind)] + place * kind.row_bytes();
    Allocation {
        rows: places.iter().zip(kinds).map(row).collect(),
        bytes: halves_end + counts[0] * Kind::Predicate.row_bytes(),
        words,
    }
}
