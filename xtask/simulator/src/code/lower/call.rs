//! Calls: the callee's body comes in place of the call, and parameters become registers.

use std::collections::BTreeMap;

use super::{DEEPEST, Lowerer};
use crate::code::frame::{Frame, Name};
use crate::code::step::{Act, Nature, Register, Slot};
use crate::machine::ops::load::{self, Access};
use crate::machine::ops::special;
use crate::machine::reach::flags;
use crate::ptx::{Instruction, Kind, Operand, ParseError, Scalar};

/// The arguments or the results of a call.
#[derive(Clone, Debug, Default)]
pub(super) struct Parameters {
    /// Bytes of all of it.
    bytes: u32,
    /// Offset and bytes of each part that was stored, and its register.
    parts: BTreeMap<(u32, u8), Register>,
    /// Where in the thread's own memory it all lies, if its address was taken.
    place: Option<u32>,
}

impl Parameters {
    /// Parameters of so many bytes of which nothing is known yet.
    pub(super) fn of(bytes: u32) -> Self {
        Self {
            bytes,
            ..Self::default()
        }
    }
}

impl<'t> Lowerer<'t> {
    /// `call`: result, callee, arguments.
    pub(super) fn call(&mut self, i: &Instruction<'t>) -> Result<(), ParseError> {
        let mut groups = Vec::new();
        let mut callee = None;
        for operand in &i.operands {
            match operand {
                Operand::Group(names) => groups.push(names.clone()),
                Operand::Name(name) if callee.is_none() => callee = Some((*name, groups.len())),
                _ => return self.error("a call of this kind"),
            }
        }
        let Some((callee, results)) = callee else {
            return self.error("a callee is missing");
        };
        let results = if results == 1 {
            groups.remove(0)
        } else {
            Vec::new()
        };
        let arguments = groups.pop().unwrap_or_default();
        match callee {
            "__assertfail" => {
                self.build.effect(special::assertion, &[], 0);
                return Ok(());
            }
            "vprintf" => return self.printed(&results),
            "cudaGraphSetConditional" => return self.set_condition(&arguments),
            _ => {}
        }
        let image = self.image;
        let Some(&index) = image.by_name.get(callee) else {
            return self.error(format!("no function {callee}"));
        };
        let function = &image.functions[index];
        if self.frames.len() >= DEEPEST {
            return self.error("calls that are nested too deep");
        }
        if function.parameters.len() != arguments.len() || function.results.len() != results.len() {
            return self.error(format!("a call of {callee} with other parameters"));
        }
        let exit = self.build.label();
        let mut frame = Frame::leaving_to(Some(exit));
        frame.open();
        let formal = function.parameters.iter().chain(&function.results);
        for (formal, actual) in formal.zip(arguments.iter().chain(&results)) {
            let Some(Name::Call(call)) = self.frame().find(actual) else {
                return self.error(format!("{actual} is no parameter"));
            };
            frame.define(&formal.name, Name::Call(call));
        }
        self.frames.push(frame);
        self.body(function)?;
        self.frames.pop();
        self.build.guard = None;
        self.build.push(Act::Label(exit), &[], 0, Nature::Effect);
        Ok(())
    }

