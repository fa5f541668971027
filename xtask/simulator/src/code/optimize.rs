//! Makes steps fewer: copies and constants go to where they are used, and what nobody needs goes away.

use super::blocks::Flow;
use super::builder::Builder;
use super::liveness::{Set, liveness};
use super::step::{Act, Nature, Slot, Step};

/// Simplifies what was built, for a kernel with so many bytes of parameters.
pub(crate) fn optimize(build: &mut Builder, param_bytes: u32) {
    let flow = Flow::of(&build.steps);
    let live = liveness(&build.steps, &flow, build.kinds.len());
    let Some(early) = live.into.first() else {
        return;
    };
    let known = Known::of(&build.steps, build.kinds.len(), early);
    for step in &mut build.steps {
        known.forward(step);
        known.take_from_parameters(step, param_bytes);
    }
    remove_unneeded(&mut build.steps, build.kinds.len());
}

/// What is known of registers that one step writes and that are written before they are read.
struct Known {
    /// What to read in place of a register.
    instead: Vec<Option<Slot>>,
    /// The place among the parameters that a register is the address of.
    parameter: Vec<Option<u64>>,
}

impl Known {
    fn of(steps: &[Step], registers: usize, early: &Set) -> Self {
        let mut writes = vec![0u32; registers];
        for register in steps.iter().flat_map(Step::defs) {
            writes[register as usize] += 1;
        }
        let mut known = Self {
            instead: vec![None; registers],
            parameter: vec![None; registers],
        };
        for step in steps.iter().filter(|step| step.guard.is_none()) {
            let Slot::Def(to) = step.slots[0] else {
                continue;
            };
            if writes[to as usize] != 1 {
                continue;
            }
            match (step.nature, step.slots[1]) {
                (Nature::ParameterAddress, _) => known.parameter[to as usize] = Some(step.imm),
                (Nature::Copy, Slot::Constant(constant)) => {
                    known.instead[to as usize] = Some(Slot::Constant(constant));
                }
                // A value that is there whenever the copy is needed is as good as the copy.
                (Nature::Copy, Slot::Use(from))
                    if writes[from as usize] == 1
                        && !early.contains(to)
                        && !early.contains(from) =>
                {
                    known.instead[to as usize] = Some(Slot::Use(from));
                }
                _ => {}
            }
        }
        known
    }

    fn resolve(&self, slot: Slot) -> Slot {
        let mut slot = slot;
        // Copies of copies end somewhere: each register is written before its copy is.
        for _ in 0..64 {
            match slot {
                Slot::Use(register) => match self.instead[register as usize] {
                    Some(instead) => slot = instead,
                    None => return slot,
                },
                _ => return slot,
            }
        }
        slot
    }

    fn forward(&self, step: &mut Step) {
        for slot in &mut step.slots {
            *slot = self.resolve(*slot);
        }
        if let Some((register, _)) = &mut step.guard
            && let Slot::Use(instead) = self.resolve(Slot::Use(*register))
        {
            *register = instead;
        }
    }

    /// A load of a parameter needs no address.
    fn take_from_parameters(&self, step: &mut Step, param_bytes: u32) {
        let (Nature::Load(exec, bytes), Slot::Use(base)) = (step.nature, step.slots[4]) else {
            return;
        };
        let Some(start) = self.parameter[base as usize] else {
            return;
        };
        let at = start.wrapping_add(step.imm);
        let inside = at
            .checked_add(u64::from(bytes))
            .is_some_and(|end| end <= u64::from(param_bytes));
        if inside && at % u64::from(bytes) == 0 {
            step.act = Act::Op(exec);
            step.slots[4] = Slot::None;
            step.slots[5] = Slot::None;
            step.imm = at;
            step.nature = Nature::Pure;
        }
    }
}

fn remove_unneeded(steps: &mut Vec<Step>, registers: usize) {
    let mut reads = vec![0u32; registers];
    for register in steps.iter().flat_map(reading) {
        reads[register as usize] += 1;
    }
    let mut keep = vec![true; steps.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (index, step) in steps.iter().enumerate().rev() {
            let removable = matches!(
                step.nature,
                Nature::Pure | Nature::Copy | Nature::ParameterAddress
            );
            if !keep[index]
                || !removable
                || step.defs().any(|register| reads[register as usize] > 0)
            {
                continue;
            }
            keep[index] = false;
            changed = true;
            for register in reading(step) {
                reads[register as usize] -= 1;
            }
        }
    }
    let mut kept = keep.into_iter();
    steps.retain(|_| kept.next().unwrap_or(true));
}

/// The registers that a step needs, its own results aside.
fn reading(step: &Step) -> Vec<u32> {
    let slots = step.slots.iter().filter_map(|slot| match slot {
        Slot::Use(register) | Slot::Both(register) => Some(*register),
        _ => None,
    });
    slots
        .chain(step.guard.map(|(register, _)| register))
        .collect()
}
