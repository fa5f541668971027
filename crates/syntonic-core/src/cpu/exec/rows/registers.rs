//! Where the values of a program's nodes are worked on: registers of equal elements, each for as long as it is needed.

use super::Rows;
use super::plan::Pass;
use crate::cpu::exec::scratch::lines;

/// Registers, of so many bytes an element each.
#[derive(Debug, Default)]
pub(super) struct Registers {
    sizes: Vec<usize>,
    free: Vec<usize>,
}

impl Registers {
    /// A register of `size` bytes an element: one that was given back, or another one.
    fn take(&mut self, size: usize) -> usize {
        let fits = |&register: &usize| self.sizes[register] == size;
        match self.free.iter().position(fits) {
            Some(at) => self.free.swap_remove(at),
            None => self.make(size),
        }
    }

    /// A register that nobody had.
    fn make(&mut self, size: usize) -> usize {
        self.sizes.push(size);
        self.sizes.len() - 1
    }

    /// The first byte of each, with `elements` of each from byte `from` on, and the byte behind the last one.
    pub(super) fn layout(&self, from: usize, elements: usize) -> (Vec<usize>, usize) {
        let mut byte = from;
        // few: one for each node.
        let mut first = Vec::with_capacity(self.sizes.len());
        for size in &self.sizes {
            first.push(byte);
            byte += lines(size * elements);
        }
        (first, byte)
    }
}

/// The registers of some passes.
pub(super) struct Plan {
    pub(super) registers: Registers,
    /// The register of each node that has one, and of each constant.
    pub(super) places: Vec<(u32, usize)>,
    pub(super) constants: Vec<(u32, usize)>,
    /// Bytes that an element takes in the cache, with operands.
    pub(super) width: usize,
}

/// How long a row value that was repeated for the elements is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spreads {
    /// To the last node that reads it.
    Once,
    /// To the end of the pass, which has more than one block.
    ForAllBlocks,
}

/// Gives the nodes of passes that follow each other registers, but for those that are `kept` elsewhere. Those of
/// `constants` are nobody else's.
pub(super) fn allocate(
    rows: &Rows<'_>,
    passes: &[Pass],
    kept: &[bool],
    constants: &[u32],
    spreads: Spreads,
) -> Plan {
    let size = |k: u32| rows.code[k as usize].size;
    let mut registers = Registers::default();
    let own = |&k: &u32| (k, registers.make(size(k)));
    let constants: Vec<(u32, usize)> = constants.iter().map(own).collect();
    let last = last_reads(rows, passes);
    // few: one for each node.
    let mut held: Vec<Option<usize>> = vec![None; rows.code.len()];
    let mut places = Vec::new();
    for (p, pass) in passes.iter().enumerate() {
        let mut give = |k: u32, registers: &mut Registers, held: &mut [Option<usize>]| {
            let register = registers.take(size(k));
            held[k as usize] = Some(register);
            places.push((k, register));
        };
        for &k in &pass.spreads {
            give(k, &mut registers, &mut held);
            if spreads == Spreads::ForAllBlocks {
                held[k as usize] = None;
            }
        }
        for &(k, _) in &pass.loads {
            give(k, &mut registers, &mut held);
        }
        for (at, &k) in pass.kernels.iter().enumerate() {
            let in_place = pass.writes.iter().any(|w| w.0 == k);
            if !in_place && !kept[k as usize] {
                give(k, &mut registers, &mut held);
            }
            for read in rows.elements(k) {
                if last[read as usize] == Some((p, at)) {
                    registers.free.extend(held[read as usize].take());
                }
            }
        }
        for k in 0..held.len() {
            if last[k].is_none_or(|(pass, _)| pass <= p) {
                registers.free.extend(held[k].take());
            }
        }
    }
    // few: one for each operand.
    let mut operands: Vec<usize> = Vec::new();
    let mut width: usize = registers.sizes.iter().sum();
    for &(k, operand) in passes.iter().flat_map(|p| p.reads.iter().chain(&p.writes)) {
        if !operands.contains(&operand) {
            operands.push(operand);
            width += size(k);
        }
    }
    width += (0..kept.len() as u32)
        .filter(|&k| kept[k as usize] && passes.iter().any(|p| touches(rows, p, k)))
        .map(size)
        .sum::<usize>();
    Plan {
        registers,
        places,
        constants,
        width,
    }
}

/// True where a pass computes or reads node `k`.
fn touches(rows: &Rows<'_>, pass: &Pass, k: u32) -> bool {
    let nodes = pass.kernels.iter().chain(&pass.phase.folds);
    pass.kernels.contains(&k)
        || pass.stores.iter().any(|s| s.0 == k)
        || nodes.clone().any(|&n| rows.elements(n).contains(&k))
}

/// Where each node is read by element for the last time: the pass, and the place among its kernels or behind them.
fn last_reads(rows: &Rows<'_>, passes: &[Pass]) -> Vec<Option<(usize, usize)>> {
    // few: one for each node.
    let mut last = vec![None; rows.code.len()];
    for (p, pass) in passes.iter().enumerate() {
        for (at, &k) in pass.kernels.iter().enumerate() {
            for read in rows.elements(k) {
                last[read as usize] = Some((p, at));
            }
        }
        let folded = pass.phase.folds.iter().flat_map(|&k| rows.elements(k));
        for read in folded.chain(pass.stores.iter().map(|s| s.0)) {
            last[read as usize] = Some((p, usize::MAX));
        }
    }
    last
}
