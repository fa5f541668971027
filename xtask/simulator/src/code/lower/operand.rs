//! Operands as slots of steps.

use super::{Global, Lowerer};
use crate::code::frame::Name;
use crate::code::step::{Act, Nature, Slot};
use crate::machine::ops::special::{self, Special};
use crate::machine::reach::{LOCAL_TAG, flags};
use crate::ptx::{Kind, Literal, Operand, ParseError, Space};

/// An address operand: a slot, the flags of its space, an offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Address {
    pub(super) base: Slot,
    pub(super) flags: u32,
    pub(super) offset: i64,
}

/// The bits of a number in a register of this width.
fn bits(literal: Literal, kind: Kind) -> u64 {
    match (literal, kind) {
        (Literal::Integer(value), _) => value as u64,
        (Literal::Single(bits), Kind::Double) => f64::from(f32::from_bits(bits)).to_bits(),
        (Literal::Single(bits), _) => u64::from(bits),
        (Literal::Double(bits), Kind::Word) => u64::from((f64::from_bits(bits) as f32).to_bits()),
        (Literal::Double(bits), _) => bits,
    }
}

impl<'t> Lowerer<'t> {
    /// The meaning of a name, of the function or of the module.
    fn meaning(&mut self, name: &str) -> Option<Name> {
        if let Some(found) = self.frame().find(name) {
            return Some(found);
        }
        match self.image.globals.get(name)?.clone() {
            Global::Device(address) => Some(Name::Global(address)),
            Global::Shared(bytes, align) => {
                if let Some(&at) = self.shared.get(name) {
                    return Some(Name::Shared(at));
                }
                let at = self.reserve_shared(bytes, align);
                self.shared.insert(name.to_owned(), at);
                Some(Name::Shared(at))
            }
            Global::Dynamic(_) => None,
        }
    }

    /// The offset of a variable that starts dynamic shared memory, plus a number.
    fn dynamic(&mut self, name: &str, kind: Kind, addend: i64) -> Option<Slot> {
        if self.frame().find(name).is_some() {
            return None;
        }
        let Some(&Global::Dynamic(align)) = self.image.globals.get(name) else {
            return None;
        };
        self.dynamic_align = self.dynamic_align.max(align);
        let index = self.build.constants.len() as u32;
        self.build.constants.push((kind, 0));
        self.dynamic.push((index, addend));
        Some(Slot::Constant(index))
    }

    /// The address of a variable plus a number.
    fn address_of(&mut self, name: &str, kind: Kind, addend: i64) -> Result<Slot, ParseError> {
        if let Some(slot) = self.dynamic(name, kind, addend) {
            return Ok(slot);
        }
        let at = match self.meaning(name) {
            Some(Name::Shared(at) | Name::Local(at)) => u64::from(at),
            Some(Name::Global(at)) => at,
            Some(Name::Kernel(offset)) => return Ok(self.parameter_address(offset, addend)),
            Some(Name::Call(call)) => u64::from(self.spill(call)?) | LOCAL_TAG,
            _ => return self.error(format!("nothing is named {name}")),
        };
        Ok(self.build.constant(kind, at.wrapping_add(addend as u64)))
    }

    fn parameter_address(&mut self, offset: u32, addend: i64) -> Slot {
        let result = self.build.register(Kind::Double);
        let imm = i64::from(offset).wrapping_add(addend) as u64;
        self.build.push(
            Act::Op(special::parameter_address),
            &[Slot::Def(result)],
            imm,
            Nature::ParameterAddress,
        );
        Slot::Use(result)
    }

    /// A source of this width. Wider registers are cut, narrower ones extended by zeros.
    pub(super) fn source(&mut self, operand: &Operand<'t>, kind: Kind) -> Result<Slot, ParseError> {
        let slot = self.source_as_is(operand, kind)?;
        Ok(self.build.fit(slot, kind, false))
    }

    /// A source of whatever width it has; `kind` is for what has none.
    pub(super) fn source_as_is(
        &mut self,
        operand: &Operand<'t>,
        kind: Kind,
    ) -> Result<Slot, ParseError> {
        match operand {
            Operand::Number(literal) => Ok(self.build.constant(kind, bits(*literal, kind))),
            Operand::Not(name) => {
                let from = self.source_as_is(&Operand::Name(name), Kind::Predicate)?;
                Ok(self.build.apply("not.pred", &[from]))
            }
            Operand::Sum(name, offset) => self.address_of(name, kind, *offset),
            Operand::Name(name) => self.named(name, kind),
            _ => self.error("an operand of this kind"),
        }
    }

