//! Accumulators of products that a warpgroup did not wait for: what uses them is given a step that looks whether it may.
//!
//! Groups of products are counted as threads commit them. A product notes the number that its group will have; waiting says up to
//! which number groups are complete. Copies are let pass: compilers leave some where loops join, which the assembler takes away.

use std::collections::HashMap;

use super::builder::Builder;
use super::step::{Act, Nature, Register, Slot, Step};
use crate::machine::ops::wgmma;
use crate::ptx::Kind;

/// The counts, in registers of the kernel, and all accumulators.
pub(crate) struct Flights {
    committed: Register,
    completed: Register,
    /// Each set of accumulators, and the register with the number of the group that writes it last.
    sets: Vec<(Vec<Register>, Register)>,
}

impl Flights {
    /// Counts of a kernel that has such products.
    pub(crate) fn new(build: &mut Builder) -> Self {
        Self {
            committed: build.register(Kind::Word),
            completed: build.register(Kind::Word),
            sets: Vec::new(),
        }
    }

    /// A product writes these accumulators.
    pub(crate) fn issue(&mut self, build: &mut Builder, accumulators: &[Slot]) {
        let registers: Vec<Register> = accumulators
            .iter()
            .filter_map(|slot| match slot {
                Slot::Both(register) => Some(*register),
                _ => None,
            })
            .collect();
        let known = self.sets.iter().find(|(set, _)| *set == registers);
        let issued = match known {
            Some((_, issued)) => *issued,
            None => {
                let issued = build.register(Kind::Word);
                self.sets.push((registers, issued));
                issued
            }
        };
        self.advance(build, issued);
    }

    /// A group ends.
    pub(crate) fn commit(&self, build: &mut Builder) {
        self.advance(build, self.committed);
    }

    /// `to` becomes the number after the last group's.
    fn advance(&self, build: &mut Builder, to: Register) {
        let one = build.constant(Kind::Word, 1);
        let next = build.apply("add.u32", &[Slot::Use(self.committed), one]);
        build.copy(to, next);
    }

    /// All groups but the last `left` are complete.
    pub(crate) fn wait(&self, build: &mut Builder, left: u64) {
        let left = build.constant(Kind::Word, left);
        let last = build.apply("sub.u32", &[Slot::Use(self.committed), left]);
        let most = build.apply("max.s32", &[Slot::Use(self.completed), last]);
        build.copy(self.completed, most);
    }

    /// Adds what sets the counts to their start, and what looks at them.
    pub(crate) fn finish(self, build: &mut Builder) {
        let steps = std::mem::take(&mut build.steps);
        build.guard = None;
        let zero = build.constant(Kind::Word, 0);
        let counts = self.sets.iter().map(|(_, issued)| *issued);
        for count in counts.chain([self.committed, self.completed]) {
            build.copy(count, zero);
        }
        let mut sets_of: HashMap<Register, Vec<usize>> = HashMap::new();
        for (number, (registers, _)) in self.sets.iter().enumerate() {
            for register in registers {
                sets_of.entry(*register).or_default().push(number);
            }
        }
        // Sets that were looked at since lanes came together or apart.
        let mut seen = vec![false; self.sets.len()];
        for step in steps {
            if !matches!(step.act, Act::Op(_)) {
                seen.fill(false);
            }
            for set in used(&step, &sets_of) {
                if !seen[set] {
                    seen[set] = step.guard.is_none();
                    build.steps.push(self.look(set, &step));
                }
            }
            build.steps.push(step);
        }
    }

    /// The step that looks at a set before another step.
    fn look(&self, set: usize, before: &Step) -> Step {
        let mut slots = [Slot::None; 6];
        slots[0] = Slot::Use(self.sets[set].1);
        slots[1] = Slot::Use(self.completed);
        Step {
            act: Act::Op(wgmma::look),
            slots,
            imm: 0,
            guard: before.guard,
            nature: Nature::Effect,
            place: before.place,
        }
    }
}

/// The sets of which a step uses a register other than as products do.
fn used(step: &Step, sets_of: &HashMap<Register, Vec<usize>>) -> Vec<usize> {
    let of_product = step.slots.iter().any(|slot| matches!(slot, Slot::Both(_)));
    if of_product || matches!(step.nature, Nature::Copy) {
        return Vec::new();
    }
    let mut all: Vec<usize> = step
        .defs()
        .chain(step.uses())
        .filter_map(|register| sets_of.get(&register))
        .flatten()
        .copied()
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}
