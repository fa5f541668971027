//! Instructions on registers alone.

use super::Lowerer;
use crate::code::step::{Act, Nature, Slot};
use crate::machine::op::Form;
use crate::machine::ops::{self, carry, special, together};
use crate::machine::reach::{LOCAL_TAG, SHARED_TAG};
use crate::ptx::{Instruction, Kind, Operand, ParseError, Scalar};

/// How an opcode is run: a form, and what is done to operands and results besides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    form: Form,
    /// Subnormals are zeros.
    flush: bool,
    /// Results are held within 0 and 1, by this operation.
    saturate: Option<&'static str>,
    /// Negative results are zero, by this operation.
    relu: Option<&'static str>,
}

fn plan(opcode: &str) -> Option<Plan> {
    if let Some(form) = ops::find(opcode).or_else(|| special::find(opcode)) {
        return Some(Plan {
            form,
            flush: false,
            saturate: None,
            relu: None,
        });
    }
    let parts: Vec<&str> = opcode.split('.').collect();
    let of = *parts.last()?;
    let has = |name: &str| parts.contains(&name);
    // What is left of a name once its options are taken out says what the lanes compute.
    let kept = parts.iter().filter(|part| {
        !matches!(
            **part,
            "rn" | "ftz" | "sat" | "relu" | "uni" | "rna" | "noftz"
        )
    });
    let name = kept.copied().collect::<Vec<_>>().join(".");
    let form = ops::find(&name).or_else(|| special::find(&name))?;
    let saturate = match of {
        "f32" => "sat.f32",
        "f64" => "sat.f64",
        "f16x2" => "sat.f16x2",
        _ => "sat.f16",
    };
    let relu = if of.ends_with("x2") {
        "relu.f16x2"
    } else {
        "relu.f16"
    };
    Some(Plan {
        form,
        flush: has("ftz") && of == "f32",
        saturate: has("sat").then_some(saturate),
        relu: has("relu").then_some(relu),
    })
}

impl<'t> Lowerer<'t> {
    /// Instructions that have no place of their own.
    pub(super) fn other(&mut self, i: &Instruction<'t>, head: &str) -> Result<(), ParseError> {
        let parts: Vec<&str> = i.opcode.split('.').collect();
        match head {
            "fence" if i.opcode.starts_with("fence.proxy.async") && !parts.contains(&"global") => {
                self.build.effect(special::fence_proxy, &[], 0);
                Ok(())
            }
            "membar" | "fence" => {
                self.build.effect(special::membar, &[], 0);
                Ok(())
            }
            "nanosleep" => {
                self.build.effect(special::nanosleep, &[], 0);
                Ok(())
            }
            "trap" => {
                self.build.effect(special::trap, &[], 0);
                Ok(())
            }
            "prefetch" | "prefetchu" | "discard" | "applypriority" | "brkpt" | "pmevent"
            | "griddepcontrol" | "setmaxnreg" => Ok(()),
            "createpolicy" => self.policy(i),
            "activemask" => self.active_mask(i),
            "add" | "addc" | "sub" | "subc" | "mad" | "madc"
                if parts.contains(&"cc") || head.ends_with('c') =>
            {
                self.with_carry(i, head, &parts)
            }
            "slct" => self.slct(i, &parts),
            "lop3" if parts.len() > 2 => self.lop3_predicate(i),
            _ => self.simple(i),
        }
    }

    /// An instruction whose form the tables have.
    pub(super) fn simple(&mut self, i: &Instruction<'t>) -> Result<(), ParseError> {
        let plan = match self.forms.get(i.opcode) {
            Some(plan) => *plan,
            None => {
                let Some(plan) = plan(i.opcode) else {
                    return self.error(format!("unknown instruction {}", i.opcode));
                };
                self.forms.insert(i.opcode, plan);
                plan
            }
        };
        let form = plan.form;
        if i.operands.len() != form.defs.len() + form.uses.len() {
            return self.error(format!("{} with {} operands", i.opcode, i.operands.len()));
        }
        let (results, sources) = i.operands.split_at(form.defs.len());
        let mut slots = Vec::with_capacity(6);
        let target = self.target(&results[0], form.defs[0])?;
        slots.push(target.0);
        for (operand, &kind) in sources.iter().zip(form.uses) {
            let mut slot = self.source(operand, kind)?;
            if plan.flush && kind == Kind::Word {
                slot = self.build.apply("flush.f32", &[slot]);
            }
            slots.push(slot);
        }
        self.build.form(form, &slots);
        self.finish_result(target.0, plan);
        self.deliver(target, false);
        Ok(())
    }

