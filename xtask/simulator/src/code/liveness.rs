//! Which registers hold values that are still needed, at the borders of stretches.

use super::blocks::Flow;
use super::step::Step;

/// A set of registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Set(Vec<u64>);

impl Set {
    fn new(registers: usize) -> Self {
        Self(vec![0; registers.div_ceil(64)])
    }

    fn insert(&mut self, register: u32) {
        self.0[register as usize / 64] |= 1 << (register % 64);
    }

    /// Whether the register is in it.
    pub(crate) fn contains(&self, register: u32) -> bool {
        self.0[register as usize / 64] >> (register % 64) & 1 != 0
    }

    /// Its registers in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        self.0.iter().enumerate().flat_map(|(word, &bits)| {
            let mut left = bits;
            std::iter::from_fn(move || {
                (left != 0).then(|| {
                    let bit = left.trailing_zeros();
                    left &= left - 1;
                    word as u32 * 64 + bit
                })
            })
        })
    }

    /// Adds `out` less `killed`; whether that changed anything.
    fn absorb(&mut self, out: &Self, killed: &Self) -> bool {
        let mut changed = false;
        for ((word, out), killed) in self.0.iter_mut().zip(&out.0).zip(&killed.0) {
            let grown = *word | out & !killed;
            changed |= grown != *word;
            *word = grown;
        }
        changed
    }

    fn add(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }
}

/// Registers that are needed where stretches start and end.
pub(crate) struct Liveness {
    pub(crate) into: Vec<Set>,
    pub(crate) out_of: Vec<Set>,
}

/// Looks at all stretches until nothing changes.
pub(crate) fn liveness(steps: &[Step], flow: &Flow, registers: usize) -> Liveness {
    let count = flow.spans.len();
    let mut into = vec![Set::new(registers); count];
    let mut out_of = into.clone();
    let mut killed = into.clone();
    for (index, span) in flow.spans.iter().enumerate() {
        for step in &steps[span.steps()] {
            for register in step.uses() {
                if !killed[index].contains(register) {
                    into[index].insert(register);
                }
            }
            if step.guard.is_none() {
                for register in step.defs() {
                    killed[index].insert(register);
                }
            }
        }
    }
    let successors: Vec<Vec<usize>> = (0..count)
        .map(|span| flow.successors(steps, span))
        .collect();
    let mut changed = true;
    while changed {
        changed = false;
        for span in (0..count).rev() {
            for &next in &successors[span] {
                let needed = into[next].clone();
                out_of[span].add(&needed);
            }
            changed |= into[span].absorb(&out_of[span], &killed[span]);
        }
    }
    Liveness { into, out_of }
}
