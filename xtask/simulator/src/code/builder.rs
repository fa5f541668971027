//! Collects steps, registers and constants.

use std::collections::HashMap;

use super::step::{Act, Nature, Register, Slot, Step};
use crate::machine::op::{Exec, Form};
use crate::machine::ops;
use crate::ptx::Kind;

/// Steps under construction.
#[derive(Default)]
pub(crate) struct Builder {
    /// What was emitted so far.
    pub(crate) steps: Vec<Step>,
    /// How wide each register is.
    pub(crate) kinds: Vec<Kind>,
    /// Width and bits of each constant.
    pub(crate) constants: Vec<(Kind, u64)>,
    found: HashMap<(Kind, u64), u32>,
    labels: u32,
    /// Where in the text the present instruction is.
    pub(crate) place: u32,
    /// The guard of the present instruction.
    pub(crate) guard: Option<(Register, bool)>,
}

impl Builder {
    /// A new register.
    pub(crate) fn register(&mut self, kind: Kind) -> Register {
        self.kinds.push(kind);
        self.kinds.len() as Register - 1
    }

    /// A constant; of a predicate, 0 is false and everything else true.
    pub(crate) fn constant(&mut self, kind: Kind, bits: u64) -> Slot {
        let bits = match kind {
            Kind::Predicate => {
                if bits == 0 {
                    0
                } else {
                    0xFFFF_FFFF
                }
            }
            Kind::Half => bits & 0xFFFF,
            Kind::Word => bits & 0xFFFF_FFFF,
            Kind::Double => bits,
        };
        let next = self.constants.len() as u32;
        let index = *self.found.entry((kind, bits)).or_insert(next);
        if index == next {
            self.constants.push((kind, bits));
        }
        Slot::Constant(index)
    }

    /// A new label.
    pub(crate) fn label(&mut self) -> u32 {
        self.labels += 1;
        self.labels - 1
    }

    /// Adds a step.
    pub(crate) fn push(&mut self, act: Act, slots: &[Slot], imm: u64, nature: Nature) {
        let mut all = [Slot::None; 6];
        all[..slots.len()].copy_from_slice(slots);
        let step = Step {
            act,
            slots: all,
            imm,
            guard: self.guard,
            nature,
            place: self.place,
        };
        self.steps.push(step);
    }

    /// Adds an instruction with effects.
    pub(crate) fn effect(&mut self, exec: Exec, slots: &[Slot], imm: u64) {
        self.push(Act::Op(exec), slots, imm, Nature::Effect);
    }

    /// Adds an instruction of this form: results first.
    pub(crate) fn form(&mut self, form: Form, slots: &[Slot]) {
        self.push(Act::Op(form.exec), slots, 0, Nature::Pure);
    }

    /// Adds the instruction of this name, which the table of operations has; its result is a new register.
    pub(crate) fn apply(&mut self, name: &str, sources: &[Slot]) -> Slot {
        let Some(form) = ops::find(name) else {
            debug_assert!(false, "no operation {name}");
            return Slot::None;
        };
        let result = self.register(form.defs[0]);
        let mut slots = vec![Slot::Def(result)];
        slots.extend_from_slice(sources);
        self.form(form, &slots);
        Slot::Use(result)
    }

    /// The name of the copy of this width.
    fn copy_name(kind: Kind) -> &'static str {
        match kind {
            Kind::Predicate => "mov.pred",
            Kind::Half => "mov.b16",
            Kind::Word => "mov.b32",
            Kind::Double => "mov.b64",
        }
    }

    /// Copies a source of this width to a register.
    pub(crate) fn copy(&mut self, to: Register, from: Slot) {
        let kind = self.kinds[to as usize];
        if let Some(form) = ops::find(Self::copy_name(kind)) {
            self.push(Act::Op(form.exec), &[Slot::Def(to), from], 0, Nature::Copy);
        }
    }

    /// The width of a source.
    pub(crate) fn kind_of(&self, slot: Slot) -> Option<Kind> {
        match slot {
            Slot::Use(register) | Slot::Def(register) | Slot::Both(register) => {
                Some(self.kinds[register as usize])
            }
            Slot::Constant(index) => Some(self.constants[index as usize].0),
            Slot::None | Slot::Number(_) => None,
        }
    }

    /// The same bits in another width: cut, or extended by zeros or the sign.
    pub(crate) fn fit(&mut self, slot: Slot, to: Kind, signed: bool) -> Slot {
        let Some(from) = self.kind_of(slot) else {
            return slot;
        };
        let letter = |kind| match kind {
            Kind::Half => "16",
            Kind::Word => "32",
            _ => "64",
        };
        if from == to || from == Kind::Predicate || to == Kind::Predicate {
            return slot;
        }
        let sign = if signed { 's' } else { 'u' };
        self.apply(
            &format!("cvt.{sign}{}.{sign}{}", letter(to), letter(from)),
            &[slot],
        )
    }
}
