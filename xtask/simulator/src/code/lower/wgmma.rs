//! Products of a warpgroup.

use super::Lowerer;
use crate::code::Reduction;
use crate::code::builder::Builder;
use crate::code::flight::Flights;
use crate::code::step::{Act, Nature, Slot};
use crate::machine::op::Exec;
use crate::machine::ops::product::{self, Number};
use crate::machine::ops::wgmma::{self, Shape};
use crate::ptx::{Instruction, Kind, Literal, Operand, ParseError};

/// Whether there is an instruction for results of this type, operands of those, and so many steps along K.
fn exists(result: &str, a: Number, b: Number, steps: usize) -> bool {
    use Number::{Bf16, E4m3, E5m2, F16, S8, Tf32, U8};
    let operands = match result {
        "f32" => matches!(
            (a, b),
            (F16, F16) | (Bf16, Bf16) | (Tf32, Tf32) | (E4m3 | E5m2, E4m3 | E5m2)
        ),
        "f16" => matches!((a, b), (F16, F16) | (E4m3 | E5m2, E4m3 | E5m2)),
        "s32" => matches!((a, b), (S8 | U8, S8 | U8)),
        _ => false,
    };
    operands && steps * a.bytes() == 32
}

/// Whether a result may have so many columns.
fn fits(columns: usize, result: &str) -> bool {
    let all = (8..=256).contains(&columns) && columns.is_multiple_of(8);
    // Of integers there are fewer.
    all && (result != "s32" || columns <= 32 || columns.is_multiple_of(16))
}

impl<'t> Lowerer<'t> {
    /// `wgmma`.
    pub(super) fn wgmma(&mut self, i: &Instruction<'t>, parts: &[&str]) -> Result<(), ParseError> {
        match parts {
            ["wgmma", "fence", "sync", "aligned"] => {
                self.whole_warp();
                Ok(())
            }
            ["wgmma", "commit_group", "sync", "aligned"] => {
                self.whole_warp();
                self.flights(|flights, build| flights.commit(build));
                Ok(())
            }
            ["wgmma", "wait_group", "sync", "aligned"] => {
                let [Operand::Number(Literal::Integer(left @ 0..=7))] = i.operands.as_slice()
                else {
                    return self.error("a number of groups is missing");
                };
                self.whole_warp();
                self.warpgroup();
                self.flights(|flights, build| flights.wait(build, *left as u64));
                Ok(())
            }
            [
                "wgmma",
                "mma_async",
                "sync",
                "aligned",
                size,
                result,
                a,
                b,
                rest @ ..,
            ] => {
                let saturates = rest == ["satfinite"];
                if !saturates && !rest.is_empty() {
                    return self.error(format!("unknown instruction {}", i.opcode));
                }
                self.warpgroup_product(i, size, (result, a, b), saturates)
            }
            _ => self.error(format!("unknown instruction {}", i.opcode)),
        }
    }

    /// Counts what is multiplied and waited for.
    fn flights(&mut self, f: impl FnOnce(&mut Flights, &mut Builder)) {
        let flights = self
            .flights
            .get_or_insert_with(|| Flights::new(&mut self.build));
        f(flights, &mut self.build);
    }

    /// Waits until all lanes of the warp came.
    pub(super) fn whole_warp(&mut self) {
        let all = self.build.constant(Kind::Word, u64::from(u32::MAX));
        let nothing = Slot::None;
        let slots = [nothing, nothing, nothing, nothing, nothing, all];
        self.build
            .push(Act::Together(wgmma::whole), &slots, 0, Nature::Effect);
    }

    /// Waits for the other warps of the warpgroup: a product is complete when all of them have their rows.
    fn warpgroup(&mut self) {
        let threads = self.build.constant(Kind::Word, 128);
        let act = Act::Meet {
            waits: true,
            reduction: Reduction::None,
        };
        let slots = [Slot::None, threads, Slot::None];
        self.build.push(act, &slots, 0, Nature::Effect);
    }

