//! Loads, stores and atomic operations.

use super::Lowerer;
use crate::code::frame::Name;
use crate::code::step::{Act, Nature, Slot};
use crate::machine::ops::atomic;
use crate::machine::ops::load::{self, Access};
use crate::machine::ops::special;
use crate::machine::reach::flags;
use crate::ptx::{Instruction, Kind, Literal, Operand, ParseError, Scalar, Space};

/// What the modifiers of an access say.
struct Modifiers {
    space: Space,
    scalar: Scalar,
    lanes: usize,
    /// Others may change it meanwhile.
    strong: bool,
    /// It orders what comes before or after.
    fence: bool,
}

fn modifiers(opcode: &str) -> Option<Modifiers> {
    let mut result = Modifiers {
        space: Space::Generic,
        scalar: Scalar::Bits(1),
        lanes: 1,
        strong: false,
        fence: false,
    };
    let mut typed = false;
    for part in opcode.split('.').skip(1) {
        match part {
            "v2" => result.lanes = 2,
            "v4" => result.lanes = 4,
            "volatile" | "relaxed" | "mmio" => result.strong = true,
            "acquire" | "release" | "acq_rel" => {
                result.strong = true;
                result.fence = true;
            }
            // Where values are cached, and among whom an access is ordered, is of no consequence here.
            "ca" | "cg" | "cs" | "lu" | "cv" | "wb" | "wt" | "nc" | "weak" | "cta" | "gpu"
            | "sys" | "cluster" | "unified" | "noftz" | "async" => {}
            _ if part.starts_with("L1::")
                || part.starts_with("L2::")
                || part.starts_with("level::") => {}
            _ => {
                if let Some(space) = Space::named(part) {
                    result.space = space;
                } else if let Some(scalar) = Scalar::named(part) {
                    result.scalar = scalar;
                    typed = true;
                }
            }
        }
    }
    typed.then_some(result)
}

impl<'t> Lowerer<'t> {
    pub(super) fn load_or_store(&mut self, i: &Instruction<'t>) -> Result<(), ParseError> {
        let Some(of) = modifiers(i.opcode) else {
            return self.error(format!("unknown access {}", i.opcode));
        };
        if i.operands.len() < 2 {
            return self.error(format!("unknown access {}", i.opcode));
        }
        if i.opcode.starts_with("st.async") {
            return self.store_and_count(i, &of);
        }
        if i.opcode.starts_with("st") {
            self.store(i, &of)
        } else {
            self.load(i, &of)
        }
    }

    /// `st.async`: a store, of whose bytes a barrier is told. Both may be another block's.
    fn store_and_count(&mut self, i: &Instruction<'t>, of: &Modifiers) -> Result<(), ParseError> {
        let [_, _, barrier] = i.operands.as_slice() else {
            return self.error("a barrier is missing");
        };
        self.store(i, of)?;
        let bytes = i64::from(of.scalar.bytes()) * of.lanes as i64;
        let bytes = Operand::Number(Literal::Integer(bytes));
        self.at_barrier("complete_tx", None, &[barrier.clone(), bytes])
    }