    /// The handle of a condition is the address of its word.
    fn set_condition(&mut self, arguments: &[&'t str]) -> Result<(), ParseError> {
        let mut known = Vec::new();
        for name in arguments {
            let Some(Name::Call(call)) = self.frame().find(name) else {
                return self.error(format!("{name} is no parameter"));
            };
            known.extend(self.calls[call].parts.values().copied());
        }
        let [handle, value] = known[..] else {
            return self.error("a condition takes a handle and a value");
        };
        let Some(exec) = load::find(Access::Store, Scalar::Unsigned(4), Kind::Word, 1) else {
            return self.error("no store of a word");
        };
        let slots = [
            Slot::Use(value),
            Slot::None,
            Slot::None,
            Slot::None,
            Slot::Use(handle),
            Slot::Number(flags::GLOBAL),
        ];
        self.build.effect(exec, &slots, 0);
        Ok(())
    }

    /// Nothing is printed; the result is the count of arguments, which nobody reads.
    fn printed(&mut self, results: &[&'t str]) -> Result<(), ParseError> {
        for name in results {
            let Some(Name::Call(call)) = self.frame().find(name) else {
                return self.error("a result is missing");
            };
            let zero = self.build.constant(Kind::Word, 0);
            let register = self.build.register(Kind::Word);
            self.build.copy(register, zero);
            self.calls[call].parts.insert((0, 4), register);
        }
        Ok(())
    }

    /// `st.param`.
    pub(super) fn store_argument(
        &mut self,
        parts: &[Operand<'t>],
        call: usize,
        offset: i64,
        scalar: Scalar,
    ) -> Result<(), ParseError> {
        let bytes = scalar.bytes();
        let kind = Self::kind_of_bytes(bytes);
        for (index, part) in parts.iter().enumerate() {
            let at = offset as u32 + index as u32 * u32::from(bytes);
            let source = self.source(part, kind)?;
            if let Some(place) = self.calls[call].place {
                self.local_access(Access::Store, source, place + at, scalar)?;
                continue;
            }
            let overlaps = |(&(other, length), _): (&(u32, u8), &Register)| {
                (other, length) != (at, bytes)
                    && other < at + u32::from(bytes)
                    && at < other + u32::from(length)
            };
            if self.calls[call].parts.iter().any(overlaps) {
                return self.error("parts of a parameter that overlap");
            }
            let register = match self.calls[call].parts.get(&(at, bytes)) {
                Some(register) => *register,
                None => self.build.register(kind),
            };
            self.calls[call].parts.insert((at, bytes), register);
            self.build.copy(register, source);
        }
        Ok(())
    }

    /// `ld.param` of an argument or a result.
    pub(super) fn load_argument(
        &mut self,
        parts: &[Operand<'t>],
        call: usize,
        offset: i64,
        scalar: Scalar,
    ) -> Result<(), ParseError> {
        let bytes = scalar.bytes();
        let kind = Self::kind_of_bytes(bytes);
        let at = |index: usize| offset as u32 + index as u32 * u32::from(bytes);
        let known =
            (0..parts.len()).all(|index| self.calls[call].parts.contains_key(&(at(index), bytes)));
        let place = match (known, self.calls[call].place) {
            (true, None) => None,
            _ => Some(self.spill(call)?),
        };
        for (index, part) in parts.iter().enumerate() {
            let slot = match place {
                None => Slot::Use(self.calls[call].parts[&(at(index), bytes)]),
                Some(place) => {
                    let result = self.build.register(kind);
                    self.local_access(Access::Load, Slot::Def(result), place + at(index), scalar)?;
                    Slot::Use(result)
                }
            };
            let slot = match (bytes, scalar.is_signed()) {
                (1, false) => self.build.apply("cvt.u16.u8", &[slot]),
                (1, true) => self.build.apply("cvt.s16.s8", &[slot]),
                _ => slot,
            };
            let target = self.target(part, kind)?;
            if let Slot::Def(register) = target.0 {
                self.build.copy(register, slot);
            }
            self.deliver(target, scalar.is_signed());
        }
        Ok(())
    }

    /// Stores what is known of parameters to the thread's own memory; where that is.
    pub(super) fn spill(&mut self, call: usize) -> Result<u32, ParseError> {
        if let Some(place) = self.calls[call].place {
            return Ok(place);
        }
        let place = self.reserve_local(self.calls[call].bytes, 16);
        self.calls[call].place = Some(place);
        for ((at, bytes), register) in self.calls[call].parts.clone() {
            self.local_access(
                Access::Store,
                Slot::Use(register),
                place + at,
                Scalar::Unsigned(bytes),
            )?;
        }
        Ok(place)
    }

    fn local_access(
        &mut self,
        access: Access,
        slot: Slot,
        at: u32,
        scalar: Scalar,
    ) -> Result<(), ParseError> {
        let kind = Self::kind_of_bytes(scalar.bytes());
        let Some(exec) = load::find(access, scalar, kind, 1) else {
            return self.error("a parameter of this type");
        };
        let base = self.build.constant(Kind::Double, u64::from(at));
        let slots = [
            slot,
            Slot::None,
            Slot::None,
            Slot::None,
            base,
            Slot::Number(flags::LOCAL),
        ];
        self.build.effect(exec, &slots, 0);
        Ok(())
    }
}
