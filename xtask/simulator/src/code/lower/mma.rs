//! Products of one warp, and how their operands come to registers.

use super::Lowerer;
use crate::code::step::Slot;
use crate::machine::ops::product::Number;
use crate::machine::ops::{fragment, mma};
use crate::ptx::{Instruction, Kind, Operand, ParseError, Space};

/// Registers of the first operand, the second one and the result, if there is such an instruction.
fn registers(size: &str, d: &str, a: Number, b: Number) -> Option<[usize; 3]> {
    use Number::{Bf16, E4m3, E5m2, F16, S8, Tf32, U8};
    let halves = matches!((d, a, b), ("f32" | "f16", F16, F16) | ("f32", Bf16, Bf16));
    let singles = matches!((d, a, b), ("f32", Tf32, Tf32));
    let bytes = matches!((d, a, b), ("s32", S8 | U8, S8 | U8));
    let small = matches!((d, a, b), ("f32" | "f16", E4m3 | E5m2, E4m3 | E5m2));
    let results = if d == "f16" { 2 } else { 4 };
    match size {
        "m16n8k4" if singles => Some([2, 1, results]),
        "m16n8k8" if halves => Some([2, 1, results]),
        "m16n8k8" if singles => Some([4, 2, results]),
        "m16n8k16" if halves => Some([4, 2, results]),
        "m16n8k16" if bytes || small => Some([2, 1, results]),
        "m16n8k32" if bytes || small => Some([4, 2, results]),
        "m8n8k16" if bytes => Some([1, 1, 2]),
        _ => None,
    }
}

impl<'t> Lowerer<'t> {
    /// `mma`, `ldmatrix`, `stmatrix` and `movmatrix`.
    pub(super) fn warp_matrix(
        &mut self,
        i: &Instruction<'t>,
        parts: &[&str],
    ) -> Result<(), ParseError> {
        match parts {
            ["mma", "sync", "aligned", size, "row", "col", rest @ ..] => {
                let (saturates, rest) = match rest {
                    ["satfinite", rest @ ..] => (true, rest),
                    _ => (false, rest),
                };
                match (*size, rest) {
                    ("m8n8k4", ["f64", "f64", "f64", "f64"]) => self.doubles(i),
                    (_, [d, a, b, c]) if d == c => self.product(i, size, [d, a, b], saturates),
                    _ => self.error(format!("unknown instruction {}", i.opcode)),
                }
            }
            ["ldmatrix" | "stmatrix", "sync", "aligned", rest @ .., "b16"] => {
                self.fragments(i, rest)
            }
            ["movmatrix", "sync", "aligned", "m8n8", "trans", "b16"] => {
                let [to, from] = i.operands.as_slice() else {
                    return self.error("movmatrix takes two operands");
                };
                let source = self.source(from, Kind::Word)?;
                let target = self.target(to, Kind::Word)?;
                self.whole_warp();
                self.build.effect(mma::transpose, &[target.0, source], 0);
                self.deliver(target, false);
                Ok(())
            }
            _ => self.error(format!("unknown instruction {}", i.opcode)),
        }
    }

    fn product(
        &mut self,
        i: &Instruction<'t>,
        size: &str,
        [d, a, b]: [&str; 3],
        saturates: bool,
    ) -> Result<(), ParseError> {
        let (Some(a), Some(b), Some(giving)) = (
            Number::named(a),
            Number::named(b),
            mma::giving(d, saturates),
        ) else {
            return self.error(format!("unknown instruction {}", i.opcode));
        };
        let Some([of_a, of_b, results]) = registers(size, d, a, b) else {
            return self.error(format!("unknown instruction {}", i.opcode));
        };
        let [to, first, second, third] = i.operands.as_slice() else {
            return self.error("a product of four operands");
        };
        let first = self.listed(first, of_a)?;
        let second = self.listed(second, of_b)?;
        let third = self.listed(third, results)?;
        let targets = self.results(to, results, Kind::Word)?;
        let steps = (of_b * 16 / a.bytes()) as u64;
        self.whole_warp();
        self.build.effect(mma::first, &first, a as u64);
        self.build
            .effect(mma::second, &second, b as u64 | steps << 4);
        self.build.effect(mma::third, &third, 0);
        self.build.effect(giving, &targets, 0);
        Ok(())
    }

    fn doubles(&mut self, i: &Instruction<'t>) -> Result<(), ParseError> {
        let [to, first, second, third] = i.operands.as_slice() else {
            return self.error("a product of four operands");
        };
        let mut slots = self.results(to, 2, Kind::Double)?;
        for (operand, count) in [(first, 1), (second, 1), (third, 2)] {
            let all = match operand {
                Operand::Vector(all) => all.as_slice(),
                one => std::slice::from_ref(one),
            };
            if all.len() != count {
                return self.error("operands of another length");
            }
            for one in all {
                slots.push(self.source(one, Kind::Double)?);
            }
        }
        self.whole_warp();
        self.build.effect(mma::doubles, &slots, 0);
        Ok(())
    }

    fn fragments(&mut self, i: &Instruction<'t>, options: &[&str]) -> Result<(), ParseError> {
        let (mut count, mut space, mut is_transposed) = (0, Space::Generic, false);
        // Compilers take these in several orders.
        for option in options {
            match *option {
                "m8n8" => {}
                "x1" => count = 1,
                "x2" => count = 2,
                "x4" => count = 4,
                "trans" => is_transposed = true,
                "shared" | "shared::cta" => space = Space::Shared,
                _ => return self.error(format!("unknown instruction {}", i.opcode)),
            }
        }
        if count == 0 || !options.contains(&"m8n8") {
            return self.error(format!("unknown instruction {}", i.opcode));
        }
        let is_load = i.opcode.starts_with("ld");
        let (registers, address) = match (is_load, i.operands.as_slice()) {
            (true, [registers, address]) | (false, [address, registers]) => (registers, address),
            _ => return self.error("operands are missing"),
        };
        let address = self.plain_address(address, space)?;
        let mut slots = if is_load {
            self.results(registers, count, Kind::Word)?
        } else {
            self.listed(registers, count)?
        };
        slots.resize(4, Slot::None);
        slots.push(address.base);
        slots.push(Slot::Number(address.flags));
        self.whole_warp();
        let exec = if is_load {
            fragment::load
        } else {
            fragment::store
        };
        self.build
            .effect(exec, &slots, fragment::code(count, is_transposed));
        Ok(())
    }

    /// So many sources of a word each, between braces or one alone.
    fn listed(&mut self, operand: &Operand<'t>, count: usize) -> Result<Vec<Slot>, ParseError> {
        match operand {
            Operand::Vector(all) => self.words(all, count),
            one => self.words(std::slice::from_ref(one), count),
        }
    }

    /// So many registers that take results.
    fn results(
        &mut self,
        operand: &Operand<'t>,
        count: usize,
        kind: Kind,
    ) -> Result<Vec<Slot>, ParseError> {
        let all = match operand {
            Operand::Vector(all) => all.as_slice(),
            one => std::slice::from_ref(one),
        };
        if all.len() != count {
            return self.error(format!("{} results in place of {count}", all.len()));
        }
        let mut slots = Vec::with_capacity(6);
        for one in all {
            match self.target(one, kind)? {
                (slot, None) => slots.push(slot),
                _ => return self.error("results of another width"),
            }
        }
        Ok(slots)
    }
}
