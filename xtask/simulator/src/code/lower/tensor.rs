//! Copies of boxes of a tensor.

use super::Lowerer;
use crate::code::step::Slot;
use crate::machine::ops::copy::Spaces;
use crate::machine::ops::tensor;
use crate::ptx::{Instruction, Kind, Operand, ParseError, Space};

impl<'t> Lowerer<'t> {
    /// `cp.async.bulk.tensor`.
    pub(super) fn tensor(&mut self, i: &Instruction<'t>, parts: &[&str]) -> Result<(), ParseError> {
        let known = |part: &&str| {
            Space::named(part).is_some()
                || matches!(
                    *part,
                    "tile"
                        | "mbarrier::complete_tx::bytes"
                        | "bulk_group"
                        | "multicast::cluster"
                        | "L2::cache_hint"
                )
        };
        let rank = match parts.get(4) {
            Some(&"1d") => 1,
            Some(&"2d") => 2,
            Some(&"3d") => 3,
            Some(&"4d") => 4,
            Some(&"5d") => 5,
            _ => 0,
        };
        if rank == 0 || !parts[5..].iter().all(known) {
            return self.error(format!("unknown instruction {}", i.opcode));
        }
        let spaces: Vec<Space> = parts.iter().filter_map(|part| Space::named(part)).collect();
        let [target, source] = spaces.as_slice() else {
            return self.error("a copy of a tensor between these spaces");
        };
        match (target, source, i.operands.as_slice()) {
            (Space::Shared | Space::Cluster, Space::Global, [to, from, rest @ ..]) => {
                let multicast = parts.contains(&"multicast::cluster");
                self.load_box(to, from, rest, rank, multicast)
            }
            (Space::Global, Space::Shared, [to, from, ..]) => {
                let map = self.element(to, rank)?;
                let source = self.plain_address(from, Space::Shared)?;
                let spaces = Spaces {
                    target: map.1,
                    source: source.flags,
                    barrier: 0,
                };
                let nothing = Slot::None;
                let spaces = Slot::Number(spaces.pack());
                let slots = [map.0, nothing, nothing, nothing, source.base, spaces];
                self.build.effect(tensor::store, &slots, rank);
                Ok(())
            }
            _ => self.error("a copy of a tensor between these spaces"),
        }
    }

    fn load_box(
        &mut self,
        to: &Operand<'t>,
        from: &Operand<'t>,
        rest: &[Operand<'t>],
        rank: u64,
        multicast: bool,
    ) -> Result<(), ParseError> {
        let [barrier, rest @ ..] = rest else {
            return self.error("a barrier is missing");
        };
        let target = self.plain_address(to, Space::Shared)?;
        let barrier = self.plain_address(barrier, Space::Shared)?;
        let blocks = match (multicast, rest.first()) {
            (false, _) => Slot::None,
            (true, Some(blocks)) => self.source(blocks, Kind::Half)?,
            (true, None) => return self.error("a mask of blocks is missing"),
        };
        let map = self.element(from, rank)?;
        let spaces = Spaces {
            target: target.flags,
            source: map.1,
            barrier: barrier.flags,
        };
        let slots = [
            map.0,
            Slot::None,
            barrier.base,
            blocks,
            target.base,
            Slot::Number(spaces.pack()),
        ];
        self.build.effect(tensor::load, &slots, rank);
        Ok(())
    }

    /// A map's address and its flags, after a step that leaves the coordinates.
    fn element(&mut self, operand: &Operand<'t>, rank: u64) -> Result<(Slot, u32), ParseError> {
        let Operand::Element(base, offset, coordinates) = operand else {
            return self.error("coordinates are missing");
        };
        if coordinates.len() as u64 != rank {
            return self.error("coordinates of another number of dimensions");
        }
        let map = self.plain_address(&Operand::Address(*base, *offset), Space::Generic)?;
        let mut slots = Vec::new();
        for coordinate in coordinates {
            slots.push(self.source(coordinate, Kind::Word)?);
        }
        self.build.effect(tensor::coordinates, &slots, rank);
        Ok((map.base, map.flags))
    }
}