    fn finish_result(&mut self, target: Slot, plan: Plan) {
        let Slot::Def(register) = target else { return };
        let flush = plan.flush.then_some("flush.f32");
        for name in [flush, plan.relu, plan.saturate].into_iter().flatten() {
            if let Some(form) = ops::find(name)
                && form.defs[0] == self.build.kinds[register as usize]
            {
                self.build
                    .form(form, &[Slot::Def(register), Slot::Use(register)]);
            }
        }
    }

    fn policy(&mut self, i: &Instruction<'t>) -> Result<(), ParseError> {
        let target = self.target(&i.operands[0], Kind::Double)?;
        let zero = self.build.constant(Kind::Double, 0);
        if let Slot::Def(register) = target.0 {
            self.build.copy(register, zero);
        }
        Ok(())
    }

    fn active_mask(&mut self, i: &Instruction<'t>) -> Result<(), ParseError> {
        let (slot, _) = self.target(&i.operands[0], Kind::Word)?;
        self.build.effect(special::active_mask, &[slot], 0);
        Ok(())
    }

    /// `mov`, with its packing and unpacking of several registers.
    pub(super) fn mov(&mut self, i: &Instruction<'t>) -> Result<(), ParseError> {
        let [to, from] = i.operands.as_slice() else {
            return self.error("mov takes two operands");
        };
        let of = i.opcode.rsplit('.').next().and_then(Scalar::named);
        let Some(of) = of else {
            return self.error("mov of an unknown type");
        };
        match (to, from) {
            (Operand::Vector(parts), _) => self.unpack(parts, from, of.kind()),
            (_, Operand::Vector(parts)) => self.pack(to, parts, of.kind()),
            _ => {
                let target = self.target(to, of.kind())?;
                let source = self.source(from, of.kind())?;
                if let Slot::Def(register) = target.0 {
                    self.build.copy(register, source);
                }
                self.deliver(target, false);
                Ok(())
            }
        }
    }