    fn named(&mut self, name: &str, kind: Kind) -> Result<Slot, ParseError> {
        if let Some(Name::Register(register)) = self.frame().find(name) {
            return Ok(Slot::Use(register));
        }
        if name == "WARP_SZ" {
            return Ok(self.build.constant(kind, 32));
        }
        if let Some(special) = Special::named(name) {
            let result = self.build.register(special.kind());
            let exec = if special.kind() == Kind::Double {
                special::read_double
            } else {
                special::read_word
            };
            // Clocks tell something else every time.
            let nature = if special.is_constant() {
                Nature::Pure
            } else {
                Nature::Effect
            };
            self.build
                .push(Act::Op(exec), &[Slot::Def(result)], special as u64, nature);
            return Ok(Slot::Use(result));
        }
        self.address_of(name, kind, 0)
    }

    /// A register that takes a result of this width, and the register of the text if that is of another.
    pub(super) fn target(
        &mut self,
        operand: &Operand<'t>,
        kind: Kind,
    ) -> Result<(Slot, Option<u32>), ParseError> {
        match operand {
            Operand::Name("_") => Ok((Slot::Def(self.build.register(kind)), None)),
            Operand::Name(name) => self.target_named(name, kind),
            _ => self.error("a result has to be a register"),
        }
    }

    /// As `target`, by name.
    pub(super) fn target_named(
        &mut self,
        name: &str,
        kind: Kind,
    ) -> Result<(Slot, Option<u32>), ParseError> {
        if name == "_" {
            return Ok((Slot::Def(self.build.register(kind)), None));
        }
        let Some(Name::Register(register)) = self.frame().find(name) else {
            return self.error(format!("no register {name}"));
        };
        if self.build.kinds[register as usize] == kind {
            return Ok((Slot::Def(register), None));
        }
        if kind == Kind::Predicate || self.build.kinds[register as usize] == Kind::Predicate {
            return self.error(format!("{name} has the wrong width"));
        }
        Ok((Slot::Def(self.build.register(kind)), Some(register)))
    }

    /// Moves a result to the register of the text, where `target` gave another.
    pub(super) fn deliver(&mut self, (slot, to): (Slot, Option<u32>), signed: bool) {
        let (Slot::Def(from), Some(to)) = (slot, to) else {
            return;
        };
        let fitted = self
            .build
            .fit(Slot::Use(from), self.build.kinds[to as usize], signed);
        self.build.copy(to, fitted);
    }

    /// An address in this space, whose base may be a register, a variable or nothing.
    pub(super) fn address(
        &mut self,
        operand: &Operand<'t>,
        space: Space,
    ) -> Result<Address, ParseError> {
        let Operand::Address(base, offset) = operand else {
            return self.error("an address is missing");
        };
        let flags = match space {
            Space::Global | Space::Const => flags::GLOBAL,
            Space::Shared | Space::Cluster => flags::SHARED,
            Space::Local => flags::LOCAL,
            // Parameters of kernels are at addresses of the host, those of calls in the thread's own memory.
            Space::Param | Space::Generic => flags::GENERIC,
        };
        let Some(name) = base else {
            let base = self.build.constant(Kind::Double, *offset as u64);
            return Ok(Address {
                base,
                flags,
                offset: 0,
            });
        };
        if let Some(Name::Register(register)) = self.frame().find(name) {
            return match self.build.kinds[register as usize] {
                Kind::Word => Ok(Address {
                    base: Slot::Use(register),
                    flags: flags | flags::NARROW,
                    offset: *offset,
                }),
                Kind::Double => Ok(Address {
                    base: Slot::Use(register),
                    flags,
                    offset: *offset,
                }),
                _ => self.error("an address in a register of this width"),
            };
        }
        let base = self.address_of(name, Kind::Double, *offset)?;
        Ok(Address {
            base,
            flags,
            offset: 0,
        })
    }

    /// An address of which the offset is part of the base.
    pub(super) fn plain_address(
        &mut self,
        operand: &Operand<'t>,
        space: Space,
    ) -> Result<Address, ParseError> {
        let mut address = self.address(operand, space)?;
        if address.offset != 0 {
            let narrow = address.flags & flags::NARROW != 0;
            let (name, kind) = if narrow {
                ("add.u32", Kind::Word)
            } else {
                ("add.u64", Kind::Double)
            };
            let offset = self.build.constant(kind, address.offset as u64);
            address.base = self.build.apply(name, &[address.base, offset]);
            address.offset = 0;
        }
        Ok(address)
    }

    /// The two names of a pair, or one and `_`.
    pub(super) fn pair(operand: &Operand<'t>) -> Option<(&'t str, &'t str)> {
        match operand {
            Operand::Pair(first, second) => Some((first, second)),
            Operand::Name(name) => Some((name, "_")),
            _ => None,
        }
    }
}
