//! `cvt`.

use super::Lowerer;
use crate::code::step::{Act, Nature, Slot};
use crate::machine::op::Form;
use crate::machine::ops::convert::{self, Conversion};
use crate::machine::ops::rounding::Direction;
use crate::ptx::{Instruction, Kind, ParseError, Scalar};

/// The conversion that the modifiers describe.
fn conversion(parts: &[&str]) -> Option<Conversion> {
    let [.., to, from] = parts else { return None };
    let untyped = |scalar| match scalar {
        Scalar::Bits(bytes) => Scalar::Unsigned(bytes),
        other => other,
    };
    let mut result = Conversion {
        from: untyped(Scalar::named(from)?),
        to: untyped(Scalar::named(to)?),
        rounding: Direction::Nearest,
        integral: false,
        saturate: false,
        relu: false,
        flush: false,
    };
    for part in &parts[1..parts.len() - 2] {
        match *part {
            "rn" => {}
            "rna" => {}
            "rz" => result.rounding = Direction::Zero,
            "rm" => result.rounding = Direction::Down,
            "rp" => result.rounding = Direction::Up,
            "rni" | "rzi" | "rmi" | "rpi" => {
                result.integral = true;
                result.rounding = match *part {
                    "rni" => Direction::Nearest,
                    "rzi" => Direction::Zero,
                    "rmi" => Direction::Down,
                    _ => Direction::Up,
                };
            }
            "sat" => result.saturate = true,
            "relu" => result.relu = true,
            "ftz" => result.flush = true,
            _ => return None,
        }
    }
    Some(result)
}

impl<'t> Lowerer<'t> {
    pub(super) fn convert(&mut self, i: &Instruction<'t>) -> Result<(), ParseError> {
        let parts: Vec<&str> = i.opcode.split('.').collect();
        if parts.len() < 3 || i.operands.len() < 2 {
            return self.error(format!("unknown conversion {}", i.opcode));
        }
        if parts[parts.len() - 2].ends_with("x2") {
            return self.convert_pair(i, &parts);
        }
        let Some(conversion) = conversion(&parts) else {
            return self.error(format!("unknown conversion {}", i.opcode));
        };
        let from = self.source_as_is(&i.operands[1], conversion.from.kind())?;
        let target = self.target_any(i, conversion.to.kind())?;
        // Where both registers are as wide as the types say, the frequent conversions have forms of their own.
        if let Some(form) = convert::find(i.opcode)
            && self.build.kind_of(from) == Some(form.uses[0])
            && self.build.kind_of(target) == Some(form.defs[0])
        {
            self.build.form(form, &[target, from]);
            return Ok(());
        }
        let (Some(packed), Some(source), Some(result)) = (
            conversion.pack(),
            self.build.kind_of(from),
            self.build.kind_of(target),
        ) else {
            return self.error(format!("unknown conversion {}", i.opcode));
        };
        let slots = [
            target,
            from,
            Slot::Number(convert::width_code(result)),
            Slot::Number(convert::width_code(source)),
        ];
        self.build
            .push(Act::Op(convert::general), &slots, packed, Nature::Pure);
        Ok(())
    }

    /// The register of the text, whatever its width.
    fn target_any(&mut self, i: &Instruction<'t>, kind: Kind) -> Result<Slot, ParseError> {
        let (slot, wider) = self.target(&i.operands[0], kind)?;
        Ok(wider.map_or(slot, Slot::Def))
    }

    /// Two values of single precision become a pair, the first one above.
    fn convert_pair(&mut self, i: &Instruction<'t>, parts: &[&str]) -> Result<(), ParseError> {
        let to = parts[parts.len() - 2];
        if i.operands.len() != 3 || parts[parts.len() - 1] != "f32" {
            return self.error(format!("unknown conversion {}", i.opcode));
        }
        let high = self.source(&i.operands[1], Kind::Word)?;
        let low = self.source(&i.operands[2], Kind::Word)?;
        let target = self.target(&i.operands[0], Kind::Word)?;
        let options = &parts[1..parts.len() - 2];
        let result = if options == ["rn"] {
            self.build.apply(&format!("{to}.f32"), &[high, low])
        } else {
            let mut one: Vec<&str> = parts.to_vec();
            one[parts.len() - 2] = &to[..to.len() - 2];
            let Some(packed) = conversion(&one).and_then(Conversion::pack) else {
                return self.error(format!("unknown conversion {}", i.opcode));
            };
            let form = Form {
                exec: convert::general,
                defs: &[Kind::Half],
                uses: &[Kind::Word],
            };
            let halves = [low, high].map(|source| {
                let half = self.build.register(Kind::Half);
                let slots = [Slot::Def(half), source, Slot::Number(0), Slot::Number(1)];
                self.build
                    .push(Act::Op(form.exec), &slots, packed, Nature::Pure);
                Slot::Use(half)
            });
            self.build.apply("join.16x2", &halves)
        };
        if let Slot::Def(register) = target.0 {
            self.build.copy(register, result);
        }
        self.deliver(target, false);
        Ok(())
    }
}