    fn parts(
        &mut self,
        operand: &Operand<'t>,
        lanes: usize,
    ) -> Result<Vec<Operand<'t>>, ParseError> {
        let parts = match operand {
            Operand::Vector(parts) => parts.clone(),
            other => vec![other.clone()],
        };
        if parts.len() != lanes || parts.len() > 4 {
            return self.error("a vector of another length");
        }
        Ok(parts)
    }

    fn load(&mut self, i: &Instruction<'t>, of: &Modifiers) -> Result<(), ParseError> {
        let parts = self.parts(&i.operands[0], of.lanes)?;
        if of.space == Space::Param
            && let Operand::Address(Some(name), offset) = &i.operands[1]
            && let Some(Name::Call(call)) = self.frame().find(name)
        {
            return self.load_argument(&parts, call, *offset, of.scalar);
        }
        // All parts have registers of one width, for which there is one way to load them.
        let mut kind = of.scalar.kind();
        for part in &parts {
            if let Operand::Name(name) = part
                && let Some(Name::Register(register)) = self.frame().find(name)
            {
                kind = self.build.kinds[register as usize];
            }
        }
        let mut slots = [Slot::None; 6];
        for (slot, part) in slots.iter_mut().zip(&parts) {
            if *part != Operand::Name("_") {
                let (target, wider) = self.target(part, kind)?;
                if wider.is_some() {
                    return self.error("registers of several widths in one load");
                }
                *slot = target;
            }
        }
        let address = self.address(&i.operands[1], of.space)?;
        let Some(exec) = load::find(Access::Load, of.scalar, kind, of.lanes) else {
            return self.error(format!("unknown load {}", i.opcode));
        };
        let bytes = u32::from(of.scalar.bytes()) * of.lanes as u32;
        let parameter = load::find(Access::Parameter, of.scalar, kind, of.lanes);
        let is_global = matches!(address.flags & flags::SPACE, flags::GLOBAL | flags::GENERIC);
        let nature = match parameter {
            Some(parameter) if is_global && !of.strong => Nature::Load(parameter, bytes),
            _ => Nature::Effect,
        };
        slots[4] = address.base;
        slots[5] = Slot::Number(address.flags | if of.strong { flags::STRONG } else { 0 });
        self.build
            .push(Act::Op(exec), &slots, address.offset as u64, nature);
        if of.fence {
            self.build.effect(special::membar, &[], 0);
        }
        Ok(())
    }

    fn store(&mut self, i: &Instruction<'t>, of: &Modifiers) -> Result<(), ParseError> {
        let parts = self.parts(&i.operands[1], of.lanes)?;
        if of.space == Space::Param
            && let Operand::Address(Some(name), offset) = &i.operands[0]
            && let Some(Name::Call(call)) = self.frame().find(name)
        {
            return self.store_argument(&parts, call, *offset, of.scalar);
        }
        let mut sources = Vec::new();
        for part in &parts {
            sources.push(self.source_as_is(part, of.scalar.kind())?);
        }
        let mut kind = of.scalar.kind();
        if sources
            .iter()
            .all(|source| self.build.kind_of(*source) == self.build.kind_of(sources[0]))
        {
            kind = self.build.kind_of(sources[0]).unwrap_or(kind);
        }
        let mut slots = [Slot::None; 6];
        for (slot, source) in slots.iter_mut().zip(sources) {
            *slot = self.build.fit(source, kind, false);
        }
        let address = self.address(&i.operands[0], of.space)?;
        let Some(exec) = load::find(Access::Store, of.scalar, kind, of.lanes) else {
            return self.error(format!("unknown store {}", i.opcode));
        };
        if of.fence {
            self.build.effect(special::membar, &[], 0);
        }
        slots[4] = address.base;
        slots[5] = Slot::Number(address.flags | if of.strong { flags::STRONG } else { 0 });
        self.build.effect(exec, &slots, address.offset as u64);
        Ok(())
    }

    /// `atom`, and `red`, which has no result.
    pub(super) fn atomic(&mut self, i: &Instruction<'t>) -> Result<(), ParseError> {
        let Some(of) = modifiers(i.opcode) else {
            return self.error(format!("unknown atomic {}", i.opcode));
        };
        const VERBS: [&str; 10] = [
            "add", "min", "max", "inc", "dec", "exch", "cas", "and", "or", "xor",
        ];
        let verb = i
            .opcode
            .split('.')
            .find(|part| VERBS.contains(part))
            .unwrap_or("");
        let of_type = i.opcode.rsplit('.').next().unwrap_or("");
        let Some(exec) = atomic::find(&format!("{verb}.{of_type}")) else {
            return self.error(format!("unknown atomic {}", i.opcode));
        };
        if of.lanes != 1 {
            return self.error("atomic operations on vectors");
        }
        let kind = of.scalar.kind();
        let has_result = i.opcode.starts_with("atom");
        let operands = &i.operands[usize::from(has_result)..];
        let needed = if verb == "cas" { 3 } else { 2 };
        if operands.len() < needed || i.operands.is_empty() {
            return self.error(format!("{} with {} operands", i.opcode, i.operands.len()));
        }
        let address = self.address(&operands[0], of.space)?;
        let mut slots = [Slot::None; 6];
        slots[1] = self.source(&operands[1], kind)?;
        slots[2] = match verb {
            "cas" => self.source(&operands[2], kind)?,
            _ => slots[1],
        };
        slots[4] = address.base;
        slots[5] = Slot::Number(address.flags | flags::STRONG);
        let mut target = None;
        if has_result && i.operands[0] != Operand::Name("_") {
            let found = self.target(&i.operands[0], kind)?;
            slots[0] = found.0;
            target = Some(found);
        }
        self.build.effect(exec, &slots, address.offset as u64);
        if let Some(target) = target {
            self.deliver(target, false);
        }
        Ok(())
    }

    /// Registers of the width of values of so many bytes.
    pub(super) fn kind_of_bytes(bytes: u8) -> Kind {
        match bytes {
            1 | 2 => Kind::Half,
            4 => Kind::Word,
            _ => Kind::Double,
        }
    }
}