    fn warpgroup_product(
        &mut self,
        i: &Instruction<'t>,
        size: &str,
        (result, a, b): (&str, &str, &str),
        saturates: bool,
    ) -> Result<(), ParseError> {
        let of = (Number::named(a), Number::named(b));
        let numbers = size
            .strip_prefix("m64n")
            .and_then(|rest| rest.split_once('k'))
            .and_then(|(n, k)| Some((n.parse::<usize>().ok()?, k.parse::<usize>().ok()?)));
        let ((Some(a), Some(b)), Some((columns, steps)), Some(adding)) =
            (of, numbers, product::adding(result, saturates))
        else {
            return self.error(format!("unknown instruction {}", i.opcode));
        };
        if !exists(result, a, b, steps) || !fits(columns, result) {
            return self.error(format!("unknown instruction {}", i.opcode));
        }
        let [to, first, second, adds, options @ ..] = i.operands.as_slice() else {
            return self.error("operands are missing");
        };
        let in_registers = matches!(first, Operand::Vector(_));
        let (signs, transposes) = self.options(options, a, in_registers)?;
        let registers = if result == "f16" {
            columns / 4
        } else {
            columns / 2
        };
        let accumulators = self.accumulators(to, registers)?;
        let shape = Shape {
            a,
            b,
            columns,
            negates: signs[0] != signs[1],
            transposes,
        };
        let mut slots = [Slot::None; 3];
        let rows = if let Operand::Vector(rows) = first {
            self.words(rows, 4)?
        } else {
            slots[0] = self.source(first, Kind::Double)?;
            Vec::new()
        };
        slots[1] = self.source(second, Kind::Double)?;
        slots[2] = self.source(adds, Kind::Predicate)?;
        self.whole_warp();
        if !rows.is_empty() {
            self.build.effect(wgmma::rows, &rows, 0);
        }
        self.build.effect(wgmma::product, &slots, shape.pack());
        self.accumulate(adding, &accumulators);
        self.flights(|flights, build| flights.issue(build, &accumulators));
        Ok(())
    }

    /// Whether operands have the other sign, and whether they are MN-major.
    fn options(
        &mut self,
        options: &[Operand<'t>],
        of: Number,
        in_registers: bool,
    ) -> Result<([bool; 2], [bool; 2]), ParseError> {
        let mut numbers = Vec::new();
        for option in options {
            let Operand::Number(Literal::Integer(number)) = option else {
                return self.error("an option that is no number");
            };
            numbers.push(*number);
        }
        let (signs, transposes) = numbers.split_at(numbers.len().min(2));
        let majors = match of {
            Number::F16 | Number::Bf16 if in_registers => 1,
            Number::F16 | Number::Bf16 => 2,
            _ => 0,
        };
        let expected = match of {
            Number::S8 | Number::U8 => 0,
            _ => 2 + majors,
        };
        if numbers.len() != expected
            || !signs.iter().all(|sign| matches!(sign, 1 | -1))
            || !transposes.iter().all(|major| matches!(major, 0 | 1))
        {
            return self.error("options of this kind");
        }
        let sign = |place: usize| signs.get(place) == Some(&-1);
        // In registers the first operand has no major.
        let second = transposes.last() == Some(&1);
        let first = majors == 2 && transposes.first() == Some(&1);
        Ok(([sign(0), sign(1)], [first, second]))
    }

    /// The registers of an accumulator, which are read and written.
    fn accumulators(
        &mut self,
        operand: &Operand<'t>,
        count: usize,
    ) -> Result<Vec<Slot>, ParseError> {
        let Operand::Vector(all) = operand else {
            return self.error("accumulators are missing");
        };
        if all.len() != count {
            return self.error(format!("{} accumulators in place of {count}", all.len()));
        }
        let mut slots = Vec::with_capacity(count);
        for one in all {
            match self.target(one, Kind::Word)? {
                (Slot::Def(register), None) => slots.push(Slot::Both(register)),
                _ => return self.error("accumulators of another width"),
            }
        }
        Ok(slots)
    }

    /// So many sources of a word each.
    pub(super) fn words(
        &mut self,
        all: &[Operand<'t>],
        count: usize,
    ) -> Result<Vec<Slot>, ParseError> {
        if all.len() != count {
            return self.error(format!("{} registers in place of {count}", all.len()));
        }
        all.iter().map(|one| self.source(one, Kind::Word)).collect()
    }

    /// Adds the product that the scratch has to accumulators, six at a time.
    fn accumulate(&mut self, adding: Exec, accumulators: &[Slot]) {
        for (index, six) in accumulators.chunks(6).enumerate() {
            self.build.effect(adding, six, 6 * index as u64);
        }
    }
}
