//! Branches and barriers.

use super::Lowerer;
use crate::code::Reduction;
use crate::code::frame::Name;
use crate::code::step::{Act, Nature, Register, Slot};
use crate::machine::ops::special;
use crate::ptx::{Instruction, Kind, Operand, ParseError};

impl<'t> Lowerer<'t> {
    pub(super) fn control(&mut self, i: &Instruction<'t>) -> Result<(), ParseError> {
        let parts: Vec<&str> = i.opcode.split('.').collect();
        match parts[0] {
            "bra" => self.branch(i, None),
            "brx" => self.table(i),
            "call" => self.call(i),
            "ret" => {
                match self.frame().exit {
                    Some(exit) => self.build.push(Act::Jump(exit), &[], 0, Nature::Effect),
                    None => self.build.push(Act::End, &[], 0, Nature::Effect),
                }
                Ok(())
            }
            "exit" => {
                self.build.push(Act::End, &[], 0, Nature::Effect);
                Ok(())
            }
            "bar" | "barrier" if parts.get(1) == Some(&"warp") => self.together(i),
            "bar" | "barrier" => self.barrier(i, &parts),
            "mma" | "ldmatrix" | "stmatrix" | "movmatrix" => self.warp_matrix(i, &parts),
            "wgmma" => self.wgmma(i, &parts),
            _ => self.together(i),
        }
    }

    fn label_of(&mut self, operand: Option<&Operand<'t>>) -> Result<u32, ParseError> {
        if let Some(Operand::Name(name)) = operand
            && let Some(Name::Label(label)) = self.frame().find(name)
        {
            return Ok(label);
        }
        self.error("a label is missing")
    }

    pub(super) fn branch(
        &mut self,
        i: &Instruction<'t>,
        on: Option<(Register, bool)>,
    ) -> Result<(), ParseError> {
        let label = self.label_of(i.operands.first())?;
        match on {
            Some((predicate, negate)) => self.branch_on(predicate, negate, label),
            None => self.build.push(Act::Jump(label), &[], 0, Nature::Effect),
        }
        Ok(())
    }

    pub(super) fn branch_on(&mut self, predicate: Register, negate: bool, label: u32) {
        self.build.push(
            Act::Branch { label, negate },
            &[Slot::Use(predicate)],
            0,
            Nature::Effect,
        );
    }

    fn table(&mut self, i: &Instruction<'t>) -> Result<(), ParseError> {
        let [index, Operand::Name(name)] = i.operands.as_slice() else {
            return self.error("brx of this kind");
        };
        let index = self.source(index, Kind::Word)?;
        let Some(Name::Targets(labels)) = self.frame().find(name) else {
            return self.error("no branch targets");
        };
        self.build
            .push(Act::Table(labels), &[index], 0, Nature::Effect);
        Ok(())
    }

    fn barrier(&mut self, i: &Instruction<'t>, parts: &[&str]) -> Result<(), ParseError> {
        if parts.contains(&"cluster") {
            let act = if parts.contains(&"arrive") {
                Act::ClusterArrive
            } else {
                Act::ClusterWait
            };
            self.build.push(act, &[], 0, Nature::Effect);
            return Ok(());
        }
        let waits = !parts.contains(&"arrive");
        let is_reduction = parts.contains(&"red");
        let reduction = match parts
            .iter()
            .find(|part| matches!(**part, "popc" | "and" | "or"))
        {
            Some(&"popc") if is_reduction => Reduction::Count,
            Some(&"and") if is_reduction => Reduction::And,
            Some(&"or") if is_reduction => Reduction::Or,
            _ => Reduction::None,
        };
        let mut operands = i.operands.as_slice();
        let mut result = None;
        let mut vote = Slot::None;
        if is_reduction {
            let [to, between @ .., last] = operands else {
                return self.error("operands are missing");
            };
            let kind = if reduction == Reduction::Count {
                Kind::Word
            } else {
                Kind::Predicate
            };
            result = Some(self.target(to, kind)?.0);
            vote = self.source(last, Kind::Predicate)?;
            operands = between;
        }
        let id = match operands.first() {
            Some(id) => self.source(id, Kind::Word)?,
            None => self.build.constant(Kind::Word, 0),
        };
        let threads = match operands.get(1) {
            Some(threads) => self.source(threads, Kind::Word)?,
            None => Slot::None,
        };
        self.build.push(
            Act::Meet { waits, reduction },
            &[id, threads, vote],
            0,
            Nature::Effect,
        );
        let Some(result) = result else { return Ok(()) };
        let Some(Operand::Number(crate::ptx::Literal::Integer(id))) = operands.first() else {
            return self.error("a reduction at a barrier whose number is not known");
        };
        let code = (*id as u64 & 15) | u64::from(reduction == Reduction::Count) << 8;
        self.build.effect(special::reduced, &[result], code);
        Ok(())
    }
}
