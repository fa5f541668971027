//! Asynchronous copies and the barriers they report to.

use super::Lowerer;
use crate::code::step::Slot;
use crate::machine::ops::copy::{self, Spaces};
use crate::machine::ops::mbarrier;
use crate::ptx::{Instruction, Kind, Operand, ParseError, Space};

impl<'t> Lowerer<'t> {
    /// `cp.async` and all that starts so.
    pub(super) fn copy(&mut self, i: &Instruction<'t>) -> Result<(), ParseError> {
        let parts: Vec<&str> = i.opcode.split('.').collect();
        let has = |name: &str| parts.contains(&name);
        if has("commit_group") || has("wait_group") || has("wait_all") || has("prefetch") {
            return Ok(());
        }
        if parts.get(1) != Some(&"async") {
            return self.error(format!("unknown instruction {}", i.opcode));
        }
        if has("mbarrier") && has("arrive") {
            let verb = if has("noinc") {
                "arrive"
            } else {
                "arrive.counted"
            };
            return self.at_barrier(verb, None, &i.operands);
        }
        if has("bulk") {
            return self.bulk(i, &parts);
        }
        let [
            to,
            from,
            Operand::Number(crate::ptx::Literal::Integer(bytes)),
            rest @ ..,
        ] = i.operands.as_slice()
        else {
            return self.error("a copy of this kind");
        };
        if !matches!(bytes, 4 | 8 | 16) {
            return self.error("a copy of so many bytes");
        }
        let source = self.plain_address(from, Space::Global)?;
        let target = self.plain_address(to, Space::Shared)?;
        let mut slots = [
            source.base,
            Slot::None,
            Slot::None,
            Slot::None,
            target.base,
            Slot::None,
        ];
        // What follows is the number of bytes, a predicate, or what the cache should do.
        if let Some(operand) = rest.first() {
            let slot = self.source_as_is(operand, Kind::Word)?;
            match self.build.kind_of(slot) {
                Some(Kind::Predicate) => slots[3] = slot,
                Some(Kind::Double) => {}
                _ => slots[1] = slot,
            }
        }
        let spaces = Spaces {
            target: target.flags,
            source: source.flags,
            barrier: 0,
        };
        slots[5] = Slot::Number(spaces.pack());
        self.build.effect(copy::small, &slots, *bytes as u64);
        Ok(())
    }

    fn bulk(&mut self, i: &Instruction<'t>, parts: &[&str]) -> Result<(), ParseError> {
        if parts.get(3) == Some(&"tensor") {
            return self.tensor(i, parts);
        }
        if parts[0] != "cp" || i.opcode.starts_with("cp.reduce") {
            return self.error(format!("unknown instruction {}", i.opcode));
        }
        let spaces: Vec<Space> = parts.iter().filter_map(|part| Space::named(part)).collect();
        let (&[target_space, source_space], [to, from, bytes, rest @ ..]) =
            (spaces.as_slice(), i.operands.as_slice())
        else {
            return self.error("a bulk copy of this kind");
        };
        let source = self.plain_address(from, source_space)?;
        let target = self.plain_address(to, target_space)?;
        let bytes = self.source(bytes, Kind::Word)?;
        let mut slots = [
            source.base,
            bytes,
            Slot::None,
            Slot::None,
            target.base,
            Slot::None,
        ];
        let mut packed = Spaces {
            target: target.flags,
            source: source.flags,
            barrier: 0,
        };
        let mut rest = rest.iter();
        if i.opcode.contains(".mbarrier::complete_tx::bytes") {
            let Some(operand) = rest.next() else {
                return self.error("a barrier is missing");
            };
            let barrier = self.plain_address(operand, Space::Shared)?;
            slots[2] = barrier.base;
            packed.barrier = barrier.flags;
        }
        if i.opcode.contains(".multicast::cluster") {
            let Some(operand) = rest.next() else {
                return self.error("a mask of blocks is missing");
            };
            slots[3] = self.source(operand, Kind::Half)?;
        }
        slots[5] = Slot::Number(packed.pack());
        self.build.effect(copy::bulk, &slots, 0);
        Ok(())
    }

    /// `mbarrier`.
    pub(super) fn mbarrier(&mut self, i: &Instruction<'t>) -> Result<(), ParseError> {
        let parts: Vec<&str> = i.opcode.split('.').collect();
        let has = |name: &str| parts.contains(&name);
        let Some(&verb) = parts.get(1) else {
            return self.error("a verb is missing");
        };
        match verb {
            "init" | "inval" | "expect_tx" | "complete_tx" => {
                self.at_barrier(verb, None, &i.operands)
            }
            "arrive" | "arrive_drop" => {
                let has_state = !matches!(i.operands.first(), Some(Operand::Address(..)));
                let (state, operands) = i.operands.split_at(usize::from(has_state));
                let expects = has("expect_tx");
                if expects && verb == "arrive_drop" {
                    return self.error(format!("unknown instruction {}", i.opcode));
                }
                let verb = if expects { "arrive.expect_tx" } else { verb };
                self.at_barrier(
                    verb,
                    state.first().map(|state| (state, Kind::Double)),
                    operands,
                )
            }
            "test_wait" | "try_wait" => {
                let [done, operands @ ..] = i.operands.as_slice() else {
                    return self.error("operands are missing");
                };
                let verb = if has("parity") { "wait.parity" } else { "wait" };
                let kind = if has("parity") {
                    Kind::Word
                } else {
                    Kind::Double
                };
                self.waiting(verb, done, operands, kind)
            }
            "pending_count" => {
                let Some(exec) = mbarrier::find(verb) else {
                    return self.error("mbarrier");
                };
                let target = self.target(&i.operands[0], Kind::Word)?;
                let state = self.source(&i.operands[1], Kind::Double)?;
                self.build.effect(exec, &[target.0, state], 0);
                self.deliver(target, false);
                Ok(())
            }
            _ => self.error(format!("unknown instruction {}", i.opcode)),
        }
    }

    fn waiting(
        &mut self,
        verb: &str,
        done: &Operand<'t>,
        operands: &[Operand<'t>],
        kind: Kind,
    ) -> Result<(), ParseError> {
        let (Some(exec), [address, phase, ..]) = (mbarrier::find(verb), operands) else {
            return self.error("operands are missing");
        };
        let (done, _) = self.target(done, Kind::Predicate)?;
        let address = self.address(address, Space::Shared)?;
        let phase = self.source(phase, kind)?;
        let slots = [
            done,
            phase,
            Slot::None,
            Slot::None,
            address.base,
            Slot::Number(address.flags),
        ];
        self.build.effect(exec, &slots, address.offset as u64);
        Ok(())
    }

    /// An operation at the barrier of the first operand, with a number that may follow it.
    pub(super) fn at_barrier(
        &mut self,
        verb: &str,
        state: Option<(&Operand<'t>, Kind)>,
        operands: &[Operand<'t>],
    ) -> Result<(), ParseError> {
        let (Some(exec), [address, rest @ ..]) = (mbarrier::find(verb), operands) else {
            return self.error("operands are missing");
        };
        let address = self.address(address, Space::Shared)?;
        let mut slots = [
            Slot::None,
            Slot::None,
            Slot::None,
            Slot::None,
            address.base,
            Slot::Number(address.flags),
        ];
        if let Some(operand) = rest.first() {
            slots[1] = self.source(operand, Kind::Word)?;
        }
        if let Some((operand, kind)) = state
            && *operand != Operand::Name("_")
        {
            slots[0] = self.target(operand, kind)?.0;
        }
        self.build.effect(exec, &slots, address.offset as u64);
        Ok(())
    }
}
