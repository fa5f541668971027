//! Comparisons, and what chooses by them.

use super::Lowerer;
use crate::code::step::Slot;
use crate::machine::ops::compare;
use crate::ptx::{Instruction, Kind, Operand, ParseError, Scalar};

impl<'t> Lowerer<'t> {
    /// `setp` and `set`, with the second result and the combination with another predicate.
    pub(super) fn compare(&mut self, i: &Instruction<'t>) -> Result<(), ParseError> {
        let parts: Vec<&str> = i.opcode.split('.').filter(|part| *part != "ftz").collect();
        let is_set = parts[0] == "set";
        let of = parts.last().copied().unwrap_or("");
        let combine = parts
            .iter()
            .find(|part| matches!(**part, "and" | "or" | "xor"))
            .copied();
        // The short floats are compared as the single precision that holds them.
        let widen = match of {
            "f16" => Some("f32.f16"),
            "bf16" => Some("f32.bf16"),
            _ => None,
        };
        let wide = if widen.is_some() { "f32" } else { of };
        let Some(form) = compare::comparison(parts.get(1).copied().unwrap_or(""), wide) else {
            return self.error(format!("unknown comparison {}", i.opcode));
        };
        if i.operands.len() != 3 + usize::from(combine.is_some()) {
            return self.error(format!("{} with {} operands", i.opcode, i.operands.len()));
        }
        let flush = of == "f32" && i.opcode.contains(".ftz");
        let mut sources = [Slot::None; 2];
        for (slot, operand) in sources.iter_mut().zip(&i.operands[1..3]) {
            *slot = self.source(
                operand,
                if widen.is_some() {
                    Kind::Half
                } else {
                    form.uses[0]
                },
            )?;
            if let Some(widen) = widen {
                *slot = self.build.apply(widen, &[*slot]);
            }
            if flush {
                *slot = self.build.apply("flush.f32", &[*slot]);
            }
        }
        if combine.is_none()
            && !is_set
            && let Operand::Name(name) = i.operands[0]
        {
            let (target, _) = self.target_named(name, Kind::Predicate)?;
            self.build.form(form, &[target, sources[0], sources[1]]);
            return Ok(());
        }
        let found = self.build.register(Kind::Predicate);
        self.build
            .form(form, &[Slot::Def(found), sources[0], sources[1]]);
        self.deliver_comparison(
            i,
            Slot::Use(found),
            combine,
            if is_set {
                Some(parts[parts.len() - 2])
            } else {
                None
            },
        )
    }

    fn deliver_comparison(
        &mut self,
        i: &Instruction<'t>,
        found: Slot,
        combine: Option<&str>,
        set: Option<&str>,
    ) -> Result<(), ParseError> {
        let with = match combine {
            Some(combine) => Some((
                format!("{combine}.pred"),
                self.source(&i.operands[3], Kind::Predicate)?,
            )),
            None => None,
        };
        let combined = |lowerer: &mut Self, slot: Slot| match &with {
            Some((name, other)) => lowerer.build.apply(name, &[slot, *other]),
            None => slot,
        };
        let first = combined(self, found);
        if let Some(of) = set {
            let (kind, one) = match of {
                "f32" => (Kind::Word, u64::from(1f32.to_bits())),
                "u32" | "s32" => (Kind::Word, u64::MAX),
                _ => return self.error("set to this type"),
            };
            let (one, zero) = (self.build.constant(kind, one), self.build.constant(kind, 0));
            let target = self.target(&i.operands[0], kind)?;
            let chosen = self.build.apply("selp.b32", &[one, zero, first]);
            if let Slot::Def(register) = target.0 {
                self.build.copy(register, chosen);
            }
            return Ok(());
        }
        let opposite = self.build.apply("not.pred", &[found]);
        let second = combined(self, opposite);
        let Some((p, q)) = Self::pair(&i.operands[0]) else {
            return self.error("a predicate is missing");
        };
        for (name, value) in [(p, first), (q, second)] {
            if let (Slot::Def(register), _) = self.target_named(name, Kind::Predicate)? {
                self.build.copy(register, value);
            }
        }
        Ok(())
    }

    /// `slct`: a choice by a number's sign.
    pub(super) fn slct(&mut self, i: &Instruction<'t>, parts: &[&str]) -> Result<(), ParseError> {
        let (Some(of), [to, a, b, c]) = (Scalar::named(parts[1]), i.operands.as_slice()) else {
            return self.error("slct of this kind");
        };
        let by = parts[parts.len() - 1];
        let (a, b) = (self.source(a, of.kind())?, self.source(b, of.kind())?);
        let c = self.source(c, Kind::Word)?;
        let zero = self.build.constant(Kind::Word, 0);
        let Some(test) = compare::comparison("ge", by) else {
            return self.error("slct by this type");
        };
        let chosen = self.build.register(Kind::Predicate);
        self.build.form(test, &[Slot::Def(chosen), c, zero]);
        let name = if of.kind() == Kind::Double {
            "selp.b64"
        } else {
            "selp.b32"
        };
        let target = self.target(to, of.kind())?;
        let value = self.build.apply(name, &[a, b, Slot::Use(chosen)]);
        if let Slot::Def(register) = target.0 {
            self.build.copy(register, value);
        }
        Ok(())
    }

    /// `lop3` that also says whether the result is other than zero, combined with a predicate.
    pub(super) fn lop3_predicate(&mut self, i: &Instruction<'t>) -> Result<(), ParseError> {
        let parts: Vec<&str> = i.opcode.split('.').collect();
        let combine = parts[1];
        if !matches!(combine, "or" | "and") {
            return self.simple(i);
        }
        let [to, sources @ .., with] = i.operands.as_slice() else {
            return self.error("lop3 without operands");
        };
        let Some((d, p)) = Self::pair(to) else {
            return self.error("a result is missing");
        };
        let mut slots = Vec::new();
        for operand in sources {
            slots.push(self.source(operand, Kind::Word)?);
        }
        let value = self.build.apply("lop3.b32", &slots);
        let zero = self.build.constant(Kind::Word, 0);
        let Some(test) = compare::comparison("ne", "u32") else {
            return self.error("lop3");
        };
        let found = self.build.register(Kind::Predicate);
        self.build.form(test, &[Slot::Def(found), value, zero]);
        let with = self.source(with, Kind::Predicate)?;
        let combined = self
            .build
            .apply(&format!("{combine}.pred"), &[Slot::Use(found), with]);
        for (name, kind, value) in [(d, Kind::Word, value), (p, Kind::Predicate, combined)] {
            if let (Slot::Def(register), _) = self.target_named(name, kind)? {
                self.build.copy(register, value);
            }
        }
        Ok(())
    }
}