    fn unpack(
        &mut self,
        parts: &[Operand<'t>],
        from: &Operand<'t>,
        kind: Kind,
    ) -> Result<(), ParseError> {
        let mut pieces = vec![self.source(from, kind)?];
        if kind == Kind::Double {
            let low = self.build.apply("low.64", &pieces);
            pieces = vec![low, self.build.apply("high.64", &pieces)];
        }
        let halves =
            kind == Kind::Word && parts.len() == 2 || kind == Kind::Double && parts.len() == 4;
        if halves {
            let words = std::mem::take(&mut pieces);
            for word in words {
                pieces.push(self.build.apply("low.32", &[word]));
                pieces.push(self.build.apply("high.32", &[word]));
            }
        }
        if pieces.len() != parts.len() {
            return self.error("mov to this many registers");
        }
        for (part, piece) in parts.iter().zip(pieces) {
            if *part == Operand::Name("_") {
                continue;
            }
            let kind = self.build.kind_of(piece).unwrap_or(Kind::Word);
            let target = self.target(part, kind)?;
            if let Slot::Def(register) = target.0 {
                self.build.copy(register, piece);
            }
            self.deliver(target, false);
        }
        Ok(())
    }

    fn pack(
        &mut self,
        to: &Operand<'t>,
        parts: &[Operand<'t>],
        kind: Kind,
    ) -> Result<(), ParseError> {
        let piece = match (kind, parts.len()) {
            (Kind::Word, 2) | (Kind::Double, 4) => Kind::Half,
            (Kind::Double, 2) => Kind::Word,
            _ => return self.error("mov from this many registers"),
        };
        let mut pieces = Vec::new();
        for part in parts {
            pieces.push(self.source(part, piece)?);
        }
        while pieces.len() > 1 {
            let of = self.build.kind_of(pieces[0]);
            let name = if of == Some(Kind::Half) {
                "join.16x2"
            } else {
                "join.32x2"
            };
            pieces = pieces
                .chunks(2)
                .map(|pair| self.build.apply(name, pair))
                .collect();
        }
        let target = self.target(to, kind)?;
        if let Slot::Def(register) = target.0 {
            self.build.copy(register, pieces[0]);
        }
        self.deliver(target, false);
        Ok(())
    }

    fn with_carry(
        &mut self,
        i: &Instruction<'t>,
        head: &str,
        parts: &[&str],
    ) -> Result<(), ParseError> {
        let Some(of) = parts.last().and_then(|of| Scalar::named(of)) else {
            return self.error("an unknown type");
        };
        let kind = of.kind();
        let carry = match self.carry {
            Some(carry) => carry,
            None => *self.carry.insert(self.build.register(Kind::Predicate)),
        };
        let mut sources = Vec::new();
        for operand in &i.operands[1..] {
            sources.push(self.source(operand, kind)?);
        }
        if head.starts_with("mad") {
            let part = if parts.contains(&"hi") { "hi" } else { "lo" };
            let product = self.build.apply(
                &format!("mul.{part}.{}", parts[parts.len() - 1]),
                &sources[..2],
            );
            sources = vec![product, sources[2]];
        }
        let subtract = head.starts_with("sub");
        // Without a carry in, an addition starts with none and a subtraction with no borrow, which is a carry.
        let carry_in = match head.ends_with('c') {
            true => Slot::Use(carry),
            false => self.build.constant(Kind::Predicate, u64::from(subtract)),
        };
        let carry_out = if parts.contains(&"cc") {
            Slot::Def(carry)
        } else {
            Slot::None
        };
        let target = self.target(&i.operands[0], kind)?;
        let form = carry::sum(subtract, kind == Kind::Double);
        let slots = [target.0, carry_out, sources[0], sources[1], carry_in];
        self.build.push(Act::Op(form.exec), &slots, 0, Nature::Pure);
        self.deliver(target, false);
        Ok(())
    }

    /// `cvta`: between addresses of a space and generic ones.
    pub(super) fn generic_address(&mut self, i: &Instruction<'t>) -> Result<(), ParseError> {
        let [to, from] = i.operands.as_slice() else {
            return self.error("cvta takes two operands");
        };
        let tag = if i.opcode.contains(".shared") {
            SHARED_TAG
        } else if i.opcode.contains(".local") {
            LOCAL_TAG
        } else {
            0
        };
        let target = self.target(
            to,
            if i.opcode.ends_with("32") {
                Kind::Word
            } else {
                Kind::Double
            },
        )?;
        let mut value = self.source(from, Kind::Double)?;
        if tag != 0 {
            let (name, bits) = if i.opcode.contains(".to.") {
                ("and.b64", tag - 1)
            } else {
                ("or.b64", tag)
            };
            let bits = self.build.constant(Kind::Double, bits);
            value = self.build.apply(name, &[value, bits]);
        }
        if let Slot::Def(register) = target.0 {
            let kind = self.build.kinds[register as usize];
            let value = self.build.fit(value, kind, false);
            self.build.copy(register, value);
        }
        self.deliver(target, false);
        Ok(())
    }

    /// Instructions that all lanes of a mask run together. The mask comes last.
    pub(super) fn together(&mut self, i: &Instruction<'t>) -> Result<(), ParseError> {
        let Some(form) = together::find(i.opcode) else {
            return self.error(format!("unknown instruction {}", i.opcode));
        };
        let mut slots = [Slot::None; 6];
        let mut operands = i.operands.as_slice();
        match (form.defs, operands.first()) {
            ([], _) => {}
            ([kind], Some(to)) => {
                slots[0] = self.target(to, *kind)?.0;
                operands = &operands[1..];
            }
            ([first, second], Some(to)) => {
                let Some((d, p)) = Self::pair(to) else {
                    return self.error("a result is missing");
                };
                slots[0] = self.target_named(d, *first)?.0;
                slots[1] = self.target_named(p, *second)?.0;
                operands = &operands[1..];
            }
            _ => return self.error("a result is missing"),
        }
        if operands.len() != form.uses.len() + 1 {
            return self.error(format!("{} with {} operands", i.opcode, i.operands.len()));
        }
        for (index, (operand, &kind)) in operands.iter().zip(form.uses).enumerate() {
            slots[form.defs.len() + index] = self.source(operand, kind)?;
        }
        slots[5] = self.source(&operands[operands.len() - 1], Kind::Word)?;
        self.build
            .push(Act::Together(form.exec), &slots, 0, Nature::Effect);
        Ok(())
    }
}
